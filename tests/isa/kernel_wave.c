// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Waves of compiled kernels, see kernel_wave.h.
 */
#include "kernel_wave.h"

/* COMPUTE_PGM_RSRC1, RSRC2: LLVM 19 AMDGPUUsage, "Code Object V3" */
#define RSRC1_FLOAT_MODE	GENMASK(19, 12)
#define RSRC1_DX10_CLAMP	BIT(21)
#define RSRC1_IEEE		BIT(23)
#define RSRC2_SCRATCH		BIT(0)
#define RSRC2_TGID_X		BIT(7)
#define RSRC2_TGID_Y		BIT(8)
#define RSRC2_TGID_Z		BIT(9)
#define RSRC2_TG_SIZE		BIT(10)

void kernel_wave(struct vgpu_wave *w, const struct codeobj_kernel *k,
		 const struct kernel_where *where, u32 group, u32 wave)
{
	unsigned int n = 0, l;

	w->pc = where->image + k->entry;
	w->fp_round = FIELD_GET(RSRC1_FLOAT_MODE, k->rsrc1) & 0xf;
	w->fp_denorm = FIELD_GET(RSRC1_FLOAT_MODE, k->rsrc1) >> 4;
	w->dx10_clamp = k->rsrc1 & RSRC1_DX10_CLAMP;
	w->ieee = k->rsrc1 & RSRC1_IEEE;
	if (k->properties & CODEOBJ_PRIVATE_SEGMENT_BUFFER) {
		w->s[n++] = (u32)where->scratch;
		w->s[n++] = where->scratch >> 32 | BIT(31);	/* swizzle */
		w->s[n++] = ~0U;
		/* INDEX_STRIDE, ADD_TID_ENABLE, OOB_SELECT raw */
		w->s[n++] = (w->lanes == 64 ? 3U : 2U) << 21 | BIT(23) | 3U << 28;
	}
	if (k->properties & CODEOBJ_DISPATCH_PTR) {
		w->s[n++] = (u32)where->dispatch;
		w->s[n++] = where->dispatch >> 32;
	}
	n += k->properties & CODEOBJ_QUEUE_PTR ? 2 : 0;
	if (k->properties & CODEOBJ_KERNARG_SEGMENT_PTR) {
		w->s[n++] = (u32)where->kernarg;
		w->s[n++] = where->kernarg >> 32;
	}
	n += k->properties & BIT(4) ? 2 : 0;	/* dispatch id */
	if (k->properties & BIT(5)) {		/* flat scratch */
		w->s[n++] = (u32)where->scratch;
		w->s[n++] = where->scratch >> 32;
	}
	n = FIELD_GET(GENMASK(5, 1), k->rsrc2);
	if (k->rsrc2 & RSRC2_TGID_X)
		w->s[n++] = group;
	n += k->rsrc2 & RSRC2_TGID_Y ? 1 : 0;
	n += k->rsrc2 & RSRC2_TGID_Z ? 1 : 0;
	n += k->rsrc2 & RSRC2_TG_SIZE ? 1 : 0;
	if (k->rsrc2 & RSRC2_SCRATCH)
		w->s[n++] = where->scratch_offset;
	for (l = 0; l < w->lanes; l++)
		w->v[0][l] = wave * w->lanes + l;
}

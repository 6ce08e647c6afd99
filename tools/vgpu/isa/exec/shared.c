// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shared VGPRs: after its own VGPRs, a wave of 64 lanes may have registers of 32 lanes that
 * both of its halves access (COMPUTE_PGM_RSRC3.SHARED_VGPR_CNT; AMDGPUUsage of LLVM 19,
 * compute_pgm_rsrc3 for gfx10). Mesa's compiler uses them to move data from one half to the
 * other (aco_lower_to_hw_instr.cpp, p_bpermute).
 *
 * They are stored like others, with the same value in lanes l and l + 32, so that reads
 * need no special case. An instruction that writes one executes for one half at a time,
 * the lower one first, as the hardware executes all instructions of such waves. Its
 * handler runs twice, so it cannot refuse the instruction: bind.c does.
 */
#include "isa/internal.h"

#define HALF		(VGPU_LANES / 2)
#define HALF_MASK	0xffffffffULL

/*
 * Copy shared VGPRs from 32 lanes, beginning with @from, to those of the other half. @lanes:
 * the lanes to copy, as a bitmap.
 */
static void mirror(struct vgpu_wave *w, unsigned int from, u32 lanes)
{
	unsigned int n, l;

	for (n = w->num_vgprs; n < vgpu_wave_vgprs(w); n++)
		for (l = 0; l < HALF; l++)
			if (lanes & BIT(l))
				w->v[n][(from ^ HALF) + l] = w->v[n][from + l];
}

bool vgpu_shared(const struct vgpu_isa_state *c, unsigned int first,
		 unsigned int num)
{
	return c->w->shared_vgprs && num && first + num > c->w->num_vgprs;
}

/* Memory must be accessed only once, and only active lanes are written: copy these. */
static const struct vgpu_insn *load(struct vgpu_isa_state *c,
				    const struct vgpu_insn *i)
{
	u64 exec = c->exec;
	const struct vgpu_insn *next = vgpu_detail(c, i)->halves(c, i);

	mirror(c->w, 0, lower_32_bits(exec));
	mirror(c->w, HALF, upper_32_bits(exec));
	return next;
}

const struct vgpu_insn *vgpu_exec_shared(struct vgpu_isa_state *c,
					 const struct vgpu_insn *i)
{
	u32 *mask = vgpu_op_info[i->op].sdst ? &c->w->s[i->sdst] : NULL;
	u32 low = 0, high = mask ? mask[1] : 0;
	const struct vgpu_insn *next;
	u64 exec = c->exec;

	switch (vgpu_op_info[i->op].class) {
	case VGPU_CLASS_MEM:
	case VGPU_CLASS_IMAGE:
	case VGPU_CLASS_DS:
		return load(c, i);
	}
	vgpu_set_lanes(c, exec & HALF_MASK);
	vgpu_detail(c, i)->halves(c, i);
	mirror(c->w, 0, ~0U);
	if (mask) {
		/* Each half writes half of the mask; the second pass may also read it. */
		low = mask[0];
		mask[1] = high;
	}
	vgpu_set_lanes(c, exec & ~HALF_MASK);
	next = vgpu_detail(c, i)->halves(c, i);
	mirror(c->w, HALF, ~0U);
	if (mask)
		mask[0] = low;
	vgpu_set_lanes(c, exec);
	return next;
}

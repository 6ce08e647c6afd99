// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See rows.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "rows.h"

/*
 * As machine_reset() has it: SQ_WAVE_MODE.FP_DENORM [7:4], DX10_CLAMP, IEEE; and
 * SQ_WAVE_TRAPSTS: memory violation, illegal instruction; gc_10_3_0_sh_mask.h (Linux 6.1)
 */
#define MODE_OF_CLANG		(0xf0 | 1 << 8 | 1 << 9)
#define TRAPSTS_NOT_MASKABLE	(1 << 8 | 1 << 11)

bool rows_leave_out(const struct results_row *r)
{
	static const char *const words[] = {
		"s_memtime", "s_memrealtime", "SHADER_CYCLES",
		"ttmp", "s_trap", "s_sethalt",
	};
	unsigned int n;

	for (n = 0; n < ARRAY_SIZE(words); n++) {
		if (strstr(r->text, words[n]))
			return true;
	}
	/* In a handler already */
	return strstr(r->before, "status=");
}

static void set_quirks(struct vgpu *g, const struct results_state *st)
{
	unsigned int n;

	for (n = 0; n < VGPU_NUM_QUIRKS; n++)
		assert_int_equal(vgpu_quirk_set(g, vgpu_quirk_name(n), st->quirk[n]), 0);
	/* Registers are set here; see sq_gpu.c. */
	assert_int_equal(vgpu_quirk_set(g, "poison", 0), 0);
	*vgpu_reg_of_vmid(g, GPU_VMID, R_SH_MEM_BASES, 0) = st->bases;
}

static void set_wave(struct vgpu *g, struct vgpu_wave *w, const struct results_state *st)
{
	const struct vgpu_isa *isa = vgpu_isa_of(g);
	u32 ttmp[16], size;

	memcpy(ttmp, w->s + VGPU_S_TTMP0, sizeof(ttmp));
	memcpy(w->s, st->w.s, sizeof(w->s));
	memcpy(w->s + VGPU_S_TTMP0, ttmp, sizeof(ttmp));
	memcpy(w->v, st->w.v, sizeof(w->v));
	w->scc = st->w.scc;
	w->num_vgprs = st->w.num_vgprs;
	isa->unpack(g, w, VGPU_HWREG_MODE, st->mode);
	isa->unpack(g, w, VGPU_HWREG_TRAPSTS, st->trapsts);
	w->flat_scratch = st->w.flat_scratch;
	w->pc = ROWS_CODE;
	memcpy(vgpu_wave_lds(w, &size), st->lds, sizeof(st->lds));
}

bool rows_begin(struct pair *p, const struct results_row *r, bool no_exec)
{
	static struct results_state st;
	u32 code[VGPU_MAX_WORDS + 16] = { 0 };

	memset(&st, 0, sizeof(st));
	st.mode = MODE_OF_CLANG;
	st.w.num_vgprs = VGPU_NUM_VGPRS;
	results_before(r, &st);
	/* What cannot be masked traps as soon as the wave runs. */
	if (st.trapsts & TRAPSTS_NOT_MASKABLE)
		return false;
	if (no_exec)
		memset(&st.w.s[VGPU_S_EXEC], 0, 8);
	memcpy(code, r->code.words, r->code.num_words * 4);
	pair_write(p, ROWS_CODE, code, sizeof(code));
	pair_write(p, RESULTS_DATA, st.data, sizeof(st.data));
	set_quirks(p->alone, &st);
	set_quirks(p->debugged, &st);
	pair_wave(p, r->lanes);
	set_wave(p->alone, p->a, &st);
	set_wave(p->debugged, p->d, &st);
	return true;
}

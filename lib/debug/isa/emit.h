/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Instructions of one generation for condition programs. A test sets SCC to 1 if it is true. It
 * may change the registers that trap_abi.h lists for the program, except TTMP3, TTMP12 and
 * TTMP13.
 */
#ifndef ADBGD_EMIT_H
#define ADBGD_EMIT_H

#include "condition.h"

struct adbgd_emitter {
	uint32_t *code;
	size_t num, room;	/* in dwords; @num also counts what was beyond @room */
};

static inline void adbgd_emit(struct adbgd_emitter *e, uint32_t word)
{
	if (e->num < e->room)
		e->code[e->num] = word;
	e->num++;
}

struct adbgd_emit_ops {
	/* Tests */
	void (*pc_lo_is)(struct adbgd_emitter *e, uint32_t lo);
	void (*pc_hi_is)(struct adbgd_emitter *e, uint32_t hi);
	/* As pc_hi_is(), and the trap is the s_trap of a patch */
	void (*patch_hi_is)(struct adbgd_emitter *e, uint32_t hi);
	/* As pc_hi_is(), and the trap is a step */
	void (*step_hi_is)(struct adbgd_emitter *e, uint32_t hi);
	/* No set_patch() was executed before */
	void (*no_patch)(struct adbgd_emitter *e);
	void (*is_step)(struct adbgd_emitter *e);
	void (*is_no_step)(struct adbgd_emitter *e);
	/* Compare with what load_insn() has loaded */
	void (*insn_is)(struct adbgd_emitter *e, const struct adbgd_insn_match *insn);
	void (*wave_is)(struct adbgd_emitter *e, const struct amdgpudbg_wave_coord *at);
	/* @i: 0 to 2 for x to z */
	void (*group_is)(struct adbgd_emitter *e, unsigned int i, uint32_t value);
	void (*has_lanes)(struct adbgd_emitter *e, uint64_t lanes);
	void (*compare_scalar)(struct adbgd_emitter *e, const struct adbgd_handler_compare *c);
	/* @num comparisons of VGPRs, in one of @lanes; 0: in any active lane */
	void (*compare_vectors)(struct adbgd_emitter *e, const struct adbgd_handler_compare *c,
				size_t num, uint64_t lanes);
	void (*always)(struct adbgd_emitter *e, bool holds);

	/* Load the first dword of the instruction at the PC of the trap, for insn_is() */
	void (*load_insn)(struct adbgd_emitter *e);

	/* These keep SCC */
	void (*set_counter)(struct adbgd_emitter *e, uint32_t counter);
	void (*set_patch)(struct adbgd_emitter *e, uint32_t distance);
	void (*set_stepped_tag)(struct adbgd_emitter *e, uint32_t tag);

	/*
	 * Get the dword of a branch at @at to @to, which is taken if SCC is 0, if SCC is 1, or
	 * always
	 */
	uint32_t (*unless)(size_t at, size_t to);
	uint32_t (*when)(size_t at, size_t to);
	uint32_t (*branch)(size_t at, size_t to);

	/* Can the register be compared? Can a wave be in that slot? */
	bool (*has_reg)(bool is_vector, uint32_t reg);
	bool (*has_wave)(const struct amdgpudbg_wave_coord *at);
};

extern const struct adbgd_emit_ops adbgd_emit_gfx10_3;

#endif /* ADBGD_EMIT_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a generation can put into a decision: a test leaves SCC, which is 1 if it holds,
 * and may change the registers that trap_abi.h gives a decision, but TTMP3, TTMP12 and TTMP13.
 */
#ifndef ADBGD_EMIT_H
#define ADBGD_EMIT_H

#include "condition.h"

struct adbgd_emitter {
	uint32_t *code;
	size_t num, room;	/* dwords; @num goes on beyond @room, nothing else does */
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
	/* Likewise, and the trap is a patch's s_trap */
	void (*patch_hi_is)(struct adbgd_emitter *e, uint32_t hi);
	/* Likewise, and the trap is a step */
	void (*step_hi_is)(struct adbgd_emitter *e, uint32_t hi);
	/* No set_patch() was come to */
	void (*no_patch)(struct adbgd_emitter *e);
	void (*is_step)(struct adbgd_emitter *e);
	void (*is_no_step)(struct adbgd_emitter *e);
	/* Of what load_insn() has loaded */
	void (*insn_is)(struct adbgd_emitter *e, const struct adbgd_insn_match *insn);
	void (*wave_is)(struct adbgd_emitter *e, const struct amdgpudbg_wave_coord *at);
	/* @i: 0 to 2 for x to z */
	void (*group_is)(struct adbgd_emitter *e, unsigned int i, uint32_t value);
	void (*has_lanes)(struct adbgd_emitter *e, uint64_t lanes);
	void (*compare)(struct adbgd_emitter *e, const struct adbgd_handler_condition *c);
	void (*always)(struct adbgd_emitter *e, bool holds);

	/* The first dword of the instruction where the trap is, for insn_is() */
	void (*load_insn)(struct adbgd_emitter *e);

	/* They keep SCC. */
	void (*set_count)(struct adbgd_emitter *e, uint32_t point);
	void (*set_patch)(struct adbgd_emitter *e, uint32_t way);
	void (*set_match)(struct adbgd_emitter *e, uint32_t match);

	/*
	 * A branch of one dword, to @to: if SCC is 0, if it is 1, always. The place of
	 * the branch is @at.
	 */
	uint32_t (*unless)(size_t at, size_t to);
	uint32_t (*when)(size_t at, size_t to);
	uint32_t (*branch)(size_t at, size_t to);

	/* Can the register be compared, and can a wave be there? */
	bool (*has_reg)(bool is_vector, uint32_t reg);
	bool (*has_wave)(const struct amdgpudbg_wave_coord *at);
};

extern const struct adbgd_emit_ops adbgd_emit_gfx10_3;

#endif /* ADBGD_EMIT_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Operations of one generation on instructions, for displacing and following them.
 */
#ifndef ADBGD_DISPLACE_OPS_H
#define ADBGD_DISPLACE_OPS_H

#include "emit.h"

/* Where a wave continues after an instruction */
enum adbgd_next_pc_kind {
	ADBGD_NEXT_PC_FOLLOWING, /* continues with the next instruction, or ends the wave */
	ADBGD_NEXT_PC_BRANCH,	/* continues with the next one, or @offset dwords behind it */
	ADBGD_NEXT_PC_JUMP,	/* continues @offset dwords behind the next one */
	ADBGD_NEXT_PC_REG,	/* continues at the address in @reg */
	ADBGD_NEXT_PC_GETPC,	/* as _FOLLOWING, and does nothing but set @return_reg */
	ADBGD_NEXT_PC_HINT,	/* as _FOLLOWING, and has no effect, so that it can be left out */
};

struct adbgd_next_pc {
	enum adbgd_next_pc_kind kind;
	int32_t offset;
	uint32_t reg;
	bool has_return;	/* @return_reg is set to the address of the next instruction */
	uint32_t return_reg;
	bool ends;
};

/* Watches and memory violations that an instruction can cause */
enum adbgd_access {
	ADBGD_NO_ACCESS,
	ADBGD_ACCESS_SCALAR,	/* memory violations only; such accesses have no watches */
	ADBGD_ACCESS_VECTOR,
};

struct adbgd_displace_ops {
	/*
	 * Return: 0; -EOPNOTSUPP the instruction cannot be displaced; -EINVAL it is not @num
	 * dwords long.
	 */
	int (*classify)(const uint32_t *insn, size_t num, struct adbgd_next_pc *next_pc);
	/* Change the offset of a branch, which is in the same bits of all branches. */
	uint32_t (*branch_by)(uint32_t insn, uint32_t dwords);
	/*
	 * Must the host execute the instruction, because the handler cannot record it
	 * (trap/gfx10_3.inc)?
	 */
	bool (*is_for_host)(uint32_t insn);
	/* Is @word an end, padding, or no instruction, so that no program continues after it? */
	bool (*is_gap)(uint32_t word);
	/* Is @word what assemblers put between two programs? */
	bool (*is_padding)(uint32_t word);
	enum adbgd_access (*access)(uint32_t insn);
	uint32_t (*set_pc)(uint32_t reg);
	uint32_t (*s_trap)(uint32_t id);
	uint32_t s_nop;
	void (*move)(struct adbgd_emitter *e, uint32_t reg, uint32_t value);
};

extern const struct adbgd_displace_ops adbgd_displace_gfx10_3;

#endif /* ADBGD_DISPLACE_OPS_H */

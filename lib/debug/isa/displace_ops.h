/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Operations of a generation on instructions that change the PC.
 */
#ifndef ADBGD_DISPLACE_OPS_H
#define ADBGD_DISPLACE_OPS_H

#include "emit.h"

enum adbgd_way_kind {
	ADBGD_WAY_ON,		/* to the next one; or it ends, which is the same in a copy */
	ADBGD_WAY_BRANCH,	/* or by @offset dwords behind it, as it decides */
	ADBGD_WAY_AWAY,	/* by @offset */
	ADBGD_WAY_REG,		/* to what is in @reg */
	ADBGD_WAY_STAY,	/* as ON, and it does nothing else than set @return_reg */
};

struct adbgd_way {
	enum adbgd_way_kind kind;
	int32_t offset;
	uint32_t reg;
	bool has_return;	/* @return_reg gets the address of the next one before */
	uint32_t return_reg;
	bool ends;
};

/* What a wave's instruction may have a watch hit by, or a memory violation */
enum adbgd_access {
	ADBGD_NO_ACCESS,
	ADBGD_ACCESS_SCALAR,	/* by what has no watches */
	ADBGD_ACCESS_VECTOR,
};

struct adbgd_displace_ops {
	/* 0; -EOPNOTSUPP it must stay where it is; -EINVAL it is not so long */
	int (*classify)(const uint32_t *insn, size_t num, struct adbgd_way *way);
	/* The branch with another offset, which all of them have in the same place */
	uint32_t (*branch_by)(uint32_t insn, uint32_t dwords);
	/* Is it no step for a trap handler that records them? As the handler itself has it */
	bool (*is_for_host)(uint32_t insn);
	/* Does no program continue after this word: an end, padding, or no instruction? */
	bool (*is_gap)(uint32_t word);
	/* What is put between two programs */
	bool (*is_filling)(uint32_t word);
	enum adbgd_access (*access)(uint32_t insn);
	uint32_t (*set_pc)(uint32_t reg);
	uint32_t (*s_trap)(uint32_t id);
	void (*move)(struct adbgd_emitter *e, uint32_t reg, uint32_t value);
};

extern const struct adbgd_displace_ops adbgd_displace_gfx10_3;

#endif /* ADBGD_DISPLACE_OPS_H */

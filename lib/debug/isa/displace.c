// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Displaced instructions, see displace.h: the instruction itself, or one with the same effect at
 * another address, and then a return trap to the next instruction. A conditional branch is
 * followed by two return traps: to the next instruction, and to the branch's target.
 */
#include <errno.h>
#include <string.h>

#include <amdgpudbg.h>

#include "displace.h"
#include "displace_ops.h"
#include "trap_abi.h"

#define RETURN_DWORDS	(TRAP_RETURN_SIZE / 4)

/* Maximum length of an instruction in dwords, with its literal or addresses */
#define MAX_INSN	5

static void put_return_trap(struct adbgd_emitter *e, const struct adbgd_displace_ops *ops,
			    uint64_t to)
{
	adbgd_emit(e, ops->s_trap(TRAP_ID_RETURN));
	adbgd_emit(e, TRAP_RETURN_MAGIC);
	adbgd_emit(e, (uint32_t)to);
	adbgd_emit(e, to >> 32 & 0xffff);
}

static void put_copy(struct adbgd_emitter *e, const struct adbgd_displace_ops *ops,
		     const uint32_t *insn, size_t num, const struct adbgd_next_pc *next_pc,
		     uint64_t next)
{
	size_t i;

	if (next_pc->has_return) {
		ops->move(e, next_pc->return_reg, (uint32_t)next);
		ops->move(e, next_pc->return_reg + 1, next >> 32);
	}
	switch (next_pc->kind) {
	case ADBGD_NEXT_PC_FOLLOWING:
		for (i = 0; i < num; i++)
			adbgd_emit(e, insn[i]);
		break;
	case ADBGD_NEXT_PC_HINT:
		adbgd_emit(e, ops->s_nop);
		break;
	case ADBGD_NEXT_PC_BRANCH:
		/* If the branch is taken, it skips the return trap that follows it. */
		adbgd_emit(e, ops->branch_by(insn[0], RETURN_DWORDS));
		break;
	case ADBGD_NEXT_PC_REG:
		adbgd_emit(e, ops->set_pc(next_pc->reg));
		break;
	default:
		break;
	}
}

int adbgd_displace(uint32_t gc_version, const uint32_t *insn, size_t num, uint64_t pc,
		   struct adbgd_displaced *copy)
{
	const struct adbgd_displace_ops *ops = &adbgd_displace_gfx10_3;
	struct adbgd_displaced made = { .pc = pc };
	struct adbgd_emitter e = { .code = made.code, .room = ADBGD_DISPLACED_DWORDS };
	uint64_t next = pc + 4 * num;
	struct adbgd_next_pc next_pc = { 0 };
	int ret;

	if (ADBG_GC_MAJOR(gc_version) != 10 || ADBG_GC_MINOR(gc_version) != 3)
		return -EOPNOTSUPP;
	if (!num || num > MAX_INSN)
		return -EINVAL;
	ret = ops->classify(insn, num, &next_pc);
	if (ret)
		return ret;

	put_copy(&e, ops, insn, num, &next_pc, next);
	made.num_copied = e.num;
	if (next_pc.kind != ADBGD_NEXT_PC_JUMP && next_pc.kind != ADBGD_NEXT_PC_REG)
		put_return_trap(&e, ops, next);
	if (next_pc.kind == ADBGD_NEXT_PC_BRANCH || next_pc.kind == ADBGD_NEXT_PC_JUMP)
		put_return_trap(&e, ops, next + 4 * (int64_t)next_pc.offset);
	made.num = e.num;
	*copy = made;
	return 0;
}

bool adbgd_displaced_pc(const struct adbgd_displaced *copy, uint64_t at, uint64_t pc,
			uint64_t *in_program)
{
	uint64_t dword = (pc - at) / 4, return_trap;

	if (pc < at || dword >= copy->num)
		return false;
	if (dword < copy->num_copied) {
		*in_program = copy->pc;
		return true;
	}
	/* The wave has executed the instruction, and is at a return trap. */
	return_trap = dword - (dword - copy->num_copied) % RETURN_DWORDS;
	*in_program = copy->code[return_trap + TRAP_RETURN_PC_LO / 4] |
		      (uint64_t)copy->code[return_trap + TRAP_RETURN_PC_HI / 4] << 32;
	/* Sign-extend the address, which has 48 bits. */
	*in_program = (*in_program ^ 1ULL << 47) - (1ULL << 47);
	return true;
}

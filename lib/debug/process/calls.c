// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Calls and exits of a function: see calls.h.
 */
#include <string.h>

#include "calls.h"
#include "isa/flow.h"

static bool next_pc_returns(const struct adbgd_next_pc *next_pc)
{
	return next_pc->kind == ADBGD_NEXT_PC_REG && !next_pc->has_return;
}

static bool next_pc_calls(const struct adbgd_next_pc *next_pc)
{
	return (next_pc->kind == ADBGD_NEXT_PC_REG || next_pc->kind == ADBGD_NEXT_PC_JUMP) &&
	       next_pc->has_return;
}

static int flow_begin(struct adbgd_process *p, uint64_t pc, struct adbgd_flow_walk *r,
		      struct adbgd_error *error)
{
	struct adbgd_memory memory;

	adbgd_process_get_memory(p, &memory);
	return adbgd_flow_begin(r, &memory, p->info.gc_version, pc) ?
	       adbgd_no_memory(error, "a function's instructions") : 0;
}

/* Return: 1; 0 there is no instruction; -errno. */
static int flow_read_at(struct adbgd_process *p, uint64_t pc, struct adbgd_flow_insn *insn,
			struct adbgd_error *error)
{
	struct adbgd_flow_walk r;
	int ret = flow_begin(p, pc, &r, error);

	if (!ret) {
		ret = adbgd_flow_read(&r, pc, insn);
		if (ret < 0)
			adbgd_failed(p, error, ret, "the instruction at %#llx cannot be read",
				     (unsigned long long)pc);
	}
	adbgd_flow_free(&r);
	return ret;
}

int adbgd_is_return(struct adbgd_process *process, uint64_t pc, struct adbgd_error *error)
{
	struct adbgd_flow_insn insn;
	int ret = flow_read_at(process, pc, &insn, error);

	return ret > 0 ? next_pc_returns(&insn.next_pc) : ret;
}

int adbgd_is_call(struct adbgd_process *process, uint64_t pc, uint64_t *next,
		  struct adbgd_error *error)
{
	struct adbgd_flow_insn insn;
	int ret = flow_read_at(process, pc, &insn, error);

	if (ret <= 0)
		return ret;
	*next = pc + 4 * insn.num;
	return next_pc_calls(&insn.next_pc);
}

static int exits_add(void *arg, const struct adbgd_flow_insn *insn)
{
	struct adbgd_exits *exits = arg;

	if (!insn->next_pc.ends && !next_pc_returns(&insn->next_pc))
		return 0;
	if (exits->num == ADBGD_MAX_EXITS)
		return -E2BIG;
	exits->at[exits->num++] = insn->pc;
	return 1;
}

int adbgd_exits_find(struct adbgd_process *process, uint64_t pc, struct adbgd_exits *exits,
		     struct adbgd_error *error)
{
	struct adbgd_flow_walk r;
	int ret = flow_begin(process, pc, &r, error);

	exits->num = 0;
	if (!ret) {
		r.visit = exits_add;
		r.arg = exits;
		ret = adbgd_flow_follow(&r, pc);
		if (ret == -E2BIG)
			adbgd_fail(error, ret, "the function at %#llx is too long, or has more "
				   "than %d exits", (unsigned long long)pc,
				   ADBGD_MAX_EXITS);
		else if (ret)
			adbgd_failed(process, error, ret, "the function at %#llx cannot be read",
				     (unsigned long long)pc);
	}
	adbgd_flow_free(&r);
	if (ret)
		return ret;
	return exits->num ? 0 : adbgd_fail(error, -ENOENT, "no exit was found in the function at "
					   "%#llx", (unsigned long long)pc);
}

int adbgd_goals_next(struct adbgd_process *process, uint64_t pc, struct adbgd_exits *to,
		     struct adbgd_error *error)
{
	int ret = adbgd_is_call(process, pc, &to->at[0], error);

	to->num = ret > 0;
	return ret < 0 ? ret : 0;
}

int adbgd_goals_exits(struct adbgd_process *process, uint64_t pc, struct adbgd_exits *to,
		      struct adbgd_error *error)
{
	int ret = adbgd_exits_find(process, pc, to, error);

	/* At the only exit, the wave executes one instruction to leave the function. */
	if (!ret && to->num == 1 && to->at[0] == pc)
		to->num = 0;
	return ret;
}

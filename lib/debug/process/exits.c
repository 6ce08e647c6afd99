// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Where a function is left, see exits.h: all ways through it are followed, over calls and to
 * both sides of a branch. An s_setpc_b64 is taken for a return; a compiler may also have a
 * far branch made of one.
 */
#include "exits.h"
#include "isa/reach.h"

static bool is_return(const struct adbgd_way *way)
{
	return way->kind == ADBGD_WAY_REG && !way->has_return;
}

static bool is_call(const struct adbgd_way *way)
{
	return (way->kind == ADBGD_WAY_REG || way->kind == ADBGD_WAY_AWAY) && way->has_return;
}

static int begin(struct adbgd_process *p, uint64_t pc, struct adbgd_reach *r,
		 struct adbgd_error *error)
{
	struct adbgd_memory memory;

	adbgd_process_get_memory(p, &memory);
	return adbgd_reach_begin(r, &memory, p->info.gc_version, pc) ?
	       adbgd_no_memory(error, "a function's instructions") : 0;
}

/* 1; 0: there is no instruction */
static int look_at(struct adbgd_process *p, uint64_t pc, struct adbgd_reached *insn,
		   struct adbgd_error *error)
{
	struct adbgd_reach r;
	int ret = begin(p, pc, &r, error);

	if (!ret) {
		ret = adbgd_reach_read(&r, pc, insn);
		if (ret < 0)
			adbgd_failed(p, error, ret, "the instruction at %#llx cannot be read",
				     (unsigned long long)pc);
	}
	adbgd_reach_free(&r);
	return ret;
}

int adbgd_is_return(struct adbgd_process *process, uint64_t pc, struct adbgd_error *error)
{
	struct adbgd_reached insn;
	int ret = look_at(process, pc, &insn, error);

	return ret > 0 ? is_return(&insn.way) : ret;
}

int adbgd_is_call(struct adbgd_process *process, uint64_t pc, uint64_t *next,
		  struct adbgd_error *error)
{
	struct adbgd_reached insn;
	int ret = look_at(process, pc, &insn, error);

	if (ret <= 0)
		return ret;
	*next = pc + 4 * insn.num;
	return is_call(&insn.way);
}

/* ------------------------------------------------------------------- all of them */

static int take(void *arg, const struct adbgd_reached *insn)
{
	struct adbgd_exits *exits = arg;

	if (!insn->way.ends && !is_return(&insn->way))
		return 0;
	if (exits->num == ADBGD_MAX_EXITS)
		return -E2BIG;
	exits->at[exits->num++] = insn->pc;
	return 1;
}

int adbgd_exits_find(struct adbgd_process *process, uint64_t pc, struct adbgd_exits *exits,
		     struct adbgd_error *error)
{
	struct adbgd_reach r;
	int ret = begin(process, pc, &r, error);

	exits->num = 0;
	if (!ret) {
		r.visit = take;
		r.arg = exits;
		ret = adbgd_reach_from(&r, pc);
		if (ret == -E2BIG)
			adbgd_fail(error, ret, "the function at %#llx is too long, or is left in "
				   "more than %d places", (unsigned long long)pc,
				   ADBGD_MAX_EXITS);
		else if (ret)
			adbgd_failed(process, error, ret, "the function at %#llx cannot be read",
				     (unsigned long long)pc);
	}
	adbgd_reach_free(&r);
	if (ret)
		return ret;
	return exits->num ? 0 : adbgd_fail(error, -ENOENT, "there is no way out of the function "
					   "at %#llx", (unsigned long long)pc);
}

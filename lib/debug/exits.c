// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Where a function is left, see exits.h: all ways through it are followed, over calls and to
 * both sides of a branch. An s_setpc_b64 is taken for a return; a compiler may also have a
 * far branch made of one.
 */
#include <string.h>

#include "displace_ops.h"
#include "exits.h"

/* How far from where it begins it is looked, in bytes */
#define REACH		(256 << 10)
#define NUM_SEEN	(2 * REACH / 4)

struct search {
	struct adbgd_process *process;
	uint64_t base;
	uint64_t *todo;		/* other sides of branches */
	size_t num_todo, room;
	uint8_t *seen;		/* a bit for each dword from @base on */
};

/* One instruction. Its dwords; 0: there is none; -errno */
static int read_way(struct adbgd_process *p, uint64_t pc, struct adbgd_way *way)
{
	uint32_t insn[ADBGD_MAX_DWORDS] = { 0 };
	struct adbgd_memory memory;
	size_t num = ADBGD_MAX_DWORDS, length;
	int ret;

	adbgd_process_get_memory(p, &memory);
	/* It may be the last thing that is mapped. */
	do {
		ret = memory.read(memory.data, pc, insn, 4 * num);
	} while (ret && --num);
	if (ret)
		return ret;
	length = adbgd_length(p->info.gc_version, insn);
	*way = (struct adbgd_way){ .kind = ADBGD_WAY_ON };
	if (!length || length > num ||
	    adbgd_displace_gfx10_3.classify(insn, length, way) == -EINVAL)
		return 0;
	return (int)length;
}

static bool is_return(const struct adbgd_way *way)
{
	return way->kind == ADBGD_WAY_REG && !way->has_return;
}

static bool is_call(const struct adbgd_way *way)
{
	return (way->kind == ADBGD_WAY_REG || way->kind == ADBGD_WAY_AWAY) && way->has_return;
}

static int look_at(struct adbgd_process *p, uint64_t pc, struct adbgd_way *way,
		   struct adbgd_error *error)
{
	int num = read_way(p, pc, way);

	if (num < 0)
		return adbgd_failed(p, error, num, "the instruction at %#llx cannot be read",
				    (unsigned long long)pc);
	return num;
}

int adbgd_is_return(struct adbgd_process *process, uint64_t pc, struct adbgd_error *error)
{
	struct adbgd_way way;
	int num = look_at(process, pc, &way, error);

	return num > 0 ? is_return(&way) : num;
}

int adbgd_is_call(struct adbgd_process *process, uint64_t pc, uint64_t *next,
		  struct adbgd_error *error)
{
	struct adbgd_way way;
	int num = look_at(process, pc, &way, error);

	if (num <= 0)
		return num;
	*next = pc + 4 * num;
	return is_call(&way);
}

/* ------------------------------------------------------------------- all of them */

/* Was it there before? Then not again. 1, 0, or -errno */
static int was_seen(struct search *s, uint64_t pc)
{
	uint64_t bit = (pc - s->base) / 4;
	bool was;

	if (pc < s->base || bit >= NUM_SEEN)
		return -E2BIG;
	was = s->seen[bit / 8] >> bit % 8 & 1;
	s->seen[bit / 8] |= 1 << bit % 8;
	return was;
}

static int later(struct search *s, uint64_t pc)
{
	uint64_t *todo = adbgd_grow(s->todo, s->num_todo, &s->room, sizeof(*todo));

	if (!todo)
		return -ENOMEM;
	s->todo = todo;
	s->todo[s->num_todo++] = pc;
	return 0;
}

/* From there to where it ends, or where it was before */
static int follow(struct search *s, uint64_t pc, struct adbgd_exits *exits)
{
	struct adbgd_way way;
	int num, ret;

	for (;;) {
		ret = was_seen(s, pc);
		if (ret)
			return ret < 0 ? ret : 0;
		num = read_way(s->process, pc, &way);
		if (num <= 0)
			return num;
		if (way.ends || is_return(&way)) {
			if (exits->num == ADBGD_MAX_EXITS)
				return -E2BIG;
			exits->at[exits->num++] = pc;
			return 0;
		}
		if (way.kind == ADBGD_WAY_BRANCH)
			ret = later(s, pc + 4 * (num + (int64_t)way.offset));
		if (ret)
			return ret;
		if (way.kind == ADBGD_WAY_AWAY && !way.has_return)
			pc += 4 * (int64_t)way.offset;
		pc += 4 * num;
	}
}

int adbgd_exits_find(struct adbgd_process *process, uint64_t pc, struct adbgd_exits *exits,
		     struct adbgd_error *error)
{
	struct search s = { .process = process, .base = pc - REACH };
	int ret;

	exits->num = 0;
	s.seen = calloc(NUM_SEEN / 8, 1);
	if (!s.seen)
		return adbgd_no_memory(error, "a function's instructions");
	ret = later(&s, pc);
	while (!ret && s.num_todo)
		ret = follow(&s, s.todo[--s.num_todo], exits);
	free(s.todo);
	free(s.seen);
	if (ret == -E2BIG)
		return adbgd_fail(error, ret, "the function at %#llx is too long, or is left in "
				  "more than %d places", (unsigned long long)pc,
				  ADBGD_MAX_EXITS);
	if (ret)
		return adbgd_failed(process, error, ret, "the function at %#llx cannot be read",
				    (unsigned long long)pc);
	return exits->num ? 0 : adbgd_fail(error, -ENOENT, "there is no way out of the function "
					   "at %#llx", (unsigned long long)pc);
}

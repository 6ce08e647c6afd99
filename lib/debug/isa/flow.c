// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Following instructions, see flow.h: to both sides of a branch, and over calls. The target of an
 * s_setpc_b64 is not known, nor the function that an s_swappc_b64 calls.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"
#include "flow.h"

#define WORDS		(ADBGD_FLOW_PAGE_SIZE / 4)
#define NUM_SEEN	(2 * ADBGD_FLOW_DISTANCE / 4)

/* Maximum number of possible beginnings of the program that are tried */
#define MAX_BEGINS	16

int adbgd_flow_begin(struct adbgd_flow_walk *r, const struct adbgd_memory *memory,
		     uint32_t gc_version, uint64_t around)
{
	uint64_t base = around & ~(uint64_t)(ADBGD_FLOW_PAGE_SIZE - 1);

	*r = (struct adbgd_flow_walk){
		.memory = *memory, .gc_version = gc_version,
		.base = base > ADBGD_FLOW_DISTANCE ? base - ADBGD_FLOW_DISTANCE : 0,
	};
	r->seen = calloc(NUM_SEEN / 8, 1);
	return r->seen ? 0 : -ENOMEM;
}

void adbgd_flow_free(struct adbgd_flow_walk *r)
{
	size_t i;

	for (i = 0; i < ADBGD_FLOW_PAGES; i++)
		free(r->pages[i]);
	free(r->todo);
	free(r->seen);
}

static int read_page(struct adbgd_flow_walk *r, uint64_t i)
{
	uint32_t *page = malloc(ADBGD_FLOW_PAGE_SIZE);
	int ret;

	if (!page)
		return -ENOMEM;
	ret = r->memory.read(r->memory.data, r->base + i * ADBGD_FLOW_PAGE_SIZE, page,
			     ADBGD_FLOW_PAGE_SIZE);
	if (ret)
		free(page);
	else
		r->pages[i] = page;
	return ret;
}

static int read_word(struct adbgd_flow_walk *r, uint64_t pc, uint32_t *word)
{
	uint64_t i = (pc - r->base) / ADBGD_FLOW_PAGE_SIZE;
	int ret;

	if (pc < r->base || i >= ADBGD_FLOW_PAGES)
		return -E2BIG;
	ret = r->pages[i] ? 0 : read_page(r, i);
	if (!ret)
		*word = r->pages[i][pc / 4 % WORDS];
	return ret;
}

int adbgd_flow_read(struct adbgd_flow_walk *r, uint64_t pc, struct adbgd_flow_insn *insn)
{
	const struct adbgd_displace_ops *ops = &adbgd_displace_gfx10_3;
	size_t length;
	int num, ret;

	*insn = (struct adbgd_flow_insn){
		.pc = pc, .next_pc.kind = ADBGD_NEXT_PC_FOLLOWING,
	};
	/* The instruction may be at the end of the mapping, so fewer dwords may be readable. */
	for (num = 0; num < ADBGD_MAX_DWORDS; num++) {
		ret = read_word(r, pc + 4 * num, &insn->insn[num]);
		if (ret && !num)
			return ret;
		if (ret)
			break;
	}
	length = adbgd_length(r->gc_version, insn->insn);
	if (!length || length > (size_t)num ||
	    ops->classify(insn->insn, length, &insn->next_pc) == -EINVAL ||
	    (ops->is_gap(insn->insn[0]) && !insn->next_pc.ends))
		return 0;
	insn->num = length;
	return 1;
}

/* --------------------------------------------------------------------- all paths */

static bool has(const struct adbgd_flow_walk *r, uint64_t pc)
{
	uint64_t bit = (pc - r->base) / 4;

	return pc >= r->base && bit < NUM_SEEN && r->seen[bit / 8] >> bit % 8 & 1;
}

/* Mark the address as visited. Return: 1 it was visited before; 0; -errno. */
static int was_seen(struct adbgd_flow_walk *r, uint64_t pc)
{
	uint64_t bit = (pc - r->base) / 4;

	if (pc < r->base || bit >= NUM_SEEN)
		return -E2BIG;
	if (has(r, pc))
		return 1;
	r->seen[bit / 8] |= 1 << bit % 8;
	return 0;
}

static int later(struct adbgd_flow_walk *r, uint64_t pc)
{
	uint64_t *todo = adbgd_grow(r->todo, r->num_todo, &r->room, sizeof(*todo));

	if (!todo)
		return -ENOMEM;
	r->todo = todo;
	r->todo[r->num_todo++] = pc;
	return 0;
}

/* Undo was_seen() for an address at which no instruction begins. */
static void forget(struct adbgd_flow_walk *r, uint64_t pc)
{
	uint64_t bit = (pc - r->base) / 4;

	r->seen[bit / 8] &= ~(1 << bit % 8);
}

static bool ends(const struct adbgd_next_pc *next_pc)
{
	return next_pc->ends || (next_pc->kind == ADBGD_NEXT_PC_REG && !next_pc->has_return);
}

/* Follow one path until it ends, or reaches an instruction that was visited before. */
static int follow(struct adbgd_flow_walk *r, uint64_t pc)
{
	struct adbgd_flow_insn insn;
	int ret;

	for (;;) {
		ret = was_seen(r, pc);
		if (ret)
			return ret < 0 ? ret : 0;
		ret = adbgd_flow_read(r, pc, &insn);
		if (ret <= 0) {
			forget(r, pc);
			return ret;
		}
		ret = r->visit ? r->visit(r->arg, &insn) : 0;
		if (ret || ends(&insn.next_pc))
			return ret < 0 ? ret : 0;
		if (insn.next_pc.kind == ADBGD_NEXT_PC_BRANCH ||
		    (r->enters_calls && insn.next_pc.kind == ADBGD_NEXT_PC_JUMP &&
		     insn.next_pc.has_return))
			ret = later(r, pc + 4 * (insn.num + (int64_t)insn.next_pc.offset));
		if (ret)
			return ret;
		if (insn.next_pc.kind == ADBGD_NEXT_PC_JUMP && !insn.next_pc.has_return)
			pc += 4 * (int64_t)insn.next_pc.offset;
		pc += 4 * insn.num;
	}
}

int adbgd_flow_follow(struct adbgd_flow_walk *r, uint64_t pc)
{
	int first = later(r, pc), ret;

	while (first != -ENOMEM && r->num_todo) {
		ret = follow(r, r->todo[--r->num_todo]);
		first = first ? first : ret;
	}
	return first;
}

/* ---------------------------------------------------------------------- beginnings */

/*
 * May a program begin at @pc? Yes, if a gap is before it, apart from padding that assemblers
 * insert.
 * Return: 1, 0 or -errno, also if the memory before @pc cannot be read.
 */
static int may_begin(struct adbgd_flow_walk *r, uint64_t pc)
{
	uint64_t at = pc;
	uint32_t word;
	int ret;

	do {
		at -= 4;
		ret = read_word(r, at, &word);
	} while (!ret && pc - at < ADBGD_ENTRY_ALIGN && adbgd_displace_gfx10_3.is_padding(word));
	return ret ? ret : adbgd_displace_gfx10_3.is_gap(word);
}

/* Evaluate what was visited so far. Return: as adbgd_flow_find_start(). */
static int look(struct adbgd_flow_walk *r, uint64_t pc, uint64_t *in)
{
	struct adbgd_flow_insn insn;
	int i;

	if (has(r, pc))
		return 1;
	for (i = 1; i < ADBGD_MAX_DWORDS; i++) {
		if (!has(r, pc - 4 * i) || adbgd_flow_read(r, pc - 4 * i, &insn) != 1 ||
		    insn.num <= i)
			continue;
		*in = insn.pc;
		return 0;
	}
	return -ENOENT;
}

int adbgd_flow_find_start(struct adbgd_flow_walk *r, uint64_t pc, uint64_t *in)
{
	uint64_t at = pc & ~(uint64_t)(ADBGD_ENTRY_ALIGN - 1);
	unsigned int begins = 0;
	int begin = 0, ret;

	r->enters_calls = true;
	for (; begin >= 0 && begins < MAX_BEGINS; at -= ADBGD_ENTRY_ALIGN) {
		begin = may_begin(r, at);
		if (begin == -E2BIG || begin == -ENOMEM)
			break;
		if (!begin)
			continue;
		begins++;
		/* A path is followed up to the end of the window, or of readable memory. */
		ret = adbgd_flow_follow(r, at);
		if (ret == -ENOMEM)
			return ret;
		ret = look(r, pc, in);
		if (ret >= 0)
			return ret;
	}
	return begin == -ENOMEM ? begin : -ENOENT;
}

int adbgd_flow_before(struct adbgd_flow_walk *r, uint64_t pc, struct adbgd_flow_insn *insn)
{
	int i;

	for (i = 1; i <= ADBGD_MAX_DWORDS; i++) {
		if (has(r, pc - 4 * i) && adbgd_flow_read(r, pc - 4 * i, insn) == 1 &&
		    insn->num == i)
			return 1;
	}
	return 0;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finding loops in the instructions that a wave has executed: each begins with a branch to an
 * earlier address of the same function. A wave is in a loop as long as it executes addresses
 * between the first instruction and the last branch back to it, and what it calls there.
 */
#include <errno.h>

#include "loop.h"

/* Calls deeper than this are taken for jumps. */
#define CALLS_MAX	256

/* ------------------------------------------------------------------------- calls */

struct calls {
	uint64_t back[CALLS_MAX];	/* return addresses */
	size_t num;
	int64_t depth;
};

/* Is the jump a return? Then @c is the caller's. */
static bool returns(struct calls *c, uint64_t to)
{
	size_t i = c->num;

	while (i && c->back[i - 1] != to)
		i--;
	if (!i && c->num)
		return false;
	/* A return from the function in which the trace begins has no call. */
	c->depth -= i ? (int64_t)(c->num - i + 1) : 1;
	c->num = i ? i - 1 : 0;
	return true;
}

static void follow(struct calls *c, const struct adbgd_insn *insn, uint64_t to)
{
	uint64_t next = insn->address + insn->size;

	if ((insn->flow == ADBGD_FLOW_CALL || insn->flow == ADBGD_FLOW_CALL_REG) && to != next &&
	    c->num < CALLS_MAX) {
		c->back[c->num++] = next;
		c->depth++;
	} else if (insn->flow == ADBGD_FLOW_JUMP_REG) {
		(void)returns(c, to);
	}
}

static void find_depths(struct adbgd_loops *l)
{
	struct calls calls = { .num = 0 };
	uint64_t i;

	for (i = 0; i < l->num; i++) {
		l->depth[i] = calls.depth;
		follow(&calls, &l->insns[l->at[i]].insn, adbgd_loop_pc(l, i + 1));
	}
	l->depth[l->num] = calls.depth;
}

/* ------------------------------------------------------------------------- loops */

bool adbgd_loop_has(const struct adbgd_loop_found *f, uint64_t pc)
{
	size_t i;

	for (i = 0; i < f->num_parts; i++)
		if (pc >= f->parts[i].first && pc <= f->parts[i].last)
			return true;
	return pc >= f->info.head && pc <= f->info.last;
}

/* Has the wave branched back after instruction @i? */
static bool is_back_edge(const struct adbgd_loops *l, uint64_t i)
{
	const struct adbgd_insn *insn = &l->insns[l->at[i]].insn;

	return (insn->flow == ADBGD_FLOW_BRANCH || insn->flow == ADBGD_FLOW_COND ||
		insn->flow == ADBGD_FLOW_JUMP_REG) &&
	       adbgd_loop_pc(l, i + 1) <= insn->address && l->depth[i] == l->depth[i + 1];
}

/*
 * Find when the wave has entered the loop, which it may have before the trace; and when the
 * iteration has begun that ends with the first branch back, at @end.
 */
static void find_begin(const struct adbgd_loops *l, struct adbgd_loop_found *f, uint64_t end)
{
	uint64_t i = end;

	f->since = end;
	while (i--) {
		if (l->depth[i] < f->depth ||
		    (l->depth[i] == f->depth && !adbgd_loop_has(f, adbgd_loop_pc(l, i))))
			break;
		f->first = i;
		if (l->depth[i] == f->depth && adbgd_loop_pc(l, i) == f->info.head) {
			f->since = i;
			break;
		}
	}
}

static struct adbgd_loop_found *find(const struct adbgd_loops *l, uint64_t head, int64_t depth)
{
	size_t i;

	for (i = 0; i < l->num_found; i++)
		if (l->found[i]->info.head == head && l->found[i]->depth == depth)
			return l->found[i];
	return NULL;
}

/* The wave has branched back after instruction @i. */
static int take_back_edge(struct adbgd_loops *l, uint64_t i, struct adbgd_error *error)
{
	uint64_t last = adbgd_loop_pc(l, i), head = adbgd_loop_pc(l, i + 1);
	struct adbgd_loop_found *f = find(l, head, l->depth[i]);

	if (f) {
		if (last > f->info.last)
			f->info.last = last;
		return 0;
	}
	if (l->num_found == ADBGD_LOOPS_MAX)
		return 0;
	f = calloc(1, sizeof(*f));
	if (!f)
		return adbgd_no_memory(error, "a loop");
	f->info.head = head;
	f->info.last = last;
	f->depth = l->depth[i];
	f->is_active = true;
	find_begin(l, f, i + 1);
	f->has_since = true;
	l->found[l->num_found++] = f;
	return 0;
}

static int add_span(struct adbgd_loop_found *f, uint64_t end, struct adbgd_error *error)
{
	struct adbgd_loop_span *spans = adbgd_grow(f->spans, f->num_spans, &f->room,
						   sizeof(*spans));

	if (!spans)
		return adbgd_no_memory(error, "the iterations of a loop");
	f->spans = spans;
	spans[f->num_spans++] = (struct adbgd_loop_span){ f->since, end };
	f->repeated++;
	return 0;
}

/* The wave is outside of the loop. */
static void go_away(struct adbgd_loop_found *f, uint64_t pc, bool is_level)
{
	if (f->is_active) {
		f->info.left++;
		f->low = pc;
		f->high = pc;
	}
	/* It has returned from the function. */
	if (!is_level)
		f->low = 0;
	f->low = pc < f->low ? pc : f->low;
	f->high = pc > f->high ? pc : f->high;
}

/* The wave comes back, but not to the first instruction. Has it been in a part of the loop? */
static void come_back(struct adbgd_loop_found *f)
{
	if (f->low <= f->info.last || f->num_parts == ADBGD_LOOP_PARTS) {
		f->has_since = false;
		f->repeated = 0;
		return;
	}
	f->info.left--;
	f->parts[f->num_parts++] = (struct adbgd_loop_part){ f->low, f->high };
}

/* The wave is at instruction @i now. What does this mean for a loop? */
static int visit(const struct adbgd_loops *l, struct adbgd_loop_found *f, uint64_t i,
		 struct adbgd_error *error)
{
	bool is_level = l->depth[i] == f->depth, was_active = f->is_active, at_head;
	uint64_t pc = adbgd_loop_pc(l, i);
	int ret = 0;

	if (l->depth[i] > f->depth) {
		if (was_active)
			f->info.flags |= ADBGD_LOOP_CALLS;
		return 0;
	}
	if (!is_level || !adbgd_loop_has(f, pc)) {
		go_away(f, pc, is_level);
		f->is_active = false;
		return 0;
	}
	at_head = pc == f->info.head;
	f->is_active = true;
	if (!was_active && !at_head)
		come_back(f);
	if (!at_head || i <= f->since)
		return 0;
	if (was_active && f->has_since)
		ret = add_span(f, i, error);
	if (!was_active)
		f->repeated = 0;
	f->since = i;
	f->has_since = true;
	return ret;
}

static int find_all(struct adbgd_loops *l, struct adbgd_error *error)
{
	uint64_t i;
	size_t k;
	int ret = 0;

	for (i = 0; !ret && i < l->num; i++) {
		if (is_back_edge(l, i))
			ret = take_back_edge(l, i, error);
		for (k = 0; !ret && k < l->num_found; k++)
			ret = visit(l, l->found[k], i + 1, error);
	}
	return ret;
}

/* ------------------------------------------------------------------------- order */

static bool is_inside(const struct adbgd_loop_found *f, const struct adbgd_loop_found *outer)
{
	if (f == outer || f->first < outer->first)
		return false;
	return f->depth > outer->depth ||
	       (f->depth == outer->depth && adbgd_loop_has(outer, f->info.head) &&
		adbgd_loop_has(outer, f->info.last));
}

static void describe(struct adbgd_loops *l, struct adbgd_loop_found *f)
{
	struct adbgd_loop *info = &f->info;
	uint64_t length;
	size_t i;

	info->iterations = f->num_spans;
	for (i = 0; i < f->num_spans; i++) {
		length = f->spans[i].end - f->spans[i].begin;
		if (!i || length < info->min_instructions)
			info->min_instructions = length;
		if (length > info->max_instructions)
			info->max_instructions = length;
		info->instructions = length;
	}
	if (f->is_active)
		info->flags |= ADBGD_LOOP_ACTIVE;
	for (i = 0; i < l->num_found; i++)
		if (l->found[i]->is_active && is_inside(f, l->found[i]))
			info->flags |= ADBGD_LOOP_NESTED;
}

/* Innermost active loops first; those that the wave has left for good are the last. */
static int compare(const void *a, const void *b)
{
	const struct adbgd_loop_found *x = *(struct adbgd_loop_found *const *)a;
	const struct adbgd_loop_found *y = *(struct adbgd_loop_found *const *)b;
	bool x_is_over = !(x->info.flags & (ADBGD_LOOP_ACTIVE | ADBGD_LOOP_NESTED));
	bool y_is_over = !(y->info.flags & (ADBGD_LOOP_ACTIVE | ADBGD_LOOP_NESTED));
	uint64_t x_size = x->info.last - x->info.head, y_size = y->info.last - y->info.head;

	if (x_is_over != y_is_over)
		return x_is_over ? 1 : -1;
	if (x->depth != y->depth)
		return x->depth > y->depth ? -1 : 1;
	if (x_size != y_size)
		return x_size < y_size ? -1 : 1;
	return x->info.head < y->info.head ? -1 : x->info.head > y->info.head;
}

/* A branch back is no loop if the wave has not come from there to it. */
static void drop_incomplete(struct adbgd_loops *l)
{
	size_t i, num = 0;

	for (i = 0; i < l->num_found; i++) {
		if (l->found[i]->num_spans) {
			l->found[num++] = l->found[i];
			continue;
		}
		free(l->found[i]->spans);
		free(l->found[i]);
	}
	l->num_found = num;
}

int adbgd_loops_find(struct adbgd_loops *l, struct adbgd_error *error)
{
	size_t i;
	int ret;

	find_depths(l);
	ret = find_all(l, error);
	if (ret)
		return ret;
	drop_incomplete(l);
	for (i = 0; i < l->num_found; i++)
		describe(l, l->found[i]);
	qsort(l->found, l->num_found, sizeof(*l->found), compare);
	return 0;
}

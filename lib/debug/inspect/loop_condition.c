// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What decides whether a wave leaves a loop: the conditional branches of which one side is outside,
 * and the instructions that have computed their conditions. These are found backwards from the
 * branch: the last one that has written SCC, VCC or EXEC, and through operations on masks of lanes
 * the comparisons before it.
 */
#include <errno.h>
#include <string.h>

#include "isa/writes.h"
#include "loop.h"

/* So many instructions before a branch are searched. */
#define DISTANCE_MAX	4096

/* Scalar registers whose writers are searched; their numbers are those of writes.h. */
struct wanted {
	uint64_t scalar[ADBGD_NUM_S / 64];
	bool scc;
};

static void want(struct wanted *wanted, uint32_t first, uint32_t count)
{
	for (; count && first < ADBGD_NUM_S; first++, count--)
		wanted->scalar[first / 64] |= 1ULL << first % 64;
}

static bool wants_any(const struct wanted *wanted)
{
	return wanted->scc || wanted->scalar[0] || wanted->scalar[1];
}

/* What the branch depends on. False: the debugger of the hardware */
static bool want_branch(const struct adbgd_loops *l, const struct adbgd_insn *branch,
			struct wanted *wanted)
{
	*wanted = (struct wanted){ .scc = strstr(branch->text, "cbranch_scc") };
	if (strstr(branch->text, "cbranch_vcc"))
		want(wanted, ADBGD_S_VCC, l->lanes / 32);
	else if (strstr(branch->text, "cbranch_exec"))
		want(wanted, ADBGD_S_EXEC, l->lanes / 32);
	return wants_any(wanted);
}

/* False: not known for this GPU */
static bool writes_of(const struct adbgd_loops *l, const struct adbgd_loop_insn *insn,
		      struct adbgd_writes *writes)
{
	if (!adbgd_length(l->gc_version, insn->dwords))
		return false;
	adbgd_writes_gfx10_3(insn->dwords, l->lanes, writes);
	return true;
}

/* Does the instruction write what is wanted? It is then not wanted any more. */
static bool gives(struct wanted *wanted, const struct adbgd_writes *writes)
{
	struct wanted before = *wanted;
	uint32_t i, k;

	if (writes->scc)
		wanted->scc = false;
	for (i = 0; i < ARRAY_SIZE(writes->scalar); i++)
		for (k = 0; k < writes->scalar[i].count; k++)
			wanted->scalar[(writes->scalar[i].first + k) / 64] &=
				~(1ULL << (writes->scalar[i].first + k) % 64);
	return before.scc != wanted->scc || before.scalar[0] != wanted->scalar[0] ||
	       before.scalar[1] != wanted->scalar[1];
}

/* Does the instruction only combine or copy bits, so that its operands are conditions, too? */
static bool is_on_masks(const struct adbgd_insn *insn)
{
	static const char *const prefixes[] = {
		"s_and", "s_or", "s_xor", "s_nand", "s_nor", "s_xnor", "s_not", "s_mov",
		"s_cselect",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncmp(insn->text, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

/* The active lanes change for many reasons, so EXEC is only followed from a branch. */
static void want_sources(struct wanted *wanted, const struct adbgd_insn *insn)
{
	uint32_t i;

	for (i = 0; i < insn->num_operands; i++) {
		const struct adbgd_operand *o = &insn->operands[i];

		if (o->space == AMDGPUDBG_REG_SGPR && !(o->flags & ADBGD_OPERAND_FIRST))
			want(wanted, o->number, o->count);
	}
}

static bool is_in(const struct adbgd_loop_condition *c, uint32_t insn)
{
	size_t i;

	for (i = 0; i < c->num; i++)
		if (c->chain[i] == insn)
			return true;
	return false;
}

static void reverse(struct adbgd_loop_condition *c)
{
	size_t i;

	for (i = 0; i < c->num / 2; i++) {
		uint32_t insn = c->chain[i];

		c->chain[i] = c->chain[c->num - 1 - i];
		c->chain[c->num - 1 - i] = insn;
	}
}

/* Find the instructions before the branch, backwards. */
static void find_chain(const struct adbgd_loops *l, const struct adbgd_loop_found *f,
		       struct adbgd_loop_condition *c)
{
	uint64_t i = c->executed;
	struct wanted wanted;

	c->chain[0] = l->at[i];
	c->num = 1;
	if (!want_branch(l, &l->insns[l->at[i]].insn, &wanted))
		return;
	/* What was computed in the iteration before belongs to its own condition. */
	while (i > f->first && c->executed - i < DISTANCE_MAX && wants_any(&wanted) &&
	       c->num < ADBGD_LOOP_CHAIN &&
	       (l->depth[i] != f->depth || adbgd_loop_pc(l, i) != f->info.head)) {
		const struct adbgd_loop_insn *insn = &l->insns[l->at[--i]];
		struct adbgd_writes writes;

		if (!writes_of(l, insn, &writes) || !gives(&wanted, &writes) ||
		    is_in(c, l->at[i]))
			continue;
		c->chain[c->num++] = l->at[i];
		if (is_on_masks(&insn->insn))
			want_sources(&wanted, &insn->insn);
	}
	reverse(c);
}

static bool can_leave(const struct adbgd_loop_found *f, const struct adbgd_insn *insn)
{
	return insn->flow == ADBGD_FLOW_COND &&
	       (!adbgd_loop_has(f, insn->target) ||
		!adbgd_loop_has(f, insn->address + insn->size));
}

static struct adbgd_loop_condition *condition_of(struct adbgd_loop_found *f, uint32_t insn)
{
	uint32_t i;

	for (i = 0; i < f->info.num_conditions; i++)
		if (f->conditions[i].chain[0] == insn)
			return &f->conditions[i];
	if (i == ADBGD_LOOP_CONDITIONS)
		return NULL;
	f->info.num_conditions++;
	f->conditions[i].chain[0] = insn;
	return &f->conditions[i];
}

void adbgd_loop_find_conditions(const struct adbgd_loops *l, struct adbgd_loop_found *f)
{
	struct adbgd_loop_condition *c;
	uint32_t k;
	uint64_t i;

	for (i = f->first; i < l->num; i++) {
		if (l->depth[i] != f->depth || !adbgd_loop_has(f, adbgd_loop_pc(l, i)) ||
		    !can_leave(f, &l->insns[l->at[i]].insn))
			continue;
		c = condition_of(f, l->at[i]);
		if (c)
			c->executed = i;
	}
	for (k = 0; k < f->info.num_conditions; k++)
		find_chain(l, f, &f->conditions[k]);
}

/* ------------------------------------------------------------------------ results */

static const struct adbgd_loop_condition *get(const struct adbgd_loops *l, size_t i,
					      uint32_t condition, size_t k)
{
	if (i >= l->num_found || condition >= l->found[i]->info.num_conditions ||
	    k >= l->found[i]->conditions[condition].num)
		return NULL;
	return &l->found[i]->conditions[condition];
}

ADBGD_API const struct adbgd_insn *adbgd_loops_get_insn(const struct adbgd_loops *loops, size_t i,
							uint32_t condition, size_t k)
{
	const struct adbgd_loop_condition *c = get(loops, i, condition, k);

	return c ? &loops->insns[c->chain[k]].insn : NULL;
}

static bool overlaps(const struct adbgd_range *r, uint32_t first, uint32_t count)
{
	return r->count && first < (uint32_t)r->first + r->count && r->first < first + count;
}

static bool is_written(const struct adbgd_writes *w, const struct adbgd_operand *o)
{
	uint32_t first = o->space == ADBGD_REG_EXEC ? ADBGD_S_EXEC + o->number :
			 o->space == ADBGD_REG_M0 ? ADBGD_S_M0 : o->number;

	if (o->space == ADBGD_REG_SCC)
		return w->scc;
	if (o->space == AMDGPUDBG_REG_VGPR)
		return overlaps(&w->vector[0], first, o->count) ||
		       overlaps(&w->vector[1], first, o->count);
	if (o->space != AMDGPUDBG_REG_SGPR && o->space != ADBGD_REG_EXEC &&
	    o->space != ADBGD_REG_M0)
		return false;
	return overlaps(&w->scalar[0], first, o->count) || overlaps(&w->scalar[1], first, o->count);
}

static bool names(const struct adbgd_insn *insn, const struct adbgd_operand *o)
{
	uint32_t i;

	for (i = 0; i < insn->num_operands; i++)
		if (insn->operands[i].space == o->space &&
		    insn->operands[i].number < o->number + o->count &&
		    o->number < insn->operands[i].number + insn->operands[i].count)
			return true;
	return false;
}

/* Get register @n that an instruction uses without naming it in its text. */
static int implicit(const struct adbgd_loops *l, const struct adbgd_insn *insn,
		    const struct adbgd_writes *writes, size_t n, struct adbgd_operand *operand)
{
	const struct adbgd_operand all[] = {
		{ .space = AMDGPUDBG_REG_SGPR, .number = ADBGD_S_VCC, .count = l->lanes / 32 },
		{ .space = ADBGD_REG_EXEC, .count = l->lanes / 32 },
		{ .space = ADBGD_REG_SCC, .count = 1 },
	};
	struct wanted wanted = { .scc = false };
	size_t i;

	if (insn->flow == ADBGD_FLOW_COND)
		(void)want_branch(l, insn, &wanted);
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		bool is_source = all[i].space == ADBGD_REG_SCC ? wanted.scc :
				 all[i].space == ADBGD_REG_EXEC ?
				 wanted.scalar[1] >> (ADBGD_S_EXEC - 64) & 1 :
				 wanted.scalar[1] >> (ADBGD_S_VCC - 64) & 1;

		if (names(insn, &all[i]) || (!is_source && !is_written(writes, &all[i])) || n--)
			continue;
		*operand = all[i];
		operand->flags = is_written(writes, operand) ? ADBGD_OPERAND_RESULT : 0;
		return 0;
	}
	return -ENOENT;
}

ADBGD_API int adbgd_loops_get_operand(const struct adbgd_loops *loops, size_t i,
				      uint32_t condition, size_t k, size_t n,
				      struct adbgd_operand *operand)
{
	const struct adbgd_loop_condition *c = get(loops, i, condition, k);
	const struct adbgd_loop_insn *insn = c ? &loops->insns[c->chain[k]] : NULL;
	struct adbgd_writes writes = { .scc = false };

	if (!insn)
		return -ENOENT;
	(void)writes_of(loops, insn, &writes);
	if (n >= insn->insn.num_operands)
		return implicit(loops, &insn->insn, &writes, n - insn->insn.num_operands, operand);
	*operand = insn->insn.operands[n];
	if (is_written(&writes, operand))
		operand->flags |= ADBGD_OPERAND_RESULT;
	return 0;
}

/* Find the last execution of an instruction before @end. */
static int executed_before(const struct adbgd_loops *l, uint32_t insn, uint64_t begin,
			   uint64_t end, uint64_t *step)
{
	while (end > begin) {
		if (l->at[--end] == insn) {
			*step = end;
			return 0;
		}
	}
	return -ENOENT;
}

ADBGD_API int adbgd_loops_get_step(const struct adbgd_loops *loops, size_t i, uint32_t condition,
				   size_t k, uint64_t iteration, uint64_t *step)
{
	const struct adbgd_loop_condition *c = get(loops, i, condition, k);
	const struct adbgd_loop_span *span;
	int ret;

	if (!c || iteration >= loops->found[i]->num_spans)
		return -ENOENT;
	span = &loops->found[i]->spans[iteration];
	ret = executed_before(loops, c->chain[c->num - 1], span->begin, span->end, step);
	if (ret || k == c->num - 1)
		return ret;
	return executed_before(loops, c->chain[k], span->begin, *step, step);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Condition programs: the order of tests and branches, see condition_program.h.
 */
#include <errno.h>
#include <string.h>

#include <amdgpudbg.h>

#include "condition_program.h"
#include "emit.h"
#include "trap_abi.h"

/*
 * Of one condition: two for PCs, one each for steps, instructions, elsewhere, wave, x, y, z,
 * each compare and lanes
 */
#define MAX_BRANCHES	(11 + ADBGD_MAX_MORE)

/* Positions of branches whose distance is not known yet */
struct later {
	size_t at[MAX_BRANCHES];
	size_t num;
};

static void emit_at(struct adbgd_emitter *e, size_t at, uint32_t word)
{
	if (at < e->room)
		e->code[at] = word;
}

/* Reserve a branch to the next condition, which is taken if the test before is false. */
static void unless(struct adbgd_emitter *e, struct later *out)
{
	out->at[out->num++] = e->num;
	adbgd_emit(e, 0);
}

static bool is_of_step(const struct adbgd_handler_condition *c)
{
	return c->step || c->num_insns;
}

/*
 * Reserve a branch to where found_here() is called, for the test that was emitted before. The
 * last of
 * @num tests needs none: if it is false, all of them are.
 */
static void when(struct adbgd_emitter *e, size_t *found, size_t i, size_t num)
{
	found[i] = e->num;
	if (i + 1 < num)
		adbgd_emit(e, 0);
}

static void found_here(struct adbgd_emitter *e, const struct adbgd_emit_ops *ops,
		       const size_t *found, size_t num)
{
	size_t i;

	for (i = 0; i + 1 < num; i++)
		emit_at(e, found[i], ops->when(found[i], e->num));
}

/* Test for any of the PCs, with two instructions for each. */
static void emit_pcs(struct adbgd_emitter *e, const struct adbgd_emit_ops *ops,
		     const struct adbgd_handler_condition *c, struct later *out)
{
	size_t found[TRAP_CONDITION_DWORDS], i;

	if (!c->num_pcs)
		return;
	for (i = 0; i < c->num_pcs; i++) {
		ops->pc_lo_is(e, (uint32_t)c->pcs[i]);
		when(e, found, i, c->num_pcs);
	}
	unless(e, out);
	found_here(e, ops, found, c->num_pcs);
	if (c->patch)
		ops->patch_hi_is(e, c->pcs[0] >> 32);
	else if (is_of_step(c))
		ops->step_hi_is(e, c->pcs[0] >> 32);
	else
		ops->pc_hi_is(e, c->pcs[0] >> 32);
	unless(e, out);
}

static void emit_step(struct adbgd_emitter *e, const struct adbgd_emit_ops *ops,
		      const struct adbgd_handler_condition *c, struct later *out)
{
	/* The test of the PCs includes that of a step. */
	if (is_of_step(c) && !c->num_pcs) {
		ops->is_step(e);
		unless(e, out);
	}
	if (c->no_step) {
		ops->is_no_step(e);
		unless(e, out);
	}
}

static void emit_insns(struct adbgd_emitter *e, const struct adbgd_emit_ops *ops,
		       const struct adbgd_handler_condition *c, struct later *out)
{
	size_t found[ADBGD_MAX_INSN_MATCHES], i;

	if (!c->num_insns)
		return;
	ops->load_insn(e);
	for (i = 0; i < c->num_insns; i++) {
		ops->insn_is(e, &c->insns[i]);
		when(e, found, i, c->num_insns);
	}
	unless(e, out);
	found_here(e, ops, found, c->num_insns);
}

/* Get the comparisons of vector registers, or of others. */
static size_t compares_of(const struct adbgd_handler_condition *c, bool is_vector,
			  struct adbgd_handler_compare list[1 + ADBGD_MAX_MORE])
{
	size_t num = 0, i;

	if (c->relation != ADBGD_RELATION_NONE && c->is_vector == is_vector)
		list[num++] = (struct adbgd_handler_compare){
			.relation = c->relation, .is_vector = c->is_vector, .reg = c->reg,
			.value = c->value,
		};
	for (i = 0; i < ADBGD_MAX_MORE && c->more[i].relation != ADBGD_RELATION_NONE; i++) {
		if (c->more[i].is_vector == is_vector)
			list[num++] = c->more[i];
	}
	return num;
}

static void emit_compares(struct adbgd_emitter *e, const struct adbgd_emit_ops *ops,
			  const struct adbgd_handler_condition *c, struct later *out)
{
	struct adbgd_handler_compare list[1 + ADBGD_MAX_MORE];
	size_t num = compares_of(c, false, list), i;

	for (i = 0; i < num; i++) {
		ops->compare_scalar(e, &list[i]);
		unless(e, out);
	}
	num = compares_of(c, true, list);
	if (num)
		ops->compare_vectors(e, list, num, c->lanes);
	else if (c->lanes)
		ops->has_lanes(e, c->lanes);
	if (num || c->lanes)
		unless(e, out);
}

/* Test first what fails most often and costs least. */
static void emit_tests(struct adbgd_emitter *e, const struct adbgd_emit_ops *ops,
		       const struct adbgd_handler_condition *c, struct later *out)
{
	unsigned int i;

	emit_pcs(e, ops, c, out);
	emit_step(e, ops, c, out);
	emit_insns(e, ops, c, out);
	if (c->patch)
		ops->set_patch(e, c->patch);
	if (c->elsewhere) {
		ops->no_patch(e);
		unless(e, out);
	}
	if (c->wave) {
		ops->wave_is(e, c->wave);
		unless(e, out);
	}
	for (i = 0; c->group && i < 3; i++) {
		ops->group_is(e, i, c->group[i]);
		unless(e, out);
	}
	emit_compares(e, ops, c, out);
}

static void emit_condition(struct adbgd_emitter *e, const struct adbgd_emit_ops *ops,
			   const struct adbgd_handler_condition *c, bool last)
{
	struct later out = { .num = 0 };
	size_t next, i;

	emit_tests(e, ops, c, &out);
	if (!out.num)
		ops->always(e, true);
	if (c->counter)
		ops->set_counter(e, c->counter);
	if (c->stepped_tag)
		ops->set_stepped_tag(e, c->stepped_tag);
	adbgd_emit(e, ops->branch(e->num, e->room));
	next = last ? e->room : e->num;
	for (i = 0; i < out.num; i++)
		emit_at(e, out.at[i], ops->unless(out.at[i], next));
}

/* Steps exclude patches: a patch traps by s_trap, which is not a step. */
static bool is_valid_step(const struct adbgd_handler_condition *c)
{
	size_t i;

	if (c->num_insns > ADBGD_MAX_INSN_MATCHES ||
	    (is_of_step(c) && (c->patch || c->no_step)) ||
	    (c->stepped_tag && (!is_of_step(c) || c->stepped_tag & TRAP_TTMP13_RESERVED)))
		return false;
	for (i = 0; i < c->num_insns; i++) {
		if (c->insns[i].value & ~c->insns[i].mask)
			return false;
	}
	return true;
}

static bool is_valid_compare(const struct adbgd_emit_ops *ops,
			     const struct adbgd_handler_compare *c)
{
	switch (c->relation) {
	case ADBGD_RELATION_LESS:
	case ADBGD_RELATION_HAS_BITS:
		if (!c->value)
			return false;
		break;
	case ADBGD_RELATION_LESS_SIGNED:
		if (c->value == 0x80000000)
			return false;
		break;
	case ADBGD_RELATION_GREATER:
		if (c->value == UINT32_MAX)
			return false;
		break;
	case ADBGD_RELATION_GREATER_SIGNED:
		if (c->value == 0x7fffffff)
			return false;
		break;
	case ADBGD_RELATION_EQUAL:
	case ADBGD_RELATION_NOT_EQUAL:
		break;
	default:
		return false;
	}
	return ops->has_reg(c->is_vector, c->reg);
}

static bool is_valid(const struct adbgd_emit_ops *ops, const struct adbgd_handler_condition *c)
{
	struct adbgd_handler_compare list[1 + ADBGD_MAX_MORE];
	size_t i, vector, num;

	for (i = 1; i < c->num_pcs; i++) {
		if (c->pcs[i] >> 32 != c->pcs[0] >> 32)
			return false;
	}
	if (c->patch && (c->num_pcs != 1 || c->elsewhere))
		return false;
	if (!is_valid_step(c))
		return false;
	if (c->wave && !ops->has_wave(c->wave))
		return false;
	for (vector = 0; vector < 2; vector++) {
		num = compares_of(c, vector, list);
		for (i = 0; i < num; i++) {
			if (!is_valid_compare(ops, &list[i]))
				return false;
		}
	}
	return true;
}

int adbgd_condition_program_build(uint32_t gc_version,
				  const struct adbgd_handler_condition *conditions, size_t num,
				  uint32_t *code)
{
	const struct adbgd_emit_ops *ops = &adbgd_emit_gfx10_3;
	uint32_t made[TRAP_CONDITION_DWORDS] = { 0 };
	struct adbgd_emitter e = { .code = made, .room = TRAP_CONDITION_DWORDS };
	size_t i;

	if (ADBG_GC_MAJOR(gc_version) != 10 || ADBG_GC_MINOR(gc_version) != 3)
		return -EOPNOTSUPP;
	for (i = 0; i < num; i++) {
		if (conditions[i].num_pcs > TRAP_CONDITION_DWORDS)
			return -ENOSPC;
		if (!is_valid(ops, &conditions[i]))
			return -EINVAL;
		emit_condition(&e, ops, &conditions[i], i + 1 == num);
	}
	if (!num) {
		ops->always(&e, false);
		adbgd_emit(&e, ops->branch(e.num, e.room));
	}
	if (e.num > e.room)
		return -ENOSPC;
	memcpy(code, made, sizeof(made));
	return 0;
}

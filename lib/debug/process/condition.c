// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Conditions of breakpoints: checking them, and setting a trap handler that evaluates them.
 *
 * Other conditions need another handler (isa/handler.h). It is written to the place that no wave
 * has executed since the current handler was set. Then the instruction caches are invalidated, as
 * by each patch. Waves that are still in the previous handler may use displaced instructions and
 * hit counters of cleared breakpoints, so slots and counters are used in turn.
 */
#include <string.h>

#include "breakpoint.h"
#include "isa/handler.h"
#include "trap_abi.h"
#include "wave.h"

/* The register cannot be an operand. */
#define NO_REG		UINT32_MAX

static uint32_t operand_of(uint32_t space, uint32_t reg)
{
	switch (space) {
	case AMDGPUDBG_REG_VGPR:
		return reg;
	case AMDGPUDBG_REG_SGPR:
		return reg < ADBGD_OPERAND_AFTER_SGPRS ? reg : NO_REG;
	case ADBGD_REG_EXEC:
		return reg <= 1 ? ADBGD_OPERAND_EXEC_LO + reg : NO_REG;
	case ADBGD_REG_M0:
		return !reg ? ADBGD_OPERAND_M0 : NO_REG;
	case ADBGD_REG_SCC:
		return !reg ? ADBGD_OPERAND_SCC : NO_REG;
	default:
		return NO_REG;
	}
}

static struct adbgd_handler_condition condition_of(const struct adbgd_breakpoint *b,
						   const struct adbgd_condition *c)
{
	struct adbgd_handler_condition condition = {
		.pcs = &b->info.address, .num_pcs = 1,
		.wave = c->flags & ADBGD_CONDITION_WAVE ? &c->at : NULL,
		.group = c->flags & ADBGD_CONDITION_GROUP ? c->group : NULL,
		.lanes = c->lanes, .relation = c->relation,
		.is_vector = c->space == AMDGPUDBG_REG_VGPR,
		.reg = operand_of(c->space, c->reg), .value = c->value,
		/* If the host decides, it counts, too. */
		.counter = adbgd_condition_counts(c) && !b->test.evaluate ? b->counter : 0,
	};
	size_t i;

	for (i = 0; i < ADBGD_MAX_MORE; i++)
		condition.more[i] = (struct adbgd_handler_compare){
			.relation = c->more[i].relation,
			.is_vector = c->more[i].space == AMDGPUDBG_REG_VGPR,
			.reg = operand_of(c->more[i].space, c->more[i].reg),
			.value = c->more[i].value,
		};
	return condition;
}

/*
 * @handler: address of the handler's code. Displaced instructions are at higher addresses, so
 *	that the distance is positive.
 */
static struct adbgd_handler_condition patch_condition(const struct adbgd_breakpoint *b,
						      const struct adbgd_condition *c,
						      uint64_t handler)
{
	struct adbgd_handler_condition condition = condition_of(b, c);

	condition.patch = (uint32_t)(adbgd_breakpoint_displaced(b) -
				     (handler + TRAP_DISPLACED_FROM));
	return condition;
}

/*
 * The program writes the breakpoint's tag to TTMP13, which tells which breakpoint stopped a wave.
 */
static struct adbgd_handler_condition stepped_condition(const struct adbgd_breakpoint *b)
{
	static const struct adbgd_condition none;
	struct adbgd_handler_condition c = condition_of(b,
							b->has_condition ? &b->condition : &none);

	c.step = true;
	c.stepped_tag = adbgd_stepped_tag(b);
	c.insns = b->info.insns;
	c.num_insns = b->info.num_insns;
	if (c.num_insns)
		c.num_pcs = 0;
	return c;
}

/* ---------------------------------------------------------------------- checks */

static bool is_known(const struct adbgd_condition *c)
{
	static const uint32_t zeros[ARRAY_SIZE(c->__reserved)];

	return !(c->flags & ~(ADBGD_CONDITION_WAVE | ADBGD_CONDITION_GROUP)) &&
	       !memcmp(c->__reserved, zeros, sizeof(zeros));
}

static bool can_hold(const struct adbgd_process *p, const struct adbgd_handler_condition *condition)
{
	uint32_t code[TRAP_CONDITION_DWORDS];

	return !adbgd_condition_program_build(p->info.gc_version, condition, 1, code);
}

static bool can_hold_value(const struct adbgd_comparison *c)
{
	switch (c->relation) {
	case ADBGD_RELATION_LESS:
		return c->value;
	case ADBGD_RELATION_LESS_SIGNED:
		return c->value != 0x80000000;
	case ADBGD_RELATION_GREATER:
		return c->value != UINT32_MAX;
	case ADBGD_RELATION_GREATER_SIGNED:
		return c->value != 0x7fffffff;
	default:
		return true;
	}
}

static int check_compare(const struct adbgd_process *p, const struct adbgd_comparison *c,
			 struct adbgd_error *error)
{
	const struct adbgd_handler_condition of_reg = {
		.relation = ADBGD_RELATION_EQUAL, .is_vector = c->space == AMDGPUDBG_REG_VGPR,
		.reg = operand_of(c->space, c->reg),
	};

	if (c->relation > ADBGD_RELATION_GREATER_SIGNED)
		return adbgd_fail(error, -EINVAL, "unknown relation: %u", c->relation);
	if (!can_hold(p, &of_reg))
		return adbgd_fail(error, -EINVAL, "a trap handler cannot compare register %u of "
				  "kind %#x", c->reg, c->space);
	if (c->space == ADBGD_REG_SCC && c->value > 1)
		return adbgd_fail(error, -EINVAL, "SCC is 0 or 1, not %#x", c->value);
	if (!can_hold_value(c))
		return adbgd_fail(error, -EINVAL, "no register is %s than %#x",
				  c->relation == ADBGD_RELATION_GREATER ||
				  c->relation == ADBGD_RELATION_GREATER_SIGNED ? "greater" : "less",
				  c->value);
	if (c->relation == ADBGD_RELATION_HAS_BITS && !c->value)
		return adbgd_fail(error, -EINVAL, "the mask is 0: a register cannot have one of "
				  "its bits");
	return 0;
}

static int check_compares(const struct adbgd_process *p, const struct adbgd_condition *c,
			  struct adbgd_error *error)
{
	const struct adbgd_comparison first = {
		.relation = c->relation, .space = c->space, .reg = c->reg, .value = c->value,
	};
	size_t i;
	int ret;

	if (!c->relation)
		return c->more[0].relation ?
		       adbgd_fail(error, -EINVAL, "the first comparison is missing") : 0;
	ret = check_compare(p, &first, error);
	for (i = 0; !ret && i < ADBGD_MAX_MORE && c->more[i].relation; i++)
		ret = check_compare(p, &c->more[i], error);
	return ret;
}

static int check(const struct adbgd_process *p, const struct adbgd_condition *c,
		 struct adbgd_error *error)
{
	const struct adbgd_handler_condition of_wave = { .wave = &c->at };
	char name[ADBG_WAVE_NAME_MAX];

	if (!is_known(c))
		return adbgd_fail(error, -EINVAL, "unknown condition flags: %#x", c->flags);
	if (c->every > 1 && c->nth)
		return adbgd_fail(error, -EINVAL, "\"every %u\" and \"hit %u\" cannot be used "
				  "together", c->every, c->nth);
	if (c->flags & ADBGD_CONDITION_WAVE && !can_hold(p, &of_wave))
		return adbgd_fail(error, -EINVAL, "the GPU has no wave slot %s",
				  adbg_wave_name(&c->at, name));
	return check_compares(p, c, error);
}

/* ---------------------------------------------------------------- hit counters */

static bool is_counter_used(const struct adbgd_process *p, uint32_t counter)
{
	const struct adbgd_breakpoint *b = p->breakpoints.first;

	while (b && !(b->has_condition && b->counter == counter))
		b = b->next;
	return b;
}

/* This always ends: there are more hit counters than breakpoints. */
static uint32_t new_counter(struct adbgd_process *p)
{
	uint32_t counter;

	do {
		counter = p->handler.counters + p->handler.next_counter * TRAP_COUNTER_SIZE;
		p->handler.next_counter = (p->handler.next_counter + 1) % ADBGD_NUM_HIT_COUNTERS;
	} while (is_counter_used(p, counter));
	return counter;
}

static int write_counter(struct adbgd_process *p, uint32_t counter, const struct adbgd_condition *c)
{
	uint32_t words[TRAP_COUNTER_SIZE / 4] = { 0 };

	/*
	 * @every: count from 0 to every - 1, and again from 0. @nth: count on, so that only one
	 *	hit stops.
	 */
	words[TRAP_COUNTER_LIMIT / 4] = c->nth ? UINT32_MAX : c->every - 1;
	words[TRAP_COUNTER_STOPS_AT / 4] = (c->nth ? c->nth : c->every) - 1;
	return adbg_mem_write(p->session, p->handler.memory_id, counter, words, sizeof(words));
}

int adbgd_condition_assign(struct adbgd_breakpoint *breakpoint,
			   const struct adbgd_condition *condition, struct adbgd_error *error)
{
	struct adbgd_process *p = breakpoint->process;
	uint32_t counter = 0;
	int ret;

	if (!condition) {
		breakpoint->has_condition = false;
		return 0;
	}
	ret = check(p, condition, error);
	if (ret)
		return ret;
	if (adbgd_condition_counts(condition)) {
		/* Do not reuse the current counter, which running waves still change. */
		counter = new_counter(p);
		ret = write_counter(p, counter, condition);
		if (ret)
			return adbgd_failed(p, error, ret, "a condition cannot be written to "
					    "process %d", p->info.pid);
	}
	breakpoint->condition = *condition;
	breakpoint->counter = counter;
	breakpoint->has_condition = true;
	return 0;
}

uint64_t adbgd_condition_get_hits(const struct adbgd_breakpoint *breakpoint)
{
	struct adbgd_process *p = breakpoint->process;
	uint32_t hits = 0;

	if (!breakpoint->has_condition || !adbgd_condition_counts(&breakpoint->condition))
		return 0;
	if (breakpoint->test.evaluate)
		return breakpoint->test.hits;
	/* Without the counter, it begins again. */
	if (adbg_mem_read(p->session, p->handler.memory_id,
			  breakpoint->counter + TRAP_COUNTER_HITS, &hits, sizeof(hits)))
		return 0;
	return hits;
}

int adbgd_condition_set_hits(struct adbgd_breakpoint *breakpoint, struct adbgd_error *error)
{
	struct adbgd_process *p = breakpoint->process;
	const struct adbgd_condition *c = &breakpoint->condition;
	uint32_t hits;
	int ret;

	if (!breakpoint->counted || !breakpoint->has_condition || !adbgd_condition_counts(c))
		return 0;
	hits = c->nth ? breakpoint->counted : breakpoint->counted % c->every;
	ret = adbg_mem_write(p->session, p->handler.memory_id,
			     breakpoint->counter + TRAP_COUNTER_HITS, &hits, sizeof(hits));
	return ret ? adbgd_failed(p, error, ret, "a hit counter of process %d cannot be written",
				  p->info.pid) : 0;
}

/* -------------------------------------------------------------------- handlers */

/* Is the wave in the code of a handler that is not the current one? */
static bool is_in_other(const struct adbgd_process *p, const struct amdgpudbg_wave *w)
{
	uint64_t in_code = w->pc - p->handler.code_va;

	return in_code < ADBGD_NUM_HANDLERS * p->handler.size &&
	       in_code / p->handler.size != p->handler.current;
}

static int wait_left(struct adbgd_process *p, struct adbgd_error *error)
{
	int ret = adbgd_waves_list_without(p, is_in_other, error);

	if (ret || !adbgd_waves_have(p, is_in_other))
		return ret;
	return adbgd_fail(error, -EAGAIN, "waves of process %d do not leave the previous trap "
			  "handler", p->info.pid);
}

static int build(struct adbgd_process *p, uint32_t handler, uint32_t *code,
		 struct adbgd_error *error)
{
	uint64_t at = adbgd_process_handler(p, handler);
	/*
	 * With breakpoints by stepping, all waves are in debug mode, and other steps must not
	 * stop them.
	 */
	const struct adbgd_handler_condition elsewhere = {
		.elsewhere = true, .no_step = adbgd_stepped_exist(p),
	};
	const struct adbgd_breakpoint *b;
	struct adbgd_handler_condition *conditions;
	size_t num = 0;
	int ret;

	for (b = p->breakpoints.first; b; b = b->next)
		num += adbgd_is_stepped(b) ? 1 : b->has_condition * (1 + b->has_momentary);
	conditions = calloc(num + 1, sizeof(*conditions));
	if (!conditions)
		return adbgd_no_memory(error, "a trap handler");
	num = 0;
	for (b = p->breakpoints.first; b; b = b->next) {
		if (b->is_clearing || adbgd_is_out_of_use(b))
			continue;
		if (adbgd_is_stepped(b)) {
			if (!b->test.evaluate)
				conditions[num++] = stepped_condition(b);
			continue;
		}
		/*
		 * The momentary condition comes first: a condition that counts hits ends the
		 * program, whether its counter stops the wave or not.
		 */
		if (b->has_condition && b->has_momentary)
			conditions[num++] = patch_condition(b, &b->momentary, at);
		if (b->has_condition)
			conditions[num++] = patch_condition(b, &b->condition, at);
	}
	/* The first one stops the wave, and the host may find that one of these does not. */
	for (b = p->breakpoints.first; b; b = b->next)
		if (adbgd_is_stepped(b) && b->test.evaluate && !b->is_clearing &&
		    !adbgd_is_out_of_use(b))
			conditions[num++] = stepped_condition(b);
	conditions[num] = elsewhere;
	ret = adbgd_handler_build(p->info.gc_version, conditions, num + 1, code);
	free(conditions);
	return ret ? adbgd_fail(error, ret, "the trap handler has no room for the conditions of "
				"%zu breakpoints", num) : 0;
}

/*
 * Invalidate the instruction caches, by patching a spare dword and removing the patch. Before the
 * first handler is set, no wave has executed code of this buffer.
 */
static int empty_caches(struct adbgd_process *p)
{
	static const uint32_t word;
	int ret;

	if (!p->handler.was_set)
		return 0;
	ret = adbg_vm_patch(p->session, p->handler.spare_va, &word, sizeof(word));
	if (!ret || ret == -EEXIST)
		ret = adbg_vm_unpatch(p->session, p->handler.spare_va, sizeof(word),
				      AMDGPUDBG_VM_ACCESS_UNPATCH_KEEP);
	return ret;
}

static int set(struct adbgd_process *p, uint32_t handler, const uint32_t *code,
	       struct adbgd_error *error)
{
	uint32_t before = p->handler.current;
	int ret = wait_left(p, error);

	if (ret)
		return ret;
	ret = adbg_mem_write(p->session, p->handler.code_id, adbgd_process_handler(p, handler) -
			     p->handler.code_va, code, adbgd_handler_size(p->info.gc_version));
	if (!ret)
		ret = empty_caches(p);
	if (ret)
		return adbgd_failed(p, error, ret, "cannot replace the trap handler of "
				    "process %d",
				    p->info.pid);
	p->handler.current = handler;
	ret = adbgd_process_set_handler(p, error);
	if (ret)
		p->handler.current = before;
	return ret;
}

int adbgd_conditions_load(struct adbgd_process *process, struct adbgd_error *error)
{
	uint32_t handler = (process->handler.current + 1) % ADBGD_NUM_HANDLERS, *code;
	int ret;

	if (process->handler.has_conditions)
		return 0;
	code = malloc(adbgd_handler_size(process->info.gc_version));
	if (!code)
		return adbgd_no_memory(error, "a trap handler");
	ret = build(process, handler, code, error);
	if (!ret)
		ret = set(process, handler, code, error);
	free(code);
	process->handler.has_conditions = !ret;
	return ret;
}

/*
 * Waves may enter their handler again and again, so that it is never seen without a wave. Setting
 * another handler shows when all of them have left the previous one.
 */
int adbgd_conditions_reload(struct adbgd_process *process, struct adbgd_error *error)
{
	int ret;

	process->handler.has_conditions = false;
	ret = adbgd_conditions_load(process, error);
	return ret ? ret : wait_left(process, error);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Conditions of breakpoints that the host decides: evaluating them in the lanes of a halted wave.
 */
#include <errno.h>
#include <string.h>

#include <amdgpudbg-debug-condition.h>
#include <amdgpudbg-debug-value.h>
#include <amdgpudbg-debug-wave.h>

#include "context.h"
#include "process/breakpoint.h"

/* ------------------------------------------------------------------- comparisons */

/* As the trap handler compares, see isa/condition_program.c */
static bool compares(uint32_t relation, uint32_t a, uint32_t b)
{
	switch (relation) {
	case ADBGD_RELATION_EQUAL:
		return a == b;
	case ADBGD_RELATION_NOT_EQUAL:
		return a != b;
	case ADBGD_RELATION_LESS:
		return a < b;
	case ADBGD_RELATION_LESS_SIGNED:
		return (int32_t)a < (int32_t)b;
	case ADBGD_RELATION_GREATER:
		return a > b;
	case ADBGD_RELATION_GREATER_SIGNED:
		return (int32_t)a > (int32_t)b;
	default:
		return a & b;
	}
}

static int read_register(const struct adbgd_context *context, uint32_t space, uint32_t number,
			 uint32_t *value, struct adbgd_error *error)
{
	int ret = context->read_register(context->data, space, number, context->lane, value);

	return ret ? adbgd_fail(error, ret, "a register cannot be read: %s", context->explain ?
				context->explain(context->data) : strerror(-ret)) : 0;
}

static int compare(const struct adbgd_comparison *c, const struct adbgd_context *context,
		   bool *is_true, struct adbgd_error *error)
{
	uint32_t value;
	int ret;

	if (!*is_true || !c->relation)
		return 0;
	ret = read_register(context, c->space, c->reg, &value, error);
	if (!ret)
		*is_true = compares(c->relation, value, c->value);
	return ret;
}

static int compare_all(const struct adbgd_condition *c, const struct adbgd_context *context,
		       bool *is_true, struct adbgd_error *error)
{
	const struct adbgd_comparison first = {
		.relation = c->relation, .space = c->space, .reg = c->reg, .value = c->value,
	};
	size_t i;
	int ret = compare(&first, context, is_true, error);

	for (i = 0; !ret && i < ADBGD_MAX_MORE && c->more[i].relation; i++)
		ret = compare(&c->more[i], context, is_true, error);
	return ret;
}

static int compare_group(const struct adbgd_condition *c, const struct adbgd_context *context,
			 bool *is_true, struct adbgd_error *error)
{
	uint32_t value, i;
	int ret = 0;

	for (i = 0; !ret && *is_true && c->flags & ADBGD_CONDITION_GROUP && i < 3; i++) {
		ret = read_register(context, ADBGD_REG_GROUP, i, &value, error);
		*is_true = !ret && value == c->group[i];
	}
	return ret;
}

/* -------------------------------------------------------------------------- lanes */

static int read_exec(const struct adbgd_context *context, uint64_t *exec,
		     struct adbgd_error *error)
{
	uint32_t low, high = 0;
	int ret = read_register(context, ADBGD_REG_EXEC, 0, &low, error);

	if (!ret && context->lanes == 64)
		ret = read_register(context, ADBGD_REG_EXEC, 1, &high, error);
	*exec = ret ? 0 : (uint64_t)high << 32 | low;
	return ret;
}

static int is_true_in(const struct adbgd_condition *condition, struct adbgd_variables *variables,
		      const char *expression, const struct adbgd_context *context, bool *is_true,
		      struct adbgd_error *error)
{
	int ret = 0;

	*is_true = true;
	if (condition)
		ret = compare_all(condition, context, is_true, error);
	return ret || !*is_true || !expression ? ret :
	       adbgd_expression_is_true(variables, expression, context, is_true, error);
}

ADBGD_API int adbgd_condition_find_lanes(const struct adbgd_condition *condition,
					 struct adbgd_variables *variables, const char *expression,
					 const struct adbgd_context *context, uint64_t *lanes,
					 struct adbgd_error *error)
{
	struct adbgd_context of_lane = *context;
	struct adbgd_error why, first = { .error = 0 };
	bool is_true = true;
	uint64_t active;
	int ret = read_exec(context, &active, error);

	if (!ret && condition)
		ret = compare_group(condition, context, &is_true, error);
	if (ret)
		return ret;
	if (condition && condition->lanes)
		active &= condition->lanes;
	*lanes = 0;
	for (; is_true && active; active &= active - 1) {
		bool is;

		of_lane.lane = __builtin_ctzll(active);
		ret = is_true_in(condition, variables, expression, &of_lane, &is, &why);
		if (!ret)
			*lanes |= (uint64_t)is << of_lane.lane;
		else if (!first.error || ret == -EINTR)
			adbgd_fail(&first, ret, "lane %u: %s", of_lane.lane, why.text);
		if (ret == -EINTR)
			break;
	}
	if (!first.error || (*lanes && first.error != -EINTR))
		return 0;
	if (error)
		*error = first;
	return first.error;
}

/* -------------------------------------------------------------------- breakpoints */

static struct adbgd_code *find_code(const struct adbgd_process *p, uint64_t pc)
{
	return p->find_code ? p->find_code(p->find_code_data, pc) : NULL;
}

/* Get the variables in scope at @pc; NULL: the expression names none. */
static int get_variables(struct adbgd_code *code, uint64_t pc, const char *expression,
			 struct adbgd_variables **variables, struct adbgd_error *error)
{
	*variables = NULL;
	if (!adbgd_expression_names_variable(expression))
		return 0;
	if (!code)
		return adbgd_fail(error, -ENOENT, "no known code object contains the instruction "
				  "at %#llx", (unsigned long long)pc);
	return adbgd_variables_new(code, pc, variables, error);
}

static bool is_other_wave(const struct adbgd_condition *condition,
			  const struct amdgpudbg_wave_coord *at)
{
	return condition && condition->flags & ADBGD_CONDITION_WAVE &&
	       memcmp(&condition->at, at, sizeof(*at));
}

static int evaluate(struct adbgd_breakpoint *b, const struct amdgpudbg_wave_coord *at,
		    uint64_t *lanes, struct adbgd_error *error)
{
	const struct adbgd_condition *condition = b->has_condition ? &b->condition : NULL;
	const char *expression = b->test.expression;
	struct adbgd_variables *variables = NULL;
	struct adbgd_wave_context *wave;
	struct adbgd_context context;
	struct adbgd_code *code;
	uint64_t pc;
	int ret;

	*lanes = 0;
	if (is_other_wave(condition, at))
		return 0;
	ret = adbgd_wave_context_new(b->process, at, NULL, &wave, error);
	if (ret)
		return ret;
	pc = adbgd_wave_context_get_pc(wave);
	code = find_code(b->process, pc);
	wave->code = code;
	ret = get_variables(code, pc, expression, &variables, error);
	if (!ret) {
		context = adbgd_wave_context_get(wave, 0);
		context.names = b->process->value_names;
		ret = adbgd_condition_find_lanes(condition, variables, expression, &context, lanes,
						 error);
	}
	adbgd_variables_free(variables);
	adbgd_wave_context_free(wave);
	return ret;
}

/* Variables in scope are only known where the breakpoint has an address. */
static int check(const struct adbgd_breakpoint *b, const char *expression,
		 struct adbgd_error *error)
{
	struct adbgd_variables *variables;
	int ret;

	if (b->info.num_insns && adbgd_expression_names_variable(expression))
		return 0;
	ret = get_variables(find_code(b->process, b->info.address), b->info.address, expression,
			    &variables, error);
	if (ret)
		return ret;
	ret = adbgd_expression_check(variables, expression, b->process->value_names, error);
	adbgd_variables_free(variables);
	return ret;
}

ADBGD_API int adbgd_breakpoint_set_expression(struct adbgd_breakpoint *breakpoint,
					      const char *expression, struct adbgd_error *error)
{
	const struct adbgd_host_test test = {
		.evaluate = evaluate, .expression = (char *)(uintptr_t)expression,
	};
	int ret;

	if (breakpoint->info.flags & ADBGD_BREAKPOINT_NO_ADDRESS)
		return adbgd_fail(error, -EINVAL, "breakpoint %u has no address yet",
				  breakpoint->info.number);
	ret = check(breakpoint, expression, error);
	return ret ? ret : adbgd_breakpoint_set_test(breakpoint, &test, error);
}

ADBGD_API const char *adbgd_breakpoint_get_expression(const struct adbgd_breakpoint *breakpoint)
{
	return breakpoint->test.expression;
}

ADBGD_API void
adbgd_process_set_code_callback(struct adbgd_process *process,
				struct adbgd_code *(*find)(void *data, uint64_t address),
				void *data)
{
	process->find_code = find;
	process->find_code_data = data;
}

ADBGD_API void adbgd_process_set_value_names(struct adbgd_process *process,
					     const struct adbgd_value_names *names)
{
	process->value_names = names;
}

ADBGD_API const struct adbgd_error *
adbgd_process_get_condition_error(const struct adbgd_process *process)
{
	return &process->condition_error;
}

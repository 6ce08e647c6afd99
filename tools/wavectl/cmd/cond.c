// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl cond: sets and clears conditions of breakpoints.
 */
#include <stdlib.h>

#include <amdgpudbg-debug-condition.h>

#include "base/cmdline.h"
#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/break_place.h"
#include "debug/condition.h"
#include "waves/action.h"

struct setting {
	struct adbgd_breakpoint *b;
	struct condition condition;
	bool has_condition;		/* false: none, or @is_later */
	char *typed;			/* NULL: none */
	bool is_later;			/* the code of the breakpoint is not loaded */
};

static void emit_setting(struct wavectl *w, const void *data)
{
	const struct setting *setting = data;

	emit_uint(w->emit, "number", adbgd_breakpoint_get_info(setting->b)->number);
	condition_emit_typed(w, "condition",
			     setting->has_condition ? condition_gpu(&setting->condition) : NULL,
			     setting->is_later ? setting->typed : setting->condition.text, false);
}

/* Set both parts of a condition, or change nothing. */
static int replace(struct adbgd_breakpoint *b, const struct condition *c, struct adbgd_error *error)
{
	const struct adbgd_condition *gpu = adbgd_breakpoint_get_condition(b);
	const char *expression = adbgd_breakpoint_get_expression(b);
	struct condition before = {
		.has_gpu = gpu, .expression = expression ? xstrdup(expression) : NULL,
	};
	int ret;

	if (gpu)
		before.gpu = *gpu;
	ret = adbgd_breakpoint_set_condition(b, condition_gpu(c), error);
	if (!ret) {
		ret = condition_complete(c, b, error);
		if (ret && !adbgd_breakpoint_set_condition(b, condition_gpu(&before), NULL))
			ignore_result(condition_complete(&before, b, NULL));
	}
	condition_free(&before);
	return ret;
}

static int set(struct wavectl *w, void *data)
{
	const struct setting *setting = data;
	uint32_t number = adbgd_breakpoint_get_info(setting->b)->number;
	struct debugger *d = w->shell->debugger;
	struct adbgd_error error;

	if (!setting->is_later &&
	    replace(setting->b, setting->has_condition ? &setting->condition : NULL, &error))
		return debug_fail(w, &error);
	stop_actions_set_condition(&d->stop_actions, number, setting->is_later ?
				   setting->typed : setting->condition.text);
	break_place_set_condition(d, number, setting->typed);
	return WAVECTL_OK;
}

static int set_condition(struct wavectl *w, struct setting *setting)
{
	bool has = setting->typed, by_host = setting->condition.expression;

	return action_run(w, &(struct action){
		.what = has ? "make breakpoint {number} stop waves if {condition}" :
			      "make breakpoint {number} stop all waves",
		.done = by_host ? "breakpoint {number} stops waves if {condition}, by the host" :
			has ? "breakpoint {number} stops waves if {condition}" :
			      "breakpoint {number} stops all waves",
		.describe = emit_setting, .run = set, .data = setting,
	});
}

static int cmd_cond(struct wavectl *w)
{
	struct setting setting = { .typed = NULL };
	const struct adbgd_breakpoint_info *info;
	uint64_t number;
	int status;

	if (!w->num_words || !parse_u64(w->words[0], UINT32_MAX, &number))
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "\"cond\" takes the number of a breakpoint, and optionally a condition");
	status = debug_open_target(w);
	if (!status)
		status = debug_find_breakpoint(w, number, &setting.b);
	if (status)
		return status;
	info = adbgd_breakpoint_get_info(setting.b);
	setting.is_later = info->flags & ADBGD_BREAKPOINT_NO_ADDRESS;
	setting.typed = w->num_words > 1 ?
			expression_words(w, w->words + 1, w->num_words - 1) : NULL;
	setting.has_condition = setting.typed && !setting.is_later;
	status = condition_fix_values(w, &setting.typed);
	if (!status && setting.has_condition)
		status = condition_parse(w, setting.typed, info->num_insns ? NULL : &info->address,
					 &setting.condition);
	if (!status)
		status = set_condition(w, &setting);
	condition_free(&setting.condition);
	free(setting.typed);
	return status;
}

const struct command cond_commands[] = {
	{
		.noun = "cond",
		.aliases = { "condition" },
		.args = "NUMBER [CONDITION...]",
		.expression_from = 2,
		.summary = "set or clear the condition of a breakpoint",
		.help = "CONDITION is as for \"break set\". The count of hits starts at 0 again.",
		.options = target_options,
		.run = cmd_cond,
	},
	{ .noun = NULL },
};

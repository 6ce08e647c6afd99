// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl cond: sets and clears conditions of breakpoints.
 */
#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/condition.h"
#include "waves/dry_run.h"

static int describe_condition(struct wavectl *w, uint64_t number, const struct adbgd_condition *c)
{
	dry_run_begin(w);
	emit_uint(w->emit, "number", number);
	condition_emit(w, "condition", c);
	return dry_run_end(w, c ? "make breakpoint {number} stop waves if {condition}" :
			      "make breakpoint {number} stop all waves");
}

static int say(struct wavectl *w, const struct adbgd_breakpoint *b)
{
	const struct adbgd_condition *c = adbgd_breakpoint_get_condition(b);

	emit_begin(w->emit);
	emit_uint(w->emit, "number", adbgd_breakpoint_get_info(b)->number);
	condition_emit(w, "condition", c);
	emit_say(w->emit, c ? "breakpoint {number} stops waves if {condition}" :
			      "breakpoint {number} stops all waves");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int cmd_cond(struct wavectl *w)
{
	struct condition_words words = { .words = w->words + 1, .num = w->num_words - 1 };
	struct adbgd_breakpoint *b;
	struct adbgd_condition c;
	struct adbgd_error error;
	uint64_t number;
	int status;

	if (!w->num_words || !parse_u64(w->words[0], UINT32_MAX, &number))
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "\"cond\" takes the number of a breakpoint, and optionally a condition");
	status = debug_open_target(w);
	if (!status && words.num)
		status = condition_parse(w, &words, &c);
	if (status)
		return status;
	status = debug_find_breakpoint(w, number, &b);
	if (status)
		return status;
	if (w->dry_run)
		return describe_condition(w, number, words.num ? &c : NULL);
	if (adbgd_breakpoint_set_condition(b, words.num ? &c : NULL, &error))
		return debug_fail(w, &error);
	return say(w, b);
}

const struct command cond_commands[] = {
	{
		.noun = "cond",
		.args = "NUMBER [CONDITION...]",
		.summary = "set or clear the condition of a breakpoint",
		.help = "CONDITION is as for \"break set\". The count of hits starts at 0 again.",
		.options = target_options,
		.run = cmd_cond,
	},
	{ .noun = NULL },
};

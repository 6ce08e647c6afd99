// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl enable, disable and ignore: breakpoints that stop no waves for a while.
 */
#include <string.h>

#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/break_list.h"
#include "waves/action.h"

/* Breakpoints to enable or disable */
struct enabling {
	struct break_list list;
	uint32_t flags;			/* of adbgd_breakpoint_enable() */
	bool disable;
};

static void emit_enabling(struct wavectl *w, const void *data)
{
	const struct enabling *e = data;

	emit_uint(w->emit, "count", e->list.count);
}

/* Breakpoints by stepping need the launch mode again. */
static int enable(struct wavectl *w, struct adbgd_breakpoint *b, uint32_t flags)
{
	int status = adbgd_breakpoint_get_info(b)->flags & ADBGD_BREAKPOINT_STEPPED ?
		     debug_claim_launch(w) : WAVECTL_OK;
	struct adbgd_error error;

	if (!status && adbgd_breakpoint_enable(b, flags, &error))
		status = debug_fail(w, &error);
	return status;
}

static int disable(struct wavectl *w, struct adbgd_breakpoint *b)
{
	struct adbgd_error error;

	return adbgd_breakpoint_disable(b, &error) ? debug_fail(w, &error) : WAVECTL_OK;
}

static int run_enabling(struct wavectl *w, void *data)
{
	const struct enabling *e = data;
	int status = WAVECTL_OK;

	for (uint64_t i = 0; !status && i < e->list.count; i++)
		status = e->disable ? disable(w, e->list.breakpoints[i]) :
				      enable(w, e->list.breakpoints[i], e->flags);
	return status;
}

static int enable_words(struct wavectl *w, struct enabling *e, const char *what, const char *done)
{
	int status = break_list_take(w, &e->list);

	if (!status)
		status = action_run(w, &(struct action){
			.what = what, .done = done,
			.describe = emit_enabling, .run = run_enabling, .data = e,
		});
	break_list_free(&e->list);
	return status;
}

static int cmd_disable(struct wavectl *w)
{
	struct enabling e = { .disable = true };

	return enable_words(w, &e, "disable {count}", "disabled {count}");
}

static int cmd_enable(struct wavectl *w)
{
	const char *first = w->num_words ? w->words[0] : "";
	struct enabling e = { .flags = 0 };

	if (!strcmp(first, "once"))
		e.flags = ADBGD_BREAKPOINT_ONCE;
	else if (!strcmp(first, "delete"))
		e.flags = ADBGD_BREAKPOINT_TEMPORARY;
	if (!e.flags)
		return enable_words(w, &e, "enable {count}", "enabled {count}");
	w->words++;
	w->num_words--;
	return e.flags == ADBGD_BREAKPOINT_ONCE ?
	       enable_words(w, &e, "enable {count} for one stop", "enabled {count} for one stop") :
	       enable_words(w, &e, "enable {count} until the next stop clears it",
			    "enabled {count} until the next stop clears it");
}

struct ignoring {
	struct adbgd_breakpoint *b;
	uint32_t count;
};

static void emit_ignoring(struct wavectl *w, const void *data)
{
	const struct ignoring *ignoring = data;

	emit_uint(w->emit, "number", adbgd_breakpoint_get_info(ignoring->b)->number);
	emit_uint(w->emit, "count", ignoring->count);
}

static int run_ignoring(struct wavectl *w, void *data)
{
	const struct ignoring *ignoring = data;

	(void)w;
	adbgd_breakpoint_set_ignore(ignoring->b, ignoring->count);
	return WAVECTL_OK;
}

static int cmd_ignore(struct wavectl *w)
{
	struct ignoring ignoring = { .count = 0 };
	uint64_t number, count;
	int status;

	if (w->num_words != 2 || !parse_u64(w->words[0], UINT32_MAX, &number) ||
	    !parse_u64(w->words[1], UINT32_MAX, &count))
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "\"ignore\" takes the number of a breakpoint and a number of stops");
	status = open_target(w);
	if (!status)
		status = debug_find_breakpoint(w, number, &ignoring.b);
	ignoring.count = (uint32_t)count;
	return status ? status : action_run(w, &(struct action){
		.what = count ? "ignore the next {count} stops at breakpoint {number}" :
				"report the next stop at breakpoint {number}",
		.done = count ? "the next {count} stops at breakpoint {number} are ignored" :
				"the next stop at breakpoint {number} is reported",
		.describe = emit_ignoring, .run = run_ignoring, .data = &ignoring,
	});
}

const struct command enable_commands[] = {
	{
		.noun = "disable",
		.args = "[NUMBER...]",
		.summary = "disable breakpoints, or all breakpoints",
		.help = "NUMBER may be a range such as 2-4. A disabled breakpoint is not in the code of the\n"
			"process, and keeps its number, condition and hits until \"enable\" inserts it again.",
		.options = target_options,
		.run = cmd_disable,
	},
	{
		.noun = "enable",
		.args = "[once | delete] [NUMBER...]",
		.summary = "enable breakpoints, or all breakpoints",
		.help = "NUMBER may be a range such as 2-4. With \"once\", the next stop disables the\n"
			"breakpoint again; with \"delete\", it clears the breakpoint.",
		.options = target_options,
		.run = cmd_enable,
	},
	{
		.noun = "ignore",
		.args = "NUMBER COUNT",
		.summary = "ignore the next stops at a breakpoint",
		.help = "At each of the next COUNT stops, the wave is halted for a moment and resumed. If\n"
			"the breakpoint has a condition, only stops for which it is true count. A condition\n"
			"with \"hit\" or \"every\" counts on the GPU instead, which is faster.",
		.options = target_options,
		.run = cmd_ignore,
	},
	{ .noun = NULL },
};

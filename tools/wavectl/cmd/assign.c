// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl set variable, and assignments in print and set: change a variable, memory or a register
 * of the selected wave.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <amdgpudbg-debug-value.h>

#include "base/cmdline.h"
#include "base/util.h"
#include "cmd/assign.h"
#include "cmd/commands.h"
#include "cmd/convenience.h"
#include "debug/code.h"
#include "debug/frame.h"
#include "waves/action.h"

struct assign_args {
	struct lane_range lanes;
};

#define TEXT_MAX	256

struct assignment {
	struct focus focus;
	struct adbgd_variables *variables;	/* NULL: no variable is needed */
	char *text;			/* the assignment */
	char *name;			/* its left side */
	uint32_t first_lane, last_lane;
};

bool assign_is_meant(const struct wavectl *w)
{
	char *text = expression_words(w, w->words, w->num_words);
	bool is_meant = adbgd_expression_find_assignment(text) >= 0;

	free(text);
	return is_meant;
}

static int fail_assignment(struct wavectl *w, const struct assignment *a, uint32_t lane,
			   const struct adbgd_error *error)
{
	bool is_usage = error->error == -EINVAL || error->error == -EOVERFLOW;
	char *hint = NULL;
	int status;

	if (lane > a->first_lane)
		xappend(&hint, "lanes %u to %u were changed", a->first_lane, lane - 1);
	status = fail_with(w, is_usage ? WAVECTL_USAGE : exit_status(error->error), hint, "%s",
			   error->text);
	free(hint);
	return status;
}

/* ------------------------------------------------------------------------- results */

static void emit_lanes_of(struct wavectl *w, const struct assignment *a)
{
	emit_uint(w->emit, "first_lane", a->first_lane);
	emit_uint(w->emit, "last_lane", a->last_lane);
}

static void emit_assignment(struct wavectl *w, const void *data)
{
	const struct assignment *a = data;

	emit_at(w->emit, "wave", &a->focus.wave.at);
	emit_str(w->emit, "assignment", a->text);
	emit_lanes_of(w, a);
}

/* The value that the left side has now, in the first of the lanes */
static int say(struct wavectl *w, struct assignment *a)
{
	struct adbgd_context context = focus_context(&a->focus, a->first_lane);
	struct adbgd_value *value;
	struct adbgd_error error;
	char text[TEXT_MAX];

	if (adbgd_value_eval(a->variables, a->name, &context, &value, &error))
		return debug_fail(w, &error);
	if (adbgd_value_text(value, 0, text, sizeof(text)) >= sizeof(text))
		strcpy(text + sizeof(text) - 4, "...");
	emit_begin(w->emit);
	emit_at(w->emit, "wave", &a->focus.wave.at);
	emit_str(w->emit, "name", a->name);
	emit_str(w->emit, "value", text);
	emit_lanes_of(w, a);
	emit_say(w->emit, a->first_lane == a->last_lane ? "{name} = {value} in lane {first_lane}" :
		 "{name} = {value} in lane {first_lane}; lanes {first_lane} to {last_lane} were set");
	adbgd_value_free(value);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* ---------------------------------------------------------------------- assignment */

static int change(struct wavectl *w, void *data)
{
	struct assignment *a = data;
	struct adbgd_writer writer;
	struct adbgd_error error;

	if (focus_writer(&a->focus, &writer))
		return debug_fail(w, &a->focus.error);
	for (uint32_t lane = a->first_lane; lane <= a->last_lane; lane++) {
		struct adbgd_context context = focus_context(&a->focus, lane);

		if (adbgd_value_assign(a->variables, a->text, &context, &writer, &error))
			return fail_assignment(w, a, lane, &error);
	}
	return say(w, a);
}

static int take_lanes(struct wavectl *w, struct assignment *a, const struct lane_range *lanes)
{
	a->first_lane = lanes->is_set ? lanes->first : focus_lane(&a->focus);
	a->last_lane = lanes->is_set ? lanes->last : a->first_lane;
	if (a->last_lane < a->focus.lanes)
		return WAVECTL_OK;
	return fail_with(w, WAVECTL_USAGE, NULL, "no lane %u: the wave has lanes 0 to %u",
			 a->last_lane, a->focus.lanes - 1);
}

static int open_and_change(struct wavectl *w, struct assignment *a,
			   const struct lane_range *lanes)
{
	int status = focus_open(w, &a->focus);

	if (!status)
		status = frame_open_selected(w, &a->focus);
	if (!status)
		status = take_lanes(w, a, lanes);
	if (!status && adbgd_expression_names_variable(a->text))
		status = frame_need_variables(w, &a->focus, &a->variables);
	return status ? status : action_run(w, &(struct action){
		.what = "execute {assignment} for lanes {first_lane} to {last_lane} of {wave}",
		.describe = emit_assignment, .run = change, .data = a,
	});
}

static void trim_end(char *text)
{
	size_t length = strlen(text);

	while (length && isspace((unsigned char)text[length - 1]))
		text[--length] = '\0';
}

static int assign(struct wavectl *w, const char *text, const struct lane_range *lanes)
{
	struct assignment a = { .variables = NULL };
	int status = debug_open_target(w), at;

	if (status)
		return status;
	a.text = xstrdup(text);
	at = adbgd_expression_find_assignment(a.text);
	a.name = xstrdup(a.text);
	if (at >= 0)
		a.name[at] = '\0';
	trim_end(a.name);
	status = open_and_change(w, &a, lanes);
	if (a.variables)
		adbgd_variables_free(a.variables);
	focus_close(&a.focus);
	free(a.text);
	free(a.name);
	return status;
}

int assign_run(struct wavectl *w, const struct lane_range *lanes)
{
	char *text = expression_words(w, w->words, w->num_words);
	int status = convenience_is_meant(text) ? convenience_set(w, text, lanes) :
						  assign(w, text, lanes);

	free(text);
	return status;
}

static int cmd_set_variable(struct wavectl *w)
{
	const struct assign_args *args = w->args;

	if (!w->num_words)
		return fail_with(w, WAVECTL_USAGE, "see \"info variables\"",
				 "\"set variable\" takes an assignment, such as x = 1");
	return assign_run(w, &args->lanes);
}

static const struct option_desc opt_lane = {
	"lane", 'l', "RANGE", "lanes, such as 5 or 0-31",
	option_lanes, OPTION_OF(struct assign_args, lanes),
};

static const struct option_desc *const assign_options[] = {
	TARGET_OPTIONS, &opt_lane, NULL,
};

const struct command assign_commands[] = {
	{
		.noun = "set",
		.verb = "variable",
		.args = "NAME=VALUE",
		.expression_from = 1,
		.summary = "change a variable or a register of the selected wave",
		.help = "\"print NAME=VALUE\" is the same. NAME is a variable, an element, a member, what a\n"
			"pointer points to, or a register: x, a[2], p->next, *q, $s3. VALUE is an expression\n"
			"of \"print\". It is converted as in C, but it must fit. The change is made in the\n"
			"selected lane, or in those of --lane. What is in an SGPR or in shared memory changes\n"
			"for all lanes. Nothing changes if a part of the variable was optimized out, or if the\n"
			"compiler has replaced it by its value.\n"
			"Other names after $ are convenience variables: \"set $n = x\" keeps the value that x\n"
			"has in the selected lane, for later expressions.",
		.options = assign_options,
		.args_size = sizeof(struct assign_args),
		.run = cmd_set_variable,
	},
	{ .noun = NULL },
};

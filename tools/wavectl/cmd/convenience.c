// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl show values, show convenience, init-if-undefined, and assignments to convenience
 * variables: values that the shell keeps.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cmdline.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "cmd/convenience.h"
#include "debug/frame.h"
#include "debug/values.h"
#include "waves/action.h"

#define TEXT_MAX	256
/* As in gdb */
#define ROWS		10
/* "show values" shows this many lanes of each. */
#define LANES_SHOWN	8

struct convenience {
	struct focus focus;
	struct adbgd_variables *variables;	/* NULL: no variable is needed */
	char name[VALUE_NAME_MAX];		/* without the $ */
	const char *expression;
	struct adbgd_value *value;
};

/* The length of a name that may be that of a convenience variable */
static size_t length_of_name(const char *name)
{
	return *name >= '0' && *name <= '9' ? 0 :
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

bool convenience_is_meant(const char *text)
{
	size_t length = *text == '$' ? length_of_name(text + 1) : 0;
	char name[VALUE_NAME_MAX] = "";
	const char *at = text + 1 + length;

	if (!length)
		return false;
	at += strspn(at, " \t");
	if (*at != '=' || at[1] == '=')
		return false;
	if (length >= sizeof(name))
		return true;
	memcpy(name, text + 1, length);
	return !adbgd_name_is_register(name);
}

/* --------------------------------------------------------------------- assignment */

/* Registers that expressions do not have would be mistaken for variables. */
static int check_name(struct wavectl *w, const char *name)
{
	uint32_t gc_version = adbg_session_get_gc_version(w->session);
	struct amdgpudbg_reg_range range;
	char *hint = NULL;
	int status;

	if (!gc_version || adbg_reg_parse(gc_version, name, &range) == -EINVAL)
		return WAVECTL_OK;
	xappend(&hint, "\"set %s=VALUE\" writes it", name);
	status = fail_with(w, WAVECTL_USAGE, hint,
			   "'$%s' cannot be a convenience variable: %s is a register", name, name);
	free(hint);
	return status;
}

static int take_name(struct wavectl *w, struct convenience *c, const char *text)
{
	size_t length = length_of_name(text + 1);

	if (length >= sizeof(c->name))
		return fail_with(w, WAVECTL_USAGE, NULL, "a name has at most %zu characters",
				 sizeof(c->name) - 1);
	memcpy(c->name, text + 1, length);
	c->name[length] = '\0';
	c->expression = strchr(text, '=') + 1;
	return check_name(w, c->name);
}

static int take_lane(struct wavectl *w, const struct convenience *c,
		     const struct lane_range *lanes, uint32_t *lane)
{
	*lane = lanes && lanes->is_set ? lanes->first : focus_lane(&c->focus);
	if (lanes && lanes->is_set && lanes->last != lanes->first)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--lane: a convenience variable has one value: name one lane");
	if (*lane < c->focus.lanes)
		return WAVECTL_OK;
	return fail_with(w, WAVECTL_USAGE, NULL, "no lane %u: the wave has lanes 0 to %u", *lane,
			 c->focus.lanes - 1);
}

static int open_focus(struct wavectl *w, struct convenience *c)
{
	int status;

	if (!adbgd_expression_names_variable(c->expression)) {
		focus_open_any(w, &c->focus);
		return frame_open_selected(w, &c->focus);
	}
	status = focus_open(w, &c->focus);
	if (!status)
		status = frame_open_selected(w, &c->focus);
	return status ? status : frame_need_variables(w, &c->focus, &c->variables);
}

static int evaluate(struct wavectl *w, struct convenience *c, const struct lane_range *lanes)
{
	int status = open_focus(w, c);
	struct adbgd_context context;
	struct adbgd_error error;
	uint32_t lane;

	if (!status)
		status = take_lane(w, c, lanes, &lane);
	if (status)
		return status;
	context = focus_context(&c->focus, lane);
	if (!adbgd_value_eval(c->variables, c->expression, &context, &c->value, &error))
		return WAVECTL_OK;
	return error.error == -EINVAL ? fail_with(w, WAVECTL_USAGE, NULL, "%s", error.text) :
					debug_fail(w, &error);
}

static void emit_setting(struct wavectl *w, const void *data)
{
	const struct convenience *c = data;
	char text[TEXT_MAX], name[VALUE_NAME_MAX + 1];

	adbgd_value_text(c->value, 0, text, sizeof(text));
	snprintf(name, sizeof(name), "$%s", c->name);
	emit_str(w->emit, "name", name);
	emit_str(w->emit, "value", text);
}

/* As in gdb, nothing is printed. */
static int set(struct wavectl *w, void *data)
{
	struct convenience *c = data;
	int ret = values_set(w->shell, c->name, c->value);

	if (ret)
		return fail_with(w, WAVECTL_USAGE, NULL, ret == -ENOSPC ?
				 "there are too many convenience variables for '$%s'" :
				 "the value of '$%s' is too large to be kept", c->name);
	emit_begin(w->emit);
	emit_setting(w, c);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

int convenience_set(struct wavectl *w, const char *text, const struct lane_range *lanes)
{
	struct convenience c = { .variables = NULL };
	int status = debug_open_target(w);

	if (!status)
		status = take_name(w, &c, text);
	if (!status)
		status = evaluate(w, &c, lanes);
	if (!status)
		status = action_run(w, &(struct action){
			.what = "set {name} to {value}",
			.describe = emit_setting, .run = set, .data = &c,
		});
	if (c.value)
		adbgd_value_free(c.value);
	if (c.variables)
		adbgd_variables_free(c.variables);
	focus_close(&c.focus);
	return status;
}

static int cmd_init_if_undefined(struct wavectl *w)
{
	char *text = expression_words(w, w->words, w->num_words), *name;
	int status;

	if (!convenience_is_meant(text)) {
		status = fail_with(w, WAVECTL_USAGE, NULL, "\"init-if-undefined\" takes a convenience "
				   "variable and its value, such as $n = 0");
	} else {
		name = xstrdup(text + 1);
		name[length_of_name(name)] = '\0';
		status = w->shell && values_has(w->shell, name) ? WAVECTL_OK :
								  convenience_set(w, text, NULL);
		free(name);
	}
	free(text);
	return status;
}

/* --------------------------------------------------------------------------- lists */

static void emit_value(struct wavectl *w, const char *name, const struct adbgd_value *value)
{
	char text[TEXT_MAX];

	if (adbgd_value_text(value, 0, text, sizeof(text)) >= sizeof(text))
		strcpy(text + sizeof(text) - 4, "...");
	emit_str(w->emit, name, text);
}

static void emit_of_lanes(struct wavectl *w, const struct past_value *p)
{
	char *line = NULL, range[32], text[TEXT_MAX];

	snprintf(range, sizeof(range), "%u-%u", p->first_lane, p->first_lane + p->num_lanes - 1);
	emit_str(w->emit, "lanes", range);
	for (uint32_t n = 0; n < p->num_lanes && n < LANES_SHOWN; n++) {
		if (!p->values[n])
			strcpy(text, "?");
		else if (adbgd_value_text(p->values[n], 0, text, sizeof(text)) >= sizeof(text))
			strcpy(text + sizeof(text) - 4, "...");
		xappend(&line, "%s%s", n ? ", " : "", text);
	}
	xappend(&line, "%s", p->num_lanes > LANES_SHOWN ? ", ..." : "");
	emit_str(w->emit, "value", line);
	free(line);
}

static const struct adbgd_type *type_of(const struct past_value *p)
{
	uint32_t n = 0;

	while (n + 1 < p->num_lanes && !p->values[n])
		n++;
	return adbgd_value_get_type(p->values[n]);
}

static void emit_past(struct wavectl *w, const struct past_value *p)
{
	char name[24];

	snprintf(name, sizeof(name), "$%" PRIu64, p->number);
	emit_row(w->emit);
	emit_str(w->emit, "name", name);
	emit_str(w->emit, "type", type_of(p)->name);
	if (p->is_of_lanes) {
		emit_of_lanes(w, p);
	} else {
		emit_none(w->emit, "lanes");
		emit_value(w, "value", p->values[0]);
	}
}

/* The first row: without an argument of the last ones, else around a value, or further ones */
static int take_first(struct wavectl *w, uint64_t *first)
{
	uint64_t last = values_last(w->shell), number;

	*first = last >= ROWS ? last - ROWS + 1 : 1;
	if (!w->num_words)
		return WAVECTL_OK;
	if (!strcmp(w->words[0], "+"))
		*first = *values_shown(w->shell) + 1;
	else if (w->num_words > 1 || !parse_u64(w->words[0], INT32_MAX, &number))
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "\"show values\" takes the number of a value, or +");
	else
		*first = number > ROWS / 2 ? number - ROWS / 2 : 1;
	return WAVECTL_OK;
}

static int cmd_show_values(struct wavectl *w)
{
	int status = debug_open_target(w);
	const struct past_value *p;
	uint64_t first, count = 0;

	if (!status)
		status = take_first(w, &first);
	if (status)
		return status;
	emit_begin(w->emit);
	emit_table(w->emit, "values", values_last(w->shell));
	for (uint64_t n = first; n < first + ROWS; n++) {
		p = values_past(w->shell, n);
		if (!p)
			continue;
		emit_past(w, p);
		*values_shown(w->shell) = n;
		count++;
	}
	emit_table_end(w->emit);
	emit_uint(w->emit, "count", count);
	emit_uint(w->emit, "last", values_last(w->shell));
	if (!values_last(w->shell))
		emit_say(w->emit, "the history of values is empty");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int cmd_show_convenience(struct wavectl *w)
{
	int status = debug_open_target(w);
	const struct named_value *named;
	char name[VALUE_NAME_MAX + 1];
	size_t i;

	if (status)
		return status;
	emit_begin(w->emit);
	emit_table(w->emit, "variables", values_named(w->shell, 0));
	for (i = 0; (named = values_named(w->shell, i)); i++) {
		snprintf(name, sizeof(name), "$%s", named->name);
		emit_row(w->emit);
		emit_str(w->emit, "name", name);
		emit_str(w->emit, "type", adbgd_value_get_type(named->value)->name);
		emit_value(w, "value", named->value);
	}
	emit_table_end(w->emit);
	emit_uint(w->emit, "count", i);
	if (!i)
		emit_say(w->emit, "there are no convenience variables; \"set $NAME = VALUE\" makes one");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

const struct command convenience_commands[] = {
	{
		.noun = "show",
		.verb = "values",
		.args = "[NUMBER | +]",
		.summary = "list the last ten values that \"print\" has numbered",
		.help = "With a NUMBER, list ten values around that one; with +, those after the last list.\n"
			"LANES has the lanes of a value that differs between lanes; $1 then means the value of\n"
			"the lane for which an expression is evaluated. Other values hold in all lanes.",
		.options = target_options,
		.run = cmd_show_values,
	},
	{
		.noun = "show",
		.verb = "convenience",
		.summary = "list the convenience variables",
		.help = "\"set $NAME = VALUE\" sets one. $_ and $__ are the last address of \"x\" and what is\n"
			"there, $_exitcode is the exit status of the program of \"run\".",
		.options = target_options,
		.run = cmd_show_convenience,
	},
	{
		.noun = "init-if-undefined",
		.args = "$NAME=VALUE",
		.expression_from = 1,
		.summary = "set a convenience variable if it does not exist",
		.help = "Like \"set $NAME=VALUE\", for files of commands that are executed several times.",
		.options = target_options,
		.run = cmd_init_if_undefined,
	},
	{ .noun = NULL },
};

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl print and info variables: variables of the selected wave, and expressions, for each
 * lane.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <amdgpudbg-debug-value.h>

#include "base/cmdline.h"
#include "base/format.h"
#include "base/options.h"
#include "base/suggest.h"
#include "base/util.h"
#include "cmd/assign.h"
#include "cmd/commands.h"
#include "cmd/convenience.h"
#include "debug/code.h"
#include "debug/frame.h"
#include "debug/values.h"
#include "debug/variables.h"
#include "waves/hold.h"

struct print_args {
	struct lane_range lanes;
	bool hex;
	char format;			/* the letter of "print/x"; 0: none */
	bool globals;
	enum {
		ALL_VARIABLES,
		PARAMETERS,		/* "info args" */
		NO_PARAMETERS,		/* "info locals" */
	} which;
};

/* Longer values are cut. */
#define TEXT_MAX	1024

/* The scope of the selected frame of the selected wave */
struct scope {
	struct focus focus;
	struct adbgd_variables *variables;	/* NULL: no variable is needed */
	uint32_t first_lane;		/* the lanes to print */
	uint32_t num_lanes;
};

static int take_lanes(struct wavectl *w, struct scope *scope)
{
	const struct print_args *args = w->args;
	const struct debugger *d = w->shell->debugger;

	scope->num_lanes = scope->focus.lanes;
	if (args->lanes.is_set) {
		if (args->lanes.last >= scope->focus.lanes)
			return fail_with(w, WAVECTL_USAGE, NULL,
					 "no lane %u: the wave has lanes 0 to %u",
					 args->lanes.last, scope->focus.lanes - 1);
		scope->first_lane = args->lanes.first;
		scope->num_lanes = args->lanes.last - args->lanes.first + 1;
	} else if (d->has_lane) {
		scope->first_lane = focus_lane(&scope->focus);
		scope->num_lanes = 1;
	}
	return WAVECTL_OK;
}

static int scope_open(struct wavectl *w, struct scope *scope, bool has_variables)
{
	int status;

	memset(scope, 0, sizeof(*scope));
	status = debug_open_target(w);
	if (!status && has_variables)
		status = focus_open(w, &scope->focus);
	else if (!status)
		focus_open_any(w, &scope->focus);
	if (!status)
		status = frame_open_selected(w, &scope->focus);
	if (!status)
		status = take_lanes(w, scope);
	return status || !has_variables ? status :
	       frame_need_variables(w, &scope->focus, &scope->variables);
}

static void scope_close(struct scope *scope)
{
	if (scope->variables)
		adbgd_variables_free(scope->variables);
	focus_close(&scope->focus);
}

/* ----------------------------------------------------------------- one value */

/* Format a value, cut to the size of @text. */
static void take_text(struct wavectl *w, const struct adbgd_value *value, char text[TEXT_MAX])
{
	const struct print_args *args = w->args;
	uint32_t flags = (args->hex ? ADBGD_VALUE_HEX : 0) | ADBGD_VALUE_FORMAT(args->format);

	if (adbgd_value_text(value, flags, text, TEXT_MAX) >= TEXT_MAX)
		strcpy(text + TEXT_MAX - 4, "...");
}

static void emit_type(struct wavectl *w, const struct adbgd_type *type)
{
	emit_str(w->emit, "type", type && type->name ? type->name : "?");
}

static void emit_if(struct wavectl *w, const char *key, const char *text)
{
	if (text && *text)
		emit_str(w->emit, key, text);
	else
		emit_none(w->emit, key);
}

/* --------------------------------------------------------------------- print */

struct printed {
	const char *name;		/* value of a variable or expression */
	const char *function;		/* location of a variable; NULL: none */
	const struct adbgd_type *type;
	struct adbgd_value *values[LANES_MAX];	/* of the lanes to print; NULL: none */
	char *texts[LANES_MAX];
	char where[VARIABLE_WHERE_MAX];		/* empty: nowhere */
	uint64_t number;		/* in the history; 0: none */
	uint32_t num_failed;		/* lanes that have no value */
	uint32_t failed;		/* the first of them */
	struct adbgd_error why;
};

/* What is printed for a lane that has no value */
#define NO_VALUE	"?"

/* @variable: its number; negative: p->name is an expression */
static int read_one(struct scope *scope, int variable, uint32_t lane, struct printed *p,
		    struct adbgd_value **value, struct adbgd_error *error)
{
	struct adbgd_context context = focus_context(&scope->focus, lane);
	int ret;

	if (variable >= 0)
		return variable_read(&scope->focus, scope->variables, variable, lane, value,
				     p->where, error);
	ret = adbgd_value_eval(scope->variables, p->name, &context, value, error);
	if (ret)
		return ret;
	p->type = adbgd_value_get_type(*value);
	if (adbgd_value_is_passed(*value))
		strcpy(p->where, VARIABLE_PASSED);
	return 0;
}

static int fail_value(struct wavectl *w, const struct adbgd_error *error)
{
	/* The expression is invalid or has no value. */
	if (error->error == -EINVAL)
		return fail_with(w, WAVECTL_USAGE, NULL, "%s", error->text);
	return debug_fail(w, error);
}

/*
 * A pointer, an index or a division may be valid in some lanes only, such as those that are
 * active. So this fails only if no lane has a value.
 */
static int read_lanes(struct wavectl *w, struct scope *scope, int variable, struct printed *p)
{
	struct adbgd_error error;
	char text[TEXT_MAX];

	for (uint32_t n = 0; n < scope->num_lanes; n++) {
		if (!read_one(scope, variable, scope->first_lane + n, p, &p->values[n], &error)) {
			take_text(w, p->values[n], text);
		} else {
			if (!p->num_failed++) {
				p->why = error;
				p->failed = scope->first_lane + n;
			}
			strcpy(text, NO_VALUE);
		}
		p->texts[n] = xstrdup(text);
	}
	return p->num_failed == scope->num_lanes ? fail_value(w, &p->why) : WAVECTL_OK;
}

/* Print the value for each selected lane, or once if all are equal. */
static bool is_uniform(const struct scope *scope, const struct printed *p)
{
	for (uint32_t n = 1; n < scope->num_lanes; n++)
		if (strcmp(p->texts[n], p->texts[0]))
			return false;
	return true;
}

static uint32_t lanes_per_line(const struct scope *scope, const struct printed *p)
{
	size_t longest = 0;

	for (uint32_t n = 0; n < scope->num_lanes; n++)
		if (strlen(p->texts[n]) > longest)
			longest = strlen(p->texts[n]);
	return longest <= 12 ? 8 : longest <= 28 ? 4 : 1;
}

/*
 * Begin with the value's number in the history, as in gdb, or with the number and text of an
 * expression that "display" prints.
 */
static void say(struct wavectl *w, const struct printed *p, const char *rest)
{
	char *text = NULL;

	xappend(&text, "%s%s", w->display ? "{display}: {name}" : p->number ? "${history}" :
		"{name}", rest);
	emit_say(w->emit, text);
	free(text);
}

static void emit_different(struct wavectl *w, const struct scope *scope, const struct printed *p)
{
	uint32_t per_line = lanes_per_line(scope, p), n, count;
	char label[16];

	say(w, p, !*p->where ? " = ({type}):" : strcmp(p->where, VARIABLE_PASSED) ?
	    " = ({type}) in {where}:" : " = ({type}) ({where}):");
	emit_list(w->emit, "values");
	for (n = 0; n < scope->num_lanes; n += count) {
		count = scope->num_lanes - n < per_line ? scope->num_lanes - n : per_line;
		snprintf(label, sizeof(label), "lane %u", scope->first_lane + n);
		emit_list_line(w->emit, label, (const char *const *)p->texts + n, count,
			       scope->focus.wave.exec >> (scope->first_lane + n));
	}
	emit_list_end(w->emit);
}

/* Is any of the lanes active? */
static bool is_on(const struct scope *scope)
{
	for (uint32_t n = 0; n < scope->num_lanes; n++)
		if (scope->focus.wave.exec >> (scope->first_lane + n) & 1)
			return true;
	return false;
}

static void emit_wave_of(struct wavectl *w, const struct focus *focus)
{
	if (focus->has_no_wave) {
		emit_none(w->emit, "wave");
		emit_none(w->emit, "exec");
	} else {
		emit_at(w->emit, "wave", &focus->wave.at);
		emit_hex64(w->emit, "exec", focus->wave.exec);
	}
}

static int say_values(struct wavectl *w, const struct scope *scope, const struct printed *p)
{
	emit_begin(w->emit);
	if (w->display)
		emit_uint(w->emit, "display", w->display);
	if (p->number)
		emit_uint(w->emit, "history", p->number);
	else
		emit_none(w->emit, "history");
	emit_wave_of(w, &scope->focus);
	emit_str(w->emit, "name", p->name);
	emit_type(w, p->type);
	emit_if(w, "function", p->function);
	emit_if(w, "where", p->where);
	emit_uint(w->emit, "first_lane", scope->first_lane);
	if (is_uniform(scope, p)) {
		emit_names(w->emit, "values", (const char *const *)p->texts, scope->num_lanes);
		emit_str(w->emit, "value", p->texts[0]);
		if (!strcmp(p->where, VARIABLE_PASSED))
			say(w, p, is_on(scope) ? " = {value} ({where})" : " = ({value}) ({where})");
		else
			say(w, p, is_on(scope) ? " = {value}" : " = ({value})");
	} else {
		emit_none(w->emit, "value");
		emit_different(w, scope, p);
	}
	if (p->num_failed) {
		emit_uint(w->emit, "failed_lanes", p->num_failed);
		emit_uint(w->emit, "failed_lane", p->failed);
		emit_str(w->emit, "why", p->why.text);
		emit_say(w->emit, "    {failed_lanes} without a value; lane {failed_lane}: {why}");
	}
	if (!p->number && !w->display)
		emit_say(w->emit, "    it is too large for the history of values");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static bool is_in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool is_name(const char *text)
{
	if (isdigit((unsigned char)*text))
		return false;
	while (is_in_name(*text))
		text++;
	return !*text;
}

static int fail_name(struct wavectl *w, struct scope *scope, const char *name)
{
	struct suggestion best = suggest_for(name);
	const struct adbgd_variable *v;
	char *hint = NULL;
	int status;

	for (size_t i = 0; (v = adbgd_variables_get(scope->variables, i)); i++)
		suggest_try(&best, v->name);
	if (best.word)
		xappend(&hint, "did you mean '%s'?", best.word);
	status = fail_with(w, WAVECTL_USAGE, hint ? hint : "see \"info variables\"",
			   "no variable '%s' in scope at 0x%016" PRIx64, name,
			   frame_lookup(&scope->focus));
	free(hint);
	return status;
}

/* The variable of a name; -1: it may be a member of a C++ object, which an expression finds */
static int find_variable(const struct scope *scope, bool has_this, const char *text)
{
	int i = scope->variables ? adbgd_variables_find(scope->variables, text) : -1;

	return i >= 0 && has_this && adbgd_variables_get(scope->variables, i)->flags &
	       ADBGD_VARIABLE_GLOBAL ? -1 : i;
}

static int print(struct wavectl *w, struct scope *scope, const char *text)
{
	struct printed p = { .name = text };
	const struct adbgd_variable *v;
	bool has_this = scope->variables && adbgd_variables_find(scope->variables, "this") >= 0;
	int variable = find_variable(scope, has_this, text), status;

	if (variable >= 0) {
		v = adbgd_variables_get(scope->variables, variable);
		p.function = v->function;
		p.type = v->type;
	} else if (scope->variables && is_name(text) && !has_this) {
		return fail_name(w, scope, text);
	}
	status = read_lanes(w, scope, variable, &p);
	if (!status && !w->display)
		p.number = values_add(w->shell, p.values, scope->first_lane, scope->num_lanes);
	if (!status)
		status = say_values(w, scope, &p);
	for (size_t n = 0; n < LANES_MAX; n++) {
		adbgd_value_free(p.values[n]);
		free(p.texts[n]);
	}
	return status;
}

static int take_format(struct wavectl *w)
{
	struct print_args *args = w->args;
	struct format format;
	int status = format_take(w, "xzoductfs", &format);

	if (status)
		return status;
	if (format.count > 1 || format.size)
		return fail_with(w, WAVECTL_USAGE, "\"x\" takes both",
				 "/%s: \"print\" takes no count and no size", w->slash);
	if (w->slash && args->hex)
		return fail_with(w, WAVECTL_USAGE, NULL, "/%s and --hex cannot be used together",
				 w->slash);
	args->format = format.letter;
	return WAVECTL_OK;
}

static int print_expression(struct wavectl *w, const char *text)
{
	struct scope scope;
	int status = scope_open(w, &scope, adbgd_expression_names_variable(text));

	if (!status)
		status = print(w, &scope, text);
	scope_close(&scope);
	return status;
}

/* "print $n = 1": set it, and print it. */
static int print_convenience(struct wavectl *w, char *text)
{
	int status = convenience_set(w, text, &((const struct print_args *)w->args)->lanes);

	if (status || w->dry_run)
		return status;
	text[strcspn(text, " \t=")] = '\0';
	return print_expression(w, text);
}

static int cmd_print(struct wavectl *w)
{
	const struct print_args *args = w->args;
	int status = take_format(w);
	char *text;

	if (status)
		return status;
	text = expression_words(w, w->words, w->num_words);
	if (convenience_is_meant(text))
		status = print_convenience(w, text);
	else if (assign_is_meant(w))
		status = assign_run(w, &args->lanes);
	else
		/* As in gdb, the last value is printed again. */
		status = print_expression(w, *text ? text : "$");
	free(text);
	return status;
}

/* ------------------------------------------------------------ info variables */

static void emit_variable(struct wavectl *w, struct scope *scope, size_t i, uint32_t lane)
{
	const struct adbgd_variable *v = adbgd_variables_get(scope->variables, i);
	char text[TEXT_MAX], where[VARIABLE_WHERE_MAX];
	struct adbgd_value *value;
	struct adbgd_error error;
	int ret = variable_read(&scope->focus, scope->variables, i, lane, &value, where, &error);

	emit_row(w->emit);
	emit_str(w->emit, "name", v->name);
	emit_type(w, v->type);
	emit_if(w, "function", v->function);
	emit_if(w, "where", where);
	if (ret) {
		emit_none(w->emit, "value");
		emit_failed(w->emit, "why", error.text);
		return;
	}
	take_text(w, value, text);
	emit_str(w->emit, "value", text);
	adbgd_value_free(value);
}

static bool is_left_out(const struct print_args *args, const struct adbgd_variable *v)
{
	bool is_parameter = v->flags & ADBGD_VARIABLE_PARAMETER;

	return args->which == PARAMETERS ? !is_parameter :
	       args->which == NO_PARAMETERS ? is_parameter : false;
}

static int list(struct wavectl *w, struct scope *scope)
{
	const struct print_args *args = w->args;
	uint32_t lane = args->lanes.is_set ? scope->first_lane : focus_lane(&scope->focus);
	const struct adbgd_variable *v;
	size_t i, count = 0, left_out = 0;

	emit_begin(w->emit);
	emit_at(w->emit, "wave", &scope->focus.wave.at);
	emit_uint(w->emit, "lane", lane);
	code_emit_place(w, frame_lookup(&scope->focus));
	emit_say(w->emit, "lane {lane} of {wave}, {place}");
	emit_table(w->emit, "variables", true);
	for (i = 0; (v = adbgd_variables_get(scope->variables, i)) && !hold_interrupted(); i++) {
		if (is_left_out(args, v))
			continue;
		if (v->flags & ADBGD_VARIABLE_GLOBAL && !args->globals) {
			left_out++;
			continue;
		}
		emit_variable(w, scope, i, lane);
		count++;
	}
	emit_table_end(w->emit);
	if (hold_interrupted())
		return hold_fail_interrupted(w);
	emit_uint(w->emit, "count", count);
	emit_uint(w->emit, "left_out", left_out);
	if (!count && args->which)
		emit_say(w->emit, args->which == PARAMETERS ? "no parameters" : "no local variables");
	if (left_out && !args->which)
		emit_say(w->emit, "{left_out} variables outside of functions are not listed; --globals lists them");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int cmd_info_variables(struct wavectl *w)
{
	const struct print_args *args = w->args;
	struct scope scope;
	int status;

	if (args->lanes.is_set && args->lanes.first != args->lanes.last)
		return fail_with(w, WAVECTL_USAGE, "\"print\" accepts a range of lanes",
				 "--lane: \"info variables\" takes a single lane");
	status = scope_open(w, &scope, true);
	if (!status)
		status = list(w, &scope);
	scope_close(&scope);
	return status;
}

static int cmd_info_args(struct wavectl *w)
{
	((struct print_args *)w->args)->which = PARAMETERS;
	return cmd_info_variables(w);
}

static int cmd_info_locals(struct wavectl *w)
{
	((struct print_args *)w->args)->which = NO_PARAMETERS;
	return cmd_info_variables(w);
}

static const struct option_desc opt_lane_of = {
	"lane", 'l', "RANGE", "lanes, such as 5 or 0-31",
	option_lanes, OPTION_OF(struct print_args, lanes),
};

static const struct option_desc opt_hex = {
	"hex", 0, NULL, "print the raw values in hexadecimal",
	option_flag, OPTION_OF(struct print_args, hex),
};

static const struct option_desc opt_globals = {
	"globals", 0, NULL, "also list the variables outside of functions",
	option_flag, OPTION_OF(struct print_args, globals),
};

static const struct option_desc *const variables_options[] = {
	TARGET_OPTIONS, &opt_lane_of, &opt_hex, &opt_globals, NULL,
};

/* Of "print", "info args" and "info locals" */
static const struct option_desc *const print_options[] = {
	TARGET_OPTIONS, &opt_lane_of, &opt_hex, NULL,
};

const struct command print_commands[] = {
	{
		.noun = "info",
		.verb = "variables",
		.summary = "list the variables in scope at the PC of the selected wave",
		.help = "Prints the values for one lane: that of --lane, or the selected one. Variables outside\n"
			"of functions are left out without --globals.",
		.options = variables_options,
		.args_size = sizeof(struct print_args),
		.run = cmd_info_variables,
	},
	{
		.noun = "info",
		.verb = "args",
		.summary = "list the parameters of the selected frame",
		.help = "The same as \"info variables\", without local variables.",
		.options = print_options,
		.args_size = sizeof(struct print_args),
		.run = cmd_info_args,
	},
	{
		.noun = "info",
		.verb = "locals",
		.summary = "list the local variables of the selected frame",
		.help = "The same as \"info variables\", without parameters and without those outside of\n"
			"functions.",
		.options = print_options,
		.args_size = sizeof(struct print_args),
		.run = cmd_info_locals,
	},
	{
		.noun = "print",
		.aliases = { "p" },
		.takes_format = true,
		.args = "[EXPRESSION]",
		.expression_from = 1,
		.summary = "print a variable or an expression in the selected wave",
		.help = "Expressions are as in C, without side effects: x, *p, in[i + 1], r.first.a, &r,\n"
			"x & 7 && y < 0, (float)x, *(struct pair *)p, sizeof(int), and as in gdb *p@4, four\n"
			"elements from *p on; \"print x = 1\" is \"set variable x = 1\". Registers are\n"
			"$v3, $s4, $vcc_lo; $pc, $exec, $scc and $m0 are the program counter, EXEC, SCC and\n"
			"M0, $lane the lane and $wave the number of the wave. Write -- before an expression\n"
			"that begins with a minus. The value is printed for each lane, for the selected lane\n"
			"or for those of --lane, but only once if it is the same in all of them. Values of\n"
			"lanes that are inactive in EXEC are in parentheses. As in gdb, \"print/x\" selects a\n"
			"format: x, z (with zeros), d, u, o, t (binary), c or f.\n"
			"Each value has a number: $1 is the first one, $ the last one, $$ the one before,\n"
			"$$3 the one three before the last one. Without an argument, print the last one.",
		.options = print_options,
		.args_size = sizeof(struct print_args),
		.run = cmd_print,
	},
	{ .noun = NULL },
};

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl printf and echo: text with values of the selected lane, for commands of breakpoints.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cmdline.h"
#include "base/options.h"
#include "base/split.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/code.h"
#include "debug/frame.h"

#define SPEC_MAX	32

/* An expression in the selected lane, or in the first active one */
struct scope {
	struct focus focus;
	struct adbgd_variables *variables;	/* NULL: no code object is known */
};

/* The arguments of "printf" after the format */
struct arguments {
	char *text;
	char *next;			/* NULL: there are no more */
	unsigned int num_taken;
};

static int scope_open(struct wavectl *w, struct scope *scope)
{
	struct adbgd_error error;
	struct adbgd_code *code;
	int status;

	memset(scope, 0, sizeof(*scope));
	status = debug_open_target(w);
	if (!status)
		status = focus_open(w, &scope->focus);
	if (!status)
		status = frame_open_selected(w, &scope->focus);
	/* Registers and numbers need no code object. */
	if (!status && code_get(w->shell->debugger, 0) &&
	    !code_need_at(w, scope->focus.pc, &code) &&
	    frame_variables(&scope->focus, code, &scope->variables, &error))
		scope->variables = NULL;
	return status;
}

static void scope_close(struct scope *scope)
{
	if (scope->variables)
		adbgd_variables_free(scope->variables);
	focus_close(&scope->focus);
}

/* ---------------------------------------------------------------------- text */

/* The character after a backslash, with up to three octal digits; @*at moves behind it */
static char escaped(const char **at)
{
	static const char letters[] = "abefnrtv", meant[] = "\a\b\033\f\n\r\t\v";
	const char *found = **at ? strchr(letters, **at) : NULL;
	unsigned int value = 0, digits = 0;

	if (found) {
		(*at)++;
		return meant[found - letters];
	}
	while (digits < 3 && **at >= '0' && **at <= '7') {
		value = value * 8 + (*(*at)++ - '0');
		digits++;
	}
	return digits ? (char)value : *(*at)++;
}

/* Add a character to a text. Tabs are expanded, because emit.c prints them as \x09. */
static void add(char **text, char c)
{
	const char *begin = *text ? strrchr(*text, '\n') : NULL;
	size_t column;

	begin = begin ? begin + 1 : *text;
	column = begin ? strlen(begin) : 0;
	if (c == '\t')
		xappend(text, "%*s", 8 - (int)(column % 8), "");
	else if (c)
		xappend(text, "%c", c);
}

static int say(struct wavectl *w, char *text)
{
	size_t length = text ? strlen(text) : 0;
	char *line = text, *feed;

	if (length && text[length - 1] == '\n')
		text[length - 1] = '\0';
	emit_begin(w->emit);
	emit_str(w->emit, "text", text ? text : "");
	while (!w->json && line) {
		feed = strchr(line, '\n');
		if (feed)
			*feed = '\0';
		emit_quiet(w->emit, true);
		emit_str(w->emit, "line", line);
		emit_quiet(w->emit, false);
		emit_say(w->emit, "{line}");
		line = feed ? feed + 1 : NULL;
	}
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* ---------------------------------------------------------------- conversions */

/* Get the number in a value: as an integer, or as a float. False: it is none. */
static bool number_of(const struct adbgd_value *value, uint64_t *bits, double *number)
{
	const struct adbgd_type *type = adbgd_value_get_type(value);
	const void *bytes = adbgd_value_get_bytes(value);
	unsigned int shift = 64 - 8 * (unsigned int)type->size;
	float f;

	if (!type->size || type->size > 8)
		return false;
	*bits = 0;
	memcpy(bits, bytes, type->size);
	if (type->kind == ADBGD_TYPE_FLOAT && type->size == 4) {
		memcpy(&f, bytes, sizeof(f));
		*number = f;
		*bits = (uint64_t)(int64_t)f;
		return true;
	}
	if (type->kind == ADBGD_TYPE_FLOAT && type->size == 8) {
		memcpy(number, bytes, sizeof(*number));
		*bits = (uint64_t)(int64_t)*number;
		return true;
	}
	if (type->kind < ADBGD_TYPE_BOOL || type->kind > ADBGD_TYPE_POINTER ||
	    type->kind == ADBGD_TYPE_FLOAT)
		return false;
	if (type->flags & ADBGD_TYPE_IS_SIGNED)
		*bits = (uint64_t)((int64_t)(*bits << shift) >> shift);
	*number = type->flags & ADBGD_TYPE_IS_SIGNED ? (double)(int64_t)*bits : (double)*bits;
	return true;
}

/* Longer strings are cut. */
#define STRING_MAX	4096
/* Bytes that are read together: a part of a page, because the next one may not be readable */
#define STRING_PART	64

/*
 * Get the string of an array of characters, or of a pointer to one; other values are printed as
 * "print" does. Returns 0 or -errno.
 */
static int string_of(const struct adbgd_context *context, const struct adbgd_value *value,
		     char whole[STRING_MAX + 1])
{
	const struct adbgd_type *type = adbgd_value_get_type(value), *of = type->target;
	bool is_text = of && of->kind == ADBGD_TYPE_CHAR && of->size == 1;
	uint64_t address = 0, done, part;
	int ret = 0;

	memset(whole, 0, STRING_MAX + 1);
	if (is_text && type->kind == ADBGD_TYPE_ARRAY) {
		memcpy(whole, adbgd_value_get_bytes(value),
		       type->size < STRING_MAX ? type->size : STRING_MAX);
		return 0;
	}
	if (!is_text || type->kind != ADBGD_TYPE_POINTER) {
		adbgd_value_text(value, 0, whole, STRING_MAX + 1);
		return 0;
	}
	memcpy(&address, adbgd_value_get_bytes(value), type->size);
	for (done = 0; !ret && done < STRING_MAX && strlen(whole) == done; done += part) {
		part = STRING_PART - (address + done) % STRING_PART;
		part = part < STRING_MAX - done ? part : STRING_MAX - done;
		ret = context->read_memory(context->data, type->space, context->lane,
					   address + done, whole + done, part);
	}
	return ret;
}

/* Add a value as the conversion @letter prints it. @flags: flags, width and precision */
static int add_value(struct wavectl *w, char **text, const char *flags, char letter,
		     const struct adbgd_context *context, const struct adbgd_value *value,
		     const char *expression)
{
	char spec[SPEC_MAX], whole[STRING_MAX + 1];
	double number = 0;
	uint64_t bits = 0;

	if (letter == 's') {
		int ret = string_of(context, value, whole);

		if (ret)
			return fail_with(w, exit_status(ret), NULL,
					 "the string that '%s' points to cannot be read: %s",
					 expression, context->explain ?
					 context->explain(context->data) : strerror(-ret));
		snprintf(spec, sizeof(spec), "%%%ss", flags);
		xappend(text, spec, whole);
		return WAVECTL_OK;
	}
	if (!number_of(value, &bits, &number))
		return fail_with(w, WAVECTL_USAGE, "use %s", "'%s' is not a number", expression);
	if (letter == 'c') {
		add(text, (char)bits);
	} else if (strchr("eEfFgGaA", letter)) {
		snprintf(spec, sizeof(spec), "%%%s%c", flags, letter);
		xappend(text, spec, number);
	} else {
		snprintf(spec, sizeof(spec), "%%%sll%c", letter == 'p' ? "#" : flags,
			 letter == 'p' ? 'x' : letter);
		xappend(text, spec, bits);
	}
	return WAVECTL_OK;
}

/* The next expression: up to a comma outside of brackets. NULL: there is none */
static const char *take_argument(struct arguments *a)
{
	char *begin = a->next, *at = begin;
	int depth = 0;

	if (!begin)
		return NULL;
	for (; *at && (depth || *at != ','); at++) {
		at += split_quoted_length(at);
		if (!*at || (!depth && *at == ','))
			break;
		depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
	}
	a->next = *at ? at + 1 : NULL;
	*at = '\0';
	a->num_taken++;
	return begin;
}

static int convert(struct wavectl *w, struct scope *scope, char **text, const char *flags,
		   char letter, struct arguments *a)
{
	struct adbgd_context context = focus_context(&scope->focus, focus_lane(&scope->focus));
	const char *expression = take_argument(a);
	struct adbgd_value *value;
	struct adbgd_error error;
	int status;

	if (!expression)
		return fail_with(w, WAVECTL_USAGE, NULL, "the format needs more than %u values",
				 a->num_taken);
	if (adbgd_value_eval(scope->variables, expression, &context, &value, &error))
		return error.error == -EINVAL ?
		       fail_with(w, WAVECTL_USAGE, NULL, "%s", error.text) : debug_fail(w, &error);
	status = add_value(w, text, flags, letter, &context, value, expression);
	adbgd_value_free(value);
	return status;
}

/* "%-8lx": the sizes h, l and z are ignored, since values have their own. */
static int format_one(struct wavectl *w, struct scope *scope, char **text, const char **at,
		      struct arguments *a)
{
	size_t length = strspn(*at, "-+ #0123456789.");
	char flags[SPEC_MAX / 2] = "";

	if (length >= sizeof(flags))
		return fail_with(w, WAVECTL_USAGE, NULL, "'%%%s' is no conversion", *at);
	memcpy(flags, *at, length);
	*at += length;
	if (atoi(flags + strcspn(flags, "123456789")) > 1000)
		return fail_with(w, WAVECTL_USAGE, NULL, "'%%%s' has more than 1000 characters",
				 flags);
	*at += strspn(*at, "hlzjt");
	if (!**at || !strchr("diouxXcspeEfFgGaA", **at))
		return fail_with(w, WAVECTL_USAGE, "use d, u, x, o, c, f, e, g, p or s",
				 "'%%%s' is no conversion", *at);
	return convert(w, scope, text, flags, *(*at)++, a);
}

/* @scope: NULL: there are no conversions. */
static int format(struct wavectl *w, struct scope *scope, const char *at, struct arguments *a,
		  char **text)
{
	int status = WAVECTL_OK;

	while (!status && *at) {
		char c = *at++;

		if (c == '\\' && *at)
			add(text, escaped(&at));
		else if (c != '%' || !scope)
			add(text, c);
		else if (*at == '%')
			add(text, *at++);
		else
			status = format_one(w, scope, text, &at, a);
	}
	if (!status && a && a->next)
		return fail_with(w, WAVECTL_USAGE, NULL, "the format has only %u conversions",
				 a->num_taken);
	return status;
}

/* ------------------------------------------------------------------- commands */

static int cmd_echo(struct wavectl *w)
{
	char *typed = join_words(w->words, w->num_words), *text = NULL;
	int status = format(w, NULL, typed, NULL, &text);

	if (!status)
		status = say(w, text);
	free(typed);
	free(text);
	return status;
}

/* Values need a halted wave, text alone does not. */
static int print_values(struct wavectl *w, const char *typed, struct arguments *a)
{
	struct scope scope;
	char *text = NULL;
	int status = scope_open(w, &scope);

	if (!status)
		status = format(w, &scope, typed, a, &text);
	if (!status)
		status = say(w, text);
	scope_close(&scope);
	free(text);
	return status;
}

static int cmd_printf(struct wavectl *w)
{
	struct arguments a = { .num_taken = 0 };
	size_t length;
	char *typed, *text = NULL;
	int status;

	if (!w->num_words)
		return fail_with(w, WAVECTL_USAGE, "printf \"%d %x\\n\", i, n",
				 "\"printf\" takes a format, and values");
	/* The comma belongs to the same word as the quoted format. */
	typed = xstrdup(w->words[0]);
	length = strlen(typed);
	a.text = w->num_words > 1 ? expression_words(w, w->words + 1, w->num_words - 1) : NULL;
	a.next = a.text;
	if (a.text && *a.text == ',')
		a.next++;
	else if (a.text && length && typed[length - 1] == ',')
		typed[length - 1] = '\0';
	if (a.text || strchr(typed, '%')) {
		status = print_values(w, typed, &a);
	} else {
		status = format(w, NULL, typed, NULL, &text);
		if (!status)
			status = say(w, text);
	}
	free(a.text);
	free(typed);
	free(text);
	return status;
}

const struct command printf_commands[] = {
	{
		.noun = "echo",
		.args = "[TEXT]",
		.summary = "print a text",
		.help = "A backslash begins \\n, \\t, or a character in octal, if it is quoted: echo 'a\\tb'.",
		.options = no_options,
		.run = cmd_echo,
	},
	{
		.noun = "printf",
		.args = "FORMAT[, EXPRESSION]...",
		.expression_from = 2,
		.summary = "print values of the selected lane by a format as in C",
		.help = "Such as printf \"%d %x\\n\", i, r.flags. FORMAT is in double quotes; %s prints a string,\n"
			"or another value as \"print\" does. Without a selected lane, the values are those of the\n"
			"first active one.",
		.options = target_options,
		.run = cmd_printf,
	},
	{ .noun = NULL },
};

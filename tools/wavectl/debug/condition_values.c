// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Values of the history in conditions: see condition.h. They are those that were there when the
 * condition was set, while convenience variables are looked up whenever it is evaluated.
 */
#include "debug/condition.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <amdgpudbg-debug-value.h>

#include "base/split.h"
#include "base/util.h"
#include "debug/values.h"

#define NUMBER_MAX	64

/* The length of a name of the history at the beginning of @text, such as $, $$2 or $1; 0: none */
static size_t name_length(const char *text)
{
	size_t length = 1;

	if (*text != '$')
		return 0;
	length += text[length] == '$';
	while (isalnum((unsigned char)text[length]) || text[length] == '_')
		length++;
	/* Other names are those of registers and convenience variables. */
	return length > 1 && text[1] != '$' && !isdigit((unsigned char)text[1]) ? 0 : length;
}

/* A float as a constant of C; false: it has none. */
static bool float_text(double value, bool is_double, char text[NUMBER_MAX])
{
	int length = snprintf(text, NUMBER_MAX, is_double ? "%.17g" : "%.9g", value);

	if (!isfinite(value))
		return false;
	snprintf(text + length, NUMBER_MAX - length, "%s%s", strpbrk(text, ".e") ? "" : ".0",
		 is_double ? "" : "f");
	return true;
}

/* An integer as a constant of C of the same type. C has no constants that are negative. */
static void integer_text(uint64_t bits, bool is_signed, bool is_long, char text[NUMBER_MAX])
{
	int64_t value = is_long ? (int64_t)bits : (int32_t)bits;
	uint64_t least = is_long ? 1ULL << 63 : 1U << 31;
	const char *suffix = is_long ? "l" : "";

	if (!is_signed)
		snprintf(text, NUMBER_MAX, "%" PRIu64 "u%s", bits, suffix);
	else if (bits == least)
		snprintf(text, NUMBER_MAX, "(-%" PRIu64 "%s-1)", least - 1, suffix);
	else
		snprintf(text, NUMBER_MAX, "%" PRId64 "%s", value, suffix);
}

/* Write a value as a constant with the type to which C promotes it; false: it is no number. */
static bool number_text(const struct wavectl *w, const struct past_value *p, char text[NUMBER_MAX])
{
	const struct adbgd_context context = { .lanes = 64, .names = values_names(w->shell) };
	const struct adbgd_type *type;
	struct adbgd_value *value;
	struct adbgd_error error;
	uint64_t bits = 0;
	double number;
	float single;
	bool is_one;

	snprintf(text, NUMBER_MAX, "+$%" PRIu64, p->number);
	if (p->is_of_lanes || adbgd_value_eval(NULL, text, &context, &value, &error))
		return false;
	type = adbgd_value_get_type(value);
	is_one = type->size == 4 || type->size == 8;
	if (is_one)
		memcpy(&bits, adbgd_value_get_bytes(value), type->size);
	if (is_one && type->kind == ADBGD_TYPE_FLOAT) {
		memcpy(&single, &bits, sizeof(single));
		memcpy(&number, &bits, sizeof(number));
		is_one = float_text(type->size == 8 ? number : single, type->size == 8, text);
	} else if (is_one) {
		integer_text(bits, type->flags & ADBGD_TYPE_IS_SIGNED, type->size == 8, text);
	}
	adbgd_value_free(value);
	return is_one;
}

/* Is the operand of & or sizeof, or a part of the value wanted? Then it is not replaced. */
static bool is_more_than_value(const char *from, const char *at, size_t length)
{
	const char *before = at;

	at += length;
	at += strspn(at, " ");
	if (*at == '.' || *at == '[' || !strncmp(at, "->", 2))
		return true;
	while (before > from && (before[-1] == ' ' || before[-1] == '('))
		before--;
	if (before > from && before[-1] == '&')
		return before - from < 2 || before[-2] != '&';
	return before - from >= 6 && !strncmp(before - 6, "sizeof", 6);
}

static int append_value(struct wavectl *w, char **fixed, const char *from, const char *at,
			size_t length)
{
	const struct past_value *past;
	struct adbgd_error error;
	char text[NUMBER_MAX], *name = xstrdup(at + 1);
	int ret;

	name[length - 1] = '\0';
	ret = values_hold(w->shell, name, &past, &error);
	free(name);
	if (ret)
		return fail_with(w, WAVECTL_USAGE, NULL, "%s", error.text);
	if (is_more_than_value(from, at, length) || !number_text(w, past, text)) {
		xappend(fixed, "$%" PRIu64, past->number);
		return WAVECTL_OK;
	}
	/* Two of them would be another operator. */
	xappend(fixed, "%s%s", *text == '-' && at > from && at[-1] == '-' ? " " : "", text);
	return WAVECTL_OK;
}

int condition_fix_values(struct wavectl *w, char **text)
{
	char *fixed = NULL;
	const char *at;
	size_t length;
	int status = WAVECTL_OK;

	if (!*text || !strchr(*text, '$'))
		return WAVECTL_OK;
	fixed = xstrdup("");
	for (at = *text; !status && *at; at += length) {
		length = name_length(at);
		if (length) {
			status = append_value(w, &fixed, *text, at, length);
			continue;
		}
		length = split_quoted_length(at) ?: 1;
		xappend(&fixed, "%.*s", (int)length, at);
	}
	free(*text);
	*text = fixed;
	return status;
}

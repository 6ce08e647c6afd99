// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Expressions in template arguments of C++ names: see demangle_expr.h.
 */
#include "demangle_expr.h"

#include <string.h>

/* A literal: L, its type, its value */
const char *adbgd_demangle_literal(struct adbgd_demangle *d)
{
	static const char *const suffixes[][2] = {
		{ "int", "" }, { "unsigned int", "u" }, { "long", "l" },
		{ "unsigned long", "ul" }, { "long long", "ll" }, { "unsigned long long", "ull" },
	};
	const char *type, *value, *sign;
	size_t i, length;
	bool is_float;

	adbgd_demangle_need(d, "L");
	if (skip(d, "_Z") || skip(d, "Z")) {
		value = d->read->encoding(d);
		adbgd_demangle_need(d, "E");
		return value;
	}
	type = d->read->type(d);
	sign = skip(d, "n") ? "-" : "";
	for (value = d->at; peek(d) != 'E'; d->at++) {
		if (!peek(d))
			adbgd_demangle_fail(d);
	}
	length = d->at++ - value;
	if (!strcmp(type, "bool") && length == 1 && (*value == '0' || *value == '1'))
		return *value == '0' ? "false" : "true";
	for (i = 0; i < ARRAY_SIZE(suffixes); i++) {
		if (!strcmp(type, suffixes[i][0]))
			return text_of(d, "%s%.*s%s", sign, (int)length, value, suffixes[i][1]);
	}
	is_float = !strcmp(type, "float") || !strcmp(type, "double");
	return text_of(d, "(%s)%s%s%.*s%s", type, sign, is_float ? "[" : "", (int)length, value,
		       is_float ? "]" : "");
}

static const char *read_expressions(struct adbgd_demangle *d)
{
	const char *list = "";

	while (!skip(d, "E"))
		list = adbgd_demangle_joined(d, list, adbgd_demangle_expression(d));
	return list;
}

/* A name, with template arguments if any */
static const char *read_expression_name(struct adbgd_demangle *d)
{
	const struct adbgd_template_args *args = d->args;
	bool is_conversion;
	const char *text;

	skip(d, "on");
	text = d->read->unqualified(d, &is_conversion);
	if (peek(d) == 'I')
		text = d->read->args(d, text);
	d->args = args;
	return text;
}

/* Scopes that cannot be resolved, up to the E */
static const char *read_levels(struct adbgd_demangle *d)
{
	const char *text = read_expression_name(d);

	while (!skip(d, "E"))
		text = text_of(d, "%s::%s", text, read_expression_name(d));
	return text;
}

/* Expressions that begin with two letters, which are not those of an operator. NULL: others */
static const char *read_special(struct adbgd_demangle *d)
{
	const char *text;

	if (skip(d, "sr")) {
		text = peek(d) >= '0' && peek(d) <= '9' ? read_levels(d) : d->read->type(d);
		return text_of(d, "%s::%s", text, read_expression_name(d));
	}
	if (skip(d, "fp")) {
		adbgd_demangle_qualifiers(d);
		return text_of(d, "{parm#%zu}", adbgd_demangle_index(d, 10) + 1);
	}
	if (skip(d, "st"))
		return text_of(d, "sizeof (%s)", d->read->type(d));
	if (skip(d, "sZ"))
		return text_of(d, "sizeof...(%s)", d->read->type(d));
	if (skip(d, "sp"))
		return text_of(d, "%s...", adbgd_demangle_expression(d));
	if (skip(d, "il"))
		return text_of(d, "{%s}", read_expressions(d));
	if (skip(d, "tl")) {
		text = d->read->type(d);
		return text_of(d, "%s{%s}", text, read_expressions(d));
	}
	if (skip(d, "cl")) {
		text = adbgd_demangle_expression(d);
		return text_of(d, "%s(%s)", text, read_expressions(d));
	}
	if (skip(d, "cv")) {
		text = d->read->type(d);
		return text_of(d, "(%s)(%s)", text,
			       skip(d, "_") ? read_expressions(d) : adbgd_demangle_expression(d));
	}
	if (skip(d, "dt") || skip(d, "pt")) {
		const char *mark = d->at[-2] == 'd' ? "." : "->";

		text = adbgd_demangle_expression(d);
		return text_of(d, "%s%s%s", text, mark, read_expression_name(d));
	}
	return NULL;
}

static const char *read_operation(struct adbgd_demangle *d)
{
	unsigned int arity;
	const char *mark = adbgd_demangle_operator(d, &arity), *a, *b;

	if (!mark)
		return read_expression_name(d);
	a = adbgd_demangle_expression(d);
	if (arity == 1)
		return text_of(d, "%s(%s)", mark, a);
	b = adbgd_demangle_expression(d);
	if (arity == 3)
		return text_of(d, "(%s)?(%s) : (%s)", a, b, adbgd_demangle_expression(d));
	/* The arguments of a template must not end here. */
	return *mark == '>' ? text_of(d, "((%s)%s(%s))", a, mark, b) :
			      text_of(d, "(%s)%s(%s)", a, mark, b);
}

const char *adbgd_demangle_expression(struct adbgd_demangle *d)
{
	const char *text;

	adbgd_demangle_alloc(d, 1);
	if (++d->depth > ADBGD_DEMANGLE_DEPTH)
		adbgd_demangle_fail(d);
	if (peek(d) == 'L')
		text = adbgd_demangle_literal(d);
	else if (peek(d) == 'T')
		text = d->read->param(d);
	else
		text = read_special(d);
	if (!text)
		text = read_operation(d);
	d->depth--;
	return text;
}

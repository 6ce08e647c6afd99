// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Texts, numbers and tables for C++ names: see demangle_text.h.
 */
#include "demangle_text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char *const builtins[][2] = {
	{ "v", "void" }, { "w", "wchar_t" }, { "b", "bool" }, { "c", "char" },
	{ "a", "signed char" }, { "h", "unsigned char" }, { "s", "short" },
	{ "t", "unsigned short" }, { "i", "int" }, { "j", "unsigned int" }, { "l", "long" },
	{ "m", "unsigned long" }, { "x", "long long" }, { "y", "unsigned long long" },
	{ "n", "__int128" }, { "o", "unsigned __int128" }, { "f", "float" }, { "d", "double" },
	{ "e", "long double" }, { "g", "__float128" }, { "z", "..." },
	{ "Da", "auto" }, { "Dc", "decltype(auto)" }, { "Dn", "decltype(nullptr)" },
	{ "Dh", "half" }, { "Di", "char32_t" }, { "Ds", "char16_t" }, { "Du", "char8_t" },
	{ "Dd", "decimal64" }, { "De", "decimal128" }, { "Df", "decimal32" },
};

static const struct {
	const char *code;
	const char *text;
	unsigned int arity;
} operators[] = {
	{ "aN", "&=", 2 }, { "aS", "=", 2 }, { "aa", "&&", 2 }, { "ad", "&", 1 },
	{ "an", "&", 2 }, { "at", "alignof ", 1 }, { "aw", "co_await ", 1 },
	{ "az", "alignof ", 1 }, { "cl", "()", 2 }, { "cm", ",", 2 }, { "co", "~", 1 },
	{ "dV", "/=", 2 }, { "da", "delete[] ", 1 }, { "de", "*", 1 }, { "dl", "delete ", 1 },
	{ "ds", ".*", 2 }, { "dt", ".", 2 }, { "dv", "/", 2 }, { "eO", "^=", 2 },
	{ "eo", "^", 2 }, { "eq", "==", 2 }, { "ge", ">=", 2 }, { "gt", ">", 2 },
	{ "ix", "[]", 2 }, { "lS", "<<=", 2 }, { "le", "<=", 2 }, { "ls", "<<", 2 },
	{ "lt", "<", 2 }, { "mI", "-=", 2 }, { "mL", "*=", 2 }, { "mi", "-", 2 },
	{ "ml", "*", 2 }, { "mm", "--", 1 }, { "na", "new[]", 3 }, { "ne", "!=", 2 },
	{ "ng", "-", 1 }, { "nt", "!", 1 }, { "nw", "new", 3 }, { "oR", "|=", 2 },
	{ "oo", "||", 2 }, { "or", "|", 2 }, { "pL", "+=", 2 }, { "pl", "+", 2 },
	{ "pm", "->*", 2 }, { "pp", "++", 1 }, { "ps", "+", 1 }, { "pt", "->", 2 },
	{ "qu", "?", 3 }, { "rM", "%=", 2 }, { "rS", ">>=", 2 }, { "rm", "%", 2 },
	{ "rs", ">>", 2 }, { "ss", "<=>", 2 }, { "st", "sizeof ", 1 }, { "sz", "sizeof ", 1 },
};

bool adbgd_demangle_begin(struct adbgd_demangle *d, const char *name)
{
	memset(d, 0, sizeof(*d));
	d->at = name;
	d->end = name + strlen(name);
	d->pack_index = SIZE_MAX;
	d->memory = malloc(ADBGD_DEMANGLE_MEMORY);
	d->subs = malloc(ADBGD_DEMANGLE_SUBS * sizeof(*d->subs));
	if (d->memory && d->subs)
		return true;
	adbgd_demangle_end(d);
	return false;
}

void adbgd_demangle_end(struct adbgd_demangle *d)
{
	free(d->memory);
	free(d->subs);
}

void adbgd_demangle_fail(struct adbgd_demangle *d)
{
	longjmp(d->failed, 1);
}

void *adbgd_demangle_alloc(struct adbgd_demangle *d, size_t size)
{
	void *p = d->memory + d->used;

	size = (size + 15) & ~(size_t)15;
	if (size > ADBGD_DEMANGLE_MEMORY - d->used)
		adbgd_demangle_fail(d);
	d->used += size;
	d->num_pieces++;
	return p;
}

const char *adbgd_demangle_text(struct adbgd_demangle *d, const char *format, ...)
{
	size_t left = ADBGD_DEMANGLE_MEMORY - d->used;
	char *text = d->memory + d->used;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text, left, format, args);
	va_end(args);
	if (n < 0 || (size_t)n >= left)
		adbgd_demangle_fail(d);
	return adbgd_demangle_alloc(d, n + 1);
}

char adbgd_demangle_peek(const struct adbgd_demangle *d)
{
	return d->at < d->end ? *d->at : 0;
}

char adbgd_demangle_peek_next(const struct adbgd_demangle *d)
{
	return d->at + 1 < d->end ? d->at[1] : 0;
}

bool adbgd_demangle_skip(struct adbgd_demangle *d, const char *text)
{
	size_t length = strlen(text);

	if (length > (size_t)(d->end - d->at) || memcmp(d->at, text, length))
		return false;
	d->at += length;
	return true;
}

void adbgd_demangle_advance(struct adbgd_demangle *d, size_t length)
{
	if (length > (size_t)(d->end - d->at))
		adbgd_demangle_fail(d);
	d->at += length;
}

void adbgd_demangle_need(struct adbgd_demangle *d, const char *text)
{
	if (!adbgd_demangle_skip(d, text))
		adbgd_demangle_fail(d);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

size_t adbgd_demangle_number(struct adbgd_demangle *d)
{
	size_t n = 0;

	if (!is_digit(adbgd_demangle_peek(d)))
		adbgd_demangle_fail(d);
	while (is_digit(adbgd_demangle_peek(d))) {
		n = 10 * n + (*d->at++ - '0');
		if (n > UINT32_MAX)
			adbgd_demangle_fail(d);
	}
	return n;
}

size_t adbgd_demangle_index(struct adbgd_demangle *d, unsigned int base)
{
	size_t n = 0;

	if (adbgd_demangle_skip(d, "_"))
		return 0;
	while (!adbgd_demangle_skip(d, "_")) {
		char c = adbgd_demangle_peek(d);

		if (is_digit(c))
			n = base * n + (c - '0');
		else if (base == 36 && c >= 'A' && c <= 'Z')
			n = base * n + (c - 'A' + 10);
		else
			adbgd_demangle_fail(d);
		if (n > UINT32_MAX)
			adbgd_demangle_fail(d);
		d->at++;
	}
	return n + 1;
}

void adbgd_demangle_remember(struct adbgd_demangle *d, struct adbgd_name_sub sub)
{
	if (d->num_subs == ADBGD_DEMANGLE_SUBS)
		adbgd_demangle_fail(d);
	d->subs[d->num_subs++] = sub;
}

const char *adbgd_demangle_source_name(struct adbgd_demangle *d)
{
	size_t length = adbgd_demangle_number(d);
	const char *name = d->at;

	if (!length)
		adbgd_demangle_fail(d);
	adbgd_demangle_advance(d, length);
	if (length >= 10 && !memcmp(name, "_GLOBAL_", 8) && name[9] == 'N')
		return "(anonymous namespace)";
	return adbgd_demangle_text(d, "%.*s", (int)length, name);
}

static const char *number_in_type(struct adbgd_demangle *d, const char *format)
{
	size_t bits = adbgd_demangle_number(d);
	char text[32];

	snprintf(text, sizeof(text), "%zu", bits);
	return adbgd_demangle_text(d, "%s%s%s", format, text, *format == '_' ? "" : ")");
}

const char *adbgd_demangle_builtin(struct adbgd_demangle *d)
{
	const char *text;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(builtins); i++) {
		if (adbgd_demangle_skip(d, builtins[i][0]))
			return builtins[i][1];
	}
	if (adbgd_demangle_skip(d, "DF16b"))
		return "std::bfloat16_t";
	if (adbgd_demangle_skip(d, "DF")) {
		text = number_in_type(d, "_Float");
		if (adbgd_demangle_skip(d, "x"))
			return adbgd_demangle_text(d, "%sx", text);
		adbgd_demangle_need(d, "_");
		return text;
	}
	if (adbgd_demangle_skip(d, "DB"))
		text = number_in_type(d, "signed _BitInt(");
	else if (adbgd_demangle_skip(d, "DU"))
		text = number_in_type(d, "unsigned _BitInt(");
	else
		return NULL;
	adbgd_demangle_need(d, "_");
	return text;
}

const char *adbgd_demangle_operator(struct adbgd_demangle *d, unsigned int *arity)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(operators); i++) {
		if (!adbgd_demangle_skip(d, operators[i].code))
			continue;
		*arity = operators[i].arity;
		return operators[i].text;
	}
	return NULL;
}

const char *adbgd_demangle_joined(struct adbgd_demangle *d, const char *list,
				  const char *element)
{
	if (!*element)
		return list;
	return *list ? text_of(d, "%s, %s", list, element) : element;
}

const char *adbgd_demangle_qualifiers(struct adbgd_demangle *d)
{
	bool is_restrict = skip(d, "r"), is_volatile = skip(d, "V"), is_const = skip(d, "K");

	return text_of(d, "%s%s%s", is_const ? " const" : "", is_volatile ? " volatile" : "",
		       is_restrict ? " __restrict" : "");
}

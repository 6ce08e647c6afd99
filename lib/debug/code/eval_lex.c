// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The words of expressions: see eval_lex.h.
 */
#include "eval_lex.h"

#include <ctype.h>
#include <errno.h>

int adbgd_eval_fail(struct adbgd_eval *e, const char *what)
{
	if (*e->at)
		return adbgd_fail(e->error, -EINVAL, "%s at '%.64s'", what, e->at);
	return adbgd_fail(e->error, -EINVAL, "%s at the end of '%.128s'", what, e->text);
}

void adbgd_eval_skip_space(struct adbgd_eval *e)
{
	while (isspace((unsigned char)*e->at))
		e->at++;
}

bool adbgd_eval_take(struct adbgd_eval *e, const char *token)
{
	size_t length = strlen(token);

	adbgd_eval_skip_space(e);
	if (strncmp(e->at, token, length))
		return false;
	e->at += length;
	return true;
}

bool adbgd_eval_is_in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

bool adbgd_eval_take_word(struct adbgd_eval *e, const char *word)
{
	size_t length = strlen(word);

	adbgd_eval_skip_space(e);
	if (strncmp(e->at, word, length) || adbgd_eval_is_in_name(e->at[length]))
		return false;
	e->at += length;
	return true;
}

int adbgd_eval_take_name(struct adbgd_eval *e, char name[ADBGD_EVAL_NAME_SIZE])
{
	size_t length = 0;

	adbgd_eval_skip_space(e);
	while (adbgd_eval_is_in_name(e->at[length]))
		length++;
	if (!length || length >= ADBGD_EVAL_NAME_SIZE || isdigit((unsigned char)*e->at))
		return adbgd_eval_fail(e, "a name is expected");
	memcpy(name, e->at, length);
	name[length] = '\0';
	e->at += length;
	return 0;
}

static int take_float(struct adbgd_eval *e, struct adbgd_number *number)
{
	struct adbgd_number n = { .size = 8, .is_float = true };
	char *end;

	n.value = strtod(e->at, &end);
	if (tolower((unsigned char)*end) == 'f') {
		n.size = 4;
		n.value = strtof(e->at, NULL);
		end++;
	}
	if (adbgd_eval_is_in_name(*end))
		return adbgd_eval_fail(e, "malformed number");
	e->at = end;
	*number = n;
	return 0;
}

/* The type is the first one that can represent the number (6.4.4.1). */
static int take_integer(struct adbgd_eval *e, struct adbgd_number *number)
{
	struct adbgd_number n = { .size = 4, .is_signed = true };
	bool is_decimal = *e->at != '0';
	unsigned int longs = 0;
	char *end;

	errno = 0;
	n.bits = strtoull(e->at, &end, 0);
	if (errno)
		return adbgd_eval_fail(e, "the number has more than 64 bits");
	for (; *end && strchr("uUlL", *end); end++) {
		if (tolower((unsigned char)*end) == 'l')
			longs++;
		else
			n.is_signed = false;
	}
	if (longs > 2 || adbgd_eval_is_in_name(*end))
		return adbgd_eval_fail(e, "malformed number");
	if (longs || n.bits > UINT32_MAX || (n.is_signed && is_decimal && n.bits > INT32_MAX))
		n.size = 8;
	else if (n.bits > INT32_MAX)
		n.is_signed = false;
	n.is_signed &= n.bits <= INT64_MAX;
	e->at = end;
	*number = n;
	return 0;
}

static bool is_float_next(const struct adbgd_eval *e)
{
	const char *c = e->at;

	if (c[0] == '0' && tolower((unsigned char)c[1]) == 'x')
		return false;
	while (isdigit((unsigned char)*c))
		c++;
	return *c == '.' || tolower((unsigned char)*c) == 'e';
}

bool adbgd_eval_is_number_next(const struct adbgd_eval *e)
{
	return isdigit((unsigned char)*e->at) ||
	       (*e->at == '.' && isdigit((unsigned char)e->at[1]));
}

int adbgd_eval_take_number(struct adbgd_eval *e, struct adbgd_number *number)
{
	return is_float_next(e) ? take_float(e, number) : take_integer(e, number);
}

/* -------------------------------------------------------------------- characters */

size_t adbgd_eval_quoted_length(const char *text)
{
	size_t i = 1;

	if (*text != '\'' && *text != '"')
		return 0;
	while (text[i] && text[i] != *text)
		i += text[i] == '\\' && text[i + 1] ? 2 : 1;
	return text[i] ? i + 1 : 0;
}

/* Take up to three octal digits, or all hexadecimal ones; -1: it has more than 8 bits. */
static int take_digits(const char **at, bool is_octal)
{
	size_t num = strspn(*at, "01234567");
	char digits[4] = "";
	unsigned long value;
	char *end;

	if (!is_octal) {
		if (!isxdigit((unsigned char)**at))
			return -1;
		value = strtoul(*at, &end, 16);
		*at = end;
		return value <= UINT8_MAX ? (int)value : -1;
	}
	num = num < 3 ? num : 3;
	memcpy(digits, *at, num);
	*at += num;
	value = strtoul(digits, NULL, 8);
	return value <= UINT8_MAX ? (int)value : -1;
}

/* Take what follows a backslash (6.4.4.4); -1: it means no character. */
static int take_escape(const char **at)
{
	static const char letters[] = "abefnrtv'\"?\\", values[] = "\a\b\033\f\n\r\t\v'\"?\\";
	const char *letter = **at ? strchr(letters, **at) : NULL;

	if (**at >= '0' && **at <= '7')
		return take_digits(at, true);
	if (**at == 'x') {
		++*at;
		return take_digits(at, false);
	}
	if (!letter)
		return -1;
	++*at;
	return values[letter - letters];
}

/* As in C, it is an int, with the value of a char, which is signed on the GPU. */
int adbgd_eval_take_char(struct adbgd_eval *e, struct adbgd_number *number)
{
	size_t length = adbgd_eval_quoted_length(e->at);
	const char *at = e->at + 1;
	int c;

	if (!length)
		return adbgd_eval_fail(e, "a ' is missing");
	if (*at == '\\') {
		at++;
		c = take_escape(&at);
	} else {
		c = at == e->at + length - 1 ? -1 : (unsigned char)*at++;
	}
	if (c < 0 || at != e->at + length - 1)
		return adbgd_eval_fail(e, "one character in ' is expected");
	e->at += length;
	*number = adbgd_number_int((signed char)c);
	return 0;
}

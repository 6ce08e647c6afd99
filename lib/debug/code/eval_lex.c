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

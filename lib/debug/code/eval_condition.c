// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Expressions as conditions: their terms, whether they can be evaluated, and whether they are true.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include <amdgpudbg-debug-value.h>

#include "eval.h"

/* ------------------------------------------------------------------------- terms */

/*
 * Find an operator outside of brackets. Return: its offset in @text, or the length of @text.
 */
static size_t find_outside(const char *text, const char *operator)
{
	size_t i, quoted, length = strlen(operator);
	int depth = 0;

	for (i = 0; text[i]; i++) {
		quoted = adbgd_eval_quoted_length(text + i);
		if (quoted)
			i += quoted - 1;
		else if (strchr("([", text[i]))
			depth++;
		else if (strchr(")]", text[i]))
			depth--;
		else if (depth <= 0 && !strncmp(text + i, operator, length))
			return i;
	}
	return i;
}

ADBGD_API const char *adbgd_expression_get_term(const char *expression, size_t i, size_t *length)
{
	/* && binds more tightly than ||. */
	bool is_one = expression[find_outside(expression, "||")];
	size_t end;

	for (;;) {
		end = is_one ? strlen(expression) : find_outside(expression, "&&");
		if (!i)
			break;
		if (!expression[end])
			return NULL;
		expression += end + strlen("&&");
		i--;
	}
	for (; end && isspace((unsigned char)*expression); end--)
		expression++;
	while (end && isspace((unsigned char)expression[end - 1]))
		end--;
	*length = end;
	return expression;
}

/* ------------------------------------------------------------------------ truth */

static int evaluate(struct adbgd_eval *e, bool *is_true)
{
	struct adbgd_number number;
	struct adbgd_term t;
	int ret = adbgd_eval_whole(e, &t);

	if (!ret)
		ret = adbgd_term_decay(e, &t);
	if (!ret)
		ret = adbgd_term_read_number(e, &t, &number);
	if (!ret)
		*is_true = adbgd_number_is_true(&number);
	adbgd_eval_free(e);
	return ret;
}

ADBGD_API int adbgd_expression_is_true(struct adbgd_variables *variables, const char *expression,
				       const struct adbgd_context *context, bool *is_true,
				       struct adbgd_error *error)
{
	struct adbgd_eval e = {
		.variables = variables, .context = context,
		.text = expression, .at = expression, .error = error,
	};

	return evaluate(&e, is_true);
}

ADBGD_API int adbgd_expression_check(struct adbgd_variables *variables, const char *expression,
				     const struct adbgd_value_names *names,
				     struct adbgd_error *error)
{
	const struct adbgd_context context = { .lanes = 64, .names = names };
	struct adbgd_eval e = {
		.variables = variables, .context = &context, .unread = 1, .is_check = true,
		.text = expression, .at = expression, .error = error,
	};
	bool is_true;

	return evaluate(&e, &is_true);
}

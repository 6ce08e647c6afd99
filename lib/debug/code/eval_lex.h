/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The words of expressions: names, numbers and operators.
 */
#ifndef ADBGD_EVAL_LEX_H
#define ADBGD_EVAL_LEX_H

#include "eval_term.h"

#define ADBGD_EVAL_NAME_SIZE	256

/** adbgd_eval_fail() - fail with a message that ends with the text that is left */
int adbgd_eval_fail(struct adbgd_eval *e, const char *what);

/** adbgd_eval_skip_space() - skip blanks */
void adbgd_eval_skip_space(struct adbgd_eval *e);

/** adbgd_eval_take() - skip a token; false: another one follows */
bool adbgd_eval_take(struct adbgd_eval *e, const char *token);

/** adbgd_eval_take_word() - skip a name; false: another one follows */
bool adbgd_eval_take_word(struct adbgd_eval *e, const char *word);

/** adbgd_eval_is_in_name() - can a character be in a name? */
bool adbgd_eval_is_in_name(char c);

/** adbgd_eval_take_name() - take a name, or fail */
int adbgd_eval_take_name(struct adbgd_eval *e, char name[ADBGD_EVAL_NAME_SIZE]);

/** adbgd_eval_is_number_next() - does a number follow? */
bool adbgd_eval_is_number_next(const struct adbgd_eval *e);

/**
 * adbgd_eval_quoted_length() - get the length of a text in quotes at the beginning of @text, with
 * its quotes; 0: there is none
 */
size_t adbgd_eval_quoted_length(const char *text);

/** adbgd_eval_take_char() - take a character constant, such as 'a' or '\\n', or fail */
int adbgd_eval_take_char(struct adbgd_eval *e, struct adbgd_number *number);

/** adbgd_eval_take_number() - take a number, if adbgd_eval_is_number_next(), or fail */
int adbgd_eval_take_number(struct adbgd_eval *e, struct adbgd_number *number);

#endif /* ADBGD_EVAL_LEX_H */

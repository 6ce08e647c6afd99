/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The parser of expressions.
 */
#ifndef ADBGD_EVAL_H
#define ADBGD_EVAL_H

#include "eval_lex.h"

/** adbgd_eval_unary() - evaluate an expression without binary operators */
int adbgd_eval_unary(struct adbgd_eval *e, struct adbgd_term *t);

/** adbgd_eval_whole() - evaluate the text that is left */
int adbgd_eval_whole(struct adbgd_eval *e, struct adbgd_term *t);

/** adbgd_eval_free() - free what an evaluation has created */
void adbgd_eval_free(struct adbgd_eval *e);

#endif /* ADBGD_EVAL_H */

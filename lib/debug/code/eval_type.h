/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Types in expressions: their names, and casts.
 */
#ifndef ADBGD_EVAL_TYPE_H
#define ADBGD_EVAL_TYPE_H

#include "eval_lex.h"

/* A type that was named */
struct adbgd_named_type {
	const struct adbgd_type *type;
	bool is_of_any_space;	/* a pointer, without the memory to which it points */
};

/**
 * adbgd_eval_take_type() - take the name of a type, if one follows
 * @named: set to the type
 *
 * A name that is that of a variable, too, is that of the variable.
 *
 * Return: 1; 0: something else follows, and nothing is taken; -errno.
 */
int adbgd_eval_take_type(struct adbgd_eval *e, struct adbgd_named_type *named);

/** adbgd_eval_cast() - convert a term to a type, as a cast does */
int adbgd_eval_cast(struct adbgd_eval *e, const struct adbgd_named_type *to,
		    struct adbgd_term *t);

#endif /* ADBGD_EVAL_TYPE_H */

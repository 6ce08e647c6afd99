/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Expressions in template arguments of C++ names (demangle_expr.c), for demangle.c, whose functions
 * they call by struct adbgd_demangle_ops.
 */
#ifndef ADBGD_DEMANGLE_EXPR_H
#define ADBGD_DEMANGLE_EXPR_H

#include "demangle_text.h"

/* Read <expression>. */
const char *adbgd_demangle_expression(struct adbgd_demangle *d);

/* Read <expr-primary>: L, a type, a value, E. */
const char *adbgd_demangle_literal(struct adbgd_demangle *d);

#endif /* ADBGD_DEMANGLE_EXPR_H */

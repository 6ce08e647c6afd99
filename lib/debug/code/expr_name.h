/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of operations of location expressions.
 */
#ifndef ADBGD_EXPR_NAME_H
#define ADBGD_EXPR_NAME_H

/** adbgd_expr_name() - get the name of an operation that is not supported; NULL: unknown */
const char *adbgd_expr_name(unsigned int op);

#endif /* ADBGD_EXPR_NAME_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Location expressions.
 */
#ifndef ADBGD_EXPR_H
#define ADBGD_EXPR_H

#include "expr_find.h"

/**
 * adbgd_expr_locate() - evaluate a location expression
 * @e: the variable
 * @ops: the expression, decoded by libdw
 * @num: number of operations
 *
 * Return: as adbgd_variable_locate(); the message does not name the variable.
 */
int adbgd_expr_locate(const struct adbgd_expr *e, const Dwarf_Op ops[], size_t num,
		      struct adbgd_location *location, struct adbgd_error *error);

#endif /* ADBGD_EXPR_H */

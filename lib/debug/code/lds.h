/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where variables in LDS are.
 */
#ifndef ADBGD_LDS_H
#define ADBGD_LDS_H

#include "expr_find.h"

/**
 * adbgd_lds_check() - test if a variable, whose address in LDS is 0 in the debug information, is
 *	at address 0
 * @e: the variable
 *
 * Return: 0; -ENODATA: that is not certain; any error of adbgd_dwarf_spend().
 */
int adbgd_lds_check(const struct adbgd_expr *e, struct adbgd_error *error);

#endif /* ADBGD_LDS_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Location expressions.
 */
#ifndef ADBGD_EXPR_H
#define ADBGD_EXPR_H

#include "dwarf_info.h"

struct adbgd_expr {
	struct adbgd_dwarf *dwarf;
	const struct adbgd_context *context;	/* NULL: no register or memory can be read */
	Dwarf_Attribute *attr;		/* that the expression is of */
	Dwarf_Die *function;		/* that has DW_AT_frame_base; NULL: none */
	uint64_t pc;			/* in the file */
	uint64_t size;			/* of the variable, in bytes; 0: not known */
};

/**
 * adbgd_expr_locate() - work out a location
 * @e: what it is of
 * @ops: the expression, as libdw has taken it apart
 * @num: of operations
 * Return: as adbgd_variable_locate(); the sentence does not name the variable.
 */
int adbgd_expr_locate(const struct adbgd_expr *e, const Dwarf_Op *ops, size_t num,
		      struct adbgd_location *location, struct adbgd_error *error);

/** adbgd_expr_find() - the expression of an attribute at @e->pc: 0 or as adbgd_expr_locate() */
int adbgd_expr_find(const struct adbgd_expr *e, Dwarf_Op **ops, size_t *num,
		    struct adbgd_error *error);

#endif /* ADBGD_EXPR_H */

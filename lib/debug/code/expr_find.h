/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finding the location expression of an attribute.
 */
#ifndef ADBGD_EXPR_FIND_H
#define ADBGD_EXPR_FIND_H

#include "dwarf_info.h"

struct adbgd_expr {
	struct adbgd_dwarf *dwarf;
	const struct adbgd_context *context;	/* NULL: registers and memory cannot be read */
	Dwarf_Attribute *attr;		/* attribute with the expression */
	Dwarf_Die *function;		/* function with DW_AT_frame_base; NULL: none */
	uint64_t pc;			/* address in the file */
	uint64_t size;			/* size of the variable in bytes; 0: not known */
	bool is_one_value;		/* the compiler may keep it in registers as a whole */
	uint32_t argument;		/* its first VGPR, see argument.h, or ADBGD_ARGUMENT_NONE */
};

/**
 * adbgd_expr_find() - find the expression of an attribute at @e->pc
 *
 * Return: 0 or as adbgd_expr_locate().
 */
int adbgd_expr_find(const struct adbgd_expr *e, Dwarf_Op **ops, size_t *num,
		    struct adbgd_error *error);

#endif /* ADBGD_EXPR_FIND_H */

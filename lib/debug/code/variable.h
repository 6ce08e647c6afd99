/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The list of variables, which variable.c creates.
 */
#ifndef ADBGD_VARIABLE_H
#define ADBGD_VARIABLE_H

#include "expr.h"

struct adbgd_variable_entry {
	struct adbgd_variable variable;
	Dwarf_Off offset;	/* of its entry, or of the original if it has no copy */
	Dwarf_Off function;	/* of the entry of its function; 0: none */
};

struct adbgd_variables {
	struct adbgd_dwarf *dwarf;
	uint64_t pc;		/* address in the file */
	struct adbgd_variable_entry *entries;
	size_t count, room;
};

#endif /* ADBGD_VARIABLE_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The list of variables, as its files share it.
 */
#ifndef ADBGD_VARIABLE_H
#define ADBGD_VARIABLE_H

#include "expr.h"

struct adbgd_variable_entry {
	struct adbgd_variable variable;
	Dwarf_Off offset;	/* of its entry, or of that of which there is no copy */
	Dwarf_Off function;	/* of the function's; 0: none */
};

struct adbgd_variables {
	struct adbgd_dwarf *dwarf;
	uint64_t pc;		/* in the file */
	struct adbgd_variable_entry *entries;
	size_t count, room;
};

#endif /* ADBGD_VARIABLE_H */

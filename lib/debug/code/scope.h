/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Functions and blocks around an address.
 */
#ifndef ADBGD_SCOPE_H
#define ADBGD_SCOPE_H

#include "dwarf_info.h"

/**
 * adbgd_scope_at() - find the innermost function or block at an address of the file
 * @unit: set to its unit
 * @number: set to its index in the unit
 *
 * Return: 0; -ENOENT there is none; an error of reading the debug information.
 */
int adbgd_scope_at(struct adbgd_dwarf *dwarf, uint64_t address, struct adbgd_unit **unit,
		   uint32_t *number, struct adbgd_error *error);

/** adbgd_scope_function() - get the function, inlined or not, that contains an entry; 0: none */
uint32_t adbgd_scope_function(const struct adbgd_unit *unit, uint32_t number);

/** adbgd_scope_entry() - get the address at which a function begins */
uint64_t adbgd_scope_entry(struct adbgd_dwarf *dwarf, const struct adbgd_unit *unit,
			   uint32_t number);

/** adbgd_scope_name() - get the name of a function, inlined or not; NULL: it has none */
const char *adbgd_scope_name(struct adbgd_dwarf *dwarf, const struct adbgd_unit *unit,
			     uint32_t number);

/** adbgd_scope_row() - get the row at which the body of a function begins, after its prologue */
const struct adbgd_row *adbgd_scope_row(struct adbgd_dwarf *dwarf,
					const struct adbgd_unit *unit, uint32_t number);

#endif /* ADBGD_SCOPE_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Checks of lists of address ranges and of locations, before libdw reads them.
 */
#ifndef ADBGD_DWARF_LIST_H
#define ADBGD_DWARF_LIST_H

#include <stdbool.h>

#include "dwarf_check.h"

/*
 * Maximum length of a location in bytes: libdw needs about 80 bytes for each operation, which may
 * have only one byte.
 */
#define ADBGD_LOCATION_MAX	(16U << 10)

/**
 * struct adbgd_dwarf_list - a reference to a list
 * @version: version of DWARF of its unit
 * @address_size, @offset_size: in bytes, of its unit
 * @has_locations: false: it has address ranges
 * @is_gnu: it is of a split unit before DWARF 5, whose locations have a form of their own
 * @is_index: @at is an index in the table of offsets at @base, not an offset in the section
 */
struct adbgd_dwarf_list {
	unsigned int version;
	unsigned int address_size, offset_size;
	bool has_locations;
	bool is_gnu;
	bool is_index;
	uint64_t at, base;
};

/**
 * adbgd_dwarf_list_check() - charge the steps through a list, and check the locations in it
 *
 * Return: 0, also for a damaged list, which libdw reports; -E2BIG or -EINTR.
 */
int adbgd_dwarf_list_check(struct adbgd_code *code, const struct adbgd_dwarf_sections *sections,
			   const struct adbgd_dwarf_list *list, struct adbgd_error *error);

#endif /* ADBGD_DWARF_LIST_H */

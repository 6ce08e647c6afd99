/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Checks of lists of address ranges and of locations, before libdw reads them.
 */
#ifndef ADBGD_DWARF_LIST_H
#define ADBGD_DWARF_LIST_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>

#include "budget.h"

/*
 * Maximum length of a location in bytes: libdw needs about 80 bytes for each operation, which may
 * have only one byte.
 */
#define ADBGD_LOCATION_MAX	(16U << 10)

/* Sections with lists; NULL: there is no such section */
struct adbgd_dwarf_lists {
	struct adbgd_budget *budget;
	const char *name;		/* name of the code object */
	Elf_Data *info;
	Elf_Data *ranges, *rnglists;	/* of DWARF 4 and DWARF 5 */
	Elf_Data *loc, *loclists;
};

/** adbgd_dwarf_section() - get a section with the content that libdw sees; NULL: there is none */
Elf_Data *adbgd_dwarf_section(Elf *elf, const char *name);

/** adbgd_dwarf_lists_init() - find the sections, after libdw has decompressed them */
void adbgd_dwarf_lists_init(struct adbgd_dwarf_lists *lists, Elf *elf,
			    struct adbgd_budget *budget, const char *name);

/**
 * adbgd_dwarf_list_check() - charge the steps through a list, and check the locations in it
 * @attr: an attribute, which need not refer to a list
 * @has_locations: false: the list has address ranges
 *
 * Return: 0, also for a damaged list, which libdw reports; -E2BIG or -EINTR.
 */
int adbgd_dwarf_list_check(const struct adbgd_dwarf_lists *lists, Dwarf_Attribute *attr,
			   bool has_locations, struct adbgd_error *error);

#endif /* ADBGD_DWARF_LIST_H */

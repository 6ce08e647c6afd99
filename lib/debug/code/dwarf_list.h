/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lists of ranges of addresses and of locations, before libdw goes through them.
 */
#ifndef ADBGD_DWARF_LIST_H
#define ADBGD_DWARF_LIST_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>

#include "budget.h"

/* Bytes of a location: libdw takes some 80 for each operation, of which a byte may be one. */
#define ADBGD_LOCATION_MAX	(16U << 10)

/* The sections that have them; NULL: there is none */
struct adbgd_dwarf_lists {
	struct adbgd_budget *budget;
	const char *name;		/* of the code object */
	Elf_Data *info;
	Elf_Data *ranges, *rnglists;	/* of DWARF 4, and 5 */
	Elf_Data *loc, *loclists;
};

/** adbgd_dwarf_section() - the bytes of a section as libdw has them; NULL: there is none */
Elf_Data *adbgd_dwarf_section(Elf *elf, const char *name);

/** adbgd_dwarf_lists_init() - find the sections, when libdw has decompressed them */
void adbgd_dwarf_lists_init(struct adbgd_dwarf_lists *lists, Elf *elf,
			    struct adbgd_budget *budget, const char *name);

/**
 * adbgd_dwarf_list_check() - charge the steps through a list, and check the locations in it
 * @attr: an attribute, which may also be of something else than a list
 * @has_locations: not ranges of addresses
 *
 * Return: 0, also for a list that is damaged, which libdw finds; -E2BIG, -EINTR.
 */
int adbgd_dwarf_list_check(const struct adbgd_dwarf_lists *lists, Dwarf_Attribute *attr,
			   bool has_locations, struct adbgd_error *error);

#endif /* ADBGD_DWARF_LIST_H */

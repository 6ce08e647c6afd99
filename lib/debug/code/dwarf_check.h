/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Checks of debug information before libdw reads it.
 */
#ifndef ADBGD_DWARF_CHECK_H
#define ADBGD_DWARF_CHECK_H

#include <stdbool.h>

#include "cursor.h"
#include "internal.h"

struct adbgd_code;

/* The sections that are checked, with the content that libdw sees */
struct adbgd_dwarf_sections {
	struct adbgd_section info, types, abbrev;
	struct adbgd_section ranges, rnglists;		/* of DWARF 4 and DWARF 5 */
	struct adbgd_section loc, loclists;
	struct adbgd_section line, line_str, str;
};

/** adbgd_dwarf_check_sizes() - charge what libelf decompresses; 0, -E2BIG or -EINTR */
int adbgd_dwarf_check_sizes(struct adbgd_code *code, struct adbgd_error *error);

/**
 * adbgd_dwarf_check_name() - test whether libdw may open a section
 * @name: its name, as libdw will see it; NULL: it has none
 * @flags: its flags, see elf(5)
 * @has_names: it is the section that contains the names of all sections
 *
 * Return: 0, -EBADMSG or -EOPNOTSUPP.
 */
int adbgd_dwarf_check_name(const struct adbgd_code *code, const char *name, uint64_t flags,
			   bool has_names, struct adbgd_error *error);

/**
 * adbgd_dwarf_check_units() - test whether libdw may read the units
 * @is_split: they are those of a .dwo file
 *
 * Return: 0, -EOPNOTSUPP, -E2BIG or -EINTR.
 */
int adbgd_dwarf_check_units(struct adbgd_code *code, const struct adbgd_dwarf_sections *sections,
			    bool is_split, struct adbgd_error *error);

#endif /* ADBGD_DWARF_CHECK_H */

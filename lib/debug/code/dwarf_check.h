/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Checks of debug information before libdw reads it.
 */
#ifndef ADBGD_DWARF_CHECK_H
#define ADBGD_DWARF_CHECK_H

#include "dwarf_info.h"

/**
 * adbgd_dwarf_check_sections() - test whether libdw may open the sections
 *
 * Return: 0, -EOPNOTSUPP or -E2BIG.
 */
int adbgd_dwarf_check_sections(const struct adbgd_dwarf *d, struct adbgd_error *error);

/**
 * adbgd_dwarf_check_units() - test whether libdw may read the units
 *
 * Return: 0, -EOPNOTSUPP, -E2BIG or -EINTR.
 */
int adbgd_dwarf_check_units(struct adbgd_dwarf *d, struct adbgd_error *error);

#endif /* ADBGD_DWARF_CHECK_H */

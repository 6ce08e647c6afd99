/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The list of units of a code object.
 */
#ifndef ADBGD_DWARF_UNITS_H
#define ADBGD_DWARF_UNITS_H

#include "dwarf_info.h"

/** adbgd_dwarf_units() - read the list of units, which must be empty */
int adbgd_dwarf_units(struct adbgd_dwarf *dwarf, struct adbgd_error *error);

#endif /* ADBGD_DWARF_UNITS_H */

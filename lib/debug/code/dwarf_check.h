/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What of debug information is looked at before libdw reads it.
 */
#ifndef ADBGD_DWARF_CHECK_H
#define ADBGD_DWARF_CHECK_H

#include "dwarf_info.h"

/** adbgd_dwarf_check_sections() - may libdw open them? 0, -EOPNOTSUPP, -E2BIG */
int adbgd_dwarf_check_sections(const struct adbgd_dwarf *d, struct adbgd_error *error);

/** adbgd_dwarf_check_units() - and read the units? 0, -EOPNOTSUPP, -E2BIG, -EINTR */
int adbgd_dwarf_check_units(struct adbgd_dwarf *d, struct adbgd_error *error);

#endif /* ADBGD_DWARF_CHECK_H */

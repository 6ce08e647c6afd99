/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opening the debug information of a code object.
 */
#ifndef ADBGD_DWARF_OPEN_H
#define ADBGD_DWARF_OPEN_H

#include "dwarf_info.h"

/** adbgd_dwarf_get() - that of a code object, which is read when it is needed first */
int adbgd_dwarf_get(struct adbgd_code *code, struct adbgd_dwarf **dwarf,
		    struct adbgd_error *error);

#endif /* ADBGD_DWARF_OPEN_H */

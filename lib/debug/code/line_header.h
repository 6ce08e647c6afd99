/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Headers of the tables of lines.
 */
#ifndef ADBGD_LINE_HEADER_H
#define ADBGD_LINE_HEADER_H

#include "dwarf_info.h"

/** adbgd_line_headers_check() - may libdw read them? 0, -EBADMSG, -E2BIG */
int adbgd_line_headers_check(struct adbgd_dwarf *d, struct adbgd_error *error);

#endif /* ADBGD_LINE_HEADER_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Checks of the headers of line tables.
 */
#ifndef ADBGD_LINE_HEADER_H
#define ADBGD_LINE_HEADER_H

#include "dwarf_info.h"

/**
 * adbgd_line_headers_check() - test whether libdw may read the line tables
 *
 * Return: 0, -EBADMSG, -E2BIG or -EINTR.
 */
int adbgd_line_headers_check(struct adbgd_dwarf *d, struct adbgd_error *error);

#endif /* ADBGD_LINE_HEADER_H */

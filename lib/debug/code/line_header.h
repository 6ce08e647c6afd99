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

/**
 * adbgd_line_header_source() - get the text of a source file from a line table of DWARF 5
 * @unit: entry of the unit
 * @number: number of the file in the table
 *
 * Return: the text, which belongs to libelf; NULL: it is not there.
 */
const char *adbgd_line_header_source(struct adbgd_dwarf *d, Dwarf_Die *unit, size_t number);

#endif /* ADBGD_LINE_HEADER_H */

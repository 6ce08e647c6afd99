/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Split debug information (-gsplit-dwarf): the code object has skeleton units, and the entries are
 * in a .dwo file for each, or in a .dwp file for all.
 */
#ifndef ADBGD_SPLIT_H
#define ADBGD_SPLIT_H

#include "dwarf_info.h"

/**
 * adbgd_split_open() - find the file of a skeleton unit, and have libdw read it
 * @unit: @lines is the entry of the skeleton unit; @die is set to that of the unit in the file
 *
 * Return: 0;
 * -EOPNOTSUPP: the file was not found, or is that of another compilation;
 * any error of adbgd_split_file_read().
 *
 * If this fails, do not use any function of libdw for the entry that looks into the other file.
 */
int adbgd_split_open(struct adbgd_dwarf *d, struct adbgd_unit *unit, struct adbgd_error *error);

/** adbgd_split_end() - free what is only needed while units are opened */
void adbgd_split_end(struct adbgd_dwarf *d);

#endif /* ADBGD_SPLIT_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Types of debug information.
 */
#ifndef ADBGD_TYPE_H
#define ADBGD_TYPE_H

#include "dwarf_info.h"

/**
 * adbgd_type_of() - get the type that DW_AT_type of an entry refers to; void: there is none
 *
 * A damaged type is replaced by one whose values cannot be shown.
 *
 * Return: 0, -ENOMEM or -E2BIG.
 */
int adbgd_type_of(struct adbgd_dwarf *dwarf, Dwarf_Off entry,
		  const struct adbgd_type **type, struct adbgd_error *error);

/** adbgd_type_at() - get the type that an entry describes; results as of adbgd_type_of() */
int adbgd_type_at(struct adbgd_dwarf *dwarf, Dwarf_Off entry, const struct adbgd_type **type,
		  struct adbgd_error *error);

#endif /* ADBGD_TYPE_H */

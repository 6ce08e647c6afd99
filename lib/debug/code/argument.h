/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Registers in which functions receive their arguments.
 */
#ifndef ADBGD_ARGUMENT_H
#define ADBGD_ARGUMENT_H

#include "dwarf_info.h"

#define ADBGD_ARGUMENT_NONE	UINT32_MAX

/**
 * adbgd_argument_vgpr() - get the first VGPR of an argument by the calling convention
 * @function: offset of the function's entry
 * @parameter: offset of the entry of one of its parameters
 *
 * Return: its number; ADBGD_ARGUMENT_NONE: it is in memory, or not known.
 */
uint32_t adbgd_argument_vgpr(struct adbgd_dwarf *dwarf, Dwarf_Off function, Dwarf_Off parameter);

#endif /* ADBGD_ARGUMENT_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Translating DWARF register numbers.
 */
#ifndef ADBGD_DWARF_REG_H
#define ADBGD_DWARF_REG_H

#include "internal.h"

/**
 * adbgd_dwarf_reg() - translate a DWARF register number
 * @number: number in DWARF
 * @lanes: number of lanes of the wave
 * @space: set to the space, see read_register() of &struct adbgd_context
 * @index: set to its number in this space
 * @count: set to how many 32-bit registers it has
 *
 * Return: 0; -EOPNOTSUPP it cannot be read; -EBADMSG there is no such register in these waves.
 */
int adbgd_dwarf_reg(uint64_t number, uint32_t lanes, uint32_t *space, uint32_t *index,
		    uint32_t *count, struct adbgd_error *error);

#endif /* ADBGD_DWARF_REG_H */

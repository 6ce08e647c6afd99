/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Registers as DWARF numbers them.
 */
#ifndef ADBGD_DWARF_REG_H
#define ADBGD_DWARF_REG_H

#include "internal.h"

/**
 * adbgd_dwarf_reg() - which register is meant?
 * @number: DWARF's
 * @lanes: of the wave
 * @space: set as read_register() of &struct adbgd_context has it
 * @index: set to its number there
 * @count: set to how many registers of 32 bits it is
 *
 * Return: 0; -EOPNOTSUPP it cannot be read; -EBADMSG there is none, or none in such waves.
 */
int adbgd_dwarf_reg(uint64_t number, uint32_t lanes, uint32_t *space, uint32_t *index,
		    uint32_t *count, struct adbgd_error *error);

#endif /* ADBGD_DWARF_REG_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * When a wave that traps is to stop, as instructions for the trap handler: see
 * "The decision" in trap_abi.h.
 */
#ifndef ADBGD_CONDITION_PROGRAM_H
#define ADBGD_CONDITION_PROGRAM_H

#include "condition.h"

/**
 * adbgd_condition_program_build() - make a decision
 * @gc_version: of the GPU
 * @clauses: the wave stops if one holds; the first that does counts
 * @num: how many; 0: it never stops but for exceptions
 * @code: TRAP_CONDITION_DWORDS, which are set
 *
 * Return: 0; -EOPNOTSUPP the GPU's generation; -EINVAL what cannot be, or never holds;
 * -ENOSPC more than there is room for. Only 0 changes @code.
 */
int adbgd_condition_program_build(uint32_t gc_version,
				  const struct adbgd_handler_condition *conditions, size_t num,
				  uint32_t *code);

#endif /* ADBGD_CONDITION_PROGRAM_H */

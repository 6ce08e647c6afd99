/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Conditions as instructions of the trap handler, which evaluates them to decide whether a wave
 * that traps stops: see "The condition program" in trap_abi.h.
 */
#ifndef ADBGD_CONDITION_PROGRAM_H
#define ADBGD_CONDITION_PROGRAM_H

#include "condition.h"

/**
 * adbgd_condition_program_build() - translate conditions into a condition program
 * @gc_version: of the GPU
 * @conditions: the wave stops if one of them is true; the first true one is used
 * @num: how many; 0: the wave stops only for exceptions
 * @code: TRAP_CONDITION_DWORDS dwords, set to the program; not changed on failure
 *
 * Return: 0, or
 * -EOPNOTSUPP: the GPU's generation is not supported;
 * -EINVAL: a condition is invalid, or is never true;
 * -ENOSPC: the program is too long.
 */
int adbgd_condition_program_build(uint32_t gc_version,
				  const struct adbgd_handler_condition *conditions, size_t num,
				  uint32_t *code);

#endif /* ADBGD_CONDITION_PROGRAM_H */

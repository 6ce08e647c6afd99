/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The debugger's trap handler: the default one of trap/, with a condition program.
 *
 * Its code runs at any address that is a multiple of 256. Instructions that were cached stay
 * cached (AMDGPUDBG_IOC_MEM_COPY), and waves may be in a handler while it is written. Therefore
 * another condition program needs another copy of the code, at a place where no code was executed
 * since a patch was last set or removed, because that invalidates the caches. Then
 * AMDGPUDBG_IOC_TRAP_HANDLER sets the new copy. Two places in one buffer, used in turn, are
 * enough if no wave is in the old handler (AMDGPUDBG_WAVE_PRIV) when its place is written.
 * Displaced instructions (displace.h) are in the same buffer, behind both handlers: the program
 * has the distance from its own handler to them.
 */
#ifndef ADBGD_HANDLER_H
#define ADBGD_HANDLER_H

#include "condition_program.h"

/* Get the length of the code in bytes; 0: there is no handler for the generation. */
size_t adbgd_handler_size(uint32_t gc_version);

/**
 * adbgd_handler_build() - build the code of a handler
 * @gc_version: of the GPU
 * @conditions: see adbgd_condition_program_build()
 * @num: how many
 * @code: adbgd_handler_size() bytes, set to the code; not changed on failure
 *
 * Return: as adbgd_condition_program_build().
 */
int adbgd_handler_build(uint32_t gc_version, const struct adbgd_handler_condition *conditions,
			size_t num, uint32_t *code);

#endif /* ADBGD_HANDLER_H */

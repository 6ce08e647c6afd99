/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The debugger's trap handler: the default one of trap/, with a decision.
 *
 * Its code runs at any address that is a multiple of 256. Instructions that were cached
 * stay cached (AMDGPUDBG_IOC_MEM_COPY), and waves may be in a handler while it is written.
 * So another decision is another copy of the code, where no code was since a patch was
 * last set or taken out, which invalidates the caches; then it is made the handler by
 * AMDGPUDBG_IOC_TRAP_HANDLER. Two places in one buffer, used in turn, are enough if no
 * wave is in its handler (AMDGPUDBG_WAVE_PRIV) when the turn comes. Copies of patched
 * instructions (displace.h) are in that buffer, too, behind both: a decision has the way there
 * from its own handler.
 */
#ifndef ADBGD_HANDLER_H
#define ADBGD_HANDLER_H

#include "condition_program.h"

/* Length of the code in bytes; 0: there is none for the generation */
size_t adbgd_handler_size(uint32_t gc_version);

/**
 * adbgd_handler_build() - make the code
 * @gc_version: of the GPU
 * @clauses: the decision
 * @num: how many
 * @code: adbgd_handler_size(), which is set
 *
 * Return: as adbgd_condition_program_build(). Only 0 changes @code.
 */
int adbgd_handler_build(uint32_t gc_version, const struct adbgd_handler_condition *conditions,
			size_t num, uint32_t *code);

#endif /* ADBGD_HANDLER_H */

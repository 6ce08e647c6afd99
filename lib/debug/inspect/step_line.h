/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stepping a wave by the functions and lines of its source.
 */
#ifndef ADBGD_STEP_LINE_H
#define ADBGD_STEP_LINE_H

#include <amdgpudbg-debug-step.h>

#include "internal.h"
#include "process/operation.h"

/*
 * Continue an operation: step its wave until it has left a function that is inlined, and is at the
 * begin of a statement. @lookup: an address of the function's instructions, from which the wave has
 * come to where it is; @callers: how many functions contain the function there. Returns 1 if a
 * stage has begun, 0 if the wave is there already, or -errno as adbgd_wave_step_line() does. The
 * operation has another plan from then on; the data of the one before is freed unless it fails.
 */
int adbgd_leave_inlined(struct adbgd_operation *operation, struct adbgd_code *code,
			uint64_t lookup, size_t callers, struct adbgd_error *error);

/*
 * Get the stack pointer of a halted wave, by the calling convention of compilers: an address in the
 * private memory of a lane. Deeper calls have larger ones.
 */
int adbgd_wave_stack(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		     uint64_t *stack, struct adbgd_error *error);

#endif /* ADBGD_STEP_LINE_H */

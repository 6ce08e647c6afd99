/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stepping a wave by the functions and lines of its source.
 */
#ifndef ADBGD_STEP_LINE_H
#define ADBGD_STEP_LINE_H

#include <amdgpudbg-debug-step.h>

#include "internal.h"

/*
 * The milliseconds until @end (see adbgd_now_ns()), for functions that take a timeout; -1 if
 * @timeout_ms is negative
 */
int adbgd_time_left(uint64_t end, int timeout_ms);

/*
 * Step a halted wave until it has left a function that is inlined, and is at the begin of a
 * statement. @lookup: an address of the function's instructions, from which the wave has come to
 * stop->pc; @callers: how many functions contain the function there. Returns what
 * adbgd_wave_step_line() returns.
 */
int adbgd_wave_leave_inlined(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
			     struct adbgd_code *code, uint64_t lookup, size_t callers,
			     int timeout_ms, struct adbgd_stop *stop, struct adbgd_error *error);

/*
 * Get the stack pointer of a halted wave, by the calling convention of compilers: an address in the
 * private memory of a lane. Deeper calls have larger ones.
 */
int adbgd_wave_stack(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		     uint64_t *stack, struct adbgd_error *error);

#endif /* ADBGD_STEP_LINE_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libamdgpudbg-debug: stepping a wave by source line, and out of its functions. The functions
 * here connect a wave of amdgpudbg-debug.h with the source lines of amdgpudbg-debug-code.h.
 */
#ifndef AMDGPUDBG_DEBUG_STEP_H
#define AMDGPUDBG_DEBUG_STEP_H

#include <amdgpudbg-debug.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where adbgd_wave_step_line() stops */
enum adbgd_step_line {
	ADBGD_STEP_LINE_INTO = 1,	/* at the next line, also in a function that is called */
	ADBGD_STEP_LINE_OVER,		/* at the next line of the function, or of its caller */
	ADBGD_STEP_LINE_UNTIL,		/* _OVER, and not at an address before the current line */
};

/**
 * adbgd_wave_step_line() - run a halted wave to the next source line
 * @at: slot of the wave
 * @code: the code object that the wave executes
 * @how: enum adbgd_step_line. _UNTIL leaves a loop at whose end the wave is.
 * @timeout_ms: how long this may take, in milliseconds; -1: without limit
 * @stop: set to ADBGD_STOP_STEP if the wave is at another line, to another stop that came before,
 *	or to ADBGD_STOP_WAVE_END. The stop is not reported again. Only breakpoints without a
 *	condition stop a wave that is stepped.
 *
 * The wave stops at the first instruction of a statement, as the compiler has marked it, if that
 * is on another line. It does not stop in the middle of a line, to which a function has returned,
 * nor at instructions that the compiler has attributed to no line.
 *
 * A called function is entered if @code knows its lines; the wave then stops after its prologue.
 * Inlined functions count as called ones. Other functions are executed as a whole, as all are for
 * _OVER and _UNTIL.
 *
 * Only this wave is resumed. It may visit both sides of a branch one after the other, with
 * different active lanes.
 *
 * Return: 0, or
 * -EINVAL: there is no such @how;
 * -ENOENT: no source line is known for the wave's PC;
 * -ETIMEDOUT: the wave is still in its line after @timeout_ms, and is halted;
 * -EINTR: interrupted, see adbgd_process_set_interrupt(); the wave is halted;
 * any error of adbgd_wave_step(), adbgd_wave_until(), adbgd_frames_at() and adbgd_line_at().
 */
int adbgd_wave_step_line(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
			 struct adbgd_code *code, uint32_t how, int timeout_ms,
			 struct adbgd_stop *stop, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_finish_frame() - run a halted wave until a function of its call chain returns
 * @at: slot of the wave
 * @code: the code object that the wave executes; NULL: not known, then @frame must be 0, and the
 *	function ends as for adbgd_wave_finish()
 * @frame: number of the function in adbgd_backtrace_new(), 0 for the innermost
 * @timeout_ms: how long this may take, in milliseconds; -1: without limit
 * @stop: set to ADBGD_STOP_STEP if the function has returned, to another stop that came before, or
 *	to ADBGD_STOP_WAVE_END. The stop is not reported again.
 *
 * The wave stops at the instruction after the call. A function that is inlined has no such
 * instruction: the wave is stepped until it is at the begin of a statement outside of it. The
 * innermost function may be a kernel; then the wave stops at its end.
 *
 * A function that calls itself has returned when the stack pointer is that of its caller.
 *
 * Return: 0, or
 * -ERANGE: the call chain has no such @frame;
 * -ENODATA: the caller of the function is not known; or it is a kernel, and not the innermost
 *	function;
 * -ETIMEDOUT: the function has not returned after @timeout_ms, and the wave is halted;
 * -EINTR: interrupted, see adbgd_process_set_interrupt(); the wave is halted;
 * any error of adbgd_wave_finish(), adbgd_wave_until(), adbgd_wave_step_line(),
 * adbgd_wave_context_new() and adbgd_backtrace_new().
 */
int adbgd_wave_finish_frame(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
			    struct adbgd_code *code, size_t frame, int timeout_ms,
			    struct adbgd_stop *stop, struct adbgd_error *error) ADBG_WUR;

#ifdef __cplusplus
}
#endif

#endif /* AMDGPUDBG_DEBUG_STEP_H */

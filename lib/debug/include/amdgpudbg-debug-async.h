/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libamdgpudbg-debug: operations, which move a wave and do not wait for it, for programs with an
 * event loop. amdgpudbg-debug.h includes this header.
 *
 * A function named _start_ begins what the function without this word does: for example,
 * adbgd_wave_start_until() begins what adbgd_wave_until() does. The end of the operation is a stop
 * like all others, from adbgd_process_wait_stop(), _handle_event() or _handle_timeout(): a
 * struct adbgd_stop with @operation set, and with the reason that the other function returns. In an
 * event loop, wait until adbgd_process_get_fd() is readable, and then call
 * adbgd_process_wait_stop() with a timeout of 0.
 *
 * Several waves can have an operation at the same time, one each. It ends when
 *
 * - the wave has reached its goal (ADBGD_STOP_STEP), or has ended (ADBGD_STOP_WAVE_END);
 * - the wave stops for another reason, which is the reason of the stop;
 * - it fails: ADBGD_STOP_INTERRUPTED with @error of struct adbgd_stop set. The wave stays as it is,
 *	and adbgd_process_get_operation_error() has a message;
 * - ADBGD_STOP_EXITED, _EXEC, _INVALIDATED or _EXPIRED is reported. These end all operations at
 *	once, without a further stop for each; waves that run keep running;
 * - adbgd_operation_cancel() or adbgd_operation_release() is called.
 *
 * A wave that runs to an address runs on the GPU, without the host. In two cases the host executes
 * the instructions of the wave: while breakpoints are pending, and for source lines. It does so in
 * the functions that report stops, for at most 10 ms in a call plus one instruction of each such
 * wave; the descriptor stays readable until the operation has ended. Between two calls the wave is
 * halted. Only its operation can resume it: other functions return -EBUSY, and
 * adbgd_process_continue() leaves it halted.
 *
 * A running wave that adbgd_process_halt() halts stays in its operation, which continues when the
 * wave is resumed.
 */
#ifndef AMDGPUDBG_DEBUG_ASYNC_H
#define AMDGPUDBG_DEBUG_ASYNC_H

#include <amdgpudbg-debug-code.h>

#ifdef __cplusplus
extern "C" {
#endif

struct adbgd_process;		/* see amdgpudbg-debug.h */
struct adbgd_stop;

/* What an operation does */
enum adbgd_operation_kind {
	ADBGD_OPERATION_STEP = 1,
	ADBGD_OPERATION_STEP_OVER,
	ADBGD_OPERATION_UNTIL,
	ADBGD_OPERATION_FINISH,
	ADBGD_OPERATION_STEP_LINE,
	ADBGD_OPERATION_FINISH_FRAME,
};

#define ADBGD_OPERATION_STEPPED	(1U << 0)	/* now the host executes its instructions */

/** struct adbgd_operation_info - description of an operation */
struct adbgd_operation_info {
	uint32_t number;	/* from 1, never used again */
	uint32_t kind;		/* enum adbgd_operation_kind */
	struct amdgpudbg_wave_coord at;	/* slot of the wave */
	uint32_t flags;		/* ADBGD_OPERATION_* */
	uint32_t __reserved;	/* 0 */
};

/**
 * adbgd_wave_start_step() - begin to execute one instruction of a halted wave
 * @at: slot of the wave
 * @number: NULL, or set to the number of the operation
 *
 * The instruction is executed by the next call of a function that reports stops.
 *
 * Return: 0, or
 * -EBUSY: an operation moves the wave already;
 * any error of adbgd_wave_step().
 */
int adbgd_wave_start_step(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
			  uint32_t *number, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_start_step_over() - begin to run a halted wave to the next instruction, over calls
 *
 * Return: as adbgd_wave_start_until().
 */
int adbgd_wave_start_step_over(struct adbgd_process *process,
			       const struct amdgpudbg_wave_coord *at, uint32_t *number,
			       struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_start_until() - begin to run a halted wave until it reaches an instruction
 * @address: the instruction, see adbgd_wave_until(). Until the operation has ended, no breakpoint
 *	can be set there; one that is there already can be cleared.
 *
 * If several operations have the same goal, all other waves that reach it are halted for a moment,
 * and resumed by the function that reports stops; but if a breakpoint with a condition is there,
 * they are reported, because it is not known whether its condition is true for them.
 *
 * Return: 0, or
 * -EBUSY: an operation moves the wave already;
 * any error of adbgd_wave_until(), except -ETIMEDOUT.
 */
int adbgd_wave_start_until(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
			   uint64_t address, uint32_t *number,
			   struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_start_finish() - begin to run a halted wave until it returns from its function
 *
 * Return: as adbgd_wave_start_until(), or any error of adbgd_wave_finish().
 */
int adbgd_wave_start_finish(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
			    uint32_t *number, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_start_step_line() - begin to run a halted wave to the next source line
 * @code: the code object that the wave executes; it must not be freed before the operation ends
 * @how: enum adbgd_step_line of amdgpudbg-debug-step.h
 *
 * Return: as adbgd_wave_start_until(), or any error of adbgd_wave_step_line().
 */
int adbgd_wave_start_step_line(struct adbgd_process *process,
			       const struct amdgpudbg_wave_coord *at, struct adbgd_code *code,
			       uint32_t how, uint32_t *number,
			       struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_wave_start_finish_frame() - begin to run a halted wave until a function returns
 * @code: the code object that the wave executes; it must not be freed before the operation ends.
 *	NULL: not known
 * @frame: number of the function in the call chain, see adbgd_wave_finish_frame()
 *
 * Return: as adbgd_wave_start_until(), or any error of adbgd_wave_finish_frame().
 */
int adbgd_wave_start_finish_frame(struct adbgd_process *process,
				  const struct amdgpudbg_wave_coord *at, struct adbgd_code *code,
				  size_t frame, uint32_t *number,
				  struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_operation_cancel() - end an operation, and halt its wave where it is
 * @number: the operation
 * @stop: set to where the wave is: ADBGD_STOP_INTERRUPTED, or another stop that came before. It is
 *	not reported again.
 *
 * Return: 0, or
 * -ENOENT: there is no such operation, or it has ended;
 * any error of adbg_wave_control(): the operation continues.
 */
int adbgd_operation_cancel(struct adbgd_process *process, uint32_t number,
			   struct adbgd_stop *stop, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_operation_release() - end an operation, and let its wave run
 *
 * Return: 0, or
 * -ENOENT: there is no such operation, or it has ended;
 * any error of adbgd_wave_continue(): the operation has ended, and the wave is halted.
 */
int adbgd_operation_release(struct adbgd_process *process, uint32_t number,
			    struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_process_get_operation() - get the operation at index @i, from 0, in the order of numbers
 * @info: set to its description
 *
 * Return: 0; -ENOENT: there are no more.
 */
int adbgd_process_get_operation(const struct adbgd_process *process, size_t i,
				struct adbgd_operation_info *info) ADBG_WUR;

/** adbgd_process_get_operation_error() - get the message of the last operation that has failed */
const struct adbgd_error *
adbgd_process_get_operation_error(const struct adbgd_process *process);

/**
 * adbgd_process_report_breakpoints() - report breakpoints that become set or pending
 * @on: true: from now on; false: do not report them, which is the default
 *
 * Such a change is a stop of the process with the reason ADBGD_STOP_BREAKPOINT_STATE, and with the
 * number of the breakpoint. adbgd_breakpoint_get_info() says whether it is pending now. Of several
 * changes between two calls, only the last is reported, and none if they cancel each other out.
 * The state that a breakpoint has when the function that sets it returns is no change, nor is what
 * happens while it is disabled.
 */
void adbgd_process_report_breakpoints(struct adbgd_process *process, bool on);

#ifdef __cplusplus
}
#endif

#endif /* AMDGPUDBG_DEBUG_ASYNC_H */

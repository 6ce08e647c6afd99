/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libamdgpudbg-debug: loops that a wave executes, found in a trace of amdgpudbg-debug.h, and the
 * instructions that decide whether it leaves them.
 */
#ifndef AMDGPUDBG_DEBUG_LOOP_H
#define AMDGPUDBG_DEBUG_LOOP_H

#include <amdgpudbg-debug.h>

#ifdef __cplusplus
extern "C" {
#endif

struct adbgd_loops;		/* the loops in a trace, innermost first */

/** struct adbgd_loop - a loop: instructions to whose first one the wave has branched back */
struct adbgd_loop {
	uint64_t head;		/* address of the first instruction */
	uint64_t last;		/* address of the last branch back to @head */
	uint64_t iterations;	/* complete ones in the trace */
	uint64_t left;		/* how often the wave has left the loop */
	uint64_t instructions;	/* executed in the last complete iteration, also in calls */
	uint64_t min_instructions;	/* in the shortest iteration */
	uint64_t max_instructions;	/* in the longest one */
	uint32_t num_conditions;	/* branches that can leave the loop */
	uint32_t flags;		/* ADBGD_LOOP_* */
	uint32_t __reserved[4];	/* 0 */
};

#define ADBGD_LOOP_ACTIVE	(1U << 0)	/* the wave is in it at the end of the trace */
#define ADBGD_LOOP_NESTED	(1U << 1)	/* it is inside of an active one */
#define ADBGD_LOOP_CALLS	(1U << 2)	/* functions are called in it */

/**
 * adbgd_loops_new() - find the loops in a trace
 * @trace: must outlive the result, with the steps that it has now; its position changes
 * @disasm: for the GPU and the lanes of the wave
 * @memory: reads the instructions, see adbgd_process_get_memory()
 * @loops: set to the result, which may be empty; free it with adbgd_loops_free()
 *
 * The innermost active loop comes first, then those around it. Loops that the wave has left for
 * good are the last. Functions that a loop calls are part of its iterations. At most 64 loops are
 * found.
 *
 * Return: 0, or
 * -ENOMEM: out of memory;
 * any error of @memory.
 */
int adbgd_loops_new(struct adbgd_trace *trace, struct adbgd_disasm *disasm,
		    const struct adbgd_memory *memory, struct adbgd_loops **loops,
		    struct adbgd_error *error) ADBG_WUR;

/** adbgd_loops_free() - free the result of adbgd_loops_new(); NULL is ignored */
void adbgd_loops_free(struct adbgd_loops *loops);

/**
 * adbgd_loops_get() - get the loop at index @i, from 0
 *
 * Return: NULL if there are no more.
 */
const struct adbgd_loop *adbgd_loops_get(const struct adbgd_loops *loops, size_t i);

/**
 * adbgd_loops_get_insn() - get an instruction that decides whether the wave leaves a loop
 * @i: index of the loop
 * @condition: index of a branch that can leave it, below num_conditions
 * @k: index of the instruction, from 0, in the order of execution
 *
 * The last one is the branch. Those before it have computed SCC, VCC or EXEC for it: the
 * comparison, and the operations on masks of lanes between both. They are known for gfx10.3.
 *
 * Return: NULL if there are no more.
 */
const struct adbgd_insn *adbgd_loops_get_insn(const struct adbgd_loops *loops, size_t i,
					      uint32_t condition, size_t k);

#define ADBGD_OPERAND_RESULT	(1U << 1)	/* the instruction writes it */

/**
 * adbgd_loops_get_operand() - get a register that such an instruction reads or writes
 * @n: index of the register, from 0
 * @operand: set to it. EXEC, VCC and SCC are also reported if the text does not name them.
 *
 * Return: 0; -ENOENT: there are no more.
 */
int adbgd_loops_get_operand(const struct adbgd_loops *loops, size_t i, uint32_t condition,
			    size_t k, size_t n, struct adbgd_operand *operand) ADBG_WUR;

/**
 * adbgd_loops_get_step() - find when such an instruction was executed in an iteration
 * @iteration: from 0; below @iterations of the loop
 * @step: set to the number of the step; adbgd_trace_seek() then shows the registers before the
 *	instruction, and with @step + 1 those after it
 *
 * Return: 0; -ENOENT: it was not executed in this iteration.
 */
int adbgd_loops_get_step(const struct adbgd_loops *loops, size_t i, uint32_t condition, size_t k,
			 uint64_t iteration, uint64_t *step) ADBG_WUR;

/**
 * adbgd_loops_record() - step the wave of a trace until it has repeated a loop
 * @trace: see adbgd_trace_begin(); the steps are recorded in it
 * @iterations: how many iterations the wave has to make, since it entered the loop, at least 1. A
 *	loop that it has left before does not count, but one around it does.
 * @num: maximum number of instructions, at least 1; set to how many were executed, also on failure
 * @stop: set as by adbgd_trace_record()
 * @loops: set to the loops; NULL on failure, unless the wave has executed an instruction before
 *
 * The wave stays halted where it is then. An interrupt ends the steps without an error, see
 * adbgd_process_set_interrupt().
 *
 * Return: 0, or
 * -ETIMEDOUT: the wave does not complete its next instruction, for example at a barrier;
 * any error of adbgd_trace_record() and adbgd_loops_new().
 */
int adbgd_loops_record(struct adbgd_process *process, struct adbgd_trace *trace,
		       struct adbgd_disasm *disasm, uint64_t iterations, uint64_t *num,
		       struct adbgd_stop *stop, struct adbgd_loops **loops,
		       struct adbgd_error *error) ADBG_WUR;

#ifdef __cplusplus
}
#endif

#endif /* AMDGPUDBG_DEBUG_LOOP_H */

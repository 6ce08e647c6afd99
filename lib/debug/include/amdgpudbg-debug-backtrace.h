/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libamdgpudbg-debug: the functions that a halted wave executes, from the innermost to the kernel,
 * and their registers and variables.
 */
#ifndef AMDGPUDBG_DEBUG_BACKTRACE_H
#define AMDGPUDBG_DEBUG_BACKTRACE_H

#include <amdgpudbg-debug-code.h>

#ifdef __cplusplus
extern "C" {
#endif

struct adbgd_backtrace;		/* the call chain of a halted wave */

/* How the caller of a frame was found */
enum adbgd_caller {
	ADBGD_CALLER_NONE,	/* the frame is that of a kernel, and has no caller */
	ADBGD_CALLER_INLINED,	/* debug information: the function is inlined into the next one */
	/*
	 * The instructions of the function from its entry to the PC say where it keeps its return
	 * address: in the SGPRs that it was passed in, or where it has saved it.
	 */
	ADBGD_CALLER_CONVENTION,
	ADBGD_CALLER_UNKNOWN,	/* not found, for the reason in adbgd_backtrace_frame.how */
};

#define ADBGD_BACKTRACE_FRAMES_MAX	256	/* of one chain, with inlined functions */

/** struct adbgd_backtrace_frame - a function that a wave executes */
struct adbgd_backtrace_frame {
	/* Address of the next instruction; in outer frames that after the call */
	uint64_t pc;
	/*
	 * For adbgd_line_at() and adbgd_variables_new_inlined(): @pc, or the @executed of
	 * adbgd_backtrace_new_after(), or in outer frames an address in the call. What follows the
	 * call may belong to another line or block.
	 */
	uint64_t lookup;
	/* The function; its source is that of the instruction or of the call. */
	struct adbgd_frame function;
	/*
	 * Private address to which the function's stack pointer pointed when it was called, see
	 * ADBGD_BACKTRACE_HAS_STACK
	 */
	uint64_t stack;
	uint32_t caller;	/* enum adbgd_caller */
	uint32_t flags;		/* ADBGD_BACKTRACE_* */
	uint32_t inlined;	/* how many functions are inlined here into this one */
	uint32_t __reserved[3];	/* 0 */
	const char *how;	/* where the return address is, or why there is no caller */
};

#define ADBGD_BACKTRACE_HAS_STACK	(1U << 0)	/* @stack is known */
#define ADBGD_BACKTRACE_OUTER		(1U << 1)	/* @pc is a return address */

/**
 * adbgd_backtrace_new() - find the functions that a wave executes
 * @code: the code object that it executes, which must outlive @backtrace
 * @pc: address of the next instruction of the wave
 * @context: reads its registers and private memory; what it refers to must outlive @backtrace
 * @memory: reads the code unless it is in the file of @code, see adbgd_process_get_memory(); NULL:
 *	@context does; not used after the call
 * @backtrace: set to the call chain, which has at least one frame; free it with
 *	adbgd_backtrace_free()
 *
 * No call frame information is needed, because compilers do not write rules for AMD GPUs: LLVM 19
 * has none. A chain that cannot be followed to the kernel ends with a frame that says why.
 *
 * Return: 0, or
 * -ENXIO: @pc is not in @code;
 * -EINTR: interrupted, see adbgd_code_set_interrupt();
 * -ENOMEM: out of memory.
 */
int adbgd_backtrace_new(struct adbgd_code *code, uint64_t pc,
			const struct adbgd_context *context, const struct adbgd_memory *memory,
			struct adbgd_backtrace **backtrace, struct adbgd_error *error) ADBG_WUR;

/**
 * adbgd_backtrace_new_after() - the same as adbgd_backtrace_new(), after a fault
 * @executed: address of the instruction that caused the stop, see struct adbgd_stop. If it is in
 *	the same function as @pc, its line and inlined functions are those of the innermost frame.
 */
int adbgd_backtrace_new_after(struct adbgd_code *code, uint64_t pc, uint64_t executed,
			      const struct adbgd_context *context,
			      const struct adbgd_memory *memory,
			      struct adbgd_backtrace **backtrace,
			      struct adbgd_error *error) ADBG_WUR;

/** adbgd_backtrace_free() - free a call chain; NULL is ignored */
void adbgd_backtrace_free(struct adbgd_backtrace *backtrace);

/**
 * adbgd_backtrace_get() - get frame @i, from 0, the innermost
 *
 * Return: NULL if there are no more.
 */
const struct adbgd_backtrace_frame *
adbgd_backtrace_get(const struct adbgd_backtrace *backtrace, size_t i);

/**
 * adbgd_backtrace_get_context() - get callbacks that read the registers of a frame
 * @i: a frame of @backtrace
 * @lane: see &struct adbgd_context
 *
 * The registers of an outer frame are those at its call, as far as the functions that were called
 * from there have saved them or left them as they were. Others return -ENODATA, and
 * adbgd_context.explain() says which function may have changed them. Memory is the same in all
 * frames. The callbacks are valid until @backtrace is freed.
 */
struct adbgd_context adbgd_backtrace_get_context(struct adbgd_backtrace *backtrace, size_t i,
						 uint32_t lane);

/**
 * adbgd_variables_new_inlined() - list the variables in scope in a function that others are
 *	inlined into
 * @pc: adbgd_backtrace_frame.lookup
 * @inlined: adbgd_backtrace_frame.inlined, the number of innermost functions to leave out
 *
 * Return: 0, or any error of adbgd_variables_new().
 */
int adbgd_variables_new_inlined(struct adbgd_code *code, uint64_t pc, uint32_t inlined,
				struct adbgd_variables **variables,
				struct adbgd_error *error) ADBG_WUR;

#ifdef __cplusplus
}
#endif

#endif /* AMDGPUDBG_DEBUG_BACKTRACE_H */

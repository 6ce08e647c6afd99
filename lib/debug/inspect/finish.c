// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Running a wave until a function of its call chain returns.
 */
#include <amdgpudbg-debug-backtrace.h>
#include <amdgpudbg-debug-wave.h>

#include "inspect/step_line.h"
#include "process/async.h"

/**
 * struct finishing - the way out of a function
 * @caller_pc: where a function returns to that is not inlined
 * @stack: stack pointer of its caller
 * @is_inlined: then leave a function that is inlined, which has called the first one
 * @lookup, @callers: the inlined function, see adbgd_leave_inlined()
 */
struct finishing {
	struct adbgd_code *code;
	uint64_t caller_pc;
	uint64_t stack;
	bool is_inlined;
	uint64_t lookup;
	size_t callers;
};

/* Return: 1 or -errno. */
static int run_to_caller(const struct finishing *f, struct adbgd_operation *op,
			 struct adbgd_error *error)
{
	int ret = adbgd_operation_until(op, f->caller_pc, error);

	return ret ? ret : 1;
}

/*
 * The wave has stopped. If the stack pointer is not that of the caller, a deeper call of the same
 * function has returned.
 */
static int next(struct adbgd_operation *op, void *data, struct adbgd_error *error)
{
	struct finishing *f = data;
	uint64_t stack;
	int ret;

	if (op->runner.stop.reason != ADBGD_STOP_STEP || op->runner.stop.pc != f->caller_pc)
		return 0;
	ret = adbgd_wave_stack(op->run.process, &op->runner.wave.at, &stack, error);
	if (ret)
		return ret;
	if (stack != f->stack)
		return run_to_caller(f, op, error);
	return f->is_inlined ?
	       adbgd_leave_inlined(op, f->code, f->lookup, f->callers, error) : 0;
}

static const struct adbgd_plan plan = { .next = next, .free = free, .late = "arrived" };

/* ------------------------------------------------------------------------- the plan */

static bool is_inlined(const struct adbgd_backtrace *backtrace, size_t i)
{
	return adbgd_backtrace_get(backtrace, i)->caller == ADBGD_CALLER_INLINED;
}

/* Plan to finish function @i, which is not inlined. */
static int plan_return(struct finishing *f, const struct adbgd_backtrace *backtrace, size_t i,
		       struct adbgd_error *error)
{
	const struct adbgd_backtrace_frame *frame = adbgd_backtrace_get(backtrace, i);
	const struct adbgd_backtrace_frame *caller = adbgd_backtrace_get(backtrace, i + 1);

	if (frame->caller != ADBGD_CALLER_CONVENTION || !caller ||
	    !(frame->flags & ADBGD_BACKTRACE_HAS_STACK))
		return adbgd_fail(error, -ENODATA, "frame %zu has no caller: %s", i, frame->how);
	f->caller_pc = caller->pc;
	f->stack = frame->stack;
	return 0;
}

/*
 * Plan to finish function @i. If it is inlined, first finish the one that it has called, unless
 * that is inlined, too.
 */
static int plan_finish(struct finishing *f, const struct adbgd_backtrace *backtrace, size_t i,
		       struct adbgd_error *error)
{
	const struct adbgd_backtrace_frame *frame = adbgd_backtrace_get(backtrace, i), *outer;

	if (!is_inlined(backtrace, i))
		return plan_return(f, backtrace, i, error);
	f->is_inlined = true;
	f->lookup = frame->lookup;
	for (outer = frame; outer && outer->caller == ADBGD_CALLER_INLINED;
	     outer = adbgd_backtrace_get(backtrace, i + f->callers))
		f->callers++;
	while (i && is_inlined(backtrace, i - 1))
		i--;
	return i ? plan_return(f, backtrace, i - 1, error) : 0;
}

static int check_frame(const struct adbgd_backtrace *backtrace, size_t i,
		       struct adbgd_error *error)
{
	size_t num = 0;

	while (adbgd_backtrace_get(backtrace, num))
		num++;
	return i < num ? 0 :
	       adbgd_fail(error, -ERANGE, "the wave has no frame %zu: the outermost is %zu", i,
			  num - 1);
}

/*
 * Find the call chain, with a context that reads the registers of the wave, and plan to finish
 * function @i. Return: 0 or -errno; 1 it is the innermost one, and not inlined.
 */
static int plan_by_backtrace(struct adbgd_operation *op, struct finishing *f, size_t i,
			     struct adbgd_error *error)
{
	struct adbgd_process *p = op->run.process;
	struct adbgd_backtrace *backtrace;
	struct adbgd_wave_context *wave;
	struct adbgd_context context;
	struct adbgd_memory memory;
	int ret = adbgd_wave_context_new(p, &op->runner.wave.at, f->code, &wave, error);

	if (ret)
		return ret;
	context = adbgd_wave_context_get(wave, 0);
	adbgd_process_get_memory(p, &memory);
	ret = adbgd_backtrace_new(f->code, adbgd_operation_pc(op), &context, &memory, &backtrace,
				  error);
	if (!ret) {
		ret = check_frame(backtrace, i, error);
		/* The innermost one ends at its exits, whether its caller is known or not. */
		if (!ret)
			ret = i || is_inlined(backtrace, 0) ?
			      plan_finish(f, backtrace, i, error) : 1;
		adbgd_backtrace_free(backtrace);
	}
	adbgd_wave_context_free(wave);
	return ret;
}

/* Begin the first stage of what is planned. */
static int begin_plan(struct adbgd_operation *op, const struct finishing *f,
		      struct adbgd_error *error)
{
	struct finishing *data;
	int ret;

	if (f->is_inlined && !f->caller_pc) {
		adbgd_runner_set_stop(&op->runner, ADBGD_STOP_STEP, adbgd_operation_pc(op));
		ret = adbgd_leave_inlined(op, f->code, f->lookup, f->callers, error);
		return ret < 0 ? ret : 0;
	}
	data = malloc(sizeof(*data));
	if (!data)
		return adbgd_no_memory(error, "the way out of a function");
	*data = *f;
	op->plan = &plan;
	op->data = data;
	ret = run_to_caller(data, op, error);
	return ret < 0 ? ret : 0;
}

static int begin(struct adbgd_operation *op, struct adbgd_code *code, size_t frame,
		 struct adbgd_error *error)
{
	struct finishing f = { .code = code };
	int ret = code ? plan_by_backtrace(op, &f, frame, error) : 1;

	if (ret > 0)
		return adbgd_operation_finish(op, 0, error);
	return ret ? ret : begin_plan(op, &f, error);
}

static int check_code(const struct adbgd_code *code, size_t frame, struct adbgd_error *error)
{
	return !code && frame ?
	       adbgd_fail(error, -ERANGE, "frame %zu is not known: no code object contains the "
			  "instruction", frame) : 0;
}

ADBGD_API int adbgd_wave_finish_frame(struct adbgd_process *process,
				      const struct amdgpudbg_wave_coord *at,
				      struct adbgd_code *code, size_t frame, int timeout_ms,
				      struct adbgd_stop *stop, struct adbgd_error *error)
{
	struct adbgd_operation *op;
	int ret = check_code(code, frame, error);

	if (!ret)
		ret = adbgd_operation_new(process, at, 0, &op, error);
	return ret ? ret : adbgd_operation_wait(op, begin(op, code, frame, error), timeout_ms, stop,
						error);
}

ADBGD_API int adbgd_wave_start_finish_frame(struct adbgd_process *process,
					    const struct amdgpudbg_wave_coord *at,
					    struct adbgd_code *code, size_t frame,
					    uint32_t *number, struct adbgd_error *error)
{
	struct adbgd_operation *op;
	int ret = check_code(code, frame, error);

	if (!ret)
		ret = adbgd_operation_new(process, at, ADBGD_OPERATION_FINISH_FRAME, &op, error);
	return ret ? ret : adbgd_operation_start(op, begin(op, code, frame, error), number);
}

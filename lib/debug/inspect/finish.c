// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Running a wave until a function of its call chain returns.
 */
#include <amdgpudbg-debug-backtrace.h>
#include <amdgpudbg-debug-wave.h>

#include "inspect/step_line.h"
#include "process/stop.h"
#include "process/wave.h"

struct finishing {
	struct adbgd_process *process;
	const struct amdgpudbg_wave_coord *at;
	struct adbgd_code *code;
	struct adbgd_backtrace *backtrace;
	uint64_t end;			/* when the time is over, see adbgd_now_ns() */
	int timeout_ms;
	struct adbgd_stop *stop;
};

static bool has_arrived(const struct adbgd_stop *stop, uint64_t pc)
{
	return stop->reason == ADBGD_STOP_STEP && stop->pc == pc;
}

/*
 * Run until the function of @frame has returned to @caller. If the stack pointer is another one
 * there, a deeper call of the same function has returned.
 */
static int run_to_caller(const struct finishing *f, const struct adbgd_backtrace_frame *frame,
			 const struct adbgd_backtrace_frame *caller, struct adbgd_error *error)
{
	uint64_t stack;
	int ret;

	do {
		ret = adbgd_wave_until(f->process, f->at, caller->pc,
				       adbgd_time_left(f->end, f->timeout_ms), f->stop, error);
		if (ret || !has_arrived(f->stop, caller->pc))
			return ret;
		ret = adbgd_wave_stack(f->process, f->at, &stack, error);
	} while (!ret && stack != frame->stack);
	return ret;
}

static int leave_inlined(const struct finishing *f, size_t i, struct adbgd_error *error)
{
	const struct adbgd_backtrace_frame *frame = adbgd_backtrace_get(f->backtrace, i), *outer;
	size_t callers = 0;

	for (outer = frame; outer && outer->caller == ADBGD_CALLER_INLINED;
	     outer = adbgd_backtrace_get(f->backtrace, i + callers))
		callers++;
	return adbgd_wave_leave_inlined(f->process, f->at, f->code, frame->lookup, callers,
					adbgd_time_left(f->end, f->timeout_ms), f->stop, error);
}

static bool is_inlined(const struct finishing *f, size_t i)
{
	return adbgd_backtrace_get(f->backtrace, i)->caller == ADBGD_CALLER_INLINED;
}

/* Finish function @i, which is not inlined. */
static int return_from(const struct finishing *f, size_t i, struct adbgd_error *error)
{
	const struct adbgd_backtrace_frame *frame = adbgd_backtrace_get(f->backtrace, i);
	const struct adbgd_backtrace_frame *caller = adbgd_backtrace_get(f->backtrace, i + 1);

	if (frame->caller != ADBGD_CALLER_CONVENTION || !caller ||
	    !(frame->flags & ADBGD_BACKTRACE_HAS_STACK))
		return adbgd_fail(error, -ENODATA, "frame %zu has no caller: %s", i, frame->how);
	return run_to_caller(f, frame, caller, error);
}

/* Finish function @i. If it is inlined, first finish those that it has called. */
static int finish(const struct finishing *f, size_t i, struct adbgd_error *error)
{
	size_t j = i;
	int ret;

	if (!is_inlined(f, i))
		return return_from(f, i, error);
	while (j && is_inlined(f, j - 1))
		j--;
	if (j) {
		ret = return_from(f, j - 1, error);
		if (ret || !has_arrived(f->stop, adbgd_backtrace_get(f->backtrace, j)->pc))
			return ret;
	}
	return leave_inlined(f, i, error);
}

static int check_frame(const struct finishing *f, size_t i, struct adbgd_error *error)
{
	size_t num = 0;

	while (adbgd_backtrace_get(f->backtrace, num))
		num++;
	return i < num ? 0 :
	       adbgd_fail(error, -ERANGE, "the wave has no frame %zu: the outermost is %zu", i,
			  num - 1);
}

/*
 * Find the call chain, with a context that reads the registers of the wave, and finish function @i.
 * Return: 0 or -errno; 1 it is the innermost one, and not inlined.
 */
static int with_backtrace(struct finishing *f, size_t i, struct adbgd_error *error)
{
	struct adbgd_wave_context *wave;
	struct adbgd_context context;
	struct adbgd_memory memory;
	int ret = adbgd_wave_context_new(f->process, f->at, f->code, &wave, error);

	if (ret)
		return ret;
	context = adbgd_wave_context_get(wave, 0);
	adbgd_process_get_memory(f->process, &memory);
	f->stop->pc = adbgd_wave_get_pc(f->process, adbgd_wave_context_get_wave(wave));
	ret = adbgd_backtrace_new(f->code, f->stop->pc, &context, &memory, &f->backtrace, error);
	if (!ret) {
		ret = check_frame(f, i, error);
		/* The innermost one ends at its exits, whether its caller is known or not. */
		if (!ret)
			ret = i || is_inlined(f, 0) ? finish(f, i, error) : 1;
		adbgd_backtrace_free(f->backtrace);
	}
	adbgd_wave_context_free(wave);
	return ret;
}

ADBGD_API int adbgd_wave_finish_frame(struct adbgd_process *process,
				      const struct amdgpudbg_wave_coord *at,
				      struct adbgd_code *code, size_t frame, int timeout_ms,
				      struct adbgd_stop *stop, struct adbgd_error *error)
{
	struct finishing f = {
		.process = process, .at = at, .code = code, .stop = stop, .timeout_ms = timeout_ms,
		.end = adbgd_now_ns() + timeout_ms * 1000000LL,
	};
	struct adbgd_stop reached = { .reason = ADBGD_STOP_STEP, .at = *at };
	int ret;

	if (!code && frame)
		return adbgd_fail(error, -ERANGE, "frame %zu is not known: no code object contains "
				  "the instruction", frame);
	if (!code)
		return adbgd_wave_finish(process, at, timeout_ms, stop, error);
	f.stop = &reached;
	ret = with_backtrace(&f, frame, error);
	if (!ret)
		*stop = reached;
	return ret > 0 ? adbgd_wave_finish(process, at, timeout_ms, stop, error) : ret;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Stepping a wave to the next source line, or out of an inlined function: it executes one
 * instruction, or one call, until it is at the begin of a statement on another line.
 */
#include "inspect/step_line.h"

#include <amdgpudbg-debug-wave.h>

#include "code/place.h"
#include "isa/saved_state.h"
#include "process/calls.h"
#include "process/stop.h"
#include "process/wave.h"

/* Not public: like _OVER, but stop only outside of the innermost function of @from */
#define STEP_OUT	(ADBGD_STEP_LINE_UNTIL + 1)

struct stepping {
	struct adbgd_process *process;
	struct adbgd_code *code;
	const struct amdgpudbg_wave_coord *at;
	uint32_t how;			/* enum adbgd_step_line, or STEP_OUT */
	struct adbgd_place from;	/* the line that the wave leaves, and its function */
	uint64_t beyond;		/* in this function, stop only at or after this address */
	uint64_t end;			/* when the time is over, see adbgd_now_ns() */
	int timeout_ms;
	struct adbgd_stop *stop;
	bool has_stepped;
};

/* How many functions do both have in common, from the outermost on? */
static size_t common_frames(const struct adbgd_place *a, const struct adbgd_place *b)
{
	size_t i = 0;

	while (i < a->depth && i < b->depth && a->frames[i] == b->frames[i])
		i++;
	return i;
}

static bool is_other_line(const struct adbgd_place *a, const struct adbgd_place *b)
{
	return a->line != b->line || a->file != b->file;
}

/* The wave is in another function than before, not in one that was inlined into that. */
static bool stops_after_return(struct stepping *s, const struct adbgd_place *to, size_t common)
{
	bool is_inlined = common && to->depth > common;

	s->beyond = 0;
	if (to->begins && is_other_line(&s->from, to) &&
	    (!is_inlined || s->how == ADBGD_STEP_LINE_INTO))
		return true;
	s->from = *to;
	if (is_inlined) {
		/* Between two inlined functions: the wave is to stop where both were called. */
		s->from.depth = common;
		s->from.line = 0;
	}
	return false;
}

/* Is the wave, which is at @to now, where it has to stop? */
static bool stops_at(struct stepping *s, const struct adbgd_place *to, uint64_t pc)
{
	size_t common = common_frames(&s->from, to);

	/* If no function is common, the wave has returned, and may be in the middle of a line. */
	if (s->how == STEP_OUT)
		return common < s->from.depth && (to->begins || !common);
	if (common < s->from.depth)
		return stops_after_return(s, to, common);
	if (to->depth > common)
		return s->how == ADBGD_STEP_LINE_INTO && to->begins;
	return to->begins && is_other_line(&s->from, to) && pc >= s->beyond;
}

int adbgd_time_left(uint64_t end, int timeout_ms)
{
	uint64_t now = adbgd_now_ns();

	if (timeout_ms < 0)
		return -1;
	return now < end ? (int)((end - now) / 1000000) + 1 : 0;
}

static int check_time(const struct stepping *s, uint64_t pc, struct adbgd_error *error)
{
	const char *what = s->how == STEP_OUT ? "left its function" : "reached another line";
	char name[ADBG_WAVE_NAME_MAX];

	adbg_wave_name(s->at, name);
	if (adbgd_is_interrupted(s->process))
		return adbgd_fail(error, -EINTR, "interrupted: wave %s has not %s, and is halted at "
				  "%#llx", name, what, (unsigned long long)pc);
	if (s->timeout_ms >= 0 && adbgd_now_ns() >= s->end)
		return adbgd_fail(error, -ETIMEDOUT, "wave %s has not %s after %d ms, and is halted "
				  "at %#llx", name, what, s->timeout_ms, (unsigned long long)pc);
	return 0;
}

/*
 * Execute one instruction. If it traps, the stop is pending, and the next step would fail; report
 * it now.
 */
static int step_once(struct stepping *s, struct adbgd_error *error)
{
	const struct amdgpudbg_wave *wave;
	int ret = adbgd_wave_step(s->process, s->at, s->stop, error);

	if (ret != -EBUSY || !s->has_stepped) {
		s->has_stepped |= !ret;
		return ret;
	}
	ret = adbgd_waves_list(s->process, s->at, error);
	wave = ret ? NULL : adbg_wave_list_get(s->process->waves, 0);
	if (wave)
		ret = adbgd_wave_report(s->process, wave, s->stop);
	return ret ? adbgd_failed(s->process, error, ret, "cannot report the stop of a wave") : 0;
}

static bool has_ended(const struct stepping *s)
{
	return s->stop->reason != ADBGD_STOP_STEP ||
	       adbgd_stop_is_at_breakpoint(s->process, s->stop);
}

int adbgd_wave_stack(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
		     uint64_t *stack, struct adbgd_error *error)
{
	struct adbgd_wave_context *wave;
	struct adbgd_context context;
	uint32_t value;
	int ret = adbgd_wave_context_new(process, at, NULL, &wave, error);

	if (ret)
		return ret;
	context = adbgd_wave_context_get(wave, 0);
	ret = context.read_register(context.data, AMDGPUDBG_REG_SGPR, ADBGD_S_STACK, 0, &value);
	if (ret)
		adbgd_fail(error, ret, "%s", context.explain(context.data));
	else
		*stack = value / adbgd_wave_context_get_lanes(wave);
	adbgd_wave_context_free(wave);
	return ret;
}

/*
 * A wave that has called a function is at @back, to where that returns. If the function has called
 * itself, this may be a deeper call, which has more on its stack: run the wave on.
 */
static int pass_deeper(struct stepping *s, uint64_t back, uint64_t stack,
		       struct adbgd_error *error)
{
	uint64_t now = stack;
	int ret = 0;

	while (!ret && !has_ended(s) && s->stop->pc == back) {
		ret = adbgd_wave_stack(s->process, s->at, &now, error);
		if (ret || now <= stack)
			return ret;
		ret = adbgd_wave_until(s->process, s->at, back,
				       adbgd_time_left(s->end, s->timeout_ms), s->stop, error);
	}
	return ret;
}

/*
 * The wave has entered a function. Run it to its body if its lines are known, else to @back, to
 * where it returns. Return: 1 the wave has to stop there; 0 or -errno.
 */
static int enter(struct stepping *s, uint64_t back, uint64_t stack, struct adbgd_error *error)
{
	struct adbgd_place to;
	int ret = adbgd_place_at(s->code, s->stop->pc, &to, error);

	if (ret && ret != -ENOENT)
		return ret;
	if (!ret && to.body == s->stop->pc)
		return 1;
	ret = adbgd_wave_until(s->process, s->at, ret || !to.body ? back : to.body,
			       adbgd_time_left(s->end, s->timeout_ms), s->stop, error);
	if (!ret && s->stop->pc == back)
		ret = pass_deeper(s, back, stack, error);
	return ret ? ret : s->stop->pc == to.body || has_ended(s);
}

/* Execute the instruction at @pc. Return: 1 the wave has to stop; 0 or -errno. */
static int advance(struct stepping *s, uint64_t pc, struct adbgd_error *error)
{
	uint64_t back, stack = 0;
	int call = adbgd_is_call(s->process, pc, &back, error), ret;

	ret = call > 0 ? adbgd_wave_stack(s->process, s->at, &stack, error) : call;
	if (ret)
		return ret;
	if (!call || s->how == ADBGD_STEP_LINE_INTO)
		ret = step_once(s, error);
	else
		ret = adbgd_wave_step_over(s->process, s->at,
					   adbgd_time_left(s->end, s->timeout_ms), s->stop, error);
	if (!ret && call && s->how != ADBGD_STEP_LINE_INTO)
		ret = pass_deeper(s, back, stack, error);
	if (ret || has_ended(s))
		return ret ? ret : 1;
	return call && s->how == ADBGD_STEP_LINE_INTO ? enter(s, back, stack, error) : 0;
}

static int run(struct stepping *s, uint64_t pc, struct adbgd_error *error)
{
	struct adbgd_place to;
	int ret;

	do {
		ret = check_time(s, pc, error);
		if (!ret)
			ret = advance(s, pc, error);
		if (ret)
			return ret < 0 ? ret : 0;
		pc = s->stop->pc;
		ret = adbgd_place_at(s->code, pc, &to, error);
		/* It has returned to code without lines. */
		if (ret)
			return ret == -ENOENT ? 0 : ret;
	} while (!stops_at(s, &to, pc));
	return 0;
}

int adbgd_wave_leave_inlined(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
			     struct adbgd_code *code, uint64_t lookup, size_t callers,
			     int timeout_ms, struct adbgd_stop *stop, struct adbgd_error *error)
{
	struct stepping s = {
		.process = process, .code = code, .at = at, .how = STEP_OUT, .stop = stop,
		.timeout_ms = timeout_ms,
		.end = adbgd_now_ns() + timeout_ms * 1000000LL,
	};
	uint64_t pc = stop->pc;
	struct adbgd_place to;
	int ret = adbgd_place_at(code, lookup, &s.from, error);

	if (ret)
		return ret;
	if (s.from.depth > callers + 1)
		s.from.depth = callers + 1;
	/* What follows a call may be outside of the function already. */
	if (pc != lookup && !adbgd_place_at(code, pc, &to, NULL) && stops_at(&s, &to, pc))
		return 0;
	return run(&s, pc, error);
}

ADBGD_API int adbgd_wave_step_line(struct adbgd_process *process,
				   const struct amdgpudbg_wave_coord *at,
				   struct adbgd_code *code, uint32_t how, int timeout_ms,
				   struct adbgd_stop *stop, struct adbgd_error *error)
{
	struct stepping s = {
		.process = process, .code = code, .at = at, .how = how, .stop = stop,
		.timeout_ms = timeout_ms,
		.end = adbgd_now_ns() + timeout_ms * 1000000LL,
	};
	struct amdgpudbg_wave wave;
	uint64_t pc;
	int ret;

	if (how < ADBGD_STEP_LINE_INTO || how > ADBGD_STEP_LINE_UNTIL)
		return adbgd_fail(error, -EINVAL, "%u is not a way to step", how);
	ret = adbgd_wave_find(process, at, &wave, error);
	if (ret)
		return ret;
	pc = adbgd_wave_get_pc(process, &wave);
	ret = adbgd_place_at(code, pc, &s.from, error);
	if (ret)
		return ret;
	s.beyond = how == ADBGD_STEP_LINE_UNTIL ? s.from.end : 0;
	return run(&s, pc, error);
}

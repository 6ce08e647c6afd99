// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Stepping a wave to the next source line, or out of an inlined function: it executes one
 * instruction, or one call, until it is at the begin of a statement on another line.
 */
#include "inspect/step_line.h"

#include <amdgpudbg-debug-wave.h>

#include "code/place.h"
#include "isa/saved_state.h"
#include "process/async.h"
#include "process/calls.h"

/* Not public: like _OVER, but stop only outside of the innermost function of @from */
#define STEP_OUT	(ADBGD_STEP_LINE_UNTIL + 1)

/* What the last stage of the operation was, after which next() decides what follows */
enum stage {
	STEPPED,	/* one instruction */
	CALLED,		/* a call, until it returned to @back */
	ENTERED,	/* a call to @body or to @back */
};

struct stepping {
	struct adbgd_process *process;
	struct adbgd_code *code;
	struct amdgpudbg_wave_coord at;
	uint32_t how;			/* enum adbgd_step_line, or STEP_OUT */
	struct adbgd_place from;	/* the line that the wave leaves, and its function */
	uint64_t beyond;		/* in this function, stop only at or after this address */
	enum stage stage;
	bool is_call;			/* the last instruction was one */
	uint64_t back, stack;		/* where the call returns to; the stack pointer before it */
	uint64_t body;			/* address after the prologue of the called function */
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

/* Has the wave stopped for another reason? */
static bool has_ended(const struct adbgd_operation *op)
{
	return op->runner.stop.reason != ADBGD_STOP_STEP ||
	       adbgd_stop_is_at_breakpoint(op->run.process, &op->runner.stop);
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

/* Begin a stage. Return: 1 or -errno. */
static int go(struct stepping *s, struct adbgd_operation *op, enum stage stage, uint64_t address,
	      struct adbgd_error *error)
{
	int ret = adbgd_operation_until(op, address, error);

	s->stage = stage;
	return ret ? ret : 1;
}

/*
 * A wave that has called a function is at @back, to where that returns. If the function has called
 * itself, this may be a deeper call, which has more on its stack: run the wave on. Return: 1 it
 * runs; 0 or -errno.
 */
static int pass_deeper(struct stepping *s, struct adbgd_operation *op, struct adbgd_error *error)
{
	uint64_t now;
	int ret;

	if (has_ended(op) || op->runner.stop.pc != s->back)
		return 0;
	ret = adbgd_wave_stack(s->process, &s->at, &now, error);
	if (ret || now <= s->stack)
		return ret;
	return go(s, op, s->stage, s->back, error);
}

/* Execute the instruction at @pc, and a call as a whole, except for _INTO. Return: 1 or -errno. */
static int execute(struct stepping *s, struct adbgd_operation *op, uint64_t pc,
		   struct adbgd_error *error)
{
	int call = adbgd_is_call(s->process, pc, &s->back, error), ret;

	s->stack = 0;
	ret = call > 0 ? adbgd_wave_stack(s->process, &s->at, &s->stack, error) : call;
	if (ret)
		return ret;
	s->is_call = call;
	if (call && s->how != ADBGD_STEP_LINE_INTO)
		return go(s, op, CALLED, s->back, error);
	s->stage = STEPPED;
	adbgd_operation_step(op);
	return 1;
}

/*
 * The wave has entered a function. Run it to its body if its lines are known, else to @back, to
 * where it returns. Return: 1 it runs; 0 it is there; -errno.
 */
static int enter(struct stepping *s, struct adbgd_operation *op, struct adbgd_error *error)
{
	struct adbgd_place to;
	int ret = adbgd_place_at(s->code, op->runner.stop.pc, &to, error);

	if (ret && ret != -ENOENT)
		return ret;
	s->body = ret ? 0 : to.body;
	if (!ret && s->body == op->runner.stop.pc)
		return 0;
	return go(s, op, ENTERED, s->body ? s->body : s->back, error);
}

/* The instruction is executed. Does the wave have to stop? Return: 0 yes; 1 no; -errno. */
static int arrive(struct stepping *s, struct adbgd_operation *op, struct adbgd_error *error)
{
	uint64_t pc = op->runner.stop.pc;
	struct adbgd_place to;
	int ret = adbgd_place_at(s->code, pc, &to, error);

	/* It has returned to code without lines. */
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	return stops_at(s, &to, pc) ? 0 : execute(s, op, pc, error);
}

static int next(struct adbgd_operation *op, void *data, struct adbgd_error *error)
{
	struct stepping *s = data;
	int ret = 0;

	if (s->stage != STEPPED)
		ret = pass_deeper(s, op, error);
	if (ret || has_ended(op) || (s->stage == ENTERED && op->runner.stop.pc == s->body))
		return ret;
	if (s->stage == STEPPED && s->is_call)
		return enter(s, op, error);
	return arrive(s, op, error);
}

static const struct adbgd_plan step_plan = {
	.next = next, .free = free, .late = "reached another line",
};

static const struct adbgd_plan leave_plan = {
	.next = next, .free = free, .late = "left its function",
};

static struct stepping *new_stepping(struct adbgd_operation *op, struct adbgd_code *code,
				     uint32_t how, struct adbgd_error *error)
{
	struct stepping *s = calloc(1, sizeof(*s));

	if (!s) {
		adbgd_no_memory(error, "a step");
		return NULL;
	}
	s->process = op->run.process;
	s->code = code;
	s->at = op->runner.wave.at;
	s->how = how;
	return s;
}

int adbgd_leave_inlined(struct adbgd_operation *operation, struct adbgd_code *code,
			uint64_t lookup, size_t callers, struct adbgd_error *error)
{
	struct stepping *s = new_stepping(operation, code, STEP_OUT, error);
	uint64_t pc = adbgd_operation_pc(operation);
	struct adbgd_place to;
	int ret;

	if (!s)
		return -ENOMEM;
	ret = adbgd_place_at(code, lookup, &s->from, error);
	if (ret) {
		free(s);
		return ret;
	}
	if (s->from.depth > callers + 1)
		s->from.depth = callers + 1;
	if (operation->plan)
		operation->plan->free(operation->data);
	operation->plan = &leave_plan;
	operation->data = s;
	/* What follows a call may be outside of the function already. */
	if (pc != lookup && !adbgd_place_at(code, pc, &to, NULL) && stops_at(s, &to, pc))
		return 0;
	return execute(s, operation, pc, error);
}

/* Begin the first stage. */
static int begin(struct adbgd_operation *op, struct adbgd_code *code, uint32_t how,
		 struct adbgd_error *error)
{
	struct stepping *s = new_stepping(op, code, how, error);
	uint64_t pc = adbgd_operation_pc(op);
	int ret;

	if (!s)
		return -ENOMEM;
	op->plan = &step_plan;
	op->data = s;
	ret = adbgd_place_at(code, pc, &s->from, error);
	if (ret)
		return ret;
	s->beyond = how == ADBGD_STEP_LINE_UNTIL ? s->from.end : 0;
	ret = execute(s, op, pc, error);
	return ret < 0 ? ret : 0;
}

static int check_how(uint32_t how, struct adbgd_error *error)
{
	return how < ADBGD_STEP_LINE_INTO || how > ADBGD_STEP_LINE_UNTIL ?
	       adbgd_fail(error, -EINVAL, "%u is not a way to step", how) : 0;
}

ADBGD_API int adbgd_wave_step_line(struct adbgd_process *process,
				   const struct amdgpudbg_wave_coord *at,
				   struct adbgd_code *code, uint32_t how, int timeout_ms,
				   struct adbgd_stop *stop, struct adbgd_error *error)
{
	struct adbgd_operation *op;
	int ret = check_how(how, error);

	if (!ret)
		ret = adbgd_operation_new(process, at, 0, &op, error);
	return ret ? ret : adbgd_operation_wait(op, begin(op, code, how, error), timeout_ms, stop,
						error);
}

ADBGD_API int adbgd_wave_start_step_line(struct adbgd_process *process,
					 const struct amdgpudbg_wave_coord *at,
					 struct adbgd_code *code, uint32_t how, uint32_t *number,
					 struct adbgd_error *error)
{
	struct adbgd_operation *op;
	int ret = check_how(how, error);

	if (!ret)
		ret = adbgd_operation_new(process, at, ADBGD_OPERATION_STEP_LINE, &op, error);
	return ret ? ret : adbgd_operation_start(op, begin(op, code, how, error), number);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Operations: see operation.h.
 */
#include "operation.h"
#include "stop.h"

/*
 * In ns: how long adbgd_operations_poll() executes instructions of waves that the host steps. It
 * may take longer by one instruction of each.
 */
#define PORTION_NS	10000000

/* ---------------------------------------------------------------------------- stages */

void adbgd_operation_free(struct adbgd_operation *operation)
{
	adbgd_run_unlink(&operation->run);
	if (operation->plan)
		operation->plan->free(operation->data);
	free(operation);
}

/* When the process is detached, there is no need to remove breakpoints. */
static void free_run(struct adbgd_run *run)
{
	struct adbgd_operation *op = adbgd_operation_of(run);

	run->process->runs = run->next;
	if (op->plan)
		op->plan->free(op->data);
	free(op);
}

/* Test whether an operation moves the wave already. */
static int check_free(const struct adbgd_process *p, const struct amdgpudbg_wave_coord *at,
		      struct adbgd_error *error)
{
	const struct adbgd_run *run = adbgd_run_of(p, at);
	char name[ADBG_WAVE_NAME_MAX];

	return run ? adbgd_fail(error, -EBUSY, "operation %u moves wave %s", run->operation,
				adbg_wave_name(at, name)) : 0;
}

int adbgd_operation_new(struct adbgd_process *process, const struct amdgpudbg_wave_coord *at,
			uint32_t kind, struct adbgd_operation **operation,
			struct adbgd_error *error)
{
	struct adbgd_operation *op;
	struct amdgpudbg_wave wave;
	int ret = check_free(process, at, error);

	if (!ret)
		ret = adbgd_wave_find(process, at, &wave, error);
	if (ret)
		return ret;
	op = calloc(1, sizeof(*op));
	if (!op)
		return adbgd_no_memory(error, "an operation");
	op->kind = kind;
	op->runner.wave = wave;
	op->run = (struct adbgd_run){
		.process = process, .runners = &op->runner, .num = 1,
		.only.flags = ADBGD_CONDITION_WAVE | ADBGD_CONDITION_GROUP,
		.condition = &op->run.only, .timeout_ms = -1, .free = free_run,
	};
	if (kind)
		op->run.operation = ++process->last_operation;
	adbgd_run_link(&op->run);
	*operation = op;
	return 0;
}

uint64_t adbgd_operation_pc(const struct adbgd_operation *operation)
{
	return operation->runner.stop.reason ? operation->runner.stop.pc :
	       adbgd_wave_get_pc(operation->run.process, &operation->runner.wave);
}

static void begin_stage(struct adbgd_operation *op, enum adbgd_stage stage)
{
	op->stage = stage;
	op->pause = ADBGD_FIRST_PAUSE_NS;
	op->run.holds_wave = op->run.operation && stage != ADBGD_STAGE_RUNS;
}

void adbgd_operation_step(struct adbgd_operation *operation)
{
	begin_stage(operation, ADBGD_STAGE_STEP);
}

static void drop_goals(struct adbgd_operation *op)
{
	bool had_goals = op->runner.to.num;

	op->runner.runs = false;
	op->runner.to.num = 0;
	if (had_goals && !op->run.is_stepped)
		adbgd_momentary_remove(op->run.process);
	op->run.is_stepped = false;
}

/* Set breakpoints, and resume the wave. If they would be pending, the host steps it. */
static int start(struct adbgd_operation *op, struct adbgd_error *error)
{
	struct adbgd_run *r = &op->run;
	struct adbgd_error why = { .error = 0 };
	int ret = adbgd_momentary_add(r, &why);

	if (r->is_stepped) {
		adbgd_momentary_remove(r->process);
		op->runner.runs = true;
		begin_stage(op, ADBGD_STAGE_STEPPED);
		return 0;
	}
	if (!ret)
		ret = adbgd_runner_start(r, &op->runner, &why);
	if (ret) {
		drop_goals(op);
		if (error)
			*error = why;
		return ret;
	}
	begin_stage(op, ADBGD_STAGE_RUNS);
	return 0;
}

/* An operation may do with its wave what others may not. */
static int find_wave(struct adbgd_operation *op, struct adbgd_error *error)
{
	struct amdgpudbg_wave wave;
	bool holds = op->run.holds_wave;
	int ret;

	op->run.holds_wave = false;
	ret = adbgd_wave_find(op->run.process, &op->runner.wave.at, &wave, error);
	op->run.holds_wave = holds;
	if (!ret)
		op->runner.wave = wave;
	return ret;
}

int adbgd_operation_go(struct adbgd_operation *operation, const struct adbgd_exits *to,
		       struct adbgd_error *error)
{
	struct adbgd_runner *w = &operation->runner;
	struct adbgd_condition *only = &operation->run.only;
	int ret;

	if (!to->num) {
		adbgd_operation_step(operation);
		return 0;
	}
	ret = find_wave(operation, error);
	if (ret == -EBUSY && operation->has_stepped) {
		begin_stage(operation, ADBGD_STAGE_STOPPED);
		return adbgd_runner_report_trap(&operation->run, w, error);
	}
	if (ret)
		return ret;
	only->at = w->wave.at;
	memcpy(only->group, w->wave.ttmp + ADBGD_TTMP_GROUP, sizeof(only->group));
	w->stop = (struct adbgd_stop){ .reason = 0 };
	w->to = *to;
	return start(operation, error);
}

/* Return: 1 the stage is still in progress; 0 it has ended, and the stop is set; -errno. */
static int do_stage(struct adbgd_operation *op, struct adbgd_error *error)
{
	int ret;

	switch (op->stage) {
	case ADBGD_STAGE_STEP:
		ret = adbgd_runner_step(&op->run, &op->runner, error);
		if (ret == -EBUSY && op->has_stepped)
			ret = adbgd_runner_report_trap(&op->run, &op->runner, error);
		op->has_stepped |= !ret;
		return ret;
	case ADBGD_STAGE_STEPPED:
		ret = adbgd_runner_step_on(&op->run, &op->runner, error);
		op->has_stepped |= !ret;
		return ret ? ret : op->runner.runs;
	case ADBGD_STAGE_RUNS:
		return adbgd_runner_poll(&op->run, &op->runner, error);
	default:
		return 0;
	}
}

/* Return: 1 another stage has begun; 0 the operation has ended; -errno. */
static int end_stage(struct adbgd_operation *op, struct adbgd_error *error)
{
	struct adbgd_runner *w = &op->runner;
	bool leaves = op->leaves && w->to.num && w->stop.reason == ADBGD_STOP_STEP;
	int ret;

	drop_goals(op);
	begin_stage(op, ADBGD_STAGE_STOPPED);
	if (op->plan)
		return op->plan->next(op, op->data, error);
	if (!leaves)
		return 0;
	op->leaves = false;
	ret = adbgd_is_return(op->run.process, w->stop.pc, error);
	if (ret > 0)
		adbgd_operation_step(op);
	return ret;
}

/* The same for the whole operation. */
static int advance(struct adbgd_operation *op, struct adbgd_error *error)
{
	bool holds = op->run.holds_wave;
	int ret;

	op->run.holds_wave = false;
	ret = do_stage(op, error);
	op->run.holds_wave = holds;
	return ret ? ret : end_stage(op, error);
}

/* ------------------------------------------------------------------------ operations */

int adbgd_operation_until(struct adbgd_operation *operation, uint64_t address,
			  struct adbgd_error *error)
{
	const struct adbgd_exits to = {
		.at = { adbgd_canonical(operation->run.process, address) }, .num = 1,
	};

	return adbgd_operation_go(operation, &to, error);
}

int adbgd_operation_step_over(struct adbgd_operation *operation, uint64_t address,
			      struct adbgd_error *error)
{
	uint64_t pc = adbgd_operation_pc(operation);
	struct adbgd_exits to;
	int ret = adbgd_goals_next(operation->run.process, pc, &to, error);

	(void)address;
	return ret ? ret : adbgd_operation_go(operation, &to, error);
}

int adbgd_operation_finish(struct adbgd_operation *operation, uint64_t address,
			   struct adbgd_error *error)
{
	uint64_t pc = adbgd_operation_pc(operation);
	struct adbgd_exits to;
	int ret = adbgd_goals_exits(operation->run.process, pc, &to, error);

	(void)address;
	operation->leaves = true;
	return ret ? ret : adbgd_operation_go(operation, &to, error);
}

/* --------------------------------------------------------------------------- waiting */

static int is_not_there(const struct adbgd_operation *op, struct adbgd_error *error)
{
	const char *what = op->plan ? op->plan->late : "arrived";
	unsigned long long pc = op->runner.stop.pc;
	char name[ADBG_WAVE_NAME_MAX];

	adbg_wave_name(&op->runner.wave.at, name);
	if (adbgd_is_interrupted(op->run.process))
		return adbgd_fail(error, -EINTR, "interrupted: wave %s has not %s, and is halted at "
				  "%#llx", name, what, pc);
	return adbgd_fail(error, -ETIMEDOUT, "wave %s has not %s after %d ms, and is halted at "
			  "%#llx", name, what, op->run.timeout_ms, pc);
}

/* As advance(), and end the operation if its time is over. */
static int advance_in_time(struct adbgd_operation *op, struct adbgd_error *error)
{
	int ret;

	if (op->plan && op->stage == ADBGD_STAGE_STEP && adbgd_run_is_over(&op->run)) {
		adbgd_runner_set_stop(&op->runner, ADBGD_STOP_INTERRUPTED, adbgd_operation_pc(op));
		return 0;
	}
	ret = advance(op, error);
	if (ret != 1 || op->stage != ADBGD_STAGE_RUNS)
		return ret;
	if (!adbgd_run_is_over(&op->run)) {
		adbgd_wave_pause(op->run.process, &op->pause);
		return 1;
	}
	ret = adbgd_runner_halt(&op->run, &op->runner, error);
	return ret ? ret : end_stage(op, error);
}

int adbgd_operation_wait(struct adbgd_operation *operation, int ret, int timeout_ms,
			 struct adbgd_stop *stop, struct adbgd_error *error)
{
	operation->run.timeout_ms = timeout_ms;
	operation->run.end = adbgd_now_ns() + timeout_ms * 1000000LL;
	if (!ret)
		ret = 1;
	adbgd_stops_pass_others(operation->run.process, true);
	while (ret == 1) {
		ret = advance_in_time(operation, error);
		adbgd_stops_pass_others(operation->run.process, false);
	}
	if (!ret && operation->runner.stop.reason == ADBGD_STOP_INTERRUPTED)
		ret = is_not_there(operation, error);
	if (!ret)
		*stop = operation->runner.stop;
	adbgd_operation_free(operation);
	return ret;
}

/* ---------------------------------------------------------------- without waiting */

static bool is_stepping(const struct adbgd_operation *op)
{
	return op->stage != ADBGD_STAGE_RUNS;
}

/* The operation has ended: set its stop. @ret: 0, or the error @why for which it has failed. */
static void end(struct adbgd_operation *op, int ret, const struct adbgd_error *why,
		struct adbgd_stop *stop)
{
	if (ret) {
		adbgd_runner_set_stop(&op->runner, ADBGD_STOP_INTERRUPTED, adbgd_operation_pc(op));
		op->runner.stop.error = ret;
		op->run.process->operation_error = *why;
	}
	*stop = op->runner.stop;
	stop->operation = op->run.operation;
	adbgd_operation_free(op);
}

static void end_all(struct adbgd_process *p)
{
	struct adbgd_run *run, *next;

	for (run = p->runs; run; run = next) {
		next = run->next;
		if (run->operation)
			adbgd_operation_free(adbgd_operation_of(run));
	}
}

/* Is the stop one of the process, after which no operation can continue? */
static bool ends_all(const struct adbgd_stop *stop)
{
	return stop->reason == ADBGD_STOP_EXPIRED || stop->reason == ADBGD_STOP_INVALIDATED ||
	       stop->reason == ADBGD_STOP_EXITED || stop->reason == ADBGD_STOP_EXEC;
}

int adbgd_operations_take(struct adbgd_process *process, struct adbgd_stop *stop)
{
	struct adbgd_operation *op;
	struct amdgpudbg_wave now;
	struct adbgd_error why = { .error = 0 };
	struct adbgd_run *run;
	int ret;

	if (ends_all(stop)) {
		end_all(process);
		return 0;
	}
	run = adbgd_run_of(process, &stop->at);
	/* Another wave may be in the slot. The end of the first one is reported next. */
	if (!run || adbgd_wave_poll(process, &run->runners->wave, &now, NULL) == ADBGD_WAVE_ENDED)
		return 0;
	op = adbgd_operation_of(run);
	op->runner.stop = *stop;
	if (op->stage == ADBGD_STAGE_RUNS)
		adbgd_runner_arrived(run, &op->runner);
	ret = end_stage(op, &why);
	if (ret == 1)
		return -EAGAIN;
	end(op, ret, &why, stop);
	return 0;
}

/* The caller may have cleared a breakpoint at a goal. Errors are ignored: it is tried again. */
static void restore_goals(struct adbgd_operation *op)
{
	const struct adbgd_breakpoint *b;
	bool is_missing = false;
	size_t i;

	for (i = 0; i < op->runner.to.num; i++) {
		b = adbgd_breakpoint_for(op->run.process, op->runner.to.at[i]);
		is_missing |= !b || !(b->has_momentary ||
				      b->info.flags & ADBGD_BREAKPOINT_MOMENTARY);
	}
	if (is_missing)
		(void)adbgd_momentary_add(&op->run, NULL);
	op->run.is_stepped = false;
}

/* A wave that the host steps may have been killed, or halted again by a trap, since. */
static int check_wave(struct adbgd_operation *op, struct adbgd_error *error)
{
	struct amdgpudbg_wave now;
	int ret = adbgd_wave_poll(op->run.process, &op->runner.wave, &now, error);

	if (ret < 0 || ret == ADBGD_WAVE_LATE)
		return ret < 0 ? ret : 1;
	return adbgd_runner_report_trap(&op->run, &op->runner, error);
}

/* Return: 1 the operation continues; 0 it has ended; -errno. */
static int poll_first(struct adbgd_operation *op, struct adbgd_error *error)
{
	int ret = 1;

	if (is_stepping(op))
		ret = check_wave(op, error);
	else
		restore_goals(op);
	return ret == 1 ? advance(op, error) : ret;
}

/* The target or the GPU is gone, which is reported as a stop of the process. */
static bool is_gone(struct adbgd_process *p, int ret)
{
	p->has_exited |= ret == -ENOTCONN || ret == -ENODEV;
	return p->has_exited;
}

/*
 * Each wave that is stepped executes one instruction after the other, because they may wait for
 * each other.
 */
int adbgd_operations_poll(struct adbgd_process *process, struct adbgd_stop *stop)
{
	uint64_t until = adbgd_now_ns() + PORTION_NS;
	bool steps, is_first = true;
	struct adbgd_error why = { .error = 0 };
	struct adbgd_run *run;
	int ret;

	do {
		steps = false;
		for (run = process->runs; run; run = run->next) {
			if (!run->operation || (!is_first && !is_stepping(adbgd_operation_of(run))))
				continue;
			ret = (is_first ? poll_first : advance)(adbgd_operation_of(run), &why);
			steps |= ret == 1 && is_stepping(adbgd_operation_of(run));
			if (ret == 1)
				continue;
			if (is_gone(process, ret))
				return -EAGAIN;
			end(adbgd_operation_of(run), ret, &why, stop);
			return 0;
		}
		is_first = false;
	} while (steps && adbgd_now_ns() < until);
	return -EAGAIN;
}

int adbgd_operations_timeout(const struct adbgd_process *process)
{
	struct adbgd_run *run;
	int timeout = -1;

	for (run = process->runs; run; run = run->next) {
		if (run->operation && is_stepping(adbgd_operation_of(run)))
			return 0;
		if (run->operation)
			timeout = ADBGD_POLL_MS;
	}
	return timeout;
}

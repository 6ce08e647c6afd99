// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One wave of a run: resuming it, testing whether it has stopped, and executing single
 * instructions of it. Nothing here waits for a wave, so that blocking functions and operations
 * can use it.
 */
#include "launch.h"
#include "runs.h"
#include "stop.h"

/*
 * In ns. After this time, a running wave is halted briefly to see whether it is still the same
 * one: TTMPs, which have its work-group, are readable only while it is halted.
 */
#define LOOK_CLOSER_NS	200000000

void adbgd_run_link(struct adbgd_run *run)
{
	struct adbgd_run **end = &run->process->runs;

	while (*end)
		end = &(*end)->next;
	*end = run;
	run->next = NULL;
}

void adbgd_run_unlink(struct adbgd_run *run)
{
	struct adbgd_run **at = &run->process->runs;

	while (*at != run)
		at = &(*at)->next;
	*at = run->next;
	adbgd_momentary_remove(run->process);
}

/* The time of an operation has no end, and only blocking functions are interrupted. */
static bool is_late(const struct adbgd_run *r)
{
	return !r->operation && r->timeout_ms >= 0 && adbgd_now_ns() > r->end;
}

static bool is_interrupted(const struct adbgd_run *r)
{
	return !r->operation && adbgd_is_interrupted(r->process);
}

bool adbgd_run_is_over(const struct adbgd_run *run)
{
	return is_late(run) || is_interrupted(run);
}

void adbgd_runner_set_stop(struct adbgd_runner *runner, uint32_t reason, uint64_t pc)
{
	runner->stop = (struct adbgd_stop){
		.reason = reason, .at = runner->wave.at, .vmid = runner->wave.vmid, .pc = pc,
	};
}

/* -------------------------------------------------------------------- running waves */

int adbgd_runner_start(struct adbgd_run *run, struct adbgd_runner *runner,
		       struct adbgd_error *error)
{
	struct amdgpudbg_wave wave = runner->wave;
	char name[ADBG_WAVE_NAME_MAX];
	int ret = adbgd_wave_prepare_resume(run->process, &wave);

	if (!ret)
		ret = adbgd_wave_resume(run->process, &wave);
	if (ret && !adbgd_wave_is_gone(ret))
		return adbgd_failed(run->process, error, ret, "cannot resume wave %s",
				    adbg_wave_name(&wave.at, name));
	runner->next_look = adbgd_now_ns() + LOOK_CLOSER_NS;
	runner->runs = true;
	runner->is_halting = false;
	return 0;
}

/*
 * If a breakpoint at the goal also has a condition of its own, it is not known which condition was
 * true: the wave has arrived. At the goal of another wave, it was halted on its way.
 */
void adbgd_runner_arrived(struct adbgd_run *run, struct adbgd_runner *runner)
{
	const struct adbgd_breakpoint *b = adbgd_breakpoint_at(run->process, runner->stop.pc);
	bool is_goal = adbgd_runner_runs_to(runner, runner->stop.pc);
	bool is_momentary = b && b->info.flags & ADBGD_BREAKPOINT_MOMENTARY;

	runner->runs = false;
	if (!b || runner->stop.reason != ADBGD_STOP_BREAKPOINT)
		return;
	if (is_goal && (is_momentary || (b->has_momentary && adbgd_is_gpu_condition(b))))
		runner->stop.reason = ADBGD_STOP_STEP;
	else if (is_momentary)
		runner->stop.reason = ADBGD_STOP_INTERRUPTED;
}

/* Report the pending stop. If it is at the goal of another wave, the wave was resumed: return 1. */
static int report(struct adbgd_run *r, struct adbgd_runner *w, const struct amdgpudbg_wave *now,
		  struct adbgd_error *error)
{
	int ret = adbgd_wave_report(r->process, now, &w->stop);

	if (ret == -EAGAIN)
		return 1;
	if (ret)
		return adbgd_failed(r->process, error, ret, "cannot report the stop of a wave");
	adbgd_runner_arrived(r, w);
	return 0;
}

static int has_ended(struct adbgd_runner *w)
{
	adbgd_runner_set_stop(w, ADBGD_STOP_WAVE_END, 0);
	w->runs = false;
	return 0;
}

/*
 * Resume the wave after a closer look. @late: its state; NULL: it did not leave its handler, and
 * was not looked at.
 */
static void resume_after_look(struct adbgd_run *r, const struct adbgd_runner *w,
			      const struct amdgpudbg_wave *late)
{
	struct amdgpudbg_wave_control resume = {
		.op = AMDGPUDBG_WAVEOP_RESUME, .at = w->wave.at, .vmid = w->wave.vmid,
	};
	int ret = late ? adbgd_wave_resume(r->process, late) :
		  adbg_wave_control(r->process->session, &resume);

	adbgd_launch_mark_resumed(r->process, &w->wave.at);
	/* An error will be seen at the next look. */
	(void)ret;
}

/* Halt the wave, and resume it after checking that it is still the same one. */
static int look_closer(struct adbgd_run *r, struct adbgd_runner *w, struct adbgd_error *error)
{
	struct amdgpudbg_wave now;
	int ret = adbgd_wave_halt(r->process, &w->wave, &now, NULL);

	w->next_look = adbgd_now_ns() + LOOK_CLOSER_NS;
	if (ret == ADBGD_WAVE_STOPPED)
		return report(r, w, &now, error);
	if (ret == ADBGD_WAVE_ENDED)
		return has_ended(w);
	if (ret == ADBGD_WAVE_LATE || ret == -EAGAIN)
		resume_after_look(r, w, ret == ADBGD_WAVE_LATE ? &now : NULL);
	return 1;
}

int adbgd_runner_poll(struct adbgd_run *run, struct adbgd_runner *runner,
		      struct adbgd_error *error)
{
	struct amdgpudbg_wave now;
	int ret = adbgd_wave_poll(run->process, &runner->wave, &now, error);

	switch (ret) {
	case ADBGD_WAVE_STOPPED:
		return report(run, runner, &now, error);
	case ADBGD_WAVE_ENDED:
		return has_ended(runner);
	case ADBGD_WAVE_LATE:
		break;
	default:
		return ret;
	}
	/* During an operation, the caller may have halted all waves. */
	if (adbgd_now_ns() <= runner->next_look ||
	    (run->operation && now.flags & AMDGPUDBG_WAVE_HALTED))
		return 1;
	return look_closer(run, runner, error);
}

int adbgd_runner_halt(struct adbgd_run *run, struct adbgd_runner *runner,
		      struct adbgd_error *error)
{
	struct amdgpudbg_wave now;
	int ret = adbgd_wave_halt(run->process, &runner->wave, &now, error);

	/* The wave may reach the goal of another wave again and again. */
	runner->is_halting = true;
	switch (ret) {
	case ADBGD_WAVE_STOPPED:
		return report(run, runner, &now, error);
	case ADBGD_WAVE_ENDED:
		return has_ended(runner);
	case ADBGD_WAVE_LATE:
		adbgd_runner_set_stop(runner, ADBGD_STOP_INTERRUPTED,
				      adbgd_wave_get_pc(run->process, &now));
		runner->runs = false;
		return 0;
	}
	runner->is_halting = false;
	return ret;
}

/* -------------------------------------------------------------------- stepped waves */

int adbgd_runner_step(struct adbgd_run *run, struct adbgd_runner *runner,
		      struct adbgd_error *error)
{
	uint64_t pc = runner->stop.reason ? runner->stop.pc :
		      adbgd_wave_get_pc(run->process, &runner->wave);
	int ret;

	/*
	 * In a run of all waves, many of them may wait in their instruction, so check the time
	 * before each.
	 */
	if (is_interrupted(run) || (!run->condition && is_late(run))) {
		adbgd_runner_set_stop(runner, ADBGD_STOP_INTERRUPTED, pc);
		return 0;
	}
	ret = adbgd_wave_step(run->process, &runner->wave.at, &runner->stop, error);
	if (ret == -ETIMEDOUT && !run->condition) {
		adbgd_runner_set_stop(runner, ADBGD_STOP_INTERRUPTED, pc);
		return 0;
	}
	return ret;
}

/* A wave that has trapped in a step has a pending stop, which is that of the run. */
int adbgd_runner_report_trap(struct adbgd_run *run, struct adbgd_runner *runner,
			     struct adbgd_error *error)
{
	struct amdgpudbg_wave now;
	int ret = adbgd_wave_poll(run->process, &runner->wave, &now, error);

	if (ret == ADBGD_WAVE_ENDED)
		return has_ended(runner);
	if (ret != ADBGD_WAVE_STOPPED)
		return ret < 0 ? ret : adbgd_fail(error, -EBUSY, "the wave has another stop");
	ret = adbgd_wave_report(run->process, &now, &runner->stop);
	return ret ? adbgd_failed(run->process, error, ret, "cannot report the stop of a wave") : 0;
}

/* Has the step reached a breakpoint without a condition, or one that is pending? */
static bool is_at_breakpoint(const struct adbgd_run *r, struct adbgd_stop *stop)
{
	struct adbgd_breakpoint *b = adbgd_breakpoint_for(r->process, stop->pc);

	if (adbgd_stop_is_at_breakpoint(r->process, stop))
		return true;
	if (!b || adbgd_is_gpu_condition(b) ||
	    b->info.flags & (ADBGD_BREAKPOINT_MOMENTARY | ADBGD_BREAKPOINT_DISABLED))
		return false;
	/* The step has decided it, unless it is pending. */
	if (b->test.evaluate && (!(b->info.flags & ADBGD_BREAKPOINT_PENDING) ||
				 !adbgd_breakpoint_is_at(b, stop)))
		return false;
	stop->breakpoint = b->info.number;
	return true;
}

int adbgd_runner_step_on(struct adbgd_run *run, struct adbgd_runner *runner,
			 struct adbgd_error *error)
{
	struct adbgd_runner *w = runner;
	int ret;

	if (adbgd_run_is_over(run)) {
		adbgd_runner_set_stop(w, ADBGD_STOP_INTERRUPTED, w->stop.reason ? w->stop.pc :
				      adbgd_wave_get_pc(run->process, &w->wave));
		w->runs = false;
		return 0;
	}
	ret = adbgd_runner_step(run, w, error);
	if (ret == -EBUSY && w->stop.reason == ADBGD_STOP_STEP)
		ret = adbgd_runner_report_trap(run, w, error);
	w->runs = !ret && w->stop.reason == ADBGD_STOP_STEP && !adbgd_runner_runs_to(w, w->stop.pc);
	if (!ret && w->stop.reason == ADBGD_STOP_STEP && is_at_breakpoint(run, &w->stop)) {
		w->stop.reason = ADBGD_STOP_BREAKPOINT;
		w->runs = false;
	}
	return ret;
}

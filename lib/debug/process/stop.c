// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Translating events of the session into stops, and finding stops that have no event.
 */
#include "breakpoint.h"
#include "launch.h"
#include "runs.h"
#include "stop.h"
#include "trap_abi.h"
#include "wave.h"

/* In ns: how long adbgd_stops_pass_others() decides for waves; it may take longer by one wave. */
#define PASS_NS		20000000

ADBGD_API const char *adbgd_stop_reason_name(uint32_t reason)
{
	static const char *const names[] = {
		[ADBGD_STOP_BREAKPOINT] = "breakpoint",
		[ADBGD_STOP_STEP] = "step",
		[ADBGD_STOP_TRAP] = "trap",
		[ADBGD_STOP_HOST_TRAP] = "host-trap",
		[ADBGD_STOP_EXCEPTION] = "exception",
		[ADBGD_STOP_WATCH] = "watch",
		[ADBGD_STOP_WAVE_END] = "wave-end",
		[ADBGD_STOP_EXPIRED] = "expired",
		[ADBGD_STOP_INVALIDATED] = "invalidated",
		[ADBGD_STOP_EXITED] = "exited",
		[ADBGD_STOP_START] = "start",
		[ADBGD_STOP_EXEC] = "exec",
		[ADBGD_STOP_INTERRUPTED] = "interrupted",
		[ADBGD_STOP_BREAKPOINT_STATE] = "breakpoint-state",
	};

	return reason < ARRAY_SIZE(names) && names[reason] ? names[reason] : "?";
}

static uint32_t reason_of(const struct amdgpudbg_event *ev)
{
	if (ev->cause & AMDGPUDBG_CAUSE_HOST_TRAP)
		return ADBGD_STOP_HOST_TRAP;
	if (ev->cause & AMDGPUDBG_CAUSE_S_TRAP)
		return ADBGD_STOP_TRAP;
	if (ev->cause & AMDGPUDBG_CAUSE_WATCH)
		return ADBGD_STOP_WATCH;
	if (ev->cause & ~AMDGPUDBG_CAUSE_DEBUG)
		return ADBGD_STOP_EXCEPTION;
	return ADBGD_STOP_STEP;
}

/*
 * The wave has stopped at a cleared or expired breakpoint, or its stop is ignored: resume it
 * without a report, or leave it halted if the caller has halted it.
 */
static int resume_past(struct adbgd_process *p, struct amdgpudbg_wave *wave, uint64_t pc)
{
	int ret = adbgd_breakpoint_resume_past(p, wave, pc);

	return ret ? ret : -EAGAIN;
}

static int ignore_stop(struct adbgd_process *p, struct adbgd_breakpoint *b,
		       struct amdgpudbg_wave *wave, uint64_t pc)
{
	int ret = resume_past(p, wave, pc);

	if (ret == -EAGAIN) {
		b->info.ignore--;
		b->info.hits++;
	}
	return ret;
}

/*
 * Let the host decide whether a wave with a pending stop satisfies the condition. Its stop stays
 * pending. Return: 1 it does; 0 it does not; -errno.
 */
static int evaluate(struct adbgd_process *p, struct adbgd_breakpoint *b,
		    struct amdgpudbg_wave *wave, uint64_t pc, struct adbgd_stop *stop)
{
	struct amdgpudbg_wave before = *wave;
	/* Only the handler of a wave whose stop was reported executes commands. */
	int ret = adbgd_wave_move_reported(p, wave, pc), undone;

	if (ret)
		return ret;
	ret = adbgd_breakpoint_evaluate(b, &wave->at, stop);
	undone = adbgd_wave_make_pending(p, wave, &before);
	if (ret == -EINTR)
		adbgd_wave_keep_again(p, &before);
	return ret >= 0 && undone ? undone : ret;
}

/*
 * Let the host decide whether a wave stops. @is_halting: the wave is halted because of an
 * interruption, which then ends the decision, too. Else the next poll decides after the
 * interruption. Return: 1 it stops; 0 it does not; -EAGAIN not yet; -errno.
 */
static int test_wave(struct adbgd_process *p, struct adbgd_breakpoint *b,
		     struct amdgpudbg_wave *wave, uint64_t pc, bool is_halting,
		     struct adbgd_stop *stop)
{
	int ret = evaluate(p, b, wave, pc, stop);

	if (ret == -EINTR && is_halting) {
		adbgd_breakpoint_undecided(b, stop);
		return 1;
	}
	p->lost_events |= ret == -EINTR;
	if (ret == -EINTR)
		return -EAGAIN;
	if (ret <= 0 || stop->flags & ADBGD_STOP_UNDECIDED)
		return ret;
	return adbgd_breakpoint_count(b);
}

/* The host has decided that the wave does not stop here. */
static int pass(struct adbgd_process *p, const struct adbgd_runner *runner,
		struct amdgpudbg_wave *wave, uint64_t pc, bool is_goal, struct adbgd_stop *stop)
{
	int ret;

	if (!is_goal && !(runner && runner->is_halting))
		return resume_past(p, wave, pc);
	ret = adbgd_wave_move_reported(p, wave, pc);
	if (ret)
		return ret;
	stop->reason = is_goal ? ADBGD_STOP_STEP : ADBGD_STOP_INTERRUPTED;
	stop->pc = pc;
	stop->lanes = 0;
	return 0;
}

static int at_breakpoint(struct adbgd_process *p, struct adbgd_breakpoint *b,
			 struct amdgpudbg_wave *wave, uint64_t pc, struct adbgd_stop *stop)
{
	const struct adbgd_runner *runner = adbgd_runner_of(p, wave);
	bool is_goal = runner && adbgd_runner_runs_to(runner, pc);
	bool is_halting = runner && runner->is_halting;
	int ret = 1;

	/* The goal of another wave */
	if (b->info.flags & ADBGD_BREAKPOINT_MOMENTARY && !is_goal && !is_halting)
		return resume_past(p, wave, pc);
	if (b->test.evaluate)
		ret = test_wave(p, b, wave, pc, is_halting, stop);
	if (ret < 0)
		return ret;
	if (!ret)
		return pass(p, runner, wave, pc, is_goal, stop);
	/* A wave that runs to this address has to stop. */
	if (b->info.ignore && !is_goal && !(stop->flags & ADBGD_STOP_UNDECIDED))
		return ignore_stop(p, b, wave, pc);
	ret = adbgd_wave_move_reported(p, wave, pc);
	if (ret)
		return ret;
	stop->reason = ADBGD_STOP_BREAKPOINT;
	stop->breakpoint = b->info.number;
	stop->pc = pc;
	/*
	 * With two conditions, it is not known which one was true, so this is not counted as a
	 * hit.
	 */
	if (b->has_momentary && adbgd_is_gpu_condition(b))
		return 0;
	b->info.hits++;
	if (!(b->info.flags & (ADBGD_BREAKPOINT_TEMPORARY | ADBGD_BREAKPOINT_ONCE)))
		return 0;
	if (b->has_momentary)
		b->ends_with_momentary = true;
	else
		adbgd_breakpoint_expire(b);
	return 0;
}

/*
 * Several breakpoints by stepping can be at one instruction. The handler has found that the first
 * one stops the wave. If the host finds that it does not, the others have their turn.
 */
static struct adbgd_breakpoint *choose_stepped(struct adbgd_process *p, struct adbgd_breakpoint *b,
					       struct amdgpudbg_wave *wave, struct adbgd_stop *stop)
{
	struct adbgd_breakpoint *next;
	struct adbgd_stop found;

	while (b->test.evaluate) {
		found = *stop;
		next = adbgd_stepped_next(p, b, wave->pc);
		if (!next || evaluate(p, b, wave, wave->pc, &found))
			break;
		b = next;
	}
	return b;
}

/* Report a stop for a breakpoint by stepping; 1: the stop has another reason. */
static int report_stepped(struct adbgd_process *p, struct amdgpudbg_wave *wave,
			  struct adbgd_stop *stop)
{
	struct adbgd_breakpoint *b;
	uint64_t in_program;
	bool is_one;

	b = adbgd_stepped_by_tag(p, wave->ttmp[13], &is_one);
	if (!is_one)
		return 1;
	/*
	 * A wave in a displaced instruction has no address in the program that could have a
	 * breakpoint.
	 */
	if (!b || b->is_expired || adbgd_displaced_around(p, wave->pc, &in_program))
		return resume_past(p, wave, wave->pc);
	b = choose_stepped(p, b, wave, stop);
	return at_breakpoint(p, b, wave, wave->pc, stop);
}

/*
 * Report the stop of a wave. @stop is set except for the location and the breakpoint. Return: 0;
 * -EAGAIN there is nothing to report; -errno.
 */
static int report_wave(struct adbgd_process *p, struct amdgpudbg_wave *wave,
		       const struct adbg_trap *trap, struct adbgd_stop *stop)
{
	struct adbgd_breakpoint *b = adbgd_breakpoint_at(p, trap->pc);
	int ret;

	stop->at = wave->at;
	stop->vmid = wave->vmid;
	stop->pc = adbgd_wave_get_pc(p, wave);
	adbgd_launch_mark_halted(p, &wave->at);
	if (stop->reason == ADBGD_STOP_TRAP && trap->id == TRAP_ID_BREAK) {
		if (b && !b->is_expired)
			return at_breakpoint(p, b, wave, trap->pc, stop);
		if (b || adbgd_breakpoint_was_at(p, trap->pc))
			return resume_past(p, wave, trap->pc);
	}
	if (stop->reason == ADBGD_STOP_STEP) {
		ret = report_stepped(p, wave, stop);
		if (ret <= 0)
			return ret;
	}
	stop->insn = adbgd_fault_insn(p, trap, stop);
	/*
	 * Do not move the wave, also if it is in a displaced instruction: its handler recognizes
	 * the stop by its address.
	 */
	return adbgd_wave_move_reported(p, wave, wave->pc);
}

/*
 * Read the halted wave that the event is about, and its trap. Return: -ESTALE: the wave was
 * resumed since, or another wave is in its slot.
 */
static int wave_of(struct adbgd_process *p, const struct amdgpudbg_event *ev,
		   struct amdgpudbg_wave *wave, struct adbg_trap *trap)
{
	const struct amdgpudbg_wave *w;
	int ret = adbgd_waves_list(p, &ev->at, NULL);

	if (ret)
		return ret;
	w = adbg_wave_list_get(p->waves, 0);
	/* A running wave may halt later, without a further event. */
	p->lost_events |= w && !(w->flags & AMDGPUDBG_WAVE_HALTED);
	if (!w || w->vmid != ev->vmid || !(w->flags & AMDGPUDBG_WAVE_HALTED) ||
	    adbg_wave_get_trap(w, p->info.gc_version, trap))
		return -ESTALE;
	/* If the stop was reported already, the event is older than the report. */
	if (trap->resumed || trap->id != ev->trap_id || ev->pc !=
	    (ev->cause & AMDGPUDBG_CAUSE_S_TRAP ? trap->pc : w->pc))
		return -ESTALE;
	*wave = *w;
	return 0;
}

static int wave_stopped(struct adbgd_process *p, const struct amdgpudbg_event *ev,
			struct adbgd_stop *stop)
{
	struct amdgpudbg_wave wave;
	struct adbg_trap trap;
	int ret;

	/* The program itself has sent the interrupt. */
	if (!(ev->flags & AMDGPUDBG_EVENT_IS_PRIV))
		return -EAGAIN;
	/* The module could not read the wave, for example because it was not halted yet. */
	if (!(ev->flags & AMDGPUDBG_EVENT_HAS_STATE)) {
		p->lost_events = true;
		return -EAGAIN;
	}
	ret = wave_of(p, ev, &wave, &trap);
	if (ret)
		return adbgd_unless_gone(ret);
	stop->reason = reason_of(ev);
	stop->cause = ev->cause;
	stop->watch_mask = ev->watch_mask;
	/* Other causes would have stopped the wave without debug mode, too. */
	if (ev->cause & ~AMDGPUDBG_CAUSE_DEBUG)
		stop->cause &= ~AMDGPUDBG_CAUSE_DEBUG;
	stop->trap_id = ev->trap_id;
	ret = report_wave(p, &wave, &trap, stop);
	if (!ret)
		adbgd_watchpoints_hit(p, stop);
	/* A wave that was not halted yet, or that an error has left halted, raises no event. */
	p->lost_events |= ret != 0;
	return adbgd_unless_gone(ret);
}

/* Find out the reason of a stop that has no event. */
static void set_reason(struct adbgd_process *p, const struct amdgpudbg_wave *wave,
		       const struct adbg_trap *trap, struct adbgd_stop *stop)
{
	uint32_t watches = adbgd_wave_watches(p, wave);
	uint64_t cause = adbgd_wave_cause(p, wave);

	stop->trap_id = trap->id;
	if (trap->host) {
		stop->reason = ADBGD_STOP_HOST_TRAP;
		stop->cause = AMDGPUDBG_CAUSE_HOST_TRAP;
	} else if (trap->id) {
		stop->reason = ADBGD_STOP_TRAP;
		stop->cause = AMDGPUDBG_CAUSE_S_TRAP;
	} else if (watches) {
		stop->reason = ADBGD_STOP_WATCH;
		stop->cause = AMDGPUDBG_CAUSE_WATCH;
		stop->watch_mask = watches;
	} else if (cause) {
		stop->reason = ADBGD_STOP_EXCEPTION;
		stop->cause = cause;
	} else {
		stop->reason = ADBGD_STOP_STEP;
		stop->cause = AMDGPUDBG_CAUSE_DEBUG;
	}
}

int adbgd_wave_report(struct adbgd_process *process, const struct amdgpudbg_wave *wave,
		      struct adbgd_stop *stop)
{
	struct adbgd_stop found = { .reason = 0 };
	struct amdgpudbg_wave w = *wave;
	struct adbg_trap trap;
	int ret;

	if (!adbgd_wave_pending_trap(process, &w, &trap))
		return -EAGAIN;
	set_reason(process, &w, &trap, &found);
	ret = adbgd_unless_gone(report_wave(process, &w, &trap, &found));
	if (ret)
		return ret;
	adbgd_watchpoints_hit(process, &found);
	*stop = found;
	return 0;
}

static int invalidate(struct adbgd_process *p, uint32_t reason, struct adbgd_stop *stop)
{
	int ret = 0;

	adbgd_breakpoints_invalidate(p);
	adbgd_watchpoints_invalidate(p);
	if (adbgd_launch_halts(p) || p->breakpoints.in_debug_mode) {
		p->launch.state = ADBGD_LAUNCH_RUN;
		/* A wave that starts halted without the handler would stay so. */
		p->launch.is_lost = p->launch.look;
		adbgd_stepped_invalidate(p);
		ret = adbgd_process_set_launch(p, false);
	}
	stop->reason = reason;
	/* An error is ignored: then the launch state was lost, and there is nothing to restore. */
	(void)ret;
	return 0;
}

static int translate(struct adbgd_process *p, const struct amdgpudbg_event *ev,
		     struct adbgd_stop *stop, struct adbgd_error *error)
{
	int ret;

	switch (ev->type) {
	case AMDGPUDBG_EVENT_WAVE:
		ret = wave_stopped(p, ev, stop);
		if (ret && ret != -EAGAIN)
			adbgd_failed(p, error, ret, "cannot report the stop of a wave");
		return ret;
	case AMDGPUDBG_EVENT_LOST:
		p->lost_events = true;
		adbgd_launch_events_lost(p);
		return -EAGAIN;
	case AMDGPUDBG_EVENT_JOB_BEGIN:
		adbgd_launch_job_begun(p, ev);
		/*
		 * Programs often load their code again before they run it, which removes patches.
		 */
		adbgd_breakpoints_check_code(p);
		adbgd_breakpoints_arm(p, NULL, NULL);
		return -EAGAIN;
	case AMDGPUDBG_EVENT_JOB_END:
		adbgd_breakpoints_arm(p, NULL, NULL);
		return -EAGAIN;
	case AMDGPUDBG_EVENT_HANDLER_LOST:
		/* The reset is reported by AMDGPUDBG_EVENT_GPU_RESET. */
		if (ev->data == AMDGPUDBG_HANDLER_LOST_RESET)
			return -EAGAIN;
		return invalidate(p, ADBGD_STOP_INVALIDATED, stop);
	case AMDGPUDBG_EVENT_GPU_RESET:
	case AMDGPUDBG_EVENT_SLEEP:
		return invalidate(p, ADBGD_STOP_INVALIDATED, stop);
	case AMDGPUDBG_EVENT_HALT_EXPIRED:
		return invalidate(p, ADBGD_STOP_EXPIRED, stop);
	case AMDGPUDBG_EVENT_TARGET_GONE:
	case AMDGPUDBG_EVENT_GPU_GONE:
		p->has_exited = true;
		stop->reason = ADBGD_STOP_EXITED;
		return 0;
	default:
		return -EAGAIN;
	}
}

int adbgd_stop_from_event(struct adbgd_process *process, const struct amdgpudbg_event *event,
			  struct adbgd_stop *stop, struct adbgd_error *error)
{
	struct adbgd_stop found = { .reason = 0 };
	int ret = translate(process, event, &found, error);

	if (!ret)
		*stop = found;
	return ret;
}

/* ------------------------------------------------------------------- waiting for one wave */

/*
 * Does a wave have a pending stop for a breakpoint? Set *@b to it, or to NULL if it was cleared,
 * and *@pc to the PC there.
 */
static bool is_at_breakpoint(struct adbgd_process *p, const struct amdgpudbg_wave *wave,
			     struct adbgd_breakpoint **b, uint64_t *pc)
{
	struct adbgd_stop stop = { .reason = 0 };
	struct adbg_trap trap;
	uint64_t in_program;
	bool is_one;

	if (!adbgd_wave_pending_trap(p, wave, &trap))
		return false;
	set_reason(p, wave, &trap, &stop);
	if (stop.reason == ADBGD_STOP_TRAP && trap.id == TRAP_ID_BREAK) {
		*pc = trap.pc;
		*b = adbgd_breakpoint_at(p, trap.pc);
		return *b || adbgd_breakpoint_was_at(p, trap.pc);
	}
	if (stop.reason != ADBGD_STOP_STEP)
		return false;
	*pc = wave->pc;
	*b = adbgd_stepped_by_tag(p, wave->ttmp[13], &is_one);
	if (adbgd_displaced_around(p, wave->pc, &in_program))
		*b = NULL;
	return is_one;
}

/* Do waves pass the breakpoint that have stopped there, or does the host decide? */
static bool lets_pass(const struct adbgd_breakpoint *b)
{
	return !b || b->is_expired || b->info.flags & ADBGD_BREAKPOINT_MOMENTARY ||
	       b->test.evaluate || b->info.ignore;
}

/*
 * Has a wave stopped where it may have to pass? Results as of is_at_breakpoint(). A wave that is
 * to stop there in any case will be reported by the function that waits for it.
 */
static bool may_pass(struct adbgd_process *p, const struct amdgpudbg_wave *wave,
		     struct adbgd_breakpoint **b, uint64_t *pc)
{
	const struct adbgd_runner *runner = adbgd_runner_of(p, wave);

	if (adbgd_slot_set_has(p, &p->evaluated, &wave->at) || !is_at_breakpoint(p, wave, b, pc) ||
	    !lets_pass(*b))
		return false;
	return !runner || !(runner->is_halting || adbgd_runner_runs_to(runner, *pc));
}

/* Can there be such waves? */
static bool some_may_pass(const struct adbgd_process *p)
{
	const struct adbgd_breakpoint *b = p->breakpoints.first;

	while (b && !lets_pass(b))
		b = b->next;
	return b || p->breakpoints.num_cleared || p->lost_events;
}

/* Let the host decide for one of the waves, and resume it if it does not stop. */
static int pass_tested(struct adbgd_process *p, struct adbgd_breakpoint *b,
		       struct amdgpudbg_wave *wave, uint64_t pc)
{
	struct adbgd_stop stop = { .reason = 0 };
	int ret;

	if (adbgd_is_stepped(b))
		b = choose_stepped(p, b, wave, &stop);
	ret = evaluate(p, b, wave, pc, &stop);
	if (ret > 0 && !(stop.flags & ADBGD_STOP_UNDECIDED) && !adbgd_breakpoint_stops_next(b)) {
		adbgd_breakpoint_count(b);
		ret = 0;
	}
	if (!ret)
		return resume_past(p, wave, pc);
	if (ret > 0 && b->info.ignore && !(stop.flags & ADBGD_STOP_UNDECIDED)) {
		adbgd_breakpoint_count(b);
		return ignore_stop(p, b, wave, pc);
	}
	if (ret > 0)
		adbgd_slot_set_assign(p, &p->evaluated, &wave->at, true);
	return ret;
}

/*
 * A wave that does not stop is resumed. Else its stop stays pending, and is not evaluated again; it
 * is counted when it is reported. @b: NULL: the breakpoint was cleared
 */
static void pass_other(struct adbgd_process *p, struct adbgd_breakpoint *b,
		       const struct amdgpudbg_wave *w, uint64_t pc)
{
	struct amdgpudbg_wave wave = *w;
	int ret;

	adbgd_launch_mark_halted(p, &w->at);
	if (!b || b->is_expired || b->info.flags & ADBGD_BREAKPOINT_MOMENTARY)
		ret = resume_past(p, &wave, pc);
	else if (b->test.evaluate)
		ret = pass_tested(p, b, &wave, pc);
	else
		ret = ignore_stop(p, b, &wave, pc);
	/* An error recurs when the stop is reported. */
	(void)ret;
}

/* Get the *@i-th wave of the list after the one with which the pass begins, and count *@i. */
static const struct amdgpudbg_wave *next_in_turn(const struct adbgd_process *p, size_t *i)
{
	size_t num = adbg_wave_list_count(p->waves);

	return *i < num ? adbg_wave_list_get(p->waves, (p->pass_from + (*i)++) % num) : NULL;
}

/*
 * A pass that has begun at @begun and has looked at @num waves ends if it takes too long. The next
 * one continues there, so that waves that stop again and again do not take the time of others.
 */
static bool is_pass_over(struct adbgd_process *p, uint64_t begun, size_t num)
{
	if (!adbgd_is_interrupted(p) && adbgd_now_ns() <= begun + PASS_NS)
		return false;
	p->pass_from = (p->pass_from + num) % (adbg_wave_list_count(p->waves) ?: 1);
	return true;
}

void adbgd_stops_pass_others(struct adbgd_process *process, bool is_first)
{
	uint64_t now = adbgd_now_ns(), pc;
	struct adbgd_breakpoint *b;
	const struct amdgpudbg_wave *w;
	size_t i = 0;

	if (is_first)
		adbgd_slot_set_free(&process->evaluated);
	if (!some_may_pass(process) || now < process->next_pass)
		return;
	process->next_pass = now + ADBGD_POLL_MS * 1000000ULL;
	if (!process->evaluated.bits && adbgd_slot_set_make(process, &process->evaluated))
		return;
	if (adbgd_waves_list(process, NULL, NULL))
		return;
	while ((w = next_in_turn(process, &i))) {
		if (may_pass(process, w, &b, &pc))
			pass_other(process, b, w, pc);
		/* The time of the caller may be over. */
		if (is_pass_over(process, now, i))
			return;
	}
}

/*
 * The wave has stopped under the condition that is going to be replaced: where that is false, it
 * must not be reported.
 */
static void pass_before_change(struct adbgd_breakpoint *b)
{
	struct adbgd_process *p = b->process;
	struct adbgd_breakpoint *found;
	const struct amdgpudbg_wave *w;
	size_t i;
	uint64_t pc;

	adbgd_slot_set_free(&p->evaluated);
	if (adbgd_slot_set_make(p, &p->evaluated) || adbgd_waves_list(p, NULL, NULL))
		return;
	for (i = 0; (w = adbg_wave_list_get(p->waves, i)); i++)
		if (!adbgd_is_interrupted(p) && may_pass(p, w, &found, &pc) && found == b)
			pass_other(p, b, w, pc);
}

ADBGD_API int adbgd_breakpoint_set_condition(struct adbgd_breakpoint *breakpoint,
					     const struct adbgd_condition *condition,
					     struct adbgd_error *error)
{
	if (breakpoint->test.evaluate)
		pass_before_change(breakpoint);
	return adbgd_breakpoint_change_condition(breakpoint, condition, error);
}

/* ------------------------------------------------------------ stops without an event */

int adbgd_stop_poll_timeout(const struct adbgd_process *process)
{
	int start = adbgd_launch_poll_timeout(process);

	if (start >= 0)
		return start;
	return process->lost_events || adbgd_breakpoints_pending(process) ? ADBGD_POLL_MS : -1;
}

int adbgd_stop_poll(struct adbgd_process *process, struct adbgd_stop *stop,
		    struct adbgd_error *error)
{
	uint64_t begun = adbgd_now_ns();
	const struct amdgpudbg_wave *w;
	size_t i = 0;
	int ret;

	if (adbgd_exec_poll(process, stop))
		return 0;
	if (adbgd_stop_poll_timeout(process) < 0)
		return adbgd_fail(error, -EAGAIN, "no wave has stopped");
	adbgd_breakpoints_arm(process, NULL, NULL);
	ret = adbgd_waves_list(process, NULL, error);
	/* The event that the target or the GPU is gone is still to be read. */
	if (ret == -ENOTCONN || ret == -ENODEV) {
		process->has_exited = true;
		return adbgd_fail(error, -EAGAIN, "no wave has stopped");
	}
	if (ret)
		return ret;
	process->lost_events = adbgd_waves_have(process, adbgd_wave_is_stopping);
	while ((w = next_in_turn(process, &i))) {
		if (!adbgd_wave_is_pending(process, w))
			continue;
		ret = adbgd_wave_report(process, w, stop);
		/* Further waves may have stopped without an event. */
		process->lost_events = true;
		if (ret == -EAGAIN && is_pass_over(process, begun, i))
			break;
		if (ret == -EAGAIN)
			continue;
		return ret ? adbgd_failed(process, error, ret, "cannot report the stop "
					  "of a wave") : 0;
	}
	ret = adbgd_launch_poll(process, stop, error);
	return ret == -EAGAIN ? adbgd_fail(error, ret, "no wave has stopped") : ret;
}

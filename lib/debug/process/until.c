// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Running waves to an address: a momentary breakpoint is set there, and cleared afterwards. For a
 * single wave, it has a condition for this wave. If there is a breakpoint with a condition at
 * this address, the momentary one is a second condition of it; if there is one without a
 * condition, the wave stops there anyway. While there are waves that started before the attach,
 * no breakpoint can be set; then the host executes each instruction.
 */
#include <string.h>

#include "breakpoint.h"
#include "calls.h"
#include "launch.h"
#include "stop.h"
#include "wave.h"

/*
 * In ns. After this time, a running wave is halted briefly to see whether it is still the same
 * one: TTMPs, which have its work-group, are readable only while it is halted.
 */
#define LOOK_CLOSER_NS	200000000

struct runner {
	struct amdgpudbg_wave wave;	/* as it was before the run */
	struct adbgd_exits to;		/* where it stops; empty: it executes one instruction */
	struct adbgd_stop stop;		/* reason 0: the stop is not known yet */
	bool runs;
};

struct run {
	struct adbgd_process *process;
	struct runner *runners;
	size_t num;
	struct adbgd_condition only;	/* condition for a single wave */
	const struct adbgd_condition *condition;	/* @only; NULL: for all waves */
	uint64_t end;
	uint64_t next_look;		/* when the wave is halted for a closer look */
	bool is_stepped;		/* a breakpoint would be pending: step the waves */
	int timeout_ms;
};

/* ---------------------------------------------------------- momentary breakpoints */

static int reload_conditions(struct adbgd_process *p, struct adbgd_error *error)
{
	p->handler.has_conditions = false;
	return adbgd_conditions_load(p, error);
}

static int share(struct adbgd_breakpoint *b, const struct run *r, struct adbgd_error *error)
{
	int ret;

	b->momentary = r->condition ? *r->condition : (struct adbgd_condition){ .every = 0 };
	b->has_momentary = true;
	ret = reload_conditions(b->process, error);
	b->has_momentary = !ret;
	return ret;
}

/* Fail if the breakpoint is pending: waves that should stop there may have no handler. */
static int is_set(struct run *r, const struct adbgd_breakpoint *b, struct adbgd_error *error)
{
	r->is_stepped |= b->info.flags & ADBGD_BREAKPOINT_PENDING;
	return !(b->info.flags & ADBGD_BREAKPOINT_PENDING) ? 0 :
	       adbgd_fail(error, -EAGAIN, "the breakpoint at %#llx is pending until all waves have "
			  "ended that started before the debugger attached to process %d",
			  (unsigned long long)b->info.address, r->process->info.pid);
}

static int add_momentary(struct run *r, uint64_t address, struct adbgd_error *error)
{
	struct adbgd_breakpoint *b = adbgd_breakpoint_for(r->process, address);
	int ret = b ? adbgd_breakpoints_arm(r->process, b, error) : 0;

	ret = b && !ret ? is_set(r, b, error) : ret;
	if (ret)
		return ret;
	if (b && b->has_condition)
		return b->has_momentary ? 0 : share(b, r, error);
	/*
	 * All waves stop at this breakpoint. If it is temporary, it must stay until the run has
	 * ended.
	 */
	if (b && !(b->info.flags & ADBGD_BREAKPOINT_MOMENTARY))
		b->has_momentary = true;
	if (b)
		return 0;
	ret = adbgd_breakpoint_add(r->process, address, ADBGD_BREAKPOINT_MOMENTARY, r->condition,
				   &b, error);
	return ret ? ret : is_set(r, b, error);
}

/*
 * Errors are ignored: clearing is tried again with the next breakpoint. Conditions that are still
 * in the handler until then do no harm.
 */
static void remove_momentary(struct run *r)
{
	struct adbgd_breakpoint *b, *next;
	bool was_shared = false;

	for (b = r->process->breakpoints.first; b; b = next) {
		next = b->next;
		was_shared |= b->has_momentary && b->has_condition;
		b->has_momentary = false;
		if (b->info.flags & ADBGD_BREAKPOINT_MOMENTARY || b->ends_with_momentary)
			adbgd_breakpoint_expire(b);
	}
	if (was_shared)
		reload_conditions(r->process, NULL);
}

/* ------------------------------------------------------------------- one runner */

static int is_late(void *arg, struct adbgd_error *error)
{
	const struct run *r = arg;

	(void)error;
	return r->timeout_ms >= 0 && adbgd_now_ns() > r->end;
}

static void set_stop(struct runner *w, uint32_t reason, uint64_t pc)
{
	w->stop = (struct adbgd_stop){ .reason = reason, .at = w->wave.at, .pc = pc };
}

static bool is_over(struct run *r)
{
	return is_late(r, NULL) || adbgd_is_interrupted(r->process);
}

/* Also end the wait when it is time for a closer look. */
static int is_late_for_now(void *arg, struct adbgd_error *error)
{
	const struct run *r = arg;

	return adbgd_now_ns() > r->next_look || is_late(arg, error);
}

/*
 * Resume the wave after a closer look. @late: its state; NULL: it did not leave its handler, and
 * was not looked at.
 */
static void resume_after_look(struct run *r, const struct runner *w,
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

/*
 * Halt the wave. After a timeout or an interrupt it stays halted where it is. Otherwise, resume
 * it after checking that it is still the same wave; return -EAGAIN.
 */
static int halt(struct run *r, struct runner *w, struct adbgd_error *error)
{
	bool over = is_over(r);
	struct amdgpudbg_wave now;
	int ret = adbgd_wave_halt(r->process, &w->wave, &now, over ? error : NULL);

	switch (ret) {
	case ADBGD_WAVE_STOPPED:
		return adbgd_wave_report(r->process, &now, &w->stop);
	case ADBGD_WAVE_ENDED:
		set_stop(w, ADBGD_STOP_WAVE_END, 0);
		return 0;
	}
	if (!over) {
		if (ret == ADBGD_WAVE_LATE || ret == -EAGAIN)
			resume_after_look(r, w, ret == ADBGD_WAVE_LATE ? &now : NULL);
		return -EAGAIN;
	}
	if (ret != ADBGD_WAVE_LATE)
		return ret;
	set_stop(w, ADBGD_STOP_INTERRUPTED, adbgd_wave_get_pc(r->process, &now));
	return 0;
}

/* Wait until the wave stops, for any reason. */
static int wait_stop(struct run *r, struct runner *w, struct adbgd_error *error)
{
	struct amdgpudbg_wave now;
	int ret;

	do {
		r->next_look = adbgd_now_ns() + LOOK_CLOSER_NS;
		ret = adbgd_wave_wait(r->process, &w->wave, is_late_for_now, r, &now, error);
		if (ret == ADBGD_WAVE_ENDED) {
			set_stop(w, ADBGD_STOP_WAVE_END, 0);
			return 0;
		}
		if (ret < 0)
			return ret;
		ret = ret == ADBGD_WAVE_LATE ? halt(r, w, error) :
		      adbgd_wave_report(r->process, &now, &w->stop);
	} while (ret == -EAGAIN);
	return ret ? adbgd_failed(r->process, error, ret, "cannot report the stop of a wave") : 0;
}

static int resume_runner(struct run *r, const struct amdgpudbg_wave *from,
			 struct adbgd_error *error)
{
	struct amdgpudbg_wave wave = *from;
	char name[ADBG_WAVE_NAME_MAX];
	int ret = adbgd_wave_prepare_resume(r->process, &wave);

	if (!ret)
		ret = adbgd_wave_resume(r->process, &wave);
	return ret && !adbgd_wave_is_gone(ret) ?
	       adbgd_failed(r->process, error, ret, "cannot resume wave %s",
			    adbg_wave_name(&wave.at, name)) : 0;
}

static bool runs_to(const struct runner *w, uint64_t pc)
{
	size_t i;

	for (i = 0; i < w->to.num; i++) {
		if (w->to.at[i] == pc)
			return true;
	}
	return false;
}

/*
 * Get the momentary breakpoint that has stopped the wave, which may be for another wave. If a
 * breakpoint also has a condition of its own, it is not known which condition was true; then the
 * stop is reported unless the wave was to stop there.
 */
static struct adbgd_breakpoint *momentary_of(const struct run *r, const struct runner *w)
{
	struct adbgd_breakpoint *b = adbgd_breakpoint_at(r->process, w->stop.pc);
	bool is_one = b && (b->info.flags & ADBGD_BREAKPOINT_MOMENTARY ||
			    (b->has_momentary && b->has_condition && runs_to(w, w->stop.pc)));

	return is_one && w->stop.reason == ADBGD_STOP_BREAKPOINT ? b : NULL;
}

/*
 * Wait until the wave stops where it was to stop, or for another reason. Resume it at momentary
 * breakpoints of other waves.
 */
static int arrive(struct run *r, struct runner *w, struct adbgd_error *error)
{
	struct amdgpudbg_wave wave;
	int ret;

	if (!w->runs)
		return 0;
	for (;;) {
		ret = wait_stop(r, w, error);
		if (ret || !momentary_of(r, w))
			return ret;
		if (runs_to(w, w->stop.pc)) {
			w->stop.reason = ADBGD_STOP_STEP;
			return 0;
		}
		/* The wave may reach that breakpoint again and again. */
		if (is_over(r)) {
			w->stop.reason = ADBGD_STOP_INTERRUPTED;
			w->stop.breakpoint = 0;
			return 0;
		}
		ret = adbgd_wave_find(r->process, &w->wave.at, &wave, error);
		if (!ret)
			ret = resume_runner(r, &wave, error);
		if (ret)
			return ret;
	}
}

/*
 * Execute one instruction. In a run of all waves, a wave whose instruction waits for longer than
 * the module does (-ETIMEDOUT) is reported as interrupted.
 */
static int step(struct run *r, struct runner *w, struct adbgd_error *error)
{
	uint64_t pc = w->stop.reason ? w->stop.pc : adbgd_wave_get_pc(r->process, &w->wave);
	int ret;

	/*
	 * In a run of all waves, many of them may wait in their instruction, so check the time
	 * before each.
	 */
	if (adbgd_is_interrupted(r->process) || (!r->condition && is_late(r, NULL))) {
		set_stop(w, ADBGD_STOP_INTERRUPTED, pc);
		return 0;
	}
	ret = adbgd_wave_step(r->process, &w->wave.at, &w->stop, error);
	if (ret == -ETIMEDOUT && !r->condition) {
		set_stop(w, ADBGD_STOP_INTERRUPTED, pc);
		return 0;
	}
	return ret;
}

/* ------------------------------------------------------------------- all runners */

static int add_all_momentary(struct run *r, struct adbgd_error *error)
{
	size_t i, j;
	int ret = 0;

	for (i = 0; i < r->num; i++) {
		for (j = 0; !ret && j < r->runners[i].to.num; j++)
			ret = add_momentary(r, r->runners[i].to.at[j], error);
	}
	return ret;
}

/*
 * Call @what for runners with a goal (@resumes), or for those that execute one instruction.
 * Return: 0, or the first error.
 */
static int each(struct run *r, bool resumes,
		int (*what)(struct run *r, struct runner *w, struct adbgd_error *error),
		struct adbgd_error *error)
{
	int first = 0, ret;
	size_t i;

	for (i = 0; i < r->num; i++) {
		if (!r->runners[i].to.num == resumes)
			continue;
		ret = what(r, &r->runners[i], first ? NULL : error);
		first = first ? first : ret;
	}
	return first;
}

static int start(struct run *r, struct runner *w, struct adbgd_error *error)
{
	int ret = resume_runner(r, &w->wave, error);

	w->runs = !ret;
	return ret;
}

/* A wave that has trapped in a step has a pending stop, which is that of the run. */
static int report_trap(struct run *r, struct runner *w, struct adbgd_error *error)
{
	struct amdgpudbg_wave now;
	int ret = adbgd_wave_wait(r->process, &w->wave, is_late, r, &now, error);

	return ret ? ret : adbgd_wave_report(r->process, &now, &w->stop);
}

/* Has the step reached a breakpoint without a condition, or one that is pending? */
static bool is_at_breakpoint(const struct run *r, struct adbgd_stop *stop)
{
	const struct adbgd_breakpoint *b = adbgd_breakpoint_for(r->process, stop->pc);

	if (adbgd_stop_is_at_breakpoint(r->process, stop))
		return true;
	if (!b || b->has_condition ||
	    b->info.flags & (ADBGD_BREAKPOINT_MOMENTARY | ADBGD_BREAKPOINT_DISABLED))
		return false;
	stop->breakpoint = b->info.number;
	return true;
}

/*
 * Execute one instruction of a wave that has a goal. @w->runs: it is not there yet, and has not
 * stopped otherwise.
 */
static int step_on(struct run *r, struct runner *w, struct adbgd_error *error)
{
	int ret;

	if (is_over(r)) {
		set_stop(w, ADBGD_STOP_INTERRUPTED, w->stop.reason ? w->stop.pc :
			 adbgd_wave_get_pc(r->process, &w->wave));
		w->runs = false;
		return 0;
	}
	ret = step(r, w, error);
	if (ret == -EBUSY && w->stop.reason == ADBGD_STOP_STEP)
		ret = report_trap(r, w, error);
	w->runs = !ret && w->stop.reason == ADBGD_STOP_STEP && !runs_to(w, w->stop.pc);
	if (!ret && w->stop.reason == ADBGD_STOP_STEP && is_at_breakpoint(r, &w->stop)) {
		w->stop.reason = ADBGD_STOP_BREAKPOINT;
		w->runs = false;
	}
	return ret;
}

/*
 * Waves that started before the attach have no trap handler, so that no breakpoint can stop them:
 * step them from here. Each executes one instruction after the other, because they may wait for
 * each other.
 */
static int run_stepped(struct run *r, struct adbgd_error *error)
{
	bool runs = true;
	int first = 0, ret;
	size_t i;

	for (i = 0; i < r->num; i++)
		r->runners[i].runs = r->runners[i].to.num;
	while (runs) {
		runs = false;
		for (i = 0; i < r->num; i++) {
			ret = r->runners[i].runs ?
			      step_on(r, &r->runners[i], first ? NULL : error) : 0;
			first = first ? first : ret;
			runs |= r->runners[i].runs;
		}
	}
	return first;
}

/*
 * Resume all waves before waiting for one, because they may wait for each other. An error of one
 * wave does not affect others.
 */
static int run(struct run *r, struct adbgd_error *error)
{
	int ret = add_all_momentary(r, error), other;

	if (r->is_stepped) {
		remove_momentary(r);
		ret = each(r, false, step, error);
		other = run_stepped(r, ret ? NULL : error);
		return ret ? ret : other;
	}
	if (!ret) {
		ret = each(r, true, start, error);
		other = each(r, false, step, ret ? NULL : error);
		if (!ret)
			ret = other;
		other = each(r, true, arrive, ret ? NULL : error);
		if (!ret)
			ret = other;
	}
	remove_momentary(r);
	return ret;
}

/* A wave that has stopped at an s_setpc_b64 also executes it, so that it returns to its caller. */
static int leave_function(struct run *r, struct runner *w, struct adbgd_error *error)
{
	int ret = w->stop.reason == ADBGD_STOP_STEP ?
		  adbgd_is_return(r->process, w->stop.pc, error) : 0;

	return ret > 0 ? step(r, w, error) : ret;
}

/* --------------------------------------------------------------------------- goals */

/*
 * Find where a wave at @pc has to stop; an empty @to means that it executes one instruction.
 * Return: 0, or -errno with @error set.
 */
typedef int where_to(struct adbgd_process *p, uint64_t pc, struct adbgd_exits *to,
		     struct adbgd_error *error);

static int to_next(struct adbgd_process *p, uint64_t pc, struct adbgd_exits *to,
		   struct adbgd_error *error)
{
	int ret = adbgd_is_call(p, pc, &to->at[0], error);

	to->num = ret > 0;
	return ret < 0 ? ret : 0;
}

static int to_exits(struct adbgd_process *p, uint64_t pc, struct adbgd_exits *to,
		    struct adbgd_error *error)
{
	int ret = adbgd_exits_find(p, pc, to, error);

	/* At the only exit, the wave executes one instruction to leave the function. */
	if (!ret && to->num == 1 && to->at[0] == pc)
		to->num = 0;
	return ret;
}

/* Find the goal once for all waves with the same PC: often many waves are at few addresses. */
static int find_ways(struct run *r, where_to *where, struct adbgd_error *error)
{
	uint64_t pc, before;
	size_t i, j;
	int ret = 0;

	for (i = 0; !ret && i < r->num; i++) {
		pc = adbgd_wave_get_pc(r->process, &r->runners[i].wave);
		for (j = 0; j < i; j++) {
			before = adbgd_wave_get_pc(r->process, &r->runners[j].wave);
			if (before == pc)
				break;
		}
		if (j < i)
			r->runners[i].to = r->runners[j].to;
		else
			ret = where(r->process, pc, &r->runners[i].to, error);
	}
	return ret;
}

static void go_to(struct run *r, uint64_t address)
{
	size_t i;

	for (i = 0; i < r->num; i++) {
		r->runners[i].to.at[0] = adbgd_canonical(r->process, address);
		r->runners[i].to.num = 1;
	}
}

/* --------------------------------------------------------- one wave, or all waves */

static void begin_time(struct run *r, int timeout_ms)
{
	r->timeout_ms = timeout_ms;
	r->end = adbgd_now_ns() + timeout_ms * 1000000LL;
}

/* @w: memory for the only runner */
static int begin_one(struct run *r, struct runner *w, struct adbgd_process *p,
		     const struct amdgpudbg_wave_coord *at, int timeout_ms,
		     struct adbgd_error *error)
{
	int ret;

	memset(w, 0, sizeof(*w));
	ret = adbgd_wave_find(p, at, &w->wave, error);
	if (ret)
		return ret;
	*r = (struct run){
		.process = p, .runners = w, .num = 1, .condition = &r->only,
		.only = {
			.flags = ADBGD_CONDITION_WAVE | ADBGD_CONDITION_GROUP,
			.at = w->wave.at,
		},
	};
	memcpy(r->only.group, w->wave.ttmp + ADBGD_TTMP_GROUP, sizeof(r->only.group));
	begin_time(r, timeout_ms);
	return 0;
}

static int is_not_there(const struct run *r, struct adbgd_error *error)
{
	const struct runner *w = r->runners;
	unsigned long long pc = w->stop.pc;
	char name[ADBG_WAVE_NAME_MAX];

	adbg_wave_name(&w->wave.at, name);
	if (adbgd_is_interrupted(r->process))
		return adbgd_fail(error, -EINTR, "interrupted: wave %s has not arrived, and is "
				  "halted at %#llx", name, pc);
	return adbgd_fail(error, -ETIMEDOUT, "wave %s has not arrived after %d ms, and is halted "
			  "at %#llx", name, r->timeout_ms, pc);
}

static int end_one(struct run *r, int ret, struct adbgd_stop *stop, struct adbgd_error *error)
{
	const struct runner *w = r->runners;

	if (!ret && w->stop.reason == ADBGD_STOP_INTERRUPTED)
		ret = is_not_there(r, error);
	if (!ret)
		*stop = w->stop;
	return ret;
}

static int begin_all(struct run *r, struct adbgd_process *p, size_t max, int timeout_ms,
		     struct adbgd_error *error)
{
	const struct amdgpudbg_wave *w;
	size_t i;
	int ret = adbgd_waves_list_without(p, adbgd_wave_is_halting, error);

	if (ret)
		return ret;
	*r = (struct run){ .process = p };
	r->runners = calloc(adbg_wave_list_count(p->waves) + 1, sizeof(*r->runners));
	if (!r->runners)
		return adbgd_no_memory(error, "a list of waves");
	for (i = 0; (w = adbg_wave_list_get(p->waves, i)); i++) {
		if (adbgd_wave_can_resume(p, w))
			r->runners[r->num++].wave = *w;
	}
	begin_time(r, timeout_ms);
	if (r->num && r->num <= max)
		return 0;
	free(r->runners);
	return r->num ? adbgd_fail(error, -ENOSPC, "%zu waves of process %d are halted, more than "
				   "the caller has room for", r->num, p->info.pid) :
			adbgd_fail(error, -ENODATA, "no wave of process %d is halted", p->info.pid);
}

static int end_all(struct run *r, int ret, struct adbgd_stop *stops, size_t *count)
{
	size_t i;

	/* Also on failure: these stops are not reported otherwise. */
	for (i = 0; i < r->num; i++) {
		if (r->runners[i].stop.reason)
			stops[(*count)++] = r->runners[i].stop;
	}
	free(r->runners);
	return ret;
}

ADBGD_API int adbgd_wave_until(struct adbgd_process *process,
			       const struct amdgpudbg_wave_coord *at, uint64_t address,
			       int timeout_ms, struct adbgd_stop *stop,
			       struct adbgd_error *error)
{
	struct runner w;
	struct run r;
	int ret = begin_one(&r, &w, process, at, timeout_ms, error);

	if (ret)
		return ret;
	go_to(&r, address);
	return end_one(&r, run(&r, error), stop, error);
}

ADBGD_API int adbgd_process_until(struct adbgd_process *process, uint64_t address,
				  int timeout_ms, struct adbgd_stop *stops, size_t max,
				  size_t *count, struct adbgd_error *error)
{
	struct run r;
	int ret = begin_all(&r, process, max, timeout_ms, error);

	*count = 0;
	if (ret)
		return ret;
	go_to(&r, address);
	return end_all(&r, run(&r, error), stops, count);
}

ADBGD_API int adbgd_wave_step_over(struct adbgd_process *process,
				   const struct amdgpudbg_wave_coord *at, int timeout_ms,
				   struct adbgd_stop *stop, struct adbgd_error *error)
{
	struct runner w;
	struct run r;
	int ret = begin_one(&r, &w, process, at, timeout_ms, error);

	if (ret)
		return ret;
	ret = find_ways(&r, to_next, error);
	return end_one(&r, ret ? ret : run(&r, error), stop, error);
}

ADBGD_API int adbgd_process_step_over(struct adbgd_process *process, int timeout_ms,
				      struct adbgd_stop *stops, size_t max, size_t *count,
				      struct adbgd_error *error)
{
	struct run r;
	int ret = begin_all(&r, process, max, timeout_ms, error);

	*count = 0;
	if (ret)
		return ret;
	ret = find_ways(&r, to_next, error);
	return end_all(&r, ret ? ret : run(&r, error), stops, count);
}

static int finish(struct run *r, struct adbgd_error *error)
{
	int ret = find_ways(r, to_exits, error);

	if (!ret)
		ret = run(r, error);
	return ret ? ret : each(r, true, leave_function, error);
}

ADBGD_API int adbgd_wave_finish(struct adbgd_process *process,
				const struct amdgpudbg_wave_coord *at, int timeout_ms,
				struct adbgd_stop *stop, struct adbgd_error *error)
{
	struct runner w;
	struct run r;
	int ret = begin_one(&r, &w, process, at, timeout_ms, error);

	return ret ? ret : end_one(&r, finish(&r, error), stop, error);
}

ADBGD_API int adbgd_process_finish(struct adbgd_process *process, int timeout_ms,
				   struct adbgd_stop *stops, size_t max, size_t *count,
				   struct adbgd_error *error)
{
	struct run r;
	int ret = begin_all(&r, process, max, timeout_ms, error);

	*count = 0;
	return ret ? ret : end_all(&r, finish(&r, error), stops, count);
}

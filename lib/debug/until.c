// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One wave runs until it is somewhere: a station is there for it, a breakpoint for this wave
 * alone, which is gone afterwards. Where a breakpoint with a condition is already, that is
 * given the station too; where one without is, the wave stops anyway.
 */
#include <string.h>
#include <time.h>

#include "exits.h"
#include "target.h"

struct run {
	struct adbgd_process *process;
	struct amdgpudbg_wave wave;	/* as it was before */
	struct adbgd_condition only;	/* it alone */
	struct timespec end;
	bool has_end;
	int timeout_ms;
};

/* ------------------------------------------------------------------- stations */

static int decide_anew(struct adbgd_process *p, struct adbgd_error *error)
{
	p->is_decided = false;
	return adbgd_process_decide(p, error);
}

static int share(struct adbgd_breakpoint *b, const struct run *r, struct adbgd_error *error)
{
	int ret;

	b->station = r->only;
	b->has_station = true;
	ret = decide_anew(b->process, error);
	b->has_station = !ret;
	return ret;
}

static int add_station(struct run *r, uint64_t address, struct adbgd_error *error)
{
	struct adbgd_breakpoint *b = adbgd_breakpoint_at(r->process, address);
	int ret;

	if (b)
		return b->has_condition ? share(b, r, error) : 0;
	ret = adbgd_breakpoint_add(r->process, address, ADBGD_BREAKPOINT_STATION, &r->only, &b,
				   error);
	if (!ret && b->info.flags & ADBGD_BREAKPOINT_PENDING)
		ret = adbgd_fail(error, -EAGAIN, "no wave stops at %#llx before those have ended "
				 "that began before process %d was attached to",
				 (unsigned long long)address, r->process->info.pid);
	return ret;
}

/*
 * What cannot be done now is done with the next breakpoint. So is what the handler still
 * knows of stations that are gone, for it hurts nobody.
 */
static void remove_stations(struct run *r)
{
	struct adbgd_breakpoint *b, *next;
	bool was_shared = false;

	for (b = r->process->breakpoints; b; b = next) {
		next = b->next;
		was_shared |= b->has_station;
		b->has_station = false;
		if (b->info.flags & ADBGD_BREAKPOINT_STATION)
			adbgd_breakpoint_is_over(b);
	}
	if (was_shared && decide_anew(r->process, NULL))
		return;
}

/* ------------------------------------------------------------------------ time */

static void begin_time(struct run *r, int timeout_ms)
{
	r->has_end = timeout_ms >= 0;
	r->timeout_ms = timeout_ms;
	clock_gettime(CLOCK_MONOTONIC, &r->end);
	r->end.tv_sec += timeout_ms / 1000;
	r->end.tv_nsec += timeout_ms % 1000 * 1000000L;
}

static int is_late(void *arg, struct adbgd_error *error)
{
	const struct run *r = arg;
	struct timespec now;

	(void)error;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return r->has_end && (now.tv_sec - r->end.tv_sec) * 1000000000LL +
			     now.tv_nsec - r->end.tv_nsec > 0;
}

/* -------------------------------------------------------------------- the wave */

static int has_ended(struct run *r, struct adbgd_stop *stop)
{
	*stop = (struct adbgd_stop){ .reason = ADBGD_STOP_WAVE_END, .at = r->wave.at };
	return 0;
}

/* The time is over: it stands wherever it is. */
static int halt(struct run *r, struct adbgd_stop *stop, struct adbgd_error *error)
{
	char name[ADBG_WAVE_NAME_MAX];
	struct amdgpudbg_wave w;
	int ret = adbgd_wave_halt(r->process, &r->wave, &w, error);

	switch (ret) {
	case ADBGD_WAVE_STOPPED:
		return adbgd_wave_tell(r->process, &w, stop);
	case ADBGD_WAVE_ENDED:
		return has_ended(r, stop);
	case ADBGD_WAVE_LATE:
		return adbgd_fail(error, -ETIMEDOUT, "wave %s is not there after %d ms, and is "
				  "halted at %#llx", adbg_wave_name(&r->wave.at, name),
				  r->timeout_ms,
				  (unsigned long long)adbgd_wave_get_pc(r->process, &w));
	default:
		return ret;
	}
}

/* Until it stops, for whatever reason */
static int wait_stop(struct run *r, struct adbgd_stop *stop, struct adbgd_error *error)
{
	struct amdgpudbg_wave w;
	int ret;

	do {
		ret = adbgd_wave_wait(r->process, &r->wave, is_late, r, &w, error);
		if (ret == ADBGD_WAVE_LATE)
			return halt(r, stop, error);
		if (ret)
			return ret == ADBGD_WAVE_ENDED ? has_ended(r, stop) : ret;
		ret = adbgd_wave_tell(r->process, &w, stop);
	} while (ret == -EAGAIN);
	return ret ? adbgd_failed(r->process, error, ret, "a wave's stop is not told") : 0;
}

static bool is_station(const struct adbgd_process *p, const struct adbgd_stop *stop)
{
	const struct adbgd_breakpoint *b = adbgd_breakpoint_at(p, stop->pc);

	return stop->reason == ADBGD_STOP_BREAKPOINT && b &&
	       (b->has_station || b->info.flags & ADBGD_BREAKPOINT_STATION);
}

/* To one of the stations, or where else it stops */
static int run_to(struct run *r, const uint64_t *at, size_t num, struct adbgd_stop *stop,
		  struct adbgd_error *error)
{
	struct amdgpudbg_wave wave = r->wave;
	char name[ADBG_WAVE_NAME_MAX];
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < num; i++)
		ret = add_station(r, at[i], error);
	if (ret)
		goto out;
	ret = adbgd_wave_leave(r->process, &wave);
	ret = ret ? ret : adbgd_wave_resume(r->process, &wave);
	if (ret) {
		adbgd_failed(r->process, error, ret, "wave %s does not go on",
			     adbg_wave_name(&wave.at, name));
		goto out;
	}
	ret = wait_stop(r, stop, error);
	if (!ret && is_station(r->process, stop))
		stop->reason = ADBGD_STOP_STEP;
out:
	remove_stations(r);
	return ret;
}

static int begin(struct run *r, struct adbgd_process *p, const struct amdgpudbg_wave_coord *at,
		 int timeout_ms, uint64_t *pc, struct adbgd_error *error)
{
	int ret = adbgd_wave_find(p, at, &r->wave, error);

	if (ret)
		return ret;
	r->process = p;
	r->only = (struct adbgd_condition){
		.flags = ADBGD_CONDITION_WAVE | ADBGD_CONDITION_GROUP, .at = r->wave.at,
	};
	memcpy(r->only.group, r->wave.ttmp + ADBGD_TTMP_GROUP, sizeof(r->only.group));
	*pc = adbgd_wave_get_pc(p, &r->wave);
	begin_time(r, timeout_ms);
	return 0;
}

ADBGD_API int adbgd_wave_until(struct adbgd_process *process,
			       const struct amdgpudbg_wave_coord *at, uint64_t address,
			       int timeout_ms, struct adbgd_stop *stop,
			       struct adbgd_error *error)
{
	struct run r;
	uint64_t pc;
	int ret = begin(&r, process, at, timeout_ms, &pc, error);

	address = adbgd_canonical(process, address);
	return ret ? ret : run_to(&r, &address, 1, stop, error);
}

ADBGD_API int adbgd_wave_next(struct adbgd_process *process,
			      const struct amdgpudbg_wave_coord *at, int timeout_ms,
			      struct adbgd_stop *stop, struct adbgd_error *error)
{
	uint64_t pc, next;
	struct run r;
	int ret = begin(&r, process, at, timeout_ms, &pc, error);

	ret = ret ? ret : adbgd_is_call(process, pc, &next, error);
	if (ret < 0)
		return ret;
	return ret ? run_to(&r, &next, 1, stop, error) :
		     adbgd_wave_step(process, at, stop, error);
}

ADBGD_API int adbgd_wave_finish(struct adbgd_process *process,
				const struct amdgpudbg_wave_coord *at, int timeout_ms,
				struct adbgd_stop *stop, struct adbgd_error *error)
{
	struct adbgd_exits exits;
	struct run r;
	uint64_t pc;
	int ret = begin(&r, process, at, timeout_ms, &pc, error);

	ret = ret ? ret : adbgd_exits_find(process, pc, &exits, error);
	if (ret)
		return ret;
	/* It may be about to leave it. */
	if (exits.num == 1 && exits.at[0] == pc)
		return adbgd_wave_step(process, at, stop, error);
	ret = run_to(&r, exits.at, exits.num, stop, error);
	if (ret || stop->reason != ADBGD_STOP_STEP)
		return ret;
	ret = adbgd_is_return(process, stop->pc, error);
	return ret > 0 ? adbgd_wave_step(process, at, stop, error) : ret;
}

ADBGD_API int adbgd_wave_step_n(struct adbgd_process *process,
				const struct amdgpudbg_wave_coord *at, uint64_t *num,
				struct adbgd_stop *stop, struct adbgd_error *error)
{
	uint64_t wanted = *num;
	int ret = wanted ? 0 : adbgd_fail(error, -EINVAL, "no step is none");

	for (*num = 0; *num < wanted; ++*num) {
		ret = adbgd_wave_step(process, at, stop, error);
		if (ret || stop->reason != ADBGD_STOP_STEP)
			break;
	}
	*num += !ret && *num < wanted;
	/* It has trapped in one: that is still to be told. */
	return ret == -EBUSY && *num ? 0 : ret;
}

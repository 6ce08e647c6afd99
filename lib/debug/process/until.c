// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Running waves to an address, and waiting for them: one wave by an operation (operation.c), all
 * waves by a run of them. While there are waves that started before the attach, no breakpoint can
 * be set; then the host executes each instruction.
 */
#include "operation.h"
#include "stop.h"

/* In a run of all waves: wait until the wave stops where it is to stop, or for another reason. */
static int arrive(struct adbgd_run *r, struct adbgd_runner *w, struct adbgd_error *error)
{
	long pause = ADBGD_FIRST_PAUSE_NS;
	int ret = w->runs;

	while (ret == 1) {
		adbgd_stops_pass_others(r->process, false);
		ret = adbgd_runner_poll(r, w, error);
		if (ret == 1 && adbgd_run_is_over(r))
			ret = adbgd_runner_halt(r, w, error);
		else if (ret == 1)
			adbgd_wave_pause(r->process, &pause);
	}
	return ret;
}

/*
 * Call @what for runners with a goal (@resumes), or for those that execute one instruction.
 * Return: 0, or the first error.
 */
static int each(struct adbgd_run *r, bool resumes,
		int (*what)(struct adbgd_run *r, struct adbgd_runner *w, struct adbgd_error *error),
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

/*
 * Waves that started before the attach have no trap handler, so that no breakpoint can stop them:
 * step them from here. Each executes one instruction after the other, because they may wait for
 * each other.
 */
static int run_stepped(struct adbgd_run *r, struct adbgd_error *error)
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
			      adbgd_runner_step_on(r, &r->runners[i], first ? NULL : error) : 0;
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
static int run(struct adbgd_run *r, struct adbgd_error *error)
{
	int ret, other;

	adbgd_run_link(r);
	adbgd_stops_pass_others(r->process, true);
	ret = adbgd_momentary_add(r, error);
	if (r->is_stepped) {
		adbgd_run_unlink(r);
		ret = each(r, false, adbgd_runner_step, error);
		other = run_stepped(r, ret ? NULL : error);
		return ret ? ret : other;
	}
	if (!ret) {
		ret = each(r, true, adbgd_runner_start, error);
		other = each(r, false, adbgd_runner_step, ret ? NULL : error);
		if (!ret)
			ret = other;
		other = each(r, true, arrive, ret ? NULL : error);
		if (!ret)
			ret = other;
	}
	adbgd_run_unlink(r);
	return ret;
}

/* A wave that has stopped at an s_setpc_b64 also executes it, so that it returns to its caller. */
static int leave_function(struct adbgd_run *r, struct adbgd_runner *w, struct adbgd_error *error)
{
	int ret = w->stop.reason == ADBGD_STOP_STEP ?
		  adbgd_is_return(r->process, w->stop.pc, error) : 0;

	return ret > 0 ? adbgd_runner_step(r, w, error) : ret;
}

/* Find the goal once for all waves with the same PC: often many waves are at few addresses. */
static int find_ways(struct adbgd_run *r, adbgd_find_goals *where, struct adbgd_error *error)
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

/* ------------------------------------------------------------------------ one wave */

static int run_one(struct adbgd_process *p, const struct amdgpudbg_wave_coord *at,
		   adbgd_operation_begin *begin, uint64_t address, int timeout_ms,
		   struct adbgd_stop *stop, struct adbgd_error *error)
{
	struct adbgd_operation *op;
	int ret = adbgd_operation_new(p, at, 0, &op, error);

	return ret ? ret : adbgd_operation_wait(op, begin(op, address, error), timeout_ms, stop,
						error);
}

ADBGD_API int adbgd_wave_until(struct adbgd_process *process,
			       const struct amdgpudbg_wave_coord *at, uint64_t address,
			       int timeout_ms, struct adbgd_stop *stop,
			       struct adbgd_error *error)
{
	return run_one(process, at, adbgd_operation_until, address, timeout_ms, stop, error);
}

ADBGD_API int adbgd_wave_step_over(struct adbgd_process *process,
				   const struct amdgpudbg_wave_coord *at, int timeout_ms,
				   struct adbgd_stop *stop, struct adbgd_error *error)
{
	return run_one(process, at, adbgd_operation_step_over, 0, timeout_ms, stop, error);
}

ADBGD_API int adbgd_wave_finish(struct adbgd_process *process,
				const struct amdgpudbg_wave_coord *at, int timeout_ms,
				struct adbgd_stop *stop, struct adbgd_error *error)
{
	return run_one(process, at, adbgd_operation_finish, 0, timeout_ms, stop, error);
}

/* ----------------------------------------------------------------------- all waves */

static int begin_all(struct adbgd_run *r, struct adbgd_process *p, size_t max, int timeout_ms,
		     struct adbgd_error *error)
{
	const struct amdgpudbg_wave *w;
	size_t i;
	int ret = adbgd_waves_list_without(p, adbgd_wave_is_halting, error);

	if (ret)
		return ret;
	*r = (struct adbgd_run){ .process = p };
	r->runners = calloc(adbg_wave_list_count(p->waves) + 1, sizeof(*r->runners));
	if (!r->runners)
		return adbgd_no_memory(error, "a list of waves");
	for (i = 0; (w = adbg_wave_list_get(p->waves, i)); i++) {
		if (adbgd_wave_can_resume(p, w) && !adbgd_run_of(p, &w->at))
			r->runners[r->num++].wave = *w;
	}
	r->timeout_ms = timeout_ms;
	r->end = adbgd_now_ns() + timeout_ms * 1000000LL;
	if (r->num && r->num <= max)
		return 0;
	free(r->runners);
	return r->num ? adbgd_fail(error, -ENOSPC, "%zu waves of process %d are halted, more than "
				   "the caller has room for", r->num, p->info.pid) :
			adbgd_fail(error, -ENODATA, "no wave of process %d is halted", p->info.pid);
}

static int end_all(struct adbgd_run *r, int ret, struct adbgd_stop *stops, size_t *count)
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

ADBGD_API int adbgd_process_until(struct adbgd_process *process, uint64_t address,
				  int timeout_ms, struct adbgd_stop *stops, size_t max,
				  size_t *count, struct adbgd_error *error)
{
	struct adbgd_run r;
	int ret = begin_all(&r, process, max, timeout_ms, error);
	size_t i;

	*count = 0;
	if (ret)
		return ret;
	for (i = 0; i < r.num; i++) {
		r.runners[i].to.at[0] = adbgd_canonical(process, address);
		r.runners[i].to.num = 1;
	}
	return end_all(&r, run(&r, error), stops, count);
}

ADBGD_API int adbgd_process_step_over(struct adbgd_process *process, int timeout_ms,
				      struct adbgd_stop *stops, size_t max, size_t *count,
				      struct adbgd_error *error)
{
	struct adbgd_run r;
	int ret = begin_all(&r, process, max, timeout_ms, error);

	*count = 0;
	if (ret)
		return ret;
	ret = find_ways(&r, adbgd_goals_next, error);
	return end_all(&r, ret ? ret : run(&r, error), stops, count);
}

ADBGD_API int adbgd_process_finish(struct adbgd_process *process, int timeout_ms,
				   struct adbgd_stop *stops, size_t max, size_t *count,
				   struct adbgd_error *error)
{
	struct adbgd_run r;
	int ret = begin_all(&r, process, max, timeout_ms, error);

	*count = 0;
	if (ret)
		return ret;
	ret = find_ways(&r, adbgd_goals_exits, error);
	if (!ret)
		ret = run(&r, error);
	if (!ret)
		ret = each(&r, true, leave_function, error);
	return end_all(&r, ret, stops, count);
}

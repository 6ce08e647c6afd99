// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Conditions that the host decides: see struct adbgd_host_test. This file calls the test of a
 * breakpoint; inspect/condition.c, which knows variables and memory, is what it calls.
 */
#include "breakpoint.h"
#include "wave.h"

/* The test lists the wave, and the caller may be going through the list of all waves. */
static int call(struct adbgd_breakpoint *b, const struct amdgpudbg_wave_coord *at, uint64_t *lanes,
		struct adbgd_error *error)
{
	struct adbgd_process *p = b->process;
	struct adbg_wave_list *before = p->waves;
	int ret = adbg_wave_list_new(&p->waves);

	if (ret) {
		p->waves = before;
		return adbgd_no_memory(error, "a condition");
	}
	ret = b->test.evaluate(b, at, lanes, error);
	adbg_wave_list_free(p->waves);
	p->waves = before;
	return ret;
}

int adbgd_breakpoint_evaluate(struct adbgd_breakpoint *breakpoint,
			      const struct amdgpudbg_wave_coord *at, struct adbgd_stop *stop)
{
	struct adbgd_process *p = breakpoint->process;
	struct adbgd_error error = { .error = 0 };
	struct amdgpudbg_wave wave;
	uint64_t lanes = 0;
	int ret = call(breakpoint, at, &lanes, &error);

	if (!ret) {
		stop->lanes = lanes;
		return !!lanes;
	}
	if (ret == -EINTR || adbgd_is_interrupted(p))
		return -EINTR;
	/* A wave that was killed has no registers. */
	ret = adbgd_wave_look_up_halted(p, at, &wave);
	if (ret)
		return ret;
	stop->flags |= ADBGD_STOP_UNDECIDED;
	p->condition_error = error;
	return 1;
}

void adbgd_breakpoint_undecided(struct adbgd_breakpoint *breakpoint, struct adbgd_stop *stop)
{
	stop->flags |= ADBGD_STOP_UNDECIDED;
	adbgd_fail(&breakpoint->process->condition_error, -EINTR, "interrupted");
}

bool adbgd_breakpoint_stops_next(const struct adbgd_breakpoint *breakpoint)
{
	const struct adbgd_condition *c = &breakpoint->condition;
	uint64_t hits = breakpoint->test.hits + 1;

	if (!breakpoint->has_condition || !adbgd_condition_counts(c))
		return true;
	return c->nth ? hits == c->nth : !(hits % c->every);
}

bool adbgd_breakpoint_count(struct adbgd_breakpoint *breakpoint)
{
	bool stops = adbgd_breakpoint_stops_next(breakpoint);

	breakpoint->test.hits++;
	return stops;
}

bool adbgd_breakpoint_is_at(struct adbgd_breakpoint *breakpoint, struct adbgd_stop *stop)
{
	struct adbgd_process *p = breakpoint->process;
	int ret;

	if (breakpoint->has_condition && adbgd_condition_counts(&breakpoint->condition))
		return false;
	ret = adbgd_breakpoint_evaluate(breakpoint, &stop->at, stop);
	/* The step has trapped: its stop is pending, and will be reported. */
	if (ret > 0 && stop->flags & ADBGD_STOP_UNDECIDED && p->condition_error.error == -EBUSY) {
		stop->flags &= ~ADBGD_STOP_UNDECIDED;
		return false;
	}
	if (ret == -EINTR)
		adbgd_breakpoint_undecided(breakpoint, stop);
	return ret > 0 || ret == -EINTR;
}

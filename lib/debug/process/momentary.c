// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Momentary breakpoints, at the goals of runs. For a single wave, such a breakpoint has a
 * condition for this wave. If there is a breakpoint with a condition at this address, the
 * momentary one is a second condition of it; if there is one without a condition, the wave stops
 * there anyway. If several runs have the same goal, all waves stop there; stop.c resumes those of
 * no run.
 */
#include "runs.h"

/* A condition that is true for all waves */
static const struct adbgd_condition all_waves;

static int reload_conditions(struct adbgd_process *p, struct adbgd_error *error)
{
	p->handler.has_conditions = false;
	return adbgd_conditions_load(p, error);
}

static bool is_momentary(const struct adbgd_breakpoint *b)
{
	return b->info.flags & ADBGD_BREAKPOINT_MOMENTARY;
}

/* Add the condition of the run to a breakpoint that has one of its own. */
static int share(struct adbgd_breakpoint *b, const struct adbgd_run *r, struct adbgd_error *error)
{
	const struct adbgd_condition *wanted = r->condition ? r->condition : &all_waves;
	struct adbgd_condition before = b->momentary;
	bool had = b->has_momentary;
	int ret;

	if (had && !memcmp(&before, wanted, sizeof(before)))
		return 0;
	/* Another run has the same goal. */
	b->momentary = had ? all_waves : *wanted;
	b->has_momentary = true;
	ret = reload_conditions(b->process, error);
	if (ret) {
		b->momentary = before;
		b->has_momentary = had;
	}
	return ret;
}

/* The momentary breakpoint is that of another run, or of another wave of the same run. */
static int widen(struct adbgd_breakpoint *b, const struct adbgd_run *r, struct adbgd_error *error)
{
	if (!b->has_condition ||
	    (r->condition && !memcmp(&b->condition, r->condition, sizeof(b->condition))))
		return 0;
	return adbgd_breakpoint_set_condition(b, NULL, error);
}

/* Fail if the breakpoint is pending: waves that should stop there may have no handler. */
static int is_set(struct adbgd_run *r, const struct adbgd_breakpoint *b,
		  struct adbgd_error *error)
{
	r->is_stepped |= b->info.flags & ADBGD_BREAKPOINT_PENDING;
	return !(b->info.flags & ADBGD_BREAKPOINT_PENDING) ? 0 :
	       adbgd_fail(error, -EAGAIN, "the breakpoint at %#llx is pending until all waves have "
			  "ended that started before the debugger attached to process %d",
			  (unsigned long long)b->info.address, r->process->info.pid);
}

static int add(struct adbgd_run *r, uint64_t address, struct adbgd_error *error)
{
	struct adbgd_breakpoint *b = adbgd_breakpoint_for(r->process, address);
	int ret = b ? adbgd_breakpoints_arm(r->process, b, error) : 0;

	ret = b && !ret ? is_set(r, b, error) : ret;
	if (ret)
		return ret;
	if (b && is_momentary(b))
		return widen(b, r, error);
	if (b && b->has_condition)
		return share(b, r, error);
	/*
	 * All waves stop at this breakpoint. If it is temporary, it must stay until the run has
	 * ended.
	 */
	if (b) {
		/* If it gets a condition before the run has ended, that must not hide the goal. */
		b->momentary = r->condition && !b->has_momentary ? *r->condition : all_waves;
		b->has_momentary = true;
		return 0;
	}
	ret = adbgd_breakpoint_add(r->process, address, ADBGD_BREAKPOINT_MOMENTARY, r->condition,
				   &b, error);
	return ret ? ret : is_set(r, b, error);
}

int adbgd_momentary_add(struct adbgd_run *run, struct adbgd_error *error)
{
	size_t i, j;
	int ret = 0;

	for (i = 0; i < run->num; i++) {
		for (j = 0; !ret && j < run->runners[i].to.num; j++)
			ret = add(run, run->runners[i].to.at[j], error);
	}
	return ret;
}

static bool is_needed(const struct adbgd_process *p, uint64_t address)
{
	const struct adbgd_run *run;
	size_t i;

	for (run = p->runs; run; run = run->next) {
		for (i = 0; !run->is_stepped && i < run->num; i++) {
			if (adbgd_runner_runs_to(&run->runners[i], address))
				return true;
		}
	}
	return false;
}

/*
 * Errors are ignored: clearing is tried again with the next breakpoint. Conditions that are still
 * in the handler until then do no harm.
 */
void adbgd_momentary_remove(struct adbgd_process *process)
{
	struct adbgd_breakpoint *b, *next;
	bool was_shared = false;

	for (b = process->breakpoints.first; b; b = next) {
		next = b->next;
		if (is_needed(process, b->info.address))
			continue;
		was_shared |= b->has_momentary && b->has_condition;
		b->has_momentary = false;
		if (is_momentary(b) || b->ends_with_momentary)
			adbgd_breakpoint_expire(b);
	}
	if (was_shared)
		reload_conditions(process, NULL);
}

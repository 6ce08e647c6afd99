// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs plans: see plan.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/util.h"
#include "waves/plan.h"

/* Does the plan allow this error? */
static bool is_allowed(struct step *step)
{
	/* Waves that did not react in time count as not changed. */
	if (step->error == -ETIMEDOUT)
		return true;

	step->was_held = step->may_be_held && step->error == -EBUSY;
	return !step->error || step->was_held ||
	       (step->may_be_gone &&
		(step->error == -ENODATA || step->error == -ESTALE));
}

static char *whose(const struct wavectl *w, const struct amdgpudbg_wave_control *c)
{
	char *text = NULL;

	if (c->mode == AMDGPUDBG_WAVEMODE_SELECT && w->has_spec)
		xappend(&text, "'%s'", w->spec_text);
	else if (c->mode == AMDGPUDBG_WAVEMODE_SELECT && !w->pid)
		xappend(&text, "the GPU");
	else if (c->vmid)
		xappend(&text, "VMID %u", c->vmid);
	else
		xappend(&text, "the process");
	return text;
}

static int fail_step(struct wavectl *w, const struct plan *plan,
		     const struct step *step)
{
	const struct amdgpudbg_wave_control *c = &step->control;
	char name[ADBG_WAVE_NAME_MAX];
	char *of = whose(w, c);
	int status;

	if (c->mode == AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS ||
	    c->mode == AMDGPUDBG_WAVEMODE_SELECT)
		status = fail(w, step->error,
			      "cannot %s the waves of %s", op_name(plan->op),
			      of);
	else
		status = fail(w, step->error,
			      "cannot %s %s%s of %s", op_name(plan->op),
			      c->mode == AMDGPUDBG_WAVEMODE_SINGLE ? "" :
			      "the waves on the WGP of ",
			      adbg_wave_name(&c->at, name), of);
	free(of);
	return status;
}

static int run_one(struct wavectl *w, struct plan *plan)
{
	struct step *step = plan->steps;

	step->error = adbg_wave_control(w->session, &step->control);
	return WAVECTL_OK;
}

/* The operations that the module did not reach are the last ones. */
static uint32_t num_tried(const struct amdgpudbg_batch_op *ops, uint32_t count)
{
	uint32_t n = 0;

	while (n < count && ops[n].error != -ECANCELED)
		n++;
	return n;
}

int plan_batch(struct wavectl *w, enum amdgpudbg_waveop op,
	       struct amdgpudbg_batch_op *ops,
	       struct amdgpudbg_wave_batch *all)
{
	uint32_t next = 0;

	while (next < all->count) {
		struct amdgpudbg_wave_batch batch = {
			.flags = AMDGPUDBG_WAVE_BATCH_CONTINUE,
			.ops = (uintptr_t)&ops[next],
			.count = all->count - next,
		};
		int ret;

		if (batch.count > AMDGPUDBG_WAVE_BATCH_MAX)
			batch.count = AMDGPUDBG_WAVE_BATCH_MAX;
		ret = adbg_wave_batch(w->session, &batch);
		if (ret)
			return fail(w, ret, "cannot %s the waves", op_name(op));
		all->done += batch.done;
		next += num_tried(&ops[next], batch.count);
	}

	return WAVECTL_OK;
}

static int run_all(struct wavectl *w, struct plan *plan)
{
	unsigned int count = plan->num_steps;
	struct amdgpudbg_wave_batch all = { .count = count };
	struct amdgpudbg_batch_op *ops;
	int status;

	if (count == 1)
		return run_one(w, plan);

	ops = xcalloc(count, sizeof(*ops));
	for (unsigned int i = 0; i < count; i++)
		ops[i].control = plan->steps[i].control;
	status = plan_batch(w, plan->op, ops, &all);
	for (unsigned int i = 0; !status && i < count; i++) {
		plan->steps[i].control = ops[i].control;
		plan->steps[i].error = ops[i].error;
	}
	free(ops);
	return status;
}

int plan_run(struct wavectl *w, struct plan *plan)
{
	int status;

	plan->matched = 0;
	plan->changed = 0;
	for (unsigned int i = 0; i < plan->num_steps; i++) {
		plan->steps[i].control.matched = 0;
		plan->steps[i].control.changed = 0;
	}

	status = run_all(w, plan);
	if (status)
		return status;

	for (unsigned int i = 0; i < plan->num_steps; i++) {
		struct step *step = &plan->steps[i];

		if (!is_allowed(step))
			return fail_step(w, plan, step);
		plan->matched += step->control.matched;
		plan->changed += step->control.changed;
	}

	return WAVECTL_OK;
}

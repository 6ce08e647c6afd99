// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl wave halt and wave resume.
 *
 * The session that halted waves resumes them when it closes. So halt stays
 * until it is told to end, and leaves nothing halted however it ends, unless it
 * was asked to.
 */
#include <errno.h>
#include <stdlib.h>

#include "hold.h"
#include "plan.h"
#include "util.h"

static int dry_run(struct wavectl *w, const struct plan *plan,
		   const struct adbg_wave_list *list)
{
	const struct adbg_wave *wave;
	size_t count = 0;

	emit_begin(w->emit);
	emit_bool(w->emit, "dry_run", true);
	plan_emit(w, plan, true, false);

	emit_table(w->emit, "waves", true);
	for (size_t i = 0; (wave = adbg_wave_list_get(list, i)); i++) {
		if (!plan_wants(w, wave))
			continue;
		emit_wave(w, wave);
		count++;
	}
	emit_table_end(w->emit);

	emit_str(w->emit, "operation", op_name(plan->op));
	emit_uint(w->emit, "matched", count);
	emit_say(w->emit,
		 "would {operation} {matched} waves; nothing was changed");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* Errors that the plan allows for. */
static bool is_allowed(struct step *step, int error)
{
	/* Waves that did not follow in time are counted as not changed. */
	if (error == -ETIMEDOUT)
		return true;

	step->was_held = step->may_be_held && error == -EBUSY;
	return step->was_held ||
	       (step->may_be_gone && (error == -ENODATA || error == -ESTALE));
}

static int fail_step(struct wavectl *w, const struct plan *plan,
		     const struct adbg_wave_control *c, int error)
{
	char name[ADBG_WAVE_NAME_MAX];

	if (c->mode == ADBG_WAVE_MODE_PROCESS)
		return fail(w, ADBG_CALL_WAVE_CONTROL, error,
			    "cannot %s the waves of VMID %u",
			    op_name(plan->op), c->vmid);

	return fail(w, ADBG_CALL_WAVE_CONTROL, error,
		    "cannot %s %s%s of VMID %u", op_name(plan->op),
		    c->mode == ADBG_WAVE_MODE_SINGLE ? "" :
		    "the waves on the WGP of ",
		    adbg_wave_name(&c->at, name), c->vmid);
}

/* Run all steps, or up to the first that fails. */
static int run_plan(struct wavectl *w, struct plan *plan)
{
	plan->matched = 0;
	plan->changed = 0;
	for (unsigned int i = 0; i < plan->num_steps; i++) {
		struct step *step = &plan->steps[i];
		struct adbg_wave_control *c = &step->control;
		int ret;

		c->matched = 0;
		c->changed = 0;
		ret = adbg_wave_control(w->session, c);
		if (ret && !is_allowed(step, ret))
			return fail_step(w, plan, c, ret);
		plan->matched += c->matched;
		plan->changed += c->changed;
	}

	return WAVECTL_OK;
}

/*
 * @state: how it goes on, for JSON; @rest: the same in words, behind "halted" or
 * "resumed"
 */
static int emit_result(struct wavectl *w, const struct plan *plan,
		       const char *state, const char *rest)
{
	char *sentence = NULL;

	xappend(&sentence, "%s %s", op_done(plan->op), rest);
	emit_begin(w->emit);
	emit_str(w->emit, "operation", op_name(plan->op));
	emit_str(w->emit, "state", state);
	emit_uint(w->emit, "matched", plan->matched);
	emit_uint(w->emit, "changed", plan->changed);
	plan_emit(w, plan, w->verbose, true);
	emit_say(w->emit, sentence);
	free(sentence);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static const char plain[] = "{changed} of {matched} waves";

static int finish(struct wavectl *w, const struct plan *plan)
{
	int status;

	if (!plan->matched)
		return fail_with(w, WAVECTL_GONE, "see \"wavectl wave list\"",
				 "no live wave to %s", op_name(plan->op));

	status = emit_result(w, plan, "done", plain);
	return plan->changed < plan->matched ? WAVECTL_FAILED : status;
}

/* The end of a hold: all that was halted is to go on. */
static int resume_held(struct wavectl *w, struct plan *plan)
{
	const char *rest = plain;
	int status;

	plan->op = ADBG_WAVE_OP_RESUME;
	for (unsigned int i = 0; i < plan->num_steps; i++) {
		struct step *step = &plan->steps[i];

		step->control.op = plan->op;
		step->control.flags = 0;
		step->control.pc = 0;
		/* A reset of the GPU may have ended what was halted. */
		step->may_be_gone = true;
		/* Another session may hold waves of the same VMID. */
		step->may_be_held = true;
	}

	status = run_plan(w, plan);
	if (status)
		return status;
	for (unsigned int i = 0; i < plan->num_steps; i++)
		if (plan->steps[i].was_held)
			rest = "all waves but those that another session holds";

	/* Here, so that what is said is true when it is said. */
	adbg_session_close(w->session);
	w->session = NULL;
	status = emit_result(w, plan, "done", rest);
	return plan->changed < plan->matched ? WAVECTL_FAILED : status;
}

/* The waves are halted: keep them so until the end, then let them go. */
static int hold_and_resume(struct wavectl *w, struct plan *plan,
			   struct hold *hold)
{
	int ret, status;

	ret = hold_start(hold, w->hold_ns);
	if (ret)
		return fail(w, ADBG_CALL_ANY, ret, "cannot set the timer");

	/* Nobody need read what is said: the hold is what was asked for. */
	status = emit_result(w, plan, "holding", w->hold_ns ?
		"{changed} of {matched} waves; holding for a while, Ctrl-C resumes" :
		"{changed} of {matched} waves; holding, Ctrl-C resumes");
	ret = hold_wait(hold);
	if (ret)
		return fail(w, ADBG_CALL_ANY, ret, "cannot wait");

	ret = resume_held(w, plan);
	return status ? status : ret;
}

static int halt(struct wavectl *w, struct plan *plan)
{
	struct hold hold;
	int ret, status;

	ret = hold_prepare(&hold);
	if (ret)
		return fail(w, ADBG_CALL_ANY, ret, "cannot catch signals");

	status = run_plan(w, plan);
	if (!status && plan->matched && plan->changed == plan->matched)
		status = hold_and_resume(w, plan, &hold);
	else if (!status)
		status = finish(w, plan);

	hold_end(&hold);
	return status;
}

static int control(struct wavectl *w, enum adbg_wave_op op)
{
	struct adbg_wave_list *list;
	struct plan plan;
	int ret, status;

	ret = adbg_wave_list_new(&list);
	if (ret)
		return fail(w, ADBG_CALL_ANY, ret, "cannot make a list");

	status = plan_make(w, op, &plan, list);
	if (!status && w->dry_run)
		status = dry_run(w, &plan, list);
	else if (!status && op == ADBG_WAVE_OP_HALT && !w->leave_halted)
		status = halt(w, &plan);
	else if (!status)
		status = run_plan(w, &plan) ?: finish(w, &plan);

	plan_free(&plan);
	adbg_wave_list_free(list);
	return status;
}

int cmd_wave_halt(struct wavectl *w)
{
	return control(w, ADBG_WAVE_OP_HALT);
}

int cmd_wave_resume(struct wavectl *w)
{
	return control(w, ADBG_WAVE_OP_RESUME);
}

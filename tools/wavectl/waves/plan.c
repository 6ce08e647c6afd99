// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes plans from options, and runs them: see plan.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "waves/plan.h"

static const struct {
	enum amdgpudbg_waveop op;
	const char *name;
	const char *done;
} ops[] = {
	{ AMDGPUDBG_WAVEOP_HALT, "halt", "halted" },
	{ AMDGPUDBG_WAVEOP_RESUME, "resume", "resumed" },
	{ AMDGPUDBG_WAVEOP_KILL, "kill", "killed" },
	{ AMDGPUDBG_WAVEOP_DEBUG, "debug", "set debug mode for" },
	{ AMDGPUDBG_WAVEOP_TRAP, "trap", "trapped" },
	{ AMDGPUDBG_WAVEOP_STEP, "step", "stepped" },
};

const char *op_name(enum amdgpudbg_waveop op)
{
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		if (ops[i].op == op)
			return ops[i].name;

	return "?";
}

const char *plan_done(const struct plan *plan)
{
	if (plan->options.off)
		return "cleared debug mode for";
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		if (ops[i].op == plan->op)
			return ops[i].done;

	return "?";
}

static const char *mode_name(enum amdgpudbg_wavemode mode)
{
	switch (mode) {
	case AMDGPUDBG_WAVEMODE_SINGLE:
		return "SINGLE";
	case AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS:
		return "BROADCAST_PROCESS";
	case AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU:
		return "BROADCAST_PROCESS_CU";
	case AMDGPUDBG_WAVEMODE_SELECT:
		return "SELECT";
	case AMDGPUDBG_WAVEMODE_ID:
		return "ID";
	}

	return "?";
}

bool plan_select(const struct adbg_wave_spec *spec, struct amdgpudbg_select *select)
{
	const struct {
		struct adbg_range range;
		uint16_t *member;
		uint32_t flag;
	} places[] = {
		{ spec->xcc, &select->at.xcc, AMDGPUDBG_AT_XCC },
		{ spec->se, &select->at.se, AMDGPUDBG_AT_SE },
		{ spec->sa, &select->at.sa, AMDGPUDBG_AT_SA },
		{ spec->wgp, &select->at.wgp, AMDGPUDBG_AT_WGP },
		{ spec->simd, &select->at.simd, AMDGPUDBG_AT_SIMD },
		{ spec->wave, &select->at.wave, AMDGPUDBG_AT_WAVE },
	};
	bool all = true;

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		const struct adbg_range *range = &places[i].range;

		if (range->first == range->last) {
			*places[i].member = range->first;
			select->at_mask |= places[i].flag;
		} else if (range->first || range->last != ADBG_RANGE_MAX) {
			all = false;
		}
	}
	return all;
}

bool plan_wants(const struct wavectl *w, const struct amdgpudbg_wave *wave)
{
	if (w->vmid && wave->vmid != w->vmid)
		return false;

	return !w->waves.is_set || adbg_wave_spec_match(&w->waves.spec, &wave->at);
}

static struct step *add_step(struct plan *plan,
			     enum amdgpudbg_wavemode mode, uint32_t vmid,
			     const struct amdgpudbg_wave_coord *at)
{
	struct step *step;

	plan->steps = xreallocarray(plan->steps, plan->num_steps + 1,
				    sizeof(*plan->steps));
	step = &plan->steps[plan->num_steps++];
	*step = (struct step){
		.control = {
			.op = plan->op,
			.mode = mode,
			.vmid = vmid,
		},
	};
	if (at)
		step->control.at = *at;
	if (plan->options.leave_halted)
		step->control.flags |= AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED;
	if (plan->options.force)
		step->control.flags |= AMDGPUDBG_WAVE_CONTROL_FORCE;
	if (plan->options.off)
		step->control.flags |= AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF;
	if (plan->op == AMDGPUDBG_WAVEOP_TRAP)
		step->control.trap_id = plan->options.trap_id;

	return step;
}

/* Add one step for all selected waves, in all VMIDs. False: one step cannot select them. */
static bool add_select(const struct wavectl *w, struct plan *plan)
{
	struct amdgpudbg_select select = {
		.vmid_mask = w->vmid ? 1U << w->vmid : 0,
	};

	if (w->waves.is_set && !plan_select(&w->waves.spec, &select))
		return false;
	add_step(plan, AMDGPUDBG_WAVEMODE_SELECT, 0, NULL)->control.select =
		select;
	return true;
}

/* Add a broadcast. VMID 0: all VMIDs of the process */
static void add_broadcast(const struct wavectl *w, struct plan *plan,
			  enum amdgpudbg_wavemode mode,
			  const struct amdgpudbg_wave_coord *at)
{
	add_step(plan, mode, w->vmid, at)->may_be_gone = !w->vmid;
}

static bool any_wanted(const struct wavectl *w, const struct adbg_wave_list *list)
{
	const struct amdgpudbg_wave *wave;

	for (size_t i = 0; (wave = adbg_wave_list_get(list, i)); i++)
		if (plan_wants(w, wave))
			return true;
	return false;
}

int plan_no_wave(struct wavectl *w)
{
	const char *hint = "see \"wavectl wave list\"";

	if (w->waves.is_set)
		return fail_with(w, WAVECTL_GONE, hint,
				 "no live wave at '%s'", w->waves.text);
	if (w->vmid)
		return fail_with(w, WAVECTL_GONE, hint,
				 "no live wave in VMID %u", w->vmid);
	if (w->pid)
		return fail_with(w, WAVECTL_GONE, hint,
				 "process %d has no live wave", w->pid);

	return fail_with(w, WAVECTL_GONE, hint, "no live wave");
}

static int add_single(struct wavectl *w, struct plan *plan,
		      const struct adbg_wave_list *list,
		      const struct amdgpudbg_wave_coord *at)
{
	const struct amdgpudbg_wave *wave;
	uint32_t vmid = w->vmid;
	struct step *step;

	for (size_t i = 0; !vmid && (wave = adbg_wave_list_get(list, i)); i++)
		if (plan_wants(w, wave))
			vmid = wave->vmid;
	/* The module checks that the wave belongs to the process. */
	if (!vmid && (!w->pid || w->dry_run))
		return plan_no_wave(w);

	step = add_step(plan, AMDGPUDBG_WAVEMODE_SINGLE, vmid, at);
	if (w->pc.is_set) {
		step->control.flags |= AMDGPUDBG_WAVE_CONTROL_EXPECT_PC;
		step->control.pc = w->pc.value;
	}

	return WAVECTL_OK;
}

/* Add a step for each live wave that matches the pattern. */
static void add_each(struct wavectl *w, struct plan *plan,
		     const struct adbg_wave_list *list)
{
	const struct amdgpudbg_wave *wave;

	for (size_t i = 0; (wave = adbg_wave_list_get(list, i)); i++)
		if (plan_wants(w, wave))
			add_step(plan, AMDGPUDBG_WAVEMODE_SINGLE, wave->vmid,
				 &wave->at)->may_be_gone = true;
}

/* Check the options and arguments that select waves. */
static int check_options(struct wavectl *w)
{
	const char *hint = "see wavectl --help";

	if (!w->pid && !w->vmid && !w->waves.is_set && !w->all)
		return fail_with(w, WAVECTL_USAGE, hint,
				 "no waves selected: use WAVES, --pid, --vmid or --all");
	if (w->all && (w->vmid || w->waves.is_set))
		return fail_with(w, WAVECTL_USAGE, hint,
				 "--all cannot be used with --vmid or WAVES");
	if (w->pc.is_set && (!w->waves.is_set || adbg_wave_spec_mode(&w->waves.spec, NULL) !=
						  AMDGPUDBG_WAVEMODE_SINGLE))
		return fail_with(w, WAVECTL_USAGE, hint,
				 "--pc needs the full name of one wave");

	return WAVECTL_OK;
}

int plan_open(struct wavectl *w)
{
	int status = check_options(w);

	return status ? status : open_target(w);
}

/* Can one call select the waves without a list of live waves? */
static bool is_one_call(const struct wavectl *w, int mode)
{
	struct amdgpudbg_select select = { 0 };

	if (!w->waves.is_set)
		return true;
	if (mode == AMDGPUDBG_WAVEMODE_SINGLE)
		return w->vmid || w->pid;
	return plan_select(&w->waves.spec, &select);
}

int plan_make(struct wavectl *w, enum amdgpudbg_waveop op,
	      const struct plan_options *options, struct plan *plan,
	      struct adbg_wave_list *list)
{
	struct amdgpudbg_wave_coord at;
	int status, mode = -ENOENT;

	*plan = (struct plan){ .op = op, .options = *options };
	status = plan_open(w);
	if (status)
		return status;

	if (w->waves.is_set)
		mode = adbg_wave_spec_mode(&w->waves.spec, &at);
	if (w->dry_run || !is_one_call(w, mode)) {
		int ret = adbg_wave_list_read(list, w->session,
					      w->vmid ? 1U << w->vmid : 0);
		if (ret)
			return fail(w, ret, "cannot list the waves");
	}

	if (mode == AMDGPUDBG_WAVEMODE_SINGLE)
		return add_single(w, plan, list, &at);
	if (w->dry_run && !any_wanted(w, list))
		return plan_no_wave(w);
	if (!w->waves.is_set && (w->vmid || w->pid))
		add_broadcast(w, plan, AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
			      NULL);
	else if (mode == AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU &&
		 (w->vmid || w->pid))
		add_broadcast(w, plan, mode, &at);
	else if (!add_select(w, plan))
		add_each(w, plan, list);

	return plan->num_steps ? WAVECTL_OK : plan_no_wave(w);
}

void plan_free(struct plan *plan)
{
	free(plan->steps);
	plan->steps = NULL;
	plan->num_steps = 0;
}

static void emit_step_place(const struct wavectl *w,
			    const struct amdgpudbg_wave_control *c)
{
	struct emit *e = w->emit;
	char name[64];

	switch (c->mode) {
	case AMDGPUDBG_WAVEMODE_SINGLE:
		emit_str(e, "where", adbg_wave_name(&c->at, name));
		break;
	case AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU:
		adbg_wave_name(&c->at, name);
		/* As the name of a wave, up to its WGP. */
		*strstr(name, ".simd") = '\0';
		emit_str(e, "where", name);
		break;
	case AMDGPUDBG_WAVEMODE_SELECT:
		if (w->waves.is_set) {
			emit_str(e, "where", w->waves.text);
			break;
		}
		/* fallthrough */
	default:
		emit_none(e, "where");
	}
}

void plan_emit(struct wavectl *w, const struct plan *plan, bool shown,
	       bool done)
{
	struct emit *e = w->emit;

	emit_table(e, "steps", shown);
	for (unsigned int i = 0; i < plan->num_steps; i++) {
		const struct amdgpudbg_wave_control *c =
			&plan->steps[i].control;

		emit_row(e);
		emit_str(e, "operation", op_name(plan->op));
		emit_str(e, "mode", mode_name(c->mode));
		if (c->vmid)
			emit_uint(e, "vmid", c->vmid);
		else if (w->vmid)
			emit_uint(e, "vmid", w->vmid);
		else
			emit_none(e, "vmid");
		emit_step_place(w, c);
		if (c->flags & AMDGPUDBG_WAVE_CONTROL_EXPECT_PC)
			emit_hex64(e, "expected_pc", c->pc);
		else
			emit_none(e, "expected_pc");
		emit_bool(e, "leave_halted",
			  c->flags & AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED);
		if (!done)
			continue;
		emit_uint(e, "matched", c->matched);
		emit_uint(e, "changed", c->changed);
	}
	emit_table_end(e);
}

/* ----------------------------------------------------------------- running */

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

	if (c->mode == AMDGPUDBG_WAVEMODE_SELECT && w->waves.is_set)
		xappend(&text, "'%s'", w->waves.text);
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

/* In a shell, a frame that was selected before is no longer. */
static void note_moves(struct wavectl *w)
{
	if (w->shell)
		w->shell->moves++;
}

static int run_one(struct wavectl *w, struct plan *plan)
{
	struct step *step = plan->steps;

	note_moves(w);
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
		note_moves(w);
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

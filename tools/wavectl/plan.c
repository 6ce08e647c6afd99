// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From options to kernel calls: see plan.h.
 */
#include <stdlib.h>
#include <string.h>

#include "plan.h"
#include "util.h"

static const struct {
	enum amdgpudbg_waveop op;
	const char *name;
	const char *done;
} ops[] = {
	{ AMDGPUDBG_WAVEOP_HALT, "halt", "halted" },
	{ AMDGPUDBG_WAVEOP_RESUME, "resume", "resumed" },
	{ AMDGPUDBG_WAVEOP_KILL, "kill", "killed" },
	{ AMDGPUDBG_WAVEOP_DEBUG, "debug", "in debug mode:" },
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
	if (plan->off)
		return "out of debug mode:";
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
	}

	return "?";
}

bool plan_wants(const struct wavectl *w, const struct amdgpudbg_wave *wave)
{
	if (w->vmid && wave->vmid != w->vmid)
		return false;

	return !w->has_spec || adbg_wave_spec_match(&w->spec, &wave->at);
}

static struct step *add_step(const struct wavectl *w, struct plan *plan,
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
	if (w->leave_halted)
		step->control.flags |= AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED;
	if (plan->off)
		step->control.flags |= AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF;
	if (plan->op == AMDGPUDBG_WAVEOP_TRAP)
		step->control.trap_id = w->trap_id;

	return step;
}

/* The VMIDs of the wanted waves, one bit each. */
static uint32_t wanted_vmids(const struct wavectl *w,
			     const struct adbg_wave_list *list)
{
	const struct amdgpudbg_wave *wave;
	uint32_t mask = 0;

	for (size_t i = 0; (wave = adbg_wave_list_get(list, i)); i++)
		if (plan_wants(w, wave))
			mask |= 1U << (wave->vmid & 31);

	return mask;
}

/* One step of @mode for each VMID of @mask. */
static void add_vmids(const struct wavectl *w, struct plan *plan,
		      enum amdgpudbg_wavemode mode, uint32_t mask,
		      const struct amdgpudbg_wave_coord *at)
{
	for (uint32_t vmid = 0; vmid < 32; vmid++)
		if (mask >> vmid & 1)
			add_step(w, plan, mode, vmid, at)->may_be_gone =
				!w->vmid;
}

int plan_no_wave(struct wavectl *w)
{
	const char *hint = "see \"wavectl wave list\"";

	if (w->has_spec)
		return fail_with(w, WAVECTL_GONE, hint,
				 "no live wave at '%s'", w->spec_text);
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
	/* That it is the process's is seen to by the module. */
	if (!vmid && (!w->pid || w->dry_run))
		return plan_no_wave(w);

	step = add_step(w, plan, AMDGPUDBG_WAVEMODE_SINGLE, vmid, at);
	if (w->has_pc) {
		step->control.flags |= AMDGPUDBG_WAVE_CONTROL_EXPECT_PC;
		step->control.pc = w->pc;
	}

	return WAVECTL_OK;
}

/* A pattern: each wave that it fits now. */
static void add_each(struct wavectl *w, struct plan *plan,
		     const struct adbg_wave_list *list)
{
	const struct amdgpudbg_wave *wave;

	for (size_t i = 0; (wave = adbg_wave_list_get(list, i)); i++)
		if (plan_wants(w, wave))
			add_step(w, plan, AMDGPUDBG_WAVEMODE_SINGLE, wave->vmid,
				 &wave->at)->may_be_gone = true;
}

/* What the options say about waves, and which words. */
static int check_options(struct wavectl *w)
{
	const char *hint = "see wavectl --help";

	if (!w->pid && !w->vmid && !w->has_spec && !w->all)
		return fail_with(w, WAVECTL_USAGE, hint,
				 "say which waves: WAVES, --pid, --vmid or --all");
	if (w->all && (w->vmid || w->has_spec))
		return fail_with(w, WAVECTL_USAGE, hint,
				 "--all goes without --vmid and WAVES");
	if (w->has_pc && (!w->has_spec || adbg_wave_spec_mode(&w->spec, NULL) !=
						  AMDGPUDBG_WAVEMODE_SINGLE))
		return fail_with(w, WAVECTL_USAGE, hint,
				 "--pc needs one whole wave name");
	if (w->leave_halted && w->hold_ns)
		return fail_with(w, WAVECTL_USAGE, hint,
				 "--leave-halted and --for exclude each other");

	return WAVECTL_OK;
}

int plan_open(struct wavectl *w)
{
	int status = check_options(w);

	return status ? status : open_target(w);
}

int plan_make(struct wavectl *w, enum amdgpudbg_waveop op, struct plan *plan,
	      struct adbg_wave_list *list)
{
	/* A process's VMIDs need not be known. */
	bool look = w->dry_run || (!w->vmid && !w->pid);
	struct amdgpudbg_wave_coord at;
	int status, mode = -ENOENT;
	uint32_t vmids;

	*plan = (struct plan){ .op = op, .off = w->off };
	status = plan_open(w);
	if (status)
		return status;

	if (w->has_spec)
		mode = adbg_wave_spec_mode(&w->spec, &at);
	if (w->has_spec && mode != AMDGPUDBG_WAVEMODE_SINGLE &&
	    mode != AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU)
		look = true;
	if (look) {
		int ret = adbg_wave_list_read(list, w->session,
					      w->vmid ? 1U << w->vmid : 0);
		if (ret)
			return fail(w, ret, "cannot list the waves");
	}

	vmids = w->vmid ? 1U << w->vmid : wanted_vmids(w, list);
	if (w->pid && !w->vmid && (!w->dry_run || vmids))
		vmids = 1;	/* VMID 0: all of the process's */
	if (!w->has_spec)
		add_vmids(w, plan, AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS, vmids,
			  NULL);
	else if (mode == AMDGPUDBG_WAVEMODE_SINGLE)
		return add_single(w, plan, list, &at);
	else if (mode == AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU)
		add_vmids(w, plan, mode, vmids, &at);
	else
		add_each(w, plan, list);

	return plan->num_steps ? WAVECTL_OK : plan_no_wave(w);
}

void plan_free(struct plan *plan)
{
	free(plan->steps);
	plan->steps = NULL;
	plan->num_steps = 0;
}

static void emit_step_place(struct emit *e,
			    const struct amdgpudbg_wave_control *c)
{
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
		else
			emit_none(e, "vmid");
		emit_step_place(e, c);
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

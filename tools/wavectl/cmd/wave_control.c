// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl wave halt, resume, kill, debug and trap.
 *
 * When a session closes, the waves that it halted are resumed and those in debug mode leave it.
 * So halt and debug wait until they are to end, and leave nothing behind however they end,
 * except with --leave-halted.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/debug.h"
#include "debug/insn.h"
#include "waves/action.h"
#include "waves/hold.h"
#include "waves/plan.h"
#include "waves/temp_halt.h"

/* Does the plan change @wave? A running wave cannot be resumed. */
static bool is_changed(const struct plan *plan, const struct amdgpudbg_wave *wave)
{
	return plan->op != AMDGPUDBG_WAVEOP_RESUME ||
	       wave->flags & AMDGPUDBG_WAVE_HALTED;
}

struct operation {
	struct plan *plan;
	const struct adbg_wave_list *list;	/* of the live waves, if plan_make() read it */
};

static void emit_operation(struct wavectl *w, const void *data)
{
	const struct operation *o = data;
	const struct amdgpudbg_wave *wave;
	struct wave_insns insns = { 0 };
	size_t count = 0;

	plan_emit(w, o->plan, true, false);

	emit_table(w->emit, "waves", true);
	for (size_t i = 0; (wave = adbg_wave_list_get(o->list, i)); i++) {
		if (!plan_wants(w, wave) || !is_changed(o->plan, wave))
			continue;
		insn_emit_wave(w, &insns, wave);
		count++;
	}
	emit_table_end(w->emit);
	wave_insns_close(&insns);

	emit_str(w->emit, "operation", op_name(o->plan->op));
	emit_uint(w->emit, "matched", count);
}

/* @state: "holding" or "done", for JSON; @rest: the sentence after the participle */
static int emit_result(struct wavectl *w, const struct plan *plan,
		       const char *state, const char *rest)
{
	char *sentence = NULL;

	xappend(&sentence, "%s %s", plan_done(plan), rest);
	if (!strcmp(state, "holding"))
		emit_begin_live(w->emit);
	else
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

/*
 * The times are those of amdgpu.lockup_timeout if it is not given:
 * amdgpu_device_get_job_timeout_settings() of Linux 6.1, 6.12 and 7.2
 */
static const char left_halted[] =
	"jobs of waves that stay halted time out: unless you resume them in time "
	"(graphics 10 s, compute 60 s; 2 s on Linux 7.2), the driver regards them as hung "
	"and resets the GPU";

static int finish(struct wavectl *w, const struct plan *plan)
{
	char *rest = NULL;
	int status;

	if (!plan->matched)
		return fail_with(w, WAVECTL_GONE, "see \"wavectl wave list\"",
				 "no %s wave to %s",
				 plan->op == AMDGPUDBG_WAVEOP_RESUME ?
				 "halted" : "live", op_name(plan->op));

	xappend(&rest, "%s", plain);
	if (plan->op == AMDGPUDBG_WAVEOP_HALT && plan->changed)
		hold_say_left(w, &rest);
	status = emit_result(w, plan, "done", rest);
	free(rest);
	if (plan->options.leave_halted && plan->changed)
		warn(left_halted);
	return plan->changed < plan->matched ? WAVECTL_FAILED : status;
}

/* In a shell, the waves that a hold halted: those that @before does not list as halted */
struct held {
	const struct wavectl *w;
	const struct adbg_wave_list *before;
};

static const struct amdgpudbg_wave *find(const struct adbg_wave_list *list,
					 const struct amdgpudbg_wave *wanted)
{
	const struct amdgpudbg_wave *wave;

	for (size_t i = 0; (wave = adbg_wave_list_get(list, i)); i++)
		if (temp_halt_is(wave, wanted->vmid, &wanted->at))
			return wave;
	return NULL;
}

static bool was_halted(void *arg, const struct amdgpudbg_wave *wave)
{
	const struct held *held = arg;
	const struct amdgpudbg_wave *before = find(held->before, wave);

	if (!plan_wants(held->w, wave))
		return false;
	if (before)
		return !(before->flags & AMDGPUDBG_WAVE_HALTED);
	return held->w->shell->launch.mode != AMDGPUDBG_LAUNCH_HALT;
}

/* End a hold in a shell: waves that were halted before stay halted. */
static int resume_held(struct wavectl *w, struct plan *plan,
		       const struct adbg_wave_list *before)
{
	struct held held = { .w = w, .before = before };
	struct temp_halt which = { .is_ours = was_halted, .arg = &held };
	int status = temp_halt_end(w, &which);

	if (status)
		return status;
	plan->op = AMDGPUDBG_WAVEOP_RESUME;
	plan_free(plan);
	plan->matched = which.matched;
	plan->changed = which.changed;
	status = emit_result(w, plan, "done", plain);
	return plan->changed < plan->matched ? WAVECTL_FAILED : status;
}

/* End a hold: undo all that was done. */
static int undo_held(struct wavectl *w, struct plan *plan)
{
	const char *rest = plain;
	int status;

	if (plan->op == AMDGPUDBG_WAVEOP_DEBUG)
		plan->options.off = true;
	else
		plan->op = AMDGPUDBG_WAVEOP_RESUME;
	for (unsigned int i = 0; i < plan->num_steps; i++) {
		struct step *step = &plan->steps[i];

		step->control.op = plan->op;
		step->control.flags =
			plan->options.off ? AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF : 0;
		step->control.pc = 0;
		/* A reset of the GPU may have ended the waves. */
		step->may_be_gone = true;
		/* Another session may hold waves of the same VMID. */
		step->may_be_held = true;
	}

	status = plan_run(w, plan);
	if (status)
		return status;
	for (unsigned int i = 0; i < plan->num_steps; i++)
		if (plan->steps[i].was_held)
			rest = "all waves except those that another session halted";

	/* Close before the message, so that it is true when it is printed. */
	close_target(w);
	status = emit_result(w, plan, "done", rest);
	return plan->changed < plan->matched ? WAVECTL_FAILED : status;
}

/* Keep the waves halted until the end, then undo it. */
static int hold_and_undo(struct wavectl *w, struct plan *plan,
			 struct hold *hold, const struct adbg_wave_list *before)
{
	const char *end = plan->op == AMDGPUDBG_WAVEOP_HALT ? "resumes" :
							      "ends debug mode";
	bool partial = plan->changed < plan->matched;
	char *rest = NULL;
	const char *why;
	int ret, status;

	ret = hold_start(hold, w->hold_ns);
	if (ret)
		return fail_system(w, ret, "cannot set a timer");

	xappend(&rest, "%s; holding%s, Ctrl-C %s", plain,
		w->hold_ns ? " for the time of --for" : "", end);
	if (plan->op == AMDGPUDBG_WAVEOP_HALT)
		hold_say_left(w, &rest);
	/* The hold continues even if the output cannot be written. */
	status = emit_result(w, plan, "holding", rest);
	free(rest);
	ret = hold_wait(w, hold, &why);
	if (ret)
		return fail_system(w, ret, "cannot wait");
	if (why) {
		/* Close before the message, so that it is true when it is printed. */
		close_target(w);
		return hold_fail(w, why);
	}

	ret = before ? resume_held(w, plan, before) : undo_held(w, plan);
	if (!status && !ret && partial)
		status = WAVECTL_FAILED;
	return status ? status : ret;
}

/*
 * In a shell, list the waves first, since those that are halted must stay so. Else *before is
 * NULL.
 */
static int look_before(struct wavectl *w, const struct plan *plan,
		       struct adbg_wave_list **before)
{
	int ret;

	*before = NULL;
	if (!w->shell || plan->op != AMDGPUDBG_WAVEOP_HALT)
		return WAVECTL_OK;
	ret = adbg_wave_list_new(before);
	if (ret)
		return fail_system(w, ret, "cannot allocate a list");
	ret = adbg_wave_list_read(*before, w->session,
				  w->vmid ? 1U << w->vmid : 0);
	return ret ? fail(w, ret, "cannot list the waves") : WAVECTL_OK;
}

static int do_and_hold(struct wavectl *w, struct plan *plan)
{
	struct adbg_wave_list *before = NULL;
	struct hold hold;
	int ret, status;

	ret = hold_prepare(&hold);
	if (ret)
		return fail_system(w, ret, "cannot catch signals");

	status = hold_listen(w, &hold);
	if (!status)
		status = look_before(w, plan, &before);
	if (!status)
		status = plan_run(w, plan);
	if (!status && plan->changed)
		status = hold_and_undo(w, plan, &hold, before);
	else if (!status)
		status = finish(w, plan);

	adbg_wave_list_free(before);
	hold_end(&hold);
	return status;
}

/* Does the effect end with the session? */
static bool needs_hold(const struct wavectl *w, const struct plan *plan)
{
	switch (plan->op) {
	case AMDGPUDBG_WAVEOP_HALT:
		return !plan->options.leave_halted && !hold_stays(w);
	case AMDGPUDBG_WAVEOP_DEBUG:
		return !plan->options.off && !hold_stays(w);
	default:
		return false;
	}
}

static int operate(struct wavectl *w, void *data)
{
	const struct operation *o = data;

	if (needs_hold(w, o->plan))
		return do_and_hold(w, o->plan);
	return plan_run(w, o->plan) ?: finish(w, o->plan);
}

static int control(struct wavectl *w, enum amdgpudbg_waveop op)
{
	struct plan plan;
	struct operation o = { .plan = &plan };
	struct adbg_wave_list *list;
	int ret, status;

	ret = adbg_wave_list_new(&list);
	if (ret)
		return fail_system(w, ret, "cannot allocate a list");

	status = plan_make(w, op, w->args, &plan, list);
	o.list = list;
	if (!status)
		status = action_run(w, &(struct action){
			.what = "{operation} {matched} waves",
			.describe = emit_operation, .run = operate, .data = &o,
		});

	plan_free(&plan);
	adbg_wave_list_free(list);
	return status;
}

static bool has_debugger(const struct wavectl *w)
{
	return w->shell && w->shell->debugger;
}

static bool is_wanted(void *data, const struct amdgpudbg_wave *wave)
{
	return plan_wants(data, wave);
}

static int cmd_wave_halt(struct wavectl *w)
{
	const struct plan_options *args = w->args;
	int status;

	if (args->leave_halted && w->hold_ns)
		return fail_with(w, WAVECTL_USAGE, "see wavectl --help",
				 "--leave-halted and --for cannot be used together");
	if (w->dry_run || !has_debugger(w))
		return control(w, AMDGPUDBG_WAVEOP_HALT);
	debug_begin_halt(w->shell->debugger);
	status = control(w, AMDGPUDBG_WAVEOP_HALT);
	debug_end_halt(w->shell->debugger);
	if (!status && !w->hold_ns)
		debug_keep_halted(w->shell->debugger, is_wanted, w);
	return status;
}

static int cmd_wave_resume(struct wavectl *w)
{
	/* A wave with a pending stop would pass its breakpoint. */
	if (has_debugger(w))
		return fail_with(w, WAVECTL_USAGE, "continue",
				 "\"wave resume\" does not handle breakpoints");
	return control(w, AMDGPUDBG_WAVEOP_RESUME);
}

/* Read a line that a user types. Returns its first character; 0: a signal, or no more input */
static char first_typed(struct hold *hold)
{
	char first = 0, c = 0;

	while (c != '\n') {
		if (hold_wait_for(hold, STDIN_FILENO) != 1 || read(STDIN_FILENO, &c, 1) != 1)
			return 0;
		first = first ? first : c;
	}
	return first;
}

/* Ask before a command ends all waves of the process, as gdb does before it kills a program. */
static int confirm_kill(struct wavectl *w)
{
	struct hold hold;
	int ret = hold_prepare(&hold);
	char first;

	if (ret)
		return fail_system(w, ret, "cannot wait");
	printf("End all waves of process %d? (y or n) ", w->shell->pid);
	fflush(stdout);
	first = first_typed(&hold);
	hold_end(&hold);
	return first == 'y' || first == 'Y' ? WAVECTL_OK :
	       fail_with(w, WAVECTL_FAILED, NULL, "not confirmed: no wave was killed");
}

static int cmd_wave_kill(struct wavectl *w)
{
	bool is_all = w->shell && w->shell->pid && !w->waves.is_set && !w->vmid && !w->pc.is_set;
	int status = WAVECTL_OK;

	if (is_all && w->shell->is_typed && !w->dry_run && !w->json)
		status = confirm_kill(w);
	return status ? status : control(w, AMDGPUDBG_WAVEOP_KILL);
}

static int cmd_wave_debug(struct wavectl *w)
{
	const struct plan_options *args = w->args;

	if (args->off && w->hold_ns)
		return fail_with(w, WAVECTL_USAGE, "see wavectl --help",
				 "--off and --for cannot be used together");

	return control(w, AMDGPUDBG_WAVEOP_DEBUG);
}

static int cmd_wave_trap(struct wavectl *w)
{
	return control(w, AMDGPUDBG_WAVEOP_TRAP);
}

/* Parse a trap ID, which has 4 bits in SQ_CMD of the newest generations. */
static bool parse_trap_id(const char *arg, void *member)
{
	uint64_t id;

	if (!parse_u64(arg, 15, &id))
		return false;
	*(uint32_t *)member = id;
	return true;
}

static const struct option_desc opt_leave_halted = {
	"leave-halted", 0, NULL, "exit immediately and leave the waves halted",
	option_flag, OPTION_OF(struct plan_options, leave_halted),
};

static const struct option_desc opt_force = {
	"force", 0, NULL, "also if this freezes a display of the GPU",
	option_flag, OPTION_OF(struct plan_options, force),
};

static const struct option_desc opt_off = {
	"off", 0, NULL, "end the debug mode of the waves",
	option_flag, OPTION_OF(struct plan_options, off),
};

static const struct option_desc opt_trap_id = {
	"trap-id", 0, "ID", "trap ID that the handler finds in TTMP1 (default: 0)",
	parse_trap_id, OPTION_OF(struct plan_options, trap_id),
};

static const struct option_desc *const halt_options[] = {
	TARGET_OPTIONS, &opt_vmid, &opt_all, &opt_pc,
	&opt_leave_halted, &opt_force, &opt_for, NULL,
};

static const struct option_desc *const resume_options[] = {
	TARGET_OPTIONS, &opt_vmid, &opt_all, &opt_pc, NULL,
};

static const struct option_desc *const trap_options[] = {
	TARGET_OPTIONS, &opt_vmid, &opt_all, &opt_pc, &opt_trap_id,
	NULL,
};

static const struct option_desc *const debug_options[] = {
	TARGET_OPTIONS, &opt_vmid, &opt_all, &opt_pc, &opt_off,
	&opt_for, NULL,
};

const struct command wave_control_commands[] = {
	{
		.noun = "wave",
		.verb = "halt",
		.aliases = { "halt" },
		.args = "[WAVES]",
		.takes_waves = true,
		.summary = "halt waves, and keep them halted until Ctrl-C",
		.help = "--pid alone halts all waves of the process, --vmid alone all waves of the VMID, and\n"
			"--all those of every VMID that has live waves. WAVES is one wave, one WGP or a\n"
			"pattern of waves, such as se0.sa0.wgp3.simd1.wave5, 0.0.3.1.5, se0.sa0.wgp3,\n"
			"*.*.0-2. Without --pid, this command needs root. Waves that start later are not\n"
			"halted. The waves resume when wavectl exits, even if it is killed, unless\n"
			"--leave-halted is given.",
		.options = halt_options,
		.args_size = sizeof(struct plan_options),
		.run = cmd_wave_halt,
	},
	{
		.noun = "wave",
		.verb = "resume",
		.aliases = { "resume" },
		.args = "[WAVES]",
		.takes_waves = true,
		.summary = "resume waves that were left halted",
		.help = "Resumes the waves that \"wave halt --leave-halted\" left halted. Waves that another\n"
			"session has halted stay halted.",
		.options = resume_options,
		.args_size = sizeof(struct plan_options),
		.run = cmd_wave_resume,
	},
	{
		.noun = "wave",
		.verb = "kill",
		.aliases = { "kill" },
		.args = "[WAVES]",
		.takes_waves = true,
		.summary = "terminate waves immediately",
		.help = "Their results are missing, and the program is not notified. Waves that start later\n"
			"are not affected. In a shell, the command asks before it ends all waves of the\n"
			"process.",
		.options = resume_options,
		.args_size = sizeof(struct plan_options),
		.run = cmd_wave_kill,
	},
	{
		.noun = "wave",
		.verb = "trap",
		.args = "[WAVES]",
		.takes_waves = true,
		.summary = "make waves enter their trap handler",
		.help = "Waves without a trap handler do not change.",
		.options = trap_options,
		.args_size = sizeof(struct plan_options),
		.run = cmd_wave_trap,
	},
	{
		.noun = "wave",
		.verb = "debug",
		.args = "[WAVES]",
		.takes_waves = true,
		.summary = "make waves trap after each instruction, until Ctrl-C",
		.help = "Waves without a trap handler do not change.",
		.options = debug_options,
		.args_size = sizeof(struct plan_options),
		.run = cmd_wave_debug,
	},
	{ .noun = NULL },
};

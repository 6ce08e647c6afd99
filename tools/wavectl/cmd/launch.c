// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl launch set: how new waves of a process start. The setting belongs to the session, so
 * the command waits until it is to end.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/names.h"
#include "base/options.h"
#include "base/util.h"
#include "base/wavectl.h"
#include "cmd/commands.h"
#include "debug/debug.h"
#include "waves/action.h"
#include "waves/hold.h"

struct launch_args {
	uint32_t mode;
	uint64_t exceptions;		/* 0: not given */
	bool replace;
	bool stall;
	bool force;
	bool off;
};

static void emit_launch(struct wavectl *w, const void *data)
{
	const struct amdgpudbg_launch_set *launch = data;
	const char *names[NUM_CAUSES];
	unsigned int n = cause_names(launch->excp_mask, names);

	emit_str(w->emit, "mode", launch_mode_name(launch->mode));
	emit_names(w->emit, "exceptions", names, n);
	emit_bool(w->emit, "replace", launch->flags & AMDGPUDBG_LAUNCH_SET_REPLACE);
	emit_bool(w->emit, "stalled",
		  launch->flags & AMDGPUDBG_LAUNCH_SET_STALL);
}

/* What @launch means, after "new waves of VMID 1" */
static const char *describe(const struct amdgpudbg_launch_set *launch)
{
	if (launch->flags & AMDGPUDBG_LAUNCH_SET_STALL)
		return "do not start";
	switch (launch->mode) {
	case AMDGPUDBG_LAUNCH_HALT:
		return "start halted";
	case AMDGPUDBG_LAUNCH_DEBUG:
		return "start in debug mode";
	default:
		return launch->flags & AMDGPUDBG_LAUNCH_SET_REPLACE ?
		       "start with only these exceptions enabled" :
		       "start with more exceptions enabled";
	}
}

static int say(struct wavectl *w, void *arg)
{
	const struct amdgpudbg_launch_set *launch = arg;
	char *sentence = NULL;

	hold_begin(w);
	emit_str(w->emit, "state", "holding");
	emit_launch(w, launch);
	emit_uint(w->emit, "vmid", launch->vmid);
	xappend(&sentence, "new waves of VMID {vmid} %s%s", describe(launch), hold_end_text(w));
	if (launch->mode == AMDGPUDBG_LAUNCH_HALT ||
	    launch->flags & AMDGPUDBG_LAUNCH_SET_STALL)
		hold_say_left(w, &sentence);
	emit_say(w->emit, sentence);
	free(sentence);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int set_launch(struct wavectl *w, void *arg)
{
	int ret;

	debug_launch_normally(w);
	ret = adbg_launch_set(w->session, arg);
	if (ret)
		return fail(w, ret, "cannot set the launch mode");
	if (hold_stays(w))
		w->shell->launch = *(struct amdgpudbg_launch_set *)arg;
	return WAVECTL_OK;
}

static int end_launch(struct wavectl *w, void *arg)
{
	struct amdgpudbg_launch_set normal = { 0 };
	int ret = 0;

	(void)arg;
	close_target(w);
	debug_launch_normally(w);
	if (w->shell && !debug_has_launch(w))
		ret = adbg_launch_set(w->session, &normal);
	if (ret && ret != -ENOTCONN)
		return fail(w, ret, "cannot set the launch mode");
	if (w->shell)
		w->shell->launch = normal;
	emit_begin(w->emit);
	emit_str(w->emit, "state", "done");
	emit_say(w->emit, "new waves start normally");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int hold_launch(struct wavectl *w, void *data)
{
	static const struct hold_ops kept = {
		.set = set_launch, .say = say, .end = end_launch,
	};

	return hold_keep(w, &kept, data);
}

static int run_launch(struct wavectl *w, struct amdgpudbg_launch_set *launch)
{
	bool stalls = launch->flags & AMDGPUDBG_LAUNCH_SET_STALL;
	char *what = NULL;
	int status;

	xappend(&what, "%s%s", stalls ? "keep new waves from starting" : "make new waves ",
		stalls ? "" : describe(launch));
	status = action_run(w, &(struct action){
		.what = what, .describe = emit_launch, .run = hold_launch, .data = launch,
	});
	free(what);
	return status;
}

static int cmd_launch_set(struct wavectl *w)
{
	const struct launch_args *args = w->args;
	struct amdgpudbg_launch_set launch = {
		.mode = args->mode,
		.excp_mask = args->exceptions,
		.flags = (args->exceptions ? AMDGPUDBG_LAUNCH_SET_EXCP : 0) |
			 (args->replace ? AMDGPUDBG_LAUNCH_SET_REPLACE : 0) |
			 (args->stall ? AMDGPUDBG_LAUNCH_SET_STALL : 0) |
			 (args->force ? AMDGPUDBG_LAUNCH_SET_FORCE : 0),
	};
	int status;

	if (!w->pid)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--pid is missing: this command is about the waves of one process");
	if (args->off && !w->shell)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--off is only for settings made in the same shell or batch");
	if (args->off) {
		status = open_target(w);
		return status ? status : end_launch(w, NULL);
	}
	if (args->replace && !args->exceptions)
		return fail_with(w, WAVECTL_USAGE, NULL, "--replace needs --exceptions");
	if (!launch.mode && !launch.flags)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "nothing to set: use --mode halt, --mode debug, --exceptions or --stall");

	status = open_target(w);
	if (!status)
		status = debug_refuse_launch(w);
	if (status)
		return status;
	return run_launch(w, &launch);
}

static bool parse_mode(const char *arg, void *member)
{
	return launch_mode_parse(arg, member);
}

static const struct option_desc opt_launch_mode = {
	"mode", 'm', "MODE", "start new waves in this mode: normal, halt or debug",
	parse_mode, OPTION_OF(struct launch_args, mode),
};

static const struct option_desc opt_exceptions = {
	"exceptions", 'x', "LIST", "exceptions to enable in new waves, such as addr-watch,float-div0",
	option_causes, OPTION_OF(struct launch_args, exceptions),
};

static const struct option_desc opt_replace = {
	"replace", 0, NULL, "with --exceptions: disable the exceptions that programs enable",
	option_flag, OPTION_OF(struct launch_args, replace),
};

static const struct option_desc opt_stall = {
	"stall", 0, NULL, "do not start new waves",
	option_flag, OPTION_OF(struct launch_args, stall),
};

static const struct option_desc opt_force = {
	"force", 0, NULL, "also if this freezes a display of the GPU",
	option_flag, OPTION_OF(struct launch_args, force),
};

static const struct option_desc opt_set_off = OPTION_SET_OFF(struct launch_args);

static const struct option_desc *const launch_options[] = {
	TARGET_OPTIONS, &opt_launch_mode, &opt_exceptions, &opt_replace, &opt_stall,
	&opt_force, &opt_for, &opt_set_off, NULL,
};

const struct command launch_commands[] = {
	{
		.noun = "launch",
		.verb = "set",
		.summary = "set how new waves of a process start, until Ctrl-C",
		.help = "--mode halt halts each new wave before its first instruction; --mode debug makes\n"
			"waves with a trap handler enter it after each instruction. Exceptions are invalid,\n"
			"input-denorm, float-div0, overflow, underflow, inexact, int-div0, addr-watch,\n"
			"mem-viol. All but addr-watch, and --replace, need root, because the GPU enables\n"
			"them for all processes. At the end new waves start normally, and those that\n"
			"started halted are resumed.",
		.options = launch_options,
		.args_size = sizeof(struct launch_args),
		.run = cmd_launch_set,
	},
	{ .noun = NULL },
};

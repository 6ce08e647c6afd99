// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl watchpoint set, list and clear. These commands are for a shell: a watchpoint needs the
 * trap handler of breakpoints. A watch ("watch set") is different: it works without a trap
 * handler, or with the default one.
 */
#include <stdlib.h>

#include "base/names.h"
#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/debug.h"
#include "waves/dry_run.h"

struct watchpoint_args {
	uint64_t bytes;			/* 0: not given */
	uint32_t mode;
};

static const struct watchpoint_args default_args = { .mode = AMDGPUDBG_WATCH_NONREAD };

static void emit_watchpoint(struct wavectl *w, const struct adbgd_watchpoint *p)
{
	const struct adbgd_watchpoint_info *info =
		adbgd_watchpoint_get_info(p);

	emit_uint(w->emit, "number", info->number);
	emit_hex64(w->emit, "address", info->address);
	emit_uint(w->emit, "bytes", info->size);
	emit_str(w->emit, "mode", watch_mode_name(info->mode));
	emit_str(w->emit, "state", info->flags & ADBGD_WATCHPOINT_INVALIDATED ? "lost" : "set");
	emit_uint(w->emit, "hits", info->hits);
}

static int describe_set(struct wavectl *w, uint64_t address)
{
	struct watchpoint_args *args = w->args;

	dry_run_begin(w);
	emit_hex64(w->emit, "address", address);
	emit_uint(w->emit, "bytes", args->bytes);
	emit_str(w->emit, "mode", watch_mode_name(args->mode));
	return dry_run_end(w, "watch {bytes} bytes at {address}, for {mode}");
}

/* Without --bytes: the smallest range around the address that the GPU can watch */
static int set(struct wavectl *w, uint64_t address)
{
	struct watchpoint_args *args = w->args;
	struct debugger *d = w->shell->debugger;
	struct amdgpudbg_info gpu = { 0 };
	struct adbgd_watchpoint *p;
	struct adbgd_error error;
	int ret = adbg_session_get_info(w->session, &gpu);

	if (ret)
		return fail(w, ret, "the GPU does not report its version");
	if (!args->bytes) {
		args->bytes = gpu.watch_granule;
		address -= args->bytes ? address % args->bytes : 0;
	}
	if (w->dry_run)
		return describe_set(w, address);
	if (adbgd_watchpoint_set(d->process, address, args->bytes, args->mode, &p, &error))
		return debug_fail(w, &error);
	emit_begin(w->emit);
	emit_watchpoint(w, p);
	emit_say(w->emit, "watchpoint {number} of {bytes} bytes at {address}, for {mode}");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int cmd_watchpoint_set(struct wavectl *w)
{
	uint64_t address;
	int status;

	if (w->num_words != 1 || !parse_u64(w->words[0], UINT64_MAX, &address))
		return fail_with(w, WAVECTL_USAGE, "wavectl watchpoint set ADDRESS",
				 "one address is required");
	status = debug_open_target(w);
	status = status ? status : debug_claim_launch(w);
	return status ? status : set(w, address);
}

/* NULL: there are none */
static struct adbgd_watchpoint *at(const struct wavectl *w, size_t i)
{
	const struct debugger *d = w->shell ? w->shell->debugger : NULL;

	return d ? adbgd_process_get_watchpoint(d->process, i) : NULL;
}

static int cmd_watchpoint_list(struct wavectl *w)
{
	struct adbgd_watchpoint *p;
	size_t i;
	int status = open_target(w);

	if (status)
		return status;
	emit_begin(w->emit);
	emit_table(w->emit, "watchpoints", true);
	for (i = 0; (p = at(w, i)); i++) {
		emit_row(w->emit);
		emit_watchpoint(w, p);
	}
	emit_table_end(w->emit);
	emit_uint(w->emit, "count", i);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* Clear the watchpoint of that number, or all; @num: how many. Returns an exit status. */
static int clear(struct wavectl *w, uint64_t number, uint64_t *num)
{
	struct adbgd_watchpoint *p;
	struct adbgd_error error;
	size_t i = 0;

	*num = 0;
	while ((p = at(w, i))) {
		bool is_meant = !number || adbgd_watchpoint_get_info(p)->number == number;

		*num += is_meant;
		if (!is_meant || w->dry_run)
			i++;
		else if (adbgd_watchpoint_clear(p, &error))
			return debug_fail(w, &error);
	}
	return WAVECTL_OK;
}

static int cmd_watchpoint_clear(struct wavectl *w)
{
	uint64_t number = 0, num;
	int status;

	if (w->num_words > 1 || (w->num_words && (!parse_u64(w->words[0], UINT32_MAX, &number) ||
						  !number)))
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "\"watchpoint clear\" takes one watchpoint number, or no argument to clear all");
	status = open_target(w);
	status = status ? status : clear(w, number, &num);
	if (status)
		return status;
	if (!num)
		return fail_with(w, WAVECTL_GONE, NULL, w->num_words ?
				 "there is no watchpoint %s" : "there are no watchpoints",
				 w->num_words ? w->words[0] : "");
	dry_run_begin(w);
	emit_uint(w->emit, "count", num);
	if (w->dry_run)
		return dry_run_end(w, "clear {count}");
	emit_say(w->emit, "cleared {count}");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static const struct option_desc opt_bytes = {
	"bytes", 0, "N", "number of bytes, a power of two",
	option_positive, OPTION_OF(struct watchpoint_args, bytes),
};

static const struct option_desc opt_watch_mode = OPTION_WATCH_MODE(struct watchpoint_args);

static const struct option_desc *const watchpoint_options[] = {
	TARGET_OPTIONS, &opt_bytes, &opt_watch_mode, NULL,
};

const struct command watchpoint_commands[] = {
	{
		.noun = "watchpoint",
		.verb = "set",
		.aliases = { "watch" },
		.args = "ADDRESS",
		.summary = "stop waves after they access a range of memory",
		.help = "For a shell or batch. Without --bytes, watch the smallest range around ADDRESS that\n"
			"the GPU supports. Only waves that started after the first command that needs the\n"
			"debugger stop, because they have its trap handler. \"watch set\" works without the\n"
			"debugger.",
		.options = watchpoint_options,
		.args_size = sizeof(struct watchpoint_args),
		.default_args = &default_args,
		.run = cmd_watchpoint_set,
	},
	{
		.noun = "watchpoint",
		.verb = "list",
		.summary = "list the watchpoints of the shell or batch",
		.options = target_options,
		.run = cmd_watchpoint_list,
	},
	{
		.noun = "watchpoint",
		.verb = "clear",
		.args = "[NUMBER]",
		.summary = "clear a watchpoint, or all watchpoints",
		.options = target_options,
		.run = cmd_watchpoint_clear,
	},
	{ .noun = NULL },
};

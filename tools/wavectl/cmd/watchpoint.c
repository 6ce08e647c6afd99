// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl watchpoint set, list and clear. These commands are for a shell: a watchpoint needs the
 * trap handler of breakpoints. A watch ("watch set") is different: it works without a trap
 * handler, or with the default one.
 */
#include <stdlib.h>

#include "base/cmdline.h"
#include "base/names.h"
#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/address.h"
#include "debug/debug.h"
#include "waves/action.h"

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

static void emit_range(struct wavectl *w, const void *data)
{
	const struct watchpoint_args *args = w->args;
	const uint64_t *address = data;

	emit_hex64(w->emit, "address", *address);
	emit_uint(w->emit, "bytes", args->bytes);
	emit_str(w->emit, "mode", watch_mode_name(args->mode));
}

static int set(struct wavectl *w, void *data)
{
	const struct watchpoint_args *args = w->args;
	struct debugger *d = w->shell->debugger;
	const uint64_t *address = data;
	struct adbgd_watchpoint *p;
	struct adbgd_error error;

	if (adbgd_watchpoint_set(d->process, *address, args->bytes, args->mode, &p, &error))
		return debug_fail(w, &error);
	emit_begin(w->emit);
	emit_watchpoint(w, p);
	emit_say(w->emit, "watchpoint {number} of {bytes} bytes at {address}, for {mode}");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* Without --bytes: the smallest range around the address that the GPU can watch */
static int choose_range(struct wavectl *w, uint64_t *address)
{
	struct watchpoint_args *args = w->args;
	struct amdgpudbg_info gpu = { 0 };
	int ret = adbg_session_get_info(w->session, &gpu);

	if (ret)
		return fail(w, ret, "the GPU does not report its version");
	if (!args->bytes) {
		args->bytes = gpu.watch_granule;
		*address -= args->bytes ? *address % args->bytes : 0;
	}
	return WAVECTL_OK;
}

/* "watch 0x1000" and "watch *0x1000" watch an address, "watch out[3]" where the element is. */
static int find_address(struct wavectl *w, uint64_t *address)
{
	char *text;
	int status;

	if (w->num_words == 1 &&
	    parse_u64(w->words[0] + (*w->words[0] == '*'), UINT64_MAX, address))
		return WAVECTL_OK;
	text = expression_words(w, w->words, w->num_words);
	status = address_of_value(w, text, address);
	free(text);
	return status;
}

static int cmd_watchpoint_set(struct wavectl *w)
{
	uint64_t address;
	int status;

	if (!w->num_words)
		return fail_with(w, WAVECTL_USAGE, "such as \"watch out[3]\" or \"watch 0x1000\"",
				 "an address or an expression is required");
	status = debug_open_target(w);
	if (!status)
		status = find_address(w, &address);
	if (!status)
		status = debug_claim_launch(w);
	if (!status)
		status = choose_range(w, &address);
	return status ? status : action_run(w, &(struct action){
		.what = "watch {bytes} bytes at {address}, for {mode}",
		.describe = emit_range, .run = set, .data = &address,
	});
}

static int cmd_rwatch(struct wavectl *w)
{
	((struct watchpoint_args *)w->args)->mode = AMDGPUDBG_WATCH_READ;
	return cmd_watchpoint_set(w);
}

static int cmd_awatch(struct wavectl *w)
{
	((struct watchpoint_args *)w->args)->mode = AMDGPUDBG_WATCH_ALL;
	return cmd_watchpoint_set(w);
}

/* Get watchpoint @i, from 0; NULL: there are fewer. */
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

/* Watchpoints to clear: that of @number, or all @count of them if it is 0 */
struct clearing {
	uint64_t number;
	uint64_t count;
};

static bool is_meant(const struct clearing *clearing, const struct adbgd_watchpoint *p)
{
	return !clearing->number || adbgd_watchpoint_get_info(p)->number == clearing->number;
}

static void emit_clearing(struct wavectl *w, const void *data)
{
	const struct clearing *clearing = data;

	emit_uint(w->emit, "count", clearing->count);
}

static int clear(struct wavectl *w, void *data)
{
	struct adbgd_watchpoint *p;
	struct adbgd_error error;
	size_t i = 0;

	while ((p = at(w, i)))
		if (!is_meant(data, p))
			i++;
		else if (adbgd_watchpoint_clear(p, &error))
			return debug_fail(w, &error);
	return WAVECTL_OK;
}

static int find(struct wavectl *w, struct clearing *clearing)
{
	struct adbgd_watchpoint *p;

	for (size_t i = 0; (p = at(w, i)); i++)
		clearing->count += is_meant(clearing, p);
	if (clearing->count)
		return WAVECTL_OK;
	return fail_with(w, WAVECTL_GONE, NULL, w->num_words ?
			 "there is no watchpoint %s" : "there are no watchpoints",
			 w->num_words ? w->words[0] : "");
}

static int cmd_watchpoint_clear(struct wavectl *w)
{
	struct clearing clearing = { .count = 0 };
	int status;

	if (w->num_words > 1 ||
	    (w->num_words && (!parse_u64(w->words[0], UINT32_MAX, &clearing.number) ||
			      !clearing.number)))
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "\"watchpoint clear\" takes one watchpoint number, or no argument to clear all");
	status = open_target(w);
	if (!status)
		status = find(w, &clearing);
	return status ? status : action_run(w, &(struct action){
		.what = "clear {count}", .done = "cleared {count}",
		.describe = emit_clearing, .run = clear, .data = &clearing,
	});
}

static const struct option_desc opt_bytes = {
	"bytes", 0, "N", "number of bytes, a power of two",
	option_positive, OPTION_OF(struct watchpoint_args, bytes),
};

static const struct option_desc opt_watch_mode = OPTION_WATCH_MODE(struct watchpoint_args);

static const struct option_desc *const rwatch_options[] = {
	TARGET_OPTIONS, &opt_bytes, NULL,
};

static const struct option_desc *const watchpoint_options[] = {
	TARGET_OPTIONS, &opt_bytes, &opt_watch_mode, NULL,
};

const struct command watchpoint_commands[] = {
	{
		.noun = "watchpoint",
		.verb = "set",
		.aliases = { "watch" },
		.args = "ADDRESS | EXPRESSION",
		.expression_from = 1,
		.summary = "stop waves after they access a range of memory",
		.help = "For a shell or batch. EXPRESSION, such as out[3] or *p, is a value in memory; it is\n"
			"evaluated once, in the selected lane. Without --bytes, watch the smallest range\n"
			"around the address that the GPU supports. Only waves that started after the first\n"
			"command that needs the debugger stop, because they have its trap handler. \"watch\n"
			"set\" works without the debugger.",
		.options = watchpoint_options,
		.args_size = sizeof(struct watchpoint_args),
		.default_args = &default_args,
		.run = cmd_watchpoint_set,
	},
	{
		.noun = "rwatch",
		.args = "ADDRESS | EXPRESSION",
		.summary = "stop waves after they read a range of memory",
		.help = "The same as \"watchpoint set\" with --mode read.",
		.options = rwatch_options,
		.args_size = sizeof(struct watchpoint_args),
		.default_args = &default_args,
		.run = cmd_rwatch,
	},
	{
		.noun = "awatch",
		.args = "ADDRESS | EXPRESSION",
		.summary = "stop waves after they read or write a range of memory",
		.help = "The same as \"watchpoint set\" with --mode all.",
		.options = rwatch_options,
		.args_size = sizeof(struct watchpoint_args),
		.default_args = &default_args,
		.run = cmd_awatch,
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
	{
		.noun = "info",
		.verb = "watchpoints",
		.summary = "same as \"watchpoint list\"",
		.options = target_options,
		.run = cmd_watchpoint_list,
	},
	{ .noun = NULL },
};

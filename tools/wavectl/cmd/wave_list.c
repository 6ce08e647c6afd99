// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl wave list and wave snapshot.
 */
#include <stdio.h>

#include "base/names.h"
#include "base/options.h"
#include "base/wavectl.h"
#include "cmd/commands.h"
#include "debug/code.h"
#include "debug/state.h"
#include "waves/plan.h"

struct wave_list_args {
	struct wave_state_flags state;	/* of the waves to list */
	bool regs;
};

/* If code objects are known */
static void emit_place(struct wavectl *w, const struct amdgpudbg_wave *wave)
{
	const struct debugger *d = w->shell ? w->shell->debugger : NULL;

	if (d && d->num_objects)
		code_emit_place(w, adbgd_wave_get_pc(d->process, wave));
}

/*
 * @state: NULL, or memory to read all registers. Returns the number of waves that could not be
 * read.
 */
static size_t print_table(struct wavectl *w, const struct adbg_wave_list *list,
			  struct adbg_wave_state *state)
{
	const struct amdgpudbg_wave *wave;
	size_t count = 0, failed = 0;

	emit_table(w->emit, "waves", true);
	for (size_t i = 0; (wave = adbg_wave_list_get(list, i)); i++) {
		if (w->has_spec && !adbg_wave_spec_match(&w->spec, &wave->at))
			continue;
		emit_wave(w, wave);
		emit_place(w, wave);
		if (state)
			failed += !!state_emit(w, state, wave);
		count++;
	}
	emit_table_end(w->emit);
	emit_uint(w->emit, "count", count);
	if (!count)
		emit_say(w->emit, "no live waves");
	return failed;
}

static int print_waves(struct wavectl *w, const struct adbg_wave_list *list,
		       bool snapshot, uint32_t num_halted,
		       struct adbg_wave_state *state)
{
	size_t failed;

	emit_begin(w->emit);
	failed = print_table(w, list, state);
	/* The waves were halted until here; none is when the result is printed. */
	if (state)
		close_target(w);
	if (snapshot && w->dry_run) {
		emit_bool(w->emit, "dry_run", true);
		emit_say(w->emit,
			 "would halt the waves briefly; nothing was changed");
	} else if (snapshot) {
		emit_uint(w->emit, "halted", num_halted);
		emit_say(w->emit, "halted {halted} waves briefly to read them");
	}
	return emit_end(w->emit) || failed ? WAVECTL_FAILED : WAVECTL_OK;
}

static int list_waves(struct wavectl *w, bool snapshot)
{
	const struct wave_list_args *args = w->args;
	struct amdgpudbg_wave_list what = {
		.flags = AMDGPUDBG_WAVE_LIST_TTMP,
		.select.wave_flags_mask = args->state.mask,
		.select.wave_flags = args->state.flags,
	};
	struct adbg_wave_state *state = NULL;
	struct adbg_wave_list *list;
	int ret, status;

	status = args->regs ? open_own_target(w) : open_target(w);
	if (status)
		return status;

	if (w->vmid)
		what.select.vmid_mask = 1U << w->vmid;
	if (w->has_spec)
		plan_select(&w->spec, &what.select);
	ret = adbg_wave_list_new(&list);
	if (!ret && args->regs && !w->dry_run)
		ret = adbg_wave_state_new(&state);
	/* Their registers are read while they stay halted. */
	if (state)
		what.flags |= AMDGPUDBG_WAVE_LIST_HOLD;
	if (!ret) {
		if (snapshot && !w->dry_run)
			ret = adbg_wave_list_snapshot(list, w->session, &what);
		else
			ret = adbg_wave_list_fill(list, w->session, &what);
		if (!ret)
			status = print_waves(w, list, snapshot,
					     what.num_halted, state);
		adbg_wave_list_free(list);
	}
	adbg_wave_state_free(state);
	if (ret)
		return fail(w, ret, "cannot list the waves");

	return status;
}

static int cmd_wave_list(struct wavectl *w)
{
	return list_waves(w, false);
}

static int cmd_wave_snapshot(struct wavectl *w)
{
	return list_waves(w, true);
}

static bool parse_state(const char *arg, void *member)
{
	return wave_state_parse(arg, member);
}

static const struct option_desc opt_state = {
	"state", 's', "STATE", "only waves in this state: running, halted or in-handler",
	parse_state, OPTION_OF(struct wave_list_args, state),
};

static const struct option_desc opt_regs = {
	"regs", 0, NULL, "also print all registers of each wave",
	option_flag, OPTION_OF(struct wave_list_args, regs),
};

static const struct option_desc *const list_options[] = {
	TARGET_OPTIONS, &opt_vmid, &opt_state, NULL,
};

static const struct option_desc *const snapshot_options[] = {
	TARGET_OPTIONS, &opt_vmid, &opt_state, &opt_regs, &opt_format, NULL,
};

const struct command wave_list_commands[] = {
	{
		.noun = "wave",
		.verb = "list",
		.args = "[WAVES]",
		.takes_waves = true,
		.summary = "list the live waves",
		.help = "With --verbose, also print all nonzero fields of their registers.",
		.options = list_options,
		.args_size = sizeof(struct wave_list_args),
		.run = cmd_wave_list,
	},
	{
		.noun = "wave",
		.verb = "snapshot",
		.args = "[WAVES]",
		.takes_waves = true,
		.summary = "list the live waves, all read at the same moment",
		.help = "Halts all waves of --pid, of --vmid or of the GPU, prevents new waves from\n"
			"starting, reads the waves and resumes them. A wave in its trap handler keeps\n"
			"running. With --regs, all registers of each wave are printed; values of lanes that\n"
			"are inactive in EXEC are in parentheses.",
		.options = snapshot_options,
		.args_size = sizeof(struct wave_list_args),
		.run = cmd_wave_snapshot,
	},
	{
		.noun = "info",
		.verb = "waves",
		.args = "[WAVES]",
		.takes_waves = true,
		.summary = "same as \"wave list\"",
		.options = list_options,
		.args_size = sizeof(struct wave_list_args),
		.run = cmd_wave_list,
	},
	{ .noun = NULL },
};

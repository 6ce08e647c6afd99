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
#include "debug/insn.h"
#include "debug/state.h"
#include "report/show.h"
#include "waves/action.h"
#include "waves/plan.h"

struct wave_list_args {
	struct wave_state_flags state;	/* of the waves to list */
	bool regs;
	bool raw;
};

/*
 * With a debugger, print the number of a wave, and the symbol at its PC if code objects are known.
 */
static void emit_place(struct wavectl *w, const struct amdgpudbg_wave *wave)
{
	const struct debugger *d = w->shell ? w->shell->debugger : NULL;

	if (d)
		emit_uint(w->emit, "number", adbgd_wave_get_number(d->process, &wave->at));
	if (d && d->num_objects)
		code_emit_place(w, adbgd_wave_get_pc(d->process, wave));
}

struct listing {
	struct amdgpudbg_wave_list what;
	struct adbg_wave_list *list;
	struct adbg_wave_state *state;	/* NULL, or memory to read all registers */
};

/*
 * Print the waves of a GPU as rows. *@failed is increased by the number of waves whose registers
 * could not be read. Returns the number of waves.
 */
static size_t emit_rows(struct wavectl *w, const struct listing *l, size_t *failed)
{
	const struct amdgpudbg_wave *wave;
	const struct wave_list_args *args = w->args;
	struct wave_insns insns = { .failed = args->raw };
	size_t count = 0;

	for (size_t i = 0; (wave = adbg_wave_list_get(l->list, i)); i++) {
		if (w->waves.is_set && !adbg_wave_spec_match(&w->waves.spec, &wave->at))
			continue;
		insn_emit_wave(w, &insns, wave);
		emit_place(w, wave);
		if (l->state)
			*failed += !!state_emit(w, l->state, wave);
		count++;
	}
	wave_insns_close(&insns);
	return count;
}

static void emit_count(struct wavectl *w, size_t count)
{
	emit_table_end(w->emit);
	emit_uint(w->emit, "count", count);
	if (!count)
		emit_say(w->emit, "no live waves");
}

/* Print the waves. Returns the number of waves whose registers could not be read. */
static size_t emit_waves(struct wavectl *w, const struct listing *l)
{
	size_t failed = 0;

	emit_table(w->emit, "waves", true);
	emit_count(w, emit_rows(w, l, &failed));
	return failed;
}

static void emit_listing(struct wavectl *w, const void *data)
{
	emit_waves(w, data);
}

static int snapshot(struct wavectl *w, void *data)
{
	struct listing *l = data;
	size_t failed;
	int ret;

	ret = adbg_wave_list_snapshot(l->list, w->session, &l->what);
	if (ret)
		return fail(w, ret, "cannot list the waves");
	emit_begin(w->emit);
	failed = emit_waves(w, l);
	/* The waves were halted until here; none is when the result is printed. */
	if (l->state)
		close_target(w);
	emit_uint(w->emit, "halted", l->what.num_halted);
	emit_say(w->emit, "halted {halted} waves briefly to read them");
	return emit_end(w->emit) || failed ? WAVECTL_FAILED : WAVECTL_OK;
}

/* Read the waves as they run. */
static int listing_fill(struct wavectl *w, struct listing *l)
{
	int ret = adbg_wave_list_fill(l->list, w->session, &l->what);

	return ret ? fail(w, ret, "cannot list the waves") : WAVECTL_OK;
}

/*
 * Prepare reading the waves of the GPUs that @open opens. Call listing_close() also after an
 * error.
 */
static int listing_open(struct wavectl *w, struct listing *l, int (*open)(struct wavectl *w))
{
	const struct wave_list_args *args = w->args;
	int ret, status;

	*l = (struct listing){
		.what.flags = AMDGPUDBG_WAVE_LIST_TTMP,
		.what.select.wave_flags_mask = args->state.mask,
		.what.select.wave_flags = args->state.flags,
	};
	status = open(w);
	if (status)
		return status;

	if (w->vmid)
		l->what.select.vmid_mask = 1U << w->vmid;
	if (w->waves.is_set)
		plan_select(&w->waves.spec, &l->what.select);
	ret = adbg_wave_list_new(&l->list);
	if (!ret && args->regs && !w->dry_run)
		ret = adbg_wave_state_new(&l->state);
	/* Their registers are read while they stay halted. */
	if (l->state)
		l->what.flags |= AMDGPUDBG_WAVE_LIST_HOLD;
	return ret ? fail_system(w, ret, "cannot allocate a list") : WAVECTL_OK;
}

static void listing_close(struct listing *l)
{
	adbg_wave_list_free(l->list);
	adbg_wave_state_free(l->state);
}

/* Print the waves of all GPUs that are open. */
static int print_waves(struct wavectl *w, struct listing *l)
{
	size_t count = 0, failed = 0;
	int status;

	emit_begin(w->emit);
	emit_table(w->emit, "waves", true);
	for (size_t i = 0; use_target(w, i); i++) {
		status = listing_fill(w, l);
		if (status)
			return status;
		count += emit_rows(w, l, &failed);
	}
	emit_count(w, count);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int cmd_wave_list(struct wavectl *w)
{
	struct listing l;
	int status;

	if (w->from)
		return report_from(w, report_show_waves);
	status = listing_open(w, &l, open_targets);
	if (!status)
		status = print_waves(w, &l);
	listing_close(&l);
	return status;
}

static int cmd_wave_snapshot(struct wavectl *w)
{
	const struct wave_list_args *args = w->args;
	struct listing l;
	int status;

	status = listing_open(w, &l, args->regs ? open_own_target : open_target);
	if (!status && w->dry_run)
		status = listing_fill(w, &l);
	if (!status)
		status = action_run(w, &(struct action){
			.what = "halt the waves briefly",
			.describe = emit_listing, .run = snapshot, .data = &l,
		});
	listing_close(&l);
	return status;
}

static bool parse_state(const char *arg, void *member)
{
	return wave_state_parse(arg, member);
}

static const struct option_desc opt_state = {
	"state", 's', "STATE", "print only waves in this state: running, halted or in-handler",
	parse_state, OPTION_OF(struct wave_list_args, state),
};

static const struct option_desc opt_raw = {
	"raw", 0, NULL, "print the first word of each instruction instead of its text",
	option_flag, OPTION_OF(struct wave_list_args, raw),
};

static const struct option_desc opt_regs = {
	"regs", 0, NULL, "also print all registers of each wave",
	option_flag, OPTION_OF(struct wave_list_args, regs),
};

static const struct option_desc *const list_options[] = {
	TARGET_OPTIONS, &opt_vmid, &opt_state, &opt_raw, &opt_from, NULL,
};

static const struct option_desc *const snapshot_options[] = {
	TARGET_OPTIONS, &opt_vmid, &opt_state, &opt_raw, &opt_regs, &opt_format, NULL,
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

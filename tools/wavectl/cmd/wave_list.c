// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl wave list and wave snapshot.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/names.h"
#include "base/options.h"
#include "base/util.h"
#include "base/wavectl.h"
#include "cmd/commands.h"
#include "debug/code.h"
#include "debug/insn.h"
#include "debug/state.h"
#include "report/from.h"
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
	if (code_get(d, 0))
		code_emit_place(w, adbgd_wave_get_pc(d->process, wave));
}

struct listing {
	struct amdgpudbg_wave_list what;
	struct adbg_wave_list **lists;	/* one for each GPU of the command */
	size_t count;
	uint64_t halted;		/* sum of num_halted of all GPUs */
	struct adbg_wave_state *state;	/* NULL, or memory to read all registers */
};

/*
 * Print the waves of the GPU of the command as rows. *@failed is increased by the number of waves
 * whose registers could not be read. Returns the number of waves.
 */
static size_t emit_rows(struct wavectl *w, const struct listing *l,
			const struct adbg_wave_list *list, size_t *failed)
{
	const struct amdgpudbg_wave *wave;
	const struct wave_list_args *args = w->args;
	struct wave_insns insns = { .failed = args->raw };
	size_t count = 0;

	for (size_t i = 0; (wave = adbg_wave_list_get(list, i)); i++) {
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

/* Print the waves. Returns the number of waves whose registers could not be read. */
static size_t emit_waves(struct wavectl *w, const struct listing *l)
{
	size_t count = 0, failed = 0;

	emit_table(w->emit, "waves", true);
	for (size_t i = 0; use_target(w, i); i++)
		count += emit_rows(w, l, l->lists[i], &failed);
	emit_table_end(w->emit);
	emit_uint(w->emit, "count", count);
	if (!count)
		emit_say(w->emit, "no live waves");
	return failed;
}

static void emit_listing(struct wavectl *w, const void *data)
{
	emit_waves(w, data);
}

/* Read the waves of all GPUs. @read: how to read those of one. Returns an exit status. */
static int listing_fill(struct wavectl *w, struct listing *l,
			int (*read)(struct adbg_wave_list *list, struct adbg_session *session,
				    struct amdgpudbg_wave_list *what))
{
	int ret;

	for (size_t i = 0; use_target(w, i); i++) {
		struct amdgpudbg_wave_list what = l->what;

		ret = read(l->lists[i], w->session, &what);
		if (ret)
			return fail(w, ret, "cannot list the waves");
		l->halted += what.num_halted;
	}
	return WAVECTL_OK;
}

static int snapshot(struct wavectl *w, void *data)
{
	struct listing *l = data;
	int status = listing_fill(w, l, adbg_wave_list_snapshot);
	size_t failed;

	if (status)
		return status;
	emit_begin(w->emit);
	failed = emit_waves(w, l);
	/* The waves were halted until here; none is when the result is printed. */
	if (l->state)
		close_targets(w);
	emit_uint(w->emit, "halted", l->halted);
	emit_say(w->emit, "halted {halted} waves briefly to read them");
	return emit_end(w->emit) || failed ? WAVECTL_FAILED : WAVECTL_OK;
}

/*
 * Prepare reading the waves of the GPUs that @open opens. Call listing_close() also after an
 * error.
 */
static int listing_open(struct wavectl *w, struct listing *l, int (*open)(struct wavectl *w))
{
	const struct wave_list_args *args = w->args;
	int ret = 0, status;

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
	while (use_target(w, l->count))
		l->count++;
	l->lists = xcalloc(l->count, sizeof(*l->lists));
	for (size_t i = 0; i < l->count && !ret; i++)
		ret = adbg_wave_list_new(&l->lists[i]);
	if (!ret && args->regs && !w->dry_run)
		ret = adbg_wave_state_new(&l->state);
	/* Their registers are read while they stay halted. */
	if (l->state)
		l->what.flags |= AMDGPUDBG_WAVE_LIST_HOLD;
	return ret ? fail_system(w, ret, "cannot allocate a list") : WAVECTL_OK;
}

static void listing_close(struct listing *l)
{
	for (size_t i = 0; i < l->count && l->lists; i++)
		adbg_wave_list_free(l->lists[i]);
	free(l->lists);
	adbg_wave_state_free(l->state);
}

static int cmd_wave_list(struct wavectl *w)
{
	struct listing l;
	int status;

	if (w->from)
		return report_from(w, report_show_waves);
	status = listing_open(w, &l, open_targets);
	if (!status)
		status = listing_fill(w, &l, adbg_wave_list_fill);
	if (!status) {
		emit_begin(w->emit);
		emit_waves(w, &l);
		status = emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
	}
	listing_close(&l);
	return status;
}

static int cmd_wave_snapshot(struct wavectl *w)
{
	const struct wave_list_args *args = w->args;
	struct listing l;
	int status;

	/* Waves stay halted until their registers are read; the module resumes them afterwards. */
	status = listing_open(w, &l, args->regs ? open_own_targets : open_targets);
	if (!status && w->dry_run)
		status = listing_fill(w, &l, adbg_wave_list_fill);
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
		.help = "Halts all waves of --pid, of --vmid or of each GPU, prevents new waves from\n"
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

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl wave barrier and info barrier: the waves that wait at s_barrier, and those for which
 * they wait. No wave is halted for this, so that waves that hang stay where they are.
 */
#include <stdlib.h>

#include "base/options.h"
#include "base/util.h"
#include "base/wavectl.h"
#include "cmd/commands.h"
#include "debug/code.h"
#include "waves/group.h"
#include "waves/wave_names.h"

#define HALT_FLAGS	(AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_PRIV)

static const struct debugger *debugger_of(const struct wavectl *w)
{
	return w->shell ? w->shell->debugger : NULL;
}

static void emit_why(struct wavectl *w, const struct amdgpudbg_wave *wave)
{
	char *why = debug_why(w, wave);

	/* If the trap handler had halted it, there would be a reason. */
	if (!why && (wave->flags & HALT_FLAGS) == AMDGPUDBG_WAVE_HALTED)
		xappend(&why, "debugger");
	if (why)
		emit_str(w->emit, "why", why);
	else
		emit_none(w->emit, "why");
	free(why);
}

static void emit_member(struct wavectl *w, const struct group_member *member)
{
	const struct amdgpudbg_wave *wave = member->wave;
	const struct debugger *d = debugger_of(w);
	uint64_t pc = d ? adbgd_wave_get_pc(d->process, wave) : wave->pc;

	emit_row(w->emit);
	emit_gpu_number(w);
	emit_uint(w->emit, "group", member->number);
	emit_str(w->emit, "barrier", member->waits ? "waits" : "missing");
	emit_at(w->emit, "name", &wave->at);
	emit_uint(w->emit, "vmid", wave->vmid);
	emit_hex64(w->emit, "pc", pc);
	emit_str(w->emit, "state", wave_state(wave));
	emit_why(w, wave);
	if (code_get(d, 0))
		code_emit_place(w, pc);
}

/* Waiting waves come first. If all wait, the barrier is about to open. */
static bool is_waited_in(const struct group_member *members, size_t size)
{
	return members[0].waits && !members[size - 1].waits;
}

struct group_counts {
	uint64_t groups;
	uint64_t waves[2];		/* [true]: waiting, [false]: missing */
};

/* Print the work-groups of the GPU of the command, and add them to the counts. */
static void emit_groups(struct wavectl *w, const struct group_member *members, size_t count,
			struct group_counts *counts)
{
	size_t size;

	for (size_t first = 0; first < count; first += size) {
		size = group_size(&members[first], count - first);
		if (!is_waited_in(&members[first], size))
			continue;
		counts->groups++;
		for (size_t i = first; i < first + size; i++) {
			emit_member(w, &members[i]);
			counts->waves[members[i].waits]++;
		}
	}
}

static int list_groups(struct wavectl *w, struct adbg_wave_list *list, struct group_counts *counts)
{
	struct amdgpudbg_wave_list what = { .flags = AMDGPUDBG_WAVE_LIST_TTMP };
	struct group_member *members = NULL;
	int ret;

	if (w->vmid)
		what.select.vmid_mask = 1U << w->vmid;
	ret = adbg_wave_list_fill(list, w->session, &what);
	if (!ret)
		ret = group_members(list, adbg_session_get_gc_version(w->session), &members);
	if (ret >= 0)
		emit_groups(w, members, ret, counts);
	free(members);
	return ret < 0 ? fail(w, ret, "cannot list the waves") : WAVECTL_OK;
}

static int print_groups(struct wavectl *w, struct adbg_wave_list *list)
{
	struct group_counts counts = { 0 };
	int status;

	emit_begin(w->emit);
	emit_table(w->emit, "waves", true);
	for (size_t i = 0; use_target(w, i); i++) {
		status = list_groups(w, list, &counts);
		if (status)
			return status;
	}
	emit_table_end(w->emit);
	emit_uint(w->emit, "groups", counts.groups);
	emit_uint(w->emit, "waiting", counts.waves[true]);
	emit_uint(w->emit, "missing", counts.waves[false]);
	emit_say(w->emit, counts.groups ?
		 "{waiting} waiting, {missing} missing; work-groups: {groups}" :
		 "no wave waits at a barrier for other waves");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int cmd_wave_barrier(struct wavectl *w)
{
	struct adbg_wave_list *list;
	int ret, status = open_targets(w);

	if (status)
		return status;
	ret = adbg_wave_list_new(&list);
	if (ret)
		return fail(w, ret, "cannot list the waves");
	status = print_groups(w, list);
	adbg_wave_list_free(list);
	return status;
}

static const struct option_desc *const barrier_options[] = {
	TARGET_OPTIONS, &opt_vmid, NULL,
};

const struct command barrier_commands[] = {
	{
		.noun = "wave",
		.verb = "barrier",
		.aliases = { "barrier" },
		.summary = "list the waves that wait at a barrier, and those that are missing",
		.help = "For each work-group with waves that wait at s_barrier: these waves, and the\n"
			"missing ones, which neither reached the barrier nor ended, with their location and\n"
			"state. No wave is halted for it. A wave that is only late is also listed as\n"
			"missing; repeat the command to see whether it arrives.",
		.options = barrier_options,
		.run = cmd_wave_barrier,
	},
	{
		.noun = "info",
		.verb = "barrier",
		.summary = "same as \"wave barrier\"",
		.options = barrier_options,
		.run = cmd_wave_barrier,
	},
	{ .noun = NULL },
};

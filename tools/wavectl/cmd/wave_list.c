// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl wave list and wave snapshot.
 */
#include <stdio.h>

#include "base/wavectl.h"
#include "debug/code.h"
#include "debug/state.h"
#include "waves/plan.h"

/* Where code objects are known */
static void emit_place(struct wavectl *w, const struct amdgpudbg_wave *wave)
{
	const struct debugger *d = w->dialogue ? w->dialogue->debugger : NULL;

	if (d && d->num_objects)
		code_emit_place(w, adbgd_wave_get_pc(d->process, wave));
}

/* @state: NULL, or what to read all registers with; how many waves' were not read */
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
	/* They were halted for it until here; nothing is when it is said. */
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
	struct amdgpudbg_wave_list what = {
		.flags = AMDGPUDBG_WAVE_LIST_TTMP,
		.select.wave_flags_mask = w->wave_flags_mask,
		.select.wave_flags = w->wave_flags,
	};
	struct adbg_wave_state *state = NULL;
	struct adbg_wave_list *list;
	int ret, status;

	status = w->regs ? open_own_target(w) : open_target(w);
	if (status)
		return status;

	if (w->vmid)
		what.select.vmid_mask = 1U << w->vmid;
	if (w->has_spec)
		plan_select(&w->spec, &what.select);
	ret = adbg_wave_list_new(&list);
	if (!ret && w->regs && !w->dry_run)
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

int cmd_wave_list(struct wavectl *w)
{
	return list_waves(w, false);
}

int cmd_wave_snapshot(struct wavectl *w)
{
	return list_waves(w, true);
}

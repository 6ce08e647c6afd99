// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl wave list.
 */
#include <stdio.h>

#include "wavectl.h"

static int print_waves(struct wavectl *w, const struct adbg_wave_list *list)
{
	const struct adbg_wave *wave;
	uint32_t reads, writes;
	size_t count = 0;

	emit_begin(w->emit);
	emit_table(w->emit, "waves", true);
	for (size_t i = 0; (wave = adbg_wave_list_get(list, i)); i++) {
		if (w->has_spec && !adbg_wave_spec_match(&w->spec, &wave->at))
			continue;
		emit_wave(w, wave);
		count++;
	}
	emit_table_end(w->emit);

	adbg_wave_list_get_cost(list, &reads, &writes);
	emit_uint(w->emit, "count", count);
	emit_uint(w->emit, "reg_reads", reads);
	emit_uint(w->emit, "reg_writes", writes);
	if (!count)
		emit_say(w->emit, "no live waves");
	if (w->verbose)
		emit_say(w->emit,
			 "{count} waves; {reg_reads} register reads, {reg_writes} writes");

	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

int cmd_wave_list(struct wavectl *w)
{
	struct adbg_wave_list *list;
	int ret, status;

	status = open_target(w);
	if (status)
		return status;
	status = check_vmid(w);
	if (status)
		return status;

	ret = adbg_wave_list_new(&list);
	if (!ret) {
		ret = adbg_wave_list_read(list, w->session,
					  w->vmid ? 1U << w->vmid : 0);
		if (!ret)
			status = print_waves(w, list);
		adbg_wave_list_free(list);
	}
	if (ret)
		return fail(w, ADBG_CALL_WAVE_READ, ret,
			    "cannot list the waves");

	return status;
}

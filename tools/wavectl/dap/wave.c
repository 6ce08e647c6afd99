// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Waves as threads: see wave.h.
 */
#include <stdlib.h>

#include "base/json.h"
#include "base/util.h"
#include "dap/out.h"
#include "dap/refs.h"
#include "dap/wave.h"

struct stops {
	struct stop_of_wave {
		uint32_t thread;
		struct adbgd_stop stop;
	} *all;
	size_t num;
};

struct stops *wave_stops_new(void)
{
	return xcalloc(1, sizeof(struct stops));
}

void wave_stops_free(struct stops *stops)
{
	if (stops)
		free(stops->all);
	free(stops);
}

uint32_t wave_thread(const struct dap *d, const struct amdgpudbg_wave_coord *at)
{
	return adbgd_wave_get_number(d->shell.debugger->process, at);
}

static struct stop_of_wave *find(const struct stops *stops, uint32_t thread)
{
	for (size_t i = 0; i < stops->num; i++)
		if (stops->all[i].thread == thread)
			return &stops->all[i];
	return NULL;
}

void wave_note_stop(struct dap *d, const struct adbgd_stop *stop)
{
	uint32_t thread = wave_thread(d, &stop->at);
	struct stop_of_wave *known = find(d->stops, thread);

	if (!known) {
		d->stops->all = xreallocarray(d->stops->all, d->stops->num + 1,
					      sizeof(*d->stops->all));
		known = &d->stops->all[d->stops->num++];
	}
	*known = (struct stop_of_wave){ .thread = thread, .stop = *stop };
}

const struct adbgd_stop *wave_find_stop(const struct dap *d, uint32_t thread)
{
	const struct stop_of_wave *known = find(d->stops, thread);

	return known ? &known->stop : NULL;
}

void wave_forget(struct dap *d, uint32_t thread)
{
	struct stop_of_wave *known = find(d->stops, thread);

	refs_drop(d->refs, thread);
	if (!thread)
		d->stops->num = 0;
	else if (known)
		*known = d->stops->all[--d->stops->num];
}

/* ------------------------------------------------------------------- requests */

int wave_need_process(const struct dap *d, struct request *r)
{
	if (d->shell.debugger && d->state == DAP_ATTACHED)
		return 0;
	return out_fail(r, d->state == DAP_STARTING ?
			"the program has not given the GPU a job yet" :
			"no process is being debugged");
}

int wave_of_request(struct dap *d, struct request *r, uint32_t *thread,
		    struct amdgpudbg_wave_coord *at)
{
	uint64_t number = json_count(r->arguments, "threadId", 0);

	if (wave_need_process(d, r))
		return -1;
	if (!number || number > UINT32_MAX ||
	    adbgd_wave_find_number(d->shell.debugger->process, (uint32_t)number, at))
		return out_fail(r, "there is no wave %llu", (unsigned long long)number);
	*thread = (uint32_t)number;
	return 0;
}

int wave_open(struct dap *d, struct request *r, uint32_t thread, struct focus *focus)
{
	struct debugger *debugger = d->shell.debugger;

	*focus = (struct focus){ .w = d->w };
	if (wave_need_process(d, r))
		return -1;
	if (adbgd_wave_find_number(debugger->process, thread, &debugger->wave))
		return out_fail(r, "there is no wave %u", thread);
	debugger->has_wave = true;
	return focus_open(d->w, focus) ? out_fail_caught(d, r) : 0;
}

int wave_list(struct dap *d, bool halted, struct adbg_wave_list **list)
{
	struct amdgpudbg_wave_list what = {
		.flags = AMDGPUDBG_WAVE_LIST_TTMP,
		.select.wave_flags_mask = halted ? AMDGPUDBG_WAVE_HALTED : 0,
		.select.wave_flags = halted ? AMDGPUDBG_WAVE_HALTED : 0,
	};
	int ret = adbg_wave_list_new(list);

	if (ret)
		return ret;
	ret = adbg_wave_list_fill(*list, d->w->session, &what);
	if (ret)
		adbg_wave_list_free(*list);
	return ret;
}

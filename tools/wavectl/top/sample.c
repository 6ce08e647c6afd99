// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples of waves: see sample.h.
 */
#include "top/sample.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/util.h"

/* What is known of a PC is read again after so many samples: the program may load other code. */
#define NAME_SAMPLES	64

/* ------------------------------------------------------------------ open and close */

static int open_gpu(struct top *t, struct top_gpu *gpu)
{
	struct wavectl *w = t->w;
	char product[128];
	int ret;

	gpu->session = w->session;
	ret = adbg_session_get_info(w->session, &gpu->info);
	if (ret)
		return fail(w, ret, "cannot query the GPU");
	if (!map_init(&gpu->map, &gpu->info))
		return fail_with(w, WAVECTL_UNSUPPORTED, NULL,
				 "the GPU does not report how many waves it has");
	if (adbg_gpu_product(&gpu->info, product, sizeof(product)))
		snprintf(product, sizeof(product), "%s", debug_gpu(w));
	snprintf(gpu->title, sizeof(gpu->title), "GPU %u: %s",
		 adbg_session_get_number(w->session), product);
	ret = adbg_wave_list_new(&gpu->list);
	return ret ? fail_system(w, ret, "cannot allocate a list") : WAVECTL_OK;
}

int top_open(struct top *t, struct wavectl *w, int interrupt_fd)
{
	int status;

	*t = (struct top){ .w = w, .interrupt_fd = interrupt_fd };
	hot_init(&t->hot);
	/* The waves that it halts are not those that a shell has halted. */
	status = open_own_targets(w);
	for (size_t i = 0; !status && use_target(w, i); i++) {
		t->gpus = xreallocarray(t->gpus, t->num_gpus + 1, sizeof(*t->gpus));
		t->gpus[t->num_gpus] = (struct top_gpu){ .session = NULL };
		status = open_gpu(t, &t->gpus[t->num_gpus++]);
	}
	return status;
}

void top_close(struct top *t)
{
	top_drop_processes(t, true);
	free(t->processes);
	for (size_t i = 0; i < t->num_gpus; i++) {
		map_free(&t->gpus[i].map);
		adbg_wave_list_free(t->gpus[i].list);
		adbgd_disasm_free(t->gpus[i].disasm[0]);
		adbgd_disasm_free(t->gpus[i].disasm[1]);
	}
	free(t->gpus);
	hot_free(&t->hot);
	free(t->ignored);
	close_targets(t->w);
	*t = (struct top){ .w = t->w };
}

/* ------------------------------------------------------------------------- samples */

static void count_wave(struct top *t, size_t gpu, const struct amdgpudbg_wave *wave, uint32_t i)
{
	const uint32_t halted = AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_FATAL_HALT;
	struct top_process *p = top_get_process(t, gpu, wave);
	struct hot_entry *entry = hot_add(&t->hot, gpu, p ? p->pasid : 0, wave->pc,
					  !(wave->flags & halted));

	if (!entry->named_at || t->hot.samples - entry->named_at >= NAME_SAMPLES)
		top_name(t, p, entry);
	map_set(&t->gpus[gpu].map, &wave->at, map_state_of(wave, entry->name.waits), i);
}

int top_sample(struct top *t)
{
	const struct amdgpudbg_wave *wave;
	struct top_gpu *gpu;
	int ret;

	hot_begin(&t->hot);
	for (size_t i = 0; i < t->num_gpus; i++) {
		struct amdgpudbg_wave_list what = {
			.flags = AMDGPUDBG_WAVE_LIST_PID, .hw_want = AMDGPUDBG_HW_WANT_PC,
		};

		gpu = &t->gpus[i];
		map_clear(&gpu->map);
		use_target(t->w, i);
		ret = adbg_wave_list_fill(gpu->list, gpu->session, &what);
		if (ret)
			return ret;
		for (uint32_t n = 0; (wave = adbg_wave_list_get(gpu->list, n)); n++)
			count_wave(t, i, wave, n);
	}
	top_drop_processes(t, false);
	return 0;
}

const struct amdgpudbg_wave *top_wave(const struct top_gpu *gpu, size_t slot)
{
	if (slot >= gpu->map.num_slots || gpu->map.states[slot] == MAP_FREE)
		return NULL;
	return adbg_wave_list_get(gpu->list, gpu->map.indexes[slot]);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Resumes waves that a command halted: see temp_halt.h.
 *
 * STATUS.HALT is one bit, whether a command or the trap handler of the wave has set it. If the
 * handler has set it, too, the stop is reported and the wave must stay halted until the user
 * resumes it. The PC shows this as soon as the wave has left its handler.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"
#include "waves/plan.h"
#include "waves/temp_halt.h"
#include "waves/wave_names.h"

/* A handler takes microseconds. If it does not end, the wave stays in it. */
#define LOOKS_MAX	100
#define LOOK_US		1000

bool temp_halt_is(const struct amdgpudbg_wave *wave, uint32_t vmid,
		  const struct amdgpudbg_wave_coord *at)
{
	return wave->vmid == vmid && !memcmp(&wave->at, at, sizeof(*at));
}

static bool any_in_handler(const struct temp_halt *which,
			   const struct adbg_wave_list *list)
{
	const struct amdgpudbg_wave *wave;

	for (size_t i = 0; (wave = adbg_wave_list_get(list, i)); i++)
		if (wave->flags & AMDGPUDBG_WAVE_PRIV &&
		    which->is_ours(which->arg, wave))
			return true;
	return false;
}

static int look(struct wavectl *w, const struct temp_halt *which,
		struct adbg_wave_list *list)
{
	int ret;

	for (int looks = 0;; looks++) {
		struct amdgpudbg_wave_list what = {
			.flags = AMDGPUDBG_WAVE_LIST_TTMP,
			.select.vmid_mask = w->vmid ? 1U << w->vmid : 0,
			.select.wave_flags_mask = AMDGPUDBG_WAVE_HALTED,
			.select.wave_flags = AMDGPUDBG_WAVE_HALTED,
		};

		ret = adbg_wave_list_fill(list, w->session, &what);
		if (ret || looks == LOOKS_MAX || !any_in_handler(which, list))
			return ret;
		usleep(LOOK_US);
	}
}

/* Add an operation for a wave, which must still be at the same PC. */
static void add_op(struct amdgpudbg_batch_op *op, enum amdgpudbg_waveop what,
		   const struct amdgpudbg_wave *wave)
{
	op->control = (struct amdgpudbg_wave_control){
		.op = what,
		.mode = AMDGPUDBG_WAVEMODE_SINGLE,
		.flags = AMDGPUDBG_WAVE_CONTROL_EXPECT_PC,
		.vmid = wave->vmid, .at = wave->at, .pc = wave->pc,
	};
}

static int resume(struct wavectl *w, struct temp_halt *which,
		  const struct adbg_wave_list *list)
{
	uint32_t gc_version = adbg_session_get_gc_version(w->session);
	struct amdgpudbg_wave_batch all = { .count = 0 };
	const struct amdgpudbg_wave *wave;
	struct amdgpudbg_batch_op *ops;
	int status = WAVECTL_OK;

	ops = xcalloc(2 * adbg_wave_list_count(list) + 1, sizeof(*ops));
	for (size_t i = 0; (wave = adbg_wave_list_get(list, i)); i++) {
		if (!which->is_ours(which->arg, wave))
			continue;
		if (wave->flags & AMDGPUDBG_WAVE_PRIV ||
		    wave_has_trapped(wave, gc_version)) {
			if (which->stays)
				which->stays(which->arg, wave);
			continue;
		}
		if (which->was_debugged && which->was_debugged(which->arg, wave))
			add_op(&ops[all.count++], AMDGPUDBG_WAVEOP_DEBUG, wave);
		add_op(&ops[all.count++], AMDGPUDBG_WAVEOP_RESUME, wave);
	}
	if (all.count)
		status = plan_batch(w, AMDGPUDBG_WAVEOP_RESUME, ops, &all);
	for (uint32_t i = 0; i < all.count; i++) {
		if (ops[i].control.op != AMDGPUDBG_WAVEOP_RESUME)
			continue;
		which->matched += ops[i].control.matched;
		which->changed += ops[i].control.changed;
	}
	free(ops);
	return status;
}

int temp_halt_end(struct wavectl *w, struct temp_halt *which)
{
	struct adbg_wave_list *list;
	int ret, status;

	which->matched = 0;
	which->changed = 0;
	ret = adbg_wave_list_new(&list);
	if (ret)
		return fail_system(w, ret, "cannot allocate a list");
	ret = look(w, which, list);
	/* The process has exited, and its waves with it. This is reported next. */
	if (ret == -ENOTCONN)
		status = WAVECTL_OK;
	else if (ret)
		status = fail(w, ret, "cannot list the waves");
	else
		status = resume(w, which, list);
	adbg_wave_list_free(list);
	return status;
}

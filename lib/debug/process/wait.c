// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Waiting for one resumed wave without reading events: the wave is polled until it has stopped.
 * Its event is read later, and then reports nothing new.
 */
#include <poll.h>
#include <time.h>

#include "launch.h"
#include "wave.h"

/* The longest pause between two polls: it doubles each time */
#define LAST_PAUSE_NS	2000000

void adbgd_wave_pause(const struct adbgd_process *process, long *ns)
{
	struct pollfd interrupt = { .fd = process->interrupt_fd, .events = POLLIN };
	const struct timespec pause = { .tv_nsec = *ns };

	/* An interrupt or a signal ends the pause early. */
	if (!ppoll(&interrupt, 1, &pause, NULL) && *ns < LAST_PAUSE_NS)
		*ns *= 2;
}

int adbgd_wave_poll(struct adbgd_process *process, const struct amdgpudbg_wave *before,
		    struct amdgpudbg_wave *now, struct adbgd_error *error)
{
	const struct amdgpudbg_wave *w;
	struct adbg_trap trap;
	int ret = adbgd_waves_list(process, &before->at, error);

	w = ret ? NULL : adbg_wave_list_get(process->waves, 0);
	if (!w || !adbgd_wave_is_same(before, w))
		return ret ? ret : ADBGD_WAVE_ENDED;
	*now = *w;
	if (!adbgd_wave_pending_trap(process, w, &trap))
		return ADBGD_WAVE_LATE;
	adbgd_launch_mark_halted(process, &w->at);
	return ADBGD_WAVE_STOPPED;
}

int adbgd_wave_wait(struct adbgd_process *process, const struct amdgpudbg_wave *before,
		    adbgd_wave_late *is_late, void *arg, struct amdgpudbg_wave *now,
		    struct adbgd_error *error)
{
	long pause = ADBGD_FIRST_PAUSE_NS;
	int ret;

	adbgd_launch_mark_resumed(process, &before->at);
	for (;;) {
		ret = adbgd_is_interrupted(process) ? 1 : is_late(arg, error);
		if (ret)
			return ret < 0 ? ret : ADBGD_WAVE_LATE;
		ret = adbgd_wave_poll(process, before, now, error);
		if (ret != ADBGD_WAVE_LATE)
			return ret;
		adbgd_wave_pause(process, &pause);
	}
}

/* Resume a wave that has started in the slot since, unless its own stop or start is pending. */
static int resume_late(struct adbgd_process *p, const struct amdgpudbg_wave *w,
		       struct adbgd_error *error)
{
	struct adbg_trap trap;
	bool stays = adbgd_wave_pending_trap(p, w, &trap) || adbgd_wave_is_starting(p, w);
	int ret = stays ? 0 : adbgd_wave_resume(p, w);

	return ret && !adbgd_wave_is_gone(ret) ?
	       adbgd_failed(p, error, ret, "cannot resume the wave") : ADBGD_WAVE_ENDED;
}

int adbgd_wave_halt(struct adbgd_process *process, const struct amdgpudbg_wave *before,
		    struct amdgpudbg_wave *now, struct adbgd_error *error)
{
	struct amdgpudbg_wave_control control = {
		.op = AMDGPUDBG_WAVEOP_HALT, .at = before->at, .vmid = before->vmid,
	};
	char name[ADBG_WAVE_NAME_MAX];
	const struct amdgpudbg_wave *w;
	struct adbg_trap trap;
	int ret = adbg_wave_control(process->session, &control);

	if (adbgd_wave_is_gone(ret))
		return ADBGD_WAVE_ENDED;
	if (ret)
		return adbgd_failed(process, error, ret, "cannot halt wave %s",
				    adbg_wave_name(&before->at, name));
	ret = adbgd_wave_wait_left_handler(process, &before->at, &w, error);
	if (ret || !w)
		return ret ? ret : ADBGD_WAVE_ENDED;
	if (!adbgd_wave_is_same(before, w))
		return resume_late(process, w, error);
	*now = *w;
	adbgd_launch_mark_halted(process, &w->at);
	return adbgd_wave_pending_trap(process, w, &trap) ? ADBGD_WAVE_STOPPED : ADBGD_WAVE_LATE;
}

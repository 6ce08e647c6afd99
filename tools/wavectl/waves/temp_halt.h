/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waves that a command of a dialogue has halted for itself: they go on when it ends, and
 * the session does not.
 */
#ifndef WAVECTL_TEMP_HALT_H
#define WAVECTL_TEMP_HALT_H

#include "base/wavectl.h"

struct let_go {
	/* Has the command halted this one, which is halted now? */
	bool (*is_ours)(void *arg, const struct amdgpudbg_wave *wave);
	/* NULL, or told of those that stay halted: their handlers have halted them, too. */
	void (*stays)(void *arg, const struct amdgpudbg_wave *wave);
	/* NULL, or has the command taken it out of debug mode, which it goes on in? */
	bool (*was_debugged)(void *arg, const struct amdgpudbg_wave *wave);
	void *arg;
	uint64_t matched;		/* out: how many are to go on */
	uint64_t changed;		/* out: how many of them do */
};

/* Is it the one that was of that VMID at that place? */
bool temp_halt_is(const struct amdgpudbg_wave *wave, uint32_t vmid,
		  const struct amdgpudbg_wave_coord *at);

/*
 * Let them go on, but for those that have stopped by themselves meanwhile. One that has
 * ended, or that another session holds, is no error. An exit status.
 */
int let_go(struct wavectl *w, struct let_go *which);

#endif /* WAVECTL_TEMP_HALT_H */

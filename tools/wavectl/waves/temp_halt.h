/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waves that a command has halted only for itself. In a shell the session outlives the command,
 * so that the command must resume them.
 */
#ifndef WAVECTL_TEMP_HALT_H
#define WAVECTL_TEMP_HALT_H

#include "base/wavectl.h"

struct temp_halt {
	/* Has the command halted this wave? */
	bool (*is_ours)(void *arg, const struct amdgpudbg_wave *wave);
	/*
	 * NULL, or called for each wave that stays halted because its handler has halted it, too
	 */
	void (*stays)(void *arg, const struct amdgpudbg_wave *wave);
	/* NULL, or did the command end the debug mode of this wave? It is enabled again. */
	bool (*was_debugged)(void *arg, const struct amdgpudbg_wave *wave);
	void *arg;
	uint64_t matched;		/* out: waves to resume */
	uint64_t changed;		/* out: waves that were resumed */
};

/* Does @wave have this VMID and these coordinates? */
bool temp_halt_is(const struct amdgpudbg_wave *wave, uint32_t vmid,
		  const struct amdgpudbg_wave_coord *at);

/*
 * Resume these waves, except those that stopped by themselves. It is no error if a wave has
 * ended or another session holds it. Returns an exit status.
 */
int temp_halt_end(struct wavectl *w, struct temp_halt *which);

#endif /* WAVECTL_TEMP_HALT_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* One command to one wave, and the confirmation that it has taken effect */
#ifndef WDBG_WAVE_COMMAND_H
#define WDBG_WAVE_COMMAND_H

#include <linux/ktime.h>

#include "private.h"

ktime_t wdbg_wave_deadline(void);
ktime_t wdbg_wave_deadline_in(u32 timeout_ms);
bool wdbg_wave_late(int *looks, ktime_t deadline);
bool wdbg_wave_retry(struct wdbg_hw *hw, const struct amdgpudbg_wave_coord *at,
		     int *looks, ktime_t deadline);
int wdbg_wave_command(struct wdbg_gpu *gpu, enum amdgpudbg_waveop op,
		      const struct amdgpudbg_wave_coord *at, u32 vmid,
		      ktime_t deadline, u32 *state);
int wdbg_wave_set_debug(struct wdbg_gpu *gpu, bool on,
			const struct amdgpudbg_wave_coord *at, u32 vmid,
			ktime_t deadline);
bool wdbg_wave_at_trap(struct wdbg_gpu *gpu,
		       const struct amdgpudbg_wave_coord *at, u32 state);
void wdbg_wave_mark(struct wdbg_gpu *gpu,
		    const struct amdgpudbg_wave_coord *at, u32 state);
void wdbg_wave_changed(struct wdbg_gpu *gpu, u32 vmid,
		       const struct amdgpudbg_wave_coord *at);
u64 wdbg_wave_changes(struct wdbg_gpu *gpu,
		      const struct amdgpudbg_wave_coord *at, u32 vmid);
void wdbg_wave_resumed(struct wdbg_gpu *gpu, u32 vmid,
		       const struct amdgpudbg_wave_coord *at);

#endif /* WDBG_WAVE_COMMAND_H */

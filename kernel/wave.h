/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Wave slots: their coordinates, walks over them, and who owns the waves that
 * are halted in them.
 */
#ifndef WDBG_WAVE_H
#define WDBG_WAVE_H

#include <linux/ktime.h>

#include "session.h"

/**
 * typedef wdbg_scan_fn - called for each SIMD of a walk
 * @gpu: the GPU
 * @at: the SIMD, its bank selected; @at->wave is for the function to use
 * @live: slots that hold a wave, one bit each
 * @arg: the walk's
 *
 * Return: 0, or an error that ends the walk.
 */
typedef int (*wdbg_scan_fn)(struct wdbg_gpu *gpu,
			    struct amdgpudbg_wave_coord *at, u32 live,
			    void *arg);

ktime_t wdbg_wave_deadline(void);
struct wdbg_slot *wdbg_wave_slot(struct wdbg_gpu *gpu,
				 const struct amdgpudbg_wave_coord *at);
bool wdbg_wave_exists(struct wdbg_gpu *gpu,
		      const struct amdgpudbg_wave_coord *at);
int wdbg_wave_scan(struct wdbg_gpu *gpu,
		   const struct amdgpudbg_wave_coord *cu, wdbg_scan_fn fn,
		   void *arg);
int wdbg_wave_command(struct wdbg_gpu *gpu, enum amdgpudbg_waveop op,
		      const struct amdgpudbg_wave_coord *at, u32 vmid,
		      ktime_t deadline, u32 *state);
void wdbg_wave_resume_owned(struct wdbg_gpu *gpu,
			    struct wdbg_session *session);
void wdbg_wave_disown_ended(struct wdbg_gpu *gpu);
void wdbg_wave_disown(struct wdbg_gpu *gpu, struct wdbg_session *session);

#endif /* WDBG_WAVE_H */

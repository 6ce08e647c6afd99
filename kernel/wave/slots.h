/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Wave slots: their coordinates, walks over them, and the owners of the waves that are
 * halted in them
 */
#ifndef WDBG_WAVE_H
#define WDBG_WAVE_H

#include <linux/ktime.h>

#include "private.h"

/**
 * struct wdbg_place - the slots of a walk
 * @at: their coordinates, as far as @mask says
 * @mask: AMDGPUDBG_AT_*
 * @xccs: XCCs, one bit each; 0: all
 */
struct wdbg_place {
	struct amdgpudbg_wave_coord at;
	u32 mask;
	u32 xccs;
};

/* All slots of one WGP or CU */
#define WDBG_AT_CU	(AMDGPUDBG_AT_XCC | AMDGPUDBG_AT_SE | \
			 AMDGPUDBG_AT_SA | AMDGPUDBG_AT_WGP)

/**
 * typedef wdbg_scan_fn - called for each SIMD of a walk
 * @gpu: the GPU
 * @at: the SIMD, its bank selected; the function may use @at->wave
 * @live: slots of the walk that hold a wave, one bit each
 * @arg: the argument of the walk
 *
 * Return: 0, or an error that ends the walk.
 */
typedef int (*wdbg_scan_fn)(struct wdbg_gpu *gpu,
			    struct amdgpudbg_wave_coord *at, u32 live,
			    void *arg);

/**
 * typedef wdbg_simd_fn - called for each SIMD
 * @gpu: the GPU
 * @at: the SIMD, whose bank is not selected
 * @arg: the argument of the walk
 */
typedef void (*wdbg_simd_fn)(struct wdbg_gpu *gpu,
			     const struct amdgpudbg_wave_coord *at, void *arg);

ktime_t wdbg_wave_deadline(void);
ktime_t wdbg_wave_deadline_in(u32 timeout_ms);
struct wdbg_slot *wdbg_wave_slot(struct wdbg_gpu *gpu,
				 const struct amdgpudbg_wave_coord *at);
void wdbg_wave_own(struct wdbg_slot *slot, struct wdbg_session *owner);
bool wdbg_wave_exists(struct wdbg_gpu *gpu,
		      const struct amdgpudbg_wave_coord *at);
int wdbg_wave_scan(struct wdbg_gpu *gpu,
		   const struct wdbg_place *place, wdbg_scan_fn fn, void *arg);
int wdbg_wave_scan_turn(struct wdbg_gpu *gpu, const struct wdbg_place *place,
			struct amdgpudbg_wave_coord *from, wdbg_scan_fn fn,
			void *arg);
void wdbg_wave_for_simds(struct wdbg_gpu *gpu, const struct wdbg_place *place,
			 wdbg_simd_fn fn, void *arg);
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
void wdbg_wave_claim(struct wdbg_gpu *gpu,
		     const struct amdgpudbg_wave_coord *at);
void wdbg_wave_claim_how(struct wdbg_gpu *gpu,
			 const struct amdgpudbg_wave_coord *at,
			 enum wdbg_halted how);
void wdbg_wave_claim_all(struct wdbg_gpu *gpu);
void wdbg_wave_claim_debug_for(struct wdbg_gpu *gpu,
			       const struct amdgpudbg_wave_coord *at, u32 vmid,
			       struct wdbg_session *owner);
void wdbg_wave_claim_for(struct wdbg_gpu *gpu,
			 const struct amdgpudbg_wave_coord *at, u32 vmid,
			 struct wdbg_session *owner);
void wdbg_wave_changed(struct wdbg_gpu *gpu, u32 vmid,
		       const struct amdgpudbg_wave_coord *at);
u64 wdbg_wave_changes(struct wdbg_gpu *gpu,
		      const struct amdgpudbg_wave_coord *at, u32 vmid);
void wdbg_wave_resumed(struct wdbg_gpu *gpu, u32 vmid,
		       const struct amdgpudbg_wave_coord *at);
void wdbg_wave_restore_lost(struct wdbg_session *session, u32 vmids);
void wdbg_wave_resume_halted(struct wdbg_gpu *gpu, u32 vmids);
void wdbg_wave_discard_ended(struct wdbg_gpu *gpu);

#endif /* WDBG_WAVE_H */

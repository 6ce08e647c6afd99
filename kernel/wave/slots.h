/* SPDX-License-Identifier: GPL-2.0-only */
/* Wave slots: their coordinates, and walks over them */
#ifndef WDBG_WAVE_SLOTS_H
#define WDBG_WAVE_SLOTS_H

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

struct wdbg_slot *wdbg_wave_slot(struct wdbg_gpu *gpu,
				 const struct amdgpudbg_wave_coord *at);
bool wdbg_wave_exists(struct wdbg_gpu *gpu,
		      const struct amdgpudbg_wave_coord *at);
bool wdbg_wave_next_simd(const struct wdbg_hw *hw, struct amdgpudbg_wave_coord *at);
int wdbg_wave_scan(struct wdbg_gpu *gpu,
		   const struct wdbg_place *place, wdbg_scan_fn fn, void *arg);
int wdbg_wave_scan_turn(struct wdbg_gpu *gpu, const struct wdbg_place *place,
			struct amdgpudbg_wave_coord *from, wdbg_scan_fn fn,
			void *arg);
void wdbg_wave_for_simds(struct wdbg_gpu *gpu, const struct wdbg_place *place,
			 wdbg_simd_fn fn, void *arg);

#endif /* WDBG_WAVE_SLOTS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ids of waves.
 */
#ifndef WDBG_WAVE_ID_H
#define WDBG_WAVE_ID_H

#include "private.h"

u64 wdbg_wave_id(struct wdbg_gpu *gpu, struct wdbg_slot *slot, u32 vmid);
void wdbg_wave_id_discard(struct wdbg_slot *slot);
void wdbg_wave_id_discard_all(struct wdbg_gpu *gpu, u32 vmids);
struct wdbg_slot *wdbg_wave_id_find(struct wdbg_gpu *gpu, u64 id,
				    struct amdgpudbg_wave_coord *at);

#endif /* WDBG_WAVE_ID_H */

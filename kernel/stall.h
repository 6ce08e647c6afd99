/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeping new waves of some VMIDs from starting.
 */
#ifndef WDBG_STALL_H
#define WDBG_STALL_H

#include "gpu.h"

int wdbg_stall_begin(struct wdbg_gpu *gpu, u32 vmid_mask);
void wdbg_stall_end(struct wdbg_gpu *gpu, u32 vmid_mask);
void wdbg_stall_forget(struct wdbg_gpu *gpu, u32 vmid_mask);

#endif /* WDBG_STALL_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The VMID that is reserved for a target.
 */
#ifndef WDBG_RESERVE_H
#define WDBG_RESERVE_H

#include "session.h"

/**
 * struct wdbg_reservation - a VMID of its own for one address space
 * @file: the DRM file of the address space, referenced
 * @drm: DRM's part of @file
 * @vmid: the VMID
 * @undo: it was not the target that reserved it
 * @users: how many need it
 * @close: lets go of @file, and frees this
 *
 * Every series of amdgpu has at most one VMID that can be reserved, so a GPU has
 * at most one of these. Under the GPU's lock.
 */
struct wdbg_reservation {
	struct file *file;
	struct drm_file *drm;
	u32 vmid;
	bool undo;
	unsigned int users;
	struct work_struct close;
};

const char *wdbg_vmid_why_not(const struct wdbg_gpu *gpu);
int wdbg_vmid_reserve(struct wdbg_session *session, u32 *vmid);
void wdbg_vmid_release(struct wdbg_session *session);
int wdbg_vmid_check(struct wdbg_gpu *gpu);
void wdbg_vmid_hold(struct wdbg_gpu *gpu);
void wdbg_vmid_drop(struct wdbg_gpu *gpu);

#endif /* WDBG_RESERVE_H */

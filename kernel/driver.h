/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls of amdgpu's own ioctls, on behalf of a target.
 */
#ifndef WDBG_DRIVER_H
#define WDBG_DRIVER_H

#include <linux/types.h>

struct drm_file;
struct wdbg_gpu;

int wdbg_driver_ioctl(struct wdbg_gpu *gpu, struct drm_file *drm, u32 cmd,
		      void *args);
int wdbg_driver_make(struct wdbg_gpu *gpu, struct drm_file *drm, u32 cmd,
		     void *args);
void wdbg_driver_in_worker(void (*fn)(void *arg), void *arg);

#endif /* WDBG_DRIVER_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find out whether a display of the GPU shows a picture, and of which process. The
 * GPU's lock is held, so this waits for no lock of DRM: a commit may hold one while it
 * waits for a job whose waves are halted.
 */
#include <drm/drm_auth.h>
#include <drm/drm_crtc.h>
#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <linux/mutex.h>
#include <linux/ww_mutex.h>

#include "amdgpu/amdgpu.h"
#include "amdgpu/opener.h"
#include "caps.h"
#include "gpu.h"

/* A CRTC that a commit is changing counts as active. */
static bool display_is_active(struct drm_crtc *crtc)
{
	bool active;

	if (!ww_mutex_trylock(&crtc->mutex.mutex, NULL))
		return true;
	active = crtc->state ? crtc->state->active : crtc->enabled;
	ww_mutex_unlock(&crtc->mutex.mutex);
	return active;
}

static bool display_any_active(struct drm_device *ddev)
{
	struct drm_crtc *crtc;

	/* CRTCs exist as long as the device is registered. */
	drm_for_each_crtc(crtc, ddev)
		if (display_is_active(crtc))
			return true;
	return false;
}

/* 0 if another thread holds the lock of the list */
static s32 display_pid_of(struct drm_device *ddev, const struct drm_master *master)
{
	struct drm_file *drm;
	s32 pid = 0;

	if (!mutex_trylock(&ddev->filelist_mutex))
		return 0;
	list_for_each_entry(drm, &ddev->filelist, lhead) {
		if (!drm->is_master || drm->master != master)
			continue;
		pid = wdbg_opener(drm);
		break;
	}
	mutex_unlock(&ddev->filelist_mutex);
	return pid;
}

/**
 * wdbg_display_look() - get the state of the GPU's displays
 * @gpu: the GPU, attached
 * @display: out, except @graphics
 *
 * Context: the GPU's lock is held; the caller's thread.
 */
void wdbg_display_look(struct wdbg_gpu *gpu, struct wdbg_display *display)
{
	struct drm_device *ddev = gpu->ddev;

	lockdep_assert_held(&gpu->lock);
	memset(display, 0, sizeof(*display));
	/* Without displays, DRM has not initialised the list of CRTCs. */
	if (!ddev->mode_config.num_crtc)
		return;
	display->active = display_any_active(ddev);
	if (!mutex_trylock(&ddev->master_mutex)) {
		/* The master is being set or dropped, or a lease created. */
		display->master = true;
		return;
	}
	display->master = ddev->master;
	display->leased = ddev->master && !list_empty(&ddev->master->lessees);
	if (ddev->master)
		display->pid = display_pid_of(ddev, ddev->master);
	mutex_unlock(&ddev->master_mutex);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether a display of the GPU shows a picture, and whose it is. The GPU's lock is held, so
 * that no lock of DRM is waited for: a commit may hold it while it waits for a job whose waves
 * are halted.
 */
#include <drm/drm_auth.h>
#include <drm/drm_crtc.h>
#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <linux/mutex.h>
#include <linux/ww_mutex.h>

#include "amdgpu/opener.h"
#include "private.h"

/* While a commit changes the CRTC, it is taken for active. */
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

	/* CRTCs stay as long as the device is registered. */
	drm_for_each_crtc(crtc, ddev)
		if (display_is_active(crtc))
			return true;
	return false;
}

/* 0 if another thread has the list just now */
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
 * wdbg_display_look() - what is known of the GPU's displays
 * @gpu: the GPU, attached
 * @display: out; all but @graphics
 *
 * Context: the GPU's lock is held; the caller's thread.
 */
void wdbg_display_look(struct wdbg_gpu *gpu, struct wdbg_display *display)
{
	struct drm_device *ddev = gpu->ddev;

	lockdep_assert_held(&gpu->lock);
	memset(display, 0, sizeof(*display));
	/* Without displays, DRM has not even made the list of CRTCs. */
	if (!ddev->mode_config.num_crtc)
		return;
	display->active = display_any_active(ddev);
	if (!mutex_trylock(&ddev->master_mutex)) {
		/* It is being set or dropped, or a lease made. */
		display->master = true;
		return;
	}
	display->master = ddev->master;
	display->leased = ddev->master && !list_empty(&ddev->master->lessees);
	if (ddev->master)
		display->pid = display_pid_of(ddev, ddev->master);
	mutex_unlock(&ddev->master_mutex);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keep an address space without jobs from getting one, for a moment.
 *
 * amdgpu_cs_ioctl() first looks its context up, under amdgpu_ctx_mgr.lock, and keeps a
 * reference to it until its job is in the address space's dma_resv (amdgpu_ctx_get(),
 * amdgpu_cs_parser_fini()). So while that lock is held and no context has a second
 * reference, no job is on its way, and none can begin. No holder of the lock of an
 * address space takes this one.
 *
 * A job whose owner frees its context while the job is on its way is not seen. User
 * queues (Linux 7.2) need no context: they have a fence for as long as they live.
 */
#include <drm/drm_file.h>
#include <linux/idr.h>
#include <linux/kref.h>
#include <linux/mutex.h>

#include "amdgpu/amdgpu.h"
#include "gpu.h"

/**
 * wdbg_ctx_mgr_hold() - let an address space get no jobs
 * @gpu: the GPU, attached
 * @drm: its DRM file, kept open by the caller
 *
 * Does nothing where the layout of contexts is not known.
 *
 * Context: amdgpu stays, because the GPU's lock is held or its detach waits for the
 *	caller's work; no lock of an address space is held.
 * Return: true, and the caller has to call wdbg_ctx_mgr_release() soon, because the
 *	target's submissions wait; false if a job may be on its way: try later.
 */
bool wdbg_ctx_mgr_hold(struct wdbg_gpu *gpu, struct drm_file *drm)
{
	struct mutex *lock = wdbg_drm_field(gpu, drm, WDBG_FPRIV_CTX_LOCK);
	struct idr *idr = wdbg_drm_field(gpu, drm, WDBG_FPRIV_CTX_HANDLES);
	void *ctx;
	int id;

	if (!gpu->layout.has_contexts)
		return true;
	/* A close of the file holds it until its jobs have ended. */
	if (!mutex_trylock(lock))
		return false;
	idr_for_each_entry(idr, ctx, id) {
		if (kref_read(wdbg_field_ptr(&gpu->layout, ctx,
					     WDBG_CTX_REFCOUNT)) > 1) {
			mutex_unlock(lock);
			return false;
		}
	}
	return true;
}

/**
 * wdbg_ctx_mgr_release() - end wdbg_ctx_mgr_hold()
 * @gpu: the GPU
 * @drm: the DRM file
 */
void wdbg_ctx_mgr_release(struct wdbg_gpu *gpu, struct drm_file *drm)
{
	if (gpu->layout.has_contexts)
		mutex_unlock(wdbg_drm_field(gpu, drm, WDBG_FPRIV_CTX_LOCK));
}

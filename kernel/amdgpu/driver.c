// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls of amdgpu's own ioctls, on behalf of a target: its address space is
 * changed by the same code that would do it for the target itself. The functions
 * are found in the table of ioctls that amdgpu gives to DRM.
 *
 * Not by drm_ioctl_kernel(): since Linux 6.7 that makes the calling process the
 * one that fdinfo and debugfs name as the file's user.
 *
 * And not in the caller's thread, but always by a worker:
 *
 * - The scheduler takes who submits a page table update for the address space's
 *   user, and ends the address space when that one is killed
 *   (drm_sched_entity_flush(), where the user has the file open).
 * - A thread that is being killed has a signal pending, with which amdgpu's
 *   interruptible waits give up half way. On Linux 6.1, amdgpu_vm_ioctl() of
 *   UNRESERVE_VMID then leaves the page directory locked for ever.
 */
#include <drm/drm_device.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_ioctl.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "private.h"

/*
 * Of its own: who waits for it may hold a GPU's lock, which everything in
 * wdbg_workqueue may be waiting for, and of a queue only so many works run at a time.
 */
static struct workqueue_struct *driver_workqueue;

/**
 * wdbg_driver_init() - before any other function of this file
 *
 * Return: 0 or -ENOMEM.
 */
int wdbg_driver_init(void)
{
	driver_workqueue = alloc_workqueue("amdgpudbg_driver", WQ_UNBOUND, 0);
	return driver_workqueue ? 0 : -ENOMEM;
}

/**
 * wdbg_driver_exit() - end of wdbg_driver_init()
 */
void wdbg_driver_exit(void)
{
	destroy_workqueue(driver_workqueue);
}

/* What of drm_ioctl_permit() of Linux 6.1 to 7.2 can apply. */
static bool permitted(const struct drm_ioctl_desc *ioctl,
		      const struct drm_file *drm)
{
	if (drm_is_render_client(drm))
		return ioctl->flags & DRM_RENDER_ALLOW;
	return drm->authenticated || !(ioctl->flags & DRM_AUTH);
}

struct in_worker {
	struct work_struct work;
	void (*fn)(void *arg);
	void *arg;
};

static void in_worker(struct work_struct *work)
{
	struct in_worker *w = container_of(work, struct in_worker, work);

	w->fn(w->arg);
}

/**
 * wdbg_driver_in_worker() - let a worker call something of amdgpu's
 * @fn: what; it may rely on the caller's locks, and takes none of ours
 * @arg: its argument
 *
 * Waits for the end of @fn. Context: may sleep.
 */
void wdbg_driver_in_worker(void (*fn)(void *arg), void *arg)
{
	struct in_worker w = { .fn = fn, .arg = arg };

	if (current->flags & PF_WQ_WORKER) {
		fn(arg);
		return;
	}
	INIT_WORK_ONSTACK(&w.work, in_worker);
	queue_work(driver_workqueue, &w.work);
	flush_work(&w.work);
	destroy_work_on_stack(&w.work);
}

/**
 * struct ioctl_call - one of amdgpu's ioctls, to be called
 * @gpu: the GPU
 * @drm: the file that it is for
 * @cmd: DRM_IOCTL_AMDGPU_*
 * @args: its structure
 * @ret: out
 */
struct ioctl_call {
	struct wdbg_gpu *gpu;
	struct drm_file *drm;
	u32 cmd;
	void *args;
	int ret;
};

static void call_ioctl(void *arg)
{
	struct ioctl_call *call = arg;
	struct drm_device *ddev = call->gpu->ddev;
	u32 nr = DRM_IOCTL_NR(call->cmd) - DRM_COMMAND_BASE;
	const struct drm_ioctl_desc *ioctl;
	int idx;

	if (!drm_dev_enter(ddev, &idx)) {
		call->ret = -ENODEV;
		return;
	}
	call->ret = -EOPNOTSUPP;
	if (nr < ddev->driver->num_ioctls) {
		ioctl = &ddev->driver->ioctls[nr];
		if (ioctl->cmd == call->cmd && ioctl->func)
			call->ret = permitted(ioctl, call->drm) ?
				    ioctl->func(ddev, call->args, call->drm) :
				    -EACCES;
	}
	drm_dev_exit(idx);
}

/**
 * wdbg_driver_ioctl() - one of amdgpu's ioctls
 * @gpu: the GPU, attached
 * @drm: the DRM file that it is for, kept open by the caller
 * @cmd: DRM_IOCTL_AMDGPU_*
 * @args: its structure, in kernel memory
 *
 * Context: may sleep, and cannot be interrupted; the GPU's lock is held; not
 * between wdbg_power_begin() and _end(), because amdgpu takes the reset lock
 * itself.
 * Return: what amdgpu returns, or -EACCES if @drm may not; -ENODEV if the GPU is
 * gone; -EOPNOTSUPP if this amdgpu has no such ioctl.
 */
int wdbg_driver_ioctl(struct wdbg_gpu *gpu, struct drm_file *drm, u32 cmd,
		      void *args)
{
	struct ioctl_call call = {
		.gpu = gpu, .drm = drm, .cmd = cmd, .args = args,
	};

	lockdep_assert_held(&gpu->lock);
	if (!gpu->adev)
		return -ENODEV;
	wdbg_driver_in_worker(call_ioctl, &call);
	return call.ret;
}

#ifdef WDBG_FAULTS
#include <linux/fault-inject.h>

/*
 * For tests alone, which build the module so for a kernel with fault injection: is
 * this call one that a caller's file fail-nth wants to fail? What amdgpu
 * allocates is not counted there, as a worker does so. Nor should it: when page
 * tables cannot be written, amdgpu reports success and, for the directories,
 * leaves a list behind whose head is gone (amdgpu_gem_va_update_vm() and
 * amdgpu_vm_update_pdes(), Linux 6.1).
 */
static bool is_to_fail(void)
{
	/* Of no other use: its probability is zero. */
	static struct fault_attr fail_driver;

	return should_fail(&fail_driver, 1);
}
#else
static bool is_to_fail(void)
{
	return false;
}
#endif

/**
 * wdbg_driver_make() - wdbg_driver_ioctl() of something that takes memory
 * @gpu: the GPU, attached
 * @drm: the DRM file that it is for, kept open by the caller
 * @cmd: DRM_IOCTL_AMDGPU_*
 * @args: its structure, in kernel memory
 *
 * Counts as one allocation where WDBG_FAULTS is defined. Context: as
 * wdbg_driver_ioctl().
 * Return: as wdbg_driver_ioctl().
 */
int wdbg_driver_make(struct wdbg_gpu *gpu, struct drm_file *drm, u32 cmd,
		     void *args)
{
	return is_to_fail() ? -ENOMEM : wdbg_driver_ioctl(gpu, drm, cmd, args);
}

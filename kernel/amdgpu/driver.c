// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls of amdgpu's own ioctls, on behalf of a target: its address space is changed by
 * the same code that would do it for the target itself. The functions are found in the
 * table of ioctls that amdgpu gives to DRM.
 *
 * They are not called through drm_ioctl_kernel(): since Linux 6.7 that makes the
 * calling process the one that fdinfo and debugfs name as the file's user.
 *
 * They are called outside of the power bracket, because amdgpu takes reset_domain->sem
 * itself, and never in the caller's thread, but by a worker:
 *
 * - The scheduler takes the thread that submits a page table update for the address
 *   space's user, and ends the address space when that thread is killed
 *   (drm_sched_entity_flush(), where the user has the file open).
 * - A thread that is being killed has a signal pending, with which amdgpu's
 *   interruptible waits give up half way. On Linux 6.1, amdgpu_vm_ioctl() of
 *   UNRESERVE_VMID then leaves the page directory locked for ever.
 *
 * The rule for locks: never wait, with a GPU's lock held, for anything that a target
 * can hold. Its halted waves could otherwise not be resumed, by their owner or at the
 * end of the halt budget. RESERVE_VMID takes id_mgr.lock only and is called with the
 * GPU's lock held; all other ioctls (with Linux 6.1 also UNRESERVE_VMID) take the lock
 * of the target's address space, which the target can hold for as long as a job of its
 * own takes, and are called without. With Linux 6.1, UNRESERVE_VMID takes up to two
 * seconds while the target has jobs, with that lock held: calls that need the target's
 * memory wait for that (transfer.c).
 *
 * wdbg_driver_may_wait() marks each place where such a lock or worker is waited for,
 * and the one place where the ioctls are called. With lockdep, it asserts that the
 * GPU's lock is not held, and records that what it waits for comes before that lock
 * (wdbg_driver_lock_order()).
 */
#include <drm/amdgpu_drm.h>
#include <drm/drm_device.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_ioctl.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "amdgpu/amdgpu.h"
#include "gpu.h"

/*
 * A queue of its own: its waiters may hold a GPU's lock, which everything in the
 * cleanup queue may be waiting for, and a queue runs a limited number of works at a
 * time.
 */
static struct workqueue_struct *driver_workqueue;

/*
 * For calls that take the lock of a target's address space. The target can hold that
 * for as long as a job of its own takes, whose waves may be halted: so no lock of the
 * module is held while such a work runs, all waits for it are limited, and no other
 * queue has it. One address space has three of them at most at a time.
 */
static struct workqueue_struct *target_workqueue;

#ifdef CONFIG_LOCKDEP
/*
 * Stands for everything that a target can hold. It comes before each GPU's lock, so
 * that lockdep reports a wait for it, also for a work that waits for it, with a GPU's
 * lock held.
 */
static struct lockdep_map target_map =
	STATIC_LOCKDEP_MAP_INIT("amdgpudbg_target", &target_map);
#endif

/**
 * wdbg_driver_init() - initialise this file, before any other function of it
 *
 * Return: 0 or -ENOMEM.
 */
int wdbg_driver_init(void)
{
	driver_workqueue = alloc_workqueue("amdgpudbg_driver", WQ_UNBOUND, 0);
	if (!driver_workqueue)
		return -ENOMEM;
	target_workqueue = alloc_workqueue("amdgpudbg_target", WQ_UNBOUND,
					   WQ_MAX_ACTIVE);
	if (target_workqueue)
		return 0;
	destroy_workqueue(driver_workqueue);
	return -ENOMEM;
}

/**
 * wdbg_driver_exit() - end wdbg_driver_init()
 */
void wdbg_driver_exit(void)
{
	destroy_workqueue(target_workqueue);
	destroy_workqueue(driver_workqueue);
}

/**
 * wdbg_driver_queue() - queue a work that may wait for a target
 * @work: the work; holds no lock of the module around wdbg_driver_call()
 */
void wdbg_driver_queue(struct work_struct *work)
{
	queue_work(target_workqueue, work);
}

/**
 * wdbg_driver_may_wait() - declare that the caller waits for something that a target
 *	can hold
 * @gpu: the GPU, whose lock must not be held
 *
 * Kernels with lockdep check that, see wdbg_driver_lock_order().
 */
void wdbg_driver_may_wait(struct wdbg_gpu *gpu)
{
	lockdep_assert_not_held(&gpu->lock);
	lock_map_acquire(&target_map);
	lock_map_release(&target_map);
}

/**
 * wdbg_driver_lock_order() - tell lockdep that a GPU's lock comes after what targets hold
 * @gpu: the GPU
 */
void wdbg_driver_lock_order(struct wdbg_gpu *gpu)
{
	lock_map_acquire(&target_map);
	might_lock(&gpu->lock);
	lock_map_release(&target_map);
}

/* The checks of drm_ioctl_permit() of Linux 6.1 to 7.2 that can apply */
static bool driver_is_permitted(const struct drm_ioctl_desc *ioctl,
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

static void driver_run_work(struct work_struct *work)
{
	struct in_worker *w = container_of(work, struct in_worker, work);

	w->fn(w->arg);
}

/**
 * wdbg_driver_in_worker() - let a worker call a function of amdgpu, and wait for it
 * @fn: calls it; may rely on the caller's locks, and takes none of the module's
 * @arg: its argument
 *
 * Context: may sleep.
 */
void wdbg_driver_in_worker(void (*fn)(void *arg), void *arg)
{
	struct in_worker w = { .fn = fn, .arg = arg };

	if (current->flags & PF_WQ_WORKER) {
		fn(arg);
		return;
	}
	INIT_WORK_ONSTACK(&w.work, driver_run_work);
	queue_work(driver_workqueue, &w.work);
	flush_work(&w.work);
	destroy_work_on_stack(&w.work);
}

/**
 * struct ioctl_call - a call of one of amdgpu's ioctls
 * @gpu: the GPU
 * @ddev: the DRM device
 * @drm: the file that it is for
 * @cmd: DRM_IOCTL_AMDGPU_*
 * @args: its structure
 * @ret: out
 */
struct ioctl_call {
	struct wdbg_gpu *gpu;
	struct drm_device *ddev;
	struct drm_file *drm;
	u32 cmd;
	void *args;
	int ret;
};

/* RESERVE_VMID takes only the lock of amdgpu's manager of VMIDs. */
static bool driver_may_wait(const struct ioctl_call *call)
{
	const union drm_amdgpu_vm *vm = call->args;

	return call->cmd != DRM_IOCTL_AMDGPU_VM ||
	       vm->in.op != AMDGPU_VM_OP_RESERVE_VMID;
}

static void driver_call_ioctl(void *arg)
{
	struct ioctl_call *call = arg;
	struct drm_device *ddev = call->ddev;
	u32 nr = DRM_IOCTL_NR(call->cmd) - DRM_COMMAND_BASE;
	const struct drm_ioctl_desc *ioctl;
	int idx;

	if (driver_may_wait(call))
		wdbg_driver_may_wait(call->gpu);
	if (!drm_dev_enter(ddev, &idx)) {
		call->ret = -ENODEV;
		return;
	}
	call->ret = -EOPNOTSUPP;
	if (nr < ddev->driver->num_ioctls) {
		ioctl = &ddev->driver->ioctls[nr];
		if (ioctl->cmd == call->cmd && ioctl->func)
			call->ret = driver_is_permitted(ioctl, call->drm) ?
				    ioctl->func(ddev, call->args, call->drm) :
				    -EACCES;
	}
	drm_dev_exit(idx);
}

/**
 * wdbg_driver_call() - call one of amdgpu's ioctls that takes the lock of an address
 *	space
 * @gpu: the GPU, which wdbg_gpu_hold() keeps
 * @ddev: its DRM device
 * @drm: the DRM file that it is for, kept open by the caller
 * @cmd: DRM_IOCTL_AMDGPU_*
 * @args: its structure, in kernel memory
 *
 * Context: a work of wdbg_driver_queue(), with no lock of the module held.
 * Return: what amdgpu returns, or -EACCES if @drm may not; -ENODEV if the GPU is gone
 *	or amdgpu is being unbound, see wdbg_gpu_close_later(); -EOPNOTSUPP if this
 *	amdgpu has no such ioctl.
 */
int wdbg_driver_call(struct wdbg_gpu *gpu, struct drm_device *ddev,
		     struct drm_file *drm, u32 cmd, void *args)
{
	struct ioctl_call call = {
		.gpu = gpu, .ddev = ddev, .drm = drm, .cmd = cmd, .args = args,
	};

	/* The unbind waits for calls that have begun before, see wdbg_gpu_hold(). */
	if (READ_ONCE(gpu->unbinding))
		return -ENODEV;
	driver_call_ioctl(&call);
	return call.ret;
}

#ifdef WDBG_FAULTS
#include <linux/fault-inject.h>

/**
 * wdbg_driver_is_to_fail() - let a call of amdgpu fail, for a test
 *
 * Only in builds for a kernel with fault injection: does a caller's file fail-nth
 * select this call? amdgpu's own allocations are not counted there, because a worker
 * makes them. Nor should they be: when page tables cannot be written, amdgpu reports
 * success and, for the directories, leaves a list behind whose head is gone
 * (amdgpu_gem_va_update_vm() and amdgpu_vm_update_pdes(), Linux 6.1).
 * Return: true if the call has to fail.
 */
bool wdbg_driver_is_to_fail(void)
{
	/* It has no other use: its probability is zero. */
	static struct fault_attr fail_driver;

	return should_fail(&fail_driver, 1);
}
#else
bool wdbg_driver_is_to_fail(void)
{
	return false;
}
#endif

/**
 * wdbg_driver_reserve_vmid() - call AMDGPU_VM_OP_RESERVE_VMID
 * @gpu: the GPU, attached
 * @drm: the DRM file that it is for, kept open by the caller
 *
 * The only ioctl of amdgpu that is called with the GPU's lock held, since it does not
 * wait for the target. Counts as one allocation where WDBG_FAULTS is defined.
 * Context: may sleep, and cannot be interrupted; the GPU's lock is held; not between
 *	wdbg_power_begin() and wdbg_power_end(), because amdgpu takes the reset lock
 *	itself.
 * Return: see wdbg_driver_call().
 */
int wdbg_driver_reserve_vmid(struct wdbg_gpu *gpu, struct drm_file *drm)
{
	union drm_amdgpu_vm args = { .in.op = AMDGPU_VM_OP_RESERVE_VMID };
	struct ioctl_call call = {
		.gpu = gpu, .ddev = gpu->ddev, .drm = drm,
		.cmd = DRM_IOCTL_AMDGPU_VM, .args = &args,
	};

	lockdep_assert_held(&gpu->lock);
	if (wdbg_driver_is_to_fail())
		return -ENOMEM;
	if (!gpu->adev || gpu->unbinding)
		return -ENODEV;
	wdbg_driver_in_worker(driver_call_ioctl, &call);
	return call.ret;
}

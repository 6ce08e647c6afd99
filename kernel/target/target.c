// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMDGPUDBG_IOC_TARGET_SET: a session's target, which waves a session may touch, and
 * whether to halt them would stop a picture.
 *
 * The caller names a target by its own DRM file, which only the process itself can pass
 * on, or pidfd_getfd() after the core kernel's ptrace check. While the module
 * references the file, its PASID is not reused, so that IH_VMID_n_LUT shows which VMIDs
 * are the target's. That table is a history: a VMID that the target has left keeps its
 * PASID until the next user comes, and has no waves until then.
 *
 * The PASID is read at each use: when a process that has its file already begins to use
 * amdkfd, it gets another PASID, and the next file that is opened gets the old one
 * (amdgpu_amdkfd_gpuvm_set_vm_pasid(), Linux 6.1 and 6.12). Its jobs have ended by then
 * (init_kfd_vm() waits for them), except one that comes at that moment. So the table is
 * not trusted where amdgpu's VMID manager shows that a VMID was granted to another
 * process.
 */
#include <drm/drm_auth.h>
#include <drm/drm_crtc.h>
#include <drm/drm_device.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/magic.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>
#include <linux/ww_mutex.h>

#include "amdgpu/amdgpu.h"
#include "amdgpu/compat.h"
#include "amdgpu/opener.h"
#include "caps.h"
#include "gpu.h"
#include "hw/mmio.h"
#include "ioctl.h"
#include "session.h"
#include "target/target.h"

#ifdef WDBG_FILELOCK_H
#include <linux/filelock.h>
#else
#include <linux/fs.h>
#endif

/* PID_FS_MAGIC of include/uapi/linux/magic.h, Linux 6.12 */
#define PIDFS_MAGIC	0x50494446

static bool target_is_pidfd(const struct file *file)
{
	const struct dentry *dentry = file->f_path.dentry;

	/* pidfds have a file system of their own since Linux 6.9. */
	if (dentry->d_sb->s_magic == PIDFS_MAGIC)
		return true;
	/* Only the kernel names anonymous inodes. */
	return dentry->d_sb->s_magic == ANON_INODE_FS_MAGIC &&
	       !strcmp(dentry->d_name.name, "[pidfd]");
}

static bool target_has_exited(struct file *pidfile)
{
	return vfs_poll(pidfile, NULL) & EPOLLIN;
}

/* Called at the exit of a process, in atomic context: only queue a work. */
static int target_on_pidfd_wake(wait_queue_entry_t *wait, unsigned int mode, int sync,
				void *key)
{
	struct wdbg_target *target = container_of(wait, struct wdbg_target,
						  wait);

	queue_work(wdbg_look_workqueue, &target->exited);
	return 0;
}

static void target_queue_on_pidfd(struct file *file, wait_queue_head_t *queue,
				  poll_table *poll)
{
	struct wdbg_target *target = container_of(poll, struct wdbg_target,
						  poll);

	target->queue = queue;
	add_wait_queue(queue, &target->wait);
}

static void target_exited_work(struct work_struct *work)
{
	struct wdbg_target *target = container_of(work, struct wdbg_target,
						  exited);
	struct wdbg_gpu *gpu = target->gpu;
	struct wdbg_session *session;

	/*
	 * The end of each thread wakes a pidfd, but only the end of the last makes it
	 * readable.
	 */
	if (!target_has_exited(target->pidfile))
		return;
	/*
	 * In place of the user who has set the target: users can end processes at any
	 * time.
	 */
	wdbg_gpu_lock_for(gpu, target->caller, NULL);
	session = target->session;
	if (session) {
		wdbg_session_restore(gpu, session);
		wdbg_target_discard(session, true);
		wdbg_event_post(session, AMDGPUDBG_EVENT_TARGET_GONE, 0);
	}
	wdbg_gpu_unlock(gpu);
}

/* Free everything but its DRM file. */
static void target_free(struct wdbg_target *target)
{
	if (target->queue)
		remove_wait_queue(target->queue, &target->wait);
	cancel_work_sync(&target->exited);
	if (target->pidfile)
		fput(target->pidfile);
	wdbg_gpu_put(target->gpu);
	kfree(target);
}

static void target_free_work(struct work_struct *work)
{
	struct wdbg_target *target = container_of(work, struct wdbg_target,
						  free.work);
	struct wdbg_gpu *gpu = target->gpu;
	struct wdbg_user *user = target->user;
	struct file *file = target->file;

	target_free(target);
	/*
	 * Now, not when the thread returns to user space, which a worker never does:
	 * amdgpu cannot be unloaded while the file is open.
	 */
	__fput_sync(file);
	wdbg_user_drop_closing(user);
	wdbg_gpu_closed(gpu);
}

/**
 * wdbg_target_need() - check that a session has a target
 * @session: the session
 *
 * Context: the GPU's lock is held.
 * Return: 0, or -ENOTCONN if it has none, or the target has exited.
 */
int wdbg_target_need(struct wdbg_session *session)
{
	lockdep_assert_held(&session->gpu->lock);
	return session->target ? 0 : -ENOTCONN;
}

/**
 * wdbg_target_lock() - lock the GPU of a session that has a target
 * @session: the session
 *
 * Return: 0; with an error the GPU is not locked: -EINTR if the caller is killed,
 *	-ENODEV if the GPU is gone, else see wdbg_target_need().
 */
int wdbg_target_lock(struct wdbg_session *session)
{
	struct wdbg_gpu *gpu = session->gpu;
	int ret;

	if (wdbg_gpu_lock_killable(gpu, session))
		return -EINTR;
	ret = gpu->adev ? wdbg_target_need(session) : -ENODEV;
	if (ret)
		wdbg_gpu_unlock(gpu);
	return ret;
}

/**
 * wdbg_target_discard() - end a session's use of its target
 * @session: the session; it may have none
 * @gone: the target was not given up, but has exited or was lost with the GPU: the
 *	session must not act on the whole GPU now
 *
 * The changes for the target must have been taken back. A worker closes the files.
 * Context: the GPU's lock is held.
 */
void wdbg_target_discard(struct wdbg_session *session, bool gone)
{
	struct wdbg_target *target = session->target;

	lockdep_assert_held(&session->gpu->lock);
	session->target_gone = gone && (target || session->target_gone);
	if (!target)
		return;
	session->target = NULL;
	target->session = NULL;
	target->user = session->user;
	wdbg_user_add_closing(target->user);
	wdbg_gpu_close_later(session->gpu, &target->free);
}

/*
 * The rights to act on the waves of all processes, as for processes: CAP_PERFMON is
 * enough to sample them all, CAP_SYS_PTRACE to stop and change each.
 */
static bool target_may(enum wdbg_right right)
{
	if (right == WDBG_TO_LOOK && perfmon_capable())
		return true;
	return capable(CAP_SYS_PTRACE) || capable(CAP_SYS_ADMIN);
}

/**
 * wdbg_scope_check() - check the right of a session to act on waves
 * @session: the session
 * @right: what it wants to do
 *
 * Context: the GPU's lock is held; the caller's thread.
 * Return: 0; -ENOTCONN if its target has exited; -EPERM if it has none and the caller
 *	lacks the right to act on the waves of all processes.
 */
int wdbg_scope_check(struct wdbg_session *session, enum wdbg_right right)
{
	lockdep_assert_held(&session->gpu->lock);
	if (session->target)
		return 0;
	if (session->target_gone)
		return -ENOTCONN;
	return target_may(right) ? 0 : -EPERM;
}

/**
 * wdbg_target_pasid() - get the PASID of a target's address space
 * @target: the target
 *
 * amdgpu may change it at any time.
 * Context: the GPU's lock is held.
 * Return: its current value; 0 if it has none at the moment.
 */
u32 wdbg_target_pasid(struct wdbg_target *target)
{
	lockdep_assert_held(&target->gpu->lock);
	target->pasid = READ_ONCE(*target->live_pasid);
	return target->pasid;
}

static u32 target_vmids_of(struct wdbg_gpu *gpu, struct wdbg_target *target)
{
	u32 vmid, mask = 0, pasid = wdbg_target_pasid(target);

	/* VMIDs that were never used show 0, too. */
	if (!pasid)
		return 0;
	for (vmid = 1; vmid < WDBG_NUM_VMID; vmid++)
		if (gpu->hw.ops->vmid_pasid(&gpu->hw, vmid) == pasid &&
		    !wdbg_id_mgr_is_others(gpu, target->drm, vmid))
			mask |= BIT(vmid);
	return mask;
}

/**
 * wdbg_scope_vmids() - get the VMIDs that a session may touch
 * @session: the session, which has passed wdbg_scope_check()
 *
 * A VMID can go from the target to another process whenever no wave of the target is in
 * it. A caller that changes waves must check their VMIDs again when they are halted.
 * Context: between wdbg_power_begin() and wdbg_power_end().
 * Return: one bit each, never VMID 0.
 */
u32 wdbg_scope_vmids(struct wdbg_session *session)
{
	lockdep_assert_held(&session->gpu->lock);
	if (!session->target)
		return GENMASK(WDBG_NUM_VMID - 1, 1);
	return target_vmids_of(session->gpu, session->target);
}

/**
 * wdbg_scope_has_vmid() - check whether a session may touch a VMID
 * @session: the session, which has passed wdbg_scope_check()
 * @vmid: 1 to WDBG_NUM_VMID - 1
 *
 * The cheap form of wdbg_scope_vmids().
 * Context: see wdbg_scope_vmids().
 * Return: true if so.
 */
bool wdbg_scope_has_vmid(struct wdbg_session *session, u32 vmid)
{
	struct wdbg_hw *hw = &session->gpu->hw;
	u32 pasid;

	lockdep_assert_held(&session->gpu->lock);
	if (!session->target)
		return true;
	/* Checked after the table: the VMID that it shows was the target's until then. */
	pasid = hw->ops->vmid_pasid(hw, vmid);
	return pasid && pasid == wdbg_target_pasid(session->target) &&
	       !wdbg_id_mgr_is_others(session->gpu, session->target->drm, vmid);
}

/**
 * wdbg_scope_is_strict() - check whether waves of other processes must not be visible
 * @session: the session, which has passed wdbg_scope_check()
 *
 * A slot can be given to another process's wave and back while it is read. Root may see
 * both, and does not pay for what excludes that.
 * Context: the GPU's lock is held; the caller's thread.
 * Return: true if so.
 */
bool wdbg_scope_is_strict(const struct wdbg_session *session)
{
	return session->target &&
	       !ns_capable_noaudit(&init_user_ns, CAP_SYS_ADMIN);
}

/* Take @file if it is a DRM file of this GPU. */
static int target_take_drm_file(struct wdbg_gpu *gpu, struct wdbg_target *target,
				struct file *file)
{
	struct drm_file *drm = file->private_data;

	lockdep_assert_held(&gpu->lock);
	/* Only then does private_data have the type that the next line assumes. */
	if (file->f_op != gpu->ddev->driver->fops ||
	    drm->minor->dev != gpu->ddev || !drm->driver_priv)
		return -ENOTTY;
	target->live_pasid = wdbg_drm_field(gpu, drm, WDBG_FPRIV_VM_PASID);
	/* amdgpu continues without a PASID when it has run out of them. */
	if (!wdbg_target_pasid(target))
		return -EOPNOTSUPP;
	target->drm = drm;
	return 0;
}

/**
 * wdbg_target_waves() - find out what starts the waves of a target
 * @target: the target
 *
 * It changes when the process begins to use amdkfd.
 * Context: the GPU's lock is held, and the GPU attached.
 * Return: the current state.
 */
enum wdbg_waves_of wdbg_target_waves(struct wdbg_target *target)
{
	struct wdbg_gpu *gpu = target->gpu;

	lockdep_assert_held(&gpu->lock);
	if (!wdbg_id_mgr_is_compute(gpu, target->drm))
		return WDBG_WAVES_OF_RINGS;
	return wdbg_id_mgr_has_cwsr(gpu) ? WDBG_WAVES_OF_KFD : WDBG_WAVES_OF_KFD_NO_CWSR;
}

/* A CRTC that a commit is changing counts as active. */
static bool target_is_active_crtc(struct drm_crtc *crtc)
{
	bool active;

	if (!ww_mutex_trylock(&crtc->mutex.mutex, NULL))
		return true;
	active = crtc->state ? crtc->state->active : crtc->enabled;
	ww_mutex_unlock(&crtc->mutex.mutex);
	return active;
}

static bool target_any_active_crtc(struct drm_device *ddev)
{
	struct drm_crtc *crtc;

	/* CRTCs exist as long as the device is registered. */
	drm_for_each_crtc(crtc, ddev)
		if (target_is_active_crtc(crtc))
			return true;
	return false;
}

/* 0 if another thread holds the lock of the list */
static s32 target_master_pid(struct drm_device *ddev, const struct drm_master *master)
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

/*
 * Do the displays of the GPU show a picture, and of which process? Sets all except
 * @graphics. Waits for no lock of DRM: a commit may hold one while it waits for a job
 * whose waves are halted.
 */
static void target_look_at_display(struct wdbg_gpu *gpu, struct wdbg_display *display)
{
	struct drm_device *ddev = gpu->ddev;

	memset(display, 0, sizeof(*display));
	/* Without displays, DRM has not initialised the list of CRTCs. */
	if (!ddev->mode_config.num_crtc)
		return;
	display->active = target_any_active_crtc(ddev);
	if (!mutex_trylock(&ddev->master_mutex)) {
		/* The master is being set or dropped, or a lease created. */
		display->master = true;
		return;
	}
	display->master = ddev->master;
	display->leased = ddev->master && !list_empty(&ddev->master->lessees);
	if (ddev->master)
		display->pid = target_master_pid(ddev, ddev->master);
	mutex_unlock(&ddev->master_mutex);
}

/**
 * wdbg_target_shows_nothing() - check that a session's halt would stop no picture
 * @session: the session, which has passed wdbg_scope_check()
 * @force: the caller wants it in any case
 *
 * Context: the GPU's lock is held; in the bracket; the caller's thread.
 * Return: 0, or -EBUSY if a picture would stop.
 */
int wdbg_target_shows_nothing(struct wdbg_session *session, bool force)
{
	struct wdbg_target *target = session->target;
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_display display;
	const void *only = NULL;

	lockdep_assert_held(&gpu->lock);
	if (force || (target && wdbg_target_waves(target) != WDBG_WAVES_OF_RINGS))
		return 0;
	target_look_at_display(gpu, &display);
	if (!display.active)
		return 0;
	if (target)
		only = wdbg_id_mgr_vm(gpu, target->drm);
	display.graphics = wdbg_job_list_has_graphics(gpu, only);
	return wdbg_caps_blocked_by(&display, force) ?
	       wdbg_busy_display(session, display.pid) : 0;
}

/*
 * amdgpu sets the apertures of its own VMIDs once, all to the same; amdkfd sets those
 * of a VMID when it gives it to a process. In the bracket.
 */
static void target_find_apertures(struct wdbg_target *target,
				  struct amdgpudbg_target_set *args)
{
	struct wdbg_gpu *gpu = target->gpu;
	struct wdbg_hw *hw = &gpu->hw;
	u32 vmids = args->vmid_mask;

	if (!hw->ops->trap || !hw->srbm_lock)
		return;
	if (wdbg_target_waves(target) == WDBG_WAVES_OF_RINGS)
		vmids = BIT(1);
	else
		vmids &= wdbg_kfd_vmids(gpu);
	if (!vmids)
		return;
	wdbg_vmid_lock(hw, __ffs(vmids));
	hw->ops->trap->apertures(hw, &args->lds_aperture, &args->scratch_aperture);
	wdbg_vmid_unlock(hw);
}

static int target_set_locked(struct wdbg_session *session, struct wdbg_target *target,
			     struct amdgpudbg_target_set *args)
{
	struct wdbg_gpu *gpu = session->gpu;
	int ret, bracket;

	if (!gpu->adev)
		return -ENODEV;
	if (session->target)
		return wdbg_busy(session, AMDGPUDBG_BUSY_TARGET);
	ret = wdbg_user_may_close(session->user);
	if (ret)
		return ret;
	ret = target_take_drm_file(gpu, target, target->file);
	if (ret)
		return ret;
	ret = wdbg_session_power_begin(session, &bracket);
	if (ret)
		return ret;
	args->pasid = target->pasid;
	args->vmid_mask = target_vmids_of(gpu, target);
	args->xcc_mask = GENMASK(gpu->hw.num_xcc - 1, 0);
	args->halt_limit_ms = wdbg_caps_halt_limit_ms(wdbg_target_waves(target));
	target_find_apertures(target, args);
	wdbg_session_power_end(session, bracket);

	/* Changes of the whole GPU do not belong to the target. */
	wdbg_restore(gpu, session, WDBG_FOR_WAVES);
	target->session = session;
	session->target = target;
	session->target_gone = false;
	wdbg_event_new_target(session);
	/* It may have exited before its pidfd was polled. */
	if (target->pidfile)
		queue_work(wdbg_look_workqueue, &target->exited);
	return 0;
}

static struct wdbg_target *target_alloc(struct wdbg_gpu *gpu)
{
	struct wdbg_target *target = kzalloc(sizeof(*target), GFP_KERNEL_ACCOUNT);

	if (!target)
		return NULL;
	INIT_WORK(&target->exited, target_exited_work);
	INIT_WORK(&target->free.work, target_free_work);
	init_waitqueue_func_entry(&target->wait, target_on_pidfd_wake);
	init_poll_funcptr(&target->poll, target_queue_on_pidfd);
	target->caller = current_user();
	target->gpu = wdbg_gpu_get(gpu);
	return target;
}

static int target_take_pidfd(struct wdbg_target *target, int fd)
{
	struct file *file;

	if (fd < 0)
		return 0;
	file = fget(fd);
	if (!file)
		return -EBADF;
	target->pidfile = file;
	if (!target_is_pidfd(file))
		return -EINVAL;
	if (vfs_poll(file, &target->poll) & EPOLLIN)
		return -ESRCH;
	return 0;
}

static int target_set(struct wdbg_cmd *cmd, struct amdgpudbg_target_set *args,
		      struct file *file)
{
	struct wdbg_session *session = cmd->session;
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_target *target;
	int ret;

	target = target_alloc(gpu);
	if (!target)
		return -ENOMEM;
	target->file = get_file(file);
	ret = target_take_pidfd(target, args->pidfd);
	if (!ret) {
		ret = wdbg_gpu_lock_killable(gpu, session);
		if (!ret) {
			ret = target_set_locked(session, target, args);
			wdbg_gpu_unlock(gpu);
		}
	}
	if (ret) {
		/*
		 * The file may be of any kind: it is not up to this module to close it.
		 */
		target_free(target);
		fput(file);
	}
	return ret;
}

/*
 * Remove the number @fd from the caller's table, without the flush of close(2):
 * amdgpu's flush waits for the jobs of the file's address space for up to a second, and
 * amdkfd's preempts all queues of the process. Another thread may have closed the
 * number since it was looked up, or given it to another file; that file stays. So
 * file_close_fd() of newer kernels, which takes any file, cannot be used.
 */
static void target_remove_fd(struct file *file, unsigned int fd)
{
	struct files_struct *files = current->files;
	struct fdtable *fdt;
	bool is_same;

	spin_lock(&files->file_lock);
	is_same = files_lookup_fd_locked(files, fd) == file;
	if (is_same) {
		fdt = files_fdtable(files);
		rcu_assign_pointer(fdt->fd[fd], NULL);
	}
	spin_unlock(&files->file_lock);
	if (!is_same)
		return;
	/* Until then, the number is as one of a file that is being opened. */
	put_unused_fd(fd);
	/* As close(2) does: the locks of this table refer to the file. */
	locks_remove_posix(file, files);
	/* The reference of the table; the target has its own. */
	fput(file);
}

static void target_give_up_locked(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	if (session->target)
		wdbg_session_restore(gpu, session);
	wdbg_target_discard(session, false);
	wdbg_event_new_target(session);
}

/*
 * Before anything changes. @file is the file of the descriptor, NULL if it is not open.
 */
static int target_check(struct wdbg_cmd *cmd, struct amdgpudbg_target_set *args,
			const struct file *file)
{
	if (args->flags & ~AMDGPUDBG_TARGET_SET_TAKE_FD)
		return -EOPNOTSUPP;
	if (args->__reserved)
		return -EINVAL;
	if (args->drm_fd < 0 &&
	    (args->drm_fd != -1 || args->pidfd != -1 || args->flags))
		return -EINVAL;
	if (args->pidfd < -1)
		return -EINVAL;
	if (args->drm_fd >= 0 && !file)
		return -EBADF;

	args->pasid = 0;
	args->vmid_mask = 0;
	args->xcc_mask = 0;
	args->halt_limit_ms = 0;
	args->lds_aperture = 0;
	args->scratch_aperture = 0;
	/* Find out before anything changes whether the structure can be written. */
	return wdbg_respond(cmd, sizeof(*args));
}

static int target_give_up(struct wdbg_cmd *cmd)
{
	if (!wdbg_clean(cmd->session->gpu, cmd->session, target_give_up_locked))
		return -ENODEV;
	if (cmd->session->vmid_goes)
		wdbg_gpu_wait_unreserved(cmd->session->gpu);
	return 0;
}

/*
 * By itself: after an error, the descriptor that the caller wants to give away is
 * removed nevertheless.
 */
static int target_run(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_target_set *args = cmd->data;
	struct file *file = args->drm_fd >= 0 ? fget(args->drm_fd) : NULL;
	int ret;

	ret = target_check(cmd, args, file);
	if (!ret)
		ret = file ? target_set(cmd, args, file) : target_give_up(cmd);
	if (!ret)
		ret = wdbg_respond(cmd, sizeof(*args));
	/*
	 * Also after an error: the caller could only close it, with the flush. But
	 * where too many files wait to be closed already, this one would be closed
	 * here, which may have to wait for jobs and could not be interrupted.
	 */
	if (file && args->flags & AMDGPUDBG_TARGET_SET_TAKE_FD && ret != -EMFILE)
		target_remove_fd(file, args->drm_fd);
	if (file)
		fput(file);
	return ret;
}

const struct wdbg_ioctl wdbg_target_set = {
	.run = target_run,
	.by_itself = true,
};

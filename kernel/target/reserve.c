// SPDX-License-Identifier: GPL-2.0-only
/*
 * The VMID that is reserved for a target. amdgpu gives an address space another VMID
 * for each job, unless one is reserved for it: only in a reserved VMID can registers be
 * set that count per VMID, without affecting other processes.
 *
 * A reservation does not yet mean that the target is alone in the VMID: the proof
 * checks, under amdgpu's own lock, that the target was the last owner or that no job in
 * it is unfinished (amdgpu/id_mgr.c). Before that, a VMID without jobs is moved to
 * where amdgpu takes the next one from; the jobs of others are waited for, PROVE_TRIES
 * times PROVE_MS. From then on guard.c ensures that the registers are restored before a
 * wave of another process starts.
 *
 * A worker gives the VMID back (reserve_close_work()), when nothing is set for it any more and
 * the guard has ended. Until amdgpu has it back, the reservation counts as one that
 * waves of a session have not left (wdbg_reserved.unreserving): no second one is begun, not
 * even for the same target. A call that needs one waits for the worker without the
 * GPU's lock, for WAIT_MS at most, and then returns -EBUSY. The call that gave the VMID
 * back, and the close of its session, wait for it for 3 seconds at most, so that the
 * VMID is free when they return unless the target prevents that. The GPU is not
 * unbound, and the module not unloaded, before the worker has ended; if they come
 * first, the file is closed without the ioctl. While the system sleeps, the worker does
 * not begin.
 */
#include <drm/amdgpu_drm.h>
#include <drm/drm_file.h>
#include <linux/completion.h>
#include <linux/dma-fence.h>
#include <linux/file.h>
#include <linux/slab.h>

#include "amdgpu/amdgpu.h"
#include "gpu.h"
#include "session.h"
#include "target/target.h"

/* How long to wait for the jobs of other processes, in ms, and how often */
#define PROVE_MS	100
#define PROVE_TRIES	3

/* How often to check whether the target has given it back, in ms */
#define LOOK_MS		250

/*
 * How long a call waits until amdgpu has an earlier reservation back, in ms. It takes
 * longer only if the target holds the lock of its address space.
 */
#define WAIT_MS		5000

/**
 * struct wdbg_reservation - the VMID that is reserved for one address space
 * @gpu: the GPU
 * @file: the DRM file of the address space, referenced
 * @drm: DRM's part of @file
 * @vmid: the VMID
 * @undo: this module has reserved it, not the target
 * @users: how many need it
 * @ddev: the DRM device, for @close
 * @until: when @close should have ended, in jiffies
 * @close: gives the VMID back, if @undo, drops @file, and frees this
 *
 * Every series of amdgpu can reserve at most one VMID, so a GPU has at most one of
 * these: wdbg_reserved.now, or wdbg_reserved.unreserving until amdgpu has got it back.
 * Under the GPU's lock.
 */
struct wdbg_reservation {
	struct wdbg_gpu *gpu;
	struct file *file;
	struct drm_file *drm;
	u32 vmid;
	bool undo;
	unsigned int users;
	struct drm_device *ddev;
	unsigned long until;
	struct wdbg_closing close;
};

/**
 * struct wdbg_reserved - the reservations of a GPU
 * @now: the VMID that is reserved for a target, or NULL
 * @unreserving: a reservation that amdgpu has not got back yet, or NULL
 */
struct wdbg_reserved {
	struct wdbg_reservation *now;
	struct wdbg_reservation *unreserving;
};

static struct wdbg_reserved *reserve_data(const struct wdbg_gpu *gpu)
{
	return wdbg_part_data(gpu, &wdbg_reserve_part);
}

/**
 * wdbg_vmid_unsupported_reason() - explain why no VMID can be reserved with this amdgpu
 * @gpu: the GPU
 *
 * Return: NULL if one can, else a sentence.
 */
const char *wdbg_vmid_unsupported_reason(const struct wdbg_gpu *gpu)
{
	return wdbg_id_mgr_unsupported_reason(gpu) ?: wdbg_guard_unsupported_reason(gpu);
}

/* ------------------------------------------------------------ giving it back */

/*
 * The target may have given it back itself, and another process may have the VMID now:
 * amdgpu frees only what the address space has. Returns false if @r will be closed
 * later, because amdgpu is being unbound: it must not be used any more then.
 */
static bool reserve_undo(struct wdbg_reservation *r)
{
	union drm_amdgpu_vm args = { .in.op = AMDGPU_VM_OP_UNRESERVE_VMID };
	struct wdbg_gpu *gpu = r->gpu;
	bool later;

	if (wdbg_id_mgr_has_vmid(gpu, r->drm))
		wdbg_driver_call(gpu, r->ddev, r->drm, DRM_IOCTL_AMDGPU_VM,
				 &args);
	wdbg_gpu_lock(gpu, NULL);
	reserve_data(gpu)->unreserving = NULL;
	WRITE_ONCE(gpu->unreserve_runs, false);
	later = gpu->unbinding;
	if (later) {
		r->undo = false;
		wdbg_gpu_close_later(gpu, &r->close);
	}
	wdbg_gpu_unlock(gpu);
	wake_up_all(&gpu->unreserved);
	return !later;
}

static void reserve_close_work(struct work_struct *work)
{
	struct wdbg_reservation *r = container_of(work,
						  struct wdbg_reservation,
						  close.work);
	struct wdbg_gpu *gpu = r->gpu;

	if (!r->undo || reserve_undo(r)) {
		/* At once, see target_free_work(). */
		__fput_sync(r->file);
		kfree(r);
	}
	wdbg_gpu_closed(gpu);
}

/*
 * By a worker without the GPU's lock: amdgpu of Linux 6.1 takes the lock of the address
 * space, and waits up to two seconds for its jobs.
 */
static void reserve_begin_undo(struct wdbg_gpu *gpu)
{
	struct wdbg_reservation *r = reserve_data(gpu)->unreserving;

	r->until = jiffies + msecs_to_jiffies(WAIT_MS);
	WRITE_ONCE(gpu->unreserve_runs, true);
	wdbg_gpu_hold(gpu);
	wdbg_driver_queue(&r->close.work);
}

/*
 * End a reservation that nothing needs. While the system sleeps, amdgpu keeps the VMID:
 * it moves memory then, whose lock must be free.
 */
static void reserve_close(struct wdbg_gpu *gpu, struct wdbg_reservation *r)
{
	/* At unbind, amdgpu refuses it; its managers of VMIDs are freed anyway. */
	if (!gpu->adev || gpu->unbinding)
		r->undo = false;
	if (!r->undo) {
		wdbg_gpu_close_later(gpu, &r->close);
		return;
	}
	r->ddev = gpu->ddev;
	reserve_data(gpu)->unreserving = r;
	if (gpu->sleeping)
		wdbg_part_tick(gpu, &wdbg_reserve_part, LOOK_MS);
	else
		reserve_begin_undo(gpu);
}

/* ------------------------------------------------------------------ reserving */

/* Unless amdgpu itself prevents that the target gets one. */
static int reserve_busy(struct wdbg_session *session,
			enum amdgpudbg_busy_cause cause, enum amdgpudbg_busy_by by)
{
	if (wdbg_id_mgr_isolates(session->gpu))
		return wdbg_busy(session, AMDGPUDBG_BUSY_ISOLATION);
	return wdbg_busy_by(session, cause, by);
}

static int reserve_is_others(struct wdbg_session *session)
{
	return reserve_busy(session, AMDGPUDBG_BUSY_VMID_RESERVED,
			    AMDGPUDBG_BUSY_BY_PROCESS);
}

static int reserve(struct wdbg_session *session, struct drm_file *drm)
{
	struct wdbg_gpu *gpu = session->gpu;
	int ret;

	if (wdbg_id_mgr_num_reserved(gpu))
		return reserve_is_others(session);
	wdbg_id_mgr_idle_first(gpu);
	ret = wdbg_driver_reserve_vmid(gpu, drm);
	/* Another caller was faster. */
	if (ret == -EINVAL || ret == -ENOENT)
		return reserve_is_others(session);
	return ret;
}

struct fence_wait {
	struct dma_fence_cb cb;
	struct completion done;
};

static void reserve_on_signaled(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	complete(&container_of(cb, struct fence_wait, cb)->done);
}

/* dma_fence_wait_timeout() would give up for any signal, or for none. */
static int reserve_wait_killable(struct dma_fence *fence)
{
	struct fence_wait wait;
	long left;

	init_completion(&wait.done);
	if (dma_fence_add_callback(fence, &wait.cb, reserve_on_signaled))
		return 0;
	left = wait_for_completion_killable_timeout(&wait.done,
						    msecs_to_jiffies(PROVE_MS));
	/* If it is too late to remove the callback, it has ended now. */
	dma_fence_remove_callback(fence, &wait.cb);
	return left < 0 ? -EINTR : 0;
}

/*
 * Prove that only the target is in its VMID, and that the guard notices if that
 * changes. -EAGAIN: other processes still have jobs there, those of @pasid.
 */
static int reserve_prove(struct wdbg_session *session, struct wdbg_reservation *r,
			 u32 *pasid)
{
	struct wdbg_vmid_user user = { };
	struct wdbg_gpu *gpu = session->gpu;
	int ret;

	wdbg_guard_begin(gpu, r->drm, r->vmid);
	ret = wdbg_id_mgr_prove(gpu, r->drm, r->vmid, &user);
	if (ret == -EAGAIN) {
		ret = reserve_wait_killable(user.fence);
		dma_fence_put(user.fence);
		if (!ret)
			ret = wdbg_id_mgr_prove(gpu, r->drm, r->vmid, &user);
		if (ret == -EAGAIN)
			dma_fence_put(user.fence);
		*pasid = user.pasid;
	}
	return ret == -EBUSY ?
	       reserve_busy(session, AMDGPUDBG_BUSY_VMID_LOST,
			    AMDGPUDBG_BUSY_BY_NONE) : ret;
}

/* One try. -EAGAIN: see reserve_prove(). */
static int reserve_try(struct wdbg_session *session,
		       struct wdbg_reservation *r, u32 *pasid)
{
	struct wdbg_gpu *gpu = session->gpu;
	int ret;

	if (!wdbg_id_mgr_has_vmid(gpu, r->drm)) {
		ret = reserve(session, r->drm);
		if (ret)
			return ret;
		r->undo = true;
	}
	ret = wdbg_id_mgr_check(gpu, r->drm, &r->vmid);
	if (ret == -EBUSY)
		reserve_is_others(session);
	if (!ret)
		ret = reserve_prove(session, r, pasid);
	if (ret)
		wdbg_guard_end(gpu);
	return ret;
}

static struct wdbg_reservation *reserve_alloc(struct wdbg_target *target)
{
	struct wdbg_reservation *r = kzalloc(sizeof(*r), GFP_KERNEL_ACCOUNT);

	if (!r)
		return NULL;
	INIT_WORK(&r->close.work, reserve_close_work);
	r->gpu = target->gpu;
	r->file = get_file(target->file);
	r->drm = target->drm;
	return r;
}

/* -EAGAIN: see wdbg_vmid_reserve(). */
static int reserve_first(struct wdbg_session *session,
			 struct wdbg_vmid_try *try)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_reservation *r;
	u32 vmid, pasid = 0;
	int ret;

	/* It counts until amdgpu has it back, also for the same target. */
	if (reserve_data(gpu)->unreserving) {
		if (!gpu->unreserve_runs)
			reserve_begin_undo(gpu);
		return -EAGAIN;
	}
	r = reserve_alloc(session->target);
	if (!r)
		return -ENOMEM;
	ret = reserve_try(session, r, &pasid);
	if (!ret) {
		reserve_data(gpu)->now = r;
		wdbg_part_tick(gpu, &wdbg_reserve_part, LOOK_MS);
		return 0;
	}
	vmid = r->vmid;
	reserve_close(gpu, r);
	/* Not earlier: the next try may be better. */
	if (ret == -EAGAIN && ++try->count >= PROVE_TRIES)
		ret = wdbg_busy_jobs(session, AMDGPUDBG_BUSY_BY_PROCESS, vmid,
				     pasid);
	return ret;
}

/**
 * wdbg_vmid_reserved() - get the reserved VMID
 * @gpu: the GPU, with a reservation
 *
 * Context: the GPU's lock is held.
 * Return: the VMID.
 */
u32 wdbg_vmid_reserved(const struct wdbg_gpu *gpu)
{
	return reserve_data(gpu)->now->vmid;
}

/**
 * wdbg_vmid_drm() - get the address space that a VMID is reserved for
 * @gpu: the GPU
 *
 * Context: the GPU's lock is held.
 * Return: its DRM file; NULL without a reservation.
 */
struct drm_file *wdbg_vmid_drm(const struct wdbg_gpu *gpu)
{
	const struct wdbg_reservation *r = reserve_data(gpu)->now;

	return r ? r->drm : NULL;
}

/**
 * wdbg_vmid_get() - count one more user of the reserved VMID
 * @gpu: the GPU, with a reservation
 *
 * Context: the GPU's lock is held.
 */
void wdbg_vmid_get(struct wdbg_gpu *gpu)
{
	lockdep_assert_held(&gpu->lock);
	reserve_data(gpu)->now->users++;
}

/**
 * wdbg_vmid_put() - end wdbg_vmid_get()
 * @gpu: the GPU
 *
 * Context: may sleep; the GPU's lock is held; not between wdbg_power_begin() and
 *	wdbg_power_end().
 */
void wdbg_vmid_put(struct wdbg_gpu *gpu)
{
	struct wdbg_reservation *r = reserve_data(gpu)->now;

	lockdep_assert_held(&gpu->lock);
	if (--r->users)
		return;
	wdbg_guard_end(gpu);
	reserve_data(gpu)->now = NULL;
	reserve_close(gpu, r);
}

/* NULL: waves leave a handler whose session has ended. */
static const struct wdbg_session *reserve_user(struct wdbg_gpu *gpu)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node)
		if (session->vmid_uses)
			return session;
	return NULL;
}

/**
 * wdbg_vmid_reserve() - reserve a VMID for a session's target, and prove that it is
 *	alone in it
 * @session: the session
 * @try: of the call
 * @vmid: out, the VMID, 0 if there is none
 *
 * Once for each wdbg_vmid_release(). All jobs that the target submits from then on run
 * in it; earlier jobs stay in their VMIDs. No wave of another process is in it, and the
 * guard notices if one comes.
 * Context: may sleep; the GPU's lock is held; not between wdbg_power_begin() and
 *	wdbg_power_end().
 * Return: 0; -EAGAIN if the caller has to call it again after wdbg_vmid_wait(), because
 *	an earlier reservation is still being given back, or others had jobs in the
 *	VMID; -ENOTCONN without a target; -EBUSY if another process has reserved one, or
 *	does not leave it, or amdgpu lets all use one in turns; -EOPNOTSUPP if the
 *	target's waves run in VMIDs of amdkfd, or it is not known how this amdgpu
 *	reserves them; -EINTR if the caller is killed; or what amdgpu returns.
 */
int wdbg_vmid_reserve(struct wdbg_session *session, struct wdbg_vmid_try *try,
		      u32 *vmid)
{
	struct wdbg_target *target = session->target;
	struct wdbg_gpu *gpu = session->gpu;
	int ret;

	lockdep_assert_held(&gpu->lock);
	*vmid = 0;
	ret = wdbg_target_need(session);
	if (ret)
		return ret;
	if (!gpu->adev)
		return -ENODEV;
	if (wdbg_vmid_unsupported_reason(gpu))
		return -EOPNOTSUPP;
	if (wdbg_id_mgr_is_compute(gpu, target->drm))
		return -EOPNOTSUPP;
	if (!reserve_data(gpu)->now)
		ret = reserve_first(session, try);
	else if (reserve_data(gpu)->now->drm != target->drm)
		ret = wdbg_busy_with(session, AMDGPUDBG_BUSY_VMID_SESSION,
				     reserve_user(gpu));
	else
		ret = wdbg_vmid_check(session, vmid);
	if (ret)
		return ret;

	wdbg_vmid_get(gpu);
	session->vmid_uses++;
	*vmid = reserve_data(gpu)->now->vmid;
	return 0;
}

/**
 * wdbg_vmid_release() - end wdbg_vmid_reserve()
 * @session: the session
 *
 * What was set for the VMID must have been restored.
 * Context: may sleep; the GPU's lock is held; not between wdbg_power_begin() and
 *	wdbg_power_end().
 */
void wdbg_vmid_release(struct wdbg_session *session)
{
	lockdep_assert_held(&session->gpu->lock);
	if (WARN_ON_ONCE(!session->vmid_uses))
		return;
	session->vmid_uses--;
	wdbg_vmid_put(session->gpu);
}

/**
 * wdbg_vmid_wait() - wait until a VMID can be reserved again
 * @session: the session
 *
 * Context: may sleep; the GPU's lock is not held. The caller's thread.
 * Return: 0; -EBUSY if amdgpu does not get an earlier reservation back; -EINTR if the
 *	caller is killed.
 */
int wdbg_vmid_wait(struct wdbg_session *session)
{
	struct wdbg_gpu *gpu = session->gpu;
	long left;
	int ret;

	wdbg_driver_may_wait(gpu);
	left = wait_event_killable_timeout(gpu->unreserved,
					   !READ_ONCE(gpu->unreserve_runs),
					   msecs_to_jiffies(WAIT_MS));
	if (left)
		return left < 0 ? -EINTR : 0;
	wdbg_gpu_lock(gpu, session);
	ret = wdbg_busy_with(session, AMDGPUDBG_BUSY_VMID_SESSION, NULL);
	wdbg_gpu_unlock(gpu);
	return ret;
}

static bool reserve_vmid_goes(struct wdbg_gpu *gpu, const struct wdbg_session *session,
			      bool in_time)
{
	const struct wdbg_reservation *r = reserve_data(gpu)->unreserving;

	if (!r || !session->target || r->drm != session->target->drm)
		return false;
	return !in_time || (gpu->unreserve_runs && !time_after(jiffies, r->until));
}

/**
 * wdbg_vmid_end_call() - unlock the GPU at the end of a call that may give the VMID back
 * @session: the session
 *
 * Context: may sleep; the GPU's lock is held.
 */
void wdbg_vmid_end_call(struct wdbg_session *session)
{
	struct wdbg_gpu *gpu = session->gpu;
	bool goes = reserve_vmid_goes(gpu, session, false);

	wdbg_gpu_unlock(gpu);
	if (goes)
		wdbg_gpu_wait_unreserved(gpu);
}

/**
 * wdbg_vmid_again() - unlock the GPU after a try of wdbg_vmid_reserve(), and wait
 * @session: the session
 * @ret: result of the try; out, with false: the result of the call
 *
 * Context: may sleep; the GPU's lock is held. The caller's thread.
 * Return: true if the caller has to lock the GPU and try again.
 */
bool wdbg_vmid_again(struct wdbg_session *session, int *ret)
{
	wdbg_vmid_end_call(session);
	if (*ret != -EAGAIN)
		return false;
	*ret = wdbg_vmid_wait(session);
	return !*ret;
}

/**
 * wdbg_vmid_check() - check that the target is still alone in the reserved VMID
 * @session: the session that has it
 * @vmid: out, see wdbg_vmid_reserve()
 *
 * The target may have given it back; on Linux 6.12 others may have come to share it. To
 * be called whenever something is set for it.
 * Context: see wdbg_vmid_reserve().
 * Return: 0, -EBUSY or -EINTR.
 */
int wdbg_vmid_check(struct wdbg_session *session, u32 *vmid)
{
	struct wdbg_reservation *r = reserve_data(session->gpu)->now;
	u32 pasid = 0;
	int ret;

	lockdep_assert_held(&session->gpu->lock);
	*vmid = 0;
	if (wdbg_guard_is_lost(session->gpu))
		return wdbg_busy(session, AMDGPUDBG_BUSY_VMID_LOST);
	ret = reserve_prove(session, r, &pasid);
	if (!ret)
		*vmid = r->vmid;
	if (ret == -EAGAIN)
		ret = wdbg_busy_jobs(session, AMDGPUDBG_BUSY_BY_PROCESS,
				     r->vmid, pasid);
	return ret;
}

/**
 * wdbg_vmid_is_ours() - check whether the target still has the reserved VMID
 * @gpu: the GPU, attached, with a reservation
 *
 * As far as that can be seen without waiting.
 * Context: the GPU's lock is held.
 * Return: true if so.
 */
bool wdbg_vmid_is_ours(struct wdbg_gpu *gpu)
{
	struct wdbg_reservation *r = reserve_data(gpu)->now;
	u32 vmid;

	lockdep_assert_held(&gpu->lock);
	return !wdbg_guard_is_lost(gpu) &&
	       !wdbg_id_mgr_check(gpu, r->drm, &vmid) && vmid == r->vmid;
}

/*
 * Has the target lost its VMID, though no other process has got it yet? Its running
 * waves stay in it, so what was set for it is taken back as if the sessions had ended.
 * This only reports it sooner: the guard does not depend on it.
 */
static u32 reserve_tick(struct wdbg_gpu *gpu)
{
	/* Reservations that have ended while the system slept */
	if (reserve_data(gpu)->unreserving && !gpu->unreserve_runs) {
		if (gpu->sleeping)
			return LOOK_MS;
		reserve_begin_undo(gpu);
	}
	if (!reserve_data(gpu)->now)
		return 0;
	if (wdbg_guard_is_programmed(gpu) && !wdbg_guard_is_lost(gpu) &&
	    !wdbg_vmid_is_ours(gpu))
		wdbg_guard_restore(gpu);
	return reserve_data(gpu)->now ? LOOK_MS : 0;
}

/* The system sleeps, and the GPU or the module is removed. */
static void reserve_drain(struct wdbg_gpu *gpu, bool now)
{
	struct wdbg_reservation *r = reserve_data(gpu)->unreserving;

	if (!now || !r || gpu->unreserve_runs)
		return;
	reserve_data(gpu)->unreserving = NULL;
	r->undo = false;
	wdbg_gpu_close_later(gpu, &r->close);
}

const struct wdbg_part wdbg_reserve_part = {
	.id = WDBG_PART_RESERVE,
	.data_size = sizeof(struct wdbg_reserved),
	.vmid_goes = reserve_vmid_goes,
	.tick = reserve_tick,
	.drain = reserve_drain,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffers in a target's GPU address space. They are created through the target's own
 * DRM file, as if the target had done so, and stay in its table of handles.
 *
 * The buffers begin in system memory and are always valid: the target's submissions do
 * not name them, so nothing else would keep them from being moved away. The CPU
 * accesses them as all memory of a target, page by page (amdgpu/vm.c).
 *
 * Assumptions about the target: it owns the table of handles and the lock of its
 * address space, and works against the debugger.
 *
 * - It can close a handle and use its number for another object at any time. So the
 *   handle is looked up once, after the object was created, and the object is checked
 *   to be one that could have been created here. The pointer is kept. What is mapped at
 *   the buffer's address is compared with it, since amdgpu's call takes a handle. All
 *   sizes are the object's own, which never change.
 * - It can move the object, also to VRAM, in pieces.
 * - It can hold the lock of its address space (dma_resv of the root) for as long as one
 *   of its jobs takes, whose waves may be halted: DRM_AMDGPU_CS waits for jobs with
 *   that lock held. All calls of amdgpu that make or remove a buffer take this lock. So
 *   workers of a separate queue make them, without the GPU's lock, and callers wait for
 *   these for a limited time (MAKE_MS), then get -EBUSY; the worker deletes the buffer
 *   that it has made too late. See wdbg_driver_call().
 *
 * amdgpu writes page tables by a job of its own. The target's later jobs wait for that,
 * its running waves do not; so this file waits for it.
 *
 * Removing a mapping waits for all jobs of its address space, and all later ones wait
 * for the removal (amdgpu_vm_clear_freed(), amdgpu_sync_resv()). If a running job
 * depends on a later one, neither would ever end, and the module would have hung the
 * target. So unused buffers are kept (&struct wdbg_deleted), and a tick checks every 20 ms
 * whether the address space has no jobs. While a buffer is removed, wdbg_ctx_mgr_hold()
 * keeps new jobs from being submitted, for 10 ms at most and what amdgpu takes
 * (amdgpu/ctx_mgr.c): otherwise one could come between the check and the end of the
 * mapping. AMDGPUDBG_MEM_MAX_FREED bounds what is kept in one address space, for its
 * jobs or for waves that leave a handler, over all sessions; AMDGPUDBG_USER_BUFFER_MAX
 * bounds what a user has in all address spaces (user.c), and with it the workers.
 *
 * At unbind of amdgpu, and when this module is removed while there are jobs, the
 * buffers stay in the target's table of handles, mapped, until the target closes its
 * file: amdgpu's job for the removal would wait behind the running ones. amdgpu of
 * Linux 6.1 starts it after an unbind, when the doorbells are unmapped; that of 6.12
 * waits in the unbind until the jobs of objects that were freed have ended. A removal
 * that has begun ends. A call of amdgpu that has begun before the unbind is waited for,
 * until the job timeout at the longest, as amdgpu's own unbind does.
 */
#include <drm/amdgpu_drm.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <linux/completion.h>
#include <linux/cred.h>
#include <linux/dma-resv.h>
#include <linux/file.h>
#include <linux/random.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/wait_bit.h>

#include "amdgpu/amdgpu.h"
#include "gpu.h"
#include "session.h"
#include "target/target.h"
#include "transfer.h"

/* Alignment of addresses, for amdgpu's fragments */
#define VA_ALIGN	SZ_64K

/*
 * How often to try to map at an address that was free a moment ago. amdgpu writes each
 * try that fails to the kernel log.
 */
#define MAP_TRIES	8

/*
 * How long a caller waits for the worker that creates a buffer, in ms. The lock of the
 * address space was free when the worker began: it takes longer only if the target has
 * taken the lock since, or if the GPU hangs.
 */
#define MAKE_MS		5000

/* How often to check whether an address space has jobs, in ms */
#define LOOK_MS		20

/* How long to wait for amdgpu's own job for a removal before the next one, in ms */
#define REMOVAL_MS	10

/*
 * How long a call waits for removals that have begun, in ms, so that they appear to
 * take no time
 */
#define DRAIN_MS	200

/**
 * struct wdbg_deleted - buffers that no session has yet, or any more
 * @making: buffers that are being created
 * @list: buffers that have to be removed, but have to wait
 * @num_waiting: how many are in @list and @removals, while the GPU is attached
 * @removals: for each address space, the buffers that a worker is removing
 * @num_removals: their number
 *
 * Under the GPU's lock, except @num_removals.
 */
struct wdbg_deleted {
	struct list_head making;
	struct list_head list;
	u32 num_waiting;
	struct list_head removals;
	atomic_t num_removals;
};

static struct wdbg_deleted *buffer_deleted(const struct wdbg_gpu *gpu)
{
	return wdbg_part_data(gpu, &wdbg_buffer_part);
}

/* Create the object. -ESTALE: its handle names another object now. */
static int buffer_create(struct wdbg_buffer *buffer)
{
	union drm_amdgpu_gem_create args = {
		.in.bo_size = buffer->bytes,
		.in.alignment = PAGE_SIZE,
		.in.domains = AMDGPU_GEM_DOMAIN_GTT,
		.in.domain_flags = AMDGPU_GEM_CREATE_VM_ALWAYS_VALID,
	};
	int ret;

	if (buffer->fail_create)
		return -ENOMEM;
	ret = wdbg_driver_call(buffer->gpu, buffer->ddev, buffer->drm,
			       DRM_IOCTL_AMDGPU_GEM_CREATE, &args);
	if (ret)
		return ret;
	buffer->handle = args.out.handle;
	buffer->obj = drm_gem_object_lookup(buffer->drm, buffer->handle);
	if (!buffer->obj)
		return -ESTALE;
	/* Its location does not matter: the target can move it at any time. */
	return wdbg_object_check(buffer->gpu, buffer->drm, buffer->obj,
				 buffer->bytes);
}

static u64 buffer_random_va(u64 bytes, u64 align)
{
	u64 slots = (WDBG_BUFFER_SPAN - bytes) / align + 1;

	return WDBG_BUFFER_BASE + get_random_u64() % slots * align;
}

/*
 * Take the first free address from a random one on, and then from the start of the
 * range.
 */
static int buffer_find_va(struct wdbg_buffer *buffer, u64 align)
{
	u64 from = buffer_random_va(buffer->bytes, align);
	int ret;

	buffer->va = from;
	ret = wdbg_mappings_hole(buffer->gpu, buffer->drm, &buffer->va,
				 WDBG_BUFFER_BASE + WDBG_BUFFER_SPAN,
				 buffer->bytes, align);
	if (ret != -EADDRNOTAVAIL)
		return ret;
	buffer->va = WDBG_BUFFER_BASE;
	return wdbg_mappings_hole(buffer->gpu, buffer->drm, &buffer->va,
				  from + buffer->bytes, buffer->bytes, align);
}

/*
 * Drivers in user space take addresses from both ends, and amdkfd takes those of the
 * process: no program needs these addresses. But any program may use them, so check
 * which are free. Begin at a random address, so that a target that maps something at
 * the same time hardly takes the same one.
 */
static int buffer_choose_va(struct wdbg_buffer *buffer)
{
	int ret = buffer_find_va(buffer, VA_ALIGN);

	return ret == -EADDRNOTAVAIL ? buffer_find_va(buffer, PAGE_SIZE) : ret;
}

static int buffer_map_at(struct wdbg_buffer *buffer)
{
	struct drm_amdgpu_gem_va args = {
		.handle = buffer->handle,
		.operation = AMDGPU_VA_OP_MAP,
		.flags = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE,
		.va_address = buffer->va,
		.map_size = buffer->bytes,
	};

	if (buffer->fail_map)
		return -ENOMEM;
	if (buffer->flags & AMDGPUDBG_MEM_ALLOC_EXEC)
		args.flags |= AMDGPU_VM_PAGE_EXECUTABLE;
	if (buffer->flags & AMDGPUDBG_MEM_ALLOC_UNCACHED)
		args.flags |= AMDGPU_VM_MTYPE_UC;
	return wdbg_driver_call(buffer->gpu, buffer->ddev, buffer->drm,
				DRM_IOCTL_AMDGPU_GEM_VA, &args);
}

/* Map it at the address that was chosen, or else at another. */
static int buffer_map(struct wdbg_buffer *buffer)
{
	int i, ret;

	for (i = 0; i < MAP_TRIES; i++) {
		ret = buffer_map_at(buffer);
		/* The target has closed the handle. */
		if (ret == -ENOENT)
			return -ESTALE;
		if (ret != -EINVAL)
			return ret;
		/* The target was faster, or the GPU's addresses end before. */
		ret = buffer_choose_va(buffer);
		if (ret)
			return ret;
	}
	return -EADDRNOTAVAIL;
}

/**
 * wdbg_buffer_unsupported_reason() - explain why no buffers can be put into a target's
 *	address space
 * @gpu: the GPU
 *
 * Return: NULL if they can, else a sentence.
 */
const char *wdbg_buffer_unsupported_reason(const struct wdbg_gpu *gpu)
{
	if (!gpu->layout.present[WDBG_FPRIV_VM_LAST_UPDATE])
		return "It is not known how this amdgpu reports that page tables are written.";
	return wdbg_mappings_unsupported_reason(gpu);
}

/* --------------------------------------------------------------- removal */

/*
 * The target may have closed the handle, and may use its number for another object. If
 * it does so between the two steps here, it loses a handle of its own.
 */
static void buffer_close_handle(struct wdbg_buffer *buffer)
{
	struct drm_gem_object *obj;

	obj = drm_gem_object_lookup(buffer->drm, buffer->handle);
	if (!obj)
		return;
	if (obj == buffer->obj)
		drm_gem_handle_delete(buffer->drm, buffer->handle);
	drm_gem_object_put(obj);
}

/*
 * Would the end of the mapping have to wait, and make others wait? Where amdkfd has
 * started its waves, they are no jobs, but there is a fence that lasts as long as the
 * process uses amdkfd (amdgpu_amdkfd_fence.c).
 */
static bool buffer_has_jobs(const struct wdbg_buffer *buffer)
{
	struct wdbg_gpu *gpu = buffer->gpu;

	if (!buffer->obj ||
	    !gpu->layout.present[WDBG_FPRIV_VM_IS_COMPUTE_CONTEXT] ||
	    wdbg_id_mgr_is_compute(gpu, buffer->drm))
		return false;
	return !dma_resv_test_signaled(buffer->obj->resv,
				       DMA_RESV_USAGE_BOOKKEEP);
}

/*
 * Does its address space have no jobs? @another: another buffer was just removed from
 * it, which is a job of amdgpu itself that ends soon.
 */
static bool buffer_may_go(const struct wdbg_buffer *buffer, bool another)
{
	if (!buffer_has_jobs(buffer))
		return true;
	return another &&
	       dma_resv_wait_timeout(buffer->obj->resv, DMA_RESV_USAGE_BOOKKEEP,
				     false, msecs_to_jiffies(REMOVAL_MS)) > 0;
}

static void buffer_put_obj(struct wdbg_buffer *buffer)
{
	if (buffer->obj)
		drm_gem_object_put(buffer->obj);
	buffer->obj = NULL;
	buffer->gone = true;
}

/*
 * Remove the buffers of @batch, which are in one address space, as long as it has no
 * jobs. None is submitted while this runs.
 */
static void buffer_remove(struct wdbg_gpu *gpu, struct list_head *batch,
			  struct drm_file *drm)
{
	struct wdbg_buffer *buffer;
	bool another = false;

	wdbg_driver_may_wait(gpu);
	if (!wdbg_ctx_mgr_hold(gpu, drm))
		return;
	list_for_each_entry(buffer, batch, node) {
		/* See buffer_removal_postpone(). */
		if (READ_ONCE(gpu->unbinding) || !buffer_may_go(buffer, another))
			break;
		if (buffer->obj) {
			buffer_close_handle(buffer);
			another = true;
		}
		buffer_put_obj(buffer);
	}
	wdbg_ctx_mgr_release(gpu, drm);
}

/* Sort a batch into buffers that were removed, to @out, and those that have to wait. */
static void buffer_sort(struct wdbg_gpu *gpu, struct list_head *batch,
			struct list_head *out)
{
	struct wdbg_deleted *deleted = buffer_deleted(gpu);
	struct wdbg_buffer *buffer, *next;

	list_for_each_entry_safe(buffer, next, batch, node) {
		if (!buffer->gone) {
			list_move_tail(&buffer->node, &deleted->list);
			continue;
		}
		list_move_tail(&buffer->node, out);
		if (!--deleted->num_waiting)
			wdbg_power_put(gpu);
	}
	if (deleted->num_waiting)
		wdbg_part_tick(gpu, &wdbg_buffer_part, LOOK_MS);
}

/**
 * struct removal - buffers of one address space that are being removed
 * @close: removes them
 * @node: in wdbg_deleted.removals
 * @gpu: the GPU, which is kept until the end
 * @drm: of the address space
 * @caller: the user who has asked for one of the buffers, as for wdbg_gpu_lock_for()
 * @batch: the buffers
 * @drop: the GPU or the module is removed: only drop the references, after an unbind of
 *	amdgpu. amdgpu must get no new work then, and each buffer is freed with the
 *	target's file.
 */
struct removal {
	struct wdbg_closing close;
	struct list_head node;
	struct wdbg_gpu *gpu;
	struct drm_file *drm;
	const void *caller;
	struct list_head batch;
	bool drop;
};

/*
 * amdgpu is being unbound, and must get no new work: for the remaining buffers only
 * drop the references, after the unbind.
 */
static bool buffer_removal_postpone(struct removal *r)
{
	lockdep_assert_held(&r->gpu->lock);
	if (r->drop || !r->gpu->unbinding)
		return false;
	r->drop = true;
	wdbg_gpu_close_later(r->gpu, &r->close);
	return true;
}

static void buffer_removal_work(struct work_struct *work)
{
	struct removal *r = container_of(work, struct removal,
					 close.work);
	struct wdbg_buffer *buffer, *next;
	struct wdbg_gpu *gpu = r->gpu;
	LIST_HEAD(out);

	if (!r->drop)
		buffer_remove(gpu, &r->batch, r->drm);
	wdbg_gpu_lock_for(gpu, r->caller, NULL);
	if (buffer_removal_postpone(r)) {
		wdbg_gpu_unlock(gpu);
		wdbg_gpu_closed(gpu);
		return;
	}
	list_del(&r->node);
	if (gpu->adev)
		buffer_sort(gpu, &r->batch, &out);
	wdbg_gpu_unlock(gpu);
	/* If any is left here, the GPU was detached in the meantime. */
	list_splice_tail(&r->batch, &out);
	list_for_each_entry_safe(buffer, next, &out, node) {
		buffer_put_obj(buffer);
		/* At once, see target_free_work(). */
		__fput_sync(buffer->file);
		wdbg_user_remove(buffer->user, WDBG_USER_BUFFER);
		kfree(buffer);
	}
	kfree(r);
	if (atomic_dec_and_test(&buffer_deleted(gpu)->num_removals))
		wake_up_var(&buffer_deleted(gpu)->num_removals);
	wdbg_gpu_closed(gpu);
}

static bool buffer_removal_runs(struct wdbg_gpu *gpu, const struct drm_file *drm)
{
	struct removal *r;

	list_for_each_entry(r, &buffer_deleted(gpu)->removals, node)
		if (r->drm == drm)
			return true;
	return false;
}

/* Without memory, a tick tries again. */
static void buffer_removal_begin(struct wdbg_gpu *gpu, struct drm_file *drm, bool drop)
{
	struct wdbg_buffer *buffer, *next;
	struct removal *r;

	r = kzalloc(sizeof(*r), GFP_KERNEL_ACCOUNT | (drop ? __GFP_NOFAIL : 0));
	if (!r)
		return;
	INIT_WORK(&r->close.work, buffer_removal_work);
	INIT_LIST_HEAD(&r->batch);
	r->gpu = gpu;
	r->drm = drm;
	r->drop = drop;
	list_for_each_entry_safe(buffer, next, &buffer_deleted(gpu)->list, node)
		if (buffer->drm == drm) {
			r->caller = buffer->caller;
			list_move_tail(&buffer->node, &r->batch);
		}
	list_add_tail(&r->node, &buffer_deleted(gpu)->removals);
	atomic_inc(&buffer_deleted(gpu)->num_removals);
	if (gpu->unbinding) {
		wdbg_gpu_close_later(gpu, &r->close);
		return;
	}
	wdbg_gpu_hold(gpu);
	wdbg_driver_queue(&r->close.work);
}

/* One for each address space for which no worker waits yet */
static void buffer_removal_begin_all(struct wdbg_gpu *gpu)
{
	struct wdbg_buffer *buffer;
	bool again;

	do {
		again = false;
		list_for_each_entry(buffer, &buffer_deleted(gpu)->list, node) {
			if (buffer_removal_runs(gpu, buffer->drm) ||
			    buffer_has_jobs(buffer))
				continue;
			buffer_removal_begin(gpu, buffer->drm, false);
			again = buffer_removal_runs(gpu, buffer->drm);
			break;
		}
	} while (again);
}

/**
 * wdbg_buffer_delete() - remove a buffer from its address space
 * @gpu: the GPU; also if it is not attached any more
 * @buffer: the buffer, in no list
 *
 * A worker does it, as soon as the target has no jobs. At unbind of amdgpu, the buffer
 * stays.
 * Context: the GPU's lock is held.
 */
void wdbg_buffer_delete(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer)
{
	struct wdbg_deleted *deleted = buffer_deleted(gpu);

	lockdep_assert_held(&gpu->lock);
	list_add_tail(&buffer->node, &deleted->list);
	if (!gpu->adev || gpu->unbinding) {
		buffer_removal_begin(gpu, buffer->drm, true);
		return;
	}
	if (!deleted->num_waiting++)
		wdbg_power_get(gpu);
	if (!gpu->sleeping)
		buffer_removal_begin_all(gpu);
	wdbg_part_tick(gpu, &wdbg_buffer_part, LOOK_MS);
}

/**
 * wdbg_buffer_drain() - wait a moment for buffers that are being removed
 * @gpu: the GPU, which the caller keeps
 *
 * So that a buffer that a call has freed is removed when the call returns, if nothing
 * prevents that.
 * Context: may sleep; the GPU's lock is not held.
 */
void wdbg_buffer_drain(struct wdbg_gpu *gpu)
{
	wait_var_event_timeout(&buffer_deleted(gpu)->num_removals,
			       !atomic_read(&buffer_deleted(gpu)->num_removals),
			       msecs_to_jiffies(DRAIN_MS));
}

static u32 buffer_tick(struct wdbg_gpu *gpu)
{
	if (!gpu->sleeping)
		buffer_removal_begin_all(gpu);
	return buffer_deleted(gpu)->num_waiting ? LOOK_MS : 0;
}

/* When the GPU is removed, do not wait for jobs; no buffer is added. */
static void buffer_drain(struct wdbg_gpu *gpu, bool now)
{
	struct wdbg_deleted *deleted = buffer_deleted(gpu);
	struct wdbg_buffer *buffer;

	if (!now)
		return;
	while (!list_empty(&deleted->list)) {
		buffer = list_first_entry(&deleted->list, struct wdbg_buffer,
					  node);
		buffer_removal_begin(gpu, buffer->drm, true);
	}
	if (!deleted->num_waiting)
		return;
	/* Also for buffers whose removal has begun: it finds the GPU detached. */
	deleted->num_waiting = 0;
	wdbg_power_put(gpu);
}

static int buffer_init_gpu(struct wdbg_gpu *gpu)
{
	INIT_LIST_HEAD(&buffer_deleted(gpu)->making);
	INIT_LIST_HEAD(&buffer_deleted(gpu)->list);
	INIT_LIST_HEAD(&buffer_deleted(gpu)->removals);
	return 0;
}

const struct wdbg_part wdbg_buffer_part = {
	.id = WDBG_PART_BUFFER,
	.data_size = sizeof(struct wdbg_deleted),
	.init = buffer_init_gpu,
	.tick = buffer_tick,
	.drain = buffer_drain,
};

/* ---------------------------------------------------------------- making */

static unsigned int buffer_num_there(const struct list_head *list,
				     const struct drm_file *drm)
{
	struct wdbg_buffer *buffer;
	unsigned int num = 0;

	list_for_each_entry(buffer, list, node)
		num += buffer->drm == drm;
	return num;
}

/*
 * Nothing else limits what is created and freed while a target has jobs, or waves that
 * leave a handler.
 */
static bool buffer_too_many_freed(struct wdbg_gpu *gpu, const struct drm_file *drm)
{
	unsigned int num = buffer_num_there(&buffer_deleted(gpu)->list, drm);
	const struct wdbg_part *const *p;
	struct removal *r;

	for (p = gpu->parts; *p; p++)
		if ((*p)->num_kept)
			num += (*p)->num_kept(gpu, drm);
	list_for_each_entry(r, &buffer_deleted(gpu)->removals, node)
		num += buffer_num_there(&r->batch, drm);
	return num >= AMDGPUDBG_MEM_MAX_FREED;
}

static int buffer_make(struct wdbg_buffer *buffer)
{
	/* First, so that nothing has to be deleted if there is no room. */
	int ret = buffer_choose_va(buffer);

	if (!ret)
		ret = buffer_create(buffer);
	if (!ret)
		ret = buffer_map(buffer);
	if (!ret)
		ret = wdbg_mappings_wait(buffer->gpu, buffer->drm, buffer->obj,
					 buffer->va, buffer->bytes);
	return ret;
}

static void buffer_make_work(struct work_struct *work)
{
	struct wdbg_buffer *buffer = container_of(work, struct wdbg_buffer,
						  make);
	struct wdbg_gpu *gpu = buffer->gpu;
	bool abandoned;

	buffer->error = buffer_make(buffer);
	wdbg_gpu_lock_for(gpu, buffer->caller, NULL);
	list_del_init(&buffer->node);
	abandoned = buffer->abandoned;
	if (abandoned)
		wdbg_buffer_delete(gpu, buffer);
	else
		complete(&buffer->made);
	wdbg_gpu_unlock(gpu);
	/* Otherwise the caller does it, see wdbg_buffer_new(). */
	if (abandoned)
		wdbg_gpu_closed(gpu);
}

static struct wdbg_buffer *buffer_alloc(struct wdbg_session *session, u32 flags,
					u64 bytes)
{
	int ret = wdbg_user_add(session->user, WDBG_USER_BUFFER);
	struct wdbg_target *target = session->target;
	struct wdbg_buffer *buffer;

	if (ret)
		return ERR_PTR(ret);
	buffer = kzalloc(sizeof(*buffer), GFP_KERNEL_ACCOUNT);
	if (!buffer) {
		wdbg_user_remove(session->user, WDBG_USER_BUFFER);
		return ERR_PTR(-ENOMEM);
	}
	INIT_LIST_HEAD(&buffer->node);
	INIT_WORK(&buffer->make, buffer_make_work);
	init_completion(&buffer->made);
	buffer->gpu = session->gpu;
	buffer->ddev = session->gpu->ddev;
	buffer->file = get_file(target->file);
	buffer->drm = target->drm;
	buffer->flags = flags;
	buffer->bytes = bytes;
	buffer->caller = current_user();
	buffer->user = session->user;
	/* In the caller's thread, which is the one that fault injection looks at. */
	buffer->fail_create = wdbg_driver_is_to_fail();
	buffer->fail_map = !buffer->fail_create && wdbg_driver_is_to_fail();
	return buffer;
}

/*
 * -EAGAIN: the target holds the lock of its address space, or a worker waits for that
 * lock already. There is at most one such worker for each address space.
 */
static int buffer_begin_locked(struct wdbg_session *session, u32 flags,
			       u64 bytes, struct wdbg_buffer **made)
{
	struct wdbg_target *target = session->target;
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_buffer *buffer;
	int ret, bracket;

	if (wdbg_buffer_unsupported_reason(gpu))
		return -EOPNOTSUPP;
	/* Wakes the GPU, for as long as the session exists. */
	ret = wdbg_session_power_begin(session, &bracket);
	if (ret)
		return ret;
	wdbg_session_power_end(session, bracket);
	if (buffer_too_many_freed(gpu, target->drm))
		return -ENOSPC;
	if (buffer_num_there(&buffer_deleted(gpu)->making, target->drm) ||
	    !wdbg_mappings_unlocked(gpu, target->drm))
		return -EAGAIN;
	buffer = buffer_alloc(session, flags, bytes);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	list_add_tail(&buffer->node, &buffer_deleted(gpu)->making);
	wdbg_gpu_hold(gpu);
	wdbg_driver_queue(&buffer->make);
	*made = buffer;
	return 0;
}

static int buffer_begin(struct wdbg_session *session, u32 flags, u64 bytes,
			struct wdbg_buffer **made)
{
	unsigned long deadline = wdbg_transfer_deadline();
	int ret;

	do {
		ret = wdbg_target_lock(session);
		if (ret)
			return ret;
		ret = buffer_begin_locked(session, flags, bytes, made);
		wdbg_gpu_unlock(session->gpu);
		if (ret != -EAGAIN)
			return ret;
		ret = wdbg_transfer_wait(session, deadline);
	} while (!ret);
	return ret;
}

/* Wait until it was created; otherwise leave it to the worker, which then deletes it. */
static int buffer_wait(struct wdbg_session *session, struct wdbg_buffer *buffer)
{
	struct wdbg_gpu *gpu = session->gpu;
	int ret = 0;
	long left;

	left = wait_for_completion_killable_timeout(&buffer->made,
						    msecs_to_jiffies(MAKE_MS));
	if (left > 0)
		return 0;
	wdbg_gpu_lock(gpu, session);
	if (!completion_done(&buffer->made)) {
		buffer->abandoned = true;
		ret = left ? -EINTR : wdbg_busy(session, AMDGPUDBG_BUSY_MOVED);
	}
	wdbg_gpu_unlock(gpu);
	return ret;
}

/**
 * wdbg_buffer_new() - put a buffer into the address space of a session's target
 * @session: the session
 * @flags: AMDGPUDBG_MEM_ALLOC_*
 * @bytes: its size, whole pages
 *
 * The GPU is kept until the caller calls wdbg_gpu_closed(), which it has to do after it
 * has put the buffer into a list or deleted it. The GPU's lock was not held in between:
 * the session may have another target by then, or none.
 *
 * Context: may sleep; the GPU's lock is not held. The caller's thread.
 * Return: the buffer, for wdbg_buffer_delete(), or an error: what amdgpu returns;
 *	-ENOMEM; -ETIMEDOUT if the GPU does not write page tables; -ENOSPC if too many
 *	freed buffers, or too many of the user, still exist; -EADDRNOTAVAIL if the
 *	target has left no addresses free; -ESTALE if the target has replaced it; -EBUSY
 *	if the target holds the lock of its address space; -EOPNOTSUPP; -EINTR if the
 *	caller is killed; errors of wdbg_target_lock() and wdbg_session_power_begin().
 */
struct wdbg_buffer *wdbg_buffer_new(struct wdbg_session *session, u32 flags,
				    u64 bytes)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_buffer *buffer;
	int ret;

	lockdep_assert_not_held(&gpu->lock);
	ret = buffer_begin(session, flags, bytes, &buffer);
	if (!ret)
		ret = buffer_wait(session, buffer);
	if (ret)
		return ERR_PTR(ret);
	ret = buffer->error;
	if (!ret)
		return buffer;
	wdbg_gpu_lock(gpu, session);
	wdbg_buffer_delete(gpu, buffer);
	wdbg_gpu_unlock(gpu);
	wdbg_gpu_closed(gpu);
	return ERR_PTR(ret);
}

/**
 * wdbg_buffer_copy() - copy from or to a buffer
 * @gpu: the GPU
 * @buffer: the buffer
 * @offset: from its start, in bytes; @copy->bytes from there lie within the buffer
 * @copy: the copy, except its address
 *
 * Context: see wdbg_mappings_copy().
 * Return: see wdbg_mappings_copy().
 */
int wdbg_buffer_copy(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer,
		     u64 offset, struct wdbg_vm_copy *copy)
{
	const struct wdbg_in_object in = {
		.obj = buffer->obj, .offset = offset,
	};

	return wdbg_object_copy(gpu, &in, copy);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The jobs that amdgpu has given to its rings and that have not ended: those on the
 * pending lists of the rings' schedulers. The FIFO in job.c sees only jobs that begin
 * while a session listens; these lists also have earlier jobs.
 *
 * What is assumed of the scheduler (sched_main.c, Linux 6.1 to 7.2):
 *
 * - A job is on the list from before it is given to the ring until the scheduler frees
 *   it, which it does only after it has taken it off the list under job_list_lock. So
 *   with this lock held, each job on the list and its fences exist.
 * - The job's fence "scheduled" is signaled when the job has been given to the ring,
 *   and "finished" when it has ended.
 * - The handler of a timeout takes the job off the list until it has dealt with it.
 */
#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <linux/dma-fence.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/spinlock.h>

#include "amdgpu/amdgpu.h"
#include "amdgpu/job.h"
#include "amdgpu/opener.h"
#include "gpu.h"

static void *job_list_field(struct wdbg_gpu *gpu, void *base, enum wdbg_field which)
{
	return wdbg_field_ptr(&gpu->layout, base, which);
}

static u32 job_list_field_u32(struct wdbg_gpu *gpu, void *base, enum wdbg_field which)
{
	return READ_ONCE(*(u32 *)job_list_field(gpu, base, which));
}

static void *job_list_field_ptr(struct wdbg_gpu *gpu, void *base, enum wdbg_field which)
{
	return READ_ONCE(*(void **)job_list_field(gpu, base, which));
}

/* Get the ring at @i, if it has a scheduler that was started; else NULL. */
static void *job_list_find_ring(struct wdbg_gpu *gpu, u32 i)
{
	void **rings = job_list_field(gpu, gpu->adev, WDBG_ADEV_RINGS);
	void *ring;

	if (i >= gpu->layout.num_rings || i >= wdbg_adev_u32(gpu, WDBG_ADEV_NUM_RINGS))
		return NULL;
	ring = READ_ONCE(rings[i]);
	if (!ring || READ_ONCE(*(bool *)job_list_field(gpu, ring, WDBG_RING_NO_SCHEDULER)) ||
	    !job_list_field_ptr(gpu, ring, WDBG_RING_SCHED_OPS))
		return NULL;
	return ring;
}

static void job_list_describe_ring(struct wdbg_gpu *gpu, void *ring, struct amdgpudbg_job *out)
{
	void *funcs = job_list_field_ptr(gpu, ring, WDBG_RING_FUNCS);

	out->ring = job_list_field_u32(gpu, ring, WDBG_RING_IDX);
	out->ring_type = job_list_field_u32(gpu, funcs, WDBG_RING_FUNCS_TYPE);
	if (gpu->layout.present[WDBG_RING_XCC_ID])
		out->xcc = job_list_field_u32(gpu, ring, WDBG_RING_XCC_ID);
	out->me = job_list_field_u32(gpu, ring, WDBG_RING_ME);
	out->pipe = job_list_field_u32(gpu, ring, WDBG_RING_PIPE);
	out->queue = job_list_field_u32(gpu, ring, WDBG_RING_QUEUE);
	out->seq_signaled = atomic_read((atomic_t *)job_list_field(gpu, ring,
								   WDBG_RING_LAST_SEQ));
	out->seq_emitted = job_list_field_u32(gpu, ring, WDBG_RING_SYNC_SEQ);
	strscpy(out->ring_name, job_list_field(gpu, ring, WDBG_RING_NAME),
		sizeof(out->ring_name));
	if (wdbg_timeout_of(gpu, ring, &out->timeout_ms, &out->left_ms))
		out->flags |= AMDGPUDBG_JOB_HELD;
}

/* The scheduler signals the fence after it has given the job to the ring. */
static u64 job_list_begin_of(const struct dma_fence *scheduled)
{
	return test_bit(DMA_FENCE_FLAG_TIMESTAMP_BIT, &scheduled->flags) ?
	       ktime_to_ns(scheduled->timestamp) : ktime_get_ns();
}

/* Count the job, and describe it if there is room. */
static void job_list_add(struct wdbg_gpu *gpu, void *job, void *s_fence, bool oldest,
			 const struct amdgpudbg_job *of_ring, struct wdbg_job_room *room)
{
	const struct dma_fence *finished = job_list_field(gpu, s_fence,
							  WDBG_SCHED_FENCE_FINISHED);
	u32 ib_room = room->ib_capacity - min(room->ib_count, room->ib_capacity);
	struct amdgpudbg_job *out = &room->jobs[room->count];
	u32 first_ib = room->ib_count;
	u32 num = wdbg_job_ibs(&gpu->layout, job, room->ibs + first_ib, ib_room);
	void *vm = job_list_field_ptr(gpu, job, WDBG_JOB_VM);

	room->ib_count += num;
	if (room->count++ >= room->capacity)
		return;
	*out = *of_ring;
	if (oldest)
		out->flags |= AMDGPUDBG_JOB_OLDEST;
	else
		out->left_ms = out->timeout_ms;
	if (vm) {
		out->vmid = job_list_field_u32(gpu, job, WDBG_JOB_VMID) % WDBG_NUM_VMID;
		out->pasid = job_list_field_u32(gpu, job, WDBG_JOB_PASID);
	}
	out->job = finished->seqno;
	out->job_context = finished->context;
	out->begin_time = job_list_begin_of(job_list_field(gpu, s_fence,
							   WDBG_SCHED_FENCE_SCHEDULED));
	out->first_ib = first_ib;
	out->num_ibs = num;
	room->vms[room->count - 1] = vm;
}

/**
 * wdbg_job_list_ring() - list the jobs of one ring
 * @gpu: the GPU, attached; its layout has_job_list
 * @i: number of the ring, from 0 on
 * @only: jobs that run in this struct amdgpu_vm; NULL: all
 * @room: they are added here, or only counted if there is no room
 *
 * Context: the GPU's lock is held, and no reset is in progress.
 * Return: 0; -ENOENT if there is no such ring, nor one with a greater number.
 */
int wdbg_job_list_ring(struct wdbg_gpu *gpu, u32 i, const void *only,
		       struct wdbg_job_room *room)
{
	struct amdgpudbg_job of_ring = { };
	struct list_head *pending, *node;
	bool oldest = true;
	void *ring, *job, *s_fence;
	spinlock_t *lock;	/* of @pending */

	lockdep_assert_held(&gpu->lock);
	if (i >= gpu->layout.num_rings)
		return -ENOENT;
	ring = job_list_find_ring(gpu, i);
	if (!ring)
		return 0;
	pending = job_list_field(gpu, ring, WDBG_RING_SCHED_PENDING_LIST);
	lock = job_list_field(gpu, ring, WDBG_RING_SCHED_JOB_LIST_LOCK);
	spin_lock(lock);
	job_list_describe_ring(gpu, ring, &of_ring);
	list_for_each(node, pending) {
		const struct dma_fence *finished;

		job = (void *)node - gpu->layout.offset[WDBG_JOB_NODE];
		s_fence = job_list_field_ptr(gpu, job, WDBG_JOB_S_FENCE);
		finished = s_fence ? job_list_field(gpu, s_fence,
						    WDBG_SCHED_FENCE_FINISHED) : NULL;
		if (!finished || test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &finished->flags))
			continue;
		if (!only || job_list_field_ptr(gpu, job, WDBG_JOB_VM) == only)
			job_list_add(gpu, job, s_fence, oldest, &of_ring, room);
		oldest = false;
	}
	spin_unlock(lock);
	return 0;
}

/**
 * wdbg_job_list_has_graphics() - check whether a job is on a graphics ring
 * @gpu: the GPU, attached
 * @only: of this struct amdgpu_vm; NULL: of any
 *
 * Context: see wdbg_job_list_ring().
 * Return: true if so, or if this amdgpu does not show it.
 */
bool wdbg_job_list_has_graphics(struct wdbg_gpu *gpu, const void *only)
{
	struct wdbg_job_room none = { };
	void *ring, *funcs;
	u32 i;

	if (!gpu->layout.has_job_list)
		return true;
	for (i = 0; i < gpu->layout.num_rings; i++) {
		ring = job_list_find_ring(gpu, i);
		if (!ring)
			continue;
		funcs = job_list_field_ptr(gpu, ring, WDBG_RING_FUNCS);
		if (job_list_field_u32(gpu, funcs, WDBG_RING_FUNCS_TYPE) !=
		    gpu->layout.ring_type_gfx)
			continue;
		wdbg_job_list_ring(gpu, i, only, &none);
		if (none.count)
			return true;
	}
	return false;
}

/**
 * wdbg_job_list_owner() - find the process of an address space
 * @gpu: the GPU
 * @ddev: its DRM device, referenced
 * @vm: amdgpu's struct amdgpu_vm, which may not exist any more;
 *	NULL: the one that has @pasid
 * @pasid: its PASID when it was seen. Another one at the same address has another
 *	PASID.
 *
 * Context: may sleep; the GPU's lock is not held, because amdgpu's debugfs waits for
 *	address spaces with filelist_mutex held.
 * Return: its number in the caller's PID namespace, or 0.
 */
u32 wdbg_job_list_owner(struct wdbg_gpu *gpu, struct drm_device *ddev, const void *vm,
			u32 pasid)
{
	struct drm_file *drm;
	u32 pid = 0;

	if (mutex_lock_killable(&ddev->filelist_mutex))
		return 0;
	list_for_each_entry(drm, &ddev->filelist, lhead) {
		/* While a file is on the list, its address space exists. */
		if (!drm->driver_priv ||
		    (vm && wdbg_drm_field(gpu, drm, WDBG_FPRIV_VM) != vm) ||
		    job_list_field_u32(gpu, drm->driver_priv, WDBG_FPRIV_VM_PASID) != pasid)
			continue;
		pid = wdbg_opener(drm);
		break;
	}
	mutex_unlock(&ddev->filelist_mutex);
	return pid;
}

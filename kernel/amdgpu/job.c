// SPDX-License-Identifier: GPL-2.0-only
/*
 * The FIFO of amdgpu's jobs. amdgpu has no interface that reports them, but its
 * tracepoint amdgpu_sched_run_job shows each job that its scheduler gives to a ring,
 * and the scheduler's fence of the job is signaled when the job has ended: by the ring,
 * or by a reset, or because it was not run at all.
 *
 * The probe runs in the scheduler's thread, with preemption off up to Linux 6.12; it is
 * registered only while a session wants events of jobs. It takes a reference to the
 * fence and copies into a ring. The worker that takes the job from there waits for the
 * fence by a callback, which runs with the fence's lock held in the context that
 * signals it, a hard interrupt most often, and only records the time.
 *
 * A job that a reset sends to its ring again is still the same job.
 */
#include <linux/ktime.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "amdgpu/amdgpu.h"
#include "amdgpu/job.h"
#include "amdgpu/tracepoint.h"
#include "gpu.h"

/* Size of a GPU's ring; a power of two. Jobs begin faster than the worker takes them. */
#define RING_SIZE	256

static LIST_HEAD(fifos);
static DEFINE_SPINLOCK(fifos_lock); /* protects changes of fifos */

/* Get the time at which a fence was signaled, which it was. */
static u64 job_signaled_at(struct dma_fence *fence)
{
	/* The bit of the signal is set before that of the time. */
	while (!test_bit(DMA_FENCE_FLAG_TIMESTAMP_BIT, &fence->flags))
		cpu_relax();
	return ktime_to_ns(fence->timestamp);
}

static void *job_ptr(const struct wdbg_job_fifo *fifo, void *base,
		     enum wdbg_field field)
{
	return *(void **)wdbg_field_ptr(fifo->layout, base, field);
}

static u32 job_u32(const struct wdbg_job_fifo *fifo, void *base,
		   enum wdbg_field field)
{
	return *(u32 *)wdbg_field_ptr(fifo->layout, base, field);
}

/**
 * wdbg_job_ibs() - get the indirect buffers of a job
 * @layout: of the amdgpu.ko that is loaded
 * @job: amdgpu's struct amdgpu_job. Its indirect buffers do not change once the
 *	scheduler has it.
 * @ibs: out, the first of them
 * @max: elements of @ibs
 *
 * Does not sleep. The caller ensures that the job is not freed.
 * Return: number of the job's indirect buffers, which may be more than @max; 0 if this
 *	amdgpu does not show them.
 */
u32 wdbg_job_ibs(const struct wdbg_layout *layout, void *job,
		 struct amdgpudbg_ib *ibs, u32 max)
{
	u32 i, num;
	void *ib;

	if (!layout->has_ibs)
		return 0;
	num = *(u32 *)wdbg_field_ptr(layout, job, WDBG_JOB_NUM_IBS);
	ib = wdbg_field_ptr(layout, job, WDBG_JOB_IBS);
	for (i = 0; i < num && i < max; i++, ib += layout->ib_size) {
		ibs[i].va = wdbg_va_signed(*(u64 *)wdbg_field_ptr(layout, ib,
								  WDBG_IB_GPU_ADDR));
		ibs[i].dwords = *(u32 *)wdbg_field_ptr(layout, ib, WDBG_IB_LENGTH_DW);
		ibs[i].flags = *(u32 *)wdbg_field_ptr(layout, ib, WDBG_IB_FLAGS);
	}
	return num;
}

/* The caller owns a reference to @out's fence. */
static void job_describe(const struct wdbg_job_fifo *fifo, void *job, void *ring,
			 struct wdbg_job *out)
{
	void *s_fence = job_ptr(fifo, job, WDBG_JOB_S_FENCE);
	void *funcs = job_ptr(fifo, ring, WDBG_RING_FUNCS);

	memset(out, 0, sizeof(*out));
	out->fence = dma_fence_get(wdbg_field_ptr(fifo->layout, s_fence,
						  WDBG_SCHED_FENCE_FINISHED));
	out->vm = job_ptr(fifo, job, WDBG_JOB_VM);
	out->vmid = job_u32(fifo, job, WDBG_JOB_VMID) % WDBG_NUM_VMID;
	out->pasid = out->vm ? job_u32(fifo, job, WDBG_JOB_PASID) : 0;
	out->ring = job_u32(fifo, ring, WDBG_RING_IDX);
	out->ring_type = job_u32(fifo, funcs, WDBG_RING_FUNCS_TYPE);
	strscpy(out->ring_name,
		wdbg_field_ptr(fifo->layout, ring, WDBG_RING_NAME),
		sizeof(out->ring_name));
	out->num_ibs = wdbg_job_ibs(fifo->layout, job, out->ibs, ARRAY_SIZE(out->ibs));
}

/* It begins now: with the lock held, so that the ring has the order of the times. */
static bool job_put(struct wdbg_job_fifo *fifo, struct wdbg_job *job)
{
	bool kept = false;
	unsigned long flags;

	raw_spin_lock_irqsave(&fifo->lock, flags);
	job->began = ktime_get_ns();
	if (fifo->wanted && fifo->head - fifo->tail < RING_SIZE) {
		fifo->ring[fifo->head++ % RING_SIZE] = *job;
		kept = true;
	} else if (fifo->wanted) {
		wdbg_dropped_add(&fifo->dropped, job->vmid, job->vm, job->began);
	}
	raw_spin_unlock_irqrestore(&fifo->lock, flags);
	return kept;
}

/* TP_PROTO(struct amdgpu_job *job), see layout_job_is_known(). */
static void job_on_run(void *unused, void *job)
{
	struct wdbg_job_fifo *fifo;
	struct wdbg_job seen;
	void *ring;

	rcu_read_lock();
	list_for_each_entry_rcu(fifo, &fifos, node) {
		ring = job_ptr(fifo, job, WDBG_JOB_SCHED) -
		       fifo->layout->offset[WDBG_RING_SCHED];
		if (job_ptr(fifo, ring, WDBG_RING_ADEV) != fifo->adev)
			continue;
		/* All jobs of a scheduler have a fence. */
		if (READ_ONCE(fifo->wanted) &&
		    job_ptr(fifo, job, WDBG_JOB_S_FENCE)) {
			job_describe(fifo, job, ring, &seen);
			if (!job_put(fifo, &seen))
				dma_fence_put(seen.fence);
			fifo->wake(fifo);
		}
		break;
	}
	rcu_read_unlock();
}

static struct wdbg_tracepoint run_job = {
	.name = "amdgpu_sched_run_job",
	.probe = job_on_run,
	.on_demand = true,
};

/**
 * wdbg_jobs_init() - find amdgpu's tracepoint, now and whenever amdgpu is loaded
 *
 * Context: before any GPU is attached.
 * Return: 0 or an error of the kernel.
 */
int wdbg_jobs_init(void)
{
	return wdbg_tracepoint_init(&run_job);
}

/**
 * wdbg_jobs_exit() - end wdbg_jobs_init()
 *
 * Context: no GPU is attached any more.
 */
void wdbg_jobs_exit(void)
{
	wdbg_tracepoint_exit(&run_job);
}

/**
 * wdbg_job_available() - check that jobs can be seen
 * @layout: of the amdgpu.ko that is loaded
 *
 * Context: a GPU is bound to amdgpu, which therefore stays.
 * Return: false if amdgpu has no such tracepoint, or another one, or if the kernel has
 *	left it out because amdgpu was loaded by force.
 */
bool wdbg_job_available(const struct wdbg_layout *layout)
{
	return layout->has_jobs && wdbg_tracepoint_is_there(&run_job);
}

/**
 * wdbg_job_open() - open the FIFO of a GPU
 * @fifo: the FIFO, zeroed
 * @gpu: its GPU; layout and adev are set, and stay until wdbg_job_close();
 *	wdbg_job_available()
 * @wake: see &struct wdbg_job_fifo
 *
 * Return: 0 or -ENOMEM.
 */
int wdbg_job_open(struct wdbg_job_fifo *fifo, struct wdbg_gpu *gpu,
		  void (*wake)(struct wdbg_job_fifo *fifo))
{
	BUILD_BUG_ON_NOT_POWER_OF_2(RING_SIZE);
	BUILD_BUG_ON(WDBG_DROPPED_VMIDS != WDBG_NUM_VMID);
	fifo->ring = kcalloc(RING_SIZE, sizeof(*fifo->ring), GFP_KERNEL);
	if (!fifo->ring)
		return -ENOMEM;
	fifo->adev = gpu->adev;
	fifo->layout = &gpu->layout;
	fifo->wake = wake;
	raw_spin_lock_init(&fifo->lock);
	INIT_LIST_HEAD(&fifo->running);
	INIT_LIST_HEAD(&fifo->ended);

	spin_lock(&fifos_lock);
	list_add_tail_rcu(&fifo->node, &fifos);
	spin_unlock(&fifos_lock);
	return 0;
}

/* Afterwards, no callback of @list runs, nor is called. */
static void job_drop_list(struct wdbg_job_fifo *fifo, struct list_head *list)
{
	struct wdbg_running *run, *next;

	list_for_each_entry_safe(run, next, list, node) {
		/* It takes the fence's lock, which a callback runs with. */
		dma_fence_remove_callback(run->job.fence, &run->cb);
		dma_fence_put(run->job.fence);
		kfree(run);
	}
}

static void job_drop_all(struct wdbg_job_fifo *fifo)
{
	struct wdbg_running *run;
	struct wdbg_job job;
	LIST_HEAD(all);

	while (wdbg_job_take_begun(fifo, &job))
		dma_fence_put(job.fence);
	/* A callback that runs now finds its job in neither list. */
	raw_spin_lock_irq(&fifo->lock);
	list_splice_init(&fifo->ended, &all);
	list_splice_init(&fifo->running, &all);
	list_for_each_entry(run, &all, node)
		run->fifo = NULL;
	memset(&fifo->dropped, 0, sizeof(fifo->dropped));
	raw_spin_unlock_irq(&fifo->lock);
	job_drop_list(fifo, &all);
}

/**
 * wdbg_job_close() - close the FIFO of a GPU
 * @fifo: the FIFO; if it was never opened, nothing happens
 *
 * Afterwards, wake() neither runs nor is called. No other thread takes jobs at the same
 * time.
 * Context: may sleep.
 */
void wdbg_job_close(struct wdbg_job_fifo *fifo)
{
	if (!fifo->ring)
		return;
	wdbg_job_want(fifo, false);
	spin_lock(&fifos_lock);
	list_del_rcu(&fifo->node);
	spin_unlock(&fifos_lock);
	synchronize_rcu();
	kfree(fifo->ring);
	fifo->ring = NULL;
}

/**
 * wdbg_job_want() - begin or cease to listen
 * @fifo: the FIFO, open
 * @wanted: listen. If not, what was seen is dropped.
 *
 * Context: may sleep; one caller at a time.
 * Return: 0; an error of the kernel, and nothing is listened to.
 */
int wdbg_job_want(struct wdbg_job_fifo *fifo, bool wanted)
{
	int ret = 0;

	if (wanted == READ_ONCE(fifo->wanted))
		return 0;
	if (wanted)
		ret = wdbg_tracepoint_get(&run_job);
	if (ret)
		return ret;
	raw_spin_lock_irq(&fifo->lock);
	WRITE_ONCE(fifo->wanted, wanted);
	raw_spin_unlock_irq(&fifo->lock);
	if (!wanted) {
		wdbg_tracepoint_put(&run_job);
		job_drop_all(fifo);
	}
	return 0;
}

/*
 * Sorted by time: an end may be noticed later than that of another job that has ended
 * after it.
 */
static void job_note_end(struct wdbg_job_fifo *fifo, struct wdbg_running *run,
			 u64 when)
{
	struct list_head *pos;

	lockdep_assert_held(&fifo->lock);
	run->noted = true;
	run->ended = when;
	list_for_each_prev(pos, &fifo->ended)
		if (list_entry(pos, struct wdbg_running, node)->ended <=
		    run->ended)
			break;
	list_move(&run->node, pos);
}

/*
 * A fence may be signaled whose callback is still to run, on another CPU; jobs that
 * have begun or ended later must not be taken before.
 *
 * Return: false if one has not got its time yet: its callback will wake.
 */
static bool job_note_ends(struct wdbg_job_fifo *fifo)
{
	struct wdbg_running *run, *next;

	lockdep_assert_held(&fifo->lock);
	list_for_each_entry_safe(run, next, &fifo->running, node) {
		unsigned long *flags = &run->job.fence->flags;

		if (!test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, flags))
			continue;
		if (!test_bit(DMA_FENCE_FLAG_TIMESTAMP_BIT, flags))
			return false;
		job_note_end(fifo, run, job_signaled_at(run->job.fence));
	}
	return true;
}

/* Has the oldest job that has ended done so before @time? */
static bool job_ended_before(struct wdbg_job_fifo *fifo, u64 time)
{
	struct wdbg_running *run;

	lockdep_assert_held(&fifo->lock);
	run = list_first_entry_or_null(&fifo->ended, struct wdbg_running, node);
	return run && run->ended < time;
}

/**
 * wdbg_job_take_begun() - take the oldest job that has begun
 * @fifo: the FIFO, open
 * @job: out; the caller owns the reference to its fence
 *
 * Return: false if there is none, or if another has ended before.
 */
bool wdbg_job_take_begun(struct wdbg_job_fifo *fifo, struct wdbg_job *job)
{
	bool any;

	raw_spin_lock_irq(&fifo->lock);
	any = fifo->head != fifo->tail;
	if (any) {
		*job = fifo->ring[fifo->tail % RING_SIZE];
		any = !fifo->wanted ||
		      (job_note_ends(fifo) && !job_ended_before(fifo, job->began));
		fifo->tail += any;
	}
	raw_spin_unlock_irq(&fifo->lock);
	return any;
}

/**
 * wdbg_job_take_ended() - take the oldest job that has ended
 * @fifo: the FIFO, open
 *
 * Return: the job, for dma_fence_put() and kfree(); NULL if there is none.
 */
struct wdbg_running *wdbg_job_take_ended(struct wdbg_job_fifo *fifo)
{
	struct wdbg_running *run = NULL;

	raw_spin_lock_irq(&fifo->lock);
	if (job_note_ends(fifo))
		run = list_first_entry_or_null(&fifo->ended,
					       struct wdbg_running, node);
	if (run)
		list_del(&run->node);
	raw_spin_unlock_irq(&fifo->lock);
	return run;
}

/* With the fence's lock held, and interrupts off */
static void job_on_end(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	struct wdbg_running *run = container_of(cb, struct wdbg_running, cb);
	struct wdbg_job_fifo *fifo = READ_ONCE(run->fifo);
	unsigned long flags;
	u64 when;

	if (!fifo)
		return;
	when = job_signaled_at(fence);
	raw_spin_lock_irqsave(&fifo->lock, flags);
	if (run->fifo && !run->noted)
		job_note_end(fifo, run, when);
	raw_spin_unlock_irqrestore(&fifo->lock, flags);
	fifo->wake(fifo);
}

static bool job_is_running(struct wdbg_job_fifo *fifo, const struct dma_fence *fence)
{
	struct wdbg_running *run;
	bool found = false;

	raw_spin_lock_irq(&fifo->lock);
	list_for_each_entry(run, &fifo->running, node)
		found |= run->job.fence == fence;
	list_for_each_entry(run, &fifo->ended, node)
		found |= run->job.fence == fence;
	raw_spin_unlock_irq(&fifo->lock);
	return found;
}

/**
 * wdbg_job_wait() - let a job's end be recorded
 * @fifo: the FIFO, open and wanted
 * @job: the job; the reference to its fence is taken over if this succeeds
 *
 * Does not wait itself: wdbg_job_take_ended() returns the job when it has ended.
 * Context: may sleep; one caller at a time, and none of wdbg_job_want().
 * Return: 0; -EALREADY if that was done already; -ENOMEM.
 */
int wdbg_job_wait(struct wdbg_job_fifo *fifo, const struct wdbg_job *job)
{
	struct wdbg_running *run;
	u64 when;

	if (job_is_running(fifo, job->fence))
		return -EALREADY;
	run = kzalloc(sizeof(*run), GFP_KERNEL);
	if (!run)
		return -ENOMEM;
	run->job = *job;
	run->fifo = fifo;
	raw_spin_lock_irq(&fifo->lock);
	list_add_tail(&run->node, &fifo->running);
	raw_spin_unlock_irq(&fifo->lock);
	if (dma_fence_add_callback(run->job.fence, &run->cb, job_on_end)) {
		when = job_signaled_at(run->job.fence);
		raw_spin_lock_irq(&fifo->lock);
		job_note_end(fifo, run, when);
		raw_spin_unlock_irq(&fifo->lock);
	}
	return 0;
}

/**
 * wdbg_job_take_dropped() - count the jobs that were dropped since the last call
 * @fifo: the FIFO, open
 * @dropped: out
 *
 * They are newer than those which wdbg_job_take_begun() returned before.
 * Return: false if none were, and @dropped is not set.
 */
bool wdbg_job_take_dropped(struct wdbg_job_fifo *fifo,
			   struct wdbg_dropped *dropped)
{
	bool any;

	raw_spin_lock_irq(&fifo->lock);
	any = memchr_inv(&fifo->dropped, 0, sizeof(fifo->dropped));
	if (any) {
		*dropped = fifo->dropped;
		memset(&fifo->dropped, 0, sizeof(fifo->dropped));
	}
	raw_spin_unlock_irq(&fifo->lock);
	return any;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hold amdgpu's job timeouts while waves are stopped. The job of a halted wave does not
 * end, and the driver would assume that the GPU hangs and reset it.
 *
 * drm_sched_suspend_timeout() is not enough: the next job of the ring starts the timer
 * again (drm_sched_start_timeout(), Linux 6.12). So the timeout itself becomes
 * infinite, for every graphics and compute ring, because jobs move between the rings of
 * one kind; and armed timers are cancelled. While timeouts are held, a job that really
 * hangs on these rings is not noticed either.
 */
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#include "amdgpu/amdgpu.h"
#include "gpu.h"

/**
 * struct wdbg_ring - a ring of amdgpu whose jobs time out
 * @ring: amdgpu's struct amdgpu_ring
 * @timeout: its timeout in jiffies, while it is held
 * @left: what its first job had left of that when it was held, in jiffies
 * @fences: number of its last fence that had been signaled then
 */
struct wdbg_ring {
	void *ring;
	long timeout;
	unsigned long left;
	u32 fences;
};

static void *timeout_ring_field(struct wdbg_gpu *gpu, void *ring, enum wdbg_field field)
{
	return wdbg_field_ptr(&gpu->layout, ring, field);
}

/* Of graphics or compute, with a scheduler that has been started. */
static bool timeout_is_wanted(struct wdbg_gpu *gpu, void *ring)
{
	const struct wdbg_layout *layout = &gpu->layout;
	void *funcs, *ops, *wq;
	u32 type;

	if (get_kernel_nofault(funcs, (void **)timeout_ring_field(gpu, ring,
								  WDBG_RING_FUNCS)) ||
	    get_kernel_nofault(type, (u32 *)timeout_ring_field(gpu, funcs,
							       WDBG_RING_FUNCS_TYPE)))
		return false;
	if (type != layout->ring_type_gfx && type != layout->ring_type_compute)
		return false;
	/* The KIQ has none. */
	if (READ_ONCE(*(bool *)timeout_ring_field(gpu, ring, WDBG_RING_NO_SCHEDULER)))
		return false;
	ops = READ_ONCE(*(void **)timeout_ring_field(gpu, ring, WDBG_RING_SCHED_OPS));
	wq = READ_ONCE(*(void **)timeout_ring_field(gpu, ring,
						    WDBG_RING_SCHED_TIMEOUT_WQ));
	return ops && wq;
}

/**
 * wdbg_timeout_probe() - find the rings whose timeouts have to be held
 * @gpu: its adev and layout are set
 * @reason: out on error, a sentence; WDBG_REASON_LEN bytes
 *
 * Without any, halting works, but the driver's timeouts run: see
 * AMDGPUDBG_CAP_TIMEOUT_HOLD.
 * Return: 0; -ENOEXEC if the layout is wrong; -ENOMEM.
 */
int wdbg_timeout_probe(struct wdbg_gpu *gpu, char *reason)
{
	void **rings = wdbg_field_ptr(&gpu->layout, gpu->adev, WDBG_ADEV_RINGS);
	u32 i, num = wdbg_adev_u32(gpu, WDBG_ADEV_NUM_RINGS);
	void *ring;

	if (!gpu->layout.has_sched)
		return 0;
	if (num > gpu->layout.num_rings) {
		strscpy(reason, "amdgpu's rings are not where its type information says.",
			WDBG_REASON_LEN);
		return -ENOEXEC;
	}
	gpu->rings = kcalloc(num, sizeof(*gpu->rings), GFP_KERNEL);
	if (!gpu->rings) {
		strscpy(reason, "Not enough memory.", WDBG_REASON_LEN);
		return -ENOMEM;
	}
	for (i = 0; i < num; i++) {
		ring = READ_ONCE(rings[i]);
		if (ring && timeout_is_wanted(gpu, ring))
			gpu->rings[gpu->num_rings++].ring = ring;
	}
	return 0;
}

/* The last job of a ring that has ended, by the number of its fence */
static u32 timeout_fences(struct wdbg_gpu *gpu, const struct wdbg_ring *r)
{
	return atomic_read((atomic_t *)timeout_ring_field(gpu, r->ring,
							  WDBG_RING_LAST_SEQ));
}

static void timeout_hold_ring(struct wdbg_gpu *gpu, struct wdbg_ring *r)
{
	spinlock_t *lock = timeout_ring_field(gpu, r->ring,
					      WDBG_RING_SCHED_JOB_LIST_LOCK);
	long *timeout = timeout_ring_field(gpu, r->ring, WDBG_RING_SCHED_TIMEOUT);
	struct delayed_work *work_tdr = timeout_ring_field(gpu, r->ring,
							   WDBG_RING_SCHED_WORK_TDR);
	unsigned long end;

	spin_lock(lock);
	r->timeout = *timeout;
	WRITE_ONCE(*timeout, MAX_SCHEDULE_TIMEOUT);
	r->left = r->timeout;
	r->fences = timeout_fences(gpu, r);
	if (delayed_work_pending(work_tdr)) {
		end = READ_ONCE(work_tdr->timer.expires);
		r->left = time_after(end, jiffies) ? end - jiffies : 0;
	}
	spin_unlock(lock);
	/* Not _sync(): the handler takes the reset semaphore for writing. */
	cancel_delayed_work(work_tdr);
}

/* A job that was the first then and still is gets the time that it had left. */
static void timeout_release_ring(struct wdbg_gpu *gpu, struct wdbg_ring *r)
{
	spinlock_t *lock = timeout_ring_field(gpu, r->ring,
					      WDBG_RING_SCHED_JOB_LIST_LOCK);
	long *timeout = timeout_ring_field(gpu, r->ring, WDBG_RING_SCHED_TIMEOUT);
	struct delayed_work *work_tdr = timeout_ring_field(gpu, r->ring,
							   WDBG_RING_SCHED_WORK_TDR);
	struct list_head *pending = timeout_ring_field(gpu, r->ring,
						       WDBG_RING_SCHED_PENDING_LIST);
	struct workqueue_struct **wq = timeout_ring_field(gpu, r->ring,
							  WDBG_RING_SCHED_TIMEOUT_WQ);
	bool renew = gpu->timeouts_renew || timeout_fences(gpu, r) != r->fences;

	spin_lock(lock);
	WRITE_ONCE(*timeout, r->timeout);
	if (!list_empty(pending) && r->timeout != MAX_SCHEDULE_TIMEOUT)
		mod_delayed_work(*wq, work_tdr, renew ? r->timeout : r->left);
	spin_unlock(lock);
}

/**
 * wdbg_timeout_hold() - let no job time out
 * @gpu: the GPU, attached
 * @renew: running jobs get their full time afterwards
 *
 * Context: the GPU's lock is held; the bank lock may be.
 */
void wdbg_timeout_hold(struct wdbg_gpu *gpu, bool renew)
{
	u32 i;

	lockdep_assert_held(&gpu->lock);
	if (!gpu->timeouts_held) {
		for (i = 0; i < gpu->num_rings; i++)
			timeout_hold_ring(gpu, &gpu->rings[i]);
		gpu->timeouts_held = true;
		gpu->timeouts_renew = false;
	}
	if (renew)
		gpu->timeouts_renew = true;
}

/**
 * wdbg_timeout_release() - let jobs time out again
 * @gpu: the GPU, attached
 *
 * Context: see wdbg_timeout_hold().
 */
void wdbg_timeout_release(struct wdbg_gpu *gpu)
{
	u32 i;

	lockdep_assert_held(&gpu->lock);
	if (!gpu->timeouts_held)
		return;
	for (i = 0; i < gpu->num_rings; i++)
		timeout_release_ring(gpu, &gpu->rings[i]);
	gpu->timeouts_held = false;
}

static bool timeout_ring_has_jobs(struct wdbg_gpu *gpu, const struct wdbg_ring *r)
{
	spinlock_t *lock = timeout_ring_field(gpu, r->ring,
					      WDBG_RING_SCHED_JOB_LIST_LOCK);
	struct list_head *pending = timeout_ring_field(gpu, r->ring,
						       WDBG_RING_SCHED_PENDING_LIST);
	bool has;

	spin_lock(lock);
	has = !list_empty(pending);
	spin_unlock(lock);
	return has;
}

/**
 * wdbg_timeout_has_jobs() - check whether there is a job that may time out
 * @gpu: the GPU, attached
 *
 * Context: see wdbg_timeout_hold().
 * Return: false if there is certainly none.
 */
bool wdbg_timeout_has_jobs(struct wdbg_gpu *gpu)
{
	u32 i;

	lockdep_assert_held(&gpu->lock);
	for (i = 0; i < gpu->num_rings; i++)
		if (timeout_ring_has_jobs(gpu, &gpu->rings[i]))
			return true;
	return !gpu->num_rings;
}

/**
 * wdbg_timeout_longest() - get the longest of all job timeouts
 * @gpu: the GPU
 *
 * Context: the GPU's lock is held; the timeouts are held, or have been.
 * Return: in jiffies; 0 if no job ever times out.
 */
unsigned long wdbg_timeout_longest(const struct wdbg_gpu *gpu)
{
	unsigned long longest = 0;
	u32 i;

	lockdep_assert_held(&gpu->lock);
	for (i = 0; i < gpu->num_rings; i++)
		if (gpu->rings[i].timeout != MAX_SCHEDULE_TIMEOUT)
			longest = max_t(unsigned long, longest,
					gpu->rings[i].timeout);
	return longest;
}

static u32 timeout_ms(unsigned long jiffies_left)
{
	return jiffies_left >= MAX_SCHEDULE_TIMEOUT ?
	       U32_MAX : min_t(unsigned long, jiffies_to_msecs(jiffies_left), U32_MAX - 1);
}

static const struct wdbg_ring *timeout_find_held(struct wdbg_gpu *gpu, const void *ring)
{
	u32 i;

	for (i = 0; gpu->timeouts_held && i < gpu->num_rings; i++)
		if (gpu->rings[i].ring == ring)
			return &gpu->rings[i];
	return NULL;
}

/**
 * wdbg_timeout_of() - get the timeout of a ring
 * @gpu: the GPU, attached
 * @ring: amdgpu's struct amdgpu_ring, with a scheduler
 * @timeout: out, for each job, in ms; U32_MAX: for ever
 * @left: out, time that the ring's first job has left, or will have when the timeouts
 *	are not held any more, in ms
 *
 * Context: the GPU's lock is held; does not sleep.
 * Return: true if the ring's timeout is held.
 */
bool wdbg_timeout_of(struct wdbg_gpu *gpu, void *ring, u32 *timeout, u32 *left)
{
	const struct delayed_work *work_tdr = timeout_ring_field(gpu, ring,
								 WDBG_RING_SCHED_WORK_TDR);
	const struct wdbg_ring *held = timeout_find_held(gpu, ring);
	long whole = READ_ONCE(*(long *)timeout_ring_field(gpu, ring, WDBG_RING_SCHED_TIMEOUT));
	unsigned long end, rest = whole;

	lockdep_assert_held(&gpu->lock);
	if (held) {
		whole = held->timeout;
		/* As timeout_release_ring() will decide */
		rest = gpu->timeouts_renew || timeout_fences(gpu, held) != held->fences ?
		       whole : held->left;
	} else if (delayed_work_pending(work_tdr)) {
		end = READ_ONCE(work_tdr->timer.expires);
		rest = time_after(end, jiffies) ? end - jiffies : 0;
	}
	*timeout = timeout_ms(whole);
	*left = timeout_ms(rest);
	return held;
}

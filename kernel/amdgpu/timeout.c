// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holding amdgpu's job timeouts while waves are halted. The job of a halted wave
 * does not end, and the driver would take the GPU for hung and reset it.
 *
 * drm_sched_suspend_timeout() does not do it: the next job of the ring starts
 * the clock again (drm_sched_start_timeout(), Linux 6.12). So the timeout itself
 * becomes infinite, for every graphics and compute ring, because jobs move
 * between the rings of one kind; and what was armed is cancelled. While it is
 * held, a job that really hangs on these rings is not noticed either.
 *
 * Therefore callers without CAP_SYS_ADMIN can have it for a limited time only,
 * all of them together: halt_seconds after the first halt their waves are
 * resumed, and they can halt again when every clock could have run out once.
 */
#include <linux/capability.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#include "launch.h"
#include "session.h"
#include "timeout.h"
#include "slots.h"

static uint halt_seconds = 60;
module_param(halt_seconds, uint, 0644);
MODULE_PARM_DESC(halt_seconds, "How long waves may be halted for callers without CAP_SYS_ADMIN");

static void *ring_field(struct wdbg_gpu *gpu, void *ring, enum wdbg_field field)
{
	return wdbg_field_ptr(&gpu->layout, ring, field);
}

/* Of graphics or compute, with a scheduler that has been started. */
static bool is_wanted(struct wdbg_gpu *gpu, void *ring)
{
	const struct wdbg_layout *layout = &gpu->layout;
	void *funcs, *ops, *wq;
	u32 type;

	if (get_kernel_nofault(funcs, (void **)ring_field(gpu, ring,
							  WDBG_RING_FUNCS)) ||
	    get_kernel_nofault(type, (u32 *)ring_field(gpu, funcs,
						       WDBG_RING_FUNCS_TYPE)))
		return false;
	if (type != layout->ring_type_gfx && type != layout->ring_type_compute)
		return false;
	/* The KIQ has none. */
	if (READ_ONCE(*(bool *)ring_field(gpu, ring, WDBG_RING_NO_SCHEDULER)))
		return false;
	ops = READ_ONCE(*(void **)ring_field(gpu, ring, WDBG_RING_SCHED_OPS));
	wq = READ_ONCE(*(void **)ring_field(gpu, ring,
					    WDBG_RING_SCHED_TIMEOUT_WQ));
	return ops && wq;
}

/**
 * wdbg_timeout_probe() - find the rings whose timeouts are to be held
 * @gpu: its adev and layout are set
 * @reason: out on error, a sentence; WDBG_REASON_LEN bytes
 *
 * Without any, halting works, but the driver's timeouts go on: see
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
		if (ring && is_wanted(gpu, ring))
			gpu->rings[gpu->num_rings++].ring = ring;
	}
	return 0;
}

static void hold_ring(struct wdbg_gpu *gpu, struct wdbg_ring *r)
{
	spinlock_t *lock = ring_field(gpu, r->ring,
				      WDBG_RING_SCHED_JOB_LIST_LOCK);
	long *timeout = ring_field(gpu, r->ring, WDBG_RING_SCHED_TIMEOUT);
	struct delayed_work *work_tdr = ring_field(gpu, r->ring,
						   WDBG_RING_SCHED_WORK_TDR);

	spin_lock(lock);
	r->timeout = *timeout;
	WRITE_ONCE(*timeout, MAX_SCHEDULE_TIMEOUT);
	spin_unlock(lock);
	/* Not _sync(): the handler takes the reset semaphore for writing. */
	cancel_delayed_work(work_tdr);
}

static void release_ring(struct wdbg_gpu *gpu, struct wdbg_ring *r)
{
	spinlock_t *lock = ring_field(gpu, r->ring,
				      WDBG_RING_SCHED_JOB_LIST_LOCK);
	long *timeout = ring_field(gpu, r->ring, WDBG_RING_SCHED_TIMEOUT);
	struct delayed_work *work_tdr = ring_field(gpu, r->ring,
						   WDBG_RING_SCHED_WORK_TDR);
	struct list_head *pending = ring_field(gpu, r->ring,
					       WDBG_RING_SCHED_PENDING_LIST);
	struct workqueue_struct **wq = ring_field(gpu, r->ring,
						  WDBG_RING_SCHED_TIMEOUT_WQ);

	spin_lock(lock);
	WRITE_ONCE(*timeout, r->timeout);
	/* What still runs gets its full time again. */
	if (!list_empty(pending) && r->timeout != MAX_SCHEDULE_TIMEOUT)
		mod_delayed_work(*wq, work_tdr, r->timeout);
	spin_unlock(lock);
}

/* How long every clock needs to run out, in jiffies. */
static unsigned long longest_timeout(const struct wdbg_gpu *gpu)
{
	unsigned long longest = 0;
	u32 i;

	for (i = 0; i < gpu->num_rings; i++)
		if (gpu->rings[i].timeout != MAX_SCHEDULE_TIMEOUT)
			longest = max_t(unsigned long, longest,
					gpu->rings[i].timeout);
	return longest;
}

static void expire(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	bool halted = wdbg_wave_owns_any(gpu, session);

	wdbg_session_let_go(gpu, session);
	if (halted)
		wdbg_event_post(session, AMDGPUDBG_EVENT_HALT_EXPIRED, 0);
}

/*
 * The time is over. Also those who have just resumed their waves have to wait,
 * lest the clocks begin anew time and again and never run out.
 */
static void bound_work(struct work_struct *work)
{
	struct wdbg_gpu *gpu = container_of(to_delayed_work(work),
					    struct wdbg_gpu, bound);
	struct wdbg_session *session;

	mutex_lock(&gpu->lock);
	if (gpu->adev) {
		list_for_each_entry(session, &gpu->sessions, node) {
			if (session->bounded)
				expire(gpu, session);
			session->bounded = false;
		}
		gpu->rest_until = longest_timeout(gpu) +
				  (gpu->timeouts_held ? jiffies :
							gpu->released_at);
		gpu->resting = true;
	}
	mutex_unlock(&gpu->lock);
}

static int begin_bounded(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	unsigned long bound = (unsigned long)READ_ONCE(halt_seconds) * HZ;

	if (gpu->resting && time_before(jiffies, gpu->rest_until))
		return -EBUSY;
	gpu->resting = false;
	session->bounded = true;
	/* The time runs on, unless halt_seconds has become less. */
	if (!delayed_work_pending(&gpu->bound) ||
	    time_after(gpu->bound.timer.expires, jiffies + bound))
		mod_delayed_work(wdbg_workqueue, &gpu->bound, bound);
	return 0;
}

/**
 * wdbg_timeout_init() - before any other function of this file
 * @gpu: the GPU
 */
void wdbg_timeout_init(struct wdbg_gpu *gpu)
{
	INIT_DELAYED_WORK(&gpu->bound, bound_work);
}

/**
 * wdbg_timeout_exit() - the GPU is gone
 * @gpu: the GPU, whose lock is not held
 */
void wdbg_timeout_exit(struct wdbg_gpu *gpu)
{
	cancel_delayed_work_sync(&gpu->bound);
}

/**
 * wdbg_timeout_hold() - stop the clocks, before a wave is halted
 * @session: for whom; its GPU is attached
 *
 * Context: the GPU's lock is held; the bank lock may be. The caller's thread.
 * Return: 0; -EBUSY if the caller has to wait, see the top of this file.
 */
int wdbg_timeout_hold(struct wdbg_session *session)
{
	struct wdbg_gpu *gpu = session->gpu;
	int ret;
	u32 i;

	lockdep_assert_held(&gpu->lock);
	if (!capable(CAP_SYS_ADMIN)) {
		ret = begin_bounded(gpu, session);
		if (ret)
			return ret;
	}
	if (gpu->timeouts_held)
		return 0;
	for (i = 0; i < gpu->num_rings; i++)
		hold_ring(gpu, &gpu->rings[i]);
	gpu->timeouts_held = true;
	return 0;
}

/**
 * wdbg_timeout_release_unused() - let the clocks run if no session holds waves
 * @gpu: the GPU, attached
 *
 * Waves that were left halted when their session closed are nobody's.
 * Context: as wdbg_timeout_hold().
 */
void wdbg_timeout_release_unused(struct wdbg_gpu *gpu)
{
	u32 i;

	lockdep_assert_held(&gpu->lock);
	if (!gpu->timeouts_held)
		return;
	/*
	 * Nobody is told of waves that start halted, or that do not start, or
	 * that their trap handler halts.
	 */
	if (wdbg_launch_used(gpu, NULL) || gpu->trap.holds_timeouts)
		return;
	for (i = 0; i < gpu->num_slots; i++)
		if (gpu->slots[i].owner)
			return;
	for (i = 0; i < gpu->num_rings; i++)
		release_ring(gpu, &gpu->rings[i]);
	gpu->timeouts_held = false;
	gpu->released_at = jiffies;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The halt budget: for how long callers without CAP_SYS_ADMIN may stop waves.
 *
 * While waves are stopped, job timeouts are held, and a hung job is not noticed.
 * Sessions of root hold them for as long as they have anything that may stop waves. For
 * other callers (wdbg_session.bounded) the time is limited by halt_seconds, for all of
 * them together, and timeouts are held for them if and only if the time counts. Both
 * depend only on what these sessions have on the GPU at that moment, no matter which
 * call created it: halted waves, or a stalled VMID while there are jobs.
 * wdbg_wave_own() is the only function that gives a wave slot an owner; it counts them,
 * and warns if the owner's time is not accounted for. Each way to own a wave ends in
 * wdbg_halt_budget_update(). Waves may also stop without a notice: while such a session has a
 * trap handler or a launch mode that may halt waves, and none is known to be halted,
 * the worker reads the waves ten times a second, and after interrupts of waves.
 *
 * A stop gives a job no new time: its clock continues where it was, unless a job of the
 * ring has ended in between (fence_drv.last_seq). Otherwise a series of short stops, by
 * however many sessions, could keep a hung job for ever.
 *
 * When the time is over, the waves of these sessions are resumed. They can stop waves
 * again when every clock could have run out once; unused time comes back after that
 * time, too.
 */
#include <linux/capability.h>
#include <linux/jiffies.h>
#include <linux/moduleparam.h>

#include "amdgpu/amdgpu.h"
#include "gpu.h"
#include "halt_budget.h"
#include "session.h"

static uint halt_seconds = 60;
module_param(halt_seconds, uint, 0644);
MODULE_PARM_DESC(halt_seconds, "For how many seconds callers without CAP_SYS_ADMIN may stop waves; 0: not at all");

/**
 * struct wdbg_halt_budget - for how long callers without CAP_SYS_ADMIN stop waves
 * @gpu: the GPU
 * @work: ends it
 * @counting: their sessions have waves stopped now, and the timeouts are held
 * @since: when @counting began, in jiffies
 * @used: how long before that, in jiffies
 * @begun: when the first use began, in jiffies, if @used or @counting. Since then,
 *	timeouts have run for all the time that was not used.
 */
struct wdbg_halt_budget {
	struct wdbg_gpu *gpu;
	struct delayed_work work;
	bool counting;
	unsigned long since;
	unsigned long used;
	unsigned long begun;
};

static struct wdbg_halt_budget *halt_budget_of(const struct wdbg_gpu *gpu)
{
	return wdbg_part_data(gpu, &wdbg_halt_budget_part);
}

static bool halt_budget_holds_timeouts(struct wdbg_gpu *gpu, bool bounded)
{
	const struct wdbg_part *const *p;

	for (p = gpu->parts; *p; p++)
		if ((*p)->holds_timeouts && (*p)->holds_timeouts(gpu, bounded))
			return true;
	return false;
}

/**
 * wdbg_halt_budget_quiet() - check whether waves may have stopped without a notice
 * @gpu: the GPU, attached
 *
 * Of sessions whose time is limited, and counts from when they have stopped waves: the
 * caller has to read the waves now and then, claim them, and call
 * wdbg_halt_budget_update().
 * Context: the GPU's lock is held.
 * Return: such a session; NULL if there is none, or the time counts already.
 */
struct wdbg_session *wdbg_halt_budget_quiet(struct wdbg_gpu *gpu)
{
	const struct wdbg_part *const *p;
	struct wdbg_session *session;

	lockdep_assert_held(&gpu->lock);
	if (halt_budget_of(gpu)->counting)
		return NULL;
	for (p = gpu->parts; *p; p++) {
		if (!(*p)->may_stop)
			continue;
		session = (*p)->may_stop(gpu);
		if (session)
			return session;
	}
	return NULL;
}

static unsigned long halt_budget_allowed(void)
{
	return (unsigned long)READ_ONCE(halt_seconds) * HZ;
}

static unsigned long halt_budget_used(const struct wdbg_halt_budget *b)
{
	return b->used + (b->counting ? jiffies - b->since : 0);
}

static unsigned long halt_budget_left(const struct wdbg_halt_budget *b)
{
	unsigned long all = halt_budget_allowed(), gone = halt_budget_used(b);

	return gone < all ? all - gone : 0;
}

/* Time that jobs still have to run until each timeout could have expired once */
static unsigned long halt_budget_rest_left(const struct wdbg_gpu *gpu)
{
	const struct wdbg_halt_budget *b = halt_budget_of(gpu);
	unsigned long ran = jiffies - b->begun - halt_budget_used(b);
	unsigned long longest = wdbg_timeout_longest(gpu);

	return ran < longest ? longest - ran : 0;
}

static bool halt_budget_is_spent(struct wdbg_gpu *gpu)
{
	struct wdbg_halt_budget *b = halt_budget_of(gpu);

	if (!b->counting && b->used && !halt_budget_rest_left(gpu))
		b->used = 0;
	return halt_budget_used(b) >= halt_budget_allowed();
}

static void halt_budget_begin_count(struct wdbg_gpu *gpu)
{
	struct wdbg_halt_budget *b = halt_budget_of(gpu);

	if (!b->counting) {
		b->since = jiffies;
		if (!b->used)
			b->begun = b->since;
		b->counting = true;
	}
	/* halt_seconds may have changed. */
	mod_delayed_work(wdbg_look_workqueue, &b->work, halt_budget_left(b));
}

static void halt_budget_end_count(struct wdbg_gpu *gpu)
{
	struct wdbg_halt_budget *b = halt_budget_of(gpu);

	if (!b->counting)
		return;
	b->used = halt_budget_used(b);
	b->counting = false;
	cancel_delayed_work(&b->work);
	/* Timeouts have to run for their whole time, without a pause. */
	if (b->used >= halt_budget_allowed())
		b->begun = jiffies - b->used;
}

static bool halt_budget_stops(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	const struct wdbg_part *const *p;

	for (p = gpu->parts; *p; p++)
		if ((*p)->stops && (*p)->stops(gpu, session))
			return true;
	return false;
}

static void halt_budget_expire(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	bool stopped = session->together || halt_budget_stops(gpu, session);

	/*
	 * Waves that its patches have stopped would pass them without executing the
	 * patched instruction, or stop there again at once, for ever.
	 */
	wdbg_restore(gpu, session,
		     WDBG_FOR_WAVES | (stopped ? WDBG_FOR_TIME : 0));
	if (stopped)
		wdbg_event_post(session, AMDGPUDBG_EVENT_HALT_EXPIRED, 0);
}

static void halt_budget_expire_all(struct wdbg_gpu *gpu)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node)
		session->together = session->bounded && halt_budget_stops(gpu, session);
	list_for_each_entry(session, &gpu->sessions, node) {
		if (session->bounded)
			halt_budget_expire(gpu, session);
		session->together = false;
	}
}

static void halt_budget_work(struct work_struct *work)
{
	struct wdbg_halt_budget *b = container_of(to_delayed_work(work),
						  struct wdbg_halt_budget, work);
	struct wdbg_gpu *gpu = b->gpu;

	wdbg_gpu_lock_urgent(gpu);
	if (gpu->adev) {
		if (halt_budget_holds_timeouts(gpu, true) && halt_budget_is_spent(gpu))
			halt_budget_expire_all(gpu);
		wdbg_halt_budget_update(gpu);
	}
	wdbg_gpu_unlock(gpu);
}

static u32 halt_budget_to_ms(unsigned long time)
{
	return time / HZ < U32_MAX / MSEC_PER_SEC ? jiffies_to_msecs(time) :
						    U32_MAX;
}

/**
 * wdbg_halt_budget_left() - get the time for which callers without CAP_SYS_ADMIN may
 *	stop waves
 * @gpu: the GPU, attached
 * @left_ms: out, time that is left, in ms
 * @wait_ms: out, 0, or time until there is some again, in ms; U32_MAX: never
 *
 * Context: the GPU's lock is held.
 */
void wdbg_halt_budget_left(struct wdbg_gpu *gpu, u32 *left_ms, u32 *wait_ms)
{
	bool spent;

	lockdep_assert_held(&gpu->lock);
	spent = halt_budget_is_spent(gpu);
	*left_ms = spent ? 0 : halt_budget_to_ms(halt_budget_left(halt_budget_of(gpu)));
	*wait_ms = spent ? halt_budget_to_ms(halt_budget_rest_left(gpu)) : 0;
	if (!halt_budget_allowed())
		*wait_ms = U32_MAX;
}

/* Once such a caller has used a session, all halts of the session count. */
static int halt_budget_may_stop(struct wdbg_session *session)
{
	if (!session->bounded && capable(CAP_SYS_ADMIN)) {
		session->accounted = true;
		return 0;
	}
	if (!halt_budget_allowed())
		return -EPERM;
	if (halt_budget_is_spent(session->gpu))
		return wdbg_busy(session, AMDGPUDBG_BUSY_HALT_EXPIRED);
	session->bounded = true;
	session->accounted = true;
	return 0;
}

/**
 * wdbg_halt_budget_hold() - hold the job timeouts, before a wave is halted
 * @session: the session; its GPU is attached
 *
 * The caller has to call wdbg_halt_budget_update() afterwards.
 * Context: the GPU's lock is held; the bank lock may be. The caller's thread.
 * Return: 0; for a caller without CAP_SYS_ADMIN also -EBUSY if it has to wait, -EPERM
 *	if it may not stop waves at all; see the top of this file.
 */
int wdbg_halt_budget_hold(struct wdbg_session *session)
{
	int ret;

	lockdep_assert_held(&session->gpu->lock);
	ret = halt_budget_may_stop(session);
	if (ret)
		return ret;
	if (session->bounded)
		halt_budget_begin_count(session->gpu);
	wdbg_timeout_hold(session->gpu, !session->bounded);
	return 0;
}

/**
 * wdbg_halt_budget_expect() - allow to set something that may stop waves at any time
 * @session: the session; its GPU is attached
 *
 * The job timeouts are held from now on, unless the session's time is limited: then
 * from when wdbg_halt_budget_update() finds that it has stopped something.
 * Context: see wdbg_halt_budget_hold().
 * Return: see wdbg_halt_budget_hold().
 */
int wdbg_halt_budget_expect(struct wdbg_session *session)
{
	int ret;

	lockdep_assert_held(&session->gpu->lock);
	ret = halt_budget_may_stop(session);
	if (!ret && !session->bounded)
		wdbg_timeout_hold(session->gpu, true);
	return ret;
}

/**
 * wdbg_halt_budget_note() - prepare to halt waves within a call
 * @session: the session; its GPU is attached
 *
 * Every caller may do that, because it takes no longer than the call, and the timeouts
 * run in the meantime. But waves may stay halted: a shader can halt itself again
 * whenever it is resumed. Such waves belong to the session, and their time counts from
 * the next wdbg_halt_budget_update().
 * Context: the GPU's lock is held. The caller's thread.
 */
void wdbg_halt_budget_note(struct wdbg_session *session)
{
	lockdep_assert_held(&session->gpu->lock);
	if (!capable(CAP_SYS_ADMIN))
		session->bounded = true;
	session->accounted = true;
}

/**
 * wdbg_halt_budget_update() - hold or release the job timeouts, as sessions need it now
 * @gpu: the GPU, attached
 *
 * Waves that were left halted when their session closed have no owner.
 * Context: the GPU's lock is held; the bank lock may be.
 */
void wdbg_halt_budget_update(struct wdbg_gpu *gpu)
{
	bool kept, stopped;

	lockdep_assert_held(&gpu->lock);
	kept = halt_budget_holds_timeouts(gpu, false);
	stopped = halt_budget_holds_timeouts(gpu, true);
	if (stopped && !halt_budget_is_spent(gpu)) {
		halt_budget_begin_count(gpu);
	} else {
		halt_budget_end_count(gpu);
		/* Not even while others hold the timeouts. */
		if (stopped)
			mod_delayed_work(wdbg_look_workqueue, &halt_budget_of(gpu)->work, 0);
	}
	if (kept || halt_budget_of(gpu)->counting)
		wdbg_timeout_hold(gpu, kept);
	else
		wdbg_timeout_release(gpu);
}

static int halt_budget_init_gpu(struct wdbg_gpu *gpu)
{
	struct wdbg_halt_budget *b = halt_budget_of(gpu);

	b->gpu = gpu;
	INIT_DELAYED_WORK(&b->work, halt_budget_work);
	return 0;
}

static void halt_budget_exit_gpu(struct wdbg_gpu *gpu)
{
	cancel_delayed_work_sync(&halt_budget_of(gpu)->work);
}

static void halt_budget_discard(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	wdbg_halt_budget_update(gpu);
}

/* In any case: amdgpu keeps the timeouts, and no code could release them later. */
static void halt_budget_drain(struct wdbg_gpu *gpu, bool now)
{
	if (now)
		wdbg_timeout_release(gpu);
}

static void halt_budget_vmid_revoked(struct wdbg_gpu *gpu, u32 vmid)
{
	wdbg_halt_budget_update(gpu);
}

/* After the parts that may have stopped waves, so that it finds what is left. */
const struct wdbg_part wdbg_halt_budget_part = {
	.id = WDBG_PART_HALT_BUDGET,
	.when = WDBG_AT_SLEEP | WDBG_FOR_VMID | WDBG_FOR_WAVES | WDBG_AT_END,
	.data_size = sizeof(struct wdbg_halt_budget),
	.init = halt_budget_init_gpu,
	.exit = halt_budget_exit_gpu,
	.discard = halt_budget_discard,
	.drain = halt_budget_drain,
	.vmid_revoked = halt_budget_vmid_revoked,
	.after_reset = wdbg_halt_budget_update,
};

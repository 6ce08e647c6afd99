// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lock of a GPU, wdbg_gpu.lock, and the order in which callers get it.
 *
 * A mutex of the kernel is not fair: a caller that asks again and again, with many
 * threads, keeps all others waiting. Therefore callers queue in front of the mutex, and
 * the thread that releases the lock grants it to one of them:
 *
 * - first to the module's own work that limits what callers can do: the end of the halt
 *   budget, the loss of a VMID, detach, sleep, the ticks of the parts. It is rare, so
 *   that it need not take turns with callers;
 * - then to the users in turn, no matter how many threads and sessions each of them
 *   has; among the sessions of one user in turn, no matter how many threads each has;
 *   among the calls of one session in the order of arrival. The other work of the
 *   module counts as one more user.
 *
 * A call that may take long asks wdbg_gpu_lock_is_due() where it can be interrupted,
 * and then ends its turn: it closes its power bracket, releases the lock, waits for its
 * next turn, and checks again what others may have changed. wdbg_wave_changes() shows
 * it whether a session has changed the wave since. A snapshot, an operation on waves that
 * do not answer, and calls of amdgpu do not end a turn. The trace events amdgpudbg_turn and
 * amdgpudbg_turn_end show who waited for how many others, and how long each turn took.
 *
 * Only the caller to whom the lock was granted takes the mutex, which is therefore free
 * or about to be. It is there for lockdep.
 */
#include <linux/completion.h>
#include <linux/cred.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "gpu.h"
#include "hw/trace.h"
#include "session.h"

/*
 * After this time, a long call passes the lock to the next waiter. The rest of the 100
 * ms that no long call exceeds is for what it has to finish first.
 */
#define TURN_MS		50

/**
 * struct waiter - a thread that waits for the lock of a GPU
 * @node: in wdbg_turns.urgent or wdbg_turns.waiting
 * @granted: completed when the lock is granted to it
 * @is_granted: the lock was granted to it; under wdbg_turns.lock
 * @user: the user that it waits for, NULL for the module itself
 * @session: the session that it waits for, or NULL
 * @user_turn: in which round among the users it gets the lock
 * @session_turn: in which round among the sessions of @user
 * @urgent: it does not take turns
 * @passed: how many others got the lock while it waited
 */
struct waiter {
	struct list_head node;
	struct completion granted;
	bool is_granted;
	const void *user;
	const struct wdbg_session *session;
	u64 user_turn;
	u64 session_turn;
	bool urgent;
	u64 passed;
};

/**
 * wdbg_gpu_lock_init() - initialise a GPU's lock
 * @gpu: the GPU
 */
void wdbg_gpu_lock_init(struct wdbg_gpu *gpu)
{
	struct wdbg_turns *turns = &gpu->turns;

	mutex_init(&gpu->lock);
	spin_lock_init(&turns->lock);
	INIT_LIST_HEAD(&turns->urgent);
	INIT_LIST_HEAD(&turns->waiting);
}

/**
 * wdbg_gpu_lock_destroy() - end wdbg_gpu_lock_init()
 * @gpu: the GPU; no thread holds its lock or waits for it
 */
void wdbg_gpu_lock_destroy(struct wdbg_gpu *gpu)
{
	mutex_destroy(&gpu->lock);
}

/* -------------------------------------------------------------- the order */

/*
 * A user's next round is the one after that of his last waiter, but not before the
 * current one, which is that of the next waiter. So a user who has not called for a
 * while gains nothing from it, and a user with many waiters has one in each round.
 */
static void lock_enqueue(struct wdbg_turns *turns, struct waiter *w)
{
	u64 user_now = U64_MAX, user_next = 0;
	u64 session_now = U64_MAX, session_next = 0;
	struct waiter *other;

	list_for_each_entry(other, &turns->waiting, node) {
		user_now = min(user_now, other->user_turn);
		if (other->user != w->user)
			continue;
		user_next = max(user_next, other->user_turn + 1);
		session_now = min(session_now, other->session_turn);
		if (other->session == w->session)
			session_next = max(session_next,
					   other->session_turn + 1);
	}
	w->user_turn = max(user_next, user_now == U64_MAX ? 0 : user_now);
	w->session_turn = max(session_next,
			      session_now == U64_MAX ? 0 : session_now);
	list_add_tail(&w->node, &turns->waiting);
}

/* Among equal ones, the first to arrive */
static struct waiter *lock_next_user(struct wdbg_turns *turns)
{
	struct waiter *w, *next = NULL;

	list_for_each_entry(w, &turns->waiting, node)
		if (!next || w->user_turn < next->user_turn)
			next = w;
	return next;
}

static struct waiter *lock_next_session(struct wdbg_turns *turns,
					const void *user)
{
	struct waiter *w, *next = NULL;

	list_for_each_entry(w, &turns->waiting, node)
		if (w->user == user &&
		    (!next || w->session_turn < next->session_turn))
			next = w;
	return next;
}

/* The waiter that gets the lock next; NULL if there is none. */
static struct waiter *lock_next(struct wdbg_turns *turns)
{
	struct waiter *first, *next;

	if (!list_empty(&turns->urgent))
		return list_first_entry(&turns->urgent, struct waiter, node);
	first = lock_next_user(turns);
	if (!first)
		return NULL;
	/* The session whose turn it is uses the user's turn. */
	next = lock_next_session(turns, first->user);
	swap(first->user_turn, next->user_turn);
	return next;
}

/* --------------------------------------------------------------- the lock */

static void lock_grant(struct wdbg_turns *turns, struct waiter *w)
{
	lockdep_assert_held(&turns->lock);
	w->passed = turns->grants++ - w->passed;
	w->is_granted = true;
}

/* Returns true if the lock was granted at once. */
static bool lock_begin(struct wdbg_turns *turns, struct waiter *w)
{
	bool free;

	init_completion(&w->granted);
	spin_lock(&turns->lock);
	w->passed = turns->grants;
	free = !turns->taken;
	if (free) {
		turns->taken = true;
		lock_grant(turns, w);
	} else if (w->urgent) {
		list_add_tail(&w->node, &turns->urgent);
	} else {
		lock_enqueue(turns, w);
	}
	spin_unlock(&turns->lock);
	return free;
}

/* The caller is killed. Returns false if the lock was granted in spite of that. */
static bool lock_cancel(struct wdbg_turns *turns, struct waiter *w)
{
	bool waits;

	spin_lock(&turns->lock);
	waits = !w->is_granted;
	if (waits)
		list_del(&w->node);
	spin_unlock(&turns->lock);
	return waits;
}

static void lock_take(struct wdbg_gpu *gpu, const struct waiter *w)
{
	mutex_lock(&gpu->lock);
	trace_amdgpudbg_turn(w->urgent, w->passed);
	gpu->turns.since = ktime_get();
}

/**
 * wdbg_gpu_lock_killable() - lock a GPU in a call of a session
 * @gpu: the GPU
 * @session: the session
 *
 * Context: may sleep; the thread of the caller.
 * Return: 0; -EINTR if the caller is killed, and the GPU is not locked.
 */
int wdbg_gpu_lock_killable(struct wdbg_gpu *gpu,
			   const struct wdbg_session *session)
{
	struct waiter w = { .user = current_user(), .session = session };
	struct wdbg_turns *turns = &gpu->turns;

	might_lock(&gpu->lock);
	if (!lock_begin(turns, &w) &&
	    wait_for_completion_killable(&w.granted) &&
	    lock_cancel(turns, &w))
		return -EINTR;
	lock_take(gpu, &w);
	return 0;
}

/**
 * wdbg_gpu_lock_for() - lock a GPU in a worker, for the user who has caused the work
 * @gpu: the GPU
 * @user: value of current_user() in that user's thread, which is only compared; NULL
 *	for the module itself
 * @session: the session for which it is done, or NULL
 *
 * Context: may sleep.
 */
void wdbg_gpu_lock_for(struct wdbg_gpu *gpu, const void *user,
		       const struct wdbg_session *session)
{
	struct waiter w = { .user = user, .session = session };

	might_lock(&gpu->lock);
	if (!lock_begin(&gpu->turns, &w))
		wait_for_completion(&w.granted);
	lock_take(gpu, &w);
}

/**
 * wdbg_gpu_lock() - lock a GPU for work that cannot be given up
 * @gpu: the GPU
 * @session: the session whose call this is; NULL for work of the module itself
 *
 * Context: may sleep; the thread of the caller, if there is a @session.
 */
void wdbg_gpu_lock(struct wdbg_gpu *gpu, const struct wdbg_session *session)
{
	wdbg_gpu_lock_for(gpu, session ? current_user() : NULL, session);
}

/**
 * wdbg_gpu_lock_urgent() - lock a GPU before all callers that wait for it
 * @gpu: the GPU
 *
 * For work that limits what callers can do, and that no caller can cause at any time:
 * it does not take turns.
 * Context: may sleep.
 */
void wdbg_gpu_lock_urgent(struct wdbg_gpu *gpu)
{
	struct waiter w = { .urgent = true };

	might_lock(&gpu->lock);
	if (!lock_begin(&gpu->turns, &w))
		wait_for_completion(&w.granted);
	lock_take(gpu, &w);
}

/**
 * wdbg_gpu_lock_is_due() - check whether a long call has to end its turn
 * @gpu: the GPU
 *
 * Context: the GPU's lock is held.
 * Return: true if others wait, and the lock has been held for some time.
 */
bool wdbg_gpu_lock_is_due(const struct wdbg_gpu *gpu)
{
	const struct wdbg_turns *turns = &gpu->turns;

	lockdep_assert_held(&gpu->lock);
	if (list_empty_careful(&turns->urgent) &&
	    list_empty_careful(&turns->waiting))
		return false;
	return ktime_ms_delta(ktime_get(), turns->since) >= TURN_MS;
}

/**
 * wdbg_gpu_unlock() - unlock a GPU, after wdbg_gpu_lock() or a variant of it
 * @gpu: the GPU
 */
void wdbg_gpu_unlock(struct wdbg_gpu *gpu)
{
	struct wdbg_turns *turns = &gpu->turns;
	struct waiter *next;

	trace_amdgpudbg_turn_end(ktime_us_delta(ktime_get(), turns->since));
	mutex_unlock(&gpu->lock);
	spin_lock(&turns->lock);
	next = lock_next(turns);
	if (next) {
		list_del(&next->node);
		lock_grant(turns, next);
		/* The waiter may be gone as soon as the spinlock is released. */
		complete(&next->granted);
	} else {
		turns->taken = false;
	}
	spin_unlock(&turns->lock);
}

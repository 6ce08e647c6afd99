// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the caller of the library waits for: stops of waves and of the process, the ends of
 * operations, and breakpoints that became set or pending.
 */
#include <poll.h>

#include "breakpoint.h"
#include "operation.h"
#include "poll_fd.h"
#include "stop.h"

/* In ms, between two polls for execve(2) of the process */
#define EXEC_MS	1000

/* In ms: how long adbgd_process_wait_stop() handles events after its timeout */
#define LATE_MS	100

/* ------------------------------------------------------------- changes of breakpoints */

/* A breakpoint that is disabled is pending, but not because of what the process does. */
static bool has_changed(const struct adbgd_breakpoint *b)
{
	return !(b->info.flags & (ADBGD_BREAKPOINT_MOMENTARY | ADBGD_BREAKPOINT_DISABLED)) &&
	       !b->is_clearing && !b->was_pending != !(b->info.flags & ADBGD_BREAKPOINT_PENDING);
}

/* Find a breakpoint that became set or pending; NULL: none, or changes are not reported. */
static struct adbgd_breakpoint *changed_one(const struct adbgd_process *p)
{
	struct adbgd_breakpoint *b = p->reports_breakpoints ? p->breakpoints.first : NULL;

	while (b && !has_changed(b))
		b = b->next;
	return b;
}

static int report_change(struct adbgd_process *p, struct adbgd_stop *stop)
{
	struct adbgd_breakpoint *b = changed_one(p);

	if (!b)
		return -EAGAIN;
	b->was_pending = b->info.flags & ADBGD_BREAKPOINT_PENDING;
	*stop = (struct adbgd_stop){
		.reason = ADBGD_STOP_BREAKPOINT_STATE, .breakpoint = b->info.number,
	};
	return 0;
}

ADBGD_API void adbgd_process_report_breakpoints(struct adbgd_process *process, bool on)
{
	struct adbgd_breakpoint *b;

	process->reports_breakpoints = on;
	for (b = process->breakpoints.first; b; b = b->next)
		b->was_pending = b->info.flags & ADBGD_BREAKPOINT_PENDING;
}

/* ------------------------------------------------------------------ events, timeouts */

/* The stop @ret says that there is one: does it belong to an operation that continues? */
static int take(struct adbgd_process *p, int ret, struct adbgd_stop *found)
{
	return ret ? ret : adbgd_operations_take(p, found);
}

/* If there is nothing else to report, report the change of a breakpoint. */
static int end_with(struct adbgd_process *p, int ret, const struct adbgd_stop *found,
		    struct adbgd_stop *stop, struct adbgd_error *error)
{
	if (!ret)
		*stop = *found;
	else if (ret == -EAGAIN)
		ret = report_change(p, stop);
	return ret == -EAGAIN ? adbgd_fail(error, ret, "no wave has stopped") : ret;
}

static int poll_once(struct adbgd_process *p, struct adbgd_stop *found, struct adbgd_error *error)
{
	int ret = take(p, adbgd_stop_poll(p, found, error), found);

	if (ret == -EAGAIN && !p->has_exited)
		ret = adbgd_operations_poll(p, found);
	p->polled = adbgd_now_ns();
	return ret;
}

/*
 * Events can come all the time, so that the caller has no timeout. While jobs are counted, a poll
 * takes the waves that it finds for those of the job that has begun last, so that all events must
 * have been handled before; and the session may have further ones that were read already.
 */
static bool is_poll_due(const struct adbgd_process *p)
{
	int look = adbgd_process_get_poll_timeout(p);

	if (p->launch.state == ADBGD_LAUNCH_COUNT_JOBS)
		return false;
	if (look >= 0 && look < ADBGD_POLL_MS)
		look = ADBGD_POLL_MS;
	return look >= 0 && adbgd_now_ns() > p->polled + look * 1000000ULL;
}

static int handle_event(struct adbgd_process *p, const struct amdgpudbg_event *ev,
			struct adbgd_stop *stop, struct adbgd_error *error)
{
	struct adbgd_stop found = { .reason = 0 };
	int ret = take(p, adbgd_stop_from_event(p, ev, &found, error), &found);

	/* Waves end without an event, but their job has one. */
	if (ret == -EAGAIN && ev->type == AMDGPUDBG_EVENT_JOB_END)
		ret = adbgd_operations_poll(p, &found);
	if (ret == -EAGAIN && is_poll_due(p))
		ret = poll_once(p, &found, error);
	return end_with(p, ret, &found, stop, error);
}

static int handle_timeout(struct adbgd_process *p, struct adbgd_stop *stop,
			  struct adbgd_error *error)
{
	struct adbgd_stop found = { .reason = 0 };

	return end_with(p, poll_once(p, &found, error), &found, stop, error);
}

ADBGD_API int adbgd_process_handle_event(struct adbgd_process *process,
					 const struct amdgpudbg_event *event,
					 struct adbgd_stop *stop, struct adbgd_error *error)
{
	int ret = handle_event(process, event, stop, error);

	adbgd_poll_fd_update(process, adbgd_process_get_poll_timeout(process));
	return ret;
}

ADBGD_API int adbgd_process_handle_timeout(struct adbgd_process *process, struct adbgd_stop *stop,
					   struct adbgd_error *error)
{
	int ret = handle_timeout(process, stop, error);

	/* There may be more stops than one. */
	adbgd_poll_fd_update(process, ret ? adbgd_process_get_poll_timeout(process) : 0);
	return ret;
}

ADBGD_API int adbgd_process_get_poll_timeout(const struct adbgd_process *process)
{
	int waves = adbgd_stop_poll_timeout(process);
	int operations = adbgd_operations_timeout(process);

	if (changed_one(process))
		return 0;
	if (process->has_exited)
		return -1;
	if (waves < 0 || (operations >= 0 && operations < waves))
		waves = operations;
	if (waves < 0 && adbgd_exec_is_seen(process))
		return EXEC_MS;
	return waves;
}

ADBGD_API int adbgd_process_get_fd(struct adbgd_process *process)
{
	return adbgd_poll_fd_open(process, adbgd_process_get_poll_timeout(process));
}

/* The library may have buffered events that poll() does not report, so look for these first. */
static int next_event(struct adbgd_process *p, struct amdgpudbg_event *ev, int timeout_ms)
{
	struct pollfd fds[] = {
		{ .fd = adbg_session_get_fd(p->session), .events = POLLIN },
		{ .fd = p->interrupt_fd, .events = POLLIN },
	};
	int ret;

	if (adbgd_is_interrupted(p))
		return -EINTR;
	ret = adbg_event_next(p->session, ev, p->interrupt_fd < 0 ? timeout_ms : 0);
	if (ret != -EAGAIN || p->interrupt_fd < 0)
		return ret;
	if (poll(fds, ARRAY_SIZE(fds), timeout_ms) < 0 || fds[1].revents)
		return -EINTR;
	return adbg_event_next(p->session, ev, 0);
}

/*
 * Wait for one event, or for the time of the next poll. Polling is needed because events may be
 * lost, and because waves that are older than the session end without an event.
 */
static int next_or_poll(struct adbgd_process *p, int timeout_ms, struct adbgd_stop *stop,
			bool *was_event, struct adbgd_error *error)
{
	int look = adbgd_process_get_poll_timeout(p), ret;
	struct amdgpudbg_event ev;

	if (look >= 0 && (timeout_ms < 0 || timeout_ms > look))
		timeout_ms = look;
	ret = next_event(p, &ev, timeout_ms);
	*was_event = !ret;
	if (ret == -EINTR)
		return adbgd_fail(error, ret, "interrupted");
	if (ret == -EAGAIN && look >= 0)
		return adbgd_unless_gone(handle_timeout(p, stop, error));
	if (ret == -EAGAIN)
		return adbgd_fail(error, ret, "no wave has stopped");
	if (ret)
		return adbgd_failed(p, error, ret, "cannot read events");
	return handle_event(p, &ev, stop, error);
}

ADBGD_API int adbgd_process_wait_stop(struct adbgd_process *process, int timeout_ms,
				      struct adbgd_stop *stop, struct adbgd_error *error)
{
	int64_t end = adbgd_now_ms() + timeout_ms, left = timeout_ms;
	bool was_event;
	int ret;

	/*
	 * After the timeout, handle the events that have arrived, but only for a limited time, so
	 * that a flood of events cannot keep the caller here.
	 */
	do {
		ret = next_or_poll(process, (int)left, stop, &was_event, error);
		if (timeout_ms >= 0)
			left = end - adbgd_now_ms() > 0 ? end - adbgd_now_ms() : 0;
	} while (ret == -EAGAIN &&
		 (left || (was_event && adbgd_now_ms() < end + LATE_MS)));
	/* The session may have further events that were read already. */
	adbgd_poll_fd_update(process, ret ? adbgd_process_get_poll_timeout(process) : 0);
	return ret;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Waiting for the end of a hold: see hold.h. Standard input plays no part, so
 * that a hold works in the background and in scripts.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "hold.h"
#include "stop.h"
#include "util.h"

int hold_prepare(struct hold *hold)
{
	sigset_t set;

	hold->timer = -1;
	hold->events = -1;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return -errno;

	hold->signals = signalfd(-1, &set, SFD_CLOEXEC);
	return hold->signals < 0 ? -errno : 0;
}

int hold_start(struct hold *hold, uint64_t ns)
{
	struct itimerspec when = {
		.it_value = {
			.tv_sec = ns / 1000000000,
			.tv_nsec = ns % 1000000000,
		},
	};

	if (!ns)
		return 0;

	hold->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (hold->timer < 0 ||
	    timerfd_settime(hold->timer, 0, &when, NULL) < 0)
		return -errno;

	return 0;
}

int hold_open(struct wavectl *w, struct hold *hold, uint64_t ns)
{
	int ret = hold_prepare(hold);

	if (!ret)
		ret = hold_start(hold, ns);
	return ret ? fail_system(w, ret, "cannot catch signals") : WAVECTL_OK;
}

bool hold_stays(const struct wavectl *w)
{
	return w->dialogue && !w->hold_ns;
}

const char *hold_how(const struct wavectl *w)
{
	return hold_stays(w) ? "until --off, or the end of the session" :
			       "holding, Ctrl-C ends";
}

bool hold_interrupted(void)
{
	sigset_t pending;

	return !sigpending(&pending) && (sigismember(&pending, SIGINT) ||
					 sigismember(&pending, SIGTERM) ||
					 sigismember(&pending, SIGHUP));
}

void hold_begin(struct wavectl *w)
{
	if (hold_stays(w))
		emit_begin(w->emit);
	else
		emit_begin_live(w->emit);
}

int hold_events(struct wavectl *w, uint32_t types)
{
	int ret;

	if (w->dialogue)
		types |= w->dialogue->wants;
	ret = adbg_event_enable(w->session, types, 0);
	if (!ret && w->dialogue)
		w->dialogue->listening = types;
	return ret;
}

int hold_follow(struct wavectl *w, uint32_t types)
{
	int ret = hold_events(w, types);

	return ret ? fail(w, ret, "cannot follow events") : WAVECTL_OK;
}

int hold_wait_for(const struct hold *hold, int fd)
{
	/* poll() passes over the descriptor -1. */
	struct pollfd fds[] = {
		{ .fd = hold->signals, .events = POLLIN },
		{ .fd = hold->timer, .events = POLLIN },
		{ .fd = fd, .events = POLLIN },
	};

	while (poll(fds, 3, -1) < 0)
		if (errno != EINTR)
			return -errno;

	return !fds[0].revents && !fds[1].revents;
}

int hold_listen(struct wavectl *w, struct hold *hold)
{
	int ret = hold_events(w, HOLD_ENDS);

	/* Who may not be told may hold nothing, and is told so when he tries. */
	if (ret == -EPERM)
		return WAVECTL_OK;
	if (ret)
		return fail(w, ret, "cannot follow events");
	hold->events = adbg_session_get_fd(w->session);
	return WAVECTL_OK;
}

const char *hold_why(const struct amdgpudbg_event *event)
{
	switch (event->type) {
	case AMDGPUDBG_EVENT_HALT_EXPIRED:
		return "waves were stopped for as long as users may";
	case AMDGPUDBG_EVENT_GPU_RESET:
		return "the GPU was reset, or a part of it";
	case AMDGPUDBG_EVENT_VMID_LOST:
		return "the process has given its VMID back, or must share it";
	case AMDGPUDBG_EVENT_SLEEP:
		return "the system has slept";
	case AMDGPUDBG_EVENT_TARGET_GONE:
		return "the process has exited";
	case AMDGPUDBG_EVENT_GPU_GONE:
		return "the GPU is gone";
	default:
		return NULL;
	}
}

int hold_wait(struct wavectl *w, const struct hold *hold, const char **why)
{
	struct amdgpudbg_event event = { 0 };
	int ret;

	*why = NULL;
	for (;;) {
		ret = hold_wait_for(hold, hold->events);
		if (ret <= 0)
			return ret;
		do {
			ret = adbg_event_next(w->session, &event, 0);
			if (ret)
				break;
			*why = hold_why(&event);
			/* The debugger has to learn of all of them. */
			if (w->dialogue && (!*why || w->dialogue->debugger))
				stop_keep(w->dialogue, &event);
		} while (!ret && !*why);
		if (*why)
			return 0;
		if (ret != -EAGAIN)
			return ret;
	}
}

void hold_say_left(struct wavectl *w, char **text)
{
	struct amdgpudbg_info info = { 0 };

	/* By rule it is CAP_SYS_ADMIN that counts. */
	if (!geteuid() || adbg_session_get_info(w->session, &info) ||
	    info.halt_left_ms == UINT32_MAX)
		return;
	xappend(text, "; users may hold waves for %u s more",
		info.halt_left_ms / 1000);
}

int hold_fail(struct wavectl *w, const char *why)
{
	return fail_with(w, WAVECTL_ENDED, NULL, "the hold has ended: %s", why);
}

void hold_end(struct hold *hold)
{
	close(hold->signals);
	if (hold->timer >= 0)
		close(hold->timer);
}

/* It is set. Say so, and how it ends. */
static int keep(struct wavectl *w, struct hold *hold, const struct kept *kept,
		void *arg)
{
	int status = kept->say(w, arg), end;
	const char *why;
	int ret;

	ret = hold_start(hold, w->hold_ns);
	if (!ret)
		ret = hold_wait(w, hold, &why);
	if (ret)
		return fail_system(w, ret, "cannot wait");

	end = kept->end(w, arg);
	if (why)
		return hold_fail(w, why);
	return status ? status : end;
}

int hold_keep(struct wavectl *w, const struct kept *kept, void *arg)
{
	struct hold hold;
	int ret, status;

	if (hold_stays(w)) {
		status = kept->set(w, arg);
		return status ? status : kept->say(w, arg);
	}

	ret = hold_prepare(&hold);
	if (ret)
		return fail_system(w, ret, "cannot catch signals");

	status = hold_listen(w, &hold);
	if (!status)
		status = kept->set(w, arg);
	if (!status)
		status = keep(w, &hold, kept, arg);
	hold_end(&hold);
	return status;
}

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

int hold_prepare(struct hold *hold)
{
	sigset_t set;

	hold->timer = -1;
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

int hold_wait(const struct hold *hold)
{
	return hold_wait_for(hold, -1);
}

void hold_end(struct hold *hold)
{
	close(hold->signals);
	if (hold->timer >= 0)
		close(hold->timer);
}

int hold_keep(struct wavectl *w, const struct kept *kept, void *arg)
{
	struct hold hold;
	int ret, status;

	ret = hold_prepare(&hold);
	if (ret)
		return fail(w, ADBG_CALL_ANY, ret, "cannot catch signals");

	status = kept->set(w, arg);
	if (status) {
		hold_end(&hold);
		return status;
	}
	status = kept->say(w, arg);
	ret = hold_start(&hold, w->hold_ns);
	if (!ret)
		ret = hold_wait(&hold);
	hold_end(&hold);
	if (ret)
		return fail(w, ADBG_CALL_ANY, ret, "cannot wait");

	ret = kept->end(w, arg);
	return status ? status : ret;
}

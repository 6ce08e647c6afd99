// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One descriptor for an event loop: see poll_fd.h. It is opened when it is first asked for.
 */
#include <errno.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "poll_fd.h"

/* @timeout_ms: 0: at once; -1: never */
static void set_timer(struct adbgd_poll_fd *fd, int timeout_ms)
{
	const struct timespec period = {
		.tv_sec = timeout_ms / 1000, .tv_nsec = timeout_ms % 1000 * 1000000L,
	};
	struct itimerspec when = { .it_interval = { 0 } };

	if (!timeout_ms)
		when.it_value.tv_nsec = 1;
	else if (timeout_ms > 0)
		when = (struct itimerspec){ .it_interval = period, .it_value = period };
	/* It fails only for invalid arguments. */
	(void)timerfd_settime(fd->timer_fd, 0, &when, NULL);
	fd->period_ms = timeout_ms;
}

static int add(int epoll_fd, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	return epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

int adbgd_poll_fd_open(struct adbgd_process *process, int timeout_ms)
{
	struct adbgd_poll_fd *fd = &process->poll_fd;
	int ret;

	if (fd->is_open)
		return fd->epoll_fd;
	fd->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (fd->epoll_fd < 0)
		return -errno;
	fd->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (fd->timer_fd < 0 || add(fd->epoll_fd, fd->timer_fd) ||
	    add(fd->epoll_fd, adbg_session_get_fd(process->session))) {
		ret = -errno;
		if (fd->timer_fd >= 0)
			close(fd->timer_fd);
		close(fd->epoll_fd);
		return ret;
	}
	fd->is_open = true;
	set_timer(fd, timeout_ms);
	return fd->epoll_fd;
}

void adbgd_poll_fd_close(struct adbgd_process *process)
{
	if (!process->poll_fd.is_open)
		return;
	close(process->poll_fd.timer_fd);
	close(process->poll_fd.epoll_fd);
	process->poll_fd.is_open = false;
}

void adbgd_poll_fd_update(struct adbgd_process *process, int timeout_ms)
{
	struct adbgd_poll_fd *fd = &process->poll_fd;
	uint64_t num;

	if (!fd->is_open)
		return;
	if (timeout_ms <= 0 || fd->period_ms != timeout_ms)
		set_timer(fd, timeout_ms);
	/* Setting the timer has cleared it. Otherwise, it may not have expired: an error. */
	else if (read(fd->timer_fd, &num, sizeof(num)) < 0)
		return;
}

void adbgd_poll_fd_wake(struct adbgd_process *process)
{
	if (process->poll_fd.is_open && process->poll_fd.period_ms)
		set_timer(&process->poll_fd, 0);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts system calls and register accesses: see count.h. The linker replaces the functions that
 * make system calls (BENCH_WRAPPED in build.mk).
 */
#define _GNU_SOURCE
#include "count.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "truth.h"

static uint64_t num_calls;

int __real_ioctl(int fd, unsigned long request, void *arg);
int __wrap_ioctl(int fd, unsigned long request, void *arg);
__typeof__(poll) __real_poll, __wrap_poll;
__typeof__(ppoll) __real_ppoll, __wrap_ppoll;
__typeof__(read) __real_read, __wrap_read;
__typeof__(pread) __real_pread, __wrap_pread;

int __wrap_ioctl(int fd, unsigned long request, void *arg)
{
	num_calls++;
	return __real_ioctl(fd, request, arg);
}

int __wrap_poll(struct pollfd *fds, nfds_t num, int timeout)
{
	num_calls++;
	return __real_poll(fds, num, timeout);
}

int __wrap_ppoll(struct pollfd *fds, nfds_t num, const struct timespec *timeout,
		 const sigset_t *signals)
{
	num_calls++;
	return __real_ppoll(fds, num, timeout, signals);
}

ssize_t __wrap_read(int fd, void *buffer, size_t size)
{
	num_calls++;
	return __real_read(fd, buffer, size);
}

ssize_t __wrap_pread(int fd, void *buffer, size_t size, off_t offset)
{
	num_calls++;
	return __real_pread(fd, buffer, size, offset);
}

uint64_t count_calls(void)
{
	return num_calls;
}

uint64_t count_register_accesses(void)
{
	struct truth_accesses a = truth_counted_accesses();

	return a.reads + a.writes;
}

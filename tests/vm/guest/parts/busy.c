// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads why a call has returned -EBUSY: see busy.h.
 */
#include "busy.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

#include <cmocka.h>

struct amdgpudbg_busy busy_of(int fd)
{
	struct amdgpudbg_busy b;

	/* What the kernel does not fill in is seen. */
	memset(&b, 0x55, sizeof(b));
	b.size = sizeof(b);
	b.flags = 0;
	if (ioctl(fd, AMDGPUDBG_IOC_GET_BUSY, &b))
		fail_msg("GET_BUSY: %s", strerror(errno));
	return b;
}

/* Get what blocks the call: with a PID it is a session; else it follows from the cause. */
static uint32_t by_whom(enum amdgpudbg_busy_cause cause, pid_t pid)
{
	if (pid)
		return AMDGPUDBG_BUSY_BY_SESSION;
	switch (cause) {
	case AMDGPUDBG_BUSY_VMID_SESSION:
	case AMDGPUDBG_BUSY_PATCH:
		return AMDGPUDBG_BUSY_BY_LEFT;
	case AMDGPUDBG_BUSY_VMID_RESERVED:
	case AMDGPUDBG_BUSY_VMID_JOBS:
		return AMDGPUDBG_BUSY_BY_PROCESS;
	default:
		return AMDGPUDBG_BUSY_BY_NONE;
	}
}

static void check(bool is_right, const struct amdgpudbg_busy *b,
		  enum amdgpudbg_busy_cause cause, pid_t pid, const char *file,
		  int line)
{
	if (is_right)
		return;
	print_error("busy: cause %u, pid %d, vmid %u, pasid %u, wait_ms %u, by %u; not cause %u, pid %d, by %u\n",
		    b->cause, b->pid, b->vmid, b->pasid, b->wait_ms, b->by,
		    cause, pid, by_whom(cause, pid));
	_fail(file, line);
}

struct amdgpudbg_busy busy_assert(int fd, enum amdgpudbg_busy_cause cause,
				  pid_t pid, const char *file, int line)
{
	struct amdgpudbg_busy b = busy_of(fd);
	bool waits = cause == AMDGPUDBG_BUSY_HALT_EXPIRED;

	check(b.size == sizeof(b) && !b.flags && b.by == by_whom(cause, pid) &&
	      b.cause == cause && b.pid == pid && !b.vmid && !b.pasid &&
	      (waits || !b.wait_ms), &b, cause, pid, file, line);
	return b;
}

struct amdgpudbg_busy busy_assert_jobs(int fd, const char *file, int line)
{
	const enum amdgpudbg_busy_cause cause = AMDGPUDBG_BUSY_VMID_JOBS;
	struct amdgpudbg_busy b = busy_of(fd);

	check(b.cause == cause && b.by == by_whom(cause, 0) && !b.pid && b.vmid &&
	      !b.wait_ms, &b, cause, 0, file, line);
	return b;
}

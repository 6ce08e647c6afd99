// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A process's own pages, as the GPU sees them (userptr).
 *
 * A process number does not identify an address space: execve(2) replaces the address space of a
 * running process, and the number of one that has ended is used again. An open /proc/PID/mem
 * refers to the address space that the process had at open(2), whatever becomes of the process
 * (mem_open() and mem_rw() of fs/proc/base.c, Linux 6.1 to 7.2). When that address space has no
 * user any more, reads and writes transfer nothing. So the file is opened once for a target, and
 * no check has to be made, which another thread could outdate, before each access.
 *
 * Unlike process_vm_writev(2), a write also reaches pages that the process itself may only read,
 * as a write by any debugger does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "internal.h"

/* Addresses may have bit 63 set, which no file offset has; user memory never has it. */
#define ADDRESS_MAX INT64_MAX

int adbg_pages_open(int32_t pid)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDWR | O_CLOEXEC | O_LARGEFILE);
	if (fd >= 0)
		return fd;
	return errno == ENOENT ? -ESRCH : -errno;
}

void adbg_pages_keep(struct adbg_session *session, int32_t pid, int fd)
{
	if (session->pages_pid && session->pages_fd >= 0)
		close(session->pages_fd);
	session->pages_pid = pid;
	session->pages_fd = fd;
}

ssize_t adbg_pages_copy(struct adbg_session *session, int32_t pid, bool write,
			uint64_t address, void *data, size_t bytes)
{
	ssize_t n;

	if (session->pages_pid != pid)
		adbg_pages_keep(session, pid, adbg_pages_open(pid));
	if (session->pages_fd < 0)
		return session->pages_fd;
	if (address > ADDRESS_MAX)
		return -ENXIO;
	n = write ? pwrite64(session->pages_fd, data, bytes, address) :
		    pread64(session->pages_fd, data, bytes, address);
	if (n < 0)
		return errno == EIO || errno == EFAULT ? -ENXIO : -errno;
	/* Nothing of an address space that is gone */
	return n ? n : -ESRCH;
}

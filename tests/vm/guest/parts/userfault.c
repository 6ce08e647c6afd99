// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A page that is missing until the test provides it: see userfault.h.
 */
#include "userfault.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "until.h"

#define DEADLINE_S 60

static int init(struct userfault *u, long size)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };

	u->page = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (u->page == MAP_FAILED)
		return -errno;
	reg.range.start = (uintptr_t)u->page;
	reg.range.len = size;
	if (ioctl(u->fd, UFFDIO_API, &api) ||
	    ioctl(u->fd, UFFDIO_REGISTER, &reg))
		return -errno;
	return 0;
}

int userfault_open(struct userfault *u)
{
	int ret;

	u->fd = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	if (u->fd < 0)
		return -errno;
	ret = init(u, sysconf(_SC_PAGESIZE));
	if (ret)
		userfault_close(u);
	return ret;
}

void userfault_close(struct userfault *u)
{
	close(u->fd);
	if (u->page != MAP_FAILED)
		munmap(u->page, sysconf(_SC_PAGESIZE));
}

int userfault_wait(struct userfault *u)
{
	struct pollfd p = { .fd = u->fd, .events = POLLIN };
	int64_t ns = deadline_ns(DEADLINE_S) - now_ns();
	struct uffd_msg msg;

	if (poll(&p, 1, ns / 1000000) != 1)
		return -ETIME;
	if (read(u->fd, &msg, sizeof(msg)) != sizeof(msg))
		return -EIO;
	return msg.event == UFFD_EVENT_PAGEFAULT ? 0 : -EPROTO;
}

int userfault_release(struct userfault *u)
{
	struct uffdio_zeropage zero = {
		.range = {
			.start = (uintptr_t)u->page,
			.len = sysconf(_SC_PAGESIZE),
		},
	};

	return ioctl(u->fd, UFFDIO_ZEROPAGE, &zero) ? -errno : 0;
}

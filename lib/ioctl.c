// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The one way to the kernel, and the rules for structures that carry their
 * size: the user space twin of the kernel's copy_struct_from_user().
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>

#include "internal.h"

int adbg_ioctl(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg) < 0 ? -errno : 0;
}

int adbg_ioctl_restart(int fd, unsigned long request, void *arg)
{
	int ret;

	do {
		ret = adbg_ioctl(fd, request, arg);
	} while (ret == -EINTR);

	return ret;
}

static uint32_t struct_size(const void *s)
{
	uint32_t size;

	memcpy(&size, s, sizeof(size));
	return size;
}

static bool all_zero(const unsigned char *p, size_t n)
{
	while (n--)
		if (*p++)
			return false;

	return true;
}

int adbg_struct_in(void *to, size_t known, const void *from, size_t min)
{
	size_t size;

	if (!from)
		return -EINVAL;

	size = struct_size(from);
	if (size < min)
		return -EINVAL;

	if (size > known) {
		if (!all_zero((const unsigned char *)from + known, size - known))
			return -E2BIG;
		size = known;
	}

	memset(to, 0, known);
	memcpy(to, from, size);
	return 0;
}

void adbg_struct_out(void *to, const void *from, size_t known)
{
	size_t size = struct_size(to);
	size_t head = sizeof(uint32_t);
	size_t both = size < known ? size : known;

	memcpy((char *)to + head, (const char *)from + head, both - head);
	if (size > known)
		memset((char *)to + known, 0, size - known);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Implements outside.h.
 */
#define _GNU_SOURCE

#include "outside.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "%s: ", program_invocation_short_name);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(1);
}

void fail_call(const char *what, __u32 busy)
{
	if (errno == EBUSY)
		fail("%s: %s (cause %u)", what, strerror(errno), busy);
	fail("%s: %s", what, strerror(errno));
}

void *allocate(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);

	if (!p)
		fail("out of memory");
	return p;
}

unsigned long number(const char *text, unsigned long min, unsigned long max)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 0);
	if (errno || end == text || *end || text[0] == '-' || value < min || value > max)
		fail("'%s' is not a number from %lu to %lu", text, min, max);
	return value;
}

int open_session(unsigned int gpu, struct amdgpudbg_info *info)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/dev/amdgpudbg%u", gpu);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		fail("%s: %s", path, strerror(errno));
	*info = (struct amdgpudbg_info){ .size = sizeof(*info) };
	if (ioctl(fd, AMDGPUDBG_IOC_GET_INFO, info))
		fail_call("GET_INFO", 0);
	if (info->abi_version != AMDGPUDBG_ABI_VERSION)
		fail("the module has version %u of the interface, and this program version %u",
		     info->abi_version, AMDGPUDBG_ABI_VERSION);
	return fd;
}

/* is_drm: true if the entry of the folder leads to a DRM node; the module checks its GPU */
static int is_drm(int dir, const char *name)
{
	char link[64];
	ssize_t n = readlinkat(dir, name, link, sizeof(link) - 1);

	if (n < 0)
		return 0;
	link[n] = '\0';
	return strncmp(link, "/dev/dri/", 9) == 0;
}

/*
 * The module takes the descriptor of the target's file and removes it, because a close() of
 * it could wait for the target's jobs.
 */
static int try_target(int session, int pidfd, int their_fd, struct amdgpudbg_target_set *target)
{
	int fd = syscall(SYS_pidfd_getfd, pidfd, their_fd, 0);

	/* The process may have closed the file since, which is no error. */
	if (fd < 0 && errno == EBADF)
		return -1;
	if (fd < 0)
		fail("pidfd_getfd: %s", strerror(errno));
	*target = (struct amdgpudbg_target_set){
		.size = sizeof(*target), .flags = AMDGPUDBG_TARGET_SET_TAKE_FD,
		.drm_fd = fd, .pidfd = pidfd,
	};
	if (!ioctl(session, AMDGPUDBG_IOC_TARGET_SET, target))
		return 0;
	/* A DRM file of another GPU */
	if (errno != ENOTTY)
		fail_call("TARGET_SET", target->busy);
	return -1;
}

void take_target(int session, pid_t pid, struct amdgpudbg_target_set *target)
{
	int pidfd = syscall(SYS_pidfd_open, pid, 0), found = 0;
	struct dirent *entry;
	char path[32];
	DIR *dir;

	if (pidfd < 0)
		fail("process %d: %s", (int)pid, strerror(errno));
	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	dir = opendir(path);
	if (!dir)
		fail("%s: %s", path, strerror(errno));
	while (!found && (entry = readdir(dir))) {
		if (is_drm(dirfd(dir), entry->d_name))
			found = !try_target(session, pidfd, atoi(entry->d_name), target);
	}
	closedir(dir);
	close(pidfd);
	if (!found)
		fail("process %d has no DRM file of this GPU", (int)pid);
}

__u32 num_slots(const struct amdgpudbg_info *info)
{
	return info->num_xcc * info->num_se * info->num_sa * info->num_wgp * info->num_simd *
	       info->num_wave;
}

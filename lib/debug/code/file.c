// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Opening files. A file is first opened with O_PATH, which has no effect on it, and checked:
 * opening a device, a FIFO or a tape for reading may block, rewind the tape, or start a watchdog.
 * Only a regular file is then opened for reading, through the first descriptor, so that it is
 * still the same file.
 */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Missing in linux/magic.h: from fs/configfs/mount.c and fs/fuse/control.c */
#define CONFIGFS_MAGIC	0x62656570
#define FUSECTL_MAGIC	0x65735543

/* The system call for 32-bit group IDs */
#ifdef SYS_setgroups32
#define SETGROUPS SYS_setgroups32
#else
#define SETGROUPS SYS_setgroups
#endif

/* Repetitions if a parent directory was renamed during the call (openat2(2), RESOLVE_BENEATH) */
#define MAX_TRIES	8

/*
 * Is it a file of the kernel? Its type is that of a regular file, but reading it may have an
 * effect.
 */
static bool is_of_kernel(int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs))
		return true;
	switch ((uint32_t)fs.f_type) {
	case PROC_SUPER_MAGIC:
	case SYSFS_MAGIC:
	case DEBUGFS_MAGIC:
	case TRACEFS_MAGIC:
	case SECURITYFS_MAGIC:
	case SELINUX_MAGIC:
	case SMACK_MAGIC:
	case CGROUP_SUPER_MAGIC:
	case CGROUP2_SUPER_MAGIC:
	case BPF_FS_MAGIC:
	case PSTOREFS_MAGIC:
	case EFIVARFS_MAGIC:
	case BINFMTFS_MAGIC:
	case NSFS_MAGIC:
	case CONFIGFS_MAGIC:
	case FUSECTL_MAGIC:
		return true;
	default:
		return false;
	}
}

/*
 * Open the file of @path_fd for reading. @may_be_of_kernel: allow this, because the user has
 * named it
 */
static int reopen(int path_fd, bool may_be_of_kernel)
{
	struct stat st;
	char path[32];
	int fd;

	if (fstat(path_fd, &st))
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (!S_ISREG(st.st_mode))
		return -ENODEV;
	if (!may_be_of_kernel && is_of_kernel(path_fd))
		return -EACCES;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", path_fd);
	/* Do not wait for the end of a lease (fcntl(2), F_SETLEASE). */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

static int open_path(int folder, const char *path, uint64_t resolve)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = resolve };
	int fd, tries = 0;

	do {
		fd = syscall(SYS_openat2, folder, path, &how, sizeof(how));
	} while (fd < 0 && (errno == EINTR || (errno == EAGAIN && ++tries < MAX_TRIES)));
	return fd < 0 ? -errno : fd;
}

static int open_regular(int folder, const char *path, uint64_t resolve, bool may_be_of_kernel)
{
	int path_fd = open_path(folder, path, resolve), fd;

	if (path_fd < 0)
		return path_fd;
	fd = reopen(path_fd, may_be_of_kernel);
	close(path_fd);
	return fd;
}

int adbgd_file_open(const char *path)
{
	return open_regular(AT_FDCWD, path, 0, true);
}

int adbgd_file_open_below(int folder, const char *path)
{
	int fd = open_regular(folder, path, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS, false);

	return fd == -EXDEV || fd == -ELOOP ? -ENOENT : fd;
}

/* ------------------------------------------------------------------------ rights */

/* Rights of the calling thread. The functions of libc would change those of all threads. */
struct rights {
	int num_groups;
	gid_t *groups;
	uid_t uid;
	gid_t gid;
};

static uid_t get_fsuid(void)
{
	return setfsuid(-1);
}

static gid_t get_fsgid(void)
{
	return setfsgid(-1);
}

/* With the same user, another group gives no further rights, except for root. */
static bool is_own(const struct adbgd_owner *owner)
{
	return get_fsuid() == owner->uid && (owner->uid || get_fsgid() == owner->gid);
}

static int give_back(struct rights *r, int ret)
{
	setfsuid(r->uid);
	setfsgid(r->gid);
	/* Regaining them is possible, because CAP_SETGID is not given up with the user. */
	if (syscall(SETGROUPS, r->num_groups, r->groups) && ret >= 0) {
		close(ret);
		ret = -errno;
	}
	free(r->groups);
	return ret;
}

/*
 * Take only the rights of the user and its first group, although the target may have more groups.
 * Setting the file-system user also drops the capabilities that override permissions
 * (capabilities(7)).
 */
static int take(struct rights *r, const struct adbgd_owner *owner)
{
	r->num_groups = getgroups(0, NULL);
	if (r->num_groups < 0)
		return -errno;
	r->groups = calloc(r->num_groups + 1, sizeof(*r->groups));
	if (!r->groups)
		return -ENOMEM;
	if (getgroups(r->num_groups, r->groups) != r->num_groups ||
	    syscall(SETGROUPS, 0, NULL)) {
		free(r->groups);
		return -EPERM;
	}
	r->gid = setfsgid(owner->gid);
	r->uid = setfsuid(owner->uid);
	if (get_fsuid() != owner->uid || get_fsgid() != owner->gid)
		return give_back(r, -EPERM);
	return 0;
}

int adbgd_file_open_as(const char *path, const struct adbgd_owner *owner)
{
	struct rights before = { 0 };
	int fd;

	if (is_own(owner))
		return open_regular(AT_FDCWD, path, RESOLVE_NO_MAGICLINKS, false);
	fd = take(&before, owner);
	if (fd)
		return fd;
	return give_back(&before, open_regular(AT_FDCWD, path, RESOLVE_NO_MAGICLINKS, false));
}

const char *adbgd_file_error(int error)
{
	switch (-error) {
	case EISDIR:
		return "it is a directory";
	case ENODEV:
		return "it is not a regular file";
	default:
		return strerror(-error);
	}
}

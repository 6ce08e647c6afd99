// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lines that were typed in earlier shells: see history.h.
 */
#include "history.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"
#include "util.h"
#include "wavectl.h"

#define FILE_NAME	"history"
#define FD_PATH_MAX	64

/* A name for what is open, or for @name in it, that no other process can change */
static const char *fd_path(int fd, const char *name, char path[FD_PATH_MAX])
{
	snprintf(path, FD_PATH_MAX, "/proc/self/fd/%d%s%s", fd, *name ? "/" : "", name);
	return path;
}

/* Takes @fd: closes it if it is another user's. */
static int keep_own(int fd)
{
	struct stat there;

	if (fd < 0)
		return -errno;
	if (!fstat(fd, &there) && there.st_uid == geteuid())
		return fd;
	close(fd);
	return -EPERM;
}

/* The folder @name of @folder, made if it is not there; @folder is closed. */
static int enter(int folder, const char *name)
{
	int fd;

	/* The mode is that of the XDG Base Directory Specification. */
	if (mkdirat(folder, name, 0700) && errno != EEXIST)
		fd = -errno;
	else
		fd = keep_own(openat(folder, name, O_PATH | O_DIRECTORY | O_CLOEXEC));
	close(folder);
	return fd;
}

/* -ENOENT: the environment does not say where it is */
static int open_folder(void)
{
	static const char *const below_home[] = { ".local", "state" };
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	bool has_state = state && *state == '/';
	int fd;

	/* The specification does not know relative paths. */
	if (!has_state && (!home || *home != '/'))
		return -ENOENT;
	if (has_state && mkdir(state, 0700) && errno != EEXIST)
		return -errno;
	fd = keep_own(open(has_state ? state : home, O_PATH | O_DIRECTORY | O_CLOEXEC));
	for (size_t i = 0; !has_state && fd >= 0 && i < ARRAY_SIZE(below_home); i++)
		fd = enter(fd, below_home[i]);
	return fd < 0 ? fd : enter(fd, "wavectl");
}

/* A FIFO is not waited for, and a hard link may be one to another file. */
static bool is_own_file(int fd)
{
	struct stat there;

	return !fstat(fd, &there) && S_ISREG(there.st_mode) && there.st_uid == geteuid() &&
	       there.st_nlink == 1;
}

int history_load(History *history_of)
{
	int folder = open_folder(), fd;
	char path[FD_PATH_MAX];
	HistEvent event;

	if (folder == -EPERM)
		warn("no history is kept: its folder belongs to another user");
	if (folder < 0)
		return -1;
	fd = openat(folder, FILE_NAME, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return folder;
	if (is_own_file(fd))
		history(history_of, &event, H_LOAD, fd_path(fd, "", path));
	close(fd);
	return folder;
}

void history_save(History *history_of, int folder)
{
	char path[FD_PATH_MAX];
	struct output output;
	HistEvent event;

	if (folder < 0)
		return;
	if (!output_open(&output, fd_path(folder, FILE_NAME, path))) {
		history(history_of, &event, H_SAVE_FP, output.file);
		/* There is no one to report it to: the shell has ended. */
		(void)!output_finish(&output);
	}
	close(folder);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The history of the shell, .editrc and .terminfo: see home.h.
 */
#include "shell/home.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "base/own_home.h"
#include "base/util.h"
#include "base/wavectl.h"

#define HISTORY	"history"
#define FD_PATH_MAX	64
#define ANY_NUMBER	((nlink_t)-1)

/*
 * Get a path of an open file, or of @name in an open directory, that no other process can change.
 */
static const char *fd_path(int fd, const char *name, char path[FD_PATH_MAX])
{
	snprintf(path, FD_PATH_MAX, "/proc/self/fd/%d%s%s", fd, *name ? "/" : "", name);
	return path;
}

/* Open directory @name of @folder, and create it if needed; @folder is closed. */
static int enter(int folder, const char *name)
{
	int fd;

	/* The mode is that of the XDG Base Directory Specification. */
	if (mkdirat(folder, name, 0700) && errno != EEXIST)
		fd = -errno;
	else
		fd = own_fd(openat(folder, name, O_PATH | O_DIRECTORY | O_CLOEXEC));
	close(folder);
	return fd;
}

/*
 * Open the directory of the history, and create it if needed. Returns -ENOENT if the environment
 * does not name it.
 */
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
	fd = own_fd(open(has_state ? state : home, O_PATH | O_DIRECTORY | O_CLOEXEC));
	for (size_t i = 0; !has_state && fd >= 0 && i < ARRAY_SIZE(below_home); i++)
		fd = enter(fd, below_home[i]);
	return fd < 0 ? fd : enter(fd, "wavectl");
}

/*
 * Open a regular file of the user for fd_path(); else -1. Other files are not opened: a FIFO can
 * block, and opening a device can have an effect. @max_names: maximum number of hard links.
 */
static int open_own_file(int folder, const char *name, int flags, nlink_t max_names)
{
	int fd = openat(folder, name, O_PATH | O_CLOEXEC | flags);
	struct stat there;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &there) && S_ISREG(there.st_mode) && there.st_uid == geteuid() &&
	    there.st_nlink <= max_names)
		return fd;
	close(fd);
	return -1;
}

struct editline *home_init_editor(void)
{
	char *hidden = own_home_begin();
	EditLine *el = el_init("wavectl", stdin, stdout, stderr);

	own_home_end(hidden);
	return el;
}

int home_load_history(struct history *history_of)
{
	int folder = open_folder(), fd;
	char path[FD_PATH_MAX];
	HistEvent event;

	if (folder == -EPERM)
		warn("no history is saved: its directory belongs to another user");
	if (folder < 0)
		return -1;
	/* A file with a second name may belong to another program of the user. */
	fd = open_own_file(folder, HISTORY, O_NOFOLLOW, 1);
	if (fd >= 0) {
		history(history_of, &event, H_LOAD, fd_path(fd, "", path));
		close(fd);
	}
	return folder;
}

void home_save_history(struct history *history_of, int folder)
{
	char path[FD_PATH_MAX];
	struct output output;
	HistEvent event;

	if (folder < 0)
		return;
	if (!output_open(&output, fd_path(folder, HISTORY, path))) {
		history(history_of, &event, H_SAVE_FP, output.file);
		/* There is no one to report it to: the shell has ended. */
		ignore_result(output_finish(&output));
	}
	close(folder);
}

/* Open .editrc. Symbolic links are followed, because users link such files to a repository. */
static int open_editrc(void)
{
	const char *editrc = getenv("EDITRC"), *home = getenv("HOME");
	int folder, fd;

	if (editrc)
		return open_own_file(AT_FDCWD, editrc, 0, ANY_NUMBER);
	if (!home)
		return -1;
	folder = own_fd(open(home, O_PATH | O_DIRECTORY | O_CLOEXEC));
	if (folder < 0)
		return -1;
	fd = open_own_file(folder, ".editrc", 0, ANY_NUMBER);
	close(folder);
	return fd;
}

void home_source_editrc(EditLine *el)
{
	char path[FD_PATH_MAX];
	int fd = open_editrc();

	if (fd < 0)
		return;
	el_source(el, fd_path(fd, "", path));
	close(fd);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The home directory of the caller: see own_home.h.
 */
#include "base/own_home.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/util.h"

int own_fd(int fd)
{
	struct stat there;

	if (fd < 0)
		return -errno;
	if (!fstat(fd, &there) && there.st_uid == geteuid())
		return fd;
	close(fd);
	return -EPERM;
}

static bool home_is_own(const char *home)
{
	int fd = own_fd(open(home, O_PATH | O_DIRECTORY | O_CLOEXEC));

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

char *own_home_begin(void)
{
	const char *home = getenv("HOME");
	char *hidden;

	if (!home || home_is_own(home))
		return NULL;
	hidden = xstrdup(home);
	unsetenv("HOME");
	return hidden;
}

void own_home_end(char *hidden)
{
	/* Programs that are started get the original value. */
	if (hidden && setenv("HOME", hidden, 1))
		out_of_memory();
	free(hidden);
}

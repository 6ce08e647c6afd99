// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes files: see output.h.
 */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/util.h"

static void forget(struct output *output)
{
	free(output->path);
	free(output->unfinished);
	*output = (struct output){ 0 };
}

int output_open(struct output *output, const char *path)
{
	struct stat there;
	int fd, ret;

	*output = (struct output){ 0 };
	/*
	 * This check is only for a clear message. A file that appears later is replaced, not
	 * followed.
	 */
	if (!lstat(path, &there) && !S_ISREG(there.st_mode))
		return -EEXIST;
	output->path = xstrdup(path);
	xappend(&output->unfinished, "%s.XXXXXX", path);
	/* Created by O_EXCL with mode 0600 */
	fd = mkostemp(output->unfinished, O_CLOEXEC);
	ret = fd < 0 ? -errno : 0;
	if (!ret) {
		output->file = fdopen(fd, "w");
		if (output->file)
			return 0;
		ret = -errno;
		close(fd);
		unlink(output->unfinished);
	}
	forget(output);
	return ret;
}

int output_finish(struct output *output)
{
	int ret = ferror(output->file) ? -EIO : 0;

	if (fclose(output->file) && !ret)
		ret = -errno;
	if (!ret && rename(output->unfinished, output->path))
		ret = -errno;
	if (ret)
		unlink(output->unfinished);
	forget(output);
	return ret;
}

void output_drop(struct output *output)
{
	fclose(output->file);
	unlink(output->unfinished);
	forget(output);
}

const char *output_strerror(int error)
{
	return error == -EEXIST ? "it is not a regular file" : strerror(-error);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Small text files of the kernel, such as those below /proc.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

ssize_t adbg_read_text(const char *path, char *text, size_t size)
{
	ssize_t n, len = 0;
	int fd, ret = 0;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;

	do {
		n = read(fd, text + len, size - 1 - len);
		if (n < 0)
			ret = errno == EINTR ? 0 : -errno;
		else
			len += n;
	} while (!ret && n && (size_t)len < size - 1);

	close(fd);
	text[len] = '\0';
	return ret ? ret : len;
}

const char *adbg_find_value(const char *text, const char *key)
{
	size_t n = strlen(key);

	while (text) {
		if (!strncmp(text, key, n) && text[n] == ':') {
			text += n + 1;
			return text + strspn(text, " \t");
		}
		text = strchr(text, '\n');
		if (text)
			text++;
	}

	return NULL;
}

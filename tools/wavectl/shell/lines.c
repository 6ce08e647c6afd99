// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines of a file: see lines.h. The reader also waits for other events, so reading is divided
 * into steps that only wait for the file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"
#include "shell/lines.h"

void lines_init(struct lines *lines, int fd)
{
	*lines = (struct lines){
		.fd = fd, .buffer = xcalloc(LINE_BYTES_MAX + 1, 1),
	};
}

void lines_free(struct lines *lines)
{
	free(lines->buffer);
}

int lines_take(struct lines *lines, char **line)
{
	char *begin = lines->buffer + lines->begin;
	size_t left = lines->end - lines->begin, length;
	char *feed = memchr(begin, '\n', left);

	if (!feed && !lines->ended)
		return left == LINE_BYTES_MAX ? -E2BIG : -EAGAIN;
	if (!feed && !left)
		return 0;

	length = feed ? (size_t)(feed - begin) : left;
	if (memchr(begin, '\0', length))
		return -EILSEQ;
	begin[length] = '\0';
	lines->begin += length + !!feed;
	*line = begin;
	return 1;
}

int lines_read(struct lines *lines)
{
	ssize_t n;

	memmove(lines->buffer, lines->buffer + lines->begin,
		lines->end - lines->begin);
	lines->end -= lines->begin;
	lines->begin = 0;
	do {
		n = read(lines->fd, lines->buffer + lines->end,
			 LINE_BYTES_MAX - lines->end);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	lines->end += n;
	lines->ended = !n;
	return 0;
}

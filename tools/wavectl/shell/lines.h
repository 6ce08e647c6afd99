/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of a file, a pipe or the like, without a terminal's help.
 */
#ifndef WAVECTL_LINES_H
#define WAVECTL_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* A command is never so long. */
#define LINE_BYTES_MAX 65536

struct lines {
	int fd;
	char *buffer;		/* LINE_BYTES_MAX and a 0 */
	size_t begin, end;	/* what was read, and not yet taken */
	bool ended;
};

void lines_init(struct lines *lines, int fd);
void lines_free(struct lines *lines);
/*
 * The next line, without its line feed, is there: 1 and *line, which is good until the
 * next call. 0: the file has ended. -EAGAIN: read more, see lines_read(). -E2BIG: it is
 * too long. -EILSEQ: it is no text.
 */
int lines_take(struct lines *lines, char **line);
/* Read what there is, once. 0 or -errno. */
int lines_read(struct lines *lines);

#endif /* WAVECTL_LINES_H */

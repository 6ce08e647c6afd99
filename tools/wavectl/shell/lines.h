/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of a file or a pipe.
 */
#ifndef WAVECTL_LINES_H
#define WAVECTL_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* Maximum length of a line */
#define LINE_BYTES_MAX 65536

struct lines {
	int fd;
	char *buffer;		/* LINE_BYTES_MAX and a 0 */
	size_t begin, end;	/* the part that was read but not returned */
	bool ended;
};

void lines_init(struct lines *lines, int fd);
void lines_free(struct lines *lines);
/*
 * Get the next line, without its line feed. Returns 1, and *line is valid until the next call; 0
 * at the end of the file; -EAGAIN: call lines_read(); -E2BIG: the line is too long; -EILSEQ: it
 * is not text.
 */
int lines_take(struct lines *lines, char **line);
/* Read once. Returns 0 or -errno. */
int lines_read(struct lines *lines);

#endif /* WAVECTL_LINES_H */

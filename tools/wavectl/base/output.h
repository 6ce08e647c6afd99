/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that wavectl writes. They may contain memory of the process that is debugged, and
 * root may write them into a folder of another user.
 *
 * A new file is written beside the old one, under a name that is not in use, and takes its
 * place when it is complete. So a symbolic link is never followed, a FIFO or a device is never
 * opened, a file that was there stays whole if the writing fails, and the new one belongs
 * to the caller, who alone can read it.
 */
#ifndef WAVECTL_OUTPUT_H
#define WAVECTL_OUTPUT_H

#include <stdio.h>

struct output {
	char *path;
	char *unfinished;	/* the name that it has until it is complete */
	FILE *file;
};

/*
 * Begin to write @path, which must be a regular file, or not there. 0; -EEXIST it is something
 * else; -errno. Call output_finish() or output_drop() after success only.
 */
int output_open(struct output *output, const char *path);
/* All is written: put it in its place. 0; or -errno, and there is what was there before. */
int output_finish(struct output *output);
/* Leave there what was there before. */
void output_drop(struct output *output);
/* What output_open() and output_finish() return, in words; static, or as strerror(3) */
const char *output_strerror(int error);

#endif /* WAVECTL_OUTPUT_H */

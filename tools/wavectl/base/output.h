/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes files. They may contain memory of the process that is debugged, and root may write them
 * into a directory of another user.
 *
 * A new file is written under an unused name beside the old one, and replaces it when it is
 * complete. Therefore a symbolic link is never followed, a FIFO or a device is never opened, an
 * existing file stays intact if writing fails, and the new file belongs to the caller and is
 * readable only for him.
 */
#ifndef WAVECTL_OUTPUT_H
#define WAVECTL_OUTPUT_H

#include <stdio.h>

struct output {
	char *path;
	char *unfinished;	/* its name until it is complete */
	FILE *file;
};

/*
 * Begin to write @path, which must be a regular file or not exist. Returns 0, -EEXIST if it is
 * another kind of file, or -errno. Call output_finish() or output_drop() only after success.
 */
int output_open(struct output *output, const char *path);
/* Put the complete file into its place. Returns 0; or -errno, and the old file is still there. */
int output_finish(struct output *output);
/* Discard the new file; the old one stays. */
void output_drop(struct output *output);
/*
 * The message for an error of output_open() or output_finish(); static, or valid as that of
 * strerror(3)
 */
const char *output_strerror(int error);

#endif /* WAVECTL_OUTPUT_H */

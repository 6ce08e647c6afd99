/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Source files of the process: found below the folders that the user named, by the name that the
 * compiler recorded, or in the code object.
 */
#ifndef WAVECTL_SOURCE_H
#define WAVECTL_SOURCE_H

#include "debug/debug.h"

/*
 * Open a source file. Free it with adbgd_source_free(). Returns 0 or -errno, with the reason in
 * @error.
 */
int source_open(const struct wavectl *w, const char *file, struct adbgd_source **source,
		struct adbgd_error *error);
/* Replace the tabs of a line by blanks, and cut it if it is very long. The caller frees it. */
char *source_expand(const char *line);
/* Get the text of a line, expanded; the caller frees it. NULL: it is not available. */
char *source_line(const struct wavectl *w, const char *file, uint32_t line);

#endif /* WAVECTL_SOURCE_H */

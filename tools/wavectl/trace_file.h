/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Traces in files: one JSON object in each line, of which wavectl(1) says what they have.
 */
#ifndef WAVECTL_TRACE_FILE_H
#define WAVECTL_TRACE_FILE_H

#include "traced.h"

/* Write it anew. An exit status. */
int trace_file_save(struct wavectl *w, const struct traced *t, const char *path);

/* Read one. traced_free() also after an error. An exit status. */
int trace_file_load(struct wavectl *w, const struct debugger *d, const char *path,
		    struct traced *t);

#endif /* WAVECTL_TRACE_FILE_H */

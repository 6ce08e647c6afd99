/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Traces in files: one JSON object in each line, of which wavectl(1) says what they have.
 */
#ifndef WAVECTL_TRACE_FILE_H
#define WAVECTL_TRACE_FILE_H

#include <stdio.h>

#include "traced.h"

/* One that is to be written */
struct trace_output {
	const char *path;
	FILE *file;
	bool is_new;		/* it was made for this */
};

/* Before there is a trace, so that none is lost: nothing is changed in it. An exit status. */
int trace_file_open(struct wavectl *w, const char *path, struct trace_output *to);
/* Write it anew; it is closed. An exit status. */
int trace_file_save(struct wavectl *w, const struct traced *t, struct trace_output *to);
/* There is no trace: it is as before, and closed. */
void trace_file_drop(struct trace_output *to);

/* Read one. traced_free() also after an error. An exit status. */
int trace_file_load(struct wavectl *w, const struct debugger *d, const char *path,
		    struct traced *t);

#endif /* WAVECTL_TRACE_FILE_H */

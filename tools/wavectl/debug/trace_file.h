/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Traces in files: one JSON object per line; wavectl-trace(1) describes them.
 */
#ifndef WAVECTL_TRACE_FILE_H
#define WAVECTL_TRACE_FILE_H

#include "base/output.h"
#include "debug/trace_view.h"

/*
 * Begin to write a file, before the trace is recorded, so that an error does not lose it. Call
 * output_drop() if there is no trace. Returns an exit status.
 */
int trace_file_open(struct wavectl *w, const char *path, struct output *to);
/* Write the trace, and put the file into its place. Returns an exit status. */
int trace_file_save(struct wavectl *w, const struct trace_view *t, struct output *to);

/* Read a trace. Call trace_view_free() also after an error. Returns an exit status. */
int trace_file_load(struct wavectl *w, const char *path, struct trace_view *t);

#endif /* WAVECTL_TRACE_FILE_H */

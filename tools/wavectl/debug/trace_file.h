/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Traces in files: one JSON object in each line, of which wavectl(1) says what they have.
 */
#ifndef WAVECTL_TRACE_FILE_H
#define WAVECTL_TRACE_FILE_H

#include "base/output.h"
#include "debug/trace_view.h"

/*
 * Before there is a trace, so that none is lost. output_drop() if there is none after all. An
 * exit status.
 */
int trace_file_open(struct wavectl *w, const char *path, struct output *to);
/* Write it, and put it into the place of w->words[0]. An exit status. */
int trace_file_save(struct wavectl *w, const struct traced *t, struct output *to);

/* Read one. trace_view_free() also after an error. An exit status. */
int trace_file_load(struct wavectl *w, const char *path, struct traced *t);

#endif /* WAVECTL_TRACE_FILE_H */

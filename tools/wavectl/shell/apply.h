/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "thread apply": a command for one halted wave after the other.
 */
#ifndef WAVECTL_APPLY_H
#define WAVECTL_APPLY_H

#include "base/split.h"
#include "base/wavectl.h"

/* Execute a line of the shell. Returns its exit status. */
typedef int apply_line(void *data, const char *line);

/* Do the words begin with "thread apply"? */
bool apply_is_typed(const struct wavectl *w, const struct split *split);
/* Execute them. Returns the exit status of the first command that failed. */
int apply_run(struct wavectl *w, const struct split *split, apply_line *run, void *data);

#endif /* WAVECTL_APPLY_H */

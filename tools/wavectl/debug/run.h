/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "run" and "attach" in a shell: a process becomes the target of the session.
 */
#ifndef WAVECTL_RUN_H
#define WAVECTL_RUN_H

#include "base/wavectl.h"

/* Start the program that the arguments name. Returns an exit status. */
int run_program(struct wavectl *w);
/* Attach to a running process. Returns an exit status. */
int run_attach(struct wavectl *w, int32_t pid);
/*
 * Has the program that "run" started ended? Then it was waited for, and *@status is that of
 * waitpid(2).
 */
bool run_has_ended(struct shell_session *d, int *status);

#endif /* WAVECTL_RUN_H */

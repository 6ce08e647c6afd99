/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "run" and "attach" in a dialogue: a program is started, or is there already, and becomes what
 * the dialogue is about.
 */
#ifndef WAVECTL_RUN_H
#define WAVECTL_RUN_H

#include "base/wavectl.h"

/* The command, whose words are the program's. An exit status. */
int run_program(struct wavectl *w);
/* The process, which runs on. An exit status. */
int run_attach(struct wavectl *w, int32_t pid);
/*
 * Has the program that was started ended, if there is one? Then it was waited for, and
 * *@status is as of waitpid(2).
 */
bool run_has_ended(struct shell_session *d, int *status);

#endif /* WAVECTL_RUN_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wavectl on a terminal, in a child process: keys are typed, and texts are waited for.
 */
#ifndef TESTS_UNIT_ON_TERMINAL_H
#define TESTS_UNIT_ON_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/types.h>

extern char said[1 << 20];		/* everything that the child has printed so far */
extern pid_t child;
extern int tty;				/* its terminal, seen from the other side */

/*
 * Begin a child on a terminal of this size; NULL: of none. Returns true in the child, which a
 * signal ends after 30 s, and has to call wavectl_main().
 */
bool begin_on_terminal(const struct winsize *size);
void type(const char *keys);
/* Read on until @text has come behind what was waited for last. */
void until(const char *text);
/* Read up to the end. Returns the exit status, or minus the signal. */
int end(void);

#endif /* TESTS_UNIT_ON_TERMINAL_H */

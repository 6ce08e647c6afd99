/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wavectl as a child process, on the machine of make-believe that the test has
 * set up with mock.h. The child aborts when an ioctl came that was not expected,
 * or one did not come that was.
 */
#ifndef TESTS_UNIT_RUN_WAVECTL_H
#define TESTS_UNIT_RUN_WAVECTL_H

#include <stddef.h>
#include <sys/types.h>

struct run {
	pid_t pid;
	int out_fd;
	int err_fd;
	int status;	/* exit status, or minus the signal that ended it */
	char out[65536];
	char err[8192];
};

/* Start it with @args, words divided by blanks. */
void run_start(struct run *run, const char *args);
/* The same with a standard output that takes nothing, as on a full disk. */
void run_start_full(struct run *run, const char *args);
/* Wait for a whole line on its standard output; it is added to run->out. */
void run_line(struct run *run);
/* Wait for its end, and collect what it says. */
void run_end(struct run *run);
/* All of it. Returns run->status. */
int run(struct run *run, const char *args);

#endif /* TESTS_UNIT_RUN_WAVECTL_H */

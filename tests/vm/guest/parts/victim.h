/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process with waves on the GPU, for tests that need one: the program "compute" as a child,
 * usually with the kernel "spin".
 */
#ifndef GUEST_VICTIM_H
#define GUEST_VICTIM_H

#include <sys/types.h>

struct victim {
	pid_t pid;
	int in, out;	/* its standard input and output, our ends */
};

/* Start it and wait until all its waves run. 0 or -errno. */
int victim_start(struct victim *v, unsigned int items, unsigned int ring);
/* The same with any arguments, as a user who may use the GPU; 0: as root. */
int victim_start_as(struct victim *v, uid_t uid, char *const argv[]);
/* Become that user. 0 or -errno. */
int victim_become(uid_t uid);
/* Let it end; 0 when every result was right, else its status or -errno. */
int victim_finish(struct victim *v);

#endif /* GUEST_VICTIM_H */

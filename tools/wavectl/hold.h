/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waiting until a signal, or a time, ends a hold.
 */
#ifndef WAVECTL_HOLD_H
#define WAVECTL_HOLD_H

#include <stdint.h>

#include "wavectl.h"

struct hold {
	int signals;	/* signalfd */
	int timer;	/* timerfd, -1 without a time */
};

/*
 * From here on SIGINT, SIGTERM and SIGHUP do not end the program but the hold.
 * To be called before anything is halted, so that none of them comes between.
 * 0 or -errno.
 */
int hold_prepare(struct hold *hold);
/* Start the time; 0 means no end. 0 or -errno. */
int hold_start(struct hold *hold, uint64_t ns);
/* Wait for the end, or until @fd can be read: 0 or 1; or -errno. */
int hold_wait_for(const struct hold *hold, int fd);
/* Wait for the end. 0 or -errno. */
int hold_wait(const struct hold *hold);
void hold_end(struct hold *hold);

/* What is kept for w->hold_ns, or until a signal. All give exit statuses. */
struct kept {
	/* Do it, or say why it cannot be done. */
	int (*set)(struct wavectl *w, void *arg);
	/* Say that it is done. Nobody need read that: it is kept all the same. */
	int (*say)(struct wavectl *w, void *arg);
	/* End it and say so. */
	int (*end)(struct wavectl *w, void *arg);
};

/* From the first to the last; an exit status. */
int hold_keep(struct wavectl *w, const struct kept *kept, void *arg);

#endif /* WAVECTL_HOLD_H */

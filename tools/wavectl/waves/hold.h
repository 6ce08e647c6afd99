/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waiting until a signal, or a time, ends a hold.
 */
#ifndef WAVECTL_HOLD_H
#define WAVECTL_HOLD_H

#include <stdint.h>

#include "base/wavectl.h"

struct hold {
	int signals;	/* readable when a signal has come */
	int timer;	/* timerfd, -1 without a time */
	int events;	/* of the session, -1: none are listened to */
};

/* Events that end what is held; that the process or the GPU is gone comes with any. */
#define HOLD_ENDS (1ULL << AMDGPUDBG_EVENT_HALT_EXPIRED | \
		   1ULL << AMDGPUDBG_EVENT_GPU_RESET | \
		   1ULL << AMDGPUDBG_EVENT_HANDLER_LOST | \
		   1ULL << AMDGPUDBG_EVENT_SLEEP)

/* Signals that have come */
#define HOLD_SIGNAL_INTERRUPT	1	/* SIGINT */
#define HOLD_SIGNAL_END		2	/* SIGTERM, SIGHUP */

/*
 * From here on SIGINT, SIGTERM and SIGHUP do not end the program but the hold, or what
 * looks at hold_interrupted(). A second one does end it, if the first was not taken since.
 * To be called before anything is halted, so that none of them comes between.
 * 0 or -errno.
 */
int hold_prepare(struct hold *hold);
/* Catch these signals again, after a library has installed handlers. 0 or -errno. */
int hold_catch(void);
/* Have them wait, or no longer, while handlers of a library are installed. */
void hold_delay_signals(bool delay);
/*
 * Ignore those that were ignored when wavectl was started, and catch them again: around the
 * start of a program, which inherits that.
 */
void hold_ignore_again(bool ignore);
/* Take those that have come: HOLD_SIGNAL_* */
unsigned int hold_take_signals(void);
/* Start the time; 0 means no end. 0 or -errno. */
int hold_start(struct hold *hold, uint64_t ns);
/* Both at once, for what waits in any case; an exit status. */
int hold_open(struct wavectl *w, struct hold *hold, uint64_t ns);
/*
 * Does what is set outlast the command? In a dialogue it does, unless --for gives a
 * time: until it is taken back, or until the session ends.
 */
bool hold_stays(const struct wavectl *w);
/* How it ends, in words: behind what it is */
const char *hold_how(const struct wavectl *w);
/*
 * Be told of events of these types from now on, beside those that a dialogue wants.
 * 0 or -errno.
 */
int hold_events(struct wavectl *w, uint64_t types, uint64_t causes);
/* The same; an exit status. */
int hold_follow(struct wavectl *w, uint64_t types, uint64_t causes);
/*
 * Has a signal come that was not taken? It costs next to nothing: ask in every loop whose
 * length the target determines.
 */
bool hold_interrupted(void);
/* A command has ended early for it: an exit status. */
int hold_fail_interrupted(struct wavectl *w);
/* Begin what is said of it: in JSON at once, if the command then waits. */
void hold_begin(struct wavectl *w);
/* Wait for the end, or until @fd can be read: 0 or 1; or -errno. */
int hold_wait_for(const struct hold *hold, int fd);
/*
 * From here on, the hold also ends when there is nothing to be held any more. To be
 * called before anything is halted, too. An exit status.
 */
int hold_listen(struct wavectl *w, struct hold *hold);
/* What an event says that ends a hold, a clause; NULL: it ends none. */
const char *hold_why(const struct amdgpudbg_event *event);
/*
 * Wait for the end. 0 or -errno; *why is NULL if a signal or the time has ended it,
 * else a clause that says what has.
 */
int hold_wait(struct wavectl *w, const struct hold *hold, const char **why);
/* Append for how long users may have waves stopped, if that holds for the caller. */
void hold_say_left(struct wavectl *w, char **text);
/* It has ended by itself: an exit status. */
int hold_fail(struct wavectl *w, const char *why);
void hold_end(struct hold *hold);

/* What is kept for w->hold_ns, or until a signal. All give exit statuses. */
struct hold_ops {
	/* Do it, or say why it cannot be done. */
	int (*set)(struct wavectl *w, void *arg);
	/* Say that it is done. Nobody need read that: it is kept all the same. */
	int (*say)(struct wavectl *w, void *arg);
	/* End it and say so. That of a dialogue's session has to be taken back. */
	int (*end)(struct wavectl *w, void *arg);
};

/* From the first to the last, or to the second if it stays; an exit status. */
int hold_keep(struct wavectl *w, const struct hold_ops *kept, void *arg);

#endif /* WAVECTL_HOLD_H */

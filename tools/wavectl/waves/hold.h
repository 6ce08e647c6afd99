/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals, and settings that last until a signal, a time or an event ends them.
 */
#ifndef WAVECTL_HOLD_H
#define WAVECTL_HOLD_H

#include <stdint.h>

#include "base/wavectl.h"

struct hold {
	int signals;	/* readable when a signal has arrived */
	int timer;	/* timerfd; -1: no time limit */
	int events;	/* events of the session; -1: not read */
};

/* Events that end a hold. The ends of the process and of the GPU are always reported. */
#define HOLD_ENDS (1ULL << AMDGPUDBG_EVENT_HALT_EXPIRED | \
		   1ULL << AMDGPUDBG_EVENT_GPU_RESET | \
		   1ULL << AMDGPUDBG_EVENT_HANDLER_LOST | \
		   1ULL << AMDGPUDBG_EVENT_SLEEP)

/* Signals that have arrived */
#define HOLD_SIGNAL_INTERRUPT	1	/* SIGINT */
#define HOLD_SIGNAL_END		2	/* SIGTERM, SIGHUP */

/*
 * Catch SIGINT, SIGTERM and SIGHUP. From here on, a signal ends the hold, or a loop that checks
 * hold_interrupted(). A second signal ends the program if the first was not handled. Call this
 * before anything is halted. Returns 0 or -errno.
 */
int hold_prepare(struct hold *hold);
/*
 * Catch these signals again after a library has installed handlers of its own. Returns 0 or
 * -errno.
 */
int hold_catch(void);
/* Block these signals, or unblock them, while a library has its handlers installed. */
void hold_delay_signals(bool delay);
/*
 * Ignore the signals that were ignored when wavectl was started, or catch them again. For the
 * start of a program, which inherits ignored signals.
 */
void hold_ignore_again(bool ignore);
/*
 * Interrupt the current operation as SIGINT does, from any thread. Call hold_prepare() before.
 */
void hold_interrupt(void);
/* Get and clear the signals that have arrived: HOLD_SIGNAL_* */
unsigned int hold_take_signals(void);
/* Start the time limit; 0: none. Returns 0 or -errno. */
int hold_start(struct hold *hold, uint64_t ns);
/* Catch the signals and start the time limit. Returns an exit status. */
int hold_open(struct wavectl *w, struct hold *hold, uint64_t ns);
/*
 * The same for the time of --for, and enable events of @types and those that end the hold. Call
 * this before waves can stop, so that no event is missed. Returns an exit status.
 */
int hold_open_events(struct wavectl *w, struct hold *hold, uint64_t types);
/*
 * Does the setting outlast the command? In a shell it does, unless --for limits it: until the
 * user ends it, or until the session ends.
 */
bool hold_stays(const struct wavectl *w);
/* How the setting ends, for the end of a sentence */
const char *hold_end_text(const struct wavectl *w);
/*
 * Enable events of these types, and of @causes if they are not 0, beside those that the shell
 * needs. Returns 0 or -errno.
 */
int hold_events(struct wavectl *w, uint64_t types, uint64_t causes);
/* The same, but print errors. Returns an exit status. */
int hold_follow(struct wavectl *w, uint64_t types, uint64_t causes);
/*
 * Has a signal arrived that was not handled? This is cheap: call it in each loop whose length
 * depends on the target.
 */
bool hold_interrupted(void);
/* Print that the command was interrupted. Returns an exit status. */
int hold_fail_interrupted(struct wavectl *w);
/* Begin the document about the setting. If the command then waits, it is printed at once. */
void hold_begin(struct wavectl *w);
/*
 * Wait for a signal, the time limit, or until @fd is readable. Returns 1 in the last case, else
 * 0; or -errno.
 */
int hold_wait_for(const struct hold *hold, int fd);
/*
 * From here on, events also end the hold. Call this before anything is halted. Returns an exit
 * status.
 */
int hold_listen(struct wavectl *w, struct hold *hold);
/* Why the event ends a hold, as a part of a sentence; NULL: it does not end one */
const char *hold_end_reason(const struct amdgpudbg_event *event);
/*
 * Wait for the end. Returns 0 or -errno. *why is NULL if a signal or the time ended the hold,
 * else the reason, as a part of a sentence.
 */
int hold_wait(struct wavectl *w, const struct hold *hold, const char **why);
/* Append the halt time that is left, if there is a limit for the caller. */
void hold_say_left(struct wavectl *w, char **text);
/* Print that the hold ended by itself. Returns an exit status. */
int hold_fail(struct wavectl *w, const char *why);
void hold_end(struct hold *hold);

/* A setting that is kept for w->hold_ns or until a signal. The functions return exit statuses. */
struct hold_ops {
	/* Set it, or print an error. */
	int (*set)(struct wavectl *w, void *arg);
	/*
	 * Print that it is set. It stays set if this fails, for example because the reader of
	 * the output has exited.
	 */
	int (*say)(struct wavectl *w, void *arg);
	/* End it and print that. In a shell, the function must undo it explicitly. */
	int (*end)(struct wavectl *w, void *arg);
};

/*
 * Call set() and say(), wait, and call end(). If the setting outlasts the command, only the
 * first two. Returns an exit status.
 */
int hold_keep(struct wavectl *w, const struct hold_ops *kept, void *arg);

#endif /* WAVECTL_HOLD_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A part of a test in a separate process, because it drops its privileges, or is killed.
 */
#ifndef GUEST_CHILD_H
#define GUEST_CHILD_H

#include <sys/types.h>

/* Do @what in a child until its end; what it gave, or -errno. */
int child_run(int (*what)(void *arg), void *arg);

/*
 * Create a child that calls @what, which must return 0, and then waits with
 * all that it has opened. Returns its pid or -errno.
 */
pid_t child_hold(int (*what)(void *arg), void *arg);
/* Kill it. 0, -ECHILD when it had ended before, or -errno. */
int child_kill(pid_t pid);

#endif /* GUEST_CHILD_H */

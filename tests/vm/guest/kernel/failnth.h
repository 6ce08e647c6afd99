/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the nth allocation, or the nth access to user memory, of one call fail:
 * Documentation/fault-injection/fault-injection.rst of Linux, "Systematic faults using
 * fail-nth".
 */
#ifndef GUEST_FAILNTH_H
#define GUEST_FAILNTH_H

#include <stdbool.h>

/*
 * Let all kinds of allocations fail that can. 0, -ENOENT if this kernel has no
 * such thing, or -errno. For the calling thread only, like the others.
 */
int failnth_open(void);
/* The @n-th from now on fails, once; @n is at least 1. */
void failnth_arm(unsigned int n);
/* No more of that. True if one has failed since failnth_arm(). */
bool failnth_disarm(void);

#endif /* GUEST_FAILNTH_H */

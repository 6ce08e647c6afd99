/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits for conditions that no file descriptor reports.
 */
#ifndef GUEST_UNTIL_H
#define GUEST_UNTIL_H

#include <stdbool.h>
#include <stdint.h>

/* CLOCK_MONOTONIC */
int64_t now_ns(void);
/* In @seconds, or as many times that as the guest is slower than others. */
int64_t deadline_ns(unsigned int seconds);

/* Which of them applies to the form in which the suite runs? /init sets GUEST_LONG. */
unsigned int long_or_short(unsigned int when_long, unsigned int when_short);

/* Ask again and again until @is_so, at most until then; what it said last. */
bool until(bool (*is_so)(void *arg), void *arg, unsigned int seconds);

#endif /* GUEST_UNTIL_H */

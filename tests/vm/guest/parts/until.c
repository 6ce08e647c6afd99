// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Time, and waits by polling: see until.h.
 */
#include "until.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ll + ts.tv_nsec;
}

int64_t deadline_ns(unsigned int seconds)
{
	const char *slow = getenv("GUEST_SLOW");	/* set by /init */

	return now_ns() + seconds * 1000000000ll * (slow ? atoi(slow) : 1);
}

unsigned int long_or_short(unsigned int when_long, unsigned int when_short)
{
	const char *is_long = getenv("GUEST_LONG");

	return is_long && atoi(is_long) ? when_long : when_short;
}

bool until(bool (*is_so)(void *arg), void *arg, unsigned int seconds)
{
	int64_t deadline = deadline_ns(seconds);

	while (!is_so(arg)) {
		if (now_ns() > deadline)
			return false;
		sched_yield();
	}

	return true;
}

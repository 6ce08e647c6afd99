// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Synchronises calls of the debuggers with acts of the hostile target. A worker announces
 * a call in memory that it shares with the target, and the target prepares for this call.
 * Only one call is announced at a time; other workers make their calls without that.
 *
 * Each side waits for the other only for a limited time: either may be killed at any time,
 * and the target may wait in the kernel for a job of its own that a debugger has halted.
 */
#define _GNU_SOURCE
#include "hostile.h"

#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../vm/guest/parts/until.h"

#define ANSWER_NS 200000000ll
/* After this time, a claim is void: a worker that was killed has not released it. */
#define CLAIM_NS 1000000000ll

static void futex_wait(_Atomic uint32_t *at, uint32_t value, int64_t ns)
{
	const struct timespec timeout = {
		.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000,
	};

	syscall(SYS_futex, at, FUTEX_WAIT, value, ns ? &timeout : NULL, NULL, 0);
}

static void futex_wake(_Atomic uint32_t *at)
{
	syscall(SYS_futex, at, FUTEX_WAKE, 64, NULL, NULL, 0);
}

static bool claim(struct hints *h)
{
	int64_t now = now_ns(), before = atomic_load(&h->claimed);

	if (before && now - before < CLAIM_NS)
		return false;
	return atomic_compare_exchange_strong(&h->claimed, &before, now);
}

bool step_begin(struct hints *h, enum step kind, unsigned int file,
		uint64_t bytes)
{
	int64_t left, end = now_ns() + ANSWER_NS;
	uint32_t number, answered;

	/* The target has not answered the previous announcement yet. */
	if (atomic_load(&h->answered) != atomic_load(&h->asked) || !claim(h))
		return false;
	atomic_store(&h->step, kind);
	atomic_store(&h->file, file);
	atomic_store(&h->step_bytes, bytes);
	number = atomic_fetch_add(&h->asked, 1) + 1;
	futex_wake(&h->asked);
	for (;;) {
		answered = atomic_load(&h->answered);
		left = end - now_ns();
		if (answered == number || left <= 0)
			return true;
		futex_wait(&h->answered, answered, left);
	}
}

void step_end(struct hints *h)
{
	atomic_store(&h->over, atomic_load(&h->asked));
	atomic_store(&h->claimed, 0);
}

uint32_t step_wait(struct hints *h, uint32_t last)
{
	uint32_t number;

	while ((number = atomic_load(&h->asked)) == last)
		futex_wait(&h->asked, last, 0);
	return number;
}

void step_answer(struct hints *h, uint32_t number)
{
	atomic_store(&h->answered, number);
	futex_wake(&h->answered);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A thread that disturbs the workers of its process during their calls: it unmaps,
 * protects and changes their memory, and sends them signals.
 */
#define _GNU_SOURCE
#include "fuzz.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TURN_MS 3
#define READ_MS 1000

static void change(struct process *p, struct rng *r, struct arena *a)
{
	/*
	 * In a process of another role, a changed call could harm a program that guard()
	 * has protected from it.
	 */
	if (p->role != ROLE_WILD)
		return;
	atomic_fetch_add(&a->flips, 1);
	a->ours[rng_below(r, MAX_STRUCT)] ^= 1 << rng_below(r, 8);
	a->ours[ARENA_DATA + rng_below(r, PAGE)] ^= 1 << rng_below(r, 8);
	atomic_fetch_add(&a->flips, 1);
}

static void take_away(struct rng *r, struct arena *a)
{
	static const int prot[] = { PROT_NONE, PROT_READ };
	size_t page = rng_once_in(r, 2) ? 0 :
		      ARENA_DATA + PAGE * rng_below(r, ARENA_DATA_SIZE / PAGE);
	unsigned char *at = a->theirs + page;

	/* Another mapping in its place, so that no one else gets the address. */
	if (rng_once_in(r, 2))
		mprotect(at, PAGE, prot[rng_below(r, 2)]);
	else
		mmap(at, PAGE, PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

/* A read() that waits for an event that may never come has to end some time. */
static void end_long_read(struct worker *w)
{
	uint64_t since = atomic_load(&w->slot->since);

	if (since && w->slot->call == CALL_READ &&
	    now_ns() > (int64_t)since + READ_MS * 1000000ll)
		syscall(SYS_tgkill, getpid(), w->tid, SIGUSR1);
}

static bool all_ended(struct process *p)
{
	unsigned int i;

	for (i = 0; i < NUM_WORKERS; i++)
		if (!p->workers[i].ended)
			return false;
	return true;
}

void *nuisance_main(void *arg)
{
	struct process *p = arg;
	struct rng r = { rng_next(&p->rng) };
	struct worker *w;

	while (!all_ended(p)) {
		w = &p->workers[rng_below(&r, NUM_WORKERS)];
		switch (rng_below(&r, 32)) {
		case 0 ... 1:
			take_away(&r, &w->arena);
			break;
		case 2 ... 7:
			change(p, &r, &w->arena);
			break;
		case 8:
			if (w->tid)
				syscall(SYS_tgkill, getpid(), w->tid,
					rng_once_in(&r, 2) ? SIGUSR1 : SIGUSR2);
			break;
		}
		poll(NULL, 0, rng_below(&r, TURN_MS));
		arena_restore(&w->arena);
		end_long_read(w);
	}
	return NULL;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The thief reserves and releases VMIDs at random, while the victims have one job after the
 * other: see theft.h.
 */
#include "theft.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "busy.h"
#include "until.h"

#define SEED 1
/* Looking at all of them takes longer than a round. */
#define LOOK_EVERY 20

unsigned int num_rounds = 40;

static uint32_t random_below(uint64_t *seed, uint32_t n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (*seed >> 33) % n;
}

/* How the VMID goes away again */
static void hand_away(const struct kind *kind, uint64_t *seed)
{
	switch (random_below(seed, 8)) {
	case 0:
		release(kind);
		break;
	case 1:
		thief_begins();
		break;
	case 2:
		/* Then it is not for the session to give it back. */
		actor_call(&target, ACTOR_RESERVE, 0);
		break;
	case 3:
		if (kind->result != NOT_TRIED)
			assert_int_equal(actor_call(&target, ACTOR_RUN, 1),
					 kind->result);
		break;
	}
	actor_call(&target, ACTOR_UNRESERVE, 0);
}

/* In which VMID was it? 0: all were busy just then. */
static uint32_t one_round(uint64_t *seed)
{
	const struct kind *kind = &kinds[random_below(seed, num_kinds)];
	uint32_t vmid, before = busy_of(thief_session()).cause, cause;
	int ret = grab(kind, &vmid);

	if (ret && ret != -EBUSY)
		fail_msg("%s: %d", kind->name, ret);
	/* Calls that have waited for others' jobs, and then succeeded, say nothing. */
	cause = busy_of(thief_session()).cause;
	if (ret ? !cause : cause != before)
		fail_msg("%s: %d, and the cause is %u after %u", kind->name, ret,
			 cause, before);
	if (!ret)
		hand_away(kind, seed);
	/* What is still set, if anything is, is what the next round finds. */
	if (ret || random_below(seed, 8) == 0)
		thief_begins();
	return ret ? 0 : vmid;
}

void many_rounds(void **state)
{
	unsigned int times[NUM_VMIDS + 1] = { 0 }, jobs;
	uint64_t seed = SEED, visits = 0;

	(void)state;
	begin_loops(0);
	for (unsigned int i = 0; i < num_rounds; i++) {
		times[one_round(&seed) % ARRAY_SIZE(times)]++;
		if (i % LOOK_EVERY)
			continue;
		assert_unharmed(0);
		/* A guest that says nothing for five minutes is taken for hung. */
		print_message("# round %u\n", i);
		fflush(stdout);
	}
	thief_ends();
	jobs = end_loops(0);
	assert_unharmed(0);

	for (uint32_t vmid = 1; vmid <= NUM_VMIDS; vmid++)
		if (times[vmid])
			visits += all_waves_in(vmid);
	print_message("# %u rounds, %u of them refused; %u jobs; %llu waves in VMIDs that were the thief's\n",
		      num_rounds, times[0], jobs, (unsigned long long)visits);
	assert_true(times[0] < num_rounds);
	assert_true(visits > 0);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Victims and target, and checks that they are not affected: see theft.h.
 */
#include "theft.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "self.h"
#include "until.h"

struct actor victims[NUM_VICTIMS];
struct actor target = { .uid = USER, .gift = -1 };

/* The processes that run one job after the other: one bit each */
static uint32_t loops;

int set_up(void **state)
{
	int gift = gift_make(), ret = gift < 0 ? gift : 0;

	(void)state;
	for (int i = 0; i < NUM_VICTIMS && !ret; i++) {
		victims[i].uid = i % 2 ? OTHER : ROOT;
		victims[i].urgent = i == 0;
		victims[i].gift = gift;
		ret = actor_start(&victims[i]);
	}
	if (!ret)
		ret = actor_start(&target);
	if (!ret)
		ret = thief_set_up();
	if (ret)
		fprintf(stderr, "the actors do not start: %d\n", ret);
	return ret;
}

int take_down(void **state)
{
	int ret;

	(void)state;
	be(ROOT, true);
	ret = actor_exit(&target);
	for (int i = 0; i < NUM_VICTIMS; i++)
		ret = actor_exit(&victims[i]) ?: ret;
	return ret;
}

void forget_the_past(void)
{
	for (int i = 0; i < NUM_VICTIMS; i++)
		truth_history_of(victims[i].pasid, victims[i].begun);
}

int each_test_begins(void **state)
{
	(void)state;
	forget_the_past();
	thief_begins();
	return until(can_begin, NULL, 60) ? 0 : -1;
}

uint32_t busy_vmids(void)
{
	uint32_t vmids = 0;

	for (uint32_t vmid = 1; vmid <= NUM_VMIDS; vmid++)
		if (truth_of(vmid).count)
			vmids |= 1u << vmid;
	return vmids;
}

static int end_loop(unsigned int i)
{
	int jobs;

	loops &= ~(1u << i);
	actor_send(&victims[i], ACTOR_NOTHING, 0);
	jobs = actor_answer(&victims[i]);
	actor_answer(&victims[i]);
	return jobs;
}

/* What was done to a wave may keep it from ever ending. */
static void kill_waves(void)
{
	uint32_t vmids = busy_vmids();
	int session = self_session(NULL, false);

	for (uint32_t vmid = 1; vmid <= NUM_VMIDS; vmid++) {
		struct amdgpudbg_wave_control wc = {
			.size = sizeof(wc), .op = AMDGPUDBG_WAVEOP_KILL,
			.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
			.vmid = vmid,
		};

		if (vmids & 1u << vmid)
			self_call(session, AMDGPUDBG_IOC_WAVE_CONTROL, &wc);
	}
	close(session);
}

/* Is the actor idle in the end? How its job has ended, does not matter here. */
static bool comes_to_rest(struct actor *a)
{
	if (actor_call(a, ACTOR_END, 0) != -ETIME)
		return true;
	kill_waves();
	return actor_call(a, ACTOR_END, 0) != -ETIME;
}

/* Also after a failure, all must be idle when the next one begins. */
int each_test_ends(void **state)
{
	bool rest;

	(void)state;
	be(ROOT, true);
	thief_ends();
	reader_ends();
	close_others();
	rest = comes_to_rest(&target);
	for (int i = 0; i < NUM_VICTIMS; i++) {
		if (loops & 1u << i)
			end_loop(i);
		rest &= comes_to_rest(&victims[i]);
	}
	actor_call(&target, ACTOR_UNRESERVE, 0);
	actor_call(&victims[LATE], ACTOR_UNRESERVE, 0);
	return rest ? 0 : -1;
}

void occupy(unsigned int n)
{
	uint32_t before = busy_vmids();

	/* The first has more groups than there is room for: some come later. */
	for (unsigned int i = 0; i < n; i++)
		assert_int_equal(actor_call(&victims[i], ACTOR_SPIN,
					    i ? 1 : ACTOR_MAX_GROUPS), 0);
	assert_int_equal(__builtin_popcount(busy_vmids() & ~before), n);
}

void vacate(unsigned int n)
{
	int ret;

	for (unsigned int i = 0; i < n; i++) {
		ret = actor_call(&victims[i], ACTOR_END, 0);
		if (ret)
			fail_msg("victim %u ends with %d", i, ret);
	}
}

void make_the_next_one_busy(void)
{
	occupy(NUM_VMIDS - 1);
	/* The one that is left was used last, now. */
	assert_int_equal(actor_call(&victims[LATE], ACTOR_RUN, 1), 0);
}

void begin_loops(unsigned int first)
{
	for (unsigned int i = first; i < NUM_VICTIMS; i++) {
		actor_send(&victims[i], ACTOR_LOOP, 0);
		loops |= 1u << i;
	}
}

unsigned int end_loops(unsigned int first)
{
	unsigned int all = 0;
	int jobs;

	for (unsigned int i = first; i < NUM_VICTIMS; i++) {
		jobs = end_loop(i);
		if (jobs < 0)
			fail_msg("a job of victim %u ends with %d", i, jobs);
		all += jobs;
	}
	return all;
}

uint64_t waves_in(const struct actor *victim, uint32_t vmid)
{
	struct truth_history h[MAX_VMIDS];

	actor_history(victim, h);
	return h[vmid % MAX_VMIDS].waves;
}

uint64_t all_waves_in(uint32_t vmid)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < NUM_VICTIMS; i++)
		n += waves_in(&victims[i], vmid);
	return n;
}

static void assert_none(unsigned int victim, uint32_t vmid, uint64_t num,
			const char *what)
{
	if (num)
		fail_msg("victim %u, VMID %u: %llu %s", victim, vmid,
			 (unsigned long long)num, what);
}

static void assert_one_unharmed(unsigned int i, uint32_t vmid)
{
	struct truth_history h[MAX_VMIDS];

	actor_history(&victims[i], h);
	for (uint32_t v = 0; v < MAX_VMIDS; v++) {
		assert_none(i, v, h[v].traps, "entries into a handler");
		assert_none(i, v, h[v].trap_en, "waves with a handler");
		assert_none(i, v, h[v].halted, "waves that start halted");
		assert_none(i, v, h[v].debug, "waves in debug mode");
		assert_none(i, v, h[v].watch_hits, "watch hits");
		if (v == vmid)
			assert_none(i, v, h[v].excp, "waves with exceptions");
	}
}

void assert_unharmed(uint32_t vmid)
{
	for (unsigned int i = 0; i < NUM_VICTIMS; i++)
		assert_one_unharmed(i, vmid);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The target loses its VMID while something is set for it: the settings are removed before a
 * wave of another process starts there. See theft.h.
 */
#include "theft.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include <cmocka.h>

#include "self.h"
#include "until.h"

#define OFTEN 5
/* So many victims spin that there is one VMID for the two others. */
#define SPINNING (NUM_VMIDS - 2)

/* The next process has run there, as if nothing had been. */
static void assert_next_is_unharmed(const struct kind *kind, uint32_t vmid)
{
	struct actor *next = &victims[LATE];
	uint64_t before = waves_in(next, vmid);
	int ret = actor_call(next, ACTOR_RUN, OFTEN);

	assert_unharmed(vmid);
	if (ret)
		fail_msg("%s, then another process in VMID %u: %d", kind->name,
			 vmid, ret);
	if (waves_in(next, vmid) == before)
		fail_msg("no wave has come to VMID %u, so this tests nothing",
			 vmid);
	assert_gone(kind);
}

/* For those who trace it, see grants.awk. */
static void mark_that_it_goes(uint32_t vmid)
{
	char text[80];

	snprintf(text, sizeof(text), "VMID of PASID goes: %u %u\n", vmid,
		 target.pasid);
	assert_int_equal(write_file("/sys/kernel/tracing/trace_marker", text),
			 0);
}

/* All other VMIDs are busy, so that the next process gets it. */
static void give_it_back(const struct kind *kind, bool read)
{
	uint32_t vmid;

	for (int i = 0; i < OFTEN; i++) {
		forget_the_past();
		assert_int_equal(grab(kind, &vmid), 0);
		give(kind);
		occupy(NUM_VMIDS - 1);
		if (read)
			reader_begins();
		mark_that_it_goes(vmid);
		assert_int_equal(actor_call(&target, ACTOR_UNRESERVE, 0), 0);
		assert_next_is_unharmed(kind, vmid);
		reader_ends();
		vacate(NUM_VMIDS - 1);
		assert_unharmed(vmid);
		take_gifts_back(kind);
	}
}

void the_target_gives_it_back(void **state)
{
	give_it_back(*state, false);
}

/* How long that keeps the next process waiting is for those who trace it. */
void registers_are_read_in_between(void **state)
{
	give_it_back(*state, true);
}

/* It does not come to others before its waves have ended. */
void with_waves_in_it(void **state)
{
	const struct kind *kind = *state;
	uint32_t vmid;

	/* Those of the other kinds would not begin, or not end. */
	if (kind->result == NOT_TRIED)
		skip();
	assert_int_equal(grab(kind, &vmid), 0);
	give(kind);
	assert_int_equal(actor_call(&target, ACTOR_SPIN, 1), 0);
	occupy(NUM_VMIDS - 1);
	/* Linux 6.1 waits for two seconds first. */
	assert_int_equal(actor_call(&target, ACTOR_UNRESERVE, 0), 0);
	assert_int_equal(all_waves_in(vmid), 0);
	assert_int_equal(actor_call(&target, ACTOR_END, 0), kind->result);
	assert_next_is_unharmed(kind, vmid);
	vacate(NUM_VMIDS - 1);
	assert_unharmed(vmid);
	take_gifts_back(kind);
}

static bool was_visited(void *arg)
{
	return all_waves_in(*(uint32_t *)arg) > 0;
}

/*
 * With Linux 6.1 and 6.12, a job that finds no VMID waits for any, with 7.2 for the
 * one that was given away first, and that may be one which spins.
 */
static bool waits_for_any(void)
{
	struct utsname name;

	return !uname(&name) && atoi(name.release) < 7;
}

/*
 * There is always a process that waits for a VMID, so that a released one is granted
 * again at once.
 */
void others_wait_for_it(void **state)
{
	const unsigned int spinning = waits_for_any() ? SPINNING : 0;
	const struct kind *kind = *state;
	uint32_t vmid;
	bool visited;

	for (int i = 0; i < OFTEN; i++) {
		forget_the_past();
		assert_int_equal(grab(kind, &vmid), 0);
		give(kind);
		occupy(spinning);
		begin_loops(spinning);
		assert_int_equal(actor_call(&target, ACTOR_UNRESERVE, 0), 0);
		visited = until(was_visited, &vmid, 60);
		assert_unharmed(vmid);
		end_loops(spinning);
		vacate(spinning);
		assert_unharmed(vmid);
		if (!visited)
			fail_msg("%s: VMID %u is granted to no process", kind->name,
				 vmid);
		assert_gone(kind);
		take_gifts_back(kind);
	}
}

/* Linux 6.12 gives the one that is reserved to all who have reserved one. */
void another_process_shares_it(void **state)
{
	const struct kind *kind = *state;
	struct actor *next = &victims[LATE];
	uint32_t vmid;
	int ret;

	assert_int_equal(grab(kind, &vmid), 0);
	if (actor_call(next, ACTOR_RESERVE, 0)) {
		/* There can be only one. */
		release(kind);
		skip();
	}
	give(kind);
	ret = actor_call(next, ACTOR_RUN, OFTEN);
	assert_unharmed(vmid);
	if (ret)
		fail_msg("%s, and VMID %u is shared: %d", kind->name, vmid,
			 ret);
	assert_int_not_equal(waves_in(next, vmid), 0);
	assert_gone(kind);
	assert_int_equal(actor_call(next, ACTOR_UNRESERVE, 0), 0);
	take_gifts_back(kind);
}

/* A process that waits for a VMID gets it only after its registers are restored. */
static void assert_ends_well(const struct kind *kind, bool by_itself)
{
	uint32_t vmid;

	assert_int_equal(grab(kind, &vmid), 0);
	give(kind);
	if (by_itself)
		assert_int_equal(actor_exit(&target), 0);
	else
		actor_kill(&target);
	for (unsigned int i = 0; i < NUM_VICTIMS; i++)
		assert_int_equal(actor_call(&victims[i], ACTOR_SUBMIT, 1), 0);
	assert_int_equal(actor_start(&target), 0);
	vacate(NUM_VICTIMS);
	assert_unharmed(vmid);
	assert_registers_are_as_before();
	/* And it belongs to no process. */
	thief_begins();
	assert_true(until(can_begin, NULL, 60));
	occupy(NUM_VMIDS);
	assert_int_not_equal(all_waves_in(vmid), 0);
	vacate(NUM_VMIDS);
	assert_unharmed(vmid);
	take_gifts_back(kind);
}

void the_target_is_killed(void **state)
{
	assert_ends_well(*state, false);
}

void the_target_exits(void **state)
{
	assert_ends_well(*state, true);
}

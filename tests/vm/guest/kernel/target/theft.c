// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * AMDGPU_VM_OP_RESERVE_VMID can return a VMID in which waves of another process still run. A
 * user who debugs a process of the same user must not get access to these waves, and settings
 * for that process must not affect any other process: see theft.h.
 *
 * theft [-t PATTERN] [-r ROUNDS]: the tests whose names match PATTERN, or all; ROUNDS is the
 * number of rounds of the last one.
 */
#define _GNU_SOURCE
#include "theft.h"

#include <errno.h>
#include <getopt.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "busy.h"
#include "until.h"

/* A call may look three times for 100 ms each, and amdgpu may take its time. */
#define REFUSED_S 30
#define REFUSALS 3
#define MAX_TESTS 256

/* One endless job with the wrong VMID must not block all other programs. */
static void the_next_vmid_belongs_to_another_process(void **state)
{
	const struct kind *kind = *state;
	uint32_t busy, vmid;
	int ret;

	make_the_next_one_busy();
	busy = busy_vmids();
	ret = grab(kind, &vmid);
	if (ret)
		fail_msg("%s, with an idle VMID: %d", kind->name, ret);
	if (busy & 1u << vmid)
		fail_msg("%s, for VMID %u, where others have waves", kind->name,
			 vmid);
	give(kind);
	vacate(NUM_VMIDS - 1);
	assert_unharmed(vmid);

	/* What is set, is set for the target. */
	if (kind->result != NOT_TRIED)
		assert_int_equal(actor_call(&target, ACTOR_RUN, 1),
				 kind->result);
	release(kind);
	take_gifts_back(kind);
	assert_registers_are_as_before();
	assert_int_equal(actor_call(&target, ACTOR_RUN, 1), 0);
	assert_unharmed(vmid);
}

/* For the jobs of one of those who have all VMIDs */
static void assert_says_who(void)
{
	struct amdgpudbg_busy busy = assert_busy_jobs(thief_session());

	for (unsigned int i = 0; i < NUM_VICTIMS; i++)
		if (busy.pasid == victims[i].pasid &&
		    waves_in(&victims[i], busy.vmid))
			return;
	fail_msg("no victim of PASID %u has waves in VMID %u", busy.pasid,
		 busy.vmid);
}

static void refuse(const struct kind *kind)
{
	int64_t deadline = deadline_ns(REFUSED_S);
	uint32_t vmid;
	int ret = grab(kind, &vmid);

	if (ret != -EBUSY)
		fail_msg("%s, for VMID %u, while others have all: %d, not -EBUSY",
			 kind->name, vmid, ret);
	if (now_ns() > deadline)
		fail_msg("%s: it took too long to say so", kind->name);
	assert_says_who();
	assert_registers_are_as_before();
}

static void all_vmids_are_others(void **state)
{
	(void)state;
	occupy(NUM_VMIDS);
	for (unsigned int i = 0; i < num_kinds; i++)
		refuse(&kinds[i]);
	/* However often, nothing is left behind. */
	for (int i = 0; i < REFUSALS; i++)
		refuse(&kinds[0]);

	/* The target waits as anybody would, and then runs. */
	assert_int_equal(actor_call(&target, ACTOR_SUBMIT, 1), 0);
	vacate(NUM_VMIDS);
	assert_int_equal(actor_call(&target, ACTOR_END, 0), 0);
	assert_unharmed(0);
	/* Nothing is reserved: all but Linux 6.12 give one at a time. */
	assert_int_equal(actor_call(&victims[LATE], ACTOR_RESERVE, 0), 0);
	assert_int_equal(actor_call(&victims[LATE], ACTOR_RUN, 1), 0);
	assert_int_equal(actor_call(&victims[LATE], ACTOR_UNRESERVE, 0), 0);
}

/* Whose VMID it was last is no reason to refuse it, and he is not seen after. */
static void its_last_owner_wakes_up(void **state)
{
	struct actor *owner = &victims[LATE];
	const struct kind *kind = *state;
	uint64_t before;
	uint32_t vmid;

	occupy(NUM_VMIDS - 1);
	assert_int_equal(actor_call(owner, ACTOR_RUN, 1), 0);
	assert_int_equal(grab(kind, &vmid), 0);
	give(kind);
	before = waves_in(owner, vmid);
	if (!before)
		fail_msg("VMID %u belonged to no process, so this tests nothing",
			 vmid);

	/* It has none, until another ends. */
	assert_int_equal(actor_call(owner, ACTOR_SUBMIT, 1), 0);
	vacate(NUM_VMIDS - 1);
	assert_int_equal(actor_call(owner, ACTOR_END, 0), 0);
	assert_int_equal(actor_call(owner, ACTOR_RUN, 3), 0);
	assert_int_equal(waves_in(owner, vmid), before);
	assert_unharmed(vmid);
	release(kind);
	take_gifts_back(kind);
}

/* Of so many kinds one, and each test begins with another. */
static unsigned int one_kind_of = 1;

/* A test for each kind, with its name. */
static void add(struct CMUnitTest *tests, size_t *n, const char *name,
		void (*test)(void **state), bool each_kind)
{
	static unsigned int first;

	for (unsigned int i = each_kind ? first++ % one_kind_of : 0;
	     i < (each_kind ? num_kinds : 1); i += one_kind_of) {
		struct CMUnitTest *t = &tests[(*n)++];
		char *text;

		if (*n > MAX_TESTS || asprintf(&text, "%s%s%s", name, each_kind ? ": " : "",
					       each_kind ? kinds[i].name : "") < 0)
			abort();
		*t = (struct CMUnitTest){
			.name = text, .test_func = test,
			.setup_func = each_test_begins,
			.teardown_func = each_test_ends,
			.initial_state = (void *)&kinds[i],
		};
	}
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[MAX_TESTS] = { { .name = NULL } };
	size_t n = 0;
	int opt;

	while ((opt = getopt(argc, argv, "k:r:t:")) != -1) {
		if (opt == 'r') {
			num_rounds = strtoul(optarg, NULL, 0);
		} else if (opt == 'k' && strtoul(optarg, NULL, 0)) {
			one_kind_of = strtoul(optarg, NULL, 0);
		} else if (opt == 't') {
			cmocka_set_test_filter(optarg);
		} else {
			fprintf(stderr,
				"usage: theft [-t PATTERN] [-k ONE_KIND_OF] [-r ROUNDS]\n");
			return 2;
		}
	}
#define ADD(test, each_kind) add(tests, &n, #test, test, each_kind)
	ADD(the_next_vmid_belongs_to_another_process, true);
	ADD(all_vmids_are_others, false);
	ADD(its_last_owner_wakes_up, true);
	ADD(the_target_gives_it_back, true);
	ADD(with_waves_in_it, true);
	ADD(others_wait_for_it, true);
	ADD(another_process_shares_it, true);
	ADD(the_target_is_killed, true);
	ADD(the_target_exits, true);
	ADD(sessions_get_an_event, true);
	ADD(sessions_get_an_event_when_another_process_has_the_vmid, true);
	ADD(a_vmid_that_another_shares_is_lost_for_that_reason, true);
	ADD(what_is_taken_back_is_not_lost, true);
	ADD(registers_are_read_in_between, true);
	ADD(a_handler_lies_in_ones_own_buffer, false);
	ADD(many_rounds, false);
#undef ADD
	return cmocka_run_group_tests(tests, set_up, take_down);
}

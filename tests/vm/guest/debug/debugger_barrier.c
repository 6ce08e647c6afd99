// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Work-groups whose waves are stopped before a barrier, and arrive there one by one. The kernel
 * is "exchange" of breaks.s, whose results are wrong if a barrier does not work.
 */
#include "debugger.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "until.h"

#define NUM_GROUPS	(NUM_WAVES / GROUP_WAVES)
#define LATE		192		/* in the second group */

/* STATUS.IN_BARRIER: SQ_WAVE_STATUS of gc_10_3_0_sh_mask.h, Linux 6.1 */
#define IN_BARRIER	0x00001000

static unsigned int count_waiting(void)
{
	struct amdgpudbg_wave waves[NUM_WAVES];
	struct amdgpudbg_wave_list list = {
		.capacity = NUM_WAVES, .waves = (uintptr_t)waves,
	};
	unsigned int num = 0;

	assert_int_equal(adbg_wave_read(adbgd_process_get_session(process), &list), 0);
	for (uint32_t i = 0; i < list.count; i++)
		num += !!(waves[i].hw[AMDGPUDBG_GFX10_3_STATUS] & IN_BARRIER);
	return num;
}

static bool so_many_wait(void *arg)
{
	return count_waiting() == *(unsigned int *)arg;
}

static void wait_waiting(unsigned int num)
{
	if (!until(so_many_wait, &num, DEADLINE_MS / 1000))
		fail_msg("%u waves wait, not %u", count_waiting(), num);
}

static unsigned int group_of(const struct adbgd_stop *stop)
{
	return read_sgpr(&stop->at, 12) / (32 * GROUP_WAVES);
}

static void continue_wave(const struct adbgd_stop *stop)
{
	MUST(adbgd_wave_continue(process, &stop->at, &error));
}

/* It waits now, though it is halted, or is already behind it. */
static void step_over(const struct adbgd_stop *stop)
{
	struct adbgd_stop now;

	MUST(adbgd_wave_step(process, &stop->at, &now, &error));
	assert_string_equal(adbgd_stop_reason_name(now.reason), "step");
	assert_true(now.pc == address_of("exchange_after"));
}

/*
 * All stand at a breakpoint. One after the other comes to the barrier by @go, and waits,
 * until the last one of its group does.
 */
static void one_by_one(const struct adbgd_stop stops[NUM_WAVES], unsigned int from,
		       void (*go)(const struct adbgd_stop *stop))
{
	unsigned int gone[NUM_GROUPS] = { 0 };

	for (unsigned int i = 0; i < NUM_WAVES; i++) {
		const struct adbgd_stop *stop = &stops[(from + 3 * i) % NUM_WAVES];
		unsigned int waiting = 0;

		gone[group_of(stop)]++;
		go(stop);
		for (unsigned int k = 0; k < NUM_GROUPS; k++)
			waiting += gone[k] % GROUP_WAVES;
		wait_waiting(waiting);
	}
}

static void the_group_stays_together(const char *name,
				     void (*go)(const struct adbgd_stop *stop))
{
	struct adbgd_stop stops[NUM_WAVES];
	struct adbgd_breakpoint *b;

	MUST(adbgd_breakpoint_set(process, address_of(name), 0, &b, &error));
	start_exchange(NONE_LATE);
	for (unsigned int round = 1; round <= ROUNDS; round++) {
		all_stop_at(b, stops);
		for (unsigned int i = 0; i < NUM_WAVES; i++)
			assert_int_equal(read_sgpr(&stops[i].at, 13), round);
		one_by_one(stops, round, go);
		MUST(adbgd_process_continue(process, &error));
	}
	finish_exchange();
	assert_no_stop();
}

static void a_stop_before_a_barrier_keeps_the_group(void **state)
{
	(void)state;
	the_group_stays_together("exchange_before", continue_wave);
}

static void a_stop_at_a_barrier_keeps_the_group(void **state)
{
	(void)state;
	the_group_stays_together("exchange_barrier", continue_wave);
}

static void a_step_over_a_barrier_keeps_the_group(void **state)
{
	(void)state;
	the_group_stays_together("exchange_barrier", step_over);
}

/* The same without a breakpoint in its place: two steps, over s_waitcnt and the barrier */
static void step_twice(const struct adbgd_stop *stop)
{
	struct adbgd_stop now;

	MUST(adbgd_wave_step(process, &stop->at, &now, &error));
	assert_true(now.pc == address_of("exchange_barrier"));
	step_over(&now);
}

static void steps_to_a_barrier_keep_the_group(void **state)
{
	(void)state;
	the_group_stays_together("exchange_before", step_twice);
}

/* What none of them does alone */
static void all_waves_pass_a_barrier_at_once(void **state)
{
	struct adbgd_stop stops[NUM_WAVES], now[NUM_WAVES];
	struct adbgd_breakpoint *b;
	size_t num = 0;

	(void)state;
	MUST(adbgd_breakpoint_set(process, address_of("exchange_before"), 0, &b, &error));
	start_exchange(NONE_LATE);
	all_stop_at(b, stops);
	MUST(adbgd_breakpoint_clear(b, &error));
	for (unsigned int round = 1; round <= ROUNDS; round++) {
		MUST(adbgd_process_until(process, address_of("exchange_after"), DEADLINE_MS, now,
					 NUM_WAVES, &num, &error));
		assert_int_equal(num, NUM_WAVES);
		for (unsigned int i = 0; i < NUM_WAVES; i++) {
			assert_string_equal(adbgd_stop_reason_name(now[i].reason), "step");
			assert_int_equal(read_sgpr(&now[i].at, 13), round);
		}
	}
	MUST(adbgd_process_continue(process, &error));
	finish_exchange();
	assert_no_stop();
}

/* A wave that waits does not enter its handler: one that does not wait reads the LDS. */
static void lds_is_read_while_waves_wait(void **state)
{
	uint32_t now[32 * GROUP_WAVES], before[32 * GROUP_WAVES], vgpr[32];
	struct adbgd_stop stops[NUM_WAVES];
	struct adbgd_breakpoint *b;
	unsigned int waiting = 0;
	size_t last = NUM_WAVES;

	(void)state;
	MUST(adbgd_breakpoint_set(process, address_of("exchange_before"), 0, &b, &error));
	start_exchange(NONE_LATE);
	all_stop_at(b, stops);
	MUST(adbgd_breakpoint_clear(b, &error));
	MUST(adbgd_lds_read(process, &stops[0].at, 0, before, sizeof(before), &error));
	for (size_t i = 0; i < NUM_WAVES; i++) {
		if (group_of(&stops[i]) != group_of(&stops[0]))
			continue;
		if (waiting == GROUP_WAVES - 1) {
			last = i;
			break;
		}
		step_twice(&stops[i]);
		wait_waiting(++waiting);
		MUST(adbgd_lds_read(process, &stops[0].at, 0, now, sizeof(now), &error));
		assert_memory_equal(now, before, sizeof(now));
	}
	assert_true(last < NUM_WAVES);
	now[5] = before[5] ^ 0x100;
	MUST(adbgd_lds_write(process, &stops[0].at, 20, &now[5], 4, &error));
	MUST(adbgd_lds_read(process, &stops[last].at, 20, now, 4, &error));
	assert_int_equal(now[0], before[5] ^ 0x100);
	MUST(adbgd_lds_write(process, &stops[0].at, 20, &before[5], 4, &error));
	assert_int_equal(adbgd_vgprs_read(process, &stops[0].at, 1, vgpr, &error), -EBUSY);
	assert_non_null(strstr(error.text, "waits at a barrier, where it does not enter"));
	MUST(adbgd_process_continue(process, &error));
	finish_exchange();
	assert_no_stop();
}

/* ------------------------------------------------------------------- for suites */

/* A program that hangs until it is sent a line */
int be_hanging(void)
{
	if (open_exchange(NULL))
		return 1;
	start_exchange(LATE);
	puts("running");
	fflush(stdout);
	while (getchar() != '\n' && !feof(stdin))
		;
	come();
	wait_job();
	puts(is_exchanged() ? "exchange: right" : "exchange: wrong");
	fflush(stdout);
	return close_prog(NULL);
}

int debugger_barrier(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_stop_before_a_barrier_keeps_the_group),
		TEST(a_stop_at_a_barrier_keeps_the_group),
		TEST(a_step_over_a_barrier_keeps_the_group),
		TEST(steps_to_a_barrier_keep_the_group),
		TEST(all_waves_pass_a_barrier_at_once),
		TEST(lds_is_read_while_waves_wait),
	};

	return cmocka_run_group_tests(tests, open_exchange, close_prog);
}

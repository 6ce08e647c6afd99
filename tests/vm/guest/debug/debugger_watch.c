// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Watchpoints: the waves that stop, the watchpoint for which they stop, and where. Each wave of
 * "breaks" reads, and later writes, 128 bytes that no other wave accesses, which is the smallest
 * range that can be watched. All waves do one atomic operation, on ctl[1].
 */
#include "debugger.h"

#include <errno.h>
#include <unistd.h>

#include "until.h"

#define GRANULE		128	/* 32 work-items of 4 bytes */
#define NUM_WATCHES	4	/* TCP_WATCH0 to 3: gc_10_3_0_offset.h, Linux 6.1 */

/* The part of a buffer that is the wave's with this number */
static uint64_t part_of(unsigned int buffer, unsigned int number)
{
	return prog.buf[buffer].va + (uint64_t)GRANULE * number;
}

static struct adbgd_watchpoint *watch(uint64_t address, uint32_t mode)
{
	struct adbgd_watchpoint *w;

	MUST(adbgd_watchpoint_set(process, address, GRANULE, mode, &w, &error));
	return w;
}

static void is_wave(const struct amdgpudbg_wave_coord *at, unsigned int number)
{
	uint32_t v1[32];

	read_lanes(at, 1, v1);
	assert_int_equal(v1[0], GRANULE * number);
}

/* The next stop is one of that wave, for that watchpoint, behind what @name is */
static struct adbgd_stop stops_for(const struct adbgd_watchpoint *w, unsigned int number,
				   const char *behind)
{
	struct adbgd_stop stop = next_stop();

	assert_string_equal(adbgd_stop_reason_name(stop.reason), "watch");
	assert_int_equal(stop.watchpoint, adbgd_watchpoint_get_info(w)->number);
	assert_int_equal(stop.breakpoint, 0);
	assert_true(stop.cause & AMDGPUDBG_CAUSE_WATCH && stop.watch_mask);
	is_wave(&stop.at, number);
	/* Loads and stores have two dwords. */
	if (behind) {
		assert_true(stop.pc == address_of(behind));
		assert_true(stop.insn == stop.pc - 8);
	}
	return stop;
}

static void continue_wave(const struct adbgd_stop *stop)
{
	MUST(adbgd_wave_continue(process, &stop->at, &error));
}

static void hits_are(const struct adbgd_watchpoint *w, unsigned int hits)
{
	assert_int_equal(adbgd_watchpoint_get_info(w)->hits, hits);
}

/* Only these waves stop, and the results are correct. */
static void job_ends(void)
{
	finish_job();
	assert_no_stop();
	assert_int_equal(count_halted(), 0);
}

/* ---------------------------------------------------------------- what they see */

static void the_wave_that_writes_the_memory_stops(void **state)
{
	struct adbgd_watchpoint *w = watch(part_of(PROG_OUT, 5), AMDGPUDBG_WATCH_NONREAD);
	const struct adbgd_watchpoint_info *info = adbgd_watchpoint_get_info(w);
	const uint32_t *out = prog.buf[PROG_OUT].cpu;
	struct adbgd_stop stop;

	(void)state;
	assert_true(info->address == part_of(PROG_OUT, 5) && info->size == GRANULE);
	assert_int_equal(info->mode, AMDGPUDBG_WATCH_NONREAD);
	assert_int_equal(info->number, 1);
	assert_ptr_equal(adbgd_process_get_watchpoint(process, 0), w);
	assert_null(adbgd_process_get_watchpoint(process, 1));
	start_job();
	release_waves();
	stop = stops_for(w, 5, "breaks_end");
	/* It has been done. */
	assert_int_equal(out[5 * 32], after_rounds(input(5 * 32), ROUNDS));
	continue_wave(&stop);
	job_ends();
	hits_are(w, 1);
}

static void the_wave_that_reads_the_memory_stops(void **state)
{
	struct adbgd_watchpoint *w = watch(part_of(PROG_IN, 3), AMDGPUDBG_WATCH_READ);
	struct adbgd_stop stop;

	(void)state;
	start_job();
	release_waves();
	stop = stops_for(w, 3, "breaks_wait_read");
	continue_wave(&stop);
	job_ends();
	hits_are(w, 1);
}

static void waves_with_atomics_on_the_memory_stop(void **state)
{
	struct adbgd_watchpoint *w = watch(prog.buf[PROG_CTL].va, AMDGPUDBG_WATCH_ATOMIC);
	uint32_t seen = 0, v1[32];

	(void)state;
	start_job();
	for (unsigned int i = 0; i < NUM_WAVES; i++) {
		struct adbgd_stop stop = next_stop();

		assert_string_equal(adbgd_stop_reason_name(stop.reason), "watch");
		assert_int_equal(stop.watchpoint, 1);
		assert_true(stop.pc == address_of("breaks_wait"));
		read_lanes(&stop.at, 1, v1);
		seen |= 1u << v1[0] / GRANULE;
		continue_wave(&stop);
	}
	assert_int_equal(seen, (1u << NUM_WAVES) - 1);
	/* From here on they only read it. */
	release_waves();
	job_ends();
	hits_are(w, NUM_WAVES);
}

/* One mode does not see what another does. */
static void other_accesses_hit_no_watchpoint(void **state)
{
	struct adbgd_watchpoint *w[] = {
		watch(part_of(PROG_OUT, 5), AMDGPUDBG_WATCH_READ),
		watch(part_of(PROG_OUT, 6), AMDGPUDBG_WATCH_ATOMIC),
		watch(part_of(PROG_IN, 3), AMDGPUDBG_WATCH_NONREAD),
	};

	(void)state;
	start_job();
	release_waves();
	job_ends();
	for (unsigned int i = 0; i < 3; i++)
		hits_are(w[i], 0);
}

/* ------------------------------------------------------------------------ several */

/* A wave that comes to both, and one that comes to the second alone */
static void two_watchpoints_are_distinguished(void **state)
{
	struct adbgd_watchpoint *in = watch(part_of(PROG_IN, 2), AMDGPUDBG_WATCH_ALL);
	struct adbgd_watchpoint *out = watch(part_of(PROG_OUT, 2), AMDGPUDBG_WATCH_ALL);
	struct adbgd_stop stop;

	(void)state;
	start_job();
	release_waves();
	stop = stops_for(in, 2, "breaks_wait_read");
	continue_wave(&stop);
	stop = stops_for(out, 2, "breaks_end");
	/* Clear the other watchpoint before the next stop. */
	MUST(adbgd_watchpoint_clear(in, &error));
	assert_ptr_equal(adbgd_process_get_watchpoint(process, 0), out);
	continue_wave(&stop);
	job_ends();
	start_job();
	release_waves();
	stop = stops_for(out, 2, "breaks_end");
	continue_wave(&stop);
	job_ends();
	hits_are(out, 2);
	/* A number is not given twice. */
	in = watch(part_of(PROG_IN, 2), AMDGPUDBG_WATCH_ALL);
	assert_int_equal(adbgd_watchpoint_get_info(in)->number, 3);
}

/* All come to a breakpoint, one of them behind its read, from where it does a few steps. */
static struct adbgd_stop steps_and_breakpoints(const struct adbgd_watchpoint *in,
					       const struct adbgd_breakpoint *b)
{
	struct adbgd_stop stop, wave = { .reason = 0 };

	for (unsigned int i = 0; i < NUM_WAVES + 1; i++) {
		stop = next_stop();
		if (stop.reason == ADBGD_STOP_BREAKPOINT) {
			assert_int_equal(stop.breakpoint, adbgd_breakpoint_get_info(b)->number);
			assert_int_equal(stop.watchpoint, 0);
			continue;
		}
		assert_string_equal(adbgd_stop_reason_name(stop.reason), "watch");
		assert_int_equal(stop.watchpoint, adbgd_watchpoint_get_info(in)->number);
		for (unsigned int k = 0; k < 4; k++)
			MUST(adbgd_wave_step(process, &stop.at, &stop, &error));
		assert_true(stop.pc == address_of("breaks_function"));
		continue_wave(&stop);
		wave = stop;
	}
	assert_int_equal(wave.reason, ADBGD_STOP_STEP);
	return wave;
}

/* Watchpoints stay set over all ways to resume a wave. */
static void watchpoints_stay_set_over_breakpoints_and_steps(void **state)
{
	struct adbgd_watchpoint *in = watch(part_of(PROG_IN, 4), AMDGPUDBG_WATCH_READ);
	struct adbgd_watchpoint *out = watch(part_of(PROG_OUT, 4), AMDGPUDBG_WATCH_NONREAD);
	struct amdgpudbg_wave_coord at;
	struct adbgd_breakpoint *b;
	struct adbgd_stop stop;

	(void)state;
	MUST(adbgd_breakpoint_set(process, address_of("breaks_getpc"), 0, &b, &error));
	start_job();
	release_waves();
	at = steps_and_breakpoints(in, b).at;
	MUST(adbgd_wave_until(process, &at, address_of("breaks_store"), DEADLINE_MS, &stop,
			      &error));
	assert_true(stop.pc == address_of("breaks_store"));
	/* A step over the store is a step; the hit is reported next. */
	MUST(adbgd_wave_step(process, &at, &stop, &error));
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "step");
	stops_for(out, 4, "breaks_end");
	MUST(adbgd_process_continue(process, &error));
	job_ends();
	hits_are(in, 1);
	hits_are(out, 1);
}

/* ------------------------------------------------------------- when it is set, and not */

/* Waves that run, and one that stands */
static void running_waves_stop_at_a_new_watchpoint(void **state)
{
	struct adbgd_watchpoint *w;
	struct adbgd_stop stop;

	(void)state;
	start_job();
	wait_begun();
	w = watch(part_of(PROG_OUT, 7), AMDGPUDBG_WATCH_NONREAD);
	assert_int_equal(count_halted(), 0);
	release_waves();
	stop = stops_for(w, 7, "breaks_end");
	continue_wave(&stop);
	job_ends();
	MUST(adbgd_watchpoint_clear(w, &error));

	start_job();
	wait_begun();
	MUST(adbgd_process_halt(process, &error));
	w = watch(part_of(PROG_OUT, 7), AMDGPUDBG_WATCH_NONREAD);
	assert_int_equal(count_halted(), NUM_WAVES);
	MUST(adbgd_process_continue(process, &error));
	release_waves();
	stop = stops_for(w, 7, "breaks_end");
	continue_wave(&stop);
	job_ends();
}

static void no_watchpoint_is_left_after_detaching(void **state)
{
	struct adbgd_watchpoint *w = watch(part_of(PROG_OUT, 1), AMDGPUDBG_WATCH_NONREAD);
	struct adbgd_stop stop;

	(void)state;
	watch(part_of(PROG_OUT, 2), AMDGPUDBG_WATCH_NONREAD);
	start_job();
	release_waves();
	wait_halted(2);
	stop = next_stop();
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "watch");
	hits_are(w, stop.watchpoint == 1);
	/* One stop was reported, one is pending. */
	detach();
	finish_job();
	MUST(attach(getpid()));
	start_job();
	release_waves();
	job_ends();
	/* All watches are there again. */
	for (unsigned int i = 0; i < NUM_WATCHES; i++)
		watch(part_of(PROG_OUT, i), AMDGPUDBG_WATCH_NONREAD);
}

static void watch_all(struct adbg_session *session, unsigned int first)
{
	for (unsigned int i = first; i < NUM_WATCHES; i++) {
		struct amdgpudbg_watch_set watch = {
			.mode = AMDGPUDBG_WATCH_ALL, .address = part_of(PROG_OUT, i),
			.bytes = GRANULE,
		};

		assert_int_equal(adbg_watch_set(session, &watch), 0);
	}
}

/* The session was there before, and had a watch. */
static void a_watch_of_the_session_is_kept(void **state)
{
	struct amdgpudbg_watch_set own = {
		.mode = AMDGPUDBG_WATCH_ALL, .address = part_of(PROG_OUT, 0),
		.bytes = GRANULE,
	};
	struct adbg_session *session;
	struct adbgd_stop stop;

	(void)state;
	detach();
	session = own_session();
	assert_int_equal(adbg_watch_set(session, &own), 0);
	MUST(adbgd_process_attach_session(session, getpid(), &process, &error));
	watch(part_of(PROG_OUT, 6), AMDGPUDBG_WATCH_NONREAD);
	watch(part_of(PROG_OUT, 7), AMDGPUDBG_WATCH_NONREAD);
	start_job();
	release_waves();
	/* One is reported: the one of no watchpoint, or one of the others. */
	wait_halted(3);
	stop = next_stop();
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "watch");
	assert_int_equal(stop.watchpoint != 0, !(stop.watch_mask >> own.id & 1));
	detach();
	finish_job();
	watch_all(session, 1);
	assert_int_equal(adbg_watch_clear(session, own.id), 0);
	close_own_session();
}

/* --------------------------------------------------------------------- mistakes */

static void refused(uint64_t address, uint64_t size, uint32_t mode, int ret, const char *words)
{
	struct adbgd_watchpoint *w = NULL;

	assert_int_equal(adbgd_watchpoint_set(process, address, size, mode, &w, &error), ret);
	assert_int_equal(error.error, ret);
	if (!strstr(error.text, words))
		fail_msg("\"%s\" is not in \"%s\"", words, error.text);
	assert_null(w);
}

static void impossible_watchpoints_give_a_message(void **state)
{
	uint64_t out = prog.buf[PROG_OUT].va;
	struct adbgd_stop stop;

	(void)state;
	refused(out, 4, AMDGPUDBG_WATCH_ALL, -EINVAL, "cannot watch 4 bytes");
	refused(out, 0, AMDGPUDBG_WATCH_ALL, -EINVAL, "a power of two");
	refused(out, 3 * GRANULE, AMDGPUDBG_WATCH_ALL, -EINVAL, "from 128 to 1073741824");
	refused(out, 1ull << 31, AMDGPUDBG_WATCH_ALL, -EINVAL, "cannot watch 2147483648 bytes");
	refused(out + 4, GRANULE, AMDGPUDBG_WATCH_ALL, -EINVAL, "is not a multiple of the watched "
		"size, 128");
	refused(out, GRANULE, AMDGPUDBG_WATCH_ALL + 1, -EINVAL, "unknown watch mode: 4");
	refused(0x123450000000, GRANULE, AMDGPUDBG_WATCH_ALL, -ENXIO,
		"nothing is mapped at 0x123450000000");
	assert_null(adbgd_process_get_watchpoint(process, 0));
	for (unsigned int i = 0; i < NUM_WATCHES; i++)
		watch(part_of(PROG_OUT, i), AMDGPUDBG_WATCH_READ);
	refused(out, GRANULE, AMDGPUDBG_WATCH_ALL, -ENOSPC, "all watches of the GPU are in use");
	assert_null(adbgd_process_get_watchpoint(process, NUM_WATCHES));
	/* The other ones are still good for something. */
	MUST(adbgd_watchpoint_clear(adbgd_process_get_watchpoint(process, 3), &error));
	watch(part_of(PROG_IN, 0), AMDGPUDBG_WATCH_READ);
	start_job();
	release_waves();
	stop = next_stop();
	assert_int_equal(stop.watchpoint, 5);
	is_wave(&stop.at, 0);
	continue_wave(&stop);
	job_ends();
}

int debugger_watch(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_wave_that_writes_the_memory_stops),
		TEST(the_wave_that_reads_the_memory_stops),
		TEST(waves_with_atomics_on_the_memory_stop),
		TEST(other_accesses_hit_no_watchpoint),
		TEST(two_watchpoints_are_distinguished),
		TEST(watchpoints_stay_set_over_breakpoints_and_steps),
		TEST(running_waves_stop_at_a_new_watchpoint),
		TEST(no_watchpoint_is_left_after_detaching),
		TEST(a_watch_of_the_session_is_kept),
		TEST(impossible_watchpoints_give_a_message),
	};

	return cmocka_run_group_tests(tests, open_some, close_prog);
}

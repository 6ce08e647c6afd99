// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The trace that a wave's trap handler has recorded is equal to one that the host records by
 * stepping the same wave of the same job, which is run again. The host steps the wave itself
 * when it is asked for one step at a time.
 */
#include "debugger.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "until.h"

#define TRACED_ROUNDS	6
/* More than a handler has room for at once */
#define LONG_ROUNDS	400

/* Instructions of rounds_loop to rounds_branch, with those called, and behind that */
#define IN_ROUND	12
#define BEHIND		5

static struct amdgpudbg_wave_coord wave;

/* ------------------------------------------------------------------------ traces */

static bool is_alone(const struct adbgd_trace *t)
{
	return adbgd_trace_get_info(t)->num_alone;
}

int64_t record_trace(struct adbgd_trace *t, bool alone, struct adbgd_stop *stop)
{
	int64_t before = now_ns();
	uint64_t num;
	int ret;

	do {
		num = alone ? 1000000 : 1;
		ret = adbgd_trace_record(process, t, &num, stop, &error);
	} while (!alone && !ret && stop->reason == ADBGD_STOP_STEP);
	if (ret && (alone || ret != -EBUSY))
		fail_msg("%d, %s", ret, error.text);
	assert_int_equal(is_alone(t), alone);
	return now_ns() - before;
}

static uint32_t *words_of(struct adbgd_trace *t)
{
	size_t size = adbgd_trace_get_info(t)->num_words * sizeof(uint32_t);
	uint32_t *words = malloc(size);

	assert_non_null(words);
	MUST(adbgd_trace_seek(t, 0, &error));
	memcpy(words, adbgd_trace_get_all_regs(t), size);
	return words;
}

void same_traces(struct adbgd_trace *a, struct adbgd_trace *b)
{
	uint32_t *first_a = words_of(a), *first_b = words_of(b);
	const struct adbgd_trace_info *info = adbgd_trace_get_info(a);
	const uint32_t *x = adbgd_trace_get_all_regs(a), *y = adbgd_trace_get_all_regs(b);

	assert_int_equal(info->num_words, adbgd_trace_get_info(b)->num_words);
	assert_int_equal(info->num_steps, adbgd_trace_get_info(b)->num_steps);
	for (uint64_t i = 0; i <= info->num_steps; i++) {
		MUST(adbgd_trace_seek(a, i, &error));
		MUST(adbgd_trace_seek(b, i, &error));
		if (adbgd_trace_get_pc(a) != adbgd_trace_get_pc(b))
			fail_msg("after %u steps it is at %#llx, not %#llx", (unsigned int)i,
				 (unsigned long long)adbgd_trace_get_pc(a),
				 (unsigned long long)adbgd_trace_get_pc(b));
		for (uint32_t k = 0; k < info->num_words; k++)
			if (x[k] != y[k] && (x[k] != first_a[k] || y[k] != first_b[k]))
				fail_msg("after %u steps word %u is %#x, not %#x",
					 (unsigned int)i, k, x[k], y[k]);
	}
	free(first_a);
	free(first_b);
}

/* --------------------------------------------------------------------- "rounds" */

/* The wave of the first work-item, at rounds_loop in its first round; all others run */
static void begin_rounds(const char *kernel, uint32_t rounds)
{
	const struct adbgd_condition first = {
		.space = AMDGPUDBG_REG_VGPR, .reg = 1, .relation = ADBGD_RELATION_EQUAL, .value = 0,
		.lanes = 1,
	};
	struct adbgd_breakpoint *b;

	start_kernel(kernel);
	prog_ctl(&prog)[2] = rounds;
	MUST(adbgd_breakpoint_set_if(process, address_of("rounds_loop"),
				     ADBGD_BREAKPOINT_TEMPORARY, &first, &b, &error));
	release_waves();
	wave = next_stop().at;
	assert_int_equal(read_sgpr(&wave, 13), 0);
}

static void set_for_wave(const char *name, uint32_t relation, uint32_t value)
{
	const struct adbgd_condition c = {
		.flags = ADBGD_CONDITION_WAVE, .at = wave, .space = AMDGPUDBG_REG_SGPR,
		.reg = 13, .relation = relation, .value = value,
	};

	MUST(adbgd_breakpoint_set_if(process, address_of(name), 0, &c, NULL, &error));
}

/* Some hold always, some never, one in every other round. They do not stop a trace. */
static void set_breakpoints(void)
{
	set_for_wave("rounds_mad", ADBGD_RELATION_NONE, 0);
	set_for_wave("rounds_call", ADBGD_RELATION_EQUAL, 1000);
	set_for_wave("rounds_outer", ADBGD_RELATION_EQUAL, 1000);
	set_for_wave("rounds_branch", ADBGD_RELATION_EQUAL, 1000);
	set_for_wave("rounds_inner_return", ADBGD_RELATION_EQUAL, 1000);
	set_for_wave("rounds_inner", ADBGD_RELATION_HAS_BITS, 1);
}

/* If a step of the trace counted as a hit, they would stop it. */
static void set_counting(void)
{
	struct adbgd_condition mine = {
		.flags = ADBGD_CONDITION_WAVE, .at = wave, .every = 2,
	};

	MUST(adbgd_breakpoint_set_if(process, address_of("rounds_mad"), 0, &mine, NULL, &error));
	mine.every = 0;
	mine.nth = 3;
	MUST(adbgd_breakpoint_set_if(process, address_of("rounds_branch"), 0, &mine, NULL, &error));
}

static void clear_breakpoints(void)
{
	while (adbgd_process_get_breakpoint(process, 0))
		MUST(adbgd_breakpoint_clear(adbgd_process_get_breakpoint(process, 0), &error));
}

/* @set: sets breakpoints; NULL: there are none */
static struct adbgd_trace *trace_rounds(const char *kernel, uint32_t rounds, void (*set)(void),
					bool alone, int64_t *ns)
{
	struct adbgd_trace *t;
	struct adbgd_stop stop;

	begin_rounds(kernel, rounds);
	if (set)
		set();
	MUST(adbgd_trace_begin(process, &wave, &t, &error));
	*ns = record_trace(t, alone, &stop);
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "wave-end");
	MUST(adbgd_process_continue(process, &error));
	finish_rounds();
	assert_no_stop();
	clear_breakpoints();
	assert_code_as_before();
	return t;
}

static void traces_are_alike(const char *kernel, uint32_t rounds, void (*set)(void))
{
	int64_t host, gpu;
	struct adbgd_trace *a = trace_rounds(kernel, rounds, set, false, &host);
	struct adbgd_trace *b = trace_rounds(kernel, rounds, set, true, &gpu);
	uint64_t num = adbgd_trace_get_info(a)->num_steps;

	same_traces(a, b);
	assert_int_equal(num, IN_ROUND * rounds + BEHIND);
	/* All but the first of each piece, and the last */
	if (!set)
		assert_in_range(adbgd_trace_get_info(b)->num_alone, num - 10, num);
	printf("# %s%s: %u steps, %u of them alone; %.0f a second by the host, "
	       "%.1f times as many by the GPU\n", kernel, set ? " with breakpoints" : "",
	       (unsigned int)num, adbgd_trace_get_info(b)->num_alone, 1e9 * (double)num /
	       (double)host, (double)host / (double)gpu);
	fflush(stdout);
	adbgd_trace_free(a);
	adbgd_trace_free(b);
}

static void records_match_steps_by_the_host(void **state)
{
	(void)state;
	traces_are_alike("rounds", TRACED_ROUNDS, NULL);
}

static void records_of_64_lanes_match_steps_by_the_host(void **state)
{
	(void)state;
	traces_are_alike("rounds64", TRACED_ROUNDS, NULL);
}

static void traced_waves_pass_breakpoints(void **state)
{
	(void)state;
	traces_are_alike("rounds", TRACED_ROUNDS, set_breakpoints);
}

static void steps_of_a_trace_are_no_hits(void **state)
{
	(void)state;
	traces_are_alike("rounds", TRACED_ROUNDS, set_counting);
}

/* In each round s13 counts one up, and v3 has what is known: see breaks.s. */
static void a_long_trace_is_complete(void **state)
{
	int64_t ns;
	struct adbgd_trace *t = trace_rounds("rounds", LONG_ROUNDS, NULL, true, &ns);
	uint32_t count;

	(void)state;
	assert_int_equal(adbgd_trace_get_info(t)->num_steps, IN_ROUND * LONG_ROUNDS + BEHIND);
	for (uint32_t round = 0; round < LONG_ROUNDS; round++) {
		MUST(adbgd_trace_seek(t, (uint64_t)IN_ROUND * round, &error));
		assert_true(adbgd_trace_get_pc(t) == address_of("rounds_loop"));
		assert_int_equal(adbgd_trace_get_regs(t, AMDGPUDBG_REG_SGPR, 0, &count)[13], round);
		for (uint32_t lane = 0; lane < 32; lane++) {
			const uint32_t *vgprs = adbgd_trace_get_regs(t, AMDGPUDBG_REG_VGPR, lane,
								     &count);

			assert_int_equal(vgprs[3], after_rounds(input(lane), round));
		}
	}
	adbgd_trace_free(t);
}

/* Of what there was before and is afterwards nothing is lost. */
static void a_trace_can_be_recorded_in_pieces(void **state)
{
	struct adbgd_stop stop = { .reason = 0 };
	struct adbgd_trace *t;
	int64_t ns;
	struct adbgd_trace *whole = trace_rounds("rounds", TRACED_ROUNDS, NULL, true, &ns);
	uint64_t num;

	(void)state;
	begin_rounds("rounds", TRACED_ROUNDS);
	MUST(adbgd_trace_begin(process, &wave, &t, &error));
	for (num = 5; stop.reason != ADBGD_STOP_WAVE_END; num += 7) {
		uint64_t wanted = num;

		MUST(adbgd_trace_record(process, t, &num, &stop, &error));
		assert_true(num == wanted || stop.reason == ADBGD_STOP_WAVE_END);
	}
	same_traces(t, whole);
	adbgd_trace_free(whole);
	adbgd_trace_free(t);
	MUST(adbgd_process_continue(process, &error));
	finish_rounds();
	assert_no_stop();
}

/* Each inexact result sets a bit: a wave continues unless the exception is enabled. */
static void an_exception_that_is_not_enabled_ends_no_trace(void **state)
{
	struct adbgd_stop stop;
	struct adbgd_trace *t;

	(void)state;
	begin_rounds("rounds", LONG_ROUNDS);
	/* TRAPSTS.EXCP [8:0] is like MODE.EXCP_EN: gc_10_3_0_sh_mask.h (Linux 6.1) */
	write_reg(&wave, AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_TRAPSTS, 1u << 5);
	MUST(adbgd_trace_begin(process, &wave, &t, &error));
	record_trace(t, true, &stop);
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "wave-end");
	assert_int_equal(adbgd_trace_get_info(t)->num_steps, IN_ROUND * LONG_ROUNDS + BEHIND);
	adbgd_trace_free(t);
	MUST(adbgd_process_continue(process, &error));
	finish_rounds();
	assert_no_stop();
}

/* ------------------------------------------------------------------- "exchange" */

/* Another wave of the group does not reach the barrier. Both continue when it does. */
static void a_trace_reports_a_wave_at_a_barrier(void **state)
{
	const struct adbgd_condition first_group = {
		.space = AMDGPUDBG_REG_SGPR, .reg = 12, .relation = ADBGD_RELATION_EQUAL,
		.value = 0,
	};
	struct adbgd_breakpoint *b;
	struct adbgd_trace *t;
	struct adbgd_stop stop;
	uint64_t num = 1000;

	(void)state;
	prog.group_size = 128;
	prog.lds_bytes = 4 * 128;
	MUST(adbgd_breakpoint_set_if(process, address_of("exchange_before"),
				     ADBGD_BREAKPOINT_TEMPORARY, &first_group, &b, &error));
	start_exchange(0);
	stop = next_stop();
	MUST(adbgd_trace_begin(process, &stop.at, &t, &error));
	assert_int_equal(adbgd_trace_record(process, t, &num, &stop, &error), -ETIMEDOUT);
	assert_non_null(strstr(error.text, "waits in the instruction at"));
	/* s_waitcnt; and s_barrier, behind which it is */
	assert_true(num == 2 && adbgd_trace_get_info(t)->num_steps == 2);
	adbgd_trace_free(t);
	MUST(adbgd_process_continue(process, &error));
	come();
	finish_exchange();
	prog.group_size = 0;
	prog.lds_bytes = 0;
}

int debugger_trace(void)
{
	const struct CMUnitTest tests[] = {
		TEST(records_match_steps_by_the_host),
		TEST(records_of_64_lanes_match_steps_by_the_host),
		TEST(traced_waves_pass_breakpoints),
		TEST(steps_of_a_trace_are_no_hits),
		TEST(a_long_trace_is_complete),
		TEST(a_trace_can_be_recorded_in_pieces),
		TEST(an_exception_that_is_not_enabled_ends_no_trace),
		TEST(a_trace_reports_a_wave_at_a_barrier),
	};

	return cmocka_run_group_tests(tests, open_some, close_prog);
}

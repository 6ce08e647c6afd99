// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The cost of breakpoints, steps and traces: how often per second waves reach a breakpoint whose
 * condition is false, and continue; the number of steps of a wave per second; the time for an
 * instruction of a trace; the time until the next stop of a resumed wave is reported; and what a
 * decision of the host costs. The waves are those of "rounds" in tests/kernels/breaks.s.
 */
#include "debugger.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "count.h"

#define RUN_S		1.0
#define STEPS		200
#define MANY_STEPS	5000
#define READS		100
#define STOPS		100
#define DECISIONS	200
#define TRACED		2000
#define TRACED_BY_HOST	30

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* Rounds a second of all waves, which may have a breakpoint in them that stops none */
static double rounds_per_second(struct adbgd_breakpoint *b)
{
	struct timespec pause = { .tv_sec = (time_t)RUN_S };
	struct adbgd_stop stop;
	double start;
	uint64_t sum;

	start_rounds();
	start = now();
	nanosleep(&pause, NULL);
	sum = finish_rounds();
	start = now() - start;
	assert_int_equal(adbgd_process_wait_stop(process, 0, &stop, &error), -EAGAIN);
	if (b)
		MUST(adbgd_breakpoint_clear(b, &error));
	return sum / start;
}

static void conditional_misses(void **state)
{
	static const struct {
		const char *name;
		struct adbgd_condition c;
	} cases[] = {
		{ "an SGPR", { .space = AMDGPUDBG_REG_SGPR, .reg = 13,
			       .relation = ADBGD_RELATION_EQUAL, .value = UINT32_MAX } },
		{ "a VGPR", { .space = AMDGPUDBG_REG_VGPR, .reg = 3,
			      .relation = ADBGD_RELATION_EQUAL, .value = UINT32_MAX } },
		{ "a work-group", { .flags = ADBGD_CONDITION_GROUP,
				    .group = { 0, 0, 1 } } },
		{ "a count", { .nth = UINT32_MAX } },
	};
	double alone = rounds_per_second(NULL), with;
	struct adbgd_breakpoint *b;

	(void)state;
	printf("# %u waves, rounds a second without a breakpoint: %.0f\n", prog.items / 32, alone);
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		MUST(adbgd_breakpoint_set_if(process, address_of("rounds_loop"), 0, &cases[i].c,
					     &b, &error));
		with = rounds_per_second(b);
		printf("# misses a second, by %s: %.0f, %.2f us each\n", cases[i].name, with,
		       1e6 * (1 / with - 1 / alone));
	}
}

/* All instructions are compared, also where nothing is. */
static void comparing_without_a_change_of_code(void **state)
{
	static const struct adbgd_insn_match none = { 0xffffffff, 0xffffffff };
	double alone = rounds_per_second(NULL);
	struct adbgd_breakpoint *b;

	(void)state;
	MUST(adbgd_breakpoint_set(process, address_of("breaks_end"), ADBGD_BREAKPOINT_STEPPED, &b,
				  &error));
	printf("# rounds are slower, while waves compare addresses: %.1f times\n",
	       alone / rounds_per_second(b));
	MUST(adbgd_breakpoint_set_insn(process, &none, 1, 0, NULL, &b, &error));
	printf("# the same, instructions: %.1f times\n", alone / rounds_per_second(b));
}

/* A wave that stands in its loop, alone */
static struct adbgd_stop one_stops(struct adbgd_breakpoint **b)
{
	const struct adbgd_condition first = { .nth = 1 };

	MUST(adbgd_breakpoint_set_if(process, address_of("rounds_loop"), 0, &first, b, &error));
	start_rounds();
	return stop_at(*b);
}

static void steps_of(struct adbgd_stop *stop, const char *others)
{
	double start = now();

	for (unsigned int i = 0; i < STEPS; i++)
		MUST(adbgd_wave_step(process, &stop->at, stop, &error));
	printf("# single steps a second, while the others %s: %.0f\n", others,
	       STEPS / (now() - start));
}

static void steps_at_once(struct adbgd_stop *stop)
{
	uint64_t num = MANY_STEPS;
	double start = now();

	MUST(adbgd_wave_step_n(process, &stop->at, &num, stop, &error));
	assert_true(num == MANY_STEPS);
	printf("# single steps of many waves at once: %.0f\n", MANY_STEPS / (now() - start));
}

static void single_steps(void **state)
{
	struct adbgd_breakpoint *b;
	struct adbgd_stop stop = one_stops(&b);

	(void)state;
	MUST(adbgd_breakpoint_clear(b, &error));
	steps_of(&stop, "run");
	steps_at_once(&stop);
	MUST(adbgd_process_halt(process, &error));
	steps_of(&stop, "stand");
	MUST(adbgd_process_continue(process, &error));
	finish_rounds();
}

static void trace_of(const struct adbgd_stop *stop, const char *what, uint64_t num)
{
	const struct adbgd_trace_info *info;
	struct adbgd_stop last;
	struct adbgd_trace *t;
	double start;

	MUST(adbgd_trace_begin(process, &stop->at, &t, &error));
	info = adbgd_trace_get_info(t);
	start = now();
	MUST(adbgd_trace_record(process, t, &num, &last, &error));
	start = 1e6 * (now() - start) / num;
	printf("# a trace %s: %.1f us an instruction, of %llu; %u by the handler\n", what, start,
	       (unsigned long long)num, info->num_alone);
	adbgd_trace_free(t);
}

/* Fewer instructions than the handler records at once, so that the host records each. */
static double trace_by_host(const struct adbgd_stop *stop)
{
	uint64_t num;
	struct adbgd_stop last;
	struct adbgd_trace *t;
	double start;

	MUST(adbgd_trace_begin(process, &stop->at, &t, &error));
	start = now();
	for (unsigned int i = 0; i < TRACED_BY_HOST; i++) {
		num = 1;
		MUST(adbgd_trace_record(process, t, &num, &last, &error));
	}
	start = 1e6 * (now() - start) / TRACED_BY_HOST;
	assert_int_equal(adbgd_trace_get_info(t)->num_alone, 0);
	printf("# a trace by the host: %.1f us an instruction\n", start);
	adbgd_trace_free(t);
	return start;
}

static void traces(void **state)
{
	struct adbgd_breakpoint *b;
	struct adbgd_stop stop = one_stops(&b), last = stop;
	double start, step;

	(void)state;
	trace_of(&stop, "with a breakpoint that counts", TRACED);
	MUST(adbgd_breakpoint_clear(b, &error));
	trace_of(&stop, "without breakpoints", TRACED);
	start = now();
	for (unsigned int i = 0; i < STEPS; i++)
		MUST(adbgd_wave_step(process, &last.at, &last, &error));
	step = 1e6 * (now() - start) / STEPS;
	printf("# which is %.1f single steps\n", trace_by_host(&stop) / step);
	MUST(adbgd_process_continue(process, &error));
	finish_rounds();
}

/* All registers by the host, of which the VGPRs are most; and these alone by the wave */
static void registers(void **state)
{
	static uint32_t values[32 * 256];
	struct adbg_session *session = adbgd_process_get_session(process);
	struct adbg_wave_state *all;
	struct adbgd_breakpoint *b;
	struct adbgd_stop stop = one_stops(&b);
	struct amdgpudbg_wave wave;
	double start, host, handler;
	uint32_t num;

	(void)state;
	MUST(adbgd_process_halt(process, &error));
	wave = wave_at(&stop.at);
	assert_int_equal(adbg_wave_state_new(&all), 0);
	start = now();
	for (unsigned int i = 0; i < READS; i++)
		assert_int_equal(adbg_wave_state_read(all, session, &wave), 0);
	host = (now() - start) / READS;
	(void)adbg_wave_state_get(all, AMDGPUDBG_REG_VGPR, 0, &num);
	start = now();
	for (unsigned int i = 0; i < READS; i++)
		MUST(adbgd_vgprs_read(process, &stop.at, num, values, &error));
	handler = (now() - start) / READS;
	printf("# %u VGPRs of 32 lanes: %.0f us by the wave's handler; with all else by the host %.0f us (%.1f times)\n",
	       num, 1e6 * handler, 1e6 * host, host / handler);
	adbg_wave_state_free(all);
	MUST(adbgd_breakpoint_clear(b, &error));
	MUST(adbgd_process_continue(process, &error));
	finish_rounds();
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * From where adbgd_wave_continue() returns to where adbgd_process_wait_stop() reports the next
 * stop: a round, which the wave has begun before, takes it microseconds.
 */
static void stops_of(struct adbgd_stop stop, struct adbgd_breakpoint *b, const char *others)
{
	static double reported[STOPS], resumed[STOPS];
	double start;

	for (unsigned int i = 0; i < STOPS; i++) {
		start = now();
		MUST(adbgd_wave_continue(process, &stop.at, &error));
		resumed[i] = now() - start;
		stop = next_stop();
		reported[i] = now() - start - resumed[i];
		assert_int_equal(stop.breakpoint, adbgd_breakpoint_get_info(b)->number);
	}
	qsort(reported, STOPS, sizeof(reported[0]), by_value);
	qsort(resumed, STOPS, sizeof(resumed[0]), by_value);
	printf("# while the others %s, until a wave is resumed: %.0f us (median)\n",
	       others, 1e6 * resumed[STOPS / 2]);
	printf("# from then on until its next stop is reported: %.0f us (median), %.0f us (9 of 10)\n",
	       1e6 * reported[STOPS / 2], 1e6 * reported[STOPS * 9 / 10]);
}

static void time_to_report_a_stop(void **state)
{
	struct adbgd_condition this = { .flags = ADBGD_CONDITION_WAVE };
	struct adbgd_breakpoint *b;
	struct adbgd_stop stop = one_stops(&b);

	(void)state;
	this.at = stop.at;
	MUST(adbgd_breakpoint_set_condition(b, &this, &error));
	stops_of(stop, b, "pass it");
	MUST(adbgd_process_halt(process, &error));
	stops_of(stop, b, "are halted");
	MUST(adbgd_breakpoint_clear(b, &error));
	MUST(adbgd_process_continue(process, &error));
	finish_rounds();
}

/* ------------------------------------------------------------- decisions of the host */

/* The library asks for the code object once for each decision. */
static struct adbgd_code *count_decision(void *data, uint64_t address)
{
	(void)address;
	++*(unsigned int *)data;
	return NULL;
}

/* Only one wave comes to the breakpoint, again and again, and never stops. */
static void decisions_of_the_host(void **state)
{
	struct adbgd_condition this = { .flags = ADBGD_CONDITION_WAVE };
	unsigned int num_decisions = 0;
	struct adbgd_breakpoint *b;
	struct adbgd_stop stop = one_stops(&b), other;
	uint64_t calls, accesses;
	double start, step;

	(void)state;
	start = now();
	for (unsigned int i = 0; i < STEPS; i++)
		MUST(adbgd_wave_step(process, &stop.at, &stop, &error));
	step = (now() - start) / STEPS;
	this.at = stop.at;
	adbgd_process_set_code_callback(process, count_decision, &num_decisions);
	MUST(adbgd_breakpoint_set_condition(b, &this, &error));
	MUST(adbgd_breakpoint_set_expression(b, "$v3 + 1 == $v3", &error));
	MUST(adbgd_wave_continue(process, &stop.at, &error));
	accesses = count_register_accesses();
	calls = count_calls();
	num_decisions = 0;
	start = now();
	while (num_decisions < DECISIONS)
		assert_int_equal(adbgd_process_wait_stop(process, 100, &other,
							 &error), -EAGAIN);
	start = (now() - start) / num_decisions;
	calls = count_calls() - calls;
	accesses = count_register_accesses() - accesses;
	printf("# a decision of the host: %.1f system calls, %.0f register accesses, the time of %.1f single steps\n",
	       (double)calls / num_decisions, (double)accesses / num_decisions, start / step);
	MUST(adbgd_breakpoint_clear(b, &error));
	adbgd_process_set_code_callback(process, NULL, NULL);
	MUST(adbgd_process_continue(process, &error));
	finish_rounds();
}

int main(void)
{
	const struct CMUnitTest measured[] = {
		TEST(conditional_misses),
		TEST(comparing_without_a_change_of_code),
		TEST(single_steps),
		TEST(traces),
		TEST(registers),
		TEST(time_to_report_a_stop),
		TEST(decisions_of_the_host),
	};

	return cmocka_run_group_tests(measured, open_some, close_prog);
}

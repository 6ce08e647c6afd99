// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Operations of libamdgpudbg-debug: an event loop with one descriptor moves several waves at once,
 * and its stops are those of the functions that wait. breaks.s documents the order of
 * instructions in "rounds".
 */
#include "debugger.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <amdgpudbg-debug-step.h>

#include "until.h"
#include "victim.h"

#define LINES_FILE	"/usr/share/amdgpudbg/lines_O0.co"
#define LINES_SOURCE	"/usr/share/amdgpudbg/lines.cl"
#define LINES_ITEMS	128
#define LINES_WAVES	(LINES_ITEMS / 32)

static struct adbgd_code *code;

/* The next @num stops, by poll() on the only descriptor, without a timeout for the library */
static void collect(struct adbgd_stop *stops, size_t num)
{
	struct pollfd fd = { .fd = adbgd_process_get_fd(process), .events = POLLIN };
	size_t n = 0;
	int ret;

	assert_true(fd.fd >= 0);
	while (n < num) {
		if (poll(&fd, 1, DEADLINE_MS) != 1)
			fail_msg("the descriptor is not readable: %zu of %zu stops", n, num);
		do {
			ret = adbgd_process_wait_stop(process, 0, &stops[n], &error);
			n += !ret;
		} while (!ret && n < num);
		if (ret != -EAGAIN)
			MUST(ret);
	}
}

static const struct adbgd_stop *stop_of(const struct adbgd_stop *stops, size_t num,
					uint32_t operation)
{
	for (size_t i = 0; i < num; i++) {
		if (stops[i].operation == operation)
			return &stops[i];
	}
	fail_msg("no stop of operation %u", operation);
	return NULL;
}

static void is_same(const struct adbgd_stop *stop, const struct adbgd_stop *other)
{
	if (stop->reason != other->reason || stop->pc != other->pc)
		fail_msg("%s at %#llx, not %s at %#llx", adbgd_stop_reason_name(stop->reason),
			 (unsigned long long)stop->pc, adbgd_stop_reason_name(other->reason),
			 (unsigned long long)other->pc);
	assert_int_equal(stop->error, 0);
}

static unsigned int count_operations(void)
{
	struct adbgd_operation_info info;
	unsigned int n = 0;

	while (!adbgd_process_get_operation(process, n, &info))
		n++;
	return n;
}

/* All waves are at rounds_loop, in their first round, and no breakpoint is left. */
static void all_at_loop(struct adbgd_stop stops[NUM_WAVES])
{
	struct adbgd_breakpoint *b;

	start_kernel("rounds");
	prog_ctl(&prog)[2] = UINT32_MAX;
	MUST(adbgd_breakpoint_set(process, address_of("rounds_loop"), 0, &b, &error));
	release_waves();
	all_stop_at(b, stops);
	MUST(adbgd_breakpoint_clear(b, &error));
}

static void all_end(void)
{
	assert_int_equal(count_operations(), 0);
	assert_null(adbgd_process_get_breakpoint(process, 0));
	MUST(adbgd_process_continue(process, &error));
	finish_rounds();
	assert_no_stop();
	assert_code_as_before();
}

static void until_blocking(struct adbgd_stop *stop, const char *name)
{
	struct amdgpudbg_wave_coord at = stop->at;

	MUST(adbgd_wave_until(process, &at, address_of(name), DEADLINE_MS, stop, &error));
}

static void starts_until(const struct adbgd_stop *stop, const char *name, uint32_t *number)
{
	MUST(adbgd_wave_start_until(process, &stop->at, address_of(name), number, &error));
}

/* --------------------------------------------------------------------- one loop */

/* What the functions that wait do with waves 4 to 7 */
static void move_blocking(struct adbgd_stop stops[NUM_WAVES])
{
	struct amdgpudbg_wave_coord at;

	until_blocking(&stops[1], "rounds_inner");
	until_blocking(&stops[5], "rounds_inner");
	until_blocking(&stops[4], "rounds_after");
	at = stops[5].at;
	MUST(adbgd_wave_finish(process, &at, DEADLINE_MS, &stops[5], &error));
	at = stops[6].at;
	MUST(adbgd_wave_step_over(process, &at, DEADLINE_MS, &stops[6], &error));
	at = stops[7].at;
	MUST(adbgd_wave_step(process, &at, &stops[7], &error));
}

static void one_descriptor_suffices_for_several_waves(void **state)
{
	struct adbgd_stop stops[NUM_WAVES], ends[4];
	struct adbgd_operation_info info;
	uint32_t number[4], waves[4];

	(void)state;
	all_at_loop(stops);
	for (unsigned int i = 0; i < 4; i++)
		waves[i] = adbgd_wave_get_number(process, &stops[i].at);
	move_blocking(stops);
	starts_until(&stops[0], "rounds_after", &number[0]);
	MUST(adbgd_wave_start_finish(process, &stops[1].at, &number[1], &error));
	MUST(adbgd_wave_start_step_over(process, &stops[2].at, &number[2], &error));
	MUST(adbgd_wave_start_step(process, &stops[3].at, &number[3], &error));
	for (unsigned int i = 0; i < 4; i++) {
		MUST(adbgd_process_get_operation(process, i, &info));
		assert_int_equal(info.number, number[i]);
		assert_memory_equal(&info.at, &stops[i].at, sizeof(info.at));
	}
	assert_int_equal(adbgd_wave_start_step(process, &stops[0].at, NULL, &error), -EBUSY);
	assert_non_null(strstr(error.text, "moves wave"));
	assert_int_equal(adbgd_wave_continue(process, &stops[3].at, &error), -EBUSY);
	collect(ends, 4);
	for (unsigned int i = 0; i < 4; i++) {
		const struct adbgd_stop *end = stop_of(ends, 4, number[i]);

		is_same(end, &stops[4 + i]);
		assert_memory_equal(&end->at, &stops[i].at, sizeof(end->at));
		/* The wave's number is that of before. */
		assert_int_equal(adbgd_wave_get_number(process, &end->at), waves[i]);
	}
	assert_int_equal(count_halted(), NUM_WAVES);
	prog_ctl(&prog)[2] = 0;
	all_end();
}

/* A third wave, which runs, passes the place again and again. */
static void two_waves_can_have_the_same_goal(void **state)
{
	struct adbgd_stop stops[NUM_WAVES], ends[2];
	uint32_t number[2];

	(void)state;
	all_at_loop(stops);
	starts_until(&stops[0], "rounds_after", &number[0]);
	starts_until(&stops[1], "rounds_after", &number[1]);
	MUST(adbgd_wave_continue(process, &stops[2].at, &error));
	collect(ends, 2);
	for (unsigned int i = 0; i < 2; i++) {
		const struct adbgd_stop *end = stop_of(ends, 2, number[i]);

		assert_string_equal(adbgd_stop_reason_name(end->reason), "step");
		assert_true(end->pc == address_of("rounds_after"));
		assert_memory_equal(&end->at, &stops[i].at, sizeof(end->at));
		assert_int_equal(read_sgpr(&end->at, 13), 1);
	}
	wait_halted(NUM_WAVES - 1);
	prog_ctl(&prog)[2] = 0;
	all_end();
}

/* ---------------------------------------------------------------- other ends */

static void an_operation_can_be_cancelled(void **state)
{
	struct adbgd_stop stops[NUM_WAVES], stop;
	uint32_t number;

	(void)state;
	all_at_loop(stops);
	starts_until(&stops[0], "rounds_end", &number);
	assert_int_equal(adbgd_wave_continue(process, &stops[0].at, &error), -EINPROGRESS);
	assert_int_equal(adbgd_process_wait_stop(process, 300, &stop, &error), -EAGAIN);
	MUST(adbgd_operation_cancel(process, number, &stop, &error));
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "interrupted");
	assert_int_equal(stop.operation, number);
	assert_true(wave_at(&stops[0].at).pc == stop.pc);
	assert_int_equal(count_halted(), NUM_WAVES);
	assert_int_equal(adbgd_operation_cancel(process, number, &stop, &error), -ENOENT);
	/* And released, while it runs, and before its step */
	starts_until(&stops[0], "rounds_end", &number);
	MUST(adbgd_operation_release(process, number, &error));
	wait_halted(NUM_WAVES - 1);
	MUST(adbgd_wave_start_step(process, &stops[1].at, &number, &error));
	MUST(adbgd_operation_release(process, number, &error));
	wait_halted(NUM_WAVES - 2);
	assert_no_stop();
	prog_ctl(&prog)[2] = 0;
	all_end();
}

static void other_stops_end_an_operation(void **state)
{
	struct adbgd_stop stops[NUM_WAVES], end;
	struct adbgd_breakpoint *b;
	uint32_t number;

	(void)state;
	all_at_loop(stops);
	MUST(adbgd_breakpoint_set(process, address_of("rounds_mad"), 0, &b, &error));
	starts_until(&stops[0], "rounds_end", &number);
	collect(&end, 1);
	assert_string_equal(adbgd_stop_reason_name(end.reason), "breakpoint");
	assert_int_equal(end.breakpoint, adbgd_breakpoint_get_info(b)->number);
	assert_int_equal(end.operation, number);
	MUST(adbgd_breakpoint_clear(b, &error));
	prog_ctl(&prog)[2] = 0;
	starts_until(&stops[0], "breaks_end", &number);
	collect(&end, 1);
	assert_string_equal(adbgd_stop_reason_name(end.reason), "wave-end");
	assert_int_equal(end.operation, number);
	assert_memory_equal(&end.at, &stops[0].at, sizeof(end.at));
	all_end();
}

/*
 * While there are waves without a handler, the host executes the instructions of an operation, and
 * a breakpoint is pending. When they have ended, it is set, which is reported.
 */
static void a_breakpoint_that_becomes_set_is_reported(void **state)
{
	struct amdgpudbg_wave waves[NUM_WAVES];
	struct amdgpudbg_wave_list list = { .capacity = NUM_WAVES, .waves = (uintptr_t)waves };
	struct adbgd_operation_info info;
	struct adbgd_breakpoint *b;
	struct adbgd_stop stop;
	uint32_t number;

	(void)state;
	detach();
	start_job();
	wait_begun();
	MUST(attach(getpid()));
	MUST(adbgd_process_halt(process, &error));
	assert_int_equal(adbg_wave_read(adbgd_process_get_session(process), &list), 0);
	assert_int_equal(list.count, NUM_WAVES);
	MUST(adbgd_wave_start_until(process, &waves[0].at, address_of("breaks_wait"), &number,
				    &error));
	MUST(adbgd_process_get_operation(process, 0, &info));
	assert_int_equal(info.flags, ADBGD_OPERATION_STEPPED);
	collect(&stop, 1);
	assert_int_equal(stop.operation, number);
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "step");
	assert_true(stop.pc == address_of("breaks_wait"));
	adbgd_process_report_breakpoints(process, true);
	MUST(adbgd_breakpoint_set(process, address_of("breaks_end"), 0, &b, &error));
	assert_true(adbgd_breakpoint_get_info(b)->flags & ADBGD_BREAKPOINT_PENDING);
	MUST(adbgd_process_continue(process, &error));
	release_waves();
	collect(&stop, 1);
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "breakpoint-state");
	assert_int_equal(stop.breakpoint, adbgd_breakpoint_get_info(b)->number);
	assert_false(adbgd_breakpoint_get_info(b)->flags & ADBGD_BREAKPOINT_PENDING);
	MUST(adbgd_breakpoint_clear(b, &error));
	finish_job();
	assert_no_stop();
}

static void the_end_of_the_target_ends_all_operations(void **state)
{
	struct adbgd_stop stops[NUM_WAVES], stop;
	struct adbgd_breakpoint *b;
	struct victim target;

	(void)state;
	detach();
	assert_int_equal(start_target(&target, &code_va), 0);
	MUST(attach(target.pid));
	MUST(adbgd_breakpoint_set(process, address_of("breaks_call"), 0, &b, &error));
	assert_int_equal(target_begins(&target), 0);
	all_stop_at(b, stops);
	MUST(adbgd_breakpoint_clear(b, &error));
	for (unsigned int i = 0; i < 3; i++)
		starts_until(&stops[i], "breaks_store", NULL);
	assert_int_equal(kill(target.pid, SIGKILL), 0);
	do {
		collect(&stop, 1);
	} while (stop.operation);
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "exited");
	assert_int_equal(count_operations(), 0);
	detach();
	code_va = 0;
	assert_int_equal(victim_finish(&target), 128 + SIGKILL);
	MUST(attach(getpid()));
}

/* --------------------------------------------------------------------- lines */

static uint64_t address_of_line(const char *text)
{
	struct adbgd_line found;
	uint32_t number = 0;
	char line[256];
	size_t count;
	FILE *f = fopen(LINES_SOURCE, "r");

	assert_non_null(f);
	do {
		assert_non_null(fgets(line, sizeof(line), f));
		number++;
	} while (!strstr(line, text));
	fclose(f);
	MUST(adbgd_line_find(code, "lines.cl", number, &found, 1, &count, &error));
	assert_true(count);
	return found.address;
}

/* Wave 0 by an operation, wave 2 by the function that waits; @frame: out of a function instead */
static void both_move(struct adbgd_stop *stop, struct adbgd_stop *other, uint32_t how)
{
	struct amdgpudbg_wave_coord at = stop->at, other_at = other->at;
	uint32_t number;

	if (how) {
		MUST(adbgd_wave_start_step_line(process, &at, code, how, &number, &error));
		MUST(adbgd_wave_step_line(process, &other_at, code, how, DEADLINE_MS, other,
					  &error));
	} else {
		MUST(adbgd_wave_start_finish_frame(process, &at, code, 0, &number, &error));
		MUST(adbgd_wave_finish_frame(process, &other_at, code, 0, DEADLINE_MS, other,
					     &error));
	}
	collect(stop, 1);
	assert_int_equal(stop->operation, number);
	is_same(stop, other);
}

static void lines_are_those_of_the_functions_that_wait(void **state)
{
	struct adbgd_stop stops[LINES_WAVES];
	struct adbgd_breakpoint *b;
	unsigned int steps = 0;

	(void)state;
	MUST(adbgd_breakpoint_set(process, address_of_line("/* call */"), 0, &b, &error));
	assert_int_equal(prog_submit(&prog, "lines", &job), 0);
	for (unsigned int i = 0; i < LINES_WAVES; i++)
		stops[i] = stop_at(b);
	MUST(adbgd_breakpoint_clear(b, &error));
	both_move(&stops[0], &stops[2], ADBGD_STEP_LINE_OVER);
	assert_true(stops[0].pc != address_of_line("/* twice */"));
	both_move(&stops[1], &stops[3], ADBGD_STEP_LINE_INTO);
	assert_true(stops[1].pc == address_of_line("/* twice */"));
	both_move(&stops[1], &stops[3], 0);
	while (stops[0].reason == ADBGD_STOP_STEP && steps++ < 20)
		both_move(&stops[0], &stops[2], ADBGD_STEP_LINE_OVER);
	assert_string_equal(adbgd_stop_reason_name(stops[0].reason), "wave-end");
	MUST(adbgd_process_continue(process, &error));
	assert_int_equal(gpu_wait(&prog.gpu, &job, DEADLINE_MS * 1000000ull), 0);
	gpu_job_free(&prog.gpu, &job);
	assert_no_stop();
}

static int open_lines(void **state)
{
	int ret = prog_open(&prog, NULL, LINES_FILE, LINES_ITEMS, 0);

	(void)state;
	if (!ret)
		ret = adbgd_code_open(LINES_FILE, &code, &error);
	return ret ? ret : adbgd_code_set_base(code, adbgd_code_get_info(code)->text.start +
					       prog.buf[PROG_CODE].va, &error);
}

static int close_lines(void **state)
{
	adbgd_code_free(code);
	return close_prog(state);
}

static int detach_lines(void **state)
{
	(void)state;
	detach();
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(one_descriptor_suffices_for_several_waves),
		TEST(two_waves_can_have_the_same_goal),
		TEST(an_operation_can_be_cancelled),
		TEST(other_stops_end_an_operation),
		TEST(a_breakpoint_that_becomes_set_is_reported),
		TEST(the_end_of_the_target_ends_all_operations),
	};
	const struct CMUnitTest by_line[] = {
		cmocka_unit_test_setup_teardown(lines_are_those_of_the_functions_that_wait, set_up,
						detach_lines),
	};

	if (argc == 2 && !strcmp(argv[1], "target"))
		return be_target();
	return cmocka_run_group_tests(tests, open_some, close_prog) +
	       cmocka_run_group_tests(by_line, open_lines, close_lines);
}

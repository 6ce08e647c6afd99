// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libamdgpudbg-debug on a process: breakpoints, steps, and that nothing is left of them. The
 * effect of each instruction of breaks.s is known, and its results depend on each.
 *
 * usage: debugger [GROUP]
 *	without GROUP	breakpoints and steps
 *	bounded		a user with a very short halt time
 *	deaths SEED	the debugger is killed at 100 random moments
 *	conditions	breakpoints for some of many waves
 *	stepped		breakpoints by stepping, which change no code
 *	until		one wave runs until it reaches a place
 *	start		waves are halted at their first instruction
 *	trace		records of the instructions of one wave
 *	barrier		waves that wait for others at a barrier
 *	waves		many waves at the same time, in any order
 *	watch		watchpoints
 *	run		programs that the debugger starts
 *	target, hang, run HOW	the programs that are debugged
 *	first PID ADDRESS	a debugger in a separate process
 */
#include "debugger.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "people.h"
#include "until.h"

static struct adbgd_breakpoint *set(const char *name)
{
	struct adbgd_breakpoint *b;

	MUST(adbgd_breakpoint_set(process, address_of(name), 0, &b, &error));
	return b;
}

static void continue_all(void)
{
	MUST(adbgd_process_continue(process, &error));
}

/* --------------------------------------------------------------- breakpoints */

/* s13 counts the rounds, and is counted by the very instruction. */
static void waves_stop_in_each_round(void **state)
{
	struct adbgd_breakpoint *b = set("breaks_loop");
	struct adbgd_stop stops[NUM_WAVES];

	(void)state;
	start_job();
	release_waves();
	for (unsigned int round = 0; round < ROUNDS; round++) {
		all_stop_at(b, stops);
		for (unsigned int i = 0; i < NUM_WAVES; i++)
			assert_int_equal(read_sgpr(&stops[i].at, 13), round);
		continue_all();
	}
	finish_job();
	assert_no_stop();
	assert_true(adbgd_breakpoint_get_info(b)->hits == ROUNDS * NUM_WAVES);
}

/* One wave runs alone to its end, while the others stay halted. */
static void waves_continue_one_by_one(void **state)
{
	struct adbgd_breakpoint *b = set("breaks_call");
	struct adbgd_stop stops[NUM_WAVES], stop;

	(void)state;
	start_job();
	release_waves();
	all_stop_at(b, stops);
	for (unsigned int i = 0; i < NUM_WAVES; i++) {
		for (unsigned int round = 1; round <= ROUNDS; round++) {
			assert_int_equal(read_sgpr(&stops[i].at, 13), round);
			MUST(adbgd_wave_continue(process, &stops[i].at, &error));
			if (round == ROUNDS)
				break;
			stop = stop_at(b);
			assert_memory_equal(&stop.at, &stops[i].at, sizeof(stop.at));
		}
		for (unsigned int k = i + 1; k < NUM_WAVES; k++)
			assert_int_equal(read_sgpr(&stops[k].at, 13), 1);
	}
	finish_job();
	assert_no_stop();
}

static const char *const names[] = {
	"breaks_loop", "breaks_call", "breaks_function", "breaks_mad", "breaks_return",
	"breaks_compare", "breaks_branch", "breaks_getpc", "breaks_after", "breaks_store",
	"breaks_end",
};

#define NUM_NAMES (sizeof(names) / sizeof(names[0]))

#define NUM_IN_LOOP	7

/* The path of a wave through all of them, which stops in so many rounds of the loop */
static unsigned int path(const char *through[], unsigned int max, unsigned int rounds)
{
	unsigned int n = 0;

	for (unsigned int round = 0; round < rounds; round++) {
		for (unsigned int i = 0; i < NUM_IN_LOOP && n < max; i++)
			through[n++] = names[i];
	}
	for (unsigned int i = NUM_IN_LOOP; i < NUM_NAMES && n < max; i++)
		through[n++] = names[i];
	return n;
}

static void all_stop_somewhere(const char *name)
{
	for (unsigned int i = 0; i < NUM_WAVES; i++) {
		struct adbgd_stop stop = next_stop();

		assert_int_equal(stop.reason, ADBGD_STOP_BREAKPOINT);
		if (stop.pc != address_of(name))
			fail_msg("it is at %#llx, not %s", (unsigned long long)stop.pc, name);
	}
}

/* Those of the loop are there for two rounds. */
static void each_kind_of_instruction_can_have_a_breakpoint(void **state)
{
	struct adbgd_breakpoint *b[NUM_NAMES];
	const char *through[128];
	unsigned int n = path(through, 128, 2);

	(void)state;
	for (unsigned int i = 0; i < NUM_NAMES; i++)
		b[i] = set(names[i]);
	start_job();
	release_waves();
	for (unsigned int k = 0; k < n; k++) {
		all_stop_somewhere(through[k]);
		for (unsigned int i = 0; k + 1 == 2 * NUM_IN_LOOP && i < NUM_IN_LOOP; i++)
			MUST(adbgd_breakpoint_clear(b[i], &error));
		continue_all();
	}
	finish_job();
	for (unsigned int i = NUM_IN_LOOP; i < NUM_NAMES; i++)
		MUST(adbgd_breakpoint_clear(b[i], &error));
}

static void a_temporary_breakpoint_stops_once(void **state)
{
	struct adbgd_breakpoint *b;
	struct adbgd_stop stop;

	(void)state;
	MUST(adbgd_breakpoint_set(process, address_of("breaks_mad"),
				  ADBGD_BREAKPOINT_TEMPORARY, &b, &error));
	start_job();
	release_waves();
	stop = next_stop();
	assert_int_equal(stop.reason, ADBGD_STOP_BREAKPOINT);
	assert_int_equal(stop.breakpoint, 1);
	assert_null(adbgd_process_get_breakpoint(process, 0));
	/* Other waves that had reached it continue undisturbed. */
	MUST(adbgd_wave_continue(process, &stop.at, &error));
	while (!job_has_ended())
		assert_int_equal(adbgd_process_wait_stop(process, 10, &stop, &error), -EAGAIN);
	finish_job();
}

/* Wait as a program does that polls other descriptors, too; 0: nothing came in time */
static int wait_for_fd(void)
{
	struct pollfd fd = { .fd = adbgd_process_get_fd(process), .events = POLLIN };
	int timeout = adbgd_process_get_poll_timeout(process);

	return poll(&fd, 1, timeout < 0 ? DEADLINE_MS : timeout) == 1 &&
	       fd.revents == POLLIN;
}

/* An event of a stop that was already reported may come late. */
static bool is_quiet(void *arg)
{
	struct pollfd fd = { .fd = adbgd_process_get_fd(process), .events = POLLIN };

	(void)arg;
	if (!poll(&fd, 1, 0))
		return true;
	assert_no_stop();
	return false;
}

/* The descriptor is readable while stops are pending, and not afterwards. */
static void stops_can_be_polled_for(void **state)
{
	struct adbgd_breakpoint *b = set("breaks_call");
	unsigned int reported = 0, polled = 0;
	struct adbgd_stop stop;
	int ret, has_come;

	(void)state;
	start_job();
	release_waves();
	while (reported < NUM_WAVES) {
		has_come = wait_for_fd();
		/* Without a stop, there was no descriptor that could have reported anything. */
		assert_true(has_come || adbgd_process_get_poll_timeout(process) >= 0);
		ret = adbgd_process_wait_stop(process, 0, &stop, &error);
		if (ret != -EAGAIN)
			MUST(ret);
		if (ret)
			continue;
		assert_int_equal(stop.breakpoint, adbgd_breakpoint_get_info(b)->number);
		reported++;
		polled += has_come;
	}
	assert_true(polled);
	assert_no_stop();
	assert_true(until(is_quiet, NULL, DEADLINE_MS / 1000));
	MUST(adbgd_breakpoint_clear(b, &error));
	continue_all();
	finish_job();
}

static void memory_is_read_without_breakpoints(void **state)
{
	uint64_t at = address_of("breaks_mad");
	const uint32_t *own = (const uint32_t *)(prog.co.image + (at - prog.buf[PROG_CODE].va));
	struct adbgd_memory memory;
	uint32_t words[4];

	(void)state;
	set("breaks_mad");
	adbgd_process_get_memory(process, &memory);
	MUST(memory.read(memory.data, at - 4, words, sizeof(words)));
	assert_memory_equal(words, own - 1, sizeof(words));
	/* A part of the first word, too */
	MUST(memory.read(memory.data, at + 1, words, 2));
	assert_memory_equal(words, (const uint8_t *)own + 1, 2);
	MUST(adbg_vm_read(adbgd_process_get_session(process), getpid(), at, words, 4));
	assert_int_equal(words[0], 0xbf920007);
}

/* --------------------------------------------------------------------- steps */

/* Step each wave from the first to the last instruction; the others run. */
static void steps_follow_the_program(void **state)
{
	struct adbgd_breakpoint *b = set("breaks_loop"), *mad = set("breaks_mad");
	struct adbgd_stop stops[NUM_WAVES], stop;
	const char *through[128];
	unsigned int n = path(through, 128, ROUNDS);

	(void)state;
	start_job();
	release_waves();
	all_stop_at(b, stops);
	for (unsigned int i = 0; i < NUM_WAVES; i += NUM_WAVES - 1) {
		unsigned int k = 1;

		do {
			MUST(adbgd_wave_step(process, &stops[i].at, &stop, &error));
			if (k < n && stop.pc == address_of(through[k]))
				k++;
			if (stop.pc == address_of("breaks_mad"))
				assert_int_equal(stop.breakpoint,
						 adbgd_breakpoint_get_info(mad)->number);
		} while (stop.reason == ADBGD_STOP_STEP);
		assert_int_equal(stop.reason, ADBGD_STOP_WAVE_END);
		if (k != n)
			fail_msg("wave %u has come to %s only", i, through[k]);
	}
	MUST(adbgd_breakpoint_clear(b, &error));
	MUST(adbgd_breakpoint_clear(mad, &error));
	continue_all();
	finish_job();
	assert_no_stop();
}

static void a_running_wave_is_not_stepped(void **state)
{
	struct adbg_session *session = adbgd_process_get_session(process);
	struct amdgpudbg_wave waves[NUM_WAVES];
	struct amdgpudbg_wave_list list = {
		.capacity = NUM_WAVES, .waves = (uintptr_t)waves,
	};
	struct adbgd_stop stop;

	(void)state;
	start_job();
	wait_begun();
	assert_int_equal(adbg_wave_read(session, &list), 0);
	assert_int_equal(adbgd_wave_step(process, &waves[0].at, &stop, &error), -EINPROGRESS);
	assert_non_null(strstr(error.text, "is not halted"));
	assert_int_equal(adbgd_wave_continue(process, &waves[0].at, &error), -EINPROGRESS);
	release_waves();
	finish_job();
	assert_int_equal(adbgd_wave_step(process, &waves[0].at, &stop, &error), -ENODATA);
	assert_non_null(strstr(error.text, "there is no wave of process"));
}

/* Halt waves anywhere, step them, and resume them. */
static void halted_waves_are_stepped(void **state)
{
	struct adbg_session *session = adbgd_process_get_session(process);
	struct amdgpudbg_wave waves[NUM_WAVES];
	struct amdgpudbg_wave_list list = {
		.capacity = NUM_WAVES, .waves = (uintptr_t)waves,
	};
	struct adbgd_stop stop;

	(void)state;
	start_job();
	wait_begun();
	MUST(adbgd_process_halt(process, &error));
	assert_int_equal(adbg_wave_read(session, &list), 0);
	assert_int_equal(list.count, NUM_WAVES);
	for (unsigned int i = 0; i < NUM_WAVES; i++) {
		for (unsigned int k = 0; k < 40; k++) {
			MUST(adbgd_wave_step(process, &waves[i].at, &stop, &error));
			assert_int_equal(stop.reason, ADBGD_STOP_STEP);
			assert_in_range(stop.pc, address_of("breaks_wait"),
					address_of("breaks_loop"));
		}
	}
	continue_all();
	release_waves();
	finish_job();
}

/* ------------------------------------------------------------------ the end */

/* Detach while all stops are pending, and while some were reported. */
static void waves_continue_when_the_debugger_detaches(void **state)
{
	(void)state;
	for (unsigned int reported = 0; reported <= NUM_WAVES; reported++) {
		struct adbgd_breakpoint *b = set("breaks_call");
		struct adbgd_stop stop;

		start_job();
		release_waves();
		wait_halted(NUM_WAVES);
		for (unsigned int i = 0; i < reported; i++)
			stop = stop_at(b);
		/* In the middle of it */
		for (unsigned int i = 0; reported && i < reported % 4; i++)
			MUST(adbgd_wave_step(process, &stop.at, &stop, &error));
		detach();
		finish_job();
		assert_code_as_before();
		MUST(attach(getpid()));
	}
}

static void waves_do_not_stop_at_a_cleared_breakpoint(void **state)
{
	struct adbgd_breakpoint *b = set("breaks_function");
	struct adbgd_stop stop;

	(void)state;
	start_job();
	release_waves();
	wait_halted(NUM_WAVES);
	stop = stop_at(b);
	MUST(adbgd_breakpoint_clear(b, &error));
	/* The others have stopped at a breakpoint that is gone: that is not reported. */
	while (count_halted() > 1)
		assert_int_equal(adbgd_process_wait_stop(process, 10, &stop, &error), -EAGAIN);
	continue_all();
	finish_job();
}

/* Others were there before: they would skip the instruction. */
static void a_breakpoint_waits_for_waves_without_the_handler(void **state)
{
	struct adbgd_breakpoint *b;
	struct adbgd_stop stop;

	(void)state;
	b = waits_for_waves_of_before(0);
	MUST(adbgd_breakpoint_clear(b, &error));
	while (!job_has_ended()) {
		assert_int_equal(adbgd_process_wait_stop(process, 10, &stop, &error), -EAGAIN);
		continue_all();
	}
	finish_job();
}

static bool has_no_waves(void *arg)
{
	struct amdgpudbg_wave waves[NUM_WAVES];
	struct amdgpudbg_wave_list list = {
		.capacity = NUM_WAVES, .waves = (uintptr_t)waves,
	};

	(void)arg;
	assert_int_equal(adbg_wave_read(adbgd_process_get_session(process), &list), 0);
	return !list.count;
}

/* It has none now, and starts others in its old VMID, without a handler. */
static void a_breakpoint_waits_for_jobs_without_the_handler(void **state)
{
	struct adbgd_breakpoint *b;
	bool waited;

	(void)state;
	detach();
	start_job_twice();
	release_waves();
	wait_written();
	MUST(attach(getpid()));
	assert_true(until(has_no_waves, NULL, DEADLINE_MS / 1000));
	b = set("breaks_call");
	waited = adbgd_breakpoint_get_info(b)->flags & ADBGD_BREAKPOINT_PENDING;
	go_again();
	finish_job();
	assert_true(waited);
	wait_set(b);
	start_job();
	release_waves();
	stop_at(b);
}

/* ------------------------------------------------------------------- mistakes */

static void refused(uint64_t address, int ret, const char *words)
{
	struct adbgd_breakpoint *b = NULL;

	assert_int_equal(adbgd_breakpoint_set(process, address, 0, &b, &error), ret);
	if (!strstr(error.text, words))
		fail_msg("\"%s\" is not in \"%s\"", words, error.text);
	assert_int_equal(error.error, ret);
	assert_null(b);
	assert_code_as_before();
}

static void impossible_breakpoints_give_a_message(void **state)
{
	struct adbgd_process *other;
	char where[80];

	(void)state;
	refused(address_of("breaks_mad") + 2, -EINVAL, "multiple of 4");
	/* A VOP3 with a literal: what is behind would be done with another one. */
	for (uint32_t i = 4; i < 12; i += 4) {
		snprintf(where, sizeof(where), "is in the middle of the instruction at %#llx",
			 (unsigned long long)address_of("breaks_mad"));
		refused(address_of("breaks_mad") + i, -EINVAL, where);
	}
	refused(0x123450000000, -ENXIO, "nothing is mapped at 0x123450000000");
	set("breaks_mad");
	assert_int_equal(adbgd_breakpoint_set(process, address_of("breaks_mad"), 0, NULL,
					      &error), -EEXIST);
	assert_non_null(strstr(error.text, "a breakpoint is already set at"));
	MUST(adbgd_breakpoint_clear(adbgd_process_get_breakpoint(process, 0), &error));
	assert_int_equal(adbgd_process_attach(NULL, 1, 0, &other, &error), -ENODATA);
	assert_non_null(strstr(error.text, "cannot attach to process 1"));
	assert_int_equal(adbgd_process_attach(NULL, getpid(), 0, &other, &error), -EBUSY);
	assert_non_null(strstr(error.text, "cannot set the trap handler"));
}

/* Memory of a program, mapped for data alone */
static void a_breakpoint_outside_of_code_is_refused(void **state)
{
	struct gpu_buffer *in = &prog.buf[PROG_IN];
	amdgpu_va_handle range;
	uint64_t va;

	(void)state;
	assert_int_equal(amdgpu_va_range_alloc(prog.gpu.dev, amdgpu_gpu_va_range_general,
					       4096, 4096, 0, &va, &range, 0), 0);
	assert_int_equal(amdgpu_bo_va_op_raw(prog.gpu.dev, in->bo, 0, 4096, va,
					     AMDGPU_VM_PAGE_READABLE, AMDGPU_VA_OP_MAP), 0);
	refused(va, -EACCES, "is not code: waves may not execute it");
	assert_int_equal(amdgpu_bo_va_op(in->bo, 0, 4096, va, 0, AMDGPU_VA_OP_UNMAP), 0);
	assert_int_equal(amdgpu_va_range_free(range), 0);
}

/* A user, and a process of root's */
static int of_another_user(void *arg)
{
	struct adbgd_process *other;
	pid_t pid = getppid();

	be_for_good(USER, true);
	if (adbgd_process_attach(NULL, pid, 0, &other, &error) != *(int *)arg) {
		print_error("%d, %s\n", error.error, error.text);
		return 1;
	}
	return !strstr(error.text, "cannot attach to process");
}

static void a_process_of_another_user_is_refused(void **state)
{
	struct adbgd_process *other;
	int wanted = -EACCES;
	pid_t pid;

	(void)state;
	assert_int_equal(child_run(of_another_user, &wanted), 0);
	/* Not by a signal: that would end the GPU context which it has from us, too. */
	pid = fork();
	if (!pid)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(adbgd_process_attach(NULL, pid, 0, &other, &error), -ESRCH);
	assert_non_null(strstr(error.text, "no such process"));
	assert_code_as_before();
}

/* ----------------------------------------------------------------- all of them */

static int debugger_breaks(void)
{
#define TARGET_TEST(name) \
	cmocka_unit_test_setup_teardown(name, set_up_target, take_down_target)
#define FAULT_TEST(name) \
	cmocka_unit_test_setup_teardown(name, set_up_faults, take_down_faults)
#define ROOM_TEST(name) \
	cmocka_unit_test_setup_teardown(name, set_up_room, take_down_room)
	const struct CMUnitTest tests[] = {
		TEST(waves_stop_in_each_round),
		TEST(waves_continue_one_by_one),
		TEST(each_kind_of_instruction_can_have_a_breakpoint),
		TEST(a_temporary_breakpoint_stops_once),
		TEST(stops_can_be_polled_for),
		TEST(memory_is_read_without_breakpoints),
		TEST(steps_follow_the_program),
		TEST(a_running_wave_is_not_stepped),
		TEST(halted_waves_are_stepped),
		TEST(waves_continue_when_the_debugger_detaches),
		TEST(waves_do_not_stop_at_a_cleared_breakpoint),
		TEST(a_breakpoint_whose_waves_are_not_resumed_can_be_cleared_again),
		TEST(waves_of_a_breakpoint_that_is_being_cleared_report_no_stop),
		TEST(waves_of_a_breakpoint_that_is_being_cleared_continue_after_detach),
		TEST(a_breakpoint_waits_for_waves_without_the_handler),
		TEST(a_breakpoint_waits_for_jobs_without_the_handler),
		TEST(impossible_breakpoints_give_a_message),
		TEST(a_breakpoint_outside_of_code_is_refused),
		TEST(a_process_of_another_user_is_refused),
		FAULT_TEST(each_exception_is_a_stop),
		FAULT_TEST(s_trap_is_a_stop),
		FAULT_TEST(each_exception_is_reported_once),
		FAULT_TEST(a_trace_has_no_gap),
		FAULT_TEST(s_trap_7_is_no_breakpoint),
		FAULT_TEST(traces_end_where_waves_stop),
		TEST(traps_by_the_host_are_reported),
		TEST(stops_in_debug_mode_are_reported),
		TEST(lds_is_read_and_written),
		TEST(lds_is_accessed_after_a_step),
		TEST(wrong_lds_accesses_are_refused),
		TEST(lds_of_waves_that_have_none_is_refused),
		TEST(vgprs_of_all_lanes_are_read_by_one_command),
		TEST(cond_dbg_bits_change_branches),
		TEST(a_second_debugger_can_only_read_and_halt_waves),
		cmocka_unit_test_setup_teardown(two_debuggers_have_two_processes, set_up,
						take_down_two),
		ROOM_TEST(a_process_without_free_addresses_for_a_handler),
		ROOM_TEST(a_process_without_free_addresses_for_records),
		TEST(nothing_is_left_after_detaching),
		TEST(debugger_killed_at_random),
		TARGET_TEST(replaced_code_has_no_breakpoint),
		TARGET_TEST(freed_code_has_no_breakpoint),
		TARGET_TEST(code_that_is_mapped_again_has_its_breakpoint),
		TARGET_TEST(the_target_exits),
		TARGET_TEST(the_target_is_killed_at_random),
		TARGET_TEST(the_target_exits_but_a_fork_of_it_stays),
		TARGET_TEST(the_target_calls_exec),
	};

	return cmocka_run_group_tests(tests, open_some, close_prog);
}

static int debugger_bounded(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_halt_time_of_a_user_runs_out),
	};

	return cmocka_run_group_tests(tests, open_some, close_prog);
}

static const struct {
	const char *name;
	int (*run)(void);
} parts[] = {
	{ "target", be_target },
	{ "hang", be_hanging },
	{ "bounded", debugger_bounded },
	{ "conditions", debugger_if },
	{ "stepped", debugger_stepped },
	{ "until", debugger_until },
	{ "start", debugger_start },
	{ "trace", debugger_trace },
	{ "barrier", debugger_barrier },
	{ "watch", debugger_watch },
	{ "run", debugger_run },
	{ "waves", debugger_waves },
};

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "deaths"))
		return debugger_deaths(atoi(argv[2]));
	if (argc == 3 && !strcmp(argv[1], "run"))
		return be_run(argv[2]);
	if (argc == 4 && !strcmp(argv[1], "first"))
		return be_first(argv[2], argv[3]);
	for (size_t i = 0; argc == 2 && i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!strcmp(argv[1], parts[i].name))
			return parts[i].run();
	}
	return argc == 1 ? debugger_breaks() : 1;
}

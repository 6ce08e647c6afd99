// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Waves that are halted at their first instruction: all waves, or those of one job and of all
 * later ones.
 */
#include "debugger.h"

#include <errno.h>
#include <unistd.h>

static void begin(void)
{
	start_job();
	release_waves();
}

/* Check that the job ends and none of its waves is reported. */
static void goes_by(void)
{
	struct adbgd_stop stop;

	while (!job_has_ended())
		assert_int_equal(adbgd_process_wait_stop(process, 10, &stop, &error), -EAGAIN);
	finish_job();
}

/* Check that one wave is reported, and all of the job are halted at their first instruction. */
static struct adbgd_stop begins(void)
{
	struct adbgd_stop stop = next_stop();

	assert_string_equal(adbgd_stop_reason_name(stop.reason), "start");
	assert_true(stop.pc == address_of("breaks"));
	wait_halted(NUM_WAVES);
	assert_true(wave_at(&stop.at).pc == stop.pc);
	assert_no_stop();
	return stop;
}

/* Check that no wave is resumed. */
static void all_stay(void)
{
	struct adbgd_stop stop;

	for (unsigned int i = 0; i < 10; i++)
		assert_int_equal(adbgd_process_wait_stop(process, 10, &stop, &error), -EAGAIN);
	assert_int_equal(count_halted(), NUM_WAVES);
}

static void all_waves_of_a_job_are_halted_at_their_start(void **state)
{
	struct adbgd_stop stop, step;

	(void)state;
	MUST(adbgd_process_stop_at_job(process, 3, &error));
	for (unsigned int i = 0; i < 2; i++) {
		begin();
		goes_by();
	}
	begin();
	stop = begins();
	MUST(adbgd_wave_step(process, &stop.at, &step, &error));
	assert_int_equal(step.reason, ADBGD_STOP_STEP);
	assert_true(step.pc > stop.pc && step.pc <= stop.pc + 8);
	MUST(adbgd_process_continue(process, &error));
	finish_job();
	/* That was it. */
	begin();
	goes_by();
}

/* Resuming all waves does not skip the one that is waited for. */
static void continuing_all_waves_keeps_waiting_for_a_new_wave(void **state)
{
	(void)state;
	MUST(adbgd_process_stop_at_job(process, 2, &error));
	MUST(adbgd_process_continue(process, &error));
	begin();
	goes_by();
	begin();
	wait_halted(NUM_WAVES);
	MUST(adbgd_process_continue(process, &error));
	assert_int_equal(count_halted(), NUM_WAVES);
	begins();
	MUST(adbgd_process_continue(process, &error));
	finish_job();
}

/* A wave at a breakpoint on its first instruction is not reported as a new wave. */
static void breakpoints_stop_waves_while_new_waves_are_halted(void **state)
{
	struct adbgd_stop stops[NUM_WAVES], step;
	struct adbgd_breakpoint *b;

	(void)state;
	MUST(adbgd_breakpoint_set(process, address_of("breaks"), 0, &b, &error));
	MUST(adbgd_process_stop_at_job(process, 2, &error));
	begin();
	all_stop_at(b, stops);
	all_stay();
	MUST(adbgd_wave_step(process, &stops[0].at, &step, &error));
	all_stay();
	MUST(adbgd_process_continue(process, &error));
	goes_by();
	begin();
	begins();
	/* They are at the breakpoint already. */
	MUST(adbgd_process_continue(process, &error));
	goes_by();
	assert_true(adbgd_breakpoint_get_info(b)->hits == NUM_WAVES);
}

/* Those before began without debug mode. */
static void breakpoints_by_stepping_stop_waves_while_new_waves_are_halted(void **state)
{
	struct adbgd_stop stops[NUM_WAVES];
	struct adbgd_breakpoint *b;

	(void)state;
	MUST(adbgd_breakpoint_set(process, address_of("breaks_after"), ADBGD_BREAKPOINT_STEPPED,
				  &b, &error));
	MUST(adbgd_process_stop_at_job(process, 2, &error));
	for (unsigned int i = 0; i < 2; i++) {
		begin();
		if (i)
			begins();
		MUST(adbgd_process_continue(process, &error));
		all_stop_at(b, stops);
		all_stay();
		MUST(adbgd_process_continue(process, &error));
		goes_by();
	}
}

static void put_pc(const struct amdgpudbg_wave_coord *at, uint64_t pc)
{
	write_reg(at, AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_PC_LO, (uint32_t)pc);
	write_reg(at, AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_PC_HI, pc >> 32 & 0xffff);
}

/* Not even at the address where waves begin */
static void a_halted_wave_is_not_reported_as_new(void **state)
{
	struct amdgpudbg_wave wave[NUM_WAVES];
	struct amdgpudbg_wave_list list = { .capacity = NUM_WAVES, .waves = (uintptr_t)wave };

	(void)state;
	start_job();
	wait_begun();
	MUST(adbgd_process_stop_at_start(process, true, &error));
	MUST(adbgd_process_halt(process, &error));
	assert_int_equal(adbg_wave_read(adbgd_process_get_session(process), &list), 0);
	assert_int_equal(list.count, NUM_WAVES);
	put_pc(&wave[0].at, address_of("breaks"));
	all_stay();
	put_pc(&wave[0].at, wave[0].pc);
	MUST(adbgd_process_continue(process, &error));
	release_waves();
	goes_by();
	begin();
	begins();
	MUST(adbgd_process_continue(process, &error));
	finish_job();
}

/* A wave that was already halted at its start is reported: the halt did not cause it. */
static void a_wave_that_started_before_a_halt_is_reported(void **state)
{
	(void)state;
	MUST(adbgd_process_stop_at_start(process, true, &error));
	begin();
	wait_halted(NUM_WAVES);
	MUST(adbgd_process_halt(process, &error));
	begins();
	MUST(adbgd_process_continue(process, &error));
	finish_job();
}

static void halting_new_waves_can_be_switched_off(void **state)
{
	(void)state;
	MUST(adbgd_process_stop_at_job(process, 1, &error));
	MUST(adbgd_process_stop_at_start(process, false, &error));
	begin();
	goes_by();
	assert_int_equal(adbgd_process_stop_at_job(process, 0, &error), -EINVAL);
	assert_non_null(strstr(error.text, "job numbers start at 1"));
	begin();
	goes_by();
	/* The number is changed. */
	MUST(adbgd_process_stop_at_job(process, 7, &error));
	MUST(adbgd_process_stop_at_job(process, 1, &error));
	begin();
	begins();
	MUST(adbgd_process_continue(process, &error));
	finish_job();
}

/* Without the debugger all waves resume. */
static void new_waves_run_when_the_debugger_dies(void **state)
{
	(void)state;
	MUST(adbgd_process_stop_at_job(process, 9, &error));
	begin();
	wait_halted(NUM_WAVES);
	detach();
	finish_job();
}

/* It ends also where the session does not. */
static void the_launch_mode_of_a_session_is_restored(void **state)
{
	struct adbg_session *session;

	(void)state;
	detach();
	session = own_session();
	MUST(adbgd_process_attach_session(session, getpid(), &process, &error));
	MUST(adbgd_process_stop_at_start(process, true, &error));
	begin();
	begins();
	detach();
	finish_job();
	begin();
	finish_job();
	close_own_session();
}

int debugger_start(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_waves_of_a_job_are_halted_at_their_start),
		TEST(continuing_all_waves_keeps_waiting_for_a_new_wave),
		TEST(breakpoints_stop_waves_while_new_waves_are_halted),
		TEST(breakpoints_by_stepping_stop_waves_while_new_waves_are_halted),
		TEST(a_halted_wave_is_not_reported_as_new),
		TEST(a_wave_that_started_before_a_halt_is_reported),
		TEST(halting_new_waves_can_be_switched_off),
		TEST(new_waves_run_when_the_debugger_dies),
		TEST(the_launch_mode_of_a_session_is_restored),
	};

	return cmocka_run_group_tests(tests, open_some, close_prog);
}

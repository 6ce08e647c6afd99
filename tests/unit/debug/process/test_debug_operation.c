// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/process/operation.c, async.c, events.c: operations that single-step a wave, and the
 * descriptor of an event loop. This file simulates the GPU. Waves that run are tested in the guest:
 * tests/vm/guest/debug/async.c.
 */
#include "debug/util.h"

#include <errno.h>
#include <poll.h>

#include "mock.h"
#include "process/breakpoint.h"
#include "process/poll_fd.h"
#include "trap_abi.h"

#define PC	0x123400001000ull

static struct adbgd_process process;
static struct adbgd_breakpoint breakpoint;
static struct amdgpudbg_wave wave;
static struct adbgd_error error;
static unsigned int num_steps, num_resumed;
static bool has_ended;

static void control_wave(void *arg)
{
	struct amdgpudbg_wave_control *control = arg;

	control->matched = 1;
	if (control->op == AMDGPUDBG_WAVEOP_RESUME) {
		num_resumed++;
		control->changed = 1;
		wave.flags &= ~AMDGPUDBG_WAVE_HALTED;
		return;
	}
	assert_int_equal(control->op, AMDGPUDBG_WAVEOP_STEP);
	num_steps++;
	control->changed = !has_ended;
	wave.pc += 4;
	control->new_pc = wave.pc;
}

static const struct mock_ioctl answers[] = {
	{ .request = AMDGPUDBG_IOC_WAVE_LIST, .waves = &wave, .num_waves = 1 },
	{ .request = AMDGPUDBG_IOC_WAVE_CONTROL, .check = control_wave },
};

static void begin(void)
{
	static const struct mock_ioctl open[] = { MOCK_GET_INFO };

	process = (struct adbgd_process){
		.info = { .vmid = 1, .gc_version = ADBG_GC_VERSION(10, 3, 1) },
		.session = mock_session(open, 1),
		.interrupt_fd = -1, .va_bits = 48, .exec.program_fd = -1,
	};
	trap_header(process.handler.header, 1, 1, 1, 1, 10);
	mock_answer(answers, ARRAY_SIZE(answers));
	assert_int_equal(adbg_wave_list_new(&process.waves), 0);
	wave = (struct amdgpudbg_wave){
		.vmid = 1, .flags = AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_TTMP, .pc = PC,
	};
	num_steps = 0;
	num_resumed = 0;
	has_ended = false;
}

static void end(void)
{
	struct adbgd_operation_info info;

	assert_int_equal(adbgd_process_get_operation(&process, 0, &info), -ENOENT);
	assert_null(process.runs);
	adbgd_poll_fd_close(&process);
	adbg_wave_list_free(process.waves);
	adbg_session_close(process.session);
}

static void no_stop(void)
{
	struct adbgd_stop stop;

	assert_int_equal(adbgd_process_handle_timeout(&process, &stop, &error), -EAGAIN);
}

static void a_step_is_executed_when_stops_are_handled(void **state)
{
	struct adbgd_operation_info info;
	struct adbgd_stop stop;
	uint32_t number;

	(void)state;
	begin();
	assert_int_equal(adbgd_process_get_poll_timeout(&process), -1);
	no_stop();
	assert_int_equal(adbgd_wave_start_step(&process, &wave.at, &number, &error), 0);
	assert_int_equal(num_steps, 0);
	assert_int_equal(adbgd_process_get_operation(&process, 0, &info), 0);
	assert_int_equal(info.number, number);
	assert_int_equal(info.kind, ADBGD_OPERATION_STEP);
	assert_int_equal(info.flags, ADBGD_OPERATION_STEPPED);
	assert_int_equal(adbgd_process_get_poll_timeout(&process), 0);
	assert_int_equal(adbgd_process_handle_timeout(&process, &stop, &error), 0);
	assert_int_equal(num_steps, 1);
	assert_int_equal(stop.reason, ADBGD_STOP_STEP);
	assert_int_equal(stop.operation, number);
	assert_int_equal(stop.error, 0);
	assert_true(stop.pc == PC + 4);
	assert_int_equal(adbgd_process_get_poll_timeout(&process), -1);
	no_stop();
	end();
}

static bool is_readable(void)
{
	struct pollfd fd = { .fd = adbgd_process_get_fd(&process), .events = POLLIN };

	assert_true(fd.fd >= 0);
	return poll(&fd, 1, 0);
}

/* Until a call has found that nothing is left */
static void the_descriptor_is_readable_while_there_is_something_to_do(void **state)
{
	struct pollfd fd = { .events = POLLIN };
	struct adbgd_stop stop;

	(void)state;
	begin();
	assert_false(is_readable());
	assert_int_equal(adbgd_wave_start_step(&process, &wave.at, NULL, &error), 0);
	assert_true(is_readable());
	assert_int_equal(adbgd_process_handle_timeout(&process, &stop, &error), 0);
	assert_true(is_readable());
	no_stop();
	assert_false(is_readable());
	/* Now there is something to look for now and then. */
	process.lost_events = true;
	adbgd_poll_fd_wake(&process);
	assert_true(is_readable());
	no_stop();
	process.lost_events = true;
	no_stop();
	assert_false(is_readable());
	process.launch.state = ADBGD_LAUNCH_REPORT_FIRST;
	adbgd_poll_fd_wake(&process);
	no_stop();
	fd.fd = adbgd_process_get_fd(&process);
	assert_int_equal(poll(&fd, 1, 10000), 1);
	process.launch.state = ADBGD_LAUNCH_RUN;
	no_stop();
	assert_false(is_readable());
	free(process.launch.halted.bits);
	end();
}

static void the_end_of_the_wave_ends_its_step(void **state)
{
	struct adbgd_stop stop;
	uint32_t number;

	(void)state;
	begin();
	has_ended = true;
	assert_int_equal(adbgd_wave_start_step(&process, &wave.at, &number, &error), 0);
	assert_int_equal(adbgd_process_handle_timeout(&process, &stop, &error), 0);
	assert_int_equal(stop.reason, ADBGD_STOP_WAVE_END);
	assert_int_equal(stop.operation, number);
	end();
}

static void only_its_operation_moves_a_wave(void **state)
{
	struct adbgd_stop stop;
	uint32_t number;

	(void)state;
	begin();
	assert_int_equal(adbgd_wave_start_step(&process, &wave.at, &number, &error), 0);
	assert_int_equal(adbgd_wave_start_step(&process, &wave.at, NULL, &error), -EBUSY);
	assert_string_equal(error.text, "operation 1 moves wave se0.sa0.wgp0.simd0.wave0");
	assert_int_equal(adbgd_wave_step(&process, &wave.at, &stop, &error), -EBUSY);
	assert_int_equal(adbgd_wave_continue(&process, &wave.at, &error), -EBUSY);
	assert_int_equal(adbgd_process_continue(&process, &error), 0);
	assert_int_equal(num_resumed, 0);
	assert_int_equal(adbgd_operation_cancel(&process, number + 1, &stop, &error), -ENOENT);
	assert_int_equal(adbgd_operation_cancel(&process, number, &stop, &error), 0);
	assert_int_equal(stop.reason, ADBGD_STOP_INTERRUPTED);
	assert_int_equal(stop.operation, number);
	assert_true(stop.pc == PC);
	assert_int_equal(adbgd_operation_cancel(&process, number, &stop, &error), -ENOENT);
	assert_int_equal(num_steps, 0);
	no_stop();
	end();
}

static void a_released_wave_runs(void **state)
{
	uint32_t number;

	(void)state;
	begin();
	assert_int_equal(adbgd_wave_start_step(&process, &wave.at, &number, &error), 0);
	assert_int_equal(adbgd_operation_release(&process, number, &error), 0);
	assert_int_equal(num_resumed, 1);
	assert_int_equal(num_steps, 0);
	assert_int_equal(adbgd_operation_release(&process, number, &error), -ENOENT);
	end();
}

/* The wave was resumed behind the operation's back. */
static void an_operation_that_fails_has_an_error(void **state)
{
	struct adbgd_stop stop;
	uint32_t number;

	(void)state;
	begin();
	assert_int_equal(adbgd_wave_start_step(&process, &wave.at, &number, &error), 0);
	wave.flags &= ~AMDGPUDBG_WAVE_HALTED;
	assert_int_equal(adbgd_process_handle_timeout(&process, &stop, &error), 0);
	assert_int_equal(stop.reason, ADBGD_STOP_INTERRUPTED);
	assert_int_equal(stop.error, -EINPROGRESS);
	assert_int_equal(stop.operation, number);
	assert_string_equal(adbgd_process_get_operation_error(&process)->text,
			    "wave se0.sa0.wgp0.simd0.wave0 is not halted");
	end();
}

static void the_end_of_the_target_ends_operations(void **state)
{
	const struct amdgpudbg_event gone = { .type = AMDGPUDBG_EVENT_TARGET_GONE };
	struct adbgd_stop stop;

	(void)state;
	begin();
	assert_int_equal(adbgd_wave_start_step(&process, &wave.at, NULL, &error), 0);
	assert_int_equal(adbgd_process_handle_event(&process, &gone, &stop, &error), 0);
	assert_int_equal(stop.reason, ADBGD_STOP_EXITED);
	assert_int_equal(stop.operation, 0);
	assert_int_equal(num_steps, 0);
	assert_int_equal(adbgd_process_get_poll_timeout(&process), -1);
	end();
}

static void is_reported(uint32_t number)
{
	struct adbgd_stop stop;

	assert_int_equal(adbgd_process_get_poll_timeout(&process), 0);
	assert_int_equal(adbgd_process_handle_timeout(&process, &stop, &error), 0);
	assert_int_equal(stop.reason, ADBGD_STOP_BREAKPOINT_STATE);
	assert_int_equal(stop.breakpoint, number);
	assert_int_equal(adbgd_process_get_poll_timeout(&process), -1);
	no_stop();
}

static void changes_of_breakpoints_are_reported_if_wanted(void **state)
{
	(void)state;
	begin();
	breakpoint = (struct adbgd_breakpoint){ .info.number = 7, .process = &process };
	process.breakpoints.first = &breakpoint;
	breakpoint.was_pending = true;
	no_stop();
	adbgd_process_report_breakpoints(&process, true);
	no_stop();
	breakpoint.was_pending = true;
	is_reported(7);
	breakpoint.info.flags = ADBGD_BREAKPOINT_DISABLED | ADBGD_BREAKPOINT_PENDING;
	no_stop();
	breakpoint.info.flags = 0;
	no_stop();
	breakpoint.was_pending = true;
	adbgd_process_report_breakpoints(&process, false);
	no_stop();
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MOCK_TEST(a_step_is_executed_when_stops_are_handled),
		MOCK_TEST(the_descriptor_is_readable_while_there_is_something_to_do),
		MOCK_TEST(the_end_of_the_wave_ends_its_step),
		MOCK_TEST(only_its_operation_moves_a_wave),
		MOCK_TEST(a_released_wave_runs),
		MOCK_TEST(an_operation_that_fails_has_an_error),
		MOCK_TEST(the_end_of_the_target_ends_operations),
		MOCK_TEST(changes_of_breakpoints_are_reported_if_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

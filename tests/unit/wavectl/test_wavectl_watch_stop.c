// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl watch set --stop: the settings that it makes, and that a wave that hits the watch is
 * resumed. More of the output is in transcripts/watch.txt.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mock.h"
#include "run_wavectl.h"

static struct run r;

#define STOP "watch set --pid 4711 --address 0x4000 --bytes 4096 --stop"

/* Asks for the geometry, makes two buffers, fills both, sets the handler. */
#define INSTALL \
	MOCK_GET_INFO, \
	{ .request = AMDGPUDBG_IOC_MEM_ALLOC, .out = &memory, \
	  .size = sizeof(memory) }, \
	{ .request = AMDGPUDBG_IOC_MEM_ALLOC, .out = &memory, \
	  .size = sizeof(memory) }, \
	{ .request = AMDGPUDBG_IOC_MEM_COPY }, \
	{ .request = AMDGPUDBG_IOC_MEM_COPY }, \
	{ .request = AMDGPUDBG_IOC_TRAP_HANDLER }

#define TARGET { .request = AMDGPUDBG_IOC_TARGET_SET }
#define ENABLE { .request = AMDGPUDBG_IOC_EVENT_ENABLE, .check = stops_and_ends }
#define LAUNCH(f) { .request = AMDGPUDBG_IOC_LAUNCH_SET, .check = f }
#define WATCH { .request = AMDGPUDBG_IOC_WATCH_SET, .out = &set, .size = sizeof(set) }

static const struct amdgpudbg_mem_alloc memory = {
	.size = sizeof(memory), .bytes = 65536, .va = 0x601000000000, .id = 1,
};

static const struct amdgpudbg_watch_set set = {
	.size = sizeof(set), .id = 1, .vmid = 4,
};

/* Watch 1; then another reason */
static const struct amdgpudbg_event stops[] = {
	{
		.size = sizeof(stops[0]), .type = AMDGPUDBG_EVENT_WAVE,
		.at = { .wgp = 3, .simd = 1, .wave = 5 }, .vmid = 4,
		.flags = AMDGPUDBG_EVENT_HAS_WAVE | AMDGPUDBG_EVENT_HAS_STATE,
		.pc = 0x1004,
		.cause = AMDGPUDBG_CAUSE_WATCH, .watch_mask = 2,
	},
	{
		.size = sizeof(stops[0]), .type = AMDGPUDBG_EVENT_WAVE,
		.at = { .wgp = 2 }, .vmid = 4,
		.flags = AMDGPUDBG_EVENT_HAS_WAVE | AMDGPUDBG_EVENT_HAS_STATE,
		.pc = 0x2000,
		.cause = AMDGPUDBG_CAUSE_S_TRAP, .trap_id = 3,
	},
};

static void must(bool ok)
{
	if (!ok)
		abort();
}

static void stops_and_ends(void *arg)
{
	const struct amdgpudbg_event_enable *call = arg;

	must(call->mask == 0x1d4 && !call->cause_mask);
}

static void the_exception(void *arg)
{
	const struct amdgpudbg_launch_set *call = arg;

	must(!call->mode && call->flags == AMDGPUDBG_LAUNCH_SET_EXCP &&
	     call->excp_mask == AMDGPUDBG_CAUSE_WATCH);
}

static void as_before(void *arg)
{
	const struct amdgpudbg_launch_set *call = arg;

	must(!call->mode && !call->flags && !call->excp_mask);
}

static void of_the_wave(void *arg)
{
	const struct amdgpudbg_wave_list *call = arg;

	must(call->select.at.wgp == 3 && call->select.at.simd == 1 && call->select.at.wave == 5 &&
	     call->select.at_mask == 0x3f && call->select.vmid_mask == 1 << 4);
}

static void give_all(void *arg)
{
	struct amdgpudbg_reg_access *call = arg;
	uint32_t *values = (uint32_t *)(uintptr_t)call->values;

	for (uint32_t i = 0; i < call->num_values; i++)
		values[i] = i;
	call->num_done = call->num_values;
}

static void resumes_5(void *arg)
{
	const struct amdgpudbg_wave_control *call = arg;

	must(call->op == AMDGPUDBG_WAVEOP_RESUME && !call->mode &&
	     call->vmid == 4 && call->at.wave == 5);
}

#define HIT \
	{ .request = AMDGPUDBG_IOC_WAVE_LIST, .waves = &mock_waves[1], \
	  .num_waves = 1, .check = of_the_wave }, \
	{ .request = AMDGPUDBG_IOC_REG_ACCESS, .check = give_all }, \
	{ .request = AMDGPUDBG_IOC_WAVE_CONTROL, .check = resumes_5 }

static void watch_stop_reads_and_resumes_a_wave_that_hits(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, TARGET, ENABLE, INSTALL, LAUNCH(the_exception), WATCH,
		HIT,
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	mock_add_events(&stops[0], sizeof(stops[0]));
	assert_int_equal(run(&r, STOP " --count 1"), 0);
}

static void watch_stop_resumes_other_stops_without_counting_them(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, TARGET, ENABLE, INSTALL, LAUNCH(the_exception), WATCH,
		{ .request = AMDGPUDBG_IOC_WAVE_CONTROL }, HIT,
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	mock_add_events(&stops[1], sizeof(stops[1]));
	mock_add_events(&stops[0], sizeof(stops[0]));
	assert_int_equal(run(&r, STOP " --count 1"), 0);
}

/* In a batch nothing of it is left, and the launch mode is as it was. */
static void watch_stop_in_a_batch_undoes_its_settings(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, ENABLE, INSTALL, LAUNCH(the_exception),
		WATCH, { .request = AMDGPUDBG_IOC_WATCH_CLEAR },
		LAUNCH(as_before), { .request = AMDGPUDBG_IOC_TRAP_HANDLER },
		{ .request = AMDGPUDBG_IOC_MEM_FREE },
		{ .request = AMDGPUDBG_IOC_MEM_FREE }, LISTENS,
		LIST_WAVES(all_vmids, 0),
	};
	static const char name[] = "/tmp/wavectl-stop";
	FILE *f = fopen(name, "w");

	(void)state;
	assert_non_null(f);
	fputs(STOP " --for 0.01\nwave list\n", f);
	fclose(f);
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "batch /tmp/wavectl-stop --pid 4711"), 0);
	remove(name);
}

static void hit_comes(void *arg)
{
	(void)arg;
	mock_send_events(&stops[0], sizeof(stops[0]));
}

/* Of which the second is about more than the command */
static void more_comes(void *arg)
{
	static const struct amdgpudbg_event reset = {
		.size = sizeof(reset), .type = AMDGPUDBG_EVENT_GPU_RESET,
	};

	(void)arg;
	mock_send_events(&stops[1], sizeof(stops[1]));
	mock_send_events(&reset, sizeof(reset));
}

static void events_while_watch_stop_undoes_its_settings_are_reported(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, ENABLE, INSTALL, LAUNCH(the_exception),
		{ .request = AMDGPUDBG_IOC_WATCH_SET, .out = &set,
		  .size = sizeof(set), .check = hit_comes }, HIT,
		{ .request = AMDGPUDBG_IOC_WATCH_CLEAR, .check = more_comes },
		LAUNCH(as_before), { .request = AMDGPUDBG_IOC_TRAP_HANDLER },
		{ .request = AMDGPUDBG_IOC_MEM_FREE },
		{ .request = AMDGPUDBG_IOC_MEM_FREE },
		{ .request = AMDGPUDBG_IOC_WAVE_CONTROL }, LISTENS,
	};
	static const char name[] = "/tmp/wavectl-stop";
	FILE *f = fopen(name, "w");

	(void)state;
	assert_non_null(f);
	fputs(STOP " --count 1\nwave list\n", f);
	fclose(f);
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "batch /tmp/wavectl-stop --pid 4711"), 7);
	contains(r.out, "\n1 hits; the waves continue to run\n"
		 "gpu-reset: the GPU, or a part of it, was reset\n");
	remove(name);
}

/* A handler stays after its command, and reports stops until it is removed. */
static void trap_install_stays_in_a_session_until_off(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, ENABLE, INSTALL,
		LIST_WAVES(all_vmids, 0),
		{ .request = AMDGPUDBG_IOC_TRAP_HANDLER },
		{ .request = AMDGPUDBG_IOC_MEM_FREE },
		{ .request = AMDGPUDBG_IOC_MEM_FREE }, LISTENS,
		LIST_WAVES(all_vmids, 0),
	};
	static const char name[] = "/tmp/wavectl-stop";
	FILE *f = fopen(name, "w");

	(void)state;
	assert_non_null(f);
	fputs("trap install\nwave list\ntrap set --off\nwave list\n", f);
	fclose(f);
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "batch /tmp/wavectl-stop --pid 4711"), 0);
	remove(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN_TEST_PROCESS(watch_stop_reads_and_resumes_a_wave_that_hits),
		RUN_TEST_PROCESS(watch_stop_resumes_other_stops_without_counting_them),
		RUN_TEST_PROCESS(watch_stop_in_a_batch_undoes_its_settings),
		RUN_TEST_PROCESS(events_while_watch_stop_undoes_its_settings_are_reported),
		RUN_TEST_PROCESS(trap_install_stays_in_a_session_until_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

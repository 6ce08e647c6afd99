// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl event follow: which events it enables, and what ends it. What it prints is in
 * transcripts/event.txt.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "mock.h"
#include "run_wavectl.h"

#define ENABLE(_mask) { \
	.request = AMDGPUDBG_IOC_EVENT_ENABLE, \
	.size = sizeof(struct amdgpudbg_event_enable), \
	.in = &(const struct amdgpudbg_event_enable){ \
		.size = sizeof(struct amdgpudbg_event_enable), \
		.mask = (_mask), \
		.entry_size = AMDGPUDBG_SIZE_MAX, \
	}, \
}

#define ALL 0x1fe	/* but jobs */
#define FIRST "printing events; Ctrl-C ends\n"

static const struct mock_ioctl expect_all[] = { OPEN, MOCK_GET_INFO, ENABLE(ALL) };

static const struct amdgpudbg_event events[] = {
	{
		.size = sizeof(events[0]),
		.type = AMDGPUDBG_EVENT_WAVE,
		.seq = 1,
		.time = 12000345678,
		.at = { .se = 0, .sa = 1, .wgp = 3, .simd = 1, .wave = 5 },
		.flags = AMDGPUDBG_EVENT_HAS_WAVE | AMDGPUDBG_EVENT_HAS_STATE |
			 AMDGPUDBG_EVENT_IS_PRIV,
		.vmid = 4,
		.pasid = 32769,
		.data = 0x1a,
		.pc = 0x800000001004,
		.cause = AMDGPUDBG_CAUSE_MEM_VIOL | AMDGPUDBG_CAUSE_ILLEGAL_INST,
	},
	{
		.size = sizeof(events[0]),
		.type = AMDGPUDBG_EVENT_WAVE,
		.seq = 2,
		.time = 12100000000,
		.at = { .se = 0, .sa = 0, .wgp = 0, .simd = 0, .wave = 0 },
		.flags = AMDGPUDBG_EVENT_HAS_WAVE,
		.vmid = 5,
		.pasid = 32770,
	},
	{
		.size = sizeof(events[0]),
		.type = AMDGPUDBG_EVENT_LOST,
		.seq = 3,
		.time = 12100000999,
		.data = 7,
	},
	{
		.size = sizeof(events[0]),
		.type = AMDGPUDBG_EVENT_TARGET_GONE,
		.seq = 10,
		.time = 13000000000,
	},
};

static struct run r;

static void event_follow_enables_the_types_of_its_option(void **state)
{
	const struct mock_ioctl expect[] = {
		OPEN, ENABLE(1ULL << AMDGPUDBG_EVENT_WAVE |
			     1ULL << AMDGPUDBG_EVENT_GPU_RESET),
	};
	const struct mock_ioctl expect_all[] = {
		OPEN, ENABLE(ALL),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	mock_end_events(ENOTCONN);
	assert_int_equal(run(&r, "events --type wave,gpu-reset"), 0);
	/* Of all, those that the GPU has. */
	mock_expect(expect_all, ARRAY_SIZE(expect_all));
	mock_end_events(ENOTCONN);
	assert_int_equal(run(&r, "events --type all"), 0);
}

static void the_module_filters_the_causes_of_events(void **state)
{
	const struct mock_ioctl expect[] = {
		OPEN, MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_EVENT_ENABLE,
		  .size = sizeof(struct amdgpudbg_event_enable),
		  .in = &(const struct amdgpudbg_event_enable){
			.size = sizeof(struct amdgpudbg_event_enable), .mask = ALL,
			.cause_mask = AMDGPUDBG_CAUSE_WATCH | AMDGPUDBG_CAUSE_S_TRAP,
			.entry_size = AMDGPUDBG_SIZE_MAX,
		  } },
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	mock_add_events(events, sizeof(events));
	mock_end_events(ENOTCONN);
	assert_int_equal(run(&r, "events --cause addr-watch,s-trap"), 0);
}

static void event_follow_ends_after_count_events(void **state)
{
	(void)state;
	mock_expect(expect_all, ARRAY_SIZE(expect_all));
	mock_add_events(events, 2 * sizeof(events[0]));
	mock_add_events(events + 2, sizeof(events[0]));
	assert_int_equal(run(&r, "events --count 1"), 0);
	contains(r.out, " 1 wave ");
	assert_null(strstr(r.out, " 2 wave "));

	assert_int_equal(run(&r, "events --count 3"), 0);
	contains(r.out, " 3 lost 7\n");
	/* The file may end later, but the count was reached. */
	mock_end_events(ENOTCONN);
	assert_int_equal(run(&r, "events --count 3"), 0);
	assert_int_equal(run(&r, "events --count 4"), 3);
}

static void a_signal_ends_event_follow(void **state)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

	(void)state;
	mock_expect(expect_all, ARRAY_SIZE(expect_all));
	mock_add_events(events, sizeof(events[0]));
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		run_start(&r, "events");
		run_line(&r);
		assert_string_equal(r.out, FIRST);
		run_line(&r);
		contains(r.out, " 1 wave ");
		kill(r.pid, signals[i]);
		run_end(&r);
		assert_int_equal(r.status, 0);
	}
}

/* They are not of the VMID that was asked for, so that none is printed. */
static void a_signal_ends_event_follow_in_a_flood_of_events(void **state)
{
	static const struct amdgpudbg_event other = {
		.size = sizeof(other), .type = AMDGPUDBG_EVENT_JOB_BEGIN, .vmid = 1,
		.flags = AMDGPUDBG_EVENT_HAS_JOB,
	};
	const struct mock_ioctl expect[] = {
		OPEN_VMID, MOCK_GET_INFO, ENABLE(ALL),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	mock_add_events(&other, sizeof(other));
	mock_repeat_events();
	run_start(&r, "events --vmid 2");
	run_line(&r);
	assert_string_equal(r.out, FIRST);
	kill(r.pid, SIGINT);
	run_end(&r);
	assert_int_equal(r.status, 0);
}

static void event_follow_dry_run_enables_no_events(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "events --dry-run"), 0);
}

static void event_follow_ends_if_its_output_cannot_be_written(void **state)
{
	(void)state;
	mock_expect(expect_all, ARRAY_SIZE(expect_all));
	mock_add_events(events, sizeof(events[0]));
	run_start_full(&r, "events");
	run_end(&r);
	assert_int_equal(r.status, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN_TEST(event_follow_enables_the_types_of_its_option),
		RUN_TEST(the_module_filters_the_causes_of_events),
		RUN_TEST(event_follow_ends_after_count_events),
		RUN_TEST(a_signal_ends_event_follow),
		RUN_TEST(a_signal_ends_event_follow_in_a_flood_of_events),
		RUN_TEST(event_follow_dry_run_enables_no_events),
		RUN_TEST(event_follow_ends_if_its_output_cannot_be_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl event follow.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json.h>

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

static void each_event_is_a_line(void **state)
{
	(void)state;
	mock_expect(expect_all, ARRAY_SIZE(expect_all));
	mock_add_events(events, sizeof(events));
	mock_end_events(ENOTCONN);
	assert_int_equal(run(&r, "event follow"), 0);
	assert_string_equal(r.out, FIRST
		"12.000345 1 wave se0.sa1.wgp3.simd1.wave5 vmid 4 pasid 32769 pc 0x0000800000001004 data 0x0000001a MEM_VIOL,ILLEGAL_INST\n"
		"12.100000 2 wave se0.sa0.wgp0.simd0.wave0 vmid 5 pasid 32770 pc - data 0x00000000\n"
		"12.100000 3 lost 7\n"
		"13.000000 10 target-gone\n");
	assert_string_equal(r.err, "");
}

static void each_event_is_an_object(void **state)
{
	struct json_object *o, *causes;
	char *line, *rest = r.out;

	(void)state;
	mock_expect(expect_all, ARRAY_SIZE(expect_all));
	mock_add_events(events, sizeof(events));
	mock_end_events(ENOTCONN);
	assert_int_equal(run(&r, "--json events"), 0);

	o = json_tokener_parse(strsep(&rest, "\n"));
	assert_int_equal(json_object_get_int(member(o, "schema")), 1);
	assert_string_equal(json_object_get_string(member(o, "state")),
			    "following");
	json_object_put(o);

	o = json_tokener_parse(strsep(&rest, "\n"));
	assert_string_equal(json_object_get_string(member(o, "type")),
			    "wave");
	assert_int_equal(json_object_get_int(member(o, "seq")), 1);
	assert_int_equal(json_object_get_int(member(o, "vmid")), 4);
	assert_string_equal(json_object_get_string(member(o, "pc")),
			    "0x0000800000001004");
	assert_int_equal(json_object_get_int(member(o, "trap_id")), 0);
	causes = member(o, "cause");
	assert_int_equal(json_object_array_length(causes), 2);
	assert_string_equal(json_object_get_string(
			    json_object_array_get_idx(causes, 0)), "MEM_VIOL");
	assert_string_equal(json_object_get_string(
			    json_object_array_get_idx(member(o, "flags"), 0)),
			    "PRIV");
	json_object_put(o);

	o = json_tokener_parse(strsep(&rest, "\n"));
	assert_null(member(o, "pc"));
	json_object_put(o);

	o = json_tokener_parse(strsep(&rest, "\n"));
	assert_int_equal(json_object_get_int(member(o, "count")), 7);
	json_object_put(o);

	line = strsep(&rest, "\n");
	contains(line, "\"target-gone\"");
	assert_string_equal(rest, "");
}

static void types_are_asked_for(void **state)
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
	assert_string_equal(r.out, FIRST);
	/* Of all, those that the GPU has. */
	mock_expect(expect_all, ARRAY_SIZE(expect_all));
	mock_end_events(ENOTCONN);
	assert_int_equal(run(&r, "events --type all"), 0);
	mock_expect(NULL, 0);
	assert_int_equal(run(&r, "events --type breakpoint"), 2);
	assert_int_equal(run(&r, "events --count 0"), 2);
	assert_int_equal(run(&r, "events --timeout 0"), 2);
	assert_int_equal(run(&r, "events --timeout x"), 2);
}

/* Of what is about waves; the rest is told all the same. */
static void waves_can_be_chosen(void **state)
{
	const struct mock_ioctl expect_vmid[] = {
		OPEN, MOCK_GET_INFO, MOCK_GET_INFO, ENABLE(ALL),
	};

	(void)state;
	mock_expect(expect_all, ARRAY_SIZE(expect_all));
	mock_add_events(events, sizeof(events));
	mock_end_events(ENOTCONN);
	assert_int_equal(run(&r, "events wgp3"), 0);
	contains(r.out, " 1 wave ");
	assert_null(strstr(r.out, " 2 wave "));
	contains(r.out, " 3 lost 7\n");

	mock_expect(expect_vmid, ARRAY_SIZE(expect_vmid));
	assert_int_equal(run(&r, "events --vmid 5"), 0);
	assert_null(strstr(r.out, " 1 wave "));
	contains(r.out, " 2 wave ");
	contains(r.out, " 3 lost 7\n");
}

/* Those that the kernel cannot tell apart come in any case. */
static void causes_can_be_chosen(void **state)
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
	assert_null(strstr(r.out, " 1 wave "));
	contains(r.out, " 2 wave ");
	contains(r.out, " 3 lost 7\n");
	mock_expect(NULL, 0);
	assert_int_equal(run(&r, "events --cause watch-hit"), 2);
	assert_int_equal(run(&r, "events --type gpu-reset --cause addr-watch"), 2);
}

static void a_count_ends_it(void **state)
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
	contains(r.err, "the process has exited after 3 of 4 events");
}

static void a_time_ends_it(void **state)
{
	(void)state;
	mock_expect(expect_all, ARRAY_SIZE(expect_all));
	mock_add_events(events, sizeof(events[0]));
	assert_int_equal(run(&r, "events --timeout 0.05"), 0);
	contains(r.out, " 1 wave ");
	assert_string_equal(r.err, "");
	assert_int_equal(run(&r, "events --timeout 0.05 --count 2"), 1);
	contains(r.err, "only 1 of 2 events arrived");
}

static void a_signal_ends_it(void **state)
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
static void a_signal_ends_it_in_a_flood_of_events(void **state)
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

static void the_end_of_the_gpu_is_an_error(void **state)
{
	static const struct amdgpudbg_event gone = {
		.size = sizeof(gone),
		.type = AMDGPUDBG_EVENT_GPU_GONE,
		.seq = 1,
		.time = 1,
	};

	(void)state;
	mock_expect(expect_all, ARRAY_SIZE(expect_all));
	mock_add_events(&gone, sizeof(gone));
	mock_end_events(ENODEV);
	assert_int_equal(run(&r, "events"), 5);
	assert_string_equal(r.out, FIRST "0.000000 1 gpu-gone\n");
	contains(r.err, "the GPU is gone");
}

static void what_may_not_be_followed_is_told(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_EVENT_ENABLE, .error = EPERM },
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "events"), 4);
	assert_string_equal(r.out, "");
	contains(r.err, "cannot follow events");
}

static void a_dry_run_enables_nothing(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "events --dry-run"), 0);
	assert_string_equal(r.out, "would print events; nothing was changed\n");
}

static void verbose_shows_the_state(void **state)
{
	(void)state;
	mock_expect(expect_all, ARRAY_SIZE(expect_all));
	mock_add_events(events, 2 * sizeof(events[0]));
	mock_end_events(ENOTCONN);
	assert_int_equal(run(&r, "events -v"), 0);
	contains(r.out, "\n    trap 0 PRIV\n12.1");
}

static void faults_are_lines(void **state)
{
	static const struct amdgpudbg_event faults[] = {
		{ .size = sizeof(faults[0]), .type = AMDGPUDBG_EVENT_VM_FAULT,
		  .seq = 1, .time = 12000345678, .vmid = 4, .pasid = 32769,
		  .address = 0x140200000, .access = AMDGPUDBG_FAULT_WRITE, .client = 8,
		  .count = 3 },
		{ .size = sizeof(faults[0]), .type = AMDGPUDBG_EVENT_VM_FAULT,
		  .seq = 2, .time = 12000345678, .vmid = 5, .pasid = 32770,
		  .address = 0xffff800000001000, .client = AMDGPUDBG_FAULT_CLIENT_UNKNOWN,
		  .count = 1 },
	};

	(void)state;
	mock_expect(expect_all, ARRAY_SIZE(expect_all));
	mock_add_events(faults, sizeof(faults));
	mock_end_events(ENOTCONN);
	assert_int_equal(run(&r, "events"), 0);
	assert_string_equal(r.out, FIRST
		"12.000345 1 vm-fault write 0x0000000140200000 client 8 vmid 4 pasid 32769 count 3\n"
		"12.000345 2 vm-fault - 0xffff800000001000 client - vmid 5 pasid 32770 count 1\n");
}

static void changes_are_lines(void **state)
{
	const struct mock_ioctl expect[] = {
		OPEN, ENABLE(1ULL << AMDGPUDBG_EVENT_VM_CHANGED),
	};
	static const struct amdgpudbg_event change = {
		.size = sizeof(change), .type = AMDGPUDBG_EVENT_VM_CHANGED,
		.seq = 1, .time = 12000345678, .generation = 4294967297,
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	mock_add_events(&change, sizeof(change));
	mock_end_events(ENOTCONN);
	assert_int_equal(run(&r, "events --type vm-changed"), 0);
	assert_string_equal(r.out, FIRST "12.000345 1 vm-changed 4294967297\n");
}

static void jobs_are_lines(void **state)
{
	const struct mock_ioctl expect[] = {
		OPEN, ENABLE(1ULL << AMDGPUDBG_EVENT_JOB_BEGIN |
			     1ULL << AMDGPUDBG_EVENT_JOB_END),
	};
	static const struct amdgpudbg_event jobs[] = {
		{
			.size = sizeof(jobs[0]),
			.type = AMDGPUDBG_EVENT_JOB_BEGIN,
			.seq = 1, .time = 12000345678,
			.flags = AMDGPUDBG_EVENT_HAS_JOB,
			.vmid = 4, .pasid = 32769,
			.job = 77, .job_context = 130, .ring = 3,
			.ring_type = 1, .ring_name = "comp_1.0.1",
		},
		{
			.size = sizeof(jobs[0]),
			.type = AMDGPUDBG_EVENT_JOB_END,
			.seq = 2, .time = 12100000000,
			.flags = AMDGPUDBG_EVENT_HAS_JOB |
				 AMDGPUDBG_EVENT_IS_ERROR,
			.vmid = 4, .pasid = 32769, .data = 125,
			.job = 77, .job_context = 130, .ring = 3,
			.ring_type = 1, .ring_name = "0123456789abcdef",
		},
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	mock_add_events(jobs, sizeof(jobs));
	mock_end_events(ENOTCONN);
	assert_int_equal(run(&r, "events --type job-begin,job-end"), 0);
	assert_string_equal(r.out, FIRST
		"12.000345 1 job-begin comp_1.0.1 job 130:77 vmid 4 pasid 32769\n"
		"12.100000 2 job-end 0123456789abcdef job 130:77 vmid 4 pasid 32769 error 125\n");
}

static void a_full_disk_ends_it(void **state)
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
		RUN_TEST(each_event_is_a_line),
		RUN_TEST(each_event_is_an_object),
		RUN_TEST(faults_are_lines),
		RUN_TEST(changes_are_lines),
		RUN_TEST(jobs_are_lines),
		RUN_TEST(types_are_asked_for),
		RUN_TEST(waves_can_be_chosen),
		RUN_TEST(causes_can_be_chosen),
		RUN_TEST(a_count_ends_it),
		RUN_TEST(a_time_ends_it),
		RUN_TEST(a_signal_ends_it),
		RUN_TEST(a_signal_ends_it_in_a_flood_of_events),
		RUN_TEST(the_end_of_the_gpu_is_an_error),
		RUN_TEST(what_may_not_be_followed_is_told),
		RUN_TEST(a_dry_run_enables_nothing),
		RUN_TEST(verbose_shows_the_state),
		RUN_TEST(a_full_disk_ends_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

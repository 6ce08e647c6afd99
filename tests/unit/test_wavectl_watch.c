// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl watch set, watch list and launch set.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "mock.h"
#include "run_wavectl.h"

#define TARGET { .request = AMDGPUDBG_IOC_TARGET_SET }
#define LIST { \
	.request = AMDGPUDBG_IOC_WAVE_LIST, .waves = hit_waves, \
	.num_waves = ARRAY_SIZE(hit_waves), \
}

#define CALL(nr, _in, _out) { \
	.request = AMDGPUDBG_IOC_##nr, .in = _in, .out = _out, \
	.size = sizeof(*(_in)), \
}

/* The second one has hit watch 0, the third watches 1 and 3. */
static const struct amdgpudbg_wave hit_waves[] = {
	{ .at = { .wgp = 1 }, .vmid = 4, .pc = 0x1000 },
	{ .at = { .wgp = 2 }, .vmid = 4, .pc = 0x2000,
	  .hw_mask = MOCK_HW_MASK, .HW(TRAPSTS) = 1 << 7 },
	{ .at = { .wgp = 3 }, .vmid = 4, .pc = 0x3000,
	  .hw_mask = MOCK_HW_MASK, .HW(TRAPSTS) = 5 << 12 },
};

static struct run r;

static struct amdgpudbg_watch_set watch(uint32_t mode)
{
	return (struct amdgpudbg_watch_set){
		.size = sizeof(struct amdgpudbg_watch_set),
		.mode = mode, .address = 0x100004000, .bytes = 4096,
	};
}

static struct amdgpudbg_watch_set was_set(uint32_t id)
{
	return (struct amdgpudbg_watch_set){
		.size = sizeof(struct amdgpudbg_watch_set),
		.id = id, .vmid = 4,
	};
}

#define WATCH "watch set --pid 4711 --address 0x100004000 --bytes 4096"

static void a_watch_holds_and_lists_who_hit_it(void **state)
{
	struct amdgpudbg_watch_set in = watch(AMDGPUDBG_WATCH_NONREAD);
	struct amdgpudbg_watch_set out = was_set(0);
	const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, CALL(WATCH_SET, &in, &out), LIST,
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	run_start(&r, WATCH);
	run_line(&r);
	assert_string_equal(r.out,
			    "watch 0 of VMID 4 is set; holding, Ctrl-C ends\n");
	assert_int_equal(kill(r.pid, SIGINT), 0);
	run_end(&r);
	assert_int_equal(r.status, 0);
	contains(r.out,
		 "NAME                      VMID  PC                  WATCHES\n"
		 "se0.sa0.wgp2.simd0.wave0  4     0x0000000000002000  0\n"
		 "1 live waves have hit watch 0\n");
}

static void each_mode_has_a_word(void **state)
{
	static const char *const words[] = { "read", "nonread", "atomic", "all" };
	char command[256];

	(void)state;
	for (uint32_t mode = 0; mode < ARRAY_SIZE(words); mode++) {
		struct amdgpudbg_watch_set in = watch(mode), out = was_set(3);
		const struct mock_ioctl expect[] = {
			OPEN, TARGET, LISTENS, CALL(WATCH_SET, &in, &out), LIST,
		};

		mock_expect(expect, ARRAY_SIZE(expect));
		snprintf(command, sizeof(command),
			 WATCH " --mode %s --for 0.01", words[mode]);
		assert_int_equal(run(&r, command), 0);
		contains(r.out, "se0.sa0.wgp3.simd0.wave0");
		contains(r.out, "1 live waves have hit watch 3\n");
	}
}

static void a_mask_is_handed_on(void **state)
{
	struct amdgpudbg_watch_set in = watch(AMDGPUDBG_WATCH_ALL);
	struct amdgpudbg_watch_set out = was_set(2);
	const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, CALL(WATCH_SET, &in, &out), LIST,
	};

	(void)state;
	in.flags = AMDGPUDBG_WATCH_SET_MASK;
	in.bytes = 0;
	in.mask = 0xffffffffffff0f80;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "watch set -p 4711 -m all --for 0.01 "
			     "--address 0x100004000 --mask 0xffffffffffff0f80"), 0);
	contains(r.out, "0 live waves have hit watch 2\n");
}

static void a_watch_in_json_is_two_objects(void **state)
{
	struct amdgpudbg_watch_set in = watch(AMDGPUDBG_WATCH_NONREAD);
	struct amdgpudbg_watch_set out = was_set(0);
	const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, CALL(WATCH_SET, &in, &out), LIST,
	};
	struct json_tokener *tok = json_tokener_new();
	struct json_object *o, *v;

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, WATCH " --for 0.01 --json"), 0);
	o = json_tokener_parse_ex(tok, r.out, -1);
	string_is(o, "state", "holding");
	string_is(o, "mode", "nonread");
	string_is(o, "address", "0x0000000100004000");
	int_is(o, "watch", 0);
	json_object_put(o);
	o = json_tokener_parse_ex(tok, strchr(r.out, '\n') + 1, -1);
	string_is(o, "state", "done");
	int_is(o, "count", 1);
	assert_true(json_object_object_get_ex(o, "waves", &v));
	assert_int_equal(json_object_array_length(v), 1);
	json_object_put(o);
	json_tokener_free(tok);
}

static void the_end_of_the_process_is_no_failure(void **state)
{
	struct amdgpudbg_watch_set in = watch(AMDGPUDBG_WATCH_NONREAD);
	struct amdgpudbg_watch_set out = was_set(0);
	const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, CALL(WATCH_SET, &in, &out),
		{ .request = AMDGPUDBG_IOC_WAVE_LIST, .error = ENOTCONN },
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, WATCH " --for 0.01"), 0);
	contains(r.out, "the process has exited\n");
}

/* And not when the time is over. */
static void a_watch_ends_with_the_process(void **state)
{
	struct amdgpudbg_watch_set in = watch(AMDGPUDBG_WATCH_NONREAD);
	struct amdgpudbg_watch_set out = was_set(0);
	const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, CALL(WATCH_SET, &in, &out),
		{ .request = AMDGPUDBG_IOC_WAVE_LIST, .error = ENOTCONN },
	};
	static const struct amdgpudbg_event gone = {
		.size = sizeof(gone), .type = AMDGPUDBG_EVENT_TARGET_GONE,
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	mock_add_events(&gone, sizeof(gone));
	assert_int_equal(run(&r, WATCH), 7);
	contains(r.out, "the process has exited\n");
	contains(r.err, "no longer in effect: the process has exited\n");
}

static void it_is_said_what_can_be_watched(void **state)
{
	const struct mock_ioctl small[] = {
		OPEN, TARGET, LISTENS,
		{ .request = AMDGPUDBG_IOC_WATCH_SET, .error = EINVAL },
		MOCK_GET_INFO,
	};
	const struct mock_ioctl full[] = {
		OPEN, TARGET, LISTENS,
		{ .request = AMDGPUDBG_IOC_WATCH_SET, .error = ENOSPC },
	};
	const struct mock_ioctl busy[] = {
		OPEN, TARGET, LISTENS,
		{ .request = AMDGPUDBG_IOC_WATCH_SET, .error = EBUSY },
	};

	(void)state;
	mock_expect(small, ARRAY_SIZE(small));
	assert_int_equal(run(&r, "watch set -p 4711 --address 0 --bytes 4"), 2);
	contains(r.err, "the size must be a power of two of at least 128");
	mock_expect(full, ARRAY_SIZE(full));
	assert_int_equal(run(&r, WATCH), 1);
	contains(r.err, "cannot set the watch: all watches are in use (ENOSPC)");
	mock_expect(busy, ARRAY_SIZE(busy));
	mock_busy = (struct amdgpudbg_busy){
		.cause = AMDGPUDBG_BUSY_VMID_JOBS, .vmid = 4, .pasid = 99,
		.by = AMDGPUDBG_BUSY_BY_PROCESS,
	};
	assert_int_equal(run(&r, WATCH), 6);
	contains(r.err, "jobs of the process with PASID 99 are still in VMID 4, which amdgpu has reserved (EBUSY); try again when they have ended");
}

static void a_dry_run_sets_nothing(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, TARGET };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "-n " WATCH), 0);
	assert_string_equal(r.out,
			    "would watch 4096 bytes at 0x0000000100004000 for nonread; nothing was changed\n");
	assert_int_equal(run(&r, "-n launch set -p 4711 --mode halt"), 0);
	assert_string_equal(r.out,
			    "would make new waves start halted; nothing was changed\n");
}

static void hits_are_listed(void **state)
{
	static const struct mock_ioctl some[] = { OPEN, TARGET, LIST };
	static const struct mock_ioctl all[] = {
		OPEN, { .request = AMDGPUDBG_IOC_WAVE_LIST,
			.waves = hit_waves, .num_waves = 1 },
	};

	(void)state;
	mock_expect(some, ARRAY_SIZE(some));
	assert_int_equal(run(&r, "watch list --pid 4711"), 0);
	assert_string_equal(r.out,
			    "NAME                      VMID  PC                  WATCHES\n"
			    "se0.sa0.wgp2.simd0.wave0  4     0x0000000000002000  0\n"
			    "se0.sa0.wgp3.simd0.wave0  4     0x0000000000003000  1,3\n");
	mock_expect(all, ARRAY_SIZE(all));
	assert_int_equal(run(&r, "watch list"), 0);
	contains(r.out, "no live wave has hit a watch\n");
}

static void how_waves_start_is_handed_on(void **state)
{
	static const struct {
		const char *options;
		struct amdgpudbg_launch_set in;
		const char *says;
	} cases[] = {
		{ "--mode halt", { .mode = AMDGPUDBG_LAUNCH_HALT },
		  "new waves of VMID 5 start halted; holding, Ctrl-C ends\n" },
		{ "-m debug -x addr-watch,float-div0",
		  { .mode = AMDGPUDBG_LAUNCH_DEBUG,
		    .flags = AMDGPUDBG_LAUNCH_SET_EXCP,
		    .excp_mask = AMDGPUDBG_CAUSE_WATCH |
				 AMDGPUDBG_CAUSE_FLOAT_DIV0 },
		  "start in debug mode" },
		{ "--exceptions mem-viol",
		  { .flags = AMDGPUDBG_LAUNCH_SET_EXCP,
		    .excp_mask = AMDGPUDBG_CAUSE_MEM_VIOL },
		  "start with more exceptions enabled" },
		{ "--stall --mode halt",
		  { .mode = AMDGPUDBG_LAUNCH_HALT,
		    .flags = AMDGPUDBG_LAUNCH_SET_STALL },
		  "do not start" },
	};
	char command[256];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct amdgpudbg_launch_set in = cases[i].in, out;
		const struct mock_ioctl expect[] = {
			OPEN, TARGET, LISTENS, CALL(LAUNCH_SET, &in, &out),
		};

		in.size = sizeof(in);
		out = in;
		out.vmid = 5;
		mock_expect(expect, ARRAY_SIZE(expect));
		snprintf(command, sizeof(command),
			 "launch set --pid 4711 --for 0.01 %s",
			 cases[i].options);
		assert_int_equal(run(&r, command), 0);
		contains(r.out, cases[i].says);
		contains(r.out, "new waves start normally\n");
	}
}

static void a_launch_mode_that_expires_is_7(void **state)
{
	static const struct amdgpudbg_launch_set out = {
		.size = sizeof(out), .mode = AMDGPUDBG_LAUNCH_HALT, .vmid = 5,
	};
	static const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS,
		{ .request = AMDGPUDBG_IOC_LAUNCH_SET, .out = &out,
		  .size = sizeof(out) },
	};
	static const struct amdgpudbg_event expired = {
		.size = sizeof(expired), .type = AMDGPUDBG_EVENT_HALT_EXPIRED,
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	mock_add_events(&expired, sizeof(expired));
	assert_int_equal(run(&r, "--json launch set -p 4711 -m halt"), 7);
	contains(r.out, "\"done\"");
	contains(r.out, "\"exit_status\":7");
	contains(r.err, "users have used up the time for which they can stop waves\n");
}

static void errors_of_launch_have_statuses(void **state)
{
	static const struct {
		int error, status;
	} cases[] = {
		{ EBUSY, 6 }, { EPERM, 4 }, { EOPNOTSUPP, 5 }, { ENOTCONN, 3 },
		{ EIO, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct mock_ioctl expect[] = {
			OPEN, TARGET, LISTENS,
			{ .request = AMDGPUDBG_IOC_LAUNCH_SET,
			  .error = cases[i].error },
		};

		mock_expect(expect, ARRAY_SIZE(expect));
		assert_int_equal(run(&r, "launch set -p 4711 -m halt"),
				 cases[i].status);
		contains(r.err, "cannot set the launch mode: ");
	}
}

static void wrong_usage_opens_nothing(void **state)
{
	static const char *const commands[] = {
		"watch set --address 0 --bytes 128",
		"watch set -p 4711 --bytes 128",
		"watch set -p 4711 --address 0",
		"watch set -p 4711 --address 0 --bytes 128 --mask 1",
		"watch set -p 4711 --address 0 --bytes 0",
		"watch set -p 4711 --address x --bytes 128",
		WATCH " --mode write",
		WATCH " --mode halt",
		"launch set --mode halt",
		"launch set -p 4711",
		"launch set -p 4711 --mode normal",
		"launch set -p 4711 --mode read",
		"launch set -p 4711 --exceptions div0",
		"launch set -p 4711 --exceptions addr-watch,",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		if (run(&r, commands[i]) != 2)
			fail_msg("'%s' ends with %d", commands[i], r.status);
		assert_string_equal(r.out, "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN_TEST_PROCESS(a_watch_holds_and_lists_who_hit_it),
		RUN_TEST_PROCESS(each_mode_has_a_word),
		RUN_TEST_PROCESS(a_mask_is_handed_on),
		RUN_TEST_PROCESS(a_watch_in_json_is_two_objects),
		RUN_TEST_PROCESS(the_end_of_the_process_is_no_failure),
		RUN_TEST_PROCESS(a_watch_ends_with_the_process),
		RUN_TEST_PROCESS(a_launch_mode_that_expires_is_7),
		RUN_TEST_PROCESS(it_is_said_what_can_be_watched),
		RUN_TEST_PROCESS(a_dry_run_sets_nothing),
		RUN_TEST_PROCESS(hits_are_listed),
		RUN_TEST_PROCESS(how_waves_start_is_handed_on),
		RUN_TEST_PROCESS(errors_of_launch_have_statuses),
		RUN_TEST_PROCESS(wrong_usage_opens_nothing),
	};

	return cmocka_run_group_tests_name("wavectl_watch", tests, NULL, NULL);
}

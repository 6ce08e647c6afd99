// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl watch set and launch set: the arguments of the kernel calls. What they print is in
 * transcripts/watch.txt.
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

static void watch_set_lasts_until_a_signal_and_lists_hit_waves(void **state)
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
}

static void watch_set_accepts_the_name_of_each_mode(void **state)
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
	}
}

static void watch_set_passes_the_mask_to_the_module(void **state)
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
}

static void watch_and_launch_dry_runs_set_nothing(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, TARGET };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "-n " WATCH), 0);
	assert_int_equal(run(&r, "-n launch set -p 4711 --mode halt"), 0);
}

static void launch_set_passes_mode_and_exceptions_to_the_module(void **state)
{
	static const struct {
		const char *options;
		struct amdgpudbg_launch_set in;
	} cases[] = {
		{ "--mode halt", { .mode = AMDGPUDBG_LAUNCH_HALT } },
		{ "-m debug -x addr-watch,float-div0",
		  { .mode = AMDGPUDBG_LAUNCH_DEBUG,
		    .flags = AMDGPUDBG_LAUNCH_SET_EXCP,
		    .excp_mask = AMDGPUDBG_CAUSE_WATCH |
				 AMDGPUDBG_CAUSE_FLOAT_DIV0 } },
		{ "--exceptions mem-viol",
		  { .flags = AMDGPUDBG_LAUNCH_SET_EXCP,
		    .excp_mask = AMDGPUDBG_CAUSE_MEM_VIOL } },
		{ "--stall --mode halt",
		  { .mode = AMDGPUDBG_LAUNCH_HALT,
		    .flags = AMDGPUDBG_LAUNCH_SET_STALL } },
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
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN_TEST_PROCESS(watch_set_lasts_until_a_signal_and_lists_hit_waves),
		RUN_TEST_PROCESS(watch_set_accepts_the_name_of_each_mode),
		RUN_TEST_PROCESS(watch_set_passes_the_mask_to_the_module),
		RUN_TEST_PROCESS(watch_and_launch_dry_runs_set_nothing),
		RUN_TEST_PROCESS(launch_set_passes_mode_and_exceptions_to_the_module),
	};

	return cmocka_run_group_tests_name("wavectl_watch", tests, NULL, NULL);
}

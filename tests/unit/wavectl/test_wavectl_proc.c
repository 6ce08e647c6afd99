// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --pid of the commands for waves: the ioctls that result from it. Their output, and wavectl
 * proc list, are in transcripts/proc.txt.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "mock.h"
#include "run_wavectl.h"

#define CLIENT(pasid, client) \
	"pasid:\t" pasid "\ndrm-driver:\tamdgpu\ndrm-pdev:\t0000:04:00.0\n" \
	"drm-client-id:\t" client "\n"

#define SET { .request = AMDGPUDBG_IOC_TARGET_SET }
#define LIST(n) { \
	.request = AMDGPUDBG_IOC_WAVE_LIST, .waves = mock_waves, \
	.num_waves = n, \
}

static struct run r;

static int setup(void **state)
{
	run_setup_process(state);
	mock_proc_file("4711/comm", "shader\n");
	mock_proc_file("4711/status", "Uid:\t1001\t1001\t1001\t1001\n");
	mock_proc_file("4712/comm", "game\n");
	mock_proc_file("4712/fdinfo/7", CLIENT("32774", "50"));
	mock_proc_file("4712/fdinfo/8", CLIENT("32775", "51"));
	mock_proc_file("12/fdinfo/0", "pos:\t0\n");
	return 0;
}

static void the_target_is_set_before_waves_are_listed(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, SET, LIST(3) };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave list --pid 4711"), 0);
	assert_int_equal(run(&r, "wave list -p 4712 --client 51"), 0);
}

static void halt_with_a_pid_halts_all_waves_of_the_process(void **state)
{
	struct amdgpudbg_wave_control in = {
		.size = sizeof(in), .op = AMDGPUDBG_WAVEOP_RESUME,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
	};
	struct amdgpudbg_wave_control out = in;
	/* The module knows which VMIDs are the process's. */
	const struct mock_ioctl expect[] = {
		OPEN, SET,
		{ .request = AMDGPUDBG_IOC_WAVE_CONTROL, .in = &in, .out = &out,
		  .size = sizeof(in) },
	};
	const struct mock_ioctl look[] = { OPEN, SET, LIST(3) };
	const struct mock_ioctl none[] = { OPEN, SET, LIST(0) };

	(void)state;
	out.matched = 3;
	out.changed = 3;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "resume --pid 4711"), 0);

	out.matched = 0;
	out.changed = 0;
	assert_int_equal(run(&r, "resume --pid 4711"), 3);

	mock_expect(look, ARRAY_SIZE(look));
	assert_int_equal(run(&r, "-n resume --pid 4711"), 0);
	mock_expect(none, ARRAY_SIZE(none));
	assert_int_equal(run(&r, "-n resume --pid 4711"), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_target_is_set_before_waves_are_listed),
		cmocka_unit_test(halt_with_a_pid_halts_all_waves_of_the_process),
	};

	return cmocka_run_group_tests_name("wavectl_proc", tests, setup,
					   run_teardown);
}

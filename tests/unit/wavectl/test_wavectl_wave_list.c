// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl wave list and snapshot: the ioctls that result from the options. The output is in
 * transcripts/wave-list.txt.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "mock.h"
#include "run_wavectl.h"

static struct run r;

static void the_module_filters_by_vmid(void **state)
{
	static const struct mock_ioctl all[] = { OPEN, LIST_WAVES(all_vmids, 4) };
	static const struct mock_ioctl one[] = { OPEN_VMID, LIST_WAVES(vmid_1, 3) };

	(void)state;
	mock_expect(all, ARRAY_SIZE(all));
	assert_int_equal(run(&r, "wave list"), 0);
	mock_expect(one, ARRAY_SIZE(one));
	assert_int_equal(run(&r, "wave list --vmid 1"), 0);
	/* The GPU does not have this one. */
	mock_expect(one, 3);
	assert_int_equal(run(&r, "wave list --vmid 16"), 2);
}

static void wants_filter(void *arg)
{
	const struct amdgpudbg_wave_list *list = arg;

	if (list->flags != AMDGPUDBG_WAVE_LIST_TTMP ||
	    list->select.at_mask != (AMDGPUDBG_AT_WGP | AMDGPUDBG_AT_WAVE) ||
	    list->select.at.wgp != 3 || list->select.at.wave != 5 || list->select.at.simd ||
	    list->select.wave_flags_mask != AMDGPUDBG_WAVE_HALTED ||
	    list->select.wave_flags != AMDGPUDBG_WAVE_HALTED)
		abort();
}

static void the_module_filters_by_coordinates_and_state(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, LIST_WAVES(wants_filter, 4) };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave list wgp3.simd0-2.wave5 --state halted"), 0);
}

static void wants_snapshot(void *arg)
{
	const struct amdgpudbg_wave_list *list = arg;

	if (list->flags != AMDGPUDBG_WAVE_LIST_TTMP)
		abort();
}

static void a_snapshot_is_one_call(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN,
		{ .request = AMDGPUDBG_IOC_WAVE_SNAPSHOT,
		  .check = wants_snapshot, .waves = mock_waves,
		  .num_waves = 4 },
	};
	static const struct mock_ioctl look[] = { OPEN, LIST_WAVES(all_vmids, 4) };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave snapshot"), 0);
	mock_expect(look, ARRAY_SIZE(look));
	assert_int_equal(run(&r, "wave snapshot -n"), 0);
}

static void wants_all_halted(void *arg)
{
	const struct amdgpudbg_wave_list *list = arg;

	/* The end of the session resumes them, after everything was read. */
	if (list->flags != (AMDGPUDBG_WAVE_LIST_HOLD | AMDGPUDBG_WAVE_LIST_TTMP))
		abort();
}

/* Of a wave32 with GPR_ALLOC 0, which is 4 VGPRs */
static void wants_all_registers(void *arg)
{
	struct amdgpudbg_reg_access *call = arg;

	if (call->flags || call->num_values != 108 + 16 + 19 + 4 * 32)
		abort();
	call->num_done = call->num_values;
}

static void a_snapshot_with_registers_reads_each_wave(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN,
		{ .request = AMDGPUDBG_IOC_WAVE_SNAPSHOT, .waves = mock_waves,
		  .num_waves = 3, .check = wants_all_halted },
		{ .request = AMDGPUDBG_IOC_REG_ACCESS, .check = wants_all_registers },
		{ .request = AMDGPUDBG_IOC_REG_ACCESS, .error = EINPROGRESS },
		{ .request = AMDGPUDBG_IOC_REG_ACCESS, .check = wants_all_registers },
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	/* One wave was not read, which is not what was asked for. */
	assert_int_equal(run(&r, "wave snapshot --regs"), 1);
}

static void wave_list_fails_if_its_output_cannot_be_written(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, LIST_WAVES(all_vmids, 4) };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	run_start_full(&r, "wave list");
	run_end(&r);
	assert_int_equal(r.status, 1);
	contains(r.err, "cannot write to standard output");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN_TEST(the_module_filters_by_vmid),
		RUN_TEST(the_module_filters_by_coordinates_and_state),
		RUN_TEST(a_snapshot_is_one_call),
		RUN_TEST(a_snapshot_with_registers_reads_each_wave),
		RUN_TEST(wave_list_fails_if_its_output_cannot_be_written),
	};

	return cmocka_run_group_tests_name("wavectl_wave_list", tests, NULL, NULL);
}

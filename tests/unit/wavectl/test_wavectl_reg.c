// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl reg read and write: the registers in ioctls. The output is in transcripts/reg.txt.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mock.h"
#include "run_wavectl.h"

#define WAVE "se0.sa0.wgp3.simd1.wave5"

static struct run r;

/* Runs in the child, where cmocka's asserts have no place to go. */
static void must(bool ok)
{
	if (!ok)
		abort();
}

static const struct amdgpudbg_reg_range *range(const void *arg, unsigned int i)
{
	const struct amdgpudbg_reg_access *call = arg;

	must(i < call->num_ranges);
	return (const struct amdgpudbg_reg_range *)(uintptr_t)call->ranges + i;
}

static bool is_range(const void *arg, unsigned int i, uint32_t space,
		     uint32_t first, uint32_t count)
{
	const struct amdgpudbg_reg_range *r = range(arg, i);

	return r->space == space && r->first == first && r->count == count;
}

static void must_be_hwreg(void *arg, uint32_t number)
{
	struct amdgpudbg_reg_access *call = arg;

	must(!call->flags && call->num_ranges == 1 && call->num_values == 1);
	must(is_range(arg, 0, AMDGPUDBG_REG_HW, number, 1));
	must(call->at.wgp == 3 && call->at.simd == 1 && call->at.wave == 5);
}

static uint32_t *values(const void *arg)
{
	const struct amdgpudbg_reg_access *call = arg;

	return (uint32_t *)(uintptr_t)call->values;
}

static void wave32(void *arg)
{
	must_be_hwreg(arg, AMDGPUDBG_GFX10_3_IB_STS2);
	values(arg)[0] = 0;
}

static void of_vmid_3(void *arg)
{
	must_be_hwreg(arg, AMDGPUDBG_GFX10_3_HW_ID2);
	values(arg)[0] = 0x03000100;
}

#define ACCESS(f) { .request = AMDGPUDBG_IOC_REG_ACCESS, .check = f }

/* s4-5, vcc, pc, status */
static void give_scalars(void *arg)
{
	static const uint32_t give[] = {
		5, 0xffffffff, 0x10, 0x20, 0x1000, 0x8000, 0x12041,
	};
	struct amdgpudbg_reg_access *call = arg;

	must(!call->flags && !call->vmid && call->num_ranges == 4);
	must(is_range(arg, 0, AMDGPUDBG_REG_SGPR, 4, 2));
	must(is_range(arg, 1, AMDGPUDBG_REG_SGPR, 106, 2));
	must(is_range(arg, 2, AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_PC_LO, 2));
	must(is_range(arg, 3, AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_STATUS, 1));
	must(call->num_values == 7);
	memcpy(values(arg), give, sizeof(give));
	call->num_done = 7;
}

static void registers_are_read_in_the_order_of_the_arguments(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, ACCESS(give_scalars),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "reg read " WAVE " s4-5 vcc pc status"), 0);

	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "reg read -v -f int " WAVE
			     " s[4:5] vcc pc status"), 0);
}

/* v0-1 of lanes 2 to 10, EXEC */
static void give_vgprs(void *arg)
{
	struct amdgpudbg_reg_access *call = arg;
	uint32_t *v = values(arg);

	must(call->num_ranges == 2 && call->num_values == 9 * 2 + 2);
	must(is_range(arg, 0, AMDGPUDBG_REG_VGPR, 0, 2));
	must(range(arg, 0)->first_lane == 2 && range(arg, 0)->num_lanes == 9);
	must(is_range(arg, 1, AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_EXEC_LO, 2));
	for (uint32_t lane = 0; lane < 9; lane++) {
		v[2 * lane] = 0x100 + lane;
		v[2 * lane + 1] = 0x200 + lane;
	}
	v[18] = 0xfffffff7;	/* not lane 3 */
	v[19] = 0;
	call->num_done = call->num_values;
}

static void reg_read_of_a_vgpr_reads_exec_too(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, ACCESS(give_vgprs) };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "reg read " WAVE " v[0:1] --lane 2-10 "
			     "--format uint"), 0);
}

static void all_32_lanes(void *arg)
{
	struct amdgpudbg_reg_access *call = arg;

	must(range(arg, 0)->first_lane == 0 && range(arg, 0)->num_lanes == 32);
	must(call->num_values == 34);
	memset(values(arg), 0, 34 * 4);
}

static void reg_read_without_lane_reads_all_lanes_of_the_wave(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, ACCESS(wave32), ACCESS(all_32_lanes),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "reg read " WAVE " v7"), 0);
}

static void halts_vmid_3(void *arg)
{
	const struct amdgpudbg_wave_control *call = arg;

	must(call->op == AMDGPUDBG_WAVEOP_HALT && call->vmid == 3 &&
	     call->mode == AMDGPUDBG_WAVEMODE_SINGLE && !call->flags);
	must(call->at.wgp == 3 && call->at.simd == 1 && call->at.wave == 5);
}

static void writes_pc(void *arg)
{
	struct amdgpudbg_reg_access *call = arg;
	const uint32_t *compare = (uint32_t *)(uintptr_t)call->compare;

	must(call->flags == (AMDGPUDBG_REG_ACCESS_WRITE |
			     AMDGPUDBG_REG_ACCESS_COMPARE));
	must(is_range(arg, 0, AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_PC_LO, 2));
	must(is_range(arg, 1, AMDGPUDBG_REG_SGPR, 7, 1));
	must(values(arg)[0] == 0x1040 && values(arg)[1] == 0x8000);
	must(values(arg)[2] == 0xfffffffe);
	must(compare[0] == 0x1000 && compare[1] == 0x8000 && compare[2] == 9);
}

static void reg_write_compares_values_and_halts_the_wave(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, ACCESS(of_vmid_3),
		{ .request = AMDGPUDBG_IOC_WAVE_CONTROL,
		  .check = halts_vmid_3 },
		ACCESS(writes_pc),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "reg write " WAVE " pc=0x800000001040 s7=-2 "
			     "--halt --compare 0x800000001000,9"), 0);
}

/* v2-3 of lanes 0 and 1, floats; s0-2 all the same; vcc in two parts */
static void writes_many(void *arg)
{
	static const uint32_t wanted[] = {
		0x3f800000, 0xc0200000, 0x3f800000, 0xc0200000,
		0x3f000000, 0x3f000000, 0x3f000000, 0x40000000, 0x40400000,
	};
	struct amdgpudbg_reg_access *call = arg;

	must(call->flags == (AMDGPUDBG_REG_ACCESS_WRITE |
			     AMDGPUDBG_REG_ACCESS_EXPECT_PC));
	must(call->pc == 0x1234 && call->vmid == 3 && call->num_ranges == 3);
	must(call->num_values == ARRAY_SIZE(wanted));
	must(!memcmp(values(arg), wanted, sizeof(wanted)));
}

static void reg_read_prints_each_register_and_lane(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, MOCK_GET_INFO, ACCESS(writes_many),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "reg write " WAVE " v2-3=1,-2.5 s0-2=0.5 "
			     "vcc=2,3 --lane 0-1 -f float --vmid 3 --pc 0x1234"),
			 0);
}

/* v2-3 of lanes 4 and 5: all of the first lane first, as struct amdgpudbg_reg_range says */
static void writes_lanes(void *arg)
{
	static const uint32_t wanted[] = { 1, 2, 3, 4 };
	struct amdgpudbg_reg_access *call = arg;

	must(call->num_values == ARRAY_SIZE(wanted));
	must(range(arg, 0)->first_lane == 4 && range(arg, 0)->num_lanes == 2);
	must(!memcmp(values(arg), wanted, sizeof(wanted)));
}

static void reg_write_takes_one_value_per_lane(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, ACCESS(writes_lanes),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "reg write " WAVE " v2-3=1,2,3,4 --lane 4-5 -f int"), 0);
}

static void reg_write_dry_run_writes_nothing(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN };

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "-n reg write " WAVE " s0=1 --halt"), 0);
	contains(r.out, "would write 1 values; nothing was changed\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN_TEST(registers_are_read_in_the_order_of_the_arguments),
		RUN_TEST(reg_read_of_a_vgpr_reads_exec_too),
		RUN_TEST(reg_read_without_lane_reads_all_lanes_of_the_wave),
		RUN_TEST(reg_write_compares_values_and_halts_the_wave),
		RUN_TEST(reg_read_prints_each_register_and_lane),
		RUN_TEST(reg_write_takes_one_value_per_lane),
		RUN_TEST(reg_write_dry_run_writes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/reg_access.c, lib/reg_name.c and lib/wave_state.c: the arguments of ioctls, their results,
 * and the names of registers.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <amdgpudbg.h>

#include "mock.h"

static const uint32_t vangogh = ADBG_GC_VERSION(10, 3, 1);

/* ------------------------------------------------------------------- access */

static struct amdgpudbg_reg_range ranges[2] = {
	{ .space = AMDGPUDBG_REG_SGPR, .first = 4, .count = 2 },
	{ .space = AMDGPUDBG_REG_VGPR, .first = 7, .count = 1, .first_lane = 3,
	  .num_lanes = 4 },
};

static uint32_t values[6], compare[6];

static void check_access(void *arg)
{
	struct amdgpudbg_reg_access *call = arg;
	const struct amdgpudbg_wave_coord at = {
		.se = 1, .sa = 2, .wgp = 3, .simd = 1, .wave = 5,
	};

	assert_int_equal(call->size, sizeof(*call));
	assert_int_equal(call->flags, AMDGPUDBG_REG_ACCESS_WRITE |
			 AMDGPUDBG_REG_ACCESS_COMPARE |
			 AMDGPUDBG_REG_ACCESS_EXPECT_PC);
	assert_memory_equal(&call->at, &at, sizeof(at));
	assert_int_equal(call->vmid, 3);
	assert_int_equal(call->num_ranges, 2);
	assert_true(call->ranges == (uintptr_t)ranges);
	assert_true(call->values == (uintptr_t)values);
	assert_true(call->compare == (uintptr_t)compare);
	assert_true(call->pc == 0x800000001000);
	assert_int_equal(call->num_values, 6);
	assert_int_equal(call->num_done, 0);
	call->num_done = 4;
}

static struct amdgpudbg_reg_access some_access(void)
{
	struct amdgpudbg_reg_access a = {
		.flags = AMDGPUDBG_REG_ACCESS_WRITE |
			 AMDGPUDBG_REG_ACCESS_COMPARE |
			 AMDGPUDBG_REG_ACCESS_EXPECT_PC,
		.at = { .se = 1, .sa = 2, .wgp = 3, .simd = 1, .wave = 5 },
		.vmid = 3,
		.ranges = (uintptr_t)ranges,
		.num_ranges = 2,
		.values = (uintptr_t)values,
		.compare = (uintptr_t)compare,
		.pc = 0x800000001000,
		.num_values = 6,
	};

	return a;
}

static void all_members_reach_the_kernel(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_REG_ACCESS, .error = EINTR },
		{ .request = AMDGPUDBG_IOC_REG_ACCESS, .check = check_access },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct amdgpudbg_reg_access a = some_access();

	(void)state;
	assert_int_equal(adbg_reg_num_values(ranges, 2), 6);
	assert_int_equal(adbg_reg_access(session, &a), 0);
	assert_int_equal(a.num_done, 4);
	adbg_session_close(session);
}

static void a_failure_returns_how_far_it_got(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_REG_ACCESS, .check = check_access,
		  .error = EIO },
		{ .request = AMDGPUDBG_IOC_REG_ACCESS, .error = EINPROGRESS },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct amdgpudbg_reg_access a = some_access();

	(void)state;
	assert_int_equal(adbg_reg_access(session, &a), -EIO);
	assert_int_equal(a.num_done, 4);
	assert_int_equal(adbg_reg_access(session, &a), -EINPROGRESS);
	assert_int_equal(a.num_done, 0);
	adbg_session_close(session);
}

static void large_numbers_of_values_do_not_wrap(void **state)
{
	const struct amdgpudbg_reg_range large = {
		.space = AMDGPUDBG_REG_VGPR, .count = 0xffffffff,
		.num_lanes = 0xffffffff,
	};

	(void)state;
	assert_true(adbg_reg_num_values(&large, 1) == 0xfffffffe00000001);
	assert_int_equal(adbg_reg_num_values(&large, 0), 0);
}

/* -------------------------------------------------------------------- state */

#define STATE_VALUES (108 + 16 + 19 + 32 * 24)

/* Value i is i * 3. */
static void give_state(void *arg)
{
	static const struct amdgpudbg_reg_range wanted[4] = {
		{ .space = AMDGPUDBG_REG_SGPR, .count = 108 },
		{ .space = AMDGPUDBG_REG_TTMP, .count = 16 },
		{ .space = AMDGPUDBG_REG_HW, .count = 19 },
		{ .space = AMDGPUDBG_REG_VGPR, .count = 24, .num_lanes = 32 },
	};
	struct amdgpudbg_reg_access *call = arg;
	uint32_t *to = (uint32_t *)(uintptr_t)call->values;

	assert_int_equal(call->flags, 0);
	assert_int_equal(call->vmid, 1);
	assert_int_equal(call->at.simd, 2);
	assert_int_equal(call->num_ranges, 4);
	assert_memory_equal((void *)(uintptr_t)call->ranges, wanted,
			    sizeof(wanted));
	assert_int_equal(call->num_values, STATE_VALUES);
	for (uint32_t i = 0; i < call->num_values; i++)
		to[i] = i * 3;
	call->num_done = call->num_values;
}

static const struct amdgpudbg_wave some_wave = {
	.at = { .simd = 2 }, .vmid = 1, .hw_mask = MOCK_HW_MASK,
	.HW(GPR_ALLOC) = 5 << 8,
};

static void a_state_is_one_call(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_REG_ACCESS, .check = give_state },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct adbg_wave_state *regs;
	uint32_t count;
	const uint32_t *v;

	(void)state;
	assert_int_equal(adbg_wave_state_new(&regs), 0);
	assert_int_equal(adbg_wave_state_read(regs, session, &some_wave), 0);
	v = adbg_wave_state_get(regs, AMDGPUDBG_REG_SGPR, 0, &count);
	assert_int_equal(count, 108);
	assert_int_equal(v[107], 107 * 3);
	v = adbg_wave_state_get(regs, AMDGPUDBG_REG_TTMP, 0, &count);
	assert_int_equal(count, 16);
	assert_int_equal(v[0], 108 * 3);
	assert_int_equal(adbg_wave_state_get_hwreg(regs, AMDGPUDBG_GFX10_3_MODE),
			 124 * 3);
	assert_int_equal(adbg_wave_state_get_hwreg(regs,
						   AMDGPUDBG_GFX10_3_SCHED_MODE),
			 (124 + 18) * 3);
	assert_int_equal(adbg_wave_state_get_hwreg(regs, 19), 0);
	assert_int_equal(adbg_wave_state_get_lanes(regs), 32);
	v = adbg_wave_state_get(regs, AMDGPUDBG_REG_VGPR, 31, &count);
	assert_int_equal(count, 24);
	assert_int_equal(v[23], (STATE_VALUES - 1) * 3);
	assert_null(adbg_wave_state_get(regs, AMDGPUDBG_REG_VGPR, 32, &count));
	assert_int_equal(count, 0);
	adbg_wave_state_free(regs);
	adbg_session_close(session);
}

static void a_failure_leaves_an_empty_state(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_REG_ACCESS, .check = give_state },
		{ .request = AMDGPUDBG_IOC_REG_ACCESS, .error = EINPROGRESS },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct adbg_wave_state *regs;
	uint32_t count;

	(void)state;
	assert_int_equal(adbg_wave_state_new(&regs), 0);
	assert_int_equal(adbg_wave_state_get_lanes(regs), 0);
	assert_int_equal(adbg_wave_state_read(regs, session, &some_wave), 0);
	assert_int_equal(adbg_wave_state_read(regs, session, &some_wave),
			 -EINPROGRESS);
	adbg_wave_state_get(regs, AMDGPUDBG_REG_SGPR, 0, &count);
	assert_int_equal(count, 0);
	adbg_wave_state_get(regs, AMDGPUDBG_REG_TTMP, 0, &count);
	assert_int_equal(count, 0);
	assert_int_equal(adbg_wave_state_get_lanes(regs), 0);
	assert_int_equal(adbg_wave_state_get_hwreg(regs, 0), 0);
	assert_null(adbg_wave_state_get(regs, AMDGPUDBG_REG_VGPR, 0, &count));
	adbg_wave_state_free(regs);
	adbg_wave_state_free(NULL);
	adbg_session_close(session);
}

static void vgprs_are_counted_in_fours(void **state)
{
	static const struct {
		uint32_t gpr_alloc, vgprs;
	} cases[] = {
		{ 0, 4 }, { 0x00000900, 40 }, { 0x0fff3f12, 256 },
		{ 0x0000ff00, 256 },
	};
	struct amdgpudbg_wave wave = { .hw_mask = MOCK_HW_MASK };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		wave.HW(GPR_ALLOC) = cases[i].gpr_alloc;
		assert_int_equal(adbg_wave_num_vgprs(vangogh, &wave),
				 cases[i].vgprs);
	}
	assert_int_equal(adbg_wave_num_vgprs(0, &wave), 0);
	wave.hw_mask = 0;
	assert_int_equal(adbg_wave_num_vgprs(vangogh, &wave), 0);
}

/* How many registers there are is not guessed. */
static void a_state_needs_a_record_that_says_its_size(void **state)
{
	static const struct mock_ioctl expect[] = { MOCK_GET_INFO };
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct amdgpudbg_wave wave = some_wave;
	struct adbg_wave_state *regs;

	(void)state;
	assert_int_equal(adbg_wave_state_new(&regs), 0);
	wave.hw_mask &= ~(1ULL << AMDGPUDBG_GFX10_3_GPR_ALLOC);
	assert_int_equal(adbg_wave_state_read(regs, session, &wave), -EINVAL);
	wave = some_wave;
	wave.hw_mask &= ~(1ULL << AMDGPUDBG_GFX10_3_IB_STS2);
	assert_int_equal(adbg_wave_state_read(regs, session, &wave), -EINVAL);
	adbg_wave_state_free(regs);
	adbg_session_close(session);
}

/* -------------------------------------------------------------------- names */

static void names_are_read(void **state)
{
	static const struct {
		const char *text;
		uint32_t space, first, count;
	} cases[] = {
		{ "s0", AMDGPUDBG_REG_SGPR, 0, 1 },
		{ "s107", AMDGPUDBG_REG_SGPR, 107, 1 },
		{ "s0-15", AMDGPUDBG_REG_SGPR, 0, 16 },
		{ "s[4:7]", AMDGPUDBG_REG_SGPR, 4, 4 },
		{ "s[4]", AMDGPUDBG_REG_SGPR, 4, 1 },
		{ "v255", AMDGPUDBG_REG_VGPR, 255, 1 },
		{ "v[0:3]", AMDGPUDBG_REG_VGPR, 0, 4 },
		{ "ttmp11", AMDGPUDBG_REG_TTMP, 11, 1 },
		{ "ttmp0-15", AMDGPUDBG_REG_TTMP, 0, 16 },
		{ "vcc", AMDGPUDBG_REG_SGPR, 106, 2 },
		{ "VCC_HI", AMDGPUDBG_REG_SGPR, 107, 1 },
		{ "vcc_lo", AMDGPUDBG_REG_SGPR, 106, 1 },
		{ "pc", AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_PC_LO, 2 },
		{ "PC_HI", AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_PC_HI, 1 },
		{ "exec", AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_EXEC_LO, 2 },
		{ "flat_scratch", AMDGPUDBG_REG_HW,
		  AMDGPUDBG_GFX10_3_FLAT_SCRATCH_LO, 2 },
		{ "m0", AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_M0, 1 },
		{ "SQ_WAVE_STATUS", AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_STATUS,
		  1 },
		{ "status", AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_STATUS, 1 },
		{ "sched_mode", AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_SCHED_MODE,
		  1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct amdgpudbg_reg_range wanted = {
			.space = cases[i].space, .first = cases[i].first,
			.count = cases[i].count,
		};
		struct amdgpudbg_reg_range range = { .__reserved = 1 };

		if (adbg_reg_parse(vangogh, cases[i].text, &range) ||
		    memcmp(&range, &wanted, sizeof(range)))
			fail_msg("%s: %u %u %u", cases[i].text, range.space,
				 range.first, range.count);
	}
}

static void wrong_names_are_refused(void **state)
{
	static const struct {
		const char *text;
		int error;
	} cases[] = {
		{ "", -EINVAL }, { "s", -EINVAL }, { "x0", -EINVAL },
		{ "s-1", -EINVAL }, { "s0-", -EINVAL }, { "s4-3", -EINVAL },
		{ "s[0", -EINVAL }, { "s[0:3", -EINVAL }, { "s[0-3]", -EINVAL },
		{ "s0:3", -EINVAL }, { "s[0:3]x", -EINVAL }, { "s0 ", -EINVAL },
		{ "S0", -EINVAL }, { "hw_id", -EINVAL }, { "vc", -EINVAL },
		{ "status_lo", -EINVAL }, { "hw", -EINVAL },
		{ "s108", -ERANGE }, { "s100-108", -ERANGE },
		{ "v256", -ERANGE }, { "ttmp16", -ERANGE },
		{ "v99999999999", -ERANGE },
	};
	struct amdgpudbg_reg_range range = { .space = 77 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (adbg_reg_parse(vangogh, cases[i].text, &range) !=
		    cases[i].error)
			fail_msg("'%s'", cases[i].text);
	assert_int_equal(range.space, 77);
	assert_int_equal(adbg_reg_parse(vangogh, NULL, &range), -EINVAL);
	assert_int_equal(adbg_reg_parse(0, "s0", &range), -EINVAL);
}

static void names_read_back(void **state)
{
	const uint32_t spaces[] = { 108, 256, 16, 19 };
	char name[ADBG_REG_NAME_MAX];
	struct amdgpudbg_reg_range range;

	(void)state;
	for (uint32_t space = 0; space < ARRAY_SIZE(spaces); space++) {
		for (uint32_t i = 0; i < spaces[space]; i++) {
			adbg_reg_name(vangogh, space, i, name);
			assert_int_equal(adbg_reg_parse(vangogh, name, &range),
					 0);
			assert_int_equal(range.space, space);
			assert_int_equal(range.first, i);
			assert_int_equal(range.count, 1);
		}
		assert_string_equal(adbg_reg_name(vangogh, space,
						  spaces[space], name), "?");
	}
	assert_string_equal(adbg_reg_name(vangogh, AMDGPUDBG_REG_SGPR, 4, name),
			    "s4");
	assert_string_equal(adbg_reg_name(vangogh, AMDGPUDBG_REG_HW,
					  AMDGPUDBG_GFX10_3_EXEC_HI, name),
			    "EXEC_HI");
	assert_string_equal(adbg_reg_name(0, AMDGPUDBG_REG_SGPR, 4, name), "?");
	assert_string_equal(adbg_reg_name(vangogh, 4, 0, name), "?");
}

#define NUM_HWREGS (AMDGPUDBG_GFX10_3_SCHED_MODE + 1)

/* adbg_wave_state has them by their number. */
static void hardware_registers_are_in_the_order_of_their_numbers(void **state)
{
	const struct adbg_reg *reg;
	const struct adbg_reg_file *file = adbg_reg_get_file(vangogh);
	size_t i;

	(void)state;
	for (i = 0; i < NUM_HWREGS; i++) {
		reg = adbg_reg_get(vangogh, i);
		assert_int_equal(reg->space, AMDGPUDBG_REG_HW);
		assert_int_equal(reg->number, i);
	}
	/* Then what the hardware leaves of a trap. */
	for (i = 0; i < 2; i++) {
		reg = adbg_reg_get(vangogh, NUM_HWREGS + i);
		assert_int_equal(reg->space, AMDGPUDBG_REG_TTMP);
		assert_int_equal(reg->number, i);
	}
	assert_null(adbg_reg_get(vangogh, NUM_HWREGS + 2));
	assert_non_null(file);
	assert_int_equal(file->num_sgpr, 108);
	assert_int_equal(file->max_lane, 64);
	assert_null(adbg_reg_get_file(0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MOCK_TEST(all_members_reach_the_kernel),
		MOCK_TEST(a_failure_returns_how_far_it_got),
		MOCK_TEST(large_numbers_of_values_do_not_wrap),
		MOCK_TEST(a_state_is_one_call),
		MOCK_TEST(a_failure_leaves_an_empty_state),
		MOCK_TEST(vgprs_are_counted_in_fours),
		MOCK_TEST(a_state_needs_a_record_that_says_its_size),
		MOCK_TEST(names_are_read),
		MOCK_TEST(wrong_names_are_refused),
		MOCK_TEST(names_read_back),
		MOCK_TEST(hardware_registers_are_in_the_order_of_their_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

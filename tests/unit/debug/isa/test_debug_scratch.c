// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/isa/scratch.c: which descriptor is that of private memory, and since when. Whole
 * kernels are in tests/unit/debug/code/test_debug_run.c.
 */
#include "debug/util.h"
#include "isa/scratch.h"

#define GC_10_3		ADBG_GC_VERSION(10, 3, 1)
#define BASE		0x123456789000ULL
/* Words of descriptors: swizzle in 1; index stride and ADD_TID_ENABLE in 3 */
#define SWIZZLE		(1U << 31)
#define STRIDE_64_TID	(3U << 21 | 1U << 23)

/* The prologue of clang 19, -O1, if the kernel needs s[0:3] for something else */
static const uint32_t code[] = {
	0xbe8a0402,		/* s_mov_b64 s[10:11], s[2:3] */
	0xbe880400,		/* s_mov_b64 s[8:9], s[0:1] */
	0x80080708,		/* s_add_u32 s8, s8, s7 */
	0x82098009,		/* s_addc_u32 s9, s9, 0 */
	0xe0700004, 0x80020000,	/* buffer_store_dword v0, off, s[8:11], 0 offset:4 */
	0xe0302000, 0x80030100,	/* buffer_load_dword v1, v0, s[12:15], 0 idxen */
	0xbf810000,		/* s_endpgm */
};

#define COMPLETE_AT	16	/* bytes */

static uint32_t sgprs[106];
static int reading_fails;

static int read_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
			 uint32_t *value)
{
	(void)data;
	(void)lane;
	assert_int_equal(space, AMDGPUDBG_REG_SGPR);
	assert_true(number < ARRAY_SIZE(sgprs));
	*value = sgprs[number];
	return reading_fails;
}

static const struct adbgd_context context = { .read_register = read_register, .lanes = 64 };

static int find(uint64_t offset, struct adbgd_swizzle *swizzle)
{
	return adbgd_scratch_find(GC_10_3, code, ARRAY_SIZE(code), offset, &context, swizzle);
}

static void put_descriptor(uint32_t first, uint32_t word1, uint32_t word3)
{
	sgprs[first] = (uint32_t)BASE;
	sgprs[first + 1] = BASE >> 32 | word1;
	sgprs[first + 2] = ~0U;
	sgprs[first + 3] = word3;
}

static void the_descriptor_is_found_when_it_is_complete(void **state)
{
	struct adbgd_swizzle s;

	(void)state;
	memset(sgprs, 0xee, sizeof(sgprs));
	put_descriptor(12, 0, 0);
	/* What an earlier wave has left is not looked at, whatever it is. */
	assert_int_equal(find(0, &s), -ENODATA);
	put_descriptor(8, SWIZZLE, STRIDE_64_TID);
	assert_int_equal(find(0, &s), -ENODATA);
	assert_int_equal(find(COMPLETE_AT - 4, &s), -ENODATA);
	assert_int_equal(find(COMPLETE_AT, &s), 1);
	assert_true(s.base == BASE);
	assert_int_equal(s.lanes, 64);
	assert_int_equal(s.stride, 0);
}

static void other_descriptors_are_not_of_private_memory(void **state)
{
	struct adbgd_swizzle s;

	(void)state;
	put_descriptor(12, 0, 0);
	put_descriptor(8, SWIZZLE, 0);
	assert_int_equal(find(COMPLETE_AT, &s), 0);
	put_descriptor(8, 0, STRIDE_64_TID);
	assert_int_equal(find(COMPLETE_AT, &s), 0);
	/* It need not be the one that is completed. */
	put_descriptor(12, SWIZZLE, STRIDE_64_TID);
	assert_int_equal(find(COMPLETE_AT, &s), 1);
	assert_int_equal(find(0, &s), 1);
}

static void registers_that_cannot_be_read_are_an_error(void **state)
{
	struct adbgd_swizzle s;

	(void)state;
	reading_fails = -EIO;
	assert_int_equal(find(COMPLETE_AT, &s), -EIO);
	reading_fails = 0;
	/* Nothing is read of code without such instructions, or of another generation. */
	assert_int_equal(adbgd_scratch_find(GC_10_3, code, 4, 0, &context, &s), 0);
	assert_int_equal(adbgd_scratch_find(ADBG_GC_VERSION(9, 0, 0), code, ARRAY_SIZE(code), 0,
					    &context, &s), 0);
}

/* The dwords of the lanes alternate. */
static void each_lane_has_its_dword(void **state)
{
	const struct adbgd_swizzle s = { .base = BASE, .lanes = 32, .stride = 0x1000 };

	(void)state;
	assert_true(adbgd_swizzle_address(&s, 0, 0) == BASE);
	assert_true(adbgd_swizzle_address(&s, 5, 0) == BASE + 5 * 4);
	assert_true(adbgd_swizzle_address(&s, 5, 3) == BASE + 5 * 4);
	assert_true(adbgd_swizzle_address(&s, 31, 8) == BASE + 8 * 32 + 31 * 4);
	assert_true(adbgd_swizzle_address(&s, 33, 8) == BASE + (0x1000 + 8) * 32 + 4);
	assert_true(adbgd_swizzle_address(&s, 0, 0xfffffffc) == BASE + 0xfffffffcULL * 32);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_descriptor_is_found_when_it_is_complete),
		cmocka_unit_test(other_descriptors_are_not_of_private_memory),
		cmocka_unit_test(registers_that_cannot_be_read_are_an_error),
		cmocka_unit_test(each_lane_has_its_dword),
	};

	return cmocka_run_group_tests_name("debug_scratch", tests, NULL, NULL);
}

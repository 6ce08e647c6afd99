// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trap handlers: is what the module carries as numbers what its source says?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef uint32_t u32;

#include "gfx10_3_leave.h"
#include "trap_abi.h"

static const u32 assembled[] = {
#include "gfx10_3_leave.inc"
};

static void numbers_are_those_of_the_source(void **state)
{
	(void)state;
	assert_int_equal(sizeof(leave_code), sizeof(assembled));
	assert_memory_equal(leave_code, assembled, sizeof(assembled));
}

static void mailbox_members_do_not_overlap(void **state)
{
	(void)state;
	assert_int_equal(1 << TRAP_BOX_SHIFT, TRAP_BOX_SIZE);
	assert_true(TRAP_BOX_HW_ID2 + 4 <= TRAP_BOX_SIZE);
	assert_int_equal(TRAP_INDEX_NUM, 1 << (TRAP_INDEX_SE_SHIFT +
					       TRAP_INDEX_SE_BITS));
	assert_int_equal(TRAP_INDEX_SIMD_SHIFT, TRAP_INDEX_WAVE_BITS);
	assert_int_equal(TRAP_INDEX_WGP_SHIFT,
			 TRAP_INDEX_SIMD_SHIFT + TRAP_INDEX_SIMD_BITS);
	assert_int_equal(TRAP_INDEX_SA_SHIFT,
			 TRAP_INDEX_WGP_SHIFT + TRAP_INDEX_WGP_BITS);
	assert_int_equal(TRAP_INDEX_SE_SHIFT,
			 TRAP_INDEX_SA_SHIFT + TRAP_INDEX_SA_BITS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_those_of_the_source),
		cmocka_unit_test(mailbox_members_do_not_overlap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

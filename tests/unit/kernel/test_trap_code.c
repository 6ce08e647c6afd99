// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trap handlers: the numbers in the module are the code that is assembled from the source.
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
	assert_int_equal(1 << TRAP_MAILBOX_SHIFT, TRAP_MAILBOX_SIZE);
	assert_true(TRAP_MAILBOX_HW_ID2 + 4 <= TRAP_MAILBOX_SIZE);
	assert_true(TRAP_HDR_NUM_WAVE + 4 <= TRAP_HDR_OP);
	assert_true(TRAP_HDR_DONE + 4 <= TRAP_HDR_TRACE);
	assert_true(TRAP_HDR_TRACE_VGPRS + 4 <= TRAP_HDR_SIZE);
	assert_true(TRAP_RECORD_FLAT_SCRATCH_HI + 4 <= TRAP_RECORD_SGPRS);
	assert_true(TRAP_RECORD_SGPRS + 4 * TRAP_RECORD_NUM_SGPRS <= TRAP_RECORD_VGPRS);
	/* Told apart in TTMP13, where one has a PC beside it */
	assert_true(TRAP_TTMP13_TRACED < 4 && TRAP_TTMP13_STOPPED < 4);
	assert_int_equal(TRAP_TTMP13_TRACED & TRAP_TTMP13_STOPPED, 0);
	/* Read at once by the handler */
	assert_int_equal(TRAP_HDR_NUM_SA % 16, 0);
	assert_int_equal(TRAP_HDR_NUM_WAVE, TRAP_HDR_NUM_SA + 12);
}

/* Every slot has a mailbox of its own, and what is no slot has none. */
static void mailbox_numbers_are_dense(void **state)
{
	u32 header[TRAP_HDR_SIZE / 4];
	u32 next = 0, se, sa, wgp, simd, wave;

	(void)state;
	trap_header(header, 4, 2, 5, 4, 16);
	assert_int_equal(header[TRAP_HDR_NUM_MAILBOXES / 4], 2560);
	for (se = 0; se < 4; se++)
		for (sa = 0; sa < 2; sa++)
			for (wgp = 0; wgp < 5; wgp++)
				for (simd = 0; simd < 4; simd++)
					for (wave = 0; wave < 16; wave++)
						assert_int_equal(trap_mailbox(header, se, sa, wgp,
									      simd, wave), next++);
	assert_int_equal(trap_mailbox(header, 4, 0, 0, 0, 0), TRAP_NO_MAILBOX);
	assert_int_equal(trap_mailbox(header, 0, 2, 0, 0, 0), TRAP_NO_MAILBOX);
	assert_int_equal(trap_mailbox(header, 0, 0, 5, 0, 0), TRAP_NO_MAILBOX);
	assert_int_equal(trap_mailbox(header, 0, 0, 0, 4, 0), TRAP_NO_MAILBOX);
	assert_int_equal(trap_mailbox(header, 0, 0, 0, 0, 16), TRAP_NO_MAILBOX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_those_of_the_source),
		cmocka_unit_test(mailbox_members_do_not_overlap),
		cmocka_unit_test(mailbox_numbers_are_dense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Jobs that did not fit in the module's queue: the number of lost events that each session sees.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef uint32_t u32;
typedef uint64_t u64;

#include "amdgpu/dropped.h"

/* Three address spaces: no more than their addresses */
static const char a, b, c;

static void each_session_gets_its_own_losses(void **state)
{
	struct wdbg_dropped d = { 0 };

	(void)state;
	wdbg_dropped_add(&d, 1, &a, 10);
	wdbg_dropped_add(&d, 2, &b, 11);
	wdbg_dropped_add(&d, 1, &a, 12);
	assert_int_equal(wdbg_dropped_num(&d, &a, false, 10), 2);
	assert_int_equal(wdbg_dropped_num(&d, &b, false, 10), 1);
	assert_int_equal(wdbg_dropped_num(&d, &c, false, 10), 0);
	assert_int_equal(wdbg_dropped_num(&d, NULL, true, 10), 3);
}

static void the_new_owner_of_a_vmid_gets_no_losses_of_the_old_one(void **state)
{
	struct wdbg_dropped d = { 0 };

	(void)state;
	wdbg_dropped_add(&d, 3, &a, 10);
	wdbg_dropped_add(&d, 3, &a, 11);
	wdbg_dropped_add(&d, 3, &b, 12);
	assert_int_equal(wdbg_dropped_num(&d, &b, false, 0), 1);
	wdbg_dropped_add(&d, 3, &c, 13);
	wdbg_dropped_add(&d, 3, &c, 14);
	assert_int_equal(wdbg_dropped_num(&d, &c, false, 0), 2);
	/* Nothing is lost for who sees all. */
	assert_int_equal(wdbg_dropped_num(&d, NULL, true, 0), 5);
}

/* A client with several, and one without an owner */
static void an_address_space_may_have_several_vmids(void **state)
{
	struct wdbg_dropped d = { 0 };

	(void)state;
	wdbg_dropped_add(&d, 3, &a, 10);
	wdbg_dropped_add(&d, 15, &a, 11);
	wdbg_dropped_add(&d, 0, NULL, 12);
	assert_int_equal(wdbg_dropped_num(&d, &a, false, 0), 2);
	assert_int_equal(wdbg_dropped_num(&d, NULL, false, 0), 0);
	assert_int_equal(wdbg_dropped_num(&d, NULL, true, 0), 3);
}

static void what_was_before_is_nobodys(void **state)
{
	struct wdbg_dropped d = { 0 };

	(void)state;
	wdbg_dropped_add(&d, 3, &a, 10);
	wdbg_dropped_add(&d, 4, &b, 20);
	wdbg_dropped_add(&d, 3, &c, 30);
	assert_int_equal(wdbg_dropped_num(&d, &b, false, 20), 1);
	assert_int_equal(wdbg_dropped_num(&d, &b, false, 21), 0);
	assert_int_equal(wdbg_dropped_num(&d, NULL, true, 10), 3);
	assert_int_equal(wdbg_dropped_num(&d, NULL, true, 11), 2);
	assert_int_equal(wdbg_dropped_num(&d, NULL, true, 30), 1);
	assert_int_equal(wdbg_dropped_num(&d, NULL, true, 31), 0);
	/* The losses of both sides are reported. */
	wdbg_dropped_add(&d, 4, &b, 40);
	assert_int_equal(wdbg_dropped_num(&d, &b, false, 30), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_session_gets_its_own_losses),
		cmocka_unit_test(the_new_owner_of_a_vmid_gets_no_losses_of_the_old_one),
		cmocka_unit_test(an_address_space_may_have_several_vmids),
		cmocka_unit_test(what_was_before_is_nobodys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

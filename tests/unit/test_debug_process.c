// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/process.c where there is nothing to debug. All else runs in the guest:
 * tests/vm/guest/debugger.c.
 */
#include "debug/util.h"

#include <unistd.h>

static void without_a_gpu_it_is_said_so(void **state)
{
	struct adbgd_process *process = NULL;
	struct adbgd_error error = { .error = 0 };

	(void)state;
	assert_true(adbgd_process_attach("/dev/null", getpid(), 0, &process, &error) < 0);
	assert_true(error.error < 0);
	assert_non_null(strstr(error.text, "cannot open /dev/null: "));
	assert_null(process);
	adbgd_process_detach(NULL);
}

static void reasons_have_names(void **state)
{
	(void)state;
	for (uint32_t i = ADBGD_STOP_BREAKPOINT; i <= ADBGD_STOP_HALTED; i++)
		assert_string_not_equal(adbgd_stop_reason_name(i), "?");
	assert_string_equal(adbgd_stop_reason_name(0), "?");
	assert_string_equal(adbgd_stop_reason_name(ADBGD_STOP_HALTED + 1), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_gpu_it_is_said_so),
		cmocka_unit_test(reasons_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

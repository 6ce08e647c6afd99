// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/strerror.c: every error of the kernel interface has words for each call.
 */
#include <ctype.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <amdgpudbg.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* The errno contract at the top of linux/amdgpudbg.h, where a call gives it. */
static const int contract[] = {
	ENOTTY, E2BIG, EFAULT, EINVAL, EOPNOTSUPP, EPERM, EBUSY, EIO, ENODEV,
	ETIMEDOUT,
};

static const int control_only[] = { ENXIO, ENODATA, ESTALE };
static const int regs_only[] = { ENXIO, ENODATA, ESTALE, EAGAIN };
static const int mem_only[] = { ENOSPC, ENOENT, ENOTCONN };
static const int trap_only[] = { ENOENT, EEXIST, ENXIO, ENOSPC, ENOTCONN };
static const int watch_only[] = { ENOSPC, ENOENT, ENOTCONN };

static void is_a_clause(const char *text)
{
	assert_true(strlen(text) > 3);
	assert_true(islower((unsigned char)text[0]) || !strncmp(text, "CAP", 3) ||
		    !strncmp(text, "VMID", 4));
	assert_true(text[strlen(text) - 1] != '.');
	assert_null(strchr(text, '\n'));
}

static void every_error_has_words(void **state)
{
	(void)state;
	for (int call = ADBG_CALL_ANY; call <= ADBG_CALL_TRAP; call++) {
		for (size_t i = 0; i < ARRAY_SIZE(contract); i++) {
			const char *text = adbg_strerror(call, -contract[i]);
			const char *hint = adbg_strhint(call, -contract[i]);

			is_a_clause(text);
			assert_string_not_equal(text, "unexpected error");
			assert_ptr_equal(text, adbg_strerror(call,
							     contract[i]));
			assert_ptr_equal(hint, adbg_strhint(call,
							    contract[i]));
			if (hint)
				is_a_clause(hint);
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(mem_only); i++)
		is_a_clause(adbg_strerror(ADBG_CALL_MEM, -mem_only[i]));
	for (size_t i = 0; i < ARRAY_SIZE(trap_only); i++) {
		is_a_clause(adbg_strerror(ADBG_CALL_TRAP, -trap_only[i]));
		is_a_clause(adbg_strhint(ADBG_CALL_TRAP, -trap_only[i]));
	}
	for (size_t i = 0; i < ARRAY_SIZE(watch_only); i++) {
		is_a_clause(adbg_strerror(ADBG_CALL_WATCH, -watch_only[i]));
		is_a_clause(adbg_strhint(ADBG_CALL_WATCH, -watch_only[i]));
	}
	for (size_t i = 0; i < ARRAY_SIZE(control_only); i++) {
		is_a_clause(adbg_strerror(ADBG_CALL_WAVE_CONTROL,
					  -control_only[i]));
		is_a_clause(adbg_strhint(ADBG_CALL_WAVE_CONTROL,
					 -control_only[i]));
	}
	for (size_t i = 0; i < ARRAY_SIZE(regs_only); i++) {
		is_a_clause(adbg_strerror(ADBG_CALL_REG_READ, regs_only[i]));
		is_a_clause(adbg_strhint(ADBG_CALL_REG_READ, regs_only[i]));
		is_a_clause(adbg_strerror(ADBG_CALL_REG_WRITE, regs_only[i]));
		is_a_clause(adbg_strhint(ADBG_CALL_REG_WRITE, regs_only[i]));
	}
}

static void calls_have_words_of_their_own(void **state)
{
	(void)state;
	assert_string_not_equal(adbg_strerror(ADBG_CALL_WAVE_CONTROL, -EBUSY),
				adbg_strerror(ADBG_CALL_WAVE_READ, -EBUSY));
	assert_string_not_equal(adbg_strerror(ADBG_CALL_OPEN, -ENODEV),
				adbg_strerror(ADBG_CALL_INFO, -ENODEV));
	assert_non_null(strstr(adbg_strhint(ADBG_CALL_WAVE_READ, -EPERM),
			       "CAP_SYS_ADMIN"));
	assert_non_null(strstr(adbg_strerror(ADBG_CALL_OPEN, -ENOTUNIQ),
			       "more than one"));
}

static void unknown_errors_are_survived(void **state)
{
	(void)state;
	assert_string_equal(adbg_strerror(ADBG_CALL_ANY, -4000),
			    "unexpected error");
	assert_null(adbg_strhint(ADBG_CALL_ANY, -4000));
	assert_string_equal(adbg_errname(-4000), "E?");
	assert_string_equal(adbg_strerror(ADBG_CALL_WAVE_READ, 0), "success");
}

static void names_are_those_of_errno_h(void **state)
{
	(void)state;
	assert_string_equal(adbg_errname(-EBUSY), "EBUSY");
	assert_string_equal(adbg_errname(ESTALE), "ESTALE");
	for (size_t i = 0; i < ARRAY_SIZE(contract); i++)
		assert_string_equal(adbg_errname(contract[i]),
				    strerrorname_np(contract[i]));
	for (size_t i = 0; i < ARRAY_SIZE(control_only); i++)
		assert_string_equal(adbg_errname(-control_only[i]),
				    strerrorname_np(control_only[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_error_has_words),
		cmocka_unit_test(calls_have_words_of_their_own),
		cmocka_unit_test(unknown_errors_are_survived),
		cmocka_unit_test(names_are_those_of_errno_h),
	};

	return cmocka_run_group_tests_name("lib_strerror", tests, NULL, NULL);
}

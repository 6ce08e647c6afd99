// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/strerror.c: there is a message for every error that a call of the kernel interface can
 * return.
 */
#include <ctype.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <amdgpudbg.h>

#include "mock.h"

/* The errno contract at the top of linux/amdgpudbg.h, where a call gives it. */
static const int contract[] = {
	ENOTTY, E2BIG, EFAULT, EINVAL, EOPNOTSUPP, EPERM, EBUSY, EIO, ENODEV,
	ETIMEDOUT,
};

static int info(struct adbg_session *session)
{
	struct amdgpudbg_info info = { 0 };

	return adbg_session_get_info(session, &info);
}

static int list(struct adbg_session *session)
{
	struct amdgpudbg_wave_list list = { 0 };

	return adbg_wave_read(session, &list);
}

static int snapshot(struct adbg_session *session)
{
	struct amdgpudbg_wave_list list = { 0 };

	return adbg_wave_snapshot(session, &list);
}

static int halt(struct adbg_session *session)
{
	struct amdgpudbg_wave_control control = {
		.op = AMDGPUDBG_WAVEOP_HALT,
	};

	return adbg_wave_control(session, &control);
}

static int batch(struct adbg_session *session)
{
	struct amdgpudbg_wave_batch batch = { 0 };

	return adbg_wave_batch(session, &batch);
}

static int target(struct adbg_session *session)
{
	return adbg_target_clear(session);
}

static int read_regs(struct adbg_session *session)
{
	struct amdgpudbg_reg_access access = { 0 };

	return adbg_reg_access(session, &access);
}

static int write_regs(struct adbg_session *session)
{
	struct amdgpudbg_reg_access access = {
		.flags = AMDGPUDBG_REG_ACCESS_WRITE,
	};

	return adbg_reg_access(session, &access);
}

static int events(struct adbg_session *session)
{
	return adbg_event_enable(session, 1, 0, 0);
}

static int watch(struct adbg_session *session)
{
	return adbg_watch_clear(session, 0);
}

static int launch(struct adbg_session *session)
{
	struct amdgpudbg_launch_set set = { 0 };

	return adbg_launch_set(session, &set);
}

static int mem(struct adbg_session *session)
{
	return adbg_mem_free(session, 1);
}

static int trap(struct adbg_session *session)
{
	return adbg_trap_handler_clear(session);
}

/* What each call may return besides the contract, and must have words of its own. */
static const struct {
	int (*call)(struct adbg_session *session);
	unsigned long request;
	int own[7];
} calls[] = {
	{ info, AMDGPUDBG_IOC_GET_INFO, { 0 } },
	{ list, AMDGPUDBG_IOC_WAVE_LIST, { ENXIO, EMSGSIZE } },
	{ snapshot, AMDGPUDBG_IOC_WAVE_SNAPSHOT, { ENXIO, EMSGSIZE } },
	{ halt, AMDGPUDBG_IOC_WAVE_CONTROL, { ENXIO, ENODATA, ESTALE } },
	{ batch, AMDGPUDBG_IOC_WAVE_BATCH, { ENXIO, ENODATA, ESTALE } },
	{ target, AMDGPUDBG_IOC_TARGET_SET, { ESRCH, EBADF, EMFILE } },
	{ read_regs, AMDGPUDBG_IOC_REG_ACCESS,
	  { ENXIO, ENODATA, ESTALE, EINPROGRESS } },
	{ write_regs, AMDGPUDBG_IOC_REG_ACCESS,
	  { ENXIO, ENODATA, ESTALE, EINPROGRESS } },
	{ events, AMDGPUDBG_IOC_EVENT_ENABLE, { ENOTCONN } },
	{ watch, AMDGPUDBG_IOC_WATCH_CLEAR, { ENOSPC, ENOENT, ENOTCONN } },
	{ launch, AMDGPUDBG_IOC_LAUNCH_SET, { ENOTCONN } },
	{ mem, AMDGPUDBG_IOC_MEM_FREE,
	  { ENOSPC, EADDRNOTAVAIL, ENOENT, ENOTCONN } },
	{ trap, AMDGPUDBG_IOC_TRAP_HANDLER,
	  { ENOENT, EEXIST, ENXIO, ENOSPC, EADDRNOTAVAIL, ENOTCONN } },
};

static void is_an_error_text(const char *text)
{
	assert_true(strlen(text) > 3);
	assert_true(islower((unsigned char)text[0]) || !strncmp(text, "CAP", 3) ||
		    !strncmp(text, "VMID", 4));
	assert_true(text[strlen(text) - 1] != '.');
	assert_null(strchr(text, '\n'));
}

/* A session whose last call was @i, and has returned @error */
static struct adbg_session *failed(size_t i, int error)
{
	const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = calls[i].request, .error = error },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));

	assert_int_equal(calls[i].call(session), -error);
	return session;
}

static void check_words(size_t i, int error)
{
	struct adbg_session *session = failed(i, error);
	const char *text = adbg_strerror(session, -error);
	const char *hint = adbg_strhint(session, -error);

	is_an_error_text(text);
	assert_string_not_equal(text, "unexpected error");
	assert_ptr_equal(text, adbg_strerror(session, error));
	assert_ptr_equal(hint, adbg_strhint(session, error));
	if (hint)
		is_an_error_text(hint);
	adbg_session_close(session);
	mock_reset();
}

static void every_error_has_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		for (size_t n = 0; n < ARRAY_SIZE(contract); n++)
			check_words(i, contract[n]);
		for (size_t n = 0; calls[i].own[n]; n++)
			check_words(i, calls[i].own[n]);
	}
	for (size_t n = 0; n < ARRAY_SIZE(contract); n++)
		is_an_error_text(adbg_strerror(NULL, -contract[n]));
}

/* "halt" and "list" of EBUSY, say */
static bool same_words(size_t a, size_t b, int error)
{
	struct adbg_session *session = failed(a, error);
	const char *text = adbg_strerror(session, error);
	bool same;

	adbg_session_close(session);
	mock_reset();
	session = failed(b, error);
	same = !strcmp(text, adbg_strerror(session, error));
	adbg_session_close(session);
	mock_reset();
	return same;
}

static void calls_have_words_of_their_own(void **state)
{
	enum { INFO, LIST, SNAPSHOT, HALT, BATCH, TARGET, READ, WRITE };

	(void)state;
	assert_false(same_words(HALT, LIST, EINVAL));
	assert_true(same_words(SNAPSHOT, LIST, EINVAL));
	assert_false(same_words(READ, WRITE, ESTALE));
	assert_true(same_words(HALT, BATCH, ESTALE));
	assert_non_null(strstr(adbg_strerror(NULL, -ENOTUNIQ),
			       "more than one"));
}

/* What went well, or has failed otherwise, does not change what a value means. */
static void words_are_of_the_call_that_failed(void **state)
{
	static const struct mock_op ops[] = {
		{ .in = { .size = sizeof(ops[0].in) }, .error = ENOSPC },
	};
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_MEM_FREE, .error = ENOSPC },
		{ .request = AMDGPUDBG_IOC_WATCH_CLEAR },
		{ .request = AMDGPUDBG_IOC_WAVE_BATCH, .ops = ops,
		  .num_ops = 1 },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct amdgpudbg_batch_op op = { 0 };
	struct amdgpudbg_wave_batch batch = {
		.ops = (uintptr_t)&op, .count = 1,
	};
	const char *text;

	(void)state;
	assert_int_equal(mem(session), -ENOSPC);
	text = adbg_strerror(session, -ENOSPC);
	assert_non_null(strstr(text, "buffers"));
	assert_int_equal(watch(session), 0);
	assert_ptr_equal(adbg_strerror(session, -ENOSPC), text);
	/* Not what it has returned. */
	assert_non_null(strstr(adbg_strerror(session, -ESTALE), "unexpected"));
	assert_int_equal(adbg_wave_batch(session, &batch), 0);
	assert_non_null(strstr(adbg_strerror(session, -ESTALE),
			       "another wave than the one expected"));
	adbg_session_close(session);
}

/* Which the module tells, whatever the call was. */
static void every_cause_has_words(void **state)
{
	static const struct mock_ioctl expect[] = { MOCK_GET_INFO };
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	const char *general, *words[AMDGPUDBG_BUSY_WAVE_SAVED + 1];

	(void)state;
	general = adbg_strerror(session, -EBUSY);
	for (uint32_t i = 1; i < ARRAY_SIZE(words); i++) {
		mock_busy.cause = i;
		words[i] = adbg_strerror(session, -EBUSY);
		assert_string_not_equal(words[i], general);
		for (uint32_t n = 1; n < i; n++)
			assert_string_not_equal(words[i], words[n]);
	}
	/* There is no other debugger that could be ended. */
	mock_busy.cause = AMDGPUDBG_BUSY_PATCH;
	assert_non_null(strstr(adbg_strhint(session, -EBUSY), "debugger"));
	mock_busy.by = AMDGPUDBG_BUSY_BY_SESSION;
	assert_non_null(strstr(adbg_strhint(session, -EBUSY), "debugger"));
	mock_busy.by = AMDGPUDBG_BUSY_BY_LEFT;
	assert_null(strstr(adbg_strhint(session, -EBUSY), "debugger"));
	assert_null(strstr(adbg_strerror(session, -EBUSY), "another session has"));
	mock_busy.cause = AMDGPUDBG_BUSY_LAUNCH;
	mock_busy.by = AMDGPUDBG_BUSY_BY_AMDKFD;
	assert_non_null(strstr(adbg_strerror(session, -EBUSY), "amdkfd"));
	/* These are the target's own jobs. */
	mock_busy.cause = AMDGPUDBG_BUSY_VMID_JOBS;
	mock_busy.by = AMDGPUDBG_BUSY_BY_PROCESS;
	assert_non_null(strstr(adbg_strerror(session, -EBUSY), "another process"));
	mock_busy.by = AMDGPUDBG_BUSY_BY_NONE;
	assert_null(strstr(adbg_strerror(session, -EBUSY), "another process"));
	assert_non_null(strstr(adbg_strerror(session, -EBUSY), "began before its trap handler"));
	mock_busy.by = AMDGPUDBG_BUSY_BY_NONE;
	mock_busy.cause = ARRAY_SIZE(words);
	assert_string_equal(adbg_strerror(session, -EBUSY), general);
	assert_non_null(adbg_strhint(session, -EBUSY));
	adbg_session_close(session);
}

static void unknown_errors_are_survived(void **state)
{
	(void)state;
	assert_string_equal(adbg_strerror(NULL, -4000), "unexpected error");
	assert_null(adbg_strhint(NULL, -4000));
	assert_string_equal(adbg_errname(-4000), "E?");
	assert_string_equal(adbg_strerror(NULL, 0), "success");
}

static void names_are_those_of_errno_h(void **state)
{
	(void)state;
	assert_string_equal(adbg_errname(-EBUSY), "EBUSY");
	assert_string_equal(adbg_errname(ESTALE), "ESTALE");
	assert_string_equal(adbg_errname(EOVERFLOW), "EOVERFLOW");
	for (size_t i = 0; i < ARRAY_SIZE(contract); i++)
		assert_string_equal(adbg_errname(contract[i]),
				    strerrorname_np(contract[i]));
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		for (size_t n = 0; calls[i].own[n]; n++)
			assert_string_equal(adbg_errname(-calls[i].own[n]),
					    strerrorname_np(calls[i].own[n]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MOCK_TEST(every_error_has_words),
		MOCK_TEST(calls_have_words_of_their_own),
		MOCK_TEST(words_are_of_the_call_that_failed),
		MOCK_TEST(every_cause_has_words),
		MOCK_TEST(unknown_errors_are_survived),
		MOCK_TEST(names_are_those_of_errno_h),
	};

	return cmocka_run_group_tests_name("lib_strerror", tests, NULL, NULL);
}

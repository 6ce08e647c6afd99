// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/session.c and lib/ioctl.c: opening a session, queries, errors, structures with a size.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cmocka.h>

#include <amdgpudbg.h>

#include "mock.h"

static const struct mock_node two_nodes[] = {
	{ .name = "amdgpudbg0" }, { .name = "amdgpudbg3" },
};

static void a_session_knows_its_gpu(void **state)
{
	static const struct mock_ioctl expect[] = { MOCK_GET_INFO };
	struct adbg_session *session = mock_session(expect, 1);
	int fd = adbg_session_get_fd(session);

	(void)state;
	assert_int_equal(mock_open_nodes(), 1);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDWR);
	assert_int_equal(adbg_session_get_number(session), 0);
	assert_int_equal(adbg_session_get_gc_version(session),
			 ADBG_GC_VERSION(10, 3, 1));
	adbg_session_close(session);
	assert_int_equal(mock_open_nodes(), 0);
	adbg_session_close(NULL);
}

static void opening_a_missing_node_fails(void **state)
{
	struct adbg_session *session = NULL;

	(void)state;
	mock_set_nodes(&mock_node, 1);
	assert_int_equal(adbg_open("1", &session), -ENOENT);
	assert_null(session);
}

static void errors_of_opening_are_passed_on(void **state)
{
	static const int errors[] = { EACCES, EPERM, ENODEV, ENXIO, EMFILE };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		const struct mock_node node = {
			.name = "amdgpudbg0", .error = errors[i],
		};
		struct adbg_session *session = NULL;

		mock_set_nodes(&node, 1);
		assert_int_equal(adbg_open("0", &session), -errors[i]);
		assert_null(session);
	}
	mock_reset();
}

static void a_node_of_another_driver_is_refused(void **state)
{
	static const struct mock_ioctl expect[] = {
		{ .request = AMDGPUDBG_IOC_GET_INFO, .error = ENOTTY },
	};
	struct adbg_session *session = NULL;

	(void)state;
	mock_set_nodes(&mock_node, 1);
	mock_expect(expect, 1);
	assert_int_equal(adbg_open("0", &session), -ENOTTY);
	assert_null(session);
}

static void signals_do_not_end_a_call(void **state)
{
	static const struct mock_ioctl expect[] = {
		{ .request = AMDGPUDBG_IOC_GET_INFO, .error = EINTR },
		{ .request = AMDGPUDBG_IOC_GET_INFO, .error = EINTR },
		MOCK_GET_INFO,
	};

	(void)state;
	adbg_session_close(mock_session(expect, ARRAY_SIZE(expect)));
}

static void the_only_gpu_is_opened(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO, MOCK_GET_INFO,
	};
	struct adbg_session *session = NULL;

	(void)state;
	assert_int_equal(adbg_open(NULL, &session), -ENODEV);

	mock_set_nodes(two_nodes, 2);
	mock_expect(expect, 2);
	assert_int_equal(adbg_open(NULL, &session), -ENOTUNIQ);
	assert_null(session);

	mock_set_nodes(&mock_node, 1);
	mock_expect(expect, 2);
	assert_int_equal(adbg_open(NULL, &session), 0);
	adbg_session_close(session);
}

static void a_gpu_is_opened_by_address_and_render_node(void **state)
{
	static struct amdgpudbg_info far;
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_GET_INFO, .out = &far,
		  .size = sizeof(far) },
		{ .request = AMDGPUDBG_IOC_GET_INFO, .out = &far,
		  .size = sizeof(far) },
	};
	struct adbg_session *session = NULL;

	(void)state;
	far = mock_info;
	far.pci_bus = 0x0b;
	far.render_minor = 129;
	mock_set_nodes(two_nodes, 2);

	mock_expect(expect, 3);
	assert_int_equal(adbg_open("0000:0b:00.0", &session), 0);
	assert_int_equal(adbg_session_get_number(session), 3);
	adbg_session_close(session);

	mock_expect(expect, 3);
	mock_set_file("/dev/dri/renderD129", S_IFCHR, makedev(226, 129));
	assert_int_equal(adbg_open("/dev/dri/renderD129", &session), 0);
	assert_int_equal(adbg_session_get_number(session), 3);
	adbg_session_close(session);

	session = NULL;
	mock_expect(expect, 2);
	assert_int_equal(adbg_open("0c:00.0", &session), -ENODEV);
	mock_expect(expect, 2);
	assert_int_equal(adbg_open("junk", &session), -EINVAL);
	assert_null(session);
}

static void info_is_fresh(void **state)
{
	static const struct amdgpudbg_info asked = { .size = sizeof(asked) };
	static struct amdgpudbg_info later;
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_GET_INFO, .in = &asked,
		  .out = &later, .size = sizeof(later) },
		{ .request = AMDGPUDBG_IOC_GET_INFO, .error = ENODEV },
	};
	struct amdgpudbg_info info;
	struct adbg_session *session;

	(void)state;
	/* Whatever was in it is not asked. */
	memset(&info, 0xee, sizeof(info));
	later = mock_info;
	later.gpu_reset_count = 7;
	session = mock_session(expect, ARRAY_SIZE(expect));
	assert_int_equal(adbg_session_get_info(session, &info), 0);
	assert_int_equal(info.gpu_reset_count, 7);
	assert_int_equal(info.size, sizeof(info));

	assert_int_equal(adbg_session_get_info(session, &info), -ENODEV);
	assert_int_equal(info.gpu_reset_count, 7);
	adbg_session_close(session);
}

static void capabilities_have_the_reason(void **state)
{
	static const struct amdgpudbg_capability ask = {
		.size = sizeof(ask), .id = AMDGPUDBG_CAP_WAVE_KILL,
	};
	static const struct amdgpudbg_capability no = {
		.size = sizeof(no), .id = AMDGPUDBG_CAP_WAVE_KILL,
		.name = "wave-kill", .reason = "Not in this version.",
	};
	static const struct amdgpudbg_capability yes = {
		.size = sizeof(yes), .id = AMDGPUDBG_CAP_WAVE_LIST,
		.supported = 1, .name = "wave-list",
	};
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_GET_CAPABILITY, .in = &ask,
		  .out = &no, .size = sizeof(no) },
		{ .request = AMDGPUDBG_IOC_GET_CAPABILITY, .out = &yes,
		  .size = sizeof(yes) },
		{ .request = AMDGPUDBG_IOC_GET_CAPABILITY, .error = EINVAL },
	};
	struct adbg_session *session = mock_session(expect, ARRAY_SIZE(expect));
	struct amdgpudbg_capability cap;

	(void)state;
	memset(&cap, 0xee, sizeof(cap));
	assert_int_equal(adbg_session_get_capability(session, ask.id, &cap), 0);
	assert_int_equal(cap.id, AMDGPUDBG_CAP_WAVE_KILL);
	assert_int_equal(cap.supported, 0);
	assert_string_equal(cap.name, "wave-kill");
	assert_string_equal(cap.reason, "Not in this version.");

	assert_int_equal(adbg_session_get_capability(session, 0, &cap), 0);
	assert_int_equal(cap.supported, 1);
	assert_string_equal(cap.reason, "");

	assert_int_equal(adbg_session_get_capability(session, 99, &cap),
			 -EINVAL);
	assert_int_equal(cap.supported, 1);
	adbg_session_close(session);
}

static void the_version_is_there(void **state)
{
	(void)state;
	assert_string_equal(adbg_version(), LIB_VERSION);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MOCK_TEST(a_session_knows_its_gpu),
		MOCK_TEST(opening_a_missing_node_fails),
		MOCK_TEST(errors_of_opening_are_passed_on),
		MOCK_TEST(a_node_of_another_driver_is_refused),
		MOCK_TEST(signals_do_not_end_a_call),
		MOCK_TEST(the_only_gpu_is_opened),
		MOCK_TEST(a_gpu_is_opened_by_address_and_render_node),
		MOCK_TEST(info_is_fresh),
		MOCK_TEST(capabilities_have_the_reason),
		MOCK_TEST(the_version_is_there),
	};

	return cmocka_run_group_tests_name("lib_session", tests, NULL, NULL);
}

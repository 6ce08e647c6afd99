// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/target.c and lib/client.c: the search for a process's DRM file, and how it becomes a
 * session's target.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <amdgpudbg.h>

#include "mock.h"

/* As Linux 6.1 and as 7.2 print it, of the mock's GPU. */
#define FILE_6_1(pasid, client) \
	"pos:\t0\nflags:\t02100002\nmnt_id:\t14\nino:\t130\n" \
	"pasid:\t" pasid "\ndrm-driver:\tamdgpu\ndrm-pdev:\t0000:04:00.0\n" \
	"drm-client-id:\t" client "\ndrm-memory-vram:\t0 KiB\n"
#define FILE_7_2(pasid, client) \
	"pos:\t0\nflags:\t02100002\nmnt_id:\t14\nino:\t130\n" \
	"drm-driver:\tamdgpu\ndrm-client-id:\t" client "\n" \
	"drm-pdev:\t0000:04:00.0\npasid:\t" pasid "\ndrm-memory-vram:\t0 KiB\n"
#define OTHER_GPU \
	"pasid:\t9\ndrm-driver:\tamdgpu\ndrm-pdev:\t0000:05:00.0\n" \
	"drm-client-id:\t77\n"
#define OTHER_DRIVER \
	"drm-driver:\ti915\ndrm-pdev:\t0000:04:00.0\ndrm-client-id:\t78\n" \
	"pasid:\t9\n"
#define NO_DRM "pos:\t0\nflags:\t02\nmnt_id:\t14\nino:\t5\n"

/* The GPU's address with another function would begin with the same text. */
#define LONGER_ADDRESS \
	"pasid:\t9\ndrm-driver:\tamdgpu\ndrm-pdev:\t0000:04:00.01\n" \
	"drm-client-id:\t79\n"

static const struct mock_ioctl open_only[] = { MOCK_GET_INFO };

static int seen_drm_fd, seen_pidfd;

static void see_fds(void *arg)
{
	const struct amdgpudbg_target_set *set = arg;

	seen_drm_fd = set->drm_fd;
	seen_pidfd = set->pidfd;
	assert_true(fcntl(set->drm_fd, F_GETFD) & FD_CLOEXEC);
	assert_true(fcntl(set->pidfd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(set->size, sizeof(*set));
	assert_int_equal(set->flags, AMDGPUDBG_TARGET_SET_TAKE_FD);
}

static const struct amdgpudbg_target_set answer = {
	.size = sizeof(answer), .pasid = 0x8003, .vmid_mask = 0x12,
};

#define SET { \
	.request = AMDGPUDBG_IOC_TARGET_SET, .check = see_fds, \
	.out = &answer, .size = sizeof(answer), \
}

static const struct mock_ioctl open_and_set[] = { MOCK_GET_INFO, SET };

/* A process with one client, that has it twice, and files of other kinds. */
static void one_client(void)
{
	mock_proc_file("4711/comm", "shader toy\n");
	mock_proc_file("4711/fdinfo/0", NO_DRM);
	mock_proc_file("4711/fdinfo/3", OTHER_GPU);
	mock_proc_file("4711/fdinfo/4", OTHER_DRIVER);
	mock_proc_file("4711/fdinfo/5", LONGER_ADDRESS);
	mock_proc_file("4711/fdinfo/12", FILE_6_1("32771", "41"));
	mock_proc_file("4711/fdinfo/9", FILE_6_1("32771", "41"));
}

static void two_clients(void)
{
	mock_proc_file("4712/comm", "game\n");
	mock_proc_file("4712/fdinfo/7", FILE_7_2("32775", "18446744073709551615"));
	mock_proc_file("4712/fdinfo/8", FILE_7_2("32774", "50"));
}

static void attach_finds_the_file(void **state)
{
	struct amdgpudbg_target_set target = { .drm_fd = 5, .pidfd = 5 };
	struct adbg_session *session = mock_session(open_and_set, 2);

	(void)state;
	one_client();
	assert_int_equal(adbg_target_attach(session, 4711, 0, &target), 0);
	assert_int_equal(target.pasid, 0x8003);
	assert_int_equal(target.vmid_mask, 0x12);
	assert_int_equal(target.drm_fd, -1);
	assert_int_equal(target.pidfd, -1);
	assert_int_equal(target.flags, 0);
	/* The module has taken the one, and the library has closed the other. */
	assert_int_equal(fcntl(seen_drm_fd, F_GETFD), -1);
	assert_int_equal(fcntl(seen_pidfd, F_GETFD), -1);
	adbg_session_close(session);
}

/* 12 is what 4711 of /proc is called in our namespace, where 12 is another's there. */
static void the_number_in_proc_may_be_another(void **state)
{
	struct adbg_session *session = mock_session(open_and_set, 2);

	(void)state;
	one_client();
	mock_proc_file("12/fdinfo/0", NO_DRM);
	mock_set_shown_pid(0);
	assert_int_equal(adbg_target_attach(session, 12, 0, NULL), -EXDEV);
	assert_string_equal(adbg_strerror(session, -EXDEV),
			    "/proc does not show the process");
	assert_string_equal(adbg_errname(-EXDEV), "EXDEV");
	mock_set_shown_pid(4711);
	assert_int_equal(adbg_target_attach(session, 12, 0, NULL), 0);
	adbg_session_close(session);
}

static void attach_needs_no_result(void **state)
{
	struct adbg_session *session = mock_session(open_and_set, 2);

	(void)state;
	one_client();
	assert_int_equal(adbg_target_attach(session, 4711, 41, NULL), 0);
	adbg_session_close(session);
}

static void a_client_is_chosen(void **state)
{
	struct adbg_session *session = mock_session(open_and_set, 2);

	(void)state;
	two_clients();
	assert_int_equal(adbg_target_attach(session, 4712, 0, NULL), -ENOTUNIQ);
	assert_int_equal(adbg_target_attach(session, 4712, 51, NULL), -ENODATA);
	assert_int_equal(adbg_target_attach(session, 4712, UINT64_MAX, NULL), 0);
	adbg_session_close(session);
}

static void attach_reports_the_reason_of_a_refusal(void **state)
{
	struct adbg_session *session = mock_session(open_only, 1);

	(void)state;
	one_client();
	mock_proc_file("12/fdinfo/0", NO_DRM);
	assert_int_equal(adbg_target_attach(session, 0, 0, NULL), -EINVAL);
	assert_int_equal(adbg_target_attach(session, -4711, 0, NULL), -EINVAL);
	assert_int_equal(adbg_target_attach(session, 13, 0, NULL), -ESRCH);
	assert_int_equal(adbg_target_attach(session, 12, 0, NULL), -ENODATA);
	mock_set_getfd_error(EPERM);
	assert_int_equal(adbg_target_attach(session, 4711, 0, NULL), -EPERM);
	mock_set_getfd_error(EMFILE);
	assert_int_equal(adbg_target_attach(session, 4711, 0, NULL), -EMFILE);
	adbg_session_close(session);
}

/* A lack of descriptors or memory is not taken for a process without a GPU. */
static void what_the_caller_lacks_is_reported(void **state)
{
	static const char *const paths[] = {
		"/self/fdinfo/", "/4711/fdinfo", "/4711/fdinfo/", "/4711/mem",
	};
	static const int errors[] = { EMFILE, ENFILE, ENOMEM };
	struct adbg_client_list *list;

	(void)state;
	for (unsigned int i = 0; i < 12; i++) {
		struct adbg_session *session = mock_session(open_only, 1);
		int error = errors[i % 3];

		one_client();
		mock_proc_file("4711/mem", "");
		mock_set_open_error(paths[i / 3], error);
		assert_int_equal(adbg_target_attach(session, 4711, 0, NULL),
				 -error);
		if (strstr(paths[i / 3], "4711/fdinfo"))
			assert_int_equal(adbg_client_list_new(session, 0, &list),
					 -error);
		adbg_session_close(session);
	}
}

/* Nor is a signal that arrives while amdgpu would describe the file. */
static void an_interrupted_look_at_a_file_is_repeated(void **state)
{
	struct adbg_session *session = mock_session(open_and_set, 2);

	(void)state;
	mock_proc_file("4711/fdinfo/9", FILE_6_1("32771", "41"));
	mock_proc_link("4711/fd/9", "/dev/dri/renderD128");
	mock_set_interrupted(5);
	assert_int_equal(adbg_target_attach(session, 4711, 0, NULL), 0);
	adbg_session_close(session);

	session = mock_session(open_only, 1);
	mock_set_interrupted(-1u);
	assert_int_equal(adbg_target_attach(session, 4711, 0, NULL), -ENODATA);
	adbg_session_close(session);
}

/* Its number may have been another process's when /proc was looked at. */
static void an_exited_process_is_none(void **state)
{
	struct adbg_session *session = mock_session(open_only, 1);

	(void)state;
	one_client();
	mock_set_exited();
	assert_int_equal(adbg_target_attach(session, 4711, 0, NULL), -ESRCH);
	assert_int_equal(adbg_target_attach(session, 4711, 1, NULL), -ESRCH);
	adbg_session_close(session);
}

static void a_descriptor_that_changed_is_not_taken(void **state)
{
	struct adbg_session *session = mock_session(open_and_set, 2);

	(void)state;
	one_client();
	two_clients();
	/* Once another client's, then as it was: the second look finds it. */
	mock_set_getfd_file("4712/fdinfo/8");
	assert_int_equal(adbg_target_attach(session, 4711, 0, NULL), 0);
	adbg_session_close(session);

	session = mock_session(open_and_set, 2);
	mock_set_getfd_file("4711/fdinfo/0");
	assert_int_equal(adbg_target_attach(session, 4711, 0, NULL), 0);
	adbg_session_close(session);

	session = mock_session(open_only, 1);
	mock_set_getfd_error(EBADF);
	assert_int_equal(adbg_target_attach(session, 4711, 0, NULL), -EAGAIN);
	adbg_session_close(session);
}

static void errors_of_the_kernel_are_passed_on(void **state)
{
	static const int errors[] = { EBUSY, ENODEV, ENOTTY, EOPNOTSUPP };

	(void)state;
	one_client();
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		struct amdgpudbg_target_set target = { .pasid = 3 };
		const struct mock_ioctl expect[] = {
			MOCK_GET_INFO,
			{ .request = AMDGPUDBG_IOC_TARGET_SET,
			  .check = see_fds, .error = errors[i] },
		};
		struct adbg_session *session = mock_session(expect, 2);

		assert_int_equal(adbg_target_attach(session, 4711, 0, &target),
				 -errors[i]);
		assert_int_equal(target.pasid, 3);
		/* The module has taken it all the same. */
		assert_int_equal(fcntl(seen_drm_fd, F_GETFD), -1);
		adbg_session_close(session);
		mock_verify();
	}
}

static void descriptors_are_handed_on(void **state)
{
	static const struct amdgpudbg_target_set in = {
		.size = sizeof(in), .drm_fd = 40, .pidfd = -1,
	};
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_TARGET_SET, .in = &in,
		  .out = &answer, .size = sizeof(in) },
	};
	struct amdgpudbg_target_set target = { .drm_fd = -1, .pidfd = -1 };
	struct adbg_session *session = mock_session(expect, 2);

	(void)state;
	/* This would give up the target. */
	assert_int_equal(adbg_target_set(session, &target), -EBADF);
	target.drm_fd = 40;
	assert_int_equal(adbg_target_set(session, &target), 0);
	assert_int_equal(target.drm_fd, 40);
	assert_int_equal(target.pasid, 0x8003);
	assert_int_equal(target.vmid_mask, 0x12);
	adbg_session_close(session);
}

static void a_target_is_given_up(void **state)
{
	static const struct amdgpudbg_target_set in = {
		.size = sizeof(in), .drm_fd = -1, .pidfd = -1,
	};
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_TARGET_SET, .in = &in,
		  .size = sizeof(in), .error = EINTR },
		{ .request = AMDGPUDBG_IOC_TARGET_SET, .in = &in,
		  .size = sizeof(in) },
	};
	struct adbg_session *session = mock_session(expect, 3);

	(void)state;
	assert_int_equal(adbg_target_clear(session), 0);
	adbg_session_close(session);
}

static void clients_are_listed(void **state)
{
	struct adbg_session *session = mock_session(open_only, 1);
	const struct adbg_client *client;
	struct adbg_client_list *list;

	(void)state;
	two_clients();
	one_client();
	mock_proc_file("12/fdinfo/0", NO_DRM);
	mock_proc_file("uptime", "1.0 1.0\n");
	assert_int_equal(adbg_client_list_new(session, 0, &list), 0);
	assert_int_equal(adbg_client_list_count(list), 3);

	client = adbg_client_list_get(list, 0);
	assert_int_equal(client->pid, 4711);
	assert_int_equal(client->client_id, 41);
	assert_int_equal(client->pasid, 32771);
	assert_int_equal(client->fd, 9);
	assert_int_equal(client->num_fds, 2);
	assert_string_equal(client->name, "shader toy");
	client = adbg_client_list_get(list, 1);
	assert_int_equal(client->pid, 4712);
	assert_int_equal(client->client_id, 50);
	assert_int_equal(client->pasid, 32774);
	client = adbg_client_list_get(list, 2);
	assert_true(client->client_id == UINT64_MAX);
	assert_int_equal(client->fd, 7);
	assert_null(adbg_client_list_get(list, 3));
	adbg_client_list_free(list);

	assert_int_equal(adbg_client_list_new(session, 4711, &list), 0);
	assert_int_equal(adbg_client_list_count(list), 1);
	adbg_client_list_free(list);
	assert_int_equal(adbg_client_list_new(session, 12, &list), 0);
	assert_int_equal(adbg_client_list_count(list), 0);
	adbg_client_list_free(list);
	assert_int_equal(adbg_client_list_new(session, 13, &list), -ESRCH);
	assert_int_equal(adbg_client_list_new(session, -1, &list), -EINVAL);
	adbg_client_list_free(NULL);
	adbg_session_close(session);
}

static void reason_has(const char *part)
{
	const char *reason = adbg_target_reason(4711);

	if (!strstr(reason, part))
		fail_msg("'%s' is not in '%s'", part, reason);
}

/* Of two GPUs, the process uses one, and another process the other one. */
static void clients_of_a_gpu_that_is_not_open_are_listed(void **state)
{
	struct adbg_gpu first = { .info = { .pci_bus = 4 } };
	struct adbg_gpu second = { .number = 1, .info = { .pci_bus = 5 } };
	struct adbg_client_list *list = NULL;

	(void)state;
	one_client();
	mock_proc_file("4713/fdinfo/3", OTHER_GPU);
	assert_int_equal(adbg_gpu_client_list_new(&first, 4711, &list), 0);
	assert_int_equal(adbg_client_list_count(list), 1);
	assert_int_equal(adbg_client_list_get(list, 0)->client_id, 41);
	adbg_client_list_free(list);
	assert_int_equal(adbg_gpu_client_list_new(&first, 4713, &list), 0);
	assert_int_equal(adbg_client_list_count(list), 0);
	adbg_client_list_free(list);
	assert_int_equal(adbg_gpu_client_list_new(&second, 4713, &list), 0);
	assert_int_equal(adbg_client_list_get(list, 0)->client_id, 77);
	adbg_client_list_free(list);
	assert_int_equal(adbg_gpu_client_list_new(&second, 4714, &list), -ESRCH);
	assert_int_equal(adbg_gpu_client_list_new(&second, -1, &list), -EINVAL);
	second.error = -EACCES;
	assert_int_equal(adbg_gpu_client_list_new(&second, 4713, &list), -EACCES);
}

static void it_is_said_why(void **state)
{
	(void)state;
	mock_proc_file("4711/status", "Name:\tgame\nUid:\t1001\t1001\t1001\t1001\n");
	mock_proc_owner(1001);
	reason_has("another user");

	mock_proc_file("4711/status", "Name:\tgame\nUid:\t1000\t1000\t1000\t1000\n");
	mock_proc_owner(0);
	reason_has("PR_SET_DUMPABLE");

	mock_proc_owner(1000);
	reason_has("rights that you lack");
	mock_proc_file("sys/kernel/yama/ptrace_scope", "1\n");
	reason_has("only its parents");
	mock_proc_file("sys/kernel/yama/ptrace_scope", "2\n");
	reason_has("only root");
	mock_proc_file("sys/kernel/yama/ptrace_scope", "3\n");
	reason_has("no process");
	mock_proc_file("sys/kernel/yama/ptrace_scope", "0\n");
	mock_reset();
	mock_proc_file("1/status", "");
	reason_has("no such process");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MOCK_TEST(attach_finds_the_file),
		MOCK_TEST(the_number_in_proc_may_be_another),
		MOCK_TEST(attach_needs_no_result),
		MOCK_TEST(a_client_is_chosen),
		MOCK_TEST(attach_reports_the_reason_of_a_refusal),
		MOCK_TEST(what_the_caller_lacks_is_reported),
		MOCK_TEST(an_interrupted_look_at_a_file_is_repeated),
		MOCK_TEST(an_exited_process_is_none),
		MOCK_TEST(a_descriptor_that_changed_is_not_taken),
		MOCK_TEST(errors_of_the_kernel_are_passed_on),
		MOCK_TEST(descriptors_are_handed_on),
		MOCK_TEST(a_target_is_given_up),
		MOCK_TEST(clients_are_listed),
		MOCK_TEST(clients_of_a_gpu_that_is_not_open_are_listed),
		MOCK_TEST(it_is_said_why),
	};

	return cmocka_run_group_tests_name("lib_target", tests, NULL,
					   mock_setup);
}

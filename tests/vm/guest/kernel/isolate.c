// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Permissions between users. Three processes of three users have waves on the GPU. Sessions of
 * one user try all calls on the waves of the others, which must not be affected. Modelled on
 * xe_eudebug of the Intel GPU tests.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include <cmocka.h>

#include "busy.h"
#include "child.h"
#include "isolate.h"

/* ------------------------------------------------------- who may open what */

static void a_user_debugs_his_own_process(void **state)
{
	struct adbg_session *session = open_on(&user);

	(void)state;
	assert_sees_only(session, &user);
	halt(session, &user);
	assert_runs(&root);
	assert_runs(&other);
	resume(session, &user);
	adbg_session_close(session);
}

/* Run in a child as another user, with no way to become root again. */
static int debug_for_good(void *arg)
{
	struct adbg_session *session;
	unsigned int count;

	(void)arg;
	be_for_good(USER, true);
	if (adbg_open("0", &session))
		return 1;
	if (adbg_target_attach(session, user.victim.pid, 0, NULL))
		return 2;
	if (list(session, &count) || count != WAVES)
		return 3;
	if (control(session, AMDGPUDBG_WAVEOP_HALT, waves[0].vmid))
		return 4;
	if (list(session, &count) || count != WAVES ||
	    !(waves[0].flags & AMDGPUDBG_WAVE_HALTED))
		return 5;
	return 0;
}

static void a_user_without_capabilities_debugs_his_own_process(void **state)
{
	(void)state;
	be(ROOT, true);
	assert_int_equal(child_run(debug_for_good, NULL), 0);
}

static void without_the_group_the_node_stays_closed(void **state)
{
	struct adbg_session *session;

	(void)state;
	be(USER, false);
	assert_int_equal(adbg_open("0", &session), -EACCES);
	be(OTHER, false);
	assert_int_equal(adbg_open("0", &session), -EACCES);
}

static void cannot_attach(struct adbg_session *session, pid_t pid,
			  const char *why)
{
	int ret = adbg_target_attach(session, pid, 0, NULL);

	assert_true(ret == -EPERM || ret == -EACCES);
	if (!strstr(adbg_target_reason(pid), why))
		fail_msg("'%s' is not in '%s'", why, adbg_target_reason(pid));
}

static void others_processes_are_refused(void **state)
{
	struct adbg_session *session = open_session();
	unsigned int count;
	int pidfd;

	(void)state;
	cannot_attach(session, other.victim.pid, "another user's");
	cannot_attach(session, root.victim.pid, "another user's");

	/* It is the kernel that refuses, not the library. */
	pidfd = pidfd_open(other.victim.pid, 0);
	assert_true(pidfd >= 0);
	for (int fd = 0; fd < 16; fd++) {
		assert_int_equal(pidfd_getfd(pidfd, fd, 0), -1);
		assert_int_equal(errno, EPERM);
	}
	close(pidfd);

	assert_int_equal(list(session, &count), -EPERM);
	adbg_session_close(session);
}

static void root_debugs_all_processes(void **state)
{
	struct adbg_session *session;

	(void)state;
	be(ROOT, true);
	session = open_on(&other);
	assert_sees_only(session, &other);
	assert_int_equal(adbg_target_clear(session), 0);
	adbg_session_close(session);
}

static void a_process_that_is_not_dumpable_is_refused(void **state)
{
	struct adbg_session *session = open_session();
	pid_t pid = start_bystander(false);

	(void)state;
	cannot_attach(session, pid, "not dumpable");
	be(ROOT, true);
	assert_int_equal(child_kill(pid), 0);
	be(USER, true);
	adbg_session_close(session);
}

static void leaving_waves_halted_needs_privilege(void **state)
{
	struct adbg_session *session = open_on(&user);
	struct amdgpudbg_wave_control c = {
		.op = AMDGPUDBG_WAVEOP_HALT,
		.flags = AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
	};

	(void)state;
	c.vmid = vmid_of(&user);
	assert_int_equal(adbg_wave_control(session, &c), -EPERM);
	assert_runs(&user);
	adbg_session_close(session);
}

/* ------------------------------------------------------------ many sessions */

static void two_sessions_have_one_target(void **state)
{
	struct adbg_session *a = open_on(&user), *b = open_on(&user);
	uint32_t vmid = vmid_of(&user);

	(void)state;
	assert_sees_only(a, &user);
	assert_sees_only(b, &user);
	halt(a, &user);
	assert_int_equal(control(b, AMDGPUDBG_WAVEOP_RESUME, vmid), -EBUSY);
	assert_busy(adbg_session_get_fd(b), AMDGPUDBG_BUSY_WAVE, getpid());
	assert_busy(adbg_session_get_fd(a), AMDGPUDBG_BUSY_NONE, 0);
	assert_int_equal(see_halted(user.pasid), WAVES);
	/* Halting what is halted is no change, and takes nothing over. */
	assert_int_equal(control(b, AMDGPUDBG_WAVEOP_HALT, vmid), 0);
	adbg_session_close(b);
	assert_int_equal(see_halted(user.pasid), WAVES);
	adbg_session_close(a);
	assert_int_equal(see_halted(user.pasid), 0);
}

static void two_sessions_have_two_targets(void **state)
{
	struct adbg_session *a = open_on(&user), *b;

	(void)state;
	be(OTHER, true);
	b = open_on(&other);
	halt(b, &other);
	assert_runs(&user);
	be(USER, true);
	assert_sees_only(a, &user);
	halt(a, &user);
	be(OTHER, true);
	assert_sees_only(b, &other);
	adbg_session_close(b);
	assert_int_equal(see_halted(other.pasid), 0);
	assert_int_equal(see_halted(user.pasid), WAVES);
	be(USER, true);
	adbg_session_close(a);
	assert_runs(&root);
}

static void a_session_changes_its_target(void **state)
{
	struct adbg_session *session;

	(void)state;
	be(ROOT, true);
	session = open_on(&user);
	halt(session, &user);
	assert_int_equal(adbg_target_attach(session, other.victim.pid, 0, NULL),
			 -EBUSY);
	assert_busy(adbg_session_get_fd(session), AMDGPUDBG_BUSY_TARGET, 0);
	assert_int_equal(see_halted(user.pasid), WAVES);
	/* What it did for the old one ends with that. */
	assert_int_equal(adbg_target_clear(session), 0);
	assert_int_equal(see_halted(user.pasid), 0);
	halt(session, &root);
	assert_int_equal(adbg_target_attach(session, other.victim.pid, 0, NULL),
			 0);
	assert_int_equal(see_halted(0), 0);
	assert_sees_only(session, &other);
	adbg_session_close(session);
}

/*
 * All by one duplicate of the file: whenever one is closed while its process has
 * jobs, amdgpu_flush() waits for a second.
 */
static void many_debuggers_attach_and_detach(void **state)
{
	int pidfd = pidfd_open(user.victim.pid, 0);
	int fd = file_of(&user, pidfd);

	(void)state;
	for (int i = 0; i < 10; i++) {
		struct adbg_session *session = open_session();

		assert_int_equal(set_target(session, fd, pidfd), 0);
		halt(session, &user);
		adbg_session_close(session);
		assert_int_equal(see_halted(user.pasid), 0);
	}
	close(fd);
	close(pidfd);
}

/* In a child: a debugger of the user's waves, which are halted then. */
static int halt_all(void *arg)
{
	struct adbg_session *session;
	int ret;

	(void)arg;
	be_for_good(USER, true);
	ret = adbg_open("0", &session);
	if (!ret)
		ret = adbg_target_attach(session, user.victim.pid, 0, NULL);
	return ret ? ret : control(session, AMDGPUDBG_WAVEOP_HALT, 0);
}

static void a_killed_debugger_leaves_no_setting(void **state)
{
	pid_t pid;

	(void)state;
	be(ROOT, true);
	pid = child_hold(halt_all, NULL);
	assert_true(pid > 0);
	assert_int_equal(see_halted(user.pasid), WAVES);
	assert_int_equal(child_kill(pid), 0);
	assert_int_equal(see_halted(user.pasid), 0);
}

int main(void)
{
#define TEST(f) \
	cmocka_unit_test_setup_teardown(f, each_test_begins, each_test_ends)
	const struct CMUnitTest tests[] = {
		TEST(a_user_debugs_his_own_process),
		TEST(a_user_without_capabilities_debugs_his_own_process),
		TEST(without_the_group_the_node_stays_closed),
		TEST(others_processes_are_refused),
		TEST(root_debugs_all_processes),
		TEST(a_process_that_is_not_dumpable_is_refused),
		TEST(files_of_other_kinds_are_no_target),
		TEST(files_of_other_kinds_are_no_pidfd),
		TEST(reopening_a_descriptor_gives_no_access),
		TEST(without_a_target_nothing_can_be_done),
		TEST(with_a_target_nothing_can_be_done_to_others),
		TEST(waves_halted_by_root_stay_halted),
		TEST(leaving_waves_halted_needs_privilege),
		TEST(two_sessions_have_one_target),
		TEST(two_sessions_have_two_targets),
		TEST(a_session_changes_its_target),
		TEST(many_debuggers_attach_and_detach),
		TEST(a_killed_debugger_leaves_no_setting),
		TEST(the_session_ends_with_its_target),
		TEST(a_pasid_that_is_used_again_is_not_seen),
		TEST(the_pidfd_of_another_process_only_ends_it),
	};

	return cmocka_run_group_tests(tests, set_up, take_down);
}

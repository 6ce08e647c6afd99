// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Targets and debuggers in different PID namespaces, as in containers: the target is found by
 * its number in the debugger's namespace, independent of the namespace of /proc. A session that
 * blocks a call is reported by its number in the caller's namespace.
 */
#define _GNU_SOURCE
#include "prog.h"

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <amdgpudbg.h>

/* fork() whose child is the first process of a new PID namespace, if @new */
static pid_t fork_in(bool new)
{
	return syscall(SYS_clone, SIGCHLD | (new ? CLONE_NEWPID : 0), NULL, NULL,
		       NULL, NULL);
}

/*
 * A process that uses the GPU until it is killed; the PASID by which the driver knows
 * it comes from its own session. Says so through @ready.
 */
static void be_target(int ready)
{
	struct amdgpudbg_target_set target = { .pidfd = -1 };
	struct adbg_session *session;
	struct prog prog;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (prog_open(&prog, NULL, NULL, PROG_GROUP, 0))
		_exit(1);
	target.drm_fd = prog.gpu.fd;
	if (adbg_open("0", &session) || adbg_target_set(session, &target))
		_exit(1);
	adbg_session_close(session);
	if (write(ready, &target.pasid, sizeof(target.pasid)) < 0)
		_exit(1);
	for (;;)
		pause();
}

static pid_t start_target(bool new, uint32_t *pasid)
{
	int ready[2];
	pid_t pid;

	if (pipe(ready))
		return -1;
	pid = fork_in(new);
	if (!pid)
		be_target(ready[1]);
	close(ready[1]);
	if (read(ready[0], pasid, sizeof(*pasid)) != sizeof(*pasid))
		pid = -1;
	close(ready[0]);
	return pid;
}

static void stop(pid_t pid)
{
	/* -1, if there is none, would be everybody. */
	if (pid > 0 && !kill(pid, SIGKILL))
		waitpid(pid, NULL, 0);
}

/* Attach to @pid, and give it up. The PASID, or a negative error. */
static int attach(pid_t pid)
{
	struct amdgpudbg_target_set target = { .size = 0 };
	struct adbg_session *session;
	int ret;

	ret = adbg_open("0", &session);
	if (ret)
		return ret;
	ret = adbg_target_attach(session, pid, 0, &target);
	adbg_session_close(session);
	return ret ? ret : (int)target.pasid;
}

static void a_target_in_a_child_pid_namespace(void **state)
{
	uint32_t pasid;
	pid_t pid;

	(void)state;
	pid = start_target(true, &pasid);
	assert_true(pid > 1);
	assert_int_equal(attach(pid), pasid);
	stop(pid);
}

/* In its namespace the target is 2; /proc is still the one from above. */
static void a_debugger_with_the_proc_of_another_pid_namespace(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	pid = fork_in(true);
	if (!pid) {
		uint32_t pasid;
		pid_t target = start_target(false, &pasid);
		bool ok = target == 2 && attach(2) == (int)pasid;

		stop(target);
		_exit(ok ? 0 : 1);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* /proc is of a namespace below, which neither we nor the target are in. */
static void a_process_missing_in_proc_gives_a_message(void **state)
{
	uint32_t pasid;
	int status;
	pid_t pid;

	(void)state;
	pid = fork();
	if (!pid) {
		int mounted[2], go[2];
		char byte = 0;
		bool ok;
		pid_t below, target = start_target(false, &pasid);

		if (target < 0 || unshare(CLONE_NEWNS) || pipe(mounted) ||
		    pipe(go) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
			_exit(1);
		below = fork_in(true);
		if (below < 0)
			_exit(1);
		if (!below) {
			byte = mount("proc", "/proc", "proc", 0, NULL) != 0;
			if (write(mounted[1], &byte, 1) != 1)
				_exit(1);
			_exit(read(go[0], &byte, 1) != 1);
		}
		ok = read(mounted[0], &byte, 1) == 1 && !byte &&
		     attach(target) == -EXDEV;
		stop(below);
		stop(target);
		_exit(ok ? 0 : 2);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* From below, nothing above has a number. */
static void a_process_in_a_parent_pid_namespace_is_refused(void **state)
{
	uint32_t pasid;
	pid_t pid, target;
	int status;

	(void)state;
	target = start_target(false, &pasid);
	assert_true(target > 1);
	pid = fork_in(true);
	if (!pid)
		_exit(attach(target) == -ESRCH ? 0 : 1);
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	stop(target);
}

/* -------------------------------------------------------- who is in the way */

/* A session about @drm_fd that has said how waves start. 0 or -errno. */
static int take(int drm_fd, struct adbg_session **session)
{
	struct amdgpudbg_target_set target = { .drm_fd = drm_fd, .pidfd = -1 };
	struct amdgpudbg_launch_set mode = { .mode = AMDGPUDBG_LAUNCH_DEBUG };
	int ret = adbg_open("0", session);

	if (!ret)
		ret = adbg_target_set(*session, &target);
	return ret ? ret : adbg_launch_set(*session, &mode);
}

/* Is the call refused because of another session, reported as process @pid? */
static bool is_refused_for(int drm_fd, pid_t pid)
{
	struct amdgpudbg_busy busy = { .size = 0 };
	struct adbg_session *session;
	bool is_so;

	is_so = take(drm_fd, &session) == -EBUSY &&
		!adbg_session_get_busy(session, &busy) &&
		busy.cause == AMDGPUDBG_BUSY_LAUNCH && busy.pid == pid &&
		busy.by == AMDGPUDBG_BUSY_BY_SESSION;
	if (!is_so)
		fprintf(stderr, "# cause %u, PID %d, not %d\n", busy.cause,
			busy.pid, pid);
	adbg_session_close(session);
	return is_so;
}

/* In a child, 1 there if in a @new namespace: the one in the way is @pid. */
static bool child_is_refused_for(bool new, int drm_fd, pid_t pid)
{
	pid_t child = fork_in(new);
	int status;

	if (!child)
		_exit(is_refused_for(drm_fd, pid) ? 0 : 1);
	return child > 0 && waitpid(child, &status, 0) == child && !status;
}

static void a_blocking_session_of_a_parent_namespace_has_pid_0(void **state)
{
	struct adbg_session *session;
	struct prog prog;

	(void)state;
	assert_int_equal(prog_open(&prog, NULL, NULL, PROG_GROUP, 0), 0);
	assert_int_equal(take(prog.gpu.fd, &session), 0);
	assert_true(child_is_refused_for(true, prog.gpu.fd, 0));
	assert_true(child_is_refused_for(false, prog.gpu.fd, getpid()));
	adbg_session_close(session);
	prog_close(&prog);
}

/* It is 1 where it is, and something else from here. */
static void a_blocking_session_of_a_child_namespace_has_its_outer_pid(void **state)
{
	struct prog prog;
	int ready[2];
	char byte;
	pid_t pid;

	(void)state;
	assert_int_equal(prog_open(&prog, NULL, NULL, PROG_GROUP, 0), 0);
	assert_int_equal(pipe(ready), 0);
	pid = fork_in(true);
	if (!pid) {
		struct adbg_session *session;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		byte = take(prog.gpu.fd, &session) ||
		       !child_is_refused_for(false, prog.gpu.fd, 1);
		if (write(ready[1], &byte, 1) == 1)
			for (;;)
				pause();
		_exit(1);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(byte, 0);
	assert_true(is_refused_for(prog.gpu.fd, pid));
	stop(pid);
	close(ready[0]);
	prog_close(&prog);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_target_in_a_child_pid_namespace),
		cmocka_unit_test(a_debugger_with_the_proc_of_another_pid_namespace),
		cmocka_unit_test(a_process_missing_in_proc_gives_a_message),
		cmocka_unit_test(a_process_in_a_parent_pid_namespace_is_refused),
		cmocka_unit_test(a_blocking_session_of_a_parent_namespace_has_pid_0),
		cmocka_unit_test(a_blocking_session_of_a_child_namespace_has_its_outer_pid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

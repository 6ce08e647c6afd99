// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Targets and debuggers in PID namespaces of their own, as in containers: the target is
 * found by the number that it has in the debugger's, whatever namespace /proc is of.
 */
#define _GNU_SOURCE
#include "prog.h"

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
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
	kill(pid, SIGKILL);
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

static void a_target_in_a_namespace_below(void **state)
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
static void a_debugger_in_one_with_the_proc_of_another(void **state)
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
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* /proc is of a namespace below, which neither we nor the target are in. */
static void what_proc_does_not_show_is_said(void **state)
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
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* From below, nothing above has a number. */
static void there_is_no_way_up(void **state)
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
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	stop(target);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_target_in_a_namespace_below),
		cmocka_unit_test(a_debugger_in_one_with_the_proc_of_another),
		cmocka_unit_test(what_proc_does_not_show_is_said),
		cmocka_unit_test(there_is_no_way_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

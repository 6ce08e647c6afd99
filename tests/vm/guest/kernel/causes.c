// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reasons for -EBUSY, and the process that causes it, if it is another process than the caller,
 * or if there is none: all results of AMDGPUDBG_IOC_GET_BUSY that other test programs do not
 * check. This process is the target and a debugger; its children are further debuggers of it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <xf86drm.h>

#include "busy.h"
#include "child.h"
#include "self.h"
#include "until.h"

#define NODE "/dev/amdgpudbg0"
#define RENDER "/dev/dri/renderD128"
#define DEADLINE_S 60
/* How often something is tried that may come at the wrong moment */
#define TRIES 20

static struct self self;
static struct amdgpudbg_wave waves[SELF_WAVES];

static int set_up(void **state)
{
	(void)state;
	return self_open(&self);
}

static int tear_down(void **state)
{
	(void)state;
	self_close(&self);
	return 0;
}

/* ------------------------------------------------------------------ sessions */

static int session(void)
{
	int fd = self_session(&self, true);

	assert_true(fd >= 0);
	return fd;
}

static int set_target(int fd, int drm_fd)
{
	struct amdgpudbg_target_set set = {
		.size = sizeof(set), .drm_fd = drm_fd, .pidfd = -1,
	};

	return self_call(fd, AMDGPUDBG_IOC_TARGET_SET, &set);
}

/* About another address space, that of @drm_fd */
static int session_about(int drm_fd)
{
	int fd = self_session(&self, false);

	assert_true(fd >= 0 && drm_fd >= 0);
	assert_int_equal(set_target(fd, drm_fd), 0);
	return fd;
}

static int control(int fd, uint32_t op)
{
	struct amdgpudbg_wave_control wc = {
		.size = sizeof(wc), .op = op,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
	};

	return self_call(fd, AMDGPUDBG_IOC_WAVE_CONTROL, &wc);
}

static int launch(int fd, uint32_t mode)
{
	struct amdgpudbg_launch_set args = {
		.size = sizeof(args), .mode = mode,
	};

	return self_call(fd, AMDGPUDBG_IOC_LAUNCH_SET, &args);
}

static int vm_op(int drm_fd, uint32_t op)
{
	union drm_amdgpu_vm args = { .in.op = op };

	return drmCommandWriteRead(drm_fd, DRM_AMDGPU_VM, &args, sizeof(args));
}

static void start_waves(int fd)
{
	assert_int_equal(self_start(&self, "touch_read", 0), 0);
	assert_int_equal(self_wait_waves(fd, waves, SELF_WAVES), 0);
}

static void finish(void)
{
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(self_finish(&self), 0);
}

/* What another debugger does in a process of its own, with a session of its own */

static int halts(void *arg)
{
	int fd = self_session(&self, true);

	(void)arg;
	return fd < 0 ? fd : control(fd, AMDGPUDBG_WAVEOP_HALT);
}

static int sets_handler(void *arg)
{
	int fd = self_session(&self, true);

	(void)arg;
	return fd < 0 ? fd : self_handler(fd);
}

static int sets_launch_mode(void *arg)
{
	int fd = self_session(&self, true);

	(void)arg;
	return fd < 0 ? fd : launch(fd, AMDGPUDBG_LAUNCH_DEBUG);
}

/* ---------------------------------------------------------------- the session */

static void a_new_session_has_no_cause_of_ebusy(void **state)
{
	struct amdgpudbg_mem_free none = { .size = sizeof(none), .id = 1 };
	struct amdgpudbg_busy args = { .size = sizeof(args), .flags = 1 };
	int fd = session();

	(void)state;
	assert_busy(fd, AMDGPUDBG_BUSY_NONE, 0);
	/* What fails otherwise is no cause. */
	assert_int_equal(self_call(fd, AMDGPUDBG_IOC_MEM_FREE, &none), -ENOENT);
	assert_int_equal(self_call(fd, AMDGPUDBG_IOC_GET_BUSY, &args),
			 -EOPNOTSUPP);
	assert_busy(fd, AMDGPUDBG_BUSY_NONE, 0);
	close(fd);
}

static void the_cause_of_the_last_ebusy_is_reported(void **state)
{
	int fd = session(), other = session();

	(void)state;
	assert_int_equal(set_target(fd, self.prog.gpu.fd), -EBUSY);
	assert_busy(fd, AMDGPUDBG_BUSY_TARGET, 0);
	assert_int_equal(launch(other, AMDGPUDBG_LAUNCH_DEBUG), 0);
	assert_int_equal(launch(fd, AMDGPUDBG_LAUNCH_HALT), -EBUSY);
	assert_busy(fd, AMDGPUDBG_BUSY_LAUNCH, getpid());
	/* It is kept until the next failure, even if other calls succeed. */
	close(other);
	assert_int_equal(launch(fd, AMDGPUDBG_LAUNCH_DEBUG), 0);
	assert_busy(fd, AMDGPUDBG_BUSY_LAUNCH, getpid());
	assert_int_equal(set_target(fd, self.prog.gpu.fd), -EBUSY);
	/* And nothing is left of the one before. */
	assert_busy(fd, AMDGPUDBG_BUSY_TARGET, 0);
	close(fd);
}

/* Two threads of one session, whose calls fail for different reasons at the same time */

#define RACES 300

static void *set_target_again(void *arg)
{
	struct amdgpudbg_target_set set;
	int fd = *(int *)arg;

	for (int i = 0; i < RACES; i++) {
		set = (struct amdgpudbg_target_set){
			.size = sizeof(set), .drm_fd = self.prog.gpu.fd, .pidfd = -1,
		};
		if (self_call(fd, AMDGPUDBG_IOC_TARGET_SET, &set) != -EBUSY ||
		    set.busy != AMDGPUDBG_BUSY_TARGET)
			return "another cause than BUSY_TARGET";
	}
	return NULL;
}

static void *change_launch_mode(void *arg)
{
	struct amdgpudbg_launch_set args;
	int fd = *(int *)arg;

	for (int i = 0; i < RACES; i++) {
		args = (struct amdgpudbg_launch_set){
			.size = sizeof(args), .mode = AMDGPUDBG_LAUNCH_HALT,
		};
		if (self_call(fd, AMDGPUDBG_IOC_LAUNCH_SET, &args) != -EBUSY ||
		    args.busy != AMDGPUDBG_BUSY_LAUNCH)
			return "another cause than BUSY_LAUNCH";
	}
	return NULL;
}

static void each_call_reports_its_own_cause(void **state)
{
	int fd = session(), other = session();
	pthread_t thread;
	void *a, *b;

	(void)state;
	assert_int_equal(launch(other, AMDGPUDBG_LAUNCH_DEBUG), 0);
	assert_int_equal(pthread_create(&thread, NULL, set_target_again, &fd), 0);
	b = change_launch_mode(&fd);
	assert_int_equal(pthread_join(thread, &a), 0);
	if (a || b)
		fail_msg("%s", a ? (char *)a : (char *)b);
	close(other);
	close(fd);
}

/* ------------------------------------------------------------ other processes */

static void waves_of_another_session_are_the_cause(void **state)
{
	int fd = session(), idle = session();
	pid_t pid;

	(void)state;
	start_waves(fd);
	pid = child_hold(halts, NULL);
	assert_true(pid > 0);
	assert_int_equal(control(fd, AMDGPUDBG_WAVEOP_RESUME), -EBUSY);
	assert_busy(fd, AMDGPUDBG_BUSY_WAVE, pid);
	/* Other sessions do not get it. */
	assert_busy(idle, AMDGPUDBG_BUSY_NONE, 0);
	assert_int_equal(child_kill(pid), 0);
	assert_int_equal(control(fd, AMDGPUDBG_WAVEOP_RESUME), 0);
	finish();
	close(idle);
	close(fd);
}

static void a_handler_of_another_session_is_the_cause(void **state)
{
	pid_t pid = child_hold(sets_handler, NULL);
	int fd = session();

	(void)state;
	assert_true(pid > 0);
	assert_int_equal(self_handler(fd), -EBUSY);
	assert_busy(fd, AMDGPUDBG_BUSY_TRAP_HANDLER, pid);
	assert_int_equal(child_kill(pid), 0);
	close(fd);
}

static void a_launch_mode_of_another_session_is_the_cause(void **state)
{
	pid_t pid = child_hold(sets_launch_mode, NULL);
	int fd = session();

	(void)state;
	assert_true(pid > 0);
	assert_int_equal(launch(fd, AMDGPUDBG_LAUNCH_HALT), -EBUSY);
	assert_busy(fd, AMDGPUDBG_BUSY_LAUNCH, pid);
	assert_int_equal(child_kill(pid), 0);
	close(fd);
}

/* Of one that shares our descriptors: it opens a session, and ends. */
static pid_t leave_session_with_waves(int *fd)
{
	pid_t pid = syscall(SYS_clone, SIGCHLD | CLONE_FILES, NULL, NULL, NULL,
			    NULL);
	int status;

	if (!pid) {
		*fd = self_session(&self, true);
		_exit(*fd < 0 || control(*fd, AMDGPUDBG_WAVEOP_HALT) ? 255 : *fd);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	*fd = WEXITSTATUS(status);
	assert_int_not_equal(*fd, 255);
	return pid;
}

/* The number of who has opened it, by which it can be looked for in logs. */
static void the_cause_may_be_a_session_whose_opener_has_exited(void **state)
{
	int fd = session(), left;
	pid_t pid;

	(void)state;
	start_waves(fd);
	pid = leave_session_with_waves(&left);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
	assert_int_equal(control(fd, AMDGPUDBG_WAVEOP_RESUME), -EBUSY);
	assert_busy(fd, AMDGPUDBG_BUSY_WAVE, pid);
	close(left);
	assert_int_equal(control(fd, AMDGPUDBG_WAVEOP_RESUME), 0);
	finish();
	close(fd);
}

/* ---------------------------------------------------------------------- VMIDs */

static void a_vmid_reserved_by_another_process_is_the_cause(void **state)
{
	pid_t pid = child_hold(sets_launch_mode, NULL);
	int drm = open(RENDER, O_RDWR | O_CLOEXEC), fd = session_about(drm);

	(void)state;
	assert_true(pid > 0);
	assert_int_equal(launch(fd, AMDGPUDBG_LAUNCH_DEBUG), -EBUSY);
	assert_busy(fd, AMDGPUDBG_BUSY_VMID_SESSION, pid);
	assert_int_equal(child_kill(pid), 0);
	assert_int_equal(launch(fd, AMDGPUDBG_LAUNCH_DEBUG), 0);
	close(fd);
	close(drm);
}

/* Waves have begun with the handler, and can come to it until they end. */
static void a_vmid_of_an_exited_process_is_the_cause(void **state)
{
	pid_t pid = child_hold(sets_handler, NULL);
	int drm = open(RENDER, O_RDWR | O_CLOEXEC), fd = session_about(drm);
	int mine = session();

	(void)state;
	assert_true(pid > 0);
	start_waves(mine);
	assert_int_equal(child_kill(pid), 0);
	assert_int_equal(launch(fd, AMDGPUDBG_LAUNCH_DEBUG), -EBUSY);
	assert_busy(fd, AMDGPUDBG_BUSY_VMID_SESSION, 0);
	finish();
	close(mine);
	close(fd);
	close(drm);
}

/* With amdgpu's own call */
static void a_vmid_that_the_target_reserved_is_the_cause(void **state)
{
	int drm = open(RENDER, O_RDWR | O_CLOEXEC), fd = session();
	int64_t deadline = deadline_ns(DEADLINE_S);

	(void)state;
	/* What was reserved for the test before may have waves until now. */
	while (vm_op(drm, AMDGPU_VM_OP_RESERVE_VMID)) {
		assert_true(now_ns() < deadline);
		sched_yield();
	}
	assert_int_equal(launch(fd, AMDGPUDBG_LAUNCH_DEBUG), -EBUSY);
	assert_busy(fd, AMDGPUDBG_BUSY_VMID_RESERVED, 0);
	assert_int_equal(vm_op(drm, AMDGPU_VM_OP_UNRESERVE_VMID), 0);
	assert_int_equal(launch(fd, AMDGPUDBG_LAUNCH_DEBUG), 0);
	close(fd);
	close(drm);
}

/* The call comes before the kernel has noticed it otherwise, unless that looks now. */
static void a_vmid_that_the_target_released_is_the_cause(void **state)
{
	int fd = session(), ret = 0;

	(void)state;
	for (int i = 0; i < TRIES && !ret; i++) {
		assert_int_equal(launch(fd, AMDGPUDBG_LAUNCH_DEBUG), 0);
		assert_busy(fd, AMDGPUDBG_BUSY_NONE, 0);
		assert_int_equal(vm_op(self.prog.gpu.fd,
				       AMDGPU_VM_OP_UNRESERVE_VMID), 0);
		ret = launch(fd, AMDGPUDBG_LAUNCH_DEBUG);
	}
	assert_int_equal(ret, -EBUSY);
	assert_busy(fd, AMDGPUDBG_BUSY_VMID_LOST, 0);
	close(fd);
}

/* ------------------------------------------------------------- sleep and resets */

struct caller {
	pthread_t thread;
	int (*call)(int fd);
	int fd;
	atomic_bool end;
	int ret;
};

static int halt(int fd)
{
	return control(fd, AMDGPUDBG_WAVEOP_HALT);
}

/* A patch, which goes again. */
static int patch(int fd)
{
	uint32_t value = 7;
	struct amdgpudbg_vm_access a = {
		.size = sizeof(a), .va = self.data, .bytes = sizeof(value),
		.flags = AMDGPUDBG_VM_ACCESS_WRITE | AMDGPUDBG_VM_ACCESS_PATCH,
		.data = (uintptr_t)&value,
	};
	int ret = self_call(fd, AMDGPUDBG_IOC_VM_ACCESS, &a);

	if (ret)
		return ret;
	a.flags = AMDGPUDBG_VM_ACCESS_UNPATCH;
	a.data = 0;
	ret = self_call(fd, AMDGPUDBG_IOC_VM_ACCESS, &a);
	/* It has gone already if the system is about to sleep. */
	return ret == -ENOENT ? 0 : ret;
}

/* Call until it is refused. A call in progress when the system is frozen is answered. */
static void *call_always(void *arg)
{
	struct caller *c = arg;

	do {
		c->ret = c->call(c->fd);
	} while (!c->ret && !atomic_load(&c->end));
	return NULL;
}

static void is_refused_before_sleep(int (*call)(int fd))
{
	struct caller c = { .call = call, .fd = session() };

	assert_int_equal(write_file("/sys/power/pm_test", "freezer"), 0);
	for (int i = 0; i < TRIES && !c.ret; i++) {
		atomic_store(&c.end, false);
		assert_int_equal(pthread_create(&c.thread, NULL, call_always,
						&c), 0);
		assert_int_equal(write_file("/sys/power/state", "freeze"), 0);
		atomic_store(&c.end, true);
		assert_int_equal(pthread_join(c.thread, NULL), 0);
	}
	assert_int_equal(c.ret, -EBUSY);
	assert_busy(c.fd, AMDGPUDBG_BUSY_SLEEP, 0);
	assert_int_equal(call(c.fd), 0);
	close(c.fd);
}

static void suspend_is_the_cause(void **state)
{
	(void)state;
	is_refused_before_sleep(halt);
}

static void no_patch_is_set_during_suspend(void **state)
{
	(void)state;
	is_refused_before_sleep(patch);
}

/* In a child: it ends when the reset does. */
static void reset_gpu(void)
{
	const char *debugfs = getenv("DEBUGFS_DIR");
	char path[256], text[16];
	int fd;

	if (!debugfs)
		_exit(1);
	snprintf(path, sizeof(path), "%s/amdgpu_gpu_recover", debugfs);
	fd = open(path, O_RDONLY);
	_exit(fd < 0 || read(fd, text, sizeof(text)) <= 0);
}

/* The last test: what this process has on the GPU is void afterwards. */
static void a_gpu_reset_is_the_cause(void **state)
{
	int fd = session(), status, ret = 0;
	bool runs = true;
	pid_t pid;

	(void)state;
	pid = fork();
	assert_true(pid >= 0);
	if (!pid)
		reset_gpu();
	while (ret != -EBUSY && runs) {
		ret = self_list(fd, waves);
		runs = !waitpid(pid, &status, WNOHANG);
	}
	assert_int_equal(ret, -EBUSY);
	if (runs)
		assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_busy(fd, AMDGPUDBG_BUSY_RESET, 0);
	assert_int_equal(self_list(fd, waves), 0);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_session_has_no_cause_of_ebusy),
		cmocka_unit_test(the_cause_of_the_last_ebusy_is_reported),
		cmocka_unit_test(each_call_reports_its_own_cause),
		cmocka_unit_test(waves_of_another_session_are_the_cause),
		cmocka_unit_test(a_handler_of_another_session_is_the_cause),
		cmocka_unit_test(a_launch_mode_of_another_session_is_the_cause),
		cmocka_unit_test(the_cause_may_be_a_session_whose_opener_has_exited),
		cmocka_unit_test(a_vmid_reserved_by_another_process_is_the_cause),
		cmocka_unit_test(a_vmid_of_an_exited_process_is_the_cause),
		cmocka_unit_test(a_vmid_that_the_target_reserved_is_the_cause),
		cmocka_unit_test(a_vmid_that_the_target_released_is_the_cause),
		cmocka_unit_test(suspend_is_the_cause),
		cmocka_unit_test(no_patch_is_set_during_suspend),
		cmocka_unit_test(a_gpu_reset_is_the_cause),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}

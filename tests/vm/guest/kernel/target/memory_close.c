// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DRM files of former targets whose close must wait for a job that does not end: see memory.h.
 */
#define _GNU_SOURCE
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "people.h"
#include "self.h"
#include "until.h"

/* More than the works of a queue that run at the same time by default, Linux 6.1: 256 */
#define MANY_FILES 300
#define FEW_FILES (AMDGPUDBG_USER_CLOSING_MAX + 4)

int leave_job(const char *session)
{
	struct gpu_job job;

	if (open_prog() || set_target(atoi(session), prog.gpu.fd, false))
		return 1;
	start("trap_spin", &job);
	wait_begun();
	/* Nothing of the program ends here but the process. */
	_exit(0);
}

/* The target of @fd has exited, and its job runs on. */
static void target_with_job(int fd)
{
	char arg[16];
	int status;
	pid_t pid;

	snprintf(arg, sizeof(arg), "%d", fd);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		/* libdrm would use the device that this process has. */
		execl("/proc/self/exe", "memory", "leave-job", arg, NULL);
		_exit(1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
}

static void end_job(void)
{
	struct amdgpudbg_wave_control kill = {
		.size = sizeof(kill), .op = AMDGPUDBG_WAVEOP_KILL,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
	};
	struct amdgpudbg_wave wave;
	int fd;

	be(ROOT, true);
	assert_int_equal(see_waves(0, &wave, 1), NUM_WAVES);
	kill.vmid = wave.vmid;
	fd = open(NODE, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(self_call(fd, AMDGPUDBG_IOC_WAVE_CONTROL, &kill), 0);
	close(fd);
	be(USER, true);
}

/**
 * struct opener - a process that opens a DRM file and closes it
 * @pid: the process; 0: it has ended
 * @waits: it was seen to wait for the close of another
 */
struct opener {
	pid_t pid;
	bool waits;
};

static bool ended_or_waits(void *arg)
{
	struct opener *o = arg;
	char path[64], text[4096];
	size_t n = 0;
	FILE *f;

	if (child_has_ended(&o->pid))
		return true;
	snprintf(path, sizeof(path), "/proc/%d/stack", o->pid);
	f = fopen(path, "r");
	if (f) {
		n = fread(text, 1, sizeof(text) - 1, f);
		fclose(f);
	}
	text[n] = '\0';
	/* The kernel leaves out functions of the lock itself. */
	o->waits = !strncmp(text, "[<0>] drm_", strlen("[<0>] drm_"));
	return o->waits;
}

/* Does this kernel close one file of the GPU after the other? */
static void try_to_open(struct opener *o)
{
	*o = (struct opener){ .pid = fork() };
	assert_true(o->pid >= 0);
	if (!o->pid) {
		/* It must not keep the files that are to be closed. */
		close_range(3, ~0U, 0);
		close(open(RENDER, O_RDWR | O_CLOEXEC));
		_exit(0);
	}
	be(ROOT, true);
	assert_true(until(ended_or_waits, o, DEADLINE_S));
	be(USER, true);
}

/* Take all of @drm as targets, and give them up. How many, until it is refused */
static unsigned int give_up(int fd, const int *drm, unsigned int num)
{
	struct amdgpudbg_target_set args;
	unsigned int i;
	int ret;

	for (i = 0; i < num; i++) {
		args = (struct amdgpudbg_target_set){
			.size = sizeof(args), .drm_fd = drm[i], .pidfd = -1,
			.flags = AMDGPUDBG_TARGET_SET_TAKE_FD,
		};
		ret = self_call(fd, AMDGPUDBG_IOC_TARGET_SET, &args);
		if (ret == -EMFILE)
			break;
		assert_int_equal(ret, 0);
		assert_int_equal(set_target(fd, -1, false), 0);
	}
	return i;
}

/* What another debugger does at its end, in a process of its own: it may wait for ever. */
static bool a_session_ends(void)
{
	struct amdgpudbg_info info = { .size = sizeof(info) };
	pid_t pid = fork();
	int fd;

	assert_true(pid >= 0);
	if (!pid) {
		fd = open(NODE, O_RDWR | O_CLOEXEC);
		self_call(fd, AMDGPUDBG_IOC_GET_INFO, &info);
		close(fd);
		_exit(0);
	}
	return until(child_has_ended, &pid, DEADLINE_S);
}

static bool may_have_target(void *fd)
{
	return !set_target(*(int *)fd, prog.gpu.fd, false);
}

/*
 * In the long form, with CAP_SYS_RESOURCE, which may give up as many as it likes: in a
 * process of its own, since a module that does not keep closes apart lets it wait.
 */
static void give_up_without_limit(const int *drm, unsigned int num)
{
	unsigned int i;
	int go[2];
	pid_t pid;
	char c = 0;

	assert_int_equal(pipe(go), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		be(ROOT, true);
		/* Not before each of them is the last descriptor of its file. */
		if (read(go[0], &c, 1) != 1)
			_exit(1);
		_exit(give_up(open(NODE, O_RDWR), drm, num) != num);
	}
	for (i = 0; i < num; i++)
		close(drm[i]);
	assert_int_equal(write(go[1], &c, 1), 1);
	close(go[0]);
	close(go[1]);
	assert_true(until(child_has_ended, &pid, DEADLINE_S));
}

void closes_that_wait_for_jobs_are_bounded_and_delay_no_session(void **state)
{
	unsigned int num = long_or_short(MANY_FILES, FEW_FILES), i, done;
	int first = open(NODE, O_RDWR), fd = open(NODE, O_RDWR | O_CLOEXEC);
	int drm[MANY_FILES];
	struct opener o;

	(void)state;
	assert_true(first >= 0 && fd >= 0);
	for (i = 0; i < num; i++) {
		drm[i] = open(RENDER, O_RDWR | O_CLOEXEC);
		assert_true(drm[i] >= 0);
	}
	target_with_job(first);
	assert_int_equal(set_target(first, -1, false), 0);
	try_to_open(&o);

	done = give_up(fd, drm, FEW_FILES);
	/*
	 * Unless the number is limited, none waits for the job. The other process may have been
	 * seen in a lock that it had a moment later.
	 */
	if (done != AMDGPUDBG_USER_CLOSING_MAX - 1) {
		assert_true(until(child_has_ended, &o.pid, DEADLINE_S));
		print_message("# this kernel closes all at once\n");
	}
	assert_true(a_session_ends());
	if (num > FEW_FILES) {
		give_up_without_limit(drm + FEW_FILES, num - FEW_FILES);
		assert_true(a_session_ends());
	}
	end_job();
	assert_true(until(may_have_target, &fd, DEADLINE_S));
	assert_true(until(child_has_ended, &o.pid, DEADLINE_S));
	for (i = done; i < FEW_FILES; i++)
		close(drm[i]);
	close(first);
	close(fd);
}

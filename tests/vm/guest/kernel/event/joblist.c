// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The list of jobs, through the ioctls: jobs that began before the session are in it, with all
 * that the driver knows about them, and the list of an ordinary user has no jobs of other
 * processes. Run as root.
 *
 * usage: joblist		the tests
 *	  joblist hang	a job that hangs until standard input ends
 */
#define _GNU_SOURCE
#include "prog.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include <linux/amdgpudbg.h>

#include "people.h"

#define NODE "/dev/amdgpudbg0"
#define MAX_JOBS 64
#define MAX_IBS 256
#define NUM_QUICK_JOBS 100
#define MAX_QUICK_JOBS 10000
#define TIMEOUT_MS 600000	/* the suite's amdgpu.lockup_timeout */

static struct prog prog;

struct list {
	struct amdgpudbg_job_list args;
	struct amdgpudbg_job jobs[MAX_JOBS];
	struct amdgpudbg_ib ibs[MAX_IBS];
};

static struct list list;

static int open_session(void)
{
	int fd = open(NODE, O_RDWR | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

/* A session whose target is this process */
static int own_session(void)
{
	struct amdgpudbg_target_set target = {
		.size = sizeof(target), .drm_fd = prog.gpu.fd, .pidfd = -1,
	};
	int fd = open_session();

	assert_int_equal(ioctl(fd, AMDGPUDBG_IOC_TARGET_SET, &target), 0);
	return fd;
}

static int read_list(int fd, uint32_t capacity, uint32_t ib_capacity)
{
	memset(&list, 0xaa, sizeof(list));
	list.args = (struct amdgpudbg_job_list){
		.size = sizeof(list.args), .entry_size = sizeof(list.jobs[0]),
		.capacity = capacity, .jobs = (uintptr_t)list.jobs,
		.ib_capacity = ib_capacity, .ibs = (uintptr_t)list.ibs,
	};
	return ioctl(fd, AMDGPUDBG_IOC_JOB_LIST, &list.args) ? -errno : 0;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* One that does not end before it is let, and that has begun to run */
static void hang(unsigned int ring, struct gpu_job *job)
{
	int fd;

	prog_ctl(&prog)[0] = 0;
	prog_ctl(&prog)[1] = 0;
	prog.ring = ring;
	assert_int_equal(prog_submit(&prog, "spin", job), 0);
	assert_int_equal(prog_wait(&prog, 1, PROG_GROUP), 0);
	/* The scheduler may note only then that it is on its ring. */
	fd = own_session();
	do
		assert_int_equal(read_list(fd, MAX_JOBS, MAX_IBS), 0);
	while (!list.args.count);
	close(fd);
}

static void finish(struct gpu_job *job)
{
	prog_ctl(&prog)[0] = 1;
	assert_int_equal(gpu_wait(&prog.gpu, job, AMDGPU_TIMEOUT_INFINITE), 0);
	gpu_job_free(&prog.gpu, job);
}

static void is_the_job(const struct amdgpudbg_job *j, const struct gpu_job *job)
{
	char name[sizeof(j->ring_name)];

	assert_int_equal(j->job, job->fence.fence);
	assert_true(j->job_context);
	assert_int_equal(j->ring_type, AMDGPU_HW_IP_COMPUTE);
	/* "comp_", ME, pipe, queue: gfx_v10_0_compute_ring_init() */
	snprintf(name, sizeof(name), "comp_%u.%u.%u", j->me, j->pipe, j->queue);
	assert_string_equal(j->ring_name, name);
	assert_int_equal(j->xcc, 0);
	assert_in_range(j->vmid, 1, 15);
	assert_int_equal(j->pasid, pasid_of(getpid()));
	assert_int_equal(j->pid, getpid());
	assert_int_equal(j->timeout_ms, TIMEOUT_MS);
}

/* -------------------------------------------------------------------------- tests */

static void a_job_of_before_the_session_is_listed_with_all_that_is_known(void **state)
{
	const struct amdgpudbg_job *j = &list.jobs[0];
	uint64_t before = now_ns(), begun;
	struct gpu_job job;
	bool found = false;
	int fd;

	(void)state;
	hang(0, &job);
	begun = now_ns();
	fd = own_session();
	assert_int_equal(read_list(fd, MAX_JOBS, MAX_IBS), 0);
	assert_int_equal(list.args.busy, AMDGPUDBG_BUSY_NONE);
	assert_int_equal(list.args.count, 1);
	is_the_job(j, &job);
	assert_int_equal(j->flags, AMDGPUDBG_JOB_OLDEST);
	assert_in_range(j->begin_time, before, begun);
	assert_in_range(list.args.time, begun, now_ns());
	assert_in_range(j->left_ms, 1, TIMEOUT_MS);
	/* Its fence is on the ring, and not signaled. */
	assert_true((int32_t)(j->seq_emitted - j->seq_signaled) > 0);
	assert_int_equal(j->first_ib, 0);
	assert_true(j->num_ibs && j->num_ibs == list.args.ib_count);
	for (uint32_t i = 0; i < j->num_ibs; i++) {
		assert_true(list.ibs[i].dwords);
		found |= list.ibs[i].va == job.ib.va;
	}
	assert_true(found);
	finish(&job);
	assert_int_equal(read_list(fd, MAX_JOBS, MAX_IBS), 0);
	assert_int_equal(list.args.count, 0);
	assert_int_equal(list.args.ib_count, 0);
	close(fd);
}

static void a_job_behind_another_is_not_the_oldest(void **state)
{
	struct gpu_job first, second;
	int fd;

	(void)state;
	hang(0, &first);
	assert_int_equal(prog_submit(&prog, "spin", &second), 0);
	fd = own_session();
	/* amdgpu puts two jobs on a ring; the scheduler may take a while for the second. */
	do
		assert_int_equal(read_list(fd, MAX_JOBS, MAX_IBS), 0);
	while (list.args.count < 2);
	assert_int_equal(list.args.count, 2);
	is_the_job(&list.jobs[0], &first);
	is_the_job(&list.jobs[1], &second);
	assert_int_equal(list.jobs[0].ring, list.jobs[1].ring);
	assert_int_equal(list.jobs[0].flags, AMDGPUDBG_JOB_OLDEST);
	assert_int_equal(list.jobs[1].flags, 0);
	assert_int_equal(list.jobs[1].left_ms, TIMEOUT_MS);
	assert_int_equal(list.jobs[1].first_ib, list.jobs[0].num_ibs);
	finish(&first);
	finish(&second);
	close(fd);
}

static void a_held_timeout_is_reported(void **state)
{
	struct amdgpudbg_wave_control halt = {
		.size = sizeof(halt), .op = AMDGPUDBG_WAVEOP_HALT,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
	};
	struct gpu_job job;
	uint32_t left;
	int fd;

	(void)state;
	hang(0, &job);
	fd = own_session();
	assert_int_equal(ioctl(fd, AMDGPUDBG_IOC_WAVE_CONTROL, &halt), 0);
	assert_int_equal(read_list(fd, MAX_JOBS, MAX_IBS), 0);
	assert_int_equal(list.args.count, 1);
	is_the_job(&list.jobs[0], &job);
	assert_int_equal(list.jobs[0].flags, AMDGPUDBG_JOB_OLDEST | AMDGPUDBG_JOB_HELD);
	left = list.jobs[0].left_ms;
	assert_in_range(left, 1, TIMEOUT_MS);
	/* It does not run down. */
	usleep(20000);
	assert_int_equal(read_list(fd, MAX_JOBS, MAX_IBS), 0);
	assert_int_equal(list.jobs[0].left_ms, left);
	close(fd);
	finish(&job);
}

static void jobs_that_do_not_fit_are_counted(void **state)
{
	struct gpu_job job;
	uint32_t ibs;
	int fd;

	(void)state;
	hang(0, &job);
	fd = own_session();
	assert_int_equal(read_list(fd, 0, 0), -EMSGSIZE);
	assert_int_equal(list.args.count, 1);
	ibs = list.args.ib_count;
	assert_true(ibs);
	assert_int_equal(read_list(fd, 1, ibs - 1), -EMSGSIZE);
	is_the_job(&list.jobs[0], &job);
	assert_int_equal(read_list(fd, 1, 0), -EMSGSIZE);
	assert_int_equal(read_list(fd, 1, ibs), 0);
	finish(&job);
	close(fd);
}

static void a_caller_that_wants_no_indirect_buffers_gets_a_whole_list(void **state)
{
	struct gpu_job job;
	int fd;

	(void)state;
	hang(0, &job);
	fd = own_session();
	memset(&list, 0xaa, sizeof(list));
	list.args = (struct amdgpudbg_job_list){
		.size = sizeof(list.args), .entry_size = sizeof(list.jobs[0]),
		.capacity = 1, .jobs = (uintptr_t)list.jobs,
	};
	assert_int_equal(ioctl(fd, AMDGPUDBG_IOC_JOB_LIST, &list.args), 0);
	assert_int_equal(list.args.count, 1);
	is_the_job(&list.jobs[0], &job);
	assert_true(list.jobs[0].num_ibs && list.jobs[0].num_ibs == list.args.ib_count);
	/* Jobs that do not fit are still an error. */
	list.args.capacity = 0;
	list.args.jobs = 0;
	assert_int_equal(ioctl(fd, AMDGPUDBG_IOC_JOB_LIST, &list.args), -1);
	assert_int_equal(errno, EMSGSIZE);
	finish(&job);
	close(fd);
}

/* Many jobs of no length, so that some are listed while amdgpu gives them to the ring */
static void each_job_that_is_listed_has_begun_before_the_list_ends(void **state)
{
	uint64_t before = now_ns();
	unsigned int listed = 0;
	struct gpu_job job;
	int fd;

	(void)state;
	fd = own_session();
	prog_ctl(&prog)[0] = 1;
	prog.ring = 0;
	for (int i = 0; i < NUM_QUICK_JOBS || (!listed && i < MAX_QUICK_JOBS); i++) {
		assert_int_equal(prog_submit(&prog, "spin", &job), 0);
		do {
			assert_int_equal(read_list(fd, MAX_JOBS, MAX_IBS), 0);
			for (uint32_t n = 0; n < list.args.count; n++)
				assert_in_range(list.jobs[n].begin_time, before, list.args.time);
			listed += list.args.count;
		} while (list.args.count);
		assert_int_equal(gpu_wait(&prog.gpu, &job, AMDGPU_TIMEOUT_INFINITE), 0);
		gpu_job_free(&prog.gpu, &job);
	}
	assert_true(listed);
	close(fd);
}

/*
 * This program once more, because libdrm would share the address space of a process that has
 * only been forked: a hanging job, which ends when standard input does.
 */
static int hang_for_another(void)
{
	struct prog other;
	struct gpu_job job;
	char byte = 0;

	if (prog_open(&other, NULL, NULL, PROG_GROUP, 1))
		return 1;
	if (prog_submit(&other, "spin", &job) ||
	    prog_wait(&other, 1, PROG_GROUP) ||
	    write(STDOUT_FILENO, &byte, 1) != 1)
		return 2;
	(void)!read(STDIN_FILENO, &byte, 1);
	prog_ctl(&other)[0] = 1;
	return gpu_wait(&other.gpu, &job, AMDGPU_TIMEOUT_INFINITE) ? 3 : 0;
}

static void be_another(int ready, int until)
{
	be_for_good(OTHER, true);
	dup2(until, STDIN_FILENO);
	dup2(ready, STDOUT_FILENO);
	execlp("joblist", "joblist", "hang", NULL);
	_exit(127);
}

static const struct amdgpudbg_job *find_pid(pid_t pid)
{
	for (uint32_t i = 0; i < list.args.count; i++)
		if (list.jobs[i].pid == pid)
			return &list.jobs[i];
	return NULL;
}

/* What a user types who wants to know what hangs */
static bool command_names(pid_t pid)
{
	char line[512], number[16];
	bool found = false;
	FILE *f;

	snprintf(number, sizeof(number), " %d ", pid);
	f = popen("wavectl job list", "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		found |= !strncmp(line, "comp_", 5) && strstr(line, number);
	assert_int_equal(pclose(f), 0);
	return found;
}

static void jobs_of_another_user_are_not_listed(void **state)
{
	int ready[2], until[2], fd, status;
	char byte;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	assert_int_equal(pipe2(until, O_CLOEXEC), 0);
	be(ROOT, true);
	pid = fork();
	if (!pid)
		be_another(ready[1], until[0]);
	be(USER, true);
	assert_int_equal(read(ready[0], &byte, 1), 1);

	fd = own_session();
	assert_int_equal(read_list(fd, MAX_JOBS, MAX_IBS), 0);
	assert_int_equal(list.args.count, 0);
	assert_int_equal(list.args.ib_count, 0);
	close(fd);
	fd = open_session();
	assert_int_equal(read_list(fd, MAX_JOBS, MAX_IBS), -EPERM);
	be(ROOT, true);
	do
		assert_int_equal(read_list(fd, MAX_JOBS, MAX_IBS), 0);
	while (!find_pid(pid));
	assert_int_equal(find_pid(pid)->pasid, pasid_of(pid));
	assert_true(command_names(pid));
	be(USER, true);
	close(fd);

	close(until[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	close(until[0]);
	close(ready[0]);
	close(ready[1]);
}

static int set_up_all(void **state)
{
	(void)state;
	be(USER, true);
	return prog_open(&prog, NULL, NULL, PROG_GROUP, 0);
}

static int take_down_all(void **state)
{
	(void)state;
	prog_close(&prog);
	return 0;
}

/* A job that a failed test has left would keep the program from ending. */
static int take_down(void **state)
{
	(void)state;
	be(USER, true);
	prog_ctl(&prog)[0] = 1;
	return 0;
}

#define TEST(name) cmocka_unit_test_teardown(name, take_down)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(a_job_of_before_the_session_is_listed_with_all_that_is_known),
		TEST(a_job_behind_another_is_not_the_oldest),
		TEST(a_held_timeout_is_reported),
		TEST(jobs_that_do_not_fit_are_counted),
		TEST(a_caller_that_wants_no_indirect_buffers_gets_a_whole_list),
		TEST(each_job_that_is_listed_has_begun_before_the_list_ends),
		TEST(jobs_of_another_user_are_not_listed),
	};

	if (argc == 2 && !strcmp(argv[1], "hang"))
		return hang_for_another();
	return cmocka_run_group_tests(tests, set_up_all, take_down_all);
}

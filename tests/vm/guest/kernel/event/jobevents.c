// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events of jobs, through the ioctls, for an ordinary user: the begin and the end of each job of
 * the target, on every ring, with the number that the driver returned to the submitter, and no
 * events of other processes. Run as root.
 *
 * usage: jobevents		the tests
 *	  jobevents fails	one job, whose ring the suite hangs: its end and status
 *	  jobevents go		readers wait, and jobs begin and end, until the GPU is removed
 */
#include "prog.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <linux/amdgpudbg.h>

#include "people.h"

#define NODE "/dev/amdgpudbg0"
#define DEADLINE_MS 60000
#define OF_JOBS (1ULL << AMDGPUDBG_EVENT_JOB_BEGIN | 1ULL << AMDGPUDBG_EVENT_JOB_END)
#define RINGS 4		/* of an amdgpu context */
#define NUM_OTHERS (sizeof(others) / sizeof(others[0]))
#define JOBS 24		/* of a test, on all of these */

static struct prog prog;
static int dev = -1;		/* the session of the test that runs */
static pid_t others[4];		/* what that has started; 0: none */

static int open_session(void)
{
	int fd = open(NODE, O_RDWR | O_CLOEXEC | O_NONBLOCK);

	assert_true(fd >= 0);
	return fd;
}

static int enable(int fd, uint32_t mask, uint32_t capacity)
{
	struct amdgpudbg_event_enable args = {
		.size = sizeof(args), .mask = mask, .capacity = capacity,
		.entry_size = mask ? sizeof(struct amdgpudbg_event) : 0,
	};

	return ioctl(fd, AMDGPUDBG_IOC_EVENT_ENABLE, &args) ? -errno : 0;
}

static int set_target(int fd)
{
	struct amdgpudbg_target_set target = {
		.size = sizeof(target), .drm_fd = prog.gpu.fd, .pidfd = -1,
	};

	return ioctl(fd, AMDGPUDBG_IOC_TARGET_SET, &target) ? -errno : 0;
}

/* A session whose target is this process */
static int own_session(uint32_t mask, uint32_t capacity)
{
	int fd = open_session();

	assert_int_equal(set_target(fd), 0);
	assert_int_equal(enable(fd, mask, capacity), 0);
	return fd;
}

static struct amdgpudbg_event next_event(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct amdgpudbg_event ev;

	assert_int_equal(poll(&p, 1, DEADLINE_MS), 1);
	assert_int_equal(read(fd, &ev, sizeof(ev)), sizeof(ev));
	assert_int_equal(ev.size, sizeof(ev));
	return ev;
}

static bool is_empty(int fd)
{
	struct amdgpudbg_event ev;

	return read(fd, &ev, sizeof(ev)) < 0 && errno == EAGAIN;
}

static void start_on(const char *kernel, unsigned int ring, struct gpu_job *job)
{
	prog.ring = ring;
	assert_int_equal(prog_submit(&prog, kernel, job), 0);
}

/* One that does not end before it is let, and that has begun to run */
static void start_spin(struct gpu_job *job)
{
	prog_ctl(&prog)[0] = 0;
	prog_ctl(&prog)[1] = 0;
	start_on("spin", 0, job);
	assert_int_equal(prog_wait(&prog, 1, PROG_GROUP), 0);
}

static void finish(struct gpu_job *job)
{
	assert_int_equal(gpu_wait(&prog.gpu, job, AMDGPU_TIMEOUT_INFINITE), 0);
	gpu_job_free(&prog.gpu, job);
}

static void one_job(void)
{
	struct gpu_job job;

	start_on("saxpy", 0, &job);
	finish(&job);
}

static void is_of_a_job(const struct amdgpudbg_event *ev)
{
	assert_int_equal(ev->flags, AMDGPUDBG_EVENT_HAS_JOB);
	assert_int_equal(ev->ring_type, AMDGPU_HW_IP_COMPUTE);
	assert_memory_equal(ev->ring_name, "comp_", 5);
	assert_in_range(ev->vmid, 1, 15);
	assert_int_equal(ev->data, 0);
	assert_true(ev->pasid);
}

/* ------------------------------------------------------------------- tests */

static void each_job_begins_and_ends_once(void **state)
{
	struct amdgpudbg_event begun[JOBS], ended[JOBS];
	uint64_t context[RINGS] = { 0 }, last[RINGS] = { 0 }, time = 0;
	unsigned int begins = 0, ends = 0, i, r;
	struct gpu_job job[JOBS];

	(void)state;
	dev = own_session(OF_JOBS, 0);
	for (i = 0; i < JOBS; i++)
		start_on("saxpy", i % RINGS, &job[i]);
	for (i = 0; i < JOBS; i++)
		assert_int_equal(gpu_wait(&prog.gpu, &job[i],
					  AMDGPU_TIMEOUT_INFINITE), 0);
	for (i = 0; i < 2 * JOBS; i++) {
		struct amdgpudbg_event ev = next_event(dev);

		assert_int_equal(ev.seq, i + 1);
		is_of_a_job(&ev);
		assert_true(ev.time >= time);
		time = ev.time;
		if (ev.type == AMDGPUDBG_EVENT_JOB_BEGIN) {
			assert_true(begins < JOBS);
			begun[begins++] = ev;
		} else {
			assert_int_equal(ev.type, AMDGPUDBG_EVENT_JOB_END);
			assert_true(ends < begins);
			ended[ends++] = ev;
		}
	}
	assert_int_equal(begins, JOBS);
	assert_int_equal(ends, JOBS);
	assert_true(is_empty(dev));

	/* Of each ring of ours the numbers that we were given, in their order. */
	for (i = 0; i < JOBS; i++) {
		for (r = 0; r < RINGS; r++)
			if (!context[r] || context[r] == begun[i].job_context)
				break;
		assert_true(r < RINGS);
		context[r] = begun[i].job_context;
		if (last[r])
			assert_int_equal(begun[i].job, last[r] + 1);
		last[r] = begun[i].job;
	}
	for (r = 0; r < RINGS; r++)
		assert_true(context[r]);
	for (i = 0; i < JOBS; i++) {
		unsigned int given = 0, seen = 0, k;

		for (k = 0; k < JOBS; k++) {
			given += job[k].fence.fence == begun[i].job;
			seen += begun[k].job == begun[i].job;
		}
		assert_int_equal(given, seen);
		/* Its end */
		for (k = 0; k < JOBS; k++)
			if (ended[k].job == begun[i].job &&
			    ended[k].job_context == begun[i].job_context)
				break;
		assert_true(k < JOBS);
		assert_int_equal(ended[k].ring, begun[i].ring);
		assert_int_equal(ended[k].vmid, begun[i].vmid);
		assert_string_equal(ended[k].ring_name, begun[i].ring_name);
		assert_true(ended[k].time >= begun[i].time);
		assert_true(ended[k].seq > begun[i].seq);
	}
	for (i = 0; i < JOBS; i++)
		gpu_job_free(&prog.gpu, &job[i]);
}

/* The event has room for all of its indirect buffers, and the one with its commands is there. */
static void has_ib(const struct amdgpudbg_event *begin, const struct gpu_job *job)
{
	unsigned int i, found = 0;

	assert_in_range(begin->num_ibs, 1, AMDGPUDBG_EVENT_NUM_IBS);
	for (i = 0; i < begin->num_ibs; i++) {
		assert_int_not_equal(begin->ibs[i].dwords, 0);
		found += begin->ibs[i].va == job->ib.va;
	}
	assert_int_equal(found, 1);
}

static void the_end_event_follows_the_end_of_the_job(void **state)
{
	struct amdgpudbg_event begin, end;
	struct gpu_job job;

	(void)state;
	dev = own_session(OF_JOBS, 0);
	prog_ctl(&prog)[0] = 0;
	start_on("spin", 0, &job);
	begin = next_event(dev);
	assert_int_equal(begin.type, AMDGPUDBG_EVENT_JOB_BEGIN);
	assert_int_equal(begin.job, job.fence.fence);
	has_ib(&begin, &job);
	assert_int_equal(gpu_wait(&prog.gpu, &job, 100000000), -ETIME);
	assert_true(is_empty(dev));
	prog_ctl(&prog)[0] = 1;
	finish(&job);
	end = next_event(dev);
	assert_int_equal(end.type, AMDGPUDBG_EVENT_JOB_END);
	assert_int_equal(end.job, begin.job);
	assert_int_equal(end.job_context, begin.job_context);
	assert_int_equal(end.num_ibs, 0);
	/* The driver counts its timeouts in jiffies. */
	assert_true(end.time - begin.time >= 80000000);
	assert_true(is_empty(dev));
}

/* What others do comes neither before nor between our own. */
static void jobs_of_other_processes_are_not_reported(void **state)
{
	struct amdgpudbg_event ev;
	struct gpu_job job;
	int status, i;
	pid_t pid;

	(void)state;
	dev = own_session(OF_JOBS, 0);
	pid = fork();
	if (pid == 0) {
		execlp("compute", "compute", "-n", "64", "saxpy", "hash", NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	start_on("saxpy", 0, &job);
	for (i = 0; i < 2; i++) {
		ev = next_event(dev);
		assert_int_equal(ev.seq, i + 1);
		assert_int_equal(ev.job, job.fence.fence);
	}
	finish(&job);
	assert_true(is_empty(dev));
}

static void a_job_from_before_the_session_has_no_end_event(void **state)
{
	struct amdgpudbg_event ev;
	struct gpu_job job, next;

	(void)state;
	start_spin(&job);
	dev = own_session(OF_JOBS, 0);
	prog_ctl(&prog)[0] = 1;
	finish(&job);
	start_on("saxpy", 1, &next);
	finish(&next);
	ev = next_event(dev);
	assert_int_equal(ev.type, AMDGPUDBG_EVENT_JOB_BEGIN);
	assert_int_equal(ev.job, next.fence.fence);
	ev = next_event(dev);
	assert_int_equal(ev.type, AMDGPUDBG_EVENT_JOB_END);
	assert_int_equal(ev.job, next.fence.fence);
	assert_true(is_empty(dev));
}

static void the_session_may_close_in_between(void **state)
{
	struct gpu_job job;
	int other;

	(void)state;
	dev = own_session(OF_JOBS, 0);
	other = own_session(1ULL << AMDGPUDBG_EVENT_JOB_END, 0);
	prog_ctl(&prog)[0] = 0;
	start_on("spin", 0, &job);
	assert_int_equal(next_event(dev).type, AMDGPUDBG_EVENT_JOB_BEGIN);
	close(dev);
	dev = -1;
	prog_ctl(&prog)[0] = 1;
	finish(&job);
	/* Another session still gets events, and only those that it has enabled. */
	assert_int_equal(next_event(other).type, AMDGPUDBG_EVENT_JOB_END);
	assert_true(is_empty(other));
	/* With no session left while it runs */
	start_spin(&job);
	close(other);
	prog_ctl(&prog)[0] = 1;
	finish(&job);
}

static void lost_job_events_are_counted(void **state)
{
	struct amdgpudbg_event ev;
	uint64_t next = 1;
	int i;

	(void)state;
	dev = own_session(OF_JOBS, 1);
	for (i = 0; i < JOBS; i++)
		one_job();
	/* One is in the queue; the last may still be on their ways. */
	while (next <= 2 * JOBS) {
		ev = next_event(dev);
		assert_int_equal(ev.seq, next);
		next += ev.type == AMDGPUDBG_EVENT_LOST ? ev.data : 1;
	}
	assert_int_equal(next, 2 * JOBS + 1);
	assert_true(is_empty(dev));
}

static void job_events_of_the_whole_gpu_need_privilege(void **state)
{
	struct amdgpudbg_event ev;
	struct gpu_job job;

	(void)state;
	dev = open_session();
	assert_int_equal(enable(dev, OF_JOBS, 0), -EPERM);
	be(ROOT, true);
	assert_int_equal(enable(dev, OF_JOBS, 0), 0);
	be(USER, true);
	start_on("saxpy", 0, &job);
	finish(&job);
	/* Also amdgpu's own come, which write page tables. */
	do
		ev = next_event(dev);
	while (ev.type != AMDGPUDBG_EVENT_JOB_END || !ev.pasid);
	assert_int_equal(ev.job, job.fence.fence);
}

static unsigned int list_waves(int fd)
{
	static struct amdgpudbg_wave waves[64];
	struct amdgpudbg_wave_list args = {
		.size = sizeof(args), .capacity = 64, .entry_size = sizeof(waves[0]),
		.waves = (uintptr_t)waves,
	};

	return ioctl(fd, AMDGPUDBG_IOC_WAVE_LIST, &args) ? 0 : args.count;
}

/* Hold the GPU's lock most of the time, so that events of jobs are reported late. */
static void be_in_the_way(void)
{
	int fd = open(NODE, O_RDWR | O_CLOEXEC);

	if (fd < 0 || set_target(fd))
		_exit(1);
	for (;;)
		list_waves(fd);
}

/* One that begins must not be taken for one of a job before. */
static void the_job_of_a_listed_wave_was_reported(void **state)
{
	struct gpu_job job;
	unsigned int i;

	(void)state;
	for (i = 0; i < NUM_OTHERS; i++) {
		others[i] = fork();
		if (!others[i])
			be_in_the_way();
		assert_true(others[i] > 0);
	}
	dev = own_session(1ULL << AMDGPUDBG_EVENT_JOB_BEGIN, 0);
	for (i = 0; i < 100; i++) {
		prog_ctl(&prog)[0] = 0;
		start_on("spin", 0, &job);
		while (!list_waves(dev))
			;
		/* Before anything can fail: it waits for that. */
		prog_ctl(&prog)[0] = 1;
		assert_false(is_empty(dev));
		finish(&job);
	}
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

static int take_down(void **state)
{
	(void)state;
	be(USER, true);
	if (dev >= 0)
		close(dev);
	dev = -1;
	for (unsigned int i = 0; i < NUM_OTHERS && others[i] > 0; i++) {
		kill(others[i], SIGKILL);
		waitpid(others[i], NULL, 0);
		others[i] = 0;
	}
	return 0;
}

/* ------------------------------------------------------- parts of suites */

static int fails(void)
{
	struct amdgpudbg_event begin, end;
	struct gpu_job job;
	int ret;

	be_for_good(USER, true);
	if (prog_open(&prog, NULL, NULL, PROG_GROUP, 0))
		return 1;
	dev = own_session(OF_JOBS, 0);
	start_on("saxpy", 0, &job);
	begin = next_event(dev);
	end = next_event(dev);
	ret = gpu_wait(&prog.gpu, &job, AMDGPU_TIMEOUT_INFINITE);
	printf("wait %d, error %u\n", ret,
	       end.flags & AMDGPUDBG_EVENT_IS_ERROR ? end.data : 0);
	return begin.type != AMDGPUDBG_EVENT_JOB_BEGIN ||
	       end.type != AMDGPUDBG_EVENT_JOB_END || end.job != begin.job ||
	       end.job != job.fence.fence ||
	       end.job_context != begin.job_context || !is_empty(dev);
}

/* The last event is that of the GPU; @fd is of the whole. */
static int go(void)
{
	struct pollfd p = { .events = POLLIN };
	struct amdgpudbg_event ev;
	unsigned int jobs = 0;

	p.fd = open(NODE, O_RDWR | O_NONBLOCK);
	if (p.fd < 0 || enable(p.fd, OF_JOBS, 0))
		return 1;
	puts("listening");
	fflush(stdout);
	while (poll(&p, 1, DEADLINE_MS) == 1 &&
	       read(p.fd, &ev, sizeof(ev)) == sizeof(ev)) {
		jobs += ev.type == AMDGPUDBG_EVENT_JOB_END;
		if (jobs == 1)
			puts("a job has ended");
		fflush(stdout);
		if (ev.type == AMDGPUDBG_EVENT_GPU_GONE)
			return 0;
	}
	return 1;
}

#define TEST(name) cmocka_unit_test_teardown(name, take_down)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(each_job_begins_and_ends_once),
		TEST(the_end_event_follows_the_end_of_the_job),
		TEST(jobs_of_other_processes_are_not_reported),
		TEST(a_job_from_before_the_session_has_no_end_event),
		TEST(the_session_may_close_in_between),
		TEST(lost_job_events_are_counted),
		TEST(the_job_of_a_listed_wave_was_reported),
		TEST(job_events_of_the_whole_gpu_need_privilege),
	};

	if (argc == 2 && !strcmp(argv[1], "fails"))
		return fails();
	if (argc == 2 && !strcmp(argv[1], "go"))
		return go();
	return cmocka_run_group_tests(tests, set_up_all, take_down_all);
}

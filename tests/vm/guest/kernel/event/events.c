// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events through the ioctls: messages of waves of this process, which is its own target, and of
 * another process.
 */
#define _GNU_SOURCE
#include "prog.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <linux/amdgpudbg.h>

#include "child.h"
#include "events.h"
#include "regs2.h"
#include "truth.h"
#include "until.h"

#define NODE "/dev/amdgpudbg0"
#define DEBUGFS "/sys/kernel/debug/dri/0"

struct prog prog;
int dev = -1;

int open_session(void)
{
	int fd = open(NODE, O_RDWR | O_CLOEXEC | O_NONBLOCK);

	assert_true(fd >= 0);
	return fd;
}

static int set_target(int fd, int drm_fd, int pidfd, uint32_t *pasid)
{
	struct amdgpudbg_target_set target = {
		.size = sizeof(target),
		.drm_fd = drm_fd,
		.pidfd = pidfd,
	};

	if (ioctl(fd, AMDGPUDBG_IOC_TARGET_SET, &target))
		return -errno;
	if (pasid)
		*pasid = target.pasid;
	return 0;
}

int enable(int fd, uint64_t mask, uint32_t capacity)
{
	struct amdgpudbg_event_enable args = {
		.size = sizeof(args),
		.mask = mask,
		.capacity = capacity,
		.entry_size = mask ? sizeof(struct amdgpudbg_event) : 0,
	};

	return ioctl(fd, AMDGPUDBG_IOC_EVENT_ENABLE, &args) ? -errno : 0;
}

static int enable_causes(int fd, uint64_t mask, uint64_t causes)
{
	struct amdgpudbg_event_enable args = {
		.size = sizeof(args), .mask = mask, .cause_mask = causes,
		.entry_size = sizeof(struct amdgpudbg_event),
	};

	return ioctl(fd, AMDGPUDBG_IOC_EVENT_ENABLE, &args) ? -errno : 0;
}

/* A session whose target is this process */
int own_session(uint64_t mask, uint32_t capacity, uint32_t *pasid)
{
	int fd = open_session();

	assert_int_equal(set_target(fd, prog.gpu.fd, -1, pasid), 0);
	assert_int_equal(enable(fd, mask, capacity), 0);
	return fd;
}

short wait_event(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, DEADLINE_MS) == 1 ? p.revents : 0;
}

struct amdgpudbg_event next_event(int fd)
{
	struct amdgpudbg_event ev;

	assert_true(wait_event(fd) & POLLIN);
	assert_int_equal(read(fd, &ev, sizeof(ev)), sizeof(ev));
	assert_int_equal(ev.size, sizeof(ev));
	return ev;
}

int read_error(int fd)
{
	struct amdgpudbg_event ev;

	return read(fd, &ev, sizeof(ev)) < 0 ? -errno : 0;
}

void send_messages(uint32_t count)
{
	struct gpu_job job;

	prog_ctl(&prog)[3] = count;
	prog_ctl(&prog)[4] = 0;
	assert_int_equal(prog_submit(&prog, "message", &job), 0);
	assert_int_equal(gpu_wait(&prog.gpu, &job, AMDGPU_TIMEOUT_INFINITE), 0);
	gpu_job_free(&prog.gpu, &job);
}

/* The same by another process */
static void send_elsewhere(const char *count)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		execlp("compute", "compute", "-n", "64", "-m", count, "message",
		       NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static int set_up_group(void **state)
{
	(void)state;
	return prog_open(&prog, NULL, NULL, PROG_GROUP, 0);
}

static int take_down_group(void **state)
{
	(void)state;
	prog_close(&prog);
	return 0;
}

int take_down(void **state)
{
	(void)state;
	if (dev >= 0)
		close(dev);
	dev = -1;
	return 0;
}

/* ---------------------------------------------------------------- enabling */

static void enable_checks_its_arguments(void **state)
{
	struct amdgpudbg_event_enable args = {
		.size = sizeof(args), .flags = 1, .mask = OF_WAVES,
	};
	struct amdgpudbg_info info = { .size = sizeof(info) };
	static const uint32_t lengths[] = {
		0, AMDGPUDBG_EVENT_SIZE_V1 - 1, AMDGPUDBG_SIZE_MAX + 1, UINT32_MAX,
	};

	(void)state;
	dev = open_session();
	assert_int_equal(ioctl(dev, AMDGPUDBG_IOC_EVENT_ENABLE, &args), -1);
	assert_int_equal(errno, EOPNOTSUPP);
	/* No type has the number 0, and only those of the module's info are there. */
	assert_int_equal(ioctl(dev, AMDGPUDBG_IOC_GET_INFO, &info), 0);
	assert_true(info.event_mask & OF_WAVES && !(info.event_mask & 1));
	for (int type = 0; type < 64; type++)
		if (!(info.event_mask >> type & 1))
			assert_int_equal(enable(dev, OF_WAVES | 1ULL << type, 0),
					 -EOPNOTSUPP);
	assert_int_equal(enable(dev, info.event_mask, 0), 0);
	assert_int_equal(enable(dev, 0, 0), 0);
	assert_int_equal(enable_causes(dev, OF_WAVES, 1ULL << 63), -EOPNOTSUPP);
	assert_int_equal(enable_causes(dev, OF_WAVES, AMDGPUDBG_CAUSE_XNACK << 1), -EOPNOTSUPP);
	assert_int_equal(enable_causes(dev, 1ULL << AMDGPUDBG_EVENT_GPU_RESET,
				       AMDGPUDBG_CAUSE_WATCH), -EINVAL);
	assert_int_equal(enable(dev, OF_WAVES, 4097), -EINVAL);
	assert_int_equal(enable(dev, OF_WAVES, 0xffffffff), -EINVAL);
	assert_int_equal(enable(dev, 0, 1), -EINVAL);
	args.flags = 0;
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		args.entry_size = lengths[i];
		assert_int_equal(ioctl(dev, AMDGPUDBG_IOC_EVENT_ENABLE, &args), -1);
		assert_int_equal(errno, EINVAL);
	}
	/* None of it has enabled anything. */
	assert_int_equal(read_error(dev), -EINVAL);
	assert_int_equal(enable(dev, OF_WAVES, 1), 0);
	assert_int_equal(enable(dev, OF_WAVES, 4096), 0);
	assert_int_equal(enable(dev, OF_WAVES, 0), 0);
	assert_int_equal(read_error(dev), -EAGAIN);
}

static void no_event_is_sent_unless_enabled(void **state)
{
	struct pollfd p = { .events = POLLIN };

	(void)state;
	dev = open_session();
	assert_int_equal(set_target(dev, prog.gpu.fd, -1, NULL), 0);
	send_messages(1);
	p.fd = dev;
	assert_int_equal(poll(&p, 1, 0), 0);
	assert_int_equal(read_error(dev), -EINVAL);

	/* Enabled, then not any more: also what was not read is gone. */
	assert_int_equal(enable(dev, OF_WAVES, 0), 0);
	send_messages(1);
	assert_true(wait_event(dev) & POLLIN);
	assert_int_equal(enable(dev, 0, 0), 0);
	assert_int_equal(poll(&p, 1, 0), 0);
	assert_int_equal(read_error(dev), -EINVAL);

	/* No event was read yet, so the numbers begin at 1. */
	assert_int_equal(enable(dev, OF_WAVES, 0), 0);
	send_messages(1);
	assert_int_equal(next_event(dev).seq, 1);
}

/* In a child: an unprivileged user of a session that root has opened. */
static int as_user(void *arg)
{
	int fd = open_session();
	int status = 0;

	(void)arg;
	if (setgid(1000) || setuid(1000))
		return 1;
	if (enable(fd, OF_WAVES, 0) != -EPERM)
		status = 2;
	else if (read_error(fd) != -EINVAL)
		status = 3;
	else if (set_target(fd, prog.gpu.fd, -1, NULL))
		status = 4;
	else if (enable(fd, OF_WAVES, 0))
		status = 5;
	/* Without the target, the events are not those of the whole GPU. */
	else if (set_target(fd, -1, -1, NULL))
		status = 6;
	else if (enable(fd, OF_WAVES, 0) != -EPERM)
		status = 7;
	return status;
}

static void the_whole_gpu_needs_privilege(void **state)
{
	(void)state;
	assert_int_equal(child_run(as_user, NULL), 0);
}

/* ---------------------------------------------------------------- messages */

static void the_event_of_a_message_names_its_wave(void **state)
{
	struct amdgpudbg_info info = { .size = sizeof(info) };
	struct amdgpudbg_event ev[WAVES];
	uint64_t before = now_ns();
	uint32_t pasid;
	int i;

	(void)state;
	dev = own_session(OF_WAVES, 0, &pasid);
	assert_int_equal(ioctl(dev, AMDGPUDBG_IOC_GET_INFO, &info), 0);
	assert_int_equal(read_error(dev), -EAGAIN);
	send_messages(1);
	for (i = 0; i < WAVES; i++) {
		ev[i] = next_event(dev);
		assert_int_equal(ev[i].type, AMDGPUDBG_EVENT_WAVE);
		assert_int_equal(ev[i].seq, i + 1);
		assert_in_range(ev[i].time, before, now_ns());
		assert_true(ev[i].flags & AMDGPUDBG_EVENT_HAS_WAVE);
		assert_false(ev[i].flags & AMDGPUDBG_EVENT_IS_PRIV);
		assert_false(ev[i].flags & AMDGPUDBG_EVENT_IS_ERROR);
		assert_int_equal(ev[i].pasid, pasid);
		assert_in_range(ev[i].vmid, 1, info.num_vmid - 1);
		assert_int_equal(ev[i].data, 0);
		assert_int_equal(ev[i].cause, 0);
		assert_true(ev[i].at.se < info.num_se);
		assert_true(ev[i].at.sa < info.num_sa);
		assert_true(ev[i].at.wgp < info.num_wgp);
		assert_true(ev[i].at.simd < info.num_simd);
		assert_true(ev[i].at.wave < info.num_wave);
		before = ev[i].time;
	}
	/* Two waves of a group cannot be in one slot. */
	assert_memory_not_equal(&ev[0].at, &ev[1].at, sizeof(ev[0].at));
	assert_int_equal(read_error(dev), -EAGAIN);
}

static void events_have_the_data_of_the_message(void **state)
{
	uint32_t seen[3] = { 0 };
	int i;

	(void)state;
	dev = own_session(OF_WAVES, 0, NULL);
	send_messages(3);
	for (i = 0; i < 3 * WAVES; i++) {
		struct amdgpudbg_event ev = next_event(dev);

		assert_true(ev.data < 3);
		seen[ev.data]++;
	}
	for (i = 0; i < 3; i++)
		assert_int_equal(seen[i], WAVES);
}

static void events_are_filtered_by_type(void **state)
{
	int witness;

	(void)state;
	dev = own_session(1ULL << AMDGPUDBG_EVENT_GPU_RESET, 0, NULL);
	witness = own_session(OF_WAVES, 0, NULL);
	send_messages(1);
	/* By the time that this one has its events, the other would have. */
	next_event(witness);
	next_event(witness);
	close(witness);
	assert_int_equal(read_error(dev), -EAGAIN);
	assert_int_equal(enable(dev, 1ULL << AMDGPUDBG_EVENT_GPU_RESET |
				OF_WAVES, 0), 0);
	send_messages(1);
	assert_int_equal(next_event(dev).seq, 1);
	assert_int_equal(next_event(dev).seq, 2);
	assert_int_equal(read_error(dev), -EAGAIN);
}

/* What a wave sends by s_sendmsg has no cause that the module could know. */
static void an_unknown_cause_passes_every_mask(void **state)
{
	struct amdgpudbg_event ev;

	(void)state;
	dev = own_session(OF_WAVES, 0, NULL);
	assert_int_equal(enable_causes(dev, OF_WAVES, AMDGPUDBG_CAUSE_WATCH), 0);
	send_messages(1);
	for (int i = 0; i < WAVES; i++) {
		ev = next_event(dev);
		assert_int_equal(ev.type, AMDGPUDBG_EVENT_WAVE);
		assert_int_equal(ev.cause, 0);
	}
}

/* A wave halts itself: its state is in the event, and it can be resumed. */
static void a_stopped_wave_has_a_state(void **state)
{
	struct amdgpudbg_wave_control wc = {
		.size = sizeof(wc),
		.op = AMDGPUDBG_WAVEOP_RESUME,
		.mode = AMDGPUDBG_WAVEMODE_SINGLE,
	};
	struct gpu_job job;
	int i;

	(void)state;
	dev = own_session(OF_WAVES, 0, NULL);
	prog_ctl(&prog)[3] = 1;
	prog_ctl(&prog)[4] = 1;
	assert_int_equal(prog_submit(&prog, "message", &job), 0);
	for (i = 0; i < WAVES; i++) {
		struct amdgpudbg_event ev = next_event(dev);

		assert_int_equal(ev.type, AMDGPUDBG_EVENT_WAVE);
		assert_true(ev.flags & AMDGPUDBG_EVENT_HAS_STATE);
		/* It stands in the program's code. */
		assert_in_range(ev.pc, prog.buf[PROG_CODE].va,
				prog.buf[PROG_CODE].va + prog.co.size - 1);
		wc.vmid = ev.vmid;
		wc.at = ev.at;
		assert_int_equal(ioctl(dev, AMDGPUDBG_IOC_WAVE_CONTROL, &wc),
				 0);
		assert_int_equal(wc.changed, 1);
	}
	assert_int_equal(gpu_wait(&prog.gpu, &job, DEADLINE_MS * 1000000ull),
			 0);
	gpu_job_free(&prog.gpu, &job);
}

/* ------------------------------------------------------------------- power */

static bool may_be_powered_off(void *unused)
{
	(void)unused;
	return regs2_gfxoff_allowed(DEBUGFS) == 1;
}

/* Messages without end, from a thread of their own */
struct flood {
	pthread_t thread;
	bool stop;
	int error;
};

static void *send_on(void *arg)
{
	struct flood *f = arg;
	struct gpu_job job;

	prog_ctl(&prog)[3] = 100;
	prog_ctl(&prog)[4] = 0;
	while (!f->error && !__atomic_load_n(&f->stop, __ATOMIC_RELAXED)) {
		f->error = prog_submit(&prog, "message", &job);
		if (f->error)
			break;
		f->error = gpu_wait(&prog.gpu, &job, AMDGPU_TIMEOUT_INFINITE);
		gpu_job_free(&prog.gpu, &job);
	}
	return NULL;
}

/*
 * Messages keep arriving while a session that enabled them closes: the GPU that it
 * kept powered may sleep afterwards.
 */
static void closing_in_a_flood_leaves_no_power_hold(void **state)
{
	struct flood flood = { .stop = false };
	int fd, i;

	(void)state;
	if (!truth_uses_gfxoff())
		skip();
	assert_true(until(may_be_powered_off, NULL, 60));
	assert_int_equal(pthread_create(&flood.thread, NULL, send_on, &flood),
			 0);
	for (i = 0; i < 40; i++) {
		fd = own_session(OF_WAVES, 4096, NULL);
		next_event(fd);
		close(fd);
	}
	__atomic_store_n(&flood.stop, true, __ATOMIC_RELAXED);
	assert_int_equal(pthread_join(flood.thread, NULL), 0);
	assert_int_equal(flood.error, 0);
	assert_true(until(may_be_powered_off, NULL, 60));
}

/* ------------------------------------------------------------------- scope */

static void events_of_other_processes_are_not_sent(void **state)
{
	uint32_t pasid, other = 0;
	int whole, i;

	(void)state;
	dev = own_session(OF_WAVES, 0, &pasid);
	whole = open_session();
	assert_int_equal(enable(whole, OF_WAVES, 0), 0);
	send_elsewhere("3");
	/* The session of the whole GPU gets events later than the other would. */
	for (i = 0; i < 3 * WAVES; i++) {
		struct amdgpudbg_event ev = next_event(whole);

		assert_int_not_equal(ev.pasid, 0);
		assert_int_not_equal(ev.pasid, pasid);
		other = ev.pasid;
	}
	assert_int_equal(read_error(dev), -EAGAIN);
	send_messages(1);
	for (i = 0; i < WAVES; i++) {
		assert_int_equal(next_event(dev).pasid, pasid);
		assert_int_equal(next_event(whole).pasid, pasid);
	}
	assert_int_not_equal(other, pasid);
	close(whole);
}

/* Read until @total events are accounted for, of which some may be lost. */
static void pass_over(int fd, uint64_t total)
{
	struct amdgpudbg_event ev;

	while (total) {
		ev = next_event(fd);
		total -= ev.type == AMDGPUDBG_EVENT_LOST ? ev.data : 1;
	}
}

/*
 * A flood of another process must not cost this one its events. It is over when the session of the
 * whole GPU has all: until then the module may have no room for others.
 */
static void losses_of_other_sessions_are_not_reported(void **state)
{
	uint32_t pasid;
	int whole;

	(void)state;
	dev = own_session(OF_WAVES, 4, &pasid);
	whole = open_session();
	assert_int_equal(enable(whole, OF_WAVES, 0), 0);
	send_elsewhere("2000");
	pass_over(whole, 2000 * WAVES);
	close(whole);
	send_messages(1);
	assert_int_equal(next_event(dev).seq, 1);
	assert_int_equal(next_event(dev).seq, 2);
	assert_int_equal(read_error(dev), -EAGAIN);
}

static void events_of_a_former_target_are_not_reported(void **state)
{
	uint32_t pasid;
	int whole;

	(void)state;
	dev = own_session(OF_WAVES, 0, &pasid);
	assert_int_equal(set_target(dev, -1, -1, NULL), 0);
	whole = open_session();
	assert_int_equal(enable(whole, OF_WAVES, 0), 0);
	send_messages(1);
	next_event(whole);
	next_event(whole);
	assert_int_equal(read_error(dev), -EAGAIN);
	/* Asked for, and allowed: */
	assert_int_equal(enable(dev, OF_WAVES, 0), 0);
	send_messages(1);
	assert_int_equal(next_event(dev).seq, 1);
	close(whole);
}

/* In a child: the device that was inherited is the parent's. */
static int open_own_gpu(void *arg)
{
	int theirs = open("/dev/dri/renderD128", O_RDWR);

	(void)arg;
	return theirs < 0 || dup2(theirs, 100) != 100;
}

/* A process with the GPU open, and its end of the conversation */
static pid_t start_child(int *drm_fd, int *pidfd)
{
	pid_t pid = child_hold(open_own_gpu, NULL);

	assert_true(pid > 0);
	*pidfd = syscall(SYS_pidfd_open, pid, 0);
	assert_true(*pidfd >= 0);
	*drm_fd = syscall(SYS_pidfd_getfd, *pidfd, 100, 0);
	assert_true(*drm_fd >= 0);
	return pid;
}

static void the_exit_of_the_target_is_the_last_event(void **state)
{
	struct amdgpudbg_event ev;
	struct pollfd p = { .events = POLLIN };
	int drm_fd, pidfd;
	pid_t pid;

	(void)state;
	pid = start_child(&drm_fd, &pidfd);
	dev = open_session();
	assert_int_equal(set_target(dev, drm_fd, pidfd, NULL), 0);
	close(drm_fd);
	close(pidfd);
	assert_int_equal(enable(dev, 1ULL << AMDGPUDBG_EVENT_GPU_RESET, 1), 0);
	assert_int_equal(read_error(dev), -EAGAIN);
	assert_int_equal(child_kill(pid), 0);

	assert_int_equal(wait_event(dev), POLLIN | POLLHUP);
	ev = next_event(dev);
	assert_int_equal(ev.type, AMDGPUDBG_EVENT_TARGET_GONE);
	assert_int_equal(ev.seq, 1);
	assert_int_equal(read_error(dev), -ENOTCONN);
	p.fd = dev;
	assert_int_equal(poll(&p, 1, 0), 1);
	assert_int_equal(p.revents, POLLHUP);
	assert_int_equal(enable(dev, OF_WAVES, 0), -ENOTCONN);

	/* Another target is another beginning. */
	assert_int_equal(set_target(dev, prog.gpu.fd, -1, NULL), 0);
	assert_int_equal(enable(dev, OF_WAVES, 0), 0);
	assert_int_equal(read_error(dev), -EAGAIN);
	send_messages(1);
	assert_int_equal(next_event(dev).seq, 2);
}

/*
 * "events wait": read events, blocking, until there are none any more. Succeeds
 * if the last one said that the GPU is gone.
 */
static int wait_for_the_end(void)
{
	struct amdgpudbg_event ev = { .type = AMDGPUDBG_EVENT_LOST };
	int fd = open(NODE, O_RDWR | O_CLOEXEC);

	if (fd < 0 || enable(fd, OF_WAVES, 0))
		return 1;
	printf("waiting\n");
	fflush(stdout);
	while (read(fd, &ev, sizeof(ev)) == sizeof(ev))
		;
	return errno != ENODEV || ev.type != AMDGPUDBG_EVENT_GPU_GONE;
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_teardown(name, take_down)
	const struct CMUnitTest tests[] = {
		TEST(enable_checks_its_arguments),
		TEST(no_event_is_sent_unless_enabled),
		TEST(the_whole_gpu_needs_privilege),
		TEST(the_event_of_a_message_names_its_wave),
		TEST(events_have_the_data_of_the_message),
		TEST(events_are_filtered_by_type),
		TEST(an_unknown_cause_passes_every_mask),
		TEST(code_that_comes_and_goes_is_noticed_each_time),
		TEST(changes_that_are_not_read_are_one_event_or_two),
		TEST(only_the_targets_mappings_are_reported),
		TEST(a_stopped_wave_has_a_state),
		TEST(reading_into_a_small_buffer_is_emsgsize),
		TEST(a_large_buffer_takes_several_events),
		TEST(a_fault_keeps_the_event),
		TEST(two_readers_get_each_event_once),
		TEST(a_number_is_given_once),
		TEST(poll_returns_when_an_event_arrives),
		TEST(a_signal_ends_a_blocking_read),
		TEST(lost_events_are_reported),
		TEST(a_queue_of_one_event_works),
		TEST(a_flood_of_events_is_counted),
		TEST(a_smaller_queue_keeps_the_oldest),
		TEST(closing_in_a_flood_leaves_no_power_hold),
		TEST(events_of_other_processes_are_not_sent),
		TEST(losses_of_other_sessions_are_not_reported),
		TEST(events_of_a_former_target_are_not_reported),
		TEST(the_exit_of_the_target_is_the_last_event),
	};

	if (argc > 1 && !strcmp(argv[1], "wait"))
		return wait_for_the_end();
	return cmocka_run_group_tests(tests, set_up_group, take_down_group);
}

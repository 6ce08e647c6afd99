// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * AMDGPUDBG_TARGET_SET_TAKE_FD: the descriptor of the target is removed from the caller's
 * table, without amdgpu_flush(), which close(2) calls. This process is its own target.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include <amdgpudbg.h>

#include "self.h"
#include "until.h"

#define NODE "/dev/amdgpudbg0"
#define TRACING "/sys/kernel/tracing/"
#define PROBE "target_flush"
#define EVENT TRACING "events/kprobes/" PROBE "/"

static struct self self;

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

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

static int duplicate(void)
{
	int fd = fcntl(self.prog.gpu.fd, F_DUPFD_CLOEXEC, 100);

	assert_true(fd >= 0);
	return fd;
}

static int open_session(void)
{
	int session = open(NODE, O_RDWR | O_CLOEXEC);

	assert_true(session >= 0);
	return session;
}

static int set(int session, int drm_fd, uint32_t flags, int pidfd)
{
	struct amdgpudbg_target_set args = {
		.size = sizeof(args), .flags = flags, .drm_fd = drm_fd, .pidfd = pidfd,
	};

	return self_call(session, AMDGPUDBG_IOC_TARGET_SET, &args);
}

static int take(int session, int drm_fd)
{
	return set(session, drm_fd, AMDGPUDBG_TARGET_SET_TAKE_FD, -1);
}

/* ---------------------------------------------------------------------- flush */

/* By a probe: a filter of the function tracer looks up the name of each function, for long. */
static void trace_begin(void)
{
	char filter[40];

	snprintf(filter, sizeof(filter), "common_pid == %d", getpid());
	assert_int_equal(write_file(TRACING "kprobe_events", "p:" PROBE " amdgpu_flush"), 0);
	assert_int_equal(write_file(EVENT "filter", filter), 0);
	assert_int_equal(write_file(EVENT "enable", "1"), 0);
}

/* How often has this process entered amdgpu_flush() since the last call? */
static unsigned int trace_flushes(void)
{
	FILE *f = fopen(TRACING "trace", "r");
	unsigned int n = 0;
	char line[512];

	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		n += line[0] != '#' && strstr(line, " " PROBE ": (amdgpu_flush");
	fclose(f);
	fclose(fopen(TRACING "trace", "w"));
	return n;
}

static int trace_end(void **state)
{
	(void)state;
	write_file(EVENT "enable", "0");
	write_file(TRACING "kprobe_events", "-:" PROBE);
	return 0;
}

static bool has_waves(int session)
{
	struct amdgpudbg_wave list[SELF_WAVES];

	return self_list(session, list) == SELF_WAVES;
}

/* By close(2), in which the probe sees it, and without. */
static void a_descriptor_is_taken_without_a_flush(void **state)
{
	struct adbg_session *by_library;
	int session, fd;

	(void)state;
	/* The kernel of check-debug has no probes. */
	if (access(TRACING "kprobe_events", F_OK))
		skip();
	assert_int_equal(self_start(&self, "touch_read", 0), 0);
	assert_int_equal(self_wait_done(&self), 0);
	trace_begin();

	session = open_session();
	fd = duplicate();
	trace_flushes();
	assert_int_equal(set(session, fd, 0, -1), 0);
	assert_true(is_open(fd));
	close(fd);
	close(session);
	assert_int_equal(trace_flushes(), 1);

	session = open_session();
	fd = duplicate();
	assert_int_equal(take(session, fd), 0);
	assert_false(is_open(fd));
	assert_true(is_open(self.prog.gpu.fd));
	assert_true(has_waves(session));
	close(session);
	assert_int_equal(trace_flushes(), 0);

	assert_int_equal(adbg_open(NULL, &by_library), 0);
	assert_int_equal(adbg_target_attach(by_library, getpid(), 0, NULL), 0);
	assert_true(has_waves(adbg_session_get_fd(by_library)));
	adbg_session_close(by_library);
	assert_int_equal(trace_flushes(), 0);
	assert_int_equal(self_finish(&self), 0);
}

/* --------------------------------------------------------------------- errors */

/* The structure can be read, and not written. */
static int take_to_read_only(int session, int drm_fd)
{
	struct amdgpudbg_target_set *args;
	int ret;

	args = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(args != MAP_FAILED);
	*args = (struct amdgpudbg_target_set){
		.size = sizeof(*args), .flags = AMDGPUDBG_TARGET_SET_TAKE_FD,
		.drm_fd = drm_fd, .pidfd = -1,
	};
	assert_int_equal(mprotect(args, 4096, PROT_READ), 0);
	ret = self_call(session, AMDGPUDBG_IOC_TARGET_SET, args);
	munmap(args, 4096);
	return ret;
}

/* Of one more duplicate, for each error */
static void after_an_error_the_descriptor_is_taken_too(void **state)
{
	struct amdgpudbg_target_set args = {
		.size = sizeof(args), .flags = AMDGPUDBG_TARGET_SET_TAKE_FD,
		.__reserved = 1,
	};
	int session = open_session(), fd, ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(take(session, ends[0]), -ENOTTY);
	assert_false(is_open(ends[0]));
	fd = duplicate();
	assert_int_equal(set(session, fd, AMDGPUDBG_TARGET_SET_TAKE_FD, ends[1]), -EINVAL);
	assert_false(is_open(fd));
	fd = duplicate();
	assert_int_equal(set(session, fd, AMDGPUDBG_TARGET_SET_TAKE_FD, 900), -EBADF);
	assert_false(is_open(fd));
	fd = duplicate();
	assert_int_equal(set(session, fd, ~0u, -1), -EOPNOTSUPP);
	assert_false(is_open(fd));
	fd = duplicate();
	args.drm_fd = fd;
	args.pidfd = -1;
	assert_int_equal(self_call(session, AMDGPUDBG_IOC_TARGET_SET, &args), -EINVAL);
	assert_false(is_open(fd));
	fd = duplicate();
	assert_int_equal(take_to_read_only(session, fd), -EFAULT);
	assert_false(is_open(fd));
	assert_int_equal(take(session, 900), -EBADF);
	fd = duplicate();
	assert_int_equal(take(session, self.prog.gpu.fd), 0);
	assert_false(is_open(self.prog.gpu.fd));
	assert_int_equal(dup3(fd, self.prog.gpu.fd, O_CLOEXEC), self.prog.gpu.fd);
	/* A session has one target. */
	args = (struct amdgpudbg_target_set){
		.size = sizeof(args), .flags = AMDGPUDBG_TARGET_SET_TAKE_FD,
		.drm_fd = fd, .pidfd = -1,
	};
	assert_int_equal(self_call(session, AMDGPUDBG_IOC_TARGET_SET, &args), -EBUSY);
	assert_int_equal(args.busy, AMDGPUDBG_BUSY_TARGET);
	assert_false(is_open(fd));
	/* What the module could not read, it does not act upon. */
	fd = duplicate();
	args = (struct amdgpudbg_target_set){
		.size = AMDGPUDBG_TARGET_SET_SIZE_V1 - 8, .drm_fd = fd, .pidfd = -1,
		.flags = AMDGPUDBG_TARGET_SET_TAKE_FD,
	};
	assert_int_equal(self_call(session, AMDGPUDBG_IOC_TARGET_SET, &args), -EINVAL);
	assert_true(is_open(fd));
	close(ends[1]);
	close(fd);
	close(session);
}

/* -------------------------------------------------------------------- answers */

/* gmc_v10_0_sw_init() and gfx_v10_0_constants_init(), Linux 6.1 to 7.2 */
#define LDS_APERTURE		0x2000000000000000
#define SCRATCH_APERTURE	0x1000000000000000

static void a_graphics_target_is_reported(void **state)
{
	struct amdgpudbg_target_set args = {
		.size = sizeof(args), .drm_fd = self.prog.gpu.fd, .pidfd = -1,
		.busy = 0xaaaaaaaa,
	};
	int session = open_session();

	(void)state;
	assert_int_equal(self_call(session, AMDGPUDBG_IOC_TARGET_SET, &args), 0);
	assert_true(args.pasid);
	assert_int_equal(args.xcc_mask, 1);
	/* Only amdkfd limits for how long waves may be halted. */
	assert_int_equal(args.halt_limit_ms, 0);
	assert_true(args.lds_aperture == LDS_APERTURE);
	assert_true(args.scratch_aperture == SCRATCH_APERTURE);
	assert_int_equal(args.busy, AMDGPUDBG_BUSY_NONE);
	close(session);
}

static struct amdgpudbg_capability ask(int session, uint32_t id)
{
	struct amdgpudbg_capability cap = { .size = sizeof(cap), .id = id };

	assert_int_equal(self_call(session, AMDGPUDBG_IOC_GET_CAPABILITY, &cap), 0);
	return cap;
}

/* Others are decided by a function that tests/unit/kernel/test_caps.c has all of. */
static void a_graphics_target_has_the_capabilities_of_the_gpu(void **state)
{
	int whole = open_session(), session = open_session();
	struct amdgpudbg_info info = { .size = sizeof(info) };

	(void)state;
	assert_int_equal(set(session, self.prog.gpu.fd, 0, -1), 0);
	assert_int_equal(self_call(whole, AMDGPUDBG_IOC_GET_INFO, &info), 0);
	for (uint32_t id = 0; id < info.num_capabilities; id++) {
		struct amdgpudbg_capability a = ask(whole, id), b = ask(session, id);

		assert_memory_equal(&a, &b, sizeof(a));
	}
	close(session);
	close(whole);
}

/* ---------------------------------------------------------------------- locks */

static bool is_locked(void)
{
	FILE *f = fopen("/proc/locks", "r");
	char line[256], kind[16], mode[16], access[16];
	bool found = false;
	int pid;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%*s %15s %15s %15s %d", kind, mode, access, &pid) == 4)
			found |= !strcmp(kind, "POSIX") && pid == getpid();
	}
	fclose(f);
	return found;
}

/* As close(2), which drops the locks of the process on a file with any descriptor of it. */
static void file_locks_end_with_the_descriptor(void **state)
{
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET, .l_len = 1 };
	int session = open_session(), fd = duplicate();

	(void)state;
	assert_int_equal(fcntl(fd, F_SETLK, &lock), 0);
	assert_true(is_locked());
	assert_int_equal(take(session, fd), 0);
	assert_false(is_locked());
	close(session);
}

/* ------------------------------------------------------------- another thread */

/* A number that another thread gives to another file during the call */
struct replacer {
	pthread_barrier_t begin;
	int number, with;
	int64_t delay_ns;
	int ret;
};

static void *replace(void *arg)
{
	struct replacer *r = arg;
	int64_t until;

	pthread_barrier_wait(&r->begin);
	until = now_ns() + r->delay_ns;
	while (now_ns() < until)
		;
	/* EBUSY, as while a file is being opened under that number: dup(2) */
	do {
		r->ret = dup2(r->with, r->number) < 0 ? -errno : 0;
	} while (r->ret == -EBUSY);
	return NULL;
}

/* One call, which another thread disturbs after so long; how long the call took */
static int64_t take_while_replaced(int with, int64_t delay_ns)
{
	struct replacer r = { .number = duplicate(), .with = with, .delay_ns = delay_ns };
	int session = open_session(), ret;
	struct stat seen, wanted;
	pthread_t thread;
	int64_t took;

	assert_int_equal(pthread_barrier_init(&r.begin, NULL, 2), 0);
	assert_int_equal(pthread_create(&thread, NULL, replace, &r), 0);
	pthread_barrier_wait(&r.begin);
	took = now_ns();
	ret = take(session, r.number);
	took = now_ns() - took;
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(r.ret, 0);
	if (ret == -ENOTTY) {
		/* It was replaced before it was looked up: then that file was taken. */
		assert_false(is_open(r.number));
	} else {
		/* At any time after that */
		assert_int_equal(ret, 0);
		assert_int_equal(fstat(r.number, &seen), 0);
		assert_int_equal(fstat(with, &wanted), 0);
		assert_true(seen.st_dev == wanted.st_dev && seen.st_ino == wanted.st_ino);
		close(r.number);
	}
	close(session);
	pthread_barrier_destroy(&r.begin);
	return took;
}

/* Whenever that happens, what the other thread has put there stays. */
static void a_descriptor_number_reused_for_another_file_stays_open(void **state)
{
	unsigned int rounds = long_or_short(2000, 100);
	int64_t usual = 0, took;
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	for (unsigned int i = 0; i < rounds; i++) {
		took = take_while_replaced(ends[0], usual * (i % 50) / 40);
		if (!usual || took < usual)
			usual = took;
	}
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_descriptor_is_taken_without_a_flush, trace_end),
		cmocka_unit_test(after_an_error_the_descriptor_is_taken_too),
		cmocka_unit_test(a_graphics_target_is_reported),
		cmocka_unit_test(a_graphics_target_has_the_capabilities_of_the_gpu),
		cmocka_unit_test(file_locks_end_with_the_descriptor),
		cmocka_unit_test(a_descriptor_number_reused_for_another_file_stays_open),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Callers of the module that compete for the GPU's lock: each gets its turn, whatever the others
 * do, and no wave stays halted without being counted. The tests compare numbers of turns, from
 * trace events; times are only printed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "people.h"
#include "self.h"
#include "truth.h"
#include "until.h"

#define HALT_SECONDS "/sys/module/amdgpudbg/parameters/halt_seconds"
#define TRACING "/sys/kernel/tracing/"
#define TURN TRACING "events/amdgpudbg/amdgpudbg_turn/"
/*
 * After the thread that has the GPU, one of each other user, the module itself, which
 * counts as a user, and several kinds of its urgent work may come before a call.
 */
#define MAX_PASSED 6
#define CROWD 120
#define BATCHES 8
/* Calls whose turns are counted */
#define ROUNDS 4

static struct self self;
static struct amdgpudbg_wave waves[SELF_WAVES];

static void write_as_root(const char *path, const char *text)
{
	be(ROOT, true);
	assert_int_equal(write_file(path, text), 0);
}

static unsigned int really_halted(uint32_t vmid)
{
	struct truth t;

	be(ROOT, true);
	t = truth_of(vmid);
	be(USER, true);
	return truth_halted(&t);
}

static void start_waves(void)
{
	assert_int_equal(self_open(&self), 0);
	assert_int_equal(self_start(&self, "touch_read", 0), 0);
	assert_int_equal(self_wait_done(&self), 0);
}

static void end_waves(void)
{
	assert_int_equal(self_finish(&self), 0);
	self_close(&self);
}

/* ---------------------------------------------------- what snapshots leave */

static int snapshot(int fd)
{
	struct amdgpudbg_wave_list list = {
		.size = sizeof(list),
		.entry_size = sizeof(waves[0]),
		.capacity = SELF_WAVES,
		.waves = (uintptr_t)waves,
	};

	return self_call(fd, AMDGPUDBG_IOC_WAVE_SNAPSHOT, &list);
}

/*
 * A snapshot whose waves stay halted, as those do that halt themselves again whenever
 * they are resumed. Within @seconds, they are resumed, and the session gets an event.
 */
static void halted_by_snapshot(const char *seconds)
{
	struct amdgpudbg_event_enable enable = {
		.size = sizeof(enable), .mask = 1ULL << AMDGPUDBG_EVENT_HALT_EXPIRED,
		.entry_size = sizeof(struct amdgpudbg_event),
	};
	struct amdgpudbg_event ev;
	struct pollfd p = { .events = POLLIN };

	write_as_root(HALT_SECONDS, seconds);
	be(USER, true);
	start_waves();
	p.fd = self_session(&self, true);
	assert_true(p.fd >= 0);
	assert_int_equal(self_call(p.fd, AMDGPUDBG_IOC_EVENT_ENABLE, &enable),
			 0);
	be(ROOT, true);
	vgpu_fault("ignore-resume", 1000000);
	be(USER, true);
	assert_int_equal(snapshot(p.fd), -ETIMEDOUT);
	be(ROOT, true);
	vgpu_fault("ignore-resume", 0);
	be(USER, true);
	assert_int_equal(poll(&p, 1, (deadline_ns(60) - now_ns()) / 1000000),
			 1);
	assert_int_equal(read(p.fd, &ev, sizeof(ev)), sizeof(ev));
	assert_int_equal(ev.type, AMDGPUDBG_EVENT_HALT_EXPIRED);
	assert_int_equal(really_halted(waves[0].vmid), 0);
	end_waves();
	close(p.fd);
}

static void what_a_snapshot_cannot_resume_counts_as_halted(void **state)
{
	(void)state;
	halted_by_snapshot("1");
}

static void a_snapshot_leaves_no_wave_halted_where_users_may_not_halt(void **state)
{
	(void)state;
	halted_by_snapshot("0");
}

/* -------------------------------------------------------------- the others */

/**
 * struct crowd - a process of USER with many threads that make calls all the time
 * @pid: the process
 * @threads: how many have made their first call
 * @calls: how many calls all of them have made
 * @tid: of the last thread
 * @stop: all of them are to end
 */
struct crowd {
	pid_t pid;
	atomic_uint threads;
	atomic_uint calls;
	atomic_int tid;
	atomic_bool stop;
};

static struct crowd *crowd;
static int the_session;

static void made_call(unsigned int *calls)
{
	if (!(*calls)++)
		atomic_fetch_add(&crowd->threads, 1);
	atomic_fetch_add(&crowd->calls, 1);
}

static void *list_for_ever(void *unused)
{
	struct amdgpudbg_wave mine[SELF_WAVES];
	unsigned int calls = 0;

	(void)unused;
	while (!atomic_load(&crowd->stop)) {
		if (self_list(the_session, mine) != SELF_WAVES)
			abort();
		made_call(&calls);
	}
	return NULL;
}

static void *batch_for_ever(void *unused)
{
	struct amdgpudbg_batch_op *ops;
	struct amdgpudbg_wave_batch batch = {
		.size = sizeof(batch),
		.flags = AMDGPUDBG_WAVE_BATCH_CONTINUE,
		.entry_size = sizeof(*ops),
		.count = AMDGPUDBG_WAVE_BATCH_MAX,
	};
	int fd = self_session(&self, true);
	unsigned int i, calls = 0;

	(void)unused;
	ops = calloc(batch.count, sizeof(*ops));
	batch.ops = (uintptr_t)ops;
	atomic_store(&crowd->tid, gettid());
	while (!atomic_load(&crowd->stop)) {
		for (i = 0; i < batch.count; i++)
			ops[i].control = (struct amdgpudbg_wave_control){
				.size = sizeof(ops[i].control),
				.op = AMDGPUDBG_WAVEOP_DEBUG,
				.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
			};
		if (self_call(fd, AMDGPUDBG_IOC_WAVE_BATCH, &batch))
			abort();
		made_call(&calls);
	}
	free(ops);
	close(fd);
	return NULL;
}

/* Its waves end before it does: the driver would wait for them. */
static void be_crowd(void *(*fn)(void *unused), unsigned int num)
{
	pthread_t threads[CROWD];
	unsigned int i;

	be(USER, true);
	start_waves();
	the_session = self_session(&self, true);
	for (i = 0; i < num; i++)
		if (pthread_create(&threads[i], NULL, fn, NULL))
			abort();
	for (i = 0; i < num; i++)
		pthread_join(threads[i], NULL);
	end_waves();
	_exit(0);
}

static bool is_complete(void *num)
{
	return atomic_load(&crowd->threads) == *(unsigned int *)num;
}

static void start_crowd(void *(*fn)(void *unused), unsigned int num)
{
	pid_t pid;

	crowd = mmap(NULL, sizeof(*crowd), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(crowd, MAP_FAILED);
	be(ROOT, true);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid)
		be_crowd(fn, num);
	crowd->pid = pid;
	assert_true(until(is_complete, &num, 120));
}

static void end_crowd(void)
{
	int status;

	if (!crowd)
		return;
	be(ROOT, true);
	atomic_store(&crowd->stop, true);
	assert_int_equal(waitpid(crowd->pid, &status, 0), crowd->pid);
	munmap(crowd, sizeof(*crowd));
	crowd = NULL;
	assert_int_equal(status, 0);
}

/* --------------------------------------------------------------- the trace */

/**
 * struct turns - what the trace shows
 * @mine: how many turns at the GPU a thread had
 * @passed: how many others have had theirs while it waited, at most
 * @urgent: how many turns the module's urgent work had
 * @urgent_passed: the same of that
 */
struct turns {
	unsigned int mine, urgent;
	unsigned long long passed, urgent_passed;
};

/* The turns of thread @tid, and of urgent work: those of all would be too many. */
static void begin_trace(pid_t tid)
{
	char filter[64];

	snprintf(filter, sizeof(filter), "urgent == 1 || common_pid == %d",
		 tid);
	write_as_root(TRACING "trace", "");
	/* A module that has no such event fails when the turns are counted. */
	if (write_file(TURN "filter", filter) ||
	    write_file(TURN "enable", "1"))
		printf("# the module has no event amdgpudbg_turn\n");
}

/* "COMM-PID  [CPU] FLAGS  TIME: amdgpudbg_turn: urgent=0 passed=3" */
static void read_line(const char *line, pid_t tid, struct turns *t)
{
	const char *event = strstr(line, "amdgpudbg_turn: ");
	const char *cpu = strstr(line, " [");
	unsigned long long passed;
	unsigned int urgent;
	int num;

	if (!event || !cpu || *line == '#')
		return;
	num = sscanf(event, "amdgpudbg_turn: urgent=%u passed=%llu", &urgent, &passed);
	assert_int_equal(num, 2);
	if (urgent) {
		t->urgent++;
		if (passed > t->urgent_passed)
			t->urgent_passed = passed;
	}
	while (cpu > line && *cpu != '-')
		cpu--;
	if (atoi(cpu + 1) != tid)
		return;
	t->mine++;
	if (passed > t->passed)
		t->passed = passed;
}

static struct turns read_trace(pid_t tid)
{
	struct turns t = { 0 };
	char line[256];
	FILE *f;

	be(ROOT, true);
	f = fopen(TRACING "trace", "re");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		read_line(line, tid, &t);
	fclose(f);
	return t;
}

static struct turns end_trace(pid_t tid)
{
	be(ROOT, true);
	assert_int_equal(write_file(TURN "enable", "0"), 0);
	return read_trace(tid);
}

/* -------------------------------------------------------------- their turns */

static int roots_session(void)
{
	int fd;

	be(ROOT, true);
	fd = self_session(&self, false);
	assert_true(fd >= 0);
	return fd;
}

static void print_time(const char *what, int64_t worst)
{
	printf("# %s: %lld ms at worst\n", what, (long long)worst / 1000000);
}

static void a_call_of_root_passes_120_threads_of_a_user(void **state)
{
	struct amdgpudbg_info info = { .size = sizeof(info) };
	int64_t begin, worst = 0;
	struct turns t;
	int i, fd;

	(void)state;
	fd = roots_session();
	start_crowd(list_for_ever, CROWD);
	begin_trace(getpid());
	for (i = 0; i < ROUNDS; i++) {
		begin = now_ns();
		assert_int_equal(self_call(fd, AMDGPUDBG_IOC_GET_INFO, &info),
				 0);
		if (now_ns() - begin > worst)
			worst = now_ns() - begin;
	}
	print_time("GET_INFO of root", worst);
	t = end_trace(getpid());
	assert_int_equal(t.mine, ROUNDS);
	assert_in_range(t.passed, 0, MAX_PASSED);
	end_crowd();
	close(fd);
}

/* The module looks for resets as long as there are sessions. */
static bool urgent_work_is_done(void *unused)
{
	(void)unused;
	return read_trace(0).urgent >= 5;
}

static void urgent_work_comes_before_all_callers(void **state)
{
	struct turns t;

	(void)state;
	start_crowd(list_for_ever, CROWD);
	begin_trace(0);
	assert_true(until(urgent_work_is_done, NULL, 60));
	t = end_trace(0);
	/* The one that has the lock, and urgent work that came before. */
	assert_in_range(t.urgent_passed, 0, 3);
	end_crowd();
}

static void a_list_passes_eight_long_batches_of_another_user(void **state)
{
	int64_t begin, worst = 0;
	struct turns t;
	int i, fd;

	(void)state;
	start_crowd(batch_for_ever, BATCHES);
	be(OTHER, true);
	start_waves();
	fd = self_session(&self, true);
	begin_trace(getpid());
	be(OTHER, true);
	for (i = 0; i < ROUNDS; i++) {
		begin = now_ns();
		assert_int_equal(self_list(fd, waves), SELF_WAVES);
		if (now_ns() - begin > worst)
			worst = now_ns() - begin;
	}
	print_time("list of another user", worst);
	t = end_trace(getpid());
	assert_in_range(t.mine, ROUNDS, 20 * ROUNDS);
	assert_in_range(t.passed, 0, MAX_PASSED);
	end_crowd();
	be(OTHER, true);
	end_waves();
	close(fd);
}

/* A batch takes a second: in that, others have many turns. */
static void a_long_batch_lets_others_come_in_between(void **state)
{
	struct amdgpudbg_info info = { .size = sizeof(info) };
	unsigned int calls;
	struct turns t;
	int fd;

	(void)state;
	fd = roots_session();
	start_crowd(batch_for_ever, 1);
	begin_trace(atomic_load(&crowd->tid));
	calls = atomic_load(&crowd->calls);
	while (atomic_load(&crowd->calls) - calls < 3)
		assert_int_equal(self_call(fd, AMDGPUDBG_IOC_GET_INFO, &info),
				 0);
	calls = atomic_load(&crowd->calls) - calls;
	t = end_trace(atomic_load(&crowd->tid));
	printf("# %u batches had %u turns\n", calls, t.mine);
	assert_in_range(t.mine, 2 * calls, 1000 * calls);
	end_crowd();
	close(fd);
}

/* ------------------------------------------------------------------ probes */

#define PROBES TRACING "kprobe_events"
#define REGISTER TRACING "events/kprobes/turns_register/enable"
#define CYCLES 20

static unsigned int count_lines(const char *path, const char *what)
{
	unsigned int n = 0;
	char line[256];
	FILE *f = fopen(path, "re");

	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		n += *line != '#' && strstr(line, what);
	fclose(f);
	return n;
}

static void events_of_jobs_wanted_again_and_again_need_one_probe(void **state)
{
	struct amdgpudbg_event_enable on = {
		.size = sizeof(on), .mask = 1ULL << AMDGPUDBG_EVENT_JOB_BEGIN,
		.entry_size = sizeof(struct amdgpudbg_event),
	};
	struct amdgpudbg_event_enable off = { .size = sizeof(off) };
	int i, fd;

	(void)state;
	be(ROOT, true);
	if (access(PROBES, W_OK))
		skip();
	fd = roots_session();
	write_as_root(TRACING "trace", "");
	write_as_root(PROBES, "p:turns_register tracepoint_probe_register");
	write_as_root(REGISTER, "1");
	for (i = 0; i < CYCLES; i++) {
		assert_int_equal(self_call(fd, AMDGPUDBG_IOC_EVENT_ENABLE, &on),
				 0);
		assert_int_equal(self_call(fd, AMDGPUDBG_IOC_EVENT_ENABLE,
					   &off), 0);
	}
	write_as_root(REGISTER, "0");
	write_as_root(PROBES, "-:turns_register");
	assert_in_range(count_lines(TRACING "trace", "turns_register"), 0, 2);
	close(fd);
}

/* ------------------------------------------------------- reads for a suite */

/* As root, many registers of a halted wave, until the standard input ends */
static int read_registers(void)
{
	static uint32_t values[AMDGPUDBG_REG_VALUES_MAX];
	static struct amdgpudbg_reg_range ranges[AMDGPUDBG_REG_RANGES_MAX];
	struct amdgpudbg_wave_control halt = {
		.size = sizeof(halt), .op = AMDGPUDBG_WAVEOP_HALT,
		.mode = AMDGPUDBG_WAVEMODE_SINGLE,
	};
	struct amdgpudbg_reg_access regs = {
		.size = sizeof(regs),
		.num_ranges = AMDGPUDBG_REG_RANGES_MAX,
		.num_values = AMDGPUDBG_REG_RANGES_MAX * 8 * 32,
		.ranges = (uintptr_t)ranges,
		.values = (uintptr_t)values,
	};
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	int i, fd;

	if (self_open(&self) || self_start(&self, "touch_read", 0) ||
	    self_wait_done(&self))
		return 1;
	fd = self_session(&self, true);
	if (fd < 0 || self_list(fd, waves) != SELF_WAVES)
		return 1;
	halt.at = waves[0].at;
	halt.vmid = waves[0].vmid;
	regs.at = halt.at;
	regs.vmid = halt.vmid;
	for (i = 0; i < AMDGPUDBG_REG_RANGES_MAX; i++)
		ranges[i] = (struct amdgpudbg_reg_range){
			.space = AMDGPUDBG_REG_VGPR, .count = 8, .num_lanes = 32,
		};
	if (self_call(fd, AMDGPUDBG_IOC_WAVE_CONTROL, &halt))
		return 1;
	for (i = 0; !poll(&in, 1, 0); i++) {
		if (self_call(fd, AMDGPUDBG_IOC_REG_ACCESS, &regs))
			return 1;
		if (!i)
			printf("ready\n");
		fflush(stdout);
	}
	close(fd);
	i = self_finish(&self);
	self_close(&self);
	return !!i;
}

static int take_down(void **state)
{
	(void)state;
	end_crowd();
	write_as_root(HALT_SECONDS, "6000");
	return 0;
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_teardown(name, take_down)
	const struct CMUnitTest tests[] = {
		TEST(what_a_snapshot_cannot_resume_counts_as_halted),
		TEST(a_snapshot_leaves_no_wave_halted_where_users_may_not_halt),
		TEST(a_call_of_root_passes_120_threads_of_a_user),
		TEST(urgent_work_comes_before_all_callers),
		TEST(a_list_passes_eight_long_batches_of_another_user),
		TEST(a_long_batch_lets_others_come_in_between),
		TEST(events_of_jobs_wanted_again_and_again_need_one_probe),
	};

	if (argc > 1)
		return strcmp(argv[1], "read-registers") ? 2 : read_registers();
	return cmocka_run_group_tests(tests, NULL, NULL);
}

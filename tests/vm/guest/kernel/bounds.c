// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The limit of the time for which callers without CAP_SYS_ADMIN can keep waves stopped and job
 * timeouts suspended. The time is counted from the first stop on, together for all callers and
 * all ways to stop a wave. This process is the target and, as a user, the debugger. A job of
 * another process, which never ends, shows whether the driver's job timeouts run.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "busy.h"
#include "people.h"
#include "self.h"
#include "truth.h"
#include "until.h"
#include "victim.h"

#define HALT_SECONDS "/sys/module/amdgpudbg/parameters/halt_seconds"
/* What the suite gives to amdgpu.lockup_timeout, and /init to halt_seconds */
#define JOB_TIMEOUT_S 10
#define USUAL_S 6000
/* SQ_WAVE_STATUS: gc_10_3_0_sh_mask.h (Linux 6.1) */
#define STATUS_PRIV (1 << 5)
#define EXPIRED (1ULL << AMDGPUDBG_EVENT_HALT_EXPIRED)
/* A word of ctl, and what it says to gate.S, whose memory ctl is */
#define CTL_GATE 16
enum { CLOSED, HALT };

static const uint32_t gate_code[] = {
#include "gate.inc"
};

static struct self self;
static struct amdgpudbg_wave waves[SELF_WAVES];
static uint32_t vmid;			/* of the waves */

/* ------------------------------------------------------------------ people */

static void write_as_root(const char *path, unsigned int value)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", value);
	be(ROOT, true);
	assert_int_equal(write_file(path, text), 0);
	be(USER, true);
}

static void allow_seconds(unsigned int seconds)
{
	write_as_root(HALT_SECONDS, seconds);
}

/* Get how many waves of the target are halted, from vgpu, not from the module. */
static unsigned int really_halted(void)
{
	struct truth t;

	be(ROOT, true);
	t = truth_of(vmid);
	be(USER, true);
	return truth_halted(&t);
}

/* ---------------------------------------------------------------- sessions */

#define MAX_SESSIONS 4
static int sessions[MAX_SESSIONS];	/* that a test has opened */
static int num_sessions;

/* Open a session for this process, with an event when its time is over. */
static int session(void)
{
	struct amdgpudbg_event_enable enable = {
		.size = sizeof(enable), .mask = EXPIRED,
		.entry_size = sizeof(struct amdgpudbg_event),
	};
	int fd = self_session(&self, true);

	assert_true(fd >= 0 && num_sessions < MAX_SESSIONS);
	sessions[num_sessions++] = fd;
	assert_int_equal(self_call(fd, AMDGPUDBG_IOC_EVENT_ENABLE, &enable), 0);
	return fd;
}

static int roots_session(void)
{
	int fd;

	be(ROOT, true);
	fd = session();
	be(USER, true);
	return fd;
}

/* The one that was opened last */
static void close_session(void)
{
	close(sessions[--num_sessions]);
}

static void close_sessions(void)
{
	while (num_sessions)
		close_session();
}

static int control(int fd, uint32_t op, int wave)
{
	struct amdgpudbg_wave_control wc = {
		.size = sizeof(wc),
		.op = op,
		.mode = AMDGPUDBG_WAVEMODE_SINGLE,
		.vmid = vmid,
		.at = waves[wave].at,
	};

	return self_call(fd, AMDGPUDBG_IOC_WAVE_CONTROL, &wc);
}

static int launch(int fd, uint32_t flags, uint32_t mode)
{
	struct amdgpudbg_launch_set args = {
		.size = sizeof(args), .flags = flags, .mode = mode,
	};

	return self_call(fd, AMDGPUDBG_IOC_LAUNCH_SET, &args);
}

/* Is the wait for it over? */
static bool may_stop(void *fd)
{
	int session = *(int *)fd, ret;

	ret = launch(session, 0, AMDGPUDBG_LAUNCH_HALT);
	assert_true(!ret || ret == -EBUSY);
	assert_int_equal(launch(session, 0, AMDGPUDBG_LAUNCH_NORMAL), 0);
	return !ret;
}

/* Wait for the event that the session's time is over. */
static void wait_expired(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct amdgpudbg_event ev;

	assert_int_equal(poll(&p, 1, (deadline_ns(60) - now_ns()) / 1000000),
			 1);
	assert_int_equal(read(fd, &ev, sizeof(ev)), sizeof(ev));
	assert_int_equal(ev.type, AMDGPUDBG_EVENT_HALT_EXPIRED);
}

static bool gets_expiry_event(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1;
}

static struct amdgpudbg_info info(void)
{
	struct amdgpudbg_info info = { .size = sizeof(info) };
	int fd = self_session(&self, false);

	assert_true(fd >= 0);
	assert_int_equal(self_call(fd, AMDGPUDBG_IOC_GET_INFO, &info), 0);
	close(fd);
	return info;
}

static uint32_t resets(void)
{
	return info().gpu_reset_count;
}

/* ------------------------------------------------------------------- waves */

static bool has_job;

/* Start waves that run until they are ended, and wait until they have begun. */
static void start(void)
{
	assert_int_equal(self_start(&self, "touch_read", 0), 0);
	has_job = true;
}

static int finish(void)
{
	has_job = false;
	return self_finish(&self);
}

static void start_waves(int fd)
{
	start();
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(self_list(fd, waves), SELF_WAVES);
	vmid = waves[0].vmid;
}

static bool one_is_halted(void *unused)
{
	(void)unused;
	return really_halted() == 1;
}

static bool two_are_halted(void *unused)
{
	(void)unused;
	return really_halted() == 2;
}

static unsigned int num_in_handler(void)
{
	unsigned int i, n = 0;
	struct truth t;

	be(ROOT, true);
	t = truth_of(vmid);
	be(USER, true);
	for (i = 0; i < t.count; i++)
		n += !!(t.wave[i].status & STATUS_PRIV);
	return n;
}

static bool one_is_in_handler(void *unused)
{
	(void)unused;
	return num_in_handler() == 1;
}

static bool none_is_in_handler(void *unused)
{
	(void)unused;
	return num_in_handler() == 0;
}

/* Let the handler of @fd's session halt a wave; no session reads the event. */
static void let_handler_halt(int fd, int wave)
{
	assert_int_equal(control(fd, AMDGPUDBG_WAVEOP_TRAP, wave), 0);
	assert_true(until(one_is_halted, NULL, 60));
}

/* @is_so holds, all the time until then */
static void holds_for(bool (*is_so)(void *arg), void *arg, unsigned int seconds)
{
	int64_t end = now_ns() + seconds * 1000000000ll;

	do {
		assert_true(is_so(arg));
		sched_yield();
	} while (now_ns() < end);
}

/* -------------------------------------------------------------- the clocks */

static struct victim endless;
static bool has_endless;
static uint32_t resets_before;

/* Start a job of another process, on another ring, that never ends. */
static void start_endless(void)
{
	resets_before = resets();
	be(ROOT, true);
	assert_int_equal(victim_start(&endless, 64, 1), 0);
	be(USER, true);
	has_endless = true;
}

/* Has the driver noticed, and reset something? */
static bool was_reset(void *unused)
{
	(void)unused;
	return resets() != resets_before;
}

static bool was_not_reset(void *unused)
{
	return !was_reset(unused);
}

/* Returns what the driver's reset has made of it, 0 if there was none. */
static int end_endless(void)
{
	int ret;

	has_endless = false;
	be(ROOT, true);
	ret = victim_finish(&endless);
	be(USER, true);
	return ret;
}

/* The clock of the job that never ends runs out. */
static void wait_reset(void)
{
	assert_true(until(was_reset, NULL, 6 * JOB_TIMEOUT_S));
	assert_int_not_equal(end_endless(), 0);
}

/* ------------------------------------------------------------------- tests */

/* What stops there were before is forgotten. */
static bool is_fresh(void *unused)
{
	(void)unused;
	return info().halt_left_ms == USUAL_S * 1000;
}

static int set_up(void **state)
{
	(void)state;
	be(USER, true);
	return until(is_fresh, NULL, 6 * JOB_TIMEOUT_S) ? self_open(&self) : -1;
}

static int take_down(void **state)
{
	(void)state;
	be(USER, true);
	close_sessions();
	if (has_endless)
		end_endless();
	/* Whatever a reset has left of it. */
	if (has_job)
		finish();
	self_close(&self);
	allow_seconds(USUAL_S);
	be(ROOT, true);
	return 0;
}

static bool has_no_expiry_event(void *fd)
{
	return !gets_expiry_event(*(int *)fd);
}

/* A session whose waves were claimed for it must not hold them for ever. */
static void the_time_of_claimed_waves_counts(void **state)
{
	int a, b;

	(void)state;
	b = session();
	assert_int_equal(self_handler(b), 0);
	a = session();
	start_waves(a);
	allow_seconds(2);
	assert_int_equal(control(a, AMDGPUDBG_WAVEOP_HALT, 0), 0);
	wait_expired(a);
	assert_int_equal(finish(), 0);
	assert_true(until(may_stop, &a, 6 * JOB_TIMEOUT_S));
	start_waves(a);
	assert_int_equal(control(a, AMDGPUDBG_WAVEOP_HALT, 0), 0);
	/* The other's handler halts one; then it is the other's. */
	assert_int_equal(control(b, AMDGPUDBG_WAVEOP_TRAP, 1), 0);
	assert_true(until(two_are_halted, NULL, 60));
	assert_int_equal(control(b, AMDGPUDBG_WAVEOP_HALT, 1), 0);
	wait_expired(a);
	wait_expired(b);
	assert_int_equal(really_halted(), 0);
	assert_int_equal(finish(), 0);
	start_endless();
	wait_reset();
}

/* A handler that halts waves when CTL_GATE says so */
static void install_gate(int fd)
{
	struct amdgpudbg_mem_alloc code = {
		.size = sizeof(code), .flags = AMDGPUDBG_MEM_ALLOC_EXEC,
		.bytes = sizeof(gate_code),
	};
	struct amdgpudbg_mem_copy copy = {
		.size = sizeof(copy), .flags = AMDGPUDBG_MEM_COPY_WRITE,
		.bytes = sizeof(gate_code), .data = (uintptr_t)gate_code,
	};
	struct amdgpudbg_trap_handler handler = {
		.size = sizeof(handler), .tba_size = sizeof(gate_code),
		.tma = self.prog.buf[PROG_CTL].va,
		.tma_size = PROG_CTL_WORDS * 4,
	};

	prog_ctl(&self.prog)[CTL_GATE] = CLOSED;
	assert_int_equal(self_call(fd, AMDGPUDBG_IOC_MEM_ALLOC, &code), 0);
	copy.id = code.id;
	assert_int_equal(self_call(fd, AMDGPUDBG_IOC_MEM_COPY, &copy), 0);
	handler.tba = code.va;
	assert_int_equal(self_call(fd, AMDGPUDBG_IOC_TRAP_HANDLER, &handler),
			 0);
}

/* Root halts a wave in the user's handler: when root goes, it is the user's. */
static void the_time_of_waves_taken_over_from_root_counts(void **state)
{
	int fd = session(), root;

	(void)state;
	allow_seconds(2);
	install_gate(fd);
	holds_for(has_no_expiry_event, &fd, 3);
	start_waves(fd);
	root = roots_session();
	assert_int_equal(control(fd, AMDGPUDBG_WAVEOP_TRAP, 0), 0);
	assert_true(until(one_is_in_handler, NULL, 60));
	be(ROOT, true);
	assert_int_equal(control(root, AMDGPUDBG_WAVEOP_HALT, 0), 0);
	be(USER, true);
	prog_ctl(&self.prog)[CTL_GATE] = HALT;
	assert_true(until(none_is_in_handler, NULL, 60));
	assert_busy(fd, AMDGPUDBG_BUSY_NONE, 0);
	assert_int_equal(control(fd, AMDGPUDBG_WAVEOP_RESUME, 0), -EBUSY);
	assert_busy(fd, AMDGPUDBG_BUSY_WAVE, getpid());
	close_session();
	assert_int_equal(really_halted(), 1);
	wait_expired(fd);
	assert_int_equal(really_halted(), 0);
	assert_int_equal(finish(), 0);
}

/* Nothing is stopped by a handler that halts nothing. */
static void a_handler_alone_does_not_suspend_job_timeouts(void **state)
{
	int fd = session();

	(void)state;
	assert_int_equal(self_handler(fd), 0);
	start_endless();
	wait_reset();
}

static void a_launch_mode_alone_does_not_suspend_job_timeouts(void **state)
{
	int fd = session();

	(void)state;
	assert_int_equal(launch(fd, 0, AMDGPUDBG_LAUNCH_HALT), 0);
	start_endless();
	wait_reset();
}

/* The time begins when the handler has halted a wave, not when it was set. */
static void the_time_of_waves_halted_by_a_handler_counts(void **state)
{
	int fd = session();
	uint32_t wait_ms;

	(void)state;
	allow_seconds(2);
	assert_int_equal(self_handler(fd), 0);
	holds_for(has_no_expiry_event, &fd, 3);
	start_waves(fd);
	let_handler_halt(fd, 0);
	wait_expired(fd);
	assert_int_equal(really_halted(), 0);
	wait_ms = info().halt_wait_ms;
	assert_int_not_equal(wait_ms, 0);
	/* What it halts before he may again does not make him wait longer. */
	assert_int_equal(control(fd, AMDGPUDBG_WAVEOP_TRAP, 1), 0);
	wait_expired(fd);
	assert_int_equal(really_halted(), 0);
	assert_true(info().halt_wait_ms < wait_ms);
	assert_int_equal(finish(), 0);
}

static void the_time_of_waves_that_start_halted_counts(void **state)
{
	int fd = session();

	(void)state;
	allow_seconds(2);
	assert_int_equal(launch(fd, 0, AMDGPUDBG_LAUNCH_HALT), 0);
	holds_for(has_no_expiry_event, &fd, 3);
	start();
	wait_expired(fd);
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(finish(), 0);
}

static void the_time_of_stalled_waves_counts(void **state)
{
	int fd = session();

	(void)state;
	allow_seconds(2);
	assert_int_equal(launch(fd, AMDGPUDBG_LAUNCH_SET_STALL, 0), 0);
	holds_for(has_no_expiry_event, &fd, 3);
	start();
	wait_expired(fd);
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(finish(), 0);
}

/* No call is made while the wave is halted. */
static void waves_halted_by_a_handler_suspend_job_timeouts(void **state)
{
	int fd = session();

	(void)state;
	assert_int_equal(self_handler(fd), 0);
	start_waves(fd);
	let_handler_halt(fd, 0);
	resets_before = resets();
	holds_for(was_not_reset, NULL, JOB_TIMEOUT_S + JOB_TIMEOUT_S / 2);
	assert_int_equal(really_halted(), 1);
	assert_int_equal(control(fd, AMDGPUDBG_WAVEOP_RESUME, 0), 0);
	assert_int_equal(finish(), 0);
}

static void waves_that_start_halted_suspend_job_timeouts(void **state)
{
	int fd = session();

	(void)state;
	assert_int_equal(launch(fd, 0, AMDGPUDBG_LAUNCH_HALT), 0);
	resets_before = resets();
	start();
	holds_for(was_not_reset, NULL, JOB_TIMEOUT_S + JOB_TIMEOUT_S / 2);
	assert_int_equal(self_done(&self), 0);
	close_sessions();
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(finish(), 0);
}

/* Run a short job, with a stop. Fails if the driver resets the GPU during it. */
static int stop_and_resume(int fd)
{
	int ret = self_start(&self, "touch_read", 0);

	if (ret)
		return ret;
	has_job = true;
	ret = self_wait_done(&self);
	if (!ret && self_list(fd, waves) != SELF_WAVES)
		ret = -ENODATA;
	vmid = waves[0].vmid;
	if (!ret)
		ret = control(fd, AMDGPUDBG_WAVEOP_HALT, 0);
	if (!ret)
		ret = control(fd, AMDGPUDBG_WAVEOP_RESUME, 0);
	return ret ? ret : finish();
}

/* Waves stop often: the timeout of other jobs continues where it was suspended. */
static void further_stops_give_a_user_no_more_time(void **state)
{
	int64_t end;
	int fd = session();

	(void)state;
	start_endless();
	end = deadline_ns(6 * JOB_TIMEOUT_S);
	while (!was_reset(NULL) && now_ns() < end && !stop_and_resume(fd))
		;
	assert_true(now_ns() < end);
	wait_reset();
}

/* A limit that is set while a wave is halted applies at once. */
static void a_shorter_limit_applies_at_once(void **state)
{
	int fd = session();

	(void)state;
	start_waves(fd);
	assert_int_equal(control(fd, AMDGPUDBG_WAVEOP_HALT, 0), 0);
	allow_seconds(1);
	wait_expired(fd);
	assert_int_equal(really_halted(), 0);
	assert_int_equal(finish(), 0);
}

struct left {
	uint32_t ms;
	bool less;	/* or as much */
};

static bool is_left(void *arg)
{
	const struct left *left = arg;
	uint32_t ms = info().halt_left_ms;

	return left->less ? ms < left->ms : ms == left->ms;
}

static void only_the_time_with_stopped_waves_counts(void **state)
{
	struct left left = { .ms = USUAL_S * 1000 };
	int fd = session();

	(void)state;
	assert_int_equal(self_handler(fd), 0);
	start_waves(fd);
	holds_for(is_left, &left, 2);
	assert_int_equal(control(fd, AMDGPUDBG_WAVEOP_HALT, 0), 0);
	left = (struct left){ left.ms - 1000, true };
	assert_true(until(is_left, &left, 60));
	assert_int_equal(control(fd, AMDGPUDBG_WAVEOP_RESUME, 0), 0);
	left = (struct left){ info().halt_left_ms, false };
	holds_for(is_left, &left, 2);
	/* The time continues where it was. */
	assert_int_equal(control(fd, AMDGPUDBG_WAVEOP_HALT, 0), 0);
	left = (struct left){ left.ms - 500, true };
	assert_true(until(is_left, &left, 60));
	assert_in_range(info().halt_left_ms, 1, (USUAL_S - 1) * 1000 - 500);
	assert_int_equal(control(fd, AMDGPUDBG_WAVEOP_RESUME, 0), 0);
	assert_int_equal(info().halt_wait_ms, 0);
	assert_int_equal(finish(), 0);
	/* And is forgotten, when every job could have timed out. */
	assert_true(until(is_fresh, NULL, 6 * JOB_TIMEOUT_S));
}

/* Get the time that the session is to wait, as reported now. */
static uint32_t reported_wait(int fd)
{
	return assert_busy(fd, AMDGPUDBG_BUSY_HALT_EXPIRED, 0).wait_ms;
}

struct wait {
	int fd;
	uint32_t ms;
};

static bool has_less_time(void *arg)
{
	const struct wait *wait = arg;

	return reported_wait(wait->fd) < wait->ms;
}

/* It is no way out to end the session, and to begin another one. */
static void a_new_session_has_the_same_wait(void **state)
{
	struct wait wait;
	uint32_t wait_ms;
	int64_t begin;
	int fd;

	(void)state;
	allow_seconds(1);
	fd = session();
	start_waves(fd);
	assert_int_equal(control(fd, AMDGPUDBG_WAVEOP_HALT, 0), 0);
	wait_expired(fd);
	close_session();
	fd = session();
	assert_busy(fd, AMDGPUDBG_BUSY_NONE, 0);
	assert_int_equal(control(fd, AMDGPUDBG_WAVEOP_HALT, 0), -EBUSY);
	wait = (struct wait){ fd, reported_wait(fd) };
	assert_in_range(wait.ms, 1, JOB_TIMEOUT_S * 1000);
	assert_true(until(has_less_time, &wait, 60));
	assert_int_equal(self_handler(fd), -EBUSY);
	assert_in_range(reported_wait(fd), 1, wait.ms);
	assert_int_equal(finish(), 0);
	assert_int_equal(info().halt_left_ms, 0);
	begin = now_ns();
	wait_ms = info().halt_wait_ms;
	assert_in_range(wait_ms, 1, JOB_TIMEOUT_S * 1000);
	assert_true(until(may_stop, &fd, 6 * JOB_TIMEOUT_S));
	assert_true(now_ns() - begin > (wait_ms - 100) * 1000000ll);
	assert_int_equal(info().halt_left_ms, 1000);
	assert_int_equal(info().halt_wait_ms, 0);
	/* The reported wait is the present one, not the one at the time of the failure. */
	assert_int_equal(reported_wait(fd), 0);
	allow_seconds(0);
	assert_int_equal(reported_wait(fd), UINT32_MAX);
}

static int snapshot(int fd, uint32_t flags)
{
	struct amdgpudbg_wave_list list = {
		.size = sizeof(list),
		.flags = flags,
		.entry_size = sizeof(waves[0]),
		.capacity = SELF_WAVES,
		.waves = (uintptr_t)waves,
	};

	return self_call(fd, AMDGPUDBG_IOC_WAVE_SNAPSHOT, &list);
}

static void a_limit_of_zero_forbids_halts(void **state)
{
	int fd = session(), root = roots_session();

	(void)state;
	allow_seconds(0);
	assert_int_equal(info().halt_left_ms, 0);
	assert_int_equal(info().halt_wait_ms, UINT32_MAX);
	/* Without a job: VMIDs are given back at once then. */
	assert_int_equal(launch(fd, 0, AMDGPUDBG_LAUNCH_HALT), -EPERM);
	assert_int_equal(launch(fd, AMDGPUDBG_LAUNCH_SET_STALL, 0), -EPERM);
	assert_int_equal(launch(fd, 0, AMDGPUDBG_LAUNCH_NORMAL), 0);
	assert_int_equal(self_handler(fd), -EPERM);
	/* He does not have to wait: he may not. */
	assert_busy(fd, AMDGPUDBG_BUSY_NONE, 0);

	start_waves(fd);
	assert_int_equal(control(fd, AMDGPUDBG_WAVEOP_HALT, 0), -EPERM);
	assert_int_equal(snapshot(fd, AMDGPUDBG_WAVE_LIST_HOLD), -EPERM);
	assert_int_equal(really_halted(), 0);
	/* What stops nothing for longer than the call, and what gives back */
	assert_int_equal(snapshot(fd, 0), 0);
	assert_int_equal(control(fd, AMDGPUDBG_WAVEOP_RESUME, 0), 0);

	be(ROOT, true);
	assert_int_equal(control(root, AMDGPUDBG_WAVEOP_HALT, 0), 0);
	be(USER, true);
	assert_int_equal(really_halted(), 1);
	be(ROOT, true);
	assert_int_equal(control(root, AMDGPUDBG_WAVEOP_RESUME, 0), 0);
	be(USER, true);
	assert_int_equal(finish(), 0);
}

/* The user's time is over, root's is not. */
static void the_time_of_root_is_not_limited(void **state)
{
	int fd = session(), root = roots_session();

	(void)state;
	allow_seconds(2);
	start_waves(fd);
	be(ROOT, true);
	assert_int_equal(control(root, AMDGPUDBG_WAVEOP_HALT, 0), 0);
	be(USER, true);
	assert_int_equal(control(fd, AMDGPUDBG_WAVEOP_HALT, 1), 0);
	resets_before = resets();
	wait_expired(fd);
	assert_int_equal(really_halted(), 1);
	holds_for(was_not_reset, NULL, JOB_TIMEOUT_S + JOB_TIMEOUT_S / 2);
	assert_int_equal(really_halted(), 1);
	close_sessions();
	assert_int_equal(really_halted(), 0);
	assert_int_equal(finish(), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, take_down)

/* In the long form: those that wait for more than a job's timeout, or several times. */
static int test_long(void)
{
	const struct CMUnitTest tests[] = {
		TEST(waves_halted_by_a_handler_suspend_job_timeouts),
		TEST(waves_that_start_halted_suspend_job_timeouts),
		TEST(further_stops_give_a_user_no_more_time),
		TEST(only_the_time_with_stopped_waves_counts),
		TEST(the_time_of_root_is_not_limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_time_of_claimed_waves_counts),
		TEST(the_time_of_waves_taken_over_from_root_counts),
		TEST(a_handler_alone_does_not_suspend_job_timeouts),
		TEST(a_launch_mode_alone_does_not_suspend_job_timeouts),
		TEST(the_time_of_waves_halted_by_a_handler_counts),
		TEST(the_time_of_waves_that_start_halted_counts),
		TEST(the_time_of_stalled_waves_counts),
		TEST(a_new_session_has_the_same_wait),
		TEST(a_shorter_limit_applies_at_once),
		TEST(a_limit_of_zero_forbids_halts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) +
	       (long_or_short(1, 0) ? test_long() : 0);
}

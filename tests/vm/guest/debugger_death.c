// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A debugger that is killed, and two of them. It is a child of this process, which is its
 * target.
 */
#include "debugger.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "until.h"

#define MAX_EVENTS	30	/* after which it is killed at the latest */
#define SOME		3	/* times, of what takes seconds each time */
#define MANY		100
#define NUM_WATCHES	4	/* that the GPU has */
#define WATCHED		128	/* bytes */

static const char *const names[] = {
	"breaks_loop", "breaks_call", "breaks_mad", "breaks_return", "breaks_branch",
	"breaks_getpc", "breaks_store", "breaks_end",
};

#define NUM_NAMES (sizeof(names) / sizeof(names[0]))

/* What debugger and target have in common */
struct shared {
	volatile unsigned int ready;
	volatile unsigned int events;	/* that it has come to */
};

static struct shared *shared;
static unsigned int seed;

/* Some hold often, some never; now and then there is none. */
static const struct adbgd_condition *some_condition(void)
{
	static struct adbgd_condition c;

	c = (struct adbgd_condition){
		.space = rand() % 2 ? AMDGPUDBG_REG_SGPR : AMDGPUDBG_REG_VGPR,
		.reg = rand() % 14, .relation = ADBGD_LESS_SIGNED, .value = rand() % 8,
		.every = rand() % 4,
	};
	if (c.space == AMDGPUDBG_REG_VGPR)
		c.reg %= 4;
	return rand() % 3 ? &c : NULL;
}

/* Its handler records it, while somebody may kill this one. */
static int trace(struct adbgd_stop *stop)
{
	struct amdgpudbg_wave_coord at = stop->at;
	struct adbgd_trace *t;
	uint64_t num = 10;
	int ret = adbgd_trace_begin(process, &at, &t, &error);

	if (ret)
		return ret;
	ret = adbgd_trace_steps(process, t, &num, stop, &error);
	adbgd_trace_free(t);
	return ret;
}

/* What fails is about a wave that is gone, or has stopped again. */
static int do_something(struct adbgd_stop *stop)
{
	int ret;

	shared->events++;
	switch (rand() % 6) {
	case 0:
		return adbgd_wave_continue(process, &stop->at, &error);
	case 1:
		ret = adbgd_process_halt(process, &error);
		return ret ? ret : adbgd_process_continue(process, &error);
	case 2:
		return adbgd_process_continue(process, &error);
	case 3:
		ret = adbgd_breakpoint_set_condition(adbgd_process_get_breakpoint(process, 0),
						     some_condition(), &error);
		return ret ? ret : adbgd_process_continue(process, &error);
	case 4:
		return trace(stop);
	default:
		return adbgd_wave_step(process, &stop->at, stop, &error);
	}
}

/* A few breakpoints, and at each stop this or that, for ever */
static int debug(void *arg)
{
	struct adbgd_stop stop;

	(void)arg;
	srand(seed);
	if (attach(getppid()))
		return 1;
	for (unsigned int i = 0; i < 3; i++) {
		if (adbgd_breakpoint_set_if(process, address_of(names[rand() % NUM_NAMES]),
					    rand() % 4 ? 0 : ADBGD_BREAKPOINT_MATCH,
					    some_condition(), NULL, &error) &&
		    error.error != -EEXIST)
			return 1;
	}
	shared->ready = 1;
	for (;;) {
		if (!adbgd_process_next_stop(process, 10, &stop, &error))
			do_something(&stop);
		else if (adbgd_process_continue(process, &error))
			continue;
	}
}

static bool is_ready(void *arg)
{
	(void)arg;
	return shared->ready;
}

static bool has_come_to(void *arg)
{
	return shared->events >= *(unsigned int *)arg || job_has_ended();
}

static void killed_at_random(unsigned int first, unsigned int rounds)
{
	unsigned int events;
	pid_t pid;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(shared, MAP_FAILED);
	/* There is one already, of the test itself */
	detach();
	for (seed = first; seed < first + rounds; seed++) {
		shared->ready = 0;
		shared->events = 0;
		srand(seed * 77);
		events = rand() % MAX_EVENTS;
		pid = fork();
		if (!pid)
			_exit(debug(NULL));
		assert_true(pid > 0);
		assert_true(until(is_ready, NULL, DEADLINE_MS / 1000));
		start_job();
		let_go();
		assert_true(until(has_come_to, &events, DEADLINE_MS / 1000));
		assert_int_equal(child_kill(pid), 0);
		finish_job();
		assert_code_as_before();
		tell_progress(seed - first + 1);
	}
	munmap(shared, sizeof(*shared));
}

void debugger_killed_at_random(void **state)
{
	(void)state;
	killed_at_random(1, SOME);
}

static unsigned int first_seed;

static void debugger_killed_many_times(void **state)
{
	(void)state;
	killed_at_random(first_seed, MANY);
}

int debugger_deaths(unsigned int first)
{
	const struct CMUnitTest tests[] = {
		TEST(debugger_killed_many_times),
	};

	first_seed = first;
	return cmocka_run_group_tests(tests, open_some, close_prog);
}

static bool is_address(const uint32_t *words, unsigned int buffer)
{
	return (words[0] | (uint64_t)words[1] << 32) == prog.buf[buffer].va;
}

/*
 * As breaks.s says of a wave that waits to be let go; the number of its first work-item, or
 * -1 if there is anything else to be read
 */
static int first_item_of(struct adbg_session *session, const struct amdgpudbg_wave_coord *at)
{
	const struct amdgpudbg_reg_range sgprs = {
		.space = AMDGPUDBG_REG_SGPR, .first = 4, .count = 9,
	}, vgprs = {
		.space = AMDGPUDBG_REG_VGPR, .first = 0, .count = 3, .num_lanes = 32,
	};
	uint32_t s[9], v[32][3], in[32], item;

	if (read_regs(session, at, &sgprs, s) || read_regs(session, at, &vgprs, v[0]) ||
	    !is_address(s, PROG_OUT) || !is_address(s + 2, PROG_IN) ||
	    !is_address(s + 4, PROG_CTL) || s[6] != ITEMS)
		return -1;
	item = s[8] + v[0][0];
	if (item % 32 || item >= ITEMS ||
	    adbg_vm_read(session, getppid(), prog.buf[PROG_IN].va + 4 * item, in, sizeof(in)))
		return -1;
	for (uint32_t lane = 0; lane < 32; lane++) {
		if (v[lane][0] != v[0][0] + lane || v[lane][1] != 4 * (item + lane) ||
		    v[lane][2] || in[lane] != input(item + lane))
			return -1;
	}
	return item;
}

/* Each wave's registers and input are what they must be, and no two waves are the same. */
static bool sees_all(struct adbg_session *session, struct adbg_wave_list *list)
{
	const struct amdgpudbg_wave *wave;
	bool seen[NUM_WAVES] = { false };
	int item;

	for (size_t i = 0; (wave = adbg_wave_list_get(list, i)); i++) {
		item = first_item_of(session, &wave->at);
		if (item < 0 || seen[item / 32])
			return false;
		seen[item / 32] = true;
	}
	return !memchr(seen, false, sizeof(seen));
}

/* The program's code, in which the first one has a breakpoint, as it is in memory */
static bool sees_code(struct adbg_session *session)
{
	uint64_t at = address_of("breaks_mad");
	uint32_t words[3];

	return !adbg_vm_read(session, getppid(), at, words, sizeof(words)) &&
	       words[0] == 0xbf920007 &&
	       !memcmp(words + 1, (const uint8_t *)prog.co.image + 4 +
		       (at - prog.buf[PROG_CODE].va), 8);
}

/* Who comes second sees and halts waves, reads what they have, and learns who has the rest. */
static int second(void *arg)
{
	struct amdgpudbg_launch_set launch = { .mode = AMDGPUDBG_LAUNCH_HALT };
	struct amdgpudbg_watch_set watch = {
		.address = prog.buf[PROG_OUT].va, .bytes = WATCHED,
	};
	struct adbg_session *session;
	struct adbg_wave_list *list;
	struct amdgpudbg_busy busy;
	struct adbgd_process *p;

	char who[32];

	(void)arg;
	snprintf(who, sizeof(who), "process %d", getppid());
	if (adbgd_process_attach(NULL, getppid(), 0, &p, &error) != -EBUSY ||
	    !strstr(error.text, "another session has set a trap handler") ||
	    !strstr(strstr(error.text, "another session"), who))
		return 1;
	if (adbg_open(NULL, &session) ||
	    adbg_target_attach(session, getppid(), 0, NULL) ||
	    adbg_wave_list_new(&list))
		return 2;
	if (adbg_halt_all(session, NULL) || adbg_wave_list_read(list, session, 0) ||
	    adbg_wave_list_count(list) != NUM_WAVES)
		return 3;
	if (!sees_all(session, list))
		return 7;
	if (!sees_code(session))
		return 8;
	if (adbg_trap_install(session, NULL) != -EBUSY ||
	    adbg_session_get_busy(session, &busy) ||
	    busy.cause != AMDGPUDBG_BUSY_TRAP_HANDLER || busy.pid != getppid())
		return 4;
	if (adbg_launch_set(session, &launch) != -EBUSY ||
	    adbg_session_get_busy(session, &busy) ||
	    busy.cause != AMDGPUDBG_BUSY_LAUNCH || busy.pid != getppid())
		return 5;
	if (adbg_watch_set(session, &watch) != -EBUSY ||
	    adbg_session_get_busy(session, &busy) ||
	    busy.cause != AMDGPUDBG_BUSY_WATCH || busy.pid != getppid())
		return 6;
	adbg_wave_list_free(list);
	adbg_session_close(session);
	return 0;
}

void debugger_has_one_process(void **state)
{
	uint64_t out = prog.buf[PROG_OUT].va;
	struct adbgd_breakpoint *b;

	(void)state;
	MUST(adbgd_breakpoint_set(process, address_of("breaks_mad"), 0, &b, &error));
	start_job();
	wait_begun();
	for (unsigned int i = 0; i < NUM_WATCHES; i++)
		MUST(adbgd_watchpoint_set(process, out + i * WATCHED, WATCHED,
					  AMDGPUDBG_WATCH_ATOMIC, NULL, &error));
	assert_int_equal(child_run(second, NULL), 0);
	MUST(adbgd_breakpoint_clear(b, &error));
	let_go();
	finish_job();
}

/* A user's waves stand for longer than they may: all go on, with the instruction. */
void debugger_out_of_time(void **state)
{
	struct adbgd_breakpoint *b;
	struct adbgd_stop stop;

	(void)state;
	MUST(adbgd_breakpoint_set(process, address_of("breaks_mad"), 0, &b, &error));
	start_job();
	let_go();
	/* Some of them are told of, and the others are not until the time is over. */
	for (unsigned int i = 0; i < NUM_WAVES / 2; i++)
		stop_at(b);
	wait_halted(0);
	do {
		MUST(adbgd_process_next_stop(process, DEADLINE_MS, &stop, &error));
	} while (stop.reason == ADBGD_STOP_BREAKPOINT);
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "expired");
	finish_job();
	assert_code_as_before();
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A debugger that is killed, or that keeps its waves halted for too long. It is a child of this
 * process, which is its target.
 */
#include "debugger.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "until.h"

#define MAX_MOMENTS	16	/* after which it is killed */
#define PATIENCE	30	/* more, if it has not come to what it is to be killed in */
#define SOME		3	/* times, of what takes seconds each time */
#define MANY		100
#define WATCHED		128	/* bytes */
#define LDS_BYTES	512	/* of each group, which no wave uses */
#define UNTIL_MS	200
#define NUM_BREAKPOINTS	3

/*
 * Instructions for breakpoints, also for those with a condition that does not keep a handler
 * from recording traces
 */
static const struct place {
	const char *name;
	bool is_simple;
} in_breaks[] = {
	{ "breaks_loop", true }, { "breaks_call", false }, { "breaks_mad", true },
	{ "breaks_return", false }, { "breaks_branch", false }, { "breaks_getpc", false },
	{ "breaks_store", true }, { "breaks_end", false },
}, in_rounds[] = {
	{ "rounds_loop", true }, { "rounds_call", false }, { "rounds_after", true },
	{ "rounds_branch", false }, { "rounds_inner", true }, { "rounds_mad", true },
	{ "rounds_inner_return", false }, { "rounds_outer", false },
};

#define NUM_PLACES (sizeof(in_breaks) / sizeof(in_breaks[0]))

/* What it can be in the middle of */
enum doing { NOTHING, HOST_TRACE, HANDLER_TRACE, UNTIL, COMMAND, NUM_DOING };

/* What debugger and target have in common; it also says what one did that is dead. */
struct shared {
	volatile unsigned int ready;
	volatile unsigned int moments;	/* at which it may be killed, that it has come to */
	volatile unsigned int doing;	/* enum doing */
	volatile unsigned int halted;	/* a wave whose stop was reported */
	volatile unsigned int breakpoints;	/* of its that are in the code */
	volatile unsigned int watchpoints;
	struct adbgd_error failed;	/* what has failed last */
	/* Of all of them: traces that are whole, and who has recorded them */
	volatile unsigned int by_host, by_handler, by_the_wrong_one;
};

static struct shared *shared;
static unsigned int seed;
static const struct place *first_place;	/* of its first breakpoint */

/* Every second job runs until it is ended, every second debugger counts hits. */
static bool has_rounds(void)
{
	return seed % 2;
}

static bool counts_hits(void)
{
	return seed / 2 % 2;
}

static const struct place *any_place(void)
{
	return &(has_rounds() ? in_rounds : in_breaks)[rand() % NUM_PLACES];
}

/* Some hold often, some never; now and then there is none. */
static const struct adbgd_condition *some_condition(const struct place *place)
{
	static struct adbgd_condition c;

	c = (struct adbgd_condition){
		.space = rand() % 2 ? AMDGPUDBG_REG_SGPR : AMDGPUDBG_REG_VGPR,
		.reg = rand() % 14, .relation = ADBGD_RELATION_LESS_SIGNED, .value = rand() % 8,
	};
	if (c.space == AMDGPUDBG_REG_VGPR)
		c.reg %= 4;
	if (counts_hits())
		c.every = 2 + rand() % 3;
	else if (!place->is_simple)
		return NULL;
	return rand() % 3 ? &c : NULL;
}

/* From now on it may be killed in this. */
static void begin_to(enum doing doing)
{
	shared->doing = doing;
	shared->moments++;
}

static int done_with(int ret)
{
	shared->doing = NOTHING;
	return ret;
}

/* Are there breakpoints by stepping, with which no handler records? */
static bool is_for_host(void)
{
	struct adbgd_breakpoint *b;

	for (size_t i = 0; (b = adbgd_process_get_breakpoint(process, i)); i++)
		if (adbgd_breakpoint_get_info(b)->flags & ADBGD_BREAKPOINT_STEPPED)
			return true;
	return false;
}

/* The host is slow. */
static int trace(struct adbgd_stop *stop)
{
	struct amdgpudbg_wave_coord at = stop->at;
	bool by_host = is_for_host();
	uint64_t wanted = by_host ? 8 : 100, num = wanted;
	struct adbgd_trace *t;
	int ret = adbgd_trace_begin(process, &at, &t, &error);

	if (ret)
		return ret;
	begin_to(by_host ? HOST_TRACE : HANDLER_TRACE);
	ret = done_with(adbgd_trace_record(process, t, &num, stop, &error));
	if (!ret && num == wanted) {
		shared->by_host += by_host;
		shared->by_handler += !by_host;
		shared->by_the_wrong_one += by_host == !!adbgd_trace_get_info(t)->num_alone;
	}
	adbgd_trace_free(t);
	return ret;
}

static int run_until(struct adbgd_stop *stop)
{
	struct amdgpudbg_wave_coord at = stop->at;

	begin_to(UNTIL);
	return done_with(adbgd_wave_until(process, &at, address_of(any_place()->name), UNTIL_MS,
					  stop, &error));
}

/* By the wave's handler */
static int command(const struct adbgd_stop *stop)
{
	uint32_t values[32];

	begin_to(COMMAND);
	if (rand() % 2)
		return done_with(adbgd_vgprs_read(process, &stop->at, 1, values, &error));
	values[0] = seed;
	return done_with(adbgd_lds_write(process, &stop->at, 4 * (rand() % 32), values, 4,
					 &error));
}

static int let_all_go(void)
{
	shared->halted = 0;
	return adbgd_process_continue(process, &error);
}

static int change_condition(void)
{
	struct adbgd_breakpoint *b = adbgd_process_get_breakpoint(process, 0);
	int ret = adbgd_breakpoint_set_condition(b, some_condition(first_place), &error);

	return ret ? ret : let_all_go();
}

/* What fails is about a wave that is gone, or has stopped again. */
static int do_something(struct adbgd_stop *stop)
{
	int ret;

	shared->halted = 1;
	shared->moments++;
	switch (rand() % 10) {
	case 0:
		shared->halted = 0;
		return adbgd_wave_continue(process, &stop->at, &error);
	case 1:
		ret = adbgd_process_halt(process, &error);
		return ret ? ret : let_all_go();
	case 2:
	case 3:
		return let_all_go();
	case 4:
		return change_condition();
	case 5:
	case 6:
		return trace(stop);
	case 7:
		return run_until(stop);
	case 8:
		return command(stop);
	default:
		return adbgd_wave_step(process, &stop->at, stop, &error);
	}
}

static int set_breakpoints(void)
{
	const struct place *place;
	uint32_t flags;
	int ret;

	first_place = NULL;
	for (unsigned int i = 0; i < NUM_BREAKPOINTS; i++) {
		place = any_place();
		flags = counts_hits() && !(rand() % 4) ? ADBGD_BREAKPOINT_STEPPED : 0;
		ret = adbgd_breakpoint_set_if(process, address_of(place->name), flags,
					      some_condition(place), NULL, &error);
		if (ret && ret != -EEXIST)
			return ret;
		if (!first_place)
			first_place = place;
		shared->breakpoints += !ret && !flags;
	}
	return 0;
}

/* Of what waves read in each round */
static int set_watchpoint(void)
{
	int ret = rand() % 3 ? 0 : adbgd_watchpoint_set(process, prog.buf[PROG_CTL].va, WATCHED,
							AMDGPUDBG_WATCH_READ, NULL, &error);

	shared->watchpoints = !!adbgd_process_get_watchpoint(process, 0);
	return ret;
}

/* All are halted, and it is one of them, in the place of one that has stopped. */
static int halt_one(struct adbgd_stop *stop)
{
	struct amdgpudbg_wave waves[NUM_WAVES];
	struct amdgpudbg_wave_list list = {
		.capacity = NUM_WAVES, .waves = (uintptr_t)waves,
	};
	int ret = adbgd_process_halt(process, &error);

	if (!ret)
		ret = adbg_wave_read(adbgd_process_get_session(process), &list);
	if (ret || !list.count)
		return ret ? ret : -ENODATA;
	*stop = (struct adbgd_stop){ .at = waves[rand() % list.count].at };
	return 0;
}

/* If no wave reaches a breakpoint, an endless job is halted instead. */
static int next(struct adbgd_stop *stop)
{
	int ret = adbgd_process_wait_stop(process, 10, stop, &error);

	return ret && has_rounds() ? halt_one(stop) : ret;
}

/* A few breakpoints, and at each stop this or that, for ever */
static int debug(void *arg)
{
	struct adbgd_stop stop;
	int ret;

	(void)arg;
	srand(seed);
	if (attach(getppid()) || set_breakpoints() || set_watchpoint())
		return 1;
	shared->ready = 1;
	for (;;) {
		ret = next(&stop);
		if (!ret)
			ret = do_something(&stop);
		else if (!has_rounds())
			ret = let_all_go();
		if (ret)
			shared->failed = error;
	}
}

static bool is_ready(void *arg)
{
	(void)arg;
	return shared->ready;
}

/* One in four is killed in a trace, in until and in a command, as far as it comes to that. */
static bool is_in_the_middle(unsigned int doing)
{
	switch (seed / 4 % 4) {
	case 0:
		return doing == HOST_TRACE || doing == HANDLER_TRACE;
	case 1:
		return doing == UNTIL;
	case 2:
		return doing == COMMAND;
	default:
		return true;
	}
}

static bool has_come_to(unsigned int moment)
{
	unsigned int now = shared->moments;

	return (now >= moment && is_in_the_middle(shared->doing)) ||
	       now >= moment + PATIENCE || job_has_ended();
}

struct way {
	unsigned int to, from;
};

static bool is_further(void *arg)
{
	const struct way *way = arg;

	return shared->moments != way->from || has_come_to(way->to);
}

/* It may be slow, but must not stay where it is. */
static void wait_until_at(unsigned int moment)
{
	struct way way = { .to = moment };

	do {
		way.from = shared->moments;
		if (!until(is_further, &way, DEADLINE_MS / 1000))
			fail_msg("seed %u: the debugger hangs after %u of %u moments, %u: %s",
				 seed, shared->moments, moment, shared->doing,
				 shared->failed.text);
	} while (!has_come_to(moment));
}

static void begin_job(void)
{
	prog.lds_bytes = LDS_BYTES;
	if (has_rounds()) {
		start_rounds();
		return;
	}
	start_job();
	release_waves();
}

static void end_job(void)
{
	if (has_rounds())
		finish_rounds();
	else
		finish_job();
	prog.lds_bytes = 0;
}

/* What those that are dead had, or were in the middle of */
struct met {
	unsigned int breakpoints, watchpoints, halted, doing[NUM_DOING];
};

static void remember(struct met *met)
{
	met->breakpoints += !!shared->breakpoints;
	met->watchpoints += shared->watchpoints;
	met->halted += shared->halted;
	met->doing[shared->doing]++;
}

static void print_met(const struct met *met)
{
	printf("# killed with breakpoints %u times, a watchpoint %u, a wave that halted %u; "
	       "in a trace by the host %u, by the handler %u, in until %u, in a command %u\n",
	       met->breakpoints, met->watchpoints, met->halted, met->doing[HOST_TRACE],
	       met->doing[HANDLER_TRACE], met->doing[UNTIL], met->doing[COMMAND]);
	printf("# whole traces: %u by the host, %u by the handler\n", shared->by_host,
	       shared->by_handler);
	fflush(stdout);
}

/* Else there was nothing of that kind that could have been left behind. */
static void assert_has_met_all(const struct met *met)
{
	assert_true(met->breakpoints && met->watchpoints && met->halted);
	for (unsigned int i = 0; i < NUM_DOING; i++)
		assert_true(met->doing[i]);
	assert_true(shared->by_host && shared->by_handler);
}

static void kill_at(unsigned int moment)
{
	pid_t pid = fork();

	if (!pid)
		_exit(debug(NULL));
	assert_true(pid > 0);
	assert_true(until(is_ready, NULL, DEADLINE_MS / 1000));
	begin_job();
	wait_until_at(moment);
	assert_int_equal(child_kill(pid), 0);
	end_job();
	assert_code_as_before();
}

static void begin_round(void)
{
	shared->ready = 0;
	shared->moments = 0;
	shared->doing = NOTHING;
	shared->halted = 0;
	shared->breakpoints = 0;
	shared->watchpoints = 0;
}

static void killed_at_random(unsigned int first, unsigned int rounds)
{
	struct met met = { .halted = 0 };

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(shared, MAP_FAILED);
	/* There is one already, of the test itself */
	detach();
	for (seed = first; seed < first + rounds; seed++) {
		begin_round();
		srand(seed * 77);
		kill_at(rand() % MAX_MOMENTS);
		remember(&met);
		print_progress(seed - first + 1);
	}
	print_met(&met);
	assert_int_equal(shared->by_the_wrong_one, 0);
	if (rounds == MANY)
		assert_has_met_all(&met);
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

/* A user's waves are halted for longer than allowed: all resume, with their instruction. */
void the_halt_time_of_a_user_runs_out(void **state)
{
	struct adbgd_breakpoint *b;
	struct adbgd_stop stop;

	(void)state;
	MUST(adbgd_breakpoint_set(process, address_of("breaks_mad"), 0, &b, &error));
	start_job();
	release_waves();
	/* Some stops are reported, the others are pending until the time is over. */
	for (unsigned int i = 0; i < NUM_WAVES / 2; i++)
		stop_at(b);
	wait_halted(0);
	do {
		MUST(adbgd_process_wait_stop(process, DEADLINE_MS, &stop, &error));
	} while (stop.reason == ADBGD_STOP_BREAKPOINT);
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "expired");
	finish_job();
	assert_code_as_before();
}

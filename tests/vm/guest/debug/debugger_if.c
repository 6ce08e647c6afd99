// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Breakpoints with conditions for some of many waves: the right waves stop, and the others are
 * not affected. breaks.s documents the registers of each wave at each instruction.
 */
#include "debugger.h"
#include "until.h"

#include <sys/timerfd.h>
#include <unistd.h>

static struct adbgd_breakpoint *set_if(const char *name, uint32_t flags,
				       const struct adbgd_condition *c)
{
	struct adbgd_breakpoint *b;

	MUST(adbgd_breakpoint_set_if(process, address_of(name), flags, c, &b, &error));
	return b;
}

static void change(struct adbgd_breakpoint *b, const struct adbgd_condition *c)
{
	MUST(adbgd_breakpoint_set_condition(b, c, &error));
}

static void continue_wave(const struct adbgd_stop *stop)
{
	MUST(adbgd_wave_continue(process, &stop->at, &error));
}

static void breaks_begin(void)
{
	start_job();
	release_waves();
}

/* All stops until the job has ended, each at @b, which @look sees. How many */
static unsigned int stops_until_end(struct adbgd_breakpoint *b,
				    void (*look)(const struct adbgd_stop *stop))
{
	unsigned int num = 0;
	struct adbgd_stop stop;
	int ret;

	do {
		bool has_ended = job_has_ended();

		ret = adbgd_process_wait_stop(process, has_ended ? 0 : 10, &stop, &error);
		if (ret == -EAGAIN && has_ended)
			break;
		if (ret == -EAGAIN)
			continue;
		MUST(ret);
		assert_int_equal(stop.reason, ADBGD_STOP_BREAKPOINT);
		assert_int_equal(stop.breakpoint, adbgd_breakpoint_get_info(b)->number);
		num++;
		if (look)
			look(&stop);
		continue_wave(&stop);
	} while (true);
	assert_true(adbgd_breakpoint_get_info(b)->hits == num);
	return num;
}

/* Is it the wave with @item, in its round @round, with just these registers? */
static void assert_wave(const struct adbgd_stop *stop, uint32_t item, uint32_t round)
{
	uint32_t first = item & ~31u, v1[32], v3[32];

	assert_int_equal(read_sgpr(&stop->at, 12), item & ~63u);
	assert_int_equal(read_sgpr(&stop->at, 13), round);
	read_lanes(&stop->at, 1, v1);
	read_lanes(&stop->at, 3, v3);
	for (uint32_t i = 0; i < 32; i++) {
		assert_int_equal(v1[i], 4 * (first + i));
		assert_int_equal(v3[i], after_rounds(input(first + i), round));
	}
}

/* Those that have that value at the beginning of a round; @item and @round: of the last one */
static unsigned int count_waves(uint32_t value, uint32_t *item, uint32_t *round)
{
	unsigned int num = 0;

	for (uint32_t i = 0; i < prog.items; i++) {
		for (uint32_t r = 0; r < ROUNDS; r++) {
			if (after_rounds(input(i), r) != value)
				continue;
			*item = i;
			*round = r;
			num++;
		}
	}
	return num;
}

/* ------------------------------------------------------------------ a register */

/* Of a thousand waves, in one lane of one of them, in one of its rounds */
static void a_condition_on_one_lane_stops_one_wave(void **state)
{
	uint32_t value = after_rounds(input(12345), 5), item = 0, round = 0;
	struct adbgd_condition c = {
		.space = AMDGPUDBG_REG_VGPR, .reg = 3, .relation = ADBGD_RELATION_EQUAL,
		.value = value,
	};
	struct adbgd_breakpoint *b = set_if("breaks_loop", 0, &c);
	struct adbgd_stop stop;

	(void)state;
	assert_int_equal(count_waves(value, &item, &round), 1);
	breaks_begin();
	stop = stop_at(b);
	assert_wave(&stop, item, round);
	/* All others end. */
	wait_waves(1);
	assert_no_stop();
	assert_wave(&stop, item, round);
	continue_wave(&stop);
	finish_job();
	assert_no_stop();
	assert_true(adbgd_breakpoint_get_info(b)->hits == 1);
	assert_int_equal(adbgd_breakpoint_get_condition(b)->value, value);
}

static void a_condition_selects_lanes(void **state)
{
	uint32_t value = after_rounds(input(77), 3), item = 0, round = 0;
	struct adbgd_condition c = {
		.space = AMDGPUDBG_REG_VGPR, .reg = 3, .relation = ADBGD_RELATION_EQUAL,
		.value = value, .lanes = ~(1ULL << 77 % 32),
	};
	struct adbgd_breakpoint *b = set_if("breaks_loop", 0, &c);

	(void)state;
	assert_int_equal(count_waves(value, &item, &round), 1);
	breaks_begin();
	assert_int_equal(stops_until_end(b, NULL), 0);
	finish_job();
	c.lanes = ~c.lanes;
	change(b, &c);
	breaks_begin();
	assert_int_equal(stops_until_end(b, NULL), 1);
	finish_job();
}

static uint32_t seen_rounds;

static void note_round(const struct adbgd_stop *stop)
{
	seen_rounds |= 1u << read_sgpr(&stop->at, 13);
	assert_int_equal(read_sgpr(&stop->at, 12), 3 * PROG_GROUP);
}

/* The two waves of a group, in the rounds in which a relation holds */
static void each_relation_of_a_condition_works(void **state)
{
	static const struct {
		uint32_t relation, value, rounds;
	} cases[] = {
		{ ADBGD_RELATION_EQUAL, 6, 0x40 }, { ADBGD_RELATION_NOT_EQUAL, 6, 0xbf },
		{ ADBGD_RELATION_LESS, 3, 0x07 }, { ADBGD_RELATION_LESS, 0xffffffff, 0xff },
		{ ADBGD_RELATION_LESS_SIGNED, 0xffffffff, 0 },
		{ ADBGD_RELATION_LESS_SIGNED, 2, 0x03 }, { ADBGD_RELATION_HAS_BITS, 5, 0xfa },
	};
	struct adbgd_condition c = {
		.flags = ADBGD_CONDITION_GROUP, .group = { 3, 0, 0 },
		.space = AMDGPUDBG_REG_SGPR, .reg = 13, .relation = ADBGD_RELATION_EQUAL,
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct adbgd_breakpoint *b;

		c.relation = cases[i].relation;
		c.value = cases[i].value;
		b = set_if("breaks_loop", 0, &c);
		seen_rounds = 0;
		breaks_begin();
		assert_int_equal(stops_until_end(b, note_round),
				 2 * __builtin_popcount(cases[i].rounds));
		assert_int_equal(seen_rounds, cases[i].rounds);
		finish_job();
		MUST(adbgd_breakpoint_clear(b, &error));
	}
}

/* -------------------------------------------------------------------- counts */

static void every_nth_hit_stops_a_wave(void **state)
{
	unsigned int waves = prog.items / 32;
	struct adbgd_condition c = { .every = 50 };
	struct adbgd_breakpoint *b = set_if("breaks_call", 0, &c);

	(void)state;
	breaks_begin();
	assert_int_equal(stops_until_end(b, NULL), ROUNDS * waves / 50);
	finish_job();
	/* What does not hold is no hit. */
	MUST(adbgd_breakpoint_clear(b, &error));
	c = (struct adbgd_condition){
		.space = AMDGPUDBG_REG_SGPR, .reg = 13, .relation = ADBGD_RELATION_EQUAL,
		.value = 4, .every = 7,
	};
	b = set_if("breaks_call", 0, &c);
	breaks_begin();
	assert_int_equal(stops_until_end(b, NULL), waves / 7);
	finish_job();
}

static void the_first_wave_to_arrive_stops(void **state)
{
	struct adbgd_condition c = { .nth = 1 };
	struct adbgd_breakpoint *b = set_if("breaks_mad", ADBGD_BREAKPOINT_TEMPORARY, &c);
	struct adbgd_stop stop;

	(void)state;
	breaks_begin();
	stop = stop_at(b);
	assert_null(adbgd_process_get_breakpoint(process, 0));
	wait_waves(1);
	assert_no_stop();
	continue_wave(&stop);
	finish_job();
	/* The 11th, in whatever wave, and no other; it stays. */
	c.nth = 11;
	b = set_if("breaks_mad", 0, &c);
	breaks_begin();
	assert_int_equal(stops_until_end(b, NULL), 1);
	finish_job();
}

/* --------------------------------------------------------------------- places */

static struct amdgpudbg_wave_coord chosen;

static void assert_chosen(const struct adbgd_stop *stop)
{
	assert_memory_equal(&stop->at, &chosen, sizeof(chosen));
}

static void a_condition_selects_a_slot(void **state)
{
	struct amdgpudbg_wave wave;
	struct amdgpudbg_wave_list list = { .capacity = 1, .waves = (uintptr_t)&wave };
	struct adbgd_condition c = {
		.flags = ADBGD_CONDITION_WAVE,
		.space = AMDGPUDBG_REG_SGPR, .reg = 13, .relation = ADBGD_RELATION_EQUAL,
		.value = 0,
	};
	struct adbgd_breakpoint *b;
	int ret;

	(void)state;
	start_job();
	do {
		ret = adbg_wave_read(adbgd_process_get_session(process), &list);
		assert_true(!ret || ret == -EMSGSIZE);
	} while (!list.count);
	chosen = wave.at;
	c.at = chosen;
	b = set_if("breaks_loop", 0, &c);
	release_waves();
	/* One by one, as many as come there */
	assert_in_range(stops_until_end(b, assert_chosen), 1, prog.items / 32);
	finish_job();
}

/* ---------------------------------------------------------- while waves run */

static const struct adbgd_condition never = {
	.space = AMDGPUDBG_REG_SGPR, .reg = 13, .relation = ADBGD_RELATION_EQUAL,
	.value = 0xffffffff,
};

static const struct adbgd_condition group_5 = {
	.flags = ADBGD_CONDITION_GROUP, .group = { 5, 0, 0 },
};

static void conditions_change_while_waves_run(void **state)
{
	struct adbgd_breakpoint *b = set_if("rounds_loop", 0, &never);
	struct adbgd_stop stops[2];

	(void)state;
	start_rounds();
	for (unsigned int i = 0; i < 20; i++) {
		change(b, &group_5);
		for (unsigned int k = 0; k < 2; k++) {
			stops[k] = stop_at(b);
			assert_int_equal(read_sgpr(&stops[k].at, 12), 5 * PROG_GROUP);
		}
		/* Others that have reached it since then did not stop. */
		change(b, &never);
		continue_wave(&stops[0]);
		continue_wave(&stops[1]);
		assert_no_stop();
	}
	/* First all waves stop, then none again: the halted ones are resumed. */
	change(b, NULL);
	wait_halted(prog.items / 32);
	change(b, &never);
	for (unsigned int i = 0; i < prog.items / 32; i++)
		stop_at(b);
	MUST(adbgd_process_continue(process, &error));
	finish_rounds();
	assert_no_stop();
}

/* While others come to it all the time, so that some are always in their handler */
static void waves_pass_while_others_are_stopped(void **state)
{
	struct adbgd_breakpoint *b = set_if("rounds_loop", 0, &never), *other;
	struct adbgd_stop stop;

	(void)state;
	start_rounds();
	for (unsigned int i = 0; i < 10; i++) {
		MUST(adbgd_process_halt(process, &error));
		MUST(adbgd_process_continue(process, &error));
		other = set_if("rounds_after", 0, &group_5);
		stop = stop_at(other);
		MUST(adbgd_wave_step(process, &stop.at, &stop, &error));
		assert_int_equal(stop.reason, ADBGD_STOP_STEP);
		MUST(adbgd_breakpoint_clear(other, &error));
		MUST(adbgd_process_continue(process, &error));
		while (!adbgd_process_wait_stop(process, 0, &stop, &error))
			continue_wave(&stop);
	}
	MUST(adbgd_breakpoint_clear(b, &error));
	finish_rounds();
}

/* What is at no breakpoint stops as before: here, the host's traps. */
static void what_is_no_breakpoint_stops(void **state)
{
	struct adbg_session *session = adbgd_process_get_session(process);
	struct amdgpudbg_wave_control trap = {
		.op = AMDGPUDBG_WAVEOP_TRAP, .mode = AMDGPUDBG_WAVEMODE_SINGLE, .trap_id = 1,
	};
	struct adbgd_breakpoint *b = set_if("rounds_loop", 0, &never);
	struct adbgd_stop stop;

	(void)state;
	start_rounds();
	trap.vmid = adbgd_process_get_info(process)->vmid;
	for (unsigned int i = 0; i < 20; i++) {
		struct amdgpudbg_wave waves[MAX_WAVES];
		struct amdgpudbg_wave_list list = {
			.capacity = MAX_WAVES, .waves = (uintptr_t)waves,
		};

		assert_int_equal(adbg_wave_read(session, &list), 0);
		trap.at = waves[i * 7 % list.count].at;
		assert_int_equal(adbg_wave_control(session, &trap), 0);
		stop = next_stop();
		assert_int_equal(stop.reason, ADBGD_STOP_HOST_TRAP);
		assert_memory_equal(&stop.at, &trap.at, sizeof(trap.at));
		continue_wave(&stop);
	}
	finish_rounds();
	assert_true(!adbgd_breakpoint_get_info(b)->hits);
}

/* --------------------------------------------------------------------- slots */

/* Let a wave's next round be its last; the others run on. */
static void last_round(const struct adbgd_stop *stop)
{
	write_reg(&stop->at, AMDGPUDBG_REG_SGPR, 13, UINT32_MAX - 1);
}

/* Groups wait for room: when both waves of one have ended, another's are there at once. */
static void a_clear_does_not_wait_for_waves_that_have_ended(void **state)
{
	/* All other waves run at the same time, 2,560 on the largest GPU. */
	const struct itimerspec end = { .it_value.tv_sec = 4 * DEADLINE_MS / 1000 };
	int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	struct adbgd_breakpoint *b = set_if("rounds_loop", 0, &group_5);
	struct adbgd_stop stops[2], stop;
	uint64_t expired;

	(void)state;
	start_kernel("rounds");
	prog_ctl(&prog)[2] = UINT32_MAX;
	release_waves();
	for (unsigned int k = 0; k < 2; k++) {
		stops[k] = stop_at(b);
		last_round(&stops[k]);
	}
	MUST(adbgd_breakpoint_clear(b, &error));
	continue_wave(&stops[0]);
	assert_int_equal(timerfd_settime(timer, 0, &end, NULL), 0);
	adbgd_process_set_interrupt(process, timer);
	MUST(adbgd_wave_until(process, &stops[1].at, address_of("breaks_end"), -1, &stop, &error));
	assert_string_equal(adbgd_stop_reason_name(stop.reason), "wave-end");
	/* Nor was it seen when that was interrupted. */
	assert_int_equal(read(timer, &expired, sizeof(expired)), -1);
	adbgd_process_set_interrupt(process, -1);
	close(timer);
	assert_int_equal(count_halted(), 0);
	prog_ctl(&prog)[2] = 0;
	wait_job();
}

/* --------------------------------------------------------------------- limits */

/* Bits that do not follow each other take many instructions. */
static void conditions_without_room_are_refused(void **state)
{
	static const char *const names[] = {
		"breaks_call", "breaks_function", "breaks_mad", "breaks_return",
		"breaks_compare", "breaks_branch",
	};
	struct adbgd_condition c = {
		.space = AMDGPUDBG_REG_VGPR, .reg = 3, .relation = ADBGD_RELATION_HAS_BITS,
		.value = 0x80000000,
	};
	struct adbgd_breakpoint *first = set_if("breaks_loop", 0, &c), *b = NULL;
	unsigned int i = 0;
	int ret;

	(void)state;
	c.value = 0x55500000;
	c.reg = 2;
	do {
		ret = adbgd_breakpoint_set_if(process, address_of(names[i]), 0, &c, &b, &error);
	} while (!ret && ++i < 6);
	assert_int_equal(ret, -ENOSPC);
	assert_non_null(strstr(error.text, "has no room for the conditions of"));
	assert_in_range(i, 1, 5);
	assert_null(adbgd_process_get_breakpoint(process, i + 1));
	/* Nor can one that is there have more than there is room for. */
	c.reg = 3;
	c.value = 0x55555555;
	assert_int_equal(adbgd_breakpoint_set_condition(first, &c, &error), -ENOSPC);
	assert_int_equal(adbgd_breakpoint_get_condition(first)->value, 0x80000000);
	/* Without one, there may be others. */
	MUST(adbgd_breakpoint_set(process, address_of("breaks_store"), 0, &b, &error));
	MUST(adbgd_breakpoint_clear(b, &error));
	/* All is as before: no x is so large. */
	breaks_begin();
	assert_int_equal(stops_until_end(first, NULL), 0);
	finish_job();
}

static void refused(struct adbgd_condition c, const char *words)
{
	struct adbgd_breakpoint *b = adbgd_process_get_breakpoint(process, 0);

	assert_int_equal(adbgd_breakpoint_set_if(process, address_of("breaks_call"), 0, &c, NULL,
						 &error), -EINVAL);
	if (!strstr(error.text, words))
		fail_msg("\"%s\" is not in \"%s\"", words, error.text);
	assert_int_equal(adbgd_breakpoint_set_condition(b, &c, &error), -EINVAL);
	assert_null(adbgd_breakpoint_get_condition(b));
	assert_null(adbgd_process_get_breakpoint(process, 1));
}

static void impossible_conditions_give_a_message(void **state)
{
	struct adbgd_condition c = { .relation = ADBGD_RELATION_EQUAL, .reg = 108 };

	(void)state;
	set_if("breaks_loop", 0, NULL);
	refused(c, "cannot compare register 108");
	c.space = AMDGPUDBG_REG_VGPR;
	c.reg = 256;
	refused(c, "cannot compare register 256");
	c.space = AMDGPUDBG_REG_TTMP;
	c.reg = 0;
	refused(c, "cannot compare register 0");
	c.space = ADBGD_REG_M0;
	c.reg = 1;
	refused(c, "cannot compare register 1");
	c.space = AMDGPUDBG_REG_SGPR;
	c.relation = ADBGD_RELATION_LESS;
	refused(c, "no register is less than 0");
	c.relation = ADBGD_RELATION_HAS_BITS;
	refused(c, "the mask is 0: a register cannot have one of its bits");
	c.relation = ADBGD_RELATION_GREATER_SIGNED + 1;
	refused(c, "unknown relation: 8");
	c.relation = ADBGD_RELATION_GREATER;
	c.value = UINT32_MAX;
	refused(c, "no register is greater than 0xffffffff");
	refused((struct adbgd_condition){ .every = 2, .nth = 3 },
		"\"every 2\" and \"hit 3\" cannot be used");
	refused((struct adbgd_condition){ .flags = 4 }, "unknown condition flags: 0x4");
	refused((struct adbgd_condition){
		.flags = ADBGD_CONDITION_WAVE, .at = { .se = 4 },
	}, "the GPU has no wave slot se4");
}

/* All waves of "rounds" have to be there at once. */
static int set_up_some(void **state)
{
	prog.items = SOME_ITEMS;
	return set_up(state);
}

static int take_down_some(void **state)
{
	int ret = take_down(state);

	prog.items = MANY_ITEMS;
	return ret;
}

#define RUNNING(name) cmocka_unit_test_setup_teardown(name, set_up_some, take_down_some)

/* In the long form: the other conditions, each with all waves. */
static int test_long(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_condition_selects_lanes),
		TEST(each_relation_of_a_condition_works),
		TEST(every_nth_hit_stops_a_wave),
		TEST(the_first_wave_to_arrive_stops),
		TEST(a_condition_selects_a_slot),
		TEST(conditions_without_room_are_refused),
	};

	return cmocka_run_group_tests(tests, open_many, close_prog);
}

int debugger_if(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_condition_on_one_lane_stops_one_wave),
		RUNNING(conditions_change_while_waves_run),
		RUNNING(waves_pass_while_others_are_stopped),
		RUNNING(what_is_no_breakpoint_stops),
		TEST(a_clear_does_not_wait_for_waves_that_have_ended),
		TEST(impossible_conditions_give_a_message),
	};

	return cmocka_run_group_tests(tests, open_many, close_prog) +
	       (long_or_short(1, 0) ? test_long() : 0);
}

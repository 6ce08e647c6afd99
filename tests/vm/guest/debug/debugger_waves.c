// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Many waves are halted at the same time, by the host or by their handler, and are read, stepped
 * and resumed in any order. breaks.s documents the registers of a wave at each instruction of
 * "rounds".
 */
#include "debugger.h"
#include "until.h"

#include <stdlib.h>

#define MANY_WAVES	(SOME_ITEMS / 32)
#define MAX_STEPS	3
#define NUM_LANES	8	/* that are looked at, of each wave */

/* s12 and s13, v1 and v3 */
struct registers {
	uint32_t first, rounds;
	uint32_t v1[NUM_LANES], v3[NUM_LANES];
};

static struct registers read_registers(const struct amdgpudbg_wave_coord *at, uint32_t lane)
{
	const struct amdgpudbg_reg_range ranges[] = {
		{ .space = AMDGPUDBG_REG_SGPR, .first = 12, .count = 2 },
		{ .space = AMDGPUDBG_REG_VGPR, .first = 1, .count = 1,
		  .first_lane = lane, .num_lanes = NUM_LANES },
		{ .space = AMDGPUDBG_REG_VGPR, .first = 3, .count = 1,
		  .first_lane = lane, .num_lanes = NUM_LANES },
	};
	struct registers r;
	struct amdgpudbg_reg_access access = {
		.at = *at, .num_ranges = 3, .ranges = (uintptr_t)ranges,
		.num_values = sizeof(r) / 4, .values = (uintptr_t)&r,
	};

	assert_int_equal(adbg_reg_access(adbgd_process_get_session(process), &access), 0);
	return r;
}

/* Addresses of names, which are looked up once */
static struct {
	uint64_t begin, loop, call, after, branch_end, outer, inner, mad, inner_return;
} at;

static void find_names(void)
{
	at.begin = address_of("rounds");
	at.loop = address_of("rounds_loop");
	at.call = address_of("rounds_call");
	at.after = address_of("rounds_after");
	at.branch_end = address_of("rounds_branch") + 4;
	at.outer = address_of("rounds_outer");
	at.inner = address_of("rounds_inner");
	at.mad = address_of("rounds_mad");
	at.inner_return = address_of("rounds_inner_return");
}

/* What x of item @i is at @pc, when the wave has counted so many rounds; false: not there yet */
static bool expected(uint64_t pc, uint32_t i, uint32_t rounds, uint32_t *x)
{
	if (pc < at.loop)
		return false;
	/* It has counted this round, and has not computed it. */
	if (pc == at.call || pc == at.outer || pc == at.inner) {
		*x = after_rounds(input(i), rounds - 1);
		return true;
	}
	if (pc == at.mad) {
		*x = after_rounds(input(i), rounds - 1) & 0xffffff;
		return true;
	}
	*x = after_rounds(input(i), rounds);
	return true;
}

/* Has the wave at @pc what it must have, in some lanes? Its number in the dispatch */
static uint32_t assert_registers(const struct amdgpudbg_wave_coord *wave, uint64_t pc)
{
	uint32_t lane = rand() % (32 - NUM_LANES + 1), first, x;
	struct registers r = read_registers(wave, lane);

	first = r.v1[0] / 4 - lane;
	assert_true(first < SOME_ITEMS && !(first % 32));
	assert_int_equal(r.first, first / PROG_GROUP * PROG_GROUP);
	assert_in_range(pc, at.begin, at.inner_return);
	/* It is a loop without end. */
	assert_false(pc >= at.branch_end && pc < at.outer);
	for (uint32_t i = 0; i < NUM_LANES; i++) {
		uint32_t item = first + lane + i;

		assert_int_equal(r.v1[i], 4 * item);
		if (expected(pc, item, r.rounds, &x) && r.v3[i] != x)
			fail_msg("at %#llx, item %u has %#x after %u rounds, not %#x",
				 (unsigned long long)pc, item, r.v3[i], r.rounds, x);
	}
	return first / 32;
}

/* The order of @num things, as rand() has it */
static void shuffle(unsigned int *order, unsigned int num)
{
	for (unsigned int i = 0; i < num; i++) {
		unsigned int k = rand() % (i + 1);

		order[i] = order[k];
		order[k] = i;
	}
}

/* They are halted, and none is missing. */
static void list_all(struct amdgpudbg_wave waves[MANY_WAVES])
{
	struct amdgpudbg_wave_list list = {
		.flags = AMDGPUDBG_WAVE_LIST_TTMP,
		.capacity = MANY_WAVES, .waves = (uintptr_t)waves,
	};

	assert_int_equal(adbg_wave_read(adbgd_process_get_session(process), &list), 0);
	assert_int_equal(list.count, MANY_WAVES);
	for (unsigned int i = 0; i < MANY_WAVES; i++)
		assert_true(waves[i].flags & AMDGPUDBG_WAVE_HALTED);
}

/* Each is another one, and the same one as ever in its place. */
static void look_at_all(const struct amdgpudbg_wave waves[MANY_WAVES], uint32_t who[MANY_WAVES],
			bool is_first)
{
	unsigned int order[MANY_WAVES];
	uint64_t seen = 0;

	shuffle(order, MANY_WAVES);
	for (unsigned int i = 0; i < MANY_WAVES; i++) {
		const struct amdgpudbg_wave *wave = &waves[order[i]];
		uint32_t item = assert_registers(&wave->at,
						 adbgd_wave_get_pc(process, wave));

		assert_false(seen >> item & 1);
		seen |= 1ull << item;
		if (is_first)
			who[order[i]] = item;
		assert_int_equal(who[order[i]], item);
	}
}

/* A few instructions, behind each of which it has what it must have */
static void step_some(const struct amdgpudbg_wave *wave, uint32_t who)
{
	unsigned int num = rand() % 4 ? 0 : 1 + rand() % MAX_STEPS;
	struct adbgd_stop stop;

	while (num--) {
		MUST(adbgd_wave_step(process, &wave->at, &stop, &error));
		assert_string_equal(adbgd_stop_reason_name(stop.reason), "step");
		assert_int_equal(assert_registers(&stop.at, stop.pc), who);
	}
}

/* Waves that were not resumed are counted once: a list of so many waves takes long. */
static void one_round(uint32_t who[MANY_WAVES], bool is_first)
{
	static struct amdgpudbg_wave waves[MANY_WAVES];
	unsigned int order[MANY_WAVES], counted = 1 + rand() % MANY_WAVES;

	MUST(adbgd_process_halt(process, &error));
	list_all(waves);
	look_at_all(waves, who, is_first);
	shuffle(order, MANY_WAVES);
	for (unsigned int i = 0; i < MANY_WAVES; i++) {
		const struct amdgpudbg_wave *wave = &waves[order[i]];

		step_some(wave, who[order[i]]);
		MUST(adbgd_wave_continue(process, &wave->at, &error));
		if (i + 1 == counted)
			assert_int_equal(count_halted(), MANY_WAVES - counted);
	}
	assert_no_stop();
}

static void waves_resume_in_any_order(void **state)
{
	unsigned int rounds = long_or_short(100, 4);
	uint32_t who[MANY_WAVES];

	(void)state;
	find_names();
	start_rounds();
	for (unsigned int round = 0; round < rounds; round++) {
		srand(round);
		one_round(who, !round);
		print_progress(round + 1);
	}
	finish_rounds();
	assert_no_stop();
}

/* ------------------------------------------------------------ stopped by their handler */

/* Each of them has come to the breakpoint in a round of its own, and is another one. */
static void all_have_stopped_at(struct adbgd_breakpoint *b, struct adbgd_stop stops[MANY_WAVES])
{
	uint64_t seen = 0;

	for (unsigned int i = 0; i < MANY_WAVES; i++)
		stops[i] = stop_at(b);
	assert_no_stop();
	assert_int_equal(count_halted(), MANY_WAVES);
	for (unsigned int i = 0; i < MANY_WAVES; i++)
		seen |= 1ull << assert_registers(&stops[i].at, stops[i].pc);
	assert_true(seen == UINT64_MAX);
}

static void resume_in_any_order(const struct adbgd_stop stops[MANY_WAVES])
{
	unsigned int order[MANY_WAVES];

	shuffle(order, MANY_WAVES);
	for (unsigned int i = 0; i < MANY_WAVES; i++)
		MUST(adbgd_wave_continue(process, &stops[order[i]].at, &error));
}

/* They reach the breakpoint again, and are resumed there when it is cleared. */
static void all_waves_stop_at_a_breakpoint(void **state)
{
	struct adbgd_stop stops[MANY_WAVES];
	struct adbgd_breakpoint *b;

	(void)state;
	find_names();
	srand(1);
	MUST(adbgd_breakpoint_set(process, at.mad, 0, &b, &error));
	start_rounds();
	for (unsigned int round = 0; round < 2; round++) {
		all_have_stopped_at(b, stops);
		resume_in_any_order(stops);
	}
	all_have_stopped_at(b, stops);
	MUST(adbgd_breakpoint_clear(b, &error));
	resume_in_any_order(stops);
	assert_int_equal(count_halted(), 0);
	finish_rounds();
	assert_no_stop();
}

int debugger_waves(void)
{
	const struct CMUnitTest tests[] = {
		TEST(waves_resume_in_any_order),
		TEST(all_waves_stop_at_a_breakpoint),
	};

	return cmocka_run_group_tests(tests, open_waves, close_prog);
}

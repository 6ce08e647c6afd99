// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Breakpoints by stepping, which change no code: waves stop there, by address and by
 * instruction, and leave debug mode when there are no such breakpoints any more.
 */
#include "debugger.h"

#include <unistd.h>

/* RDNA 2 ISA document: S_GETPC_B64 is SOP1 31, V_MAD_U32_U24 VOP3 323 */
static const struct adbgd_insn_match getpc = { 0xbe801f00, 0xff80ff00 };
static const struct adbgd_insn_match mad = { 0xd5430000, 0xffff0000 };

static struct adbgd_breakpoint *stepped_if(const char *name, uint32_t flags,
					   const struct adbgd_condition *c)
{
	struct adbgd_breakpoint *b;

	MUST(adbgd_breakpoint_set_if(process, address_of(name), flags | ADBGD_BREAKPOINT_STEPPED, c,
				     &b, &error));
	return b;
}

static struct adbgd_breakpoint *stepped(const char *name)
{
	return stepped_if(name, 0, NULL);
}

static struct adbgd_breakpoint *stepped_insns(const struct adbgd_insn_match *insns, size_t num,
					      const struct adbgd_condition *c)
{
	struct adbgd_breakpoint *b;

	MUST(adbgd_breakpoint_set_insn(process, insns, num, 0, c, &b, &error));
	return b;
}

static void continue_all(void)
{
	MUST(adbgd_process_continue(process, &error));
}

/* How many of the process's waves are in debug mode */
static unsigned int count_debugged(void)
{
	const struct adbg_reg *mode = adbg_reg_find(adbgd_process_get_info(process)->gc_version,
						    "MODE");
	const struct adbg_field *debug = adbg_reg_find_field(mode, "DEBUG_EN");
	struct adbg_wave_list *list;
	const struct amdgpudbg_wave *w;
	unsigned int num = 0;

	assert_int_equal(adbg_wave_list_new(&list), 0);
	assert_int_equal(adbg_wave_list_read(list, adbgd_process_get_session(process), 0), 0);
	for (size_t i = 0; (w = adbg_wave_list_get(list, i)); i++)
		num += adbg_field_value(debug, adbg_reg_value(mode, w));
	adbg_wave_list_free(list);
	return num;
}

/* ------------------------------------------------------------------- addresses */

static void waves_stop_in_each_round_by_stepping(void **state)
{
	struct adbgd_breakpoint *b = stepped("breaks_mad");
	struct adbgd_stop stops[NUM_WAVES];

	(void)state;
	assert_int_equal(adbgd_breakpoint_get_info(b)->flags, ADBGD_BREAKPOINT_STEPPED);
	start_job();
	release_waves();
	for (unsigned int round = 1; round <= ROUNDS; round++) {
		all_stop_at(b, stops);
		assert_code_as_before();
		for (unsigned int i = 0; i < NUM_WAVES; i++)
			assert_int_equal(read_sgpr(&stops[i].at, 13), round);
		continue_all();
	}
	finish_job();
	assert_no_stop();
	assert_true(adbgd_breakpoint_get_info(b)->hits == ROUNDS * NUM_WAVES);
}

/* Those of the loop in one round, since then they are gone; and all behind it */
static void each_kind_of_instruction_can_have_a_breakpoint_by_stepping(void **state)
{
	static const char *const names[] = {
		"breaks_loop", "breaks_call", "breaks_function", "breaks_mad", "breaks_return",
		"breaks_compare", "breaks_branch", "breaks_getpc", "breaks_after", "breaks_again",
		"breaks_store", "breaks_end",
	};
	enum { NUM = sizeof(names) / sizeof(names[0]), IN_LOOP = 7 };
	struct adbgd_stop stops[NUM_WAVES];
	struct adbgd_breakpoint *b[NUM];

	(void)state;
	for (unsigned int i = 0; i < NUM; i++)
		b[i] = stepped(names[i]);
	start_job();
	release_waves();
	for (unsigned int i = 0; i < NUM; i++) {
		all_stop_at(b[i], stops);
		if (i < IN_LOOP)
			MUST(adbgd_breakpoint_clear(b[i], &error));
		continue_all();
	}
	finish_job();
}

/* Waves that have begun before them, and run */
static void running_waves_stop_at_a_breakpoint_by_stepping(void **state)
{
	struct adbgd_stop stops[NUM_WAVES];
	struct adbgd_breakpoint *b;

	(void)state;
	start_job();
	wait_begun();
	assert_int_equal(count_debugged(), 0);
	b = stepped("breaks_loop");
	assert_int_equal(count_debugged(), NUM_WAVES);
	release_waves();
	all_stop_at(b, stops);
	MUST(adbgd_breakpoint_clear(b, &error));
	assert_int_equal(count_debugged(), 0);
	continue_all();
	finish_job();
}

static void a_breakpoint_by_stepping_waits_for_waves_without_the_handler(void **state)
{
	(void)state;
	waits_for_waves_of_before(ADBGD_BREAKPOINT_STEPPED);
}

/* ---------------------------------------------------------------- instructions */

static struct adbgd_stop stop_by(struct adbgd_breakpoint *b, const char *name)
{
	struct adbgd_stop stop = next_stop();

	assert_int_equal(stop.reason, ADBGD_STOP_BREAKPOINT);
	assert_int_equal(stop.breakpoint, adbgd_breakpoint_get_info(b)->number);
	if (stop.pc != address_of(name))
		fail_msg("it is at %#llx, not %s", (unsigned long long)stop.pc, name);
	return stop;
}

static void waves_stop_before_matching_instructions(void **state)
{
	struct adbgd_breakpoint *b = stepped_insns(&getpc, 1, NULL);
	const struct adbgd_breakpoint_info *info = adbgd_breakpoint_get_info(b);
	uint64_t second = address_of("breaks_again") - 4;

	(void)state;
	assert_true(!info->address);
	assert_int_equal(info->num_insns, 1);
	assert_memory_equal(info->insns, &getpc, sizeof(getpc));
	start_job();
	release_waves();
	for (unsigned int i = 0; i < NUM_WAVES; i++)
		stop_by(b, "breaks_getpc");
	continue_all();
	for (unsigned int i = 0; i < NUM_WAVES; i++)
		assert_true(next_stop().pc == second);
	continue_all();
	finish_job();
	assert_no_stop();
	assert_true(info->hits == 2 * NUM_WAVES);
}

static void one_of_several_patterns_is_enough(void **state)
{
	const struct adbgd_insn_match insns[] = { mad, { 0x12345678, 0xffffffff }, getpc };
	struct adbgd_breakpoint *b = stepped_insns(insns, 3, NULL);

	(void)state;
	start_job();
	release_waves();
	for (unsigned int n = 0; n < ROUNDS; n++) {
		for (unsigned int i = 0; i < NUM_WAVES; i++)
			stop_by(b, "breaks_mad");
		continue_all();
	}
	for (unsigned int i = 0; i < NUM_WAVES; i++)
		stop_by(b, "breaks_getpc");
	MUST(adbgd_breakpoint_clear(b, &error));
	continue_all();
	finish_job();
}

/* Which of two it was is not known by where the wave is. */
static void a_stop_names_its_breakpoint_by_stepping(void **state)
{
	struct adbgd_condition third = { .space = AMDGPUDBG_REG_SGPR, .reg = 13,
					 .relation = ADBGD_RELATION_EQUAL, .value = 3 };
	struct adbgd_condition seventh = third;
	struct adbgd_breakpoint *a, *b, *c;
	struct adbgd_stop stop;

	(void)state;
	seventh.value = 7;
	a = stepped_if("breaks_mad", 0, &third);
	b = stepped_insns(&mad, 1, &seventh);
	c = stepped("breaks_getpc");
	start_job();
	release_waves();
	for (unsigned int i = 0; i < NUM_WAVES; i++) {
		stop = stop_by(a, "breaks_mad");
		assert_int_equal(read_sgpr(&stop.at, 13), 3);
	}
	continue_all();
	for (unsigned int i = 0; i < NUM_WAVES; i++) {
		stop = stop_by(b, "breaks_mad");
		assert_int_equal(read_sgpr(&stop.at, 13), 7);
	}
	continue_all();
	for (unsigned int i = 0; i < NUM_WAVES; i++)
		stop_by(c, "breaks_getpc");
	continue_all();
	finish_job();
	assert_no_stop();
}

/* ------------------------------------------------------------------ conditions */

static void a_condition_on_one_lane_stops_one_wave_by_stepping(void **state)
{
	struct adbgd_condition c = {
		.space = AMDGPUDBG_REG_VGPR, .reg = 3, .relation = ADBGD_RELATION_EQUAL,
		.value = after_rounds(input(123), 5),
	};
	struct adbgd_breakpoint *b = stepped_if("breaks_loop", 0, &c);
	struct adbgd_stop stop;
	uint32_t lanes[32];

	(void)state;
	start_job();
	release_waves();
	stop = stop_at(b);
	read_lanes(&stop.at, 3, lanes);
	assert_int_equal(lanes[123 % 32], c.value);
	assert_int_equal(read_sgpr(&stop.at, 13), 5);
	/* All others end. */
	wait_waves(1);
	continue_all();
	finish_job();
	assert_no_stop();
}

static void hits_of_breakpoints_by_stepping_are_counted(void **state)
{
	struct adbgd_condition c = { .every = 5 };
	struct adbgd_breakpoint *b = stepped_if("breaks_mad", 0, &c);
	struct adbgd_stop stop;
	unsigned int num = 0;

	(void)state;
	start_job();
	release_waves();
	do {
		int ret = adbgd_process_wait_stop(process, 10, &stop, &error);

		if (ret == -EAGAIN)
			continue;
		MUST(ret);
		assert_int_equal(stop.breakpoint, adbgd_breakpoint_get_info(b)->number);
		num++;
		MUST(adbgd_wave_continue(process, &stop.at, &error));
	} while (!job_has_ended());
	finish_job();
	assert_int_equal(num, ROUNDS * NUM_WAVES / 5);
}

/* -------------------------------------------------------- beside all the rest */

/* At the same address: the wave continues displaced, and stops once. */
static void a_patch_may_be_at_the_same_address(void **state)
{
	struct adbgd_breakpoint *patch, *b = stepped("breaks_call");
	struct adbgd_stop stops[NUM_WAVES];

	(void)state;
	MUST(adbgd_breakpoint_set(process, address_of("breaks_call"), 0, &patch, &error));
	assert_int_equal(adbgd_breakpoint_set_if(process, address_of("breaks_call"),
						 ADBGD_BREAKPOINT_STEPPED, NULL, NULL, &error),
			 -EEXIST);
	start_job();
	release_waves();
	all_stop_at(b, stops);
	continue_all();
	all_stop_at(b, stops);
	MUST(adbgd_breakpoint_clear(b, &error));
	continue_all();
	all_stop_at(patch, stops);
	MUST(adbgd_breakpoint_clear(patch, &error));
	continue_all();
	finish_job();
}

/* A wave that is stepped, and one that runs to somewhere, come to them, too. */
static void steps_and_runs_stop_at_breakpoints_by_stepping(void **state)
{
	struct adbgd_breakpoint *b = stepped("breaks_call"), *m = stepped("breaks_mad");
	struct adbgd_stop stops[NUM_WAVES], stop;

	(void)state;
	start_job();
	release_waves();
	all_stop_at(b, stops);
	MUST(adbgd_wave_step(process, &stops[0].at, &stop, &error));
	assert_true(stop.pc == address_of("breaks_function") && !stop.breakpoint);
	MUST(adbgd_wave_step(process, &stops[0].at, &stop, &error));
	assert_true(stop.pc == address_of("breaks_mad"));
	assert_int_equal(stop.breakpoint, adbgd_breakpoint_get_info(m)->number);
	MUST(adbgd_wave_step(process, &stops[0].at, &stop, &error));
	/* It is in debug mode again as soon as it is resumed. */
	MUST(adbgd_wave_continue(process, &stops[0].at, &error));
	stop = stop_at(b);
	assert_memory_equal(&stop.at, &stops[0].at, sizeof(stop.at));
	/* One stands on its way, and then it comes there. */
	MUST(adbgd_wave_until(process, &stop.at, address_of("breaks_compare"), DEADLINE_MS, &stop,
			      &error));
	assert_int_equal(stop.reason, ADBGD_STOP_BREAKPOINT);
	assert_true(stop.pc == address_of("breaks_mad"));
	MUST(adbgd_wave_until(process, &stop.at, address_of("breaks_compare"), DEADLINE_MS, &stop,
			      &error));
	assert_int_equal(stop.reason, ADBGD_STOP_STEP);
	assert_true(stop.pc == address_of("breaks_compare"));
	MUST(adbgd_breakpoint_clear(b, &error));
	MUST(adbgd_breakpoint_clear(m, &error));
	continue_all();
	finish_job();
}

static void waves_halted_at_their_start_stop_later(void **state)
{
	struct adbgd_breakpoint *b = stepped("breaks_mad");
	struct adbgd_stop stops[NUM_WAVES], stop;

	(void)state;
	MUST(adbgd_process_stop_at_start(process, true, &error));
	start_job();
	release_waves();
	stop = next_stop();
	assert_int_equal(stop.reason, ADBGD_STOP_START);
	wait_halted(NUM_WAVES);
	assert_int_equal(count_debugged(), 0);
	continue_all();
	all_stop_at(b, stops);
	MUST(adbgd_breakpoint_clear(b, &error));
	continue_all();
	finish_job();
}

/* ------------------------------------------------------------------- the end */

static void a_temporary_breakpoint_by_stepping_stops_once(void **state)
{
	struct adbgd_stop stop;

	(void)state;
	stepped_if("breaks_mad", ADBGD_BREAKPOINT_TEMPORARY, NULL);
	start_job();
	release_waves();
	stop = next_stop();
	assert_int_equal(stop.reason, ADBGD_STOP_BREAKPOINT);
	assert_int_equal(stop.breakpoint, 1);
	assert_true(stop.pc == address_of("breaks_mad"));
	assert_null(adbgd_process_get_breakpoint(process, 0));
	MUST(adbgd_wave_continue(process, &stop.at, &error));
	while (!job_has_ended())
		assert_int_equal(adbgd_process_wait_stop(process, 10, &stop, &error), -EAGAIN);
	finish_job();
}

static void waves_continue_when_the_breakpoint_is_cleared(void **state)
{
	struct adbgd_breakpoint *b = stepped("breaks_mad"), *other = stepped("breaks_getpc");
	struct adbgd_stop stop, stops[NUM_WAVES];

	(void)state;
	start_job();
	release_waves();
	wait_halted(NUM_WAVES);
	stop = stop_at(b);
	/* The stops of the others were not reported. */
	MUST(adbgd_breakpoint_clear(b, &error));
	for (unsigned int i = 0; i < NUM_WAVES - 1; i++)
		stops[i] = stop_at(other);
	MUST(adbgd_wave_continue(process, &stop.at, &error));
	stops[0] = stop_at(other);
	assert_memory_equal(&stops[0].at, &stop.at, sizeof(stop.at));
	continue_all();
	finish_job();
}

static void waves_continue_when_the_debugger_detaches(void **state)
{
	(void)state;
	for (unsigned int reported = 0; reported <= NUM_WAVES; reported += NUM_WAVES / 2) {
		struct adbgd_breakpoint *b = stepped("breaks_call");

		start_job();
		release_waves();
		wait_halted(NUM_WAVES);
		for (unsigned int i = 0; i < reported; i++)
			stop_at(b);
		detach();
		finish_job();
		MUST(attach(getpid()));
	}
}

/* ------------------------------------------------------------------ mistakes */

static void refused(const struct adbgd_insn_match *insns, size_t num, uint32_t flags,
		    const char *words)
{
	struct adbgd_breakpoint *b = NULL;

	assert_int_equal(adbgd_breakpoint_set_insn(process, insns, num, flags, NULL, &b, &error),
			 -EINVAL);
	if (!strstr(error.text, words))
		fail_msg("\"%s\" is not in \"%s\"", words, error.text);
	assert_null(b);
}

static void impossible_patterns_give_a_message(void **state)
{
	static const struct adbgd_insn_match wrong = { 3, 1 }, any = { 0, 0 };
	struct adbgd_insn_match many[ADBGD_MAX_INSN_MATCHES + 1] = { getpc };
	unsigned int n = 0;
	int ret;

	(void)state;
	refused(&getpc, 0, 0, "1 to 4 instruction patterns, not 0");
	refused(many, ADBGD_MAX_INSN_MATCHES + 1, 0, "instruction patterns, not 5");
	refused(&wrong, 1, 0, "no instruction can have the value 0x3 under the mask 0x1");
	refused(&any, 1, 0, "no instruction can have the value 0 under the mask 0");
	refused(&getpc, 1, ADBGD_BREAKPOINT_PENDING, "unknown breakpoint flags");
	assert_int_equal(adbgd_breakpoint_set(process, address_of("breaks_mad") + 2,
					      ADBGD_BREAKPOINT_STEPPED, NULL, &error), -EINVAL);
	assert_int_equal(adbgd_breakpoint_set(process, 0x123450000000, ADBGD_BREAKPOINT_STEPPED,
					      NULL, &error), -ENXIO);
	assert_null(adbgd_process_get_breakpoint(process, 0));
	/* As many as a handler has room for */
	do {
		ret = adbgd_breakpoint_set_insn(process, &getpc, 1, 0, NULL, NULL, &error);
		n += !ret;
	} while (!ret);
	assert_int_equal(ret, -ENOSPC);
	assert_non_null(strstr(error.text, "the trap handler has no room"));
	assert_in_range(n, 4, 32);
	assert_non_null(adbgd_process_get_breakpoint(process, n - 1));
	assert_null(adbgd_process_get_breakpoint(process, n));
}

int debugger_stepped(void)
{
	const struct CMUnitTest tests[] = {
		TEST(waves_stop_in_each_round_by_stepping),
		TEST(each_kind_of_instruction_can_have_a_breakpoint_by_stepping),
		TEST(running_waves_stop_at_a_breakpoint_by_stepping),
		TEST(a_breakpoint_by_stepping_waits_for_waves_without_the_handler),
		TEST(waves_stop_before_matching_instructions),
		TEST(one_of_several_patterns_is_enough),
		TEST(a_stop_names_its_breakpoint_by_stepping),
		TEST(a_condition_on_one_lane_stops_one_wave_by_stepping),
		TEST(hits_of_breakpoints_by_stepping_are_counted),
		TEST(a_patch_may_be_at_the_same_address),
		TEST(steps_and_runs_stop_at_breakpoints_by_stepping),
		TEST(waves_halted_at_their_start_stop_later),
		TEST(a_temporary_breakpoint_by_stepping_stops_once),
		TEST(waves_continue_when_the_breakpoint_is_cleared),
		TEST(waves_continue_when_the_debugger_detaches),
		TEST(impossible_patterns_give_a_message),
	};

	return cmocka_run_group_tests(tests, open_some, close_prog);
}

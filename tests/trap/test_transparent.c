// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The default trap handler changes nothing that the wave's program can observe, except
 * the time that it measures. Single instructions and whole kernels run with a trap forced
 * after each instruction, and also on a second GPU without a debugger, for comparison.
 *
 * usage: test_transparent WAVE32_CODE_OBJECT WAVE64_CODE_OBJECT RESULTS...
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "isa/handler.h"
#include "pair.h"
#include "program.h"
#include "rows.h"
#include "trap_abi.h"

#define GC_10_3		0x0a0300

/* Does the program read or change what the debugger sets? */
static bool is_left_out(const struct results_row *r, enum pair_by by)
{
	return rows_leave_out(r) || (by != PAIR_HOST && strstr(r->code.text, "HW_REG_MODE"));
}

/*
 * Was a trap forced? A wave that stops must have written its PC to the mailbox; a wave that
 * must not stop has not stopped.
 */
static bool has_trapped(const struct pair *p, u64 traps, u32 stops)
{
	if (p->by == PAIR_PASS)
		return p->debugged->counters.traps == traps + 1 && pair_stops(p) == stops;
	return pair_mailbox(p)[TRAP_MAILBOX_TTMP0 / 4] == (u32)p->d->pc;
}

/* 1: no difference; 0: no trap was forced, as there was one anyway; -1: a difference */
static int run_row(struct pair *p, const struct results_row *r, enum pair_by by, bool no_exec)
{
	u64 traps = p->alone->counters.traps, forced = p->debugged->counters.traps;
	u32 stops;

	if (!rows_begin(p, r, no_exec))
		return 0;
	pair_ready(p, by);
	stops = pair_stops(p);
	pair_step(p);
	if (p->alone->counters.traps != traps)
		return 0;
	if (p->d && !has_trapped(p, forced, stops)) {
		printf("# %s: it did not trap, or stopped\n", r->text);
		return -1;
	}
	return pair_differs(p, r->text) ? -1 : 1;
}

/* A condition that compares the next instruction with one that never comes */
static void never_stop(struct pair *p)
{
	static const struct adbgd_insn_match none = { 0xffffffff, 0xffffffff };
	const struct adbgd_handler_condition c = { .insns = &none, .num_insns = 1,
						   .stepped_tag = 4 };
	u32 code[TRAP_CONDITION_DWORDS];

	assert_int_equal(adbgd_condition_program_build(GC_10_3, &c, 1, code), 0);
	pair_set_condition(p, code);
}

static void run_rows(enum pair_by by, bool no_exec)
{
	unsigned int n, same = 0, different = 0, own_trap = 0, left_out = 0;
	const struct results_row *r;
	struct pair p;

	pair_new(&p);
	if (by == PAIR_PASS)
		never_stop(&p);
	for (n = 0; (r = results_row(n)); n++) {
		if (is_left_out(r, by)) {
			left_out++;
			continue;
		}
		switch (run_row(&p, r, by, no_exec)) {
		case 1:
			same++;
			break;
		case 0:
			own_trap++;
			break;
		default:
			different++;
		}
	}
	printf("# %u the same, %u trap by themselves, %u left out\n", same, own_trap,
	       left_out);
	pair_free(&p);
	assert_int_equal(different, 0);
	/* Most rows must be usable, or the test has no value. */
	assert_true(same > n * 9 / 10);
}

static void a_trap_by_the_host_changes_no_instruction(void **state)
{
	(void)state;
	run_rows(PAIR_HOST, false);
}

static void a_step_changes_no_instruction(void **state)
{
	(void)state;
	run_rows(PAIR_DEBUG, false);
}

static void a_step_without_active_lanes_changes_no_instruction(void **state)
{
	(void)state;
	run_rows(PAIR_HOST, true);
}

/* The handler loads the next instruction by lane 0, which may not be active. */
static void a_compared_step_changes_no_instruction(void **state)
{
	(void)state;
	run_rows(PAIR_PASS, false);
}

static void a_compared_step_without_active_lanes_changes_no_instruction(void **state)
{
	(void)state;
	run_rows(PAIR_PASS, true);
}

static void run_kernel(struct pair *p, const struct codeobj *co, const char *name,
		       unsigned int lanes, int by)
{
	unsigned int steps = 0;
	u64 traps;

	program_begin(p, co, name, lanes);
	pair_ready(p, by);
	traps = p->debugged->counters.traps;
	while (pair_step(p)) {
		assert_false(pair_differs(p, name));
		assert_true(++steps < PROGRAM_MAX_STEPS);
	}
	assert_false(pair_differs(p, name));
	assert_true(steps > 20);
	/* One after each instruction, and none at the end */
	assert_int_equal(p->debugged->counters.traps - traps, steps);
	assert_int_equal(vgpu_complaints_total(p->debugged), 0);
}

static void traps_by_the_host_change_no_kernel_result(void **state)
{
	(void)state;
	program_all(run_kernel, PAIR_HOST);
}

static void steps_change_no_kernel_result(void **state)
{
	(void)state;
	program_all(run_kernel, PAIR_DEBUG);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(traps_by_the_host_change_no_kernel_result),
		cmocka_unit_test(steps_change_no_kernel_result),
		cmocka_unit_test(a_trap_by_the_host_changes_no_instruction),
		cmocka_unit_test(a_step_changes_no_instruction),
		cmocka_unit_test(a_step_without_active_lanes_changes_no_instruction),
		cmocka_unit_test(a_compared_step_changes_no_instruction),
		cmocka_unit_test(a_compared_step_without_active_lanes_changes_no_instruction),
	};
	int status = program_arguments(argc, argv);

	if (status)
		return status;
	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/process/trace.c: all records of a trace can be read again, in any order. Traces of
 * waves are tested in the guest: tests/vm/guest/debug/debugger_trace.c.
 */
#include "debug/util.h"

#include <errno.h>

#define NUM_STEPS	200

static const struct adbgd_trace_info info = {
	.gc_version = ADBG_GC_VERSION(10, 3, 0), .lanes = 32,
	.num_hwregs = 19, .num_sgprs = 108, .num_vgprs = 24, .at = { .se = 1, .wave = 3 },
};

static struct adbgd_trace *trace;
static struct adbgd_error error;
static uint32_t *wanted[NUM_STEPS + 1];
static uint32_t num_words;

/* A few words of each step, none of some */
static void make_step(uint64_t i)
{
	wanted[i] = malloc(num_words * sizeof(uint32_t));
	assert_non_null(wanted[i]);
	for (uint32_t k = 0; k < num_words; k++)
		wanted[i][k] = i ? wanted[i - 1][k] : (uint32_t)rand();
	for (int k = i ? rand() % 40 : 0; k > 0; k--)
		wanted[i][rand() % num_words] = (uint32_t)rand() * 2u;
}

static int set_up(void **state)
{
	(void)state;
	srand(1);
	if (adbgd_trace_new(&info, &trace, &error))
		return -1;
	num_words = adbgd_trace_get_info(trace)->num_words;
	for (uint64_t i = 0; i <= NUM_STEPS; i++) {
		make_step(i);
		if (adbgd_trace_add_step(trace, wanted[i], &error))
			return -1;
		/* It need not be at its end for that. */
		if (i % 7 == 3 && adbgd_trace_seek(trace, i / 2, &error))
			return -1;
	}
	return 0;
}

static int take_down(void **state)
{
	(void)state;
	for (uint64_t i = 0; i <= NUM_STEPS; i++)
		free(wanted[i]);
	adbgd_trace_free(trace);
	return 0;
}

static void assert_at(uint64_t step)
{
	assert_int_equal(adbgd_trace_seek(trace, step, &error), 0);
	assert_memory_equal(adbgd_trace_get_all_regs(trace), wanted[step],
			    num_words * sizeof(uint32_t));
}

static void each_step_is_found_from_each_other(void **state)
{
	(void)state;
	assert_int_equal(num_words, 19 + 108 + 32 * 24);
	assert_true(adbgd_trace_get_info(trace)->num_steps == NUM_STEPS);
	assert_int_equal(adbgd_trace_get_info(trace)->at.wave, 3);
	for (uint64_t i = 0; i <= NUM_STEPS; i++)
		assert_at(i);
	for (uint64_t i = NUM_STEPS + 1; i; i--)
		assert_at(i - 1);
	for (unsigned int i = 0; i < 1000; i++)
		assert_at(rand() % (NUM_STEPS + 1));
	assert_int_equal(adbgd_trace_seek(trace, NUM_STEPS + 1, &error), -ERANGE);
	assert_string_equal(error.text, "the trace has 200 steps, not 201");
}

static void registers_have_their_places(void **state)
{
	uint32_t count;

	(void)state;
	assert_at(100);
	assert_ptr_equal(adbgd_trace_get_regs(trace, AMDGPUDBG_REG_HW, 0, &count),
			 adbgd_trace_get_all_regs(trace));
	assert_int_equal(count, 19);
	assert_ptr_equal(adbgd_trace_get_regs(trace, AMDGPUDBG_REG_SGPR, 0, &count),
			 adbgd_trace_get_all_regs(trace) + 19);
	assert_int_equal(count, 108);
	assert_ptr_equal(adbgd_trace_get_regs(trace, AMDGPUDBG_REG_VGPR, 31, &count),
			 adbgd_trace_get_all_regs(trace) + num_words - 24);
	assert_int_equal(count, 24);
	assert_null(adbgd_trace_get_regs(trace, AMDGPUDBG_REG_VGPR, 32, &count));
	assert_int_equal(count, 0);
	assert_null(adbgd_trace_get_regs(trace, AMDGPUDBG_REG_SGPR, 1, &count));
	assert_null(adbgd_trace_get_regs(trace, AMDGPUDBG_REG_TTMP, 0, &count));
}

/* PC_LO and PC_HI are distinguished by their names; addresses have their sign above bit 47. */
static void an_address_has_its_sign(void **state)
{
	struct adbgd_trace *t;
	uint32_t words[64] = { 0 };
	struct adbgd_trace_info small = info;

	(void)state;
	small.num_sgprs = 0;
	small.num_vgprs = 0;
	assert_int_equal(adbgd_trace_new(&small, &t, &error), 0);
	words[AMDGPUDBG_GFX10_3_PC_LO] = 0x12345678;
	words[AMDGPUDBG_GFX10_3_PC_HI] = 0x7fff;
	assert_int_equal(adbgd_trace_add_step(t, words, &error), 0);
	words[AMDGPUDBG_GFX10_3_PC_HI] = 0x8000;
	assert_int_equal(adbgd_trace_add_step(t, words, &error), 0);
	assert_true(adbgd_trace_get_pc(t) == 0xffff800012345678);
	assert_int_equal(adbgd_trace_seek(t, 0, &error), 0);
	assert_true(adbgd_trace_get_pc(t) == 0x7fff12345678);
	adbgd_trace_free(t);
}

static void no_wave_is_like_that(void **state)
{
	struct adbgd_trace_info odd = info;
	struct adbgd_trace *t = NULL;

	(void)state;
	odd.lanes = 48;
	assert_int_equal(adbgd_trace_new(&odd, &t, &error), -EINVAL);
	odd.lanes = 64;
	odd.num_vgprs = 2048;
	assert_int_equal(adbgd_trace_new(&odd, &t, &error), -E2BIG);
	/* 64 times that is 0 in 32 bits. */
	odd.num_vgprs = 1 << 26;
	assert_int_equal(adbgd_trace_new(&odd, &t, &error), -E2BIG);
	odd.num_vgprs = 0;
	odd.num_sgprs = UINT32_MAX;
	odd.num_hwregs = 1;
	assert_int_equal(adbgd_trace_new(&odd, &t, &error), -E2BIG);
	assert_null(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_step_is_found_from_each_other),
		cmocka_unit_test(registers_have_their_places),
		cmocka_unit_test(an_address_has_its_sign),
		cmocka_unit_test(no_wave_is_like_that),
	};

	return cmocka_run_group_tests(tests, set_up, take_down);
}

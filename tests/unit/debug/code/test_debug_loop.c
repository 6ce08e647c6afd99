// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/inspect/loop*.c: vgpu's interpreter executes loops.s, one instruction at a time, and
 * the library finds the loops in the trace. Addresses and numbers follow from the source.
 */
#include <errno.h>

#include <amdgpudbg-debug-loop.h>

#include "interpreted.h"

#define NUM_HWREGS	32
#define NUM_VGPRS	4
#define VALUES_MAX	8

static const struct adbgd_trace_info info = {
	.gc_version = ADBG_GC_VERSION(10, 3, 1), .lanes = 32,
	.num_hwregs = NUM_HWREGS, .num_sgprs = 108, .num_vgprs = NUM_VGPRS,
};

static struct machine *machine;
static struct adbgd_code *code;
static struct adbgd_disasm *disasm;
static struct adbgd_trace *trace;
static struct adbgd_loops *loops;
static struct adbgd_error error;

static uint64_t symbol(const char *name)
{
	const struct adbgd_symbol *s = adbgd_code_find_symbol(code, name);

	if (!s)
		fail_msg("no symbol %s", name);
	return s->address;
}

static int read_memory(void *data, uint64_t address, void *buffer, size_t size)
{
	(void)data;
	if (address < MACHINE_BASE || address + size > MACHINE_BASE + MACHINE_SIZE)
		return -EFAULT;
	memcpy(buffer, machine_mem(machine, address), size);
	return 0;
}

static const struct adbgd_memory memory = { .read = read_memory };

static void add_step(void)
{
	uint32_t words[NUM_HWREGS + 108 + 32 * NUM_VGPRS] = { 0 };
	const struct vgpu_wave *w = machine->w;
	uint32_t lane, i;

	words[AMDGPUDBG_GFX10_3_PC_LO] = (uint32_t)w->pc;
	words[AMDGPUDBG_GFX10_3_PC_HI] = (uint32_t)(w->pc >> 32);
	words[AMDGPUDBG_GFX10_3_EXEC_LO] = w->s[VGPU_S_EXEC];
	for (i = 0; i < 108; i++)
		words[NUM_HWREGS + i] = w->s[i];
	for (lane = 0; lane < 32; lane++)
		for (i = 0; i < NUM_VGPRS; i++)
			words[NUM_HWREGS + 108 + lane * NUM_VGPRS + i] = w->v[i][lane];
	assert_int_equal(adbgd_trace_add_step(trace, words, &error), 0);
}

/* Execute instructions from a symbol on: @skipped, and then up to @num that are in the trace. */
static void run_from(const char *name, unsigned int skipped, unsigned int num)
{
	uint32_t lane;

	adbgd_loops_free(loops);
	adbgd_trace_free(trace);
	loops = NULL;
	assert_int_equal(adbgd_trace_new(&info, &trace, &error), 0);
	machine_reset(machine, 32);
	machine->w->pc = symbol(name);
	machine->w->s[VGPU_S_EXEC] = ~0U;
	for (lane = 0; lane < 32; lane++)
		machine->w->v[0][lane] = lane;
	assert_int_equal(machine_run(machine, skipped), skipped);
	add_step();
	while (num-- && !machine->ended) {
		assert_int_equal(machine_run(machine, 1), 1);
		add_step();
	}
	assert_int_equal(machine->illegal + machine->faults, 0);
	if (adbgd_loops_new(trace, disasm, &memory, &loops, &error))
		fail_msg("%s", error.text);
}

static void run(const char *name, unsigned int num)
{
	run_from(name, 0, num);
}

/* Loop @i has this range, its iterations have so many instructions. */
static void loop_is(size_t i, const char *head, const char *last, uint64_t instructions,
		    uint64_t iterations, uint64_t left, uint32_t flags)
{
	const struct adbgd_loop *loop = adbgd_loops_get(loops, i);

	assert_non_null(loop);
	assert_int_equal(loop->head, symbol(head));
	if (last)
		assert_int_equal(loop->last, symbol(last));
	assert_int_equal(loop->instructions, instructions);
	assert_int_equal(loop->iterations, iterations);
	assert_int_equal(loop->left, left);
	assert_int_equal(loop->flags, flags);
}

/* Condition @c of loop @i is computed by these instructions. */
static void condition_is(size_t i, uint32_t c, const char *const *texts)
{
	const struct adbgd_insn *insn;
	size_t k;

	for (k = 0; texts[k]; k++) {
		insn = adbgd_loops_get_insn(loops, i, c, k);
		assert_non_null(insn);
		assert_memory_equal(insn->text, texts[k], strlen(texts[k]));
	}
	assert_null(adbgd_loops_get_insn(loops, i, c, k));
}

/* Register @n of an instruction has these values in the first iterations. */
static void values_are(size_t i, size_t k, size_t n, uint32_t lane, const uint32_t *values,
		       size_t num)
{
	struct adbgd_operand o;
	const uint32_t *regs;
	uint32_t count;
	uint64_t step;
	size_t t;

	assert_int_equal(adbgd_loops_get_operand(loops, i, 0, k, n, &o), 0);
	for (t = 0; t < num; t++) {
		assert_int_equal(adbgd_loops_get_step(loops, i, 0, k, t, &step), 0);
		step += !!(o.flags & ADBGD_OPERAND_RESULT);
		assert_int_equal(adbgd_trace_seek(trace, step, &error), 0);
		if (o.space == ADBGD_REG_EXEC) {
			regs = adbgd_trace_get_regs(trace, AMDGPUDBG_REG_HW, 0, &count);
			assert_int_equal(regs[AMDGPUDBG_GFX10_3_EXEC_LO], values[t]);
			continue;
		}
		regs = adbgd_trace_get_regs(trace, o.space, lane, &count);
		assert_true(regs && o.number < count);
		assert_int_equal(regs[o.number], values[t]);
	}
}

static void a_wave_repeats_the_outer_loop(void **state)
{
	static const char *const inner[] = { "s_cmp_lt_u32 s2, 3", "s_cbranch_scc1", NULL };
	static const char *const outer[] = { "s_cmp_lg_u32 s1, 0", "s_cbranch_scc1", NULL };
	static const uint32_t s1[] = { 1, 2, 3 };

	(void)state;
	/* 4 iterations of 13 instructions, and 3 more */
	run("nested", 1 + 4 * 13 + 3);
	loop_is(0, "nested_inner", NULL, 3, 2 * 4, 4, ADBGD_LOOP_ACTIVE | ADBGD_LOOP_NESTED);
	loop_is(1, "nested_outer", "nested_back", 13, 4, 0, ADBGD_LOOP_ACTIVE);
	assert_null(adbgd_loops_get(loops, 2));
	condition_is(0, 0, inner);
	condition_is(1, 0, outer);
	values_are(1, 0, 0, 0, s1, ARRAY_SIZE(s1));
}

static void a_loop_is_found_from_its_second_iteration_on(void **state)
{
	(void)state;
	run("nested", 1 + 1 + 2);
	assert_null(adbgd_loops_get(loops, 0));
	run("nested", 1 + 1 + 3);
	loop_is(0, "nested_inner", NULL, 3, 1, 0, ADBGD_LOOP_ACTIVE);
}

static void lanes_leave_a_loop_one_after_the_other(void **state)
{
	static const char *const texts[] = {
		"v_cmp_ge_u32", "s_or_b32 s4, vcc_lo, s4", "s_andn2_b32 exec_lo, exec_lo, s4",
		"s_cbranch_execnz", NULL
	};
	static const uint32_t v1[] = { 1, 2, 3 }, exec[] = { ~3U, ~7U, ~15U };

	(void)state;
	run("lanes", 2 + 3 * 5);
	loop_is(0, "lanes_loop", "lanes_back", 5, 3, 0, ADBGD_LOOP_ACTIVE);
	condition_is(0, 0, texts);
	values_are(0, 0, 1, 31, v1, ARRAY_SIZE(v1));
	values_are(0, 2, 0, 0, exec, ARRAY_SIZE(exec));
	values_are(0, 3, 0, 0, exec, ARRAY_SIZE(exec));
}

static void a_comparison_writes_exec(void **state)
{
	static const char *const texts[] = { "v_cmpx_lt_u32", "s_cbranch_execnz", NULL };
	static const uint32_t v1[] = { 1, 2, 3 }, exec[] = { ~3U, ~7U, ~15U };
	struct adbgd_operand o;

	(void)state;
	run("lanes_cmpx", 1 + 3 * 3);
	loop_is(0, "lanes_cmpx_loop", "lanes_cmpx_back", 3, 3, 0, ADBGD_LOOP_ACTIVE);
	condition_is(0, 0, texts);
	values_are(0, 0, 0, 31, v1, ARRAY_SIZE(v1));
	values_are(0, 0, 2, 0, exec, ARRAY_SIZE(exec));
	assert_int_equal(adbgd_loops_get_operand(loops, 0, 0, 0, 3, &o), -ENOENT);
}

static void a_loop_calls_functions(void **state)
{
	static const char *const texts[] = { "s_cmp_lt_u32 s1, 0x64", "s_cbranch_scc1", NULL };
	static const uint32_t s1[] = { 1, 2, 3 };

	(void)state;
	/* An iteration: s_call_b64, 9 instructions of the function, and two more */
	run("calls", 1 + 3 * 12);
	loop_is(0, "function_loop", NULL, 3, 3, 3, ADBGD_LOOP_NESTED);
	loop_is(1, "calls_loop", "calls_back", 12, 3, 0, ADBGD_LOOP_ACTIVE | ADBGD_LOOP_CALLS);
	condition_is(1, 0, texts);
	values_are(1, 0, 0, 0, s1, ARRAY_SIZE(s1));
}

static void a_trace_can_begin_in_a_called_function(void **state)
{
	struct adbgd_operand o;
	uint64_t step;

	(void)state;
	run_from("calls", 2, 11 + 2 * 12);
	loop_is(0, "function_loop", NULL, 3, 3, 3, ADBGD_LOOP_NESTED);
	loop_is(1, "calls_loop", "calls_back", 12, 2, 0, ADBGD_LOOP_ACTIVE | ADBGD_LOOP_CALLS);
	assert_int_equal(adbgd_loops_get_operand(loops, 2, 0, 0, 0, &o), -ENOENT);
	assert_int_equal(adbgd_loops_get_step(loops, 1, 0, 0, 2, &step), -ENOENT);
}

static void a_part_of_a_loop_is_elsewhere(void **state)
{
	static const char *const texts[] = { "s_cmp_lt_u32 s1, 0x64", "s_cbranch_scc1", NULL };

	(void)state;
	/*
	 * Iterations have 7 and 5 instructions in turn. In the first one it is not known yet that
	 * the part belongs to the loop.
	 */
	run("split", 1 + 3 * 12);
	loop_is(0, "split_loop", "split_back", 5, 5, 0, ADBGD_LOOP_ACTIVE);
	assert_int_equal(adbgd_loops_get(loops, 0)->min_instructions, 5);
	assert_int_equal(adbgd_loops_get(loops, 0)->max_instructions, 7);
	assert_int_equal(adbgd_loops_get(loops, 0)->num_conditions, 1);
	condition_is(0, 0, texts);
	assert_null(adbgd_loops_get(loops, 1));
}

static void a_loop_that_ends_is_not_active(void **state)
{
	(void)state;
	run("lanes", 1000);
	loop_is(0, "lanes_loop", "lanes_back", 5, 30, 1, 0);
}

static void a_branch_back_is_no_loop(void **state)
{
	(void)state;
	run("straight", 4);
	assert_null(adbgd_loops_get(loops, 0));
}

static void code_that_cannot_be_read_is_an_error(void **state)
{
	struct adbgd_loops *none = NULL;
	uint32_t words[NUM_HWREGS + 108 + 32 * NUM_VGPRS] = { 0 };

	(void)state;
	run("straight", 2);
	assert_int_equal(adbgd_trace_add_step(trace, words, &error), 0);
	/* An address to which the wave has jumped need not be readable, but one that it executed */
	assert_int_equal(adbgd_loops_new(trace, disasm, &memory, &none, &error), 0);
	adbgd_loops_free(none);
	none = NULL;
	assert_int_equal(adbgd_trace_add_step(trace, words, &error), 0);
	words[AMDGPUDBG_GFX10_3_PC_LO] = 4;
	assert_int_equal(adbgd_trace_add_step(trace, words, &error), 0);
	assert_int_equal(adbgd_loops_new(trace, disasm, &memory, &none, &error), -EFAULT);
	assert_string_equal(error.text, "the instruction at 0 cannot be read");
	assert_null(none);
}

static int set_up(void **state)
{
	const struct adbgd_code_info *of;
	uint8_t text[4096];

	(void)state;
	machine = machine_new();
	if (!machine || adbgd_code_open(DEBUG_CO "loops.co", &code, &error) ||
	    adbgd_disasm_new("gfx1033", 32, &disasm, &error))
		return -1;
	of = adbgd_code_get_info(code);
	if (of->text.size > sizeof(text) ||
	    adbgd_code_read(code, of->text.start, text, of->text.size, &error))
		return -1;
	machine_code(machine, text, of->text.size);
	return adbgd_code_set_base(code, MACHINE_BASE, &error);
}

static int take_down(void **state)
{
	(void)state;
	adbgd_loops_free(loops);
	adbgd_trace_free(trace);
	adbgd_disasm_free(disasm);
	adbgd_code_free(code);
	machine_free(machine);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wave_repeats_the_outer_loop),
		cmocka_unit_test(a_loop_is_found_from_its_second_iteration_on),
		cmocka_unit_test(lanes_leave_a_loop_one_after_the_other),
		cmocka_unit_test(a_comparison_writes_exec),
		cmocka_unit_test(a_loop_calls_functions),
		cmocka_unit_test(a_trace_can_begin_in_a_called_function),
		cmocka_unit_test(a_part_of_a_loop_is_elsewhere),
		cmocka_unit_test(a_loop_that_ends_is_not_active),
		cmocka_unit_test(a_branch_back_is_no_loop),
		cmocka_unit_test(code_that_cannot_be_read_is_an_error),
	};

	return cmocka_run_group_tests(tests, set_up, take_down);
}

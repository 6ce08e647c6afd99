// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/code/backtrace.c, activation.c and isa/saved*.c: vgpu's interpreter executes kernels of
 * calls.cl. Before each instruction, the call chain must be that of the calls which were executed
 * and have not returned; and each register or variable of an outer frame that can be read must have
 * the value that it had at the call.
 */
#include <stdio.h>

#include "interpreted.h"

#define DEPTH_MAX	16
#define NUM_VGPRS	64

/* A call that was executed and has not returned */
struct call {
	uint64_t back;		/* where it returns to */
	uint32_t s[108];	/* registers at the call */
	uint32_t exec[2];
	uint32_t v[NUM_VGPRS][64];
};

static struct machine *machine;
static struct call stack[DEPTH_MAX];
static unsigned int depth, deepest;
static unsigned long chains, known, unknown, variables_read, scopes;

static int read_memory(void *data, uint32_t space, uint32_t lane, uint64_t address,
		       void *buffer, size_t size)
{
	struct machine *m = data;
	const struct adbgd_swizzle swizzle = {
		.base = VA_SCRATCH + SCRATCH_OFFSET, .lanes = m->w->lanes,
	};
	uint8_t *to = buffer;
	size_t i;

	for (i = 0; i < size; i++, address++) {
		if (space == ADBGD_SPACE_PRIVATE && address < 0x10000)
			to[i] = *machine_mem(m, adbgd_swizzle_address(&swizzle, lane, address) +
					     address % 4);
		else if (space == ADBGD_SPACE_GLOBAL && address >= MACHINE_BASE &&
			 address < MACHINE_BASE + MACHINE_SIZE)
			to[i] = *machine_mem(m, address);
		else
			return -EFAULT;
	}
	return 0;
}

/* ------------------------------------------------------------------- the true chain */

static uint32_t word_at(uint64_t pc)
{
	uint32_t word;

	memcpy(&word, machine_mem(machine, pc), 4);
	return word;
}

/* SOP1: 0x17d in [31:23], opcode [15:8] */
static bool is_sop1(uint32_t word, uint32_t op)
{
	return word >> 23 == 0x17d && (word >> 8 & 0xff) == op;
}

static void push(uint64_t back)
{
	struct call *c = &stack[depth];

	assert_in_range(depth, 0, DEPTH_MAX - 1);
	c->back = back;
	memcpy(c->s, machine->w->s, sizeof(c->s));
	memcpy(c->exec, machine->w->s + VGPU_S_EXEC, sizeof(c->exec));
	for (unsigned int i = 0; i < NUM_VGPRS; i++)
		memcpy(c->v[i], machine->w->v[i], sizeof(c->v[i]));
	depth++;
	deepest = depth > deepest ? depth : deepest;
}

/* Execute an instruction, and follow calls and returns. */
static void step(void)
{
	uint64_t pc = machine->w->pc;
	uint32_t word = word_at(pc);
	bool calls = is_sop1(word, 0x21) || word >> 23 == (0xb0000000 >> 23 | 22);

	if (calls)
		push(pc + 4);
	assert_int_equal(machine_run(machine, 1), 1);
	if (machine->faults + machine->illegal + machine->complaints)
		fail_msg("pc %#llx: %s", (unsigned long long)(pc - VA_IMAGE), machine->log);
	/* A jump to another function in the place of a return leaves the caller as it is. */
	if (is_sop1(word, 0x20) && depth && machine->w->pc == stack[depth - 1].back)
		depth--;
}

/* -------------------------------------------------------------------- comparisons */

#define HERE ((unsigned long long)(machine->w->pc - VA_IMAGE))

static void compare_value(const struct adbgd_context *c, uint32_t space, uint32_t number,
			  uint32_t lane, uint32_t expected, size_t frame)
{
	uint32_t value;
	int ret = c->read_register(c->data, space, number, lane, &value);

	if (ret == -ENODATA) {
		unknown++;
		return;
	}
	assert_int_equal(ret, 0);
	known++;
	if (value != expected)
		fail_msg("pc %#llx, frame %zu: register %u of space %u in lane %u is %#x, not %#x",
			 HERE, frame, number, space, lane, value, expected);
}

/* @call: the registers at its call */
static void compare_registers(struct adbgd_backtrace *bt, size_t frame, const struct call *call)
{
	static const struct {
		uint32_t space, number;
	} needed[] = {
		{ AMDGPUDBG_REG_SGPR, 32 }, { AMDGPUDBG_REG_SGPR, 33 }, { ADBGD_REG_PC, 0 },
	};
	static const uint32_t lanes[] = { 0, 1, 31, 63 };
	struct adbgd_context c = adbgd_backtrace_get_context(bt, frame, 0);
	uint32_t i, l, value;

	for (i = 0; i < 106; i++) {
		/* The call itself writes its return address. */
		if (i != 30 && i != 31)
			compare_value(&c, AMDGPUDBG_REG_SGPR, i, 0, call->s[i], frame);
	}
	for (i = 0; i < machine->w->lanes / 32; i++)
		compare_value(&c, ADBGD_REG_EXEC, i, 0, call->exec[i], frame);
	for (i = 0; i < NUM_VGPRS; i++) {
		for (l = 0; l < 4 && lanes[l] < machine->w->lanes; l++)
			compare_value(&c, AMDGPUDBG_REG_VGPR, i, lanes[l], call->v[i][lanes[l]],
				      frame);
	}
	/* What frames are based on is always known. */
	for (i = 0; i < ARRAY_SIZE(needed); i++) {
		if (c.read_register(c.data, needed[i].space, needed[i].number, 0, &value))
			fail_msg("pc %#llx, frame %zu: register %u of space %u: %s", HERE, frame,
				 needed[i].number, needed[i].space, c.explain(c.data));
	}
	assert_int_equal(value, (uint32_t)call->back);
}

/* Read a variable of a frame as a number. Return: 0; -ENOENT, -ENODATA; or another error. */
static int read_variable(struct adbgd_code *code, struct adbgd_backtrace *bt, size_t frame,
			 const char *name, uint32_t lane, int32_t *number)
{
	const struct adbgd_backtrace_frame *f = adbgd_backtrace_get(bt, frame);
	const struct adbgd_context c = adbgd_backtrace_get_context(bt, frame, lane);
	struct adbgd_variables *variables;
	struct adbgd_value *value;
	struct adbgd_error error;
	int ret, i;

	assert_int_equal(adbgd_variables_new_inlined(code, f->lookup, f->inlined, &variables,
						     &error), 0);
	i = adbgd_variables_find(variables, name);
	ret = i < 0 ? i : adbgd_variable_read(variables, i, &c, &value, &error);
	if (!ret) {
		memcpy(number, adbgd_value_get_bytes(value), sizeof(*number));
		adbgd_value_free(value);
	}
	adbgd_variables_free(variables);
	return ret;
}

/* Each activation of again() has its own "depth"; "n" of outer() is an argument of the kernel. */
static void compare_variables(struct adbgd_code *code, struct adbgd_backtrace *bt, size_t frame,
			      unsigned int level)
{
	const struct adbgd_backtrace_frame *f = adbgd_backtrace_get(bt, frame);
	/* The kernel calls with N + 1. */
	int32_t depth_here = N + 1 - (int32_t)(depth - level - 1), number;
	static const uint32_t lanes[] = { 0, 5, 31 };

	for (size_t l = 0; l < ARRAY_SIZE(lanes); l++) {
		if (!strcmp(f->function.function, "again") &&
		    !read_variable(code, bt, frame, "depth", lanes[l], &number)) {
			assert_int_equal(number, depth_here);
			variables_read++;
		}
		if (!strcmp(f->function.function, "outer") &&
		    !read_variable(code, bt, frame, "n", lanes[l], &number)) {
			assert_in_range(number, N - 1, N);
			variables_read++;
		}
	}
}

/* Variables of a function that was inlined are not in scope in the function around it. */
static void compare_scopes(struct adbgd_code *code, struct adbgd_backtrace *bt, size_t frame)
{
	const struct adbgd_backtrace_frame *f = adbgd_backtrace_get(bt, frame);
	bool is_helper = !strcmp(f->function.function, "helper");
	int32_t number;

	if (strcmp(f->function.function, "middle") && !is_helper)
		return;
	assert_int_equal(read_variable(code, bt, frame, "kept", 0, &number) == -ENOENT, is_helper &&
			 f->caller != ADBGD_CALLER_INLINED);
	if (!is_helper)
		assert_int_equal(read_variable(code, bt, frame, "inner", 0, &number), -ENOENT);
	scopes++;
}

static void compare_function(struct adbgd_code *code, const struct adbgd_backtrace_frame *f)
{
	const struct adbgd_symbol *s = adbgd_code_symbol_at(code, f->lookup);

	if (strcmp(f->function.function, s->name))
		fail_msg("pc %#llx: %s, not %s", HERE, f->function.function, s->name);
}

/* Compare the chain; the frames of inlined functions are those of adbgd_frames_at(). */
static void look(struct adbgd_code *code, bool with_registers)
{
	const struct adbgd_context context = {
		.read_register = interpreted_register, .read_memory = read_memory, .data = machine,
		.lanes = machine->w->lanes,
	};
	const struct adbgd_backtrace_frame *f;
	struct adbgd_backtrace *bt;
	struct adbgd_error error;
	unsigned int level = 0;
	size_t i;

	if (adbgd_backtrace_new(code, machine->w->pc, &context, NULL, &bt, &error))
		fail_msg("%s", error.text);
	chains++;
	for (i = 0; (f = adbgd_backtrace_get(bt, i)); i++) {
		const struct call *call = level ? &stack[depth - level] : NULL;

		assert_int_equal(f->pc, call ? call->back : machine->w->pc);
		assert_int_equal(!!(f->flags & ADBGD_BACKTRACE_OUTER), level > 0);
		if (with_registers)
			compare_scopes(code, bt, i);
		if (f->caller == ADBGD_CALLER_INLINED)
			continue;
		compare_function(code, f);
		if (with_registers && call)
			compare_variables(code, bt, i, level);
		if (with_registers && call)
			compare_registers(bt, i, call);
		if (level == depth)
			break;
		if (f->caller != ADBGD_CALLER_CONVENTION)
			fail_msg("pc %#llx: frame %zu has no caller: %s", HERE, i, f->how);
		level++;
		assert_true(f->flags & ADBGD_BACKTRACE_HAS_STACK);
		assert_int_equal(f->stack, stack[depth - level].s[32] / machine->w->lanes);
	}
	assert_non_null(f);
	assert_int_equal(f->caller, ADBGD_CALLER_NONE);
	assert_null(adbgd_backtrace_get(bt, i + 1));
	adbgd_backtrace_free(bt);
}

static void load(const struct codeobj *co)
{
	uint64_t args[3] = { VA_OUT, VA_IN, N };
	int32_t lane;

	vgpu_isa_invalidate(&machine->g, ~0U);
	memcpy(machine_mem(machine, VA_IMAGE), co->image, co->size);
	memcpy(machine_mem(machine, VA_KERNARG), args, sizeof(args));
	for (lane = 0; lane < GROUP; lane++)
		memcpy(machine_mem(machine, VA_IN + 4 * lane), &lane, 4);
}

/* Execute a kernel from its first instruction to its last. @most: calls inside each other */
static void run(const char *path, unsigned int lanes, unsigned int most)
{
	static const struct kernel_where where = {
		.image = VA_IMAGE, .kernarg = VA_KERNARG, .dispatch = VA_DISPATCH,
		.scratch = VA_SCRATCH, .scratch_offset = SCRATCH_OFFSET,
	};
	struct adbgd_code *code = open_code(path);
	struct codeobj_kernel k;
	struct adbgd_error error;
	struct codeobj co;
	unsigned int n;

	assert_int_equal(codeobj_load(&co, path), 0);
	assert_int_equal(codeobj_find(&co, "calls", &k), 0);
	assert_int_equal(adbgd_code_set_base(code, adbgd_code_get_info(code)->text.start +
					     VA_IMAGE, &error), 0);
	load(&co);
	machine_reset(machine, lanes);
	kernel_wave(machine->w, &k, &where, 0, 0);
	depth = 0;
	deepest = 0;
	for (n = 0; !machine->ended; n++) {
		look(code, n % 11 == 0);
		step();
	}
	assert_int_equal(depth, 0);
	assert_int_equal(deepest, most);
	codeobj_unload(&co);
	adbgd_code_free(code);
}

static void chains_are_those_of_the_calls_without_optimization(void **state)
{
	(void)state;
	run(DEBUG_CO "calls_O0.co", 32, 5);
	run(DEBUG_CO "calls_O0_64.co", 64, 5);
}

static void chains_are_those_of_the_calls_with_optimization(void **state)
{
	(void)state;
	run(DEBUG_CO "calls_O1.co", 32, 4);
	run(DEBUG_CO "calls_O1_64.co", 64, 4);
	run(DEBUG_CO "calls_O2.co", 32, 4);
}

/* The compiler saves SGPRs in memory, not in lanes of VGPRs. */
static void return_addresses_in_memory_are_found(void **state)
{
	(void)state;
	run(DEBUG_CO "calls_O1_memory.co", 32, 4);
	run(DEBUG_CO "calls_O1_memory_64.co", 64, 4);
}

static int setup(void **state)
{
	(void)state;
	machine = machine_new();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	machine_free(machine);
	print_message("# %lu chains, %lu registers known, %lu not known\n", chains, known, unknown);
	print_message("# %lu variables of outer frames, %lu scopes\n", variables_read, scopes);
	assert_true(chains > 5000 && known > 3 * unknown);
	assert_true(variables_read > 500 && scopes > 100);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chains_are_those_of_the_calls_without_optimization),
		cmocka_unit_test(chains_are_those_of_the_calls_with_optimization),
		cmocka_unit_test(return_addresses_in_memory_are_found),
	};

	return cmocka_run_group_tests_name("debug_backtrace", tests, setup, teardown);
}

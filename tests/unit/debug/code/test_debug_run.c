// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/code/variable.c, expr.c and value*.c: vgpu's interpreter executes kernels, one
 * instruction at a time, and each variable that can be read before an instruction must have the
 * value that its source computes. This proves that the library interprets locations as the
 * compiler does, in registers and in private memory, for waves of 32 and 64 lanes, optimized or
 * not.
 *
 * tests/kernels/codeobj.c loads the code object, and registers come from the interpreter: only
 * the handling of locations is the library's.
 */
#include <stdio.h>

#include "interpreted.h"

static struct machine *machine;
static unsigned int reads;		/* values that were compared */
static bool was_in_touch;		/* the wave has called it */

/* Expected texts; "..." at the end: only the beginning */
struct expected {
	unsigned int num;
	char text[8][128];
};

#define ADD(e, ...) snprintf((e)->text[(e)->num++], sizeof((e)->text[0]), __VA_ARGS__)

static int mix(int p, int q)
{
	return (p * 3 + q) ^ (p & 0xff);
}

/* Of mix(), called for x and for each turn of the loop */
static void expect_mix(const char *name, int x, struct expected *e)
{
	int p, q, k;

	for (k = -1; k < N; k++) {
		p = k < 0 ? x : mix(x, N);
		q = k < 0 ? N : k;
		ADD(e, "%d", !strcmp(name, "p") ? p : !strcmp(name, "q") ? q :
			     !strcmp(name, "sum") ? p * 3 + q : mix(p, q));
	}
}

static void expect_touch(const char *name, unsigned int lane, int x, struct expected *e)
{
	if (!strcmp(name, "by"))
		ADD(e, "%u", lane);
	else if (!strcmp(name, "old"))
		ADD(e, "%d", x);
	else if (!strcmp(name, "now"))
		ADD(e, "%d", x + (int)lane);
	else if (!strcmp(name, "where"))
		ADD(e, "(int *) private#0x...");
}

/* The functions of walk.cl: k has its value only within the loop. */
static void expect_walk(const struct adbgd_variable *v, int x, struct expected *e)
{
	if (!strcmp(v->name, "steps"))
		ADD(e, "9");
	else if (!strcmp(v->name, "from") && v->type->kind == ADBGD_TYPE_POINTER)
		ADD(e, "(const int *) 0x%llx", VA_IN);
	else if (!strcmp(v->name, "from"))
		ADD(e, "%d", x);
	else if (!strcmp(v->name, "early"))
		ADD(e, "(const int *) 0x%llx", VA_IN);
	else if (!strcmp(v->name, "first"))
		ADD(e, "1");
}

static void expect_numbers(const char *name, unsigned int lane, int x, struct expected *e)
{
	uint32_t u = (uint32_t)x * 2654435761U;
	float f = x * 0.5f;

	if (!strcmp(name, "i"))
		ADD(e, "%u", lane);
	else if (!strcmp(name, "at"))
		ADD(e, "(const int *) 0x%llx", VA_IN + 4ULL * lane);
	else if (!strcmp(name, "x"))
		ADD(e, "%d", x);
	else if (!strcmp(name, "u"))
		ADD(e, "%u", u);
	else if (!strcmp(name, "f"))
		ADD(e, "%.9g", f);
	else if (!strcmp(name, "d"))
		ADD(e, "%.17g", f * 3.0);
	else if (!strcmp(name, "wide"))
		ADD(e, "%lld", x * 1000003LL);
	else if (!strcmp(name, "s"))
		ADD(e, "%d", x);
	else if (!strcmp(name, "c"))
		ADD(e, "%u '...", u & 0xff);
	else if (!strcmp(name, "odd"))
		ADD(e, "%s", x & 1 ? "true" : "false");
	else if (!strcmp(name, "h"))
		ADD(e, "%.5g", f);
	else if (!strcmp(name, "colour"))
		ADD(e, "%s", x & 1 ? "GREEN" : "RED");
	else if (!strcmp(name, "mixed"))
		ADD(e, "%d", mix(x, N));
	else if (!strcmp(name, "counter"))
		ADD(e, "%d", x * 2);
}

static void expect_vars(const char *name, unsigned int lane, int x, struct expected *e)
{
	float f = x * 0.5f;
	int first;

	expect_numbers(name, lane, x, e);
	if (!strcmp(name, "v"))
		ADD(e, "{%.9g, %.9g, %.9g, %.9g}", f, f + 1, f + 2, f + 3);
	else if (!strcmp(name, "pairs"))
		ADD(e, "{%d, %d}", x, -x);
	else if (!strcmp(name, "p"))
		ADD(e, "{a = %d, b = %.9g}", x, f);
	else if (!strcmp(name, "r"))
		ADD(e, "{first = {a = %d, b = %.9g}, bytes = ...", x + 1, f);
	else if (!strcmp(name, "n"))
		ADD(e, "%d", N);
	else if (!strcmp(name, "in"))
		ADD(e, "(const int *) 0x%llx", VA_IN);
	else if (!strcmp(name, "out"))
		ADD(e, "(int *) 0x%llx", VA_OUT);
	/* touch() changes the first element, before or after this instruction. */
	for (first = 0; !strcmp(name, "array") && first < 2; first++)
		ADD(e, "{%d, %d, %d, %d}", x + (first ? (int)lane : 0), x + 1, x + 2, x + 3);
}

static void expect(const struct adbgd_variable *v, unsigned int lane, struct expected *e)
{
	int x = interpreted_input(lane);

	e->num = 0;
	if (v->flags & ADBGD_VARIABLE_GLOBAL) {
		if (!strcmp(v->name, "table"))
			ADD(e, "{11, 22, 33, 44}");
	} else if (!strcmp(v->function, "mix")) {
		expect_mix(v->name, x, e);
	} else if (!strcmp(v->function, "touch")) {
		expect_touch(v->name, lane, x, e);
	} else if (!strcmp(v->function, "walk") || !strcmp(v->function, "fill") ||
		   !strcmp(v->function, "peek")) {
		expect_walk(v, x, e);
	} else if (!strcmp(v->function, "shared") && !strcmp(v->name, "one")) {
		ADD(e, "{%d, %d, %d, %d, ...", interpreted_input(0), interpreted_input(1),
		    interpreted_input(2), interpreted_input(3));
	} else {
		expect_vars(v->name, lane, x, e);
	}
}

static bool is_expected(const char *text, const struct expected *e)
{
	unsigned int i;

	for (i = 0; i < e->num; i++) {
		const char *dots = strstr(e->text[i], "...");

		if (dots ? !strncmp(text, e->text[i], dots - e->text[i]) :
			   !strcmp(text, e->text[i]))
			return true;
	}
	return false;
}

/* Without optimization a variable has its place before it has its value. */
static bool has_value(struct adbgd_code *code, uint64_t pc,
		      const struct adbgd_variable *v, bool optimized)
{
	struct adbgd_frame frame;
	struct adbgd_line line;
	size_t count;

	if (v->flags & ADBGD_VARIABLE_GLOBAL)
		return true;
	if (adbgd_line_at(code, pc, &line, NULL) || line.flags & ADBGD_LINE_NEAR)
		return false;
	/* LDS has it once the barrier is behind it. */
	if (!strcmp(v->name, "one"))
		return machine->barriers;
	/* These stay in memory, and are filled before touch() is called. */
	/* LLVM 19 turns its comparison round and says the old value: #dbg_value in its IR. */
	if (optimized && !strcmp(v->name, "odd"))
		return false;
	if (optimized)
		return (strcmp(v->name, "array") && strcmp(v->name, "r")) || was_in_touch;
	if (v->flags & ADBGD_VARIABLE_PARAMETER) {
		struct adbgd_line begin;

		return !adbgd_function_find(code, v->function, &begin, 1, &count, NULL) &&
		       count == 1 && pc >= begin.address;
	}
	return !adbgd_frames_at(code, pc, &frame, 1, &count, NULL) &&
	       !strcmp(frame.function, v->function) && line.line > v->line;
}

/* One variable in one lane: does it say what it has to? */
static void look_at(struct adbgd_code *code, uint64_t pc,
		    struct adbgd_variables *variables, size_t i, unsigned int lane,
		    bool optimized)
{
	const struct adbgd_context context = {
		.read_register = interpreted_register,
		.read_memory = interpreted_memory,
		.data = machine,
		.lanes = machine->w->lanes,
		.lane = lane,
	};
	const struct adbgd_variable *v = adbgd_variables_get(variables, i);
	struct adbgd_location location;
	struct adbgd_value *value;
	struct adbgd_error error;
	struct expected e;
	char text[512], where[256];
	int ret;

	expect(v, lane, &e);
	if (!e.num || !has_value(code, pc, v, optimized))
		return;
	ret = adbgd_variable_read(variables, i, &context, &value, &error);
	if (ret == -ENODATA)
		return;
	if (ret)
		fail_msg("pc %#llx: %s", (unsigned long long)(pc - VA_IMAGE), error.text);
	adbgd_value_text(value, 0, text, sizeof(text));
	adbgd_value_free(value);
	reads++;
	/* What is known in part is right in that part; see test_debug_value.c. */
	if (strstr(text, "<optimized out>") || is_expected(text, &e))
		return;
	assert_int_equal(adbgd_variable_locate(variables, i, &context, &location, NULL), 0);
	fail_msg("pc %#llx lane %u: %s of %s is %s, not %s, in %s",
		 (unsigned long long)(pc - VA_IMAGE), lane, v->name, v->function, text,
		 e.text[0], adbgd_variable_location_text(&location, where, sizeof(where)));
}

/* Which names were read at least once */
struct seen {
	char names[32][32];
	unsigned int num;
};

static void note(struct seen *seen, const char *name)
{
	unsigned int i;

	for (i = 0; i < seen->num && strcmp(seen->names[i], name); i++)
		;
	if (i == seen->num && i < 32)
		snprintf(seen->names[seen->num++], 32, "%s", name);
}

static bool was_seen(const struct seen *seen, const char *name)
{
	unsigned int i;

	for (i = 0; i < seen->num && strcmp(seen->names[i], name); i++)
		;
	return i < seen->num;
}

static void look_around(struct adbgd_code *code, bool optimized, struct seen *seen)
{
	static const unsigned int lanes[] = { 0, 5, 31, 63 };
	struct adbgd_variables *variables;
	uint64_t pc = machine->w->pc;
	struct adbgd_error error;
	unsigned int before;
	size_t i, l;

	if (adbgd_variables_new(code, pc, &variables, &error))
		fail_msg("%s", error.text);
	was_in_touch |= !strcmp(adbgd_code_symbol_at(code, pc)->name, "touch");
	for (i = 0; adbgd_variables_get(variables, i); i++) {
		before = reads;
		for (l = 0; l < 4 && lanes[l] < machine->w->lanes; l++)
			look_at(code, pc, variables, i, lanes[l], optimized);
		if (reads > before)
			note(seen, adbgd_variables_get(variables, i)->name);
	}
	adbgd_variables_free(variables);
}

/* A kernel from its first instruction to its last */
static void run(const char *path, const char *kernel, unsigned int lanes, bool optimized,
		struct seen *seen)
{
	struct adbgd_code *code = open_code(path);
	struct codeobj co;

	memset(seen, 0, sizeof(*seen));
	was_in_touch = false;
	interpreted_begin(machine, &co, code, path, kernel, lanes);
	while (!machine->ended) {
		look_around(code, optimized, seen);
		assert_int_equal(machine_run(machine, 1), 1);
		if (machine->faults + machine->illegal + machine->complaints)
			fail_msg("pc %#llx: %u faults (%#llx), %u illegal instructions: %s",
				 (unsigned long long)(machine->w->pc - VA_IMAGE),
				 machine->faults, (unsigned long long)machine->fault_va,
				 machine->illegal, machine->log);
	}
	codeobj_unload(&co);
	adbgd_code_free(code);
}

static void check_seen(const struct seen *seen, const char *const *names, size_t num)
{
	size_t i;

	for (i = 0; i < num; i++) {
		if (!was_seen(seen, names[i]))
			fail_msg("%s was never read", names[i]);
	}
}

/* Everything has its place in memory, all the time. */
static void variables_in_private_memory_have_their_values(void **state)
{
	static const char *const names[] = {
		"out", "in", "n", "i", "at", "x", "u", "f", "d", "wide", "s", "c", "odd", "h",
		"v", "pairs", "colour", "p", "r", "array", "mixed", "counter", "sum", "both",
		"where", "by", "old", "now", "q", "table",
	};
	struct seen seen;

	(void)state;
	run(DEBUG_CO "vars_O0.co", "vars", 32, false, &seen);
	check_seen(&seen, names, ARRAY_SIZE(names));
	run(DEBUG_CO "vars_O0_64.co", "vars", 64, false, &seen);
	check_seen(&seen, names, ARRAY_SIZE(names));
}

/* Some have a register for a while; the array, and what is of it, is in memory. */
static void variables_in_registers_have_their_values(void **state)
{
	static const char *const names[] = {
		"i", "x", "u", "f", "s", "wide", "h", "colour", "counter", "where", "by", "old",
		"now", "p", "r", "array", "table",
	};
	struct seen seen;

	(void)state;
	run(DEBUG_CO "vars_O1.co", "vars", 32, true, &seen);
	check_seen(&seen, names, ARRAY_SIZE(names));
	run(DEBUG_CO "vars_O1_64.co", "vars", 64, true, &seen);
	check_seen(&seen, names, ARRAY_SIZE(names));
	run(DEBUG_CO "vars_O1_dwarf4.co", "vars", 32, true, &seen);
	check_seen(&seen, names, ARRAY_SIZE(names));
}

/* DWARF 2 has no DW_OP_stack_value, and describes the members of structures by expressions. */
static void variables_in_dwarf_2_have_their_values(void **state)
{
	static const char *const in_memory[] = {
		"out", "i", "x", "f", "d", "wide", "v", "pairs", "colour", "p", "r", "array", "table",
	};
	static const char *const in_registers[] = {
		"i", "x", "u", "f", "h", "where", "old", "now", "p", "r", "table",
	};
	struct seen seen;

	(void)state;
	run(DEBUG_CO "vars_O0_dwarf2.co", "vars", 32, false, &seen);
	check_seen(&seen, in_memory, ARRAY_SIZE(in_memory));
	run(DEBUG_CO "vars_O1_dwarf2.co", "vars", 32, true, &seen);
	check_seen(&seen, in_registers, ARRAY_SIZE(in_registers));
}

/* One register in DWARF, and two in the code */
static void pointers_in_two_registers_have_their_values(void **state)
{
	static const char *const names[] = { "from", "first", "steps", "early" };
	struct seen seen;

	(void)state;
	run(DEBUG_CO "walk_O1.co", "walks", 32, true, &seen);
	check_seen(&seen, names, ARRAY_SIZE(names));
	run(DEBUG_CO "walk_O1_64.co", "walks", 64, true, &seen);
	check_seen(&seen, names, ARRAY_SIZE(names));
	run(DEBUG_CO "walk_O1_dwarf2.co", "walks", 32, true, &seen);
	check_seen(&seen, names, ARRAY_SIZE(names));
}

static void the_only_variable_in_lds_is_found(void **state)
{
	static const char *const names[] = { "one" };
	struct seen seen;

	(void)state;
	run(DEBUG_CO "vars_O0.co", "shared", 32, false, &seen);
	check_seen(&seen, names, 1);
	run(DEBUG_CO "vars_O1.co", "shared", 32, true, &seen);
	check_seen(&seen, names, 1);
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
	/* Several hundred instructions with a dozen variables in three lanes */
	return reads > 10000 ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variables_in_private_memory_have_their_values),
		cmocka_unit_test(variables_in_registers_have_their_values),
		cmocka_unit_test(variables_in_dwarf_2_have_their_values),
		cmocka_unit_test(pointers_in_two_registers_have_their_values),
		cmocka_unit_test(the_only_variable_in_lds_is_found),
	};

	return cmocka_run_group_tests_name("debug_run", tests, setup, teardown);
}

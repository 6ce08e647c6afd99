// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/code/eval_assign.c: assignments to the variables of vars.cl and private.cl, which are
 * in simulated memory. The expected bytes come from the compiler of this file, which executes the
 * same statements for variables of the same names and types. Registers and pieces are simulated.
 */
#include "debug/util.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#include <amdgpudbg-debug-assign.h>

#include "vars.h"

#pragma GCC diagnostic ignored "-Woverflow"
#pragma GCC diagnostic ignored "-Wint-conversion"

#define LANE		7

/* As private.cl has it */
struct record {
	uint32_t id;
	struct {
		float x, y;
	} at;
	uint32_t low : 5, high : 27;
	const uint32_t *from;
};

struct all {
	int ints[NUM_INTS];
	int *in, *at;
	int x, n, i, k, array[4], pairs[2];
	unsigned int u;
	float f, v[4];
	double d;
	long wide;
	short s;
	unsigned char c;
	bool odd;
	uint16_t h;
	enum colour colour;
	struct pair p;
	record_t r;
	struct record bits;
};

static struct all now, before;

#define SERVED(name, member) { name, offsetof(struct all, member), sizeof(now.member) }

struct served {
	const char *name;
	size_t offset, size;
};

static const struct served of_vars[] = {
	SERVED("in", in), SERVED("at", at), SERVED("x", x), SERVED("n", n), SERVED("i", i),
	SERVED("k", k), SERVED("array", array), SERVED("pairs", pairs), SERVED("u", u),
	SERVED("f", f), SERVED("v", v), SERVED("d", d), SERVED("wide", wide), SERVED("s", s),
	SERVED("c", c), SERVED("odd", odd), SERVED("h", h), SERVED("colour", colour),
	SERVED("p", p), SERVED("r", r),
};

static const struct served of_private[] = {
	SERVED("r", bits),
};

static struct adbgd_code *codes[2];
static struct adbgd_variables *vars, *private;
static const struct served *served;	/* of the variables that are used */
static size_t num_served;
static uint64_t places[ARRAY_SIZE(of_vars)];
static uint32_t registers[3][256];	/* SGPRs, VGPRs of the lane, others */
static unsigned int writes;
static struct adbgd_error error;

static uint32_t *find_register(uint32_t space, uint32_t number, uint32_t lane)
{
	if (space == AMDGPUDBG_REG_VGPR && lane == LANE && number < 256)
		return &registers[1][number];
	if (space == AMDGPUDBG_REG_SGPR && number < 108)
		return &registers[0][number];
	if (space == ADBGD_REG_EXEC && number < 2)
		return &registers[2][number];
	if (space == ADBGD_REG_M0 && !number)
		return &registers[2][2];
	return space == ADBGD_REG_PC && number < 2 ? &registers[2][3 + number] : NULL;
}

static int read_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
			 uint32_t *value)
{
	const uint32_t *found = find_register(space, number, lane);

	(void)data;
	if (found)
		*value = *found;
	return found ? 0 : -EINVAL;
}

static int write_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
			  uint32_t value)
{
	uint32_t *found = find_register(space, number, lane);

	(void)data;
	if (!found)
		return -EINVAL;
	*found = value;
	writes++;
	return 0;
}

static uint8_t *find_memory(uint32_t space, uint32_t lane, uint64_t address, size_t size)
{
	assert_int_equal(lane, LANE);
	/* What is pointed to is where it is here. */
	if (space == ADBGD_SPACE_GLOBAL) {
		uint64_t offset = address - (uintptr_t)now.ints;

		return offset <= sizeof(now.ints) && size <= sizeof(now.ints) - offset ?
		       (uint8_t *)now.ints + offset : NULL;
	}
	for (size_t i = 0; space == ADBGD_SPACE_PRIVATE && i < num_served; i++) {
		uint64_t offset = address - places[i];

		if (offset <= served[i].size && size <= served[i].size - offset)
			return (uint8_t *)&now + served[i].offset + offset;
	}
	return NULL;
}

static int read_memory(void *data, uint32_t space, uint32_t lane, uint64_t address, void *buffer,
		       size_t size)
{
	const uint8_t *found = find_memory(space, lane, address, size);

	(void)data;
	if (found)
		memcpy(buffer, found, size);
	return found ? 0 : -EFAULT;
}

static int write_memory(void *data, uint32_t space, uint32_t lane, uint64_t address,
			const void *buffer, size_t size)
{
	uint8_t *found = find_memory(space, lane, address, size);

	(void)data;
	if (!found)
		return -EFAULT;
	memcpy(found, buffer, size);
	writes++;
	return 0;
}

static const struct adbgd_context context = {
	.read_register = read_register, .read_memory = read_memory, .lanes = 32, .lane = LANE,
};

static const struct adbgd_writer writer = {
	.write_register = write_register, .write_memory = write_memory,
};

static void use(struct adbgd_variables *variables)
{
	struct adbgd_location location;

	served = variables == vars ? of_vars : of_private;
	num_served = variables == vars ? ARRAY_SIZE(of_vars) : ARRAY_SIZE(of_private);
	for (size_t i = 0; i < num_served; i++) {
		int found = adbgd_variables_find(variables, served[i].name);

		if (adbgd_variable_locate(variables, found, &context, &location, &error))
			fail_msg("%s", error.text);
		assert_int_equal(location.num_pieces, 1);
		assert_int_equal(location.pieces[0].space, ADBGD_SPACE_PRIVATE);
		places[i] = location.pieces[0].address;
	}
	memset(&now, 0, sizeof(now));
	for (int i = 0; i < NUM_INTS; i++)
		now.ints[i] = i * 17 - 100;
	now.in = now.ints;
	now.at = now.ints + 4;
	now.x = -3;
	now.n = 3;
	now.i = 2;
	now.f = 1.5f;
	now.d = -0.75;
	now.u = 4000000000u;
	now.wide = -5000000000;
	now.bits.low = 9;
	now.bits.high = 12345;
	now.p = (struct pair){ 7, 2.25f };
}

static int assign(struct adbgd_variables *variables, const char *text)
{
	before = now;
	writes = 0;
	return adbgd_value_assign(variables, text, &context, &writer, &error);
}

/* The statement means the same for the debugger and for the compiler. */
#define ASSIGNS(variables, words, statement) do { \
	struct all after; \
	if (assign(variables, words)) \
		fail_msg("%s: %s", words, error.text); \
	after = now; \
	now = before; \
	statement; \
	if (memcmp(&after, &now, sizeof(now))) \
		fail_msg("%s has another result", words); \
} while (0)

#define VAR(lhs, rhs)	ASSIGNS(vars, #lhs " = " #rhs, lhs = rhs)
#define PRIVATE(lhs, rhs)	ASSIGNS(private, #lhs " = " #rhs, lhs = rhs)

/* The names in a statement are members here. */
#define in	now.in
#define at	now.at
#define x	now.x
#define n	now.n
#define i	now.i
#define array	now.array
#define u	now.u
#define f	now.f
#define v	now.v
#define d	now.d
#define wide	now.wide
#define s	now.s
#define c	now.c
#define odd	now.odd
#define colour	now.colour
#define p	now.p

static void numbers_are_converted_as_in_c(void **state)
{
	(void)state;
	use(vars);
	VAR(x, 5);
	VAR(x, -2147483647 - 1);
	VAR(x, u - 3999999990u);
	VAR(x, f * 2);
	VAR(x, -7.9);
	VAR(u, 0xffffffff);
	VAR(u, -1);
	VAR(s, x);
	VAR(s, -32768);
	VAR(c, 255);
	VAR(wide, 0x7fffffffffffffff);
	VAR(wide, -1);
	VAR(wide, u * 2l);
	VAR(f, 1);
	VAR(f, 0.1);
	VAR(f, -1.5f / 1e38f / 100);
	VAR(f, wide);
	VAR(d, f);
	VAR(d, 1e300);
	VAR(odd, 256);
	VAR(odd, 0);
	VAR(odd, 0.5);
	VAR(colour, 5);
	VAR(p.b, p.a);
	VAR(p.a, p.b + 3);
	VAR(v[2], x + 0.5);
	VAR(array[n], array[i] + 4);
	VAR(array[n - 1], 99);
}

static void pointers_are_followed_and_changed(void **state)
{
	(void)state;
	use(vars);
	VAR(*in, 12);
	VAR(in[5], x);
	VAR(at[-1], in[3] + 1);
	VAR(*(at + 2), 77);
	VAR(at, in + 7);
	VAR(at, 0);
	assert_int_equal(assign(vars, "*at = 1"), -EFAULT);
	assert_string_equal(error.text, "memory cannot be changed: Bad address");
}

#undef x
#undef i
#undef wide
#undef at

static void members_of_structures_are_changed(void **state)
{
	(void)state;
	use(vars);
#define r now.r
	VAR(r.first.a, -9);
	VAR(r.bytes[2], 200);
	VAR(r.wide, 65535);
	VAR(r.narrow, -4);
	VAR(r.first, p);
#undef r
}

static void bit_fields_keep_their_neighbours(void **state)
{
	(void)state;
	use(private);
#define r now.bits
	PRIVATE(r.low, 31);
	PRIVATE(r.high, 0x7ffffff);
	PRIVATE(r.low, 0);
	PRIVATE(r.high, r.low + 5);
	PRIVATE(r.at.y, r.low - 2.5);
	PRIVATE(r.id, 3);
#undef r
	assert_int_equal(assign(private, "r.low = 32"), -EOVERFLOW);
	assert_non_null(strstr(error.text, "(5 bits)"));
	assert_int_equal(writes, 0);
}

#undef in
#undef array
#undef u
#undef f
#undef v
#undef d
#undef s
#undef c
#undef odd
#undef colour
#undef p
#undef n

/* The type half of OpenCL, by its bits in IEEE 754 */
static void numbers_of_two_bytes_are_rounded(void **state)
{
	static const struct {
		const char *text;
		uint16_t bits;
	} cases[] = {
		{ "h = 0", 0 }, { "h = 1", 0x3c00 }, { "h = -2", 0xc000 }, { "h = 65504", 0x7bff },
		{ "h = 65519.0", 0x7bff }, { "h = 0.1", 0x2e66 }, { "h = 0.00006103515625", 0x400 },
		{ "h = 0.000000059604644775390625", 1 }, { "h = 0.00000001", 0 },
		{ "h = 2049", 0x6800 }, { "h = 2051", 0x6802 }, { "h = 0.33325", 0x3555 },
	};

	(void)state;
	use(vars);
	for (size_t k = 0; k < ARRAY_SIZE(cases); k++) {
		if (assign(vars, cases[k].text))
			fail_msg("%s: %s", cases[k].text, error.text);
		if (now.h != cases[k].bits)
			fail_msg("%s: %#x", cases[k].text, now.h);
	}
	assert_int_equal(assign(vars, "h = 65520"), -EOVERFLOW);
}

static void refusals_change_nothing(void **state)
{
	static const struct {
		const char *text;
		int ret;
		const char *why;
	} cases[] = {
		{ "x = 4294967296", -EOVERFLOW, "4294967296 does not fit into int (32 bits)" },
		{ "x = -2147483649l", -EOVERFLOW, "does not fit" },
		{ "s = 65536", -EOVERFLOW, "65536 does not fit into short (16 bits)" },
		{ "c = -129", -EOVERFLOW, "-129 does not fit into uchar (8 bits)" },
		{ "x = 1e10", -EOVERFLOW, "1e+10 does not fit" },
		{ "f = 1e39", -EOVERFLOW, "1e+39 does not fit into float (32 bits)" },
		{ "x + 1 = 2", -EINVAL, "'=' is expected at '+ 1 = 2'" },
		{ "(x + 1) = 2", -EINVAL, "the left side of = is a value" },
		{ "5 = x", -EINVAL, "the left side of = is a value" },
		{ "-x = 5", -EINVAL, "the left side of = is a value" },
		{ "x += 1", -EINVAL, "only = assigns" },
		{ "x =", -EINVAL, "a name or a number is expected" },
		{ "x = 1 2", -EINVAL, "an operator is expected" },
		{ "x = n = 1", -EINVAL, "an operator is expected" },
		{ "x", -EINVAL, "'=' is expected at the end" },
		{ "none = 1", -ENOENT, "there is no variable 'none'" },
		{ "x = none", -ENOENT, "there is no variable 'none'" },
		{ "p = 1", -EINVAL, "cannot be assigned to struct pair" },
		{ "p = r", -EINVAL, "cannot be assigned to struct pair" },
		{ "x = p", -EINVAL, "is not a number" },
		{ "array = 1", -EINVAL, "cannot be assigned to int [4]" },
		{ "at = 1.5", -EINVAL, "a float cannot be assigned to" },
		{ "in[64] = 1", -EFAULT, "cannot be changed" },
		{ "$pc = 0", -EINVAL, "this pseudo variable cannot be changed" },
		{ "$lane = 0", -EINVAL, "this pseudo variable cannot be changed" },
		{ "$s3 = 4294967296", -EOVERFLOW, "does not fit" },
		{ "$nosuch = 0", -EINVAL, "there is no register or pseudo variable" },
	};

	(void)state;
	use(vars);
	for (size_t k = 0; k < ARRAY_SIZE(cases); k++) {
		assert_int_equal(assign(vars, cases[k].text), cases[k].ret);
		if (!strstr(error.text, cases[k].why))
			fail_msg("%s: %s", cases[k].text, error.text);
		assert_int_equal(writes, 0);
	}
}

static void registers_are_assigned_by_name(void **state)
{
	(void)state;
	use(vars);
	registers[0][4] = 40;
	assert_int_equal(assign(NULL, "$s3 = 5"), 0);
	assert_int_equal(registers[0][3], 5);
	assert_int_equal(assign(NULL, "$v9 = $s4 + 2"), 0);
	assert_int_equal(registers[1][9], 42);
	assert_int_equal(assign(NULL, "$vcc = 0x100000002"), 0);
	assert_int_equal(registers[0][106], 2);
	assert_int_equal(registers[0][107], 1);
	assert_int_equal(assign(NULL, "$exec = -1"), 0);
	assert_int_equal(registers[2][0], ~0U);
	assert_int_equal(registers[2][1], 0);
	assert_int_equal(assign(NULL, "$m0=7"), 0);
	assert_int_equal(registers[2][2], 7);
}

/* 3 bytes of s5, then a constant, then v[8:9], then nothing */
static void pieces_are_written_where_they_are(void **state)
{
	static const struct adbgd_location location = {
		.num_pieces = 4,
		.pieces = {
			{ .where = ADBGD_PIECE_IN_REGISTER, .space = AMDGPUDBG_REG_SGPR,
			  .number = 5, .size = 3 },
			{ .where = ADBGD_PIECE_HAS_VALUE, .size = 1 },
			{ .where = ADBGD_PIECE_IN_REGISTER, .space = AMDGPUDBG_REG_VGPR,
			  .number = 8, .size = 8 },
			{ .where = ADBGD_PIECE_OPTIMIZED_OUT, .size = 4 },
		},
	};
	static const uint8_t bytes[16] = { 1, 2, 3, 4, 5, 6, 7, 8 };

	(void)state;
	registers[0][5] = 0xaabbccdd;
	registers[1][8] = 0x11223344;
	registers[1][9] = 0x55667788;
	assert_int_equal(adbgd_location_write(&location, 1, bytes, 2, &context, &writer, &error),
			 0);
	assert_int_equal(registers[0][5], 0xaa0201dd);
	assert_int_equal(adbgd_location_write(&location, 7, bytes, 5, &context, &writer, &error),
			 0);
	assert_int_equal(registers[1][8], 0x01223344);
	assert_int_equal(registers[1][9], 0x05040302);
	writes = 0;
	assert_int_equal(adbgd_location_write(&location, 0, bytes, 8, &context, &writer, &error),
			 -EROFS);
	assert_non_null(strstr(error.text, "it is not stored"));
	assert_int_equal(adbgd_location_write(&location, 8, bytes, 8, &context, &writer, &error),
			 -ENODATA);
	assert_non_null(strstr(error.text, "optimized out"));
	assert_int_equal(adbgd_location_write(&location, 15, bytes, 2, &context, &writer, &error),
			 -ENODATA);
	assert_int_equal(adbgd_location_write(&location, 16, bytes, 1, &context, &writer, &error),
			 -ERANGE);
	assert_int_equal(writes, 0);
}

static void assignments_are_recognised(void **state)
{
	(void)state;
	assert_int_equal(adbgd_expression_find_assignment("x=1"), 1);
	assert_int_equal(adbgd_expression_find_assignment("x = y == 1"), 2);
	assert_int_equal(adbgd_expression_find_assignment("a[i == 1] = 2"), 10);
	assert_int_equal(adbgd_expression_find_assignment("x += 1"), 3);
	assert_int_equal(adbgd_expression_find_assignment("x <<= 1"), 4);
	assert_int_equal(adbgd_expression_find_assignment("x = '='"), 2);
	assert_int_equal(adbgd_expression_find_assignment("a['='] = 1"), 7);
	assert_int_equal(adbgd_expression_find_assignment("x == '='"), -ENOENT);
	assert_int_equal(adbgd_expression_find_assignment("=x"), 0);
	assert_int_equal(adbgd_expression_find_assignment("x"),
			 -ENOENT);
	assert_int_equal(adbgd_expression_find_assignment("x == 1"),
			 -ENOENT);
	assert_int_equal(adbgd_expression_find_assignment("x <= 1 && y >= 2 || z != 3"),
			 -ENOENT);
}

static struct adbgd_variables *open_at(struct adbgd_code **code, const char *path,
				       const char *file, const char *text)
{
	uint32_t number = line_of(file, text);
	struct adbgd_variables *variables;
	struct adbgd_line found;
	size_t count;

	*code = open_code(path);
	if (adbgd_line_find(*code, strrchr(file, '/') + 1, number, &found, 1, &count,
			    &error) ||
	    adbgd_variables_new(*code, found.address, &variables, &error))
		fail_msg("%s", error.text);
	return variables;
}

static int set_up(void **state)
{
	(void)state;
	vars = open_at(&codes[0], DEBUG_CO "vars_O0.co", "tests/unit/debug/code/vars.cl",
		       "total += mix(");
	private = open_at(&codes[1], KERNELS_CO "private_O0.co", "tests/kernels/private.cl",
			  "/. filled ./");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	adbgd_variables_free(vars);
	adbgd_variables_free(private);
	adbgd_code_free(codes[0]);
	adbgd_code_free(codes[1]);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_converted_as_in_c),
		cmocka_unit_test(pointers_are_followed_and_changed),
		cmocka_unit_test(members_of_structures_are_changed),
		cmocka_unit_test(bit_fields_keep_their_neighbours),
		cmocka_unit_test(numbers_of_two_bytes_are_rounded),
		cmocka_unit_test(refusals_change_nothing),
		cmocka_unit_test(registers_are_assigned_by_name),
		cmocka_unit_test(pieces_are_written_where_they_are),
		cmocka_unit_test(assignments_are_recognised),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/code/type.c, value_text.c, location.c, and the reasons for which a variable cannot
 * be read. Expected texts are those that gdb 13.1 has printed for the same values in a program
 * for the host.
 */
#include "debug/util.h"

#include <stdio.h>

#define VARS	DEBUG_CO "vars_O0.co"
#define VARS_O1	DEBUG_CO "vars_O1.co"

/* Types as debug information would have them */
static const struct adbgd_type s32 = { "int", 4, NULL, 0, NULL, 0, ADBGD_TYPE_SIGNED,
				       ADBGD_TYPE_IS_SIGNED, 0 };
static const struct adbgd_type u64 = { "ulong", 8, NULL, 0, NULL, 0, ADBGD_TYPE_UNSIGNED,
				       0, 0 };
static const struct adbgd_type chr = { "char", 1, NULL, 0, NULL, 0, ADBGD_TYPE_CHAR,
				       ADBGD_TYPE_IS_SIGNED, 0 };
static const struct adbgd_type byte = { "uchar", 1, NULL, 0, NULL, 0, ADBGD_TYPE_CHAR, 0, 0 };
static const struct adbgd_type s16 = { "short", 2, NULL, 0, NULL, 0, ADBGD_TYPE_SIGNED,
				       ADBGD_TYPE_IS_SIGNED, 0 };
static const struct adbgd_type u16 = { "ushort", 2, NULL, 0, NULL, 0, ADBGD_TYPE_UNSIGNED,
				       0, 0 };
static const struct adbgd_type u32 = { "uint", 4, NULL, 0, NULL, 0, ADBGD_TYPE_UNSIGNED,
				       0, 0 };
static const struct adbgd_type s64 = { "long", 8, NULL, 0, NULL, 0, ADBGD_TYPE_SIGNED,
				       ADBGD_TYPE_IS_SIGNED, 0 };
/* Memory, as gdb's command x shows it */
static const struct adbgd_type n8 = { "", 1, NULL, 0, NULL, 0, ADBGD_TYPE_SIGNED, 0, 0 };
static const struct adbgd_type n16 = { "", 2, NULL, 0, NULL, 0, ADBGD_TYPE_SIGNED, 0, 0 };
static const struct adbgd_type n32 = { "", 4, NULL, 0, NULL, 0, ADBGD_TYPE_SIGNED, 0, 0 };
static const struct adbgd_type n64 = { "", 8, NULL, 0, NULL, 0, ADBGD_TYPE_SIGNED, 0, 0 };
static const struct adbgd_type truth = { "bool", 1, NULL, 0, NULL, 0, ADBGD_TYPE_BOOL, 0, 0 };
static const struct adbgd_type f16 = { "half", 2, NULL, 0, NULL, 0, ADBGD_TYPE_FLOAT, 0, 0 };
static const struct adbgd_type f32 = { "float", 4, NULL, 0, NULL, 0, ADBGD_TYPE_FLOAT, 0, 0 };
static const struct adbgd_type f64 = { "double", 8, NULL, 0, NULL, 0, ADBGD_TYPE_FLOAT, 0, 0 };
static const struct adbgd_type ptr = { "int *", 8, &s32, 0, NULL, 0, ADBGD_TYPE_POINTER, 0,
				       ADBGD_SPACE_GLOBAL };
static const struct adbgd_type lds = { "int *", 4, &s32, 0, NULL, 0, ADBGD_TYPE_POINTER, 0,
				       ADBGD_SPACE_LOCAL };
static const struct adbgd_type vec3 = { "float3", 16, &f32, 3, NULL, 0, ADBGD_TYPE_VECTOR,
					0, 0 };
static const struct adbgd_type vecc = { "uchar2", 2, &byte, 2, NULL, 0, ADBGD_TYPE_VECTOR,
					0, 0 };
static const struct adbgd_type text = { "char [6]", 6, &chr, 6, NULL, 0, ADBGD_TYPE_ARRAY, 0,
					0 };
static const struct adbgd_type many = { "int [64]", 256, &s32, 64, NULL, 0,
					ADBGD_TYPE_ARRAY, 0, 0 };
static const struct adbgd_member colours[] = {
	{ "RED", NULL, 1, 0, 0, 0 }, { "LAST", NULL, -1, 0, 0, 0 },
};

static const struct adbgd_type colour = { "enum colour", 4, NULL, 0, colours, 2,
					  ADBGD_TYPE_ENUM, 0, 0 };
static const struct adbgd_member members[] = {
	{ "a", &s32, 0, 0, 0, 0 }, { "at", &ptr, 0, 8, 0, 0 },
	{ "low", &u64, 0, 16, 0, 3 }, { "high", &s32, 0, 16, 3, 5 },
	{ "tail", &text, 0, 17, 0, 0 },
};

static const struct adbgd_type record = { "struct record", 24, NULL, 0, members, 5,
					  ADBGD_TYPE_STRUCT, 0, 0 };

static void check(const struct adbgd_type *type, const void *bytes, uint32_t flags,
		  const char *wanted)
{
	struct adbgd_value *value;
	struct adbgd_error error;
	char said[1024];
	size_t length;

	if (adbgd_value_new_bytes(type, bytes, &value, &error))
		fail_msg("%s", error.text);
	length = adbgd_value_text(value, flags, said, sizeof(said));
	assert_string_equal(said, wanted);
	assert_int_equal(length, strlen(wanted));
	/* A buffer that is too small gets the beginning. */
	assert_int_equal(adbgd_value_text(value, flags, said, 4), length);
	assert_int_equal(strncmp(said, wanted, 3), 0);
	assert_int_equal(said[length < 3 ? length : 3], 0);
	assert_int_equal(adbgd_value_text(value, flags, NULL, 0), length);
	adbgd_value_free(value);
}

static void integers_are_printed(void **state)
{
	static const int32_t minus = -5;
	static const uint64_t big = UINT64_MAX;
	static const uint8_t two = 2, letter = 'a', quote = '\'', high = 0xff, one = 1;

	(void)state;
	check(&s32, &minus, 0, "-5");
	check(&s32, &minus, ADBGD_VALUE_HEX, "0xfffffffb");
	check(&u64, &big, 0, "18446744073709551615");
	check(&chr, &letter, 0, "97 'a'");
	check(&chr, &quote, 0, "39 '\\''");
	check(&chr, &high, 0, "-1 '\\377'");
	check(&byte, &high, 0, "255 '\\377'");
	check(&truth, &one, 0, "true");
	check(&truth, &two, 0, "2");
}

static void floats_are_printed(void **state)
{
	static const float tenth = 0.1f, whole = 3, huge = 1e30f;
	static const uint32_t nan32 = 0x7fc00000, minus_inf = 0xff800000, zero = 0x80000000;
	static const double third = 1.0 / 3;
	/* 1, the largest, the smallest, 0.1, infinity: IEEE 754 of 16 bits */
	static const uint16_t half_bits[] = { 0x3c00, 0x7bff, 0x0001, 0x2e66, 0x7c00 };

	(void)state;
	check(&f32, &tenth, 0, "0.100000001");
	check(&f32, &whole, 0, "3");
	check(&f32, &huge, 0, "1.00000002e+30");
	check(&f32, &nan32, 0, "nan(0x400000)");
	check(&f32, &minus_inf, 0, "-inf");
	check(&f32, &zero, 0, "-0");
	check(&f32, &whole, ADBGD_VALUE_HEX, "0x40400000");
	check(&f64, &third, 0, "0.33333333333333331");
	check(&f16, &half_bits[0], 0, "1");
	check(&f16, &half_bits[1], 0, "65504");
	check(&f16, &half_bits[2], 0, "5.9605e-08");
	check(&f16, &half_bits[3], 0, "0.099976");
	check(&f16, &half_bits[4], 0, "inf");
}

/* Values, and what gdb shows; made by the script gdb_formats */
static const struct {
	const struct adbgd_type *type;
	uint64_t bits;
	char letter;
	bool is_padded;
	const char *text;
} gdb_formats[] = {
#include "gdb_formats.h"
};

static void formats_are_those_of_gdb(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(gdb_formats); i++)
		check(gdb_formats[i].type, &gdb_formats[i].bits,
		      ADBGD_VALUE_FORMAT(gdb_formats[i].letter) |
		      (gdb_formats[i].is_padded ? ADBGD_VALUE_PADDED : 0),
		      gdb_formats[i].text);
}

/* The texts are those of gdb 13.1, as above. */
static void formats_apply_to_each_part_of_a_value(void **state)
{
	static const uint8_t letters[6] = "abc", bytes[24] = { 1, [16] = 0xfd, 'A', 0xff };
	static const uint64_t address = 0x4028;
	static const uint32_t last = UINT32_MAX;
	int32_t numbers[64] = { 9 };

	(void)state;
	check(&text, letters, ADBGD_VALUE_FORMAT('x'), "{0x61, 0x62, 0x63, 0x0, 0x0, 0x0}");
	check(&many, numbers, ADBGD_VALUE_FORMAT('o'), "{011, 0 <repeats 63 times>}");
	check(&ptr, &address, ADBGD_VALUE_FORMAT('x'), "0x4028");
	check(&ptr, &address, ADBGD_VALUE_FORMAT('d'), "16424");
	check(&colour, &last, ADBGD_VALUE_FORMAT('d'), "-1");
	/* A bit field has the size of its type, and an unknown letter no effect. */
	check(&record, bytes, ADBGD_VALUE_FORMAT('x'), "{a = 0x1, at = 0x0, low = 0x5, "
	      "high = 0xffffffff, tail = {0x41, 0xff, 0x0, 0x0, 0x0, 0x0}}");
	check(&text, letters, ADBGD_VALUE_FORMAT('q'), "\"abc\\000\\000\"");
}

static void pointers_name_their_type_and_space(void **state)
{
	static const uint64_t address = 0x100001000;
	static const uint32_t offset = 0x40;

	(void)state;
	check(&ptr, &address, 0, "(int *) 0x100001000");
	check(&lds, &offset, 0, "(int *) local#0x40");
}

static void vectors_arrays_and_structs_are_printed(void **state)
{
	static const float v[4] = { 1, 2.5, -3, 99 };
	static const uint8_t letters[6] = "hi\"\n", none[6] = "", pair[2] = { 1, 200 };
	int32_t numbers[64] = { 1, 2 };
	static const int32_t red = 1, last = -1, other = 7;
	uint8_t r[24] = { 7, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0,
			  0xfd, 'a', 'b', 0, 'c', 0, 0 };

	(void)state;
	check(&vec3, v, 0, "{1, 2.5, -3}");
	check(&vecc, pair, 0, "{1, 200}");
	check(&text, letters, 0, "\"hi\\\"\\n\\000\"");
	check(&text, none, 0, "\"\\000\\000\\000\\000\\000\"");
	check(&many, numbers, 0, "{1, 2, 0 <repeats 62 times>}");
	check(&colour, &red, 0, "RED");
	check(&colour, &last, 0, "LAST");
	check(&colour, &other, 0, "7");
	/* 0xfd is 5 in its lowest three bits, and -1 in the five above. */
	check(&record, r, 0,
	      "{a = 7, at = 0x10, low = 5, high = -1, tail = \"ab\\000c\\000\"}");
}

static void repeats_are_counted(void **state)
{
	static const struct {
		const char *bytes, *text;
		unsigned int size;
	} cases[] = {
		{ "", "\"\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\"", 11 },
		{ "", "'\\000' <repeats 11 times>", 12 },
		{ "ab", "\"ab\", '\\000' <repeats 28 times>", 31 },
		{ "abcccccccccccccccde",
		  "\"ab\", 'c' <repeats 15 times>, \"de\", '\\000' <repeats 20 times>", 40 },
		{ "xxxxxxxxxxxxxxxab", "'x' <repeats 15 times>, \"ab\\000\\000\"", 20 },
		{ "abc", "\"abc\"", 3 },
		{ "", "\"\"", 1 },
	};
	static const int32_t zeros[11];
	struct adbgd_type t = text;
	uint8_t bytes[64];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		memset(bytes, 0, sizeof(bytes));
		memcpy(bytes, cases[i].bytes, strlen(cases[i].bytes));
		t.size = cases[i].size;
		t.count = cases[i].size;
		check(&t, bytes, 0, cases[i].text);
	}
	t = many;
	t.count = 10;
	t.size = 40;
	check(&t, zeros, 0, "{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}");
	t.count = 11;
	t.size = 44;
	check(&t, zeros, 0, "{0 <repeats 11 times>}");
}

static void long_arrays_end_with_dots(void **state)
{
	static const struct adbgd_type longer = { "int [300]", 1200, &s32, 300, NULL, 0,
						  ADBGD_TYPE_ARRAY, 0, 0 };
	struct adbgd_value *value;
	int32_t numbers[300];
	char said[4096], *end;
	int i;

	(void)state;
	for (i = 0; i < 300; i++)
		numbers[i] = i;
	assert_int_equal(adbgd_value_new_bytes(&longer, numbers, &value, NULL), 0);
	adbgd_value_text(value, 0, said, sizeof(said));
	end = strstr(said, ", 199");
	assert_non_null(end);
	assert_string_equal(end, ", 199...}");
	adbgd_value_free(value);
}

/* ------------------------------------------------------------ types of a file */

static const struct adbgd_variable *variable(struct adbgd_variables *variables,
					     const char *name)
{
	int i = adbgd_variables_find(variables, name);

	if (i < 0)
		fail_msg("there is no %s", name);
	return adbgd_variables_get(variables, i);
}

static struct adbgd_variables *variables_in(struct adbgd_code *code, const char *line)
{
	struct adbgd_variables *variables;
	struct adbgd_error error;
	struct adbgd_line found;
	uint32_t number = line_of("tests/unit/debug/code/vars.cl", line);
	size_t count;

	if (adbgd_line_find(code, "vars.cl", number, &found, 1, &count, &error) ||
	    adbgd_variables_new(code, found.address, &variables, &error))
		fail_msg("%s", error.text);
	return variables;
}

static void types_are_those_of_the_source(void **state)
{
	static const struct {
		const char *variable, *name;
		uint64_t size;
		uint32_t kind;
	} cases[] = {
		{ "out", "int *", 8, ADBGD_TYPE_POINTER },
		{ "in", "const int *", 8, ADBGD_TYPE_POINTER },
		{ "i", "int", 4, ADBGD_TYPE_SIGNED },
		{ "u", "uint", 4, ADBGD_TYPE_UNSIGNED },
		{ "f", "float", 4, ADBGD_TYPE_FLOAT },
		{ "d", "double", 8, ADBGD_TYPE_FLOAT },
		{ "wide", "long", 8, ADBGD_TYPE_SIGNED },
		{ "s", "short", 2, ADBGD_TYPE_SIGNED },
		{ "c", "uchar", 1, ADBGD_TYPE_CHAR },
		{ "odd", "bool", 1, ADBGD_TYPE_BOOL },
		{ "h", "half", 2, ADBGD_TYPE_FLOAT },
		{ "v", "float4", 16, ADBGD_TYPE_VECTOR },
		{ "colour", "enum colour", 4, ADBGD_TYPE_ENUM },
		{ "p", "struct pair", 8, ADBGD_TYPE_STRUCT },
		{ "r", "record_t", 16, ADBGD_TYPE_STRUCT },
		{ "array", "int [4]", 16, ADBGD_TYPE_ARRAY },
		{ "table", "int [4]", 16, ADBGD_TYPE_ARRAY },
	};
	struct adbgd_code *code = open_code(VARS);
	struct adbgd_variables *variables = variables_in(code, "total += mix(");
	const struct adbgd_variable *v;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		v = variable(variables, cases[i].variable);
		assert_string_equal(v->type->name, cases[i].name);
		assert_int_equal(v->type->size, cases[i].size);
		assert_int_equal(v->type->kind, cases[i].kind);
	}
	v = variable(variables, "r");
	assert_int_equal(v->type->num_members, 4);
	assert_string_equal(v->type->members[1].name, "bytes");
	assert_int_equal(v->type->members[1].offset, 8);
	assert_int_equal(v->type->members[1].type->count, 3);
	assert_string_equal(v->type->members[1].type->name, "uchar [3]");
	/* The same type is the same object. */
	assert_ptr_equal(variable(variables, "x")->type, variable(variables, "i")->type);
	adbgd_variables_free(variables);
	adbgd_code_free(code);
}

static void variables_are_listed_from_the_inside(void **state)
{
	struct adbgd_code *code = open_code(VARS);
	struct adbgd_variables *variables = variables_in(code, "total += mix(");
	const struct adbgd_variable *k = adbgd_variables_get(variables, 0);
	const struct adbgd_variable *n = variable(variables, "n");
	const struct adbgd_variable *table = variable(variables, "table");

	(void)state;
	/* The loop's own, then those of the function, then those of the file */
	assert_string_equal(k->name, "k");
	assert_int_equal(k->depth, 0);
	assert_string_equal(k->function, "vars");
	assert_int_equal(k->flags, 0);
	assert_int_equal(n->depth, 1);
	assert_int_equal(n->flags, ADBGD_VARIABLE_PARAMETER);
	assert_non_null(strstr(n->file, "/tests/unit/debug/code/vars.cl"));
	assert_int_equal(table->flags, ADBGD_VARIABLE_GLOBAL);
	assert_null(table->function);
	assert_int_equal(adbgd_variables_find(variables, "nothing"), -ENOENT);
	adbgd_variables_free(variables);
	adbgd_code_free(code);
}

/* In a function that was inlined, what has no place there is there all the same. */
static void an_inlined_function_has_all_its_variables(void **state)
{
	static const char *const names[] = { "p", "q", "sum", "both" };
	struct adbgd_code *code = open_code(VARS_O1);
	struct adbgd_variables *variables = variables_in(code, "int both = ");
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(names); i++)
		assert_string_equal(variable(variables, names[i])->function, "mix");
	assert_int_equal(variable(variables, "p")->flags & ADBGD_VARIABLE_PARAMETER,
			 ADBGD_VARIABLE_PARAMETER);
	/* And that of the kernel with the same name is hidden. */
	for (i = 0; adbgd_variables_get(variables, i); i++) {
		const struct adbgd_variable *v = adbgd_variables_get(variables, i);

		if (!strcmp(v->name, "p"))
			assert_int_equal(!!(v->flags & ADBGD_VARIABLE_HIDDEN),
					 strcmp(v->function, "mix") != 0);
	}
	adbgd_variables_free(variables);
	adbgd_code_free(code);
}

/* ------------------------------------------------------------ what is not there */

static int no_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
		       uint32_t *value)
{
	(void)data, (void)space, (void)number, (void)lane, (void)value;
	return -EPERM;
}

static int no_memory(void *data, uint32_t space, uint32_t lane, uint64_t address,
		     void *buffer, size_t size)
{
	(void)data, (void)space, (void)lane, (void)address, (void)buffer, (void)size;
	return -EFAULT;
}

static const struct adbgd_context nothing = {
	.read_register = no_register, .read_memory = no_memory, .lanes = 32,
};

static void why(struct adbgd_code *code, uint64_t pc, const char *name, int wanted,
		const char *words)
{
	struct adbgd_variables *variables;
	struct adbgd_location location;
	struct adbgd_value *value;
	struct adbgd_error error;
	int i, ret;

	if (adbgd_variables_new(code, pc, &variables, &error))
		fail_msg("%s", error.text);
	i = adbgd_variables_find(variables, name);
	assert_true(i >= 0);
	ret = adbgd_variable_locate(variables, i, &nothing, &location, &error);
	if (!ret)
		ret = adbgd_variable_read(variables, i, &nothing, &value, &error);
	assert_int_equal(ret, wanted);
	assert_int_equal(error.error, wanted);
	assert_string_equal(error.text, words);
	adbgd_variables_free(variables);
}

static void what_cannot_be_read_has_a_reason(void **state)
{
	struct adbgd_code *code = open_code(VARS_O1);
	const struct adbgd_symbol *vars = adbgd_code_find_symbol(code, "vars");
	const struct adbgd_symbol *touch;

	(void)state;
	/* llvm-dwarfdump: d has no DW_AT_location, u a list that begins later. */
	why(code, vars->address, "d", -ENODATA,
	    "d: it was optimized out: the debug information has no location for it");
	why(code, vars->address, "u", -ENODATA,
	    "u: it is not available at this instruction, but at others");
	why(code, vars->address, "table", -EFAULT,
	    "table: 0x8c0 cannot be read: Bad address");
	adbgd_code_free(code);

	code = open_code(VARS);
	touch = adbgd_code_find_symbol(code, "touch");
	why(code, touch->address, "by", -ENODATA,
	    "by: its function has not set up its stack frame yet at this instruction");
	why(code, touch->address + touch->size - 4, "by", -ENODATA,
	    "by: its function has already released its stack frame at this instruction");
	why(code, touch->address + 0x40, "by", -EPERM,
	    "by: a register that its location depends on cannot be read: Operation not permitted");
	adbgd_code_free(code);
}

/* Where a variable in LDS is at the begin of a kernel, or why that is not known */
static void in_lds(const char *path, const char *kernel, const char *name, const char *wanted)
{
	struct adbgd_code *code = open_code(path);
	struct adbgd_variables *variables;
	struct adbgd_location location;
	struct adbgd_error error;
	char text[64];
	int ret;

	assert_int_equal(adbgd_variables_new(code, adbgd_code_find_symbol(code, kernel)->address,
					     &variables, &error), 0);
	ret = adbgd_variable_locate(variables, adbgd_variables_find(variables, name),
				    &(struct adbgd_context){ .lanes = 32 }, &location, &error);
	if (ret)
		assert_int_equal(ret, -ENODATA);
	assert_string_equal(ret ? error.text : adbgd_variable_location_text(&location, text,
									    sizeof(text)),
			    wanted);
	adbgd_variables_free(variables);
	adbgd_code_free(code);
}

/*
 * "parts" has 16 bytes of "rest", and at -O0 16 of "pair"; at -O1 4 and 8 of the members of "pair"
 * (llvm-readelf --notes: .group_segment_fixed_size).
 */
static void a_variable_that_takes_all_of_lds_is_found(void **state)
{
	(void)state;
	in_lds(DEBUG_CO "locals_O0.co", "alone", "only", "local#0");
	in_lds(DEBUG_CO "locals_O1.co", "alone", "only", "local#0");
	in_lds(DEBUG_CO "locals_O0.co", "locals", "first",
	       "first: it is in LDS at an unknown address, because it has 256 bytes and the LDS of "
	       "its kernel 512; \"lds read\" shows all of LDS");
	in_lds(DEBUG_CO "locals_O0.co", "parts", "rest",
	       "rest: it is in LDS at an unknown address, because it has 16 bytes and the LDS of "
	       "its kernel 32; \"lds read\" shows all of LDS");
	in_lds(DEBUG_CO "locals_O1.co", "parts", "rest",
	       "rest: it is in LDS at an unknown address, because it has 16 bytes and the LDS of "
	       "its kernel 32; \"lds read\" shows all of LDS");
	in_lds(DEBUG_CO "locals_O1.co", "parts", "pair", "pair: it was optimized out: the debug "
	       "information has no location for it");
}

/* All memory is -1. */
static int read_ones(void *data, uint32_t space, uint32_t lane, uint64_t address, void *buffer,
		     size_t size)
{
	(void)data;
	(void)space;
	(void)lane;
	(void)address;
	memset(buffer, 0xff, size);
	return 0;
}

static void enumerations_may_be_negative(void **state)
{
	const struct adbgd_context context = {
		.read_register = read_zero_register, .read_memory = read_ones, .lanes = 32,
	};
	struct adbgd_code *code = open_code(DEBUG_CO "locals_O0.co");
	const struct adbgd_symbol *locals = adbgd_code_find_symbol(code, "locals");
	static const char *const expressions[][2] = {
		{ "level", "LOW" }, { "level < 3", "1" }, { "level + 1", "0" },
	};
	struct adbgd_variables *variables;
	struct adbgd_error error;
	struct adbgd_value *value;
	char text[32];
	size_t i;

	(void)state;
	assert_int_equal(adbgd_variables_new(code, locals->address + locals->size / 2, &variables,
					     &error), 0);
	for (i = 0; i < sizeof(expressions) / sizeof(expressions[0]); i++) {
		assert_int_equal(adbgd_value_eval(variables, expressions[i][0], &context, &value,
						  &error), 0);
		adbgd_value_text(value, 0, text, sizeof(text));
		assert_string_equal(text, expressions[i][1]);
		adbgd_value_free(value);
	}
	adbgd_variables_free(variables);
	adbgd_code_free(code);
}

/* A wave of the other size has other registers. */
static void registers_of_another_wave_are_refused(void **state)
{
	struct adbgd_code *code = open_code(DEBUG_CO "vars_O1_64.co");
	const struct adbgd_symbol *touch = adbgd_code_find_symbol(code, "touch");
	struct adbgd_variables *variables;
	struct adbgd_location location;
	struct adbgd_context wave = nothing;
	struct adbgd_error error;
	char text[64];
	int i;

	(void)state;
	assert_int_equal(adbgd_variables_new(code, touch->address, &variables, &error), 0);
	i = adbgd_variables_find(variables, "by");
	assert_int_equal(adbgd_variable_locate(variables, i, &wave, &location, &error),
			 -EBADMSG);
	assert_non_null(strstr(error.text, "is for waves of 64 lanes, but the wave has 32"));
	wave.lanes = 64;
	/* The second argument of a function: LLVM, AMDGPUUsage, "Call Convention" */
	assert_int_equal(adbgd_variable_locate(variables, i, &wave, &location, &error), 0);
	assert_string_equal(adbgd_variable_location_text(&location, text, sizeof(text)), "v1");
	adbgd_variables_free(variables);
	adbgd_code_free(code);
}

static void locations_have_words(void **state)
{
	static const struct {
		struct adbgd_piece pieces[3];
		uint32_t num;
		const char *text;
	} cases[] = {
		{ { { ADBGD_PIECE_IN_REGISTER, AMDGPUDBG_REG_SGPR, 4, 8, 0, NULL } }, 1, "s[4:5]" },
		{ { { ADBGD_PIECE_IN_REGISTER, AMDGPUDBG_REG_VGPR, 3, 2, 0, NULL } }, 1, "v3" },
		{ { { ADBGD_PIECE_IN_REGISTER, AMDGPUDBG_REG_VGPR, 3, 4, 0, NULL },
		    { ADBGD_PIECE_IN_REGISTER, AMDGPUDBG_REG_VGPR, 4, 4, 0, NULL },
		    { ADBGD_PIECE_IN_REGISTER, AMDGPUDBG_REG_VGPR, 9, 4, 0, NULL } }, 3,
		  "v[3:4], v9" },
		{ { { ADBGD_PIECE_IN_REGISTER, AMDGPUDBG_REG_SGPR, 106, 4, 0, NULL },
		    { ADBGD_PIECE_OPTIMIZED_OUT, 0, 0, 4, 0, NULL } }, 2,
		  "vcc_lo, <optimized out>" },
		{ { { ADBGD_PIECE_IN_MEMORY, ADBGD_SPACE_PRIVATE, 0, 4, 0x18, NULL } }, 1,
		  "private#0x18" },
		{ { { ADBGD_PIECE_IN_MEMORY, ADBGD_SPACE_GLOBAL, 0, 4, 0x100000000, NULL } }, 1,
		  "0x100000000" },
		{ { { ADBGD_PIECE_HAS_VALUE, 0, 0, 4, -3ULL, NULL } }, 1, "constant -3" },
	};
	struct adbgd_location location;
	char said[64];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		memset(&location, 0, sizeof(location));
		location.num_pieces = cases[i].num;
		memcpy(location.pieces, cases[i].pieces, sizeof(cases[i].pieces));
		assert_string_equal(adbgd_variable_location_text(&location, said, sizeof(said)),
				    cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_are_printed),
		cmocka_unit_test(floats_are_printed),
		cmocka_unit_test(formats_are_those_of_gdb),
		cmocka_unit_test(formats_apply_to_each_part_of_a_value),
		cmocka_unit_test(pointers_name_their_type_and_space),
		cmocka_unit_test(vectors_arrays_and_structs_are_printed),
		cmocka_unit_test(repeats_are_counted),
		cmocka_unit_test(long_arrays_end_with_dots),
		cmocka_unit_test(types_are_those_of_the_source),
		cmocka_unit_test(variables_are_listed_from_the_inside),
		cmocka_unit_test(an_inlined_function_has_all_its_variables),
		cmocka_unit_test(what_cannot_be_read_has_a_reason),
		cmocka_unit_test(a_variable_that_takes_all_of_lds_is_found),
		cmocka_unit_test(enumerations_may_be_negative),
		cmocka_unit_test(registers_of_another_wave_are_refused),
		cmocka_unit_test(locations_have_words),
	};

	return cmocka_run_group_tests_name("debug_value", tests, NULL, NULL);
}

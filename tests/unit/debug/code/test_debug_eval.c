// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/code/eval.c and number.c: expressions of the variables of vars.cl, which are in
 * simulated memory. The expected results come from the compiler of this file, for variables of
 * the same names, types and values.
 */
#include "debug/util.h"

#include <errno.h>
#include <float.h>
#include <stdbool.h>
#include <stdio.h>

#include "vars.h"

/* The text is for the debugger, and what it means without parentheses is what is compared. */
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wlogical-not-parentheses"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
/* By its type, the text chooses its format. */
#pragma GCC diagnostic ignored "-Wformat"
#pragma GCC diagnostic ignored "-Woverflow"

#define VARS	DEBUG_CO "vars_O0.co"

static int ints[NUM_INTS];
static const int *in = ints, *at = ints + 4;
static int x, n, i, k, array[4], pairs[2];
static unsigned int u;
static float f, v[4];
static double d;
static long wide;
static short s;
static unsigned char c;
static bool odd;
static enum colour colour;
static struct pair p;
static record_t r;

static const struct served {
	const char *name;
	void *bytes;
	size_t size;
} served[] = {
#define SERVED(name) { #name, (void *)&name, sizeof(name) }
	SERVED(in), SERVED(at), SERVED(x), SERVED(n), SERVED(i), SERVED(k), SERVED(array),
	SERVED(pairs), SERVED(u), SERVED(f), SERVED(v), SERVED(d), SERVED(wide), SERVED(s),
	SERVED(c), SERVED(odd), SERVED(colour), SERVED(p), SERVED(r),
};

static struct adbgd_code *code;
static struct adbgd_variables *variables;
static uint64_t places[ARRAY_SIZE(served)];	/* in private memory */
static size_t bytes_read;

static int read_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
			 uint32_t *value)
{
	(void)data;
	*value = space * 0x100000 + number * 0x100 + lane;
	return 0;
}

static int read_memory(void *data, uint32_t space, uint32_t lane, uint64_t address, void *buffer,
		       size_t size)
{
	(void)data;
	(void)lane;
	bytes_read += size;
	/* What is pointed to is where it is here. */
	if (space == ADBGD_SPACE_GLOBAL) {
		uint64_t offset = address - (uintptr_t)ints;

		if (offset > sizeof(ints) || size > sizeof(ints) - offset)
			return -EFAULT;
		memcpy(buffer, (const char *)ints + offset, size);
		return 0;
	}
	for (size_t j = 0; space == ADBGD_SPACE_PRIVATE && j < ARRAY_SIZE(served); j++) {
		uint64_t offset = address - places[j];

		if (offset > served[j].size || size > served[j].size - offset)
			continue;
		memcpy(buffer, (const char *)served[j].bytes + offset, size);
		return 0;
	}
	return -EFAULT;
}

static const struct adbgd_context context = {
	.read_register = read_register, .read_memory = read_memory, .lanes = 32, .lane = 7,
};

static int set_up(void **state)
{
	char *number = run_tool("grep -n 'total += mix(' tests/unit/debug/code/vars.cl | cut -d: -f1");
	struct adbgd_location location;
	struct adbgd_error error;
	struct adbgd_line found;
	size_t count;

	(void)state;
	code = open_code(VARS);
	if (adbgd_line_find(code, "vars.cl", atoi(number), &found, 1, &count, &error) ||
	    adbgd_variables_new(code, found.address, &variables, &error))
		return -1;
	free(number);
	for (size_t j = 0; j < ARRAY_SIZE(served); j++) {
		if (adbgd_variable_locate(variables,
					  adbgd_variables_find(variables, served[j].name),
					  &context, &location, &error) ||
		    location.num_pieces != 1 ||
		    location.pieces[0].space != ADBGD_SPACE_PRIVATE)
			return -1;
		places[j] = location.pieces[0].address;
	}
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	adbgd_variables_free(variables);
	adbgd_code_free(code);
	return 0;
}

/* ------------------------------------------------------------------- comparing */

static void evaluates(const char *expression, size_t size, const char *wanted)
{
	struct adbgd_value *value;
	struct adbgd_error error;
	char text[512];

	if (adbgd_value_eval(variables, expression, &context, &value, &error))
		fail_msg("%s: %s", expression, error.text);
	adbgd_value_text(value, 0, text, sizeof(text));
	if (strcmp(text, wanted) ||
	    (size && adbgd_value_get_type(value)->size != size))
		fail_msg("%s is %s, %llu bytes, and not %s, %zu bytes", expression, text,
			 (unsigned long long)adbgd_value_get_type(value)->size, wanted, size);
	adbgd_value_free(value);
}

/* What a number of this compiler is printed as, by its type */
static const char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

static const char *text_of(const char *format, ...)
{
	static char text[64];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return text;
}

#define FORMAT(e) _Generic((e), int : "%d", unsigned int : "%u", long : "%ld", \
			   unsigned long : "%lu", float : "%.9g", double : "%.17g")

/* The expression, to the debugger and to the compiler */
#define E(...) IS(#__VA_ARGS__, __VA_ARGS__)

/* Also where kernel style has it otherwise */
#define IS(text, ...) evaluates(text, sizeof(__VA_ARGS__), \
				text_of(FORMAT(__VA_ARGS__), (__VA_ARGS__)))

static void fails(const char *expression, int ret, const char *words)
{
	struct adbgd_value *value = NULL;
	struct adbgd_error error;

	int is = adbgd_value_eval(variables, expression, &context, &value, &error);

	if (is != ret)
		fail_msg("%s: %d and not %d", expression, is, ret);
	if (!strstr(error.text, words))
		fail_msg("%s: \"%s\" is not in \"%s\"", expression, words, error.text);
	assert_null(value);
}

/* Small enough that no signed operation below overflows, which C does not define */
static int any(int bits)
{
	return (rand() >> 3 & ((1 << bits) - 1)) - (1 << (bits - 1));
}

static void choose(void)
{
	x = any(15);
	n = any(12);
	i = rand() & 7;
	k = any(8);
	u = (unsigned int)rand() * 2654435761u;
	f = any(16) * 0.37f;
	d = any(20) / 7.0;
	wide = (long)any(20) * 1000003;
	s = any(14);
	c = rand();
	odd = rand() & 1;
	colour = odd ? GREEN : RED;
	p = (struct pair){ any(10), any(10) * 0.1f };
	r = (record_t){ { any(9), any(9) * 0.3f }, { rand(), 7, 9 }, rand(), any(15) };
	for (int j = 0; j < NUM_INTS; j++)
		ints[j] = any(14);
	for (int j = 0; j < 4; j++) {
		array[j] = any(14);
		v[j] = any(14) * 0.7f;
	}
	pairs[0] = any(12);
	pairs[1] = any(12);
	at = ints + (rand() & 31);
}

/* ----------------------------------------------------------------------- tests */

static void integers(void)
{
	E(x + n); E(x - u); E(x * k); E(u * u); E(u + 1); E(u - x); E(wide + x); E(wide * k);
	E(wide - u); E(u + wide); E(x / 7); E(x % 7); E(x / (c | 1)); E(x % (c | 1));
	E(u / (c | 1)); E(u % 1000u); E(wide / 11); E(wide % 1000003); E(-x / 3); E(x / -3);
	E(s * s); E(s + c); E(c - s); E(c << 3); E(u << 5); E(u >> 7); E(x >> 2); E(wide >> 40);
	E((u | 1ul) << 40); E(x & 0xff); E(x | u); E(x ^ n); E(~x); E(~c); E(~u); E(~wide); E(-c);
	E(-u); IS("+s", s + 0); IS("- -x", x);
	E(-~x); E(!x); E(!!x); E(!u); E(odd + odd); E(odd & x); E(odd == 1);
	E(colour + 1); E(colour == 5); E(colour & u);
}

static void comparisons(void)
{
	E(x < n); E(x > n); E(x <= n); E(x >= n); E(x == n); E(x != n); E(x == x); E(x < u);
	E(x > u); E(s < c); E(wide < u); E(wide > x); E(u >= u); E(x < -1); E(u < -1);
	E(x && n); E(x || n); E(x < 0 || n > 0 && k); E(!(x < 0) && !n); E(x == n == k);
	E(f < x); E(f >= d); E(f == f); E(d != f); E(f && x); E(f || 0);
	/* NaN */
	E((f - f) / (f - f) < 1); E((f - f) / (f - f) > 1); E((d - d) / (d - d) <= d);
	E((d - d) / (d - d) >= d); E((d - d) / (d - d) == d); E((d - d) / (d - d) != d);
}

static void precedences(void)
{
	E(x + n * k); E((x + n) * k); E(x - n - k); E(x * n / 3 % 5); E(x / 3 * n); E(x & n == k);
	E((x & n) == k); E(x | n ^ k & s); E(x ^ n | k); E(c << 1 + 1); E((c << 1) + 1);
	E(x < n == k); E(x == n < k); E(x + 1 < n - 1); E(1 | 2 == 2); E(u >> 3 & 1 ^ 1);
	E(x - (n - (k - s))); E(((((x)))));
	IS("x+-n", x - n); IS("x- -n", x + n); IS("x&~n", x & ~n);
	IS("2*x+3*n-4*k", 2 * x + 3 * n - 4 * k);
	E(x < n || x == n && x > k); E(0 || x > 3 && 1); E(-x * -n); E(~x & ~n);
	IS("! x == n", !x == n);
}

static void floats(void)
{
	E(f + 1); E(f * f); E(f - d); E(f / 3); E(f / 3.0); E(d * 2); E(d / f); E(x / 2.5);
	E(x * 1.5f);
	E(-f); E(-d); IS("+f", f); E(!f); E(u + f); E(u * 1.0); E(wide + f); E(wide * d);
	E(wide / 3.f);
	E(1.0f / 3); E(1.0 / 3); E(f * 0); E(-f * 0); E(d + 1e300);
	E(f * 1e30f * 1e30f); IS("d * 1e-320", d * (DBL_TRUE_MIN * 2024));
	E(.5 + f); E(2.f * d); E(1e3 + x); IS("1.5e-3f * x", 0.0015f * x);
	E(3. * x); E(1 / 2 * f); E(f - s * c);
}

static void parts(void)
{
	E(p.a); E(p.b); E(p.a + p.b); E(r.first.a); E(r.first.b * 2); E(r.bytes[1] + r.bytes[0]);
	E(r.wide + 0); E(r.narrow * 2); E(r.bytes[2] << r.bytes[1]); E(array[2]); E(array[i & 3]);
	E(array[1] + array[3] * array[0]); E(*array); E(*array + 1); E(pairs[1]); E(v[3]); E(-v[0]);
	E(array[array[0] & 3]); E((array)[1]); E(r . first . a);
}

static void pointers(void)
{
	E(at[1]); E(*at); E(*at + 1); E(*(at + 2)); E(*(2 + at)); E(at[x & 3]); E(at[i] * in[i]);
	E(at - in); E(in - at); E(at == in); E(at != in); E(at > in); E(at - in + 1); E(!at);
	E(at && *at); E((at - 0)[1]); E(*(at + 4 - 2)); E(at[-1 + 1]); E(in[at - in]); E(-*at);
	E(at + 1 - in); E(at + i > in + 2); E(*in * *at);
}

/* Of many values */
static void it_is_what_c_says(void **state)
{
	(void)state;
	srand(1);
	for (int round = 0; round < 300; round++) {
		choose();
		comparisons();
		precedences();
		floats();
		parts();
		pointers();
	}
}

static void integers_are_what_c_says(void **state)
{
	static const int edges[] = { 0, 1, -1, 2, 127, 128, 255, -128, -32768, 32767 };

	(void)state;
	srand(2);
	for (int round = 0; round < 300; round++) {
		choose();
		integers();
	}
	for (size_t a = 0; a < ARRAY_SIZE(edges); a++) {
		x = edges[a];
		s = edges[a];
		c = edges[a];
		wide = edges[a];
		u = edges[a];
		integers();
		comparisons();
	}
}

/* What they mean, and of which type they are (ISO/IEC 9899:2011, 6.4.4) */
static void literals_are_what_c_says(void **state)
{
	(void)state;
	E(0); E(7); E(010); E(0x10); E(0XfF); E(2147483647); E(2147483648); E(4294967295);
	E(4294967295u); E(4294967296u); E(0x7fffffff); E(0x80000000); E(0xffffffff);
	E(0x100000000); E(0xffffffffffffffff); E(0xffffffffL); E(1L); E(1l); E(1u); E(1U); E(1ul);
	E(1LU); E(037777777777); E(9223372036854775807); E(-2147483648); E(-2147483647 - 1);
	E(1.5); E(1.5f); E(1.5F); E(.5); E(5.); E(1e3); IS("1E+3", 1000.0);
	IS("1e-3f", 0.001f); E(0.1f); E(0.1);
	E(00.5); E(3.4e38f); IS("1e-45f", FLT_TRUE_MIN);
}

/* C says nothing of these; GPUs, and so this, do. */
static void integers_wrap(void **state)
{
	(void)state;
	evaluates("2147483647 + 1", 4, "-2147483648");
	evaluates("-2147483647 - 2", 4, "2147483647");
	evaluates("65536 * 65536", 4, "0");
	evaluates("-(-2147483647 - 1)", 4, "-2147483648");
	evaluates("(-2147483647 - 1) / -1", 4, "-2147483648");
	evaluates("(-2147483647 - 1) % -1", 4, "0");
	evaluates("(-9223372036854775807 - 1) / -1", 8, "-9223372036854775808");
	evaluates("(-9223372036854775807 - 1) % -1", 8, "0");
	evaluates("1 << 31", 4, "-2147483648");
	evaluates("-1 << 1", 4, "-2");
}

/* As all integers do; as many elements as these are a multiple of 2^64 bytes. */
static void pointers_wrap(void **state)
{
	char text[64];

	(void)state;
	choose();
	snprintf(text, sizeof(text), "(const int *) 0x%lx", (unsigned long)at);
	evaluates("at - (-9223372036854775807 - 1)", 8, text);
	evaluates("at + (-9223372036854775807 - 1)", 8, text);
	evaluates("*(at - (-9223372036854775807 - 1))", 4, text_of("%d", *at));
}

static void values_are_those_of_variables(void **state)
{
	static const char *const names[] = { "x", "p", "r", "array", "v", "odd", "colour", "at" };
	struct adbgd_value *variable, *value;
	char wanted[256], text[256];
	struct adbgd_error error;

	(void)state;
	choose();
	for (size_t j = 0; j < ARRAY_SIZE(names); j++) {
		assert_int_equal(adbgd_variable_read(variables,
						     adbgd_variables_find(variables, names[j]),
						     &context, &variable, &error), 0);
		assert_int_equal(adbgd_value_eval(variables, names[j], &context, &value, &error),
				 0);
		assert_ptr_equal(adbgd_value_get_type(value), adbgd_value_get_type(variable));
		adbgd_value_text(variable, 0, wanted, sizeof(wanted));
		adbgd_value_text(value, 0, text, sizeof(text));
		assert_string_equal(text, wanted);
		adbgd_value_free(variable);
		adbgd_value_free(value);
	}
}

static void parts_are_of_their_types(void **state)
{
	char text[64];

	(void)state;
	choose();
	colour = GREEN;
	odd = true;
	r.bytes[1] = 'A';
	evaluates("colour", 4, "GREEN");
	evaluates("odd", 1, "true");
	evaluates("r.bytes[1]", 1, "65 'A'");
	snprintf(text, sizeof(text), "(const int *) 0x%lx", (unsigned long)(at + 3));
	evaluates("at + 3", 8, text);
	snprintf(text, sizeof(text), "{a = %d, b = %.9g}", r.first.a, r.first.b);
	evaluates("r.first", 8, text);
	/* OpenCL's names of a vector's elements (OpenCL C 6.1.7) */
	snprintf(text, sizeof(text), "%.9g", v[2]);
	evaluates("v.z", 4, text);
	evaluates("v.s2", 4, text);
	evaluates("v.S2", 4, text);
	snprintf(text, sizeof(text), "%d", pairs[1]);
	evaluates("pairs.y", 4, text);
	/* A pointer to a struct has members, too; there is none in vars.cl but by what it is. */
	fails("at->a", -ENOENT, "has no member a");
}

static void registers_are_unsigned(void **state)
{
	char text[64];
	uint32_t v3 = AMDGPUDBG_REG_VGPR * 0x100000 + 3 * 0x100 + 7;
	uint32_t s105 = AMDGPUDBG_REG_SGPR * 0x100000 + 105 * 0x100 + 7;
	uint32_t exec = ADBGD_REG_EXEC * 0x100000 + 7;
	uint32_t vcc_hi = AMDGPUDBG_REG_SGPR * 0x100000 + 107 * 0x100 + 7;

	(void)state;
	snprintf(text, sizeof(text), "%u", v3);
	evaluates("$v3", 4, text);
	snprintf(text, sizeof(text), "%u", v3 + 1 - s105);
	evaluates("$v3 + 1 - $s105", 4, text);
	snprintf(text, sizeof(text), "%u", exec + 0x100);
	evaluates("$exec_hi", 4, text);
	snprintf(text, sizeof(text), "%u", vcc_hi);
	evaluates("$vcc_hi", 4, text);
	fails("$v256", -EINVAL, "there is no register or pseudo variable '$v256'");
	fails("$s106", -EINVAL, "there is no register or pseudo variable '$s106'");
	fails("$v", -EINVAL, "there is no register or pseudo variable '$v'");
	fails("$3", -EINVAL, "a name is expected at '3'");
}

/*
 * read_register() gives space << 20 | number << 8 | lane. The spaces: EXEC 0x100, M0 0x101, SCC
 * 0x102, PC 0x104, WAVE 0x105, GROUP 0x106, ITEM 0x107; the lane is 7.
 */
static void pseudo_variables_are_unsigned(void **state)
{
	(void)state;
	/* 0x1040010710400007 */
	evaluates("$pc", 8, "1170937032965357575");
	evaluates("$pc - 0x1040010710400000", 8, "7");
	evaluates("$m0", 4, "269484039");	/* 0x10100007 */
	evaluates("$scc", 4, "270532615");	/* 0x10200007 */
	evaluates("$wave", 4, "273678343");	/* 0x10500007 */
	evaluates("$group", 4, "274726919");	/* 0x10600007 */
	evaluates("$group_z - $group_y", 4, "256");
	evaluates("$item", 4, "275775495");	/* 0x10700007 */
	evaluates("$lane", 4, "7");
	evaluates("$lane - 8", 4, "4294967295");
	evaluates("$lane == 7 && $scc > 1", 4, "1");
	fails("$group.x", -ENOENT, "");
	fails("$groups", -EINVAL, "known are $pc, $exec, $exec_lo, $exec_hi, $vcc, $vcc_lo, "
	      "$vcc_hi, $scc, $m0, $lane, $wave, $group, $group_y, $group_z, $item, $v0 to $v255, $s0 to $s105");
	fails("0 && $pcc", -EINVAL, "there is no register or pseudo variable '$pcc'");
}

/* A wave of 32 lanes has 32 of its bits. */
static void exec_has_one_bit_per_lane(void **state)
{
	struct adbgd_context wave64 = context;
	struct adbgd_value *value;
	struct adbgd_error error;
	uint64_t bits;

	(void)state;
	evaluates("$exec", 4, "268435463");	/* 0x10000007 */
	evaluates("~$exec", 4, "4026531832");
	wave64.lanes = 64;
	assert_int_equal(adbgd_value_eval(NULL, "$exec", &wave64, &value, &error), 0);
	assert_int_equal(adbgd_value_get_type(value)->size, 8);
	memcpy(&bits, adbgd_value_get_bytes(value), 8);
	assert_true(bits == 0x1000010710000007);
	adbgd_value_free(value);
}

static void pseudo_variables_are_listed(void **state)
{
	static const char *const names[] = {
		"pc", "exec", "exec_lo", "exec_hi", "vcc", "vcc_lo", "vcc_hi", "scc", "m0",
		"lane", "wave", "group", "group_y", "group_z", "item",
	};

	(void)state;
	for (size_t j = 0; j < ARRAY_SIZE(names); j++)
		assert_string_equal(adbgd_pseudo_variable_get_name(j), names[j]);
	assert_null(adbgd_pseudo_variable_get_name(ARRAY_SIZE(names)));
}

static int no_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
		       uint32_t *value)
{
	(void)data;
	(void)space;
	(void)number;
	(void)lane;
	(void)value;
	return -EPERM;
}

static void registers_that_cannot_be_read_are_named(void **state)
{
	struct adbgd_context none = context;
	struct adbgd_value *value;
	struct adbgd_error error;

	(void)state;
	none.read_register = no_register;
	assert_int_equal(adbgd_value_eval(NULL, "$lane + $pc", &none, &value, &error), -EPERM);
	assert_string_equal(error.text, "$pc cannot be read: Operation not permitted");
	none.read_register = NULL;
	assert_int_equal(adbgd_value_eval(NULL, "$scc", &none, &value, &error), -EINVAL);
	assert_int_equal(adbgd_value_eval(NULL, "$lane", &none, &value, &error), 0);
	adbgd_value_free(value);
}

/* An element of an array is that much to be read; what decides nothing is not read at all. */
static void no_more_is_read_than_it_takes(void **state)
{
	(void)state;
	choose();
	bytes_read = 0;
	E(array[2]);
	assert_int_equal(bytes_read, 4);
	bytes_read = 0;
	E(r.narrow + 0);
	assert_int_equal(bytes_read, 2);
	at = NULL;
	x = 0;
	bytes_read = 0;
	evaluates("at && *at", 4, "0");
	assert_int_equal(bytes_read, 8);
	evaluates("!at || at[5] == 3 && 1 / 0", 4, "1");
	evaluates("x && 1 / 0 + at->y[3].z * $v3", 4, "0");
	evaluates("x == 0 || at - x", 4, "1");
	fails("*at", -EFAULT, "what is at 0x0 cannot be read: Bad address");
	fails("at || *at", -EFAULT, "what is at 0x0 cannot be read");
}

static void what_is_none_is_said_in_words(void **state)
{
	char deep[512];

	(void)state;
	choose();
	fails("", -EINVAL, "a name or a number is expected at the end of ''");
	fails("x +", -EINVAL, "a name or a number is expected at the end of 'x +'");
	fails("x y", -EINVAL, "an operator is expected at 'y'");
	fails("x = 3", -EINVAL, "an operator is expected at '= 3'");
	fails("x++", -EINVAL, "a name or a number is expected at the end");
	fails("(x", -EINVAL, "')' is expected at the end of '(x'");
	fails("x)", -EINVAL, "an operator is expected at ')'");
	fails("array[1", -EINVAL, "']' is expected");
	fails("array[]", -EINVAL, "a name or a number is expected at ']'");
	fails("array[f]", -EINVAL, "an array index must be an integer");
	fails("p.", -EINVAL, "a name is expected");
	fails("p.3", -EINVAL, "a name is expected");
	fails("p.c", -ENOENT, "struct pair has no member c");
	fails("x.a", -ENOENT, "int has no member a");
	fails("v.s4", -ENOENT, "has no member s4");
	fails("x[0]", -EINVAL, "a value of type int has no elements");
	fails("*x", -EINVAL, "a value of type int has no elements");
	fails("&x", -EINVAL, "a name or a number is expected at '&x'");
	fails("nothing + 1", -ENOENT, "there is no variable 'nothing'");
	fails("x && nothing", -ENOENT, "there is no variable 'nothing'");
	fails("x / 0", -EINVAL, "division by 0");
	fails("x % (n - n)", -EINVAL, "division by 0");
	fails("x << 32", -EINVAL, "the shift is negative, or longer than the number");
	fails("x >> -1", -EINVAL, "the shift is negative");
	fails("f % 2", -EINVAL, "this operator needs integers");
	fails("f & 2", -EINVAL, "this operator needs integers");
	fails("~f", -EINVAL, "the operator ~ needs an integer");
	fails("p + 1", -EINVAL, "a value of type struct pair is not a number");
	fails("array + p", -EINVAL, "is not a number");
	fails("at * 2 + at", -EINVAL, "a pointer cannot be an operand of this operator");
	fails("at + at", -EINVAL, "a pointer cannot be an operand of this operator");
	fails("-at", -EINVAL, "a pointer cannot be an operand of this operator");
	fails("at & 3", -EINVAL, "a pointer cannot be an operand of this operator");
	fails("2 - at", -EINVAL, "a pointer cannot be an operand of this operator");
	fails("at + 1.5", -EINVAL, "a pointer cannot be an operand of this operator");
	fails("0x", -EINVAL, "malformed number");
	fails("1x", -EINVAL, "malformed number at '1x'");
	fails("1.5x", -EINVAL, "malformed number");
	fails("1lll", -EINVAL, "malformed number");
	fails("0xffffffffffffffff0", -EINVAL, "more than 64 bits");
	memset(deep, '(', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = 0;
	fails(deep, -E2BIG, "nested more than 64 deep");
	memset(deep, '-', sizeof(deep) - 1);
	fails(deep, -E2BIG, "nested more than 64 deep");
}

/* Anything may be typed: it is an expression or not, and nothing is left of it. */
static void anything_may_be_typed(void **state)
{
	static const char *const words[] = {
		"x", "u", "f", "p", "r", "at", "array", "v", "wide", "$v1", "$pc", "1", "0x7f",
		"1.5f", "(", ")", "[", "]", ".", "->", "a", "first", "bytes", "+", "-", "*", "/",
		"%", "<<", ">>", "&&", "||", "!", "~", "==", "<", " ", "&", "|", "^", ",", "\xff",
	};
	struct adbgd_value *value;
	struct adbgd_error error;
	unsigned int good = 0;
	char text[256];

	(void)state;
	srand(3);
	for (int round = 0; round < 20000; round++) {
		choose();
		*text = 0;
		for (int num = rand() % 12; num >= 0; num--)
			strcat(text, words[rand() % ARRAY_SIZE(words)]);
		if (adbgd_value_eval(variables, text, &context, &value, &error))
			continue;
		adbgd_value_free(value);
		good++;
	}
	assert_true(good > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_are_what_c_says),
		cmocka_unit_test(it_is_what_c_says),
		cmocka_unit_test(literals_are_what_c_says),
		cmocka_unit_test(integers_wrap),
		cmocka_unit_test(pointers_wrap),
		cmocka_unit_test(values_are_those_of_variables),
		cmocka_unit_test(parts_are_of_their_types),
		cmocka_unit_test(registers_are_unsigned),
		cmocka_unit_test(pseudo_variables_are_unsigned),
		cmocka_unit_test(exec_has_one_bit_per_lane),
		cmocka_unit_test(pseudo_variables_are_listed),
		cmocka_unit_test(registers_that_cannot_be_read_are_named),
		cmocka_unit_test(no_more_is_read_than_it_takes),
		cmocka_unit_test(what_is_none_is_said_in_words),
		cmocka_unit_test(anything_may_be_typed),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}

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

#include <amdgpudbg-debug-value.h>

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
#pragma GCC diagnostic ignored "-Wsizeof-array-div"
#pragma GCC diagnostic ignored "-Wdiv-by-zero"

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
	uint32_t number = line_of("tests/unit/debug/code/vars.cl", "total += mix(");
	struct adbgd_location location;
	struct adbgd_error error;
	struct adbgd_line found;
	size_t count;

	(void)state;
	code = open_code(VARS);
	if (adbgd_line_find(code, "vars.cl", number, &found, 1, &count, &error) ||
	    adbgd_variables_new(code, found.address, &variables, &error))
		return -1;
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

#define FORMAT(e) _Generic((e), short : "%hd", unsigned short : "%hu", int : "%d", \
			   unsigned int : "%u", long : "%ld", \
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

/* ISO/IEC 9899:2011, 6.3.1 and 6.5.4 */
static void casts(void)
{
	E((int)f); E((int)d); E((float)x); E((float)u); E((float)wide); E((double)f);
	E((float)d); E((double)u); E((unsigned int)x); E((unsigned int)(f * f)); E((long)f);
	E((long)x); E((unsigned long)x); E((unsigned long)(d * d)); E((int)wide); E((int)u);
	E((short)x); E((short)wide); E((unsigned short)u); E((short)f); E((char)x + 0);
	E((signed char)u + 0); E((unsigned char)x + 0); E((unsigned char)c + 1);
	IS("(int)c", c + 0); E((int)colour); E((int)odd); E((enum colour)(x & 7) + 0);
	IS("(bool)x + 0", (_Bool)x + 0); E((_Bool)f + 0); E((int)f + 1); E((int)f * 2);
	E(-(int)f); E((int)-f); E(~(int)f); E((int)(f + d)); E((float)x / 3); E((float)1 / 3);
	IS("(int)2.9f", 2); IS("(int)-2.9", -2); IS("(long int)x", (long)x);
	IS("(unsigned)x", (unsigned int)x);
	IS("(long unsigned int)u * 3", (unsigned long)u * 3); E((unsigned char)(char)x + 0);
	E((int)(short)u); IS("(uint)x", (unsigned int)x); IS("(ulong)x", (unsigned long)x);
	IS("(uchar)x + 0", (unsigned char)x + 0); IS("(ushort)x", (unsigned short)x);
	IS("(long long)x", (long)x); E((const int)x); IS("(signed)x", (int)x);
	IS("(short int)u", (short)u); IS("(unsigned short int)x", (unsigned short)x);
	E((double)(float)d);
}

static void addresses(void)
{
	E(*&x); E(*&array[3]); E(*&r.narrow); E(*&p.b); E(&*at == at); E(&at[3] - at);
	E(&array[3] - &array[1]); E(&array[2] == array + 2); E(*(array + 1));
	E(array + 3 - array); E((&array[1])[2]); E((&p)->a); E((*&r).first.b);
	E(&r.first == &r.first); IS("!&x", 0); IS("!array", 0); E(((struct pair *)&r)->a);
	E(((struct pair *)&r)->b); E(((record_t *)&r)->wide + 0); E(*(unsigned int *)&x);
	E(*(unsigned char *)&x + 0); E(((unsigned char *)&x)[1] + 0); E((int *)at == at);
	E(*(int *)at); E((long)at); E(*(const int *)(long)at); E((void *)at == at);
	E(*((int *)((char *)at + 4))); E((long)at + 8 == (long)(at + 2)); E((unsigned long)at);
	E(((const struct pair *)at)->a); E(*(short *)at);
}

static void sizes(void)
{
	IS("sizeof x", sizeof(x)); E(sizeof(x)); IS("sizeof array", sizeof(array));
	IS("sizeof array / sizeof array[0]", 4ul); IS("sizeof r", sizeof(r));
	E(sizeof(r.bytes)); IS("sizeof r.first + 1", sizeof(r.first) + 1); E(sizeof(int));
	E(sizeof(char)); E(sizeof(double)); E(sizeof(unsigned short)); E(sizeof(struct pair));
	E(sizeof(record_t)); E(sizeof(record_t *)); E(sizeof(enum colour)); E(sizeof(int[3]));
	E(sizeof(int[2][3])); IS("sizeof(int *[2])", 16ul); IS("sizeof *at", sizeof(*at));
	IS("sizeof at[1000]", 4ul); E(sizeof(x + wide)); E(sizeof(c + 1)); E(sizeof(f * d));
	E(sizeof(x == d)); E(sizeof(float) * 2); E(sizeof(1 / 0)); E(sizeof(1ul / 0));
	IS("sizeof -c", sizeof(-c)); E(sizeof(s) * x); IS("sizeof p.a", sizeof(p.a));
	IS("sizeof sizeof x", 8ul);
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
		casts();
		addresses();
		sizes();
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
	fails("$3", -EINVAL, "there is no history of values for $3");
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
	fails("&", -EINVAL, "a name or a number is expected at the end");
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

static void conversions_are_limited(void **state)
{
	(void)state;
	choose();
	fails("(int)3e9", -EOVERFLOW, "3e+09 cannot be converted to int, which has 32 bits");
	fails("(int)(0.0 / 0.0)", -EOVERFLOW, "cannot be converted to int");
	fails("(unsigned int)-1.0", -EOVERFLOW, "-1 cannot be converted to unsigned int");
	fails("(char)128.0f", -EOVERFLOW, "128 cannot be converted to char");
	fails("(long)1e19", -EOVERFLOW, "cannot be converted to long");
	fails("(unsigned long)-1.5", -EOVERFLOW, "cannot be converted to unsigned long");
	evaluates("(int)2147483647.9", 4, "2147483647");
	evaluates("(int)-2147483648.9", 4, "-2147483648");
	evaluates("(unsigned int)-0.9", 4, "0");
	evaluates("(unsigned long)18446744073709549568.0", 8, "18446744073709549568");
	evaluates("(char)65", 1, "65 'A'");
	evaluates("(char)321", 1, "65 'A'");
	evaluates("(float)1e300", 4, "inf");
	evaluates("(half)65519", 2, "65504");
	evaluates("(half)-65520", 2, "-inf");
	evaluates("(half)0.1f", 2, "0.099976");
	evaluates("(enum colour)5", 4, "GREEN");
	evaluates("(bool)0.5", 1, "true");
	evaluates("(bool)at", 1, "true");
	fails("(int *)1.5", -EINVAL, "a float cannot be converted to int *");
	fails("(struct pair)x", -EINVAL, "a value of type int cannot be converted to struct pair");
	fails("(int)p", -EINVAL, "a value of type struct pair is not a number");
	fails("(void)x", -EINVAL, "a value of type int cannot be converted to void");
	fails("(struct none *)at", -ENOENT, "there is no type 'struct none'");
	fails("(none *)at", -ENOENT, "there is no variable 'none'");
	fails("(int", -EINVAL, "')' is expected after a type");
	fails("(int x)", -EINVAL, "')' is expected after a type at 'x)'");
	fails("(unsigned float)x", -EINVAL, "these words do not make up a type");
	fails("(struct *)x", -EINVAL, "a name is expected");
	fails("int", -ENOENT, "there is no variable 'int'");
	evaluates("(struct pair)p", sizeof(p), text_of("{a = %d, b = %.9g}", p.a, p.b));
}

/* Variables of vars.cl at -O0 are in private memory; at[] is in that of the process. */
static void pointers_keep_their_memory(void **state)
{
	unsigned int place = 0;

	(void)state;
	for (size_t j = 0; j < ARRAY_SIZE(served); j++) {
		if (!strcmp(served[j].name, "array"))
			place = places[j];
	}
	choose();
	evaluates("&array", 4, text_of("(int (*)[4]) private#0x%x", place));
	evaluates("&array[3]", 4, text_of("(int *) private#0x%x", place + 12));
	evaluates("array + 1", 4, text_of("(int *) private#0x%x", place + 4));
	evaluates("&array + 1", 4, text_of("(int (*)[4]) private#0x%x", place + 16));
	evaluates("(char *)array", 4, text_of("(char *) private#0x%x", place));
	evaluates("(char **)&array", 4, text_of("(char **) private#0x%x", place));
	evaluates("(struct pair *)&array", 4, text_of("(struct pair *) private#0x%x", place));
	evaluates("&at[1]", 8, text_of("(const int *) 0x%lx", (unsigned long)(at + 1)));
	evaluates("(long *)at", 8, text_of("(long *) 0x%lx", (unsigned long)at));
	evaluates("(int *)0x40", 8, "(int *) 0x40");
	evaluates("(local int *)0x40", 4, "(int *) local#0x40");
	evaluates("(__private float *)64", 4, "(float *) private#0x40");
	evaluates("(__global uint *const)0x40", 8, "(uint *) 0x40");
	evaluates("((local int *)0x40) + 2", 4, "(int *) local#0x48");
	fails("(local int *)at", -EINVAL, "a pointer to the process's memory cannot be converted to "
	      "one to LDS");
	fails("(__global int *)&array", -EINVAL, "a pointer to private memory");
	fails("(local int *)0x123456789", -EOVERFLOW, "0x123456789 is not an address in LDS");
	fails("&(x + 1)", -EINVAL, "the operand of & has no address: it is a value that is stored");
	fails("&5", -EINVAL, "it is a value that is stored nowhere");
	fails("&$v3", -EINVAL, "the operand of & has no address: it is a register");
	fails("&&x", -EINVAL, "it is a value that is stored nowhere");
}

static void arrays_begin_with_what_is_repeated(void **state)
{
	(void)state;
	choose();
	evaluates("array[1]@2", 8, text_of("{%d, %d}", array[1], array[2]));
	evaluates("*array@2", 8, text_of("{%d, %d}", array[0], array[1]));
	evaluates("*at@1 + 2", 12, text_of("{%d, %d, %d}", at[0], at[1], at[2]));
	evaluates("(*at@3)[2]", 4, text_of("%d", at[2]));
	evaluates("array@1", 16, text_of("{{%d, %d, %d, %d}}", array[0], array[1], array[2],
					 array[3]));
	evaluates("sizeof(array@3)", 8, "48");
	evaluates("sizeof(x@1000000000)", 8, "4000000000");
	fails("&array[0]@2", -EINVAL, "it is a value that is stored nowhere");
	fails("x@0", -EINVAL, "must be an integer from 1");
	fails("x@-1", -EINVAL, "must be an integer from 1");
	fails("x@1.5", -EINVAL, "must be an integer from 1");
	fails("(x + 1)@2", -EINVAL, "the operand of @ has no elements that follow it");
	fails("$s3@2", -EINVAL, "it is a register");
	fails("*at@1000000", -E2BIG, "at most 1 MiB is read");
	fails("x@0x7fffffffffffffff", -E2BIG, "are too many");
}

/* Values that expressions name after a $, as a debugger keeps them */
static const struct adbgd_value *kept;

static int find_kept(void *data, const char *name, uint32_t lane, const struct adbgd_value **value,
		     struct adbgd_error *error)
{
	(void)data;
	assert_int_equal(lane, 7);
	if (strcmp(name, "") && strcmp(name, "$2") && strcmp(name, "12") && strcmp(name, "mine")) {
		snprintf(error->text, sizeof(error->text), "nothing is kept as $%s", name);
		return -ENOENT;
	}
	*value = kept;
	return 0;
}

static void kept_values_are_named(void **state)
{
	static const char *const names[] = { "$", "$$2", "$12", "$mine" };
	static const struct adbgd_value_names kept_names = { .find = find_kept };
	struct adbgd_context with = context;
	struct adbgd_value *value, *again;
	struct adbgd_error error;
	char text[64];

	(void)state;
	choose();
	with.names = &kept_names;
	assert_int_equal(adbgd_value_eval(variables, "array[1]@2", &context, &value, &error), 0);
	kept = value;
	for (size_t j = 0; j < ARRAY_SIZE(names); j++) {
		snprintf(text, sizeof(text), "%s[1] + *&%s[0]", names[j], names[j]);
		assert_int_equal(adbgd_value_eval(variables, text, &with, &again, &error), 0);
		adbgd_value_text(again, 0, text, sizeof(text));
		assert_string_equal(text, text_of("%d", array[2] + array[1]));
		adbgd_value_free(again);
	}
	/* It has the type of the kept one, which may be freed first. */
	assert_int_equal(adbgd_value_eval(NULL, "$", &with, &again, &error), 0);
	adbgd_value_free(value);
	adbgd_value_text(again, 0, text, sizeof(text));
	assert_string_equal(text, text_of("{%d, %d}", array[1], array[2]));
	adbgd_value_free(again);
	assert_int_equal(adbgd_value_eval(NULL, "$3 + 1", &with, &again, &error), -ENOENT);
	assert_string_equal(error.text, "nothing is kept as $3");
	assert_int_equal(adbgd_value_eval(NULL, "$yours", &with, &again, &error), -EINVAL);
}

/* Anything may be typed: it is an expression or not, and nothing is left of it. */
static void anything_may_be_typed(void **state)
{
	static const char *const words[] = {
		"x", "u", "f", "p", "r", "at", "array", "v", "wide", "$v1", "$pc", "1", "0x7f",
		"1.5f", "(", ")", "[", "]", ".", "->", "a", "first", "bytes", "+", "-", "*", "/",
		"@", "sizeof ", "(int)", "(float)", "(char *)", "(struct pair *)", "$1",
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
		cmocka_unit_test(no_more_is_read_than_it_takes),
		cmocka_unit_test(what_is_none_is_said_in_words),
		cmocka_unit_test(conversions_are_limited),
		cmocka_unit_test(pointers_keep_their_memory),
		cmocka_unit_test(arrays_begin_with_what_is_repeated),
		cmocka_unit_test(kept_values_are_named),
		cmocka_unit_test(anything_may_be_typed),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}

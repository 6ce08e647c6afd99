// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All vector compares with random and edge operands. The relation of two values (less, equal,
 * greater, or unordered with a NaN) is computed by 128-bit arithmetic; a condition is the set of
 * relations for which it is true (IEEE 754-2008, 5.11, and the names in the "RDNA 2" ISA, AMD
 * 2020, 12.9).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encode.h"
#include "machine.h"

#define ROUNDS	100
#define SRC_A	4
#define SRC_B	6
#define DST	20

enum relation {
	LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8,
};

static const struct {
	const char *name;
	u8 floats, integers;	/* for which relations; integers: 0xff: none */
} conditions[] = {
	{ "f", 0, 0 }, { "lt", 1, 1 }, { "eq", 2, 2 }, { "le", 3, 3 },
	{ "gt", 4, 4 }, { "lg", 5, 0xff }, { "ne", 0xff, 5 }, { "ge", 6, 6 },
	{ "o", 7, 0xff }, { "u", 8, 0xff }, { "nge", 9, 0xff },
	{ "nlg", 10, 0xff }, { "ngt", 11, 0xff }, { "nle", 12, 0xff },
	{ "neq", 13, 0xff }, { "nlt", 14, 0xff }, { "tru", 15, 0xff },
	{ "t", 0xff, 7 },
};

static const struct type {
	const char *name;
	char letter;
	unsigned int bits;
} types[] = {
	{ "f16", 'f', 16 }, { "f32", 'f', 32 }, { "f64", 'f', 64 },
	{ "i16", 'i', 16 }, { "i32", 'i', 32 }, { "i64", 'i', 64 },
	{ "u16", 'u', 16 }, { "u32", 'u', 32 }, { "u64", 'u', 64 },
};

static unsigned int count, failed;

static __float128 as_float(u64 v, unsigned int bits)
{
	_Float16 h;
	double d;
	float f;

	switch (bits) {
	case 16:
		memcpy(&h, &v, 2);
		return h;
	case 32:
		memcpy(&f, &v, 4);
		return f;
	}
	memcpy(&d, &v, 8);
	return d;
}

static __int128 as_integer(u64 v, const struct type *t)
{
	unsigned int rest = 64 - t->bits;

	return t->letter == 'i' ? (__int128)((s64)(v << rest) >> rest) :
	       (__int128)(v << rest >> rest);
}

static enum relation relation(u64 a, u64 b, const struct type *t)
{
	if (t->letter == 'f') {
		__float128 x = as_float(a, t->bits), y = as_float(b, t->bits);

		if (x != x || y != y)
			return UNORDERED;
		return x < y ? LESS : x > y ? GREATER : EQUAL;
	}
	return as_integer(a, t) < as_integer(b, t) ? LESS :
	       as_integer(a, t) > as_integer(b, t) ? GREATER : EQUAL;
}

/* Of all widths: zeros, least and greatest, infinities, NaN, denormals */
static u64 operand(void)
{
	static const u64 edges[] = {
		0, 1, ~0ULL, 0x8000, 0x7c00, 0xfc00, 0x7e00, 0x7fff,
		0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7fffffff,
		0x8000000000000000, 0x7ff0000000000000, 0xfff0000000000000,
		0x7ff8000000000000, 0x7fffffffffffffff, 0x8000000000000001,
	};
	u32 lo = machine_random(), hi = machine_random();

	return machine_random() % 2 ? edges[lo % ARRAY_SIZE(edges)] :
	       make_64(hi, lo);
}

/* One instruction: how many of its results are not what they should be. */
static unsigned int run(struct machine *m, const struct type *t, u8 when,
			bool cmpx)
{
	u32 exec = machine_random(), want = 0, got;
	unsigned int l;

	for (l = 0; l < 32; l++) {
		u64 a = operand(), b = machine_random() % 8 ? operand() : a;

		m->w->v[SRC_A][l] = (u32)a;
		m->w->v[SRC_A + 1][l] = a >> 32;
		m->w->v[SRC_B][l] = (u32)b;
		m->w->v[SRC_B + 1][l] = b >> 32;
		if (relation(a, b, t) & when && exec >> l & 1)
			want |= BIT(l);
	}
	m->w->s[DST] = ~0U;
	m->w->s[VGPU_S_EXEC] = exec;
	m->w->pc = MACHINE_BASE;
	machine_run(m, 1);
	got = m->w->s[cmpx ? VGPU_S_EXEC : DST];
	if (got != want || (!cmpx && m->w->s[VGPU_S_EXEC] != exec))
		printf("# 0x%x, expected 0x%x\n", got, want);
	return got != want || m->illegal ||
	       (!cmpx && m->w->s[VGPU_S_EXEC] != exec);
}

static void test(struct machine *m, const struct type *t, const char *condition,
		 u8 when, bool cmpx)
{
	unsigned int n, bad = 0;
	char name[32];
	struct encoding e = { .sdst = cmpx ? VGPU_S_EXEC : DST, .src = {
		VGPU_SRC_VGPR0 + SRC_A, VGPU_SRC_VGPR0 + SRC_B } };
	unsigned int opcode;
	enum vgpu_op op;
	u32 w[2];

	snprintf(name, sizeof(name), "v_cmp%s_%s_%s", cmpx ? "x" : "",
		 condition, t->name);
	/* What is not there is not there: 16-bit integers have no f and t. */
	op = encode_find(VGPU_FMT_VOP3, name, &opcode);
	if (!op)
		return;
	encode(w, VGPU_FMT_VOP3, opcode, op, &e);
	machine_reset(m, 32);
	machine_code(m, w, sizeof(w));
	for (n = 0; n < ROUNDS && !bad; n++)
		bad += run(m, t, when, cmpx);
	failed += !!bad;
	printf("%sok %u - %s\n", bad ? "not " : "", ++count, name);
}

static void test_all(void)
{
	struct machine *m = machine_new();
	unsigned int t, n;

	for (t = 0; t < ARRAY_SIZE(types); t++) {
		for (n = 0; n < ARRAY_SIZE(conditions); n++) {
			u8 when = types[t].letter == 'f' ? conditions[n].floats :
				  conditions[n].integers;

			if (when == 0xff)
				continue;
			test(m, &types[t], conditions[n].name, when, false);
			test(m, &types[t], conditions[n].name, when, true);
		}
	}
	machine_free(m);
}

int main(void)
{
	unsigned int all;

	test_all();
	/* 16 of three floats, 8 of 32 and 64 bits, 6 of 16, and each as V_CMPX */
	all = 2 * (3 * 16 + 4 * 8 + 2 * 6);
	printf("%sok %u - all compares were found\n", count == all ? "" : "not ",
	       count + 1);
	failed += count != all;
	count++;
	setenv("VGPU_NO_AVX2", "1", 1);
	test_all();
	printf("1..%u\n", count);
	return failed != 0;
}

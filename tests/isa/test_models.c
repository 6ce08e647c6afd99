// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each instruction of models_*.c with random and edge operands, compared with its model, in all
 * lanes; nothing else may change. Instructions with one source of 16 bits are tested with all
 * values.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encode.h"
#include "machine.h"
#include "models.h"

#define ROUNDS		200	/* of 32 lanes */
#define ALL_HALVES	(0x10000 / 32)
#define NUM_VGPRS	28	/* that are looked at */
#define MAX_SHOWN	4

/* Where the operands are; no two are the same register. */
static const u8 src_reg[3] = { 4, 8, 12 };
#define DST_REG 20

static unsigned int count, failed;

static u32 pick(const u32 *from, unsigned int num)
{
	return from[machine_random() % num];
}

static u32 edge(enum model_edges edges)
{
	static const u32 ints[] = {
		0, 1, -1U, 0x7fffffff, 0x80000000, 0x7fff, 0x8000, 0xffff,
		0x10000, 0x7f, 0x80, 0xff, 0x7fffff, 0x800000, 0xffffff,
		0x7fff7fff, 0x80008000, 0x7f7f7f7f, 0x80808080, 0x88888888,
	};
	/* +-0, denormals, 1, 1 + ulp, 0.25, the largest, infinity, NaN */
	static const u32 halves[] = {
		0, 1, 0x3ff, 0x400, 0x3c00, 0x3c01, 0x3400, 0x7bff, 0x7c00,
		0x7e00,
	};
	u32 lo, hi;

	if (edges == EDGES_INT)
		return pick(ints, ARRAY_SIZE(ints));
	lo = pick(halves, ARRAY_SIZE(halves)) | (machine_random() & 0x8000);
	hi = pick(halves, ARRAY_SIZE(halves)) | (machine_random() & 0x8000);
	return lo | hi << 16;
}

/* No half that is a NaN signals. */
static u32 operand(const struct model *m)
{
	u32 v = machine_random() % 4 ? machine_random() : edge(m->edges);
	unsigned int h;

	for (h = 0; m->edges == EDGES_F16 && h < 32; h += 16) {
		if ((v >> h & 0x7c00) == 0x7c00 && v >> h & 0x3ff)
			v |= 0x200U << h;
	}
	return v;
}

static bool encode_model(const struct model *m, bool clamp, u32 *w)
{
	struct encoding e = { .dst = DST_REG, .flags = clamp ? BIT(15) : 0 };
	unsigned int opcode, k;
	unsigned int format = VGPU_FMT_VOP3P;
	enum vgpu_op op = encode_find(format, m->name, &opcode);

	if (!op) {
		format = VGPU_FMT_VOP3;
		op = encode_find(format, m->name, &opcode);
	}
	for (k = 0; k < 3; k++)
		e.src[k] = m->src[k] ? VGPU_SRC_VGPR0 + src_reg[k] : 0;
	encode(w, format, opcode, op, &e);
	return op;
}

static bool same_half(u32 got, u32 want)
{
	if ((want & 0x7fff) > 0x7c00)
		return (got & 0x7e00) == 0x7e00;
	return (got & 0xffff) == want;
}

static bool same(const struct model *m, u32 got, u32 want)
{
	if (!m->f16)
		return got == want;
	return same_half(got & 0xffff, want & 0xffff) &&
	       (m->low ? got >> 16 == want >> 16 :
		same_half(got >> 16, want >> 16));
}

static void expect(const struct model *m, bool clamp, const u32 (*v)[VGPU_LANES],
		   u32 (*want)[VGPU_LANES], unsigned int l)
{
	struct model_in in = { .old = v[DST_REG][l], .clamp = clamp };
	u32 out[MODEL_WORDS] = { in.old };
	unsigned int k, n;

	for (k = 0; k < 3; k++) {
		for (n = 0; n < m->src[k]; n++)
			in.src[k][n] = v[src_reg[k] + n][l];
	}
	m->fn(&in, out);
	for (n = 0; n < m->dst; n++)
		want[DST_REG + n][l] = out[n];
}

/* One instruction on 32 lanes. Returns how many registers are wrong. */
static unsigned int run(struct machine *mc, const struct model *m, bool clamp,
			unsigned int round, unsigned int shown)
{
	static u32 want[NUM_VGPRS][VGPU_LANES];
	u32 exec = round % 8 == 7 ? machine_random() : ~0U;
	unsigned int n, l, bad = 0;

	for (n = 0; n < NUM_VGPRS; n++) {
		for (l = 0; l < 32; l++)
			mc->w->v[n][l] = operand(m);
	}
	/* All values of one half there are, after each other */
	for (l = 0; m->edges == EDGES_F16 && !m->src[1] && l < 32; l++)
		mc->w->v[src_reg[0]][l] = (round * 32U + l) & 0xffff;
	memcpy(want, mc->w->v, sizeof(want));
	mc->w->pc = MACHINE_BASE;
	mc->w->s[VGPU_S_EXEC] = exec;
	for (l = 0; l < 32; l++) {
		if (exec >> l & 1)
			expect(m, clamp, (const u32 (*)[VGPU_LANES])mc->w->v,
			       want, l);
	}
	machine_run(mc, 1);
	/* Integers raise nothing. */
	bad += m->edges == EDGES_INT && mc->w->excp;
	for (n = 0; n < NUM_VGPRS; n++) {
		for (l = 0; l < VGPU_LANES; l++) {
			bool written = n >= DST_REG && l < 32 && exec >> l & 1 &&
				       n < DST_REG + (u32)m->dst;

			if (written ? same(m, mc->w->v[n][l], want[n][l]) :
			    mc->w->v[n][l] == want[n][l])
				continue;
			if (shown + bad++ < MAX_SHOWN)
				printf("# v%u[%u] is 0x%x, expected 0x%x: 0x%x 0x%x 0x%x\n",
				       n, l, mc->w->v[n][l], want[n][l],
				       want[src_reg[0]][l], want[src_reg[1]][l],
				       want[src_reg[2]][l]);
		}
	}
	return bad + mc->illegal;
}

static void test(struct machine *mc, const struct model *m, bool clamp,
		 const char *variant)
{
	bool all = m->edges == EDGES_F16 && !m->src[1] && !clamp;
	unsigned int rounds = all ? ALL_HALVES : ROUNDS, n, bad = 0;
	u32 w[2];
	bool ok = encode_model(m, clamp, w);

	machine_reset(mc, 32);
	machine_code(mc, w, sizeof(w));
	for (n = 0; ok && n < rounds && bad < MAX_SHOWN; n++)
		bad += run(mc, m, clamp, n, bad);
	ok = ok && !bad;
	failed += !ok;
	printf("%sok %u - %s%s%s\n", ok ? "" : "not ", ++count, m->name,
	       clamp ? " clamp" : "", variant);
}

static void test_some(struct machine *mc, const struct model *m, size_t num,
		      const char *variant)
{
	for (; num--; m++) {
		test(mc, m, false, variant);
		if (m->clamp)
			test(mc, m, true, variant);
	}
}

static void test_all(const char *variant)
{
	struct machine *mc = machine_new();

	test_some(mc, models_int, num_models_int, variant);
	test_some(mc, models_f16, num_models_f16, variant);
	machine_free(mc);
}

int main(void)
{
	test_all("");
	setenv("VGPU_NO_AVX2", "1", 1);
	test_all(" (without AVX2)");
	printf("1..%u\n", count);
	return failed != 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Vector operations with edge and random operands, in random modes, compared with oracle.c:
 * results, exceptions, and that inactive lanes do not change. Each operation of the oracles is
 * one test. Operands come from a fixed sequence, so a failure can be repeated.
 *
 * usage: test_random [TRIALS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encode.h"
#include "machine.h"
#include "oracle.h"

#define TRIALS		150	/* of 32 lanes, most of them not active */
#define DST		20	/* VGPRs; the sources are 0, 2 and 4 */
#define MASK		4	/* SGPR of a compare */

static unsigned int count, failed;

static u64 random64(void)
{
	return make_64(machine_random(), machine_random());
}

static u64 edge(unsigned int size, unsigned int mant)
{
	u64 inf = (BIT_ULL(size - 1) - 1) & ~(BIT_ULL(mant) - 1);
	u64 one = inf / 2 & inf, min = BIT_ULL(mant);
	const u64 edges[] = {
		0, 1, min - 1, min, min + 1, min / 2, one, one + 1, one - 1,
		one + min, one - min, inf - 1, inf, inf + 1, inf + min / 2,
		inf - min, one + mant * min, one - mant * min,
	};

	return edges[machine_random() % ARRAY_SIZE(edges)] |
	       (random64() & 1) << (size - 1);
}

/* @last: the operand before, of which this one may be a neighbour. */
static u64 random_float(unsigned int size, unsigned int mant, u64 last)
{
	u64 r = random64() >> (64 - size), sign = BIT_ULL(size - 1);
	u64 one = (sign - 1) / 2 & ~(BIT_ULL(mant) - 1);

	switch (machine_random() % 4) {
	case 0:
		return edge(size, mant);
	case 1:		/* about 1 */
		return (r & (sign | (BIT_ULL(mant) - 1))) |
		       (one + ((u64)(machine_random() % 12) << mant) -
			(6ULL << mant));
	case 2:
		return (last ^ sign) + machine_random() % 3 - 1;
	default:
		return r;
	}
}

static u64 random_int(unsigned int size)
{
	static const u64 edges[] = { 0, 1, ~0ULL, 2, 31, 32, 33, 0x80000000,
				     0x7fffffff, 0x8000, 0x7fff, 0xffff,
				     0xffffff, 0x800000, 1ULL << 63 };

	u64 r = machine_random() % 2 ? random64() :
		edges[machine_random() % ARRAY_SIZE(edges)];

	return r & (~0ULL >> (64 - size));
}

static u64 random_operand(enum vgpu_type type, u64 last)
{
	switch (type) {
	case VGPU_T_F16:
	case VGPU_T_DF16:
		return random_float(16, 10, last) & 0xffff;
	case VGPU_T_F32:
	case VGPU_T_DF32:
		return random_float(32, 23, last) & 0xffffffff;
	case VGPU_T_F64:
		return random_float(64, 52, last);
	case VGPU_T_U16:
	case VGPU_T_I16:
	case VGPU_T_B16:
		return random_int(16);
	case VGPU_T_B64:
	case VGPU_T_U64:
	case VGPU_T_I64:
		return random_int(64);
	default:
		return random_int(32);
	}
}

/* Where source @k is: some have it in the destination. */
static unsigned int source_reg(const struct vgpu_op_info *info, unsigned int k)
{
	switch (info->src[k]) {
	case VGPU_T_DF32:
	case VGPU_T_DF16:
	case VGPU_T_DB32:
		return DST;
	}
	return 2 * k;
}

static bool encode_row(enum vgpu_op op, u32 *words)
{
	struct encoding e = { .dst = DST, .sdst = MASK, .src = {
		VGPU_SRC_VGPR0, VGPU_SRC_VGPR0 + 2, VGPU_SRC_VGPR0 + 4 } };
	unsigned int opcode, format = encode_vop3(op, &opcode);

	if (!format)
		return false;
	encode(words, format, opcode, op, &e);
	words[2] = 0xbf810000;	/* s_endpgm */
	return true;
}

static u64 get(const struct vgpu_wave *w, unsigned int reg, unsigned int lane,
	       enum vgpu_type type)
{
	u64 v = w->v[reg][lane];

	if (vgpu_type_dwords(type, 32) == 2)
		v |= (u64)w->v[reg + 1][lane] << 32;
	return v;
}

static void operands(struct machine *m, const struct vgpu_op_info *info,
		     unsigned int halves)
{
	unsigned int l, k;

	for (l = 0; l < 32; l++) {
		u64 v = 0;

		m->w->v[DST][l] = machine_random();
		m->w->v[DST + 1][l] = machine_random();
		for (k = 0; k < 3; k++) {
			unsigned int reg = source_reg(info, k);

			v = random_operand(info->src[k], v);
			if (halves == 2)
				v |= random_operand(info->src[k], v) << 16;
			m->w->v[reg][l] = (u32)v;
			m->w->v[reg + 1][l] = v >> 32;
		}
	}
}

/* What a lane should hold: half a register keeps its other half. */
static u64 expected(const struct vgpu_wave *before, unsigned int lane,
		    enum vgpu_type type, u64 bits)
{
	switch (type) {
	case VGPU_T_F16:
	case VGPU_T_U16:
	case VGPU_T_I16:
	case VGPU_T_B16:
		return (before->v[DST][lane] & 0xffff0000) | (bits & 0xffff);
	default:
		return vgpu_type_dwords(type, 32) == 2 ? bits : (u32)bits;
	}
}

static u64 result_of(const struct machine *m, const struct vgpu_op_info *info,
		     unsigned int lane)
{
	return info->class == VGPU_CLASS_VALU ?
	       get(m->w, DST, lane, info->dst) : m->w->s[MASK] >> lane & 1;
}

static bool right(const struct oracle *o, const struct vgpu_wave *before,
		  unsigned int lane, u64 got, const struct oracle_result *res)
{
	struct vgpu_op_info info = oracle_info(o->op);
	u64 half = info.dst == VGPU_T_F16 ? 0xffff : ~0ULL, want;

	if (res->skip)
		return true;
	if (res->any_nan)
		return oracle_is_nan(info.dst, got & half);
	if (info.class != VGPU_CLASS_VALU)
		return got == res->bits;
	want = oracle_halves(o->op) == 2 ? res->bits :
	       expected(before, lane, info.dst, res->bits);
	return (got & ~half) == (want & ~half) &&
	       oracle_near(info.dst, got & half, want & half, o->ulps);
}

static void complain(const struct oracle *o, const struct vgpu_wave *before,
		     unsigned int lane, const char *what, u64 got, u64 want)
{
	printf("# %s %s of lane %u: 0x%llx, expected 0x%llx (round 0x%x, denorm 0x%x, exec 0x%x, sources 0x%llx 0x%llx 0x%llx)\n",
	       vgpu_op_info[o->op].name, what, lane, (unsigned long long)got,
	       (unsigned long long)want, before->fp_round,
	       before->fp_denorm,
	       before->s[VGPU_S_EXEC],
	       (unsigned long long)get(before, 0, lane, VGPU_T_B64),
	       (unsigned long long)get(before, 2, lane, VGPU_T_B64),
	       (unsigned long long)get(before, 4, lane, VGPU_T_B64));
}

/* What all active lanes raise, and what of it is known */
struct raised {
	u32 excp, known;
};

/* One half of a lane, or all of it: false when it is wrong. */
static bool check_lane(const struct machine *m, const struct oracle *o,
		       const struct vgpu_wave *before, unsigned int lane,
		       unsigned int half, struct raised *raised)
{
	struct vgpu_op_info info = oracle_info(o->op);
	u64 got = result_of(m, &info, lane), src[3];
	struct oracle_result res;
	struct oracle_mode mode;
	unsigned int k;

	oracle_mode_of(&mode, before);
	for (k = 0; k < 3; k++) {
		src[k] = get(before, source_reg(&info, k), lane, info.src[k]);
		if (oracle_halves(o->op) == 2)
			src[k] = src[k] >> 16 * half & 0xffff;
	}
	if (oracle_halves(o->op) == 2)
		got = got >> 16 * half & 0xffff;
	oracle_compute(o, &mode, src, &res);
	raised->excp |= res.excp;
	raised->known &= res.skip ? 0 : res.excp_known;
	if (right(o, before, lane, got, &res))
		return true;
	complain(o, before, lane, "result", got, res.bits);
	return false;
}

/* Returns how much is wrong in one execution. */
static unsigned int check(const struct machine *m, const struct oracle *o,
			  const struct vgpu_wave *before)
{
	struct vgpu_op_info info = oracle_info(o->op);
	struct raised raised = { .known = o->excp };
	unsigned int l, h, bad = 0, last = 0;
	u32 exec = before->s[VGPU_S_EXEC];

	for (l = 0; l < 32; l++) {
		if (!(exec >> l & 1)) {
			u64 got = result_of(m, &info, l);

			bad += info.class == VGPU_CLASS_VALU ?
			       got != get(before, DST, l, info.dst) : got;
			continue;
		}
		last = l;
		for (h = 0; h < oracle_halves(o->op); h++)
			bad += !check_lane(m, o, before, l, h, &raised);
	}
	if ((m->w->excp & raised.known) != (raised.excp & raised.known)) {
		complain(o, before, last, "exceptions",
			 m->w->excp & raised.known,
			 raised.excp & raised.known);
		bad++;
	}
	return bad;
}

/* Rounding and denormals, IEEE, FP16_OVFL; often as compilers want it */
static void random_mode(struct vgpu_wave *w)
{
	u32 r = machine_random();

	w->dx10_clamp = true;
	w->fp_round = r & 3 ? r >> 8 & 0xf : 0;
	w->fp_denorm = r & 3 ? r >> 12 & 0xf : 0xf;
	w->ieee = r >> 16 & 3;
	w->fp16_ovfl = !(r >> 20 & 7);
}

static void run(struct machine *m, const struct oracle *o, unsigned int trials,
		const char *variant)
{
	struct vgpu_op_info info = oracle_info(o->op);
	static struct vgpu_wave before;
	unsigned int n, bad = 0;
	u32 words[3];

	if (!encode_row(o->op, words)) {
		printf("# no opcode\n");
		bad++;
		trials = 0;
	}
	for (n = 0; n < trials && bad < 3; n++) {
		u32 exec = BIT(machine_random() & 31);

		machine_reset(m, 32);
		machine_code(m, words, sizeof(words));
		operands(m, &info, oracle_halves(o->op));
		/* Few lanes: the exceptions of many are always the same. */
		m->w->s[VGPU_S_EXEC] = n % 8 ? exec : ~0U;
		random_mode(m->w);
		before = *m->w;
		vgpu_isa_run(&m->g, m->w, 1);
		bad += check(m, o, &before);
	}
	printf("%sok %u - %s%s\n", bad ? "not " : "", ++count, info.name,
	       variant);
	failed += !!bad;
}

static void run_all(unsigned int trials, const char *variant)
{
	struct machine *m = machine_new();
	unsigned int n;

	for (n = 0; n < oracle_num_floats; n++)
		run(m, &oracle_floats[n], trials, variant);
	machine_free(m);
}

int main(int argc, char **argv)
{
	unsigned int trials = argc > 1 ? (unsigned int)atoi(argv[1]) : TRIALS;

	run_all(trials, "");
	setenv("VGPU_NO_AVX2", "1", 1);
	run_all(trials, " (without AVX2)");
	printf("1..%u\n", count);
	return failed != 0;
}

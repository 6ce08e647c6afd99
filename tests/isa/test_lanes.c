// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions whose lanes access each other: DPP, permutations, single lanes, counts of lower
 * lanes. Random values, EXEC and controls in both wave sizes, compared with what the "RDNA 2"
 * ISA, AMD 2020, defines for each lane (3.3, 6.7, 12.10, 12.13; controls of DPP also LLVM 19,
 * AMDGPUModifierSyntax, dpp_ctrl): the lane that it reads, and whether it writes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encode.h"
#include "machine.h"

#define ROUNDS	400
#define SRC	4
#define SRC1	6
#define DST	8
#define SEL	20	/* SGPRs: selects, a number of a lane */
#define SDST	24

#define NOWHERE	-1	/* a lane reads what is not there */

static unsigned int count, failed;

struct test {
	unsigned int lanes;
	u64 exec;
	u32 src[VGPU_LANES], src1[VGPU_LANES], old[VGPU_LANES];
	u32 want[VGPU_LANES];
};

static u32 below(u32 n)
{
	return machine_random() % n;
}

static bool active(const struct test *t, int lane)
{
	return t->exec >> lane & 1;
}

static void fill(struct test *t, unsigned int lanes)
{
	unsigned int l;

	t->lanes = lanes;
	t->exec = below(3) ? make_64(machine_random(), machine_random()) : ~0ULL;
	t->exec &= lanes == 64 ? ~0ULL : ~0U;
	for (l = 0; l < VGPU_LANES; l++) {
		t->src[l] = machine_random();
		t->src1[l] = machine_random();
		t->old[l] = machine_random();
	}
	memcpy(t->want, t->old, sizeof(t->old));
}

/* Execute, with the registers of @t. Returns how much is wrong. */
static unsigned int execute(struct machine *m, const struct test *t, const u32 *w,
			    u32 sel0, u32 sel1)
{
	unsigned int l, bad = 0;

	machine_reset(m, t->lanes);
	machine_code(m, w, 4 * VGPU_MAX_WORDS);
	memcpy(m->w->v[SRC], t->src, sizeof(t->src));
	memcpy(m->w->v[SRC1], t->src1, sizeof(t->src1));
	memcpy(m->w->v[DST], t->old, sizeof(t->old));
	m->w->s[SEL] = sel0;
	m->w->s[SEL + 1] = sel1;
	m->w->s[VGPU_S_EXEC] = (u32)t->exec;
	m->w->s[VGPU_S_EXEC + 1] = t->exec >> 32;
	vgpu_isa_run(&m->g, m->w, 1);
	for (l = 0; l < VGPU_LANES; l++) {
		if (m->w->v[DST][l] == t->want[l])
			continue;
		if (!bad++)
			printf("# %08x %08x wave%u exec 0x%llx: lane %u is 0x%x, expected 0x%x\n",
			       w[0], w[1], t->lanes, (unsigned long long)t->exec, l,
			       m->w->v[DST][l], t->want[l]);
	}
	return bad + m->illegal;
}

static void vop1(u32 *w, const char *name, enum vgpu_sub sub, u32 extra)
{
	struct encoding e = { .dst = DST, .src = { VGPU_SRC_VGPR0 + SRC },
			      .sub = sub, .extra = extra };
	unsigned int opcode;
	enum vgpu_op op = encode_find(VGPU_FMT_VOP1, name, &opcode);

	memset(w, 0, 4 * VGPU_MAX_WORDS);
	encode(w, VGPU_FMT_VOP1, opcode, op, &e);
}

static void vop3(u32 *w, const char *name, const unsigned int *src, u32 dst,
		 u32 flags)
{
	struct encoding e = { .dst = dst, .src = { src[0], src[1], src[2] },
			      .flags = flags };
	unsigned int opcode;
	enum vgpu_op op = encode_find(VGPU_FMT_VOP3, name, &opcode);

	memset(w, 0, 4 * VGPU_MAX_WORDS);
	encode(w, VGPU_FMT_VOP3, opcode, op, &e);
}

/* The lane that a control of DPP16 makes lane @l of its row of 16 read */
static int dpp_lane(u32 ctrl, int l)
{
	int row = l / 16 * 16, at = l % 16, n = (int)(ctrl % 16);

	if (ctrl < 0x100)	/* quad_perm:[a,b,c,d] */
		return l / 4 * 4 + (int)(ctrl >> l % 4 * 2) % 4;
	switch (ctrl / 16) {
	case 0x10:	/* row_shl: to lower lanes */
		return at + n < 16 ? row + at + n : NOWHERE;
	case 0x11:	/* row_shr */
		return at - n >= 0 ? row + at - n : NOWHERE;
	case 0x12:	/* row_ror */
		return row + (at + 16 - n) % 16;
	case 0x14:	/* row_mirror, row_half_mirror */
		return ctrl == 0x140 ? row + 15 - at :
				       row + at / 8 * 8 + 7 - at % 8;
	case 0x15:	/* row_share */
		return row + n;
	}
	return row + (at ^ n);	/* row_xmask */
}

static u32 random_ctrl(void)
{
	static const u32 rows[] = { 0x101, 0x111, 0x121 };

	switch (below(4)) {
	case 0:
		return below(256);
	case 1:
		return rows[below(3)] + below(15);
	case 2:
		return 0x140 + below(2);
	}
	return 0x150 + below(32);
}

static unsigned int dpp16(struct machine *m, unsigned int lanes)
{
	u32 ctrl = random_ctrl(), w[VGPU_MAX_WORDS];
	u32 banks = below(3) ? 15 : below(16), rows = below(3) ? 15 : below(16);
	bool inactive = below(2), bound = below(2);
	struct test t;
	int l, from;

	fill(&t, lanes);
	for (l = 0; l < (int)lanes; l++) {
		if (!active(&t, l) || !(rows >> l / 16 & 1) ||
		    !(banks >> l % 16 / 4 & 1))
			continue;
		from = dpp_lane(ctrl, l);
		if (from != NOWHERE && !inactive && !active(&t, from))
			from = NOWHERE;
		if (from != NOWHERE)
			t.want[l] = t.src[from];
		else if (bound)
			t.want[l] = 0;
	}
	vop1(w, "v_mov_b32", VGPU_SUB_DPP16, ctrl << 8 | inactive << 18 | bound << 19 |
	     banks << 24 | rows << 28);
	return execute(m, &t, w, 0, 0);
}

static unsigned int dpp8(struct machine *m, unsigned int lanes)
{
	u32 sel = machine_random() >> 8, w[VGPU_MAX_WORDS];
	bool inactive = below(2);
	struct test t;
	int l, from;

	fill(&t, lanes);
	for (l = 0; l < (int)lanes; l++) {
		from = l / 8 * 8 + (int)(sel >> l % 8 * 3) % 8;
		/* fi:0 fetches zero (LLVM 19, AMDGPUModifierSyntax, fi). */
		if (active(&t, l))
			t.want[l] = inactive || active(&t, from) ? t.src[from] : 0;
	}
	vop1(w, "v_mov_b32", VGPU_SUB_DPP8, sel << 8);
	w[0] += inactive;	/* DPP8FI follows DPP8 */
	return execute(m, &t, w, 0, 0);
}

/* Lane numbers within a row of 16 lanes, four bits each; X: of the other row */
static unsigned int permlane(struct machine *m, unsigned int lanes)
{
	const unsigned int src[] = { VGPU_SRC_VGPR0 + SRC, SEL, SEL + 1 };
	u32 sel[2] = { machine_random(), machine_random() };
	bool inactive = below(2), bound = below(2), other = below(2);
	u32 w[VGPU_MAX_WORDS];
	struct test t;
	int l, from;

	fill(&t, lanes);
	for (l = 0; l < (int)lanes; l++) {
		from = l / 16 * 16 + (int)(sel[l % 16 / 8] >> l % 8 * 4 & 15);
		if (other)
			from += from / 16 % 2 ? -16 : 16;
		if (!active(&t, l))
			continue;
		if (inactive || active(&t, from))
			t.want[l] = t.src[from];
		else if (bound)
			t.want[l] = 0;
	}
	vop3(w, other ? "v_permlanex16_b32" : "v_permlane16_b32", src, DST,
	     (u32)inactive << 11 | bound << 12);
	return execute(m, &t, w, sel[0], sel[1]);
}

/* Lanes below in the lower or the upper half of a mask, and an addend */
static unsigned int mbcnt(struct machine *m, unsigned int lanes)
{
	const unsigned int src[] = { VGPU_SRC_VGPR0 + SRC, VGPU_SRC_VGPR0 + SRC1, 0 };
	u32 w[VGPU_MAX_WORDS];
	bool high = below(2);
	struct test t;
	int l, n;

	fill(&t, lanes);
	for (l = 0; l < (int)lanes; l++) {
		if (!active(&t, l))
			continue;
		t.want[l] = t.src1[l];
		for (n = 0; n < 32; n++)
			t.want[l] += n + 32 * high < l && t.src[l] >> n & 1;
	}
	vop3(w, high ? "v_mbcnt_hi_u32_b32" : "v_mbcnt_lo_u32_b32", src, DST, 0);
	return execute(m, &t, w, 0, 0);
}

/* EXEC does not matter; of the lane's number as many bits as there are lanes. */
static unsigned int single(struct machine *m, unsigned int lanes)
{
	const unsigned int read[] = { VGPU_SRC_VGPR0 + SRC, SEL, 0 };
	const unsigned int write[] = { SEL + 1, SEL, 0 };
	u32 lane = machine_random(), v = machine_random(), w[VGPU_MAX_WORDS];
	unsigned int bad = 0, first = 0;
	struct test t;

	fill(&t, lanes);
	if (!below(4))
		t.exec = 0;
	vop3(w, "v_readlane_b32", read, SDST, 0);
	bad += execute(m, &t, w, lane, v);
	bad += m->w->s[SDST] != t.src[lane % lanes];
	vop1(w, "v_readfirstlane_b32", VGPU_SUB_NONE, 0);
	w[0] ^= (DST ^ SDST) << 17;
	bad += execute(m, &t, w, lane, v);
	while (t.exec && !active(&t, (int)first))
		first++;
	bad += m->w->s[SDST] != t.src[first];
	t.want[lane % lanes] = v;
	vop3(w, "v_writelane_b32", write, DST, 0);
	return bad + execute(m, &t, w, lane, v);
}

static void ds(u32 *w, const char *name, unsigned int data, u32 offset)
{
	struct encoding e = { .dst = DST, .src = { SRC, data }, .offset = offset };
	unsigned int opcode;
	enum vgpu_op op = encode_find(VGPU_FMT_DS, name, &opcode);

	memset(w, 0, 4 * VGPU_MAX_WORDS);
	encode(w, VGPU_FMT_DS, opcode, op, &e);
}

/* Addresses in bytes, of lanes within 32; a lane without a sender gets 0. */
static unsigned int permute(struct machine *m, unsigned int lanes)
{
	u32 offset = below(2) ? below(65536) : 0, w[VGPU_MAX_WORDS];
	bool send = below(2);
	struct test t;
	int l, other;

	fill(&t, lanes);
	for (l = 0; l < (int)lanes; l++) {
		if (active(&t, l))
			t.want[l] = 0;
	}
	for (l = 0; l < (int)lanes; l++) {
		other = l / 32 * 32 + (int)((t.src[l] + offset) / 4 % 32);
		if (!active(&t, l) || !active(&t, other))
			continue;
		if (send)
			t.want[other] = t.src1[l];
		else
			t.want[l] = t.src1[other];
	}
	ds(w, send ? "ds_permute_b32" : "ds_bpermute_b32", SRC1, offset);
	return execute(m, &t, w, 0, 0);
}

static int swizzle_lane(u32 how, int l)
{
	int mask = (int)how % 32, r = 0, n;

	if (how >= 0xc000) {	/* rotation of the bits that are not in the mask */
		n = (int)(how >> 5) % 32;
		n = how >> 10 & 1 ? l - n : l + n;
		return (l & mask) | ((n + 32) % 32 & ~mask);
	}
	if (how >= 0x8000)	/* four lanes, two bits each */
		return l / 4 * 4 + (int)(how >> l % 4 * 2) % 4;
	for (n = 0; n < 5; n++) {
		int bit = l >> n & 1;

		bit &= (int)(how >> n) & 1;
		bit |= (int)(how >> (n + 5)) & 1;
		bit ^= (int)(how >> (n + 10)) & 1;
		r |= bit << n;
	}
	return r;
}

/* The mode of Fourier transforms has lines in results/. */
static unsigned int swizzle(struct machine *m, unsigned int lanes)
{
	u32 how = below(0xe000), w[VGPU_MAX_WORDS];
	struct test t;
	int l, from;

	fill(&t, lanes);
	for (l = 0; l < (int)lanes; l++) {
		from = l / 32 * 32 + swizzle_lane(how, l % 32);
		if (active(&t, l))
			t.want[l] = active(&t, from) ? t.src[from] : 0;
	}
	ds(w, "ds_swizzle_b32", 0, how);
	return execute(m, &t, w, 0, 0);
}

static void test(struct machine *m, const char *name, const char *variant,
		 unsigned int (*fn)(struct machine *m, unsigned int lanes))
{
	unsigned int n, lanes, bad = 0;

	for (lanes = 32; lanes <= 64; lanes += 32) {
		for (n = 0; n < ROUNDS && bad < 4; n++)
			bad += fn(m, lanes);
	}
	failed += !!bad;
	printf("%sok %u - %s%s\n", bad ? "not " : "", ++count, name, variant);
}

static void test_all(const char *variant)
{
	struct machine *m = machine_new();

	test(m, "DPP16", variant, dpp16);
	test(m, "DPP8", variant, dpp8);
	test(m, "v_permlane16_b32, v_permlanex16_b32", variant, permlane);
	test(m, "v_mbcnt_lo_u32_b32, v_mbcnt_hi_u32_b32", variant, mbcnt);
	test(m, "v_readlane_b32, v_readfirstlane_b32, v_writelane_b32", variant,
	     single);
	test(m, "ds_permute_b32, ds_bpermute_b32", variant, permute);
	test(m, "ds_swizzle_b32", variant, swizzle);
	machine_free(m);
}

int main(void)
{
	test_all("");
	setenv("VGPU_NO_AVX2", "1", 1);
	test_all(" (without AVX2)");
	printf("1..%u\n", count);
	return failed != 0;
}

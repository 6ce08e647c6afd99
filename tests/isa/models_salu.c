// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Models of scalar arithmetic: results are computed exactly, with 128 bits, and SCC from them;
 * bit operations bit by bit. Semantics: "RDNA 2" Instruction Set Architecture, AMD 2020, chapter
 * 12 (SOP1, SOP2, SOPC, SOPK).
 */
#include "models.h"

typedef __int128 wide;

static wide sext(uint64_t v, unsigned int bits)
{
	wide r = v & (bits < 64 ? (1ULL << bits) - 1 : ~0ULL);

	return r >> (bits - 1) & 1 ? r - ((wide)1 << bits) : r;
}

static wide power(unsigned int n)
{
	return (wide)1 << n;
}

/* To minus infinity, as a shift of a signed number is. */
static wide floored(wide v, wide by)
{
	return v >= 0 ? v / by : -((by - 1 - v) / by);
}

static unsigned int bit(uint64_t v, unsigned int n)
{
	return v >> n & 1;
}

static unsigned int ones(uint64_t v, unsigned int bits)
{
	unsigned int n, r = 0;

	for (n = 0; n < bits; n++)
		r += bit(v, n);
	return r;
}

/* The first bit of a value, from the lowest on, or from the highest down */
static wide first(uint64_t v, unsigned int bits, unsigned int what, bool down)
{
	unsigned int n;

	for (n = 0; n < bits; n++) {
		if (bit(v, down ? bits - 1 - n : n) == what)
			return n;
	}
	return -1;
}

static wide reversed(uint64_t v, unsigned int bits)
{
	unsigned int n;
	wide r = 0;

	for (n = 0; n < bits; n++)
		r += bit(v, n) * power(bits - 1 - n);
	return r;
}

/* A bit for each four of which any is set; each is @repeat bits, @apart from the next. */
static wide quads(uint64_t v, unsigned int bits, unsigned int repeat,
		  unsigned int apart)
{
	unsigned int n, k;
	wide r = 0;

	for (n = 0; n < bits; n++) {
		for (k = 0; k < repeat && bit(v, n) &&
		     !(v >> n / 4 * 4 & (power(n % 4) - 1)); k++)
			r += power(n / 4 * apart + k);
	}
	return r;
}

static wide doubled(uint64_t v)
{
	unsigned int n;
	wide r = 0;

	for (n = 0; n < 64; n++)
		r += bit(v, n / 2) * power(n);
	return r;
}

/* Get @width bits, from bit @at, of a value of @bits bits that is extended by its sign. */
static wide extract(uint64_t v, unsigned int bits, unsigned int at,
		    unsigned int width, bool is_signed)
{
	uint64_t r = 0;
	unsigned int n;

	for (n = 0; width && n < 64; n++) {
		unsigned int from = at + (n < width ? n : width - 1);
		bool inside = from < bits;

		if (!is_signed && (n >= width || !inside))
			continue;
		r |= (uint64_t)bit(v, inside ? from : bits - 1) << n;
	}
	return r;
}

/* Names in what follows: sources, their signed values, the old destination, EXEC */
#define MODEL(name, bits, expr, carry) \
static void name(const struct salu_in *in, struct salu_out *out) \
{ \
	const wide a = in->a, b = in->b, old = in->old, e = in->exec; \
	const wide sa = sext(in->a, bits), sb = sext(in->b, bits); \
	const unsigned int scc = in->scc; \
	const wide r = (expr); \
	\
	(void)a; (void)b; (void)sa; (void)sb; (void)old; (void)e; (void)scc; \
	out->d = (uint64_t)(r & (power(bits) - 1)); \
	out->scc = (carry); \
}

#define NONZERO		((r & (power(BITS) - 1)) != 0)
#define KEPT		in->scc
#define OVERFLOWS	(r != sext((uint64_t)r, BITS))

#define BITS 32
MODEL(add_u32, 32, a + b, a + b >= power(32))
MODEL(sub_u32, 32, a - b, a < b)
MODEL(add_i32, 32, sa + sb, OVERFLOWS)
MODEL(sub_i32, 32, sa - sb, OVERFLOWS)
MODEL(addc_u32, 32, a + b + scc, a + b + scc >= power(32))
MODEL(subb_u32, 32, a - b - scc, a < b + scc)
MODEL(min_i32, 32, sa < sb ? sa : sb, sa < sb)
MODEL(min_u32, 32, a < b ? a : b, a < b)
MODEL(max_i32, 32, sa > sb ? sa : sb, sa > sb)
MODEL(max_u32, 32, a > b ? a : b, a > b)
MODEL(mul_i32, 32, a * b, KEPT)
MODEL(mul_hi_u32, 32, a * b / power(32), KEPT)
MODEL(mul_hi_i32, 32, floored(sa * sb, power(32)), KEPT)
MODEL(absdiff, 32, sext((uint64_t)(sa - sb), 32) < 0 ? sb - sa : sa - sb, NONZERO)
MODEL(lshl1_add, 32, a * 2 + b, r >= power(32))
MODEL(lshl2_add, 32, a * 4 + b, r >= power(32))
MODEL(lshl3_add, 32, a * 8 + b, r >= power(32))
MODEL(lshl4_add, 32, a * 16 + b, r >= power(32))
MODEL(pack_ll, 32, a % 65536 + b % 65536 * 65536, KEPT)
MODEL(pack_lh, 32, a % 65536 + b / 65536 * 65536, KEPT)
MODEL(pack_hh, 32, a / 65536 + b / 65536 * 65536, KEPT)
MODEL(bfe_u32, 32, extract(in->a, 32, b % 32, b / 65536 % 128, false), NONZERO)
MODEL(bfe_i32, 32, extract(in->a, 32, b % 32, b / 65536 % 128, true), NONZERO)
MODEL(bcnt0_32, 32, 32 - ones(in->a, 32), NONZERO)
MODEL(bcnt0_64, 32, 64 - ones(in->a, 64), NONZERO)
MODEL(bcnt1_32, 32, ones(in->a, 32), NONZERO)
MODEL(bcnt1_64, 32, ones(in->a, 64), NONZERO)
MODEL(ff0_32, 32, first(in->a, 32, 0, false), KEPT)
MODEL(ff0_64, 32, first(in->a, 64, 0, false), KEPT)
MODEL(ff1_32, 32, first(in->a, 32, 1, false), KEPT)
MODEL(ff1_64, 32, first(in->a, 64, 1, false), KEPT)
MODEL(flbit_32, 32, first(in->a, 32, 1, true), KEPT)
MODEL(flbit_64, 32, first(in->a, 64, 1, true), KEPT)
MODEL(flbit_i32, 32, first(in->a, 32, !bit(in->a, 31), true), KEPT)
MODEL(flbit_i64, 32, first(in->a, 64, !bit(in->a, 63), true), KEPT)
MODEL(sext8, 32, sext(in->a, 8), KEPT)
MODEL(sext16, 32, sext(in->a, 16), KEPT)
MODEL(abs32, 32, sa < 0 ? -sa : sa, NONZERO)
MODEL(addk, 32, sext(in->old, 32) + sext(in->b, 16), OVERFLOWS)
MODEL(mulk, 32, sext(in->old, 32) * sext(in->b, 16), KEPT)
MODEL(movk, 32, sext(in->b, 16), KEPT)
MODEL(cmovk, 32, scc ? sext(in->b, 16) : old, KEPT)

/* Those that are of 32 and of 64 bits */
#define BOTH(name, expr, carry) \
	MODEL(name##_32, 32, expr, carry)
#define ALL_BOTH \
BOTH(cselect, scc ? a : b, KEPT) \
BOTH(mov, a, KEPT) \
BOTH(cmov, scc ? a : old, KEPT) \
BOTH(invert, -1 - sa, NONZERO) \
BOTH(and, a & b, NONZERO) \
BOTH(or, a + b - (a & b), NONZERO) \
BOTH(xor, a + b - 2 * (a & b), NONZERO) \
BOTH(andn2, a - (a & b), NONZERO) \
BOTH(orn2, -1 - (b - (a & b)), NONZERO) \
BOTH(nand, -1 - (a & b), NONZERO) \
BOTH(nor, -1 - (a + b - (a & b)), NONZERO) \
BOTH(xnor, -1 - (a + b - 2 * (a & b)), NONZERO) \
BOTH(lshl, a * power(b % BITS), NONZERO) \
BOTH(lshr, a / power(b % BITS), NONZERO) \
BOTH(ashr, floored(sa, power(b % BITS)), NONZERO) \
BOTH(bfm, (power(a % BITS) - 1) * power(b % BITS), KEPT) \
BOTH(wqm, quads(in->a, BITS, 4, 4), NONZERO) \
BOTH(quadmask, quads(in->a, BITS, 1, 1), NONZERO) \
BOTH(brev, reversed(in->a, BITS), KEPT) \
BOTH(bitset0, bit(in->old, a % BITS) ? old - power(a % BITS) : old, KEPT) \
BOTH(bitset1, bit(in->old, a % BITS) ? old : old + power(a % BITS), KEPT)
ALL_BOTH
#undef BOTH
#undef BITS
#define BITS 64
#define BOTH(name, expr, carry) \
	MODEL(name##_64, 64, expr, carry)
ALL_BOTH
#undef BOTH
MODEL(bfe_u64, 64, extract(in->a, 64, b % 64, b / 65536 % 128, false), NONZERO)
MODEL(bfe_i64, 64, extract(in->a, 64, b % 64, b / 65536 % 128, true), NONZERO)
MODEL(bitreplicate, 64, doubled(in->a), KEPT)

/* EXEC becomes something, and the destination what it was, or the same. */
#define EXEC_MODEL(name, expr, saved) \
static void name(const struct salu_in *in, struct salu_out *out) \
{ \
	const uint64_t a = in->a, e = in->exec, all = in->all; \
	const uint64_t r = (expr) & all; \
	\
	out->exec = r; \
	out->d = (saved); \
	out->scc = r != 0; \
}

EXEC_MODEL(and_save, a & e, e)
EXEC_MODEL(or_save, a | e, e)
EXEC_MODEL(xor_save, a ^ e, e)
EXEC_MODEL(andn2_save, a & (all - e), e)
EXEC_MODEL(orn2_save, a | (all - e), e)
EXEC_MODEL(nand_save, all - (a & e), e)
EXEC_MODEL(nor_save, all - (a | e), e)
EXEC_MODEL(xnor_save, all - (a ^ e), e)
EXEC_MODEL(andn1_save, (all - a) & e, e)
EXEC_MODEL(orn1_save, (all - a) | e, e)
EXEC_MODEL(andn1_wr, (all - a) & e, r)
EXEC_MODEL(andn2_wr, a & (all - e), r)

/* Compares leave the destination field alone. */
#define COMPARE(name, bits, expr) \
static void name(const struct salu_in *in, struct salu_out *out) \
{ \
	const wide a = in->a, b = in->b, k = in->b % 65536; \
	const wide sa = sext(in->a, bits), sb = sext(in->b, bits); \
	const wide o = in->old, so = sext(in->old, 32), sk = sext(in->b, 16); \
	\
	(void)a; (void)b; (void)k; (void)sa; (void)sb; (void)o; (void)so; (void)sk; \
	out->scc = (expr); \
}

#define RELATION(name, op) \
	COMPARE(cmp_##name##_i32, 32, sa op sb) \
	COMPARE(cmp_##name##_u32, 32, a op b) \
	COMPARE(cmpk_##name##_i32, 32, so op sk) \
	COMPARE(cmpk_##name##_u32, 32, o op k)
RELATION(eq, ==)
RELATION(lg, !=)
RELATION(gt, >)
RELATION(ge, >=)
RELATION(lt, <)
RELATION(le, <=)
COMPARE(cmp_eq_u64, 64, a == b)
COMPARE(cmp_lg_u64, 64, a != b)
COMPARE(bitcmp0_32, 32, !bit(in->a, b % 32))
COMPARE(bitcmp1_32, 32, bit(in->a, b % 32))
COMPARE(bitcmp0_64, 64, !bit(in->a, b % 64))
COMPARE(bitcmp1_64, 64, bit(in->a, b % 64))

#define W3232	1, 1, 1
#define W6464	2, 2, 2
#define ROWS(name, fn) \
	{ "s_" name "_b32", W3232, fn##_32 }, { "s_" name "_b64", W6464, fn##_64 }
#define SAVES(name, fn) \
	{ "s_" name "_b32", 1, 1, 0, fn }, { "s_" name "_b64", 2, 2, 0, fn }
#define RELATIONS(name) \
	{ "s_cmp_" #name "_i32", 0, 1, 1, cmp_##name##_i32 }, \
	{ "s_cmp_" #name "_u32", 0, 1, 1, cmp_##name##_u32 }, \
	{ "s_cmpk_" #name "_i32", 0, 0, 0, cmpk_##name##_i32 }, \
	{ "s_cmpk_" #name "_u32", 0, 0, 0, cmpk_##name##_u32 }

/* Mnemonic, dwords of the destination and of the sources, model */
const struct salu_model models_salu[] = {
	{ "s_add_u32", W3232, add_u32 }, { "s_sub_u32", W3232, sub_u32 },
	{ "s_add_i32", W3232, add_i32 }, { "s_sub_i32", W3232, sub_i32 },
	{ "s_addc_u32", W3232, addc_u32 }, { "s_subb_u32", W3232, subb_u32 },
	{ "s_min_i32", W3232, min_i32 }, { "s_min_u32", W3232, min_u32 },
	{ "s_max_i32", W3232, max_i32 }, { "s_max_u32", W3232, max_u32 },
	{ "s_mul_i32", W3232, mul_i32 }, { "s_mul_hi_u32", W3232, mul_hi_u32 },
	{ "s_mul_hi_i32", W3232, mul_hi_i32 },
	{ "s_absdiff_i32", W3232, absdiff },
	{ "s_lshl1_add_u32", W3232, lshl1_add },
	{ "s_lshl2_add_u32", W3232, lshl2_add },
	{ "s_lshl3_add_u32", W3232, lshl3_add },
	{ "s_lshl4_add_u32", W3232, lshl4_add },
	{ "s_pack_ll_b32_b16", W3232, pack_ll },
	{ "s_pack_lh_b32_b16", W3232, pack_lh },
	{ "s_pack_hh_b32_b16", W3232, pack_hh },
	ROWS("cselect", cselect), ROWS("and", and), ROWS("or", or),
	ROWS("xor", xor), ROWS("andn2", andn2), ROWS("orn2", orn2),
	ROWS("nand", nand), ROWS("nor", nor), ROWS("xnor", xnor),
	{ "s_lshl_b32", W3232, lshl_32 }, { "s_lshl_b64", 2, 2, 1, lshl_64 },
	{ "s_lshr_b32", W3232, lshr_32 }, { "s_lshr_b64", 2, 2, 1, lshr_64 },
	{ "s_ashr_i32", W3232, ashr_32 }, { "s_ashr_i64", 2, 2, 1, ashr_64 },
	{ "s_bfm_b32", W3232, bfm_32 }, { "s_bfm_b64", 2, 1, 1, bfm_64 },
	{ "s_bfe_u32", W3232, bfe_u32 }, { "s_bfe_i32", W3232, bfe_i32 },
	{ "s_bfe_u64", 2, 2, 1, bfe_u64 }, { "s_bfe_i64", 2, 2, 1, bfe_i64 },
	ROWS("mov", mov), ROWS("cmov", cmov), ROWS("not", invert),
	ROWS("wqm", wqm), ROWS("brev", brev), ROWS("quadmask", quadmask),
	{ "s_bcnt0_i32_b32", W3232, bcnt0_32 }, { "s_bcnt0_i32_b64", 1, 2, 0, bcnt0_64 },
	{ "s_bcnt1_i32_b32", W3232, bcnt1_32 }, { "s_bcnt1_i32_b64", 1, 2, 0, bcnt1_64 },
	{ "s_ff0_i32_b32", W3232, ff0_32 }, { "s_ff0_i32_b64", 1, 2, 0, ff0_64 },
	{ "s_ff1_i32_b32", W3232, ff1_32 }, { "s_ff1_i32_b64", 1, 2, 0, ff1_64 },
	{ "s_flbit_i32_b32", W3232, flbit_32 }, { "s_flbit_i32_b64", 1, 2, 0, flbit_64 },
	{ "s_flbit_i32", W3232, flbit_i32 }, { "s_flbit_i32_i64", 1, 2, 0, flbit_i64 },
	{ "s_sext_i32_i8", W3232, sext8 }, { "s_sext_i32_i16", W3232, sext16 },
	{ "s_bitset0_b32", W3232, bitset0_32 }, { "s_bitset0_b64", 2, 1, 0, bitset0_64 },
	{ "s_bitset1_b32", W3232, bitset1_32 }, { "s_bitset1_b64", 2, 1, 0, bitset1_64 },
	{ "s_abs_i32", W3232, abs32 },
	{ "s_bitreplicate_b64_b32", 2, 1, 0, bitreplicate },
	SAVES("and_saveexec", and_save), SAVES("or_saveexec", or_save),
	SAVES("xor_saveexec", xor_save), SAVES("andn2_saveexec", andn2_save),
	SAVES("orn2_saveexec", orn2_save), SAVES("nand_saveexec", nand_save),
	SAVES("nor_saveexec", nor_save), SAVES("xnor_saveexec", xnor_save),
	SAVES("andn1_saveexec", andn1_save), SAVES("orn1_saveexec", orn1_save),
	SAVES("andn1_wrexec", andn1_wr), SAVES("andn2_wrexec", andn2_wr),
	RELATIONS(eq), RELATIONS(lg), RELATIONS(gt), RELATIONS(ge),
	RELATIONS(lt), RELATIONS(le),
	{ "s_cmp_eq_u64", 0, 2, 2, cmp_eq_u64 },
	{ "s_cmp_lg_u64", 0, 2, 2, cmp_lg_u64 },
	{ "s_bitcmp0_b32", 0, 1, 1, bitcmp0_32 },
	{ "s_bitcmp1_b32", 0, 1, 1, bitcmp1_32 },
	{ "s_bitcmp0_b64", 0, 2, 1, bitcmp0_64 },
	{ "s_bitcmp1_b64", 0, 2, 1, bitcmp1_64 },
	{ "s_movk_i32", 1, 0, 0, movk }, { "s_cmovk_i32", 1, 0, 0, cmovk },
	{ "s_addk_i32", 1, 0, 0, addk }, { "s_mulk_i32", 1, 0, 0, mulk },
};

const size_t num_models_salu = sizeof(models_salu) / sizeof(models_salu[0]);

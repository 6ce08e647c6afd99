// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Models of integers: computed exactly, with 128 bits, then truncated or limited. Semantics:
 * "RDNA 2" Instruction Set Architecture, AMD 2020, chapter 12 (VOP2, VOP3, VOP3P).
 */
#include "models.h"

typedef __int128 wide;

/* Field @n of @bits bits of an operand */
static wide field(const uint32_t *v, unsigned int bits, unsigned int n,
		  bool is_signed)
{
	unsigned int at = bits * n, k;
	wide r = 0;

	for (k = 0; k < bits; k++)
		if (v[(at + k) / 32] >> (at + k) % 32 & 1)
			r += (wide)1 << k;
	if (is_signed && r >> (bits - 1))
		r -= (wide)1 << bits;
	return r;
}

static void put(uint32_t *out, unsigned int bits, unsigned int n, wide v,
		bool is_signed, bool clamp)
{
	wide max = ((wide)1 << (bits - is_signed)) - 1;
	wide min = is_signed ? -max - 1 : 0;
	unsigned int at = bits * n, k;

	if (clamp && v > max)
		v = max;
	if (clamp && v < min)
		v = min;
	for (k = 0; k < bits; k++) {
		out[(at + k) / 32] &= ~(1U << (at + k) % 32);
		if (v >> k & 1)
			out[(at + k) / 32] |= 1U << (at + k) % 32;
	}
}

static wide distance(wide a, wide b)
{
	return a > b ? a - b : b - a;
}

static wide lower(wide a, wide b)
{
	return a < b ? a : b;
}

static wide upper(wide a, wide b)
{
	return a > b ? a : b;
}

/* The one that is neither the least nor the greatest: the sum without both. */
static wide middle(wide a, wide b, wide c)
{
	return a + b + c - lower(a, lower(b, c)) - upper(a, upper(b, c));
}

/* Each of the fields of BITS bits: x, y, z */
#define EACH(name, bits, count, is_signed, expr) \
static void name(const struct model_in *in, uint32_t *out) \
{ \
	unsigned int n; \
	\
	for (n = 0; n < (count); n++) { \
		wide x = field(in->src[0], bits, n, is_signed); \
		wide y = field(in->src[1], bits, n, is_signed); \
		wide z = field(in->src[2], bits, n, is_signed); \
	\
		(void)x; (void)y; (void)z; \
		put(out, bits, n, expr, is_signed, in->clamp); \
	} \
}

EACH(pk_add_i, 16, 2, true, x + y)
EACH(pk_sub_i, 16, 2, true, x - y)
EACH(pk_mad_i, 16, 2, true, x * y + z)
EACH(pk_min_i, 16, 2, true, lower(x, y))
EACH(pk_max_i, 16, 2, true, upper(x, y))
EACH(pk_add_u, 16, 2, false, x + y)
EACH(pk_sub_u, 16, 2, false, x - y)
EACH(pk_mad_u, 16, 2, false, x * y + z)
EACH(pk_min_u, 16, 2, false, lower(x, y))
EACH(pk_max_u, 16, 2, false, upper(x, y))
EACH(pk_mul, 16, 2, false, x * y)
EACH(pk_shl, 16, 2, false, y << (x % 16))
EACH(pk_shr, 16, 2, false, y >> (x % 16))
EACH(pk_sar, 16, 2, true, y >> (x & 15))

EACH(add16_i, 16, 1, true, x + y)
EACH(sub16_i, 16, 1, true, x - y)
EACH(mad16_i, 16, 1, true, x * y + z)
EACH(add16_u, 16, 1, false, x + y)
EACH(sub16_u, 16, 1, false, x - y)
EACH(mad16_u, 16, 1, false, x * y + z)
EACH(mul16, 16, 1, false, x * y)
EACH(shl16, 16, 1, false, y << (x % 16))
EACH(shr16, 16, 1, false, y >> (x % 16))
EACH(sar16, 16, 1, true, y >> (x & 15))
EACH(min16_i, 16, 1, true, lower(x, y))
EACH(max16_i, 16, 1, true, upper(x, y))
EACH(min16_u, 16, 1, false, lower(x, y))
EACH(max16_u, 16, 1, false, upper(x, y))
EACH(min3_16_i, 16, 1, true, lower(lower(x, y), z))
EACH(max3_16_i, 16, 1, true, upper(upper(x, y), z))
EACH(med3_16_i, 16, 1, true, middle(x, y, z))
EACH(min3_16_u, 16, 1, false, lower(lower(x, y), z))
EACH(max3_16_u, 16, 1, false, upper(upper(x, y), z))
EACH(med3_16_u, 16, 1, false, middle(x, y, z))

EACH(add32_u, 32, 1, false, x + y)
EACH(sub32_u, 32, 1, false, x - y)
EACH(subrev32_u, 32, 1, false, y - x)
EACH(add32_i, 32, 1, true, x + y)
EACH(sub32_i, 32, 1, true, x - y)
EACH(add3, 32, 1, false, x + y + z)
EACH(mul_lo, 32, 1, false, x * y)
EACH(mul_hi_u, 32, 1, false, (x * y) >> 32)
EACH(mul_hi_i, 32, 1, true, (x * y) >> 32)
EACH(min32_i, 32, 1, true, lower(x, y))
EACH(max32_i, 32, 1, true, upper(x, y))
EACH(min32_u, 32, 1, false, lower(x, y))
EACH(max32_u, 32, 1, false, upper(x, y))
EACH(min3_i, 32, 1, true, lower(lower(x, y), z))
EACH(max3_i, 32, 1, true, upper(upper(x, y), z))
EACH(med3_i, 32, 1, true, middle(x, y, z))
EACH(min3_u, 32, 1, false, lower(lower(x, y), z))
EACH(max3_u, 32, 1, false, upper(upper(x, y), z))
EACH(med3_u, 32, 1, false, middle(x, y, z))
EACH(sad32, 32, 1, false, distance(x, y) + z)
EACH(lshl_add, 32, 1, false, (x << (y % 32)) + z)
EACH(add_lshl, 32, 1, false, (x + y) << (z % 32))
EACH(xad, 32, 1, false, (x ^ y) + z)
EACH(bfe_u, 32, 1, false, (x >> (y % 32)) % ((wide)1 << (z % 32)))
EACH(bfi, 32, 1, false, (x & y) | (~x & z))
EACH(invert, 32, 1, false, ~x)
EACH(and32, 32, 1, false, x & y)
EACH(or32, 32, 1, false, x | y)
EACH(xor32, 32, 1, false, x ^ y)
EACH(xnor32, 32, 1, false, ~(x ^ y))
EACH(and_or, 32, 1, false, (x & y) | z)
EACH(or3, 32, 1, false, x | y | z)
EACH(lshl_or, 32, 1, false, (x << (y % 32)) | z)
EACH(xor3, 32, 1, false, x ^ y ^ z)
EACH(shl32, 32, 1, false, y << (x % 32))
EACH(shr32, 32, 1, false, y >> (x % 32))
EACH(sar32, 32, 1, true, y >> (x & 31))
EACH(alignbit, 32, 1, false, ((x << 32) + y) >> (z % 32))
EACH(alignbyte, 32, 1, false, ((x << 32) + y) >> (z % 4 * 8))
EACH(lerp, 8, 4, false, (x + y + (z & 1)) >> 1)

/* The product of 24 bits of each, or what is above its lower 32 bits */
#define PRODUCT24(name, is_signed, by) \
static void name(const struct model_in *in, uint32_t *out) \
{ \
	put(out, 32, 0, (field(in->src[0], 24, 0, is_signed) * \
			 field(in->src[1], 24, 0, is_signed)) >> (by), \
	    is_signed, false); \
}

PRODUCT24(mul_u24, false, 0)
PRODUCT24(mul_i24, true, 0)
PRODUCT24(mul_hi_u24, false, 32)
PRODUCT24(mul_hi_i24, true, 32)

/* Of 64 bits, by as many as the six lowest bits of the first source say */
#define SHIFT64(name, is_signed, op) \
static void name(const struct model_in *in, uint32_t *out) \
{ \
	put(out, 64, 0, field(in->src[1], 64, 0, is_signed) op \
	    (in->src[0][0] % 64), is_signed, false); \
}

SHIFT64(shl64, false, <<)
SHIFT64(shr64, false, >>)
SHIFT64(sar64, true, >>)

static unsigned int bit(uint32_t v, unsigned int n)
{
	return v >> n & 1;
}

static void reverse(const struct model_in *in, uint32_t *out)
{
	unsigned int n;

	out[0] = 0;
	for (n = 0; n < 32; n++)
		out[0] |= bit(in->src[0][0], n) << (31 - n);
}

static void bit_count(const struct model_in *in, uint32_t *out)
{
	unsigned int n;

	out[0] = in->src[1][0];
	for (n = 0; n < 32; n++)
		out[0] += bit(in->src[0][0], n);
}

/* The first bit that is @what, from below or from above; none: all ones */
static uint32_t first_bit(uint32_t v, unsigned int what, bool above)
{
	unsigned int n;

	for (n = 0; n < 32; n++) {
		if (bit(v, above ? 31 - n : n) == what)
			return n;
	}
	return ~0U;
}

static void ffbh_u(const struct model_in *in, uint32_t *out)
{
	out[0] = first_bit(in->src[0][0], 1, true);
}

static void ffbl(const struct model_in *in, uint32_t *out)
{
	out[0] = first_bit(in->src[0][0], 1, false);
}

static void ffbh_i(const struct model_in *in, uint32_t *out)
{
	out[0] = first_bit(in->src[0][0], !bit(in->src[0][0], 31), true);
}

/* Each byte of the third picks one of the others' eight, a sign, 0 or 255. */
static void perm(const struct model_in *in, uint32_t *out)
{
	uint32_t both[2] = { in->src[1][0], in->src[0][0] };
	unsigned int n;

	for (n = 0; n < 4; n++) {
		unsigned int sel = (unsigned int)field(in->src[2], 8, n, false);
		wide v = sel == 12 ? 0 : 255;

		if (sel < 8)
			v = field(both, 8, sel, false);
		else if (sel < 12)
			v = field(both, 16, sel - 8, true) < 0 ? 255 : 0;
		put(out, 8, n, v, false, false);
	}
}

static void cvt_pk(const struct model_in *in, uint32_t *out, bool is_signed)
{
	put(out, 16, 0, field(in->src[0], 32, 0, is_signed), is_signed, true);
	put(out, 16, 1, field(in->src[1], 32, 0, is_signed), is_signed, true);
}

static void cvt_pk_u(const struct model_in *in, uint32_t *out)
{
	cvt_pk(in, out, false);
}

static void cvt_pk_i(const struct model_in *in, uint32_t *out)
{
	cvt_pk(in, out, true);
}

static void bfe_i(const struct model_in *in, uint32_t *out)
{
	unsigned int at = in->src[1][0] % 32, bits = in->src[2][0] % 32;
	uint32_t longer[2] = { in->src[0][0],
			       in->src[0][0] >> 31 ? ~0U : 0 };
	unsigned int k;

	/* The field may reach beyond the source, where its sign is. */
	out[0] = 0;
	for (k = 0; bits && k < 32; k++) {
		unsigned int from = at + (k < bits ? k : bits - 1);

		out[0] |= (longer[from / 32] >> from % 32 & 1) << k;
	}
}

/* Products of fields of the first two, which are added to the third. */
static void multiply_add(const struct model_in *in, uint32_t *out,
			 unsigned int bits, unsigned int count, bool is_signed)
{
	wide sum = field(in->src[2], 32, 0, is_signed);
	unsigned int n;

	for (n = 0; n < count; n++)
		sum += field(in->src[0], bits, n, is_signed) *
		       field(in->src[1], bits, n, is_signed);
	put(out, 32, 0, sum, is_signed, in->clamp);
}

#define MULTIPLY_ADD(name, bits, count, is_signed) \
static void name(const struct model_in *in, uint32_t *out) \
{ \
	multiply_add(in, out, bits, count, is_signed); \
}

MULTIPLY_ADD(dot2_i, 16, 2, true)
MULTIPLY_ADD(dot2_u, 16, 2, false)
MULTIPLY_ADD(dot4_i, 8, 4, true)
MULTIPLY_ADD(dot4_u, 8, 4, false)
MULTIPLY_ADD(dot8_i, 4, 8, true)
MULTIPLY_ADD(dot8_u, 4, 8, false)
MULTIPLY_ADD(mad_u24, 24, 1, false)
MULTIPLY_ADD(mad_i24, 24, 1, true)
MULTIPLY_ADD(mad_u32_u16, 16, 1, false)
MULTIPLY_ADD(mad_i32_i16, 16, 1, true)

/* Of bytes @from to @from + 3 of the first and all of the second */
static wide sad(const struct model_in *in, unsigned int from, bool masked)
{
	wide sum = 0;
	unsigned int n;

	for (n = 0; n < 4; n++) {
		wide y = field(in->src[1], 8, n, false);

		if (y || !masked)
			sum += distance(field(in->src[0], 8, from + n, false),
					y);
	}
	return sum;
}

static wide words(const struct model_in *in, unsigned int n)
{
	return distance(field(in->src[0], 16, n, false),
			field(in->src[1], 16, n, false));
}

#define SAD(name, count, bits, expr) \
static void name(const struct model_in *in, uint32_t *out) \
{ \
	unsigned int n; \
	\
	for (n = 0; n < (count); n++) \
		put(out, bits, n, (expr) + field(in->src[2], bits, n, false), \
		    false, in->clamp); \
}

SAD(sad_u8, 1, 32, sad(in, 0, false))
SAD(sad_hi_u8, 1, 32, sad(in, 0, false) << 16)
SAD(sad_u16, 1, 32, words(in, 0) + words(in, 1))
SAD(msad_u8, 1, 32, sad(in, 0, true))
SAD(qsad, 4, 16, sad(in, n, false))
SAD(mqsad, 4, 16, sad(in, n, true))
SAD(mqsad32, 4, 32, sad(in, n, true))

static void sat_pk(const struct model_in *in, uint32_t *out)
{
	unsigned int n;

	out[0] = 0;
	for (n = 0; n < 2; n++)
		put(out, 8, n, field(in->src[0], 16, n, true), false, true);
}

#define ONE	1, { 1, 1, 0 }, EDGES_INT
#define SINGLE	1, { 1, 0, 0 }, EDGES_INT
#define THREE	1, { 1, 1, 1 }, EDGES_INT

const struct model models_int[] = {
	{ "v_pk_add_i16", ONE, true, .fn = pk_add_i },
	{ "v_pk_sub_i16", ONE, true, .fn = pk_sub_i },
	{ "v_pk_mad_i16", THREE, true, .fn = pk_mad_i },
	{ "v_pk_min_i16", ONE, true, .fn = pk_min_i },
	{ "v_pk_max_i16", ONE, true, .fn = pk_max_i },
	{ "v_pk_add_u16", ONE, true, .fn = pk_add_u },
	{ "v_pk_sub_u16", ONE, true, .fn = pk_sub_u },
	{ "v_pk_mad_u16", THREE, true, .fn = pk_mad_u },
	{ "v_pk_min_u16", ONE, true, .fn = pk_min_u },
	{ "v_pk_max_u16", ONE, true, .fn = pk_max_u },
	{ "v_pk_mul_lo_u16", ONE, .fn = pk_mul },
	{ "v_pk_lshlrev_b16", ONE, .fn = pk_shl },
	{ "v_pk_lshrrev_b16", ONE, .fn = pk_shr },
	{ "v_pk_ashrrev_i16", ONE, .fn = pk_sar },
	{ "v_dot2_i32_i16", THREE, true, .fn = dot2_i },
	{ "v_dot2_u32_u16", THREE, true, .fn = dot2_u },
	{ "v_dot4_i32_i8", THREE, true, .fn = dot4_i },
	{ "v_dot4_u32_u8", THREE, true, .fn = dot4_u },
	{ "v_dot8_i32_i4", THREE, true, .fn = dot8_i },
	{ "v_dot8_u32_u4", THREE, true, .fn = dot8_u },
	{ "v_mad_u32_u24", THREE, true, .fn = mad_u24 },
	{ "v_mad_i32_i24", THREE, true, .fn = mad_i24 },
	{ "v_mad_u32_u16", THREE, true, .fn = mad_u32_u16 },
	{ "v_mad_i32_i16", THREE, true, .fn = mad_i32_i16 },
	{ "v_sad_u8", THREE, true, .fn = sad_u8 },
	{ "v_sad_hi_u8", THREE, true, .fn = sad_hi_u8 },
	{ "v_sad_u16", THREE, true, .fn = sad_u16 },
	{ "v_sad_u32", THREE, true, .fn = sad32 },
	{ "v_msad_u8", THREE, true, .fn = msad_u8 },
	{ "v_qsad_pk_u16_u8", 2, { 2, 1, 2 }, EDGES_INT, true, .fn = qsad },
	{ "v_mqsad_pk_u16_u8", 2, { 2, 1, 2 }, EDGES_INT, true, .fn = mqsad },
	{ "v_mqsad_u32_u8", 4, { 2, 1, 4 }, EDGES_INT, true, .fn = mqsad32 },
	{ "v_lerp_u8", THREE, .fn = lerp },
	{ "v_sat_pk_u8_i16", 1, { 1, 0, 0 }, EDGES_INT, .fn = sat_pk },
	{ "v_add_nc_u16", ONE, true, true, .fn = add16_u },
	{ "v_sub_nc_u16", ONE, true, true, .fn = sub16_u },
	{ "v_add_nc_i16", ONE, true, true, .fn = add16_i },
	{ "v_sub_nc_i16", ONE, true, true, .fn = sub16_i },
	{ "v_mad_u16", THREE, true, true, .fn = mad16_u },
	{ "v_mad_i16", THREE, true, true, .fn = mad16_i },
	{ "v_mul_lo_u16", ONE, false, true, .fn = mul16 },
	{ "v_lshlrev_b16", ONE, false, true, .fn = shl16 },
	{ "v_lshrrev_b16", ONE, false, true, .fn = shr16 },
	{ "v_ashrrev_i16", ONE, false, true, .fn = sar16 },
	{ "v_min_i16", ONE, false, true, .fn = min16_i },
	{ "v_max_i16", ONE, false, true, .fn = max16_i },
	{ "v_min_u16", ONE, false, true, .fn = min16_u },
	{ "v_max_u16", ONE, false, true, .fn = max16_u },
	{ "v_min3_i16", THREE, true, true, .fn = min3_16_i },
	{ "v_max3_i16", THREE, true, true, .fn = max3_16_i },
	{ "v_med3_i16", THREE, true, true, .fn = med3_16_i },
	{ "v_min3_u16", THREE, true, true, .fn = min3_16_u },
	{ "v_max3_u16", THREE, true, true, .fn = max3_16_u },
	{ "v_med3_u16", THREE, true, true, .fn = med3_16_u },
	{ "v_add_nc_u32", ONE, true, .fn = add32_u },
	{ "v_sub_nc_u32", ONE, true, .fn = sub32_u },
	{ "v_subrev_nc_u32", ONE, true, .fn = subrev32_u },
	{ "v_add_nc_i32", ONE, true, .fn = add32_i },
	{ "v_sub_nc_i32", ONE, true, .fn = sub32_i },
	{ "v_add3_u32", THREE, .fn = add3 },
	{ "v_mul_lo_u32", ONE, .fn = mul_lo },
	{ "v_mul_hi_u32", ONE, .fn = mul_hi_u },
	{ "v_mul_hi_i32", ONE, .fn = mul_hi_i },
	{ "v_min_i32", ONE, .fn = min32_i },
	{ "v_max_i32", ONE, .fn = max32_i },
	{ "v_min_u32", ONE, .fn = min32_u },
	{ "v_max_u32", ONE, .fn = max32_u },
	{ "v_min3_i32", THREE, .fn = min3_i },
	{ "v_max3_i32", THREE, .fn = max3_i },
	{ "v_med3_i32", THREE, .fn = med3_i },
	{ "v_min3_u32", THREE, .fn = min3_u },
	{ "v_max3_u32", THREE, .fn = max3_u },
	{ "v_med3_u32", THREE, .fn = med3_u },
	{ "v_lshl_add_u32", THREE, .fn = lshl_add },
	{ "v_add_lshl_u32", THREE, .fn = add_lshl },
	{ "v_xad_u32", THREE, .fn = xad },
	{ "v_bfe_u32", THREE, .fn = bfe_u },
	{ "v_bfe_i32", THREE, .fn = bfe_i },
	{ "v_bfi_b32", THREE, .fn = bfi },
	{ "v_not_b32", SINGLE, .fn = invert },
	{ "v_and_b32", ONE, .fn = and32 },
	{ "v_or_b32", ONE, .fn = or32 },
	{ "v_xor_b32", ONE, .fn = xor32 },
	{ "v_xnor_b32", ONE, .fn = xnor32 },
	{ "v_and_or_b32", THREE, .fn = and_or },
	{ "v_or3_b32", THREE, .fn = or3 },
	{ "v_xor3_b32", THREE, .fn = xor3 },
	{ "v_lshl_or_b32", THREE, .fn = lshl_or },
	{ "v_lshlrev_b32", ONE, .fn = shl32 },
	{ "v_lshrrev_b32", ONE, .fn = shr32 },
	{ "v_ashrrev_i32", ONE, .fn = sar32 },
	{ "v_lshlrev_b64", 2, { 1, 2, 0 }, EDGES_INT, .fn = shl64 },
	{ "v_lshrrev_b64", 2, { 1, 2, 0 }, EDGES_INT, .fn = shr64 },
	{ "v_ashrrev_i64", 2, { 1, 2, 0 }, EDGES_INT, .fn = sar64 },
	{ "v_mul_u32_u24", ONE, .fn = mul_u24 },
	{ "v_mul_i32_i24", ONE, .fn = mul_i24 },
	{ "v_mul_hi_u32_u24", ONE, .fn = mul_hi_u24 },
	{ "v_mul_hi_i32_i24", ONE, .fn = mul_hi_i24 },
	{ "v_bfrev_b32", SINGLE, .fn = reverse },
	{ "v_bcnt_u32_b32", ONE, .fn = bit_count },
	{ "v_ffbh_u32", SINGLE, .fn = ffbh_u },
	{ "v_ffbl_b32", SINGLE, .fn = ffbl },
	{ "v_ffbh_i32", SINGLE, .fn = ffbh_i },
	{ "v_alignbit_b32", THREE, .fn = alignbit },
	{ "v_alignbyte_b32", THREE, .fn = alignbyte },
	{ "v_perm_b32", THREE, .fn = perm },
	{ "v_cvt_pk_u16_u32", ONE, .fn = cvt_pk_u },
	{ "v_cvt_pk_i16_i32", ONE, .fn = cvt_pk_i },
};

const size_t num_models_int = sizeof(models_int) / sizeof(models_int[0]);

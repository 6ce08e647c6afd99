/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of vector and scalar instructions that are not operators of C: bit fields, IEEE
 * 754 minimum and maximum, conversions that saturate, half precision, steps of divisions.
 */
#ifndef VGPU_ISA_FMATH_H
#define VGPU_ISA_FMATH_H

#include <float.h>
#include <math.h>
#include <string.h>

#include "isa/internal.h"
#include "regs/quirks.h"

#define MIN2(a, b) ((a) < (b) ? (a) : (b))
#define MAX2(a, b) ((a) > (b) ? (a) : (b))
#define SAT16(a) ((a) < -32768 ? -32768 : (a) > 32767 ? 32767 : (a))
#define SEXT24(a) ((s32)((u32)(a) << 8) >> 8)

static inline float vgpu_as_f32(u32 v)
{
	float f;

	memcpy(&f, &v, 4);
	return f;
}

static inline u32 vgpu_of_f32(float f)
{
	u32 v;

	memcpy(&v, &f, 4);
	return v;
}

static inline double vgpu_as_f64(u64 v)
{
	double f;

	memcpy(&f, &v, 8);
	return f;
}

static inline u64 vgpu_of_f64(double f)
{
	u64 v;

	memcpy(&v, &f, 8);
	return v;
}

/* Bits */

static inline u64 vgpu_bfe_u64(u64 v, unsigned int off, unsigned int width)
{
	v >>= off;
	return width < 64 ? v & (BIT_ULL(width) - 1) : v;
}

/* @size: number of bits of the source, beyond which the field is sign-extended. */
static inline s64 vgpu_bfe_i64(s64 v, unsigned int off, unsigned int width,
			       unsigned int size)
{
	if (!width)
		return 0;
	if (width > size - off)
		return v >> off;
	return (s64)((u64)v >> off << (64 - width)) >> (64 - width);
}

/* V_BFE_I32: the width has five bits; with a width of 0 the result is 0. */
static inline s32 vgpu_bfe_i32(s32 v, unsigned int off, unsigned int width)
{
	s32 field = (s32)((u32)v >> off << ((32 - width) & 31)) >>
		    ((32 - width) & 31);

	return !width ? 0 : width > 32 - off ? v >> off : field;
}

static inline u32 vgpu_brev32(u32 v)
{
	v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
	v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
	v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
	return __builtin_bswap32(v);
}

static inline u32 vgpu_popcount32(u32 v)
{
	v -= v >> 1 & 0x55555555;
	v = (v & 0x33333333) + (v >> 2 & 0x33333333);
	return ((v + (v >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

/* Set bit 4n if any of bits 4n..4n+3 is set. */
static inline u64 vgpu_quads(u64 v)
{
	v |= v >> 1;
	v |= v >> 2;
	return v & 0x1111111111111111ULL;
}

/* Set bit n if any of bits 4n..4n+3 is set. */
static inline u64 vgpu_quadmask(u64 v)
{
	u64 r = 0;
	unsigned int n;

	v = vgpu_quads(v);
	for (n = 0; n < 16; n++)
		r |= (v >> 4 * n & 1) << n;
	return r;
}

/* Move each bit n to bit 2n. */
static inline u64 vgpu_spread(u32 v)
{
	u64 r = 0;
	unsigned int n;

	for (n = 0; n < 32; n++)
		r |= (u64)(v >> n & 1) << 2 * n;
	return r;
}

/* V_PERM_B32: each byte of @sel selects one of eight bytes, the sign of a word, 0 or 0xff. */
static inline u32 vgpu_perm(u32 a, u32 b, u32 sel)
{
	u64 bytes = make_64(a, b);
	u32 r = 0;
	unsigned int n;

	for (n = 0; n < 4; n++) {
		u32 s = sel >> 8 * n & 255;
		u32 v;

		if (s < 8)
			v = bytes >> 8 * s & 255;
		else if (s < 12)	/* sign of word s - 8 */
			v = bytes >> (16 * (s - 8) + 15) & 1 ? 255 : 0;
		else
			v = s == 12 ? 0 : 255;
		r |= v << 8 * n;
	}
	return r;
}

/* Minimum and maximum: IEEE 754-2008 minNum/maxNum, with -0 below +0 */

static inline bool vgpu_is_snan_f32(float f)
{
	u32 v = vgpu_of_f32(f);

	return (v & 0x7fffffff) > 0x7f800000 && !(v & 0x00400000);
}

/* Replace a denormal by zero, if @flush. */
static inline float vgpu_flush_f32(bool flush, float f)
{
	u32 v = vgpu_of_f32(f);

	if (flush && !(v & 0x7f800000))
		v &= 0x80000000;
	return vgpu_as_f32(v);
}

static inline double vgpu_flush_f64(bool flush, double f)
{
	u64 v = vgpu_of_f64(f);

	if (flush && !(v & 0x7ff0000000000000ULL))
		v &= BIT_ULL(63);
	return vgpu_as_f64(v);
}

/* The result is one of the sources, so the mode for sources says whether it is flushed. */
static inline float vgpu_minmax_f32(const struct vgpu_isa_state *c, float a,
				    float b, bool max)
{
	u32 ua = vgpu_of_f32(vgpu_flush_f32(c->daz32, a));
	u32 ub = vgpu_of_f32(vgpu_flush_f32(c->daz32, b));
	u32 r = (max ? a > b : a < b) ? ua : ub;
	bool nan_a = a != a, nan_b = b != b;

	if (a == b)
		r = max ? ua & ub : ua | ub;
	r = nan_b ? ua : r;
	r = nan_a ? ub : r;
	r = nan_a && nan_b ? ua | 0x00400000 : r;
	if (c->ieee) {
		r = vgpu_is_snan_f32(b) ? ub | 0x00400000 : r;
		r = vgpu_is_snan_f32(a) ? ua | 0x00400000 : r;
	}
	return vgpu_as_f32(r);
}

static inline float vgpu_min_f32(const struct vgpu_isa_state *c, float a,
				 float b)
{
	return vgpu_minmax_f32(c, a, b, false);
}

static inline float vgpu_max_f32(const struct vgpu_isa_state *c, float a,
				 float b)
{
	return vgpu_minmax_f32(c, a, b, true);
}

static inline float vgpu_med3_f32(const struct vgpu_isa_state *c, float a,
				  float b, float s)
{
	float lo = vgpu_min_f32(c, a, b);
	float hi = vgpu_max_f32(c, a, b);

	/* If a source is a NaN, the result is the minimum (RDNA 2 ISA, V_MED3_F32). */
	if (a != a || b != b || s != s)
		return vgpu_min_f32(c, lo, s);
	return vgpu_max_f32(c, lo, vgpu_min_f32(c, hi, s));
}

static inline bool vgpu_is_snan_f64(double f)
{
	u64 v = vgpu_of_f64(f);

	return (v & ~BIT_ULL(63)) > 0x7ff0000000000000ULL && !(v & BIT_ULL(51));
}

static inline double vgpu_minmax_f64(const struct vgpu_isa_state *c, double a,
				     double b, bool max)
{
	u64 ua = vgpu_of_f64(vgpu_flush_f64(c->daz64, a));
	u64 ub = vgpu_of_f64(vgpu_flush_f64(c->daz64, b));
	u64 r = (max ? a > b : a < b) ? ua : ub;

	if (a == b)
		r = max ? ua & ub : ua | ub;
	if (b != b)
		r = ua;
	if (a != a)
		r = ub;
	if (a != a && b != b)
		r = ua | BIT_ULL(51);
	if (c->ieee && vgpu_is_snan_f64(b))
		r = ub | BIT_ULL(51);
	if (c->ieee && vgpu_is_snan_f64(a))
		r = ua | BIT_ULL(51);
	return vgpu_as_f64(r);
}

static inline double vgpu_min_f64(const struct vgpu_isa_state *c, double a,
				  double b)
{
	return vgpu_minmax_f64(c, a, b, false);
}

static inline double vgpu_max_f64(const struct vgpu_isa_state *c, double a,
				  double b)
{
	return vgpu_minmax_f64(c, a, b, true);
}

/* Conversions to integers: toward zero, saturating, 0 for NaN */

static inline s32 vgpu_cvt_i32(double v)
{
	if (v != v)
		return 0;
	if (v <= -2147483648.0)
		return INT32_MIN;
	if (v >= 2147483647.0)
		return INT32_MAX;
	return (s32)v;
}

static inline u32 vgpu_cvt_u32(double v)
{
	if (!(v > 0))
		return 0;
	if (v >= 4294967295.0)
		return UINT32_MAX;
	return (u32)v;
}

/*
 * Transcendental functions flush denormal sources and results (LLVM 19,
 * AMDGPUCodeGenPrepare.cpp: "v_rcp_f32 and v_rsq_f32 do not support denormals";
 * SITargetLowering::lowerFSQRTF32() and AMDGPUTargetLowering::LowerFLOG2() avoid them by
 * scaling).
 */

static inline float vgpu_rcp_f32(float a)
{
	return vgpu_flush_f32(true, 1.0f / vgpu_flush_f32(true, a));
}

static inline float vgpu_rsq_f32(float a)
{
	return (float)(1.0 / __builtin_sqrt(vgpu_flush_f32(true, a)));
}

static inline float vgpu_sqrt_f32(float a)
{
	return __builtin_sqrtf(vgpu_flush_f32(true, a));
}

static inline float vgpu_exp2_f32(float a)
{
	return vgpu_flush_f32(true, (float)exp2((double)a));
}

static inline float vgpu_log2_f32(float a)
{
	return (float)log2((double)vgpu_flush_f32(true, a));
}

/*
 * Sine and cosine of an angle in revolutions, for any argument. The difference to the
 * nearest quarter is computed exactly, so results for multiples of a quarter are exact, with
 * the signs of sinPi and cosPi (IEEE 754-2019, 9.2), independent of MODE.FP_ROUND.
 */
static inline double vgpu_sin_quarters(double a, int quarters)
{
	double turn = fmod(a, 1.0), n = __builtin_roundeven(turn * 4);
	double x = (turn - n / 4) * 2 * M_PI, r;

	quarters += (int)n;
	r = quarters & 1 ? cos(x) : sin(x);
	if (r == 0)
		return 0;
	return quarters & 2 ? -r : r;
}

static inline double vgpu_sin_turns(double a)
{
	double r;

	if (isnan(a) || isinf(a))
		return NAN;
	r = vgpu_sin_quarters(a, 0);
	return r == 0 ? copysign(r, a) : r;
}

static inline double vgpu_cos_turns(double a)
{
	if (isnan(a) || isinf(a))
		return NAN;
	return vgpu_sin_quarters(a, 1);
}

/* Flush @a here: the compiler may convert it to double by code that does not use MODE. */
static inline float vgpu_sin_f32(const struct vgpu_isa_state *c, float a)
{
	return (float)vgpu_sin_turns((double)vgpu_flush_f32(c->daz32, a));
}

static inline float vgpu_cos_f32(float a)
{
	return (float)vgpu_cos_turns((double)a);
}

/*
 * A result of zero has the sign of @a (IEEE 754-2008, 6.3). Without SSE 4.1, the compiler's
 * code for floor() returns -0 if rounding is downward.
 */
static inline float vgpu_floor_f32(float a)
{
	return __builtin_copysignf(__builtin_floorf(a), a);
}

static inline double vgpu_floor_f64(double a)
{
	return __builtin_copysign(__builtin_floor(a), a);
}

static inline float vgpu_fract_f32(float a)
{
	float r = a - vgpu_floor_f32(a);

	return r >= 1.0f ? 1 - FLT_EPSILON / 2 : r;
}

static inline double vgpu_fract_f64(double a)
{
	double r = a - vgpu_floor_f64(a);

	return r >= 1.0 ? 1 - DBL_EPSILON / 2 : r;
}

static inline float vgpu_ldexp_f32(float a, s32 e)
{
	return ldexpf(a, e);
}

static inline double vgpu_ldexp_f64(double a, s32 e)
{
	return ldexp(a, e);
}

/* libm's functions work on the bits of a float, so flush denormals before. */

static inline s32 vgpu_frexp_exp_f32(const struct vgpu_isa_state *c, float a)
{
	int e = 0;

	if (isfinite(a))
		frexpf(vgpu_flush_f32(c->daz32, a), &e);
	return e;
}

static inline s32 vgpu_frexp_exp_f64(const struct vgpu_isa_state *c, double a)
{
	int e = 0;

	if (isfinite(a))
		frexp(vgpu_flush_f64(c->daz64, a), &e);
	return e;
}

static inline float vgpu_frexp_mant_f32(const struct vgpu_isa_state *c,
					float a)
{
	int e;

	return isfinite(a) ? frexpf(vgpu_flush_f32(c->daz32, a), &e) : a;
}

static inline double vgpu_frexp_mant_f64(const struct vgpu_isa_state *c,
					 double a)
{
	int e;

	return isfinite(a) ? frexp(vgpu_flush_f64(c->daz64, a), &e) : a;
}

/* Half precision */

/* Convert to double. A NaN keeps its sign and payload, and stays signalling or quiet. */
static inline double vgpu_f16_value(u32 v)
{
	u32 e = v >> 10 & 31, m = v & 1023;
	double r;

	if (e == 31)
		r = vgpu_as_f64(0x7ff0000000000000ULL | (u64)m << 42);
	else if (e)
		r = ldexp(1024 + m, (int)e - 25);
	else
		r = ldexp(m, -24);
	return vgpu_as_f64(vgpu_of_f64(r) | (u64)(v & 0x8000) << 48);
}

/*
 * Round to half precision. @round: as in MODE.FP_ROUND: 0 nearest even, 1 up, 2 down, 3
 * toward zero. @clamp: the result of an overflow is the largest number (MODE.FP16_OVFL).
 */
static inline u32 vgpu_f16_round(double v, unsigned int round, bool clamp)
{
	u64 bits = vgpu_of_f64(v);
	u32 sign = bits >> 48 & 0x8000;
	double a = fabs(v), scaled, whole, rest;
	int e;
	u32 m;

	if (v != v)	/* keep as much of the payload as fits */
		return sign | 0x7e00 | (bits >> 42 & 0x1ff);
	if (isinf(v))
		return sign | 0x7c00;
	if (a == 0)
		return sign;
	frexp(a, &e);
	if (e < -13)
		e = -13;
	/* In units of the last place */
	scaled = ldexp(a, 11 - e);
	whole = __builtin_floor(scaled);
	rest = scaled - whole;
	m = (u32)whole;
	if (round == 0)
		m += rest > 0.5 || (rest == 0.5 && m & 1);
	else if (round == (sign ? 2 : 1))
		m += rest > 0;
	if (m >= 2048) {
		m >>= 1;
		e++;
	}
	if (e > 16) {
		bool inf = round == 0 || round == (sign ? 2 : 1);

		return sign | (inf && !clamp ? 0x7c00 : 0x7bff);
	}
	/* A mantissa below 1024 is that of a denormal, whose exponent is encoded as 0. */
	return sign | (m < 1024 ? m : (u32)(e + 14) << 10 | (m & 1023));
}

static inline u32 vgpu_f16_flush(bool flush, u32 v)
{
	return flush && !(v & 0x7c00) ? v & 0x8000 : v;
}

static inline double vgpu_f16_read(const struct vgpu_isa_state *c, u32 v)
{
	return vgpu_f16_value(vgpu_f16_flush(c->daz64, v));
}

/* The smallest normal number of half precision */
#define VGPU_F16_MIN	(1.0 / 16384)

/* Is the value, after rounding, less than the smallest normal number? As on CPUs. */
static inline bool vgpu_f16_tiny(double v, unsigned int round)
{
	double a = fabs(v);

	if (!isless(a, VGPU_F16_MIN) || a == 0)
		return false;
	/* Round as if smaller exponents existed. */
	return a < VGPU_F16_MIN / 2 || fabs(vgpu_f16_value(
		vgpu_f16_round(v * 1024, round, false))) < VGPU_F16_MIN * 1024;
}

static inline u32 vgpu_f16_from(const struct vgpu_isa_state *c, double v)
{
	unsigned int round = c->w->fp_round >> 2;

	if (c->ftz64 && vgpu_f16_tiny(v, round))
		return signbit(v) ? 0x8000 : 0;
	return vgpu_f16_round(v, round, c->fp16_ovfl);
}

/* Convert a value that was read from 16 bits back to them, exactly and without flushing. */
static inline u32 vgpu_f16_same(const struct vgpu_isa_state *c, double v)
{
	(void)c;
	return vgpu_f16_round(v, 0, false);
}

static inline u32 vgpu_f32_to_f16(const struct vgpu_isa_state *c, float a)
{
	return vgpu_f16_from(c, vgpu_flush_f32(c->daz32, a));
}

static inline float vgpu_f16_to_f32(const struct vgpu_isa_state *c, u32 v)
{
	return (float)vgpu_f16_read(c, v & 0xffff);
}

static inline u32 vgpu_pkrtz(const struct vgpu_isa_state *c, float a, float b)
{
	u32 lo = vgpu_f16_round(vgpu_flush_f32(c->daz32, a), 3, c->fp16_ovfl);
	u32 hi = vgpu_f16_round(vgpu_flush_f32(c->daz32, b), 3, c->fp16_ovfl);

	return vgpu_f16_flush(c->ftz64, lo) |
	       vgpu_f16_flush(c->ftz64, hi) << 16;
}

/*
 * V_DIV_FIXUP, the last step of a division: the result for special operands, and for
 * exponents from which an underflow is certain.
 */

static inline int vgpu_exponent_f32(float a)
{
	return vgpu_of_f32(a) >> 23 & 255;
}

static inline int vgpu_exponent_f64(double a)
{
	return vgpu_of_f64(a) >> 52 & 2047;
}

/* Is a quotient that underflows rounded to the smallest number, and not to zero? */
static inline bool vgpu_underflow_up(const struct vgpu_isa_state *c, bool neg,
				     u32 round)
{
	return vgpu_quirk(c->g, VGPU_QUIRK_DIV_FIXUP_UNDERFLOW) &&
	       round == (neg ? 2 : 1);
}

/* The format of floats in V_DIV_FIXUP. */
struct vgpu_div_width {
	unsigned int size, mant;	/* number of bits, and of those of the fraction */
	int lost;	/* a smaller difference of exponents is an underflow; 0: none is */
};

/* @smallest: the result of an underflow, without its sign */
static inline u64 vgpu_div_fixup(const struct vgpu_div_width *t, u64 q, u64 den,
				 u64 num, u64 smallest)
{
	u64 sign = BIT_ULL(t->size - 1), quiet = BIT_ULL(t->mant - 1);
	u64 inf = (sign - 1) & ~(BIT_ULL(t->mant) - 1);
	u64 d = den & (sign - 1), n = num & (sign - 1);
	u64 neg = (den ^ num) & sign;

	if (n > inf)
		return num | quiet;
	if (d > inf)
		return den | quiet;
	if ((!d && !n) || (d == inf && n == inf))
		return sign | inf | quiet;
	if (!d || n == inf)
		return neg | inf;
	if (d == inf || !n)
		return neg;
	q &= sign - 1;
	if (t->lost) {
		if ((int)(n >> t->mant) - (int)(d >> t->mant) < t->lost)
			return neg | smallest;
		if (q > inf)	/* the earlier steps have overflowed */
			return neg | inf;
	}
	return neg | q;
}

static const struct vgpu_div_width vgpu_div_f32 = { 32, 23, -150 };
static const struct vgpu_div_width vgpu_div_f64 = { 64, 52, -1075 };

static inline float vgpu_div_fixup_f32(const struct vgpu_isa_state *c, float q,
				       float den, float num)
{
	bool neg = signbit(den) != signbit(num);

	return vgpu_as_f32((u32)vgpu_div_fixup(&vgpu_div_f32,
		vgpu_of_f32(vgpu_flush_f32(c->daz32 || c->ftz32, q)),
		vgpu_of_f32(vgpu_flush_f32(c->daz32, den)),
		vgpu_of_f32(vgpu_flush_f32(c->daz32, num)),
		!c->ftz32 && vgpu_underflow_up(c, neg, c->w->fp_round & 3)));
}

static inline double vgpu_div_fixup_f64(const struct vgpu_isa_state *c,
					double q, double den, double num)
{
	bool neg = signbit(den) != signbit(num);

	return vgpu_as_f64(vgpu_div_fixup(&vgpu_div_f64,
		vgpu_of_f64(vgpu_flush_f64(c->daz64 || c->ftz64, q)),
		vgpu_of_f64(vgpu_flush_f64(c->daz64, den)),
		vgpu_of_f64(vgpu_flush_f64(c->daz64, num)),
		!c->ftz64 && vgpu_underflow_up(c, neg, c->w->fp_round >> 2)));
}

/*
 * V_CMP_CLASS: get the bit of a value's class: 0 signaling NaN, 1 quiet NaN, 2 -inf,
 * 3 -normal, 4 -denormal, 5 -0, 6 +0, 7 +denormal, 8 +normal, 9 +inf. It depends on the bits
 * only, not on MODE.
 */
static inline u32 vgpu_class(u64 bits, unsigned int size, unsigned int mant)
{
	u64 m = bits & (BIT_ULL(mant) - 1);
	u64 top = BIT_ULL(size - 1 - mant) - 1, e = bits >> mant & top;
	bool neg = bits >> (size - 1) & 1;

	if (e == top && m)
		return m >> (mant - 1) ? BIT(1) : BIT(0);
	if (e == top)
		return neg ? BIT(2) : BIT(9);
	if (e)
		return neg ? BIT(3) : BIT(8);
	if (m)
		return neg ? BIT(4) : BIT(7);
	return neg ? BIT(5) : BIT(6);
}

static inline u32 vgpu_class_f32(float a)
{
	return vgpu_class(vgpu_of_f32(a), 32, 23);
}

static inline u32 vgpu_class_f64(double a)
{
	return vgpu_class(vgpu_of_f64(a), 64, 52);
}

#endif /* VGPU_ISA_FMATH_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What lanes compute that is no operator of C: bit fields, IEEE 754 minimum
 * and maximum, conversions that saturate, steps of divisions.
 */
#ifndef VGPU_ISA_FMATH_H
#define VGPU_ISA_FMATH_H

#include <float.h>
#include <math.h>
#include <string.h>

#include "internal.h"

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

/* @size: of the source, beyond which the sign continues. */
static inline s64 vgpu_bfe_i64(s64 v, unsigned int off, unsigned int width,
			       unsigned int size)
{
	if (!width)
		return 0;
	if (width > size - off)
		return v >> off;
	return (s64)((u64)v >> off << (64 - width)) >> (64 - width);
}

/* V_BFE_I32: the width has five bits, zero gives zero. */
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

/* Bit 4n is set when any of bits 4n..4n+3 is. */
static inline u64 vgpu_quads(u64 v)
{
	v |= v >> 1;
	v |= v >> 2;
	return v & 0x1111111111111111ULL;
}

/* Bit n is set when any of bits 4n..4n+3 is. */
static inline u64 vgpu_quadmask(u64 v)
{
	u64 r = 0;
	unsigned int n;

	v = vgpu_quads(v);
	for (n = 0; n < 16; n++)
		r |= (v >> 4 * n & 1) << n;
	return r;
}

/* Bit n becomes bit 2n. */
static inline u64 vgpu_spread(u32 v)
{
	u64 r = 0;
	unsigned int n;

	for (n = 0; n < 32; n++)
		r |= (u64)(v >> n & 1) << 2 * n;
	return r;
}

/* V_PERM_B32: each byte of the selector picks one of eight bytes, or a fill. */
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

static inline float vgpu_flush_f32(const struct vgpu_isa_state *c, float f)
{
	u32 v = vgpu_of_f32(f);

	if (c->ftz32 && !(v & 0x7f800000))
		v &= 0x80000000;
	return vgpu_as_f32(v);
}

static inline float vgpu_minmax_f32(const struct vgpu_isa_state *c, float a,
				    float b, bool max)
{
	u32 ua = vgpu_of_f32(a), ub = vgpu_of_f32(b);
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
	return vgpu_flush_f32(c, vgpu_as_f32(r));
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

	/* With a NaN: the minimum of the three (RDNA 2 ISA, V_MED3_F32). */
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
	u64 ua = vgpu_of_f64(a), ub = vgpu_of_f64(b);
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
	if (c->ftz64 && !(r & 0x7ff0000000000000ULL))
		r &= BIT_ULL(63);
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

/* To integer: toward zero, saturating, NaN gives 0 */

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

/* Transcendentals; arguments of sine and cosine are revolutions. */

static inline float vgpu_rsq_f32(float a)
{
	return (float)(1.0 / __builtin_sqrt(a));
}

static inline float vgpu_exp2_f32(float a)
{
	return (float)exp2((double)a);
}

static inline float vgpu_log2_f32(float a)
{
	return (float)log2((double)a);
}

static inline float vgpu_sin_f32(float a)
{
	/* Beyond +-256 revolutions: RDNA 2 ISA, V_SIN_F32 */
	if (isnan(a) || isinf(a))
		return NAN;
	if (fabsf(a) > 256.0f)
		return 0.0f;
	return (float)sin((double)a * 2 * M_PI);
}

static inline float vgpu_cos_f32(float a)
{
	if (isnan(a) || isinf(a))
		return NAN;
	if (fabsf(a) > 256.0f)
		return 1.0f;
	return (float)cos((double)a * 2 * M_PI);
}

static inline float vgpu_fract_f32(float a)
{
	float r = a - __builtin_floorf(a);

	return r >= 1.0f ? 1 - FLT_EPSILON / 2 : r;
}

static inline double vgpu_fract_f64(double a)
{
	double r = a - __builtin_floor(a);

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

static inline s32 vgpu_frexp_exp_f64(double a)
{
	int e = 0;

	if (isfinite(a))
		frexp(a, &e);
	return e;
}

static inline float vgpu_frexp_mant_f32(float a)
{
	int e;

	return isfinite(a) ? frexpf(a, &e) : a;
}

static inline double vgpu_frexp_mant_f64(double a)
{
	int e;

	return isfinite(a) ? frexp(a, &e) : a;
}

/* Half precision */

static inline double vgpu_f16_value(u32 v)
{
	u32 e = v >> 10 & 31, m = v & 1023;
	double r;

	if (e == 31)
		r = m ? NAN : INFINITY;
	else if (e)
		r = ldexp(1024 + m, (int)e - 25);
	else
		r = ldexp(m, -24);
	return v & 0x8000 ? -r : r;
}

/* @round: as MODE.FP_ROUND: 0 nearest even, 1 up, 2 down, 3 toward zero. */
static inline u32 vgpu_f16_round(double v, unsigned int round)
{
	u32 sign = signbit(v) ? 0x8000 : 0;
	double a = fabs(v), scaled, whole, rest;
	int e;
	u32 m;

	if (v != v)
		return sign | 0x7e00;
	if (isinf(v))
		return sign | 0x7c00;
	if (a == 0)
		return sign;
	frexp(a, &e);
	if (e < -13)
		e = -13;
	/* In units of the last place. */
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

		return sign | (inf ? 0x7c00 : 0x7bff);
	}
	/* A value below 1024 is denormal, and has the exponent 0. */
	return sign | (m < 1024 ? m : (u32)(e + 14) << 10 | (m & 1023));
}

static inline u32 vgpu_f16_flush(const struct vgpu_isa_state *c, u32 v)
{
	return c->ftz64 && !(v & 0x7c00) ? v & 0x8000 : v;
}

static inline u32 vgpu_f16_from(const struct vgpu_isa_state *c, double v)
{
	return vgpu_f16_flush(c, vgpu_f16_round(v, c->w->mode >> 2 & 3));
}

static inline u32 vgpu_f32_to_f16(const struct vgpu_isa_state *c, float a)
{
	return vgpu_f16_from(c, vgpu_flush_f32(c, a));
}

static inline float vgpu_f16_to_f32(const struct vgpu_isa_state *c, u32 v)
{
	return (float)vgpu_f16_value(vgpu_f16_flush(c, v & 0xffff));
}

static inline u32 vgpu_pkrtz(const struct vgpu_isa_state *c, float a, float b)
{
	return vgpu_f16_flush(c, vgpu_f16_round(vgpu_flush_f32(c, a), 3)) |
	       vgpu_f16_flush(c, vgpu_f16_round(vgpu_flush_f32(c, b), 3)) << 16;
}

/* Last step of a division: what the quotient is, when it is no number. */

static inline float vgpu_div_fixup_f32(float q, float den, float num)
{
	bool neg = signbit(den) != signbit(num);

	if (isnan(num) || isnan(den))
		return vgpu_as_f32(vgpu_of_f32(isnan(num) ? num : den) |
				   0x00400000);
	if ((den == 0 && num == 0) || (isinf(den) && isinf(num)))
		return vgpu_as_f32(0xffc00000);
	if (den == 0 || isinf(num))
		return neg ? -INFINITY : INFINITY;
	if (isinf(den) || num == 0)
		return neg ? -0.0f : 0.0f;
	if (isnan(q))	/* the steps before have overflowed */
		return neg ? -INFINITY : INFINITY;
	return neg ? -fabsf(q) : fabsf(q);
}

static inline double vgpu_div_fixup_f64(double q, double den, double num)
{
	bool neg = signbit(den) != signbit(num);

	if (isnan(num) || isnan(den))
		return vgpu_as_f64(vgpu_of_f64(isnan(num) ? num : den) |
				   BIT_ULL(51));
	if ((den == 0 && num == 0) || (isinf(den) && isinf(num)))
		return vgpu_as_f64(0xfff8000000000000ULL);
	if (den == 0 || isinf(num))
		return neg ? -INFINITY : INFINITY;
	if (isinf(den) || num == 0)
		return neg ? -0.0 : 0.0;
	if (isnan(q))
		return neg ? -INFINITY : INFINITY;
	return neg ? -fabs(q) : fabs(q);
}

/*
 * V_CMP_CLASS: bit of the class of a value: 0 signaling NaN, 1 quiet NaN,
 * 2 -inf, 3 -normal, 4 -denormal, 5 -0, 6 +0, 7 +denormal, 8 +normal, 9 +inf.
 */
static inline u32 vgpu_class(bool snan, int kind, bool neg)
{
	switch (kind) {
	case FP_NAN:
		return snan ? BIT(0) : BIT(1);
	case FP_INFINITE:
		return neg ? BIT(2) : BIT(9);
	case FP_ZERO:
		return neg ? BIT(5) : BIT(6);
	case FP_SUBNORMAL:
		return neg ? BIT(4) : BIT(7);
	}
	return neg ? BIT(3) : BIT(8);
}

static inline u32 vgpu_class_f32(float a)
{
	return vgpu_class(vgpu_is_snan_f32(a), fpclassify(a), signbit(a));
}

static inline u32 vgpu_class_f64(double a)
{
	return vgpu_class(vgpu_is_snan_f64(a), fpclassify(a), signbit(a));
}

#endif /* VGPU_ISA_FMATH_H */

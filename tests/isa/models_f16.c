// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Models of 16-bit floats: computed with 113 bits, in which sums and products are exact, and
 * rounded once by the compiler's _Float16; functions by libquadmath. Rounding is to nearest,
 * denormals are kept (MODE of the test).
 */
#include <quadmath.h>
#include <string.h>

#include "models.h"

static __float128 value(uint32_t v)
{
	uint16_t bits = (uint16_t)v;
	_Float16 f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

static uint32_t bits(__float128 v)
{
	_Float16 f = (_Float16)v;
	uint16_t r;

	memcpy(&r, &f, sizeof(r));
	return r;
}

/* minNum and maxNum of IEEE 754-2008; -0 is less than +0 */
static __float128 least(__float128 x, __float128 y)
{
	if (isnanq(x) || isnanq(y))
		return isnanq(x) ? y : x;
	return x < y || (x == y && signbitq(x)) ? x : y;
}

static __float128 most(__float128 x, __float128 y)
{
	return isnanq(x) || isnanq(y) ? least(x, y) : -least(-x, -y);
}

static __float128 median(__float128 x, __float128 y, __float128 z)
{
	if (isnanq(x) || isnanq(y) || isnanq(z))
		return least(least(x, y), z);
	return most(least(x, y), least(most(x, y), z));
}

/* The result as it is written; what is limited is the half. */
static uint32_t result(const struct model_in *in, __float128 exact)
{
	uint32_t r = bits(exact);
	__float128 v = value(r);

	if (!in->clamp)
		return r;
	/* MODE.DX10_CLAMP: a NaN is 0 */
	return isnanq(v) || v < 0 ? 0 : v > 1 ? bits(1) : r;
}

/* Whole turns are nothing; the rest is less than a turn, and exact. */
static __float128 turns(__float128 fn(__float128), __float128 x,
			__float128 zero)
{
	__float128 r = fn(fmodq(x, 1) * 2 * M_PIq);

	/* Pi is not exact: this is what is left of 0. */
	return fabsq(r) < ldexpq(1, -100) ? zero : r;
}

/* The largest half that is less is 1 - 2^-11; fminq() would lose a NaN. */
static __float128 below_1(__float128 x)
{
	return isnanq(x) ? x : fminq(x, 1 - ldexpq(1, -11));
}

#define HALVES(name, count, expr) \
static void name(const struct model_in *in, uint32_t *out) \
{ \
	unsigned int n; \
	\
	for (n = 0; n < (count); n++) { \
		__float128 x = value(in->src[0][0] >> 16 * n); \
		__float128 y = value(in->src[1][0] >> 16 * n); \
		__float128 z = value(in->src[2][0] >> 16 * n); \
		uint32_t r; \
	\
		(void)x; (void)y; (void)z; \
		r = result(in, expr); \
		out[0] = (out[0] & ~(0xffffU << 16 * n)) | r << 16 * n; \
	} \
}

HALVES(pk_add, 2, x + y)
HALVES(pk_mul, 2, x * y)
HALVES(pk_fma, 2, x * y + z)
HALVES(pk_min, 2, least(x, y))
HALVES(pk_max, 2, most(x, y))
HALVES(add, 1, x + y)
HALVES(sub, 1, x - y)
HALVES(mul, 1, x * y)
HALVES(fma1, 1, x * y + z)
HALVES(min2, 1, least(x, y))
HALVES(max2, 1, most(x, y))
HALVES(min3, 1, least(least(x, y), z))
HALVES(max3, 1, most(most(x, y), z))
HALVES(med3, 1, median(x, y, z))
HALVES(rcp, 1, 1 / x)
HALVES(rsq, 1, 1 / sqrtq(x))
HALVES(root, 1, sqrtq(x))
HALVES(log2_, 1, log2q(x))
HALVES(exp2_, 1, powq(2, x))
/* Signs of zeros: sinPi and cosPi of IEEE 754-2019, 9.2 */
HALVES(sin1, 1, turns(sinq, x, copysignq(0, x)))
HALVES(cos1, 1, turns(cosq, x, 0))
HALVES(floor1, 1, floorq(x))
HALVES(ceil1, 1, ceilq(x))
HALVES(trunc1, 1, truncq(x))
HALVES(rndne, 1, rintq(x))

HALVES(fract, 1, below_1(x - floorq(x)))

static void ldexp1(const struct model_in *in, uint32_t *out)
{
	__float128 x = value(in->src[0][0]);

	out[0] = (out[0] & 0xffff0000) |
		 result(in, ldexpq(x, (int16_t)in->src[1][0]));
}

static void frexp_mant(const struct model_in *in, uint32_t *out)
{
	__float128 x = value(in->src[0][0]);
	int e;

	if (finiteq(x))
		x = frexpq(x, &e);
	out[0] = (out[0] & 0xffff0000) | result(in, x);
}

static void frexp_exp(const struct model_in *in, uint32_t *out)
{
	__float128 x = value(in->src[0][0]);
	int e = 0;

	if (finiteq(x))
		frexpq(x, &e);
	out[0] = (out[0] & 0xffff0000) | (uint16_t)e;
}

static uint32_t normalised(__float128 v, bool is_signed)
{
	__float128 max = is_signed ? 32767 : 65535;

	if (isnanq(v))
		return 0;
	v = v > 1 ? 1 : v;
	v = v < (is_signed ? -1 : 0) ? (is_signed ? -1 : 0) : v;
	return (uint16_t)(int)rintq(v * max);
}

static void norm_i(const struct model_in *in, uint32_t *out)
{
	out[0] = (out[0] & 0xffff0000) | normalised(value(in->src[0][0]), true);
}

static void norm_u(const struct model_in *in, uint32_t *out)
{
	out[0] = (out[0] & 0xffff0000) | normalised(value(in->src[0][0]), false);
}

static void pknorm_i(const struct model_in *in, uint32_t *out)
{
	out[0] = normalised(value(in->src[0][0]), true) |
		 normalised(value(in->src[1][0]), true) << 16;
}

static void pknorm_u(const struct model_in *in, uint32_t *out)
{
	out[0] = normalised(value(in->src[0][0]), false) |
		 normalised(value(in->src[1][0]), false) << 16;
}

/* Numbers only: what is special about the others has lines of its own. */
static void div_fixup(const struct model_in *in, uint32_t *out)
{
	__float128 q = value(in->src[0][0]), d = value(in->src[1][0]);
	__float128 n = value(in->src[2][0]), r;
	bool neg = signbitq(d) != signbitq(n);

	if (isnanq(d) || isnanq(n) || (d == 0 && n == 0) ||
	    (isinfq(d) && isinfq(n)))
		r = nanq("");
	else if (d == 0 || isinfq(n))
		r = HUGE_VALQ;
	else if (isinfq(d) || n == 0)
		r = 0;
	else
		r = fabsq(q);
	out[0] = (out[0] & 0xffff0000) |
		 result(in, neg && !isnanq(r) ? -r : r);
}

#define PACKED2	1, { 1, 1, 0 }, EDGES_F16, true, false, true
#define PACKED3	1, { 1, 1, 1 }, EDGES_F16, true, false, true
#define HALF1	1, { 1, 0, 0 }, EDGES_F16, true, true, true
#define HALF2	1, { 1, 1, 0 }, EDGES_F16, true, true, true
#define HALF3	1, { 1, 1, 1 }, EDGES_F16, true, true, true
#define NUMBER1	1, { 1, 0, 0 }, EDGES_F16, true, true, false

const struct model models_f16[] = {
	{ "v_pk_add_f16", PACKED2, pk_add }, { "v_pk_mul_f16", PACKED2, pk_mul },
	{ "v_pk_fma_f16", PACKED3, pk_fma }, { "v_pk_min_f16", PACKED2, pk_min },
	{ "v_pk_max_f16", PACKED2, pk_max },
	{ "v_add_f16", HALF2, add }, { "v_sub_f16", HALF2, sub },
	{ "v_mul_f16", HALF2, mul }, { "v_fma_f16", HALF3, fma1 },
	{ "v_min_f16", HALF2, min2 }, { "v_max_f16", HALF2, max2 },
	{ "v_min3_f16", HALF3, min3 }, { "v_max3_f16", HALF3, max3 },
	{ "v_med3_f16", HALF3, med3 },
	{ "v_rcp_f16", HALF1, rcp }, { "v_rsq_f16", HALF1, rsq },
	{ "v_sqrt_f16", HALF1, root }, { "v_log_f16", HALF1, log2_ },
	{ "v_exp_f16", HALF1, exp2_ }, { "v_sin_f16", HALF1, sin1 },
	{ "v_cos_f16", HALF1, cos1 }, { "v_floor_f16", HALF1, floor1 },
	{ "v_ceil_f16", HALF1, ceil1 }, { "v_trunc_f16", HALF1, trunc1 },
	{ "v_rndne_f16", HALF1, rndne }, { "v_fract_f16", HALF1, fract },
	{ "v_ldexp_f16", HALF2, ldexp1 },
	{ "v_frexp_mant_f16", HALF1, frexp_mant },
	{ "v_frexp_exp_i16_f16", NUMBER1, frexp_exp },
	{ "v_cvt_norm_i16_f16", NUMBER1, norm_i },
	{ "v_cvt_norm_u16_f16", NUMBER1, norm_u },
	{ "v_cvt_pknorm_i16_f16", 1, { 1, 1, 0 }, EDGES_F16, .fn = pknorm_i },
	{ "v_cvt_pknorm_u16_f16", 1, { 1, 1, 0 }, EDGES_F16, .fn = pknorm_u },
	{ "v_div_fixup_f16", HALF3, div_fixup },
};

const size_t num_models_f16 = sizeof(models_f16) / sizeof(models_f16[0]);

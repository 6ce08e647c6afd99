// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Operations on floats. To add one, add a line to the table, and above it a function that
 * computes its result from the sources in s[], if no other operation computes the same.
 * Semantics: IEEE 754-2008, and "RDNA 2" ISA, AMD 2020, chapter 12.
 */
#include "oracle.h"

#define REAL(name) \
static void name(mpfr_t r, struct oracle_value *s, mpfr_rnd_t round, \
		 const struct oracle_mode *m __attribute__((unused)))

/* Exact, but the sign of an exact zero depends on the rounding. */
REAL(add) { mpfr_add(r, s[0].x, s[1].x, round); }
REAL(sub) { mpfr_sub(r, s[0].x, s[1].x, round); }
REAL(subrev) { mpfr_sub(r, s[1].x, s[0].x, round); }
REAL(mul) { mpfr_mul(r, s[0].x, s[1].x, round); }
REAL(fma3) { mpfr_fma(r, s[0].x, s[1].x, s[2].x, round); }
REAL(same) { mpfr_set(r, s[0].x, round); }

/* Not exact: 4500 bits, rounded so that they are never taken for exact. */
REAL(rcp) { (void)round; mpfr_ui_div(r, 1, s[0].x, MPFR_RNDN); }
REAL(root) { (void)round; mpfr_sqrt(r, s[0].x, MPFR_RNDN); }

/* 200 bits are enough for results that may be off by one unit. */
REAL(rsq)
{
	(void)round;
	mpfr_set_prec(r, 200);
	mpfr_rec_sqrt(r, s[0].x, MPFR_RNDN);
	/* IEEE 754-2008, 9.2: rSqrt of -0 is -infinity */
	if (mpfr_zero_p(s[0].x))
		mpfr_set_inf(r, mpfr_signbit(s[0].x) ? -1 : 1);
}

REAL(exponential)
{
	(void)round;
	mpfr_set_prec(r, 200);
	mpfr_exp2(r, s[0].x, MPFR_RNDN);
}

REAL(logarithm)
{
	(void)round;
	mpfr_set_prec(r, 200);
	mpfr_log2(r, s[0].x, MPFR_RNDN);
}

/* Of revolutions: the fraction is exact, and so are the quarters. */
static void trig(mpfr_t r, mpfr_t x, bool cosine)
{
	mpfr_t turn;

	mpfr_init2(turn, ORACLE_BITS);
	mpfr_frac(turn, x, MPFR_RNDN);
	mpfr_set_prec(r, 400);
	if (cosine)
		mpfr_cosu(r, turn, 1, MPFR_RNDN);
	else
		mpfr_sinu(r, turn, 1, MPFR_RNDN);
	if (!mpfr_number_p(x))
		mpfr_set_nan(r);
	mpfr_clear(turn);
}

REAL(sine) { (void)round; trig(r, s[0].x, false); }
REAL(cosine) { (void)round; trig(r, s[0].x, true); }

REAL(truncated) { (void)round; mpfr_rint_trunc(r, s[0].x, MPFR_RNDN); }
REAL(ceiling) { (void)round; mpfr_rint_ceil(r, s[0].x, MPFR_RNDN); }
REAL(floored) { (void)round; mpfr_rint_floor(r, s[0].x, MPFR_RNDN); }
REAL(nearest) { (void)round; mpfr_rint_roundeven(r, s[0].x, MPFR_RNDN); }

static void scale(mpfr_t r, mpfr_t x, s32 e)
{
	/* Further than this is all the same, and within MPFR's range. */
	e = e > 5000 ? 5000 : e < -5000 ? -5000 : e;
	mpfr_mul_2si(r, x, e, MPFR_RNDN);
}

REAL(scaled) { (void)round; scale(r, s[0].x, (s32)s[1].bits); }
REAL(scaled16) { (void)round; scale(r, s[0].x, (s16)s[1].bits); }

/* What is above the largest float below 1 is that one. */
static void below_1(mpfr_t r, mpfr_t x, mpfr_rnd_t round, int prec)
{
	mpfr_t most;

	mpfr_rint_floor(r, x, MPFR_RNDN);
	mpfr_sub(r, x, r, round);
	mpfr_init2(most, 64);
	mpfr_set_ui_2exp(most, 1, -prec, MPFR_RNDN);
	mpfr_ui_sub(most, 1, most, MPFR_RNDN);
	if (mpfr_cmp(r, most) > 0)
		mpfr_set(r, most, MPFR_RNDN);
	mpfr_clear(most);
}

REAL(fract16) { below_1(r, s[0].x, round, 11); }
REAL(fract32) { below_1(r, s[0].x, round, 24); }
REAL(fract64) { below_1(r, s[0].x, round, 53); }

/* A factor that is 0 is stronger than infinities and NaNs. */
static bool zero_factor(struct oracle_value *s)
{
	return mpfr_zero_p(s[0].x) || mpfr_zero_p(s[1].x);
}

REAL(mul_legacy)
{
	if (zero_factor(s))
		mpfr_set_zero(r, 1);
	else
		mpfr_mul(r, s[0].x, s[1].x, round);
}

REAL(fma_legacy)
{
	mpfr_t zero;

	if (!zero_factor(s)) {
		mpfr_fma(r, s[0].x, s[1].x, s[2].x, round);
		return;
	}
	mpfr_init2(zero, 2);
	mpfr_set_zero(zero, 1);
	mpfr_add(r, zero, s[2].x, round);
	mpfr_clear(zero);
}

/* Minimum and maximum: a NaN is no number, a signalling one is with IEEE. */
static void minmax(mpfr_t r, struct oracle_value *a, struct oracle_value *b,
		   bool max, const struct oracle_mode *m)
{
	if ((a->snan || b->snan) && !m->ieee)
		mpfr_set_erangeflag();
	if (a->snan || b->snan)
		mpfr_set_nan(r);
	else if (max)
		mpfr_max(r, a->x, b->x, MPFR_RNDN);
	else
		mpfr_min(r, a->x, b->x, MPFR_RNDN);
	/* MPFR leaves open which of two zeros it is. */
	if (!a->nan && !b->nan && mpfr_zero_p(a->x) && mpfr_zero_p(b->x))
		mpfr_set_zero(r, max ?
			      (mpfr_signbit(a->x) && mpfr_signbit(b->x) ? -1 : 1) :
			      (mpfr_signbit(a->x) || mpfr_signbit(b->x) ? -1 : 1));
}

REAL(minimum) { (void)round; minmax(r, &s[0], &s[1], false, m); }
REAL(maximum) { (void)round; minmax(r, &s[0], &s[1], true, m); }

/* Of three: the least of the least of two and the third, or the greatest. */
static void minmax3(mpfr_t r, struct oracle_value *s, bool max,
		    const struct oracle_mode *m)
{
	struct oracle_value first = { .nan = s[0].nan && s[1].nan };

	mpfr_init2(first.x, ORACLE_BITS);
	minmax(first.x, &s[0], &s[1], max, m);
	minmax(r, &first, &s[2], max, m);
	/* A signalling one is quiet after the first of the two. */
	if (s[0].snan || s[1].snan || s[2].snan)
		mpfr_set_erangeflag();
	mpfr_clear(first.x);
}

REAL(minimum3) { (void)round; minmax3(r, s, false, m); }
REAL(maximum3) { (void)round; minmax3(r, s, true, m); }

/* With a NaN the minimum, else the greatest of the three minima of two */
REAL(median3)
{
	struct oracle_value two[3] = { 0 };
	unsigned int k;

	(void)round;
	if (s[0].nan || s[1].nan || s[2].nan) {
		minmax3(r, s, false, m);
		return;
	}
	for (k = 0; k < 3; k++) {
		mpfr_init2(two[k].x, ORACLE_BITS);
		minmax(two[k].x, &s[k], &s[(k + 1) % 3], false, m);
	}
	minmax3(r, two, true, m);
	for (k = 0; k < 3; k++)
		mpfr_clear(two[k].x);
}

/*
 * The end of the division of s[2] by s[1], of which the quotient is s[0]. What is
 * too small by the exponents alone has lines in results/.
 */
static void fixup(mpfr_t r, struct oracle_value *s, long too_small)
{
	mpfr_ptr q = s[0].x, den = s[1].x, num = s[2].x;
	bool neg = mpfr_signbit(den) != mpfr_signbit(num);

	if (mpfr_regular_p(num) && mpfr_regular_p(den) &&
	    mpfr_get_exp(num) - mpfr_get_exp(den) < too_small)
		mpfr_set_erangeflag();
	if (mpfr_nan_p(q))
		mpfr_set_erangeflag();
	if (mpfr_nan_p(num) || mpfr_nan_p(den) ||
	    (mpfr_zero_p(num) && mpfr_zero_p(den)) ||
	    (mpfr_inf_p(num) && mpfr_inf_p(den)))
		mpfr_set_nan(r);
	else if (mpfr_zero_p(den) || mpfr_inf_p(num))
		mpfr_set_inf(r, 1);
	else if (mpfr_inf_p(den) || mpfr_zero_p(num))
		mpfr_set_zero(r, 1);
	else
		mpfr_abs(r, q, MPFR_RNDN);
	if (mpfr_zero_p(den) && mpfr_regular_p(num))
		mpfr_set_divby0();
	mpfr_setsign(r, r, neg, MPFR_RNDN);
}

REAL(fixup16) { (void)round; fixup(r, s, -1000); }
REAL(fixup32) { (void)round; fixup(r, s, -120); }
REAL(fixup64) { (void)round; fixup(r, s, -1000); }

/* Toward zero, saturated; NaN is 0. */
static void to_integer(mpfr_t r, mpfr_t x, s64 low, s64 high)
{
	if (mpfr_nan_p(x))
		mpfr_set_zero(r, 1);
	else
		mpfr_rint_trunc(r, x, MPFR_RNDN);
	if (mpfr_cmp_si(r, low) < 0)
		mpfr_set_si(r, low, MPFR_RNDN);
	if (mpfr_cmp_si(r, high) > 0)
		mpfr_set_si(r, high, MPFR_RNDN);
}

REAL(to_i32) { (void)round; to_integer(r, s[0].x, INT32_MIN, INT32_MAX); }
REAL(to_i16) { (void)round; to_integer(r, s[0].x, INT16_MIN, INT16_MAX); }
REAL(to_u16) { (void)round; to_integer(r, s[0].x, 0, UINT16_MAX); }
REAL(to_u32) { (void)round; to_integer(r, s[0].x, 0, UINT32_MAX); }

REAL(fraction_exponent)
{
	(void)round;
	mpfr_set_zero(r, 1);
	if (mpfr_regular_p(s[0].x))
		mpfr_set_si(r, mpfr_get_exp(s[0].x), MPFR_RNDN);
}

REAL(fraction)
{
	(void)round;
	mpfr_set(r, s[0].x, MPFR_RNDN);
	if (mpfr_regular_p(r))
		mpfr_set_exp(r, 0);
}

/* Compares: 1 or 0; a NaN is unordered. */
#define COMPARE(name, expr) \
REAL(name) \
{ \
	bool u = s[0].nan || s[1].nan; \
	int c = u ? 0 : mpfr_cmp(s[0].x, s[1].x); \
	\
	(void)round; (void)c; \
	mpfr_set_ui(r, (expr), MPFR_RNDN); \
}

COMPARE(is_lt, !u && c < 0)
COMPARE(is_eq, !u && c == 0)
COMPARE(is_le, !u && c <= 0)
COMPARE(is_gt, !u && c > 0)
COMPARE(is_lg, !u && c != 0)
COMPARE(is_ge, !u && c >= 0)
COMPARE(is_o, !u)
COMPARE(is_u, u)
COMPARE(is_nge, u || c < 0)
COMPARE(is_nlg, u || c == 0)
COMPARE(is_ngt, u || c <= 0)
COMPARE(is_nle, u || c > 0)
COMPARE(is_neq, u || c != 0)
COMPARE(is_nlt, u || c >= 0)

#define ROW(name, fn, flags, ulps, excp) \
	{ VGPU_OP_##name, fn, flags, ulps, excp }
/* An operation in all three widths */
#define ROWS(name, fn, flags, ulps, excp) \
	ROW(name##_F16, fn, flags, ulps, excp), \
	ROW(name##_F32, fn, flags, ulps, excp), \
	ROW(name##_F64, fn, flags, ulps, excp)
#define COMPARES(name, fn) \
	ROWS(V_CMP_##name, fn, ORACLE_QUIET_NUM, 0, EXCP_SIGNALS)
#define EXCP_RCP	(WAVE_EXCP_INVALID | WAVE_EXCP_DIV0)

const struct oracle oracle_floats[] = {
	ROWS(V_ADD, add, 0, 0, EXCP_ALL),
	ROWS(V_MUL, mul, 0, 0, EXCP_ALL),
	ROWS(V_FMA, fma3, 0, 0, EXCP_ALL),
	ROW(V_SUB_F32, sub, 0, 0, EXCP_ALL),
	ROW(V_SUB_F16, sub, 0, 0, EXCP_ALL),
	ROW(V_SUBREV_F32, subrev, 0, 0, EXCP_ALL),
	ROW(V_SUBREV_F16, subrev, 0, 0, EXCP_ALL),
	ROWS(V_MIN, minimum, ORACLE_COPY | ORACLE_QUIET_NUM, 0, EXCP_SIGNALS),
	ROWS(V_MAX, maximum, ORACLE_COPY | ORACLE_QUIET_NUM, 0, EXCP_SIGNALS),
	ROWS(V_TRUNC, truncated, 0, 0, EXCP_SIGNALS),
	ROWS(V_CEIL, ceiling, 0, 0, EXCP_SIGNALS),
	ROWS(V_FLOOR, floored, 0, 0, EXCP_SIGNALS),
	ROWS(V_RNDNE, nearest, 0, 0, EXCP_SIGNALS),
	ROW(V_PK_ADD_F16, add, 0, 0, EXCP_ALL),
	ROW(V_PK_MUL_F16, mul, 0, 0, EXCP_ALL),
	ROW(V_PK_FMA_F16, fma3, 0, 0, EXCP_ALL),
	ROW(V_PK_MIN_F16, minimum, ORACLE_COPY | ORACLE_QUIET_NUM, 0, EXCP_SIGNALS),
	ROW(V_PK_MAX_F16, maximum, ORACLE_COPY | ORACLE_QUIET_NUM, 0, EXCP_SIGNALS),
	ROW(V_FMAC_F32, fma3, 0, 0, EXCP_ALL),
	ROW(V_FMAC_F16, fma3, 0, 0, EXCP_ALL),
	/* VCC is 0: nothing is scaled back */
	ROW(V_DIV_FMAS_F32, fma3, 0, 0, 0),
	ROW(V_DIV_FMAS_F64, fma3, 0, 0, 0),
	ROW(V_MUL_LEGACY_F32, mul_legacy, ORACLE_QUIET_NUM, 0, 0),
	ROW(V_FMA_LEGACY_F32, fma_legacy, ORACLE_QUIET_NUM, 0, 0),
	ROW(V_MIN3_F16, minimum3, ORACLE_COPY | ORACLE_QUIET_NUM, 0, EXCP_SIGNALS),
	ROW(V_MIN3_F32, minimum3, ORACLE_COPY | ORACLE_QUIET_NUM, 0, EXCP_SIGNALS),
	ROW(V_MAX3_F16, maximum3, ORACLE_COPY | ORACLE_QUIET_NUM, 0, EXCP_SIGNALS),
	ROW(V_MAX3_F32, maximum3, ORACLE_COPY | ORACLE_QUIET_NUM, 0, EXCP_SIGNALS),
	ROW(V_MED3_F16, median3, ORACLE_COPY | ORACLE_QUIET_NUM, 0, EXCP_SIGNALS),
	ROW(V_MED3_F32, median3, ORACLE_COPY | ORACLE_QUIET_NUM, 0, EXCP_SIGNALS),
	ROW(V_FRACT_F16, fract16, 0, 0, 0),
	ROW(V_FRACT_F32, fract32, 0, 0, 0),
	ROW(V_FRACT_F64, fract64, 0, 0, 0),
	ROW(V_DIV_FIXUP_F16, fixup16, ORACLE_QUIET_NUM, 0, EXCP_RCP),
	ROW(V_DIV_FIXUP_F32, fixup32, ORACLE_QUIET_NUM, 0, EXCP_RCP),
	ROW(V_DIV_FIXUP_F64, fixup64, ORACLE_QUIET_NUM, 0, EXCP_RCP),
	ROW(V_LDEXP_F16, scaled16, 0, 0, WAVE_EXCP_INVALID),
	ROW(V_LDEXP_F32, scaled, 0, 0, WAVE_EXCP_INVALID),
	ROW(V_LDEXP_F64, scaled, 0, 0, WAVE_EXCP_INVALID),
	/* The ISA document: one unit in the last place */
	ROW(V_RCP_F32, rcp, ORACLE_FLUSH, 1, EXCP_RCP),
	ROW(V_RCP_IFLAG_F32, rcp, ORACLE_FLUSH, 1, 0),
	ROW(V_RSQ_F32, rsq, ORACLE_FLUSH, 1, EXCP_RCP),
	ROW(V_SQRT_F32, root, ORACLE_FLUSH, 1, EXCP_RCP),
	ROW(V_EXP_F32, exponential, ORACLE_FLUSH, 1, 0),
	ROW(V_LOG_F32, logarithm, ORACLE_FLUSH, 1, 0),
	ROW(V_SIN_F32, sine, 0, 1, 0),
	ROW(V_COS_F32, cosine, 0, 1, 0),
	ROW(V_RCP_F64, rcp, 0, 1, EXCP_RCP),
	ROW(V_SQRT_F64, root, 0, 1, WAVE_EXCP_INVALID),
	ROW(V_RCP_F16, rcp, 0, 1, EXCP_RCP),
	ROW(V_SQRT_F16, root, 0, 1, WAVE_EXCP_INVALID),
	ROW(V_RSQ_F16, rsq, 0, 1, EXCP_RCP),
	ROW(V_EXP_F16, exponential, 0, 1, 0),
	ROW(V_LOG_F16, logarithm, 0, 1, 0),
	ROW(V_SIN_F16, sine, 0, 1, 0),
	ROW(V_COS_F16, cosine, 0, 1, 0),
	/* 2^29 units ("RDNA 2" ISA, V_RSQ_F64) */
	ROW(V_RSQ_F64, rsq, 0, 1 << 29, EXCP_RCP),
	ROW(V_CVT_I32_F32, to_i32, ORACLE_QUIET_NUM, 0, 0),
	ROW(V_CVT_U32_F32, to_u32, ORACLE_QUIET_NUM, 0, 0),
	ROW(V_CVT_I32_F64, to_i32, ORACLE_QUIET_NUM, 0, 0),
	ROW(V_CVT_U32_F64, to_u32, ORACLE_QUIET_NUM, 0, 0),
	ROW(V_CVT_I16_F16, to_i16, ORACLE_QUIET_NUM, 0, 0),
	ROW(V_CVT_U16_F16, to_u16, ORACLE_QUIET_NUM, 0, 0),
	ROW(V_CVT_F16_F32, same, 0, 0, EXCP_ALL),
	ROW(V_CVT_F32_F16, same, 0, 0, EXCP_ALL),
	ROW(V_CVT_F32_I32, same, 0, 0, EXCP_ALL),
	ROW(V_CVT_F32_U32, same, 0, 0, EXCP_ALL),
	ROW(V_CVT_F64_I32, same, 0, 0, EXCP_ALL),
	ROW(V_CVT_F64_U32, same, 0, 0, EXCP_ALL),
	ROW(V_CVT_F64_F32, same, 0, 0, EXCP_ALL),
	ROW(V_CVT_F32_F64, same, 0, 0, EXCP_ALL),
	ROW(V_CVT_F16_U16, same, 0, 0, EXCP_ALL),
	ROW(V_CVT_F16_I16, same, 0, 0, EXCP_ALL),
	ROW(V_FREXP_EXP_I32_F32, fraction_exponent, ORACLE_QUIET_NUM, 0, 0),
	ROW(V_FREXP_EXP_I32_F64, fraction_exponent, ORACLE_QUIET_NUM, 0, 0),
	ROW(V_FREXP_EXP_I16_F16, fraction_exponent, ORACLE_QUIET_NUM, 0, 0),
	ROW(V_FREXP_MANT_F16, fraction, 0, 0, 0),
	ROW(V_FREXP_MANT_F32, fraction, 0, 0, 0),
	ROW(V_FREXP_MANT_F64, fraction, 0, 0, 0),
	COMPARES(LT, is_lt), COMPARES(EQ, is_eq), COMPARES(LE, is_le),
	COMPARES(GT, is_gt), COMPARES(LG, is_lg), COMPARES(GE, is_ge),
	COMPARES(O, is_o), COMPARES(U, is_u), COMPARES(NGE, is_nge),
	COMPARES(NLG, is_nlg), COMPARES(NGT, is_ngt), COMPARES(NLE, is_nle),
	COMPARES(NEQ, is_neq), COMPARES(NLT, is_nlt),
};

const unsigned int oracle_num_floats = ARRAY_SIZE(oracle_floats);

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Conversion of IEEE 754 formats to MPFR and back, with the only rounding of a result and the
 * exceptions that it raises (IEEE 754-2008, clause 7; tininess after rounding).
 */
#include "oracle.h"

struct format {
	unsigned int size, prec;
	int emin;		/* of the smallest normal number */
};

static const struct format *format_of(enum vgpu_type type)
{
	static const struct format f16 = { 16, 11, -14 };
	static const struct format f32 = { 32, 24, -126 };
	static const struct format f64 = { 64, 53, -1022 };

	switch (type) {
	case VGPU_T_F16:
	case VGPU_T_DF16:
		return &f16;
	case VGPU_T_F32:
	case VGPU_T_DF32:
		return &f32;
	case VGPU_T_F64:
		return &f64;
	default:
		return NULL;
	}
}

/* Those that are floats, although the handler sees bits. */
static bool bits_are_floats(enum vgpu_op op)
{
	return op == VGPU_OP_V_CVT_F16_F32 || op == VGPU_OP_V_CVT_F32_F16 ||
	       op == VGPU_OP_V_DIV_FIXUP_F16;
}

static u8 seen_as(enum vgpu_op op, u8 type)
{
	switch (type) {
	case VGPU_T_PF16:
		return VGPU_T_F16;
	case VGPU_T_DB32:
		return op == VGPU_OP_V_PK_FMAC_F16 ? VGPU_T_DF16 : type;
	case VGPU_T_B16:
		return bits_are_floats(op) ? VGPU_T_F16 : type;
	}
	return type;
}

struct vgpu_op_info oracle_info(enum vgpu_op op)
{
	struct vgpu_op_info info = vgpu_op_info[op];
	unsigned int k;

	info.dst = seen_as(op, info.dst);
	for (k = 0; k < 3; k++)
		info.src[k] = seen_as(op, info.src[k]);
	return info;
}

unsigned int oracle_halves(enum vgpu_op op)
{
	return vgpu_op_info[op].dst == VGPU_T_PF16 ? 2 : 1;
}

static u64 mant_mask(const struct format *f)
{
	return BIT_ULL(f->prec - 1) - 1;
}

static u64 exp_mask(const struct format *f)
{
	return (BIT_ULL(f->size - 1) - 1) & ~mant_mask(f);
}

bool oracle_is_nan(enum vgpu_type type, u64 bits)
{
	const struct format *f = format_of(type);

	return f && (bits & exp_mask(f)) == exp_mask(f) && bits & mant_mask(f);
}

void oracle_mode_of(struct oracle_mode *m, const struct vgpu_wave *w)
{
	static const mpfr_rnd_t round[] = { MPFR_RNDN, MPFR_RNDU, MPFR_RNDD,
					    MPFR_RNDZ };

	m->ieee = w->ieee;
	m->fp16_ovfl = w->fp16_ovfl;
	m->round32 = round[w->fp_round & 3];
	m->round64 = round[w->fp_round >> 2];
	m->daz32 = !(w->fp_denorm & BIT(0));
	m->ftz32 = !(w->fp_denorm & BIT(1));
	m->daz64 = !(w->fp_denorm & BIT(2));
	m->ftz64 = !(w->fp_denorm & BIT(3));
}

static void load_float(struct oracle_value *v, const struct format *f,
		       bool flush)
{
	u64 m = v->bits & mant_mask(f), e = v->bits & exp_mask(f);
	bool neg = v->bits >> (f->size - 1) & 1;
	int exp = (int)(e >> (f->prec - 1));

	v->nan = e == exp_mask(f) && m;
	v->snan = v->nan && !(m >> (f->prec - 2));
	v->denormal = !e && m && !flush;
	if (v->nan)
		mpfr_set_nan(v->x);
	else if (e == exp_mask(f))
		mpfr_set_inf(v->x, neg ? -1 : 1);
	else if (!e && (!m || flush))
		mpfr_set_zero(v->x, neg ? -1 : 1);
	else
		mpfr_set_ui_2exp(v->x, e ? m | BIT_ULL(f->prec - 1) : m,
				 (exp ? exp : 1) - 1 + f->emin -
				 (int)f->prec + 1, MPFR_RNDN);
	if (neg && mpfr_regular_p(v->x))
		mpfr_neg(v->x, v->x, MPFR_RNDN);
}

static void load(struct oracle_value *v, enum vgpu_type type, bool flush)
{
	v->nan = false;
	v->snan = false;
	v->denormal = false;
	switch (type) {
	case VGPU_T_U16:
	case VGPU_T_B16:
		mpfr_set_ui(v->x, (u16)v->bits, MPFR_RNDN);
		break;
	case VGPU_T_I16:
		mpfr_set_si(v->x, (s16)v->bits, MPFR_RNDN);
		break;
	case VGPU_T_U32:
		mpfr_set_ui(v->x, (u32)v->bits, MPFR_RNDN);
		break;
	case VGPU_T_I32:
		mpfr_set_si(v->x, (s32)v->bits, MPFR_RNDN);
		break;
	default:
		load_float(v, format_of(type), flush);
	}
}

/* @v without more than @prec bits, or than there are above 2^@low. */
static void round_bits(mpfr_t out, const mpfr_t v, int prec, int low,
		       mpfr_rnd_t round)
{
	int unit = (int)mpfr_get_exp(v) - prec;

	if (unit < low)
		unit = low;
	mpfr_mul_2si(out, v, -unit, MPFR_RNDN);
	mpfr_rint(out, out, round == MPFR_RNDN ? MPFR_RNDN : round);
	mpfr_mul_2si(out, out, unit, MPFR_RNDN);
}

static u64 overflow(const struct format *f, bool neg, mpfr_rnd_t round,
		    bool clamp)
{
	bool inf = round == MPFR_RNDN ||
		   round == (neg ? MPFR_RNDD : MPFR_RNDU);

	return inf && !clamp ? exp_mask(f) : exp_mask(f) - 1;
}

/* The magnitude of a finite number that has been rounded. */
static u64 encode(const struct format *f, const mpfr_t v)
{
	int exp = (int)mpfr_get_exp(v) - 1;
	mpfr_t m;
	u64 bits;

	if (exp < f->emin)
		exp = f->emin;
	mpfr_init2(m, 64);
	mpfr_abs(m, v, MPFR_RNDN);
	mpfr_mul_2si(m, m, (int)f->prec - 1 - exp, MPFR_RNDN);
	bits = mpfr_get_ui(m, MPFR_RNDN);
	mpfr_clear(m);
	/* A normal number brings a bit that adds 1 to the exponent. */
	return bits + ((u64)(exp - f->emin) << (f->prec - 1));
}

static u64 store(const struct format *f, const mpfr_t v, mpfr_rnd_t round,
		 bool flush, bool clamp, u32 *excp)
{
	u64 sign = mpfr_signbit(v) ? BIT_ULL(f->size - 1) : 0, bits;
	mpfr_t r, unbounded;
	bool tiny;

	if (mpfr_inf_p(v))
		return sign | exp_mask(f);
	if (mpfr_zero_p(v))
		return sign;
	mpfr_inits2(ORACLE_BITS, r, unbounded, (mpfr_ptr)NULL);
	round_bits(unbounded, v, f->prec, INT32_MIN / 2, round);
	round_bits(r, v, f->prec, f->emin - (int)f->prec + 1, round);
	tiny = mpfr_get_exp(unbounded) - 1 < f->emin;
	if (mpfr_cmp(r, v))
		*excp |= WAVE_EXCP_INEXACT;
	if (tiny && (flush || mpfr_cmp(r, v)))
		*excp |= WAVE_EXCP_UNDERFLOW | WAVE_EXCP_INEXACT;
	if (mpfr_get_exp(unbounded) - 1 > 1 - f->emin) {
		*excp |= WAVE_EXCP_OVERFLOW | WAVE_EXCP_INEXACT;
		bits = overflow(f, sign, round, clamp);
	} else if (mpfr_zero_p(r) || (tiny && flush)) {
		bits = 0;
	} else {
		bits = encode(f, r);
	}
	mpfr_clears(r, unbounded, (mpfr_ptr)NULL);
	return sign | bits;
}

static void result_float(const struct oracle *o, const struct oracle_mode *m,
			 const struct oracle_value *s, const mpfr_t r,
			 struct oracle_result *res)
{
	struct vgpu_op_info info = oracle_info(o->op);
	enum vgpu_type type = info.dst;
	bool single = type == VGPU_T_F32;
	bool flush = o->flags & ORACLE_FLUSH ||
		     (!(o->flags & ORACLE_COPY) &&
		      (single ? m->ftz32 : m->ftz64));
	bool nan = s[0].nan || s[1].nan || s[2].nan;

	if (mpfr_nan_p(r)) {
		res->any_nan = true;
		if (!nan)
			res->excp |= WAVE_EXCP_INVALID;
		return;
	}
	res->bits = store(format_of(type), r, info.src[0] == VGPU_T_F64 ||
			  !single ? m->round64 : m->round32,
			  flush, m->fp16_ovfl && type == VGPU_T_F16,
			  &res->excp);
}

static void sources(const struct oracle *o, const struct oracle_mode *m,
		    const u64 *src, struct oracle_value *s,
		    struct oracle_result *res)
{
	struct vgpu_op_info info = oracle_info(o->op);
	unsigned int k;

	for (k = 0; k < 3; k++) {
		enum vgpu_type type = info.src[k];
		bool single = type == VGPU_T_F32 || type == VGPU_T_DF32;

		mpfr_init2(s[k].x, ORACLE_BITS);
		s[k].bits = src[k];
		if (type == VGPU_T__) {
			s[k].nan = false;
			continue;
		}
		load(&s[k], type, o->flags & ORACLE_FLUSH ||
		     (single ? m->daz32 : m->daz64));
		if (s[k].snan)
			res->excp |= WAVE_EXCP_INVALID;
		if (s[k].denormal)
			res->excp |= WAVE_EXCP_DENORM;
		/* With a NaN, CPUs do not look at the other operands. */
		if (s[k].nan && o->excp != EXCP_SIGNALS)
			res->excp_known &= ~WAVE_EXCP_DENORM;
	}
}

static void compute_float(const struct oracle *o, const struct oracle_mode *m,
			  const u64 *src, struct oracle_result *res)
{
	struct vgpu_op_info info = oracle_info(o->op);
	struct oracle_value s[3] = { 0 };
	mpfr_rnd_t round = info.src[0] == VGPU_T_F32 ? m->round32 : m->round64;
	unsigned int k;
	mpfr_t r;

	mpfr_init2(r, ORACLE_BITS);
	sources(o, m, src, s, res);
	if (!(o->flags & ORACLE_QUIET_NUM) &&
	    (s[0].nan || s[1].nan || s[2].nan))
		mpfr_set_nan(r);
	else
		o->real(r, s, round, m);
	if (mpfr_erangeflag_p()) {	/* an oracle says that it cannot tell */
		mpfr_clear_erangeflag();
		res->skip = true;
	} else if (info.class != VGPU_CLASS_VALU) {
		res->bits = mpfr_cmp_ui(r, 0) != 0;
	} else if (vgpu_type_is_float(info.dst)) {
		result_float(o, m, s, r, res);
	} else {
		res->bits = (u64)mpfr_get_si(r, MPFR_RNDN);
		if (vgpu_type_dwords(info.dst, 32) == 1)
			res->bits = (u32)res->bits;
	}
	mpfr_clear(r);
	for (k = 0; k < 3; k++)
		mpfr_clear(s[k].x);
}

void oracle_compute(const struct oracle *o, const struct oracle_mode *m,
		    const u64 *src, struct oracle_result *res)
{
	*res = (struct oracle_result){ .excp_known = o->excp };
	mpfr_clear_flags();
	compute_float(o, m, src, res);
	if (mpfr_divby0_p())
		res->excp |= WAVE_EXCP_DIV0;
}

bool oracle_near(enum vgpu_type type, u64 a, u64 b, unsigned int ulps)
{
	const struct format *f = format_of(type);
	u64 sign;

	if (a == b || !ulps)
		return a == b;
	/* Of the same sign, neighbours have neighbouring encodings. */
	sign = BIT_ULL(f->size - 1);
	return !((a ^ b) & sign) && (a > b ? a - b : b - a) <= ulps;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Steps of floating-point divisions, and of the reduction of angles. V_DIV_SCALE scales
 * numerator and denominator such that the approximation of the quotient neither overflows
 * nor loses bits in denormals, and sets VCC where V_DIV_FMAS must scale the quotient back.
 */
#include "isa/exec/gmath.h"
#include "isa/exec/lanes.h"

/* Constants of the scaling, which differ between 32 and 64 bits. */
struct width {
	int near_max;	/* difference of exponents near overflow */
	int near_min;	/* difference of exponents where the quotient may be denormal */
	int tiny;	/* biased exponent of a numerator that is too small */
	int huge;	/* biased exponent of a denominator with a denormal reciprocal */
	int shift;	/* exponent of the factor by which values are scaled */
};

static const struct width f32_width = { 96, -126, 23, 253, 64 };
static const struct width f64_width = { 768, -1022, 53, 2045, 128 };

/* Operands of one lane. Exponents are those of the encoding, also of flushed denormals. */
struct scale {
	double v, den, num;
	int den_exp, num_exp;
};

/* Must V_DIV_FMAS scale the quotient back? This depends on the exponents only. */
static bool scale_back(const struct scale *s, const struct width *t)
{
	int diff = s->num_exp - s->den_exp;

	return diff >= t->near_max || diff <= t->near_min;
}

/*
 * Scale v, which is the denominator or the numerator. With a huge denominator and a small
 * quotient, the denominator is scaled down: if it were scaled up, as the RDNA 3 ISA says, it
 * would be infinite.
 */
static double div_scale(const struct scale *s, const struct width *t)
{
	int diff = s->num_exp - s->den_exp;
	bool is_den = s->v == s->den, is_num = s->v == s->num;
	bool small = diff <= t->near_min, huge = s->den_exp >= t->huge;

	if (s->den == 0 || s->num == 0)
		return NAN;
	if (diff >= t->near_max)
		return is_den ? ldexp(s->v, t->shift) : s->v;
	if (!s->den_exp)
		return ldexp(s->v, t->shift);
	if (huge)
		return is_den || !small ? ldexp(s->v, -t->shift) : s->v;
	if (small)
		return is_num ? ldexp(s->v, t->shift) : s->v;
	if (s->num_exp <= t->tiny)
		return ldexp(s->v, t->shift);
	return s->v;
}

static const struct vgpu_insn *do_scale_f32(struct vgpu_isa_state *c,
					    const struct vgpu_insn *i)
{
	const u32 *pa = vgpu_row(c, i, 0), *pb = vgpu_row(c, i, 1);
	const u32 *ps = vgpu_row(c, i, 2);
	u64 out = 0;
	unsigned int l;

	for (l = 0; l < c->lanes; l++) {
		struct scale s;

		if (!(c->exec >> l & 1))
			continue;
		s.v = vgpu_as_f32(pa[l]);
		s.den = vgpu_flush_f32(c->daz32, vgpu_as_f32(pb[l]));
		s.num = vgpu_flush_f32(c->daz32, vgpu_as_f32(ps[l]));
		s.den_exp = pb[l] >> 23 & 255;
		s.num_exp = ps[l] >> 23 & 255;
		out |= scale_back(&s, &f32_width) ? BIT_ULL(l) : 0;
		c->w->v[i->dst][l] =
			vgpu_of_f32((float)div_scale(&s, &f32_width));
	}
	vgpu_write_mask(c, i->sdst, out);
	return vgpu_next(i);
}

static const struct vgpu_insn *do_scale_f64(struct vgpu_isa_state *c,
					    const struct vgpu_insn *i)
{
	const u32 *pa = vgpu_row(c, i, 0), *pb = vgpu_row(c, i, 1);
	const u32 *ps = vgpu_row(c, i, 2);
	u32 *d = c->w->v[i->dst];
	u64 out = 0;
	unsigned int l;

	vgpu_set_csr(c->csr64);
	for (l = 0; l < c->lanes; l++) {
		struct scale s;

		if (!(c->exec >> l & 1))
			continue;
		s.v = GET_F64(pa, l, 0);
		s.den = GET_F64(pb, l, 0);
		s.num = GET_F64(ps, l, 0);
		s.den_exp = vgpu_exponent_f64(s.den);
		s.num_exp = vgpu_exponent_f64(s.num);
		out |= scale_back(&s, &f64_width) ? BIT_ULL(l) : 0;
		PUT_F64(d, l, div_scale(&s, &f64_width), ~0U);
	}
	vgpu_set_csr(c->csr32);
	vgpu_write_mask(c, i->sdst, out);
	return vgpu_next(i);
}

/*
 * V_DIV_FMAS where VCC is set: an fma, and the quotient is scaled back. It is scaled down if
 * the numerator was scaled up, and up if the denominator was; the exponent of the addend
 * shows which (@up). The result may be denormal and must be rounded once, which needs a
 * wider type than double. It is computed in software, so the CPU flushes nothing.
 */
static __float128 fmas(__float128 a, __float128 b, __float128 s, bool up,
		       const struct width *t)
{
	__float128 r = a * b + s, factor = ldexp(1, t->shift);

	return up ? r * factor : r / factor;
}

/* Get the exceptions of a result that was flushed, which are those of the CPU. */
static u32 flushed(bool lost)
{
	return lost ? WAVE_EXCP_UNDERFLOW | WAVE_EXCP_INEXACT : 0;
}

static const struct vgpu_insn *do_fmas_f32(struct vgpu_isa_state *c,
					   const struct vgpu_insn *i)
{
	const u32 *pa = vgpu_row(c, i, 0), *pb = vgpu_row(c, i, 1);
	const u32 *ps = vgpu_row(c, i, 2);
	u64 vcc = vgpu_wave_vcc(c->w);
	unsigned int l;

	for (l = 0; l < c->lanes; l++) {
		float a = vgpu_flush_f32(c->daz32, vgpu_as_f32(pa[l])), r;
		float b = vgpu_flush_f32(c->daz32, vgpu_as_f32(pb[l]));
		float s = vgpu_flush_f32(c->daz32, vgpu_as_f32(ps[l]));
		u32 bits;

		if (!(c->exec >> l & 1))
			continue;
		if (vcc >> l & 1)
			r = (float)fmas(a, b, s, vgpu_exponent_f32(s) > 127,
					&f32_width);
		else
			r = fmaf(a, b, s);
		bits = vgpu_of_f32(vgpu_flush_f32(c->ftz32, r));
		c->excp |= flushed(bits != vgpu_of_f32(r));
		c->w->v[i->dst][l] = bits;
	}
	return vgpu_next(i);
}

static const struct vgpu_insn *do_fmas_f64(struct vgpu_isa_state *c,
					   const struct vgpu_insn *i)
{
	const u32 *pa = vgpu_row(c, i, 0), *pb = vgpu_row(c, i, 1);
	const u32 *ps = vgpu_row(c, i, 2);
	u64 vcc = vgpu_wave_vcc(c->w);
	u32 *d = c->w->v[i->dst];
	unsigned int l;

	vgpu_set_csr(c->csr64);
	for (l = 0; l < c->lanes; l++) {
		double a = vgpu_flush_f64(c->daz64, GET_F64(pa, l, 0)), r;
		double b = vgpu_flush_f64(c->daz64, GET_F64(pb, l, 0));
		double s = vgpu_flush_f64(c->daz64, GET_F64(ps, l, 0));
		u64 bits;

		if (!(c->exec >> l & 1))
			continue;
		if (vcc >> l & 1)
			r = (double)fmas(a, b, s, vgpu_exponent_f64(s) > 1023,
					 &f64_width);
		else
			r = fma(a, b, s);
		bits = vgpu_of_f64(vgpu_flush_f64(c->ftz64, r));
		c->excp |= flushed(bits != vgpu_of_f64(r));
		PUT_U64(d, l, bits, ~0U);
	}
	vgpu_set_csr(c->csr32);
	return vgpu_next(i);
}

/* Get bits @at to @at + 52 of the fraction of 2 / pi; the table has 1201 bits. */
static u64 two_over_pi(u32 at)
{
	static const u64 fraction[] = {
		0xa2f9836e4e441529ULL, 0xfc2757d1f534ddc0ULL, 0xdb6295993c439041ULL,
		0xfe5163abdebbc561ULL, 0xb7246e3a424dd2e0ULL, 0x06492eea09d1921cULL,
		0xfe1deb1cb129a73eULL, 0xe88235f52ebb4484ULL, 0xe99c7026b45f7e41ULL,
		0x3991d639835339f4ULL, 0x9c845f8bbdf9283bULL, 0x1ff897ffde05980fULL,
		0xef2f118b5a0a6d1fULL, 0x6d367ecf27cb09b7ULL, 0x4f463f669e5fea2dULL,
		0x7527bac7ebe5f17bULL, 0x3d0739f78a5292eaULL, 0x6bfb5fb11f8d5d08ULL,
		0x56033046fc7b0000ULL,
	};
	u64 r = 0;
	u32 n;

	for (n = at; n < at + 53; n++) {
		r <<= 1;
		if (n / 64 < ARRAY_SIZE(fraction))
			r |= fraction[n / 64] >> (63 - n % 64) & 1;
	}
	return r;
}

/*
 * V_TRIG_PREOP_F64: get 53 bits of 2 / pi, from those on that matter for the argument @a:
 * the product of @a and the bits before them is a multiple of the period. For a large @a the
 * result is scaled, so that the product does not overflow.
 */
double vgpu_trig_preop(double a, u32 segment)
{
	u32 shift = segment * 53;
	int e = (int)(vgpu_of_f64(a) >> 52 & 2047), scale;

	if (e > 1077)
		shift += (u32)e - 1077;
	scale = -53 - (int)shift;
	if (e >= 1968)
		scale += 128;
	return ldexp((double)two_over_pi(shift), scale);
}

void vgpu_handlers_div(vgpu_exec_fn *fn)
{
	fn[VGPU_OP_V_DIV_SCALE_F32] = do_scale_f32;
	fn[VGPU_OP_V_DIV_SCALE_F64] = do_scale_f64;
	fn[VGPU_OP_V_DIV_FMAS_F32] = do_fmas_f32;
	fn[VGPU_OP_V_DIV_FMAS_F64] = do_fmas_f64;
}

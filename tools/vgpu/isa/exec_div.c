// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Steps of floating-point divisions. V_DIV_SCALE moves numerator and
 * denominator to where the approximation neither overflows nor loses bits to
 * denormals, and tells V_DIV_FMAS by VCC to move the quotient back.
 */
#include "lanes.h"

#include <xmmintrin.h>

/* The same for both widths: what is different between them. */
struct width {
	int near_max;	/* difference of exponents near overflow */
	int tiny;	/* biased exponent of a numerator that is too small */
	int shift;	/* by how much values are moved */
	int min_exp;	/* of normal numbers */
	int bias;
};

static const struct width f32_width = { 96, 23, 64, -126, 127 };
static const struct width f64_width = { 768, 53, 128, -1022, 1023 };

/* Exponent of a power of two not above |v|, as biased in the encoding. */
static int biased(double v, const struct width *t)
{
	int e;

	if (v == 0)
		return 0;
	if (!isfinite(v))
		return 2 * t->bias + 1;
	frexp(v, &e);
	return e - 1 < t->min_exp ? 0 : e - 1 + t->bias;
}

static bool denormal(double v, const struct width *t)
{
	return v != 0 && fabs(v) < ldexp(1, t->min_exp);
}

/* Is the quotient smaller than a normal number? */
static bool small_quotient(double den, double num, const struct width *t)
{
	int ed, en;
	double md = frexp(fabs(den), &ed), mn = frexp(fabs(num), &en);

	return en - ed < t->min_exp || (en - ed == t->min_exp && mn < md);
}

/*
 * Scale @v, which is the denominator or the numerator. *vcc: the quotient will
 * have to be scaled back.
 */
static double div_scale(double v, double den, double num,
			const struct width *t, bool *vcc)
{
	int diff = biased(num, t) - biased(den, t);
	bool is_den = v == den, is_num = v == num;
	/* 1/den and num/den would be denormal */
	bool small_rcp = biased(den, t) >= 2 * t->bias - 1;
	bool small_quot = small_quotient(den, num, t);

	*vcc = false;
	if (den == 0 || num == 0)
		return NAN;
	if (diff >= t->near_max) {
		*vcc = true;
		return is_den ? ldexp(v, t->shift) : v;
	}
	if (denormal(den, t))
		return ldexp(v, t->shift);
	if (small_rcp && small_quot) {
		*vcc = true;
		return is_den ? ldexp(v, -t->shift) : v;
	}
	if (small_rcp)
		return ldexp(v, -t->shift);
	if (small_quot) {
		*vcc = true;
		return is_num ? ldexp(v, t->shift) : v;
	}
	if (biased(num, t) <= t->tiny)
		return ldexp(v, t->shift);
	return v;
}

static const struct vgpu_insn *do_scale_f32(struct vgpu_isa_state *c,
					    const struct vgpu_insn *i)
{
	const u32 *pa = vgpu_row(c, i, 0), *pb = vgpu_row(c, i, 1);
	const u32 *ps = vgpu_row(c, i, 2);
	u64 out = 0;
	unsigned int l;

	for (l = 0; l < c->lanes; l++) {
		bool vcc;
		float r;

		if (!(c->exec >> l & 1))
			continue;
		r = (float)div_scale(vgpu_as_f32(pa[l]), vgpu_as_f32(pb[l]),
				     vgpu_as_f32(ps[l]), &f32_width, &vcc);
		out |= vcc ? BIT_ULL(l) : 0;
		c->w->v[i->dst][l] = vgpu_of_f32(r);
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

	_mm_setcsr(c->csr64);
	for (l = 0; l < c->lanes; l++) {
		bool vcc;
		double r;

		if (!(c->exec >> l & 1))
			continue;
		r = div_scale(GET_F64(pa, l, 0), GET_F64(pb, l, 0),
			      GET_F64(ps, l, 0), &f64_width, &vcc);
		out |= vcc ? BIT_ULL(l) : 0;
		PUT_F64(d, l, r, ~0U);
	}
	_mm_setcsr(c->csr32);
	vgpu_write_mask(c, i->sdst, out);
	return vgpu_next(i);
}

/*
 * fma, and where VCC is set the quotient scaled back: down when the numerator
 * was scaled up, up when the denominator was; the addend tells which. The
 * result may be denormal, and is rounded only once: hence the wider type.
 */
static __float128 fmas(__float128 a, __float128 b, __float128 s, bool up,
		       const struct width *t)
{
	__float128 r = a * b + s, factor = ldexp(1, t->shift);

	return up ? r * factor : r / factor;
}

static const struct vgpu_insn *do_fmas_f32(struct vgpu_isa_state *c,
					   const struct vgpu_insn *i)
{
	const u32 *pa = vgpu_row(c, i, 0), *pb = vgpu_row(c, i, 1);
	const u32 *ps = vgpu_row(c, i, 2);
	u64 vcc = vgpu_wave_vcc(c->w);
	unsigned int l;

	for (l = 0; l < c->lanes; l++) {
		float s = vgpu_as_f32(ps[l]), r;

		if (!(c->exec >> l & 1))
			continue;
		if (vcc >> l & 1)
			r = (float)fmas(vgpu_as_f32(pa[l]), vgpu_as_f32(pb[l]),
					s, biased(s, &f32_width) > 127,
					&f32_width);
		else
			r = fmaf(vgpu_as_f32(pa[l]), vgpu_as_f32(pb[l]), s);
		c->w->v[i->dst][l] = vgpu_of_f32(r);
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

	_mm_setcsr(c->csr64);
	for (l = 0; l < c->lanes; l++) {
		double s = GET_F64(ps, l, 0), r;

		if (!(c->exec >> l & 1))
			continue;
		if (vcc >> l & 1)
			r = (double)fmas(GET_F64(pa, l, 0), GET_F64(pb, l, 0),
					 s, biased(s, &f64_width) > 1023,
					 &f64_width);
		else
			r = fma(GET_F64(pa, l, 0), GET_F64(pb, l, 0), s);
		PUT_F64(d, l, r, ~0U);
	}
	_mm_setcsr(c->csr32);
	return vgpu_next(i);
}

void vgpu_handlers_div(vgpu_exec_fn *fn)
{
	fn[VGPU_OP_V_DIV_SCALE_F32] = do_scale_f32;
	fn[VGPU_OP_V_DIV_SCALE_F64] = do_scale_f64;
	fn[VGPU_OP_V_DIV_FMAS_F32] = do_fmas_f32;
	fn[VGPU_OP_V_DIV_FMAS_F64] = do_fmas_f64;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Exceptions of operations whose handlers do not raise the right ones on the CPU. The
 * functions below compute the operation again for each active lane, such that the CPU's
 * flags are right, or return the exceptions themselves.
 */
#include "isa/exec/excp_computed.h"
#include "isa/exec/gmath.h"
#include "isa/exec/lanes.h"

/* The sources of one lane. */
struct lane {
	const u32 *row[3];
	unsigned int l;
	unsigned int half;	/* shift of the half that is evaluated: 0 or 16 */
};

static float f32(const struct lane *s, unsigned int k)
{
	return vgpu_as_f32(s->row[k][s->l]);
}

static double f64(const struct lane *s, unsigned int k)
{
	return GET_F64(s->row[k], s->l, 0);
}

u32 vgpu_excp_to_f16(const struct vgpu_isa_state *c, double v)
{
	u32 round = c->w->fp_round >> 2, bits = WAVE_EXCP_INEXACT;
	bool tiny;

	if (v != v || isinf(v))
		return 0;
	tiny = vgpu_f16_tiny(v, round);
	if (tiny && c->ftz64)
		return bits | WAVE_EXCP_UNDERFLOW;
	if (vgpu_f16_value(vgpu_f16_round(v, round, false)) == v)
		return 0;
	/* Would it exceed the largest number, if there were one more exponent? */
	if (fabs(vgpu_f16_value(vgpu_f16_round(v / 2, round, false))) >=
	    0x1p15)
		bits |= WAVE_EXCP_OVERFLOW;
	return tiny ? bits | WAVE_EXCP_UNDERFLOW : bits;
}

static u32 to_int(double v, double low, double high)
{
	double whole = trunc(v);

	if (v != v || whole < low || whole > high)
		return WAVE_EXCP_INVALID;
	return whole != v ? WAVE_EXCP_INEXACT : 0;
}

static double f16(const struct vgpu_isa_state *c, const struct lane *s,
		  unsigned int k)
{
	return s->row[k] ? vgpu_half(c, s->row[k][s->l], s->half) : 0;
}

/* Half precision. Results are volatile, because they are computed only for the CPU's flags. */
static u32 of_f16(const struct vgpu_isa_state *ctx, enum vgpu_op op,
		  const struct lane *s)
{
	double a = f16(ctx, s, 0), b = f16(ctx, s, 1), c = f16(ctx, s, 2);
	volatile double r;

	switch (op) {
	case VGPU_OP_V_ADD_F16:
	case VGPU_OP_V_PK_ADD_F16:
		r = a + b;
		break;
	case VGPU_OP_V_SUB_F16:
		r = a - b;
		break;
	case VGPU_OP_V_SUBREV_F16:
		r = b - a;
		break;
	case VGPU_OP_V_MUL_F16:
	case VGPU_OP_V_PK_MUL_F16:
		r = a * b;
		break;
	case VGPU_OP_V_RCP_F16:
		r = 1.0 / a;
		break;
	case VGPU_OP_V_SQRT_F16:
		r = sqrt(a);
		break;
	case VGPU_OP_V_RSQ_F16:
		r = 1.0 / sqrt(a);
		break;
	case VGPU_OP_V_LDEXP_F16:
		r = vgpu_ldexp_f16(a, (s16)s->row[1][s->l]);
		break;
	case VGPU_OP_V_DIV_FIXUP_F16:
		/* Only the division raises exceptions. */
		r = c / b;
		return 0;
	case VGPU_OP_V_CVT_I16_F16:
		return to_int(a, INT16_MIN, INT16_MAX);
	case VGPU_OP_V_CVT_U16_F16:
		return to_int(a, 0, UINT16_MAX);
	default:	/* V_FMA, V_FMAC, V_PK_FMA */
		r = vgpu_fma_f16(a, b, c);
		break;
	}
	return vgpu_excp_to_f16(ctx, r);
}

static u32 of_f32(const struct vgpu_isa_state *c, enum vgpu_op op,
		  const struct lane *s)
{
	volatile float a = f32(s, 0), r;

	switch (op) {
	case VGPU_OP_V_MUL_LEGACY_F32:
		r = a == 0 || f32(s, 1) == 0 ? 0 : a * f32(s, 1);
		break;
	case VGPU_OP_V_FMA_LEGACY_F32:
	case VGPU_OP_V_FMAC_LEGACY_F32:
		r = vgpu_fma_legacy(a, f32(s, 1), f32(s, 2));
		break;
	case VGPU_OP_V_RCP_IFLAG_F32:
		/* Compilers begin a division of integers with this operation. */
		return a == 0 ? WAVE_EXCP_INT_DIV0 : 0;
	case VGPU_OP_V_LDEXP_F32:
		r = ldexpf(a, (int)s->row[1][s->l]);
		break;
	case VGPU_OP_V_DIV_FIXUP_F32:
		r = f32(s, 2) / f32(s, 1);
		break;
	case VGPU_OP_V_CVT_U32_F32:
		return to_int(a, 0, UINT32_MAX);
	case VGPU_OP_V_CVT_RPI_I32_F32:
		return to_int(floor(a + 0.5), INT32_MIN, INT32_MAX) |
		       (to_int(a, -INFINITY, INFINITY));
	case VGPU_OP_V_CVT_FLR_I32_F32:
		return to_int(floor(a), INT32_MIN, INT32_MAX) |
		       (to_int(a, -INFINITY, INFINITY));
	case VGPU_OP_V_CVT_F16_F32:
		return vgpu_excp_to_f16(c, vgpu_flush_f32(c->daz32, a));
	default:	/* V_CVT_I32_F32 */
		return to_int(a, INT32_MIN, INT32_MAX);
	}
	(void)r;
	return 0;
}

static u32 of_f64(enum vgpu_op op, const struct lane *s)
{
	volatile double a = f64(s, 0), r;

	switch (op) {
	case VGPU_OP_V_LDEXP_F64:
		r = ldexp(a, (int)s->row[1][s->l]);
		break;
	case VGPU_OP_V_DIV_FIXUP_F64:
		r = f64(s, 2) / f64(s, 1);
		break;
	case VGPU_OP_V_CVT_U32_F64:
		return to_int(a, 0, UINT32_MAX);
	default:	/* V_CVT_I32_F64 */
		return to_int(a, INT32_MIN, INT32_MAX);
	}
	(void)r;
	return 0;
}

static u32 of_lane(const struct vgpu_isa_state *c, const struct vgpu_insn *i,
		   const struct lane *s)
{
	struct lane upper = *s;

	switch (vgpu_detail(c, i)->src[0].type) {
	case VGPU_T_F64:
		return of_f64(i->op, s);
	case VGPU_T_F32:
		return of_f32(c, i->op, s);
	case VGPU_T_F16:
	case VGPU_T_B16:
		return of_f16(c, i->op, s);
	case VGPU_T_PF16:
		upper.half = 16;
		return of_f16(c, i->op, s) | of_f16(c, i->op, &upper);
	case VGPU_T_I16:
		return vgpu_excp_to_f16(c, (s16)s->row[0][s->l]);
	case VGPU_T_U16:
		return vgpu_excp_to_f16(c, (u16)s->row[0][s->l]);
	}
	return 0;
}

/* Get the CPU's flags that are right for an operation; the others are computed. */
static u32 relevant(enum vgpu_op op)
{
	switch (op) {
	case VGPU_OP_V_MUL_LEGACY_F32:
	case VGPU_OP_V_FMA_LEGACY_F32:
	case VGPU_OP_V_FMAC_LEGACY_F32:
	case VGPU_OP_V_LDEXP_F32:
	case VGPU_OP_V_LDEXP_F64:
		/* libm uses denormals internally. */
		return VGPU_MXCSR_FLAGS & ~WAVE_EXCP_DENORM;
	case VGPU_OP_V_DIV_FIXUP_F16:
	case VGPU_OP_V_DIV_FIXUP_F32:
	case VGPU_OP_V_DIV_FIXUP_F64:
		/* "RDNA 2" ISA, V_DIV_FIXUP_F32: raises these three for the division */
		return WAVE_EXCP_INVALID | WAVE_EXCP_DENORM |
		       WAVE_EXCP_DIV0;
	case VGPU_OP_V_ADD_F16:
	case VGPU_OP_V_SUB_F16:
	case VGPU_OP_V_SUBREV_F16:
	case VGPU_OP_V_MUL_F16:
	case VGPU_OP_V_FMA_F16:
	case VGPU_OP_V_FMAC_F16:
	case VGPU_OP_V_RCP_F16:
	case VGPU_OP_V_SQRT_F16:
	case VGPU_OP_V_RSQ_F16:
	case VGPU_OP_V_FMAMK_F16:
	case VGPU_OP_V_FMAAK_F16:
	case VGPU_OP_V_PK_ADD_F16:
	case VGPU_OP_V_PK_MUL_F16:
	case VGPU_OP_V_PK_FMA_F16:
	case VGPU_OP_V_PK_FMAC_F16:
		return WAVE_EXCP_INVALID | WAVE_EXCP_DIV0 |
		       WAVE_EXCP_INEXACT;
	default:
		return 0;
	}
}

u32 vgpu_excp_computed(struct vgpu_isa_state *c, const struct vgpu_insn *i)
{
	const struct vgpu_src_detail *src = vgpu_detail(c, i)->src;
	u32 csr = _mm_getcsr(), bits = 0;
	struct lane s = { .half = 0 };
	unsigned int k;

	for (k = 0; k < 3; k++)
		s.row[k] = src[k].type == VGPU_T__ ? NULL :
			   vgpu_row(c, i, k);
	_mm_setcsr(vgpu_csr(c, vgpu_op_info[i->op].dst, src[0].type));
	for (s.l = 0; s.l < c->lanes; s.l++) {
		if (c->exec >> s.l & 1)
			bits |= of_lane(c, i, &s);
	}
	bits |= _mm_getcsr() & relevant(i->op);
	_mm_setcsr(csr);
	return bits;
}

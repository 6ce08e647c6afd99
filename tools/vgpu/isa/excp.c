// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which floating-point exceptions an instruction raises. The handlers do not
 * know: they compute whole registers at once, also for inactive lanes. So when
 * a wave has exceptions enabled, the arithmetic of each active lane is done
 * here once more, one by one, with the CPU's own exception flags.
 */
#include "excp.h"
#include "lanes.h"

#include <xmmintrin.h>

/* Flags of MXCSR; those of TRAPSTS have the same order. */
#define MXCSR_FLAGS	GENMASK(5, 0)

/* Sources of one lane. */
struct lane {
	const u32 *row[3];
	unsigned int l;
};

static float f32(const struct lane *s, unsigned int k)
{
	return vgpu_as_f32(s->row[k][s->l]);
}

static double f64(const struct lane *s, unsigned int k)
{
	return GET_F64(s->row[k], s->l, 0);
}

/* Volatile: it is the flags that matter, the result does not. */
static void arithmetic_f32(enum vgpu_op op, const struct lane *s)
{
	volatile float a = f32(s, 0), b = s->row[1] ? f32(s, 1) : 0;
	volatile float c = s->row[2] ? f32(s, 2) : 0, r;

	switch (op) {
	case VGPU_OP_V_ADD_F32:
		r = a + b;
		break;
	case VGPU_OP_V_SUB_F32:
		r = a - b;
		break;
	case VGPU_OP_V_SUBREV_F32:
		r = b - a;
		break;
	case VGPU_OP_V_MUL_F32:
	case VGPU_OP_V_MUL_LEGACY_F32:
		r = a * b;
		break;
	case VGPU_OP_V_FMA_F32:
	case VGPU_OP_V_FMAC_F32:
	case VGPU_OP_V_FMAMK_F32:
	case VGPU_OP_V_FMAAK_F32:
		r = fmaf(a, b, c);
		break;
	case VGPU_OP_V_RCP_F32:
		r = 1.0f / a;
		break;
	case VGPU_OP_V_RSQ_F32:
		r = 1.0f / sqrtf(a);
		break;
	case VGPU_OP_V_SQRT_F32:
		r = sqrtf(a);
		break;
	case VGPU_OP_V_DIV_FIXUP_F32:
		/* The steps before it do not signal, it does for all. */
		r = c / b;
		break;
	case VGPU_OP_V_CVT_I32_F32:
		r = (float)_mm_cvttss_si32(_mm_set_ss(a));
		break;
	default:
		/* Others signal only for NaNs that signal. */
		r = a + 0.0f;
		break;
	}
	(void)r;
}

static void arithmetic_f64(enum vgpu_op op, const struct lane *s)
{
	volatile double a = f64(s, 0), r;
	volatile double b = s->row[1] ? f64(s, 1) : 0;
	volatile double c = s->row[2] ? f64(s, 2) : 0;

	switch (op) {
	case VGPU_OP_V_ADD_F64:
		r = a + b;
		break;
	case VGPU_OP_V_MUL_F64:
		r = a * b;
		break;
	case VGPU_OP_V_FMA_F64:
		r = fma(a, b, c);
		break;
	case VGPU_OP_V_RCP_F64:
		r = 1.0 / a;
		break;
	case VGPU_OP_V_RSQ_F64:
		r = 1.0 / sqrt(a);
		break;
	case VGPU_OP_V_SQRT_F64:
		r = sqrt(a);
		break;
	case VGPU_OP_V_DIV_FIXUP_F64:
		r = c / b;
		break;
	case VGPU_OP_V_CVT_F32_F64:
		r = (float)a;
		break;
	default:
		r = a + 0.0;
		break;
	}
	(void)r;
}

static u32 flags_of_lane(struct vgpu_isa_state *c, const struct vgpu_insn *i,
			 const struct lane *s)
{
	enum vgpu_type type = i->src[0].type;
	u32 flags;

	/* A division of integers begins with this. */
	if (i->op == VGPU_OP_V_RCP_IFLAG_F32)
		return f32(s, 0) == 0 ? TRAPSTS_EXCP_INT_DIV0 : 0;
	_mm_setcsr(type == VGPU_T_F64 ? c->csr64 : c->csr32);
	if (type == VGPU_T_F64)
		arithmetic_f64(i->op, s);
	else
		arithmetic_f32(i->op, s);
	flags = _mm_getcsr() & MXCSR_FLAGS;
	_mm_setcsr(c->csr32);
	return flags;
}

/* The predecoded instruction at w->pc, which is decoded if it was not yet. */
static const struct vgpu_insn *insn_at_pc(struct vgpu_isa_state *c,
					  struct vgpu_insn *i)
{
	u32 words[VGPU_MAX_WORDS];
	const struct vgpu_isa_row *row;
	struct vgpu_fields f;
	unsigned int got;

	got = vgpu_fetch(c, c->w->pc, words, VGPU_MAX_WORDS);
	if (!c->isa->decode(words, &f) || f.words > got)
		return NULL;
	row = vgpu_isa_row(c->isa, &f);
	*i = (struct vgpu_insn){ .words = f.words };
	if (!row || row->op == VGPU_OP_NONE ||
	    !vgpu_bind(c, c->page, i, &f, row->op))
		return NULL;
	return i;
}

u32 vgpu_fp_exceptions(struct vgpu_isa_state *c)
{
	const struct vgpu_insn *i;
	struct vgpu_insn own;
	struct lane s;
	u32 bits = 0;
	unsigned int k;

	c->page = vgpu_page_get(c, c->w->pc, c->w->vmid);
	if (!c->page)
		return 0;
	i = insn_at_pc(c, &own);
	if (!i || vgpu_op_info[i->op].class != VGPU_CLASS_VALU ||
	    (i->src[0].type != VGPU_T_F32 && i->src[0].type != VGPU_T_F64))
		return 0;
	for (k = 0; k < 3; k++) {
		if (i->prepare >> k & 1)
			vgpu_prepare_source(c, i, k);
		/* Lane masks and shifts are no floats. */
		s.row[k] = vgpu_type_is_float(i->src[k].type) ?
			   vgpu_row(c, i, k) : NULL;
	}
	for (s.l = 0; s.l < c->lanes; s.l++) {
		if (c->exec >> s.l & 1)
			bits |= flags_of_lane(c, i, &s);
	}
	return bits;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Modifiers that an encoding can apply to the operands of any vector operation: broadcast of
 * scalars, abs and neg, parts of registers (SDWA, op_sel), values of other lanes (DPP), and
 * output modifiers. The handlers of operations do not see them.
 */
#include "isa/exec/lanes.h"

#include <string.h>

/* Get the lane that DPP reads for lane @l; -1: none. */
static int dpp16_lane(const struct vgpu_isa *isa, u16 ctrl, unsigned int l)
{
	unsigned int row = l & ~15U, n = ctrl & 15;
	int to;

	switch (isa->dpp[ctrl >> 4]) {
	case VGPU_DPP_QUAD_PERM:
		return (l & ~3U) | (ctrl >> 2 * (l & 3) & 3);
	case VGPU_DPP_ROW_SHL:
		to = (l & 15) + n;
		return to < 16 ? (int)row + to : -1;
	case VGPU_DPP_ROW_SHR:
		to = (int)(l & 15) - (int)n;
		return to >= 0 ? (int)row + to : -1;
	case VGPU_DPP_ROW_ROR:
		return row + ((l - n) & 15);
	case VGPU_DPP_MIRROR:
		return n == 0 ? row + (15 - (l & 15)) :
				(l & ~7U) + (7 - (l & 7));
	case VGPU_DPP_ROW_SHARE:
		return row + n;
	case VGPU_DPP_ROW_XMASK:
		return row + ((l & 15) ^ n);
	}
	return -1;
}

/* The same for DPP16 and DPP8; also -1 if the lane is inactive and must not be read. */
static int dpp_lane(const struct vgpu_isa_state *c, const struct vgpu_detail *d,
		    unsigned int l)
{
	int from = d->sub == VGPU_SUB_DPP8 ?
		   (int)((l & ~7U) + (d->dpp >> 3 * (l & 7) & 7)) :
		   dpp16_lane(c->isa, d->dpp_ctrl, l);

	if (from >= 0 && !d->fetch_inactive &&
	    !(vgpu_wave_exec(c->w) >> from & 1))
		return -1;
	return from;
}

static void permute(struct vgpu_isa_state *c, const struct vgpu_detail *how,
		    u32 (*row)[VGPU_LANES], unsigned int dwords)
{
	u32 old[2][VGPU_LANES];
	unsigned int l, d;

	memcpy(old, row, sizeof(old));
	for (l = 0; l < c->lanes; l++) {
		int from = dpp_lane(c, how, l);

		for (d = 0; d < dwords; d++)
			row[d][l] = from < 0 ? 0 : old[d][from];
	}
}

static u32 select_part(u32 v, unsigned int sel, bool sext)
{
	switch (sel) {
	case VGPU_SEL_BYTE0 ... VGPU_SEL_BYTE3:
		v = v >> 8 * sel & 0xff;
		return sext ? (u32)(s8)v : v;
	case VGPU_SEL_WORD0:
	case VGPU_SEL_WORD1:
		v = v >> 16 * (sel - VGPU_SEL_WORD0) & 0xffff;
		return sext ? (u32)(s16)v : v;
	}
	return v;
}

/* VOP3P: select both halves of a source, with their signs. */
static u32 select_halves(u32 v, unsigned int how)
{
	u32 low = how & VGPU_PACKED_LOW_HIGH ? v >> 16 : v & 0xffff;
	u32 high = how & VGPU_PACKED_HIGH_LOW ? v & 0xffff : v >> 16;

	if (how & VGPU_PACKED_NEG_LOW)
		low ^= BIT(15);
	if (how & VGPU_PACKED_NEG_HIGH)
		high ^= BIT(15);
	return low | high << 16;
}

/* Get the sign bit of a type, and the dword that contains it. */
static u32 sign_bit(enum vgpu_type type, unsigned int *dword)
{
	*dword = type == VGPU_T_F64;
	return type == VGPU_T_F16 || type == VGPU_T_DF16 ||
	       type == VGPU_T_B16 ? BIT(15) : BIT(31);
}

/* Copy the unmodified lanes of a source to @row. */
static void plain_source(struct vgpu_isa_state *c, u8 reg,
			 const struct vgpu_src_detail *s,
			 u32 (*row)[VGPU_LANES], unsigned int dwords)
{
	u8 kind = s->kind == VGPU_KIND_MODIFIED ? s->plain_kind : s->kind;
	unsigned int l;
	u64 v;

	if (kind == VGPU_KIND_VGPR) {
		memcpy(row, c->w->v[reg], dwords * sizeof(row[0]));
		return;
	}
	if (kind == VGPU_KIND_CONST) {
		memcpy(row, (const void *)s->plain, dwords * sizeof(row[0]));
		return;
	}
	if (kind == VGPU_KIND_SPECIAL)
		v = vgpu_special(c, reg);
	else
		v = make_64(dwords > 1 ? c->w->s[reg + 1] : 0, c->w->s[reg]);
	for (l = 0; l < c->lanes; l++) {
		row[0][l] = (u32)v;
		row[1][l] = v >> 32;
	}
}

void vgpu_prepare_source(struct vgpu_isa_state *c, const struct vgpu_insn *i,
			 unsigned int k)
{
	const struct vgpu_detail *how = vgpu_detail(c, i);
	const struct vgpu_src_detail *s = &how->src[k];
	unsigned int dwords = vgpu_type_dwords(s->type, c->lanes);
	u32 (*row)[VGPU_LANES] = c->tmp[k];
	unsigned int l, d;
	u32 sign;

	if (s->scalar) {
		u64 v = vgpu_special(c, i->reg[k]);

		memcpy(row, &v, sizeof(v));
		return;
	}
	plain_source(c, i->reg[k], s, row, dwords);
	if (s->kind != VGPU_KIND_MODIFIED)
		return;
	if (s->permuted)
		permute(c, how, row, dwords);
	sign = sign_bit(s->type, &d);
	for (l = 0; l < c->lanes; l++) {
		row[0][l] = select_part(row[0][l], s->sel, s->sext);
		if (s->packed)
			row[0][l] = select_halves(row[0][l], s->packed);
		if (s->abs)
			row[d][l] &= ~sign;
		if (s->neg)
			row[d][l] ^= sign;
	}
}

/* Get the lanes that write a result with DPP: in enabled rows and banks, with a source. */
static u64 dpp_writes(const struct vgpu_isa_state *c,
		      const struct vgpu_detail *d)
{
	u64 mask = 0;
	unsigned int l;

	for (l = 0; l < c->lanes; l++) {
		if (!(d->row_mask >> (l >> 4) & 1) ||
		    !(d->bank_mask >> (l >> 2 & 3) & 1))
			continue;
		if (d->bound_ctrl || dpp_lane(c, d, l) >= 0)
			mask |= BIT_ULL(l);
	}
	return mask;
}

static float output_f32(const struct vgpu_isa_state *c,
			const struct vgpu_detail *how, float v)
{
	static const float factor[] = { 1, 2, 4, 0.5f };

	/* omod has no effect with IEEE, or with denormal results (RDNA 2 ISA, 6.2.2). */
	if (!c->ieee && c->ftz32)
		v *= factor[how->omod];
	if (how->clamp) {
		if (v != v)
			return c->dx10_clamp ? 0 : v;
		v = v < 0 ? 0 : v > 1 ? 1 : v;
	}
	return v;
}

static double output_f64(const struct vgpu_isa_state *c,
			 const struct vgpu_detail *how, double v)
{
	static const double factor[] = { 1, 2, 4, 0.5 };

	if (!c->ieee && c->ftz64)
		v *= factor[how->omod];
	if (how->clamp) {
		if (v != v)
			return c->dx10_clamp ? 0 : v;
		v = v < 0 ? 0 : v > 1 ? 1 : v;
	}
	return v;
}

static void output_float(struct vgpu_isa_state *ctx, const struct vgpu_insn *i)
{
	const struct vgpu_detail *how = vgpu_detail(ctx, i);
	enum vgpu_type type = vgpu_op_info[i->op].dst;
	u32 *d = ctx->w->v[i->dst], flags = _mm_getcsr() & VGPU_MXCSR_FLAGS;
	unsigned int l;
	double v, hi;

	/* These results are floats, although the operand type is bits. */
	if (i->op == VGPU_OP_V_CVT_F16_F32 || i->op == VGPU_OP_V_DIV_FIXUP_F16)
		type = VGPU_T_F16;

	/* The value is a result, so denormals in it are not flushed as in sources. */
	_mm_setcsr(vgpu_csr(ctx, type, type) & ~VGPU_MXCSR_DAZ);
	for (l = 0; l < ctx->lanes; l++) {
		if (!(ctx->exec >> l & 1))
			continue;
		switch (type) {
		case VGPU_T_F32:
			v = output_f32(ctx, how, vgpu_as_f32(d[l]));
			d[l] = vgpu_of_f32((float)v);
			break;
		case VGPU_T_F64:
			v = output_f64(ctx, how, GET_F64(d, l, 0));
			PUT_F64(d, l, v, ~0U);
			break;
		case VGPU_T_F16:
			v = output_f64(ctx, how, vgpu_f16_value(d[l]));
			PUT_F16(d, l, v, ~0U);
			break;
		case VGPU_T_PF16:
			v = output_f64(ctx, how, vgpu_f16_value(d[l] & 0xffff));
			hi = vgpu_f16_value(d[l] >> 16);
			hi = output_f64(ctx, how, hi);
			d[l] = vgpu_f16_from(ctx, v) |
			       vgpu_f16_from(ctx, hi) << 16;
			break;
		default:
			break;
		}
	}
	_mm_setcsr(ctx->csr32 | flags);
}

/* SDWA, op_sel: write the result to a part of the register; @old: its previous value. */
static void output_part(struct vgpu_isa_state *c, const struct vgpu_insn *i,
			const u32 *old)
{
	u8 sel = vgpu_detail(c, i)->dst_sel;
	u8 unused = vgpu_detail(c, i)->dst_unused;
	bool byte = sel <= VGPU_SEL_BYTE3;
	unsigned int shift = byte ? 8 * sel : 16 * (sel - VGPU_SEL_WORD0);
	u32 *d = c->w->v[i->dst];
	u32 field = (byte ? 0xffU : 0xffffU) << shift, l;

	for (l = 0; l < c->lanes; l++) {
		u32 v = d[l] << shift & field;

		if (!(c->exec >> l & 1))
			continue;
		if (unused == 1 && v & (field & ~(field >> 1)))
			v |= ~(field | (BIT(shift) - 1));
		else if (unused == 2)
			v |= old[l] & ~field;
		d[l] = v;
	}
}

const struct vgpu_insn *vgpu_exec_modified(struct vgpu_isa_state *c,
					   const struct vgpu_insn *i)
{
	const struct vgpu_detail *how = vgpu_detail(c, i);
	bool narrowed = how->sub == VGPU_SUB_DPP16;
	u64 exec = c->exec;
	const struct vgpu_insn *next;
	u32 old[VGPU_LANES];

	memcpy(old, c->w->v[i->dst], sizeof(old));
	/* Fewer lanes write; DPP still reads all lanes of EXEC. */
	if (narrowed)
		vgpu_set_lanes(c, exec & dpp_writes(c, how));
	next = how->lanewise(c, i);
	if (how->omod || how->clamp)
		output_float(c, i);
	if (how->dst_sel != VGPU_SEL_DWORD)
		output_part(c, i, old);
	if (narrowed)
		vgpu_set_lanes(c, exec);
	return next;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fused multiply-add with mixed precision: each source is a float of 32 bits, or one of 16
 * bits in either half of a register. The result is rounded to 32 bits, and for MIXLO and
 * MIXHI then to 16.
 */
#include "isa/exec/excp_computed.h"
#include "isa/exec/lanes.h"

/* Read a source. op_sel_hi: it has 16 bits; op_sel: the half; neg_hi means abs here. */
static float source(const struct vgpu_isa_state *c,
		    const struct vgpu_src_detail *s, u32 v)
{
	float f = s->type == VGPU_T_F16 ?
		  vgpu_f16_to_f32(c, s->sel == VGPU_SEL_WORD1 ? v >> 16 : v) :
		  vgpu_as_f32(v);

	f = s->abs ? fabsf(f) : f;
	return s->neg ? -f : f;
}

/* Write a half. Its exceptions are computed, because the CPU's flags would be wrong. */
static void put_half(struct vgpu_isa_state *c, const struct vgpu_insn *i, u32 *d,
		     float v)
{
	u32 csr = _mm_getcsr(), half = vgpu_f32_to_f16(c, v);

	if (i->op == VGPU_OP_V_FMA_MIXLO_F16)
		PUT_BITS(d, 0, half, 0xffff);
	else
		PUT_BITS(d, 0, half << 16, 0xffff0000);
	c->excp |= vgpu_excp_to_f16(c, v);
	_mm_setcsr(csr);
}

static const struct vgpu_insn *do_mix(struct vgpu_isa_state *c,
				      const struct vgpu_insn *i)
{
	const u32 *pa = vgpu_row(c, i, 0), *pb = vgpu_row(c, i, 1);
	const struct vgpu_detail *more = vgpu_detail(c, i);
	const u32 *ps = vgpu_row(c, i, 2);
	u32 *d = c->w->v[i->dst];
	unsigned int l;

	for (l = 0; l < c->lanes; l++) {
		float r;

		if (!(c->exec >> l & 1))
			continue;
		r = fmaf(source(c, &more->src[0], pa[l]),
			 source(c, &more->src[1], pb[l]),
			 source(c, &more->src[2], ps[l]));
		if (more->clamp)
			r = isgreater(r, 0) ? MIN2(r, 1.0f) : 0;
		if (i->op == VGPU_OP_V_FMA_MIX_F32)
			d[l] = vgpu_of_f32(r);
		else
			put_half(c, i, &d[l], r);
	}
	return vgpu_next(i);
}

void vgpu_handlers_mix(vgpu_exec_fn *fn)
{
	fn[VGPU_OP_V_FMA_MIX_F32] = do_mix;
	fn[VGPU_OP_V_FMA_MIXLO_F16] = do_mix;
	fn[VGPU_OP_V_FMA_MIXHI_F16] = do_mix;
}

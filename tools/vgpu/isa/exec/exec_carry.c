// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Multiply-adds of 64 bits with a carry per lane. With clamp, a result that exceeds 64 bits
 * is limited to them; the carry out is the same as without.
 */
#include "isa/exec/lanes.h"

static const struct vgpu_insn *do_mad_u64(struct vgpu_isa_state *c,
					  const struct vgpu_insn *i)
{
	const u32 *pa = vgpu_row(c, i, 0), *pb = vgpu_row(c, i, 1);
	const u32 *ps = vgpu_row(c, i, 2);
	bool clamp = vgpu_detail(c, i)->clamp;
	u32 *d = c->w->v[i->dst];
	u64 out = 0, v;
	unsigned int l;

	for (l = 0; l < c->lanes; l++) {
		if (!(c->exec >> l & 1))
			continue;
		if (__builtin_add_overflow((u64)pa[l] * pb[l],
					   GET_U64(ps, l, 0), &v))
			out |= BIT_ULL(l);
		PUT_U64(d, l, clamp && out >> l & 1 ? ~0ULL : v, ~0U);
	}
	vgpu_write_mask(c, i->sdst, out);
	return vgpu_next(i);
}

/* The sum has 65 bits. The carry is the highest, its sign: see the quirk mad-i64-carry. */
static const struct vgpu_insn *do_mad_i64(struct vgpu_isa_state *c,
					  const struct vgpu_insn *i)
{
	const u32 *pa = vgpu_row(c, i, 0), *pb = vgpu_row(c, i, 1);
	const u32 *ps = vgpu_row(c, i, 2);
	bool carry = vgpu_quirk(c->g, VGPU_QUIRK_MAD_I64_CARRY);
	bool clamp = vgpu_detail(c, i)->clamp;
	u32 *d = c->w->v[i->dst];
	unsigned int l;
	u64 out = 0;

	for (l = 0; l < c->lanes; l++) {
		__int128 v = (s64)(s32)pa[l] * (s32)pb[l];

		if (!(c->exec >> l & 1))
			continue;
		v += GET_I64(ps, l, 0);
		if (carry ? v < 0 : v != (s64)v)
			out |= BIT_ULL(l);
		if (clamp && v != (s64)v)
			v = v < 0 ? INT64_MIN : INT64_MAX;
		PUT_I64(d, l, (s64)v, ~0U);
	}
	vgpu_write_mask(c, i->sdst, out);
	return vgpu_next(i);
}

void vgpu_handlers_carry(vgpu_exec_fn *fn)
{
	fn[VGPU_OP_V_MAD_U64_U32] = do_mad_u64;
	fn[VGPU_OP_V_MAD_I64_I32] = do_mad_i64;
}

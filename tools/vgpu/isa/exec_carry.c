// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Vector arithmetic with a carry per lane. With clamp a result with a carry is
 * the largest there is, and one with a borrow 0; the carry out stays.
 */
#include "lanes.h"

/* Bits of inactive lanes are 0 in the carry out. @limit: with clamp. */
#define CARRY(name, in, sum, carry, limit) \
static const struct vgpu_insn *do_##name(struct vgpu_isa_state *c, \
					 const struct vgpu_insn *i) \
{ \
	const u32 *pa = vgpu_row(c, i, 0), *pb = vgpu_row(c, i, 1); \
	const u64 cin = (in) ? vgpu_read_mask(c, &i->src[2]) : 0; \
	u32 *d = c->w->v[i->dst]; \
	size_t k, base; \
	u64 out = 0; \
	\
	for (base = 0; base < c->lanes; base += 32) { \
		u32 exec = (u32)(c->exec >> base), bits = 0; \
		u32 in_bits = (u32)(cin >> base); \
	\
		for (k = 0; k < 32; k++) { \
			const size_t l = base + k; \
			const u32 bit = vgpu_lane_bit[k]; \
			const u32 m = exec & bit ? ~0U : 0; \
			const u32 x = in_bits & bit ? 1 : 0; \
			const u32 a = pa[l], b = pb[l]; \
			const u32 r = (sum); \
	\
			(void)x; \
			bits |= (carry) ? bit : 0; \
			PUT_U32(d, l, (carry) && i->clamp ? (limit) : r, m); \
		} \
		out |= (u64)(bits & exec) << base; \
	} \
	vgpu_write_mask(c, i->sdst, out); \
	return vgpu_next(i); \
}

CARRY(add, false, a + b, r < a, ~0U)
CARRY(sub, false, a - b, a < b, 0)
CARRY(subrev, false, b - a, b < a, 0)
CARRY(add_ci, true, a + b + x, r < a || (r == a && x), ~0U)
CARRY(sub_ci, true, a - b - x, a < b || (a == b && x), 0)
CARRY(subrev_ci, true, b - a - x, b < a || (a == b && x), 0)

static const struct vgpu_insn *do_mad_u64(struct vgpu_isa_state *c,
					  const struct vgpu_insn *i)
{
	const u32 *pa = vgpu_row(c, i, 0), *pb = vgpu_row(c, i, 1);
	const u32 *ps = vgpu_row(c, i, 2);
	u32 *d = c->w->v[i->dst];
	u64 out = 0, v;
	unsigned int l;

	for (l = 0; l < c->lanes; l++) {
		if (!(c->exec >> l & 1))
			continue;
		if (__builtin_add_overflow((u64)pa[l] * pb[l],
					   GET_U64(ps, l, 0), &v))
			out |= BIT_ULL(l);
		PUT_U64(d, l, i->clamp && out >> l & 1 ? ~0ULL : v, ~0U);
	}
	vgpu_write_mask(c, i->sdst, out);
	return vgpu_next(i);
}

/* The sum has 65 bits, of which the last is its sign. */
static const struct vgpu_insn *do_mad_i64(struct vgpu_isa_state *c,
					  const struct vgpu_insn *i)
{
	const u32 *pa = vgpu_row(c, i, 0), *pb = vgpu_row(c, i, 1);
	const u32 *ps = vgpu_row(c, i, 2);
	bool carry = vgpu_quirk(c->g, VGPU_QUIRK_MAD_I64_CARRY);
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
		if (i->clamp && v != (s64)v)
			v = v < 0 ? INT64_MIN : INT64_MAX;
		PUT_I64(d, l, (s64)v, ~0U);
	}
	vgpu_write_mask(c, i->sdst, out);
	return vgpu_next(i);
}

void vgpu_handlers_carry(vgpu_exec_fn *fn)
{
	fn[VGPU_OP_V_ADD_CO_U32] = do_add;
	fn[VGPU_OP_V_SUB_CO_U32] = do_sub;
	fn[VGPU_OP_V_SUBREV_CO_U32] = do_subrev;
	fn[VGPU_OP_V_ADD_CO_CI_U32] = do_add_ci;
	fn[VGPU_OP_V_SUB_CO_CI_U32] = do_sub_ci;
	fn[VGPU_OP_V_SUBREV_CO_CI_U32] = do_subrev_ci;
	fn[VGPU_OP_V_MAD_U64_U32] = do_mad_u64;
	fn[VGPU_OP_V_MAD_I64_I32] = do_mad_i64;
}

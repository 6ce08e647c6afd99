/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vector sums and differences with a carry per lane. With clamp, a sum with a carry is the
 * largest number, and a difference with a borrow is 0; the carry out is the same as without.
 * Included by exec_valu.h, so it is compiled for two kinds of CPU.
 */
#ifndef VGPU_ISA_EXEC_CARRY_H
#define VGPU_ISA_EXEC_CARRY_H

#include "isa/exec/lanes.h"

/*
 * Bits of inactive lanes are 0 in the carry out. @limit: the result with clamp. @carry must
 * not contain a branch, or the compiler would not use vector instructions.
 */
#define CARRY(name, in, sum, carry, limit) \
VGPU_THREAD(name, c) \
{ \
	const u32 *pa = vgpu_row(c, i, 0), *pb = vgpu_row(c, i, 1); \
	const bool clamp = vgpu_detail(c, i)->clamp; \
	const u64 cin = (in) ? vgpu_read_mask(c, i, 2) : 0; \
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
			PUT_U32(d, l, (carry) && clamp ? (limit) : r, m); \
		} \
		out |= (u64)(bits & exec) << base; \
	} \
	vgpu_write_mask(c, i->sdst, out); \
	return vgpu_continue(c, i, left); \
}

CARRY(V_ADD_CO_U32, false, a + b, r < a, ~0U)
CARRY(V_SUB_CO_U32, false, a - b, a < b, 0)
CARRY(V_SUBREV_CO_U32, false, b - a, b < a, 0)
CARRY(V_ADD_CO_CI_U32, true, a + b + x, (r < a) | ((r == a) & x), ~0U)
CARRY(V_SUB_CO_CI_U32, true, a - b - x, (a < b) | ((a == b) & x), 0)
CARRY(V_SUBREV_CO_CI_U32, true, b - a - x, (b < a) | ((a == b) & x), 0)

/* ENTRY: one_ or do_ of a name */
#define CARRY_ENTRIES \
	[VGPU_OP_V_ADD_CO_U32] = ENTRY(V_ADD_CO_U32), \
	[VGPU_OP_V_SUB_CO_U32] = ENTRY(V_SUB_CO_U32), \
	[VGPU_OP_V_SUBREV_CO_U32] = ENTRY(V_SUBREV_CO_U32), \
	[VGPU_OP_V_ADD_CO_CI_U32] = ENTRY(V_ADD_CO_CI_U32), \
	[VGPU_OP_V_SUB_CO_CI_U32] = ENTRY(V_SUB_CO_CI_U32), \
	[VGPU_OP_V_SUBREV_CO_CI_U32] = ENTRY(V_SUBREV_CO_CI_U32),

#endif /* VGPU_ISA_EXEC_CARRY_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The handlers of ops_valu.def and ops_vcmp.def. Included by exec_valu_plain.c
 * and exec_valu_avx2.c, which differ in the instructions that the compiler may
 * use; VGPU_HANDLERS is the name of the function that fills the table.
 */
#include "lanes.h"

#include <xmmintrin.h>

#define V(name, D, A, B, C, expr) \
static const struct vgpu_insn *do_##name(struct vgpu_isa_state *ctx, \
					 const struct vgpu_insn *i) \
{ \
	const u32 *pa = ROW_##A(ctx, i, 0); \
	const u32 *pb = ROW_##B(ctx, i, 1); \
	const u32 *ps = ROW_##C(ctx, i, 2); \
	const u64 mask_s = BITS_##C(ctx, i, 2); \
	u32 *pd = ctx->w->v[i->dst]; \
	bool wide = (WIDE_##D || WIDE_##A) && ctx->csr64 != ctx->csr32; \
 \
	if (wide) \
		_mm_setcsr(ctx->csr64); \
	FOR_LANES(ctx, { \
		const u32 ms = (u32)(mask_s >> base); \
		const TYPE_##A a = GET_##A(pa, l, 0); \
		const TYPE_##B b = GET_##B(pb, l, 0); \
		const TYPE_##C s = GET_##C(ps, l, ms); \
		(void)ms; (void)b; (void)s; \
		PUT_##D(pd, l, (expr), m); \
	}); \
	if (wide) \
		_mm_setcsr(ctx->csr32); \
	(void)pb; (void)ps; \
	return vgpu_next(i); \
}
#include "ops_valu.def"
#undef V

/* Inactive lanes give 0. */
#define P(name, A, B, expr) \
static const struct vgpu_insn *do_CMP_##name(struct vgpu_isa_state *ctx, \
					     const struct vgpu_insn *i) \
{ \
	const u32 *pa = ROW_##A(ctx, i, 0); \
	const u32 *pb = ROW_##B(ctx, i, 1); \
	size_t k, base; \
	u64 r = 0; \
 \
	for (base = 0; base < ctx->lanes; base += 32) { \
		u32 bits = 0; \
 \
		for (k = 0; k < 32; k++) { \
			const size_t l = base + k; \
			const TYPE_##A a = GET_##A(pa, l, 0); \
			const TYPE_##B b = GET_##B(pb, l, 0); \
 \
			(void)a; (void)b; \
			bits |= (expr) ? vgpu_lane_bit[k] : 0; \
		} \
		r |= (u64)bits << base; \
	} \
	vgpu_write_mask(ctx, i->sdst, r & ctx->exec); \
	return vgpu_next(i); \
}
#include "ops_vcmp.def"
#undef P

void VGPU_HANDLERS(vgpu_exec_fn *fn)
{
#define V(name, D, A, B, C, expr) fn[VGPU_OP_##name] = do_##name;
#include "ops_valu.def"
#undef V
#define P(name, A, B, expr) \
	fn[VGPU_OP_V_CMP_##name] = do_CMP_##name; \
	fn[VGPU_OP_V_CMPX_##name] = do_CMP_##name;
#include "ops_vcmp.def"
#undef P
}

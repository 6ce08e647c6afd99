/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The handlers of ops_valu.def, ops_vpacked.def, ops_vmedia.def, ops_vsat.def and
 * ops_vcmp.def. Included by exec_valu_plain.c and exec_valu_avx2.c, which differ in the
 * instructions that the compiler may use; VGPU_LANE_CODE is the name of the structure that
 * they export. The included headers have the other functions that are compiled twice.
 */
#include "isa/exec/lanes.h"
#include "isa/exec/gmath.h"
#include "isa/exec/exec_carry.h"
#include "isa/exec/exec_global.h"
#include "isa/exec/exec_signals.h"
#include "isa/exec/exec_sources.h"

#define LANES(name, D, A, B, C, expr) \
VGPU_THREAD(name, ctx) \
{ \
	const u32 *pa = ROW_##A(ctx, i, 0); \
	const u32 *pb = ROW_##B(ctx, i, 1); \
	const u32 *ps = ROW_##C(ctx, i, 2); \
	const u64 mask_s = BITS_##C(ctx, i, 2); \
	u32 *pd = ctx->w->v[i->dst]; \
	const bool wide = vgpu_csr_wide(VGPU_T_##D, VGPU_T_##A); \
	const u32 csr = vgpu_csr(ctx, VGPU_T_##D, VGPU_T_##A); \
	\
	if (wide && csr != ctx->csr32) \
		vgpu_set_csr(csr); \
	FOR_LANES(ctx, { \
		const u32 ms = (u32)(mask_s >> base); \
		const u32 live = vgpu_raises(VGPU_T_##D) ? m : ~0U; \
		const TYPE_##A a = LIVE_##A(GET_##A(pa, l, 0), live); \
		const TYPE_##B b = LIVE_##B(GET_##B(pb, l, 0), live); \
		const TYPE_##C s = LIVE_##C(GET_##C(ps, l, ms), live); \
		(void)ms; (void)b; (void)s; (void)live; \
		PUT_##D(pd, l, (expr), m); \
	}); \
	if (wide && csr != ctx->csr32) \
		vgpu_set_csr(ctx->csr32); \
	(void)pb; (void)ps; \
	return vgpu_continue(ctx, i, left); \
}

#define V(name, D, A, B, C, expr) LANES(name, D, A, B, C, expr)
#include "isa/ops/ops_valu.def"
#include "isa/ops/ops_vpacked.def"
#include "isa/ops/ops_vmedia.def"
#undef V

/* Operations with clamp */
#define SAT(name, D, A, B, C, expr) LANES(sat_##name, D, A, B, C, expr)
#include "isa/ops/ops_vsat.def"
#undef SAT

/* Compares: the bits of inactive lanes are 0 in the result. */
#define P(name, A, B, expr) \
VGPU_THREAD(CMP_##name, ctx) \
{ \
	const u32 *pa = ROW_##A(ctx, i, 0); \
	const u32 *pb = ROW_##B(ctx, i, 1); \
	const bool wide = vgpu_csr_wide(VGPU_T__, VGPU_T_##A); \
	const u32 csr = vgpu_csr(ctx, VGPU_T__, VGPU_T_##A); \
	size_t k, base; \
	u64 r = 0; \
	\
	if (wide && csr != ctx->csr32) \
		vgpu_set_csr(csr); \
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
	if (wide && csr != ctx->csr32) \
		vgpu_set_csr(ctx->csr32); \
	vgpu_write_mask(ctx, i->sdst, r & ctx->exec); \
	return vgpu_continue(ctx, i, left); \
}

#include "isa/ops/ops_vcmp.def"
#undef P

#define V(name, D, A, B, C, expr) \
	[VGPU_OP_##name] = ENTRY(name),
#define P(name, A, B, expr) \
	[VGPU_OP_V_CMP_##name] = ENTRY(CMP_##name), \
	[VGPU_OP_V_CMPX_##name] = ENTRY(CMP_##name),

static const vgpu_exec_fn one_table[VGPU_NUM_OPS] = {
#define ENTRY(name) one_##name
#include "isa/ops/ops_valu.def"
#include "isa/ops/ops_vpacked.def"
#include "isa/ops/ops_vmedia.def"
#include "isa/ops/ops_vcmp.def"
	CARRY_ENTRIES
#undef ENTRY
};

static const vgpu_thread_fn thread_table[VGPU_NUM_OPS] = {
#define ENTRY(name) do_##name
#include "isa/ops/ops_valu.def"
#include "isa/ops/ops_vpacked.def"
#include "isa/ops/ops_vmedia.def"
#include "isa/ops/ops_vcmp.def"
	CARRY_ENTRIES
#undef ENTRY
};

#undef V
#undef P

static const vgpu_exec_fn saturating_table[VGPU_NUM_OPS] = {
#define SAT(name, D, A, B, C, expr) \
	[VGPU_OP_##name] = one_sat_##name,
#include "isa/ops/ops_vsat.def"
#undef SAT
};

static void handlers(vgpu_exec_fn *fn)
{
	vgpu_add_handlers(fn, one_table);
}

static void threads(vgpu_thread_fn *fn)
{
	vgpu_add_threads(fn, thread_table);
}

static vgpu_exec_fn saturating(enum vgpu_op op)
{
	return saturating_table[op];
}

const struct vgpu_lane_code VGPU_LANE_CODE = {
	.handlers = handlers,
	.threads = threads,
	.saturating = saturating,
	.prepare = prepare,
	.broadcast = { broadcast0, broadcast1, broadcast2 },
	.quiet = { [2] = quiet_2, [3] = quiet_3 },
	.global = global_thread,
	.signals = signals,
};

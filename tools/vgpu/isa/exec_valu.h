/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The handlers of ops_valu.def and ops_vcmp.def. Included by exec_valu_plain.c
 * and exec_valu_avx2.c, which differ in the instructions that the compiler may
 * use; VGPU_LANE_CODE is the name of what they export. With them comes the
 * little else that is worth it.
 */
#include "lanes.h"
#include "gmath.h"

#define LANES(fn, D, A, B, C, expr) \
static const struct vgpu_insn *fn(struct vgpu_isa_state *ctx, \
				  const struct vgpu_insn *i) \
{ \
	const u32 *pa = ROW_##A(ctx, i, 0); \
	const u32 *pb = ROW_##B(ctx, i, 1); \
	const u32 *ps = ROW_##C(ctx, i, 2); \
	const u64 mask_s = BITS_##C(ctx, i, 2); \
	u32 *pd = ctx->w->v[i->dst]; \
	const u32 csr = vgpu_csr(ctx, VGPU_T_##D, VGPU_T_##A); \
	\
	if (csr != ctx->csr32) \
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
	if (csr != ctx->csr32) \
		vgpu_set_csr(ctx->csr32); \
	(void)pb; (void)ps; \
	return vgpu_next(i); \
}

#define V(name, D, A, B, C, expr) LANES(do_##name, D, A, B, C, expr)
#include "ops_valu.def"
#include "ops_vpacked.def"
#include "ops_vmedia.def"
#undef V

/* With clamp */
#define SAT(name, D, A, B, C, expr) LANES(do_sat_##name, D, A, B, C, expr)
#include "ops_vsat.def"
#undef SAT

/* Inactive lanes give 0. */
#define P(name, A, B, expr) \
static const struct vgpu_insn *do_CMP_##name(struct vgpu_isa_state *ctx, \
					     const struct vgpu_insn *i) \
{ \
	const u32 *pa = ROW_##A(ctx, i, 0); \
	const u32 *pb = ROW_##B(ctx, i, 1); \
	const u32 csr = vgpu_csr(ctx, VGPU_T__, VGPU_T_##A); \
	size_t k, base; \
	u64 r = 0; \
	\
	if (csr != ctx->csr32) \
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
	if (csr != ctx->csr32) \
		vgpu_set_csr(ctx->csr32); \
	vgpu_write_mask(ctx, i->sdst, r & ctx->exec); \
	return vgpu_next(i); \
}

#include "ops_vcmp.def"
#undef P

static const vgpu_exec_fn table[VGPU_NUM_OPS] = {
#define V(name, D, A, B, C, expr) \
	[VGPU_OP_##name] = do_##name,
#include "ops_valu.def"
#include "ops_vpacked.def"
#include "ops_vmedia.def"
#undef V
#define P(name, A, B, expr) \
	[VGPU_OP_V_CMP_##name] = do_CMP_##name, \
	[VGPU_OP_V_CMPX_##name] = do_CMP_##name,
#include "ops_vcmp.def"
#undef P
};

static const vgpu_exec_fn saturating_table[VGPU_NUM_OPS] = {
#define SAT(name, D, A, B, C, expr) \
	[VGPU_OP_##name] = do_sat_##name,
#include "ops_vsat.def"
#undef SAT
};

static void handlers(vgpu_exec_fn *fn)
{
	vgpu_add_handlers(fn, table);
}

static vgpu_exec_fn saturating(enum vgpu_op op)
{
	return saturating_table[op];
}

static const struct vgpu_insn *prepare(struct vgpu_isa_state *c,
				       const struct vgpu_insn *i)
{
	unsigned int k, base, l;

	for (k = 0; k < 3; k++) {
		u32 *row = c->tmp[k][0], v;

		if (!(i->prepare >> k & 1))
			continue;
		if (i->src[k].kind != VGPU_KIND_SGPR ||
		    i->src[k].type == VGPU_T_M) {
			vgpu_prepare_source(c, i, k);
			continue;
		}
		/* The second row is that of 64-bit sources only. */
		v = c->w->s[i->src[k].reg];
		for (base = 0; base < c->lanes; base += 32, row += 32) {
			for (l = 0; l < 32; l++)
				row[l] = v;
		}
		if (vgpu_type_dwords(i->src[k].type, 32) == 1)
			continue;
		v = c->w->s[i->src[k].reg + 1];
		for (l = 0; l < VGPU_LANES; l++)
			c->tmp[k][1][l] = v;
	}
	return i->prepared(c, i);
}

/* Offsets of 32 lanes in the page; what is not 0 in the result: not all in it. */
static u32 offsets(const u32 *v, u32 add, u32 first, u32 size, u32 *at)
{
	u32 page = first >> VGPU_PAGE_SHIFT, bad = 0;
	bool carry = first < add;
	unsigned int l;

	for (l = 0; l < 32; l++) {
		u32 t = v[l] + add;

		bad |= (t >> VGPU_PAGE_SHIFT) ^ page;
		bad |= ((t + size - 1) >> VGPU_PAGE_SHIFT) ^ page;
		bad |= (t < add) != carry;
		at[l] = t & (VGPU_PAGE_SIZE - 1);
	}
	return bad;
}

static u32 differences(const u32 *row, u32 v)
{
	u32 bad = 0;
	unsigned int l;

	for (l = 0; l < 32; l++)
		bad |= row[l] ^ v;
	return bad;
}

/* Not 0: the lanes are not 4 bytes apart, beginning with @first. */
static u32 gaps(const u32 *at, u32 first)
{
	u32 bad = 0;
	unsigned int l;

	for (l = 0; l < 32; l++)
		bad |= at[l] ^ (first + 4 * l);
	return bad;
}

static u8 *one_page(struct vgpu_isa_state *c, const struct vgpu_insn *i,
		    u32 size, bool write, u32 *at, bool *dense)
{
	const u32 *v = c->w->v[i->vaddr], *hi = v + VGPU_LANES;
	bool based = i->saddr != VGPU_S_NULL;
	u64 add = (u64)(s64)i->offset, va;
	u32 bad = 0, gap = 0;
	unsigned int base;

	if (based)
		add += make_64(c->w->s[i->saddr + 1], c->w->s[i->saddr]);
	va = add + (based ? v[0] : make_64(hi[0], v[0]));
	for (base = 0; base < c->lanes; base += 32) {
		bad |= offsets(v + base, (u32)add, (u32)va, size, at + base);
		if (!based)
			bad |= differences(hi + base, hi[0]);
	}
	if (bad)
		return NULL;
	for (base = 0; base < c->lanes; base += 32)
		gap |= gaps(at + base, at[0] + 4 * base);
	*dense = !gap;
	return vgpu_gmc_ptr(c->g, c->tlb, c->w->vmid,
			    va & ~(u64)(VGPU_PAGE_SIZE - 1), write);
}

/*
 * What 32 lanes of a source raise by being there: bit 0 for a signalling NaN,
 * bit 1 for a denormal. @m: all ones for a lane that counts.
 */
static u32 signals_f32(const u32 *v, const u32 *m)
{
	u32 nan = 0, denorm = 0;
	unsigned int l;

	for (l = 0; l < 32; l++) {
		u32 x = v[l] & m[l] & 0x7fffffff;

		nan |= x > 0x7f800000 && x < 0x7fc00000;
		denorm |= x && x < 0x00800000;
	}
	return nan | denorm << 1;
}

static u32 signals_f64(const u32 *v, const u32 *m)
{
	u32 nan = 0, denorm = 0;
	unsigned int l;

	for (l = 0; l < 32; l++) {
		u32 lo = v[l] & m[l], hi = v[VGPU_LANES + l] & m[l] & 0x7fffffff;

		nan |= hi >= 0x7ff00000 && hi < 0x7ff80000 &&
		       ((hi & 0xfffff) | lo);
		denorm |= hi < 0x00100000 && (hi | lo);
	}
	return nan | denorm << 1;
}

static u32 signals_f16(const u32 *v, const u32 *m)
{
	u32 nan = 0, denorm = 0;
	unsigned int l;

	for (l = 0; l < 32; l++) {
		u32 x = v[l] & m[l] & 0x7fff;

		nan |= x > 0x7c00 && x < 0x7e00;
		denorm |= x && x < 0x0400;
	}
	return nan | denorm << 1;
}

static u32 signals_pf16(const u32 *v, const u32 *m)
{
	u32 upper[32];
	unsigned int l;

	for (l = 0; l < 32; l++)
		upper[l] = v[l] >> 16;
	return signals_f16(v, m) | signals_f16(upper, m);
}

/* Denormals that are flushed are none. */
static u32 signals(const struct vgpu_isa_state *c, const u32 *row,
		   enum vgpu_type type)
{
	static const u32 all[32] = { [0 ... 31] = ~0U };
	bool flushed = c->daz64;
	u32 bits = 0, base;

	for (base = 0; base < c->lanes; base += 32) {
		const u32 *v = row + base, *m = c->full ? all : c->mask + base;

		if (type == VGPU_T_F64)
			bits |= signals_f64(v, m);
		else if (type == VGPU_T_F16 || type == VGPU_T_DF16)
			bits |= signals_f16(v, m);
		else if (type == VGPU_T_PF16)
			bits |= signals_pf16(v, m);
		else
			bits |= signals_f32(v, m);
	}
	if (type == VGPU_T_F32 || type == VGPU_T_DF32)
		flushed = c->daz32;
	return flushed ? bits & WAVE_EXCP_INVALID : bits;
}

const struct vgpu_lane_code VGPU_LANE_CODE = {
	.handlers = handlers,
	.saturating = saturating,
	.prepare = prepare,
	.one_page = one_page,
	.signals = signals,
};

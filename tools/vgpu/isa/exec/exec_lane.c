// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Vector instructions that are not one operation on each lane: accesses to one lane, counts
 * of lower lanes, moves between lanes, and registers selected by M0.
 */
#include "isa/exec/excp.h"
#include "isa/exec/gmath.h"
#include "isa/exec/lanes.h"

#include <string.h>

static const struct vgpu_insn *do_nop(struct vgpu_isa_state *c,
				      const struct vgpu_insn *i)
{
	(void)c;
	return vgpu_next(i);
}

/* Clear the flags of exceptions; MODE's enables stay. */
static const struct vgpu_insn *do_clrexcp(struct vgpu_isa_state *c,
					  const struct vgpu_insn *i)
{
	vgpu_excp_take(c);
	c->w->excp &= ~WAVE_EXCP_ARITH;
	return vgpu_next(i);
}

static const struct vgpu_insn *do_readfirstlane(struct vgpu_isa_state *c,
						const struct vgpu_insn *i)
{
	/* If no lane is active, lane 0 is read. */
	unsigned int lane = c->exec ? __builtin_ctzll(c->exec) : 0;

	c->w->s[i->dst] = vgpu_row(c, i, 0)[lane];
	return vgpu_next(i);
}

static const struct vgpu_insn *do_readlane(struct vgpu_isa_state *c,
					   const struct vgpu_insn *i)
{
	unsigned int lane = vgpu_read32(c, i, 1) & (c->lanes - 1);

	c->w->s[i->dst] = vgpu_row(c, i, 0)[lane];
	return vgpu_next(i);
}

static const struct vgpu_insn *do_writelane(struct vgpu_isa_state *c,
					    const struct vgpu_insn *i)
{
	unsigned int lane = vgpu_read32(c, i, 1) & (c->lanes - 1);

	c->w->v[i->dst][lane] = vgpu_read32(c, i, 0);
	return vgpu_next(i);
}

/* Count the bits of a below the lane, in one half of a wave64, and add b. */
static const struct vgpu_insn *do_mbcnt(struct vgpu_isa_state *ctx,
					const struct vgpu_insn *i)
{
	const u32 *a = vgpu_row(ctx, i, 0), *b = vgpu_row(ctx, i, 1);
	bool high = i->op == VGPU_OP_V_MBCNT_HI_U32_B32;
	u32 *d = ctx->w->v[i->dst];

	FOR_LANES(ctx, {
		u32 below = vgpu_lane_bit[k] - 1;

		if (!high && base)
			below = ~0U;
		else if (high && !base)
			below = 0;
		PUT_U32(d, l, vgpu_popcount32(a[l] & below) + b[l], m);
	});
	return vgpu_next(i);
}

/* Get what M0 adds to the numbers of the source and the destination. */
static void distances(const struct vgpu_isa_state *c, enum vgpu_op op,
		      u32 *from, u32 *to)
{
	u32 m0 = c->w->s[VGPU_S_M0];

	*from = op == VGPU_OP_V_MOVRELD_B32 ? 0 : m0;
	*to = op == VGPU_OP_V_MOVRELS_B32 ? 0 : m0;
	if (op == VGPU_OP_V_MOVRELSD_2_B32 || op == VGPU_OP_V_SWAPREL_B32) {
		*from = m0 & 1023;
		*to = m0 >> 16 & 1023;
	}
}

static bool is_beyond(const struct vgpu_isa_state *c, u64 reg)
{
	return reg >= VGPU_NUM_VGPRS || vgpu_beyond(c, (u32)reg, 1);
}

/*
 * Move between registers that M0 selects. The rules of range.c apply to registers that the
 * wave does not have.
 */
static const struct vgpu_insn *do_movrel(struct vgpu_isa_state *ctx,
					 const struct vgpu_insn *i)
{
	bool swap = i->op == VGPU_OP_V_SWAPREL_B32;
	bool vgpr = vgpu_source_kind(ctx, i, 0) == VGPU_KIND_VGPR;
	u32 from, to, *d, *a;
	u64 src, dst;

	distances(ctx, i->op, &from, &to);
	src = vgpr ? (u64)from + i->reg[0] : 0;
	dst = (u64)to + i->dst;
	if (is_beyond(ctx, src) || is_beyond(ctx, dst)) {
		vgpu_complain_gpr(ctx, i);
		if (swap || is_beyond(ctx, dst))
			return vgpu_next(i);
		src = 0;
	}
	a = vgpr ? ctx->w->v[src] : (u32 *)(uintptr_t)vgpu_row(ctx, i, 0);
	d = ctx->w->v[dst];
	FOR_LANES(ctx, {
		u32 x = a[l];
		u32 y = d[l];

		PUT_U32(d, l, x, m);
		if (swap)
			PUT_U32(a, l, y, m);
	});
	return vgpu_next(i);
}

static const struct vgpu_insn *do_swap(struct vgpu_isa_state *ctx,
				       const struct vgpu_insn *i)
{
	u32 *d = ctx->w->v[i->dst], *s = ctx->w->v[i->reg[0]];

	FOR_LANES(ctx, {
		u32 a = s[l];
		u32 b = d[l];

		PUT_U32(d, l, a, m);
		PUT_U32(s, l, b, m);
	});
	return vgpu_next(i);
}

/* Compute four sums as V_MQSAD_PK_U16_U8 does, but with 32 bits. */
static const struct vgpu_insn *do_mqsad(struct vgpu_isa_state *c,
					const struct vgpu_insn *i)
{
	const u32 *a = vgpu_row(c, i, 0), *b = vgpu_row(c, i, 1);
	const u32 *s = vgpu_row(c, i, 2);
	bool clamp = vgpu_detail(c, i)->clamp;
	u32 *d = c->w->v[i->dst];
	unsigned int l, n;

	for (l = 0; l < c->lanes; l++) {
		u64 window = GET_U64(a, l, 0), sum[4];
		u32 mask = b[l];

		if (!(c->exec >> l & 1))
			continue;
		for (n = 0; n < 4; n++)
			sum[n] = (u64)vgpu_sad_u8((u32)(window >> 8 * n), mask,
						  true) + s[n * VGPU_LANES + l];
		for (n = 0; n < 4; n++)
			d[n * VGPU_LANES + l] = clamp && sum[n] >> 32 ? ~0U :
						(u32)sum[n];
	}
	return vgpu_next(i);
}

/*
 * V_PERMLANE16: each lane reads the lane of its row of 16 that four bits of the two scalar
 * sources select; V_PERMLANEX16 reads from the other row of the pair. op_sel bit 0: read
 * inactive lanes, too; bit 1: a lane that cannot read gets 0, else it keeps its value.
 */
static const struct vgpu_insn *do_permlane(struct vgpu_isa_state *c,
					   const struct vgpu_insn *i)
{
	u64 sel = make_64(vgpu_read32(c, i, 2),
			  vgpu_read32(c, i, 1));
	bool other = i->op == VGPU_OP_V_PERMLANEX16_B32;
	u8 opsel = vgpu_detail(c, i)->row_mask;
	u32 *d = c->w->v[i->dst], old[VGPU_LANES];
	unsigned int l;

	memcpy(old, vgpu_row(c, i, 0), c->lanes * 4);
	for (l = 0; l < c->lanes; l++) {
		unsigned int from = (l & ~15U) | (sel >> 4 * (l & 15) & 15);

		from ^= other ? 16 : 0;
		if (!(c->exec >> l & 1))
			continue;
		if (opsel & 1 || c->exec >> from & 1)
			d[l] = old[from];
		else if (opsel & 2)
			d[l] = 0;
	}
	return vgpu_next(i);
}

void vgpu_handlers_lane(vgpu_exec_fn *fn)
{
	fn[VGPU_OP_V_NOP] = do_nop;
	fn[VGPU_OP_V_PIPEFLUSH] = do_nop;
	fn[VGPU_OP_V_CLREXCP] = do_clrexcp;
	fn[VGPU_OP_V_READFIRSTLANE_B32] = do_readfirstlane;
	fn[VGPU_OP_V_READLANE_B32] = do_readlane;
	fn[VGPU_OP_V_WRITELANE_B32] = do_writelane;
	fn[VGPU_OP_V_MBCNT_LO_U32_B32] = do_mbcnt;
	fn[VGPU_OP_V_MBCNT_HI_U32_B32] = do_mbcnt;
	fn[VGPU_OP_V_MOVRELS_B32] = do_movrel;
	fn[VGPU_OP_V_MOVRELD_B32] = do_movrel;
	fn[VGPU_OP_V_MOVRELSD_B32] = do_movrel;
	fn[VGPU_OP_V_MOVRELSD_2_B32] = do_movrel;
	fn[VGPU_OP_V_SWAPREL_B32] = do_movrel;
	fn[VGPU_OP_V_MQSAD_U32_U8] = do_mqsad;
	fn[VGPU_OP_V_SWAP_B32] = do_swap;
	fn[VGPU_OP_V_PERMLANE16_B32] = do_permlane;
	fn[VGPU_OP_V_PERMLANEX16_B32] = do_permlane;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Vector atomics: lane after lane, and atomic also for the guest's CPUs, whose
 * memory it may be.
 */
#include "mem.h"

/* The value that replaces @old. */
static u64 combine(unsigned int op, u64 old, u64 src, u64 cmp)
{
	switch (op) {
	case VGPU_OP_ATOMIC_SWAP:
		return src;
	case VGPU_OP_ATOMIC_CMPSWAP:
		return old == cmp ? src : old;
	case VGPU_OP_ATOMIC_ADD:
		return old + src;
	case VGPU_OP_ATOMIC_SUB:
		return old - src;
	case VGPU_OP_ATOMIC_CSUB:
		return old >= src ? old - src : 0;
	case VGPU_OP_ATOMIC_SMIN:
		return (s64)old < (s64)src ? old : src;
	case VGPU_OP_ATOMIC_UMIN:
		return old < src ? old : src;
	case VGPU_OP_ATOMIC_SMAX:
		return (s64)old > (s64)src ? old : src;
	case VGPU_OP_ATOMIC_UMAX:
		return old > src ? old : src;
	case VGPU_OP_ATOMIC_AND:
		return old & src;
	case VGPU_OP_ATOMIC_OR:
		return old | src;
	case VGPU_OP_ATOMIC_XOR:
		return old ^ src;
	case VGPU_OP_ATOMIC_INC:
		return old >= src ? 0 : old + 1;
	case VGPU_OP_ATOMIC_DEC:
		return !old || old > src ? src : old - 1;
	}
	return old;
}

/* Signed comparisons see 32 bits sign-extended, all else zero-extended. */
static u64 widen(unsigned int op, u32 v)
{
	return op == VGPU_OP_ATOMIC_SMIN || op == VGPU_OP_ATOMIC_SMAX ?
	       (u64)(s64)(s32)v : v;
}

u64 vgpu_atomic_result(unsigned int op, bool wide, u64 old, u64 src, u64 cmp)
{
	if (wide)
		return combine(op, old, src, cmp);
	return (u32)combine(op, widen(op, (u32)old), widen(op, (u32)src), cmp);
}

static u32 atomic32(unsigned int op, u32 *p, u32 src, u32 cmp)
{
	u32 old = __atomic_load_n(p, __ATOMIC_RELAXED), new;

	do {
		new = (u32)vgpu_atomic_result(op, false, old, src, cmp);
	} while (!__atomic_compare_exchange_n(p, &old, new, false,
					      __ATOMIC_SEQ_CST,
					      __ATOMIC_RELAXED));
	return old;
}

static u64 atomic64(unsigned int op, u64 *p, u64 src, u64 cmp)
{
	u64 old = __atomic_load_n(p, __ATOMIC_RELAXED), new;

	do {
		new = vgpu_atomic_result(op, true, old, src, cmp);
	} while (!__atomic_compare_exchange_n(p, &old, new, false,
					      __ATOMIC_SEQ_CST,
					      __ATOMIC_RELAXED));
	return old;
}

/* 64-bit operations in terms of the 32-bit ones. */
static unsigned int narrow(unsigned int op)
{
	static const u16 narrow[][2] = {
		{ VGPU_OP_ATOMIC_SWAP_X2, VGPU_OP_ATOMIC_SWAP },
		{ VGPU_OP_ATOMIC_CMPSWAP_X2, VGPU_OP_ATOMIC_CMPSWAP },
		{ VGPU_OP_ATOMIC_ADD_X2, VGPU_OP_ATOMIC_ADD },
		{ VGPU_OP_ATOMIC_SUB_X2, VGPU_OP_ATOMIC_SUB },
		{ VGPU_OP_ATOMIC_SMIN_X2, VGPU_OP_ATOMIC_SMIN },
		{ VGPU_OP_ATOMIC_UMIN_X2, VGPU_OP_ATOMIC_UMIN },
		{ VGPU_OP_ATOMIC_SMAX_X2, VGPU_OP_ATOMIC_SMAX },
		{ VGPU_OP_ATOMIC_UMAX_X2, VGPU_OP_ATOMIC_UMAX },
		{ VGPU_OP_ATOMIC_AND_X2, VGPU_OP_ATOMIC_AND },
		{ VGPU_OP_ATOMIC_OR_X2, VGPU_OP_ATOMIC_OR },
		{ VGPU_OP_ATOMIC_XOR_X2, VGPU_OP_ATOMIC_XOR },
		{ VGPU_OP_ATOMIC_INC_X2, VGPU_OP_ATOMIC_INC },
		{ VGPU_OP_ATOMIC_DEC_X2, VGPU_OP_ATOMIC_DEC },
	};
	unsigned int n;

	for (n = 0; n < ARRAY_SIZE(narrow); n++) {
		if (narrow[n][0] == op)
			return narrow[n][1];
	}
	return op;
}

/* Operand @n of a lane, in units of the operation's size. */
static u64 operand(const u32 *rows, unsigned int l, unsigned int n, bool wide)
{
	if (!wide)
		return rows[n * VGPU_LANES + l];
	return make_64(rows[(2 * n + 1) * VGPU_LANES + l],
		       rows[2 * n * VGPU_LANES + l]);
}

static const struct vgpu_insn *do_atomic(struct vgpu_isa_state *c,
					 const struct vgpu_insn *i)
{
	bool wide = vgpu_op_info[i->op].dst == VGPU_T_B64;
	unsigned int op = narrow(i->op), size = wide ? 8 : 4, l;
	const u32 *data = c->w->v[i->src[1].reg];
	u32 *d = c->w->v[i->dst];
	struct vgpu_accesses a;

	if (!vgpu_addresses(c, i, size, true, &a))
		return vgpu_exec_illegal(c, i);
	if (c->w->slow)
		vgpu_watch_lanes(c, &a, size, VGPU_WATCH_ATOMIC);
	for (l = 0; l < c->lanes; l++) {
		u64 src = operand(data, l, 0, wide), cmp, old = 0;
		u8 *p = NULL;

		if (!(c->exec >> l & 1))
			continue;
		cmp = op == VGPU_OP_ATOMIC_CMPSWAP ?
		      operand(data, l, 1, wide) : 0;
		/* An atomic that is not aligned is a memory violation. */
		if (c->addr[l] & (size - 1) && a.lanes >> l & 1)
			a.bits |= TRAPSTS_EXCP_MEM_VIOL;
		else if (a.lanes >> l & 1)
			p = vgpu_lane_ptr(c, &a, c->addr[l], true);
		if (p)
			old = wide ? atomic64(op, (u64 *)p, src, cmp) :
			      atomic32(op, (u32 *)p, (u32)src, (u32)cmp);
		if (!i->glc)
			continue;
		d[l] = (u32)old;
		if (wide)
			d[VGPU_LANES + l] = old >> 32;
	}
	return vgpu_access_done(c, i, &a);
}

void vgpu_handlers_atomic(vgpu_exec_fn *fn)
{
	unsigned int op;

	for (op = VGPU_OP_ATOMIC_SWAP; op <= VGPU_OP_ATOMIC_DEC_X2; op++)
		fn[op] = do_atomic;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Vector atomics. They are executed lane by lane, with atomic instructions of the CPU,
 * because the memory may be that of the guest's CPUs.
 */
#include "isa/exec/mem.h"
#include "isa/exec/lanes.h"

#include <xmmintrin.h>

/*
 * Map a float to an integer such that integers compare as the floats do; both zeros are 0.
 * The hardware's units for atomics do not use MODE, so denormals are not flushed.
 */
static s64 float_order(u64 v, bool wide)
{
	u64 sign = wide ? BIT_ULL(63) : BIT(31);
	s64 size = (s64)(v & (sign - 1));

	return v & sign ? -size : size;
}

static bool is_nan(u64 v, bool wide)
{
	return wide ? (v & ~BIT_ULL(63)) > 0x7ff0000000000000ULL :
		      (v & 0x7fffffff) > 0x7f800000;
}

static u64 combine_float(unsigned int op, bool wide, u64 old, u64 src, u64 cmp)
{
	u64 other = op == VGPU_OP_ATOMIC_FCMPSWAP ? cmp : src;
	s64 diff = float_order(old, wide) - float_order(other, wide);
	bool replaced = false;

	/* All comparisons with a NaN are false. */
	if (is_nan(old, wide) || is_nan(other, wide))
		return old;
	/* The difference can overflow only if the signs differ. */
	if (wide && (float_order(old, wide) ^ float_order(other, wide)) < 0)
		diff = float_order(old, wide) < 0 ? -1 : 1;
	switch (op) {
	case VGPU_OP_ATOMIC_FCMPSWAP:
		replaced = !diff;
		break;
	case VGPU_OP_ATOMIC_FMIN:
		replaced = diff > 0;
		break;
	case VGPU_OP_ATOMIC_FMAX:
		replaced = diff < 0;
		break;
	}
	return replaced ? src : old;
}

/* Add with rounding to nearest, independent of MODE; MODE decides about denormals. */
static u32 add_f32(u32 a, u32 b)
{
	u32 csr = _mm_getcsr();
	volatile float r;

	_mm_setcsr(csr & ~(u32)_MM_ROUND_MASK);
	r = vgpu_as_f32(a) + vgpu_as_f32(b);
	_mm_setcsr(csr);
	return vgpu_of_f32(r);
}

/* Get the value that replaces @old. */
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
	case VGPU_LDS_RSUB:
		return src - old;
	case VGPU_LDS_MSKOR:
		return (old & ~src) | cmp;
	case VGPU_LDS_WRAP:
		return old >= src ? old - src : old + cmp;
	case VGPU_LDS_FADD:
		return add_f32((u32)old, (u32)src);
	}
	return old;
}

/* Extend 32 bits: with the sign for signed comparisons, with zeros for all others. */
static u64 widen(unsigned int op, u32 v)
{
	return op == VGPU_OP_ATOMIC_SMIN || op == VGPU_OP_ATOMIC_SMAX ?
	       (u64)(s64)(s32)v : v;
}

u64 vgpu_atomic_result(unsigned int op, bool wide, u64 old, u64 src, u64 cmp)
{
	if (op >= VGPU_OP_ATOMIC_FCMPSWAP && op <= VGPU_OP_ATOMIC_FMAX)
		return combine_float(op, wide, old, src, cmp);
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

/* Get the 32-bit operation that corresponds to a 64-bit one. */
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
		{ VGPU_OP_ATOMIC_FCMPSWAP_X2, VGPU_OP_ATOMIC_FCMPSWAP },
		{ VGPU_OP_ATOMIC_FMIN_X2, VGPU_OP_ATOMIC_FMIN },
		{ VGPU_OP_ATOMIC_FMAX_X2, VGPU_OP_ATOMIC_FMAX },
	};
	unsigned int n;

	for (n = 0; n < ARRAY_SIZE(narrow); n++) {
		if (narrow[n][0] == op)
			return narrow[n][1];
	}
	return op;
}

/* Get operand @n of a lane; each has the operation's size. */
static u64 operand(const u32 *rows, unsigned int l, unsigned int n, bool wide)
{
	if (!wide)
		return rows[n * VGPU_LANES + l];
	return make_64(rows[(2 * n + 1) * VGPU_LANES + l],
		       rows[2 * n * VGPU_LANES + l]);
}

/* An atomic on the LDS needs no atomic instruction: only this thread accesses it. */
static u64 atomic_lds(unsigned int op, u8 *p, bool wide, u64 src, u64 cmp)
{
	u64 old = 0, new;

	memcpy(&old, p, wide ? 8 : 4);
	new = vgpu_atomic_result(op, wide, old, src, cmp);
	memcpy(p, &new, wide ? 8 : 4);
	return old;
}

/* Execute an atomic for lane @l. Returns the old value. */
static u64 atomic_lane(struct vgpu_isa_state *c, const struct vgpu_insn *i,
		       struct vgpu_accesses *a, unsigned int l)
{
	bool wide = vgpu_op_info[i->op].dst == VGPU_T_B64;
	const u32 *data = c->w->v[i->reg[1]];
	unsigned int op = narrow(i->op), size = wide ? 8 : 4;
	u64 src = operand(data, l, 0, wide), cmp = 0;
	u8 *p;

	if (op == VGPU_OP_ATOMIC_CMPSWAP || op == VGPU_OP_ATOMIC_FCMPSWAP)
		cmp = operand(data, l, 1, wide);
	if (!(a->lanes >> l & 1))
		return 0;
	/* An unaligned atomic causes a memory violation. */
	if (c->addr[l] & (size - 1)) {
		a->bits |= WAVE_EXCP_MEM_VIOL;
		return 0;
	}
	if (a->in_lds) {
		p = vgpu_lds_ptr(a, c->addr[l], size);
		return p ? atomic_lds(op, p, wide, src, cmp) : 0;
	}
	p = vgpu_lane_ptr(c, a, c->addr[l], true);
	if (!p)
		return 0;
	return wide ? atomic64(op, (u64 *)p, src, cmp) :
	       atomic32(op, (u32 *)p, (u32)src, (u32)cmp);
}

static const struct vgpu_insn *do_atomic(struct vgpu_isa_state *c,
					 const struct vgpu_insn *i)
{
	bool wide = vgpu_op_info[i->op].dst == VGPU_T_B64;
	u32 *d = c->w->v[i->dst], size = wide ? 8 : 4;
	struct vgpu_accesses a;
	unsigned int l;

	if (!vgpu_addresses(c, i, size, true, &a))
		return vgpu_exec_illegal(c, i);
	do {
		if (c->w->slow)
			vgpu_watch_lanes(c, &a, size, VGPU_WATCH_ATOMIC);
		for (l = 0; l < c->lanes; l++) {
			u64 old;

			if (!(a.active >> l & 1))
				continue;
			old = atomic_lane(c, i, &a, l);
			if (!i->glc)
				continue;
			d[l] = (u32)old;
			if (wide)
				d[VGPU_LANES + l] = old >> 32;
		}
	} while (vgpu_more_addresses(c, &a));
	return vgpu_access_done(c, i, &a);
}

void vgpu_handlers_atomic(vgpu_exec_fn *fn)
{
	unsigned int op;

	for (op = VGPU_OP_ATOMIC_SWAP; op <= VGPU_OP_ATOMIC_FMAX_X2; op++)
		fn[op] = do_atomic;
}

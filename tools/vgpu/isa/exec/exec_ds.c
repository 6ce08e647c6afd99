// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Local data share (LDS): memory of the work-group, and exchange of values between lanes
 * through its crossbar. Addresses beyond the group's part read 0; writes there are ignored.
 */
#include "isa/exec/mem.h"

#include <string.h>

enum kind {
	KIND_NOP, KIND_READ, KIND_READ2, KIND_WRITE, KIND_WRITE2, KIND_ATOMIC,
	KIND_PERMUTE, KIND_BPERMUTE, KIND_CONDXCHG, KIND_WRXCHG2, KIND_SWIZZLE,
	KIND_COUNT,
};

/* Properties of a READ or WRITE */
enum part {
	SEXT = 1,
	D16 = 2,	/* only the lower half of the register */
	D16_HI = 4,	/* only the upper half */
	ADDTID = 8,	/* the address is that in M0 plus 4 * lane number */
};

struct ds {
	u8 kind, size;
	u16 arg;
};

#define ATOMIC_ADD VGPU_OP_ATOMIC_ADD
#define ATOMIC_SUB VGPU_OP_ATOMIC_SUB
#define ATOMIC_INC VGPU_OP_ATOMIC_INC
#define ATOMIC_DEC VGPU_OP_ATOMIC_DEC
#define ATOMIC_SMIN VGPU_OP_ATOMIC_SMIN
#define ATOMIC_SMAX VGPU_OP_ATOMIC_SMAX
#define ATOMIC_UMIN VGPU_OP_ATOMIC_UMIN
#define ATOMIC_UMAX VGPU_OP_ATOMIC_UMAX
#define ATOMIC_AND VGPU_OP_ATOMIC_AND
#define ATOMIC_OR VGPU_OP_ATOMIC_OR
#define ATOMIC_XOR VGPU_OP_ATOMIC_XOR
#define ATOMIC_SWAP VGPU_OP_ATOMIC_SWAP
#define ATOMIC_CMPSWAP VGPU_OP_ATOMIC_CMPSWAP
#define ATOMIC_FCMPSWAP VGPU_OP_ATOMIC_FCMPSWAP
#define ATOMIC_FMIN VGPU_OP_ATOMIC_FMIN
#define ATOMIC_FMAX VGPU_OP_ATOMIC_FMAX
#define ATOMIC_RSUB VGPU_LDS_RSUB
#define ATOMIC_MSKOR VGPU_LDS_MSKOR
#define ATOMIC_WRAP VGPU_LDS_WRAP
#define ATOMIC_FADD VGPU_LDS_FADD

static const struct ds ds[VGPU_NUM_OPS] = {
#define D(name, d, s0, s1, kind, size, arg) \
	[VGPU_OP_##name] = { KIND_##kind, size, arg },
#include "isa/ops/ops_ds.def"
#undef D
};

/* The LDS of the wave's group. */
struct lds {
	u8 *mem;
	u32 size;
};

static u32 lds_read(const struct lds *m, u64 at, u32 size)
{
	u32 v = 0;

	if (at + size <= m->size)
		memcpy(&v, m->mem + at, size);
	return v;
}

static void lds_write(const struct lds *m, u64 at, u32 size, u32 v)
{
	if (at + size <= m->size)
		memcpy(m->mem + at, &v, size);
}

static u64 address(const struct vgpu_isa_state *c, const struct vgpu_insn *i,
		   unsigned int l)
{
	if (ds[i->op].arg & ADDTID && ds[i->op].kind != KIND_ATOMIC)
		return (c->w->s[VGPU_S_M0] & 0xffff) + (u32)i->offset + l * 4;
	return c->w->v[i->vaddr][l] + (u32)i->offset;	/* wraps */
}

static void read_lane(struct vgpu_isa_state *c, const struct vgpu_insn *i,
		      const struct lds *m, unsigned int l)
{
	const struct ds *k = &ds[i->op];
	u32 *d = &c->w->v[i->dst][l];
	u64 at = address(c, i, l);
	u32 n, v;

	if (k->size >= 4) {
		for (n = 0; n < k->size; n += 4)
			d[n / 4 * VGPU_LANES] = lds_read(m, at + n, 4);
		return;
	}
	v = lds_read(m, at, k->size);
	if (k->arg & SEXT)
		v = k->size == 1 ? (u32)(s8)v : (u32)(s16)v;
	if (k->arg & D16)
		v = (*d & 0xffff0000) | (v & 0xffff);
	else if (k->arg & D16_HI)
		v = (*d & 0xffff) | v << 16;
	*d = v;
}

static void write_lane(struct vgpu_isa_state *c, const struct vgpu_insn *i,
		       const struct lds *m, unsigned int l)
{
	const u32 *s = &c->w->v[i->reg[1]][l];
	const struct ds *k = &ds[i->op];
	u64 at = address(c, i, l);
	u32 n;

	if (k->size < 4)
		lds_write(m, at, k->size, k->arg & D16_HI ? *s >> 16 : *s);
	for (n = 0; k->size >= 4 && n < k->size; n += 4)
		lds_write(m, at + n, 4, s[n / 4 * VGPU_LANES]);
}

/* Read, write or exchange two elements; their offsets count elements (or 64 of them). */
static void two_of_lane(struct vgpu_isa_state *c, const struct vgpu_insn *i,
			const struct lds *m, unsigned int l)
{
	const struct ds *k = &ds[i->op];
	u32 base = c->w->v[i->vaddr][l], unit = k->size * k->arg, e, n;
	const u32 offset[] = { i->offset & 255, i->offset >> 8 & 255 };
	u32 words = k->size / 4, old[4];

	for (e = 0; e < 2; e++) {
		const u32 *s = &c->w->v[i->reg[1 + e]][l];
		u64 at = base + offset[e] * unit;	/* wraps */

		for (n = 0; n < words; n++) {
			old[e * words + n] = lds_read(m, at + n * 4, 4);
			if (k->kind != KIND_READ2)
				lds_write(m, at + n * 4, 4, s[n * VGPU_LANES]);
		}
	}
	/* Write results last: their registers may be those of the second element's data. */
	for (n = 0; n < 2 * words && k->kind != KIND_WRITE2; n++)
		c->w->v[i->dst + n][l] = old[n];
}

static u64 data(const struct vgpu_isa_state *c, const struct vgpu_insn *i,
		unsigned int k, unsigned int l)
{
	const u32 *s = &c->w->v[i->reg[k]][l];

	return make_64(ds[i->op].size == 8 ? s[VGPU_LANES] : 0, s[0]);
}

static void atomic_lane(struct vgpu_isa_state *c, const struct vgpu_insn *i,
			const struct lds *m, unsigned int l)
{
	const struct ds *k = &ds[i->op];
	bool wide = k->size == 8, two = vgpu_op_info[i->op].src[2];
	/* The value to compare with is the first operand of CMPST. */
	bool swap = k->arg == VGPU_OP_ATOMIC_CMPSWAP ||
		    k->arg == VGPU_OP_ATOMIC_FCMPSWAP;
	u64 first = data(c, i, 1, l), second = two ? data(c, i, 2, l) : 0;
	u64 at = address(c, i, l), old, new;
	u32 *d = &c->w->v[i->dst][l];

	old = make_64(wide ? lds_read(m, at + 4, 4) : 0, lds_read(m, at, 4));
	new = vgpu_atomic_result(k->arg, wide, old, swap ? second : first,
				 swap ? first : second);
	lds_write(m, at, 4, (u32)new);
	if (wide)
		lds_write(m, at + 4, 4, new >> 32);
	if (!vgpu_op_info[i->op].dst)
		return;
	d[0] = (u32)old;
	if (wide)
		d[VGPU_LANES] = old >> 32;
}

/* Replace each of two dwords if bit 31 of its data is set. */
static void exchange_lane(struct vgpu_isa_state *c, const struct vgpu_insn *i,
			  const struct lds *m, unsigned int l)
{
	const u32 *s = &c->w->v[i->reg[1]][l];
	u64 at = address(c, i, l) & 0xfff8;
	u32 old[2], n;

	for (n = 0; n < 2; n++) {
		u32 v = s[n * VGPU_LANES];

		old[n] = lds_read(m, at + n * 4, 4);
		if (v & BIT(31))
			lds_write(m, at + n * 4, 4, v & ~BIT(31));
	}
	/* Write results last: their registers may be those of the data. */
	for (n = 0; n < 2; n++)
		c->w->v[i->dst + n][l] = old[n];
}

static const struct vgpu_insn *do_lanes(struct vgpu_isa_state *c,
					const struct vgpu_insn *i)
{
	struct lds m = { 0 };
	unsigned int l;

	m.mem = c->hooks->memory.lds(c->w, &m.size);
	for (l = 0; l < c->lanes; l++) {
		if (!(c->exec >> l & 1))
			continue;
		switch (ds[i->op].kind) {
		case KIND_READ:
			read_lane(c, i, &m, l);
			break;
		case KIND_WRITE:
			write_lane(c, i, &m, l);
			break;
		case KIND_READ2:
		case KIND_WRITE2:
		case KIND_WRXCHG2:
			two_of_lane(c, i, &m, l);
			break;
		case KIND_ATOMIC:
			atomic_lane(c, i, &m, l);
			break;
		case KIND_CONDXCHG:
			exchange_lane(c, i, &m, l);
			break;
		}
	}
	return vgpu_next(i);
}

/*
 * Each lane sends its value to (PERMUTE), or reads the value of (BPERMUTE), lane
 * address / 4, within 32 lanes. A lane that receives no value gets 0, and so does one
 * that reads an inactive lane.
 */
static const struct vgpu_insn *do_permute(struct vgpu_isa_state *c,
					  const struct vgpu_insn *i)
{
	const u32 *s = c->w->v[i->reg[1]];
	bool send = ds[i->op].kind == KIND_PERMUTE;
	u32 out[VGPU_LANES] = { 0 };
	unsigned int l;

	for (l = 0; l < c->lanes; l++) {
		unsigned int other = (l & 32) |
				     ((u32)address(c, i, l) / 4 & 31);

		if (!(c->exec >> l & 1))
			continue;
		if (send)
			out[other] = s[l];
		else if (c->exec >> other & 1)
			out[l] = s[other];
	}
	for (l = 0; l < c->lanes; l++) {
		if (c->exec >> l & 1)
			c->w->v[i->dst][l] = out[l];
	}
	return vgpu_next(i);
}

/* Get the lane, of 32, that SWIZZLE reads for lane @l. @how: the offset field. */
static unsigned int swizzle_lane(u32 how, unsigned int l)
{
	unsigned int mask = how & 31, n, r = 0;

	if (how >= 0xe000) {	/* FFT: reverse the bits of the lane's number */
		for (n = 0; n < 5; n++)
			r |= (l >> n & 1) << (4 - n);
		return (r >> __builtin_popcount(mask)) | (l & mask);
	}
	if (how >= 0xc000) {	/* rotate lanes; bits of the number in the mask stay */
		n = how >> 5 & 31;
		n = how & BIT(10) ? l - n : l + n;
		return (l & mask) | (n & ~mask & 31);
	}
	if (how & BIT(15))	/* quads */
		return (l & 28) | (how >> 2 * (l & 3) & 3);
	return ((l & mask) | (how >> 5 & 31)) ^ (how >> 10 & 31);
}

static const struct vgpu_insn *do_swizzle(struct vgpu_isa_state *c,
					  const struct vgpu_insn *i)
{
	u32 *d = c->w->v[i->dst], old[VGPU_LANES];
	unsigned int l;

	memcpy(old, c->w->v[i->vaddr], sizeof(old));
	for (l = 0; l < c->lanes; l++) {
		unsigned int from = (l & 32) |
				    swizzle_lane((u32)i->offset, l & 31);

		if (c->exec >> l & 1)
			d[l] = c->exec >> from & 1 ? old[from] : 0;
	}
	return vgpu_next(i);
}

/* Change the counter at M0 by the number of active lanes; all lanes get its old value. */
static const struct vgpu_insn *do_count(struct vgpu_isa_state *c,
					const struct vgpu_insn *i)
{
	u32 *d = c->w->v[i->dst], old, by = (u32)__builtin_popcountll(c->exec);
	u64 at = (c->w->s[VGPU_S_M0] & 0xffff) + (u32)i->offset;
	struct lds m = { 0 };
	unsigned int l;

	m.mem = c->hooks->memory.lds(c->w, &m.size);
	old = lds_read(&m, at, 4);
	lds_write(&m, at, 4, i->op == VGPU_OP_DS_APPEND ? old + by : old - by);
	for (l = 0; l < c->lanes; l++) {
		if (c->exec >> l & 1)
			d[l] = old;
	}
	return vgpu_next(i);
}

#define EXEC_NOP	do_lanes
#define EXEC_READ	do_lanes
#define EXEC_READ2	do_lanes
#define EXEC_WRITE	do_lanes
#define EXEC_WRITE2	do_lanes
#define EXEC_ATOMIC	do_lanes
#define EXEC_PERMUTE	do_permute
#define EXEC_BPERMUTE	do_permute
#define EXEC_CONDXCHG	do_lanes
#define EXEC_WRXCHG2	do_lanes
#define EXEC_SWIZZLE	do_swizzle
#define EXEC_COUNT	do_count

static const vgpu_exec_fn handlers[VGPU_NUM_OPS] = {
#define D(name, d, s0, s1, kind, size, arg) \
	[VGPU_OP_##name] = EXEC_##kind,
#include "isa/ops/ops_ds.def"
#undef D
};

void vgpu_handlers_ds(vgpu_exec_fn *fn)
{
	vgpu_add_handlers(fn, handlers);
}

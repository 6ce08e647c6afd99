// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Vector loads and stores. An instruction always completes: lanes whose page is missing load
 * 0 or store nothing, and afterwards the wave has a memory violation, with the PC of the
 * next instruction.
 */
#include "isa/exec/mem.h"

#include <string.h>

/* Properties of an operation. */
struct kind {
	u8 size;	/* bytes per lane */
	bool sext;	/* sign-extend the value */
	bool d16;	/* access one half of the register */
	bool high;	/* access the upper half */
};

static const struct kind kinds[VGPU_NUM_OPS] = {
	[VGPU_OP_LOAD_UBYTE] = { .size = 1 },
	[VGPU_OP_LOAD_SBYTE] = { .size = 1, .sext = true },
	[VGPU_OP_LOAD_USHORT] = { .size = 2 },
	[VGPU_OP_LOAD_SSHORT] = { .size = 2, .sext = true },
	[VGPU_OP_LOAD_DWORD] = { .size = 4 },
	[VGPU_OP_LOAD_DWORDX2] = { .size = 8 },
	[VGPU_OP_LOAD_DWORDX3] = { .size = 12 },
	[VGPU_OP_LOAD_DWORDX4] = { .size = 16 },
	[VGPU_OP_LOAD_UBYTE_D16] = { 1, false, true, false },
	[VGPU_OP_LOAD_UBYTE_D16_HI] = { 1, false, true, true },
	[VGPU_OP_LOAD_SBYTE_D16] = { 1, true, true, false },
	[VGPU_OP_LOAD_SBYTE_D16_HI] = { 1, true, true, true },
	[VGPU_OP_LOAD_SHORT_D16] = { 2, false, true, false },
	[VGPU_OP_LOAD_SHORT_D16_HI] = { 2, false, true, true },
	[VGPU_OP_LOAD_DWORD_ADDTID] = { .size = 4 },
	[VGPU_OP_STORE_BYTE] = { .size = 1 },
	[VGPU_OP_STORE_BYTE_D16_HI] = { 1, false, true, true },
	[VGPU_OP_STORE_SHORT] = { .size = 2 },
	[VGPU_OP_STORE_SHORT_D16_HI] = { 2, false, true, true },
	[VGPU_OP_STORE_DWORD] = { .size = 4 },
	[VGPU_OP_STORE_DWORDX2] = { .size = 8 },
	[VGPU_OP_STORE_DWORDX3] = { .size = 12 },
	[VGPU_OP_STORE_DWORDX4] = { .size = 16 },
	[VGPU_OP_STORE_DWORD_ADDTID] = { .size = 4 },
};

u8 *vgpu_lane_ptr(struct vgpu_isa_state *c, struct vgpu_accesses *a, u64 va,
		  bool write)
{
	u8 *p = vgpu_gmc_ptr(c->g, c->tlb, c->w->vmid, va, write);

	if (!p) {
		if (!(a->bits & WAVE_EXCP_MEM_VIOL))
			vgpu_gmc_fault(c->g, c->w->vmid, va,
				       write ? VGPU_WRITE : VGPU_READ);
		a->bits |= WAVE_EXCP_MEM_VIOL;
	}
	return p;
}

void vgpu_watch_lanes(struct vgpu_isa_state *c, struct vgpu_accesses *a,
		      u32 size, enum vgpu_watch_kind kind)
{
	unsigned int l;
	u32 n;

	for (l = 0; l < c->lanes; l++) {
		u32 inside = vgpu_inside(c, a, l, (size + 3) / 4);

		if (!inside || a->in_lds)
			continue;
		if (a->step == 4) {
			a->bits |= c->hooks->memory.watch(c->g, c->w, c->addr[l],
						    size < 4 ? size : inside * 4,
						    kind);
			continue;
		}
		for (n = 0; n < inside; n++)
			a->bits |= c->hooks->memory.watch(c->g, c->w,
						    c->addr[l] + n * a->step,
						    size < 4 ? size : 4, kind);
	}
}

const struct vgpu_insn *vgpu_access_done(struct vgpu_isa_state *c,
					 const struct vgpu_insn *i,
					 const struct vgpu_accesses *a)
{
	return a->bits ? vgpu_raise(c, i, a->bits) : vgpu_next(i);
}

void vgpu_copy_in(struct vgpu_isa_state *c, struct vgpu_accesses *a, u64 va,
		  u32 size, u32 *v)
{
	u8 buf[4] = { 0 };
	u8 *p;
	u32 n;

	if (a->in_lds) {
		p = vgpu_lds_ptr(a, va, size);
		if (p)
			memcpy(buf, p, size);
	} else if ((va & (VGPU_PAGE_SIZE - 1)) + size <= VGPU_PAGE_SIZE) {
		p = vgpu_lane_ptr(c, a, va, false);
		if (p && size == 4)
			memcpy(buf, p, 4);
		else if (p)
			memcpy(buf, p, size);
	} else {
		for (n = 0; n < size; n++) {
			p = vgpu_lane_ptr(c, a, va + n, false);
			buf[n] = p ? *p : 0;
		}
	}
	memcpy(v, buf, 4);
}

void vgpu_copy_out(struct vgpu_isa_state *c, struct vgpu_accesses *a, u64 va,
		   u32 size, u32 v)
{
	u8 buf[4];
	u8 *p;
	u32 n;

	memcpy(buf, &v, 4);
	if (a->in_lds) {
		p = vgpu_lds_ptr(a, va, size);
		if (p)
			memcpy(p, buf, size);
		return;
	}
	if ((va & (VGPU_PAGE_SIZE - 1)) + size <= VGPU_PAGE_SIZE) {
		p = vgpu_lane_ptr(c, a, va, true);
		if (p && size == 4)
			memcpy(p, buf, 4);
		else if (p)
			memcpy(p, buf, size);
		return;
	}
	for (n = 0; n < size; n++) {
		p = vgpu_lane_ptr(c, a, va + n, true);
		if (p)
			*p = buf[n];
	}
}

static __attribute__((noinline)) u32 load_dword_slow(struct vgpu_isa_state *c,
						     struct vgpu_accesses *a,
						     u64 va)
{
	u32 v;

	vgpu_copy_in(c, a, va, 4, &v);
	return v;
}

static inline __attribute__((always_inline)) u32
load_dword(struct vgpu_isa_state *c, struct vgpu_accesses *a, u64 va)
{
	const u8 *p = a->in_lds ? NULL : vgpu_tlb_lookup(c->rd, va, 4);
	u32 v;

	if (!p)
		return load_dword_slow(c, a, va);
	memcpy(&v, p, 4);
	return v;
}

static void load_dwords(struct vgpu_isa_state *c, const struct vgpu_insn *i,
			struct vgpu_accesses *a, u32 num)
{
	u32 *d = c->w->v[i->dst];
	unsigned int l, n;

	if (num == 1 && a->lanes == vgpu_lane_mask(c)) {
		for (l = 0; l < c->lanes; l++)
			d[l] = load_dword(c, a, c->addr[l]);
		return;
	}
	for (l = 0; l < c->lanes; l++) {
		u32 inside = vgpu_inside(c, a, l, num);

		if (!(a->active >> l & 1))
			continue;
		for (n = 0; n < num; n++)
			d[n * VGPU_LANES + l] = n < inside ?
				load_dword(c, a, c->addr[l] + n * a->step) : 0;
	}
}

static void store_dwords(struct vgpu_isa_state *c, const struct vgpu_insn *i,
			 struct vgpu_accesses *a, u32 num)
{
	const u32 *s = c->w->v[i->reg[1]];
	unsigned int l, n;

	for (l = 0; l < c->lanes; l++) {
		u32 inside = vgpu_inside(c, a, l, num);

		for (n = 0; n < inside; n++)
			vgpu_copy_out(c, a, c->addr[l] + n * a->step, 4,
				      s[n * VGPU_LANES + l]);
	}
}

static u32 extend(const struct kind *k, u32 v)
{
	if (!k->sext)
		return v;
	return k->size == 1 ? (u32)(s8)v : (u32)(s16)v;
}

static void load_part(struct vgpu_isa_state *c, const struct vgpu_insn *i,
		      struct vgpu_accesses *a, const struct kind *k)
{
	u32 *d = c->w->v[i->dst];
	unsigned int l;

	for (l = 0; l < c->lanes; l++) {
		u32 v = 0;

		if (!(a->active >> l & 1))
			continue;
		if (a->lanes >> l & 1)
			vgpu_copy_in(c, a, c->addr[l], k->size, &v);
		v = extend(k, v);
		if (!k->d16)
			d[l] = v;
		else if (k->high)
			d[l] = (d[l] & 0xffff) | v << 16;
		else
			d[l] = (d[l] & 0xffff0000) | (v & 0xffff);
	}
}

static void store_part(struct vgpu_isa_state *c, const struct vgpu_insn *i,
		       struct vgpu_accesses *a, const struct kind *k)
{
	const u32 *s = c->w->v[i->reg[1]];
	unsigned int l;

	for (l = 0; l < c->lanes; l++) {
		if (a->lanes >> l & 1)
			vgpu_copy_out(c, a, c->addr[l], k->size,
				      k->high ? s[l] >> 16 : s[l]);
	}
}

static const struct vgpu_insn *do_load(struct vgpu_isa_state *c,
				       const struct vgpu_insn *i)
{
	const struct kind *k = &kinds[i->op];
	struct vgpu_accesses a;

	vgpu_addresses(c, i, k->size, false, &a);
	do {
		if (c->w->slow)
			vgpu_watch_lanes(c, &a, k->size, VGPU_WATCH_READ);
		if (k->size >= 4)
			load_dwords(c, i, &a, k->size / 4);
		else
			load_part(c, i, &a, k);
	} while (vgpu_more_addresses(c, &a));
	return vgpu_access_done(c, i, &a);
}

static const struct vgpu_insn *do_store(struct vgpu_isa_state *c,
					const struct vgpu_insn *i)
{
	const struct kind *k = &kinds[i->op];
	struct vgpu_accesses a;

	vgpu_addresses(c, i, k->size, false, &a);
	do {
		if (c->w->slow)
			vgpu_watch_lanes(c, &a, k->size, VGPU_WATCH_WRITE);
		if (k->size >= 4)
			store_dwords(c, i, &a, k->size / 4);
		else
			store_part(c, i, &a, k);
	} while (vgpu_more_addresses(c, &a));
	return vgpu_access_done(c, i, &a);
}

/* These caches are not modelled. */
static const struct vgpu_insn *do_inv(struct vgpu_isa_state *c,
				      const struct vgpu_insn *i)
{
	(void)c;
	return vgpu_next(i);
}

void vgpu_handlers_mem(vgpu_exec_fn *fn)
{
	unsigned int op;

	for (op = VGPU_OP_LOAD_UBYTE; op <= VGPU_OP_LOAD_DWORD_ADDTID; op++)
		fn[op] = do_load;
	for (op = VGPU_OP_STORE_BYTE; op <= VGPU_OP_STORE_DWORD_ADDTID; op++)
		fn[op] = do_store;
	fn[VGPU_OP_BUFFER_GL0_INV] = do_inv;
	fn[VGPU_OP_BUFFER_GL1_INV] = do_inv;
}

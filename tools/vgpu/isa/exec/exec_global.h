/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fast path of GLOBAL loads and stores: all lanes are active, they access whole dwords,
 * and the TLB has their pages. exec_mem.c executes all other cases. Included by exec_valu.h,
 * so it is compiled for two kinds of CPU.
 *
 * Lanes in one page need one lookup. Lanes in several pages are looked up one by one, and
 * the pages are kept in vgpu_isa_state.known[]: a loop that continues in the same pages,
 * field by field or column by column, finds all of them by comparing vectors.
 */
#ifndef VGPU_ISA_EXEC_GLOBAL_H
#define VGPU_ISA_EXEC_GLOBAL_H

#include "isa/internal.h"

/* The kind of an instruction on the fast path; each handler has a constant one. */
struct global_kind {
	u32 num;	/* number of dwords of a lane */
	bool store;
	bool based;	/* the base is in SGPRs, and the VGPR has an offset */
};

static inline u64 global_base(const struct vgpu_isa_state *c,
			      const struct vgpu_insn *i, bool based)
{
	const u32 *s = &c->w->s[i->saddr];

	return (u64)(s64)i->offset + (based ? make_64(s[1], s[0]) : 0);
}

/* Get the address of a lane. @v: its element in the VGPR; @add: global_base(). */
static inline u64 global_lane(const u32 *v, u64 add, bool based)
{
	return add + (based ? v[0] : make_64(v[VGPU_LANES], v[0]));
}

static inline struct vgpu_lane_pages *known_pages(struct vgpu_isa_state *c,
						  const struct vgpu_insn *i,
						  bool store)
{
	return &c->known[store][(uintptr_t)i / (2 * sizeof(*i)) %
				VGPU_KNOWN_PAGES];
}

/*
 * Returns 0 if a lane's access is in one page, and in the same 4 GiB as that of the first
 * lane (@va_hi). @v: the lane's element in the VGPR; @t: the lower half of its address.
 */
static inline __attribute__((always_inline)) u32
lane_alone(const u32 *v, u64 add, u32 t, u32 va_hi, struct global_kind kind)
{
	const u32 hi = (u32)(add >> 32) + (kind.based ? 0 : v[VGPU_LANES]);
	const u32 apart = (hi + (t < (u32)add ? 1 : 0)) ^ va_hi;

	/* One dword that is aligned is in one page: ELSEWHERE() checks the alignment. */
	if (kind.num == 1)
		return apart;
	return apart | ((t & (VGPU_PAGE_SIZE - 1)) + kind.num * 4 - 1) >>
	       VGPU_PAGE_SHIFT;
}

/* The bits of an address that must be equal to those of its page's address */
#define ELSEWHERE(kind) \
	(~(u32)(VGPU_PAGE_SIZE - 1) | ((kind).num == 1 ? 3 : 0))

/* Are all of 32 lanes in the page of @va, the address of the first lane? */
static inline __attribute__((always_inline)) bool
in_page_32(const u32 *v, u64 add, u64 va, struct global_kind kind)
{
	const u32 page = (u32)va & ~(u32)(VGPU_PAGE_SIZE - 1);
	u32 alone = 0, differ = 0;
	size_t l;

	for (l = 0; l < 32; l++) {
		const u32 t = v[l] + (u32)add;

		alone |= lane_alone(v + l, add, t, va >> 32, kind);
		differ |= t ^ page;
	}
	return !(alone | (differ & ELSEWHERE(kind)));
}

/* Is each of 32 lanes in its page of @known? Sets @at to the lower halves of addresses. */
static inline __attribute__((always_inline)) bool
in_known_32(const u32 *v, u64 add, u32 va_hi, const u32 *known, u32 *at,
	    struct global_kind kind)
{
	u32 alone = 0, differ = 0;
	size_t l;

	_Pragma("GCC ivdep")
	for (l = 0; l < 32; l++) {
		const u32 t = v[l] + (u32)add;

		alone |= lane_alone(v + l, add, t, va_hi, kind);
		differ |= t ^ known[l];
		at[l] = t;
	}
	return !(alone | (differ & ELSEWHERE(kind)));
}

/* Get what to add to the lower half of a lane's address for the host's; 0: not in the TLB. */
static inline __attribute__((always_inline)) u64
lane_host(struct vgpu_tlb_pages *tlb, u32 va_hi, u32 at)
{
	const u64 va = make_64(va_hi, at);
	const struct vgpu_tlb_entry *e = &tlb->direct[vgpu_tlb_slot(at)];
	const u8 *p;

	if (__builtin_expect((e->page ^ va) < VGPU_PAGE_SIZE, true))
		return e->host + make_64(va_hi, 0);
	p = vgpu_tlb_find(tlb, va);
	return p ? (uintptr_t)p - at : 0;
}

/* Look up the pages of all lanes. Returns false if a lane cannot use the fast path. */
static inline __attribute__((always_inline)) bool
find_pages(struct vgpu_isa_state *c, const struct vgpu_insn *i,
	   struct vgpu_lane_pages *known, struct global_kind kind)
{
	struct vgpu_tlb_pages *tlb = kind.store ? c->wr : c->rd;
	const u64 add = global_base(c, i, kind.based);
	const u32 *v = c->w->v[i->vaddr];
	const u32 va_hi = global_lane(v, add, kind.based) >> 32;
	u32 alone = 0, differ = 0;
	size_t base = 0, l;

	known->forgotten = 0;
	do {
		for (l = base; l < base + 32; l++) {
			const u32 t = v[l] + (u32)add;

			alone |= lane_alone(v + l, add, t, va_hi, kind);
			known->page[l] = t & ~(u32)(VGPU_PAGE_SIZE - 1);
			differ |= t ^ known->page[l];
			c->at[l] = t;
		}
	} while ((base += 32) < c->lanes);
	alone |= differ & ELSEWHERE(kind);
	for (l = 0; l < c->lanes && !alone; l++) {
		known->host[l] = lane_host(tlb, va_hi, c->at[l]);
		if (!known->host[l])
			return false;
	}
	if (alone)
		return false;
	known->va_hi = va_hi;
	known->vmid = c->w->vmid;
	known->lanes = c->lanes;
	known->forgotten = c->tlb->forgotten;
	return true;
}

/* Load or store the dwords of one lane. @v: its element in the first register. */
static inline __attribute__((always_inline)) void
move_lane(u32 *v, u64 host, struct global_kind kind)
{
	u8 *p = (u8 *)(uintptr_t)host;
	u32 n;

	for (n = 0; n < kind.num; n++) {
		if (kind.store)
			memcpy(p + n * 4, &v[n * VGPU_LANES], 4);
		else
			memcpy(&v[n * VGPU_LANES], p + n * 4, 4);
	}
}

/* Move 32 lanes in their order: of two stores to one address, the later lane's remains. */
static inline __attribute__((always_inline)) void
move_32(u32 *v, const u32 *at, const u64 *host, struct global_kind kind)
{
	size_t l;

	_Pragma("GCC unroll 8")
	for (l = 0; l < 32; l++)
		move_lane(v + l, host[l] + at[l], kind);
}

/*
 * Move 32 lanes in one page. @host: what to add to the lower half of an address. The data
 * register may be the address register: each lane reads its address before it is changed.
 */
static inline __attribute__((always_inline)) void
move_32_in_page(u32 *v, const u32 *addr, u32 add, u64 host,
		struct global_kind kind)
{
	u8 *p = (u8 *)(uintptr_t)(host + (u32)(addr[0] + add));
	u32 gaps = 0;
	size_t l;

	for (l = 0; l < 32; l++)
		gaps |= addr[l] ^ (addr[0] + 4 * (u32)l);
	if (kind.num > 1 || gaps) {
		_Pragma("GCC unroll 8")
		for (l = 0; l < 32; l++)
			move_lane(v + l, host + (u32)(addr[l] + add), kind);
	} else if (kind.store) {
		memcpy(p, v, 32 * sizeof(*v));
	} else {
		memcpy(v, p, 32 * sizeof(*v));
	}
}

/* Execute the access with known pages; c->at[] has the lower halves of addresses. */
static inline __attribute__((always_inline)) const struct vgpu_insn *
global_known(struct vgpu_isa_state *c, const struct vgpu_insn *i, s32 left,
	     const struct vgpu_lane_pages *known, struct global_kind kind)
{
	u32 *v = c->w->v[kind.store ? i->reg[1] : i->dst];

	move_32(v, c->at, known->host, kind);
	if (c->lanes > 32)
		move_32(v + 32, c->at + 32, known->host + 32, kind);
	return vgpu_continue(c, i, left);
}

/* Look up the pages, or leave the instruction to exec_mem.c. */
static inline __attribute__((always_inline)) const struct vgpu_insn *
global_find(struct vgpu_isa_state *c, const struct vgpu_insn *i, s32 left,
	    struct global_kind kind)
{
	struct vgpu_lane_pages *known = known_pages(c, i, kind.store);

	if (!find_pages(c, i, known, kind))
		return vgpu_exec_one(c, i, left);
	return global_known(c, i, left, known, kind);
}

/* Are all lanes in the pages of their last access, and are these still valid? */
static inline __attribute__((always_inline)) bool
in_known(struct vgpu_isa_state *c, const struct vgpu_lane_pages *known,
	 const u32 *addr, u64 add, u64 va, struct global_kind kind)
{
	if (known->forgotten != c->tlb->forgotten || known->va_hi != va >> 32 ||
	    known->vmid != c->w->vmid || known->lanes < c->lanes)
		return false;
	return in_known_32(addr, add, va >> 32, known->page, c->at, kind) &&
	       (c->lanes == 32 ||
		in_known_32(addr + 32, add, va >> 32, known->page + 32,
			    c->at + 32, kind));
}

/* @find: global_find() as a separate function, so that this one needs few registers. */
VGPU_INLINE const struct vgpu_insn *global(struct vgpu_isa_state *c, const struct vgpu_insn *i,
					   s32 left, struct global_kind kind,
					   vgpu_thread_fn find)
{
	const struct vgpu_lane_pages *known = known_pages(c, i, kind.store);
	u32 *v = c->w->v[kind.store ? i->reg[1] : i->dst];
	const u32 *addr = c->w->v[i->vaddr];
	u64 add = global_base(c, i, kind.based);
	u64 va = global_lane(addr, add, kind.based), host;

	if (!c->full || c->w->slow)
		return vgpu_exec_one(c, i, left);
	if (in_known(c, known, addr, add, va, kind))
		return global_known(c, i, left, known, kind);
	if (!in_page_32(addr, add, va, kind) ||
	    (c->lanes > 32 && !in_page_32(addr + 32, add, va, kind)))
		return find(c, i, left);
	host = (uintptr_t)vgpu_tlb_lookup(kind.store ? c->wr : c->rd, va, 1);
	if (!host)
		return vgpu_exec_one(c, i, left);
	host -= (u32)va;
	move_32_in_page(v, addr, (u32)add, host, kind);
	if (c->lanes > 32)
		move_32_in_page(v + 32, addr + 32, (u32)add, host, kind);
	return vgpu_continue(c, i, left);
}

#define GLOBAL(name, ...) \
static __attribute__((noinline)) const struct vgpu_insn * \
find_##name(struct vgpu_isa_state *c, const struct vgpu_insn *i, s32 left) \
{ \
	return global_find(c, i, left, (struct global_kind){ __VA_ARGS__ }); \
} \
\
static const struct vgpu_insn *name(struct vgpu_isa_state *c, \
				    const struct vgpu_insn *i, s32 left) \
{ \
	return global(c, i, left, (struct global_kind){ __VA_ARGS__ }, \
		      find_##name); \
}

#define GLOBAL_4(name, store, based) \
	GLOBAL(name##_1, 1, store, based) \
	GLOBAL(name##_2, 2, store, based) \
	GLOBAL(name##_3, 3, store, based) \
	GLOBAL(name##_4, 4, store, based)

GLOBAL_4(load, false, false)
GLOBAL_4(load_based, false, true)
GLOBAL_4(store, true, false)
GLOBAL_4(store_based, true, true)

static vgpu_thread_fn global_thread(enum vgpu_op op, bool based)
{
	static const vgpu_thread_fn loads[2][4] = {
		{ load_1, load_2, load_3, load_4 },
		{ load_based_1, load_based_2, load_based_3, load_based_4 },
	};
	static const vgpu_thread_fn stores[2][4] = {
		{ store_1, store_2, store_3, store_4 },
		{ store_based_1, store_based_2, store_based_3, store_based_4 },
	};

	if (op >= VGPU_OP_LOAD_DWORD && op <= VGPU_OP_LOAD_DWORDX4)
		return loads[based][op - VGPU_OP_LOAD_DWORD];
	if (op >= VGPU_OP_STORE_DWORD && op <= VGPU_OP_STORE_DWORDX4)
		return stores[based][op - VGPU_OP_STORE_DWORD];
	return NULL;
}

#endif /* VGPU_ISA_EXEC_GLOBAL_H */

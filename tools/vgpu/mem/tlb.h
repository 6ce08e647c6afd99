/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cached translations, for each VMID separately of pages that may be read and of pages
 * that may be written. A lookup by lanes must take few instructions, so there are two
 * levels: the first is direct-mapped; the second has sets in which any eight pages have
 * room.
 */
#ifndef VGPU_TLB_H
#define VGPU_TLB_H

#include "gpu.h"

#define VGPU_TLB_DIRECT		512
#define VGPU_TLB_SETS		128
#define VGPU_TLB_WAYS		8
#define VGPU_TLB_VMIDS		16

struct vgpu_tlb_entry {
	u64 page;	/* virtual address of the page */
	u64 host;	/* what to add to a virtual address to get the host's */
};

/* The translations of one VMID for one kind of access */
struct vgpu_tlb_pages {
	struct vgpu_tlb_entry direct[VGPU_TLB_DIRECT];
	struct vgpu_tlb_entry set[VGPU_TLB_SETS][VGPU_TLB_WAYS];
};

struct vgpu_tlb {
	struct vgpu_tlb_pages pages[VGPU_TLB_VMIDS][2];	/* read, write */
	bool used[VGPU_TLB_VMIDS];	/* entries were inserted since the last flush */
	u64 forgotten;			/* number of calls of vgpu_tlb_forget(); never 0 */
	u32 flushes[VGPU_TLB_VMIDS];	/* number of calls of vgpu_gmc_flush() */
};

/*
 * Get the entry of direct[] of an address: neighbours have different ones, and so do
 * pages that are a power of two apart, if that is below 1 GiB. Only the lower half of the
 * address matters, so that it is quick for many lanes.
 */
static inline u32 vgpu_tlb_slot(u32 va_lo)
{
	return (va_lo >> VGPU_PAGE_SHIFT ^ va_lo >> (VGPU_PAGE_SHIFT + 9)) %
	       VGPU_TLB_DIRECT;
}

static inline struct vgpu_tlb_pages *vgpu_tlb_pages(struct vgpu_tlb *tlb,
						    unsigned int vmid, bool write)
{
	return &tlb->pages[vmid][write];
}

/*
 * Get the host address of @size bytes from the first level. NULL: they are not in one
 * page, or direct[] does not have it, even if it is mapped.
 */
static inline u8 *vgpu_tlb_lookup(const struct vgpu_tlb_pages *t, u64 va,
				  u32 size)
{
	const struct vgpu_tlb_entry *e = &t->direct[vgpu_tlb_slot((u32)va)];

	/* Addresses in the same page differ only in their offset. */
	if ((e->page ^ va) > VGPU_PAGE_SIZE - size)
		return NULL;
	return (u8 *)(uintptr_t)(e->host + va);
}

/* The same from the second level; it is copied to direct[]. */
u8 *vgpu_tlb_find(struct vgpu_tlb_pages *t, u64 va);
/* Insert the translation of the page of @va to @host. */
void vgpu_tlb_insert(struct vgpu_tlb *tlb, unsigned int vmid, bool write,
		     u64 va, u8 *host);
/* Remove the pages of the VMIDs in @mask; the caller updates ->flushes. */
void vgpu_tlb_forget(struct vgpu_tlb *tlb, u32 mask);
/* Initialise a TLB. */
void vgpu_tlb_init(struct vgpu_tlb *tlb);

#endif /* VGPU_TLB_H */

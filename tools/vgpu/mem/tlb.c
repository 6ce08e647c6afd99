// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See tlb.h. An empty entry has the address of a page that belongs into another entry: no
 * address matches it, so a lookup need not check whether an entry is valid.
 */
#include <string.h>

#include "mem/tlb.h"

#define SET_BITS	7

static struct vgpu_tlb_entry *set_of(struct vgpu_tlb_pages *t, u64 va)
{
	u64 page = va >> VGPU_PAGE_SHIFT;

	page ^= page >> SET_BITS ^ page >> 2 * SET_BITS ^ page >> 3 * SET_BITS;
	return t->set[page % VGPU_TLB_SETS];
}

static void forget_pages(struct vgpu_tlb_pages *t)
{
	unsigned int n, way;

	for (n = 0; n < VGPU_TLB_DIRECT; n++)
		t->direct[n].page = (u64)(n ^ 1) << VGPU_PAGE_SHIFT;
	for (n = 0; n < VGPU_TLB_SETS; n++) {
		for (way = 0; way < VGPU_TLB_WAYS; way++)
			t->set[n][way].page = (u64)(n ^ 1) << VGPU_PAGE_SHIFT;
	}
}

/* Find the way of a page; if the set does not have it, the last one, which is replaced. */
static unsigned int way_of(const struct vgpu_tlb_entry *set, u64 page)
{
	unsigned int way = 0;

	while (way < VGPU_TLB_WAYS - 1 && set[way].page != page)
		way++;
	return way;
}

/* Mark an entry as used last: a set is sorted by the last use, the most recent first. */
static void move_to_front(struct vgpu_tlb_entry *set, unsigned int way)
{
	struct vgpu_tlb_entry e = set[way];

	memmove(&set[1], &set[0], way * sizeof(*set));
	set[0] = e;
}

u8 *vgpu_tlb_find(struct vgpu_tlb_pages *t, u64 va)
{
	u64 page = va & ~(u64)(VGPU_PAGE_SIZE - 1);
	struct vgpu_tlb_entry *set = set_of(t, va);
	unsigned int way = way_of(set, page);

	if (set[way].page != page)
		return NULL;
	move_to_front(set, way);
	t->direct[vgpu_tlb_slot((u32)va)] = set[0];
	return (u8 *)(uintptr_t)(set[0].host + va);
}

void vgpu_tlb_insert(struct vgpu_tlb *tlb, unsigned int vmid, bool write,
		     u64 va, u8 *host)
{
	struct vgpu_tlb_pages *t = vgpu_tlb_pages(tlb, vmid, write);
	u64 page = va & ~(u64)(VGPU_PAGE_SIZE - 1);
	struct vgpu_tlb_entry *set = set_of(t, va);

	tlb->used[vmid] = true;
	move_to_front(set, way_of(set, page));
	set[0].page = page;
	set[0].host = (uintptr_t)host - page;
	t->direct[vgpu_tlb_slot((u32)va)] = set[0];
}

void vgpu_tlb_forget(struct vgpu_tlb *tlb, u32 mask)
{
	unsigned int vmid;

	tlb->forgotten++;
	for (vmid = 0; vmid < VGPU_TLB_VMIDS; vmid++) {
		if (!(mask >> vmid & 1) || !tlb->used[vmid])
			continue;
		forget_pages(vgpu_tlb_pages(tlb, vmid, false));
		forget_pages(vgpu_tlb_pages(tlb, vmid, true));
		tlb->used[vmid] = false;
	}
}

void vgpu_tlb_init(struct vgpu_tlb *tlb)
{
	memset(tlb, 0, sizeof(*tlb));
	memset(tlb->used, true, sizeof(tlb->used));
	vgpu_tlb_forget(tlb, ~0U);
}

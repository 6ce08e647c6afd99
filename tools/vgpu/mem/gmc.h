/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory: VRAM, guest RAM, and the translation of GPU virtual addresses (FB
 * and AGP apertures and GART of VMID 0, four-level page tables of the others).
 */
#ifndef VGPU_GMC_H
#define VGPU_GMC_H

#include "gpu.h"

enum vgpu_access {
	VGPU_READ,
	VGPU_WRITE,	/* also atomics */
	VGPU_EXEC,
};

/* Direct-mapped TLB; tag = page number << 4 | VMID, with VALID on top. */
#define VGPU_TLB_ENTRIES	1024
#define VGPU_TLB_VALID		BIT_ULL(63)

struct vgpu_tlb_entry {
	u64 tag;
	u8 *page;	/* host address of the page's first byte */
};

struct vgpu_tlb {
	struct vgpu_tlb_entry rd[VGPU_TLB_ENTRIES];
	struct vgpu_tlb_entry wr[VGPU_TLB_ENTRIES];
	u32 flushes[16];	/* of each VMID, so far */
};

int vgpu_gmc_init(struct vgpu *g);
void vgpu_gmc_fini(struct vgpu *g);
void vgpu_gmc_reset(struct vgpu *g);
struct vgpu_tlb *vgpu_gmc_tlb(struct vgpu *g);
/* What the graphics core has written is in VRAM then. */
void vgpu_gmc_write_back(struct vgpu *g);

/*
 * Host address of @va in VMID @vmid, NULL when the page is not mapped for
 * @access; good up to the end of the 4 KiB page. Fills the TLB. No side effect
 * on a miss: the caller decides if that is a fault.
 */
u8 *vgpu_gmc_translate(struct vgpu *g, unsigned int vmid, u64 va,
		       enum vgpu_access access);

/* What the TLB knows: NULL also for pages that are mapped. */
static inline u8 *vgpu_tlb_lookup(const struct vgpu_tlb *tlb, unsigned int vmid,
				  u64 va, bool write)
{
	u64 page = va >> VGPU_PAGE_SHIFT;
	const struct vgpu_tlb_entry *e;

	e = &(write ? tlb->wr : tlb->rd)[(page ^ vmid << 6) %
					 VGPU_TLB_ENTRIES];
	if (e->tag != (VGPU_TLB_VALID | page << 4 | vmid))
		return NULL;
	return e->page + (va & (VGPU_PAGE_SIZE - 1));
}

/* The fast way, for instructions that load and store. */
static inline u8 *vgpu_gmc_ptr(struct vgpu *g, struct vgpu_tlb *tlb,
			       unsigned int vmid, u64 va, bool write)
{
	u8 *p = vgpu_tlb_lookup(tlb, vmid, va, write);

	return p ? p : vgpu_gmc_translate(g, vmid, va, write ? VGPU_WRITE :
					  VGPU_READ);
}

/*
 * Copy by engines and blocks, across pages. On a missing page: raises the VM
 * fault (registers, interrupt, critic) and returns -EFAULT.
 */
int vgpu_gmc_read(struct vgpu *g, unsigned int vmid, u64 va, void *buf,
		  size_t len);
int vgpu_gmc_write(struct vgpu *g, unsigned int vmid, u64 va, const void *buf,
		   size_t len);
/* A VM fault of a wave or engine: GCVM_L2_PROTECTION_FAULT_*, interrupt, critic. */
void vgpu_gmc_fault(struct vgpu *g, unsigned int vmid, u64 va,
		    enum vgpu_access access);

/*
 * Guest physical memory, as a PCI device sees it. NULL when not RAM, or to be written
 * and the host lets the device only read it.
 */
u8 *vgpu_gmc_bus_ptr(struct vgpu *g, u64 addr, size_t len, bool write);

/* Forget translations of the VMIDs in @mask. */
void vgpu_gmc_flush(struct vgpu *g, u32 vmid_mask);

#endif /* VGPU_GMC_H */

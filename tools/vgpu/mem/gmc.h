/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory: VRAM, guest RAM, and the translation of GPU virtual addresses (FB and AGP
 * apertures and GART of VMID 0, page tables of the other VMIDs).
 */
#ifndef VGPU_GMC_H
#define VGPU_GMC_H

#include "gpu.h"
#include "mem/tlb.h"

enum vgpu_access {
	VGPU_READ,
	VGPU_WRITE,	/* also atomics */
	VGPU_EXEC,
};

int vgpu_gmc_init(struct vgpu *g);
void vgpu_gmc_fini(struct vgpu *g);
void vgpu_gmc_reset(struct vgpu *g);
struct vgpu_tlb *vgpu_gmc_tlb(struct vgpu *g);
/* Write the cached data of the graphics core back to VRAM. */
void vgpu_gmc_write_back(struct vgpu *g);

/*
 * Get the host address of @va in VMID @vmid, valid up to the end of the 4 KiB page; NULL:
 * the page is not mapped for @access. Fills the TLB. A miss has no side effect: the
 * caller decides whether it is a fault.
 */
u8 *vgpu_gmc_translate(struct vgpu *g, unsigned int vmid, u64 va,
		       enum vgpu_access access);

/* Get a host address after a miss in the TLB's first level; NULL: not mapped. */
u8 *vgpu_gmc_find(struct vgpu *g, unsigned int vmid, u64 va, bool write);

/* The fast path, for instructions that load and store */
static inline u8 *vgpu_gmc_ptr(struct vgpu *g, struct vgpu_tlb *tlb,
			       unsigned int vmid, u64 va, bool write)
{
	u8 *p = vgpu_tlb_lookup(vgpu_tlb_pages(tlb, vmid, write), va, 1);

	return p ? p : vgpu_gmc_find(g, vmid, va, write);
}

/*
 * Read or write memory for an engine or a block, across pages. A missing page raises the
 * VM fault (registers, interrupt, checker) and returns -EFAULT.
 */
int vgpu_gmc_read(struct vgpu *g, unsigned int vmid, u64 va, void *buf,
		  size_t len);
int vgpu_gmc_write(struct vgpu *g, unsigned int vmid, u64 va, const void *buf,
		   size_t len);
/* Raise a VM fault of a wave or engine: GCVM_L2_PROTECTION_FAULT_*, interrupt, checker. */
void vgpu_gmc_fault(struct vgpu *g, unsigned int vmid, u64 va,
		    enum vgpu_access access);

/*
 * Get the host address of guest physical memory, as a PCI device sees it. NULL: it is not
 * RAM, or it is to be written and the device may only read it.
 */
u8 *vgpu_gmc_bus_ptr(struct vgpu *g, u64 addr, size_t len, bool write);

/* Invalidate all cached translations of the VMIDs in the bitmap @vmid_mask. */
void vgpu_gmc_flush(struct vgpu *g, u32 vmid_mask);

#endif /* VGPU_GMC_H */

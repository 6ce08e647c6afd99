/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory: VRAM, guest RAM, and the translation of GPU virtual addresses (FB
 * and AGP apertures and GART of VMID 0, four-level page tables of the others).
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
/* What the graphics core has written is in VRAM then. */
void vgpu_gmc_write_back(struct vgpu *g);

/*
 * Host address of @va in VMID @vmid, NULL when the page is not mapped for
 * @access; good up to the end of the 4 KiB page. Fills the TLB. No side effect
 * on a miss: the caller decides if that is a fault.
 */
u8 *vgpu_gmc_translate(struct vgpu *g, unsigned int vmid, u64 va,
		       enum vgpu_access access);

/* What a lookup in the TLB did not find: behind it, or by vgpu_gmc_translate(). */
u8 *vgpu_gmc_find(struct vgpu *g, unsigned int vmid, u64 va, bool write);

/* The fast way, for instructions that load and store. */
static inline u8 *vgpu_gmc_ptr(struct vgpu *g, struct vgpu_tlb *tlb,
			       unsigned int vmid, u64 va, bool write)
{
	u8 *p = vgpu_tlb_lookup(vgpu_tlb_pages(tlb, vmid, write), va, 1);

	return p ? p : vgpu_gmc_find(g, vmid, va, write);
}

/*
 * Copy by engines and blocks, across pages. On a missing page: raises the VM
 * fault (registers, interrupt, checker) and returns -EFAULT.
 */
int vgpu_gmc_read(struct vgpu *g, unsigned int vmid, u64 va, void *buf,
		  size_t len);
int vgpu_gmc_write(struct vgpu *g, unsigned int vmid, u64 va, const void *buf,
		   size_t len);
/* A VM fault of a wave or engine: GCVM_L2_PROTECTION_FAULT_*, interrupt, checker. */
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

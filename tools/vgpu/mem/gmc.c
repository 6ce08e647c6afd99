// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory controller: translation of addresses in each VMID, the TLB, the invalidation
 * engines of both hubs, and VM faults.
 *
 * In VMID 0, the FB aperture maps VRAM, the AGP aperture maps guest memory, and all other
 * addresses are translated by CONTEXT0's flat page table (GART). The other VMIDs have page
 * tables only. Both hubs share one TLB, which the requests of either flush.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"
#include "mem/gl2.h"
#include "mem/gmc.h"
#include "mem/ih.h"
#include "profiles/profile.h"
#include "regs/checker.h"
#include "regs/regs.h"

/* Fields whose names are too long for a line */
#define FAULT(field)			F_GCVM_L2_PROTECTION_FAULT_STATUS_##field
#define FAULT_CNTL_CLEAR \
	F_GCVM_L2_PROTECTION_FAULT_CNTL_CLEAR_PROTECTION_FAULT_STATUS_ADDR
#define INVALIDATE_VMIDS \
	F_GCVM_INVALIDATE_ENG0_REQ_PER_VMID_INVALIDATE_REQ

/* Apertures count in 16 MiB: gfxhub_v1_0.c, gfxhub_v2_1.c, gfxhub_v3_0.c (Linux 6.1). */
#define APERTURE_SHIFT			24

#define VA_BITS				48
#define VA_MASK				((1ULL << VA_BITS) - 1)
#define NUM_VMIDS			16

struct vgpu_gmc {
	struct vgpu_tlb tlb;
	/* Pages for PRT mappings without memory: reads return zeros, writes are lost. */
	u8 prt_read[VGPU_PAGE_SIZE], prt_write[VGPU_PAGE_SIZE];
};

/* The result of a page table walk. */
struct leaf {
	u64 pte;
	u64 addr;	/* physical address of the 4 KiB page, also within a larger mapping */
};

/* Get the bits of CONTEXTn_CNTL of which any one enables the interrupt of faults. */
static u32 interrupt_enables(const struct vgpu *g)
{
	static const enum vgpu_field enables[] = {
		F_GCVM_CONTEXT1_CNTL_RANGE_PROTECTION_FAULT_ENABLE_INTERRUPT,
		F_GCVM_CONTEXT1_CNTL_DUMMY_PAGE_PROTECTION_FAULT_ENABLE_INTERRUPT,
		F_GCVM_CONTEXT1_CNTL_PDE0_PROTECTION_FAULT_ENABLE_INTERRUPT,
		F_GCVM_CONTEXT1_CNTL_VALID_PROTECTION_FAULT_ENABLE_INTERRUPT,
		F_GCVM_CONTEXT1_CNTL_READ_PROTECTION_FAULT_ENABLE_INTERRUPT,
		F_GCVM_CONTEXT1_CNTL_WRITE_PROTECTION_FAULT_ENABLE_INTERRUPT,
		F_GCVM_CONTEXT1_CNTL_EXECUTE_PROTECTION_FAULT_ENABLE_INTERRUPT,
	};
	unsigned int i;
	u32 mask = 0;

	for (i = 0; i < ARRAY_SIZE(enables); i++)
		mask |= vgpu_field(g, enables[i]);
	return mask;
}

static u64 aperture(struct vgpu *g, enum vgpu_role role, enum vgpu_field field)
{
	return (u64)vgpu_get(g, field, vgpu_reg_load(g, role, 0))
	       << APERTURE_SHIFT;
}

static u64 fb_base(struct vgpu *g)
{
	return aperture(g, R_GCMC_VM_FB_LOCATION_BASE,
			F_GCMC_VM_FB_LOCATION_BASE_FB_BASE);
}

/* Find VRAM by its address in page tables, where it begins at FB_OFFSET. */
static u8 *vram_ptr(struct vgpu *g, u64 addr, size_t len)
{
	u64 start = (u64)vgpu_reg_load(g, R_GCMC_VM_FB_OFFSET, 0) <<
		APERTURE_SHIFT;

	if (addr < start || len > g->vram_size ||
	    addr - start > g->vram_size - len)
		return NULL;
	return g->vram + (addr - start);
}

u8 *vgpu_gmc_bus_ptr(struct vgpu *g, u64 addr, size_t len, bool write)
{
	return g->hooks.bus_ptr(g, addr, len, write);
}

static bool read_entry(struct vgpu *g, u64 addr, bool system, u64 *entry)
{
	const u8 *p = system ?
		vgpu_gmc_bus_ptr(g, addr, sizeof(*entry), false) :
		vram_ptr(g, addr, sizeof(*entry));

	if (!p)
		return false;
	memcpy(entry, p, sizeof(*entry));
	return true;
}

static u64 context_addr(struct vgpu *g, enum vgpu_role role, unsigned int vmid)
{
	unsigned int i = vmid * g->profile->gen->vm_context_addr_stride;

	return make_64(vgpu_reg_load(g, role, i + 1),
		       vgpu_reg_load(g, role, i));
}

/* Are bits 63:48 all copies of bit 47, or all 0? Both forms are in use. */
static bool canonical(u64 va)
{
	u64 top = va >> (VA_BITS - 1);

	return top <= 1 || top == ~0ULL >> (VA_BITS - 1);
}

static const struct vgpu_pte_layout *layout(const struct vgpu *g)
{
	return &g->profile->gen->pte;
}

static bool walk(struct vgpu *g, unsigned int vmid, u64 va, struct leaf *leaf)
{
	const struct vgpu_pte_layout *bits = layout(g);
	u32 cntl = vgpu_reg_load(g, R_GCVM_CONTEXT0_CNTL,
				 vmid * g->profile->gen->vm_context_stride);
	u64 page = (va & VA_MASK) >> VGPU_PAGE_SHIFT;
	u64 start = context_addr(g, R_GCVM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32,
				 vmid);
	u64 end = context_addr(g, R_GCVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32,
			       vmid);
	u64 entry = context_addr(g, R_GCVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32,
				 vmid);
	unsigned int level =
		vgpu_get(g, F_GCVM_CONTEXT1_CNTL_PAGE_TABLE_DEPTH, cntl);
	unsigned int block =
		vgpu_get(g, F_GCVM_CONTEXT1_CNTL_PAGE_TABLE_BLOCK_SIZE, cntl) +
		9;

	if (!(cntl & vgpu_field(g, F_GCVM_CONTEXT1_CNTL_ENABLE_CONTEXT)) ||
	    !canonical(va) || page < start || page > end)
		return false;
	/* A tree is indexed from page 0, a flat table from the context's first page. */
	if (!level)
		page -= start;

	for (;; level--) {
		/* log2 of the pages that one entry of this level covers */
		unsigned int shift = level ? block + 9 * (level - 1) : 0;
		u64 index = page >> shift;

		if (!(entry & bits->valid))
			return false;
		if (!read_entry(g,
				(entry & bits->pde_addr) + index * sizeof(entry),
				entry & bits->system, &entry))
			return false;
		page &= (1ULL << shift) - 1;
		if (!level || entry & bits->pde_is_pte) {
			leaf->pte = entry;
			leaf->addr = (entry & bits->addr) +
				(page << VGPU_PAGE_SHIFT);
			return true;
		}
	}
}

static u64 wanted_bit(const struct vgpu_pte_layout *bits, enum vgpu_access access)
{
	switch (access) {
	case VGPU_WRITE:
		return bits->writeable;
	case VGPU_EXEC:
		return bits->executable;
	default:
		return bits->readable;
	}
}

static bool is_uncached(const struct vgpu_pte_layout *bits, u64 pte)
{
	return (pte & bits->mtype) == bits->mtype_uc;
}

static u8 *page_by_tables(struct vgpu *g, unsigned int vmid, u64 va,
			  enum vgpu_access access)
{
	const struct vgpu_pte_layout *bits = layout(g);
	struct leaf leaf;
	u8 *page;

	if (!walk(g, vmid, va, &leaf))
		return NULL;
	if (!(leaf.pte & bits->valid)) {
		if (!(leaf.pte & bits->prt) || access == VGPU_EXEC)
			return NULL;
		return access == VGPU_WRITE ? g->gmc->prt_write :
			g->gmc->prt_read;
	}
	if (!(leaf.pte & wanted_bit(bits, access)))
		return NULL;
	if (leaf.pte & bits->system)
		return vgpu_gmc_bus_ptr(g, leaf.addr, VGPU_PAGE_SIZE,
					access == VGPU_WRITE);
	page = vram_ptr(g, leaf.addr, VGPU_PAGE_SIZE);
	if (!page || !vmid || is_uncached(bits, leaf.pte))
		return page;
	return vgpu_gl2_page(g, page);
}

static u8 *page_of(struct vgpu *g, unsigned int vmid, u64 va,
		   enum vgpu_access access)
{
	u64 mc = va & VA_MASK, fb = fb_base(g), bot, top;

	if (vmid)
		return page_by_tables(g, vmid, va, access);
	if (mc >= fb && mc - fb < g->vram_size)
		return g->vram + (mc - fb);
	bot = aperture(g, R_GCMC_VM_AGP_BOT, F_GCMC_VM_AGP_BOT_AGP_BOT);
	top = aperture(g, R_GCMC_VM_AGP_TOP, F_GCMC_VM_AGP_TOP_AGP_TOP) +
	      (1ULL << APERTURE_SHIFT);
	/* Before the driver sets them up, both registers are 0: there is no aperture. */
	if (top > 1ULL << APERTURE_SHIFT && mc >= bot && mc < top) {
		u64 base = aperture(g, R_GCMC_VM_AGP_BASE,
				    F_GCMC_VM_AGP_BASE_AGP_BASE);

		return vgpu_gmc_bus_ptr(g, mc - bot + base, VGPU_PAGE_SIZE,
					access == VGPU_WRITE);
	}
	return page_by_tables(g, 0, va, access);
}

u8 *vgpu_gmc_translate(struct vgpu *g, unsigned int vmid, u64 va,
		       enum vgpu_access access)
{
	u64 offset = va & (VGPU_PAGE_SIZE - 1);
	u8 *page;

	g->counters.tlb_misses++;
	page = page_of(g, vmid, va - offset, access);
	if (!page)
		return NULL;
	if (access != VGPU_EXEC)
		vgpu_tlb_insert(&g->gmc->tlb, vmid, access == VGPU_WRITE, va,
				page);
	return page + offset;
}

u8 *vgpu_gmc_find(struct vgpu *g, unsigned int vmid, u64 va, bool write)
{
	u8 *p = vgpu_tlb_find(vgpu_tlb_pages(&g->gmc->tlb, vmid, write), va);

	return p ? p : vgpu_gmc_translate(g, vmid, va, write ? VGPU_WRITE :
					  VGPU_READ);
}

struct vgpu_tlb *vgpu_gmc_tlb(struct vgpu *g)
{
	return &g->gmc->tlb;
}

void vgpu_gmc_flush(struct vgpu *g, u32 vmid_mask)
{
	struct vgpu_tlb *tlb = &g->gmc->tlb;
	unsigned int vmid;

	vgpu_tlb_forget(tlb, vmid_mask);
	for (vmid = 0; vmid < ARRAY_SIZE(tlb->flushes); vmid++)
		tlb->flushes[vmid] += vmid_mask >> vmid & 1;
}

void vgpu_gmc_write_back(struct vgpu *g)
{
	if (vgpu_gl2_write_back(g))
		vgpu_tlb_forget(&g->gmc->tlb, ~0U);
}

/* Get the length of the part of [@va, @va + @len) that is on the first page. */
static size_t on_page(u64 va, size_t len)
{
	size_t room = VGPU_PAGE_SIZE - (va & (VGPU_PAGE_SIZE - 1));

	return len < room ? len : room;
}

int vgpu_gmc_read(struct vgpu *g, unsigned int vmid, u64 va, void *buf,
		  size_t len)
{
	u8 *to = buf;

	while (len) {
		size_t n = on_page(va, len);
		const u8 *p = vgpu_gmc_ptr(g, &g->gmc->tlb, vmid, va, false);

		if (!p) {
			vgpu_gmc_fault(g, vmid, va, VGPU_READ);
			return -EFAULT;
		}
		memcpy(to, p, n);
		to += n;
		va += n;
		len -= n;
	}
	return 0;
}

int vgpu_gmc_write(struct vgpu *g, unsigned int vmid, u64 va, const void *buf,
		   size_t len)
{
	const u8 *from = buf;

	while (len) {
		size_t n = on_page(va, len);
		u8 *p = vgpu_gmc_ptr(g, &g->gmc->tlb, vmid, va, true);

		if (!p) {
			vgpu_gmc_fault(g, vmid, va, VGPU_WRITE);
			return -EFAULT;
		}
		memcpy(p, from, n);
		from += n;
		va += n;
		len -= n;
	}
	return 0;
}

static u32 fault_status(struct vgpu *g, unsigned int vmid, u64 va,
			enum vgpu_access access)
{
	const struct vgpu_generation *gen = g->profile->gen;
	const struct vgpu_permission_faults *bits = &gen->permission_faults;
	u32 status, perm = access == VGPU_WRITE ? bits->write :
			   access == VGPU_EXEC ? bits->execute : bits->read;
	struct leaf leaf;
	bool mapped;

	mapped = walk(g, vmid, va, &leaf) && leaf.pte & layout(g)->valid;
	if (!mapped)
		perm |= bits->valid;
	status = vgpu_put(g, FAULT(PERMISSION_FAULTS), perm) |
		 vgpu_put(g, FAULT(VMID), vmid) |
		 vgpu_put(g, FAULT(CID),
			  access == VGPU_EXEC ? gen->cid_sqc_inst :
			  vmid		      ? gen->cid_tcp :
						gen->cid_cpc);
	if (!mapped)
		status |= vgpu_field(g, FAULT(MAPPING_ERROR));
	if (access == VGPU_WRITE)
		status |= vgpu_field(g, FAULT(RW));
	return status;
}

/*
 * The status register keeps the first fault until the driver clears it. Until then, further
 * faults only set MORE_FAULTS and send no interrupt, so a wave that faults in a loop does
 * not flood the interrupt ring.
 */
void vgpu_gmc_fault(struct vgpu *g, unsigned int vmid, u64 va,
		    enum vgpu_access access)
{
	static const char *const verbs[] = {
		[VGPU_READ] = "read", [VGPU_WRITE] = "write",
		[VGPU_EXEC] = "execute",
	};
	u32 status = vgpu_reg_load(g, R_GCVM_L2_PROTECTION_FAULT_STATUS, 0);
	u64 page = (va & VA_MASK) >> VGPU_PAGE_SHIFT;
	u32 cntl = vgpu_reg_load(g, R_GCVM_CONTEXT0_CNTL,
				 vmid * g->profile->gen->vm_context_stride);

	g->counters.vm_faults++;
	vgpu_complain(g, VGPU_BAD_VM_FAULT,
		      "VMID %u cannot %s 0x%llx", vmid, verbs[access],
		      (unsigned long long)va);
	if (status) {
		vgpu_reg_store(g, R_GCVM_L2_PROTECTION_FAULT_STATUS, 0,
			       status | vgpu_field(g, FAULT(MORE_FAULTS)));
		return;
	}
	vgpu_reg_store(g, R_GCVM_L2_PROTECTION_FAULT_STATUS, 0,
		       fault_status(g, vmid, va, access));
	vgpu_reg_store(g, R_GCVM_L2_PROTECTION_FAULT_ADDR_LO32, 0,
		       lower_32_bits(page));
	vgpu_reg_store(g, R_GCVM_L2_PROTECTION_FAULT_ADDR_HI32, 0,
		       upper_32_bits(page));
	if (cntl & interrupt_enables(g)) {
		/* The layout that gmc_v10_0_process_interrupt() decodes */
		struct vgpu_iv iv = {
			.source = g->profile->gen->iv_vm_fault,
			.vmid = vmid,
			.src_data = {
				lower_32_bits(page),
				upper_32_bits(page) |
					(access == VGPU_WRITE ?
					 g->profile->gen->iv_fault_write : 0),
			},
		};

		g->hooks.interrupt(g, &iv);
	}
}

static void clear_fault(struct vgpu *g)
{
	vgpu_reg_store(g, R_GCVM_L2_PROTECTION_FAULT_STATUS, 0, 0);
	vgpu_reg_store(g, R_GCVM_L2_PROTECTION_FAULT_ADDR_LO32, 0, 0);
	vgpu_reg_store(g, R_GCVM_L2_PROTECTION_FAULT_ADDR_HI32, 0, 0);
}

static void fault_cntl_write(struct vgpu *g, unsigned int idx, u32 val)
{
	u32 clear = vgpu_field(g, FAULT_CNTL_CLEAR);

	if (val & clear)
		clear_fault(g);
	vgpu_reg_store(g, R_GCVM_L2_PROTECTION_FAULT_CNTL, idx, val & ~clear);
}

/* vgpu has no other client of the semaphore, so the read that acquires it succeeds. */
static u32 sem_read(struct vgpu *g, unsigned int idx)
{
	(void)g;
	(void)idx;
	return 1;
}

static void gc_req_write(struct vgpu *g, unsigned int idx, u32 val)
{
	unsigned int at = idx * g->profile->gen->gc_inv_eng_stride;
	u32 vmids = vgpu_get(g, INVALIDATE_VMIDS, val);

	vgpu_gmc_flush(g, vmids);
	vgpu_reg_store(g, R_GCVM_INVALIDATE_ENG0_REQ, at, val);
	vgpu_reg_store(g, R_GCVM_INVALIDATE_ENG0_ACK, at, vmids);
}

static void mm_req_write(struct vgpu *g, unsigned int idx, u32 val)
{
	unsigned int at = idx * g->profile->gen->mm_inv_eng_stride;
	u32 vmids = vgpu_get(g, INVALIDATE_VMIDS, val);

	vgpu_gmc_flush(g, vmids);
	vgpu_reg_store(g, R_MMVM_INVALIDATE_ENG0_REQ, at, val);
	vgpu_reg_store(g, R_MMVM_INVALIDATE_ENG0_ACK, at, vmids);
}

int vgpu_gmc_init(struct vgpu *g)
{
	const struct vgpu_profile *p = g->profile;

	g->gmc = calloc(1, sizeof(*g->gmc));
	if (!g->gmc || vgpu_gl2_init(g))
		return -ENOMEM;
	vgpu_tlb_init(&g->gmc->tlb);
	vgpu_reg_hook(g, R_GCVM_INVALIDATE_ENG0_SEM, p->gen->num_inv_engs,
		      p->gen->gc_inv_eng_stride, sem_read, NULL);
	vgpu_reg_hook(g, R_GCVM_INVALIDATE_ENG0_REQ, p->gen->num_inv_engs,
		      p->gen->gc_inv_eng_stride, NULL, gc_req_write);
	vgpu_reg_hook(g, R_MMVM_INVALIDATE_ENG0_SEM, p->gen->num_inv_engs,
		      p->gen->mm_inv_eng_stride, sem_read, NULL);
	vgpu_reg_hook(g, R_MMVM_INVALIDATE_ENG0_REQ, p->gen->num_inv_engs,
		      p->gen->mm_inv_eng_stride, NULL, mm_req_write);
	vgpu_reg_hook(g, R_GCVM_L2_PROTECTION_FAULT_CNTL, 1, 1, NULL,
		      fault_cntl_write);
	vgpu_gmc_reset(g);
	return 0;
}

void vgpu_gmc_fini(struct vgpu *g)
{
	vgpu_gl2_fini(g);
	free(g->gmc);
	g->gmc = NULL;
}

/* Set what the machine's firmware has set before the driver starts: where VRAM is. */
void vgpu_gmc_reset(struct vgpu *g)
{
	u32 base = g->profile->fb_base >> APERTURE_SHIFT;
	u32 top = (g->profile->fb_base + g->vram_size - 1) >> APERTURE_SHIFT;

	vgpu_reg_store(g, R_GCMC_VM_FB_LOCATION_BASE, 0, base);
	vgpu_reg_store(g, R_GCMC_VM_FB_LOCATION_TOP, 0, top);
	vgpu_reg_store(g, R_MMMC_VM_FB_LOCATION_BASE, 0, base);
	vgpu_reg_store(g, R_MMMC_VM_FB_LOCATION_TOP, 0, top);
	/* Atomics also read this page, so do not keep what a wave has written before. */
	memset(g->gmc->prt_write, 0, sizeof(g->gmc->prt_write));
	vgpu_gl2_drop(g);
	vgpu_gmc_flush(g, ~0U);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory, page tables and rings for tests of the engines. Register fields and
 * MQD offsets: gfx_v10_0.c, v10_structs.h, amdgpu_vm.h (Linux 6.12).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "engine.h"

#define ALLOC_START	0x100000
#define IH_RING_BYTES	4096
#define PTE_FLAGS	0x71ULL		/* valid, executable, readable, writable */
#define PDE_FLAGS	0x1ULL

struct vgpu gpu;
struct client host;

static u64 next_page;
static u64 page_table[16];
static u64 ih_ring;
static u32 ih_rptr;

u64 engine_alloc(struct vgpu *g, u64 size)
{
	u64 offset = next_page;

	next_page += (size + VGPU_PAGE_SIZE - 1) & ~(u64)(VGPU_PAGE_SIZE - 1);
	assert_true(next_page < g->vram_size / 2);
	memset(g->vram + offset, 0, size);
	return offset;
}

void *engine_ptr(struct vgpu *g, u64 offset)
{
	return g->vram + offset;
}

u64 engine_mc(struct vgpu *g, u64 offset)
{
	return ((u64)vgpu_reg_load(g, R_GCMC_VM_FB_LOCATION_BASE, 0) << 24) +
	       offset;
}

u32 engine_reg(struct vgpu *g, enum vgpu_role role, unsigned int idx)
{
	return vgpu_reg_engine_read(g, g->profile->regs[role] + idx);
}

void engine_set_reg(struct vgpu *g, enum vgpu_role role, unsigned int idx,
		    u32 val)
{
	vgpu_reg_engine_write(g, g->profile->regs[role] + idx, val);
}

void engine_begin(struct vgpu *g)
{
	u64 mc;

	next_page = ALLOC_START;
	memset(page_table, 0, sizeof(page_table));
	ih_rptr = 0;
	ih_ring = engine_alloc(g, IH_RING_BYTES);
	mc = engine_mc(g, ih_ring);
	engine_set_reg(g, R_IH_RB_BASE, 0, mc >> 8);
	engine_set_reg(g, R_IH_RB_BASE_HI, 0, mc >> 40);
	/* RB_ENABLE, RB_SIZE 10 = 4 KiB, MC_SPACE 4 = VMID 0 */
	engine_set_reg(g, R_IH_RB_CNTL, 0, 1 | 10 << 1 | 4U << 28);
}

int engine_setup(void **state)
{
	(void)state;
	client_init(&host, &gpu, false);
	engine_begin(&gpu);
	return 0;
}

int engine_teardown(void **state)
{
	u64 n = vgpu_complaints_total(&gpu);
	const char *line = vgpu_checker_line(&gpu, 0);

	(void)state;
	client_fini(&host);
	if (n)
		fail_msg("unexpected complaint: %s", line ? line : "");
	return 0;
}

void engine_expect(struct vgpu *g, enum vgpu_complaint what, unsigned int n)
{
	assert_int_equal(vgpu_complaints_total(g), n);
	assert_int_equal(vgpu_complaints(g, what), n);
	vgpu_checker_fini(g);
	assert_int_equal(vgpu_checker_init(g), 0);
}

void engine_map(struct vgpu *g, unsigned int vmid, u64 va, u64 offset)
{
	unsigned int cntl = vmid * g->profile->gen->vm_context_stride;
	unsigned int addr = vmid * g->profile->gen->vm_context_addr_stride;
	u64 *table, entry;
	int shift;

	if (!page_table[vmid]) {
		page_table[vmid] = engine_alloc(g, VGPU_PAGE_SIZE);
		engine_set_reg(g, R_GCVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32,
			       addr, LO(page_table[vmid] | PDE_FLAGS));
		engine_set_reg(g, R_GCVM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32,
			       addr, 0);
		engine_set_reg(g, R_GCVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32,
			       addr, 0xffffffff);
		engine_set_reg(g, R_GCVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32,
			       addr + 1, 0xf);
		/* enabled, depth 3, block size 9, all faults on */
		engine_set_reg(g, R_GCVM_CONTEXT0_CNTL, cntl, 0x007ffe07);
	}
	table = engine_ptr(g, page_table[vmid]);
	for (shift = 39; shift > 12; shift -= 9) {
		entry = table[va >> shift & 0x1ff];
		if (!entry) {
			entry = engine_alloc(g, VGPU_PAGE_SIZE) | PDE_FLAGS;
			table[va >> shift & 0x1ff] = entry;
		}
		table = engine_ptr(g, entry & ~0xfffULL);
	}
	table[va >> 12 & 0x1ff] = offset | PTE_FLAGS;
}

void engine_run(struct vgpu *g)
{
	unsigned int i;
	bool did;

	for (i = 0; i < 100000; i++) {
		did = vgpu_cp_run(g);
		did |= vgpu_sdma_run(g);
		if (!did)
			return;
	}
	fail_msg("the engines do not come to rest");
}

bool engine_iv(struct vgpu *g, u32 entry[8])
{
	if (vgpu_reg_load(g, R_IH_RB_WPTR, 0) == ih_rptr)
		return false;
	memcpy(entry, g->vram + ih_ring + ih_rptr, 32);
	ih_rptr = (ih_rptr + 32) % IH_RING_BYTES;
	engine_set_reg(g, R_IH_RB_RPTR, 0, ih_rptr);
	return true;
}

static void mqd_set(struct ring *r, unsigned int offset, u32 val)
{
	memcpy(r->mqd + offset, &val, 4);
}

static unsigned int log2_of(u32 n)
{
	return 31 - __builtin_clz(n);
}

void ring_init(struct ring *r, struct vgpu *g, struct vgpu_queue_id id,
	       u32 size, u32 doorbell)
{
	u64 ring = engine_alloc(g, size * 4ULL);
	u64 page = engine_alloc(g, VGPU_PAGE_SIZE);
	u64 mqd = engine_alloc(g, VGPU_PAGE_SIZE);
	u32 i;

	*r = (struct ring){
		.g = g, .id = id, .size = size, .doorbell = doorbell,
		.dwords = engine_ptr(g, ring), .va = engine_mc(g, ring),
		.rptr = engine_ptr(g, page), .rptr_va = engine_mc(g, page),
		.wptr_mem = engine_ptr(g, page + 8),
		.wptr_va = engine_mc(g, page + 8),
		.mqd = engine_ptr(g, mqd), .mqd_va = engine_mc(g, mqd),
	};
	for (i = 0; i < size; i++)
		r->dwords[i] = PM4_FILLER;
	mqd_set(r, 0x200, LO(r->mqd_va));
	mqd_set(r, 0x204, HI(r->mqd_va));
	mqd_set(r, 0x208, 1);			/* active */
	mqd_set(r, 0x220, r->va >> 8);
	mqd_set(r, 0x224, r->va >> 40);
	mqd_set(r, 0x22c, LO(r->rptr_va));
	mqd_set(r, 0x230, HI(r->rptr_va));
	mqd_set(r, 0x234, LO(r->wptr_va));
	mqd_set(r, 0x238, HI(r->wptr_va));
	mqd_set(r, 0x23c, doorbell << 2 | 1U << 30);
	mqd_set(r, 0x244, (log2_of(size) - 1) | 9 << 8);
}

static u32 mqd_get(struct ring *r, unsigned int offset)
{
	u32 val;

	memcpy(&val, r->mqd + offset, 4);
	return val;
}

void ring_start_kiq(struct ring *r)
{
	struct vgpu *g = r->g;
	unsigned int i;

	engine_set_reg(g, R_RLC_CP_SCHEDULERS, 0, r->id.me << 5 |
		       r->id.pipe << 3 | r->id.queue | 0x80);
	engine_set_reg(g, R_GRBM_GFX_CNTL, 0, r->id.pipe | r->id.me << 2 |
		       r->id.queue << 8);
	/* All of the HQD image but ACTIVE, which starts it */
	for (i = 0; i < 59; i++)
		if (i != 2)
			engine_set_reg(g, R_CP_MQD_BASE_ADDR, i,
				       mqd_get(r, 0x200 + 4 * i));
	engine_set_reg(g, R_CP_HQD_ACTIVE, 0, 1);
	engine_set_reg(g, R_GRBM_GFX_CNTL, 0, 0);
}

void ring_map(struct ring *r, struct ring *kiq)
{
	RING_PUT(kiq, PM4(0xa2, 6),
		 1U << 29 | (r->id.me == 0 ? 4U << 26 : 0) |
		 (r->id.me == 1 ? 0 : 1U) << 18 | r->id.pipe << 16 |
		 r->id.queue << 13,
		 r->doorbell << 2, LO(r->mqd_va), HI(r->mqd_va),
		 LO(r->wptr_va), HI(r->wptr_va));
	ring_commit(kiq);
}

void ring_put(struct ring *r, const u32 *dwords, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		r->dwords[r->wptr++ & (r->size - 1)] = dwords[i];
}

void ring_commit(struct ring *r)
{
	*r->wptr_mem = r->wptr;
	assert_true(vgpu_cp_doorbell(r->g, r->doorbell, r->wptr));
	engine_run(r->g);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Page tables that change while waves use them: a translation is used until its VMID is flushed,
 * and not longer, no matter how often the same lanes have accessed the same pages. A missing
 * page is looked up at each access. test_tlb.c tests the TLB alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/isa.h"
#include "mem/gmc.h"
#include "sq_gpu.h"

/* llvm-mc-19 -triple=amdgcn -mcpu=gfx1033 -show-encoding */
#define LOAD		0xdc308000, 0x027d0000	/* global_load_dword v2, v[0:1], off */
#define STORE		0xdc708000, 0x007d0300	/* global_store_dword v[0:1], v3, off */
#define TO_LOAD		0xbf82fffd		/* s_branch -3 */

#define PAGE		4096ULL
#define PAGES		8
/* Code is on the first page. */
#define DATA		(GPU_VA + PAGES * PAGE)
#define FAR_LANES	32
/* Instructions of one kind for all places where pages of an instruction are kept */
#define MANY		8
#define MANY_LOADS	(GPU_VA + 64)
#define MANY_STORES	(MANY_LOADS + MANY * 8)

/* Flat page tables, one for each of two VMIDs, and the memory they name: in VRAM */
#define TABLE(vmid)	(0x30000 + (vmid) * 0x1000)
#define MEMORY(n)	(0x80000 + (n) * PAGE)
/* amdgpu_vm.h (Linux 6.1): VALID, EXECUTABLE, READABLE, WRITEABLE */
#define PTE_VALID	0x1ULL
#define PTE_READ	0x20ULL
#define PTE_ALL		0x71ULL

/*
 * GCVM_INVALIDATE_ENG0_REQ as gfxhub_v2_1_get_invalidate_req() (Linux 6.1) makes it:
 * the VMID, L2 and L1 PTEs, PDEs; gmc_v10_0_flush_gpu_tlb() has engine 17.
 */
#define INVALIDATE(vmid)	(1U << (vmid) | 0xf80000)
#define DRIVERS_ENGINE		17

/* TCP_WATCH0: amdgpu_amdkfd_gfx_v10.c (Linux 6.12), all 128 bytes, any access */
#define WATCH_ON(vmid)	(BIT(31) | 3U << 29 | (u32)(vmid) << 24 | 0x7fffff)

static struct vgpu *g;

static u64 *entry(unsigned int vmid, unsigned int page)
{
	return (u64 *)(g->vram + TABLE(vmid)) + (DATA - GPU_VA) / PAGE + page;
}

/* @vmid's page @page is the memory's page @n. */
static void map(unsigned int vmid, unsigned int page, u64 n, u64 bits)
{
	*entry(vmid, page) = bits ? MEMORY(n) | bits : 0;
}

static u32 *memory(u64 n)
{
	return (u32 *)(g->vram + MEMORY(n));
}

static void own_table(unsigned int vmid)
{
	unsigned int addr = vmid * g->profile->gen->vm_context_addr_stride, n;

	/* Code is where sq_gpu.c has mapped it. */
	memcpy(g->vram + TABLE(vmid), g->vram + 0x10000, PAGE);
	vgpu_reg_store(g, R_GCVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32, addr,
		       TABLE(vmid) | 1);
	for (n = 0; n < PAGES; n++)
		map(vmid, n, n, PTE_ALL);
	vgpu_gmc_flush(g, 1U << vmid);
}

static int setup(void **state)
{
	unsigned int n, i;

	(void)state;
	g = gpu_new(1, 1, 1);
	own_table(GPU_VMID);
	own_table(GPU_OTHER_VMID);
	/* Each page is full of its number. */
	for (n = 0; n < 4 * PAGES; n++) {
		for (i = 0; i < PAGE / 4; i++)
			memory(n)[i] = n;
	}
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	gpu_free(g);
	return 0;
}

/* Where a lane is that is in a page: behind those before it */
static u64 address(unsigned int page, unsigned int lane)
{
	return DATA + page * PAGE + lane * 4;
}

static void aim(struct vgpu_wave *w, unsigned int lane, u64 va)
{
	w->v[0][lane] = (u32)va;
	w->v[1][lane] = va >> 32;
}

/* A wave of @vmid, which continues where a test wants it: lane n is in page n % 8. */
static struct vgpu_wave *wave_of(unsigned int vmid, unsigned int lanes)
{
	static const u32 code[] = { LOAD, TO_LOAD, STORE };
	struct vgpu_dispatch d = gpu_dispatch(lanes, 1);
	struct vgpu_wave *w;
	unsigned int l;

	d.vmid = vmid;
	if (lanes == 64)
		d.initiator = 0;	/* no CS_W32_EN */
	gpu_code(g, GPU_VA, code, ARRAY_SIZE(code));
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0, GPU_LAUNCH_HALTED(vmid));
	gpu_launch(g, &d);
	w = gpu_newest_wave(g);
	assert_int_equal(w->lanes, lanes);
	for (l = 0; l < lanes; l++) {
		aim(w, l, address(l % PAGES, l));
		w->v[3][l] = 1000 + l;
	}
	return w;
}

static struct vgpu_wave *wave(unsigned int vmid)
{
	return wave_of(vmid, FAR_LANES);
}

static void run(struct vgpu_wave *w, u64 pc, u32 n)
{
	w->pc = pc;
	w->stop = 0;
	w->late = 0;
	vgpu_wave_update_slow(g, w);
	assert_int_equal(vgpu_isa_run(g, w, n), n);
}

static void load(struct vgpu_wave *w)
{
	run(w, GPU_VA, 1);
}

static void store(struct vgpu_wave *w)
{
	run(w, GPU_VA + 12, 1);
}

/* Twice, since the second time is another way. Page @n gives @want[n]. */
static void loads(struct vgpu_wave *w, const u32 *want)
{
	unsigned int l, n;

	for (n = 0; n < 2; n++) {
		memset(w->v[2], 0xee, sizeof(w->v[2]));
		load(w);
		for (l = 0; l < FAR_LANES; l++)
			assert_int_equal(w->v[2][l], want[l % PAGES]);
	}
}

static void old_translations_are_used_until_flushed(void **state)
{
	static const u32 old[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	static const u32 new[] = { 0, 1, 2, 19, 4, 5, 6, 7 };
	struct vgpu_wave *w = wave(GPU_VMID);

	(void)state;
	loads(w, old);
	map(GPU_VMID, 3, 19, PTE_ALL);
	loads(w, old);
	vgpu_gmc_flush(g, 1U << GPU_OTHER_VMID);
	loads(w, old);
	vgpu_gmc_flush(g, 1U << GPU_VMID);
	loads(w, new);
	assert_int_equal(g->counters.vm_faults, 0);
}

/* No page table is read for lanes that come again, and each but once before. */
static void accesses_in_known_pages_need_no_page_walk(void **state)
{
	static const u32 want[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	struct vgpu_wave *w = wave(GPU_VMID);
	u32 before, n;

	(void)state;
	/* That of the code, too */
	load(w);
	vgpu_gmc_flush(g, 1U << GPU_VMID);
	load(w);
	vgpu_gmc_flush(g, 1U << GPU_OTHER_VMID);
	before = g->counters.tlb_misses;
	for (n = 0; n < 100; n++)
		loads(w, want);
	assert_int_equal(g->counters.tlb_misses, before);
}

static void two_vmids_have_separate_pages(void **state)
{
	static const u32 mine[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	static const u32 theirs[] = { 8, 9, 10, 11, 12, 13, 14, 15 };
	struct vgpu_wave *w = wave(GPU_VMID), *o = wave(GPU_OTHER_VMID);
	unsigned int n;

	(void)state;
	for (n = 0; n < PAGES; n++)
		map(GPU_OTHER_VMID, n, PAGES + n, PTE_ALL);
	for (n = 0; n < 3; n++) {
		loads(w, mine);
		loads(o, theirs);
	}
	store(w);
	store(o);
	for (n = 0; n < 2 * PAGES; n++)
		assert_int_equal(memory(n)[n % PAGES], 1000 + n % PAGES);
	/* A flush of one leaves the other as it is. */
	map(GPU_VMID, 0, 20, PTE_ALL);
	map(GPU_OTHER_VMID, 0, 21, PTE_ALL);
	vgpu_gmc_flush(g, 1U << GPU_OTHER_VMID);
	load(w);
	load(o);
	assert_int_equal(w->v[2][0], 1000);
	assert_int_equal(o->v[2][0], 21);
}

static void a_missing_page_can_be_mapped(void **state)
{
	static const u32 without[] = { 0, 1, 2, 3, 4, 0, 6, 7 };
	static const u32 want[] = { 0, 1, 2, 3, 4, 22, 6, 7 };
	struct vgpu_wave *w = wave(GPU_VMID);

	(void)state;
	map(GPU_VMID, 5, 0, 0);
	loads(w, without);
	assert_int_equal(g->counters.vm_faults, 2);
	/* What is missing is not remembered: no flush is needed. */
	map(GPU_VMID, 5, 22, PTE_ALL);
	loads(w, want);
	assert_int_equal(g->counters.vm_faults, 2);
	map(GPU_VMID, 5, 0, 0);
	vgpu_gmc_flush(g, 1U << GPU_VMID);
	loads(w, without);
	assert_int_equal(g->counters.vm_faults, 4);
}

static void a_removed_permission_takes_effect(void **state)
{
	static const u32 want[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	struct vgpu_wave *w = wave(GPU_VMID);
	unsigned int n;

	(void)state;
	loads(w, want);
	store(w);
	store(w);
	assert_int_equal(g->counters.vm_faults, 0);
	for (n = 0; n < PAGES; n++) {
		assert_int_equal(memory(n)[n], 1000 + n);
		memory(n)[n] = n;
	}
	map(GPU_VMID, 6, 6, PTE_VALID | PTE_READ);
	/* What was writeable is until it is flushed. */
	store(w);
	assert_int_equal(memory(6)[6], 1006);
	memory(6)[6] = 6;
	vgpu_gmc_flush(g, 1U << GPU_VMID);
	load(w);
	assert_int_equal(g->counters.vm_faults, 0);
	store(w);
	assert_int_equal(g->counters.vm_faults, 1);
	assert_int_equal(memory(6)[6], 6);
	assert_int_equal(memory(7)[7], 1007);
}

/* Pages of the cache in front of VRAM are gone once it is written back. */
static void cache_is_written_back(void **state)
{
	static const u32 old[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	static const u32 new[] = { 0, 1, 23, 3, 4, 5, 6, 7 };
	struct vgpu_wave *w;
	unsigned int l;

	(void)state;
	assert_int_equal(vgpu_quirk_set(g, "gl2-write-back", 1), 0);
	vgpu_gmc_flush(g, ~0U);
	w = wave(GPU_VMID);
	loads(w, old);
	for (l = 0; l < PAGE / 4; l++)
		memory(2)[l] = 23;
	loads(w, old);
	vgpu_gmc_write_back(g);
	loads(w, new);
}

static void drivers_invalidation(unsigned int vmid)
{
	u32 at = DRIVERS_ENGINE * g->profile->gen->gc_inv_eng_stride;

	gpu_write(g, R_GCVM_INVALIDATE_ENG0_REQ, at, INVALIDATE(vmid));
	assert_true(gpu_read(g, R_GCVM_INVALIDATE_ENG0_ACK, at) >> vmid & 1);
}

/* Pages that the driver unmaps, moves and protects, after it has flushed the TLB */
static void waves_see_page_tables_that_the_driver_changes(void **state)
{
	static const u32 old[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	static const u32 new[] = { 0, 1, 0, 19, 4, 5, 6, 7 };
	struct vgpu_wave *w = wave(GPU_VMID);
	unsigned int l;

	(void)state;
	store(w);
	store(w);
	for (l = 0; l < FAR_LANES; l++) {
		assert_int_equal(memory(l % PAGES)[l], 1000 + l);
		memory(l % PAGES)[l] = l % PAGES;
	}
	loads(w, old);
	map(GPU_VMID, 2, 0, 0);
	map(GPU_VMID, 3, 19, PTE_ALL);
	map(GPU_VMID, 6, 6, PTE_VALID | PTE_READ);
	drivers_invalidation(GPU_VMID);
	loads(w, new);
	assert_int_equal(g->counters.vm_faults, 2);
	store(w);
	assert_int_equal(g->counters.vm_faults, 3);
	assert_int_equal(memory(2)[2], 2);
	assert_int_equal(memory(3)[3], 3);
	assert_int_equal(memory(19)[3], 1003);
	assert_int_equal(memory(6)[6], 6);
	assert_int_equal(memory(7)[7], 1007);
	/* Only reading it is left: the missing one is back. */
	map(GPU_VMID, 2, 2, PTE_ALL);
	load(w);
	assert_int_equal(w->v[2][3], 1003);
	assert_int_equal(w->v[2][6], 6);
	assert_int_equal(g->counters.vm_faults, 3);
	store(w);
	assert_int_equal(g->counters.vm_faults, 4);
	assert_int_equal(memory(6)[6], 6);
	assert_int_equal(memory(2)[2], 1002);
}

static void many(void)
{
	static const u32 code[] = {
		LOAD, LOAD, LOAD, LOAD, LOAD, LOAD, LOAD, LOAD,
		STORE, STORE, STORE, STORE, STORE, STORE, STORE, STORE,
	};

	gpu_code(g, MANY_LOADS, code, ARRAY_SIZE(code));
}

/* What is known of the lanes of a wave32 says nothing of those that it does not have. */
static void two_sizes_of_waves(void **state)
{
	struct vgpu_wave *w = wave_of(GPU_VMID, 64), *o = wave(GPU_VMID);
	unsigned int l;

	(void)state;
	many();
	for (l = 0; l < 32; l++) {
		aim(w, l, address(l % 4, l));
		aim(o, l, address(l % 4, l));
		aim(w, l + 32, address(4 + l % 4, l));
	}
	run(w, MANY_LOADS, MANY);
	run(w, MANY_LOADS, MANY);
	assert_int_equal(w->v[2][33], 5);
	map(GPU_VMID, 5, 19, PTE_ALL);
	vgpu_gmc_flush(g, 1U << GPU_VMID);
	run(o, MANY_LOADS, MANY);
	run(w, MANY_LOADS, MANY);
	for (l = 0; l < 32; l++) {
		assert_int_equal(o->v[2][l], l % 4);
		assert_int_equal(w->v[2][l], l % 4);
		assert_int_equal(w->v[2][l + 32], l % 4 == 1 ? 19 : 4 + l % 4);
	}
}

/* Nor what is known in one VMID of another, wherever their instructions are. */
static void same_lanes_in_two_vmids(void **state)
{
	struct vgpu_wave *w = wave(GPU_VMID), *o = wave(GPU_OTHER_VMID);
	unsigned int n;

	(void)state;
	many();
	for (n = 0; n < PAGES; n++)
		map(GPU_OTHER_VMID, n, PAGES + n, PTE_ALL);
	for (n = 0; n < 3; n++) {
		run(w, MANY_LOADS, MANY);
		run(o, MANY_LOADS, MANY);
		assert_int_equal(w->v[2][5], 5);
		assert_int_equal(o->v[2][5], PAGES + 5);
	}
}

/* A page that loads have been to can be read-only. */
static void stores_where_loads_were(void **state)
{
	struct vgpu_wave *w = wave(GPU_VMID);

	(void)state;
	many();
	map(GPU_VMID, 6, 6, PTE_VALID | PTE_READ);
	run(w, MANY_LOADS, MANY);
	run(w, MANY_LOADS, MANY);
	assert_int_equal(g->counters.vm_faults, 0);
	run(w, MANY_STORES, 1);
	assert_int_equal(g->counters.vm_faults, 1);
	assert_int_equal(memory(6)[6], 6);
	assert_int_equal(memory(7)[7], 1007);
}

static void watch(u64 va, u32 cntl)
{
	gpu_write(g, R_TCP_WATCH0_ADDR_H, 2, 0);
	gpu_write(g, R_TCP_WATCH0_ADDR_H, 0, upper_32_bits(va));
	gpu_write(g, R_TCP_WATCH0_ADDR_H, 1, lower_32_bits(va));
	gpu_write(g, R_TCP_WATCH0_ADDR_H, 2, cntl);
}

/* Lanes that have been there before hit a watch that is new. */
static void hits(struct vgpu_wave *w, u64 va, void (*access)(struct vgpu_wave *))
{
	unsigned int n;

	for (n = 0; n < 2; n++) {
		access(w);
		access(w);
		assert_int_equal(w->excp, 0);
		watch(va, WATCH_ON(GPU_OTHER_VMID));
		access(w);
		assert_int_equal(w->excp, 0);
		watch(va, WATCH_ON(GPU_VMID));
		access(w);
		assert_int_equal(w->excp, WAVE_EXCP_WATCH0);
		watch(0, 0);
		w->excp = 0;
	}
}

static void watch_of_known_pages(void **state)
{
	struct vgpu_wave *w = wave(GPU_VMID);
	unsigned int l;

	(void)state;
	assert_int_equal(vgpu_quirk_set(g, "memory-exception-lag", 0), 0);
	hits(w, address(3, 3), load);
	hits(w, address(3, 3), store);
	for (l = 0; l < FAR_LANES; l++)
		aim(w, l, address(3, l));
	hits(w, address(3, 3), load);
	hits(w, address(3, 3), store);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(old_translations_are_used_until_flushed),
		TEST(accesses_in_known_pages_need_no_page_walk),
		TEST(two_vmids_have_separate_pages),
		TEST(a_missing_page_can_be_mapped),
		TEST(a_removed_permission_takes_effect),
		TEST(cache_is_written_back),
		TEST(waves_see_page_tables_that_the_driver_changes),
		TEST(two_sizes_of_waves),
		TEST(same_lanes_in_two_vmids),
		TEST(stores_where_loads_were),
		TEST(watch_of_known_pages),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

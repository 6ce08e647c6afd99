// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What waves see of page tables that change: a translation is used until its VMID is
 * flushed, and no longer, however often the same lanes have been to the same pages. A
 * missing page is asked for each time. test_tlb.c has what is remembered, alone.
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

/* Flat page tables, one for each of two VMIDs, and the memory they name: in VRAM */
#define TABLE(vmid)	(0x30000 + (vmid) * 0x1000)
#define MEMORY(n)	(0x80000 + (n) * PAGE)
/* amdgpu_vm.h (Linux 6.1): VALID, EXECUTABLE, READABLE, WRITEABLE */
#define PTE_VALID	0x1ULL
#define PTE_READ	0x20ULL
#define PTE_ALL		0x71ULL

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

/* A wave of @vmid, which goes on where a test wants it: lane n is in page n % 8. */
static struct vgpu_wave *wave(unsigned int vmid)
{
	static const u32 code[] = { LOAD, TO_LOAD, STORE };
	struct vgpu_dispatch d = gpu_dispatch(FAR_LANES, 1);
	struct vgpu_wave *w;
	unsigned int l;

	d.vmid = vmid;
	gpu_code(g, GPU_VA, code, ARRAY_SIZE(code));
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0, GPU_LAUNCH_HALTED(vmid));
	gpu_launch(g, &d);
	w = gpu_newest_wave(g);
	for (l = 0; l < FAR_LANES; l++) {
		u64 va = DATA + l % PAGES * PAGE + l * 4;

		w->v[0][l] = (u32)va;
		w->v[1][l] = va >> 32;
		w->v[3][l] = 1000 + l;
	}
	return w;
}

static void run(struct vgpu_wave *w, u64 pc)
{
	w->pc = pc;
	w->stop = 0;
	w->late = 0;
	w->slow = false;
	assert_int_equal(vgpu_isa_run(g, w, 1), 1);
}

static void load(struct vgpu_wave *w)
{
	run(w, GPU_VA);
}

static void store(struct vgpu_wave *w)
{
	run(w, GPU_VA + 12);
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

static void old_until_flushed(void **state)
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
static void no_walks(void **state)
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

static void two_vmids(void **state)
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

static void missing_then_mapped(void **state)
{
	static const u32 without[] = { 0, 1, 2, 3, 4, 0, 6, 7 };
	static const u32 want[] = { 0, 1, 2, 3, 4, 22, 6, 7 };
	struct vgpu_wave *w = wave(GPU_VMID);

	(void)state;
	map(GPU_VMID, 5, 0, 0);
	loads(w, without);
	assert_int_equal(g->counters.vm_faults, 2);
	/* What is missing is not remembered: nobody has to flush. */
	map(GPU_VMID, 5, 22, PTE_ALL);
	loads(w, want);
	assert_int_equal(g->counters.vm_faults, 2);
	map(GPU_VMID, 5, 0, 0);
	vgpu_gmc_flush(g, 1U << GPU_VMID);
	loads(w, without);
	assert_int_equal(g->counters.vm_faults, 4);
}

static void permission_goes(void **state)
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(old_until_flushed),
		TEST(no_walks),
		TEST(two_vmids),
		TEST(missing_then_mapped),
		TEST(permission_goes),
		TEST(cache_is_written_back),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A reset leaves no earlier state: a GPU on which each block has worked is reset and compared,
 * byte by byte, with a new one.
 */
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>
#include <linux/pci_regs.h>
#include <linux/vfio.h>

#include "engine.h"
#include "host/pci.h"
#include "mem/gl2.h"
#include "sq/priv.h"

#define VMID		3
#define VA		0x100000000ULL
#define CODE		(VA + 0x1000)
#define HANDLER		(VA + 0x2000)
#define PAGES		4
#define UNKNOWN		0x1ffe0		/* in the page where HDP flush may be mapped */
#define SMN		0x12345678

/* Two that are new: what differs between them is an address. */
static struct vgpu first, second;
static struct client first_host, second_host;
static struct ring kiq, comp;
static u64 memory;

static int setup(void **state)
{
	engine_setup(state);
	client_init(&first_host, &first, false);
	client_init(&second_host, &second, false);
	return 0;
}

static int teardown(void **state)
{
	client_fini(&first_host);
	client_fini(&second_host);
	return engine_teardown(state);
}

/* Waves that loop, with LDS, scratch, a trap handler that loops as well, and watches. */
static void use_sequencer(void)
{
	static const u32 loop[] = { 0x80148114, 0xbf82fffe };
	struct vgpu_lend lend = { .slot = 0, .to = 0, .after = 1, .stay = 1 };
	struct vgpu_dispatch d = {
		.queue = { 1, 0, 0 }, .vmid = VMID, .pgm = CODE,
		.threads = { 70, 1, 1 }, .last = { 70, 1, 1 },
		.groups = { 3, 1, 1 }, .initiator = 1 | 1 << 15,
		.rsrc2 = 1 | 2 << 15, .tmpring_size = 8 << 12 | 32,
	};
	u32 reads, i;

	memcpy(engine_ptr(&gpu, memory + 0x1000), loop, sizeof(loop));
	memcpy(engine_ptr(&gpu, memory + 0x2000), loop, sizeof(loop));
	engine_set_reg(&gpu, R_IH_VMID_0_LUT, VMID, 0x8003);
	engine_set_reg(&gpu, R_GRBM_GFX_CNTL, 0, VMID << 4);
	engine_set_reg(&gpu, R_SQ_SHADER_TBA_LO, 0, LO(HANDLER >> 8));
	engine_set_reg(&gpu, R_SQ_SHADER_TBA_HI, 0, HI(HANDLER >> 8) | BIT(31));
	engine_set_reg(&gpu, R_GRBM_GFX_CNTL, 0, 0);
	engine_set_reg(&gpu, R_TCP_WATCH0_ADDR_H, 2, BIT(31) | VMID << 26);
	assert_int_equal(vgpu_sq_dispatch(&gpu, &d), 0);
	for (i = 0; i < 8; i++)
		vgpu_sq_run(&gpu, 100000);
	assert_int_equal(gpu.counters.waves, 9);
	vgpu_trap_host(&gpu, vgpu_sq_wave(&gpu, 0, 0, 0, 0, 0), 1);
	engine_set_reg(&gpu, R_GRBM_GFX_INDEX, 0, 0);
	engine_set_reg(&gpu, R_SQ_IND_INDEX, 0, 0x1234);
	assert_int_equal(vgpu_sq_lend(&gpu, &lend, &reads), 0);
	assert_non_null(vgpu_sq_history(&gpu));
	assert_true(gpu.sq->jitter && gpu.sq->watched_vmids && gpu.sq->next_wgp);
}

/* A ring in the middle of a packet, another that polls; SDMA in a copy of an IB */
static void use_engines(void)
{
	u64 big = engine_alloc(&gpu, 0x40000), ring = engine_alloc(&gpu, 4096);
	const u32 copy[] = {
		1, 0x40000 - 1, 0, LO(engine_mc(&gpu, big)),
		HI(engine_mc(&gpu, big)), LO(engine_mc(&gpu, big)),
		HI(engine_mc(&gpu, big)),
	};

	RING_PUT(&comp, PM4(0x3c, 6), 3 | 1 << 4, LO(comp.rptr_va + 64),
		 HI(comp.rptr_va), 1, ~0U, 4);
	ring_commit(&comp);
	RING_PUT(&kiq, PM4(0x50, 6), 2U << 29, 1, 0, LO(engine_mc(&gpu, big)),
		 HI(engine_mc(&gpu, big)), 0x40000);
	assert_true(vgpu_cp_doorbell(&gpu, kiq.doorbell, kiq.wptr));
	assert_true(vgpu_cp_run(&gpu));

	memcpy(engine_ptr(&gpu, ring), copy, sizeof(copy));
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_BASE, 0, engine_mc(&gpu, ring) >> 8);
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_BASE_HI, 0,
		       engine_mc(&gpu, ring) >> 40);
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_CNTL, 0, 1 | 8 << 1);
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_WPTR, 0, sizeof(copy));
	assert_true(vgpu_sdma_run(&gpu));
	assert_true(gpu.sdma->progress);
}

static void use_firmware(void)
{
	engine_set_reg(&gpu, R_MP1_SMN_C2PMSG_82, 0, 0x1234);
	engine_set_reg(&gpu, R_MP1_SMN_C2PMSG_66, 0, 0x10);
	engine_set_reg(&gpu, R_MP1_SMN_C2PMSG_66, 0, 0x1d);
	/* PSP: C2PMSG_69 to 71 say where a ring is, 2 << 16 makes it. */
	engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_69, 0, LO(engine_mc(&gpu, memory)));
	engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_71, 0, 0x1000);
	engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_64, 0, 2 << 16);
}

static void use_registers(void)
{
	u32 val = 7, i;

	/* Known only as long as HDP flush is mapped there */
	engine_set_reg(&gpu, R_REMAP_HDP_MEM_FLUSH_CNTL, 0, UNKNOWN * 4);
	engine_set_reg(&gpu, R_REMAP_HDP_REG_FLUSH_CNTL, 0, UNKNOWN * 4 + 4);
	vgpu_reg_write(&gpu, UNKNOWN, 0);
	vgpu_reg_read(&gpu, UNKNOWN + 2);
	engine_expect(&gpu, VGPU_BAD_REGISTER, 1);
	engine_set_reg(&gpu, R_PCIE_INDEX2, 0, SMN);
	engine_set_reg(&gpu, R_PCIE_DATA2, 0, 5);
	engine_set_reg(&gpu, R_MM_INDEX, 0, BIT(31) | 0x100);
	for (i = 0; i < 8; i++)
		vgpu_reg_write(&gpu, gpu.profile->regs[R_BIOS_SCRATCH_7] + i, i);
	assert_int_equal(vgpu_pci_write(&gpu, VFIO_PCI_CONFIG_REGION_INDEX,
					PCI_COMMAND, &val, 2), 0);
	assert_int_equal(vgpu_pci_write(&gpu, VFIO_PCI_BAR2_REGION_INDEX,
					kiq.doorbell * 4, &kiq.wptr, 8), 0);
}

static void use_all(void)
{
	u32 i, val = 1;

	memory = engine_alloc(&gpu, PAGES * VGPU_PAGE_SIZE);
	for (i = 0; i < PAGES; i++)
		engine_map(&gpu, VMID, VA + i * VGPU_PAGE_SIZE,
			   memory + i * VGPU_PAGE_SIZE);
	ring_init(&kiq, &gpu, (struct vgpu_queue_id){ 2, 1, 0 }, 256, 0x10);
	ring_init(&comp, &gpu, (struct vgpu_queue_id){ 1, 0, 0 }, 256, 0x12);
	ring_start_kiq(&kiq);
	ring_map(&comp, &kiq);
	use_sequencer();
	use_engines();
	use_registers();
	use_firmware();
	vgpu_quirk_set(&gpu, "gl2-write-back", 1);
	vgpu_gmc_flush(&gpu, ~0U);
	assert_int_equal(vgpu_gmc_write(&gpu, VMID, VA, &val, 4), 0);
	vgpu_quirk_set(&gpu, "gl2-write-back", 0);
}

/* The same words, apart from addresses. The clock is no part of a block. */
static void assert_new(const char *what, const void *block, const void *a,
		       const void *b, size_t size)
{
	const u64 *word = block, *new = a, *other = b;
	size_t i;

	for (i = 0; i < size / sizeof(*word); i++)
		if (word[i] != new[i] && new[i] == other[i])
			fail_msg("%s: 0x%x is 0x%llx, in a new one 0x%llx",
				 what, (unsigned int)(i * sizeof(*word)),
				 (unsigned long long)word[i],
				 (unsigned long long)new[i]);
}

/*
 * Blocks are made by calloc(), so that all of their memory counts. malloc() may have given
 * one of them more than was asked for, and the others less than that.
 */
static size_t common_size(void *a, void *b, void *c)
{
	size_t size = malloc_usable_size(a);

	if (malloc_usable_size(b) < size)
		size = malloc_usable_size(b);
	return malloc_usable_size(c) < size ? malloc_usable_size(c) : size;
}

#define ASSERT_NEW(block) \
	assert_new(#block, gpu.block, first.block, second.block, \
		   common_size(gpu.block, first.block, second.block))

static void assert_registers_new(void)
{
	struct vgpu_bank_select sel;
	u32 dword, n, val;

	for (n = 0; n < 128; n++) {
		sel = (struct vgpu_bank_select){
			.me = n / 32, .pipe = n / 8 % 4, .queue = n % 8,
			.vmid = n % 16, .wgp = n / 16 % 4,
		};
		for (dword = 0; dword < VGPU_NUM_REGS; dword++) {
			val = vgpu_reg_peek(&gpu, dword, &sel);
			if (val != vgpu_reg_peek(&first, dword, &sel))
				fail_msg("%s is 0x%08x",
					 vgpu_reg_name(&gpu, dword), val);
		}
	}
}

/* SQ's blocks of memory apart, of which the list of free ones and the history go first */
static void assert_sequencer_new(void)
{
	struct vgpu_sq sq = *gpu.sq;

	assert_new("sq", &sq, first.sq, second.sq, sizeof(sq));
}

static void assert_entries_empty(const struct vgpu_tlb_entry *e,
				 const struct vgpu_tlb_entry *empty, size_t num)
{
	size_t i;

	for (i = 0; i < num; i++)
		assert_true(e[i].page == empty[i].page);
}

static void assert_tlb_empty(void)
{
	static struct vgpu_tlb empty;
	unsigned int vmid, write;

	vgpu_tlb_init(&empty);
	for (vmid = 0; vmid < VGPU_TLB_VMIDS; vmid++) {
		for (write = 0; write < 2; write++) {
			const struct vgpu_tlb_pages *t, *new;

			t = vgpu_tlb_pages(vgpu_gmc_tlb(&gpu), vmid, write);
			new = vgpu_tlb_pages(&empty, vmid, write);
			assert_entries_empty(t->direct, new->direct,
					     ARRAY_SIZE(t->direct));
			assert_entries_empty(&t->set[0][0], &new->set[0][0],
					     sizeof(t->set) / sizeof(t->set[0][0]));
		}
	}
}

static void cold_reset(void **state)
{
	(void)state;
	use_all();
	vgpu_cold_reset(&gpu);
	assert_sequencer_new();
	assert_tlb_empty();
	assert_registers_new();
	ASSERT_NEW(regs);
	ASSERT_NEW(nbio);
	ASSERT_NEW(gl2);
	ASSERT_NEW(psp);
	ASSERT_NEW(smu);
	ASSERT_NEW(cp);
	ASSERT_NEW(sdma);
	ASSERT_NEW(pci);
	assert_memory_equal(gpu.vram, first.vram, 16 << 20);
	assert_memory_equal(gpu.vram + gpu.vram_size - 0x10000,
			    first.vram + first.vram_size - 0x10000, 0x10000);
}

/* MODE2: the graphics core alone; how many waves there have been is remembered. */
static void mode2_reset(void **state)
{
	u64 serial;

	(void)state;
	use_all();
	serial = gpu.sq->next_serial;
	vgpu_reset(&gpu);
	assert_int_equal(gpu.sq->next_serial, serial);
	assert_non_null(vgpu_sq_history(&gpu));
	vgpu_sq_forget(&gpu);
	assert_sequencer_new();
	assert_tlb_empty();
	ASSERT_NEW(cp);
	ASSERT_NEW(sdma);
	ASSERT_NEW(gl2);
	/* The others have not been asked. */
	engine_set_reg(&gpu, R_PCIE_INDEX2, 0, SMN);
	assert_int_equal(engine_reg(&gpu, R_PCIE_DATA2, 0), 5);
	assert_int_equal(engine_reg(&gpu, R_BIOS_SCRATCH_7, 1), 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(cold_reset, setup, teardown),
		cmocka_unit_test_setup_teardown(mode2_reset, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

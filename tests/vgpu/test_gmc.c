// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The memory controller: translation of addresses in each VMID, permissions, the TLB and its
 * invalidation, VM faults. Bits of page tables: amdgpu_vm.h.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine.h"
#include "host/dma.h"

#define VMID		3
#define VA		0x123456789000ULL
#define PTE_VALID	BIT_ULL(0)
#define PTE_SYSTEM	BIT_ULL(1)
#define PTE_EXEC	BIT_ULL(4)
#define PTE_READ	BIT_ULL(5)
#define PTE_WRITE	BIT_ULL(6)
#define PTE_RWX		(PTE_VALID | PTE_EXEC | PTE_READ | PTE_WRITE)
#define PTE_PRT		BIT_ULL(51)
#define PDE_PTE		BIT_ULL(54)
#define FAULT_CLEAR	1

/* Guest memory at this bus address */
#define BUS		0x40000000ULL
#define BUS_SIZE	0x100000U

static u8 *guest;

static int setup(void **state)
{
	int fd = memfd_create("guest", 0);

	engine_setup(state);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, BUS_SIZE), 0);
	assert_int_equal(vgpu_dma_map(&gpu, BUS, BUS_SIZE, 0, fd, true), 0);
	guest = mmap(NULL, BUS_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(guest, MAP_FAILED);
	close(fd);
	return 0;
}

static int teardown(void **state)
{
	munmap(guest, BUS_SIZE);
	return engine_teardown(state);
}

static u8 *tr(unsigned int vmid, u64 va, enum vgpu_access access)
{
	return vgpu_gmc_translate(&gpu, vmid, va, access);
}

static const char *text_at(unsigned int vmid, u64 va)
{
	return (const char *)tr(vmid, va, VGPU_READ);
}

/* The entry at @level (0: page table) that engine_map() made for @va. */
static u64 *entry_of(unsigned int vmid, u64 va, int level)
{
	unsigned int i = vmid * gpu.profile->gen->vm_context_addr_stride;
	u64 at = vgpu_reg_load(&gpu, R_GCVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32,
			       i) & ~0xfffULL;
	int l;

	for (l = 3; l > level; l--)
		at = ((u64 *)(gpu.vram + at))[va >> (12 + 9 * l) & 0x1ff] &
			0xfffffffff000ULL;
	return &((u64 *)(gpu.vram + at))[va >> (12 + 9 * level) & 0x1ff];
}

static void fb_aperture(void **state)
{
	u64 base = gpu.profile->fb_base;

	(void)state;
	assert_ptr_equal(tr(0, base, VGPU_READ), gpu.vram);
	assert_ptr_equal(tr(0, base + 0x12345, VGPU_WRITE), gpu.vram + 0x12345);
	assert_ptr_equal(tr(0, base + gpu.vram_size - 1, VGPU_EXEC),
			 gpu.vram + gpu.vram_size - 1);
	assert_null(tr(0, base + gpu.vram_size, VGPU_READ));
	assert_null(tr(0, base - 1, VGPU_READ));
	/* Only VMID 0 has it. */
	assert_null(tr(1, base, VGPU_READ));
}

static void agp_aperture(void **state)
{
	(void)state;
	engine_set_reg(&gpu, R_GCMC_VM_AGP_BASE, 0, 0);
	engine_set_reg(&gpu, R_GCMC_VM_AGP_BOT, 0, 0xf800);
	engine_set_reg(&gpu, R_GCMC_VM_AGP_TOP, 0, 0xffff);
	strcpy((char *)guest + 0x3004, "agp");
	assert_string_equal(text_at(0, 0xf800000000 + BUS + 0x3004), "agp");
	assert_null(tr(0, 0xf800000000 + BUS + BUS_SIZE, VGPU_READ));
	engine_set_reg(&gpu, R_GCMC_VM_AGP_BASE, 0, BUS >> 24);
	vgpu_gmc_flush(&gpu, ~0U);
	assert_string_equal(text_at(0, 0xf800003004), "agp");
}

static void gart(void **state)
{
	u64 table = engine_alloc(&gpu, VGPU_PAGE_SIZE);
	u64 *pte = engine_ptr(&gpu, table);

	(void)state;
	/* Pages 0x100.. of VMID 0, as gfxhub_v2_1_init_gart_aperture_regs() */
	engine_set_reg(&gpu, R_GCVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32, 0,
		       LO(table) | 1);
	engine_set_reg(&gpu, R_GCVM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32, 0,
		       0x100);
	engine_set_reg(&gpu, R_GCVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32, 0,
		       0x101);
	pte[0] = BUS | PTE_RWX | PTE_SYSTEM;
	pte[1] = (BUS + 0x5000) | PTE_RWX | PTE_SYSTEM;
	pte[2] = BUS | PTE_RWX | PTE_SYSTEM;
	assert_null(tr(0, 0x100000, VGPU_READ));	/* not enabled */
	engine_set_reg(&gpu, R_GCVM_CONTEXT0_CNTL, 0, 1);
	strcpy((char *)guest + 0x5008, "gart");
	assert_string_equal(text_at(0, 0x101008), "gart");
	*tr(0, 0x100000, VGPU_WRITE) = 0x5a;
	assert_int_equal(guest[0], 0x5a);
	assert_null(tr(0, 0xff000, VGPU_READ));
	assert_null(tr(0, 0x102000, VGPU_READ));	/* beyond END */
}

static void page_tables_have_four_levels(void **state)
{
	u64 page = engine_alloc(&gpu, VGPU_PAGE_SIZE);

	(void)state;
	engine_map(&gpu, VMID, VA, page);
	assert_ptr_equal(tr(VMID, VA + 5, VGPU_READ), gpu.vram + page + 5);
	assert_ptr_equal(tr(VMID, VA, VGPU_WRITE), gpu.vram + page);
	assert_ptr_equal(tr(VMID, VA, VGPU_EXEC), gpu.vram + page);
	assert_null(tr(VMID, VA + VGPU_PAGE_SIZE, VGPU_READ));
	assert_null(tr(VMID, VA - 1, VGPU_READ));
	assert_null(tr(VMID + 1, VA, VGPU_READ));
	/* A page of VMID 3 is no page of VMID 0. */
	assert_null(tr(0, VA, VGPU_READ));
}

static void a_page_directory_of_any_level_may_be_missing(void **state)
{
	u64 page = engine_alloc(&gpu, VGPU_PAGE_SIZE);
	int level;

	(void)state;
	for (level = 0; level < 4; level++) {
		u64 *entry;

		engine_map(&gpu, VMID, VA, page);
		entry = entry_of(VMID, VA, level);
		vgpu_gmc_flush(&gpu, BIT(VMID));
		assert_non_null(tr(VMID, VA, VGPU_READ));
		*entry &= ~PTE_VALID;
		vgpu_gmc_flush(&gpu, BIT(VMID));
		assert_null(tr(VMID, VA, VGPU_READ));
		*entry |= PTE_VALID;
	}
}

/* Leaves above the page table: 2 MiB in PDB0, 1 GiB in PDB1 */
static void huge_pages(void **state)
{
	(void)state;
	engine_map(&gpu, VMID, VA, 0x1000);
	*entry_of(VMID, VA, 1) = 0x600000 | PTE_RWX | PDE_PTE;
	assert_ptr_equal(tr(VMID, VA & ~0x1fffffULL, VGPU_READ),
			 gpu.vram + 0x600000);
	assert_ptr_equal(tr(VMID, VA | 0x1fffff, VGPU_READ),
			 gpu.vram + 0x7fffff);
	*entry_of(VMID, VA, 2) = 0x0 | PTE_RWX | PDE_PTE;
	vgpu_gmc_flush(&gpu, BIT(VMID));
	assert_ptr_equal(tr(VMID, (VA & ~0x3fffffffULL) + 0x123, VGPU_READ),
			 gpu.vram + 0x123);
}

static void pages_in_guest_memory_are_accessed(void **state)
{
	(void)state;
	engine_map(&gpu, VMID, VA, 0x1000);
	*entry_of(VMID, VA, 0) = (BUS + 0x2000) | PTE_RWX | PTE_SYSTEM;
	strcpy((char *)guest + 0x2010, "ram");
	assert_string_equal(text_at(VMID, VA + 0x10), "ram");
	/* A page table may be in guest memory, too. */
	memcpy(guest + 0x7000, entry_of(VMID, VA & ~0x1fffffULL, 0), 4096);
	*entry_of(VMID, VA, 1) = (BUS + 0x7000) | PTE_VALID | PTE_SYSTEM;
	vgpu_gmc_flush(&gpu, BIT(VMID));
	assert_string_equal(text_at(VMID, VA + 0x10), "ram");
	/* No memory there: not mapped, and vgpu lives on. */
	*entry_of(VMID, VA, 1) = (BUS + BUS_SIZE) | PTE_VALID | PTE_SYSTEM;
	vgpu_gmc_flush(&gpu, BIT(VMID));
	assert_null(tr(VMID, VA, VGPU_READ));
}

static void page_permissions_are_checked(void **state)
{
	static const struct {
		u64 bit;
		enum vgpu_access access;
	} all[] = {
		{ PTE_READ, VGPU_READ },
		{ PTE_WRITE, VGPU_WRITE },
		{ PTE_EXEC, VGPU_EXEC },
	};
	size_t i, j;

	(void)state;
	engine_map(&gpu, VMID, VA, 0x1000);
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		*entry_of(VMID, VA, 0) = 0x1000 | PTE_VALID | all[i].bit;
		vgpu_gmc_flush(&gpu, BIT(VMID));
		for (j = 0; j < ARRAY_SIZE(all); j++) {
			if (i == j)
				assert_non_null(tr(VMID, VA, all[j].access));
			else
				assert_null(tr(VMID, VA, all[j].access));
		}
	}
}

static void prt_pages(void **state)
{
	u32 val = 7;

	(void)state;
	engine_map(&gpu, VMID, VA, 0x1000);
	*entry_of(VMID, VA, 0) = PTE_PRT;
	assert_int_equal(vgpu_gmc_write(&gpu, VMID, VA, &val, 4), 0);
	assert_int_equal(vgpu_gmc_read(&gpu, VMID, VA, &val, 4), 0);
	assert_int_equal(val, 0);
	assert_null(tr(VMID, VA, VGPU_EXEC));
	/* An atomic sees what has been written there, though not of before a reset. */
	vgpu_gmc_reset(&gpu);
	memcpy(&val, tr(VMID, VA, VGPU_WRITE), 4);
	assert_int_equal(val, 0);
}

static void addresses_in_the_upper_half_are_translated(void **state)
{
	u64 high = 0xffff800000001000ULL;

	(void)state;
	engine_map(&gpu, VMID, high, 0x3000);
	assert_ptr_equal(tr(VMID, high, VGPU_READ), gpu.vram + 0x3000);
	/* Packets carry 48 bits. */
	assert_ptr_equal(tr(VMID, high & 0xffffffffffffULL, VGPU_READ),
			 gpu.vram + 0x3000);
	assert_null(tr(VMID, 0x0001800000001000ULL, VGPU_READ));
}

/* Data in the L2 is not visible elsewhere until it is written back. */
static void data_is_cached_until_written_back(void **state)
{
	u8 *vram = gpu.vram + 0x1000, *uncached = gpu.vram + 0x2000, *p;

	(void)state;
	engine_map(&gpu, VMID, VA, 0x1000);
	engine_map(&gpu, VMID, VA + 0x1000, 0x2000);
	*entry_of(VMID, VA + 0x1000, 0) |= 3ULL << 48;
	vram[0] = 1;
	assert_ptr_equal(tr(VMID, VA, VGPU_WRITE), vram);
	vgpu_gmc_flush(&gpu, ~0U);

	assert_int_equal(vgpu_quirk_set(&gpu, "gl2-write-back", 1), 0);
	assert_ptr_equal(tr(VMID, VA + 0x1000, VGPU_WRITE), uncached);
	p = tr(VMID, VA, VGPU_WRITE);
	assert_ptr_not_equal(p, vram);
	assert_int_equal(p[0], 1);
	p[0] = 2;
	assert_int_equal(vram[0], 1);
	/* The host writes beside it. */
	vram[1] = 7;
	assert_int_equal(*tr(VMID, VA + 1, VGPU_READ), 0);
	vgpu_gmc_write_back(&gpu);
	assert_int_equal(vram[0], 2);
	assert_int_equal(vram[1], 7);
	assert_int_equal(*tr(VMID, VA + 1, VGPU_READ), 7);

	*tr(VMID, VA, VGPU_WRITE) = 3;
	assert_int_equal(vgpu_quirk_set(&gpu, "gl2-write-back", 0), 0);
	vgpu_gmc_write_back(&gpu);
	assert_int_equal(vram[0], 3);
	assert_ptr_equal(tr(VMID, VA, VGPU_WRITE), vram);
}

/* As on hardware, a changed entry counts from the next invalidation on. */
static void translations_are_cached_until_invalidated(void **state)
{
	u32 before, stride = gpu.profile->gen->mm_inv_eng_stride;
	struct vgpu_tlb *tlb = vgpu_gmc_tlb(&gpu);

	(void)state;
	engine_map(&gpu, VMID, VA, 0x1000);
	engine_map(&gpu, VMID + 1, VA, 0x2000);
	assert_ptr_equal(vgpu_gmc_ptr(&gpu, tlb, VMID, VA, false),
			 gpu.vram + 0x1000);
	vgpu_gmc_ptr(&gpu, tlb, VMID + 1, VA, false);
	before = gpu.counters.tlb_misses;
	*entry_of(VMID, VA, 0) = 0x5000 | PTE_RWX;
	assert_ptr_equal(vgpu_gmc_ptr(&gpu, tlb, VMID, VA + 8, false),
			 gpu.vram + 0x1008);
	/* Another VMID's request does not help. */
	engine_set_reg(&gpu, R_GCVM_INVALIDATE_ENG0_REQ, 5, BIT(VMID + 1));
	assert_ptr_equal(vgpu_gmc_ptr(&gpu, tlb, VMID, VA, false),
			 gpu.vram + 0x1000);
	assert_int_equal(gpu.counters.tlb_misses, before);
	engine_set_reg(&gpu, R_GCVM_INVALIDATE_ENG0_REQ, 5,
		       0x00f80000 | BIT(VMID));
	assert_ptr_equal(vgpu_gmc_ptr(&gpu, tlb, VMID, VA, false),
			 gpu.vram + 0x5000);
	assert_int_equal(engine_reg(&gpu, R_GCVM_INVALIDATE_ENG0_ACK, 5),
			 BIT(VMID));
	/* The other hub does the same. */
	*entry_of(VMID, VA, 0) = 0x6000 | PTE_RWX;
	assert_int_equal(engine_reg(&gpu, R_MMVM_INVALIDATE_ENG0_SEM,
				    17 * stride), 1);
	engine_set_reg(&gpu, R_MMVM_INVALIDATE_ENG0_REQ, 17 * stride,
		       BIT(VMID));
	assert_int_equal(engine_reg(&gpu, R_MMVM_INVALIDATE_ENG0_ACK,
				    17 * stride), BIT(VMID));
	engine_set_reg(&gpu, R_MMVM_INVALIDATE_ENG0_SEM, 17 * stride, 0);
	assert_ptr_equal(vgpu_gmc_ptr(&gpu, tlb, VMID, VA, false),
			 gpu.vram + 0x6000);
}

/* Reading a page does not make it writable. */
static void tlb_keeps_permissions(void **state)
{
	struct vgpu_tlb *tlb = vgpu_gmc_tlb(&gpu);

	(void)state;
	engine_map(&gpu, VMID, VA, 0x1000);
	*entry_of(VMID, VA, 0) = 0x1000 | PTE_VALID | PTE_READ;
	assert_non_null(vgpu_gmc_ptr(&gpu, tlb, VMID, VA, false));
	assert_null(vgpu_gmc_ptr(&gpu, tlb, VMID, VA, true));
}

static void unmapped_guest_memory_faults(void **state)
{
	(void)state;
	engine_map(&gpu, VMID, VA, 0x1000);
	*entry_of(VMID, VA, 0) = BUS | PTE_RWX | PTE_SYSTEM;
	assert_non_null(vgpu_gmc_ptr(&gpu, vgpu_gmc_tlb(&gpu), VMID, VA, true));
	assert_int_equal(vgpu_dma_unmap(&gpu, BUS, BUS_SIZE), 0);
	assert_null(vgpu_gmc_ptr(&gpu, vgpu_gmc_tlb(&gpu), VMID, VA, true));
}

static void copies_cross_pages(void **state)
{
	u8 data[3 * VGPU_PAGE_SIZE], back[sizeof(data)];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(data); i++)
		data[i] = i * 7 + (i >> 8);
	/* Four pages, in reverse order. */
	for (i = 0; i < 4; i++)
		engine_map(&gpu, VMID, VA + i * VGPU_PAGE_SIZE,
			   0x10000 - i * VGPU_PAGE_SIZE);
	assert_int_equal(vgpu_gmc_write(&gpu, VMID, VA + 0x777, data,
					sizeof(data)), 0);
	assert_memory_equal(gpu.vram + 0x10777, data, 0x1000 - 0x777);
	assert_memory_equal(gpu.vram + 0xf000, data + 0x1000 - 0x777, 0x1000);
	assert_int_equal(vgpu_gmc_read(&gpu, VMID, VA + 0x777, back,
				       sizeof(back)), 0);
	assert_memory_equal(data, back, sizeof(data));
}

static void a_fault_sets_registers_and_sends_an_interrupt(void **state)
{
	u64 bad = VA + 5 * VGPU_PAGE_SIZE;
	u32 status, iv[8], val = 0;

	(void)state;
	engine_map(&gpu, VMID, VA, 0x1000);
	vgpu_reg_store(&gpu, R_IH_VMID_0_LUT, VMID, 0x8002);
	assert_false(engine_iv(&gpu, iv));
	assert_int_equal(vgpu_gmc_write(&gpu, VMID, bad + 0x10, &val, 4),
			 -EFAULT);
	engine_expect(&gpu, VGPU_BAD_VM_FAULT, 1);
	assert_int_equal(gpu.counters.vm_faults, 1);

	status = engine_reg(&gpu, R_GCVM_L2_PROTECTION_FAULT_STATUS, 0);
	assert_int_equal(status >> 20 & 0xf, VMID);
	assert_true(status & BIT(18));		/* RW: a write */
	assert_false(status & BIT(0));		/* MORE_FAULTS */
	assert_int_equal(engine_reg(&gpu, R_GCVM_L2_PROTECTION_FAULT_ADDR_LO32,
				    0), LO(bad >> 12));
	assert_int_equal(engine_reg(&gpu, R_GCVM_L2_PROTECTION_FAULT_ADDR_HI32,
				    0), HI(bad >> 12));

	/* gmc_v10_0_process_interrupt() takes this apart. */
	assert_true(engine_iv(&gpu, iv));
	assert_int_equal(iv[0] & 0xffff, 0x001b);	/* UTCL2, fault */
	assert_int_equal(iv[0] >> 24 & 0xf, VMID);
	assert_int_equal(iv[0] >> 31, 0);		/* GFX hub */
	assert_int_equal(iv[3], 0x8002);
	assert_int_equal(iv[4], LO(bad >> 12));
	assert_int_equal(iv[5], HI(bad >> 12) | 0x20);	/* a write */

	/* Until the driver has seen it, others are only remembered. */
	assert_int_equal(vgpu_gmc_read(&gpu, VMID, 0x5000, &val, 4), -EFAULT);
	engine_expect(&gpu, VGPU_BAD_VM_FAULT, 1);
	assert_false(engine_iv(&gpu, iv));
	assert_int_equal(engine_reg(&gpu, R_GCVM_L2_PROTECTION_FAULT_STATUS,
				    0), status | BIT(0));
	engine_set_reg(&gpu, R_GCVM_L2_PROTECTION_FAULT_CNTL, 0,
		       0x3ffffffc | FAULT_CLEAR);
	assert_int_equal(engine_reg(&gpu, R_GCVM_L2_PROTECTION_FAULT_STATUS,
				    0), 0);
	assert_int_equal(engine_reg(&gpu, R_GCVM_L2_PROTECTION_FAULT_CNTL, 0),
			 0x3ffffffc);
	assert_int_equal(vgpu_gmc_read(&gpu, VMID, 0x5000, &val, 4), -EFAULT);
	engine_expect(&gpu, VGPU_BAD_VM_FAULT, 1);
	assert_true(engine_iv(&gpu, iv));
	assert_int_equal(iv[4], 5);
	assert_int_equal(iv[5], 0);
}

/* An access that ends on a bad page has written what came before. */
static void an_access_faults_at_a_page_in_the_middle(void **state)
{
	u8 data[0x20];

	(void)state;
	memset(data, 0xee, sizeof(data));
	engine_map(&gpu, VMID, VA, 0x1000);
	assert_int_equal(vgpu_gmc_write(&gpu, VMID, VA + 0xff0, data,
					sizeof(data)), -EFAULT);
	assert_int_equal(gpu.vram[0x1fff], 0xee);
	engine_expect(&gpu, VGPU_BAD_VM_FAULT, 1);
}

/* The driver switches the interrupt off before it is unbound. */
static void fault_without_interrupt(void **state)
{
	u32 iv[8], val;

	(void)state;
	engine_map(&gpu, VMID, VA, 0x1000);
	engine_set_reg(&gpu, R_GCVM_CONTEXT0_CNTL, VMID, 0x7);
	assert_int_equal(vgpu_gmc_read(&gpu, VMID, 0x5000, &val, 4), -EFAULT);
	engine_expect(&gpu, VGPU_BAD_VM_FAULT, 1);
	assert_false(engine_iv(&gpu, iv));
}

static void reset_knows_vram_again(void **state)
{
	(void)state;
	engine_map(&gpu, VMID, VA, 0x1000);
	assert_non_null(tr(VMID, VA, VGPU_READ));
	vgpu_reset(&gpu);
	assert_null(vgpu_gmc_ptr(&gpu, vgpu_gmc_tlb(&gpu), VMID, VA, false));
	assert_ptr_equal(tr(0, gpu.profile->fb_base + 9, VGPU_READ),
			 gpu.vram + 9);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(fb_aperture),
		TEST(agp_aperture),
		TEST(gart),
		TEST(page_tables_have_four_levels),
		TEST(a_page_directory_of_any_level_may_be_missing),
		TEST(huge_pages),
		TEST(pages_in_guest_memory_are_accessed),
		TEST(page_permissions_are_checked),
		TEST(prt_pages),
		TEST(addresses_in_the_upper_half_are_translated),
		TEST(translations_are_cached_until_invalidated),
		TEST(data_is_cached_until_written_back),
		TEST(tlb_keeps_permissions),
		TEST(unmapped_guest_memory_faults),
		TEST(copies_cross_pages),
		TEST(a_fault_sets_registers_and_sends_an_interrupt),
		TEST(an_access_faults_at_a_page_in_the_middle),
		TEST(fault_without_interrupt),
		TEST(reset_knows_vram_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The interrupt handler: layout of entries, pointers, a full ring, and the memory in which the
 * ring can be.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine.h"
#include "host/dma.h"

/* IH_RB_CNTL (osssys_5_0_0_sh_mask.h) */
#define RB_ENABLE		BIT(0)
#define RB_256B			(6 << 1)
#define WRITEBACK		BIT(8)
#define OVERFLOW_ENABLE		BIT(16)
#define MC_SPACE_BUS		BIT(28)
#define MC_SPACE_VMID0		(4U << 28)
#define OVERFLOW_CLEAR		BIT(31)

#define RING_SIZE	256
#define ENTRY		32
#define BUS		0x40000000ULL

static u8 *ring;
static u32 *wptr_mem;

static void setup_ring(u64 ring_addr, u64 wptr_addr, u32 cntl)
{
	engine_set_reg(&gpu, R_IH_RB_BASE, 0, ring_addr >> 8);
	engine_set_reg(&gpu, R_IH_RB_BASE_HI, 0, ring_addr >> 40 & 0xff);
	engine_set_reg(&gpu, R_IH_RB_WPTR_ADDR_LO, 0, LO(wptr_addr));
	engine_set_reg(&gpu, R_IH_RB_WPTR_ADDR_HI, 0, HI(wptr_addr));
	engine_set_reg(&gpu, R_IH_RB_WPTR, 0, 0);
	engine_set_reg(&gpu, R_IH_RB_RPTR, 0, 0);
	engine_set_reg(&gpu, R_IH_RB_CNTL, 0, cntl);
}

static int setup(void **state)
{
	u64 page;

	engine_setup(state);
	page = engine_alloc(&gpu, VGPU_PAGE_SIZE);
	ring = engine_ptr(&gpu, page);
	wptr_mem = engine_ptr(&gpu, page + 0x800);
	setup_ring(engine_mc(&gpu, page), engine_mc(&gpu, page + 0x800),
		   RB_ENABLE | RB_256B | WRITEBACK | OVERFLOW_ENABLE |
		   MC_SPACE_VMID0);
	return 0;
}

static void push(u32 data)
{
	const struct vgpu_iv iv = {
		.source = { 0x14, 181 }, .ring_id = 4, .src_data = { data },
	};

	vgpu_ih_push(&gpu, &iv);
}

static u32 entry_data(unsigned int n)
{
	u32 data;

	memcpy(&data, ring + n * ENTRY + 16, sizeof(data));
	return data;
}

/* As amdgpu_ih_decode_iv_helper() takes it apart. */
static void an_interrupt_vector_has_the_layout_of_the_driver(void **state)
{
	const struct vgpu_iv iv = {
		.source = { 0x0a, 239 }, .ring_id = 0x15, .vmid = 6,
		.src_data = { 1, 2, 3, 4 },
	};
	u64 before = vgpu_clock(), after, stamp;
	u32 e[8];

	(void)state;
	vgpu_reg_store(&gpu, R_IH_VMID_0_LUT, 6, 0xabcd8007);
	assert_int_equal(vgpu_ih_pasid(&gpu, 6), 0x8007);
	vgpu_ih_push(&gpu, &iv);
	after = vgpu_clock();
	memcpy(e, ring, sizeof(e));
	assert_int_equal(e[0], 0x0a | 239 << 8 | 0x15 << 16 | 6 << 24);
	stamp = e[1] | (u64)(e[2] & 0xffff) << 32;
	assert_in_range(stamp, before & 0xffffffffffffULL,
			after & 0xffffffffffffULL);
	assert_int_equal(e[2] >> 16, 0);
	assert_int_equal(e[3], 0x8007);
	assert_int_equal(e[4], 1);
	assert_int_equal(e[7], 4);
	assert_int_equal(gpu.counters.iv_entries, 1);
}

static void pasid_given(void **state)
{
	const struct vgpu_iv iv = { .vmid = 6, .pasid = 0x42 };
	u32 e[8];

	(void)state;
	vgpu_reg_store(&gpu, R_IH_VMID_0_LUT, 6, 0x8007);
	vgpu_ih_push(&gpu, &iv);
	memcpy(e, ring, sizeof(e));
	assert_int_equal(e[3], 0x42);
}

static void ring_pointers_wrap_around(void **state)
{
	u32 i;

	(void)state;
	for (i = 1; i <= 20; i++) {
		push(i);
		assert_int_equal(entry_data((i - 1) % 8), i);
		assert_int_equal(vgpu_reg_load(&gpu, R_IH_RB_WPTR, 0),
				 i * ENTRY % RING_SIZE);
		assert_int_equal(*wptr_mem, i * ENTRY % RING_SIZE);
		vgpu_reg_store(&gpu, R_IH_RB_RPTR, 0, *wptr_mem);
	}
}

static void the_read_pointer_is_set_by_doorbell(void **state)
{
	(void)state;
	engine_set_reg(&gpu, R_IH_DOORBELL_RPTR, 0, 0x178 | BIT(28));
	push(1);
	assert_true(vgpu_ih_doorbell(&gpu, 0x178, ENTRY));
	assert_int_equal(vgpu_reg_load(&gpu, R_IH_RB_RPTR, 0), ENTRY);
	assert_false(vgpu_ih_doorbell(&gpu, 0x179, 2 * ENTRY));
	engine_set_reg(&gpu, R_IH_DOORBELL_RPTR, 0, 0x178);
	assert_false(vgpu_ih_doorbell(&gpu, 0x178, 2 * ENTRY));
	assert_int_equal(vgpu_reg_load(&gpu, R_IH_RB_RPTR, 0), ENTRY);
}

/* navi10_ih_get_wptr(): the flag, then all but the overwritten entry */
static void a_full_ring_overflows(void **state)
{
	u32 i, cntl = engine_reg(&gpu, R_IH_RB_CNTL, 0);

	(void)state;
	for (i = 0; i < 7; i++)
		push(i);
	assert_int_equal(*wptr_mem, 7 * ENTRY);
	push(7);
	assert_int_equal(*wptr_mem, 0 | 1);
	push(8);
	assert_int_equal(*wptr_mem, ENTRY | 1);
	assert_int_equal(entry_data(0), 8);
	assert_int_equal(entry_data(1), 1);
	engine_set_reg(&gpu, R_IH_RB_CNTL, 0, cntl | OVERFLOW_CLEAR);
	assert_int_equal(engine_reg(&gpu, R_IH_RB_WPTR, 0), ENTRY);
	/* The bit is a command: it does not stay. */
	assert_int_equal(engine_reg(&gpu, R_IH_RB_CNTL, 0), cntl);
	vgpu_reg_store(&gpu, R_IH_RB_RPTR, 0, ENTRY);
	push(9);
	assert_int_equal(*wptr_mem, 2 * ENTRY);
}

static void full_without_overflow(void **state)
{
	u32 i;

	(void)state;
	engine_set_reg(&gpu, R_IH_RB_CNTL, 0,
		       RB_ENABLE | RB_256B | WRITEBACK | MC_SPACE_VMID0);
	for (i = 0; i < 9; i++)
		push(i);
	assert_int_equal(*wptr_mem, 7 * ENTRY);
	assert_int_equal(entry_data(0), 0);
	assert_int_equal(gpu.counters.iv_entries, 7);
}

static void a_disabled_ring_drops_interrupts(void **state)
{
	(void)state;
	engine_set_reg(&gpu, R_IH_RB_CNTL, 0, RB_256B | MC_SPACE_VMID0);
	push(1);
	assert_int_equal(engine_reg(&gpu, R_IH_RB_WPTR, 0), 0);
	assert_int_equal(gpu.counters.iv_entries, 0);
}

/* Ring 0 of a driver that uses bus addresses */
static void bus_addresses(void **state)
{
	int fd = memfd_create("guest", 0);
	u8 *guest;
	u32 e[8];

	(void)state;
	assert_int_equal(ftruncate(fd, 0x2000), 0);
	guest = mmap(NULL, 0x2000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_int_equal(vgpu_dma_map(&gpu, BUS, 0x2000, 0, fd, true), 0);
	close(fd);
	setup_ring(BUS, BUS + 0x1000, RB_ENABLE | RB_256B | WRITEBACK |
		   MC_SPACE_BUS);
	push(77);
	memcpy(e, guest, sizeof(e));
	assert_int_equal(e[4], 77);
	memcpy(e, guest + 0x1000, 4);
	assert_int_equal(e[0], ENTRY);
	setup_ring(BUS + 0x10000, BUS, RB_ENABLE | RB_256B | MC_SPACE_BUS);
	push(78);
	engine_expect(&gpu, VGPU_BAD_VM_FAULT, 1);
	assert_int_equal(engine_reg(&gpu, R_IH_RB_WPTR, 0), 0);
	munmap(guest, 0x2000);
}

/* DMA_MAP without "writeable": a device may only read (vfio-user.rst, QEMU 10.1) */
static void a_ring_in_read_only_memory_is_not_written(void **state)
{
	int fd = memfd_create("guest", 0);
	u8 *guest;
	u32 i;

	(void)state;
	assert_int_equal(ftruncate(fd, 0x2000), 0);
	guest = mmap(NULL, 0x2000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_int_equal(vgpu_dma_map(&gpu, BUS, 0x1000, 0, fd, false), 0);
	assert_int_equal(vgpu_dma_map(&gpu, BUS + 0x1000, 0x1000, 0x1000, fd,
				      true), 0);
	close(fd);
	setup_ring(BUS, BUS + 0x1000, RB_ENABLE | RB_256B | WRITEBACK |
		   MC_SPACE_BUS);
	push(77);
	engine_expect(&gpu, VGPU_BAD_VM_FAULT, 1);
	assert_int_equal(engine_reg(&gpu, R_IH_RB_WPTR, 0), 0);
	assert_int_equal(gpu.counters.iv_entries, 0);
	/* The ring can be written, where its pointer is to go cannot. */
	setup_ring(BUS + 0x1000, BUS, RB_ENABLE | RB_256B | WRITEBACK |
		   MC_SPACE_BUS);
	push(78);
	engine_expect(&gpu, VGPU_BAD_VM_FAULT, 1);
	assert_int_equal(gpu.counters.iv_entries, 1);
	for (i = 0; i < 0x1000; i++)
		assert_int_equal(guest[i], 0);
	munmap(guest, 0x2000);
}

/* IH_RB_BASE_HI has bits 47:40. */
static void ring_above_a_terabyte(void **state)
{
	u64 page = engine_alloc(&gpu, VGPU_PAGE_SIZE), va = 0x250000000000ULL;
	u32 e[8];

	(void)state;
	engine_map(&gpu, 0, va, page);
	setup_ring(va, va + 0x800, RB_ENABLE | RB_256B | MC_SPACE_VMID0);
	push(9);
	memcpy(e, engine_ptr(&gpu, page), sizeof(e));
	assert_int_equal(e[4], 9);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, engine_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(an_interrupt_vector_has_the_layout_of_the_driver),
		TEST(pasid_given),
		TEST(ring_pointers_wrap_around),
		TEST(the_read_pointer_is_set_by_doorbell),
		TEST(a_full_ring_overflows),
		TEST(full_without_overflow),
		TEST(a_disabled_ring_drops_interrupts),
		TEST(bus_addresses),
		TEST(a_ring_in_read_only_memory_is_not_written),
		TEST(ring_above_a_terabyte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The SDMA engine: its ring and indirect buffers, the packets of the driver's
 * copies, page table updates and fences.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "engine.h"

#define RING_DWORDS	256
#define DOORBELL	0x1e0
#define SCRATCH		0xc040		/* SCRATCH_REG0, gc_10_3_0_offset.h */
#define USER_VMID	4
#define USER_VA		0x7fff00000000ULL
#define USER_PAGES	8

static u32 *ring, *mem;
static u64 *rptr;
static u64 wptr, mem_va;
static u8 *user[USER_PAGES];

static int setup(void **state)
{
	u64 offset, va;
	unsigned int i;

	engine_setup(state);
	offset = engine_alloc(&gpu, RING_DWORDS * 4);
	ring = engine_ptr(&gpu, offset);
	va = engine_mc(&gpu, offset);
	wptr = 0;
	/* sdma_v5_2_gfx_resume(), Linux 6.12 */
	engine_set_reg(&gpu, R_GRBM_SOFT_RESET, 0, 1 << 23);
	engine_set_reg(&gpu, R_GRBM_SOFT_RESET, 0, 0);
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_CNTL, 0, 8 << 1);
	for (i = 0; i < 2; i++) {
		engine_set_reg(&gpu, R_SDMA0_GFX_RB_RPTR, i, 0);
		engine_set_reg(&gpu, R_SDMA0_GFX_RB_WPTR, i, 0);
	}
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_BASE, 0, va >> 8);
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_BASE_HI, 0, va >> 40);
	offset = engine_alloc(&gpu, 4096);
	rptr = engine_ptr(&gpu, offset);
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_RPTR_ADDR_LO, 0,
		       LO(engine_mc(&gpu, offset)));
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_RPTR_ADDR_HI, 0,
		       HI(engine_mc(&gpu, offset)));
	engine_set_reg(&gpu, R_SDMA0_GFX_DOORBELL, 0, 1 << 28);
	engine_set_reg(&gpu, R_SDMA0_GFX_DOORBELL_OFFSET, 0, DOORBELL << 2);
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_CNTL, 0, 1 | 8 << 1 | 1 << 12);

	offset = engine_alloc(&gpu, 4096);
	mem = engine_ptr(&gpu, offset);
	mem_va = engine_mc(&gpu, offset);
	for (i = USER_PAGES; i-- > 0;) {
		offset = engine_alloc(&gpu, 4096);
		user[i] = engine_ptr(&gpu, offset);
		engine_map(&gpu, USER_VMID, USER_VA + i * 4096, offset);
	}
	return 0;
}

static void put(const u32 *dwords, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++, wptr += 4)
		ring[wptr / 4 % RING_DWORDS] = dwords[i];
}

#define PUT(...) do {							\
	const u32 dwords_[] = { __VA_ARGS__ };				\
									\
	put(dwords_, ARRAY_SIZE(dwords_));				\
} while (0)

static void commit(void)
{
	assert_true(vgpu_sdma_doorbell(&gpu, DOORBELL, wptr));
	engine_run(&gpu);
}

/* Run @dwords as an IB of the user, from its last page. */
static void run_ib(const u32 *dwords, u32 n)
{
	u64 va = USER_VA + (USER_PAGES - 1) * 4096;

	memcpy(user[USER_PAGES - 1], dwords, n * 4);
	PUT(4 | USER_VMID << 16, LO(va), HI(va), n, 0, 0);
	commit();
}

#define RUN_IB(...) do {						\
	const u32 ib_[] = { __VA_ARGS__ };				\
									\
	run_ib(ib_, ARRAY_SIZE(ib_));					\
} while (0)

static void ring_test(u32 value)
{
	PUT(2, LO(mem_va), HI(mem_va), 0, value);
	commit();
	assert_int_equal(mem[0], value);
}

static void ring_runs_and_wraps(void **state)
{
	u32 i;

	(void)state;
	for (i = 1; i <= 200; i++) {
		ring_test(i);
		assert_int_equal(*rptr, wptr);
	}
	assert_int_equal(*rptr, 4000);
	assert_int_equal(engine_reg(&gpu, R_SDMA0_GFX_RB_RPTR, 0), 4000);
	assert_int_equal(engine_reg(&gpu, R_SDMA0_GFX_RB_WPTR, 0), 4000);
}

static void wptr_by_register(void **state)
{
	(void)state;
	PUT(2, LO(mem_va), HI(mem_va), 0, 0x11);
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_WPTR, 0, LO(wptr));
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_WPTR, 1, HI(wptr));
	engine_run(&gpu);
	assert_int_equal(mem[0], 0x11);
	assert_false(vgpu_sdma_doorbell(&gpu, DOORBELL + 2, 0));
}

static void a_stopped_engine_executes_nothing(void **state)
{
	u32 cntl = vgpu_reg_load(&gpu, R_SDMA0_GFX_RB_CNTL, 0);

	(void)state;
	engine_set_reg(&gpu, R_SDMA0_F32_CNTL, 0, 1);
	PUT(2, LO(mem_va), HI(mem_va), 0, 0x22);
	commit();
	assert_int_equal(mem[0], 0);
	engine_set_reg(&gpu, R_SDMA0_F32_CNTL, 0, 0);
	engine_set_reg(&gpu, R_SDMA0_FREEZE, 0, 1 << 4);
	assert_int_equal(engine_reg(&gpu, R_SDMA0_FREEZE, 0), 3 << 4);
	engine_run(&gpu);
	assert_int_equal(mem[0], 0);
	engine_set_reg(&gpu, R_SDMA0_FREEZE, 0, 0);
	assert_int_equal(engine_reg(&gpu, R_SDMA0_FREEZE, 0), 0);
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_CNTL, 0, cntl & ~1U);
	engine_run(&gpu);
	assert_int_equal(mem[0], 0);
	assert_int_equal(engine_reg(&gpu, R_SDMA0_STATUS_REG, 0) & 1, 0);
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_CNTL, 0, cntl);
	engine_run(&gpu);
	assert_int_equal(mem[0], 0x22);
	assert_int_equal(engine_reg(&gpu, R_SDMA0_STATUS_REG, 0) & 1, 1);
}

static void nops(void **state)
{
	(void)state;
	PUT(0, 0 | 3 << 16, ~0U, ~0U, ~0U, 0);
	ring_test(0x33);
}

static void copies_cross_pages(void **state)
{
	u64 src = USER_VA + 100, dst = USER_VA + 4 * 4096 + 3000;
	u32 i;

	(void)state;
	for (i = 0; i < 2 * 4096; i++)
		user[i / 4096][i % 4096] = i * 3 + (i >> 9);
	RUN_IB(1, 5000 - 1, 0, LO(src), HI(src), LO(dst), HI(dst), 0);
	for (i = 0; i < 5000; i++)
		assert_int_equal(user[4 + (3000 + i) / 4096][(3000 + i) % 4096],
				 user[(100 + i) / 4096][(100 + i) % 4096]);
	assert_int_equal(user[4][2999], 0);
	assert_int_equal(user[5][3000 + 5000 - 4096], 0);
}

static void long_copies_come_in_pieces(void **state)
{
	u64 a = engine_alloc(&gpu, 0x400000), b = engine_alloc(&gpu, 0x400000);
	u64 src = engine_mc(&gpu, a), dst = engine_mc(&gpu, b);
	u32 *from = engine_ptr(&gpu, a);
	u32 i;

	(void)state;
	for (i = 0; i < 0x100000; i++)
		from[i] = i * 2654435761U;
	PUT(1, 0x400000 - 1, 0, LO(src), HI(src), LO(dst), HI(dst));
	assert_true(vgpu_sdma_doorbell(&gpu, DOORBELL, wptr));
	/* The host is not kept waiting: more than one turn */
	assert_true(vgpu_sdma_run(&gpu));
	assert_int_equal(*rptr, 0);
	assert_false(vgpu_sdma_polling(&gpu));
	engine_run(&gpu);
	assert_memory_equal(from, engine_ptr(&gpu, b), 0x400000);
	assert_int_equal(*rptr, wptr);
}

static void fill(void **state)
{
	u64 dst = USER_VA + 4096 - 8;

	(void)state;
	RUN_IB(11 | 2U << 30, LO(dst), HI(dst), 0x01020304, 16 - 1, 0, 0, 0);
	assert_int_equal(user[0][4096 - 8], 4);
	assert_int_equal(user[0][4096 - 1], 1);
	assert_int_equal(user[1][7], 1);
	assert_int_equal(user[1][8], 0);
}

static void write_with_much_data(void **state)
{
	u64 va = USER_VA + 4096 - 12;
	u32 ib[4 + 40] = { 2, LO(va), HI(va), 40 - 1 };
	u32 i;

	(void)state;
	for (i = 0; i < 40; i++)
		ib[4 + i] = 0x1000 + i;
	run_ib(ib, 44);
	assert_memory_equal(user[0] + 4096 - 12, ib + 4, 12);
	assert_memory_equal(user[1], ib + 7, 37 * 4);
	assert_int_equal(user[1][37 * 4], 0);
}

/* Entries for pages of VRAM, as sdma_v5_2_vm_set_pte_pde() makes them */
static void page_table_entries(void **state)
{
	u64 *entries = (u64 *)mem;

	(void)state;
	PUT(12, LO(mem_va + 8), HI(mem_va), 0x71, 0x00100000, 0x200000, 0,
	    4096, 0, 3 - 1);
	commit();
	assert_int_equal(entries[0], 0);
	assert_int_equal(entries[1], 0x0010000000200071);
	assert_int_equal(entries[2], 0x0010000000201071);
	assert_int_equal(entries[3], 0x0010000000202071);
	assert_int_equal(entries[4], 0);
}

static void new_entries_count_after_the_flush(void **state)
{
	u64 other = engine_alloc(&gpu, 4096), old = engine_alloc(&gpu, 4096);
	u64 va = USER_VA + 4096;
	u32 *now = engine_ptr(&gpu, other);
	u32 req = gpu.profile->regs[R_GCVM_INVALIDATE_ENG0_REQ];
	u32 ack = gpu.profile->regs[R_GCVM_INVALIDATE_ENG0_ACK];

	(void)state;
	RUN_IB(2, LO(va), HI(va), 0, 1, 0, 0, 0);
	engine_map(&gpu, USER_VMID, va, other);
	RUN_IB(2, LO(va), HI(va), 0, 2, 0, 0, 0);
	assert_int_equal(*(u32 *)user[1], 2);
	/* GPUVM_INV of another VMID, then emit_reg_write_reg_wait() */
	PUT(16, 1 << (USER_VMID + 1), 0, 0);
	RUN_IB(2, LO(va), HI(va), 0, 2, 0, 0, 0);
	assert_int_equal(now[0], 0);
	PUT(14 | 0xfU << 28, req, 0x00f80000 | 1 << USER_VMID);
	PUT(8 | 3 << 28, req << 2, 0, 0, 0, 0x0fff000a);
	PUT(8 | 3 << 28, ack << 2, 0, 1 << USER_VMID, 1 << USER_VMID,
	    0x0fff000a);
	RUN_IB(2, LO(va), HI(va), 0, 3, 0, 0, 0);
	assert_int_equal(*(u32 *)user[1], 2);
	assert_int_equal(now[0], 3);
	/*
	 * VM_INVALIDATION, which asks and waits at once: sdma_v5_2_ring_emit_vm_flush() of
	 * Linux 7.2, with engine 13
	 */
	engine_map(&gpu, USER_VMID, va, old);
	PUT(8 | 4 << 8 | 0x0d << 16 | 0x1f << 24, 0x00f80000 | 1 << (USER_VMID + 1), ~0U,
	    1 << (USER_VMID + 1 + 16) | 0x1f);
	RUN_IB(2, LO(va), HI(va), 0, 4, 0, 0, 0);
	assert_int_equal(now[0], 4);
	PUT(8 | 4 << 8 | 0x0d << 16 | 0x1f << 24, 0x00f80000 | 1 << USER_VMID, ~0U,
	    1U << (USER_VMID + 16) | 0x1f);
	RUN_IB(2, LO(va), HI(va), 0, 5, 0, 0, 0);
	assert_int_equal(now[0], 4);
	assert_int_equal(*(u32 *)engine_ptr(&gpu, old), 5);
}

static void fence_and_trap(void **state)
{
	u32 iv[8];

	(void)state;
	PUT(5 | 3 << 16, LO(mem_va), HI(mem_va), 0x44);
	PUT(6, 0x123);
	commit();
	assert_int_equal(mem[0], 0x44);
	assert_int_equal(mem[1], 0);
	assert_true(engine_iv(&gpu, iv));
	assert_int_equal(iv[0] & 0xffffff, 8 | 224 << 8);
	assert_int_equal(iv[4], 0x123);
	assert_false(engine_iv(&gpu, iv));
}

static void poll_memory(void **state)
{
	(void)state;
	PUT(8 | 3 << 28 | 1U << 31, LO(mem_va + 4), HI(mem_va), 7, 0xff,
	    0x0fff0004);
	PUT(2, LO(mem_va), HI(mem_va), 0, 1);
	commit();
	assert_int_equal(mem[0], 0);
	assert_true(vgpu_sdma_polling(&gpu));
	assert_false(vgpu_sdma_run(&gpu));
	mem[1] = 0x107;
	engine_run(&gpu);
	assert_int_equal(mem[0], 1);
	assert_false(vgpu_sdma_polling(&gpu));
}

static void poll_register(void **state)
{
	(void)state;
	PUT(8 | 5 << 28, SCRATCH << 2, 0, 7, ~0U, 0x0fff0004);
	PUT(2, LO(mem_va), HI(mem_va), 0, 1);
	commit();
	assert_int_equal(mem[0], 0);
	vgpu_reg_engine_write(&gpu, SCRATCH, 8);
	engine_run(&gpu);
	assert_int_equal(mem[0], 1);
}

static void cond_exe(void **state)
{
	u32 cond;

	(void)state;
	for (cond = 0; cond < 2; cond++) {
		mem[0] = cond;
		mem[1] = 0;
		mem[2] = 0;
		PUT(9, LO(mem_va), HI(mem_va), 1, 4);
		PUT(5, LO(mem_va + 4), HI(mem_va), 1);
		PUT(5, LO(mem_va + 8), HI(mem_va), 1);
		commit();
		assert_int_equal(mem[1], cond);
		assert_int_equal(mem[2], 1);
	}
}

static void atomics(void **state)
{
	(void)state;
	mem[0] = 5;
	mem[2] = 7;
	/* add 32, then swap 64 */
	PUT(10 | 0x4fU << 25, LO(mem_va), HI(mem_va), 3, 0, 0, 0, 0);
	PUT(10 | 0x67U << 25, LO(mem_va + 8), HI(mem_va), 1, 2, 0, 0, 0);
	commit();
	assert_int_equal(mem[0], 8);
	assert_int_equal(mem[1], 0);
	assert_int_equal(mem[2], 1);
	assert_int_equal(mem[3], 2);
}

static void time_stamps(void **state)
{
	u64 before = vgpu_clock(), *val = (u64 *)mem;

	(void)state;
	PUT(13 | 2 << 8, LO(mem_va), HI(mem_va));
	commit();
	assert_true(val[0] >= before && val[0] <= vgpu_clock());
	PUT(13, 1000, 0);
	PUT(13 | 1 << 8, LO(mem_va), HI(mem_va));
	commit();
	/* less than a second has passed since it was set to 1000 */
	assert_true(val[0] >= 1000 && val[0] < 100000000);
}

static void register_writes(void **state)
{
	(void)state;
	vgpu_reg_engine_write(&gpu, SCRATCH, 0x11223344);
	PUT(14 | 0x5U << 28, SCRATCH, 0xaabbccdd);
	commit();
	assert_int_equal(vgpu_reg_engine_read(&gpu, SCRATCH), 0x11bb33dd);
	PUT(17, 0, 0xc3a10000, 0, 0);
	ring_test(0x55);
}

static void users_reach_no_register(void **state)
{
	(void)state;
	RUN_IB(14 | 0xfU << 28, SCRATCH, 1, 0, 0, 0, 0, 0);
	engine_expect(&gpu, VGPU_BAD_REGISTER, 1);
	assert_int_equal(vgpu_reg_engine_read(&gpu, SCRATCH), 0);
}

static void sub_window(void **state)
{
	/* 4-byte elements: 2 x 2 out of 8 wide at (1, 1) to 4 wide at (2, 0) */
	u32 y, x;

	(void)state;
	for (y = 0; y < 4; y++)
		for (x = 0; x < 8; x++)
			mem[y * 8 + x] = 16 * y + x;
	PUT(1 | 4 << 8 | 2U << 29, LO(mem_va), HI(mem_va), 1 | 1 << 16,
	    7 << 13, 31, LO(mem_va + 1024), HI(mem_va), 2, 3 << 13, 15,
	    1 | 1 << 16, 0);
	commit();
	assert_int_equal(mem[256 + 1], 0);
	assert_int_equal(mem[256 + 2], 0x11);
	assert_int_equal(mem[256 + 3], 0x12);
	assert_int_equal(mem[256 + 4], 0);
	assert_int_equal(mem[256 + 6], 0x21);
	assert_int_equal(mem[256 + 7], 0x22);
}

static void faulting_copy_is_dropped(void **state)
{
	u64 nowhere = USER_VA + 0x10000000;

	(void)state;
	RUN_IB(1, 99, 0, LO(nowhere), HI(nowhere), LO(USER_VA), HI(USER_VA), 0);
	engine_expect(&gpu, VGPU_BAD_VM_FAULT, 1);
	ring_test(0x66);
}

static void unknown_packet_stops_until_reset(void **state)
{
	(void)state;
	PUT(0x42, 0, 0, 0);
	PUT(5, LO(mem_va), HI(mem_va), 1);
	commit();
	engine_expect(&gpu, VGPU_BAD_PACKET, 1);
	assert_int_equal(mem[0], 0);
	/* amdgpu_sdma_reset_engine(): the ring continues where it was written to */
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_CNTL, 0, 8 << 1 | 1 << 12);
	engine_set_reg(&gpu, R_GRBM_SOFT_RESET, 0, 1 << 23);
	engine_set_reg(&gpu, R_GRBM_SOFT_RESET, 0, 0);
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_RPTR, 0, LO(wptr));
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_WPTR, 0, LO(wptr));
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_CNTL, 0, 1 | 8 << 1 | 1 << 12);
	engine_run(&gpu);
	ring_test(0x77);
}

static void an_incomplete_packet_waits_for_its_rest(void **state)
{
	(void)state;
	PUT(2, LO(mem_va));
	commit();
	assert_int_equal(mem[0], 0);
	PUT(HI(mem_va), 1, 0x88);
	commit();
	assert_int_equal(mem[0], 0);
	PUT(0x99);
	commit();
	assert_int_equal(mem[0], 0x88);
	assert_int_equal(mem[1], 0x99);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, engine_teardown)

/* What the host waits for at most: 64 KiB, and what begins before they are done */
#define TURN_BYTES	(2 * 65536)

static u32 *big;
static u64 big_va;

static void big_memory(u32 size)
{
	u64 offset = engine_alloc(&gpu, size);

	big = engine_ptr(&gpu, offset);
	big_va = engine_mc(&gpu, offset);
}

/* Bytes in dwords that are not 0, of @size, after one turn */
static u32 after_a_turn(u32 size)
{
	u32 i, n = 0;

	assert_true(vgpu_sdma_doorbell(&gpu, DOORBELL, wptr));
	assert_true(vgpu_sdma_run(&gpu));
	for (i = 0; i < size / 4; i++)
		n += big[i] ? 4 : 0;
	return n;
}

static void a_long_write_takes_turns(void **state)
{
	const u32 size = 1 << 20, n = size / 4 + 4;
	u64 offset, va;
	u32 *ib, i;

	(void)state;
	big_memory(size);
	offset = engine_alloc(&gpu, n * 4);
	va = engine_mc(&gpu, offset);
	ib = engine_ptr(&gpu, offset);
	memcpy(ib, (u32[]){ 2, LO(big_va), HI(big_va), size / 4 - 1 }, 16);
	for (i = 4; i < n; i++)
		ib[i] = i;
	PUT(4, LO(va), HI(va), n, 0, 0);
	assert_in_range(after_a_turn(size), 4, TURN_BYTES);
	engine_run(&gpu);
	assert_memory_equal(big, ib + 4, size);
}

static void many_entries_take_turns(void **state)
{
	const u32 size = 1 << 20;
	u64 *entries;
	u32 i;

	(void)state;
	big_memory(size);
	entries = (u64 *)big;
	PUT(12, LO(big_va), HI(big_va), 0x71, 0, 0x1000, 0, 0x1000, 0,
	    size / 8 - 1);
	assert_in_range(after_a_turn(size), 4, TURN_BYTES);
	engine_run(&gpu);
	for (i = 0; i < size / 8; i++)
		assert_int_equal(entries[i], (i + 1ULL) << 12 | 0x71);
}

/* CONST_FILL of 64 KiB each: one at a time is short, all of them are not. */
static void many_packets_take_turns(void **state)
{
	const u32 size = 1 << 20;
	u32 i;

	(void)state;
	big_memory(size);
	for (i = 0; i < 16; i++)
		PUT(11 | 2U << 30, LO(big_va + i * 65536), HI(big_va), 1,
		    65536 - 1);
	assert_in_range(after_a_turn(size), 4, TURN_BYTES);
	engine_run(&gpu);
	for (i = 0; i < size / 4; i++)
		assert_int_equal(big[i], 1);
}

/* Rows of a byte each: one takes as long as many bytes of a row. */
static void many_rows_take_turns(void **state)
{
	const u32 size = 1 << 20;

	(void)state;
	big_memory(size);
	memset(mem, 1, 4096);
	/* 1 x 4096, of rows that follow each other, to one with a pitch of 64 */
	PUT(1 | 4 << 8, LO(mem_va), HI(mem_va), 0, 0, 0, LO(big_va),
	    HI(big_va), 0, 63 << 13, 0, (4096 - 1) << 16, 0);
	assert_in_range(after_a_turn(size), 4, 1024 * 4);
	engine_run(&gpu);
	assert_int_equal(big[4095 * 16], 1);
}

/* The ring is new then: nothing of the packet's length is left in it. */
static void a_packet_may_reset_the_engine(void **state)
{
	(void)state;
	PUT(14 | 0xfU << 28, gpu.profile->regs[R_GRBM_SOFT_RESET], 1 << 23);
	commit();
	assert_int_equal(engine_reg(&gpu, R_SDMA0_GFX_RB_RPTR, 0), 0);
	assert_int_equal(engine_reg(&gpu, R_SDMA0_GFX_RB_WPTR, 0), 0);
}

/* A copy that takes two turns at least, of which the first has been */
static void begin_copy(u64 dst, u32 size)
{
	wptr = 0;
	PUT(1, size - 1, 0, LO(dst + size), HI(dst), LO(dst), HI(dst));
	assert_true(vgpu_sdma_doorbell(&gpu, DOORBELL, wptr));
	assert_true(vgpu_sdma_run(&gpu));
	assert_true(gpu.sdma->progress > 0 && gpu.sdma->progress < size);
}

/* sdma_v5_2_gfx_stop() and sdma_v5_2_gfx_resume() (Linux 6.12) while a packet is half done */
static void a_new_ring_begins_with_its_first_packet(void **state)
{
	u32 cntl = vgpu_reg_load(&gpu, R_SDMA0_GFX_RB_CNTL, 0), size = 0x40000;
	u64 offset = engine_alloc(&gpu, 2 * size);
	u64 va = engine_mc(&gpu, offset);
	u8 *dst = engine_ptr(&gpu, offset);
	unsigned int i;

	(void)state;
	begin_copy(va, size);
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_CNTL, 0, cntl & ~1U);
	for (i = 0; i < 2; i++) {
		engine_set_reg(&gpu, R_SDMA0_GFX_RB_RPTR, i, 0);
		engine_set_reg(&gpu, R_SDMA0_GFX_RB_WPTR, i, 0);
	}
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_CNTL, 0, cntl);
	memset(dst, 0, size);
	memset(dst + size, 0x5a, size);
	wptr = 0;
	PUT(1, size - 1, 0, LO(va + size), HI(va), LO(va), HI(va));
	commit();
	assert_memory_equal(dst, dst + size, size);

	/* The same with the base alone, and with the read pointer alone */
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_RPTR, 0, 0);
	begin_copy(va, size);
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_CNTL, 0, cntl & ~1U);
	memset(dst, 0, size);
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_CNTL, 0, cntl);
	engine_run(&gpu);
	assert_memory_equal(dst, dst + size, size);
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_RPTR, 0, 0);
	begin_copy(va, size);
	memset(dst, 0, size);
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_RPTR, 0, 0);
	engine_run(&gpu);
	assert_memory_equal(dst, dst + size, size);
}

/* What the engine polled for went with the packet. */
static void a_poll_can_be_taken_back_by_the_write_pointer(void **state)
{
	u64 before = wptr;

	(void)state;
	PUT(8 | 3 << 28 | 1U << 31, LO(mem_va + 4), HI(mem_va), 7, 0xff,
	    0x0fff0004);
	commit();
	assert_true(vgpu_sdma_polling(&gpu));
	wptr = before;
	commit();
	assert_false(vgpu_sdma_polling(&gpu));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(ring_runs_and_wraps),
		TEST(wptr_by_register),
		TEST(a_stopped_engine_executes_nothing),
		TEST(nops),
		TEST(copies_cross_pages),
		TEST(long_copies_come_in_pieces),
		TEST(fill),
		TEST(write_with_much_data),
		TEST(page_table_entries),
		TEST(new_entries_count_after_the_flush),
		TEST(fence_and_trap),
		TEST(poll_memory),
		TEST(poll_register),
		TEST(cond_exe),
		TEST(atomics),
		TEST(time_stamps),
		TEST(register_writes),
		TEST(users_reach_no_register),
		TEST(sub_window),
		TEST(faulting_copy_is_dropped),
		TEST(unknown_packet_stops_until_reset),
		TEST(an_incomplete_packet_waits_for_its_rest),
		TEST(a_long_write_takes_turns),
		TEST(many_entries_take_turns),
		TEST(many_packets_take_turns),
		TEST(many_rows_take_turns),
		TEST(a_packet_may_reset_the_engine),
		TEST(a_new_ring_begins_with_its_first_packet),
		TEST(a_poll_can_be_taken_back_by_the_write_pointer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * PM4 packets: data, waits, fences, registers and their privileges, indirect
 * buffers, dispatches.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "engine.h"

#define SCRATCH		0xc040		/* SCRATCH_REG0, gc_10_3_0_offset.h */
#define SCRATCH1	0xc041
#define USER_VMID	3
#define USER_VA		0x7f0000200000ULL
#define USER_PAGES	4

static struct ring kiq, comp, gfx;
static u64 mem_va;			/* a page of VMID 0 */
static u32 *mem;
static u32 *user[USER_PAGES];		/* pages at USER_VA, far apart */

static int setup(void **state)
{
	u64 offset;
	unsigned int i;

	engine_setup(state);
	ring_init(&kiq, &gpu, (struct vgpu_queue_id){ 2, 1, 0 }, 1024, 0);
	ring_init(&comp, &gpu, (struct vgpu_queue_id){ 1, 3, 1 }, 1024, 6);
	ring_init(&gfx, &gpu, (struct vgpu_queue_id){ 0, 0, 0 }, 1024, 0x116);
	ring_start_kiq(&kiq);
	ring_map(&comp, &kiq);
	ring_map(&gfx, &kiq);
	offset = engine_alloc(&gpu, 4096);
	mem = engine_ptr(&gpu, offset);
	mem_va = engine_mc(&gpu, offset);
	for (i = 0; i < USER_PAGES; i++) {
		/* From the last to the first: not next to each other */
		offset = engine_alloc(&gpu, 4096);
		user[USER_PAGES - 1 - i] = engine_ptr(&gpu, offset);
		engine_map(&gpu, USER_VMID,
			   USER_VA + (USER_PAGES - 1 - i) * 4096ULL, offset);
	}
	return 0;
}

/* Run @dwords as an IB of the user. */
static void run_ib(struct ring *r, const u32 *dwords, u32 n)
{
	memcpy(user[0], dwords, n * 4);
	RING_PUT(r, PM4(0x3f, 3), LO(USER_VA), HI(USER_VA),
		 n | 1 << 23 | USER_VMID << 24);
	ring_commit(r);
}

#define RUN_IB(r, ...) do {						\
	const u32 ib_[] = { __VA_ARGS__ };				\
									\
	run_ib((r), ib_, ARRAY_SIZE(ib_));				\
} while (0)

static u32 scratch(void)
{
	return vgpu_reg_engine_read(&gpu, SCRATCH);
}

static void write_data(void **state)
{
	(void)state;
	RING_PUT(&comp, PM4(0x37, 6), 5 << 8 | 1 << 20, LO(mem_va), HI(mem_va),
		 1, 2, 3);
	/* all to one address */
	RING_PUT(&comp, PM4(0x37, 5), 5 << 8 | 1 << 16, LO(mem_va + 16),
		 HI(mem_va), 4, 5);
	/* registers */
	RING_PUT(&comp, PM4(0x37, 5), 0, SCRATCH, 0, 6, 7);
	ring_commit(&comp);
	assert_int_equal(mem[0], 1);
	assert_int_equal(mem[1], 2);
	assert_int_equal(mem[2], 3);
	assert_int_equal(mem[3], 0);
	assert_int_equal(mem[4], 5);
	assert_int_equal(mem[5], 0);
	assert_int_equal(scratch(), 6);
	assert_int_equal(vgpu_reg_engine_read(&gpu, SCRATCH1), 7);
	RING_PUT(&comp, PM4(0x37, 4), 3 << 8, 0, 0, 1);
	ring_commit(&comp);
	engine_expect(&gpu, VGPU_BAD_PACKET, 1);
}

static void write_data_across_pages(void **state)
{
	u64 va = USER_VA + 2 * 4096 - 4;

	(void)state;
	RUN_IB(&comp, PM4(0x37, 5), 5 << 8, LO(va), HI(va), 0x11, 0x22);
	assert_int_equal(user[1][1023], 0x11);
	assert_int_equal(user[2][0], 0x22);
}

static void copy_data(void **state)
{
	u64 before = vgpu_clock(), now;

	(void)state;
	mem[0] = 0x12345678;
	mem[1] = 0x9abcdef0;
	/* memory to memory, 64 bits */
	RING_PUT(&comp, PM4(0x40, 5), 2 | 5 << 8 | 1 << 16, LO(mem_va),
		 HI(mem_va), LO(mem_va + 8), HI(mem_va));
	/* immediate to register, then register to memory (emit_rreg) */
	RING_PUT(&comp, PM4(0x40, 5), 5, 0xcafe, 0, SCRATCH, 0);
	RING_PUT(&comp, PM4(0x40, 5), 0 | 5 << 8 | 1 << 20, SCRATCH, 0,
		 LO(mem_va + 16), HI(mem_va));
	/* the clock */
	RING_PUT(&comp, PM4(0x40, 5), 9 | 5 << 8 | 1 << 16, 0, 0,
		 LO(mem_va + 24), HI(mem_va));
	ring_commit(&comp);
	assert_int_equal(mem[2], 0x12345678);
	assert_int_equal(mem[3], 0x9abcdef0);
	assert_int_equal(mem[4], 0xcafe);
	assert_int_equal(mem[5], 0);
	now = make_64(mem[7], mem[6]);
	assert_true(now >= before && now <= vgpu_clock());
}

static void dma_data(void **state)
{
	u64 far = engine_alloc(&gpu, 300000), to = engine_alloc(&gpu, 300000);
	u8 *a = engine_ptr(&gpu, far), *b = engine_ptr(&gpu, to);
	u64 src = engine_mc(&gpu, far), dst = engine_mc(&gpu, to);
	u32 i;

	(void)state;
	for (i = 0; i < 300000; i++)
		a[i] = i * 7 + (i >> 8);
	/* longer than what is done at a time, and not a multiple of 4 */
	RING_PUT(&comp, PM4(0x50, 6), 1U << 31, LO(src), HI(src), LO(dst),
		 HI(dst), 250001);
	ring_commit(&comp);
	assert_memory_equal(a, b, 250001);
	assert_int_equal(b[250001], 0);
	/* fill */
	RING_PUT(&comp, PM4(0x50, 6), 2U << 29, 0xa5a5a5a5, 0, LO(mem_va),
		 HI(mem_va), 12);
	ring_commit(&comp);
	assert_int_equal(mem[2], 0xa5a5a5a5);
	assert_int_equal(mem[3], 0);
	/* prefetch: to nowhere */
	RING_PUT(&comp, PM4(0x50, 6), 2U << 20, LO(mem_va), HI(mem_va),
		 LO(mem_va), HI(mem_va), 4096);
	ring_commit(&comp);
}

static void atomic_mem(void **state)
{
	(void)state;
	mem[0] = 0xffffffff;
	mem[1] = 5;
	/* 64-bit add, then the old value by COPY_DATA */
	RING_PUT(&comp, PM4(0x1e, 8), 0x2f, LO(mem_va), HI(mem_va), 1, 0, 0, 0,
		 0);
	RING_PUT(&comp, PM4(0x40, 5), 6 | 5 << 8 | 1 << 16, 0, 0,
		 LO(mem_va + 8), HI(mem_va));
	ring_commit(&comp);
	assert_int_equal(mem[0], 0);
	assert_int_equal(mem[1], 6);
	assert_int_equal(mem[2], 0xffffffff);
	assert_int_equal(mem[3], 5);
	/* compare and swap until it was 9 */
	mem[4] = 8;
	RING_PUT(&comp, PM4(0x1e, 8), 0x08 | 1 << 8, LO(mem_va + 16),
		 HI(mem_va), 1, 0, 9, 0, 0);
	ring_commit(&comp);
	assert_int_equal(mem[4], 8);
	assert_true(vgpu_cp_polling(&gpu));
	mem[4] = 9;
	engine_run(&gpu);
	assert_int_equal(mem[4], 1);
	assert_false(vgpu_cp_polling(&gpu));
}

static void wait_functions(void **state)
{
	/* value 5 against 4, 5, 6: does it pass? */
	static const bool pass[7][3] = {
		{ true, true, true }, { false, false, true },
		{ false, true, true }, { false, true, false },
		{ true, false, true }, { true, true, false },
		{ true, false, false },
	};
	u32 f, i;

	(void)state;
	for (f = 0; f < 7; f++) {
		for (i = 0; i < 3; i++) {
			mem[0] = 5;
			mem[1] = 0;
			RING_PUT(&comp, PM4(0x3c, 6), f | 1 << 4, LO(mem_va),
				 HI(mem_va), 4 + i, ~0U, 4);
			RING_PUT(&comp, PM4(0x37, 4), 5 << 8, LO(mem_va + 4),
				 HI(mem_va), 1);
			ring_commit(&comp);
			assert_int_equal(mem[1], pass[f][i]);
			/* let it pass: the reference, or one beside it */
			mem[0] = f == 1 ? 0 : f == 4 || f == 6 ? 100 : 4 + i;
			engine_run(&gpu);
			assert_int_equal(mem[1], 1);
		}
	}
}

static void wait_64(void **state)
{
	(void)state;
	mem[0] = 1;
	RING_PUT(&comp, PM4(0x93, 8), 3 | 1 << 4, LO(mem_va), HI(mem_va), 1, 2,
		 ~0U, ~0U, 4);
	RING_PUT(&comp, PM4(0x79, 2), SCRATCH - 0xc000, 1);
	ring_commit(&comp);
	assert_int_equal(scratch(), 0);
	mem[1] = 2;
	engine_run(&gpu);
	assert_int_equal(scratch(), 1);
}

/* The TLB flush of the driver's rings: write the request, wait for the ack. */
static void write_wait_write(void **state)
{
	u32 req = gpu.profile->regs[R_GCVM_INVALIDATE_ENG0_REQ] + 17;
	u32 ack = gpu.profile->regs[R_GCVM_INVALIDATE_ENG0_ACK] + 17;

	(void)state;
	RING_PUT(&kiq, PM4(0x3c, 6), 0x43, req, ack, 0x00f80001, 1, 0x20);
	RING_PUT(&kiq, PM4(0x79, 2), SCRATCH - 0xc000, 1);
	ring_commit(&kiq);
	assert_int_equal(vgpu_reg_engine_read(&gpu, req), 0x00f80001);
	assert_int_equal(scratch(), 1);
}

static void wait_for_a_register(void **state)
{
	(void)state;
	RING_PUT(&comp, PM4(0x3c, 6), 3, SCRATCH1, 0, 7, ~0U, 4);
	RING_PUT(&comp, PM4(0x79, 2), SCRATCH - 0xc000, 1);
	ring_commit(&comp);
	assert_int_equal(scratch(), 0);
	/* Nothing that only the guest's CPU can change */
	assert_false(vgpu_cp_polling(&gpu));
	vgpu_reg_engine_write(&gpu, SCRATCH1, 7);
	engine_run(&gpu);
	assert_int_equal(scratch(), 1);
}

static void release_mem(void **state)
{
	u64 before = vgpu_clock();
	u32 iv[8];

	(void)state;
	/* as gfx_v10_0_ring_emit_fence(): 32 bits, interrupt */
	RING_PUT(&comp, PM4(0x49, 7), 0x06603514, 1U << 29 | 2 << 24,
		 LO(mem_va), HI(mem_va), 0x1234, 0x5678, 0);
	ring_commit(&comp);
	assert_int_equal(mem[0], 0x1234);
	assert_int_equal(mem[1], 0);
	assert_true(engine_iv(&gpu, iv));
	assert_int_equal(iv[0] & 0xffff, 0x14 | 181 << 8);
	/* me 1, pipe 3, queue 1 */
	assert_int_equal(iv[0] >> 16 & 0xff, 1 << 2 | 3 | 1 << 4);
	/* 64 bits, no interrupt; then a time stamp; then only an interrupt */
	RING_PUT(&comp, PM4(0x49, 7), 0x514, 2U << 29, LO(mem_va), HI(mem_va),
		 0x1111, 0x2222, 0);
	RING_PUT(&comp, PM4(0x49, 7), 0x514, 3U << 29, LO(mem_va + 8),
		 HI(mem_va), 0, 0, 0);
	ring_commit(&comp);
	assert_int_equal(mem[0], 0x1111);
	assert_int_equal(mem[1], 0x2222);
	assert_true(make_64(mem[3], mem[2]) >= before);
	assert_false(engine_iv(&gpu, iv));
	RING_PUT(&gfx, PM4(0x49, 7), 0x514, 1 << 24, 0, 0, 0, 0, 0xabc);
	ring_commit(&gfx);
	assert_true(engine_iv(&gpu, iv));
	assert_int_equal(iv[0] >> 16 & 0xff, 0);
	assert_int_equal(iv[4], 0xabc);
}

static void registers_and_their_ranges(void **state)
{
	(void)state;
	RING_PUT(&gfx, PM4(0x69, 3), 0x10, 0x11, 0x22);
	RING_PUT(&gfx, PM4(0x68, 2), 0xe8, 0x33);
	RING_PUT(&gfx, PM4(0x76, 2), 0x20c, 0x44);
	RING_PUT(&gfx, PM4(0x9b, 2), 0x216 | 3U << 28, 0x55);
	ring_commit(&gfx);
	assert_int_equal(vgpu_reg_engine_read(&gpu, 0xa010), 0x11);
	assert_int_equal(vgpu_reg_engine_read(&gpu, 0xa011), 0x22);
	assert_int_equal(vgpu_reg_engine_read(&gpu, 0x20e8), 0x33);
	assert_int_equal(vgpu_reg_engine_read(&gpu, 0x2e0c), 0x44);
	assert_int_equal(vgpu_reg_engine_read(&gpu, 0x2e16), 0x55);
	/* past the end of the range */
	RING_PUT(&gfx, PM4(0x69, 3), 0x3ff, 0x66, 0x77);
	ring_commit(&gfx);
	engine_expect(&gpu, VGPU_BAD_REGISTER, 1);
	assert_int_equal(vgpu_reg_engine_read(&gpu, 0xa3ff), 0);
}

static void context_registers_need_a_graphics_queue(void **state)
{
	(void)state;
	RING_PUT(&comp, PM4(0x69, 2), 0x10, 0x11);
	ring_commit(&comp);
	engine_expect(&gpu, VGPU_BAD_PACKET, 1);
	assert_int_equal(vgpu_reg_engine_read(&gpu, 0xa010), 0);
}

static void users_reach_no_privileged_register(void **state)
{
	u32 dword = gpu.profile->regs[R_GRBM_GFX_CNTL];
	u32 iv[8];

	(void)state;
	RUN_IB(&comp, PM4(0x79, 2), SCRATCH - 0xc000, 1,
	       PM4(0x37, 4), 0, dword, 0, 0x70,
	       PM4(0x79, 2), SCRATCH - 0xc000, 2);
	engine_expect(&gpu, VGPU_BAD_REGISTER, 1);
	assert_int_equal(vgpu_reg_engine_read(&gpu, dword), 0);
	assert_true(engine_iv(&gpu, iv));
	assert_int_equal(iv[0] & 0xffff, 0x14 | 184 << 8);
	assert_int_equal(iv[0] >> 16 & 0xff, 1 << 2 | 3 | 1 << 4);
	/* The queue has stopped there. */
	assert_int_equal(scratch(), 1);
}

static void users_read_no_privileged_register(void **state)
{
	u32 dword = gpu.profile->regs[R_RLC_CP_SCHEDULERS];

	(void)state;
	RUN_IB(&comp, PM4(0x40, 5), 0 | 5 << 8, dword, 0, LO(USER_VA + 4096),
	       HI(USER_VA));
	engine_expect(&gpu, VGPU_BAD_REGISTER, 1);
	assert_int_equal(user[1][0], 0);
}

static void ib_in_its_vmid(void **state)
{
	u64 va = USER_VA + 4096;

	(void)state;
	RUN_IB(&comp, PM4(0x37, 4), 5 << 8 | 1 << 20, LO(va), HI(va),
	       0xdeadbeef);
	assert_int_equal(user[1][0], 0xdeadbeef);
}

static void ibs_nest_and_keep_the_vmid(void **state)
{
	u64 second = USER_VA + 4096, out = USER_VA + 2 * 4096;
	static const u32 mark[] = { PM4(0x37, 4), 5 << 8, 0, 0, 0x22 };

	(void)state;
	memcpy(user[1], mark, sizeof(mark));
	user[1][2] = LO(out + 4);
	user[1][3] = HI(out);
	/* The VMID field of the nested packet is not looked at. */
	RUN_IB(&comp, PM4(0x37, 4), 5 << 8, LO(out), HI(out), 0x11,
	       PM4(0x3f, 3), LO(second), HI(second), 5 | 1 << 23,
	       PM4(0x37, 4), 5 << 8, LO(out + 8), HI(out), 0x33);
	assert_int_equal(user[2][0], 0x11);
	assert_int_equal(user[2][1], 0x22);
	assert_int_equal(user[2][2], 0x33);
}

static void ibs_chain(void **state)
{
	u64 second = USER_VA + 4096, out = USER_VA + 2 * 4096;
	static const u32 mark[] = { PM4(0x37, 4), 5 << 8, 0, 0, 0x22 };

	(void)state;
	memcpy(user[1], mark, sizeof(mark));
	user[1][2] = LO(out + 4);
	user[1][3] = HI(out);
	RUN_IB(&comp, PM4(0x3f, 3), LO(second), HI(second),
	       5 | 1 << 20 | 1 << 23,
	       PM4(0x37, 4), 5 << 8, LO(out), HI(out), 0x11);
	/* What follows the chaining packet is not done; the ring continues. */
	assert_int_equal(user[2][0], 0);
	assert_int_equal(user[2][1], 0x22);
	RING_PUT(&comp, PM4(0x79, 2), SCRATCH - 0xc000, 4);
	ring_commit(&comp);
	assert_int_equal(scratch(), 4);
}

static void ibs_nest_no_deeper(void **state)
{
	u64 second = USER_VA + 4096, third = USER_VA + 8192;

	(void)state;
	user[1][0] = PM4(0x3f, 3);
	user[1][1] = LO(third);
	user[1][2] = HI(third);
	user[1][3] = 4 | 1 << 23;
	RUN_IB(&comp, PM4(0x3f, 3), LO(second), HI(second), 4 | 1 << 23);
	engine_expect(&gpu, VGPU_BAD_PACKET, 1);
}

static void packet_over_the_end_of_an_ib(void **state)
{
	(void)state;
	RUN_IB(&comp, PM4(0x37, 8), 5 << 8, 0, 0);
	engine_expect(&gpu, VGPU_BAD_PACKET, 1);
	RING_PUT(&comp, PM4(0x79, 2), SCRATCH - 0xc000, 5);
	ring_commit(&comp);
	assert_int_equal(scratch(), 5);
}

static void cond_exec(void **state)
{
	u32 cond;

	(void)state;
	for (cond = 0; cond < 2; cond++) {
		mem[0] = cond;
		mem[1] = 0;
		mem[2] = 0;
		RING_PUT(&comp, PM4(0x22, 4), LO(mem_va), HI(mem_va), 0, 5);
		RING_PUT(&comp, PM4(0x37, 4), 5 << 8, LO(mem_va + 4),
			 HI(mem_va), 1);
		RING_PUT(&comp, PM4(0x37, 4), 5 << 8, LO(mem_va + 8),
			 HI(mem_va), 1);
		ring_commit(&comp);
		assert_int_equal(mem[1], cond);
		assert_int_equal(mem[2], 1);
	}
}

static void rewind_waits_for_its_bit(void **state)
{
	(void)state;
	RUN_IB(&comp, PM4(0x59, 1), 0, PM4(0x79, 2), SCRATCH - 0xc000, 6);
	assert_int_equal(scratch(), 0);
	assert_true(vgpu_cp_polling(&gpu));
	user[0][1] = 1U << 31;
	engine_run(&gpu);
	assert_int_equal(scratch(), 6);
}

/* PGM, RSRC, NUM_THREAD_X, USER_DATA (gc_10_3_0_offset.h) */
static u32 put_state(u32 *ib, u64 code)
{
	const u32 packets[] = {
		PM4(0x76, 3), 0x20c, LO(code >> 8), HI(code >> 8),
		PM4(0x76, 3), 0x212, 0, 2 << 1,
		PM4(0x76, 4), 0x207, 32, 1, 1,
		PM4(0x76, 3), 0x240, 0x100, 0x200,
	};

	memcpy(ib, packets, sizeof(packets));
	return ARRAY_SIZE(packets);
}

static u64 user_code(void)
{
	unsigned int i;

	for (i = 0; i < 1024; i++)
		user[3][i] = 0xbf810000;	/* s_endpgm */
	return USER_VA + 3 * 4096;
}

static void run_waves(void)
{
	unsigned int i;

	for (i = 0; i < 1000 && vgpu_sq_runnable(&gpu); i++)
		vgpu_sq_run(&gpu, 1000);
	assert_false(vgpu_sq_runnable(&gpu));
}

static void dispatch_and_fence(void **state)
{
	u32 ib[64], n = put_state(ib, user_code());
	u64 waves = gpu.counters.waves;

	(void)state;
	ib[n++] = PM4(0x15, 4);
	ib[n++] = 3;
	ib[n++] = 2;
	ib[n++] = 1;
	ib[n++] = 1 | 1 << 2 | 1 << 15;
	run_ib(&comp, ib, n);
	RING_PUT(&comp, PM4(0x49, 7), 0x514, 1U << 29, LO(mem_va), HI(mem_va),
		 0x77, 0, 0);
	ring_commit(&comp);
	assert_true(vgpu_sq_queue_busy(&gpu, comp.id));
	assert_int_equal(mem[0], 0);
	/* Another queue does not wait for these waves. */
	RING_PUT(&gfx, PM4(0x49, 7), 0x514, 1U << 29, LO(mem_va + 4),
		 HI(mem_va), 0x88, 0, 0);
	ring_commit(&gfx);
	assert_int_equal(mem[1], 0x88);

	run_waves();
	engine_run(&gpu);
	assert_int_equal(mem[0], 0x77);
	assert_int_equal(gpu.counters.waves - waves, 6);
}

static void the_queue_continues_after_release_mem(void **state)
{
	u32 ib[64], n = put_state(ib, user_code());
	u32 async, i, iv[8];

	(void)state;
	ib[n++] = PM4(0x15, 4);
	ib[n++] = 1;
	ib[n++] = 1;
	ib[n++] = 1;
	ib[n++] = 1 | 1 << 2 | 1 << 15;
	for (async = 0; async < 2; async++) {
		vgpu_quirk_set(&gpu, "release-mem-async", async);
		mem[0] = 0;
		/* more than can be pending */
		for (i = 1; i <= VGPU_CP_EOPS + 2; i++) {
			run_ib(&comp, ib, n);
			RING_PUT(&comp, PM4(0x49, 7), 0x514,
				 1U << 29 | 2 << 24, LO(mem_va), HI(mem_va), i,
				 0, i);
			RING_PUT(&comp, PM4(0x79, 2), SCRATCH - 0xc000,
				 async << 8 | i);
			ring_commit(&comp);
			if (!async || i > VGPU_CP_EOPS)
				assert_int_not_equal(scratch(), async << 8 | i);
			else
				assert_int_equal(scratch(), async << 8 | i);
		}
		assert_int_equal(mem[0], 0);
		for (i = 0; i < VGPU_CP_EOPS + 2; i++) {
			run_waves();
			engine_run(&gpu);
		}
		assert_int_equal(mem[0], VGPU_CP_EOPS + 2);
		assert_int_equal(scratch(), async << 8 | (VGPU_CP_EOPS + 2));
		/* all interrupts, in order */
		for (i = 1; i <= VGPU_CP_EOPS + 2; i++) {
			assert_true(engine_iv(&gpu, iv));
			assert_int_equal(iv[4], i);
		}
		assert_false(engine_iv(&gpu, iv));
	}
}

static void cs_partial_flush_waits(void **state)
{
	u32 ib[64], n = put_state(ib, user_code());
	static const u32 end[] = {
		PM4(0x15, 4), 1, 1, 1, 1 | 1 << 2 | 1 << 15,
		PM4(0x46, 1), 7 | 4 << 8,
		PM4(0x79, 2), SCRATCH - 0xc000, 8,
	};

	(void)state;
	memcpy(ib + n, end, sizeof(end));
	run_ib(&comp, ib, n + ARRAY_SIZE(end));
	assert_int_equal(scratch(), 0);
	run_waves();
	engine_run(&gpu);
	assert_int_equal(scratch(), 8);
}

static void dispatch_indirect(void **state)
{
	u32 ib[64], n = put_state(ib, user_code());
	u64 args = USER_VA + 4096;
	u64 waves = gpu.counters.waves;

	(void)state;
	user[1][0] = 2;
	user[1][1] = 2;
	user[1][2] = 2;
	ib[n++] = PM4(0x16, 3);
	ib[n++] = LO(args);
	ib[n++] = HI(args);
	ib[n++] = 1 | 1 << 2 | 1 << 15;
	run_ib(&comp, ib, n);
	run_waves();
	assert_int_equal(gpu.counters.waves - waves, 8);

	/* graphics: relative to SET_BASE */
	waves = gpu.counters.waves;
	n = put_state(ib, user_code());
	ib[n++] = PM4(0x11, 3);
	ib[n++] = 1;
	ib[n++] = LO(USER_VA);
	ib[n++] = HI(USER_VA);
	ib[n++] = PM4(0x16, 2);
	ib[n++] = 4096;
	ib[n++] = 1 | 1 << 2 | 1 << 15;
	run_ib(&gfx, ib, n);
	run_waves();
	assert_int_equal(gpu.counters.waves - waves, 8);
}

static void empty_and_based_dispatches(void **state)
{
	u32 ib[64], n = put_state(ib, user_code());
	u64 waves = gpu.counters.waves;
	static const u32 end[] = {
		/* nothing in y */
		PM4(0x15, 4), 5, 0, 1, 1 | 1 << 2 | 1 << 15,
		/* from 2 on to 5 in x: three groups */
		PM4(0x76, 4), 0x204, 2, 0, 0,
		PM4(0x15, 4), 5, 1, 1, 1 | 1 << 15,
		/* 70 threads: three groups */
		PM4(0x15, 4), 70, 1, 1, 1 | 1 << 2 | 1 << 5 | 1 << 15,
	};

	(void)state;
	memcpy(ib + n, end, sizeof(end));
	run_ib(&comp, ib, n + ARRAY_SIZE(end));
	run_waves();
	assert_int_equal(gpu.counters.waves - waves, 6);
}

/* Queues that take turns do not see each other's compute state. */
static void queues_keep_their_state(void **state)
{
	u64 code = user_code();
	u64 waves = gpu.counters.waves;
	u32 ib[64], n = put_state(ib, code);

	(void)state;
	run_ib(&comp, ib, n);
	RING_PUT(&gfx, PM4(0x76, 4), 0x207, 1, 0, 1);
	ring_commit(&gfx);
	RUN_IB(&comp, PM4(0x15, 4), 1, 1, 1, 1 | 1 << 2 | 1 << 15);
	run_waves();
	assert_int_equal(gpu.counters.waves - waves, 1);
}

/* What gfx_v10_0_cp_gfx_start() sends, and the frame of each job. */
static void packets_without_effect(void **state)
{
	(void)state;
	RING_PUT(&gfx, PM4(0x4a, 1), 2U << 28, PM4(0x28, 2), 1U << 31,
		 1U << 31, PM4(0x4a, 1), 3U << 28, PM4(0x12, 1), 0,
		 PM4(0x11, 3), 3, 0x8000, 0x8000,
		 PM4(0x58, 7), 0, ~0U, 0xffffff, 0, 0, 10, 0xc3c1,
		 PM4(0x42, 1), 0, PM4(0x90, 1), 0, PM4(0x8b, 1), 0,
		 PM4(0x33, 3), 0, 0, 16);
	RING_PUT(&gfx, PM4(0x79, 2), SCRATCH - 0xc000, 9);
	ring_commit(&gfx);
	assert_int_equal(scratch(), 9);
}

static void short_packets_are_refused(void **state)
{
	(void)state;
	RING_PUT(&comp, PM4(0x49, 3), 0, 0, 0, PM4(0x3c, 1), 0);
	RING_PUT(&comp, PM4(0x79, 2), SCRATCH - 0xc000, 10);
	ring_commit(&comp);
	engine_expect(&gpu, VGPU_BAD_PACKET, 2);
	assert_int_equal(scratch(), 10);
}

static void invalidate_tlbs_by_pasid(void **state)
{
	u64 other = engine_alloc(&gpu, 4096);
	u64 va = USER_VA + 4096;
	u32 *now = engine_ptr(&gpu, other);

	(void)state;
	engine_set_reg(&gpu, R_IH_VMID_0_LUT, USER_VMID, 0x8001);
	RUN_IB(&comp, PM4(0x37, 4), 5 << 8, LO(va), HI(va), 1);
	assert_int_equal(user[1][0], 1);
	/* The page table changes: the old page is used until the flush. */
	engine_map(&gpu, USER_VMID, va, other);
	RUN_IB(&comp, PM4(0x37, 4), 5 << 8, LO(va), HI(va), 2);
	assert_int_equal(user[1][0], 2);
	RING_PUT(&kiq, PM4(0x98, 1), 1 | 0x8002 << 5);
	ring_commit(&kiq);
	RUN_IB(&comp, PM4(0x37, 4), 5 << 8, LO(va), HI(va), 3);
	assert_int_equal(user[1][0], 3);
	RING_PUT(&kiq, PM4(0x98, 1), 1 | 0x8001 << 5);
	ring_commit(&kiq);
	RUN_IB(&comp, PM4(0x37, 4), 5 << 8, LO(va), HI(va), 4);
	assert_int_equal(user[1][0], 3);
	assert_int_equal(now[0], 4);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, engine_teardown)

/* One turn of the CP, whatever it leaves to the next */
static void one_turn(struct ring *r)
{
	*r->wptr_mem = r->wptr;
	assert_true(vgpu_cp_doorbell(&gpu, r->doorbell, r->wptr));
	assert_true(vgpu_cp_run(&gpu));
}

/* WRITE_DATA of 400 values to a register that has a behaviour, all to the one */
static void many_registers_take_turns(void **state)
{
	u32 packet[4 + 400] = { PM4(0x37, 3 + 400), 1 << 16,
				gpu.profile->regs[R_GPU_HDP_FLUSH_REQ], 0 };
	u32 i, done;

	(void)state;
	for (i = 0; i < 400; i++)
		packet[4 + i] = i + 1;
	ring_put(&kiq, packet, ARRAY_SIZE(packet));
	one_turn(&kiq);
	done = engine_reg(&gpu, R_GPU_HDP_FLUSH_DONE, 0);
	assert_in_range(done, 1, 100);
	engine_run(&gpu);
	assert_int_equal(engine_reg(&gpu, R_GPU_HDP_FLUSH_DONE, 0), 400);
	assert_int_equal(*kiq.rptr, kiq.wptr);
}

static void set_wptr(struct ring *r, u64 wptr)
{
	r->wptr = wptr;
	*r->wptr_mem = wptr;
	assert_true(vgpu_cp_doorbell(&gpu, r->doorbell, wptr));
}

/*
 * A guest that takes the packet back which the queue is at: nothing is left of it, neither
 * what it waited for nor how far it had come.
 */
static void packets_taken_back(void **state)
{
	u32 packet[4 + 400] = { PM4(0x37, 3 + 400), 1 << 16,
				gpu.profile->regs[R_GPU_HDP_FLUSH_REQ], 0 };
	u64 before = kiq.wptr;

	(void)state;
	ring_put(&kiq, packet, ARRAY_SIZE(packet));
	one_turn(&kiq);
	set_wptr(&kiq, before);
	engine_run(&gpu);
	RING_PUT(&kiq, PM4(0x79, 2), SCRATCH - 0xc000, 11);
	ring_commit(&kiq);
	assert_int_equal(scratch(), 11);
	assert_int_equal(*kiq.rptr, kiq.wptr);

	/* WAIT_REG_MEM of memory, which the loop would look at again and again */
	before = comp.wptr;
	RING_PUT(&comp, PM4(0x3c, 6), 3 | 1 << 4, LO(comp.rptr_va + 64),
		 HI(comp.rptr_va), 1, ~0U, 4);
	ring_commit(&comp);
	assert_true(vgpu_cp_polling(&gpu));
	set_wptr(&comp, before);
	engine_run(&gpu);
	assert_false(vgpu_cp_polling(&gpu));
}

/* DMA_DATA of 64 KiB each: one at a time is short, all of them are not. */
static void many_copies_take_turns(void **state)
{
	u64 offset = engine_alloc(&gpu, 16 * 65536), va = engine_mc(&gpu, offset);
	u32 *big = engine_ptr(&gpu, offset), i, n = 0;

	(void)state;
	for (i = 0; i < 16; i++)
		RING_PUT(&comp, PM4(0x50, 6), 2U << 29, 1, 0,
			 LO(va + i * 65536), HI(va), 65536);
	one_turn(&comp);
	for (i = 0; i < 16 * 65536 / 4; i++)
		n += big[i] * 4;
	assert_in_range(n, 65536, 2 * 65536);
	engine_run(&gpu);
	for (i = 0; i < 16 * 65536 / 4; i++)
		assert_int_equal(big[i], 1);
}

/* And so do those of several queues, each of which has its turn. */
static void many_queues_take_turns(void **state)
{
	u64 offset = engine_alloc(&gpu, 4 * 65536), va = engine_mc(&gpu, offset);
	u32 *big = engine_ptr(&gpu, offset);

	(void)state;
	RING_PUT(&gfx, PM4(0x50, 6), 2U << 29, 1, 0, LO(va), HI(va), 65536);
	RING_PUT(&gfx, PM4(0x50, 6), 2U << 29, 1, 0, LO(va + 65536), HI(va),
		 65536);
	*gfx.wptr_mem = gfx.wptr;
	assert_true(vgpu_cp_doorbell(&gpu, gfx.doorbell, gfx.wptr));
	RING_PUT(&comp, PM4(0x50, 6), 2U << 29, 1, 0, LO(va + 131072), HI(va),
		 65536);
	one_turn(&comp);
	assert_int_equal(big[0] + big[16384] + big[32768], 1);
	assert_true(vgpu_cp_run(&gpu));
	/* Not twice the same */
	assert_int_equal(big[16384] && !big[32768], 0);
	engine_run(&gpu);
	assert_int_equal(big[0] + big[16384] + big[32768], 3);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(write_data),
		TEST(write_data_across_pages),
		TEST(copy_data),
		TEST(dma_data),
		TEST(atomic_mem),
		TEST(wait_functions),
		TEST(wait_64),
		TEST(write_wait_write),
		TEST(wait_for_a_register),
		TEST(release_mem),
		TEST(registers_and_their_ranges),
		TEST(context_registers_need_a_graphics_queue),
		TEST(users_reach_no_privileged_register),
		TEST(users_read_no_privileged_register),
		TEST(ib_in_its_vmid),
		TEST(ibs_nest_and_keep_the_vmid),
		TEST(ibs_chain),
		TEST(ibs_nest_no_deeper),
		TEST(packet_over_the_end_of_an_ib),
		TEST(cond_exec),
		TEST(rewind_waits_for_its_bit),
		TEST(dispatch_and_fence),
		TEST(the_queue_continues_after_release_mem),
		TEST(cs_partial_flush_waits),
		TEST(dispatch_indirect),
		TEST(empty_and_based_dispatches),
		TEST(queues_keep_their_state),
		TEST(packets_without_effect),
		TEST(short_packets_are_refused),
		TEST(invalidate_tlbs_by_pasid),
		TEST(many_registers_take_turns),
		TEST(packets_taken_back),
		TEST(many_copies_take_turns),
		TEST(many_queues_take_turns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

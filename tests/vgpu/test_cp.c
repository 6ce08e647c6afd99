// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command processor's queues: start by registers and by MQD, doorbells, wrap of the ring,
 * scheduling if a queue has to wait, unmapping, resets.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "engine.h"

#define SCRATCH		0xc040		/* SCRATCH_REG0, gc_10_3_0_offset.h */
#define S_ENDPGM	0xbf810000

static struct ring kiq, comp, comp2, gfx;

static int setup(void **state)
{
	engine_setup(state);
	ring_init(&kiq, &gpu, (struct vgpu_queue_id){ 2, 1, 0 }, 1024, 0);
	ring_init(&comp, &gpu, (struct vgpu_queue_id){ 1, 0, 0 }, 256, 6);
	ring_init(&comp2, &gpu, (struct vgpu_queue_id){ 1, 2, 1 }, 256, 0x10);
	ring_init(&gfx, &gpu, (struct vgpu_queue_id){ 0, 1, 0 }, 256, 0x116);
	ring_start_kiq(&kiq);
	return 0;
}

static u32 hqd(struct ring *r, enum vgpu_role role, unsigned int idx)
{
	return *vgpu_reg_of_queue(&gpu, r->id.me, r->id.pipe, r->id.queue, role,
				  idx);
}

/* The driver's ring test. */
static void ring_test(struct ring *r, u32 value)
{
	RING_PUT(r, PM4(0x79, 2), SCRATCH - 0xc000, value);
	ring_commit(r);
	assert_int_equal(vgpu_reg_engine_read(&gpu, SCRATCH), value);
}

static void the_kiq_executes_packets(void **state)
{
	(void)state;
	assert_int_equal(hqd(&kiq, R_CP_HQD_ACTIVE, 0), 1);
	ring_test(&kiq, 0xdeadbeef);
	assert_int_equal(*kiq.rptr, 3);
	assert_int_equal(hqd(&kiq, R_CP_HQD_PQ_RPTR, 0), 3);
	assert_int_equal(hqd(&kiq, R_CP_HQD_PQ_WPTR_LO, 0), 3);
}

static void the_kiq_maps_a_queue_from_its_mqd(void **state)
{
	(void)state;
	ring_map(&comp, &kiq);
	assert_int_equal(hqd(&comp, R_CP_HQD_ACTIVE, 0), 1);
	assert_int_equal(hqd(&comp, R_CP_HQD_PQ_BASE, 0), LO(comp.va >> 8));
	assert_int_equal(hqd(&comp, R_CP_HQD_PQ_BASE, 1), HI(comp.va >> 8));
	assert_int_equal(hqd(&comp, R_CP_HQD_PQ_DOORBELL_CONTROL, 0),
			 6 << 2 | 1U << 30);
	assert_int_equal(hqd(&comp, R_CP_HQD_PQ_CONTROL, 0) & 0x3f, 7);
	ring_test(&comp, 0x11111111);
	assert_int_equal(*comp.rptr, 3);

	ring_map(&gfx, &kiq);
	assert_int_equal(hqd(&gfx, R_CP_GFX_HQD_ACTIVE, 0), 1);
	assert_int_equal(hqd(&gfx, R_CP_GFX_HQD_BASE, 0), LO(gfx.va >> 8));
	ring_test(&gfx, 0x22222222);
	/* The other pipe of the same ME is another queue. */
	assert_int_equal(*vgpu_reg_of_queue(&gpu, 0, 0, 0, R_CP_GFX_HQD_ACTIVE,
					    0), 0);
}

static void mapping_takes_the_wptr_in_memory(void **state)
{
	(void)state;
	RING_PUT(&comp, PM4(0x79, 2), SCRATCH - 0xc000, 0x33333333);
	*comp.wptr_mem = comp.wptr;
	ring_map(&comp, &kiq);
	assert_int_equal(vgpu_reg_engine_read(&gpu, SCRATCH), 0x33333333);
}

static void only_the_kiq_maps(void **state)
{
	(void)state;
	ring_map(&comp, &kiq);
	RING_PUT(&comp, PM4(0xa2, 6), 1U << 29, 0x40, LO(comp2.mqd_va),
		 HI(comp2.mqd_va), 0, 0);
	ring_commit(&comp);
	engine_expect(&gpu, VGPU_BAD_PACKET, 1);
	assert_int_equal(hqd(&comp2, R_CP_HQD_ACTIVE, 0), 0);
}

static void queues_that_cannot_be_mapped(void **state)
{
	unsigned int i;
	/* by PASID; an SDMA engine; itself */
	const u32 control[] = {
		1U << 29 | 1 << 4, 1U << 29 | 2 << 26, 1U << 29 | 1 << 18 | 1 << 16,
	};

	(void)state;
	for (i = 0; i < ARRAY_SIZE(control); i++) {
		RING_PUT(&kiq, PM4(0xa2, 6), control[i], comp.doorbell << 2,
			 LO(comp.mqd_va), HI(comp.mqd_va), 0, 0);
		ring_commit(&kiq);
		engine_expect(&gpu, VGPU_BAD_PACKET, 1);
	}
	assert_int_equal(hqd(&comp, R_CP_HQD_ACTIVE, 0), 0);
	ring_test(&kiq, 1);
	/* A ring that is larger than all memory does not upset it. */
	i = 0xffffffff;
	memcpy(comp.mqd + 0x244, &i, 4);
	ring_map(&comp, &kiq);
	ring_test(&comp, 2);
}

/* amdkfd rings its queue at once after it has asked the KIQ to map it. */
static void a_doorbell_waits_until_the_kiq_maps_the_queue(void **state)
{
	(void)state;
	RING_PUT(&kiq, PM4(0xa2, 6), 1U << 29 | comp.id.pipe << 16 |
		 comp.id.queue << 13, comp.doorbell << 2, LO(comp.mqd_va),
		 HI(comp.mqd_va), LO(comp.wptr_va), HI(comp.wptr_va));
	assert_true(vgpu_cp_doorbell(&gpu, kiq.doorbell, kiq.wptr));
	assert_true(vgpu_cp_doorbell(&gpu, comp.doorbell, 0));
	assert_false(vgpu_cp_doorbell(&gpu, comp.doorbell + 2, 0));
	engine_run(&gpu);
	ring_test(&comp, 1);
}

static void rings_wrap_around(void **state)
{
	unsigned int i;

	(void)state;
	ring_map(&comp, &kiq);
	/* 3 does not divide 256: packets cross the end in all three ways */
	for (i = 0; i < 300; i++)
		ring_test(&comp, i);
	assert_int_equal(*comp.rptr, 900 % 256);
	/* A packet that is as long as the ring can hold, over the end */
	RING_PUT(&comp, PM4(0x10, 250));
	comp.wptr += 250;
	ring_test(&comp, 0x44444444);
}

static void an_incomplete_packet_waits_for_its_rest(void **state)
{
	(void)state;
	ring_map(&comp, &kiq);
	RING_PUT(&comp, PM4(0x79, 2), SCRATCH - 0xc000);
	ring_commit(&comp);
	assert_int_equal(vgpu_reg_engine_read(&gpu, SCRATCH), 0);
	RING_PUT(&comp, 0x55555555);
	ring_commit(&comp);
	assert_int_equal(vgpu_reg_engine_read(&gpu, SCRATCH), 0x55555555);
}

static void nops_are_skipped(void **state)
{
	(void)state;
	ring_map(&comp, &kiq);
	RING_PUT(&comp, PM4_FILLER, PM4(0x10, 3), 0xffffffff, 0, 0xc0000000,
		 0x80000000, PM4_FILLER);
	ring_test(&comp, 0x66666666);
}

static void no_header_stops_the_queue(void **state)
{
	(void)state;
	ring_map(&comp, &kiq);
	ring_map(&comp2, &kiq);
	RING_PUT(&comp, 0x00001234, PM4(0x79, 2), SCRATCH - 0xc000, 1);
	ring_commit(&comp);
	engine_expect(&gpu, VGPU_BAD_PACKET, 1);
	assert_int_equal(vgpu_reg_engine_read(&gpu, SCRATCH), 0);
	ring_test(&comp2, 2);
}

static void unknown_packet_is_skipped(void **state)
{
	(void)state;
	ring_map(&comp, &kiq);
	RING_PUT(&comp, PM4(0x2d, 2), 3, 0);
	ring_test(&comp, 0x77777777);
	engine_expect(&gpu, VGPU_BAD_PACKET, 1);
}

static void a_waiting_queue_stops_no_other_queue(void **state)
{
	u64 mem = engine_alloc(&gpu, 4096);
	u32 *value = engine_ptr(&gpu, mem);
	u64 va = engine_mc(&gpu, mem);

	(void)state;
	ring_map(&comp, &kiq);
	ring_map(&comp2, &kiq);
	/* memory, ==, 7 in the low byte */
	RING_PUT(&comp, PM4(0x3c, 6), 0x13, LO(va), HI(va), 7, 0xff, 4);
	RING_PUT(&comp, PM4(0x79, 2), SCRATCH - 0xc000, 1);
	ring_commit(&comp);
	assert_int_equal(vgpu_reg_engine_read(&gpu, SCRATCH), 0);
	assert_true(vgpu_cp_polling(&gpu));
	ring_test(&comp2, 2);

	*value = 0x107;
	engine_run(&gpu);
	assert_int_equal(vgpu_reg_engine_read(&gpu, SCRATCH), 1);
	assert_false(vgpu_cp_polling(&gpu));
	assert_int_equal(*comp.rptr, 10);
}

static void unmap_by_reset(void **state)
{
	u32 active;

	(void)state;
	ring_map(&comp, &kiq);
	/* It waits for ever. */
	RING_PUT(&comp, PM4(0x3c, 6), 0x13, LO(comp.wptr_va), HI(comp.wptr_va),
		 0x12345678, ~0U, 4);
	ring_commit(&comp);
	RING_PUT(&kiq, PM4(0xa3, 5), 1U << 29 | 1, comp.doorbell << 2, 0, 0, 0);
	ring_commit(&kiq);
	assert_int_equal(hqd(&comp, R_CP_HQD_ACTIVE, 0), 0);
	memcpy(&active, comp.mqd + 0x208, 4);
	assert_int_equal(active, 0);
	assert_false(vgpu_cp_doorbell(&gpu, comp.doorbell, 100));
	assert_false(vgpu_cp_polling(&gpu));

	/* The driver's reset of one queue: clean MQD and ring, mapped again */
	active = 1;
	memcpy(comp.mqd + 0x208, &active, 4);
	memset(comp.mqd + 0x228, 0, 4);
	comp.wptr = 0;
	*comp.wptr_mem = 0;
	ring_map(&comp, &kiq);
	ring_test(&comp, 0x88888888);
}

/* A dispatch of one wave that ends at once, when the sequencer may run. */
static void put_dispatch(struct ring *r, u64 code)
{
	/* COMPUTE_PGM_LO, PGM_RSRC1, NUM_THREAD_X: gc_10_3_0_offset.h */
	RING_PUT(r, PM4(0x76, 3), 0x2e0c - 0x2c00, LO(code >> 8), HI(code >> 8));
	RING_PUT(r, PM4(0x76, 3), 0x2e12 - 0x2c00, 0, 0);
	RING_PUT(r, PM4(0x76, 4), 0x2e07 - 0x2c00, 32, 1, 1);
	RING_PUT(r, PM4(0x15, 4), 1, 1, 1, 1 | 1 << 2 | 1 << 15);
}

static u64 endpgm(void)
{
	u64 code = engine_alloc(&gpu, 4096);
	u32 *insn = engine_ptr(&gpu, code);
	unsigned int i;

	for (i = 0; i < 64; i++)
		insn[i] = S_ENDPGM;
	return engine_mc(&gpu, code);
}

static void run_waves(void)
{
	unsigned int i;

	for (i = 0; i < 1000 && vgpu_sq_runnable(&gpu); i++)
		vgpu_sq_run(&gpu, 1000);
	assert_false(vgpu_sq_runnable(&gpu));
}

static void unmap_by_preemption_waits_for_waves(void **state)
{
	(void)state;
	ring_map(&comp, &kiq);
	put_dispatch(&comp, endpgm());
	ring_commit(&comp);
	assert_true(vgpu_sq_queue_busy(&gpu, comp.id));

	RING_PUT(&kiq, PM4(0xa3, 5), 1U << 29 | 0, comp.doorbell << 2, 0, 0, 0);
	RING_PUT(&kiq, PM4(0x79, 2), SCRATCH - 0xc000, 0x99999999);
	ring_commit(&kiq);
	assert_int_equal(hqd(&comp, R_CP_HQD_ACTIVE, 0), 1);
	assert_int_equal(vgpu_reg_engine_read(&gpu, SCRATCH), 0);

	run_waves();
	engine_run(&gpu);
	assert_int_equal(hqd(&comp, R_CP_HQD_ACTIVE, 0), 0);
	assert_int_equal(vgpu_reg_engine_read(&gpu, SCRATCH), 0x99999999);
}

/* amdgpu_ring_preempt_ib(): a fence, when the queue is in no IB */
static void preemption_without_unmapping(void **state)
{
	u64 mem = engine_alloc(&gpu, 4096);
	u32 *fence = engine_ptr(&gpu, mem);
	u64 va = engine_mc(&gpu, mem), ib = va + 64;

	(void)state;
	ring_map(&gfx, &kiq);
	fence[16] = PM4(0x59, 1);	/* REWIND: not ready */
	RING_PUT(&gfx, PM4(0x3f, 3), LO(ib), HI(ib), 2 | 1 << 23);
	ring_commit(&gfx);
	RING_PUT(&kiq, PM4(0xa3, 5), 1U << 29 | 4 << 26 | 3,
		 gfx.doorbell << 2, LO(va), HI(va), 0x77);
	ring_commit(&kiq);
	assert_int_equal(fence[0], 0);
	fence[17] = 1U << 31;
	engine_run(&gpu);
	assert_int_equal(fence[0], 0x77);
	ring_test(&gfx, 1);
}

static void unmap_by_reset_kills_waves(void **state)
{
	(void)state;
	ring_map(&comp, &kiq);
	put_dispatch(&comp, endpgm());
	ring_commit(&comp);
	RING_PUT(&kiq, PM4(0xa3, 5), 1U << 29 | 1, comp.doorbell << 2, 0, 0, 0);
	ring_commit(&kiq);
	assert_int_equal(hqd(&comp, R_CP_HQD_ACTIVE, 0), 0);
	assert_false(vgpu_sq_queue_busy(&gpu, comp.id));
}

static void dequeue_by_register(void **state)
{
	(void)state;
	ring_map(&comp, &kiq);
	put_dispatch(&comp, endpgm());
	ring_commit(&comp);
	engine_set_reg(&gpu, R_GRBM_GFX_CNTL, 0, 1 << 2);
	engine_set_reg(&gpu, R_CP_HQD_DEQUEUE_REQUEST, 0, 1);
	assert_int_equal(engine_reg(&gpu, R_CP_HQD_ACTIVE, 0), 1);
	run_waves();
	engine_run(&gpu);
	assert_int_equal(engine_reg(&gpu, R_CP_HQD_ACTIVE, 0), 0);
	engine_set_reg(&gpu, R_GRBM_GFX_CNTL, 0, 0);
}

static void dequeue_by_register_with_reset(void **state)
{
	(void)state;
	ring_map(&comp, &kiq);
	put_dispatch(&comp, endpgm());
	ring_commit(&comp);
	engine_set_reg(&gpu, R_GRBM_GFX_CNTL, 0, 1 << 2);
	engine_set_reg(&gpu, R_CP_HQD_DEQUEUE_REQUEST, 0, 2);
	assert_int_equal(engine_reg(&gpu, R_CP_HQD_ACTIVE, 0), 0);
	assert_false(vgpu_sq_queue_busy(&gpu, comp.id));
	engine_set_reg(&gpu, R_GRBM_GFX_CNTL, 0, 0);
}

/*
 * The driver is bound again: it writes the KIQ's MQD, then dequeues the old KIQ,
 * then writes the registers from the MQD, which must not have changed.
 */
static void the_kiq_restarts_after_a_dequeue(void **state)
{
	u32 before[128];

	(void)state;
	ring_test(&kiq, 1);
	memcpy(before, kiq.mqd, sizeof(before));
	engine_set_reg(&gpu, R_GRBM_GFX_CNTL, 0, 2 << 2 | 1);
	engine_set_reg(&gpu, R_CP_HQD_DEQUEUE_REQUEST, 0, 1);
	assert_int_equal(engine_reg(&gpu, R_CP_HQD_ACTIVE, 0), 0);
	assert_memory_equal(before, kiq.mqd, sizeof(before));
	kiq.wptr = 0;
	ring_start_kiq(&kiq);
	ring_test(&kiq, 2);
}

static void vmid_reset_takes_graphics_queues(void **state)
{
	u32 active;

	(void)state;
	ring_map(&gfx, &kiq);
	/* gfx_v10_0_reset_kgq(): by the KIQ, for pipe 1, queue 0 */
	RING_PUT(&kiq, PM4(0x37, 4), 1 << 16,
		 gpu.profile->regs[R_CP_VMID_RESET], 0, 1U << 24 | 1 << 3);
	RING_PUT(&kiq, PM4(0x3c, 6), 0x13, LO(gfx.mqd_va + 0x208),
		 HI(gfx.mqd_va + 0x208), 0, 1, 0x20);
	RING_PUT(&kiq, PM4(0x3c, 6), 0x03, gpu.profile->regs[R_CP_VMID_RESET],
		 0, 0, ~0U, 0x20);
	ring_test(&kiq, 0xaaaaaaaa);
	assert_int_equal(hqd(&gfx, R_CP_GFX_HQD_ACTIVE, 0), 0);
	memcpy(&active, gfx.mqd + 0x208, 4);
	assert_int_equal(active, 0);
}

static void query_status_writes_its_fence(void **state)
{
	u64 mem = engine_alloc(&gpu, 4096);
	u64 *fence = engine_ptr(&gpu, mem), va = engine_mc(&gpu, mem);

	(void)state;
	RING_PUT(&kiq, PM4(0xa0, 7), 0, 0x3030303, 0, 0, 0, 0, 0);
	RING_PUT(&kiq, PM4(0xa4, 6), 2U << 30, 6 << 2, LO(va), HI(va),
		 0x89abcdef, 0x01234567);
	ring_commit(&kiq);
	assert_int_equal(*fence, 0x0123456789abcdef);
}

static void kiq_fence_interrupts(void **state)
{
	/* CPC_INT_STATUS, gc_10_3_0_offset.h */
	u32 dword = gpu.profile->regs[R_CPC_INT_STATUS];
	u32 iv[8];

	(void)state;
	RING_PUT(&kiq, PM4(0x37, 4), 1 << 20, dword, 0, 0x20000000);
	ring_commit(&kiq);
	assert_true(engine_iv(&gpu, iv));
	assert_int_equal(iv[0] & 0xffff, 0x14 | 178 << 8);
	/* me 2, pipe 1, queue 0 */
	assert_int_equal(iv[0] >> 16 & 0xff, 2 << 2 | 1);
	assert_false(engine_iv(&gpu, iv));
	/* The host's own write is no fence. */
	vgpu_reg_engine_write(&gpu, dword, 0x20000000);
	assert_false(engine_iv(&gpu, iv));
}

static void a_hung_queue_runs_after_it_is_mapped_again(void **state)
{
	(void)state;
	assert_int_equal(vgpu_cp_hang(&gpu, comp.id), -ENOENT);
	assert_int_equal(vgpu_cp_hang(&gpu, (struct vgpu_queue_id){ 7, 0, 0 }),
			 -ENOENT);
	ring_map(&comp, &kiq);
	assert_int_equal(vgpu_cp_hang(&gpu, comp.id), 0);
	RING_PUT(&comp, PM4(0x79, 2), SCRATCH - 0xc000, 1);
	ring_commit(&comp);
	assert_int_equal(vgpu_reg_engine_read(&gpu, SCRATCH), 0);
	ring_test(&kiq, 2);
	RING_PUT(&kiq, PM4(0xa3, 5), 1U << 29 | 1, comp.doorbell << 2, 0, 0, 0);
	ring_commit(&kiq);
	comp.wptr = 0;
	*comp.wptr_mem = 0;
	ring_map(&comp, &kiq);
	ring_test(&comp, 3);
}

static void a_halted_engine_executes_nothing(void **state)
{
	(void)state;
	ring_map(&comp, &kiq);
	engine_set_reg(&gpu, R_CP_MEC_CNTL, 0, 1U << 30);
	RING_PUT(&comp, PM4(0x79, 2), SCRATCH - 0xc000, 1);
	ring_commit(&comp);
	assert_int_equal(vgpu_reg_engine_read(&gpu, SCRATCH), 0);
	engine_set_reg(&gpu, R_CP_MEC_CNTL, 0, 0);
	engine_run(&gpu);
	assert_int_equal(vgpu_reg_engine_read(&gpu, SCRATCH), 1);
}

static void a_reset_unmaps_all_queues(void **state)
{
	(void)state;
	ring_map(&comp, &kiq);
	vgpu_reset(&gpu);
	assert_false(vgpu_cp_doorbell(&gpu, comp.doorbell, 3));
	assert_false(vgpu_cp_doorbell(&gpu, kiq.doorbell, 3));
	assert_int_equal(hqd(&kiq, R_CP_HQD_ACTIVE, 0), 0);
	assert_false(vgpu_cp_run(&gpu));
	kiq.wptr = 0;
	ring_start_kiq(&kiq);
	ring_test(&kiq, 0xbbbbbbbb);
}

static void fault_stops_the_queue(void **state)
{
	(void)state;
	ring_map(&comp, &kiq);
	ring_map(&comp2, &kiq);
	/* an IB in VMID 5, which has no page table */
	RING_PUT(&comp, PM4(0x3f, 3), 0x1000, 0, 5U << 24 | 1 << 23 | 16);
	RING_PUT(&comp, PM4(0x79, 2), SCRATCH - 0xc000, 1);
	ring_commit(&comp);
	engine_expect(&gpu, VGPU_BAD_VM_FAULT, 1);
	assert_int_equal(vgpu_reg_engine_read(&gpu, SCRATCH), 0);
	ring_test(&comp2, 2);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, engine_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(the_kiq_executes_packets),
		TEST(the_kiq_maps_a_queue_from_its_mqd),
		TEST(mapping_takes_the_wptr_in_memory),
		TEST(only_the_kiq_maps),
		TEST(queues_that_cannot_be_mapped),
		TEST(a_doorbell_waits_until_the_kiq_maps_the_queue),
		TEST(rings_wrap_around),
		TEST(an_incomplete_packet_waits_for_its_rest),
		TEST(nops_are_skipped),
		TEST(no_header_stops_the_queue),
		TEST(unknown_packet_is_skipped),
		TEST(a_waiting_queue_stops_no_other_queue),
		TEST(unmap_by_reset),
		TEST(unmap_by_preemption_waits_for_waves),
		TEST(preemption_without_unmapping),
		TEST(unmap_by_reset_kills_waves),
		TEST(dequeue_by_register),
		TEST(dequeue_by_register_with_reset),
		TEST(the_kiq_restarts_after_a_dequeue),
		TEST(vmid_reset_takes_graphics_queues),
		TEST(query_status_writes_its_fence),
		TEST(kiq_fence_interrupts),
		TEST(a_hung_queue_runs_after_it_is_mapped_again),
		TEST(a_halted_engine_executes_nothing),
		TEST(a_reset_unmaps_all_queues),
		TEST(fault_stops_the_queue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

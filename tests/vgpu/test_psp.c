// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PSP: its ring, created as in psp_v11_0.c, and the commands of amdgpu_psp.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "engine.h"

#define RING_BYTES	0x200		/* 8 frames */
#define FRAME_DWORDS	16
#define READY		BIT(31)
#define INIT_GPCOM_RING	(2 << 16)
#define DESTROY_RINGS	(3 << 16)
#define MODE1_RESET	(7 << 16)

static u64 ring, cmd, fence;
static u32 wptr, fence_value;

static void create_ring(void)
{
	engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_69, 0, LO(engine_mc(&gpu, ring)));
	engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_70, 0, HI(engine_mc(&gpu, ring)));
	engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_71, 0, RING_BYTES);
	engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_64, 0, INIT_GPCOM_RING);
	assert_int_equal(engine_reg(&gpu, R_MP0_SMN_C2PMSG_64, 0), READY);
	assert_int_equal(engine_reg(&gpu, R_MP0_SMN_C2PMSG_67, 0), 0);
	wptr = 0;
}

static int setup(void **state)
{
	engine_setup(state);
	ring = engine_alloc(&gpu, VGPU_PAGE_SIZE);
	cmd = engine_alloc(&gpu, VGPU_PAGE_SIZE);
	fence = engine_alloc(&gpu, VGPU_PAGE_SIZE);
	fence_value = 0;
	return 0;
}

/* psp_cmd_submit_buf(): put the frame; the answer is in the command buffer. */
static void put_frame(u32 id, u32 arg0, u32 arg1)
{
	u32 *buf = engine_ptr(&gpu, cmd);
	u32 *frame = (u32 *)engine_ptr(&gpu, ring) + wptr;

	memset(buf, 0, 1024);
	buf[2] = id;
	buf[7] = arg0;
	buf[8] = arg1;
	buf[216] = 0x55555555;
	memset(frame, 0, FRAME_DWORDS * 4);
	frame[0] = LO(engine_mc(&gpu, cmd));
	frame[1] = HI(engine_mc(&gpu, cmd));
	frame[2] = 1024;
	frame[3] = LO(engine_mc(&gpu, fence));
	frame[4] = HI(engine_mc(&gpu, fence));
	frame[5] = ++fence_value;
	wptr = (wptr + FRAME_DWORDS) % (RING_BYTES / 4);
}

static void submit(u32 id, u32 arg0, u32 arg1)
{
	put_frame(id, arg0, arg1);
	engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_67, 0, wptr);
}

static u32 resp(unsigned int dword)
{
	return ((u32 *)engine_ptr(&gpu, cmd))[216 + dword];
}

static u32 fence_now(void)
{
	return *(u32 *)engine_ptr(&gpu, fence);
}

static void ready_at_power_on(void **state)
{
	(void)state;
	/* amdgpu_discovery.c, psp_v11_0_ring_create(), sOS alive */
	assert_true(engine_reg(&gpu, R_MP0_SMN_C2PMSG_33, 0) & READY);
	assert_int_equal(engine_reg(&gpu, R_MP0_SMN_C2PMSG_64, 0), READY);
	assert_int_not_equal(engine_reg(&gpu, R_MP0_SMN_C2PMSG_81, 0), 0);
}

static void commands(void **state)
{
	(void)state;
	create_ring();
	submit(0x20, 0, 0);			/* LOAD_TOC */
	assert_int_equal(resp(0), 0);
	assert_int_equal(resp(4), 0x400000);	/* tmr_size */
	assert_int_equal(fence_now(), 1);
	submit(0x05, 0, 0);			/* SETUP_TMR */
	assert_int_equal(resp(0), 0);
	submit(0x06, 0x1000, 0xf4);		/* LOAD_IP_FW */
	assert_int_equal(resp(0), 0);
	assert_int_equal(resp(2), 0x1000);
	assert_int_equal(resp(3), 0xf4);
	submit(0x04, 0, 0);			/* LOAD_ASD */
	assert_int_equal(resp(0), 0);
	assert_int_not_equal(resp(1), 0);	/* session */
	submit(0x02, resp(1), 0);		/* UNLOAD_TA */
	assert_int_equal(resp(0), 0);
	submit(0x07, 0, 0);			/* DESTROY_TMR */
	assert_int_equal(resp(0), 0);
	assert_int_equal(fence_now(), 6);
	assert_int_equal(gpu.counters.psp_commands, 6);
}

static void autoload(void **state)
{
	(void)state;
	create_ring();
	assert_int_equal(engine_reg(&gpu, R_RLC_RLCS_BOOTLOAD_STATUS, 0), 0);
	submit(0x21, 0, 0);
	assert_int_equal(engine_reg(&gpu, R_RLC_RLCS_BOOTLOAD_STATUS, 0),
			 BIT(31));
	/* The RLC must be loaded again after a reset of GC. */
	vgpu_reset(&gpu);
	assert_int_equal(engine_reg(&gpu, R_RLC_RLCS_BOOTLOAD_STATUS, 0), 0);
	submit(0x21, 0, 0);
	assert_int_equal(engine_reg(&gpu, R_RLC_RLCS_BOOTLOAD_STATUS, 0),
			 BIT(31));
}

/*
 * gfx_v10_0_compute_mqd_init() begins with the RPTR that it reads, and WPTR 0, Linux 6.1:
 * also when the driver resumes a GPU that was not without power, and has stopped the CP with
 * its queues on it. The firmware that was loaded knows none of them.
 */
static void autoload_leaves_no_queue(void **state)
{
	struct ring kiq;
	const struct {
		enum vgpu_role role;
		u32 idx;
	} cleared[] = {
		{ R_CP_HQD_ACTIVE, 0 }, { R_CP_HQD_PQ_RPTR, 0 }, { R_CP_HQD_PQ_WPTR_LO, 0 },
		{ R_CP_HQD_PQ_WPTR_LO, 1 },
	};

	(void)state;
	create_ring();
	ring_init(&kiq, &gpu, (struct vgpu_queue_id){ 2, 1, 0 }, 1024, 0);
	ring_start_kiq(&kiq);
	RING_PUT(&kiq, PM4(0x79, 2), 0x40, 0xdeadbeef);
	ring_commit(&kiq);
	assert_int_equal(*vgpu_reg_of_queue(&gpu, 2, 1, 0, R_CP_HQD_PQ_RPTR, 0), 3);
	submit(0x21, 0, 0);
	for (size_t i = 0; i < ARRAY_SIZE(cleared); i++)
		assert_int_equal(*vgpu_reg_of_queue(&gpu, 2, 1, 0, cleared[i].role,
						    cleared[i].idx), 0);
	assert_false(vgpu_cp_doorbell(&gpu, kiq.doorbell, 3));
}

static void ring_wraps(void **state)
{
	u32 i;

	(void)state;
	create_ring();
	for (i = 1; i <= 19; i++) {
		submit(0x05, 0, 0);
		assert_int_equal(fence_now(), i);
	}
	/* A new ring begins at its start. */
	engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_64, 0, DESTROY_RINGS);
	assert_int_equal(engine_reg(&gpu, R_MP0_SMN_C2PMSG_64, 0), READY);
	create_ring();
	submit(0x05, 0, 0);
	assert_int_equal(fence_now(), 20);
	assert_int_equal(gpu.counters.psp_commands, 20);
}

static void many_frames_at_once(void **state)
{
	u32 i;

	(void)state;
	create_ring();
	for (i = 0; i < 6; i++)
		put_frame(0x05, 0, 0);
	submit(0x05, 0, 0);
	assert_int_equal(gpu.counters.psp_commands, 7);
	/* And across the end of the ring. */
	for (i = 0; i < 4; i++)
		put_frame(0x05, 0, 0);
	submit(0x05, 0, 0);
	assert_int_equal(gpu.counters.psp_commands, 12);
	assert_int_equal(fence_now(), 12);
}

static void unknown_command(void **state)
{
	(void)state;
	create_ring();
	submit(0x99, 0, 0);
	assert_int_equal(resp(0), 0xffff000a);	/* TEE_ERROR_NOT_SUPPORTED */
	assert_int_equal(fence_now(), 1);
	engine_expect(&gpu, VGPU_BAD_MESSAGE, 1);
	engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_64, 0, 0x5a << 16);
	engine_expect(&gpu, VGPU_BAD_MESSAGE, 1);
}

static void bad_pointers(void **state)
{
	(void)state;
	engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_67, 0, FRAME_DWORDS);
	engine_expect(&gpu, VGPU_BAD_MESSAGE, 1);	/* no ring */
	create_ring();
	engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_67, 0, RING_BYTES / 4);
	engine_expect(&gpu, VGPU_BAD_MESSAGE, 1);
	engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_67, 0, 3);
	engine_expect(&gpu, VGPU_BAD_MESSAGE, 1);
	assert_int_equal(gpu.counters.psp_commands, 0);
}

/* A ring in memory that is not there is a fault, and no endless loop. */
static void ring_nowhere(void **state)
{
	(void)state;
	engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_69, 0, 0x1000);
	engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_70, 0, 0);
	engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_71, 0, RING_BYTES);
	engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_64, 0, INIT_GPCOM_RING);
	engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_67, 0, FRAME_DWORDS);
	engine_expect(&gpu, VGPU_BAD_VM_FAULT, 1);
}

static void mode1_reset(void **state)
{
	(void)state;
	engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_64, 0, MODE1_RESET);
	assert_int_equal(gpu.counters.resets, 1);
	assert_int_equal(engine_reg(&gpu, R_MP0_SMN_C2PMSG_64, 0), READY);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, engine_teardown)

/* psp_ring_init() makes one of 4 KiB, of whole frames (amdgpu_psp.c). */
static void a_ring_has_a_largest_size(void **state)
{
	static const u32 bad[] = { 0x2000, 0xffffffc0, 0x230 };
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_71, 0, bad[i]);
		engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_64, 0, INIT_GPCOM_RING);
		engine_expect(&gpu, VGPU_BAD_MESSAGE, 1);
		/* There is no ring, so no frame of it is looked at. */
		engine_set_reg(&gpu, R_MP0_SMN_C2PMSG_67, 0, 16);
		engine_expect(&gpu, VGPU_BAD_MESSAGE, 1);
		assert_int_equal(gpu.counters.psp_commands, 0);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(ready_at_power_on),
		TEST(commands),
		TEST(a_ring_has_a_largest_size),
		TEST(autoload),
		TEST(autoload_leaves_no_queue),
		TEST(ring_wraps),
		TEST(many_frames_at_once),
		TEST(unknown_command),
		TEST(bad_pointers),
		TEST(ring_nowhere),
		TEST(mode1_reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

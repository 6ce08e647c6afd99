// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The SMU: messages as vangogh_ppt.c sends them, tables, GFXOFF, reset; and the
 * safe-mode handshake of the RLC. Numbers: smu_v11_5_ppsmc.h, table offsets:
 * smu11_driver_if_vangogh.h (Linux 7.2.12).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "engine.h"

#define OK		1
#define UNKNOWN		0xfe
#define FAILED		0xff

/* smu_cmn_send_smc_msg_with_param(); returns the result, sets *@arg. */
static u32 send(u32 msg, u32 *arg)
{
	/* It waits for the result of the previous one first. */
	assert_int_not_equal(engine_reg(&gpu, R_MP1_SMN_C2PMSG_90, 0), 0);
	engine_set_reg(&gpu, R_MP1_SMN_C2PMSG_90, 0, 0);
	engine_set_reg(&gpu, R_MP1_SMN_C2PMSG_82, 0, *arg);
	engine_set_reg(&gpu, R_MP1_SMN_C2PMSG_66, 0, msg);
	*arg = engine_reg(&gpu, R_MP1_SMN_C2PMSG_82, 0);
	return engine_reg(&gpu, R_MP1_SMN_C2PMSG_90, 0);
}

static u32 ask(u32 msg, u32 arg)
{
	assert_int_equal(send(msg, &arg), OK);
	return arg;
}

static void firmware_runs(void **state)
{
	(void)state;
	/* smu_v11_0_check_fw_status() through PCIE_INDEX2/DATA2 */
	engine_set_reg(&gpu, R_PCIE_INDEX2, 0, 0x03b10024);
	assert_int_equal(engine_reg(&gpu, R_PCIE_DATA2, 0) & 1, 1);
}

static void questions(void **state)
{
	(void)state;
	assert_int_equal(ask(0x01, 41), 42);		/* TestMessage */
	assert_true(ask(0x02, 0) >= 0x043f1e00);	/* power limits known */
	assert_int_equal(ask(0x03, 0), 3);		/* DriverIfVersion */
	/* DPM_GFXCLK is bit 19: without it there is no GFXOFF. */
	assert_true(ask(0x15, 0) & BIT(19));
	assert_int_not_equal(ask(0x15, 1), 0);
	assert_in_range(ask(0x2d, 0), 60, 120);		/* ThermalLimit */
	assert_int_equal(ask(0x48, 0), 4);		/* QueryActiveWgp */
	assert_int_equal(gpu.counters.smu_messages, 7);
}

static void set_table(u64 offset)
{
	ask(0x10, HI(engine_mc(&gpu, offset)));
	ask(0x11, LO(engine_mc(&gpu, offset)));
}

static void clock_table(void **state)
{
	u64 page = engine_alloc(&gpu, VGPU_PAGE_SIZE);
	const u8 *t = engine_ptr(&gpu, page);
	u32 min, max, fclk[4], i;

	(void)state;
	set_table(page);
	ask(0x12, 4);
	/* DpmClocks_t: 42 + 10 + 8 dwords, then DfPstateTable */
	memcpy(&fclk[0], t + 240, 4);
	for (i = 1; i < 4; i++) {
		memcpy(&fclk[i], t + 240 + 12 * i, 4);
		assert_true(fclk[i] > 0 && fclk[i] < fclk[i - 1]);
	}
	memcpy(&min, t + 288, 4);
	memcpy(&max, t + 292, 4);
	assert_true(min > 0 && min < max);
	assert_int_equal(t[296], 4);			/* NumDfPstates */
	assert_true(t[299] > 0);			/* NumSocClkLevels */
}

static void metrics_table(void **state)
{
	u64 page = engine_alloc(&gpu, VGPU_PAGE_SIZE);
	u16 t[100];

	(void)state;
	set_table(page);
	ask(0x12, 7);
	memcpy(t, engine_ptr(&gpu, page), sizeof(t));
	assert_int_not_equal(t[0], 0);			/* GfxclkFrequency */
	/* GfxTemperature of both samples, in 1/100 degrees */
	assert_in_range(t[36], 2000, 9000);
	assert_in_range(t[40 + 36], 2000, 9000);
}

static void bad_tables(void **state)
{
	u32 arg = 5;

	(void)state;
	set_table(engine_alloc(&gpu, VGPU_PAGE_SIZE));
	assert_int_equal(send(0x12, &arg), FAILED);
	engine_expect(&gpu, VGPU_BAD_MESSAGE, 1);
	/* An address without memory */
	ask(0x10, 0);
	arg = 4;
	assert_int_equal(send(0x12, &arg), FAILED);
	engine_expect(&gpu, VGPU_BAD_VM_FAULT, 1);
}

static u32 gfxoff_status(void)
{
	return engine_reg(&gpu, R_SMUIO_GFX_MISC_CNTL, 0) >> 1 & 3;
}

static void gfxoff(void **state)
{
	(void)state;
	assert_false(vgpu_smu_gfxoff_allowed(&gpu));
	assert_int_equal(gfxoff_status(), 2);
	ask(0x04, 0);			/* EnableGfxOff: only possible now */
	assert_false(vgpu_smu_gfxoff_allowed(&gpu));
	ask(0x1d, 0);
	ask(0x1d, 0);
	assert_true(vgpu_smu_gfxoff_allowed(&gpu));
	assert_int_equal(gpu.counters.gfxoff_allowed, 2);
	assert_int_equal(gfxoff_status(), 0);
	assert_int_equal(ask(0x51, 0), 1);	/* entries */
	ask(0x1e, 0);
	assert_false(vgpu_smu_gfxoff_allowed(&gpu));
	assert_int_equal(gfxoff_status(), 2);
}

/* A wave of VMID 3 without code, halted where it starts */
static void start_wave(void)
{
	struct vgpu_dispatch d = {
		.vmid = 3, .threads = { 32, 1, 1 }, .last = { 32, 1, 1 },
		.groups = { 1, 1, 1 }, .initiator = 1 << 15,
	};

	u64 waves = gpu.counters.waves;

	engine_set_reg(&gpu, R_SPI_GDBG_WAVE_CNTL2, 0, 1 << 3 | 1 << 16);
	assert_int_equal(vgpu_sq_dispatch(&gpu, &d), 0);
	vgpu_work(&gpu, 1000);
	assert_int_equal(gpu.counters.waves, waves + 1);
}

/*
 * The core is switched off "when there is no workload on gfx or compute pipes"
 * (Documentation/gpu/amdgpu/thermal.rst, Linux 6.1), so not under a wave. An access
 * is a complaint all the same: the wave may end at any time.
 */
static void no_gfxoff_under_waves(void **state)
{
	u32 scratch = gpu.profile->regs[R_SH_MEM_CONFIG];

	(void)state;
	vgpu_reg_write(&gpu, scratch, 3);
	start_wave();
	ask(0x1d, 0);
	assert_int_equal(gfxoff_status(), 2);
	assert_int_equal(ask(0x50, 0), 2);
	assert_int_equal(ask(0x51, 0), 0);
	assert_int_equal(vgpu_reg_read(&gpu, scratch), 3);
	vgpu_reg_write(&gpu, scratch, 4);
	engine_expect(&gpu, VGPU_BAD_GFXOFF, 2);

	/* SQ_CMD KILL of VMID 3: soft recovery, before 6.12 without a look at GFXOFF */
	vgpu_reg_write(&gpu, gpu.profile->regs[R_SQ_CMD], 0x30000093);
	assert_false(vgpu_sq_busy(&gpu));
	vgpu_work(&gpu, 1000);
	assert_int_equal(gfxoff_status(), 0);
	assert_int_equal(ask(0x50, 0), 0);
	assert_int_equal(ask(0x51, 0), 1);
	assert_int_equal(vgpu_reg_read(&gpu, scratch), 0xffffffff);
	engine_expect(&gpu, VGPU_BAD_GFXOFF, 1);

	/* A dispatch wakes it up, and it goes off again behind that. */
	start_wave();
	assert_int_equal(gfxoff_status(), 2);
	vgpu_sq_queue_kill(&gpu, (struct vgpu_queue_id){ 0 });
	vgpu_work(&gpu, 1000);
	assert_int_equal(ask(0x51, 0), 2);
	ask(0x1e, 0);
	assert_int_equal(vgpu_reg_read(&gpu, scratch), 4);
}

/* A queue whose packet waits keeps the CP busy (GRBM_STATUS.CP_BUSY). */
static void no_gfxoff_under_packets(void **state)
{
	struct ring kiq;

	(void)state;
	ring_init(&kiq, &gpu, (struct vgpu_queue_id){ 2, 1, 0 }, 64, 0x10);
	ring_start_kiq(&kiq);
	ask(0x1d, 0);
	assert_int_equal(gfxoff_status(), 0);
	RING_PUT(&kiq, PM4(0x3c, 6), 3 | 1 << 4, LO(kiq.rptr_va + 64),
		 HI(kiq.rptr_va), 1, ~0U, 4);
	ring_commit(&kiq);
	assert_int_equal(gfxoff_status(), 2);
	kiq.rptr[16] = 1;
	vgpu_work(&gpu, 1000);
	assert_int_equal(*kiq.rptr, kiq.wptr);
	assert_int_equal(gfxoff_status(), 0);
	assert_int_equal(ask(0x51, 0), 2);
}

static void mode2_reset(void **state)
{
	u32 arg = 1;

	(void)state;
	ask(0x1d, 0);
	engine_set_reg(&gpu, R_GB_ADDR_CONFIG, 0, 7);
	ask(0x14, 2);
	assert_int_equal(gpu.counters.resets, 1);
	assert_false(vgpu_smu_gfxoff_allowed(&gpu));
	assert_int_equal(engine_reg(&gpu, R_GB_ADDR_CONFIG, 0),
			 gpu.profile->gb_addr_config);
	assert_int_equal(send(0x14, &arg), FAILED);
	engine_expect(&gpu, VGPU_BAD_MESSAGE, 1);
	assert_int_equal(gpu.counters.resets, 1);
}

static void unknown_messages(void **state)
{
	static const u32 unknown[] = { 0, 0x16, 0x24, 0x54, 0x57, 0xffff };
	size_t i;
	u32 arg;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(unknown); i++) {
		arg = 0;
		assert_int_equal(send(unknown[i], &arg), UNKNOWN);
	}
	engine_expect(&gpu, VGPU_BAD_MESSAGE, ARRAY_SIZE(unknown));
	/* Those of blocks that always run are fine. */
	ask(0x08, 0);
	ask(0x26, 0);
	ask(0x0a, 0);
}

static void safe_mode(void **state)
{
	(void)state;
	/* gfx_v10_0_set_safe_mode(): CMD | 1 << MESSAGE, wait for CMD == 0 */
	engine_set_reg(&gpu, R_RLC_SAFE_MODE, 0, 3);
	assert_int_equal(engine_reg(&gpu, R_RLC_SAFE_MODE, 0), 2);
	engine_set_reg(&gpu, R_RLC_SAFE_MODE, 0, 1);
	assert_int_equal(engine_reg(&gpu, R_RLC_SAFE_MODE, 0), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		ENGINE_TEST(firmware_runs),
		ENGINE_TEST(questions),
		ENGINE_TEST(clock_table),
		ENGINE_TEST(metrics_table),
		ENGINE_TEST(bad_tables),
		ENGINE_TEST(gfxoff),
		ENGINE_TEST(no_gfxoff_under_waves),
		ENGINE_TEST(no_gfxoff_under_packets),
		ENGINE_TEST(mode2_reset),
		ENGINE_TEST(unknown_messages),
		ENGINE_TEST(safe_mode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Registers of which each WGP or shader engine has an instance, their selection by
 * GRBM_GFX_INDEX, and harvested WGPs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sq_gpu.h"

#define MISSING		0xbebebeef

/* GRBM_GFX_INDEX: everything of one shader engine; one WGP */
#define SE(se)		(BIT(29) | BIT(30) | (u32)(se) << 16)
#define WGP(se, sa, wgp) ((u32)(se) << 16 | (sa) << 8 | GPU_SIMD(wgp, 0))

#define VALID		BIT(31)
#define ADDR		0x7f1234567880ULL

static int setup(void **state)
{
	*state = gpu_new(2, 2, 3);
	return 0;
}

static int teardown(void **state)
{
	gpu_free(*state);
	return 0;
}

static void select(struct vgpu *g, u32 index)
{
	gpu_write(g, R_GRBM_GFX_INDEX, 0, index);
}

static void each_wgp_has_watches(void **state)
{
	struct vgpu *g = *state;

	gpu_write(g, R_TCP_WATCH0_ADDR_H, 1, 0x100);
	select(g, WGP(1, 0, 2));
	gpu_write(g, R_TCP_WATCH0_ADDR_H, 1, 0x200);
	assert_int_equal(gpu_read(g, R_TCP_WATCH0_ADDR_H, 1), 0x200);
	select(g, WGP(1, 1, 2));
	assert_int_equal(gpu_read(g, R_TCP_WATCH0_ADDR_H, 1), 0x100);
	/* Reads go where the fields say, whatever writes go to. */
	select(g, GPU_ALL);
	assert_int_equal(gpu_read(g, R_TCP_WATCH0_ADDR_H, 1), 0x100);
	select(g, GPU_ALL | WGP(1, 0, 2));
	assert_int_equal(gpu_read(g, R_TCP_WATCH0_ADDR_H, 1), 0x200);
	gpu_write(g, R_TCP_WATCH0_ADDR_H, 1, 0x300);
	select(g, WGP(0, 0, 0));
	assert_int_equal(gpu_read(g, R_TCP_WATCH0_ADDR_H, 1), 0x300);
	assert_int_equal(vgpu_complaints_total(g), 0);
}

static void a_watch_sees_its_wgp_only(void **state)
{
	static struct vgpu_wave w = { .vmid = GPU_VMID, .se = 1, .wgp = 2 };
	struct vgpu *g = *state;

	select(g, WGP(1, 0, 2));
	gpu_write(g, R_TCP_WATCH0_ADDR_H, 0, upper_32_bits(ADDR));
	gpu_write(g, R_TCP_WATCH0_ADDR_H, 1, lower_32_bits(ADDR));
	gpu_write(g, R_TCP_WATCH0_ADDR_H, 2,
		  VALID | 3U << 29 | GPU_VMID << 24 | 0x7fffff);
	assert_int_equal(vgpu_watch_match(g, &w, ADDR, 4, VGPU_WATCH_READ),
			 0x80);
	w.sa = 1;
	assert_int_equal(vgpu_watch_match(g, &w, ADDR, 4, VGPU_WATCH_READ), 0);
}

static void each_wgp_and_vmid_has_a_handler(void **state)
{
	struct vgpu *g = *state;

	select(g, WGP(0, 1, 1));
	gpu_set_handler(g, 5, 0x1100, true);
	select(g, GPU_ALL);
	gpu_write(g, R_GRBM_GFX_CNTL, 0, 5 << 4);
	assert_int_equal(gpu_read(g, R_SQ_SHADER_TBA_LO, 0), 0);
	select(g, WGP(0, 1, 1));
	assert_int_equal(gpu_read(g, R_SQ_SHADER_TBA_LO, 0), 0x11);
	gpu_write(g, R_GRBM_GFX_CNTL, 0, 4 << 4);
	assert_int_equal(gpu_read(g, R_SQ_SHADER_TBA_LO, 0), 0);
	gpu_write(g, R_GRBM_GFX_CNTL, 0, 0);
}

/* Waves start halted on one shader engine, and not at all on the other. */
static void each_engine_has_a_launch_mode(void **state)
{
	static const u32 code[] = { I_BRANCH_SELF };
	struct vgpu_dispatch d = gpu_dispatch(32, 12);
	struct vgpu *g = *state;
	struct vgpu_wave *w;
	unsigned int sa, wgp;

	gpu_code(g, GPU_VA, code, 1);
	select(g, SE(1));
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0, GPU_LAUNCH_HALTED(GPU_VMID));
	select(g, SE(0));
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL, 0, 2 << GPU_VMID);
	select(g, GPU_ALL);
	assert_int_equal(gpu_read(g, R_SPI_GDBG_WAVE_CNTL2, 0), 0);
	gpu_launch(g, &d);
	assert_int_equal(gpu_count_waves(g), 12);
	for (sa = 0; sa < 2; sa++)
		for (wgp = 0; wgp < 3; wgp++) {
			w = vgpu_sq_wave(g, 1, sa, wgp, 0, 0);
			assert_non_null(w);
			assert_int_equal(w->stop, VGPU_STOP_HALT);
			assert_null(vgpu_sq_wave(g, 0, sa, wgp, 0, 0));
		}
}

/* A GPU whose first array has lost WGPs 0 and 2. */
static struct vgpu *harvested(void)
{
	struct vgpu *g = gpu_new(2, 1, 3);

	g->opt.harvest[0][0] = BIT(0) | BIT(2);
	return g;
}

static void a_harvested_wgp_has_no_registers(void **state)
{
	struct vgpu *g = harvested();
	struct vgpu_bank_select first = vgpu_reg_first(g);

	(void)state;
	assert_int_equal(vgpu_num_wgps(g), 4);
	assert_int_equal(first.wgp, 1);
	gpu_write(g, R_SQ_WATCH0_ADDR_H, 1, 0x40);
	assert_int_equal(gpu_read(g, R_SQ_WATCH0_ADDR_H, 1), MISSING);
	gpu_write(g, R_SQ_IND_INDEX, 0, 0x102 << 16);
	select(g, WGP(0, 0, 1));
	assert_int_equal(gpu_read(g, R_SQ_WATCH0_ADDR_H, 1), 0x40);
	select(g, WGP(0, 0, 2));
	assert_int_equal(gpu_read(g, R_SQ_IND_DATA, 0), MISSING);
	assert_int_equal(gpu_read(g, R_SQ_WATCH0_ADDR_H, 1), MISSING);
	assert_int_equal(vgpu_complaints_total(g), 0);
	gpu_write(g, R_SQ_WATCH0_ADDR_H, 1, 0x80);
	assert_int_equal(vgpu_complaints(g, VGPU_BAD_BANK), 1);
	/* An engine is there as long as any of its WGPs is. */
	select(g, GPU_ALL);
	gpu_write(g, R_SPI_GDBG_TRAP_MASK, 0, 0x80);
	assert_int_equal(gpu_read(g, R_SPI_GDBG_TRAP_MASK, 0), 0x80);
	g->opt.harvest[0][0] = 7;
	assert_int_equal(gpu_read(g, R_SPI_GDBG_TRAP_MASK, 0), MISSING);
	select(g, SE(1));
	assert_int_equal(gpu_read(g, R_SPI_GDBG_TRAP_MASK, 0), 0x80);
	gpu_free(g);
}

static void a_harvested_wgp_has_no_waves(void **state)
{
	static const u32 code[] = { I_BRANCH_SELF };
	struct vgpu_dispatch d = gpu_dispatch(32, 64);
	struct vgpu *g = harvested();

	(void)state;
	gpu_code(g, GPU_VA, code, 1);
	gpu_launch(g, &d);
	assert_int_equal(gpu_count_waves(g), 64);
	assert_null(vgpu_sq_wave(g, 0, 0, 0, 0, 0));
	assert_null(vgpu_sq_wave(g, 0, 0, 2, 0, 0));
	assert_non_null(vgpu_sq_wave(g, 0, 0, 1, 0, 0));
	gpu_free(g);
}

/* INACTIVE_WGPS [31:16], as gfx_v10_0_get_cu_info() selects and reads it. */
static void the_driver_reads_which_wgps_are_harvested(void **state)
{
	struct vgpu *g = harvested();

	(void)state;
	select(g, BIT(30));
	assert_int_equal(gpu_read(g, R_CC_GC_SHADER_ARRAY_CONFIG, 0),
			 0x50000);
	select(g, BIT(30) | 1 << 16);
	assert_int_equal(gpu_read(g, R_CC_GC_SHADER_ARRAY_CONFIG, 0), 0);
	gpu_free(g);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	static const struct CMUnitTest tests[] = {
		TEST(each_wgp_has_watches),
		TEST(a_watch_sees_its_wgp_only),
		TEST(each_wgp_and_vmid_has_a_handler),
		TEST(each_engine_has_a_launch_mode),
		cmocka_unit_test(a_harvested_wgp_has_no_registers),
		cmocka_unit_test(a_harvested_wgp_has_no_waves),
		cmocka_unit_test(the_driver_reads_which_wgps_are_harvested),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

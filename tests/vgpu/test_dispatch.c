// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The dispatcher: the state in which waves start, their slots, and when they start. The launch
 * mode is "halted", so no instruction is executed.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "sq_gpu.h"

static int setup(void **state)
{
	struct vgpu *g = gpu_new(1, 1, 4);

	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0, GPU_LAUNCH_HALTED(GPU_VMID));
	*state = g;
	return 0;
}

static int teardown(void **state)
{
	gpu_free(*state);
	return 0;
}

static struct vgpu_wave *wave_at(struct vgpu *g, unsigned int wgp,
				 unsigned int simd)
{
	struct vgpu_wave *w = vgpu_sq_wave(g, 0, 0, wgp, simd, 0);

	assert_non_null(w);
	return w;
}

static void sgprs_of_a_new_wave(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(40, 1);
	struct vgpu_wave *w;

	d.start[0] = 7;
	d.start[1] = 8;
	d.start[2] = 9;
	memcpy(d.user_data, (u32[]){ 0xa0, 0xa1, 0xa2, 0xa3, 0xa4 }, 20);
	/* WGP_MODE; USER_SGPR 4, TGID_X, TGID_Z, TG_SIZE */
	d.rsrc1 = 1 << 29;
	d.rsrc2 = 4 << 1 | 1 << 7 | 1 << 9 | 1 << 10;
	gpu_launch(g, &d);

	assert_int_equal(gpu_count_waves(g), 2);
	w = wave_at(g, 0, 0);
	assert_int_equal(w->s[0], 0xa0);
	assert_int_equal(w->s[3], 0xa3);
	assert_int_equal(w->s[4], 7);
	assert_int_equal(w->s[5], 9);
	/* first wave of two, number 0 */
	assert_int_equal(w->s[6], 0x80000002);
	assert_int_equal(w->s[7], 0);
	w = wave_at(g, 0, 1);
	assert_int_equal(w->s[3], 0xa3);
	/* number 1 in [24:20]; in [11:6], where RADV's wave64 looks for it */
	assert_int_equal(w->s[6], 0x00100042);
	assert_int_equal(w->s[VGPU_S_M0], 0);
	assert_true(w->pc == GPU_VA);
}

static void vgprs_of_a_new_wave32(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(8, 1);
	struct vgpu_wave *w;

	/* 8 x 5 = 40 work-items; TIDIG_COMP_CNT 1: x and y */
	d.threads[1] = 5;
	d.last[1] = 5;
	d.rsrc1 = 1 << 29;
	d.rsrc2 = 1 << 11;
	gpu_launch(g, &d);

	w = wave_at(g, 0, 0);
	assert_int_equal(w->lanes, 32);
	assert_true(vgpu_wave_exec(w) == 0xffffffff);
	assert_int_equal(w->v[0][11], 3);
	assert_int_equal(w->v[1][11], 1);
	assert_int_equal(w->v[2][11], 0);
	w = wave_at(g, 0, 1);
	assert_true(vgpu_wave_exec(w) == 0xff);
	/* work-item 39 */
	assert_int_equal(w->v[0][7], 7);
	assert_int_equal(w->v[1][7], 4);
	/* beyond the last */
	assert_int_equal(w->v[0][8], 0);
}

static void vgprs_of_a_new_wave64(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(5, 1);
	struct vgpu_wave *w;

	/* 5 x 4 x 5 = 100; x, y and z */
	d.threads[1] = 4;
	d.last[1] = 4;
	d.threads[2] = 5;
	d.last[2] = 5;
	d.initiator = 0;
	d.rsrc1 = 1 << 29;
	d.rsrc2 = 2 << 11;
	gpu_launch(g, &d);

	assert_int_equal(gpu_count_waves(g), 2);
	w = wave_at(g, 0, 0);
	assert_int_equal(w->lanes, 64);
	assert_true(vgpu_wave_exec(w) == ~0ULL);
	assert_int_equal(vgpu_wave_reg(g, w, VGPU_HWREG_IB_STS2), 0x800);
	/* 63 = 3 + 5 * (0 + 4 * 3) */
	assert_int_equal(w->v[0][63], 3);
	assert_int_equal(w->v[1][63], 0);
	assert_int_equal(w->v[2][63], 3);
	w = wave_at(g, 0, 1);
	assert_true(vgpu_wave_exec(w) == 0xfffffffffULL);
	/* 99 = 4 + 5 * (3 + 4 * 4) */
	assert_int_equal(w->v[0][35], 4);
	assert_int_equal(w->v[1][35], 3);
	assert_int_equal(w->v[2][35], 4);
}

static void registers_of_a_new_wave(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(64, 1);
	struct vgpu_wave *w;

	d.queue = (struct vgpu_queue_id){ .me = 1, .pipe = 3, .queue = 5 };
	/*
	 * VGPRS 2 (24), PRIORITY 2, FLOAT_MODE 0xc5, DX10_CLAMP, DEBUG_MODE,
	 * IEEE_MODE, FP16_OVFL, WGP_MODE, FWD_PROGRESS
	 */
	d.rsrc1 = 2 | 2 << 10 | 0xc5 << 12 | 1 << 21 | 1 << 22 | 1 << 23 |
		  1 << 26 | 1 << 29 | 1U << 31;
	/* EXCP_EN_MSB 2 (memory violation), LDS 3 blocks, EXCP_EN 0x44 */
	d.rsrc2 = 2 << 13 | 3 << 15 | 0x44 << 24;
	gpu_launch(g, &d);

	w = wave_at(g, 0, 1);
	/* VALID, HALT, IN_TG, SPI_PRIO 2; VCC is zero, EXEC is not */
	assert_int_equal(vgpu_wave_reg(g, w, VGPU_HWREG_STATUS), 0x12c04);
	assert_int_equal(vgpu_wave_reg(g, w, VGPU_HWREG_MODE),
			 0xc5 | 0x100 | 0x200 | 0x800 | 0x44 << 12 |
			 2 << 19 | 0x800000);
	assert_int_equal(w->num_vgprs, 24);
	/* VGPR_SIZE 24 / 4 - 1; alone on its SIMD */
	assert_int_equal(vgpu_wave_reg(g, w, VGPU_HWREG_GPR_ALLOC), 0x500);
	/* 3 * 512 bytes = 6 * 64 dwords */
	assert_int_equal(vgpu_wave_reg(g, w, VGPU_HWREG_LDS_ALLOC), 6 << 12);
	assert_int_equal(vgpu_wave_reg(g, w, VGPU_HWREG_IB_STS2), 0x400);
	/* slot 0, SIMD 1, WGP 0 */
	assert_int_equal(vgpu_wave_reg(g, w, VGPU_HWREG_HW_ID1), 0x100);
	/* queue 5, pipe 3, ME 1, VMID 3 */
	assert_int_equal(vgpu_wave_reg(g, w, VGPU_HWREG_HW_ID2), 0x03000135);
	assert_int_equal(w->excp, 0);
}

static void lds_of_a_new_group(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(64, 1);
	u32 size0, size1;
	u8 *lds;

	d.rsrc1 = 1 << 29;
	d.rsrc2 = 3 << 15;
	gpu_launch(g, &d);
	lds = vgpu_wave_lds(wave_at(g, 0, 0), &size0);
	assert_int_equal(size0, 1536);
	memset(lds, 0x5a, size0);
	assert_ptr_equal(vgpu_wave_lds(wave_at(g, 0, 1), &size1), lds);
	assert_int_equal(size1, 1536);
}

/* Groups go round the WGPs; in CU mode, to one CU (a pair of SIMDs) each. */
static void groups_are_spread_over_wgps_and_cus(void **state)
{
	static const u8 wgp[] = { 0, 1, 2, 3, 0, 1 };
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 6);
	struct vgpu_wave *w;
	unsigned int i, simd;

	d.rsrc2 = 1 << 7;	/* TGID_X */
	gpu_launch(g, &d);
	assert_int_equal(gpu_count_waves(g), 6);
	for (i = 0; i < 6; i++) {
		for (simd = 0; simd < 4; simd++) {
			w = vgpu_sq_wave(g, 0, 0, wgp[i], simd, 0);
			if (w && w->s[0] == i)
				break;
		}
		assert_in_range(simd, 0, 3);
		assert_int_equal(w->serial, i + 1);
		/* the second group of a WGP is on its other CU */
		assert_int_equal(simd / 2, i / 4);
	}
}

static void test_big_geometry(void **state)
{
	struct vgpu *g = gpu_new(4, 2, 5);
	struct vgpu_dispatch d = gpu_dispatch(32, 40);
	struct vgpu_wave *w;

	(void)state;
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0, GPU_LAUNCH_HALTED(GPU_VMID));
	d.rsrc2 = 1 << 7;
	gpu_launch(g, &d);
	/* SE first, then SA, then WGP: group 39 is in the last corner. */
	w = vgpu_sq_wave(g, 3, 1, 4, 0, 0);
	assert_non_null(w);
	assert_int_equal(w->s[0], 39);
	/* WGP 4 << 10, SA 1 << 16, SE 3 << 18 */
	assert_int_equal(vgpu_wave_reg(g, w, VGPU_HWREG_HW_ID1), 0xd1000);
	assert_int_equal(vgpu_sq_wave(g, 1, 0, 0, 0, 0)->s[0], 1);
	assert_int_equal(vgpu_sq_wave(g, 0, 1, 0, 0, 0)->s[0], 4);
	gpu_free(g);
}

static void the_last_group_may_be_partial(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 2);
	struct vgpu_wave *w;

	d.threads[1] = 2;
	d.last[0] = 10;
	d.last[1] = 2;
	d.rsrc2 = 1 << 11;
	gpu_launch(g, &d);
	/* 32 x 2: two waves; 10 x 2: one */
	assert_int_equal(gpu_count_waves(g), 3);
	w = wave_at(g, 1, 0);
	assert_true(vgpu_wave_exec(w) == 0xfffff);
	assert_int_equal(w->v[0][13], 3);
	assert_int_equal(w->v[1][13], 1);
}

static void free_lds_limits_groups(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 5);

	d.rsrc2 = 1 << 7 | 256 << 15;	/* TGID_X; all 128 KiB */
	gpu_launch(g, &d);
	assert_int_equal(gpu_count_waves(g), 4);
	assert_false(vgpu_sq_runnable(g));

	vgpu_wave_end(g, wave_at(g, 2, 0));
	assert_true(vgpu_sq_runnable(g));
	gpu_run(g);
	assert_int_equal(gpu_count_waves(g), 4);
	/* Group 4 took the place of group 2 (its other CU's turn). */
	assert_int_equal(wave_at(g, 2, 2)->s[0], 4);
}

/* 64 rows of 16 registers: five waves of 192 do not fit on a SIMD. */
/* AMDGPUUsage of LLVM 19: 8 for each of SHARED_VGPR_CNT; of a wave64 only */
static void a_wave64_has_shared_vgprs(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(64, 1);
	struct vgpu_wave *w;

	d.rsrc1 = 5;		/* 24 of a wave64 */
	d.rsrc3 = 2;
	d.initiator = 0;
	gpu_launch(g, &d);
	w = wave_at(g, 0, 0);
	assert_int_equal(w->num_vgprs, 24);
	assert_int_equal(w->shared_vgprs, 16);
	/* VGPR_SHARED_SIZE, gc_10_3_0_sh_mask.h; in 8, cwsr_trap_handler_gfx10.asm */
	assert_int_equal(vgpu_wave_reg(g, w, VGPU_HWREG_LDS_ALLOC) >> 24, 2);
}

static void a_wave32_has_no_shared_vgprs(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 1);

	d.rsrc3 = 2;
	gpu_launch(g, &d);
	assert_int_equal(wave_at(g, 0, 0)->shared_vgprs, 0);
}

static void free_vgprs_limit_waves(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 100);
	struct vgpu_wave *w;

	d.rsrc1 = 1 << 29 | 23;	/* WGP_MODE; (23 + 1) * 8 = 192 */
	gpu_launch(g, &d);
	assert_int_equal(gpu_count_waves(g), 4 * 4 * 5);
	w = vgpu_sq_wave(g, 0, 0, 3, 3, 4);
	assert_non_null(w);
	/* fifth of its SIMD: base 4 * 192 / 4, size 192 / 4 - 1 */
	assert_int_equal(vgpu_wave_reg(g, w, VGPU_HWREG_GPR_ALLOC), 192 | 47 << 8);
	assert_null(vgpu_sq_wave(g, 0, 0, 3, 3, 5));
}

static void free_slots_limit_waves(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 300);

	d.rsrc1 = 1 << 29;
	gpu_launch(g, &d);
	/* 4 WGPs x 4 SIMDs x 16 slots */
	assert_int_equal(gpu_count_waves(g), 256);
	assert_null(vgpu_sq_wave(g, 0, 0, 0, 0, 16));
	assert_true(vgpu_sq_queue_busy(g, d.queue));
}

/* 32 barriers per WGP: 4 * 32 groups of two waves. */
static void free_barriers_limit_groups(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(64, 200);

	d.rsrc1 = 1 << 29;
	gpu_launch(g, &d);
	assert_int_equal(gpu_count_waves(g), 256);
	/* the 32nd group of WGP 0 */
	assert_int_equal(vgpu_sq_wave(g, 0, 0, 0, 3, 15)->group_id,
			 31);
}

static void waves_have_scratch_memory(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(64, 3);

	d.rsrc2 = 1;		/* SCRATCH_EN */
	d.rsrc1 = 1 << 29;
	d.tmpring_size = 4 | 2 << 12;	/* 4 waves, 2 KiB each */
	gpu_launch(g, &d);
	assert_int_equal(gpu_count_waves(g), 4);
	assert_int_equal(wave_at(g, 0, 0)->s[0], 0);
	assert_int_equal(wave_at(g, 0, 1)->s[0], 2048);
	assert_int_equal(wave_at(g, 1, 1)->s[0], 3 * 2048);
	/* The third group waits for two places. */
	vgpu_wave_end(g, wave_at(g, 0, 1));
	gpu_run(g);
	assert_int_equal(gpu_count_waves(g), 3);
	vgpu_wave_end(g, wave_at(g, 1, 0));
	gpu_run(g);
	assert_int_equal(gpu_count_waves(g), 4);
	assert_int_equal(wave_at(g, 2, 0)->s[0], 2048);
	assert_int_equal(wave_at(g, 2, 1)->s[0], 2 * 2048);
}

static void a_stalled_vmid_starts_no_waves(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 1);

	gpu_write(g, R_SPI_GDBG_WAVE_CNTL, 0, 1);	/* STALL_RA */
	gpu_launch(g, &d);
	assert_int_equal(gpu_count_waves(g), 0);
	assert_true(vgpu_sq_queue_busy(g, d.queue));

	/* STALL_VMID of VMID 3; the other VMID gets through. */
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0,
		  GPU_LAUNCH_HALTED(GPU_VMID) |
		  GPU_LAUNCH_HALTED(GPU_OTHER_VMID));
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL, 0, 1 << (1 + GPU_VMID));
	d.vmid = GPU_OTHER_VMID;
	d.queue.queue = 1;
	gpu_launch(g, &d);
	assert_int_equal(gpu_count_waves(g), 1);
	assert_int_equal(wave_at(g, 0, 0)->vmid, GPU_OTHER_VMID);

	gpu_write(g, R_SPI_GDBG_WAVE_CNTL, 0, 0);
	assert_true(vgpu_sq_runnable(g));
	gpu_run(g);
	assert_int_equal(gpu_count_waves(g), 2);
}

static void waves_start_in_the_launch_mode(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 1);

	gpu_code(g, GPU_VA, (u32[]){ I_BRANCH_SELF }, 1);
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0, GPU_LAUNCH_DEBUG(GPU_VMID));
	gpu_launch(g, &d);
	/* MODE.DEBUG_EN, and no more */
	assert_int_equal(vgpu_wave_reg(g, wave_at(g, 0, 0), VGPU_HWREG_MODE),
			 1 << 11);
	assert_int_equal(wave_at(g, 0, 0)->stop, 0);
	assert_true(wave_at(g, 0, 0)->slow);
}

static void trap_en_is_set_by_the_trap_registers(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(64, 1);
	struct vgpu_wave *w;

	d.start[0] = 11;
	d.rsrc1 = 1 << 29;
	gpu_launch(g, &d);
	assert_false(wave_at(g, 0, 1)->trap_en);
	assert_int_equal(wave_at(g, 0, 1)->s[VGPU_S_TTMP0 + 11], 0);

	/* Sampled at launch: the old wave keeps what it had. */
	gpu_set_handler(g, GPU_VMID, GPU_VA, true);
	assert_false(wave_at(g, 0, 1)->trap_en);
	gpu_launch(g, &d);
	w = wave_at(g, 1, 1);
	assert_true(w->trap_en);
	assert_int_equal(w->s[VGPU_S_TTMP0 + 8], 11);
	assert_int_equal(w->s[VGPU_S_TTMP0 + 11], 1);

	/* SPI_GDBG_TRAP_CONFIG: TRAP_EN, VMID_SEL of VMID 3 */
	gpu_set_handler(g, GPU_VMID, GPU_VA, false);
	gpu_launch(g, &d);
	assert_false(wave_at(g, 2, 1)->trap_en);
	gpu_write(g, R_SPI_GDBG_TRAP_CONFIG, 0,
		  1 << 15 | 1 << (16 + GPU_VMID));
	gpu_launch(g, &d);
	assert_true(wave_at(g, 3, 1)->trap_en);
}

static void quirks_of_trap_en_work(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 1);

	vgpu_quirk_set(g, "trap-en-at-launch", 0);
	gpu_launch(g, &d);
	gpu_set_handler(g, GPU_VMID, GPU_VA, true);
	assert_true(wave_at(g, 0, 0)->trap_en);

	vgpu_quirk_set(g, "trap-en-needs-trap-present", 1);
	gpu_launch(g, &d);
	assert_false(wave_at(g, 1, 0)->trap_en);
	d.rsrc2 = 1 << 6;	/* TRAP_PRESENT */
	gpu_launch(g, &d);
	assert_true(wave_at(g, 2, 0)->trap_en);
}

/* Fields of SPI_GDBG_TRAP_CONFIG: gc_10_3_0_sh_mask.h (Linux 7.2) */
static void trap_config_selects_waves(void **state)
{
	/* TRAP_EN, VMID 3; ME_SEL 1, PIPE_SEL 2, QUEUE_SEL 5 */
	u32 config = 1 << 15 | 1 << (16 + GPU_VMID) | 1 | 2 << 2 | 5 << 4;
	static const struct {
		u32 match;
		struct vgpu_queue_id queue;
		bool traps;
	} cases[] = {
		{ 0, { .me = 2 }, true },
		{ 1 << 7, { .me = 1 }, true },
		{ 1 << 7, { .me = 2 }, false },
		{ 1 << 8, { .me = 2, .pipe = 2 }, true },
		{ 1 << 8, { .me = 1, .pipe = 1 }, false },
		{ 1 << 9, { .me = 2, .queue = 5 }, true },
		{ 1 << 9, { .me = 1, .pipe = 2, .queue = 4 }, false },
		{ 7 << 7, { .me = 1, .pipe = 2, .queue = 5 }, true },
	};
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 1);
	struct vgpu_wave *w;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases) * 2; i++) {
		bool quirk = i & 1, traps = cases[i / 2].traps || !quirk;

		vgpu_quirk_set(g, "trap-config-match", quirk);
		gpu_write(g, R_SPI_GDBG_TRAP_CONFIG, 0,
			  config | cases[i / 2].match);
		d.queue = cases[i / 2].queue;
		gpu_launch(g, &d);
		w = gpu_newest_wave(g);
		assert_int_equal(w->trap_en, traps);
	}
}

/* What another dispatch has fetched stays until it is flushed or the TLB is. */
static void cached_instructions_stay_until_flushed(void **state)
{
	static const u32 two[] = { I_ADD_S20_1, I_ENDPGM };
	static const u32 nop = I_NOP;
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 1);
	u64 ran;

	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0, 0);
	gpu_code(g, GPU_VA, two, 2);
	gpu_launch(g, &d);
	gpu_run(g);
	ran = g->counters.instructions;
	assert_int_equal(ran, 2);
	/* s_endpgm at once, if it is seen. */
	memcpy(gpu_mem(g, GPU_VA), &two[1], 4);
	gpu_launch(g, &d);
	gpu_run(g);
	assert_int_equal(g->counters.instructions, ran + 2);
	vgpu_gmc_flush(g, BIT(GPU_OTHER_VMID));
	gpu_launch(g, &d);
	gpu_run(g);
	assert_int_equal(g->counters.instructions, ran + 4);
	vgpu_gmc_flush(g, BIT(GPU_VMID));
	gpu_launch(g, &d);
	gpu_run(g);
	assert_int_equal(g->counters.instructions, ran + 5);

	/* Neither, then the dispatch alone */
	memcpy(gpu_mem(g, GPU_VA), &nop, 4);
	assert_int_equal(vgpu_quirk_set(g, "icache-drop", 0), 0);
	vgpu_gmc_flush(g, BIT(GPU_VMID));
	gpu_launch(g, &d);
	gpu_run(g);
	assert_int_equal(g->counters.instructions, ran + 6);
	assert_int_equal(vgpu_quirk_set(g, "icache-drop", 1), 0);
	gpu_launch(g, &d);
	gpu_run(g);
	assert_int_equal(g->counters.instructions, ran + 8);
}

/* A dispatch whose packet has come has not started while its VMID is stalled. */
static void the_start_of_a_dispatch_empties_the_instruction_cache(void **state)
{
	static const u32 two[] = { I_ADD_S20_1, I_ENDPGM };
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 1);
	u64 ran;

	assert_int_equal(vgpu_quirk_set(g, "icache-drop", 1), 0);
	gpu_code(g, GPU_VA, two, 2);
	gpu_launch(g, &d);
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0, 0);
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL, 0, 1 << (1 + GPU_VMID));
	gpu_launch(g, &d);
	/* The wave before it fetches what is to be replaced. */
	vgpu_wave_halt(g, wave_at(g, 0, 0), false);
	gpu_run(g);
	ran = g->counters.instructions;
	assert_int_equal(ran, 2);
	memcpy(gpu_mem(g, GPU_VA), &two[1], 4);
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL, 0, 0);
	gpu_run(g);
	assert_int_equal(g->counters.instructions, ran + 1);
}

/* Its later groups find what the first have fetched. */
static void later_groups_use_the_cached_instructions(void **state)
{
	static const u32 two[] = { I_ADD_S20_1, I_ENDPGM };
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 2);

	assert_int_equal(vgpu_quirk_set(g, "icache-drop", 1), 0);
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0, 0);
	gpu_code(g, GPU_VA, two, 2);
	assert_int_equal(vgpu_sq_dispatch(g, &d), 0);
	/* One group starts in a turn without time, and its wave ends. */
	vgpu_sq_run(g, 0);
	assert_int_equal(g->counters.waves, 1);
	assert_int_equal(g->counters.instructions, 2);
	memcpy(gpu_mem(g, GPU_VA), &two[1], 4);
	gpu_run(g);
	assert_int_equal(g->counters.waves, 2);
	assert_int_equal(g->counters.instructions, 4);
}

static bool is_poison(u32 value)
{
	return value >> 20 == 0xfff;
}

static void uninitialised_registers_are_not_zero(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(40, 1);
	struct vgpu_wave *w, *other;
	unsigned int i;
	u32 size;
	u8 *lds;

	vgpu_quirk_set(g, "poison", 1);
	d.user_data[0] = 0xa0;
	d.rsrc1 = 1 << 29;
	d.rsrc2 = 1 << 1 | 2 << 15;	/* one SGPR, LDS */
	gpu_launch(g, &d);
	w = wave_at(g, 0, 0);
	other = wave_at(g, 0, 1);
	assert_int_equal(w->s[0], 0xa0);
	for (i = 1; i < VGPU_S_NULL; i++) {
		assert_true(is_poison(w->s[i]));
		assert_int_not_equal(w->s[i], other->s[i]);
	}
	assert_int_equal(w->s[VGPU_S_NULL], 0);
	assert_int_equal(w->s[VGPU_S_EXEC], 0xffffffff);
	assert_int_equal(w->v[0][1], 1);
	/* Work-items 40 and on do not exist. */
	assert_int_equal(other->v[0][7], 39);
	assert_true(is_poison(other->v[0][8]));
	assert_true(is_poison(w->v[1][0]));
	assert_true(is_poison(w->v[7][31]));
	lds = vgpu_wave_lds(w, &size);
	assert_int_equal(size, 1024);
	for (i = 0; i < size; i += 4)
		assert_true(is_poison(*(u32 *)(lds + i)));
}

static void the_trap_mask_enables_exceptions(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 1);

	d.rsrc2 = 0x04 << 24;	/* EXCP_EN: float division by zero */
	gpu_write(g, R_SPI_GDBG_TRAP_MASK, 0, 0x80);
	gpu_launch(g, &d);
	assert_int_equal(vgpu_wave_reg(g, wave_at(g, 0, 0), VGPU_HWREG_MODE),
			 0x84 << 12);
	gpu_write(g, R_SPI_GDBG_TRAP_MASK, 0, 1 << 9 | 0x100);	/* REPLACE */
	gpu_launch(g, &d);
	assert_int_equal(vgpu_wave_reg(g, wave_at(g, 1, 0), VGPU_HWREG_MODE),
			 0x100 << 12);
}

static void refused(struct vgpu *g, const struct vgpu_dispatch *d)
{
	u64 before = vgpu_complaints(g, VGPU_BAD_PACKET);

	assert_int_equal(vgpu_sq_dispatch(g, d), -EINVAL);
	assert_int_equal(vgpu_complaints(g, VGPU_BAD_PACKET), before + 1);
	assert_false(vgpu_sq_queue_busy(g, d->queue));
	assert_false(vgpu_sq_runnable(g));
}

static void impossible_dispatches_are_refused(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(1025, 1);

	refused(g, &d);
	d = gpu_dispatch(0, 1);
	refused(g, &d);
	d = gpu_dispatch(32, 1);
	d.rsrc2 = 257 << 15;	/* LDS_SIZE */
	refused(g, &d);
	d.rsrc2 = 17 << 1;	/* USER_SGPR */
	refused(g, &d);
	d.rsrc2 = 1;		/* SCRATCH_EN without places */
	refused(g, &d);
	/* A last group that is larger than the others, or has no threads at all */
	d = gpu_dispatch(32, 2);
	d.last[0] = 1056;
	refused(g, &d);
	d.last[0] = 32768;
	d.last[1] = 4;
	d.last[2] = 32768;	/* 2^32 */
	refused(g, &d);
	d.last[0] = 0;
	refused(g, &d);
	/* 32 waves of 256 VGPRs: 4 fit on a SIMD, 16 on a WGP */
	d = gpu_dispatch(1024, 1);
	d.rsrc1 = 1 << 29 | 31;
	refused(g, &d);
}

static void a_dispatch_of_no_groups_ends_at_once(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 0);

	assert_int_equal(vgpu_sq_dispatch(g, &d), 0);
	assert_false(vgpu_sq_queue_busy(g, d.queue));
}

/*
 * One queue's dispatches start in order, also when the later one would fit;
 * another queue does not wait for it.
 */
static void dispatches_of_a_queue_start_in_order(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch first = gpu_dispatch(32, 5);
	struct vgpu_dispatch second = gpu_dispatch(32, 1);
	struct vgpu_dispatch other = gpu_dispatch(32, 1);
	struct vgpu_wave *w;

	first.rsrc2 = 256 << 15;
	second.user_data[0] = 2;
	second.rsrc2 = 1 << 1;	/* USER_SGPR 1 */
	other.user_data[0] = 3;
	other.rsrc2 = 1 << 1;
	other.queue.pipe = 1;
	gpu_launch(g, &first);
	gpu_launch(g, &second);
	assert_int_equal(gpu_count_waves(g), 4);
	gpu_launch(g, &other);
	assert_int_equal(gpu_count_waves(g), 5);
	assert_true(vgpu_sq_queue_busy(g, other.queue));

	w = wave_at(g, 0, 0);
	vgpu_wave_end(g, w);
	gpu_run(g);
	/* first's last group, and then second */
	assert_int_equal(gpu_count_waves(g), 6);

	vgpu_sq_queue_kill(g, first.queue);
	assert_false(vgpu_sq_queue_busy(g, first.queue));
	assert_int_equal(gpu_count_waves(g), 1);
	assert_true(vgpu_sq_queue_busy(g, other.queue));
	vgpu_sq_reset(g);
	assert_int_equal(gpu_count_waves(g), 0);
	assert_false(vgpu_sq_queue_busy(g, other.queue));
}

/* 2^64 groups are not none. */
static void a_dispatch_of_2_to_the_64_groups_is_not_empty(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 1U << 31);

	d.groups[1] = 1U << 31;
	d.groups[2] = 4;
	gpu_launch(g, &d);
	assert_true(vgpu_sq_queue_busy(g, d.queue));
	assert_int_equal(gpu_count_waves(g), 256);
}

static void the_number_of_dispatches_of_a_queue_is_limited(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 1), other = d;
	unsigned int n;
	int ret = 0;

	other.queue.queue = 1;
	for (n = 0; n < 1000 && !ret; n++)
		ret = vgpu_sq_dispatch(g, &d);
	assert_int_equal(ret, -EAGAIN);
	assert_int_equal(vgpu_sq_dispatch(g, &d), -EAGAIN);
	assert_int_equal(vgpu_complaints_total(g), 0);
	assert_int_equal(vgpu_sq_dispatch(g, &other), 0);
	gpu_start(g);
	assert_int_equal(gpu_count_waves(g), n);
	/* One ends, and there is room for another. */
	vgpu_wave_end(g, wave_at(g, 0, 0));
	assert_int_equal(vgpu_sq_dispatch(g, &d), 0);
	assert_int_equal(vgpu_sq_dispatch(g, &d), -EAGAIN);
}

/* The host is asked between two groups, not only when all are there. */
static void the_host_is_answered_between_two_groups(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 256);

	assert_int_equal(vgpu_sq_dispatch(g, &d), 0);
	vgpu_sq_run(g, 0);
	assert_int_equal(gpu_count_waves(g), 1);
	assert_true(vgpu_sq_runnable(g));
	gpu_start(g);
	assert_int_equal(gpu_count_waves(g), 256);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(sgprs_of_a_new_wave),
		TEST(vgprs_of_a_new_wave32),
		TEST(vgprs_of_a_new_wave64),
		TEST(registers_of_a_new_wave),
		TEST(lds_of_a_new_group),
		TEST(groups_are_spread_over_wgps_and_cus),
		cmocka_unit_test(test_big_geometry),
		TEST(the_last_group_may_be_partial),
		TEST(free_lds_limits_groups),
		TEST(free_vgprs_limit_waves),
		TEST(a_wave64_has_shared_vgprs),
		TEST(a_wave32_has_no_shared_vgprs),
		TEST(free_slots_limit_waves),
		TEST(free_barriers_limit_groups),
		TEST(waves_have_scratch_memory),
		TEST(a_stalled_vmid_starts_no_waves),
		TEST(waves_start_in_the_launch_mode),
		TEST(trap_en_is_set_by_the_trap_registers),
		TEST(quirks_of_trap_en_work),
		TEST(trap_config_selects_waves),
		TEST(cached_instructions_stay_until_flushed),
		TEST(the_start_of_a_dispatch_empties_the_instruction_cache),
		TEST(later_groups_use_the_cached_instructions),
		TEST(uninitialised_registers_are_not_zero),
		TEST(the_trap_mask_enables_exceptions),
		TEST(impossible_dispatches_are_refused),
		TEST(a_dispatch_of_no_groups_ends_at_once),
		TEST(dispatches_of_a_queue_start_in_order),
		TEST(a_dispatch_of_2_to_the_64_groups_is_not_empty),
		TEST(the_number_of_dispatches_of_a_queue_is_limited),
		TEST(the_host_is_answered_between_two_groups),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

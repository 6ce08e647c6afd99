// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SQ_IND_INDEX and SQ_IND_DATA: the registers of a wave that can be read and written, with the
 * indices of gc_10_3_0_offset.h and navi10_enum.h (Linux 6.1).
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "sq_gpu.h"

#define AUTO_INCR	BIT(11)
#define WORKITEM(n)	((n) << 5)
#define INDEX(n)	((u32)(n) << 16)

enum {
	DEBUG_STS_LOCAL = 0x8,
	ACTIVE = 0xa,
	VALID_AND_IDLE = 0xb,
	MODE = 0x101,
	STATUS = 0x102,
	TRAPSTS = 0x103,
	GPR_ALLOC = 0x105,
	LDS_ALLOC = 0x106,
	IB_STS = 0x107,
	PC_LO = 0x108,
	PC_HI = 0x109,
	INST_DW0 = 0x10a,
	IB_DBG1 = 0x10d,
	FLAT_SCRATCH_LO = 0x114,
	FLAT_SCRATCH_HI = 0x115,
	HW_ID1 = 0x117,
	HW_ID2 = 0x118,
	IB_STS2 = 0x11c,
	SGPR0 = 0x200,
	TTMP0 = 0x26c,
	M0 = 0x27c,
	EXEC_LO = 0x27e,
	EXEC_HI = 0x27f,
	VGPR0 = 0x400,
};

static int setup(void **state)
{
	*state = gpu_new(1, 1, 4);
	return 0;
}

static int teardown(void **state)
{
	gpu_free(*state);
	return 0;
}

static struct vgpu_wave *halted_wave(struct vgpu *g)
{
	static const u32 code[] = { I_BRANCH_SELF };
	struct vgpu_wave *w = gpu_halted_wave(g, code, 1);

	gpu_write(g, R_GRBM_GFX_INDEX, 0, GPU_SIMD(0, 0));
	return w;
}

static void resume(struct vgpu *g)
{
	gpu_write(g, R_SQ_CMD, 0, 1 | 1 << 4 | 1 << 7 | (u32)GPU_VMID << 28);
}

static void sq_ind_reads_the_state_of_a_wave(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = halted_wave(g);

	w->fp_denorm = 0xf;
	w->dx10_clamp = true;
	w->ieee = true;
	w->excp = WAVE_EXCP_WATCH0;
	w->lds_bytes = 6 * 64 * 4;
	vgpu_wave_set_reg(g, w, VGPU_HWREG_IB_STS, 0x77);
	w->flat_scratch = 0x1122334455667788;
	assert_int_equal(gpu_ind(g, 0, MODE), 0x3f0);
	/* VALID, HALT, VCCZ */
	assert_int_equal(gpu_ind(g, 0, STATUS), 0x12400);
	assert_int_equal(gpu_ind(g, 0, TRAPSTS), 0x80);
	/* 8 VGPRs, in fours */
	assert_int_equal(gpu_ind(g, 0, GPR_ALLOC), 0x100);
	assert_int_equal(gpu_ind(g, 0, LDS_ALLOC), 0x6000);
	assert_int_equal(gpu_ind(g, 0, IB_STS), 0x77);
	assert_int_equal(gpu_ind(g, 0, PC_LO), 0);
	assert_int_equal(gpu_ind(g, 0, PC_HI), 1);
	assert_int_equal(gpu_ind(g, 0, INST_DW0), I_BRANCH_SELF);
	assert_int_equal(gpu_ind(g, 0, IB_DBG1), 0);
	assert_int_equal(gpu_ind(g, 0, FLAT_SCRATCH_LO), 0x55667788);
	assert_int_equal(gpu_ind(g, 0, FLAT_SCRATCH_HI), 0x11223344);
	assert_int_equal(gpu_ind(g, 0, HW_ID1), 0);
	assert_int_equal(gpu_ind(g, 0, HW_ID2), 0x03000100);
	assert_int_equal(gpu_ind(g, 0, IB_STS2), 0);
	assert_int_equal(gpu_ind(g, 0, 0x3ff), 0);
	/* SCC and EXECZ are made when they are read. */
	w->scc = 1;
	w->s[VGPU_S_EXEC] = 0;
	w->s[VGPU_S_VCC] = 1;
	assert_int_equal(gpu_ind(g, 0, STATUS), 0x12201);
	/* In wave32 the upper halves do not count. */
	w->s[VGPU_S_EXEC + 1] = 1;
	assert_int_equal(gpu_ind(g, 0, STATUS), 0x12201);
	/* No memory at the PC: no fault, no instruction. */
	w->pc = 0x5000;
	assert_int_equal(gpu_ind(g, 0, INST_DW0), 0);
	assert_int_equal(vgpu_complaints_total(g), 0);
}

static void sq_ind_reads_and_writes_gprs(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = halted_wave(g);
	unsigned int i;

	for (i = 0; i < 128; i++)
		w->s[i] = 0x1000 + i;
	w->v[0][3] = 0x33;
	w->v[7][31] = 0x44;
	w->v[8][0] = 0x55;
	assert_int_equal(gpu_ind(g, 0, SGPR0), 0x1000);
	assert_int_equal(gpu_ind(g, 0, SGPR0 + 106), 0x1000 + 106);
	assert_int_equal(gpu_ind(g, 0, TTMP0), 0x1000 + 108);
	assert_int_equal(gpu_ind(g, 0, TTMP0 + 15), 0x1000 + 123);
	assert_int_equal(gpu_ind(g, 0, M0), 0x1000 + 124);
	assert_int_equal(gpu_ind(g, 0, M0 + 1), 0);
	assert_int_equal(gpu_ind(g, 0, EXEC_LO), 0x1000 + 126);
	assert_int_equal(gpu_ind(g, 0, EXEC_HI), 0x1000 + 127);
	/* Eight VGPRs of 32 lanes */
	gpu_write(g, R_SQ_IND_INDEX, 0, INDEX(VGPR0) | WORKITEM(3));
	assert_int_equal(gpu_read(g, R_SQ_IND_DATA, 0), 0x33);
	gpu_write(g, R_SQ_IND_INDEX, 0, INDEX(VGPR0 + 7) | WORKITEM(31));
	assert_int_equal(gpu_read(g, R_SQ_IND_DATA, 0), 0x44);
	gpu_write(g, R_SQ_IND_INDEX, 0, INDEX(VGPR0 + 8));
	assert_int_equal(gpu_read(g, R_SQ_IND_DATA, 0), 0);
	w->v[0][32] = 0x66;
	gpu_write(g, R_SQ_IND_INDEX, 0, INDEX(VGPR0) | WORKITEM(32));
	assert_int_equal(gpu_read(g, R_SQ_IND_DATA, 0), 0);
}

static void auto_incr_counts_the_index(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = halted_wave(g);
	unsigned int i;

	for (i = 0; i < 4; i++)
		w->s[16 + i] = 0xa0 + i;
	gpu_write(g, R_SQ_IND_INDEX, 0, INDEX(SGPR0 + 16) | AUTO_INCR);
	for (i = 0; i < 4; i++)
		assert_int_equal(gpu_read(g, R_SQ_IND_DATA, 0), 0xa0 + i);
	assert_int_equal(gpu_read(g, R_SQ_IND_INDEX, 0),
			 INDEX(SGPR0 + 20) | AUTO_INCR);
	gpu_write(g, R_SQ_IND_INDEX, 0, INDEX(SGPR0 + 16));
	assert_int_equal(gpu_read(g, R_SQ_IND_DATA, 0), 0xa0);
	assert_int_equal(gpu_read(g, R_SQ_IND_DATA, 0), 0xa0);
	/* Lanes stay, registers advance. */
	w->v[1][5] = 0xb1;
	w->v[2][5] = 0xb2;
	gpu_write(g, R_SQ_IND_INDEX, 0,
		  INDEX(VGPR0 + 1) | AUTO_INCR | WORKITEM(5));
	assert_int_equal(gpu_read(g, R_SQ_IND_DATA, 0), 0xb1);
	assert_int_equal(gpu_read(g, R_SQ_IND_DATA, 0), 0xb2);
}

static void quirk_sq_ind_auto_incr_works(void **state)
{
	struct vgpu *g = *state;

	halted_wave(g);
	gpu_write(g, R_SQ_IND_INDEX, 0, INDEX(HW_ID1) | AUTO_INCR);
	assert_int_equal(gpu_read(g, R_SQ_IND_DATA, 0), 0);
	assert_int_equal(gpu_read(g, R_SQ_IND_DATA, 0), 0x03000100);
	vgpu_quirk_set(g, "sq-ind-auto-incr", 0);
	gpu_write(g, R_SQ_IND_INDEX, 0, INDEX(HW_ID1) | AUTO_INCR);
	assert_int_equal(gpu_read(g, R_SQ_IND_DATA, 0), 0);
	assert_int_equal(gpu_read(g, R_SQ_IND_DATA, 0), 0);
}

static void auto_incr_counts_writes(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = halted_wave(g);

	w->s[16] = 1;
	w->s[17] = 2;
	gpu_write(g, R_SQ_IND_INDEX, 0, INDEX(SGPR0 + 16) | AUTO_INCR);
	gpu_write(g, R_SQ_IND_DATA, 0, 0xa0);
	gpu_write(g, R_SQ_IND_DATA, 0, 0xa1);
	assert_int_equal(w->s[16], 0xa0);
	assert_int_equal(w->s[17], 0xa1);

	vgpu_quirk_set(g, "sq-ind-auto-incr", 2);
	gpu_write(g, R_SQ_IND_INDEX, 0, INDEX(SGPR0 + 16) | AUTO_INCR);
	gpu_write(g, R_SQ_IND_DATA, 0, 0xb0);
	gpu_write(g, R_SQ_IND_DATA, 0, 0xb1);
	assert_int_equal(w->s[16], 0xb1);
	assert_int_equal(w->s[17], 0xa1);
	assert_int_equal(gpu_read(g, R_SQ_IND_DATA, 0), 0xb1);
	assert_int_equal(gpu_read(g, R_SQ_IND_DATA, 0), 0xa1);
}

static void gprs_of_a_running_wave_read_zero(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = halted_wave(g);

	w->s[10] = 0x1234;
	w->s[VGPU_S_TTMP0] = 0x5678;
	w->v[0][0] = 0x9abc;
	resume(g);
	assert_int_equal(gpu_ind(g, 0, SGPR0 + 10), 0);
	assert_int_equal(gpu_ind(g, 0, TTMP0), 0);
	assert_int_equal(gpu_ind(g, 0, VGPR0), 0);
	/* Control registers, M0 and EXEC can be read all the same. */
	assert_int_equal(gpu_ind(g, 0, STATUS), 0x10400);
	assert_int_equal(gpu_ind(g, 0, PC_HI), 1);
	assert_int_equal(gpu_ind(g, 0, EXEC_LO), 0xffffffff);
	gpu_ind_write(g, 0, SGPR0 + 10, 0x4321);
	assert_int_equal(w->s[10], 0x1234);

	vgpu_quirk_set(g, "sq-ind-gpr-needs-halt", 0);
	assert_int_equal(gpu_ind(g, 0, SGPR0 + 10), 0x1234);
	assert_int_equal(gpu_ind(g, 0, VGPR0), 0x9abc);
	gpu_ind_write(g, 0, SGPR0 + 10, 0x4321);
	assert_int_equal(w->s[10], 0x4321);
}

static void quirk_sq_ind_running_state_works(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = halted_wave(g);

	w->s[VGPU_S_M0] = 0x77;
	vgpu_quirk_set(g, "sq-ind-running-state", 0);
	assert_int_equal(gpu_ind(g, 0, PC_HI), 1);
	assert_int_equal(gpu_ind(g, 0, M0), 0x77);
	resume(g);
	assert_int_equal(gpu_ind(g, 0, PC_HI), 0);
	assert_int_equal(gpu_ind(g, 0, INST_DW0), 0);
	assert_int_equal(gpu_ind(g, 0, M0), 0);
	assert_int_equal(gpu_ind(g, 0, EXEC_LO), 0);
	/* It does not change with each instruction. */
	assert_int_equal(gpu_ind(g, 0, STATUS), 0x10400);
	assert_int_equal(gpu_ind(g, 0, HW_ID2), 0x03000100);
	vgpu_quirk_set(g, "sq-ind-running-state", 1);
	assert_int_equal(gpu_ind(g, 0, PC_HI), 1);
	assert_int_equal(gpu_ind(g, 0, M0), 0x77);
}

static void bitmaps_show_active_and_idle_slots(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_dispatch d = gpu_dispatch(32, 80);
	struct vgpu_wave *w;

	d.rsrc1 = 1 << 29;
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL2, 0, GPU_LAUNCH_HALTED(GPU_VMID));
	gpu_launch(g, &d);
	/* 80 groups on 16 SIMDs: slots 0 to 4 */
	gpu_write(g, R_GRBM_GFX_INDEX, 0, GPU_SIMD(3, 2));
	assert_int_equal(gpu_ind(g, 0, ACTIVE), 0x1f);
	assert_int_equal(gpu_ind(g, 0, VALID_AND_IDLE), 0x1f);
	/* five waves, SQ busy */
	assert_int_equal(gpu_ind(g, 0, DEBUG_STS_LOCAL), 5 << 4 | 0x1001);

	w = vgpu_sq_wave(g, 0, 0, 3, 2, 1);
	vgpu_wave_end(g, w);
	vgpu_wave_halt(g, vgpu_sq_wave(g, 0, 0, 3, 2, 3), false);
	assert_int_equal(gpu_ind(g, 0, ACTIVE), 0x1d);
	assert_int_equal(gpu_ind(g, 0, VALID_AND_IDLE), 0x15);
	/* whatever wave the index names */
	assert_int_equal(gpu_ind(g, 9, ACTIVE), 0x1d);
	assert_int_equal(gpu_ind(g, 1, STATUS), 0);

	vgpu_sq_reset(g);
	assert_int_equal(gpu_ind(g, 0, ACTIVE), 0);
	assert_int_equal(gpu_ind(g, 0, DEBUG_STS_LOCAL), 0);
}

/* What the two bitmaps may be instead: see quirks.def. */
static void quirks_of_the_bitmaps_work(void **state)
{
	struct vgpu *g = *state;

	halted_wave(g);
	vgpu_quirk_set(g, "sq-wave-active-bitmap", 2);
	assert_int_equal(gpu_ind(g, 0, ACTIVE), 0);
	resume(g);
	assert_int_equal(gpu_ind(g, 0, ACTIVE), 1);
	vgpu_quirk_set(g, "sq-wave-active-bitmap", 0);
	assert_int_equal(gpu_ind(g, 0, ACTIVE), 0);
	vgpu_wave_halt(g, vgpu_sq_wave(g, 0, 0, 0, 0, 0), true);
	assert_int_equal(gpu_ind(g, 0, VALID_AND_IDLE), 1);
	vgpu_quirk_set(g, "sq-wave-idle-bitmap", 0);
	assert_int_equal(gpu_ind(g, 0, VALID_AND_IDLE), 0);
}

static void an_empty_slot_reads_zero(void **state)
{
	struct vgpu *g = *state;

	halted_wave(g);
	assert_int_equal(gpu_ind(g, 1, STATUS), 0);
	assert_int_equal(gpu_ind(g, 31, STATUS), 0);
	assert_int_equal(vgpu_complaints_total(g), 0);
	gpu_write(g, R_GRBM_GFX_INDEX, 0, GPU_SIMD(4, 0));
	assert_int_equal(gpu_ind(g, 0, STATUS), 0xbebebeef);
	gpu_write(g, R_GRBM_GFX_INDEX, 0, 1 << 8);
	assert_int_equal(gpu_ind(g, 0, STATUS), 0xbebebeef);
	gpu_write(g, R_GRBM_GFX_INDEX, 0, 1 << 16);
	assert_int_equal(gpu_ind(g, 0, STATUS), 0xbebebeef);
}

static void an_access_to_several_simds_is_a_complaint(void **state)
{
	struct vgpu *g = *state;

	halted_wave(g);
	gpu_write(g, R_GRBM_GFX_INDEX, 0, GPU_ALL);
	assert_int_equal(gpu_ind(g, 0, STATUS), 0x12400);
	assert_int_equal(vgpu_complaints(g, VGPU_BAD_BANK), 1);
}

/* The index belongs to the instance that was selected when it was written. */
static void each_instance_has_its_own_index(void **state)
{
	struct vgpu *g = *state;

	halted_wave(g);
	gpu_write(g, R_SQ_IND_INDEX, 0, INDEX(STATUS));
	gpu_write(g, R_GRBM_GFX_INDEX, 0, GPU_SIMD(1, 0));
	assert_int_equal(gpu_read(g, R_SQ_IND_INDEX, 0), 0);
	gpu_write(g, R_SQ_IND_INDEX, 0, INDEX(PC_LO));
	gpu_write(g, R_GRBM_GFX_INDEX, 0, GPU_SIMD(0, 0));
	assert_int_equal(gpu_read(g, R_SQ_IND_DATA, 0), 0x12400);
}

static void sq_ind_writes_registers(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = halted_wave(g);

	gpu_ind_write(g, 0, SGPR0 + 5, 0x55);
	gpu_ind_write(g, 0, TTMP0 + 11, 0x11);
	gpu_ind_write(g, 0, M0, 0x4d);
	gpu_ind_write(g, 0, EXEC_LO, 0xf0f0);
	assert_int_equal(w->s[5], 0x55);
	assert_int_equal(w->s[VGPU_S_TTMP0 + 11], 0x11);
	assert_int_equal(w->s[VGPU_S_M0], 0x4d);
	assert_true(vgpu_wave_exec(w) == 0xf0f0);
	gpu_write(g, R_SQ_IND_INDEX, 0,
		  INDEX(VGPR0 + 2) | AUTO_INCR | WORKITEM(9));
	gpu_write(g, R_SQ_IND_DATA, 0, 0x77);
	gpu_write(g, R_SQ_IND_DATA, 0, 0x78);
	assert_int_equal(w->v[2][9], 0x77);
	assert_int_equal(w->v[3][9], 0x78);

	gpu_ind_write(g, 0, PC_LO, 0x40);
	gpu_ind_write(g, 0, PC_HI, 0x8001);
	assert_true(w->pc == 0xffff800100000040ULL);
	gpu_ind_write(g, 0, MODE, 0x803f0);
	gpu_ind_write(g, 0, TRAPSTS, 0x40);
	assert_int_equal(gpu_ind(g, 0, MODE), 0x803f0);
	assert_int_equal(gpu_ind(g, 0, TRAPSTS), 0x40);
	assert_int_equal(w->excp_en, WAVE_EXCP_WATCH);
	assert_int_equal(w->excp, WAVE_EXCP_INT_DIV0);
	gpu_ind_write(g, 0, FLAT_SCRATCH_LO, 0x11);
	gpu_ind_write(g, 0, FLAT_SCRATCH_HI, 0x22);
	assert_true(w->flat_scratch == 0x2200000011);
	/* STATUS: SCC, HALT and the like; not VALID, PRIV, TRAP_EN */
	gpu_ind_write(g, 0, STATUS, 0x00100061);
	assert_int_equal(gpu_ind(g, 0, STATUS), 0x110401);
	assert_int_equal(w->stop, 0);
	/* Registers that only tell */
	gpu_ind_write(g, 0, HW_ID2, 0);
	assert_int_equal(gpu_ind(g, 0, HW_ID2), 0x03000100);
}

static void quirk_sq_ind_writes_works(void **state)
{
	struct vgpu *g = *state;
	struct vgpu_wave *w = halted_wave(g);

	vgpu_quirk_set(g, "sq-ind-writes", 1);
	gpu_ind_write(g, 0, MODE, 0x3f0);
	gpu_ind_write(g, 0, STATUS, 0);
	gpu_ind_write(g, 0, PC_LO, 0x40);
	gpu_ind_write(g, 0, SGPR0, 0x55);
	assert_int_equal(gpu_ind(g, 0, MODE), 0);
	assert_int_equal(w->stop, VGPU_STOP_HALT);
	assert_true(w->pc == GPU_VA);
	assert_int_equal(w->s[0], 0x55);
	vgpu_quirk_set(g, "sq-ind-writes", 0xe);
	gpu_ind_write(g, 0, SGPR0, 0x66);
	assert_int_equal(w->s[0], 0x55);
	gpu_ind_write(g, 0, PC_LO, 0x40);
	assert_true(w->pc == GPU_VA + 0x40);
}

/* A running wave of each of two processes, in slots 0 and 1 of one SIMD. */
static void two_waves(struct vgpu *g)
{
	static const u32 code[] = { I_BRANCH_SELF };
	struct vgpu_dispatch d = gpu_dispatch(32, 32);

	gpu_code(g, GPU_VA, code, 1);
	d.rsrc1 = 1 << 29;
	d.groups[0] = 16;
	gpu_launch(g, &d);
	d.vmid = GPU_OTHER_VMID;
	gpu_launch(g, &d);
	gpu_write(g, R_GRBM_GFX_INDEX, 0, GPU_SIMD(0, 0));
	assert_int_equal(gpu_ind(g, 0, HW_ID2) >> 24, GPU_VMID);
	assert_int_equal(gpu_ind(g, 1, HW_ID2) >> 24, GPU_OTHER_VMID);
}

static void the_waves_of_two_slots_are_swapped(void **state)
{
	struct vgpu_lend lend = { .to = 1, .after = 2, .stay = 3 };
	struct vgpu *g = *state;
	u32 reads;

	two_waves(g);
	assert_int_equal(vgpu_sq_lend(g, &lend, &reads), 0);
	assert_int_equal(gpu_ind(g, 0, HW_ID2) >> 24, GPU_VMID);
	/* Not a register of the wave, nor of this one */
	assert_int_equal(gpu_ind(g, 0, ACTIVE), 3);
	assert_int_equal(gpu_ind(g, 1, HW_ID2) >> 24, GPU_OTHER_VMID);
	assert_int_equal(gpu_ind(g, 0, HW_ID2) >> 24, GPU_VMID);
	assert_int_equal(gpu_ind(g, 0, HW_ID2) >> 24, GPU_OTHER_VMID);
	/* It is where it is looked at. */
	assert_int_equal(gpu_ind(g, 0, HW_ID1), 0);
	assert_int_equal(gpu_ind(g, 1, HW_ID1), 1);
	/* Commands find the same as reads: HALT, CHECK_VMID */
	gpu_write(g, R_SQ_CMD, 0, 1 | 1 << 7 | 1 << 8 | (u32)GPU_VMID << 28);
	assert_int_equal(vgpu_sq_wave(g, 0, 0, 0, 0, 0)->stop, 0);
	assert_int_equal(gpu_ind(g, 0, STATUS) & 1 << 16, 1 << 16);
	assert_int_equal(gpu_ind(g, 0, HW_ID2) >> 24, GPU_VMID);
	assert_int_equal(gpu_ind(g, 0, HW_ID2) >> 24, GPU_VMID);

	/* What can be read of it: STATUS, HW_ID1 and 5 times HW_ID2 */
	lend.stay = 0;
	assert_int_equal(vgpu_sq_lend(g, &lend, &reads), 0);
	assert_int_equal(reads, 7);
	lend.stay = 1;
	lend.to = 9;
	assert_int_equal(vgpu_sq_lend(g, &lend, &reads), -ENOENT);
}

/* Waves whose VMID is stalled do not come. */
static void a_swap_waits_for_a_stalled_vmid(void **state)
{
	struct vgpu_lend lend = { .to = 1, .after = 0, .stay = 1 };
	struct vgpu *g = *state;
	u32 reads;

	two_waves(g);
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL, 0, 2 << GPU_OTHER_VMID);
	assert_int_equal(vgpu_sq_lend(g, &lend, &reads), 0);
	assert_int_equal(gpu_ind(g, 0, HW_ID2) >> 24, GPU_VMID);
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL, 0, 2 << GPU_VMID);
	assert_int_equal(gpu_ind(g, 0, HW_ID2) >> 24, GPU_OTHER_VMID);
	assert_int_equal(gpu_ind(g, 0, HW_ID2) >> 24, GPU_OTHER_VMID);
	gpu_write(g, R_SPI_GDBG_WAVE_CNTL, 0, 0);
	assert_int_equal(gpu_ind(g, 0, HW_ID2) >> 24, GPU_VMID);
}

/* Halted waves do not end. */
static void a_swap_waits_for_a_halted_wave(void **state)
{
	struct vgpu_lend lend = { .to = 1, .after = 0, .stay = 1 };
	struct vgpu *g = *state;
	u32 reads;

	two_waves(g);
	vgpu_wave_halt(g, vgpu_sq_wave(g, 0, 0, 0, 0, 0), true);
	assert_int_equal(vgpu_sq_lend(g, &lend, &reads), 0);
	assert_int_equal(gpu_ind(g, 0, HW_ID2) >> 24, GPU_VMID);
	vgpu_wave_halt(g, vgpu_sq_wave(g, 0, 0, 0, 0, 0), false);
	assert_int_equal(gpu_ind(g, 0, HW_ID2) >> 24, GPU_OTHER_VMID);
}

/* A PC is that of a dword: RDNA ISA, Program Counter. */
static void a_pc_is_a_multiple_of_4(void **state)
{
	struct vgpu *g = *state;
	u64 end = GPU_VA + GPU_VA_SIZE;
	u32 last = I_NOP;

	halted_wave(g);
	memcpy(gpu_mem(g, end - 4), &last, 4);
	gpu_ind_write(g, 0, PC_HI, end >> 32);
	gpu_ind_write(g, 0, PC_LO, (u32)end - 1);
	assert_int_equal(gpu_ind(g, 0, PC_LO), (u32)end - 4);
	assert_int_equal(gpu_ind(g, 0, INST_DW0), I_NOP);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(sq_ind_reads_the_state_of_a_wave),
		TEST(sq_ind_reads_and_writes_gprs),
		TEST(auto_incr_counts_the_index),
		TEST(quirk_sq_ind_auto_incr_works),
		TEST(auto_incr_counts_writes),
		TEST(gprs_of_a_running_wave_read_zero),
		TEST(quirk_sq_ind_running_state_works),
		TEST(bitmaps_show_active_and_idle_slots),
		TEST(quirks_of_the_bitmaps_work),
		TEST(an_empty_slot_reads_zero),
		TEST(an_access_to_several_simds_is_a_complaint),
		TEST(each_instance_has_its_own_index),
		TEST(sq_ind_writes_registers),
		TEST(quirk_sq_ind_writes_works),
		TEST(the_waves_of_two_slots_are_swapped),
		TEST(a_swap_waits_for_a_stalled_vmid),
		TEST(a_swap_waits_for_a_halted_wave),
		TEST(a_pc_is_a_multiple_of_4),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

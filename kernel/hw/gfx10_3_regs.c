// SPDX-License-Identifier: GPL-2.0-only
/*
 * gfx10.3: the registers of a wave, through SQ_IND_INDEX and SQ_IND_DATA.
 *
 * What is assumed and only hardware could confirm:
 *
 * - gpr-halted: SGPRs, TTMPs and VGPRs can be read when STATUS.HALT is set, the wave is
 *   in no trap handler (which HALT does not stop) and it has nothing in flight (see
 *   idle-bitmap in gfx10_3_simd.c); at other times they may read as 0, because gfx10
 *   has no SQ_IND_INDEX.FORCE_READ any more.
 * - vgpr-size: GPR_ALLOC.VGPR_SIZE counts in 4 VGPRs, in wave32 too
 *   (get_vgpr_size_bytes of amdkfd/cwsr_trap_handler_gfx10.asm; umr).
 * - sq-ind-write: a write of SQ_IND_DATA writes what SQ_IND_INDEX selects, one index
 *   for each. amdgpu does not do so; others have for SGPRs and VGPRs of this
 *   generation. Of the hardware registers, the module tries the bits that s_setreg can
 *   change in a trap handler, but none that makes a wave run, privileged or part of a
 *   context save. Each write is read back, so that hardware which cannot do it is
 *   noticed.
 * - pc-write: a halted wave continues where PC_LO and PC_HI were set to, and a write to
 *   FLUSH_IB drops the instructions that it had fetched. The header names the register.
 */
#include <linux/bitfield.h>

#include "hw/gfx10_3.h"
#include "hw/mmio.h"
#include "hw/regs/gfx10_3.h"

#define NUM_SGPR	108	/* s0 to s105, VCC; then TTMPs: RDNA ISA */
#define NUM_TTMP	16
#define MAX_VGPR	256	/* operands of 8 bits */
#define MAX_LANE	64
#define VGPR_UNIT	4	/* see vgpr-size */
#define LDS_UNIT	256	/* bytes: cwsr_trap_handler_gfx10.asm, Linux 6.1 */

/* Without DEBUG_EN, which has an owner */
#define MODE_WRITABLE \
	(SQ_WAVE_MODE_FP_ROUND | SQ_WAVE_MODE_FP_DENORM | \
	 SQ_WAVE_MODE_DX10_CLAMP | SQ_WAVE_MODE_IEEE | \
	 SQ_WAVE_MODE_LOD_CLAMPED | SQ_WAVE_MODE_EXCP_EN | \
	 SQ_WAVE_MODE_FP16_OVFL | SQ_WAVE_MODE_DISABLE_PERF)
/* Without HALT, which has an owner, PRIV, and what the driver gave the wave */
#define STATUS_WRITABLE \
	(SQ_WAVE_STATUS_SCC | SQ_WAVE_STATUS_USER_PRIO | \
	 SQ_WAVE_STATUS_SKIP_EXPORT | SQ_WAVE_STATUS_PERF_EN)
/* Without SAVECTX. Accesses in flight may still set any of these bits. */
#define TRAPSTS_WRITABLE \
	(SQ_WAVE_TRAPSTS_EXCP | SQ_WAVE_TRAPSTS_ILLEGAL_INST | \
	 SQ_WAVE_TRAPSTS_EXCP_HI | SQ_WAVE_TRAPSTS_BUFFER_OOB | \
	 SQ_WAVE_TRAPSTS_EXCP_CYCLE | SQ_WAVE_TRAPSTS_EXCP_GROUP_MASK | \
	 SQ_WAVE_TRAPSTS_EXCP_WAVE64HI | SQ_WAVE_TRAPSTS_UTC_ERROR)

#define ALL_BITS	GENMASK(31, 0)

#define READ_ONLY(_name) \
	[AMDGPUDBG_GFX10_3_##_name] = { .index = SQ_WAVE_##_name }
#define WRITABLE(_name, _bits, ...) \
	[AMDGPUDBG_GFX10_3_##_name] = { \
		.index = SQ_WAVE_##_name, .writable = (_bits), ##__VA_ARGS__ \
	}

static const struct wdbg_hwreg hwregs[WDBG_GFX10_3_NUM_REGS] = {
	WRITABLE(MODE, MODE_WRITABLE),
	WRITABLE(STATUS, STATUS_WRITABLE),
	WRITABLE(TRAPSTS, TRAPSTS_WRITABLE, .raised = TRAPSTS_WRITABLE,
		 .kfd = true),
	READ_ONLY(HW_ID1),
	READ_ONLY(HW_ID2),
	READ_ONLY(GPR_ALLOC),
	READ_ONLY(LDS_ALLOC),
	READ_ONLY(IB_STS),
	READ_ONLY(IB_STS2),
	READ_ONLY(IB_DBG1),
	READ_ONLY(INST_DW0),
	/* Instructions are multiples of 4 bytes. */
	WRITABLE(PC_LO, ALL_BITS, .zero = GENMASK(1, 0)),
	WRITABLE(PC_HI, SQ_WAVE_PC_HI_PC_HI),
	WRITABLE(M0, ALL_BITS),
	WRITABLE(EXEC_LO, ALL_BITS),
	WRITABLE(EXEC_HI, ALL_BITS),
	WRITABLE(FLAT_SCRATCH_LO, ALL_BITS),
	WRITABLE(FLAT_SCRATCH_HI, ALL_BITS),
	READ_ONLY(SCHED_MODE),
};

static u32 gfx10_3_regs_ind_of(const struct amdgpudbg_wave_coord *at, u32 lane, u32 index)
{
	return FIELD_PREP(SQ_IND_INDEX_WAVE_ID, at->wave) |
	       FIELD_PREP(SQ_IND_INDEX_WORKITEM_ID, lane) |
	       FIELD_PREP(SQ_IND_INDEX_INDEX, index);
}

/* Without AUTO_INCR, whose effect on writes is not known */
static void gfx10_3_regs_write_ind(struct wdbg_hw *hw, u32 ind, u32 value)
{
	wdbg_gfx10_3_set_ind(hw, ind);
	wdbg_wreg(hw, wdbg_gc_reg(hw, WDBG_SEG0, SQ_IND_DATA), value);
}

static u32 gfx10_3_regs_index(enum amdgpudbg_reg_space space, u32 reg)
{
	switch (space) {
	case AMDGPUDBG_REG_SGPR:
		return SQIND_WAVE_SGPRS_OFFSET + reg;
	case AMDGPUDBG_REG_VGPR:
		return SQIND_WAVE_VGPRS_OFFSET + reg;
	case AMDGPUDBG_REG_TTMP:
		return SQ_WAVE_TTMP0 + reg;
	case AMDGPUDBG_REG_HW:
		return hwregs[reg].index;
	case AMDGPUDBG_REG_AGPR:
		break;
	}
	WARN_ON_ONCE(1);
	return 0;
}

static void gfx10_3_regs_allocated(struct wdbg_hw *hw,
				   const struct amdgpudbg_wave_coord *at, u32 *vgprs,
				   u32 *lanes)
{
	u32 alloc = wdbg_gfx10_3_read_ind(hw, at->wave, SQ_WAVE_GPR_ALLOC);
	u32 ib_sts2 = wdbg_gfx10_3_read_ind(hw, at->wave, SQ_WAVE_IB_STS2);
	u32 size = FIELD_GET(SQ_WAVE_GPR_ALLOC_VGPR_SIZE, alloc);

	*vgprs = min_t(u32, (size + 1) * VGPR_UNIT, MAX_VGPR);
	*lanes = ib_sts2 & SQ_WAVE_IB_STS2_WAVE64 ? 64 : 32;
}

/* How many registers, from @reg on, are consecutive? */
static u32 gfx10_3_regs_run_length(enum amdgpudbg_reg_space space, u32 reg, u32 count)
{
	u32 n = 1;

	/* The order of hardware registers is not that of their numbers. */
	if (space != AMDGPUDBG_REG_HW)
		return count;
	while (n < count && hwregs[reg + n].index == hwregs[reg].index + n)
		n++;
	return n;
}

static void gfx10_3_regs_read(struct wdbg_hw *hw,
			      const struct amdgpudbg_wave_coord *at,
			      enum amdgpudbg_reg_space space, u32 first, u32 lane,
			      u32 count, u32 *values)
{
	u32 done, run;

	for (done = 0; done < count; done += run) {
		run = gfx10_3_regs_run_length(space, first + done, count - done);
		wdbg_gfx10_3_read_run(hw, gfx10_3_regs_ind_of(at, lane,
							      gfx10_3_regs_index(space,
										 first + done)),
				      run, values + done);
	}
}

static void gfx10_3_regs_write(struct wdbg_hw *hw,
			       const struct amdgpudbg_wave_coord *at,
			       enum amdgpudbg_reg_space space, u32 reg, u32 lane,
			       u32 value)
{
	u32 index = gfx10_3_regs_index(space, reg);

	gfx10_3_regs_write_ind(hw, gfx10_3_regs_ind_of(at, lane, index), value);
	if (index == SQ_WAVE_PC_LO || index == SQ_WAVE_PC_HI)
		gfx10_3_regs_write_ind(hw, gfx10_3_regs_ind_of(at, 0, SQ_WAVE_FLUSH_IB), 0);
}

const struct wdbg_reg_ops wdbg_gfx10_3_reg_ops = {
	.num_sgpr = NUM_SGPR,
	.num_ttmp = NUM_TTMP,
	.max_vgpr = MAX_VGPR,
	.max_lane = MAX_LANE,
	.wave_sizes = 32 | 64,
	.lds_granule = LDS_UNIT,
	.regset = AMDGPUDBG_REGSET_GFX10_3,
	.num_hwregs = ARRAY_SIZE(hwregs),
	.hwregs = hwregs,
	.pc = AMDGPUDBG_GFX10_3_PC_LO,
	.exec = AMDGPUDBG_GFX10_3_EXEC_LO,
	.lanes = AMDGPUDBG_GFX10_3_IB_STS2,
	/* All except FLAT_SCRATCH and SCHED_MODE */
	.default_want = GENMASK_ULL(AMDGPUDBG_GFX10_3_EXEC_HI, 0),
	.still = wdbg_gfx10_3_still,
	.allocated = gfx10_3_regs_allocated,
	.read = gfx10_3_regs_read,
	.write = gfx10_3_regs_write,
};

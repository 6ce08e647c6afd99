// SPDX-License-Identifier: GPL-2.0-only
/*
 * gfx10.3 (RDNA 2: Navi 2x, Van Gogh, Rembrandt, Raphael).
 *
 * A wave is addressed by GRBM_GFX_INDEX {SE, SA, INSTANCE = WGP << 2 | SIMD}
 * and its slot: SQ_CMD and SQ_IND_INDEX have no SIMD field (comment in
 * gfx_v10_0_read_wave_data() of Linux 7.2; umr addresses waves in this way).
 *
 * What is assumed and only hardware could confirm:
 *
 * - active-bitmap: SQ_WAVE_ACTIVE of a SIMD has one bit per slot that holds a
 *   wave, whatever SQ_IND_INDEX.WAVE_ID is, and is right while waves run. The
 *   header names the register and its field; amdgpu does not use it. Checked
 *   against STATUS.VALID until it has shown a wave.
 * - check-vmid-sethalt: SQ_CMD.CHECK_VMID restricts SETHALT as it does KILL,
 *   for which amdgpu uses it (gfx_v10_0_ring_soft_recovery()).
 * - sethalt-data: DATA of SETHALT is the new value of STATUS.HALT. The enum
 *   names the command only; umr uses it in this way.
 * - read-running: STATUS, HW_ID2 and PC of a running wave can be read, with
 *   values of some moment. amdgpu's debugfs files do so.
 */
#include <linux/bitfield.h>

#include "mmio.h"
#include "regs/gfx10_3.h"

#define NUM_CU		2	/* per WGP */
#define NUM_SIMD	4	/* per WGP: 2 per CU */
#define MAX_WAVE	20	/* bits of SQ_WAVE_ACTIVE.WAVE_SLOT */

static u32 gc_reg(const struct wdbg_hw *hw, enum wdbg_gc_segment seg, u32 off)
{
	return hw->gc_base[seg] + off;
}

static int gfx10_3_check(const struct wdbg_hw *hw)
{
	const u32 regs[] = {
		gc_reg(hw, WDBG_SEG1, GRBM_GFX_INDEX),
		gc_reg(hw, WDBG_SEG0, SQ_IND_INDEX),
		gc_reg(hw, WDBG_SEG0, SQ_IND_DATA),
		gc_reg(hw, WDBG_SEG0, SQ_CMD),
		hw->oss_base + IH_VMID_0_LUT + WDBG_NUM_VMID - 1,
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(regs); i++)
		if (regs[i] >= hw->num_regs)
			return -ERANGE;
	return 0;
}

static void gfx10_3_select(struct wdbg_hw *hw,
			   const struct amdgpudbg_wave_coord *at)
{
	u32 instance = at->wgp << 2 | at->simd;

	wdbg_wreg(hw, gc_reg(hw, WDBG_SEG1, GRBM_GFX_INDEX),
		  FIELD_PREP(GRBM_GFX_INDEX_SE_INDEX, at->se) |
		  FIELD_PREP(GRBM_GFX_INDEX_SA_INDEX, at->sa) |
		  FIELD_PREP(GRBM_GFX_INDEX_INSTANCE_INDEX, instance));
}

static void gfx10_3_select_all(struct wdbg_hw *hw)
{
	wdbg_wreg(hw, gc_reg(hw, WDBG_SEG1, GRBM_GFX_INDEX),
		  GRBM_GFX_INDEX_SE_BROADCAST_WRITES |
		  GRBM_GFX_INDEX_SA_BROADCAST_WRITES |
		  GRBM_GFX_INDEX_INSTANCE_BROADCAST_WRITES);
}

/* The index is written only if it changes: reading again costs one access. */
static u32 read_ind(struct wdbg_hw *hw, u32 wave, u32 index)
{
	u32 ind = FIELD_PREP(SQ_IND_INDEX_WAVE_ID, wave) |
		  FIELD_PREP(SQ_IND_INDEX_INDEX, index);

	lockdep_assert_held(hw->bank_lock);
	if (!hw->ind_valid || hw->ind_index != ind) {
		wdbg_wreg(hw, gc_reg(hw, WDBG_SEG0, SQ_IND_INDEX), ind);
		hw->ind_index = ind;
		hw->ind_valid = true;
	}
	return wdbg_rreg(hw, gc_reg(hw, WDBG_SEG0, SQ_IND_DATA));
}

static u64 read_ind_pair(struct wdbg_hw *hw, u32 wave, u32 lo, u32 hi)
{
	u32 low = read_ind(hw, wave, lo);

	return (u64)read_ind(hw, wave, hi) << 32 | low;
}

static u32 state_of(u32 status)
{
	u32 state = 0;

	if (!(status & SQ_WAVE_STATUS_VALID))
		return 0;
	state |= WDBG_WAVE_VALID;
	if (status & SQ_WAVE_STATUS_HALT)
		state |= WDBG_WAVE_HALTED;
	return state;
}

/* The slow way: ask each slot. */
static u32 valid_slots(struct wdbg_hw *hw)
{
	u32 slot, valid = 0;

	for (slot = 0; slot < hw->num_wave; slot++)
		if (read_ind(hw, slot, SQ_WAVE_STATUS) & SQ_WAVE_STATUS_VALID)
			valid |= BIT(slot);
	return valid;
}

static u32 active_slots(struct wdbg_hw *hw)
{
	return FIELD_GET(SQ_WAVE_ACTIVE_WAVE_SLOT,
			 read_ind(hw, 0, SQ_WAVE_ACTIVE)) &
	       GENMASK(hw->num_wave - 1, 0);
}

/*
 * One read, if active-bitmap holds. Until it has proven itself on this GPU,
 * the slots are looked at in the slow way too; before and after, because waves
 * come and go meanwhile.
 */
static u32 gfx10_3_live_slots(struct wdbg_hw *hw,
			      const struct amdgpudbg_wave_coord *at)
{
	u32 active, valid;

	if (hw->bitmap == WDBG_BITMAP_WORKS)
		return active_slots(hw);
	valid = valid_slots(hw);
	if (!valid || hw->bitmap == WDBG_BITMAP_BROKEN)
		return valid;

	active = active_slots(hw);
	if (active == valid)
		hw->bitmap = WDBG_BITMAP_WORKS;
	else if (valid & ~active & valid_slots(hw))
		hw->bitmap = WDBG_BITMAP_BROKEN;
	return active | valid;
}

static u32 gfx10_3_wave_state(struct wdbg_hw *hw,
			      const struct amdgpudbg_wave_coord *at)
{
	return state_of(read_ind(hw, at->wave, SQ_WAVE_STATUS));
}

static u32 gfx10_3_wave_vmid(struct wdbg_hw *hw,
			     const struct amdgpudbg_wave_coord *at)
{
	return FIELD_GET(SQ_WAVE_HW_ID2_VM_ID,
			 read_ind(hw, at->wave, SQ_WAVE_HW_ID2));
}

static u64 gfx10_3_wave_pc(struct wdbg_hw *hw,
			   const struct amdgpudbg_wave_coord *at)
{
	return read_ind_pair(hw, at->wave, SQ_WAVE_PC_LO, SQ_WAVE_PC_HI);
}

static bool gfx10_3_read_wave(struct wdbg_hw *hw,
			      const struct amdgpudbg_wave_coord *at,
			      struct amdgpudbg_wave *wave)
{
	u32 slot = at->wave;

	memset(wave, 0, sizeof(*wave));
	wave->at = *at;
	wave->hw_id2 = read_ind(hw, slot, SQ_WAVE_HW_ID2);
	wave->hw_id1 = read_ind(hw, slot, SQ_WAVE_HW_ID1);
	wave->pc = read_ind_pair(hw, slot, SQ_WAVE_PC_LO, SQ_WAVE_PC_HI);
	wave->inst_dw0 = read_ind(hw, slot, SQ_WAVE_INST_DW0);
	wave->exec = read_ind_pair(hw, slot, SQ_WAVE_EXEC_LO,
				   SQ_WAVE_EXEC_HI);
	wave->trapsts = read_ind(hw, slot, SQ_WAVE_TRAPSTS);
	wave->mode = read_ind(hw, slot, SQ_WAVE_MODE);
	wave->gpr_alloc = read_ind(hw, slot, SQ_WAVE_GPR_ALLOC);
	wave->lds_alloc = read_ind(hw, slot, SQ_WAVE_LDS_ALLOC);
	wave->ib_sts = read_ind(hw, slot, SQ_WAVE_IB_STS);
	wave->ib_sts2 = read_ind(hw, slot, SQ_WAVE_IB_STS2);
	wave->ib_dbg1 = read_ind(hw, slot, SQ_WAVE_IB_DBG1);
	wave->m0 = read_ind(hw, slot, SQ_WAVE_M0);
	/* Last, so that a wave that ended meanwhile is noticed. */
	wave->status = read_ind(hw, slot, SQ_WAVE_STATUS);

	wave->vmid = FIELD_GET(SQ_WAVE_HW_ID2_VM_ID, wave->hw_id2);
	if (wave->status & SQ_WAVE_STATUS_HALT)
		wave->flags |= AMDGPUDBG_WAVE_HALTED;
	if (wave->status & SQ_WAVE_STATUS_PRIV)
		wave->flags |= AMDGPUDBG_WAVE_PRIV;
	if (wave->ib_sts2 & SQ_WAVE_IB_STS2_WAVE64)
		wave->flags |= AMDGPUDBG_WAVE_WAVE64;
	return state_of(wave->status) & WDBG_WAVE_VALID;
}

static void gfx10_3_command(struct wdbg_hw *hw, enum amdgpudbg_waveop op,
			    bool broadcast,
			    const struct amdgpudbg_wave_coord *at, u32 vmid)
{
	u32 cmd = SQ_CMD_CHECK_VMID | FIELD_PREP(SQ_CMD_VM_ID, vmid);

	lockdep_assert_held(hw->bank_lock);
	if (broadcast)
		cmd |= FIELD_PREP(SQ_CMD_MODE, SQ_IND_CMD_MODE_BROADCAST);
	else
		cmd |= FIELD_PREP(SQ_CMD_MODE, SQ_IND_CMD_MODE_SINGLE) |
		       FIELD_PREP(SQ_CMD_WAVE_ID, at->wave);

	switch (op) {
	case AMDGPUDBG_WAVEOP_HALT:
		cmd |= FIELD_PREP(SQ_CMD_CMD, SQ_IND_CMD_CMD_SETHALT) |
		       FIELD_PREP(SQ_CMD_DATA, 1);
		break;
	case AMDGPUDBG_WAVEOP_RESUME:
		cmd |= FIELD_PREP(SQ_CMD_CMD, SQ_IND_CMD_CMD_SETHALT) |
		       FIELD_PREP(SQ_CMD_DATA, 0);
		break;
	default:
		WARN_ON_ONCE(1);
		return;
	}
	wdbg_wreg(hw, gc_reg(hw, WDBG_SEG0, SQ_CMD), cmd);
}

static u32 gfx10_3_vmid_pasid(struct wdbg_hw *hw, u32 vmid)
{
	return FIELD_GET(IH_VMID_0_LUT_PASID,
			 wdbg_rreg(hw, hw->oss_base + IH_VMID_0_LUT + vmid));
}

const struct wdbg_hw_ops wdbg_gfx10_3_ops = {
	.name = "gfx10.3",
	.num_simd = NUM_SIMD,
	.max_wave = MAX_WAVE,
	.num_cu = NUM_CU,
	.cu_banks = NUM_SIMD,
	.check = gfx10_3_check,
	.select = gfx10_3_select,
	.select_all = gfx10_3_select_all,
	.live_slots = gfx10_3_live_slots,
	.wave_state = gfx10_3_wave_state,
	.wave_vmid = gfx10_3_wave_vmid,
	.wave_pc = gfx10_3_wave_pc,
	.read_wave = gfx10_3_read_wave,
	.command = gfx10_3_command,
	.vmid_pasid = gfx10_3_vmid_pasid,
};

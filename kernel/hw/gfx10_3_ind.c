// SPDX-License-Identifier: GPL-2.0-only
/*
 * gfx10.3: the selection of a SIMD, and SQ_IND_INDEX and SQ_IND_DATA, the window on its
 * registers.
 *
 * What is assumed and only hardware could confirm:
 *
 * - auto-incr: with AUTO_INCR, the index counts up with each read of the data, for all
 *   kinds of registers. amdgpu relies on it for GPRs (wave_read_regs() of gfx_v10_0.c,
 *   Linux 6.1). Checked once, by registers that a wave keeps for all its life: where it
 *   does not hold, each register gets an index of its own.
 */
#include <linux/bitfield.h>

#include "hw/gfx10_3.h"
#include "hw/mmio.h"
#include "hw/regs/gfx10_3.h"

/**
 * wdbg_gfx10_3_select_of() - get the value that selects the bank of a SIMD
 * @at: the SIMD
 *
 * Return: a value of GRBM_GFX_INDEX.
 */
u32 wdbg_gfx10_3_select_of(const struct amdgpudbg_wave_coord *at)
{
	u32 instance = at->wgp << 2 | at->simd;

	return FIELD_PREP(GRBM_GFX_INDEX_SE_INDEX, at->se) |
	       FIELD_PREP(GRBM_GFX_INDEX_SA_INDEX, at->sa) |
	       FIELD_PREP(GRBM_GFX_INDEX_INSTANCE_INDEX, instance);
}

/**
 * wdbg_gfx10_3_set_ind() - set SQ_IND_INDEX
 * @hw: the GPU
 * @ind: its value
 *
 * It is written only if it changes, so that reading again costs one access.
 * Context: within wdbg_bank_lock(), a SIMD selected.
 */
void wdbg_gfx10_3_set_ind(struct wdbg_hw *hw, u32 ind)
{
	lockdep_assert_held(hw->bank_lock);
	if (hw->ind_valid && hw->ind_index == ind)
		return;
	wdbg_wreg(hw, wdbg_gc_reg(hw, WDBG_SEG0, SQ_IND_INDEX), ind);
	hw->ind_index = ind;
	hw->ind_valid = true;
}

static u32 gfx10_3_ind_read_data(struct wdbg_hw *hw)
{
	return wdbg_rreg(hw, wdbg_gc_reg(hw, WDBG_SEG0, SQ_IND_DATA));
}

/* One index for all registers, which counts up */
static void gfx10_3_ind_read_counting(struct wdbg_hw *hw, u32 ind, u32 count, u32 *values)
{
	u32 i;

	wdbg_gfx10_3_set_ind(hw, ind | SQ_IND_INDEX_AUTO_INCR);
	hw->ind_valid = false;
	for (i = 0; i < count; i++)
		values[i] = gfx10_3_ind_read_data(hw);
}

static u32 gfx10_3_ind_value(u32 wave, u32 index)
{
	return FIELD_PREP(SQ_IND_INDEX_WAVE_ID, wave) |
	       FIELD_PREP(SQ_IND_INDEX_INDEX, index);
}

/**
 * wdbg_gfx10_3_read_ind() - read a register through SQ_IND_INDEX
 * @hw: the GPU
 * @wave: slot in the SIMD
 * @index: SQ_IND_INDEX.INDEX
 *
 * Context: within wdbg_bank_lock(), a SIMD selected.
 * Return: the value.
 */
u32 wdbg_gfx10_3_read_ind(struct wdbg_hw *hw, u32 wave, u32 index)
{
	wdbg_gfx10_3_set_ind(hw, gfx10_3_ind_value(wave, index));
	return gfx10_3_ind_read_data(hw);
}

/*
 * See auto-incr. Compares two registers that do not change as long as it is the same
 * wave; with another one, or an empty slot, the next read tries again.
 */
static void gfx10_3_ind_try_auto_incr(struct wdbg_hw *hw, u32 wave)
{
	u32 id1 = wdbg_gfx10_3_read_ind(hw, wave, SQ_WAVE_HW_ID1);
	u32 id2 = wdbg_gfx10_3_read_ind(hw, wave, SQ_WAVE_HW_ID2);
	u32 ids[2];

	if (id1 == id2)
		return;
	gfx10_3_ind_read_counting(hw, gfx10_3_ind_value(wave, SQ_WAVE_HW_ID1), 2, ids);
	if (ids[0] == id1 && ids[1] == id2)
		hw->auto_incr = WDBG_WORKS;
	else if (wdbg_gfx10_3_read_ind(hw, wave, SQ_WAVE_HW_ID1) == id1 &&
		 wdbg_gfx10_3_read_ind(hw, wave, SQ_WAVE_HW_ID2) == id2)
		hw->auto_incr = WDBG_BROKEN;
}

/**
 * wdbg_gfx10_3_read_run() - read consecutive registers of a wave
 * @hw: the GPU
 * @ind: value of SQ_IND_INDEX for the first
 * @count: how many
 * @values: out
 *
 * Needs one index for all of them, if auto-incr holds.
 * Context: within wdbg_bank_lock(), a SIMD selected.
 */
void wdbg_gfx10_3_read_run(struct wdbg_hw *hw, u32 ind, u32 count, u32 *values)
{
	u32 i;

	if (count > 1 && hw->auto_incr == WDBG_UNTRIED)
		gfx10_3_ind_try_auto_incr(hw, FIELD_GET(SQ_IND_INDEX_WAVE_ID, ind));
	if (count > 1 && hw->auto_incr == WDBG_WORKS) {
		gfx10_3_ind_read_counting(hw, ind, count, values);
		return;
	}
	for (i = 0; i < count; i++) {
		wdbg_gfx10_3_set_ind(hw, ind +
				     FIELD_PREP(SQ_IND_INDEX_INDEX, i));
		values[i] = gfx10_3_ind_read_data(hw);
	}
}

/**
 * wdbg_gfx10_3_read_regs() - read consecutive hardware registers of a wave
 * @hw: the GPU
 * @wave: slot in the SIMD
 * @index: SQ_IND_INDEX.INDEX of the first
 * @count: how many
 * @values: out
 *
 * Context: within wdbg_bank_lock(), a SIMD selected.
 */
void wdbg_gfx10_3_read_regs(struct wdbg_hw *hw, u32 wave, u32 index, u32 count,
			    u32 *values)
{
	wdbg_gfx10_3_read_run(hw, gfx10_3_ind_value(wave, index), count, values);
}

/**
 * wdbg_gfx10_3_read_pair() - read a register of 64 bits
 * @hw: the GPU
 * @wave: slot in the SIMD
 * @index: SQ_IND_INDEX.INDEX of its lower half
 *
 * Context: within wdbg_bank_lock(), a SIMD selected.
 * Return: the value.
 */
u64 wdbg_gfx10_3_read_pair(struct wdbg_hw *hw, u32 wave, u32 index)
{
	u32 half[2];

	wdbg_gfx10_3_read_regs(hw, wave, index, 2, half);
	return (u64)half[1] << 32 | half[0];
}

/**
 * wdbg_gfx10_3_wave_pc() - read the PC of a wave
 * @hw: the GPU
 * @at: the wave
 *
 * Context: within wdbg_bank_lock(), the SIMD of @at selected.
 * Return: its PC in bytes, with its sign.
 */
u64 wdbg_gfx10_3_wave_pc(struct wdbg_hw *hw,
			 const struct amdgpudbg_wave_coord *at)
{
	return wdbg_va_signed(wdbg_gfx10_3_read_pair(hw, at->wave,
						     SQ_WAVE_PC_LO));
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * gfx10.3: one SIMD: its selection; SQ_IND_INDEX and SQ_IND_DATA, the window on the
 * registers of its waves; which of its slots hold waves; and whether a wave is completely
 * halted. For the last two, a register has a bit for each slot: the header names both and
 * their fields, and amdgpu does not use them. So each is trusted only after it has agreed
 * with STATUS, once for each GPU.
 *
 * What is assumed and only hardware could confirm:
 *
 * - auto-incr: with AUTO_INCR, the index counts up with each read of the data, for all
 *   kinds of registers. amdgpu relies on it for GPRs (wave_read_regs() of gfx_v10_0.c,
 *   Linux 6.1). Checked once, by registers that a wave keeps for all its life: where it
 *   does not hold, each register gets an index of its own.
 * - active-bitmap: SQ_WAVE_ACTIVE of a SIMD has one bit per slot that holds a wave, for
 *   every value of SQ_IND_INDEX.WAVE_ID, and is right while waves run. Otherwise
 *   STATUS.VALID of each slot is read. It may also leave out waves that are halted:
 *   from when one may be halted until one was seen, the slots are read as well.
 * - idle-bitmap: SQ_WAVE_VALID_AND_IDLE of a SIMD has the bit of a wave that is halted,
 *   outside of its trap handler, as soon as the wave has nothing in flight any more.
 *   Otherwise the halt itself has to be enough.
 */
#include <linux/bitfield.h>
#include <linux/delay.h>
#include <linux/ktime.h>

#include "hw/gfx10_3.h"
#include "hw/mmio.h"
#include "hw/regs/gfx10_3.h"

/* How long a halted wave may have something in flight. It takes microseconds. */
#define UNDER_WAY_US	10000

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

static u32 gfx10_3_simd_read_data(struct wdbg_hw *hw)
{
	return wdbg_rreg(hw, wdbg_gc_reg(hw, WDBG_SEG0, SQ_IND_DATA));
}

/* One index for all registers, which counts up */
static void gfx10_3_simd_read_counting(struct wdbg_hw *hw, u32 ind, u32 count, u32 *values)
{
	u32 i;

	wdbg_gfx10_3_set_ind(hw, ind | SQ_IND_INDEX_AUTO_INCR);
	hw->ind_valid = false;
	for (i = 0; i < count; i++)
		values[i] = gfx10_3_simd_read_data(hw);
}

static u32 gfx10_3_simd_ind_value(u32 wave, u32 index)
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
	wdbg_gfx10_3_set_ind(hw, gfx10_3_simd_ind_value(wave, index));
	return gfx10_3_simd_read_data(hw);
}

/*
 * See auto-incr. Compares two registers that do not change as long as it is the same
 * wave; with another one, or an empty slot, the next read tries again.
 */
static void gfx10_3_simd_try_auto_incr(struct wdbg_hw *hw, u32 wave)
{
	u32 id1 = wdbg_gfx10_3_read_ind(hw, wave, SQ_WAVE_HW_ID1);
	u32 id2 = wdbg_gfx10_3_read_ind(hw, wave, SQ_WAVE_HW_ID2);
	u32 ids[2];

	if (id1 == id2)
		return;
	gfx10_3_simd_read_counting(hw, gfx10_3_simd_ind_value(wave, SQ_WAVE_HW_ID1), 2, ids);
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
		gfx10_3_simd_try_auto_incr(hw, FIELD_GET(SQ_IND_INDEX_WAVE_ID, ind));
	if (count > 1 && hw->auto_incr == WDBG_WORKS) {
		gfx10_3_simd_read_counting(hw, ind, count, values);
		return;
	}
	for (i = 0; i < count; i++) {
		wdbg_gfx10_3_set_ind(hw, ind +
				     FIELD_PREP(SQ_IND_INDEX_INDEX, i));
		values[i] = gfx10_3_simd_read_data(hw);
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
	wdbg_gfx10_3_read_run(hw, gfx10_3_simd_ind_value(wave, index), count, values);
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

/* ------------------------------------------------------------ the bitmaps */

static u32 gfx10_3_simd_active(struct wdbg_hw *hw)
{
	return FIELD_GET(SQ_WAVE_ACTIVE_WAVE_SLOT,
			 wdbg_gfx10_3_read_ind(hw, 0, SQ_WAVE_ACTIVE)) &
	       GENMASK(hw->num_wave - 1, 0);
}

static u32 gfx10_3_simd_idle(struct wdbg_hw *hw)
{
	return FIELD_GET(SQ_WAVE_VALID_AND_IDLE_WAVE_SLOT,
			 wdbg_gfx10_3_read_ind(hw, 0, SQ_WAVE_VALID_AND_IDLE));
}

/* Does the slot hold a wave, and has it stopped? */
static bool gfx10_3_simd_is_valid(struct wdbg_hw *hw, u32 slot, bool *stopped)
{
	u32 status = wdbg_gfx10_3_read_ind(hw, slot, SQ_WAVE_STATUS);

	*stopped = status & SQ_WAVE_STATUS_VALID &&
		   wdbg_gfx10_3_is_stopped(status);
	return status & SQ_WAVE_STATUS_VALID;
}

/* The slow way: read each slot. */
static u32 gfx10_3_simd_valid(struct wdbg_hw *hw, u32 *stopped)
{
	u32 slot, valid = 0;
	bool stop;

	*stopped = 0;
	for (slot = 0; slot < hw->num_wave; slot++) {
		if (gfx10_3_simd_is_valid(hw, slot, &stop))
			valid |= BIT(slot);
		if (stop)
			*stopped |= BIT(slot);
	}
	return valid;
}

/*
 * The first wave that is seen halted: do both bitmaps show it? The first may leave it
 * out only when the second has it. Returns true if it is still halted, false if it was
 * resumed, so that another has to be tried.
 */
static bool gfx10_3_simd_try_halted(struct wdbg_hw *hw, u32 slot)
{
	ktime_t deadline = ktime_add_us(ktime_get(), UNDER_WAY_US);
	bool late, idle, active, stopped;

	for (;;) {
		late = ktime_after(ktime_get(), deadline);
		idle = gfx10_3_simd_idle(hw) & BIT(slot);
		active = gfx10_3_simd_active(hw) & BIT(slot);
		gfx10_3_simd_is_valid(hw, slot, &stopped);
		if (!stopped)
			return false;
		if (idle || late)
			break;
		usleep_range(20, 100);
	}
	hw->idle = idle ? WDBG_WORKS : WDBG_BROKEN;
	if (!active)
		hw->active = WDBG_BROKEN;
	hw->halted_seen = true;
	return true;
}

/*
 * Compare the bitmap with what the slots have shown, and read them a second time,
 * because waves start and end in between.
 */
static u32 gfx10_3_simd_try_active(struct wdbg_hw *hw, u32 valid, u32 stopped)
{
	u32 active, unused;

	if (stopped && !hw->halted_seen)
		gfx10_3_simd_try_halted(hw, __ffs(stopped));
	if (hw->active == WDBG_BROKEN)
		return valid;
	active = gfx10_3_simd_active(hw);
	if (active == valid)
		hw->active = WDBG_WORKS;
	else if (valid & ~active & gfx10_3_simd_valid(hw, &unused))
		hw->active = WDBG_BROKEN;
	return active | valid;
}

/**
 * wdbg_gfx10_3_live_slots() - find the slots that hold waves
 * @hw: the GPU
 * @at: the SIMD, selected
 *
 * Context: see &struct wdbg_wave_ops.
 * Return: one bit each.
 */
u32 wdbg_gfx10_3_live_slots(struct wdbg_hw *hw,
			    const struct amdgpudbg_wave_coord *at)
{
	u32 valid, stopped;

	if (hw->active == WDBG_WORKS && (hw->halted_seen || !hw->halts))
		return gfx10_3_simd_active(hw);
	valid = gfx10_3_simd_valid(hw, &stopped);
	if (!valid || hw->active == WDBG_BROKEN)
		return valid;
	return gfx10_3_simd_try_active(hw, valid, stopped);
}

/**
 * wdbg_gfx10_3_still() - check that a wave is halted with nothing in flight
 * @hw: the GPU
 * @at: the wave, its SIMD selected
 *
 * Context: see &struct wdbg_reg_ops.
 * Return: true if all of it can be read and written, see gpr-halted in gfx10_3_regs.c.
 */
bool wdbg_gfx10_3_still(struct wdbg_hw *hw,
			const struct amdgpudbg_wave_coord *at)
{
	bool stopped;

	gfx10_3_simd_is_valid(hw, at->wave, &stopped);
	if (!stopped)
		return false;
	if (!hw->halted_seen)
		return gfx10_3_simd_try_halted(hw, at->wave);
	if (!(gfx10_3_simd_idle(hw) & BIT(at->wave)))
		return hw->idle == WDBG_BROKEN;
	/* Also if the first one had more in flight than was assumed */
	hw->idle = WDBG_WORKS;
	return true;
}

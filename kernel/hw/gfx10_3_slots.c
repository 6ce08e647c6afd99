// SPDX-License-Identifier: GPL-2.0-only
/*
 * gfx10.3: which slots of a SIMD hold waves, and does a wave stand still? Two
 * registers have a bit for each slot; the header names them and their fields, and
 * amdgpu does not use them. So each is believed only after it has agreed with
 * STATUS, once for each GPU.
 *
 * What is assumed and only hardware could confirm:
 *
 * - active-bitmap: SQ_WAVE_ACTIVE of a SIMD has one bit per slot that holds a
 *   wave, whatever SQ_IND_INDEX.WAVE_ID is, and is right while waves run.
 *   Otherwise STATUS.VALID of each slot is looked at. It may also leave out waves
 *   that are halted: from when one may be halted until one was seen, the slots are
 *   looked at as well.
 * - idle-bitmap: SQ_WAVE_VALID_AND_IDLE of a SIMD has the bit of a wave that is
 *   halted, outside of its trap handler, as soon as the wave has nothing under way
 *   any more. Otherwise that it is halted so must do.
 */
#include <linux/bitfield.h>
#include <linux/delay.h>
#include <linux/ktime.h>

#include "gfx10_3.h"
#include "mmio.h"

/* How long a wave that is halted may have something under way. It takes microseconds. */
#define UNDER_WAY_US	10000

static u32 gfx10_3_slots_active(struct wdbg_hw *hw)
{
	return FIELD_GET(SQ_WAVE_ACTIVE_WAVE_SLOT,
			 wdbg_gfx10_3_read_ind(hw, 0, SQ_WAVE_ACTIVE)) &
	       GENMASK(hw->num_wave - 1, 0);
}

static u32 gfx10_3_slots_idle(struct wdbg_hw *hw)
{
	return FIELD_GET(SQ_WAVE_VALID_AND_IDLE_WAVE_SLOT,
			 wdbg_gfx10_3_read_ind(hw, 0, SQ_WAVE_VALID_AND_IDLE));
}

/* Does the slot hold a wave, and has it stopped? */
static bool gfx10_3_slots_is_valid(struct wdbg_hw *hw, u32 slot, bool *stopped)
{
	u32 status = wdbg_gfx10_3_read_ind(hw, slot, SQ_WAVE_STATUS);

	*stopped = status & SQ_WAVE_STATUS_VALID &&
		   wdbg_gfx10_3_is_stopped(status);
	return status & SQ_WAVE_STATUS_VALID;
}

/* The slow way: ask each slot. */
static u32 gfx10_3_slots_valid(struct wdbg_hw *hw, u32 *stopped)
{
	u32 slot, valid = 0;
	bool stop;

	*stopped = 0;
	for (slot = 0; slot < hw->num_wave; slot++) {
		if (gfx10_3_slots_is_valid(hw, slot, &stop))
			valid |= BIT(slot);
		if (stop)
			*stopped |= BIT(slot);
	}
	return valid;
}

/*
 * The first wave that is seen halted: do both bitmaps show it? It may be left out of
 * the first only when the second has it. Returns true if it stands still, false if
 * it has gone on, so that another has to be tried.
 */
static bool gfx10_3_slots_try_halted(struct wdbg_hw *hw, u32 slot)
{
	ktime_t deadline = ktime_add_us(ktime_get(), UNDER_WAY_US);
	bool late, idle, active, stopped;

	for (;;) {
		late = ktime_after(ktime_get(), deadline);
		idle = gfx10_3_slots_idle(hw) & BIT(slot);
		active = gfx10_3_slots_active(hw) & BIT(slot);
		gfx10_3_slots_is_valid(hw, slot, &stopped);
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
 * Compare the bitmap with what the slots have shown; with a second look at them,
 * because waves come and go meanwhile.
 */
static u32 gfx10_3_slots_try_active(struct wdbg_hw *hw, u32 valid, u32 stopped)
{
	u32 active, unused;

	if (stopped && !hw->halted_seen)
		gfx10_3_slots_try_halted(hw, __ffs(stopped));
	if (hw->active == WDBG_BROKEN)
		return valid;
	active = gfx10_3_slots_active(hw);
	if (active == valid)
		hw->active = WDBG_WORKS;
	else if (valid & ~active & gfx10_3_slots_valid(hw, &unused))
		hw->active = WDBG_BROKEN;
	return active | valid;
}

/**
 * wdbg_gfx10_3_live_slots() - which slots hold waves?
 * @hw: the GPU
 * @at: the SIMD, selected
 *
 * Context: as &struct wdbg_hw_ops.
 * Return: one bit each.
 */
u32 wdbg_gfx10_3_live_slots(struct wdbg_hw *hw,
			    const struct amdgpudbg_wave_coord *at)
{
	u32 valid, stopped;

	if (hw->active == WDBG_WORKS && (hw->halted_seen || !hw->halts))
		return gfx10_3_slots_active(hw);
	valid = gfx10_3_slots_valid(hw, &stopped);
	if (!valid || hw->active == WDBG_BROKEN)
		return valid;
	return gfx10_3_slots_try_active(hw, valid, stopped);
}

/**
 * wdbg_gfx10_3_still() - does a wave stand still?
 * @hw: the GPU
 * @at: the wave, its SIMD selected
 *
 * Context: as &struct wdbg_reg_ops.
 * Return: true if it can be read and written whole, see gpr-halted in gfx10_3_regs.c.
 */
bool wdbg_gfx10_3_still(struct wdbg_hw *hw,
			const struct amdgpudbg_wave_coord *at)
{
	bool stopped;

	gfx10_3_slots_is_valid(hw, at->wave, &stopped);
	if (!stopped)
		return false;
	if (!hw->halted_seen)
		return gfx10_3_slots_try_halted(hw, at->wave);
	if (!(gfx10_3_slots_idle(hw) & BIT(at->wave)))
		return hw->idle == WDBG_BROKEN;
	/* Also if the first one had more under way than was thought. */
	hw->idle = WDBG_WORKS;
	return true;
}

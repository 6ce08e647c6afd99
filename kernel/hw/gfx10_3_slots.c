// SPDX-License-Identifier: GPL-2.0-only
/*
 * gfx10.3: which slots of a SIMD hold waves, and is a wave completely halted? Two
 * registers have a bit for each slot; the header names them and their fields, and
 * amdgpu does not use them. So each is trusted only after it has agreed with STATUS,
 * once for each GPU.
 *
 * What is assumed and only hardware could confirm:
 *
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

/* How long a halted wave may have something in flight. It takes microseconds. */
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

/* The slow way: read each slot. */
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
 * The first wave that is seen halted: do both bitmaps show it? The first may leave it
 * out only when the second has it. Returns true if it is still halted, false if it was
 * resumed, so that another has to be tried.
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
 * Compare the bitmap with what the slots have shown, and read them a second time,
 * because waves start and end in between.
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
		return gfx10_3_slots_active(hw);
	valid = gfx10_3_slots_valid(hw, &stopped);
	if (!valid || hw->active == WDBG_BROKEN)
		return valid;
	return gfx10_3_slots_try_active(hw, valid, stopped);
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

	gfx10_3_slots_is_valid(hw, at->wave, &stopped);
	if (!stopped)
		return false;
	if (!hw->halted_seen)
		return gfx10_3_slots_try_halted(hw, at->wave);
	if (!(gfx10_3_slots_idle(hw) & BIT(at->wave)))
		return hw->idle == WDBG_BROKEN;
	/* Also if the first one had more in flight than was assumed */
	hw->idle = WDBG_WORKS;
	return true;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Wave slots: their coordinates, their owners, and walks over them. owner.c decides which
 * session becomes an owner, and what happens when it ends.
 *
 * Which process a slot belongs to. A wave is read register by register, and may end in
 * between: its slot then goes to the next wave, of any process. HW_ID2, which has the
 * VMID, is read before and after, and what was read is dropped if it differs. This does
 * not detect a slot that another process's wave has used in between. Two things do:
 *
 * - A halted wave does not end, and its VMID stays with its process. So what is read or
 *   written of a wave that is halted before and after is its own. First its state is
 *   read, then its VMID.
 * - While no waves start in a VMID, none of its waves can follow one of another
 *   process. A stall costs 116 accesses and delays the target, so only callers without
 *   CAP_SYS_ADMIN pay for it (wdbg_scope_is_strict()), when they list waves or read
 *   registers of a running one. Events stall nothing: a session with a target gets the
 *   state of halted waves only.
 */
#include "gpu.h"
#include "hw/mmio.h"
#include "session.h"
#include "wave/wave.h"

/**
 * wdbg_wave_slot() - get what is known about a wave slot
 * @gpu: the GPU
 * @at: the slot, which must exist
 *
 * Return: the slot.
 */
struct wdbg_slot *wdbg_wave_slot(struct wdbg_gpu *gpu,
				 const struct amdgpudbg_wave_coord *at)
{
	const struct wdbg_hw *hw = &gpu->hw;
	u32 i = at->xcc;

	i = i * hw->num_se + at->se;
	i = i * hw->num_sa + at->sa;
	i = i * hw->num_wgp + at->wgp;
	i = i * hw->num_simd + at->simd;
	i = i * hw->num_wave + at->wave;
	return &gpu->slots[i];
}

/**
 * wdbg_wave_id_discard() - drop the id of the wave in a slot, which may be replaced
 *	from now on; see id.c
 * @slot: the slot
 */
void wdbg_wave_id_discard(struct wdbg_slot *slot)
{
	slot->id = 0;
}

/**
 * wdbg_wave_own() - set the owner of a slot
 * @slot: the slot
 * @owner: the session that has halted the wave in it; NULL: none
 *
 * No other function changes an owner, so that wdbg_session.num_halted is right. The
 * time of each owner is accounted for: before waves are halted for a session, or may
 * be, its caller has passed wdbg_halt_budget_hold(), wdbg_halt_budget_expect() or
 * wdbg_halt_budget_note().
 * Context: the GPU's lock is held.
 */
void wdbg_wave_own(struct wdbg_slot *slot, struct wdbg_session *owner)
{
	if (slot->owner == owner)
		return;
	if (slot->owner)
		slot->owner->num_halted--;
	slot->owner = owner;
	wdbg_wave_id_discard(slot);
	if (!owner)
		return;
	lockdep_assert_held(&owner->gpu->lock);
	WARN_ON_ONCE(!owner->accounted);
	owner->num_halted++;
}

/**
 * wdbg_wave_exists() - check whether a wave slot exists
 * @gpu: the GPU
 * @at: the slot
 *
 * Return: true if so, false if it is out of range or harvested.
 */
bool wdbg_wave_exists(struct wdbg_gpu *gpu,
		      const struct amdgpudbg_wave_coord *at)
{
	const struct wdbg_hw *hw = &gpu->hw;

	return at->xcc < hw->num_xcc && at->se < hw->num_se &&
	       at->sa < hw->num_sa && at->wgp < hw->num_wgp &&
	       at->simd < hw->num_simd && at->wave < hw->num_wave &&
	       hw->wgp_mask[at->se][at->sa] & BIT(at->wgp);
}

/**
 * wdbg_wave_next_simd() - go to the next SIMD in the order of coordinates
 * @hw: the GPU
 * @at: the SIMD; its @wave becomes 0
 *
 * Return: false after the last one, whose successor is not valid.
 */
bool wdbg_wave_next_simd(const struct wdbg_hw *hw, struct amdgpudbg_wave_coord *at)
{
	at->wave = 0;
	if (++at->simd < hw->num_simd)
		return true;
	at->simd = 0;
	if (++at->wgp < hw->num_wgp)
		return true;
	at->wgp = 0;
	if (++at->sa < hw->num_sa)
		return true;
	at->sa = 0;
	if (++at->se < hw->num_se)
		return true;
	at->se = 0;
	return ++at->xcc < hw->num_xcc;
}

/* Does the walk include the SIMD @at? */
static bool slots_is_in(const struct wdbg_place *place,
			const struct amdgpudbg_wave_coord *at)
{
	const struct amdgpudbg_wave_coord *want = &place->at;
	u32 mask = place->mask;

	return !((place->xccs && !(place->xccs & BIT(at->xcc))) ||
		 (mask & AMDGPUDBG_AT_XCC && at->xcc != want->xcc) ||
		 (mask & AMDGPUDBG_AT_SE && at->se != want->se) ||
		 (mask & AMDGPUDBG_AT_SA && at->sa != want->sa) ||
		 (mask & AMDGPUDBG_AT_WGP && at->wgp != want->wgp) ||
		 (mask & AMDGPUDBG_AT_SIMD && at->simd != want->simd));
}

/* From the SIMD @at to the end, or to where the @turn ends: then 1. */
static int slots_scan_from(struct wdbg_gpu *gpu, const struct wdbg_place *place,
			   struct amdgpudbg_wave_coord *at, bool turn,
			   wdbg_scan_fn fn, void *arg)
{
	struct wdbg_hw *hw = &gpu->hw;
	bool begun = false;
	int ret = 0;
	u32 live;

	lockdep_assert_held(&gpu->lock);
	wdbg_bank_lock(hw);
	do {
		if (!wdbg_wave_exists(gpu, at) || (place && !slots_is_in(place, at)))
			continue;
		if (turn && begun && wdbg_gpu_lock_is_due(gpu)) {
			ret = 1;
			break;
		}
		begun = true;
		wdbg_bank_breathe(hw);
		wdbg_bank_select(hw, at);
		live = hw->ops->wave->live(hw, at);
		if (place && place->mask & AMDGPUDBG_AT_WAVE)
			live &= BIT(place->at.wave);
		ret = fn(gpu, at, live, arg);
	} while (!ret && wdbg_wave_next_simd(hw, at));
	wdbg_bank_unlock(hw);
	return ret;
}

/**
 * wdbg_wave_scan() - walk over the SIMDs and find the slots that hold waves
 * @gpu: the GPU
 * @place: only these slots; NULL: all
 * @fn: called for each SIMD
 * @arg: for @fn
 *
 * Releases the bank lock between SIMDs now and then, and takes it again. Signals do not
 * end the walk, because callers record in @fn what they own.
 * Context: between wdbg_power_begin() and wdbg_power_end(), without the bank lock.
 * Return: 0, or what @fn returned.
 */
int wdbg_wave_scan(struct wdbg_gpu *gpu,
		   const struct wdbg_place *place, wdbg_scan_fn fn, void *arg)
{
	struct amdgpudbg_wave_coord at = { };

	return slots_scan_from(gpu, place, &at, false, fn, arg);
}

/**
 * wdbg_wave_scan_turn() - as wdbg_wave_scan(), until the end of the caller's turn
 * @gpu: the GPU
 * @place: only these slots
 * @from: the SIMD to begin with, zero at first; then the one that comes next
 * @fn: called for each SIMD, at least one; returns 0 or a negative value
 * @arg: for @fn
 *
 * Context: see wdbg_wave_scan().
 * Return: 0, or what @fn returned; 1: the walk has to continue after a
 *	wdbg_gpu_unlock().
 */
int wdbg_wave_scan_turn(struct wdbg_gpu *gpu, const struct wdbg_place *place,
			struct amdgpudbg_wave_coord *from, wdbg_scan_fn fn,
			void *arg)
{
	return slots_scan_from(gpu, place, from, true, fn, arg);
}

/**
 * wdbg_wave_for_simds() - call a function for each SIMD, without reading it
 * @gpu: the GPU
 * @place: only these slots; NULL: all
 * @fn: the function
 * @arg: for @fn
 *
 * Context: see wdbg_wave_scan().
 */
void wdbg_wave_for_simds(struct wdbg_gpu *gpu, const struct wdbg_place *place,
			 wdbg_simd_fn fn, void *arg)
{
	struct amdgpudbg_wave_coord at = { };
	struct wdbg_hw *hw = &gpu->hw;

	lockdep_assert_held(&gpu->lock);
	wdbg_bank_lock(hw);
	do {
		if (!wdbg_wave_exists(gpu, &at) || (place && !slots_is_in(place, &at)))
			continue;
		wdbg_bank_breathe(hw);
		fn(gpu, &at, arg);
	} while (wdbg_wave_next_simd(hw, &at));
	wdbg_bank_unlock(hw);
}

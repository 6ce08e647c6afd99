// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ids of waves. A slot is no name for a wave, since the next wave may have it as soon as
 * one has ended, and the hardware has no serial number that the host could read. So a wave
 * has an id only while it cannot be replaced: a session has halted it, or owns it because
 * its handler has, and it is not in its handler. It loses the id when it is resumed, when
 * it is told to trap, and when a reset of the GPU may have ended it.
 *
 * What is assumed:
 *
 * - A halted wave is resumed or ended by sessions alone. Job timeouts, for which amdgpu
 *   kills waves, are held; root can do it by amdgpu's debugfs files.
 * - A trap handler does not end its wave in a step of that wave.
 *
 * In VMIDs of amdkfd there are no ids: to save the context of a queue, amdkfd lets halted
 * waves enter their handler, which ends them, and another wave may have the slot then.
 */
#include <linux/atomic.h>

#include "private.h"
#include "wave/id.h"

/* Of all GPUs, also if one is unbound and comes back: so no id is ever used again. */
static atomic64_t last_id;

/**
 * wdbg_wave_id() - the id of a wave
 * @gpu: the GPU
 * @slot: the slot of the wave
 * @vmid: VMID of the wave, which was seen halted and not in its handler since the caller
 *	has the GPU's lock
 *
 * It gets one, if it has none and may have one.
 * Return: the id; 0 if it is not certain.
 */
u64 wdbg_wave_id(struct wdbg_gpu *gpu, struct wdbg_slot *slot, u32 vmid)
{
	lockdep_assert_held(&gpu->lock);
	if (!slot->owner || slot->vmid != vmid ||
	    wdbg_kfd_vmids(gpu) & BIT(vmid))
		return 0;
	if (!slot->id)
		slot->id = atomic64_inc_return(&last_id);
	return slot->id;
}

/**
 * wdbg_wave_id_discard() - from now on, the wave in a slot may be replaced
 * @slot: the slot
 */
void wdbg_wave_id_discard(struct wdbg_slot *slot)
{
	slot->id = 0;
}

/**
 * wdbg_wave_id_discard_all() - from now on, the waves of some VMIDs may be replaced
 * @gpu: the GPU
 * @vmids: the VMIDs, one bit each
 */
void wdbg_wave_id_discard_all(struct wdbg_gpu *gpu, u32 vmids)
{
	u32 i;

	lockdep_assert_held(&gpu->lock);
	for (i = 0; i < gpu->num_slots; i++)
		if (vmids & BIT(gpu->slots[i].vmid))
			wdbg_wave_id_discard(&gpu->slots[i]);
}

/* The part of *@i that counts @num, of which the rest is taken away */
static u16 id_next_member(u32 *i, u32 num)
{
	u32 value = *i % num;

	*i /= num;
	return value;
}

/**
 * wdbg_wave_id_find() - where is the wave that has an id?
 * @gpu: the GPU
 * @id: the id, not 0
 * @at: out, its coordinates
 *
 * Return: its slot; NULL if no wave has the id any more.
 */
struct wdbg_slot *wdbg_wave_id_find(struct wdbg_gpu *gpu, u64 id,
				    struct amdgpudbg_wave_coord *at)
{
	const struct wdbg_hw *hw = &gpu->hw;
	u32 i, rest;

	lockdep_assert_held(&gpu->lock);
	for (i = 0; i < gpu->num_slots && gpu->slots[i].id != id; i++)
		;
	if (i == gpu->num_slots)
		return NULL;
	rest = i;
	*at = (struct amdgpudbg_wave_coord){ };
	/* In the order of wdbg_wave_slot() */
	at->wave = id_next_member(&rest, hw->num_wave);
	at->simd = id_next_member(&rest, hw->num_simd);
	at->wgp = id_next_member(&rest, hw->num_wgp);
	at->sa = id_next_member(&rest, hw->num_sa);
	at->se = id_next_member(&rest, hw->num_se);
	at->xcc = rest;
	return &gpu->slots[i];
}

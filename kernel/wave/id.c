// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ids of waves. A slot does not name a wave, since the next wave may have it as soon as
 * one has ended, and the hardware has no serial number that the host could read. So a
 * wave has an id only while it cannot be replaced: a session has halted it, or owns it
 * because its handler has, and it is not in its handler. It loses the id when it is
 * resumed, when it gets a TRAP command, and when a reset of the GPU may have ended it.
 *
 * Assumptions:
 *
 * - Only sessions resume or end a halted wave. Job timeouts, for which amdgpu kills
 *   waves, are held; root can do it by amdgpu's debugfs files.
 * - A trap handler does not end its wave in a step of that wave.
 *
 * There are no ids in VMIDs of amdkfd: to save the context of a queue, amdkfd lets
 * halted waves enter their handler, which ends them, and another wave may have the slot
 * then.
 */
#include <linux/atomic.h>

#include "gpu.h"
#include "wave/wave.h"

/* Of all GPUs, also if one is unbound and comes back: no id is ever used again. */
static atomic64_t last_id;

/**
 * wdbg_wave_id() - get the id of a wave, or give it one
 * @gpu: the GPU
 * @slot: the slot of the wave
 * @vmid: VMID of the wave, which was seen halted and not in its handler since the
 *	caller has the GPU's lock
 *
 * Return: the id; 0 if the wave may have none.
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
 * wdbg_wave_id_discard_all() - drop the ids of all waves of some VMIDs
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

/* Take the member that counts @num from the index *@i. */
static u16 id_next_member(u32 *i, u32 num)
{
	u32 value = *i % num;

	*i /= num;
	return value;
}

/**
 * wdbg_wave_id_find() - find the wave that has an id
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

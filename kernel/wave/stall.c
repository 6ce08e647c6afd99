// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stall VMIDs: keep their new waves from starting, for a moment while the way in which
 * they start is changed or while all of them are halted, or for longer. Stalls are
 * counted per VMID, so that they do not end each other; the counts change within the
 * bank lock. The stall of the guard of a VMID is not counted.
 */
#include "gpu.h"
#include "hw/mmio.h"
#include "wave/wave.h"

/**
 * struct wdbg_stalls - the VMIDs that are stalled
 * @users: for each VMID, how many users stall it
 * @before: VMIDs that were stalled before this module did; one bit each
 */
struct wdbg_stalls {
	u8 users[WDBG_NUM_VMID];
	u32 before;
};

static struct wdbg_stalls *stall_data(const struct wdbg_gpu *gpu)
{
	return wdbg_part_data(gpu, &wdbg_stall_part);
}

/* VMIDs of @vmid_mask whose count is 0 */
static u32 stall_running(const struct wdbg_gpu *gpu, u32 vmid_mask)
{
	u32 vmid, mask = 0;

	for (vmid = 0; vmid < WDBG_NUM_VMID; vmid++)
		if (vmid_mask & BIT(vmid) && !stall_data(gpu)->users[vmid])
			mask |= BIT(vmid);
	return mask;
}

/**
 * wdbg_stall_end() - let waves start again
 * @gpu: the GPU
 * @vmid_mask: the VMIDs of a wdbg_stall_begin()
 *
 * VMIDs that other users keep stalled, amdkfd included, stay stalled.
 * Context: see wdbg_stall_begin(). It may also be called after a reset; if the hardware
 *	cannot be reached, call wdbg_stall_discard() instead.
 */
void wdbg_stall_end(struct wdbg_gpu *gpu, u32 vmid_mask)
{
	u32 end;

	wdbg_stall_discard(gpu, vmid_mask);
	end = stall_running(gpu, vmid_mask) & ~stall_data(gpu)->before;
	stall_data(gpu)->before &= ~stall_running(gpu, vmid_mask);
	if (end)
		gpu->hw.ops->launch->end_stall(&gpu->hw, end);
}

/**
 * wdbg_stall_unguard() - let waves start that the guard has stalled
 * @gpu: the GPU
 * @vmid: their VMID
 *
 * Unless other users stall it.
 * Context: within wdbg_bank_lock(), no bank selected.
 */
void wdbg_stall_unguard(struct wdbg_gpu *gpu, u32 vmid)
{
	u32 end = stall_running(gpu, BIT(vmid)) & ~stall_data(gpu)->before;

	lockdep_assert_held(gpu->hw.bank_lock);
	wdbg_hw_unguard(&gpu->hw, BIT(vmid));
	if (end)
		gpu->hw.ops->launch->end_stall(&gpu->hw, end);
}

/**
 * wdbg_stall_discard() - end wdbg_stall_begin() without the hardware
 * @gpu: the GPU
 * @vmid_mask: as for wdbg_stall_begin()
 *
 * Context: within wdbg_bank_lock(), or the hardware cannot be reached.
 */
void wdbg_stall_discard(struct wdbg_gpu *gpu, u32 vmid_mask)
{
	u32 vmid;

	for (vmid = 0; vmid < WDBG_NUM_VMID; vmid++)
		if (vmid_mask & BIT(vmid) && !WARN_ON_ONCE(!stall_data(gpu)->users[vmid]))
			stall_data(gpu)->users[vmid]--;
}

/**
 * wdbg_stall_begin() - let no new waves start
 * @gpu: the GPU
 * @vmid_mask: the VMIDs, one bit each
 *
 * Waves that were on their way have started when it returns.
 * Context: between wdbg_power_begin() and wdbg_power_end(), within wdbg_bank_lock(), no
 *	bank selected.
 * Return: 0; -EIO if the hardware does not show it, and nothing is stalled that was not
 *	before.
 */
int wdbg_stall_begin(struct wdbg_gpu *gpu, u32 vmid_mask)
{
	const struct wdbg_launch_ops *launch = gpu->hw.ops->launch;
	u32 vmid;

	lockdep_assert_held(gpu->hw.bank_lock);
	stall_data(gpu)->before |= launch->stalled(&gpu->hw) &
			       stall_running(gpu, vmid_mask) &
			       ~READ_ONCE(gpu->hw.guarded);
	/*
	 * Also VMIDs that are counted: amdkfd ends the stall of all VMIDs when it ends
	 * one (kgd_gfx_v10_set_wave_launch_stall(), Linux 7.2).
	 */
	launch->stall(&gpu->hw, vmid_mask);
	for (vmid = 0; vmid < WDBG_NUM_VMID; vmid++)
		if (vmid_mask & BIT(vmid))
			stall_data(gpu)->users[vmid]++;
	if (!(vmid_mask & ~launch->stalled(&gpu->hw)))
		return 0;
	wdbg_stall_end(gpu, vmid_mask);
	return -EIO;
}

/* The users of a stall end it: the part only keeps the counts. */
const struct wdbg_part wdbg_stall_part = {
	.id = WDBG_PART_STALL,
	.data_size = sizeof(struct wdbg_stalls),
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * One command to one wave, by SQ_CMD, and the confirmation that it has taken effect.
 */
#include <linux/delay.h>
#include <linux/ktime.h>

#include "gpu.h"
#include "hw/mmio.h"
#include "wave/wave.h"

/* Read at least so many times, no matter how long one read takes. */
#define VERIFY_MIN	4

/**
 * wdbg_wave_late() - check whether to stop waiting for an effect
 * @looks: how often it was read before; 0 at first
 * @deadline: until when waves may take
 *
 * Return: true if so.
 */
bool wdbg_wave_late(int *looks, ktime_t deadline)
{
	return ++*looks >= VERIFY_MIN && ktime_after(ktime_get(), deadline);
}

/**
 * wdbg_wave_retry() - wait a little for a wave that does not yet show the effect of a
 *	command
 * @hw: the GPU
 * @at: the wave, its bank selected
 * @looks: how often that was so; 0 at first
 * @deadline: until when it may take
 *
 * Context: within wdbg_bank_lock(), which is released and taken again; may sleep.
 * Return: true to read again, the bank being selected; false if it is late.
 */
bool wdbg_wave_retry(struct wdbg_hw *hw, const struct amdgpudbg_wave_coord *at,
		     int *looks, ktime_t deadline)
{
	if (wdbg_wave_late(looks, deadline))
		return false;
	wdbg_bank_unlock(hw);
	usleep_range(20, 100);
	wdbg_bank_lock(hw);
	wdbg_bank_select(hw, at);
	return true;
}

/**
 * wdbg_wave_at_trap() - check whether its trap handler has halted a wave
 * @gpu: the GPU
 * @at: the wave, its bank selected
 * @state: WDBG_WAVE_* of it
 *
 * STATUS.HALT is one bit, whichever agent has set it. So this is derived from the PC of
 * the wave, once it is out of its handler; see &struct wdbg_trap_ops.
 * Context: within wdbg_bank_lock().
 * Return: true if so.
 */
bool wdbg_wave_at_trap(struct wdbg_gpu *gpu,
		       const struct amdgpudbg_wave_coord *at, u32 state)
{
	const struct wdbg_hw_ops *ops = gpu->hw.ops;

	return ops->trap && state & WDBG_WAVE_TRAP_EN &&
	       ops->regs->still(&gpu->hw, at) &&
	       ops->trap->at_trap(&gpu->hw, at);
}

/**
 * wdbg_wave_mark() - mark a wave that is about to be resumed
 * @gpu: the GPU
 * @at: the wave, its bank selected
 * @state: WDBG_WAVE_* of it
 *
 * wdbg_wave_at_trap() is false then until it traps again.
 * Context: within wdbg_bank_lock().
 */
void wdbg_wave_mark(struct wdbg_gpu *gpu,
		    const struct amdgpudbg_wave_coord *at, u32 state)
{
	const struct wdbg_hw_ops *ops = gpu->hw.ops;

	if (ops->trap && state & WDBG_WAVE_TRAP_EN &&
	    ops->regs->still(&gpu->hw, at))
		ops->trap->mark(&gpu->hw, at);
}

/**
 * wdbg_wave_changed() - note that waves are about to be changed, by other than a halt
 * @gpu: the GPU
 * @vmid: of the waves
 * @at: the wave; NULL: all of @vmid
 *
 * Context: the GPU's lock is held.
 */
void wdbg_wave_changed(struct wdbg_gpu *gpu, u32 vmid,
		       const struct amdgpudbg_wave_coord *at)
{
	lockdep_assert_held(&gpu->lock);
	if (at)
		wdbg_wave_slot(gpu, at)->changes++;
	else
		gpu->changes[vmid]++;
}

/**
 * wdbg_wave_changes() - get the number of a halted wave's changes and resumes by
 *	sessions
 * @gpu: the GPU
 * @at: the wave
 * @vmid: of the wave
 *
 * Context: the GPU's lock is held.
 * Return: a number that differs after each change.
 */
u64 wdbg_wave_changes(struct wdbg_gpu *gpu,
		      const struct amdgpudbg_wave_coord *at, u32 vmid)
{
	lockdep_assert_held(&gpu->lock);
	return gpu->changes[vmid] + wdbg_wave_slot(gpu, at)->changes;
}

/**
 * wdbg_wave_resumed() - note that waves were resumed, and may stop again at once
 * @gpu: the GPU, attached
 * @vmid: of the waves
 * @at: the wave; NULL: all of @vmid
 *
 * Context: the GPU's lock is held.
 */
void wdbg_wave_resumed(struct wdbg_gpu *gpu, u32 vmid,
		       const struct amdgpudbg_wave_coord *at)
{
	const struct wdbg_part *const *p;

	wdbg_wave_changed(gpu, vmid, at);
	if (at)
		wdbg_wave_id_discard(wdbg_wave_slot(gpu, at));
	else
		wdbg_wave_id_discard_all(gpu, BIT(vmid));
	for (p = gpu->parts; *p; p++)
		if ((*p)->resumed)
			(*p)->resumed(gpu, vmid, at);
}

/*
 * A wave that is still halted may have been resumed and have stopped again, at the next
 * breakpoint for example: it must not get a second command, or would pass that
 * breakpoint. A wave that has stopped by itself before is expected to do so; one that a
 * session has halted gets time to show that it runs.
 */
static int command_resume(struct wdbg_gpu *gpu,
			  const struct amdgpudbg_wave_coord *at, u32 vmid,
			  ktime_t deadline, u32 *state)
{
	const struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	bool by_itself = !slot->owner || slot->by_itself;
	struct wdbg_hw *hw = &gpu->hw;
	int looks = 0;

	wdbg_wave_mark(gpu, at, *state);
	wdbg_wave_resumed(gpu, vmid, at);
	hw->ops->wave->command(hw, AMDGPUDBG_WAVEOP_RESUME, 0, false, at, vmid);
	do {
		*state = hw->ops->wave->state(hw, at);
		if (!(*state & WDBG_WAVE_HALTED))
			return 0;
		/*
		 * The command may take effect some accesses later. A halted wave cannot
		 * end, so the wave was resumed after STATUS was read, and has ended.
		 * CHECK_VMID protects the new wave.
		 */
		if (hw->ops->wave->vmid(hw, at) != vmid) {
			*state = 0;
			return 0;
		}
		if (by_itself && looks >= VERIFY_MIN)
			return 0;
		if (wdbg_wave_at_trap(gpu, at, *state))
			return 0;
	} while (wdbg_wave_retry(hw, at, &looks, deadline));
	return by_itself ? 0 : -ETIMEDOUT;
}

/* A wave that does not halt at once may get the command again. */
static int command_halt(struct wdbg_gpu *gpu,
			const struct amdgpudbg_wave_coord *at, u32 vmid,
			ktime_t deadline, u32 *state)
{
	struct wdbg_hw *hw = &gpu->hw;
	int looks = 0;

	do {
		hw->ops->wave->command(hw, AMDGPUDBG_WAVEOP_HALT, 0, false, at, vmid);
		*state = hw->ops->wave->state(hw, at);
		if (*state & WDBG_WAVE_HALTED || !(*state & WDBG_WAVE_VALID))
			return 0;
		if (hw->ops->wave->vmid(hw, at) != vmid)
			return -ESTALE;
	} while (wdbg_wave_retry(hw, at, &looks, deadline));
	return -ETIMEDOUT;
}

/**
 * wdbg_wave_command() - halt or resume one wave and verify it
 * @gpu: the GPU
 * @op: AMDGPUDBG_WAVEOP_HALT or _RESUME
 * @at: the wave, its bank selected
 * @vmid: of the wave; before a resume, the wave was seen halted and of this VMID
 * @deadline: until when it may take
 * @state: its last known state, WDBG_WAVE_*
 *
 * Context: within wdbg_bank_lock(), which is released and taken again if the wave is
 *	slow; may sleep.
 * Return: 0 if the wave is in the wanted state or has ended, or has stopped again after
 *	a resume; -ESTALE if a wave that was to be halted is of another VMID,
 *	-ETIMEDOUT.
 */
int wdbg_wave_command(struct wdbg_gpu *gpu, enum amdgpudbg_waveop op,
		      const struct amdgpudbg_wave_coord *at, u32 vmid,
		      ktime_t deadline, u32 *state)
{
	return op == AMDGPUDBG_WAVEOP_HALT ?
	       command_halt(gpu, at, vmid, deadline, state) :
	       command_resume(gpu, at, vmid, deadline, state);
}

/**
 * wdbg_wave_set_debug() - let one wave enter or leave debug mode and verify it
 * @gpu: the GPU
 * @on: enter it
 * @at: the wave, its bank selected
 * @vmid: of the wave
 * @deadline: until when it may take
 *
 * Context: see wdbg_wave_command().
 * Return: 0 if the wave is in the wanted mode, -ENODATA if it has ended, -ESTALE if it
 *	is of another VMID, -ETIMEDOUT.
 */
int wdbg_wave_set_debug(struct wdbg_gpu *gpu, bool on,
			const struct amdgpudbg_wave_coord *at, u32 vmid,
			ktime_t deadline)
{
	struct wdbg_hw *hw = &gpu->hw;
	int looks = 0;

	do {
		hw->ops->wave->command(hw, AMDGPUDBG_WAVEOP_DEBUG, on, false, at,
				       vmid);
		if (!(hw->ops->wave->state(hw, at) & WDBG_WAVE_VALID))
			return -ENODATA;
		if (hw->ops->wave->vmid(hw, at) != vmid)
			return -ESTALE;
		if (hw->ops->wave->debug(hw, at) == on)
			return 0;
	} while (wdbg_wave_retry(hw, at, &looks, deadline));
	return -ETIMEDOUT;
}

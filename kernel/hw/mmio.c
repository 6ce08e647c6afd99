// SPDX-License-Identifier: GPL-2.0-only
/*
 * Register access: traced, counted, within the BAR, and with the bank select restored
 * on all paths.
 *
 * amdgpu on bare metal reads and writes registers by readl() and writel() on the
 * mapping that is used here too (amdgpu_device_rreg() and _wreg() of Linux 6.1 to 7.2);
 * its other ways are for virtual functions, which are refused.
 *
 * reg_reads and reg_writes in /sys/kernel/debug/amdgpudbg/NODE count the accesses of
 * all calls. Accesses that one call takes:
 *
 *  halt a wave            10: select, HW_ID2, STATUS, SQ_CMD, STATUS, HW_ID2, select all;
 *                         an index before a register
 *  resume a wave          11: select, HW_ID2, STATUS, HW_ID2, SQ_CMD, STATUS, select all;
 *                         with a handler 5 more, and 9 or 13 to see it halted again
 *  the same, no change    8 if it is halted, 6 if it runs
 *  step a wave            23: select, HW_ID2, STATUS, HW_ID2, PC, INST_DW0, SQ_CMD,
 *                         STATUS, HW_ID2, PC, select all
 *  read registers         one per value, one per lane and 128 values, 16 (of VGPRs: 20);
 *                         of a running wave without CAP_SYS_ADMIN 127 more, 118 to stall
 *  write registers        3 per value, 4 to 6 of a hardware register, 16; to compare
 *                         before, one per value and 8
 *  list                   3 per SIMD (select, index, bitmap), 27 per wave, or with
 *                         hw_want 4 and its registers (of PC and STATUS 7, 4 of them
 *                         reads), 1 per VMID, 1; with a target 15 and 1 per wave more;
 *                         without CAP_SYS_ADMIN 116 to stall
 *  halt or resume a       3 per SIMD and 3 per wave each time that they are read, twice;
 *  selection              one command per VMID, for a filter one per SIMD and VMID; with
 *                         flags or a slot one per wave; to halt 116 to stall
 *  snapshot               a list, 21 per wave for TTMPs, 116 to stall; to halt and to
 *                         resume, 3 per SIMD and 4 per wave each time that they are
 *                         read, twice and once
 *  kill, debug, trap      116 to stall; to read the waves, before and after; the commands
 *  set, clear a watch     22, 2 for each that is in use; 8
 *  change how waves start 122, of which 110 wait until waves on their way have started
 *
 * Until a GPU has shown its first wave, a list also reads STATUS of all slots, to find
 * out whether the bitmap of live slots can be trusted; and once more, from when a wave
 * may be halted until one was seen so. Where it cannot be trusted, each walk of a SIMD
 * reads them.
 */
#include <linux/bitops.h>
#include <linux/ktime.h>
#include <linux/wait_bit.h>

#include "hw/mmio.h"

#define CREATE_TRACE_POINTS
#include "hw/trace.h"

/*
 * After so many accesses, release the bank. About a millisecond on hardware, where a
 * read takes one or two microseconds.
 */
#define MAX_ACCESSES_PER_LOCK	512

/* How long the guard waits for another holder of the bank, in microseconds */
#define BANK_US	1000

/**
 * wdbg_mmio_init() - initialise the access to a GPU's registers
 * @hw: the GPU
 */
void wdbg_mmio_init(struct wdbg_hw *hw)
{
	raw_spin_lock_init(&hw->lock);
}

static void __iomem *mmio_address(const struct wdbg_hw *hw, u32 reg)
{
	/* ops->check() has checked every register that is used. */
	if (WARN_ON_ONCE(reg >= hw->num_regs))
		return NULL;
	return hw->rmmio + (size_t)reg * sizeof(u32);
}

/**
 * wdbg_rreg_locked() - read a register that will be written
 * @hw: the GPU, powered
 * @reg: number of the register within the BAR
 *
 * Context: wdbg_hw.lock is held.
 * Return: its value.
 */
u32 wdbg_rreg_locked(struct wdbg_hw *hw, u32 reg)
{
	void __iomem *address = mmio_address(hw, reg);
	u32 value;

	lockdep_assert_held(&hw->lock);
	if (!address)
		return ~0;
	value = readl(address);
	hw->reads++;
	trace_amdgpudbg_reg(false, reg, value);
	return value;
}

/**
 * wdbg_wreg_locked() - write a register that was read before
 * @hw: the GPU, powered
 * @reg: number of the register within the BAR
 * @value: the value
 *
 * Context: wdbg_hw.lock is held.
 */
void wdbg_wreg_locked(struct wdbg_hw *hw, u32 reg, u32 value)
{
	void __iomem *address = mmio_address(hw, reg);

	lockdep_assert_held(&hw->lock);
	if (!address)
		return;
	writel(value, address);
	hw->writes++;
	trace_amdgpudbg_reg(true, reg, value);
}

/**
 * wdbg_rreg() - read a register
 * @hw: the GPU, powered
 * @reg: number of the register within the BAR
 *
 * Return: its value.
 */
u32 wdbg_rreg(struct wdbg_hw *hw, u32 reg)
{
	u32 value;

	raw_spin_lock(&hw->lock);
	value = wdbg_rreg_locked(hw, reg);
	raw_spin_unlock(&hw->lock);
	return value;
}

/**
 * wdbg_rreg_untraced() - read a register that has no bank, in a hard interrupt
 * @hw: the GPU, powered
 * @reg: number of the register within the BAR
 *
 * Interrupts cannot take wdbg_hw.lock, so this is neither counted nor traced.
 * Return: its value.
 */
u32 wdbg_rreg_untraced(const struct wdbg_hw *hw, u32 reg)
{
	void __iomem *address = mmio_address(hw, reg);

	return address ? readl(address) : 0;
}

/**
 * wdbg_wreg() - write a register
 * @hw: the GPU, powered
 * @reg: number of the register within the BAR
 * @value: the value
 */
void wdbg_wreg(struct wdbg_hw *hw, u32 reg, u32 value)
{
	raw_spin_lock(&hw->lock);
	wdbg_wreg_locked(hw, reg, value);
	raw_spin_unlock(&hw->lock);
}

static void mmio_set_bank_held(struct wdbg_hw *hw, bool held)
{
	raw_spin_lock(&hw->lock);
	hw->bank_held = held;
	raw_spin_unlock(&hw->lock);
}

static void mmio_bank_locked(struct wdbg_hw *hw)
{
	mmio_set_bank_held(hw, true);
	hw->banked = false;
	hw->ind_valid = false;
	hw->locked_at = wdbg_hw_accesses(hw);
}

/**
 * wdbg_bank_lock() - begin to use banked registers
 * @hw: the GPU, powered
 *
 * Takes amdgpu's grbm_idx_mutex, after all threads that wait in wdbg_vmid_lock(): a
 * mutex that is released and taken again at once goes to another thread only by chance.
 * They need nothing but the two mutexes. All banks are selected, as its holders leave
 * it.
 * Context: may sleep; not within wdbg_vmid_lock().
 */
void wdbg_bank_lock(struct wdbg_hw *hw)
{
	wait_var_event(&hw->vmid_wanted, !atomic_read(&hw->vmid_wanted));
	mutex_lock(hw->bank_lock);
	mmio_bank_locked(hw);
}

/**
 * wdbg_bank_unlock() - end wdbg_bank_lock()
 * @hw: the GPU
 *
 * Selects all banks if necessary.
 */
void wdbg_bank_unlock(struct wdbg_hw *hw)
{
	lockdep_assert_held(hw->bank_lock);
	if (hw->banked)
		wdbg_bank_select_all(hw);
	mmio_set_bank_held(hw, false);
	mutex_unlock(hw->bank_lock);
}

/**
 * wdbg_bank_select() - select the bank of one SIMD
 * @hw: the GPU
 * @at: the SIMD
 *
 * Context: within wdbg_bank_lock(), whose end restores the selection.
 */
void wdbg_bank_select(struct wdbg_hw *hw,
		      const struct amdgpudbg_wave_coord *at)
{
	lockdep_assert_held(hw->bank_lock);
	hw->banked = true;
	hw->ind_valid = false;
	hw->ops->select(hw, at);
}

/**
 * wdbg_bank_select_all() - select all banks
 * @hw: the GPU
 *
 * Context: within wdbg_bank_lock().
 */
void wdbg_bank_select_all(struct wdbg_hw *hw)
{
	lockdep_assert_held(hw->bank_lock);
	hw->ops->select_all(hw);
	hw->banked = false;
	hw->ind_valid = false;
}

/**
 * wdbg_bank_first() - get the first bank that exists and is not harvested
 * @hw: the GPU
 *
 * Return: its coordinates.
 */
struct amdgpudbg_wave_coord wdbg_bank_first(const struct wdbg_hw *hw)
{
	struct amdgpudbg_wave_coord at = { };

	for (at.se = 0; at.se < hw->num_se; at.se++)
		for (at.sa = 0; at.sa < hw->num_sa; at.sa++)
			if (hw->wgp_mask[at.se][at.sa]) {
				at.wgp = __ffs(hw->wgp_mask[at.se][at.sa]);
				return at;
			}
	return (struct amdgpudbg_wave_coord){ };
}

/**
 * wdbg_bank_begin_read() - prepare to read a register that is the same in all banks
 * @hw: the GPU
 *
 * GRBM_GFX_INDEX can select all for writes only: a read goes to the first of them, and
 * where that is harvested, nothing answers.
 * Context: within wdbg_bank_lock(), no bank selected.
 */
void wdbg_bank_begin_read(struct wdbg_hw *hw)
{
	struct amdgpudbg_wave_coord at = wdbg_bank_first(hw);

	lockdep_assert_held(hw->bank_lock);
	if (at.se || at.sa || at.wgp)
		wdbg_bank_select(hw, &at);
}

/**
 * wdbg_bank_end_read() - end wdbg_bank_begin_read(): writes reach all banks
 * @hw: the GPU
 *
 * Context: within wdbg_bank_lock().
 */
void wdbg_bank_end_read(struct wdbg_hw *hw)
{
	if (hw->banked)
		wdbg_bank_select_all(hw);
}

/**
 * wdbg_bank_is_due() - check whether others should get the bank lock
 * @hw: the GPU
 *
 * Context: within wdbg_bank_lock().
 * Return: true if wdbg_bank_breathe() would release the lock now.
 */
bool wdbg_bank_is_due(const struct wdbg_hw *hw)
{
	lockdep_assert_held(hw->bank_lock);
	return atomic_read(&hw->vmid_wanted) ||
	       wdbg_hw_accesses(hw) - hw->locked_at >= MAX_ACCESSES_PER_LOCK;
}

/**
 * wdbg_bank_breathe() - release the bank lock for a moment after a long use
 * @hw: the GPU
 *
 * To be called between two SIMDs in a loop: a bank has to be selected again afterwards.
 * Context: within wdbg_bank_lock(), which may be released and taken again.
 */
void wdbg_bank_breathe(struct wdbg_hw *hw)
{
	if (!wdbg_bank_is_due(hw))
		return;
	wdbg_bank_unlock(hw);
	cond_resched();
	wdbg_bank_lock(hw);
}

/*
 * amdkfd takes the two locks in one order, amdgpu's debugfs in the other. So this waits
 * for only one of them at a time, in its queue, and then tries the other: the one that
 * was not free is the next to be waited for.
 */
static void mmio_lock_both(struct wdbg_hw *hw)
{
	struct mutex *first = hw->srbm_lock, *second = hw->bank_lock;

	mutex_lock(first);
	while (!mutex_trylock(second)) {
		mutex_unlock(first);
		swap(first, second);
		mutex_lock(first);
	}
}

/**
 * wdbg_vmid_lock() - begin to use registers that exist once per VMID
 * @hw: the GPU, powered; its srbm_lock is known
 * @vmid: the VMID
 *
 * Includes what wdbg_bank_lock() does, because writes must reach all banks. Waves of
 * another process may wait for it, so it comes before all other callers of the module.
 * Context: may sleep.
 */
void wdbg_vmid_lock(struct wdbg_hw *hw, u32 vmid)
{
	atomic_inc(&hw->vmid_wanted);
	mmio_lock_both(hw);
	if (atomic_dec_and_test(&hw->vmid_wanted))
		wake_up_var(&hw->vmid_wanted);
	mmio_bank_locked(hw);
	hw->ops->trap->select_vmid(hw, vmid);
}

/**
 * wdbg_vmid_unlock() - end wdbg_vmid_lock()
 * @hw: the GPU
 *
 * Selects no VMID, and all banks if necessary.
 */
void wdbg_vmid_unlock(struct wdbg_hw *hw)
{
	lockdep_assert_held(hw->srbm_lock);
	hw->ops->trap->select_vmid(hw, 0);
	wdbg_bank_unlock(hw);
	mutex_unlock(hw->srbm_lock);
}

/**
 * wdbg_hw_freeze() - prepare an access in between those of all others, where nothing
 *	may sleep
 * @hw: the GPU
 *
 * For wdbg_hw_guard(). If this module holds the bank lock, the holder does one access
 * at a time under @hw->lock, and finds its bank selected again. If another agent holds
 * it for longer than BANK_US, one access of that holder may reach all banks in the
 * meantime, or its selection of one be undone.
 * Context: no interrupt; @hw->lock is held afterwards.
 */
void wdbg_hw_freeze(struct wdbg_hw *hw)
	__acquires(&hw->lock)
{
	ktime_t deadline = ktime_add_us(ktime_get(), BANK_US);
	bool locked;

	for (;;) {
		locked = mutex_trylock(hw->bank_lock);
		raw_spin_lock(&hw->lock);
		if (locked || hw->bank_held ||
		    ktime_after(ktime_get(), deadline))
			break;
		raw_spin_unlock(&hw->lock);
		cpu_relax();
	}
	hw->frozen_bank = locked;
}

/**
 * wdbg_hw_thaw() - end wdbg_hw_freeze()
 * @hw: the GPU
 */
void wdbg_hw_thaw(struct wdbg_hw *hw)
	__releases(&hw->lock)
{
	bool locked = hw->frozen_bank;

	lockdep_assert_held(&hw->lock);
	raw_spin_unlock(&hw->lock);
	if (locked)
		mutex_unlock(hw->bank_lock);
}

/**
 * wdbg_hw_guard() - let no new waves of a VMID start
 * @hw: the GPU, powered
 * @vmid: the VMID
 *
 * Until it is removed from wdbg_hw.guarded.
 * Context: within wdbg_hw_freeze().
 */
void wdbg_hw_guard(struct wdbg_hw *hw, u32 vmid)
{
	u32 before;

	lockdep_assert_held(&hw->lock);
	hw->guarded |= BIT(vmid);
	/* The register has banks, as all have. */
	if (!hw->frozen_bank)
		before = hw->ops->swap_select(hw, hw->ops->all_banks);
	hw->ops->launch->stall_guarded(hw);
	if (!hw->frozen_bank)
		hw->ops->swap_select(hw, before);
}

/**
 * wdbg_hw_unguard() - allow waves of some VMIDs to start
 * @hw: the GPU
 * @vmid_mask: the VMIDs, one bit each
 *
 * Only notes it: see wdbg_launch_ops.end_stall().
 */
void wdbg_hw_unguard(struct wdbg_hw *hw, u32 vmid_mask)
{
	raw_spin_lock(&hw->lock);
	hw->guarded &= ~vmid_mask;
	raw_spin_unlock(&hw->lock);
}

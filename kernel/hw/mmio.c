// SPDX-License-Identifier: GPL-2.0-only
/*
 * Register access: traced, counted, within the BAR, and with the bank select
 * restored whatever happens.
 *
 * amdgpu on bare metal reads and writes registers by readl() and writel() on
 * the mapping that is used here too (amdgpu_device_rreg() and _wreg() of Linux
 * 6.1 to 7.2); its other ways are for virtual functions, which are refused.
 */
#include <linux/delay.h>

#include "mmio.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/*
 * After so many accesses, let others have the bank. About a millisecond on
 * hardware, where a read takes one or two microseconds.
 */
#define MAX_ACCESSES_PER_LOCK	512

static void __iomem *reg_address(const struct wdbg_hw *hw, u32 reg)
{
	/* Every register that is used was checked by ops->check(). */
	if (WARN_ON_ONCE(reg >= hw->num_regs))
		return NULL;
	return hw->rmmio + (size_t)reg * sizeof(u32);
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
	void __iomem *address = reg_address(hw, reg);
	u32 value;

	if (!address)
		return ~0;
	value = readl(address);
	hw->reads++;
	trace_amdgpudbg_reg(false, reg, value);
	return value;
}

/**
 * wdbg_wreg() - write a register
 * @hw: the GPU, powered
 * @reg: number of the register within the BAR
 * @value: the value
 */
void wdbg_wreg(struct wdbg_hw *hw, u32 reg, u32 value)
{
	void __iomem *address = reg_address(hw, reg);

	if (!address)
		return;
	writel(value, address);
	hw->writes++;
	trace_amdgpudbg_reg(true, reg, value);
}

static void bank_locked(struct wdbg_hw *hw)
{
	hw->banked = false;
	hw->ind_valid = false;
	hw->locked_at = hw->reads + hw->writes;
}

/**
 * wdbg_bank_lock() - begin to use banked registers
 * @hw: the GPU, powered
 *
 * Takes amdgpu's grbm_idx_mutex. All banks are selected, as its holders leave
 * it. Context: may sleep.
 */
void wdbg_bank_lock(struct wdbg_hw *hw)
{
	mutex_lock(hw->bank_lock);
	bank_locked(hw);
}

/**
 * wdbg_bank_unlock() - end of wdbg_bank_lock()
 * @hw: the GPU
 *
 * Selects all banks if need be.
 */
void wdbg_bank_unlock(struct wdbg_hw *hw)
{
	lockdep_assert_held(hw->bank_lock);
	if (hw->banked)
		wdbg_bank_select_all(hw);
	mutex_unlock(hw->bank_lock);
}

/**
 * wdbg_bank_select() - select the bank of one SIMD
 * @hw: the GPU
 * @at: the SIMD
 *
 * Context: within wdbg_bank_lock(), which sees to the way back.
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
 * wdbg_bank_is_due() - is it time to let others in
 * @hw: the GPU
 *
 * Context: within wdbg_bank_lock().
 * Return: true if wdbg_bank_breathe() would leave the lock now.
 */
bool wdbg_bank_is_due(const struct wdbg_hw *hw)
{
	lockdep_assert_held(hw->bank_lock);
	return hw->reads + hw->writes - hw->locked_at >= MAX_ACCESSES_PER_LOCK;
}

/**
 * wdbg_bank_breathe() - let others in after long use
 * @hw: the GPU
 *
 * To be called between two SIMDs in a loop: a bank has to be selected anew
 * afterwards. Context: within wdbg_bank_lock(), which may be left and entered.
 */
void wdbg_bank_breathe(struct wdbg_hw *hw)
{
	if (!wdbg_bank_is_due(hw))
		return;
	wdbg_bank_unlock(hw);
	cond_resched();
	wdbg_bank_lock(hw);
}

/**
 * wdbg_vmid_lock() - begin to use registers that there are once per VMID
 * @hw: the GPU, powered; its srbm_lock is known
 * @vmid: which
 *
 * Includes wdbg_bank_lock(), because writes must reach all banks. amdkfd takes
 * the two locks in this order, amdgpu's debugfs in the other: so the second one
 * is only tried. Context: may sleep.
 */
void wdbg_vmid_lock(struct wdbg_hw *hw, u32 vmid)
{
	for (;;) {
		mutex_lock(hw->srbm_lock);
		if (mutex_trylock(hw->bank_lock))
			break;
		mutex_unlock(hw->srbm_lock);
		usleep_range(20, 100);
	}
	bank_locked(hw);
	hw->ops->trap->select_vmid(hw, vmid);
}

/**
 * wdbg_vmid_unlock() - end of wdbg_vmid_lock()
 * @hw: the GPU
 *
 * Selects no VMID, and all banks if need be.
 */
void wdbg_vmid_unlock(struct wdbg_hw *hw)
{
	lockdep_assert_held(hw->srbm_lock);
	hw->ops->trap->select_vmid(hw, 0);
	wdbg_bank_unlock(hw);
	mutex_unlock(hw->srbm_lock);
}

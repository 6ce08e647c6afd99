/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Register access: traced, counted, within the BAR, and with the bank select restored
 * on all paths.
 */
#ifndef WDBG_MMIO_H
#define WDBG_MMIO_H

#include "hw/hw.h"

void wdbg_mmio_init(struct wdbg_hw *hw);
u32 wdbg_rreg(struct wdbg_hw *hw, u32 reg);
u32 wdbg_rreg_untraced(const struct wdbg_hw *hw, u32 reg);
void wdbg_wreg(struct wdbg_hw *hw, u32 reg, u32 value);
u32 wdbg_rreg_locked(struct wdbg_hw *hw, u32 reg);
void wdbg_wreg_locked(struct wdbg_hw *hw, u32 reg, u32 value);

/* Number of accesses so far */
static inline u32 wdbg_hw_accesses(const struct wdbg_hw *hw)
{
	return READ_ONCE(hw->reads) + READ_ONCE(hw->writes);
}

void wdbg_bank_lock(struct wdbg_hw *hw);
void wdbg_bank_unlock(struct wdbg_hw *hw);
void wdbg_bank_select(struct wdbg_hw *hw,
		      const struct amdgpudbg_wave_coord *at);
void wdbg_bank_select_all(struct wdbg_hw *hw);
struct amdgpudbg_wave_coord wdbg_bank_first(const struct wdbg_hw *hw);
void wdbg_bank_begin_read(struct wdbg_hw *hw);
void wdbg_bank_end_read(struct wdbg_hw *hw);
bool wdbg_bank_is_due(const struct wdbg_hw *hw);
void wdbg_bank_breathe(struct wdbg_hw *hw);

void wdbg_vmid_lock(struct wdbg_hw *hw, u32 vmid);
void wdbg_vmid_unlock(struct wdbg_hw *hw);

void wdbg_hw_freeze(struct wdbg_hw *hw);
void wdbg_hw_thaw(struct wdbg_hw *hw);
void wdbg_hw_guard(struct wdbg_hw *hw, u32 vmid);
void wdbg_hw_unguard(struct wdbg_hw *hw, u32 vmid_mask);

#endif /* WDBG_MMIO_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of gfx10.3 */
#ifndef WDBG_HW_GFX10_3_H
#define WDBG_HW_GFX10_3_H

#include "hw/hw.h"
#include "hw/regs/gfx10_3.h"

/* Hardware registers that have a number: enum amdgpudbg_gfx10_3_reg */
#define WDBG_GFX10_3_NUM_REGS	(AMDGPUDBG_GFX10_3_SCHED_MODE + 1)

extern const struct wdbg_launch_ops wdbg_gfx10_3_launch_ops;
extern const struct wdbg_watch_ops wdbg_gfx10_3_watch_ops;
extern const struct wdbg_reg_ops wdbg_gfx10_3_reg_ops;
extern const struct wdbg_trap_ops wdbg_gfx10_3_trap_ops;

void wdbg_gfx10_3_set_ind(struct wdbg_hw *hw, u32 ind);
u32 wdbg_gfx10_3_read_ind(struct wdbg_hw *hw, u32 wave, u32 index);
u32 wdbg_gfx10_3_select_of(const struct amdgpudbg_wave_coord *at);
void wdbg_gfx10_3_read_run(struct wdbg_hw *hw, u32 ind, u32 count, u32 *values);
void wdbg_gfx10_3_read_regs(struct wdbg_hw *hw, u32 wave, u32 index, u32 count,
			    u32 *values);
u64 wdbg_gfx10_3_read_pair(struct wdbg_hw *hw, u32 wave, u32 index);
u64 wdbg_gfx10_3_wave_pc(struct wdbg_hw *hw,
			 const struct amdgpudbg_wave_coord *at);
u32 wdbg_gfx10_3_trap_cause(u32 trapsts, u32 mode);
/* The exceptions of MODE.EXCP_EN: all but those that are always enabled */
#define WDBG_GFX10_3_EXCPS	(AMDGPUDBG_CAUSE_INVALID | \
				 AMDGPUDBG_CAUSE_INPUT_DENORM | \
				 AMDGPUDBG_CAUSE_FLOAT_DIV0 | \
				 AMDGPUDBG_CAUSE_OVERFLOW | \
				 AMDGPUDBG_CAUSE_UNDERFLOW | \
				 AMDGPUDBG_CAUSE_INEXACT | \
				 AMDGPUDBG_CAUSE_INT_DIV0 | \
				 AMDGPUDBG_CAUSE_WATCH | \
				 AMDGPUDBG_CAUSE_MEM_VIOL)

u64 wdbg_gfx10_3_excp_decode(u32 excp);
u32 wdbg_gfx10_3_excp_encode(u64 causes);
void wdbg_gfx10_3_stop_cause(struct wdbg_wave_stop *stop, const u32 ttmp[2], u32 trapsts,
			     u32 mode);
u32 wdbg_gfx10_3_live_slots(struct wdbg_hw *hw,
			    const struct amdgpudbg_wave_coord *at);
bool wdbg_gfx10_3_still(struct wdbg_hw *hw,
			const struct amdgpudbg_wave_coord *at);

/**
 * wdbg_gc_reg() - get the number of a register of the graphics core
 * @hw: the GPU
 * @seg: the base address that the offset counts from
 * @off: its offset
 *
 * Return: the number, within the register BAR.
 */
static inline u32 wdbg_gc_reg(const struct wdbg_hw *hw,
			      enum wdbg_gc_segment seg, u32 off)
{
	return hw->gc_base[seg] + off;
}

/**
 * wdbg_gfx10_3_is_stopped() - check that a wave executes nothing
 * @status: its SQ_WAVE_STATUS
 *
 * A wave that is halted in its handler runs until the handler returns.
 * Return: true if so.
 */
static inline bool wdbg_gfx10_3_is_stopped(u32 status)
{
	return status & SQ_WAVE_STATUS_FATAL_HALT ||
	       (status & SQ_WAVE_STATUS_HALT && !(status & SQ_WAVE_STATUS_PRIV));
}

#endif /* WDBG_HW_GFX10_3_H */

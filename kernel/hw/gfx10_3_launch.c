// SPDX-License-Identifier: GPL-2.0-only
/*
 * gfx10.3: how waves start. Modelled on kgd_gfx_v10_set_wave_launch_stall(),
 * _set_wave_launch_mode() and _set_wave_launch_trap_override() of Linux 7.2.
 *
 * What is assumed and only hardware could confirm:
 *
 * - trap-mask-global: SPI_GDBG_TRAP_MASK counts for the waves of all VMIDs, also
 *   of those that SPI_GDBG_TRAP_CONFIG.VMID_SEL does not name, as the comment in
 *   kgd_gfx_v10_validate_trap_override_request() says. So TRAP_CONFIG, which
 *   amdgpu sets for amdkfd's VMIDs (gfx_v10_0_debug_trap_config_init()), is
 *   left alone: SQ_SHADER_TBA_HI.TRAP_EN does for the others.
 * - launch-mode-graphics: SPI_GDBG_WAVE_CNTL2 and STALL_VMID work for VMIDs that
 *   are not amdkfd's, too. The fields have a bit for each of the 16.
 * - stall-before-doorbell: a write of STALL_VMID that was read back counts for
 *   waves of jobs whose doorbell is rung afterwards.
 */
#include <linux/bitfield.h>

#include "hw/gfx10_3.h"
#include "hw/mmio.h"
#include "hw/regs/gfx10_3.h"

/* The bits of EXCP and EXCP_EN, from the lowest one */
static const u64 excp_causes[] = {
	AMDGPUDBG_CAUSE_INVALID,
	AMDGPUDBG_CAUSE_INPUT_DENORM,
	AMDGPUDBG_CAUSE_FLOAT_DIV0,
	AMDGPUDBG_CAUSE_OVERFLOW,
	AMDGPUDBG_CAUSE_UNDERFLOW,
	AMDGPUDBG_CAUSE_INEXACT,
	AMDGPUDBG_CAUSE_INT_DIV0,
	AMDGPUDBG_CAUSE_WATCH,
	AMDGPUDBG_CAUSE_MEM_VIOL,
};

static_assert(BIT(ARRAY_SIZE(excp_causes)) - 1 == SQ_WAVE_TRAPSTS_EXCP);

/**
 * wdbg_gfx10_3_excp_decode() - translate exceptions of the hardware into those of the ABI
 * @excp: EXCP of TRAPSTS, or EXCP_EN of MODE or SPI_GDBG_TRAP_MASK
 *
 * Return: AMDGPUDBG_CAUSE_*.
 */
u64 wdbg_gfx10_3_excp_decode(u32 excp)
{
	u64 causes = 0;
	u32 bit;

	for (bit = 0; bit < ARRAY_SIZE(excp_causes); bit++)
		if (excp & BIT(bit))
			causes |= excp_causes[bit];
	return causes;
}

/**
 * wdbg_gfx10_3_excp_encode() - translate exceptions of the ABI into those of the
 *	hardware
 * @causes: AMDGPUDBG_CAUSE_*
 *
 * Return: bits of EXCP_EN; causes that have none are ignored.
 */
u32 wdbg_gfx10_3_excp_encode(u64 causes)
{
	u32 bit, excp = 0;

	for (bit = 0; bit < ARRAY_SIZE(excp_causes); bit++)
		if (causes & excp_causes[bit])
			excp |= BIT(bit);
	return excp;
}

/*
 * A wave launch that is in progress when it is stalled takes about 3500 clocks to drain
 * from the SPI, a read of SPI_GDBG_WAVE_CNTL about 32 of them: comment at
 * KGD_GFX_V10_WAVE_LAUNCH_SPI_DRAIN_LATENCY, amdgpu_amdkfd_gfx_v10.c of Linux 7.2.
 */
#define DRAIN_READS	110

static u32 gfx10_3_launch_wave_cntl(const struct wdbg_hw *hw)
{
	return wdbg_gc_reg(hw, WDBG_SEG0, SPI_GDBG_WAVE_CNTL);
}

static u32 gfx10_3_launch_stalled(struct wdbg_hw *hw)
{
	u32 cntl;

	lockdep_assert_held(hw->bank_lock);
	wdbg_bank_begin_read(hw);
	cntl = wdbg_rreg(hw, gfx10_3_launch_wave_cntl(hw));
	wdbg_bank_end_read(hw);
	return FIELD_GET(SPI_GDBG_WAVE_CNTL_STALL_VMID, cntl);
}

/* All banks are selected, wdbg_hw.lock is held: see wdbg_bank_begin_read(). */
static void gfx10_3_launch_change_stalled(struct wdbg_hw *hw, u32 set, u32 clear)
{
	struct amdgpudbg_wave_coord first = wdbg_bank_first(hw);
	u32 cntl, all;

	all = hw->ops->swap_select(hw, wdbg_gfx10_3_select_of(&first));
	cntl = wdbg_rreg_locked(hw, gfx10_3_launch_wave_cntl(hw));
	hw->ops->swap_select(hw, all);
	cntl &= ~FIELD_PREP(SPI_GDBG_WAVE_CNTL_STALL_VMID, clear);
	cntl |= FIELD_PREP(SPI_GDBG_WAVE_CNTL_STALL_VMID, set);
	wdbg_wreg_locked(hw, gfx10_3_launch_wave_cntl(hw), cntl);
}

static void gfx10_3_launch_stall(struct wdbg_hw *hw, u32 vmid_mask)
{
	int i;

	lockdep_assert_held(hw->bank_lock);
	raw_spin_lock(&hw->lock);
	gfx10_3_launch_change_stalled(hw, vmid_mask, 0);
	raw_spin_unlock(&hw->lock);
	wdbg_bank_begin_read(hw);
	for (i = 0; i < DRAIN_READS; i++)
		wdbg_rreg(hw, gfx10_3_launch_wave_cntl(hw));
	wdbg_bank_end_read(hw);
}

static void gfx10_3_launch_end_stall(struct wdbg_hw *hw, u32 vmid_mask)
{
	lockdep_assert_held(hw->bank_lock);
	raw_spin_lock(&hw->lock);
	gfx10_3_launch_change_stalled(hw, 0, vmid_mask & ~hw->guarded);
	raw_spin_unlock(&hw->lock);
}

/*
 * Nothing has to drain: it is called before the first wave in the VMID is submitted.
 * The read back ensures that the write has arrived before that.
 */
static void gfx10_3_launch_stall_guarded(struct wdbg_hw *hw)
{
	gfx10_3_launch_change_stalled(hw, hw->guarded, 0);
	wdbg_rreg_locked(hw, gfx10_3_launch_wave_cntl(hw));
}

static void gfx10_3_launch_read(struct wdbg_hw *hw,
				struct wdbg_launch_state *state)
{
	u32 cntl2, mask;

	lockdep_assert_held(hw->bank_lock);
	wdbg_bank_begin_read(hw);
	cntl2 = wdbg_rreg(hw, wdbg_gc_reg(hw, WDBG_SEG0, SPI_GDBG_WAVE_CNTL2));
	mask = wdbg_rreg(hw, wdbg_gc_reg(hw, WDBG_SEG0, SPI_GDBG_TRAP_MASK));
	wdbg_bank_end_read(hw);
	state->mode_vmids = FIELD_GET(SPI_GDBG_WAVE_CNTL2_VMID_MASK, cntl2);
	state->mode = FIELD_GET(SPI_GDBG_WAVE_CNTL2_MODE, cntl2);
	state->excp = wdbg_gfx10_3_excp_decode(FIELD_GET(SPI_GDBG_TRAP_MASK_EXCP_EN,
							 mask));
	state->excp_replace = FIELD_GET(SPI_GDBG_TRAP_MASK_REPLACE, mask);
}

/* MODE has the numbers of enum amdgpudbg_launch_mode. */
static void gfx10_3_launch_write(struct wdbg_hw *hw,
				 const struct wdbg_launch_state *state)
{
	lockdep_assert_held(hw->bank_lock);
	hw->halts |= state->mode_vmids && state->mode == AMDGPUDBG_LAUNCH_HALT;
	wdbg_wreg(hw, wdbg_gc_reg(hw, WDBG_SEG0, SPI_GDBG_WAVE_CNTL2),
		  FIELD_PREP(SPI_GDBG_WAVE_CNTL2_VMID_MASK,
			     state->mode_vmids) |
		  FIELD_PREP(SPI_GDBG_WAVE_CNTL2_MODE, state->mode));
	wdbg_wreg(hw, wdbg_gc_reg(hw, WDBG_SEG0, SPI_GDBG_TRAP_MASK),
		  FIELD_PREP(SPI_GDBG_TRAP_MASK_EXCP_EN,
			     wdbg_gfx10_3_excp_encode(state->excp)) |
		  FIELD_PREP(SPI_GDBG_TRAP_MASK_REPLACE, state->excp_replace));
}

const struct wdbg_launch_ops wdbg_gfx10_3_launch_ops = {
	.stalled = gfx10_3_launch_stalled,
	.stall = gfx10_3_launch_stall,
	.end_stall = gfx10_3_launch_end_stall,
	.stall_guarded = gfx10_3_launch_stall_guarded,
	.excps = WDBG_GFX10_3_EXCPS,
	.read = gfx10_3_launch_read,
	.write = gfx10_3_launch_write,
};

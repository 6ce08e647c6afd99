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
 */
#include <linux/bitfield.h>

#include "gfx10_3.h"
#include "mmio.h"
#include "regs/gfx10_3.h"

/*
 * A wave launch that is under way when it is stalled takes about 3500 clocks to
 * drain from the SPI, a read of SPI_GDBG_WAVE_CNTL about 32 of them: comment
 * at KGD_GFX_V10_WAVE_LAUNCH_SPI_DRAIN_LATENCY, amdgpu_amdkfd_gfx_v10.c of
 * Linux 7.2.
 */
#define DRAIN_READS	110

static u32 gfx10_3_stalled(struct wdbg_hw *hw)
{
	lockdep_assert_held(hw->bank_lock);
	return FIELD_GET(SPI_GDBG_WAVE_CNTL_STALL_VMID,
			 wdbg_rreg(hw, wdbg_gc_reg(hw, WDBG_SEG0,
						   SPI_GDBG_WAVE_CNTL)));
}

static void gfx10_3_stall(struct wdbg_hw *hw, u32 vmid_mask)
{
	u32 reg = wdbg_gc_reg(hw, WDBG_SEG0, SPI_GDBG_WAVE_CNTL);
	int i;

	lockdep_assert_held(hw->bank_lock);
	wdbg_wreg(hw, reg, wdbg_rreg(hw, reg) |
		  FIELD_PREP(SPI_GDBG_WAVE_CNTL_STALL_VMID, vmid_mask));
	for (i = 0; i < DRAIN_READS; i++)
		wdbg_rreg(hw, reg);
}

static void gfx10_3_go_on(struct wdbg_hw *hw, u32 vmid_mask)
{
	u32 reg = wdbg_gc_reg(hw, WDBG_SEG0, SPI_GDBG_WAVE_CNTL);

	lockdep_assert_held(hw->bank_lock);
	wdbg_wreg(hw, reg, wdbg_rreg(hw, reg) &
		  ~FIELD_PREP(SPI_GDBG_WAVE_CNTL_STALL_VMID, vmid_mask));
}

static void gfx10_3_launch_read(struct wdbg_hw *hw,
				struct wdbg_launch_state *state)
{
	u32 cntl2, mask;

	lockdep_assert_held(hw->bank_lock);
	cntl2 = wdbg_rreg(hw, wdbg_gc_reg(hw, WDBG_SEG0, SPI_GDBG_WAVE_CNTL2));
	mask = wdbg_rreg(hw, wdbg_gc_reg(hw, WDBG_SEG0, SPI_GDBG_TRAP_MASK));
	state->mode_vmids = FIELD_GET(SPI_GDBG_WAVE_CNTL2_VMID_MASK, cntl2);
	state->mode = FIELD_GET(SPI_GDBG_WAVE_CNTL2_MODE, cntl2);
	state->excp = FIELD_GET(SPI_GDBG_TRAP_MASK_EXCP_EN, mask);
	state->excp_replace = FIELD_GET(SPI_GDBG_TRAP_MASK_REPLACE, mask);
}

/* MODE has the numbers of enum amdgpudbg_launch_mode. */
static void gfx10_3_launch_write(struct wdbg_hw *hw,
				 const struct wdbg_launch_state *state)
{
	lockdep_assert_held(hw->bank_lock);
	wdbg_wreg(hw, wdbg_gc_reg(hw, WDBG_SEG0, SPI_GDBG_WAVE_CNTL2),
		  FIELD_PREP(SPI_GDBG_WAVE_CNTL2_VMID_MASK,
			     state->mode_vmids) |
		  FIELD_PREP(SPI_GDBG_WAVE_CNTL2_MODE, state->mode));
	wdbg_wreg(hw, wdbg_gc_reg(hw, WDBG_SEG0, SPI_GDBG_TRAP_MASK),
		  FIELD_PREP(SPI_GDBG_TRAP_MASK_EXCP_EN, state->excp) |
		  FIELD_PREP(SPI_GDBG_TRAP_MASK_REPLACE, state->excp_replace));
}

const struct wdbg_launch_ops wdbg_gfx10_3_launch_ops = {
	.stalled = gfx10_3_stalled,
	.stall = gfx10_3_stall,
	.go_on = gfx10_3_go_on,
	.read = gfx10_3_launch_read,
	.write = gfx10_3_launch_write,
};

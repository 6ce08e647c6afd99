// SPDX-License-Identifier: GPL-2.0-only
/*
 * gfx10.3: trap handlers. The registers are those that
 * program_trap_handler_settings_v10_3() of Linux 6.1 writes, in its encoding.
 *
 * What is assumed and only hardware could confirm:
 *
 * - trap-en-launch: a wave copies TRAP_EN into STATUS when it starts, and reads TBA and
 *   TMA each time that it needs them. So TBA must point to a handler for as long as
 *   there are waves with STATUS.TRAP_EN.
 * - trap-graphics: the registers count for VMIDs that are not amdkfd's, too. They exist
 *   for all 16, and RADV's trap handler relies on it (ac_nir, Mesa).
 * - trap-level: an exception that is set in TRAPSTS and enabled traps as soon as the
 *   wave runs, also when it has just left its handler (cwsr_trap_handler_gfx10.asm of
 *   Linux 7.2 halts waves to prevent it).
 * - ttmp1-unused: a trap clears bit 31 of TTMP1, as the layout of gfx10 in
 *   cwsr_trap_handler_gfx10.asm of Linux 6.1 says.
 */
#include <linux/bitfield.h>

#include "hw/gfx10_3.h"
#include "hw/gfx10_3_leave.h"
#include "hw/mmio.h"
#include "hw/regs/gfx10_3.h"

#define S_TRAP_SIZE	4

#define PC_MASK		GENMASK_ULL(47, 0)

/* wdbg_trap_regs.value */
enum {
	TBA_LO,
	TBA_HI,
	TMA_LO,
	TMA_HI,
	NUM_TRAP_REGS,
};

static const u32 writable[NUM_TRAP_REGS] = {
	[TBA_LO] = GENMASK(31, 0),
	[TBA_HI] = SQ_SHADER_TBA_HI_ADDR_HI | SQ_SHADER_TBA_HI_TRAP_EN,
	[TMA_LO] = GENMASK(31, 0),
	[TMA_HI] = SQ_SHADER_TMA_HI_ADDR_HI,
};

/**
 * wdbg_gfx10_3_trap_cause() - find the exceptions that make a wave trap
 * @trapsts: its SQ_WAVE_TRAPSTS, which collects exceptions, also those that are not
 *	enabled
 * @mode: its SQ_WAVE_MODE. Two exceptions need not be enabled
 *	(cwsr_trap_handler_gfx10.asm, Linux 6.1); EXCP_EN has one bit for all watches.
 *
 * Return: bits of @trapsts.
 */
u32 wdbg_gfx10_3_trap_cause(u32 trapsts, u32 mode)
{
	u32 excp = FIELD_GET(SQ_WAVE_MODE_EXCP_EN, mode);
	u32 cause = SQ_WAVE_TRAPSTS_ILLEGAL_INST | SQ_EXCP_MEM_VIOL;

	cause |= excp & SQ_WAVE_TRAPSTS_EXCP;
	if (excp & SQ_EXCP_ADDR_WATCH0)
		cause |= SQ_WAVE_TRAPSTS_EXCP_HI;
	return trapsts & cause;
}

static void gfx10_3_trap_exceptions(struct wdbg_wave_stop *stop, u32 trapsts)
{
	u32 excp = FIELD_GET(SQ_WAVE_TRAPSTS_EXCP, trapsts);

	stop->cause = wdbg_gfx10_3_excp_decode(excp);
	if (trapsts & SQ_WAVE_TRAPSTS_ILLEGAL_INST)
		stop->cause |= AMDGPUDBG_CAUSE_ILLEGAL_INST;
	/* EXCP has watch 0, EXCP_HI the other three, in their order. */
	stop->watch_mask = FIELD_GET(SQ_WAVE_TRAPSTS_EXCP_HI, trapsts) << 1;
	if (excp & SQ_EXCP_ADDR_WATCH0)
		stop->watch_mask |= BIT(0);
	if (stop->watch_mask)
		stop->cause |= AMDGPUDBG_CAUSE_WATCH;
}

/**
 * wdbg_gfx10_3_stop_cause() - find out why a wave has entered its handler
 * @stop: out: cause, watch_mask and trap_id
 * @ttmp: TTMP0 and TTMP1, zero unless the wave is halted
 * @trapsts: its SQ_WAVE_TRAPSTS
 * @mode: its SQ_WAVE_MODE
 */
void wdbg_gfx10_3_stop_cause(struct wdbg_wave_stop *stop, const u32 ttmp[2], u32 trapsts,
			     u32 mode)
{
	u32 hi = ttmp[1];

	/* By s_trap, or by a command of the host */
	if (hi & (TTMP1_TRAP_ID | TTMP1_HT)) {
		/* But it was resumed since then. */
		if (hi & TTMP1_RESUMED)
			return;
		stop->cause = hi & TTMP1_HT ? AMDGPUDBG_CAUSE_HOST_TRAP :
					      AMDGPUDBG_CAUSE_S_TRAP;
		stop->trap_id = FIELD_GET(TTMP1_TRAP_ID, hi);
		return;
	}
	gfx10_3_trap_exceptions(stop, wdbg_gfx10_3_trap_cause(trapsts, mode));
	if (ttmp[0] && !(hi & TTMP1_RESUMED) &&
	    mode & SQ_WAVE_MODE_DEBUG_EN)
		stop->cause |= AMDGPUDBG_CAUSE_DEBUG;
}

static u32 gfx10_3_trap_reg_of(const struct wdbg_hw *hw, int which)
{
	return wdbg_gc_reg(hw, WDBG_SEG0, SQ_SHADER_TBA_LO + which);
}

static void gfx10_3_trap_select_vmid(struct wdbg_hw *hw, u32 vmid)
{
	lockdep_assert_held(hw->srbm_lock);
	wdbg_wreg(hw, wdbg_gc_reg(hw, WDBG_SEG0, GRBM_GFX_CNTL),
		  FIELD_PREP(GRBM_GFX_CNTL_VMID, vmid));
}

static void gfx10_3_trap_encode(u64 tba, u64 tma, bool enable,
				struct wdbg_trap_regs *regs)
{
	regs->value[TBA_LO] = lower_32_bits(tba >> 8);
	regs->value[TBA_HI] = FIELD_PREP(SQ_SHADER_TBA_HI_ADDR_HI,
					 upper_32_bits(tba >> 8) & 0xff);
	if (enable)
		regs->value[TBA_HI] |= SQ_SHADER_TBA_HI_TRAP_EN;
	regs->value[TMA_LO] = lower_32_bits(tma >> 8);
	regs->value[TMA_HI] = FIELD_PREP(SQ_SHADER_TMA_HI_ADDR_HI,
					 upper_32_bits(tma >> 8) & 0xff);
}

static void gfx10_3_trap_read(struct wdbg_hw *hw, struct wdbg_trap_regs *regs)
{
	int i;

	lockdep_assert_held(hw->srbm_lock);
	lockdep_assert_held(hw->bank_lock);
	wdbg_bank_begin_read(hw);
	for (i = 0; i < NUM_TRAP_REGS; i++)
		regs->value[i] = wdbg_rreg(hw, gfx10_3_trap_reg_of(hw, i));
	wdbg_bank_end_read(hw);
}

/*
 * A wave may trap in between. So a handler's memory is written before the handler, and
 * TRAP_EN is set last, and cleared first.
 */
static void gfx10_3_trap_write(struct wdbg_hw *hw,
			       const struct wdbg_trap_regs *regs)
{
	static const int on[] = { TMA_LO, TMA_HI, TBA_LO, TBA_HI };
	static const int off[] = { TBA_HI, TBA_LO, TMA_LO, TMA_HI };
	const int *order = regs->value[TBA_HI] & SQ_SHADER_TBA_HI_TRAP_EN ?
			   on : off;
	int i;

	lockdep_assert_held(hw->srbm_lock);
	lockdep_assert_held(hw->bank_lock);
	hw->halts |= order == on;
	for (i = 0; i < NUM_TRAP_REGS; i++)
		wdbg_wreg(hw, gfx10_3_trap_reg_of(hw, order[i]), regs->value[order[i]]);
}

static bool gfx10_3_trap_enabled(const struct wdbg_trap_regs *regs)
{
	return regs->value[TBA_HI] & SQ_SHADER_TBA_HI_TRAP_EN;
}

static bool gfx10_3_trap_decode(const struct wdbg_trap_regs *regs, u64 *tba, u64 *tma)
{
	*tba = (u64)FIELD_GET(SQ_SHADER_TBA_HI_ADDR_HI, regs->value[TBA_HI]) << 40 |
	       (u64)regs->value[TBA_LO] << 8;
	*tma = (u64)FIELD_GET(SQ_SHADER_TMA_HI_ADDR_HI, regs->value[TMA_HI]) << 40 |
	       (u64)regs->value[TMA_LO] << 8;
	return gfx10_3_trap_enabled(regs);
}

/* Each has bits 63:48 of an address. */
static void gfx10_3_trap_apertures(struct wdbg_hw *hw, u64 *lds, u64 *scratch)
{
	u32 bases;

	lockdep_assert_held(hw->srbm_lock);
	lockdep_assert_held(hw->bank_lock);
	wdbg_bank_begin_read(hw);
	bases = wdbg_rreg(hw, wdbg_gc_reg(hw, WDBG_SEG0, SH_MEM_BASES));
	wdbg_bank_end_read(hw);
	*lds = (u64)FIELD_GET(SH_MEM_BASES_SHARED_BASE, bases) << 48;
	*scratch = (u64)FIELD_GET(SH_MEM_BASES_PRIVATE_BASE, bases) << 48;
}

static bool gfx10_3_trap_same(const struct wdbg_trap_regs *a,
			      const struct wdbg_trap_regs *b)
{
	u32 differ = 0;
	int i;

	for (i = 0; i < NUM_TRAP_REGS; i++)
		differ |= (a->value[i] ^ b->value[i]) & writable[i];
	return !differ;
}

/* Does a wave in debug mode, or with an exception, enter its handler? */
static bool gfx10_3_trap_has_cause(struct wdbg_hw *hw, u32 slot)
{
	u32 mode = wdbg_gfx10_3_read_ind(hw, slot, SQ_WAVE_MODE);
	u32 trapsts = wdbg_gfx10_3_read_ind(hw, slot, SQ_WAVE_TRAPSTS);

	return mode & SQ_WAVE_MODE_DEBUG_EN ||
	       wdbg_gfx10_3_trap_cause(trapsts, mode);
}

/*
 * STATUS.HALT is all that s_sethalt leaves. But a handler that halts its wave leaves
 * TTMP0 and TTMP1 as the trap has set them, for the debugger, and the wave at the PC in
 * them.
 */
static bool gfx10_3_trap_at_trap(struct wdbg_hw *hw,
				 const struct amdgpudbg_wave_coord *at)
{
	u64 ttmp01 = wdbg_gfx10_3_read_pair(hw, at->wave, SQ_WAVE_TTMP0);
	u64 pc = ttmp01 & PC_MASK;
	u32 hi = upper_32_bits(ttmp01);

	if (!pc || hi & TTMP1_RESUMED)
		return false;
	/* A handler returns behind s_trap. */
	if (hi & TTMP1_TRAP_ID && !(hi & TTMP1_HT))
		pc += S_TRAP_SIZE;
	if ((wdbg_gfx10_3_wave_pc(hw, at) ^ pc) & PC_MASK)
		return false;
	return hi & (TTMP1_TRAP_ID | TTMP1_HT) || gfx10_3_trap_has_cause(hw, at->wave);
}

/* No code needs TTMP1 between two traps, but debuggers read it. */
static void gfx10_3_trap_mark(struct wdbg_hw *hw,
			      const struct amdgpudbg_wave_coord *at)
{
	u32 hi = wdbg_gfx10_3_read_ind(hw, at->wave, SQ_WAVE_TTMP1);

	wdbg_gfx10_3_reg_ops.write(hw, at, AMDGPUDBG_REG_TTMP, 1, 0,
				   hi | TTMP1_RESUMED);
}

static bool gfx10_3_trap_is_by(struct wdbg_hw *hw,
			       const struct amdgpudbg_wave_coord *at, u64 *pc)
{
	u64 ttmp01 = wdbg_gfx10_3_read_pair(hw, at->wave, SQ_WAVE_TTMP0);
	u32 hi = upper_32_bits(ttmp01);

	*pc = ttmp01 & PC_MASK;
	return hi & TTMP1_TRAP_ID && !(hi & TTMP1_HT);
}

static void gfx10_3_trap_rewind(struct wdbg_hw *hw,
				const struct amdgpudbg_wave_coord *at, u64 pc)
{
	const struct wdbg_reg_ops *regs = &wdbg_gfx10_3_reg_ops;

	regs->write(hw, at, AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_PC_LO, 0,
		    lower_32_bits(pc));
	regs->write(hw, at, AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_PC_HI, 0,
		    upper_32_bits(pc));
}

const struct wdbg_trap_ops wdbg_gfx10_3_trap_ops = {
	.align = 256,
	.leave_code = leave_code,
	.leave_size = sizeof(leave_code),
	.select_vmid = gfx10_3_trap_select_vmid,
	.encode = gfx10_3_trap_encode,
	.read = gfx10_3_trap_read,
	.write = gfx10_3_trap_write,
	.enabled = gfx10_3_trap_enabled,
	.decode = gfx10_3_trap_decode,
	.apertures = gfx10_3_trap_apertures,
	.same = gfx10_3_trap_same,
	.at_trap = gfx10_3_trap_at_trap,
	.mark = gfx10_3_trap_mark,
	.trapped_by = gfx10_3_trap_is_by,
	.rewind = gfx10_3_trap_rewind,
};

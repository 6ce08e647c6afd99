// SPDX-License-Identifier: GPL-2.0-only
/*
 * gfx10.3: address watches. Each is two sets of registers: TCP_WATCHn sees vector
 * memory, SQ_WATCHn what the scalar cache reads. Both get the same values, in the order
 * of kgd_gfx_v10_set_address_watch() of Linux 7.2.
 *
 * What is assumed and only hardware could confirm:
 *
 * - sq-watch-mode: SQ_WATCHn_CNTL.MODE is where gc_10_1_0_sh_mask.h has it.
 *   gc_10_3_0_sh_mask.h does not name it, but amdgpu writes it. It is ignored when the
 *   registers are read back.
 * - watch-mask: an access hits when (its address & mask) == address, where the mask has
 *   bits 29 to 7 (HSA_DBG_WATCH_ADDR_MASK_*_BIT_GFX10, kfd_topology.h of Linux 7.2; the
 *   rule: ROCdbgapi, watchpoint.cpp), the bits above are compared, and the bits below
 *   are not.
 */
#include <linux/bitfield.h>

#include "hw/gfx10_3.h"
#include "hw/mmio.h"
#include "hw/regs/gfx10_3.h"

/* The highest bit of MASK is this bit of the address. */
#define MASK_TOP_BIT	29
/* Granules: the lowest bits of TCP_WATCHn_ADDR_L and SQ_WATCHn_ADDR_L. */
#define TCP_SHIFT	7
#define SQ_SHIFT	6

/* wdbg_watch_regs.value */
enum {
	TCP_ADDR_H,
	TCP_ADDR_L,
	TCP_CNTL,
	SQ_ADDR_H,
	SQ_ADDR_L,
	SQ_CNTL,
};

static u32 gfx10_3_watch_reg_of(const struct wdbg_hw *hw, u32 id, int which)
{
	u32 off;

	if (which <= TCP_CNTL)
		off = TCP_WATCH0_ADDR_H + id * TCP_WATCH_STRIDE + which;
	else
		off = SQ_WATCH0_ADDR_H + id * SQ_WATCH_STRIDE +
		      which - SQ_ADDR_H;
	return wdbg_gc_reg(hw, WDBG_SEG0, off);
}

/* MODE has the numbers of enum amdgpudbg_watch_mode. */
static void gfx10_3_watch_encode(const struct wdbg_watch *watch,
				 struct wdbg_watch_regs *regs)
{
	u32 mask = watch->mask & GENMASK(MASK_TOP_BIT, TCP_SHIFT);
	u32 *value = regs->value;

	value[TCP_ADDR_H] = upper_32_bits(watch->address) &
			    TCP_WATCH0_ADDR_H_ADDR;
	value[TCP_ADDR_L] = lower_32_bits(watch->address);
	value[TCP_CNTL] = TCP_WATCH0_CNTL_VALID |
			  FIELD_PREP(TCP_WATCH0_CNTL_MASK, mask >> TCP_SHIFT) |
			  FIELD_PREP(TCP_WATCH0_CNTL_VMID, watch->vmid) |
			  FIELD_PREP(TCP_WATCH0_CNTL_MODE, watch->mode);
	value[SQ_ADDR_H] = value[TCP_ADDR_H];
	value[SQ_ADDR_L] = value[TCP_ADDR_L];
	value[SQ_CNTL] = SQ_WATCH0_CNTL_VALID |
			 FIELD_PREP(SQ_WATCH0_CNTL_MASK, mask >> SQ_SHIFT) |
			 FIELD_PREP(SQ_WATCH0_CNTL_VMID, watch->vmid) |
			 FIELD_PREP(SQ_WATCH0_CNTL_MODE, watch->mode);
}

static void gfx10_3_watch_read(struct wdbg_hw *hw, u32 id,
			       struct wdbg_watch_regs *regs)
{
	int i;

	lockdep_assert_held(hw->bank_lock);
	wdbg_bank_begin_read(hw);
	for (i = TCP_ADDR_H; i <= SQ_CNTL; i++)
		regs->value[i] = wdbg_rreg(hw, gfx10_3_watch_reg_of(hw, id, i));
	wdbg_bank_end_read(hw);
}

static void gfx10_3_watch_write(struct wdbg_hw *hw, u32 id,
				const struct wdbg_watch_regs *regs)
{
	static const int order[] = {
		TCP_ADDR_H, TCP_ADDR_L, SQ_ADDR_H, SQ_ADDR_L, TCP_CNTL, SQ_CNTL,
	};
	int i;

	lockdep_assert_held(hw->bank_lock);
	/* Off until it is complete, so that an incomplete one cannot hit */
	wdbg_wreg(hw, gfx10_3_watch_reg_of(hw, id, TCP_CNTL),
		  regs->value[TCP_CNTL] & ~TCP_WATCH0_CNTL_VALID);
	wdbg_wreg(hw, gfx10_3_watch_reg_of(hw, id, SQ_CNTL),
		  regs->value[SQ_CNTL] & ~SQ_WATCH0_CNTL_VALID);
	for (i = 0; i < ARRAY_SIZE(order); i++)
		wdbg_wreg(hw, gfx10_3_watch_reg_of(hw, id, order[i]), regs->value[order[i]]);
}

static bool gfx10_3_watch_valid(struct wdbg_hw *hw, u32 id)
{
	bool valid;

	lockdep_assert_held(hw->bank_lock);
	wdbg_bank_begin_read(hw);
	valid = wdbg_rreg(hw, gfx10_3_watch_reg_of(hw, id, TCP_CNTL)) &
		TCP_WATCH0_CNTL_VALID ||
		wdbg_rreg(hw, gfx10_3_watch_reg_of(hw, id, SQ_CNTL)) & SQ_WATCH0_CNTL_VALID;
	wdbg_bank_end_read(hw);
	return valid;
}

static bool gfx10_3_watch_same(const struct wdbg_watch_regs *a,
			       const struct wdbg_watch_regs *b)
{
	u32 differ = (a->value[SQ_CNTL] ^ b->value[SQ_CNTL]) &
		     ~SQ_WATCH0_CNTL_MODE;
	int i;

	for (i = TCP_ADDR_H; i < SQ_CNTL; i++)
		differ |= a->value[i] ^ b->value[i];
	return !differ;
}

const struct wdbg_watch_ops wdbg_gfx10_3_watch_ops = {
	.num = NUM_WATCHES,
	.granule = BIT(TCP_SHIFT),
	.always = GENMASK_ULL(63, MASK_TOP_BIT + 1),
	.encode = gfx10_3_watch_encode,
	.read = gfx10_3_watch_read,
	.write = gfx10_3_watch_write,
	.valid = gfx10_3_watch_valid,
	.same = gfx10_3_watch_same,
};

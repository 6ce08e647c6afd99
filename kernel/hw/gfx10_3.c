// SPDX-License-Identifier: GPL-2.0-only
/*
 * gfx10.3 (RDNA 2: Navi 2x, Van Gogh, Rembrandt, Raphael).
 *
 * A wave is addressed by GRBM_GFX_INDEX {SE, SA, INSTANCE = WGP << 2 | SIMD}
 * and its slot: SQ_CMD and SQ_IND_INDEX have no SIMD field (comment in
 * gfx_v10_0_read_wave_data() of Linux 7.2; umr addresses waves in this way).
 *
 * What is assumed and only hardware could confirm:
 *
 * - sqc-caches: SQC_CACHES with TARGET_INST and INVALIDATE empties the instruction
 *   caches of the selected banks. Nothing but its fields is known of it
 *   (gc_10_3_0_sh_mask.h); amdgpu does the same by ACQUIRE_MEM, which it needs
 *   a ring for.
 * - check-vmid-sethalt: SQ_CMD.CHECK_VMID restricts SETHALT as it does KILL,
 *   for which amdgpu uses it (gfx_v10_0_ring_soft_recovery()).
 * - sethalt-data: DATA of SETHALT is the new value of STATUS.HALT. The enum
 *   names the command only; umr uses it in this way.
 * - read-running: STATUS, HW_ID2 and PC of a running wave can be read, with
 *   values of some moment. amdgpu's debugfs files do so.
 * - kill-halted: KILL ends a halted wave, too. amdgpu kills what does not end by
 *   itself, in whatever state it is (gfx_v10_0_ring_soft_recovery()).
 * - debug-data: DATA of DEBUG is the new value of MODE.DEBUG_EN, as that of
 *   SETHALT is of STATUS.HALT. The enum names the command only.
 * - trap-data: DATA of TRAP is the trap id, as in the field's old name TRAP_ID
 *   (gca/gfx_7_2_sh_mask.h). A halted wave keeps the trap, and enters its
 *   handler at the latest when it is resumed.
 * - step-halted: SINGLE_STEP lets a halted wave do one instruction and leaves
 *   STATUS.HALT set. umr uses it in this way.
 * - me-id: HW_ID2.ME_ID is 0 for waves of the graphics queues, else of a compute engine,
 *   as amdgpu numbers them (amdgpu_ring.me).
 * - must-export: STATUS.MUST_EXPORT is set for waves of graphics that have to export, and
 *   for no wave of a dispatch.
 * - iv-pasid: the SQ's interrupts carry the PASID of IH_VMID_n_LUT, as amdkfd
 *   expects of those of its own VMIDs (event_interrupt_isr_v10()).
 */
#include <linux/bitfield.h>
#include <linux/bitops.h>

#include "hw/gfx10_3.h"
#include "hw/mmio.h"
#include "hw/regs/gfx10_3.h"

#define NUM_CU		2	/* per WGP */
#define NUM_SIMD	4	/* per WGP: 2 per CU */
#define NUM_TRAPS	16	/* 4 bits of SQ_CMD.DATA */
#define MAX_WAVE	20	/* bits of SQ_WAVE_ACTIVE.WAVE_SLOT */

#define ALL_BANKS	(GRBM_GFX_INDEX_SE_BROADCAST_WRITES | \
			 GRBM_GFX_INDEX_SA_BROADCAST_WRITES | \
			 GRBM_GFX_INDEX_INSTANCE_BROADCAST_WRITES)

static int gfx10_3_check(const struct wdbg_hw *hw)
{
	const u32 regs[] = {
		wdbg_gc_reg(hw, WDBG_SEG1, GRBM_GFX_INDEX),
		wdbg_gc_reg(hw, WDBG_SEG1, SQC_CACHES),
		wdbg_gc_reg(hw, WDBG_SEG0, SQ_IND_INDEX),
		wdbg_gc_reg(hw, WDBG_SEG0, SQ_IND_DATA),
		wdbg_gc_reg(hw, WDBG_SEG0, SQ_CMD),
		wdbg_gc_reg(hw, WDBG_SEG0, GRBM_GFX_CNTL),
		wdbg_gc_reg(hw, WDBG_SEG0, SH_MEM_BASES),
		wdbg_gc_reg(hw, WDBG_SEG0, GCVM_L2_PROTECTION_FAULT_STATUS),
		wdbg_gc_reg(hw, WDBG_SEG0, SQ_SHADER_TMA_HI),
		wdbg_gc_reg(hw, WDBG_SEG0, SPI_GDBG_WAVE_CNTL2),
		wdbg_gc_reg(hw, WDBG_SEG0, SQ_WATCH0_ADDR_H +
			    NUM_WATCHES * SQ_WATCH_STRIDE - 1),
		wdbg_gc_reg(hw, WDBG_SEG0, TCP_WATCH0_ADDR_H +
			    NUM_WATCHES * TCP_WATCH_STRIDE - 1),
		hw->oss_base + IH_VMID_0_LUT + WDBG_NUM_VMID - 1,
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(regs); i++)
		if (regs[i] >= hw->num_regs)
			return -ERANGE;
	return 0;
}

static void gfx10_3_select(struct wdbg_hw *hw,
			   const struct amdgpudbg_wave_coord *at)
{
	wdbg_wreg(hw, wdbg_gc_reg(hw, WDBG_SEG1, GRBM_GFX_INDEX),
		  wdbg_gfx10_3_select_of(at));
}

static void gfx10_3_select_all(struct wdbg_hw *hw)
{
	wdbg_wreg(hw, wdbg_gc_reg(hw, WDBG_SEG1, GRBM_GFX_INDEX), ALL_BANKS);
}

static u32 gfx10_3_swap_select(struct wdbg_hw *hw, u32 select)
{
	u32 reg = wdbg_gc_reg(hw, WDBG_SEG1, GRBM_GFX_INDEX);
	u32 before = wdbg_rreg_locked(hw, reg);

	wdbg_wreg_locked(hw, reg, select);
	return before;
}

static u32 gfx10_3_read_ind(struct wdbg_hw *hw, u32 wave, u32 index)
{
	return wdbg_gfx10_3_read_ind(hw, wave, index);
}

static u32 gfx10_3_state_of(u32 status)
{
	u32 state = 0;

	if (!(status & SQ_WAVE_STATUS_VALID))
		return 0;
	state |= WDBG_WAVE_VALID;
	if (status & SQ_WAVE_STATUS_HALT)
		state |= WDBG_WAVE_HALTED;
	if (status & SQ_WAVE_STATUS_PRIV)
		state |= WDBG_WAVE_PRIV;
	if (status & SQ_WAVE_STATUS_TRAP_EN)
		state |= WDBG_WAVE_TRAP_EN;
	return state;
}

static u32 gfx10_3_wave_state(struct wdbg_hw *hw,
			      const struct amdgpudbg_wave_coord *at)
{
	return gfx10_3_state_of(gfx10_3_read_ind(hw, at->wave, SQ_WAVE_STATUS));
}

static u32 gfx10_3_wave_vmid(struct wdbg_hw *hw,
			     const struct amdgpudbg_wave_coord *at)
{
	return FIELD_GET(SQ_WAVE_HW_ID2_VM_ID,
			 gfx10_3_read_ind(hw, at->wave, SQ_WAVE_HW_ID2));
}

static bool gfx10_3_wave_debug(struct wdbg_hw *hw,
			       const struct amdgpudbg_wave_coord *at)
{
	return gfx10_3_read_ind(hw, at->wave, SQ_WAVE_MODE) & SQ_WAVE_MODE_DEBUG_EN;
}

static enum wdbg_inst gfx10_3_sopp(u32 dw0)
{
	switch (FIELD_GET(SOPP_OP, dw0)) {
	case S_ENDPGM:
	case S_ENDPGM_SAVED:
	case S_ENDPGM_ORDERED_PS_DONE:
		return WDBG_INST_END;
	case S_SETHALT:
		return dw0 & BIT(0) ? WDBG_INST_PLAIN : WDBG_INST_UNHALT;
	case S_BRANCH:
	case S_CBRANCH_SCC0 ... S_CBRANCH_EXECNZ:
	case S_CBRANCH_CDBGSYS ... S_CBRANCH_CDBGSYS_AND_USER:
		break;
	default:
		return WDBG_INST_PLAIN;
	}
	return FIELD_GET(SOP_SIMM16, dw0) == SIMM16_TO_ITSELF ?
	       WDBG_INST_JUMP : WDBG_INST_PLAIN;
}

static enum wdbg_inst gfx10_3_wave_inst(struct wdbg_hw *hw,
					const struct amdgpudbg_wave_coord *at)
{
	u32 dw0 = gfx10_3_read_ind(hw, at->wave, SQ_WAVE_INST_DW0);

	switch (FIELD_GET(SOP_ENCODING, dw0)) {
	case SOPP_ENCODING:
		return gfx10_3_sopp(dw0);
	case SOP1_ENCODING:
		switch (FIELD_GET(SOP1_OP, dw0)) {
		case S_SETPC_B64 ... S_RFE_B64:
			return WDBG_INST_JUMP;
		}
		return WDBG_INST_PLAIN;
	case SOPK_ENCODING | S_CALL_B64:
	case SOPK_ENCODING | S_SUBVECTOR_LOOP_BEGIN:
	case SOPK_ENCODING | S_SUBVECTOR_LOOP_END:
		return FIELD_GET(SOP_SIMM16, dw0) == SIMM16_TO_ITSELF ?
		       WDBG_INST_JUMP : WDBG_INST_PLAIN;
	}
	return WDBG_INST_PLAIN;
}

static void gfx10_3_read_ttmps(struct wdbg_hw *hw,
			       const struct amdgpudbg_wave_coord *at,
			       struct amdgpudbg_wave *wave)
{
	const struct wdbg_reg_ops *regs = hw->ops->regs;

	if (!regs->still(hw, at))
		return;
	regs->read(hw, at, AMDGPUDBG_REG_TTMP, 0, 0,
		   min_t(u32, regs->num_ttmp, ARRAY_SIZE(wave->ttmp)),
		   wave->ttmp);
	wave->flags |= AMDGPUDBG_WAVE_TTMP;
}

#define HW(_wave, _name)	((_wave)->hw[AMDGPUDBG_GFX10_3_##_name])

#define WANT(_name)	BIT_ULL(AMDGPUDBG_GFX10_3_##_name)

#define BOTH(_lo, _hi)	(WANT(_lo) | WANT(_hi))

/* The order in which hardware registers are read, so that neighbours take one index */
static const u8 early[] = {
	AMDGPUDBG_GFX10_3_GPR_ALLOC, AMDGPUDBG_GFX10_3_LDS_ALLOC,
	AMDGPUDBG_GFX10_3_IB_STS, AMDGPUDBG_GFX10_3_PC_LO,
	AMDGPUDBG_GFX10_3_PC_HI, AMDGPUDBG_GFX10_3_INST_DW0,
	AMDGPUDBG_GFX10_3_EXEC_LO, AMDGPUDBG_GFX10_3_EXEC_HI,
	AMDGPUDBG_GFX10_3_M0, AMDGPUDBG_GFX10_3_IB_DBG1,
	AMDGPUDBG_GFX10_3_IB_STS2, AMDGPUDBG_GFX10_3_FLAT_SCRATCH_LO,
	AMDGPUDBG_GFX10_3_FLAT_SCRATCH_HI, AMDGPUDBG_GFX10_3_SCHED_MODE,
};

/* STATUS among the last, so that the end of the wave is noticed; then its VMID */
static const u8 late[] = {
	AMDGPUDBG_GFX10_3_MODE, AMDGPUDBG_GFX10_3_STATUS,
	AMDGPUDBG_GFX10_3_TRAPSTS, AMDGPUDBG_GFX10_3_HW_ID1,
	AMDGPUDBG_GFX10_3_HW_ID2,
};

static_assert(ARRAY_SIZE(early) + ARRAY_SIZE(late) == WDBG_GFX10_3_NUM_REGS);

/* Read the registers of @regs that are in @want. */
static void gfx10_3_read_wanted(struct wdbg_hw *hw, u64 want, const u8 *regs,
				u32 num_regs, struct amdgpudbg_wave *wave)
{
	const struct wdbg_hwreg *hwregs = hw->ops->regs->hwregs;
	u32 values[ARRAY_SIZE(early)], i, n, k, index;

	for (i = 0; i < num_regs; i += max(n, 1U)) {
		index = hwregs[regs[i]].index;
		for (n = 0; i + n < num_regs && want & BIT_ULL(regs[i + n]) &&
		     hwregs[regs[i + n]].index == index + n; n++)
			;
		if (n)
			wdbg_gfx10_3_read_regs(hw, wave->at.wave, index, n,
					       values);
		for (k = 0; k < n; k++)
			wave->hw[regs[i + k]] = values[k];
	}
}

/*
 * The slot may be given to another process's wave at any time: what is read between two
 * reads of the same HW_ID2 is not that wave's, unless it came and went in between. A
 * caller that must not see that stalls new waves.
 *
 * @first: STATUS, before the members that a running wave changes: read here, if HW_ID2
 *	is wanted
 */
static bool gfx10_3_fill_wave(struct wdbg_hw *hw,
			      const struct amdgpudbg_wave_coord *at, u32 vmids,
			      u64 want, bool ttmps, struct amdgpudbg_wave *wave,
			      u32 *first)
{
	u32 hw_id2 = gfx10_3_read_ind(hw, at->wave, SQ_WAVE_HW_ID2);

	memset(wave, 0, sizeof(*wave));
	wave->at = *at;
	wave->vmid = FIELD_GET(SQ_WAVE_HW_ID2_VM_ID, hw_id2);
	if (!(vmids & BIT(wave->vmid)))
		return false;
	HW(wave, HW_ID2) = hw_id2;
	if (want & WANT(HW_ID2))
		*first = gfx10_3_read_ind(hw, at->wave, SQ_WAVE_STATUS);
	gfx10_3_read_wanted(hw, want, early, ARRAY_SIZE(early), wave);
	if (ttmps)
		gfx10_3_read_ttmps(hw, at, wave);
	gfx10_3_read_wanted(hw, want | WANT(STATUS), late, ARRAY_SIZE(late), wave);
	return HW(wave, STATUS) & SQ_WAVE_STATUS_VALID &&
	       HW(wave, HW_ID2) == hw_id2;
}

static u32 gfx10_3_stage_of(u32 hw_id2, u32 status)
{
	if (FIELD_GET(SQ_WAVE_HW_ID2_ME_ID, hw_id2))
		return AMDGPUDBG_STAGE_COMPUTE;
	return status & SQ_WAVE_STATUS_MUST_EXPORT ? AMDGPUDBG_STAGE_GRAPHICS :
						     AMDGPUDBG_STAGE_UNKNOWN;
}

static u32 gfx10_3_flags_of(u32 status)
{
	const struct {
		u32 bit;
		u32 flag;
	} bits[] = {
		{ SQ_WAVE_STATUS_HALT, AMDGPUDBG_WAVE_HALTED },
		{ SQ_WAVE_STATUS_PRIV, AMDGPUDBG_WAVE_PRIV },
		{ SQ_WAVE_STATUS_FATAL_HALT, AMDGPUDBG_WAVE_FATAL_HALT },
		{ SQ_WAVE_STATUS_IN_BARRIER, AMDGPUDBG_WAVE_BARRIER },
		{ SQ_WAVE_STATUS_TRAP_EN, AMDGPUDBG_WAVE_HAS_HANDLER },
	};
	u32 i, flags = 0;

	for (i = 0; i < ARRAY_SIZE(bits); i++)
		if (status & bits[i].bit)
			flags |= bits[i].flag;
	return flags;
}

/* A wave that halts in between was somewhere else before: read it once more. */
static bool gfx10_3_read_wave(struct wdbg_hw *hw,
			      const struct amdgpudbg_wave_coord *at, u32 vmids,
			      u64 want, bool ttmps, struct amdgpudbg_wave *wave)
{
	u32 first = 0, before, status = 0;
	int tries = 2;

	do {
		before = status;
		if (!gfx10_3_fill_wave(hw, at, vmids, want, ttmps, wave, &first))
			return false;
		status = HW(wave, STATUS);
		if (!(want & WANT(HW_ID2)))
			first = before;
	} while (want & ~(WANT(STATUS) | WANT(HW_ID2)) &&
		 !wdbg_gfx10_3_is_stopped(first) &&
		 wdbg_gfx10_3_is_stopped(status) && --tries);

	wave->hw_mask = want | WANT(STATUS) | WANT(HW_ID2);
	wave->flags |= gfx10_3_flags_of(status);
	if (want & WANT(HW_ID2) && !(first & SQ_WAVE_STATUS_HALT))
		wave->flags &= ~AMDGPUDBG_WAVE_HALTED;
	wave->stage = gfx10_3_stage_of(HW(wave, HW_ID2), status);
	if ((want & BOTH(PC_LO, PC_HI)) == BOTH(PC_LO, PC_HI)) {
		wave->pc = wdbg_va_signed((u64)HW(wave, PC_HI) << 32 |
					  HW(wave, PC_LO));
		wave->flags |= AMDGPUDBG_WAVE_HAS_PC;
	}
	if ((want & BOTH(EXEC_LO, EXEC_HI)) == BOTH(EXEC_LO, EXEC_HI)) {
		wave->exec = (u64)HW(wave, EXEC_HI) << 32 | HW(wave, EXEC_LO);
		wave->flags |= AMDGPUDBG_WAVE_HAS_EXEC;
	}
	if (HW(wave, IB_STS2) & SQ_WAVE_IB_STS2_WAVE64)
		wave->flags |= AMDGPUDBG_WAVE_WAVE64;
	return true;
}

/* CMD and DATA of SQ_CMD */
static u32 gfx10_3_command_bits(enum amdgpudbg_waveop op, u32 data)
{
	u32 bits = FIELD_PREP(SQ_CMD_DATA, data);

	switch (op) {
	case AMDGPUDBG_WAVEOP_HALT:
		return FIELD_PREP(SQ_CMD_CMD, SQ_IND_CMD_CMD_SETHALT) |
		       FIELD_PREP(SQ_CMD_DATA, 1);
	case AMDGPUDBG_WAVEOP_RESUME:
		return FIELD_PREP(SQ_CMD_CMD, SQ_IND_CMD_CMD_SETHALT);
	case AMDGPUDBG_WAVEOP_KILL:
		return FIELD_PREP(SQ_CMD_CMD, SQ_IND_CMD_CMD_KILL);
	case AMDGPUDBG_WAVEOP_DEBUG:
		return FIELD_PREP(SQ_CMD_CMD, SQ_IND_CMD_CMD_DEBUG) | bits;
	case AMDGPUDBG_WAVEOP_TRAP:
		return FIELD_PREP(SQ_CMD_CMD, SQ_IND_CMD_CMD_TRAP) | bits;
	case AMDGPUDBG_WAVEOP_STEP:
		return FIELD_PREP(SQ_CMD_CMD, SQ_IND_CMD_CMD_SINGLE_STEP);
	}
	WARN_ON_ONCE(1);
	return 0;
}

/*
 * Without RLC safe mode, in which gfx_v10_0_ring_soft_recovery() of Linux 6.12
 * writes SQ_CMD: nothing else holds GFXOFF off there. See amdgpu/power.c.
 */
static void gfx10_3_command(struct wdbg_hw *hw, enum amdgpudbg_waveop op,
			    u32 data, bool broadcast,
			    const struct amdgpudbg_wave_coord *at, u32 vmid)
{
	u32 cmd = gfx10_3_command_bits(op, data) | SQ_CMD_CHECK_VMID |
		  FIELD_PREP(SQ_CMD_VM_ID, vmid);

	lockdep_assert_held(hw->bank_lock);
	hw->halts |= op == AMDGPUDBG_WAVEOP_HALT;
	if (broadcast)
		cmd |= FIELD_PREP(SQ_CMD_MODE, SQ_IND_CMD_MODE_BROADCAST);
	else
		cmd |= FIELD_PREP(SQ_CMD_MODE, SQ_IND_CMD_MODE_SINGLE) |
		       FIELD_PREP(SQ_CMD_WAVE_ID, at->wave);
	wdbg_wreg(hw, wdbg_gc_reg(hw, WDBG_SEG0, SQ_CMD), cmd);
}

static void gfx10_3_icache_inv(struct wdbg_hw *hw)
{
	wdbg_wreg(hw, wdbg_gc_reg(hw, WDBG_SEG1, SQC_CACHES),
		  SQC_CACHES_TARGET_INST | SQC_CACHES_INVALIDATE);
}

static u32 gfx10_3_vmid_pasid(struct wdbg_hw *hw, u32 vmid)
{
	return FIELD_GET(IH_VMID_0_LUT_PASID,
			 wdbg_rreg(hw, hw->oss_base + IH_VMID_0_LUT + vmid));
}

static bool gfx10_3_has_stopped(struct wdbg_hw *hw,
				const struct amdgpudbg_wave_coord *at)
{
	u32 status = gfx10_3_read_ind(hw, at->wave, SQ_WAVE_STATUS);

	return status & SQ_WAVE_STATUS_VALID &&
	       status & (SQ_WAVE_STATUS_HALT | SQ_WAVE_STATUS_PRIV |
			 SQ_WAVE_STATUS_FATAL_HALT);
}

/* MODE to TRAPSTS */
enum {
	MODE,
	STATUS,
	TRAPSTS,
	NUM_STATES,
};

/* As gfx10_3_read_wave(); but a wave that has stopped keeps its slot. */
static bool gfx10_3_read_stop(struct wdbg_hw *hw,
			      const struct amdgpudbg_wave_coord *at,
			      struct wdbg_wave_stop *stop)
{
	u32 hw_id2, status, state[NUM_STATES], ttmp[2], slot = at->wave;

	memset(stop, 0, sizeof(*stop));
	hw_id2 = gfx10_3_read_ind(hw, slot, SQ_WAVE_HW_ID2);
	stop->vmid = FIELD_GET(SQ_WAVE_HW_ID2_VM_ID, hw_id2);
	wdbg_gfx10_3_read_regs(hw, slot, SQ_WAVE_MODE, NUM_STATES, state);
	stop->pc = wdbg_gfx10_3_wave_pc(hw, at);
	wdbg_gfx10_3_read_regs(hw, slot, SQ_WAVE_TTMP0, 2, ttmp);
	status = gfx10_3_read_ind(hw, slot, SQ_WAVE_STATUS);
	stop->still = wdbg_gfx10_3_is_stopped(state[STATUS]) &&
		      wdbg_gfx10_3_is_stopped(status);
	hw->halts |= stop->still;
	if (!(status & SQ_WAVE_STATUS_VALID) ||
	    gfx10_3_read_ind(hw, slot, SQ_WAVE_HW_ID2) != hw_id2)
		return false;

	/* TTMPs of a wave that still runs in its handler read as zero. */
	if (!(status & SQ_WAVE_STATUS_HALT))
		memset(ttmp, 0, sizeof(ttmp));
	wdbg_gfx10_3_stop_cause(stop, ttmp, state[TRAPSTS], state[MODE]);
	/* A handler returns behind an s_trap, which is the PC in TTMP0 and TTMP1. */
	if (ttmp[0] && (status & SQ_WAVE_STATUS_PRIV ||
			stop->cause & AMDGPUDBG_CAUSE_S_TRAP))
		stop->pc = wdbg_va_signed((u64)FIELD_GET(TTMP1_PC_HI, ttmp[1]) << 32 |
					  ttmp[0]);
	return true;
}

static bool gfx10_3_iv_is_wave(u32 client_id, u32 src_id)
{
	if (src_id != SQ_INTERRUPT_ID)
		return false;
	return client_id == SOC15_IH_CLIENTID_GRBM_CP ||
	       (client_id >= SOC15_IH_CLIENTID_SE0SH &&
		client_id <= SOC15_IH_CLIENTID_SE3SH);
}

static bool gfx10_3_iv_is_fault(u32 client_id, u32 src_id)
{
	return src_id == VM_FAULT_ID && (client_id == SOC15_IH_CLIENTID_UTCL2 ||
					 client_id == SOC15_IH_CLIENTID_VMC);
}

/*
 * The status register has the first fault since amdgpu has cleared it, which in a flood
 * need not be this one; the VMID distinguishes address spaces. The register of the
 * other hub is not read.
 */
static void gfx10_3_iv_fault(const struct wdbg_hw *hw, u32 client_id,
			     const u32 data[2], struct wdbg_fault *fault)
{
	u64 address = (u64)data[0] << 12 |
		      (u64)FIELD_GET(VM_FAULT_DATA1_ADDRESS, data[1]) << 44;
	u32 status = 0;

	fault->address = wdbg_va_signed(address);
	fault->client = AMDGPUDBG_FAULT_CLIENT_UNKNOWN;
	fault->access = data[1] & VM_FAULT_DATA1_WRITE ? AMDGPUDBG_FAULT_WRITE : 0;
	if (client_id == SOC15_IH_CLIENTID_UTCL2)
		status = wdbg_rreg_untraced(hw, wdbg_gc_reg(hw, WDBG_SEG0,
							    GCVM_L2_PROTECTION_FAULT_STATUS));
	if (!status || FIELD_GET(GCVM_L2_PROTECTION_FAULT_STATUS_VMID, status) != fault->vmid)
		return;
	fault->client = FIELD_GET(GCVM_L2_PROTECTION_FAULT_STATUS_CID, status);
	if (status & GCVM_L2_PROTECTION_FAULT_STATUS_RW)
		fault->access = AMDGPUDBG_FAULT_WRITE;
	else if (fault->client == CID_SQC_INST)
		fault->access = AMDGPUDBG_FAULT_EXECUTE;
	else if (!fault->access)
		fault->access = AMDGPUDBG_FAULT_READ;
}

static u64 gfx10_3_error_cause(u32 type)
{
	switch (type) {
	case SQ_INTERRUPT_ERROR_TYPE_ILLEGAL_INST:
		return AMDGPUDBG_CAUSE_ILLEGAL_INST;
	case SQ_INTERRUPT_ERROR_TYPE_MEMVIOL:
		return AMDGPUDBG_CAUSE_MEM_VIOL;
	default:
		return 0;
	}
}

static bool gfx10_3_iv_decode(const u32 data[2], struct amdgpudbg_event *event)
{
	event->type = AMDGPUDBG_EVENT_WAVE;
	event->at.se = FIELD_GET(SQ_INTERRUPT_WORD_WAVE_CTXID1_SE_ID, data[1]);
	event->at.sa = FIELD_GET(SQ_INTERRUPT_WORD_WAVE_CTXID0_SA_ID, data[0]);
	event->at.wgp = FIELD_GET(SQ_INTERRUPT_WORD_WAVE_CTXID1_WGP_ID,
				  data[1]);
	event->at.simd = FIELD_GET(SQ_INTERRUPT_WORD_WAVE_CTXID0_SIMD_ID,
				   data[0]);
	event->at.wave = FIELD_GET(SQ_INTERRUPT_WORD_WAVE_CTXID0_WAVE_ID,
				   data[0]);
	event->data = FIELD_GET(SQ_INTERRUPT_WORD_WAVE_CTXID0_DATA, data[0]);
	if (data[0] & SQ_INTERRUPT_WORD_WAVE_CTXID0_PRIV)
		event->flags |= AMDGPUDBG_EVENT_IS_PRIV;

	switch (FIELD_GET(SQ_INTERRUPT_WORD_WAVE_CTXID1_ENCODING, data[1])) {
	case SQ_INTERRUPT_WORD_ENCODING_INST:
		return true;
	case SQ_INTERRUPT_WORD_ENCODING_ERROR:
		event->flags |= AMDGPUDBG_EVENT_IS_ERROR;
		event->cause = gfx10_3_error_cause(FIELD_GET(SQ_INTERRUPT_ERROR_TYPE,
							     data[0]));
		return true;
	default:
		return false;
	}
}

static const struct wdbg_wave_ops gfx10_3_wave_ops = {
	.live = wdbg_gfx10_3_live_slots,
	.state = gfx10_3_wave_state,
	.vmid = gfx10_3_wave_vmid,
	.pc = wdbg_gfx10_3_wave_pc,
	.debug = gfx10_3_wave_debug,
	.inst = gfx10_3_wave_inst,
	.read = gfx10_3_read_wave,
	.command = gfx10_3_command,
	.has_stopped = gfx10_3_has_stopped,
	.read_stop = gfx10_3_read_stop,
};

static const struct wdbg_iv_ops gfx10_3_iv_ops = {
	.is_wave = gfx10_3_iv_is_wave,
	.is_fault = gfx10_3_iv_is_fault,
	.fault = gfx10_3_iv_fault,
	.decode = gfx10_3_iv_decode,
};

const struct wdbg_hw_ops wdbg_gfx10_3_ops = {
	.name = "gfx10.3",
	.num_simd = NUM_SIMD,
	.max_wave = MAX_WAVE,
	.num_traps = NUM_TRAPS,
	.num_cu = NUM_CU,
	.cu_banks = NUM_SIMD,
	.all_banks = ALL_BANKS,
	.wave = &gfx10_3_wave_ops,
	.iv = &gfx10_3_iv_ops,
	.launch = &wdbg_gfx10_3_launch_ops,
	.watch = &wdbg_gfx10_3_watch_ops,
	.regs = &wdbg_gfx10_3_reg_ops,
	.trap = &wdbg_gfx10_3_trap_ops,
	.check = gfx10_3_check,
	.select = gfx10_3_select,
	.select_all = gfx10_3_select_all,
	.swap_select = gfx10_3_swap_select,
	.icache_inv = gfx10_3_icache_inv,
	.vmid_pasid = gfx10_3_vmid_pasid,
};

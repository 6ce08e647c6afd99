// SPDX-License-Identifier: MIT
//
// The default trap handler of gfx10.3: on every trap it writes a mailbox, sends
// an interrupt, and halts its wave. The wave then stands where it has trapped,
// or behind s_trap, and goes on from there when it is resumed. All its registers
// are as they were, but TTMP2 to TTMP7 and TTMP12 to TTMP15; TTMP0 and TTMP1 stay
// as the trap has set them. (TTMP8 to TTMP11 are what the hardware tells a
// debugger about the work-group: ROCdbgapi.)
//
// STATUS.HALT takes effect when the handler returns (RDNA ISA, STATUS.HALT), so
// there is nothing to wait for in here.
//
// An exception stays in TRAPSTS while the wave is halted, so that the debugger can
// see it. Therefore the wave traps again as soon as it is resumed. That second
// time, which TTMP13 tells from a first one, the exception is cleared and the wave
// goes on. This relies on exceptions being levels, not edges (see trap-level in
// kernel/hw/gfx10_3_trap.c).

#include "trap_abi.h"

// s_bfe_u32: offset and width
#define FIELD(shift, bits)	((bits) << 16 | (shift))

// SQ_WAVE_TRAPSTS
#define EXCP_ADDR_WATCH0_BIT	7
#define EXCP_MEM_VIOL		0x100
#define ILLEGAL_INST		0x800
#define EXCP_HI			0x7000	// watches 1 to 3

// STATUS, while it is needed; TRAPSTS, then others that go to the mailbox
#define status			ttmp2
#define value			ttmp3
#define pending			ttmp4
#define return_lo		ttmp4
#define return_hi		ttmp5
#define exec_save		ttmp[6:7]
#define exec_save_lo		ttmp6
#define exec_save_hi		ttmp7
#define box			ttmp12
#define stopped			ttmp13
#define tma			ttmp[14:15]
#define tma_lo			ttmp14
#define tma_hi			ttmp15

// Lane 0 of v0 and v1 is needed to write memory: scalar stores are gone.
.macro put reg, offset
	v_mov_b32 v1, \reg
	global_store_dword v0, v1, tma offset:\offset
.endm

.macro put_hwreg id, offset
	s_getreg_b32 value, hwreg(\id)
	put value, \offset
.endm

// box |= field << to
.macro add_field shift, bits, to
	s_bfe_u32 return_lo, value, FIELD(\shift, \bits)
	s_lshl_b32 return_lo, return_lo, \to
	s_or_b32 box, box, return_lo
.endm

entry:
	// Before anything changes SCC
	s_getreg_b32 status, hwreg(HW_REG_STATUS)
	s_getreg_b32 value, hwreg(HW_REG_TRAPSTS)

	// An exception, or a single step? Else it is s_trap, or the host.
	s_bfe_u32 box, ttmp1, FIELD(TRAP_TTMP1_ID_SHIFT, TRAP_TTMP1_ID_BITS)
	s_cbranch_scc1 not_exception
	s_bitcmp1_b32 ttmp1, TRAP_TTMP1_HT_BIT
	s_cbranch_scc1 not_exception
	// Those that are enabled: EXCP_EN has one bit for the four watches; two
	// kinds cannot be masked.
	s_getreg_b32 pending, hwreg(HW_REG_MODE, 12, 9)
	s_bfe_u32 box, pending, FIELD(EXCP_ADDR_WATCH0_BIT, 1)
	s_mul_i32 box, box, EXCP_HI
	s_or_b32 pending, pending, box
	s_or_b32 pending, pending, EXCP_MEM_VIOL | ILLEGAL_INST
	s_and_b32 pending, pending, value
	s_cbranch_scc0 not_exception

	s_or_b32 box, ttmp0, TRAP_TTMP13_STOPPED
	s_cmp_eq_u32 box, stopped
	s_mov_b32 stopped, box
	s_cbranch_scc0 stop

	// It has stopped here for this already, and was resumed.
	s_mov_b32 stopped, 0
	s_andn2_b32 value, value, pending
	s_setreg_b32 hwreg(HW_REG_TRAPSTS), value
	s_mov_b32 return_lo, ttmp0
	s_and_b32 return_hi, ttmp1, TRAP_TTMP1_PC_HI
	s_bitset1_b32 ttmp1, TRAP_TTMP1_GONE_ON_BIT
	s_setreg_b32 hwreg(HW_REG_STATUS, 0, 1), status		// SCC
	s_rfe_b64 ttmp[4:5]

not_exception:
	s_mov_b32 stopped, 0

stop:
	// What is under way may still write v0 and v1.
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_waitcnt_vscnt null, 0

	s_getreg_b32 value, hwreg(HW_REG_HW_ID1)
	s_bfe_u32 box, value, FIELD(0, TRAP_INDEX_WAVE_BITS)
	add_field 8, TRAP_INDEX_SIMD_BITS, TRAP_INDEX_SIMD_SHIFT
	add_field 10, TRAP_INDEX_WGP_BITS, TRAP_INDEX_WGP_SHIFT
	add_field 16, TRAP_INDEX_SA_BITS, TRAP_INDEX_SA_SHIFT
	add_field 18, TRAP_INDEX_SE_BITS, TRAP_INDEX_SE_SHIFT

	s_getreg_b32 tma_lo, hwreg(HW_REG_TMA_LO)
	s_getreg_b32 tma_hi, hwreg(HW_REG_TMA_HI)
	s_lshl_b64 tma, tma, 8
	s_sext_i32_i16 tma_hi, tma_hi				// bit 47
	s_load_dword value, tma, TRAP_HDR_NUM_BOXES
	s_waitcnt lgkmcnt(0)
	s_cmp_lt_u32 box, value
	s_cbranch_scc0 report

	s_mov_b64 exec_save, exec
	s_mov_b64 exec, 1
	v_readfirstlane_b32 return_lo, v0
	v_readfirstlane_b32 return_hi, v1
	s_lshl_b32 value, box, TRAP_BOX_SHIFT
	s_add_u32 value, value, TRAP_HDR_SIZE
	v_mov_b32 v0, value
	put ttmp0, TRAP_BOX_TTMP0
	put ttmp1, TRAP_BOX_TTMP1
	put status, TRAP_BOX_STATUS
	put_hwreg HW_REG_TRAPSTS, TRAP_BOX_TRAPSTS
	put_hwreg HW_REG_MODE, TRAP_BOX_MODE
	put m0, TRAP_BOX_M0
	put exec_save_lo, TRAP_BOX_EXEC_LO
	put exec_save_hi, TRAP_BOX_EXEC_HI
	put_hwreg HW_REG_HW_ID1, TRAP_BOX_HW_ID1
	put_hwreg HW_REG_HW_ID2, TRAP_BOX_HW_ID2
	global_load_dword v1, v0, tma offset:TRAP_BOX_COUNT glc dlc
	s_waitcnt vmcnt(0)
	v_add_nc_u32 v1, v1, 1
	s_waitcnt_vscnt null, 0
	global_store_dword v0, v1, tma offset:TRAP_BOX_COUNT
	s_waitcnt_vscnt null, 0
	v_mov_b32 v0, return_lo
	v_mov_b32 v1, return_hi
	s_mov_b64 exec, exec_save

report:
	s_mov_b32 value, m0
	s_mov_b32 m0, box
	s_nop 0
	s_sendmsg sendmsg(MSG_INTERRUPT)
	s_waitcnt lgkmcnt(0)
	s_mov_b32 m0, value

	// To return to: behind s_trap, or where it was
	s_mov_b32 return_lo, ttmp0
	s_mov_b32 return_hi, ttmp1
	s_bitcmp1_b32 ttmp1, TRAP_TTMP1_HT_BIT
	s_cbranch_scc1 halt
	s_bfe_u32 box, ttmp1, FIELD(TRAP_TTMP1_ID_SHIFT, TRAP_TTMP1_ID_BITS)
	s_cbranch_scc0 halt
	s_add_u32 return_lo, return_lo, 4
	s_addc_u32 return_hi, return_hi, 0
halt:
	s_and_b32 return_hi, return_hi, TRAP_TTMP1_PC_HI
	s_setreg_b32 hwreg(HW_REG_STATUS, 0, 1), status		// SCC
	s_sethalt 1
	s_rfe_b64 ttmp[4:5]

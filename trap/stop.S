// SPDX-License-Identifier: MIT
//
// The default trap handler: on every trap it writes a mailbox, sends an interrupt,
// and halts its wave. The wave then stands where it has trapped, or behind s_trap,
// and goes on from there when it is resumed. All its registers are as they were, but
// TTMP2 to TTMP7 and TTMP12 to TTMP15; TTMP0 and TTMP1 stay as the trap has set them.
// (TTMP8 to TTMP11 are what the hardware tells a debugger about the work-group:
// ROCdbgapi.)
//
// STATUS.HALT takes effect when the handler returns (RDNA ISA, STATUS.HALT), so
// there is nothing to wait for in here.
//
// An exception stays in TRAPSTS while the wave is halted, so that the debugger can
// see it. Therefore the wave traps again as soon as it is resumed. That second
// time, which TTMP13 tells from a first one, the exception is cleared and the wave
// goes on. This relies on exceptions being levels, not edges (see trap-level in
// kernel/hw/gfx10_3_trap.c).

#include GENERATION

#define status			ttmp2
#define value			ttmp3
#define pending			ttmp4
#define return_to		ttmp[4:5]
#define return_lo		ttmp4
#define return_hi		ttmp5
#define v0_save			ttmp4
#define v1_save			ttmp5
#define exec_save		ttmp[6:7]
#define exec_save_lo		ttmp6
#define exec_save_hi		ttmp7
#define box			ttmp12
#define stopped			ttmp13
#define tma			ttmp[14:15]
#define tma_lo			ttmp14
#define tma_hi			ttmp15

entry:
	get_status status		// before anything changes SCC
	get_exceptions value

	// An exception, or a single step? Else it is s_trap, or the host.
	get_trap_id box
	s_cbranch_scc1 not_exception
	is_host_trap
	s_cbranch_scc1 not_exception
	get_enabled pending, value, box
	s_cbranch_scc0 not_exception

	s_or_b32 box, ttmp0, TRAP_TTMP13_STOPPED
	s_cmp_eq_u32 box, stopped
	s_mov_b32 stopped, box
	s_cbranch_scc0 stop

	// It has stopped here for this already, and was resumed.
	s_mov_b32 stopped, 0
	clear_exceptions value, pending
	s_mov_b32 return_lo, ttmp0
	only_pc return_hi, ttmp1
	tell_gone_on
	set_scc status
	s_rfe_b64 return_to

not_exception:
	s_mov_b32 stopped, 0

stop:
	wait_all
	get_tma tma, tma_lo, tma_hi
	// There is no other register left for a while.
	get_box box, tma, ttmp[4:7], ttmp4, ttmp5, ttmp6, ttmp7, value, tma_lo, no_box
	get_tma tma, tma_lo, tma_hi
	load value, tma, TRAP_HDR_NUM_BOXES
	s_cmp_lt_u32 box, value
	s_cbranch_scc0 no_box

	begin_stores exec_save, v0_save, v1_save
	s_lshl_b32 value, box, TRAP_BOX_SHIFT
	s_add_u32 value, value, TRAP_HDR_SIZE
	store_at value
	store ttmp0, tma, TRAP_BOX_TTMP0
	store ttmp1, tma, TRAP_BOX_TTMP1
	store status, tma, TRAP_BOX_STATUS
	store m0, tma, TRAP_BOX_M0
	store exec_save_lo, tma, TRAP_BOX_EXEC_LO
	store exec_save_hi, tma, TRAP_BOX_EXEC_HI
	store_hwregs tma, value
	count tma, TRAP_BOX_COUNT
	end_stores exec_save, v0_save, v1_save
	s_branch report

no_box:
	s_mov_b32 box, TRAP_NO_BOX
report:
	send_interrupt box, value

	// To return to: behind s_trap, or where it was
	s_mov_b32 return_lo, ttmp0
	s_mov_b32 return_hi, ttmp1
	is_host_trap
	s_cbranch_scc1 halt
	get_trap_id box
	s_cbranch_scc0 halt
	s_add_u32 return_lo, return_lo, S_TRAP_SIZE
	s_addc_u32 return_hi, return_hi, 0
halt:
	only_pc return_hi, return_hi
	set_scc status
	s_sethalt 1
	s_rfe_b64 return_to

// SPDX-License-Identifier: GPL-2.0-or-later
//
// A trap handler for tests, which steps its wave: at a trap by the host it sets MODE.DEBUG_EN,
// and then it logs the wave's PC after each instruction, without the host. It sends no event, and
// preserves all registers of the program. With the last requested entry it clears DEBUG_EN.
//
// Any other trap, and a log without an end, ends the wave, so that the test fails.

#include "gfx10_3.inc"
#include "stepper.h"

#define status			ttmp2
#define value			ttmp3
#define count			ttmp3
#define pending			ttmp4
#define v0_save			ttmp4
#define v1_save			ttmp5
#define return_to		ttmp[4:5]
#define return_lo		ttmp4
#define return_hi		ttmp5
#define exec_save		ttmp[6:7]
#define id			ttmp12
#define offset			ttmp12
#define new			ttmp13
#define tma			ttmp[14:15]
#define tma_lo			ttmp14
#define tma_hi			ttmp15

.macro set_debug_en to
	s_setreg_imm32_b32 hwreg(HW_REG_MODE, 11, 1), \to
.endm

	get_status status		// before anything changes SCC
	get_exceptions value
	wait_all
	get_tma tma, tma_lo, tma_hi
	get_trap_id id
	is_host_trap
	s_cbranch_scc0 not_host
	s_cmp_eq_u32 id, STEPPER_ID_BEGIN
	s_cbranch_scc1 begin
	s_cmp_eq_u32 id, STEPPER_ID_REPORT
	s_cbranch_scc0 strange
	send_interrupt STEPPER_REPORT, value
	s_branch leave

begin:
	set_debug_en 1
	s_branch log

not_host:
	s_cmp_eq_u32 id, 0
	s_cbranch_scc0 strange
	get_enabled pending, value, new
	s_cbranch_scc1 strange

log:
	begin_stores exec_save, v0_save, v1_save
	store_at 0
	load_new count, tma, STEPPER_COUNT
	s_cmp_lt_u32 count, STEPPER_MAX
	s_cbranch_scc0 give_up
	s_lshl_b32 offset, count, STEPPER_ENTRY_SHIFT
	store_at offset
	store ttmp0, tma, STEPPER_LOG
	store ttmp1, tma, STEPPER_LOG + 4
	s_add_u32 count, count, 1
	store_at 0
	load_new new, tma, STEPPER_END
	s_cmp_eq_u32 count, new
	s_cbranch_scc0 not_last
	set_debug_en 0
not_last:
	wait_stores
	store count, tma, STEPPER_COUNT
held:
	load_new new, tma, STEPPER_HOLD
	s_cmp_eq_u32 count, new
	s_cbranch_scc0 released
	s_sleep 127
	s_branch held
released:
	wait_stores
	end_stores exec_save, v0_save, v1_save

leave:
	mark_resumed
	s_mov_b32 return_lo, ttmp0
	only_pc return_hi, ttmp1
	set_scc status
	s_rfe_b64 return_to

strange:
	begin_stores exec_save, v0_save, v1_save
	store_at 0
give_up:
	s_bitset1_b32 ttmp1, STEPPER_STRANGE_BIT
	store ttmp1, tma, STEPPER_STRANGE
	wait_stores
	s_endpgm

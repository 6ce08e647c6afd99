// SPDX-License-Identifier: MIT
//
// The default trap handler. At each trap it decides whether the wave stops. To stop it, the
// handler writes a mailbox, sends an interrupt, and halts the wave. The wave is then halted
// where it trapped, or after s_trap, and continues there when it is resumed. Its registers are
// unchanged, except TTMP2 to TTMP7 and TTMP12 to TTMP15; TTMP0 and TTMP1 have the values that
// the trap has set. (TTMP8 to TTMP11 have the hardware's data about the work-group for a
// debugger: ROCdbgapi.)
//
// STATUS.HALT takes effect when the handler returns (RDNA ISA, STATUS.HALT), so the handler
// does not wait for it.
//
// The debugger's library fills the space for the condition program (trap_abi.h), which decides
// whether the wave stops. A wave that does not stop continues as if there had been no trap:
// where it was, after the program's own s_trap, or at the displaced copy of a patched
// instruction.
//
// A halted wave executes commands that the host cannot execute itself, such as reading LDS,
// when it gets a trap with a special id: see the commands in trap_abi.h.
//
// A wave in debug mode can be traced instead of stopped: after each instruction the handler
// writes all registers of the wave to memory, and the wave continues (TRAP_HDR_TRACE).
//
// An exception stays set in TRAPSTS while the wave is halted, so that the debugger can read
// it. Therefore the wave traps again as soon as it is resumed. TTMP13 distinguishes this second
// trap from a first one: the handler then clears the exception, and the wave continues. This
// relies on exceptions being levels, not edges (see trap-level in kernel/hw/gfx10_3_trap.c).

#include GENERATION

#define status			ttmp2
#define counter			ttmp3		// set by the condition program
#define displaced		ttmp12		// distance to the displaced instruction
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
#define mailbox			ttmp12
#define from_lds		ttmp12		// after the mailbox's number was compared
#define stopped			ttmp13		// PC | TRAP_TTMP13_STOPPED, or TRAP_TTMP13_TRACED
#define record			ttmp[12:13]
#define record_lo		ttmp12
#define record_hi		ttmp13
#define tma			ttmp[14:15]
#define tma_lo			ttmp14
#define tma_hi			ttmp15

#define CONDITION_END		(TRAP_CONDITION + 4 * TRAP_CONDITION_DWORDS)
#define S_TRAP_ROOM		36		// bytes of the code for s_trap before the condition

// Get the address at which the wave continues: after s_trap, else that of the trap.
.macro get_return lo, hi, tmp
	s_mov_b32 \lo, ttmp0
	s_mov_b32 \hi, ttmp1
	is_host_trap
	s_cbranch_scc1 is_there\@
	get_trap_id \tmp
	s_cbranch_scc0 is_there\@
	s_add_u32 \lo, \lo, S_TRAP_SIZE
	s_addc_u32 \hi, \hi, 0
is_there\@:
	only_pc \hi, \hi
.endm

// Add an offset to the address in tma, to reach a hit counter.
.macro move_tma by
	s_add_u32 tma_lo, tma_lo, \by
	s_addc_u32 tma_hi, tma_hi, 0
.endm

entry:
	get_status status		// before anything changes SCC

	// Which trap is it? Exceptions and single steps have no id, and are not the host's.
	get_trap_id mailbox
	s_cbranch_scc1 s_trap
	is_host_trap
	s_cbranch_scc1 not_exception
	get_exceptions value
	get_enabled pending, value, mailbox
	s_cbranch_scc0 step

	s_or_b32 mailbox, ttmp0, TRAP_TTMP13_STOPPED
	s_cmp_eq_u32 mailbox, stopped
	s_mov_b32 stopped, mailbox
	s_cbranch_scc1 again
	s_branch stop

step:
	is_traced stopped
	s_cbranch_scc1 trace
not_traced:
	s_mov_b32 stopped, 0
	s_branch check_condition

	// The most frequent path has no taken branch from here to the condition program, and none
	// from there to a displaced instruction.
	.org TRAP_CONDITION - S_TRAP_ROOM
s_trap:
	s_cmp_eq_u32 mailbox, TRAP_ID_RETURN
	s_cbranch_scc1 return_trap
	s_cmp_eq_u32 mailbox, TRAP_ID_COMMAND
	s_cbranch_scc1 command
not_exception:
	keep_traced stopped
check_condition:
	s_mov_b32 counter, 0
	s_mov_b32 displaced, 0
s_trap_end:
	.if s_trap_end - s_trap != S_TRAP_ROOM
	.error "there is a gap before the condition program"
	.endif

	.org TRAP_CONDITION
condition:
	s_cmp_eq_u32 displaced, 0
	s_branch condition_end
	.org CONDITION_END

condition_end:
	s_cbranch_scc1 hit
no_stop:
	s_cmp_eq_u32 displaced, 0
	s_cbranch_scc1 leave
	// Continue at the displaced copy of the instruction that this s_trap replaces.
	s_getpc_b64 return_to
displaced_from:
	.if displaced_from - condition_end != TRAP_DISPLACED_FROM - CONDITION_END
	.error "TRAP_DISPLACED_FROM has another value"
	.endif
	s_add_u32 return_lo, return_lo, displaced
	s_addc_u32 return_hi, return_hi, 0
	mark_resumed
	set_scc status
	s_rfe_b64 return_to

hit:
	s_cmp_eq_u32 counter, 0
	s_cbranch_scc1 stop
	// Does the wave stop at this hit?
	get_tma tma, tma_lo, tma_hi
	move_tma counter
	load value, tma, TRAP_COUNTER_LIMIT
	wait_all
	begin_stores exec_save, v0_save, v1_save
	store_at 0
	count_up_to value, value, tma, TRAP_COUNTER_HITS
	end_stores exec_save, v0_save, v1_save
	load pending, tma, TRAP_COUNTER_STOPS_AT
	s_cmp_eq_u32 value, pending
	s_cbranch_scc0 no_stop
	s_branch stop

	// TTMP13 need not be changed: the wave reaches the patch again before this exception.
return_trap:
	return_if_displaced tma, tma_lo, tma_hi, status
	s_branch not_exception

again:
	// The wave has already stopped here for this exception, and was resumed.
	s_mov_b32 stopped, 0
	clear_exceptions value, pending
leave:
	get_return return_lo, return_hi, value
	mark_resumed
	set_scc status
	s_rfe_b64 return_to

	// A step of a wave that is marked as traced. Is it the one in the header, and is there
	// still room for a record?
trace:
	wait_all
	get_tma tma, tma_lo, tma_hi
	begin_stores exec_save, v0_save, v1_save
	store_at 0
	load_new value, tma, TRAP_HDR_TRACE
	s_cmp_eq_u32 value, stopped
	s_cbranch_scc0 no_record
	load_new value, tma, TRAP_HDR_TRACE_LEFT
	s_cmp_eq_u32 value, 0
	s_cbranch_scc1 no_record

	load_new record_lo, tma, TRAP_HDR_TRACE_AT_LO
	load_new record_hi, tma, TRAP_HDR_TRACE_AT_HI
	load_new value, tma, TRAP_HDR_TRACE_VGPRS
	store ttmp0, record, TRAP_RECORD_PC_LO
	store ttmp1, record, TRAP_RECORD_PC_HI
	store status, record, TRAP_RECORD_STATUS
	store m0, record, TRAP_RECORD_M0
	store exec_save_lo, record, TRAP_RECORD_EXEC_LO
	store exec_save_hi, record, TRAP_RECORD_EXEC_HI
	store_program_hwregs record, tma_lo
	store_sgprs record
	end_stores exec_save, v0_save, v1_save
	// EXEC is saved in tma, because no other pair of registers is free.
	store_vgprs record_lo, record_hi, TRAP_RECORD_VGPRS, value, ttmp[4:7], \
		ttmp4, ttmp5, ttmp6, ttmp7, tma

	get_tma tma, tma_lo, tma_hi
	begin_stores exec_save, v0_save, v1_save
	store_at 0
	load_new value, tma, TRAP_HDR_TRACE_SIZE
	s_add_u32 record_lo, record_lo, value
	s_addc_u32 record_hi, record_hi, 0
	store record_lo, tma, TRAP_HDR_TRACE_AT_LO
	store record_hi, tma, TRAP_HDR_TRACE_AT_HI
	load_new value, tma, TRAP_HDR_TRACE_LEFT
	s_sub_u32 value, value, 1
	wait_stores
	store value, tma, TRAP_HDR_TRACE_LEFT
	wait_stores
	// No scalar load: the scalar cache may have an instruction from before a patch.
	get_trap_address record, record_lo, record_hi
	load_new record_lo, record, 0
	load_new stopped, tma, TRAP_HDR_TRACE
	load_new tma_lo, tma, TRAP_HDR_TRACE_STOP_AT	// the last use of tma
	end_stores exec_save, v0_save, v1_save
	s_cmp_eq_u32 value, 0
	s_cbranch_scc1 traced
	s_cmp_eq_u32 record_lo, tma_lo
	s_cbranch_scc1 traced
	is_for_host record_lo, value
	s_cbranch_scc0 leave
traced:
	s_mov_b32 stopped, 0
	s_branch stop

no_record:
	end_stores exec_save, v0_save, v1_save
	s_branch not_traced

	.org TRAP_STOP
stop:
	wait_all
	get_tma tma, tma_lo, tma_hi
	// All other registers are in use, so this changes tma.
	get_mailbox mailbox, tma, ttmp[4:7], ttmp4, ttmp5, ttmp6, ttmp7, value, tma_lo, no_mailbox
	get_tma tma, tma_lo, tma_hi
	load value, tma, TRAP_HDR_NUM_MAILBOXES
	s_cmp_lt_u32 mailbox, value
	s_cbranch_scc0 no_mailbox

	begin_stores exec_save, v0_save, v1_save
	s_lshl_b32 value, mailbox, TRAP_MAILBOX_SHIFT
	s_add_u32 value, value, TRAP_HDR_SIZE
	store_at value
	store ttmp0, tma, TRAP_MAILBOX_TTMP0
	store ttmp1, tma, TRAP_MAILBOX_TTMP1
	store status, tma, TRAP_MAILBOX_STATUS
	store m0, tma, TRAP_MAILBOX_M0
	store exec_save_lo, tma, TRAP_MAILBOX_EXEC_LO
	store exec_save_hi, tma, TRAP_MAILBOX_EXEC_HI
	store_hwregs tma, value
	count tma, TRAP_MAILBOX_COUNT
	end_stores exec_save, v0_save, v1_save
	s_branch report

no_mailbox:
	s_mov_b32 mailbox, TRAP_NO_MAILBOX
report:
	send_interrupt mailbox, value

	get_return return_lo, return_hi, value
	set_scc status
	s_sethalt 1
	s_rfe_b64 return_to

	// Is it a command of the host for this wave? The wave is halted, and stays so after it.
command:
	is_host_trap
	s_cbranch_scc0 not_exception
	wait_all
	get_tma tma, tma_lo, tma_hi
	get_mailbox mailbox, tma, ttmp[4:7], ttmp4, ttmp5, ttmp6, ttmp7, value, tma_lo, not_exception
	get_tma tma, tma_lo, tma_hi
	begin_stores exec_save, v0_save, v1_save
	store_at 0
	load_new value, tma, TRAP_HDR_MAILBOX
	s_cmp_eq_u32 value, mailbox
	s_cbranch_scc0 no_command
	load_new from_lds, tma, TRAP_HDR_FROM_LDS
	load_new value, tma, TRAP_HDR_OP
	s_cmp_eq_u32 value, TRAP_OP_LDS_READ
	s_cbranch_scc1 lds_read
	s_cmp_eq_u32 value, TRAP_OP_LDS_WRITE
	s_cbranch_scc1 lds_write
	s_cmp_eq_u32 value, TRAP_OP_COND_DBG
	s_cbranch_scc1 cond_dbg
	s_cmp_eq_u32 value, TRAP_OP_VGPR_READ
	s_cbranch_scc1 vgpr_read
no_command:
	end_stores exec_save, v0_save, v1_save
	s_branch not_exception

lds_read:
	load_new value, tma, TRAP_HDR_COUNT
	start_at tma, TRAP_HDR_LDS
next_read:
	read_lds tma, from_lds
	count_down value
	s_cbranch_scc1 next_read
	s_branch command_done

lds_write:
	load_new value, tma, TRAP_HDR_COUNT
	start_at tma, TRAP_HDR_LDS
next_write:
	write_lds tma, from_lds
	count_down value
	s_cbranch_scc1 next_write
	s_branch command_done

vgpr_read:
	load_new value, tma, TRAP_HDR_COUNT
	end_stores exec_save, v0_save, v1_save
	store_vgprs tma_lo, tma_hi, from_lds, value, ttmp[4:7], ttmp4, ttmp5, ttmp6, ttmp7, tma
	get_tma tma, tma_lo, tma_hi
	begin_stores exec_save, v0_save, v1_save
	s_branch command_done

cond_dbg:
	load_new value, tma, TRAP_HDR_COUNT
	set_cond_dbg value

command_done:
	wait_all
	store_at 0
	load_new value, tma, TRAP_HDR_OP
	store value, tma, TRAP_HDR_DONE
	end_stores exec_save, v0_save, v1_save
	get_return return_lo, return_hi, value
	set_scc status
	s_sethalt 1
	s_rfe_b64 return_to

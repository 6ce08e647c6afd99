// SPDX-License-Identifier: MIT
//
// The trap handler by which the kernel module replaces one that it removes, for waves that have
// started with the removed one. It returns from every trap at once, except that it halts the
// wave at an illegal instruction. The module contains this code as numbers
// (kernel/hw/gfx*_leave.h); tests/unit compares them with the assembled code.

#include GENERATION

	get_status ttmp2				// to restore SCC
	get_trap_id ttmp3
	s_cbranch_scc0 exception
	is_host_trap
	s_cbranch_scc1 leave
	s_cmp_eq_u32 ttmp3, TRAP_ID_RETURN
	s_cbranch_scc0 behind
	return_if_displaced ttmp[14:15], ttmp14, ttmp15, ttmp2
behind:
	s_add_u32 ttmp0, ttmp0, S_TRAP_SIZE
	s_addc_u32 ttmp1, ttmp1, 0
	s_branch leave

exception:
	// The wave cannot continue after an illegal instruction: it would trap without end, and
	// send an interrupt each time. So it halts there, as with the kernel's handler
	// (cwsr_trap_handler_gfx10.asm) and as a wave without a handler does; the driver's job
	// timeout ends it. The exception stays set, and TTMP0 and TTMP1 have the address.
	is_illegal ttmp3
	s_cbranch_scc1 halt
	clear_all_exceptions				// else the wave would trap again
	s_branch leave

halt:
	s_sethalt 1					// takes effect at s_rfe_b64

leave:
	only_pc ttmp1, ttmp1
	set_scc ttmp2
	s_rfe_b64 ttmp[0:1]

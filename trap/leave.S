// SPDX-License-Identifier: MIT
//
// The trap handler by which the module replaces one that it removes, for the waves that
// have started with that one: it returns from every trap at once, but halts the wave at an
// illegal instruction. The module contains its code as numbers
// (kernel/hw/gfx*_leave.h); tests/unit compares them.

#include GENERATION

	get_status ttmp2				// for SCC
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
	// The wave cannot continue behind an illegal instruction: it would trap again and again,
	// with an interrupt each time. It halts there, as with the kernel's handler
	// (cwsr_trap_handler_gfx10.asm), and as a wave without a handler does: the driver's job
	// timeout ends it. The exception stays, and TTMP0 and TTMP1 have the address.
	is_illegal ttmp3
	s_cbranch_scc1 halt
	clear_all_exceptions				// else it would trap again
	s_branch leave

halt:
	s_sethalt 1					// when the handler returns

leave:
	only_pc ttmp1, ttmp1
	set_scc ttmp2
	s_rfe_b64 ttmp[0:1]

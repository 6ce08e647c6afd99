// SPDX-License-Identifier: MIT
//
// The trap handler that the module puts in the place of one that it takes away,
// for the waves that have started with that one: it returns from every trap at
// once. kernel/hw/gfx10_3_leave.h has it as numbers; tests/unit compares them.

	s_getreg_b32 ttmp2, hwreg(HW_REG_STATUS)	// for SCC
	s_bfe_u32 ttmp3, ttmp1, 0x80010			// TrapID
	s_cbranch_scc0 exception
	s_bitcmp1_b32 ttmp1, 24				// HT: by the host
	s_cbranch_scc1 leave
	s_add_u32 ttmp0, ttmp0, 4			// behind s_trap
	s_addc_u32 ttmp1, ttmp1, 0
	s_branch leave

exception:
	// EXCP, SAVECTX, ILLEGAL_INST, EXCP_HI: else it would trap again
	s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 15), 0

leave:
	s_and_b32 ttmp1, ttmp1, 0xffff			// PC
	s_setreg_b32 hwreg(HW_REG_STATUS, 0, 1), ttmp2	// SCC
	s_rfe_b64 ttmp[0:1]

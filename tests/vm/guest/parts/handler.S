// SPDX-License-Identifier: GPL-2.0-or-later
//
// A trap handler for tests: it loads the first dword of its memory into s40 and returns, after
// an s_trap to the next instruction.

	s_getreg_b32 ttmp2, hwreg(HW_REG_STATUS)
	s_getreg_b32 ttmp4, hwreg(HW_REG_TMA_LO)
	s_getreg_b32 ttmp5, hwreg(HW_REG_TMA_HI)
	s_lshl_b64 ttmp[4:5], ttmp[4:5], 8
	s_load_dword s40, ttmp[4:5], 0
	s_waitcnt lgkmcnt(0)
	s_bitcmp1_b32 ttmp1, 24				// HT: by the host
	s_cbranch_scc1 leave
	s_add_u32 ttmp0, ttmp0, 4
	s_addc_u32 ttmp1, ttmp1, 0
leave:
	s_and_b32 ttmp1, ttmp1, 0xffff
	s_setreg_b32 hwreg(HW_REG_STATUS, 0, 1), ttmp2
	s_rfe_b64 ttmp[0:1]

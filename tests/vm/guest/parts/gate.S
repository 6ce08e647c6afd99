// SPDX-License-Identifier: GPL-2.0-or-later
//
// A trap handler for tests, for traps by the host and in debug mode: waves stay in it until
// word 16 of its memory says how they leave it. 1: they are halted, as by the default handler;
// any other value: they continue.

#include "trap_abi.h"

	s_getreg_b32 ttmp2, hwreg(HW_REG_STATUS)		// for SCC
	s_getreg_b32 ttmp4, hwreg(HW_REG_TMA_LO)
	s_getreg_b32 ttmp5, hwreg(HW_REG_TMA_HI)
	s_lshl_b64 ttmp[4:5], ttmp[4:5], 8
	s_mov_b32 ttmp6, ttmp0
	s_and_b32 ttmp7, ttmp1, TRAP_TTMP1_PC_HI
closed:
	s_load_dword ttmp3, ttmp[4:5], 0x40 glc
	s_waitcnt lgkmcnt(0)
	s_cmp_eq_u32 ttmp3, 0
	s_cbranch_scc1 closed
	s_cmp_eq_u32 ttmp3, 1
	s_cbranch_scc1 halt

	s_bitset1_b32 ttmp1, TRAP_TTMP1_RESUMED_BIT
	s_setreg_b32 hwreg(HW_REG_STATUS, 0, 1), ttmp2		// SCC
	s_rfe_b64 ttmp[6:7]
halt:
	s_setreg_b32 hwreg(HW_REG_STATUS, 0, 1), ttmp2		// SCC
	s_sethalt 1
	s_rfe_b64 ttmp[6:7]

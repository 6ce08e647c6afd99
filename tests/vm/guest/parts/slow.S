// SPDX-License-Identifier: GPL-2.0-or-later
//
// A trap handler for tests, for s_trap: it sends its message, then counts down from word 0 of its
// memory, and only then halts its wave, after the s_trap.

#include "trap_abi.h"

	s_getreg_b32 ttmp2, hwreg(HW_REG_STATUS)		// for SCC
	s_getreg_b32 ttmp4, hwreg(HW_REG_TMA_LO)
	s_getreg_b32 ttmp5, hwreg(HW_REG_TMA_HI)
	s_lshl_b64 ttmp[4:5], ttmp[4:5], 8
	s_load_dword ttmp3, ttmp[4:5], 0
	s_waitcnt lgkmcnt(0)
	s_sendmsg sendmsg(MSG_INTERRUPT)
	s_waitcnt lgkmcnt(0)
count:
	s_sub_u32 ttmp3, ttmp3, 1
	s_cmp_lg_u32 ttmp3, 0
	s_cbranch_scc1 count

	s_add_u32 ttmp6, ttmp0, 4
	s_addc_u32 ttmp7, ttmp1, 0
	s_and_b32 ttmp7, ttmp7, TRAP_TTMP1_PC_HI
	s_setreg_b32 hwreg(HW_REG_STATUS, 0, 1), ttmp2		// SCC
	s_sethalt 1
	s_rfe_b64 ttmp[6:7]

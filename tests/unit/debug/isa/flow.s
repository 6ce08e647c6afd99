// SPDX-License-Identifier: GPL-2.0-or-later
// Each kind of flow, operands of each kind, and bytes that are not an instruction. The expected
// results of the debugger are in test_debug_disasm.c, line by line.
	.text
	s_cbranch_scc1 16
	s_branch 65532
	s_call_b64 s[4:5], 3
	s_swappc_b64 s[30:31], s[16:17]
	s_setpc_b64 s[30:31]
	s_rfe_b64 ttmp[0:1]
	s_trap 2
	s_subvector_loop_begin s3, 4
	s_endpgm_saved
	s_cbranch_cdbguser 4
	s_waitcnt vmcnt(0)
	s_waitcnt_vscnt null, 0
	s_barrier
	v_add_f32 v1, s2, v3
	v_add_f32_dpp v1, v2, v3 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf
	v_add_co_u32 v1, vcc_lo, v2, v3
	v_fma_f32 v1, -|v2|, |s3|, 0.5
	v_readlane_b32 s4, v5, m0
	global_load_dwordx4 v[1:4], v[5:6], off offset:16
	s_load_dwordx8 s[8:15], s[4:5], 0x10
	image_sample v[0:3], [v4, v7], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D
	s_mov_b64 exec, -1
	s_and_b32 vcc_lo, exec_lo, vcc_hi
	s_mov_b32 m0, ttmp7
	s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s5
	s_sendmsg sendmsg(MSG_INTERRUPT)
	s_mov_b32 s0, 0x12345678
	s_endpgm
	s_code_end
	.long 0xffffffff
	.long 0xd7ffffff
	.byte 1, 2, 3

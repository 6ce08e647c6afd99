// SPDX-License-Identifier: GPL-2.0-or-later
// Loops for test_debug_loop.c, which vgpu's interpreter executes. v0 is the number of the lane.
	.text
	.globl nested, lanes, lanes_cmpx, calls, split, straight

// An endless loop around one of three iterations
nested:
	s_mov_b32 s1, 0
nested_outer:
	s_mov_b32 s2, 0
nested_inner:
	s_add_u32 s2, s2, 1
	s_cmp_lt_u32 s2, 3
	s_cbranch_scc1 nested_inner
	s_add_u32 s1, s1, 1
	s_cmp_lg_u32 s1, 0
nested_back:
	s_cbranch_scc1 nested_outer
	s_endpgm

// Lane n leaves after n iterations, as clang compiles it
lanes:
	v_mov_b32 v1, 0
	s_mov_b32 s4, 0
lanes_loop:
	v_add_nc_u32 v1, v1, 1
	v_cmp_ge_u32 vcc_lo, v1, v0
	s_or_b32 s4, vcc_lo, s4
	s_andn2_b32 exec_lo, exec_lo, s4
lanes_back:
	s_cbranch_execnz lanes_loop
	s_endpgm

lanes_cmpx:
	v_mov_b32 v1, 0
lanes_cmpx_loop:
	v_add_nc_u32 v1, v1, 1
	v_cmpx_lt_u32 v1, v0
lanes_cmpx_back:
	s_cbranch_execnz lanes_cmpx_loop
	s_endpgm

// The function has a loop of its own, which ends; it is called from a loop after it.
function:
	s_mov_b32 s5, 2
function_loop:
	s_sub_u32 s5, s5, 1
	s_cmp_lg_u32 s5, 0
	s_cbranch_scc1 function_loop
	s_add_u32 s1, s1, 1
	s_setpc_b64 s[10:11]
calls:
	s_mov_b32 s1, 0
calls_loop:
	s_call_b64 s[10:11], function
	s_cmp_lt_u32 s1, 100
calls_back:
	s_cbranch_scc1 calls_loop
	s_endpgm

// A part of the loop is after its end
split:
	s_mov_b32 s1, 0
split_loop:
	s_add_u32 s1, s1, 1
	s_bitcmp1_b32 s1, 0
	s_cbranch_scc1 split_cold
split_end:
	s_cmp_lt_u32 s1, 100
split_back:
	s_cbranch_scc1 split_loop
	s_endpgm
split_cold:
	s_nop 0
	s_branch split_end

// No loop, but a branch back
straight:
	s_branch straight_last
straight_first:
	s_nop 1
	s_endpgm
straight_last:
	s_nop 2
	s_branch straight_first

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Kernels for single steps and snapshots: the state after each instruction is known.
// Arguments as in kernels.cl.
//
// steps: each work-item increments ctl[1] and waits for ctl[0]; then come instructions
// that a step must handle specially. With ctl[0] = 1, the kernel ends; with 2, a branch
// to itself never ends.
//
// busy: each work-group counts down from ctl[0] plus a number that depends on the group,
// so that waves end and start all the time; then each work-item increments ctl[1].
//
// pauses: each work-item increments ctl[1]; then each wave halts itself repeatedly, after
// pseudo-random times that depend on its work-group, until it finds ctl[0] set.

	.amdgcn_target "amdgcn-amd-amdhsa--gfx1033"
	.text

.macro kernel name, body
	.globl	\name
	.type	\name, @function
	.p2align 8
\name:
	\body
	.size	\name, . - \name

	.rodata
	.p2align 6
	.amdhsa_kernel \name
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_kernarg_size 28
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
		.amdhsa_wavefront_size32 1
	.end_amdhsa_kernel
	.text
.endm

.macro steps_body
	s_load_dwordx2	s[8:9], s[0:1], 0x10
	v_mov_b32	v2, 0
	v_mov_b32	v3, 1
	s_waitcnt	lgkmcnt(0)
	global_atomic_add	v2, v3, s[8:9] offset:4
.Lwait\@:
	global_load_dword	v4, v2, s[8:9] glc dlc
	s_waitcnt	vmcnt(0)
	v_readfirstlane_b32	s13, v4
	s_cmp_eq_u32	s13, 0
	s_cbranch_scc1	.Lwait\@
// While a debugger steps the wave, this instruction would resume it.
	s_sethalt	0
	s_cmp_eq_u32	s13, 2
.Lself\@:
	s_cbranch_scc1	.Lself\@
	s_endpgm
.endm

.macro busy_body
	s_load_dwordx2	s[8:9], s[0:1], 0x10
	v_mov_b32	v2, 0
	v_mov_b32	v3, 1
	s_waitcnt	lgkmcnt(0)
	s_load_dword	s12, s[8:9], 0x0
	s_and_b32	s13, s2, 0xff
	s_lshl_b32	s13, s13, 5
	s_waitcnt	lgkmcnt(0)
	s_add_u32	s12, s12, s13
.Ldown\@:
	s_sub_u32	s12, s12, 1
	s_cmp_lg_u32	s12, 0
	s_cbranch_scc1	.Ldown\@
	global_atomic_add	v2, v3, s[8:9] offset:4
	s_endpgm
.endm

.macro pauses_body
	s_load_dwordx2	s[8:9], s[0:1], 0x10
	v_mov_b32	v2, 0
	v_mov_b32	v3, 1
	s_waitcnt	lgkmcnt(0)
	global_atomic_add	v2, v3, s[8:9] offset:4
.Lagain\@:
	s_mul_i32	s2, s2, 1664525
	s_add_u32	s2, s2, 1013904223
	s_lshr_b32	s12, s2, 16
	s_add_u32	s12, s12, 1
.Ldown\@:
	s_sub_u32	s12, s12, 1
	s_cmp_lg_u32	s12, 0
	s_cbranch_scc1	.Ldown\@
	s_sethalt	1
	global_load_dword	v4, v2, s[8:9] glc dlc
	s_waitcnt	vmcnt(0)
	v_readfirstlane_b32	s13, v4
	s_cmp_eq_u32	s13, 0
	s_cbranch_scc1	.Lagain\@
	s_endpgm
.endm

	kernel	steps, steps_body
	kernel	busy, busy_body
	kernel	pauses, pauses_body

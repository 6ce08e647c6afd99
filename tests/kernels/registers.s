// SPDX-License-Identifier: GPL-2.0-or-later
//
// Kernels whose registers have known values while they wait for ctl[0] to be set, and
// whose results depend on these. "registers" is wave32, "registers64" wave64;
// arguments as in kernels.cl, and a group has 64 work-items.
//
// While the kernel waits, s24 to s103 hold 0x5000 + number, v8 to v39 hold
// number << 16 | work-item of the group, M0 holds 0x3000, VCC 0x4000 and 0x4001.
//
// Then each work-item stores out[i] = v8 + s24 + M0 + VCC_LO, or v8 - s24 if a debugger
// has moved the PC to the v_sub. out[n + i] = MODE.

	.amdgcn_target "amdgcn-amd-amdhsa--gfx1033"
	.text

.macro known_registers
	.set	n, 24
	.rept	80
	s_mov_b32	s[n], 0x5000 + n
	.set	n, n + 1
	.endr
	.set	n, 8
	.rept	32
	v_add_nc_u32	v[n], n << 16, v0
	.set	n, n + 1
	.endr
	s_movk_i32	m0, 0x3000
	s_movk_i32	vcc_lo, 0x4000
	s_movk_i32	vcc_hi, 0x4001
.endm

// Registers: s[4:5] out, s[6:7] in, s[8:9] ctl, s10 n; v1 the work-item's number times 4
.macro body
	s_load_dwordx4	s[4:7], s[0:1], 0x0
	s_load_dwordx4	s[8:11], s[0:1], 0x10
	s_lshl_b32	s12, s2, 6
	v_add_nc_u32	v1, s12, v0
	v_lshlrev_b32	v1, 2, v1
	known_registers
	v_mov_b32	v2, 0
	v_mov_b32	v3, 1
	s_waitcnt	lgkmcnt(0)
	global_atomic_add	v2, v3, s[8:9] offset:4
.Lwait\@:
	s_sleep		127
	global_load_dword	v4, v2, s[8:9] glc dlc
	s_waitcnt	vmcnt(0)
	v_readfirstlane_b32	s13, v4
	s_cmp_eq_u32	s13, 0
	s_cbranch_scc1	.Lwait\@
	v_add_nc_u32	v5, v8, s24
	v_add_nc_u32	v5, v5, m0
	v_add_nc_u32	v5, v5, vcc_lo
	s_branch	.Lstore\@
// The test finds this instruction by its first word.
	v_sub_nc_u32	v5, v8, s24
.Lstore\@:
	global_store_dword	v1, v5, s[4:5]
	s_lshl_b32	s14, s10, 2
	v_add_nc_u32	v1, s14, v1
	s_getreg_b32	s15, hwreg(HW_REG_MODE)
	v_mov_b32	v6, s15
	global_store_dword	v1, v6, s[4:5]
	s_endpgm
.endm

.macro kernel name, wave32
	.globl	\name
	.type	\name, @function
	.p2align 8
\name:
	body
	.size	\name, . - \name

	.rodata
	.p2align 6
	.amdhsa_kernel \name
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_kernarg_size 28
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 40
		.amdhsa_next_free_sgpr 104
		.amdhsa_wavefront_size32 \wave32
	.end_amdhsa_kernel
	.text
.endm

	kernel	registers, 1
	kernel	registers64, 0

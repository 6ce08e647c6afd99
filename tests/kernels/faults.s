// SPDX-License-Identifier: GPL-2.0-or-later
//
// Each kernel has one instruction that raises an exception, at the label fault_*_at: the
// exceptions of MODE.EXCP_EN, of which one is enabled at a time, and those that cannot be
// masked (RDNA 2 ISA document, "Exceptions"; TRAPSTS). Arguments as in kernels.cl.
//
// fault_*: out[i] is the result of the instruction if the wave continues. fault_trap executes
// s_trap 3, and fault_trap7 s_trap 7, which debuggers use for breakpoints. fault_mode raises
// no exception.

	.amdgcn_target "amdgcn-amd-amdhsa--gfx1033"
	.text

.macro fault name, enabled, a, b, insn, also=
	.globl	fault_\name
	.type	fault_\name, @function
	.p2align 8
fault_\name:
	s_load_dwordx2	s[4:5], s[0:1], 0x0
	s_lshl_b32	s12, s2, 6
	v_add_nc_u32	v1, s12, v0
	v_lshlrev_b32	v1, 2, v1
	v_mov_b32	v2, \a
	v_mov_b32	v3, \b
	v_mov_b32	v4, v2
	s_waitcnt	lgkmcnt(0)
	s_setreg_imm32_b32 hwreg(HW_REG_MODE, 12, 9), \enabled
fault_\name\()_at:
	\insn
fault_\name\()_after:
	\also
	s_waitcnt	vmcnt(0)
	s_setreg_imm32_b32 hwreg(HW_REG_MODE, 12, 9), 0
	global_store_dword	v1, v4, s[4:5]
	s_endpgm
	.size	fault_\name, . - fault_\name

	.rodata
	.p2align 6
	.amdhsa_kernel fault_\name
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_kernarg_size 28
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
		.amdhsa_wavefront_size32 1
		.amdhsa_float_denorm_mode_32 3
	.end_amdhsa_kernel
	.text
.endm

// 0 times infinity
	fault	invalid, 0x1, 0, 0x7f800000, "v_mul_f32 v4, v2, v3"
// The smallest denormal number times 1
	fault	denorm, 0x2, 1, 1.0, "v_mul_f32 v4, v2, v3"
	fault	div0, 0x4, 0, 0, "v_rcp_f32 v4, v2"
// The largest number times 2
	fault	overflow, 0x8, 0x7f7fffff, 2.0, "v_mul_f32 v4, v2, v3"
// The second smallest normal number, halved
	fault	underflow, 0x10, 0x00800001, 0.5, "v_mul_f32 v4, v2, v3"
// 1 plus 2^-30
	fault	inexact, 0x20, 1.0, 0x30800000, "v_add_f32 v4, v2, v3"
	fault	int_div0, 0x40, 0, 0, "v_rcp_iflag_f32 v4, v2"
// An atomic that is not aligned
	fault	mem_viol, 0x100, 2, 1, "global_atomic_add v4, v2, v3, s[4:5] glc"
// The same without an enabled exception: no bit masks this one.
	fault	unmasked, 0, 2, 1, "global_atomic_add v4, v2, v3, s[4:5] glc"
// No instruction has this encoding.
	fault	illegal, 0, 77, 0, ".long 0xffffffff"
	fault	trap, 0, 78, 0, "s_trap 3"
// Writes all of MODE, with the values of this kernel's start: denormals, DX10_CLAMP, IEEE
	fault	mode, 0, 79, 0, "s_movk_i32 s13, 0x3f0", "s_setreg_b32 hwreg(HW_REG_MODE), s13"
	fault	trap7, 0, 79, 0, "s_trap 7"

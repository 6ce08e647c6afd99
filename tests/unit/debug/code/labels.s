// SPDX-License-Identifier: GPL-2.0-or-later
// Symbols as assemblers of kernels write them, Tensile for example: kernels without a size, local
// labels of the same name in each of them, and exported labels inside of a function that has a size.
// The Makefile gives both local labels the same name. test_debug_name.c has the expected names.
	.macro kernel name, type
	.globl	\name
	.p2align 8
	.if \type
	.type	\name,@function
	.endif
\name:
	s_nop 0
	.endm

	.macro label name
\name:
	s_nop 1
	s_nop 2
	.endm

	.macro descriptor name
	.amdhsa_kernel \name
	.amdhsa_next_free_vgpr 1
	.amdhsa_next_free_sgpr 1
	.end_amdhsa_kernel
	.endm

	.text
	kernel first, 1
	label first_label
	s_endpgm
// A kernel without a type
	kernel second, 0
	label second_label
	s_endpgm
// A function with a size, which contains an exported label without one
	kernel sized, 1
	label inside
	.globl	inside
	s_endpgm
	.size	sized, . - sized

	.section .rodata,"a",@progbits
	.p2align 6
	descriptor first
	descriptor second
	descriptor sized

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of the operations that a compiler may write and that expr.c does not support. DWARF 5,
 * 7.7.1; those of LLVM are in AMDGPU's extensions (LLVM,
 * AMDGPUDwarfExtensionsForHeterogeneousDebugging, "Encoding of Operations").
 */
#include "expr_name.h"

#include "internal.h"

static const struct {
	unsigned char op;
	const char *name;
} names[] = {
	{ 0x97, "DW_OP_push_object_address" },
	{ 0x98, "DW_OP_call2" },
	{ 0x99, "DW_OP_call4" },
	{ 0x9a, "DW_OP_call_ref" },
	{ 0x9b, "DW_OP_form_tls_address" },
	{ 0x9c, "DW_OP_call_frame_cfa" },
	{ 0x9d, "DW_OP_bit_piece" },
	{ 0xa0, "DW_OP_implicit_pointer" },
	{ 0xf2, "DW_OP_GNU_implicit_pointer" },
	{ 0xa3, "DW_OP_entry_value" },
	{ 0xf3, "DW_OP_GNU_entry_value" },
	{ 0xa4, "DW_OP_const_type" },
	{ 0xa5, "DW_OP_regval_type" },
	{ 0xa6, "DW_OP_deref_type" },
	{ 0xa7, "DW_OP_xderef_type" },
	{ 0xa9, "DW_OP_reinterpret" },
	{ 0xe9, "DW_OP_LLVM_user" },
	{ 0xe1, "DW_OP_LLVM_form_aspace_address" },
	{ 0xe2, "DW_OP_LLVM_push_lane" },
	{ 0xe3, "DW_OP_LLVM_offset" },
	{ 0xe4, "DW_OP_LLVM_offset_uconst" },
	{ 0xe5, "DW_OP_LLVM_bit_offset" },
	{ 0xe6, "DW_OP_LLVM_call_frame_entry_reg" },
	{ 0xe7, "DW_OP_LLVM_undefined" },
	{ 0xe8, "DW_OP_LLVM_aspace_bregx" },
	{ 0xea, "DW_OP_LLVM_piece_end" },
	{ 0xeb, "DW_OP_LLVM_extend" },
	{ 0xec, "DW_OP_LLVM_select_bit_piece" },
};

const char *adbgd_expr_name(unsigned int op)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (names[i].op == op)
			return names[i].name;
	}
	return NULL;
}

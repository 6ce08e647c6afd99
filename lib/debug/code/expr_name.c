// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of the operations that a compiler may write and that expr.c does not support. DWARF 5,
 * 7.7.1; those of LLVM are in AMDGPU's extensions (LLVM,
 * AMDGPUDwarfExtensionsForHeterogeneousDebugging, "Encoding of Operations").
 */
#include "expr_name.h"

#include <dwarf.h>

#include "internal.h"

static const struct {
	unsigned char op;
	const char *name;
} names[] = {
	{ DW_OP_push_object_address, "DW_OP_push_object_address" },
	{ DW_OP_call2, "DW_OP_call2" },
	{ DW_OP_call4, "DW_OP_call4" },
	{ DW_OP_call_ref, "DW_OP_call_ref" },
	{ DW_OP_form_tls_address, "DW_OP_form_tls_address" },
	{ DW_OP_call_frame_cfa, "DW_OP_call_frame_cfa" },
	{ DW_OP_bit_piece, "DW_OP_bit_piece" },
	{ DW_OP_implicit_pointer, "DW_OP_implicit_pointer" },
	{ DW_OP_GNU_implicit_pointer, "DW_OP_GNU_implicit_pointer" },
	{ DW_OP_entry_value, "DW_OP_entry_value" },
	{ DW_OP_GNU_entry_value, "DW_OP_GNU_entry_value" },
	{ DW_OP_const_type, "DW_OP_const_type" },
	{ DW_OP_regval_type, "DW_OP_regval_type" },
	{ DW_OP_deref_type, "DW_OP_deref_type" },
	{ DW_OP_xderef_type, "DW_OP_xderef_type" },
	{ DW_OP_reinterpret, "DW_OP_reinterpret" },
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

// SPDX-License-Identifier: GPL-2.0-or-later
// Debug information that our compiler, or any compiler, does not write: DWARF 4, written by
// hand. It has one function "f" of four instructions, with variables whose locations use each
// operation (DWARF 4, 2.5 and 7.7.1), and types that refer to themselves. With SIBLING defined,
// an entry is its own sibling; with NAMES, there are many files in a folder with a long name.
// test_debug_odd.c has the expected results.
	.text
	.globl	f
	.type	f,@function
f:
	s_nop 0
	s_nop 1
	s_nop 2
	s_endpgm
.Lend:
	.size	f, .Lend - f

	.section .debug_abbrev,"",@progbits
// abbrev CODE TAG CHILDREN, then attribute and form in pairs, 0 0 at the end
	.uleb128 1, 0x11		// compile_unit: name, low_pc, high_pc, language, stmt_list
	.byte	1
	.uleb128 0x03, 0x08, 0x11, 0x01, 0x12, 0x06, 0x13, 0x0b, 0x10, 0x17, 0, 0
	.uleb128 2, 0x2e		// subprogram: name, low_pc, high_pc
	.byte	1
	.uleb128 0x03, 0x08, 0x11, 0x01, 0x12, 0x06, 0, 0
	.uleb128 3, 0x34		// variable: name, type, location
	.byte	0
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x02, 0x18, 0, 0
	.uleb128 4, 0x24		// base_type: name, encoding, byte_size
	.byte	0
	.uleb128 0x03, 0x08, 0x3e, 0x0b, 0x0b, 0x0b, 0, 0
	.uleb128 5, 0x16		// typedef: name, type
	.byte	0
	.uleb128 0x03, 0x08, 0x49, 0x13, 0, 0
	.uleb128 6, 0x01		// array_type: type
	.byte	1
	.uleb128 0x49, 0x13, 0, 0
	.uleb128 7, 0x21		// subrange_type: count
	.byte	0
	.uleb128 0x37, 0x06, 0, 0
	.uleb128 8, 0x0f		// pointer_type: type
	.byte	0
	.uleb128 0x49, 0x13, 0, 0
	.uleb128 9, 0x34		// variable: name, type, const_value (data4)
	.byte	0
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x1c, 0x06, 0, 0
	.uleb128 10, 0x34		// variable: name, type, const_value (block1)
	.byte	0
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x1c, 0x0a, 0, 0
	.uleb128 11, 0x0b		// lexical_block: sibling
	.byte	0
	.uleb128 0x01, 0x13, 0, 0
	.uleb128 13, 0x13		// structure_type: byte_size
	.byte	1
	.uleb128 0x0b, 0x0b, 0, 0
	.uleb128 14, 0x0d		// member: name, type
	.byte	0
	.uleb128 0x03, 0x08, 0x49, 0x13, 0, 0
	.uleb128 15, 0x34		// variable: name, type, const_value (data1)
	.byte	0
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x1c, 0x0b, 0, 0
	.uleb128 16, 0x34		// variable: name, type, const_value (data8)
	.byte	0
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x1c, 0x07, 0, 0
	.uleb128 17, 0x34		// variable: name, type, const_value (sdata)
	.byte	0
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x1c, 0x0d, 0, 0
	.uleb128 18, 0x34		// variable: name, type, const_value (string)
	.byte	0
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x1c, 0x08, 0, 0
	.uleb128 19, 0x0d		// member: name, type, data_member_location (block1)
	.byte	0
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x38, 0x0a, 0, 0
	.uleb128 20, 0x0d		// the same, with byte_size, bit_size, bit_offset
	.byte	0
	.uleb128 0x03, 0x08, 0x49, 0x13, 0x38, 0x0a, 0x0b, 0x0b, 0x0d, 0x0b, 0x0c, 0x0b, 0, 0
	.uleb128 12, 0x0b		// lexical_block: low_pc, high_pc
	.byte	1
	.uleb128 0x11, 0x01, 0x12, 0x06, 0, 0
	.byte	0

	.section .debug_info,"",@progbits
.Lunit:
	.long	.Lunit_end - .Lversion
.Lversion:
	.short	4
	.long	0			// offset of abbreviations
	.byte	8
	.uleb128 1
	.asciz	"odd.s"
	.quad	f
	.long	.Lend - f
	.byte	0x0c			// DW_LANG_C99
	.long	0			// offset of the table of lines

.macro variable name, type, ops:vararg
	.uleb128 3
	.asciz	"\name"
	.long	.L\type - .Lunit
	.uleb128 .Lops_end\@ - .Lops\@
.Lops\@:
	.byte	\ops
.Lops_end\@:
.endm

	.uleb128 2
	.asciz	"f"
	.quad	f
	.long	8			// the first two instructions
	// lit5 lit7 plus, lit2 mul, lit4 minus, lit3 div (20 / 3), stack_value
	variable arithmetic, int, 0x35, 0x37, 0x22, 0x32, 0x1e, 0x34, 0x1c, 0x33, 0x1b, 0x9f
	// const1s -7, lit2, div; abs; lit4 mod; neg: -3, 3, 3, -3
	variable signs, int, 0x09, 0xf9, 0x32, 0x1b, 0x19, 0x34, 0x1d, 0x1f, 0x9f
	// const2u 0x0ff0, const1u 0x3c, and; lit1 or; not; lit8 shl; const1s -1 xor
	variable bits, int, 0x0a, 0xf0, 0x0f, 0x08, 0x3c, 0x1a, 0x31, 0x21, 0x20, 0x38, 0x24, 0x09, 0xff, 0x27, 0x9f
	// lit1 lit2 lit3 rot: 3 1 2; swap: 3 2 1; over: 3 2 1 2; pick 3: ... 3; drop; plus
	variable stack, int, 0x31, 0x32, 0x33, 0x17, 0x16, 0x14, 0x15, 3, 0x13, 0x22, 0x9f
	// lit4 lit5 lt: 1; bra +1 over lit31; lit9
	variable branch, int, 0x34, 0x35, 0x2d, 0x28, 1, 0, 0x4f, 0x39, 0x9f
	// skip -3: for ever
	variable endless, int, 0x2f, 0xfd, 0xff
	// skip +1 into the middle of const1u
	variable middle, int, 0x2f, 1, 0, 0x08, 0x30, 0x9f
	// lit0, and then the stack is empty
	variable empty, int, 0x22, 0x9f
	// lit1 lit0 div
	variable zero, int, 0x31, 0x30, 0x1b, 0x9f
	// 70 times lit0, as dup in a loop: lit0; dup; skip -4
	variable deep, int, 0x30, 0x12, 0x2f, 0xfc, 0xff
	// regx VGPR7, wave32: 1543
	variable vgpr, int, 0x90, 0x87, 0x0c
	// regx VGPR7, piece 2; piece 2: the upper half is nowhere
	variable half, int, 0x90, 0x87, 0x0c, 0x93, 2, 0x93, 2
	// bregx SGPR4 (36) +8: private memory at s4 + 8
	variable memory, int, 0x92, 36, 8
	// bregx SGPR4 +0, deref: memory of the process at what is there
	variable pointed, int, 0x92, 36, 0, 0x06
	// implicit_value of 4 bytes
	variable implicit, int, 0x9e, 4, 0x78, 0x56, 0x34, 0x12
	// reg17: EXEC, of waves of 64 lanes
	variable exec, long, 0x61
	// breg32 is SGPR0: reg32 needs regx; here PC_64 by reg16
	variable pc, long, 0x60
	// the same with no register at all: regx 200
	variable nothing, int, 0x90, 0xc8, 0x01
	// call_frame_cfa
	variable cfa, int, 0x9c
	// entry_value(reg1)
	variable entry, int, 0xa3, 1, 0x51, 0x9f
	// DW_OP_LLVM_user, as ROCm's compiler begins it
	variable llvm, int, 0xe9, 0x02, 0x30
	// fbreg in a function without a frame base: private memory from 0
	variable frame, int, 0x91, 0x18, 0x31, 0x16, 0x18
	// types that lead to themselves, and a huge one
	variable round, typedef_a, 0x30
	variable within, array_of_itself, 0x30
	variable list, pointer_to_itself, 0x30, 0x9f
	variable huge, huge_array, 0x30
	// a struct with a member whose type is nowhere, twice
	variable broken, broken_struct, 0x30, 0x9f
	variable again, broken_struct, 0x30, 0x9f
	.uleb128 9
	.asciz	"number"
	.long	.Lint - .Lunit
	.long	42
	.uleb128 10
	.asciz	"block"
	.long	.Lint - .Lunit
	.byte	4, 1, 2, 3, 4
.macro constant code, name, type
	.uleb128 \code
	.asciz	"\name"
	.long	.L\type - .Lunit
.endm
	constant 15, minus, int
	.byte	0xff
	constant 15, plus, uint
	.byte	0xff
	constant 16, large, long
	.quad	0x123456789abcdef
	constant 17, below, int
	.sleb128 -300
	constant 18, word, int
	.asciz	"abc"
	// implicit_value of 8 bytes: 0x11223344 and 0x55667788
	variable placed, places, 0x9e, 8, 0x44, 0x33, 0x22, 0x11, 0x88, 0x77, 0x66, 0x55
	.byte	0			// of "f"
	// A block in no function, of the other two instructions
	.uleb128 12
	.quad	f + 8
	.long	.Lend - f - 8
	.byte	0
.Lint:
	.uleb128 4
	.asciz	"int"
	.byte	5, 4
.Luint:
	.uleb128 4
	.asciz	"uint"
	.byte	7, 4
// Members whose places are expressions, as in DWARF 2
.Lplaces:
	.uleb128 13
	.byte	8
	.uleb128 19
	.asciz	"added"
	.long	.Luint - .Lunit
	.byte	2, 0x23, 4		// plus_uconst 4
	.uleb128 19
	.asciz	"sum"
	.long	.Luint - .Lunit
	.byte	3, 0x08, 2, 0x22	// const1u 2, plus
	.uleb128 19
	.asciz	"self"
	.long	.Luint - .Lunit
	.byte	0
	.uleb128 20
	.asciz	"bits"
	.long	.Luint - .Lunit
	.byte	2, 0x23, 4, 4, 8, 4	// bits 20 to 27 of 0x55667788
	.uleb128 20
	.asciz	"outside"
	.long	.Luint - .Lunit
	.byte	2, 0x23, 4, 4, 8, 40
	.uleb128 19
	.asciz	"virtual"
	.long	.Luint - .Lunit
	.byte	2, 0x12, 0x06		// dup, deref
	.uleb128 19
	.asciz	"short"
	.long	.Luint - .Lunit
	.byte	1, 0x23			// plus_uconst of nothing
	.byte	0
.Llong:
	.uleb128 4
	.asciz	"long"
	.byte	7, 8
.Ltypedef_a:
	.uleb128 5
	.asciz	"a"
	.long	.Ltypedef_b - .Lunit
.Ltypedef_b:
	.uleb128 5
	.asciz	"b"
	.long	.Ltypedef_a - .Lunit
.Larray_of_itself:
	.uleb128 6
	.long	.Larray_of_itself - .Lunit
	.uleb128 7
	.long	3
	.byte	0
.Lpointer_to_itself:
	.uleb128 8
	.long	.Lpointer_to_itself - .Lunit
.Lhuge_array:
	.uleb128 6
	.long	.Llong - .Lunit
	.uleb128 7
	.long	0x7fffffff
	.byte	0
.Lbroken_struct:
	.uleb128 13
	.byte	4
	.uleb128 14
	.asciz	"good"
	.long	.Lint - .Lunit
	.uleb128 14
	.asciz	"bad"
	.long	0xfffff
	.byte	0
.ifdef SIBLING
.Lsibling:
	.uleb128 11
	.long	.Lsibling - .Lunit
.endif
	.byte	0
.Lunit_end:

// A table of lines, version 4, without any
	.section .debug_line,"",@progbits
	.long	.Lline_end - .Lline
.Lline:
	.short	4
	.long	.Lline_end - .Lheader
.Lheader:
	.byte	4, 1, 1, -5, 14, 13
	.byte	0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1
.ifdef NAMES
	.fill	65536, 1, 0x61
	.byte	0
.endif
	.byte	0			// no more folders
.ifdef NAMES
	.rept	8192
	.asciz	"b"
	.byte	1, 0, 0
	.endr
.endif
	.byte	0
.Lline_end:

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * gfx10.3: lengths of instructions. Encodings and positions of operands are those of the RDNA 2
 * ISA document, chapter "Microcode formats"; a test compares the lengths with LLVM.
 */
#include <stdbool.h>

#include "internal.h"
#include "length.h"

/* Operands for which the instruction is followed by a dword */
#define LITERAL		255
#define DPP8		233
#define DPP8_FI		234
#define SDWA		249
#define DPP16		250

#define S_GETPC_B64	0x1f

#define SRC8(w, shift)	((w) >> (shift) & 0xff)
#define SRC9(w, shift)	((w) >> (shift) & 0x1ff)

/* VOP2 with a literal of their own: opcode [30:25] */
static bool has_constant(uint32_t op)
{
	return op == 0x2c || op == 0x2d ||	/* V_FMAMK_F32, V_FMAAK_F32 */
	       op == 0x37 || op == 0x38 ||	/* V_FMAMK_F16, V_FMAAK_F16 */
	       op == 0x20 || op == 0x21;	/* V_MADMK_F32, V_MADAK_F32 */
}

/* VOP1 without a source: V_NOP, V_PIPEFLUSH, V_CLREXCP; opcode [16:9] */
static bool has_no_source(uint32_t w)
{
	uint32_t op = w >> 9 & 0xff;

	return w >> 25 == 0x3f && (op == 0 || op == 27 || op == 65);
}

/* VOP1, VOP2, VOPC: 0 in [31] */
static size_t vop(uint32_t w)
{
	uint32_t src0 = SRC9(w, 0);

	if (has_no_source(w))
		return 1;
	if (has_constant(w >> 25 & 0x3f) || src0 == LITERAL || src0 == DPP8 ||
	    src0 == DPP8_FI || src0 == SDWA || src0 == DPP16)
		return 2;
	return 1;
}

/* SOP2, SOPK, SOP1, SOPC, SOPP: 2 in [31:30] */
static size_t sop(uint32_t w)
{
	switch (w >> 23) {
	case 0x17d:	/* SOP1; S_GETPC_B64, opcode [15:8], has no source */
		return SRC8(w, 0) == LITERAL && (w >> 8 & 0xff) != S_GETPC_B64 ? 2 : 1;
	case 0x17f:	/* SOPP */
		return 1;
	}
	if (w >> 28 == 0xb && w >> 23 != 0x17e)	/* SOPK; 21 is S_SETREG_IMM32_B32 */
		return (w >> 23 & 0x1f) == 21 ? 2 : 1;
	/* SOP2 and SOPC have both operands in the same bits. */
	return SRC8(w, 0) == LITERAL || SRC8(w, 8) == LITERAL ? 2 : 1;
}

static size_t vop3(uint32_t second)
{
	return SRC9(second, 0) == LITERAL || SRC9(second, 9) == LITERAL ||
	       SRC9(second, 18) == LITERAL ? 3 : 2;
}

/* SOFFSET [31:24] is an SGPR or a constant, although LLVM would also accept a literal. */
static size_t buffer(uint32_t second)
{
	return second >> 24 == LITERAL ? 0 : 2;
}

size_t adbgd_length(uint32_t gc_version, const uint32_t *insn)
{
	if (ADBG_GC_MAJOR(gc_version) != 10 || ADBG_GC_MINOR(gc_version) != 3)
		return 0;
	if (!(insn[0] >> 31))
		return vop(insn[0]);
	if (insn[0] >> 30 == 2)
		return sop(insn[0]);
	switch (insn[0] >> 26) {
	case 0x32:	/* VINTRP */
		return 1;
	case 0x33:	/* VOP3P */
	case 0x35:	/* VOP3 */
		return vop3(insn[1]);
	case 0x38:	/* MUBUF */
	case 0x3a:	/* MTBUF */
		return buffer(insn[1]);
	case 0x36:	/* DS */
	case 0x37:	/* FLAT */
	case 0x3d:	/* SMEM */
	case 0x3e:	/* EXP */
		return 2;
	case 0x3c:	/* MIMG: NSA [2:1] is the number of dwords with addresses that follow */
		return 2 + (insn[0] >> 1 & 3);
	default:
		return 0;
	}
}

ADBGD_API size_t adbgd_insn_length(uint32_t gc_version, const void *bytes, size_t size)
{
	uint32_t insn[ADBGD_MAX_DWORDS] = { 0 };
	const uint8_t *from = bytes;
	size_t length, i;

	for (i = 0; i < size && i < sizeof(insn); i++)
		insn[i / 4] |= (uint32_t)from[i] << 8 * (i % 4);
	length = size < 4 ? 0 : 4 * adbgd_length(gc_version, insn);
	return length <= size ? length : 0;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * gfx10.3: instructions whose effect depends on their address. Opcodes are those of the RDNA 2
 * ISA document, chapter "Microcode formats".
 */
#include <errno.h>

#include "displace_ops.h"
#include "encode_gfx10_3.h"

/* SOPP: 0x17f in [31:23], opcode [22:16], SIMM16 */
#define IS_SOPP(w)	((w) >> 23 == 0x17f)
#define SOPP_OP(w)	((w) >> 16 & 0x7f)
#define S_ENDPGM	1
#define S_ENDPGM_SAVED	27
#define S_ENDPGM_DONE	30	/* S_ENDPGM_ORDERED_PS_DONE */
#define S_BRANCH	2
#define S_CBRANCH_SCC0	4	/* up to S_CBRANCH_EXECNZ */
#define S_CBRANCH_EXECNZ 9
#define S_BARRIER	10
#define S_SETHALT	13
#define S_TRAP		18
#define S_CBRANCH_CDBGSYS 23	/* up to S_CBRANCH_CDBG_LAST */
#define S_CBRANCH_CDBG_LAST 26
#define S_CODE_END	31
#define S_CLAUSE	33
#define S_NOP_0		0xbf800000	/* s_nop 0 */

/* SOPK: 0xb in [31:28], opcode [27:23], SDST [22:16], SIMM16 */
#define IS_SOPK(w)	((w) >> 28 == 0xb)
#define SOPK_OP(w)	((w) >> 23 & 0x1f)
#define S_SETREG_B32	19
#define S_SETREG_IMM32	21
#define HWREG_ID(w)	((w) & 0x3f)	/* of SIMM16 */
#define HWREG_MODE	1
#define S_CALL_B64	22
#define S_SUBVECTOR_LOOP_BEGIN 27
#define S_SUBVECTOR_LOOP_END 28

/* SOP1: 0x17d in [31:23], SDST [22:16], opcode [15:8], SSRC0 [7:0] */
#define IS_SOP1(w)	((w) >> 23 == 0x17d)
#define SOP1_OP(w)	((w) >> 8 & 0xff)
#define S_GETPC_B64	0x1f
#define S_SETPC_B64	0x20
#define S_SWAPPC_B64	0x21
#define S_RFE_B64	0x22

#define SDST(w)		((w) >> 16 & 0x7f)
#define SSRC0(w)	((w) & 0xff)
#define SIMM16(w)	((int16_t)(w))

static int sopp_next_pc(uint32_t w, struct adbgd_next_pc *next_pc)
{
	uint32_t op = SOPP_OP(w);

	next_pc->offset = SIMM16(w);
	next_pc->ends = op == S_ENDPGM || op == S_ENDPGM_SAVED || op == S_ENDPGM_DONE;
	if (op == S_BRANCH)
		next_pc->kind = ADBGD_NEXT_PC_JUMP;
	else if ((op >= S_CBRANCH_SCC0 && op <= S_CBRANCH_EXECNZ) ||
		 (op >= S_CBRANCH_CDBGSYS && op <= S_CBRANCH_CDBG_LAST))
		next_pc->kind = ADBGD_NEXT_PC_BRANCH;
	/*
	 * s_clause is about the instructions that follow it in memory, which are executed in the
	 * same way without it: it only asks that no other wave gets in between.
	 */
	else if (op == S_CLAUSE)
		next_pc->kind = ADBGD_NEXT_PC_HINT;
	/* s_trap: the handler sees its PC. s_code_end is not an instruction. */
	else if (op == S_TRAP || op == S_CODE_END)
		return -EOPNOTSUPP;
	return 0;
}

static int sopk_next_pc(uint32_t w, struct adbgd_next_pc *next_pc)
{
	uint32_t op = SOPK_OP(w);

	next_pc->offset = SIMM16(w);
	if (op == S_CALL_B64) {
		next_pc->kind = ADBGD_NEXT_PC_JUMP;
		next_pc->has_return = true;
		next_pc->return_reg = SDST(w);
	} else if (op == S_SUBVECTOR_LOOP_BEGIN || op == S_SUBVECTOR_LOOP_END) {
		next_pc->kind = ADBGD_NEXT_PC_BRANCH;
	}
	return 0;
}

static int sop1_next_pc(uint32_t w, struct adbgd_next_pc *next_pc)
{
	next_pc->reg = SSRC0(w);
	next_pc->return_reg = SDST(w);
	switch (SOP1_OP(w)) {
	case S_GETPC_B64:
		next_pc->kind = ADBGD_NEXT_PC_GETPC;
		next_pc->has_return = true;
		return 0;
	case S_SETPC_B64:
		next_pc->kind = ADBGD_NEXT_PC_REG;
		return 0;
	case S_SWAPPC_B64:
		next_pc->kind = ADBGD_NEXT_PC_REG;
		next_pc->has_return = true;
		/*
		 * If both registers are the same, the copy would need another pair: it sets SDST
		 * to the return address before it jumps to SSRC0.
		 */
		return SSRC0(w) == SDST(w) ? -EOPNOTSUPP : 0;
	case S_RFE_B64:
		return -EOPNOTSUPP;
	default:
		return 0;
	}
}

static int classify(const uint32_t *insn, size_t num, struct adbgd_next_pc *next_pc)
{
	int ret = 0;

	if (IS_SOPP(insn[0]))
		ret = sopp_next_pc(insn[0], next_pc);
	else if (IS_SOP1(insn[0]))
		ret = sop1_next_pc(insn[0], next_pc);
	else if (IS_SOPK(insn[0]))
		ret = sopk_next_pc(insn[0], next_pc);
	if (!ret && next_pc->kind != ADBGD_NEXT_PC_FOLLOWING && num != 1)
		return -EINVAL;
	return ret;
}

/* trap/gfx10_3.inc gives the reason. */
static bool is_for_host(uint32_t insn)
{
	if (IS_SOPP(insn))
		return SOPP_OP(insn) == S_BARRIER || SOPP_OP(insn) == S_SETHALT;
	return IS_SOPK(insn) && HWREG_ID(insn) == HWREG_MODE &&
	       (SOPK_OP(insn) == S_SETREG_B32 || SOPK_OP(insn) == S_SETREG_IMM32);
}

static bool is_gap(uint32_t word)
{
	return !word || (IS_SOPP(word) &&
			 (SOPP_OP(word) == S_ENDPGM || SOPP_OP(word) == S_CODE_END));
}

static bool is_padding(uint32_t word)
{
	return word == S_NOP_0;
}

/* The encoding is in [31:26]. */
static enum adbgd_access access_of(uint32_t insn)
{
	switch (insn >> 26) {
	case 0x37:	/* FLAT */
	case 0x38:	/* MUBUF */
	case 0x3a:	/* MTBUF */
	case 0x3c:	/* MIMG */
		return ADBGD_ACCESS_VECTOR;
	case 0x36:	/* DS */
	case 0x3d:	/* SMEM */
		return ADBGD_ACCESS_SCALAR;
	default:
		return ADBGD_NO_ACCESS;
	}
}

static uint32_t branch_by(uint32_t insn, uint32_t dwords)
{
	return (insn & 0xffff0000) | dwords;
}

static uint32_t set_pc(uint32_t reg)
{
	return 0xbe800000 | S_SETPC_B64 << 8 | reg;
}

static uint32_t s_trap(uint32_t id)
{
	return sopp(S_TRAP, id);
}

const struct adbgd_displace_ops adbgd_displace_gfx10_3 = {
	.classify = classify,
	.is_for_host = is_for_host,
	.is_gap = is_gap,
	.is_padding = is_padding,
	.access = access_of,
	.branch_by = branch_by,
	.set_pc = set_pc,
	.s_trap = s_trap,
	.s_nop = S_NOP_0,
	.move = move,
};

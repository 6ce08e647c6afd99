// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * gfx10.3: registers that an instruction writes. Encodings and opcodes are those of the RDNA 2 ISA
 * document (AMD, 2020), chapter "Microcode formats". A test compares them with LLVM's operands.
 */
#include "writes.h"

#include <string.h>

#include "internal.h"

#define SDST(w)		((w) >> 16 & 0x7f)
#define VDST(w)		((w) >> 17 & 0xff)
#define SRC0(w)		((w) & 0x1ff)
#define SDWA		249

#define S_TTMP		108	/* up to M0 */
#define S_NULL		125	/* what is written to it is lost */

/* Results of memory instructions are [15:8] or [31:24] of the second dword. */
#define VDATA(w)	((w) >> 8 & 0xff)
#define VDST_HIGH(w)	((w) >> 24)

static bool is_in(const uint16_t *list, size_t num, uint32_t op)
{
	size_t i;

	for (i = 0; i < num && list[i] != op; i++)
		;
	return i < num;
}

#define IS_IN(list, op) is_in(list, ARRAY_SIZE(list), op)

static void scalar(struct adbgd_writes *writes, uint32_t first, uint32_t count)
{
	struct adbgd_range *r = &writes->scalar[writes->scalar[0].count ? 1 : 0];

	if (first == S_NULL || (first >= S_TTMP && first < ADBGD_S_M0))
		return;
	*r = (struct adbgd_range){
		.first = first,
		.count = first + count > ADBGD_NUM_S ? ADBGD_NUM_S - first : count,
	};
}

static void vector(struct adbgd_writes *writes, uint32_t first, uint32_t count)
{
	struct adbgd_range *r = &writes->vector[writes->vector[0].count ? 1 : 0];

	*r = (struct adbgd_range){
		.first = first,
		.count = first + count > ADBGD_NUM_V ? ADBGD_NUM_V - first : count,
	};
}

/* A mask of the lanes, such as the result of a comparison */
static void mask(struct adbgd_writes *writes, uint32_t first, uint32_t lanes)
{
	scalar(writes, first, lanes / 32);
	writes->is_mask = true;
}

/* ---------------------------------------------------------------------- scalar */

#define IS_SAVEEXEC_B64(op) (((op) >= 0x24 && (op) <= 0x2b) || ((op) >= 0x37 && (op) <= 0x3a))
#define IS_SAVEEXEC_B32(op) ((op) >= 0x3c && (op) <= 0x47)

static void sop1(uint32_t w, struct adbgd_writes *writes)
{
	/* S_{MOV,CMOV,NOT,WQM,BREV}_B64, S_BITSET{0,1}_B64, S_GETPC_B64, S_SWAPPC_B64,
	 * S_QUADMASK_B64, S_MOVRELS_B64, S_BITREPLICATE_B64_B32
	 */
	static const uint16_t wide[] = {
		4, 6, 8, 10, 12, 28, 30, 0x1f, 0x21, 45, 47, 59,
	};
	uint32_t op = w >> 8 & 0xff;

	writes->scc = op != 3 && op != 4;
	/* S_SETPC_B64, S_RFE_B64; S_MOVRELD_*, whose result depends on M0 */
	if (op == 0x20 || op == 0x22)
		return;
	if (op == 48 || op == 49 || op == 73) {
		scalar(writes, 0, ADBGD_NUM_S);
		return;
	}
	scalar(writes, SDST(w), IS_IN(wide, op) || IS_SAVEEXEC_B64(op) ? 2 : 1);
	if (IS_SAVEEXEC_B64(op))
		scalar(writes, ADBGD_S_EXEC, 2);
	else if (IS_SAVEEXEC_B32(op))
		scalar(writes, ADBGD_S_EXEC, 1);
}

static void sopk(uint32_t w, uint32_t lanes, struct adbgd_writes *writes)
{
	uint32_t op = w >> 23 & 0x1f;

	writes->scc = op >= 3 && op <= 16;
	switch (op) {
	case 0:		/* S_MOVK_I32 */
	case 2:		/* S_CMOVK_I32 */
	case 15:	/* S_ADDK_I32 */
	case 16:	/* S_MULK_I32 */
	case 18:	/* S_GETREG_B32 */
		scalar(writes, SDST(w), 1);
		break;
	case 22:	/* S_CALL_B64 */
		scalar(writes, SDST(w), 2);
		break;
	case 27:	/* S_SUBVECTOR_LOOP_BEGIN */
	case 28:	/* S_SUBVECTOR_LOOP_END */
		scalar(writes, SDST(w), 1);
		scalar(writes, ADBGD_S_EXEC, lanes / 32);
		break;
	}
}

static void sop(uint32_t w, uint32_t lanes, struct adbgd_writes *writes)
{
	/* S_CSELECT_B64; S_{AND,OR,XOR,ANDN2,ORN2,NAND,NOR,XNOR}_B64; S_{LSHL,LSHR}_B64,
	 * S_ASHR_I64; S_BFM_B64, S_BFE_{U,I}64
	 */
	static const uint16_t wide[] = {
		11, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 41, 42,
	};

	if (w >> 23 == 0x17d) {
		sop1(w, writes);
	} else if (w >> 23 == 0x17e) {
		writes->scc = true;	/* SOPC */
	} else if (w >> 28 == 0xb) {
		if (w >> 23 != 0x17f)
			sopk(w, lanes, writes);
	} else {
		writes->scc = true;
		scalar(writes, SDST(w), IS_IN(wide, w >> 23 & 0x7f) ? 2 : 1);
	}
}

static void smem(uint32_t w, struct adbgd_writes *writes)
{
	uint32_t op = w >> 18 & 0xff, to = w >> 6 & 0x7f;

	if (op <= 4 || (op >= 8 && op <= 12))
		scalar(writes, to, 1 << (op & 7));	/* S_LOAD_*, S_BUFFER_LOAD_* */
	else if (op == 0x24 || op == 0x25)
		scalar(writes, to, 2);			/* S_MEMTIME, S_MEMREALTIME */
	else if (op != 0x1f && op != 0x20 && op != 0x26 && op != 0x27)
		scalar(writes, to, 1);
}

/* ---------------------------------------------------------------------- vector */

static void vopc(uint32_t op, uint32_t to, uint32_t lanes, struct adbgd_writes *writes)
{
	mask(writes, op & 0x10 ? ADBGD_S_EXEC : to, lanes);	/* V_CMPX_* */
}

static void vop1(uint32_t op, uint32_t to, uint32_t src0, struct adbgd_writes *writes)
{
	/* V_CVT_F64_{I32,F32,U32}; V_{TRUNC,CEIL,RNDNE,FLOOR}_F64; V_{RCP,RSQ,SQRT}_F64;
	 * V_FREXP_MANT_F64, V_FRACT_F64
	 */
	static const uint16_t wide[] = {
		4, 16, 22, 23, 24, 25, 26, 47, 49, 52, 61, 62,
	};

	switch (op) {
	case 0:		/* V_NOP */
	case 27:	/* V_PIPEFLUSH */
	case 65:	/* V_CLREXCP */
		return;
	case 2:		/* V_READFIRSTLANE_B32 */
		scalar(writes, to, 1);
		return;
	case 0x42:	/* V_MOVRELD_B32 */
	case 0x44:	/* V_MOVRELSD_B32 */
	case 0x48:	/* V_MOVRELSD_2_B32 */
	case 0x68:	/* V_SWAPREL_B32 */
		vector(writes, 0, ADBGD_NUM_V);
		return;
	}
	vector(writes, to, IS_IN(wide, op) ? 2 : 1);
	if (op == 0x65)	/* V_SWAP_B32 */
		vector(writes, src0 & 0xff, 1);
}

static void vop2(uint32_t op, uint32_t to, uint32_t carry, uint32_t lanes,
		 struct adbgd_writes *writes)
{
	vector(writes, to, 1);
	/* V_{ADD,SUB,SUBREV}_CO_CI_U32 */
	if (op >= 0x28 && op <= 0x2a)
		mask(writes, carry, lanes);
}

static void vop(const uint32_t *insn, uint32_t lanes, struct adbgd_writes *writes)
{
	uint32_t w = insn[0], to = ADBGD_S_VCC;

	if (w >> 25 == 0x3e) {
		/* SD: SDST is in [14:8]. */
		if (SRC0(w) == SDWA && insn[1] & 1 << 15)
			to = insn[1] >> 8 & 0x7f;
		vopc(w >> 17 & 0xff, to, lanes, writes);
	} else if (w >> 25 == 0x3f) {
		vop1(w >> 9 & 0xff, VDST(w), SRC0(w), writes);
	} else {
		vop2(w >> 25, VDST(w), ADBGD_S_VCC, lanes, writes);
	}
}

/* Numbers of VGPRs in the result of an instruction that is only encoded as VOP3 */
static uint32_t vop3_count(uint32_t op)
{
	/* V_FMA_F64, V_DIV_FIXUP_F64, V_{ADD,MUL,MIN,MAX}_F64, V_LDEXP_F64, V_DIV_SCALE_F64,
	 * V_DIV_FMAS_F64, V_{QSAD,MQSAD}_PK_U16_U8, V_TRIG_PREOP_F64, V_MAD_{U64_U32,I64_I32},
	 * V_{LSHL,LSHR}REV_B64, V_ASHRREV_I64
	 */
	static const uint16_t wide[] = {
		0x14c, 0x160, 0x164, 0x165, 0x166, 0x167, 0x168, 0x16e, 0x170, 0x172, 0x173, 0x174,
		0x176, 0x177, 0x2ff, 0x300, 0x301,
	};

	/* V_MQSAD_U32_U8 */
	return op == 0x175 ? 4 : IS_IN(wide, op) ? 2 : 1;
}

static void vop3(const uint32_t *insn, uint32_t lanes, struct adbgd_writes *writes)
{
	/* V_DIV_SCALE_*, V_MAD_*64_*32, V_{ADD,SUB,SUBREV}_CO_U32 */
	static const uint16_t with_carry[] = {
		0x16d, 0x16e, 0x176, 0x177, 0x30f, 0x310, 0x319,
	};
	uint32_t w = insn[0], op = w >> 16 & 0x3ff, to = w & 0xff, carry = w >> 8 & 0x7f;

	if (op < 0x100) {
		vopc(op, to, lanes, writes);
	} else if (op < 0x140) {
		vop2(op - 0x100, to, carry, lanes, writes);
	} else if (op >= 0x180 && op < 0x200) {
		vop1(op - 0x180, to, SRC0(insn[1]), writes);
	} else if (op == 0x360) {
		scalar(writes, to, 1);	/* V_READLANE_B32 */
	} else {
		vector(writes, to, vop3_count(op));
		if (IS_IN(with_carry, op))
			mask(writes, carry, lanes);
	}
}

/* ---------------------------------------------------------------------- memory */

/*
 * VGPRs in the result of MUBUF, MTBUF and FLAT, whose opcodes agree; 0: none. @returns: an atomic
 * operation returns the value before.
 */
static uint32_t loads(uint32_t op, bool returns)
{
	if (op <= 3)
		return op + 1;		/* *_LOAD_FORMAT_X, _XY, ... */
	if (op >= 8 && op <= 15)	/* LOAD_UBYTE ... LOAD_DWORDX4, _DWORDX3 */
		return op < 13 ? 1 : op == 13 ? 2 : op == 14 ? 4 : 3;
	if (op >= 0x20 && op <= 0x26)
		return 1;		/* LOAD_*_D16*, BUFFER_LOAD_FORMAT_D16_HI_X */
	if (op >= 0x80 && op <= 0x83)
		return 1 + (op & 3) / 2; /* BUFFER_LOAD_FORMAT_D16_X, _XY, _XYZ, _XYZW */
	/* Atomic operations, from 0x50 on with 64 bits */
	if (op >= 0x30 && op < 0x70 && returns)
		return op >= 0x50 ? 2 : 1;
	return 0;
}

static void buffer(const uint32_t *insn, struct adbgd_writes *writes)
{
	bool is_typed = insn[0] >> 26 == 0x3a, to_lds = !is_typed && insn[0] & 1 << 16;
	uint32_t op = is_typed ? (insn[0] >> 16 & 7) | (insn[1] >> 18 & 8) :
		      (insn[0] >> 18 & 0x7f) | (insn[0] >> 18 & 0x80);
	uint32_t count;

	/* TBUFFER_LOAD_FORMAT_D16_* */
	if (is_typed)
		count = op < 4 ? op + 1 : op >= 8 && op < 12 ? (op - 8) / 2 + 1 : 0;
	else
		count = loads(op, insn[0] & 1 << 14);
	/* *_{CMPSWAP,FCMPSWAP}: the second half of the operand is an input. */
	if (!is_typed && (op == 0x31 || op == 0x3e || op == 0x51 || op == 0x5e))
		count *= 2;
	/* TFE adds a dword. */
	if (count && insn[1] & 1 << 23)
		count++;
	if (count && !to_lds)
		vector(writes, VDATA(insn[1]), count);
}

static void flat(const uint32_t *insn, struct adbgd_writes *writes)
{
	uint32_t op = insn[0] >> 18 & 0x7f, count;

	/* GLOBAL_LOAD_DWORD_ADDTID */
	count = op == 0x16 ? 1 : op < 8 ? 0 : loads(op, insn[0] & 1 << 16);
	if (count)
		vector(writes, VDST_HIGH(insn[1]), count);
}

/* DS instructions with a result: the numbers of VGPRs, at most */
static void ds(const uint32_t *insn, struct adbgd_writes *writes)
{
	uint32_t op = insn[0] >> 18 & 0xff, count = 0;

	if (op == 55 || op == 56 || op == 0x2e || op == 0x2f || (op >= 0x60 && op < 0x77))
		count = 2;	/* DS_READ2*_B32, DS_WRXCHG2*_RTN_B32, 64 bits */
	if (op == 0x77 || op == 0x78 || op == 0x6e || op == 0x6f)
		count = 4;	/* DS_READ2*_B64, DS_WRXCHG2*_RTN_B64 */
	if (op == 0x76 || op == 0x7e)
		count = 2;	/* DS_READ_B64, DS_CONDXCHG32_RTN_B64 */
	if ((op >= 0x20 && op < 0x40 && !count) || op == 0x55 || (op >= 0xb1 && op <= 0xb3) ||
	    (op >= 0xa2 && op <= 0xa7))
		count = 1;
	if (op == 0xfe || op == 0xff)
		count = 3 + (op & 1);	/* DS_READ_B96, DS_READ_B128 */
	if (op >= 0x18 && op <= 0x1e)
		count = 0;	/* DS_GWS_* */
	if (count)
		vector(writes, VDST_HIGH(insn[1]), count);
}

void adbgd_writes_gfx10_3(const uint32_t *insn, uint32_t lanes, struct adbgd_writes *writes)
{
	memset(writes, 0, sizeof(*writes));
	if (!(insn[0] >> 31)) {
		vop(insn, lanes, writes);
		return;
	}
	if (insn[0] >> 30 == 2) {
		sop(insn[0], lanes, writes);
		return;
	}
	switch (insn[0] >> 26) {
	case 0x32:	/* VINTRP */
		vector(writes, insn[0] >> 18 & 0xff, 1);
		break;
	case 0x33:	/* VOP3P */
		vector(writes, insn[0] & 0xff, 1);
		break;
	case 0x35:
		vop3(insn, lanes, writes);
		break;
	case 0x36:
		ds(insn, writes);
		break;
	case 0x37:
		flat(insn, writes);
		break;
	case 0x38:	/* MUBUF */
	case 0x3a:	/* MTBUF */
		buffer(insn, writes);
		break;
	case 0x3c:	/* MIMG: up to four dwords, and one for TFE */
		vector(writes, insn[1] >> 8 & 0xff, 5);
		break;
	case 0x3d:
		smem(insn[0], writes);
		break;
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is particular to one generation: the table (format, opcode) ->
 * operation, which is generated, and the function that takes the fields of an
 * encoding apart.
 */
#ifndef VGPU_ISA_TABLE_H
#define VGPU_ISA_TABLE_H

#include "ops.h"

enum vgpu_format {
	VGPU_FMT_NONE,
	VGPU_FMT_SOP2,
	VGPU_FMT_SOPK,
	VGPU_FMT_SOP1,
	VGPU_FMT_SOPC,
	VGPU_FMT_SOPP,
	VGPU_FMT_SMEM,
	VGPU_FMT_VOP2,
	VGPU_FMT_VOP1,
	VGPU_FMT_VOPC,
	VGPU_FMT_VOP3,
	VGPU_FMT_VOP3P,
	VGPU_FMT_VINTRP,
	VGPU_FMT_DS,
	VGPU_FMT_FLAT,
	VGPU_FMT_SCRATCH,
	VGPU_FMT_GLOBAL,
	VGPU_FMT_MUBUF,
	VGPU_FMT_MTBUF,
	VGPU_FMT_MIMG,
	VGPU_FMT_EXP,
	VGPU_NUM_FORMATS,
};

/*
 * Operand numbers, the same for all generations: 0..127 are the numbers of
 * vgpu_wave.s[], 128..255 constants as gfx10 numbers them, 256.. VGPRs.
 */
#define VGPU_SRC_ZERO		128
#define VGPU_SRC_SHARED_BASE	235
#define VGPU_SRC_SHARED_LIMIT	236
#define VGPU_SRC_PRIVATE_BASE	237
#define VGPU_SRC_PRIVATE_LIMIT	238
#define VGPU_SRC_POPS		239
#define VGPU_SRC_HALF		240
#define VGPU_SRC_INV_2PI	248
#define VGPU_SRC_VCCZ		251
#define VGPU_SRC_EXECZ		252
#define VGPU_SRC_SCC		253
#define VGPU_SRC_LDS_DIRECT	254
#define VGPU_SRC_LITERAL	255
#define VGPU_SRC_VGPR0		256

/* Instructions are at most an opcode of two dwords, three of NSA, a literal. */
#define VGPU_MAX_WORDS		6

enum vgpu_sub {
	VGPU_SUB_NONE,
	VGPU_SUB_SDWA,
	VGPU_SUB_DPP16,
	VGPU_SUB_DPP8,
};

/* The fields of one instruction. Those that its format lacks are 0. */
struct vgpu_fields {
	u8 format;
	u8 words;		/* length in dwords */
	u8 num_src;		/* of src[] */
	u8 sub;			/* enum vgpu_sub: of vector operands */
	u16 opcode;
	u16 dst;		/* SGPR number, or VGPR number + 256 */
	u16 sdst;		/* VOP3B, VOPC: SGPR of the lane mask */
	u16 src[3];
	u32 literal;
	bool has_literal;
	u16 simm16;
	/* VOP3 */
	u8 abs, neg, opsel, omod;
	u8 neg_hi, opsel_hi;
	bool clamp;
	/* SDWA: what is taken of each source and what is written */
	u8 dst_sel, dst_unused;
	u8 src_sel[2];
	bool src_sext[2];
	/* DPP */
	u16 dpp_ctrl;
	u8 row_mask, bank_mask;
	bool bound_ctrl, fetch_inactive;
	u32 dpp8_sel;
	/* Memory */
	s32 offset;
	u16 vaddr, vdata;	/* VGPR numbers */
	u16 saddr;		/* SGPR of the base or resource; NULL: none */
	u16 soffset;		/* operand number */
	bool glc, slc, dlc, lds, tfe, idxen, offen, gds;
	u8 offset0, offset1;	/* DS */
	u16 vdata1;
};

struct vgpu_isa_row {
	const char *mnemonic;
	u16 op;			/* enum vgpu_op; NONE: not implemented */
};

struct vgpu_isa_table {
	const struct vgpu_isa_row *rows;
	u16 num;
};

struct vgpu_isa {
	const char *name;
	const struct vgpu_isa_table *tables;	/* [VGPU_NUM_FORMATS] */
	/*
	 * Take @words apart; there are VGPU_MAX_WORDS of them. False when they
	 * have no known format.
	 */
	bool (*decode)(const u32 *words, struct vgpu_fields *f);
};

extern const struct vgpu_isa_table vgpu_table_gfx10_3[VGPU_NUM_FORMATS];
bool vgpu_decode_gfx10(const u32 *words, struct vgpu_fields *f);

/* The row of decoded fields, NULL when the table has none. */
const struct vgpu_isa_row *vgpu_isa_row(const struct vgpu_isa *isa,
					const struct vgpu_fields *f);

/* text.c: one instruction in LLVM's syntax. Returns the length in dwords. */
unsigned int vgpu_isa_text(const struct vgpu_isa *isa, const u32 *words,
			   unsigned int lanes, char *buf, size_t size);

#endif /* VGPU_ISA_TABLE_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What belongs to one instruction set: the generated table from (format, opcode) to
 * operations, the function that decodes the fields of an instruction, and further data.
 */
#ifndef VGPU_ISA_TABLE_H
#define VGPU_ISA_TABLE_H

#include "isa/descriptors.h"
#include "isa/wave.h"
#include "isa/ops/ops.h"

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
 * Operand numbers, which are the same for all generations: 0..127 are indices of
 * vgpu_wave.s[], 128..255 constants as gfx10 numbers them, from 256 on VGPRs.
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

/* SCRATCH with neither a VGPR nor an SGPR in its address */
#define VGPU_SADDR_NONE		127

/* The longest instruction has an opcode of two dwords, three of NSA, and a literal. */
#define VGPU_MAX_WORDS		6

enum vgpu_sub {
	VGPU_SUB_NONE,
	VGPU_SUB_SDWA,
	VGPU_SUB_DPP16,
	VGPU_SUB_DPP8,
};

/* The fields of one instruction. Fields that its format does not have are 0. */
struct vgpu_fields {
	u8 format;
	u8 words;		/* length in dwords */
	u8 num_src;		/* number of elements of src[] */
	u8 sub;			/* enum vgpu_sub, for vector operands */
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
	/* SDWA: the parts of sources and of the destination */
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
	u8 data_format;		/* MTBUF */
	/* MIMG */
	u8 dmask, dim;
	bool unnormalized, a16, d16, r128, lwe;
	u16 samp;		/* SGPR of the sampler */
	u8 addr[13];		/* VGPR of each component of the address */
};

struct vgpu_isa_row {
	const char *mnemonic;
	u16 op;			/* enum vgpu_op; NONE: not implemented */
};

struct vgpu_isa_table {
	const struct vgpu_isa_row *rows;
	u16 num;
};

/* Number of ids of registers in s_getreg_b32: six bits (SOPK, SIMM16[5:0]) */
#define VGPU_NUM_HWREG_IDS	64

/* The lane that a lane reads with DPP. n: DPP_CTRL[3:0]; a row has 16 lanes. */
enum vgpu_dpp {
	VGPU_DPP_NONE,
	VGPU_DPP_QUAD_PERM,	/* in each group of 4: two bits of DPP_CTRL for each lane */
	VGPU_DPP_ROW_SHL,	/* the lane's number + n, in the row */
	VGPU_DPP_ROW_SHR,	/* the lane's number - n, in the row */
	VGPU_DPP_ROW_ROR,	/* the lane's number - n, modulo 16 */
	VGPU_DPP_MIRROR,	/* the reverse order: n 0: of a row; 1: of half a row */
	VGPU_DPP_ROW_SHARE,	/* lane n of the row */
	VGPU_DPP_ROW_XMASK,	/* the lane's number ^ n */
};

/* DPP_CTRL has nine bits, of which the upper five select an enum vgpu_dpp. */
#define VGPU_NUM_DPP	32

struct vgpu_isa {
	const char *name;
	const u8 *hwregs;	/* [VGPU_NUM_HWREG_IDS] enum vgpu_hwreg */
	/*
	 * Compose the value of a register from the wave's members; returns false if the
	 * register is not composed of them. And the reverse: set the members as a write
	 * of the register by a trap handler does (other code may write fewer registers).
	 */
	bool (*pack)(const struct vgpu *g, const struct vgpu_wave *w,
		     enum vgpu_hwreg reg, u32 *val);
	void (*unpack)(const struct vgpu *g, struct vgpu_wave *w,
		       enum vgpu_hwreg reg, u32 val);
	/* Get WAVE_EXCP_* from EXCP_EN of MODE, SPI_GDBG_TRAP_MASK or a shader. */
	u32 (*excp_enabled)(u32 excp_en);
	/* s_sendmsg: the field with the number of a message, and two such numbers */
	u32 msg_id;
	u8 msg_interrupt, msg_get_doorbell;
	u32 doorbell_id;	/* mask of the result of msg_get_doorbell, in 8 bytes */
	/* Fields of TTMP1 when the handler is entered */
	u32 ttmp1_pc_hi, ttmp1_trap_id, ttmp1_host, ttmp1_pc_rewind;
	u8 pc_bits;

	/*
	 * Resources of waves. vgpr_counted: VGPRs in a unit of COMPUTE_PGM_RSRC1;
	 * vgpr_given: VGPRs in a unit of allocation; of a wave32, of a wave64.
	 */
	u16 simd_vgprs;		/* VGPRs of a SIMD, for waves of 32 lanes */
	u8 vgpr_counted[2], vgpr_given[2];
	u8 vgpr_shared;		/* VGPRs of 32 lanes in a unit of SHARED_VGPR_CNT */
	u32 lds_bytes, lds_block;	/* LDS of a WGP, and its unit of allocation */
	u16 group_threads;	/* maximum number of threads in a work-group */
	u8 user_sgprs;
	/* Fields of the SGPR that TG_SIZE_EN adds */
	u32 tg_waves, tg_wave_id, tg_first_wave;
	u32 tg_ordered;		/* for ordered appends; here the wave's number in its group */

	const u8 *dpp;		/* [VGPU_NUM_DPP] enum vgpu_dpp */
	const struct vgpu_formats *formats;
	const struct vgpu_buffer_layout *buffer;
	const struct vgpu_image_layout *image;
	const struct vgpu_sampler_layout *sampler;

	const struct vgpu_isa_table *tables;	/* [VGPU_NUM_FORMATS] */
	/*
	 * Decode the fields of an instruction from VGPU_MAX_WORDS dwords. Returns false
	 * if the format is unknown.
	 */
	bool (*decode)(const u32 *words, struct vgpu_fields *f);
};

extern const struct vgpu_isa_table vgpu_table_gfx10_3[VGPU_NUM_FORMATS];
bool vgpu_decode_gfx10(const u32 *words, struct vgpu_fields *f);
/* descriptors_gfx10.c */
extern const struct vgpu_formats vgpu_formats_gfx10;
extern const struct vgpu_buffer_layout vgpu_buffer_gfx10;
extern const struct vgpu_image_layout vgpu_image_gfx10;
extern const struct vgpu_sampler_layout vgpu_sampler_gfx10;
/* state_gfx10.c */
bool vgpu_pack_gfx10(const struct vgpu *g, const struct vgpu_wave *w,
		     enum vgpu_hwreg reg, u32 *val);
void vgpu_unpack_gfx10(const struct vgpu *g, struct vgpu_wave *w,
		       enum vgpu_hwreg reg, u32 val);
u32 vgpu_excp_enabled_gfx10(u32 excp_en);

/* Get a format by its number; NULL: it does not exist, or vgpu does not know it. */
const struct vgpu_format_info *vgpu_format(const struct vgpu_isa *isa,
					   unsigned int number);

/* Find the table's row for decoded fields; NULL: there is none. */
const struct vgpu_isa_row *vgpu_isa_row(const struct vgpu_isa *isa,
					const struct vgpu_fields *f);

/* text.c: write an instruction in LLVM's syntax. Returns its length in dwords. */
unsigned int vgpu_isa_text(const struct vgpu_isa *isa, const u32 *words,
			   unsigned int lanes, char *buf, size_t size);

#endif /* VGPU_ISA_TABLE_H */

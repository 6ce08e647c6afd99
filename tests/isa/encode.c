// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See encode.h.
 */
#include "encode.h"

#include <string.h>

enum vgpu_op encode_find(unsigned int format, const char *mnemonic,
			 unsigned int *opcode)
{
	const struct vgpu_isa_table *t = &vgpu_isa_gfx10_3.tables[format];

	for (*opcode = 0; *opcode < t->num; ++*opcode) {
		const struct vgpu_isa_row *row = &t->rows[*opcode];

		if (row->mnemonic && !strcmp(row->mnemonic, mnemonic))
			return row->op;
	}
	return VGPU_OP_NONE;
}

unsigned int encode_vop3(enum vgpu_op op, unsigned int *opcode)
{
	static const u8 formats[] = { VGPU_FMT_VOP3P, VGPU_FMT_VOP3 };
	unsigned int n;

	for (n = 0; n < ARRAY_SIZE(formats); n++) {
		const struct vgpu_isa_table *t =
			&vgpu_isa_gfx10_3.tables[formats[n]];

		for (*opcode = 0; *opcode < t->num; ++*opcode) {
			if (t->rows[*opcode].op == op)
				return formats[n];
		}
	}
	return VGPU_FMT_NONE;
}

bool encode_is_vector(enum vgpu_op op, unsigned int k)
{
	switch (vgpu_op_info[op].src[k]) {
	case VGPU_T__:
	case VGPU_T_M:
	case VGPU_T_S32:
	case VGPU_T_KI:
	case VGPU_T_KU:
	case VGPU_T_KF32:
	case VGPU_T_KF16:
	case VGPU_T_DF32:
	case VGPU_T_DF16:
	case VGPU_T_DB32:
		return false;
	}
	return true;
}

bool encode_is_scalar(unsigned int format, enum vgpu_op op, unsigned int k)
{
	switch (vgpu_op_info[op].src[k]) {
	case VGPU_T_M:	/* VCC, where there is no field */
		return format == VGPU_FMT_VOP3;
	case VGPU_T_S32:
		return true;
	}
	return false;
}

/* The fields of the sources, each of @bits bits. */
static u64 fields(unsigned int format, enum vgpu_op op, const struct encoding *e,
		  unsigned int bits)
{
	unsigned int k, n = 0;
	u64 r = 0;

	for (k = 0; k < 3; k++) {
		if (encode_is_vector(op, k) || encode_is_scalar(format, op, k))
			r |= (u64)e->src[k] << bits * n++;
	}
	return r;
}

/* VOP1, VOP2, VOPC: src0, or the number that announces an SDWA or DPP dword */
static unsigned int vop(u32 *w, u32 first, unsigned int src0,
			const struct encoding *e)
{
	static const u16 substitute[] = {
		[VGPU_SUB_SDWA] = 249, [VGPU_SUB_DPP16] = 250,
		[VGPU_SUB_DPP8] = 233,
	};

	w[0] = first | (e->sub ? substitute[e->sub] : src0);
	w[1] = e->sub ? e->extra | (src0 & 255) : e->literal;
	return 2;
}

static unsigned int scalar(u32 *w, unsigned int format, unsigned int opcode,
			   enum vgpu_op op, const struct encoding *e)
{
	u32 src = (u32)fields(format, op, e, 8);

	w[1] = e->literal;
	switch (format) {
	case VGPU_FMT_SOP2:
		w[0] = 2U << 30 | opcode << 23 | e->dst << 16 | src;
		break;
	case VGPU_FMT_SOP1:
		w[0] = 0x17dU << 23 | e->dst << 16 | opcode << 8 | src;
		break;
	case VGPU_FMT_SOPC:
		w[0] = 0x17eU << 23 | opcode << 16 | src;
		break;
	case VGPU_FMT_SOPK:
		w[0] = 0xbU << 28 | opcode << 23 | e->dst << 16 |
		       (e->offset & 0xffff);
		break;
	}
	return 2;
}

static unsigned int vector(u32 *w, unsigned int format, unsigned int opcode,
			   enum vgpu_op op, const struct encoding *e)
{
	bool mask = vgpu_op_info[op].class != VGPU_CLASS_VALU;
	u32 mixed = format == VGPU_FMT_VOP3P ? 3U << 27 : 0;
	u64 src;

	switch (format) {
	case VGPU_FMT_VOP1:
		return vop(w, 0x3fU << 25 | e->dst << 17 | opcode << 9,
			   e->src[0], e);
	case VGPU_FMT_VOP2:
		return vop(w, opcode << 25 | e->dst << 17 |
			   (e->src[encode_is_vector(op, 1) ? 1 : 2] & 255) << 9,
			   e->src[0], e);
	case VGPU_FMT_VOPC:
		return vop(w, 0x3eU << 25 | opcode << 17 |
			   (e->src[1] & 255) << 9, e->src[0], e);
	}
	src = fields(format, op, e, 9);
	if (format == VGPU_FMT_VOP3)
		w[0] = 0x35U << 26 | opcode << 16 |
		       (mask ? e->sdst : e->dst);
	else
		w[0] = 0x198U << 23 | opcode << 16 | e->dst | BIT(14);
	if (!mask && vgpu_op_info[op].sdst)
		w[0] |= e->sdst << 8;
	w[0] |= e->flags;
	w[1] = (u32)src | mixed;
	return 2;
}

static unsigned int flat(u32 *w, unsigned int format, unsigned int opcode,
			 const struct encoding *e)
{
	u32 seg = format == VGPU_FMT_FLAT ? 0 : format == VGPU_FMT_SCRATCH ?
		  1 : 2;

	w[0] = 0x37U << 26 | opcode << 18 | seg << 14 | e->offset | e->flags;
	w[1] = e->dst << 24 | e->saddr << 16 | e->src[1] << 8 | e->src[0];
	return 2;
}

static unsigned int memory(u32 *w, unsigned int format, unsigned int opcode,
			   const struct encoding *e)
{
	switch (format) {
	case VGPU_FMT_SMEM:
		w[0] = 0x3dU << 26 | opcode << 18 | e->dst << 6 |
		       e->src[0] >> 1;
		w[1] = e->src[1] << 25 | e->offset;
		return 2;
	case VGPU_FMT_DS:
		w[0] = 0x36U << 26 | opcode << 18 | e->offset;
		w[1] = e->dst << 24 | e->src[2] << 16 | e->src[1] << 8 |
		       e->src[0];
		return 2;
	case VGPU_FMT_MUBUF:
		w[0] = 0x38U << 26 | opcode << 18 | e->offset | e->flags;
		w[1] = VGPU_SRC_ZERO << 24 | e->saddr >> 2 << 16 |
		       e->dst << 8 | e->src[0];
		return 2;
	case VGPU_FMT_MTBUF:
		w[0] = 0x3aU << 26 | (opcode & 7) << 16 | e->offset | e->flags;
		w[1] = VGPU_SRC_ZERO << 24 | opcode >> 3 << 21 |
		       e->saddr >> 2 << 16 | e->dst << 8 | e->src[0];
		return 2;
	case VGPU_FMT_MIMG:
		w[0] = 0x3cU << 26 | (opcode & 127) << 18 | opcode >> 7 |
		       e->flags;
		w[1] = e->samp >> 2 << 21 | e->saddr >> 2 << 16 | e->dst << 8 |
		       e->src[0];
		return 2;
	}
	return flat(w, format, opcode, e);
}

unsigned int encode(u32 *w, unsigned int format, unsigned int opcode,
		    enum vgpu_op op, const struct encoding *e)
{
	switch (format) {
	case VGPU_FMT_SOP2:
	case VGPU_FMT_SOP1:
	case VGPU_FMT_SOPC:
	case VGPU_FMT_SOPK:
		return scalar(w, format, opcode, op, e);
	case VGPU_FMT_VOP1:
	case VGPU_FMT_VOP2:
	case VGPU_FMT_VOPC:
	case VGPU_FMT_VOP3:
	case VGPU_FMT_VOP3P:
		return vector(w, format, opcode, op, e);
	}
	return memory(w, format, opcode, e);
}

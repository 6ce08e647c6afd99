// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The instruction formats of gfx10, and the bits of their fields: "RDNA 2" Instruction Set
 * Architecture, AMD 2020, chapter 13.
 */
#include "isa/table.h"

#include <string.h>

#define SRC_SDWA	249
#define SRC_DPP16	250
#define SRC_DPP8	233
#define SRC_DPP8_FI	234

static u32 bits(u32 word, unsigned int hi, unsigned int lo)
{
	return word >> lo & (0xffffffffU >> (31 - (hi - lo)));
}

static s32 sext(u32 value, unsigned int width)
{
	return (s32)(value << (32 - width)) >> (32 - width);
}

static void take_literal(const u32 *words, struct vgpu_fields *f)
{
	f->literal = words[f->words++];
	f->has_literal = true;
}

static void literal_if(const u32 *words, struct vgpu_fields *f)
{
	unsigned int i;

	for (i = 0; i < f->num_src; i++) {
		if (f->src[i] == VGPU_SRC_LITERAL && !f->has_literal)
			take_literal(words, f);
	}
}

static void decode_sdwa(u32 w, struct vgpu_fields *f)
{
	f->sub = VGPU_SUB_SDWA;
	f->src[0] = bits(w, 7, 0) + (w & BIT(23) ? 0 : VGPU_SRC_VGPR0);
	f->src_sel[0] = bits(w, 18, 16);
	f->src_sext[0] = w & BIT(19);
	f->src_sel[1] = bits(w, 26, 24);
	f->src_sext[1] = w & BIT(27);
	f->neg = bits(w, 20, 20) | bits(w, 28, 28) << 1;
	f->abs = bits(w, 21, 21) | bits(w, 29, 29) << 1;
	if (f->num_src > 1 && w & BIT(31))
		f->src[1] -= VGPU_SRC_VGPR0;
	if (f->format == VGPU_FMT_VOPC) {
		f->sdst = w & BIT(15) ? bits(w, 14, 8) : 106;
		return;
	}
	f->dst_sel = bits(w, 10, 8);
	f->dst_unused = bits(w, 12, 11);
	f->clamp = w & BIT(13);
	f->omod = bits(w, 15, 14);
}

static void decode_dpp16(u32 w, struct vgpu_fields *f)
{
	f->sub = VGPU_SUB_DPP16;
	f->src[0] = bits(w, 7, 0) + VGPU_SRC_VGPR0;
	f->dpp_ctrl = bits(w, 16, 8);
	f->fetch_inactive = w & BIT(18);
	f->bound_ctrl = w & BIT(19);
	f->neg = bits(w, 20, 20) | bits(w, 22, 22) << 1;
	f->abs = bits(w, 21, 21) | bits(w, 23, 23) << 1;
	f->bank_mask = bits(w, 27, 24);
	f->row_mask = bits(w, 31, 28);
}

static void decode_dpp8(u32 w, struct vgpu_fields *f)
{
	f->sub = VGPU_SUB_DPP8;
	f->fetch_inactive = f->src[0] == SRC_DPP8_FI;
	f->src[0] = bits(w, 7, 0) + VGPU_SRC_VGPR0;
	f->dpp8_sel = w >> 8;
}

/* VOP1, VOP2, VOPC: decode the second dword, if src0 says that there is one. */
static void vop_extra(const u32 *words, struct vgpu_fields *f)
{
	switch (f->src[0]) {
	case SRC_SDWA:
		decode_sdwa(words[f->words++], f);
		break;
	case SRC_DPP16:
		decode_dpp16(words[f->words++], f);
		break;
	case SRC_DPP8:
	case SRC_DPP8_FI:
		decode_dpp8(words[f->words++], f);
		break;
	default:
		literal_if(words, f);
	}
}

static void decode_scalar(const u32 *words, struct vgpu_fields *f)
{
	u32 w = words[0];

	f->src[0] = bits(w, 7, 0);
	f->src[1] = bits(w, 15, 8);
	f->dst = bits(w, 22, 16);
	f->simm16 = bits(w, 15, 0);
	f->words = 1;
	if (bits(w, 31, 23) == 0x17f) {
		f->format = VGPU_FMT_SOPP;
		f->opcode = bits(w, 22, 16);
		f->dst = 0;
		return;
	}
	if (bits(w, 31, 28) == 0xb && bits(w, 27, 23) < 0x1d) {
		f->format = VGPU_FMT_SOPK;
		f->opcode = bits(w, 27, 23);
		/* s_setreg_imm32_b32 */
		if (f->opcode == 0x15)
			take_literal(words, f);
		return;
	}
	if (bits(w, 31, 23) == 0x17e) {
		f->format = VGPU_FMT_SOPC;
		f->opcode = bits(w, 22, 16);
		f->num_src = 2;
	} else if (bits(w, 31, 23) == 0x17d) {
		f->format = VGPU_FMT_SOP1;
		f->opcode = bits(w, 15, 8);
		f->num_src = 1;
	} else {
		f->format = VGPU_FMT_SOP2;
		f->opcode = bits(w, 29, 23);
		f->num_src = 2;
	}
	literal_if(words, f);
}

static void decode_vop12c(const u32 *words, struct vgpu_fields *f)
{
	u32 w = words[0];

	f->words = 1;
	f->src[0] = bits(w, 8, 0);
	f->src[1] = bits(w, 16, 9) + VGPU_SRC_VGPR0;
	f->dst = bits(w, 24, 17) + VGPU_SRC_VGPR0;
	if (bits(w, 31, 25) == 0x3f) {
		f->format = VGPU_FMT_VOP1;
		f->opcode = bits(w, 16, 9);
		f->num_src = 1;
	} else if (bits(w, 31, 25) == 0x3e) {
		f->format = VGPU_FMT_VOPC;
		f->opcode = bits(w, 24, 17);
		f->num_src = 2;
		f->sdst = 106;
		f->dst = 0;
	} else {
		f->format = VGPU_FMT_VOP2;
		f->opcode = bits(w, 30, 25);
		f->num_src = 2;
		f->sdst = 106;
		/* v_fmamk_f32, v_fmaak_f32, v_fmamk_f16, v_fmaak_f16 */
		if (f->opcode == 0x2c || f->opcode == 0x2d ||
		    f->opcode == 0x37 || f->opcode == 0x38) {
			take_literal(words, f);
			return;
		}
	}
	vop_extra(words, f);
}

static bool vop3_has_sdst(unsigned int op)
{
	/* v_*_co_ci_u32, v_div_scale, v_mad_*64, v_*_co_u32 */
	return (op >= 0x128 && op <= 0x12a) || op == 0x16d || op == 0x16e ||
	       op == 0x176 || op == 0x177 || op == 0x30f || op == 0x310 ||
	       op == 0x319;
}

static void decode_vop3(const u32 *words, struct vgpu_fields *f)
{
	u32 w = words[0], x = words[1];

	f->words = 2;
	f->format = VGPU_FMT_VOP3;
	f->opcode = bits(w, 25, 16);
	f->dst = bits(w, 7, 0) + VGPU_SRC_VGPR0;
	f->clamp = w & BIT(15);
	if (vop3_has_sdst(f->opcode)) {
		f->sdst = bits(w, 14, 8);
	} else {
		f->abs = bits(w, 10, 8);
		f->opsel = bits(w, 14, 11);
	}
	if (f->opcode < 0x100) {
		f->sdst = bits(w, 7, 0);
		f->dst = 0;
	}
	f->num_src = 3;
	f->src[0] = bits(x, 8, 0);
	f->src[1] = bits(x, 17, 9);
	f->src[2] = bits(x, 26, 18);
	f->omod = bits(x, 28, 27);
	f->neg = bits(x, 31, 29);
	literal_if(words, f);
}

static void decode_vop3p(const u32 *words, struct vgpu_fields *f)
{
	u32 w = words[0], x = words[1];

	f->words = 2;
	f->format = VGPU_FMT_VOP3P;
	f->opcode = bits(w, 22, 16);
	f->dst = bits(w, 7, 0) + VGPU_SRC_VGPR0;
	f->neg_hi = bits(w, 10, 8);
	f->opsel = bits(w, 13, 11);
	f->clamp = w & BIT(15);
	f->num_src = 3;
	f->src[0] = bits(x, 8, 0);
	f->src[1] = bits(x, 17, 9);
	f->src[2] = bits(x, 26, 18);
	f->opsel_hi = bits(x, 28, 27) | bits(w, 14, 14) << 2;
	f->neg = bits(x, 31, 29);
	literal_if(words, f);
}

static void decode_smem(const u32 *words, struct vgpu_fields *f)
{
	u32 w = words[0], x = words[1];

	f->words = 2;
	f->format = VGPU_FMT_SMEM;
	f->opcode = bits(w, 25, 18);
	f->glc = w & BIT(16);
	f->dlc = w & BIT(14);
	f->dst = bits(w, 12, 6);
	f->saddr = bits(w, 5, 0) << 1;
	f->offset = sext(bits(x, 20, 0), 21);
	f->soffset = bits(x, 31, 25);
}

static void decode_ds(const u32 *words, struct vgpu_fields *f)
{
	u32 w = words[0], x = words[1];

	f->words = 2;
	f->format = VGPU_FMT_DS;
	f->opcode = bits(w, 25, 18);
	f->gds = w & BIT(17);
	f->offset0 = bits(w, 7, 0);
	f->offset1 = bits(w, 15, 8);
	f->offset = bits(w, 15, 0);
	f->vaddr = bits(x, 7, 0);
	f->vdata = bits(x, 15, 8);
	f->vdata1 = bits(x, 23, 16);
	f->dst = bits(x, 31, 24) + VGPU_SRC_VGPR0;
}

static bool decode_flat(const u32 *words, struct vgpu_fields *f)
{
	static const u8 formats[] = {
		VGPU_FMT_FLAT, VGPU_FMT_SCRATCH, VGPU_FMT_GLOBAL, 0
	};
	u32 w = words[0], x = words[1];

	f->words = 2;
	f->format = formats[bits(w, 15, 14)];
	f->opcode = bits(w, 24, 18);
	f->slc = w & BIT(17);
	f->glc = w & BIT(16);
	f->lds = w & BIT(13);
	f->dlc = w & BIT(12);
	f->offset = f->format == VGPU_FMT_FLAT ? (s32)bits(w, 10, 0) :
		    sext(bits(w, 11, 0), 12);
	f->vaddr = bits(x, 7, 0);
	f->vdata = bits(x, 15, 8);
	f->saddr = bits(x, 22, 16);
	f->dst = bits(x, 31, 24) + VGPU_SRC_VGPR0;
	return f->format;
}

/* MUBUF, MTBUF */
static void decode_buffer(const u32 *words, struct vgpu_fields *f, u8 format)
{
	u32 w = words[0], x = words[1];

	f->words = 2;
	f->format = format;
	f->opcode = bits(w, 25, 18);
	f->lds = w & BIT(16);
	f->dlc = w & BIT(15);
	f->glc = w & BIT(14);
	f->idxen = w & BIT(13);
	f->offen = w & BIT(12);
	f->offset = bits(w, 11, 0);
	f->vaddr = bits(x, 7, 0);
	f->vdata = bits(x, 15, 8);
	f->dst = f->vdata + VGPU_SRC_VGPR0;
	f->saddr = bits(x, 20, 16) << 2;
	f->slc = x & BIT(22);
	f->tfe = x & BIT(23);
	f->soffset = bits(x, 31, 24);
	if (format == VGPU_FMT_MTBUF) {
		f->opcode = bits(w, 18, 16) | bits(x, 21, 21) << 3;
		f->data_format = bits(w, 25, 19);
		f->lds = false;
	}
}

static void decode_mimg(const u32 *words, struct vgpu_fields *f)
{
	u32 w = words[0], x = words[1];
	unsigned int n;

	f->format = VGPU_FMT_MIMG;
	f->words = 2 + bits(w, 2, 1);
	f->opcode = bits(w, 24, 18) | bits(w, 0, 0) << 7;
	f->dim = bits(w, 5, 3);
	f->dlc = w & BIT(7);
	f->dmask = bits(w, 11, 8);
	f->unnormalized = w & BIT(12);
	f->glc = w & BIT(13);
	f->r128 = w & BIT(15);
	f->tfe = w & BIT(16);
	f->lwe = w & BIT(17);
	f->slc = w & BIT(25);
	f->vaddr = bits(x, 7, 0);
	f->vdata = bits(x, 15, 8);
	f->dst = f->vdata + VGPU_SRC_VGPR0;
	f->saddr = bits(x, 20, 16) << 2;
	f->samp = bits(x, 25, 21) << 2;
	f->a16 = x & BIT(30);
	f->d16 = x & BIT(31);
	/* Consecutive registers, or each one named in a byte of the next dwords (NSA). */
	for (n = 0; n < ARRAY_SIZE(f->addr); n++)
		f->addr[n] = n && f->words > 2 ? 0 : (u8)(f->vaddr + n);
	for (n = 0; n < 4 * (f->words - 2U); n++)
		f->addr[1 + n] = words[2 + n / 4] >> n % 4 * 8 & 0xff;
}

bool vgpu_decode_gfx10(const u32 *words, struct vgpu_fields *f)
{
	u32 w = words[0];

	memset(f, 0, sizeof(*f));
	if (!(w & BIT(31))) {
		decode_vop12c(words, f);
		return true;
	}
	if (!(w & BIT(30))) {
		decode_scalar(words, f);
		return true;
	}
	switch (bits(w, 31, 26)) {
	case 0x32:
		f->format = VGPU_FMT_VINTRP;
		f->opcode = bits(w, 17, 16);
		f->words = 1;
		return true;
	case 0x33:
		if (bits(w, 25, 23))
			return false;
		decode_vop3p(words, f);
		return true;
	case 0x35:
		decode_vop3(words, f);
		return true;
	case 0x36:
		decode_ds(words, f);
		return true;
	case 0x37:
		return decode_flat(words, f);
	case 0x38:
		decode_buffer(words, f, VGPU_FMT_MUBUF);
		return true;
	case 0x3a:
		decode_buffer(words, f, VGPU_FMT_MTBUF);
		return true;
	case 0x3c:
		decode_mimg(words, f);
		return true;
	case 0x3d:
		decode_smem(words, f);
		return true;
	case 0x3e:
		f->format = VGPU_FMT_EXP;
		f->words = 2;
		return true;
	}
	return false;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes an instruction as text in LLVM's syntax, for traces and complaints, and for the
 * test that compares the decoder with LLVM's.
 */
#include "isa/image/image.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct text {
	const struct vgpu_isa *isa;
	char *buf;
	size_t size, len;
	unsigned int num;	/* number of operands written so far */
	unsigned int lanes;
	const struct vgpu_fields *f;
	const struct vgpu_op_info *info;
	unsigned int op;
};

static __attribute__((format(printf, 2, 3))) void
put(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (t->len >= t->size)
		return;
	va_start(ap, fmt);
	n = vsnprintf(t->buf + t->len, t->size - t->len, fmt, ap);
	va_end(ap);
	t->len += n > 0 ? (size_t)n : 0;
}

static void separate(struct text *t)
{
	put(t, t->num++ ? ", " : " ");
}

static void put_range(struct text *t, const char *name, unsigned int first,
		      unsigned int num)
{
	if (num == 1)
		put(t, "%s%u", name, first);
	else
		put(t, "%s[%u:%u]", name, first, first + num - 1);
}

static void put_sgpr(struct text *t, unsigned int reg, unsigned int num)
{
	static const char *const lo_hi[] = { "_lo", "_hi" };

	if (reg == VGPU_S_VCC || reg == VGPU_S_VCC + 1)
		put(t, "vcc%s", num == 1 ? lo_hi[reg & 1] : "");
	else if (reg == VGPU_S_EXEC || reg == VGPU_S_EXEC + 1)
		put(t, "exec%s", num == 1 ? lo_hi[reg & 1] : "");
	else if (reg == VGPU_S_M0)
		put(t, "m0");
	else if (reg == VGPU_S_NULL)
		put(t, "null");
	else if (reg >= VGPU_S_TTMP0)
		put_range(t, "ttmp", reg - VGPU_S_TTMP0, num);
	else
		put_range(t, "s", reg, num);
}

static void put_float_const(struct text *t, unsigned int src,
			    enum vgpu_type type)
{
	static const char *const names[] = {
		"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0",
	};

	if (type == VGPU_T_U16 || type == VGPU_T_I16)
		put(t, "0x%x", (u32)vgpu_inline_const(src, type));
	else if (src < VGPU_SRC_INV_2PI)
		put(t, "%s", names[src - VGPU_SRC_HALF]);
	else if (vgpu_type_dwords(type, 32) == 2)
		put(t, "0.15915494309189532");
	else
		put(t, "0.15915494");
}

static void put_special(struct text *t, unsigned int src)
{
	static const struct {
		unsigned int src;
		const char *name;
	} special[] = {
		{ VGPU_SRC_SHARED_BASE, "src_shared_base" },
		{ VGPU_SRC_SHARED_LIMIT, "src_shared_limit" },
		{ VGPU_SRC_PRIVATE_BASE, "src_private_base" },
		{ VGPU_SRC_PRIVATE_LIMIT, "src_private_limit" },
		{ VGPU_SRC_POPS, "src_pops_exiting_wave_id" },
		{ VGPU_SRC_VCCZ, "src_vccz" },
		{ VGPU_SRC_EXECZ, "src_execz" },
		{ VGPU_SRC_SCC, "src_scc" },
		{ VGPU_SRC_LDS_DIRECT, "src_lds_direct" },
	};
	unsigned int n;

	for (n = 0; n < ARRAY_SIZE(special); n++) {
		if (special[n].src == src) {
			put(t, "%s", special[n].name);
			return;
		}
	}
	put(t, "src_%u", src);
}

static bool is_narrow(enum vgpu_type type)
{
	return type == VGPU_T_B16 || type == VGPU_T_U16 ||
	       type == VGPU_T_I16 || type == VGPU_T_F16;
}

static void put_operand(struct text *t, unsigned int src, enum vgpu_type type)
{
	unsigned int num = vgpu_type_dwords(type, t->lanes);

	if (!num)
		num = 1;
	if (src >= VGPU_SRC_VGPR0)
		put_range(t, "v", src - VGPU_SRC_VGPR0, num);
	else if (src < VGPU_SRC_ZERO)
		put_sgpr(t, src, num);
	else if (src <= 208)
		put(t, "%d", src <= 192 ? (int)src - 128 : 192 - (int)src);
	else if (src >= VGPU_SRC_HALF && src <= VGPU_SRC_INV_2PI)
		put_float_const(t, src, type);
	else if (src == VGPU_SRC_LITERAL)
		put(t, "0x%x", is_narrow(type) ? t->f->literal & 0xffff :
		    t->f->literal);
	else
		put_special(t, src);
}

/* Write source @enc of a vector encoding, with abs and neg. */
static void put_vector_source(struct text *t, unsigned int enc,
			      enum vgpu_type type)
{
	bool abs = t->f->abs >> enc & 1, neg = t->f->neg >> enc & 1;
	unsigned int src = t->f->src[enc];
	/* "-1" would be another constant: write "neg(1)". */
	bool call = neg && !abs && src >= VGPU_SRC_ZERO &&
		    (src <= VGPU_SRC_INV_2PI || src == VGPU_SRC_LITERAL);

	separate(t);
	put(t, "%s%s", call ? "neg(" : neg ? "-" : "", abs ? "|" : "");
	put_operand(t, src, type);
	put(t, "%s", call ? ")" : abs ? "|" : "");
}

static void text_scalar(struct text *t)
{
	const struct vgpu_fields *f = t->f;
	unsigned int k;

	if (t->info->dst) {
		separate(t);
		put_operand(t, f->dst, t->info->dst);
	}
	for (k = 0; k < 2; k++) {
		enum vgpu_type type = t->info->src[k];

		if (type == VGPU_T__)
			continue;
		separate(t);
		if (type == VGPU_T_KI || type == VGPU_T_KU)
			put(t, "0x%x", f->simm16);
		else if (type == VGPU_T_KF32)
			put(t, "0x%x", f->literal);
		else if (f->format == VGPU_FMT_SOPK)
			put_operand(t, f->dst, type);
		else
			put_operand(t, f->src[k], type);
	}
}

/* Write " name:[0,1]" for @num operands, unless all bits are equal to those of @usual. */
static void put_bits(struct text *t, const char *name, unsigned int bits,
		     unsigned int num, unsigned int usual)
{
	unsigned int k;

	if (!((bits ^ usual) & (BIT(num) - 1)))
		return;
	for (k = 0; k < num; k++)
		put(t, "%s%s%u", k ? "," : name, k ? "" : ":[", bits >> k & 1);
	put(t, "]");
}

static void text_packed(struct text *t)
{
	const struct vgpu_fields *f = t->f;
	unsigned int num = 0;

	separate(t);
	put_operand(t, f->dst, t->info->dst);
	for (; num < 3 && t->info->src[num]; num++) {
		separate(t);
		put_operand(t, f->src[num], t->info->src[num]);
	}
	put_bits(t, " op_sel", f->opsel, num, 0);
	put_bits(t, " op_sel_hi", f->opsel_hi, num, 7);
	put_bits(t, " neg_lo", f->neg, num, 0);
	put_bits(t, " neg_hi", f->neg_hi, num, 0);
	if (f->clamp)
		put(t, " clamp");
}

static void text_vector(struct text *t)
{
	const struct vgpu_fields *f = t->f;
	const struct vgpu_op_info *info = t->info;
	bool vop3 = f->format == VGPU_FMT_VOP3 ||
		    f->format == VGPU_FMT_VOP3P;
	unsigned int k, enc = 0;

	if (info->dst) {
		separate(t);
		/* The destination of v_readlane is an SGPR. */
		put_operand(t, info->dst == VGPU_T_S32 ? f->dst & 255 : f->dst,
			    info->dst);
	}
	if (info->sdst) {
		separate(t);
		put_operand(t, f->sdst, VGPU_T_M);
	}
	for (k = 0; k < 3; k++) {
		switch (info->src[k]) {
		case VGPU_T__:
		case VGPU_T_DF32:
		case VGPU_T_DF16:
		case VGPU_T_DB32:
			continue;
		case VGPU_T_KF32:
		case VGPU_T_KF16:
			separate(t);
			put(t, "0x%x", f->literal);
			continue;
		case VGPU_T_M:
			if (!vop3) {
				separate(t);
				put_operand(t, VGPU_S_VCC, VGPU_T_M);
				continue;
			}
			/* fall through */
		default:
			put_vector_source(t, enc++, info->src[k]);
		}
	}
	if (f->clamp)
		put(t, " clamp");
	if (f->omod)
		put(t, " %s", f->omod == 1 ? "mul:2" : f->omod == 2 ? "mul:4" :
		    "div:2");
}

static void text_flags(struct text *t)
{
	const struct vgpu_fields *f = t->f;

	put(t, "%s%s%s%s%s", f->glc ? " glc" : "", f->slc ? " slc" : "",
	    f->dlc ? " dlc" : "", f->tfe ? " tfe" : "", f->lds ? " lds" : "");
}

static void text_smem(struct text *t)
{
	const struct vgpu_fields *f = t->f;

	if (t->info->dst) {
		separate(t);
		put_operand(t, f->dst, t->info->dst);
	}
	if (t->info->src[0]) {
		separate(t);
		put_operand(t, f->saddr, t->info->src[0]);
		separate(t);
		if (f->soffset == VGPU_S_NULL)
			put(t, "%s0x%x", f->offset < 0 ? "-" : "",
			    f->offset < 0 ? -f->offset : f->offset);
		else
			put_operand(t, f->soffset, VGPU_T_U32);
		if (f->soffset != VGPU_S_NULL && f->offset)
			put(t, " offset:0x%x", f->offset);
	}
	text_flags(t);
}

static bool is_atomic(const struct text *t)
{
	return t->info->dst && t->info->src[1];
}

static void text_flat(struct text *t)
{
	const struct vgpu_fields *f = t->f;
	bool scratch = f->format == VGPU_FMT_SCRATCH;
	bool flat = f->format == VGPU_FMT_FLAT;
	bool none = scratch && f->saddr == VGPU_SADDR_NONE;
	bool based = !flat && !none && f->saddr != VGPU_S_NULL;
	bool addtid = strstr(t->info->name, "ADDTID");

	if (t->info->dst && (!is_atomic(t) || f->glc)) {
		separate(t);
		put_operand(t, f->dst, t->info->dst);
	}
	if (!addtid) {
		separate(t);
		if (none || (scratch && based))
			put(t, "off");
		else
			put_range(t, "v", f->vaddr, scratch || based ? 1 : 2);
	}
	if (t->info->src[1]) {
		separate(t);
		put_operand(t, f->vdata + VGPU_SRC_VGPR0, t->info->src[1]);
	}
	if (!flat) {
		separate(t);
		if (based)
			put_sgpr(t, f->saddr, scratch ? 1 : 2);
		else
			put(t, "off");
	}
	if (f->offset)
		put(t, " offset:%d", f->offset);
	text_flags(t);
}

static const char *const numbers[] = {
	"UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "FLOAT",
};

/* Write the name of a format, which has the highest component first. */
static void put_format(struct text *t, unsigned int number)
{
	const struct vgpu_format_info *f = vgpu_format(t->isa, number);
	unsigned int k;

	if (number == 1)	/* LLVM's default */
		return;
	if (!f || f->number >= ARRAY_SIZE(numbers)) {
		put(t, " format:%u", number);
		return;
	}
	put(t, " format:[BUF_FMT_");
	for (k = f->num; k-- > 0;)
		put(t, "%u_", f->bits[k]);
	put(t, "%s]", numbers[f->number]);
}

static void text_mubuf(struct text *t)
{
	const struct vgpu_fields *f = t->f;
	enum vgpu_type type = t->info->src[1] ? t->info->src[1] : t->info->dst;

	if (!type)
		return;
	separate(t);
	put_operand(t, f->vdata + VGPU_SRC_VGPR0, type);
	separate(t);
	if (f->idxen || f->offen)
		put_range(t, "v", f->vaddr, f->idxen + f->offen);
	else
		put(t, "off");
	separate(t);
	put_sgpr(t, f->saddr, 4);
	separate(t);
	put_operand(t, f->soffset, VGPU_T_U32);
	if (f->format == VGPU_FMT_MTBUF)
		put_format(t, f->data_format);
	put(t, "%s%s", f->idxen ? " idxen" : "", f->offen ? " offen" : "");
	if (f->offset)
		put(t, " offset:%d", f->offset);
	text_flags(t);
}

static void text_mimg(struct text *t)
{
	static const char *const dims[] = {
		"1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA",
		"2D_MSAA_ARRAY",
	};
	const struct vgpu_fields *f = t->f;
	unsigned int num = vgpu_image_address_regs(f, t->op), k;

	separate(t);
	put_range(t, "v", f->vdata, vgpu_image_data_regs(f, t->op));
	separate(t);
	if (f->words == 2) {
		/* LLVM writes 16 registers for more than 12. */
		put_range(t, "v", f->vaddr, num > 12 ? 16 : num);
	} else {
		for (k = 0; k < num; k++)
			put(t, "%sv%u", k ? ", " : "[", f->addr[k]);
		put(t, "]");
	}
	separate(t);
	put_sgpr(t, f->saddr, f->r128 ? 4 : 8);
	if (vgpu_image_variant(t->op).sampled) {
		separate(t);
		put_sgpr(t, f->samp, 4);
	}
	put(t, " dmask:0x%x dim:SQ_RSRC_IMG_%s%s%s%s%s%s%s%s%s%s", f->dmask,
	    dims[f->dim], f->unnormalized ? " unorm" : "", f->glc ? " glc" : "",
	    f->slc ? " slc" : "", f->dlc ? " dlc" : "", f->r128 ? " r128" : "",
	    f->a16 ? " a16" : "", f->tfe ? " tfe" : "", f->lwe ? " lwe" : "",
	    f->d16 ? " d16" : "");
}

static void text_ds(struct text *t)
{
	const struct vgpu_fields *f = t->f;
	bool no_address = strstr(t->info->name, "ADDTID") ||
			  strstr(t->info->name, "DS_APPEND") ||
			  strstr(t->info->name, "DS_CONSUME");
	bool two = strstr(t->info->name, "READ2") ||
		   strstr(t->info->name, "WRITE2") ||
		   strstr(t->info->name, "WRXCHG2");

	if (!t->info->dst && !t->info->src[1])
		return;
	if (t->info->dst) {
		separate(t);
		put_operand(t, f->dst, t->info->dst);
	}
	if (!no_address) {
		separate(t);
		put_range(t, "v", f->vaddr, 1);
	}
	if (t->info->src[1]) {
		separate(t);
		put_operand(t, f->vdata + VGPU_SRC_VGPR0, t->info->src[1]);
	}
	if (t->info->src[2]) {
		separate(t);
		put_operand(t, f->vdata1 + VGPU_SRC_VGPR0, t->info->src[2]);
	}
	if (two && f->offset0)
		put(t, " offset0:%u", f->offset0);
	if (two && f->offset1)
		put(t, " offset1:%u", f->offset1);
	if (!two && f->offset)
		put(t, " offset:%d", f->offset);
	put(t, "%s", f->gds ? " gds" : "");
}

static void text_operands(struct text *t)
{
	switch (t->info->class) {
	case VGPU_CLASS_SALU:
	case VGPU_CLASS_SPECIAL:
		text_scalar(t);
		break;
	case VGPU_CLASS_SMEM:
		text_smem(t);
		break;
	case VGPU_CLASS_VALU:
		if (t->f->format == VGPU_FMT_VOP3P)
			text_packed(t);
		else
			text_vector(t);
		break;
	case VGPU_CLASS_VCMP:
	case VGPU_CLASS_VCMPX:
	case VGPU_CLASS_MIX:
		text_vector(t);
		break;
	case VGPU_CLASS_MEM:
		if (t->f->format == VGPU_FMT_MUBUF ||
		    t->f->format == VGPU_FMT_MTBUF)
			text_mubuf(t);
		else if (t->f->format == VGPU_FMT_MIMG)
			text_mimg(t);
		else
			text_flat(t);
		break;
	case VGPU_CLASS_IMAGE:
		text_mimg(t);
		break;
	case VGPU_CLASS_DS:
		text_ds(t);
		break;
	}
}

unsigned int vgpu_isa_text(const struct vgpu_isa *isa, const u32 *words,
			   unsigned int lanes, char *buf, size_t size)
{
	static const char *const subs[] = { "", "_sdwa", "_dpp", "_dpp" };
	const struct vgpu_isa_row *row = NULL;
	struct vgpu_fields f;
	struct text t = {
		.isa = isa, .buf = buf, .size = size, .lanes = lanes, .f = &f,
	};

	if (isa->decode(words, &f))
		row = vgpu_isa_row(isa, &f);
	if (!row) {
		put(&t, ".long 0x%08x", words[0]);
		return 1;
	}
	put(&t, "%s%s", row->mnemonic, subs[f.sub]);
	t.info = &vgpu_op_info[row->op];
	t.op = row->op;
	if (row->op != VGPU_OP_NONE)
		text_operands(&t);
	return f.words;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Binding: makes an executable instruction of decoded fields. It finds where each operand
 * of the operation is stored, and which wrappers the handler needs. An instruction that
 * cannot be executed exactly is refused.
 */
#include "isa/exec/excp.h"
#include "isa/image/image.h"

#include <string.h>

struct binding {
	struct vgpu_isa_state *c;
	struct vgpu_insn *i;
	struct vgpu_detail *d;
	const struct vgpu_fields *f;
	const struct vgpu_op_info *info;
	vgpu_exec_fn one;	/* the handler with the wrappers so far */
	vgpu_thread_fn thread;	/* threaded handler; NULL if there is a wrapper */
	int spread;		/* the only source to prepare, an SGPR for all lanes; or -1 */
	/* Use of VGPRs that the wave does not have (range.c) */
	bool beyond;		/* by a source, which VGPR0 has replaced */
	bool groups;		/* by the address or the data of a memory access */
	bool nothing;		/* by a destination */
	bool shared;		/* a destination is a shared VGPR (shared.c) */
};

/* Does M0 select the source register? Then it is checked when the instruction executes. */
static bool is_indexed_src(enum vgpu_op op)
{
	return op == VGPU_OP_V_MOVRELS_B32 || op == VGPU_OP_V_MOVRELSD_B32 ||
	       op == VGPU_OP_V_MOVRELSD_2_B32 || op == VGPU_OP_V_SWAPREL_B32;
}

static bool is_indexed_dst(enum vgpu_op op)
{
	return op == VGPU_OP_V_MOVRELD_B32 ||
	       (is_indexed_src(op) && op != VGPU_OP_V_MOVRELS_B32);
}

/* Must source @k be a VGPR, because M0 is added to its number, or it is written, too? */
static bool is_vgpr_src(enum vgpu_op op, unsigned int k)
{
	if (op == VGPU_OP_V_MQSAD_U32_U8)
		return k == 2;
	return k == 0 && (is_indexed_src(op) || op == VGPU_OP_V_SWAP_B32);
}

static void wrap(struct binding *b, vgpu_exec_fn with)
{
	b->one = with;
	b->thread = NULL;
	b->spread = -1;
}

static u64 literal(u32 v, enum vgpu_type type)
{
	if (type == VGPU_T_F64)
		return (u64)v << 32;
	if (type == VGPU_T_I64)
		return (u64)(s64)(s32)v;
	return v;
}

static void note_sgpr(struct vgpu_insn *i, unsigned int reg, unsigned int num)
{
	if (reg < VGPU_S_TTMP0 + 16 && reg + num > VGPU_S_TTMP0)
		i->guard |= VGPU_GUARD_TTMP;
}

static bool note_sgpr_dst(struct vgpu_insn *i, unsigned int reg,
			  unsigned int num)
{
	if (reg + num > VGPU_S_EXEC + 2)
		return false;
	note_sgpr(i, reg, num);
	if (reg == VGPU_S_NULL)
		i->guard |= VGPU_GUARD_NULL;
	if (reg + num > VGPU_S_EXEC && reg != VGPU_S_NULL)
		i->guard |= VGPU_GUARD_EXEC;
	return true;
}

/* Make source @k a constant; @rows: as an array with an element per lane. */
static void set_const(struct binding *b, unsigned int k, u64 v, bool rows)
{
	const struct vgpu_const *value = vgpu_page_const(b->c->page, v);
	const void *at = rows ? (const void *)value->row : &value->value;

	b->d->src[k].type = b->info->src[k];
	b->d->src[k].kind = VGPU_KIND_CONST;
	b->i->src[k] = (s64)(uintptr_t)at;
}

/* Make source @k the operand with number @num; @rows: as an array with lanes. */
static bool set_src(struct binding *b, unsigned int k, unsigned int num,
		    bool rows)
{
	enum vgpu_type type = b->info->src[k];
	struct vgpu_src_detail *s = &b->d->src[k];
	unsigned int dwords = vgpu_type_dwords(type, b->c->lanes);
	u64 v;

	s->type = type;
	s->scalar = !rows;
	b->i->reg[k] = num;	/* u8: of a VGPR, this is num - VGPU_SRC_VGPR0 */
	if (num >= VGPU_SRC_VGPR0) {
		num -= VGPU_SRC_VGPR0;
		if (vgpu_beyond(b->c, num, dwords) &&
		    !is_indexed_src(b->i->op)) {
			num = 0;
			b->i->reg[k] = 0;
			b->beyond = true;
			/* The source of V_SWAP is also a destination. */
			b->nothing |= b->i->op == VGPU_OP_V_SWAP_B32;
		}
		b->shared |= b->i->op == VGPU_OP_V_SWAP_B32 &&
			     vgpu_shared(b->c, num, 1);
		s->kind = VGPU_KIND_VGPR;
		b->i->src[k] = VGPU_IN_WAVE +
			       (s64)offsetof(struct vgpu_wave, v[num]);
		return rows && num + dwords <= VGPU_NUM_VGPRS;
	}
	/* NULL is a constant 0: a pair of SGPRs from NULL on would include EXEC. */
	if (num < VGPU_SRC_ZERO && num != VGPU_S_NULL) {
		s->kind = VGPU_KIND_SGPR;
		b->i->src[k] = VGPU_IN_WAVE +
			       (s64)offsetof(struct vgpu_wave, s[num]);
		note_sgpr(b->i, num, dwords);
		return num + dwords <= VGPU_S_EXEC + 2;
	}
	if (num == VGPU_S_NULL) {
		v = 0;
	} else if (num <= 208 ||
		   (num >= VGPU_SRC_HALF && num <= VGPU_SRC_INV_2PI)) {
		v = vgpu_inline_const(num, type);
	} else if (num == VGPU_SRC_LITERAL) {
		v = literal(b->f->literal, type);
	} else {
		s->kind = VGPU_KIND_SPECIAL;
		return (num >= VGPU_SRC_SHARED_BASE &&
			num <= VGPU_SRC_PRIVATE_LIMIT) ||
		       (num >= VGPU_SRC_VCCZ && num <= VGPU_SRC_SCC);
	}
	set_const(b, k, v, rows);
	return true;
}

/* Find the sources that must be computed before use, and wrap the handler for them. */
static void bind_prepare(struct binding *b)
{
	struct vgpu_insn *i = b->i;
	unsigned int k;

	b->spread = -1;
	for (k = 0; k < 3; k++) {
		struct vgpu_src_detail *s = &b->d->src[k];

		if (s->type == VGPU_T__ || s->kind == VGPU_KIND_VGPR ||
		    s->kind == VGPU_KIND_CONST ||
		    (s->scalar && s->kind == VGPU_KIND_SGPR))
			continue;
		i->src[k] = (s64)(uintptr_t)b->c->tmp[k];
		b->d->prepare |= BIT(k);
		b->spread = -1;
		if (b->d->prepare == BIT(k) && s->kind == VGPU_KIND_SGPR &&
		    vgpu_type_dwords(s->type, 32) == 1)
			b->spread = (int)k;
	}
	if (!b->d->prepare)
		return;
	b->d->prepared = b->one;
	b->one = b->c->code->prepare;
	if (b->spread < 0)
		b->thread = NULL;
}

static bool bind_scalar(struct binding *b)
{
	const struct vgpu_fields *f = b->f;
	struct vgpu_insn *i = b->i;
	unsigned int k, enc = 0;

	for (k = 0; k < 2; k++) {
		switch (b->info->src[k]) {
		case VGPU_T__:
			break;
		case VGPU_T_KI:
			set_const(b, k, (u64)(s64)(s16)f->simm16, false);
			break;
		case VGPU_T_KU:
			set_const(b, k, f->simm16, false);
			break;
		case VGPU_T_KF32:
			set_const(b, k, f->literal, false);
			break;
		default:
			/* In SOPK, the destination is also the source. */
			if (!set_src(b, k, f->format == VGPU_FMT_SOPK ? f->dst :
				     f->src[enc], false))
				return false;
			enc++;
		}
	}
	bind_prepare(b);
	i->dst = f->dst;
	return note_sgpr_dst(i, f->dst,
			     vgpu_type_dwords(b->info->dst, b->c->lanes));
}

static void bind_branch(struct binding *b)
{
	s32 at = (s32)vgpu_insn_index(b->c, b->i) + 1 + (s16)b->f->simm16;

	b->i->offset = 4 * (s16)b->f->simm16;
	if (at >= 0 && at < (s32)VGPU_PAGE_DWORDS)
		b->i->target = &b->c->page->insn[at];
}

static bool bind_smem(struct binding *b)
{
	const struct vgpu_fields *f = b->f;
	struct vgpu_insn *i = b->i;
	unsigned int num = vgpu_type_dwords(b->info->dst, 32);

	i->dst = f->dst;
	i->saddr = f->saddr;
	i->soffset = f->soffset;
	i->offset = f->offset;
	note_sgpr(i, f->saddr, vgpu_type_dwords(b->info->src[0], 32));
	note_sgpr(i, f->soffset, 1);
	if (f->saddr + vgpu_type_dwords(b->info->src[0], 32) > VGPU_S_EXEC + 2)
		return false;
	return f->soffset < VGPU_SRC_ZERO && note_sgpr_dst(i, f->dst, num);
}

/* In these operations, op_sel does not select halves of registers. */
static bool is_permlane(enum vgpu_op op)
{
	return op == VGPU_OP_V_PERMLANE16_B32 ||
	       op == VGPU_OP_V_PERMLANEX16_B32;
}

static bool is_narrow(enum vgpu_type type)
{
	return type == VGPU_T_B16 || type == VGPU_T_U16 ||
	       type == VGPU_T_I16 || type == VGPU_T_F16;
}

static void set_modified(struct binding *b, unsigned int k)
{
	struct vgpu_src_detail *s = &b->d->src[k];

	s->only_sign = (s->kind == VGPU_KIND_VGPR ||
			s->kind == VGPU_KIND_CONST) &&
		       s->sel == VGPU_SEL_DWORD && !s->permuted && !s->packed &&
		       (s->type == VGPU_T_F32 || s->type == VGPU_T_DF32);
	s->plain_kind = s->kind;
	s->plain = b->i->src[k];
	s->kind = VGPU_KIND_MODIFIED;
}

/* Set abs, neg, op_sel, SDWA and DPP of source @k, operand @enc of the encoding. */
static bool set_modifiers(struct binding *b, unsigned int k, unsigned int enc)
{
	const struct vgpu_fields *f = b->f;
	struct vgpu_src_detail *s = &b->d->src[k];
	bool narrow = is_narrow(s->type);

	s->sel = VGPU_SEL_DWORD;
	s->abs = f->abs >> enc & 1;
	s->neg = f->neg >> enc & 1;
	/* Two values have two signs, but the encoding has one bit; VOP3P has two. */
	if ((s->abs || s->neg) && s->type == VGPU_T_PF16)
		return false;
	if ((s->abs || s->neg) && !vgpu_type_is_float(s->type) &&
	    b->i->op != VGPU_OP_V_CNDMASK_B32 && b->i->op != VGPU_OP_V_MOV_B32 &&
	    b->i->op != VGPU_OP_V_CVT_F32_F16 &&
	    b->i->op != VGPU_OP_V_DIV_FIXUP_F16 &&
	    b->i->op != VGPU_OP_V_CMP_CLASS_F16 &&
	    b->i->op != VGPU_OP_V_CMPX_CLASS_F16)
		return false;
	if (f->format == VGPU_FMT_VOP3 && f->opsel >> enc & 1 &&
	    !is_permlane(b->i->op)) {
		if (!narrow)
			return false;
		s->sel = VGPU_SEL_WORD1;
	}
	if (f->sub == VGPU_SUB_SDWA && enc < 2) {
		if (f->src_sel[enc] > VGPU_SEL_DWORD)
			return false;
		s->sel = f->src_sel[enc];
		s->sext = f->src_sext[enc];
	}
	s->permuted = enc == 0 && (f->sub == VGPU_SUB_DPP16 ||
				   f->sub == VGPU_SUB_DPP8);
	if (s->abs || s->neg || s->permuted || s->sel != VGPU_SEL_DWORD)
		set_modified(b, k);
	return true;
}

/*
 * VOP3P: set which half of source @k is used as which, and their signs. A source of 32 bits
 * has no halves, and only one of floats has a sign.
 */
static bool set_packed(struct binding *b, unsigned int k, unsigned int enc)
{
	const struct vgpu_fields *f = b->f;
	struct vgpu_src_detail *s = &b->d->src[k];
	bool neg = f->neg >> enc & 1, neg_hi = f->neg_hi >> enc & 1;
	bool halves = s->type == VGPU_T_PF16 || s->type == VGPU_T_PI16;

	s->sel = VGPU_SEL_DWORD;
	if (!halves && (f->opsel >> enc & 1 || neg_hi))
		return false;
	if ((neg || neg_hi) && !vgpu_type_is_float(s->type))
		return false;
	if (halves)
		s->packed = (f->opsel >> enc & 1 ? VGPU_PACKED_LOW_HIGH : 0) |
			(f->opsel_hi >> enc & 1 ? 0 : VGPU_PACKED_HIGH_LOW) |
			(neg ? VGPU_PACKED_NEG_LOW : 0) |
			(neg_hi ? VGPU_PACKED_NEG_HIGH : 0);
	else
		s->neg = neg;
	if (s->packed || s->neg)
		set_modified(b, k);
	return true;
}

static bool bind_vector_sources(struct binding *b)
{
	const struct vgpu_fields *f = b->f;
	unsigned int k, enc = 0, num;
	bool implicit = f->format != VGPU_FMT_VOP3;

	for (k = 0; k < 3; k++) {
		switch (b->info->src[k]) {
		case VGPU_T__:
			continue;
		case VGPU_T_KF32:
		case VGPU_T_KF16:
			set_const(b, k, f->literal, true);
			continue;
		case VGPU_T_DF32:
		case VGPU_T_DF16:
		case VGPU_T_DB32:
			if (!set_src(b, k, f->dst, true))
				return false;
			/* In VOP3, the modifiers of src2 apply to it. */
			if (!set_modifiers(b, k, 2))
				return false;
			continue;
		case VGPU_T_M:
			num = implicit ? VGPU_S_VCC : f->src[enc++];
			if (!set_src(b, k, num, false))
				return false;
			continue;
		case VGPU_T_S32:
			if (!set_src(b, k, f->src[enc++], false))
				return false;
			continue;
		default:
			if (enc >= f->num_src ||
			    !set_src(b, k, f->src[enc], true) ||
			    !(f->format == VGPU_FMT_VOP3P ?
			      set_packed(b, k, enc) : set_modifiers(b, k, enc)))
				return false;
			enc++;
		}
		if (is_vgpr_src(b->i->op, k) &&
		    b->d->src[k].kind != VGPU_KIND_VGPR)
			return false;
	}
	return true;
}

/* Write the result to the upper half of the destination, and keep the lower half. */
static bool bind_upper(struct binding *b)
{
	unsigned int k;

	if (!is_narrow(b->info->dst))
		return false;
	for (k = 0; k < 3; k++) {
		if (b->info->src[k] == VGPU_T_DF16)
			return false;
	}
	b->d->dst_sel = VGPU_SEL_WORD1;
	b->d->dst_unused = 2;
	return true;
}

/* Can the integer result never exceed the range of the destination? */
static bool never_overflows(enum vgpu_op op)
{
	switch (op) {
	case VGPU_OP_V_CVT_I32_F32:
	case VGPU_OP_V_CVT_U32_F32:
	case VGPU_OP_V_CVT_I32_F64:
	case VGPU_OP_V_CVT_U32_F64:
	case VGPU_OP_V_CVT_I16_F16:
	case VGPU_OP_V_CVT_U16_F16:
	case VGPU_OP_V_CVT_NORM_I16_F16:
	case VGPU_OP_V_CVT_NORM_U16_F16:
	case VGPU_OP_V_CVT_PK_U8_F32:
	case VGPU_OP_V_FREXP_EXP_I16_F16:
	case VGPU_OP_V_PK_MIN_I16:
	case VGPU_OP_V_PK_MAX_I16:
	case VGPU_OP_V_PK_MIN_U16:
	case VGPU_OP_V_PK_MAX_U16:
		return true;
	default:
		return op >= VGPU_OP_V_MIN3_I16 && op <= VGPU_OP_V_MED3_U16;
	}
}

/* Bind clamp, which limits floats to 0 to 1, integers to the destination's range. */
static bool bind_clamp(struct binding *b)
{
	struct vgpu_insn *i = b->i;

	if (never_overflows(i->op))
		return true;
	/* Operations with a carry, and those that handle bits, clamp by themselves. */
	if (vgpu_type_is_float(b->info->dst) || b->info->sdst ||
	    i->op == VGPU_OP_V_MQSAD_U32_U8 ||
	    i->op == VGPU_OP_V_CVT_F16_F32 ||
	    i->op == VGPU_OP_V_DIV_FIXUP_F16) {
		b->d->clamp = true;
		return true;
	}
	wrap(b, b->c->code->saturating(i->op));
	return b->one;
}

static bool bind_output(struct binding *b)
{
	const struct vgpu_fields *f = b->f;
	struct vgpu_insn *i = b->i;
	struct vgpu_detail *d = b->d;

	d->sub = f->sub;
	d->dst_sel = VGPU_SEL_DWORD;
	if (f->sub == VGPU_SUB_SDWA && f->format != VGPU_FMT_VOPC) {
		/* Larger values are reserved ("RDNA 2" ISA, chapter 13, SDWA). */
		if (f->dst_sel > VGPU_SEL_DWORD || f->dst_unused > 2)
			return false;
		d->dst_sel = f->dst_sel;
		d->dst_unused = f->dst_unused;
	}
	d->dpp_ctrl = f->dpp_ctrl;
	d->dpp = f->dpp8_sel;
	d->row_mask = f->row_mask;
	d->bank_mask = f->bank_mask;
	d->bound_ctrl = f->bound_ctrl;
	d->fetch_inactive = f->fetch_inactive;
	if (is_permlane(i->op))	/* op_sel: fetch inactive, bound control; see do_permlane() */
		d->row_mask = f->opsel;
	else if (f->opsel & 8 && !bind_upper(b))
		return false;
	if (f->clamp && !bind_clamp(b))
		return false;
	bind_prepare(b);
	d->omod = f->omod;
	if (d->omod && !vgpu_type_is_float(b->info->dst) &&
	    i->op != VGPU_OP_V_CVT_F16_F32)
		return false;
	if (d->clamp || d->omod || d->dst_sel != VGPU_SEL_DWORD ||
	    f->sub == VGPU_SUB_DPP16) {
		d->lanewise = b->one;
		wrap(b, vgpu_exec_modified);
	}
	return true;
}

static bool bind_vector(struct binding *b)
{
	const struct vgpu_fields *f = b->f;
	struct vgpu_insn *i = b->i;
	unsigned int lanes = b->c->lanes;

	if (!bind_vector_sources(b) || !bind_output(b))
		return false;
	i->dst = f->dst & 255;
	if (b->info->dst == VGPU_T_S32) {
		/* v_readlane: the field has the number of an SGPR */
		if (i->dst >= VGPU_SRC_ZERO || !note_sgpr_dst(i, i->dst, 1))
			return false;
	} else if (!is_indexed_dst(i->op)) {
		unsigned int num = vgpu_type_dwords(b->info->dst, lanes);

		b->nothing |= vgpu_beyond(b->c, i->dst, num);
		b->shared |= vgpu_shared(b->c, i->dst, num);
		if (!b->nothing && i->dst + num > VGPU_NUM_VGPRS)
			return false;
	} else {
		b->shared = b->c->w->shared_vgprs;
	}
	if (b->info->sdst) {
		i->sdst = f->sdst;
		return note_sgpr_dst(i, i->sdst, lanes / 32);
	}
	if (b->info->class == VGPU_CLASS_VCMPX) {
		i->sdst = VGPU_S_EXEC;
		return note_sgpr_dst(i, i->sdst, lanes / 32);
	}
	return true;
}

/* op_sel_hi says which sources are 16-bit halves, op_sel which half. */
static bool bind_mix(struct binding *b)
{
	const struct vgpu_fields *f = b->f;
	struct vgpu_op_info info = *b->info;
	struct vgpu_insn *i = b->i;
	unsigned int k;

	for (k = 0; k < 3; k++) {
		info.src[k] = f->opsel_hi >> k & 1 ? VGPU_T_F16 : VGPU_T_F32;
		b->info = &info;
		if (!set_src(b, k, f->src[k], true))
			return false;
		b->d->src[k].sel = f->opsel >> k & 1 ? VGPU_SEL_WORD1 :
				   VGPU_SEL_WORD0;
		b->d->src[k].neg = f->neg >> k & 1;
		b->d->src[k].abs = f->neg_hi >> k & 1;
	}
	i->dst = f->dst & 255;
	b->d->clamp = f->clamp;
	b->nothing = vgpu_beyond(b->c, i->dst, 1);
	b->shared = vgpu_shared(b->c, i->dst, 1);
	bind_prepare(b);
	return true;
}

/*
 * Check the groups of registers of a memory instruction: @dst registers for returned data,
 * @src for data that are sent. Returns false if a group exceeds the last VGPR that can
 * exist.
 */
static bool bind_groups(struct binding *b, unsigned int dst, unsigned int src)
{
	const struct vgpu_insn *i = b->i;

	b->nothing = vgpu_beyond(b->c, i->dst, dst);
	b->shared = vgpu_shared(b->c, i->dst, dst);
	b->groups |= vgpu_beyond(b->c, i->reg[1], src);
	return (b->nothing || i->dst + dst <= VGPU_NUM_VGPRS) &&
	       i->reg[1] + src <= VGPU_NUM_VGPRS;
}

/* Does the instruction write its destination? Stores, and atomics without GLC, do not. */
static bool returns(const struct binding *b)
{
	return b->info->dst && (!b->info->src[1] || b->f->glc);
}

static bool bind_image(struct binding *b)
{
	const struct vgpu_fields *f = b->f;
	struct vgpu_insn *i = b->i;
	struct vgpu_mimg *m = vgpu_page_mimg(b->c->page);
	unsigned int num = vgpu_image_data_regs(f, i->op);
	unsigned int addr = vgpu_image_address_regs(f, i->op), k;

	i->format = f->format;
	i->mimg = m;
	i->dst = f->dst & 255;
	i->reg[1] = f->vdata;
	i->saddr = f->saddr;
	i->glc = f->glc;
	memcpy(m->addr, f->addr, sizeof(m->addr));
	m->dmask = f->dmask;
	m->dim = f->dim;
	m->unnormalized = f->unnormalized;
	m->a16 = f->a16;
	m->d16 = f->d16;
	m->r128 = f->r128;
	m->mip = vgpu_image_variant(i->op).mip;
	m->samp = f->samp;
	note_sgpr(i, f->saddr, 8);
	note_sgpr(i, f->samp, 4);
	/* Atomics: DMASK must have the operation's registers, for one component. */
	if (b->info->class == VGPU_CLASS_MEM) {
		unsigned int src = vgpu_type_dwords(b->info->src[1], 32);

		if (f->d16 || num != src ||
		    vgpu_type_dwords(b->info->dst, 32) != 1)
			return false;
	}
	/* Registers of the address are consecutive, or each is named in a byte (NSA). */
	if (f->words == 2 ? f->vaddr + addr > VGPU_NUM_VGPRS :
	    addr > 4U * f->words - 7)
		return false;
	for (k = 0; k < addr; k++)
		b->groups |= vgpu_beyond(b->c, f->words == 2 ? f->vaddr + k :
					 f->addr[k], 1);
	return !f->tfe && !f->lwe && f->saddr + 8 <= VGPU_S_EXEC + 2 &&
	       f->samp + 4 <= VGPU_S_EXEC + 2 &&
	       bind_groups(b, returns(b) ? num : 0, num);
}

/* Get the number of VGPRs that the address of a lane takes. */
static unsigned int address_regs(const struct vgpu_fields *f, enum vgpu_op op)
{
	switch (f->format) {
	case VGPU_FMT_MUBUF:
	case VGPU_FMT_MTBUF:
		return f->idxen + f->offen;
	case VGPU_FMT_SCRATCH:
		return f->saddr == VGPU_S_NULL;
	}
	if (op == VGPU_OP_LOAD_DWORD_ADDTID || op == VGPU_OP_STORE_DWORD_ADDTID)
		return 0;
	/* A 64-bit address in VGPRs, or a 32-bit offset from a base in SGPRs. */
	return f->saddr == VGPU_S_NULL ? 2 : 1;
}

static bool bind_mem(struct binding *b)
{
	const struct vgpu_fields *f = b->f;
	struct vgpu_insn *i = b->i;
	unsigned int dst = vgpu_type_dwords(b->info->dst, 32);
	unsigned int src = vgpu_type_dwords(b->info->src[1], 32);
	unsigned int addr = address_regs(f, i->op);

	if (f->format == VGPU_FMT_MIMG)
		return bind_image(b);
	i->format = f->format;
	i->dst = f->dst & 255;
	i->vaddr = f->vaddr;
	i->reg[1] = f->vdata;
	i->saddr = f->saddr;
	i->soffset = f->soffset;
	i->offset = f->offset;
	i->glc = f->glc;
	i->idxen = f->idxen;
	i->offen = f->offen;
	if (f->format == VGPU_FMT_MTBUF)
		i->simm16 = f->data_format;
	if (f->format == VGPU_FMT_MUBUF || f->format == VGPU_FMT_MTBUF) {
		/* The resource may be in TTMPs. */
		note_sgpr(i, f->saddr, 4);
		if (f->soffset >= VGPU_SRC_ZERO && f->soffset > 208)
			return false;
		note_sgpr(i, f->soffset, 1);
	} else {
		note_sgpr(i, f->saddr, 2);
		if (f->saddr > VGPU_S_EXEC &&
		    (f->format != VGPU_FMT_SCRATCH ||
		     f->saddr != VGPU_SADDR_NONE))
			return false;
		if (f->vaddr + addr > VGPU_NUM_VGPRS)
			return false;
		if (f->format == VGPU_FMT_GLOBAL)
			b->thread = b->c->code->global(i->op, f->saddr !=
						       VGPU_S_NULL);
	}
	b->groups = vgpu_beyond(b->c, f->vaddr, addr);
	return !f->lds && !f->tfe && bind_groups(b, returns(b) ? dst : 0, src);
}

static bool bind_ds(struct binding *b)
{
	const struct vgpu_fields *f = b->f;
	unsigned int second = vgpu_type_dwords(b->info->src[2], 32);
	struct vgpu_insn *i = b->i;

	i->dst = f->dst & 255;
	i->vaddr = f->vaddr;
	i->reg[1] = f->vdata;
	i->reg[2] = f->vdata1;
	i->offset = f->offset;
	b->groups = vgpu_beyond(b->c, f->vaddr, 1) ||
		    vgpu_beyond(b->c, f->vdata1, second);
	/* The global data share (GDS) is not modelled. */
	return !f->gds && f->vdata1 + second <= VGPU_NUM_VGPRS &&
	       bind_groups(b, vgpu_type_dwords(b->info->dst, 32),
			   vgpu_type_dwords(b->info->src[1], 32));
}

static bool bind_class(struct binding *b)
{
	switch (b->info->class) {
	case VGPU_CLASS_SALU:
		return bind_scalar(b);
	case VGPU_CLASS_SPECIAL:
		bind_branch(b);
		return bind_scalar(b);
	case VGPU_CLASS_SMEM:
		return bind_smem(b);
	case VGPU_CLASS_VALU:
	case VGPU_CLASS_VCMP:
	case VGPU_CLASS_VCMPX:
		return bind_vector(b);
	case VGPU_CLASS_MIX:
		return bind_mix(b);
	case VGPU_CLASS_MEM:
		return bind_mem(b);
	case VGPU_CLASS_IMAGE:
		return bind_image(b);
	case VGPU_CLASS_DS:
		return bind_ds(b);
	}
	return false;
}

/* Set the instruction's handlers, when all wrappers are known. */
static void bind_exec(struct binding *b)
{
	struct vgpu_insn *i = b->i;

	if (!b->thread) {
		i->exec = vgpu_exec_one;
		i->one = b->one;
	} else if (b->spread >= 0) {
		i->exec = b->c->code->broadcast[b->spread];
		i->spread = b->thread;
	} else {
		i->exec = b->thread;
		i->one = b->one;
	}
}

bool vgpu_bind(struct vgpu_isa_state *c, struct vgpu_insn *i,
	       const struct vgpu_fields *f, enum vgpu_op op)
{
	struct vgpu_detail *d = &c->page->detail[vgpu_insn_index(c, i)];
	struct binding b = {
		.c = c, .i = i, .d = d, .f = f, .info = &vgpu_op_info[op],
		.one = c->handlers[op], .thread = c->threads[op], .spread = -1,
	};

	i->op = op;
	i->simm16 = f->simm16;
	if (b.one && c->excp_kind[op] != VGPU_EXCP_CPU) {
		wrap(&b, vgpu_exec_excp);
		b.thread = c->code->quiet[vgpu_excp_quiet(op)];
	}
	if (!b.one || !bind_class(&b))
		return false;
	if (b.beyond || b.groups || b.nothing)
		vgpu_complain_gpr(c, i);
	if (b.nothing) {
		wrap(&b, vgpu_exec_nothing);
		bind_exec(&b);
		return true;
	}
	if (b.groups) {
		d->prepared = b.one;
		wrap(&b, vgpu_exec_beyond);
	}
	if (b.shared) {
		d->halves = b.one;
		wrap(&b, vgpu_exec_shared);
	}
	if ((op >= VGPU_OP_S_AND_SAVEEXEC_B32 &&
	     op <= VGPU_OP_S_ANDN2_WREXEC_B64) ||
	    op == VGPU_OP_S_SUBVECTOR_LOOP_BEGIN ||
	    op == VGPU_OP_S_SUBVECTOR_LOOP_END) {
		i->guard |= VGPU_GUARD_EXEC;
		i->guard &= ~VGPU_GUARD_NULL;
	}
	if (i->guard) {
		d->guarded = b.one;
		wrap(&b, vgpu_exec_guarded);
	}
	bind_exec(&b);
	return true;
}

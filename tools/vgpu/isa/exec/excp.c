// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Collects floating-point exceptions. An addition raises the same exceptions on the CPU
 * and on the GPU, so its handler does nothing for them: inactive lanes compute with 1.0,
 * and the flags stay in MXCSR until they are read. Where the CPU's flags differ from the
 * GPU's (a comparison of NaN, a handler that consists of several instructions, half
 * precision), the operation is wrapped.
 */
#include "isa/exec/excp.h"
#include "isa/exec/excp_computed.h"
#include "isa/exec/lanes.h"

/* The flags of MXCSR, which have the same order as those of a wave */
#define EXCP_FP		VGPU_MXCSR_FLAGS
#define EXCP_SIGNALS	(WAVE_EXCP_INVALID | WAVE_EXCP_DENORM)

/* VGPU_EXCP_CPU */
static const u16 cpu_flags[] = {
	VGPU_OP_V_ADD_F32, VGPU_OP_V_SUB_F32, VGPU_OP_V_SUBREV_F32,
	VGPU_OP_V_MUL_F32, VGPU_OP_V_FMA_F32, VGPU_OP_V_FMAC_F32,
	VGPU_OP_V_FMAMK_F32, VGPU_OP_V_FMAAK_F32,
	VGPU_OP_V_RCP_F32, VGPU_OP_V_RSQ_F32, VGPU_OP_V_SQRT_F32,
	VGPU_OP_V_CVT_F32_I32, VGPU_OP_V_CVT_F32_U32,
	VGPU_OP_V_CVT_F32_UBYTE0, VGPU_OP_V_CVT_F32_UBYTE1,
	VGPU_OP_V_CVT_F32_UBYTE2, VGPU_OP_V_CVT_F32_UBYTE3,
	VGPU_OP_V_ADD_F64, VGPU_OP_V_MUL_F64, VGPU_OP_V_FMA_F64,
	VGPU_OP_V_RCP_F64, VGPU_OP_V_RSQ_F64, VGPU_OP_V_SQRT_F64,
	VGPU_OP_V_CVT_F64_I32, VGPU_OP_V_CVT_F64_U32, VGPU_OP_V_CVT_F64_F32,
	VGPU_OP_V_CVT_F32_F64, VGPU_OP_V_FMA_MIX_F32, VGPU_OP_V_FMA_MIXLO_F16,
	VGPU_OP_V_FMA_MIXHI_F16, VGPU_OP_V_PACK_B32_F16,
};

/* VGPU_EXCP_SOFT: computed in software, so the CPU's flags lack that for denormal sources */
static const u16 soft[] = {
	VGPU_OP_V_DIV_FMAS_F32, VGPU_OP_V_DIV_FMAS_F64,
	VGPU_OP_V_DOT2_F32_F16, VGPU_OP_V_DOT2C_F32_F16,
};

/* VGPU_EXCP_NONE. V_DIV_FIXUP raises exceptions of a whole division, V_DIV_SCALE none. */
static const u16 nothing[] = {
	VGPU_OP_V_DIV_SCALE_F32, VGPU_OP_V_DIV_SCALE_F64,
	VGPU_OP_V_CMP_CLASS_F32, VGPU_OP_V_CMPX_CLASS_F32,
	VGPU_OP_V_CMP_CLASS_F64, VGPU_OP_V_CMPX_CLASS_F64,
	VGPU_OP_V_FREXP_EXP_I32_F32, VGPU_OP_V_FREXP_EXP_I32_F64,
	VGPU_OP_V_FREXP_MANT_F32, VGPU_OP_V_FREXP_MANT_F64,
	VGPU_OP_V_FREXP_EXP_I16_F16, VGPU_OP_V_FREXP_MANT_F16,
	VGPU_OP_V_CMP_CLASS_F16, VGPU_OP_V_CMPX_CLASS_F16,
};

/* VGPU_EXCP_COMPUTED */
static const u16 computed[] = {
	VGPU_OP_V_MUL_LEGACY_F32,
	VGPU_OP_V_RCP_IFLAG_F32, VGPU_OP_V_LDEXP_F32, VGPU_OP_V_LDEXP_F64,
	VGPU_OP_V_DIV_FIXUP_F32, VGPU_OP_V_DIV_FIXUP_F64,
	VGPU_OP_V_CVT_I32_F32, VGPU_OP_V_CVT_U32_F32,
	VGPU_OP_V_CVT_RPI_I32_F32, VGPU_OP_V_CVT_FLR_I32_F32,
	VGPU_OP_V_CVT_I32_F64, VGPU_OP_V_CVT_U32_F64,
	VGPU_OP_V_CVT_I16_F16, VGPU_OP_V_CVT_U16_F16,
	VGPU_OP_V_CVT_F16_I16, VGPU_OP_V_CVT_F16_U16, VGPU_OP_V_CVT_F16_F32,
	VGPU_OP_V_ADD_F16, VGPU_OP_V_SUB_F16, VGPU_OP_V_SUBREV_F16,
	VGPU_OP_V_MUL_F16, VGPU_OP_V_FMA_F16, VGPU_OP_V_FMAC_F16,
	VGPU_OP_V_RCP_F16, VGPU_OP_V_SQRT_F16, VGPU_OP_V_RSQ_F16,
	VGPU_OP_V_FMAMK_F16, VGPU_OP_V_FMAAK_F16, VGPU_OP_V_LDEXP_F16,
	VGPU_OP_V_DIV_FIXUP_F16, VGPU_OP_V_PK_ADD_F16, VGPU_OP_V_PK_MUL_F16,
	VGPU_OP_V_PK_FMA_F16, VGPU_OP_V_PK_FMAC_F16,
	VGPU_OP_V_FMA_LEGACY_F32, VGPU_OP_V_FMAC_LEGACY_F32,
};

static bool contains(const u16 *ops, size_t num, enum vgpu_op op)
{
	while (num--) {
		if (ops[num] == op)
			return true;
	}
	return false;
}

/* Any operation on floats has F16, F32 or F64 in its name. */
static bool is_float(enum vgpu_op op)
{
	const char *name = vgpu_op_info[op].name;

	return strstr(name, "F16") || strstr(name, "F32") ||
	       strstr(name, "F64");
}

enum vgpu_excp_kind vgpu_excp_kind(enum vgpu_op op)
{
	if (!is_float(op) || contains(cpu_flags, ARRAY_SIZE(cpu_flags), op))
		return VGPU_EXCP_CPU;
	if (contains(soft, ARRAY_SIZE(soft), op))
		return VGPU_EXCP_SOFT;
	if (contains(nothing, ARRAY_SIZE(nothing), op))
		return VGPU_EXCP_NONE;
	if (contains(computed, ARRAY_SIZE(computed), op))
		return VGPU_EXCP_COMPUTED;
	switch (vgpu_op_info[op].class) {
	case VGPU_CLASS_VALU:
	case VGPU_CLASS_VCMP:
	case VGPU_CLASS_VCMPX:
		return VGPU_EXCP_SIGNALS;
	}
	return VGPU_EXCP_NONE;
}

unsigned int vgpu_excp_quiet(enum vgpu_op op)
{
	const struct vgpu_op_info *info = &vgpu_op_info[op];

	switch (op) {
	case VGPU_OP_V_MIN3_F32:
	case VGPU_OP_V_MAX3_F32:
	case VGPU_OP_V_MED3_F32:
		return 3;
	case VGPU_OP_V_MIN_F32:
	case VGPU_OP_V_MAX_F32:
		return 2;
	default:
		return (info->class == VGPU_CLASS_VCMP ||
			info->class == VGPU_CLASS_VCMPX) &&
		       info->src[0] == VGPU_T_F32 &&
		       info->src[1] == VGPU_T_F32 ? 2 : 0;
	}
}

/* Does the operation treat denormals as zero, without an exception? */
static bool flushes(enum vgpu_op op)
{
	return op == VGPU_OP_V_EXP_F32 || op == VGPU_OP_V_LOG_F32;
}

/* Get the exceptions for signalling NaNs and denormals among the sources. */
static u32 signals(struct vgpu_isa_state *c, const struct vgpu_insn *i)
{
	u32 bits = 0;
	unsigned int k;

	for (k = 0; k < 3; k++) {
		enum vgpu_type type = vgpu_detail(c, i)->src[k].type;

		if (type == VGPU_T_B16 && (i->op == VGPU_OP_V_CVT_F32_F16 ||
					   i->op == VGPU_OP_V_DIV_FIXUP_F16))
			type = VGPU_T_F16;
		/* The addend of V_PK_FMAC is its destination. */
		if (type == VGPU_T_DB32 && i->op == VGPU_OP_V_PK_FMAC_F16)
			type = VGPU_T_PF16;
		if (vgpu_type_is_float(type))
			bits |= c->code->signals(c, vgpu_row(c, i, k), type);
	}
	return flushes(i->op) ? bits & WAVE_EXCP_INVALID : bits;
}

/*
 * Get the exceptions to look for: those that are not set yet; all, if one is enabled, because
 * the wave must then trap at each of them.
 */
static u32 unknown(const struct vgpu_isa_state *c, u32 csr)
{
	if (c->w->excp_en & WAVE_EXCP_ARITH)
		return EXCP_FP;
	return ~(c->w->excp | c->excp | csr) & EXCP_FP;
}

const struct vgpu_insn *vgpu_exec_excp(struct vgpu_isa_state *c,
				       const struct vgpu_insn *i)
{
	enum vgpu_excp_kind kind = c->excp_kind[i->op];
	u32 csr = _mm_getcsr(), ask = unknown(c, csr);
	const struct vgpu_insn *next;

	if (i->op == VGPU_OP_V_RCP_IFLAG_F32)
		ask = EXCP_FP;
	else if (kind != VGPU_EXCP_NONE && ask & EXCP_SIGNALS)
		c->excp |= signals(c, i);
	if (kind == VGPU_EXCP_COMPUTED && ask)
		c->excp |= vgpu_excp_computed(c, i);
	next = c->handlers[i->op](c, i);
	/* The flags that the handler has raised on the CPU are not those of the wave. */
	if (kind != VGPU_EXCP_SOFT && _mm_getcsr() != csr)
		_mm_setcsr(csr);
	return next;
}

u32 vgpu_excp_take(struct vgpu_isa_state *c)
{
	u32 csr = _mm_getcsr(), bits = c->excp | (csr & EXCP_FP);

	if (csr & EXCP_FP)
		_mm_setcsr(csr & ~EXCP_FP);
	c->excp = 0;
	return bits;
}

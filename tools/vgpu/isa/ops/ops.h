/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The semantic operations: what instructions do, whatever a generation's
 * encoding of them. They are listed in ops_*.def, one line each, from which
 * the enum, the descriptions and the functions that execute them are made.
 */
#ifndef VGPU_ISA_OPS_H
#define VGPU_ISA_OPS_H

#include "types.h"

/*
 * Operand types. The letter tells how the value is read (Unsigned, signed
 * Integer, Float, plain Bits), the number its width.
 */
enum vgpu_type {
	VGPU_T__,	/* no such operand */
	VGPU_T_B16, VGPU_T_U16, VGPU_T_I16, VGPU_T_F16,
	VGPU_T_B32, VGPU_T_U32, VGPU_T_I32, VGPU_T_F32,
	VGPU_T_B64, VGPU_T_U64, VGPU_T_I64, VGPU_T_F64,
	VGPU_T_B96, VGPU_T_B128, VGPU_T_B256, VGPU_T_B512,
	VGPU_T_M,	/* lane mask: one or two SGPRs by the wave size */
	VGPU_T_S32,	/* an SGPR where others have a VGPR */
	VGPU_T_KI,	/* 16-bit immediate, sign-extended */
	VGPU_T_KU,	/* the same, zero-extended */
	VGPU_T_KF32,	/* literal in the middle of the operands */
	VGPU_T_DF32,	/* the destination register is also a source */
	VGPU_T_DF16, VGPU_T_DB32,
	VGPU_T_KF16,
	VGPU_T_PF16,	/* two of 16 bits, floats or integers */
	VGPU_T_PI16,
	VGPU_NUM_TYPES,
	VGPU_T_CF16 = VGPU_T_F16, /* a result that is a source, not flushed */
};

/* Which file executes it, hence which rules of preparation it follows. */
enum vgpu_op_class {
	VGPU_CLASS_NONE,
	VGPU_CLASS_SALU,
	VGPU_CLASS_SPECIAL,	/* scalar, with effects beyond registers */
	VGPU_CLASS_SMEM,
	VGPU_CLASS_VALU,
	VGPU_CLASS_VCMP,
	VGPU_CLASS_VCMPX,	/* writes EXEC */
	VGPU_CLASS_MIX,		/* VOP3P: each source 32 or 16 bits */
	VGPU_CLASS_MEM,
	VGPU_CLASS_IMAGE,
	VGPU_CLASS_DS,
};

enum vgpu_op {
	VGPU_OP_NONE,
#define S(name, ...) VGPU_OP_##name,
#define C(name, ...) VGPU_OP_##name,
#define E(name, ...) VGPU_OP_##name,
#define X(name, ...) VGPU_OP_##name,
#define V(name, ...) VGPU_OP_##name,
#define M(name, ...) VGPU_OP_##name,
#define D(name, ...) VGPU_OP_##name,
#define P(name, ...) VGPU_OP_V_CMP_##name, VGPU_OP_V_CMPX_##name,
#include "isa/ops/ops_salu.def"
#include "isa/ops/ops_special.def"
#include "isa/ops/ops_valu.def"
#include "isa/ops/ops_vpacked.def"
#include "isa/ops/ops_vmedia.def"
#include "isa/ops/ops_vcmp.def"
#include "isa/ops/ops_vmisc.def"
#include "isa/ops/ops_mem.def"
#include "isa/ops/ops_image.def"
#include "isa/ops/ops_ds.def"
#undef S
#undef C
#undef E
#undef X
#undef V
#undef M
#undef D
#undef P
	VGPU_NUM_OPS,
};

struct vgpu_op_info {
	const char *name;	/* of the enum, without VGPU_OP_ */
	u8 class;
	u8 dst;			/* enum vgpu_type */
	u8 sdst;		/* second destination: carry out */
	u8 src[3];
};

extern const struct vgpu_op_info vgpu_op_info[VGPU_NUM_OPS];

/* Registers that an operand of the type takes. */
unsigned int vgpu_type_dwords(enum vgpu_type type, unsigned int lanes);
bool vgpu_type_is_float(enum vgpu_type type);

#endif /* VGPU_ISA_OPS_H */

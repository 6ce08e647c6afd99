/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operations: what instructions do, independent of their encoding in a generation. They are
 * listed in ops_*.def, one line each, from which the enum, the descriptions and the
 * functions that execute them are generated.
 */
#ifndef VGPU_ISA_OPS_H
#define VGPU_ISA_OPS_H

#include "types.h"

/*
 * Operand types. The letter is the interpretation of the value (Unsigned, signed Integer,
 * Float, plain Bits), the number its width.
 */
enum vgpu_type {
	VGPU_T__,	/* no such operand */
	VGPU_T_B16, VGPU_T_U16, VGPU_T_I16, VGPU_T_F16,
	VGPU_T_B32, VGPU_T_U32, VGPU_T_I32, VGPU_T_F32,
	VGPU_T_B64, VGPU_T_U64, VGPU_T_I64, VGPU_T_F64,
	VGPU_T_B96, VGPU_T_B128, VGPU_T_B256, VGPU_T_B512,
	VGPU_T_M,	/* lane mask: one or two SGPRs by the wave size */
	VGPU_T_S32,	/* an SGPR, where other operations have a VGPR */
	VGPU_T_KI,	/* 16-bit immediate, sign-extended */
	VGPU_T_KU,	/* the same, zero-extended */
	VGPU_T_KF32,	/* literal in the middle of the operands */
	VGPU_T_DF32,	/* the destination register is also a source */
	VGPU_T_DF16, VGPU_T_DB32,
	VGPU_T_KF16,
	VGPU_T_PF16,	/* two of 16 bits, floats or integers */
	VGPU_T_PI16,
	VGPU_NUM_TYPES,
	VGPU_T_CF16 = VGPU_T_F16, /* a result that is one of the sources: not flushed */
};

/* Classes of operations, by the file that executes them and the binding of operands. */
enum vgpu_op_class {
	VGPU_CLASS_NONE,
	VGPU_CLASS_SALU,
	VGPU_CLASS_SPECIAL,	/* scalar, with effects beyond registers */
	VGPU_CLASS_SMEM,
	VGPU_CLASS_VALU,
	VGPU_CLASS_VCMP,
	VGPU_CLASS_VCMPX,	/* writes EXEC */
	VGPU_CLASS_MIX,		/* VOP3P: each source has 32 or 16 bits */
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
	const char *name;	/* name in the enum, without VGPU_OP_ */
	u8 class;
	u8 dst;			/* enum vgpu_type */
	u8 sdst;		/* second destination: carry out */
	u8 src[3];
};

extern const struct vgpu_op_info vgpu_op_info[VGPU_NUM_OPS];

/* Get the number of registers for an operand of the type. */
unsigned int vgpu_type_dwords(enum vgpu_type type, unsigned int lanes);
bool vgpu_type_is_float(enum vgpu_type type);

#endif /* VGPU_ISA_OPS_H */

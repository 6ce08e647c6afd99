// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Descriptions of the operations and of the operand types.
 */
#include "isa/ops/ops.h"

#define T(t) VGPU_T_##t

const struct vgpu_op_info vgpu_op_info[VGPU_NUM_OPS] = {
	[VGPU_OP_NONE] = { .name = "NONE" },
#define S(n, d, a, b, ...) \
	[VGPU_OP_##n] = { #n, VGPU_CLASS_SALU, T(d), 0, { T(a), T(b), 0 } },
#define C(n, a, b, ...) \
	[VGPU_OP_##n] = { #n, VGPU_CLASS_SALU, 0, 0, { T(a), T(b), 0 } },
#define E(n, t, ...) \
	[VGPU_OP_##n] = { #n, VGPU_CLASS_SALU, T(t), 0, { T(t), 0, 0 } },
#include "isa/ops/ops_salu.def"
#define X(n, class, d, sd, a, b, c) \
	[VGPU_OP_##n] = { #n, VGPU_CLASS_##class, T(d), T(sd), \
			  { T(a), T(b), T(c) } },
#include "isa/ops/ops_special.def"
#include "isa/ops/ops_vmisc.def"
#define V(n, d, a, b, c, ...) \
	[VGPU_OP_##n] = { #n, VGPU_CLASS_VALU, T(d), 0, \
			  { T(a), T(b), T(c) } },
#include "isa/ops/ops_valu.def"
#include "isa/ops/ops_vpacked.def"
#include "isa/ops/ops_vmedia.def"
#define P(n, a, b, ...) \
	[VGPU_OP_V_CMP_##n] = { "V_CMP_" #n, VGPU_CLASS_VCMP, 0, T(M), \
				{ T(a), T(b), 0 } }, \
	[VGPU_OP_V_CMPX_##n] = { "V_CMPX_" #n, VGPU_CLASS_VCMPX, 0, 0, \
				 { T(a), T(b), 0 } },
#include "isa/ops/ops_vcmp.def"
#define M(n, class, d, s) \
	[VGPU_OP_##n] = { #n, VGPU_CLASS_##class, T(d), 0, { 0, T(s), 0 } },
#include "isa/ops/ops_mem.def"
#include "isa/ops/ops_image.def"
#define D(n, d, s0, s1, ...) \
	[VGPU_OP_##n] = { #n, VGPU_CLASS_DS, T(d), 0, { 0, T(s0), T(s1) } },
#include "isa/ops/ops_ds.def"
};

unsigned int vgpu_type_dwords(enum vgpu_type type, unsigned int lanes)
{
	switch (type) {
	case T(_):
	case T(KI):
	case T(KU):
		return 0;
	case T(B64):
	case T(U64):
	case T(I64):
	case T(F64):
		return 2;
	case T(B96):
		return 3;
	case T(B128):
		return 4;
	case T(B256):
		return 8;
	case T(B512):
		return 16;
	case T(M):
		return lanes / 32;
	default:
		return 1;
	}
}

bool vgpu_type_is_float(enum vgpu_type type)
{
	switch (type) {
	case T(F16):
	case T(F32):
	case T(F64):
	case T(DF16):
	case T(DF32):
	case T(PF16):
		return true;
	default:
		return false;
	}
}

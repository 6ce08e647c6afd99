// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inline constants: operand numbers that mean a constant value.
 */
#include "isa/internal.h"

static u64 float_const(unsigned int n, enum vgpu_type type)
{
	/* 0.5, -0.5, 1, -1, 2, -2, 4, -4, 1 / (2 * pi) */
	static const u16 f16[] = { 0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
				   0xc000, 0x4400, 0xc400, 0x3118 };
	static const u32 f32[] = { 0x3f000000, 0xbf000000, 0x3f800000,
				   0xbf800000, 0x40000000, 0xc0000000,
				   0x40800000, 0xc0800000, 0x3e22f983 };
	static const u64 f64[] = { 0x3fe0000000000000ULL, 0xbfe0000000000000ULL,
				   0x3ff0000000000000ULL, 0xbff0000000000000ULL,
				   0x4000000000000000ULL, 0xc000000000000000ULL,
				   0x4010000000000000ULL, 0xc010000000000000ULL,
				   0x3fc45f306dc9c882ULL };

	switch (type) {
	case VGPU_T_F16:
	case VGPU_T_B16:
	case VGPU_T_U16:
	case VGPU_T_I16:
	case VGPU_T_DF16:
	case VGPU_T_PF16:
		return f16[n];
	case VGPU_T_F64:
	case VGPU_T_B64:
	case VGPU_T_U64:
	case VGPU_T_I64:
		return f64[n];
	default:
		return f32[n];
	}
}

u64 vgpu_inline_const(unsigned int src, enum vgpu_type type)
{
	s64 v;

	if (src >= VGPU_SRC_HALF)
		return float_const(src - VGPU_SRC_HALF, type);
	v = src <= 192 ? (s64)src - 128 : 192 - (s64)src;
	return vgpu_type_dwords(type, 32) == 2 ? (u64)v : (u32)v;
}

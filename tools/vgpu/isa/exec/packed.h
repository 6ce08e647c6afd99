/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several values in one register: packed arithmetic of 16 bits, and dot products.
 * modifiers.c has already selected the halves of sources and their signs, so here bits 15:0
 * are always the lower value.
 */
#ifndef VGPU_ISA_PACKED_H
#define VGPU_ISA_PACKED_H

#include "isa/exec/fmath.h"

/* Limit @v to the range of @bits bits. */
static inline s64 vgpu_limit_i(s64 v, unsigned int bits)
{
	s64 max = (s64)(BIT_ULL(bits - 1) - 1);

	return v > max ? max : v < -max - 1 ? -max - 1 : v;
}

static inline s64 vgpu_limit_u(s64 v, unsigned int bits)
{
	s64 max = (s64)(BIT_ULL(bits) - 1);

	return v > max ? max : v < 0 ? 0 : v;
}

/* Define vgpu_pk_NAME(), which computes EXPR of x, y and z, of type T, for each half. */
#define PACKED(name, T, expr) \
static inline u32 vgpu_pk_##name(u32 a, u32 b, u32 s) \
{ \
	u32 r = 0; \
	unsigned int h; \
	\
	for (h = 0; h < 32; h += 16) { \
		const T x = (T)(a >> h), y = (T)(b >> h), z = (T)(s >> h); \
	\
		(void)z; \
		r |= (u32)(u16)(expr) << h; \
	} \
	return r; \
}

PACKED(add, u16, x + y)
PACKED(sub, u16, x - y)
PACKED(mul, u16, (u32)x * y)
PACKED(mad, u16, (u32)x * y + z)
PACKED(shl, u16, y << (x & 15))
PACKED(shr, u16, y >> (x & 15))
PACKED(sar, s16, y >> (x & 15))
PACKED(min_i, s16, MIN2(x, y))
PACKED(max_i, s16, MAX2(x, y))
PACKED(min_u, u16, MIN2(x, y))
PACKED(max_u, u16, MAX2(x, y))
PACKED(add_sat_i, s16, vgpu_limit_i((s64)x + y, 16))
PACKED(sub_sat_i, s16, vgpu_limit_i((s64)x - y, 16))
PACKED(mad_sat_i, s16, vgpu_limit_i((s64)x * y + z, 16))
PACKED(add_sat_u, u16, vgpu_limit_u((s64)x + y, 16))
PACKED(sub_sat_u, u16, vgpu_limit_u((s64)x - y, 16))
PACKED(mad_sat_u, u16, vgpu_limit_u((s64)x * y + z, 16))
#undef PACKED

/*
 * Compute a * b + s of 16-bit floats such that rounding the result to 16 bits is the same as
 * rounding the exact value: the last bit of the double is set if the result is inexact.
 */
static inline double vgpu_fma_f16(double a, double b, double s)
{
	__float128 exact = (__float128)(a * b) + s;
	double r = (double)exact;
	u64 v = vgpu_of_f64(r);

	if ((__float128)r == exact || !isfinite(r))
		return r;
	/* Round toward zero, then to odd. */
	if ((exact > 0 && r > exact) || (exact < 0 && r < exact))
		v--;
	return vgpu_as_f64(v | 1);
}

static inline double vgpu_half(const struct vgpu_isa_state *c, u32 v,
			       unsigned int h)
{
	return vgpu_f16_read(c, v >> h & 0xffff);
}

/* The same for 16-bit floats. @put: the function that converts the result to 16 bits */
#define PACKED_F16(name, put, expr) \
static inline u32 vgpu_pk_##name(const struct vgpu_isa_state *c, u32 a, \
				 u32 b, u32 s) \
{ \
	u32 r = 0; \
	unsigned int h; \
	\
	for (h = 0; h < 32; h += 16) { \
		const double x = vgpu_half(c, a, h), y = vgpu_half(c, b, h); \
		const double z = vgpu_half(c, s, h); \
	\
		(void)z; \
		r |= put(c, expr) << h; \
	} \
	return r; \
}

PACKED_F16(add_f16, vgpu_f16_from, x + y)
PACKED_F16(mul_f16, vgpu_f16_from, x * y)
PACKED_F16(fma_f16, vgpu_f16_from, vgpu_fma_f16(x, y, z))
PACKED_F16(min_f16, vgpu_f16_same, vgpu_min_f64(c, x, y))
PACKED_F16(max_f16, vgpu_f16_same, vgpu_max_f64(c, x, y))
#undef PACKED_F16

/* Get field @n of the fields of @bits bits in @v. */
static inline s64 vgpu_field_i(u32 v, unsigned int n, unsigned int bits)
{
	return (s32)(v << (32 - bits * (n + 1))) >> (32 - bits);
}

static inline s64 vgpu_field_u(u32 v, unsigned int n, unsigned int bits)
{
	return v << (32 - bits * (n + 1)) >> (32 - bits);
}

/* Add the products of all fields of @bits bits, and @s. */
static inline s64 vgpu_dot_i(u32 a, u32 b, s32 s, unsigned int bits)
{
	s64 r = s;
	unsigned int n;

	for (n = 0; n < 32 / bits; n++)
		r += vgpu_field_i(a, n, bits) * vgpu_field_i(b, n, bits);
	return r;
}

static inline s64 vgpu_dot_u(u32 a, u32 b, u32 s, unsigned int bits)
{
	s64 r = s;
	unsigned int n;

	for (n = 0; n < 32 / bits; n++)
		r += vgpu_field_u(a, n, bits) * vgpu_field_u(b, n, bits);
	return r;
}

/* The products are exact. They are added one after the other, that of the lower half first. */
static inline float vgpu_dot_f16(const struct vgpu_isa_state *c, u32 a, u32 b,
				 float s)
{
	s = __builtin_fmaf((float)vgpu_half(c, a, 0), (float)vgpu_half(c, b, 0),
			   s);
	return __builtin_fmaf((float)vgpu_half(c, a, 16),
			      (float)vgpu_half(c, b, 16), s);
}

#endif /* VGPU_ISA_PACKED_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of vector instructions for graphics and video: bytes, normalised integers, cube
 * maps; and those of 16-bit floats.
 */
#ifndef VGPU_ISA_GMATH_H
#define VGPU_ISA_GMATH_H

#include "isa/exec/packed.h"

/* Add absolute differences of bytes; @masked: leave out bytes where that of b is 0. */
static inline u32 vgpu_sad_u8(u32 a, u32 b, bool masked)
{
	u32 sum = 0;
	unsigned int n;

	for (n = 0; n < 4; n++) {
		u32 x = a >> 8 * n & 255, y = b >> 8 * n & 255;

		if (!masked || y)
			sum += x > y ? x - y : y - x;
	}
	return sum;
}

static inline u32 vgpu_sad_u16(u32 a, u32 b)
{
	u32 xl = a & 0xffff, yl = b & 0xffff, xh = a >> 16, yh = b >> 16;

	return (xl > yl ? xl - yl : yl - xl) + (xh > yh ? xh - yh : yh - xh);
}

/* Compute four sums, for the bytes of a from 0, 1, 2 and 3 on, and add each to 16 bits of s. */
static inline u64 vgpu_qsad(u64 a, u32 b, u64 s, bool masked, bool saturate)
{
	u64 r = 0;
	unsigned int n;

	for (n = 0; n < 4; n++) {
		u32 v = vgpu_sad_u8((u32)(a >> 8 * n), b, masked) +
			(u32)(s >> 16 * n & 0xffff);

		if (saturate)
			v = MIN2(v, 0xffffU);
		r |= (u64)(v & 0xffff) << 16 * n;
	}
	return r;
}

/* Get the mean of each pair of bytes, rounded up where bit 0 of the byte of s is set. */
static inline u32 vgpu_lerp_u8(u32 a, u32 b, u32 s)
{
	u32 r = 0;
	unsigned int n;

	for (n = 0; n < 32; n += 8)
		r |= ((a >> n & 255) + (b >> n & 255) + (s >> n & 1)) >> 1 << n;
	return r;
}

static inline u32 vgpu_sat_pk_u8(u32 a)
{
	return (u32)vgpu_limit_u((s16)a, 8) |
	       (u32)vgpu_limit_u((s16)(a >> 16), 8) << 8;
}

/* Replace byte @b of @s by @a, rounded as MODE says. */
static inline u32 vgpu_cvt_pk_u8(float a, u32 b, u32 s)
{
	unsigned int at = 8 * (b & 3);
	u32 v = !(a > 0) ? 0 : a >= 255.0f ? 255 : (u32)__builtin_rintf(a);

	return (s & ~(255U << at)) | v << at;
}

/* Convert to normalised integers: 1.0 becomes the largest integer of 16 bits. */
static inline u32 vgpu_snorm16(double v)
{
	v = v > 1 ? 1 : v < -1 ? -1 : v;
	return v != v ? 0 : (u32)(s32)__builtin_roundeven(v * 32767) & 0xffff;
}

static inline u32 vgpu_unorm16(double v)
{
	return !(v > 0) ? 0 : (u32)__builtin_roundeven(MIN2(v, 1.0) * 65535);
}

/* Convert four signed bits, in sixteenths: 8 is -0.5. */
static inline float vgpu_off_i4(u32 v)
{
	return (float)((s32)(v << 28) >> 28) / 16;
}

/* Cube maps: get the axis of the face, which is that of the largest coordinate. */
static inline unsigned int vgpu_cube_axis(float x, float y, float z)
{
	x = fabsf(x);
	y = fabsf(y);
	z = fabsf(z);
	return z >= x && z >= y ? 2 : y >= x ? 1 : 0;
}

static inline float vgpu_cube_id(float x, float y, float z)
{
	unsigned int axis = vgpu_cube_axis(x, y, z);
	float major = axis == 2 ? z : axis == 1 ? y : x;

	return (float)(2 * axis + (major < 0));
}

static inline float vgpu_cube_s(float x, float y, float z)
{
	switch (vgpu_cube_axis(x, y, z)) {
	case 2:
		return z < 0 ? -x : x;
	case 1:
		return x;
	}
	return x < 0 ? z : -z;
}

static inline float vgpu_cube_t(float x, float y, float z)
{
	if (vgpu_cube_axis(x, y, z) == 1)
		return y < 0 ? -z : z;
	return -y;
}

static inline float vgpu_cube_major(float x, float y, float z)
{
	unsigned int axis = vgpu_cube_axis(x, y, z);

	return 2 * (axis == 2 ? z : axis == 1 ? y : x);
}

/* V_MULLIT, for lighting: no specular term if s is not positive or b is invalid. */
static inline float vgpu_mullit(float a, float b, float s)
{
	if (b == -FLT_MAX || b == -INFINITY || b != b || s <= 0 || s != s)
		return -FLT_MAX;
	return a == 0 || b == 0 ? 0 : a * b;
}

static inline float vgpu_fma_legacy(float a, float b, float s)
{
	return a == 0 || b == 0 ? 0.0f + s : __builtin_fmaf(a, b, s);
}

/* exec_div.c: get a part of 2 / pi for the reduction of @a. */
double vgpu_trig_preop(double a, u32 segment);

/* Functions of 16-bit floats, as doubles */

static inline double vgpu_fract_f16(double a)
{
	double r = a - vgpu_floor_f64(a);

	/* A fraction is less than 1: limit it to the largest such 16-bit float. */
	return r > 2047.0 / 2048 ? 2047.0 / 2048 : r;
}

/* The limits of the exponent are far beyond those of 16-bit floats. */
static inline double vgpu_ldexp_f16(double a, s32 e)
{
	return ldexp(a, e > 64 ? 64 : e < -64 ? -64 : e);
}

static inline double vgpu_med3_f16(const struct vgpu_isa_state *c, double a,
				   double b, double s)
{
	double lo = vgpu_min_f64(c, a, b), hi = vgpu_max_f64(c, a, b);

	if (a != a || b != b || s != s)
		return vgpu_min_f64(c, lo, s);
	return vgpu_max_f64(c, lo, vgpu_min_f64(c, hi, s));
}

/* V_DIV_FIXUP on bits, which keeps the payload of a NaN; there is no underflow. */
static inline u32 vgpu_div_fixup_f16(const struct vgpu_isa_state *c, u32 q,
				     u32 den, u32 num)
{
	static const struct vgpu_div_width width = { 16, 10, 0 };

	return (u32)vgpu_div_fixup(&width,
				   vgpu_f16_flush(c->daz64 || c->ftz64, q),
				   vgpu_f16_flush(c->daz64, den),
				   vgpu_f16_flush(c->daz64, num), 0);
}

static inline u32 vgpu_class_f16(u32 v)
{
	return vgpu_class(v, 16, 10);
}

#endif /* VGPU_ISA_GMATH_H */

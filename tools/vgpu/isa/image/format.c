// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Conversion of texels. The meaning of numbers is that of Vulkan 1.3, chapters "Fixed-Point
 * Data Conversions" and "Formats"; where these leave a choice, results are rounded to
 * nearest even. Of integers that are too large, the low bits are stored.
 */
#include "isa/exec/fmath.h"
#include "isa/image/format.h"

#include <math.h>
#include <string.h>

bool vgpu_format_is_integer(const struct vgpu_format_info *f)
{
	return f->number == VGPU_UINT || f->number == VGPU_SINT;
}

static u32 low_bits(unsigned int n)
{
	return n < 32 ? (1U << n) - 1 : ~0U;
}

u32 vgpu_half_of(u32 v)
{
	return vgpu_f16_round((double)vgpu_as_f32(v), 0, false);
}

u32 vgpu_of_half(u32 v)
{
	return vgpu_of_f32((float)vgpu_f16_value(v));
}

/* Floats of 11 and 10 bits are half floats without a sign and with a shorter fraction. */
static u32 small_float_unpack(u32 v, unsigned int bits)
{
	return vgpu_of_half(v << (15 - bits));
}

static u32 small_float_pack(u32 v, unsigned int bits)
{
	unsigned int fraction = bits - 5;
	u32 infinite = 31U << fraction;
	double f = (double)vgpu_as_f32(v);
	int exponent;
	double whole;

	if (isnan(f))
		return infinite | 1U << (fraction - 1);
	if (f <= 0)
		return 0;
	if (isinf(f))
		return infinite;
	exponent = ilogb(f);
	if (exponent < -14)
		exponent = -14;
	whole = rint(ldexp(f, (int)fraction - exponent));
	if (exponent > 15 || ldexp(whole, exponent - (int)fraction) >= 65536)
		return infinite - 1;
	/* A carry of the rounded fraction increments the exponent. */
	return ((u32)(exponent + 14) << fraction) + (u32)whole;
}

static double srgb_to_linear(double c)
{
	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double linear_to_srgb(double c)
{
	return c <= 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1 / 2.4) - 0.055;
}

static s32 sign_extend(u32 v, unsigned int bits)
{
	return (s32)(v << (32 - bits)) >> (32 - bits);
}

static u32 unpack_one(const struct vgpu_format_info *f, unsigned int k, u32 v)
{
	unsigned int bits = f->bits[k];
	double c;

	switch (f->number) {
	case VGPU_UNORM:
		return vgpu_of_f32((float)((double)v / low_bits(bits)));
	case VGPU_SNORM:
		c = (double)sign_extend(v, bits) / low_bits(bits - 1);
		return vgpu_of_f32((float)(c < -1 ? -1 : c));
	case VGPU_USCALED:
		return vgpu_of_f32((float)v);
	case VGPU_SSCALED:
		return vgpu_of_f32((float)sign_extend(v, bits));
	case VGPU_SINT:
		return (u32)sign_extend(v, bits);
	case VGPU_FLOAT:
		return bits == 32 ? v : bits == 16 ? vgpu_of_half(v) :
		       small_float_unpack(v, bits);
	case VGPU_SRGB:
		c = (double)v / 255;
		return vgpu_of_f32((float)(k == 3 ? c : srgb_to_linear(c)));
	default:
		return v;
	}
}

static u32 norm(double c, double lowest, double most)
{
	if (isnan(c))
		return 0;
	c = c < lowest ? lowest : c > 1 ? 1 : c;
	return (u32)(s32)(s64)rint(c * most);
}

static u32 scaled(double c, double lowest, double most)
{
	if (isnan(c))
		return 0;
	c = c < lowest ? lowest : c > most ? most : c;
	return (u32)(s64)trunc(c);
}

static u32 pack_one(const struct vgpu_format_info *f, unsigned int k, u32 v)
{
	unsigned int bits = f->bits[k];
	double c = (double)vgpu_as_f32(v), most;

	switch (f->number) {
	case VGPU_UNORM:
		return norm(c, 0, low_bits(bits));
	case VGPU_SNORM:
		return norm(c, -1, low_bits(bits - 1));
	case VGPU_USCALED:
		return scaled(c, 0, low_bits(bits));
	case VGPU_SSCALED:
		most = low_bits(bits - 1);
		return scaled(c, -most - 1, most);
	case VGPU_FLOAT:
		return bits == 32 ? v : bits == 16 ? vgpu_half_of(v) :
		       small_float_pack(v, bits);
	case VGPU_SRGB:
		return norm(k == 3 || !(c > 0 && c < 1) ? c : linear_to_srgb(c),
			    0, 255);
	default:
		return v;
	}
}

/* Three fractions of 9 bits and one exponent of 5 bits with a bias of 15. */
static void shared_unpack(u32 data, u32 *v)
{
	int exponent = (int)(data >> 27) - 15 - 9;
	unsigned int k;

	for (k = 0; k < 3; k++)
		v[k] = vgpu_of_f32((float)ldexp(data >> 9 * k & 0x1ff,
						exponent));
}

/* "Conversion from Floating-Point to Shared-Exponent", Vulkan 1.3 */
static u32 shared_pack(const u32 *v)
{
	const double most = ldexp(511.0 / 512, 16);
	double c[3], max = 0, scale;
	int exponent;
	unsigned int k;
	u32 data;

	for (k = 0; k < 3; k++) {
		c[k] = (double)vgpu_as_f32(v[k]);
		c[k] = c[k] > 0 ? fmin(c[k], most) : 0;
		max = fmax(max, c[k]);
	}
	exponent = max > 0 ? ilogb(max) : -16;
	exponent = (exponent < -16 ? -16 : exponent) + 16;
	if (floor(ldexp(max, 24 - exponent) + 0.5) >= 512)
		exponent++;
	scale = ldexp(1, 24 - exponent);
	data = (u32)exponent << 27;
	for (k = 0; k < 3; k++)
		data |= (u32)floor(c[k] * scale + 0.5) << 9 * k;
	return data;
}

void vgpu_texel_unpack(const struct vgpu_format_info *f, const u32 *data,
		       u32 *v)
{
	unsigned int k, at = 0;

	v[0] = 0;
	v[1] = 0;
	v[2] = 0;
	v[3] = vgpu_format_is_integer(f) ? 1 : 0x3f800000;
	if (f->number == VGPU_SHARED_EXPONENT) {
		shared_unpack(data[0], v);
		return;
	}
	for (k = 0; k < f->num; k++) {
		u32 bits = data[at / 32] >> at % 32 & low_bits(f->bits[k]);

		v[k] = unpack_one(f, k, bits);
		at += f->bits[k];
	}
}

void vgpu_texel_pack(const struct vgpu_format_info *f, const u32 *v, u32 *data)
{
	unsigned int k, at = 0;

	memset(data, 0, 16);
	if (f->number == VGPU_SHARED_EXPONENT) {
		data[0] = shared_pack(v);
		return;
	}
	for (k = 0; k < f->num; k++) {
		data[at / 32] |= (pack_one(f, k, v[k]) & low_bits(f->bits[k]))
				 << at % 32;
		at += f->bits[k];
	}
}

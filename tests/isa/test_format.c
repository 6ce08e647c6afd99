// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Floats of 16, 11 and 10 bits in texels: all values, and rounding to them. For 16 bits, the
 * expected values come from the compiler's _Float16. For the others, which also have five bits
 * of exponent (Vulkan 1.3, "Unsigned 11-Bit Floating-Point Numbers" and the next section), the
 * test searches all values for the nearest one.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "isa/image/format.h"
#include "machine.h"

/* Numbers of 16 FLOAT and 10_11_11 FLOAT (GFX10_FORMAT, Mesa 25.0) */
#define FORMAT_16	13
#define FORMAT_10_11_11	36

static float float_of(u32 bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

static u32 bits_of(float f)
{
	u32 bits;

	memcpy(&bits, &f, 4);
	return bits;
}

static float half_value(u16 bits)
{
	_Float16 h;

	memcpy(&h, &bits, 2);
	return (float)h;
}

static u16 half_of(float f)
{
	_Float16 h = (_Float16)f;
	u16 bits;

	memcpy(&bits, &h, 2);
	return bits;
}

static bool same(float a, float b)
{
	return isnan(a) ? isnan(b) : bits_of(a) == bits_of(b);
}

static void test_halves(void **state)
{
	const struct vgpu_format_info *f = vgpu_format(&vgpu_isa_gfx10_3, FORMAT_16);
	u32 data[4], v[4] = { 0 }, n;

	(void)state;
	for (n = 0; n < 0x10000; n++) {
		data[0] = n;
		vgpu_texel_unpack(f, data, v);
		assert_true(same(float_of(v[0]), half_value(n)));
	}
	for (n = 0; n < 1000000; n++) {
		v[0] = machine_random();
		if (n & 1)	/* near a half, or half way to the next one */
			v[0] = bits_of(half_value(v[0])) + 0x1000 * (v[0] >> 31) +
			       v[0] % 3 - 1;
		vgpu_texel_pack(f, v, data);
		assert_true(same(half_value(data[0]),
				 half_value(half_of(float_of(v[0])))));
	}
}

/* Of a float without a sign, the rest of @bits is its fraction. */
static double small_value(u32 v, unsigned int bits)
{
	unsigned int fraction = bits - 5;
	int exponent = (int)(v >> fraction);
	double f = v & ((1 << fraction) - 1);

	if (exponent == 31)
		return f > 0 ? NAN : INFINITY;
	if (!exponent)
		return ldexp(f, -14 - (int)fraction);
	return ldexp(f + (1 << fraction), exponent - 15 - (int)fraction);
}

/* The nearest finite one, of two the even one. */
static u32 nearest(double a, unsigned int bits)
{
	u32 last = (31U << (bits - 5)) - 1, low = 0, high = last;

	if (isnan(a))
		return last + 2;
	if (a == INFINITY)
		return last + 1;
	if (a <= 0)
		return 0;
	if (a >= small_value(last, bits))
		return last;
	while (high - low > 1) {
		u32 mid = (low + high) / 2;

		if (small_value(mid, bits) <= a)
			low = mid;
		else
			high = mid;
	}
	if (a - small_value(low, bits) == small_value(high, bits) - a)
		return low & 1 ? high : low;
	return a - small_value(low, bits) < small_value(high, bits) - a ? low : high;
}

/* Component @k of 10_11_11, which is named from the highest one on */
static void check_small(unsigned int k)
{
	const struct vgpu_format_info *f = vgpu_format(&vgpu_isa_gfx10_3, FORMAT_10_11_11);
	unsigned int bits = k == 2 ? 10 : 11, shift = 11 * k;
	u32 data[4], v[4], n, got;

	for (n = 0; n < 1U << bits; n++) {
		data[0] = n << shift;
		vgpu_texel_unpack(f, data, v);
		assert_true(same(float_of(v[k]), (float)small_value(n, bits)));
	}
	for (n = 0; n < 100000; n++) {
		u32 any = machine_random();

		memset(v, 0, sizeof(v));
		v[k] = any;
		if (n & 1)	/* near one, or half way to the next one */
			v[k] = bits_of((float)small_value(any % (1U << bits), bits)) +
			       (1U << (27 - bits)) * (any >> 31) + any % 3 - 1;
		vgpu_texel_pack(f, v, data);
		got = data[0] >> shift & ((1U << bits) - 1);
		assert_true(same((float)small_value(got, bits),
				 (float)small_value(nearest((double)float_of(v[k]),
							    bits), bits)));
	}
}

static void test_small_floats(void **state)
{
	unsigned int k;

	(void)state;
	for (k = 0; k < 3; k++)
		check_small(k);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_halves),
		cmocka_unit_test(test_small_floats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

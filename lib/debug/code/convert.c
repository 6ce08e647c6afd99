// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Conversions of numbers: see convert.h.
 */
#include "convert.h"

#include <math.h>
#include <string.h>

/* Convert to a float of 2 bytes, rounding to even (IEEE 754). */
static uint64_t to_half(double value)
{
	uint64_t sign = signbit(value) ? 0x8000 : 0;
	double a = fabs(value);
	int exponent;

	if (isnan(value))
		return sign | 0x7e00;
	if (isinf(value))
		return sign | 0x7c00;
	if (!a)
		return sign;
	(void)frexp(a, &exponent);
	/* A carry out of the fraction increments the exponent, as it should. */
	if (exponent < -13)
		return sign | (uint64_t)nearbyint(ldexp(a, 24));
	return sign | (((uint64_t)(exponent + 13) << 10) +
		       (uint64_t)nearbyint(ldexp(a, 11 - exponent)));
}

bool adbgd_convert_to_float(double value, uint64_t size, uint64_t *bits)
{
	float f = (float)value;
	uint32_t low;

	*bits = 0;
	if (size == 8) {
		memcpy(bits, &value, sizeof(value));
		return true;
	}
	if (size == 4) {
		memcpy(&low, &f, sizeof(low));
		*bits = low;
		return !isinf(f) || isinf(value);
	}
	/* From here on, the nearest number is infinity. */
	if (!isinf(value) && fabs(value) >= 65520) {
		*bits = to_half(value < 0 ? -INFINITY : INFINITY);
		return false;
	}
	*bits = to_half(value);
	return true;
}

bool adbgd_convert_to_integer(const struct adbgd_number *n, uint32_t num_bits, bool is_signed,
			      uint64_t *bits)
{
	double v = n->value;
	bool is_negative;

	if (n->is_float) {
		if (!(v >= -0x1p63 && v < 0x1p64) || (v <= -1 && !is_signed && num_bits == 64))
			return false;
		*bits = v < 0 ? (uint64_t)(int64_t)v : (uint64_t)v;
		is_negative = v <= -1;
	} else {
		*bits = (uint64_t)adbgd_number_integer(n);
		is_negative = n->is_signed && (int64_t)*bits < 0;
	}
	if (num_bits == 64)
		return true;
	if (is_negative)
		return (int64_t)*bits >= -(1LL << (num_bits - 1));
	return *bits < 1ULL << num_bits;
}

bool adbgd_convert_truncate(double value, uint32_t num_bits, bool is_signed, uint64_t *bits)
{
	double v = trunc(value), end = ldexp(1, (int)num_bits - is_signed);

	/* A NaN is in no range. */
	if (!(v < end && v >= (is_signed ? -end : 0)))
		return false;
	*bits = is_signed ? (uint64_t)(int64_t)v : (uint64_t)v;
	return true;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Numbers with the semantics of C: see number.h.
 */
#include "number.h"

#include <math.h>
#include <string.h>

static const struct adbgd_type int_type = {
	.name = "int", .size = 4, .kind = ADBGD_TYPE_SIGNED, .flags = ADBGD_TYPE_IS_SIGNED,
};

static const struct adbgd_type unsigned_type = {
	.name = "unsigned int", .size = 4, .kind = ADBGD_TYPE_UNSIGNED,
};

static const struct adbgd_type long_type = {
	.name = "long", .size = 8, .kind = ADBGD_TYPE_SIGNED, .flags = ADBGD_TYPE_IS_SIGNED,
};

static const struct adbgd_type unsigned_long_type = {
	.name = "unsigned long", .size = 8, .kind = ADBGD_TYPE_UNSIGNED,
};

static const struct adbgd_type float_type = {
	.name = "float", .size = 4, .kind = ADBGD_TYPE_FLOAT,
};

static const struct adbgd_type double_type = {
	.name = "double", .size = 8, .kind = ADBGD_TYPE_FLOAT,
};

/* Convert a float of 2 bytes (IEEE 754). */
static double of_half(uint32_t h)
{
	unsigned int exponent = h >> 10 & 0x1f, fraction = h & 0x3ff;
	double v;

	if (exponent == 0x1f)
		v = fraction ? NAN : INFINITY;
	else
		v = exponent ? ldexp(1024 + fraction, (int)exponent - 25) : ldexp(fraction, -24);
	return h & 0x8000 ? -v : v;
}

double adbgd_float(uint64_t bits, uint64_t size)
{
	uint32_t low = bits;
	double d;
	float f;

	if (size == 8) {
		memcpy(&d, &bits, sizeof(d));
		return d;
	}
	if (size == 4) {
		memcpy(&f, &low, sizeof(f));
		return f;
	}
	return of_half(low);
}

/* --------------------------------------------------------------------- numbers */

static struct adbgd_number integer(uint64_t bits, uint32_t size, bool is_signed)
{
	return (struct adbgd_number){
		.size = size, .is_signed = is_signed,
		.bits = size == 8 ? bits : (uint32_t)bits,
	};
}

static struct adbgd_number floating(double value, uint32_t size)
{
	return (struct adbgd_number){
		.size = size, .is_float = true, .value = size == 8 ? value : (float)value,
	};
}

struct adbgd_number adbgd_number_int(int32_t value)
{
	return integer((uint32_t)value, 4, true);
}

static int64_t signed_of(const struct adbgd_number *a)
{
	return a->size == 8 ? (int64_t)a->bits : (int32_t)a->bits;
}

int64_t adbgd_number_integer(const struct adbgd_number *number)
{
	return number->is_signed ? signed_of(number) : (int64_t)number->bits;
}

static uint64_t extend(uint64_t bits, uint32_t num, bool is_signed)
{
	if (num >= 64)
		return bits;
	bits &= (1ULL << num) - 1;
	return is_signed ? (uint64_t)adbgd_sign_extend(bits, num) : bits;
}

/* Integer promotion: if an int can represent all values, the result is an int. */
static struct adbgd_number promoted(uint64_t bits, uint32_t num, bool is_signed)
{
	uint32_t size = num > 32 ? 8 : 4;

	return integer(extend(bits, num, is_signed), size, is_signed || num < 32);
}

bool adbgd_number_read(const struct adbgd_type *type, const uint8_t *bytes, uint64_t bits,
		       uint32_t num_bits, struct adbgd_number *number)
{
	bool is_signed = type->flags & ADBGD_TYPE_IS_SIGNED;
	uint32_t num = num_bits ? num_bits : 8 * type->size;

	if (!type->size || type->size > 8)
		return false;
	if (!num_bits) {
		bits = 0;
		memcpy(&bits, bytes, type->size);
	}
	switch (type->kind) {
	case ADBGD_TYPE_FLOAT:
		*number = floating(adbgd_float(bits, type->size), type->size == 8 ? 8 : 4);
		return true;
	case ADBGD_TYPE_BOOL:
	case ADBGD_TYPE_SIGNED:
	case ADBGD_TYPE_UNSIGNED:
	case ADBGD_TYPE_CHAR:
	case ADBGD_TYPE_ENUM:
		*number = promoted(bits, num, is_signed);
		return true;
	case ADBGD_TYPE_POINTER:
		*number = integer(bits, 8, false);
		return true;
	default:
		return false;
	}
}

const struct adbgd_type *adbgd_number_type(const struct adbgd_number *number)
{
	if (number->is_float)
		return number->size == 8 ? &double_type : &float_type;
	if (number->size == 8)
		return number->is_signed ? &long_type : &unsigned_long_type;
	return number->is_signed ? &int_type : &unsigned_type;
}

void adbgd_number_bytes(const struct adbgd_number *number, uint8_t bytes[8])
{
	float f = number->value;

	if (!number->is_float)
		memcpy(bytes, &number->bits, number->size);
	else if (number->size == 8)
		memcpy(bytes, &number->value, 8);
	else
		memcpy(bytes, &f, 4);
}

bool adbgd_number_is_true(const struct adbgd_number *number)
{
	return number->is_float ? number->value != 0 : number->bits;
}

/* ------------------------------------------------------------------- operators */

const char *adbgd_number_unary(enum adbgd_operator op, struct adbgd_number *a)
{
	switch (op) {
	case ADBGD_OP_PLUS:
		return NULL;
	case ADBGD_OP_MINUS:
		*a = a->is_float ? floating(-a->value, a->size) :
				   integer(-a->bits, a->size, a->is_signed);
		return NULL;
	case ADBGD_OP_NOT:
		*a = adbgd_number_int(!adbgd_number_is_true(a));
		return NULL;
	default:
		if (a->is_float)
			return "the operator ~ needs an integer";
		*a = integer(~a->bits, a->size, a->is_signed);
		return NULL;
	}
}

bool adbgd_is_comparison(enum adbgd_operator op)
{
	return op >= ADBGD_OP_EQUAL && op <= ADBGD_OP_GREATER_EQUAL;
}

/* Evaluate a comparison by the order of its operands. A NaN has no order to any number. */
static bool compare(enum adbgd_operator op, bool less, bool equal, bool greater)
{
	switch (op) {
	case ADBGD_OP_EQUAL:
		return equal;
	case ADBGD_OP_DIFFERENT:
		return !equal;
	case ADBGD_OP_LESS:
		return less;
	case ADBGD_OP_GREATER:
		return greater;
	case ADBGD_OP_LESS_EQUAL:
		return less || equal;
	default:
		return greater || equal;
	}
}

double adbgd_number_as_float(const struct adbgd_number *a, uint32_t size)
{
	double value = a->value;

	/* Convert directly to float: by way of a double, the result could be rounded twice. */
	if (!a->is_float && size == 4)
		value = a->is_signed ? (float)signed_of(a) : (float)a->bits;
	else if (!a->is_float)
		value = a->is_signed ? (double)signed_of(a) : (double)a->bits;
	return value;
}

static const char *binary_float(enum adbgd_operator op, struct adbgd_number *a,
				struct adbgd_number b)
{
	uint32_t size = (a->is_float && a->size == 8) || (b.is_float && b.size == 8) ? 8 : 4;
	double x = adbgd_number_as_float(a, size);
	double y = adbgd_number_as_float(&b, size);

	if (adbgd_is_comparison(op)) {
		*a = adbgd_number_int(compare(op, x < y, x == y, x > y));
		return NULL;
	}
	switch (op) {
	/* For two floats, rounding the result of a double gives the result of a float. */
	case ADBGD_OP_ADD:
		*a = floating(x + y, size);
		return NULL;
	case ADBGD_OP_SUBTRACT:
		*a = floating(x - y, size);
		return NULL;
	case ADBGD_OP_MULTIPLY:
		*a = floating(x * y, size);
		return NULL;
	case ADBGD_OP_DIVIDE:
		*a = floating(x / y, size);
		return NULL;
	default:
		return "this operator needs integers";
	}
}

static const char *shift(enum adbgd_operator op, struct adbgd_number *a, struct adbgd_number b)
{
	uint64_t bits;

	if (b.bits >= 8 * a->size)
		return "the shift is negative, or longer than the number";
	if (op == ADBGD_OP_SHIFT_LEFT)
		bits = a->bits << b.bits;
	else
		bits = a->is_signed ? (uint64_t)(signed_of(a) >> b.bits) : a->bits >> b.bits;
	*a = integer(bits, a->size, a->is_signed);
	return NULL;
}

/* Divide numbers of the same type. The smallest integer divided by -1 wraps. */
static const char *divide(enum adbgd_operator op, struct adbgd_number *a, struct adbgd_number b)
{
	bool quotient = op == ADBGD_OP_DIVIDE;
	int64_t x = signed_of(a), y = signed_of(&b);
	uint64_t bits;

	if (!b.bits)
		return "division by 0";
	if (!a->is_signed)
		bits = quotient ? a->bits / b.bits : a->bits % b.bits;
	else if (y == -1)
		bits = quotient ? -a->bits : 0;
	else
		bits = quotient ? x / y : x % y;
	*a = integer(bits, a->size, a->is_signed);
	return NULL;
}

static bool is_less(const struct adbgd_number *a, const struct adbgd_number *b)
{
	return a->is_signed ? signed_of(a) < signed_of(b) : a->bits < b->bits;
}

/* Apply an operator to integers of the same type. */
static const char *compute(enum adbgd_operator op, struct adbgd_number *a, struct adbgd_number b)
{
	if (adbgd_is_comparison(op)) {
		*a = adbgd_number_int(compare(op, is_less(a, &b), a->bits == b.bits,
					      is_less(&b, a)));
		return NULL;
	}
	switch (op) {
	case ADBGD_OP_OR:
		a->bits |= b.bits;
		return NULL;
	case ADBGD_OP_XOR:
		a->bits ^= b.bits;
		return NULL;
	case ADBGD_OP_AND:
		a->bits &= b.bits;
		return NULL;
	case ADBGD_OP_ADD:
		*a = integer(a->bits + b.bits, a->size, a->is_signed);
		return NULL;
	case ADBGD_OP_SUBTRACT:
		*a = integer(a->bits - b.bits, a->size, a->is_signed);
		return NULL;
	case ADBGD_OP_MULTIPLY:
		*a = integer(a->bits * b.bits, a->size, a->is_signed);
		return NULL;
	default:
		return divide(op, a, b);
	}
}

const char *adbgd_number_binary(enum adbgd_operator op, struct adbgd_number *a,
				struct adbgd_number b)
{
	uint32_t size = a->size > b.size ? a->size : b.size;
	bool is_signed;

	if (a->is_float || b.is_float)
		return binary_float(op, a, b);
	if (op == ADBGD_OP_SHIFT_LEFT || op == ADBGD_OP_SHIFT_RIGHT)
		return shift(op, a, b);
	/* A long can represent all values of an unsigned int. */
	is_signed = (a->is_signed || a->size < size) && (b.is_signed || b.size < size);
	*a = integer(adbgd_number_integer(a), size, is_signed);
	b = integer(adbgd_number_integer(&b), size, is_signed);
	return compute(op, a, b);
}

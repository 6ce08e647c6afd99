// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Scalars in the formats of gdb's commands print and x: see value_format.h. The results are those
 * of gdb 13.1, which tests/unit/debug/code/gdb_formats.h contains.
 */
#include <inttypes.h>
#include <string.h>

#include "number.h"
#include "value_format.h"

void adbgd_format_float(struct adbgd_text *text, uint64_t bits, uint64_t size)
{
	/* Size of the fraction, and number of digits that distinguish any two values */
	unsigned int digits = size == 8 ? 52 : size == 4 ? 23 : 10;
	int precision = size == 8 ? 17 : size == 4 ? 9 : 5;
	uint64_t fraction = bits & ((1ULL << digits) - 1);
	uint64_t top = (1ULL << (8 * size - 1 - digits)) - 1;
	const char *sign = bits >> (8 * size - 1) ? "-" : "";

	if ((bits >> digits & top) == top) {
		if (fraction)
			adbgd_text_add(text, "%snan(%#" PRIx64 ")", sign, fraction);
		else
			adbgd_text_add(text, "%sinf", sign);
		return;
	}
	adbgd_text_add(text, "%.*g", precision, adbgd_float(bits, size));
}

void adbgd_format_letter(struct adbgd_text *text, unsigned int c, char quote)
{
	static const char named[] = "\aa\bb\ff\nn\rr\tt\vv\033e";
	const char *n;

	c &= 0xff;
	for (n = named; *n; n += 2) {
		if ((unsigned int)*n == c) {
			adbgd_text_add(text, "\\%c", n[1]);
			return;
		}
	}
	if (c == (unsigned int)quote || c == '\\')
		adbgd_text_add(text, "\\%c", c);
	else if (c >= 0x20 && c < 0x7f)
		adbgd_text_add(text, "%c", c);
	else
		adbgd_text_add(text, "\\%03o", c);
}

static bool is_signed(const struct adbgd_type *t)
{
	return t->kind == ADBGD_TYPE_SIGNED ||
	       (t->kind == ADBGD_TYPE_CHAR && t->flags & ADBGD_TYPE_IS_SIGNED);
}

/* @digits: at least so many */
static void add_binary(struct adbgd_text *text, uint64_t v, unsigned int digits)
{
	unsigned int i = 64;

	while (i > 1 && i > digits && !(v >> (i - 1)))
		i--;
	while (i--)
		adbgd_text_add(text, "%d", (int)(v >> i & 1));
}

/* The number that the character is made of: the integer of a float, else the value */
static uint64_t integer_of(const struct adbgd_type *t, uint64_t v)
{
	double value;

	if (t->kind != ADBGD_TYPE_FLOAT)
		return v;
	value = adbgd_float(v, t->size);
	return value >= -0x1p63 && value < 0x1p63 ? (uint64_t)(int64_t)value : 0;
}

/* The lowest byte, as a number and a character */
static void add_char(struct adbgd_text *text, const struct adbgd_type *t, uint64_t v)
{
	v = integer_of(t, v) & 0xff;
	if (is_signed(t) || t->kind == ADBGD_TYPE_FLOAT)
		adbgd_text_add(text, "%" PRId64 " '", adbgd_sign_extend(v, 8));
	else
		adbgd_text_add(text, "%" PRIu64 " '", v);
	adbgd_format_letter(text, v, '\'');
	adbgd_text_add(text, "'");
}

/* Integers have the bits of a float if one has their size, and are numbers otherwise. */
static void add_as_float(struct adbgd_text *text, const struct adbgd_type *t, uint64_t v)
{
	if (t->kind == ADBGD_TYPE_FLOAT || t->size == 4 || t->size == 8)
		adbgd_format_float(text, v, t->size);
	else if (is_signed(t))
		adbgd_text_add(text, "%" PRId64, adbgd_sign_extend(v, 8 * t->size));
	else
		adbgd_text_add(text, "%" PRIu64, v);
}

bool adbgd_format_is_known(char letter)
{
	return letter && strchr("xzoductf", letter);
}

void adbgd_format_scalar(struct adbgd_text *text, const struct adbgd_type *type, uint64_t bits,
			 unsigned int num_bits, char letter, bool is_padded)
{
	/* A damaged bit field may have any type. */
	unsigned int size = type->size && type->size <= 8 ? 8 * type->size : num_bits;
	uint64_t v = bits;

	if (num_bits < size && is_signed(type))
		v = adbgd_sign_extend(bits, num_bits) & (UINT64_MAX >> (64 - size));
	switch (letter) {
	case 'z':
	case 'x':
		adbgd_text_add(text, "0x%0*" PRIx64, letter == 'z' || is_padded ? size / 4 : 1, v);
		break;
	case 'o':
		adbgd_text_add(text, "%#" PRIo64, v);
		break;
	case 'd':
		adbgd_text_add(text, "%" PRId64, adbgd_sign_extend(v, size));
		break;
	case 'u':
		adbgd_text_add(text, "%" PRIu64, v);
		break;
	case 't':
		add_binary(text, v, is_padded ? size : 1);
		break;
	case 'c':
		add_char(text, type, v);
		break;
	case 'f':
		add_as_float(text, type, v);
		break;
	}
}

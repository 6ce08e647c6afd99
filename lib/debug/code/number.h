/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Numbers of C (ISO/IEC 9899:2011, 6.3.1 and 6.5), as of a GPU's OpenCL: int has 32 bits, long
 * 64, and integers wrap.
 */
#ifndef ADBGD_NUMBER_H
#define ADBGD_NUMBER_H

#include <stdbool.h>

#include "internal.h"

struct adbgd_number {
	uint32_t size;		/* 4 or 8 bytes: int, long, float, double */
	bool is_float;
	bool is_signed;
	uint64_t bits;		/* of an integer, those above its size are 0 */
	double value;		/* of a float */
};

enum adbgd_operator {
	ADBGD_OP_NONE,
	ADBGD_OP_OR_ELSE,	/* || */
	ADBGD_OP_AND_ALSO,	/* && */
	ADBGD_OP_OR,
	ADBGD_OP_XOR,
	ADBGD_OP_AND,
	ADBGD_OP_EQUAL,
	ADBGD_OP_DIFFERENT,
	ADBGD_OP_LESS,
	ADBGD_OP_GREATER,
	ADBGD_OP_LESS_EQUAL,
	ADBGD_OP_GREATER_EQUAL,
	ADBGD_OP_SHIFT_LEFT,
	ADBGD_OP_SHIFT_RIGHT,
	ADBGD_OP_ADD,
	ADBGD_OP_SUBTRACT,
	ADBGD_OP_MULTIPLY,
	ADBGD_OP_DIVIDE,
	ADBGD_OP_REMAINDER,
	ADBGD_OP_MINUS,		/* of one operand, as those that follow */
	ADBGD_OP_NOT,		/* ! */
	ADBGD_OP_COMPLEMENT,	/* ~ */
	ADBGD_OP_PLUS,
};

/** adbgd_float() - a float of 2, 4 or 8 bytes (IEEE 754) */
double adbgd_float(uint64_t bits, uint64_t size);

/** adbgd_number_int() - an int */
struct adbgd_number adbgd_number_int(int32_t value);

/**
 * adbgd_number_read() - what bytes of a type are as an operand: an int, at least
 * @bits: of a bit field, as many as @num_bits, which then are all that count; else @num_bits is 0
 * Return: false: it is no number.
 */
bool adbgd_number_read(const struct adbgd_type *type, const uint8_t *bytes, uint64_t bits,
		       uint32_t num_bits, struct adbgd_number *number);

/** adbgd_number_type() - int, unsigned int, long, unsigned long, float or double */
const struct adbgd_type *adbgd_number_type(const struct adbgd_number *number);

/** adbgd_number_bytes() - as many as that type has */
void adbgd_number_bytes(const struct adbgd_number *number, uint8_t bytes[8]);

/** adbgd_number_integer() - of an integer, which may be an unsigned long: its 64 bits */
int64_t adbgd_number_integer(const struct adbgd_number *number);

/** adbgd_is_comparison() - is it one of == != < > <= >=? */
bool adbgd_is_comparison(enum adbgd_operator op);

/** adbgd_number_is_true() - is it anything but 0? */
bool adbgd_number_is_true(const struct adbgd_number *number);

/**
 * adbgd_number_unary() - one operand
 * Return: NULL, and @a is the result; or why there is none.
 */
const char *adbgd_number_unary(enum adbgd_operator op, struct adbgd_number *a);

/** adbgd_number_binary() - apply an operator to two numbers, except || and && */
const char *adbgd_number_binary(enum adbgd_operator op, struct adbgd_number *a,
				struct adbgd_number b);

#endif /* ADBGD_NUMBER_H */

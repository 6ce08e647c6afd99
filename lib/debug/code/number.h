/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Numbers with the semantics of C (ISO/IEC 9899:2011, 6.3.1 and 6.5) and the types of OpenCL: int
 * has 32 bits, long has 64, and integers wrap.
 */
#ifndef ADBGD_NUMBER_H
#define ADBGD_NUMBER_H

#include <stdbool.h>

#include "internal.h"

struct adbgd_number {
	uint32_t size;		/* 4 or 8 bytes: int, long, float or double */
	bool is_float;
	bool is_signed;
	uint64_t bits;		/* of an integer; bits above its size are 0 */
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
	ADBGD_OP_MINUS,		/* this and the following have one operand */
	ADBGD_OP_NOT,		/* ! */
	ADBGD_OP_COMPLEMENT,	/* ~ */
	ADBGD_OP_PLUS,
};

/** adbgd_float() - convert the bits of a float of 2, 4 or 8 bytes (IEEE 754) */
double adbgd_float(uint64_t bits, uint64_t size);

/** adbgd_number_int() - make a number of type int */
struct adbgd_number adbgd_number_int(int32_t value);

/**
 * adbgd_number_read() - read a number of a type, with integer promotion
 * @bytes: the bytes of a number that is not a bit field
 * @bits: value of a bit field
 * @num_bits: number of bits of a bit field; else 0
 *
 * Return: false: the type is not that of a number.
 */
bool adbgd_number_read(const struct adbgd_type *type, const uint8_t *bytes, uint64_t bits,
		       uint32_t num_bits, struct adbgd_number *number);

/**
 * adbgd_number_type() - get the type of a number
 *
 * Return: int, unsigned int, long, unsigned long, float or double.
 */
const struct adbgd_type *adbgd_number_type(const struct adbgd_number *number);

/** adbgd_number_bytes() - get the bytes of a number; as many as its type has */
void adbgd_number_bytes(const struct adbgd_number *number, uint8_t bytes[8]);

/** adbgd_number_integer() - get an integer; of an unsigned long, its 64 bits */
int64_t adbgd_number_integer(const struct adbgd_number *number);

/** adbgd_number_as_float() - convert a number to a float or double, which has @size bytes */
double adbgd_number_as_float(const struct adbgd_number *number, uint32_t size);

/** adbgd_is_comparison() - test for one of == != < > <= >= */
bool adbgd_is_comparison(enum adbgd_operator op);

/** adbgd_number_is_true() - test whether a number is not 0 */
bool adbgd_number_is_true(const struct adbgd_number *number);

/**
 * adbgd_number_unary() - apply an operator to a number; @a is set to the result
 *
 * Return: NULL, or a message why there is no result.
 */
const char *adbgd_number_unary(enum adbgd_operator op, struct adbgd_number *a);

/**
 * adbgd_number_binary() - apply an operator, except || and &&, to @a and @b
 *
 * Return: as adbgd_number_unary().
 */
const char *adbgd_number_binary(enum adbgd_operator op, struct adbgd_number *a,
				struct adbgd_number b);

#endif /* ADBGD_NUMBER_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Conversions of numbers to the bits of types.
 */
#ifndef ADBGD_CONVERT_H
#define ADBGD_CONVERT_H

#include "number.h"

/**
 * adbgd_convert_to_float() - convert to a float of 2, 4 or 8 bytes, rounding to even (IEEE 754)
 * @size: its size in bytes
 * @bits: set to its bits; infinity, if it does not fit
 *
 * Return: false: the number is finite, but the nearest float is infinity.
 */
bool adbgd_convert_to_float(double value, uint64_t size, uint64_t *bits);

/**
 * adbgd_convert_to_integer() - convert to an integer of @num_bits bits
 * @bits: set to its bits, with the sign in those above @num_bits; 0 if a float has no such integer
 *
 * Floats are rounded to 0.
 *
 * Return: false: the number does not fit. Negative numbers fit into unsigned integers if they fit
 * into signed ones of the same size, but not into those of 64 bits if they are floats.
 */
bool adbgd_convert_to_integer(const struct adbgd_number *n, uint32_t num_bits, bool is_signed,
			      uint64_t *bits);

/**
 * adbgd_convert_truncate() - convert a float to an integer as C does (6.3.1.4)
 *
 * Return: false: the integer cannot be represented, which C does not define.
 */
bool adbgd_convert_truncate(double value, uint32_t num_bits, bool is_signed, uint64_t *bits);

#endif /* ADBGD_CONVERT_H */

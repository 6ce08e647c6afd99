/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Scalars in the formats of gdb's commands print and x.
 */
#ifndef ADBGD_VALUE_FORMAT_H
#define ADBGD_VALUE_FORMAT_H

#include <stdbool.h>

#include "location.h"

/** adbgd_format_is_known() - test for a letter that adbgd_format_scalar() knows */
bool adbgd_format_is_known(char letter);

/**
 * adbgd_format_scalar() - add a scalar of 1 to 8 bytes to a text
 * @type: its type; a bit field has the type of its member
 * @bits: the value, without the bits above its size
 * @num_bits: its number of bits, fewer than those of @type in a bit field
 * @letter: the format, one of "xzoductf"
 * @is_padded: add zeros up to the size of the type in the formats x and t
 */
void adbgd_format_scalar(struct adbgd_text *text, const struct adbgd_type *type, uint64_t bits,
			 unsigned int num_bits, char letter, bool is_padded);

/** adbgd_format_float() - add a float of 2, 4 or 8 bytes to a text */
void adbgd_format_float(struct adbgd_text *text, uint64_t bits, uint64_t size);

/** adbgd_format_letter() - add a character as in C; @quote is written with a backslash */
void adbgd_format_letter(struct adbgd_text *text, unsigned int c, char quote);

#endif /* ADBGD_VALUE_FORMAT_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reading the bytes of a section in sequence.
 */
#ifndef ADBGD_CURSOR_H
#define ADBGD_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

/* The content of a section; there is none if @bytes is NULL */
struct adbgd_section {
	const uint8_t *bytes;
	uint64_t size;
};

struct adbgd_cursor {
	const uint8_t *at, *end;
	bool bad;		/* there were too few bytes; everything read then is 0 */
};

/** adbgd_cursor_begin() - begin at an offset in a section; false: the section is shorter */
bool adbgd_cursor_begin(struct adbgd_cursor *c, const struct adbgd_section *section, uint64_t at);

/** adbgd_cursor_number() - read @size bytes; return the number in the first 8 of them */
uint64_t adbgd_cursor_number(struct adbgd_cursor *c, unsigned int size);

/** adbgd_cursor_uleb() - read a number in ULEB128, or skip one in SLEB128 */
uint64_t adbgd_cursor_uleb(struct adbgd_cursor *c);

/** adbgd_cursor_string() - skip a string that ends with 0; return its length */
uint64_t adbgd_cursor_string(struct adbgd_cursor *c);

/** adbgd_cursor_skip() - skip @size bytes */
void adbgd_cursor_skip(struct adbgd_cursor *c, uint64_t size);

#endif /* ADBGD_CURSOR_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Bytes of a section that are read one after the other.
 */
#ifndef ADBGD_CURSOR_H
#define ADBGD_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

struct adbgd_cursor {
	const uint8_t *at, *end;
	bool bad;		/* there were too few; what is read then is 0 */
};

/** adbgd_cursor_number() - a number of @size bytes, of which 8 at most count */
uint64_t adbgd_cursor_number(struct adbgd_cursor *c, unsigned int size);

/** adbgd_cursor_uleb() - a number in ULEB128; also passes over one in SLEB128 */
uint64_t adbgd_cursor_uleb(struct adbgd_cursor *c);

/** adbgd_cursor_string() - passes over a string that ends with 0; gives its length */
uint64_t adbgd_cursor_string(struct adbgd_cursor *c);

/** adbgd_cursor_skip() - passes over @size bytes */
void adbgd_cursor_skip(struct adbgd_cursor *c, uint64_t size);

#endif /* ADBGD_CURSOR_H */

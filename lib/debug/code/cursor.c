// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See cursor.h.
 */
#include "cursor.h"

#include <string.h>

bool adbgd_cursor_begin(struct adbgd_cursor *c, const struct adbgd_section *section, uint64_t at)
{
	if (!section->bytes || at >= section->size)
		return false;
	*c = (struct adbgd_cursor){
		.at = section->bytes + at, .end = section->bytes + section->size,
	};
	return true;
}

uint64_t adbgd_cursor_number(struct adbgd_cursor *c, unsigned int size)
{
	uint64_t v = 0;

	if ((uint64_t)(c->end - c->at) < size) {
		c->bad = true;
		c->at = c->end;
		return 0;
	}
	memcpy(&v, c->at, size < 8 ? size : 8);
	c->at += size;
	return v;
}

uint64_t adbgd_cursor_uleb(struct adbgd_cursor *c)
{
	unsigned int shift = 0;
	uint64_t v = 0;
	uint8_t byte;

	do {
		byte = adbgd_cursor_number(c, 1);
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !c->bad);
	return v;
}

uint64_t adbgd_cursor_string(struct adbgd_cursor *c)
{
	const uint8_t *end = memchr(c->at, 0, c->end - c->at);
	uint64_t length;

	if (!end) {
		c->bad = true;
		c->at = c->end;
		return 0;
	}
	length = end - c->at;
	c->at = end + 1;
	return length;
}

void adbgd_cursor_skip(struct adbgd_cursor *c, uint64_t size)
{
	if (size > (uint64_t)(c->end - c->at)) {
		c->bad = true;
		size = c->end - c->at;
	}
	c->at += size;
}

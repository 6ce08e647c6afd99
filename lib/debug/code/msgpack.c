// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See msgpack.h.
 */
#include "msgpack.h"

#include <string.h>

/* Types whose length, number or value follows in @size bytes; @extra more bytes are skipped. */
static const struct {
	uint8_t kind;
	uint8_t size;
	uint8_t extra;
	bool has_bytes;		/* the number is a length, and so many bytes follow */
} types[32] = {
	[0xc0 - 0xc0] = { ADBGD_MSGPACK_OTHER, 0, 0, false },	/* nil */
	[0xc2 - 0xc0] = { ADBGD_MSGPACK_BOOL, 0, 0, false },
	[0xc3 - 0xc0] = { ADBGD_MSGPACK_BOOL, 0, 0, false },
	[0xc4 - 0xc0] = { ADBGD_MSGPACK_OTHER, 1, 0, true },	/* bin 8, 16, 32 */
	[0xc5 - 0xc0] = { ADBGD_MSGPACK_OTHER, 2, 0, true },
	[0xc6 - 0xc0] = { ADBGD_MSGPACK_OTHER, 4, 0, true },
	[0xc7 - 0xc0] = { ADBGD_MSGPACK_OTHER, 1, 1, true },	/* ext 8, 16, 32 */
	[0xc8 - 0xc0] = { ADBGD_MSGPACK_OTHER, 2, 1, true },
	[0xc9 - 0xc0] = { ADBGD_MSGPACK_OTHER, 4, 1, true },
	[0xca - 0xc0] = { ADBGD_MSGPACK_OTHER, 4, 0, false },	/* float 32, 64 */
	[0xcb - 0xc0] = { ADBGD_MSGPACK_OTHER, 8, 0, false },
	[0xcc - 0xc0] = { ADBGD_MSGPACK_UINT, 1, 0, false },
	[0xcd - 0xc0] = { ADBGD_MSGPACK_UINT, 2, 0, false },
	[0xce - 0xc0] = { ADBGD_MSGPACK_UINT, 4, 0, false },
	[0xcf - 0xc0] = { ADBGD_MSGPACK_UINT, 8, 0, false },
	[0xd0 - 0xc0] = { ADBGD_MSGPACK_OTHER, 1, 0, false },	/* int 8 to 64 */
	[0xd1 - 0xc0] = { ADBGD_MSGPACK_OTHER, 2, 0, false },
	[0xd2 - 0xc0] = { ADBGD_MSGPACK_OTHER, 4, 0, false },
	[0xd3 - 0xc0] = { ADBGD_MSGPACK_OTHER, 8, 0, false },
	[0xd4 - 0xc0] = { ADBGD_MSGPACK_OTHER, 0, 2, false },	/* fixext 1 to 16 */
	[0xd5 - 0xc0] = { ADBGD_MSGPACK_OTHER, 0, 3, false },
	[0xd6 - 0xc0] = { ADBGD_MSGPACK_OTHER, 0, 5, false },
	[0xd7 - 0xc0] = { ADBGD_MSGPACK_OTHER, 0, 9, false },
	[0xd8 - 0xc0] = { ADBGD_MSGPACK_OTHER, 0, 17, false },
	[0xd9 - 0xc0] = { ADBGD_MSGPACK_STRING, 1, 0, true },
	[0xda - 0xc0] = { ADBGD_MSGPACK_STRING, 2, 0, true },
	[0xdb - 0xc0] = { ADBGD_MSGPACK_STRING, 4, 0, true },
	[0xdc - 0xc0] = { ADBGD_MSGPACK_ARRAY, 2, 0, false },
	[0xdd - 0xc0] = { ADBGD_MSGPACK_ARRAY, 4, 0, false },
	[0xde - 0xc0] = { ADBGD_MSGPACK_MAP, 2, 0, false },
	[0xdf - 0xc0] = { ADBGD_MSGPACK_MAP, 4, 0, false },
};

/* Numbers are big-endian. */
static uint64_t number(struct adbgd_cursor *c, unsigned int size)
{
	return size ? __builtin_bswap64(adbgd_cursor_number(c, size)) >> (64 - 8 * size) : 0;
}

static void take_bytes(struct adbgd_cursor *c, struct adbgd_msgpack *object)
{
	object->bytes = c->at;
	adbgd_cursor_skip(c, object->number);
}

/* Objects whose first byte also has the number */
static bool read_short(struct adbgd_cursor *c, uint8_t first, struct adbgd_msgpack *object)
{
	if (first < 0x80) {
		object->kind = ADBGD_MSGPACK_UINT;
		object->number = first;
	} else if (first < 0x90) {
		object->kind = ADBGD_MSGPACK_MAP;
		object->number = first & 0xf;
	} else if (first < 0xa0) {
		object->kind = ADBGD_MSGPACK_ARRAY;
		object->number = first & 0xf;
	} else if (first < 0xc0) {
		object->kind = ADBGD_MSGPACK_STRING;
		object->number = first & 0x1f;
		take_bytes(c, object);
	} else {
		return first >= 0xe0;	/* a negative number */
	}
	return true;
}

static void read_long(struct adbgd_cursor *c, uint8_t first, struct adbgd_msgpack *object)
{
	unsigned int type = first - 0xc0;

	/* 0xc1 is never used. */
	if (first == 0xc1) {
		c->bad = true;
		return;
	}
	object->kind = types[type].kind;
	object->number = number(c, types[type].size);
	if (object->kind == ADBGD_MSGPACK_BOOL)
		object->number = first & 1;
	adbgd_cursor_skip(c, types[type].extra);
	if (types[type].has_bytes)
		take_bytes(c, object);
}

bool adbgd_msgpack_read(struct adbgd_cursor *c, struct adbgd_msgpack *object)
{
	uint8_t first = adbgd_cursor_number(c, 1);
	uint64_t left;

	*object = (struct adbgd_msgpack){ .kind = ADBGD_MSGPACK_OTHER };
	if (c->bad)
		return false;
	if (!read_short(c, first, object))
		read_long(c, first, object);
	/* Each element has at least one byte. */
	left = c->end - c->at;
	if ((object->kind == ADBGD_MSGPACK_ARRAY && object->number > left) ||
	    (object->kind == ADBGD_MSGPACK_MAP && object->number > left / 2))
		c->bad = true;
	return !c->bad;
}

static uint64_t num_elements(const struct adbgd_msgpack *object)
{
	return object->kind == ADBGD_MSGPACK_ARRAY ? object->number :
	       object->kind == ADBGD_MSGPACK_MAP ? 2 * object->number : 0;
}

/* The number of elements that are still to be skipped, of any depth, is at most @c's bytes. */
bool adbgd_msgpack_skip(struct adbgd_cursor *c, const struct adbgd_msgpack *object)
{
	uint64_t left = num_elements(object);
	struct adbgd_msgpack element;

	for (; left; left--) {
		if (left > (uint64_t)(c->end - c->at))
			c->bad = true;
		if (c->bad || !adbgd_msgpack_read(c, &element))
			return false;
		left += num_elements(&element);
	}
	return !c->bad;
}

bool adbgd_msgpack_is(const struct adbgd_msgpack *object, const char *text)
{
	return object->kind == ADBGD_MSGPACK_STRING && object->number == strlen(text) &&
	       !memcmp(object->bytes, text, object->number);
}

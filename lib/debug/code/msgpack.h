/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reading MessagePack, the format of an AMDGPU code object's metadata
 * (https://github.com/msgpack/msgpack, spec.md). The input is not trusted.
 */
#ifndef ADBGD_MSGPACK_H
#define ADBGD_MSGPACK_H

#include "cursor.h"

enum adbgd_msgpack_kind {
	ADBGD_MSGPACK_OTHER,	/* nil, a negative number, a float, binary or extension data */
	ADBGD_MSGPACK_BOOL,
	ADBGD_MSGPACK_UINT,
	ADBGD_MSGPACK_STRING,
	ADBGD_MSGPACK_ARRAY,
	ADBGD_MSGPACK_MAP,
};

struct adbgd_msgpack {
	enum adbgd_msgpack_kind kind;
	uint64_t number;	/* value; bytes of a string; objects in an array; pairs in a map */
	const uint8_t *bytes;	/* of a string, which has no 0 at its end */
};

/**
 * adbgd_msgpack_read() - read an object; of an array or a map only the number of elements
 *
 * Return: false: it is malformed, or has more elements than bytes are left. Then @c is bad.
 */
bool adbgd_msgpack_read(struct adbgd_cursor *c, struct adbgd_msgpack *object);

/** adbgd_msgpack_skip() - skip the elements of an object that was read; false: malformed */
bool adbgd_msgpack_skip(struct adbgd_cursor *c, const struct adbgd_msgpack *object);

/** adbgd_msgpack_is() - test whether an object is a string with this text */
bool adbgd_msgpack_is(const struct adbgd_msgpack *object, const char *text);

#endif /* ADBGD_MSGPACK_H */

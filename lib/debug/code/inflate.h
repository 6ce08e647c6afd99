/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decompression by zlib and zstd. Their libraries are loaded when they are first needed, as few
 * files are compressed with zstd, and libelf uses zlib by itself.
 */
#ifndef ADBGD_INFLATE_H
#define ADBGD_INFLATE_H

#include <stdbool.h>

#include "internal.h"

enum adbgd_compression {
	ADBGD_COMPRESSION_ZLIB,
	ADBGD_COMPRESSION_ZSTD,
};

/* Results may be so many times as large as what they are made of, and this much more. */
#define ADBGD_INFLATED_LEAST	(1U << 20)
#define ADBGD_INFLATED_RATIO	32

/** adbgd_can_inflate() - test whether the library is installed */
bool adbgd_can_inflate(enum adbgd_compression method);

/**
 * adbgd_inflate() - decompress bytes
 * @bytes: @size compressed bytes
 * @to: set to @to_size bytes; with fewer or more it fails
 *
 * Return: 0; -EBADMSG they are damaged; -EOPNOTSUPP the library is not installed.
 */
int adbgd_inflate(enum adbgd_compression method, const void *bytes, size_t size, void *to,
		  size_t to_size, const char *name, struct adbgd_error *error);

#endif /* ADBGD_INFLATE_H */

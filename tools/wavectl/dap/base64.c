// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Base64: see base64.h.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "dap/base64.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *base64_encode(const void *bytes, size_t size)
{
	const uint8_t *from = bytes;
	char *text = xcalloc(1, (size + 2) / 3 * 4 + 1), *to = text;

	for (size_t i = 0; i < size; i += 3) {
		size_t left = size - i;
		uint32_t bits = from[i] << 16 | (left > 1 ? from[i + 1] << 8 : 0) |
				(left > 2 ? from[i + 2] : 0);

		*to++ = digits[bits >> 18];
		*to++ = digits[bits >> 12 & 63];
		*to++ = left > 1 ? digits[bits >> 6 & 63] : '=';
		*to++ = left > 2 ? digits[bits & 63] : '=';
	}
	return text;
}

/* Decode four digits. Returns the number of bytes; 0: they are not base64. */
static size_t decode_four(const char *text, uint8_t *to)
{
	size_t padding = text[3] != '=' ? 0 : text[2] != '=' ? 1 : 2;
	uint32_t bits = 0;

	for (size_t i = 0; i < 4; i++) {
		const char *digit = i + padding < 4 ? strchr(digits, text[i]) : digits;

		if (!digit || !text[i])
			return 0;
		bits = bits << 6 | (uint32_t)(digit - digits);
	}
	for (size_t i = 0; i < 3 - padding; i++)
		to[i] = bits >> (16 - 8 * i);
	return 3 - padding;
}

void *base64_decode(const char *text, size_t *size)
{
	size_t length = strlen(text), count = 0, n = 3;
	uint8_t *bytes = xcalloc(1, length / 4 * 3 + 1);

	for (size_t i = 0; i + 4 <= length && n == 3; i += 4) {
		n = decode_four(text + i, bytes + count);
		count += n;
	}
	/* The last four digits may be shorter, but nothing follows them. */
	if (length % 4 || !n || (count + 2) / 3 * 4 != length) {
		free(bytes);
		return NULL;
	}
	*size = count;
	return bytes;
}

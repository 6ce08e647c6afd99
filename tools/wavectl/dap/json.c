// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Members of JSON objects: see json.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "dap/json.h"

struct json_object *json_child(struct json_object *object, const char *key,
			       enum json_type type)
{
	struct json_object *child;

	if (!object || !json_object_is_type(object, json_type_object) ||
	    !json_object_object_get_ex(object, key, &child) || !json_object_is_type(child, type))
		return NULL;
	return child;
}

const char *json_text(struct json_object *object, const char *key)
{
	struct json_object *child = json_child(object, key, json_type_string);

	return child ? json_object_get_string(child) : NULL;
}

bool json_number(struct json_object *object, const char *key, int64_t *value)
{
	struct json_object *child = json_child(object, key, json_type_int);

	if (child)
		*value = json_object_get_int64(child);
	return child;
}

uint64_t json_count(struct json_object *object, const char *key, uint64_t fallback)
{
	int64_t value;

	return json_number(object, key, &value) && value >= 0 ? (uint64_t)value : fallback;
}

bool json_flag(struct json_object *object, const char *key, bool fallback)
{
	struct json_object *child = json_child(object, key, json_type_boolean);

	return child ? json_object_get_boolean(child) : fallback;
}

size_t json_length(struct json_object *array)
{
	return array ? json_object_array_length(array) : 0;
}

/* ---------------------------------------------------------------------- adding */

static void put(struct json_object *object, const char *key, struct json_object *child)
{
	if (!child || json_object_object_add(object, key, child))
		out_of_memory();
}

void json_put_text(struct json_object *object, const char *key, const char *text)
{
	if (text)
		put(object, key, json_object_new_string(text));
}

void json_put_number(struct json_object *object, const char *key, int64_t value)
{
	put(object, key, json_object_new_int64(value));
}

void json_put_flag(struct json_object *object, const char *key, bool value)
{
	put(object, key, json_object_new_boolean(value));
}

void json_put_address(struct json_object *object, const char *key, uint64_t address)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%016" PRIx64, address);
	json_put_text(object, key, text);
}

struct json_object *json_put_array(struct json_object *object, const char *key)
{
	struct json_object *array = json_object_new_array();

	put(object, key, array);
	return array;
}

struct json_object *json_push(struct json_object *array)
{
	struct json_object *child = json_object_new_object();

	if (!child || json_object_array_add(array, child))
		out_of_memory();
	return child;
}

/* ---------------------------------------------------------------------- base64 */

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *json_encode(const void *bytes, size_t size)
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

void *json_decode(const char *text, size_t *size)
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

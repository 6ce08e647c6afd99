// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trees of JSON values: see json.h.
 */
#include "base/json.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"

/* ---------------------------------------------------------------------- reading */

struct json_object *json_get(struct json_object *object, const char *key)
{
	struct json_object *child;

	if (!json_object_is_type(object, json_type_object) ||
	    !json_object_object_get_ex(object, key, &child))
		return NULL;
	return child;
}

struct json_object *json_child(struct json_object *object, const char *key,
			       enum json_type type)
{
	struct json_object *child = json_get(object, key);

	return json_object_is_type(child, type) ? child : NULL;
}

const char *json_text(struct json_object *object, const char *key)
{
	struct json_object *child = json_child(object, key, json_type_string);

	return child ? json_object_get_string(child) : NULL;
}

const char *json_word(struct json_object *object, const char *key)
{
	const char *text = json_text(object, key);

	return text ? text : "";
}

bool json_number(struct json_object *object, const char *key, int64_t *value)
{
	struct json_object *child = json_child(object, key, json_type_int);

	if (child)
		*value = json_object_get_int64(child);
	return child;
}

bool json_uint(struct json_object *object, const char *key, uint64_t *value)
{
	const char *text = json_text(object, key);
	struct json_object *child;

	if (text)
		return parse_u64(text, UINT64_MAX, value);
	child = json_child(object, key, json_type_int);
	if (!child || json_object_get_int64(child) < 0)
		return false;
	*value = json_object_get_uint64(child);
	return true;
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

size_t json_rows(struct json_object *object, const char *key)
{
	return json_length(json_child(object, key, json_type_array));
}

struct json_object *json_row(struct json_object *object, const char *key, size_t i)
{
	struct json_object *row;

	if (i >= json_rows(object, key))
		return NULL;
	row = json_object_array_get_idx(json_get(object, key), i);
	return json_object_is_type(row, json_type_object) ? row : NULL;
}

/* ---------------------------------------------------------------------- adding */

static struct json_object *need(struct json_object *new)
{
	if (!new)
		out_of_memory();
	return new;
}

struct json_object *json_new(void)
{
	return need(json_object_new_object());
}

void json_put(struct json_object *object, const char *key, struct json_object *child)
{
	if (json_object_object_add(object, key, need(child)))
		out_of_memory();
}

void json_append(struct json_object *array, struct json_object *child)
{
	if (json_object_array_add(array, need(child)))
		out_of_memory();
}

struct json_object *json_push(struct json_object *array)
{
	struct json_object *child = json_new();

	json_append(array, child);
	return child;
}

void json_put_text(struct json_object *object, const char *key, const char *text)
{
	if (text)
		json_put(object, key, json_object_new_string(text));
}

void json_put_number(struct json_object *object, const char *key, int64_t value)
{
	json_put(object, key, json_object_new_int64(value));
}

void json_put_uint(struct json_object *object, const char *key, uint64_t value)
{
	json_put(object, key, json_object_new_uint64(value));
}

void json_put_flag(struct json_object *object, const char *key, bool value)
{
	json_put(object, key, json_object_new_boolean(value));
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

	json_put(object, key, array);
	return array;
}

/* ----------------------------------------------------------------------- words */

#define WORD_CHARS	9	/* with the blank */
#define MAX_WORDS	65536

struct json_object *json_words(const uint32_t *words, size_t num)
{
	char *text = xcalloc(num + 1, WORD_CHARS);
	struct json_object *value;

	for (size_t i = 0; i < num; i++)
		snprintf(text + WORD_CHARS * i, WORD_CHARS + 1, "%08" PRIx32 " ", words[i]);
	if (num)
		text[WORD_CHARS * num - 1] = '\0';
	value = need(json_object_new_string(text));
	free(text);
	return value;
}

void json_put_words(struct json_object *object, const char *key, const uint32_t *words,
		    size_t num)
{
	json_put(object, key, json_words(words, num));
}

static bool is_word(const char *text)
{
	for (int i = 0; i < WORD_CHARS - 1; i++)
		if (!isxdigit((unsigned char)text[i]))
			return false;
	return text[WORD_CHARS - 1] == ' ' || !text[WORD_CHARS - 1];
}

size_t json_read_words(const char *text, uint32_t **words)
{
	size_t length = text ? strnlen(text, WORD_CHARS * MAX_WORDS) : 0, num = 0;

	*words = xcalloc(length / WORD_CHARS + 1, sizeof(**words));
	for (; length >= WORD_CHARS - 1 && is_word(text); num++) {
		(*words)[num] = strtoul(text, NULL, 16);
		if (length < WORD_CHARS)
			return num + 1;
		text += WORD_CHARS;
		length -= WORD_CHARS;
	}
	return num;
}

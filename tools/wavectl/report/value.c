// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Members of a report: see value.h.
 */
#include "report/value.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/util.h"

#define WORD_CHARS	9	/* with the blank */
#define MAX_WORDS	65536

void value_put_str(struct json_object *o, const char *key, const char *text)
{
	char *safe = text ? text_shown(text) : NULL;

	json_object_object_add(o, key, safe ? json_object_new_string(safe) : NULL);
	free(safe);
}

void value_put_uint(struct json_object *o, const char *key, uint64_t value)
{
	json_object_object_add(o, key, json_object_new_uint64(value));
}

void value_put_bool(struct json_object *o, const char *key, bool value)
{
	json_object_object_add(o, key, json_object_new_boolean(value));
}

void value_put_hex(struct json_object *o, const char *key, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%016" PRIx64, value);
	json_object_object_add(o, key, json_object_new_string(text));
}

struct json_object *value_words(const uint32_t *words, size_t num)
{
	char *text = xcalloc(num + 1, WORD_CHARS);
	struct json_object *value;

	for (size_t i = 0; i < num; i++)
		snprintf(text + WORD_CHARS * i, WORD_CHARS + 1, "%08" PRIx32 " ", words[i]);
	if (num)
		text[WORD_CHARS * num - 1] = '\0';
	value = json_object_new_string(text);
	free(text);
	return value;
}

void value_put_words(struct json_object *o, const char *key, const uint32_t *words, size_t num)
{
	json_object_object_add(o, key, value_words(words, num));
}

struct json_object *value_put_array(struct json_object *o, const char *key)
{
	struct json_object *array = json_object_new_array();

	json_object_object_add(o, key, array);
	return array;
}

struct json_object *value_add(struct json_object *array)
{
	struct json_object *o = json_object_new_object();

	json_object_array_add(array, o);
	return o;
}

struct json_object *value_get(struct json_object *o, const char *key)
{
	struct json_object *value = NULL;

	if (!json_object_is_type(o, json_type_object) ||
	    !json_object_object_get_ex(o, key, &value))
		return NULL;
	return value;
}

size_t value_count(struct json_object *o, const char *key)
{
	struct json_object *array = value_get(o, key);

	return json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;
}

struct json_object *value_at(struct json_object *o, const char *key, size_t i)
{
	struct json_object *element;

	if (i >= value_count(o, key))
		return NULL;
	element = json_object_array_get_idx(value_get(o, key), i);
	return json_object_is_type(element, json_type_object) ? element : NULL;
}

const char *value_str(struct json_object *o, const char *key)
{
	struct json_object *value = value_get(o, key);

	return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
}

bool value_uint(struct json_object *o, const char *key, uint64_t *value)
{
	struct json_object *number = value_get(o, key);

	if (json_object_is_type(number, json_type_string))
		return parse_u64(json_object_get_string(number), UINT64_MAX, value);
	if (!json_object_is_type(number, json_type_int) || json_object_get_int64(number) < 0)
		return false;
	*value = json_object_get_uint64(number);
	return true;
}

static bool is_word(const char *text)
{
	for (int i = 0; i < WORD_CHARS - 1; i++)
		if (!isxdigit((unsigned char)text[i]))
			return false;
	return text[WORD_CHARS - 1] == ' ' || !text[WORD_CHARS - 1];
}

size_t value_read_words(const char *text, uint32_t **words)
{
	size_t length = strnlen(text, WORD_CHARS * MAX_WORDS), num = 0;

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

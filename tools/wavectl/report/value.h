/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Members of a report. A report is one tree of JSON values, whether it was just collected or read
 * from a file. Such a file is untrusted, so that the functions that read accept any tree.
 */
#ifndef WAVECTL_REPORT_VALUE_H
#define WAVECTL_REPORT_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

/* Add a member to an object. */
void value_put_str(struct json_object *o, const char *key, const char *text);
void value_put_uint(struct json_object *o, const char *key, uint64_t value);
void value_put_bool(struct json_object *o, const char *key, bool value);
void value_put_hex(struct json_object *o, const char *key, uint64_t value);
/* As "0123abcd 00000000": for registers and memory */
void value_put_words(struct json_object *o, const char *key, const uint32_t *words, size_t num);
struct json_object *value_words(const uint32_t *words, size_t num);
/* Add an array of objects to an object, and an object to an array. */
struct json_object *value_put_array(struct json_object *o, const char *key);
struct json_object *value_add(struct json_object *array);

/* The member @key of an object; NULL if there is none, or @o is no object */
struct json_object *value_get(struct json_object *o, const char *key);
/* The number of elements of the member @key; 0 if it is no array */
size_t value_count(struct json_object *o, const char *key);
/* Element @i of the member @key, which must be an object; else NULL */
struct json_object *value_at(struct json_object *o, const char *key, size_t i);
/* The text of the member @key; "" if it is no string */
const char *value_str(struct json_object *o, const char *key);
/* A number, or the text of one; false if it is none */
bool value_uint(struct json_object *o, const char *key, uint64_t *value);
/*
 * Read the words of a string of value_put_words(), up to the first that is damaged; at most 65536.
 * Returns their number. The caller frees @words.
 */
size_t value_read_words(const char *text, uint32_t **words);

#endif /* WAVECTL_REPORT_VALUE_H */

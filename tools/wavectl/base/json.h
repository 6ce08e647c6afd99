/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trees of JSON values: messages of dap, reports and traces. Functions that read accept any tree,
 * because files and messages are untrusted: a member of another type than the expected one is
 * missing, as is a member of NULL or of a value that is no object. Text is kept as it is;
 * text_json() makes it safe when it is printed. If there is no memory, the program ends.
 */
#ifndef WAVECTL_JSON_H
#define WAVECTL_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

/* A member of any type, or of this one; NULL: missing */
struct json_object *json_get(struct json_object *object, const char *key);
struct json_object *json_child(struct json_object *object, const char *key,
			       enum json_type type);
/* The text of a member; NULL, or for json_word() "": missing */
const char *json_text(struct json_object *object, const char *key);
const char *json_word(struct json_object *object, const char *key);
/* A whole number. False, and *value is unchanged: missing */
bool json_number(struct json_object *object, const char *key, int64_t *value);
/* A number of at least 0, or the text of one. False, and *value is unchanged: missing */
bool json_uint(struct json_object *object, const char *key, uint64_t *value);
/* A number of at least 0; @fallback if it is missing or negative */
uint64_t json_count(struct json_object *object, const char *key, uint64_t fallback);
/* A flag; @fallback if it is missing */
bool json_flag(struct json_object *object, const char *key, bool fallback);

/* The number of elements of an array, which may be NULL */
size_t json_length(struct json_object *array);
/* The number of elements of the member @key, an array */
size_t json_rows(struct json_object *object, const char *key);
/* Element @i of it; NULL if it is no object */
struct json_object *json_row(struct json_object *object, const char *key, size_t i);

/* Create an empty object. */
struct json_object *json_new(void);
/* Add a member, which then belongs to @object. */
void json_put(struct json_object *object, const char *key, struct json_object *child);
/* Append to an array: a value, or an empty object, which is returned. */
void json_append(struct json_object *array, struct json_object *child);
struct json_object *json_push(struct json_object *array);

/* Add a member. Nothing is added for a text that is NULL. */
void json_put_text(struct json_object *object, const char *key, const char *text);
void json_put_number(struct json_object *object, const char *key, int64_t value);
void json_put_uint(struct json_object *object, const char *key, uint64_t value);
void json_put_flag(struct json_object *object, const char *key, bool value);
/* Add an address as text, "0x0000600000000000" */
void json_put_address(struct json_object *object, const char *key, uint64_t address);
/* Add an empty array. */
struct json_object *json_put_array(struct json_object *object, const char *key);

/* Registers and memory as text, "0123abcd 00000000" */
struct json_object *json_words(const uint32_t *words, size_t num);
void json_put_words(struct json_object *object, const char *key, const uint32_t *words,
		    size_t num);
/*
 * Read such a text, which may be NULL, up to the first word that is damaged; at most 65536. Returns
 * the number of words. The caller frees @words.
 */
size_t json_read_words(const char *text, uint32_t **words);

#endif /* WAVECTL_JSON_H */

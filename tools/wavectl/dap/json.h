/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Members of JSON objects. A member of another type than the expected one is missing.
 */
#ifndef WAVECTL_DAP_JSON_H
#define WAVECTL_DAP_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

/* The text of a member; NULL: missing */
const char *json_text(struct json_object *object, const char *key);
/* A whole number. False, and *value is unchanged: missing */
bool json_number(struct json_object *object, const char *key, int64_t *value);
/* A number of at least 0; @fallback if it is missing or negative */
uint64_t json_count(struct json_object *object, const char *key, uint64_t fallback);
/* A flag; @fallback if it is missing */
bool json_flag(struct json_object *object, const char *key, bool fallback);
/* An object or array; NULL: missing */
struct json_object *json_child(struct json_object *object, const char *key,
			       enum json_type type);
/* The number of elements of an array, which may be NULL */
size_t json_length(struct json_object *array);

/* Add a member. Nothing is added for a text that is NULL. */
void json_put_text(struct json_object *object, const char *key, const char *text);
void json_put_number(struct json_object *object, const char *key, int64_t value);
void json_put_flag(struct json_object *object, const char *key, bool value);
/* Add an address as text, "0x000060000000" */
void json_put_address(struct json_object *object, const char *key, uint64_t address);
/* Add an empty array. */
struct json_object *json_put_array(struct json_object *object, const char *key);
/* Append an empty object to an array. */
struct json_object *json_push(struct json_object *array);

/* Base64 of RFC 4648. The caller frees the results. */
char *json_encode(const void *bytes, size_t size);
/* NULL: @text is not base64 */
void *json_decode(const char *text, size_t *size);

#endif /* WAVECTL_DAP_JSON_H */

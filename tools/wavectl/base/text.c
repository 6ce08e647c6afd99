// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes text from outside safe: see text.h.
 */
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"

#define REPLACEMENT "\xef\xbf\xbd"	/* U+FFFD */

/* DEL: json-c escapes all unsafe characters before it */
#define UNSAFE_OF_JSON 0x7f

struct span {
	uint32_t first, last;
};

/*
 * Control characters, separators (Zl, Zp), characters that change the direction (Bidi_Control),
 * and those with Default_Ignorable_Code_Point in Unicode 15
 */
static const struct span unsafe[] = {
	{ 0x0, 0x1f }, { 0x7f, 0x9f }, { 0xad, 0xad }, { 0x34f, 0x34f }, { 0x61c, 0x61c },
	{ 0x115f, 0x1160 }, { 0x17b4, 0x17b5 }, { 0x180b, 0x180f }, { 0x200b, 0x200f },
	{ 0x2028, 0x202e }, { 0x2060, 0x206f }, { 0x3164, 0x3164 }, { 0xfe00, 0xfe0f },
	{ 0xfeff, 0xfeff }, { 0xffa0, 0xffa0 }, { 0xfff0, 0xfffb }, { 0x1bca0, 0x1bca3 },
	{ 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
};

static bool is_unsafe(uint32_t character)
{
	for (size_t i = 0; i < ARRAY_SIZE(unsafe) && unsafe[i].first <= character; i++)
		if (character <= unsafe[i].last)
			return true;
	return false;
}

/*
 * Decode the UTF-8 character that @text begins with. Returns its length in bytes; 0: it is
 * invalid.
 */
static size_t decode(const unsigned char *text, uint32_t *character)
{
	/* Lengths by the first byte, and the range of the second byte */
	static const struct {
		unsigned char first, last, bytes, low, high;
	} kinds[] = {
		{ 0x01, 0x7f, 1, 0, 0 },
		{ 0xc2, 0xdf, 2, 0x80, 0xbf },
		{ 0xe0, 0xe0, 3, 0xa0, 0xbf },
		{ 0xe1, 0xec, 3, 0x80, 0xbf },
		{ 0xed, 0xed, 3, 0x80, 0x9f },	/* no surrogates */
		{ 0xee, 0xef, 3, 0x80, 0xbf },
		{ 0xf0, 0xf0, 4, 0x90, 0xbf },
		{ 0xf1, 0xf3, 4, 0x80, 0xbf },
		{ 0xf4, 0xf4, 4, 0x80, 0x8f },
	};
	static const unsigned char bits[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	size_t i = 0, n;

	while (i < ARRAY_SIZE(kinds) && (*text < kinds[i].first || *text > kinds[i].last))
		i++;
	if (i == ARRAY_SIZE(kinds))
		return 0;
	if (kinds[i].bytes > 1 && (text[1] < kinds[i].low || text[1] > kinds[i].high))
		return 0;
	*character = *text & bits[kinds[i].bytes];
	for (n = 1; n < kinds[i].bytes; n++) {
		if ((text[n] & 0xc0) != 0x80)
			return 0;
		*character = *character << 6 | (text[n] & 0x3f);
	}
	return n;
}

static void append_bytes(struct buffer *b, const unsigned char *bytes, size_t num)
{
	char text[8];

	for (size_t i = 0; i < num; i++)
		buffer_append(b, text, (size_t)snprintf(text, sizeof(text), "\\x%02x", bytes[i]));
}

/* Append the JSON escape of a character. Beyond U+FFFF this is a surrogate pair. */
static void append_escape(struct buffer *b, uint32_t character)
{
	char text[16];

	if (character > 0xffff) {
		character -= 0x10000;
		snprintf(text, sizeof(text), "\\u%04x\\u%04x", 0xd800 | character >> 10,
			 0xdc00 | (character & 0x3ff));
	} else {
		snprintf(text, sizeof(text), "\\u%04x", character);
	}
	buffer_append(b, text, strlen(text));
}

/*
 * Escape what is unsafe or no UTF-8. In JSON, the text was formatted by json-c, which has escaped
 * a part of it; the rest can only be in strings, where an escape is always valid.
 */
static char *make_safe(const char *text, bool is_json)
{
	const unsigned char *from = (const unsigned char *)text;
	uint32_t character, first_unsafe = is_json ? UNSAFE_OF_JSON : 0;
	struct buffer b = { 0 };

	buffer_append(&b, "", 0);
	while (*from) {
		size_t n = decode(from, &character), num = n ? n : 1;

		if (n && (character < first_unsafe || !is_unsafe(character)))
			buffer_append(&b, (const char *)from, n);
		else if (!is_json)
			append_bytes(&b, from, num);
		else if (n)
			append_escape(&b, character);
		else
			buffer_append(&b, REPLACEMENT, strlen(REPLACEMENT));
		from += num;
	}
	return b.text;
}

char *text_shown(const char *text)
{
	return make_safe(text, false);
}

static char *format_json(struct json_object *object, int style)
{
	style |= JSON_C_TO_STRING_NOSLASHESCAPE;
	return make_safe(json_object_to_json_string_ext(object, style), true);
}

char *text_json(struct json_object *object)
{
	return format_json(object, JSON_C_TO_STRING_PLAIN);
}

char *text_json_pretty(struct json_object *object)
{
	return format_json(object, JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_PRETTY);
}

/* An empty object takes as much memory as so many numbers. */
#define OBJECT_VALUES	14

uint64_t text_json_values(const char *text, size_t size)
{
	uint64_t num = 1;

	/* Each value but the first follows one of these characters. */
	for (size_t i = 0; i < size; i++) {
		if (text[i] == ',' || text[i] == '[')
			num++;
		else if (text[i] == '{')
			num += OBJECT_VALUES;
	}
	return num;
}

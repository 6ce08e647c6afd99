// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Text that is not wavectl's own, such as names of processes, on a terminal and in JSON.
 */
#include <iconv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "base/emit.h"
#include "base/text.h"
#include "mock.h"
#include "run_wavectl.h"

#define FFFD "\xef\xbf\xbd"

/* Random texts, each of up to so many bytes */
#define ROUNDS 20000
#define BYTES_MAX 24

static struct run r;

struct sample {
	const char *text, *shown, *json;
};

static const struct sample samples[] = {
	{ "plain", "plain", "plain" },
	{ "", "", "" },
	{ "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\x9b", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\x9b",
	  "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\x9b" },
	/* what a terminal obeys */
	{ "\x1b]0;x\x07", "\\x1b]0;x\\x07", "\\u001b]0;x\\u0007" },
	{ "a\tb\r\n", "a\\x09b\\x0d\\x0a", "a\\tb\\r\\n" },
	{ "\x7f", "\\x7f", "\\u007f" },
	{ "\xc2\x9b\x32J", "\\xc2\\x9b2J", "\\u009b2J" },
	/* no UTF-8: alone, cut off, too long, a surrogate, beyond the last character */
	{ "\x9b", "\\x9b", FFFD },
	{ "\xe2\x82", "\\xe2\\x82", FFFD FFFD },
	{ "\xc0\xaf", "\\xc0\\xaf", FFFD FFFD },
	{ "\xe0\x80\xaf", "\\xe0\\x80\\xaf", FFFD FFFD FFFD },
	{ "\xed\xa0\x80", "\\xed\\xa0\\x80", FFFD FFFD FFFD },
	{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80", FFFD FFFD FFFD FFFD },
	{ "\xf8\xff", "\\xf8\\xff", FFFD FFFD },
	/* directions: an override, isolates, marks */
	{ "\xe2\x80\xaezip", "\\xe2\\x80\\xaezip", "\\u202ezip" },
	{ "\xe2\x81\xa6\xe2\x81\xa9", "\\xe2\\x81\\xa6\\xe2\\x81\\xa9", "\\u2066\\u2069" },
	{ "\xe2\x80\x8f\xd8\x9c", "\\xe2\\x80\\x8f\\xd8\\x9c", "\\u200f\\u061c" },
	/* separators, and what has no width */
	{ "\xe2\x80\xa8\xe2\x80\xa9", "\\xe2\\x80\\xa8\\xe2\\x80\\xa9", "\\u2028\\u2029" },
	{ "a\xe2\x80\x8bz", "a\\xe2\\x80\\x8bz", "a\\u200bz" },
	{ "\xef\xbb\xbf\xc2\xad", "\\xef\\xbb\\xbf\\xc2\\xad", "\\ufeff\\u00ad" },
	{ "\xf3\xa0\x81\x81", "\\xf3\\xa0\\x81\\x81", "\\udb40\\udc41" },
};

/* The value that JSON has for @text, between its quotation marks */
static char *json_of(const char *text)
{
	struct json_object *string = json_object_new_string(text);
	char *line = text_json(string), *value;

	assert_true(strlen(line) >= 2);
	value = strndup(line + 1, strlen(line) - 2);
	free(line);
	json_object_put(string);
	return value;
}

static void unsafe_characters_are_escaped(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		char *shown = text_shown(samples[i].text), *json = json_of(samples[i].text);

		assert_string_equal(shown, samples[i].shown);
		assert_string_equal(json, samples[i].json);
		free(shown);
		free(json);
	}
}

/* The C library decides what is UTF-8, see parse(). */
static bool is_valid(const char *text)
{
	size_t left = strlen(text), space = 4 * (left + 1);
	char *from = (char *)text, *room = malloc(space), *to = room;
	iconv_t converter = iconv_open("UTF-32", "UTF-8");
	bool valid;

	assert_true(converter != (iconv_t)-1 && room);
	valid = iconv(converter, &from, &left, &to, &space) != (size_t)-1;
	iconv_close(converter);
	free(room);
	return valid;
}

static struct json_object *parse_with(const char *json, int flags)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *object;

	json_tokener_set_flags(tokener, flags);
	object = json_tokener_parse_ex(tokener, json, (int)strlen(json) + 1);
	if (json_tokener_get_error(tokener) != json_tokener_success)
		fail_msg("%s: %s", json, json_tokener_error_desc(json_tokener_get_error(tokener)));
	json_tokener_free(tokener);
	return object;
}

/*
 * json-c decides what is JSON: it is not the code under test. JSON_TOKENER_STRICT of json-c
 * 0.18 refuses all characters beyond ASCII, which are therefore replaced where it looks.
 */
static struct json_object *parse(const char *json)
{
	char *ascii = strdup(json);

	assert_non_null(ascii);
	assert_true(is_valid(json));
	for (char *c = ascii; *c; c++)
		if (*c & 0x80)
			*c = '?';
	json_object_put(parse_with(ascii, JSON_TOKENER_STRICT));
	free(ascii);
	return parse_with(json, 0);
}

/* Bytes that begin, continue and end characters, more often than others */
static void make_text(unsigned int *seed, char text[BYTES_MAX + 1])
{
	static const unsigned char likely[] = {
		0x1b, 0x7f, 0x80, 0x9b, 0xa8, 0xae, 0xbf, 0xc2, 0xe2, 0xe0, 0xed, 0xf0, 0xf3, 0xf4,
	};
	size_t length = (size_t)rand_r(seed) % BYTES_MAX;

	for (size_t i = 0; i < length; i++) {
		int what = rand_r(seed);

		text[i] = (char)(what & 1 ? likely[(what >> 1) % (int)sizeof(likely)] :
				 1 + (what >> 1) % 255);
	}
	text[length] = '\0';
}

static void any_bytes_give_valid_text_and_json(void **state)
{
	char text[BYTES_MAX + 1], *shown, *line;
	struct json_object *string, *read;
	unsigned int seed = 1;

	(void)state;
	for (unsigned int round = 0; round < ROUNDS; round++) {
		make_text(&seed, text);
		shown = text_shown(text);
		for (const char *c = shown; *c; c++)
			assert_true((unsigned char)*c >= 0x20 && *c != 0x7f);
		assert_null(strstr(shown, "\xc2\x9b"));
		assert_null(strstr(shown, "\xe2\x80\xae"));
		string = json_object_new_string(text);
		line = text_json(string);
		read = parse(line);
		assert_true(is_valid(shown) && is_valid(line));
		assert_null(strstr(line, "\xc2\x9b"));
		assert_null(strstr(line, "\xe2\x80\xae"));
		/* JSON has valid text as it is. */
		if (is_valid(text))
			assert_string_equal(json_object_get_string(read), text);
		json_object_put(read);
		json_object_put(string);
		free(shown);
		free(line);
	}
}

/* All ways in which a value gets into the output */
static int print_all(const void *arg)
{
	static const char *const values[] = { "\x1b[1m", "\x9b", "\xe2\x80\xae" };
	struct emit *e = emit_new(*(const bool *)arg);

	emit_begin(e);
	emit_str(e, "word", values[0]);
	emit_names(e, "names", values, 3);
	emit_table(e, "table", true);
	emit_row(e);
	emit_str(e, "cell", values[0]);
	emit_names(e, "cells", values, 3);
	emit_lanes(e, "lanes", values, 0, 3, 5);
	emit_failed(e, "reason", values[2]);
	emit_list(e, "list");
	emit_list_line(e, values[0], values, 3, 5);
	emit_list_end(e);
	emit_members(e, "members");
	emit_hex_line(e, values[0], 1);
	emit_hex_line(e, values[1], 1);
	emit_hex_change(e, values[2], 1, 2);
	emit_members_end(e);
	emit_table_end(e);
	emit_say(e, "{word} and {names}");
	if (emit_end(e))
		abort();
	emit_free(e);
	return 0;
}

static void text_is_made_safe_wherever_it_is_printed(void **state)
{
	bool json = false;

	(void)state;
	assert_int_equal(run_function(&r, print_all, &json), 0);
	contains(r.out, "\\x1b[1m and \\x1b[1m,\\x9b,\\xe2\\x80\\xae\n");
	for (const char *c = r.out; *c; c++)
		assert_true(*c == '\n' || (*c >= 0x20 && *c < 0x7f));
	json = true;
	assert_int_equal(run_function(&r, print_all, &json), 0);
	json_object_put(parse(r.out));
	contains(r.out, "\"\\u001b[1m\"");
	lacks(r.out, "\xe2\x80\xae");
}

/* What was typed, or is in a file of commands, may have been copied from somewhere. */
static void unsafe_text_in_error_messages_is_escaped(void **state)
{
	(void)state;
	assert_int_equal(run(&r, "\x1b[31mlist"), 2);
	contains(r.err, "unknown command '\\x1b[31mlist'");
	assert_int_equal(run(&r, "--json \xe2\x80\xaelist"), 2);
	contains(r.err, "unknown command '\\xe2\\x80\\xaelist'");
	contains(r.out, "\"error\":\"unknown command '\\u202elist'\"");
	assert_int_equal(run(&r, "--\xc2\x9bm"), 2);
	lacks(r.err, "\xc2\x9b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unsafe_characters_are_escaped),
		cmocka_unit_test(any_bytes_give_valid_text_and_json),
		RUN_TEST(text_is_made_safe_wherever_it_is_printed),
		RUN_TEST(unsafe_text_in_error_messages_is_escaped),
	};

	return cmocka_run_group_tests_name("wavectl_text", tests, NULL, NULL);
}

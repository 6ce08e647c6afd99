/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text from outside: names of processes, symbols, files and variables, lines of source code, and
 * error messages that quote them. The libraries return such text unchanged; it is made safe here
 * before it is printed.
 *
 * Unsafe characters are those that a terminal interprets or does not show: control characters of
 * ASCII and ISO 8859 (U+0000 to U+001F, U+007F to U+009F), line and paragraph separators,
 * characters that change the direction of text, and characters without width that Unicode lets a
 * program ignore. The terminal is assumed to expect UTF-8.
 */
#ifndef WAVECTL_TEXT_H
#define WAVECTL_TEXT_H

#include <json-c/json.h>

/*
 * Copy @text for a terminal. Each byte of an unsafe character, and each byte that is not part of
 * valid UTF-8, becomes \xNN. The caller frees the result.
 */
char *text_shown(const char *text);

/*
 * Format @object as one line of JSON without the line feed. Unsafe characters become \uNNNN, so
 * that a program reads them unchanged; a byte that is not part of valid UTF-8 becomes U+FFFD.
 * The caller frees the result.
 */
char *text_json(struct json_object *object);
/* The same as indented lines, for a file that users read */
char *text_json_pretty(struct json_object *object);

/*
 * Estimate the memory that json-c takes for the values of a JSON text, in the size of a number,
 * which is about 64 bytes. Commas and brackets in strings count, too.
 */
uint64_t text_json_values(const char *text, size_t size);

#endif /* WAVECTL_TEXT_H */

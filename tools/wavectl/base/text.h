/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text from outside: names of processes, symbols, files and variables, lines of source code
 * and error messages that quote them. The libraries hand such text on as it is; here it is
 * made safe before it is printed.
 *
 * Unsafe characters are those that a terminal obeys or does not show: control characters of
 * ASCII and of ISO 8859 (U+0000 to U+001F, U+007F to U+009F), line and paragraph separators,
 * characters that change the direction of text, and characters of no width that Unicode
 * lets a program ignore. The terminal is assumed to expect UTF-8.
 */
#ifndef WAVECTL_TEXT_H
#define WAVECTL_TEXT_H

#include <json-c/json.h>

/*
 * Copy @text for a terminal: each byte of an unsafe character, and each byte that is not a
 * part of valid UTF-8, becomes \xNN. To be freed.
 */
char *text_shown(const char *text);

/*
 * Write @object as one line of JSON, without the line feed: unsafe characters become \uNNNN,
 * so that a program reads them as they are, and each byte that is not a part of valid UTF-8
 * becomes the replacement character U+FFFD. To be freed.
 */
char *text_json(struct json_object *object);

#endif /* WAVECTL_TEXT_H */

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * jsonlines - check that each line of standard input is a JSON object in valid UTF-8
 *
 * For each line that has the member "line", which wavectl's batch gives to the results of a
 * command, print this number and the command's exit status. The exit status is 1 if a line
 * is not a JSON object.
 */
#include <iconv.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

/*
 * The C library decides what is UTF-8, see parse(). It has UCS-4 without files that the guest
 * lacks.
 */
static bool is_utf8(char *line, size_t length)
{
	iconv_t converter = iconv_open("UCS-4", "UTF-8");
	/* A byte order mark, and one character for each byte at the most */
	size_t space = 4 * (length + 1);
	char *room = malloc(space), *to = room;
	bool valid;

	if (converter == (iconv_t)-1 || !room) {
		perror("jsonlines");
		exit(EXIT_FAILURE);
	}
	valid = iconv(converter, &line, &length, &to, &space) != (size_t)-1;
	iconv_close(converter);
	free(room);
	return valid;
}

/*
 * @line is changed: JSON_TOKENER_STRICT of json-c 0.18 refuses all characters beyond ASCII.
 * They are in strings, none of which is of interest here.
 */
static struct json_object *parse(char *line, size_t length)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *object;

	if (!is_utf8(line, length)) {
		json_tokener_free(tokener);
		return NULL;
	}
	for (size_t i = 0; i < length; i++)
		if (line[i] & 0x80)
			line[i] = '?';
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
	object = json_tokener_parse_ex(tokener, line, (int)length);
	if (json_tokener_get_error(tokener) != json_tokener_success ||
	    json_tokener_get_parse_end(tokener) != length ||
	    !json_object_is_type(object, json_type_object)) {
		json_object_put(object);
		object = NULL;
	}
	json_tokener_free(tokener);
	return object;
}

static void print_status(struct json_object *object)
{
	struct json_object *line, *status;

	if (json_object_object_get_ex(object, "line", &line) &&
	    json_object_object_get_ex(object, "exit_status", &status))
		printf("%d %d\n", json_object_get_int(line), json_object_get_int(status));
}

int main(void)
{
	struct json_object *object;
	unsigned int wrong = 0;
	char *line = NULL;
	size_t room = 0;
	ssize_t length;

	while ((length = getline(&line, &room, stdin)) >= 0) {
		/* The parser must not be offered what is behind the object. */
		if (length && line[length - 1] == '\n')
			line[--length] = '\0';
		object = parse(line, (size_t)length);
		if (object) {
			print_status(object);
		} else {
			fprintf(stderr, "not a JSON object: %s\n", line);
			wrong++;
		}
		json_object_put(object);
	}
	free(line);
	return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

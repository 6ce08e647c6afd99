// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Transcripts: see transcript.h.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transcript.h"

#define STATUS "# exit status "
#define COMMAND "$ wavectl"
/* Lines of output have no backslash before a blank at their beginning. */
#define CONTINUED "\\ "
#define COLUMNS 96

static bool begins(const char *line, const char *mark)
{
	return !strncmp(line, mark, strlen(mark));
}

static int invalid(const struct transcript *t, size_t line, const char *reason)
{
	fprintf(stderr, "%s:%zu: %s\n", t->path, line + 1, reason);
	return -1;
}

static void *must(void *memory)
{
	if (!memory) {
		perror("transcript");
		abort();
	}
	return memory;
}

static char *read_all(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (!file || getdelim(&text, &size, '\0', file) < 0) {
		perror(path);
		free(text);
		text = NULL;
	}
	if (file)
		fclose(file);
	return text;
}

static void split(struct transcript *t)
{
	char *rest = t->text, *line;

	while ((line = strsep(&rest, "\n"))) {
		t->lines = must(realloc(t->lines, (t->num_lines + 1) * sizeof(*t->lines)));
		t->lines[t->num_lines++] = line;
	}
	/* After the last line feed there is no line. */
	if (!*t->lines[t->num_lines - 1])
		t->num_lines--;
}

/* Does this line end the output of a command? */
static bool is_head(const char *line)
{
	return begins(line, "$") || begins(line, "@") ||
	       (begins(line, "#") && !begins(line, STATUS));
}

/* The lines from @line on that begin with @mark */
static size_t count(const struct transcript *t, size_t line, const char *mark)
{
	size_t n = 0;

	while (line + n < t->num_lines && begins(t->lines[line + n], mark))
		n++;
	return n;
}

/* Empty lines before the next block are not output: transcript_format() marks those. */
static size_t count_body(const struct transcript *t, size_t line)
{
	size_t n = 0;

	while (line + n < t->num_lines && !is_head(t->lines[line + n]))
		n++;
	while (n && !*t->lines[line + n - 1])
		n--;
	return n;
}

/*
 * Read the block with the command at *@line, and move *@line behind it. @block: the lines about
 * the machine
 */
static int read_block(struct transcript *t, struct transcript_block block, size_t *line)
{
	const char *command = t->lines[(*line)++];

	if (!begins(command, COMMAND) || (command[strlen(COMMAND)] &&
					  command[strlen(COMMAND)] != ' '))
		return invalid(t, *line - 1, "the only command is wavectl");
	block.command = command + 2;
	block.first_input = *line;
	block.num_input = count(t, *line, "<");
	*line += block.num_input;
	block.first_body = *line;
	block.num_body = count_body(t, *line);
	*line += block.num_body;
	t->blocks = must(realloc(t->blocks, (t->num_blocks + 1) * sizeof(*t->blocks)));
	t->blocks[t->num_blocks++] = block;
	return 0;
}

static int parse(struct transcript *t)
{
	struct transcript_block block = { 0 };
	size_t line = 0;

	while (line < t->num_lines) {
		if (begins(t->lines[line], "@@")) {
			block.first_common = line;
			block.num_common = count(t, line, "@@");
			line += block.num_common;
			continue;
		}
		block.first_given = line;
		block.num_given = count(t, line, "@");
		line += block.num_given;
		if (line < t->num_lines && begins(t->lines[line], "$")) {
			if (read_block(t, block, &line))
				return -1;
			continue;
		}
		if (block.num_given)
			return invalid(t, block.first_given, "a command must follow");
		if (*t->lines[line] && !begins(t->lines[line], "#"))
			return invalid(t, line, "the line belongs to no command");
		line++;
	}
	return t->num_blocks ? 0 : invalid(t, 0, "there is no command");
}

int transcript_read(struct transcript *t, const char *path)
{
	*t = (struct transcript){ .path = path, .text = read_all(path) };
	if (!t->text)
		return -1;
	split(t);
	return parse(t);
}

void transcript_free(struct transcript *t)
{
	free(t->text);
	free(t->lines);
	free(t->blocks);
}

const char *transcript_marked(const struct transcript *t, size_t line)
{
	const char *text = t->lines[line] + strspn(t->lines[line], "@<");

	return text + (*text == ' ');
}

/* Does a line of output need a backslash, not to be taken for something else? */
static bool is_ambiguous(const char *line, bool is_last)
{
	return *line ? !!strchr("#$@<!\\", *line) : is_last;
}

/* Where a line of JSON with this text is continued: before an object of a list, or after a comma */
static size_t piece(const char *text)
{
	size_t length = 0, comma = 0;

	for (; text[length] && length < COLUMNS; length++) {
		if (length && text[length] == '{' && strchr("[,", text[length - 1]))
			return length;
		if (text[length] == ',')
			comma = length + 1;
	}
	return text[length] && comma ? comma : strlen(text);
}

/* One document is one long line. The pieces after the first one begin with CONTINUED. */
static void print_json(FILE *to, const char *line)
{
	size_t length;

	for (; *line; line += length) {
		length = piece(line);
		fprintf(to, "%.*s\n", (int)length, line);
		if (line[length])
			fputs(CONTINUED, to);
	}
}

static void print_line(FILE *to, const char *mark, const char *line, bool is_last)
{
	size_t length = strlen(line);

	if (*mark)
		fprintf(to, *line ? "%s " : "%s", mark);
	else if (is_ambiguous(line, is_last))
		fputc('\\', to);
	fputs(line, to);
	/* White space at the end of a line is made visible. */
	if (length && (line[length - 1] == ' ' || line[length - 1] == '\\'))
		fputc('\\', to);
	fputc('\n', to);
}

static void print_text(FILE *to, const char *mark, const char *text)
{
	char *copy = must(strdup(text)), *rest = copy, *line;

	while ((line = strsep(&rest, "\n")) && (rest || *line)) {
		if (!*mark && *line == '{')
			print_json(to, line);
		else
			print_line(to, mark, line, !rest || !*rest);
		if (!rest)
			fprintf(to, "%s\\no line feed\n", mark);
	}
	free(copy);
}

char *transcript_format(const char *out, const char *err, int status)
{
	char *text = NULL;
	size_t size;
	FILE *to = must(open_memstream(&text, &size));

	print_text(to, "", out);
	print_text(to, "!", err);
	if (status)
		fprintf(to, STATUS "%d\n", status);
	if (fclose(to))
		must(NULL);
	if (size)
		text[size - 1] = '\0';
	return text;
}

static char *differs(const struct transcript *t, size_t line, const char *expected,
		     const char *got)
{
	char *text;

	if (asprintf(&text, "%s:%zu: the output differs\nexpected: %s\ngot:      %s", t->path,
		     line + 1, expected ?: "(the end)", got ?: "(the end)") < 0)
		must(NULL);
	return text;
}

char *transcript_compare(const struct transcript *t, const struct transcript_block *block,
			 const char *result)
{
	char *copy = must(strdup(result)), *rest = *copy ? copy : NULL, *text = NULL;
	const char *got, *expected;

	for (size_t i = 0; !text && (i < block->num_body || rest); i++) {
		expected = i < block->num_body ? t->lines[block->first_body + i] : NULL;
		got = strsep(&rest, "\n");
		if (!expected || !got || strcmp(expected, got))
			text = differs(t, block->first_body + i, expected, got);
	}
	free(copy);
	return text;
}

int transcript_write(const struct transcript *t, char *const *results)
{
	FILE *to = fopen(t->path, "w");
	size_t line = 0;

	if (!to)
		return -1;
	for (size_t b = 0; b < t->num_blocks; b++) {
		while (line < t->blocks[b].first_body)
			fprintf(to, "%s\n", t->lines[line++]);
		if (*results[b])
			fprintf(to, "%s\n", results[b]);
		line += t->blocks[b].num_body;
	}
	while (line < t->num_lines)
		fprintf(to, "%s\n", t->lines[line++]);
	return fclose(to) ? -1 : 0;
}

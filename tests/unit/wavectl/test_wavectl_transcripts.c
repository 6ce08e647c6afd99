// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What wavectl prints, compared with the transcripts in tests/unit/wavectl/transcripts. Each
 * command of a transcript is one test, with the machine of model.h. With --write, write the
 * transcripts anew (make golden).
 *
 * usage: test_wavectl_transcripts [--write] [FILE...]
 */
#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/wavectl.h"
#include "mock.h"
#include "model.h"
#include "run_wavectl.h"
#include "transcript.h"

#define FILES "tests/unit/wavectl/transcripts/*.txt"
#define MAX_WORDS 64

/* A command as the child process executes it */
struct invocation {
	char *words[MAX_WORDS + 1];
	int num_words;
	int input;	/* descriptor of its standard input */
};

static struct run r;
static unsigned int number;	/* of the last test */
static bool failed;

/* A word ends at a blank; single quotes keep blanks. Return false if a quote is missing. */
static bool split_words(char *text, struct invocation *c)
{
	char *to;

	for (c->num_words = 0; *text && c->num_words < MAX_WORDS; ) {
		if (*text == ' ') {
			text++;
			continue;
		}
		to = text;
		c->words[c->num_words++] = to;
		for (bool quoted = false; *text && (quoted || *text != ' '); text++) {
			if (*text == '\'')
				quoted = !quoted;
			else
				*to++ = *text;
			if (quoted && !text[1])
				return false;
		}
		if (*text)
			text++;
		*to = '\0';
	}
	c->words[c->num_words] = NULL;
	return !*text;
}

static int call_wavectl(const void *arg)
{
	struct invocation c = *(const struct invocation *)arg;

	if (dup2(c.input, STDIN_FILENO) < 0)
		abort();
	return wavectl_main(c.num_words, c.words);
}

static int make_input(const struct transcript *t, const struct transcript_block *block)
{
	int fd = memfd_create("stdin", MFD_CLOEXEC);

	if (fd < 0)
		abort();
	for (size_t i = 0; i < block->num_input; i++)
		dprintf(fd, "%s\n", transcript_marked(t, block->first_input + i));
	if (lseek(fd, 0, SEEK_SET))
		abort();
	return fd;
}

/* Return the number of the line with an unknown sentence, or 0. */
static size_t set_up(const struct transcript *t, size_t first, size_t num)
{
	for (size_t i = first; i < first + num; i++)
		if (!model_given(transcript_marked(t, i)))
			return i + 1;
	return 0;
}

/* Run a command. Return the lines of its block, or NULL with a message in *@error. */
static char *run_block(const struct transcript *t, const struct transcript_block *block,
		       char **error)
{
	char *text = strdup(block->command), *lines = NULL;
	struct invocation c;
	size_t unknown;
	int ret = 0;

	*error = NULL;
	model_begin();
	unknown = set_up(t, block->first_common, block->num_common) ?:
		  set_up(t, block->first_given, block->num_given);
	if (unknown) {
		ret = asprintf(error, "%s:%zu: unknown sentence: %s", t->path, unknown,
			       transcript_marked(t, unknown - 1));
	} else if (!split_words(text, &c)) {
		ret = asprintf(error, "%s:%zu: a quote is missing, or too many words", t->path,
			       block->first_input);
	} else {
		c.input = make_input(t, block);
		run_function(&r, call_wavectl, &c);
		close(c.input);
		if (r.status < 0)
			ret = asprintf(error, "%s:%zu: wavectl was ended by signal %d: %s",
				       t->path, block->first_input, -r.status, r.err);
		else
			lines = transcript_format(r.out, r.err, r.status);
	}
	if (ret < 0)
		abort();
	mock_reset();
	free(text);
	return lines;
}

/* "wave-list" of tests/unit/wavectl/transcripts/wave-list.txt */
static void print_name(const struct transcript *t, const struct transcript_block *block)
{
	const char *name = strrchr(t->path, '/') ? strrchr(t->path, '/') + 1 : t->path;

	printf("%u - %.*s: %s", ++number, (int)strcspn(name, "."), name, block->command);
	for (size_t i = 0; i < block->num_common; i++)
		printf(" (%s)", transcript_marked(t, block->first_common + i));
	for (size_t i = 0; i < block->num_given; i++)
		printf(" (%s)", transcript_marked(t, block->first_given + i));
	putchar('\n');
}

static void print_comment(const char *text)
{
	fputs("# ", stdout);
	for (; *text; text++) {
		putchar(*text);
		if (*text == '\n')
			fputs("# ", stdout);
	}
	putchar('\n');
}

static void check_block(const struct transcript *t, const struct transcript_block *block)
{
	char *error, *lines = run_block(t, block, &error);

	if (lines)
		error = transcript_compare(t, block, lines);
	fputs(error ? "not ok " : "ok ", stdout);
	print_name(t, block);
	if (error) {
		print_comment(error);
		failed = true;
	}
	free(error);
	free(lines);
}

/* A file is only written if all of its commands could be executed. */
static void write_file(const struct transcript *t)
{
	char **results = calloc(t->num_blocks, sizeof(*results)), *error;
	bool complete = true;

	for (size_t i = 0; i < t->num_blocks; i++) {
		results[i] = run_block(t, &t->blocks[i], &error);
		if (!results[i])
			fprintf(stderr, "%s\n", error);
		complete = complete && results[i];
		free(error);
	}
	if (complete && transcript_write(t, results)) {
		perror(t->path);
		complete = false;
	}
	failed = failed || !complete;
	for (size_t i = 0; i < t->num_blocks; i++)
		free(results[i]);
	free(results);
}

static void do_file(const char *path, bool write)
{
	struct transcript t;

	if (transcript_read(&t, path)) {
		failed = true;
		if (!write)
			printf("not ok %u - %s is a transcript\n", ++number, path);
	} else if (write) {
		write_file(&t);
	} else {
		for (size_t i = 0; i < t.num_blocks; i++)
			check_block(&t, &t.blocks[i]);
	}
	transcript_free(&t);
}

int main(int argc, char **argv)
{
	bool write = argc > 1 && !strcmp(argv[1], "--write");
	char **files = argv + 1 + write;
	glob_t found = { 0 };

	if (!*files) {
		if (glob(FILES, 0, NULL, &found)) {
			fprintf(stderr, "no %s\n", FILES);
			return 2;
		}
		files = found.gl_pathv;
	}
	for (; *files; files++)
		do_file(*files, write);
	globfree(&found);
	if (!write)
		printf("1..%u\n", number);
	return failed;
}

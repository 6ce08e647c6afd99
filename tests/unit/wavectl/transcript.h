/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A transcript: commands, and what they print. See "Transcripts" in README.md for the format.
 */
#ifndef TESTS_UNIT_TRANSCRIPT_H
#define TESTS_UNIT_TRANSCRIPT_H

#include <stddef.h>

/* One command. All texts point into the lines of the transcript. */
struct transcript_block {
	const char *command;	/* "wavectl wave list" */
	size_t first_common;	/* "@@ " lines about the machine, for several commands */
	size_t num_common;
	size_t first_given;	/* "@ " lines, for this one */
	size_t num_given;
	size_t first_input;	/* "< " lines of standard input */
	size_t num_input;
	size_t first_body;	/* the output, and the exit status */
	size_t num_body;
};

/* A file. Line numbers in this structure count from 0. */
struct transcript {
	const char *path;
	char *text;
	char **lines;
	size_t num_lines;
	struct transcript_block *blocks;
	size_t num_blocks;
};

/* Read a file. If it is not valid, print the reason to standard error and return -1. */
int transcript_read(struct transcript *t, const char *path);
void transcript_free(struct transcript *t);

/* The text after the mark of a line: "@ ", "@@ ", "< " */
const char *transcript_marked(const struct transcript *t, size_t line);

/*
 * Format a result as the lines of a block, without the last line feed. The caller frees it.
 * Different results have different lines.
 */
char *transcript_format(const char *out, const char *err, int status);

/*
 * Compare the lines of a block with those of a result. If they differ, return a text that
 * names the first line that differs, which the caller frees, else NULL.
 */
char *transcript_compare(const struct transcript *t, const struct transcript_block *block,
			 const char *result);

/* Write the file anew with these results, one for each block. Return 0, or -1 with errno. */
int transcript_write(const struct transcript *t, char *const *results);

#endif /* TESTS_UNIT_TRANSCRIPT_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits a line into words as sh does: blanks separate words, quotes and backslashes protect
 * blanks, "#" begins a comment. Nothing is expanded or executed.
 */
#ifndef WAVECTL_SPLIT_H
#define WAVECTL_SPLIT_H

struct split {
	char **words;		/* ends with NULL */
	int num_words;
	char *text;		/* the memory of the words */
};

/*
 * Split a line. Call split_free() also after an error. Returns NULL, or what is wrong with the
 * line, as a part of a sentence; @split then has the words of an unfinished line.
 */
const char *split_line(const char *line, struct split *split);
void split_free(struct split *split);
/* Append a word, quoted so that split_line() returns it unchanged. @line: NULL, or allocated */
void split_quote(char **line, const char *word);

#endif /* WAVECTL_SPLIT_H */

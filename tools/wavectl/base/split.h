/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits a line into words as sh does: blanks separate words, quotes and backslashes protect
 * blanks, "#" begins a comment. Nothing is expanded or executed. Expressions are read as they were
 * typed, because quotes have the meaning there that they have in C.
 */
#ifndef WAVECTL_SPLIT_H
#define WAVECTL_SPLIT_H

#include <stddef.h>

/* A word as it was typed, with its quotes */
struct typed_word {
	const char *from;
	size_t length;
};

struct split {
	char **words;		/* ends with NULL */
	struct typed_word *typed;	/* of each word, a part of the line that was split */
	int num_words;
	char *text;		/* the memory of the words */
};

/*
 * Split a line. Call split_free() also after an error. Returns NULL, or what is wrong with the
 * line, as a part of a sentence; @split then has the words of an unfinished line.
 */
const char *split_line(const char *line, struct split *split);
void split_free(struct split *split);
/*
 * Join words of a line with blanks as they were typed, or as they are if they are not of the line.
 * @split: NULL: there is no line; it must still exist else. One word that is in single quotes as a
 * whole loses them, unless it is a character of C. The caller frees the result.
 */
char *split_join(const struct split *split, char *const *words, int num);
/*
 * Get the length of a text in quotes at the beginning of a part of an expression, such as that of
 * '(', with the quotes; 0: there is none.
 */
size_t split_quoted_length(const char *text);
/* Append a word, quoted so that split_line() returns it unchanged. @line: NULL, or allocated */
void split_quote(char **line, const char *word);

#endif /* WAVECTL_SPLIT_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line taken apart into words as sh does it: blanks divide them, quotes and
 * backslashes keep blanks, "#" begins a comment. Nothing is expanded or executed.
 */
#ifndef WAVECTL_SPLIT_H
#define WAVECTL_SPLIT_H

struct split {
	char **words;		/* ends with NULL */
	int num_words;
	char *text;		/* what they point into */
};

/*
 * Free it also on failure. NULL, or what is wrong, a clause: then the words are those
 * of what is there, which may be what somebody has not finished typing.
 */
const char *split_line(const char *line, struct split *split);
void split_free(struct split *split);
/* Add a word to a line that is to be split so; @line: NULL, or to be freed */
void split_quote(char **line, const char *word);

#endif /* WAVECTL_SPLIT_H */

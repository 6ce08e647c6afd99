/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Completes a command that is being typed: nouns, verbs, options, and the names of functions where
 * a command takes a LOCATION.
 */
#ifndef WAVECTL_COMPLETE_H
#define WAVECTL_COMPLETE_H

#include "base/wavectl.h"

struct debugger;

struct completions {
	char **words;		/* each once; an option with an argument ends in "=" */
	size_t count;
	size_t typed;		/* length of the part that is typed already */
	size_t common;		/* length of their common beginning */
};

/*
 * Complete @line, the text up to the cursor. @d: the debugger of the shell, or NULL. Call
 * complete_free().
 */
void complete_line(const struct wavectl *w, const struct debugger *d, const char *line,
		   struct completions *c);
void complete_free(struct completions *c);

#endif /* WAVECTL_COMPLETE_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What may come next in a command that is being typed: nouns, verbs, options.
 */
#ifndef WAVECTL_COMPLETE_H
#define WAVECTL_COMPLETE_H

#include "base/wavectl.h"

struct completions {
	char **words;		/* each once; a word that goes on ends in "=" */
	size_t count;
	size_t typed;		/* how much of each is there already */
	size_t common;		/* so much of them is the same */
};

/* For @line, up to the cursor; free it. */
void complete_line(const struct wavectl *w, const char *line,
		   struct completions *c);
void complete_free(struct completions *c);

#endif /* WAVECTL_COMPLETE_H */

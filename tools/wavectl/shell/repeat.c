// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Repeats commands: see repeat.h.
 */
#include "shell/repeat.h"

#include <stdlib.h>
#include <string.h>

#include "base/short.h"
#include "base/split.h"
#include "base/util.h"

static const struct {
	const char *noun, *verb;
	bool continues;			/* without its arguments */
} repeated[] = {
	{ "step", NULL, false }, { "next", NULL, false }, { "stepi", NULL, false },
	{ "nexti", NULL, false }, { "until", NULL, false },
	{ "source", "list", true }, { "x", NULL, true },
};

static bool is_named(const struct command *c, const char *word)
{
	for (unsigned int i = 0; c->aliases[i]; i++)
		if (!strcmp(c->aliases[i], word))
			return true;
	return !c->verb && !strcmp(c->noun, word);
}

/* Find the command of a word, which may be abbreviated. NULL: there is none, or several. */
static const struct command *find(const struct wavectl *w, const char *typed)
{
	const char *word;
	char *names;

	word = short_noun(w, typed, &names);
	free(names);
	for_each_command(w, c) {
		if (word && is_named(c, word))
			return c;
	}
	return NULL;
}

static bool is_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* @word: the first word of the line, such as "x/4xw" */
static char *repeat_of(const struct wavectl *w, const char *line, const char *word)
{
	const struct command *c;
	char *name = xstrdup(word);

	name[strcspn(name, "/")] = '\0';
	c = find(w, name);
	free(name);
	for (size_t i = 0; c && i < ARRAY_SIZE(repeated); i++)
		if (!strcmp(c->noun, repeated[i].noun) && is_same(c->verb, repeated[i].verb))
			return xstrdup(repeated[i].continues ? word : line);
	return NULL;
}

char *repeat_line(const struct wavectl *w, const char *line)
{
	struct split split;
	char *again = NULL;

	if (!split_line(line, &split) && split.num_words)
		again = repeat_of(w, line, split.words[0]);
	split_free(&split);
	return again;
}

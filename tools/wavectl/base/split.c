// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Splits a line into words: see split.h.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/split.h"
#include "base/util.h"

/* The word that is being read */
struct state {
	const char *from;
	char *to;
	const char *wrong;
};

/*
 * Read up to the closing @quote. In double quotes, a backslash has the meaning that it has in
 * sh.
 */
static void take_quoted(struct state *s, char quote)
{
	/* In C this is a character. In sh it would be a backslash before another quoted text. */
	if (quote == '\'' && !strncmp(s->from, "\\''", 3)) {
		*s->to++ = '\'';
		s->from += 3;
		return;
	}
	for (; *s->from; s->from++) {
		if (*s->from == quote) {
			s->from++;
			return;
		}
		if (quote == '"' && *s->from == '\\' && s->from[1] &&
		    strchr("\"\\$`", s->from[1]))
			s->from++;
		*s->to++ = *s->from;
	}
	s->wrong = quote == '"' ? "a \" is missing" : "a ' is missing";
}

static void take_escaped(struct state *s)
{
	if (!*s->from) {
		s->wrong = "a character is missing after the backslash";
		return;
	}
	*s->to++ = *s->from++;
}

/* Read the next word; NULL: the line ends, or a comment begins. */
static char *take_word(struct state *s, struct typed_word *typed)
{
	static const char blanks[] = " \t\r";
	char *word = s->to;

	s->from += strspn(s->from, blanks);
	if (!*s->from || *s->from == '#')
		return NULL;
	typed->from = s->from;
	while (*s->from && !strchr(blanks, *s->from)) {
		char c = *s->from++;

		if (c == '\'' || c == '"') {
			take_quoted(s, c);
			/* As in gdb, a format and the comma after it are a word: printf "%d",x */
			if (c == '"' && *s->from == ',') {
				*s->to++ = *s->from++;
				break;
			}
		} else if (c == '\\') {
			take_escaped(s);
		} else {
			*s->to++ = c;
		}
	}
	*s->to++ = '\0';
	typed->length = s->from - typed->from;
	return word;
}

const char *split_line(const char *line, struct split *split)
{
	size_t length = strlen(line);
	struct state s = { .from = line };
	struct typed_word typed;
	char *word;

	/* No word is longer than its source; a blank, or quotes that are left out, end it. */
	split->text = xcalloc(length + 2, 1);
	split->words = xcalloc(length / 2 + 2, sizeof(*split->words));
	split->typed = xcalloc(length / 2 + 2, sizeof(*split->typed));
	split->num_words = 0;
	s.to = split->text;
	while (!s.wrong && (word = take_word(&s, &typed))) {
		split->typed[split->num_words] = typed;
		split->words[split->num_words++] = word;
	}
	return s.wrong;
}

static const struct typed_word *find_typed(const struct split *split, const char *word)
{
	for (int i = 0; split && i < split->num_words; i++)
		if (split->words[i] == word)
			return &split->typed[i];
	return NULL;
}

size_t split_quoted_length(const char *text)
{
	size_t i = 1;

	if (*text != '\'' && *text != '"')
		return 0;
	while (text[i] && text[i] != *text)
		i += text[i] == '\\' && text[i + 1] ? 2 : 1;
	return text[i] ? i + 1 : 0;
}

/* 'a + b', and no character such as 'a' or '\n' */
static bool is_quoted_expression(const struct typed_word *typed)
{
	return typed && typed->length > 3 && *typed->from == '\'' && typed->from[1] != '\\' &&
	       split_quoted_length(typed->from) == typed->length;
}

char *split_join(const struct split *split, char *const *words, int num)
{
	const struct typed_word *typed;
	char *text;

	if (num == 1 && is_quoted_expression(find_typed(split, words[0])))
		return xstrdup(words[0]);
	text = xstrdup("");
	for (int i = 0; i < num; i++) {
		typed = find_typed(split, words[i]);
		xappend(&text, "%s", i ? " " : "");
		if (typed)
			xappend(&text, "%.*s", (int)typed->length, typed->from);
		else
			xappend(&text, "%s", words[i]);
	}
	return text;
}

void split_free(struct split *split)
{
	free(split->words);
	free(split->typed);
	free(split->text);
	*split = (struct split){ 0 };
}

void split_quote(char **line, const char *word)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=+,@%";
	const char *quote;

	if (*line)
		xappend(line, " ");
	if (*word && !word[strspn(word, plain)]) {
		xappend(line, "%s", word);
		return;
	}
	xappend(line, "'");
	while ((quote = strchr(word, '\''))) {
		xappend(line, "%.*s'\\''", (int)(quote - word), word);
		word = quote + 1;
	}
	xappend(line, "%s'", word);
}

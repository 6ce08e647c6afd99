// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Completes from the tables of commands, as completion.sh does for bash: see complete.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <amdgpudbg-debug.h>

#include "base/cmdline.h"
#include "base/options.h"
#include "base/split.h"
#include "base/text.h"
#include "base/util.h"
#include "base/wavectl.h"
#include "debug/debug.h"
#include "shell/complete.h"
#include "waves/hold.h"

/* Longer words are not typed. */
#define WORD_MAX	4096

/* Names of symbols are from outside, and what a terminal interprets must not be printed. */
static bool is_printable(const char *word)
{
	char *shown;
	bool same;

	if (strlen(word) > WORD_MAX)
		return false;
	shown = text_shown(word);
	same = !strcmp(shown, word);
	free(shown);
	return same;
}

static void add(struct completions *c, const char *typed, const char *word)
{
	if (strncmp(word, typed, strlen(typed)) || !is_printable(word))
		return;
	for (size_t i = 0; i < c->count; i++)
		if (!strcmp(c->words[i], word))
			return;
	c->words = xreallocarray(c->words, c->count + 1, sizeof(*c->words));
	c->words[c->count++] = xstrdup(word);
}

static void add_option(struct completions *c, const char *typed,
		       const struct option_desc *o)
{
	char *word = NULL;

	xappend(&word, "--%s%s", o->name, o->arg ? "=" : "");
	add(c, typed, word);
	free(word);
}

/* Find an option of any command by its name or letter. NULL: none */
static const struct option_desc *find_option(const struct wavectl *w,
					     const char *name, char letter)
{
	const struct option_desc *const *o;

	for (unsigned int i = 0; i < num_global_options; i++)
		if (name ? !strcmp(global_options[i].name, name) :
			   global_options[i].letter == letter)
			return &global_options[i];
	for_each_command(w, c)
		for (o = c->options; *o; o++)
			if (name ? !strcmp((*o)->name, name) :
				   (*o)->letter == letter)
				return *o;
	return NULL;
}

/* Find the option whose argument is the next word. NULL: the word has none */
static const struct option_desc *wants_word(const struct wavectl *w, const char *word)
{
	const struct option_desc *o;

	if (word[1] == '-') {
		o = find_option(w, word + 2, '\0');
		return o && o->arg ? o : NULL;
	}
	for (word++; *word; word++) {
		o = find_option(w, NULL, *word);
		/* If the word continues, the rest is the argument. */
		if (o && o->arg)
			return word[1] ? NULL : o;
	}
	return NULL;
}

/* The words before the current one: nothing, a noun, or a noun and a verb */
struct typed {
	const char *noun;
	const char *verb;
	bool help;
	const struct option_desc *option;	/* the next word is its argument; or NULL */
	bool is_known;		/* the words begin a command, so @noun is not a short form */
};

static struct typed look(const struct wavectl *w, char **words, int count)
{
	struct typed t = { 0 };

	for (int i = 0; i < count; i++) {
		if (words[i][0] == '-' && words[i][1]) {
			const struct option_desc *o = wants_word(w, words[i]);

			if (o && ++i == count)
				t.option = o;
		} else if (!t.noun && !strcmp(words[i], "help")) {
			t.help = true;
		} else if (!t.noun) {
			t.noun = words[i];
		} else if (!t.verb) {
			t.verb = words[i];
		}
	}
	return t;
}

static bool is_begun(const struct wavectl *w, const struct typed *t)
{
	for_each_command(w, c)
		if (t->noun && !strcmp(c->noun, t->noun) &&
		    (!c->verb || !t->verb || !strcmp(c->verb, t->verb)))
			return true;
	return false;
}

static bool is_command(const struct command *c, const struct typed *t)
{
	if (t->noun && !t->is_known && command_has_alias(c, t->noun))
		return true;
	return t->noun && !strcmp(c->noun, t->noun) &&
	       (!c->verb || (t->verb && !strcmp(c->verb, t->verb)));
}

/* Add the words that can follow @t if @command is meant. */
static void add_of(struct completions *c, const char *now,
		   const struct command *command, const struct typed *t)
{
	if (is_command(command, t)) {
		for (unsigned int i = 0; command->options[i]; i++)
			add_option(c, now, command->options[i]);
	} else if (!t->noun) {
		add(c, now, command->noun);
		for (unsigned int i = 0; command->aliases[i]; i++)
			add(c, now, command->aliases[i]);
	} else if (!t->verb && !strcmp(command->noun, t->noun)) {
		add(c, now, command->verb);
	}
}

/* Add the names that can follow a $ in expressions and conditions. */
static void add_pseudo_variables(struct completions *c, const char *typed)
{
	const char *name;

	for (size_t i = 0; (name = adbgd_pseudo_variable_get_name(i)); i++) {
		char *word = NULL;

		xappend(&word, "$%s", name);
		add(c, typed, word);
		free(word);
	}
}

/* Names are offered up to this number; more do not fit a terminal. */
#define MAX_NAMES 256

/* Does the command take a LOCATION? */
static bool takes_location(const struct wavectl *w, const struct typed *t)
{
	for_each_command(w, c)
		if (is_command(c, t) && c->args && strstr(c->args, "LOCATION"))
			return true;
	return false;
}

/* Add a C++ name as in the source. It has no blanks, so that it needs no quotes. */
static void add_source_name(struct completions *c, const char *typed, const char *symbol)
{
	char *name = adbgd_demangle_name(symbol, 0), *to = name;

	for (const char *from = name; from && *from; from++)
		if (*from != ' ')
			*to++ = *from;
	if (!name)
		return;
	*to = '\0';
	add(c, typed, name);
	free(name);
}

static const struct adbgd_symbol *symbol_of(const struct adbgd_object *object, size_t i)
{
	return adbgd_code_get_symbol(adbgd_object_get_info(object)->code, i);
}

/* Add the names of functions that begin as @typed. Only converts names with its first part. */
static void add_functions(struct completions *c, const struct debugger *d, const char *typed)
{
	size_t length = strcspn(typed, ":<(");
	const struct adbgd_object *object;
	const struct adbgd_symbol *s;
	char *part = NULL;

	if (!length)
		return;
	xappend(&part, "%.*s", (int)length, typed);
	/* Those of pending files are names, too. */
	for (size_t i = 0; d->objects && (object = adbgd_objects_get(d->objects, i)); i++)
		for (size_t k = 0; (s = symbol_of(object, k)) &&
		     c->count < MAX_NAMES && !hold_interrupted(); k++) {
			if (!(s->flags & ADBGD_SYMBOL_CODE) || !strstr(s->name, part))
				continue;
			if (!strncmp(s->name, "_Z", 2) && strncmp(typed, "_Z", 2))
				add_source_name(c, typed, s->name);
			else
				add(c, typed, s->name);
		}
	free(part);
}

/* The argument of --gpu, perhaps in the same word: "--gpu=0" */
struct gpu_word {
	struct completions *c;
	const char *typed;
	const char *before;
};

static void add_gpu_word(void *data, const char *word)
{
	const struct gpu_word *g = data;
	char *text = NULL;

	xappend(&text, "%s%s", g->before, word);
	add(g->c, g->typed, text);
	free(text);
}

/* Complete the argument of an option, of which only --gpu has known values. */
static void add_argument(struct completions *c, const char *typed, const char *before)
{
	struct gpu_word g = { .c = c, .typed = typed, .before = before };

	list_gpu_words(add_gpu_word, &g);
}

/* Get the word that is being typed: the last one, or "" after a blank. */
static const char *word_now(const char *line, struct split *split)
{
	size_t length = strlen(line);

	if (!length || !split->num_words || strchr(" \t", line[length - 1]))
		return "";
	return split->words[--split->num_words];
}

static size_t common_length(const struct completions *c)
{
	size_t n = c->count ? strlen(c->words[0]) : 0;

	for (size_t i = 1; i < c->count; i++) {
		size_t same = 0;

		while (same < n && c->words[i][same] == c->words[0][same])
			same++;
		n = same;
	}
	return n;
}

void complete_line(const struct wavectl *w, const struct debugger *d, const char *line,
		   struct completions *c)
{
	struct split split;
	struct typed typed;
	const char *now;

	*c = (struct completions){ 0 };
	/* Words that need quotes are not completed. */
	if (split_line(line, &split))
		goto out;
	now = word_now(line, &split);
	c->typed = strlen(now);
	typed = look(w, split.words, split.num_words);
	if (typed.noun && strrchr(now, '$')) {
		/* Only the name changes: "i+$la" */
		c->typed = strlen(strrchr(now, '$'));
		add_pseudo_variables(c, strrchr(now, '$'));
		c->common = common_length(c);
		goto out;
	}
	typed.is_known = is_begun(w, &typed);
	if (typed.option) {
		if (!strcmp(typed.option->name, "gpu"))
			add_argument(c, now, "");
		c->common = common_length(c);
		goto out;
	}
	if (!strncmp(now, "--gpu=", strlen("--gpu=")))
		add_argument(c, now, "--gpu=");
	for_each_command(w, command)
		if (!command->hidden)
			add_of(c, now, command, &typed);
	if (d && takes_location(w, &typed))
		add_functions(c, d, now);
	if (!typed.noun && !typed.help) {
		add(c, now, "help");
		add(c, now, "quit");
	}
	if (*now == '-')
		for (unsigned int i = 0; i < num_global_options; i++)
			add_option(c, now, &global_options[i]);
	c->common = common_length(c);
out:
	split_free(&split);
}

void complete_free(struct completions *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->words[i]);
	free(c->words);
}

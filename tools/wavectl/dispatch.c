// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the command of a command line, applies its options and runs it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cmdline.h"
#include "base/options.h"
#include "base/pasid.h"
#include "base/short.h"
#include "base/suggest.h"
#include "base/util.h"
#include "base/wavectl.h"
#include "dispatch.h"

static bool is_noun(const struct wavectl *w, const char *word)
{
	for_each_command(w, c)
		if (c->verb && !strcmp(c->noun, word))
			return true;

	return false;
}

/* @verb may be NULL. */
static const struct command *find_command(const struct wavectl *w,
					  const char *noun, const char *verb)
{
	for_each_command(w, c) {
		if (strcmp(c->noun, noun) || !verb != !c->verb)
			continue;
		if (!verb || !strcmp(c->verb, verb))
			return c;
	}

	return NULL;
}

static const struct command *find_alias(const struct wavectl *w, const char *word)
{
	for_each_command(w, c)
		if (command_has_alias(c, word))
			return c;

	return NULL;
}

/* The verb of @noun that is most similar to @typed */
static struct suggestion suggest_verb(const struct wavectl *w, const char *noun,
				      const char *typed)
{
	struct suggestion best = suggest_for(typed);

	for_each_command(w, c)
		if (c->verb && !strcmp(c->noun, noun))
			suggest_try(&best, c->verb);
	return best;
}

/*
 * "break main": the noun is also a short form, and the next word is neither one of its verbs nor
 * similar to one. NULL: there is none.
 */
static const struct command *find_alias_of_noun(const struct wavectl *w, const char *noun,
						const char *word)
{
	const struct command *c = find_alias(w, noun);
	struct adbg_wave_spec spec;
	size_t bad;

	if (!c || suggest_verb(w, noun, word).word)
		return NULL;
	/* A word that does not select waves is an unknown verb. */
	return c->takes_waves && adbg_wave_spec_parse(word, &spec, &bad) ? NULL : c;
}

/* "the verbs are list, halt, resume"; the caller frees it */
static char *verbs_of(const struct wavectl *w, const char *noun)
{
	char *text = NULL;

	for_each_command(w, c)
		if (c->verb && !strcmp(c->noun, noun))
			xappend(&text, "%s%s", text ? ", " : "the verbs are ",
				c->verb);
	return text;
}

static int fail_without_verb(struct wavectl *w, const char *noun)
{
	char *hint = verbs_of(w, noun);
	int status = fail_with(w, WAVECTL_USAGE, hint, "'%s' needs a verb",
			       noun);

	free(hint);
	return status;
}

static int fail_unknown_verb(struct wavectl *w, const char *noun,
			     const char *verb)
{
	struct suggestion best = suggest_verb(w, noun, verb);
	char *verbs = verbs_of(w, noun), *hint = NULL;
	const char *instead = short_instead(noun, verb);
	int status;

	if (instead)
		xappend(&hint, "%s", instead);
	else if (best.word)
		xappend(&hint, "did you mean '%s %s'? %s", noun, best.word, verbs);
	else
		xappend(&hint, "%s", verbs);
	status = fail_with(w, WAVECTL_USAGE, hint, "unknown command '%s %s'",
			   noun, verb);
	free(verbs);
	free(hint);
	return status;
}

static int fail_unknown_command(struct wavectl *w, const char *word)
{
	struct suggestion best = suggest_for(word);
	char *hint = NULL;
	int status;

	for_each_command(w, c) {
		if (c->hidden)
			continue;
		suggest_try(&best, c->noun);
		for (unsigned int a = 0; c->aliases[a]; a++)
			suggest_try(&best, c->aliases[a]);
	}
	suggest_try(&best, "help");
	if (short_instead(NULL, word))
		xappend(&hint, "%s", short_instead(NULL, word));
	else if (best.word)
		xappend(&hint, "did you mean '%s'?", best.word);
	status = fail_with(w, WAVECTL_USAGE, hint ? hint : "see wavectl --help",
			   "unknown command '%s'", word);
	free(hint);
	return status;
}

/* "shell ls": some commands mean something else in gdb. */
static int fail_unexpected(struct wavectl *w, const struct command *c)
{
	const char *instead = w->shell && !c->verb ? short_instead(NULL, c->noun) : NULL;

	return fail_with(w, WAVECTL_USAGE, instead ? instead : "see wavectl --help",
			 "unexpected argument '%s'", w->words[0]);
}

/* Set the arguments of the command. */
static int take_words(struct wavectl *w, const struct command *c,
		      const struct cmdline *line)
{
	w->words = line->words;
	w->num_words = line->num_words;
	/* "print /x i" is "print/x i". */
	if (c->takes_format && !w->slash && w->num_words && *w->words[0] == '/') {
		w->slash = w->words[0] + 1;
		w->words++;
		w->num_words--;
	}
	if (c->takes_waves && w->num_words) {
		int status = parse_waves(w, w->words[0]);

		if (status)
			return status;
		w->words++;
		w->num_words--;
	}
	if (w->num_words && (!c->args || c->takes_waves))
		return fail_unexpected(w, c);
	return WAVECTL_OK;
}

static int run_with_args(struct wavectl *w, const struct command *c,
			 const struct cmdline *line)
{
	int status = cmdline_apply(w, line, c);

	if (status)
		return status;
	status = take_words(w, c, line);
	if (status)
		return status;
	if (!!w->gpu + !!w->pci + !!w->render > 1)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--gpu, --pci and --render cannot be used together");
	if (w->client && !w->pid && command_has_option(c, "pid"))
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--client needs --pid");

	return c->run(w);
}

static int run_command(struct wavectl *w, const struct command *c,
		       const struct cmdline *line)
{
	int status;

	if (c->args_size)
		w->args = xcalloc(1, c->args_size);
	if (c->default_args)
		memcpy(w->args, c->default_args, c->args_size);
	status = run_with_args(w, c, line);
	free(w->args);
	w->args = NULL;
	return status;
}

/* The next word, or NULL */
static const char *next_word(struct cmdline *line)
{
	if (!line->num_words)
		return NULL;
	line->num_words--;
	return *line->words++;
}

static void put_back_word(struct cmdline *line)
{
	line->num_words++;
	line->words--;
}

/*
 * Find the command by its words or a short form. NULL: there is none. @verb: NULL, or the next
 * word
 */
static const struct command *find_typed(const struct wavectl *w, struct cmdline *line,
					const char *noun, const char *verb)
{
	const struct command *c = find_command(w, noun, verb);

	if (c)
		return c;
	if (!verb)
		return find_alias(w, noun);
	c = find_alias_of_noun(w, noun, verb);
	if (c)
		put_back_word(line);
	return c;
}

static int fail_ambiguous(struct wavectl *w, const char *noun, const char *word, char *names)
{
	char *hint = NULL;
	int status;

	xappend(&hint, "it begins %s", names);
	status = fail_with(w, WAVECTL_USAGE, hint, "'%s%s%s' is ambiguous", noun ? noun : "",
			   noun ? " " : "", word);
	free(hint);
	free(names);
	return status;
}

/* Take the first word, and in a shell the one that it stands for. Returns an exit status. */
static int take_noun(struct wavectl *w, struct cmdline *line, const char **noun)
{
	char *typed = (char *)next_word(line), *names, *slash;

	*noun = typed;
	w->slash = NULL;
	if (!typed)
		return WAVECTL_OK;
	slash = strchr(typed, '/');
	if (slash) {
		*slash = '\0';
		w->slash = slash + 1;
	}
	if (!w->shell)
		return WAVECTL_OK;
	*noun = short_noun(w, typed, &names);
	return *noun ? WAVECTL_OK : fail_ambiguous(w, NULL, typed, names);
}

/* Take the second word of a command of two words. *@verb: NULL if there is none */
static int take_verb(struct wavectl *w, struct cmdline *line, const char *noun,
		     const char **verb)
{
	const char *typed = next_word(line);
	char *names;

	*verb = typed;
	/* After a noun that is a command by itself, the word may be its argument. */
	if (!typed || !w->shell || find_alias(w, noun))
		return WAVECTL_OK;
	*verb = short_verb(w, noun, typed, &names);
	return *verb ? WAVECTL_OK : fail_ambiguous(w, noun, typed, names);
}

/* Run the command of these words, or print its help. @verb: NULL: there is none */
static int run_typed(struct wavectl *w, struct cmdline *line, const char *noun,
		     const char *verb, bool help)
{
	const struct command *c = find_typed(w, line, noun, verb);

	if (!c)
		return verb ? fail_unknown_verb(w, noun, verb) :
			      fail_unknown_command(w, noun);
	if (w->slash && !c->takes_format)
		return fail_with(w, WAVECTL_USAGE, "\"print\" and \"x\" take one",
				 "'%s' takes no format '/%s'", noun, w->slash);
	/* Help is printed even if other options are wrong. */
	return help ? print_help(c) : run_command(w, c, line);
}

/* "wave": the noun is a short form, too, of a command whose arguments are optional. */
static bool needs_no_argument(const struct command *c)
{
	return c && (!c->args || *c->args == '[');
}

static int run_line(struct wavectl *w, struct cmdline *line)
{
	bool help = cmdline_has(line, "help");
	const char *noun, *verb = NULL;
	int status = take_noun(w, line, &noun);

	if (!status && noun && !strcmp(noun, "help")) {
		help = true;
		if (w->shell && !w->json && line->num_words <= 1 &&
		    print_shell_help(w, line->num_words ? line->words[0] : NULL))
			return WAVECTL_OK;
		status = take_noun(w, line, &noun);
	}
	if (status)
		return status;
	if (help && w->shell && w->json)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "help is not available in a JSON session");
	if (!noun && help)
		return print_main_help(w);
	if (cmdline_has(line, "version")) {
		noun = "version";
		line->num_words = 0;
	}
	/* "wavectl -p 4711 -e halt" */
	if (!noun && !w->shell && cmdline_has(line, "execute"))
		noun = "batch";
	if (!noun)
		return fail_with(w, WAVECTL_USAGE, "see wavectl --help",
				 "no command");

	if (is_noun(w, noun)) {
		status = take_verb(w, line, noun, &verb);
		if (status)
			return status;
		if (!verb && (help || !w->shell || !needs_no_argument(find_alias(w, noun))))
			return help ? print_noun_help(w, noun) :
				      fail_without_verb(w, noun);
	}
	return run_typed(w, line, noun, verb, help);
}

int dispatch(struct wavectl *w, int argc, char **argv)
{
	struct cmdline line;
	int status;

	status = cmdline_read(w, &line, argc, argv);
	if (!status) {
		/* --json of a shell applies to all of its commands. */
		w->json = cmdline_has(&line, "json") || (w->shell && w->json);
		emit_set_json(w->emit, w->json);
		w->cmdline = &line;
		status = run_line(w, &line);
		w->cmdline = NULL;
		/* Help is not printed by emit.c, and must precede what is printed next. */
		fflush(stdout);
	}
	cmdline_free(&line);
	pasid_forget_clients(w);
	keep_target(w, 0);
	return status;
}

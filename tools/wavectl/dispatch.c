// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One command: finds it in the table, hands it its options and words, runs it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cmdline.h"
#include "base/pasid.h"
#include "base/suggest.h"
#include "base/util.h"
#include "base/wavectl.h"
#include "dispatch.h"

static bool is_noun(const struct wavectl *w, const char *word)
{
	for (unsigned int i = 0; i < w->num_commands; i++)
		if (w->commands[i].verb && !strcmp(w->commands[i].noun, word))
			return true;

	return false;
}

/* @verb may be NULL. */
static const struct command *find_command(const struct wavectl *w,
					  const char *noun, const char *verb)
{
	for (unsigned int i = 0; i < w->num_commands; i++) {
		const struct command *c = &w->commands[i];

		if (strcmp(c->noun, noun) || !verb != !c->verb)
			continue;
		if (!verb || !strcmp(c->verb, verb))
			return c;
	}

	return NULL;
}

static const struct command *find_alias(const struct wavectl *w, const char *word)
{
	for (unsigned int i = 0; i < w->num_commands; i++)
		if (command_has_alias(&w->commands[i], word))
			return &w->commands[i];

	return NULL;
}

/* The verb of @noun that was meant by @typed, as far as that can be said */
static struct suggestion suggest_verb(const struct wavectl *w, const char *noun,
				      const char *typed)
{
	struct suggestion best = suggest_for(typed);

	for (unsigned int i = 0; i < w->num_commands; i++)
		if (w->commands[i].verb && !strcmp(w->commands[i].noun, noun))
			suggest_try(&best, w->commands[i].verb);
	return best;
}

/*
 * "break main": the noun is a short form, too, and what follows is no verb of it, nor one
 * with a mistake in it; NULL: it is none.
 */
static const struct command *find_alias_of_noun(const struct wavectl *w, const char *noun,
						const char *word)
{
	const struct command *c = find_alias(w, noun);
	struct adbg_wave_spec spec;
	size_t bad;

	if (!c || suggest_verb(w, noun, word).word)
		return NULL;
	/* Whoever names no wave wants a verb. */
	return c->takes_waves && adbg_wave_spec_parse(word, &spec, &bad) ? NULL : c;
}

/* "its verbs are list, halt, resume", to be freed */
static char *verbs_of(const struct wavectl *w, const char *noun)
{
	char *text = NULL;

	for (unsigned int i = 0; i < w->num_commands; i++)
		if (w->commands[i].verb && !strcmp(w->commands[i].noun, noun))
			xappend(&text, "%s%s", text ? ", " : "the verbs are ",
				w->commands[i].verb);
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
	int status;

	if (best.word)
		xappend(&hint, "did you mean '%s %s'? ", noun, best.word);
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

	for (unsigned int i = 0; i < w->num_commands; i++) {
		if (w->commands[i].hidden)
			continue;
		suggest_try(&best, w->commands[i].noun);
		for (unsigned int a = 0; w->commands[i].aliases[a]; a++)
			suggest_try(&best, w->commands[i].aliases[a]);
	}
	suggest_try(&best, "help");
	if (best.word)
		xappend(&hint, "did you mean '%s'?", best.word);
	status = fail_with(w, WAVECTL_USAGE, hint ? hint : "see wavectl --help",
			   "unknown command '%s'", word);
	free(hint);
	return status;
}

/* What stands behind the command and is no option. */
static int take_words(struct wavectl *w, const struct command *c,
		      const struct cmdline *given)
{
	w->words = given->words;
	w->num_words = given->num_words;
	if (c->takes_waves && w->num_words) {
		int status = parse_spec(w, w->words[0], &w->spec);

		if (status)
			return status;
		w->has_spec = true;
		w->spec_text = w->words[0];
		w->words++;
		w->num_words--;
	}
	if (w->num_words && (!c->args || c->takes_waves))
		return fail_with(w, WAVECTL_USAGE, "see wavectl --help",
				 "unexpected argument '%s'", w->words[0]);
	return WAVECTL_OK;
}

static int run_command(struct wavectl *w, const struct command *c,
		       const struct cmdline *given)
{
	int status = cmdline_apply(w, given, c);

	if (status)
		return status;
	status = take_words(w, c, given);
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

/* The next word, or NULL */
static const char *next_word(struct cmdline *given)
{
	if (!given->num_words)
		return NULL;
	given->num_words--;
	return *given->words++;
}

static void put_back_word(struct cmdline *given)
{
	given->num_words++;
	given->words--;
}

/* By its words, or by a short form; NULL: there is none. @verb: NULL, or the word behind */
static const struct command *find_given(const struct wavectl *w, struct cmdline *given,
					const char *noun, const char *verb)
{
	const struct command *c = find_command(w, noun, verb);

	if (c)
		return c;
	if (!verb)
		return find_alias(w, noun);
	c = find_alias_of_noun(w, noun, verb);
	if (c)
		put_back_word(given);
	return c;
}

static int run_given(struct wavectl *w, struct cmdline *given)
{
	const char *noun = next_word(given), *verb = NULL;
	bool help = cmdline_has(given, "help");
	const struct command *c;

	if (noun && !strcmp(noun, "help")) {
		help = true;
		noun = next_word(given);
	}
	if (help && w->dialogue && w->json)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "help is not available in a JSON session");
	if (!noun && help)
		return print_main_help(w);
	if (cmdline_has(given, "version")) {
		noun = "version";
		given->num_words = 0;
	}
	if (!noun)
		return fail_with(w, WAVECTL_USAGE, "see wavectl --help",
				 "no command");

	if (is_noun(w, noun)) {
		verb = next_word(given);
		if (!verb)
			return help ? print_noun_help(w, noun) :
				      fail_without_verb(w, noun);
	}
	c = find_given(w, given, noun, verb);
	if (!c)
		return verb ? fail_unknown_verb(w, noun, verb) :
			      fail_unknown_command(w, noun);

	/* Whatever else is wrong: who asks for help may not know. */
	return help ? print_help(c) : run_command(w, c, given);
}

int dispatch(struct wavectl *w, int argc, char **argv)
{
	struct cmdline given;
	int status;

	w->watch_mode = AMDGPUDBG_WATCH_NONREAD;
	status = cmdline_read(w, &given, argc, argv);
	if (!status) {
		/* That of a dialogue is for all of its commands. */
		w->json = cmdline_has(&given, "json") || (w->dialogue && w->json);
		emit_set_json(w->emit, w->json);
		status = run_given(w, &given);
	}
	cmdline_free(&given);
	pasid_forget_clients(w);
	return status;
}

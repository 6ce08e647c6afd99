// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads options: see cmdline.h. An option can precede the command that it belongs to, so the
 * options of all commands are read as one set. Options of the same name must therefore agree on
 * whether they take an argument (tests/unit/wavectl/test_wavectl_docs.sh).
 */
#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cmdline.h"
#include "base/options.h"
#include "base/split.h"
#include "base/suggest.h"
#include "base/util.h"

/* What getopt_long() returns for option i of the set. */
#define OPTION_VALUE(i) (0x100 + (i))

#define MAX_OPTIONS 128

struct option_set {
	const struct option_desc *desc[MAX_OPTIONS];
	struct option long_opts[MAX_OPTIONS + 1];
	char short_opts[2 * MAX_OPTIONS + 3];
	unsigned int count;
};

static void add_option(struct option_set *set, const struct option_desc *desc)
{
	unsigned int i;
	size_t n = strlen(set->short_opts);

	for (i = 0; i < set->count; i++)
		if (!strcmp(set->desc[i]->name, desc->name))
			return;
	set->count++;
	set->desc[i] = desc;
	set->long_opts[i].name = desc->name;
	set->long_opts[i].has_arg = desc->arg ? required_argument : no_argument;
	set->long_opts[i].val = OPTION_VALUE(i);
	if (desc->letter) {
		set->short_opts[n++] = desc->letter;
		if (desc->arg)
			set->short_opts[n++] = ':';
	}
}

static void make_set(const struct wavectl *w, struct option_set *set)
{
	memset(set, 0, sizeof(*set));
	/* "-": report arguments in their order, whatever POSIXLY_CORRECT says. */
	strcpy(set->short_opts, "-:");
	for (unsigned int i = 0; i < num_global_options; i++)
		add_option(set, &global_options[i]);
	for_each_command(w, c)
		for (unsigned int i = 0; c->options[i]; i++)
			add_option(set, c->options[i]);
}

static const struct option_desc *find_option(const struct option_set *set,
					     int value)
{
	for (unsigned int i = 0; i < set->count; i++)
		if (value == OPTION_VALUE((int)i) ||
		    value == set->desc[i]->letter)
			return set->desc[i];

	return NULL;
}

/* The options that begin with @text, if there are several: "--a or --b"; or NULL */
static char *ambiguous(const struct option_set *set, const char *text)
{
	unsigned int count = 0;
	char *names = NULL;

	for (unsigned int i = 0; i < set->count; i++) {
		if (strncmp(set->desc[i]->name, text, strlen(text)))
			continue;
		xappend(&names, "%s--%s", names ? " or " : "",
			set->desc[i]->name);
		count++;
	}
	if (count < 2) {
		free(names);
		return NULL;
	}
	return names;
}

static int fail_unknown(struct wavectl *w, const struct option_set *set,
			const char *name)
{
	struct suggestion best = suggest_for(name);
	char *names = ambiguous(set, name), *hint = NULL;
	int status;

	for (unsigned int i = 0; i < set->count; i++)
		suggest_try(&best, set->desc[i]->name);
	if (names)
		xappend(&hint, "it is ambiguous: %s", names);
	else if (best.word)
		xappend(&hint, "did you mean --%s?", best.word);
	else
		xappend(&hint, "see wavectl --help");
	status = fail_with(w, WAVECTL_USAGE, hint, "unknown option '--%s'",
			   name);
	free(names);
	free(hint);
	return status;
}

/*
 * getopt_long() returned '?'. optopt is an unknown letter, or the value of an option that takes
 * no argument, or 0 for an unknown long option. Only in the last case is it the word before
 * optind.
 */
static int fail_option(struct wavectl *w, const struct option_set *set,
		       char **argv)
{
	char *name;
	int status;

	if (optopt >= OPTION_VALUE(0))
		return fail_with(w, WAVECTL_USAGE, "see wavectl --help",
				 "option '--%s' takes no argument",
				 find_option(set, optopt)->name);
	if (optopt)
		return fail_with(w, WAVECTL_USAGE, "see wavectl --help",
				 "unknown option '-%c'", optopt);
	name = xstrdup(argv[optind - 1] + 2);
	name[strcspn(name, "=")] = '\0';
	status = fail_unknown(w, set, name);
	free(name);
	return status;
}

static int take_option(struct wavectl *w, struct cmdline *line,
		       const struct option_desc *desc)
{
	struct cmdline_option *option;

	if (line->num_options == MAX_CMDLINE_OPTIONS)
		return fail_with(w, WAVECTL_USAGE, NULL, "too many options");
	option = &line->options[line->num_options++];
	option->name = desc->name;
	option->arg = desc->arg ? optarg : NULL;
	return WAVECTL_OK;
}

/* "-2" is a number, not an option, and "-full" an argument of gdb's "backtrace". */
static bool take_argument(struct cmdline *line, int argc, char **argv)
{
	/* Before the first call of getopt_long(), optind is 0. */
	if (!optind || optind >= argc || argv[optind][0] != '-' ||
	    (!isdigit((unsigned char)argv[optind][1]) && strcmp(argv[optind], "-full")))
		return false;
	line->words[line->num_words++] = argv[optind++];
	return true;
}

static const struct option_desc *global_option(const char *name)
{
	for (unsigned int i = 0; i < num_global_options; i++)
		if (!strcmp(global_options[i].name, name))
			return &global_options[i];

	return NULL;
}

/* The command that the words so far begin; NULL: none yet */
static const struct command *typed_command(const struct wavectl *w, const struct cmdline *line)
{
	const char *noun = line->num_words ? line->words[0] : NULL, *verb;
	const struct command *found = NULL;

	if (!noun)
		return NULL;
	verb = line->num_words > 1 ? line->words[1] : NULL;
	for_each_command(w, c) {
		if (c->verb && verb && !strcmp(c->noun, noun) && !strcmp(c->verb, verb))
			return c;
		if (command_has_alias(c, noun) || (!c->verb && !strcmp(c->noun, noun)))
			found = c;
	}
	return found;
}

/*
 * Complete the name of an option that begins only one option of the command, because the options
 * of other commands would make it ambiguous.
 */
static void complete_option(const struct wavectl *w, const struct option_set *set,
			    struct cmdline *line, int argc, char **argv)
{
	const char *typed = optind && optind < argc ? argv[optind] : "", *name = NULL;
	const struct command *c = typed_command(w, line);
	size_t length = strcspn(typed, "=") - 2;
	char *full = NULL;

	if (!c || strncmp(typed, "--", 2) || !typed[2])
		return;
	for (unsigned int i = 0; i < set->count; i++) {
		const char *known = set->desc[i]->name;

		if (strncmp(known, typed + 2, length) ||
		    (!command_has_option(c, known) && !global_option(known)))
			continue;
		/* An exact name, or a second one */
		if (!known[length] || name)
			return;
		name = known;
	}
	if (!name)
		return;
	xappend(&full, "--%s%s", name, typed + 2 + length);
	line->expanded = xreallocarray(line->expanded, line->num_expanded + 1,
				       sizeof(*line->expanded));
	line->expanded[line->num_expanded++] = full;
	argv[optind] = full;
}

int cmdline_read(struct wavectl *w, struct cmdline *line, int argc, char **argv)
{
	struct option_set set;
	int value, status;

	make_set(w, &set);
	memset(line, 0, sizeof(*line));
	line->to_free = xcalloc(argc, sizeof(*line->words));
	line->words = line->to_free;
	opterr = 0;
	optind = 0;		/* Tell glibc to begin again with a new array. */
	for (;;) {
		if (take_argument(line, argc, argv))
			continue;
		complete_option(w, &set, line, argc, argv);
		value = getopt_long(argc, argv, set.short_opts, set.long_opts, NULL);
		if (value == -1)
			break;
		if (value == 1) {
			line->words[line->num_words++] = optarg;
			continue;
		}
		if (value == ':')
			return fail_with(w, WAVECTL_USAGE, "see wavectl --help",
					 "option '%s' needs an argument",
					 argv[optind - 1]);
		if (value == '?')
			return fail_option(w, &set, argv);
		status = take_option(w, line, find_option(&set, value));
		if (status)
			return status;
	}
	/* The words after "--" */
	while (optind < argc)
		line->words[line->num_words++] = argv[optind++];
	line->num_typed = line->num_words;
	return WAVECTL_OK;
}

/* Words are quoted only if they have to be, since the line itself is quoted by its reader. */
static void append_word(char **text, const char *word)
{
	if (!*word || strpbrk(word, " \t'\"\\#"))
		split_quote(text, word);
	else
		xappend(text, "%s%s", *text ? " " : "", word);
}

/* Is word @i of the command line a part of an expression? */
static bool is_in_expression(const struct command *c, const struct cmdline *line, int i)
{
	int first = c && c->verb && i > 0 && !strcmp(line->to_free[1], c->verb) ? 2 : 1;

	return c && c->expression_from && i >= first + c->expression_from - 1;
}

char *cmdline_as_line(const struct wavectl *w, const struct cmdline *line)
{
	static const char *const left[] = { "gpu", "pci", "render", "pid", "client" };
	const struct cmdline typed = { .words = line->to_free, .num_words = line->num_typed };
	const struct command *c = typed_command(w, &typed);
	char *text = NULL, *word = NULL;
	bool is_expression = false;
	uint32_t which;

	for (int i = 0; i < line->num_typed; i++) {
		is_expression |= is_in_expression(c, line, i);
		if (is_expression)
			xappend(&text, "%s%s", text ? " " : "", line->to_free[i]);
		else
			append_word(&text, line->to_free[i]);
		is_expression |= !strcmp(line->to_free[i], "if");
	}
	for (unsigned int i = 0; i < line->num_options; i++) {
		const struct cmdline_option *o = &line->options[i];

		if (find_name(left, ARRAY_SIZE(left), o->name, &which))
			continue;
		xappend(&word, "--%s%s%s", o->name, o->arg ? "=" : "", o->arg ? o->arg : "");
		append_word(&text, word);
		free(word);
		word = NULL;
	}
	return text;
}

char *expression_words(const struct wavectl *w, char *const *words, int num)
{
	return split_join(w->split, words, num);
}

void cmdline_free(struct cmdline *line)
{
	for (int i = 0; i < line->num_expanded; i++)
		free(line->expanded[i]);
	free(line->expanded);
	free(line->to_free);
}

bool cmdline_has(const struct cmdline *line, const char *name)
{
	for (unsigned int i = 0; i < line->num_options; i++)
		if (!strcmp(line->options[i].name, name))
			return true;

	return false;
}

const char *command_name(const struct command *command,
			 char name[COMMAND_NAME_MAX])
{
	snprintf(name, COMMAND_NAME_MAX, "%s%s%s", command->noun,
		 command->verb ? " " : "", command->verb ? command->verb : "");
	return name;
}

bool command_has_alias(const struct command *command, const char *word)
{
	for (unsigned int i = 0; command->aliases[i]; i++)
		if (!strcmp(command->aliases[i], word))
			return true;

	return false;
}

static const struct option_desc *option_of(const struct command *command,
					   const char *name)
{
	for (unsigned int i = 0; command->options[i]; i++)
		if (!strcmp(command->options[i]->name, name))
			return command->options[i];

	return NULL;
}

bool command_has_option(const struct command *command, const char *name)
{
	return option_of(command, name);
}

/* Where @desc stores its value */
static void *member_of(struct wavectl *w, const struct option_desc *desc)
{
	return (desc->is_shared ? (char *)w : (char *)w->args) + desc->offset;
}

static int apply(struct wavectl *w, const struct cmdline_option *option,
		 const struct command *command)
{
	const struct option_desc *own = option_of(command, option->name);
	const struct option_desc *desc = own ? own :
					       global_option(option->name);
	char name[COMMAND_NAME_MAX], *hint = NULL;
	int status = WAVECTL_OK;

	command_name(command, name);
	if (desc && !own)
		xappend(&hint, "see wavectl --help");
	else
		xappend(&hint, "see \"wavectl help %s\"", name);
	if (!desc)
		status = fail_with(w, WAVECTL_USAGE, hint,
				   "'%s' has no option --%s", name,
				   option->name);
	else if (!desc->parse(option->arg, member_of(w, desc)))
		status = fail_with(w, WAVECTL_USAGE, hint,
				   "--%s: '%s' is not a valid %s", desc->name,
				   option->arg, desc->arg);
	free(hint);
	return status;
}

int cmdline_apply(struct wavectl *w, const struct cmdline *line,
		  const struct command *command)
{
	int status = WAVECTL_OK;

	for (unsigned int i = 0; !status && i < line->num_options; i++)
		status = apply(w, &line->options[i], command);
	return status;
}

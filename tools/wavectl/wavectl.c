// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of wavectl: finds the command in the table, reads the
 * options, runs it.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"
#include "wavectl.h"

#define MAX_OPTIONS 32

/* What getopt_long() returns for option i of the set. */
#define OPTION_VALUE(i) (0x100 + (i))

struct option_set {
	const struct option_desc *desc[MAX_OPTIONS];
	struct option long_opts[MAX_OPTIONS + 1];
	char short_opts[2 * MAX_OPTIONS + 3];
	unsigned int count;
};

static void add_option(struct option_set *set, const struct option_desc *desc)
{
	unsigned int i = set->count++;
	size_t n = strlen(set->short_opts);

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

/* The global options, and those of @command, which may be NULL. */
static void make_set(struct option_set *set, const struct command *command)
{
	memset(set, 0, sizeof(*set));
	/* Without a command, options end at the first word. */
	strcpy(set->short_opts, command ? ":" : "+:");

	for (unsigned int i = 0; i < num_global_options; i++)
		add_option(set, &global_options[i]);
	for (unsigned int i = 0; command && command->options[i]; i++)
		add_option(set, command->options[i]);
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

/*
 * Read the options of @argv up to the first word. argv[0] is skipped. Returns
 * an exit status; *next is where the words begin.
 */
static int read_options(struct wavectl *w, const struct command *command,
			int argc, char **argv, int *next)
{
	static const char hint[] = "see wavectl --help";
	struct option_set set;
	int value;

	make_set(&set, command);
	opterr = 0;
	optind = 0;		/* a new array: glibc begins afresh */
	while ((value = getopt_long(argc, argv, set.short_opts, set.long_opts,
				    NULL)) != -1) {
		const struct option_desc *desc = find_option(&set, value);

		if (value == ':')
			return fail_with(w, WAVECTL_USAGE, hint,
					 "option '%s' needs an argument",
					 argv[optind - 1]);
		if (!desc)
			return fail_with(w, WAVECTL_USAGE, hint,
					 "unknown option '%s'",
					 argv[optind - 1]);
		if (!desc->set(w, optarg))
			return fail_with(w, WAVECTL_USAGE, hint,
					 "--%s: '%s' is no valid %s",
					 desc->name, optarg, desc->arg);
	}

	*next = optind;
	return WAVECTL_OK;
}

/* --json counts also for complaints about the options before it. */
static bool wants_json(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (!strcmp(argv[i], "--json") || !strcmp(argv[i], "-j"))
			return true;

	return false;
}

static bool is_noun(const char *word)
{
	for (unsigned int i = 0; i < num_commands; i++)
		if (commands[i].verb && !strcmp(commands[i].noun, word))
			return true;

	return false;
}

/* @verb may be NULL. */
static const struct command *find_command(const char *noun, const char *verb)
{
	for (unsigned int i = 0; i < num_commands; i++) {
		const struct command *c = &commands[i];

		if (!verb && c->alias && !strcmp(c->alias, noun))
			return c;
		if (strcmp(c->noun, noun) || !verb != !c->verb)
			continue;
		if (!verb || !strcmp(c->verb, verb))
			return c;
	}

	return NULL;
}

static int run_command(struct wavectl *w, const struct command *c, int argc,
		       char **argv)
{
	int next, status;

	status = read_options(w, c, argc, argv, &next);
	if (status)
		return status;
	if (w->help)
		return print_help(c);
	w->words = argv + next;
	w->num_words = argc - next;
	if (next < argc && !c->args)
		return fail_with(w, WAVECTL_USAGE, "see wavectl --help",
				 "unexpected argument '%s'", argv[next]);
	if (!!w->gpu + !!w->pci + !!w->render > 1)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--gpu, --pci and --render exclude each other");
	if (w->client && !w->pid)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--client needs --pid");

	return c->run(w);
}

static int run(struct wavectl *w, int argc, char **argv)
{
	const char *noun, *verb = NULL;
	const struct command *c;
	int next, status;

	status = read_options(w, NULL, argc, argv, &next);
	if (status)
		return status;
	if (next == argc) {
		if (w->help)
			return print_main_help();
		return fail_with(w, WAVECTL_USAGE, "see wavectl --help",
				 "no command");
	}
	noun = argv[next];
	argc -= next;
	argv += next;

	if (is_noun(noun)) {
		status = read_options(w, NULL, argc, argv, &next);
		if (status)
			return status;
		if (next == argc && w->help)
			return print_noun_help(noun);
		if (next == argc)
			return fail_with(w, WAVECTL_USAGE,
					 "see wavectl --help",
					 "'%s' needs a verb", noun);
		verb = argv[next];
		argc -= next;
		argv += next;
	}

	c = find_command(noun, verb);
	if (!c)
		return fail_with(w, WAVECTL_USAGE, "see wavectl --help",
				 "unknown command '%s%s%s'", noun,
				 verb ? " " : "", verb ? verb : "");

	return run_command(w, c, argc, argv);
}

int wavectl_main(int argc, char **argv)
{
	struct wavectl w = {
		.json = wants_json(argc, argv),
		.watch_mode = ADBG_WATCH_NONREAD,
	};
	int status;

	w.emit = emit_new(w.json);
	status = run(&w, argc, argv);
	adbg_session_close(w.session);
	emit_free(w.emit);
	if (fflush(stdout) || ferror(stdout)) {
		fputs("wavectl: cannot write to standard output\n", stderr);
		status = status ? status : WAVECTL_FAILED;
	}

	return status;
}

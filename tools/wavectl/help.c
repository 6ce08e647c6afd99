// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints help, and the list for completion, from the tables of commands.
 */
#include <stdio.h>
#include <string.h>

#include "base/cmdline.h"
#include "base/options.h"
#include "base/util.h"
#include "base/wavectl.h"
#include "cmd/commands.h"

static const char exit_statuses[] =
	"Exit status:\n"
	"  0  success\n"
	"  1  failed, or done for only some of the waves\n"
	"  2  wrong usage\n"
	"  3  the wave does not exist (any more), or is not halted\n"
	"  4  no permission\n"
	"  5  not supported, or no GPU to debug\n"
	"  6  busy: halted by another session, or the GPU is being reset\n"
	"  7  a halt or a setting ended by itself: the time limit for users was reached,\n"
	"     the process exited, or the GPU was reset\n";

static void print_option(const struct option_desc *o)
{
	char left[40];

	snprintf(left, sizeof(left), "%c%c%s --%s%s%s", o->letter ? '-' : ' ',
		 o->letter ? o->letter : ' ', o->letter ? "," : " ", o->name,
		 o->arg ? " " : "", o->arg ? o->arg : "");
	printf("  %-22s  %s\n", left, o->help);
}

static void print_global_options(void)
{
	printf("\nGlobal options:\n");
	for (unsigned int i = 0; i < num_global_options; i++)
		print_option(&global_options[i]);
	printf("\n"
	       "Without --gpu, --pci or --render, the only GPU is used, or the one that the\n"
	       "process uses; lists are about all GPUs. Options may be anywhere on the command\n"
	       "line.\n\n"
	       "%s", exit_statuses);
}

static void name_global_options(void)
{
	printf("\nand");
	for (unsigned int i = 0; i < num_global_options; i++)
		printf("%s --%s", i ? "," : "", global_options[i].name);
	printf(":\nsee wavectl --help.\n");
}

static void print_summary(const struct command *c)
{
	char name[COMMAND_NAME_MAX];

	printf("  %-14s  %s", command_name(c, name), c->summary);
	for (unsigned int i = 0; c->aliases[i]; i++)
		printf("%s%s", i ? ", " : " (short: ", c->aliases[i]);
	printf("%s\n", c->aliases[0] ? ")" : "");
}

int print_help(const struct command *c)
{
	char name[COMMAND_NAME_MAX];

	printf("Usage: wavectl %s%s%s [options]\n\n%c%s.\n",
	       command_name(c, name), c->args ? " " : "",
	       c->args ? c->args : "", c->summary[0] - ('a' - 'A'),
	       c->summary + 1);
	if (c->help)
		printf("%s\n", c->help);
	for (unsigned int i = 0; c->aliases[i]; i++)
		printf("\"wavectl %s\" is short for it.\n", c->aliases[i]);

	if (c->options[0])
		printf("\nOptions:\n");
	for (unsigned int i = 0; c->options[i]; i++)
		print_option(c->options[i]);
	name_global_options();
	return WAVECTL_OK;
}

static void print_summaries(const struct wavectl *w, const char *noun)
{
	for_each_command(w, c)
		if (!c->hidden && (!noun || !strcmp(noun, c->noun)))
			print_summary(c);
}

int print_noun_help(const struct wavectl *w, const char *noun)
{
	printf("Usage: wavectl %s VERB [options]\n\nVerbs:\n", noun);
	print_summaries(w, noun);
	printf("\nSee \"wavectl %s VERB --help\" for details.\n", noun);
	return WAVECTL_OK;
}

/* Commands that a shell's help groups by what they are for; those that do not exist are left out */
static const struct group {
	const char *name;
	const char *summary;
	const char *const *commands;
} groups[] = {
	{ "running", "run the program and its waves", (const char *const[]){
		"run", "attach", "detach", "continue", "step", "next", "stepi", "nexti", "until",
		"advance", "finish", "wave halt", "wave step", "loop", "wave kill", NULL } },
	{ "breakpoints", "stop waves", (const char *const[]){
		"break set", "tbreak", "break insn", "break start", "break clear", "enable",
		"disable", "ignore", "cond", "commands", "watchpoint set", "watchpoint clear",
		NULL } },
	{ "data", "print code and values, and change values", (const char *const[]){
		"print", "printf", "echo", "set variable", "display", "undisplay", "x",
		"source list", "disasm", "backtrace", "up", "down", "frame", "reg read",
		"reg write", "mem read", "mem write", "lds read", "lds write", "code add",
		"trace save", "trace show", NULL } },
	{ "waves", "select a wave and a lane", (const char *const[]){
		"wave focus", "thread", "lane", "wave list", "wave barrier", "wave snapshot",
		NULL } },
	{ "status", "print what there is", (const char *const[]){
		"info breakpoints", "info watchpoints", "info display", "info waves",
		"info registers", "info variables", "info args", "info locals", "info line",
		"info symbol", "info source", "info code", "info map", "info barrier", "gpu list",
		"caps", "proc list", "job list", "event follow", NULL } },
};

static const struct command *find_named(const struct wavectl *w, const char *wanted)
{
	char name[COMMAND_NAME_MAX];

	for_each_command(w, c)
		if (!strcmp(command_name(c, name), wanted))
			return c;
	return NULL;
}

/* Its shortest name with more than two letters: "halt" for "wave halt", but not "b" for "break" */
static const char *shown_name(const struct command *c, char name[COMMAND_NAME_MAX])
{
	for (unsigned int i = 0; c->aliases[i]; i++)
		if (strlen(c->aliases[i]) > 2 && c->verb)
			return c->aliases[i];
	return command_name(c, name);
}

static void print_names(const struct wavectl *w, const struct group *group)
{
	char name[COMMAND_NAME_MAX];
	size_t column = 0;

	printf("%s: %s\n ", group->name, group->summary);
	for (unsigned int i = 0; group->commands[i]; i++) {
		const struct command *c = find_named(w, group->commands[i]);
		const char *shown = c ? shown_name(c, name) : "";

		if (!c)
			continue;
		if (column + strlen(shown) > 76) {
			printf(",\n ");
			column = 0;
		}
		printf("%s %s", column ? "," : "", shown);
		column += strlen(shown) + 2;
	}
	printf("\n");
}

bool print_shell_help(const struct wavectl *w, const char *name)
{
	for (unsigned int i = 0; name && i < ARRAY_SIZE(groups); i++) {
		if (strcmp(groups[i].name, name))
			continue;
		for (unsigned int k = 0; groups[i].commands[k]; k++) {
			const struct command *c = find_named(w, groups[i].commands[k]);

			if (c)
				print_summary(c);
		}
		return true;
	}
	if (name && !strcmp(name, "all")) {
		print_summaries(w, NULL);
		return true;
	}
	if (name)
		return false;
	for (unsigned int i = 0; i < ARRAY_SIZE(groups); i++)
		print_names(w, &groups[i]);
	printf("\n\"help GROUP\", such as \"help data\", prints what the commands of a group do, \"help\n"
	       "COMMAND\" all about one of them, and \"help all\" the list of all commands. Commands may\n"
	       "be abbreviated; \"quit\" ends the shell.\n");
	return true;
}

int print_main_help(const struct wavectl *w)
{
	printf("Usage: wavectl COMMAND [options]\n\n"
	       "Debug the waves that run on an AMD GPU.\n\nCommands:\n");
	print_summaries(w, NULL);
	print_global_options();
	printf("\nSee \"wavectl COMMAND --help\" or \"wavectl help COMMAND\" for details, and wavectl(1).\n");
	return WAVECTL_OK;
}

static void dump_options(const struct option_desc *(*get)(const void *from,
							  unsigned int i),
			 const void *from)
{
	const struct option_desc *o;

	for (unsigned int i = 0; (o = get(from, i)); i++)
		printf(" --%s%s", o->name, o->arg ? "=" : "");
	printf("|");
	for (unsigned int i = 0; (o = get(from, i)); i++)
		if (o->letter)
			printf("%c%s", o->letter, o->arg ? ":" : "");
	printf("\n");
}

static const struct option_desc *global_option(const void *unused,
					       unsigned int i)
{
	(void)unused;
	return i < num_global_options ? &global_options[i] : NULL;
}

static const struct option_desc *command_option(const void *command,
						unsigned int i)
{
	const struct command *c = command;

	return c->options[i];
}

/*
 * Print a line for each command, and one for the global options. An option with an argument ends
 * in "=", a letter in ":".
 *
 *	name|alias alias| --option --option=|letters
 */
static int cmd_dump_commands(struct wavectl *w)
{
	char name[COMMAND_NAME_MAX];

	printf("||");
	dump_options(global_option, NULL);
	for_each_command(w, c) {
		if (c->hidden)
			continue;
		printf("%s|", command_name(c, name));
		for (unsigned int a = 0; c->aliases[a]; a++)
			printf("%s%s", a ? " " : "", c->aliases[a]);
		printf("|");
		dump_options(command_option, c);
	}

	return WAVECTL_OK;
}

static void print_word(void *data, const char *word)
{
	(void)data;
	printf("%s\n", word);
}

static int cmd_dump_gpus(struct wavectl *w)
{
	(void)w;
	list_gpu_words(print_word, NULL);
	return WAVECTL_OK;
}

const struct command help_commands[] = {
	{
		.noun = "dump-gpus",
		.summary = "print the words by which --gpu finds a GPU, for completion",
		.hidden = true,
		.options = no_options,
		.run = cmd_dump_gpus,
	},
	{
		.noun = "dump-commands",
		.summary = "print all commands and options, for completion",
		.hidden = true,
		.options = no_options,
		.run = cmd_dump_commands,
	},
	{ .noun = NULL },
};

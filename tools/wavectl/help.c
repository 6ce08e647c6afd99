// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Help and the list for completion, made from the table of commands.
 */
#include <stdio.h>
#include <string.h>

#include "util.h"
#include "wavectl.h"

static const char exit_statuses[] =
	"Exit status:\n"
	"  0  done\n"
	"  1  failed, or done for a part of the waves only\n"
	"  2  wrong usage\n"
	"  3  the wave is gone, there is none, or it is not halted\n"
	"  4  no permission\n"
	"  5  not supported, or no GPU to debug\n"
	"  6  busy: held by another session, or in reset\n";

static const char *command_name(const struct command *c, char name[64])
{
	snprintf(name, 64, "%s%s%s", c->noun, c->verb ? " " : "",
		 c->verb ? c->verb : "");
	return name;
}

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
	printf("\nWithout --gpu, --pci or --render, the only GPU is taken.\n\n%s",
	       exit_statuses);
}

static void print_summary(const struct command *c)
{
	char name[64];

	printf("  %-14s  %s", command_name(c, name), c->summary);
	if (c->alias)
		printf(" (short: %s)", c->alias);
	printf("\n");
}

int print_help(const struct command *c)
{
	char name[64];

	printf("Usage: wavectl [global options] %s%s%s [options]\n\n%c%s.\n",
	       command_name(c, name), c->args ? " " : "",
	       c->args ? c->args : "", c->summary[0] - ('a' - 'A'),
	       c->summary + 1);
	if (c->help)
		printf("%s\n", c->help);
	if (c->alias)
		printf("\"wavectl %s\" is short for it.\n", c->alias);

	if (c->options[0])
		printf("\nOptions:\n");
	for (unsigned int i = 0; c->options[i]; i++)
		print_option(c->options[i]);
	print_global_options();
	return WAVECTL_OK;
}

static void print_commands(const char *noun)
{
	for (unsigned int i = 0; i < num_commands; i++)
		if (!commands[i].hidden &&
		    (!noun || !strcmp(noun, commands[i].noun)))
			print_summary(&commands[i]);
}

int print_noun_help(const char *noun)
{
	printf("Usage: wavectl [global options] %s VERB [options]\n\nVerbs:\n",
	       noun);
	print_commands(noun);
	print_global_options();
	return WAVECTL_OK;
}

int print_main_help(void)
{
	printf("Usage: wavectl [global options] COMMAND [options]\n\n"
	       "Debug the waves that run on an AMD GPU.\n\nCommands:\n");
	print_commands(NULL);
	print_global_options();
	printf("\n\"wavectl COMMAND --help\" tells more; see also wavectl(1).\n");
	return WAVECTL_OK;
}

static void dump_option(const struct option_desc *o)
{
	printf(" --%s%s", o->name, o->arg ? "=" : "");
}

/*
 * A line for each command, and one for what is global:
 *	name|alias| --option --option=
 */
int cmd_dump_commands(struct wavectl *w)
{
	char name[64];
	unsigned int i;

	(void)w;
	printf("||");
	for (i = 0; i < num_global_options; i++)
		dump_option(&global_options[i]);
	printf("\n");

	for (i = 0; i < num_commands; i++) {
		const struct command *c = &commands[i];

		if (c->hidden)
			continue;
		printf("%s|%s|", command_name(c, name),
		       c->alias ? c->alias : "");
		for (unsigned int o = 0; c->options[o]; o++)
			dump_option(c->options[o]);
		printf("\n");
	}

	return WAVECTL_OK;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands on the command line: options and words, before it is known which
 * command they are for.
 */
#ifndef WAVECTL_CMDLINE_H
#define WAVECTL_CMDLINE_H

#include <stdbool.h>

#include "base/wavectl.h"

#define MAX_CMDLINE_OPTIONS 64
#define COMMAND_NAME_MAX 64

struct cmdline {
	struct cmdline_option {
		const char *name;	/* the long one */
		const char *arg;	/* NULL: it takes none */
	} options[MAX_CMDLINE_OPTIONS];
	unsigned int num_options;
	char **words;			/* what is no option */
	int num_words;
	char **to_free;
};

/*
 * Read the command line. Options may stand anywhere before a "--"; an option is
 * one that any command has. argv[0] is skipped. An exit status.
 */
int cmdline_read(struct wavectl *w, struct cmdline *line, int argc, char **argv);
void cmdline_free(struct cmdline *line);
bool cmdline_has(const struct cmdline *line, const char *name);
/*
 * Hand the options on to @command, which must have them, or to what is global. An
 * exit status.
 */
int cmdline_apply(struct wavectl *w, const struct cmdline *line,
		  const struct command *command);

/* As it is typed, "wave halt". Returns @name. */
const char *command_name(const struct command *command,
			 char name[COMMAND_NAME_MAX]);
/* Has it an option of that name, beside those that are global? */
bool command_has_option(const struct command *command, const char *name);
/* Is @word a short form of it? */
bool command_has_alias(const struct command *command, const char *word);

#endif /* WAVECTL_CMDLINE_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options and arguments of a command line, before the command is known.
 */
#ifndef WAVECTL_CMDLINE_H
#define WAVECTL_CMDLINE_H

#include <stdbool.h>

#include "base/wavectl.h"

#define MAX_CMDLINE_OPTIONS 64
#define COMMAND_NAME_MAX 64

struct cmdline {
	struct cmdline_option {
		const char *name;	/* its long name */
		const char *arg;	/* NULL: the option takes none */
	} options[MAX_CMDLINE_OPTIONS];
	unsigned int num_options;
	char **words;			/* the arguments that are not options */
	int num_words;
	char **to_free;
	int num_typed;			/* words from @to_free on, also those that were taken */
	char **expanded;		/* options whose names were completed */
	int num_expanded;
};

/*
 * Read a command line. Options may be anywhere before "--"; the options of all commands are
 * accepted. argv[0] is skipped. Call cmdline_free() also after an error. Returns an exit status.
 */
int cmdline_read(struct wavectl *w, struct cmdline *line, int argc, char **argv);
void cmdline_free(struct cmdline *line);
bool cmdline_has(const struct cmdline *line, const char *name);
/*
 * Get the command line as a line of a shell, without the options that select the GPU and the
 * process. The caller frees it.
 */
char *cmdline_as_line(const struct wavectl *w, const struct cmdline *line);
/*
 * Join arguments that are an expression: as they were typed in a shell, since quotes are a part of
 * expressions. The caller frees the result.
 */
char *expression_words(const struct wavectl *w, char *const *words, int num);
/*
 * Apply the options to @w. Each must be an option of @command or a global one. Returns an exit
 * status.
 */
int cmdline_apply(struct wavectl *w, const struct cmdline *line,
		  const struct command *command);

/* Write the name of @command as it is typed, such as "wave halt". Returns @name. */
const char *command_name(const struct command *command,
			 char name[COMMAND_NAME_MAX]);
/* Does @command have an option of this name, global options aside? */
bool command_has_option(const struct command *command, const char *name);
/* Is @word a short form of @command? */
bool command_has_alias(const struct command *command, const char *word);

#endif /* WAVECTL_CMDLINE_H */

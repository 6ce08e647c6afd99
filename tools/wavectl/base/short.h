/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Abbreviated commands in a shell, as in gdb: a word that begins only one command, or one of the
 * short words for which gdb has a preference, such as s and i.
 */
#ifndef WAVECTL_SHORT_H
#define WAVECTL_SHORT_H

#include "base/wavectl.h"

/*
 * Find the first word of a command for what was typed. Returns @typed if it is a command, or begins
 * none. NULL: it begins several, and *@names is set to them; the caller frees it.
 */
const char *short_noun(const struct wavectl *w, const char *typed, char **names);
/* The same for the second word, after @noun */
const char *short_verb(const struct wavectl *w, const char *noun, const char *typed,
		       char **names);
/*
 * What to do instead of a command of gdb that does not exist here. NULL: gdb has no such command
 * either. @noun: NULL, "info", or "set", which gdb has for settings
 */
const char *short_instead(const char *noun, const char *typed);

#endif /* WAVECTL_SHORT_H */

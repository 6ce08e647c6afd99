/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conditions of breakpoints, as words of a command line: "v3 == 42 lane 0-7 group 7".
 */
#ifndef WAVECTL_CONDITION_H
#define WAVECTL_CONDITION_H

#include "debug/debug.h"

struct condition_words {
	char **words;
	int num;
};

/* Those behind "if", which are taken away from the command's words */
struct condition_words condition_cut(struct wavectl *w);
/* Read words, of which there are some. There is a debugger. An exit status */
int condition_parse(struct wavectl *w, const struct condition_words *from,
		    struct adbgd_condition *c);
/* Say it in the same words, as @key; NULL: nothing */
void condition_emit(struct wavectl *w, const char *key, const struct adbgd_condition *c);

#endif /* WAVECTL_CONDITION_H */

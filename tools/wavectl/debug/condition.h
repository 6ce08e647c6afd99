/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conditions of breakpoints, as arguments: "v3 == 42 lane 0-7 group 7".
 */
#ifndef WAVECTL_CONDITION_H
#define WAVECTL_CONDITION_H

#include "debug/debug.h"

struct condition_words {
	char **words;
	int num;
};

/*
 * Remove the words from "if" on from the arguments of the command, and return them without "if".
 */
struct condition_words condition_cut(struct wavectl *w);
/*
 * Parse a condition of at least one word. There must be a debugger. @pc: address of the breakpoint,
 * where variables are in registers; NULL: it has none. @text: set to NULL, or if the condition
 * names variables, to its text, which the caller frees. Returns an exit status.
 */
int condition_parse(struct wavectl *w, const struct condition_words *from, const uint64_t *pc,
		    struct adbgd_condition *c, char **text);
/* An ADBGD_RELATION_* other than _NONE as it is typed, such as "s<" */
const char *condition_relation(uint32_t relation);
/* condition_text.c: add the condition in the same words, as member @key. NULL: no condition */
void condition_emit(struct wavectl *w, const char *key, const struct adbgd_condition *c);

#endif /* WAVECTL_CONDITION_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conditions of breakpoints, as arguments: "v3 == 42 lane 0-7 group 7", "p->x > 3".
 */
#ifndef WAVECTL_CONDITION_H
#define WAVECTL_CONDITION_H

#include "debug/debug.h"

/* A condition, in two parts that must both be true */
struct condition {
	struct adbgd_condition gpu;
	bool has_gpu;			/* false: the host decides alone */
	char *expression;		/* what the host decides; NULL: nothing */
	char *text;			/* as it was typed, if that is shown; else NULL */
};

/*
 * Remove the words from "if" on from the arguments of the command, and return what was typed after
 * "if"; NULL: there is no "if". The caller frees it.
 */
char *condition_cut(struct wavectl *w);
/*
 * Replace values of the history in a condition by numbers that the GPU can compare, and those that
 * are none by $N, which stays as it is from then on. *@text: the condition, which is allocated;
 * NULL: none. Returns an exit status.
 */
int condition_fix_values(struct wavectl *w, char **text);
/*
 * Parse a condition. There must be a debugger. @pc: address of the breakpoint,
 * where variables are in scope; NULL: it has none. Call condition_free() also after an error.
 * Returns an exit status.
 */
int condition_parse(struct wavectl *w, const char *text, const uint64_t *pc, struct condition *c);
void condition_free(struct condition *c);
/*
 * Let the GPU count hits. @every, @nth: as of struct adbgd_condition; 0: not given. Returns an exit
 * status.
 */
int condition_add_count(struct wavectl *w, uint32_t every, uint32_t nth, struct condition *c);
/* The part that the GPU decides; NULL: none. @c may be NULL. */
const struct adbgd_condition *condition_gpu(const struct condition *c);
/*
 * Let the host decide the rest for a breakpoint that was set with condition_gpu(). @c may be NULL.
 * Returns 0 or -errno.
 */
int condition_complete(const struct condition *c, struct adbgd_breakpoint *b,
		       struct adbgd_error *error);

/* What condition_parse_gpu() has found */
struct condition_found {
	bool names_variables;
	bool is_final;		/* after an error: it is not one for the host, either */
};

/*
 * condition.c: parse a condition, or fail if the GPU cannot decide it. Arguments and results as of
 * condition_parse().
 */
int condition_parse_gpu(struct wavectl *w, const char *text, const uint64_t *pc,
			struct adbgd_condition *c, struct condition_found *found);
/* An ADBGD_RELATION_* other than _NONE as it is typed, such as "s<" */
const char *condition_relation(uint32_t relation);
/* condition_text.c: add the condition in the same words, as member @key. NULL: no condition */
void condition_emit(struct wavectl *w, const char *key, const struct adbgd_condition *c);
/* As condition_emit(); @text: as it was typed, or NULL; @by_host: the host decides it */
void condition_emit_typed(struct wavectl *w, const char *key, const struct adbgd_condition *c,
			  const char *text, bool by_host);

#endif /* WAVECTL_CONDITION_H */

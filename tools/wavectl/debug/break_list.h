/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Breakpoints as arguments of a command: numbers and ranges of numbers.
 */
#ifndef WAVECTL_BREAK_LIST_H
#define WAVECTL_BREAK_LIST_H

#include "debug/debug.h"

/* Breakpoints that a command names, each once */
struct break_list {
	struct adbgd_breakpoint **breakpoints;
	uint64_t count;
};

/*
 * Open the target, and find the breakpoints of the arguments, or all if there are none. Not all
 * numbers of a range need to exist. Call break_list_free() also after an error. Returns an exit
 * status.
 */
int break_list_take(struct wavectl *w, struct break_list *list);
void break_list_free(struct break_list *list);
/* Get breakpoint @i, from 0; NULL: there are fewer. */
struct adbgd_breakpoint *break_list_at(const struct wavectl *w, size_t i);

#endif /* WAVECTL_BREAK_LIST_H */

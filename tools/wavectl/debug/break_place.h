/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where breakpoints are in the source: they lose their address when their code is unloaded, and
 * get one when it is loaded.
 */
#ifndef WAVECTL_BREAK_PLACE_H
#define WAVECTL_BREAK_PLACE_H

#include "debug/debug.h"

/*
 * Remember the location of a breakpoint, and its condition (NULL: none), which are copied.
 * @address: where it is; 0: nowhere yet
 */
void break_place_add(struct debugger *d, uint32_t breakpoint, const char *word,
		     const char *condition, uint64_t address);
/* The location of a breakpoint as it was given; NULL: it has an address only */
const char *break_place_word(const struct debugger *d, uint32_t breakpoint);
/* Change the condition; NULL: none. A breakpoint that has an address only is left out. */
void break_place_set_condition(struct debugger *d, uint32_t breakpoint, const char *condition);

/*
 * Give addresses to breakpoints whose code was loaded, and take them from those whose code was
 * unloaded, if anything was. As long as there is a breakpoint without an address, the code of new
 * waves is looked at before they execute it.
 */
void break_place_update(struct wavectl *w);
/* Is there a breakpoint to report? */
bool break_place_has_news(const struct debugger *d);
/* Print which breakpoints have got another address since the last call. Returns an exit status. */
int break_place_report(struct wavectl *w);

#endif /* WAVECTL_BREAK_PLACE_H */

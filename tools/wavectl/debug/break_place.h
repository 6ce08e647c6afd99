/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where breakpoints are in the source: they lose their address when their code is unloaded, and
 * get one when it is loaded.
 */
#ifndef WAVECTL_BREAK_PLACE_H
#define WAVECTL_BREAK_PLACE_H

#include "debug/debug.h"

/*
 * Remember what a breakpoint that is set is to be, which is copied. @address: where it is.
 */
void break_place_add(struct debugger *d, uint32_t breakpoint, const struct break_wanted *wanted,
		     uint64_t address);
/*
 * Make a breakpoint that break_place_update() sets as soon as its code is loaded. @flags: as of
 * adbgd_breakpoint_set_later(). Returns an exit status.
 */
int break_place_set_later(struct wavectl *w, const struct break_wanted *wanted, uint32_t flags,
			  struct adbgd_breakpoint **b);
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

/* The state of the breakpoints of an owner: one for each address of its code */
struct break_state {
	bool is_set;			/* there is an address, and all that have one are set */
	uint64_t address;		/* of the first one that has one; 0: none has */
	/* Without an address: */
	bool has_failed;		/* the code is loaded, but it could not be set there */
	const char *why;		/* NULL: another breakpoint is there */
};

/* The owner of a breakpoint, see struct break_wanted; 0: it has none */
uint32_t break_place_owner(const struct debugger *d, uint32_t breakpoint);
/* Remove the breakpoints of an owner. Returns an exit status. */
int break_place_clear(struct wavectl *w, uint32_t owner);
void break_place_get_state(const struct debugger *d, uint32_t owner, struct break_state *state);

/* Is there a breakpoint to report? */
bool break_place_has_news(const struct debugger *d);
/* Print which breakpoints have got another address since the last call. Returns an exit status. */
int break_place_report(struct wavectl *w);

#endif /* WAVECTL_BREAK_PLACE_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The map on a terminal, with keys. screen.c, draw.c and terminal.c need ncurses: build.mk leaves
 * them out without it.
 */
#ifndef WAVECTL_TOP_SCREEN_H
#define WAVECTL_TOP_SCREEN_H

#include "top/sample.h"

struct top_options {
	uint64_t delay_ns;
	uint64_t count;			/* samples; 0: not given */
	bool once;
	const char *svg;		/* NULL: not given */
};

/*
 * Show samples until the user ends it, or until so many were taken. Returns an exit status. The
 * terminal is then as it was before.
 */
#ifdef WAVECTL_NCURSES
int screen_run(struct top *t, const struct top_options *options);
#else
static inline int screen_run(struct top *t, const struct top_options *options)
{
	(void)options;
	return fail_with(t->w, WAVECTL_UNSUPPORTED, "use --once or --svg",
			 "this wavectl was built without ncurses");
}
#endif

#endif /* WAVECTL_TOP_SCREEN_H */

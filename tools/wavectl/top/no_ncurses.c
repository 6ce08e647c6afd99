// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The terminal of "top" in a wavectl that was built without ncurses.
 */
#include "top/screen.h"

int screen_run(struct top *t, const struct top_options *options)
{
	(void)options;
	return fail_with(t->w, WAVECTL_UNSUPPORTED, "use --once or --svg",
			 "this wavectl was built without ncurses");
}

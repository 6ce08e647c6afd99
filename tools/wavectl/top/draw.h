/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws on the terminal, by ncurses.
 */
#ifndef WAVECTL_TOP_DRAW_H
#define WAVECTL_TOP_DRAW_H

#include "top/inspect.h"

/* What is shown */
struct view {
	struct top *top;
	uint64_t delay_ns;
	struct selection selected;
	enum hot_order order;
	bool is_paused;
	char *message;			/* NULL: none; the keys are shown */
	bool asks;			/* the message is a question */
	size_t first_row;		/* of the maps that is visible */
	struct pane pane;		/* lines in the place of the map; none: the map is shown */
	size_t first_line;		/* of the pane that is visible */
};

/* Draw everything. */
void draw_view(struct view *v);
/* The number of lines of a pane that are visible */
size_t draw_pane_lines(void);
/* How the map of the selected GPU is divided now */
struct map_layout draw_layout(const struct view *v);

#endif /* WAVECTL_TOP_DRAW_H */

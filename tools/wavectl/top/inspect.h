/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of text about one wave: its state, its registers and the code around its PC.
 */
#ifndef WAVECTL_TOP_INSPECT_H
#define WAVECTL_TOP_INSPECT_H

#include "top/control.h"

struct pane {
	char **text;
	size_t num;
};

/* Add a line, which belongs to @pane. */
void pane_add(struct pane *pane, char *text);
void pane_free(struct pane *pane);

/*
 * Read the wave in the selected slot, and describe it. All registers are read if it is halted, else
 * the hardware registers. Errors become lines.
 */
void inspect_wave(struct top *t, const struct selection *s, struct pane *pane);

#endif /* WAVECTL_TOP_INSPECT_H */

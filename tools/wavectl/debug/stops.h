/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stops that are reported together: many waves of a job stop at the same breakpoint.
 */
#ifndef WAVECTL_STOPS_H
#define WAVECTL_STOPS_H

#include "base/wavectl.h"

/* Waves that stop within this time of each other are reported together. */
#define STOPS_TOGETHER_MS 20

struct adbgd_stop;

struct stops {
	struct adbgd_stop *list;
	size_t num;
};

void stops_add(struct stops *stops, const struct adbgd_stop *stop);
/*
 * Report the stops and empty the list. In text, more than a few waves that have stopped at the
 * same place for the same reason are one line. Returns an exit status.
 */
int stops_say(struct wavectl *w, struct stops *stops);
void stops_free(struct stops *stops);

#endif /* WAVECTL_STOPS_H */

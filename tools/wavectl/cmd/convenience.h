/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Assignments to convenience variables, such as $n = i + 1.
 */
#ifndef WAVECTL_CONVENIENCE_H
#define WAVECTL_CONVENIENCE_H

#include "base/options.h"
#include "base/wavectl.h"

/* Is it an assignment to a name after a $ that is neither a register nor a pseudo variable? */
bool convenience_is_meant(const char *text);

/*
 * Set a convenience variable: to the value in a single lane of @lanes, or else in the selected
 * lane. Returns an exit status.
 */
int convenience_set(struct wavectl *w, const char *text, const struct lane_range *lanes);

#endif /* WAVECTL_CONVENIENCE_H */

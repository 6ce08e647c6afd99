/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Assignments to variables and registers, for several commands.
 */
#ifndef WAVECTL_ASSIGN_H
#define WAVECTL_ASSIGN_H

#include "base/options.h"
#include "base/wavectl.h"

/* Are the arguments an assignment, such as "x = 1"? */
bool assign_is_meant(const struct wavectl *w);

/*
 * Execute the assignment in the arguments, in the selected frame: for @lanes, or if these are not
 * set for the selected lane. Returns an exit status.
 */
int assign_run(struct wavectl *w, const struct lane_range *lanes);

#endif /* WAVECTL_ASSIGN_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The result of a command with --dry-run: what it would do.
 */
#ifndef WAVECTL_DRY_RUN_H
#define WAVECTL_DRY_RUN_H

#include "base/wavectl.h"

/* Begin the result, also without --dry-run. The members that follow are the same for both. */
void dry_run_begin(struct wavectl *w);
/*
 * End the result of --dry-run. @what: the action, such as "set a breakpoint at {address}".
 * Returns an exit status.
 */
int dry_run_end(struct wavectl *w, const char *what);

#endif /* WAVECTL_DRY_RUN_H */

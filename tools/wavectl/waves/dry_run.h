/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * With --dry-run: the document of a command that says what it would do.
 */
#ifndef WAVECTL_DRY_RUN_H
#define WAVECTL_DRY_RUN_H

#include "base/wavectl.h"

/* It begins, also without --dry-run; the members that follow are the same for both. */
void dry_run_begin(struct wavectl *w);
/* @what it would, such as "set a breakpoint at {address}". An exit status. */
int dry_run_end(struct wavectl *w, const char *what);

#endif /* WAVECTL_DRY_RUN_H */

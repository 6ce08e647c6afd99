/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Running one command.
 */
#ifndef WAVECTL_DISPATCH_H
#define WAVECTL_DISPATCH_H

#include "base/wavectl.h"

/*
 * Run the command that @argv names, argv[0] is skipped. @w is as it is before any option
 * was read: its table and its emit are set, and its session and dialogue, if there are
 * any. An exit status.
 */
int dispatch(struct wavectl *w, int argc, char **argv);

#endif /* WAVECTL_DISPATCH_H */

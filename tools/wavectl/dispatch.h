/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs one command.
 */
#ifndef WAVECTL_DISPATCH_H
#define WAVECTL_DISPATCH_H

#include "base/wavectl.h"

/*
 * Run the command of a command line; argv[0] is skipped. In @w the list of tables and the output
 * are set, and in a shell the session; no option has been applied. Returns an exit status.
 */
int dispatch(struct wavectl *w, int argc, char **argv);

#endif /* WAVECTL_DISPATCH_H */

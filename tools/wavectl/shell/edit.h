/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines that the user types: editing, history, completion.
 */
#ifndef WAVECTL_EDIT_H
#define WAVECTL_EDIT_H

#include "shell/shell_session.h"

#define EDIT_PROMPT "wavectl> "

/* Read and execute lines until the end. Returns an exit status. */
int edit_run(struct shell_loop *loop);

#endif /* WAVECTL_EDIT_H */

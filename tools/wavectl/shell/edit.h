/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines that somebody types: editing, history, completion.
 */
#ifndef WAVECTL_EDIT_H
#define WAVECTL_EDIT_H

#include "shell/shell_session.h"

#define EDIT_PROMPT "wavectl> "

/* Read and run lines until the end. An exit status. */
int edit_run(struct talk *talk);

#endif /* WAVECTL_EDIT_H */

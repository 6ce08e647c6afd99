/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files in the home directory: the history of earlier shells, key bindings, which can also type
 * commands, and terminal descriptions. Root may run with the environment of another user.
 * Therefore a file is only used if it, and each directory from $XDG_STATE_HOME or $HOME on,
 * belongs to the effective user.
 */
#ifndef WAVECTL_HOME_H
#define WAVECTL_HOME_H

#include <histedit.h>

/*
 * Call el_init() for the standard streams; returns NULL as that does. libedit opens
 * $HOME/.terminfo by name, and would block on a FIFO there; the home of another user is
 * therefore hidden from it.
 */
struct editline *home_init_editor(void);
/*
 * Read the history, and create its directory if needed. Returns a descriptor of the directory
 * for home_save_history(); -1: no history is kept, with a message if the directory belongs to
 * another user.
 */
int home_load_history(struct history *history);
/* Write the history and close the directory. */
void home_save_history(struct history *history, int folder);
/* Read the file of $EDITRC, or ~/.editrc: see editrc(5). */
void home_source_editrc(EditLine *el);

#endif /* WAVECTL_HOME_H */

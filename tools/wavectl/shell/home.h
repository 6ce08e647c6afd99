/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is in the home of the user: the lines that were typed in earlier shells, how keys
 * are bound, which can also type commands, and descriptions of terminals. Root may have the
 * environment of another user, whose home it is then. So files are used only if they belong
 * to the effective user, and so does each folder from $XDG_STATE_HOME or $HOME on.
 */
#ifndef WAVECTL_HOME_H
#define WAVECTL_HOME_H

#include <histedit.h>

/*
 * el_init() for the standard streams; NULL as there. It opens $HOME/.terminfo by its name,
 * and would wait there for a FIFO; so it does not get to know the home of another user.
 */
struct editline *home_init_editor(void);
/*
 * Read the history, and make its folder, if it is not there. The folder's descriptor
 * for home_save_history(); -1: no history is kept, which is said if another user is in the way.
 */
int home_load_history(struct history *history);
/* Write the history, and close the folder. */
void home_save_history(struct history *history, int folder);
/* Read the file that EDITRC names, or ~/.editrc: see editrc(5). */
void home_source_editrc(EditLine *el);

#endif /* WAVECTL_HOME_H */

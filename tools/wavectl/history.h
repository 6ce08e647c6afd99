/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines that were typed in earlier shells. They are kept in a folder of the user alone:
 * each folder from $XDG_STATE_HOME or $HOME on, and the file, must belong to the effective user,
 * which they do not where root has the environment of another user.
 */
#ifndef WAVECTL_HISTORY_H
#define WAVECTL_HISTORY_H

#include <histedit.h>

/*
 * Read them into @history, and make the folder, if it is not there. The folder's descriptor
 * for history_save(); -1: no history is kept, which is said if another user is in the way.
 */
int history_load(History *history);
/* Write them, and close the folder. */
void history_save(History *history, int folder);

#endif /* WAVECTL_HISTORY_H */

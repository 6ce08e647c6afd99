/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of the user that libraries read, such as ~/.terminfo. After sudo, HOME may be the folder of
 * another user, who must not decide what root reads.
 */
#ifndef WAVECTL_OWN_HOME_H
#define WAVECTL_OWN_HOME_H

/* Return @fd if the file belongs to the caller, else close it and return -EPERM; or -errno. */
int own_fd(int fd);
/*
 * Remove HOME from the environment if that folder belongs to another user, before a library reads
 * files below it. Returns what own_home_end() needs to restore it.
 */
char *own_home_begin(void);
void own_home_end(char *hidden);

#endif /* WAVECTL_OWN_HOME_H */

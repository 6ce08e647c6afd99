/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The terminal, as ncurses sets it up.
 */
#ifndef WAVECTL_TOP_TERMINAL_H
#define WAVECTL_TOP_TERMINAL_H

#include <poll.h>

/* The color pair of an enum map_state, if there are colours */
#define TERMINAL_PAIR(state)	((state) + 1)

/* Set up the terminal. Returns 0, or -ENOTTY if it cannot show a map. */
int terminal_begin(void);
/* Restore the terminal. */
void terminal_end(void);
/*
 * Wait as poll() does. After a change of the terminal's size it is interrupted (-EINTR), and there
 * is a key for it. Returns the number of descriptors or -errno.
 */
int terminal_wait(struct pollfd *fds, nfds_t num, int timeout_ms);
/* The next key, such as KEY_LEFT; ERR: none was typed. */
int terminal_key(void);
/* Draw everything anew the next time: other output may have disturbed it. */
void terminal_redraw(void);

#endif /* WAVECTL_TOP_TERMINAL_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The descriptor of adbgd_process_get_fd(): an epoll instance with the events of the session and a
 * timer, which expires when adbgd_process_handle_timeout() is to be called.
 */
#ifndef ADBGD_POLL_FD_H
#define ADBGD_POLL_FD_H

#include "process.h"

/**
 * adbgd_poll_fd_open() - get the descriptor, and open it if it is not open
 * @timeout_ms: as for adbgd_poll_fd_update()
 *
 * Return: the descriptor or -errno.
 */
int adbgd_poll_fd_open(struct adbgd_process *process, int timeout_ms);

void adbgd_poll_fd_close(struct adbgd_process *process);

/**
 * adbgd_poll_fd_update() - something was handled: set the timer for the next time
 * @timeout_ms: after how many milliseconds it expires, again and again; -1: never
 */
void adbgd_poll_fd_update(struct adbgd_process *process, int timeout_ms);

/**
 * adbgd_poll_fd_wake() - make the descriptor readable, until something was handled
 *
 * Functions that change what there is to wait for call this, if they do not know the timeout.
 */
void adbgd_poll_fd_wake(struct adbgd_process *process);

#endif /* ADBGD_POLL_FD_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the ioctls need from the dispatcher.
 */
#ifndef WDBG_MAIN_H
#define WDBG_MAIN_H

#include "session.h"

#define WDBG_VERSION	"0.1.0"

int wdbg_respond(struct wdbg_cmd *cmd, size_t len);

#endif /* WDBG_MAIN_H */

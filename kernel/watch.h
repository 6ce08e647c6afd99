/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Address watches.
 */
#ifndef WDBG_WATCH_H
#define WDBG_WATCH_H

#include "session.h"

bool wdbg_watch_used(struct wdbg_gpu *gpu, struct wdbg_session *session);
void wdbg_watch_check(struct wdbg_gpu *gpu);
void wdbg_watch_end(struct wdbg_gpu *gpu, struct wdbg_session *session);

#endif /* WDBG_WATCH_H */

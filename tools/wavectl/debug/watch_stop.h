/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A watch at which waves stop.
 */
#ifndef WAVECTL_WATCH_STOP_H
#define WAVECTL_WATCH_STOP_H

#include "base/wavectl.h"

/* Set it, and print and resume waves that hit it until the end. An exit status. */
int watch_stop(struct wavectl *w, struct amdgpudbg_watch_set *watch);

#endif /* WAVECTL_WATCH_STOP_H */

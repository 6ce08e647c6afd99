/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A watch at which waves stop.
 */
#ifndef WAVECTL_WATCH_STOP_H
#define WAVECTL_WATCH_STOP_H

#include "base/wavectl.h"

/* Set it, and print and resume waves that hit it until the end, or until @max_hits, if that is not 0. An exit status. */
int watch_stop(struct wavectl *w, struct amdgpudbg_watch_set *watch, uint64_t max_hits);

#endif /* WAVECTL_WATCH_STOP_H */

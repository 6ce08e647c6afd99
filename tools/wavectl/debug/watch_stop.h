/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A watch at which waves stop.
 */
#ifndef WAVECTL_WATCH_STOP_H
#define WAVECTL_WATCH_STOP_H

#include "base/wavectl.h"

/*
 * Set a watch, print and resume the waves that hit it, until the hold ends or, if @max_hits is
 * not 0, after that number of hits. Returns an exit status.
 */
int watch_stop(struct wavectl *w, struct amdgpudbg_watch_set *watch, uint64_t max_hits);

#endif /* WAVECTL_WATCH_STOP_H */

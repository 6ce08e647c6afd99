/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets, clears and prints watches.
 */
#ifndef WAVECTL_WATCH_H
#define WAVECTL_WATCH_H

#include "base/wavectl.h"

/* Set a watch, or print an error. Returns an exit status. */
int watch_set(struct wavectl *w, struct amdgpudbg_watch_set *watch);
/*
 * Clear a watch of the session of a shell. It may be gone: by a reset, or with the process or
 * its VMID.
 */
void watch_clear(struct wavectl *w, uint32_t id);
void watch_emit(struct wavectl *w, const struct amdgpudbg_watch_set *watch);

#endif /* WAVECTL_WATCH_H */

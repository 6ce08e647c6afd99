/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Watches: setting one, and what it looks like.
 */
#ifndef WAVECTL_WATCH_H
#define WAVECTL_WATCH_H

#include "base/wavectl.h"

/* Set it, or say why not. An exit status. */
int watch_set(struct wavectl *w, struct amdgpudbg_watch_set *watch);
/* In a dialogue. It may be gone: by a reset, with the target, or with the VMID. */
void watch_clear(struct wavectl *w, uint32_t id);
void watch_emit(struct wavectl *w, const struct amdgpudbg_watch_set *watch);

#endif /* WAVECTL_WATCH_H */

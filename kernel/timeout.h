/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Holding amdgpu's job timeouts while waves are halted.
 */
#ifndef WDBG_TIMEOUT_H
#define WDBG_TIMEOUT_H

#include "gpu.h"

int wdbg_timeout_probe(struct wdbg_gpu *gpu, char *reason);
void wdbg_timeout_init(struct wdbg_gpu *gpu);
void wdbg_timeout_exit(struct wdbg_gpu *gpu);
int wdbg_timeout_hold(struct wdbg_session *session);
void wdbg_timeout_release_unused(struct wdbg_gpu *gpu);

#endif /* WDBG_TIMEOUT_H */

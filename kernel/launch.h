/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How new waves start.
 */
#ifndef WDBG_LAUNCH_H
#define WDBG_LAUNCH_H

#include "session.h"

bool wdbg_launch_used(struct wdbg_gpu *gpu, struct wdbg_session *session);
void wdbg_launch_claim(struct wdbg_gpu *gpu,
		       const struct amdgpudbg_wave_coord *at);
void wdbg_launch_check(struct wdbg_gpu *gpu);
void wdbg_launch_take_back(struct wdbg_gpu *gpu, struct wdbg_session *session);
void wdbg_launch_forget(struct wdbg_gpu *gpu, struct wdbg_session *session);

#endif /* WDBG_LAUNCH_H */

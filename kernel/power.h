/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The bracket around every use of the hardware.
 */
#ifndef WDBG_POWER_H
#define WDBG_POWER_H

#include "session.h"

int wdbg_power_begin(struct wdbg_session *session, int *bracket);
int wdbg_power_begin_cleanup(struct wdbg_gpu *gpu, int *bracket);
void wdbg_power_look(struct wdbg_gpu *gpu);
void wdbg_power_end(struct wdbg_gpu *gpu, int bracket);
void wdbg_power_drop(struct wdbg_gpu *gpu);

#endif /* WDBG_POWER_H */

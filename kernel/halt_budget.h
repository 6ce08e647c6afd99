/* SPDX-License-Identifier: GPL-2.0-only */
/* How long callers without CAP_SYS_ADMIN may stop waves */
#ifndef WDBG_HALT_BUDGET_H
#define WDBG_HALT_BUDGET_H

#include "part.h"

struct wdbg_gpu;
struct wdbg_session;

extern const struct wdbg_part wdbg_halt_budget_part;
int wdbg_halt_budget_hold(struct wdbg_session *session);
int wdbg_halt_budget_expect(struct wdbg_session *session);
void wdbg_halt_budget_note(struct wdbg_session *session);
void wdbg_halt_budget_update(struct wdbg_gpu *gpu);
struct wdbg_session *wdbg_halt_budget_quiet(struct wdbg_gpu *gpu);
void wdbg_halt_budget_left(struct wdbg_gpu *gpu, u32 *left_ms, u32 *wait_ms);

#endif /* WDBG_HALT_BUDGET_H */

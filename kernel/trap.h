/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The trap handler of a target.
 */
#ifndef WDBG_TRAP_H
#define WDBG_TRAP_H

#include "session.h"

struct wdbg_buffer;

void wdbg_trap_init(struct wdbg_gpu *gpu);
void wdbg_trap_exit(struct wdbg_gpu *gpu);
const char *wdbg_trap_why_not(const struct wdbg_gpu *gpu);

bool wdbg_trap_uses(const struct wdbg_session *session,
		    const struct wdbg_buffer *buffer);
bool wdbg_trap_keep(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer);

void wdbg_trap_claim(struct wdbg_gpu *gpu,
		     const struct amdgpudbg_wave_coord *at);
void wdbg_trap_claim_all(struct wdbg_gpu *gpu, struct wdbg_session *session);
void wdbg_trap_notice_reset(struct wdbg_gpu *gpu);
void wdbg_trap_sleep(struct wdbg_gpu *gpu);
void wdbg_trap_off(struct wdbg_session *session);
void wdbg_trap_settle(struct wdbg_gpu *gpu);
void wdbg_trap_end(struct wdbg_gpu *gpu);

#endif /* WDBG_TRAP_H */

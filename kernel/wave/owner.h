/* SPDX-License-Identifier: GPL-2.0-only */
/* The owners of halted waves */
#ifndef WDBG_WAVE_OWNER_H
#define WDBG_WAVE_OWNER_H

#include "private.h"

void wdbg_wave_own(struct wdbg_slot *slot, struct wdbg_session *owner);
void wdbg_wave_claim(struct wdbg_gpu *gpu,
		     const struct amdgpudbg_wave_coord *at);
void wdbg_wave_claim_how(struct wdbg_gpu *gpu,
			 const struct amdgpudbg_wave_coord *at,
			 enum wdbg_halted how);
void wdbg_wave_claim_all(struct wdbg_gpu *gpu);
void wdbg_wave_claim_debug_for(struct wdbg_gpu *gpu,
			       const struct amdgpudbg_wave_coord *at, u32 vmid,
			       struct wdbg_session *owner);
void wdbg_wave_claim_for(struct wdbg_gpu *gpu,
			 const struct amdgpudbg_wave_coord *at, u32 vmid,
			 struct wdbg_session *owner);
void wdbg_wave_restore_lost(struct wdbg_session *session, u32 vmids);
bool wdbg_wave_left_halted(const struct wdbg_gpu *gpu);
void wdbg_wave_resume_halted(struct wdbg_gpu *gpu, u32 vmids);
void wdbg_wave_discard_ended(struct wdbg_gpu *gpu);

#endif /* WDBG_WAVE_OWNER_H */

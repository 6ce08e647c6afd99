/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which waves a call is about: &struct amdgpudbg_select.
 */
#ifndef WDBG_WAVE_SELECT_H
#define WDBG_WAVE_SELECT_H

#include "wave/slots.h"

/**
 * struct wdbg_selection - the waves that a call selects
 * @session: the session of the call
 * @want: the caller's selection; wdbg_select_check() has passed it
 * @place: the slots that it names
 * @vmids: their VMIDs, one bit each
 * @sees_all: the caller may see the processes of all other sessions
 * @known: VMIDs whose PASID is in @pasid
 * @pasid: their PASIDs
 */
struct wdbg_selection {
	struct wdbg_session *session;
	const struct amdgpudbg_select *want;
	struct wdbg_place place;
	u32 vmids;
	bool sees_all;
	u32 known;
	u32 pasid[WDBG_NUM_VMID];
};

int wdbg_select_check(const struct wdbg_gpu *gpu,
		      const struct amdgpudbg_select *want);
bool wdbg_select_is_empty(const struct amdgpudbg_select *want);
bool wdbg_select_picks(const struct amdgpudbg_select *want);
int wdbg_select_begin(struct wdbg_selection *s, struct wdbg_session *session,
		      const struct amdgpudbg_select *want);
bool wdbg_select_is_everywhere(const struct wdbg_selection *s);
bool wdbg_select_read(struct wdbg_selection *s,
		      const struct amdgpudbg_wave_coord *at, u64 want,
		      bool ttmps, struct amdgpudbg_wave *wave);

#endif /* WDBG_WAVE_SELECT_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Operations on waves: one wave, or all of some VMIDs.
 */
#ifndef WDBG_WAVE_CONTROL_H
#define WDBG_WAVE_CONTROL_H

#include "wave/select.h"
#include "wave/slots.h"

/**
 * struct wdbg_seen - what one call has seen of one wave
 * @ran: it was running before the call's command
 * @was_halted: it was halted before it, or by its handler meanwhile
 * @taken: the call has halted it for its session
 * @commanded: it got a command to resume
 * @picked: the call is about it, if its group picks waves
 * @vmid: its VMID, if so
 */
struct wdbg_seen {
	bool ran : 1;
	bool was_halted : 1;
	bool taken : 1;
	bool commanded : 1;
	bool picked : 1;
	u8 vmid;
};

/**
 * struct wdbg_group - the waves of some VMIDs, while they are halted together
 * @session: for whom
 * @seen: what was seen of each wave slot, from wdbg_group_room()
 * @vmids: which VMIDs, one bit each. Less in the end, if one of them turns out
 *	not to be the session's.
 * @place: only there, whole WGPs or CUs unless @pick; NULL: everywhere
 * @pick: the group is only those waves of @place that this selects when it is looked at
 *	first; NULL: all, also those that start later
 * @pasid: their VMIDs must belong to this PASID; 0: to any
 * @timeout_ms: for how long they may take their time, see wdbg_wave_deadline_in()
 * @deadline: until when they may
 * @debug: @holder is also one who has put them in debug mode
 * @keep: they are to stay halted
 * @leave: even when the session ends
 * @matched: out, live waves
 * @halted: out, how many of them are halted
 * @halted_before: out, how many were so before, or by their handler meanwhile
 * @not_own: how many of them the session does not own
 * @handlers: out, how many of them have a trap handler
 * @holder: another session that holds one of them, or NULL
 * @live: VMIDs of the live waves
 * @late: there is no time left to wait for those in their handlers
 * @left: waves that do not yet show what they were told
 * @stopped: likewise, but by themselves, and so perhaps again
 *
 * The members from @matched on begin as zero.
 */
struct wdbg_group {
	struct wdbg_session *session;
	struct wdbg_seen *seen;
	u32 vmids;
	const struct wdbg_place *place;
	struct wdbg_selection *pick;
	u32 pasid;
	u32 timeout_ms;
	ktime_t deadline;
	bool debug;
	bool keep;
	bool leave;
	u32 matched;
	u32 halted;
	u32 halted_before;
	u32 not_own;
	u32 handlers;
	const struct wdbg_session *holder;
	u32 live;
	bool late;
	u32 left;
	u32 stopped;
};

struct wdbg_seen *wdbg_group_room(struct wdbg_gpu *gpu);
int wdbg_group_halt(struct wdbg_group *group);
int wdbg_group_resume(struct wdbg_group *group);
int wdbg_group_run(struct wdbg_group *group,
		   struct amdgpudbg_wave_control *args);

int wdbg_wave_single(struct wdbg_session *session,
		     struct amdgpudbg_wave_control *args, ktime_t deadline);

int wdbg_control_check(struct wdbg_gpu *gpu,
		       struct amdgpudbg_wave_control *args);
int wdbg_control_allowed(struct wdbg_session *session,
			 const struct amdgpudbg_wave_control *args);
struct wdbg_seen *wdbg_control_room(struct wdbg_gpu *gpu,
				    const struct amdgpudbg_wave_control *args);
int wdbg_control_run(struct wdbg_session *session,
		     struct amdgpudbg_wave_control *args,
		     struct wdbg_seen *seen);

#endif /* WDBG_WAVE_CONTROL_H */

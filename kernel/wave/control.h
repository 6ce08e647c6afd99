/* SPDX-License-Identifier: GPL-2.0-only */
/* Operations on one wave, or on all waves of some VMIDs */
#ifndef WDBG_WAVE_CONTROL_H
#define WDBG_WAVE_CONTROL_H

#include <linux/ktime.h>

#include "wave/select.h"
#include "wave/slots.h"

/**
 * struct wdbg_seen - state of one wave, as one call has seen it
 * @ran: it was running before the call's command
 * @was_halted: it was halted before the command, or since then by its handler
 * @taken: the call has halted it for its session
 * @commanded: it got a command to resume
 * @picked: its group picks waves, and has picked this one
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
 * @session: the session
 * @seen: state of each wave slot, from wdbg_group_room()
 * @vmids: the VMIDs, one bit each; reduced if one of them turns out not to be the
 *	session's
 * @place: only these slots, whole WGPs or CUs unless @pick; NULL: all
 * @pick: the group is only those waves of @place that this selects when they are first
 *	read; NULL: all, also those that start later
 * @pasid: their VMIDs must belong to this PASID; 0: to any
 * @timeout_ms: how long a command may take, in ms, see wdbg_wave_deadline_in()
 * @deadline: until when it may
 * @debug: @holder may also be a session that has put them in debug mode
 * @keep: they have to stay halted
 * @leave: also when the session ends
 * @matched: out, live waves
 * @halted: out, how many of them are halted
 * @halted_before: out, how many were halted before, or since then by their handler
 * @not_own: how many of them the session does not own
 * @handlers: out, how many of them have a trap handler
 * @holder: another session that holds one of them, or NULL
 * @live: VMIDs of the live waves
 * @late: there is no time left to wait for waves in their handlers
 * @left: waves that do not yet show the effect of their command
 * @stopped: the same, but they have stopped by themselves, and may do so again
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

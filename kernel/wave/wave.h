/* SPDX-License-Identifier: GPL-2.0-only */
/* Waves: their slots, commands to them, who has halted them, and operations on them */
#ifndef WDBG_WAVE_H
#define WDBG_WAVE_H

#include <linux/amdgpudbg.h>
#include <linux/ktime.h>
#include <linux/types.h>

#include "hw/hw.h"
#include "part.h"

struct wdbg_gpu;
struct wdbg_session;

/**
 * struct wdbg_slot - what is known about one wave slot
 * @owner: the session that halted the wave in it, or NULL
 * @vmid: VMID of that wave
 * @by_itself: the wave has stopped in its trap handler, for @owner, and may stop again
 *	as soon as it is resumed
 * @leave: the wave stays halted when the session closes
 * @debugger: the session that put the wave in debug mode, or NULL
 * @debug_vmid: VMID of that wave
 * @in_handler: used by target/patch.c while it moves waves back: wait for this wave
 * @changes: see wdbg_wave_changes()
 * @id: id of the wave that @owner owns, see wave/id.c; 0: none
 *
 * A slot with an owner whose wave is not halted any more, or not there, has lost its
 * owner: another agent has ended the wave.
 */
struct wdbg_slot {
	struct wdbg_session *owner;
	u8 vmid;
	bool by_itself;
	bool leave;
	struct wdbg_session *debugger;
	u8 debug_vmid;
	bool in_handler;
	u64 changes;
	u64 id;
};

/**
 * struct wdbg_place - the slots of a walk
 * @at: their coordinates, as far as @mask says
 * @mask: AMDGPUDBG_AT_*
 * @xccs: XCCs, one bit each; 0: all
 */
struct wdbg_place {
	struct amdgpudbg_wave_coord at;
	u32 mask;
	u32 xccs;
};

/* All slots of one WGP or CU */
#define WDBG_AT_CU	(AMDGPUDBG_AT_XCC | AMDGPUDBG_AT_SE | \
			 AMDGPUDBG_AT_SA | AMDGPUDBG_AT_WGP)

/**
 * typedef wdbg_scan_fn - called for each SIMD of a walk
 * @gpu: the GPU
 * @at: the SIMD, its bank selected; the function may use @at->wave
 * @live: slots of the walk that hold a wave, one bit each
 * @arg: the argument of the walk
 *
 * Return: 0, or an error that ends the walk.
 */
typedef int (*wdbg_scan_fn)(struct wdbg_gpu *gpu,
			    struct amdgpudbg_wave_coord *at, u32 live,
			    void *arg);

/**
 * typedef wdbg_simd_fn - called for each SIMD
 * @gpu: the GPU
 * @at: the SIMD, whose bank is not selected
 * @arg: the argument of the walk
 */
typedef void (*wdbg_simd_fn)(struct wdbg_gpu *gpu,
			     const struct amdgpudbg_wave_coord *at, void *arg);

/* wave/slots.c */
struct wdbg_slot *wdbg_wave_slot(struct wdbg_gpu *gpu,
				 const struct amdgpudbg_wave_coord *at);
void wdbg_wave_id_discard(struct wdbg_slot *slot);
void wdbg_wave_own(struct wdbg_slot *slot, struct wdbg_session *owner);
bool wdbg_wave_exists(struct wdbg_gpu *gpu,
		      const struct amdgpudbg_wave_coord *at);
bool wdbg_wave_next_simd(const struct wdbg_hw *hw, struct amdgpudbg_wave_coord *at);
int wdbg_wave_scan(struct wdbg_gpu *gpu,
		   const struct wdbg_place *place, wdbg_scan_fn fn, void *arg);
int wdbg_wave_scan_turn(struct wdbg_gpu *gpu, const struct wdbg_place *place,
			struct amdgpudbg_wave_coord *from, wdbg_scan_fn fn,
			void *arg);
void wdbg_wave_for_simds(struct wdbg_gpu *gpu, const struct wdbg_place *place,
			 wdbg_simd_fn fn, void *arg);

/* wave/stall.c */
extern const struct wdbg_part wdbg_stall_part;
int wdbg_stall_begin(struct wdbg_gpu *gpu, u32 vmid_mask);
void wdbg_stall_end(struct wdbg_gpu *gpu, u32 vmid_mask);
void wdbg_stall_unguard(struct wdbg_gpu *gpu, u32 vmid);
void wdbg_stall_discard(struct wdbg_gpu *gpu, u32 vmid_mask);

/* wave/id.c */
u64 wdbg_wave_id(struct wdbg_gpu *gpu, struct wdbg_slot *slot, u32 vmid);
void wdbg_wave_id_discard_all(struct wdbg_gpu *gpu, u32 vmids);
struct wdbg_slot *wdbg_wave_id_find(struct wdbg_gpu *gpu, u64 id,
				    struct amdgpudbg_wave_coord *at);

/* wave/command.c */

/*
 * How long a wave may take to show the effect of a command. It does so at its next
 * instruction; the rest is for machines that are slow or busy.
 */
#define WDBG_VERIFY_MS	200

/**
 * wdbg_wave_deadline() - get the time until which to wait for the effect of a command
 * @timeout_ms: the caller's timeout in ms; 0: WDBG_VERIFY_MS
 *
 * Return: the time.
 */
static inline ktime_t wdbg_wave_deadline(u32 timeout_ms)
{
	return ktime_add_ms(ktime_get(), timeout_ms ?: WDBG_VERIFY_MS);
}

bool wdbg_wave_late(int *looks, ktime_t deadline);
bool wdbg_wave_retry(struct wdbg_hw *hw, const struct amdgpudbg_wave_coord *at,
		     int *looks, ktime_t deadline);
int wdbg_wave_command(struct wdbg_gpu *gpu, enum amdgpudbg_waveop op,
		      const struct amdgpudbg_wave_coord *at, u32 vmid,
		      ktime_t deadline, u32 *state);
int wdbg_wave_set_debug(struct wdbg_gpu *gpu, bool on,
			const struct amdgpudbg_wave_coord *at, u32 vmid,
			ktime_t deadline);
bool wdbg_wave_at_trap(struct wdbg_gpu *gpu,
		       const struct amdgpudbg_wave_coord *at, u32 state);
void wdbg_wave_mark(struct wdbg_gpu *gpu,
		    const struct amdgpudbg_wave_coord *at, u32 state);
void wdbg_wave_changed(struct wdbg_gpu *gpu, u32 vmid,
		       const struct amdgpudbg_wave_coord *at);
u64 wdbg_wave_changes(struct wdbg_gpu *gpu,
		      const struct amdgpudbg_wave_coord *at, u32 vmid);
void wdbg_wave_resumed(struct wdbg_gpu *gpu, u32 vmid,
		       const struct amdgpudbg_wave_coord *at);

/* wave/owner.c */
extern const struct wdbg_part wdbg_wave_part;
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

/* wave/select.c */
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
 * @timeout_ms: how long a command may take, in ms, see wdbg_wave_deadline()
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

/* wave/group.c */
struct wdbg_seen *wdbg_group_room(struct wdbg_gpu *gpu);
int wdbg_group_halt(struct wdbg_group *group);
int wdbg_group_resume(struct wdbg_group *group);
int wdbg_group_run(struct wdbg_group *group,
		   struct amdgpudbg_wave_control *args);

/* wave/single.c */
int wdbg_wave_single(struct wdbg_session *session,
		     struct amdgpudbg_wave_control *args, ktime_t deadline);

/* wave/control.c */
int wdbg_control_check(struct wdbg_gpu *gpu,
		       struct amdgpudbg_wave_control *args);
int wdbg_control_allowed(struct wdbg_session *session,
			 const struct amdgpudbg_wave_control *args);
struct wdbg_seen *wdbg_control_room(struct wdbg_gpu *gpu,
				    const struct amdgpudbg_wave_control *args);
int wdbg_control_run(struct wdbg_session *session,
		     struct amdgpudbg_wave_control *args,
		     struct wdbg_seen *seen);

#endif /* WDBG_WAVE_H */

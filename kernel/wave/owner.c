// SPDX-License-Identifier: GPL-2.0-only
/*
 * The owners of halted waves: which session has halted a wave, and resumes it when the
 * session ends.
 *
 * Which agent has halted a wave. STATUS.HALT is one bit, which a session's SQ_CMD sets,
 * and so does a trap handler with s_sethalt at any time, also between two reads of this
 * module. To resume a wave that its handler has halted would lose a breakpoint.
 * Therefore:
 *
 * - TRAP, DEBUG and KILL halt nothing. A stall of the VMIDs' new waves, after which the
 *   VMIDs' PASIDs are read, ensures that they reach the right waves.
 * - A snapshot, which has to halt, waits until waves have left their handlers, and then
 *   uses wdbg_trap_ops.at_trap: is the wave at a trap, and was it not resumed since
 *   (mark)? Such waves stay halted, and belong to the session that has set the handler
 *   (wdbg_part.claim). The same applies to waves that another session halted inside
 *   their handler, when that session ends.
 * - In a VMID whose waves start halted, the halted waves that are not at_trap have
 *   started so (wdbg_part.claim, too). So the removal of a handler does not resume
 *   them.
 * - A wave with a handler gets one command to resume. If it is halted again at_trap, it
 *   has been resumed and has stopped again.
 */
#include <linux/slab.h>

#include "gpu.h"
#include "hw/mmio.h"
#include "session.h"
#include "target/target.h"
#include "wave/wave.h"

/**
 * struct wdbg_owners - what is known about halted waves without an owner
 * @left_halted: some may still be halted at the wish of a session that has ended
 */
struct wdbg_owners {
	bool left_halted;
};

static struct wdbg_owners *owner_data(const struct wdbg_gpu *gpu)
{
	return wdbg_part_data(gpu, &wdbg_wave_part);
}

/**
 * wdbg_wave_claim_how() - as wdbg_wave_claim(), if the wave was halted in one way
 * @gpu: the GPU
 * @at: the wave, which is halted, its bank selected
 * @how: the way
 *
 * Context: see wdbg_wave_claim().
 */
void wdbg_wave_claim_how(struct wdbg_gpu *gpu,
			 const struct amdgpudbg_wave_coord *at,
			 enum wdbg_halted how)
{
	const struct wdbg_part *const *p;

	lockdep_assert_held(&gpu->lock);
	for (p = gpu->parts; *p; p++)
		if ((*p)->claim)
			(*p)->claim(gpu, at, how);
}

static bool owner_is(const struct wdbg_slot *slot,
		     const struct wdbg_session *session)
{
	return slot->owner && (!session || slot->owner == session);
}

static bool owner_debugs(const struct wdbg_slot *slot,
			 const struct wdbg_session *session)
{
	return slot->debugger && (!session || slot->debugger == session);
}

/* Limited: a shader can halt itself again and again. */
static void owner_warn(struct wdbg_gpu *gpu,
		       const struct amdgpudbg_wave_coord *at, const char *what)
{
	dev_err_ratelimited(&gpu->pdev->dev,
			    "amdgpudbg: the wave at se %u sa %u wgp %u simd %u slot %u does not %s\n",
			    at->se, at->sa, at->wgp, at->simd, at->wave, what);
}

/* The wave was put in debug mode, if it is still the same. */
static void owner_end_debug(struct wdbg_gpu *gpu, struct wdbg_slot *slot,
			    const struct amdgpudbg_wave_coord *at, ktime_t deadline)
{
	struct wdbg_hw *hw = &gpu->hw;

	slot->debugger = NULL;
	if (!(hw->ops->wave->state(hw, at) & WDBG_WAVE_VALID) ||
	    hw->ops->wave->vmid(hw, at) != slot->debug_vmid ||
	    !hw->ops->wave->debug(hw, at))
		return;
	if (wdbg_wave_set_debug(gpu, false, at, slot->debug_vmid,
				deadline) == -ETIMEDOUT)
		owner_warn(gpu, at, "leave debug mode");
}

/*
 * A wave that was in its handler when a session halted it, and that the handler has
 * halted, belongs to the session that has set the handler. Is that another session?
 */
static bool owner_hand_over(struct wdbg_gpu *gpu, struct wdbg_slot *slot,
			    const struct amdgpudbg_wave_coord *at, u32 state)
{
	struct wdbg_session *owner = slot->owner;

	if (slot->by_itself || !wdbg_wave_at_trap(gpu, at, state))
		return false;
	wdbg_wave_own(slot, NULL);
	wdbg_wave_claim_how(gpu, at, WDBG_HALTED_AT_TRAP);
	if (!slot->owner)
		wdbg_wave_own(slot, owner);
	return slot->owner != owner;
}

static void owner_end_halt(struct wdbg_gpu *gpu, struct wdbg_slot *slot,
			   const struct amdgpudbg_wave_coord *at, ktime_t deadline)
{
	u32 state = gpu->hw.ops->wave->state(&gpu->hw, at);

	if (owner_hand_over(gpu, slot, at, state))
		return;
	/* Also if it does not show its halt yet: it may do so later. */
	if (state & WDBG_WAVE_VALID &&
	    wdbg_wave_command(gpu, AMDGPUDBG_WAVEOP_RESUME, at, slot->vmid,
			      deadline, &state) == -ETIMEDOUT)
		owner_warn(gpu, at, "resume");
}

/* Resume the waves of one SIMD that the session owns, and end their debug mode. */
static void owner_resume_simd(struct wdbg_gpu *gpu,
			      struct wdbg_session *session, u32 vmids,
			      struct amdgpudbg_wave_coord *at, ktime_t deadline)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	struct wdbg_hw *hw = &gpu->hw;
	bool debug, halt, selected = false;

	for (at->wave = 0; at->wave < hw->num_wave; at->wave++, slot++) {
		debug = owner_debugs(slot, session) && vmids & BIT(slot->debug_vmid);
		halt = owner_is(slot, session) && !slot->leave &&
		       vmids & BIT(slot->vmid);
		if (!debug && !halt)
			continue;
		if (!selected) {
			wdbg_bank_breathe(hw);
			wdbg_bank_select(hw, at);
			selected = true;
		}
		if (debug)
			owner_end_debug(gpu, slot, at, deadline);
		if (halt)
			owner_end_halt(gpu, slot, at, deadline);
	}
}

/**
 * wdbg_wave_claim() - find the owner of a halted wave that no session has halted
 * @gpu: the GPU
 * @at: the wave, which is halted, its bank selected
 *
 * It may have started so, or its trap handler may have halted it: the session that
 * wanted that becomes the owner of the slot.
 * Context: within wdbg_bank_lock().
 */
void wdbg_wave_claim(struct wdbg_gpu *gpu,
		     const struct amdgpudbg_wave_coord *at)
{
	wdbg_wave_claim_how(gpu, at, WDBG_HALTED_AT_START);
	wdbg_wave_claim_how(gpu, at, WDBG_HALTED_AT_TRAP);
}

static int owner_claim_simd(struct wdbg_gpu *gpu, struct amdgpudbg_wave_coord *at,
			    u32 live, void *arg)
{
	struct wdbg_hw *hw = &gpu->hw;

	for (at->wave = 0; live >> at->wave; at->wave++)
		if (live & BIT(at->wave) && !wdbg_wave_slot(gpu, at)->owner &&
		    hw->ops->wave->state(hw, at) & WDBG_WAVE_HALTED)
			wdbg_wave_claim(gpu, at);
	return 0;
}

/**
 * wdbg_wave_claim_all() - call wdbg_wave_claim() for all halted waves
 * @gpu: the GPU
 *
 * Context: between wdbg_power_begin() and wdbg_power_end(), without the bank lock.
 */
void wdbg_wave_claim_all(struct wdbg_gpu *gpu)
{
	wdbg_wave_scan(gpu, NULL, owner_claim_simd, NULL);
}

/**
 * wdbg_wave_claim_for() - set the owner of a halted wave that no session has halted
 * @gpu: the GPU
 * @at: the wave, its bank selected
 * @vmid: only if it is of this VMID
 * @owner: the owner
 *
 * Context: see wdbg_wave_claim().
 */
void wdbg_wave_claim_for(struct wdbg_gpu *gpu,
			 const struct amdgpudbg_wave_coord *at, u32 vmid,
			 struct wdbg_session *owner)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	struct wdbg_hw *hw = &gpu->hw;

	lockdep_assert_held(&gpu->lock);
	if (slot->owner || hw->ops->wave->vmid(hw, at) != vmid)
		return;
	wdbg_wave_own(slot, owner);
	slot->vmid = vmid;
	slot->by_itself = hw->ops->wave->state(hw, at) & WDBG_WAVE_TRAP_EN;
	slot->leave = false;
}

/**
 * wdbg_wave_claim_debug_for() - set the owner of a wave that entered debug mode by
 *	itself
 * @gpu: the GPU
 * @at: the wave, its bank selected
 * @vmid: only if it is of this VMID
 * @owner: the session with whose end it leaves debug mode
 *
 * Context: see wdbg_wave_claim().
 */
void wdbg_wave_claim_debug_for(struct wdbg_gpu *gpu,
			       const struct amdgpudbg_wave_coord *at, u32 vmid,
			       struct wdbg_session *owner)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	struct wdbg_hw *hw = &gpu->hw;

	lockdep_assert_held(&gpu->lock);
	if (hw->ops->wave->vmid(hw, at) != vmid || !hw->ops->wave->debug(hw, at))
		return;
	/* A session has put it in debug mode, or the wave before it. */
	if (slot->debugger && slot->debug_vmid == vmid)
		return;
	slot->debugger = owner;
	slot->debug_vmid = vmid;
}

/* VMIDs with waves that have to stay halted for others than @session */
static u32 owner_halted_for_others(struct wdbg_gpu *gpu,
				   struct wdbg_session *session)
{
	const struct wdbg_part *const *p;
	const struct wdbg_session *s;
	const struct wdbg_slot *slot;
	u32 i, vmids = 0;

	/* It is not known where. */
	if (owner_data(gpu)->left_halted)
		return ~0;
	for (p = gpu->parts; *p; p++)
		if ((*p)->keeps_halted)
			vmids |= (*p)->keeps_halted(gpu, session);
	for (i = 0; i < gpu->num_slots; i++) {
		slot = &gpu->slots[i];
		if (slot->owner && (slot->leave || !owner_is(slot, session)))
			vmids |= BIT(slot->vmid);
	}
	list_for_each_entry(s, &gpu->sessions, node)
		if (session && s != session)
			vmids |= s->broadcast_halted;
	return vmids;
}

/*
 * VMIDs whose waves a session has halted by broadcast, and that are still the session's
 */
static u32 owner_commanded_in_scope(struct wdbg_session *session)
{
	return session->broadcast_halted ?
	       session->broadcast_halted & wdbg_scope_vmids(session) : 0;
}

/*
 * Waves that a session has halted without a read that shows it have no owner: resume
 * them, too, by a broadcast. With @lost, the VMIDs were just found to belong to another
 * process; otherwise VMIDs that do by now get no command.
 */
static void owner_resume_commanded(struct wdbg_gpu *gpu, struct wdbg_session *session,
				   u32 lost)
{
	struct amdgpudbg_wave_coord all = { };
	struct wdbg_hw *hw = &gpu->hw;
	struct wdbg_session *s;
	u32 vmid, vmids_halted = 0;

	list_for_each_entry(s, &gpu->sessions, node) {
		if (session && s != session)
			continue;
		vmids_halted |= lost ? s->broadcast_halted & lost : owner_commanded_in_scope(s);
		s->broadcast_halted &= lost ? ~lost : 0;
	}
	if (vmids_halted)
		vmids_halted &= ~owner_halted_for_others(gpu, session);
	if (!vmids_halted)
		return;
	wdbg_bank_lock(hw);
	for (vmid = 1; vmid < WDBG_NUM_VMID; vmid++) {
		if (!(vmids_halted & BIT(vmid)))
			continue;
		wdbg_wave_resumed(gpu, vmid, NULL);
		hw->ops->wave->command(hw, AMDGPUDBG_WAVEOP_RESUME, 0, true, &all,
				       vmid);
	}
	wdbg_bank_unlock(hw);
}

static void owner_resume_owned(struct wdbg_gpu *gpu, struct wdbg_session *session,
			       u32 vmids)
{
	struct amdgpudbg_wave_coord at = { };
	ktime_t deadline = wdbg_wave_deadline(0);
	struct wdbg_hw *hw = &gpu->hw;

	wdbg_bank_lock(hw);
	do {
		owner_resume_simd(gpu, session, vmids, &at, deadline);
	} while (wdbg_wave_next_simd(hw, &at));
	wdbg_bank_unlock(hw);
}

/**
 * wdbg_wave_restore_lost() - resume waves of VMIDs that turn out to belong to another
 *	process
 * @session: the session that has halted them, or put them in debug mode
 * @vmids: the VMIDs, one bit each
 *
 * Context: between wdbg_power_begin() and wdbg_power_end().
 */
void wdbg_wave_restore_lost(struct wdbg_session *session, u32 vmids)
{
	lockdep_assert_held(&session->gpu->lock);
	owner_resume_owned(session->gpu, session, vmids);
	owner_resume_commanded(session->gpu, session, vmids);
}

/* Arguments of owner_resume_halted_simd() */
struct owner_resume {
	u32 vmids;
	ktime_t deadline;
};

static int owner_resume_halted_simd(struct wdbg_gpu *gpu,
				    struct amdgpudbg_wave_coord *at, u32 live,
				    void *arg)
{
	const struct owner_resume *resume = arg;
	struct wdbg_hw *hw = &gpu->hw;
	u32 state, vmid;

	for (at->wave = 0; live >> at->wave; at->wave++) {
		if (!(live & BIT(at->wave)))
			continue;
		vmid = hw->ops->wave->vmid(hw, at);
		state = hw->ops->wave->state(hw, at);
		if (state & WDBG_WAVE_HALTED && resume->vmids & BIT(vmid))
			wdbg_wave_command(gpu, AMDGPUDBG_WAVEOP_RESUME, at,
					  vmid, resume->deadline, &state);
	}
	return 0;
}

/**
 * wdbg_wave_resume_halted() - resume all halted waves of some VMIDs
 * @gpu: the GPU
 * @vmids: the VMIDs, one bit each
 *
 * No session owns any of them. Does not wait for a wave that halts again by itself.
 * Context: between wdbg_power_begin() or similar and wdbg_power_end().
 */
void wdbg_wave_resume_halted(struct wdbg_gpu *gpu, u32 vmids)
{
	struct owner_resume resume = {
		.vmids = vmids, .deadline = wdbg_wave_deadline(0),
	};

	lockdep_assert_held(&gpu->lock);
	wdbg_wave_scan(gpu, NULL, owner_resume_halted_simd, &resume);
	owner_data(gpu)->left_halted = false;
}

/**
 * wdbg_wave_left_halted() - check whether waves may be halted that no session resumes
 * @gpu: the GPU
 *
 * Context: the GPU's lock is held.
 * Return: true if a session has ended that wanted some to stay halted.
 */
bool wdbg_wave_left_halted(const struct wdbg_gpu *gpu)
{
	return owner_data(gpu)->left_halted;
}

static bool owner_is_live(struct wdbg_hw *hw, const struct amdgpudbg_wave_coord *at,
			  u32 state, u32 vmid)
{
	return hw->ops->wave->state(hw, at) & state &&
	       hw->ops->wave->vmid(hw, at) == vmid;
}

/* Of the owned waves of one SIMD, drop the owners of those that have ended. */
static void owner_discard_ended_simd(struct wdbg_gpu *gpu,
				     struct amdgpudbg_wave_coord *at)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	struct wdbg_hw *hw = &gpu->hw;
	bool selected = false;

	for (at->wave = 0; at->wave < hw->num_wave; at->wave++, slot++) {
		if (!slot->owner && !slot->debugger)
			continue;
		if (!selected) {
			wdbg_bank_breathe(hw);
			wdbg_bank_select(hw, at);
			selected = true;
		}
		if (slot->owner &&
		    !owner_is_live(hw, at, WDBG_WAVE_HALTED, slot->vmid))
			wdbg_wave_own(slot, NULL);
		if (slot->debugger &&
		    !owner_is_live(hw, at, WDBG_WAVE_VALID, slot->debug_vmid))
			slot->debugger = NULL;
	}
}

/**
 * wdbg_wave_discard_ended() - drop the owners of waves that have ended
 * @gpu: the GPU
 *
 * Context: between wdbg_power_begin() or wdbg_power_begin_cleanup() and
 *	wdbg_power_end().
 */
void wdbg_wave_discard_ended(struct wdbg_gpu *gpu)
{
	struct amdgpudbg_wave_coord at = { };
	struct wdbg_hw *hw = &gpu->hw;

	lockdep_assert_held(&gpu->lock);
	wdbg_bank_lock(hw);
	do {
		owner_discard_ended_simd(gpu, &at);
	} while (wdbg_wave_next_simd(hw, &at));
	wdbg_bank_unlock(hw);
}

/* --------------------------------------------------------------- the part */

static void owner_restore(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	owner_resume_owned(gpu, session, ~0);
	owner_resume_commanded(gpu, session, 0);
}

static void owner_discard(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	struct wdbg_session *s;
	struct wdbg_slot *slot;
	u32 i;

	list_for_each_entry(s, &gpu->sessions, node)
		if (!session || s == session)
			s->broadcast_halted = 0;

	for (i = 0; i < gpu->num_slots; i++) {
		slot = &gpu->slots[i];
		if (owner_is(slot, session)) {
			owner_data(gpu)->left_halted |= slot->leave;
			wdbg_wave_own(slot, NULL);
		}
		if (owner_debugs(slot, session))
			slot->debugger = NULL;
	}
}

/* All waves that were there have ended. */
static void owner_vmid_revoked(struct wdbg_gpu *gpu, u32 vmid)
{
	struct wdbg_session *s;
	u32 i;

	list_for_each_entry(s, &gpu->sessions, node)
		s->broadcast_halted &= ~BIT(vmid);
	for (i = 0; i < gpu->num_slots; i++) {
		if (gpu->slots[i].vmid == vmid)
			wdbg_wave_own(&gpu->slots[i], NULL);
		if (gpu->slots[i].debug_vmid == vmid)
			gpu->slots[i].debugger = NULL;
	}
}

static void owner_after_reset(struct wdbg_gpu *gpu)
{
	/* A wave that is halted now may be another one. */
	wdbg_wave_id_discard_all(gpu, ~0);
	if (gpu->power_users)
		wdbg_wave_discard_ended(gpu);
}

static bool owner_stops(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	return session->num_halted;
}

static bool owner_holds_timeouts(struct wdbg_gpu *gpu, bool bounded)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node)
		if (session->num_halted && session->bounded == bounded)
			return true;
	return false;
}

/* gpu_free() frees the slots: sessions use them until the GPU's last reference is dropped. */
static int owner_init_gpu(struct wdbg_gpu *gpu)
{
	gpu->slots = kvcalloc(gpu->num_slots, sizeof(*gpu->slots), GFP_KERNEL);
	return gpu->slots ? 0 : -ENOMEM;
}

const struct wdbg_part wdbg_wave_part = {
	.id = WDBG_PART_WAVE,
	.when = WDBG_AT_SLEEP | WDBG_FOR_WAVES | WDBG_AT_END,
	.data_size = sizeof(struct wdbg_owners),
	.init = owner_init_gpu,
	.restore = owner_restore,
	.discard = owner_discard,
	.vmid_revoked = owner_vmid_revoked,
	.after_reset = owner_after_reset,
	.stops = owner_stops,
	.holds_timeouts = owner_holds_timeouts,
};

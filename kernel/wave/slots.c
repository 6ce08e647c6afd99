// SPDX-License-Identifier: GPL-2.0-only
/*
 * Wave slots: their coordinates, walks over them, one verified command to one wave, and
 * the owners of halted waves.
 *
 * Which process a slot belongs to. A wave is read register by register, and may end in
 * between: its slot then goes to the next wave, of any process. HW_ID2, which has the
 * VMID, is read before and after, and what was read is dropped if it differs. This does
 * not detect a slot that another process's wave has used in between. Two things do:
 *
 * - A halted wave does not end, and its VMID stays with its process. So what is read or
 *   written of a wave that is halted before and after is its own. First its state is
 *   read, then its VMID.
 * - While no waves start in a VMID, none of its waves can follow one of another
 *   process. A stall costs 116 accesses and delays the target, so only callers without
 *   CAP_SYS_ADMIN pay for it (wdbg_scope_is_strict()), when they list waves or read
 *   registers of a running one. Events stall nothing: a session with a target gets the
 *   state of halted waves only.
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
#include <linux/delay.h>
#include <linux/ktime.h>

#include "hw/mmio.h"
#include "private.h"
#include "wave/id.h"
#include "wave/slots.h"

/*
 * How long a wave may take to show the effect of a command. It does so at its next
 * instruction; the rest is for machines that are slow or busy.
 */
#define VERIFY_MS	200
/* Read at least so many times, no matter how long one read takes. */
#define VERIFY_MIN	4

/**
 * wdbg_wave_deadline() - get the time until which to wait for the effect of a command
 *
 * Return: the time.
 */
ktime_t wdbg_wave_deadline(void)
{
	return wdbg_wave_deadline_in(0);
}

/**
 * wdbg_wave_deadline_in() - as wdbg_wave_deadline(), with the caller's timeout
 * @timeout_ms: the timeout in ms; 0: the one of wdbg_wave_deadline()
 *
 * Return: the time.
 */
ktime_t wdbg_wave_deadline_in(u32 timeout_ms)
{
	return ktime_add_ms(ktime_get(), timeout_ms ?: VERIFY_MS);
}

/**
 * wdbg_wave_slot() - get what is known about a wave slot
 * @gpu: the GPU
 * @at: the slot, which must exist
 *
 * Return: the slot.
 */
struct wdbg_slot *wdbg_wave_slot(struct wdbg_gpu *gpu,
				 const struct amdgpudbg_wave_coord *at)
{
	const struct wdbg_hw *hw = &gpu->hw;
	u32 i = at->xcc;

	i = i * hw->num_se + at->se;
	i = i * hw->num_sa + at->sa;
	i = i * hw->num_wgp + at->wgp;
	i = i * hw->num_simd + at->simd;
	i = i * hw->num_wave + at->wave;
	return &gpu->slots[i];
}

/**
 * wdbg_wave_own() - set the owner of a slot
 * @slot: the slot
 * @owner: the session that has halted the wave in it; NULL: none
 *
 * No other function changes an owner, so that wdbg_session.num_halted is right. The
 * time of each owner is accounted for: before waves are halted for a session, or may
 * be, its caller has passed wdbg_halt_budget_hold(), wdbg_halt_budget_expect() or
 * wdbg_halt_budget_note().
 * Context: the GPU's lock is held.
 */
void wdbg_wave_own(struct wdbg_slot *slot, struct wdbg_session *owner)
{
	if (slot->owner == owner)
		return;
	if (slot->owner)
		slot->owner->num_halted--;
	slot->owner = owner;
	wdbg_wave_id_discard(slot);
	if (!owner)
		return;
	lockdep_assert_held(&owner->gpu->lock);
	WARN_ON_ONCE(!owner->accounted);
	owner->num_halted++;
}

/**
 * wdbg_wave_exists() - check whether a wave slot exists
 * @gpu: the GPU
 * @at: the slot
 *
 * Return: true if so, false if it is out of range or harvested.
 */
bool wdbg_wave_exists(struct wdbg_gpu *gpu,
		      const struct amdgpudbg_wave_coord *at)
{
	const struct wdbg_hw *hw = &gpu->hw;

	return at->xcc < hw->num_xcc && at->se < hw->num_se &&
	       at->sa < hw->num_sa && at->wgp < hw->num_wgp &&
	       at->simd < hw->num_simd && at->wave < hw->num_wave &&
	       hw->wgp_mask[at->se][at->sa] & BIT(at->wgp);
}

/* Go to the next SIMD in the order of coordinates; false after the last. */
static bool slots_next_simd(const struct wdbg_hw *hw,
			    struct amdgpudbg_wave_coord *at)
{
	at->wave = 0;
	if (++at->simd < hw->num_simd)
		return true;
	at->simd = 0;
	if (++at->wgp < hw->num_wgp)
		return true;
	at->wgp = 0;
	if (++at->sa < hw->num_sa)
		return true;
	at->sa = 0;
	if (++at->se < hw->num_se)
		return true;
	at->se = 0;
	return ++at->xcc < hw->num_xcc;
}

/* Does the walk include the SIMD @at? */
static bool slots_is_in(const struct wdbg_place *place,
			const struct amdgpudbg_wave_coord *at)
{
	const struct amdgpudbg_wave_coord *want = &place->at;
	u32 mask = place->mask;

	return !((place->xccs && !(place->xccs & BIT(at->xcc))) ||
		 (mask & AMDGPUDBG_AT_XCC && at->xcc != want->xcc) ||
		 (mask & AMDGPUDBG_AT_SE && at->se != want->se) ||
		 (mask & AMDGPUDBG_AT_SA && at->sa != want->sa) ||
		 (mask & AMDGPUDBG_AT_WGP && at->wgp != want->wgp) ||
		 (mask & AMDGPUDBG_AT_SIMD && at->simd != want->simd));
}

/* From the SIMD @at to the end, or to where the @turn ends: then 1. */
static int slots_scan_from(struct wdbg_gpu *gpu, const struct wdbg_place *place,
			   struct amdgpudbg_wave_coord *at, bool turn,
			   wdbg_scan_fn fn, void *arg)
{
	struct wdbg_hw *hw = &gpu->hw;
	bool begun = false;
	int ret = 0;
	u32 live;

	lockdep_assert_held(&gpu->lock);
	wdbg_bank_lock(hw);
	do {
		if (!wdbg_wave_exists(gpu, at) || (place && !slots_is_in(place, at)))
			continue;
		if (turn && begun && wdbg_gpu_lock_is_due(gpu)) {
			ret = 1;
			break;
		}
		begun = true;
		wdbg_bank_breathe(hw);
		wdbg_bank_select(hw, at);
		live = hw->ops->live_slots(hw, at);
		if (place && place->mask & AMDGPUDBG_AT_WAVE)
			live &= BIT(place->at.wave);
		ret = fn(gpu, at, live, arg);
	} while (!ret && slots_next_simd(hw, at));
	wdbg_bank_unlock(hw);
	return ret;
}

/**
 * wdbg_wave_scan() - walk over the SIMDs and find the slots that hold waves
 * @gpu: the GPU
 * @place: only these slots; NULL: all
 * @fn: called for each SIMD
 * @arg: for @fn
 *
 * Releases the bank lock between SIMDs now and then, and takes it again. Signals do not
 * end the walk, because callers record in @fn what they own.
 * Context: between wdbg_power_begin() and wdbg_power_end(), without the bank lock.
 * Return: 0, or what @fn returned.
 */
int wdbg_wave_scan(struct wdbg_gpu *gpu,
		   const struct wdbg_place *place, wdbg_scan_fn fn, void *arg)
{
	struct amdgpudbg_wave_coord at = { };

	return slots_scan_from(gpu, place, &at, false, fn, arg);
}

/**
 * wdbg_wave_scan_turn() - as wdbg_wave_scan(), until the end of the caller's turn
 * @gpu: the GPU
 * @place: only these slots
 * @from: the SIMD to begin with, zero at first; then the one that comes next
 * @fn: called for each SIMD, at least one; returns 0 or a negative value
 * @arg: for @fn
 *
 * Context: see wdbg_wave_scan().
 * Return: 0, or what @fn returned; 1: the walk has to continue after a
 *	wdbg_gpu_unlock().
 */
int wdbg_wave_scan_turn(struct wdbg_gpu *gpu, const struct wdbg_place *place,
			struct amdgpudbg_wave_coord *from, wdbg_scan_fn fn,
			void *arg)
{
	return slots_scan_from(gpu, place, from, true, fn, arg);
}

/**
 * wdbg_wave_for_simds() - call a function for each SIMD, without reading it
 * @gpu: the GPU
 * @place: only these slots; NULL: all
 * @fn: the function
 * @arg: for @fn
 *
 * Context: see wdbg_wave_scan().
 */
void wdbg_wave_for_simds(struct wdbg_gpu *gpu, const struct wdbg_place *place,
			 wdbg_simd_fn fn, void *arg)
{
	struct amdgpudbg_wave_coord at = { };
	struct wdbg_hw *hw = &gpu->hw;

	lockdep_assert_held(&gpu->lock);
	wdbg_bank_lock(hw);
	do {
		if (!wdbg_wave_exists(gpu, &at) || (place && !slots_is_in(place, &at)))
			continue;
		wdbg_bank_breathe(hw);
		fn(gpu, &at, arg);
	} while (slots_next_simd(hw, &at));
	wdbg_bank_unlock(hw);
}

/**
 * wdbg_wave_late() - check whether to stop waiting for an effect
 * @looks: how often it was read before; 0 at first
 * @deadline: until when waves may take
 *
 * Return: true if so.
 */
bool wdbg_wave_late(int *looks, ktime_t deadline)
{
	return ++*looks >= VERIFY_MIN && ktime_after(ktime_get(), deadline);
}

/**
 * wdbg_wave_retry() - wait a little for a wave that does not yet show the effect of a
 *	command
 * @hw: the GPU
 * @at: the wave, its bank selected
 * @looks: how often that was so; 0 at first
 * @deadline: until when it may take
 *
 * Context: within wdbg_bank_lock(), which is released and taken again; may sleep.
 * Return: true to read again, the bank being selected; false if it is late.
 */
bool wdbg_wave_retry(struct wdbg_hw *hw, const struct amdgpudbg_wave_coord *at,
		     int *looks, ktime_t deadline)
{
	if (wdbg_wave_late(looks, deadline))
		return false;
	wdbg_bank_unlock(hw);
	usleep_range(20, 100);
	wdbg_bank_lock(hw);
	wdbg_bank_select(hw, at);
	return true;
}

/**
 * wdbg_wave_at_trap() - check whether its trap handler has halted a wave
 * @gpu: the GPU
 * @at: the wave, its bank selected
 * @state: WDBG_WAVE_* of it
 *
 * STATUS.HALT is one bit, whichever agent has set it. So this is derived from the PC of
 * the wave, once it is out of its handler; see &struct wdbg_trap_ops.
 * Context: within wdbg_bank_lock().
 * Return: true if so.
 */
bool wdbg_wave_at_trap(struct wdbg_gpu *gpu,
		       const struct amdgpudbg_wave_coord *at, u32 state)
{
	const struct wdbg_hw_ops *ops = gpu->hw.ops;

	return ops->trap && state & WDBG_WAVE_TRAP_EN &&
	       ops->regs->still(&gpu->hw, at) &&
	       ops->trap->at_trap(&gpu->hw, at);
}

/**
 * wdbg_wave_mark() - mark a wave that is about to be resumed
 * @gpu: the GPU
 * @at: the wave, its bank selected
 * @state: WDBG_WAVE_* of it
 *
 * wdbg_wave_at_trap() is false then until it traps again.
 * Context: within wdbg_bank_lock().
 */
void wdbg_wave_mark(struct wdbg_gpu *gpu,
		    const struct amdgpudbg_wave_coord *at, u32 state)
{
	const struct wdbg_hw_ops *ops = gpu->hw.ops;

	if (ops->trap && state & WDBG_WAVE_TRAP_EN &&
	    ops->regs->still(&gpu->hw, at))
		ops->trap->mark(&gpu->hw, at);
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

/**
 * wdbg_wave_changed() - note that waves are about to be changed, by other than a halt
 * @gpu: the GPU
 * @vmid: of the waves
 * @at: the wave; NULL: all of @vmid
 *
 * Context: the GPU's lock is held.
 */
void wdbg_wave_changed(struct wdbg_gpu *gpu, u32 vmid,
		       const struct amdgpudbg_wave_coord *at)
{
	lockdep_assert_held(&gpu->lock);
	if (at)
		wdbg_wave_slot(gpu, at)->changes++;
	else
		gpu->changes[vmid]++;
}

/**
 * wdbg_wave_changes() - get the number of a halted wave's changes and resumes by
 *	sessions
 * @gpu: the GPU
 * @at: the wave
 * @vmid: of the wave
 *
 * Context: the GPU's lock is held.
 * Return: a number that differs after each change.
 */
u64 wdbg_wave_changes(struct wdbg_gpu *gpu,
		      const struct amdgpudbg_wave_coord *at, u32 vmid)
{
	lockdep_assert_held(&gpu->lock);
	return gpu->changes[vmid] + wdbg_wave_slot(gpu, at)->changes;
}

/**
 * wdbg_wave_resumed() - note that waves were resumed, and may stop again at once
 * @gpu: the GPU, attached
 * @vmid: of the waves
 * @at: the wave; NULL: all of @vmid
 *
 * Context: the GPU's lock is held.
 */
void wdbg_wave_resumed(struct wdbg_gpu *gpu, u32 vmid,
		       const struct amdgpudbg_wave_coord *at)
{
	const struct wdbg_part *const *p;

	wdbg_wave_changed(gpu, vmid, at);
	if (at)
		wdbg_wave_id_discard(wdbg_wave_slot(gpu, at));
	else
		wdbg_wave_id_discard_all(gpu, BIT(vmid));
	for (p = gpu->parts; *p; p++)
		if ((*p)->resumed)
			(*p)->resumed(gpu, vmid, at);
}

/*
 * A wave that is still halted may have been resumed and have stopped again, at the next
 * breakpoint for example: it must not get a second command, or would pass that
 * breakpoint. A wave that has stopped by itself before is expected to do so; one that a
 * session has halted gets time to show that it runs.
 */
static int slots_resume_wave(struct wdbg_gpu *gpu,
			     const struct amdgpudbg_wave_coord *at, u32 vmid,
			     ktime_t deadline, u32 *state)
{
	const struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	bool by_itself = !slot->owner || slot->by_itself;
	struct wdbg_hw *hw = &gpu->hw;
	int looks = 0;

	wdbg_wave_mark(gpu, at, *state);
	wdbg_wave_resumed(gpu, vmid, at);
	hw->ops->command(hw, AMDGPUDBG_WAVEOP_RESUME, 0, false, at, vmid);
	do {
		*state = hw->ops->wave_state(hw, at);
		if (!(*state & WDBG_WAVE_HALTED))
			return 0;
		/*
		 * The command may take effect some accesses later. A halted wave cannot
		 * end, so the wave was resumed after STATUS was read, and has ended.
		 * CHECK_VMID protects the new wave.
		 */
		if (hw->ops->wave_vmid(hw, at) != vmid) {
			*state = 0;
			return 0;
		}
		if (by_itself && looks >= VERIFY_MIN)
			return 0;
		if (wdbg_wave_at_trap(gpu, at, *state))
			return 0;
	} while (wdbg_wave_retry(hw, at, &looks, deadline));
	return by_itself ? 0 : -ETIMEDOUT;
}

/* A wave that does not halt at once may get the command again. */
static int slots_halt_wave(struct wdbg_gpu *gpu,
			   const struct amdgpudbg_wave_coord *at, u32 vmid,
			   ktime_t deadline, u32 *state)
{
	struct wdbg_hw *hw = &gpu->hw;
	int looks = 0;

	do {
		hw->ops->command(hw, AMDGPUDBG_WAVEOP_HALT, 0, false, at, vmid);
		*state = hw->ops->wave_state(hw, at);
		if (*state & WDBG_WAVE_HALTED || !(*state & WDBG_WAVE_VALID))
			return 0;
		if (hw->ops->wave_vmid(hw, at) != vmid)
			return -ESTALE;
	} while (wdbg_wave_retry(hw, at, &looks, deadline));
	return -ETIMEDOUT;
}

/**
 * wdbg_wave_command() - halt or resume one wave and verify it
 * @gpu: the GPU
 * @op: AMDGPUDBG_WAVEOP_HALT or _RESUME
 * @at: the wave, its bank selected
 * @vmid: of the wave; before a resume, the wave was seen halted and of this VMID
 * @deadline: until when it may take
 * @state: its last known state, WDBG_WAVE_*
 *
 * Context: within wdbg_bank_lock(), which is released and taken again if the wave is
 *	slow; may sleep.
 * Return: 0 if the wave is in the wanted state or has ended, or has stopped again after
 *	a resume; -ESTALE if a wave that was to be halted is of another VMID,
 *	-ETIMEDOUT.
 */
int wdbg_wave_command(struct wdbg_gpu *gpu, enum amdgpudbg_waveop op,
		      const struct amdgpudbg_wave_coord *at, u32 vmid,
		      ktime_t deadline, u32 *state)
{
	return op == AMDGPUDBG_WAVEOP_HALT ?
	       slots_halt_wave(gpu, at, vmid, deadline, state) :
	       slots_resume_wave(gpu, at, vmid, deadline, state);
}

static bool slots_owns(const struct wdbg_slot *slot,
		       const struct wdbg_session *session)
{
	return slot->owner && (!session || slot->owner == session);
}

/**
 * wdbg_wave_set_debug() - let one wave enter or leave debug mode and verify it
 * @gpu: the GPU
 * @on: enter it
 * @at: the wave, its bank selected
 * @vmid: of the wave
 * @deadline: until when it may take
 *
 * Context: see wdbg_wave_command().
 * Return: 0 if the wave is in the wanted mode, -ENODATA if it has ended, -ESTALE if it
 *	is of another VMID, -ETIMEDOUT.
 */
int wdbg_wave_set_debug(struct wdbg_gpu *gpu, bool on,
			const struct amdgpudbg_wave_coord *at, u32 vmid,
			ktime_t deadline)
{
	struct wdbg_hw *hw = &gpu->hw;
	int looks = 0;

	do {
		hw->ops->command(hw, AMDGPUDBG_WAVEOP_DEBUG, on, false, at,
				 vmid);
		if (!(hw->ops->wave_state(hw, at) & WDBG_WAVE_VALID))
			return -ENODATA;
		if (hw->ops->wave_vmid(hw, at) != vmid)
			return -ESTALE;
		if (hw->ops->wave_debug(hw, at) == on)
			return 0;
	} while (wdbg_wave_retry(hw, at, &looks, deadline));
	return -ETIMEDOUT;
}

static bool slots_debugs(const struct wdbg_slot *slot,
			 const struct wdbg_session *session)
{
	return slot->debugger && (!session || slot->debugger == session);
}

/* Limited: a shader can halt itself again and again. */
static void slots_warn(struct wdbg_gpu *gpu,
		       const struct amdgpudbg_wave_coord *at, const char *what)
{
	dev_err_ratelimited(&gpu->pdev->dev,
			    "amdgpudbg: the wave at se %u sa %u wgp %u simd %u slot %u does not %s\n",
			    at->se, at->sa, at->wgp, at->simd, at->wave, what);
}

/* The wave was put in debug mode, if it is still the same. */
static void slots_end_debug(struct wdbg_gpu *gpu, struct wdbg_slot *slot,
			    const struct amdgpudbg_wave_coord *at, ktime_t deadline)
{
	struct wdbg_hw *hw = &gpu->hw;

	slot->debugger = NULL;
	if (!(hw->ops->wave_state(hw, at) & WDBG_WAVE_VALID) ||
	    hw->ops->wave_vmid(hw, at) != slot->debug_vmid ||
	    !hw->ops->wave_debug(hw, at))
		return;
	if (wdbg_wave_set_debug(gpu, false, at, slot->debug_vmid,
				deadline) == -ETIMEDOUT)
		slots_warn(gpu, at, "leave debug mode");
}

/*
 * A wave that was in its handler when a session halted it, and that the handler has
 * halted, belongs to the session that has set the handler. Is that another session?
 */
static bool slots_hand_over(struct wdbg_gpu *gpu, struct wdbg_slot *slot,
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

static void slots_end_halt(struct wdbg_gpu *gpu, struct wdbg_slot *slot,
			   const struct amdgpudbg_wave_coord *at, ktime_t deadline)
{
	u32 state = gpu->hw.ops->wave_state(&gpu->hw, at);

	if (slots_hand_over(gpu, slot, at, state))
		return;
	/* Also if it does not show its halt yet: it may do so later. */
	if (state & WDBG_WAVE_VALID &&
	    wdbg_wave_command(gpu, AMDGPUDBG_WAVEOP_RESUME, at, slot->vmid,
			      deadline, &state) == -ETIMEDOUT)
		slots_warn(gpu, at, "resume");
}

/* Resume the waves of one SIMD that the session owns, and end their debug mode. */
static void slots_resume_simd(struct wdbg_gpu *gpu,
			      struct wdbg_session *session, u32 vmids,
			      struct amdgpudbg_wave_coord *at, ktime_t deadline)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	struct wdbg_hw *hw = &gpu->hw;
	bool debug, halt, selected = false;

	for (at->wave = 0; at->wave < hw->num_wave; at->wave++, slot++) {
		debug = slots_debugs(slot, session) && vmids & BIT(slot->debug_vmid);
		halt = slots_owns(slot, session) && !slot->leave &&
		       vmids & BIT(slot->vmid);
		if (!debug && !halt)
			continue;
		if (!selected) {
			wdbg_bank_breathe(hw);
			wdbg_bank_select(hw, at);
			selected = true;
		}
		if (debug)
			slots_end_debug(gpu, slot, at, deadline);
		if (halt)
			slots_end_halt(gpu, slot, at, deadline);
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

static int slots_claim_simd(struct wdbg_gpu *gpu, struct amdgpudbg_wave_coord *at,
			    u32 live, void *arg)
{
	struct wdbg_hw *hw = &gpu->hw;

	for (at->wave = 0; live >> at->wave; at->wave++)
		if (live & BIT(at->wave) && !wdbg_wave_slot(gpu, at)->owner &&
		    hw->ops->wave_state(hw, at) & WDBG_WAVE_HALTED)
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
	wdbg_wave_scan(gpu, NULL, slots_claim_simd, NULL);
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
	if (slot->owner || hw->ops->wave_vmid(hw, at) != vmid)
		return;
	wdbg_wave_own(slot, owner);
	slot->vmid = vmid;
	slot->by_itself = hw->ops->wave_state(hw, at) & WDBG_WAVE_TRAP_EN;
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
	if (hw->ops->wave_vmid(hw, at) != vmid || !hw->ops->wave_debug(hw, at))
		return;
	/* A session has put it in debug mode, or the wave before it. */
	if (slot->debugger && slot->debug_vmid == vmid)
		return;
	slot->debugger = owner;
	slot->debug_vmid = vmid;
}

/* VMIDs with waves that have to stay halted for others than @session */
static u32 slots_halted_for_others(struct wdbg_gpu *gpu,
				   struct wdbg_session *session)
{
	const struct wdbg_session *s;
	const struct wdbg_slot *slot;
	u32 i, vmids = 0;

	/* It is not known where. */
	if (gpu->left_halted)
		return ~0;
	if (gpu->trap.set && gpu->reservation)
		vmids |= BIT(gpu->reservation->vmid);
	if (session && gpu->launch.owner && gpu->launch.owner != session)
		vmids |= BIT(gpu->launch.vmid);
	for (i = 0; i < gpu->num_slots; i++) {
		slot = &gpu->slots[i];
		if (slot->owner && (slot->leave || !slots_owns(slot, session)))
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
static u32 slots_commanded_in_scope(struct wdbg_session *session)
{
	return session->broadcast_halted ?
	       session->broadcast_halted & wdbg_scope_vmids(session) : 0;
}

/*
 * Waves that a session has halted without a read that shows it have no owner: resume
 * them, too, by a broadcast. With @lost, the VMIDs were just found to belong to another
 * process; otherwise VMIDs that do by now get no command.
 */
static void slots_resume_commanded(struct wdbg_gpu *gpu, struct wdbg_session *session,
				   u32 lost)
{
	struct amdgpudbg_wave_coord all = { };
	struct wdbg_hw *hw = &gpu->hw;
	struct wdbg_session *s;
	u32 vmid, vmids_halted = 0;

	list_for_each_entry(s, &gpu->sessions, node) {
		if (session && s != session)
			continue;
		vmids_halted |= lost ? s->broadcast_halted & lost : slots_commanded_in_scope(s);
		s->broadcast_halted &= lost ? ~lost : 0;
	}
	if (vmids_halted)
		vmids_halted &= ~slots_halted_for_others(gpu, session);
	if (!vmids_halted)
		return;
	wdbg_bank_lock(hw);
	for (vmid = 1; vmid < WDBG_NUM_VMID; vmid++) {
		if (!(vmids_halted & BIT(vmid)))
			continue;
		wdbg_wave_resumed(gpu, vmid, NULL);
		hw->ops->command(hw, AMDGPUDBG_WAVEOP_RESUME, 0, true, &all,
				 vmid);
	}
	wdbg_bank_unlock(hw);
}

static void slots_resume_owned(struct wdbg_gpu *gpu, struct wdbg_session *session,
			       u32 vmids)
{
	struct amdgpudbg_wave_coord at = { };
	ktime_t deadline = wdbg_wave_deadline();
	struct wdbg_hw *hw = &gpu->hw;

	wdbg_bank_lock(hw);
	do {
		slots_resume_simd(gpu, session, vmids, &at, deadline);
	} while (slots_next_simd(hw, &at));
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
	slots_resume_owned(session->gpu, session, vmids);
	slots_resume_commanded(session->gpu, session, vmids);
}

/* Arguments of slots_resume_halted_simd() */
struct resume {
	u32 vmids;
	ktime_t deadline;
};

static int slots_resume_halted_simd(struct wdbg_gpu *gpu,
				    struct amdgpudbg_wave_coord *at, u32 live,
				    void *arg)
{
	const struct resume *resume = arg;
	struct wdbg_hw *hw = &gpu->hw;
	u32 state, vmid;

	for (at->wave = 0; live >> at->wave; at->wave++) {
		if (!(live & BIT(at->wave)))
			continue;
		vmid = hw->ops->wave_vmid(hw, at);
		state = hw->ops->wave_state(hw, at);
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
	struct resume resume = {
		.vmids = vmids, .deadline = wdbg_wave_deadline(),
	};

	lockdep_assert_held(&gpu->lock);
	wdbg_wave_scan(gpu, NULL, slots_resume_halted_simd, &resume);
	gpu->left_halted = false;
}

static bool slots_is_live(struct wdbg_hw *hw, const struct amdgpudbg_wave_coord *at,
			  u32 state, u32 vmid)
{
	return hw->ops->wave_state(hw, at) & state &&
	       hw->ops->wave_vmid(hw, at) == vmid;
}

/* Of the owned waves of one SIMD, drop the owners of those that have ended. */
static void slots_discard_ended_simd(struct wdbg_gpu *gpu,
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
		    !slots_is_live(hw, at, WDBG_WAVE_HALTED, slot->vmid))
			wdbg_wave_own(slot, NULL);
		if (slot->debugger &&
		    !slots_is_live(hw, at, WDBG_WAVE_VALID, slot->debug_vmid))
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
		slots_discard_ended_simd(gpu, &at);
	} while (slots_next_simd(hw, &at));
	wdbg_bank_unlock(hw);
}

/* --------------------------------------------------------------- the part */

static void slots_restore(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	slots_resume_owned(gpu, session, ~0);
	slots_resume_commanded(gpu, session, 0);
}

static void slots_discard(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	struct wdbg_session *s;
	struct wdbg_slot *slot;
	u32 i;

	list_for_each_entry(s, &gpu->sessions, node)
		if (!session || s == session)
			s->broadcast_halted = 0;

	for (i = 0; i < gpu->num_slots; i++) {
		slot = &gpu->slots[i];
		if (slots_owns(slot, session)) {
			gpu->left_halted |= slot->leave;
			wdbg_wave_own(slot, NULL);
		}
		if (slots_debugs(slot, session))
			slot->debugger = NULL;
	}
}

/* All waves that were there have ended. */
static void slots_vmid_revoked(struct wdbg_gpu *gpu, u32 vmid)
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

static void slots_after_reset(struct wdbg_gpu *gpu)
{
	/* A wave that is halted now may be another one. */
	wdbg_wave_id_discard_all(gpu, ~0);
	if (gpu->power_users)
		wdbg_wave_discard_ended(gpu);
}

static bool slots_stops(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	return session->num_halted;
}

static bool slots_holds_timeouts(struct wdbg_gpu *gpu, bool bounded)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node)
		if (session->num_halted && session->bounded == bounded)
			return true;
	return false;
}

const struct wdbg_part wdbg_wave_part = {
	.when = WDBG_AT_SLEEP | WDBG_FOR_WAVES | WDBG_AT_END,
	.restore = slots_restore,
	.discard = slots_discard,
	.vmid_revoked = slots_vmid_revoked,
	.after_reset = slots_after_reset,
	.stops = slots_stops,
	.holds_timeouts = slots_holds_timeouts,
};

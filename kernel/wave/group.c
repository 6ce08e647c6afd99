// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations on all waves of some VMIDs, by broadcast commands; or on those of them
 * that a selection picks, by a command to each.
 *
 * Before a change that waves cannot take back, the owner of the VMIDs is confirmed. A
 * VMID cannot go to another process while one of its waves is halted, nor show another
 * process's waves while none start.
 */
#include <linux/delay.h>
#include <linux/mm.h>

#include "gpu.h"
#include "halt_budget.h"
#include "hw/mmio.h"
#include "session.h"
#include "target/target.h"
#include "wave/wave.h"

/**
 * wdbg_group_room() - allocate memory for the state of all wave slots
 * @gpu: the GPU
 *
 * Context: may sleep; the GPU's lock need not be held.
 * Return: for wdbg_group.seen and kvfree(); NULL without memory.
 */
struct wdbg_seen *wdbg_group_room(struct wdbg_gpu *gpu)
{
	return kvcalloc(gpu->num_slots, sizeof(struct wdbg_seen),
			GFP_KERNEL_ACCOUNT);
}

static struct wdbg_seen *group_seen_of(const struct wdbg_group *group,
				       const struct wdbg_slot *slot)
{
	return &group->seen[slot - group->session->gpu->slots];
}

static bool group_is_wanted(const struct wdbg_group *group, struct wdbg_hw *hw,
			    const struct amdgpudbg_wave_coord *at, u32 *vmid)
{
	*vmid = hw->ops->wave->vmid(hw, at);
	return group->vmids & BIT(*vmid);
}

/* WDBG_WAVE_* of the wave in a slot, 0 if it holds no wave of the group */
static u32 group_wanted_state(const struct wdbg_group *group, struct wdbg_hw *hw,
			      const struct amdgpudbg_wave_coord *at, u32 live)
{
	u32 vmid;

	if (!(live & BIT(at->wave)) || !group_is_wanted(group, hw, at, &vmid))
		return 0;
	return hw->ops->wave->state(hw, at);
}

/* Does another session hold the live wave in @slot? */
static const struct wdbg_session *
group_held_by(const struct wdbg_group *group, struct wdbg_hw *hw,
	      const struct wdbg_slot *slot, const struct amdgpudbg_wave_coord *at,
	      u32 vmid)
{
	if (slot->owner && slot->owner != group->session)
		return slot->owner;
	if (group->debug && slot->debugger &&
	    slot->debugger != group->session && slot->debug_vmid == vmid &&
	    hw->ops->wave->debug(hw, at))
		return slot->debugger;
	return NULL;
}

static bool group_picks(struct wdbg_group *group,
			const struct amdgpudbg_wave_coord *at)
{
	struct amdgpudbg_wave wave;

	return wdbg_select_read(group->pick, at, 0, false, &wave);
}

/* Before the command: which waves are there, and which are halted already? */
static int group_survey_simd(struct wdbg_gpu *gpu, struct amdgpudbg_wave_coord *at,
			     u32 live, void *arg)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	struct wdbg_group *group = arg;
	struct wdbg_hw *hw = &gpu->hw;
	struct wdbg_seen *seen = group_seen_of(group, slot);
	u32 state, vmid;

	for (at->wave = 0; at->wave < hw->num_wave; at->wave++, slot++, seen++) {
		*seen = (struct wdbg_seen){ };
		if (!(live & BIT(at->wave))) {
			wdbg_wave_own(slot, NULL);
			continue;
		}
		if (!group_is_wanted(group, hw, at, &vmid))
			continue;
		state = hw->ops->wave->state(hw, at);
		if (!(state & WDBG_WAVE_HALTED) || slot->vmid != vmid)
			wdbg_wave_own(slot, NULL);
		if (!(state & WDBG_WAVE_VALID))
			continue;
		if (state & WDBG_WAVE_HALTED)
			wdbg_wave_claim(gpu, at);
		if (group->pick && !group_picks(group, at))
			continue;
		seen->picked = true;
		seen->vmid = vmid;
		group->matched++;
		group->live |= BIT(vmid);
		if (!group->holder)
			group->holder = group_held_by(group, hw, slot, at, vmid);
		if (state & WDBG_WAVE_TRAP_EN)
			group->handlers++;
		seen->was_halted = state & WDBG_WAVE_HALTED;
		seen->ran = !seen->was_halted;
		group->halted_before += seen->was_halted;
		if (seen->was_halted && slot->owner != group->session)
			group->not_own++;
	}
	return 0;
}

static int group_survey(struct wdbg_group *group)
{
	group->matched = 0;
	group->halted_before = 0;
	group->not_own = 0;
	group->handlers = 0;
	group->holder = NULL;
	group->live = 0;
	return wdbg_wave_scan(group->session->gpu, group->place, group_survey_simd,
			      group);
}

/*
 * A wave is halted that was not before. Has it started so, or has its handler halted
 * it, so that the command did not?
 */
static bool group_halted_itself(struct wdbg_group *group, struct wdbg_gpu *gpu,
				struct wdbg_slot *slot,
				const struct amdgpudbg_wave_coord *at, u32 state)
{
	struct wdbg_seen *seen = group_seen_of(group, slot);

	if (wdbg_wave_at_trap(gpu, at, state)) {
		if (seen->taken)
			wdbg_wave_own(slot, NULL);
		seen->taken = false;
		wdbg_wave_claim_how(gpu, at, WDBG_HALTED_AT_TRAP);
	} else {
		if (!seen->ran)
			wdbg_wave_claim_how(gpu, at, WDBG_HALTED_AT_START);
		if (seen->taken || !slot->owner)
			return false;
	}
	seen->was_halted = true;
	group->halted_before++;
	return true;
}

/* After a halt: which waves are halted now? */
static int group_see_halted_simd(struct wdbg_gpu *gpu,
				 struct amdgpudbg_wave_coord *at, u32 live,
				 void *arg)
{
	struct wdbg_group *group = arg;
	struct wdbg_hw *hw = &gpu->hw;
	struct wdbg_slot *slot;
	struct wdbg_seen *seen;
	u32 state, vmid;

	for (at->wave = 0; live >> at->wave; at->wave++) {
		if (!(live & BIT(at->wave)) ||
		    !group_is_wanted(group, hw, at, &vmid))
			continue;
		slot = wdbg_wave_slot(gpu, at);
		seen = group_seen_of(group, slot);
		if (group->pick && !seen->picked)
			continue;
		state = hw->ops->wave->state(hw, at);
		if (!(state & WDBG_WAVE_VALID))
			continue;
		group->matched++;
		group->live |= BIT(vmid);
		if (state & WDBG_WAVE_HALTED)
			group->halted++;
		if (state & WDBG_WAVE_TRAP_EN)
			group->handlers++;
		/* Also waves that may halt later */
		if (!seen->was_halted &&
		    !(state & WDBG_WAVE_HALTED &&
		      group_halted_itself(group, gpu, slot, at, state)) &&
		    !slot->owner) {
			seen->taken = true;
			slot->by_itself = false;
		}
		if (seen->taken || (group->keep &&
				    slot->owner == group->session)) {
			wdbg_wave_own(slot, group->session);
			slot->vmid = vmid;
			slot->leave = group->leave;
		}
	}
	return 0;
}

static int group_see_halted(struct wdbg_group *group)
{
	group->matched = 0;
	group->halted = 0;
	group->handlers = 0;
	group->live = 0;
	return wdbg_wave_scan(group->session->gpu, group->place,
			      group_see_halted_simd, group);
}

/**
 * struct command - a command to waves of a group
 * @group: the group
 * @op: the command
 * @data: its DATA
 */
struct command {
	struct wdbg_group *group;
	enum amdgpudbg_waveop op;
	u32 data;
};

/* Send it to all waves that a broadcast reaches now: one command for each VMID. */
static void group_command_vmids(const struct command *c,
				const struct amdgpudbg_wave_coord *at)
{
	struct wdbg_hw *hw = &c->group->session->gpu->hw;
	u32 vmid;

	for (vmid = 1; vmid < WDBG_NUM_VMID; vmid++)
		if (c->group->live & BIT(vmid))
			hw->ops->wave->command(hw, c->op, c->data, true, at, vmid);
}

static void group_command_simd(struct wdbg_gpu *gpu,
			       const struct amdgpudbg_wave_coord *at, void *arg)
{
	if (at->simd >= gpu->hw.ops->cu_banks)
		return;
	wdbg_bank_select(&gpu->hw, at);
	group_command_vmids(arg, at);
}

static void group_command_picked_simd(struct wdbg_gpu *gpu,
				      const struct amdgpudbg_wave_coord *simd,
				      void *arg)
{
	struct amdgpudbg_wave_coord at = *simd;
	const struct command *c = arg;
	struct wdbg_hw *hw = &gpu->hw;
	const struct wdbg_seen *seen = group_seen_of(c->group,
						     wdbg_wave_slot(gpu, &at));
	bool selected = false;

	for (at.wave = 0; at.wave < hw->num_wave; at.wave++, seen++) {
		if (!seen->picked || !(c->group->vmids & BIT(seen->vmid)))
			continue;
		/* A wave that has halted itself since then stays halted. */
		if (c->op == AMDGPUDBG_WAVEOP_RESUME && !seen->was_halted)
			continue;
		if (!selected)
			wdbg_bank_select(hw, &at);
		selected = true;
		if (c->op == AMDGPUDBG_WAVEOP_RESUME)
			wdbg_wave_resumed(gpu, seen->vmid, &at);
		else if (c->op != AMDGPUDBG_WAVEOP_HALT)
			wdbg_wave_changed(gpu, seen->vmid, &at);
		if (c->op == AMDGPUDBG_WAVEOP_TRAP)
			wdbg_wave_id_discard(wdbg_wave_slot(gpu, &at));
		hw->ops->wave->command(hw, c->op, c->data, false, &at, seen->vmid);
	}
}

/* Note that the waves of all VMIDs of the group are about to be changed. */
static void group_command_note(const struct command *c)
{
	struct wdbg_gpu *gpu = c->group->session->gpu;
	u32 vmid;

	for (vmid = 1; vmid < WDBG_NUM_VMID; vmid++) {
		if (!(c->group->live & BIT(vmid)))
			continue;
		if (c->op == AMDGPUDBG_WAVEOP_RESUME)
			wdbg_wave_resumed(gpu, vmid, NULL);
		else if (c->op != AMDGPUDBG_WAVEOP_HALT)
			wdbg_wave_changed(gpu, vmid, NULL);
		if (c->op == AMDGPUDBG_WAVEOP_TRAP)
			wdbg_wave_id_discard_all(gpu, BIT(vmid));
	}
}

/*
 * Send it to all live waves: one command for each VMID, and for each bank if necessary.
 */
static void group_command(struct wdbg_group *group, enum amdgpudbg_waveop op,
			  u32 data)
{
	struct command c = { .group = group, .op = op, .data = data };
	struct wdbg_gpu *gpu = group->session->gpu;
	struct amdgpudbg_wave_coord all = { };
	struct wdbg_hw *hw = &gpu->hw;

	if (group->pick) {
		wdbg_wave_for_simds(gpu, group->place, group_command_picked_simd, &c);
		return;
	}
	group_command_note(&c);
	if (group->place) {
		wdbg_wave_for_simds(gpu, group->place, group_command_simd, &c);
		return;
	}
	wdbg_bank_lock(hw);
	wdbg_bank_select_all(hw);
	group_command_vmids(&c, &all);
	wdbg_bank_unlock(hw);
}

static bool group_retry(struct wdbg_group *group, int *looks)
{
	if (wdbg_wave_late(looks, group->deadline))
		return false;
	usleep_range(20, 100);
	return true;
}

/* May the session still touch the VMID, and does the call include it? */
static bool group_has_vmid(const struct wdbg_group *group, u32 vmid)
{
	struct wdbg_hw *hw = &group->session->gpu->hw;

	if (group->pasid && hw->ops->vmid_pasid(hw, vmid) != group->pasid)
		return false;
	return wdbg_scope_has_vmid(group->session, vmid);
}

/*
 * Waves were seen halted, or while none start: may the session touch them? Drop the
 * VMIDs that went to another process between the read of their table and then. Returns
 * true if there were any.
 */
static bool group_confirm(struct wdbg_group *group)
{
	struct wdbg_session *session = group->session;
	u32 vmid, lost = 0;

	for (vmid = 1; vmid < WDBG_NUM_VMID; vmid++)
		if (group->live & BIT(vmid) && !group_has_vmid(group, vmid))
			lost |= BIT(vmid);
	if (!lost)
		return false;
	group->vmids &= ~lost;
	wdbg_wave_restore_lost(session, lost);
	wdbg_wave_discard_ended(session->gpu);
	return true;
}

/*
 * None of these waves may stay halted when the session ends, no matter what was seen of
 * them; unless one was halted for another session, or may be by its handler. That is
 * known of a VMID only if all of its waves were read.
 */
static void group_note_commanded(struct wdbg_group *group)
{
	struct wdbg_session *session = group->session;

	if (group->not_own || group->handlers || group->leave)
		session->broadcast_halted &= ~group->live;
	else if (!group->place && !group->pick)
		session->broadcast_halted |= group->live;
}

/**
 * wdbg_group_halt() - halt all waves of the group and verify it
 * @group: the waves
 *
 * The session owns them then, except those that were halted before or have halted by
 * themselves.
 * Context: between wdbg_power_begin() and wdbg_power_end(), without the bank lock.
 * Return: 0; errors of wdbg_halt_budget_hold(); -ETIMEDOUT: the waves that were halted
 *	stay so.
 */
int wdbg_group_halt(struct wdbg_group *group)
{
	int ret, looks = 0;

	lockdep_assert_held(&group->session->gpu->lock);
	ret = group_survey(group);
	if (ret)
		return ret;
	if (!group->matched)
		return 0;
	/* Not earlier: the release afterwards gives all jobs new time. */
	if (group->keep)
		ret = wdbg_halt_budget_hold(group->session);
	else
		wdbg_halt_budget_note(group->session);
	if (ret)
		return ret;
	group_note_commanded(group);
	do {
		group_command(group, AMDGPUDBG_WAVEOP_HALT, 0);
		ret = group_see_halted(group);
	} while (!ret && group->halted < group->matched &&
		 group_retry(group, &looks));
	if (!ret && group_confirm(group))
		ret = group_see_halted(group);
	if (!ret && group->halted < group->matched)
		ret = -ETIMEDOUT;
	return ret;
}

/* Send the command, unless it is 0, until @see counts no wave that is left. */
static int group_command_all(struct wdbg_group *group, u32 op, u32 data,
			     wdbg_scan_fn see)
{
	int ret, looks = 0;

	do {
		if (op)
			group_command(group, op, data);
		group->left = 0;
		ret = wdbg_wave_scan(group->session->gpu, group->place, see,
				     group);
	} while (!ret && group->left && group_retry(group, &looks));
	return !ret && group->left ? -ETIMEDOUT : ret;
}

/*
 * A halted wave that ran before has a handler. While it is in the handler, the handler
 * may halt it, and that must not be undone: wait. It gets one command only, because its
 * handler may halt it again as soon as it is resumed. Returns true if the wave has to
 * be dropped.
 */
static bool group_resume_trapping(struct wdbg_group *group, struct wdbg_gpu *gpu,
				  struct wdbg_slot *slot,
				  const struct amdgpudbg_wave_coord *at, u32 state)
{
	struct wdbg_seen *seen = group_seen_of(group, slot);

	if (state & WDBG_WAVE_PRIV ? seen->commanded :
				     wdbg_wave_at_trap(gpu, at, state))
		return true;
	if (seen->commanded || (state & WDBG_WAVE_PRIV && !group->late))
		return false;
	wdbg_wave_resumed(gpu, slot->vmid, at);
	gpu->hw.ops->wave->command(&gpu->hw, AMDGPUDBG_WAVEOP_RESUME, 0, false, at,
				   slot->vmid);
	seen->commanded = true;
	return group->late;
}

/* One command is enough if all of them have to be resumed, and none may stop again. */
static bool group_all_resumed(const struct wdbg_group *group)
{
	return !group->halted_before && !group->handlers;
}

/* Which of the waves that ran before are still halted? Resume them one by one. */
static int group_see_gone_simd(struct wdbg_gpu *gpu, struct amdgpudbg_wave_coord *at,
			       u32 live, void *arg)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	struct wdbg_group *group = arg;
	struct wdbg_hw *hw = &gpu->hw;
	struct wdbg_seen *seen = group_seen_of(group, slot);
	bool gone;
	u32 state;

	for (at->wave = 0; at->wave < hw->num_wave; at->wave++, slot++, seen++) {
		if (!seen->taken)
			continue;
		state = group_wanted_state(group, hw, at, live);
		gone = !(state & WDBG_WAVE_HALTED);
		if (!gone && state & WDBG_WAVE_TRAP_EN)
			gone = group_resume_trapping(group, gpu, slot, at, state);
		if (gone) {
			seen->taken = false;
			wdbg_wave_own(slot, NULL);
			if (wdbg_wave_at_trap(gpu, at, state))
				wdbg_wave_claim_how(gpu, at, WDBG_HALTED_AT_TRAP);
			continue;
		}
		group->left++;
		if (state & WDBG_WAVE_TRAP_EN || group_all_resumed(group))
			continue;
		wdbg_wave_resumed(gpu, slot->vmid, at);
		hw->ops->wave->command(hw, AMDGPUDBG_WAVEOP_RESUME, 0, false, at,
				       slot->vmid);
	}
	return 0;
}

/**
 * wdbg_group_resume() - resume the waves that wdbg_group_halt() has halted
 * @group: the waves
 *
 * Except those that their handlers have halted in the meantime.
 * Context: see wdbg_group_halt().
 * Return: 0 or -ETIMEDOUT.
 */
int wdbg_group_resume(struct wdbg_group *group)
{
	int ret;

	group->deadline = wdbg_wave_deadline(group->timeout_ms);
	ret = group_command_all(group, group_all_resumed(group) ? AMDGPUDBG_WAVEOP_RESUME : 0,
				0, group_see_gone_simd);
	/* A single command has also reached the waves that no read shows. */
	if (!ret && group_all_resumed(group) && !group->place)
		group->session->broadcast_halted &= ~group->live;
	if (ret != -ETIMEDOUT)
		return ret;
	group->late = true;
	group->left = 0;
	ret = wdbg_wave_scan(group->session->gpu, group->place, group_see_gone_simd,
			     group);
	return !ret && group->left ? -ETIMEDOUT : ret;
}

/* They are about to be resumed: see wdbg_wave_mark(). */
static int group_mark_simd(struct wdbg_gpu *gpu, struct amdgpudbg_wave_coord *at,
			   u32 live, void *arg)
{
	struct wdbg_seen *seen = group_seen_of(arg, wdbg_wave_slot(gpu, at));
	struct wdbg_hw *hw = &gpu->hw;

	for (at->wave = 0; at->wave < hw->num_wave; at->wave++, seen++)
		if (seen->was_halted)
			wdbg_wave_mark(gpu, at,
				       group_wanted_state(arg, hw, at, live));
	return 0;
}

/* After a resume: which waves were halted before and still are, or are so again? */
static int group_see_resumed_simd(struct wdbg_gpu *gpu,
				  struct amdgpudbg_wave_coord *at, u32 live,
				  void *arg)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	struct wdbg_group *group = arg;
	struct wdbg_hw *hw = &gpu->hw;
	struct wdbg_seen *seen = group_seen_of(group, slot);
	bool again;
	u32 state;

	for (at->wave = 0; at->wave < hw->num_wave; at->wave++, slot++, seen++) {
		if (!seen->was_halted)
			continue;
		state = group_wanted_state(group, hw, at, live);
		again = wdbg_wave_at_trap(gpu, at, state);
		if (state & WDBG_WAVE_HALTED && !again) {
			if (slot->owner && !slot->by_itself)
				group->left++;
			else
				group->stopped++;
			continue;
		}
		seen->was_halted = false;
		wdbg_wave_own(slot, NULL);
		if (again)
			wdbg_wave_claim_how(gpu, at, WDBG_HALTED_AT_TRAP);
	}
	return 0;
}

/* After KILL: which waves are still there? */
static int group_see_killed_simd(struct wdbg_gpu *gpu,
				 struct amdgpudbg_wave_coord *at, u32 live,
				 void *arg)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	struct wdbg_group *group = arg;
	struct wdbg_hw *hw = &gpu->hw;
	struct wdbg_seen *seen = group_seen_of(group, slot);

	for (at->wave = 0; at->wave < hw->num_wave; at->wave++, slot++, seen++) {
		if (!seen->ran && !seen->was_halted)
			continue;
		if (group_wanted_state(group, hw, at, live)) {
			group->left++;
			continue;
		}
		seen->ran = false;
		seen->was_halted = false;
		wdbg_wave_own(slot, NULL);
		slot->debugger = NULL;
	}
	return 0;
}

/* After DEBUG: which waves are not yet in, or out of, debug mode? */
static int group_see_debug_simd(struct wdbg_gpu *gpu,
				struct amdgpudbg_wave_coord *at, u32 live, void *arg,
				bool on)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	struct wdbg_group *group = arg;
	struct wdbg_hw *hw = &gpu->hw;
	struct wdbg_seen *seen = group_seen_of(group, slot);
	u32 vmid;

	for (at->wave = 0; live >> at->wave; at->wave++, slot++, seen++) {
		if ((!seen->ran && !seen->was_halted) ||
		    !(live & BIT(at->wave)) ||
		    !group_is_wanted(group, hw, at, &vmid))
			continue;
		if (hw->ops->wave->debug(hw, at) != on)
			group->left++;
		slot->debugger = on ? group->session : NULL;
		slot->debug_vmid = vmid;
	}
	return 0;
}

static int group_see_debug_on_simd(struct wdbg_gpu *gpu,
				   struct amdgpudbg_wave_coord *at, u32 live,
				   void *arg)
{
	return group_see_debug_simd(gpu, at, live, arg, true);
}

static int group_see_debug_off_simd(struct wdbg_gpu *gpu,
				    struct amdgpudbg_wave_coord *at, u32 live,
				    void *arg)
{
	return group_see_debug_simd(gpu, at, live, arg, false);
}

static int group_halt_all(struct wdbg_group *group,
			  struct amdgpudbg_wave_control *args)
{
	int ret;

	group->keep = true;
	group->leave = args->flags & AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED;
	ret = wdbg_group_halt(group);
	args->matched = group->matched;
	args->changed = group->halted;
	return ret;
}

/* How often to read waves that may have been resumed and have stopped again */
#define STOPPED_LOOKS	4

/* Each wave gets one command only: see command_resume(). */
static int group_resume(struct wdbg_group *group)
{
	int ret = 0, looks = 0;

	if (group->handlers)
		ret = wdbg_wave_scan(group->session->gpu, group->place,
				     group_mark_simd, group);
	if (ret)
		return ret;
	group_command(group, AMDGPUDBG_WAVEOP_RESUME, 0);
	if (!group->place && !group->pick)
		group->session->broadcast_halted &= ~group->live;
	do {
		group->left = 0;
		group->stopped = 0;
		ret = wdbg_wave_scan(group->session->gpu, group->place,
				     group_see_resumed_simd, group);
	} while (!ret && (group->left ||
			  (group->stopped && looks < STOPPED_LOOKS)) &&
		 group_retry(group, &looks));
	return !ret && group->left ? -ETIMEDOUT : ret;
}

static int group_resume_all(struct wdbg_group *group,
			    struct amdgpudbg_wave_control *args)
{
	int ret;

	ret = group_survey(group);
	/* A VMID with a halted wave keeps its process. */
	if (!ret && group->halted_before && group_confirm(group))
		ret = group_survey(group);
	if (ret)
		return ret;
	if (group->holder)
		return wdbg_busy_with(group->session, AMDGPUDBG_BUSY_WAVE,
				      group->holder);
	args->matched = group->halted_before;
	group->left = 0;
	if (group->halted_before)
		ret = group_resume(group);
	args->changed = args->matched - group->left;
	return ret;
}

/* With new waves stalled: see wdbg_control_run(). */
static int group_act(struct wdbg_group *group, struct amdgpudbg_wave_control *args)
{
	bool on = !(args->flags & AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF);
	int ret;

	group->debug = args->op == AMDGPUDBG_WAVEOP_DEBUG;
	ret = group_survey(group);
	if (!ret && group_confirm(group))
		ret = group_survey(group);
	if (ret)
		return ret;
	if (group->holder)
		return wdbg_busy_with(group->session, AMDGPUDBG_BUSY_WAVE,
				      group->holder);
	if (args->op == AMDGPUDBG_WAVEOP_TRAP &&
	    group->live & wdbg_kfd_vmids(group->session->gpu))
		return -EOPNOTSUPP;
	args->matched = group->matched;
	switch ((enum amdgpudbg_waveop)args->op) {
	case AMDGPUDBG_WAVEOP_KILL:
		ret = group_command_all(group, args->op, 0, group_see_killed_simd);
		break;
	case AMDGPUDBG_WAVEOP_DEBUG:
		ret = group_command_all(group, args->op, on, on ? group_see_debug_on_simd :
					group_see_debug_off_simd);
		break;
	default:
		/* A trap happens once, and no register shows when. */
		if (group->handlers)
			group_command(group, args->op, args->trap_id);
		args->changed = group->handlers;
		return 0;
	}
	args->changed = args->matched - group->left;
	return ret;
}

/**
 * wdbg_group_run() - do an operation on all waves of a group
 * @group: the waves; session, vmids, place and deadline are set
 * @args: the operation, checked; its results are set
 *
 * Context: between wdbg_power_begin() and wdbg_power_end(), without the bank lock.
 * Return: 0 or an error of the ABI.
 */
int wdbg_group_run(struct wdbg_group *group,
		   struct amdgpudbg_wave_control *args)
{
	int ret;

	lockdep_assert_held(&group->session->gpu->lock);
	if (!group->vmids)
		return 0;
	switch (args->op) {
	case AMDGPUDBG_WAVEOP_HALT:
		ret = group_halt_all(group, args);
		break;
	case AMDGPUDBG_WAVEOP_RESUME:
		ret = group_resume_all(group, args);
		break;
	default:
		ret = group_act(group, args);
		break;
	}
	/* The VMID of the call went to another process. */
	return args->vmid && !group->vmids ? -ENODATA : ret;
}

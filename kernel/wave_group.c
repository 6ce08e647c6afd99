// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations on all waves of some VMIDs, by broadcast commands.
 *
 * Before anything that waves cannot take back, all of them are halted. That also
 * proves whose they are: a VMID cannot go to another process while one of its
 * waves is halted.
 */
#include <linux/delay.h>

#include "hw/mmio.h"
#include "timeout.h"
#include "wave_control.h"

static bool is_wanted(const struct wdbg_group *group, struct wdbg_hw *hw,
		      const struct amdgpudbg_wave_coord *at, u32 *vmid)
{
	*vmid = hw->ops->wave_vmid(hw, at);
	return group->vmids & BIT(*vmid);
}

/* Does another session hold the live wave in @slot? */
static bool is_foreign(const struct wdbg_group *group, struct wdbg_hw *hw,
		       const struct wdbg_slot *slot,
		       const struct amdgpudbg_wave_coord *at, u32 vmid)
{
	if (slot->owner && slot->owner != group->session)
		return true;
	return group->debug && slot->debugger &&
	       slot->debugger != group->session && slot->debug_vmid == vmid &&
	       hw->ops->wave_debug(hw, at);
}

/* Before the command: which waves are there, and which are halted already? */
static int survey_simd(struct wdbg_gpu *gpu, struct amdgpudbg_wave_coord *at,
		       u32 live, void *arg)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	struct wdbg_group *group = arg;
	struct wdbg_hw *hw = &gpu->hw;
	u32 state, vmid;

	for (at->wave = 0; at->wave < hw->num_wave; at->wave++, slot++) {
		slot->was_halted = false;
		slot->halted_now = false;
		slot->taken = false;
		if (!(live & BIT(at->wave))) {
			slot->owner = NULL;
			continue;
		}
		if (!is_wanted(group, hw, at, &vmid))
			continue;
		state = hw->ops->wave_state(hw, at);
		if (!(state & WDBG_WAVE_HALTED) || slot->vmid != vmid)
			slot->owner = NULL;
		if (!(state & WDBG_WAVE_VALID))
			continue;
		if (state & WDBG_WAVE_HALTED)
			wdbg_wave_claim(gpu, at);
		group->matched++;
		group->live |= BIT(vmid);
		if (is_foreign(group, hw, slot, at, vmid))
			group->foreign++;
		if (!(state & WDBG_WAVE_HALTED))
			continue;
		slot->was_halted = true;
		group->halted_before++;
	}
	return 0;
}

static int survey(struct wdbg_group *group)
{
	group->matched = 0;
	group->halted_before = 0;
	group->foreign = 0;
	group->live = 0;
	return wdbg_wave_scan(group->session->gpu, group->place, survey_simd,
			      group);
}

/* After a halt: who is halted now? */
static int see_halted_simd(struct wdbg_gpu *gpu,
			   struct amdgpudbg_wave_coord *at, u32 live,
			   void *arg)
{
	struct wdbg_group *group = arg;
	struct wdbg_hw *hw = &gpu->hw;
	struct wdbg_slot *slot;
	u32 state, vmid;

	for (at->wave = 0; live >> at->wave; at->wave++) {
		if (!(live & BIT(at->wave)) ||
		    !is_wanted(group, hw, at, &vmid))
			continue;
		state = hw->ops->wave_state(hw, at);
		if (!(state & WDBG_WAVE_VALID))
			continue;
		group->matched++;
		group->live |= BIT(vmid);
		slot = wdbg_wave_slot(gpu, at);
		if (state & WDBG_WAVE_HALTED) {
			/* One that has just started so is no work of ours. */
			wdbg_wave_claim(gpu, at);
			group->halted++;
			slot->halted_now = true;
			if (state & WDBG_WAVE_TRAP_EN)
				group->handlers++;
		}
		/* Also those that may halt later. */
		if (!slot->owner && !slot->was_halted) {
			slot->taken = true;
			slot->by_itself = false;
		}
		if (slot->taken || (group->keep &&
				    slot->owner == group->session)) {
			slot->owner = group->session;
			slot->vmid = vmid;
			slot->leave = group->leave;
		}
	}
	return 0;
}

static int see_halted(struct wdbg_group *group)
{
	group->matched = 0;
	group->halted = 0;
	group->handlers = 0;
	group->live = 0;
	return wdbg_wave_scan(group->session->gpu, group->place,
			      see_halted_simd, group);
}

/* To all that are live: one command for each VMID, and bank if need be. */
static void command(struct wdbg_group *group, enum amdgpudbg_waveop op,
		    u32 data)
{
	struct wdbg_gpu *gpu = group->session->gpu;
	struct wdbg_hw *hw = &gpu->hw;
	struct amdgpudbg_wave_coord at = { };
	u32 vmid, banks = 1;

	if (group->place) {
		at = group->place->at;
		banks = hw->ops->cu_banks;
	}
	for (vmid = 1; vmid < WDBG_NUM_VMID; vmid++)
		if (op == AMDGPUDBG_WAVEOP_RESUME && group->live & BIT(vmid))
			wdbg_event_source_resumed(gpu, vmid, NULL);
	wdbg_bank_lock(hw);
	for (at.simd = 0; at.simd < banks; at.simd++) {
		if (group->place)
			wdbg_bank_select(hw, &at);
		else
			wdbg_bank_select_all(hw);
		for (vmid = 1; vmid < WDBG_NUM_VMID; vmid++)
			if (group->live & BIT(vmid))
				hw->ops->command(hw, op, data, true, &at,
						 vmid);
	}
	wdbg_bank_unlock(hw);
}

static bool retry(struct wdbg_group *group, int *looks)
{
	if (wdbg_wave_late(looks, group->deadline))
		return false;
	usleep_range(20, 100);
	return true;
}

/*
 * Waves were seen halted: are they the session's to touch? Forget the VMIDs that
 * went to another process between the look at their table and the command.
 * Returns true if there were any.
 */
static bool confirm(struct wdbg_group *group)
{
	struct wdbg_session *session = group->session;
	u32 vmid, lost = 0;

	for (vmid = 1; vmid < WDBG_NUM_VMID; vmid++)
		if (group->live & BIT(vmid) &&
		    !wdbg_scope_has_vmid(session, vmid))
			lost |= BIT(vmid);
	if (!lost)
		return false;
	group->vmids &= ~lost;
	wdbg_wave_resume_owned(session->gpu, session, lost);
	wdbg_wave_disown_ended(session->gpu);
	return true;
}

/**
 * wdbg_group_halt() - halt all waves of the group and see it done
 * @group: the waves
 *
 * They belong to the session then, but for those that were halted before.
 * Context: between wdbg_power_begin() and _end(), without the bank lock.
 * Return: 0; -EBUSY see &struct wdbg_group; what wdbg_timeout_hold() returns;
 * -ETIMEDOUT: what was halted, is.
 */
int wdbg_group_halt(struct wdbg_group *group)
{
	int ret, looks = 0;

	lockdep_assert_held(&group->session->gpu->lock);
	ret = survey(group);
	if (ret)
		return ret;
	if (group->exclusive && group->foreign)
		return -EBUSY;
	if (!group->matched)
		return 0;
	/* Not earlier: the release afterwards gives all jobs new time. */
	if (group->keep)
		ret = wdbg_timeout_hold(group->session);
	if (ret)
		return ret;
	do {
		command(group, AMDGPUDBG_WAVEOP_HALT, 0);
		ret = see_halted(group);
	} while (!ret && group->halted < group->matched &&
		 retry(group, &looks));
	if (!ret && confirm(group))
		ret = see_halted(group);
	if (!ret && group->halted < group->matched)
		ret = -ETIMEDOUT;
	return ret;
}

/* Which of those that ran before are still halted? Resume them, if told to. */
static int see_gone_simd(struct wdbg_gpu *gpu, struct amdgpudbg_wave_coord *at,
			 u32 live, void *arg)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	struct wdbg_group *group = arg;
	struct wdbg_hw *hw = &gpu->hw;
	u32 vmid;

	for (at->wave = 0; at->wave < hw->num_wave; at->wave++, slot++) {
		if (!slot->taken)
			continue;
		if (!(live & BIT(at->wave)) ||
		    !is_wanted(group, hw, at, &vmid) ||
		    !(hw->ops->wave_state(hw, at) & WDBG_WAVE_HALTED)) {
			slot->taken = false;
			slot->owner = NULL;
			continue;
		}
		group->left++;
		if (!group->halted_before)
			continue;
		wdbg_event_source_resumed(gpu, vmid, at);
		hw->ops->command(hw, AMDGPUDBG_WAVEOP_RESUME, 0, false, at,
				 vmid);
	}
	return 0;
}

/**
 * wdbg_group_let_go() - resume what wdbg_group_halt() has halted
 * @group: the waves
 *
 * Context: as wdbg_group_halt().
 * Return: 0 or -ETIMEDOUT.
 */
int wdbg_group_let_go(struct wdbg_group *group)
{
	int ret, looks = 0;

	group->deadline = wdbg_wave_deadline();
	do {
		/* One command will do if all of them are to go on. */
		if (!group->halted_before)
			command(group, AMDGPUDBG_WAVEOP_RESUME, 0);
		group->left = 0;
		ret = wdbg_wave_scan(group->session->gpu, group->place,
				     see_gone_simd, group);
	} while (!ret && group->left && retry(group, &looks));
	return !ret && group->left ? -ETIMEDOUT : ret;
}

/* After a resume: who was halted before and still is, or is so again? */
static int see_resumed_simd(struct wdbg_gpu *gpu,
			    struct amdgpudbg_wave_coord *at, u32 live,
			    void *arg)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	struct wdbg_group *group = arg;
	struct wdbg_hw *hw = &gpu->hw;
	u32 vmid;

	for (at->wave = 0; at->wave < hw->num_wave; at->wave++, slot++) {
		if (!slot->was_halted)
			continue;
		if (live & BIT(at->wave) &&
		    hw->ops->wave_state(hw, at) & WDBG_WAVE_HALTED &&
		    is_wanted(group, hw, at, &vmid)) {
			if (slot->owner && !slot->by_itself)
				group->left++;
			else
				group->stopped++;
			continue;
		}
		slot->was_halted = false;
		slot->owner = NULL;
	}
	return 0;
}

/* After KILL: who is still there? A halted wave cannot end by itself. */
static int see_killed_simd(struct wdbg_gpu *gpu,
			   struct amdgpudbg_wave_coord *at, u32 live,
			   void *arg)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	struct wdbg_group *group = arg;
	struct wdbg_hw *hw = &gpu->hw;
	u32 vmid;

	for (at->wave = 0; at->wave < hw->num_wave; at->wave++, slot++) {
		if (!slot->halted_now)
			continue;
		if (live & BIT(at->wave) &&
		    hw->ops->wave_state(hw, at) & WDBG_WAVE_HALTED &&
		    is_wanted(group, hw, at, &vmid)) {
			group->left++;
			continue;
		}
		slot->halted_now = false;
		slot->owner = NULL;
		slot->debugger = NULL;
	}
	return 0;
}

/* After DEBUG: who is not yet in, or out of, debug mode? */
static int see_debug_simd(struct wdbg_gpu *gpu,
			  struct amdgpudbg_wave_coord *at, u32 live, void *arg,
			  bool on)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	struct wdbg_group *group = arg;
	struct wdbg_hw *hw = &gpu->hw;
	u32 vmid;

	for (at->wave = 0; live >> at->wave; at->wave++, slot++) {
		if (!slot->halted_now || !(live & BIT(at->wave)) ||
		    !is_wanted(group, hw, at, &vmid))
			continue;
		if (hw->ops->wave_debug(hw, at) != on)
			group->left++;
		slot->debugger = on ? group->session : NULL;
		slot->debug_vmid = vmid;
	}
	return 0;
}

static int see_debug_on_simd(struct wdbg_gpu *gpu,
			     struct amdgpudbg_wave_coord *at, u32 live,
			     void *arg)
{
	return see_debug_simd(gpu, at, live, arg, true);
}

static int see_debug_off_simd(struct wdbg_gpu *gpu,
			      struct amdgpudbg_wave_coord *at, u32 live,
			      void *arg)
{
	return see_debug_simd(gpu, at, live, arg, false);
}

/* Command until none is left by what @see counts. */
static int command_all(struct wdbg_group *group, enum amdgpudbg_waveop op,
		       u32 data, wdbg_scan_fn see)
{
	int ret, looks = 0;

	do {
		command(group, op, data);
		group->left = 0;
		ret = wdbg_wave_scan(group->session->gpu, group->place, see,
				     group);
	} while (!ret && group->left && retry(group, &looks));
	return !ret && group->left ? -ETIMEDOUT : ret;
}

static int halt_all(struct wdbg_group *group,
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

/* How often to look at waves that may have gone on and stopped again. */
#define STOPPED_LOOKS	4

/* They are told once only: see resume_wave() in wave.c. */
static int resume_group(struct wdbg_group *group)
{
	int ret, looks = 0;

	command(group, AMDGPUDBG_WAVEOP_RESUME, 0);
	do {
		group->left = 0;
		group->stopped = 0;
		ret = wdbg_wave_scan(group->session->gpu, group->place,
				     see_resumed_simd, group);
	} while (!ret && (group->left ||
			  (group->stopped && looks < STOPPED_LOOKS)) &&
		 retry(group, &looks));
	return !ret && group->left ? -ETIMEDOUT : ret;
}

static int resume_all(struct wdbg_group *group,
		      struct amdgpudbg_wave_control *args)
{
	int ret;

	ret = survey(group);
	/* A VMID with a halted wave stays whose it is. */
	if (!ret && group->halted_before && confirm(group))
		ret = survey(group);
	if (ret)
		return ret;
	if (group->foreign)
		return -EBUSY;
	args->matched = group->matched;
	group->left = 0;
	if (group->halted_before)
		ret = resume_group(group);
	args->changed = args->matched - group->left;
	return ret;
}

static int act(struct wdbg_group *group, struct amdgpudbg_wave_control *args)
{
	bool on = !(args->flags & AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF);
	int ret;

	switch ((enum amdgpudbg_waveop)args->op) {
	case AMDGPUDBG_WAVEOP_KILL:
		ret = command_all(group, args->op, 0, see_killed_simd);
		break;
	case AMDGPUDBG_WAVEOP_DEBUG:
		ret = command_all(group, args->op, on, on ? see_debug_on_simd :
				  see_debug_off_simd);
		break;
	default:
		/* A trap happens once, and nobody sees when. */
		if (group->handlers)
			command(group, args->op, args->trap_id);
		args->changed = group->handlers;
		return 0;
	}
	args->changed = args->matched - group->left;
	return ret;
}

static int halt_and_act(struct wdbg_group *group,
			struct amdgpudbg_wave_control *args)
{
	int ret, err;

	group->exclusive = true;
	group->debug = args->op == AMDGPUDBG_WAVEOP_DEBUG;
	ret = wdbg_group_halt(group);
	if (ret == -EBUSY || !group->matched)
		return ret;
	args->matched = group->matched;
	if (!ret)
		ret = act(group, args);
	/* The dead need not be resumed. */
	if (!ret && args->op == AMDGPUDBG_WAVEOP_KILL)
		return 0;
	err = wdbg_group_let_go(group);
	return ret ? ret : err;
}

/**
 * wdbg_group_run() - an operation on all waves of a group
 * @group: the waves; session, vmids, place and deadline are set
 * @args: the operation, checked; its results are set
 *
 * Context: between wdbg_power_begin() and _end(), without the bank lock.
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
		ret = halt_all(group, args);
		break;
	case AMDGPUDBG_WAVEOP_RESUME:
		ret = resume_all(group, args);
		break;
	default:
		ret = halt_and_act(group, args);
		break;
	}
	/* The VMID that was named went to another process. */
	return args->vmid && !group->vmids ? -ENODATA : ret;
}

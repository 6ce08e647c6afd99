// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMDGPUDBG_IOC_LAUNCH_SET: how the target's waves start, in the VMID that is reserved
 * for it. There is one such VMID at most, so one session at a time can set this.
 *
 * The start of a wave raises no event. So waves that are halted in a VMID whose waves
 * start halted, and that no session is known to have halted, belong to the session that
 * has set the launch mode, unless they are at a PC where a trap handler halts a wave.
 * They are claimed when it matters: before they are resumed, and before they could no
 * longer be distinguished. The same applies to waves that started in debug mode.
 */
#include <linux/capability.h>

#include "amdgpu/amdgpu.h"
#include "gpu.h"
#include "halt_budget.h"
#include "hw/mmio.h"
#include "ioctl.h"
#include "session.h"
#include "target/target.h"
#include "wave/wave.h"

/* No supported generation has precise exceptions: see CAP_PRECISE_MEM and _ALU. */
#define ALL_FLAGS	(AMDGPUDBG_LAUNCH_SET_EXCP | \
			 AMDGPUDBG_LAUNCH_SET_STALL | \
			 AMDGPUDBG_LAUNCH_SET_REPLACE | \
			 AMDGPUDBG_LAUNCH_SET_FORCE)

/**
 * struct wdbg_launch - how the waves of one VMID start
 * @owner: the session that has set it; NULL: no session has, and everything else is
 *	zero except @vmid and @mode_before
 * @vmid: the VMID
 * @mode: enum amdgpudbg_launch_mode
 * @excp: AMDGPUDBG_CAUSE_* that are enabled in addition to those of their programs
 * @replace: enabled instead of those, for all VMIDs
 * @stall: no wave starts at all
 * @added: the exceptions of @excp that were not enabled before
 * @replaced: @replace is set, and was not in effect before
 * @mode_before: the mode of VMIDs without an owner before @mode
 */
struct wdbg_launch {
	struct wdbg_session *owner;
	u32 vmid;
	u32 mode;
	u64 excp;
	bool replace;
	bool stall;
	u64 added;
	bool replaced;
	u32 mode_before;
};

static struct wdbg_launch *launch_of(const struct wdbg_gpu *gpu)
{
	return wdbg_part_data(gpu, &wdbg_launch_part);
}

static bool launch_used(const struct wdbg_gpu *gpu, const struct wdbg_session *session)
{
	return launch_of(gpu)->owner &&
	       (!session || launch_of(gpu)->owner == session);
}

static bool launch_starts_halted(const struct wdbg_launch *launch)
{
	return launch->owner && launch->mode == AMDGPUDBG_LAUNCH_HALT;
}

/* The wave belongs to @launch's owner, if it has started in that mode. */
static void launch_claim_for(struct wdbg_gpu *gpu, const struct wdbg_launch *launch,
			     const struct amdgpudbg_wave_coord *at)
{
	u32 state;

	if (launch->mode == AMDGPUDBG_LAUNCH_DEBUG) {
		wdbg_wave_claim_debug_for(gpu, at, launch->vmid, launch->owner);
		return;
	}
	if (wdbg_wave_slot(gpu, at)->owner)
		return;
	state = gpu->hw.ops->wave->state(&gpu->hw, at);
	/*
	 * A wave that is in its handler, or that the handler has halted, has already
	 * run.
	 */
	if (state & WDBG_WAVE_HALTED && !(state & WDBG_WAVE_PRIV) &&
	    !wdbg_wave_at_trap(gpu, at, state))
		wdbg_wave_claim_for(gpu, at, launch->vmid, launch->owner);
}

static void launch_claim(struct wdbg_gpu *gpu, const struct amdgpudbg_wave_coord *at,
			 enum wdbg_halted how)
{
	if (how == WDBG_HALTED_AT_START && launch_starts_halted(launch_of(gpu)))
		launch_claim_for(gpu, launch_of(gpu), at);
}

static int launch_claim_simd(struct wdbg_gpu *gpu, struct amdgpudbg_wave_coord *at,
			     u32 live, void *arg)
{
	for (at->wave = 0; live >> at->wave; at->wave++)
		if (live & BIT(at->wave))
			launch_claim_for(gpu, arg, at);
	return 0;
}

/* Claim all waves that started in the mode of @from, now that no more do. */
static void launch_claim_all(struct wdbg_gpu *gpu, struct wdbg_launch *from)
{
	if (from->owner && from->mode != AMDGPUDBG_LAUNCH_NORMAL &&
	    from->mode != launch_of(gpu)->mode)
		wdbg_wave_scan(gpu, NULL, launch_claim_simd, from);
}

/*
 * Compute the registers that replace @state when @from ends and @to begins. The
 * settings of others, amdkfd's for its VMIDs for example, stay.
 */
static void launch_replace(struct wdbg_launch_state *state,
			   const struct wdbg_launch *from, struct wdbg_launch *to)
{
	state->excp &= ~from->added;
	to->added = to->excp & ~state->excp;
	state->excp |= to->added;
	if (from->replaced)
		state->excp_replace = false;
	to->replaced = to->replace && !state->excp_replace;
	state->excp_replace |= to->replace;

	state->mode_vmids &= ~BIT(from->vmid);
	if (to->mode != AMDGPUDBG_LAUNCH_NORMAL) {
		to->mode_before = from->mode == AMDGPUDBG_LAUNCH_NORMAL ?
				  state->mode : from->mode_before;
		state->mode_vmids |= BIT(to->vmid);
		state->mode = to->mode;
	} else if (from->mode != AMDGPUDBG_LAUNCH_NORMAL &&
		   !state->mode_vmids) {
		state->mode = from->mode_before;
	}
}

/* Do the registers have the wanted contents? */
static bool launch_is_shown(struct wdbg_gpu *gpu)
{
	const struct wdbg_launch *launch = launch_of(gpu);
	struct wdbg_launch_state got;

	gpu->hw.ops->launch->read(&gpu->hw, &got);
	if (launch->excp & ~got.excp || (launch->replace && !got.excp_replace))
		return false;
	if (launch->mode == AMDGPUDBG_LAUNCH_NORMAL)
		return !(got.mode_vmids & BIT(launch->vmid));
	return got.mode_vmids & BIT(launch->vmid) && got.mode == launch->mode;
}

/* Have others set another mode? For all VMIDs that have one, it is the same. */
static bool launch_conflicts(struct wdbg_gpu *gpu, const struct wdbg_launch *to)
{
	struct wdbg_launch_state now;

	if (to->mode == AMDGPUDBG_LAUNCH_NORMAL)
		return false;
	gpu->hw.ops->launch->read(&gpu->hw, &now);
	return now.mode_vmids & ~BIT(to->vmid) && now.mode != to->mode;
}

/* Write the registers for @to. Within wdbg_bank_lock(). */
static int launch_apply(struct wdbg_gpu *gpu, struct wdbg_launch *to)
{
	const struct wdbg_launch_ops *ops = gpu->hw.ops->launch;
	struct wdbg_launch_state state;

	ops->read(&gpu->hw, &state);
	launch_replace(&state, launch_of(gpu), to);
	ops->write(&gpu->hw, &state);
	*launch_of(gpu) = *to;
	return launch_is_shown(gpu) ? 0 : -EIO;
}

/* While no waves start */
static int launch_change_stalled(struct wdbg_gpu *gpu, struct wdbg_launch *to)
{
	struct wdbg_launch from = *launch_of(gpu);
	u32 vmids = BIT(to->vmid);
	int ret = 0;

	/* First, because it may fail. */
	if (to->stall && !from.stall)
		ret = wdbg_stall_begin(gpu, vmids);
	if (ret)
		return ret;
	ret = launch_apply(gpu, to);
	if (ret)
		launch_apply(gpu, &from);
	if (ret ? to->stall && !from.stall : from.stall && !to->stall)
		wdbg_stall_end(gpu, vmids);
	return ret;
}

/* Let waves start in the mode of @to. Within wdbg_bank_lock(). */
static int launch_change(struct wdbg_session *session, struct wdbg_launch *to)
{
	struct wdbg_gpu *gpu = session->gpu;
	int ret;

	if (!launch_of(gpu)->owner)
		launch_of(gpu)->vmid = to->vmid;
	ret = wdbg_guard_enter(session);
	if (!ret && launch_conflicts(gpu, to))
		ret = wdbg_busy_by(session, AMDGPUDBG_BUSY_LAUNCH,
				   AMDGPUDBG_BUSY_BY_AMDKFD);
	if (!ret)
		ret = wdbg_stall_begin(gpu, BIT(to->vmid));
	if (ret)
		return ret;
	ret = launch_change_stalled(gpu, to);
	wdbg_stall_end(gpu, BIT(to->vmid));
	return ret;
}

static int launch_set_reserved(struct wdbg_session *session, struct wdbg_launch *to, bool force)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_launch from;
	int ret, bracket;

	ret = wdbg_session_power_begin(session, &bracket);
	if (ret)
		return ret;
	if (launch_of(gpu)->owner && launch_of(gpu)->owner != session)
		ret = wdbg_busy_with(session, AMDGPUDBG_BUSY_LAUNCH,
				     launch_of(gpu)->owner);
	else if (to->mode != AMDGPUDBG_LAUNCH_NORMAL || to->stall)
		ret = wdbg_target_shows_nothing(session, force);
	if (!ret && to->owner)
		ret = wdbg_halt_budget_expect(session);
	if (!ret) {
		wdbg_bank_lock(&gpu->hw);
		from = *launch_of(gpu);
		ret = launch_change(session, to);
		wdbg_bank_unlock(&gpu->hw);
		if (!ret)
			launch_claim_all(gpu, &from);
	}
	wdbg_halt_budget_update(gpu);
	wdbg_session_power_end(session, bracket);
	return ret;
}

static int launch_check(struct wdbg_cmd *cmd)
{
	u64 excps = cmd->session->gpu->hw.ops->launch->excps;
	struct amdgpudbg_launch_set *args = cmd->data;
	u32 excp_flags = args->flags & (AMDGPUDBG_LAUNCH_SET_EXCP | AMDGPUDBG_LAUNCH_SET_REPLACE);

	args->vmid = 0;
	if (args->mode != AMDGPUDBG_LAUNCH_NORMAL &&
	    args->mode != AMDGPUDBG_LAUNCH_HALT &&
	    args->mode != AMDGPUDBG_LAUNCH_DEBUG)
		return -EINVAL;
	if (args->__reserved)
		return -EINVAL;
	if ((args->excp_mask || excp_flags) && !(excp_flags & AMDGPUDBG_LAUNCH_SET_EXCP))
		return -EINVAL;
	if (args->excp_mask & ~excps)
		return -EOPNOTSUPP;
	/*
	 * The mask is the same for all VMIDs; but only the watch's owner notices its
	 * hits.
	 */
	if ((args->excp_mask & ~AMDGPUDBG_CAUSE_WATCH ||
	     excp_flags & AMDGPUDBG_LAUNCH_SET_REPLACE) &&
	    !capable(CAP_SYS_ADMIN))
		return -EPERM;
	return 0;
}

static int launch_run(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_launch_set *args = cmd->data;
	struct wdbg_session *session = cmd->session;
	struct wdbg_launch to = {
		.mode = args->mode,
		.excp = args->excp_mask,
		.replace = args->flags & AMDGPUDBG_LAUNCH_SET_REPLACE,
		.stall = args->flags & AMDGPUDBG_LAUNCH_SET_STALL,
	};
	int ret;

	if (to.mode != AMDGPUDBG_LAUNCH_NORMAL || to.excp || to.replace || to.stall)
		to.owner = session;
	ret = wdbg_vmid_share_begin(session, cmd->try, &args->vmid);
	to.vmid = args->vmid;
	if (!ret)
		ret = launch_set_reserved(session, &to, args->flags & AMDGPUDBG_LAUNCH_SET_FORCE);
	wdbg_vmid_share_release_unused(session);
	return ret;
}

const struct wdbg_ioctl wdbg_launch_set = {
	.flags = ALL_FLAGS,
	.check = launch_check,
	.run = launch_run,
	.locked = true,
	.reserves = true,
};

/* Waves that started halted or in debug mode still belong to the session. */
static void launch_restore(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	u32 vmids = BIT(launch_of(gpu)->vmid);
	struct wdbg_launch from, to = { .vmid = launch_of(gpu)->vmid };
	int ret, err;

	if (!launch_used(gpu, session))
		return;
	wdbg_bank_lock(&gpu->hw);
	from = *launch_of(gpu);
	ret = wdbg_stall_begin(gpu, vmids);
	err = launch_apply(gpu, &to);
	if (!ret)
		wdbg_stall_end(gpu, vmids);
	if (from.stall)
		wdbg_stall_end(gpu, vmids);
	wdbg_bank_unlock(&gpu->hw);
	if (ret || err)
		dev_err_ratelimited(&gpu->pdev->dev,
				    "amdgpudbg: the launch mode of VMID %u cannot be put back\n",
				    from.vmid);
	launch_claim_all(gpu, &from);
}

static void launch_discard(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	if (!launch_used(gpu, session))
		return;
	if (launch_of(gpu)->stall)
		wdbg_stall_discard(gpu, BIT(launch_of(gpu)->vmid));
	*launch_of(gpu) = (struct wdbg_launch){ };
}

/* A full reset clears what a session has set, the reset of a ring or a job does not. */
static void launch_after_reset(struct wdbg_gpu *gpu)
{
	const struct wdbg_launch_ops *ops = gpu->hw.ops->launch;
	bool same;

	if (!launch_used(gpu, NULL))
		return;
	wdbg_bank_lock(&gpu->hw);
	same = launch_is_shown(gpu);
	if (launch_of(gpu)->stall && !(ops->stalled(&gpu->hw) &
				       BIT(launch_of(gpu)->vmid)))
		same = false;
	wdbg_bank_unlock(&gpu->hw);
	if (!same)
		launch_restore(gpu, NULL);
}

static void launch_revoke(struct wdbg_gpu *gpu)
{
	struct wdbg_launch from = *launch_of(gpu);
	struct wdbg_launch to = { .owner = from.owner, .vmid = from.vmid };

	lockdep_assert_held(gpu->hw.bank_lock);
	if (!from.owner)
		return;
	launch_apply(gpu, &to);
	if (from.stall)
		wdbg_stall_end(gpu, BIT(from.vmid));
}

static void launch_vmid_revoked(struct wdbg_gpu *gpu, u32 vmid)
{
	launch_discard(gpu, NULL);
}

static bool launch_uses_vmid(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	return launch_used(gpu, session);
}

/*
 * Sessions without a time limit: their waves may start halted at any time. For others
 * only waves that do not start now count; a wave that has started halted is claimed,
 * and counts as halted.
 */
static bool launch_holds_timeouts(struct wdbg_gpu *gpu, bool bounded)
{
	const struct wdbg_launch *launch = launch_of(gpu);

	if (!wdbg_is_of(launch->owner, bounded))
		return false;
	return !bounded || (launch->stall && wdbg_timeout_has_jobs(gpu));
}

static struct wdbg_session *launch_may_stop(struct wdbg_gpu *gpu)
{
	const struct wdbg_launch *launch = launch_of(gpu);

	if (wdbg_is_of(launch->owner, true) &&
	    (launch->mode == AMDGPUDBG_LAUNCH_HALT || launch->stall))
		return launch->owner;
	return NULL;
}

/**
 * wdbg_launch_is_set() - check whether a session has set how the waves of a VMID start
 * @gpu: the GPU
 * @vmid: the VMID
 *
 * Context: the GPU's lock is held.
 * Return: true if so.
 */
bool wdbg_launch_is_set(const struct wdbg_gpu *gpu, u32 vmid)
{
	const struct wdbg_launch *launch = launch_of(gpu);

	lockdep_assert_held(&gpu->lock);
	return launch->owner && launch->vmid == vmid;
}

static u32 launch_keeps_halted(struct wdbg_gpu *gpu, const struct wdbg_session *session)
{
	const struct wdbg_launch *launch = launch_of(gpu);

	return session && launch->owner && launch->owner != session ? BIT(launch->vmid) : 0;
}

const struct wdbg_part wdbg_launch_part = {
	.id = WDBG_PART_LAUNCH,
	.when = WDBG_AT_SLEEP | WDBG_FOR_VMID | WDBG_FOR_WAVES | WDBG_AT_END,
	.data_size = sizeof(struct wdbg_launch),
	.restore = launch_restore,
	.discard = launch_discard,
	.revoke = launch_revoke,
	.vmid_revoked = launch_vmid_revoked,
	.after_reset = launch_after_reset,
	.claim = launch_claim,
	.keeps_halted = launch_keeps_halted,
	.uses_vmid = launch_uses_vmid,
	.stops = launch_uses_vmid,
	.holds_timeouts = launch_holds_timeouts,
	.may_stop = launch_may_stop,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMDGPUDBG_IOC_LAUNCH_SET: how the target's waves start, in the VMID that is
 * reserved for it. As there is one such VMID at most, one session at a time can
 * have this.
 *
 * Nobody sees a wave start. So waves that are halted in a VMID whose waves start
 * halted, and that no session is known to have halted, are those of the session
 * that made them start so. They are claimed where it matters: when somebody
 * wants to resume them, and when they would stop to be told apart.
 */
#include <linux/capability.h>

#include "hw/mmio.h"
#include "launch.h"
#include "lease.h"
#include "main.h"
#include "power.h"
#include "stall.h"
#include "timeout.h"
#include "slots.h"

#define ALL_FLAGS	(AMDGPUDBG_LAUNCH_SET_EXCP | \
			 AMDGPUDBG_LAUNCH_SET_STALL)

/* Bits of AMDGPUDBG_EXCP_* */
#define ALL_EXCPS	GENMASK(8, 0)

/**
 * wdbg_launch_used() - does anybody want waves to start in another way?
 * @gpu: the GPU
 * @session: who; NULL: anybody
 *
 * Context: the GPU's lock is held.
 * Return: true if so.
 */
bool wdbg_launch_used(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	lockdep_assert_held(&gpu->lock);
	return gpu->launch.owner &&
	       (!session || gpu->launch.owner == session);
}

static bool starts_halted(const struct wdbg_launch *launch)
{
	return launch->owner && launch->mode == AMDGPUDBG_LAUNCH_HALT;
}

/**
 * wdbg_launch_claim() - whose is a halted wave that nobody halted?
 * @gpu: the GPU
 * @at: the wave, which is halted, its bank selected
 *
 * If waves of its VMID start halted, it belongs to the session that wanted so:
 * this becomes the owner of the slot.
 * Context: within wdbg_bank_lock().
 */
void wdbg_launch_claim(struct wdbg_gpu *gpu,
		       const struct amdgpudbg_wave_coord *at)
{
	lockdep_assert_held(&gpu->lock);
	if (starts_halted(&gpu->launch))
		wdbg_wave_claim_for(gpu, at, gpu->launch.vmid,
				    gpu->launch.owner);
}

static int claim_simd(struct wdbg_gpu *gpu, struct amdgpudbg_wave_coord *at,
		      u32 live, void *arg)
{
	const struct wdbg_launch *launch = arg;
	struct wdbg_hw *hw = &gpu->hw;

	for (at->wave = 0; live >> at->wave; at->wave++)
		if (live & BIT(at->wave) &&
		    hw->ops->wave_state(hw, at) & WDBG_WAVE_HALTED)
			wdbg_wave_claim_for(gpu, at, launch->vmid,
					    launch->owner);
	return 0;
}

/* Claim all waves that started halted, now that no more do. */
static void claim_all(struct wdbg_gpu *gpu, struct wdbg_launch *launch)
{
	if (starts_halted(launch))
		wdbg_wave_scan(gpu, NULL, claim_simd, launch);
}

/* What the hardware should hold. */
static void wanted(const struct wdbg_gpu *gpu, struct wdbg_launch_state *state)
{
	const struct wdbg_launch *launch = &gpu->launch;

	*state = gpu->launch_before;
	if (!launch->owner)
		return;
	state->excp |= launch->excp;
	if (launch->mode == AMDGPUDBG_LAUNCH_NORMAL)
		return;
	state->mode = launch->mode;
	state->mode_vmids |= BIT(launch->vmid);
}

static bool is_shown(struct wdbg_gpu *gpu)
{
	struct wdbg_launch_state want, got;

	wanted(gpu, &want);
	gpu->hw.ops->launch->read(&gpu->hw, &got);
	return got.mode_vmids == want.mode_vmids && got.mode == want.mode &&
	       got.excp == want.excp && got.excp_replace == want.excp_replace;
}

/* Let the hardware hold what it should. */
static int apply(struct wdbg_gpu *gpu)
{
	struct wdbg_launch_state want;

	wanted(gpu, &want);
	gpu->hw.ops->launch->write(&gpu->hw, &want);
	return is_shown(gpu) ? 0 : -EIO;
}

/* Let waves start as @to says, while none does. Within wdbg_bank_lock(). */
static int change(struct wdbg_gpu *gpu, const struct wdbg_launch *to)
{
	struct wdbg_launch from = gpu->launch;
	u32 vmids = BIT(to->vmid);
	int ret;

	if (!from.owner)
		gpu->hw.ops->launch->read(&gpu->hw, &gpu->launch_before);
	/* Of amdkfd, which has VMIDs of its own, but not a mode. */
	if (to->mode != AMDGPUDBG_LAUNCH_NORMAL &&
	    gpu->launch_before.mode_vmids &&
	    gpu->launch_before.mode != to->mode)
		return -EBUSY;
	ret = wdbg_stall_begin(gpu, vmids);
	if (ret)
		return ret;
	gpu->launch = *to;
	ret = apply(gpu);
	if (!ret && to->stall)
		ret = wdbg_stall_begin(gpu, vmids);
	if (!ret && from.stall)
		wdbg_stall_end(gpu, vmids);
	if (ret) {
		gpu->launch = from;
		apply(gpu);
	}
	wdbg_stall_end(gpu, vmids);
	return ret;
}

static int set_leased(struct wdbg_session *session,
		      const struct wdbg_launch *to)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_launch from;
	int ret, bracket;

	ret = wdbg_power_begin(session, &bracket);
	if (ret)
		return ret;
	from = gpu->launch;
	if (from.owner && from.owner != session)
		ret = -EBUSY;
	else if (to->owner)
		ret = wdbg_timeout_hold(session);
	if (!ret) {
		wdbg_bank_lock(&gpu->hw);
		ret = change(gpu, to);
		wdbg_bank_unlock(&gpu->hw);
		if (!ret && !starts_halted(to))
			claim_all(gpu, &from);
	}
	wdbg_timeout_release_unused(gpu);
	wdbg_power_end(gpu, bracket);
	return ret;
}

static int set_locked(struct wdbg_session *session, struct wdbg_launch *to)
{
	int ret;

	ret = wdbg_lease_begin(session, &to->vmid);
	if (!ret)
		ret = set_leased(session, to);
	wdbg_lease_end_unused(session);
	return ret;
}

static int check_args(const struct amdgpudbg_launch_set *args)
{
	if (args->flags & ~ALL_FLAGS)
		return -EOPNOTSUPP;
	if (args->__reserved)
		return -EINVAL;
	if (args->mode != AMDGPUDBG_LAUNCH_NORMAL &&
	    args->mode != AMDGPUDBG_LAUNCH_HALT &&
	    args->mode != AMDGPUDBG_LAUNCH_DEBUG)
		return -EINVAL;
	if (args->excp_mask & ~ALL_EXCPS)
		return -EINVAL;
	if (args->excp_mask && !(args->flags & AMDGPUDBG_LAUNCH_SET_EXCP))
		return -EINVAL;
	/* The mask counts for everybody; nobody else has our watches. */
	if (args->excp_mask & ~AMDGPUDBG_EXCP_ADDR_WATCH &&
	    !capable(CAP_SYS_ADMIN))
		return -EPERM;
	return 0;
}

/**
 * wdbg_launch_set() - AMDGPUDBG_IOC_LAUNCH_SET
 * @cmd: the call
 *
 * Return: 0 or an error of the ABI.
 */
int wdbg_launch_set(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_launch_set *args = cmd->data;
	struct wdbg_session *session = cmd->session;
	struct wdbg_launch to = {
		.mode = args->mode,
		.excp = args->excp_mask,
		.stall = args->flags & AMDGPUDBG_LAUNCH_SET_STALL,
	};
	int ret;

	ret = check_args(args);
	if (ret)
		return ret;
	if (to.mode != AMDGPUDBG_LAUNCH_NORMAL || to.excp || to.stall)
		to.owner = session;

	args->vmid = 0;
	/* A structure that cannot be written is noticed before anything changes. */
	ret = wdbg_respond(cmd, sizeof(*args));
	if (ret)
		return ret;
	if (mutex_lock_killable(&session->gpu->lock))
		return -EINTR;
	ret = set_locked(session, &to);
	mutex_unlock(&session->gpu->lock);
	args->vmid = to.vmid;
	return ret ? ret : wdbg_respond(cmd, sizeof(*args));
}

/**
 * wdbg_launch_take_back() - let waves start as before
 * @gpu: the GPU
 * @session: whose wish ends; NULL: anybody's
 *
 * Waves that started halted are the session's afterwards, and still halted.
 * Context: between wdbg_power_begin() or wdbg_power_begin_cleanup() and
 * wdbg_power_end().
 */
void wdbg_launch_take_back(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	struct wdbg_launch from = gpu->launch;
	u32 vmids = BIT(from.vmid);
	int ret, err;

	if (!wdbg_launch_used(gpu, session))
		return;
	wdbg_bank_lock(&gpu->hw);
	ret = wdbg_stall_begin(gpu, vmids);
	gpu->launch = (struct wdbg_launch){ };
	err = apply(gpu);
	if (!ret)
		wdbg_stall_end(gpu, vmids);
	if (from.stall)
		wdbg_stall_end(gpu, vmids);
	wdbg_bank_unlock(&gpu->hw);
	if (ret || err)
		dev_err_ratelimited(&gpu->pdev->dev,
				    "amdgpudbg: the launch mode of VMID %u cannot be put back\n",
				    from.vmid);
	claim_all(gpu, &from);
}

/**
 * wdbg_launch_check() - after a reset: is it still as a session wanted?
 * @gpu: the GPU
 *
 * A full reset ends what it wanted, that of a ring or a job does not.
 * Context: as wdbg_launch_take_back().
 */
void wdbg_launch_check(struct wdbg_gpu *gpu)
{
	const struct wdbg_launch_ops *ops = gpu->hw.ops->launch;
	bool same;

	if (!wdbg_launch_used(gpu, NULL))
		return;
	wdbg_bank_lock(&gpu->hw);
	same = is_shown(gpu);
	if (gpu->launch.stall && !(ops->stalled(&gpu->hw) &
				   BIT(gpu->launch.vmid)))
		same = false;
	wdbg_bank_unlock(&gpu->hw);
	if (!same)
		wdbg_launch_take_back(gpu, NULL);
}

/**
 * wdbg_launch_forget() - wdbg_launch_take_back() for hardware out of reach
 * @gpu: the GPU
 * @session: whose wish; NULL: anybody's
 *
 * Context: the GPU's lock is held.
 */
void wdbg_launch_forget(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	if (!wdbg_launch_used(gpu, session))
		return;
	if (gpu->launch.stall)
		wdbg_stall_forget(gpu, BIT(gpu->launch.vmid));
	gpu->launch = (struct wdbg_launch){ };
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMDGPUDBG_IOC_WAVE_CONTROL.
 */
#include <linux/capability.h>
#include <linux/delay.h>
#include <linux/string.h>

#include "hw/mmio.h"
#include "main.h"
#include "power.h"
#include "timeout.h"
#include "wave.h"

#define ALL_FLAGS	(AMDGPUDBG_WAVE_CONTROL_EXPECT_PC | \
			 AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED)

static void own(struct wdbg_slot *slot, struct wdbg_session *session,
		const struct amdgpudbg_wave_control *args)
{
	slot->owner = session;
	slot->vmid = args->vmid;
	slot->leave = args->flags & AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED;
}

/* The wave is in the wanted state already: make sure that it is the one. */
static int single_done(struct wdbg_session *session, struct wdbg_slot *slot,
		       struct amdgpudbg_wave_control *args)
{
	struct wdbg_hw *hw = &session->gpu->hw;

	if (hw->ops->wave_vmid(hw, &args->at) != args->vmid)
		return -ESTALE;
	if (slot->owner == session)
		own(slot, session, args);
	args->matched = 1;
	args->changed = 1;
	return 0;
}

static int single_locked(struct wdbg_session *session,
			 struct amdgpudbg_wave_control *args)
{
	bool halt = args->op == AMDGPUDBG_WAVEOP_HALT;
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_hw *hw = &gpu->hw;
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, &args->at);
	u32 state;
	int ret;

	wdbg_bank_select(hw, &args->at);
	state = hw->ops->wave_state(hw, &args->at);
	if (!(state & WDBG_WAVE_HALTED))
		slot->owner = NULL;
	if (!(state & WDBG_WAVE_VALID))
		return -ENODATA;
	if (args->flags & AMDGPUDBG_WAVE_CONTROL_EXPECT_PC &&
	    hw->ops->wave_pc(hw, &args->at) != args->pc)
		return -ESTALE;
	if (halt == !!(state & WDBG_WAVE_HALTED))
		return single_done(session, slot, args);
	if (slot->owner && slot->vmid != args->vmid)
		return -ESTALE;
	if (slot->owner && slot->owner != session)
		return -EBUSY;

	/* Not earlier: the release afterwards gives all jobs new time. */
	if (halt)
		wdbg_timeout_hold(gpu);
	ret = wdbg_wave_command(gpu, args->op, &args->at, args->vmid,
				wdbg_wave_deadline(), &state);
	if (ret == -ESTALE)
		return ret;
	if (halt && !(state & WDBG_WAVE_VALID))
		return -ENODATA;
	args->matched = 1;
	/* A wave that does not halt in time may do so later. */
	if (halt)
		own(slot, session, args);
	if (ret)
		return ret;
	if (!halt)
		slot->owner = NULL;
	args->changed = 1;
	return 0;
}

static int single(struct wdbg_session *session,
		  struct amdgpudbg_wave_control *args)
{
	struct wdbg_hw *hw = &session->gpu->hw;
	int ret;

	wdbg_bank_lock(hw);
	ret = single_locked(session, args);
	wdbg_bank_unlock(hw);
	return ret;
}

/**
 * struct broadcast - one broadcast on its way
 * @session: whose
 * @args: the call
 * @matched: live waves of the VMID that the walk found
 * @halted: how many of them are halted
 * @foreign: how many of those belong to another session
 */
struct broadcast {
	struct wdbg_session *session;
	struct amdgpudbg_wave_control *args;
	u32 matched;
	u32 halted;
	u32 foreign;
};

/* Before the command: which waves are halted already? */
static int survey_simd(struct wdbg_gpu *gpu, struct amdgpudbg_wave_coord *at,
		       u32 live, void *arg)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	struct wdbg_hw *hw = &gpu->hw;
	struct broadcast *bc = arg;
	u32 state;

	for (at->wave = 0; at->wave < hw->num_wave; at->wave++, slot++) {
		slot->was_halted = false;
		if (!(live & BIT(at->wave))) {
			slot->owner = NULL;
			continue;
		}
		if (hw->ops->wave_vmid(hw, at) != bc->args->vmid)
			continue;
		state = hw->ops->wave_state(hw, at);
		if (!(state & WDBG_WAVE_HALTED))
			slot->owner = NULL;
		if (!(state & WDBG_WAVE_VALID))
			continue;
		bc->matched++;
		if (!(state & WDBG_WAVE_HALTED))
			continue;
		slot->was_halted = true;
		bc->halted++;
		if (slot->owner && slot->owner != bc->session)
			bc->foreign++;
	}
	return 0;
}

/* After a halt: who is halted now, and since when? */
static int see_halted_simd(struct wdbg_gpu *gpu,
			   struct amdgpudbg_wave_coord *at, u32 live,
			   void *arg)
{
	struct wdbg_hw *hw = &gpu->hw;
	struct broadcast *bc = arg;
	struct wdbg_slot *slot;
	u32 state;

	for (at->wave = 0; live >> at->wave; at->wave++) {
		if (!(live & BIT(at->wave)) ||
		    hw->ops->wave_vmid(hw, at) != bc->args->vmid)
			continue;
		state = hw->ops->wave_state(hw, at);
		if (!(state & WDBG_WAVE_VALID))
			continue;
		bc->matched++;
		if (state & WDBG_WAVE_HALTED)
			bc->halted++;
		/* Also those that may halt later. */
		slot = wdbg_wave_slot(gpu, at);
		if (slot->owner == bc->session ||
		    (!slot->owner && !slot->was_halted))
			own(slot, bc->session, bc->args);
	}
	return 0;
}

/* After a resume: who was halted before and still is? */
static int see_resumed_simd(struct wdbg_gpu *gpu,
			    struct amdgpudbg_wave_coord *at, u32 live,
			    void *arg)
{
	struct wdbg_slot *slot = wdbg_wave_slot(gpu, at);
	struct wdbg_hw *hw = &gpu->hw;
	struct broadcast *bc = arg;

	for (at->wave = 0; at->wave < hw->num_wave; at->wave++, slot++) {
		if (!slot->was_halted)
			continue;
		if (live & BIT(at->wave) &&
		    hw->ops->wave_state(hw, at) & WDBG_WAVE_HALTED &&
		    hw->ops->wave_vmid(hw, at) == bc->args->vmid) {
			bc->halted++;
			continue;
		}
		slot->was_halted = false;
		slot->owner = NULL;
	}
	return 0;
}

static void broadcast_command(struct wdbg_gpu *gpu,
			      const struct amdgpudbg_wave_control *args)
{
	struct amdgpudbg_wave_coord at = args->at;
	struct wdbg_hw *hw = &gpu->hw;

	wdbg_bank_lock(hw);
	if (args->mode == AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS) {
		wdbg_bank_select_all(hw);
		hw->ops->command(hw, args->op, true, &at, args->vmid);
	} else {
		for (at.simd = 0; at.simd < hw->ops->cu_banks; at.simd++) {
			wdbg_bank_select(hw, &at);
			hw->ops->command(hw, args->op, true, &at, args->vmid);
		}
	}
	wdbg_bank_unlock(hw);
}

static int broadcast(struct wdbg_session *session,
		     struct amdgpudbg_wave_control *args)
{
	bool halt = args->op == AMDGPUDBG_WAVEOP_HALT;
	struct broadcast bc = { .session = session, .args = args };
	const struct amdgpudbg_wave_coord *cu = NULL;
	struct wdbg_gpu *gpu = session->gpu;
	ktime_t deadline;
	int ret;

	if (args->mode == AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU)
		cu = &args->at;
	ret = wdbg_wave_scan(gpu, cu, survey_simd, &bc);
	if (ret)
		return ret;
	if (!halt && bc.foreign)
		return -EBUSY;

	args->matched = bc.matched;
	if (halt)
		wdbg_timeout_hold(gpu);
	deadline = wdbg_wave_deadline();
	for (;;) {
		broadcast_command(gpu, args);
		bc.matched = 0;
		bc.halted = 0;
		ret = wdbg_wave_scan(gpu, cu, halt ? see_halted_simd :
				     see_resumed_simd, &bc);
		if (ret)
			return ret;
		if (halt)
			args->matched = bc.matched;
		args->changed = halt ? bc.halted : args->matched - bc.halted;
		if (args->changed == args->matched)
			return 0;
		if (ktime_after(ktime_get(), deadline))
			return -ETIMEDOUT;
		usleep_range(20, 100);
	}
}

static bool is_zero(const struct amdgpudbg_wave_coord *at)
{
	return !memchr_inv(at, 0, sizeof(*at));
}

static int check_op(const struct amdgpudbg_wave_control *args)
{
	if (args->flags & ~ALL_FLAGS)
		return -EOPNOTSUPP;
	if (args->op != AMDGPUDBG_WAVEOP_HALT &&
	    args->op != AMDGPUDBG_WAVEOP_RESUME)
		return -EOPNOTSUPP;
	if (args->flags & AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED &&
	    args->op != AMDGPUDBG_WAVEOP_HALT)
		return -EINVAL;
	if (args->trap_id)
		return -EINVAL;
	if (!args->vmid || args->vmid >= WDBG_NUM_VMID)
		return -EINVAL;
	if (args->flags & AMDGPUDBG_WAVE_CONTROL_EXPECT_PC) {
		if (args->mode != AMDGPUDBG_WAVEMODE_SINGLE)
			return -EINVAL;
	} else if (args->pc) {
		return -EINVAL;
	}
	return 0;
}

static int check_scope(struct wdbg_gpu *gpu,
		       const struct amdgpudbg_wave_control *args)
{
	switch (args->mode) {
	case AMDGPUDBG_WAVEMODE_SINGLE:
		break;
	case AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS:
		return is_zero(&args->at) ? 0 : -EINVAL;
	case AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU:
		if (args->at.simd || args->at.wave)
			return -EINVAL;
		break;
	default:
		return -EINVAL;
	}
	if (args->at.__reserved)
		return -EINVAL;
	return wdbg_wave_exists(gpu, &args->at) ? 0 : -ENXIO;
}

static int control(struct wdbg_session *session,
		   struct amdgpudbg_wave_control *args)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_hw *hw = &gpu->hw;
	u32 reads, writes;
	int ret, bracket;

	if (mutex_lock_killable(&gpu->lock))
		return -EINTR;
	if (gpu->sleeping && args->op == AMDGPUDBG_WAVEOP_HALT)
		ret = -EBUSY;
	else
		ret = wdbg_power_begin(session, &bracket);
	if (!ret) {
		reads = hw->reads;
		writes = hw->writes;
		if (args->mode == AMDGPUDBG_WAVEMODE_SINGLE)
			ret = single(session, args);
		else
			ret = broadcast(session, args);
		args->reg_reads = hw->reads - reads;
		args->reg_writes = hw->writes - writes;
		wdbg_timeout_release_unused(gpu);
		wdbg_power_end(gpu, bracket);
	}
	mutex_unlock(&gpu->lock);
	return ret;
}

/**
 * wdbg_wave_control() - AMDGPUDBG_IOC_WAVE_CONTROL
 * @cmd: the call
 *
 * Return: 0 or an error of the ABI.
 */
int wdbg_wave_control(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_wave_control *args = cmd->data;
	int ret, err;

	ret = check_op(args);
	if (!ret)
		ret = check_scope(cmd->session->gpu, args);
	if (ret)
		return ret;
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;

	args->matched = 0;
	args->changed = 0;
	/* A structure that cannot be written is noticed before waves change. */
	ret = wdbg_respond(cmd, sizeof(*args));
	if (ret)
		return ret;
	ret = control(cmd->session, args);
	if (ret && ret != -ETIMEDOUT)
		return ret;
	err = wdbg_respond(cmd, sizeof(*args));
	return err ? err : ret;
}

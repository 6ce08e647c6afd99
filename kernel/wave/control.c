// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMDGPUDBG_IOC_WAVE_CONTROL, and what it shares with batches of operations: is an
 * operation valid, may the session do it, and which file does it.
 */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/string.h>

#include "gpu.h"
#include "halt_budget.h"
#include "hw/mmio.h"
#include "ioctl.h"
#include "session.h"
#include "target/target.h"
#include "wave/wave.h"

#define ALL_FLAGS	(AMDGPUDBG_WAVE_CONTROL_EXPECT_PC | \
			 AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED | \
			 AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF | \
			 AMDGPUDBG_WAVE_CONTROL_EXPECT_ID | \
			 AMDGPUDBG_WAVE_CONTROL_FORCE)

static bool control_is_zero(const struct amdgpudbg_wave_coord *at)
{
	return !memchr_inv(at, 0, sizeof(*at));
}

static bool control_is_op(u32 op)
{
	switch (op) {
	case AMDGPUDBG_WAVEOP_HALT:
	case AMDGPUDBG_WAVEOP_RESUME:
	case AMDGPUDBG_WAVEOP_KILL:
	case AMDGPUDBG_WAVEOP_DEBUG:
	case AMDGPUDBG_WAVEOP_TRAP:
	case AMDGPUDBG_WAVEOP_STEP:
		return true;
	}
	return false;
}

/* Operations on halted and running waves */
static bool control_acts_on_running(u32 op)
{
	return op == AMDGPUDBG_WAVEOP_KILL || op == AMDGPUDBG_WAVEOP_DEBUG ||
	       op == AMDGPUDBG_WAVEOP_TRAP;
}

static bool control_is_single(u32 mode)
{
	return mode == AMDGPUDBG_WAVEMODE_SINGLE ||
	       mode == AMDGPUDBG_WAVEMODE_ID;
}

/* Without EXPECT_ID, a single wave's id is only returned. */
static bool control_returns_id(const struct amdgpudbg_wave_control *args)
{
	return args->mode == AMDGPUDBG_WAVEMODE_SINGLE &&
	       !(args->flags & AMDGPUDBG_WAVE_CONTROL_EXPECT_ID);
}

/* Is there an id where there has to be one, and nowhere else? */
static int control_check_id(const struct amdgpudbg_wave_control *args)
{
	bool by_id = args->mode == AMDGPUDBG_WAVEMODE_ID;
	bool expected = args->flags & AMDGPUDBG_WAVE_CONTROL_EXPECT_ID;

	if (expected && args->mode != AMDGPUDBG_WAVEMODE_SINGLE)
		return -EINVAL;
	if (control_returns_id(args))
		return 0;
	return (by_id || expected) == !!args->id ? 0 : -EINVAL;
}

static int control_check_op(const struct wdbg_gpu *gpu,
			    const struct amdgpudbg_wave_control *args)
{
	if (args->flags & ~ALL_FLAGS || !control_is_op(args->op))
		return -EOPNOTSUPP;
	if (args->flags & (AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED |
			   AMDGPUDBG_WAVE_CONTROL_FORCE) &&
	    args->op != AMDGPUDBG_WAVEOP_HALT)
		return -EINVAL;
	if (args->flags & AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF &&
	    args->op != AMDGPUDBG_WAVEOP_DEBUG)
		return -EINVAL;
	if (args->trap_id && (args->op != AMDGPUDBG_WAVEOP_TRAP ||
			      args->trap_id >= gpu->hw.ops->num_traps))
		return -EINVAL;
	if (args->vmid >= WDBG_NUM_VMID ||
	    args->timeout_ms > AMDGPUDBG_TIMEOUT_MS_MAX)
		return -EINVAL;
	if (args->flags & AMDGPUDBG_WAVE_CONTROL_EXPECT_PC) {
		if (!control_is_single(args->mode))
			return -EINVAL;
	} else if (args->pc) {
		return -EINVAL;
	}
	return control_check_id(args);
}

static int control_check_select(const struct wdbg_gpu *gpu,
				const struct amdgpudbg_wave_control *args)
{
	if (args->vmid || !control_is_zero(&args->at))
		return -EINVAL;
	return wdbg_select_check(gpu, &args->select);
}

static int control_check_place(struct wdbg_gpu *gpu,
			       const struct amdgpudbg_wave_control *args)
{
	if (!control_is_single(args->mode) && args->op == AMDGPUDBG_WAVEOP_STEP)
		return -EINVAL;
	if (args->mode == AMDGPUDBG_WAVEMODE_SELECT)
		return control_check_select(gpu, args);
	if (!wdbg_select_is_empty(&args->select))
		return -EINVAL;
	switch (args->mode) {
	case AMDGPUDBG_WAVEMODE_SINGLE:
		break;
	case AMDGPUDBG_WAVEMODE_ID:
		return 0;
	case AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS:
		return control_is_zero(&args->at) ? 0 : -EINVAL;
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

/**
 * wdbg_control_check() - check that an operation is valid
 * @gpu: the GPU
 * @args: the operation; its results are cleared
 *
 * Return: 0; -EPERM, -EINVAL, -EOPNOTSUPP or -ENXIO as documented in the ABI.
 */
int wdbg_control_check(struct wdbg_gpu *gpu,
		       struct amdgpudbg_wave_control *args)
{
	int ret;

	ret = control_check_op(gpu, args);
	if (!ret)
		ret = control_check_place(gpu, args);
	if (ret)
		return ret;
	if (args->flags & AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED &&
	    !capable(CAP_SYS_ADMIN))
		return -EPERM;
	args->matched = 0;
	args->changed = 0;
	args->new_pc = 0;
	if (control_returns_id(args))
		args->id = 0;
	/* A result: the coordinates */
	if (args->mode == AMDGPUDBG_WAVEMODE_ID)
		args->at = (struct amdgpudbg_wave_coord){ };
	return 0;
}

/**
 * wdbg_control_allowed() - check that a session may do an operation now
 * @session: the session
 * @args: the operation, which wdbg_control_check() has passed
 *
 * Context: the GPU's lock is held; the caller's thread.
 * Return: 0 or an error of the ABI.
 */
int wdbg_control_allowed(struct wdbg_session *session,
			 const struct amdgpudbg_wave_control *args)
{
	int ret = wdbg_scope_check(session, WDBG_TO_CONTROL);

	if (ret)
		return ret;
	/*
	 * Except for a selection or an id, only a session with a target need not name
	 * the VMIDs.
	 */
	if (!args->vmid && !session->target &&
	    args->mode != AMDGPUDBG_WAVEMODE_SELECT &&
	    args->mode != AMDGPUDBG_WAVEMODE_ID)
		return -EINVAL;
	/*
	 * The handler there is the ROCm runtime's, which aborts the program. Without a
	 * VMID, the waves show theirs.
	 */
	if (args->op == AMDGPUDBG_WAVEOP_TRAP &&
	    wdbg_kfd_vmids(session->gpu) & BIT(args->vmid))
		return -EOPNOTSUPP;
	if (session->gpu->sleeping && args->op == AMDGPUDBG_WAVEOP_HALT)
		return wdbg_busy(session, AMDGPUDBG_BUSY_SLEEP);
	return 0;
}

/**
 * struct run - an operation in progress
 * @session: the session
 * @args: the operation
 * @seen: memory for the state of many waves, or NULL
 * @select: the waves, if args->mode is SELECT
 * @vmids: their VMIDs
 */
struct run {
	struct wdbg_session *session;
	struct amdgpudbg_wave_control *args;
	struct wdbg_seen *seen;
	struct wdbg_selection select;
	u32 vmids;
};

static void control_run_select(struct run *run, struct wdbg_group *group)
{
	struct wdbg_selection *select = &run->select;

	group->pasid = select->want->pasid;
	if (!wdbg_select_is_everywhere(select))
		group->place = &select->place;
	if (wdbg_select_picks(select->want))
		group->pick = select;
}

static int control_run_one(struct run *run)
{
	struct amdgpudbg_wave_control *args = run->args;
	ktime_t deadline = wdbg_wave_deadline(args->timeout_ms);
	struct wdbg_place cu = { .at = args->at, .mask = WDBG_AT_CU };
	struct wdbg_group group = {
		.session = run->session,
		.seen = run->seen,
		.vmids = run->vmids,
		.timeout_ms = args->timeout_ms,
		.deadline = deadline,
	};

	if (control_is_single(args->mode))
		return wdbg_wave_single(run->session, args, deadline);
	if (args->mode == AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU)
		group.place = &cu;
	if (args->mode == AMDGPUDBG_WAVEMODE_SELECT)
		control_run_select(run, &group);
	return wdbg_group_run(&group, args);
}

/*
 * With new waves stalled: a new wave could not be distinguished from one that has ended
 * in its slot, nor the waves of another process that has got the VMID in between. From
 * here on the waves cannot change their owner.
 */
static int control_run_stalled(struct run *run)
{
	struct wdbg_gpu *gpu = run->session->gpu;
	int ret;

	wdbg_bank_lock(&gpu->hw);
	ret = wdbg_stall_begin(gpu, run->vmids);
	wdbg_bank_unlock(&gpu->hw);
	if (ret)
		return ret;
	ret = control_run_one(run);
	wdbg_bank_lock(&gpu->hw);
	wdbg_stall_end(gpu, run->vmids);
	wdbg_bank_unlock(&gpu->hw);
	return ret;
}

/* Could another wave get a command for one that has ended during the call? */
static bool control_run_needs_stall(const struct run *run)
{
	const struct amdgpudbg_wave_control *args = run->args;

	if (!run->vmids)
		return false;
	return control_acts_on_running(args->op) ||
	       (args->op == AMDGPUDBG_WAVEOP_HALT &&
		args->mode == AMDGPUDBG_WAVEMODE_SELECT &&
		wdbg_select_picks(&args->select));
}

/* An id of a wave that the session may not touch is treated as unknown. */
static int control_run_find_id(struct run *run)
{
	struct amdgpudbg_wave_control *args = run->args;
	const struct wdbg_slot *slot;

	slot = wdbg_wave_id_find(run->session->gpu, args->id, &args->at);
	if (!slot || !wdbg_scope_has_vmid(run->session, slot->vmid) ||
	    (args->vmid && args->vmid != slot->vmid)) {
		args->at = (struct amdgpudbg_wave_coord){ };
		return -ESTALE;
	}
	run->vmids = BIT(slot->vmid);
	return 0;
}

static int control_run_in_scope(struct run *run)
{
	struct amdgpudbg_wave_control *args = run->args;
	int ret;

	if (args->mode == AMDGPUDBG_WAVEMODE_SELECT) {
		ret = wdbg_select_begin(&run->select, run->session,
					&args->select);
		if (ret)
			return ret;
		run->vmids = run->select.vmids;
	} else if (args->mode == AMDGPUDBG_WAVEMODE_ID) {
		ret = control_run_find_id(run);
		if (ret)
			return ret;
	} else if (!args->vmid) {
		run->vmids = wdbg_scope_vmids(run->session);
	} else if (wdbg_scope_has_vmid(run->session, args->vmid)) {
		run->vmids = BIT(args->vmid);
	} else {
		return -ENODATA;
	}
	return control_run_needs_stall(run) ? control_run_stalled(run) : control_run_one(run);
}

/**
 * wdbg_control_room() - allocate memory that wdbg_control_run() needs
 * @gpu: the GPU
 * @args: the operation, which wdbg_control_check() has passed
 *
 * Context: may sleep; the GPU's lock need not be held.
 * Return: for kvfree(): NULL if the operation is on one wave and needs none; an
 *	ERR_PTR() without memory.
 */
struct wdbg_seen *wdbg_control_room(struct wdbg_gpu *gpu,
				    const struct amdgpudbg_wave_control *args)
{
	if (control_is_single(args->mode))
		return NULL;
	return wdbg_group_room(gpu) ?: ERR_PTR(-ENOMEM);
}

/**
 * wdbg_control_run() - do an operation
 * @session: the session
 * @args: the operation, which wdbg_control_allowed() has passed; its results are set
 * @seen: from wdbg_control_room(), for this operation or another on many waves
 *
 * Context: between wdbg_power_begin() and wdbg_power_end(), without the bank lock. The
 *	caller calls wdbg_halt_budget_update() afterwards.
 * Return: 0 or an error of the ABI.
 */
int wdbg_control_run(struct wdbg_session *session,
		     struct amdgpudbg_wave_control *args,
		     struct wdbg_seen *seen)
{
	struct run run = { .session = session, .args = args, .seen = seen };
	int ret = 0;

	lockdep_assert_held(&session->gpu->lock);
	if (args->op == AMDGPUDBG_WAVEOP_HALT)
		ret = wdbg_target_shows_nothing(session,
						args->flags & AMDGPUDBG_WAVE_CONTROL_FORCE);
	return ret ? ret : control_run_in_scope(&run);
}

static int control_check(struct wdbg_cmd *cmd)
{
	return wdbg_control_check(cmd->session->gpu, cmd->data);
}

static int control_prepare(struct wdbg_cmd *cmd)
{
	struct wdbg_seen *seen = wdbg_control_room(cmd->session->gpu, cmd->data);

	if (IS_ERR(seen))
		return PTR_ERR(seen);
	cmd->room = seen;
	return 0;
}

static int control_call(struct wdbg_cmd *cmd)
{
	struct wdbg_session *session = cmd->session;
	int ret, bracket;

	ret = wdbg_control_allowed(session, cmd->data);
	if (!ret)
		ret = wdbg_session_power_begin(session, &bracket);
	if (ret)
		return ret;
	ret = wdbg_control_run(session, cmd->data, cmd->room);
	wdbg_halt_budget_update(session->gpu);
	wdbg_session_power_end(session, bracket);
	return ret;
}

const struct wdbg_ioctl wdbg_wave_control = {
	.flags = ALL_FLAGS,
	.check = control_check,
	.prepare = control_prepare,
	.run = control_call,
	.locked = true,
	.detached = true,
};

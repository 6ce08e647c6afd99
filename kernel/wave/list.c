// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMDGPUDBG_IOC_WAVE_LIST, and AMDGPUDBG_IOC_WAVE_SNAPSHOT: a list with all waves
 * halted.
 */
#include <drm/drm_drv.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/uaccess.h>

#include "amdgpu/amdgpu.h"
#include "gpu.h"
#include "halt_budget.h"
#include "hw/mmio.h"
#include "ioctl.h"
#include "session.h"
#include "target/target.h"
#include "wave/wave.h"

#define LIST_FLAGS	(AMDGPUDBG_WAVE_LIST_TTMP | AMDGPUDBG_WAVE_LIST_PID | \
			 AMDGPUDBG_WAVE_LIST_GPU_TIME)

/**
 * struct list - a list in progress
 * @session: the session
 * @args: the call
 * @snapshot: it is a snapshot
 * @want: hardware registers that are read
 * @select: the waves, as found in this turn
 * @from: the SIMD that comes next
 * @begun: the first turn has ended
 * @more: a further turn is necessary
 * @seen: for a snapshot: the state of waves
 * @waves: memory for the records
 * @capacity: how many fit there
 * @spare: for a record that does not fit, or not yet
 * @count: number of records
 */
struct list {
	struct wdbg_session *session;
	struct amdgpudbg_wave_list *args;
	bool snapshot;
	u64 want;
	struct wdbg_selection select;
	struct amdgpudbg_wave_coord from;
	bool begun;
	bool more;
	struct wdbg_seen *seen;
	struct amdgpudbg_wave *waves;
	u32 capacity;
	struct amdgpudbg_wave spare;
	u32 count;
};

/* Add one live wave: a record while there is room, else only a count. */
static void wave_list_wave(struct wdbg_gpu *gpu,
			   const struct amdgpudbg_wave_coord *at,
			   struct list *list)
{
	const struct wdbg_hw_ops *ops = gpu->hw.ops;
	bool ttmps = list->args->flags & AMDGPUDBG_WAVE_LIST_TTMP;
	bool room = list->count < list->capacity;

	if (!room && !list->args->select.wave_flags_mask &&
	    !list->args->select.stage_mask && !list->session->target) {
		if (list->select.vmids & BIT(ops->wave->vmid(&gpu->hw, at)) &&
		    ops->wave->state(&gpu->hw, at) & WDBG_WAVE_VALID)
			list->count++;
		return;
	}
	if (!wdbg_select_read(&list->select, at, list->want, ttmps,
			      &list->spare))
		return;
	if (room)
		list->waves[list->count] = list->spare;
	list->count++;
}

static int wave_list_simd(struct wdbg_gpu *gpu, struct amdgpudbg_wave_coord *at,
			  u32 live, void *arg)
{
	for (at->wave = 0; live >> at->wave; at->wave++)
		if (live & BIT(at->wave))
			wave_list_wave(gpu, at, arg);
	return 0;
}

/* Until the end of the turn */
static int wave_list_scan(struct list *list)
{
	int ret = wdbg_wave_scan_turn(list->session->gpu, &list->select.place,
				      &list->from, wave_list_simd, list);

	list->more = ret > 0;
	return min(ret, 0);
}

static void wave_list_note_time(struct list *list)
{
	struct amdgpudbg_wave_list *args = list->args;

	args->time = ktime_get_ns();
	if (args->flags & AMDGPUDBG_WAVE_LIST_GPU_TIME)
		args->gpu_time = wdbg_power_clock(list->session->gpu);
}

/* With all waves halted, and in one turn, because the list shows one moment */
static int wave_list_scan_halted(struct list *list)
{
	bool hold = list->args->flags & AMDGPUDBG_WAVE_LIST_HOLD;
	u32 timeout_ms = list->args->timeout_ms;
	struct wdbg_place xccs = { .xccs = list->select.place.xccs };
	struct wdbg_group group = {
		.session = list->session,
		.seen = list->seen,
		.vmids = list->select.vmids,
		.place = xccs.xccs ? &xccs : NULL,
		.pasid = list->args->select.pasid,
		.timeout_ms = timeout_ms,
		.deadline = wdbg_wave_deadline(timeout_ms),
		.keep = hold,
	};
	int ret = 0, err;

	if (hold)
		ret = wdbg_target_shows_nothing(list->session,
						list->args->flags & AMDGPUDBG_WAVE_LIST_FORCE);
	if (!ret)
		ret = wdbg_group_halt(&group);
	if (!ret) {
		wave_list_note_time(list);
		list->select.vmids = group.vmids;
		list->args->num_halted = group.halted - group.halted_before;
		ret = wdbg_wave_scan(list->session->gpu, &list->select.place,
				     wave_list_simd, list);
	}
	if (!ret && hold)
		return 0;
	err = wdbg_group_resume(&group);
	return ret ? ret : err;
}

/* With new waves stalled: so no slot can go to another process's wave and come back. */
static int wave_list_scan_stalled(struct list *list, int (*fn)(struct list *list))
{
	struct wdbg_gpu *gpu = list->session->gpu;
	u32 vmids = list->select.vmids;
	int ret;

	if (!vmids)
		return 0;
	wdbg_bank_lock(&gpu->hw);
	ret = wdbg_stall_begin(gpu, vmids);
	wdbg_bank_unlock(&gpu->hw);
	if (ret)
		return ret;
	ret = fn(list);
	wdbg_bank_lock(&gpu->hw);
	wdbg_stall_end(gpu, vmids);
	wdbg_bank_unlock(&gpu->hw);
	return ret;
}

static int wave_list_scan_wanted(struct list *list)
{
	if (list->snapshot)
		return wave_list_scan_stalled(list, wave_list_scan_halted);
	if (wdbg_scope_is_strict(list->session))
		return wave_list_scan_stalled(list, wave_list_scan);
	return wave_list_scan(list);
}

static int wave_list_allowed(const struct list *list)
{
	struct wdbg_session *session = list->session;
	int ret = wdbg_scope_check(session, list->snapshot ? WDBG_TO_CONTROL :
							     WDBG_TO_LOOK);

	if (!ret && session->gpu->sleeping &&
	    list->args->flags & AMDGPUDBG_WAVE_LIST_HOLD)
		ret = wdbg_busy(session, AMDGPUDBG_BUSY_SLEEP);
	return ret;
}

/* Report the begin of a job before any of its waves is listed. */
static void wave_list_report_jobs(struct wdbg_gpu *gpu)
{
	const struct wdbg_part *const *p;

	for (p = gpu->parts; *p; p++)
		if ((*p)->listed)
			(*p)->listed(gpu);
}

/* Each turn is like a call of its own. */
static int wave_list_turn(struct list *list)
{
	struct amdgpudbg_wave_list *args = list->args;
	struct wdbg_session *session = list->session;
	struct wdbg_gpu *gpu = session->gpu;
	int ret, bracket;

	if (wdbg_gpu_lock_killable(gpu, session))
		return -EINTR;
	ret = wave_list_allowed(list);
	if (!ret)
		ret = wdbg_session_power_begin(session, &bracket);
	if (!ret) {
		ret = wdbg_select_begin(&list->select, session, &args->select);
		/* Values of the first turn, so that a later reset shows */
		if (!list->begun) {
			args->gpu_reset_count = gpu->reset_seen;
			if (!list->snapshot || !list->select.vmids)
				wave_list_note_time(list);
		}
		list->begun = true;
		list->more = false;
		if (!ret)
			ret = wave_list_scan_wanted(list);
		wdbg_halt_budget_update(gpu);
		wdbg_session_power_end(session, bracket);
		wave_list_report_jobs(gpu);
	}
	wdbg_gpu_unlock(gpu);
	return ret;
}

static int wave_list_read(struct list *list)
{
	int ret;

	do {
		ret = wave_list_turn(list);
	} while (!ret && list->more);
	return ret;
}

static int wave_list_check_flags(const struct list *list)
{
	const struct amdgpudbg_wave_list *args = list->args;

	if (args->flags & AMDGPUDBG_WAVE_LIST_GPU_TIME && !list->session->gpu->clock_khz)
		return -EOPNOTSUPP;
	if (args->flags & AMDGPUDBG_WAVE_LIST_FORCE &&
	    !(args->flags & AMDGPUDBG_WAVE_LIST_HOLD))
		return -EINVAL;
	if (args->__reserved)
		return -EINVAL;
	if (args->timeout_ms > (list->snapshot ? AMDGPUDBG_TIMEOUT_MS_MAX : 0))
		return -EINVAL;
	return 0;
}

/* The registers that @hw_want names or stands for */
static u64 wave_list_want(const struct wdbg_gpu *gpu, u64 hw_want)
{
	const struct wdbg_reg_ops *regs = gpu->hw.ops->regs;
	u64 want = hw_want & ~(AMDGPUDBG_HW_WANT_PC | AMDGPUDBG_HW_WANT_EXEC);

	BUILD_BUG_ON(AMDGPUDBG_WAVE_NUM_HW > 62);
	if (hw_want & AMDGPUDBG_HW_WANT_PC)
		want |= 3ULL << regs->pc;
	if (hw_want & AMDGPUDBG_HW_WANT_EXEC)
		want |= 3ULL << regs->exec;
	return want ?: regs->default_want;
}

/* Only registers that the GPU has */
static int wave_list_check_want(const struct list *list)
{
	const struct wdbg_reg_ops *regs = list->session->gpu->hw.ops->regs;
	u32 i;

	for (i = 0; i < BITS_PER_TYPE(list->want); i++)
		if (list->want & BIT_ULL(i) &&
		    (i >= regs->num_hwregs || !regs->hwregs[i].index))
			return -EOPNOTSUPP;
	return 0;
}

static int wave_list_check_args(const struct list *list)
{
	const struct amdgpudbg_wave_list *args = list->args;
	int ret;

	ret = wave_list_check_flags(list);
	if (!ret)
		ret = wave_list_check_want(list);
	if (!ret)
		ret = wdbg_select_check(list->session->gpu, &args->select);
	if (ret)
		return ret;
	return wdbg_check_records(args->waves, args->capacity,
				  args->entry_size, AMDGPUDBG_WAVE_SIZE_V1);
}

/* Find out before waves are halted whether the results can be written. */
static int wave_list_try_out(const struct list *list)
{
	const struct amdgpudbg_wave_list *args = list->args;

	return fault_in_safe_writeable(u64_to_user_ptr(args->waves),
				       (size_t)list->capacity * args->entry_size) ?
	       -EFAULT : 0;
}

static int wave_list_make_room(struct list *list)
{
	if (list->snapshot) {
		list->seen = wdbg_group_room(list->session->gpu);
		if (!list->seen)
			return -ENOMEM;
	}
	if (list->capacity) {
		list->waves = kvcalloc(list->capacity, sizeof(*list->waves),
				       GFP_KERNEL_ACCOUNT);
		if (!list->waves)
			return -ENOMEM;
	}
	return 0;
}

/* The processes of the waves, each looked up once */
static int wave_list_find_pids(struct list *list)
{
	struct wdbg_gpu *gpu = list->session->gpu;
	u32 num = min(list->count, list->capacity), i, k;
	struct drm_device *ddev = NULL;
	struct amdgpudbg_wave *waves = list->waves;

	if (wdbg_gpu_lock_killable(gpu, list->session))
		return -EINTR;
	if (gpu->adev) {
		ddev = gpu->ddev;
		drm_dev_get(ddev);
	}
	wdbg_gpu_unlock(gpu);
	if (!ddev)
		return -ENODEV;
	for (i = 0; i < num; i++) {
		if (!(waves[i].flags & AMDGPUDBG_WAVE_PASID))
			continue;
		for (k = 0; k < i && waves[k].pasid != waves[i].pasid; k++)
			;
		waves[i].pid = k < i ? waves[k].pid :
				wdbg_job_list_owner(gpu, ddev, NULL, waves[i].pasid);
	}
	drm_dev_put(ddev);
	return 0;
}

static int wave_list_make(struct list *list)
{
	int ret;

	ret = wave_list_make_room(list);
	if (!ret && list->snapshot)
		ret = wave_list_try_out(list);
	if (!ret)
		ret = wave_list_read(list);
	if (!ret && list->args->flags & AMDGPUDBG_WAVE_LIST_PID)
		ret = wave_list_find_pids(list);
	if (!ret)
		ret = wdbg_put_records(list->args->waves,
				       list->args->entry_size, list->waves,
				       sizeof(*list->waves),
				       min(list->count, list->capacity));
	kvfree(list->waves);
	kvfree(list->seen);
	return ret;
}

static struct list wave_list_of(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_wave_list *args = cmd->data;
	struct wdbg_gpu *gpu = cmd->session->gpu;

	return (struct list){
		.session = cmd->session,
		.args = args,
		.snapshot = cmd->ioctl == &wdbg_wave_snapshot,
		.want = wave_list_want(gpu, args->hw_want),
		.capacity = min(args->capacity, gpu->num_slots),
	};
}

static int wave_list_check(struct wdbg_cmd *cmd)
{
	const struct list list = wave_list_of(cmd);
	struct amdgpudbg_wave_list *args = cmd->data;

	args->num_halted = 0;
	args->time = 0;
	args->gpu_time = 0;
	return wave_list_check_args(&list);
}

static int wave_list_run(struct wdbg_cmd *cmd)
{
	struct list list = wave_list_of(cmd);
	struct amdgpudbg_wave_list *args = cmd->data;
	int ret;

	args->hw_offset = offsetof(struct amdgpudbg_wave, hw);
	args->num_hw = min_t(u32, AMDGPUDBG_WAVE_NUM_HW,
			     (args->entry_size - args->hw_offset) / sizeof(u32));
	ret = wave_list_make(&list);
	if (ret)
		return ret;
	args->count = list.count;
	return list.count > args->capacity ? -EMSGSIZE : 0;
}

const struct wdbg_ioctl wdbg_wave_list = {
	.flags = LIST_FLAGS,
	.check = wave_list_check,
	.run = wave_list_run,
};

const struct wdbg_ioctl wdbg_wave_snapshot = {
	.flags = LIST_FLAGS | AMDGPUDBG_WAVE_LIST_HOLD | AMDGPUDBG_WAVE_LIST_FORCE,
	.check = wave_list_check,
	.run = wave_list_run,
};

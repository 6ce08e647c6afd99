// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMDGPUDBG_IOC_WATCH_SET and AMDGPUDBG_IOC_WATCH_CLEAR: address watches on accesses of
 * the target's waves, in the VMID that is reserved for it.
 *
 * There are a few for the whole GPU, and amdkfd has no record of them that could be
 * shared: an active watch that this module has not set belongs to another user.
 */
#include <linux/log2.h>

#include "gpu.h"
#include "hw/mmio.h"
#include "ioctl.h"
#include "session.h"
#include "target/target.h"

/**
 * struct wdbg_watch_slot - one of the hardware's watches
 * @owner: the session that has set it, or NULL
 * @now: contents of its registers, if it has an owner
 * @before: their contents before
 */
struct wdbg_watch_slot {
	struct wdbg_session *owner;
	struct wdbg_watch_regs now;
	struct wdbg_watch_regs before;
};

static struct wdbg_watch_slot *watch_slot(const struct wdbg_gpu *gpu, u32 id)
{
	struct wdbg_watch_slot *slots = wdbg_part_data(gpu, &wdbg_watch_part);

	return &slots[id];
}

static bool watch_owns(const struct wdbg_watch_slot *slot,
		       const struct wdbg_session *session)
{
	return slot->owner && (!session || slot->owner == session);
}

static bool watch_uses_vmid(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	int i;

	for (i = 0; i < WDBG_MAX_WATCHES; i++)
		if (watch_owns(watch_slot(gpu, i), session))
			return true;
	return false;
}

/* Find a free watch; without one, record which user has them. */
static int watch_find_free(struct wdbg_session *session)
{
	struct wdbg_gpu *gpu = session->gpu;
	const struct wdbg_watch_ops *ops = gpu->hw.ops->watch;
	struct wdbg_session *other = NULL;
	u32 id;

	for (id = 0; id < ops->num; id++) {
		if (!watch_slot(gpu, id)->owner && !ops->valid(&gpu->hw, id))
			return id;
		if (watch_slot(gpu, id)->owner != session && !other)
			other = watch_slot(gpu, id)->owner;
	}
	return other ? wdbg_busy_with(session, AMDGPUDBG_BUSY_WATCH, other) :
		       -ENOSPC;
}

static int watch_set_free(struct wdbg_session *session,
			  const struct wdbg_watch *watch, u32 *id)
{
	struct wdbg_gpu *gpu = session->gpu;
	const struct wdbg_watch_ops *ops = gpu->hw.ops->watch;
	struct wdbg_watch_regs got;
	struct wdbg_watch_slot *slot;
	int ret;

	ret = wdbg_guard_enter(session);
	if (!ret)
		ret = watch_find_free(session);
	if (ret < 0)
		return ret;
	*id = ret;
	slot = watch_slot(gpu, *id);
	ops->encode(watch, &slot->now);
	ops->read(&gpu->hw, *id, &slot->before);
	ops->write(&gpu->hw, *id, &slot->now);
	ops->read(&gpu->hw, *id, &got);
	if (!ops->same(&got, &slot->now)) {
		ops->write(&gpu->hw, *id, &slot->before);
		return -EIO;
	}
	slot->owner = session;
	return 0;
}

static int watch_set_reserved(struct wdbg_session *session, struct wdbg_watch *watch,
			      struct amdgpudbg_watch_set *args)
{
	struct wdbg_hw *hw = &session->gpu->hw;
	int ret, bracket;

	ret = wdbg_session_power_begin(session, &bracket);
	if (ret)
		return ret;
	wdbg_bank_lock(hw);
	ret = watch_set_free(session, watch, &args->id);
	wdbg_bank_unlock(hw);
	wdbg_session_power_end(session, bracket);
	return ret;
}

/* Can an access to the target's memory hit it? */
static bool watch_is_address(u64 address, u64 granule)
{
	return !(address & (granule - 1)) && wdbg_is_va(address);
}

static struct wdbg_watch watch_of(const struct amdgpudbg_watch_set *args)
{
	return (struct wdbg_watch){
		.address = wdbg_va_signed(args->address),
		.mask = args->flags & AMDGPUDBG_WATCH_SET_MASK ?
			args->mask : ~(args->bytes - 1),
		.mode = args->mode,
	};
}

static int watch_check_args(const struct wdbg_watch_ops *ops,
			    const struct amdgpudbg_watch_set *args)
{
	const struct wdbg_watch watch = watch_of(args);

	if (args->mode > AMDGPUDBG_WATCH_ALL ||
	    !watch_is_address(args->address, ops->granule))
		return -EINVAL;
	if (args->flags & AMDGPUDBG_WATCH_SET_MASK) {
		if (args->bytes)
			return -EINVAL;
	} else if (args->mask || !is_power_of_2(args->bytes) ||
		   args->bytes < ops->granule) {
		return -EINVAL;
	}
	/* The hardware cannot ignore these bits, and cannot compare those. */
	if (~watch.mask & ops->always || watch.mask & (ops->granule - 1))
		return -EINVAL;
	/* Nothing could ever hit it. */
	return watch.address & ~watch.mask ? -EINVAL : 0;
}

/* Within wdbg_bank_lock(). */
static void watch_write_back(struct wdbg_gpu *gpu, u32 id)
{
	struct wdbg_watch_slot *slot = watch_slot(gpu, id);

	gpu->hw.ops->watch->write(&gpu->hw, id, &slot->before);
	slot->owner = NULL;
}

static int watch_clear_locked(struct wdbg_session *session, u32 id)
{
	struct wdbg_gpu *gpu = session->gpu;
	int ret, bracket;

	if (!gpu->adev)
		return -ENODEV;
	if (id >= gpu->hw.ops->watch->num || watch_slot(gpu, id)->owner != session)
		return -ENOENT;
	ret = wdbg_session_power_begin(session, &bracket);
	if (ret)
		return ret;
	/* A reset may have cleared it, which is only noticed now. */
	if (watch_slot(gpu, id)->owner == session) {
		wdbg_bank_lock(&gpu->hw);
		watch_write_back(gpu, id);
		wdbg_bank_unlock(&gpu->hw);
	} else {
		ret = -ENOENT;
	}
	wdbg_session_power_end(session, bracket);
	wdbg_vmid_share_release_unused(session);
	return ret;
}

static int watch_set_check(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_watch_set *args = cmd->data;

	args->id = 0;
	args->vmid = 0;
	return watch_check_args(cmd->session->gpu->hw.ops->watch, args);
}

static int watch_set_run(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_watch_set *args = cmd->data;
	struct wdbg_session *session = cmd->session;
	struct wdbg_watch watch = watch_of(args);
	int ret;

	ret = wdbg_vmid_share_begin(session, cmd->try, &args->vmid);
	watch.vmid = args->vmid;
	if (!ret)
		ret = watch_set_reserved(session, &watch, args);
	wdbg_vmid_share_release_unused(session);
	return ret;
}

/* The caller does not know its number. */
static void watch_set_undo(struct wdbg_cmd *cmd)
{
	const struct amdgpudbg_watch_set *args = cmd->data;

	wdbg_gpu_lock(cmd->session->gpu, cmd->session);
	watch_clear_locked(cmd->session, args->id);
	wdbg_vmid_end_call(cmd->session);
}

const struct wdbg_ioctl wdbg_watch_set = {
	.flags = AMDGPUDBG_WATCH_SET_MASK,
	.check = watch_set_check,
	.run = watch_set_run,
	.undo = watch_set_undo,
	.locked = true,
	.reserves = true,
};

static int watch_clear_run(struct wdbg_cmd *cmd)
{
	const struct amdgpudbg_watch_clear *args = cmd->data;

	return watch_clear_locked(cmd->session, args->id);
}

const struct wdbg_ioctl wdbg_watch_clear = {
	.run = watch_clear_run,
	.locked = true,
	.reserves = true,
};

/* A full reset clears all of them, the reset of a ring or a job none. */
static void watch_after_reset(struct wdbg_gpu *gpu)
{
	const struct wdbg_watch_ops *ops = gpu->hw.ops->watch;
	struct wdbg_watch_slot *slot;
	struct wdbg_watch_regs got;
	u32 id;

	if (!watch_uses_vmid(gpu, NULL))
		return;
	wdbg_bank_lock(&gpu->hw);
	for (id = 0; id < ops->num; id++) {
		slot = watch_slot(gpu, id);
		if (!slot->owner)
			continue;
		ops->read(&gpu->hw, id, &got);
		if (!ops->same(&got, &slot->now))
			slot->owner = NULL;
	}
	wdbg_bank_unlock(&gpu->hw);
}

static void watch_restore(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	u32 id;

	if (!watch_uses_vmid(gpu, session))
		return;
	wdbg_bank_lock(&gpu->hw);
	for (id = 0; id < gpu->hw.ops->watch->num; id++)
		if (watch_owns(watch_slot(gpu, id), session))
			watch_write_back(gpu, id);
	wdbg_bank_unlock(&gpu->hw);
}

/* If the registers cannot be reached, they watch nothing. */
static void watch_discard(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	u32 id;

	for (id = 0; id < WDBG_MAX_WATCHES; id++)
		if (watch_owns(watch_slot(gpu, id), session))
			watch_slot(gpu, id)->owner = NULL;
}

static void watch_revoke(struct wdbg_gpu *gpu)
{
	u32 id;

	lockdep_assert_held(gpu->hw.bank_lock);
	for (id = 0; id < gpu->hw.ops->watch->num; id++)
		if (watch_slot(gpu, id)->owner)
			gpu->hw.ops->watch->write(&gpu->hw, id,
						  &watch_slot(gpu, id)->before);
}

static void watch_vmid_revoked(struct wdbg_gpu *gpu, u32 vmid)
{
	watch_discard(gpu, NULL);
}

const struct wdbg_part wdbg_watch_part = {
	.id = WDBG_PART_WATCH,
	.when = WDBG_AT_SLEEP | WDBG_FOR_VMID | WDBG_AT_END,
	.data_size = WDBG_MAX_WATCHES * sizeof(struct wdbg_watch_slot),
	.restore = watch_restore,
	.discard = watch_discard,
	.revoke = watch_revoke,
	.vmid_revoked = watch_vmid_revoked,
	.after_reset = watch_after_reset,
	.uses_vmid = watch_uses_vmid,
};

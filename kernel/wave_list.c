// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMDGPUDBG_IOC_WAVE_LIST.
 */
#include <linux/capability.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/uaccess.h>

#include "main.h"
#include "power.h"
#include "wave.h"

/* A record cannot grow beyond this, so that a wrong entry_size is noticed. */
#define MAX_ENTRY_SIZE	4096

/**
 * struct list - one listing on its way
 * @vmid_mask: wanted VMIDs
 * @waves: where the records go
 * @capacity: how many fit there
 * @count: how many there are
 * @known: VMIDs whose PASID was read
 * @pasid: the PASIDs
 */
struct list {
	u32 vmid_mask;
	struct amdgpudbg_wave *waves;
	u32 capacity;
	u32 count;
	u32 known;
	u32 pasid[WDBG_NUM_VMID];
};

static u32 pasid_of(struct wdbg_gpu *gpu, struct list *list, u32 vmid)
{
	if (!(list->known & BIT(vmid))) {
		list->pasid[vmid] = gpu->hw.ops->vmid_pasid(&gpu->hw, vmid);
		list->known |= BIT(vmid);
	}
	return list->pasid[vmid];
}

/* One live wave: a record while there is room, else only a count. */
static void list_wave(struct wdbg_gpu *gpu,
		      const struct amdgpudbg_wave_coord *at,
		      struct list *list)
{
	const struct wdbg_hw_ops *ops = gpu->hw.ops;
	struct amdgpudbg_wave *wave;

	if (!(list->vmid_mask & BIT(ops->wave_vmid(&gpu->hw, at))))
		return;
	if (list->count >= list->capacity) {
		if (ops->wave_state(&gpu->hw, at) & WDBG_WAVE_VALID)
			list->count++;
		return;
	}

	wave = &list->waves[list->count];
	if (!ops->read_wave(&gpu->hw, at, wave))
		return;
	/* The slot may have been given to another wave meanwhile. */
	if (!(list->vmid_mask & BIT(wave->vmid)))
		return;
	wave->pasid = pasid_of(gpu, list, wave->vmid);
	if (wave->pasid)
		wave->flags |= AMDGPUDBG_WAVE_PASID;
	list->count++;
}

static int list_simd(struct wdbg_gpu *gpu, struct amdgpudbg_wave_coord *at,
		     u32 live, void *arg)
{
	for (at->wave = 0; live >> at->wave; at->wave++)
		if (live & BIT(at->wave))
			list_wave(gpu, at, arg);
	return 0;
}

static int read_list(struct wdbg_session *session, struct list *list,
		     struct amdgpudbg_wave_list *args)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_hw *hw = &gpu->hw;
	u32 reads, writes;
	int ret, bracket;

	if (mutex_lock_killable(&gpu->lock))
		return -EINTR;
	ret = wdbg_power_begin(session, &bracket);
	if (!ret) {
		reads = hw->reads;
		writes = hw->writes;
		ret = wdbg_wave_scan(gpu, NULL, list_simd, list);
		args->reg_reads = hw->reads - reads;
		args->reg_writes = hw->writes - writes;
		args->gpu_reset_count = gpu->reset_seen;
		wdbg_power_end(gpu, bracket);
	}
	mutex_unlock(&gpu->lock);
	return ret;
}

static int copy_out(const struct list *list, u64 address, u32 entry_size)
{
	size_t len = min_t(size_t, entry_size, sizeof(*list->waves));
	u32 i, num = min(list->count, list->capacity);
	u8 __user *to = u64_to_user_ptr(address);

	for (i = 0; i < num; i++, to += entry_size) {
		if (copy_to_user(to, &list->waves[i], len))
			return -EFAULT;
		if (clear_user(to + len, entry_size - len))
			return -EFAULT;
	}
	return 0;
}

static int check_args(const struct amdgpudbg_wave_list *args)
{
	u64 bytes = (u64)args->capacity * args->entry_size, end;

	if (args->flags)
		return -EOPNOTSUPP;
	if (args->__reserved)
		return -EINVAL;
	if (args->vmid_mask & ~GENMASK(WDBG_NUM_VMID - 1, 1))
		return -EINVAL;
	/* __reserved is the last member of the record's first version. */
	if (args->entry_size < offsetofend(struct amdgpudbg_wave, __reserved) ||
	    args->entry_size > MAX_ENTRY_SIZE)
		return -EINVAL;
	if (check_add_overflow((u64)args->waves, bytes, &end))
		return -EFAULT;
	return 0;
}

/**
 * wdbg_wave_list() - AMDGPUDBG_IOC_WAVE_LIST
 * @cmd: the call
 *
 * Return: 0 or an error of the ABI.
 */
int wdbg_wave_list(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_wave_list *args = cmd->data;
	struct wdbg_gpu *gpu = cmd->session->gpu;
	struct list list = { };
	int ret;

	ret = check_args(args);
	if (ret)
		return ret;
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;

	list.vmid_mask = args->vmid_mask;
	if (!list.vmid_mask)
		list.vmid_mask = GENMASK(WDBG_NUM_VMID - 1, 1);
	list.capacity = min(args->capacity, gpu->num_slots);
	if (list.capacity) {
		list.waves = kvcalloc(list.capacity, sizeof(*list.waves),
				      GFP_KERNEL);
		if (!list.waves)
			return -ENOMEM;
	}

	ret = read_list(cmd->session, &list, args);
	if (!ret)
		ret = copy_out(&list, args->waves, args->entry_size);
	kvfree(list.waves);
	if (ret)
		return ret;

	args->entry_size = sizeof(struct amdgpudbg_wave);
	args->count = list.count;
	ret = wdbg_respond(cmd, sizeof(*args));
	if (!ret && list.count > args->capacity)
		ret = -EMSGSIZE;
	return ret;
}

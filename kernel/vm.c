// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMDGPUDBG_IOC_VM_ACCESS and AMDGPUDBG_IOC_VM_LIST: access the target's memory by
 * address, and list its mappings. target/patch.c handles patches, and transfer.c
 * copies.
 */
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>

#include "amdgpu/amdgpu.h"
#include "event/event.h"
#include "gpu.h"
#include "ioctl.h"
#include "session.h"
#include "target/target.h"
#include "transfer.h"

/* Number of mappings that are listed at once */
#define LIST_CHUNK	256

#define ALL_FLAGS	(AMDGPUDBG_VM_ACCESS_WRITE | \
			 AMDGPUDBG_VM_ACCESS_PATCH | \
			 AMDGPUDBG_VM_ACCESS_UNPATCH | \
			 AMDGPUDBG_VM_ACCESS_UNPATCH_KEEP)

/* Get the address without its sign; false: the address is not valid. */
static bool vm_is_va(u64 va, u64 *plain)
{
	*plain = va & (WDBG_VA_END - 1);
	return wdbg_is_va(va);
}

/* Lock the GPU, and begin to use the target's address space. */
static int vm_lock(struct wdbg_session *session)
{
	int ret = wdbg_target_lock(session);

	if (!ret && wdbg_mappings_unsupported_reason(session->gpu)) {
		wdbg_gpu_unlock(session->gpu);
		ret = -EOPNOTSUPP;
	}
	return ret;
}

/* Checked first: a caller without the right gets this error, whatever else is wrong. */
static int vm_may_use(struct wdbg_session *session)
{
	int ret = vm_lock(session);

	if (!ret)
		wdbg_gpu_unlock(session->gpu);
	return ret;
}

/* ----------------------------------------------------------------- access */

static int vm_copy_plain(struct wdbg_transfer *t)
{
	struct wdbg_session *session = t->session;

	return wdbg_mappings_copy(session->gpu, session->target->drm, &t->copy);
}

static int vm_set_patch(struct wdbg_transfer *t)
{
	return wdbg_patch_set(t->session, &t->copy);
}

static int vm_clear_patch(struct wdbg_transfer *t)
{
	return wdbg_patch_clear(t->session, &t->copy);
}

static int vm_clear_patch_keep(struct wdbg_transfer *t)
{
	return wdbg_patch_clear_keep(t->session, &t->copy);
}

/* Does the error mean that the address is wrong? */
static bool vm_is_bad(int error, const struct wdbg_vm_copy *copy)
{
	return copy->tried && (error == -ENXIO || error == -EACCES ||
			       error == -EOPNOTSUPP || error == -EBUSY);
}

static int vm_access(struct wdbg_session *session,
		     struct amdgpudbg_vm_access *args)
{
	struct wdbg_transfer t = {
		.session = session, .bytes = args->bytes, .run = vm_copy_plain,
		.user = u64_to_user_ptr(args->data), .copy.write = args->flags,
	};
	int ret;

	if (args->flags & AMDGPUDBG_VM_ACCESS_PATCH)
		t.run = vm_set_patch;
	if (args->flags & AMDGPUDBG_VM_ACCESS_UNPATCH) {
		t.run = vm_clear_patch;
		t.no_user = true;
	}
	if (args->flags & AMDGPUDBG_VM_ACCESS_UNPATCH_KEEP)
		t.run = vm_clear_patch_keep;

	ret = vm_may_use(session);
	if (ret)
		return ret;
	if (!vm_is_va(args->va, &t.copy.va)) {
		args->bad = args->va;
		return args->bytes ? -ENXIO : 0;
	}
	ret = wdbg_transfer(&t);
	args->done = t.done;
	if (vm_is_bad(ret, &t.copy)) {
		args->bad = args->va + args->done;
		args->kind = t.copy.kind;
	}
	return ret;
}

/* Whole dwords within a page, so that it is one mapping */
static bool vm_is_patch(const struct amdgpudbg_vm_access *args)
{
	return args->bytes && args->bytes <= AMDGPUDBG_PATCH_BYTES_MAX &&
	       IS_ALIGNED(args->va | args->bytes, sizeof(u32)) &&
	       (args->va & (SZ_4K - 1)) + args->bytes <= SZ_4K;
}

static int vm_access_check(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_vm_access *args = cmd->data;

	args->done = 0;
	args->bad = 0;
	args->kind = 0;
	if (args->bytes > AMDGPUDBG_VM_ACCESS_MAX)
		return -EINVAL;
	switch (args->flags) {
	case 0:
	case AMDGPUDBG_VM_ACCESS_WRITE:
		return 0;
	case AMDGPUDBG_VM_ACCESS_WRITE | AMDGPUDBG_VM_ACCESS_PATCH:
		return vm_is_patch(args) ? 0 : -EINVAL;
	case AMDGPUDBG_VM_ACCESS_UNPATCH:
	case AMDGPUDBG_VM_ACCESS_UNPATCH | AMDGPUDBG_VM_ACCESS_UNPATCH_KEEP:
		return vm_is_patch(args) && !args->data ? 0 : -EINVAL;
	}
	return -EINVAL;
}

static int vm_access_run(struct wdbg_cmd *cmd)
{
	return vm_access(cmd->session, cmd->data);
}

const struct wdbg_ioctl wdbg_vm_access = {
	.flags = ALL_FLAGS,
	.check = vm_access_check,
	.run = vm_access_run,
};

/* ------------------------------------------------------------------- list */

/**
 * struct list - a list in progress
 * @args: the call
 * @next: address that comes next, without sign
 * @last: last address of the range
 * @mappings: room for LIST_CHUNK records
 * @num: number of records in it
 * @began: the first records were made
 */
struct list {
	struct amdgpudbg_vm_list *args;
	u64 next;
	u64 last;
	struct amdgpudbg_mapping *mappings;
	u32 num;
	bool began;
};

static int vm_list_chunk(struct wdbg_session *session, struct list *list)
{
	int ret = vm_lock(session);

	if (ret)
		return ret;
	/* Generation of the first chunk: a later change makes another one. */
	if (!list->began)
		list->args->generation = wdbg_mapping_generation(session);
	list->began = true;
	list->num = LIST_CHUNK;
	ret = wdbg_mappings_list(session->gpu, session->target->drm,
				 &list->next, list->last, list->mappings,
				 &list->num);
	wdbg_gpu_unlock(session->gpu);
	return ret;
}

/* Copy the records that fit. Counts all. */
static int vm_copy_out(struct list *list)
{
	struct amdgpudbg_vm_list *args = list->args;
	u32 room = args->capacity - min(args->count, args->capacity);
	u64 to = args->mappings + (u64)args->count * args->entry_size;

	args->count += list->num;
	return wdbg_put_records(to, args->entry_size, list->mappings,
				sizeof(*list->mappings), min(list->num, room));
}

static int vm_list_all(struct wdbg_session *session, struct list *list)
{
	unsigned long deadline = wdbg_transfer_deadline();
	int ret;

	do {
		if (fatal_signal_pending(current))
			return -EINTR;
		ret = vm_list_chunk(session, list);
		if (!ret) {
			ret = vm_copy_out(list);
			deadline = wdbg_transfer_deadline();
		} else if (ret == -EAGAIN) {
			ret = wdbg_transfer_wait(session, deadline);
			/* This is not the end of the list. */
			list->num = 1;
		}
	} while (!ret && list->num && list->next <= list->last);
	return ret;
}

/* Set the range of addresses; false: it is not valid. */
static bool vm_set_range(struct list *list)
{
	const struct amdgpudbg_vm_list *args = list->args;

	list->last = WDBG_VA_END - 1;
	if (!args->bytes)
		return true;
	if (!vm_is_va(args->va, &list->next))
		return false;
	if (args->bytes < WDBG_VA_END - list->next)
		list->last = list->next + args->bytes - 1;
	return true;
}

static int vm_list_check(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_vm_list *args = cmd->data;

	args->count = 0;
	args->generation = 0;
	if (args->va && !args->bytes)
		return -EINVAL;
	return wdbg_check_records(args->mappings, args->capacity,
				  args->entry_size, AMDGPUDBG_MAPPING_SIZE_V1);
}

static int vm_make_list(struct wdbg_session *session, struct list *list)
{
	int ret;

	ret = vm_may_use(session);
	if (ret)
		return ret;
	if (!vm_set_range(list))
		return 0;
	list->mappings = kvmalloc_array(LIST_CHUNK, sizeof(*list->mappings),
					GFP_KERNEL_ACCOUNT);
	if (!list->mappings)
		return -ENOMEM;
	ret = vm_list_all(session, list);
	kvfree(list->mappings);
	return ret;
}

static int vm_list_run(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_vm_list *args = cmd->data;
	struct list list = { .args = args };
	int ret = vm_make_list(cmd->session, &list);

	if (ret)
		return ret;
	return args->count > args->capacity ? -EMSGSIZE : 0;
}

const struct wdbg_ioctl wdbg_vm_list = {
	.check = vm_list_check,
	.run = vm_list_run,
};

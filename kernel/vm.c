// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMDGPUDBG_IOC_VM_ACCESS and AMDGPUDBG_IOC_VM_LIST: the target's memory by its
 * addresses, and what is mapped there. Patches are lease/patch.c's.
 *
 * Everything goes through a buffer of ours, because amdgpu's locks are held while the
 * target's memory is copied, and the caller's may be a mapping of the same GPU. amdgpu
 * may take these locks for as long as it likes: so they are only tried, and the GPU's
 * lock is left before the next try. So it is while memory gets pages that has none.
 */
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>
#include <linux/uaccess.h>

#include "private.h"

/* So much is copied at once, between two looks at the locks. */
#define COPY_CHUNK	SZ_64K

/* So many mappings are listed at once. */
#define LIST_CHUNK	256

/* How long to try without any progress. */
#define BUSY_MS		1000

#define ALL_FLAGS	(AMDGPUDBG_VM_ACCESS_WRITE | \
			 AMDGPUDBG_VM_ACCESS_PATCH | \
			 AMDGPUDBG_VM_ACCESS_UNPATCH)

/* The address without its sign; false: there is no such address. */
static bool is_va(u64 va, u64 *plain)
{
	*plain = va & (WDBG_VA_END - 1);
	return wdbg_is_va(va);
}

/* Begin to use the target's address space. */
static int lock_vm(struct wdbg_session *session)
{
	int ret = wdbg_target_lock(session);

	if (!ret && wdbg_mappings_why_not(session->gpu)) {
		wdbg_gpu_unlock(session->gpu);
		ret = -EOPNOTSUPP;
	}
	return ret;
}

/* A moment, until the next try. */
static int wait_a_moment(struct wdbg_session *session, unsigned long deadline)
{
	int ret;

	if (time_after(jiffies, deadline)) {
		wdbg_gpu_lock(session->gpu, session);
		ret = wdbg_busy(session, AMDGPUDBG_BUSY_MOVED);
		wdbg_gpu_unlock(session->gpu);
		return ret;
	}
	schedule_timeout_killable(1);
	return fatal_signal_pending(current) ? -EINTR : 0;
}

/* Who may not is told so, whatever else is wrong. */
static int may_use_vm(struct wdbg_session *session)
{
	int ret = lock_vm(session);

	if (!ret)
		wdbg_gpu_unlock(session->gpu);
	return ret;
}

static unsigned long new_deadline(void)
{
	return jiffies + msecs_to_jiffies(BUSY_MS);
}

/* ----------------------------------------------------------------- access */

/**
 * struct access - one access on its way
 * @session: the session
 * @args: the call
 * @copy: the piece that comes next
 * @absent: needs pages before that; NULL: nothing does
 * @run: does it
 */
struct access {
	struct wdbg_session *session;
	struct amdgpudbg_vm_access *args;
	struct wdbg_vm_copy copy;
	struct drm_gem_object *absent;
	int (*run)(struct wdbg_session *session, struct wdbg_vm_copy *copy);
};

static int copy_plain(struct wdbg_session *session, struct wdbg_vm_copy *copy)
{
	return wdbg_mappings_copy(session->gpu, session->target->drm, copy);
}

static int run_locked(struct access *access)
{
	struct wdbg_session *session = access->session;
	struct wdbg_vm_copy *copy = &access->copy;
	struct wdbg_gpu *gpu = session->gpu;
	int ret, bracket;

	copy->done = 0;
	copy->kind = AMDGPUDBG_KIND_NONE;
	ret = lock_vm(session);
	if (ret)
		return ret;
	ret = wdbg_session_power_begin(session, &bracket);
	if (!ret) {
		ret = access->run(session, copy);
		wdbg_session_power_end(session, bracket);
		copy->tried = true;
	}
	if (access->absent)
		wdbg_gpu_hold(gpu);
	wdbg_gpu_unlock(gpu);
	return ret;
}

/* One piece, and copies it out or in. Adds to @args->done. */
static int access_some(struct access *access)
{
	struct amdgpudbg_vm_access *args = access->args;
	struct wdbg_vm_copy *copy = &access->copy;
	void __user *user = u64_to_user_ptr(args->data + args->done);
	bool data = !(args->flags & AMDGPUDBG_VM_ACCESS_UNPATCH);
	int ret;

	copy->bytes = min_t(u64, args->bytes - args->done, COPY_CHUNK);
	if (copy->write && data && copy_from_user(copy->data, user, copy->bytes))
		return -EFAULT;
	ret = run_locked(access);
	if (!copy->write && copy_to_user(user, copy->data, copy->done))
		return -EFAULT;
	copy->va += copy->done;
	args->done += copy->done;
	return ret;
}

/* It may have been unmapped meanwhile: the next try tells. */
static int populate(struct access *access)
{
	int ret = wdbg_object_populate(access->absent);

	access->absent = NULL;
	wdbg_gpu_closed(access->session->gpu);
	return ret;
}

/* access_some(), and what it has found to be done before. */
static int access_or_populate(struct access *access, unsigned long *deadline)
{
	int ret = access_some(access), err;

	if (access->absent) {
		err = populate(access);
		ret = ret == -ENODATA ? err : ret;
	}
	if (!ret || access->copy.done)
		*deadline = new_deadline();
	return ret;
}

static int access_all(struct access *access)
{
	struct amdgpudbg_vm_access *args = access->args;
	unsigned long deadline = new_deadline();
	int ret = 0;

	while (!ret && args->done < args->bytes) {
		if (fatal_signal_pending(current))
			return -EINTR;
		access->copy.tried = false;
		ret = access_or_populate(access, &deadline);
		if (ret == -EAGAIN)
			ret = wait_a_moment(access->session, deadline);
	}
	return ret;
}

/* Is it the address that is wrong? */
static bool is_bad(int error, const struct wdbg_vm_copy *copy)
{
	return copy->tried && (error == -ENXIO || error == -EACCES ||
			       error == -EOPNOTSUPP || error == -EBUSY);
}

static int access_vm(struct wdbg_session *session,
		     struct amdgpudbg_vm_access *args)
{
	struct access access = {
		.session = session, .args = args, .run = copy_plain,
	};
	struct wdbg_vm_copy *copy = &access.copy;
	int ret;

	copy->write = args->flags;
	copy->hold = &access.absent;
	if (args->flags & AMDGPUDBG_VM_ACCESS_PATCH)
		access.run = wdbg_patch_set;
	if (args->flags & AMDGPUDBG_VM_ACCESS_UNPATCH)
		access.run = wdbg_patch_clear;

	ret = may_use_vm(session);
	if (ret)
		return ret;
	if (!is_va(args->va, &copy->va)) {
		args->bad = args->va;
		return args->bytes ? -ENXIO : 0;
	}
	/* What has come there is copied out on amdgpu's word alone. */
	copy->data = kvzalloc(min_t(u64, args->bytes, COPY_CHUNK), GFP_KERNEL);
	if (!copy->data)
		return -ENOMEM;
	ret = access_all(&access);
	if (is_bad(ret, copy)) {
		args->bad = args->va + args->done;
		args->kind = copy->kind;
	}
	kvfree(copy->data);
	return ret;
}

/* Whole dwords within a page, so that it is one mapping. */
static bool is_patch(const struct amdgpudbg_vm_access *args)
{
	return args->bytes && args->bytes <= AMDGPUDBG_PATCH_BYTES_MAX &&
	       IS_ALIGNED(args->va | args->bytes, sizeof(u32)) &&
	       (args->va & (SZ_4K - 1)) + args->bytes <= SZ_4K;
}

static int check_access(const struct amdgpudbg_vm_access *args)
{
	if (args->flags & ~ALL_FLAGS)
		return -EOPNOTSUPP;
	if (args->__reserved || args->bytes > AMDGPUDBG_VM_ACCESS_MAX)
		return -EINVAL;
	switch (args->flags) {
	case 0:
	case AMDGPUDBG_VM_ACCESS_WRITE:
		return 0;
	case AMDGPUDBG_VM_ACCESS_WRITE | AMDGPUDBG_VM_ACCESS_PATCH:
		return is_patch(args) ? 0 : -EINVAL;
	case AMDGPUDBG_VM_ACCESS_UNPATCH:
		return is_patch(args) && !args->data ? 0 : -EINVAL;
	}
	return -EINVAL;
}

/**
 * wdbg_vm_access() - AMDGPUDBG_IOC_VM_ACCESS
 * @cmd: the call
 *
 * Return: 0 or an error of the ABI.
 */
int wdbg_vm_access(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_vm_access *args = cmd->data;
	int ret, err;

	ret = check_access(args);
	if (ret)
		return ret;
	args->done = 0;
	args->bad = 0;
	args->kind = 0;
	/* A structure that cannot be written is noticed before anything changes. */
	ret = wdbg_respond(cmd, sizeof(*args));
	if (ret)
		return ret;
	ret = access_vm(cmd->session, args);
	err = wdbg_respond(cmd, sizeof(*args));
	return ret ? ret : err;
}

/* ------------------------------------------------------------------- list */

/**
 * struct list - one listing on its way
 * @args: the call
 * @next: address that comes next, without sign
 * @last: the last that is wanted
 * @mappings: for LIST_CHUNK records
 * @num: how many there are now
 */
struct list {
	struct amdgpudbg_vm_list *args;
	u64 next;
	u64 last;
	struct amdgpudbg_mapping *mappings;
	u32 num;
};

static int list_chunk(struct wdbg_session *session, struct list *list)
{
	int ret = lock_vm(session);

	if (ret)
		return ret;
	list->num = LIST_CHUNK;
	ret = wdbg_mappings_list(session->gpu, session->target->drm,
				 &list->next, list->last, list->mappings,
				 &list->num);
	wdbg_gpu_unlock(session->gpu);
	return ret;
}

/* Those that fit. Counts all. */
static int copy_out(struct list *list)
{
	struct amdgpudbg_vm_list *args = list->args;
	u32 room = args->capacity - min(args->count, args->capacity);
	u64 to = args->mappings + (u64)args->count * args->entry_size;

	args->count += list->num;
	return wdbg_put_records(to, args->entry_size, list->mappings,
				sizeof(*list->mappings), min(list->num, room));
}

static int list_all(struct wdbg_session *session, struct list *list)
{
	unsigned long deadline = new_deadline();
	int ret;

	do {
		if (fatal_signal_pending(current))
			return -EINTR;
		ret = list_chunk(session, list);
		if (!ret) {
			ret = copy_out(list);
			deadline = new_deadline();
		} else if (ret == -EAGAIN) {
			ret = wait_a_moment(session, deadline);
			/* Not the end of the list. */
			list->num = 1;
		}
	} while (!ret && list->num && list->next <= list->last);
	return ret;
}

/* Which addresses; false: there are none such. */
static bool set_range(struct list *list)
{
	const struct amdgpudbg_vm_list *args = list->args;

	list->last = WDBG_VA_END - 1;
	if (!args->bytes)
		return true;
	if (!is_va(args->va, &list->next))
		return false;
	if (args->bytes < WDBG_VA_END - list->next)
		list->last = list->next + args->bytes - 1;
	return true;
}

static int check_list(const struct amdgpudbg_vm_list *args)
{
	if (args->flags)
		return -EOPNOTSUPP;
	if (args->__reserved || (args->va && !args->bytes))
		return -EINVAL;
	return wdbg_check_records(args->mappings, args->capacity,
				  args->entry_size, AMDGPUDBG_MAPPING_SIZE_V1);
}

static int make_list(struct wdbg_session *session, struct list *list)
{
	int ret;

	ret = may_use_vm(session);
	if (ret)
		return ret;
	if (!set_range(list))
		return 0;
	list->mappings = kvmalloc_array(LIST_CHUNK, sizeof(*list->mappings),
					GFP_KERNEL);
	if (!list->mappings)
		return -ENOMEM;
	ret = list_all(session, list);
	kvfree(list->mappings);
	return ret;
}

/**
 * wdbg_vm_list() - AMDGPUDBG_IOC_VM_LIST
 * @cmd: the call
 *
 * Return: 0 or an error of the ABI.
 */
int wdbg_vm_list(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_vm_list *args = cmd->data;
	struct list list = { .args = args };
	int ret;

	ret = check_list(args);
	if (ret)
		return ret;
	args->count = 0;
	ret = wdbg_respond(cmd, sizeof(*args));
	if (!ret)
		ret = make_list(cmd->session, &list);
	if (ret)
		return ret;
	ret = wdbg_respond(cmd, sizeof(*args));
	if (!ret && args->count > args->capacity)
		ret = -EMSGSIZE;
	return ret;
}

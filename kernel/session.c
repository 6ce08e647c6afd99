// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions: each open of a node creates one. The parts take back what a session changes
 * on a GPU, in the order of parts.c; then its share of the power reference goes, and
 * the last one allows GFXOFF and runtime PM again.
 *
 * Waves are resumed by a command to each that the session owns; in a VMID where the
 * session has halted all waves, and no other session any, also by a broadcast. Before
 * the system sleeps, all other halted waves are resumed as well, except amdkfd's:
 * amdgpu waits for all jobs then, and until it is awake again, no wave can be halted.
 */
#include <linux/overflow.h>
#include <linux/pid.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "amdgpu/amdgpu.h"
#include "gpu.h"
#include "ioctl.h"
#include "session.h"

#define FIRST_TICK_MS	20

/**
 * wdbg_session_open() - open a device node
 * @inode: unused
 * @file: its private_data is the node's miscdevice, and becomes the session
 *
 * Context: misc_open() keeps the node registered during the call, and the node keeps
 *	its GPU.
 * Return: 0; -EMFILE if the user has too many sessions; -ENOMEM.
 */
int wdbg_session_open(struct inode *inode, struct file *file)
{
	struct wdbg_gpu *gpu = container_of(file->private_data,
					    struct wdbg_gpu, misc);
	struct wdbg_session *session;
	int ret;

	session = kzalloc(sizeof(*session), GFP_KERNEL_ACCOUNT);
	if (!session)
		return -ENOMEM;
	session->user = wdbg_user_open();
	if (IS_ERR(session->user)) {
		ret = PTR_ERR(session->user);
		kfree(session);
		return ret;
	}
	session->gpu = wdbg_gpu_get(gpu);
	session->opener = get_task_pid(current, PIDTYPE_TGID);
	INIT_LIST_HEAD(&session->node);
	INIT_LIST_HEAD(&session->calls);
	spin_lock_init(&session->calls_lock);
	wdbg_events_init(&session->events);
	INIT_LIST_HEAD(&session->buffers);
	INIT_LIST_HEAD(&session->patches);
	file->private_data = session;
	return stream_open(inode, file);
}

/**
 * wdbg_session_free() - free a session
 * @session: the session, which has nothing on its GPU
 */
void wdbg_session_free(struct wdbg_session *session)
{
	wdbg_events_free(&session->events);
	put_pid(session->opener);
	wdbg_user_close(session->user);
	wdbg_gpu_put(session->gpu);
	kfree(session);
}

/**
 * wdbg_respond() - copy an ioctl's structure back to its caller
 * @cmd: the call
 * @len: size of the structure in bytes
 *
 * Return: 0 or -EFAULT.
 */
int wdbg_respond(struct wdbg_cmd *cmd, size_t len)
{
	if (copy_to_user(cmd->ubuffer, cmd->data,
			 min_t(size_t, cmd->user_size, len)))
		return -EFAULT;
	return 0;
}

/**
 * wdbg_is_stride() - check the distance between entries of a caller's array
 * @entry_size: the distance in bytes
 * @min_size: size of an entry as first published, in bytes
 *
 * Return: true if it is valid.
 */
bool wdbg_is_stride(u32 entry_size, u32 min_size)
{
	return entry_size >= min_size && entry_size <= AMDGPUDBG_SIZE_MAX;
}

/**
 * wdbg_check_records() - check a caller's array before records are written to it
 * @address: its address
 * @capacity: how many records fit there
 * @entry_size: distance of two records in bytes
 * @min_size: size of a record as first published, in bytes
 *
 * Return: 0, -EINVAL or -EFAULT.
 */
int wdbg_check_records(u64 address, u32 capacity, u32 entry_size, u32 min_size)
{
	u64 end;

	if (!wdbg_is_stride(entry_size, min_size))
		return -EINVAL;
	if (check_add_overflow(address, (u64)capacity * entry_size, &end))
		return -EFAULT;
	return 0;
}

/**
 * wdbg_copy_op() - copy one operation of a caller's batch
 * @op: out; begins with a signed and an unsigned word, error and __reserved, and the
 *	structure that follows begins with its size
 * @size: size of @op in bytes
 * @min_size: size of that structure as first published
 * @from: the caller's operation
 * @entry_size: distance of the caller's operations in bytes
 *
 * Return: 0; -EFAULT; -EINVAL; -E2BIG as for the structure of an ioctl.
 */
int wdbg_copy_op(void *op, size_t size, u32 min_size, const void __user *from,
		 u32 entry_size)
{
	const size_t head = 2 * sizeof(u32);
	u32 *words = op, user_size;
	int ret;

	if (copy_from_user(op, from, head) ||
	    get_user(user_size, (const u32 __user *)(from + head)))
		return -EFAULT;
	if (words[1] || user_size < min_size || user_size > entry_size - head)
		return -EINVAL;
	ret = copy_struct_from_user(op + head, size - head, from + head,
				    user_size);
	/* The caller may have changed it since it was checked. */
	words[2] = user_size;
	return ret;
}

/**
 * wdbg_put_records() - copy records to a caller
 * @address: the caller's array
 * @entry_size: distance of two records, from wdbg_check_records()
 * @records: the module's records
 * @size: size of one of them in bytes
 * @count: their number
 *
 * Each is written up to the smaller size; the rest of a longer entry is cleared.
 * Return: 0 or -EFAULT.
 */
int wdbg_put_records(u64 address, u32 entry_size, const void *records,
		     size_t size, u32 count)
{
	size_t len = min_t(size_t, entry_size, size);
	u8 __user *to = u64_to_user_ptr(address);

	for (; count; count--, to += entry_size, records += size)
		if (copy_to_user(to, records, len) ||
		    clear_user(to + len, entry_size - len))
			return -EFAULT;
	return 0;
}

/**
 * wdbg_session_enlist() - add a session that has something on a GPU to its list
 * @session: the session
 *
 * Not when it is opened, because misc_open() holds a lock of the whole system then.
 * Context: the GPU's lock is held.
 */
void wdbg_session_enlist(struct wdbg_session *session)
{
	lockdep_assert_held(&session->gpu->lock);
	if (list_empty(&session->node))
		list_add_tail(&session->node, &session->gpu->sessions);
}

/* The ticks of parts that have nothing to check stop at once. */
static void session_begin_ticks(struct wdbg_gpu *gpu)
{
	const struct wdbg_part *const *p;

	for (p = gpu->parts; *p; p++)
		if ((*p)->tick)
			wdbg_part_tick(gpu, *p, FIRST_TICK_MS);
}

/**
 * wdbg_session_power_begin() - begin to use the hardware for a session
 * @session: the session
 * @bracket: out, for wdbg_session_power_end(); or for wdbg_power_end() if the accesses
 *	are not to be counted for the session
 *
 * The GPU stays awake until the session ends.
 * Context: see wdbg_power_begin().
 * Return: see wdbg_power_begin().
 */
int wdbg_session_power_begin(struct wdbg_session *session, int *bracket)
{
	struct wdbg_gpu *gpu = session->gpu;
	int ret;

	lockdep_assert_held(&gpu->lock);
	ret = wdbg_power_begin(gpu, !session->powered, bracket);
	/* A worker that has to wait belongs to no call. */
	if (ret == -EBUSY && !(current->flags & PF_WQ_WORKER))
		wdbg_busy(session, AMDGPUDBG_BUSY_RESET);
	if (ret)
		return ret;
	session->counted_from.reads = gpu->hw.reads;
	session->counted_from.writes = gpu->hw.writes;
	if (session->powered)
		return 0;
	session->powered = true;
	wdbg_session_enlist(session);
	session_begin_ticks(gpu);
	return 0;
}

/**
 * wdbg_session_power_end() - end wdbg_session_power_begin(), in a call
 * @session: the session
 * @bracket: from there
 *
 * Counts the register accesses of the call, for debugfs.
 */
void wdbg_session_power_end(struct wdbg_session *session, int bracket)
{
	struct wdbg_gpu *gpu = session->gpu;

	gpu->call_reads += gpu->hw.reads - session->counted_from.reads;
	gpu->call_writes += gpu->hw.writes - session->counted_from.writes;
	wdbg_power_end(gpu, bracket);
}

/**
 * wdbg_vmid_goes() - check whether the VMID of a session's target is being given back
 * @session: the session
 * @in_time: by a worker, which is not late
 *
 * Context: the GPU's lock is held.
 * Return: true if so; false also without a target.
 */
bool wdbg_vmid_goes(struct wdbg_session *session, bool in_time)
{
	const struct wdbg_part *const *p;
	struct wdbg_gpu *gpu = session->gpu;

	lockdep_assert_held(&gpu->lock);
	for (p = gpu->parts; *p; p++)
		if ((*p)->vmid_goes && (*p)->vmid_goes(gpu, session, in_time))
			return true;
	return false;
}

/* The registers and the state of waves */
static void session_restore_registers(struct wdbg_gpu *gpu,
				      struct wdbg_session *session, u32 when)
{
	const struct wdbg_part *const *p;

	for (p = gpu->parts; *p; p++) {
		if ((*p)->when & when) {
			if ((*p)->restore)
				(*p)->restore(gpu, session);
		} else if (when & WDBG_FOR_WAVES && (*p)->claim_all) {
			(*p)->claim_all(gpu, session);
		}
	}
}

/**
 * wdbg_restore() - take back some of a session's changes of a GPU
 * @gpu: the GPU, attached
 * @session: the session; NULL: all sessions
 * @when: WDBG_AT_* or WDBG_FOR_*: which parts
 *
 * Context: may sleep; the GPU's lock is held; not between wdbg_power_begin() and
 *	wdbg_power_end().
 */
void wdbg_restore(struct wdbg_gpu *gpu, struct wdbg_session *session,
		  u32 when)
{
	const struct wdbg_part *const *p;
	int bracket;

	lockdep_assert_held(&gpu->lock);
	/* Only sessions that have kept the GPU awake can have changed it. */
	if (gpu->power_users && !wdbg_power_begin_cleanup(gpu, &bracket)) {
		session_restore_registers(gpu, session, when);
		wdbg_power_end(gpu, bracket);
	}
	for (p = gpu->parts; *p; p++)
		if ((*p)->discard && (*p)->when & when)
			(*p)->discard(gpu, session);
}

/**
 * wdbg_session_restore() - take back all of a session's changes of a GPU
 * @gpu: the GPU, attached
 * @session: the session
 *
 * Context: the GPU's lock is held; in a worker, because calls of amdgpu must not see
 *	the caller's pending signals.
 */
void wdbg_session_restore(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	const struct wdbg_part *const *p;

	lockdep_assert_held(&gpu->lock);
	wdbg_restore(gpu, session, WDBG_AT_END);
	for (p = gpu->parts; *p; p++)
		if ((*p)->drain)
			(*p)->drain(gpu, false);
	session->vmid_goes = wdbg_vmid_goes(session, false);
	if (!session->powered)
		return;
	session->powered = false;
	wdbg_power_put(gpu);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copy between a caller's memory and that of its target, in pieces: for
 * AMDGPUDBG_IOC_VM_ACCESS and AMDGPUDBG_IOC_MEM_COPY.
 *
 * Each piece goes through a buffer of the module: amdgpu's locks are held while the
 * target's memory is copied, and the caller's memory may be a mapping of the same GPU.
 * The target can hold these locks for any time: they are only tried, and the GPU's lock
 * is released before the next try. It is also released while memory without pages gets
 * some.
 *
 * Assumption about the caller: its pages may never come (FUSE, userfaultfd). So nothing
 * is held while its memory is copied: no lock, no object, and not the GPU, whose unbind
 * would wait (wdbg_gpu_hold()).
 */
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>
#include <linux/uaccess.h>

#include "amdgpu/amdgpu.h"
#include "gpu.h"
#include "session.h"
#include "target/target.h"
#include "transfer.h"

/* Bytes that are copied under the locks at once */
#define COPY_CHUNK	SZ_64K

/* How long to try without any progress */
#define BUSY_MS		1000

/**
 * wdbg_transfer_deadline() - get the time until which to try without progress
 *
 * Return: in jiffies, for wdbg_transfer_wait().
 */
unsigned long wdbg_transfer_deadline(void)
{
	return jiffies + msecs_to_jiffies(BUSY_MS);
}

/**
 * wdbg_transfer_wait() - wait for a moment before the next try
 * @session: the session
 * @deadline: when to stop trying, from wdbg_transfer_deadline()
 *
 * Context: may sleep; the GPU's lock is not held.
 * Return: 0; -EBUSY, recorded as AMDGPUDBG_BUSY_MOVED, after the deadline; -EINTR if
 *	the caller is killed.
 */
int wdbg_transfer_wait(struct wdbg_session *session, unsigned long deadline)
{
	int ret = 0;

	if (time_after(jiffies, deadline)) {
		wdbg_gpu_lock(session->gpu, session);
		/*
		 * The lock of an address space is also held while its VMID is given
		 * back, for up to two seconds with Linux 6.1. The target has not caused
		 * that, so the call waits for it.
		 */
		if (!wdbg_vmid_goes(session, true))
			ret = wdbg_busy(session, AMDGPUDBG_BUSY_MOVED);
		wdbg_gpu_unlock(session->gpu);
		if (ret)
			return ret;
	}
	schedule_timeout_killable(1);
	return fatal_signal_pending(current) ? -EINTR : 0;
}

static int transfer_locked(struct wdbg_transfer *t)
{
	struct wdbg_session *session = t->session;
	struct wdbg_vm_copy *copy = &t->copy;
	int ret, bracket;

	copy->done = 0;
	copy->kind = AMDGPUDBG_KIND_NONE;
	ret = wdbg_target_lock(session);
	if (ret)
		return ret;
	ret = wdbg_session_power_begin(session, &bracket);
	if (!ret) {
		ret = t->run(t);
		wdbg_session_power_end(session, bracket);
		copy->tried = true;
	}
	if (t->absent)
		wdbg_gpu_hold(session->gpu);
	wdbg_gpu_unlock(session->gpu);
	return ret;
}

/* The memory may have been unmapped since it was found: the next try notices that. */
static int transfer_populate(struct wdbg_transfer *t)
{
	int ret = wdbg_object_populate(t->absent);

	t->absent = NULL;
	wdbg_gpu_closed(t->session->gpu);
	return ret;
}

/*
 * Copy one piece, and add its size to @t->done. Memory without pages gets some before
 * the rest of the piece goes to the caller: from then on nothing is held.
 */
static int transfer_some(struct wdbg_transfer *t)
{
	struct wdbg_vm_copy *copy = &t->copy;
	void __user *user = t->user + t->done;
	int ret, err;

	copy->bytes = min_t(u64, t->bytes - t->done, COPY_CHUNK);
	if (copy->write && !t->no_user &&
	    copy_from_user(copy->data, user, copy->bytes))
		return -EFAULT;
	ret = transfer_locked(t);
	if (t->absent) {
		err = transfer_populate(t);
		ret = ret == -ENODATA ? err : ret;
	}
	if (!copy->write && !t->no_user &&
	    copy_to_user(user, copy->data, copy->done))
		return -EFAULT;
	copy->va += copy->done;
	t->done += copy->done;
	return ret;
}

static int transfer_all(struct wdbg_transfer *t)
{
	unsigned long deadline = wdbg_transfer_deadline();
	int ret = 0;

	while (!ret && t->done < t->bytes) {
		if (fatal_signal_pending(current))
			return -EINTR;
		t->copy.tried = false;
		ret = transfer_some(t);
		if (!ret || t->copy.done)
			deadline = wdbg_transfer_deadline();
		if (ret == -EAGAIN)
			ret = wdbg_transfer_wait(t->session, deadline);
	}
	return ret;
}

/**
 * wdbg_transfer() - copy between a caller's memory and that of its target
 * @t: the copy; @t->done is set
 *
 * Context: may sleep; no lock is held. The caller's thread.
 * Return: 0; -EFAULT; -EBUSY if nothing could be copied for a second, see
 *	wdbg_transfer_wait(); -EINTR if the caller is killed; errors of
 *	wdbg_target_lock(), wdbg_session_power_begin() and
 *	@t->run.
 */
int wdbg_transfer(struct wdbg_transfer *t)
{
	int ret;

	t->done = 0;
	t->copy.hold = &t->absent;
	/*
	 * Zeroed: only amdgpu knows how much of it was written when it goes to the
	 * caller.
	 */
	t->copy.data = kvzalloc(min_t(u64, t->bytes, COPY_CHUNK), GFP_KERNEL_ACCOUNT);
	if (!t->copy.data)
		return -ENOMEM;
	ret = transfer_all(t);
	kvfree(t->copy.data);
	return ret;
}

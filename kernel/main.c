// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module entry and exit, and the dispatcher of all ioctls, modelled on Linux's
 * drivers/iommu/iommufd/main.c. Only the dispatcher copies their structures in and out;
 * the handlers get checked sizes and kernel memory. ioctl.h describes the sequence.
 */
#include <linux/compat.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#include "amdgpu/amdgpu.h"
#include "amdgpu/compat.h"
#include "amdgpu/iv.h"
#include "amdgpu/job.h"
#include "amdgpu/vm_log.h"
#include "event/event.h"
#include "gpu.h"
#include "ioctl.h"
#include "registry.h"
#include "session.h"
#include "target/target.h"

union cmd_buffer {
	struct amdgpudbg_info info;
	struct amdgpudbg_capability capability;
	struct amdgpudbg_wave_list wave_list;
	struct amdgpudbg_wave_control wave_control;
	struct amdgpudbg_wave_batch wave_batch;
	struct amdgpudbg_target_set target_set;
	struct amdgpudbg_mem_alloc mem_alloc;
	struct amdgpudbg_mem_free mem_free;
	struct amdgpudbg_mem_copy mem_copy;
	struct amdgpudbg_trap_handler trap_handler;
	struct amdgpudbg_watch_set watch_set;
	struct amdgpudbg_watch_clear watch_clear;
	struct amdgpudbg_launch_set launch_set;
	struct amdgpudbg_event_enable event_enable;
	struct amdgpudbg_reg_access reg_access;
	struct amdgpudbg_vm_access vm_access;
	struct amdgpudbg_vm_list vm_list;
	struct amdgpudbg_busy busy;
	struct amdgpudbg_job_list job_list;
};

/**
 * struct ioctl_op - one ioctl
 * @cmd: its number
 * @size: of its structure as this module knows it, in bytes
 * @min_size: of its structure as first published, in bytes
 * @busy: offset of the member that receives the cause of -EBUSY; 0: it never returns
 *	that
 * @changes: flags with which it changes the GPU or the target, ALWAYS: also without any.
 *	A file that was opened for reading only may not do that.
 * @ioctl: its handler
 */
struct ioctl_op {
	unsigned int cmd;
	unsigned int size;
	unsigned int min_size;
	unsigned int busy;
	unsigned int changes;
	const struct wdbg_ioctl *ioctl;
};

#define ALWAYS	UINT_MAX

#define IOCTL_OP(_name, _ioctl, _struct, _min_size, ...)		\
	[AMDGPUDBG_CMD_##_name - AMDGPUDBG_CMD_BASE] = {		\
		.cmd = AMDGPUDBG_IOC_##_name,				\
		.size = sizeof(_struct) +				\
			BUILD_BUG_ON_ZERO(sizeof(union cmd_buffer) <	\
					  sizeof(_struct)) +		\
			BUILD_BUG_ON_ZERO(offsetof(_struct, size)) +	\
			BUILD_BUG_ON_ZERO(offsetof(_struct, flags) !=	\
					  sizeof(u32)) +		\
			BUILD_BUG_ON_ZERO(sizeof(_struct) % 8),		\
		.min_size = (_min_size),				\
		.ioctl = &(_ioctl),					\
		##__VA_ARGS__						\
	}

/* An ioctl that can return -EBUSY */
#define BUSY_OP(_name, _ioctl, _struct, _min_size, ...)			\
	IOCTL_OP(_name, _ioctl, _struct, _min_size,			\
		 .busy = offsetof(_struct, busy), ##__VA_ARGS__)
/* An ioctl that can return -EBUSY, and that changes something with the flags @_changes */
#define CHANGE_OP(_name, _ioctl, _struct, _min_size, _changes)		\
	BUSY_OP(_name, _ioctl, _struct, _min_size, .changes = (_changes))

static const struct ioctl_op ioctl_ops[] = {
	IOCTL_OP(GET_INFO, wdbg_get_info,
		 struct amdgpudbg_info, AMDGPUDBG_INFO_SIZE_V1),
	IOCTL_OP(GET_CAPABILITY, wdbg_get_capability,
		 struct amdgpudbg_capability, AMDGPUDBG_CAPABILITY_SIZE_V1),
	BUSY_OP(WAVE_LIST, wdbg_wave_list,
		struct amdgpudbg_wave_list, AMDGPUDBG_WAVE_LIST_SIZE_V1),
	CHANGE_OP(WAVE_SNAPSHOT, wdbg_wave_snapshot,
		  struct amdgpudbg_wave_list, AMDGPUDBG_WAVE_LIST_SIZE_V1,
		  ALWAYS),
	CHANGE_OP(WAVE_CONTROL, wdbg_wave_control,
		  struct amdgpudbg_wave_control, AMDGPUDBG_WAVE_CONTROL_SIZE_V1,
		  ALWAYS),
	BUSY_OP(TARGET_SET, wdbg_target_set,
		struct amdgpudbg_target_set, AMDGPUDBG_TARGET_SET_SIZE_V1),
	CHANGE_OP(MEM_ALLOC, wdbg_mem_alloc,
		  struct amdgpudbg_mem_alloc, AMDGPUDBG_MEM_ALLOC_SIZE_V1,
		  ALWAYS),
	CHANGE_OP(MEM_FREE, wdbg_mem_free,
		  struct amdgpudbg_mem_free, AMDGPUDBG_MEM_FREE_SIZE_V1,
		  ALWAYS),
	CHANGE_OP(MEM_COPY, wdbg_mem_copy,
		  struct amdgpudbg_mem_copy, AMDGPUDBG_MEM_COPY_SIZE_V1,
		  AMDGPUDBG_MEM_COPY_WRITE),
	CHANGE_OP(TRAP_HANDLER, wdbg_trap_handler,
		  struct amdgpudbg_trap_handler, AMDGPUDBG_TRAP_HANDLER_SIZE_V1,
		  ALWAYS),
	CHANGE_OP(WATCH_SET, wdbg_watch_set,
		  struct amdgpudbg_watch_set, AMDGPUDBG_WATCH_SET_SIZE_V1,
		  ALWAYS),
	CHANGE_OP(WATCH_CLEAR, wdbg_watch_clear,
		  struct amdgpudbg_watch_clear, AMDGPUDBG_WATCH_CLEAR_SIZE_V1,
		  ALWAYS),
	CHANGE_OP(LAUNCH_SET, wdbg_launch_set,
		  struct amdgpudbg_launch_set, AMDGPUDBG_LAUNCH_SET_SIZE_V1,
		  ALWAYS),
	CHANGE_OP(WAVE_BATCH, wdbg_wave_batch,
		  struct amdgpudbg_wave_batch, AMDGPUDBG_WAVE_BATCH_SIZE_V1,
		  ALWAYS),
	BUSY_OP(EVENT_ENABLE, wdbg_event_enable,
		struct amdgpudbg_event_enable, AMDGPUDBG_EVENT_ENABLE_SIZE_V1),
	CHANGE_OP(REG_ACCESS, wdbg_reg_access,
		  struct amdgpudbg_reg_access, AMDGPUDBG_REG_ACCESS_SIZE_V1,
		  AMDGPUDBG_REG_ACCESS_WRITE),
	BUSY_OP(REG_BATCH, wdbg_reg_batch,
		struct amdgpudbg_reg_batch, AMDGPUDBG_REG_BATCH_SIZE_V1),
	CHANGE_OP(VM_ACCESS, wdbg_vm_access,
		  struct amdgpudbg_vm_access, AMDGPUDBG_VM_ACCESS_SIZE_V1,
		  AMDGPUDBG_VM_ACCESS_WRITE | AMDGPUDBG_VM_ACCESS_UNPATCH),
	BUSY_OP(VM_LIST, wdbg_vm_list,
		struct amdgpudbg_vm_list, AMDGPUDBG_VM_LIST_SIZE_V1),
	IOCTL_OP(GET_BUSY, wdbg_get_busy,
		 struct amdgpudbg_busy, AMDGPUDBG_BUSY_SIZE_V1),
	BUSY_OP(JOB_LIST, wdbg_job_list,
		struct amdgpudbg_job_list, AMDGPUDBG_JOB_LIST_SIZE_V1),
};

/* All structures begin with their size and their flags, see IOCTL_OP(). */
static u32 main_flags(const struct wdbg_cmd *cmd)
{
	return ((const u32 *)cmd->data)[1];
}

static void main_begin_call(struct wdbg_cmd *cmd)
{
	struct wdbg_session *session = cmd->session;

	cmd->task = current;
	spin_lock(&session->calls_lock);
	list_add(&cmd->node, &session->calls);
	spin_unlock(&session->calls_lock);
}

static void main_end_call(struct wdbg_cmd *cmd)
{
	struct wdbg_session *session = cmd->session;

	spin_lock(&session->calls_lock);
	list_del(&cmd->node);
	spin_unlock(&session->calls_lock);
}

/* Returns true if the GPU has to be locked and the handler run again. */
static bool main_unlock(struct wdbg_cmd *cmd, int *ret)
{
	if (cmd->ioctl->reserves)
		return wdbg_vmid_again(cmd->session, ret);
	wdbg_gpu_unlock(cmd->session->gpu);
	return false;
}

static int main_run_locked(struct wdbg_cmd *cmd)
{
	struct wdbg_gpu *gpu = cmd->session->gpu;
	const struct wdbg_ioctl *ioctl = cmd->ioctl;
	int ret;

	do {
		if (wdbg_gpu_lock_killable(gpu, cmd->session))
			return -EINTR;
		ret = gpu->adev || ioctl->detached ? ioctl->run(cmd) : -ENODEV;
	} while (main_unlock(cmd, &ret));
	return ret;
}

static int main_run(struct wdbg_cmd *cmd)
{
	const struct wdbg_ioctl *ioctl = cmd->ioctl;
	int ret = 0;

	if (ioctl->prepare)
		ret = ioctl->prepare(cmd);
	if (!ret)
		ret = ioctl->locked ? main_run_locked(cmd) : ioctl->run(cmd);
	kvfree(cmd->room);
	return ret;
}

/* The sequence that ioctl.h describes */
static int main_handle(const struct ioctl_op *op, struct wdbg_cmd *cmd)
{
	const struct wdbg_ioctl *ioctl = cmd->ioctl;
	int ret = 0;

	if (ioctl->by_itself)
		return ioctl->run(cmd);
	if (main_flags(cmd) & ~ioctl->flags)
		return -EOPNOTSUPP;
	if (ioctl->check)
		ret = ioctl->check(cmd);
	if (!ret)
		ret = wdbg_respond(cmd, op->size);
	if (ret)
		return ret;
	ret = main_run(cmd);
	if (!wdbg_respond(cmd, op->size) || ret)
		return ret;
	if (ioctl->undo)
		ioctl->undo(cmd);
	return -EFAULT;
}

/*
 * Only this function writes the cause of -EBUSY. In structures that are written back
 * after success, the word is zero.
 */
static int main_run_call(const struct ioctl_op *op, struct wdbg_cmd *cmd)
{
	u32 __user *busy = cmd->ubuffer + op->busy;
	int ret;

	if (op->busy)
		*(u32 *)(cmd->data + op->busy) = AMDGPUDBG_BUSY_NONE;
	main_begin_call(cmd);
	ret = main_handle(op, cmd);
	main_end_call(cmd);
	if (ret == -EBUSY && op->busy && put_user(cmd->busy, busy))
		return -EFAULT;
	return ret;
}

/* The operations of a batch of accesses are checked when they are copied. */
static bool main_changes(const struct ioctl_op *op, const struct wdbg_cmd *cmd)
{
	return op->changes == ALWAYS || main_flags(cmd) & op->changes;
}

static long main_ioctl(struct file *file, unsigned int nr, unsigned long arg)
{
	unsigned int i = _IOC_NR(nr) - AMDGPUDBG_CMD_BASE;
	struct wdbg_vmid_try try = { };
	const struct ioctl_op *op;
	struct wdbg_cmd cmd = {
		.session = file->private_data,
		.ubuffer = (void __user *)arg,
		.read_only = !(file->f_mode & FMODE_WRITE),
		.try = &try,
	};
	union cmd_buffer buf;
	int ret;

	if (i >= ARRAY_SIZE(ioctl_ops) || ioctl_ops[i].cmd != nr)
		return -ENOTTY;
	op = &ioctl_ops[i];
	cmd.ioctl = op->ioctl;

	ret = get_user(cmd.user_size, (u32 __user *)cmd.ubuffer);
	if (ret)
		return ret;
	if (cmd.user_size < op->min_size)
		return -EINVAL;
	if (cmd.user_size > AMDGPUDBG_SIZE_MAX)
		return -E2BIG;
	ret = copy_struct_from_user(&buf, op->size, cmd.ubuffer,
				    cmd.user_size);
	if (ret)
		return ret;
	cmd.data = &buf;
	if (cmd.read_only && main_changes(op, &cmd))
		return -EBADF;
	return main_run_call(op, &cmd);
}

/*
 * Take everything back at once: a session that is restored but still known to the GPU
 * would be found as a listener for events, and get again what it has just released.
 */
static void main_close_session(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	wdbg_session_restore(gpu, session);
	wdbg_target_discard(session, false);
	list_del_init(&session->node);
	wdbg_event_source_update(gpu);
}

static int main_release(struct inode *inode, struct file *file)
{
	struct wdbg_session *session = file->private_data;
	struct wdbg_gpu *gpu = session->gpu;

	if (wdbg_clean(gpu, session, main_close_session)) {
		wdbg_buffer_drain(gpu);
		if (session->vmid_goes)
			wdbg_gpu_wait_unreserved(gpu);
	} else {
		/* Detach has taken back everything else. */
		wdbg_gpu_lock(gpu, session);
		list_del(&session->node);
		wdbg_gpu_unlock(gpu);
	}
	wdbg_session_free(session);
	return 0;
}

static const struct file_operations wdbg_fops = {
	.owner = THIS_MODULE,
	.open = wdbg_session_open,
	.release = main_release,
	.read = wdbg_event_read,
	.poll = wdbg_event_poll,
	.unlocked_ioctl = main_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static int __init main_init(void)
{
	int ret;

	ret = wdbg_workqueue_init();
	if (ret)
		return ret;
	ret = wdbg_driver_init();
	if (ret)
		goto err_workqueue;
	ret = wdbg_iv_init();
	if (ret)
		goto err_driver;
	ret = wdbg_jobs_init();
	if (ret)
		goto err_iv;
	ret = wdbg_vm_logs_init();
	if (ret)
		goto err_jobs;
	ret = wdbg_guards_init();
	if (ret)
		goto err_vm_logs;
	ret = wdbg_status_init();
	if (ret)
		goto err_guards;
	/*
	 * Last: nodes can be opened at once, and the error path does not wait for that.
	 */
	ret = wdbg_gpus_init(&wdbg_fops);
	if (ret)
		goto err_status;
	return 0;

err_status:
	wdbg_status_exit();
err_guards:
	wdbg_guards_exit();
err_vm_logs:
	wdbg_vm_logs_exit();
err_jobs:
	wdbg_jobs_exit();
err_iv:
	wdbg_iv_exit();
err_driver:
	wdbg_driver_exit();
err_workqueue:
	wdbg_workqueue_exit();
	return ret;
}

static void __exit main_exit(void)
{
	wdbg_gpus_exit();
	wdbg_status_exit();
	wdbg_guards_exit();
	wdbg_vm_logs_exit();
	wdbg_jobs_exit();
	wdbg_iv_exit();
	/* Before the functions that its works call are removed */
	wdbg_workqueue_exit();
	wdbg_driver_exit();
}

module_init(main_init);
module_exit(main_exit);
MODULE_DESCRIPTION("Wave debugger for AMD GPUs");
MODULE_VERSION(WDBG_VERSION);
MODULE_LICENSE("GPL");

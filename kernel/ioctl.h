/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the dispatcher in main.c calls for each ioctl.
 *
 * The sequence is the same for all: copy the structure in; refuse unknown flags; check
 * the arguments; find out whether the structure can be written, before anything is done;
 * allocate memory; lock the GPU; run; unlock it; write the structure, also after an
 * error. If that fails after the run was successful, the caller does not have the
 * results: undo what would be of no use then.
 *
 * Calls that use the GPU in several steps, with user memory or a wait between them, lock
 * it for each step by themselves.
 */
#ifndef WDBG_IOCTL_H
#define WDBG_IOCTL_H

#include <linux/list.h>
#include <linux/types.h>

struct task_struct;
struct wdbg_gpu;
struct wdbg_ioctl;
struct wdbg_session;
struct wdbg_vmid_try;

/**
 * struct wdbg_cmd - an ioctl in progress
 * @session: the session
 * @ioctl: its handler
 * @ubuffer: the caller's structure
 * @user_size: its size as the caller knows it, in bytes
 * @data: the module's copy, of the size that the module knows
 * @read_only: the node was opened for reading only, so that the call must change nothing
 * @node: in wdbg_session.calls
 * @task: the thread that has called
 * @busy: why it returns -EBUSY, if it does: enum amdgpudbg_busy_cause
 * @room: memory that wdbg_ioctl.prepare() has allocated, or NULL; kvfree() after the run
 * @try: with wdbg_ioctl.reserves, for wdbg_vmid_reserve()
 */
struct wdbg_cmd {
	struct wdbg_session *session;
	const struct wdbg_ioctl *ioctl;
	void __user *ubuffer;
	u32 user_size;
	void *data;
	bool read_only;
	struct list_head node;
	const struct task_struct *task;
	u32 busy;
	void *room;
	struct wdbg_vmid_try *try;
};

/**
 * struct wdbg_ioctl - the handler of an ioctl
 * @flags: the flags that it knows; with others, the call gives -EOPNOTSUPP
 * @check: check the arguments and set the results to zero; changes nothing else, and
 *	does not sleep for a lock. May be NULL
 * @prepare: allocate memory for @run in wdbg_cmd.room, before the GPU is locked. May be
 *	NULL
 * @run: do what is asked for, and fill in the results. They are written to the caller
 *	after an error, too: then they describe what was done until then
 * @undo: the results of a successful @run could not be written. May be NULL
 * @locked: the dispatcher locks the GPU for @run, and gives -ENODEV if it is detached
 * @detached: with @locked: the dispatcher also calls @run for a detached GPU, because @run
 *	checks that after other errors, or does not need the GPU
 * @reserves: with @locked: @run may reserve the target's VMID, or give it back. After
 *	-EAGAIN, the dispatcher waits, locks the GPU and calls @run again, see
 *	wdbg_vmid_reserve(); at the end it waits for a VMID that is being given back
 * @by_itself: @run does all that follows the copy of the structure, see
 *	wdbg_target_set
 *
 * @check, @prepare and @run return 0 or an error of the ABI.
 */
struct wdbg_ioctl {
	u32 flags;
	int (*check)(struct wdbg_cmd *cmd);
	int (*prepare)(struct wdbg_cmd *cmd);
	int (*run)(struct wdbg_cmd *cmd);
	void (*undo)(struct wdbg_cmd *cmd);
	bool locked;
	bool detached;
	bool reserves;
	bool by_itself;
};

extern const struct wdbg_ioctl wdbg_get_info;
extern const struct wdbg_ioctl wdbg_get_busy;
extern const struct wdbg_ioctl wdbg_get_capability;
extern const struct wdbg_ioctl wdbg_wave_list;
extern const struct wdbg_ioctl wdbg_wave_snapshot;
extern const struct wdbg_ioctl wdbg_wave_control;
extern const struct wdbg_ioctl wdbg_wave_batch;
extern const struct wdbg_ioctl wdbg_target_set;
extern const struct wdbg_ioctl wdbg_mem_alloc;
extern const struct wdbg_ioctl wdbg_mem_free;
extern const struct wdbg_ioctl wdbg_mem_copy;
extern const struct wdbg_ioctl wdbg_trap_handler;
extern const struct wdbg_ioctl wdbg_watch_set;
extern const struct wdbg_ioctl wdbg_watch_clear;
extern const struct wdbg_ioctl wdbg_launch_set;
extern const struct wdbg_ioctl wdbg_event_enable;
extern const struct wdbg_ioctl wdbg_reg_access;
extern const struct wdbg_ioctl wdbg_reg_batch;
extern const struct wdbg_ioctl wdbg_vm_access;
extern const struct wdbg_ioctl wdbg_vm_list;
extern const struct wdbg_ioctl wdbg_job_list;

/* session.c */
int wdbg_respond(struct wdbg_cmd *cmd, size_t len);

/* job_list.c */
const char *wdbg_job_list_unsupported_reason(const struct wdbg_gpu *gpu);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions: what one open file of a device node owns.
 */
#ifndef WDBG_SESSION_H
#define WDBG_SESSION_H

#include <linux/fs.h>

#include "event.h"
#include "gpu.h"
#include "target.h"

/**
 * struct wdbg_session - one open file
 * @gpu: its GPU, referenced
 * @events: what it is to be told
 * @node: in wdbg_gpu.sessions, once it has something there
 * @target: the process that it is about, or NULL
 * @target_gone: it had one, and must not act on the whole GPU instead
 * @bounded: it halted waves for a caller without CAP_SYS_ADMIN
 * @leased: it holds the reserved VMID, for watches or a launch mode
 * @powered: it is counted in wdbg_gpu.power_users
 * @vmid_uses: how often it needs wdbg_gpu.reservation
 * @buffers: the buffers that it has put into the target's address space
 * @num_buffers: how many
 * @last_buffer: number of the last one
 *
 * All but @gpu and @events: under the GPU's lock. The waves that it halted are in
 * wdbg_gpu.slots.
 */
struct wdbg_session {
	struct wdbg_gpu *gpu;
	struct wdbg_events events;
	struct list_head node;
	struct wdbg_target *target;
	bool target_gone;
	bool bounded;
	bool leased;
	bool powered;
	unsigned int vmid_uses;
	struct list_head buffers;
	u32 num_buffers;
	u32 last_buffer;
};

/**
 * struct wdbg_cmd - one ioctl on its way
 * @session: whose
 * @ubuffer: the caller's structure
 * @user_size: its size as the caller knows it
 * @data: the module's copy, of the size that the module knows
 */
struct wdbg_cmd {
	struct wdbg_session *session;
	void __user *ubuffer;
	u32 user_size;
	void *data;
};

/* Run with the GPU attached and its lock held. */
typedef void (*wdbg_clean_fn)(struct wdbg_gpu *gpu,
			      struct wdbg_session *session);

int wdbg_session_open(struct inode *inode, struct file *file);
int wdbg_session_release(struct inode *inode, struct file *file);
void wdbg_session_enlist(struct wdbg_session *session);
void wdbg_session_let_go(struct wdbg_gpu *gpu, struct wdbg_session *session);
void wdbg_session_give_back(struct wdbg_gpu *gpu,
			    struct wdbg_session *session);
int wdbg_session_clean(struct wdbg_session *session, wdbg_clean_fn fn);
void wdbg_sessions_end(struct wdbg_gpu *gpu);

/* The ioctls; their errors are in uapi/linux/amdgpudbg.h. */
int wdbg_get_info(struct wdbg_cmd *cmd);
int wdbg_get_capability(struct wdbg_cmd *cmd);
int wdbg_wave_list(struct wdbg_cmd *cmd);
int wdbg_wave_control(struct wdbg_cmd *cmd);
int wdbg_wave_batch(struct wdbg_cmd *cmd);
int wdbg_target_set(struct wdbg_cmd *cmd);
int wdbg_mem_alloc(struct wdbg_cmd *cmd);
int wdbg_mem_free(struct wdbg_cmd *cmd);
int wdbg_mem_copy(struct wdbg_cmd *cmd);
int wdbg_trap_handler(struct wdbg_cmd *cmd);
int wdbg_watch_set(struct wdbg_cmd *cmd);
int wdbg_watch_clear(struct wdbg_cmd *cmd);
int wdbg_launch_set(struct wdbg_cmd *cmd);
int wdbg_event_enable(struct wdbg_cmd *cmd);
int wdbg_reg_access(struct wdbg_cmd *cmd);

extern const struct file_operations wdbg_fops;

#endif /* WDBG_SESSION_H */

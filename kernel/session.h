/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions: what one open file of a device node owns.
 */
#ifndef WDBG_SESSION_H
#define WDBG_SESSION_H

#include <linux/fs.h>

#include "gpu.h"

/**
 * struct wdbg_session - one open file
 * @gpu: its GPU, referenced
 * @powered: it is counted in wdbg_gpu.power_users; under the GPU's lock
 *
 * The waves that it halted are in wdbg_gpu.slots.
 */
struct wdbg_session {
	struct wdbg_gpu *gpu;
	bool powered;
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

int wdbg_session_open(struct inode *inode, struct file *file);
int wdbg_session_release(struct inode *inode, struct file *file);
void wdbg_session_let_go(struct wdbg_gpu *gpu, struct wdbg_session *session);
void wdbg_session_give_back(struct wdbg_gpu *gpu,
			    struct wdbg_session *session);

/* The ioctls; their errors are in uapi/linux/amdgpudbg.h. */
int wdbg_get_info(struct wdbg_cmd *cmd);
int wdbg_get_capability(struct wdbg_cmd *cmd);
int wdbg_wave_list(struct wdbg_cmd *cmd);
int wdbg_wave_control(struct wdbg_cmd *cmd);

extern const struct file_operations wdbg_fops;

#endif /* WDBG_SESSION_H */

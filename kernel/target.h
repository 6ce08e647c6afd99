/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Targets: the process whose waves a session is about, and which VMIDs that
 * lets the session touch.
 */
#ifndef WDBG_TARGET_H
#define WDBG_TARGET_H

#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct drm_file;
struct wdbg_gpu;
struct wdbg_session;

/**
 * struct wdbg_target - a process that uses the GPU
 * @gpu: the GPU, referenced
 * @session: whose target it is; NULL once the session has let go of it. Under
 *	the GPU's lock.
 * @file: the process's own DRM file, referenced: as long as it is open, nobody
 *	else is given its PASID
 * @drm: DRM's part of @file
 * @live_pasid: where amdgpu keeps the PASID of its address space; as long as
 *	@file
 * @pasid: what was there when the hardware was used last
 * @pidfile: the pidfd, referenced, or NULL
 * @queue: where @pidfile tells of the exit; NULL if it does not
 * @wait: our entry there
 * @poll: puts it there
 * @exited: run when @queue was woken
 * @free: run when nobody needs the target any more
 */
struct wdbg_target {
	struct wdbg_gpu *gpu;
	struct wdbg_session *session;
	struct file *file;
	struct drm_file *drm;
	const u32 *live_pasid;
	u32 pasid;
	struct file *pidfile;
	wait_queue_head_t *queue;
	wait_queue_entry_t wait;
	poll_table poll;
	struct work_struct exited;
	struct work_struct free;
};

int wdbg_target_need(struct wdbg_session *session);
u32 wdbg_target_pasid(struct wdbg_target *target);
void wdbg_target_drop(struct wdbg_session *session, bool gone);

int wdbg_scope_check(struct wdbg_session *session);
u32 wdbg_scope_vmids(struct wdbg_session *session);
bool wdbg_scope_has_vmid(struct wdbg_session *session, u32 vmid);

#endif /* WDBG_TARGET_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* The target of a session: which waves are its own, and what a session can set for it */
#ifndef WDBG_TARGET_H
#define WDBG_TARGET_H

#include <linux/completion.h>
#include <linux/list.h>
#include <linux/poll.h>
#include <linux/sizes.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <drm/drm_file.h>

#include "caps.h"
#include "gpu.h"
#include "part.h"

struct drm_gem_object;
struct wdbg_session;
struct wdbg_user;
struct wdbg_vm_copy;

/**
 * struct wdbg_target - a process that uses the GPU
 * @gpu: the GPU, referenced
 * @session: the session whose target this is; NULL once the session has given it up.
 *	Under the GPU's lock.
 * @file: the process's own DRM file, referenced: its PASID is not reused while it is
 *	open
 * @drm: DRM's part of @file
 * @live_pasid: where amdgpu keeps the PASID of its address space; valid as long as
 *	@file
 * @pasid: value of @live_pasid when the hardware was used last
 * @pidfile: the pidfd, referenced, or NULL
 * @queue: wait queue on which @pidfile reports the exit; NULL if it does not
 * @wait: our entry in @queue
 * @poll: adds it
 * @exited: runs when @queue was woken
 * @caller: the user who has set the target, as for wdbg_gpu_lock_for()
 * @user: the user whom it is counted for, once the session has given it up
 * @free: frees the target
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
	const void *caller;
	struct wdbg_user *user;
	struct wdbg_closing free;
};

/**
 * enum wdbg_right - what a session without a target wants to do to the waves of all
 *	processes
 * @WDBG_TO_LOOK: list them and get their events, without stopping any
 * @WDBG_TO_CONTROL: stop and change them, read their registers
 */
enum wdbg_right {
	WDBG_TO_LOOK,
	WDBG_TO_CONTROL,
};

/* target/target.c */
int wdbg_target_need(struct wdbg_session *session);
int wdbg_target_shows_nothing(struct wdbg_session *session, bool force);
int wdbg_target_lock(struct wdbg_session *session);
u32 wdbg_target_pasid(struct wdbg_target *target);
enum wdbg_waves_of wdbg_target_waves(struct wdbg_target *target);
void wdbg_target_discard(struct wdbg_session *session, bool gone);

int wdbg_scope_check(struct wdbg_session *session, enum wdbg_right right);
u32 wdbg_scope_vmids(struct wdbg_session *session);
bool wdbg_scope_has_vmid(struct wdbg_session *session, u32 vmid);
bool wdbg_scope_is_strict(const struct wdbg_session *session);

/* target/guard.c */
extern const struct wdbg_part wdbg_guard_part;
int wdbg_guards_init(void);
void wdbg_guards_exit(void);
const char *wdbg_guard_unsupported_reason(const struct wdbg_gpu *gpu);
const char *wdbg_guard_gap(const struct wdbg_gpu *gpu);
void wdbg_guard_begin(struct wdbg_gpu *gpu, struct drm_file *drm, u32 vmid);
bool wdbg_guard_is_programmed(const struct wdbg_gpu *gpu);
bool wdbg_guard_is_of(struct wdbg_gpu *gpu, struct drm_file *drm);
void wdbg_guard_end(struct wdbg_gpu *gpu);
int wdbg_guard_enter(struct wdbg_session *session);
bool wdbg_guard_is_lost(const struct wdbg_gpu *gpu);
void wdbg_guard_restore(struct wdbg_gpu *gpu);

/**
 * struct wdbg_vmid_try - a call that needs the reserved VMID
 * @count: how often it has got one in which other processes still had jobs
 */
struct wdbg_vmid_try {
	unsigned int count;
};

/* target/reserve.c */
extern const struct wdbg_part wdbg_reserve_part;
const char *wdbg_vmid_unsupported_reason(const struct wdbg_gpu *gpu);
int wdbg_vmid_reserve(struct wdbg_session *session, struct wdbg_vmid_try *try,
		      u32 *vmid);
int wdbg_vmid_wait(struct wdbg_session *session);
void wdbg_vmid_end_call(struct wdbg_session *session);
bool wdbg_vmid_again(struct wdbg_session *session, int *ret);
void wdbg_vmid_release(struct wdbg_session *session);
int wdbg_vmid_check(struct wdbg_session *session, u32 *vmid);
bool wdbg_vmid_is_ours(struct wdbg_gpu *gpu);
u32 wdbg_vmid_reserved(const struct wdbg_gpu *gpu);
struct drm_file *wdbg_vmid_drm(const struct wdbg_gpu *gpu);
void wdbg_vmid_get(struct wdbg_gpu *gpu);
void wdbg_vmid_put(struct wdbg_gpu *gpu);

/* target/vmid_share.c */
extern const struct wdbg_part wdbg_vmid_share_part;
int wdbg_vmid_share_begin(struct wdbg_session *session, struct wdbg_vmid_try *try,
			  u32 *vmid);
void wdbg_vmid_share_release_unused(struct wdbg_session *session);

/*
 * Buffers are mapped in this range: 1 TiB, so that all addresses have the same upper
 * bits.
 */
#define WDBG_BUFFER_BASE	0x600000000000ULL
#define WDBG_BUFFER_SPAN	BIT_ULL(40)

/**
 * struct wdbg_buffer - a buffer object that was put into a target's address space
 * @node: in wdbg_session.buffers, or in a list of its next owner
 * @gpu: the GPU
 * @ddev: its DRM device
 * @file: the target's DRM file, referenced
 * @drm: DRM's part of @file
 * @obj: the object, referenced; NULL once it was removed
 * @handle: of @obj in @drm, unless the target has closed it; only for calls of amdgpu
 *	that take a handle, and never to find @obj
 * @id: the session's number for it
 * @flags: AMDGPUDBG_MEM_ALLOC_*
 * @va: address that it is mapped at
 * @bytes: its size, whole pages
 * @in_handler: it contains, or contained, a trap handler or its memory, and waves that
 *	are still in that handler use it
 * @caller: the user who has asked for it, as for wdbg_gpu_lock_for()
 * @user: the user whom it is counted for
 * @make: creates it
 * @made: completed when that is done, unless @abandoned
 * @error: 0, or why it could not be created; constant once @made
 * @abandoned: its caller does not wait for @made any more; under the GPU's lock
 * @fail_create: for tests, amdgpu does not create it
 * @fail_map: for tests, amdgpu does not map it
 * @gone: it was removed from the address space
 */
struct wdbg_buffer {
	struct list_head node;
	struct wdbg_gpu *gpu;
	struct drm_device *ddev;
	struct file *file;
	struct drm_file *drm;
	struct drm_gem_object *obj;
	u32 handle;
	u32 id;
	u32 flags;
	u64 va;
	u64 bytes;
	bool in_handler;
	const void *caller;
	struct wdbg_user *user;
	struct work_struct make;
	struct completion made;
	int error;
	bool abandoned;
	bool fail_create;
	bool fail_map;
	bool gone;
};

/* target/buffer.c */
extern const struct wdbg_part wdbg_buffer_part;
const char *wdbg_buffer_unsupported_reason(const struct wdbg_gpu *gpu);
struct wdbg_buffer *wdbg_buffer_new(struct wdbg_session *session, u32 flags,
				    u64 bytes);
void wdbg_buffer_delete(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer);
void wdbg_buffer_drain(struct wdbg_gpu *gpu);
int wdbg_buffer_copy(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer,
		     u64 offset, struct wdbg_vm_copy *copy);

/* target/patch.c */
extern const struct wdbg_part wdbg_patch_part;
extern const struct wdbg_part wdbg_patched_part;
int wdbg_patch_set(struct wdbg_session *session, struct wdbg_vm_copy *copy);
int wdbg_patch_clear(struct wdbg_session *session, struct wdbg_vm_copy *copy);
int wdbg_patch_clear_keep(struct wdbg_session *session,
			  struct wdbg_vm_copy *copy);

/* target/launch.c, watch.c, trap.c, memory.c */
extern const struct wdbg_part wdbg_launch_part;
extern const struct wdbg_part wdbg_watch_part;
extern const struct wdbg_part wdbg_trap_part;
extern const struct wdbg_part wdbg_memory_part;
const char *wdbg_trap_unsupported_reason(const struct wdbg_gpu *gpu);
bool wdbg_trap_uses(const struct wdbg_session *session,
		    const struct wdbg_buffer *buffer);
bool wdbg_launch_is_set(const struct wdbg_gpu *gpu, u32 vmid);
bool wdbg_trap_keep(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer);

#endif /* WDBG_TARGET_H */

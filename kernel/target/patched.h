/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory that has patches: see patched.c. */
#ifndef WDBG_TARGET_PATCHED_H
#define WDBG_TARGET_PATCHED_H

#include <linux/rbtree.h>

#include "amdgpu/amdgpu.h"
#include "gpu.h"
#include "session.h"

struct drm_gem_object;
struct wdbg_gpu;
struct wdbg_in_object;
struct wdbg_patch;

/**
 * struct wdbg_patch - bytes that were written over a target's code
 * @node: in wdbg_session.patches of @owner, or wdbg_patches.kept
 * @gpu: the GPU
 * @owner: the session that has written it; NULL: it has to be removed
 * @user: the user whom it is counted for, or NULL
 * @va: address that it was set at, without sign
 * @in: its memory; the object is referenced
 * @patched: that object (target/patched.c)
 * @in_object: in @patched
 * @bytes: its size: whole dwords, within a page
 * @out: it was removed, and is being restored
 * @before: the bytes that it replaces
 * @now: the bytes that were written
 *
 * Under the GPU's lock.
 */
struct wdbg_patch {
	struct list_head node;
	struct wdbg_gpu *gpu;
	struct wdbg_session *owner;
	struct wdbg_user *user;
	u64 va;
	struct wdbg_in_object in;
	struct wdbg_patched *patched;
	struct rb_node in_object;
	u32 bytes;
	bool out;
	u32 before[AMDGPUDBG_PATCH_BYTES_MAX / sizeof(u32)];
	u32 now[AMDGPUDBG_PATCH_BYTES_MAX / sizeof(u32)];
};

/**
 * struct wdbg_patched - a buffer object that has patches
 * @node: in the tree of all of them, by address
 * @gpu: the GPU
 * @obj: amdgpu's object, referenced
 * @patches: wdbg_patch.in_object
 * @close: drops the reference, and frees this
 *
 * Under the GPU's lock.
 */
struct wdbg_patched {
	struct rb_node node;
	struct wdbg_gpu *gpu;
	struct drm_gem_object *obj;
	struct rb_root patches;
	struct wdbg_closing close;
};

struct wdbg_patch *wdbg_patched_overlap(struct wdbg_gpu *gpu,
					const struct wdbg_in_object *in,
					u32 bytes);
void wdbg_patched_add(struct wdbg_patch *patch, struct wdbg_patched *new);
void wdbg_patched_remove(struct wdbg_patch *patch);
bool wdbg_patched_any(const struct wdbg_gpu *gpu);
bool wdbg_patched_is_freed(const struct wdbg_patched *patched);

#endif /* WDBG_TARGET_PATCHED_H */

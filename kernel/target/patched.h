/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory that has patches: see patched.c. */
#ifndef WDBG_TARGET_PATCHED_H
#define WDBG_TARGET_PATCHED_H

#include <linux/rbtree.h>

#include "private.h"

struct drm_gem_object;
struct wdbg_gpu;
struct wdbg_in_object;
struct wdbg_patch;

/**
 * struct wdbg_patched - a buffer object that has patches
 * @node: in wdbg_gpu.patched
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
bool wdbg_patched_is_freed(const struct wdbg_patched *patched);

#endif /* WDBG_TARGET_PATCHED_H */

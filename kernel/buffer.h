/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Buffers in a target's GPU address space.
 */
#ifndef WDBG_BUFFER_H
#define WDBG_BUFFER_H

#include "gpu.h"

struct drm_file;
struct drm_gem_object;
struct wdbg_target;

/**
 * struct wdbg_buffer - a buffer object that was put into a target's address space
 * @node: in wdbg_session.buffers, or where its next owner wants it
 * @file: the target's DRM file, which its owner keeps open
 * @drm: DRM's part of @file
 * @obj: the object, referenced; NULL once it was taken out
 * @handle: of @obj in @drm, unless the target has closed it
 * @id: the session's number for it
 * @va: where it is mapped
 * @bytes: its size, whole pages
 * @in_handler: a trap handler or its memory lies in it, or did, and waves that
 *	are still in that handler use it
 */
struct wdbg_buffer {
	struct list_head node;
	struct file *file;
	struct drm_file *drm;
	struct drm_gem_object *obj;
	u32 handle;
	u32 id;
	u64 va;
	u64 bytes;
	bool in_handler;
};

/* Where buffers are mapped: 1 TiB, so that all have the same bits above. */
#define WDBG_BUFFER_BASE	0x600000000000ULL
#define WDBG_BUFFER_SPAN	BIT_ULL(40)

const char *wdbg_buffer_why_not(const struct wdbg_gpu *gpu);
void wdbg_buffers_init(struct wdbg_gpu *gpu);
void wdbg_buffers_end(struct wdbg_gpu *gpu);
void wdbg_buffers_exit(struct wdbg_gpu *gpu);
struct wdbg_buffer *wdbg_buffer_new(struct wdbg_gpu *gpu,
				    struct wdbg_target *target, u32 flags,
				    u64 bytes);
void wdbg_buffer_delete(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer);
int wdbg_buffer_copy(struct wdbg_buffer *buffer, u64 offset, void *data,
		     size_t bytes, bool write);

#endif /* WDBG_BUFFER_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ioctls of amdgpu as they are, without libdrm: its handles and addresses are what the
 * hostile target plays with. All return 0 or -errno.
 */
#ifndef FUZZ_DRM_H
#define FUZZ_DRM_H

#include <stddef.h>
#include <stdint.h>

#include <amdgpu_drm.h>

#define RENDER_NODE "/dev/dri/renderD128"

int drm_create(int fd, uint64_t bytes, uint32_t domain, uint64_t flags,
	       uint32_t *handle);
/* Pieces of VRAM are as large as @alignment, at least. */
int drm_create_aligned(int fd, uint64_t bytes, uint64_t alignment,
		       uint32_t domain, uint64_t flags, uint32_t *handle);
int drm_close(int fd, uint32_t handle);
/* Where the object is to be from now on; it is moved for the next job. */
int drm_place(int fd, uint32_t handle, uint32_t domain);
int drm_bytes(int fd, uint32_t handle, uint64_t *bytes);
/* @op: AMDGPU_VA_OP_*; of the object, from @offset on */
int drm_va(int fd, uint32_t op, uint32_t handle, uint64_t offset, uint64_t va,
	   uint64_t bytes);
/* NULL: it cannot be mapped. */
void *drm_mmap(int fd, uint32_t handle, size_t bytes);
int drm_ctx(int fd, uint32_t *ctx);
/* Free bytes of VRAM, as amdgpu counts them. */
int drm_vram_free(int fd, uint64_t *bytes);
int drm_unreserve_vmid(int fd);

#define DRM_JOB_DWORDS 64

/* Code of a job that does nothing */
void drm_write_nops(uint32_t *ib);
/*
 * A job that uses @num objects beside those that are always valid. On the graphics ring:
 * on another it could come to wait behind one that spins.
 */
int drm_job(int fd, uint32_t ctx, uint64_t ib_va, const uint32_t *handles,
	    uint32_t num);
/* One without objects; wait until it has ended, at most until @end of CLOCK_MONOTONIC. */
int drm_job_wait(int fd, uint32_t ctx, uint64_t ib_va, int64_t end);

#endif /* FUZZ_DRM_H */

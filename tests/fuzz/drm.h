/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Direct calls of amdgpu's ioctls. They bypass libdrm because the hostile target chooses
 * and exchanges handles and addresses itself. All functions return 0 or -errno.
 */
#ifndef FUZZ_DRM_H
#define FUZZ_DRM_H

#include <stddef.h>
#include <stdint.h>

#include <amdgpu_drm.h>

#define RENDER_NODE "/dev/dri/renderD128"

int drm_create(int fd, uint64_t bytes, uint32_t domain, uint64_t flags,
	       uint32_t *handle);
/* Each piece of VRAM that the object consists of has at least @alignment bytes. */
int drm_create_aligned(int fd, uint64_t bytes, uint64_t alignment,
		       uint32_t domain, uint64_t flags, uint32_t *handle);
int drm_close(int fd, uint32_t handle);
/* Set the memory that the object is to be in; amdgpu moves it before the next job. */
int drm_place(int fd, uint32_t handle, uint32_t domain);
int drm_bytes(int fd, uint32_t handle, uint64_t *bytes);
/* Map, unmap or replace (@op: AMDGPU_VA_OP_*) the object's part that begins at @offset. */
int drm_va(int fd, uint32_t op, uint32_t handle, uint64_t offset, uint64_t va,
	   uint64_t bytes);
/* Returns NULL if the object cannot be mapped. */
void *drm_mmap(int fd, uint32_t handle, size_t bytes);
int drm_ctx(int fd, uint32_t *ctx);
/* Get the number of free bytes of VRAM, as amdgpu counts them. */
int drm_vram_free(int fd, uint64_t *bytes);
int drm_unreserve_vmid(int fd);

#define DRM_JOB_DWORDS 64

/* Write the commands of a job that does nothing. */
void drm_write_nops(uint32_t *ib);
/*
 * Submit a job that uses @num objects besides those that are always valid. It goes to the
 * graphics ring: on another ring, it could have to wait for a job that spins.
 */
int drm_job(int fd, uint32_t ctx, uint64_t ib_va, const uint32_t *handles,
	    uint32_t num);
/* Submit a job without objects and wait for its end, until @end (CLOCK_MONOTONIC). */
int drm_job_wait(int fd, uint32_t ctx, uint64_t ib_va, int64_t end);

#endif /* FUZZ_DRM_H */

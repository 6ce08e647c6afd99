/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of a GPU program that every guest test needs: a device, buffers in its address
 * space, and a compute dispatch, through libdrm_amdgpu only.
 */
#ifndef GUEST_GPU_H
#define GUEST_GPU_H

#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <stdbool.h>
#include <stdint.h>

#include "codeobj.h"

struct gpu {
	int fd;
	amdgpu_device_handle dev;
	amdgpu_context_handle ctx;
};

struct gpu_buffer {
	amdgpu_bo_handle bo;
	amdgpu_va_handle va_handle;
	uint64_t va;
	uint64_t size;
	void *cpu;
};

struct gpu_dispatch {
	const struct codeobj_kernel *kernel;
	uint64_t code_va;	/* of the code object's image */
	uint64_t kernarg_va;
	uint64_t packet_va;	/* 0, or what a kernel gets as its dispatch packet */
	uint32_t groups;
	uint32_t group_size;
	uint32_t lds_bytes;	/* of each group, if the kernel itself does not need more */
	bool graphics;		/* on a graphics ring */
	unsigned int ring;	/* which compute or graphics ring, from 0 */
	uint64_t again_va;	/* 0, or a word: run once more when it becomes 1 */
};

/* All return 0 or -errno. */
int gpu_open(struct gpu *gpu, const char *node);
void gpu_close(struct gpu *gpu);
int gpu_alloc(struct gpu *gpu, struct gpu_buffer *b, uint64_t size);
/* In the upper half of the addresses, where RADV has its shaders. */
int gpu_alloc_high(struct gpu *gpu, struct gpu_buffer *b, uint64_t size);
void gpu_free(struct gpu *gpu, struct gpu_buffer *b);

/* Of the addresses that a debugger's buffers get; from a multiple of that on */
#define GPU_REGION	(1ull << 40)

/* Nothing else can be mapped at these, which takes no memory; and no more. */
int gpu_take(struct gpu *gpu, uint64_t va, uint64_t bytes);
int gpu_give(struct gpu *gpu, uint64_t va, uint64_t bytes);

/* Of a compute shader: SPI_SHADER_USER_DATA_COMPUTE_0 to _15 */
#define GPU_USER_SGPRS	16

struct gpu_job {
	struct gpu_buffer ib;
	struct gpu_buffer scratch;	/* of its waves; va 0: none */
	struct amdgpu_cs_fence fence;
};

/* Submit; @bufs are the buffers that the kernel uses. */
int gpu_submit(struct gpu *gpu, const struct gpu_dispatch *d,
	       const struct gpu_buffer *bufs, unsigned int num_bufs,
	       struct gpu_job *job);
/* 0: ended, -ETIME: not within @timeout_ns, else -errno (a GPU reset). */
int gpu_wait(struct gpu *gpu, struct gpu_job *job, uint64_t timeout_ns);
void gpu_job_free(struct gpu *gpu, struct gpu_job *job);

#endif /* GUEST_GPU_H */

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Buffers and compute dispatches through libdrm_amdgpu. Register and packet
 * numbers: gc_10_3_0_offset.h and nvd.h of Linux 6.1.
 */
#include "gpu.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define PACKET3(op, n) (3u << 30 | ((n) & 0x3fff) << 16 | (op) << 8)
#define PACKET3_SHADER_COMPUTE (1u << 1)
#define PACKET3_DISPATCH_DIRECT 0x15
#define PACKET3_WAIT_REG_MEM 0x3c
#define PACKET3_ACQUIRE_MEM 0x58
#define PACKET3_SET_SH_REG 0x76
#define PACKET3_SET_SH_REG_START 0x2c00

#define mmCOMPUTE_START_X 0x2e04
#define mmCOMPUTE_NUM_THREAD_X 0x2e07
#define mmCOMPUTE_PGM_LO 0x2e0c
#define mmCOMPUTE_PGM_RSRC1 0x2e12
#define mmCOMPUTE_RESOURCE_LIMITS 0x2e15
#define mmCOMPUTE_TMPRING_SIZE 0x2e18
#define mmCOMPUTE_PGM_RSRC3 0x2e28
#define mmCOMPUTE_USER_DATA_0 0x2e40

/* COMPUTE_PGM_RSRC2.LDS_SIZE [23:15], in 128 dwords (gc_10_3_0_sh_mask.h) */
#define RSRC2_LDS_SIZE(bytes) (((bytes) + 511) / 512 << 15)

/* WAIT_REG_MEM: until memory is equal to the reference, asked by the ME */
#define WAIT_FUNCTION_EQUAL 3
#define WAIT_MEM_SPACE_MEMORY (1u << 4)

/* COMPUTE_DISPATCH_INITIATOR */
#define COMPUTE_SHADER_EN (1u << 0)
#define FORCE_START_AT_000 (1u << 2)
#define CS_W32_EN (1u << 15)

/*
 * COMPUTE_TMPRING_SIZE: WAVES [11:0], the waves that can run at a time, and WAVESIZE [24:12], their
 * scratch in units of 1 KiB (256 dwords)
 */
#define TMPRING_SIZE(waves, wave_bytes) ((waves) | (wave_bytes) / 1024 << 12)
#define SCRATCH_WAVES 32

/*
 * Words of a buffer descriptor ("RDNA 2" ISA document, AMD 2020, 8.1.8): the dwords of 32 or 64
 * lanes alternate, and there are no bounds
 */
#define BUFFER_SWIZZLE (1u << 31)	/* word 1 */
#define BUFFER_INDEX_STRIDE(lanes) ((lanes) == 64 ? 3u << 21 : 2u << 21)	/* word 3 */
#define BUFFER_ADD_TID (1u << 23)
#define BUFFER_OOB_RAW (3u << 28)

/* ACQUIRE_MEM GCR_CNTL: invalidate GLI (all), GLK, GLV, GL1, GL2 */
#define GCR_GLI_INV_ALL (1u << 0)
#define GCR_GLK_INV (1u << 7)
#define GCR_GLV_INV (1u << 8)
#define GCR_GL1_INV (1u << 9)
#define GCR_GL2_INV (1u << 14)

int gpu_open(struct gpu *gpu, const char *node)
{
	uint32_t major, minor;
	int ret;

	memset(gpu, 0, sizeof(*gpu));
	gpu->fd = open(node, O_RDWR | O_CLOEXEC);
	if (gpu->fd < 0)
		return -errno;
	ret = amdgpu_device_initialize(gpu->fd, &major, &minor, &gpu->dev);
	if (ret)
		goto err_fd;
	ret = amdgpu_cs_ctx_create(gpu->dev, &gpu->ctx);
	if (ret)
		goto err_dev;
	return 0;

err_dev:
	amdgpu_device_deinitialize(gpu->dev);
err_fd:
	close(gpu->fd);
	return ret;
}

void gpu_close(struct gpu *gpu)
{
	amdgpu_cs_ctx_free(gpu->ctx);
	amdgpu_device_deinitialize(gpu->dev);
	close(gpu->fd);
}

static int alloc_in(struct gpu *gpu, struct gpu_buffer *b, uint64_t size,
		    uint64_t range)
{
	struct amdgpu_bo_alloc_request req = {
		.alloc_size = (size + 4095) & ~4095ull,
		.phys_alignment = 4096,
		.preferred_heap = AMDGPU_GEM_DOMAIN_GTT,
	};
	int ret;

	memset(b, 0, sizeof(*b));
	b->size = req.alloc_size;
	ret = amdgpu_bo_alloc(gpu->dev, &req, &b->bo);
	if (ret)
		return ret;
	ret = amdgpu_va_range_alloc(gpu->dev, amdgpu_gpu_va_range_general,
				    b->size, 4096, 0, &b->va, &b->va_handle,
				    range);
	if (ret)
		goto err_bo;
	ret = amdgpu_bo_va_op_raw(gpu->dev, b->bo, 0, b->size, b->va,
				  AMDGPU_VM_PAGE_READABLE |
				  AMDGPU_VM_PAGE_WRITEABLE |
				  AMDGPU_VM_PAGE_EXECUTABLE,
				  AMDGPU_VA_OP_MAP);
	if (ret)
		goto err_va;
	ret = amdgpu_bo_cpu_map(b->bo, &b->cpu);
	if (ret)
		goto err_map;
	memset(b->cpu, 0, b->size);
	return 0;

err_map:
	amdgpu_bo_va_op(b->bo, 0, b->size, b->va, 0, AMDGPU_VA_OP_UNMAP);
err_va:
	amdgpu_va_range_free(b->va_handle);
err_bo:
	amdgpu_bo_free(b->bo);
	return ret;
}

int gpu_alloc(struct gpu *gpu, struct gpu_buffer *b, uint64_t size)
{
	return alloc_in(gpu, b, size, 0);
}

int gpu_alloc_high(struct gpu *gpu, struct gpu_buffer *b, uint64_t size)
{
	return alloc_in(gpu, b, size, AMDGPU_VA_RANGE_HIGH);
}

void gpu_free(struct gpu *gpu, struct gpu_buffer *b)
{
	(void)gpu;
	if (!b->bo)
		return;
	amdgpu_bo_cpu_unmap(b->bo);
	amdgpu_bo_va_op(b->bo, 0, b->size, b->va, 0, AMDGPU_VA_OP_UNMAP);
	amdgpu_va_range_free(b->va_handle);
	amdgpu_bo_free(b->bo);
	memset(b, 0, sizeof(*b));
}

/* With PRT, a mapping needs no memory. */
int gpu_take(struct gpu *gpu, uint64_t va, uint64_t bytes)
{
	return amdgpu_bo_va_op_raw(gpu->dev, NULL, 0, bytes, va, AMDGPU_VM_PAGE_PRT,
				   AMDGPU_VA_OP_MAP);
}

int gpu_give(struct gpu *gpu, uint64_t va, uint64_t bytes)
{
	return amdgpu_bo_va_op_raw(gpu->dev, NULL, 0, bytes, va, 0, AMDGPU_VA_OP_CLEAR);
}

static uint32_t *set_sh_reg(uint32_t *p, uint32_t reg, unsigned int n,
			    const uint32_t *vals)
{
	*p++ = PACKET3(PACKET3_SET_SH_REG, n);
	*p++ = reg - PACKET3_SET_SH_REG_START;
	memcpy(p, vals, n * 4);
	return p + n;
}

static uint32_t *dispatch(uint32_t *p, const struct gpu_dispatch *d)
{
	*p++ = PACKET3(PACKET3_DISPATCH_DIRECT, 3) | PACKET3_SHADER_COMPUTE;
	*p++ = d->groups;
	*p++ = 1;
	*p++ = 1;
	*p++ = COMPUTE_SHADER_EN | FORCE_START_AT_000 |
	       (d->kernel->properties & CODEOBJ_WAVE32 ? CS_W32_EN : 0);
	return p;
}

static uint32_t *wait_for_one(uint32_t *p, uint64_t va)
{
	*p++ = PACKET3(PACKET3_WAIT_REG_MEM, 5);
	*p++ = WAIT_FUNCTION_EQUAL | WAIT_MEM_SPACE_MEMORY;
	*p++ = va;
	*p++ = va >> 32;
	*p++ = 1;
	*p++ = 0xffffffff;
	*p++ = 10;
	return p;
}

static unsigned int put_va(uint32_t *user, unsigned int n, uint64_t va)
{
	user[n] = va;
	user[n + 1] = va >> 32;
	return n + 2;
}

/*
 * Fill the SGPRs that the kernel asks for, in the order of the property bits. Those without a
 * value here, such as the queue, are 0. @scratch: 0: none
 */
static void fill_user(uint32_t user[GPU_USER_SGPRS], const struct gpu_dispatch *d, uint64_t scratch)
{
	const uint32_t properties = d->kernel->properties;
	const unsigned int lanes = properties & CODEOBJ_WAVE32 ? 32 : 64;
	unsigned int n = 0;

	memset(user, 0, GPU_USER_SGPRS * sizeof(*user));
	if (properties & CODEOBJ_PRIVATE_SEGMENT_BUFFER) {
		put_va(user, n, scratch);
		user[n + 1] |= BUFFER_SWIZZLE;
		user[n + 2] = ~0u;
		user[n + 3] = BUFFER_INDEX_STRIDE(lanes) | BUFFER_ADD_TID | BUFFER_OOB_RAW;
		n += 4;
	}
	if (properties & CODEOBJ_DISPATCH_PTR)
		n = put_va(user, n, d->packet_va);
	n += properties & CODEOBJ_QUEUE_PTR ? 2 : 0;
	if (properties & CODEOBJ_KERNARG_SEGMENT_PTR)
		n = put_va(user, n, d->kernarg_va);
	n += properties & CODEOBJ_DISPATCH_ID ? 2 : 0;
	if (properties & CODEOBJ_FLAT_SCRATCH_INIT)
		put_va(user, n, scratch);
}

/* Scratch of a wave; 0: the kernel has none */
static uint32_t wave_bytes(const struct codeobj_kernel *k)
{
	uint32_t bytes = k->private_size * (k->properties & CODEOBJ_WAVE32 ? 32 : 64);

	return (bytes + 1023) / 1024 * 1024;
}

static unsigned int build_ib(uint32_t *ib, const struct gpu_dispatch *d, uint64_t scratch)
{
	const struct codeobj_kernel *k = d->kernel;
	uint64_t pgm = (d->code_va + k->entry) >> 8;
	const uint32_t zero[8] = { 0 };
	const uint32_t threads[3] = { d->group_size, 1, 1 };
	const uint32_t pgm_reg[2] = { pgm, pgm >> 32 };
	/* The compiler leaves LDS_SIZE to the dispatch. */
	const uint32_t lds = d->lds_bytes > k->lds_size ? d->lds_bytes : k->lds_size;
	const uint32_t rsrc[2] = {
		k->rsrc1, k->rsrc2 + RSRC2_LDS_SIZE(lds),
	};
	const uint32_t tmpring = scratch ? TMPRING_SIZE(SCRATCH_WAVES, wave_bytes(k)) : 0;
	uint32_t user[GPU_USER_SGPRS];
	uint32_t *p = ib;

	fill_user(user, d, scratch);
	/* The code is new to this address. */
	*p++ = PACKET3(PACKET3_ACQUIRE_MEM, 6);
	*p++ = 0;
	*p++ = 0xffffffff;
	*p++ = 0x00ffffff;
	*p++ = 0;
	*p++ = 0;
	*p++ = 10;
	*p++ = GCR_GLI_INV_ALL | GCR_GLK_INV | GCR_GLV_INV | GCR_GL1_INV |
	       GCR_GL2_INV;
	p = set_sh_reg(p, mmCOMPUTE_START_X, 3, zero);
	p = set_sh_reg(p, mmCOMPUTE_NUM_THREAD_X, 3, threads);
	p = set_sh_reg(p, mmCOMPUTE_PGM_LO, 2, pgm_reg);
	p = set_sh_reg(p, mmCOMPUTE_PGM_RSRC1, 2, rsrc);
	p = set_sh_reg(p, mmCOMPUTE_PGM_RSRC3, 1, &k->rsrc3);
	p = set_sh_reg(p, mmCOMPUTE_RESOURCE_LIMITS, 1, zero);
	p = set_sh_reg(p, mmCOMPUTE_TMPRING_SIZE, 1, &tmpring);
	p = set_sh_reg(p, mmCOMPUTE_USER_DATA_0, GPU_USER_SGPRS, user);
	p = dispatch(p, d);
	if (d->again_va)
		p = dispatch(wait_for_one(p, d->again_va), d);
	return p - ib;
}

int gpu_submit(struct gpu *gpu, const struct gpu_dispatch *d,
	       const struct gpu_buffer *bufs, unsigned int num_bufs,
	       struct gpu_job *job)
{
	struct amdgpu_cs_ib_info ib_info = { 0 };
	const unsigned int ip_type = d->graphics ? AMDGPU_HW_IP_GFX : AMDGPU_HW_IP_COMPUTE;
	struct amdgpu_cs_request req = {
		.ip_type = ip_type,
		.ring = d->ring,
		.number_of_ibs = 1,
		.ibs = &ib_info,
	};
	amdgpu_bo_handle bos[16];
	unsigned int i;
	int ret;

	/* A private segment size is only asked for with a stack of unknown size. */
	if (d->kernel->properties & CODEOBJ_PRIVATE_SEGMENT_SIZE)
		return -ENOTSUP;
	if (num_bufs + 2 > sizeof(bos) / sizeof(bos[0]))
		return -EINVAL;
	ret = gpu_alloc(gpu, &job->ib, 4096);
	if (ret)
		return ret;
	job->scratch = (struct gpu_buffer){ .va = 0 };
	if (d->kernel->private_size)
		ret = gpu_alloc(gpu, &job->scratch, SCRATCH_WAVES * wave_bytes(d->kernel));
	if (ret) {
		gpu_free(gpu, &job->ib);
		return ret;
	}
	ib_info.ib_mc_address = job->ib.va;
	ib_info.size = build_ib(job->ib.cpu, d, job->scratch.va);
	for (i = 0; i < num_bufs; i++)
		bos[i] = bufs[i].bo;
	bos[i++] = job->ib.bo;
	if (job->scratch.va)
		bos[i++] = job->scratch.bo;
	ret = amdgpu_bo_list_create(gpu->dev, i, bos, NULL, &req.resources);
	if (!ret) {
		ret = amdgpu_cs_submit(gpu->ctx, 0, &req, 1);
		amdgpu_bo_list_destroy(req.resources);
	}
	if (ret) {
		gpu_job_free(gpu, job);
		return ret;
	}
	job->fence = (struct amdgpu_cs_fence){
		.context = gpu->ctx,
		.ip_type = ip_type,
		.ring = d->ring,
		.fence = req.seq_no,
	};
	return 0;
}

int gpu_wait(struct gpu *gpu, struct gpu_job *job, uint64_t timeout_ns)
{
	uint32_t expired = 0;
	int ret;

	(void)gpu;
	ret = amdgpu_cs_query_fence_status(&job->fence, timeout_ns, 0,
					   &expired);
	if (ret)
		return ret;
	return expired ? 0 : -ETIME;
}

void gpu_job_free(struct gpu *gpu, struct gpu_job *job)
{
	gpu_free(gpu, &job->ib);
	if (job->scratch.va)
		gpu_free(gpu, &job->scratch);
}

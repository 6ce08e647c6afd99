// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Implements drm.h by ioctl() on a DRM file.
 */
#include "drm.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

/* A PACKET3 NOP of one dword: nvd.h of Linux 6.1, as amdgpu pads its rings */
#define NOP 0xffff1000

#define MAX_OBJECTS 16

static int call(int fd, unsigned long nr, void *arg)
{
	int ret;

	do
		ret = ioctl(fd, nr, arg);
	while (ret && errno == EINTR);
	return ret ? -errno : 0;
}

int drm_create_aligned(int fd, uint64_t bytes, uint64_t alignment,
		       uint32_t domain, uint64_t flags, uint32_t *handle)
{
	union drm_amdgpu_gem_create args = {
		.in.bo_size = bytes,
		.in.alignment = alignment,
		.in.domains = domain,
		.in.domain_flags = flags,
	};
	int ret = call(fd, DRM_IOCTL_AMDGPU_GEM_CREATE, &args);

	if (!ret)
		*handle = args.out.handle;
	return ret;
}

int drm_create(int fd, uint64_t bytes, uint32_t domain, uint64_t flags,
	       uint32_t *handle)
{
	return drm_create_aligned(fd, bytes, 4096, domain, flags, handle);
}

int drm_close(int fd, uint32_t handle)
{
	struct drm_gem_close args = { .handle = handle };

	return call(fd, DRM_IOCTL_GEM_CLOSE, &args);
}

int drm_place(int fd, uint32_t handle, uint32_t domain)
{
	struct drm_amdgpu_gem_op args = {
		.handle = handle,
		.op = AMDGPU_GEM_OP_SET_PLACEMENT,
		.value = domain,
	};

	return call(fd, DRM_IOCTL_AMDGPU_GEM_OP, &args);
}

int drm_bytes(int fd, uint32_t handle, uint64_t *bytes)
{
	struct drm_amdgpu_gem_create_in info = { 0 };
	struct drm_amdgpu_gem_op args = {
		.handle = handle,
		.op = AMDGPU_GEM_OP_GET_GEM_CREATE_INFO,
		.value = (uintptr_t)&info,
	};
	int ret = call(fd, DRM_IOCTL_AMDGPU_GEM_OP, &args);

	*bytes = info.bo_size;
	return ret;
}

int drm_va(int fd, uint32_t op, uint32_t handle, uint64_t offset, uint64_t va,
	   uint64_t bytes)
{
	struct drm_amdgpu_gem_va args = {
		.handle = handle,
		.operation = op,
		.va_address = va,
		.offset_in_bo = offset,
		.map_size = bytes,
	};

	if (op == AMDGPU_VA_OP_MAP || op == AMDGPU_VA_OP_REPLACE)
		args.flags = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE |
			     AMDGPU_VM_PAGE_EXECUTABLE;
	return call(fd, DRM_IOCTL_AMDGPU_GEM_VA, &args);
}

void *drm_mmap(int fd, uint32_t handle, size_t bytes)
{
	union drm_amdgpu_gem_mmap args = { .in.handle = handle };
	void *at;

	if (call(fd, DRM_IOCTL_AMDGPU_GEM_MMAP, &args))
		return NULL;
	at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		  args.out.addr_ptr);
	return at == MAP_FAILED ? NULL : at;
}

int drm_ctx(int fd, uint32_t *ctx)
{
	union drm_amdgpu_ctx args = { .in.op = AMDGPU_CTX_OP_ALLOC_CTX };
	int ret = call(fd, DRM_IOCTL_AMDGPU_CTX, &args);

	*ctx = args.out.alloc.ctx_id;
	return ret;
}

int drm_vram_free(int fd, uint64_t *bytes)
{
	struct drm_amdgpu_memory_info memory = { 0 };
	struct drm_amdgpu_info args = {
		.return_pointer = (uintptr_t)&memory,
		.return_size = sizeof(memory),
		.query = AMDGPU_INFO_MEMORY,
	};
	int ret = call(fd, DRM_IOCTL_AMDGPU_INFO, &args);

	*bytes = memory.vram.total_heap_size - memory.vram.heap_usage;
	return ret;
}

int drm_unreserve_vmid(int fd)
{
	union drm_amdgpu_vm args = { .in.op = AMDGPU_VM_OP_UNRESERVE_VMID };

	return call(fd, DRM_IOCTL_AMDGPU_VM, &args);
}

void drm_write_nops(uint32_t *ib)
{
	unsigned int i;

	for (i = 0; i < DRM_JOB_DWORDS; i++)
		ib[i] = NOP;
}

/* @seq: its number in @ctx */
static int submit(int fd, uint32_t ctx, uint64_t ib_va, const uint32_t *handles,
		  uint32_t num, uint64_t *seq)
{
	struct drm_amdgpu_bo_list_entry objects[MAX_OBJECTS] = { 0 };
	struct drm_amdgpu_cs_chunk_ib ib = {
		.va_start = ib_va,
		.ib_bytes = DRM_JOB_DWORDS * 4,
		.ip_type = AMDGPU_HW_IP_GFX,
	};
	struct drm_amdgpu_bo_list_in list = {
		.operation = ~0u,
		.list_handle = ~0u,
		.bo_number = num < MAX_OBJECTS ? num : MAX_OBJECTS,
		.bo_info_size = sizeof(objects[0]),
		.bo_info_ptr = (uintptr_t)objects,
	};
	struct drm_amdgpu_cs_chunk chunk[] = {
		{ AMDGPU_CHUNK_ID_IB, sizeof(ib) / 4, (uintptr_t)&ib },
		{ AMDGPU_CHUNK_ID_BO_HANDLES, sizeof(list) / 4,
		  (uintptr_t)&list },
	};
	uint64_t chunks[] = { (uintptr_t)&chunk[0], (uintptr_t)&chunk[1] };
	union drm_amdgpu_cs args = {
		.in.ctx_id = ctx,
		.in.num_chunks = num ? 2 : 1,
		.in.chunks = (uintptr_t)chunks,
	};
	uint32_t i;
	int ret;

	for (i = 0; i < list.bo_number; i++)
		objects[i].bo_handle = handles[i];
	ret = call(fd, DRM_IOCTL_AMDGPU_CS, &args);
	*seq = args.out.handle;
	return ret;
}

int drm_job(int fd, uint32_t ctx, uint64_t ib_va, const uint32_t *handles,
	    uint32_t num)
{
	uint64_t seq;

	return submit(fd, ctx, ib_va, handles, num, &seq);
}

int drm_job_wait(int fd, uint32_t ctx, uint64_t ib_va, int64_t end)
{
	union drm_amdgpu_wait_cs args = {
		.in.timeout = end,
		.in.ip_type = AMDGPU_HW_IP_GFX,
		.in.ctx_id = ctx,
	};
	uint64_t seq;
	int ret = submit(fd, ctx, ib_va, NULL, 0, &seq);

	if (ret)
		return ret;
	args.in.handle = seq;
	ret = call(fd, DRM_IOCTL_AMDGPU_WAIT_CS, &args);
	if (ret)
		return ret;
	return args.out.status ? -ETIME : 0;
}

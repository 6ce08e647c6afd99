// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffers in a target's GPU address space. They are made through the target's own
 * DRM file, as if it had done so itself, and stay in its table of handles.
 *
 * The buffers are in system memory and always valid: the target's submissions
 * do not name them, so nothing else would keep them from being moved away. The
 * CPU reaches them through a mapping of the kernel, which lasts as long as one
 * copy.
 *
 * amdgpu writes page tables by a job of its own. The target's later jobs wait
 * for that, its running waves do not: so it is waited for here.
 */
#include <drm/amdgpu_drm.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_gem_ttm_helper.h>
#include <linux/dma-fence.h>
#include <linux/dma-resv.h>
#include <linux/iosys-map.h>
#include <linux/random.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "buffer.h"
#include "driver.h"

/* Addresses are multiples of this, as amdgpu's fragments are at most. */
#define VA_ALIGN	SZ_64K

/* How long page tables may take; a GPU that hangs never writes them. */
#define UPDATE_MS	1000

static int create(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer)
{
	union drm_amdgpu_gem_create args = {
		.in.bo_size = buffer->bytes,
		.in.alignment = PAGE_SIZE,
		.in.domains = AMDGPU_GEM_DOMAIN_GTT,
		.in.domain_flags = AMDGPU_GEM_CREATE_VM_ALWAYS_VALID,
	};
	int ret;

	ret = wdbg_driver_make(gpu, buffer->drm, DRM_IOCTL_AMDGPU_GEM_CREATE,
			       &args);
	if (ret)
		return ret;
	buffer->handle = args.out.handle;
	buffer->obj = drm_gem_object_lookup(buffer->drm, buffer->handle);
	/* The target guesses well, and has closed it already. */
	return buffer->obj ? 0 : -ENOMEM;
}

/*
 * At random, because nothing tells which addresses are free, and a try that
 * fails is written to the kernel log. Drivers in user space take addresses from
 * both ends, amdkfd takes those that the process has; nobody comes here.
 */
static u64 choose_va(u64 bytes)
{
	u64 slots = (WDBG_BUFFER_SPAN - bytes) / VA_ALIGN;

	return WDBG_BUFFER_BASE + get_random_u64() % slots * VA_ALIGN;
}

static int map(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer, u32 flags)
{
	struct drm_amdgpu_gem_va args = {
		.handle = buffer->handle,
		.operation = AMDGPU_VA_OP_MAP,
		.flags = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE,
		.va_address = buffer->va,
		.map_size = buffer->bytes,
	};
	int ret;

	if (flags & AMDGPUDBG_MEM_ALLOC_EXEC)
		args.flags |= AMDGPU_VM_PAGE_EXECUTABLE;
	if (flags & AMDGPUDBG_MEM_ALLOC_UNCACHED)
		args.flags |= AMDGPU_VM_MTYPE_UC;
	ret = wdbg_driver_make(gpu, buffer->drm, DRM_IOCTL_AMDGPU_GEM_VA,
			       &args);
	/* Somebody is there, or the GPU's addresses end before. */
	return ret == -EINVAL ? -ENOMEM : ret;
}

/* Wait until the page tables are written. */
static int wait_mapped(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer)
{
	struct dma_fence **last = wdbg_field_ptr(&gpu->layout,
						 buffer->drm->driver_priv,
						 WDBG_FPRIV_VM_LAST_UPDATE);
	struct dma_resv *resv = buffer->obj->resv;
	struct dma_fence *fence;
	long ret;

	/* "Valid while the PD is reserved or fenced": struct amdgpu_vm */
	ret = dma_resv_lock_interruptible(resv, NULL);
	if (ret)
		return ret == -EINTR ? -ERESTARTSYS : ret;
	fence = dma_fence_get(*last);
	dma_resv_unlock(resv);
	if (!fence)
		return 0;
	ret = dma_fence_wait_timeout(fence, true, msecs_to_jiffies(UPDATE_MS));
	dma_fence_put(fence);
	if (ret < 0)
		return ret;
	return ret ? 0 : -ETIMEDOUT;
}

/**
 * wdbg_buffer_why_not() - can there be buffers in a target's address space?
 * @gpu: the GPU
 *
 * Return: NULL if so, else a sentence.
 */
const char *wdbg_buffer_why_not(const struct wdbg_gpu *gpu)
{
	if (gpu->layout.present[WDBG_FPRIV_VM_LAST_UPDATE])
		return NULL;
	return "How this amdgpu tells that page tables are written is not known.";
}

/* The handle may have been closed by the target, and be another's now. */
static void close_handle(void *arg)
{
	struct wdbg_buffer *buffer = arg;
	struct drm_gem_object *obj;

	obj = drm_gem_object_lookup(buffer->drm, buffer->handle);
	if (!obj)
		return;
	if (obj == buffer->obj)
		drm_gem_handle_delete(buffer->drm, buffer->handle);
	drm_gem_object_put(obj);
}

static void put_obj(void *arg)
{
	struct wdbg_buffer *buffer = arg;

	close_handle(buffer);
	drm_gem_object_put(buffer->obj);
}

/**
 * wdbg_buffer_delete() - take a buffer out of an address space
 * @gpu: the GPU, attached
 * @buffer: the buffer, in no list
 *
 * Context: as wdbg_driver_ioctl(). It cannot be interrupted.
 */
void wdbg_buffer_delete(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer)
{
	lockdep_assert_held(&gpu->lock);
	if (buffer->obj)
		wdbg_driver_in_worker(put_obj, buffer);
	kfree(buffer);
}

/**
 * wdbg_buffer_new() - put a buffer into an address space
 * @gpu: the GPU
 * @drm: DRM file of the address space, kept open for as long as the buffer
 * @flags: AMDGPUDBG_MEM_ALLOC_*
 * @bytes: its size, whole pages
 *
 * Context: as wdbg_driver_ioctl().
 * Return: the buffer, for wdbg_buffer_delete(), or an error: what amdgpu
 * returns, -ENOMEM, -ETIMEDOUT if the GPU does not write page tables.
 */
struct wdbg_buffer *wdbg_buffer_new(struct wdbg_gpu *gpu, struct drm_file *drm,
				    u32 flags, u64 bytes)
{
	struct wdbg_buffer *buffer;
	int ret;

	lockdep_assert_held(&gpu->lock);
	buffer = kzalloc(sizeof(*buffer), GFP_KERNEL);
	if (!buffer)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&buffer->node);
	buffer->drm = drm;
	buffer->bytes = bytes;
	buffer->va = choose_va(bytes);
	ret = create(gpu, buffer);
	if (!ret)
		ret = map(gpu, buffer, flags);
	if (!ret)
		ret = wait_mapped(gpu, buffer);
	if (ret) {
		wdbg_buffer_delete(gpu, buffer);
		return ERR_PTR(ret);
	}
	return buffer;
}

/**
 * wdbg_buffer_copy() - copy from or to a buffer
 * @buffer: the buffer
 * @offset: from its begin, in bytes
 * @data: the kernel's memory
 * @bytes: how many; they lie within the buffer
 * @write: to the buffer
 *
 * Context: may sleep; the lock of the GPU is held.
 * Return: 0; -ERESTARTSYS when a signal came; -ENOMEM.
 */
int wdbg_buffer_copy(struct wdbg_buffer *buffer, u64 offset, void *data,
		     size_t bytes, bool write)
{
	struct drm_gem_object *obj = buffer->obj;
	struct ttm_buffer_object *bo = drm_gem_ttm_of_gem(obj);
	struct iosys_map map;
	int ret;

	/*
	 * The address space's own lock, which its objects share: while it is
	 * held, the object stays where it is. Not by obj->funcs->vmap(), which
	 * before Linux 6.2 takes and leaves that lock itself.
	 */
	ret = dma_resv_lock_interruptible(obj->resv, NULL);
	if (ret)
		return ret == -EINTR ? -ERESTARTSYS : ret;
	ret = ttm_bo_vmap(bo, &map);
	if (!ret) {
		if (write)
			iosys_map_memcpy_to(&map, offset, data, bytes);
		else
			iosys_map_memcpy_from(data, &map, offset, bytes);
		ttm_bo_vunmap(bo, &map);
	}
	dma_resv_unlock(obj->resv);
	return ret;
}

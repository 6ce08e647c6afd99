// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMDGPUDBG_IOC_MEM_*: buffers in a target's GPU address space. They are made
 * through the target's own DRM file, as if it had done so itself, and stay in
 * its table of handles; the session that asked for them takes them away again.
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
#include <linux/uaccess.h>

#include "driver.h"
#include "main.h"
#include "mem.h"
#include "power.h"
#include "trap.h"

#define ALL_ALLOC_FLAGS	(AMDGPUDBG_MEM_ALLOC_EXEC | \
			 AMDGPUDBG_MEM_ALLOC_UNCACHED)

/* Addresses are multiples of this, as amdgpu's fragments are at most. */
#define VA_ALIGN	SZ_64K

/* How long page tables may take; a GPU that hangs never writes them. */
#define UPDATE_MS	1000

/* So much is copied at once, between two looks at the locks. */
#define COPY_CHUNK	SZ_1M

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
	u64 slots = (WDBG_MEM_SPAN - bytes) / VA_ALIGN;

	return WDBG_MEM_BASE + get_random_u64() % slots * VA_ALIGN;
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
 * wdbg_mem_why_not() - can there be buffers in a target's address space?
 * @gpu: the GPU
 *
 * Return: NULL if so, else a sentence.
 */
const char *wdbg_mem_why_not(const struct wdbg_gpu *gpu)
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

static struct wdbg_buffer *find(struct wdbg_session *session, u32 id)
{
	struct wdbg_buffer *buffer;

	list_for_each_entry(buffer, &session->buffers, node)
		if (buffer->id == id)
			return buffer;
	return NULL;
}

/* Lock the GPU of a session that has a target. */
static int lock_target(struct wdbg_session *session)
{
	struct wdbg_gpu *gpu = session->gpu;
	int ret;

	if (mutex_lock_killable(&gpu->lock))
		return -EINTR;
	ret = gpu->adev ? wdbg_target_need(session) : -ENODEV;
	if (!ret && wdbg_mem_why_not(gpu))
		ret = -EOPNOTSUPP;
	if (ret)
		mutex_unlock(&gpu->lock);
	return ret;
}

static int alloc(struct wdbg_session *session, struct amdgpudbg_mem_alloc *args)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_buffer *buffer;
	int ret, bracket;

	if (session->num_buffers >= AMDGPUDBG_MEM_MAX_BUFFERS)
		return -ENOSPC;
	/* Wakes the GPU, for as long as the session lasts. */
	ret = wdbg_power_begin(session, &bracket);
	if (ret)
		return ret;
	wdbg_power_end(gpu, bracket);

	buffer = wdbg_buffer_new(gpu, session->target->drm, args->flags,
				 args->bytes);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	buffer->id = ++session->last_buffer;
	session->num_buffers++;
	list_add_tail(&buffer->node, &session->buffers);
	args->va = buffer->va;
	args->id = buffer->id;
	return 0;
}

static void forget(struct wdbg_session *session, struct wdbg_buffer *buffer)
{
	list_del_init(&buffer->node);
	session->num_buffers--;
}

/**
 * wdbg_mem_alloc() - AMDGPUDBG_IOC_MEM_ALLOC
 * @cmd: the call
 *
 * Return: 0 or an error of the ABI.
 */
int wdbg_mem_alloc(struct wdbg_cmd *cmd)
{
	struct wdbg_session *session = cmd->session;
	struct amdgpudbg_mem_alloc *args = cmd->data;
	struct wdbg_buffer *buffer;
	int ret;

	if (args->flags & ~ALL_ALLOC_FLAGS)
		return -EOPNOTSUPP;
	if (args->__reserved || !args->bytes ||
	    args->bytes > AMDGPUDBG_MEM_MAX_BYTES)
		return -EINVAL;
	args->bytes = PAGE_ALIGN(args->bytes);
	args->va = 0;
	args->id = 0;
	/* A structure that cannot be written is noticed before anything changes. */
	ret = wdbg_respond(cmd, sizeof(*args));
	if (ret)
		return ret;
	ret = lock_target(session);
	if (ret)
		return ret;
	ret = alloc(session, args);
	mutex_unlock(&session->gpu->lock);
	if (ret)
		return ret;

	ret = wdbg_respond(cmd, sizeof(*args));
	if (!ret)
		return 0;
	/* Nobody knows its number. */
	mutex_lock(&session->gpu->lock);
	buffer = find(session, args->id);
	if (buffer) {
		forget(session, buffer);
		wdbg_buffer_delete(session->gpu, buffer);
	}
	mutex_unlock(&session->gpu->lock);
	return ret;
}

/**
 * wdbg_mem_free() - AMDGPUDBG_IOC_MEM_FREE
 * @cmd: the call
 *
 * Return: 0 or an error of the ABI.
 */
int wdbg_mem_free(struct wdbg_cmd *cmd)
{
	struct wdbg_session *session = cmd->session;
	struct amdgpudbg_mem_free *args = cmd->data;
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_buffer *buffer;
	int ret;

	ret = lock_target(session);
	if (ret)
		return ret;
	buffer = find(session, args->id);
	if (!buffer) {
		ret = -ENOENT;
	} else if (wdbg_trap_uses(session, buffer)) {
		ret = -EBUSY;
	} else {
		forget(session, buffer);
		if (!wdbg_trap_keep(gpu, buffer))
			wdbg_buffer_delete(gpu, buffer);
	}
	mutex_unlock(&gpu->lock);
	return ret;
}

static int copy_chunk(struct wdbg_session *session,
		      const struct amdgpudbg_mem_copy *args, u64 done,
		      void *data, size_t bytes)
{
	struct wdbg_buffer *buffer;
	int ret;

	ret = lock_target(session);
	if (ret)
		return ret;
	buffer = find(session, args->id);
	if (!buffer)
		ret = -ENOENT;
	else if (args->offset > buffer->bytes ||
		 args->bytes > buffer->bytes - args->offset)
		ret = -EINVAL;
	else if (bytes)
		ret = wdbg_buffer_copy(buffer, args->offset + done, data, bytes,
				       args->flags & AMDGPUDBG_MEM_COPY_WRITE);
	mutex_unlock(&session->gpu->lock);
	return ret;
}

static int copy_all(struct wdbg_session *session,
		    const struct amdgpudbg_mem_copy *args, void *data)
{
	void __user *user = u64_to_user_ptr(args->data);
	bool write = args->flags & AMDGPUDBG_MEM_COPY_WRITE;
	u64 done, n;
	int ret;

	for (done = 0; done < args->bytes; done += n) {
		n = min_t(u64, args->bytes - done, COPY_CHUNK);
		if (write && copy_from_user(data, user + done, n))
			return -EFAULT;
		ret = copy_chunk(session, args, done, data, n);
		if (ret)
			return ret;
		if (!write && copy_to_user(user + done, data, n))
			return -EFAULT;
	}
	return 0;
}

/**
 * wdbg_mem_copy() - AMDGPUDBG_IOC_MEM_COPY
 * @cmd: the call
 *
 * Return: 0 or an error of the ABI.
 */
int wdbg_mem_copy(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_mem_copy *args = cmd->data;
	void *data;
	int ret;

	if (args->flags & ~AMDGPUDBG_MEM_COPY_WRITE)
		return -EOPNOTSUPP;
	if (args->__reserved)
		return -EINVAL;
	/* What is wrong is noticed before the first byte is copied. */
	ret = copy_chunk(cmd->session, args, 0, NULL, 0);
	if (ret || !args->bytes)
		return ret;
	data = kvmalloc(min_t(u64, args->bytes, COPY_CHUNK), GFP_KERNEL);
	if (!data)
		return -ENOMEM;
	ret = copy_all(cmd->session, args, data);
	kvfree(data);
	return ret;
}

/**
 * wdbg_mem_give_back() - free all buffers of a session
 * @session: the session
 *
 * Those that waves may still need for a while are left to the trap handler's
 * clean-up. Context: as wdbg_buffer_delete().
 */
void wdbg_mem_give_back(struct wdbg_session *session)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_buffer *buffer, *next;

	lockdep_assert_held(&gpu->lock);
	list_for_each_entry_safe(buffer, next, &session->buffers, node) {
		forget(session, buffer);
		if (!wdbg_trap_keep(gpu, buffer))
			wdbg_buffer_delete(gpu, buffer);
	}
}

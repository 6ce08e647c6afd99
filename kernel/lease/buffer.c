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
 *
 * A mapping that goes away waits for all jobs of its address space, and all that
 * come later wait for it (amdgpu_vm_clear_freed(), amdgpu_sync_resv()). If a job
 * that runs depends on a later one, neither would ever end, and it would be us
 * who have hung the target. So a buffer goes when its address space has no jobs,
 * and it gets none until the buffer has gone (amdgpu/ctx_mgr.c).
 */
#include <drm/amdgpu_drm.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_gem_ttm_helper.h>
#include <linux/dma-fence.h>
#include <linux/dma-resv.h>
#include <linux/file.h>
#include <linux/iosys-map.h>
#include <linux/random.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "private.h"

/* Addresses are multiples of this, for amdgpu's fragments */
#define VA_ALIGN	SZ_64K

/*
 * How often it is tried to map something where nothing was a moment ago. amdgpu
 * writes each try that fails to the kernel log.
 */
#define MAP_TRIES	8

/* How long page tables may take; a GPU that hangs never writes them. */
#define UPDATE_MS	1000

/* How often to look whether an address space has jobs. */
#define LOOK_MS		20

/* How long amdgpu's own job for a removal is waited for before the next one. */
#define REMOVAL_MS	10

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

static u64 random_va(u64 bytes, u64 align)
{
	u64 slots = (WDBG_BUFFER_SPAN - bytes) / align + 1;

	return WDBG_BUFFER_BASE + get_random_u64() % slots * align;
}

/* The first that is free, from any place on, and then from the begin. */
static int find_va(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer, u64 align)
{
	u64 from = random_va(buffer->bytes, align);
	int ret;

	buffer->va = from;
	ret = wdbg_mappings_hole(gpu, buffer->drm, &buffer->va,
				 WDBG_BUFFER_BASE + WDBG_BUFFER_SPAN,
				 buffer->bytes, align);
	if (ret != -EADDRNOTAVAIL)
		return ret;
	buffer->va = WDBG_BUFFER_BASE;
	return wdbg_mappings_hole(gpu, buffer->drm, &buffer->va,
				  from + buffer->bytes, buffer->bytes, align);
}

/*
 * Drivers in user space take addresses from both ends, amdkfd takes those that
 * the process has; nobody needs to come here. But anybody may, so it is looked
 * what is free. From a random place on, so that a target that maps something
 * meanwhile hardly does so in the same place. Where it is not known how
 * mappings are kept, a guess has to do.
 */
static int choose_va(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer)
{
	int ret;

	if (wdbg_mappings_why_not(gpu)) {
		buffer->va = random_va(buffer->bytes, VA_ALIGN);
		return 0;
	}
	ret = find_va(gpu, buffer, VA_ALIGN);
	return ret == -EADDRNOTAVAIL ? find_va(gpu, buffer, PAGE_SIZE) : ret;
}

static int map_at(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer, u32 flags)
{
	struct drm_amdgpu_gem_va args = {
		.handle = buffer->handle,
		.operation = AMDGPU_VA_OP_MAP,
		.flags = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE,
		.va_address = buffer->va,
		.map_size = buffer->bytes,
	};

	if (flags & AMDGPUDBG_MEM_ALLOC_EXEC)
		args.flags |= AMDGPU_VM_PAGE_EXECUTABLE;
	if (flags & AMDGPUDBG_MEM_ALLOC_UNCACHED)
		args.flags |= AMDGPU_VM_MTYPE_UC;
	return wdbg_driver_make(gpu, buffer->drm, DRM_IOCTL_AMDGPU_GEM_VA,
				&args);
}

/* At the address that was chosen, or else at another. */
static int map(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer, u32 flags)
{
	int i, ret;

	for (i = 0; i < MAP_TRIES; i++) {
		ret = map_at(gpu, buffer, flags);
		if (ret != -EINVAL)
			return ret;
		/* The target was faster, or the GPU's addresses end before. */
		ret = choose_va(gpu, buffer);
		if (ret)
			return ret;
	}
	return -EADDRNOTAVAIL;
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

static void take_out(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer)
{
	lockdep_assert_held(&gpu->lock);
	wdbg_driver_in_worker(put_obj, buffer);
	buffer->obj = NULL;
}

/*
 * Would the end of the mapping have to wait, and make others wait? Where amdkfd
 * has put its waves, they are no jobs, but there is a fence that lasts as long as
 * the process uses amdkfd (amdgpu_amdkfd_fence.c).
 */
static bool has_jobs(struct wdbg_gpu *gpu, const struct wdbg_buffer *buffer)
{
	if (!gpu->layout.present[WDBG_FPRIV_VM_IS_COMPUTE_CONTEXT] ||
	    wdbg_id_mgr_is_compute(gpu, buffer->drm))
		return false;
	return !dma_resv_test_signaled(buffer->obj->resv,
				       DMA_RESV_USAGE_BOOKKEEP);
}

/*
 * Has its address space no jobs? @before: where another buffer has just gone, which
 * is a job of amdgpu itself that ends soon.
 */
static bool may_go(struct wdbg_gpu *gpu, const struct wdbg_buffer *buffer,
		   const struct drm_file *before)
{
	if (!has_jobs(gpu, buffer))
		return true;
	return buffer->drm == before &&
	       dma_resv_wait_timeout(buffer->obj->resv, DMA_RESV_USAGE_BOOKKEEP,
				     false, msecs_to_jiffies(REMOVAL_MS)) > 0;
}

/* Has it gone, because its address space has no jobs and gets none meanwhile? */
static bool try_take_out(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer,
			 const struct drm_file *before)
{
	bool may;

	if (!wdbg_ctx_mgr_hold(gpu, buffer->drm))
		return false;
	may = may_go(gpu, buffer, before);
	if (may)
		take_out(gpu, buffer);
	wdbg_ctx_mgr_release(gpu, buffer->drm);
	return may;
}

/**
 * wdbg_buffer_delete() - take a buffer out of an address space
 * @gpu: the GPU, attached and awake
 * @buffer: the buffer, in no list
 *
 * At once, if the target has no jobs, else by a worker when it has none.
 * Context: as wdbg_driver_ioctl(). It cannot be interrupted.
 */
void wdbg_buffer_delete(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer)
{
	struct wdbg_deleted *deleted = &gpu->deleted;

	lockdep_assert_held(&gpu->lock);
	if (!buffer->obj || try_take_out(gpu, buffer, NULL)) {
		kfree(buffer);
		return;
	}
	get_file(buffer->file);
	list_add_tail(&buffer->node, &deleted->list);
	if (!deleted->num_waiting++)
		wdbg_power_get(gpu);
	wdbg_part_tick(gpu, &wdbg_buffer_part, LOOK_MS);
}

/* Those whose address spaces have no jobs, or all. */
static void take_out_deleted(struct wdbg_gpu *gpu, bool all)
{
	struct wdbg_deleted *deleted = &gpu->deleted;
	struct wdbg_buffer *buffer, *next;
	struct drm_file *before = NULL;

	list_for_each_entry_safe(buffer, next, &deleted->list, node) {
		if (all) {
			take_out(gpu, buffer);
		} else if (!try_take_out(gpu, buffer, before)) {
			/* Not once more for each of the others. */
			before = NULL;
			continue;
		}
		before = buffer->drm;
		list_move_tail(&buffer->node, &deleted->out);
		if (!--deleted->num_waiting)
			wdbg_power_put(gpu);
	}
	if (!list_empty(&deleted->out))
		queue_work(wdbg_workqueue, &deleted->put);
}

/* Without the GPU's lock: the last reference to a file may take its time. */
static void put_work(struct work_struct *work)
{
	struct wdbg_gpu *gpu = container_of(work, struct wdbg_gpu,
					    deleted.put);
	struct wdbg_buffer *buffer, *next;
	LIST_HEAD(out);

	wdbg_gpu_lock(gpu, NULL);
	list_splice_init(&gpu->deleted.out, &out);
	wdbg_gpu_unlock(gpu);
	list_for_each_entry_safe(buffer, next, &out, node) {
		/* At once, see free_work() in target.c. */
		__fput_sync(buffer->file);
		kfree(buffer);
	}
}

static u32 tick(struct wdbg_gpu *gpu)
{
	if (!gpu->sleeping)
		take_out_deleted(gpu, false);
	return gpu->deleted.num_waiting ? LOOK_MS : 0;
}

/* When the GPU goes, jobs are not waited for. */
static void settle(struct wdbg_gpu *gpu, bool now)
{
	if (now)
		take_out_deleted(gpu, true);
}

static int init_gpu(struct wdbg_gpu *gpu)
{
	INIT_LIST_HEAD(&gpu->deleted.list);
	INIT_LIST_HEAD(&gpu->deleted.out);
	INIT_WORK(&gpu->deleted.put, put_work);
	return 0;
}

static void exit_gpu(struct wdbg_gpu *gpu)
{
	flush_work(&gpu->deleted.put);
}

const struct wdbg_part wdbg_buffer_part = {
	.init = init_gpu,
	.exit = exit_gpu,
	.tick = tick,
	.settle = settle,
};

static unsigned int num_there(const struct list_head *list,
			      const struct drm_file *drm)
{
	struct wdbg_buffer *buffer;
	unsigned int num = 0;

	list_for_each_entry(buffer, list, node)
		if (buffer->obj && buffer->drm == drm)
			num++;
	return num;
}

/*
 * Nothing else bounds what is made and freed while a target has jobs, or waves
 * that leave a handler.
 */
static bool too_many_freed(struct wdbg_gpu *gpu, const struct drm_file *drm)
{
	return num_there(&gpu->deleted.list, drm) +
	       num_there(&gpu->trap.kept, drm) >= AMDGPUDBG_MEM_MAX_FREED;
}

/**
 * wdbg_buffer_new() - put a buffer into an address space
 * @gpu: the GPU
 * @target: whose address space; its file stays open for as long as the buffer
 * @flags: AMDGPUDBG_MEM_ALLOC_*
 * @bytes: its size, whole pages
 *
 * Context: as wdbg_driver_ioctl().
 * Return: the buffer, for wdbg_buffer_delete(), or an error: what amdgpu
 * returns, -ENOMEM, -ETIMEDOUT if the GPU does not write page tables, -ENOSPC if
 * too many that were freed are still there, -EADDRNOTAVAIL if the target has
 * left no addresses free, -ERESTARTSYS when a signal came.
 */
struct wdbg_buffer *wdbg_buffer_new(struct wdbg_gpu *gpu,
				    struct wdbg_target *target, u32 flags,
				    u64 bytes)
{
	struct wdbg_buffer *buffer;
	int ret;

	lockdep_assert_held(&gpu->lock);
	if (too_many_freed(gpu, target->drm))
		return ERR_PTR(-ENOSPC);
	buffer = kzalloc(sizeof(*buffer), GFP_KERNEL);
	if (!buffer)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&buffer->node);
	buffer->file = target->file;
	buffer->drm = target->drm;
	buffer->bytes = bytes;
	/* First, so that nothing is left to be deleted if there is no room. */
	ret = choose_va(gpu, buffer);
	if (!ret)
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

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory at the addresses of an address space: amdgpu's tree of mappings, and the
 * memory of the mapped buffer objects. A caller that needs the same memory again, no
 * matter what is mapped then, references the object.
 *
 * The tree, struct amdgpu_vm.va, changes only under the lock (dma_resv) of the address
 * space's root buffer object. That keeps the objects, too: a mapping is removed before
 * its object is freed. An object stays where it is under its own lock, which is the
 * root's for objects that cannot be shared (AMDGPU_GEM_CREATE_VM_ALWAYS_VALID).
 *
 * With the GPU's lock held, these locks are only tried. amdgpu holds them while it
 * makes room for a job, and that may take until other jobs have ended, whose waves may
 * be halted: a wait for them would keep the waves from being resumed. The same applies
 * to the end of a move. When memory has no pages, the caller gets them without the
 * GPU's lock, and tries again. Only the workers that create a buffer, which hold no
 * lock of the module, wait for the root's lock: wdbg_mappings_hole(),
 * wdbg_mappings_wait().
 *
 * System pages are accessed by TTM's ttm_bo_kmap(), once they are in place
 * (wdbg_object_populate()), which knows how they may be cached; VRAM by the function
 * that ptrace() uses through a process's mapping (amdgpu_ttm_access_memory()): it also
 * reaches what is beyond the BAR, by MM_INDEX, and flushes the HDP. Userptr pages have
 * no reference while no job uses them, and imported ones no pages at all: these are
 * reported, not accessed. Nor is memory that amdgpu itself maps in each address space,
 * for it is the same for all processes.
 */
#include <drm/amdgpu_drm.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem_ttm_helper.h>
#include <drm/ttm/ttm_device.h>
#include <drm/ttm/ttm_placement.h>
#include <drm/ttm/ttm_resource.h>
#include <drm/ttm/ttm_tt.h>
#include <linux/dma-fence.h>
#include <linux/dma-resv.h>
#include <linux/rbtree.h>

#include "amdgpu/amdgpu.h"
#include "amdgpu/compat.h"
#include "gpu.h"

/* Of amdgpu's page tables; amdgpu_vm.h, Linux 6.1 and 6.12 */
#define PTE_EXECUTABLE	BIT_ULL(4)
#define PTE_READABLE	BIT_ULL(5)
#define PTE_WRITEABLE	BIT_ULL(6)
#define PTE_PRT		BIT_ULL(51)

/* Unit of amdgpu's addresses: AMDGPU_GPU_PAGE_SHIFT */
#define GPU_PAGE_SHIFT	12

/* How long page tables may take, in ms; a GPU that hangs never writes them. */
#define UPDATE_MS	1000

static u64 vm_u64_field(struct wdbg_gpu *gpu, void *base, enum wdbg_field field)
{
	return *(u64 *)wdbg_field_ptr(&gpu->layout, base, field);
}

static struct ttm_buffer_object *vm_tbo_of(struct wdbg_gpu *gpu, void *bo)
{
	return wdbg_field_ptr(&gpu->layout, bo, WDBG_BO_TBO);
}

static void *vm_bo_of_object(struct wdbg_gpu *gpu, struct drm_gem_object *obj)
{
	struct ttm_buffer_object *tbo =
		container_of(obj, struct ttm_buffer_object, base);

	return (void *)tbo - gpu->layout.offset[WDBG_BO_TBO];
}

static struct dma_resv *vm_root_of(struct wdbg_gpu *gpu, struct drm_file *drm)
{
	void *bo = *(void **)wdbg_drm_field(gpu, drm, WDBG_FPRIV_VM_ROOT_BO);

	return vm_tbo_of(gpu, bo)->base.resv;
}

/* The lock of an object that shares the address space's lock is held already. */
static bool vm_try_lock_bo(struct ttm_buffer_object *tbo, struct dma_resv *root)
{
	return tbo->base.resv == root || dma_resv_trylock(tbo->base.resv);
}

static void vm_unlock_bo(struct ttm_buffer_object *tbo, struct dma_resv *root)
{
	if (tbo->base.resv != root)
		dma_resv_unlock(tbo->base.resv);
}

/* -------------------------------------------------------------- the tree */

static void *vm_mapping_of(struct wdbg_gpu *gpu, struct rb_node *node)
{
	return (void *)node - gpu->layout.offset[WDBG_MAPPING_RB];
}

/*
 * Find the first mapping that ends at @page or behind it, or NULL. They do not overlap.
 */
static struct rb_node *vm_find(struct wdbg_gpu *gpu, struct drm_file *drm, u64 page)
{
	struct rb_root_cached *va = wdbg_drm_field(gpu, drm, WDBG_FPRIV_VM_VA);
	struct rb_node *node = va->rb_root.rb_node, *found = NULL;

	while (node) {
		if (vm_u64_field(gpu, vm_mapping_of(gpu, node),
				 WDBG_MAPPING_LAST) < page) {
			node = node->rb_right;
		} else {
			found = node;
			node = node->rb_left;
		}
	}
	return found;
}

/* Get amdgpu's struct amdgpu_bo of a mapping; NULL: none, as with PRT. */
static void *vm_bo_of(struct wdbg_gpu *gpu, void *mapping)
{
	void *bo_va = *(void **)wdbg_field_ptr(&gpu->layout, mapping,
					       WDBG_MAPPING_BO_VA);

	if (!bo_va)
		return NULL;
	return *(void **)wdbg_field_ptr(&gpu->layout, bo_va, WDBG_BO_VA_BO);
}

static u32 vm_flags_of(struct wdbg_gpu *gpu, void *mapping)
{
	u32 flags = 0;
	u64 pte;
	u32 api;

	if (gpu->layout.present[WDBG_MAPPING_FLAGS_PTE]) {
		pte = vm_u64_field(gpu, mapping, WDBG_MAPPING_FLAGS_PTE);
		flags |= pte & PTE_READABLE ? AMDGPUDBG_MAPPING_READ : 0;
		flags |= pte & PTE_WRITEABLE ? AMDGPUDBG_MAPPING_WRITE : 0;
		flags |= pte & PTE_EXECUTABLE ? AMDGPUDBG_MAPPING_EXEC : 0;
		flags |= pte & PTE_PRT ? AMDGPUDBG_MAPPING_PRT : 0;
		return flags;
	}
	api = *(u32 *)wdbg_field_ptr(&gpu->layout, mapping,
				     WDBG_MAPPING_FLAGS_API);
	flags |= api & AMDGPU_VM_PAGE_READABLE ? AMDGPUDBG_MAPPING_READ : 0;
	flags |= api & AMDGPU_VM_PAGE_WRITEABLE ? AMDGPUDBG_MAPPING_WRITE : 0;
	flags |= api & AMDGPU_VM_PAGE_EXECUTABLE ? AMDGPUDBG_MAPPING_EXEC : 0;
	flags |= api & AMDGPU_VM_PAGE_PRT ? AMDGPUDBG_MAPPING_PRT : 0;
	return flags;
}

/* ------------------------------------------------------ a buffer object */

/* For pages of a process, get their address there, else 0. Locked. */
static u64 vm_userptr_of(struct wdbg_gpu *gpu, const struct ttm_buffer_object *tbo)
{
	if (!tbo->ttm || tbo->type != ttm_bo_type_device)
		return 0;
	return vm_u64_field(gpu, (void *)tbo->ttm -
			    gpu->layout.offset[WDBG_TTM_TT], WDBG_TTM_TT_USERPTR);
}

/* Locked. */
static u32 vm_kind_of(struct wdbg_gpu *gpu, const struct ttm_buffer_object *tbo)
{
	if (tbo->type == ttm_bo_type_kernel)
		return AMDGPUDBG_KIND_DRIVER;
	if (vm_userptr_of(gpu, tbo))
		return AMDGPUDBG_KIND_USERPTR;
	if (tbo->type == ttm_bo_type_sg ||
	    (tbo->ttm && tbo->ttm->page_flags & TTM_TT_FLAG_EXTERNAL))
		return AMDGPUDBG_KIND_IMPORTED;
	/* An object without memory will get pages of the system. */
	if (!tbo->resource)
		return AMDGPUDBG_KIND_SYSTEM;
	switch (tbo->resource->mem_type) {
	case TTM_PL_SYSTEM:
	case TTM_PL_TT:
		return AMDGPUDBG_KIND_SYSTEM;
	case TTM_PL_VRAM:
		return AMDGPUDBG_KIND_VRAM;
	}
	return AMDGPUDBG_KIND_OTHER;
}

static bool vm_is_encrypted(struct wdbg_gpu *gpu, void *bo)
{
	return vm_u64_field(gpu, bo, WDBG_BO_FLAGS) & AMDGPU_GEM_CREATE_ENCRYPTED;
}

/* Has it no pages, because it was never accessed, or was swapped out? Locked. */
static bool vm_is_absent(const struct ttm_buffer_object *tbo)
{
	if (!tbo->ttm || !tbo->resource || ttm_tt_is_populated(tbo->ttm))
		return false;
	return tbo->resource->mem_type == TTM_PL_SYSTEM ||
	       tbo->resource->mem_type == TTM_PL_TT;
}

/* As ttm_bo_kmap() would do it, but without waiting for jobs if that is possible */
static int vm_populate(struct ttm_buffer_object *tbo)
{
	struct ttm_operation_ctx ctx = { .no_wait_gpu = true };

#ifdef WDBG_TTM_BO_POPULATE
	return ttm_bo_populate(tbo, &ctx);
#else
	return ttm_tt_populate(tbo->bdev, tbo->ttm, &ctx);
#endif
}

/* Map pages that exist. The caller calls ttm_bo_kunmap(). */
static int vm_kmap_pages(struct ttm_buffer_object *tbo, u64 offset,
			 size_t bytes, struct ttm_bo_kmap_obj *map, void **at)
{
	unsigned long first = offset >> PAGE_SHIFT;
	unsigned long last = (offset + bytes - 1) >> PAGE_SHIFT;
	bool is_iomem;
	int ret;

	/* TTM has a BUG_ON() for that. */
	if (!tbo->ttm)
		return -ENXIO;
	ret = ttm_bo_kmap(tbo, first, last - first + 1, map);
	if (ret)
		return ret == -ENOMEM ? ret : -EIO;
	*at = ttm_kmap_obj_virtual(map, &is_iomem) + offset_in_page(offset);
	if (!is_iomem)
		return 0;
	ttm_bo_kunmap(map);
	return -EIO;
}

static int vm_copy_pages(struct ttm_buffer_object *tbo, u64 offset, void *data,
			 size_t bytes, bool write)
{
	struct ttm_bo_kmap_obj map;
	void *at;
	int ret = vm_kmap_pages(tbo, offset, bytes, &map, &at);

	if (ret)
		return ret;
	if (write)
		memcpy(at, data, bytes);
	else
		memcpy(data, at, bytes);
	ttm_bo_kunmap(&map);
	return 0;
}

/*
 * Not whole pages: amdgpu would copy these by a job of its own, through one buffer that
 * nothing protects from a second caller (amdgpu_ttm_access_memory_sdma()).
 */
static int vm_copy_vram(struct ttm_buffer_object *tbo, u64 offset, void *data,
			size_t bytes, bool write)
{
	const struct ttm_device_funcs *funcs = tbo->bdev->funcs;
	size_t n;
	int ret;

	if (!funcs->access_memory)
		return -EIO;
	for (; bytes; offset += n, data += n, bytes -= n) {
		n = min_t(size_t, bytes, PAGE_SIZE / 2);
		ret = funcs->access_memory(tbo, offset, data, n, write);
		if (ret != n)
			return -EIO;
	}
	/*
	 * It also returns that when it has done nothing because the device is
	 * unplugged.
	 */
	return drm_dev_is_unplugged(tbo->base.dev) ? -ENODEV : 0;
}

static int vm_access_bo(struct ttm_buffer_object *tbo, u32 kind, u64 offset,
			void *data, size_t bytes, bool write)
{
	if (kind == AMDGPUDBG_KIND_VRAM)
		return vm_copy_vram(tbo, offset, data, bytes, write);
	return vm_copy_pages(tbo, offset, data, bytes, write);
}

/*
 * A write of dwords that depends on the old contents, or returns them. The program may
 * store to the same memory at any time. So only the selected dwords are written, and
 * each of the system's memory atomically: a store is either seen, or comes later. It is
 * assumed that this also holds for a store of the GPU: it comes over the bus like that
 * of any device, and the CPU separates these from its locked accesses. @first is the
 * first dword of @copy.
 */
static int vm_exchange_pages(struct ttm_buffer_object *tbo, u64 offset,
			     struct wdbg_vm_copy *copy, size_t first, size_t num)
{
	const u32 *data = copy->data;
	struct ttm_bo_kmap_obj map;
	void *mapped;
	u32 *at;
	size_t i;
	int ret = vm_kmap_pages(tbo, offset, num * sizeof(u32), &map, &mapped);

	if (ret)
		return ret;
	at = mapped;
	for (i = first; i < first + num; i++, at++) {
		if (copy->only)
			cmpxchg(at, copy->only[i], data[i]);
		else
			copy->was[i] = xchg(at, data[i]);
	}
	ttm_bo_kunmap(&map);
	return 0;
}

/*
 * In VRAM nothing is atomic for the CPU: a store that comes between the two accesses of
 * one dword, which holds the patch until then, is lost.
 */
static int vm_exchange_vram(struct ttm_buffer_object *tbo, u64 offset,
			    struct wdbg_vm_copy *copy, size_t first, size_t num)
{
	u32 *data = copy->data, there;
	size_t i;
	int ret = 0;

	for (i = first; !ret && i < first + num; i++, offset += sizeof(there)) {
		ret = vm_copy_vram(tbo, offset, &there, sizeof(there), false);
		if (ret || (copy->only && there != copy->only[i]))
			continue;
		if (copy->was)
			copy->was[i] = there;
		ret = vm_copy_vram(tbo, offset, &data[i], sizeof(there), true);
	}
	return ret;
}

static int vm_exchange(struct ttm_buffer_object *tbo, u64 offset,
		       struct wdbg_vm_copy *copy, size_t bytes)
{
	size_t first = copy->done / sizeof(u32), num = bytes / sizeof(u32);

	if (copy->kind == AMDGPUDBG_KIND_VRAM)
		return vm_exchange_vram(tbo, offset, copy, first, num);
	return vm_exchange_pages(tbo, offset, copy, first, num);
}

/* May it be accessed? It is locked. */
static int vm_check_bo(struct wdbg_gpu *gpu, void *bo, u64 offset, size_t bytes,
		       u32 *kind)
{
	struct ttm_buffer_object *tbo = vm_tbo_of(gpu, bo);

	*kind = vm_kind_of(gpu, tbo);
	if (*kind != AMDGPUDBG_KIND_SYSTEM &&
	    *kind != AMDGPUDBG_KIND_VRAM)
		return -EOPNOTSUPP;
	if (vm_is_encrypted(gpu, bo))
		return -EACCES;
	if (!tbo->resource || offset > tbo->base.size ||
	    bytes > tbo->base.size - offset)
		return -ENXIO;
	/* It is being moved, or cleared. */
	if (!dma_resv_test_signaled(tbo->base.resv, DMA_RESV_USAGE_KERNEL))
		return -EAGAIN;
	return 0;
}

/* Copy within one object, which is locked. */
static int vm_copy_bo(struct wdbg_gpu *gpu, void *bo, u64 offset,
		      struct wdbg_vm_copy *copy, size_t bytes)
{
	struct ttm_buffer_object *tbo = vm_tbo_of(gpu, bo);
	void *data = copy->data + copy->done;
	int ret = vm_check_bo(gpu, bo, offset, bytes, &copy->kind);

	if (!ret && vm_is_absent(tbo)) {
		if (copy->hold) {
			drm_gem_object_get(&tbo->base);
			*copy->hold = &tbo->base;
		}
		return -ENODATA;
	}
	if (!ret && (copy->was || copy->only))
		ret = vm_exchange(tbo, offset, copy, bytes);
	else if (!ret)
		ret = vm_access_bo(tbo, copy->kind, offset, data, bytes,
				   copy->write);
	if (!ret)
		copy->done += bytes;
	return ret;
}

/**
 * struct place - the memory at an address
 * @bo: amdgpu's struct amdgpu_bo, locked
 * @offset: in @bo, in bytes
 * @bytes: how many follow, in the same mapping
 */
struct place {
	void *bo;
	u64 offset;
	u64 bytes;
};

/* Find and lock the memory that comes next; the root is locked. */
static int vm_lock_place(struct wdbg_gpu *gpu, struct drm_file *drm,
			 struct dma_resv *root, struct wdbg_vm_copy *copy,
			 struct place *place)
{
	u64 va = copy->va + copy->done, page = va >> GPU_PAGE_SHIFT;
	struct rb_node *node = vm_find(gpu, drm, page);
	void *mapping;
	u64 start;

	copy->kind = AMDGPUDBG_KIND_NONE;
	if (!node)
		return -ENXIO;
	mapping = vm_mapping_of(gpu, node);
	start = vm_u64_field(gpu, mapping, WDBG_MAPPING_START);
	place->bo = vm_bo_of(gpu, mapping);
	if (page < start || !place->bo)
		return -ENXIO;
	place->offset = va - (start << GPU_PAGE_SHIFT) +
			vm_u64_field(gpu, mapping, WDBG_MAPPING_OFFSET);
	place->bytes = ((vm_u64_field(gpu, mapping, WDBG_MAPPING_LAST) + 1) <<
			GPU_PAGE_SHIFT) - va;
	return vm_try_lock_bo(vm_tbo_of(gpu, place->bo), root) ? 0 : -EAGAIN;
}

/* Copy to the end of one mapping; the root is locked. */
static int vm_copy_mapping(struct wdbg_gpu *gpu, struct drm_file *drm,
			   struct dma_resv *root, struct wdbg_vm_copy *copy)
{
	struct place place;
	int ret = vm_lock_place(gpu, drm, root, copy, &place);

	if (ret)
		return ret;
	ret = vm_copy_bo(gpu, place.bo, place.offset, copy,
			 min_t(u64, place.bytes, copy->bytes - copy->done));
	vm_unlock_bo(vm_tbo_of(gpu, place.bo), root);
	return ret;
}

/**
 * wdbg_mappings_unsupported_reason() - explain why the memory of an address space
 *	cannot be accessed
 * @gpu: the GPU
 *
 * Return: NULL if it can, else a sentence.
 */
const char *wdbg_mappings_unsupported_reason(const struct wdbg_gpu *gpu)
{
	if (gpu->layout.has_mappings)
		return NULL;
	return "It is not known how this amdgpu stores the mappings of an address space.";
}

/*
 * Find the first multiple of @align, from *@va on, at which @bytes are free. The root
 * is locked.
 */
static int vm_find_hole(struct wdbg_gpu *gpu, struct drm_file *drm, u64 *va,
			u64 end, u64 bytes, u64 align)
{
	struct rb_node *node = vm_find(gpu, drm, *va >> GPU_PAGE_SHIFT);
	u64 at = *va, start, last;
	void *mapping;

	for (; node; node = rb_next(node)) {
		mapping = vm_mapping_of(gpu, node);
		start = vm_u64_field(gpu, mapping, WDBG_MAPPING_START);
		last = vm_u64_field(gpu, mapping, WDBG_MAPPING_LAST);
		if (start << GPU_PAGE_SHIFT >= min(at + bytes, end))
			break;
		at = ALIGN((last + 1) << GPU_PAGE_SHIFT, align);
		cond_resched();
	}
	if (at >= end || bytes > end - at)
		return -EADDRNOTAVAIL;
	*va = at;
	return 0;
}

/**
 * wdbg_mappings_hole() - find free addresses
 * @gpu: the GPU; wdbg_mappings_unsupported_reason() returns NULL
 * @drm: DRM file of the address space, open
 * @va: in, the first candidate, a multiple of @align; out, the first free address
 * @end: behind the last candidate
 * @bytes: size, whole pages
 * @align: alignment of @va in bytes, whole pages
 *
 * The target may map something there as soon as this returns.
 * Context: a worker that holds no lock of the module: waits for the lock of the address
 *	space, for as long as the target holds it.
 * Return: 0; -EADDRNOTAVAIL if there are none.
 */
int wdbg_mappings_hole(struct wdbg_gpu *gpu, struct drm_file *drm, u64 *va,
		       u64 end, u64 bytes, u64 align)
{
	struct dma_resv *root = vm_root_of(gpu, drm);
	int ret;

	wdbg_driver_may_wait(gpu);
	dma_resv_lock(root, NULL);
	ret = vm_find_hole(gpu, drm, va, end, bytes, align);
	dma_resv_unlock(root);
	return ret;
}

/**
 * wdbg_mappings_unlocked() - check that the lock of an address space is free
 * @gpu: the GPU; wdbg_mappings_unsupported_reason() returns NULL
 * @drm: DRM file of the address space, open
 *
 * It may be taken as soon as this returns.
 * Context: any.
 * Return: true if so.
 */
bool wdbg_mappings_unlocked(struct wdbg_gpu *gpu, struct drm_file *drm)
{
	struct dma_resv *root = vm_root_of(gpu, drm);

	if (!dma_resv_trylock(root))
		return false;
	dma_resv_unlock(root);
	return true;
}

/* Is all of an object mapped, from its first byte on? The root is locked. */
static bool vm_is_mapped(struct wdbg_gpu *gpu, struct drm_file *drm,
			 const struct drm_gem_object *obj, u64 va, u64 bytes)
{
	struct rb_node *node = vm_find(gpu, drm, va >> GPU_PAGE_SHIFT);
	void *mapping, *bo;

	if (!node)
		return false;
	mapping = vm_mapping_of(gpu, node);
	bo = vm_bo_of(gpu, mapping);
	return bo && &vm_tbo_of(gpu, bo)->base == obj &&
	       vm_u64_field(gpu, mapping, WDBG_MAPPING_START) ==
	       va >> GPU_PAGE_SHIFT &&
	       vm_u64_field(gpu, mapping, WDBG_MAPPING_LAST) ==
	       (va + bytes - 1) >> GPU_PAGE_SHIFT &&
	       !vm_u64_field(gpu, mapping, WDBG_MAPPING_OFFSET);
}

/**
 * wdbg_mappings_wait() - wait until page tables are written, for a whole object
 * @gpu: the GPU; wdbg_mappings_unsupported_reason() returns NULL
 * @drm: DRM file of the address space, open
 * @obj: the object
 * @va: its expected address, without sign
 * @bytes: its size
 *
 * Context: see wdbg_mappings_hole().
 * Return: 0; -ESTALE if something else is mapped there; -ETIMEDOUT if the GPU does not
 *	write page tables; the error of the last update.
 */
int wdbg_mappings_wait(struct wdbg_gpu *gpu, struct drm_file *drm,
		       const struct drm_gem_object *obj, u64 va, u64 bytes)
{
	struct dma_fence **last = wdbg_drm_field(gpu, drm, WDBG_FPRIV_VM_LAST_UPDATE);
	struct dma_resv *root = vm_root_of(gpu, drm);
	struct dma_fence *fence;
	bool mapped;
	long ret;

	wdbg_driver_may_wait(gpu);
	dma_resv_lock(root, NULL);
	mapped = vm_is_mapped(gpu, drm, obj, va, bytes);
	/* "Valid while the PD is reserved or fenced": struct amdgpu_vm */
	fence = dma_fence_get(*last);
	dma_resv_unlock(root);
	if (!fence || !mapped) {
		dma_fence_put(fence);
		return mapped ? 0 : -ESTALE;
	}
	ret = dma_fence_wait_timeout(fence, false, msecs_to_jiffies(UPDATE_MS));
	dma_fence_put(fence);
	if (ret < 0)
		return ret;
	return ret ? 0 : -ETIMEDOUT;
}

/**
 * wdbg_object_check() - check that an object is one that is always valid in an address
 *	space
 * @gpu: the GPU; wdbg_mappings_unsupported_reason() returns NULL
 * @drm: DRM file of the address space, open
 * @obj: the object, referenced
 * @bytes: its expected size
 *
 * The compared properties never change. An object with the lock of the address space
 * (AMDGPU_GEM_CREATE_VM_ALWAYS_VALID) was created for it, cannot be shared with another
 * one, and is neither imported nor pages of the process.
 * Return: 0 or -ESTALE.
 */
int wdbg_object_check(struct wdbg_gpu *gpu, struct drm_file *drm,
		      struct drm_gem_object *obj, u64 bytes)
{
	const struct ttm_buffer_object *tbo =
		container_of(obj, struct ttm_buffer_object, base);
	u64 flags = vm_u64_field(gpu, vm_bo_of_object(gpu, obj), WDBG_BO_FLAGS);

	if (obj->size != bytes || obj->resv != vm_root_of(gpu, drm) ||
	    tbo->type != ttm_bo_type_device || obj->import_attach)
		return -ESTALE;
	if (!(flags & AMDGPU_GEM_CREATE_VM_ALWAYS_VALID) ||
	    flags & AMDGPU_GEM_CREATE_ENCRYPTED)
		return -ESTALE;
	return 0;
}

/**
 * wdbg_mappings_copy() - copy from or to an address space
 * @gpu: the GPU
 * @drm: DRM file of the address space, open
 * @copy: the copy; out, how much was copied
 *
 * Context: may sleep; the GPU's lock is held, within the power bracket. Does not wait
 *	for amdgpu's locks.
 * Return: 0; -EAGAIN if a lock is not free, or memory is being moved, so that the
 *	caller should try again for the rest; -ENODATA if the memory has no pages, and
 *	the caller should call wdbg_object_populate() first; -ENXIO, -EACCES,
 *	-EOPNOTSUPP, -EIO, -ENOMEM, -ENODEV as documented for AMDGPUDBG_IOC_VM_ACCESS.
 */
int wdbg_mappings_copy(struct wdbg_gpu *gpu, struct drm_file *drm,
		       struct wdbg_vm_copy *copy)
{
	struct dma_resv *root = vm_root_of(gpu, drm);
	int ret = 0;

	lockdep_assert_held(&gpu->lock);
	copy->done = 0;
	copy->kind = AMDGPUDBG_KIND_NONE;
	if (!dma_resv_trylock(root))
		return -EAGAIN;
	while (!ret && copy->done < copy->bytes)
		ret = vm_copy_mapping(gpu, drm, root, copy);
	dma_resv_unlock(root);
	return ret;
}

/**
 * wdbg_mappings_find() - find the memory at an address
 * @gpu: the GPU
 * @drm: DRM file of the address space, open
 * @copy: the address and the size, within a page; out, the kind
 * @in: out, the object and the offset in it
 * @hold: take a reference to the object, which the caller has to drop without any lock;
 *	otherwise @in may only be compared with objects that the caller has referenced
 *
 * Context: see wdbg_mappings_copy().
 * Return: see wdbg_mappings_copy().
 */
int wdbg_mappings_find(struct wdbg_gpu *gpu, struct drm_file *drm,
		       struct wdbg_vm_copy *copy, struct wdbg_in_object *in,
		       bool hold)
{
	struct dma_resv *root = vm_root_of(gpu, drm);
	struct place place;
	int ret;

	lockdep_assert_held(&gpu->lock);
	copy->done = 0;
	if (!dma_resv_trylock(root))
		return -EAGAIN;
	ret = vm_lock_place(gpu, drm, root, copy, &place);
	if (ret)
		goto unlock;
	ret = vm_check_bo(gpu, place.bo, place.offset, copy->bytes, &copy->kind);
	if (!ret) {
		in->obj = &vm_tbo_of(gpu, place.bo)->base;
		in->offset = place.offset;
		if (hold)
			drm_gem_object_get(in->obj);
	}
	vm_unlock_bo(vm_tbo_of(gpu, place.bo), root);
unlock:
	dma_resv_unlock(root);
	return ret;
}

/**
 * wdbg_object_copy() - copy from or to an object, at any address
 * @gpu: the GPU
 * @in: the object, which is referenced, and the offset in it
 * @copy: the copy, except the address
 *
 * Context: see wdbg_mappings_copy().
 * Return: see wdbg_mappings_copy().
 */
int wdbg_object_copy(struct wdbg_gpu *gpu, const struct wdbg_in_object *in,
		     struct wdbg_vm_copy *copy)
{
	struct dma_resv *resv = in->obj->resv;
	int ret;

	lockdep_assert_held(&gpu->lock);
	copy->done = 0;
	if (!dma_resv_trylock(resv))
		return -EAGAIN;
	ret = vm_copy_bo(gpu, vm_bo_of_object(gpu, in->obj), in->offset, copy,
			 copy->bytes);
	dma_resv_unlock(resv);
	return ret;
}

/**
 * wdbg_object_populate() - get pages for an object that has none
 * @obj: the object; takes over the reference
 *
 * If there are more pages than allowed, TTM swaps out other objects first. That of
 * Linux 6.1 waits for the jobs that use them, for 15 s at most, no matter what it is
 * asked for, and the next caller waits for that. The jobs' waves may be halted.
 *
 * Context: may sleep, see above; no lock is held, and the GPU is kept. Does not wait
 *	for amdgpu's locks.
 * Return: 0; -EAGAIN: not now; -ENOMEM; -EIO.
 */
int wdbg_object_populate(struct drm_gem_object *obj)
{
	struct ttm_buffer_object *tbo = drm_gem_ttm_of_gem(obj);
	int ret = -EAGAIN;

	if (dma_resv_trylock(obj->resv)) {
		ret = vm_is_absent(tbo) ? vm_populate(tbo) : 0;
		dma_resv_unlock(obj->resv);
	}
	drm_gem_object_put(obj);
	if (!ret || ret == -ENOMEM || ret == -EIO)
		return ret;
	return -EAGAIN;
}

/* ------------------------------------------------------------------ lists */

/* false: its lock is not free */
static bool vm_describe(struct wdbg_gpu *gpu, void *mapping, struct dma_resv *root,
			struct amdgpudbg_mapping *m)
{
	u64 start = vm_u64_field(gpu, mapping, WDBG_MAPPING_START);
	u64 last = vm_u64_field(gpu, mapping, WDBG_MAPPING_LAST);
	void *bo = vm_bo_of(gpu, mapping);
	struct ttm_buffer_object *tbo;
	u64 userptr;

	memset(m, 0, sizeof(*m));
	m->va = wdbg_va_signed(start << GPU_PAGE_SHIFT);
	m->bytes = (last - start + 1) << GPU_PAGE_SHIFT;
	m->flags = vm_flags_of(gpu, mapping);
	if (!bo)
		return true;
	tbo = vm_tbo_of(gpu, bo);
	if (!vm_try_lock_bo(tbo, root))
		return false;
	m->kind = vm_kind_of(gpu, tbo);
	m->offset = vm_u64_field(gpu, mapping, WDBG_MAPPING_OFFSET);
	userptr = vm_userptr_of(gpu, tbo);
	if (userptr)
		m->cpu_address = userptr + m->offset;
	if (vm_is_encrypted(gpu, bo))
		m->flags |= AMDGPUDBG_MAPPING_ENCRYPTED;
	vm_unlock_bo(tbo, root);
	return true;
}

/**
 * wdbg_mappings_list() - list mappings of an address space
 * @gpu: the GPU
 * @drm: DRM file of the address space, open
 * @next: in, the first address; out, that of the next call. Without sign
 * @last: the last address
 * @mappings: out, in the order of their addresses
 * @num: in, how many fit there, at least 1; out, how many there are: 0 at the end
 *
 * Context: may sleep; the GPU's lock is held. Does not wait for amdgpu's locks.
 * Return: 0; -EAGAIN if not even one can be listed, because a lock is not free.
 */
int wdbg_mappings_list(struct wdbg_gpu *gpu, struct drm_file *drm, u64 *next,
		       u64 last, struct amdgpudbg_mapping *mappings, u32 *num)
{
	struct dma_resv *root = vm_root_of(gpu, drm);
	u32 room = *num;
	struct rb_node *node;
	void *mapping;

	lockdep_assert_held(&gpu->lock);
	*num = 0;
	if (!dma_resv_trylock(root))
		return -EAGAIN;
	for (node = vm_find(gpu, drm, *next >> GPU_PAGE_SHIFT);
	     node && *num < room; node = rb_next(node)) {
		mapping = vm_mapping_of(gpu, node);
		if (vm_u64_field(gpu, mapping, WDBG_MAPPING_START) >
		    last >> GPU_PAGE_SHIFT)
			break;
		if (!vm_describe(gpu, mapping, root, &mappings[*num]))
			goto busy;
		*next = (vm_u64_field(gpu, mapping, WDBG_MAPPING_LAST) + 1) <<
			GPU_PAGE_SHIFT;
		++*num;
	}
	dma_resv_unlock(root);
	return 0;

busy:
	dma_resv_unlock(root);
	return *num ? 0 : -EAGAIN;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory that has patches: buffer objects by their address, and the patches in each
 * by their offset, which do not overlap. So an operation on one patch takes no longer
 * because others have set many.
 *
 * One reference holds an object, no matter how many patches are in it. A worker drops
 * it, without locks, because amdgpu takes some then, and may wait.
 */
#include <drm/drm_gem.h>
#include <linux/dma-resv.h>
#include <linux/slab.h>

#include "amdgpu/amdgpu.h"
#include "gpu.h"
#include "target/patched.h"
#include "target/target.h"

static struct wdbg_patched *patched_of(struct rb_node *node)
{
	return rb_entry(node, struct wdbg_patched, node);
}

/* All objects that have patches */
static struct rb_root *patched_root(const struct wdbg_gpu *gpu)
{
	return wdbg_part_data(gpu, &wdbg_patched_part);
}

static struct wdbg_patch *patched_patch_of(struct rb_node *node)
{
	return rb_entry(node, struct wdbg_patch, in_object);
}

static struct wdbg_patched *patched_find(struct wdbg_gpu *gpu,
					 const struct drm_gem_object *obj)
{
	struct rb_node *node = patched_root(gpu)->rb_node;
	struct wdbg_patched *patched;

	while (node) {
		patched = patched_of(node);
		if (patched->obj == obj)
			return patched;
		node = obj < patched->obj ? node->rb_left : node->rb_right;
	}
	return NULL;
}

static void patched_close(struct work_struct *work)
{
	struct wdbg_patched *patched = container_of(work, struct wdbg_patched,
						    close.work);
	struct wdbg_gpu *gpu = patched->gpu;

	drm_gem_object_put(patched->obj);
	kfree(patched);
	wdbg_gpu_closed(gpu);
}

/**
 * wdbg_patched_overlap() - find a patch in a range of an object
 * @gpu: the GPU
 * @in: the object, and the start of the range; need not be referenced
 * @bytes: size of the range
 *
 * Return: the first patch that overlaps it, or NULL.
 */
struct wdbg_patch *wdbg_patched_overlap(struct wdbg_gpu *gpu,
					const struct wdbg_in_object *in,
					u32 bytes)
{
	struct wdbg_patched *patched = patched_find(gpu, in->obj);
	struct rb_node *node = patched ? patched->patches.rb_node : NULL;
	struct wdbg_patch *patch, *found = NULL;

	lockdep_assert_held(&gpu->lock);
	while (node) {
		patch = patched_patch_of(node);
		if (patch->in.offset + patch->bytes <= in->offset) {
			node = node->rb_right;
			continue;
		}
		if (patch->in.offset < in->offset + bytes)
			found = patch;
		node = node->rb_left;
	}
	return found;
}

/* The entry of the tree, or @new, which references the object then */
static struct wdbg_patched *patched_get(struct wdbg_gpu *gpu,
					struct drm_gem_object *obj,
					struct wdbg_patched *new)
{
	struct rb_node **link = &patched_root(gpu)->rb_node, *parent = NULL;
	struct wdbg_patched *patched;

	while (*link) {
		parent = *link;
		patched = patched_of(parent);
		if (patched->obj == obj) {
			/* Not the last reference. */
			drm_gem_object_put(obj);
			kfree(new);
			return patched;
		}
		link = obj < patched->obj ? &parent->rb_left :
					    &parent->rb_right;
	}
	new->gpu = gpu;
	new->obj = obj;
	new->patches = RB_ROOT;
	INIT_WORK(&new->close.work, patched_close);
	rb_link_node(&new->node, parent, link);
	rb_insert_color(&new->node, patched_root(gpu));
	return new;
}

/**
 * wdbg_patched_add() - enter a patch that overlaps no other
 * @patch: the patch, with its memory; takes over a reference to the object
 * @new: for the first patch in an object; is taken over
 */
void wdbg_patched_add(struct wdbg_patch *patch, struct wdbg_patched *new)
{
	struct rb_node **link, *parent = NULL;

	lockdep_assert_held(&patch->gpu->lock);
	patch->patched = patched_get(patch->gpu, patch->in.obj, new);
	link = &patch->patched->patches.rb_node;
	while (*link) {
		parent = *link;
		link = patch->in.offset < patched_patch_of(parent)->in.offset ?
		       &parent->rb_left : &parent->rb_right;
	}
	rb_link_node(&patch->in_object, parent, link);
	rb_insert_color(&patch->in_object, &patch->patched->patches);
}

/**
 * wdbg_patched_remove() - remove and free a patch
 * @patch: the patch, which nothing refers to any more
 */
void wdbg_patched_remove(struct wdbg_patch *patch)
{
	struct wdbg_patched *patched = patch->patched;
	struct wdbg_gpu *gpu = patch->gpu;

	lockdep_assert_held(&gpu->lock);
	rb_erase(&patch->in_object, &patched->patches);
	kfree(patch);
	if (!RB_EMPTY_ROOT(&patched->patches))
		return;
	rb_erase(&patched->node, patched_root(gpu));
	wdbg_gpu_close_later(gpu, &patched->close);
}

/**
 * wdbg_patched_is_freed() - check whether only patches hold an object
 * @patched: the object
 *
 * Without any other handle, mapping or dma-buf, it will not get one. Jobs may use it
 * until they end, as amdgpu keeps it for them.
 *
 * Return: true if so.
 */
bool wdbg_patched_is_freed(const struct wdbg_patched *patched)
{
	return kref_read(&patched->obj->refcount) <= 1 &&
	       dma_resv_test_signaled(patched->obj->resv,
				      DMA_RESV_USAGE_BOOKKEEP);
}

/**
 * wdbg_patched_any() - check whether there are any patches
 * @gpu: the GPU
 *
 * Context: the GPU's lock is held.
 * Return: true if so.
 */
bool wdbg_patched_any(const struct wdbg_gpu *gpu)
{
	return !RB_EMPTY_ROOT(patched_root(gpu));
}

/* Only the memory of patches; patch.c removes them. Zeros are an empty tree. */
const struct wdbg_part wdbg_patched_part = {
	.id = WDBG_PART_PATCHED,
	.data_size = sizeof(struct rb_root),
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The state of amdgpu's VMID manager for the VMIDs of the graphics hub. Only the order
 * of unused VMIDs is changed.
 *
 * amdgpu keeps a reserved VMID in another way in each series
 * (amdgpu_vmid_alloc_reserved()):
 *
 * - 6.1: amdgpu_vm.reserved_vmid[] points to the VMID; a counter ensures that one
 *   address space of a GPU can have one, and a second one's try is written to the
 *   kernel log.
 * - 6.12: amdgpu_vm.reserved_vmid[] is a bool, and all address spaces that have it use
 *   the same VMID in turns, amdgpu_vmid_mgr.reserved. So the target is alone in it only
 *   while amdgpu_vmid_mgr.reserved_use_count is 1. With enforce_isolation, the driver
 *   itself counts, and all address spaces use that VMID, whether they have reserved it
 *   or not (amdgpu_vmid_uses_reserved()).
 * - 7.2: as 6.1, but amdgpu_vmid_mgr.reserved_vmid is a bool. There, enforce_isolation
 *   lets jobs of one process at a time run, in any VMID.
 *
 * A reserved VMID is not yet owned: amdgpu reserves the first VMID of its list, even if
 * another process has jobs there, and only the new owner's next job waits until these
 * have ended. But under the manager's lock the owner of a VMID is certain:
 * amdgpu_vmid.active holds the fences of the jobs that were granted it, and those which
 * are not signaled are all jobs of amdgpu_vmid.owner, because no other address space is
 * granted it before they are (amdgpu_vmid_grab_idle(), _reserved(), _used(); where
 * vm_manager.concurrent_flush is set). IH_VMID_n_LUT is less exact: it shows the former
 * owner until the new one's first job.
 */
#include <drm/drm_file.h>
#include <linux/dma-fence.h>
#include <linux/list.h>
#include <linux/mutex.h>

#include "amdgpu/amdgpu.h"
#include "gpu.h"

static void *id_mgr_field(struct wdbg_gpu *gpu, enum wdbg_field field)
{
	/* The first manager: AMDGPU_GFXHUB(0) is 0. */
	void *id_mgr = wdbg_field_ptr(&gpu->layout, gpu->adev,
				      WDBG_ADEV_ID_MGR);

	return wdbg_field_ptr(&gpu->layout, id_mgr, field);
}

/**
 * wdbg_id_mgr_unsupported_reason() - explain why the owner of a VMID cannot be known
 * @gpu: the GPU
 *
 * Return: NULL if it can, else a sentence.
 */
const char *wdbg_id_mgr_unsupported_reason(const struct wdbg_gpu *gpu)
{
	if (!gpu->layout.has_reserve)
		return "It is not known how this amdgpu reserves VMIDs.";
	if (!gpu->layout.has_owner)
		return "It is not known how this amdgpu stores the owners of VMIDs.";
	if (!READ_ONCE(*(bool *)wdbg_field_ptr(&gpu->layout, gpu->adev,
					       WDBG_ADEV_CONCURRENT_FLUSH)))
		return "On this GPU, amdgpu grants VMIDs to others before their jobs have ended.";
	return NULL;
}

/**
 * wdbg_id_mgr_vm() - get amdgpu's address space of a DRM file
 * @gpu: the GPU, attached
 * @drm: the file
 *
 * Return: its struct amdgpu_vm, for as long as the file is open.
 */
void *wdbg_id_mgr_vm(struct wdbg_gpu *gpu, struct drm_file *drm)
{
	return wdbg_drm_field(gpu, drm, WDBG_FPRIV_VM);
}

/**
 * wdbg_id_mgr_is_compute() - check whether waves of an address space run in VMIDs of
 *	amdkfd
 * @gpu: the GPU, attached
 * @drm: its DRM file
 *
 * Return: true if so.
 */
bool wdbg_id_mgr_is_compute(struct wdbg_gpu *gpu, struct drm_file *drm)
{
	enum wdbg_field field = WDBG_FPRIV_VM_IS_COMPUTE_CONTEXT;

	return gpu->layout.present[field] &&
	       READ_ONCE(*(bool *)wdbg_drm_field(gpu, drm, field));
}

/**
 * wdbg_id_mgr_has_cwsr() - check whether amdkfd can save the waves of its queues
 * @gpu: the GPU, attached
 *
 * Return: true if so; false also if this amdgpu does not show it.
 */
bool wdbg_id_mgr_has_cwsr(struct wdbg_gpu *gpu)
{
	const struct wdbg_layout *layout = &gpu->layout;
	void *kfd;

	if (!layout->present[WDBG_ADEV_KFD_DEV] || !layout->present[WDBG_KFD_DEV_CWSR])
		return false;
	/* It exists as long as the GPU is bound. */
	kfd = READ_ONCE(*(void **)wdbg_field_ptr(layout, gpu->adev, WDBG_ADEV_KFD_DEV));
	return kfd && READ_ONCE(*(bool *)wdbg_field_ptr(layout, kfd, WDBG_KFD_DEV_CWSR));
}

/**
 * wdbg_id_mgr_has_vmid() - check whether an address space has a reserved VMID
 * @gpu: the GPU, attached
 * @drm: its DRM file
 *
 * Return: true if so.
 */
bool wdbg_id_mgr_has_vmid(struct wdbg_gpu *gpu, struct drm_file *drm)
{
	if (gpu->layout.present[WDBG_FPRIV_VM_RESERVED_BOOL])
		return READ_ONCE(*(bool *)wdbg_drm_field(gpu, drm,
							 WDBG_FPRIV_VM_RESERVED_BOOL));
	return READ_ONCE(*(void **)wdbg_drm_field(gpu, drm,
						  WDBG_FPRIV_VM_RESERVED_PTR));
}

/**
 * wdbg_id_mgr_num_reserved() - count the address spaces that have a reserved VMID
 * @gpu: the GPU, attached
 *
 * Return: the number; with Linux 7.2 only whether there is one.
 */
u32 wdbg_id_mgr_num_reserved(struct wdbg_gpu *gpu)
{
	const bool *present = gpu->layout.present;

	if (present[WDBG_ID_MGR_RESERVED_USE_COUNT])
		return READ_ONCE(*(u32 *)id_mgr_field(gpu,
					WDBG_ID_MGR_RESERVED_USE_COUNT));
	if (present[WDBG_ID_MGR_RESERVED_VMID_NUM])
		return atomic_read(id_mgr_field(gpu,
						WDBG_ID_MGR_RESERVED_VMID_NUM));
	return READ_ONCE(*(bool *)id_mgr_field(gpu, WDBG_ID_MGR_RESERVED_VMID));
}

/**
 * wdbg_id_mgr_isolates() - check whether all address spaces use one VMID in turns
 * @gpu: the GPU, attached
 *
 * Then none can have one of its own.
 * Return: true if so.
 */
bool wdbg_id_mgr_isolates(struct wdbg_gpu *gpu)
{
	enum wdbg_field field = WDBG_ADEV_ENFORCE_ISOLATION;

	/* An array, by partition; the supported GPUs have one. */
	return gpu->layout.present[field] &&
	       gpu->layout.present[WDBG_ID_MGR_RESERVED_USE_COUNT] &&
	       READ_ONCE(*(bool *)wdbg_field_ptr(&gpu->layout, gpu->adev,
						 field));
}

/* Get the number of the address space's reserved VMID, 0 if it has none. */
static u32 id_mgr_vmid_of(struct wdbg_gpu *gpu, struct drm_file *drm)
{
	const struct wdbg_layout *layout = &gpu->layout;
	void *ids = id_mgr_field(gpu, WDBG_ID_MGR_IDS);
	void *id;
	u32 n;

	if (!wdbg_id_mgr_has_vmid(gpu, drm))
		return 0;
	if (layout->present[WDBG_FPRIV_VM_RESERVED_BOOL])
		id = READ_ONCE(*(void **)id_mgr_field(gpu,
						      WDBG_ID_MGR_RESERVED));
	else
		id = READ_ONCE(*(void **)wdbg_drm_field(gpu, drm,
							WDBG_FPRIV_VM_RESERVED_PTR));
	if (id < ids || (id - ids) % layout->id_size)
		return 0;
	n = (id - ids) / layout->id_size;
	return n < layout->num_ids && n < WDBG_NUM_VMID ? n : 0;
}

/**
 * wdbg_id_mgr_check() - check that an address space does not share its reserved VMID
 * @gpu: the GPU, attached
 * @drm: its DRM file
 * @vmid: out, the VMID, 0 if it has none
 *
 * Jobs of others may still be there: see wdbg_id_mgr_prove().
 * Return: 0; -EBUSY if it has none or shares it; -EOPNOTSUPP if it is amdkfd's.
 */
int wdbg_id_mgr_check(struct wdbg_gpu *gpu, struct drm_file *drm, u32 *vmid)
{
	/*
	 * The number counts only where the VMID can be shared: 6.1 also counts a try
	 * that fails, for a moment.
	 */
	bool shared = gpu->layout.present[WDBG_ID_MGR_RESERVED_USE_COUNT];

	*vmid = id_mgr_vmid_of(gpu, drm);
	if (!*vmid || (shared && wdbg_id_mgr_num_reserved(gpu) != 1) ||
	    wdbg_id_mgr_isolates(gpu))
		return -EBUSY;
	return *vmid < gpu->first_kfd_vmid ? 0 : -EOPNOTSUPP;
}

static struct mutex *id_mgr_lock_of(struct wdbg_gpu *gpu)
{
	return id_mgr_field(gpu, WDBG_ID_MGR_LOCK);
}

/* Find the fence of a job that was granted a VMID and has not ended, or NULL. */
static struct dma_fence *id_mgr_first_unsignaled(struct wdbg_gpu *gpu, void *id)
{
	const struct wdbg_layout *layout = &gpu->layout;
	struct hlist_head *fences = wdbg_field_ptr(layout, id,
						   WDBG_VMID_ACTIVE_FENCES);
	struct hlist_node *node;
	struct dma_fence *fence;
	u32 i;

	lockdep_assert_held(id_mgr_lock_of(gpu));
	for (i = 0; i < layout->num_fence_lists; i++) {
		hlist_for_each(node, &fences[i]) {
			void *entry = (void *)node -
				      layout->offset[WDBG_SYNC_ENTRY_NODE];

			fence = *(struct dma_fence **)
				wdbg_field_ptr(layout, entry,
					       WDBG_SYNC_ENTRY_FENCE);
			if (!dma_fence_is_signaled(fence))
				return fence;
		}
	}
	return NULL;
}

/**
 * wdbg_id_mgr_idle_first() - let the next VMID to be reserved be one without jobs
 * @gpu: the GPU, attached
 *
 * If there is one. The list's order changes with each job that is granted a VMID, so
 * another may come first before it is reserved.
 * Context: may sleep for moments.
 */
void wdbg_id_mgr_idle_first(struct wdbg_gpu *gpu)
{
	struct list_head *lru = id_mgr_field(gpu, WDBG_ID_MGR_IDS_LRU);
	struct list_head *pos;

	mutex_lock(id_mgr_lock_of(gpu));
	list_for_each(pos, lru) {
		void *id = (void *)pos - gpu->layout.offset[WDBG_VMID_LIST];

		if (!id_mgr_first_unsignaled(gpu, id)) {
			list_move(pos, lru);
			break;
		}
	}
	mutex_unlock(id_mgr_lock_of(gpu));
}

/**
 * wdbg_id_mgr_is_others() - check whether another address space was granted a VMID last
 * @gpu: the GPU, attached
 * @drm: DRM file of the address space
 * @vmid: the VMID
 *
 * If so, no wave of the address space is in it any more. VMIDs of amdkfd are granted in
 * another way, and after a reset amdgpu does not know the owners any more.
 * Return: true if so; false also if it is not known.
 */
bool wdbg_id_mgr_is_others(struct wdbg_gpu *gpu, struct drm_file *drm, u32 vmid)
{
	void *id;
	u64 owner;

	if (wdbg_id_mgr_unsupported_reason(gpu) || vmid >= gpu->first_kfd_vmid ||
	    vmid >= gpu->layout.num_ids)
		return false;
	id = id_mgr_field(gpu, WDBG_ID_MGR_IDS) + vmid * gpu->layout.id_size;
	owner = READ_ONCE(*(u64 *)wdbg_field_ptr(&gpu->layout, id,
						 WDBG_VMID_OWNER));
	return owner && owner != *(u64 *)wdbg_drm_field(gpu, drm,
							WDBG_FPRIV_VM_FENCE_CONTEXT);
}

/**
 * wdbg_id_mgr_other_jobs() - find jobs of an address space in other VMIDs
 * @gpu: the GPU, attached; wdbg_id_mgr_unsupported_reason() returns NULL
 * @drm: its DRM file
 * @vmid: ignore jobs in this VMID
 *
 * While @vmid is reserved for the address space, it is granted no other, so that there
 * will be no such jobs once this returns 0. After a reset amdgpu does not know the
 * owners of VMIDs any more: then jobs that are still in them may belong to any process,
 * and count.
 * Context: may sleep for moments.
 * Return: the VMID of a job that was granted one and has not ended, or 0.
 */
u32 wdbg_id_mgr_other_jobs(struct wdbg_gpu *gpu, struct drm_file *drm, u32 vmid)
{
	u64 context = *(u64 *)wdbg_drm_field(gpu, drm, WDBG_FPRIV_VM_FENCE_CONTEXT);
	void *ids = id_mgr_field(gpu, WDBG_ID_MGR_IDS);
	u32 n, found = 0;

	mutex_lock(id_mgr_lock_of(gpu));
	for (n = 1; n < gpu->first_kfd_vmid && n < gpu->layout.num_ids; n++) {
		void *id = ids + n * gpu->layout.id_size;
		u64 owner = *(u64 *)wdbg_field_ptr(&gpu->layout, id,
						   WDBG_VMID_OWNER);

		if (n == vmid || (owner && owner != context))
			continue;
		if (id_mgr_first_unsignaled(gpu, id)) {
			found = n;
			break;
		}
	}
	mutex_unlock(id_mgr_lock_of(gpu));
	return found;
}

static int id_mgr_prove_locked(struct wdbg_gpu *gpu, struct drm_file *drm, u32 vmid,
			       struct wdbg_vmid_user *user)
{
	void *id = id_mgr_field(gpu, WDBG_ID_MGR_IDS) +
		   vmid * gpu->layout.id_size;
	u64 context = *(u64 *)wdbg_drm_field(gpu, drm, WDBG_FPRIV_VM_FENCE_CONTEXT);
	u64 owner = *(u64 *)wdbg_field_ptr(&gpu->layout, id, WDBG_VMID_OWNER);
	u32 now;
	int ret;

	ret = wdbg_id_mgr_check(gpu, drm, &now);
	if (ret || now != vmid)
		return ret ? ret : -EBUSY;
	if (owner == context)
		return 0;
	user->fence = dma_fence_get(id_mgr_first_unsignaled(gpu, id));
	if (!user->fence)
		return 0;
	user->pasid = *(u32 *)wdbg_field_ptr(&gpu->layout, id,
					     WDBG_VMID_PASID);
	return -EAGAIN;
}

/**
 * wdbg_id_mgr_prove() - prove that only an address space is in its reserved VMID
 * @gpu: the GPU, attached
 * @drm: its DRM file
 * @vmid: the VMID
 * @user: out, with -EAGAIN: the other user
 *
 * wdbg_guard, which must have begun before, notices if another is granted the VMID
 * afterwards.
 * Context: may sleep for moments.
 * Return: 0 if so; -EAGAIN if another's jobs are still there; errors of
 *	wdbg_id_mgr_check() if the VMID is not, or no longer, reserved for it alone.
 */
int wdbg_id_mgr_prove(struct wdbg_gpu *gpu, struct drm_file *drm, u32 vmid,
		      struct wdbg_vmid_user *user)
{
	int ret;

	mutex_lock(id_mgr_lock_of(gpu));
	ret = id_mgr_prove_locked(gpu, drm, vmid, user);
	mutex_unlock(id_mgr_lock_of(gpu));
	return ret;
}

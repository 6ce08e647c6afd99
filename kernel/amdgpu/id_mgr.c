// SPDX-License-Identifier: GPL-2.0-only
/*
 * What amdgpu's VMID manager says of the VMIDs of the graphics hub. Nothing is
 * changed there but the order of those that nobody uses.
 *
 * amdgpu keeps a reserved VMID in another way in each series
 * (amdgpu_vmid_alloc_reserved()):
 *
 * - 6.1: amdgpu_vm.reserved_vmid[] points to the VMID; one address space of a
 *   GPU can have one, a counter sees to that, and a second one's try is written
 *   to the kernel log.
 * - 6.12: amdgpu_vm.reserved_vmid[] is a bool, and all address spaces that have
 *   it use the same VMID in turns, amdgpu_vmid_mgr.reserved. So it is the target's
 *   alone only while amdgpu_vmid_mgr.reserved_use_count is 1. With
 *   enforce_isolation, the driver itself counts, and all address spaces use
 *   that VMID, reserved by them or not (amdgpu_vmid_uses_reserved()).
 * - 7.2: as 6.1, but amdgpu_vmid_mgr.reserved_vmid is a bool. There,
 *   enforce_isolation lets jobs of one process at a time run, in any VMID.
 *
 * Reserved is not owned: amdgpu reserves the first VMID of its list, whoever has
 * jobs there, and only the new owner's next job waits until these have ended. But
 * under the manager's lock it is certain whose a VMID is: amdgpu_vmid.active holds
 * the fences of the jobs that were granted it, and those which are not signaled
 * are all jobs of amdgpu_vmid.owner, because nobody else is granted it before
 * they are (amdgpu_vmid_grab_idle(), _reserved(), _used(); where
 * vm_manager.concurrent_flush is set). IH_VMID_n_LUT tells less: it shows the
 * former owner until the new one's first job.
 */
#include <drm/drm_file.h>
#include <linux/dma-fence.h>
#include <linux/list.h>
#include <linux/mutex.h>

#include "private.h"

static void *id_mgr_field(struct wdbg_gpu *gpu, enum wdbg_field field)
{
	/* The first one: AMDGPU_GFXHUB(0) is 0. */
	void *id_mgr = wdbg_field_ptr(&gpu->layout, gpu->adev,
				      WDBG_ADEV_ID_MGR);

	return wdbg_field_ptr(&gpu->layout, id_mgr, field);
}

static void *id_mgr_vm_field(struct wdbg_gpu *gpu, struct drm_file *drm,
			     enum wdbg_field field)
{
	return wdbg_field_ptr(&gpu->layout, drm->driver_priv, field);
}

/**
 * wdbg_id_mgr_why_not() - can it be known whose a VMID is?
 * @gpu: the GPU
 *
 * Return: NULL if so, else a sentence.
 */
const char *wdbg_id_mgr_why_not(const struct wdbg_gpu *gpu)
{
	if (!gpu->layout.has_reserve)
		return "How this amdgpu reserves VMIDs is not known.";
	if (!gpu->layout.has_owner)
		return "How this amdgpu keeps the owners of VMIDs is not known.";
	if (!READ_ONCE(*(bool *)wdbg_field_ptr(&gpu->layout, gpu->adev,
					       WDBG_ADEV_CONCURRENT_FLUSH)))
		return "On this GPU, amdgpu hands VMIDs on before their jobs have ended.";
	return NULL;
}

/**
 * wdbg_id_mgr_vm() - amdgpu's address space of a DRM file
 * @gpu: the GPU, attached
 * @drm: the file
 *
 * Return: its struct amdgpu_vm, for as long as the file is open.
 */
void *wdbg_id_mgr_vm(struct wdbg_gpu *gpu, struct drm_file *drm)
{
	return id_mgr_vm_field(gpu, drm, WDBG_FPRIV_VM);
}

/**
 * wdbg_id_mgr_is_compute() - do the waves of an address space run in VMIDs of amdkfd?
 * @gpu: the GPU, attached
 * @drm: its DRM file
 *
 * Return: true if so.
 */
bool wdbg_id_mgr_is_compute(struct wdbg_gpu *gpu, struct drm_file *drm)
{
	enum wdbg_field field = WDBG_FPRIV_VM_IS_COMPUTE_CONTEXT;

	return gpu->layout.present[field] &&
	       READ_ONCE(*(bool *)id_mgr_vm_field(gpu, drm, field));
}

/**
 * wdbg_id_mgr_has_cwsr() - can amdkfd save the waves of its queues?
 * @gpu: the GPU, attached
 *
 * Return: true if so; false also if this amdgpu does not tell.
 */
bool wdbg_id_mgr_has_cwsr(struct wdbg_gpu *gpu)
{
	const struct wdbg_layout *layout = &gpu->layout;
	void *kfd;

	if (!layout->present[WDBG_ADEV_KFD_DEV] || !layout->present[WDBG_KFD_DEV_CWSR])
		return false;
	/* As long as the GPU is bound, it stays. */
	kfd = READ_ONCE(*(void **)wdbg_field_ptr(layout, gpu->adev, WDBG_ADEV_KFD_DEV));
	return kfd && READ_ONCE(*(bool *)wdbg_field_ptr(layout, kfd, WDBG_KFD_DEV_CWSR));
}

/**
 * wdbg_id_mgr_has_vmid() - has an address space a reserved VMID?
 * @gpu: the GPU, attached
 * @drm: its DRM file
 *
 * Return: true if so.
 */
bool wdbg_id_mgr_has_vmid(struct wdbg_gpu *gpu, struct drm_file *drm)
{
	if (gpu->layout.present[WDBG_FPRIV_VM_RESERVED_BOOL])
		return READ_ONCE(*(bool *)id_mgr_vm_field(gpu, drm,
							  WDBG_FPRIV_VM_RESERVED_BOOL));
	return READ_ONCE(*(void **)id_mgr_vm_field(gpu, drm,
						   WDBG_FPRIV_VM_RESERVED_PTR));
}

/**
 * wdbg_id_mgr_num_reserved() - how many address spaces have a reserved VMID?
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
 * wdbg_id_mgr_isolates() - do all address spaces use one VMID in turns?
 * @gpu: the GPU, attached
 *
 * Then none can have one of its own.
 * Return: true if so.
 */
bool wdbg_id_mgr_isolates(struct wdbg_gpu *gpu)
{
	enum wdbg_field field = WDBG_ADEV_ENFORCE_ISOLATION;

	/* An array, by partition; the GPUs that are known here have one. */
	return gpu->layout.present[field] &&
	       gpu->layout.present[WDBG_ID_MGR_RESERVED_USE_COUNT] &&
	       READ_ONCE(*(bool *)wdbg_field_ptr(&gpu->layout, gpu->adev,
						 field));
}

/* The number of the address space's reserved VMID, 0 if it has none. */
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
		id = READ_ONCE(*(void **)id_mgr_vm_field(gpu, drm,
							 WDBG_FPRIV_VM_RESERVED_PTR));
	if (id < ids || (id - ids) % layout->id_size)
		return 0;
	n = (id - ids) / layout->id_size;
	return n < layout->num_ids && n < WDBG_NUM_VMID ? n : 0;
}

/**
 * wdbg_id_mgr_check() - is an address space's reserved VMID its own alone?
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
	 * Only where it can be shared, the number counts: 6.1 also counts a try
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

/* A fence of a job that was granted a VMID and has not ended, or NULL. */
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
 * If there is one. The list's order changes with each job that is granted a VMID,
 * so another may come first before it is reserved.
 * Context: may sleep, for moments.
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
 * wdbg_id_mgr_is_others() - has another address space been granted a VMID last?
 * @gpu: the GPU, attached
 * @drm: DRM file of the one that is asked about
 * @vmid: the VMID
 *
 * Then no wave of it is there any more. Those of amdkfd are granted in another way,
 * and after a reset amdgpu has forgotten to whom one was.
 * Return: true if so; false also if it is not known.
 */
bool wdbg_id_mgr_is_others(struct wdbg_gpu *gpu, struct drm_file *drm, u32 vmid)
{
	void *id;
	u64 owner;

	if (wdbg_id_mgr_why_not(gpu) || vmid >= gpu->first_kfd_vmid ||
	    vmid >= gpu->layout.num_ids)
		return false;
	id = id_mgr_field(gpu, WDBG_ID_MGR_IDS) + vmid * gpu->layout.id_size;
	owner = READ_ONCE(*(u64 *)wdbg_field_ptr(&gpu->layout, id,
						 WDBG_VMID_OWNER));
	return owner && owner != *(u64 *)id_mgr_vm_field(gpu, drm,
							 WDBG_FPRIV_VM_FENCE_CONTEXT);
}

/**
 * wdbg_id_mgr_other_jobs() - in which VMID has an address space jobs, beside one?
 * @gpu: the GPU, attached; wdbg_id_mgr_why_not() gives NULL
 * @drm: its DRM file
 * @vmid: that one
 *
 * While @vmid is reserved for it, it is granted no other, so that there will be none
 * once this gives 0. After a reset amdgpu has forgotten to whom a VMID was granted: then
 * jobs that are still in it may be anybody's, and count.
 * Context: may sleep, for moments.
 * Return: the VMID of a job that was granted one and has not ended, or 0.
 */
u32 wdbg_id_mgr_other_jobs(struct wdbg_gpu *gpu, struct drm_file *drm, u32 vmid)
{
	u64 context = *(u64 *)id_mgr_vm_field(gpu, drm, WDBG_FPRIV_VM_FENCE_CONTEXT);
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
	u64 context = *(u64 *)id_mgr_vm_field(gpu, drm, WDBG_FPRIV_VM_FENCE_CONTEXT);
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
 * wdbg_id_mgr_prove() - is nobody but an address space in its reserved VMID?
 * @gpu: the GPU, attached
 * @drm: its DRM file
 * @vmid: the VMID
 * @user: out, with -EAGAIN: who is
 *
 * Who is granted the VMID afterwards is seen by wdbg_guard, which must have
 * begun to look before.
 * Context: may sleep, for moments.
 * Return: 0 if so; -EAGAIN if another's jobs are still there; as
 * wdbg_id_mgr_check() if it is not, or no longer, reserved so.
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

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The VMID that is reserved for a target. amdgpu gives an address space another
 * VMID for each job, unless one is reserved for it: only in that can registers
 * be set that count per VMID, without their reaching anybody else.
 *
 * amdgpu keeps it in another way in each series (amdgpu_vmid_alloc_reserved()):
 *
 * - 6.1: amdgpu_vm.reserved_vmid[] points to the VMID; one address space of a
 *   GPU can have one, a counter sees to that, and a second one's try is written
 *   to the kernel log.
 * - 6.12: amdgpu_vm.reserved_vmid[] is a bool, and all address spaces that have
 *   it use the same VMID in turns, amdgpu_vmid_mgr.reserved. So it is the target's
 *   alone only while amdgpu_vmid_mgr.reserved_use_count is 1. With
 *   enforce_isolation, the driver itself counts.
 * - 7.2: as 6.1, but amdgpu_vmid_mgr.reserved_vmid is a bool.
 */
#include <drm/amdgpu_drm.h>
#include <drm/drm_file.h>
#include <linux/file.h>
#include <linux/slab.h>

#include "driver.h"
#include "reserve.h"

static void *id_mgr_field(struct wdbg_gpu *gpu, enum wdbg_field field)
{
	/* The first one: AMDGPU_GFXHUB(0) is 0. */
	void *id_mgr = wdbg_field_ptr(&gpu->layout, gpu->adev,
				      WDBG_ADEV_ID_MGR);

	return wdbg_field_ptr(&gpu->layout, id_mgr, field);
}

static void *vm_field(struct wdbg_gpu *gpu, struct drm_file *drm,
		      enum wdbg_field field)
{
	return wdbg_field_ptr(&gpu->layout, drm->driver_priv, field);
}

/* Does the address space have a reserved VMID? */
static bool has_vmid(struct wdbg_gpu *gpu, struct drm_file *drm)
{
	if (gpu->layout.present[WDBG_FPRIV_VM_RESERVED_BOOL])
		return READ_ONCE(*(bool *)vm_field(gpu, drm,
						   WDBG_FPRIV_VM_RESERVED_BOOL));
	return READ_ONCE(*(void **)vm_field(gpu, drm,
					    WDBG_FPRIV_VM_RESERVED_PTR));
}

/* How many address spaces have one; with 7.2 only whether. */
static u32 num_reserved(struct wdbg_gpu *gpu)
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

/* The number of the address space's reserved VMID, 0 if it has none. */
static u32 vmid_of(struct wdbg_gpu *gpu, struct drm_file *drm)
{
	const struct wdbg_layout *layout = &gpu->layout;
	void *ids = id_mgr_field(gpu, WDBG_ID_MGR_IDS);
	void *id;
	u32 n;

	if (!has_vmid(gpu, drm))
		return 0;
	if (layout->present[WDBG_FPRIV_VM_RESERVED_BOOL])
		id = READ_ONCE(*(void **)id_mgr_field(gpu,
						      WDBG_ID_MGR_RESERVED));
	else
		id = READ_ONCE(*(void **)vm_field(gpu, drm,
						  WDBG_FPRIV_VM_RESERVED_PTR));
	if (id < ids || (id - ids) % layout->id_size)
		return 0;
	n = (id - ids) / layout->id_size;
	return n < layout->num_ids && n < WDBG_NUM_VMID ? n : 0;
}

/**
 * wdbg_vmid_why_not() - can VMIDs be reserved with this amdgpu?
 * @gpu: the GPU
 *
 * Return: NULL if so, else a sentence.
 */
const char *wdbg_vmid_why_not(const struct wdbg_gpu *gpu)
{
	if (gpu->layout.has_reserve)
		return NULL;
	return "How this amdgpu reserves VMIDs is not known.";
}

static void close_work(struct work_struct *work)
{
	struct wdbg_reservation *r = container_of(work,
						  struct wdbg_reservation,
						  close);

	/* At once, see free_work() in target.c. */
	__fput_sync(r->file);
	kfree(r);
}

/* 6.1 waits for up to two seconds until the address space has no jobs. */
static void unreserve(struct wdbg_gpu *gpu, struct drm_file *drm)
{
	union drm_amdgpu_vm args = { .in.op = AMDGPU_VM_OP_UNRESERVE_VMID };

	/* The target may have done it itself; somebody else may have it now. */
	if (gpu->adev && has_vmid(gpu, drm))
		wdbg_driver_ioctl(gpu, drm, DRM_IOCTL_AMDGPU_VM, &args);
}

static int reserve(struct wdbg_gpu *gpu, struct drm_file *drm)
{
	union drm_amdgpu_vm args = { .in.op = AMDGPU_VM_OP_RESERVE_VMID };
	int ret;

	if (num_reserved(gpu))
		return -EBUSY;
	ret = wdbg_driver_make(gpu, drm, DRM_IOCTL_AMDGPU_VM, &args);
	/* Somebody was faster. */
	return ret == -EINVAL || ret == -ENOENT ? -EBUSY : ret;
}

/*
 * Is the VMID that the address space has its own alone, and one that may be?
 * Only where it can be shared, the number counts: 6.1 also counts a try that
 * fails, for a moment.
 */
static int check_vmid(struct wdbg_gpu *gpu, struct drm_file *drm, u32 *vmid)
{
	bool shared = gpu->layout.present[WDBG_ID_MGR_RESERVED_USE_COUNT];

	*vmid = vmid_of(gpu, drm);
	if (!*vmid || (shared && num_reserved(gpu) != 1))
		return -EBUSY;
	return *vmid < gpu->first_kfd_vmid ? 0 : -EOPNOTSUPP;
}

static int reserve_first(struct wdbg_gpu *gpu, struct wdbg_target *target)
{
	struct wdbg_reservation *r;
	int ret = 0;

	r = kzalloc(sizeof(*r), GFP_KERNEL);
	if (!r)
		return -ENOMEM;
	r->undo = !has_vmid(gpu, target->drm);
	if (r->undo)
		ret = reserve(gpu, target->drm);
	if (ret)
		goto err_free;
	ret = check_vmid(gpu, target->drm, &r->vmid);
	if (ret)
		goto err_unreserve;
	INIT_WORK(&r->close, close_work);
	r->drm = target->drm;
	r->file = get_file(target->file);
	gpu->reservation = r;
	return 0;

err_unreserve:
	if (r->undo)
		unreserve(gpu, target->drm);
err_free:
	kfree(r);
	return ret;
}

/**
 * wdbg_vmid_hold() - need the reserved VMID once more
 * @gpu: the GPU, with a reservation
 *
 * Context: the GPU's lock is held.
 */
void wdbg_vmid_hold(struct wdbg_gpu *gpu)
{
	lockdep_assert_held(&gpu->lock);
	gpu->reservation->users++;
}

/**
 * wdbg_vmid_drop() - end of wdbg_vmid_hold()
 * @gpu: the GPU
 *
 * Context: may sleep; the GPU's lock is held; not between wdbg_power_begin()
 * and _end().
 */
void wdbg_vmid_drop(struct wdbg_gpu *gpu)
{
	struct wdbg_reservation *r = gpu->reservation;

	lockdep_assert_held(&gpu->lock);
	if (--r->users)
		return;
	if (r->undo)
		unreserve(gpu, r->drm);
	gpu->reservation = NULL;
	queue_work(wdbg_workqueue, &r->close);
}

/**
 * wdbg_vmid_reserve() - reserve a VMID for a session's target
 * @session: the session
 * @vmid: out, the VMID
 *
 * Once for each wdbg_vmid_release(). All jobs that the target submits from then
 * on run in it; those that are under way stay where they are.
 * Context: may sleep; the GPU's lock is held; not between wdbg_power_begin()
 * and _end().
 * Return: 0; -ENOTCONN without a target; -EBUSY if another process has reserved
 * one; -EOPNOTSUPP if the target's waves run in VMIDs of amdkfd, or it is not
 * known how this amdgpu reserves them; or what amdgpu returns.
 */
int wdbg_vmid_reserve(struct wdbg_session *session, u32 *vmid)
{
	struct wdbg_target *target = session->target;
	struct wdbg_gpu *gpu = session->gpu;
	int ret;

	lockdep_assert_held(&gpu->lock);
	ret = wdbg_target_need(session);
	if (ret)
		return ret;
	if (!gpu->adev)
		return -ENODEV;
	if (wdbg_vmid_why_not(gpu))
		return -EOPNOTSUPP;
	if (READ_ONCE(*(bool *)vm_field(gpu, target->drm,
					WDBG_FPRIV_VM_IS_COMPUTE_CONTEXT)))
		return -EOPNOTSUPP;
	if (!gpu->reservation)
		ret = reserve_first(gpu, target);
	else if (gpu->reservation->drm != target->drm)
		ret = -EBUSY;
	else
		ret = wdbg_vmid_check(gpu);
	if (ret)
		return ret;

	wdbg_vmid_hold(gpu);
	session->vmid_uses++;
	*vmid = gpu->reservation->vmid;
	return 0;
}

/**
 * wdbg_vmid_release() - end of wdbg_vmid_reserve()
 * @session: the session
 *
 * What was set for the VMID must have been taken back.
 * Context: may sleep, with Linux 6.1 for two seconds; the GPU's lock is held;
 * not between wdbg_power_begin() and _end().
 */
void wdbg_vmid_release(struct wdbg_session *session)
{
	lockdep_assert_held(&session->gpu->lock);
	if (WARN_ON_ONCE(!session->vmid_uses))
		return;
	session->vmid_uses--;
	wdbg_vmid_drop(session->gpu);
}

/**
 * wdbg_vmid_check() - is the reserved VMID still the target's alone?
 * @gpu: the GPU, attached, with a reservation
 *
 * The target may have given it back; on Linux 6.12 others may have come to
 * share it. To be asked whenever something is set for it.
 * Context: the GPU's lock is held.
 * Return: 0, or -EBUSY.
 */
int wdbg_vmid_check(struct wdbg_gpu *gpu)
{
	struct wdbg_reservation *r = gpu->reservation;
	u32 vmid;
	int ret;

	lockdep_assert_held(&gpu->lock);
	ret = check_vmid(gpu, r->drm, &vmid);
	if (!ret && vmid != r->vmid)
		ret = -EBUSY;
	return ret;
}

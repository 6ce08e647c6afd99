/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What reads or calls the amdgpu driver. The queues of interrupts, jobs and changed address
 * spaces have headers of their own.
 */
#ifndef WDBG_AMDGPU_H
#define WDBG_AMDGPU_H

#include <linux/types.h>
#include <linux/workqueue.h>

#include <drm/drm_file.h>

#include "amdgpu/layout.h"
#include "gpu.h"

struct dma_fence;
struct drm_device;
struct drm_gem_object;

/**
 * wdbg_adev_u32() - read a 32-bit member of struct amdgpu_device
 * @gpu: the GPU, attached
 * @field: the member
 *
 * Return: its value.
 */
static inline u32 wdbg_adev_u32(struct wdbg_gpu *gpu, enum wdbg_field field)
{
	return READ_ONCE(*(u32 *)wdbg_field_ptr(&gpu->layout, gpu->adev, field));
}

/**
 * wdbg_adev_bool() - read a boolean member of struct amdgpu_device
 * @gpu: the GPU, attached
 * @field: the member
 *
 * Return: its value.
 */
static inline bool wdbg_adev_bool(struct wdbg_gpu *gpu, enum wdbg_field field)
{
	return READ_ONCE(*(u8 *)wdbg_field_ptr(&gpu->layout, gpu->adev, field));
}

/**
 * wdbg_drm_field() - get the address of a member of struct amdgpu_fpriv
 * @gpu: the GPU, attached
 * @drm: a DRM file of it, which the caller keeps open
 * @field: the member
 *
 * Return: the address.
 */
static inline void *wdbg_drm_field(struct wdbg_gpu *gpu, const struct drm_file *drm,
				   enum wdbg_field field)
{
	return wdbg_field_ptr(&gpu->layout, drm->driver_priv, field);
}

/* amdgpu/probe.c */
int wdbg_gpu_probe(struct wdbg_gpu *gpu, char *reason);

/* amdgpu/timeout.c */
int wdbg_timeout_probe(struct wdbg_gpu *gpu, char *reason);
void wdbg_timeout_hold(struct wdbg_gpu *gpu, bool renew);
void wdbg_timeout_release(struct wdbg_gpu *gpu);
bool wdbg_timeout_has_jobs(struct wdbg_gpu *gpu);
unsigned long wdbg_timeout_longest(const struct wdbg_gpu *gpu);
bool wdbg_timeout_of(struct wdbg_gpu *gpu, void *ring, u32 *timeout_ms, u32 *left_ms);

/**
 * struct wdbg_job_room - memory for a list of jobs
 * @jobs: room for @capacity jobs
 * @vms: for each, amdgpu's struct amdgpu_vm that it runs in, or NULL: only to be
 *	compared
 * @capacity: size of @jobs and @vms
 * @count: number of jobs in them
 * @ibs: room for @ib_capacity indirect buffers
 * @ib_capacity: size of @ibs
 * @ib_count: number of indirect buffers in it
 */
struct wdbg_job_room {
	struct amdgpudbg_job *jobs;
	const void **vms;
	u32 capacity;
	u32 count;
	struct amdgpudbg_ib *ibs;
	u32 ib_capacity;
	u32 ib_count;
};

/* amdgpu/job_list.c */
bool wdbg_job_list_has_graphics(struct wdbg_gpu *gpu, const void *only);
u32 wdbg_job_list_owner(struct wdbg_gpu *gpu, struct drm_device *ddev, const void *vm,
			u32 pasid);
int wdbg_job_list_ring(struct wdbg_gpu *gpu, u32 ring, const void *vm,
		       struct wdbg_job_room *room);

/* amdgpu/power.c */
int wdbg_power_begin(struct wdbg_gpu *gpu, bool stay, int *bracket);
int wdbg_power_begin_cleanup(struct wdbg_gpu *gpu, int *bracket);
int wdbg_power_begin_alone(struct wdbg_gpu *gpu, int *bracket);
u64 wdbg_power_clock(struct wdbg_gpu *gpu);
void wdbg_power_end(struct wdbg_gpu *gpu, int bracket);
void wdbg_power_end_alone(struct wdbg_gpu *gpu, int bracket);
int wdbg_power_enter(struct wdbg_gpu *gpu, int *bracket);
void wdbg_power_leave(struct wdbg_gpu *gpu, int bracket);
void wdbg_power_look(struct wdbg_gpu *gpu);
void wdbg_power_get(struct wdbg_gpu *gpu);
void wdbg_power_put(struct wdbg_gpu *gpu);

/**
 * struct wdbg_vmid_user - jobs of other processes that are in a VMID
 * @fence: signaled when one of them has ended; a reference
 * @pasid: the PASID that amdgpu has for their address space, 0 if it has none
 */
struct wdbg_vmid_user {
	struct dma_fence *fence;
	u32 pasid;
};

/* amdgpu/id_mgr.c */
const char *wdbg_id_mgr_unsupported_reason(const struct wdbg_gpu *gpu);
void *wdbg_id_mgr_vm(struct wdbg_gpu *gpu, struct drm_file *drm);
bool wdbg_id_mgr_is_compute(struct wdbg_gpu *gpu, struct drm_file *drm);
bool wdbg_id_mgr_has_cwsr(struct wdbg_gpu *gpu);
bool wdbg_id_mgr_has_vmid(struct wdbg_gpu *gpu, struct drm_file *drm);
u32 wdbg_id_mgr_num_reserved(struct wdbg_gpu *gpu);
bool wdbg_id_mgr_isolates(struct wdbg_gpu *gpu);
int wdbg_id_mgr_check(struct wdbg_gpu *gpu, struct drm_file *drm, u32 *vmid);
void wdbg_id_mgr_idle_first(struct wdbg_gpu *gpu);
bool wdbg_id_mgr_is_others(struct wdbg_gpu *gpu, struct drm_file *drm,
			   u32 vmid);
u32 wdbg_id_mgr_other_jobs(struct wdbg_gpu *gpu, struct drm_file *drm,
			   u32 vmid);
int wdbg_id_mgr_prove(struct wdbg_gpu *gpu, struct drm_file *drm, u32 vmid,
		      struct wdbg_vmid_user *user);

/**
 * struct wdbg_in_object - memory of a buffer object, at any address
 * @obj: amdgpu's object
 * @offset: in @obj, in bytes
 */
struct wdbg_in_object {
	struct drm_gem_object *obj;
	u64 offset;
};

/**
 * struct wdbg_vm_copy - a copy from or to an address space
 * @va: the first address, without sign
 * @data: the kernel's memory
 * @bytes: how many
 * @write: copy to the address space
 * @was: NULL, or out: the old contents; only for a write of whole dwords within a page
 * @only: NULL, or without @was: of such a write, write a dword only where the memory
 *	holds this. All of it is done under the locks of the memory; see amdgpu/vm.c for
 *	the effect on the program, which may store there at any time.
 * @done: out, bytes that were copied
 * @kind: out, with an error: &enum amdgpudbg_mapping_kind of the memory that comes next
 * @hold: NULL, or out: the object that has no pages, with a reference
 * @tried: for the caller
 */
struct wdbg_vm_copy {
	u64 va;
	void *data;
	size_t bytes;
	bool write;
	u32 *was;
	const u32 *only;
	size_t done;
	u32 kind;
	struct drm_gem_object **hold;
	bool tried;
};

/* amdgpu/vm.c */
const char *wdbg_mappings_unsupported_reason(const struct wdbg_gpu *gpu);
int wdbg_mappings_hole(struct wdbg_gpu *gpu, struct drm_file *drm, u64 *va,
		       u64 end, u64 bytes, u64 align);
bool wdbg_mappings_unlocked(struct wdbg_gpu *gpu, struct drm_file *drm);
int wdbg_mappings_wait(struct wdbg_gpu *gpu, struct drm_file *drm,
		       const struct drm_gem_object *obj, u64 va, u64 bytes);
int wdbg_object_check(struct wdbg_gpu *gpu, struct drm_file *drm,
		      struct drm_gem_object *obj, u64 bytes);
int wdbg_mappings_copy(struct wdbg_gpu *gpu, struct drm_file *drm,
		       struct wdbg_vm_copy *copy);
int wdbg_mappings_find(struct wdbg_gpu *gpu, struct drm_file *drm,
		       struct wdbg_vm_copy *copy, struct wdbg_in_object *in,
		       bool hold);
int wdbg_object_copy(struct wdbg_gpu *gpu, const struct wdbg_in_object *in,
		     struct wdbg_vm_copy *copy);
int wdbg_object_populate(struct drm_gem_object *obj);
int wdbg_mappings_list(struct wdbg_gpu *gpu, struct drm_file *drm, u64 *next,
		       u64 last, struct amdgpudbg_mapping *mappings, u32 *num);

/* amdgpu/ctx_mgr.c */
bool wdbg_ctx_mgr_hold(struct wdbg_gpu *gpu, struct drm_file *drm);
void wdbg_ctx_mgr_release(struct wdbg_gpu *gpu, struct drm_file *drm);

/* amdgpu/driver.c */
int wdbg_driver_init(void);
void wdbg_driver_exit(void);
int wdbg_driver_reserve_vmid(struct wdbg_gpu *gpu, struct drm_file *drm);
void wdbg_driver_in_worker(void (*fn)(void *arg), void *arg);
void wdbg_driver_queue(struct work_struct *work);
int wdbg_driver_call(struct wdbg_gpu *gpu, struct drm_device *ddev,
		     struct drm_file *drm, u32 cmd, void *args);
void wdbg_driver_may_wait(struct wdbg_gpu *gpu);
void wdbg_driver_lock_order(struct wdbg_gpu *gpu);
bool wdbg_driver_is_to_fail(void);

#endif /* WDBG_AMDGPU_H */

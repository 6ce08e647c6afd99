// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMDGPUDBG_IOC_JOB_LIST: the jobs that are on the GPU's rings.
 */
#include <drm/drm_device.h>
#include <drm/drm_drv.h>
#include <linux/ktime.h>
#include <linux/mm.h>

#include "amdgpu/amdgpu.h"
#include "gpu.h"
#include "ioctl.h"
#include "session.h"
#include "target/target.h"

/*
 * First guess for all rings together. A ring has 2 jobs unless amdgpu was configured
 * otherwise.
 */
#define FIRST_JOBS	64
#define FIRST_IBS	256
#define MAX_TRIES	8

#define NO_JOB_LIST \
	"Jobs cannot be listed with this amdgpu: the layout of its lists is not known."

/**
 * wdbg_job_list_unsupported_reason() - explain why jobs cannot be listed with this amdgpu
 * @gpu: the GPU
 *
 * Return: NULL if they can, else a sentence.
 */
const char *wdbg_job_list_unsupported_reason(const struct wdbg_gpu *gpu)
{
	return gpu->layout.has_job_list ? NULL : NO_JOB_LIST;
}

static void job_list_free(struct wdbg_job_room *room)
{
	kvfree(room->jobs);
	kvfree(room->vms);
	kvfree(room->ibs);
}

/* As much as the last try needed, and more for jobs that begin before the next one */
static int job_list_make_room(struct wdbg_job_room *room)
{
	u32 jobs = max_t(u32, FIRST_JOBS, room->count + room->count / 4);
	u32 ibs = max_t(u32, FIRST_IBS, room->ib_count + room->ib_count / 4);

	job_list_free(room);
	*room = (struct wdbg_job_room){ .capacity = jobs, .ib_capacity = ibs };
	room->jobs = kvmalloc_array(jobs, sizeof(*room->jobs), GFP_KERNEL_ACCOUNT);
	room->vms = kvmalloc_array(jobs, sizeof(*room->vms), GFP_KERNEL_ACCOUNT);
	room->ibs = kvmalloc_array(ibs, sizeof(*room->ibs), GFP_KERNEL_ACCOUNT);
	return room->jobs && room->vms && room->ibs ? 0 : -ENOMEM;
}

/* With the GPU's lock held. @ddev: out, a reference. */
static int job_list_look(struct wdbg_session *session, struct wdbg_job_room *room,
			 struct drm_device **ddev)
{
	struct wdbg_gpu *gpu = session->gpu;
	const void *only = NULL;
	int ret;
	u32 i;

	if (!gpu->adev)
		return -ENODEV;
	ret = wdbg_scope_check(session, WDBG_TO_LOOK);
	if (ret)
		return ret;
	if (wdbg_job_list_unsupported_reason(gpu))
		return -EOPNOTSUPP;
	/* A reset takes the lists apart; none begins while the semaphore is held. */
	if (!down_read_trylock(gpu->reset_sem))
		return wdbg_busy(session, AMDGPUDBG_BUSY_RESET);
	if (session->target)
		only = wdbg_id_mgr_vm(gpu, session->target->drm);
	room->count = 0;
	room->ib_count = 0;
	for (i = 0; !wdbg_job_list_ring(gpu, i, only, room); i++)
		;
	up_read(gpu->reset_sem);
	*ddev = gpu->ddev;
	drm_dev_get(*ddev);
	return 0;
}

static int job_list_look_once(struct wdbg_session *session, struct wdbg_job_room *room,
			      struct drm_device **ddev)
{
	int ret;

	if (wdbg_gpu_lock_killable(session->gpu, session))
		return -EINTR;
	ret = job_list_look(session, room, ddev);
	wdbg_gpu_unlock(session->gpu);
	return ret;
}

static bool job_list_is_whole(const struct wdbg_job_room *room)
{
	return room->count <= room->capacity && room->ib_count <= room->ib_capacity;
}

/* All jobs, also if the caller has room for fewer */
static int job_list_collect(struct wdbg_session *session, struct wdbg_job_room *room)
{
	struct drm_device *ddev;
	u32 i;
	int ret, tries = 0;

	do {
		ret = job_list_make_room(room);
		if (!ret)
			ret = job_list_look_once(session, room, &ddev);
		if (ret)
			return ret;
		if (job_list_is_whole(room))
			break;
		drm_dev_put(ddev);
	} while (++tries < MAX_TRIES);
	if (tries == MAX_TRIES)
		return -ENOMEM;
	for (i = 0; i < room->count; i++)
		if (room->vms[i])
			room->jobs[i].pid = wdbg_job_list_owner(session->gpu, ddev,
								room->vms[i],
								room->jobs[i].pasid);
	drm_dev_put(ddev);
	return 0;
}

static int job_list_put(struct amdgpudbg_job_list *args, const struct wdbg_job_room *room)
{
	int ret;

	args->count = room->count;
	args->ib_count = room->ib_count;
	ret = wdbg_put_records(args->jobs, args->entry_size, room->jobs, sizeof(*room->jobs),
			       min(room->count, args->capacity));
	if (ret)
		return ret;
	return wdbg_put_records(args->ibs, sizeof(*room->ibs), room->ibs, sizeof(*room->ibs),
				min(room->ib_count, args->ib_capacity));
}

static int job_list_check(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_job_list *args = cmd->data;
	int ret;

	args->count = 0;
	args->ib_count = 0;
	args->time = 0;
	ret = wdbg_check_records(args->jobs, args->capacity, args->entry_size,
				 AMDGPUDBG_JOB_SIZE_V1);
	if (ret)
		return ret;
	return wdbg_check_records(args->ibs, args->ib_capacity, sizeof(struct amdgpudbg_ib),
				  sizeof(struct amdgpudbg_ib));
}

/* Without an address and room for them, no indirect buffers are wanted. */
static bool job_list_fits(const struct amdgpudbg_job_list *args)
{
	bool wants_ibs = args->ibs || args->ib_capacity;

	return args->count <= args->capacity &&
	       (!wants_ibs || args->ib_count <= args->ib_capacity);
}

static int job_list_run(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_job_list *args = cmd->data;
	struct wdbg_job_room room = { };
	int ret;

	ret = job_list_collect(cmd->session, &room);
	args->time = ktime_get_ns();
	if (!ret)
		ret = job_list_put(args, &room);
	job_list_free(&room);
	if (ret)
		return ret;
	return job_list_fits(args) ? 0 : -EMSGSIZE;
}

const struct wdbg_ioctl wdbg_job_list = {
	.check = job_list_check,
	.run = job_list_run,
};

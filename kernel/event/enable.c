// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMDGPUDBG_IOC_EVENT_ENABLE.
 */
#include <linux/bits.h>
#include <linux/minmax.h>
#include <linux/mm.h>

#include "amdgpu/amdgpu.h"
#include "amdgpu/vm_log.h"
#include "event/event.h"
#include "gpu.h"
#include "ioctl.h"
#include "session.h"
#include "target/target.h"

#define DEFAULT_CAPACITY	256

/* All types from _LOST to the last one */
#define ENABLE_EVENTS	GENMASK_ULL(AMDGPUDBG_EVENT_VM_CHANGED, AMDGPUDBG_EVENT_LOST)
#define ENABLE_CAUSES	GENMASK_ULL(16, 0)	/* AMDGPUDBG_CAUSE_INVALID to _XNACK */

/**
 * wdbg_events_possible() - get the types of events that a GPU can report
 * @gpu: the GPU
 *
 * Return: a mask of &enum amdgpudbg_event_type.
 */
u64 wdbg_events_possible(const struct wdbg_gpu *gpu)
{
	u64 not = 0;

	if (wdbg_job_unsupported_reason(gpu))
		not |= WDBG_EVENTS_OF_JOBS;
	if (wdbg_event_source_polls(gpu))
		not |= BIT_ULL(AMDGPUDBG_EVENT_VM_FAULT);
	if (!wdbg_vm_log_available(&gpu->layout))
		not |= BIT_ULL(AMDGPUDBG_EVENT_VM_CHANGED);
	return ENABLE_EVENTS & ~not;
}

static int enable_locked(struct wdbg_session *session,
			 const struct amdgpudbg_event_enable *args,
			 u32 capacity, struct amdgpudbg_event **ring)
{
	struct wdbg_events *events = &session->events;
	int ret;

	if (!session->gpu->adev)
		return -ENODEV;
	if (args->mask & ~wdbg_events_possible(session->gpu))
		return -EOPNOTSUPP;
	if (args->mask) {
		ret = wdbg_scope_check(session, WDBG_TO_LOOK);
		if (!ret && args->mask & WDBG_EVENTS_OF_JOBS)
			ret = wdbg_job_begin(session->gpu);
		if (!ret && args->mask & BIT_ULL(AMDGPUDBG_EVENT_VM_CHANGED))
			ret = wdbg_mapping_want(session);
		if (ret)
			return ret;
		/* An old reset that was not noticed yet must not be reported. */
		wdbg_power_look(session->gpu);
		*ring = wdbg_events_enable(events, *ring, capacity, args,
					   !session->target);
	} else {
		*ring = wdbg_events_disable(events);
	}
	wdbg_session_enlist(session);
	wdbg_event_source_update(session->gpu);
	return 0;
}

/* While no thread reads: events being read must not be dropped, nor get a new number. */
static int enable(struct wdbg_session *session,
		  const struct amdgpudbg_event_enable *args, u32 capacity,
		  struct amdgpudbg_event **ring)
{
	int ret = -EINTR;

	if (mutex_lock_killable(&session->events.reader))
		return ret;
	if (!wdbg_gpu_lock_killable(session->gpu, session)) {
		ret = enable_locked(session, args, capacity, ring);
		wdbg_gpu_unlock(session->gpu);
	}
	mutex_unlock(&session->events.reader);
	return ret;
}

static int enable_check(struct wdbg_cmd *cmd)
{
	const struct amdgpudbg_event_enable *args = cmd->data;

	if (args->mask & ~ENABLE_EVENTS || args->cause_mask & ~ENABLE_CAUSES)
		return -EOPNOTSUPP;
	if (args->__reserved || (args->cause_mask && !(args->mask & WDBG_EVENTS_OF_WAVES)))
		return -EINVAL;
	if (!args->mask)
		return args->capacity || args->entry_size ? -EINVAL : 0;
	if (args->capacity > AMDGPUDBG_EVENT_CAPACITY_MAX ||
	    !wdbg_is_stride(args->entry_size, AMDGPUDBG_EVENT_SIZE_V1))
		return -EINVAL;
	return 0;
}

static int enable_run(struct wdbg_cmd *cmd)
{
	const struct amdgpudbg_event_enable *args = cmd->data;
	u32 capacity = args->capacity ? args->capacity : DEFAULT_CAPACITY;
	struct amdgpudbg_event *ring = NULL;
	int ret;

	if (args->mask) {
		ring = wdbg_events_alloc(capacity);
		if (!ring)
			return -ENOMEM;
	}
	ret = enable(cmd->session, args, capacity, &ring);
	kvfree(ring);
	return ret;
}

const struct wdbg_ioctl wdbg_event_enable = {
	.check = enable_check,
	.run = enable_run,
};

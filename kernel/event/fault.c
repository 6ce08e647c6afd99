// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of faults of address spaces, from the FIFO in amdgpu/iv.c.
 *
 * A program can make faults as fast as the hardware reports them. So the FIFO counts
 * equal ones and keeps at most WDBG_NUM_FAULTS different ones, which are reported
 * FAULT_MS after the last report at the earliest. The others are counted as lost.
 */
#include <linux/jiffies.h>
#include <linux/ktime.h>

#include "amdgpu/iv.h"
#include "event/event.h"
#include "event/interrupts.h"
#include "gpu.h"
#include "session.h"

#define FAULT_MS	50

static void fault_post(struct wdbg_gpu *gpu, const struct wdbg_fault *fault)
{
	const struct amdgpudbg_event event = {
		.type = AMDGPUDBG_EVENT_VM_FAULT,
		.time = fault->time,
		.vmid = fault->vmid,
		.pasid = fault->pasid,
		.address = fault->address,
		.access = fault->access,
		.client = fault->client,
		.count = fault->count,
	};
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node)
		if (wdbg_event_concerns(session, BIT_ULL(event.type), fault->pasid,
					fault->time))
			wdbg_events_put(&session->events, &event);
}

static void fault_post_lost(struct wdbg_gpu *gpu, const struct wdbg_iv_dropped *dropped)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node)
		if (wdbg_event_concerns(session, BIT_ULL(AMDGPUDBG_EVENT_VM_FAULT),
					dropped->pasid, ktime_get_ns()))
			wdbg_events_lose(&session->events, dropped->count);
}

static void fault_work(struct work_struct *work)
{
	struct wdbg_event_source *source = container_of(to_delayed_work(work),
							struct wdbg_event_source, faults_work);
	struct wdbg_iv_faults *faults = &source->faults;
	struct wdbg_gpu *gpu = source->gpu;
	u32 i;

	wdbg_gpu_lock(gpu, NULL);
	if (gpu->adev && wdbg_iv_take_faults(&source->fifo, faults)) {
		for (i = 0; i < faults->num; i++)
			fault_post(gpu, &faults->fault[i]);
		for (i = 0; i < WDBG_NUM_VMID; i++)
			if (faults->dropped[i].count)
				fault_post_lost(gpu, &faults->dropped[i]);
		WRITE_ONCE(source->faults_at, jiffies);
	}
	wdbg_gpu_unlock(gpu);
}

/**
 * wdbg_fault_wake() - report the faults of a FIFO, soon
 * @fifo: the FIFO
 *
 * Context: any.
 */
void wdbg_fault_wake(struct wdbg_iv_fifo *fifo)
{
	struct wdbg_event_source *source = container_of(fifo, struct wdbg_event_source, fifo);
	unsigned long at = READ_ONCE(source->faults_at) + msecs_to_jiffies(FAULT_MS);
	unsigned long now = jiffies;

	queue_delayed_work(wdbg_look_workqueue, &source->faults_work,
			   time_after(at, now) ? at - now : 0);
}

/**
 * wdbg_fault_init() - prepare a GPU before its FIFO is opened
 * @source: its source of events
 */
void wdbg_fault_init(struct wdbg_event_source *source)
{
	INIT_DELAYED_WORK(&source->faults_work, fault_work);
	source->faults_at = jiffies - msecs_to_jiffies(FAULT_MS);
}

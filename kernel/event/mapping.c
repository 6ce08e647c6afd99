// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of targets whose mappings have changed, from the log in amdgpu/vm_log.c. An
 * event that was not read yet stands for all changes since.
 */
#include "amdgpu/amdgpu.h"
#include "amdgpu/vm_log.h"
#include "event/event.h"
#include "gpu.h"
#include "session.h"
#include "target/target.h"

#define MAPPING_EVENT	BIT_ULL(AMDGPUDBG_EVENT_VM_CHANGED)

/**
 * struct wdbg_mapping_source - where the events of a GPU's mappings come from
 * @gpu: the GPU
 * @log: address spaces whose mappings have changed
 * @work: runs when there are some
 */
struct wdbg_mapping_source {
	struct wdbg_gpu *gpu;
	struct wdbg_vm_log log;
	struct work_struct work;
};

static struct wdbg_mapping_source *mapping_source(const struct wdbg_gpu *gpu)
{
	return wdbg_part_data(gpu, &wdbg_mapping_part);
}

static bool mapping_concerns(struct wdbg_session *session,
			     const struct wdbg_vm_changed *changed)
{
	const void *vm;
	u32 i;

	if (!session->target || !wdbg_events_want(&session->events, MAPPING_EVENT))
		return false;
	vm = wdbg_id_mgr_vm(session->gpu, session->target->drm);
	for (i = 0; i < changed->num; i++)
		if (changed->vm[i] == vm)
			return true;
	return changed->any;
}

/* The GPU's lock is held. */
static void mapping_report(struct wdbg_gpu *gpu)
{
	struct wdbg_mapping_source *source = mapping_source(gpu);
	struct wdbg_vm_changed changed;
	struct wdbg_session *session;

	if (!gpu->adev || !source->log.wanted || !wdbg_vm_log_take(&source->log, &changed))
		return;
	list_for_each_entry(session, &gpu->sessions, node)
		if (mapping_concerns(session, &changed))
			wdbg_event_post_vm_changed(session, ++session->vm_generation);
}

static void mapping_work(struct work_struct *work)
{
	struct wdbg_mapping_source *source = container_of(work, struct wdbg_mapping_source, work);
	struct wdbg_gpu *gpu = source->gpu;

	wdbg_gpu_lock(gpu, NULL);
	mapping_report(gpu);
	wdbg_gpu_unlock(gpu);
}

static void mapping_wake(struct wdbg_vm_log *log)
{
	struct wdbg_mapping_source *source = container_of(log, struct wdbg_mapping_source, log);

	queue_work(wdbg_look_workqueue, &source->work);
}

/**
 * wdbg_mapping_want() - prepare for a session to want events of its target's mappings
 * @session: the session
 *
 * Context: the GPU's lock is held; may sleep.
 * Return: 0 or an error of the kernel.
 */
int wdbg_mapping_want(struct wdbg_session *session)
{
	/*
	 * Earlier changes are not known, and those that the log still has are for the sessions
	 * that want events already: when a DRM file is opened, the driver itself maps memory.
	 */
	if (!wdbg_events_want(&session->events, MAPPING_EVENT)) {
		mapping_report(session->gpu);
		session->vm_generation++;
	}
	return wdbg_vm_log_want(&mapping_source(session->gpu)->log, true);
}

/**
 * wdbg_mapping_generation() - get the current generation of a target's mappings
 * @session: the session
 *
 * Context: the GPU's lock is held.
 * Return: the generation; 0 if the session does not want events of them.
 */
u64 wdbg_mapping_generation(const struct wdbg_session *session)
{
	return wdbg_events_want(&session->events, MAPPING_EVENT) ? session->vm_generation : 0;
}

/**
 * wdbg_mapping_update() - stop listening if no session wants events of mappings
 * @gpu: the GPU, attached
 *
 * Context: the GPU's lock is held; may sleep.
 */
void wdbg_mapping_update(struct wdbg_gpu *gpu)
{
	struct wdbg_session *session;

	lockdep_assert_held(&gpu->lock);
	list_for_each_entry(session, &gpu->sessions, node)
		if (wdbg_events_want(&session->events, MAPPING_EVENT))
			return;
	wdbg_vm_log_want(&mapping_source(gpu)->log, false);
}

static int mapping_init(struct wdbg_gpu *gpu)
{
	struct wdbg_mapping_source *source = mapping_source(gpu);

	source->gpu = gpu;
	INIT_WORK(&source->work, mapping_work);
	source->log.layout = &gpu->layout;
	source->log.wake = mapping_wake;
	return 0;
}

static void mapping_exit(struct wdbg_gpu *gpu)
{
	wdbg_vm_log_want(&mapping_source(gpu)->log, false);
	cancel_work_sync(&mapping_source(gpu)->work);
}

/* It has no state of its own that would have to be restored. */
const struct wdbg_part wdbg_mapping_part = {
	.id = WDBG_PART_MAPPING,
	.data_size = sizeof(struct wdbg_mapping_source),
	.init = mapping_init,
	.exit = mapping_exit,
};

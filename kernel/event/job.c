// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of jobs.
 *
 *  amdgpu_job_run(): tracepoint amdgpu_sched_run_job
 *    -> probe (amdgpu/job.c): scheduler's thread; a reference to the job's fence, a copy
 *       to the GPU's FIFO
 *    -> worker (this file): GPU's lock; finds the sessions; begin; a callback at the fence
 *  fence: signaled by the ring's interrupt, by a reset, or because the job was not run
 *    -> callback: hard interrupt or a thread, the fence's lock held; notes the time
 *    -> worker: end
 *
 * The fence is the scheduler's own (drm_sched_fence.finished), which is signaled
 * however a job ends and has the error; its number is what DRM_AMDGPU_CS returned. A
 * reset submits jobs to their rings again, with the same fence, which is searched for.
 * Begins and ends are taken by their times, so that the queue has them in order
 * although a job may end before its begin was taken. wdbg_job_close() drops the fences
 * before amdgpu and its scheduler can be removed.
 *
 * A job is reported to a session if it runs in the address space of the target's DRM
 * file, which the session keeps open so that its address in memory is not reused, and
 * if it began after the session got the target and asked for jobs
 * (wdbg_events.jobs_since): a lone end would confuse a caller that counts.
 *
 * The probe is registered when the first session wants jobs (wdbg_tracepoint_get()) and
 * stays for ten seconds after the last one, because registering interrupts all CPUs.
 * Registering takes mutexes of the kernel under the GPU's lock; no holder of them waits
 * for that lock.
 *
 * Cost of a job, from the function graph tracer of Linux 6.12 in an emulated machine
 * (432 jobs, median, worst in brackets): 8 us (2800) in the probe, 20 us (3100) in the
 * callback, which 300 of them needed; the others had ended before the worker ran.
 * Nothing runs while no session listens. Jobs for which the FIFO has no room are
 * counted per VMID and address space (amdgpu/dropped.h), and sessions learn how many of
 * theirs were lost.
 */
#include <linux/bitops.h>
#include <linux/slab.h>

#include "amdgpu/amdgpu.h"
#include "amdgpu/job.h"
#include "event/event.h"
#include "gpu.h"
#include "session.h"
#include "target/target.h"

/* Events that are handled before others get the GPU's lock */
#define BATCH		32
#define MAX_TURNS	64

#define NO_JOBS \
	"The jobs of this amdgpu are not seen: " \
	"it has no tracepoint amdgpu_sched_run_job, or another one."

/**
 * struct wdbg_job_source - where the events of a GPU's jobs come from
 * @gpu: the GPU
 * @fifo: jobs that have begun or ended
 * @work: runs when there are some
 */
struct wdbg_job_source {
	struct wdbg_gpu *gpu;
	struct wdbg_job_fifo fifo;
	struct work_struct work;
};

static struct wdbg_job_source *job_source(const struct wdbg_gpu *gpu)
{
	return wdbg_part_data(gpu, &wdbg_job_part);
}

/**
 * wdbg_job_unsupported_reason() - explain why jobs cannot be seen with this amdgpu
 * @gpu: the GPU
 *
 * Return: NULL if they can, else a sentence.
 */
const char *wdbg_job_unsupported_reason(const struct wdbg_gpu *gpu)
{
	return job_source(gpu)->fifo.ring ? NULL : NO_JOBS;
}

/* Get the address space of its target; NULL: it has none. */
static const void *job_vm_of(struct wdbg_session *session)
{
	struct wdbg_target *target = session->target;

	return target ? wdbg_id_mgr_vm(session->gpu, target->drm) : NULL;
}

static bool job_wants_all(struct wdbg_session *session)
{
	return !session->target && session->events.whole && !session->target_gone;
}

static bool job_wants(struct wdbg_session *session, const struct wdbg_job *job)
{
	if (job->began < session->events.jobs_since ||
	    !wdbg_events_want(&session->events, WDBG_EVENTS_OF_JOBS))
		return false;
	return job_wants_all(session) || (job->vm && job->vm == job_vm_of(session));
}

static void job_post(struct wdbg_gpu *gpu, const struct wdbg_job *job,
		     const struct amdgpudbg_event *event)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node)
		if (job_wants(session, job))
			wdbg_events_put(&session->events, event);
}

static bool job_is_wanted(struct wdbg_gpu *gpu, const struct wdbg_job *job)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node)
		if (job_wants(session, job))
			return true;
	return false;
}

static struct amdgpudbg_event job_about(const struct wdbg_job *job, u32 type,
					u64 time)
{
	struct amdgpudbg_event event = {
		.type = type,
		.time = time,
		.flags = AMDGPUDBG_EVENT_HAS_JOB,
		.vmid = job->vmid,
		.pasid = job->pasid,
		.job = job->fence->seqno,
		.job_context = job->fence->context,
		.ring = job->ring,
		.ring_type = job->ring_type,
	};

	memcpy(event.ring_name, job->ring_name, sizeof(event.ring_name));
	return event;
}

static void job_lose_end(struct wdbg_gpu *gpu, const struct wdbg_job *job)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node)
		if (job_wants(session, job) &&
		    wdbg_events_want(&session->events,
				     BIT_ULL(AMDGPUDBG_EVENT_JOB_END)))
			wdbg_events_lose(&session->events, 1);
}

static void job_begun(struct wdbg_gpu *gpu, const struct wdbg_job *job)
{
	struct amdgpudbg_event event = job_about(job, AMDGPUDBG_EVENT_JOB_BEGIN,
						 job->began);
	int ret = -ENOENT;

	event.num_ibs = job->num_ibs;
	memcpy(event.ibs, job->ibs, sizeof(event.ibs));

	if (job_is_wanted(gpu, job))
		ret = wdbg_job_wait(&job_source(gpu)->fifo, job);
	/* -EALREADY: a reset has submitted it to its ring again. */
	if (!ret || ret == -ENOMEM)
		job_post(gpu, job, &event);
	if (ret == -ENOMEM)
		job_lose_end(gpu, job);
	if (ret)
		dma_fence_put(job->fence);
}

static void job_ended(struct wdbg_gpu *gpu, struct wdbg_running *run)
{
	struct amdgpudbg_event event = job_about(&run->job, AMDGPUDBG_EVENT_JOB_END,
						 run->ended);
	/*
	 * It takes the fence's lock, under which the callback runs that has put @run
	 * here: so the callback has returned when this does, and its text may be
	 * unloaded.
	 */
	int status = dma_fence_get_status(run->job.fence);

	if (status < 0) {
		event.flags |= AMDGPUDBG_EVENT_IS_ERROR;
		event.data = -status;
	}
	job_post(gpu, &run->job, &event);
	dma_fence_put(run->job.fence);
	kfree(run);
}

/* Count what a session does not get of a dropped job: the begin, the end, or both. */
static void job_lose_dropped(struct wdbg_session *session,
			     const struct wdbg_dropped *dropped)
{
	struct wdbg_events *events = &session->events;
	u32 num = wdbg_dropped_num(dropped, job_vm_of(session), job_wants_all(session),
				   events->jobs_since);

	num *= hweight64(events->mask & WDBG_EVENTS_OF_JOBS);
	if (num)
		wdbg_events_lose(events, num);
}

static void job_post_dropped(struct wdbg_gpu *gpu)
{
	struct wdbg_dropped dropped;
	struct wdbg_session *session;

	if (!wdbg_job_take_dropped(&job_source(gpu)->fifo, &dropped))
		return;
	list_for_each_entry(session, &gpu->sessions, node)
		if (wdbg_events_want(&session->events, WDBG_EVENTS_OF_JOBS))
			job_lose_dropped(session, &dropped);
}

/* Return: false if there are none left. */
static bool job_drain_some(struct wdbg_gpu *gpu)
{
	struct wdbg_running *run;
	struct wdbg_job job;
	int i;

	for (i = 0; i < BATCH; i++) {
		if (wdbg_job_take_begun(&job_source(gpu)->fifo, &job)) {
			job_begun(gpu, &job);
			continue;
		}
		run = wdbg_job_take_ended(&job_source(gpu)->fifo);
		if (!run)
			break;
		job_ended(gpu, run);
	}
	if (i < BATCH)
		job_post_dropped(gpu);
	return i == BATCH;
}

static void job_drain_work(struct work_struct *work)
{
	struct wdbg_job_source *source = container_of(work, struct wdbg_job_source, work);
	struct wdbg_gpu *gpu = source->gpu;

	wdbg_gpu_lock(gpu, NULL);
	if (gpu->adev && source->fifo.wanted && job_drain_some(gpu))
		queue_work(wdbg_look_workqueue, work);
	wdbg_gpu_unlock(gpu);
}

/*
 * Everything that the FIFO has kept so far, which takes fewer turns of the worker than
 * this
 */
static void job_listed(struct wdbg_gpu *gpu)
{
	int i;

	for (i = 0; i < MAX_TURNS && job_source(gpu)->fifo.wanted && job_drain_some(gpu); i++)
		;
}

static void job_on_wake(struct wdbg_job_fifo *fifo)
{
	struct wdbg_job_source *source = container_of(fifo, struct wdbg_job_source, fifo);

	queue_work(wdbg_look_workqueue, &source->work);
}

/**
 * wdbg_job_begin() - note jobs from now on, for sessions that want their events
 * @gpu: the GPU, attached
 *
 * Context: the GPU's lock is held; may sleep.
 * Return: see wdbg_job_want().
 */
int wdbg_job_begin(struct wdbg_gpu *gpu)
{
	return wdbg_job_want(&job_source(gpu)->fifo, true);
}

/**
 * wdbg_job_update() - adapt to the sessions that want events of jobs
 * @gpu: the GPU, attached
 *
 * For a session that wants them, call wdbg_job_begin() before.
 * Context: the GPU's lock is held.
 */
void wdbg_job_update(struct wdbg_gpu *gpu)
{
	struct wdbg_session *session;
	bool wanted = false;

	lockdep_assert_held(&gpu->lock);
	if (wdbg_job_unsupported_reason(gpu))
		return;
	list_for_each_entry(session, &gpu->sessions, node)
		wanted |= wdbg_events_want(&session->events,
					   WDBG_EVENTS_OF_JOBS);
	if (!wanted)
		wdbg_job_want(&job_source(gpu)->fifo, false);
}

static int job_init_gpu(struct wdbg_gpu *gpu)
{
	struct wdbg_job_source *source = job_source(gpu);

	source->gpu = gpu;
	INIT_WORK(&source->work, job_drain_work);
	if (!wdbg_job_available(&gpu->layout))
		return 0;
	return wdbg_job_open(&source->fifo, gpu, job_on_wake);
}

static void job_exit_gpu(struct wdbg_gpu *gpu)
{
	wdbg_job_close(&job_source(gpu)->fifo);
	cancel_work_sync(&job_source(gpu)->work);
}

/* It has no state of its own that would have to be restored. */
const struct wdbg_part wdbg_job_part = {
	.id = WDBG_PART_JOB,
	.data_size = sizeof(struct wdbg_job_source),
	.init = job_init_gpu,
	.exit = job_exit_gpu,
	.listed = job_listed,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions: opening a node makes one, closing it takes back what it changed.
 */
#include <linux/slab.h>

#include "buffer.h"
#include "launch.h"
#include "lease.h"
#include "mem.h"
#include "power.h"
#include "session.h"
#include "timeout.h"
#include "trap.h"
#include "watch.h"
#include "slots.h"

/**
 * wdbg_session_open() - open of a device node
 * @inode: unused
 * @file: its private_data is the node's miscdevice, and becomes the session
 *
 * Context: misc_open() keeps the node registered meanwhile, and the node its
 * GPU.
 * Return: 0 or -ENOMEM.
 */
int wdbg_session_open(struct inode *inode, struct file *file)
{
	struct wdbg_gpu *gpu = container_of(file->private_data,
					    struct wdbg_gpu, misc);
	struct wdbg_session *session;

	session = kzalloc(sizeof(*session), GFP_KERNEL);
	if (!session)
		return -ENOMEM;
	session->gpu = wdbg_gpu_get(gpu);
	INIT_LIST_HEAD(&session->node);
	wdbg_events_init(&session->events);
	INIT_LIST_HEAD(&session->buffers);
	file->private_data = session;
	return stream_open(inode, file);
}

/**
 * wdbg_session_enlist() - let the GPU know a session that has something there
 * @session: the session
 *
 * Not done when it is opened, because misc_open() holds a lock of the whole
 * system meanwhile. Context: the GPU's lock is held.
 */
void wdbg_session_enlist(struct wdbg_session *session)
{
	lockdep_assert_held(&session->gpu->lock);
	if (list_empty(&session->node))
		list_add_tail(&session->node, &session->gpu->sessions);
}

/**
 * wdbg_session_let_go() - undo what was done to waves
 * @gpu: the GPU, attached
 * @session: by whom; NULL: by anybody
 *
 * Context: the GPU's lock is held.
 */
void wdbg_session_let_go(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	int bracket;

	lockdep_assert_held(&gpu->lock);
	/* Only who has kept the GPU awake can have changed it. */
	if (!gpu->power_users)
		return;
	if (!wdbg_power_begin_cleanup(gpu, &bracket)) {
		/* First, so that what has started halted is known. */
		wdbg_launch_take_back(gpu, session);
		wdbg_trap_claim_all(gpu, session);
		wdbg_wave_resume_owned(gpu, session, ~0);
		wdbg_power_end(gpu, bracket);
	}
	wdbg_launch_forget(gpu, session);
	wdbg_wave_disown(gpu, session);
	wdbg_timeout_release_unused(gpu);
}

/**
 * wdbg_session_give_back() - undo all that a session did to a GPU
 * @gpu: the GPU, attached
 * @session: the session
 *
 * The order matters: new waves must not enter a handler that goes, and waves
 * that are in it must be able to leave it before its memory does.
 *
 * Context: the GPU's lock is held; in a worker, because what enters amdgpu must
 * not meet the caller's pending signals.
 */
void wdbg_session_give_back(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	lockdep_assert_held(&gpu->lock);
	wdbg_watch_end(gpu, session);
	wdbg_trap_off(session);
	wdbg_session_let_go(gpu, session);
	wdbg_trap_settle(gpu);
	wdbg_mem_give_back(session);
	wdbg_lease_end_unused(session);
	if (!session->powered)
		return;
	session->powered = false;
	if (!--gpu->power_users)
		wdbg_power_drop(gpu);
}

/**
 * struct cleanup - something to be done by a worker
 * @work: does it
 * @gpu: the GPU
 * @session: whose, or NULL
 * @fn: what
 * @done: it was called; the GPU is there
 */
struct cleanup {
	struct work_struct work;
	struct wdbg_gpu *gpu;
	struct wdbg_session *session;
	wdbg_clean_fn fn;
	bool done;
};

static void clean_work(struct work_struct *work)
{
	struct cleanup *c = container_of(work, struct cleanup, work);

	mutex_lock(&c->gpu->lock);
	c->done = c->gpu->adev;
	if (c->done)
		c->fn(c->gpu, c->session);
	mutex_unlock(&c->gpu->lock);
}

/* By a worker, as a killed debugger's thread cannot: see the top of driver.c. */
static bool clean(struct wdbg_gpu *gpu, struct wdbg_session *session,
		  wdbg_clean_fn fn)
{
	struct cleanup c = { .gpu = gpu, .session = session, .fn = fn };

	INIT_WORK_ONSTACK(&c.work, clean_work);
	queue_work(wdbg_workqueue, &c.work);
	flush_work(&c.work);
	destroy_work_on_stack(&c.work);
	return c.done;
}

/**
 * wdbg_session_clean() - let a worker undo something, and wait for it
 * @session: the session
 * @fn: what; not called if the GPU is gone
 *
 * Context: may sleep; the GPU's lock is not held.
 * Return: 0; -ENODEV if the GPU is gone.
 */
int wdbg_session_clean(struct wdbg_session *session, wdbg_clean_fn fn)
{
	return clean(session->gpu, session, fn) ? 0 : -ENODEV;
}

static void end_all(struct wdbg_gpu *gpu, struct wdbg_session *unused)
{
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node) {
		wdbg_session_give_back(gpu, session);
		wdbg_target_drop(session, true);
		wdbg_event_post(session, AMDGPUDBG_EVENT_GPU_GONE, 0);
	}
	wdbg_trap_end(gpu);
	wdbg_buffers_end(gpu);
	gpu->adev = NULL;
	gpu->ddev = NULL;
}

/**
 * wdbg_sessions_end() - undo what all sessions did, because the GPU goes
 * @gpu: the GPU, attached; not any more afterwards
 *
 * Context: may sleep; the GPU's lock is not held.
 */
void wdbg_sessions_end(struct wdbg_gpu *gpu)
{
	clean(gpu, NULL, end_all);
	/* Targets' files, which keep amdgpu from being unloaded. */
	flush_workqueue(wdbg_workqueue);
}

/**
 * wdbg_session_release() - the last close of a device node's file
 * @inode: unused
 * @file: the file
 *
 * Return: 0.
 */
int wdbg_session_release(struct inode *inode, struct file *file)
{
	struct wdbg_session *session = file->private_data;
	struct wdbg_gpu *gpu = session->gpu;

	clean(gpu, session, wdbg_session_give_back);
	mutex_lock(&gpu->lock);
	wdbg_target_drop(session, false);
	list_del(&session->node);
	if (gpu->adev)
		wdbg_event_source_update(gpu);
	mutex_unlock(&gpu->lock);

	wdbg_events_free(&session->events);
	wdbg_gpu_put(gpu);
	kfree(session);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The object of a GPU: its life, its parts' lives, their common timer, and the workers.
 *
 * At unbind of amdgpu, a GPU gets no new work: the module calls no ioctl of amdgpu,
 * unmaps nothing, and drops no reference to a file or an object of a target before
 * UNBOUND_DRIVER (wdbg_gpu_close_later()). A DRM file of a target is the only reference
 * to amdgpu that is held between calls; a trap handler and buffers that have to wait
 * hold it, too.
 */
#include <drm/drm_drv.h>
#include <linux/cred.h>
#include <linux/slab.h>
#include <linux/wait_bit.h>

#include "amdgpu/amdgpu.h"
#include "gpu.h"
#include "hw/mmio.h"
#include "session.h"

/*
 * Cleanup of sessions. Callers wait for it, so it runs even while the system sleeps. It
 * waits for nothing but the GPU's lock and what callers of that may wait for, in
 * particular not for jobs.
 */
static struct workqueue_struct *clean_workqueue;

/*
 * Drops references to files and objects of targets. Where one is the last, amdgpu waits
 * for the target's jobs, which may never end, and other files wait for that one: Linux
 * 6.1 closes one file at a time (drm_global_mutex). So this queue does nothing else,
 * and the end of a session never waits behind another target's job. Users have a
 * limited number of files in it: see user.c.
 */
static struct workqueue_struct *close_workqueue;

/* Gets pages for memory, which may wait for jobs as well: one work for each GPU */
static struct workqueue_struct *populate_workqueue;

/*
 * Works that no call has asked for: ticks, interrupts, the exit of a target. The queue
 * is frozen while the system sleeps; so its works may be cancelled, but must not be
 * waited for.
 */
struct workqueue_struct *wdbg_look_workqueue;

/*
 * How long to wait for a VMID that is being given back: amdgpu of Linux 6.1 waits up to
 * two seconds for the target's jobs. It takes longer only if the target holds the lock
 * of its address space.
 */
#define UNRESERVE_MS	3000

static void gpu_destroy_queue(struct workqueue_struct **queue)
{
	if (*queue)
		destroy_workqueue(*queue);
	*queue = NULL;
}

/**
 * wdbg_workqueue_init() - create the workqueues, before any GPU
 *
 * Return: 0 or -ENOMEM.
 */
int wdbg_workqueue_init(void)
{
	clean_workqueue = alloc_workqueue("amdgpudbg", WQ_UNBOUND, 0);
	close_workqueue = alloc_workqueue("amdgpudbg_close", WQ_UNBOUND,
					  WQ_MAX_ACTIVE);
	populate_workqueue = alloc_workqueue("amdgpudbg_populate", WQ_UNBOUND,
					     0);
	wdbg_look_workqueue = alloc_workqueue("amdgpudbg_look",
					      WQ_UNBOUND | WQ_FREEZABLE, 0);
	if (clean_workqueue && close_workqueue && populate_workqueue &&
	    wdbg_look_workqueue)
		return 0;
	wdbg_workqueue_exit();
	return -ENOMEM;
}

/**
 * wdbg_workqueue_exit() - destroy the workqueues, after all GPUs
 *
 * Waits for works that still have to free something.
 */
void wdbg_workqueue_exit(void)
{
	gpu_destroy_queue(&wdbg_look_workqueue);
	gpu_destroy_queue(&populate_workqueue);
	gpu_destroy_queue(&close_workqueue);
	gpu_destroy_queue(&clean_workqueue);
}

/* ------------------------------------------------------------------- ticks */

static bool gpu_is_earlier(const struct wdbg_gpu *gpu, unsigned long at)
{
	return !gpu->ticks || time_before(at, gpu->tick_at);
}

static void gpu_tick_at(struct wdbg_gpu *gpu, unsigned long at)
{
	unsigned long now = jiffies;

	if (!gpu_is_earlier(gpu, at))
		return;
	gpu->ticks = true;
	gpu->tick_at = at;
	mod_delayed_work(wdbg_look_workqueue, &gpu->tick,
			 time_after(at, now) ? at - now : 0);
}

static void gpu_set_due(struct wdbg_gpu *gpu, struct wdbg_due *due, u32 ms)
{
	unsigned long at = jiffies + msecs_to_jiffies(ms);

	if (due->on && !time_before(at, due->at))
		return;
	due->on = true;
	due->at = at;
	gpu_tick_at(gpu, at);
}

/**
 * wdbg_part_tick() - call a part's tick() after some time
 * @gpu: the GPU
 * @part: the part, which is one of the GPU's
 * @ms: in at most so many milliseconds
 *
 * Its tick() returns when to call it again.
 * Context: the GPU's lock is held.
 */
void wdbg_part_tick(struct wdbg_gpu *gpu, const struct wdbg_part *part, u32 ms)
{
	lockdep_assert_held(&gpu->lock);
	gpu_set_due(gpu, &gpu->due[part->id], ms);
}

static void gpu_tick_part(struct wdbg_gpu *gpu, int i)
{
	struct wdbg_due *due = &gpu->due[i];
	u32 ms;

	if (!due->on)
		return;
	if (time_after(due->at, jiffies)) {
		gpu_tick_at(gpu, due->at);
		return;
	}
	due->on = false;
	ms = gpu->parts[i]->tick(gpu);
	if (ms)
		gpu_set_due(gpu, due, ms);
}

static void gpu_tick_work(struct work_struct *work)
{
	struct wdbg_gpu *gpu = container_of(to_delayed_work(work),
					    struct wdbg_gpu, tick);
	int i;

	wdbg_gpu_lock_urgent(gpu);
	gpu->ticks = false;
	for (i = 0; gpu->adev && gpu->parts[i]; i++)
		gpu_tick_part(gpu, i);
	wdbg_gpu_unlock(gpu);
}

/* ----------------------------------------------------------- life of a GPU */

static void gpu_free_data(struct wdbg_gpu *gpu)
{
	int i;

	for (i = 0; gpu->parts[i]; i++)
		kvfree(gpu->part_data[i]);
}

static int gpu_alloc_data(struct wdbg_gpu *gpu)
{
	size_t size;
	int i;

	for (i = 0; i < WDBG_NUM_PARTS; i++) {
		/* Else a part would be left out, or two would share the data of one. */
		if (WARN_ON(!gpu->parts[i] || gpu->parts[i]->id != i))
			return -EINVAL;
		size = gpu->parts[i]->data_size;
		if (!size)
			continue;
		gpu->part_data[i] = kvzalloc(size, GFP_KERNEL);
		if (!gpu->part_data[i])
			return -ENOMEM;
	}
	return 0;
}

/**
 * wdbg_gpu_new() - allocate a GPU about which nothing is known yet
 * @pdev: its PCI device
 * @parts: what sessions can have on it; ends with NULL
 *
 * Return: the GPU, for wdbg_gpu_put(); NULL without memory.
 */
struct wdbg_gpu *wdbg_gpu_new(struct pci_dev *pdev,
			      const struct wdbg_part *const *parts)
{
	struct wdbg_gpu *gpu = kzalloc(sizeof(*gpu), GFP_KERNEL);

	if (!gpu)
		return NULL;
	gpu->parts = parts;
	if (gpu_alloc_data(gpu)) {
		gpu_free_data(gpu);
		kfree(gpu);
		return NULL;
	}
	kref_init(&gpu->ref);
	wdbg_gpu_lock_init(gpu);
	wdbg_driver_lock_order(gpu);
	INIT_LIST_HEAD(&gpu->sessions);
	INIT_LIST_HEAD(&gpu->late);
	INIT_DELAYED_WORK(&gpu->tick, gpu_tick_work);
	init_waitqueue_head(&gpu->unreserved);
	wdbg_mmio_init(&gpu->hw);
	gpu->pdev = pci_dev_get(pdev);
	return gpu;
}

static void gpu_free(struct kref *ref)
{
	struct wdbg_gpu *gpu = container_of(ref, struct wdbg_gpu, ref);

	gpu_free_data(gpu);
	kfree(gpu->rings);
	kvfree(gpu->slots);
	pci_dev_put(gpu->pdev);
	wdbg_gpu_lock_destroy(gpu);
	kfree(gpu);
}

/**
 * wdbg_gpu_get() - reference a GPU's structure
 * @gpu: the GPU
 *
 * Keeps neither the GPU nor amdgpu: see wdbg_gpu.adev.
 * Return: @gpu.
 */
struct wdbg_gpu *wdbg_gpu_get(struct wdbg_gpu *gpu)
{
	kref_get(&gpu->ref);
	return gpu;
}

/**
 * wdbg_gpu_put() - drop the reference of wdbg_gpu_get() or wdbg_gpu_new()
 * @gpu: the GPU
 */
void wdbg_gpu_put(struct wdbg_gpu *gpu)
{
	kref_put(&gpu->ref, gpu_free);
}

static void gpu_exit_parts(struct wdbg_gpu *gpu,
			   const struct wdbg_part *const *end)
{
	const struct wdbg_part *const *p;

	for (p = gpu->parts; *p && p != end; p++)
		if ((*p)->exit)
			(*p)->exit(gpu);
}

/**
 * wdbg_gpu_open() - initialise the parts of a GPU
 * @gpu: the GPU; everything that wdbg_gpu_probe() finds out is set
 *
 * Context: may sleep; the device is bound to amdgpu.
 * Return: 0 or -ENOMEM; then there is nothing to close.
 */
int wdbg_gpu_open(struct wdbg_gpu *gpu)
{
	const struct wdbg_part *const *p;
	int ret;

	for (p = gpu->parts; *p; p++) {
		if (!(*p)->init)
			continue;
		ret = (*p)->init(gpu);
		if (ret) {
			gpu_exit_parts(gpu, p);
			return ret;
		}
	}
	return 0;
}

/**
 * wdbg_gpu_close() - end wdbg_gpu_open()
 * @gpu: the GPU, not attached any more, or not yet in use
 *
 * Context: may sleep; the GPU's lock is not held.
 */
void wdbg_gpu_close(struct wdbg_gpu *gpu)
{
	cancel_delayed_work_sync(&gpu->tick);
	gpu_exit_parts(gpu, NULL);
}

/* ---------------------------------------------------------------- clean-up */

/**
 * wdbg_gpu_hold() - keep the GPU until wdbg_gpu_closed()
 * @gpu: the GPU, attached
 *
 * Context: the GPU's lock is held.
 */
void wdbg_gpu_hold(struct wdbg_gpu *gpu)
{
	lockdep_assert_held(&gpu->lock);
	atomic_inc(&gpu->num_closing);
}

/**
 * wdbg_gpu_close_later() - let a worker close a target's file, or drop an object
 * @gpu: the GPU, attached
 * @closing: its work calls wdbg_gpu_closed() when it has done so
 *
 * The GPU is kept until then.
 *
 * Where the reference is the last one, amdgpu unmaps and clears memory by jobs of its
 * own. While amdgpu is being unbound, such a job would wait behind running jobs, and
 * amdgpu would start it when its registers are unmapped already. So the reference is
 * dropped after the unbind, when amdgpu submits no jobs any more.
 *
 * Context: the GPU's lock is held.
 */
void wdbg_gpu_close_later(struct wdbg_gpu *gpu, struct wdbg_closing *closing)
{
	if (!gpu->unbinding) {
		wdbg_gpu_hold(gpu);
		queue_work(close_workqueue, &closing->work);
		return;
	}
	lockdep_assert_held(&gpu->lock);
	/*
	 * An object does not keep its device. References that are added later, when
	 * @gpu is not attached any more, have a file, which does.
	 */
	if (gpu->ddev && !gpu->late_ddev) {
		drm_dev_get(gpu->ddev);
		gpu->late_ddev = gpu->ddev;
	}
	list_add_tail(&closing->node, &gpu->late);
}

/**
 * wdbg_gpu_populate_later() - let a worker get pages for memory
 * @gpu: the GPU, attached
 * @work: does it, and calls wdbg_gpu_closed()
 *
 * Context: the GPU's lock is held.
 */
void wdbg_gpu_populate_later(struct wdbg_gpu *gpu, struct work_struct *work)
{
	wdbg_gpu_hold(gpu);
	queue_work(populate_workqueue, work);
}

/**
 * wdbg_gpu_closed() - end wdbg_gpu_hold() or wdbg_gpu_close_later()
 * @gpu: the GPU, which may be freed
 */
void wdbg_gpu_closed(struct wdbg_gpu *gpu)
{
	if (atomic_dec_and_test(&gpu->num_closing))
		wake_up_var(&gpu->num_closing);
}

/**
 * wdbg_gpu_wait_closed() - wait for all wdbg_gpu_closed()
 * @gpu: the GPU, not attached any more, so that nothing is added
 *
 * Open files keep amdgpu from being unloaded. Does not wait for other GPUs.
 * Context: may sleep; the GPU's lock is not held.
 */
void wdbg_gpu_wait_closed(struct wdbg_gpu *gpu)
{
	wait_var_event(&gpu->num_closing, !atomic_read(&gpu->num_closing));
}

/**
 * wdbg_gpu_close_late() - drop what wdbg_gpu_close_later() has kept for after the
 *	unbind
 * @gpu: the GPU, which is not bound to amdgpu any more; amdgpu is still loaded
 *
 * Waits until it is done.
 * Context: may sleep; the GPU's lock is not held.
 */
void wdbg_gpu_close_late(struct wdbg_gpu *gpu)
{
	struct wdbg_closing *closing, *next;

	list_for_each_entry_safe(closing, next, &gpu->late, node) {
		list_del(&closing->node);
		atomic_inc(&gpu->num_closing);
		queue_work(close_workqueue, &closing->work);
	}
	wdbg_gpu_wait_closed(gpu);
	if (gpu->late_ddev)
		drm_dev_put(gpu->late_ddev);
	gpu->late_ddev = NULL;
}

/**
 * wdbg_gpu_wait_unreserved() - wait a moment for a VMID that is being given back
 * @gpu: the GPU, which the caller keeps
 *
 * So that other callers can have the VMID when the call that gave it back has ended,
 * and its memory can be accessed, unless the target prevents that.
 * Context: may sleep; the GPU's lock is not held.
 */
void wdbg_gpu_wait_unreserved(struct wdbg_gpu *gpu)
{
	wdbg_driver_may_wait(gpu);
	wait_event_timeout(gpu->unreserved, !READ_ONCE(gpu->unreserve_runs),
			   msecs_to_jiffies(UNRESERVE_MS));
}

/**
 * struct cleanup - a function that a worker has to call
 * @work: calls it
 * @gpu: the GPU
 * @session: the session, or NULL
 * @user: the user who waits for it
 * @fn: the function
 * @done: it was called; the GPU is attached
 */
struct cleanup {
	struct work_struct work;
	struct wdbg_gpu *gpu;
	struct wdbg_session *session;
	const void *user;
	wdbg_clean_fn fn;
	bool done;
};

static void gpu_clean_work(struct work_struct *work)
{
	struct cleanup *c = container_of(work, struct cleanup, work);

	/*
	 * Without a session: the GPU is removed. A session waits for its turn, even to
	 * close.
	 */
	if (c->session)
		wdbg_gpu_lock_for(c->gpu, c->user, c->session);
	else
		wdbg_gpu_lock_urgent(c->gpu);
	c->done = c->gpu->adev;
	if (c->done)
		c->fn(c->gpu, c->session);
	wdbg_gpu_unlock(c->gpu);
}

/**
 * wdbg_clean() - let a worker take something back, and wait for it
 * @gpu: the GPU
 * @session: the session, or NULL
 * @fn: the function; not called if the GPU is gone
 *
 * The thread of a killed debugger cannot do it: see the top of driver.c.
 * Context: may sleep; the GPU's lock is not held.
 * Return: true if @fn was called.
 */
bool wdbg_clean(struct wdbg_gpu *gpu, struct wdbg_session *session,
		wdbg_clean_fn fn)
{
	struct cleanup c = {
		.gpu = gpu,
		.session = session,
		.user = current_user(),
		.fn = fn,
	};

	INIT_WORK_ONSTACK(&c.work, gpu_clean_work);
	queue_work(clean_workqueue, &c.work);
	flush_work(&c.work);
	destroy_work_on_stack(&c.work);
	return c.done;
}

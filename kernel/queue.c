// SPDX-License-Identifier: GPL-2.0-only
/*
 * The event queue of a session: read() and poll(). The sources of events are in event/.
 */
#include <linux/bits.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "gpu.h"
#include "session.h"

/*
 * Room beyond the capacity, for events that must not be lost: two for a target that has
 * exited, two for a GPU that was removed, each with a record of events lost before.
 */
#define SPARE_TARGET_GONE	2
#define SPARE_GPU_GONE		4

/* Enabled for every session that enables any event */
#define ALWAYS		(BIT_ULL(AMDGPUDBG_EVENT_LOST) | \
			 BIT_ULL(AMDGPUDBG_EVENT_TARGET_GONE) | \
			 BIT_ULL(AMDGPUDBG_EVENT_GPU_GONE))

/**
 * wdbg_events_init() - initialise an empty queue
 * @events: the queue
 */
void wdbg_events_init(struct wdbg_events *events)
{
	mutex_init(&events->reader);
	init_waitqueue_head(&events->wait);
	spin_lock_init(&events->lock);
	events->seq = 1;
}

/**
 * wdbg_events_free() - free the memory of a queue
 * @events: the queue, which has no users any more
 */
void wdbg_events_free(struct wdbg_events *events)
{
	kvfree(events->ring);
	mutex_destroy(&events->reader);
}

/**
 * wdbg_events_want() - check whether any of these events is enabled
 * @events: the queue
 * @mask: of &enum amdgpudbg_event_type
 *
 * Context: the GPU's lock is held, under which it changes.
 * Return: true if so.
 */
bool wdbg_events_want(const struct wdbg_events *events, u64 mask)
{
	return events->mask & mask;
}

static void queue_append(struct wdbg_events *events,
			 const struct amdgpudbg_event *event)
{
	lockdep_assert_held(&events->lock);
	events->ring[(events->first + events->count) % events->slots] = *event;
	events->count++;
}

/* Add a record of the lost events, behind all others. */
static void queue_append_lost(struct wdbg_events *events)
{
	struct amdgpudbg_event event = {
		.type = AMDGPUDBG_EVENT_LOST,
		.time = ktime_get_ns(),
	};

	if (!events->lost_from)
		return;
	event.seq = events->lost_from;
	event.data = min_t(u64, events->seq - events->lost_from, U32_MAX);
	queue_append(events, &event);
	events->lost_from = 0;
}

static u32 queue_room_for(const struct wdbg_events *events, u32 type)
{
	switch (type) {
	case AMDGPUDBG_EVENT_TARGET_GONE:
		return events->capacity + SPARE_TARGET_GONE;
	case AMDGPUDBG_EVENT_GPU_GONE:
		return events->capacity + SPARE_GPU_GONE;
	default:
		return events->capacity;
	}
}

static bool queue_fits(const struct wdbg_events *events, u32 type)
{
	u32 need = events->lost_from ? 2 : 1;

	return events->count + need <= queue_room_for(events, type);
}

static void queue_lose(struct wdbg_events *events, u32 n)
{
	if (!events->lost_from)
		events->lost_from = events->seq;
	events->seq += n;
}

/* An event whose cause is not known may have any cause. */
static bool queue_is_enabled(const struct wdbg_events *events,
			     const struct amdgpudbg_event *event)
{
	if (!(events->mask & BIT_ULL(event->type)))
		return false;
	return event->type != AMDGPUDBG_EVENT_WAVE || !event->cause || !events->cause_mask ||
	       event->cause & events->cause_mask;
}

static void queue_put_locked(struct wdbg_events *events,
			     const struct amdgpudbg_event *event)
{
	struct amdgpudbg_event numbered = *event;

	lockdep_assert_held(&events->lock);
	if (!queue_is_enabled(events, event))
		return;
	if (!queue_fits(events, event->type)) {
		queue_lose(events, 1);
		return;
	}
	queue_append_lost(events);
	numbered.seq = events->seq++;
	queue_append(events, &numbered);
}

/**
 * wdbg_events_full() - check whether the next event of a wave would be lost
 * @events: the queue
 *
 * Return: true if so, unless a reader takes an event in the meantime.
 */
bool wdbg_events_full(struct wdbg_events *events)
{
	bool full;

	spin_lock(&events->lock);
	full = !queue_fits(events, AMDGPUDBG_EVENT_WAVE);
	spin_unlock(&events->lock);
	return full;
}

/**
 * wdbg_events_put() - add an event, or count it as lost
 * @events: the queue
 * @event: the event; gets its number here. It is dropped if its type or its cause is
 *	not enabled.
 *
 * Context: no interrupt; does not sleep.
 */
void wdbg_events_put(struct wdbg_events *events,
		     const struct amdgpudbg_event *event)
{
	spin_lock(&events->lock);
	queue_put_locked(events, event);
	spin_unlock(&events->lock);
	wake_up_interruptible(&events->wait);
}

/**
 * wdbg_events_lose() - count events as lost
 * @events: the queue; events of waves are enabled
 * @n: how many
 *
 * Context: see wdbg_events_put().
 */
void wdbg_events_lose(struct wdbg_events *events, u32 n)
{
	spin_lock(&events->lock);
	queue_lose(events, n);
	spin_unlock(&events->lock);
	wake_up_interruptible(&events->wait);
}

static int queue_end_of(enum amdgpudbg_event_type type)
{
	switch (type) {
	case AMDGPUDBG_EVENT_TARGET_GONE:
		return -ENOTCONN;
	case AMDGPUDBG_EVENT_GPU_GONE:
		return -ENODEV;
	default:
		return 0;
	}
}

/**
 * wdbg_event_post() - report something to a session that is not about one wave
 * @session: the session
 * @type: type of the event
 * @data: see &enum amdgpudbg_event_type
 *
 * After %AMDGPUDBG_EVENT_TARGET_GONE and _GPU_GONE, read() fails once all events were
 * read, also if no event was enabled.
 * Context: the GPU's lock is held; does not sleep.
 */
void wdbg_event_post(struct wdbg_session *session,
		     enum amdgpudbg_event_type type, u32 data)
{
	struct wdbg_events *events = &session->events;
	struct amdgpudbg_event event = {
		.type = type,
		.time = ktime_get_ns(),
		.data = data,
	};
	int end = queue_end_of(type);

	lockdep_assert_held(&session->gpu->lock);
	spin_lock(&events->lock);
	queue_put_locked(events, &event);
	if (end)
		events->end = end;
	spin_unlock(&events->lock);
	wake_up_interruptible(&events->wait);
}

/**
 * wdbg_event_post_handler_lost() - report that a session has lost its handler
 * @session: the session
 * @vmid: the VMID that the handler was set for
 * @why: the reason
 *
 * Context: as wdbg_event_post().
 */
void wdbg_event_post_handler_lost(struct wdbg_session *session, u32 vmid,
				  enum amdgpudbg_handler_lost why)
{
	const struct amdgpudbg_event event = {
		.type = AMDGPUDBG_EVENT_HANDLER_LOST,
		.time = ktime_get_ns(),
		.vmid = vmid,
		.data = why,
	};

	lockdep_assert_held(&session->gpu->lock);
	wdbg_events_put(&session->events, &event);
}

/*
 * Not the first event, which a reader may be copying. The event also stands for later
 * changes.
 */
static bool queue_merge_changed(struct wdbg_events *events, u64 generation)
{
	struct amdgpudbg_event *event;
	u32 i;

	lockdep_assert_held(&events->lock);
	for (i = 1; i < events->count; i++) {
		event = &events->ring[(events->first + i) % events->slots];
		if (event->type != AMDGPUDBG_EVENT_VM_CHANGED)
			continue;
		event->generation = generation;
		return true;
	}
	return false;
}

/**
 * wdbg_event_post_vm_changed() - report that the target's mappings have changed
 * @session: the session
 * @generation: number of the change
 *
 * Context: see wdbg_event_post().
 */
void wdbg_event_post_vm_changed(struct wdbg_session *session, u64 generation)
{
	struct wdbg_events *events = &session->events;
	const struct amdgpudbg_event event = {
		.type = AMDGPUDBG_EVENT_VM_CHANGED,
		.time = ktime_get_ns(),
		.generation = generation,
	};

	lockdep_assert_held(&session->gpu->lock);
	spin_lock(&events->lock);
	if (!queue_merge_changed(events, generation))
		queue_put_locked(events, &event);
	spin_unlock(&events->lock);
	wake_up_interruptible(&events->wait);
}

/**
 * wdbg_event_post_all() - report something to all sessions that have something on a GPU
 * @gpu: the GPU
 * @type: type of the event
 * @data: see &enum amdgpudbg_event_type
 *
 * Context: see wdbg_event_post().
 */
void wdbg_event_post_all(struct wdbg_gpu *gpu, enum amdgpudbg_event_type type,
			 u32 data)
{
	struct wdbg_session *session;

	lockdep_assert_held(&gpu->lock);
	list_for_each_entry(session, &gpu->sessions, node)
		wdbg_event_post(session, type, data);
}

/**
 * wdbg_event_new_target() - prepare the queue for another target, or none
 * @session: the session
 *
 * Removes the end that the exit of a target has set; events in the queue stay.
 * Context: the GPU's lock is held.
 */
void wdbg_event_new_target(struct wdbg_session *session)
{
	struct wdbg_events *events = &session->events;

	lockdep_assert_held(&session->gpu->lock);
	spin_lock(&events->lock);
	if (events->end == -ENOTCONN)
		events->end = 0;
	spin_unlock(&events->lock);
	events->target_since = ktime_get_ns();
	events->jobs_since = events->target_since;
}

/* -------------------------------------------------------------- readers */

/* The first event stays in the queue until it was copied: see @reader. */
static bool queue_peek(struct wdbg_events *events, struct amdgpudbg_event *event)
{
	bool any;

	spin_lock(&events->lock);
	if (!events->count && events->ring)
		queue_append_lost(events);
	any = events->count;
	if (any)
		*event = events->ring[events->first];
	spin_unlock(&events->lock);
	return any;
}

static void queue_consume(struct wdbg_events *events)
{
	spin_lock(&events->lock);
	events->first = (events->first + 1) % events->slots;
	events->count--;
	spin_unlock(&events->lock);
}

/* Returns the same as queue_read_some(): bytes or an error. */
static ssize_t queue_read_locked(struct wdbg_events *events, char __user *buf,
				 size_t size)
{
	struct amdgpudbg_event event;
	u32 len = events->entry_size;
	ssize_t done = 0;

	lockdep_assert_held(&events->reader);
	if (size < len)
		return -EMSGSIZE;
	while (size - done >= len && queue_peek(events, &event)) {
		event.size = len;
		if (copy_to_user(buf + done, &event, len))
			return done ? done : -EFAULT;
		queue_consume(events);
		done += len;
	}
	return done;
}

/* Copy the events that are there and fit. Returns bytes or an error; 0: there is none. */
static ssize_t queue_read_some(struct wdbg_events *events, char __user *buf,
			       size_t size)
{
	ssize_t ret;

	if (mutex_lock_interruptible(&events->reader))
		return -ERESTARTSYS;
	ret = queue_read_locked(events, buf, size);
	mutex_unlock(&events->reader);
	return ret;
}

/* The reason not to wait for an event, or 0 */
static int queue_why_none(struct wdbg_session *session)
{
	struct wdbg_events *events = &session->events;
	int ret;

	spin_lock(&events->lock);
	ret = events->end;
	if (!ret && !READ_ONCE(session->gpu->adev))
		ret = -ENODEV;
	if (!ret && !events->mask)
		ret = -EINVAL;
	spin_unlock(&events->lock);
	return ret;
}

static bool queue_any(struct wdbg_events *events)
{
	bool any;

	spin_lock(&events->lock);
	any = events->count || events->lost_from;
	spin_unlock(&events->lock);
	return any;
}

/**
 * wdbg_event_read() - read() of a session's file
 * @file: the file
 * @buf: the caller's memory
 * @size: its size in bytes
 * @pos: unused
 *
 * Return: bytes of whole events; or an error of the ABI.
 */
ssize_t wdbg_event_read(struct file *file, char __user *buf, size_t size,
			loff_t *pos)
{
	struct wdbg_session *session = file->private_data;
	struct wdbg_events *events = &session->events;
	ssize_t ret;

	size = min_t(size_t, size, INT_MAX);
	for (;;) {
		ret = queue_read_some(events, buf, size);
		if (ret)
			return ret;
		ret = queue_why_none(session);
		/* The last event may have come in between. */
		if (ret && queue_any(events))
			continue;
		if (ret)
			return ret;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (wait_event_interruptible(events->wait,
					     queue_any(events) || queue_why_none(session)))
			return -ERESTARTSYS;
	}
}

/**
 * wdbg_event_poll() - poll() of a session's file
 * @file: the file
 * @wait: see vfs_poll()
 *
 * Return: EPOLLIN if there is an event, EPOLLHUP if there will be none.
 */
__poll_t wdbg_event_poll(struct file *file, poll_table *wait)
{
	struct wdbg_session *session = file->private_data;
	struct wdbg_events *events = &session->events;
	__poll_t mask = 0;
	int none;

	poll_wait(file, &events->wait, wait);
	none = queue_why_none(session);
	if (none && none != -EINVAL)
		mask |= EPOLLHUP;
	if (queue_any(events))
		mask |= EPOLLIN | EPOLLRDNORM;
	return mask;
}

/* --------------------------------------------------------------- enabling */

/**
 * wdbg_events_alloc() - allocate memory for a queue
 * @capacity: number of events that it has room for
 *
 * Return: for wdbg_events_enable(), or kvfree(); NULL without memory.
 */
struct amdgpudbg_event *wdbg_events_alloc(u32 capacity)
{
	return kvcalloc(capacity + SPARE_GPU_GONE,
			sizeof(struct amdgpudbg_event), GFP_KERNEL_ACCOUNT);
}

/**
 * wdbg_events_disable() - disable all events and drop those that were not read
 * @events: the queue; its reader is held
 *
 * Context: the GPU's lock is held.
 * Return: memory that the caller has to free, or NULL.
 */
struct amdgpudbg_event *wdbg_events_disable(struct wdbg_events *events)
{
	struct amdgpudbg_event *old = events->ring;

	lockdep_assert_held(&events->reader);
	spin_lock(&events->lock);
	/* No caller has seen their numbers, because none is being read. */
	if (events->count)
		events->seq = events->ring[events->first].seq;
	else if (events->lost_from)
		events->seq = events->lost_from;
	events->lost_from = 0;
	events->count = 0;
	events->mask = 0;
	events->cause_mask = 0;
	events->whole = false;
	events->ring = NULL;
	spin_unlock(&events->lock);
	/* Wake readers: no event will come. */
	wake_up_interruptible(&events->wait);
	return old;
}

/* Continue in @ring with as much of the queue as fits. */
static struct amdgpudbg_event *queue_replace(struct wdbg_events *events,
					     struct amdgpudbg_event *ring,
					     u32 capacity)
{
	struct amdgpudbg_event *old = events->ring;
	u32 i, n = min(events->count, capacity);

	lockdep_assert_held(&events->lock);
	for (i = 0; i < n; i++)
		ring[i] = old[(events->first + i) % events->slots];
	/* The numbers of the lost events now extend to the next event's. */
	if (n < events->count)
		events->lost_from =
			old[(events->first + n) % events->slots].seq;
	events->ring = ring;
	events->slots = capacity + SPARE_GPU_GONE;
	events->capacity = capacity;
	events->first = 0;
	events->count = n;
	return old;
}

/**
 * wdbg_events_enable() - enable a set of events, in new memory
 * @events: the queue; its reader is held
 * @ring: from wdbg_events_alloc()
 * @capacity: capacity of @ring
 * @args: the call
 * @whole: events of the whole GPU are enabled
 *
 * Context: the GPU's lock is held.
 * Return: memory that the caller has to free, or NULL.
 */
struct amdgpudbg_event *wdbg_events_enable(struct wdbg_events *events,
					   struct amdgpudbg_event *ring,
					   u32 capacity,
					   const struct amdgpudbg_event_enable *args,
					   bool whole)
{
	struct amdgpudbg_event *old;

	lockdep_assert_held(&events->reader);
	events->entry_size = min_t(u32, args->entry_size, sizeof(*ring));
	spin_lock(&events->lock);
	old = queue_replace(events, ring, capacity);
	if (!(events->mask & WDBG_EVENTS_OF_JOBS))
		events->jobs_since = ktime_get_ns();
	events->mask = args->mask | ALWAYS;
	events->cause_mask = args->cause_mask;
	events->whole = whole;
	spin_unlock(&events->lock);
	wake_up_interruptible(&events->wait);
	return old;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events: what a session is told, and where that comes from.
 */
#ifndef WDBG_EVENT_H
#define WDBG_EVENT_H

#include <linux/amdgpudbg.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "iv.h"

struct wdbg_gpu;
struct wdbg_session;

/* Those that come from waves. */
#define WDBG_EVENTS_OF_WAVES	(BIT(AMDGPUDBG_EVENT_WAVE_STOPPED) | \
				 BIT(AMDGPUDBG_EVENT_WATCH_HIT) | \
				 BIT(AMDGPUDBG_EVENT_EXCEPTION))

/**
 * struct wdbg_events - the event queue of a session
 * @reader: held by one reader, also while it copies to user memory, so that an
 *	event that cannot be copied stays the first. Nobody else waits for it.
 * @wait: readers and pollers
 * @lock: protects what follows
 * @ring: the events, @first and the @count - 1 after it; NULL while none are
 *	enabled
 * @slots: how many fit in @ring, more than @capacity
 * @capacity: how many there may be, but for those that end something
 * @first: in @ring
 * @count: in @ring
 * @seq: number of the next event
 * @lost_from: number of the first event that was lost and is not yet told of by
 *	a record in @ring; 0 if there is none
 * @mask: which are enabled, one bit per &enum amdgpudbg_event_type
 * @whole: those of the whole GPU were asked for, by one who may
 * @end: 0, or why no event will come any more, a negative errno value
 */
struct wdbg_events {
	struct mutex reader; /* one reader of the file at a time */
	wait_queue_head_t wait;
	spinlock_t lock; /* what follows */
	struct amdgpudbg_event *ring;
	u32 slots;
	u32 capacity;
	u32 first;
	u32 count;
	u64 seq;
	u64 lost_from;
	u32 mask;
	bool whole;
	int end;
};

/**
 * struct wdbg_event_source - where a GPU's events come from
 * @tap: interrupts of its waves
 * @drain: run when there are some
 * @look: run now and then, while a session has something on the GPU, for what
 *	nobody tells of: resets, and if interrupts are not seen, stopped waves
 * @polls: interrupts are not seen
 * @told: if @polls: per slot, the VMID of a wave that has been told of since it
 *	stopped, or 0
 *
 * Constant while attached, but for @told, which is under the GPU's lock.
 */
struct wdbg_event_source {
	struct wdbg_iv_tap tap;
	struct work_struct drain;
	struct delayed_work look;
	bool polls;
	u8 *told;
};

/* event.c: the queues */
void wdbg_events_init(struct wdbg_events *events);
void wdbg_events_free(struct wdbg_events *events);
bool wdbg_events_want(const struct wdbg_events *events, u32 mask);
bool wdbg_events_full(struct wdbg_events *events);
void wdbg_events_put(struct wdbg_events *events,
		     const struct amdgpudbg_event *event);
void wdbg_events_lose(struct wdbg_events *events, u32 n);
void wdbg_event_post(struct wdbg_session *session,
		     enum amdgpudbg_event_type type, u32 data);
void wdbg_event_post_all(struct wdbg_gpu *gpu, enum amdgpudbg_event_type type,
			 u32 data);
void wdbg_event_new_target(struct wdbg_session *session);
ssize_t wdbg_event_read(struct file *file, char __user *buf, size_t size,
			loff_t *pos);
__poll_t wdbg_event_poll(struct file *file, poll_table *wait);

/* event_source.c: where events come from */
int wdbg_event_source_open(struct wdbg_gpu *gpu);
void wdbg_event_source_close(struct wdbg_gpu *gpu);
void wdbg_event_source_update(struct wdbg_gpu *gpu);
void wdbg_event_source_watch(struct wdbg_gpu *gpu);
void wdbg_event_source_resumed(struct wdbg_gpu *gpu, u32 vmid,
			       const struct amdgpudbg_wave_coord *at);

#endif /* WDBG_EVENT_H */

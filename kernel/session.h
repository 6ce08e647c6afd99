/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session, which is one open file: its structure, its event queue, the reason for -EBUSY,
 * and the limits of its user
 */
#ifndef WDBG_SESSION_H
#define WDBG_SESSION_H

#include <linux/amdgpudbg.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>

struct file;
struct inode;
struct pid;
struct wdbg_buffer;
struct wdbg_gpu;
struct wdbg_target;
struct wdbg_user;

/**
 * struct wdbg_events - the event queue of a session
 * @reader: held by one reader, also while it copies to user memory, so that an event
 *	that cannot be copied stays the first; and by calls that remove events. Only
 *	threads of the session wait for it.
 * @entry_size: bytes of an event that a reader gets; changes with @reader held
 * @wait: readers and pollers
 * @lock: protects the members below
 * @ring: the events: @first and the @count - 1 after it; NULL while none are enabled
 * @slots: size of @ring, more than @capacity
 * @capacity: how many events there may be, except those that report an end
 * @first: index in @ring
 * @count: number of events in @ring
 * @seq: number of the next event
 * @lost_from: number of the first lost event that no record in @ring reports yet; 0 if
 *	there is none
 * @mask: enabled types, &enum amdgpudbg_event_type
 * @cause_mask: enabled causes of events of waves
 * @whole: events of the whole GPU are enabled, by a caller with the right to see them
 * @target_since: when the session got its target, if it has one, nanoseconds of
 *	CLOCK_MONOTONIC; under the GPU's lock
 * @jobs_since: only jobs that began since then are reported, nanoseconds of
 *	CLOCK_MONOTONIC; under the GPU's lock
 * @end: 0, or why no event will come any more, a negative errno value
 */
struct wdbg_events {
	struct mutex reader; /* one reader of the file at a time */
	u32 entry_size;
	wait_queue_head_t wait;
	spinlock_t lock; /* what follows */
	struct amdgpudbg_event *ring;
	u32 slots;
	u32 capacity;
	u32 first;
	u32 count;
	u64 seq;
	u64 lost_from;
	u64 mask;
	u64 cause_mask;
	bool whole;
	u64 target_since;
	u64 jobs_since;
	int end;
};

/**
 * struct wdbg_busy - why a call has returned -EBUSY
 * @cause: enum amdgpudbg_busy_cause
 * @by: enum amdgpudbg_busy_by
 * @pid: see &struct amdgpudbg_busy
 * @vmid: see &struct amdgpudbg_busy
 * @pasid: see &struct amdgpudbg_busy
 */
struct wdbg_busy {
	u32 cause;
	u32 by;
	s32 pid;
	u32 vmid;
	u32 pasid;
};

/**
 * struct wdbg_session - one open file
 * @gpu: its GPU, referenced
 * @events: its event queue
 * @opener: the process that has opened it, referenced
 * @node: in wdbg_gpu.sessions, once it has something there
 * @target: the process that it debugs, or NULL
 * @target_gone: its target has exited or was lost; it must not act on the whole GPU
 *	instead
 * @bounded: a caller without CAP_SYS_ADMIN has stopped waves through it, or set what
 *	may stop them: its halts count for the halt budget, see halt_budget.c
 * @accounted: halt_budget.c has decided whether it is @bounded
 * @num_halted: number of wave slots that it owns, see wdbg_wave_own()
 * @shares_vmid: it holds the reserved VMID, for watches or a launch mode
 * @powered: it is counted in wdbg_gpu.power_users
 * @vmid_uses: how many of its parts need the reserved VMID
 * @vmid_goes: all of them were restored, and the VMID is being given back
 *	(wdbg_vmid_goes()); only to be read by the caller who waited for that
 * @lost_vmid: it has lost the VMID, which is still to be reported
 * @vm_generation: counts the changes of its target's mappings that were reported
 * @broadcast_halted: VMIDs whose waves it has halted by broadcast, none of which was halted
 *	before; one bit each
 * @buffers: the buffers that it has put into the target's address space
 * @num_buffers: their number
 * @last_buffer: number of the last one
 * @leave: the handler that will replace its own, or NULL: it has set none yet, or its
 *	handler has this one already (wdbg_trap.leave)
 * @user: the user whom it is counted for
 * @patches: the patches that it has set
 * @num_patches: their number
 * @patches_look: after a reset: check whether the handler of the patches is still there
 * @patches_go: used by target/patch.c while it removes patches
 * @together: wdbg_restore() is being called for each session that has this set
 * @counted_from: counters of wdbg_hw when it began to use the hardware
 * @busy: why its last call that has returned -EBUSY did so
 * @calls_lock: protects @calls
 * @calls: the calls that its threads are in, &struct wdbg_cmd
 *
 * Everything except @gpu, @events, @opener, @user and @calls is under the GPU's lock.
 * The waves that it halted are in wdbg_gpu.slots.
 */
struct wdbg_session {
	struct wdbg_gpu *gpu;
	struct wdbg_events events;
	struct pid *opener;
	struct list_head node;
	struct wdbg_target *target;
	bool target_gone;
	bool bounded;
	bool accounted;
	u32 num_halted;
	bool shares_vmid;
	bool powered;
	unsigned int vmid_uses;
	bool vmid_goes;
	bool lost_vmid;
	u64 vm_generation;
	u32 broadcast_halted;
	struct list_head buffers;
	u32 num_buffers;
	u32 last_buffer;
	struct wdbg_buffer *leave;
	struct wdbg_user *user;
	struct list_head patches;
	u32 num_patches;
	bool patches_look;
	bool patches_go;
	bool together;
	struct {
		u32 reads;
		u32 writes;
	} counted_from;
	struct wdbg_busy busy;
	spinlock_t calls_lock; /* calls; nothing is taken within */
	struct list_head calls;
};

/* Does @owner exist, and is its time to stop waves limited, or not? */
static inline bool wdbg_is_of(const struct wdbg_session *owner, bool bounded)
{
	return owner && owner->bounded == bounded;
}

/* queue.c */

/* Events that come from waves. */
#define WDBG_EVENTS_OF_WAVES	BIT_ULL(AMDGPUDBG_EVENT_WAVE)

#define WDBG_EVENTS_OF_JOBS	(BIT_ULL(AMDGPUDBG_EVENT_JOB_BEGIN) | \
				 BIT_ULL(AMDGPUDBG_EVENT_JOB_END))

void wdbg_events_init(struct wdbg_events *events);
void wdbg_events_free(struct wdbg_events *events);
bool wdbg_events_want(const struct wdbg_events *events, u64 mask);
bool wdbg_events_full(struct wdbg_events *events);
void wdbg_events_put(struct wdbg_events *events,
		     const struct amdgpudbg_event *event);
void wdbg_events_lose(struct wdbg_events *events, u32 n);
struct amdgpudbg_event *wdbg_events_alloc(u32 capacity);
struct amdgpudbg_event *wdbg_events_enable(struct wdbg_events *events,
					   struct amdgpudbg_event *ring,
					   u32 capacity,
					   const struct amdgpudbg_event_enable *args,
					   bool whole);
struct amdgpudbg_event *wdbg_events_disable(struct wdbg_events *events);
void wdbg_event_post(struct wdbg_session *session,
		     enum amdgpudbg_event_type type, u32 data);
void wdbg_event_post_all(struct wdbg_gpu *gpu, enum amdgpudbg_event_type type,
			 u32 data);
void wdbg_event_post_handler_lost(struct wdbg_session *session, u32 vmid,
				  enum amdgpudbg_handler_lost why);
void wdbg_event_post_vm_changed(struct wdbg_session *session, u64 generation);
void wdbg_event_new_target(struct wdbg_session *session);
ssize_t wdbg_event_read(struct file *file, char __user *buf, size_t size,
			loff_t *pos);
__poll_t wdbg_event_poll(struct file *file, poll_table *wait);

/* user.c */
/* What is counted in the memory of targets */
enum wdbg_user_item {
	WDBG_USER_PATCH,
	WDBG_USER_BUFFER,
	WDBG_USER_NUM_ITEMS
};

struct wdbg_user *wdbg_user_open(void);
void wdbg_user_close(struct wdbg_user *user);
int wdbg_user_may_close(struct wdbg_user *user);
void wdbg_user_add_closing(struct wdbg_user *user);
void wdbg_user_drop_closing(struct wdbg_user *user);
int wdbg_user_add(struct wdbg_user *user, enum wdbg_user_item item);
void wdbg_user_remove(struct wdbg_user *user, enum wdbg_user_item item);

/* session.c */
int wdbg_session_open(struct inode *inode, struct file *file);
void wdbg_session_free(struct wdbg_session *session);
bool wdbg_is_stride(u32 entry_size, u32 min_size);
int wdbg_check_records(u64 address, u32 capacity, u32 entry_size,
		       u32 min_size);
int wdbg_copy_op(void *op, size_t size, u32 min_size, const void __user *from,
		 u32 entry_size);
int wdbg_put_records(u64 address, u32 entry_size, const void *records,
		     size_t size, u32 count);
void wdbg_session_enlist(struct wdbg_session *session);
int wdbg_session_power_begin(struct wdbg_session *session, int *bracket);
void wdbg_session_power_end(struct wdbg_session *session, int bracket);
bool wdbg_vmid_goes(struct wdbg_session *session, bool in_time);
void wdbg_restore(struct wdbg_gpu *gpu, struct wdbg_session *session,
		  u32 when);
void wdbg_session_restore(struct wdbg_gpu *gpu,
			  struct wdbg_session *session);

/* busy.c */
int wdbg_busy(struct wdbg_session *session, enum amdgpudbg_busy_cause cause);
int wdbg_busy_by(struct wdbg_session *session, enum amdgpudbg_busy_cause cause,
		 enum amdgpudbg_busy_by by);
int wdbg_busy_with(struct wdbg_session *session,
		   enum amdgpudbg_busy_cause cause,
		   const struct wdbg_session *holder);
int wdbg_busy_jobs(struct wdbg_session *session, enum amdgpudbg_busy_by by,
		   u32 vmid, u32 pasid);
int wdbg_busy_display(struct wdbg_session *session, s32 pid);

#endif /* WDBG_SESSION_H */

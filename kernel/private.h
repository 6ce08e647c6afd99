/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of several folders share: the structures of a GPU, of a session and of
 * everything that a session can own, and the functions that files call in each other. A
 * file needs only what stands below it, see the file `layers`. Lower files call higher
 * ones through &struct wdbg_part.
 */
#ifndef WDBG_PRIVATE_H
#define WDBG_PRIVATE_H

#include <linux/amdgpudbg.h>
#include <linux/completion.h>
#include <linux/fs.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/poll.h>
#include <linux/spinlock.h>
#include <linux/rbtree.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <drm/drm_file.h>

#include "amdgpu/iv.h"
#include "amdgpu/job.h"
#include "amdgpu/vm_log.h"
#include "amdgpu/layout.h"
#include "caps.h"
#include "hw/hw.h"

struct dentry;
struct dma_fence;
struct drm_device;
struct drm_gem_object;
struct pid;
struct wdbg_gpu;
struct wdbg_session;

/* --------------------------------------------------------------- the parts */

/*
 * Four verbs describe how the changes of a session are taken back: *restore* writes
 * registers as they were before; *discard* releases what is left without touching
 * registers, because they were restored or the hardware cannot be reached; *drain*
 * waits until waves have left; *revoke* restores the registers of a VMID that another
 * process was granted.
 */

/* When the parts of a session are restored before the session ends */
#define WDBG_AT_SLEEP	BIT(0)	/* the system is about to sleep */
#define WDBG_FOR_VMID	BIT(1)	/* its target loses the reserved VMID */
#define WDBG_FOR_WAVES	BIT(2)	/* waves have to be resumed: no halt time left, a new target */
#define WDBG_AT_END	BIT(3)	/* the session or its target ends, or the GPU is removed */
#define WDBG_FOR_TIME	BIT(4)	/* with FOR_WAVES: the session has no halt time left */

/* How a wave was halted that no session has halted */
enum wdbg_halted {
	WDBG_HALTED_AT_START,
	WDBG_HALTED_AT_TRAP,
};

/**
 * struct wdbg_part - something that sessions can have on a GPU
 * @when: WDBG_AT_*, WDBG_FOR_*: when to call @restore and @discard
 * @data_size: size of its data for each GPU, which begin as zeros: wdbg_part_data()
 * @init: begin, after the GPU was probed. Without the lock; may fail, with an errno.
 * @exit: end, when the GPU is not attached any more and no tick runs. Without the lock.
 * @tick: look for changes that raise no event. Not in the bracket. Returns in how many
 *	milliseconds to call it again, 0 for never; wdbg_part_tick() starts it.
 * @claim_all: let owners own the waves that this part stops, because they are about to
 *	be resumed although the part is not restored. In the bracket.
 * @restore: write registers as they were. In the bracket, one for all parts.
 * @discard: release the rest, after @restore, or instead of it if the hardware cannot
 *	be reached. Not in the bracket, since it may call amdgpu.
 * @drain: free what waves needed until they have left, for those that leave soon; with
 *	@now everything that is left, because the GPU or the module is removed. Not in
 *	the bracket.
 * @revoke: restore the registers of the VMID, which another process was granted.
 *	Without the GPU's lock, within wdbg_vmid_lock() of the VMID, with power; changes
 *	no owner.
 * @vmid_revoked: discard what was set for the VMID, after @revoke. Not in the bracket.
 * @after_reset: discard what a reset of the GPU has cleared. In the bracket, unless no
 *	session has anything on the GPU (wdbg_gpu.power_users).
 * @resumed: note that these waves were resumed; @at NULL: all of the VMID
 * @listed: report what is known from outside the GPU's lock about the waves that were
 *	listed, or their jobs, as far as it has happened. Not in the bracket.
 * @handler_goes: the waves of @owner's target are about to lose their trap handler:
 *	remove what needs it. In the bracket.
 * @claim: if this part stops waves in that way, wdbg_wave_claim_for() its owner. Within
 *	wdbg_bank_lock(), the wave's bank selected.
 * @keeps_halted: get the VMIDs, one bit each, in which waves have to stay halted for
 *	others than the session
 * @num_kept: get how many buffers of an address space it keeps for waves
 * @vmid_goes: is the VMID of the session's target being given back? With @in_time: by a
 *	worker, which is not late.
 * @uses_vmid: does the session need the reserved VMID for it?
 * @stops: does the session stop waves by it, or keep them from starting, now?
 * @holds_timeouts: do sessions whose time is @bounded, or is not, have a reason to hold
 *	the job timeouts now? The bank lock may be held.
 * @may_stop: return a session whose time is limited, and whose waves may have stopped
 *	without a notice, or NULL
 *
 * parts.c lists the parts in the order in which they are taken back. Each operation
 * except @init and @exit may be missing, and runs with the GPU's lock held and the GPU
 * attached, unless it says otherwise; "in the bracket" is between wdbg_power_begin() or
 * wdbg_power_begin_cleanup() and wdbg_power_end(). @session NULL means all sessions.
 */
struct wdbg_part {
	u32 when;
	size_t data_size;
	int (*init)(struct wdbg_gpu *gpu);
	void (*exit)(struct wdbg_gpu *gpu);
	u32 (*tick)(struct wdbg_gpu *gpu);

	void (*claim_all)(struct wdbg_gpu *gpu, struct wdbg_session *session);
	void (*restore)(struct wdbg_gpu *gpu, struct wdbg_session *session);
	void (*discard)(struct wdbg_gpu *gpu, struct wdbg_session *session);
	void (*drain)(struct wdbg_gpu *gpu, bool now);

	void (*revoke)(struct wdbg_gpu *gpu);
	void (*vmid_revoked)(struct wdbg_gpu *gpu, u32 vmid);
	void (*after_reset)(struct wdbg_gpu *gpu);
	void (*resumed)(struct wdbg_gpu *gpu, u32 vmid,
			const struct amdgpudbg_wave_coord *at);
	void (*listed)(struct wdbg_gpu *gpu);

	void (*claim)(struct wdbg_gpu *gpu,
		      const struct amdgpudbg_wave_coord *at,
		      enum wdbg_halted how);
	void (*handler_goes)(struct wdbg_gpu *gpu, struct wdbg_session *owner);
	u32 (*keeps_halted)(struct wdbg_gpu *gpu, const struct wdbg_session *session);
	unsigned int (*num_kept)(struct wdbg_gpu *gpu, const struct drm_file *drm);
	bool (*vmid_goes)(struct wdbg_gpu *gpu, const struct wdbg_session *session,
			  bool in_time);
	bool (*uses_vmid)(struct wdbg_gpu *gpu, struct wdbg_session *session);
	bool (*stops)(struct wdbg_gpu *gpu, struct wdbg_session *session);
	bool (*holds_timeouts)(struct wdbg_gpu *gpu, bool bounded);
	struct wdbg_session *(*may_stop)(struct wdbg_gpu *gpu);
};

#define WDBG_MAX_PARTS	20

/* ------------------------------------------------------ what a session has */

/**
 * struct wdbg_closing - a reference to a target's file or object that a worker drops
 * @work: drops it, and then calls wdbg_gpu_closed()
 * @node: in wdbg_gpu.late, while it waits for the end of an unbind
 */
struct wdbg_closing {
	struct work_struct work;
	struct list_head node;
};

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
 * struct wdbg_target - a process that uses the GPU
 * @gpu: the GPU, referenced
 * @session: the session whose target this is; NULL once the session has given it up.
 *	Under the GPU's lock.
 * @file: the process's own DRM file, referenced: its PASID is not reused while it is
 *	open
 * @drm: DRM's part of @file
 * @live_pasid: where amdgpu keeps the PASID of its address space; valid as long as
 *	@file
 * @pasid: value of @live_pasid when the hardware was used last
 * @pidfile: the pidfd, referenced, or NULL
 * @queue: wait queue on which @pidfile reports the exit; NULL if it does not
 * @wait: our entry in @queue
 * @poll: adds it
 * @exited: runs when @queue was woken
 * @caller: the user who has set the target, as for wdbg_gpu_lock_for()
 * @user: the user whom it is counted for, once the session has given it up
 * @free: frees the target
 */
struct wdbg_target {
	struct wdbg_gpu *gpu;
	struct wdbg_session *session;
	struct file *file;
	struct drm_file *drm;
	const u32 *live_pasid;
	u32 pasid;
	struct file *pidfile;
	wait_queue_head_t *queue;
	wait_queue_entry_t wait;
	poll_table poll;
	struct work_struct exited;
	const void *caller;
	struct wdbg_user *user;
	struct wdbg_closing free;
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

/**
 * struct wdbg_buffer - a buffer object that was put into a target's address space
 * @node: in wdbg_session.buffers, or in a list of its next owner
 * @gpu: the GPU
 * @ddev: its DRM device
 * @file: the target's DRM file, referenced
 * @drm: DRM's part of @file
 * @obj: the object, referenced; NULL once it was removed
 * @handle: of @obj in @drm, unless the target has closed it; only for calls of amdgpu
 *	that take a handle, and never to find @obj
 * @id: the session's number for it
 * @flags: AMDGPUDBG_MEM_ALLOC_*
 * @va: address that it is mapped at
 * @bytes: its size, whole pages
 * @in_handler: it contains, or contained, a trap handler or its memory, and waves that
 *	are still in that handler use it
 * @caller: the user who has asked for it, as for wdbg_gpu_lock_for()
 * @user: the user whom it is counted for
 * @make: creates it
 * @made: completed when that is done, unless @abandoned
 * @error: 0, or why it could not be created; constant once @made
 * @abandoned: its caller does not wait for @made any more; under the GPU's lock
 * @fail_create: for tests, amdgpu does not create it
 * @fail_map: for tests, amdgpu does not map it
 * @gone: it was removed from the address space
 */
struct wdbg_buffer {
	struct list_head node;
	struct wdbg_gpu *gpu;
	struct drm_device *ddev;
	struct file *file;
	struct drm_file *drm;
	struct drm_gem_object *obj;
	u32 handle;
	u32 id;
	u32 flags;
	u64 va;
	u64 bytes;
	bool in_handler;
	const void *caller;
	struct wdbg_user *user;
	struct work_struct make;
	struct completion made;
	int error;
	bool abandoned;
	bool fail_create;
	bool fail_map;
	bool gone;
};

/**
 * struct wdbg_in_object - memory of a buffer object, at any address
 * @obj: amdgpu's object
 * @offset: in @obj, in bytes
 */
struct wdbg_in_object {
	struct drm_gem_object *obj;
	u64 offset;
};

/*
 * Buffers are mapped in this range: 1 TiB, so that all addresses have the same upper
 * bits.
 */
#define WDBG_BUFFER_BASE	0x600000000000ULL
#define WDBG_BUFFER_SPAN	BIT_ULL(40)

/* -------------------------------------------------------- what a GPU has */

/**
 * struct wdbg_slot - what is known about one wave slot
 * @owner: the session that halted the wave in it, or NULL
 * @vmid: VMID of that wave
 * @by_itself: the wave has stopped in its trap handler, for @owner, and may stop again
 *	as soon as it is resumed
 * @leave: the wave stays halted when the session closes
 * @debugger: the session that put the wave in debug mode, or NULL
 * @debug_vmid: VMID of that wave
 * @in_handler: used by target/patch.c while it moves waves back: wait for this wave
 * @changes: see wdbg_wave_changes()
 * @id: id of the wave that @owner owns, see wave/id.c; 0: none
 *
 * A slot with an owner whose wave is not halted any more, or not there, has lost its
 * owner: another agent has ended the wave.
 */
struct wdbg_slot {
	struct wdbg_session *owner;
	u8 vmid;
	bool by_itself;
	bool leave;
	struct wdbg_session *debugger;
	u8 debug_vmid;
	bool in_handler;
	u64 changes;
	u64 id;
};

/**
 * struct wdbg_vmid_try - a call that needs the reserved VMID
 * @count: how often it has got one in which other processes still had jobs
 */
struct wdbg_vmid_try {
	unsigned int count;
};

/**
 * struct wdbg_ring - a ring of amdgpu whose jobs time out
 * @ring: amdgpu's struct amdgpu_ring
 * @timeout: its timeout in jiffies, while it is held
 * @left: what its first job had left of that when it was held, in jiffies
 * @fences: number of its last fence that had been signaled then
 */
struct wdbg_ring {
	void *ring;
	long timeout;
	unsigned long left;
	u32 fences;
};

/**
 * struct wdbg_turns - the order in which callers get the lock of a GPU
 * @lock: protects the other members, except @since
 * @taken: wdbg_gpu.lock is held, or was granted to a waiter that is about to take it
 * @urgent: waiters of wdbg_gpu_lock_urgent(), in the order of arrival
 * @waiting: all other waiters, in the order of arrival
 * @grants: how often the lock was granted
 * @since: when the holder got the lock; under wdbg_gpu.lock
 */
struct wdbg_turns {
	spinlock_t lock; /* what follows */
	bool taken;
	struct list_head urgent;
	struct list_head waiting;
	u64 grants;
	ktime_t since;
};

/**
 * struct wdbg_due - when a part has to be called
 * @at: when, in jiffies
 * @on: it has to
 */
struct wdbg_due {
	unsigned long at;
	bool on;
};

/**
 * struct wdbg_gpu - one GPU
 * @ref: held by the registry while attached and by each session
 * @node: in the registry, under its lock
 * @parts: what sessions can have on it; ends with NULL
 * @part_data: the data of each of them, see wdbg_part_data()
 * @pdev: the PCI device, referenced
 * @misc: the device node
 * @name: its name
 * @id: the number in its name
 * @gc_version: graphics core, major << 16 | minor << 8 | revision
 * @first_kfd_vmid: VMIDs from here on belong to amdkfd
 * @num_active_cu: compute units that are not harvested
 * @render_minor: of the GPU's DRM render node, 0 if it has none
 * @unique_id: serial number, 0 if it is not known
 * @is_apu: it shares the CPU's memory
 * @build_id: GNU build id of amdgpu.ko
 * @turns: in which order callers get @lock
 * @lock: protects all members below, and allows one operation at a time. Only
 *	wdbg_gpu_lock() and its variants take it.
 * @adev: amdgpu's struct amdgpu_device; NULL once the GPU is detached
 * @ddev: the DRM device within it
 * @layout: of amdgpu's structures
 * @reset_sem: amdgpu's reset_domain->sem: a GPU reset holds it for writing
 * @reset_counter: amdgpu's gpu_reset_counter
 * @set_powergating_state: of the graphics IP block
 * @pg_arg: its first argument
 * @get_clock_counter: amdgpu's function that reads the counter of timestamps
 * @clock_khz: frequency of that counter; 0: it cannot be read
 * @hw: the registers
 * @slots: all wave slots, see wdbg_wave_slot()
 * @num_slots: their number
 * @changes: for each VMID, how often all of its waves were changed at once
 * @sessions: sessions that have something here
 * @num_closing: works that will close a target's file or drop an object, and other
 *	reasons to keep the GPU
 * @unbinding: amdgpu is being unbound, and gets no new work from this module
 * @late: references that are dropped after that, see &struct wdbg_closing
 * @late_ddev: @ddev, referenced while something is in @late
 * @reset_seen: value of @reset_counter that @slots belongs to
 * @power_users: how many need the GPU awake: sessions, and what outlives them
 * @rings: rings whose timeouts are held while waves are halted
 * @num_rings: their number; 0 if this amdgpu is not understood
 * @timeouts_held: they are held now
 * @timeouts_renew: afterwards all jobs get their full time
 * @unreserve_runs: a worker gives it back now. Not while the system sleeps.
 * @unreserved: woken when it has ended
 * @debugfs: its folder there
 * @call_reads: register reads that calls have taken so far
 * @call_writes: register writes that calls have taken so far
 * @sleeping: the system is about to sleep, so that no wave may be halted
 * @tick: calls the ticks of the parts that are due
 * @tick_at: when, in jiffies, if @ticks
 * @ticks: @tick is queued
 * @due: for each part, when its tick is due, if it is
 *
 * Members before @turns are constant while attached.
 */
struct wdbg_gpu {
	struct kref ref;
	struct list_head node;
	const struct wdbg_part *const *parts;
	void *part_data[WDBG_MAX_PARTS];
	struct pci_dev *pdev;
	struct miscdevice misc;
	char name[16];
	int id;
	u32 gc_version;
	u32 first_kfd_vmid;
	u32 num_active_cu;
	u32 render_minor;
	u64 unique_id;
	bool is_apu;
	char build_id[sizeof_field(struct amdgpudbg_info, driver_build_id)];

	struct wdbg_turns turns;
	struct mutex lock; /* what follows; one operation at a time */
	void *adev;
	struct drm_device *ddev;
	struct wdbg_layout layout;
	struct rw_semaphore *reset_sem;
	const atomic_t *reset_counter;
	int (*set_powergating_state)(void *arg, u32 state);
	void *pg_arg;
	u64 (*get_clock_counter)(void *adev);
	u32 clock_khz;
	struct wdbg_hw hw;
	struct wdbg_slot *slots;
	u32 num_slots;
	u64 changes[WDBG_NUM_VMID];
	struct list_head sessions;
	atomic_t num_closing;
	bool unbinding;
	struct list_head late;
	struct drm_device *late_ddev;
	u32 reset_seen;
	unsigned int power_users;
	struct wdbg_ring *rings;
	u32 num_rings;
	bool timeouts_held;
	bool timeouts_renew;
	bool unreserve_runs;
	wait_queue_head_t unreserved;
	struct dentry *debugfs;
	u64 call_reads;
	u64 call_writes;
	bool sleeping;
	struct delayed_work tick;
	unsigned long tick_at;
	bool ticks;
	struct wdbg_due due[WDBG_MAX_PARTS];
};

/**
 * wdbg_part_data() - get what a part keeps for a GPU
 * @gpu: the GPU
 * @part: the part, which is one of the GPU's and has a @data_size
 *
 * Only the files of the part know what is in it.
 * Return: the data, valid as long as @gpu.
 */
static inline void *wdbg_part_data(const struct wdbg_gpu *gpu, const struct wdbg_part *part)
{
	int i;

	for (i = 0; gpu->parts[i] != part; i++)
		if (WARN_ON_ONCE(!gpu->parts[i]))
			return NULL;
	return gpu->part_data[i];
}

/* Does @owner exist, and is its time to stop waves limited, or not? */
static inline bool wdbg_is_of(const struct wdbg_session *owner, bool bounded)
{
	return owner && owner->bounded == bounded;
}

/**
 * wdbg_kfd_vmids() - get the VMIDs that belong to amdkfd
 * @gpu: the GPU
 *
 * Return: one bit each.
 */
static inline u32 wdbg_kfd_vmids(const struct wdbg_gpu *gpu)
{
	return gpu->first_kfd_vmid < WDBG_NUM_VMID ?
	       GENMASK(WDBG_NUM_VMID - 1, gpu->first_kfd_vmid) : 0;
}

/**
 * wdbg_adev_u32() - read a 32-bit member of struct amdgpu_device
 * @gpu: the GPU, attached
 * @field: the member
 *
 * Return: its value.
 */
static inline u32 wdbg_adev_u32(struct wdbg_gpu *gpu, enum wdbg_field field)
{
	return READ_ONCE(*(u32 *)wdbg_field_ptr(&gpu->layout, gpu->adev, field));
}

/**
 * wdbg_adev_bool() - read a boolean member of struct amdgpu_device
 * @gpu: the GPU, attached
 * @field: the member
 *
 * Return: its value.
 */
static inline bool wdbg_adev_bool(struct wdbg_gpu *gpu, enum wdbg_field field)
{
	return READ_ONCE(*(u8 *)wdbg_field_ptr(&gpu->layout, gpu->adev, field));
}

/**
 * wdbg_drm_field() - get the address of a member of struct amdgpu_fpriv
 * @gpu: the GPU, attached
 * @drm: a DRM file of it, which the caller keeps open
 * @field: the member
 *
 * Return: the address.
 */
static inline void *wdbg_drm_field(struct wdbg_gpu *gpu, const struct drm_file *drm,
				   enum wdbg_field field)
{
	return wdbg_field_ptr(&gpu->layout, drm->driver_priv, field);
}

/* ------------------------------------- functions, from the bottom to the top */

/* amdgpu/probe.c */
int wdbg_gpu_probe(struct wdbg_gpu *gpu, char *reason);

/**
 * struct wdbg_job_room - memory for a list of jobs
 * @jobs: room for @capacity jobs
 * @vms: for each, amdgpu's struct amdgpu_vm that it runs in, or NULL: only to be
 *	compared
 * @capacity: size of @jobs and @vms
 * @count: number of jobs in them
 * @ibs: room for @ib_capacity indirect buffers
 * @ib_capacity: size of @ibs
 * @ib_count: number of indirect buffers in it
 */
struct wdbg_job_room {
	struct amdgpudbg_job *jobs;
	const void **vms;
	u32 capacity;
	u32 count;
	struct amdgpudbg_ib *ibs;
	u32 ib_capacity;
	u32 ib_count;
};

/* amdgpu/timeout.c */
int wdbg_timeout_probe(struct wdbg_gpu *gpu, char *reason);
void wdbg_timeout_hold(struct wdbg_gpu *gpu, bool renew);
void wdbg_timeout_release(struct wdbg_gpu *gpu);
bool wdbg_timeout_has_jobs(struct wdbg_gpu *gpu);
unsigned long wdbg_timeout_longest(const struct wdbg_gpu *gpu);
bool wdbg_timeout_of(struct wdbg_gpu *gpu, void *ring, u32 *timeout_ms, u32 *left_ms);

/* amdgpu/display.c */
void wdbg_display_look(struct wdbg_gpu *gpu, struct wdbg_display *display);

/* amdgpu/job_list.c */
bool wdbg_job_list_has_graphics(struct wdbg_gpu *gpu, const void *only);
u32 wdbg_job_list_owner(struct wdbg_gpu *gpu, struct drm_device *ddev, const void *vm,
			u32 pasid);
int wdbg_job_list_ring(struct wdbg_gpu *gpu, u32 ring, const void *vm,
		       struct wdbg_job_room *room);

/* amdgpu/power.c */
int wdbg_power_begin(struct wdbg_gpu *gpu, bool stay, int *bracket);
int wdbg_power_begin_cleanup(struct wdbg_gpu *gpu, int *bracket);
int wdbg_power_begin_alone(struct wdbg_gpu *gpu, int *bracket);
u64 wdbg_power_clock(struct wdbg_gpu *gpu);
void wdbg_power_end(struct wdbg_gpu *gpu, int bracket);
void wdbg_power_end_alone(struct wdbg_gpu *gpu, int bracket);
int wdbg_power_enter(struct wdbg_gpu *gpu, int *bracket);
void wdbg_power_leave(struct wdbg_gpu *gpu, int bracket);
void wdbg_power_look(struct wdbg_gpu *gpu);
void wdbg_power_get(struct wdbg_gpu *gpu);
void wdbg_power_put(struct wdbg_gpu *gpu);

/**
 * struct wdbg_vmid_user - jobs of other processes that are in a VMID
 * @fence: signaled when one of them has ended; a reference
 * @pasid: the PASID that amdgpu has for their address space, 0 if it has none
 */
struct wdbg_vmid_user {
	struct dma_fence *fence;
	u32 pasid;
};

/* amdgpu/id_mgr.c */
const char *wdbg_id_mgr_why_not(const struct wdbg_gpu *gpu);
void *wdbg_id_mgr_vm(struct wdbg_gpu *gpu, struct drm_file *drm);
bool wdbg_id_mgr_is_compute(struct wdbg_gpu *gpu, struct drm_file *drm);
bool wdbg_id_mgr_has_cwsr(struct wdbg_gpu *gpu);
bool wdbg_id_mgr_has_vmid(struct wdbg_gpu *gpu, struct drm_file *drm);
u32 wdbg_id_mgr_num_reserved(struct wdbg_gpu *gpu);
bool wdbg_id_mgr_isolates(struct wdbg_gpu *gpu);
int wdbg_id_mgr_check(struct wdbg_gpu *gpu, struct drm_file *drm, u32 *vmid);
void wdbg_id_mgr_idle_first(struct wdbg_gpu *gpu);
bool wdbg_id_mgr_is_others(struct wdbg_gpu *gpu, struct drm_file *drm,
			   u32 vmid);
u32 wdbg_id_mgr_other_jobs(struct wdbg_gpu *gpu, struct drm_file *drm,
			   u32 vmid);
int wdbg_id_mgr_prove(struct wdbg_gpu *gpu, struct drm_file *drm, u32 vmid,
		      struct wdbg_vmid_user *user);

/**
 * struct wdbg_vm_copy - a copy from or to an address space
 * @va: the first address, without sign
 * @data: the kernel's memory
 * @bytes: how many
 * @write: copy to the address space
 * @was: NULL, or out: the old contents; only for a write of whole dwords within a page
 * @only: NULL, or without @was: of such a write, write a dword only where the memory
 *	holds this. All of it is done under the locks of the memory; see amdgpu/vm.c for
 *	the effect on the program, which may store there at any time.
 * @done: out, bytes that were copied
 * @kind: out, with an error: &enum amdgpudbg_mapping_kind of the memory that comes next
 * @hold: NULL, or out: the object that has no pages, with a reference
 * @tried: for the caller
 */
struct wdbg_vm_copy {
	u64 va;
	void *data;
	size_t bytes;
	bool write;
	u32 *was;
	const u32 *only;
	size_t done;
	u32 kind;
	struct drm_gem_object **hold;
	bool tried;
};

/* amdgpu/vm.c */
const char *wdbg_mappings_why_not(const struct wdbg_gpu *gpu);
int wdbg_mappings_hole(struct wdbg_gpu *gpu, struct drm_file *drm, u64 *va,
		       u64 end, u64 bytes, u64 align);
bool wdbg_mappings_unlocked(struct wdbg_gpu *gpu, struct drm_file *drm);
int wdbg_mappings_wait(struct wdbg_gpu *gpu, struct drm_file *drm,
		       const struct drm_gem_object *obj, u64 va, u64 bytes);
int wdbg_object_check(struct wdbg_gpu *gpu, struct drm_file *drm,
		      struct drm_gem_object *obj, u64 bytes);
int wdbg_mappings_copy(struct wdbg_gpu *gpu, struct drm_file *drm,
		       struct wdbg_vm_copy *copy);
int wdbg_mappings_find(struct wdbg_gpu *gpu, struct drm_file *drm,
		       struct wdbg_vm_copy *copy, struct wdbg_in_object *in,
		       bool hold);
int wdbg_object_copy(struct wdbg_gpu *gpu, const struct wdbg_in_object *in,
		     struct wdbg_vm_copy *copy);
int wdbg_object_populate(struct drm_gem_object *obj);
int wdbg_mappings_list(struct wdbg_gpu *gpu, struct drm_file *drm, u64 *next,
		       u64 last, struct amdgpudbg_mapping *mappings, u32 *num);

/* amdgpu/ctx_mgr.c */
bool wdbg_ctx_mgr_hold(struct wdbg_gpu *gpu, struct drm_file *drm);
void wdbg_ctx_mgr_release(struct wdbg_gpu *gpu, struct drm_file *drm);

/* amdgpu/driver.c */
int wdbg_driver_init(void);
void wdbg_driver_exit(void);
int wdbg_driver_reserve_vmid(struct wdbg_gpu *gpu, struct drm_file *drm);
void wdbg_driver_in_worker(void (*fn)(void *arg), void *arg);
void wdbg_driver_queue(struct work_struct *work);
int wdbg_driver_call(struct wdbg_gpu *gpu, struct drm_device *ddev,
		     struct drm_file *drm, u32 cmd, void *args);
void wdbg_driver_may_wait(struct wdbg_gpu *gpu);
void wdbg_driver_lock_order(struct wdbg_gpu *gpu);
bool wdbg_driver_is_to_fail(void);

/* lock.c */
void wdbg_gpu_lock_init(struct wdbg_gpu *gpu);
void wdbg_gpu_lock_destroy(struct wdbg_gpu *gpu);
int wdbg_gpu_lock_killable(struct wdbg_gpu *gpu,
			   const struct wdbg_session *session);
void wdbg_gpu_lock(struct wdbg_gpu *gpu, const struct wdbg_session *session);
void wdbg_gpu_lock_for(struct wdbg_gpu *gpu, const void *user,
		       const struct wdbg_session *session);
void wdbg_gpu_lock_urgent(struct wdbg_gpu *gpu);
bool wdbg_gpu_lock_is_due(const struct wdbg_gpu *gpu);
void wdbg_gpu_unlock(struct wdbg_gpu *gpu);

/* gpu.c */
extern struct workqueue_struct *wdbg_look_workqueue;
int wdbg_workqueue_init(void);
void wdbg_workqueue_exit(void);
struct wdbg_gpu *wdbg_gpu_new(struct pci_dev *pdev,
			      const struct wdbg_part *const *parts);
struct wdbg_gpu *wdbg_gpu_get(struct wdbg_gpu *gpu);
void wdbg_gpu_put(struct wdbg_gpu *gpu);
int wdbg_gpu_open(struct wdbg_gpu *gpu);
void wdbg_gpu_close(struct wdbg_gpu *gpu);
void wdbg_part_tick(struct wdbg_gpu *gpu, const struct wdbg_part *part, u32 ms);

void wdbg_gpu_hold(struct wdbg_gpu *gpu);
void wdbg_gpu_close_later(struct wdbg_gpu *gpu, struct wdbg_closing *closing);
void wdbg_gpu_populate_later(struct wdbg_gpu *gpu, struct work_struct *work);
void wdbg_gpu_wait_closed(struct wdbg_gpu *gpu);
void wdbg_gpu_close_late(struct wdbg_gpu *gpu);
void wdbg_gpu_closed(struct wdbg_gpu *gpu);
void wdbg_gpu_wait_unreserved(struct wdbg_gpu *gpu);

/* Run with the GPU attached and its lock held. */
typedef void (*wdbg_clean_fn)(struct wdbg_gpu *gpu,
			      struct wdbg_session *session);
bool wdbg_clean(struct wdbg_gpu *gpu, struct wdbg_session *session,
		wdbg_clean_fn fn);

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

/* target/target.c */
int wdbg_target_need(struct wdbg_session *session);
int wdbg_target_shows_nothing(struct wdbg_session *session, bool force);
int wdbg_target_lock(struct wdbg_session *session);
u32 wdbg_target_pasid(struct wdbg_target *target);
enum wdbg_waves_of wdbg_target_waves(struct wdbg_target *target);
void wdbg_target_discard(struct wdbg_session *session, bool gone);

/**
 * enum wdbg_right - what a session without a target wants to do to the waves of all
 *	processes
 * @WDBG_TO_LOOK: list them and get their events, without stopping any
 * @WDBG_TO_CONTROL: stop and change them, read their registers
 */
enum wdbg_right {
	WDBG_TO_LOOK,
	WDBG_TO_CONTROL,
};

int wdbg_scope_check(struct wdbg_session *session, enum wdbg_right right);
u32 wdbg_scope_vmids(struct wdbg_session *session);
bool wdbg_scope_has_vmid(struct wdbg_session *session, u32 vmid);
bool wdbg_scope_is_strict(const struct wdbg_session *session);

/* halt_budget.c */
extern const struct wdbg_part wdbg_halt_budget_part;
int wdbg_halt_budget_hold(struct wdbg_session *session);
int wdbg_halt_budget_expect(struct wdbg_session *session);
void wdbg_halt_budget_note(struct wdbg_session *session);
void wdbg_halt_budget_update(struct wdbg_gpu *gpu);
struct wdbg_session *wdbg_halt_budget_quiet(struct wdbg_gpu *gpu);
void wdbg_halt_budget_left(struct wdbg_gpu *gpu, u32 *left_ms, u32 *wait_ms);

/* wave/stall.c */
extern const struct wdbg_part wdbg_stall_part;
int wdbg_stall_begin(struct wdbg_gpu *gpu, u32 vmid_mask);
void wdbg_stall_end(struct wdbg_gpu *gpu, u32 vmid_mask);
void wdbg_stall_unguard(struct wdbg_gpu *gpu, u32 vmid);
void wdbg_stall_discard(struct wdbg_gpu *gpu, u32 vmid_mask);

/* wave/owner.c */
extern const struct wdbg_part wdbg_wave_part;

/* event/source.c */
extern const struct wdbg_part wdbg_event_part;
void wdbg_event_source_update(struct wdbg_gpu *gpu);
bool wdbg_event_source_polls(const struct wdbg_gpu *gpu);

/* event/filter.c */
bool wdbg_event_concerns(const struct wdbg_session *session, u64 mask, u32 pasid,
			 u64 time);

/* event/job.c */
extern const struct wdbg_part wdbg_job_part;

/* event/mapping.c */
int wdbg_mapping_want(struct wdbg_session *session);
u64 wdbg_mapping_generation(const struct wdbg_session *session);
void wdbg_mapping_update(struct wdbg_gpu *gpu);
extern const struct wdbg_part wdbg_mapping_part;
const char *wdbg_job_why_not(const struct wdbg_gpu *gpu);
int wdbg_job_begin(struct wdbg_gpu *gpu);
void wdbg_job_update(struct wdbg_gpu *gpu);

/* target/guard.c */
extern const struct wdbg_part wdbg_guard_part;
int wdbg_guards_init(void);
void wdbg_guards_exit(void);
const char *wdbg_guard_why_not(const struct wdbg_gpu *gpu);
const char *wdbg_guard_gap(const struct wdbg_gpu *gpu);
void wdbg_guard_begin(struct wdbg_gpu *gpu, struct drm_file *drm, u32 vmid);
bool wdbg_guard_is_programmed(const struct wdbg_gpu *gpu);
bool wdbg_guard_is_of(struct wdbg_gpu *gpu, struct drm_file *drm);
void wdbg_guard_end(struct wdbg_gpu *gpu);
int wdbg_guard_enter(struct wdbg_session *session);
bool wdbg_guard_is_lost(const struct wdbg_gpu *gpu);
void wdbg_guard_restore(struct wdbg_gpu *gpu);

/**
 * struct wdbg_transfer - a copy between a caller's memory and that of its target
 * @session: the session; it has a target, whose address space can be accessed
 * @user: the caller's memory
 * @no_user: copy nothing from or to @user
 * @bytes: how many
 * @copy: the piece that comes next: the caller of wdbg_transfer() sets @copy.va, if
 *	@run uses it, and @copy.write
 * @run: copies the piece. In the power bracket; returns the same as
 *	wdbg_mappings_copy()
 * @arg: for @run
 * @done: out, bytes that were copied
 * @absent: for transfer.c, the object that needs pages first, or NULL
 */
struct wdbg_transfer {
	struct wdbg_session *session;
	void __user *user;
	bool no_user;
	u64 bytes;
	struct wdbg_vm_copy copy;
	int (*run)(struct wdbg_transfer *t);
	void *arg;
	u64 done;
	struct drm_gem_object *absent;
};

/* transfer.c */
int wdbg_transfer(struct wdbg_transfer *t);
unsigned long wdbg_transfer_deadline(void);
int wdbg_transfer_wait(struct wdbg_session *session, unsigned long deadline);

/* target/reserve.c */
extern const struct wdbg_part wdbg_reserve_part;
const char *wdbg_vmid_why_not(const struct wdbg_gpu *gpu);
int wdbg_vmid_reserve(struct wdbg_session *session, struct wdbg_vmid_try *try,
		      u32 *vmid);
int wdbg_vmid_wait(struct wdbg_session *session);
void wdbg_vmid_end_call(struct wdbg_session *session);
bool wdbg_vmid_again(struct wdbg_session *session, int *ret);
void wdbg_vmid_release(struct wdbg_session *session);
int wdbg_vmid_check(struct wdbg_session *session, u32 *vmid);
bool wdbg_vmid_is_ours(struct wdbg_gpu *gpu);
u32 wdbg_vmid_reserved(const struct wdbg_gpu *gpu);
struct drm_file *wdbg_vmid_drm(const struct wdbg_gpu *gpu);
void wdbg_vmid_get(struct wdbg_gpu *gpu);
void wdbg_vmid_put(struct wdbg_gpu *gpu);

/* target/vmid_share.c */
extern const struct wdbg_part wdbg_vmid_share_part;
int wdbg_vmid_share_begin(struct wdbg_session *session, struct wdbg_vmid_try *try,
			  u32 *vmid);
void wdbg_vmid_share_release_unused(struct wdbg_session *session);

/* target/buffer.c */
extern const struct wdbg_part wdbg_buffer_part;
const char *wdbg_buffer_why_not(const struct wdbg_gpu *gpu);
struct wdbg_buffer *wdbg_buffer_new(struct wdbg_session *session, u32 flags,
				    u64 bytes);
void wdbg_buffer_delete(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer);
void wdbg_buffer_drain(struct wdbg_gpu *gpu);
int wdbg_buffer_copy(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer,
		     u64 offset, struct wdbg_vm_copy *copy);

/* target/patch.c */
extern const struct wdbg_part wdbg_patch_part;
extern const struct wdbg_part wdbg_patched_part;
int wdbg_patch_set(struct wdbg_session *session, struct wdbg_vm_copy *copy);
int wdbg_patch_clear(struct wdbg_session *session, struct wdbg_vm_copy *copy);
int wdbg_patch_clear_keep(struct wdbg_session *session,
			  struct wdbg_vm_copy *copy);

/* job_list.c */
const char *wdbg_job_list_why_not(const struct wdbg_gpu *gpu);

/* target/launch.c, watch.c, trap.c, memory.c */
extern const struct wdbg_part wdbg_launch_part;
extern const struct wdbg_part wdbg_watch_part;
extern const struct wdbg_part wdbg_trap_part;
extern const struct wdbg_part wdbg_memory_part;
const char *wdbg_trap_why_not(const struct wdbg_gpu *gpu);
bool wdbg_trap_uses(const struct wdbg_session *session,
		    const struct wdbg_buffer *buffer);
bool wdbg_launch_is_set(const struct wdbg_gpu *gpu, u32 vmid);
bool wdbg_trap_keep(struct wdbg_gpu *gpu, struct wdbg_buffer *buffer);

/*
 * The ioctls, each in the file of its subject; uapi/linux/amdgpudbg.h has their errors.
 */
u64 wdbg_events_possible(const struct wdbg_gpu *gpu);

/* parts.c, registry.c */
extern const struct wdbg_part *const wdbg_parts[];
int wdbg_gpus_init(const struct file_operations *fops);
void wdbg_gpus_exit(void);

/**
 * struct wdbg_status - whether a GPU has a node
 * @node: its name, or empty
 * @text: the reason, a sentence
 */
struct wdbg_status {
	char node[sizeof_field(struct wdbg_gpu, name)];
	char text[WDBG_REASON_LEN];
};

void wdbg_gpu_status(struct pci_dev *pdev, struct wdbg_status *status);

/* status.c */
int wdbg_status_init(void);
void wdbg_status_exit(void);

#endif /* WDBG_PRIVATE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A GPU: its structure, its life, its lock and its workers. What a part keeps for it is in
 * the part's own data.
 */
#ifndef WDBG_GPU_H
#define WDBG_GPU_H

#include <linux/amdgpudbg.h>
#include <linux/fs.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "amdgpu/layout.h"
#include "hw/hw.h"
#include "part.h"

struct dentry;
struct drm_device;
struct wdbg_ring;
struct wdbg_session;
struct wdbg_slot;

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
 * @unreserve_runs: a worker of target/reserve.c releases a VMID now. Not while the system
 *	sleeps.
 * @unreserved: woken when @unreserve_runs becomes false
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
	void *part_data[WDBG_NUM_PARTS];
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
	struct wdbg_due due[WDBG_NUM_PARTS];
};

/**
 * wdbg_part_data() - get what a part keeps for a GPU
 * @gpu: the GPU
 * @part: the part, which is one of the GPU's and has a @data_size
 *
 * Other parts use its functions and not its members; target/patch.c alone reads wdbg_trap.
 * Return: the data, valid as long as @gpu.
 */
static inline void *wdbg_part_data(const struct wdbg_gpu *gpu, const struct wdbg_part *part)
{
	return gpu->part_data[part->id];
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

#endif /* WDBG_GPU_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The GPUs that this module is attached to. See README.md for the locks and
 * for who keeps whom alive.
 */
#ifndef WDBG_GPU_H
#define WDBG_GPU_H

#include <linux/amdgpudbg.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/workqueue.h>

#include "event.h"
#include "hw/hw.h"
#include "layout.h"

struct drm_device;
struct wdbg_buffer;
struct wdbg_reservation;
struct wdbg_session;

/**
 * struct wdbg_slot - what is known about one wave slot
 * @owner: the session that halted the wave in it, or NULL
 * @vmid: VMID of that wave
 * @by_itself: the wave has stopped in its trap handler, as @owner wanted, and may
 *	do so again as soon as it is resumed
 * @leave: the wave stays halted when the session closes
 * @debugger: the session that put the wave in it in debug mode, or NULL
 * @debug_vmid: VMID of that wave
 * @ran: within one broadcast: the wave was seen running before it
 * @was_halted: within one broadcast: the wave was halted before it, or by its
 *	handler meanwhile
 * @taken: within one broadcast: it halted the wave for its session
 * @told: within one broadcast: the wave was told to go on
 * @left: while waves leave a trap handler: the wave is to stay halted, although
 *	nobody owns it
 *
 * A slot with an owner whose wave turns out not to be halted, or not to be
 * there, has lost its owner: the wave was ended by somebody else.
 */
struct wdbg_slot {
	struct wdbg_session *owner;
	u8 vmid;
	bool by_itself;
	bool leave;
	struct wdbg_session *debugger;
	u8 debug_vmid;
	bool ran;
	bool was_halted;
	bool taken;
	bool told;
	bool left;
};

/**
 * struct wdbg_launch - how the waves of one VMID start
 * @owner: the session that wants it so; NULL: nobody wants anything, and all of
 *	this is zero but for @vmid
 * @vmid: the VMID
 * @mode: enum amdgpudbg_launch_mode
 * @excp: AMDGPUDBG_EXCP_* that they have enabled, in addition
 * @stall: they do not start at all
 */
struct wdbg_launch {
	struct wdbg_session *owner;
	u32 vmid;
	u32 mode;
	u32 excp;
	bool stall;
};

/**
 * struct wdbg_watch_slot - one of the hardware's watches
 * @owner: the session that has set it, or NULL
 * @now: what its registers hold, if it has an owner
 * @before: what they held before
 */
struct wdbg_watch_slot {
	struct wdbg_session *owner;
	struct wdbg_watch_regs now;
	struct wdbg_watch_regs before;
};

/**
 * struct wdbg_trap - the trap handler of the reserved VMID
 * @owner: the session that has set it, or NULL
 * @set: the VMID's registers are not as before. Without @owner: waves leave.
 * @lost: the registers are gone with a reset
 * @holds_timeouts: it may have halted waves, so that timeouts are held
 * @before: what the registers held before
 * @now: what they were set to
 * @tba: address of the handler
 * @tma: address of its memory
 * @leave: the handler that takes its place, if @set
 * @kept: buffers that waves may need until they have left
 * @look: looks whether they have
 */
struct wdbg_trap {
	struct wdbg_session *owner;
	bool set;
	bool lost;
	bool holds_timeouts;
	struct wdbg_trap_regs before;
	struct wdbg_trap_regs now;
	u64 tba;
	u64 tma;
	struct wdbg_buffer *leave;
	struct list_head kept;
	struct delayed_work look;
};

/**
 * struct wdbg_deleted - buffers that are to go, but have to wait
 * @list: the buffers, each with a reference to its file
 * @num_waiting: those of them that are still in their address spaces
 * @look: looks whether they may go
 */
struct wdbg_deleted {
	struct list_head list;
	u32 num_waiting;
	struct delayed_work look;
};

/**
 * struct wdbg_ring - a ring of amdgpu whose jobs time out
 * @ring: amdgpu's struct amdgpu_ring
 * @timeout: its timeout in jiffies, while it is held
 */
struct wdbg_ring {
	void *ring;
	long timeout;
};

/**
 * struct wdbg_gpu - one GPU
 * @ref: held by the registry while attached and by each session
 * @node: in the registry, under its lock
 * @pdev: the PCI device, referenced
 * @misc: the device node
 * @name: its name
 * @id: the number in its name
 * @gc_version: graphics core, major << 16 | minor << 8 | revision
 * @first_kfd_vmid: VMIDs from here on belong to amdkfd
 * @num_active_cu: compute units that are not harvested
 * @render_minor: of the GPU's DRM render node, 0 if it has none
 * @build_id: GNU build id of amdgpu.ko
 * @lock: protects all that follows, and makes one operation at a time
 * @adev: amdgpu's struct amdgpu_device; NULL once the GPU is gone
 * @ddev: the DRM device within it
 * @layout: of amdgpu's structures
 * @reset_sem: amdgpu's reset_domain->sem: a GPU reset holds it for writing
 * @reset_counter: amdgpu's gpu_reset_counter
 * @set_powergating_state: of the graphics IP block
 * @pg_arg: its first argument
 * @hw: the registers
 * @slots: all wave slots, see wdbg_wave_slot()
 * @num_slots: number of them
 * @sessions: those that have something here
 * @reset_seen: value of @reset_counter that @slots belongs to
 * @power_users: sessions that need the GPU awake
 * @rings: rings whose timeouts are held while waves are halted
 * @num_rings: number of them; none if this amdgpu is not understood
 * @timeouts_held: they are held now
 * @launch: how waves start
 * @launch_before: how they started before, if @launch has an owner
 * @watches: the watches
 * @stalls: for each VMID, how many want none of its waves to start
 * @stalled_before: VMIDs whose waves did not start anyway; one bit each
 * @reservation: the VMID that is reserved for a target, or NULL
 * @trap: the trap handler in it
 * @deleted: buffers that nobody needs any more
 * @bound: ends what sessions hold for callers without CAP_SYS_ADMIN
 * @released_at: when @timeouts_held ended, in jiffies
 * @rest_until: until when none of them may begin again, in jiffies, if @resting
 * @resting: see @rest_until
 * @source: where its events come from
 * @sleeping: the system is about to sleep, so that no wave may be halted
 *
 * Members before @lock are constant while attached.
 */
struct wdbg_gpu {
	struct kref ref;
	struct list_head node;
	struct pci_dev *pdev;
	struct miscdevice misc;
	char name[16];
	int id;
	u32 gc_version;
	u32 first_kfd_vmid;
	u32 num_active_cu;
	u32 render_minor;
	char build_id[sizeof_field(struct amdgpudbg_info, driver_build_id)];

	struct mutex lock; /* what follows; one operation at a time */
	void *adev;
	struct drm_device *ddev;
	struct wdbg_layout layout;
	struct rw_semaphore *reset_sem;
	const atomic_t *reset_counter;
	int (*set_powergating_state)(void *arg, u32 state);
	void *pg_arg;
	struct wdbg_hw hw;
	struct wdbg_slot *slots;
	u32 num_slots;
	struct list_head sessions;
	u32 reset_seen;
	unsigned int power_users;
	struct wdbg_ring *rings;
	u32 num_rings;
	bool timeouts_held;
	struct wdbg_launch launch;
	struct wdbg_launch_state launch_before;
	struct wdbg_watch_slot watches[WDBG_MAX_WATCHES];
	u8 stalls[WDBG_NUM_VMID];
	u32 stalled_before;
	struct wdbg_reservation *reservation;
	struct wdbg_trap trap;
	struct wdbg_deleted deleted;
	struct delayed_work bound;
	unsigned long released_at;
	unsigned long rest_until;
	bool resting;
	bool sleeping;
	struct wdbg_event_source source;
};

extern struct workqueue_struct *wdbg_workqueue;
extern struct workqueue_struct *wdbg_driver_workqueue;

int wdbg_gpus_init(void);
void wdbg_gpus_exit(void);
int wdbg_gpus_status(char *buf, size_t size);
struct wdbg_gpu *wdbg_gpu_get(struct wdbg_gpu *gpu);
void wdbg_gpu_put(struct wdbg_gpu *gpu);

int wdbg_gpu_probe(struct wdbg_gpu *gpu, char *reason);

/**
 * wdbg_adev_u32() - read a 32-bit member of struct amdgpu_device
 * @gpu: the GPU, attached
 * @field: which
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
 * @field: which
 *
 * Return: its value.
 */
static inline bool wdbg_adev_bool(struct wdbg_gpu *gpu, enum wdbg_field field)
{
	return READ_ONCE(*(u8 *)wdbg_field_ptr(&gpu->layout, gpu->adev, field));
}

#endif /* WDBG_GPU_H */

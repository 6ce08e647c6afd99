// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tap on amdgpu's interrupts. amdgpu has no handler for those that waves
 * send, and no interface to add one; but its tracepoint amdgpu_iv shows each
 * entry of its interrupt rings before it looks for a handler.
 *
 * The tracepoint fires in a hard interrupt (with threadirqs in a thread whose
 * interrupts are off, and for amdgpu's soft ring in a kworker), also before a
 * GPU's structures are known here and while it is let go of. So the probe walks
 * the open taps under RCU, copies into a ring under a raw spinlock, and wakes
 * through irq_work: waking takes locks that may sleep on PREEMPT_RT.
 */
#include <linux/ktime.h>
#include <linux/rculist.h>
#include <linux/slab.h>

#include "amdgpu/iv.h"
#include "amdgpu/tracepoint.h"
#include "private.h"

/* Of one GPU; a power of two. Waves send them faster than they are taken. */
#define RING_SIZE	1024

static LIST_HEAD(taps);
static DEFINE_SPINLOCK(taps_lock); /* writers of taps */

static u32 iv_u32(const struct wdbg_iv_tap *tap, const void *entry,
		  enum wdbg_field field)
{
	return *(const u32 *)(entry + tap->layout->offset[field]);
}

/* The entry names no GPU but its ring, which lies in amdgpu's device. */
static bool is_of(const struct wdbg_iv_tap *tap, const void *entry)
{
	const void *ih = *(void * const *)(entry +
					   tap->layout->offset[WDBG_IV_IH]);

	return ih >= tap->adev && ih < tap->adev + tap->layout->adev_size;
}

static void put(struct wdbg_iv_tap *tap, const void *entry)
{
	const u32 *data = entry + tap->layout->offset[WDBG_IV_SRC_DATA];
	struct wdbg_iv iv = {
		.time = ktime_get_ns(),
		.vmid = iv_u32(tap, entry, WDBG_IV_VMID) % WDBG_NUM_VMID,
		.pasid = iv_u32(tap, entry, WDBG_IV_PASID),
		.data = { data[0], data[1] },
	};
	unsigned long flags;

	raw_spin_lock_irqsave(&tap->lock, flags);
	if (tap->head - tap->tail < RING_SIZE) {
		tap->ring[tap->head++ % RING_SIZE] = iv;
	} else {
		tap->dropped[iv.vmid].pasid = iv.pasid;
		tap->dropped[iv.vmid].count++;
	}
	raw_spin_unlock_irqrestore(&tap->lock, flags);
	irq_work_queue(&tap->work);
}

static struct wdbg_fault *find_fault(struct wdbg_iv_faults *faults,
				     const struct wdbg_fault *like)
{
	struct wdbg_fault *f;

	for (f = faults->fault; f < faults->fault + faults->num; f++)
		if (f->address == like->address && f->vmid == like->vmid &&
		    f->pasid == like->pasid && f->access == like->access &&
		    f->client == like->client)
			return f;
	return NULL;
}

/* What it takes is bounded, however many there are: equal ones are counted. */
static void put_fault(struct wdbg_iv_tap *tap, const void *entry)
{
	const u32 *data = entry + tap->layout->offset[WDBG_IV_SRC_DATA];
	struct wdbg_iv_faults *faults = tap->faults;
	struct wdbg_fault now = {
		.time = ktime_get_ns(),
		.vmid = iv_u32(tap, entry, WDBG_IV_VMID) % WDBG_NUM_VMID,
		.pasid = iv_u32(tap, entry, WDBG_IV_PASID),
		.count = 1,
	}, *same;
	unsigned long flags;

	tap->hw->ops->iv_fault(tap->hw, iv_u32(tap, entry, WDBG_IV_CLIENT_ID), data, &now);
	raw_spin_lock_irqsave(&tap->lock, flags);
	same = find_fault(faults, &now);
	if (same) {
		same->count++;
	} else if (faults->num < WDBG_NUM_FAULTS) {
		faults->fault[faults->num++] = now;
	} else {
		faults->dropped[now.vmid].pasid = now.pasid;
		faults->dropped[now.vmid].count++;
	}
	raw_spin_unlock_irqrestore(&tap->lock, flags);
	irq_work_queue(&tap->work);
}

static void see(struct wdbg_iv_tap *tap, const void *entry)
{
	u32 client_id = iv_u32(tap, entry, WDBG_IV_CLIENT_ID);
	u32 src_id = iv_u32(tap, entry, WDBG_IV_SRC_ID);

	if (READ_ONCE(tap->wanted) && tap->hw->ops->iv_is_wave(client_id, src_id))
		put(tap, entry);
	else if (READ_ONCE(tap->faults_wanted) &&
		 tap->hw->ops->iv_is_fault(client_id, src_id))
		put_fault(tap, entry);
}

/* TP_PROTO(unsigned ih, struct amdgpu_iv_entry *iv), see iv_is_known(). */
static void on_iv(void *unused, unsigned int ih, void *entry)
{
	struct wdbg_iv_tap *tap;

	rcu_read_lock();
	list_for_each_entry_rcu(tap, &taps, node) {
		if (!is_of(tap, entry))
			continue;
		see(tap, entry);
		break;
	}
	rcu_read_unlock();
}

static void on_irq_work(struct irq_work *work)
{
	struct wdbg_iv_tap *tap = container_of(work, struct wdbg_iv_tap, work);

	if (READ_ONCE(tap->head) != READ_ONCE(tap->tail))
		tap->wake(tap);
	if (READ_ONCE(tap->faults->num))
		tap->wake_faults(tap);
}

static struct wdbg_tracepoint amdgpu_iv = {
	.name = "amdgpu_iv",
	.probe = on_iv,
};

/**
 * wdbg_iv_init() - listen to amdgpu's tracepoint, now and whenever it comes
 *
 * Context: before any GPU is attached to.
 * Return: 0 or an error of the kernel.
 */
int wdbg_iv_init(void)
{
	return wdbg_tracepoint_init(&amdgpu_iv);
}

/**
 * wdbg_iv_exit() - end of wdbg_iv_init()
 *
 * Context: no GPU is attached to any more.
 */
void wdbg_iv_exit(void)
{
	wdbg_tracepoint_exit(&amdgpu_iv);
}

/**
 * wdbg_iv_available() - are interrupts of waves seen
 * @layout: of the amdgpu.ko that is loaded
 *
 * Context: a GPU is bound to amdgpu, which therefore stays.
 * Return: false if amdgpu has no such tracepoint, or another one, or if the
 * kernel has left it out because amdgpu was loaded by force.
 */
bool wdbg_iv_available(const struct wdbg_layout *layout)
{
	return layout->has_iv && wdbg_tracepoint_is_there(&amdgpu_iv);
}

/**
 * wdbg_iv_open() - begin to listen
 * @tap: the tap, zeroed
 * @gpu: its GPU; layout, adev and hw.ops are set, and stay until wdbg_iv_close()
 * @wake: see &struct wdbg_iv_tap; must not sleep
 * @wake_faults: as @wake
 *
 * Nothing is kept until wdbg_iv_want().
 * Return: 0 or -ENOMEM.
 */
int wdbg_iv_open(struct wdbg_iv_tap *tap, struct wdbg_gpu *gpu,
		 void (*wake)(struct wdbg_iv_tap *tap),
		 void (*wake_faults)(struct wdbg_iv_tap *tap))
{
	BUILD_BUG_ON_NOT_POWER_OF_2(RING_SIZE);
	tap->faults = kzalloc(sizeof(*tap->faults), GFP_KERNEL);
	if (tap->faults)
		tap->ring = kcalloc(RING_SIZE, sizeof(*tap->ring), GFP_KERNEL);
	if (!tap->ring) {
		kfree(tap->faults);
		tap->faults = NULL;
		return -ENOMEM;
	}
	tap->adev = gpu->adev;
	tap->layout = &gpu->layout;
	tap->hw = &gpu->hw;
	tap->wake = wake;
	tap->wake_faults = wake_faults;
	init_irq_work(&tap->work, on_irq_work);
	raw_spin_lock_init(&tap->lock);

	spin_lock(&taps_lock);
	list_add_tail_rcu(&tap->node, &taps);
	spin_unlock(&taps_lock);
	return 0;
}

/**
 * wdbg_iv_close() - end of wdbg_iv_open()
 * @tap: the tap; if it was never opened, nothing happens
 *
 * Afterwards, wake() neither runs nor is called.
 * Context: may sleep.
 */
void wdbg_iv_close(struct wdbg_iv_tap *tap)
{
	if (!tap->ring)
		return;
	spin_lock(&taps_lock);
	list_del_rcu(&tap->node);
	spin_unlock(&taps_lock);
	synchronize_rcu();
	irq_work_sync(&tap->work);
	kfree(tap->ring);
	tap->ring = NULL;
	kfree(tap->faults);
	tap->faults = NULL;
}

/**
 * wdbg_iv_want() - keep interrupts from now on, or do not
 * @tap: the tap, open
 * @waves: those of waves
 * @faults: faults of address spaces
 */
void wdbg_iv_want(struct wdbg_iv_tap *tap, bool waves, bool faults)
{
	WRITE_ONCE(tap->wanted, waves);
	WRITE_ONCE(tap->faults_wanted, faults);
}

/**
 * wdbg_iv_take_faults() - take all faults that are kept
 * @tap: the tap, open
 * @faults: out, if there are any
 *
 * Return: false if there are none.
 */
bool wdbg_iv_take_faults(struct wdbg_iv_tap *tap, struct wdbg_iv_faults *faults)
{
	bool any;

	raw_spin_lock_irq(&tap->lock);
	any = tap->faults->num;
	if (any) {
		*faults = *tap->faults;
		memset(tap->faults, 0, sizeof(*tap->faults));
	}
	raw_spin_unlock_irq(&tap->lock);
	return any;
}

/**
 * wdbg_iv_take() - take the oldest interrupt
 * @tap: the tap, open
 * @iv: out
 *
 * Return: false if there is none.
 */
bool wdbg_iv_take(struct wdbg_iv_tap *tap, struct wdbg_iv *iv)
{
	bool any;

	raw_spin_lock_irq(&tap->lock);
	any = tap->head != tap->tail;
	if (any)
		*iv = tap->ring[tap->tail++ % RING_SIZE];
	raw_spin_unlock_irq(&tap->lock);
	return any;
}

/**
 * wdbg_iv_take_dropped() - how many interrupts were dropped since the last call
 * @tap: the tap, open
 * @dropped: out, per VMID
 *
 * They are newer than those which wdbg_iv_take() gave before.
 * Return: false if none were, and @dropped is not set.
 */
bool wdbg_iv_take_dropped(struct wdbg_iv_tap *tap,
			  struct wdbg_iv_dropped dropped[WDBG_NUM_VMID])
{
	bool any;

	raw_spin_lock_irq(&tap->lock);
	any = memchr_inv(tap->dropped, 0, sizeof(tap->dropped));
	if (any) {
		memcpy(dropped, tap->dropped, sizeof(tap->dropped));
		memset(tap->dropped, 0, sizeof(tap->dropped));
	}
	raw_spin_unlock_irq(&tap->lock);
	return any;
}

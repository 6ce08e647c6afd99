// SPDX-License-Identifier: GPL-2.0-only
/*
 * The FIFO of amdgpu's interrupts. amdgpu has no handler for interrupts of waves, and
 * no interface to add one; but its tracepoint amdgpu_iv shows each entry of its
 * interrupt rings before it searches for a handler.
 *
 * The tracepoint fires in a hard interrupt (with threadirqs in a thread whose
 * interrupts are off, and for amdgpu's soft ring in a kworker), also before a GPU is
 * attached and while it is detached. So the probe walks the open FIFOs under RCU,
 * copies into a ring under a raw spinlock, and wakes through irq_work: waking takes
 * locks that may sleep on PREEMPT_RT. The probe is registered whenever amdgpu is
 * loaded, before or after this module; a notifier of the tracepoint core removes it
 * before the text of either is unloaded.
 */
#include <linux/ktime.h>
#include <linux/rculist.h>
#include <linux/slab.h>

#include "amdgpu/iv.h"
#include "amdgpu/tracepoint.h"
#include "gpu.h"

/*
 * Size of a GPU's ring; a power of two. Waves send interrupts faster than the worker
 * takes them.
 */
#define RING_SIZE	1024

static LIST_HEAD(fifos);
static DEFINE_SPINLOCK(fifos_lock); /* protects changes of fifos */

static u32 iv_u32(const struct wdbg_iv_fifo *fifo, const void *entry,
		  enum wdbg_field field)
{
	return *(const u32 *)(entry + fifo->layout->offset[field]);
}

/* The entry identifies the GPU by its ring, which lies in amdgpu's device. */
static bool iv_is_of(const struct wdbg_iv_fifo *fifo, const void *entry)
{
	const void *ih = *(void * const *)(entry +
					   fifo->layout->offset[WDBG_IV_IH]);

	return ih >= fifo->adev && ih < fifo->adev + fifo->layout->adev_size;
}

static void iv_put(struct wdbg_iv_fifo *fifo, const void *entry)
{
	const u32 *data = entry + fifo->layout->offset[WDBG_IV_SRC_DATA];
	struct wdbg_iv iv = {
		.time = ktime_get_ns(),
		.vmid = iv_u32(fifo, entry, WDBG_IV_VMID) % WDBG_NUM_VMID,
		.pasid = iv_u32(fifo, entry, WDBG_IV_PASID),
		.data = { data[0], data[1] },
	};
	unsigned long flags;

	raw_spin_lock_irqsave(&fifo->lock, flags);
	if (fifo->head - fifo->tail < RING_SIZE) {
		fifo->ring[fifo->head++ % RING_SIZE] = iv;
	} else {
		fifo->dropped[iv.vmid].pasid = iv.pasid;
		fifo->dropped[iv.vmid].count++;
	}
	raw_spin_unlock_irqrestore(&fifo->lock, flags);
	irq_work_queue(&fifo->work);
}

static struct wdbg_fault *iv_find_fault(struct wdbg_iv_faults *faults,
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

/* Memory and time are limited, however many there are: equal ones are counted. */
static void iv_put_fault(struct wdbg_iv_fifo *fifo, const void *entry)
{
	const u32 *data = entry + fifo->layout->offset[WDBG_IV_SRC_DATA];
	struct wdbg_iv_faults *faults = fifo->faults;
	struct wdbg_fault now = {
		.time = ktime_get_ns(),
		.vmid = iv_u32(fifo, entry, WDBG_IV_VMID) % WDBG_NUM_VMID,
		.pasid = iv_u32(fifo, entry, WDBG_IV_PASID),
		.count = 1,
	}, *same;
	unsigned long flags;

	fifo->hw->ops->iv->fault(fifo->hw, iv_u32(fifo, entry, WDBG_IV_CLIENT_ID), data, &now);
	raw_spin_lock_irqsave(&fifo->lock, flags);
	same = iv_find_fault(faults, &now);
	if (same) {
		same->count++;
	} else if (faults->num < WDBG_NUM_FAULTS) {
		faults->fault[faults->num++] = now;
	} else {
		faults->dropped[now.vmid].pasid = now.pasid;
		faults->dropped[now.vmid].count++;
	}
	raw_spin_unlock_irqrestore(&fifo->lock, flags);
	irq_work_queue(&fifo->work);
}

static void iv_record(struct wdbg_iv_fifo *fifo, const void *entry)
{
	u32 client_id = iv_u32(fifo, entry, WDBG_IV_CLIENT_ID);
	u32 src_id = iv_u32(fifo, entry, WDBG_IV_SRC_ID);

	if (READ_ONCE(fifo->wanted) && fifo->hw->ops->iv->is_wave(client_id, src_id))
		iv_put(fifo, entry);
	else if (READ_ONCE(fifo->faults_wanted) &&
		 fifo->hw->ops->iv->is_fault(client_id, src_id))
		iv_put_fault(fifo, entry);
}

/* TP_PROTO(unsigned ih, struct amdgpu_iv_entry *iv), see layout_iv_is_known(). */
static void iv_on_entry(void *unused, unsigned int ih, void *entry)
{
	struct wdbg_iv_fifo *fifo;

	rcu_read_lock();
	list_for_each_entry_rcu(fifo, &fifos, node) {
		if (!iv_is_of(fifo, entry))
			continue;
		iv_record(fifo, entry);
		break;
	}
	rcu_read_unlock();
}

static void iv_on_irq_work(struct irq_work *work)
{
	struct wdbg_iv_fifo *fifo = container_of(work, struct wdbg_iv_fifo, work);

	if (READ_ONCE(fifo->head) != READ_ONCE(fifo->tail))
		fifo->wake(fifo);
	if (READ_ONCE(fifo->faults->num))
		fifo->wake_faults(fifo);
}

static struct wdbg_tracepoint amdgpu_iv = {
	.name = "amdgpu_iv",
	.probe = iv_on_entry,
};

/**
 * wdbg_iv_init() - listen to amdgpu's tracepoint, now and whenever amdgpu is loaded
 *
 * Context: before any GPU is attached.
 * Return: 0 or an error of the kernel.
 */
int wdbg_iv_init(void)
{
	return wdbg_tracepoint_init(&amdgpu_iv);
}

/**
 * wdbg_iv_exit() - end wdbg_iv_init()
 *
 * Context: no GPU is attached any more.
 */
void wdbg_iv_exit(void)
{
	wdbg_tracepoint_exit(&amdgpu_iv);
}

/**
 * wdbg_iv_available() - check that interrupts of waves can be seen
 * @layout: of the amdgpu.ko that is loaded
 *
 * Context: a GPU is bound to amdgpu, which therefore stays.
 * Return: false if amdgpu has no such tracepoint, or another one, or if the kernel has
 *	left it out because amdgpu was loaded by force.
 */
bool wdbg_iv_available(const struct wdbg_layout *layout)
{
	return layout->has_iv && wdbg_tracepoint_is_there(&amdgpu_iv);
}

/**
 * wdbg_iv_open() - open the FIFO of a GPU
 * @fifo: the FIFO, zeroed
 * @gpu: its GPU; layout, adev and hw.ops are set, and stay until wdbg_iv_close()
 * @wake: see &struct wdbg_iv_fifo; must not sleep
 * @wake_faults: as @wake
 *
 * Nothing is kept until wdbg_iv_want().
 * Return: 0 or -ENOMEM.
 */
int wdbg_iv_open(struct wdbg_iv_fifo *fifo, struct wdbg_gpu *gpu,
		 void (*wake)(struct wdbg_iv_fifo *fifo),
		 void (*wake_faults)(struct wdbg_iv_fifo *fifo))
{
	BUILD_BUG_ON_NOT_POWER_OF_2(RING_SIZE);
	fifo->faults = kzalloc(sizeof(*fifo->faults), GFP_KERNEL);
	if (fifo->faults)
		fifo->ring = kcalloc(RING_SIZE, sizeof(*fifo->ring), GFP_KERNEL);
	if (!fifo->ring) {
		kfree(fifo->faults);
		fifo->faults = NULL;
		return -ENOMEM;
	}
	fifo->adev = gpu->adev;
	fifo->layout = &gpu->layout;
	fifo->hw = &gpu->hw;
	fifo->wake = wake;
	fifo->wake_faults = wake_faults;
	init_irq_work(&fifo->work, iv_on_irq_work);
	raw_spin_lock_init(&fifo->lock);

	spin_lock(&fifos_lock);
	list_add_tail_rcu(&fifo->node, &fifos);
	spin_unlock(&fifos_lock);
	return 0;
}

/**
 * wdbg_iv_close() - close the FIFO of a GPU
 * @fifo: the FIFO; if it was never opened, nothing happens
 *
 * Afterwards, wake() neither runs nor is called.
 * Context: may sleep.
 */
void wdbg_iv_close(struct wdbg_iv_fifo *fifo)
{
	if (!fifo->ring)
		return;
	spin_lock(&fifos_lock);
	list_del_rcu(&fifo->node);
	spin_unlock(&fifos_lock);
	synchronize_rcu();
	irq_work_sync(&fifo->work);
	kfree(fifo->ring);
	fifo->ring = NULL;
	kfree(fifo->faults);
	fifo->faults = NULL;
}

/**
 * wdbg_iv_want() - select which interrupts are kept from now on
 * @fifo: the FIFO, open
 * @waves: interrupts of waves
 * @faults: faults of address spaces
 */
void wdbg_iv_want(struct wdbg_iv_fifo *fifo, bool waves, bool faults)
{
	WRITE_ONCE(fifo->wanted, waves);
	WRITE_ONCE(fifo->faults_wanted, faults);
}

/**
 * wdbg_iv_take_faults() - take all faults that are kept
 * @fifo: the FIFO, open
 * @faults: out, if there are any
 *
 * Return: false if there are none.
 */
bool wdbg_iv_take_faults(struct wdbg_iv_fifo *fifo, struct wdbg_iv_faults *faults)
{
	bool any;

	raw_spin_lock_irq(&fifo->lock);
	any = fifo->faults->num;
	if (any) {
		*faults = *fifo->faults;
		memset(fifo->faults, 0, sizeof(*fifo->faults));
	}
	raw_spin_unlock_irq(&fifo->lock);
	return any;
}

/**
 * wdbg_iv_take() - take the oldest interrupt
 * @fifo: the FIFO, open
 * @iv: out
 *
 * Return: false if there is none.
 */
bool wdbg_iv_take(struct wdbg_iv_fifo *fifo, struct wdbg_iv *iv)
{
	bool any;

	raw_spin_lock_irq(&fifo->lock);
	any = fifo->head != fifo->tail;
	if (any)
		*iv = fifo->ring[fifo->tail++ % RING_SIZE];
	raw_spin_unlock_irq(&fifo->lock);
	return any;
}

/**
 * wdbg_iv_take_dropped() - count the interrupts that were dropped since the last call
 * @fifo: the FIFO, open
 * @dropped: out, per VMID
 *
 * They are newer than those which wdbg_iv_take() returned before.
 * Return: false if none were, and @dropped is not set.
 */
bool wdbg_iv_take_dropped(struct wdbg_iv_fifo *fifo,
			  struct wdbg_iv_dropped dropped[WDBG_NUM_VMID])
{
	bool any;

	raw_spin_lock_irq(&fifo->lock);
	any = memchr_inv(fifo->dropped, 0, sizeof(fifo->dropped));
	if (any) {
		memcpy(dropped, fifo->dropped, sizeof(fifo->dropped));
		memset(fifo->dropped, 0, sizeof(fifo->dropped));
	}
	raw_spin_unlock_irq(&fifo->lock);
	return any;
}

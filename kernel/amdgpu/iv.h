/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The FIFO of amdgpu's interrupts: those of waves, and faults of address spaces, as its
 * tracepoint amdgpu_iv shows them.
 */
#ifndef WDBG_IV_H
#define WDBG_IV_H

#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/spinlock.h>

#include "hw/hw.h"

struct wdbg_gpu;
struct wdbg_layout;

/**
 * struct wdbg_iv - an interrupt of a wave
 * @time: when it was seen, nanoseconds of CLOCK_MONOTONIC
 * @vmid: of the wave
 * @pasid: PASID of the VMID, 0 if the hardware did not report it
 * @data: the rest, for wdbg_iv_ops.decode()
 */
struct wdbg_iv {
	u64 time;
	u32 vmid;
	u32 pasid;
	u32 data[2];
};

/**
 * struct wdbg_iv_dropped - interrupts of one VMID for which there was no room
 * @pasid: of the last
 * @count: number of them
 */
struct wdbg_iv_dropped {
	u32 pasid;
	u32 count;
};

/* Different faults that are kept until they are taken */
#define WDBG_NUM_FAULTS	64

/**
 * struct wdbg_iv_faults - faults that were seen and not yet taken
 * @fault: the faults, all different
 * @num: their number
 * @dropped: faults for which there was no room, per VMID
 */
struct wdbg_iv_faults {
	struct wdbg_fault fault[WDBG_NUM_FAULTS];
	u32 num;
	struct wdbg_iv_dropped dropped[WDBG_NUM_VMID];
};

/**
 * struct wdbg_iv_fifo - interrupts of one GPU that were seen and not yet taken
 * @node: among all open FIFOs, under RCU
 * @adev: amdgpu's device: entries name a ring that lies in it
 * @layout: of the entries
 * @hw: for &struct wdbg_iv_ops
 * @wake: called when there is an interrupt of a wave to take, in hard interrupt context
 *	or, on PREEMPT_RT, in a thread
 * @wake_faults: the same for faults
 * @work: calls both
 * @wanted: interrupts of waves are kept
 * @faults_wanted: faults are kept
 * @lock: protects the members below
 * @ring: the interrupts, @tail to @head
 * @head: index of the next to put, counted without end
 * @tail: index of the next to take, counted without end
 * @dropped: interrupts that found no room, per VMID
 * @faults: faults
 */
struct wdbg_iv_fifo {
	struct list_head node;
	void *adev;
	const struct wdbg_layout *layout;
	const struct wdbg_hw *hw;
	void (*wake)(struct wdbg_iv_fifo *fifo);
	void (*wake_faults)(struct wdbg_iv_fifo *fifo);
	struct irq_work work;
	bool wanted;
	bool faults_wanted;

	raw_spinlock_t lock; /* members below; taken in hard interrupts */
	struct wdbg_iv *ring;
	u32 head;
	u32 tail;
	struct wdbg_iv_dropped dropped[WDBG_NUM_VMID];
	struct wdbg_iv_faults *faults;
};

int wdbg_iv_init(void);
void wdbg_iv_exit(void);
bool wdbg_iv_available(const struct wdbg_layout *layout);
int wdbg_iv_open(struct wdbg_iv_fifo *fifo, struct wdbg_gpu *gpu,
		 void (*wake)(struct wdbg_iv_fifo *fifo),
		 void (*wake_faults)(struct wdbg_iv_fifo *fifo));
void wdbg_iv_close(struct wdbg_iv_fifo *fifo);
void wdbg_iv_want(struct wdbg_iv_fifo *fifo, bool waves, bool faults);
bool wdbg_iv_take_faults(struct wdbg_iv_fifo *fifo, struct wdbg_iv_faults *faults);
bool wdbg_iv_take(struct wdbg_iv_fifo *fifo, struct wdbg_iv *iv);
bool wdbg_iv_take_dropped(struct wdbg_iv_fifo *fifo,
			  struct wdbg_iv_dropped dropped[WDBG_NUM_VMID]);

#endif /* WDBG_IV_H */

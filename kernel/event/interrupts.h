/* SPDX-License-Identifier: GPL-2.0-only */
/* The interrupts of a GPU, of which source.c and fault.c make events */
#ifndef WDBG_EVENT_INTERRUPTS_H
#define WDBG_EVENT_INTERRUPTS_H

#include "amdgpu/iv.h"
#include "gpu.h"

/**
 * struct wdbg_event_source - where a GPU's events come from
 * @gpu: the GPU
 * @fifo: interrupts of its waves
 * @drain: runs when there are some
 * @late: events whose waves were still in their handlers
 * @num_late: their number
 * @late_look: checks these waves again
 * @faults_work: reports faults of address spaces
 * @faults: the faults that it has just taken
 * @faults_at: when it has, in jiffies
 * @polls: interrupts cannot be seen
 * @reported: if @polls: per slot, the VMID of a wave that was reported since it stopped, or
 *	0
 *
 * Constant while attached, except @reported, @late and @faults, which are under the GPU's
 * lock.
 */
struct wdbg_event_source {
	struct wdbg_gpu *gpu;
	struct wdbg_iv_fifo fifo;
	struct work_struct drain;
	struct list_head late;
	u32 num_late;
	struct delayed_work late_look;
	struct delayed_work faults_work;
	struct wdbg_iv_faults faults;
	unsigned long faults_at;
	bool polls;
	u8 *reported;
};

void wdbg_fault_init(struct wdbg_event_source *source);
void wdbg_fault_wake(struct wdbg_iv_fifo *fifo);

#endif /* WDBG_EVENT_INTERRUPTS_H */

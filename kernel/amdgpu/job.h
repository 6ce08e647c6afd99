/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The FIFO of amdgpu's jobs: those that begin, as its tracepoint amdgpu_sched_run_job
 * shows them, and when they have ended
 */
#ifndef WDBG_JOB_H
#define WDBG_JOB_H

#include <linux/dma-fence.h>
#include <linux/list.h>
#include <linux/spinlock.h>

#include "amdgpu/dropped.h"
#include "hw/hw.h"

struct wdbg_gpu;
struct wdbg_job_fifo;
struct wdbg_layout;

/**
 * struct wdbg_job - a job that amdgpu has given to a ring
 * @fence: its scheduler's fence, referenced; signaled when it has ended, in any way
 * @vm: amdgpu's struct amdgpu_vm that it runs in, NULL: none. Not referenced: only to
 *	be compared.
 * @began: when it was given to the ring, nanoseconds of CLOCK_MONOTONIC
 * @vmid: the VMID that it was granted
 * @pasid: of its address space, 0 if it has none
 * @ring: number of the ring
 * @ring_type: AMDGPU_HW_IP_* of the ring
 * @ring_name: amdgpu's name of it
 * @num_ibs: number of its indirect buffers
 * @ibs: the first of them
 */
struct wdbg_job {
	struct dma_fence *fence;
	const void *vm;
	u64 began;
	u32 vmid;
	u32 pasid;
	u32 ring;
	u32 ring_type;
	char ring_name[sizeof_field(struct amdgpudbg_event, ring_name)];
	u32 num_ibs;
	struct amdgpudbg_ib ibs[AMDGPUDBG_EVENT_NUM_IBS];
};

/**
 * struct wdbg_running - a job whose end will be recorded
 * @node: in wdbg_job_fifo.running, or .ended
 * @cb: at the job's fence
 * @fifo: its FIFO
 * @noted: it has ended, and is in .ended
 * @ended: when, as wdbg_job.began
 * @job: the job
 */
struct wdbg_running {
	struct list_head node;
	struct dma_fence_cb cb;
	struct wdbg_job_fifo *fifo;
	bool noted;
	u64 ended;
	struct wdbg_job job;
};

/**
 * struct wdbg_job_fifo - jobs of one GPU that were seen and not yet taken
 * @node: among all open FIFOs, under RCU
 * @adev: amdgpu's device: a job's ring names it
 * @layout: of jobs and rings
 * @wake: called when there is something to take; must not sleep
 * @lock: protects the members below
 * @wanted: a session wants events of jobs
 * @ring: the jobs that have begun, @tail to @head; NULL while not open
 * @head: index of the next to put, counted without end
 * @tail: index of the next to take, counted without end
 * @dropped: jobs that found no room
 * @running: jobs whose end will be recorded, &struct wdbg_running
 * @ended: jobs that have ended, by their time
 */
struct wdbg_job_fifo {
	struct list_head node;
	void *adev;
	const struct wdbg_layout *layout;
	void (*wake)(struct wdbg_job_fifo *fifo);

	raw_spinlock_t lock; /* members below; taken in hard interrupts */
	bool wanted;
	struct wdbg_job *ring;
	u32 head;
	u32 tail;
	struct wdbg_dropped dropped;
	struct list_head running;
	struct list_head ended;
};

u32 wdbg_job_ibs(const struct wdbg_layout *layout, void *job,
		 struct amdgpudbg_ib *ibs, u32 max);
int wdbg_jobs_init(void);
void wdbg_jobs_exit(void);
bool wdbg_job_available(const struct wdbg_layout *layout);
int wdbg_job_open(struct wdbg_job_fifo *fifo, struct wdbg_gpu *gpu,
		  void (*wake)(struct wdbg_job_fifo *fifo));
void wdbg_job_close(struct wdbg_job_fifo *fifo);
int wdbg_job_want(struct wdbg_job_fifo *fifo, bool wanted);
bool wdbg_job_take_begun(struct wdbg_job_fifo *fifo, struct wdbg_job *job);
struct wdbg_running *wdbg_job_take_ended(struct wdbg_job_fifo *fifo);
int wdbg_job_wait(struct wdbg_job_fifo *fifo, const struct wdbg_job *job);
bool wdbg_job_take_dropped(struct wdbg_job_fifo *fifo,
			   struct wdbg_dropped *dropped);

#endif /* WDBG_JOB_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sequencer: wave slots, the dispatcher that fills them, the scheduler that
 * runs them, and the registers with which a host reads and controls waves.
 */
#ifndef VGPU_SQ_H
#define VGPU_SQ_H

#include "isa/wave.h"

struct vgpu_sq;

/* A hardware queue, as in GRBM_GFX_CNTL and HW_ID2. */
struct vgpu_queue_id {
	u8 me, pipe, queue;
};

/* A dispatch, from DISPATCH_DIRECT and the COMPUTE_* registers. */
struct vgpu_dispatch {
	struct vgpu_queue_id queue;
	u64 serial;		/* number of the dispatch in its queue; it only grows */
	u32 vmid;
	u64 pgm;		/* byte address of the program */
	u32 rsrc1, rsrc2, rsrc3;
	u32 user_data[16];
	u32 threads[3];		/* COMPUTE_NUM_THREAD_X.., full groups */
	u32 last[3];		/* same, of the last group in each direction */
	u32 start[3];		/* id of the first work-group */
	u32 groups[3];		/* number of work-groups */
	u32 initiator;		/* COMPUTE_DISPATCH_INITIATOR; CS_W32_EN [15] */
	u32 tmpring_size;
};

int vgpu_sq_init(struct vgpu *g);
void vgpu_sq_fini(struct vgpu *g);
/* Remove all waves and pending dispatches. */
void vgpu_sq_reset(struct vgpu *g);
/* After vgpu_sq_reset(): also discard the history of waves. */
void vgpu_sq_forget(struct vgpu *g);

/*
 * Queue a dispatch. Its waves start when there are free slots. Returns 0; -EAGAIN: the
 * queue has too many dispatches that have not ended, so try again when some have; or
 * another -errno.
 */
int vgpu_sq_dispatch(struct vgpu *g, const struct vgpu_dispatch *d);
/* Has any queue dispatches that have not ended? */
bool vgpu_sq_busy(const struct vgpu *g);
/* The same for one queue */
bool vgpu_sq_queue_busy(struct vgpu *g, struct vgpu_queue_id id);
/* Get the serial of the queue's oldest dispatch that has not ended; ~0: there is none. */
u64 vgpu_sq_queue_oldest(struct vgpu *g, struct vgpu_queue_id id);
/* Drop all dispatches of a queue (DEQUEUE_REQUEST with reset, KILL by the driver). */
void vgpu_sq_queue_kill(struct vgpu *g, struct vgpu_queue_id id);

/* Could vgpu_sq_run() do anything now? */
bool vgpu_sq_runnable(struct vgpu *g);
/*
 * Run waves, round robin, until about @budget_ns nanoseconds have passed or
 * there is nothing left to run.
 */
void vgpu_sq_run(struct vgpu *g, u64 budget_ns);
/*
 * Get the time in nanoseconds until the first wave wakes up, if all waves sleep
 * (s_sleep). 0: a wave can issue now, or there is none.
 */
u64 vgpu_sq_sleeps_ns(struct vgpu *g);

/*
 * Execute the SQ_CMDs that the quirk sq-cmd-lag has delayed for SQ_LATE_CMD_NS: a delay
 * ends after this time, too, if the host makes no accesses. Returns the time until the
 * next command is due, in nanoseconds; UINT64_MAX: no command is left.
 */
u64 vgpu_sq_cmds_wait_ns(struct vgpu *g);
/* Execute all delayed SQ_CMDs now. */
void vgpu_sq_cmds_finish(struct vgpu *g);

/* A slot in which the host finds another slot's wave for a while: see lend.c. */
struct vgpu_lend {
	unsigned int se, sa, wgp, simd, slot;
	unsigned int to;	/* the slot of the other wave, on the same SIMD */
	u32 after;		/* begin after so many reads of the slot's own wave */
	u32 stay;		/* end after so many reads of the other; 0: do not begin */
};

/*
 * Request that a slot is lent. The request replaces the last one; @reads is set to the
 * number of reads that the last one has counted. -ENOENT: one of the slots has no wave.
 */
int vgpu_sq_lend(struct vgpu *g, const struct vgpu_lend *want, u32 *reads);

/* Get the wave in a slot; NULL: the slot is empty or does not exist. */
struct vgpu_wave *vgpu_sq_wave(struct vgpu *g, unsigned int se,
			       unsigned int sa, unsigned int wgp,
			       unsigned int simd, unsigned int slot);
/* Read a register of a wave as hardware shows it; 0 if it does not exist. */
u32 vgpu_wave_reg(struct vgpu *g, const struct vgpu_wave *w, enum vgpu_hwreg reg);
/*
 * Write a register, as a trap handler can. It takes effect at once: the wave may stop, continue,
 * trap or end because of it.
 */
void vgpu_wave_set_reg(struct vgpu *g, struct vgpu_wave *w, enum vgpu_hwreg reg,
		       u32 val);

/*
 * The same by the number of s_getreg_b32/s_setreg_b32 (HW_REG_*: 1 MODE, 2 STATUS, 3 TRAPSTS,
 * 4 HW_ID, 5 GPR_ALLOC, 6 LDS_ALLOC, 7 IB_STS, 15 SH_MEM_BASES, 16 TBA_LO, 17 TBA_HI,
 * 18 TMA_LO, 19 TMA_HI, 20/21 FLAT_SCR_LO/HI, 23 HW_ID1, 24 HW_ID2, 29
 * SHADER_CYCLES; LLVM 19 AMDGPU SIDefines.h).
 */
bool vgpu_wave_getreg(struct vgpu *g, struct vgpu_wave *w, unsigned int id,
		      u32 *val);
bool vgpu_wave_setreg(struct vgpu *g, struct vgpu_wave *w, unsigned int id,
		      u32 mask, u32 val);

/* Functions for instructions, called through struct vgpu_wave_hooks */
void vgpu_wave_end(struct vgpu *g, struct vgpu_wave *w);
void vgpu_wave_barrier(struct vgpu *g, struct vgpu_wave *w);
void vgpu_wave_sendmsg(struct vgpu *g, struct vgpu_wave *w, u32 simm16);
void vgpu_wave_halt(struct vgpu *g, struct vgpu_wave *w, bool halt);
u8 *vgpu_wave_lds(const struct vgpu_wave *w, u32 *size);
u32 vgpu_watch_match(struct vgpu *g, const struct vgpu_wave *w, u64 addr,
		     u32 size, enum vgpu_watch_kind kind);
void vgpu_trap_s_trap(struct vgpu *g, struct vgpu_wave *w, u8 id);
void vgpu_trap_illegal(struct vgpu *g, struct vgpu_wave *w);
void vgpu_trap_step(struct vgpu *g, struct vgpu_wave *w);
void vgpu_trap_exception(struct vgpu *g, struct vgpu_wave *w, u32 bits);
void vgpu_trap_memory(struct vgpu *g, struct vgpu_wave *w, u32 bits);
void vgpu_trap_late(struct vgpu *g, struct vgpu_wave *w);
bool vgpu_trap_return(struct vgpu *g, struct vgpu_wave *w, u64 pc);

/* Trap a wave for the host (SQ_CMD). The handler gets w->pc. */
void vgpu_trap_host(struct vgpu *g, struct vgpu_wave *w, u8 id);
void vgpu_wave_update_slow(struct vgpu *g, struct vgpu_wave *w);

/* Call @fn for each live wave, in the order of coordinates. */
void vgpu_sq_for_each(struct vgpu *g,
		      void (*fn)(struct vgpu *g, struct vgpu_wave *w, void *arg),
		      void *arg);

/*
 * Counters of the waves of one PASID in one VMID, since the last cold reset. The PASID is
 * the one that the VMID had when their dispatch arrived.
 * COUNTER(member, what it counts)
 */
#define VGPU_HISTORY(COUNTER) \
	COUNTER(waves)		/* waves that started */ \
	COUNTER(trap_en)	/* of those: with STATUS.TRAP_EN */ \
	COUNTER(halted)		/* of those: halted, by SPI_GDBG_WAVE_CNTL2 */ \
	COUNTER(debug)		/* of those: in debug mode, by SPI_GDBG_WAVE_CNTL2 */ \
	COUNTER(excp)		/* of those: while SPI_GDBG_TRAP_MASK was not 0 */ \
	COUNTER(stalls)		/* dispatches kept waiting by SPI_GDBG_WAVE_CNTL */ \
	COUNTER(watch_hits)	/* instructions with an access that a watch sees */ \
	COUNTER(traps)		/* entries into a trap handler */

struct vgpu_history {
	struct vgpu_history *next;
	u16 pasid;
	u8 vmid;
#define VGPU_HISTORY_MEMBER(name) u64 name;
	VGPU_HISTORY(VGPU_HISTORY_MEMBER)
#undef VGPU_HISTORY_MEMBER
};

/* Get the list of all counters; NULL: there was no dispatch. */
const struct vgpu_history *vgpu_sq_history(const struct vgpu *g);

#endif /* VGPU_SQ_H */

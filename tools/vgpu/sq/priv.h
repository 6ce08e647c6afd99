/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private header of the sequencer: slots of waves, work-groups, dispatches, and the
 * scheduler's list.
 */
#ifndef VGPU_SQ_PRIV_H
#define VGPU_SQ_PRIV_H

#include "gpu.h"
#include "isa/wave.h"
#include "regs/instances.h"
#include "sq/sq.h"

#define SQ_MAX_SE	VGPU_MAX_SE
#define SQ_MAX_SA	VGPU_MAX_SA
#define SQ_MAX_WGP	5
#define SQ_MAX_SIMD	4
#define SQ_MAX_SLOTS	20	/* SQ_WAVE_ACTIVE.WAVE_SLOT [19:0] */
#define SQ_MAX_GROUP_WAVES 32	/* 1024 work-items of wave32 */
#define SQ_NUM_QUEUES	8	/* per pipe: GRBM_GFX_CNTL.QUEUEID [10:8] */
#define SQ_ALL_QUEUES	(4 * 4 * SQ_NUM_QUEUES)	/* of all pipes of all MEs */
#define SQ_NUM_WATCHES	4
#define SQ_WAVE_ALIGN	64	/* of vgpu_wave.v */

/*
 * Maximum of allocation units of any instruction set (struct vgpu_isa): VGPRs of a SIMD,
 * in units, and LDS of a WGP, in blocks.
 */
#define SQ_MAX_VGPR_UNITS 64
#define SQ_MAX_LDS_BLOCKS 256

/* Maximum number of scratch slots: COMPUTE_TMPRING_SIZE.WAVES is 12 bits wide. */
#define SQ_SCRATCH_PLACES 4096

struct sq_wgp;
struct sq_launch;

struct sq_wave {
	struct vgpu_wave w;	/* must be first: see sq_wave_of() */

	struct sq_wave *next_free;
	bool in_run;
	unsigned int run_index;	/* index in vgpu_sq.run */
	unsigned int num;	/* number of the wave in its group */
	unsigned int vgpr_unit, vgpr_units;
	int scratch_place;	/* -1: none */
	u32 host_trap_id;	/* pending while vgpu_wave.host_trap is set */
	u32 late_bits;		/* WAVE_EXCP_*, see vgpu_wave.late */
	u32 late_of_handler;	/* those of them that the handler itself has caused */
	bool steps;		/* the wave is halted and executes one instruction in its turn */
	u64 wakes_ns;		/* s_sleep: the wave does not run before this time */
	bool killed;		/* a KILL is pending */
};

struct sq_simd {
	struct sq_wave *slot[SQ_MAX_SLOTS];
	u32 active;		/* bitmap of the slots that are taken */
	u64 vgprs[SQ_MAX_VGPR_UNITS / 64];	/* bitmap of units in use */
	u32 ind_index;		/* SQ_IND_INDEX of this instance */
};

/* One of TCP_WATCHn or SQ_WATCHn, in a form that is quick to compare. */
struct sq_watch {
	bool valid;
	unsigned int vmid;
	u8 mode;		/* enum vgpu_watch_mode */
	u64 addr, mask;
};

struct sq_wgp {
	struct sq_simd simd[SQ_MAX_SIMD];
	u32 group_ids;		/* bitmap of the values of HW_ID2.WG_ID in use */
	u64 lds[SQ_MAX_LDS_BLOCKS / 64];	/* bitmap of blocks in use */
	unsigned int next_simd;	/* SIMD of the next group's first wave */
	struct sq_watch tcp_watch[SQ_NUM_WATCHES], sq_watch[SQ_NUM_WATCHES];
};

/* A work-group. All its waves are on one WGP. */
struct vgpu_group {
	struct sq_launch *launch;
	struct sq_wgp *wgp;
	unsigned int id;	/* bit in group_ids; 0 for a group with one wave */
	u32 pos[3];		/* TGID_X..Z */
	unsigned int num_waves, live, waiting;	/* waiting: at the barrier */
	struct sq_wave *wave[SQ_MAX_GROUP_WAVES];
	unsigned int lds_block, lds_blocks;
	u32 lds_size;		/* bytes */
	u8 *lds;
};

/* A dispatch, from its packet until its last wave has ended. */
struct sq_launch {
	struct sq_launch *next;
	struct vgpu_dispatch d;
	struct vgpu_history *history;
	bool stalled;		/* a stall has delayed one of its groups */
	u64 next_group, num_groups;
	u64 live_groups;	/* groups that have started and not ended */
	unsigned int lanes, num_vgprs, shared_vgprs, vgpr_units, lds_blocks;
};

/* The dispatches of a hardware queue, oldest first. */
struct sq_queue {
	struct sq_launch *first, *last;
	unsigned int num;
};

/* A slot that is lent to another slot's wave: see lend.c and struct vgpu_lend. */
struct sq_lend {
	struct sq_simd *simd;	/* NULL: no request */
	unsigned int slot, to;
	u32 after, stay;	/* numbers of reads */
	u32 reads;		/* of registers through the slot, so far */
	bool away, back;	/* the slot is lent now; it was, and is no longer */
	u32 left_at;		/* value of reads when it was lent */
};

/* Maximum number of delayed SQ_CMDs, and their delay if the host makes no accesses */
#define SQ_MAX_LATE_CMDS	64
#define SQ_LATE_CMD_NS		10000000

/* A SQ_CMD that was written and is delayed: see sq_cmd.c. */
struct sq_late_cmd {
	u32 cmd, index;		/* SQ_CMD, and GRBM_GFX_INDEX at that time */
	u32 accesses;		/* accesses by the host until it takes effect */
	u64 until_ns;		/* time when it takes effect in any case */
};

/* A ring of all delayed SQ_CMDs, in the order in which they were written. */
struct sq_late_cmds {
	struct sq_late_cmd cmd[SQ_MAX_LATE_CMDS];
	unsigned int first, num;
};

struct vgpu_sq {
	struct sq_wgp wgp[SQ_MAX_SE][SQ_MAX_SA][SQ_MAX_WGP];
	unsigned int next_wgp;		/* the WGP that the next group tries first */
	struct sq_queue queues[SQ_ALL_QUEUES];
	unsigned int next_queue;	/* the queue that may start a group first */
	bool launch_check;		/* a group may fit now */
	u64 scratch[SQ_SCRATCH_PLACES / 64];	/* bitmap of scratch slots in use */
	u64 next_serial;
	struct vgpu_history *history;

	struct sq_wave **run;		/* waves that can issue */
	unsigned int num_run, cursor;
	unsigned int slice;		/* length of a wave's turn, in instructions */
	u32 jitter;			/* see slice_length() */
	struct sq_wave *current;	/* the wave inside vgpu_isa_run() */
	struct sq_wave *free_waves;

	u32 watched_vmids;		/* bitmap of VMIDs with a valid address watch */
	struct sq_lend lend;
	struct sq_late_cmds late_cmds;
};

static inline struct sq_wave *sq_wave_of(struct vgpu_wave *w)
{
	return (struct sq_wave *)w;
}

/* slots.c */
/* Get the number of allocation units on this GPU. */
unsigned int sq_vgpr_units(const struct vgpu *g);
unsigned int sq_lds_blocks(const struct vgpu *g);
/* Allocate @want consecutive bits in a bitmap of @bits, first fit; -1: no room. */
int sq_bits_alloc(u64 *map, unsigned int bits, unsigned int want);
void sq_bits_free(u64 *map, unsigned int first, unsigned int num);
/* Allocate a wave, from the free list if possible. */
struct sq_wave *sq_wave_get(struct vgpu_sq *sq);
/* Free all waves of the free list. */
void sq_wave_free_all(struct vgpu_sq *sq);
/* Put a wave on the free list, and free its scratch slot. */
void sq_wave_put(struct vgpu_sq *sq, struct sq_wave *sw);
/* Update ->stop and the run list after a change of the wave's state. */
void sq_wave_update_stop(struct vgpu *g, struct sq_wave *sw);
/* Free the wave's slot and its VGPRs, and take it off the run list. */
void sq_slot_leave(struct vgpu_sq *sq, struct sq_wave *sw);
/* Read a register in the bank of the wave's VMID, WGP and shader engine. */
u32 sq_reg_of_wave(struct vgpu *g, const struct vgpu_wave *w,
		   enum vgpu_role role);

/* Call @fn for each SIMD that GRBM_GFX_INDEX selects; returns their number. */
typedef void (*sq_simd_fn)(struct vgpu *g, struct sq_simd *simd, void *arg);
unsigned int sq_for_selected(struct vgpu *g, sq_simd_fn fn, void *arg);
/* The same for the selection @sel instead of the present one. */
unsigned int sq_for_selection(struct vgpu *g, const struct vgpu_selection *sel,
			      sq_simd_fn fn, void *arg);
/* Does any field of GRBM_GFX_INDEX select all? */
bool sq_select_is_broadcast(struct vgpu *g);

/* history.c */
/* Get the counters of a VMID with its present PASID; NULL: out of memory. */
struct vgpu_history *sq_history_of(struct vgpu *g, u32 vmid);
void sq_history_free(struct vgpu_sq *sq);
static inline struct vgpu_history *sq_history(const struct vgpu_wave *w)
{
	return w->group->launch->history;
}

/* trap.c */
u64 sq_sign_extend_pc(const struct vgpu *g, u64 pc);
void sq_trap_init(struct vgpu *g);
/* Does a wave that starts now have a trap handler? */
bool sq_trap_enabled(struct vgpu *g, const struct vgpu_wave *w, u32 rsrc2);
/* May the wave enter its handler now? */
bool sq_can_trap(const struct vgpu_wave *w);
/* Enter the handler for s_trap or the host: @id and @host go to TTMP1.TrapID and HT. */
void sq_trap_enter(struct vgpu *g, struct sq_wave *sw, u32 id, bool host);
/* Enter the handler for an exception, a memory violation or a watch. */
void sq_trap_enter_exception(struct vgpu *g, struct sq_wave *sw);
/* Get the exceptions among @bits (WAVE_EXCP_*) that make the wave trap. */
u32 sq_trapping(const struct vgpu_wave *w, u32 bits);
/* Enter the handler if a trap is pending that is possible now. */
void sq_trap_check(struct vgpu *g, struct sq_wave *sw);

/* group.c */
struct sq_queue *sq_queue_of(struct vgpu_sq *sq, const struct vgpu_queue_id *id);
void sq_launch_free(struct vgpu *g, struct sq_launch *l);
/* Remove a wave from its slot. It must not be vgpu_sq.current. */
void sq_wave_reap(struct vgpu *g, struct sq_wave *sw);
/* SQ_CMD KILL: end the wave, or as soon as the quirk kill-at-once allows it. */
void sq_wave_kill(struct vgpu *g, struct sq_wave *sw);
/* Execute a pending KILL if it is possible now. True: the wave has ended. */
bool sq_wave_check_kill(struct vgpu *g, struct sq_wave *sw);

/* message.c */
/* Send the interrupt of a wave's error; @type is a struct vgpu_sq_iv.error_* */
void sq_wave_send_error(struct vgpu *g, const struct vgpu_wave *w, u8 type);

/* dispatch.c */
void sq_dispatch_init(struct vgpu *g);
/* Start groups until none fits or the time @end is reached; at least one. */
void sq_launch_groups(struct vgpu *g, u64 end);
/* Is the start of waves of the VMID stalled on the shader engine? */
bool sq_launch_stalled(struct vgpu *g, unsigned int se, u32 vmid);

/* run.c */
/* The shortest slice of a wave, in instructions. */
#define SQ_SLICE_MIN		16
/*
 * Step a halted wave by one instruction: now, or in its turn (quirk single-step-at-once).
 * The wave may end.
 */
void sq_wave_step(struct vgpu *g, struct sq_wave *sw);

/* poison.c */
/* Fill all registers of a wave that starts; the caller then sets initial values. */
void sq_poison_wave(struct vgpu *g, struct vgpu_wave *w);
void sq_poison_lds(struct vgpu *g, u8 *lds, size_t bytes);

/* lend.c */
/* Get the wave that the host sees in a slot; NULL: the slot is empty. */
struct sq_wave *sq_wave_in(struct vgpu *g, struct sq_simd *simd,
			   unsigned int slot);
/* Count a read of a register of the wave in a slot by the host. */
void sq_lend_count_read(struct vgpu *g, const struct sq_simd *simd,
			unsigned int slot);

/* watch.c, sq_cmd.c, sq_ind.c */
void sq_watch_init(struct vgpu *g);
void sq_cmd_init(struct vgpu *g);
void sq_ind_init(struct vgpu *g);

#endif /* VGPU_SQ_PRIV_H */

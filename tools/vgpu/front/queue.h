/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command processor's queues, as cp.c (scheduling) and the packet handlers in
 * pm4*.c share them.
 */
#ifndef VGPU_QUEUE_H
#define VGPU_QUEUE_H

#include "front/pm4_fields.h"
#include "regs/regs.h"
#include "sq/sq.h"
#include "types.h"

#define VGPU_CP_MES	3	/* 0 is graphics, 1 and 2 are compute */
#define VGPU_CP_PIPES	4
#define VGPU_CP_QUEUES	8

/* Where packets come from: the ring, or an indirect buffer. */
struct vgpu_cp_stream {
	u64 base;	/* byte address in vmid */
	u32 size;	/* dwords; a power of two for a ring */
	u32 rptr;	/* the next dword */
	u32 skip;	/* dwords that COND_EXEC leaves out */
	u8 vmid;
};

/* The ring, an IB, and an IB called from that. */
#define VGPU_CP_DEPTH	3

/* A RELEASE_MEM packet that waits for the dispatches before it. */
struct vgpu_cp_eop {
	u64 serial;	/* of the last of these */
	u8 vmid;
	u32 body[7];
};

#define VGPU_CP_EOPS	16

/* What the packet at the queue's front waits for. */
enum vgpu_cp_wait {
	VGPU_CP_WAIT_NONE,
	VGPU_CP_WAIT_MEMORY,
	VGPU_CP_WAIT_REGISTER,
	VGPU_CP_WAIT_WAVES,	/* the queue's own, or room for more */
	VGPU_CP_WAIT_QUEUE,	/* another queue, to become idle */
	VGPU_CP_WAIT_TIME,	/* a long copy, done in pieces */
};

/* CP_HQD_DEQUEUE_REQUEST.DEQUEUE_REQ (gfx_v10_0.c, amdgpu_amdkfd_gfx_v10.c) */
enum vgpu_cp_dequeue {
	VGPU_CP_DEQUEUE_NONE = 0,
	VGPU_CP_DEQUEUE_DRAIN = 1,
	VGPU_CP_DEQUEUE_RESET = 2,
};

struct vgpu_cp_queue {
	struct vgpu_queue_id id;
	bool mapped;
	bool hung;		/* takes no packets until it is unmapped */
	bool scheduler;		/* KIQ or HIQ: may map and unmap queues */
	u8 dequeue;		/* enum vgpu_cp_dequeue, pending */
	u8 depth;		/* of stream[], 0 = in the ring */
	bool call;		/* an INDIRECT_BUFFER packet set ->next ... */
	bool chain;		/* ... which is to replace the present IB */
	enum vgpu_cp_wait wait;
	u32 doorbell;		/* dword index, VGPU_CP_NO_DOORBELL */
	u64 wptr;		/* dwords, counts on and on */
	u64 rptr_addr;
	u64 mqd;		/* that it was mapped with; 0: started by registers */
	struct vgpu_cp_stream stream[VGPU_CP_DEPTH];
	struct vgpu_cp_stream next;
	struct vgpu_cp_eop eop[VGPU_CP_EOPS];	/* a ring ... */
	u8 first_eop, num_eops;			/* ... with the oldest here */
	u64 serial;		/* of the last dispatch */
	u64 progress;		/* of the packet at the front; its handler's */
	u64 base[4];		/* SET_BASE */
	u64 atomic_return;	/* of the last ATOMIC_MEM, for COPY_DATA */
	/*
	 * Graphics and COMPUTE_* state. Hardware has one set per pipe, which
	 * the CP reloads when it switches queues; here each queue keeps its own.
	 */
	u32 sh[VGPU_NUM_SH_REGS];
};

#define VGPU_CP_NO_DOORBELL	(~0U)

#define VGPU_CP_MAX_MAPPED	(VGPU_CP_MES * VGPU_CP_PIPES * VGPU_CP_QUEUES)
#define VGPU_PM4_MAX_BODY	0x4000

struct vgpu_cp {
	struct vgpu_cp_queue *mapped[VGPU_CP_MAX_MAPPED];
	unsigned int num_mapped;
	unsigned int next;		/* of them, whose turn is first */
	u32 done;			/* in this turn, in bytes */
	struct vgpu_cp_queue *current;	/* whose packet is being done */
	bool idle;			/* no queue has anything to do */
	u32 packet[VGPU_PM4_MAX_BODY];
	struct vgpu_cp_queue queues[VGPU_CP_MES][VGPU_CP_PIPES][VGPU_CP_QUEUES];
};

/* Graphics queues have registers of their own, with the same meaning. */
struct vgpu_hqd_roles {
	enum vgpu_role mqd_base, active, vmid, base, control, doorbell;
	enum vgpu_role rptr, rptr_addr, wptr;
};

static inline bool vgpu_cp_is_gfx(const struct vgpu_cp_queue *q)
{
	return q->id.me == 0;
}

static inline struct vgpu_cp_stream *vgpu_cp_top(struct vgpu_cp_queue *q)
{
	return &q->stream[q->depth];
}

/* ring_id of an interrupt: PIPE 1:0, ME 3:2, QUEUE 6:4 (gfx_v10_0_eop_irq()). */
static inline u8 vgpu_cp_ring_id(const struct vgpu_cp_queue *q)
{
	return q->id.me << 2 | q->id.pipe | q->id.queue << 4;
}

/*
 * What a packet does counts, as bytes that are moved: the CP's turn is over when they
 * are too many, and what is left has to wait for the next. Each packet may do some of
 * its work, however little.
 */
void vgpu_cp_count(struct vgpu *g, u32 bytes);
bool vgpu_cp_turn_is_over(struct vgpu *g);

/* "1.0.2", in a static buffer */
const char *vgpu_cp_name(const struct vgpu_cp_queue *q);

/* The registers of the queue, whatever GRBM_GFX_CNTL selects. */
const struct vgpu_hqd_roles *vgpu_hqd_roles(const struct vgpu_cp_queue *q);
u32 *vgpu_hqd(struct vgpu *g, const struct vgpu_cp_queue *q,
	      enum vgpu_role role, unsigned int idx);

/* NULL when there is no such queue. */
struct vgpu_cp_queue *vgpu_cp_queue(struct vgpu *g, struct vgpu_queue_id id);
/* The mapped queue with that doorbell, NULL when there is none. */
struct vgpu_cp_queue *vgpu_cp_by_doorbell(struct vgpu *g, u32 doorbell);
/* Start the queue that its HQD registers describe. */
void vgpu_cp_start(struct vgpu *g, struct vgpu_cp_queue *q);
/* Take it out of its slot; the registers are as after a reset. */
void vgpu_cp_stop(struct vgpu *g, struct vgpu_cp_queue *q);
/* Tell the driver how far it has come. */
void vgpu_cp_report_rptr(struct vgpu *g, struct vgpu_cp_queue *q);
/* Load the MQD at @mqd and start the queue. */
int vgpu_cp_map(struct vgpu *g, struct vgpu_cp_queue *q, u64 mqd, u32 doorbell,
		u64 wptr_addr, bool scheduler);
/* Take the queue off at once; the MQD gets its state. */
void vgpu_cp_unmap(struct vgpu *g, struct vgpu_cp_queue *q);
/* The same, and its waves go too. */
void vgpu_cp_kill(struct vgpu *g, struct vgpu_cp_queue *q);

#endif /* VGPU_QUEUE_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command processor's queues, which cp.c (scheduling) and the handlers of packets in
 * pm4*.c share.
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

/* A source of packets: the ring, or an indirect buffer (IB). */
struct vgpu_cp_stream {
	u64 base;	/* byte address in vmid */
	u32 size;	/* dwords; a power of two for a ring */
	u32 rptr;	/* index of the next dword */
	u32 skip;	/* dwords that COND_EXEC leaves out */
	u8 vmid;
};

/* The ring, an IB, and an IB called from that. */
#define VGPU_CP_DEPTH	3

/* A RELEASE_MEM packet that waits for the dispatches before it. */
struct vgpu_cp_eop {
	u64 serial;	/* serial of the last of these dispatches */
	u8 vmid;
	u32 body[7];
};

#define VGPU_CP_EOPS	16

/* What the present packet of a queue waits for. */
enum vgpu_cp_wait {
	VGPU_CP_WAIT_NONE,
	VGPU_CP_WAIT_MEMORY,
	VGPU_CP_WAIT_REGISTER,
	VGPU_CP_WAIT_WAVES,	/* the queue's waves end, or there is room for a dispatch */
	VGPU_CP_WAIT_QUEUE,	/* another queue becomes idle */
	VGPU_CP_WAIT_TIME,	/* nothing: a long packet continues in the next turn */
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
	bool hung;		/* executes no packets until it is unmapped */
	bool scheduler;		/* KIQ or HIQ: may map and unmap queues */
	u8 dequeue;		/* enum vgpu_cp_dequeue, pending */
	u8 depth;		/* index of the present stream; 0: the ring */
	bool call;		/* an INDIRECT_BUFFER packet has set ->next ... */
	bool chain;		/* ... which replaces the present IB */
	enum vgpu_cp_wait wait;
	u32 doorbell;		/* index in dwords, or VGPU_CP_NO_DOORBELL */
	u64 wptr;		/* dwords; does not wrap */
	u64 rptr_addr;		/* where the driver reads the read pointer; 0: nowhere */
	u64 mqd;		/* address of its MQD; 0: registers have started the queue */
	struct vgpu_cp_stream stream[VGPU_CP_DEPTH];
	struct vgpu_cp_stream next;
	struct vgpu_cp_eop eop[VGPU_CP_EOPS];	/* a ring ... */
	u8 first_eop, num_eops;			/* ... and its oldest entry */
	u64 serial;		/* serial of the last dispatch */
	u64 progress;		/* what the present packet has done; its handler's unit */
	u64 base[4];		/* SET_BASE */
	u64 atomic_return;	/* result of the last ATOMIC_MEM, for COPY_DATA */
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
	unsigned int next;		/* index in mapped[] of the queue with the first turn */
	u32 done;			/* what was done in this turn, in bytes */
	struct vgpu_cp_queue *current;	/* the queue whose packet is being executed */
	bool idle;			/* no queue has anything to do */
	u32 packet[VGPU_PM4_MAX_BODY];
	struct vgpu_cp_queue queues[VGPU_CP_MES][VGPU_CP_PIPES][VGPU_CP_QUEUES];
};

/* The registers of a queue: graphics and compute queues have different ones. */
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
 * Count what a packet does, in bytes that are moved. When there are too many, the CP's turn
 * is over, and a packet that is not complete continues in the next turn. A packet may
 * always do a part of its work, so that it makes progress in each turn.
 */
void vgpu_cp_count(struct vgpu *g, u32 bytes);
bool vgpu_cp_turn_is_over(struct vgpu *g);

/* Get the queue's name, such as "1.0.2", in a static buffer. */
const char *vgpu_cp_name(const struct vgpu_cp_queue *q);

/* Find the registers of a queue, independent of the selection in GRBM_GFX_CNTL. */
const struct vgpu_hqd_roles *vgpu_hqd_roles(const struct vgpu_cp_queue *q);
u32 *vgpu_hqd(struct vgpu *g, const struct vgpu_cp_queue *q,
	      enum vgpu_role role, unsigned int idx);

/* Find a queue; NULL: there is no such queue. */
struct vgpu_cp_queue *vgpu_cp_queue(struct vgpu *g, struct vgpu_queue_id id);
/* Find the mapped queue with this doorbell; NULL: there is none. */
struct vgpu_cp_queue *vgpu_cp_by_doorbell(struct vgpu *g, u32 doorbell);
/* Start a queue with the contents of its HQD registers. */
void vgpu_cp_start(struct vgpu *g, struct vgpu_cp_queue *q);
/* Stop a queue; its registers for ACTIVE, RPTR and WPTR are 0 afterwards. */
void vgpu_cp_stop(struct vgpu *g, struct vgpu_cp_queue *q);
/* Report the read pointer to the driver. */
void vgpu_cp_report_rptr(struct vgpu *g, struct vgpu_cp_queue *q);
/*
 * Load the MQD at @mqd and start the queue. @wptr_addr: where its write pointer is; 0: in
 * the MQD. @scheduler: it may map and unmap queues.
 */
int vgpu_cp_map(struct vgpu *g, struct vgpu_cp_queue *q, u64 mqd, u32 doorbell,
		u64 wptr_addr, bool scheduler);
/* Unmap a queue at once and write its state to its MQD. */
void vgpu_cp_unmap(struct vgpu *g, struct vgpu_cp_queue *q);
/* Unmap a queue and end its waves. */
void vgpu_cp_kill(struct vgpu *g, struct vgpu_cp_queue *q);

#endif /* VGPU_QUEUE_H */

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command processor: doorbells, and the scheduling of its queues. What packets do is
 * in pm4*.c.
 *
 * A queue is a state machine: vgpu_cp_run() executes some packets of each queue in turn. A
 * packet that has to wait ends its queue's turn, and is executed again in the next one.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/cp.h"
#include "front/pm4.h"
#include "front/queue.h"
#include "gpu.h"
#include "mem/gmc.h"
#include "mem/ih.h"
#include "regs/checker.h"
#include "regs/log.h"
#include "regs/regs.h"
#include "sq/sq.h"

/* The header of a packet, which is the same in soc15d.h and nvd.h (Linux 6.1) */
#define PM4_TYPE(header)	((header) >> 30)
#define PM4_COUNT(header)	((header) >> 16 & 0x3fff)
#define PM4_OP(header)		((header) >> 8 & 0xff)
#define PM4_NOP			0x10

/* Maximum number of packets that one queue executes before the next queue's turn. */
#define PACKETS_PER_TURN	64
/* A packet that moves no data counts as moving so many bytes: see vgpu_cp_count(). */
#define PACKET_BYTES		256

/* Get the number of dwords left in the queue's present stream (ring or IB). */
static u32 stream_available(const struct vgpu_cp_queue *q)
{
	const struct vgpu_cp_stream *s = &q->stream[q->depth];

	if (q->depth)
		return s->size - s->rptr;
	return (q->wptr - s->rptr) & (s->size - 1);
}

static void stream_advance(struct vgpu_cp_queue *q, u32 n)
{
	struct vgpu_cp_stream *s = vgpu_cp_top(q);

	s->rptr += n;
	if (!q->depth)
		s->rptr &= s->size - 1;
}

/* Read @n dwords, beginning @offset dwords after the read pointer. */
static int stream_read(struct vgpu *g, struct vgpu_cp_queue *q, u32 offset,
		       u32 *buf, u32 n)
{
	const struct vgpu_cp_stream *s = vgpu_cp_top(q);
	u32 at = s->rptr + offset;
	u32 first = n;
	int ret;

	if (!q->depth) {
		at &= s->size - 1;
		if (first > s->size - at)
			first = s->size - at;
	}
	ret = vgpu_gmc_read(g, s->vmid, s->base + at * 4ULL, buf, first * 4);
	if (!ret && n > first)
		ret = vgpu_gmc_read(g, s->vmid, s->base, buf + first,
				    (n - first) * 4);
	return ret;
}

/* Stop a queue that the engine cannot process further; to the driver it hangs. */
static void queue_fail(struct vgpu *g, struct vgpu_cp_queue *q, const char *why)
{
	const struct vgpu_cp_stream *s = vgpu_cp_top(q);

	vgpu_log(g, "cp %s: stops at dword 0x%x of the %s at 0x%llx (vmid %u): %s",
		 vgpu_cp_name(q), s->rptr, q->depth ? "IB" : "ring",
		 (unsigned long long)s->base, s->vmid, why);
	q->hung = true;
}

/* After an INDIRECT_BUFFER packet: enter the IB, or replace the present one by it. */
static void queue_call(struct vgpu_cp_queue *q)
{
	if (!q->call)
		return;
	q->call = false;
	if (!q->chain)
		q->depth++;
	q->stream[q->depth] = q->next;
}

static void trace_packet(struct vgpu *g, struct vgpu_cp_queue *q,
			 const struct vgpu_pm4_packet *p)
{
	const struct vgpu_pm4_op *op = vgpu_pm4_op(p->op);
	char text[8 * 9 + 1] = "";
	u32 i;

	for (i = 0; i < p->n && i < 8; i++)
		sprintf(text + i * 9, " %08x", p->body[i]);
	vgpu_log_each(g, "cp %s:%*s %02x %s, %u dwords:%s", vgpu_cp_name(q),
		      q->depth * 2, "", p->op, op ? op->name : "unknown", p->n,
		      text);
}

/* What queue_fetch() has found in a queue. */
enum next {
	NEXT_NOTHING,	/* the queue is empty, or has stopped */
	NEXT_AGAIN,	/* something other than a packet, which was consumed */
	NEXT_PACKET,
};

/* Return from an IB that has ended, or pass dwords that COND_EXEC leaves out. */
static enum next queue_skip(struct vgpu_cp_queue *q, u32 available)
{
	struct vgpu_cp_stream *s = vgpu_cp_top(q);
	u32 n;

	if (!available) {
		if (!q->depth)
			return NEXT_NOTHING;
		q->depth--;
		return NEXT_AGAIN;
	}
	if (s->skip) {
		n = s->skip < available ? s->skip : available;
		s->skip -= n;
		stream_advance(q, n);
		return NEXT_AGAIN;
	}
	return NEXT_PACKET;
}

/* Read the next packet of a queue into @p. */
static enum next queue_fetch(struct vgpu *g, struct vgpu_cp_queue *q,
			     struct vgpu_pm4_packet *p)
{
	u32 available = stream_available(q);
	struct vgpu_cp_stream *s = vgpu_cp_top(q);
	enum next next = queue_skip(q, available);
	u32 header;

	if (next != NEXT_PACKET)
		return next;
	if (stream_read(g, q, 0, &header, 1)) {
		queue_fail(g, q, "cannot read it");
		return NEXT_NOTHING;
	}
	if (PM4_TYPE(header) == 2) {
		stream_advance(q, 1);
		return NEXT_AGAIN;
	}
	if (PM4_TYPE(header) != 3) {
		vgpu_complain(g, VGPU_BAD_PACKET,
			      "queue %s: header 0x%08x is no type 3 packet",
			      vgpu_cp_name(q), header);
		queue_fail(g, q, "no packet header");
		return NEXT_NOTHING;
	}
	p->op = PM4_OP(header);
	p->n = PM4_COUNT(header) + 1;
	/* A NOP with the largest count has no body: the driver fills rings with it. */
	if (p->op == PM4_NOP && PM4_COUNT(header) == 0x3fff)
		p->n = 0;
	if (p->n + 1 > available) {
		if (!q->depth)
			return NEXT_NOTHING;
		vgpu_complain(g, VGPU_BAD_PACKET,
			      "queue %s: packet 0x%02x of %u dwords crosses the end of the IB at 0x%llx",
			      vgpu_cp_name(q), p->op, p->n + 1,
			      (unsigned long long)s->base);
		s->rptr = s->size;
		return NEXT_AGAIN;
	}
	p->body = g->cp->packet;
	if (p->op != PM4_NOP && stream_read(g, q, 1, g->cp->packet, p->n)) {
		queue_fail(g, q, "cannot read it");
		return NEXT_NOTHING;
	}
	return NEXT_PACKET;
}

/*
 * Forget the state of the packet at the queue's front: it has been executed, or the driver
 * has moved the write pointer back.
 */
static void queue_forget(struct vgpu_cp_queue *q)
{
	q->progress = 0;
	q->wait = VGPU_CP_WAIT_NONE;
}

/* Execute one packet. Returns true if the queue has made progress. */
static bool queue_step(struct vgpu *g, struct vgpu_cp_queue *q)
{
	struct vgpu_pm4_packet p;
	enum next next;
	int ret;

	vgpu_cp_count(g, PACKET_BYTES);
	next = queue_fetch(g, q, &p);
	if (next != NEXT_PACKET) {
		queue_forget(q);
		return next == NEXT_AGAIN;
	}
	if (g->opt.trace_packets && p.op != PM4_NOP &&
	    q->wait == VGPU_CP_WAIT_NONE)
		trace_packet(g, q, &p);

	vgpu_cp_count(g, p.n * 4);
	g->cp->current = q;
	ret = vgpu_pm4_execute(g, q, &p);
	g->cp->current = NULL;
	if (ret == -EAGAIN)
		return false;
	if (ret) {
		queue_fail(g, q, strerror(-ret));
		return false;
	}
	/* The packet may have unmapped its own queue. */
	if (!q->mapped)
		return true;
	g->counters.packets++;
	queue_forget(q);
	stream_advance(q, p.n + 1);
	queue_call(q);
	return true;
}

static bool queue_halted(struct vgpu *g, const struct vgpu_cp_queue *q)
{
	if (vgpu_cp_is_gfx(q))
		return vgpu_reg_load(g, R_CP_ME_CNTL, 0) &
		       (vgpu_field(g, F_CP_ME_CNTL_ME_HALT) |
			vgpu_field(g, F_CP_ME_CNTL_PFP_HALT));
	return vgpu_reg_load(g, R_CP_MEC_CNTL, 0) &
	       (q->id.me == 1 ? vgpu_field(g, F_CP_MEC_CNTL_MEC_ME1_HALT) :
				vgpu_field(g, F_CP_MEC_CNTL_MEC_ME2_HALT));
}

/* Carry out a pending dequeue request. Returns true if the queue is unmapped. */
static bool queue_dequeue(struct vgpu *g, struct vgpu_cp_queue *q)
{
	if (q->dequeue == VGPU_CP_DEQUEUE_DRAIN &&
	    (vgpu_sq_queue_busy(g, q->id) || q->num_eops))
		return false;
	if (q->dequeue == VGPU_CP_DEQUEUE_RESET)
		vgpu_cp_kill(g, q);
	else
		vgpu_cp_unmap(g, q);
	return true;
}

/* Execute some packets of the queue. Returns true if it has made progress. */
static bool queue_run(struct vgpu *g, struct vgpu_cp_queue *q)
{
	u32 rptr = q->stream[0].rptr;
	bool did = vgpu_pm4_release_pending(g, q);
	unsigned int i;

	if (q->dequeue)
		return queue_dequeue(g, q) || did;
	if (q->hung || queue_halted(g, q))
		return did;
	for (i = 0; i < PACKETS_PER_TURN && !vgpu_cp_turn_is_over(g); i++)
		if (q->dequeue || !q->mapped || !queue_step(g, q))
			break;
	if (q->mapped && q->stream[0].rptr != rptr)
		vgpu_cp_report_rptr(g, q);
	return did || i > 0 || q->wait == VGPU_CP_WAIT_TIME;
}

static bool queue_busy(const struct vgpu_cp_queue *q)
{
	return q->dequeue || q->depth || q->num_eops || stream_available(q);
}

bool vgpu_cp_busy(const struct vgpu *g)
{
	const struct vgpu_cp *cp = g->cp;
	unsigned int i;

	for (i = 0; i < cp->num_mapped; i++)
		if (queue_busy(cp->mapped[i]))
			return true;
	return false;
}

bool vgpu_cp_run(struct vgpu *g)
{
	struct vgpu_cp *cp = g->cp;
	unsigned int n, first = cp->next;
	bool done = false;

	if (cp->idle)
		return false;
	cp->done = 0;
	/* num_mapped may change in the loop: packets map and unmap queues. */
	for (n = 0; n < cp->num_mapped && !vgpu_cp_turn_is_over(g); n++) {
		cp->next = first + n + 1;
		done |= queue_run(g, cp->mapped[(first + n) % cp->num_mapped]);
	}
	/* Queues that had no turn have the first ones of the next call. */
	done |= n < cp->num_mapped;
	cp->idle = !done && !vgpu_cp_busy(g);
	return done;
}

bool vgpu_cp_polling(struct vgpu *g)
{
	struct vgpu_cp *cp = g->cp;
	unsigned int i;

	for (i = 0; i < cp->num_mapped; i++)
		if (cp->mapped[i]->wait == VGPU_CP_WAIT_MEMORY &&
		    !cp->mapped[i]->hung)
			return true;
	return false;
}

#define MAX_EARLIER_TURNS 8

/*
 * Find the queue of a doorbell. The driver writes a queue's doorbell without waiting until
 * the KIQ has mapped the queue (hiq_mqd_load in amdgpu_amdkfd_gfx_v10_3.c, Linux 6.1), so
 * execute packets that were submitted before, until the queue is mapped. The number of
 * turns is limited, because a ring may never become empty.
 */
static struct vgpu_cp_queue *find_doorbell(struct vgpu *g, u32 index)
{
	struct vgpu_cp_queue *q = vgpu_cp_by_doorbell(g, index);
	int i;

	for (i = 0; !q && i < MAX_EARLIER_TURNS && vgpu_cp_run(g); i++)
		q = vgpu_cp_by_doorbell(g, index);
	return q;
}

bool vgpu_cp_doorbell(struct vgpu *g, u32 index, u64 value)
{
	struct vgpu_cp_queue *q = find_doorbell(g, index);
	const struct vgpu_hqd_roles *r;

	if (!q)
		return false;
	r = vgpu_hqd_roles(q);
	q->wptr = value;
	*vgpu_hqd(g, q, r->wptr, 0) = lower_32_bits(value);
	*vgpu_hqd(g, q, r->wptr, 1) = upper_32_bits(value);
	g->cp->idle = false;
	return true;
}

int vgpu_cp_hang(struct vgpu *g, struct vgpu_queue_id id)
{
	struct vgpu_cp_queue *q = vgpu_cp_queue(g, id);

	if (!q || !q->mapped)
		return -ENOENT;
	q->hung = true;
	return 0;
}

static struct vgpu_cp_queue *selected_queue(struct vgpu *g)
{
	u32 v = vgpu_reg_load(g, R_GRBM_GFX_CNTL, 0);
	struct vgpu_queue_id id = {
		.me = vgpu_get(g, F_GRBM_GFX_CNTL_MEID, v),
		.pipe = vgpu_get(g, F_GRBM_GFX_CNTL_PIPEID, v),
		.queue = vgpu_get(g, F_GRBM_GFX_CNTL_QUEUEID, v),
	};

	return vgpu_cp_queue(g, id);
}

/* The driver starts the KIQ with this, and amdkfd its queues without a HW scheduler. */
static void cp_hqd_active_write(struct vgpu *g, unsigned int idx, u32 val)
{
	struct vgpu_cp_queue *q = selected_queue(g);

	vgpu_reg_store(g, R_CP_HQD_ACTIVE, idx, val);
	if (!q || vgpu_cp_is_gfx(q))
		return;
	if (!(val & vgpu_field(g, F_CP_HQD_ACTIVE_ACTIVE)))
		vgpu_cp_stop(g, q);
	else if (!q->mapped)
		vgpu_cp_start(g, q);
}

static void cp_hqd_dequeue_write(struct vgpu *g, unsigned int idx, u32 val)
{
	struct vgpu_cp_queue *q = selected_queue(g);

	vgpu_reg_store(g, R_CP_HQD_DEQUEUE_REQUEST, idx, val);
	if (!q || !q->mapped ||
	    !(val & vgpu_field(g, F_CP_HQD_DEQUEUE_REQUEST_DEQUEUE_REQ)))
		return;
	q->dequeue = vgpu_get(g, F_CP_HQD_DEQUEUE_REQUEST_DEQUEUE_REQ, val);
	g->cp->idle = false;
	queue_dequeue(g, q);
}

/* A write may end a halt of the engine, so look for packets again. */
static void cp_cntl_write(struct vgpu *g, enum vgpu_role role, u32 val)
{
	vgpu_reg_store(g, role, 0, val);
	/* Halts are modelled, resets of pipes are not: this reports them. */
	vgpu_reg_check_effect(g, role, val);
	g->cp->idle = false;
}

static void cp_me_cntl_write(struct vgpu *g, unsigned int idx, u32 val)
{
	(void)idx;
	cp_cntl_write(g, R_CP_ME_CNTL, val);
}

static void cp_mec_cntl_write(struct vgpu *g, unsigned int idx, u32 val)
{
	(void)idx;
	cp_cntl_write(g, R_CP_MEC_CNTL, val);
}

/* Reset graphics queues (gfx_v10_0_reset_kgq()); the register reads 0 when that is done. */
static void cp_vmid_reset_write(struct vgpu *g, unsigned int idx, u32 val)
{
	u32 masks[] = {
		vgpu_get(g, F_CP_VMID_RESET_PIPE0_QUEUES, val),
		vgpu_get(g, F_CP_VMID_RESET_PIPE1_QUEUES, val),
	};
	unsigned int pipe, queue;

	for (pipe = 0; pipe < ARRAY_SIZE(masks); pipe++)
		for (queue = 0; queue < VGPU_CP_QUEUES; queue++)
			if (masks[pipe] & BIT(queue))
				vgpu_cp_kill(g, &g->cp->queues[0][pipe][queue]);
	vgpu_reg_store(g, R_CP_VMID_RESET, idx, 0);
}

/* The driver's fences on the KIQ set this bit with WRITE_DATA to send an interrupt. */
static void cpc_int_status_write(struct vgpu *g, unsigned int idx, u32 val)
{
	struct vgpu_iv iv = { .source = g->profile->gen->iv_cpc_query_status };

	(void)idx;
	if (!g->cp->current ||
	    !(val & vgpu_field(g, F_CPC_INT_STATUS_GENERIC2_INT_STATUS)))
		return;
	iv.ring_id = vgpu_cp_ring_id(g->cp->current);
	vgpu_ih_push(g, &iv);
}

int vgpu_cp_init(struct vgpu *g)
{
	g->cp = calloc(1, sizeof(*g->cp));
	if (!g->cp)
		return -ENOMEM;
	vgpu_reg_hook(g, R_CP_HQD_ACTIVE, 1, 1, NULL, cp_hqd_active_write);
	vgpu_reg_hook(g, R_CP_HQD_DEQUEUE_REQUEST, 1, 1, NULL,
		      cp_hqd_dequeue_write);
	vgpu_reg_hook(g, R_CP_ME_CNTL, 1, 1, NULL, cp_me_cntl_write);
	vgpu_reg_hook(g, R_CP_MEC_CNTL, 1, 1, NULL, cp_mec_cntl_write);
	vgpu_reg_hook(g, R_CP_VMID_RESET, 1, 1, NULL, cp_vmid_reset_write);
	vgpu_reg_hook(g, R_CPC_INT_STATUS, 1, 1, NULL, cpc_int_status_write);
	vgpu_cp_reset(g);
	return 0;
}

void vgpu_cp_fini(struct vgpu *g)
{
	free(g->cp);
	g->cp = NULL;
}

void vgpu_cp_boot(struct vgpu *g)
{
	struct vgpu_cp *cp = g->cp;

	while (cp->num_mapped)
		vgpu_cp_stop(g, cp->mapped[cp->num_mapped - 1]);
}

void vgpu_cp_reset(struct vgpu *g)
{
	struct vgpu_cp *cp = g->cp;
	struct vgpu_cp_queue *q;
	unsigned int me, pipe, queue;

	memset(cp, 0, sizeof(*cp));
	cp->idle = true;
	for (me = 0; me < VGPU_CP_MES; me++)
		for (pipe = 0; pipe < VGPU_CP_PIPES; pipe++)
			for (queue = 0; queue < VGPU_CP_QUEUES; queue++) {
				q = &cp->queues[me][pipe][queue];
				q->id = (struct vgpu_queue_id){ me, pipe,
								queue };
			}
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * PM4 packets of the kernel interface queue (KIQ), which map and unmap queues, signal when
 * that is done, and invalidate the TLBs of a PASID.
 */
#include <errno.h>

#include "front/pm4.h"
#include "front/pm4_fields.h"
#include "front/queue.h"
#include "gpu.h"
#include "mem/gmc.h"
#include "mem/ih.h"
#include "regs/checker.h"
#include "sq/sq.h"

/* engine_sel: gfx10_kiq_map_queues(), hiq_load_mqd_kiq() (Linux 6.12) */
enum {
	ENGINE_COMPUTE = 0,
	ENGINE_HIQ = 1,
	ENGINE_GFX = 4,
};

/* amdgpu_unmap_queues_action (amdgpu_gfx.h, Linux 6.12) */
enum {
	PREEMPT_QUEUES = 0,
	RESET_QUEUES = 1,
	DISABLE_PROCESS_QUEUES = 2,
	PREEMPT_QUEUES_NO_UNMAP = 3,
};

enum {
	QUERY_INTERRUPT_ONLY = 0,
	QUERY_FENCE_ONLY_IMMEDIATE = 1,
	QUERY_FENCE_ONLY_AFTER_WRITE_ACK = 2,
	QUERY_FENCE_AND_INTERRUPT = 3,
};

/*
 * The packet names the queues, GWS and VMIDs that amdkfd's scheduler may use. vgpu has no
 * such scheduler, so there is nothing to limit.
 */
int vgpu_pm4_set_resources(struct vgpu *g, struct vgpu_cp_queue *q,
			   const struct vgpu_pm4_packet *p)
{
	(void)g;
	(void)q;
	(void)p;
	return 0;
}

static int refuse(struct vgpu *g, struct vgpu_cp_queue *q, const char *what,
		  u32 value)
{
	vgpu_complain(g, VGPU_BAD_PACKET, "queue %s: %s %u; skipped",
		      vgpu_cp_name(q), what, value);
	return 0;
}

int vgpu_pm4_map_queues(struct vgpu *g, struct vgpu_cp_queue *q,
			const struct vgpu_pm4_packet *p)
{
	u32 sel = FIELD_GET(MAP_QUEUES_QUEUE_SEL, p->body[0]);
	u32 engine = FIELD_GET(MAP_QUEUES_ENGINE_SEL, p->body[0]);
	struct vgpu_queue_id id = {
		.me = g->profile->gen->map_queues_me +
		      FIELD_GET(MAP_QUEUES_ME, p->body[0]),
		.pipe = FIELD_GET(MAP_QUEUES_PIPE, p->body[0]),
		.queue = FIELD_GET(MAP_QUEUES_QUEUE, p->body[0]),
	};
	struct vgpu_cp_queue *target;

	if (sel)
		return refuse(g, q, "MAP_QUEUES with QUEUE_SEL", sel);
	if (engine == ENGINE_GFX)
		id.me = 0;
	else if (engine != ENGINE_COMPUTE && engine != ENGINE_HIQ)
		return refuse(g, q, "MAP_QUEUES with ENGINE_SEL", engine);
	target = vgpu_cp_queue(g, id);
	if (!target || target == q)
		return refuse(g, q, "MAP_QUEUES of the queue that it is in, on pipe",
			      id.pipe);
	return vgpu_cp_map(g, target, make_64(p->body[3], p->body[2]),
			   FIELD_GET(MAP_QUEUES_DOORBELL, p->body[1]),
			   make_64(p->body[5], p->body[4]),
			   engine == ENGINE_HIQ);
}

/* Unmap a queue. 0: it is unmapped; -EAGAIN: its waves still run. */
static int unmap_one(struct vgpu *g, struct vgpu_cp_queue *q,
		     struct vgpu_cp_queue *target, u32 action)
{
	if (!target || !target->mapped)
		return 0;
	if (action != PREEMPT_QUEUES) {
		vgpu_cp_kill(g, target);
		return 0;
	}
	/* There is no trap handler that saves waves, so they run to their end. */
	target->dequeue = VGPU_CP_DEQUEUE_DRAIN;
	return vgpu_pm4_wait(q, VGPU_CP_WAIT_QUEUE);
}

/* Preempt an IB: wait until the queue is not in an IB, then write the fence. */
static int preempt_ib(struct vgpu *g, struct vgpu_cp_queue *q, const u32 *body)
{
	struct vgpu_cp_queue *target;

	target = vgpu_cp_by_doorbell(g, FIELD_GET(UNMAP_QUEUES_DOORBELL,
						  body[1]));
	if (target && target->depth)
		return vgpu_pm4_wait(q, VGPU_CP_WAIT_QUEUE);
	vgpu_gmc_write(g, 0, make_64(body[3], body[2]) & ~3ULL, &body[4], 4);
	return 0;
}

int vgpu_pm4_unmap_queues(struct vgpu *g, struct vgpu_cp_queue *q,
			  const struct vgpu_pm4_packet *p)
{
	u32 action = FIELD_GET(UNMAP_QUEUES_ACTION, p->body[0]);
	u32 num = FIELD_GET(UNMAP_QUEUES_NUM_QUEUES, p->body[0]);
	struct vgpu_cp_queue *target;
	u32 i;
	int ret;

	/* Queues of a PASID, or all queues of amdkfd's scheduler: there are none. */
	if (FIELD_GET(UNMAP_QUEUES_QUEUE_SEL, p->body[0]))
		return 0;
	if (action == PREEMPT_QUEUES_NO_UNMAP)
		return preempt_ib(g, q, p->body);
	for (i = 0; i < num && i < 4; i++) {
		target = vgpu_cp_by_doorbell(g, FIELD_GET(UNMAP_QUEUES_DOORBELL,
							  p->body[1 + i]));
		ret = unmap_one(g, q, target, action);
		if (ret)
			return ret;
	}
	return 0;
}

/* Packets are executed in order, so all packets before this one are complete. */
int vgpu_pm4_query_status(struct vgpu *g, struct vgpu_cp_queue *q,
			  const struct vgpu_pm4_packet *p)
{
	struct vgpu_iv iv = { .source = g->profile->gen->iv_cpc_query_status };
	u32 command = FIELD_GET(QUERY_STATUS_COMMAND, p->body[0]);

	if (command != QUERY_INTERRUPT_ONLY)
		vgpu_gmc_write(g, 0, make_64(p->body[3], p->body[2]) & ~7ULL,
			       &p->body[4], 8);
	if (command == QUERY_INTERRUPT_ONLY ||
	    command == QUERY_FENCE_AND_INTERRUPT) {
		iv.ring_id = vgpu_cp_ring_id(q);
		vgpu_ih_push(g, &iv);
	}
	return 0;
}

int vgpu_pm4_invalidate_tlbs(struct vgpu *g, struct vgpu_cp_queue *q,
			     const struct vgpu_pm4_packet *p)
{
	u32 pasid = FIELD_GET(INVALIDATE_TLBS_PASID, p->body[0]);
	unsigned int vmid;
	u32 mask = 0;

	(void)q;
	if (!FIELD_GET(INVALIDATE_TLBS_DST_SEL, p->body[0])) {
		mask = 0xffff;
	} else {
		for (vmid = 1; vmid < 16; vmid++)
			if (vgpu_ih_pasid(g, vmid) == pasid)
				mask |= BIT(vmid);
	}
	if (mask)
		vgpu_gmc_flush(g, mask);
	return 0;
}

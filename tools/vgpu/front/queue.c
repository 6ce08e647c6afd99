// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command processor's queues: their registers (HQD), mapping and unmapping.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "front/queue.h"
#include "gpu.h"
#include "mem/gmc.h"
#include "profiles/profile.h"
#include "regs/log.h"
#include "regs/regs.h"
#include "sq/sq.h"

/* A field whose name is too long for a line */
#define DOORBELL_OFFSET		F_CP_HQD_PQ_DOORBELL_CONTROL_DOORBELL_OFFSET
/* RLC_CP_SCHEDULERS.scheduler0, as kiq_setting() writes it (gfx_v9_0.c, v10, v11) */
#define SCHEDULER0_QUEUE		GENMASK(2, 0)
#define SCHEDULER0_PIPE			GENMASK(4, 3)
#define SCHEDULER0_ME			GENMASK(6, 5)
#define SCHEDULER0_VALID		BIT(7)

/* What all queues together do before waves and the host have their turn, in bytes */
#define BYTES_PER_TURN		65536

/* QUEUE_SIZE of a ring of 1 GiB. A larger one would overflow u32, and needs no support. */
#define MAX_QUEUE_SIZE		27

static const struct vgpu_hqd_roles hqd_compute = {
	.mqd_base = R_CP_MQD_BASE_ADDR,
	.active = R_CP_HQD_ACTIVE,
	.vmid = R_CP_HQD_VMID,
	.base = R_CP_HQD_PQ_BASE,
	.control = R_CP_HQD_PQ_CONTROL,
	.doorbell = R_CP_HQD_PQ_DOORBELL_CONTROL,
	.rptr = R_CP_HQD_PQ_RPTR,
	.rptr_addr = R_CP_HQD_PQ_RPTR_REPORT_ADDR,
	.wptr = R_CP_HQD_PQ_WPTR_LO,
};

static const struct vgpu_hqd_roles hqd_gfx = {
	.mqd_base = R_CP_GFX_MQD_BASE_ADDR,
	.active = R_CP_GFX_HQD_ACTIVE,
	.vmid = R_CP_GFX_HQD_VMID,
	.base = R_CP_GFX_HQD_BASE,
	.control = R_CP_GFX_HQD_CNTL,
	.doorbell = R_CP_RB_DOORBELL_CONTROL,
	.rptr = R_CP_GFX_HQD_RPTR,
	.rptr_addr = R_CP_GFX_HQD_RPTR_ADDR,
	.wptr = R_CP_GFX_HQD_WPTR,
};

void vgpu_cp_count(struct vgpu *g, u32 bytes)
{
	g->cp->done += bytes;
}

bool vgpu_cp_turn_is_over(struct vgpu *g)
{
	return g->cp->done >= BYTES_PER_TURN;
}

const struct vgpu_hqd_roles *vgpu_hqd_roles(const struct vgpu_cp_queue *q)
{
	return vgpu_cp_is_gfx(q) ? &hqd_gfx : &hqd_compute;
}

static const struct vgpu_mqd_layout *mqd_layout(struct vgpu *g,
						const struct vgpu_cp_queue *q)
{
	return vgpu_cp_is_gfx(q) ? &g->profile->gen->gfx_mqd :
				   &g->profile->gen->compute_mqd;
}

u32 *vgpu_hqd(struct vgpu *g, const struct vgpu_cp_queue *q,
	      enum vgpu_role role, unsigned int idx)
{
	return vgpu_reg_of_queue(g, q->id.me, q->id.pipe, q->id.queue, role,
				 idx);
}

static u64 hqd64(struct vgpu *g, const struct vgpu_cp_queue *q,
		 enum vgpu_role role)
{
	return make_64(*vgpu_hqd(g, q, role, 1), *vgpu_hqd(g, q, role, 0));
}

const char *vgpu_cp_name(const struct vgpu_cp_queue *q)
{
	static char name[16];

	snprintf(name, sizeof(name), "%u.%u.%u", q->id.me, q->id.pipe,
		 q->id.queue);
	return name;
}

struct vgpu_cp_queue *vgpu_cp_queue(struct vgpu *g, struct vgpu_queue_id id)
{
	if (id.me >= VGPU_CP_MES || id.pipe >= VGPU_CP_PIPES ||
	    id.queue >= VGPU_CP_QUEUES)
		return NULL;
	return &g->cp->queues[id.me][id.pipe][id.queue];
}

struct vgpu_cp_queue *vgpu_cp_by_doorbell(struct vgpu *g, u32 doorbell)
{
	struct vgpu_cp *cp = g->cp;
	unsigned int i;

	for (i = 0; i < cp->num_mapped; i++)
		if (cp->mapped[i]->doorbell == doorbell)
			return cp->mapped[i];
	return NULL;
}

/* Is it the queue that the driver has named to the RLC as the KIQ? */
static bool is_kiq(struct vgpu *g, const struct vgpu_cp_queue *q)
{
	u32 v = vgpu_reg_load(g, R_RLC_CP_SCHEDULERS, 0);

	return v & SCHEDULER0_VALID && FIELD_GET(SCHEDULER0_ME, v) == q->id.me &&
	       FIELD_GET(SCHEDULER0_PIPE, v) == q->id.pipe &&
	       FIELD_GET(SCHEDULER0_QUEUE, v) == q->id.queue;
}

void vgpu_cp_start(struct vgpu *g, struct vgpu_cp_queue *q)
{
	const struct vgpu_hqd_roles *r = vgpu_hqd_roles(q);
	u32 control = *vgpu_hqd(g, q, r->control, 0);
	u32 doorbell = *vgpu_hqd(g, q, r->doorbell, 0);
	struct vgpu_cp_stream *ring = &q->stream[0];
	struct vgpu_cp *cp = g->cp;
	u32 size;

	if (!q->mapped)
		cp->mapped[cp->num_mapped++] = q;
	q->mapped = true;
	q->hung = false;
	q->dequeue = VGPU_CP_DEQUEUE_NONE;
	q->depth = 0;
	q->call = false;
	q->wait = VGPU_CP_WAIT_NONE;
	q->progress = 0;
	q->num_eops = 0;
	q->scheduler = is_kiq(g, q);
	q->mqd = 0;
	q->rptr_addr = hqd64(g, q, r->rptr_addr) & ~3ULL;
	q->wptr = hqd64(g, q, r->wptr);
	q->doorbell = VGPU_CP_NO_DOORBELL;
	if (vgpu_get(g, F_CP_HQD_PQ_DOORBELL_CONTROL_DOORBELL_EN, doorbell))
		q->doorbell = vgpu_get(g, DOORBELL_OFFSET, doorbell);

	memset(ring, 0, sizeof(*ring));
	ring->base = hqd64(g, q, r->base) << 8;
	/* QUEUE_SIZE, RB_BUFSZ: log2 of the dwords, minus 1 */
	size = vgpu_get(g, F_CP_HQD_PQ_CONTROL_QUEUE_SIZE, control);
	ring->size = 2U << (size < MAX_QUEUE_SIZE ? size : MAX_QUEUE_SIZE);
	ring->rptr = *vgpu_hqd(g, q, r->rptr, 0) & (ring->size - 1);
	ring->vmid =
		vgpu_get(g, F_CP_HQD_VMID_VMID, *vgpu_hqd(g, q, r->vmid, 0));
	*vgpu_hqd(g, q, r->active, 0) |= vgpu_field(g, F_CP_HQD_ACTIVE_ACTIVE);
	cp->idle = false;
	if (g->opt.trace_packets)
		vgpu_log_each(g, "cp %s: started, ring 0x%llx, %u dwords, doorbell 0x%x, vmid %u",
			      vgpu_cp_name(q), (unsigned long long)ring->base,
			      ring->size, q->doorbell, ring->vmid);
}

void vgpu_cp_report_rptr(struct vgpu *g, struct vgpu_cp_queue *q)
{
	const struct vgpu_cp_stream *ring = &q->stream[0];

	*vgpu_hqd(g, q, vgpu_hqd_roles(q)->rptr, 0) = ring->rptr;
	if (q->rptr_addr)
		vgpu_gmc_write(g, ring->vmid, q->rptr_addr, &ring->rptr, 4);
}

void vgpu_cp_stop(struct vgpu *g, struct vgpu_cp_queue *q)
{
	const struct vgpu_hqd_roles *r = vgpu_hqd_roles(q);
	struct vgpu_cp *cp = g->cp;
	unsigned int i;

	for (i = 0; i < cp->num_mapped && cp->mapped[i] != q; i++)
		;
	if (i == cp->num_mapped)
		return;
	cp->mapped[i] = cp->mapped[--cp->num_mapped];
	q->mapped = false;
	q->num_eops = 0;
	q->dequeue = VGPU_CP_DEQUEUE_NONE;
	*vgpu_hqd(g, q, r->active, 0) &= ~vgpu_field(g, F_CP_HQD_ACTIVE_ACTIVE);
	*vgpu_hqd(g, q, r->rptr, 0) = 0;
	*vgpu_hqd(g, q, r->wptr, 0) = 0;
	*vgpu_hqd(g, q, r->wptr, 1) = 0;
	/* A packet of another queue may wait until this one is unmapped. */
	cp->idle = false;
	if (g->opt.trace_packets)
		vgpu_log_each(g, "cp %s: stopped", vgpu_cp_name(q));
}

int vgpu_cp_map(struct vgpu *g, struct vgpu_cp_queue *q, u64 mqd, u32 doorbell,
		u64 wptr_addr, bool scheduler)
{
	const struct vgpu_mqd_layout *m = mqd_layout(g, q);
	const struct vgpu_hqd_roles *r = vgpu_hqd_roles(q);
	u32 sh, image[128], wptr[2];
	u32 *control;
	unsigned int i;
	int ret;

	if (m->hqd_dwords > ARRAY_SIZE(image) ||
	    m->sh_dwords > ARRAY_SIZE(image))
		return -EINVAL;
	ret = vgpu_gmc_read(g, 0, mqd + m->hqd_image, image,
			    m->hqd_dwords * 4);
	if (ret)
		return ret;
	for (i = 0; i < m->hqd_dwords; i++)
		*vgpu_hqd(g, q, r->mqd_base, i) = image[i];
	/* Until it starts, the queue is not active, also if a read below fails. */
	*vgpu_hqd(g, q, r->active, 0) &= ~vgpu_field(g, F_CP_HQD_ACTIVE_ACTIVE);

	sh = g->profile->regs[R_COMPUTE_DISPATCH_INITIATOR] - VGPU_SH_REG_FIRST;
	ret = vgpu_gmc_read(g, 0, mqd + m->sh_image, image, m->sh_dwords * 4);
	if (!ret)
		memcpy(&q->sh[sh], image, m->sh_dwords * 4);

	if (wptr_addr)
		ret = ret ? : vgpu_gmc_read(g, 0, wptr_addr, wptr, 8);
	else
		ret = ret ? : vgpu_gmc_read(g, 0, mqd + m->wptr_lo, wptr, 8);
	if (ret)
		return ret;
	*vgpu_hqd(g, q, r->wptr, 0) = wptr[0];
	*vgpu_hqd(g, q, r->wptr, 1) = wptr[1];

	/* amdkfd's MQDs rely on the CP to enable the doorbell. */
	control = vgpu_hqd(g, q, r->doorbell, 0);
	*control =
		(*control &
		 ~vgpu_field(g, DOORBELL_OFFSET)) |
		vgpu_field(g, F_CP_HQD_PQ_DOORBELL_CONTROL_DOORBELL_EN) |
		vgpu_put(g, DOORBELL_OFFSET,
			 doorbell);
	vgpu_cp_start(g, q);
	q->mqd = mqd;
	q->scheduler |= scheduler;
	return 0;
}

void vgpu_cp_unmap(struct vgpu *g, struct vgpu_cp_queue *q)
{
	const struct vgpu_mqd_layout *m = mqd_layout(g, q);
	u32 zero = 0;

	if (!q->mapped)
		return;
	if (q->mqd) {
		vgpu_gmc_write(g, 0, q->mqd + m->rptr, &q->stream[0].rptr, 4);
		/* gfx_v10_0_reset_kgq() waits until the MQD is not active. */
		vgpu_gmc_write(g, 0, q->mqd + m->active, &zero, 4);
	}
	vgpu_cp_stop(g, q);
}

void vgpu_cp_kill(struct vgpu *g, struct vgpu_cp_queue *q)
{
	vgpu_sq_queue_kill(g, q->id);
	vgpu_cp_unmap(g, q);
}

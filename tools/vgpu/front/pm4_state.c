// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * PM4 packets that set registers, start dispatches, and choose where the next packet is
 * read.
 */
#include <errno.h>
#include <string.h>

#include "front/pm4.h"
#include "front/pm4_fields.h"
#include "front/queue.h"
#include "gpu.h"
#include "mem/gmc.h"
#include "regs/checker.h"
#include "regs/regs.h"
#include "sq/sq.h"

/* Fields whose names are too long for a line */
#define INITIATOR(field)	F_COMPUTE_DISPATCH_INITIATOR_##field
#define NUM_THREAD_FULL		F_COMPUTE_NUM_THREAD_X_NUM_THREAD_FULL
#define NUM_THREAD_PARTIAL	F_COMPUTE_NUM_THREAD_X_NUM_THREAD_PARTIAL

static int set_regs(struct vgpu *g, struct vgpu_cp_queue *q,
		    const struct vgpu_pm4_packet *p, u32 first, u32 last)
{
	u32 dword = first + FIELD_GET(SET_REG_OFFSET, p->body[0]);

	if (dword + p->n - 2 > last) {
		vgpu_complain(g, VGPU_BAD_REGISTER,
			      "queue %s: packet 0x%02x sets register 0x%x, outside of 0x%x to 0x%x; skipped",
			      vgpu_cp_name(q), p->op, dword + p->n - 2, first,
			      last);
		return 0;
	}
	return vgpu_pm4_reg_writes(g, q, dword, p->body + 1, p->n - 1, false);
}

int vgpu_pm4_set_config_reg(struct vgpu *g, struct vgpu_cp_queue *q,
			    const struct vgpu_pm4_packet *p)
{
	return set_regs(g, q, p, VGPU_CONFIG_REG_FIRST, VGPU_CONFIG_REG_LAST);
}

int vgpu_pm4_set_context_reg(struct vgpu *g, struct vgpu_cp_queue *q,
			     const struct vgpu_pm4_packet *p)
{
	return set_regs(g, q, p, VGPU_CONTEXT_REG_FIRST, VGPU_CONTEXT_REG_LAST);
}

int vgpu_pm4_set_sh_reg(struct vgpu *g, struct vgpu_cp_queue *q,
			const struct vgpu_pm4_packet *p)
{
	return set_regs(g, q, p, VGPU_SH_REG_FIRST, VGPU_SH_REG_LAST);
}

int vgpu_pm4_set_uconfig_reg(struct vgpu *g, struct vgpu_cp_queue *q,
			     const struct vgpu_pm4_packet *p)
{
	return set_regs(g, q, p, VGPU_UCONFIG_REG_FIRST, VGPU_UCONFIG_REG_LAST);
}

int vgpu_pm4_set_base(struct vgpu *g, struct vgpu_cp_queue *q,
		      const struct vgpu_pm4_packet *p)
{
	u32 index = FIELD_GET(SET_BASE_INDEX, p->body[0]);

	(void)g;
	if (index < ARRAY_SIZE(q->base))
		q->base[index] = make_64(p->body[2], p->body[1]);
	return 0;
}

/* Find the register @idx dwords after that of @role in the queue's own compute state. */
static u32 *compute(struct vgpu *g, struct vgpu_cp_queue *q,
		    enum vgpu_role role, unsigned int idx)
{
	return &q->sh[g->profile->regs[role] - VGPU_SH_REG_FIRST + idx];
}

/* Fill in direction @i of a dispatch. @dim: its groups, or threads, as in the packet. */
static void dispatch_dimension(struct vgpu *g, struct vgpu_cp_queue *q,
			       struct vgpu_dispatch *d, unsigned int i, u32 dim)
{
	u32 threads = *compute(g, q, R_COMPUTE_NUM_THREAD_X, i);

	d->threads[i] = vgpu_get(g, NUM_THREAD_FULL, threads);
	d->last[i] = d->threads[i];
	if (vgpu_get(g, INITIATOR(PARTIAL_TG_EN), d->initiator) &&
	    vgpu_get(g, NUM_THREAD_PARTIAL, threads))
		d->last[i] = vgpu_get(g, NUM_THREAD_PARTIAL, threads);
	if (!vgpu_get(g, INITIATOR(FORCE_START_AT_000), d->initiator))
		d->start[i] = *compute(g, q, R_COMPUTE_START_X, i);
	if (vgpu_get(g, INITIATOR(USE_THREAD_DIMENSIONS), d->initiator) &&
	    d->threads[i])
		dim = (dim + d->threads[i] - 1) / d->threads[i];
	/* The packet has the end of the range, not its length (RADV, vkCmdDispatchBase). */
	d->groups[i] = dim > d->start[i] ? dim - d->start[i] : 0;
}

static int dispatch(struct vgpu *g, struct vgpu_cp_queue *q, const u32 dim[3],
		    u32 initiator)
{
	struct vgpu_dispatch d = {
		.queue = q->id,
		.vmid = vgpu_cp_top(q)->vmid,
		.initiator = initiator,
	};
	unsigned int i;
	int ret;

	*compute(g, q, R_COMPUTE_DISPATCH_INITIATOR, 0) = initiator;
	if (!vgpu_get(g, INITIATOR(COMPUTE_SHADER_EN), initiator))
		return 0;
	d.pgm = make_64(*compute(g, q, R_COMPUTE_PGM_LO, 1) &
				vgpu_field(g, F_COMPUTE_PGM_HI_DATA),
			*compute(g, q, R_COMPUTE_PGM_LO, 0))
		<< 8;
	d.rsrc1 = *compute(g, q, R_COMPUTE_PGM_RSRC1, 0);
	d.rsrc2 = *compute(g, q, R_COMPUTE_PGM_RSRC1, 1);
	d.rsrc3 = *compute(g, q, R_COMPUTE_PGM_RSRC3, 0);
	d.tmpring_size = *compute(g, q, R_COMPUTE_TMPRING_SIZE, 0);
	memcpy(d.user_data, compute(g, q, R_COMPUTE_USER_DATA_0, 0),
	       sizeof(d.user_data));
	for (i = 0; i < 3; i++) {
		*compute(g, q, R_COMPUTE_DIM_X, i) = dim[i];
		dispatch_dimension(g, q, &d, i, dim[i]);
		if (!d.groups[i] || !d.threads[i])
			return 0;
	}
	d.serial = q->serial + 1;
	ret = vgpu_sq_dispatch(g, &d);
	if (!ret)
		q->serial = d.serial;
	return ret == -EAGAIN ? vgpu_pm4_wait(q, VGPU_CP_WAIT_WAVES) : ret;
}

int vgpu_pm4_dispatch_direct(struct vgpu *g, struct vgpu_cp_queue *q,
			     const struct vgpu_pm4_packet *p)
{
	return dispatch(g, q, p->body, p->body[3]);
}

/* Two dwords (graphics queues): an offset from SET_BASE; three (compute): an address. */
int vgpu_pm4_dispatch_indirect(struct vgpu *g, struct vgpu_cp_queue *q,
			       const struct vgpu_pm4_packet *p)
{
	u32 dim[3], initiator;
	u64 va;
	int ret;

	if (p->n == 2) {
		va = q->base[SET_BASE_INDIRECT] + p->body[0];
		initiator = p->body[1];
	} else {
		va = make_64(p->body[1], p->body[0]);
		initiator = p->body[2];
	}
	ret = vgpu_gmc_read(g, vgpu_cp_top(q)->vmid, va & ~3ULL, dim,
			    sizeof(dim));
	return ret ? ret : dispatch(g, q, dim, initiator);
}

/* The packet sets the VMID of an IB called from a ring; an IB called from an IB keeps it. */
int vgpu_pm4_indirect_buffer(struct vgpu *g, struct vgpu_cp_queue *q,
			     const struct vgpu_pm4_packet *p)
{
	u32 control = p->body[2];
	bool chain = control & INDIRECT_BUFFER_CHAIN;
	u8 vmid = vgpu_cp_top(q)->vmid;

	if (p->n != 3 || (chain && !q->depth) ||
	    (!chain && q->depth == VGPU_CP_DEPTH - 1)) {
		vgpu_complain(g, VGPU_BAD_PACKET,
			      "queue %s: INDIRECT_BUFFER at depth %u, %u dwords, control 0x%08x: not possible here; skipped",
			      vgpu_cp_name(q), q->depth, p->n, control);
		return 0;
	}
	if (!q->depth && !vmid)
		vmid = FIELD_GET(INDIRECT_BUFFER_VMID, control);
	q->next = (struct vgpu_cp_stream){
		.base = make_64(p->body[1], p->body[0]) & ~3ULL,
		.size = FIELD_GET(INDIRECT_BUFFER_SIZE, control),
		.vmid = vmid,
	};
	q->call = true;
	q->chain = chain;
	return 0;
}

int vgpu_pm4_cond_exec(struct vgpu *g, struct vgpu_cp_queue *q,
		       const struct vgpu_pm4_packet *p)
{
	u64 va = make_64(p->body[1], p->body[0]) & ~3ULL;
	u32 cond;
	int ret;

	ret = vgpu_gmc_read(g, vgpu_cp_top(q)->vmid, va, &cond, 4);
	if (!ret && !cond)
		vgpu_cp_top(q)->skip = FIELD_GET(COND_EXEC_COUNT, p->body[3]);
	return ret;
}

/* The driver sets the bit in the packet when it has written the rest of the IB. */
int vgpu_pm4_rewind(struct vgpu *g, struct vgpu_cp_queue *q,
		    const struct vgpu_pm4_packet *p)
{
	(void)g;
	return p->body[0] & REWIND_VALID ? 0 :
	       vgpu_pm4_wait(q, VGPU_CP_WAIT_MEMORY);
}

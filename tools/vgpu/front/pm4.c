// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of PM4 packets.
 */
#include "front/pm4.h"
#include "front/queue.h"
#include "gpu.h"
#include "regs/checker.h"

/*
 * Packets without an effect on what vgpu models: caches, prefetching, the constant engine,
 * tracing, graphics state.
 */
static int no_effect(struct vgpu *g, struct vgpu_cp_queue *q,
		     const struct vgpu_pm4_packet *p)
{
	(void)g;
	(void)q;
	(void)p;
	return 0;
}

#define ALL(handler, num)	.fn = (handler), .min = (num)
#define GFX(handler, num)	ALL(handler, num), .gfx_only = true
#define KIQ(handler, num)	ALL(handler, num), .kiq_only = true

/*
 * Opcodes as in nvd.h, Linux 6.12; soc15d.h has the same numbers for packets that gfx9
 * has. Draws are not modelled.
 */
static const struct vgpu_pm4_op ops[256] = {
	[0x10] = { "NOP", ALL(no_effect, 0) },
	[0x11] = { "SET_BASE", ALL(vgpu_pm4_set_base, 3) },
	[0x12] = { "CLEAR_STATE", GFX(no_effect, 1) },
	[0x15] = { "DISPATCH_DIRECT", ALL(vgpu_pm4_dispatch_direct, 4) },
	[0x16] = { "DISPATCH_INDIRECT", ALL(vgpu_pm4_dispatch_indirect, 2) },
	[0x1e] = { "ATOMIC_MEM", ALL(vgpu_pm4_atomic_mem, 8) },
	[0x22] = { "COND_EXEC", ALL(vgpu_pm4_cond_exec, 4) },
	[0x28] = { "CONTEXT_CONTROL", GFX(no_effect, 2) },
	[0x33] = { "INDIRECT_BUFFER_CNST", GFX(no_effect, 3) },
	[0x37] = { "WRITE_DATA", ALL(vgpu_pm4_write_data, 4) },
	[0x3c] = { "WAIT_REG_MEM", ALL(vgpu_pm4_wait_reg_mem, 6) },
	[0x3f] = { "INDIRECT_BUFFER", ALL(vgpu_pm4_indirect_buffer, 3) },
	[0x40] = { "COPY_DATA", ALL(vgpu_pm4_copy_data, 5) },
	[0x42] = { "PFP_SYNC_ME", GFX(no_effect, 1) },
	[0x46] = { "EVENT_WRITE", ALL(vgpu_pm4_event_write, 1) },
	[0x49] = { "RELEASE_MEM", ALL(vgpu_pm4_release_mem, 7) },
	[0x4a] = { "PREAMBLE_CNTL", GFX(no_effect, 1) },
	[0x50] = { "DMA_DATA", ALL(vgpu_pm4_dma_data, 6) },
	[0x58] = { "ACQUIRE_MEM", ALL(vgpu_pm4_acquire_mem, 6) },
	[0x59] = { "REWIND", ALL(vgpu_pm4_rewind, 1) },
	[0x5d] = { "PRIME_UTCL2", ALL(no_effect, 4) },
	[0x68] = { "SET_CONFIG_REG", ALL(vgpu_pm4_set_config_reg, 2) },
	[0x69] = { "SET_CONTEXT_REG", GFX(vgpu_pm4_set_context_reg, 2) },
	[0x6a] = { "SET_CONTEXT_REG_INDEX", GFX(vgpu_pm4_set_context_reg, 2) },
	[0x76] = { "SET_SH_REG", ALL(vgpu_pm4_set_sh_reg, 2) },
	[0x79] = { "SET_UCONFIG_REG", ALL(vgpu_pm4_set_uconfig_reg, 2) },
	[0x7a] = { "SET_UCONFIG_REG_INDEX", ALL(vgpu_pm4_set_uconfig_reg, 2) },
	[0x84] = { "INCREMENT_CE_COUNTER", GFX(no_effect, 1) },
	[0x85] = { "INCREMENT_DE_COUNTER", GFX(no_effect, 1) },
	[0x86] = { "WAIT_ON_CE_COUNTER", GFX(no_effect, 1) },
	[0x88] = { "WAIT_ON_DE_COUNTER_DIFF", GFX(no_effect, 1) },
	[0x8b] = { "SWITCH_BUFFER", GFX(no_effect, 1) },
	[0x90] = { "FRAME_CONTROL", GFX(no_effect, 1) },
	[0x93] = { "WAIT_REG_MEM64", ALL(vgpu_pm4_wait_reg_mem64, 8) },
	[0x98] = { "INVALIDATE_TLBS", ALL(vgpu_pm4_invalidate_tlbs, 1) },
	[0x9b] = { "SET_SH_REG_INDEX", ALL(vgpu_pm4_set_sh_reg, 2) },
	[0xa0] = { "SET_RESOURCES", KIQ(vgpu_pm4_set_resources, 7) },
	[0xa2] = { "MAP_QUEUES", KIQ(vgpu_pm4_map_queues, 6) },
	[0xa3] = { "UNMAP_QUEUES", KIQ(vgpu_pm4_unmap_queues, 5) },
	[0xa4] = { "QUERY_STATUS", KIQ(vgpu_pm4_query_status, 6) },
};

const struct vgpu_pm4_op *vgpu_pm4_op(u8 opcode)
{
	return ops[opcode].fn ? &ops[opcode] : NULL;
}

/* Get the reason for which the queue cannot execute the packet; NULL: it can. */
static const char *packet_unsupported_reason(const struct vgpu_cp_queue *q,
					     const struct vgpu_pm4_op *op,
					     const struct vgpu_pm4_packet *p)
{
	if (!op)
		return "unknown";
	if (p->n < op->min)
		return "too short";
	if (op->gfx_only && !vgpu_cp_is_gfx(q))
		return "for graphics queues only";
	if (op->kiq_only && (!q->scheduler || q->stream[q->depth].vmid))
		return "for the KIQ only";
	return NULL;
}

int vgpu_pm4_execute(struct vgpu *g, struct vgpu_cp_queue *q,
		     const struct vgpu_pm4_packet *p)
{
	const struct vgpu_pm4_op *op = vgpu_pm4_op(p->op);
	const struct vgpu_cp_stream *s = vgpu_cp_top(q);
	const char *why = packet_unsupported_reason(q, op, p);

	if (!why)
		return op->fn(g, q, p);
	vgpu_complain(g, VGPU_BAD_PACKET,
		      "queue %s, dword 0x%x of the %s at 0x%llx (vmid %u): PM4 packet 0x%02x %s of %u dwords: %s; skipped",
		      vgpu_cp_name(q), s->rptr, q->depth ? "IB" : "ring",
		      (unsigned long long)s->base, s->vmid, p->op,
		      op ? op->name : "", p->n, why);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PM4 type 3 packets. A handler gets the packet's body (the dwords after the header),
 * executes it and returns 0. If the packet has to wait, the handler sets q->wait and
 * returns -EAGAIN, and is called again with the same packet. Any other error stops the
 * queue. Opcodes and fields: nvd.h, Linux 6.12 and 7.2.
 */
#ifndef VGPU_PM4_H
#define VGPU_PM4_H

#include "front/queue.h"

struct vgpu_pm4_packet {
	const u32 *body;
	u32 n;		/* dwords in body */
	u8 op;
};

typedef int (*vgpu_pm4_fn)(struct vgpu *g, struct vgpu_cp_queue *q,
			   const struct vgpu_pm4_packet *p);

struct vgpu_pm4_op {
	const char *name;
	vgpu_pm4_fn fn;
	u8 min;		/* minimum dwords of the body: those that the handler reads */
	bool gfx_only;	/* for graphics queues only */
	bool kiq_only;	/* for KIQ and HIQ only */
};

/* Get the description of an opcode; NULL: there is no such packet. */
const struct vgpu_pm4_op *vgpu_pm4_op(u8 opcode);

/* Execute the packet; one that the queue cannot execute is reported and skipped. */
int vgpu_pm4_execute(struct vgpu *g, struct vgpu_cp_queue *q,
		     const struct vgpu_pm4_packet *p);

/*
 * pm4_reg.c: access registers. Packets in VMID 0 come from the driver and may access all
 * of them, other packets only the ranges SH, CONTEXT and UCONFIG. -EPERM: the access is
 * not allowed, and the privileged register fault has been raised.
 */
int vgpu_pm4_reg_read(struct vgpu *g, struct vgpu_cp_queue *q, u32 dword,
		      u32 *val);
int vgpu_pm4_reg_write(struct vgpu *g, struct vgpu_cp_queue *q, u32 dword,
		       u32 val);
/*
 * Write @num values to consecutive registers from @dword on (@same: all to @dword).
 * -EAGAIN: the turn was too short for all, and q->progress says how many were written.
 */
int vgpu_pm4_reg_writes(struct vgpu *g, struct vgpu_cp_queue *q, u32 dword,
			const u32 *vals, u32 num, bool same);
/* Set q->wait and return -EAGAIN. */
int vgpu_pm4_wait(struct vgpu_cp_queue *q, enum vgpu_cp_wait what);
/*
 * Compare as WAIT_REG_MEM and POLL_REGMEM do. @function: 1 <, 2 <=, 3 ==, 4 !=, 5 >=, 6 >,
 * all others: always true.
 */
bool vgpu_pm4_compare(unsigned int function, u64 value, u64 ref);

#define VGPU_PM4_FN(name) \
	int name(struct vgpu *g, struct vgpu_cp_queue *q, \
		 const struct vgpu_pm4_packet *p)

/* pm4_mem.c */
VGPU_PM4_FN(vgpu_pm4_write_data);
VGPU_PM4_FN(vgpu_pm4_copy_data);
VGPU_PM4_FN(vgpu_pm4_dma_data);
VGPU_PM4_FN(vgpu_pm4_atomic_mem);
VGPU_PM4_FN(vgpu_pm4_wait_reg_mem);
VGPU_PM4_FN(vgpu_pm4_wait_reg_mem64);
VGPU_PM4_FN(vgpu_pm4_release_mem);
/* Execute pending RELEASE_MEMs whose dispatches have ended. Returns whether there were any. */
bool vgpu_pm4_release_pending(struct vgpu *g, struct vgpu_cp_queue *q);
VGPU_PM4_FN(vgpu_pm4_acquire_mem);
VGPU_PM4_FN(vgpu_pm4_event_write);

/* pm4_state.c */
VGPU_PM4_FN(vgpu_pm4_set_config_reg);
VGPU_PM4_FN(vgpu_pm4_set_context_reg);
VGPU_PM4_FN(vgpu_pm4_set_sh_reg);
VGPU_PM4_FN(vgpu_pm4_set_uconfig_reg);
VGPU_PM4_FN(vgpu_pm4_set_base);
VGPU_PM4_FN(vgpu_pm4_dispatch_direct);
VGPU_PM4_FN(vgpu_pm4_dispatch_indirect);
VGPU_PM4_FN(vgpu_pm4_indirect_buffer);
VGPU_PM4_FN(vgpu_pm4_cond_exec);
VGPU_PM4_FN(vgpu_pm4_rewind);

/* pm4_kiq.c */
VGPU_PM4_FN(vgpu_pm4_set_resources);
VGPU_PM4_FN(vgpu_pm4_map_queues);
VGPU_PM4_FN(vgpu_pm4_unmap_queues);
VGPU_PM4_FN(vgpu_pm4_query_status);
VGPU_PM4_FN(vgpu_pm4_invalidate_tlbs);

#endif /* VGPU_PM4_H */

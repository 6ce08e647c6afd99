/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PM4 type 3 packets. A handler gets the packet's body (without the header),
 * does it and returns 0; -EAGAIN when it has to wait (it says for what in
 * q->wait and is called again with the same packet); any other error stops the
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
	u8 min;		/* dwords of the body that the handler reads */
	bool gfx_only;	/* not for compute queues */
	bool kiq_only;	/* not for queues other than KIQ and HIQ */
};

/* NULL when there is no such packet. */
const struct vgpu_pm4_op *vgpu_pm4_op(u8 opcode);

/* Do the packet: looks up the handler and complains about what it cannot do. */
int vgpu_pm4_execute(struct vgpu *g, struct vgpu_cp_queue *q,
		     const struct vgpu_pm4_packet *p);

/*
 * pm4_reg.c: registers. Packets in VMID 0 come from the driver and may reach all, others
 * only the SH, CONTEXT and UCONFIG ranges; -EPERM after the privileged
 * register fault.
 */
int vgpu_pm4_reg_read(struct vgpu *g, struct vgpu_cp_queue *q, u32 dword,
		      u32 *val);
int vgpu_pm4_reg_write(struct vgpu *g, struct vgpu_cp_queue *q, u32 dword,
		       u32 val);
/*
 * Of @num values, from q->progress on, as many as the turn has time for, to @dword and
 * those behind it (@same: all to the one). -EAGAIN when there are more.
 */
int vgpu_pm4_reg_writes(struct vgpu *g, struct vgpu_cp_queue *q, u32 dword,
			const u32 *vals, u32 num, bool same);
/* Sets q->wait and returns -EAGAIN. */
int vgpu_pm4_wait(struct vgpu_cp_queue *q, enum vgpu_cp_wait what);
/* The functions of WAIT_REG_MEM and POLL_REGMEM: 3 is ==, ... */
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
/* Do the pending ones whose dispatches have ended. True when there were some. */
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

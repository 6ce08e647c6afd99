/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The SDMA engine, and its state, shared by its ring (sdma.c) and its packets
 * (sdma_packets.c).
 */
#ifndef VGPU_SDMA_H
#define VGPU_SDMA_H

#include "types.h"

struct vgpu;

int vgpu_sdma_init(struct vgpu *g);
void vgpu_sdma_fini(struct vgpu *g);
void vgpu_sdma_reset(struct vgpu *g);
bool vgpu_sdma_doorbell(struct vgpu *g, u32 index, u64 value);
bool vgpu_sdma_run(struct vgpu *g);
/* Has it packets that are not done? */
bool vgpu_sdma_busy(const struct vgpu *g);
bool vgpu_sdma_polling(struct vgpu *g);

struct vgpu_sdma_ib {
	u64 base;
	u32 size, rptr;		/* dwords */
	u8 vmid;
};

struct vgpu_sdma {
	u64 rptr, wptr;		/* of the ring, bytes, count on and on */
	u64 ring_base;
	u32 ring_bytes;		/* a power of two */
	u8 ring_vmid;
	bool hung;		/* until reset: unknown packet */
	bool in_ib;
	bool call;		/* an INDIRECT packet has set ->next */
	bool waiting;		/* the packet at the front polls */
	u32 skip;		/* dwords that COND_EXE leaves out */
	u32 progress;		/* of the packet at the front; its handler's */
	u32 done;		/* in this turn, as bytes that were moved */
	u64 clock_offset;	/* TIMESTAMP_SET */
	struct vgpu_sdma_ib ib, next;
};

/* VMID of the packets at the front. */
u8 vgpu_sdma_vmid(const struct vgpu_sdma *e);
/* @n dwords from @offset behind the read pointer on. */
int vgpu_sdma_fetch(struct vgpu *g, u32 offset, u32 *buf, u32 n);

/*
 * Dwords of the packet that begins with @header, of which @left are there at
 * most; -EINVAL when there is no such packet.
 */
int vgpu_sdma_length(struct vgpu *g, u32 header, u32 left);
/* Do it. -EAGAIN: call again later. */
int vgpu_sdma_execute(struct vgpu *g, u32 header);

#endif /* VGPU_SDMA_H */

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
/* Are there packets that are not complete? */
bool vgpu_sdma_busy(const struct vgpu *g);
bool vgpu_sdma_polling(struct vgpu *g);

struct vgpu_sdma_ib {
	u64 base;
	u32 size, rptr;		/* dwords */
	u8 vmid;
};

struct vgpu_sdma {
	u64 rptr, wptr;		/* pointers of the ring in bytes; they do not wrap */
	u64 ring_base;
	u32 ring_bytes;		/* a power of two */
	u8 ring_vmid;
	bool hung;		/* stopped at a bad packet, until reset */
	bool in_ib;
	bool call;		/* an INDIRECT packet has set ->next */
	bool waiting;		/* the present packet polls */
	u32 skip;		/* dwords that COND_EXE leaves out */
	u32 progress;		/* what the present packet has done; its handler's unit */
	u32 done;		/* what was done in this turn, in bytes */
	u64 clock_offset;	/* TIMESTAMP_SET */
	struct vgpu_sdma_ib ib, next;
};

/* Get the VMID of the present packet. */
u8 vgpu_sdma_vmid(const struct vgpu_sdma *e);
/* Read @n dwords of the IB or ring, beginning @offset dwords after the read pointer. */
int vgpu_sdma_fetch(struct vgpu *g, u32 offset, u32 *buf, u32 n);

/*
 * Get the number of dwords of the packet that begins with @header; more than @left, the
 * number of dwords available, if the packet is incomplete. -EINVAL: unknown packet.
 */
int vgpu_sdma_length(struct vgpu *g, u32 header, u32 left);
/* Execute the present packet. -EAGAIN: it is not complete, call again later. */
int vgpu_sdma_execute(struct vgpu *g, u32 header);

#endif /* VGPU_SDMA_H */

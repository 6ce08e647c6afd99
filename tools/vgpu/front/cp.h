/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command processor.
 */
#ifndef VGPU_CP_H
#define VGPU_CP_H

#include "sq/sq.h"
#include "types.h"

struct vgpu;

int vgpu_cp_init(struct vgpu *g);
void vgpu_cp_fini(struct vgpu *g);
void vgpu_cp_reset(struct vgpu *g);
/* Its firmware begins anew: queues stop, and begin at 0. What they have started stays. */
void vgpu_cp_boot(struct vgpu *g);
/* A write to a doorbell; @index in dwords. True when it was for the CP. */
bool vgpu_cp_doorbell(struct vgpu *g, u32 index, u64 value);
/* Process packets. True when something was done. */
bool vgpu_cp_run(struct vgpu *g);
/* Has any queue packets that are not done? */
bool vgpu_cp_busy(const struct vgpu *g);
bool vgpu_cp_polling(struct vgpu *g);
/* Fault injection: the queue takes no more packets until reset. */
int vgpu_cp_hang(struct vgpu *g, struct vgpu_queue_id id);

#endif /* VGPU_CP_H */

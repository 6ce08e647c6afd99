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
/* Restart the firmware: queues stop, and begin at 0. Waves that they have started stay. */
void vgpu_cp_boot(struct vgpu *g);
/* Handle a write to a doorbell; @index is in dwords. Returns whether it is one of the CP. */
bool vgpu_cp_doorbell(struct vgpu *g, u32 index, u64 value);
/* Process packets. Returns whether there were any. */
bool vgpu_cp_run(struct vgpu *g);
/* Does a queue have packets that are not complete? */
bool vgpu_cp_busy(const struct vgpu *g);
bool vgpu_cp_polling(struct vgpu *g);
/* Fault injection: the queue takes no more packets until reset. */
int vgpu_cp_hang(struct vgpu *g, struct vgpu_queue_id id);

#endif /* VGPU_CP_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fault injection: failures that a test requests, each a number of times.
 */
#ifndef VGPU_FAULTS_H
#define VGPU_FAULTS_H

#include "types.h"

struct vgpu;

enum vgpu_fault {
	VGPU_FAULT_DROP_IRQ,		/* the next interrupts are not raised */
	VGPU_FAULT_CORRUPT_READ,	/* the next reads of a register are wrong */
	VGPU_FAULT_IGNORE_SQ_CMD,	/* the next wave commands do nothing */
	VGPU_FAULT_IGNORE_RESUME,	/* those of them that resume waves */
	VGPU_NUM_FAULTS,
};

int vgpu_faults_init(struct vgpu *g);
void vgpu_faults_fini(struct vgpu *g);
/*
 * @arg limits a fault to one register (its dword), or to one command (SQ_CMD.CMD, for
 * VGPU_FAULT_IGNORE_SQ_CMD); VGPU_FAULT_ANY: no limit.
 */
#define VGPU_FAULT_ANY (~0U)
const char *vgpu_fault_name(enum vgpu_fault f);
void vgpu_fault_arm(struct vgpu *g, enum vgpu_fault f, u32 count, u32 arg);
/* Must the fault happen now? If so, one request is used up. */
bool vgpu_fault_take(struct vgpu *g, enum vgpu_fault f, u32 arg);

#endif /* VGPU_FAULTS_H */

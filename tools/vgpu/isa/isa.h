/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions. One list of semantic operations for all generations, one
 * decode table (format, opcode) -> operation per generation.
 */
#ifndef VGPU_ISA_H
#define VGPU_ISA_H

#include "types.h"

struct vgpu;
struct vgpu_isa;
struct vgpu_wave;

extern const struct vgpu_isa vgpu_isa_gfx10_3;
/* The instruction set of the GPU. */
const struct vgpu_isa *vgpu_isa_of(const struct vgpu *g);
/* NULL when there is none of that name. */
const struct vgpu_isa *vgpu_isa_find(const char *name);

int vgpu_isa_init(struct vgpu *g);
void vgpu_isa_fini(struct vgpu *g);

/*
 * Run up to @n instructions of @w (exactly one at a time when w->slow). Comes
 * back early when w->stop becomes non-zero, and after one that takes long. Returns
 * how many were run. Must not be called for a wave with w->stop set.
 */
unsigned int vgpu_isa_run(struct vgpu *g, struct vgpu_wave *w, unsigned int n);

/*
 * Forget decoded instructions: of one VMID, or of all with ~0U. As on
 * hardware, a debugger that patches code must invalidate the instruction cache
 * (ACQUIRE_MEM, s_icache_inv, the start of a dispatch), else old code may run.
 */
void vgpu_isa_invalidate(struct vgpu *g, unsigned int vmid);

#endif /* VGPU_ISA_H */

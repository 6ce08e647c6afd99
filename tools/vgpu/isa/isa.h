/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions. There is one list of operations for all generations, and for each
 * generation a decode table from (format, opcode) to an operation.
 */
#ifndef VGPU_ISA_H
#define VGPU_ISA_H

#include "types.h"

struct vgpu;
struct vgpu_isa;
struct vgpu_wave;

extern const struct vgpu_isa vgpu_isa_gfx10_3;
/* Get the instruction set of the GPU. */
const struct vgpu_isa *vgpu_isa_of(const struct vgpu *g);
/* Get an instruction set by name; NULL: there is none. */
const struct vgpu_isa *vgpu_isa_find(const char *name);

int vgpu_isa_init(struct vgpu *g);
void vgpu_isa_fini(struct vgpu *g);

/*
 * Execute up to @n instructions of @w, for which w->stop must be 0. Returns their number,
 * which is less than @n if w->stop becomes non-zero, or after an instruction that takes
 * long.
 */
unsigned int vgpu_isa_run(struct vgpu *g, struct vgpu_wave *w, unsigned int n);

/*
 * Discard decoded instructions: of one VMID, or of all with ~0U. As on
 * hardware, a debugger that patches code must invalidate the instruction cache
 * (ACQUIRE_MEM, s_icache_inv, the start of a dispatch), or old code may run.
 */
void vgpu_isa_invalidate(struct vgpu *g, unsigned int vmid);

#endif /* VGPU_ISA_H */

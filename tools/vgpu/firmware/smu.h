/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The system management unit.
 */
#ifndef VGPU_SMU_H
#define VGPU_SMU_H

#include "types.h"

struct vgpu;

int vgpu_smu_init(struct vgpu *g);
void vgpu_smu_fini(struct vgpu *g);
void vgpu_smu_reset(struct vgpu *g);
/* Does the driver allow GFXOFF? If so, it must not access GC. */
bool vgpu_smu_gfxoff_allowed(struct vgpu *g);
/* Is the graphics core off? Only if nothing runs there. */
bool vgpu_smu_core_off(struct vgpu *g);

#endif /* VGPU_SMU_H */

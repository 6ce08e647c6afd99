/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The platform security processor.
 */
#ifndef VGPU_PSP_H
#define VGPU_PSP_H

#include "types.h"

struct vgpu;

int vgpu_psp_init(struct vgpu *g);
void vgpu_psp_fini(struct vgpu *g);
void vgpu_psp_reset(struct vgpu *g);

#endif /* VGPU_PSP_H */

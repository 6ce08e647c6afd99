/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * North bridge: indirect access to registers, the size of memory, and SMN registers.
 */
#ifndef VGPU_NBIO_H
#define VGPU_NBIO_H

#include "types.h"

struct vgpu;

int vgpu_nbio_init(struct vgpu *g);
void vgpu_nbio_fini(struct vgpu *g);
void vgpu_nbio_reset(struct vgpu *g);
/* Access an SMN register, as PCIE_INDEX2 and PCIE_DATA2 do. @addr is in bytes. */
u32 vgpu_smn_read(struct vgpu *g, u32 addr);
void vgpu_smn_write(struct vgpu *g, u32 addr, u32 val);

#endif /* VGPU_NBIO_H */

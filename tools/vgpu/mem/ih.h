/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interrupt ring.
 */
#ifndef VGPU_IH_H
#define VGPU_IH_H

#include "profiles/profile.h"

struct vgpu;

struct vgpu_iv {
	struct vgpu_iv_source source;
	u8 ring_id;
	u8 vmid;
	u16 pasid;	/* filled from IH_VMID_n_LUT when vmid is not 0 */
	u32 src_data[4];
};

int vgpu_ih_init(struct vgpu *g);
void vgpu_ih_fini(struct vgpu *g);
void vgpu_ih_reset(struct vgpu *g);
/* Append an entry to ring 0 and interrupt the host. */
void vgpu_ih_push(struct vgpu *g, const struct vgpu_iv *iv);
/* Handle a write to a doorbell. Returns whether it is that of IH_DOORBELL_RPTR. */
bool vgpu_ih_doorbell(struct vgpu *g, u32 index, u64 value);
/* Get the PASID that the driver has written to IH_VMID_n_LUT. */
u16 vgpu_ih_pasid(struct vgpu *g, unsigned int vmid);

#endif /* VGPU_IH_H */

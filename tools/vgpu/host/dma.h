/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Guest memory that the host shares with the device: the table of vfio-user's
 * DMA_MAP and DMA_UNMAP, and the lookup by bus address.
 */
#ifndef VGPU_DMA_H
#define VGPU_DMA_H

#include "types.h"

struct vgpu;

int vgpu_dma_init(struct vgpu *g);
void vgpu_dma_fini(struct vgpu *g);

/*
 * Map @size bytes at @offset of @fd to bus address @addr. The caller keeps @fd; without
 * one (-1: ROM, this GPU's own BAR 0) the addresses are in use, but cannot be read.
 * -EEXIST: it overlaps another region.
 */
int vgpu_dma_map(struct vgpu *g, u64 addr, u64 size, u64 offset, int fd,
		 bool writable);
/*
 * Unmap all regions inside [addr, addr + size). -ENOENT: there is none; -EINVAL: a region
 * is only partly inside (nothing is unmapped).
 */
int vgpu_dma_unmap(struct vgpu *g, u64 addr, u64 size);
/* Unmap all regions: the host has disconnected. */
void vgpu_dma_unmap_all(struct vgpu *g);

/*
 * Get the host address of @len bytes of guest memory at @addr; NULL: they are not all in
 * one region. It is valid until regions change, so look it up for each access.
 */
u8 *vgpu_dma_ptr(struct vgpu *g, u64 addr, size_t len, bool write);

#endif /* VGPU_DMA_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Guest memory as the host lends it to the device: the table of vfio-user's
 * DMA_MAP and DMA_UNMAP, and the look-up by bus address.
 */
#ifndef VGPU_DMA_H
#define VGPU_DMA_H

#include "types.h"

struct vgpu;

int vgpu_dma_init(struct vgpu *g);
void vgpu_dma_fini(struct vgpu *g);

/*
 * Map @size bytes at @offset of @fd to bus address @addr. The fd stays the
 * caller's; without one (-1: ROM, our own BAR 0) the addresses are taken, but
 * there is nothing to read. -EEXIST when it overlaps a region that is there.
 */
int vgpu_dma_map(struct vgpu *g, u64 addr, u64 size, u64 offset, int fd,
		 bool writable);
/*
 * Unmap all regions that lie inside [addr, addr + size). -ENOENT when there is
 * none, -EINVAL when a region is only partly covered (nothing is unmapped).
 */
int vgpu_dma_unmap(struct vgpu *g, u64 addr, u64 size);
/* The peer is gone. */
void vgpu_dma_unmap_all(struct vgpu *g);

/*
 * Host address of @len bytes of guest memory at @addr; NULL unless they all lie
 * in one region. Region changes make it stale: ask again for each access.
 */
u8 *vgpu_dma_ptr(struct vgpu *g, u64 addr, size_t len, bool write);

#endif /* VGPU_DMA_H */

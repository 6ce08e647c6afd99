/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PCI function: configuration space, BARs and expansion ROM, as regions
 * with the numbers of vfio (VFIO_PCI_BAR0_REGION_INDEX..).
 */
#ifndef VGPU_PCI_H
#define VGPU_PCI_H

#include "types.h"

struct vgpu;

struct vgpu_pci_region {
	u64 size;		/* 0: no such region */
	bool writable;
	int mmap_fd;		/* whole region, from offset 0; -1: trapped */
};

int vgpu_pci_init(struct vgpu *g);
void vgpu_pci_fini(struct vgpu *g);
void vgpu_pci_reset(struct vgpu *g);

void vgpu_pci_region(struct vgpu *g, u32 index, struct vgpu_pci_region *r);
/*
 * Access a region. -EINVAL: there is no such region, the access is beyond its end, or has
 * a size that its registers do not allow.
 */
int vgpu_pci_read(struct vgpu *g, u32 region, u64 offset, void *buf, u32 len);
int vgpu_pci_write(struct vgpu *g, u32 region, u64 offset, const void *buf,
		   u32 len);

#endif /* VGPU_PCI_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The messages of vfio-user that vgpu answers (QEMU docs/interop/vfio-user.rst, version
 * 0.0). Payloads that are the same as those of vfio's ioctls use the structures of
 * linux/vfio.h: vfio_region_info, vfio_irq_info, vfio_irq_set.
 */
#ifndef VGPU_VFIO_USER_H
#define VGPU_VFIO_USER_H

#include <linux/vfio.h>

#include "types.h"

enum vfio_user_command {
	VFIO_USER_VERSION = 1,
	VFIO_USER_DMA_MAP = 2,
	VFIO_USER_DMA_UNMAP = 3,
	VFIO_USER_DEVICE_GET_INFO = 4,
	VFIO_USER_DEVICE_GET_REGION_INFO = 5,
	VFIO_USER_DEVICE_GET_IRQ_INFO = 7,
	VFIO_USER_DEVICE_SET_IRQS = 8,
	VFIO_USER_REGION_READ = 9,
	VFIO_USER_REGION_WRITE = 10,
	VFIO_USER_DEVICE_RESET = 13,
};

/* vfio_user_header.flags */
#define VFIO_USER_TYPE_MASK	0xfU
#define VFIO_USER_REPLY		0x1U
#define VFIO_USER_NO_REPLY	BIT(4)
#define VFIO_USER_ERROR		BIT(5)

struct vfio_user_header {
	u16 id;
	u16 command;
	u32 size;		/* size of the whole message with the header */
	u32 flags;
	u32 error;		/* errno, with VFIO_USER_ERROR */
};

struct vfio_user_version {
	u16 major, minor;
	char json[];		/* capabilities, NUL-terminated */
};

/* vfio_user_dma_map.flags */
#define VFIO_USER_DMA_READ	BIT(0)
#define VFIO_USER_DMA_WRITE	BIT(1)

struct vfio_user_dma_map {
	u32 argsz, flags;
	u64 offset;		/* into the fd */
	u64 addr, size;
};

struct vfio_user_dma_unmap {
	u32 argsz, flags;
	u64 addr, size;
};

struct vfio_user_device_info {
	u32 argsz, flags;
	u32 num_regions, num_irqs;
};

struct vfio_user_region_rw {
	u64 offset;
	u32 region;
	u32 count;
	u8 data[];
};

/* Maximum number of data bytes of REGION_READ and REGION_WRITE: max_data_xfer_size */
#define VFIO_USER_MAX_XFER	(1U << 20)
#define VFIO_USER_MAX_FDS	8

#endif /* VGPU_VFIO_USER_H */

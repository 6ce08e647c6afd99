/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields of PM4 packets that are the same for all generations of the driver from gfx9 on:
 * where both soc15d.h (gfx9) and nvd.h (gfx10 and gfx11) define a field, it is the same
 * (Linux 6.1; fields of COPY_DATA, ATOMIC_MEM, INDIRECT_BUFFER, COND_EXEC and REWIND:
 * nvd.h, Linux 7.2). Fields that differ are in struct vgpu_pm4_layout.
 */
#ifndef VGPU_PM4_FIELDS_H
#define VGPU_PM4_FIELDS_H

#include "types.h"

/* Register ranges of the SET_*_REG packets (nvd.h, soc15d.h). */
#define VGPU_CONFIG_REG_FIRST	0x2000
#define VGPU_CONFIG_REG_LAST	0x2bff
#define VGPU_SH_REG_FIRST	0x2c00
#define VGPU_SH_REG_LAST	0x2fff
#define VGPU_CONTEXT_REG_FIRST	0xa000
#define VGPU_CONTEXT_REG_LAST	0xa3ff
/* The range ends at 0xc3ff in nvd.h; the performance counters follow it (gc_10_3_0). */
#define VGPU_UCONFIG_REG_FIRST	0xc000
#define VGPU_UCONFIG_REG_LAST	0xdfff
#define VGPU_NUM_SH_REGS	(VGPU_SH_REG_LAST - VGPU_SH_REG_FIRST + 1)

#define SET_REG_OFFSET			GENMASK(15, 0)
#define INDIRECT_BUFFER_SIZE		GENMASK(19, 0)
#define INDIRECT_BUFFER_CHAIN		BIT(20)
#define INDIRECT_BUFFER_VMID		GENMASK(27, 24)
#define COND_EXEC_COUNT			GENMASK(13, 0)
#define REWIND_VALID			BIT(31)
#define SET_BASE_INDEX			GENMASK(3, 0)
#define SET_BASE_INDIRECT		1	/* the base for DISPATCH_INDIRECT */

#define WRITE_DATA_DST_SEL		GENMASK(11, 8)
#define WRITE_DATA_ONE_ADDR		BIT(16)
#define WRITE_DATA_DST_REG		0
#define WRITE_DATA_DST_MEM_SYNC		1
#define WRITE_DATA_DST_L2		2
#define WRITE_DATA_DST_MEM_ASYNC	5
/* gfx_v10_0_ring_emit_ce_meta() uses this value for memory. */
#define WRITE_DATA_DST_MEM_META		8

#define COPY_DATA_SRC_SEL		GENMASK(3, 0)
#define COPY_DATA_DST_SEL		GENMASK(11, 8)
#define COPY_DATA_COUNT_64		BIT(16)
#define COPY_DATA_REG			0
#define COPY_DATA_MEM_OLD		1
#define COPY_DATA_MEM			2
#define COPY_DATA_PERF			4
#define COPY_DATA_IMM			5	/* as source */
#define COPY_DATA_MEM_DST		5	/* as destination */
#define COPY_DATA_ATOMIC_RETURN		6
#define COPY_DATA_GPU_CLOCK		9
#define COPY_DATA_SYSTEM_CLOCK		10

#define DMA_DATA_DST_SEL		GENMASK(21, 20)
#define DMA_DATA_SRC_SEL		GENMASK(30, 29)
#define DMA_DATA_DST_NOWHERE		2
#define DMA_DATA_SEL_GDS		1
#define DMA_DATA_SRC_DATA		2
#define DMA_DATA_SAS_REGISTER		BIT(26)
#define DMA_DATA_DAS_REGISTER		BIT(27)
#define DMA_DATA_SAIC			BIT(28)
#define DMA_DATA_DAIC			BIT(29)

#define ATOMIC_MEM_ATOMIC		GENMASK(6, 0)
#define ATOMIC_MEM_COMMAND		GENMASK(11, 8)
#define ATOMIC_MEM_LOOP			1

#define WAIT_FUNCTION			GENMASK(2, 0)
#define WAIT_MEM_SPACE			GENMASK(5, 4)
#define WAIT_OPERATION			GENMASK(7, 6)
#define WAIT_OPERATION_WR_WAIT_WR	1

#define RELEASE_MEM_INT_SEL		GENMASK(26, 24)
#define RELEASE_MEM_DATA_SEL		GENMASK(31, 29)
#define RELEASE_MEM_INT_ONLY		1
#define RELEASE_MEM_INT_CONFIRMED	2

#define EVENT_TYPE			GENMASK(5, 0)
#define EVENT_INDEX			GENMASK(11, 8)
#define EVENT_INDEX_PARTIAL_FLUSH	4

#define MAP_QUEUES_QUEUE_SEL		GENMASK(5, 4)
#define MAP_QUEUES_QUEUE		GENMASK(15, 13)
#define MAP_QUEUES_PIPE			GENMASK(17, 16)
#define MAP_QUEUES_ME			BIT(18)
#define MAP_QUEUES_ENGINE_SEL		GENMASK(28, 26)
#define MAP_QUEUES_DOORBELL		GENMASK(27, 2)
#define UNMAP_QUEUES_ACTION		GENMASK(1, 0)
#define UNMAP_QUEUES_QUEUE_SEL		GENMASK(5, 4)
#define UNMAP_QUEUES_NUM_QUEUES		GENMASK(31, 29)
#define UNMAP_QUEUES_DOORBELL		GENMASK(27, 2)
#define QUERY_STATUS_COMMAND		GENMASK(31, 30)
#define INVALIDATE_TLBS_DST_SEL		GENMASK(3, 0)
#define INVALIDATE_TLBS_PASID		GENMASK(20, 5)

#endif /* VGPU_PM4_FIELDS_H */

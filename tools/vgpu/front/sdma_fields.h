/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields of SDMA's packets that are the same for all versions from 4.0 on, in each of
 * vega10_sdma_pkt_open.h (4.x), navi10_sdma_pkt_open.h (5.x) and sdma_v6_0_0_pkt_open.h
 * (6.x) that has the packet (Linux 6.1). Fields that differ are in struct
 * vgpu_sdma_layout.
 */
#ifndef VGPU_SDMA_FIELDS_H
#define VGPU_SDMA_FIELDS_H

#include "types.h"

#define SDMA_SUBOP_COPY_LINEAR		0
#define SDMA_SUBOP_COPY_LINEAR_SUB_WIND	4
#define SDMA_SUBOP_TIMESTAMP_SET	0
#define SDMA_SUBOP_VM_INVALIDATION	4	/* of POLL_REGMEM; 5.x and 6.x, Linux 7.2 */

#define HEADER_OP			GENMASK(7, 0)
#define HEADER_SUB_OP			GENMASK(15, 8)
#define NOP_COUNT			GENMASK(29, 16)
#define COPY_BROADCAST			BIT(27)
#define SUBWIN_ELEMENTSIZE		GENMASK(31, 29)
#define SUBWIN_X			GENMASK(13, 0)
#define SUBWIN_Y			GENMASK(29, 16)
#define SUBWIN_PITCH			GENMASK(31, 13)
#define SUBWIN_SLICE_PITCH		GENMASK(27, 0)
#define WRITE_COUNT			GENMASK(19, 0)
#define INDIRECT_VMID			GENMASK(19, 16)
#define INDIRECT_SIZE			GENMASK(19, 0)
#define TRAP_CONTEXT			GENMASK(27, 0)
#define POLL_HDP_FLUSH			BIT(26)
#define POLL_FUNC			GENMASK(30, 28)
#define POLL_MEM			BIT(31)
#define COND_EXE_COUNT			GENMASK(13, 0)
#define ATOMIC_LOOP			BIT(16)
#define ATOMIC_OP			GENMASK(31, 25)
#define PTEPDE_COUNT			GENMASK(18, 0)
#define SRBM_BYTE_EN			GENMASK(31, 28)
#define SRBM_ADDR			GENMASK(17, 0)
#define GPUVM_INV_VMIDS			GENMASK(15, 0)
#define GCR_CONTROL_LO			GENMASK(31, 16)
#define GCR_GLI_INV			GENMASK(1, 0)

#endif /* VGPU_SDMA_FIELDS_H */

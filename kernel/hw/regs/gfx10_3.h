/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registers of gfx10.3 that are used, and only those. Names are AMD's:
 * REGISTER for mmREGISTER and ixREGISTER, REGISTER_FIELD for REGISTER__FIELD.
 * Offsets count in registers from a base (segment) of the IP.
 *
 * Read from drivers/gpu/drm/amd/include/asic_reg of Linux 7.2:
 * gc/gc_10_3_0_offset.h, gc/gc_10_3_0_sh_mask.h, oss/osssys_5_0_0_offset.h,
 * oss/osssys_5_0_0_sh_mask.h; SQ_CMD's values from include/navi10_enum.h.
 */
#ifndef WDBG_REGS_GFX10_3_H
#define WDBG_REGS_GFX10_3_H

#include <linux/bits.h>

/* GC, segment 1 */
#define GRBM_GFX_INDEX					0x2200
#define GRBM_GFX_INDEX_INSTANCE_INDEX			GENMASK(7, 0)
#define GRBM_GFX_INDEX_SA_INDEX				GENMASK(15, 8)
#define GRBM_GFX_INDEX_SE_INDEX				GENMASK(23, 16)
#define GRBM_GFX_INDEX_SA_BROADCAST_WRITES		BIT(29)
#define GRBM_GFX_INDEX_INSTANCE_BROADCAST_WRITES	BIT(30)
#define GRBM_GFX_INDEX_SE_BROADCAST_WRITES		BIT(31)

/* GC, segment 0 */
#define SQ_IND_INDEX					0x1118
#define SQ_IND_INDEX_WAVE_ID				GENMASK(4, 0)
#define SQ_IND_INDEX_INDEX				GENMASK(31, 16)
#define SQ_IND_DATA					0x1119
#define SQ_CMD						0x111b
#define SQ_CMD_CMD					GENMASK(3, 0)
#define SQ_CMD_MODE					GENMASK(6, 4)
#define SQ_CMD_CHECK_VMID				BIT(7)
#define SQ_CMD_DATA					GENMASK(11, 8)
#define SQ_CMD_WAVE_ID					GENMASK(20, 16)
#define SQ_CMD_VM_ID					GENMASK(31, 28)

/* enum SQ_IND_CMD_CMD, enum SQ_IND_CMD_MODE */
#define SQ_IND_CMD_CMD_SETHALT				1
#define SQ_IND_CMD_MODE_SINGLE				0
#define SQ_IND_CMD_MODE_BROADCAST			1

/* Behind SQ_IND_INDEX.INDEX */
#define SQ_WAVE_ACTIVE					0x000a
#define SQ_WAVE_ACTIVE_WAVE_SLOT			GENMASK(19, 0)
#define SQ_WAVE_MODE					0x0101
#define SQ_WAVE_STATUS					0x0102
#define SQ_WAVE_STATUS_PRIV				BIT(5)
#define SQ_WAVE_STATUS_HALT				BIT(13)
#define SQ_WAVE_STATUS_VALID				BIT(16)
#define SQ_WAVE_TRAPSTS					0x0103
#define SQ_WAVE_GPR_ALLOC				0x0105
#define SQ_WAVE_LDS_ALLOC				0x0106
#define SQ_WAVE_IB_STS					0x0107
#define SQ_WAVE_PC_LO					0x0108
#define SQ_WAVE_PC_HI					0x0109
#define SQ_WAVE_INST_DW0				0x010a
#define SQ_WAVE_IB_DBG1					0x010d
#define SQ_WAVE_HW_ID1					0x0117
#define SQ_WAVE_HW_ID2					0x0118
#define SQ_WAVE_HW_ID2_VM_ID				GENMASK(27, 24)
#define SQ_WAVE_IB_STS2					0x011c
#define SQ_WAVE_IB_STS2_WAVE64				BIT(11)
#define SQ_WAVE_M0					0x027c
#define SQ_WAVE_EXEC_LO					0x027e
#define SQ_WAVE_EXEC_HI					0x027f

/* OSSSYS, segment 0; one per VMID */
#define IH_VMID_0_LUT					0x0000
#define IH_VMID_0_LUT_PASID				GENMASK(15, 0)

#endif /* WDBG_REGS_GFX10_3_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registers of gfx10.3 that are used, and only those. Names are AMD's:
 * REGISTER for mmREGISTER and ixREGISTER, REGISTER_FIELD for REGISTER__FIELD.
 * Offsets count in registers from a base (segment) of the IP.
 *
 * Read from drivers/gpu/drm/amd/include/asic_reg of Linux 7.2:
 * gc/gc_10_3_0_offset.h, gc/gc_10_3_0_sh_mask.h, oss/osssys_5_0_0_offset.h,
 * oss/osssys_5_0_0_sh_mask.h; SQ_CMD's values from include/navi10_enum.h;
 * SQ_WATCH0_CNTL_MODE from gc/gc_10_1_0_sh_mask.h.
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

#define SQC_CACHES					0x2348
#define SQC_CACHES_TARGET_INST				BIT(0)
#define SQC_CACHES_INVALIDATE				BIT(2)

/* GC, segment 0 */
#define GRBM_GFX_CNTL					0x0dc2
#define GRBM_GFX_CNTL_VMID				GENMASK(7, 4)
#define SH_MEM_BASES					0x10aa
#define SH_MEM_BASES_PRIVATE_BASE			GENMASK(15, 0)
#define SH_MEM_BASES_SHARED_BASE			GENMASK(31, 16)
#define SQ_SHADER_TBA_LO				0x10b2
#define SQ_SHADER_TBA_HI				0x10b3
#define SQ_SHADER_TBA_HI_ADDR_HI			GENMASK(7, 0)
#define SQ_SHADER_TBA_HI_TRAP_EN			BIT(31)
#define SQ_SHADER_TMA_LO				0x10b4
#define SQ_SHADER_TMA_HI				0x10b5
#define SQ_SHADER_TMA_HI_ADDR_HI			GENMASK(7, 0)
#define SQ_IND_INDEX					0x1118
#define SQ_IND_INDEX_WAVE_ID				GENMASK(4, 0)
#define SQ_IND_INDEX_WORKITEM_ID			GENMASK(10, 5)
#define SQ_IND_INDEX_AUTO_INCR				BIT(11)
#define SQ_IND_INDEX_INDEX				GENMASK(31, 16)
#define SQ_IND_DATA					0x1119
#define SQ_CMD						0x111b
#define SQ_CMD_CMD					GENMASK(3, 0)
#define SQ_CMD_MODE					GENMASK(6, 4)
#define SQ_CMD_CHECK_VMID				BIT(7)
#define SQ_CMD_DATA					GENMASK(11, 8)
#define SQ_CMD_WAVE_ID					GENMASK(20, 16)
#define SQ_CMD_VM_ID					GENMASK(31, 28)

/* Four watches, each ADDR_H, ADDR_L, CNTL */
#define NUM_WATCHES					4
#define SQ_WATCH0_ADDR_H				0x10d0
#define SQ_WATCH_STRIDE					3
#define SQ_WATCH0_CNTL_MASK				GENMASK(23, 0)
#define SQ_WATCH0_CNTL_VMID				GENMASK(27, 24)
#define SQ_WATCH0_CNTL_MODE				GENMASK(30, 29)
#define SQ_WATCH0_CNTL_VALID				BIT(31)
#define SPI_GDBG_WAVE_CNTL				0x1f71
#define SPI_GDBG_WAVE_CNTL_STALL_VMID			GENMASK(16, 1)
#define SPI_GDBG_TRAP_MASK				0x1f73
#define SPI_GDBG_TRAP_MASK_EXCP_EN			GENMASK(8, 0)
#define SPI_GDBG_TRAP_MASK_REPLACE			BIT(9)
#define SPI_GDBG_WAVE_CNTL2				0x1f74
#define SPI_GDBG_WAVE_CNTL2_VMID_MASK			GENMASK(15, 0)
#define SPI_GDBG_WAVE_CNTL2_MODE			GENMASK(17, 16)
#define TCP_WATCH0_ADDR_H				0x2040
#define TCP_WATCH0_ADDR_H_ADDR				GENMASK(15, 0)
#define TCP_WATCH_STRIDE				3
#define TCP_WATCH0_CNTL_MASK				GENMASK(22, 0)
#define TCP_WATCH0_CNTL_VMID				GENMASK(27, 24)
#define TCP_WATCH0_CNTL_MODE				GENMASK(30, 29)
#define TCP_WATCH0_CNTL_VALID				BIT(31)

/* enum SQ_IND_CMD_CMD, enum SQ_IND_CMD_MODE */
#define SQ_IND_CMD_CMD_SETHALT				1
#define SQ_IND_CMD_CMD_KILL				3
#define SQ_IND_CMD_CMD_DEBUG				4
#define SQ_IND_CMD_CMD_TRAP				5
#define SQ_IND_CMD_CMD_SINGLE_STEP			8
#define SQ_IND_CMD_MODE_SINGLE				0
#define SQ_IND_CMD_MODE_BROADCAST			1

/* Behind SQ_IND_INDEX.INDEX */
#define SQ_WAVE_ACTIVE					0x000a
#define SQ_WAVE_ACTIVE_WAVE_SLOT			GENMASK(19, 0)
#define SQ_WAVE_VALID_AND_IDLE				0x000b
#define SQ_WAVE_VALID_AND_IDLE_WAVE_SLOT		GENMASK(19, 0)
#define SQ_WAVE_MODE					0x0101
#define SQ_WAVE_MODE_FP_ROUND				GENMASK(3, 0)
#define SQ_WAVE_MODE_FP_DENORM				GENMASK(7, 4)
#define SQ_WAVE_MODE_DX10_CLAMP				BIT(8)
#define SQ_WAVE_MODE_IEEE				BIT(9)
#define SQ_WAVE_MODE_LOD_CLAMPED			BIT(10)
/* SQ_WAVE_MODE_DEBUG_EN_MASK of amdkfd/cwsr_trap_handler_gfx10.asm */
#define SQ_WAVE_MODE_DEBUG_EN				BIT(11)
#define SQ_WAVE_MODE_EXCP_EN				GENMASK(20, 12)
#define SQ_WAVE_MODE_FP16_OVFL				BIT(23)
#define SQ_WAVE_MODE_DISABLE_PERF			BIT(27)
#define SQ_WAVE_STATUS					0x0102
#define SQ_WAVE_STATUS_SCC				BIT(0)
#define SQ_WAVE_STATUS_USER_PRIO			GENMASK(4, 3)
#define SQ_WAVE_STATUS_PRIV				BIT(5)
#define SQ_WAVE_STATUS_TRAP_EN				BIT(6)
#define SQ_WAVE_STATUS_IN_BARRIER			BIT(12)
#define SQ_WAVE_STATUS_HALT				BIT(13)
#define SQ_WAVE_STATUS_VALID				BIT(16)
#define SQ_WAVE_STATUS_SKIP_EXPORT			BIT(18)
#define SQ_WAVE_STATUS_PERF_EN				BIT(19)
#define SQ_WAVE_STATUS_FATAL_HALT			BIT(23)
#define SQ_WAVE_STATUS_MUST_EXPORT			BIT(27)
#define SQ_WAVE_TRAPSTS					0x0103
#define SQ_WAVE_TRAPSTS_EXCP				GENMASK(8, 0)
#define SQ_WAVE_TRAPSTS_ILLEGAL_INST			BIT(11)
#define SQ_WAVE_TRAPSTS_EXCP_HI				GENMASK(14, 12)
#define SQ_WAVE_TRAPSTS_BUFFER_OOB			BIT(15)
#define SQ_WAVE_TRAPSTS_EXCP_CYCLE			GENMASK(19, 16)
#define SQ_WAVE_TRAPSTS_EXCP_GROUP_MASK			GENMASK(23, 20)
#define SQ_WAVE_TRAPSTS_EXCP_WAVE64HI			BIT(24)
#define SQ_WAVE_TRAPSTS_UTC_ERROR			BIT(28)
#define SQ_WAVE_GPR_ALLOC				0x0105
#define SQ_WAVE_GPR_ALLOC_VGPR_SIZE			GENMASK(15, 8)
#define SQ_WAVE_LDS_ALLOC				0x0106
#define SQ_WAVE_IB_STS					0x0107
#define SQ_WAVE_PC_LO					0x0108
#define SQ_WAVE_PC_HI					0x0109
#define SQ_WAVE_PC_HI_PC_HI				GENMASK(15, 0)
#define SQ_WAVE_INST_DW0				0x010a
#define SQ_WAVE_IB_DBG1					0x010d
#define SQ_WAVE_FLUSH_IB				0x010e
#define SQ_WAVE_FLAT_SCRATCH_LO				0x0114
#define SQ_WAVE_FLAT_SCRATCH_HI				0x0115
#define SQ_WAVE_HW_ID1					0x0117
#define SQ_WAVE_HW_ID2					0x0118
#define SQ_WAVE_HW_ID2_ME_ID				GENMASK(9, 8)
#define SQ_WAVE_HW_ID2_VM_ID				GENMASK(27, 24)
#define SQ_WAVE_SCHED_MODE				0x011a
#define SQ_WAVE_IB_STS2					0x011c
#define SQ_WAVE_IB_STS2_WAVE64				BIT(11)
/* SQIND_WAVE_SGPRS_OFFSET, SQIND_WAVE_VGPRS_OFFSET of navi10_enum.h */
#define SQIND_WAVE_SGPRS_OFFSET				0x0200
#define SQIND_WAVE_VGPRS_OFFSET				0x0400
#define SQ_WAVE_TTMP0					0x026c
#define SQ_WAVE_TTMP1					0x026d
#define SQ_WAVE_M0					0x027c
#define SQ_WAVE_EXEC_LO					0x027e
#define SQ_WAVE_EXEC_HI					0x027f

/*
 * Scalar instructions: "RDNA 2" Instruction Set Architecture, AMD 2020, 12.2 to 12.5
 * and 13.1. SOP_ENCODING is the part that distinguishes SOPK, with its opcode, SOP1 and
 * SOPP from each other and from all others.
 */
#define SOP_ENCODING					GENMASK(31, 23)
#define SOP_SIMM16					GENMASK(15, 0)
/* SIMM16 of a branch, which counts in words from the next instruction: -1 */
#define SIMM16_TO_ITSELF				0xffff
#define SOPK_ENCODING					0x160
#define S_CALL_B64					0x16
#define S_SUBVECTOR_LOOP_BEGIN				0x1b
#define S_SUBVECTOR_LOOP_END				0x1c
#define SOP1_ENCODING					0x17d
#define SOP1_OP						GENMASK(15, 8)
#define S_SETPC_B64					0x20
#define S_RFE_B64					0x22
#define SOPP_ENCODING					0x17f
#define SOPP_OP						GENMASK(22, 16)
#define S_ENDPGM					0x01
#define S_BRANCH					0x02
#define S_CBRANCH_SCC0					0x04
#define S_CBRANCH_EXECNZ				0x09
#define S_SETHALT					0x0d
#define S_CBRANCH_CDBGSYS				0x17
#define S_CBRANCH_CDBGSYS_AND_USER			0x1a
#define S_ENDPGM_SAVED					0x1b
#define S_ENDPGM_ORDERED_PS_DONE			0x1e

/* OSSSYS, segment 0; one per VMID */
#define IH_VMID_0_LUT					0x0000
#define IH_VMID_0_LUT_PASID				GENMASK(15, 0)

/* Bits of EXCP and of EXCP_EN: enum TRAPSTS of gfx10, RDNA 2 ISA */
#define SQ_EXCP_ADDR_WATCH0				BIT(7)
#define SQ_EXCP_MEM_VIOL				BIT(8)

/*
 * TTMP1 on entry to a handler: S_SAVE_PC_HI_* of amdkfd's
 * cwsr_trap_handler_gfx10.asm, Linux 6.1
 */
#define TTMP1_PC_HI					GENMASK(15, 0)
#define TTMP1_TRAP_ID					GENMASK(23, 16)
#define TTMP1_HT					BIT(24)
/* Unused by the hardware; see amdgpudbg_trap_handler */
#define TTMP1_RESUMED					BIT(31)

/*
 * Interrupts of the SQ: include/soc15_ih_clientid.h,
 * include/ivsrcid/gfx/irqsrcs_gfx_10_1.h, and for src_data
 * amdkfd/kfd_int_process_v10.c, Linux 6.12
 */
#define SOC15_IH_CLIENTID_SE0SH				0x0a
#define SOC15_IH_CLIENTID_SE3SH				0x0d
#define SOC15_IH_CLIENTID_GRBM_CP			0x14
#define SQ_INTERRUPT_ID					239

/*
 * Faults of an address space: gmc_v10_0_process_interrupt() of amdgpu/gmc_v10_0.c, the same
 * in Linux 6.1 to 7.2; irqsrcs_vmc_1_0.h. UTCL2 is the graphics hub, VMC the other one.
 */
#define SOC15_IH_CLIENTID_VMC				0x12
#define SOC15_IH_CLIENTID_UTCL2				0x1b
#define VM_FAULT_ID					0
#define VM_FAULT_DATA1_ADDRESS				GENMASK(3, 0)	/* [47:44] */
#define VM_FAULT_DATA1_WRITE				BIT(5)

/* Segment 0; gc_10_3_0_offset.h, gc_10_3_0_sh_mask.h */
#define GCVM_L2_PROTECTION_FAULT_STATUS			0x15c8
#define GCVM_L2_PROTECTION_FAULT_STATUS_CID		GENMASK(17, 9)
#define GCVM_L2_PROTECTION_FAULT_STATUS_RW		BIT(18)
#define GCVM_L2_PROTECTION_FAULT_STATUS_VMID		GENMASK(23, 20)
#define CID_SQC_INST					9	/* gfxhub_client_ids[] */
#define SQ_INTERRUPT_WORD_WAVE_CTXID0_DATA		GENMASK(22, 0)
#define SQ_INTERRUPT_WORD_WAVE_CTXID0_SA_ID		BIT(23)
#define SQ_INTERRUPT_WORD_WAVE_CTXID0_PRIV		BIT(24)
#define SQ_INTERRUPT_WORD_WAVE_CTXID0_WAVE_ID		GENMASK(29, 25)
#define SQ_INTERRUPT_WORD_WAVE_CTXID0_SIMD_ID		GENMASK(31, 30)
#define SQ_INTERRUPT_WORD_WAVE_CTXID1_WGP_ID		GENMASK(3, 0)
#define SQ_INTERRUPT_WORD_WAVE_CTXID1_SE_ID		GENMASK(5, 4)
#define SQ_INTERRUPT_WORD_WAVE_CTXID1_ENCODING		GENMASK(7, 6)
#define SQ_INTERRUPT_WORD_ENCODING_INST			1
#define SQ_INTERRUPT_WORD_ENCODING_ERROR		2
#define SQ_INTERRUPT_ERROR_TYPE				GENMASK(22, 19)
#define SQ_INTERRUPT_ERROR_TYPE_ILLEGAL_INST		1
#define SQ_INTERRUPT_ERROR_TYPE_MEMVIOL			2

#endif /* WDBG_REGS_GFX10_3_H */

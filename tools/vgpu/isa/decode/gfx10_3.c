// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The instruction set of gfx10.3.
 */
#include "isa/isa.h"
#include "isa/table.h"

/* SQ_HW_REG ids: LLVM 19 AMDGPU SIDefines.h; IB_STS2: gfx12's name for 28 */
static const u8 hwregs[VGPU_NUM_HWREG_IDS] = {
	[1] = VGPU_HWREG_MODE,
	[2] = VGPU_HWREG_STATUS,
	[3] = VGPU_HWREG_TRAPSTS,
	[5] = VGPU_HWREG_GPR_ALLOC,
	[6] = VGPU_HWREG_LDS_ALLOC,
	[7] = VGPU_HWREG_IB_STS,
	[15] = VGPU_HWREG_SH_MEM_BASES,
	[16] = VGPU_HWREG_TBA_LO,
	[17] = VGPU_HWREG_TBA_HI,
	[18] = VGPU_HWREG_TMA_LO,
	[19] = VGPU_HWREG_TMA_HI,
	[20] = VGPU_HWREG_FLAT_SCR_LO,
	[21] = VGPU_HWREG_FLAT_SCR_HI,
	[23] = VGPU_HWREG_HW_ID1,
	[24] = VGPU_HWREG_HW_ID2,
	[25] = VGPU_HWREG_POPS_PACKER,
	[26] = VGPU_HWREG_SCHED_MODE,
	[28] = VGPU_HWREG_IB_STS2,
	[29] = VGPU_HWREG_SHADER_CYCLES,
};

/* RDNA 2 ISA, DPP_CTRL Enumeration */
static const u8 dpp[VGPU_NUM_DPP] = {
	[0x00 ... 0x0f] = VGPU_DPP_QUAD_PERM,
	[0x10] = VGPU_DPP_ROW_SHL,
	[0x11] = VGPU_DPP_ROW_SHR,
	[0x12] = VGPU_DPP_ROW_ROR,
	[0x14] = VGPU_DPP_MIRROR,
	[0x15] = VGPU_DPP_ROW_SHARE,
	[0x16] = VGPU_DPP_ROW_XMASK,
};

const struct vgpu_isa vgpu_isa_gfx10_3 = {
	.name = "gfx10.3",
	.tables = vgpu_table_gfx10_3,
	.decode = vgpu_decode_gfx10,

	.hwregs = hwregs,
	.dpp = dpp,
	.formats = &vgpu_formats_gfx10,
	.buffer = &vgpu_buffer_gfx10,
	.image = &vgpu_image_gfx10,
	.sampler = &vgpu_sampler_gfx10,
	.pack = vgpu_pack_gfx10,
	.unpack = vgpu_unpack_gfx10,
	.excp_enabled = vgpu_excp_enabled_gfx10,
	/* LLVM 19 AMDGPU SIDefines.h */
	.msg_id = GENMASK(3, 0),
	.msg_interrupt = 1,
	.msg_get_doorbell = 10,
	/* KFD_DEBUG_DOORBELL_ID, kfd_int_process_v10.c (Linux 6.12) */
	.doorbell_id = GENMASK(9, 0),
	/* S_SAVE_PC_HI_*, cwsr_trap_handler_gfx10.asm (Linux 6.1) */
	.ttmp1_pc_hi = GENMASK(15, 0),
	.ttmp1_trap_id = GENMASK(23, 16),
	.ttmp1_host = BIT(24),
	/* RDNA ISA, S_TRAP: {1'h0, PC_REWIND[5:0], HT, TrapID[7:0], PC[47:32]} */
	.ttmp1_pc_rewind = GENMASK(30, 25),
	.pc_bits = 48,

	/*
	 * LLVM 19 AMDGPUBaseInfo.cpp, getTotalNumVGPRs(), getVGPREncodingGranule(),
	 * getVGPRAllocGranule(); LDS: AMDGPUUsage for gfx10.3.
	 */
	.simd_vgprs = 1024,
	.vgpr_counted = { 8, 4 },
	.vgpr_given = { 16, 8 },
	/* AMDGPUUsage of LLVM 19, compute_pgm_rsrc3 for gfx10 */
	.vgpr_shared = 8,
	.lds_bytes = 128 << 10,
	.lds_block = 512,
	.group_threads = 1024,
	.user_sgprs = 16,
	/*
	 * The wave's number in its group, and the field for ordered appends:
	 * load_subgroup_id_lowered() and nir_intrinsic_load_local_invocation_index in
	 * ac_nir_lower_intrinsics_to_args.c, Mesa 25.0.
	 */
	.tg_waves = GENMASK(5, 0),
	.tg_wave_id = GENMASK(24, 20),
	.tg_ordered = GENMASK(16, 6),
	.tg_first_wave = BIT(31),
};

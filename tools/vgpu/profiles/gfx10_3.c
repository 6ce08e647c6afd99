// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The generation gfx10.3. Register numbers are those of GC 10.3.x, whose base addresses are
 * the same on all its GPUs (vangogh_ip_offset.h, sienna_cichlid_ip_offset.h, Linux 6.1).
 */
#include "profiles/profiles.h"

/*
 * Registers that are banked by GRBM_GFX_CNTL. The only source for this is the driver: the
 * registers that it accesses between nv_grbm_select(adev, me, pipe, queue, vmid) and the
 * call that restores the selection. By queue: from CP_MQD_BASE_ADDR to the end of the group
 * (gfx_v10_0_kiq_init_register), CP_GFX_MQD_BASE_ADDR to CP_GFX_HQD_CE_WPTR_HI
 * (gfx_v10_0_gfx_mqd_init). By VMID: SH_MEM_BASES, SH_MEM_CONFIG
 * (gfx_v10_0_init_compute_vmid), SQ_SHADER_TBA_LO to TMA_HI
 * (program_trap_handler_settings_v10_3). Linux 7.2.12.
 */
static const struct vgpu_bank_range gfx10_3_banks[] = {
	{ VGPU_BANK_QUEUE, 0x030de, 0x0310d },
	{ VGPU_BANK_QUEUE, 0x03209, 0x0325f },
	{ VGPU_BANK_VMID, 0x0230a, 0x0230a },
	{ VGPU_BANK_VMID, 0x0230d, 0x0230d },
	{ VGPU_BANK_VMID, 0x02312, 0x02315 },
};

/*
 * Registers that a debugger writes and of which each WGP or shader engine has an instance.
 * Each WGP has an SQ; each CU has a TCP, but GRBM_GFX_INDEX does not distinguish the CUs of
 * a WGP here. Each shader engine has an SPI (GRBM_STATUS_SE0.SPI_BUSY,
 * gc_10_3_0_sh_mask.h, Linux 6.1). The ranges are SQ_SHADER_TBA_LO to TMA_HI,
 * SQ_WATCH0_ADDR_H to SQ_WATCH3_CNTL, TCP_WATCH0_ADDR_H to TCP_WATCH3_CNTL, and
 * SPI_GDBG_WAVE_CNTL to SPI_GDBG_WAVE_CNTL2.
 */
static const struct vgpu_owner_range gfx10_3_owners[] = {
	{ VGPU_OWNER_WGP, 0x02312, 0x02315 },
	{ VGPU_OWNER_WGP, 0x02330, 0x0233b },
	{ VGPU_OWNER_WGP, 0x032a0, 0x032ab },
	{ VGPU_OWNER_SE, 0x031d1, 0x031d4 },
};

/*
 * GC with SDMA0, but without the RLC (from 0xec00 on), which switches off the rest and
 * keeps its power: the driver writes RLC_PG_CNTL before it disallows GFXOFF
 * (gfx_v10_0_set_powergating_state, Linux 7.2.12).
 */
static const struct vgpu_reg_range gfx10_3_gfxoff[] = {
	{ 0x01260, 0x034ff },
	{ 0x0a000, 0x0ebff },
	{ 0x0f000, 0x0ffff },
};

/*
 * Registers with which the driver masks interrupts: when it is unbound, it does that before
 * it disallows GFXOFF (amdgpu_irq_disable_all and amdgpu_device_ip_fini_early in
 * amdgpu_device_fini_hw, Linux 6.1 and 6.12). Also the scratch register of ring tests,
 * which belong to a queue's reset (gfx_v10_0_reset_kcq, Linux 7.2).
 */
static const struct vgpu_reg_range gfx10_3_gfxoff_exempt[] = {
	{ 0x0127c, 0x0127c },	/* SDMA0_CNTL */
	{ 0x0285c, 0x0286b },	/* GCVM_CONTEXT0_CNTL to 15 */
	{ 0x0306a, 0x0306b },	/* CP_INT_CNTL_RING0, 1 */
	{ 0x03085, 0x0308c },	/* CP_ME1_PIPE0_INT_CNTL to CP_ME2_PIPE3 */
	{ 0x030b4, 0x030b4 },	/* CPC_INT_CNTL */
	{ 0x0c040, 0x0c040 },	/* SCRATCH_REG0 */
};

/*
 * SPI_GDBG_WAVE_CNTL to SPI_GDBG_TRAP_DATA1. The driver holds grbm_idx_mutex to be sure that
 * a write reaches all shader engines: kgd_gfx_v10_enable_debug_trap() and the functions
 * next to it (amdgpu_amdkfd_gfx_v10.c, Linux 6.12).
 */
static const struct vgpu_reg_range gfx10_3_broadcast[] = {
	{ 0x031d1, 0x031d9 },
};

static const u32 gfx10_3_fields[VGPU_NUM_FIELDS] = {
#include "generated/gfx10_3_fields.h"
};

const struct vgpu_generation vgpu_gfx10_3 = {
	.name = "gfx10.3",
	.isa = "gfx10.3",
	.fields = gfx10_3_fields,

	/* hub->ctx_distance and its neighbours in gfxhub_v2_1.c and mmhub_v2_3.c */
	.vm_context_stride = 1,
	.vm_context_addr_stride = 2,
	.gc_inv_eng_stride = 1,
	.mm_inv_eng_stride = 8,
	.num_inv_engs = 18,

	.banks = gfx10_3_banks,
	.num_banks = ARRAY_SIZE(gfx10_3_banks),
	.owners = gfx10_3_owners,
	.num_owners = ARRAY_SIZE(gfx10_3_owners),
	.gfxoff = gfx10_3_gfxoff,
	.num_gfxoff = ARRAY_SIZE(gfx10_3_gfxoff),
	.gfxoff_exempt = gfx10_3_gfxoff_exempt,
	.num_gfxoff_exempt = ARRAY_SIZE(gfx10_3_gfxoff_exempt),
	.broadcast = gfx10_3_broadcast,
	.num_broadcast = ARRAY_SIZE(gfx10_3_broadcast),

	/* struct v10_compute_mqd, v10_structs.h (Linux 7.2.12) */
	.compute_mqd = {
		.hqd_image = 512,
		.hqd_dwords = 59,
		.sh_image = 4,
		.sh_dwords = 80,
		.wptr_lo = 728,
		.wptr_hi = 732,
		.active = 520,
		.rptr = 552,
	},
	/* struct v10_gfx_mqd: from cp_mqd_base_addr on, and cp_gfx_hqd_wptr */
	.gfx_mqd = {
		.hqd_image = 512,
		.hqd_dwords = 18,
		.wptr_lo = 596,
		.wptr_hi = 600,
		.active = 520,
		.rptr = 552,
	},

	/* PACKET3_DMA_DATA, GCR_CNTL.GLI_INV of PACKET3_ACQUIRE_MEM: nvd.h (Linux 6.1) */
	.pm4 = {
		.dma_byte_count = GENMASK(25, 0),
		.acquire_icache = { 6, GENMASK(1, 0) },
	},
	/*
	 * SDMA_OP_*, SDMA_PKT_COPY_LINEAR_SUBWIN_*: navi10_sdma_pkt_open.h (Linux 6.12).
	 * Counts have 22 bits there, but 30 from SDMA 5.2 on (RADV, Mesa 25.0).
	 */
	.sdma = {
		.ops = {
			[0] = VGPU_SDMA_OP_NOP,
			[1] = VGPU_SDMA_OP_COPY,
			[2] = VGPU_SDMA_OP_WRITE,
			[4] = VGPU_SDMA_OP_INDIRECT,
			[5] = VGPU_SDMA_OP_FENCE,
			[6] = VGPU_SDMA_OP_TRAP,
			[8] = VGPU_SDMA_OP_POLL_REGMEM,
			[9] = VGPU_SDMA_OP_COND_EXE,
			[10] = VGPU_SDMA_OP_ATOMIC,
			[11] = VGPU_SDMA_OP_CONST_FILL,
			[12] = VGPU_SDMA_OP_PTEPDE,
			[13] = VGPU_SDMA_OP_TIMESTAMP,
			[14] = VGPU_SDMA_OP_SRBM_WRITE,
			[16] = VGPU_SDMA_OP_GPUVM_INV,
			[17] = VGPU_SDMA_OP_GCR_REQ,
		},
		.copy_count = GENMASK(29, 0),
		.fill_count = GENMASK(29, 0),
		.subwin_z = GENMASK(12, 0),
	},

	/* AMDGPU_PTE_*, amdgpu_vm.h (Linux 7.2.12) */
	.pte = {
		.valid = BIT_ULL(0),
		.system = BIT_ULL(1),
		.executable = BIT_ULL(4),
		.readable = BIT_ULL(5),
		.writeable = BIT_ULL(6),
		.prt = BIT_ULL(51),
		.mtype = 7ULL << 48,
		.mtype_uc = 3ULL << 48,	/* enum MTYPE, navi10_enum.h (Linux 6.1) */
		.addr = 0x0000fffffffff000ULL,
		.pde_addr = 0x0000ffffffffffc0ULL,
		.pde_is_pte = BIT_ULL(54),
	},
	/* gfxhub_client_ids, gfxhub_v2_1.c */
	.cid_cpc = 5,
	.cid_tcp = 8,
	.cid_sqc_inst = 9,
	/*
	 * gmc_v10_0_process_interrupt() of gmc_v10_0.c prints them. Their order is that of
	 * the enables in GCVM_CONTEXT1_CNTL, VALID to EXECUTE (gc_10_3_0_sh_mask.h).
	 */
	.permission_faults = {
		.valid = BIT(0),
		.read = BIT(1),
		.write = BIT(2),
		.execute = BIT(3),
	},
	/* write_fault of gmc_v10_0_process_interrupt() */
	.iv_fault_write = BIT(5),

	/* gfx10_kiq_map_queues(), gfx_v10_0.c: "me" of MEC1 is 0 */
	.map_queues_me = 1,

	/* soc15_ih_clientid.h, ivsrcid/gfx/irqsrcs_gfx_10_1.h (Linux 7.2.12) */
	.iv_cp_eop = { 0x14, 181 },
	.iv_cp_priv_reg = { 0x14, 184 },
	.iv_cp_priv_inst = { 0x14, 185 },
	.iv_cpc_query_status = { 0x14, 178 },
	.iv_sq = { 0x0a, 239 },
	/* ivsrcid/sdma0/irqsrcs_sdma0_5_0.h, ivsrcid/vmc/irqsrcs_vmc_1_0.h */
	.iv_sdma_trap = { 0x08, 224 },
	.iv_vm_fault = { 0x1b, 0 },

	/* ixSQ_*, gc_10_3_0_offset.h; SGPRs and VGPRs: navi10_enum.h */
	.sq_ind = {
		.debug_sts_local = 0x008,
		.active = 0x00a,
		.valid_and_idle = 0x00b,
		.mode = 0x101,
		.status = 0x102,
		.trapsts = 0x103,
		.hw_id_legacy = 0x104,
		.gpr_alloc = 0x105,
		.lds_alloc = 0x106,
		.ib_sts = 0x107,
		.pc_lo = 0x108,
		.pc_hi = 0x109,
		.inst_dw0 = 0x10a,
		.ib_dbg1 = 0x10d,
		.flush_ib = 0x10e,
		.flat_scratch_lo = 0x114,
		.flat_scratch_hi = 0x115,
		.hw_id1 = 0x117,
		.hw_id2 = 0x118,
		.pops_packer = 0x119,
		.sched_mode = 0x11a,
		.vgpr_offset = 0x11b,
		.ib_sts2 = 0x11c,
		.shader_cycles = 0x11d,
		.sgprs = 0x200,
		.ttmp0 = 0x26c,
		.m0 = 0x27c,
		.exec_lo = 0x27e,
		.exec_hi = 0x27f,
		.vgprs = 0x400,
		/* up to EXEC_HI; SQIND_WAVE_VGPRS_SIZE, navi10_enum.h (Linux 6.1) */
		.num_sgprs = 0x80,
		.num_vgprs = 0x400,
	},

	/*
	 * SQ_INTERRUPT_WORD_WAVE_CTXID*, KFD_CTXID0__ERR_TYPE_MASK, enum
	 * SQ_INTERRUPT_ERROR_TYPE: kfd_int_process_v10.c (Linux 6.12). The rest of an
	 * error's DATA has details, which are 0 here.
	 */
	.sq_iv = {
		.data = { 0, GENMASK(22, 0) },
		.sa_id = { 0, BIT(23) },
		.priv = { 0, BIT(24) },
		.wave_id = { 0, GENMASK(29, 25) },
		.simd_id = { 0, GENMASK(31, 30) },
		.wgp_id = { 1, GENMASK(3, 0) },
		.se_id = { 1, GENMASK(5, 4) },
		.encoding = { 1, GENMASK(7, 6) },
		.encoding_inst = 1,
		.encoding_error = 2,
		.error_type = GENMASK(22, 19),
		.error_illegal_inst = 1,
		.error_mem_viol = 2,
	},

	/* (WGP << 2) | SIMD: gfx_v10_0_read_wave_data(), gfx_v10_0.c, Linux 6.1 */
	.instance_wgp = GENMASK(7, 2),
	.instance_simd = GENMASK(1, 0),

	/* SQ_IND_CMD_CMD_*, SQ_IND_CMD_MODE_*: navi10_enum.h (Linux 6.1) */
	.sq_cmds = {
		[0] = VGPU_SQ_CMD_NULL,
		[1] = VGPU_SQ_CMD_SETHALT,
		[2] = VGPU_SQ_CMD_SAVECTX,
		[3] = VGPU_SQ_CMD_KILL,
		[4] = VGPU_SQ_CMD_DEBUG,
		[5] = VGPU_SQ_CMD_TRAP,
		[6] = VGPU_SQ_CMD_SET_SPI_PRIO,
		[7] = VGPU_SQ_CMD_SETFATALHALT,
		[8] = VGPU_SQ_CMD_SINGLE_STEP,
	},
	.sq_modes = {
		[0] = VGPU_SQ_MODE_SINGLE,
		[1] = VGPU_SQ_MODE_BROADCAST,
		[2] = VGPU_SQ_MODE_BROADCAST_QUEUE,
		[3] = VGPU_SQ_MODE_BROADCAST_PIPE,
		[4] = VGPU_SQ_MODE_BROADCAST_ME,
	},
	/*
	 * KFD_DBG_TRAP_ADDRESS_WATCH_MODE_*, KFD_DBG_TRAP_WAVE_LAUNCH_MODE_* of
	 * kfd_ioctl.h: amdkfd writes these values to the fields (Linux 6.12).
	 */
	.watch_modes = {
		[0] = VGPU_WATCH_MODE_READ,
		[1] = VGPU_WATCH_MODE_NONREAD,
		[2] = VGPU_WATCH_MODE_ATOMIC,
		[3] = VGPU_WATCH_MODE_ALL,
	},
	.launch_modes = {
		[0] = VGPU_LAUNCH_NORMAL,
		[1] = VGPU_LAUNCH_HALT,
		[3] = VGPU_LAUNCH_DEBUG,
	},
};

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Van Gogh, the APU of the Steam Deck: GC 10.3.1, gfx1033, PCI 1002:163f.
 *
 * IP versions as Linux 7.2.12 amdgpu_discovery.c expects them of this chip,
 * base addresses from vangogh_ip_offset.h of the same version. There is no
 * display (DMU) row, and UVD is 2.0.3, which amdgpu_discovery.c takes for
 * "no video engine": neither is emulated.
 */
#include "types.h"
#include "profiles.h"

/* hw_id: enum in amdgpu_discovery.c and soc15_hw_ip.h (Linux 7.2.12) */
static const struct vgpu_ip vangogh_ips[] = {
	{ 11, 0, 10, 3, 1, 3, { 0x1260, 0xa000, 0x2402c00 } },		/* GC */
	{ 34, 0, 2, 3, 0, 3, { 0x13200, 0x1a000, 0x2408800 } },		/* MMHUB */
	{ 35, 0, 2, 1, 1, 3, { 0xc00, 0x13300, 0x2408c00 } },		/* ATHUB */
	{ 40, 0, 5, 0, 3, 2, { 0x10a0, 0x240a000 } },			/* OSSSYS */
	{ 41, 0, 5, 0, 3, 2, { 0xf20, 0x240a400 } },			/* HDP */
	{ 42, 0, 5, 2, 1, 3, { 0x1260, 0xa000, 0x2402c00 } },		/* SDMA0 */
	{ 108, 0, 7, 2, 0, 6,
	  { 0, 0x14, 0xd20, 0x10400, 0x241b000, 0x4040000 } },		/* NBIF */
	{ 46, 0, 3, 7, 1, 2, { 0x7000, 0x240b800 } },			/* DF */
	{ 255, 0, 11, 5, 0, 5,
	  { 0x16000, 0x243fc00, 0xdc0000, 0xe00000, 0xe40000 } },	/* MP0 */
	{ 1, 0, 11, 5, 0, 5,
	  { 0x16000, 0x243fc00, 0xdc0000, 0xe00000, 0xe40000 } },	/* MP1 */
	{ 4, 0, 11, 5, 0, 4,
	  { 0x16800, 0x16a00, 0x2401000, 0x440000 } },			/* SMUIO */
	{ 3, 0, 11, 5, 0, 2, { 0x16600, 0x2400c00 } },			/* THM */
	{ 6, 0, 11, 5, 0, 2, { 0x16c00, 0x2401800 } },			/* CLK */
	{ 150, 0, 8, 7, 0, 2, { 0x14000, 0x2425800 } },			/* UMC */
	{ 12, 0, 2, 0, 3, 3, { 0x7800, 0x7e00, 0x2403000 } },		/* UVD */
};

static const u32 vangogh_regs[VGPU_NUM_ROLES] = {
#include "vangogh_regs.h"
};

static const struct vgpu_reg_name vangogh_names[] = {
#include "vangogh_names.h"
};

/*
 * Which registers GRBM_GFX_CNTL multiplies is known from the driver only: what
 * it writes between nv_grbm_select(adev, me, pipe, queue, vmid) and back.
 * Queue: CP_MQD_BASE_ADDR and on to the end of the group
 * (gfx_v10_0_kiq_init_register), CP_GFX_MQD_BASE_ADDR to
 * CP_GFX_HQD_CE_WPTR_HI (gfx_v10_0_gfx_mqd_init). VMID: SH_MEM_BASES, SH_MEM_CONFIG
 * (gfx_v10_0_init_compute_vmid) and SQ_SHADER_TBA_LO to TMA_HI
 * (program_trap_handler_settings_v10_3). Linux 7.2.12.
 */
static const struct vgpu_bank_range vangogh_banks[] = {
	{ VGPU_BANK_QUEUE, 0x030de, 0x0310d },
	{ VGPU_BANK_QUEUE, 0x03209, 0x0325f },
	{ VGPU_BANK_VMID, 0x0230a, 0x0230a },
	{ VGPU_BANK_VMID, 0x0230d, 0x0230d },
	{ VGPU_BANK_VMID, 0x02312, 0x02315 },
};

/*
 * SQ and TCP belong to a WGP, the latter to each of its CUs, which GRBM_GFX_INDEX
 * does not tell apart here; so do their registers that a debugger writes. SPI
 * belongs to a shader engine (GRBM_STATUS_SE0.SPI_BUSY, gc_10_3_0_sh_mask.h, Linux
 * 6.1). The registers: SQ_SHADER_TBA_LO to TMA_HI, SQ_WATCH0_ADDR_H to
 * SQ_WATCH3_CNTL, TCP_WATCH0_ADDR_H to TCP_WATCH3_CNTL, SPI_GDBG_WAVE_CNTL to
 * SPI_GDBG_WAVE_CNTL2.
 */
static const struct vgpu_owner_range vangogh_owners[] = {
	{ VGPU_OWNER_WGP, 0x02312, 0x02315 },
	{ VGPU_OWNER_WGP, 0x02330, 0x0233b },
	{ VGPU_OWNER_WGP, 0x032a0, 0x032ab },
	{ VGPU_OWNER_SE, 0x031d1, 0x031d4 },
};

/*
 * GC with SDMA0. Not the RLC (0xec00 on), which switches the rest off: the
 * driver sets RLC_PG_CNTL before it takes GFXOFF back
 * (gfx_v10_0_set_powergating_state, Linux 7.2.12).
 */
static const struct vgpu_reg_range vangogh_gfxoff[] = {
	{ 0x01260, 0x034ff },
	{ 0x0a000, 0x0ebff },
	{ 0x0f000, 0x0ffff },
};

/*
 * Where the driver masks interrupts: when it is unbound it does so first and
 * only then takes GFXOFF back (amdgpu_irq_disable_all and
 * amdgpu_device_ip_fini_early in amdgpu_device_fini_hw, Linux 6.1 and 6.12).
 * And the scratch register of ring tests, which are part of a queue's reset
 * (gfx_v10_0_reset_kcq, Linux 7.2).
 */
static const struct vgpu_reg_range vangogh_gfxoff_exempt[] = {
	{ 0x0127c, 0x0127c },	/* SDMA0_CNTL */
	{ 0x0285c, 0x0286b },	/* GCVM_CONTEXT0_CNTL to 15 */
	{ 0x0306a, 0x0306b },	/* CP_INT_CNTL_RING0, 1 */
	{ 0x03085, 0x0308c },	/* CP_ME1_PIPE0_INT_CNTL to CP_ME2_PIPE3 */
	{ 0x030b4, 0x030b4 },	/* CPC_INT_CNTL */
	{ 0x0c040, 0x0c040 },	/* SCRATCH_REG0 */
};

/*
 * SPI_GDBG_WAVE_CNTL to SPI_GDBG_TRAP_DATA1: kgd_gfx_v10_enable_debug_trap() and
 * its like hold grbm_idx_mutex, so that a write reaches all (Linux 6.12,
 * amdgpu_amdkfd_gfx_v10.c).
 */
static const struct vgpu_reg_range vangogh_broadcast[] = {
	{ 0x031d1, 0x031d9 },
};

/* Names: MODULE_FIRMWARE of gfx_v10_0.c, sdma_v5_2.c, psp_v11_0.c */
static const struct vgpu_firmware vangogh_firmware[] = {
	{ "vangogh_asd.bin", VGPU_FW_PSP, 1 },
	{ "vangogh_toc.bin", VGPU_FW_PSP, 1 },
	{ "vangogh_pfp.bin", VGPU_FW_GFX, 64 },
	{ "vangogh_me.bin", VGPU_FW_GFX, 64 },
	{ "vangogh_ce.bin", VGPU_FW_GFX, 37 },
	/*
	 * From 92 on amdkfd does not insist on PCIe atomics
	 * (no_atomic_fw_version, kfd_device.c).
	 */
	{ "vangogh_mec.bin", VGPU_FW_GFX, 100 },
	{ "vangogh_mec2.bin", VGPU_FW_GFX, 100 },
	{ "vangogh_rlc.bin", VGPU_FW_RLC, 1 },
	{ "vangogh_sdma.bin", VGPU_FW_SDMA, 1 },
};

const struct vgpu_profile vgpu_profile_vangogh = {
	.name = "vangogh",
	.description = "Van Gogh APU (GC 10.3.1), without display and video",
	.llvm_cpu = "gfx1033",

	.pci_vendor = 0x1002,
	.pci_device = 0x163f,
	.pci_subvendor = 0x1002,
	.pci_subdevice = 0x0123,
	/*
	 * Display controller that is neither VGA nor 3D: amdgpu takes it, VGA
	 * arbitration and the ROM code of the machine's firmware do not.
	 */
	.pci_class = 0x038000,
	.pci_revision = 0xae,

	.ips = vangogh_ips,
	.num_ips = ARRAY_SIZE(vangogh_ips),
	.num_se = 1,
	.num_sa = 1,
	.num_wgp = 4,
	.num_simd = 4,
	.num_slots = 16,
	.vram_mib = 256,
	.fb_base = 0xf400000000,
	/* golden_settings_gc_10_3_vangogh, gfx_v10_0.c */
	.gb_addr_config = 0x00000142,

	.regs = vangogh_regs,
	/* hub->ctx_distance and the like in gfxhub_v2_1.c, mmhub_v2_3.c */
	.vm_context_stride = 1,
	.vm_context_addr_stride = 2,
	.gc_inv_eng_stride = 1,
	.mm_inv_eng_stride = 8,
	.num_inv_engs = 18,

	.banks = vangogh_banks,
	.num_banks = ARRAY_SIZE(vangogh_banks),
	.owners = vangogh_owners,
	.num_owners = ARRAY_SIZE(vangogh_owners),
	.gfxoff = vangogh_gfxoff,
	.num_gfxoff = ARRAY_SIZE(vangogh_gfxoff),
	.gfxoff_exempt = vangogh_gfxoff_exempt,
	.num_gfxoff_exempt = ARRAY_SIZE(vangogh_gfxoff_exempt),
	.broadcast = vangogh_broadcast,
	.num_broadcast = ARRAY_SIZE(vangogh_broadcast),
	.names = vangogh_names,
	.num_names = ARRAY_SIZE(vangogh_names),

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
	/* struct v10_gfx_mqd: cp_mqd_base_addr on, then cp_gfx_hqd_wptr */
	.gfx_mqd = {
		.hqd_image = 512,
		.hqd_dwords = 18,
		.wptr_lo = 596,
		.wptr_hi = 600,
		.active = 520,
		.rptr = 552,
	},

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
	},
	.isa = "gfx10.3",

	.firmware = vangogh_firmware,
	.num_firmware = ARRAY_SIZE(vangogh_firmware),
};

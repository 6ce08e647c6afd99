// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Van Gogh, the APU of the Steam Deck: GC 10.3.1, gfx1033, PCI 1002:163f.
 *
 * IP versions as Linux 7.2.12 amdgpu_discovery.c expects them of this chip,
 * base addresses from vangogh_ip_offset.h of the same version. There is no
 * display (DMU) row, and UVD is 2.0.3, which amdgpu_discovery.c takes for
 * "no video engine": neither is emulated.
 */
#include "profiles/vangogh_soc.h"

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
	.gen = &vgpu_gfx10_3,

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
	.gc = {
		.num_rb_per_se = 4,
		.num_gl2c = 4,
		.num_gprs = 1024,
		.num_max_gs_thds = 32,
		.gs_table_depth = 32,
		.gsprim_buff_depth = 1792,
		.parameter_cache_depth = 512,
		.double_offchip_lds_buffer = 128,
		.max_scratch_slots_per_cu = 32,
		.num_sc_per_se = 1,
		.num_packer_per_sc = 4,
		.num_gl2a = 1,
		.num_sdp_interface = 4,
	},

	.regs = vangogh_regs,
	.names = vangogh_names,
	.num_names = ARRAY_SIZE(vangogh_names),

	.smu = &vgpu_smu_vangogh,
	.firmware = vangogh_firmware,
	.num_firmware = ARRAY_SIZE(vangogh_firmware),
};

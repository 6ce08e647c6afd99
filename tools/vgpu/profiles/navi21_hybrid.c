// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A card that does not exist: the graphics core and SDMA of Navi 21 (GC 10.3.0, SDMA 5.2.0,
 * PCI 1002:73bf) with the north bridge, memory hub, PSP and SMU of Van Gogh. amdgpu chooses
 * the code for each IP block by its version (amdgpu_discovery_set_ip_blocks(), Linux 6.12),
 * so the code on which a wave debugger depends is that of a real Navi 21: gfx_v10_0,
 * gmc_v10_0, sdma_v5_2, amdkfd.
 *
 * All blocks have Van Gogh's base addresses, and both GPUs have the register headers of GC
 * 10.3.x, so this profile uses Van Gogh's tables of registers.
 */
#include "profiles/vangogh_soc.h"

static const struct vgpu_ip navi21_ips[] = { VANGOGH_IPS(0, 0) };

static const struct vgpu_reg_name navi21_names[] = {
#include "generated/vangogh_names.h"
	/*
	 * The driver reads BIOS_SCRATCH_7 of a card before it has read the address of
	 * scratch registers from the VBIOS, as if they began at 0
	 * (igp_read_bios_from_vram(), amdgpu_bios.c; Linux 6.12 and 7.2).
	 */
	{ 0x00007, "BIOS_SCRATCH_7_of_nowhere" },
};

/* Names: MODULE_FIRMWARE of gfx_v10_0.c, sdma_v5_2.c */
static const struct vgpu_firmware navi21_firmware[] = {
	VANGOGH_FIRMWARE("sienna_cichlid")
};

const struct vgpu_profile vgpu_profile_navi21_hybrid = {
	.name = "navi21-hybrid",
	.description = "Navi 21's graphics core (GC 10.3.0) on a card with Van Gogh's other blocks",
	.llvm_cpu = "gfx1030",
	.gen = &vgpu_gfx10_3,

	.pci_vendor = 0x1002,
	.pci_device = 0x73bf,
	.pci_subvendor = 0x1002,
	.pci_subdevice = 0x0e3a,
	/* Not VGA: see vangogh.c. */
	.pci_class = 0x038000,
	.pci_revision = 0xc1,

	.ips = navi21_ips,
	.num_ips = ARRAY_SIZE(navi21_ips),
	/* 80 CUs, two in a WGP */
	.num_se = 4,
	.num_sa = 2,
	.num_wgp = 5,
	.num_simd = 4,
	.num_slots = 16,
	.vram_mib = 256,
	.fb_base = 0xf400000000,
	/* log2: 16 pipes, 2 fragments, 16 packers, 4 engines, 4 RBs in each */
	.gb_addr_config = 4 | 1 << 6 | 4 << 8 | 2 << 19 | 2 << 26,
	.gc = {
		.num_rb_per_se = 4,
		.num_gl2c = 16,
		.num_gprs = 1024,
		.num_max_gs_thds = 32,
		.gs_table_depth = 32,
		.gsprim_buff_depth = 1792,
		.parameter_cache_depth = 1024,
		.double_offchip_lds_buffer = 128,
		.max_scratch_slots_per_cu = 32,
		.num_sc_per_se = 2,
		.num_packer_per_sc = 2,
		.num_gl2a = 4,
		.num_sdp_interface = 16,
	},

	.regs = vgpu_vangogh_regs,
	.names = navi21_names,
	.num_names = ARRAY_SIZE(navi21_names),
	.effects = &vgpu_vangogh_effects,

	.smu = &vgpu_smu_vangogh,
	.firmware = navi21_firmware,
	.num_firmware = ARRAY_SIZE(navi21_firmware),
};

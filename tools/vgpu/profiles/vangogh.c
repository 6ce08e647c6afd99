// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Van Gogh, the APU of the Steam Deck: GC 10.3.1, gfx1033, PCI 1002:163f.
 *
 * The blocks around the graphics core are in vangogh_soc.h.
 */
#include "profiles/vangogh_soc.h"

static const struct vgpu_ip vangogh_ips[] = { VANGOGH_IPS(1, 1) };

static const struct vgpu_reg_name vangogh_names[] = {
#include "generated/vangogh_names.h"
};

/* Names: MODULE_FIRMWARE of gfx_v10_0.c, sdma_v5_2.c */
static const struct vgpu_firmware vangogh_firmware[] = {
	VANGOGH_FIRMWARE("vangogh")
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
	 * A display controller that is neither VGA nor 3D. amdgpu binds to it; VGA
	 * arbitration ignores it, and the machine's firmware does not execute its ROM.
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

	.regs = vgpu_vangogh_regs,
	.names = vangogh_names,
	.num_names = ARRAY_SIZE(vangogh_names),
	.effects = &vgpu_vangogh_effects,

	.smu = &vgpu_smu_vangogh,
	.firmware = vangogh_firmware,
	.num_firmware = ARRAY_SIZE(vangogh_firmware),
};

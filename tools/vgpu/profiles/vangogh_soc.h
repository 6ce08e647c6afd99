/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The blocks around Van Gogh's graphics core, for all profiles that have them.
 *
 * Versions of IPs are those that amdgpu_discovery.c of Linux 7.2.12 expects for this chip,
 * base addresses are from vangogh_ip_offset.h of the same version, and hw_id from the enum
 * in amdgpu_discovery.c and from soc15_hw_ip.h. Display and video are not emulated: there
 * is no row for display (DMU), and the version of UVD is 2.0.3, for which
 * amdgpu_discovery.c assumes that there is no video engine.
 */
#ifndef VGPU_VANGOGH_SOC_H
#define VGPU_VANGOGH_SOC_H

#include "profiles/profiles.h"

/* GC 10.3.@gc_revision, SDMA 5.2.@sdma_revision */
#define VANGOGH_IPS(gc_revision, sdma_revision) \
	/* GC */ \
	{ 11, 0, 10, 3, gc_revision, 3, { 0x1260, 0xa000, 0x2402c00 } }, \
	/* MMHUB */ \
	{ 34, 0, 2, 3, 0, 3, { 0x13200, 0x1a000, 0x2408800 } }, \
	/* ATHUB */ \
	{ 35, 0, 2, 1, 1, 3, { 0xc00, 0x13300, 0x2408c00 } }, \
	/* OSSSYS */ \
	{ 40, 0, 5, 0, 3, 2, { 0x10a0, 0x240a000 } }, \
	/* HDP */ \
	{ 41, 0, 5, 0, 3, 2, { 0xf20, 0x240a400 } }, \
	/* SDMA0 */ \
	{ 42, 0, 5, 2, sdma_revision, 3, { 0x1260, 0xa000, 0x2402c00 } }, \
	/* NBIF */ \
	{ 108, 0, 7, 2, 0, 6, \
	  { 0, 0x14, 0xd20, 0x10400, 0x241b000, 0x4040000 } }, \
	/* DF */ \
	{ 46, 0, 3, 7, 1, 2, { 0x7000, 0x240b800 } }, \
	/* MP0 */ \
	{ 255, 0, 11, 5, 0, 5, \
	  { 0x16000, 0x243fc00, 0xdc0000, 0xe00000, 0xe40000 } }, \
	/* MP1 */ \
	{ 1, 0, 11, 5, 0, 5, \
	  { 0x16000, 0x243fc00, 0xdc0000, 0xe00000, 0xe40000 } }, \
	/* SMUIO */ \
	{ 4, 0, 11, 5, 0, 4, \
	  { 0x16800, 0x16a00, 0x2401000, 0x440000 } }, \
	/* THM */ \
	{ 3, 0, 11, 5, 0, 2, { 0x16600, 0x2400c00 } }, \
	/* CLK */ \
	{ 6, 0, 11, 5, 0, 2, { 0x16c00, 0x2401800 } }, \
	/* UMC */ \
	{ 150, 0, 8, 7, 0, 2, { 0x14000, 0x2425800 } }, \
	/* UVD */ \
	{ 12, 0, 2, 0, 3, 3, { 0x7800, 0x7e00, 0x2403000 } }

/*
 * Firmware files: for the PSP as in psp_v11_0.c; @gfx: prefix of the names of those for GC
 * and SDMA. From version 92 of the MEC's on, amdkfd does not require PCIe atomics
 * (no_atomic_fw_version, kfd_device.c).
 */
#define VANGOGH_FIRMWARE(gfx) \
	{ "vangogh_asd.bin", VGPU_FW_PSP, 1 }, \
	{ "vangogh_toc.bin", VGPU_FW_PSP, 1 }, \
	{ gfx "_pfp.bin", VGPU_FW_GFX, 64 }, \
	{ gfx "_me.bin", VGPU_FW_GFX, 64 }, \
	{ gfx "_ce.bin", VGPU_FW_GFX, 37 }, \
	{ gfx "_mec.bin", VGPU_FW_GFX, 100 }, \
	{ gfx "_mec2.bin", VGPU_FW_GFX, 100 }, \
	{ gfx "_rlc.bin", VGPU_FW_RLC, 1 }, \
	{ gfx "_sdma.bin", VGPU_FW_SDMA, 1 }

/* Numbers of the registers of all blocks, including GC 10.3.x */
extern const u32 vgpu_vangogh_regs[VGPU_NUM_ROLES];
extern const struct vgpu_reg_effects vgpu_vangogh_effects;
extern const struct vgpu_smu_interface vgpu_smu_vangogh;

#endif /* VGPU_VANGOGH_SOC_H */

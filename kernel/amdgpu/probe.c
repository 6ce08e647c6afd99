// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find out everything about the GPU of a PCI device that is bound to amdgpu. Nothing
 * that comes from amdgpu's memory is trusted before it was compared with what the PCI
 * core reports, and no register is touched here.
 */
#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <linux/bitops.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#include "amdgpu/amdgpu.h"
#include "gpu.h"

/* AMDGPU_SRIOV_CAPS_IS_VF of amdgpu_virt.h, Linux 6.1 to 7.2 */
#define SRIOV_CAPS_IS_VF	BIT(2)

/* The register BAR since Bonaire: amdgpu_device_init() of Linux 6.1 to 7.2 */
#define RMMIO_BAR		5

/* Shader arrays in the second half of the engines: [se % 4][sa + se / 4 * 2] */
#define BITMAP_SE		4
#define BITMAP_SA		4

static int probe_refuse(char *reason, int err, const char *sentence)
{
	strscpy(reason, sentence, WDBG_REASON_LEN);
	return err;
}

static int probe_layout_mismatch(char *reason)
{
	return probe_refuse(reason, -ENOEXEC,
			    "amdgpu's structures are not where its type information says.");
}

static void *probe_adev_ptr(struct wdbg_gpu *gpu, enum wdbg_field field)
{
	return READ_ONCE(*(void **)wdbg_field_ptr(&gpu->layout, gpu->adev,
						  field));
}

/* Read a pointer at an offset from a pointer that was not checked otherwise. */
static void *probe_read_ptr(const struct wdbg_gpu *gpu, void *base,
			    enum wdbg_field field)
{
	void **address = wdbg_field_ptr(&gpu->layout, base, field);
	void *value;

	return get_kernel_nofault(value, address) ? NULL : value;
}

static resource_size_t probe_adev_size(struct wdbg_gpu *gpu, enum wdbg_field field)
{
	return READ_ONCE(*(resource_size_t *)
			 wdbg_field_ptr(&gpu->layout, gpu->adev, field));
}

/*
 * Check that amdgpu's private data of the device has the structure that the layout
 * describes.
 */
static int probe_find_adev(struct wdbg_gpu *gpu, char *reason)
{
	struct pci_dev *pdev = gpu->pdev;

	gpu->ddev = pci_get_drvdata(pdev);
	if (!gpu->ddev || gpu->ddev->dev != &pdev->dev)
		return probe_layout_mismatch(reason);
	gpu->adev = (void *)gpu->ddev - gpu->layout.offset[WDBG_ADEV_DDEV];
	if (probe_adev_ptr(gpu, WDBG_ADEV_PDEV) != pdev ||
	    probe_adev_ptr(gpu, WDBG_ADEV_DEV) != &pdev->dev)
		return probe_layout_mismatch(reason);
	if (probe_adev_size(gpu, WDBG_ADEV_RMMIO_BASE) !=
	    pci_resource_start(pdev, RMMIO_BAR) ||
	    probe_adev_size(gpu, WDBG_ADEV_RMMIO_SIZE) !=
	    pci_resource_len(pdev, RMMIO_BAR) ||
	    !probe_adev_ptr(gpu, WDBG_ADEV_RMMIO))
		return probe_layout_mismatch(reason);
	return 0;
}

/* Is this the address of code of the module that drives the device? */
static bool probe_is_driver_code(const struct wdbg_gpu *gpu, const void *address)
{
	return within_module_core((unsigned long)address,
				  gpu->pdev->dev.driver->owner);
}

static int probe_find_power(struct wdbg_gpu *gpu, char *reason)
{
	const struct wdbg_layout *layout = &gpu->layout;
	u32 i, num = wdbg_adev_u32(gpu, WDBG_ADEV_NUM_IP_BLOCKS);
	void *blocks = wdbg_field_ptr(layout, gpu->adev, WDBG_ADEV_IP_BLOCKS);
	void *domain, *funcs;

	domain = probe_adev_ptr(gpu, WDBG_ADEV_RESET_DOMAIN);
	if (!domain || num > layout->num_ip_blocks)
		return probe_layout_mismatch(reason);
	gpu->reset_sem = wdbg_field_ptr(layout, domain, WDBG_RESET_DOMAIN_SEM);
	gpu->reset_counter = wdbg_field_ptr(layout, gpu->adev,
					    WDBG_ADEV_GPU_RESET_COUNTER);

	for (i = 0; i < num; i++) {
		void *block = blocks + i * layout->ip_block_size;
		void *version = probe_read_ptr(gpu, block, WDBG_IP_BLOCK_VERSION);
		u32 *type_at, type;

		if (!version)
			return probe_layout_mismatch(reason);
		type_at = wdbg_field_ptr(layout, version, WDBG_IP_VERSION_TYPE);
		if (get_kernel_nofault(type, type_at))
			return probe_layout_mismatch(reason);
		if (type != layout->ip_block_type_gfx)
			continue;

		funcs = probe_read_ptr(gpu, version, WDBG_IP_VERSION_FUNCS);
		if (!funcs)
			return probe_layout_mismatch(reason);
		gpu->set_powergating_state =
			probe_read_ptr(gpu, funcs,
				       WDBG_IP_FUNCS_SET_POWERGATING_STATE);
		if (!probe_is_driver_code(gpu, gpu->set_powergating_state))
			return probe_layout_mismatch(reason);
		gpu->pg_arg = layout->pg_arg == WDBG_PG_ARG_ADEV ? gpu->adev :
								   block;
		return 0;
	}
	return probe_refuse(reason, -EOPNOTSUPP,
			    "amdgpu does not use this GPU's graphics core.");
}

static u32 probe_ip_version(struct wdbg_gpu *gpu, u32 hwip)
{
	u32 *versions = wdbg_field_ptr(&gpu->layout, gpu->adev,
				       WDBG_ADEV_IP_VERSIONS);
	u32 v = READ_ONCE(versions[hwip * gpu->layout.hwip_instances]);

	/*
	 * IP_VERSION() of amdgpu is major << 16 | minor << 8 | revision in 6.1,
	 * and has 8 more bits on the right since 6.8.
	 */
	return v >> 24 ? v >> 8 : v;
}

static u32 *probe_ip_bases(struct wdbg_gpu *gpu, u32 hwip)
{
	u32 **offsets = wdbg_field_ptr(&gpu->layout, gpu->adev,
				       WDBG_ADEV_REG_OFFSET);

	return READ_ONCE(offsets[hwip * gpu->layout.hwip_instances]);
}

static int probe_find_registers(struct wdbg_gpu *gpu, char *reason)
{
	u32 *gc = probe_ip_bases(gpu, gpu->layout.gc_hwip);
	u32 *oss = probe_ip_bases(gpu, gpu->layout.osssys_hwip);
	struct wdbg_hw *hw = &gpu->hw;
	int i;

	hw->rmmio = (void __iomem *)probe_adev_ptr(gpu, WDBG_ADEV_RMMIO);
	hw->num_regs = probe_adev_size(gpu, WDBG_ADEV_RMMIO_SIZE) / sizeof(u32);
	hw->bank_lock = wdbg_field_ptr(&gpu->layout, gpu->adev,
				       WDBG_ADEV_GRBM_IDX_MUTEX);
	if (gpu->layout.present[WDBG_ADEV_SRBM_MUTEX])
		hw->srbm_lock = wdbg_field_ptr(&gpu->layout, gpu->adev,
					       WDBG_ADEV_SRBM_MUTEX);
	if (!gc || !oss || get_kernel_nofault(hw->oss_base, oss))
		return probe_layout_mismatch(reason);
	for (i = 0; i < WDBG_NUM_SEGS; i++)
		if (get_kernel_nofault(hw->gc_base[i], gc + i))
			return probe_layout_mismatch(reason);
	if (hw->ops->check(hw))
		return probe_refuse(reason, -ERANGE,
				    "The registers that are needed are not in the GPU's register BAR.");
	return 0;
}

static int probe_find_geometry(struct wdbg_gpu *gpu, char *reason)
{
	u32 num_se = wdbg_adev_u32(gpu, WDBG_ADEV_MAX_SHADER_ENGINES);
	u32 num_sa = wdbg_adev_u32(gpu, WDBG_ADEV_MAX_SH_PER_SE);
	u32 num_cu = wdbg_adev_u32(gpu, WDBG_ADEV_MAX_CU_PER_SH);
	u32 num_wave = wdbg_adev_u32(gpu, WDBG_ADEV_CU_MAX_WAVES_PER_SIMD);
	u32 *bitmap = wdbg_field_ptr(&gpu->layout, gpu->adev,
				     WDBG_ADEV_CU_BITMAP);
	struct wdbg_hw *hw = &gpu->hw;
	u32 se, sa, wgp, per_wgp = hw->ops->num_cu;

	if (!num_se || num_se > WDBG_MAX_SE || !num_sa ||
	    num_sa > WDBG_MAX_SA || num_cu < per_wgp || num_cu > 32 ||
	    gpu->layout.bitmap_words < BITMAP_SE * BITMAP_SA)
		return probe_layout_mismatch(reason);
	if (!num_wave || num_wave > hw->ops->max_wave)
		num_wave = hw->ops->max_wave;

	hw->num_xcc = 1;
	hw->num_se = num_se;
	hw->num_sa = num_sa;
	hw->num_wgp = num_cu / per_wgp;
	hw->num_simd = hw->ops->num_simd;
	hw->num_wave = num_wave;
	for (se = 0; se < num_se; se++) {
		for (sa = 0; sa < num_sa; sa++) {
			u32 i = se % BITMAP_SE * BITMAP_SA +
				sa + se / BITMAP_SE * 2;
			u32 cus = READ_ONCE(bitmap[i]);

			for (wgp = 0; wgp < hw->num_wgp; wgp++)
				if (cus >> (per_wgp * wgp) &
				    GENMASK(per_wgp - 1, 0))
					hw->wgp_mask[se][sa] |= BIT(wgp);
		}
	}
	gpu->num_slots = num_se * num_sa * hw->num_wgp * hw->num_simd *
			 num_wave;
	return 0;
}

/* Without a counter that can be read, lists have no time of the GPU. */
static void probe_clock(struct wdbg_gpu *gpu, void *gfx_funcs)
{
	void *counter = probe_read_ptr(gpu, gfx_funcs,
				       WDBG_GFX_FUNCS_GET_GPU_CLOCK_COUNTER);

	gpu->clock_khz = 0;
	if (!probe_is_driver_code(gpu, counter))
		return;
	gpu->get_clock_counter = counter;
	/* nv_get_xclk() of Linux 6.1, 6.12 and 7.2: in units of 10 kHz */
	gpu->clock_khz = wdbg_adev_u32(gpu, WDBG_ADEV_REFERENCE_FREQ) * 10;
}

static int probe_check_kind(struct wdbg_gpu *gpu, char *reason)
{
	void *gfx_funcs = probe_adev_ptr(gpu, WDBG_ADEV_GFX_FUNCS);
	u16 xcc_mask;

	if (!gfx_funcs ||
	    !probe_is_driver_code(gpu, probe_read_ptr(gpu, gfx_funcs,
						      WDBG_GFX_FUNCS_READ_WAVE_DATA)))
		return probe_layout_mismatch(reason);
	probe_clock(gpu, gfx_funcs);
	if (wdbg_adev_u32(gpu, WDBG_ADEV_VIRT_CAPS) & SRIOV_CAPS_IS_VF)
		return probe_refuse(reason, -EOPNOTSUPP,
				    "This is a virtual function: its registers belong to the host.");
	if (gpu->layout.present[WDBG_ADEV_XCC_MASK]) {
		xcc_mask = READ_ONCE(*(u16 *)wdbg_field_ptr(&gpu->layout,
							    gpu->adev,
							    WDBG_ADEV_XCC_MASK));
		if (hweight16(xcc_mask) > 1)
			return probe_refuse(reason, -EOPNOTSUPP,
					    "GPUs with several accelerator complexes are not supported.");
	}
	gpu->gc_version = probe_ip_version(gpu, gpu->layout.gc_hwip);
	gpu->hw.ops = wdbg_hw_find(gpu->gc_version);
	if (!gpu->hw.ops) {
		snprintf(reason, WDBG_REASON_LEN,
			 "Graphics core %u.%u.%u is not supported, only gfx10.3.",
			 gpu->gc_version >> 16, gpu->gc_version >> 8 & 0xff,
			 gpu->gc_version & 0xff);
		return -EOPNOTSUPP;
	}
	return 0;
}

/**
 * wdbg_gpu_probe() - find out everything about a GPU
 * @gpu: its pdev is set, the rest is filled in
 * @reason: out on error, a sentence; WDBG_REASON_LEN bytes
 *
 * Context: the device is locked and bound to amdgpu; may sleep.
 * Return: 0; -EOPNOTSUPP, -ENOEXEC, -ERANGE if this GPU, driver or kernel is not
 *	supported; -ENOMEM.
 */
int wdbg_gpu_probe(struct wdbg_gpu *gpu, char *reason)
{
	int ret;

	if (!gpu->pdev->dev.driver->owner)
		return probe_refuse(reason, -EOPNOTSUPP,
				    "amdgpu is built into the kernel; it is only supported as a module.");
	ret = wdbg_layout_load(&gpu->layout, reason);
	if (!ret)
		ret = probe_find_adev(gpu, reason);
	if (!ret)
		ret = probe_check_kind(gpu, reason);
	if (!ret)
		ret = probe_find_power(gpu, reason);
	if (!ret)
		ret = probe_find_registers(gpu, reason);
	if (!ret)
		ret = probe_find_geometry(gpu, reason);
	if (!ret)
		ret = wdbg_timeout_probe(gpu, reason);
	if (ret)
		return ret;

	gpu->first_kfd_vmid = wdbg_adev_u32(gpu, WDBG_ADEV_FIRST_KFD_VMID);
	gpu->num_active_cu = wdbg_adev_u32(gpu, WDBG_ADEV_CU_NUMBER);
	gpu->render_minor = gpu->ddev->render ? gpu->ddev->render->index : 0;
	gpu->reset_seen = atomic_read(gpu->reset_counter);
	if (gpu->layout.present[WDBG_ADEV_UNIQUE_ID])
		gpu->unique_id = *(u64 *)wdbg_field_ptr(&gpu->layout, gpu->adev,
							WDBG_ADEV_UNIQUE_ID);
	if (gpu->layout.present[WDBG_ADEV_FLAGS])
		gpu->is_apu = *(unsigned long *)wdbg_field_ptr(&gpu->layout, gpu->adev,
							       WDBG_ADEV_FLAGS) &
			      gpu->layout.is_apu;
	wdbg_read_build_id(gpu->build_id, sizeof(gpu->build_id));
	return 0;
}

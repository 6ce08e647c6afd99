// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMDGPUDBG_IOC_GET_INFO and AMDGPUDBG_IOC_GET_CAPABILITY.
 */
#include <linux/string.h>

#include "buffer.h"
#include "main.h"
#include "trap.h"

static void fill_info(struct wdbg_gpu *gpu, struct amdgpudbg_info *info)
{
	const struct wdbg_hw *hw = &gpu->hw;
	struct pci_dev *pdev = gpu->pdev;

	info->abi_version = AMDGPUDBG_ABI_VERSION;
	info->gc_version = gpu->gc_version;
	info->pci_domain = pci_domain_nr(pdev->bus);
	info->pci_bus = pdev->bus->number;
	info->pci_device = PCI_SLOT(pdev->devfn);
	info->pci_function = PCI_FUNC(pdev->devfn);
	info->vendor_id = pdev->vendor;
	info->device_id = pdev->device;
	info->num_xcc = hw->num_xcc;
	info->num_se = hw->num_se;
	info->num_sa = hw->num_sa;
	info->num_wgp = hw->num_wgp;
	info->num_simd = hw->num_simd;
	info->num_wave = hw->num_wave;
	info->num_vmid = WDBG_NUM_VMID;
	info->first_kfd_vmid = gpu->first_kfd_vmid;
	info->num_capabilities = AMDGPUDBG_NUM_CAPS;
	info->num_active_cu = gpu->num_active_cu;
	info->gpu_reset_count = atomic_read(gpu->reset_counter);
	info->render_minor = gpu->render_minor;
	strscpy_pad(info->driver_build_id, gpu->build_id,
		    sizeof(info->driver_build_id));
	strscpy_pad(info->module_version, WDBG_VERSION,
		    sizeof(info->module_version));
}

/**
 * wdbg_get_info() - AMDGPUDBG_IOC_GET_INFO
 * @cmd: the call
 *
 * Return: 0 or an error of the ABI.
 */
int wdbg_get_info(struct wdbg_cmd *cmd)
{
	struct wdbg_gpu *gpu = cmd->session->gpu;
	struct amdgpudbg_info *info = cmd->data;
	int ret = 0;

	if (info->flags)
		return -EOPNOTSUPP;
	if (info->__reserved)
		return -EINVAL;

	if (mutex_lock_killable(&gpu->lock))
		return -EINTR;
	if (gpu->adev)
		fill_info(gpu, info);
	else
		ret = -ENODEV;
	mutex_unlock(&gpu->lock);
	return ret ? ret : wdbg_respond(cmd, sizeof(*info));
}

#define NO_TIMEOUT_HOLD \
	"The job scheduler of this amdgpu is not known: " \
	"it resets the GPU when a wave is halted for too long."

#define EVENTS_BY_POLLING \
	"Interrupts of waves are not seen in this amdgpu: waves that stop " \
	"are looked for, every 20 ms, and those that go on are missed."

/*
 * A GPU on which any of the supported ones did not work is not attached to, so
 * this does not depend on the GPU, but for what why_not() asks.
 */
static const struct {
	const char *name;
	const char *reason;
} capabilities[AMDGPUDBG_NUM_CAPS] = {
	[AMDGPUDBG_CAP_WAVE_LIST] = { "wave-list" },
	[AMDGPUDBG_CAP_WAVE_HALT] = { "wave-halt" },
	[AMDGPUDBG_CAP_WAVE_RESUME] = { "wave-resume" },
	[AMDGPUDBG_CAP_WAVE_KILL] = { "wave-kill" },
	[AMDGPUDBG_CAP_WAVE_DEBUG] = { "wave-debug" },
	[AMDGPUDBG_CAP_WAVE_TRAP] = { "wave-trap" },
	[AMDGPUDBG_CAP_GFXOFF_HOLD] = { "gfxoff-hold" },
	[AMDGPUDBG_CAP_RUNTIME_PM] = { "runtime-pm" },
	[AMDGPUDBG_CAP_RESET_LOCK] = { "reset-lock" },
	[AMDGPUDBG_CAP_VMID_PASID] = { "vmid-pasid" },
	[AMDGPUDBG_CAP_TIMEOUT_HOLD] = { "timeout-hold" },
	[AMDGPUDBG_CAP_TARGET] = { "target" },
	[AMDGPUDBG_CAP_SNAPSHOT] = { "snapshot" },
	[AMDGPUDBG_CAP_WAVE_STEP] = { "wave-step" },
	[AMDGPUDBG_CAP_REG_READ] = { "reg-read" },
	[AMDGPUDBG_CAP_REG_WRITE] = { "reg-write" },
	[AMDGPUDBG_CAP_MEMORY] = { "memory" },
	[AMDGPUDBG_CAP_TRAP_HANDLER] = { "trap-handler" },
	[AMDGPUDBG_CAP_WATCH] = { "watch" },
	[AMDGPUDBG_CAP_LAUNCH_MODE] = { "launch-mode" },
	[AMDGPUDBG_CAP_EXCP_MASK] = { "excp-mask" },
	[AMDGPUDBG_CAP_STALL] = { "stall" },
	[AMDGPUDBG_CAP_EVENTS] = { "events" },
};

static const char *why_not(const struct wdbg_gpu *gpu, u32 id)
{
	if (id == AMDGPUDBG_CAP_TIMEOUT_HOLD && !gpu->num_rings)
		return NO_TIMEOUT_HOLD;
	if (id == AMDGPUDBG_CAP_EVENTS && gpu->source.polls)
		return EVENTS_BY_POLLING;
	if (id == AMDGPUDBG_CAP_MEMORY)
		return wdbg_buffer_why_not(gpu);
	if (id == AMDGPUDBG_CAP_TRAP_HANDLER)
		return wdbg_trap_why_not(gpu);
	return capabilities[id].reason;
}

/**
 * wdbg_get_capability() - AMDGPUDBG_IOC_GET_CAPABILITY
 * @cmd: the call
 *
 * Return: 0 or an error of the ABI.
 */
int wdbg_get_capability(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_capability *cap = cmd->data;
	struct wdbg_gpu *gpu = cmd->session->gpu;
	const char *reason;
	bool gone;

	if (cap->__reserved || cap->id >= ARRAY_SIZE(capabilities))
		return -EINVAL;

	if (mutex_lock_killable(&gpu->lock))
		return -EINTR;
	gone = !gpu->adev;
	mutex_unlock(&gpu->lock);
	if (gone)
		return -ENODEV;

	reason = why_not(gpu, cap->id);
	cap->supported = !reason;
	strscpy_pad(cap->name, capabilities[cap->id].name, sizeof(cap->name));
	strscpy_pad(cap->reason, reason ? reason : "", sizeof(cap->reason));
	return wdbg_respond(cmd, sizeof(*cap));
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMDGPUDBG_IOC_GET_INFO, AMDGPUDBG_IOC_GET_CAPABILITY, AMDGPUDBG_IOC_GET_BUSY.
 */
#include <linux/string.h>

#include "amdgpu/amdgpu.h"
#include "caps.h"
#include "event/event.h"
#include "gpu.h"
#include "halt_budget.h"
#include "ioctl.h"
#include "session.h"
#include "target/target.h"

static const char *const names[] = {
	[AMDGPUDBG_CAP_WAVE_LIST] = "wave-list",
	[AMDGPUDBG_CAP_WAVE_HALT] = "wave-halt",
	[AMDGPUDBG_CAP_WAVE_RESUME] = "wave-resume",
	[AMDGPUDBG_CAP_WAVE_KILL] = "wave-kill",
	[AMDGPUDBG_CAP_WAVE_DEBUG] = "wave-debug",
	[AMDGPUDBG_CAP_WAVE_TRAP] = "wave-trap",
	[AMDGPUDBG_CAP_GFXOFF_HOLD] = "gfxoff-hold",
	[AMDGPUDBG_CAP_RUNTIME_PM] = "runtime-pm",
	[AMDGPUDBG_CAP_RESET_LOCK] = "reset-lock",
	[AMDGPUDBG_CAP_VMID_PASID] = "vmid-pasid",
	[AMDGPUDBG_CAP_TIMEOUT_HOLD] = "timeout-hold",
	[AMDGPUDBG_CAP_TARGET] = "target",
	[AMDGPUDBG_CAP_SNAPSHOT] = "snapshot",
	[AMDGPUDBG_CAP_WAVE_STEP] = "wave-step",
	[AMDGPUDBG_CAP_REG_READ] = "reg-read",
	[AMDGPUDBG_CAP_REG_WRITE] = "reg-write",
	[AMDGPUDBG_CAP_MEMORY] = "memory",
	[AMDGPUDBG_CAP_TRAP_HANDLER] = "trap-handler",
	[AMDGPUDBG_CAP_WATCH] = "watch",
	[AMDGPUDBG_CAP_LAUNCH_MODE] = "launch-mode",
	[AMDGPUDBG_CAP_EXCP_MASK] = "excp-mask",
	[AMDGPUDBG_CAP_STALL] = "stall",
	[AMDGPUDBG_CAP_EVENTS] = "events",
	[AMDGPUDBG_CAP_VMID_GUARD] = "vmid-guard",
	[AMDGPUDBG_CAP_VM_ACCESS] = "vm-access",
	[AMDGPUDBG_CAP_JOB_EVENTS] = "job-events",
	[AMDGPUDBG_CAP_PATCH] = "patch",
	[AMDGPUDBG_CAP_PRECISE_MEM] = "precise-mem",
	[AMDGPUDBG_CAP_PRECISE_ALU] = "precise-alu",
	[AMDGPUDBG_CAP_JOB_LIST] = "job-list",
};

static void info_fill_limits(const struct wdbg_gpu *gpu, struct amdgpudbg_info *info)
{
	const struct wdbg_reg_ops *regs = gpu->hw.ops->regs;

	info->num_sgpr = regs->num_sgpr;
	info->num_vgpr = regs->max_vgpr;
	info->num_agpr = regs->num_agpr;
	info->num_ttmp = regs->num_ttmp;
	info->lds_granule = regs->lds_granule;
	info->wave_sizes = regs->wave_sizes;
	info->max_trap_id = gpu->hw.ops->num_traps - 1;
	info->max_reg_ranges = AMDGPUDBG_REG_RANGES_MAX;
	info->max_reg_values = AMDGPUDBG_REG_VALUES_MAX;
	info->max_buffers = AMDGPUDBG_MEM_MAX_BUFFERS;
	info->max_buffer_bytes = AMDGPUDBG_MEM_MAX_BYTES;
	info->max_access_bytes = AMDGPUDBG_VM_ACCESS_MAX;
	info->max_patches = AMDGPUDBG_PATCH_MAX;
	info->max_patch_bytes = AMDGPUDBG_PATCH_BYTES_MAX;
	info->max_batch = AMDGPUDBG_WAVE_BATCH_MAX;
}

static void info_fill(struct wdbg_gpu *gpu, struct amdgpudbg_info *info)
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
	info->num_capabilities = ARRAY_SIZE(names);
	info->num_active_cu = gpu->num_active_cu;
	info->gpu_reset_count = atomic_read(gpu->reset_counter);
	info->render_minor = gpu->render_minor;
	info->regset = hw->ops->regs->regset;
	strscpy_pad(info->driver_build_id, gpu->build_id,
		    sizeof(info->driver_build_id));
	strscpy_pad(info->module_version, WDBG_VERSION,
		    sizeof(info->module_version));
	wdbg_halt_budget_left(gpu, &info->halt_left_ms, &info->halt_wait_ms);
	info->num_watch = hw->ops->watch->num;
	info->watch_granule = hw->ops->watch->granule;
	info->watch_mask_ones = hw->ops->watch->always;
	info->va_bits = WDBG_VA_BITS;
	info->gpu_clock_khz = gpu->clock_khz;
	info->event_mask = wdbg_events_possible(gpu);
	info->excp_supported = hw->ops->launch->excps;
	info->unique_id = gpu->unique_id;
	info->is_apu = gpu->is_apu;
	info_fill_limits(gpu, info);
}

static int info_run(struct wdbg_cmd *cmd)
{
	info_fill(cmd->session->gpu, cmd->data);
	return 0;
}

const struct wdbg_ioctl wdbg_get_info = {
	.run = info_run,
	.locked = true,
};

#define NO_TIMEOUT_HOLD \
	"The job scheduler of this amdgpu is not known: " \
	"it resets the GPU when a wave is halted for too long."

#define EVENTS_BY_POLLING \
	"This amdgpu does not show interrupts of waves: the module reads the waves " \
	"every 20 ms instead, and misses those that are resumed in between."

#define SLOTS_BY_STATUS \
	"The bitmap of live waves is incomplete: the module reads each slot instead."

#define STILL_BY_HALT \
	"It is not known on this GPU whether a halted wave has accesses in flight."

#define NO_PRECISE_MEM \
	"Waves of this generation continue while their memory accesses are in flight."

#define NO_PRECISE_ALU \
	"Waves of this generation report arithmetic exceptions some instructions later."

static const char *info_unsupported_reason(const struct wdbg_gpu *gpu, u32 id)
{
	switch (id) {
	case AMDGPUDBG_CAP_TIMEOUT_HOLD:
		return gpu->num_rings ? NULL : NO_TIMEOUT_HOLD;
	case AMDGPUDBG_CAP_EVENTS:
		return wdbg_event_source_polls(gpu) ? EVENTS_BY_POLLING : NULL;
	case AMDGPUDBG_CAP_MEMORY:
		return wdbg_buffer_unsupported_reason(gpu);
	case AMDGPUDBG_CAP_TRAP_HANDLER:
		return wdbg_trap_unsupported_reason(gpu);
	case AMDGPUDBG_CAP_WATCH:
	case AMDGPUDBG_CAP_LAUNCH_MODE:
	case AMDGPUDBG_CAP_EXCP_MASK:
	case AMDGPUDBG_CAP_STALL:
		return wdbg_vmid_unsupported_reason(gpu);
	case AMDGPUDBG_CAP_VMID_GUARD:
		return wdbg_vmid_unsupported_reason(gpu) ?: wdbg_guard_gap(gpu);
	case AMDGPUDBG_CAP_VM_ACCESS:
	case AMDGPUDBG_CAP_PATCH:
		return wdbg_mappings_unsupported_reason(gpu);
	case AMDGPUDBG_CAP_JOB_EVENTS:
		return wdbg_job_unsupported_reason(gpu);
	case AMDGPUDBG_CAP_PRECISE_MEM:
		return NO_PRECISE_MEM;
	case AMDGPUDBG_CAP_PRECISE_ALU:
		return NO_PRECISE_ALU;
	case AMDGPUDBG_CAP_JOB_LIST:
		return wdbg_job_list_unsupported_reason(gpu);
	}
	return NULL;
}

/* What was observed on this GPU about a capability that it has? */
static const char *info_remark(const struct wdbg_hw *hw, u32 id)
{
	switch (id) {
	case AMDGPUDBG_CAP_WAVE_LIST:
		return hw->active == WDBG_BROKEN ? SLOTS_BY_STATUS : NULL;
	case AMDGPUDBG_CAP_REG_READ:
	case AMDGPUDBG_CAP_REG_WRITE:
		return hw->idle == WDBG_BROKEN ? STILL_BY_HALT : NULL;
	}
	return NULL;
}

/* Does the generation lack it, and not the driver? */
static bool info_is_of_gpu(const struct wdbg_gpu *gpu, u32 id)
{
	return (id == AMDGPUDBG_CAP_TRAP_HANDLER && !gpu->hw.ops->trap) ||
	       id == AMDGPUDBG_CAP_PRECISE_MEM || id == AMDGPUDBG_CAP_PRECISE_ALU;
}

/* What is missing on the GPU is missing for each target. */
static struct wdbg_answer info_answer(struct wdbg_session *session, u32 id)
{
	struct wdbg_gpu *gpu = session->gpu;
	struct wdbg_answer answer = { .text = info_unsupported_reason(gpu, id) };

	if (answer.text) {
		answer.code = info_is_of_gpu(gpu, id) ? AMDGPUDBG_REASON_GPU :
						   AMDGPUDBG_REASON_DRIVER;
		return answer;
	}
	if (session->target) {
		answer = wdbg_caps_for(wdbg_target_waves(session->target),
				       wdbg_id_mgr_isolates(gpu), id);
		if (answer.code)
			return answer;
	}
	answer.supported = true;
	answer.text = info_remark(&gpu->hw, id);
	if (answer.text)
		answer.code = AMDGPUDBG_REASON_REMARK;
	return answer;
}

static int info_check_capability(struct wdbg_cmd *cmd)
{
	const struct amdgpudbg_capability *cap = cmd->data;

	return cap->__reserved || cap->id >= ARRAY_SIZE(names) ? -EINVAL : 0;
}

static int info_run_capability(struct wdbg_cmd *cmd)
{
	struct amdgpudbg_capability *cap = cmd->data;
	struct wdbg_answer answer = info_answer(cmd->session, cap->id);

	cap->supported = answer.supported;
	cap->reason_code = answer.code;
	strscpy_pad(cap->name, names[cap->id], sizeof(cap->name));
	strscpy_pad(cap->reason, answer.text ? answer.text : "", sizeof(cap->reason));
	return 0;
}

const struct wdbg_ioctl wdbg_get_capability = {
	.check = info_check_capability,
	.run = info_run_capability,
	.locked = true,
};

/* Also about a GPU that is detached now */
static int info_run_busy(struct wdbg_cmd *cmd)
{
	struct wdbg_session *session = cmd->session;
	struct amdgpudbg_busy *args = cmd->data;
	u32 left_ms;

	args->cause = session->busy.cause;
	args->by = session->busy.by;
	args->pid = session->busy.pid;
	args->vmid = session->busy.vmid;
	args->pasid = session->busy.pasid;
	args->wait_ms = 0;
	if (args->cause == AMDGPUDBG_BUSY_HALT_EXPIRED)
		wdbg_halt_budget_left(session->gpu, &left_ms, &args->wait_ms);
	return 0;
}

const struct wdbg_ioctl wdbg_get_busy = {
	.run = info_run_busy,
	.locked = true,
	.detached = true,
};

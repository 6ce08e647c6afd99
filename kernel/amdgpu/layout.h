/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Offsets of the members of amdgpu's structures that this module uses, in the amdgpu.ko
 * that is loaded now
 */
#ifndef WDBG_LAYOUT_H
#define WDBG_LAYOUT_H

#include <linux/types.h>

/*
 * The members that are used
 *
 * Paths and types are in the table in layout.c. ADEV_* are offsets within struct
 * amdgpu_device, the others within the structure in their name.
 */
enum wdbg_field {
	WDBG_ADEV_DEV,
	WDBG_ADEV_PDEV,
	WDBG_ADEV_DDEV,
	WDBG_ADEV_SHUTDOWN,
	WDBG_ADEV_IN_SUSPEND,
	WDBG_ADEV_NO_HW_ACCESS,
	WDBG_ADEV_GRBM_IDX_MUTEX,
	WDBG_ADEV_RMMIO,
	WDBG_ADEV_RMMIO_BASE,
	WDBG_ADEV_RMMIO_SIZE,
	WDBG_ADEV_FIRST_KFD_VMID,
	WDBG_ADEV_MAX_SHADER_ENGINES,
	WDBG_ADEV_MAX_SH_PER_SE,
	WDBG_ADEV_MAX_CU_PER_SH,
	WDBG_ADEV_CU_MAX_WAVES_PER_SIMD,
	WDBG_ADEV_CU_NUMBER,
	WDBG_ADEV_CU_BITMAP,
	WDBG_ADEV_GFX_FUNCS,
	WDBG_GFX_FUNCS_READ_WAVE_DATA,
	WDBG_GFX_FUNCS_GET_GPU_CLOCK_COUNTER,
	WDBG_ADEV_REFERENCE_FREQ,
	WDBG_ADEV_GFX_OFF_STATE,
	WDBG_ADEV_XCC_MASK,
	WDBG_ADEV_IP_BLOCKS,
	WDBG_ADEV_NUM_IP_BLOCKS,
	WDBG_IP_BLOCK_VERSION,
	WDBG_IP_VERSION_TYPE,
	WDBG_IP_VERSION_FUNCS,
	WDBG_IP_FUNCS_SET_POWERGATING_STATE,
	WDBG_ADEV_REG_OFFSET,
	WDBG_ADEV_IP_VERSIONS,
	WDBG_ADEV_VIRT_CAPS,
	WDBG_ADEV_RESET_DOMAIN,
	WDBG_RESET_DOMAIN_SEM,
	WDBG_ADEV_GPU_RESET_COUNTER,
	WDBG_ADEV_RINGS,
	WDBG_ADEV_NUM_RINGS,
	WDBG_RING_FUNCS,
	WDBG_RING_FUNCS_TYPE,
	WDBG_RING_NO_SCHEDULER,
	WDBG_RING_SCHED_OPS,
	WDBG_RING_SCHED_TIMEOUT,
	WDBG_RING_SCHED_JOB_LIST_LOCK,
	WDBG_RING_SCHED_WORK_TDR,
	WDBG_RING_SCHED_TIMEOUT_WQ,
	WDBG_RING_SCHED_PENDING_LIST,
	WDBG_RING_LAST_SEQ,
	WDBG_FPRIV_VM_PASID,
	WDBG_ADEV_SRBM_MUTEX,
	WDBG_ADEV_ID_MGR,
	WDBG_ID_MGR_IDS,
	WDBG_ID_MGR_RESERVED_VMID_NUM,
	WDBG_ID_MGR_RESERVED_VMID,
	WDBG_ID_MGR_RESERVED_USE_COUNT,
	WDBG_ID_MGR_RESERVED,
	WDBG_FPRIV_VM_RESERVED_PTR,
	WDBG_FPRIV_VM_RESERVED_BOOL,
	WDBG_FPRIV_VM_IS_COMPUTE_CONTEXT,
	WDBG_IV_IH,
	WDBG_IV_CLIENT_ID,
	WDBG_IV_SRC_ID,
	WDBG_IV_VMID,
	WDBG_IV_PASID,
	WDBG_IV_SRC_DATA,
	WDBG_FPRIV_VM_LAST_UPDATE,
	WDBG_FPRIV_VM,
	WDBG_FPRIV_VM_FENCE_CONTEXT,
	WDBG_ADEV_CONCURRENT_FLUSH,
	WDBG_ID_MGR_LOCK,
	WDBG_ID_MGR_IDS_LRU,
	WDBG_VMID_LIST,
	WDBG_VMID_ACTIVE_FENCES,
	WDBG_VMID_OWNER,
	WDBG_VMID_PASID,
	WDBG_SYNC_ENTRY_NODE,
	WDBG_SYNC_ENTRY_FENCE,
	WDBG_JOB_VMID,
	WDBG_RING_ADEV,
	WDBG_RING_VM_HUB,
	WDBG_RING_FUNCS_VMHUB,
	WDBG_ADEV_ENFORCE_ISOLATION,
	WDBG_KFD_ENABLE_DEBUG_TRAP,
	WDBG_FPRIV_CTX_LOCK,
	WDBG_FPRIV_CTX_HANDLES,
	WDBG_CTX_REFCOUNT,
	WDBG_FPRIV_VM_VA,
	WDBG_FPRIV_VM_ROOT_BO,
	WDBG_MAPPING_BO_VA,
	WDBG_MAPPING_RB,
	WDBG_MAPPING_START,
	WDBG_MAPPING_LAST,
	WDBG_MAPPING_OFFSET,
	WDBG_BO_VA_BO,
	WDBG_BO_VA_VM,
	WDBG_BO_TBO,
	WDBG_BO_FLAGS,
	WDBG_TTM_TT,
	WDBG_TTM_TT_USERPTR,
	WDBG_MAPPING_FLAGS_PTE,
	WDBG_MAPPING_FLAGS_API,
	WDBG_JOB_SCHED,
	WDBG_JOB_S_FENCE,
	WDBG_SCHED_FENCE_FINISHED,
	WDBG_JOB_VM,
	WDBG_JOB_PASID,
	WDBG_RING_SCHED,
	WDBG_RING_IDX,
	WDBG_RING_NAME,
	WDBG_JOB_NUM_IBS,
	WDBG_JOB_IBS,
	WDBG_IB_LENGTH_DW,
	WDBG_IB_GPU_ADDR,
	WDBG_IB_FLAGS,
	WDBG_JOB_NODE,
	WDBG_SCHED_FENCE_SCHEDULED,
	WDBG_RING_ME,
	WDBG_RING_PIPE,
	WDBG_RING_QUEUE,
	WDBG_RING_SYNC_SEQ,
	WDBG_RING_XCC_ID,
	WDBG_ADEV_UNIQUE_ID,
	WDBG_ADEV_FLAGS,
	WDBG_ADEV_KFD_DEV,
	WDBG_KFD_DEV_CWSR,
	WDBG_NUM_FIELDS,
};

/**
 * enum wdbg_pg_arg - first argument of set_powergating_state()
 * @WDBG_PG_ARG_ADEV: the device, as void * (6.1, 6.12)
 * @WDBG_PG_ARG_IP_BLOCK: the IP block (7.2)
 */
enum wdbg_pg_arg {
	WDBG_PG_ARG_ADEV,
	WDBG_PG_ARG_IP_BLOCK,
};

/**
 * struct wdbg_layout - what was learnt from the BTF of the loaded amdgpu.ko
 * @offset: byte offset per &enum wdbg_field
 * @present: which of them exist; an optional one may not
 * @adev_size: size of struct amdgpu_device
 * @ip_block_size: size of struct amdgpu_ip_block
 * @num_ip_blocks: elements of amdgpu_device.ip_blocks
 * @hwip_instances: elements per IP in reg_offset and ip_versions
 * @bitmap_words: elements of cu_info.bitmap
 * @gc_hwip: GC_HWIP
 * @osssys_hwip: OSSSYS_HWIP
 * @ip_block_type_gfx: AMD_IP_BLOCK_TYPE_GFX
 * @pg_state_gate: AMD_PG_STATE_GATE
 * @pg_state_ungate: AMD_PG_STATE_UNGATE
 * @ring_type_gfx: AMDGPU_RING_TYPE_GFX
 * @ring_type_compute: AMDGPU_RING_TYPE_COMPUTE
 * @is_apu: AMD_IS_APU, 0 if it is not known
 * @num_rings: elements of amdgpu_device.rings
 * @num_ids: elements of amdgpu_vmid_mgr.ids
 * @id_size: size of struct amdgpu_vmid
 * @num_fence_lists: elements of amdgpu_vmid.active.fences
 * @ib_size: size of struct amdgpu_ib
 * @has_sched: all members exist that holding job timeouts needs
 * @has_reserve: all members exist that reserving a VMID needs
 * @has_owner: all members exist that show the owner of a VMID
 * @has_grant: the tracepoint amdgpu_vm_grab_id has the expected prototype, and its
 *	arguments are understood
 * @has_contexts: all members exist that keeping jobs from being submitted needs
 * @has_mappings: all members exist that finding the memory at an address needs
 * @has_iv: the tracepoint amdgpu_iv has the expected prototype, and its entries are
 *	understood
 * @has_jobs: the tracepoint amdgpu_sched_run_job has the expected prototype, and jobs
 *	are understood
 * @has_ibs: the indirect buffers of a job are understood
 * @has_changes: the tracepoints amdgpu_vm_bo_map and _unmap have the expected
 *	prototypes
 * @has_job_list: all members exist that listing the jobs of all rings needs
 * @pg_arg: see &enum wdbg_pg_arg
 */
struct wdbg_layout {
	u32 offset[WDBG_NUM_FIELDS];
	bool present[WDBG_NUM_FIELDS];
	u32 adev_size;
	u32 ip_block_size;
	u32 num_ip_blocks;
	u32 hwip_instances;
	u32 bitmap_words;
	u32 gc_hwip;
	u32 osssys_hwip;
	u32 ip_block_type_gfx;
	u32 pg_state_gate;
	u32 pg_state_ungate;
	u32 ring_type_gfx;
	u32 ring_type_compute;
	u32 is_apu;
	u32 num_rings;
	u32 num_ids;
	u32 id_size;
	u32 num_fence_lists;
	u32 ib_size;
	bool has_sched;
	bool has_reserve;
	bool has_owner;
	bool has_grant;
	bool has_contexts;
	bool has_mappings;
	bool has_iv;
	bool has_jobs;
	bool has_ibs;
	bool has_job_list;
	bool has_changes;
	enum wdbg_pg_arg pg_arg;
};

/* Long enough for every reason of a refusal, as in struct amdgpudbg_capability. */
#define WDBG_REASON_LEN	144

int wdbg_layout_load(struct wdbg_layout *layout, char *reason);
void wdbg_read_build_id(char *hex, size_t size);

/**
 * wdbg_field_ptr() - get the address of a member
 * @layout: the layout
 * @base: the structure that holds the member
 * @field: the member
 *
 * Return: the address.
 */
static inline void *wdbg_field_ptr(const struct wdbg_layout *layout,
				   void *base, enum wdbg_field field)
{
	return base + layout->offset[field];
}

#endif /* WDBG_LAYOUT_H */

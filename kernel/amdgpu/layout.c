// SPDX-License-Identifier: GPL-2.0-only
/*
 * Learn the layout of amdgpu's structures from the type information (BTF) that the
 * kernel publishes for the amdgpu.ko that is loaded. amdgpu has no interface for other
 * modules and its structures change in every release, so nothing about them may be
 * assumed when this module is built.
 */
#include <drm/drm_gem_ttm_helper.h>
#include <drm/ttm/ttm_tt.h>
#include <linux/dma-fence.h>
#include <linux/err.h>
#include <linux/idr.h>
#include <linux/kref.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/rwsem.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "amdgpu/btf.h"
#include "amdgpu/layout.h"
#include "amdgpu/sysfs.h"

/* Debian's kernels have 4 to 6 MB of BTF, their amdgpu.ko 2 to 4 MB. */
#define BTF_MAX_SIZE	(64 << 20)

/**
 * struct field_spec - a member, and the type that this module relies on
 * @path: see wdbg_btf_member()
 * @kind: BTF_KIND_*
 * @name: name of its type, or of what it points to; NULL if it does not matter
 * @elem_size: bytes, of one element if it is an array
 * @optional: the module works without it
 * @flexible: an array of no fixed length
 */
struct field_spec {
	const char *path;
	u32 kind;
	const char *name;
	u32 elem_size;
	bool optional;
	bool flexible;
};

#define INT(_path, _type) \
	{ .path = (_path), .kind = BTF_KIND_INT, .elem_size = sizeof(_type) }
#define OPTIONAL_INT(_path, _type) \
	{ .path = (_path), .kind = BTF_KIND_INT, .elem_size = sizeof(_type), \
	  .optional = true }
#define OPTIONAL_PTR(_path, _name) \
	{ .path = (_path), .kind = BTF_KIND_PTR, .name = (_name), \
	  .elem_size = sizeof(void *), .optional = true }
#define OPTIONAL_STRUCT(_path, _name, _size) \
	{ .path = (_path), .kind = BTF_KIND_STRUCT, .name = (_name), \
	  .elem_size = (_size), .optional = true }
/* An array of no fixed length, at the end of its structure */
#define OPTIONAL_FLEXIBLE(_path, _name) \
	{ .path = (_path), .kind = BTF_KIND_STRUCT, .name = (_name), \
	  .optional = true, .flexible = true }
#define ENUM(_path) \
	{ .path = (_path), .kind = BTF_KIND_ENUM, .elem_size = sizeof(u32) }
#define PTR(_path, _name) \
	{ .path = (_path), .kind = BTF_KIND_PTR, .name = (_name), \
	  .elem_size = sizeof(void *) }
#define STRUCT(_path, _name, _size) \
	{ .path = (_path), .kind = BTF_KIND_STRUCT, .name = (_name), \
	  .elem_size = (_size) }

/* The scheduler is only needed to hold the timeouts of jobs. */
#define SCHED_STRUCT(_path, _name, _size) \
	{ .path = "amdgpu_ring.sched." _path, .kind = BTF_KIND_STRUCT, \
	  .name = (_name), .elem_size = (_size), .optional = true }
#define SCHED_PTR(_path, _name) \
	{ .path = "amdgpu_ring.sched." _path, .kind = BTF_KIND_PTR, \
	  .name = (_name), .elem_size = sizeof(void *), .optional = true }

/*
 * Without these, the worker reads the waves at intervals to find those that have
 * stopped.
 */
#define IV_INT(_member) \
	OPTIONAL_INT("amdgpu_iv_entry." _member, u32)

#define ADEV	"amdgpu_device."
#define ID_MGR	"amdgpu_vmid_mgr."
#define MAPPING	"amdgpu_bo_va_mapping."

static const struct field_spec field_specs[WDBG_NUM_FIELDS] = {
	[WDBG_ADEV_DEV] = PTR(ADEV "dev", "device"),
	[WDBG_ADEV_PDEV] = PTR(ADEV "pdev", "pci_dev"),
	[WDBG_ADEV_DDEV] = STRUCT(ADEV "ddev", "drm_device", 0),
	[WDBG_ADEV_SHUTDOWN] = INT(ADEV "shutdown", bool),
	[WDBG_ADEV_IN_SUSPEND] = INT(ADEV "in_suspend", bool),
	[WDBG_ADEV_NO_HW_ACCESS] = INT(ADEV "no_hw_access", bool),
	[WDBG_ADEV_GRBM_IDX_MUTEX] =
		STRUCT(ADEV "grbm_idx_mutex", "mutex", sizeof(struct mutex)),
	[WDBG_ADEV_RMMIO] = PTR(ADEV "rmmio", ""),
	[WDBG_ADEV_RMMIO_BASE] = INT(ADEV "rmmio_base", resource_size_t),
	[WDBG_ADEV_RMMIO_SIZE] = INT(ADEV "rmmio_size", resource_size_t),
	[WDBG_ADEV_FIRST_KFD_VMID] = INT(ADEV "vm_manager.first_kfd_vmid", u32),
	[WDBG_ADEV_MAX_SHADER_ENGINES] =
		INT(ADEV "gfx.config.max_shader_engines", u32),
	[WDBG_ADEV_MAX_SH_PER_SE] = INT(ADEV "gfx.config.max_sh_per_se", u32),
	[WDBG_ADEV_MAX_CU_PER_SH] = INT(ADEV "gfx.config.max_cu_per_sh", u32),
	[WDBG_ADEV_CU_MAX_WAVES_PER_SIMD] =
		INT(ADEV "gfx.cu_info.max_waves_per_simd", u32),
	[WDBG_ADEV_CU_NUMBER] = INT(ADEV "gfx.cu_info.number", u32),
	[WDBG_ADEV_CU_BITMAP] = INT(ADEV "gfx.cu_info.bitmap", u32),
	[WDBG_ADEV_GFX_FUNCS] = PTR(ADEV "gfx.funcs", "amdgpu_gfx_funcs"),
	[WDBG_GFX_FUNCS_READ_WAVE_DATA] =
		PTR(ADEV "gfx.funcs->read_wave_data", NULL),
	[WDBG_GFX_FUNCS_GET_GPU_CLOCK_COUNTER] =
		PTR(ADEV "gfx.funcs->get_gpu_clock_counter", NULL),
	[WDBG_ADEV_REFERENCE_FREQ] =
		INT(ADEV "clock.spll.reference_freq", u32),
	[WDBG_ADEV_GFX_OFF_STATE] = INT(ADEV "gfx.gfx_off_state", bool),
	[WDBG_ADEV_XCC_MASK] = OPTIONAL_INT(ADEV "gfx.xcc_mask", u16),
	[WDBG_ADEV_IP_BLOCKS] = STRUCT(ADEV "ip_blocks", "amdgpu_ip_block", 0),
	[WDBG_ADEV_NUM_IP_BLOCKS] = INT(ADEV "num_ip_blocks", u32),
	[WDBG_IP_BLOCK_VERSION] =
		PTR("amdgpu_ip_block.version", "amdgpu_ip_block_version"),
	[WDBG_IP_VERSION_TYPE] = ENUM("amdgpu_ip_block.version->type"),
	[WDBG_IP_VERSION_FUNCS] =
		PTR("amdgpu_ip_block.version->funcs", "amd_ip_funcs"),
	[WDBG_IP_FUNCS_SET_POWERGATING_STATE] =
		PTR("amdgpu_ip_block.version->funcs->set_powergating_state",
		    NULL),
	[WDBG_ADEV_REG_OFFSET] = PTR(ADEV "reg_offset", "unsigned int"),
	[WDBG_ADEV_IP_VERSIONS] = INT(ADEV "ip_versions", u32),
	[WDBG_ADEV_VIRT_CAPS] = INT(ADEV "virt.caps", u32),
	[WDBG_ADEV_RESET_DOMAIN] =
		PTR(ADEV "reset_domain", "amdgpu_reset_domain"),
	[WDBG_RESET_DOMAIN_SEM] =
		STRUCT(ADEV "reset_domain->sem", "rw_semaphore",
		       sizeof(struct rw_semaphore)),
	[WDBG_ADEV_GPU_RESET_COUNTER] =
		STRUCT(ADEV "gpu_reset_counter", NULL, sizeof(atomic_t)),
	[WDBG_ADEV_RINGS] = PTR(ADEV "rings", "amdgpu_ring"),
	[WDBG_ADEV_NUM_RINGS] = INT(ADEV "num_rings", u32),
	[WDBG_RING_FUNCS] = PTR("amdgpu_ring.funcs", "amdgpu_ring_funcs"),
	[WDBG_RING_FUNCS_TYPE] = ENUM("amdgpu_ring.funcs->type"),
	[WDBG_RING_NO_SCHEDULER] = INT("amdgpu_ring.no_scheduler", bool),
	[WDBG_RING_SCHED_OPS] = SCHED_PTR("ops", "drm_sched_backend_ops"),
	[WDBG_RING_SCHED_TIMEOUT] =
		OPTIONAL_INT("amdgpu_ring.sched.timeout", long),
	[WDBG_RING_SCHED_JOB_LIST_LOCK] =
		SCHED_STRUCT("job_list_lock", "spinlock", sizeof(spinlock_t)),
	[WDBG_RING_SCHED_WORK_TDR] =
		SCHED_STRUCT("work_tdr", "delayed_work",
			     sizeof(struct delayed_work)),
	[WDBG_RING_SCHED_TIMEOUT_WQ] =
		SCHED_PTR("timeout_wq", "workqueue_struct"),
	[WDBG_RING_SCHED_PENDING_LIST] =
		SCHED_STRUCT("pending_list", "list_head",
			     sizeof(struct list_head)),
	[WDBG_RING_LAST_SEQ] =
		OPTIONAL_STRUCT("amdgpu_ring.fence_drv.last_seq", NULL,
				sizeof(atomic_t)),
	[WDBG_FPRIV_VM_PASID] = INT("amdgpu_fpriv.vm.pasid", u32),
	[WDBG_ADEV_SRBM_MUTEX] =
		OPTIONAL_STRUCT(ADEV "srbm_mutex", "mutex",
				sizeof(struct mutex)),
	/* Each series keeps the owner of a reserved VMID in another way. */
	[WDBG_ADEV_ID_MGR] =
		OPTIONAL_STRUCT(ADEV "vm_manager.id_mgr", "amdgpu_vmid_mgr", 0),
	[WDBG_ID_MGR_IDS] =
		OPTIONAL_STRUCT(ID_MGR "ids", "amdgpu_vmid", 0),
	[WDBG_ID_MGR_RESERVED_VMID_NUM] =
		OPTIONAL_STRUCT(ID_MGR "reserved_vmid_num", NULL,
				sizeof(atomic_t)),
	[WDBG_ID_MGR_RESERVED_VMID] =
		OPTIONAL_INT(ID_MGR "reserved_vmid", bool),
	[WDBG_ID_MGR_RESERVED_USE_COUNT] =
		OPTIONAL_INT(ID_MGR "reserved_use_count", u32),
	[WDBG_ID_MGR_RESERVED] =
		OPTIONAL_PTR(ID_MGR "reserved", "amdgpu_vmid"),
	[WDBG_FPRIV_VM_RESERVED_PTR] =
		OPTIONAL_PTR("amdgpu_fpriv.vm.reserved_vmid", "amdgpu_vmid"),
	[WDBG_FPRIV_VM_RESERVED_BOOL] =
		OPTIONAL_INT("amdgpu_fpriv.vm.reserved_vmid", bool),
	[WDBG_FPRIV_VM_IS_COMPUTE_CONTEXT] =
		OPTIONAL_INT("amdgpu_fpriv.vm.is_compute_context", bool),
	[WDBG_IV_IH] = OPTIONAL_PTR("amdgpu_iv_entry.ih", "amdgpu_ih_ring"),
	[WDBG_IV_CLIENT_ID] = IV_INT("client_id"),
	[WDBG_IV_SRC_ID] = IV_INT("src_id"),
	[WDBG_IV_VMID] = IV_INT("vmid"),
	[WDBG_IV_PASID] = IV_INT("pasid"),
	[WDBG_IV_SRC_DATA] = IV_INT("src_data"),
	[WDBG_FPRIV_VM_LAST_UPDATE] =
		OPTIONAL_PTR("amdgpu_fpriv.vm.last_update", "dma_fence"),
	/* Owners of VMIDs */
	[WDBG_FPRIV_VM] = OPTIONAL_STRUCT("amdgpu_fpriv.vm", "amdgpu_vm", 0),
	[WDBG_FPRIV_VM_FENCE_CONTEXT] =
		OPTIONAL_INT("amdgpu_fpriv.vm.immediate.fence_context", u64),
	[WDBG_ADEV_CONCURRENT_FLUSH] =
		OPTIONAL_INT(ADEV "vm_manager.concurrent_flush", bool),
	[WDBG_ID_MGR_LOCK] =
		OPTIONAL_STRUCT(ID_MGR "lock", "mutex", sizeof(struct mutex)),
	[WDBG_ID_MGR_IDS_LRU] =
		OPTIONAL_STRUCT(ID_MGR "ids_lru", "list_head",
				sizeof(struct list_head)),
	[WDBG_VMID_LIST] =
		OPTIONAL_STRUCT("amdgpu_vmid.list", "list_head",
				sizeof(struct list_head)),
	[WDBG_VMID_ACTIVE_FENCES] =
		OPTIONAL_STRUCT("amdgpu_vmid.active.fences", "hlist_head",
				sizeof(struct hlist_head)),
	[WDBG_VMID_OWNER] = OPTIONAL_INT("amdgpu_vmid.owner", u64),
	[WDBG_VMID_PASID] = OPTIONAL_INT("amdgpu_vmid.pasid", u32),
	[WDBG_SYNC_ENTRY_NODE] =
		OPTIONAL_STRUCT("amdgpu_sync_entry.node", "hlist_node",
				sizeof(struct hlist_node)),
	[WDBG_SYNC_ENTRY_FENCE] =
		OPTIONAL_PTR("amdgpu_sync_entry.fence", "dma_fence"),
	/* Grants of VMIDs */
	[WDBG_JOB_VMID] = OPTIONAL_INT("amdgpu_job.vmid", u32),
	[WDBG_RING_ADEV] = OPTIONAL_PTR("amdgpu_ring.adev", "amdgpu_device"),
	/* 6.12 and later; and 6.1 */
	[WDBG_RING_VM_HUB] = OPTIONAL_INT("amdgpu_ring.vm_hub", u32),
	[WDBG_RING_FUNCS_VMHUB] =
		OPTIONAL_INT("amdgpu_ring.funcs->vmhub", u32),
	/* 6.12, where it affects VMIDs; in 7.2 it is no bool, and does not. */
	[WDBG_ADEV_ENFORCE_ISOLATION] =
		OPTIONAL_INT(ADEV "enforce_isolation", bool),
	/* Linux 6.5 and later: amdkfd has a debugger. */
	[WDBG_KFD_ENABLE_DEBUG_TRAP] =
		OPTIONAL_PTR("kfd2kgd_calls.enable_debug_trap", NULL),
	/* Without these, a job may come between two checks of an address space. */
	[WDBG_FPRIV_CTX_LOCK] =
		OPTIONAL_STRUCT("amdgpu_fpriv.ctx_mgr.lock", "mutex",
				sizeof(struct mutex)),
	[WDBG_FPRIV_CTX_HANDLES] =
		OPTIONAL_STRUCT("amdgpu_fpriv.ctx_mgr.ctx_handles", "idr",
				sizeof(struct idr)),
	[WDBG_CTX_REFCOUNT] =
		OPTIONAL_STRUCT("amdgpu_ctx.refcount", "kref",
				sizeof(struct kref)),
	/* Mappings. TTM's own structures are those of this kernel's headers. */
	[WDBG_FPRIV_VM_VA] =
		OPTIONAL_STRUCT("amdgpu_fpriv.vm.va", "rb_root_cached",
				sizeof(struct rb_root_cached)),
	[WDBG_FPRIV_VM_ROOT_BO] =
		OPTIONAL_PTR("amdgpu_fpriv.vm.root.bo", "amdgpu_bo"),
	[WDBG_MAPPING_BO_VA] = OPTIONAL_PTR(MAPPING "bo_va", "amdgpu_bo_va"),
	[WDBG_MAPPING_RB] = OPTIONAL_STRUCT(MAPPING "rb", "rb_node",
					    sizeof(struct rb_node)),
	[WDBG_MAPPING_START] = OPTIONAL_INT(MAPPING "start", u64),
	[WDBG_MAPPING_LAST] = OPTIONAL_INT(MAPPING "last", u64),
	[WDBG_MAPPING_OFFSET] = OPTIONAL_INT(MAPPING "offset", u64),
	[WDBG_BO_VA_BO] = OPTIONAL_PTR("amdgpu_bo_va.base.bo", "amdgpu_bo"),
	[WDBG_BO_VA_VM] = OPTIONAL_PTR("amdgpu_bo_va.base.vm", "amdgpu_vm"),
	[WDBG_BO_TBO] =
		OPTIONAL_STRUCT("amdgpu_bo.tbo", "ttm_buffer_object",
				sizeof(struct ttm_buffer_object)),
	[WDBG_BO_FLAGS] = OPTIONAL_INT("amdgpu_bo.flags", u64),
	[WDBG_TTM_TT] = OPTIONAL_STRUCT("amdgpu_ttm_tt.ttm", "ttm_tt",
					sizeof(struct ttm_tt)),
	[WDBG_TTM_TT_USERPTR] = OPTIONAL_INT("amdgpu_ttm_tt.userptr", u64),
	/* 6.1 and 6.12: bits of page tables; 7.2: those of amdgpu_drm.h */
	[WDBG_MAPPING_FLAGS_PTE] = OPTIONAL_INT(MAPPING "flags", u64),
	[WDBG_MAPPING_FLAGS_API] = OPTIONAL_INT(MAPPING "flags", u32),
	/* Jobs that begin, and their rings */
	[WDBG_JOB_SCHED] =
		OPTIONAL_PTR("amdgpu_job.base.sched", "drm_gpu_scheduler"),
	[WDBG_JOB_S_FENCE] =
		OPTIONAL_PTR("amdgpu_job.base.s_fence", "drm_sched_fence"),
	[WDBG_SCHED_FENCE_FINISHED] =
		OPTIONAL_STRUCT("amdgpu_job.base.s_fence->finished",
				"dma_fence", sizeof(struct dma_fence)),
	[WDBG_JOB_VM] = OPTIONAL_PTR("amdgpu_job.vm", "amdgpu_vm"),
	[WDBG_JOB_PASID] = OPTIONAL_INT("amdgpu_job.pasid", u32),
	[WDBG_RING_SCHED] =
		OPTIONAL_STRUCT("amdgpu_ring.sched", "drm_gpu_scheduler", 0),
	[WDBG_RING_IDX] = OPTIONAL_INT("amdgpu_ring.idx", u32),
	[WDBG_RING_NAME] = OPTIONAL_INT("amdgpu_ring.name", char),
	/* Indirect buffers of a job */
	[WDBG_JOB_NUM_IBS] = OPTIONAL_INT("amdgpu_job.num_ibs", u32),
	[WDBG_JOB_IBS] = OPTIONAL_FLEXIBLE("amdgpu_job.ibs", "amdgpu_ib"),
	[WDBG_IB_LENGTH_DW] = OPTIONAL_INT("amdgpu_ib.length_dw", u32),
	[WDBG_IB_GPU_ADDR] = OPTIONAL_INT("amdgpu_ib.gpu_addr", u64),
	[WDBG_IB_FLAGS] = OPTIONAL_INT("amdgpu_ib.flags", u32),
	/* Jobs that have not ended */
	[WDBG_JOB_NODE] =
		OPTIONAL_STRUCT("amdgpu_job.base.list", "list_head",
				sizeof(struct list_head)),
	[WDBG_SCHED_FENCE_SCHEDULED] =
		OPTIONAL_STRUCT("amdgpu_job.base.s_fence->scheduled",
				"dma_fence", sizeof(struct dma_fence)),
	[WDBG_RING_ME] = OPTIONAL_INT("amdgpu_ring.me", u32),
	[WDBG_RING_PIPE] = OPTIONAL_INT("amdgpu_ring.pipe", u32),
	[WDBG_RING_QUEUE] = OPTIONAL_INT("amdgpu_ring.queue", u32),
	[WDBG_RING_SYNC_SEQ] =
		OPTIONAL_INT("amdgpu_ring.fence_drv.sync_seq", u32),
	/* Linux 6.5 and later */
	[WDBG_RING_XCC_ID] = OPTIONAL_INT("amdgpu_ring.xcc_id", u32),
	/* Members that are only reported */
	[WDBG_ADEV_UNIQUE_ID] = OPTIONAL_INT(ADEV "unique_id", u64),
	[WDBG_ADEV_FLAGS] = OPTIONAL_INT(ADEV "flags", unsigned long),
	[WDBG_ADEV_KFD_DEV] = OPTIONAL_PTR(ADEV "kfd.dev", "kfd_dev"),
	[WDBG_KFD_DEV_CWSR] = OPTIONAL_INT(ADEV "kfd.dev->cwsr_enabled", bool),
};

static int layout_refuse(char *reason, int err, const char *fmt, const char *what)
{
	snprintf(reason, WDBG_REASON_LEN, fmt, what);
	return err;
}

static bool layout_fits(const struct field_spec *spec,
			const struct wdbg_btf_member *m)
{
	if (m->kind != spec->kind || !m->elems != spec->flexible)
		return false;
	if (spec->name && strcmp(spec->name, m->name))
		return false;
	return !spec->elem_size || m->size / m->elems == spec->elem_size;
}

static int layout_load_fields(struct wdbg_layout *layout, const struct wdbg_btf *btf,
			      char *reason)
{
	int i, ret;

	for (i = 0; i < WDBG_NUM_FIELDS; i++) {
		const struct field_spec *spec = &field_specs[i];
		struct wdbg_btf_member m;

		ret = wdbg_btf_member(btf, spec->path, &m);
		/*
		 * Two fields may be one member that has different types in different
		 * series.
		 */
		if (spec->optional &&
		    (ret == -ENOENT || (!ret && !layout_fits(spec, &m))))
			continue;
		if (ret)
			return layout_refuse(reason, -EOPNOTSUPP,
					     "This amdgpu has no %s.", spec->path);
		if (!layout_fits(spec, &m))
			return layout_refuse(reason, -EOPNOTSUPP,
					     "In this amdgpu, the type of %s is not known.",
					     spec->path);
		layout->offset[i] = m.offset;
		layout->present[i] = true;

		switch (i) {
		case WDBG_ADEV_IP_BLOCKS:
			layout->num_ip_blocks = m.elems;
			layout->ip_block_size = m.size / m.elems;
			break;
		case WDBG_ADEV_CU_BITMAP:
			layout->bitmap_words = m.elems;
			break;
		case WDBG_ADEV_RINGS:
			layout->num_rings = m.elems;
			break;
		case WDBG_ID_MGR_IDS:
			layout->num_ids = m.elems;
			layout->id_size = m.size / m.elems;
			break;
		case WDBG_VMID_ACTIVE_FENCES:
			layout->num_fence_lists = m.elems;
			break;
		case WDBG_ADEV_REG_OFFSET:
		case WDBG_ADEV_IP_VERSIONS:
			/* Both are [MAX_HWIP][HWIP_MAX_INSTANCE]. */
			if (layout->hwip_instances &&
			    layout->hwip_instances != m.elems)
				return layout_refuse(reason, -EOPNOTSUPP,
						     "In this amdgpu, %s has another size than reg_offset.",
						     spec->path);
			layout->hwip_instances = m.elems;
			break;
		}
	}
	return 0;
}

static int layout_load_enums(struct wdbg_layout *layout, const struct wdbg_btf *btf,
			     char *reason)
{
	u32 max_hwip = 0;
	const struct {
		const char *type;
		const char *name;
		u32 *value;
	} enums[] = {
		{ "amd_hw_ip_block_type", "GC_HWIP", &layout->gc_hwip },
		{ "amd_hw_ip_block_type", "OSSSYS_HWIP", &layout->osssys_hwip },
		{ "amd_hw_ip_block_type", "MAX_HWIP", &max_hwip },
		{ "amd_ip_block_type", "AMD_IP_BLOCK_TYPE_GFX",
		  &layout->ip_block_type_gfx },
		{ "amd_powergating_state", "AMD_PG_STATE_GATE",
		  &layout->pg_state_gate },
		{ "amd_powergating_state", "AMD_PG_STATE_UNGATE",
		  &layout->pg_state_ungate },
		{ "amdgpu_ring_type", "AMDGPU_RING_TYPE_GFX",
		  &layout->ring_type_gfx },
		{ "amdgpu_ring_type", "AMDGPU_RING_TYPE_COMPUTE",
		  &layout->ring_type_compute },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(enums); i++)
		if (wdbg_btf_enumerator(btf, enums[i].type, enums[i].name,
					enums[i].value))
			return layout_refuse(reason, -EOPNOTSUPP,
					     "This amdgpu has no %s.", enums[i].name);

	if (wdbg_btf_enumerator(btf, "amd_chip_flags", "AMD_IS_APU", &layout->is_apu))
		layout->is_apu = 0;

	/* The BTF of older compilers has the two dimensions as one. */
	if (!max_hwip || layout->hwip_instances % max_hwip ||
	    layout->gc_hwip >= max_hwip || layout->osssys_hwip >= max_hwip)
		return layout_refuse(reason, -EOPNOTSUPP,
				     "In this amdgpu, %s does not divide the size of reg_offset.",
				     "MAX_HWIP");
	layout->hwip_instances /= max_hwip;
	return 0;
}

static int layout_load_prototypes(struct wdbg_layout *layout,
				  const struct wdbg_btf *btf, char *reason)
{
	const char *path =
		field_specs[WDBG_IP_FUNCS_SET_POWERGATING_STATE].path;
	struct wdbg_btf_member m;
	const char *arg;

	if (!wdbg_btf_member(btf, path, &m) &&
	    !wdbg_btf_func_arg(btf, &m, 0, &arg)) {
		if (!*arg) {
			layout->pg_arg = WDBG_PG_ARG_ADEV;
			return 0;
		}
		if (!strcmp(arg, "amdgpu_ip_block")) {
			layout->pg_arg = WDBG_PG_ARG_IP_BLOCK;
			return 0;
		}
	}
	return layout_refuse(reason, -EOPNOTSUPP,
			     "In this amdgpu, the arguments of %s are not known.",
			     path);
}

static bool layout_can_reserve(const struct wdbg_layout *layout)
{
	const bool *present = layout->present;

	if (!present[WDBG_ADEV_ID_MGR] || !present[WDBG_ID_MGR_IDS] ||
	    !present[WDBG_FPRIV_VM_IS_COMPUTE_CONTEXT])
		return false;
	/* 6.12: one VMID for all who reserve */
	if (present[WDBG_FPRIV_VM_RESERVED_BOOL])
		return present[WDBG_ID_MGR_RESERVED] &&
		       present[WDBG_ID_MGR_RESERVED_USE_COUNT];
	/* 6.1 counts, 7.2 does not: one address space may have one */
	return present[WDBG_FPRIV_VM_RESERVED_PTR] &&
	       (present[WDBG_ID_MGR_RESERVED_VMID_NUM] ||
		present[WDBG_ID_MGR_RESERVED_VMID]);
}

static bool layout_are_present(const struct wdbg_layout *layout, int first, int last)
{
	int i;

	for (i = first; i <= last; i++)
		if (!layout->present[i])
			return false;
	return true;
}

/*
 * Does amdgpu_vm_grab_id have the prototype that the probe in guard.c expects? The
 * kernel publishes the type of each tracepoint's probes as a typedef.
 */
static bool layout_grant_is_known(const struct wdbg_layout *layout,
				  const struct wdbg_btf *btf)
{
	static const char * const args[] = {
		"amdgpu_vm", "amdgpu_ring", "amdgpu_job",
	};
	struct wdbg_btf_member m;
	const char *arg;
	int i;

	if (!layout_are_present(layout, WDBG_JOB_VMID, WDBG_RING_ADEV) ||
	    !(layout->present[WDBG_RING_VM_HUB] ||
	      layout->present[WDBG_RING_FUNCS_VMHUB]))
		return false;
	if (wdbg_btf_typedef(btf, "btf_trace_amdgpu_vm_grab_id", &m))
		return false;
	/* The registered data comes first. */
	for (i = 0; i < ARRAY_SIZE(args); i++)
		if (wdbg_btf_func_arg(btf, &m, i + 1, &arg) ||
		    strcmp(arg, args[i]))
			return false;
	return wdbg_btf_func_arg(btf, &m, i + 1, &arg) == -ENOENT;
}

/* The same for amdgpu_iv and the probe in iv.c */
static bool layout_iv_is_known(const struct wdbg_layout *layout,
			       const struct wdbg_btf *btf)
{
	struct wdbg_btf_member m;
	const char *arg;

	if (!layout_are_present(layout, WDBG_IV_IH, WDBG_IV_SRC_DATA))
		return false;
	/* The members that the FIFO reads: see struct wdbg_iv. */
	if (wdbg_btf_member(btf, field_specs[WDBG_IV_SRC_DATA].path, &m) ||
	    m.elems < 2)
		return false;
	/* The registered data, the number of the ring, the entry. */
	return !wdbg_btf_typedef(btf, "btf_trace_amdgpu_iv", &m) &&
	       !wdbg_btf_func_arg(btf, &m, 2, &arg) &&
	       !strcmp(arg, "amdgpu_iv_entry") &&
	       wdbg_btf_func_arg(btf, &m, 3, &arg) == -ENOENT;
}

/* The same for amdgpu_sched_run_job and the probe in job.c */
static bool layout_job_is_known(const struct wdbg_layout *layout,
				const struct wdbg_btf *btf)
{
	struct wdbg_btf_member m;
	const char *arg;

	if (!layout_are_present(layout, WDBG_JOB_VMID, WDBG_RING_ADEV) ||
	    !layout_are_present(layout, WDBG_JOB_SCHED, WDBG_RING_NAME) ||
	    !layout->present[WDBG_FPRIV_VM])
		return false;
	/* The registered data, the job. */
	return !wdbg_btf_typedef(btf, "btf_trace_amdgpu_sched_run_job", &m) &&
	       !wdbg_btf_func_arg(btf, &m, 1, &arg) &&
	       !strcmp(arg, "amdgpu_job") &&
	       wdbg_btf_func_arg(btf, &m, 2, &arg) == -ENOENT;
}

/* The same for amdgpu_vm_bo_map, amdgpu_vm_bo_unmap and the probe in vm_log.c */
static bool layout_changes_are_known(const struct wdbg_layout *layout,
				     const struct wdbg_btf *btf)
{
	static const char * const probes[] = {
		"btf_trace_amdgpu_vm_bo_map", "btf_trace_amdgpu_vm_bo_unmap",
	};
	struct wdbg_btf_member m;
	const char *arg;
	int i;

	/* The registered data, the object in its address space, the mapping. */
	for (i = 0; i < ARRAY_SIZE(probes); i++)
		if (wdbg_btf_typedef(btf, probes[i], &m) ||
		    wdbg_btf_func_arg(btf, &m, 1, &arg) ||
		    strcmp(arg, "amdgpu_bo_va") ||
		    wdbg_btf_func_arg(btf, &m, 3, &arg) != -ENOENT)
			return false;
	return layout->present[WDBG_BO_VA_VM] && layout->present[WDBG_FPRIV_VM];
}

static int layout_load_all(struct wdbg_layout *layout, const struct wdbg_btf *btf,
			   char *reason)
{
	int ret;

	memset(layout, 0, sizeof(*layout));
	if (wdbg_btf_struct_size(btf, "amdgpu_device", &layout->adev_size))
		return layout_refuse(reason, -EOPNOTSUPP, "This amdgpu has no %s.",
				     "amdgpu_device");
	ret = layout_load_fields(layout, btf, reason);
	layout->has_sched = layout_are_present(layout, WDBG_RING_SCHED_OPS,
					       WDBG_RING_LAST_SEQ);
	layout->has_reserve = layout_can_reserve(layout);
	layout->has_owner = layout_are_present(layout, WDBG_FPRIV_VM,
					       WDBG_SYNC_ENTRY_FENCE);
	layout->has_grant = layout_grant_is_known(layout, btf);
	layout->has_contexts = layout_are_present(layout, WDBG_FPRIV_CTX_LOCK,
						  WDBG_CTX_REFCOUNT);
	layout->has_mappings = layout_are_present(layout, WDBG_FPRIV_VM_VA,
						  WDBG_TTM_TT_USERPTR) &&
			       (layout->present[WDBG_MAPPING_FLAGS_PTE] ||
				layout->present[WDBG_MAPPING_FLAGS_API]);
	layout->has_iv = layout_iv_is_known(layout, btf);
	layout->has_jobs = layout_job_is_known(layout, btf);
	layout->has_changes = layout_changes_are_known(layout, btf);
	layout->has_ibs = layout_are_present(layout, WDBG_JOB_NUM_IBS, WDBG_IB_FLAGS) &&
			  !wdbg_btf_struct_size(btf, "amdgpu_ib", &layout->ib_size);
	layout->has_job_list = layout_are_present(layout, WDBG_JOB_SCHED, WDBG_RING_SYNC_SEQ) &&
			       layout->has_ibs && layout->has_sched &&
			       layout->present[WDBG_JOB_VMID] &&
			       layout->present[WDBG_FPRIV_VM];
	if (!ret)
		ret = layout_load_enums(layout, btf, reason);
	if (!ret)
		ret = layout_load_prototypes(layout, btf, reason);
	return ret;
}

static int layout_read_btf(struct wdbg_btf *btf, void **data, const char *path,
			   const struct wdbg_btf *base, char *reason)
{
	size_t size;
	int ret;

	*data = wdbg_sysfs_read(path, BTF_MAX_SIZE, &size);
	if (IS_ERR(*data)) {
		ret = PTR_ERR(*data);
		*data = NULL;
		if (ret == -ENOENT)
			return layout_refuse(reason, -EOPNOTSUPP,
					     "The kernel has no BTF in %s (CONFIG_DEBUG_INFO_BTF_MODULES).",
					     path);
		return layout_refuse(reason, ret, "The BTF in %s cannot be read.", path);
	}
	ret = wdbg_btf_parse(btf, *data, size, base);
	if (ret)
		layout_refuse(reason, ret, "The BTF in %s is malformed or of a newer format.",
			      path);
	return ret;
}

/**
 * wdbg_layout_load() - learn the layout of the amdgpu.ko that is loaded
 * @layout: out
 * @reason: out on error, a sentence; WDBG_REASON_LEN bytes
 *
 * Context: may sleep. The caller keeps amdgpu.ko loaded (a device bound to it is
 *	locked).
 * Return: 0; -EOPNOTSUPP if there is no type information or it lacks something; another
 *	error if it cannot be read.
 */
int wdbg_layout_load(struct wdbg_layout *layout, char *reason)
{
	struct wdbg_btf vmlinux = { }, amdgpu = { };
	void *vmlinux_data, *amdgpu_data = NULL;
	int ret;

	ret = layout_read_btf(&vmlinux, &vmlinux_data, "/sys/kernel/btf/vmlinux",
			      NULL, reason);
	if (!ret)
		ret = layout_read_btf(&amdgpu, &amdgpu_data, "/sys/kernel/btf/amdgpu",
				      &vmlinux, reason);
	if (!ret)
		ret = layout_load_all(layout, &amdgpu, reason);

	wdbg_btf_release(&amdgpu);
	wdbg_btf_release(&vmlinux);
	kvfree(amdgpu_data);
	kvfree(vmlinux_data);
	return ret;
}

/* Get the description of an ELF note of type NT_GNU_BUILD_ID, if this is one. */
static const u8 *layout_build_id_of_note(const void *note, size_t size, u32 *len)
{
	struct {
		u32 namesz;
		u32 descsz;
		u32 type;
		char name[4];
	} hdr;

	if (size < sizeof(hdr))
		return NULL;
	memcpy(&hdr, note, sizeof(hdr));
	/* 3: NT_GNU_BUILD_ID of elf.h, which the kernel's elf.h lacks */
	if (hdr.type != 3 || hdr.namesz != 4 || memcmp(hdr.name, "GNU", 4) ||
	    hdr.descsz > size - sizeof(hdr))
		return NULL;
	*len = hdr.descsz;
	return note + sizeof(hdr);
}

/**
 * wdbg_read_build_id() - read the GNU build id of the amdgpu.ko that is loaded
 * @hex: out, hexadecimal text, empty if it is not known
 * @size: bytes at @hex, which are all written
 */
void wdbg_read_build_id(char *hex, size_t size)
{
	const u8 *id;
	size_t note_size;
	void *note;
	u32 len;

	memset(hex, 0, size);
	note = wdbg_sysfs_read("/sys/module/amdgpu/notes/.note.gnu.build-id",
			       PAGE_SIZE, &note_size);
	if (IS_ERR(note))
		return;
	id = layout_build_id_of_note(note, note_size, &len);
	if (id && len < size / 2)
		snprintf(hex, size, "%*phN", (int)len, id);
	kvfree(note);
}

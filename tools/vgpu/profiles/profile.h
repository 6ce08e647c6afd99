/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A GPU as data. Everything that differs between GPUs and is not behaviour is in struct
 * vgpu_profile and struct vgpu_generation; blocks never name a register number, an
 * interrupt id or an instruction encoding.
 */
#ifndef VGPU_PROFILE_H
#define VGPU_PROFILE_H

#include "profiles/fields.h"
#include "profiles/roles.h"
#include "types.h"

/* hw_id of the IPs that vgpu needs to know (soc15_hw_ip.h, Linux 7.2.12) */
#define VGPU_HWID_MP1		1
#define VGPU_HWID_GC		11
#define VGPU_HWID_MMHUB		34
#define VGPU_HWID_OSSSYS	40
#define VGPU_HWID_SDMA0		42
#define VGPU_HWID_NBIF		108
#define VGPU_HWID_MP0		255

/* One row of the IP discovery table (ip_v3 of amdgpu's discovery.h). */
struct vgpu_ip {
	u16 hw_id;
	u8 instance;
	u8 major, minor, revision;
	u8 num_bases;
	u32 base[8];		/* dword addresses, as in the driver's reg_offset */
};

struct vgpu_reg_range {
	u32 first, last;	/* dwords, inclusive */
};

/* The kinds of banked registers, by the fields that select an instance. */
enum vgpu_bank {
	VGPU_BANK_NONE,
	VGPU_BANK_QUEUE,	/* GRBM_GFX_CNTL: MEID, PIPEID, QUEUEID */
	VGPU_BANK_VMID,		/* GRBM_GFX_CNTL: VMID */
};

struct vgpu_bank_range {
	enum vgpu_bank bank;
	u32 first, last;	/* dwords, inclusive */
};

/* The part of the GPU that has an instance of a register; GRBM_GFX_INDEX selects one. */
enum vgpu_owner {
	VGPU_OWNER_GPU,
	VGPU_OWNER_SE,
	VGPU_OWNER_WGP,
};

struct vgpu_owner_range {
	enum vgpu_owner owner;
	u32 first, last;	/* dwords, inclusive */
};

/* The header that amdgpu expects at the start of a firmware file (amdgpu_ucode.h). */
enum vgpu_firmware_kind {
	VGPU_FW_PSP,		/* psp_firmware_header_v1_0 */
	VGPU_FW_GFX,		/* gfx_firmware_header_v1_0 */
	VGPU_FW_RLC,		/* rlc_firmware_header_v2_0 */
	VGPU_FW_SDMA,		/* sdma_firmware_header_v1_0 */
};

struct vgpu_firmware {
	const char *name;	/* below the amdgpu firmware directory */
	enum vgpu_firmware_kind kind;
	u32 ucode_version;
};

/* An interrupt source, as in the driver's include/ivsrcid and soc15_ih_clientid.h. */
struct vgpu_iv_source {
	u8 client_id;
	u8 src_id;
};

/*
 * Layout of the compute or gfx MQD (v10_structs.h), which the CP reads at MAP_QUEUES.
 * Parts of an MQD are images of registers, in the order of their numbers. Offsets are in
 * bytes, sizes in dwords.
 */
struct vgpu_mqd_layout {
	/* CP_MQD_BASE_ADDR (CP_GFX_MQD_BASE_ADDR) and the registers after it */
	u16 hqd_image, hqd_dwords;
	/* COMPUTE_DISPATCH_INITIATOR and the registers after it; 0: none */
	u16 sh_image, sh_dwords;
	/* The write pointer, which is not in the order of registers in the gfx MQD */
	u16 wptr_lo, wptr_hi;
	/* Written back when a queue that MAP_QUEUES has mapped is unmapped */
	u16 active, rptr;
};

/* Masks of bits and fields in entries of page tables. */
struct vgpu_pte_layout {
	u64 valid, system;		/* also in PDEs */
	u64 executable, readable, writeable;
	u64 prt;			/* no memory, but accesses do not fault */
	u64 mtype, mtype_uc;		/* a field, and its value for uncached memory */
	u64 addr, pde_addr;
	u64 pde_is_pte;			/* the PDE maps a large page */
};

/* Fields and values of the data of a wave's interrupt. */
struct vgpu_sq_iv {
	struct vgpu_bits data, sa_id, priv, wave_id, simd_id, wgp_id, se_id;
	struct vgpu_bits encoding;
	u8 encoding_inst, encoding_error;	/* values of encoding: s_sendmsg; an error */
	u32 error_type;				/* field of data, for an error */
	u8 error_illegal_inst, error_mem_viol;	/* values of error_type */
};

/* Commands of SQ_CMD.CMD; UNKNOWN: a number that the generation does not have. */
enum vgpu_sq_cmd {
	VGPU_SQ_CMD_UNKNOWN,
	VGPU_SQ_CMD_NULL,
	VGPU_SQ_CMD_SETHALT,
	VGPU_SQ_CMD_SAVECTX,
	VGPU_SQ_CMD_KILL,
	VGPU_SQ_CMD_DEBUG,
	VGPU_SQ_CMD_TRAP,
	VGPU_SQ_CMD_SET_SPI_PRIO,
	VGPU_SQ_CMD_SETFATALHALT,
	VGPU_SQ_CMD_SINGLE_STEP,
};

/*
 * SQ_CMD.MODE: the waves that get a command, within the selection by GRBM_GFX_INDEX: that
 * in slot WAVE_ID, all, or those of a queue, pipe or ME.
 */
enum vgpu_sq_mode {
	VGPU_SQ_MODE_UNKNOWN,
	VGPU_SQ_MODE_SINGLE,
	VGPU_SQ_MODE_BROADCAST,
	VGPU_SQ_MODE_BROADCAST_QUEUE,
	VGPU_SQ_MODE_BROADCAST_PIPE,
	VGPU_SQ_MODE_BROADCAST_ME,
};

/* TCP_WATCHn_CNTL.MODE: the accesses for which a watch matches. */
enum vgpu_watch_mode {
	VGPU_WATCH_MODE_UNKNOWN,
	VGPU_WATCH_MODE_READ,
	VGPU_WATCH_MODE_NONREAD,
	VGPU_WATCH_MODE_ATOMIC,
	VGPU_WATCH_MODE_ALL,
};

/* SPI_GDBG_WAVE_CNTL2.MODE: the state in which waves of a VMID start. */
enum vgpu_launch_mode {
	VGPU_LAUNCH_UNKNOWN,
	VGPU_LAUNCH_NORMAL,
	VGPU_LAUNCH_HALT,
	VGPU_LAUNCH_DEBUG,
};

/* Number of values of these fields, in any generation */
#define VGPU_NUM_SQ_CMDS	16
#define VGPU_NUM_SQ_MODES	8
#define VGPU_NUM_WATCH_MODES	4
#define VGPU_NUM_LAUNCH_MODES	4

/* Bits of GCVM_L2_PROTECTION_FAULT_STATUS.PERMISSION_FAULTS: the permissions missing. */
struct vgpu_permission_faults {
	u8 valid, read, write, execute;
};

/* SQ_IND_INDEX values of the wave state registers (ixSQ_WAVE_*). */
struct vgpu_sq_ind {
	u16 debug_sts_local;
	u16 active, valid_and_idle;
	u16 mode, status, trapsts, hw_id_legacy;
	u16 gpr_alloc, lds_alloc, ib_sts;
	u16 pc_lo, pc_hi, inst_dw0, ib_dbg1;
	u16 flush_ib, flat_scratch_lo, flat_scratch_hi;
	u16 hw_id1, hw_id2, pops_packer, sched_mode, vgpr_offset, ib_sts2;
	u16 shader_cycles;
	u16 sgprs, ttmp0, m0, exec_lo, exec_hi, vgprs;
	u16 num_sgprs, num_vgprs;	/* number of indices from sgprs and vgprs on */
};

/* Fields of PM4 packets that differ between generations; others: front/pm4_fields.h. */
struct vgpu_pm4_layout {
	u32 dma_byte_count;		/* DMA_DATA: the count in COMMAND */
	struct vgpu_bits acquire_icache;	/* ACQUIRE_MEM: instruction caches */
};

/* The packets of SDMA. */
enum vgpu_sdma_op {
	VGPU_SDMA_OP_UNKNOWN,
	VGPU_SDMA_OP_NOP,
	VGPU_SDMA_OP_COPY,
	VGPU_SDMA_OP_WRITE,
	VGPU_SDMA_OP_INDIRECT,
	VGPU_SDMA_OP_FENCE,
	VGPU_SDMA_OP_TRAP,
	VGPU_SDMA_OP_POLL_REGMEM,
	VGPU_SDMA_OP_COND_EXE,
	VGPU_SDMA_OP_ATOMIC,
	VGPU_SDMA_OP_CONST_FILL,
	VGPU_SDMA_OP_PTEPDE,
	VGPU_SDMA_OP_TIMESTAMP,
	VGPU_SDMA_OP_SRBM_WRITE,
	VGPU_SDMA_OP_GPUVM_INV,
	VGPU_SDMA_OP_GCR_REQ,
};

#define VGPU_NUM_SDMA_OPS	32

/* Opcodes and fields of SDMA's packets that differ; others: front/sdma_fields.h. */
struct vgpu_sdma_layout {
	u8 ops[VGPU_NUM_SDMA_OPS];	/* enum vgpu_sdma_op */
	u32 copy_count, fill_count;
	u32 subwin_z;
};

/*
 * What all GPUs of a generation share. A generation is one of graphics cores, with the hubs
 * and engines that always belong to them.
 */
struct vgpu_generation {
	const char *name;		/* "gfx10.3" */
	const char *isa;		/* instruction set: vgpu_isa_find() */

	const u32 *fields;		/* [VGPU_NUM_FIELDS] masks */

	u16 vm_context_stride;		/* dwords from one CONTEXTn_CNTL to the next */
	u16 vm_context_addr_stride;	/* same for PAGE_TABLE_*_ADDR */
	u16 gc_inv_eng_stride, mm_inv_eng_stride;
	u8 num_inv_engs;

	const struct vgpu_bank_range *banks;
	unsigned int num_banks;
	const struct vgpu_owner_range *owners;
	unsigned int num_owners;
	/*
	 * Registers that have no power during GFXOFF, and those of them that the driver
	 * itself accesses without disallowing it.
	 */
	const struct vgpu_reg_range *gfxoff, *gfxoff_exempt;
	unsigned int num_gfxoff, num_gfxoff_exempt;
	/* Registers that must have the same value in all shader engines. */
	const struct vgpu_reg_range *broadcast;
	unsigned int num_broadcast;

	struct vgpu_mqd_layout compute_mqd, gfx_mqd;
	struct vgpu_pm4_layout pm4;
	struct vgpu_sdma_layout sdma;
	struct vgpu_pte_layout pte;
	/* GCVM_L2_PROTECTION_FAULT_STATUS.CID: clients that cause faults */
	u8 cid_cpc, cid_tcp, cid_sqc_inst;
	struct vgpu_permission_faults permission_faults;
	u32 iv_fault_write;		/* in the second word of a fault's interrupt */
	u8 map_queues_me;		/* the ME that is number 0 in MAP_QUEUES */
	struct vgpu_iv_source iv_cp_eop, iv_cp_priv_reg, iv_cp_priv_inst;
	struct vgpu_iv_source iv_cpc_query_status, iv_sdma_trap, iv_sq;
	struct vgpu_iv_source iv_vm_fault;
	struct vgpu_sq_ind sq_ind;
	struct vgpu_sq_iv sq_iv;
	u32 instance_wgp, instance_simd;	/* in GRBM_GFX_INDEX.INSTANCE_INDEX */
	u8 sq_cmds[VGPU_NUM_SQ_CMDS];	/* enum vgpu_sq_cmd */
	u8 sq_modes[VGPU_NUM_SQ_MODES];	/* enum vgpu_sq_mode */
	u8 watch_modes[VGPU_NUM_WATCH_MODES];	/* enum vgpu_watch_mode */
	u8 launch_modes[VGPU_NUM_LAUNCH_MODES];	/* enum vgpu_launch_mode */
};

/*
 * Values of the discovery table about the graphics core, besides its geometry, that drivers
 * only pass to user space (struct gc_info_v1_1, discovery.h).
 */
struct vgpu_gc_info {
	u32 num_rb_per_se, num_gl2c, num_gprs, num_max_gs_thds;
	u32 gs_table_depth, gsprim_buff_depth, parameter_cache_depth;
	u32 double_offchip_lds_buffer, max_scratch_slots_per_cu;
	u32 num_sc_per_se, num_packer_per_sc, num_gl2a, num_sdp_interface;
};

/* Messages of the driver to the SMU. */
enum vgpu_smu_msg {
	VGPU_SMU_UNKNOWN,
	VGPU_SMU_NOTHING,	/* no effect: limits, clocks, power of other blocks */
	VGPU_SMU_TEST,
	VGPU_SMU_GET_VERSION,
	VGPU_SMU_GET_DRIVER_IF,
	VGPU_SMU_GET_FEATURES,
	VGPU_SMU_TABLE_ADDR_HI,
	VGPU_SMU_TABLE_ADDR_LO,
	VGPU_SMU_SEND_TABLE,
	VGPU_SMU_TAKE_TABLE,
	VGPU_SMU_RESET,
	VGPU_SMU_GET_GFXCLK,
	VGPU_SMU_GET_FCLK,
	VGPU_SMU_ALLOW_GFXOFF,
	VGPU_SMU_DISALLOW_GFXOFF,
	VGPU_SMU_GET_POWER_LIMIT,
	VGPU_SMU_GET_THERMAL_LIMIT,
	VGPU_SMU_GET_TEMPERATURE,
	VGPU_SMU_GET_POWER,
	VGPU_SMU_GET_VOLTAGE,
	VGPU_SMU_GET_ACTIVE_WGPS,
	VGPU_SMU_GET_GFXOFF,
	VGPU_SMU_GET_GFXOFF_ENTRIES,
};

struct vgpu_smu_message {
	u8 number;
	u8 msg;			/* enum vgpu_smu_msg */
};

/* Tables that the SMU sends: their structures in smu11_driver_if_vangogh.h. */
enum vgpu_smu_table {
	VGPU_SMU_NO_TABLE,
	VGPU_SMU_VANGOGH_CLOCKS,	/* DpmClocks_t */
	VGPU_SMU_VANGOGH_METRICS,	/* SmuMetrics_t */
};

#define VGPU_SMU_NUM_TABLES	8

/* The interface of the SMU's firmware. */
struct vgpu_smu_interface {
	const struct vgpu_smu_message *messages;
	unsigned int num_messages;
	u8 last_message;	/* messages up to this one that are not listed: NOTHING */
	u32 version, driver_if;
	u64 features;
	u8 tables[VGPU_SMU_NUM_TABLES];	/* enum vgpu_smu_table */
	u8 mode2_reset;		/* argument of RESET */
	/* SMN address of MP1_FIRMWARE_FLAGS; its value when the firmware runs */
	u32 smn_flags, flags_running;
};

struct vgpu_profile {
	const char *name;		/* "vangogh" */
	const char *description;
	const char *llvm_cpu;		/* "gfx1033" */
	const struct vgpu_generation *gen;

	u16 pci_vendor, pci_device, pci_subvendor, pci_subdevice;
	u32 pci_class;
	u8 pci_revision;

	const struct vgpu_ip *ips;
	unsigned int num_ips;
	/* Default geometry; options can change it. */
	u8 num_se, num_sa, num_wgp, num_simd, num_slots;
	u32 vram_mib;
	u64 fb_base;			/* MC address of VRAM, a multiple of 16 MiB */
	u32 gb_addr_config;		/* GB_ADDR_CONFIG at power-on */
	struct vgpu_gc_info gc;

	const u32 *regs;		/* [VGPU_NUM_ROLES] dword numbers */
	const struct vgpu_reg_name *names;	/* each dword once */
	unsigned int num_names;
	const struct vgpu_reg_effects *effects;

	const struct vgpu_smu_interface *smu;
	const struct vgpu_firmware *firmware;	/* for mkfirmware.c */
	unsigned int num_firmware;
};

struct vgpu_reg_name {
	u32 dword;
	const char *name;
};

/*
 * A register for which a write has a side effect on hardware if any of the bits in @mask is
 * set; 0: whatever is written.
 */
struct vgpu_reg_effect {
	u32 dword, mask;
};

struct vgpu_reg_effects {
	const struct vgpu_reg_effect *rows;	/* each dword once */
	unsigned int num;
};

/* Find a profile by name; NULL: there is no such profile. */
const struct vgpu_profile *vgpu_profile_find(const char *name);
/* Get all profiles; @num is set to their number. */
const struct vgpu_profile *const *vgpu_profiles(unsigned int *num);

#endif /* VGPU_PROFILE_H */

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The registers of a wave on gfx10.3.
 *
 * Indexes: ixSQ_WAVE_* of gc_10_3_0_offset.h; fields: SQ_WAVE_*__*__SHIFT and
 * _MASK of gc_10_3_0_sh_mask.h; names of exception bits: SQ_EX_MODE_EXCP_* of
 * navi10_enum.h; all Linux 6.12. What these headers lack says where it is from.
 */
#include "reg.h"

/* SQ_EXCP_BITS */
static const char *const excp_bits[] = {
	"INVALID", "INPUT_DENORM", "DIV0", "OVERFLOW", "UNDERFLOW", "INEXACT",
	"INT_DIV0", "ADDR_WATCH0", "MEM_VIOL",
};

/* SQ_EXCP_HI_BITS */
static const char *const excp_hi_bits[] = {
	"ADDR_WATCH1", "ADDR_WATCH2", "ADDR_WATCH3",
};

static const struct adbg_field fields_STATUS[] = {
	{ "SCC", 0, 1, NULL, { NULL } },
	{ "SPI_PRIO", 1, 2, NULL, { NULL } },
	{ "USER_PRIO", 3, 2, NULL, { NULL } },
	{ "PRIV", 5, 1, NULL, { NULL } },
	{ "TRAP_EN", 6, 1, NULL, { NULL } },
	{ "TTRACE_EN", 7, 1, NULL, { NULL } },
	{ "EXPORT_RDY", 8, 1, NULL, { NULL } },
	{ "EXECZ", 9, 1, NULL, { NULL } },
	{ "VCCZ", 10, 1, NULL, { NULL } },
	{ "IN_TG", 11, 1, NULL, { NULL } },
	{ "IN_BARRIER", 12, 1, NULL, { NULL } },
	{ "HALT", 13, 1, NULL, { NULL } },
	{ "TRAP", 14, 1, NULL, { NULL } },
	{ "TTRACE_SIMD_EN", 15, 1, NULL, { NULL } },
	{ "VALID", 16, 1, NULL, { NULL } },
	{ "ECC_ERR", 17, 1, NULL, { NULL } },
	{ "SKIP_EXPORT", 18, 1, NULL, { NULL } },
	{ "PERF_EN", 19, 1, NULL, { NULL } },
	{ "FATAL_HALT", 23, 1, NULL, { NULL } },
	{ "MUST_EXPORT", 27, 1, NULL, { NULL } },
};

static const struct adbg_field fields_TRAPSTS[] = {
	{ "EXCP", 0, 9, excp_bits, { NULL } },
	{ "SAVECTX", 10, 1, NULL, { NULL } },
	{ "ILLEGAL_INST", 11, 1, NULL, { NULL } },
	{ "EXCP_HI", 12, 3, excp_hi_bits, { NULL } },
	{ "BUFFER_OOB", 15, 1, NULL, { NULL } },
	{ "EXCP_CYCLE", 16, 4, NULL, { NULL } },
	{ "EXCP_GROUP_MASK", 20, 4, NULL, { NULL } },
	{ "EXCP_WAVE64HI", 24, 1, NULL, { NULL } },
	{ "UTC_ERROR", 28, 1, NULL, { NULL } },
	{ "DP_RATE", 29, 3, NULL, { NULL } },
};

static const struct adbg_field fields_MODE[] = {
	{ "FP_ROUND", 0, 4, NULL, { NULL } },
	{ "FP_DENORM", 4, 4, NULL, { NULL } },
	{ "DX10_CLAMP", 8, 1, NULL, { NULL } },
	{ "IEEE", 9, 1, NULL, { NULL } },
	{ "LOD_CLAMPED", 10, 1, NULL, { NULL } },
	/* SQ_WAVE_MODE_DEBUG_EN_MASK of amdkfd/cwsr_trap_handler_gfx10.asm */
	{ "DEBUG_EN", 11, 1, NULL, { NULL } },
	{ "EXCP_EN", 12, 9, excp_bits, { NULL } },
	{ "FP16_OVFL", 23, 1, NULL, { NULL } },
	{ "DISABLE_PERF", 27, 1, NULL, { NULL } },
};

static const struct adbg_field fields_HW_ID1[] = {
	{ "WAVE_ID", 0, 5, NULL, { NULL } },
	{ "SIMD_ID", 8, 2, NULL, { NULL } },
	{ "WGP_ID", 10, 4, NULL, { NULL } },
	{ "SA_ID", 16, 1, NULL, { NULL } },
	{ "SE_ID", 18, 2, NULL, { NULL } },
};

static const struct adbg_field fields_HW_ID2[] = {
	{ "QUEUE_ID", 0, 4, NULL, { NULL } },
	{ "PIPE_ID", 4, 2, NULL, { NULL } },
	{ "ME_ID", 8, 2, NULL, { NULL } },
	{ "STATE_ID", 12, 3, NULL, { NULL } },
	{ "WG_ID", 16, 5, NULL, { NULL } },
	{ "VM_ID", 24, 4, NULL, { NULL } },
};

static const struct adbg_field fields_GPR_ALLOC[] = {
	{ "VGPR_BASE", 0, 8, NULL, { NULL } },
	{ "VGPR_SIZE", 8, 8, NULL, { NULL } },
	{ "SGPR_BASE", 16, 8, NULL, { NULL } },
	{ "SGPR_SIZE", 24, 4, NULL, { NULL } },
};

static const struct adbg_field fields_LDS_ALLOC[] = {
	{ "LDS_BASE", 0, 9, NULL, { NULL } },
	{ "LDS_SIZE", 12, 9, NULL, { NULL } },
	{ "VGPR_SHARED_SIZE", 24, 4, NULL, { NULL } },
};

static const struct adbg_field fields_IB_STS[] = {
	{ "VM_CNT", 0, 4, NULL, { NULL } },
	{ "EXP_CNT", 4, 3, NULL, { NULL } },
	{ "LGKM_CNT_BIT4", 7, 1, NULL, { NULL } },
	{ "LGKM_CNT", 8, 4, NULL, { NULL } },
	{ "VALU_CNT", 12, 3, NULL, { NULL } },
	{ "VM_CNT_HI", 22, 2, NULL, { NULL } },
	{ "LGKM_CNT_BIT5", 24, 1, NULL, { NULL } },
	{ "VS_CNT", 26, 6, NULL, { NULL } },
};

static const struct adbg_field fields_IB_STS2[] = {
	{ "INST_PREFETCH", 0, 2, NULL, { NULL } },
	{ "RESOURCE_OVERRIDE", 7, 1, NULL, { NULL } },
	{ "MEM_ORDER", 8, 2, NULL, { NULL } },
	{ "FWD_PROGRESS", 10, 1, NULL, { NULL } },
	{ "WAVE64", 11, 1, NULL, { NULL } },
};

static const struct adbg_field fields_IB_DBG1[] = {
	{ "WAVE_IDLE", 24, 1, NULL, { NULL } },
	{ "MISC_CNT", 25, 7, NULL, { NULL } },
};

static const struct adbg_field fields_INST_DW0[] = {
	{ "INST_DW0", 0, 32, NULL, { NULL } },
};

static const struct adbg_field fields_M0[] = {
	{ "M0", 0, 32, NULL, { NULL } },
};

static const struct adbg_field fields_TTMP0[] = {
	{ "PC_LO", 0, 32, NULL, { NULL } },
};

/* S_SAVE_PC_HI_* of amdkfd/cwsr_trap_handler_gfx10.asm, Linux 6.12 */
static const struct adbg_field fields_TTMP1[] = {
	{ "PC_HI", 0, 16, NULL, { NULL } },
	{ "TRAP_ID", 16, 8, NULL, { NULL } },
	{ "HT", 24, 1, NULL, { NULL } },
	{ "PC_REWIND", 25, 6, NULL, { NULL } },
};

static const struct adbg_field fields_PC_LO[] = {
	{ "PC_LO", 0, 32, NULL, { NULL } },
};

static const struct adbg_field fields_PC_HI[] = {
	{ "PC_HI", 0, 16, NULL, { NULL } },
};

static const struct adbg_field fields_EXEC_LO[] = {
	{ "EXEC_LO", 0, 32, NULL, { NULL } },
};

static const struct adbg_field fields_EXEC_HI[] = {
	{ "EXEC_HI", 0, 32, NULL, { NULL } },
};

static const struct adbg_field fields_FLAT_SCRATCH_LO[] = {
	{ "DATA", 0, 32, NULL, { NULL } },
};

static const struct adbg_field fields_FLAT_SCRATCH_HI[] = {
	{ "DATA", 0, 32, NULL, { NULL } },
};

static const struct adbg_field fields_SCHED_MODE[] = {
	{ "DEP_MODE", 0, 2, NULL, { NULL } },
};

#define HW(name, index, writable) \
	REG(name, AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_##name, index, writable)
#define TTMP(n, index) \
	REG(TTMP##n, AMDGPUDBG_REG_TTMP, n, index, 0xffffffff)

/*
 * The hardware registers come first, sorted by number. For writable bits see enum
 * amdgpudbg_gfx10_3_reg.
 */
static const struct reg regs[] = {
	HW(MODE, 0x101, 0x089ff7ff),
	HW(STATUS, 0x102, 0x000c0019),
	HW(TRAPSTS, 0x103, 0x11fff9ff),
	HW(HW_ID1, 0x117, 0),
	HW(HW_ID2, 0x118, 0),
	HW(GPR_ALLOC, 0x105, 0),
	HW(LDS_ALLOC, 0x106, 0),
	HW(IB_STS, 0x107, 0),
	HW(IB_STS2, 0x11c, 0),
	HW(IB_DBG1, 0x10d, 0),
	HW(INST_DW0, 0x10a, 0),
	HW(PC_LO, 0x108, 0xffffffff),
	HW(PC_HI, 0x109, 0x0000ffff),
	HW(M0, 0x27c, 0xffffffff),
	HW(EXEC_LO, 0x27e, 0xffffffff),
	HW(EXEC_HI, 0x27f, 0xffffffff),
	HW(FLAT_SCRATCH_LO, 0x114, 0xffffffff),
	HW(FLAT_SCRATCH_HI, 0x115, 0xffffffff),
	HW(SCHED_MODE, 0x11a, 0),
	TTMP(0, 0x26c),
	TTMP(1, 0x26d),
};

/* The unit of PCRewind is a dword of an instruction: RDNA 2 ISA, AMD 2020, 4.2 */
static const struct trap_table trap = {
	.pc_hi = &fields_TTMP1[0],
	.id = &fields_TTMP1[1],
	.host = &fields_TTMP1[2],
	.rewind = &fields_TTMP1[3],
	.rewind_unit = 4,
	/* Set by the trap handler, not by the hardware: AMDGPUDBG_IOC_TRAP_HANDLER */
	.resumed = 1u << 31,
	/* EXCP, SAVECTX, ILLEGAL_INST, EXCP_HI, BUFFER_OOB, UTC_ERROR */
	.causes = 0x1000fdff,
	/* EXCP.ADDR_WATCH0 and EXCP_HI; ROCdbgapi shows that these bits are watches */
	.watches = { 1 << 7, 1 << 12, 1 << 13, 1 << 14 },
};

const struct reg_table adbg_regs_gfx10_3 = {
	.first_gc = ADBG_GC_VERSION(10, 3, 0),
	.last_gc = ADBG_GC_VERSION(10, 3, 255),
	.regs = regs,
	.num_regs = ARRAY_SIZE(regs),
	.num_hwregs = AMDGPUDBG_GFX10_3_SCHED_MODE + 1,
	.file = {
		.num_sgpr = 108,
		.num_ttmp = 16,
		.max_vgpr = 256,
		.max_lane = 64,
	},
	/* get_vgpr_size_bytes of amdkfd/cwsr_trap_handler_gfx10.asm */
	.vgpr_unit = 4,
	.vcc = 106,
	.trap = &trap,
};

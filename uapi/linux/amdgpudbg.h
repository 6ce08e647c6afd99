/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The kernel interface of amdgpudbg, the wave debugger for AMD GPUs.
 *
 * This file is the whole ABI between amdgpudbg.ko and user space. Programs
 * should use libamdgpudbg (lib/include/amdgpudbg.h) rather than these ioctls.
 */
#ifndef _UAPI_LINUX_AMDGPUDBG_H
#define _UAPI_LINUX_AMDGPUDBG_H

#include <linux/ioctl.h>
#include <linux/types.h>

/**
 * DOC: General rules
 *
 * One character device per GPU, ``/dev/amdgpudbgN``. Opening it makes a
 * session. The session owns whatever it changed on the GPU, and closing it
 * (also by the death of its last owner) takes all of that back.
 *
 * Every ioctl argument is a structure whose first member is ``size``, set by
 * the caller to the size of the structure it was built with:
 *
 *  - a structure shorter than the first published version gives -EINVAL;
 *  - a longer one is accepted when all the bytes that the kernel does not know
 *    are zero, and gives -E2BIG otherwise;
 *  - members that a short structure lacks are taken as zero, and zero always
 *    means the behaviour from before the member existed;
 *  - members named ``__reserved`` must be zero, else -EINVAL.
 *
 * Numbers are never reused, members are only appended. Structures are the same
 * for 32- and 64-bit callers.
 *
 * A call that fails changed nothing on the GPU, unless its description says
 * otherwise.
 *
 * DOC: Errors
 *
 * ============= ============================================================
 * ENOTTY        unknown ioctl number
 * E2BIG         the structure is newer than the kernel and uses what is new
 * EFAULT        the structure, or a buffer that it names, is not accessible
 * EINVAL        a value is wrong, a reserved member is not zero
 * EOPNOTSUPP    this GPU, driver or module cannot: an unknown flag or
 *               operation, a capability that %AMDGPUDBG_IOC_GET_CAPABILITY
 *               reports as missing
 * EPERM         the caller may not
 * ENXIO         the GPU has no such coordinate
 * ENODATA       the wave slot is empty
 * ESTALE        the wave slot holds another wave than the caller expects
 * EBUSY         held by another session, or the GPU is being reset, or the
 *               system is about to sleep
 * EMSGSIZE      the buffer is too small; the needed count is returned
 * ETIMEDOUT     the hardware did not answer in the allowed time
 * EIO           the hardware does not show what was written to it
 * ENODEV        the GPU is gone (unbound, unplugged, shut down)
 * ENOMEM        the kernel has no memory for it
 * ============= ============================================================
 */

#define AMDGPUDBG_ABI_VERSION	1

#define AMDGPUDBG_IOC_TYPE	0xE6

enum {
	AMDGPUDBG_CMD_BASE = 0x80,
	AMDGPUDBG_CMD_GET_INFO = AMDGPUDBG_CMD_BASE,
	AMDGPUDBG_CMD_GET_CAPABILITY,
	AMDGPUDBG_CMD_WAVE_LIST,
	AMDGPUDBG_CMD_WAVE_CONTROL,
};

/**
 * struct amdgpudbg_wave_coord - where a wave slot is
 * @xcc: accelerator complex, 0 on GPUs that have one
 * @se: shader engine
 * @sa: shader array within @se (SH in the headers of gfx9 and older)
 * @wgp: workgroup processor within @sa on gfx10 and later, compute unit before
 * @simd: SIMD within @wgp
 * @wave: slot within @simd
 * @__reserved: must be zero
 *
 * All are counted from 0; the bounds are in &struct amdgpudbg_info.
 */
struct amdgpudbg_wave_coord {
	__u16 xcc;
	__u16 se;
	__u16 sa;
	__u16 wgp;
	__u16 simd;
	__u16 wave;
	__u32 __reserved;
};

/**
 * struct amdgpudbg_info - AMDGPUDBG_IOC_GET_INFO
 * @size: sizeof(struct amdgpudbg_info)
 * @flags: must be zero
 * @abi_version: out, AMDGPUDBG_ABI_VERSION of the module
 * @gc_version: out, graphics core: major << 16 | minor << 8 | revision
 * @pci_domain: out, PCI address of the GPU
 * @pci_bus: out
 * @pci_device: out
 * @pci_function: out
 * @vendor_id: out, PCI identity
 * @device_id: out
 * @num_xcc: out, number of values of each member of a wave coordinate
 * @num_se: out
 * @num_sa: out, shader arrays in one shader engine
 * @num_wgp: out, in one shader array, harvested ones included
 * @num_simd: out, in one WGP (gfx10 and later) or CU
 * @num_wave: out, slots in one SIMD
 * @num_vmid: out, VMIDs 1 to @num_vmid - 1 may be named in other calls
 * @first_kfd_vmid: out, VMIDs from this one on belong to amdkfd
 * @num_capabilities: out, ids accepted by AMDGPUDBG_IOC_GET_CAPABILITY
 * @num_active_cu: out, compute units that are not harvested
 * @gpu_reset_count: out, resets of this GPU since the driver took it, those of
 *	one ring or one job included
 * @render_minor: out, minor number of the GPU's DRM render node
 * @__reserved: must be zero
 * @driver_build_id: out, GNU build id of the amdgpu.ko that is loaded, as
 *	hexadecimal text, empty when unknown
 * @module_version: out, version of amdgpudbg.ko as text
 *
 * Works at any time, also while the GPU sleeps, and touches no register.
 */
struct amdgpudbg_info {
	__u32 size;
	__u32 flags;
	__u32 abi_version;
	__u32 gc_version;
	__u32 pci_domain;
	__u16 pci_bus;
	__u8 pci_device;
	__u8 pci_function;
	__u16 vendor_id;
	__u16 device_id;
	__u32 num_xcc;
	__u32 num_se;
	__u32 num_sa;
	__u32 num_wgp;
	__u32 num_simd;
	__u32 num_wave;
	__u32 num_vmid;
	__u32 first_kfd_vmid;
	__u32 num_capabilities;
	__u32 num_active_cu;
	__u32 gpu_reset_count;
	__u32 render_minor;
	__u32 __reserved;
	char driver_build_id[48];
	char module_version[32];
};

/**
 * enum amdgpudbg_capability_id - what a GPU, its driver and the module can do
 * @AMDGPUDBG_CAP_WAVE_LIST: list live waves
 * @AMDGPUDBG_CAP_WAVE_HALT: halt waves
 * @AMDGPUDBG_CAP_WAVE_RESUME: resume waves
 * @AMDGPUDBG_CAP_WAVE_KILL: kill waves
 * @AMDGPUDBG_CAP_WAVE_DEBUG: put waves in debug mode
 * @AMDGPUDBG_CAP_WAVE_TRAP: make waves enter the trap handler
 * @AMDGPUDBG_CAP_GFXOFF_HOLD: keep the graphics core powered while it is used
 * @AMDGPUDBG_CAP_RUNTIME_PM: wake the GPU, and keep it awake while it is used
 * @AMDGPUDBG_CAP_RESET_LOCK: keep GPU resets out while registers are used
 * @AMDGPUDBG_CAP_VMID_PASID: tell the PASID that a wave's VMID belongs to
 * @AMDGPUDBG_CAP_TIMEOUT_HOLD: keep the driver from resetting the GPU while a
 *	session holds waves halted
 * @AMDGPUDBG_NUM_CAPS: number of ids this header knows
 */
enum amdgpudbg_capability_id {
	AMDGPUDBG_CAP_WAVE_LIST,
	AMDGPUDBG_CAP_WAVE_HALT,
	AMDGPUDBG_CAP_WAVE_RESUME,
	AMDGPUDBG_CAP_WAVE_KILL,
	AMDGPUDBG_CAP_WAVE_DEBUG,
	AMDGPUDBG_CAP_WAVE_TRAP,
	AMDGPUDBG_CAP_GFXOFF_HOLD,
	AMDGPUDBG_CAP_RUNTIME_PM,
	AMDGPUDBG_CAP_RESET_LOCK,
	AMDGPUDBG_CAP_VMID_PASID,
	AMDGPUDBG_CAP_TIMEOUT_HOLD,
	AMDGPUDBG_NUM_CAPS,
};

/**
 * struct amdgpudbg_capability - AMDGPUDBG_IOC_GET_CAPABILITY
 * @size: sizeof(struct amdgpudbg_capability)
 * @id: in, &enum amdgpudbg_capability_id; unknown to the module: -EINVAL
 * @supported: out, 1 or 0
 * @__reserved: must be zero
 * @name: out, short name, such as "wave-halt"
 * @reason: out, why not, as a sentence; empty when supported
 *
 * Touches no register.
 */
struct amdgpudbg_capability {
	__u32 size;
	__u32 id;
	__u32 supported;
	__u32 __reserved;
	char name[32];
	char reason[144];
};

/* amdgpudbg_wave.flags */
#define AMDGPUDBG_WAVE_HALTED	(1U << 0)	/* halted, by whomever */
#define AMDGPUDBG_WAVE_PRIV	(1U << 1)	/* in a trap handler */
#define AMDGPUDBG_WAVE_WAVE64	(1U << 2)	/* 64 lanes, else 32 */
#define AMDGPUDBG_WAVE_PASID	(1U << 3)	/* pasid is valid */

/**
 * struct amdgpudbg_wave - one live wave, as read from its slot
 * @at: where it is
 * @flags: AMDGPUDBG_WAVE_*
 * @vmid: VMID it runs in
 * @pasid: PASID that the VMID belonged to when the wave was read, see
 *	AMDGPUDBG_WAVE_PASID. The table behind it is a history: an idle VMID
 *	keeps its last PASID.
 * @status: SQ_WAVE_STATUS
 * @pc: SQ_WAVE_PC_HI:PC_LO, byte address in the VMID's address space
 * @exec: SQ_WAVE_EXEC_HI:EXEC_LO, one bit per lane
 * @trapsts: SQ_WAVE_TRAPSTS
 * @mode: SQ_WAVE_MODE
 * @hw_id1: SQ_WAVE_HW_ID1 (HW_ID on gfx9 and older)
 * @hw_id2: SQ_WAVE_HW_ID2 (zero on gfx9 and older)
 * @gpr_alloc: SQ_WAVE_GPR_ALLOC
 * @lds_alloc: SQ_WAVE_LDS_ALLOC
 * @ib_sts: SQ_WAVE_IB_STS
 * @ib_sts2: SQ_WAVE_IB_STS2 (zero on gfx9 and older)
 * @ib_dbg1: SQ_WAVE_IB_DBG1
 * @inst_dw0: SQ_WAVE_INST_DW0, the instruction word at @pc, zero where the
 *	generation has no such register
 * @m0: M0
 * @__reserved: zero
 *
 * Raw values: their fields are per generation, see @gc_version of &struct
 * amdgpudbg_info. A wave that is not halted runs on between the reads of its
 * registers, so that only a halted wave's record is one moment in time.
 */
struct amdgpudbg_wave {
	struct amdgpudbg_wave_coord at;
	__u32 flags;
	__u32 vmid;
	__u32 pasid;
	__u32 status;
	__aligned_u64 pc;
	__aligned_u64 exec;
	__u32 trapsts;
	__u32 mode;
	__u32 hw_id1;
	__u32 hw_id2;
	__u32 gpr_alloc;
	__u32 lds_alloc;
	__u32 ib_sts;
	__u32 ib_sts2;
	__u32 ib_dbg1;
	__u32 inst_dw0;
	__u32 m0;
	__u32 __reserved;
};

/**
 * struct amdgpudbg_wave_list - AMDGPUDBG_IOC_WAVE_LIST
 * @size: sizeof(struct amdgpudbg_wave_list)
 * @flags: must be zero
 * @vmid_mask: in, one bit per VMID whose waves are wanted; 0 means all but
 *	VMID 0. Bit 0 set, or a bit that is no VMID: -EINVAL
 * @entry_size: in, distance of two records in the buffer, at least the size of
 *	the first published &struct amdgpudbg_wave and at most 4096; out, size
 *	of the module's record. Each record is written up to the smaller of the
 *	two; the rest of a longer one is cleared.
 * @capacity: in, number of records that fit in the buffer
 * @count: out, number of live waves that were found in the wanted VMIDs. More
 *	than @capacity: -EMSGSIZE, and the first @capacity records are valid.
 * @waves: in, address of the buffer
 * @reg_reads: out, register reads that the call took
 * @reg_writes: out, register writes that the call took
 * @gpu_reset_count: out, see &struct amdgpudbg_info
 * @__reserved: must be zero
 *
 * Device-wide, so needs CAP_SYS_ADMIN. Waves come in the order of their
 * coordinates. Waves are not stopped for it: waves that begin or end meanwhile
 * may or may not be listed, and none is listed twice.
 */
struct amdgpudbg_wave_list {
	__u32 size;
	__u32 flags;
	__u32 vmid_mask;
	__u32 entry_size;
	__u32 capacity;
	__u32 count;
	__aligned_u64 waves;
	__u32 reg_reads;
	__u32 reg_writes;
	__u32 gpu_reset_count;
	__u32 __reserved;
};

/*
 * enum amdgpudbg_waveop and enum amdgpudbg_wavemode keep the numbers of
 * HSA_DBG_WAVEOP and HSA_DBG_WAVEMODE (Linux 5.10 amdkfd/kfd_dbgmgr.h). They
 * are translated to each generation's SQ_CMD in the module.
 */

/**
 * enum amdgpudbg_waveop - what to do with waves
 * @AMDGPUDBG_WAVEOP_HALT: stop issuing instructions
 * @AMDGPUDBG_WAVEOP_RESUME: go on after a halt
 * @AMDGPUDBG_WAVEOP_KILL: end at once
 * @AMDGPUDBG_WAVEOP_DEBUG: enter the trap handler after each instruction
 * @AMDGPUDBG_WAVEOP_TRAP: enter the trap handler once
 */
enum amdgpudbg_waveop {
	AMDGPUDBG_WAVEOP_HALT = 1,
	AMDGPUDBG_WAVEOP_RESUME = 2,
	AMDGPUDBG_WAVEOP_KILL = 3,
	AMDGPUDBG_WAVEOP_DEBUG = 4,
	AMDGPUDBG_WAVEOP_TRAP = 5,
};

/**
 * enum amdgpudbg_wavemode - which waves
 * @AMDGPUDBG_WAVEMODE_SINGLE: the one at the given coordinate
 * @AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS: all of the given VMID
 * @AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU: all of the given VMID on the WGP
 *	(gfx10 and later) or CU of the given coordinate
 */
enum amdgpudbg_wavemode {
	AMDGPUDBG_WAVEMODE_SINGLE = 0,
	AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS = 2,
	AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU = 3,
};

/* amdgpudbg_wave_control.flags */
#define AMDGPUDBG_WAVE_CONTROL_EXPECT_PC	(1U << 0)
#define AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED	(1U << 1)

/**
 * struct amdgpudbg_wave_control - AMDGPUDBG_IOC_WAVE_CONTROL
 * @size: sizeof(struct amdgpudbg_wave_control)
 * @flags: AMDGPUDBG_WAVE_CONTROL_EXPECT_PC (%AMDGPUDBG_WAVEMODE_SINGLE only):
 *	the wave must be at @pc, else -ESTALE.
 *	AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED (%AMDGPUDBG_WAVEOP_HALT only): the
 *	waves stay halted when the session closes.
 * @op: in, &enum amdgpudbg_waveop
 * @mode: in, &enum amdgpudbg_wavemode
 * @vmid: in, VMID of the waves, 1 to num_vmid - 1 of &struct amdgpudbg_info.
 *	The hardware acts on waves of this VMID only (SQ_CMD.CHECK_VMID); a
 *	single wave of another VMID gives -ESTALE.
 * @trap_id: in, %AMDGPUDBG_WAVEOP_TRAP only, else zero
 * @at: in, the wave (SINGLE); @at.wave and @at.simd zero (PROCESS_CU); all
 *	zero (PROCESS)
 * @pc: in, see @flags, else zero
 * @matched: out, live waves that the call was about
 * @changed: out, how many of them were seen in the wanted state afterwards
 * @reg_reads: out, register reads that the call took
 * @reg_writes: out, register writes that the call took
 *
 * Device-wide in this version, so needs CAP_SYS_ADMIN. Waves that start after
 * the call are not halted by it. A session that halted waves resumes them when
 * it closes; waves that another session halted stay as they are: resuming them
 * gives -EBUSY. While a session holds waves halted, the jobs on the graphics and
 * compute rings do not time out (%AMDGPUDBG_CAP_TIMEOUT_HOLD); afterwards each
 * has its full time again. Waves that were left halted by a session that has
 * closed are not protected in this way.
 *
 * -EFAULT: nothing changed, unless another thread takes the structure's memory
 * away during the call.
 *
 * -ETIMEDOUT: a wave of the scope did not reach the wanted state in time;
 * @matched and @changed are valid, and what was changed stays changed.
 */
struct amdgpudbg_wave_control {
	__u32 size;
	__u32 flags;
	__u32 op;
	__u32 mode;
	__u32 vmid;
	__u32 trap_id;
	struct amdgpudbg_wave_coord at;
	__aligned_u64 pc;
	__u32 matched;
	__u32 changed;
	__u32 reg_reads;
	__u32 reg_writes;
};

#define AMDGPUDBG_IOC_GET_INFO \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_GET_INFO)
#define AMDGPUDBG_IOC_GET_CAPABILITY \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_GET_CAPABILITY)
#define AMDGPUDBG_IOC_WAVE_LIST \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_WAVE_LIST)
#define AMDGPUDBG_IOC_WAVE_CONTROL \
	_IO(AMDGPUDBG_IOC_TYPE, AMDGPUDBG_CMD_WAVE_CONTROL)

#endif /* _UAPI_LINUX_AMDGPUDBG_H */
